# SPDX-License-Identifier: GPL-3.0-or-later
# `make deps run` and `make deps test` are all a newcomer needs; `make help` lists the rest.

# samples/CHANGELOG.md says what a version promises. SOVERSION grows when programs linked against an earlier
# library would no longer run.
VERSION   := 1.0.0
SOVERSION := 1
BUILD     ?= build
PREFIX    ?= /usr/local
LIBDIR    ?= $(PREFIX)/lib
# Empty: any processor of the architecture, with a second copy of the solver for newer ones (HOT). `native` or
# another value of -march: only such processors.
ARCH      ?=
CFLAGS    ?= -O3 -g1
SANITIZE ?=
# Not empty: with MPI, so that several machines can solve one slice (samples/mpi.md).
MPI      ?=

# Run JOBS jobs at a time, by default one per processor; nested makes share them.
JOBS     ?= $(shell nproc)
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(JOBS)
endif

PACKAGES := gcc make libc6-dev pkg-config libncurses-dev libreadline-dev libzstd-dev liblzma-dev \
            zlib1g-dev libcjson-dev libmicrohttpd-dev libcmocka-dev gaviotatb tmux mandoc curl g++ \
            libcurl4-openssl-dev libfathom-dev fathom stockfish python3-numpy liblz4-dev libbrotli-dev \
            clang-format libopenmpi-dev openmpi-bin

.DEFAULT_GOAL := all
SUDO = $(if $(filter 0,$(shell id -u)),,sudo)
deps: ## install what is needed to build, run and test (Debian)
	@missing=$$(for p in $(PACKAGES); do \
	  dpkg-query -Wf '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done); \
	[ -z "$$missing" ] || { $(SUDO) apt-get update -q && \
	  $(SUDO) env DEBIAN_FRONTEND=noninteractive \
	    apt-get install -qy --no-install-recommends $$missing; }

CROSS_PACKAGES := gcc-aarch64-linux-gnu qemu-user musl-tools
deps-cross: ## install what is needed to compile and test for aarch64 and musl as well (Debian)
	@$(MAKE) --no-print-directory deps PACKAGES='$(CROSS_PACKAGES)'
	@tests/arm64 $(BUILD)/arm64

# What is installed decides what is built, so this file is read again after `deps`.
GOALS := $(filter-out deps,$(MAKECMDGOALS))
ifneq ($(and $(filter deps,$(MAKECMDGOALS)),$(GOALS)),)
.PHONY: deps $(GOALS)
$(GOALS): deps
	@$(if $(filter $@,$(firstword $(GOALS))),$(MAKE) --no-print-directory $(GOALS),:)
else

# Another processor: CROSS=aarch64-linux-gnu-, or its compiler as CC. The compiler names the tools that go with it.
ifeq ($(origin CC),default)
CC       := $(CROSS)$(if $(CROSS),gcc,cc)
endif
own       = $(shell $(CC) -print-prog-name=$(1))
LD        = $(call own,ld)
AR        = $(call own,ar)
NM        = $(call own,nm)
OBJCOPY   = $(call own,objcopy)
PKG_CONFIG ?= $(or $(shell command -v $$($(CC) -dumpmachine)-pkg-config),$(CROSS)pkg-config)

MARCH    := $(if $(ARCH),-march=$(ARCH))
# Vectors never leave their file, so the ABI for passing them does not matter.
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wno-psabi
# The libraries that the library needs, and those that the program needs too.
LIBS_CORE := libzstd liblzma zlib
LIBS      := ncursesw readline libcjson libmicrohttpd $(LIBS_CORE)
# Only symbols marked in the public headers (EL_API_BEGIN) are visible from outside.
# No multiplication is fused with an addition, so that floats are the same on every processor.
COMPILE  := $(CC) -std=c17 -D_GNU_SOURCE -DEL_VERSION=\"$(VERSION)\" $(CFLAGS) $(MARCH) \
            $(WARNINGS) -ffp-contract=off -fopenmp -fPIC -fvisibility=hidden $(SANITIZE) $(if $(SANITIZE),-DEL_INSTRUMENTED) -I. -Iinclude -MMD -MP
LINK     := $(CC) $(CFLAGS) -fopenmp -rdynamic $(SANITIZE) $(LDFLAGS)
LDLIBS    = $(shell $(PKG_CONFIG) --libs $(LIBS)) -lpthread -lm -ldl
LDLIBS_CORE = $(shell $(PKG_CONFIG) --libs $(LIBS_CORE)) -lpthread -lm -ldl
CMOCKA    = $(shell $(PKG_CONFIG) --libs cmocka)

sources   = $(sort $(foreach d,$(1),$(wildcard $(d)/*.c $(d)/*/*.c $(d)/*/*/*.c)))
objects   = $(patsubst %.c,$(BUILD)/%.o,$(1))
LIB_SRC  := $(filter-out %/ranks_mpi.c,$(call sources,core codecs))
# What other programs link: it reads and probes tables, but makes and compares none.
API_SRC  := $(filter-out $(addprefix core/,builder/% examine/% export/% film/% find/% foreign/published.c lab/% \
            tree/%),$(LIB_SRC))
# The solver, the indexing of positions and two codecs are compiled a second time for x86-64-v3 (Haswell and later), if
# the compiler makes such code and can ask the processor. Each function in HOT_INTO chooses one of the two copies
# (core/solve/hot.c), and the list of codecs one of each in HOT_CODECS.
HOT_CODECS := net rans
HOT_SRC  := $(filter-out %/hot.c,$(wildcard core/solve/*.c)) $(wildcard core/games/*/sets*.c core/games/*/index.c core/games/*/legal.c core/games/*/best*.c) \
            $(wildcard codecs/board/*.c $(HOT_CODECS:%=codecs/%/*.c))
HOT_GAMES := $(patsubst core/games/%/sets.c,%,$(wildcard core/games/*/sets.c))
HOT_LEGAL := $(patsubst core/games/%/legal.c,%,$(wildcard core/games/*/legal.c))
HOT_BEST := $(patsubst core/games/%/best.c,%,$(wildcard core/games/*/best.c))
HOT_INTO := el_solve $(HOT_LEGAL:%=%_legal) $(HOT_BEST:%=%_best) $(foreach g,$(HOT_GAMES),$(g)_divide $(g)_place $(g)_unplace) \
            $(HOT_CODECS:%=el_codec_%)
HOT      := $(if $(ARCH)$(SANITIZE),,$(shell echo 'int hot(void) { return __x86_64__ && __builtin_cpu_supports("x86-64-v3"); }' | \
              $(CC) $(CFLAGS) -march=x86-64-v3 -S -x c -o - - >/dev/null 2>&1 && echo $(BUILD)/hot.o))
hot_names = $(if $(HOT),$(foreach f,$(HOT_INTO),-D$(f)=$(f)_$(1)))
TUI_SRC  := $(call sources,tui)
UNIT     := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/*/test_*.c))
SUPPORT  := $(call sources,tests/oracles tests/fixtures)
BENCH    := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/bench_*.c))
# Plug-in codecs: samples to copy, and those that tests expect to be refused.
# Two samples need libraries that nothing else needs, and are not built without them.
SAMPLE_LIBS_lz4    := liblz4 libzstd
SAMPLE_LIBS_ranks  := liblzma
SAMPLE_LIBS_brotli := libbrotlienc libbrotlidec
has_libs  = $(if $(SAMPLE_LIBS_$(1)),$(shell $(PKG_CONFIG) --exists $(SAMPLE_LIBS_$(1)) && echo $(1)),$(1))
SAMPLES   = $(foreach s,$(patsubst samples/codec/%.c,%,$(wildcard samples/codec/*.c)),\
              $(patsubst %,$(BUILD)/samples/%.so,$(call has_libs,$(s))))
PLUGINS  := $(patsubst tests/plugins/%.c,$(BUILD)/plugins/%.so,$(wildcard tests/plugins/*.c))
HAS_MPI   = $(shell $(PKG_CONFIG) --exists mpi-c && echo yes)
TRIAL    := $(BUILD)/trial/trial $(BUILD)/trial/endlab
FUZZ     := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_SUP := $(filter-out tests/fuzz/fuzz_%,$(call sources,tests/fuzz))

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-5s %s\n' $(1) $(2))

.PHONY: all deps deps-cross run test truth load trial test-all build-tests check-asan check-tsan check-valgrind bench fuzz fuzzers fuzz-all \
        layers cover man install install-library uninstall deb check-deb clean help FORCE
.SECONDARY:

LIBRARY  := $(BUILD)/libendlab.a $(BUILD)/libendlab.so.$(VERSION)
all: $(BUILD)/endlab $(LIBRARY) $(SAMPLES) ## build the program and the library

# A change of flags recompiles everything.
$(BUILD)/%.o: %.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) $(EXTRA) -c -o $@ $<

$(BUILD)/flags: FORCE
	@mkdir -p $(@D) && echo '$(COMPILE) $(if $(HOT),$(HOT_SRC) $(HOT_INTO))' >$@.new && \
	  { cmp -s $@.new $@ && rm $@.new || mv $@.new $@; }

# Lessons and manual pages are built into the program, one string per file.
define STRINGS
	$(Q)mkdir -p $(@D) && for f in $^; do echo "{\"$${f##*/}\","; \
	  sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $$f; echo '},'; done >$@
endef
LESSONS := $(wildcard samples/lessons/*.lesson) samples/lessons/README.md
$(BUILD)/lessons.inc: $(LESSONS)
	$(STRINGS)

# endlab(1) is printed by the program itself, and kept for `install`, which runs nothing that was built.
PAGES := $(filter-out %/endlab.1,$(wildcard tui/man/*.[1-9]))
$(BUILD)/pages.inc: $(PAGES)
	$(STRINGS)

man: $(BUILD)/endlab ## write tui/man/endlab.1 again, after a change of a command's help
	env -i $(BUILD)/endlab --man >tui/man/endlab.1

$(BUILD)/scripts.inc: $(wildcard tui/completion/endlab.*)
	$(STRINGS)

# Positions too: one per line, with the last column of its row in the README's tables, which are in the
# same order.
POSITIONS := samples/positions.txt samples/draughts.txt samples/morris.txt samples/awari.txt
$(BUILD)/samples.inc: $(POSITIONS) samples/README.md
	$(Q)mkdir -p $(@D) && awk -F ' [|] ' 'FILENAME ~ /txt$$/ {fen[++fens] = $$0; next} \
	  /^[|] [0-9]+ [|]/ {gsub(/`/, ""); gsub(/[\\"]/, "\\\\&"); sub(/ *[|] *$$/, ""); \
	    print "{\"" fen[++rows] "\", \"" $$4 "\"},"} \
	  END {exit fens != rows}' $^ >$@ || { rm $@; echo '$@: rows and positions differ' >&2; false; }

$(BUILD)/tui/text/carried.o: $(foreach t,lessons pages scripts samples,$(BUILD)/$(t).inc)
$(BUILD)/tui/text/carried.o: EXTRA = -I$(BUILD)

# Vectors of square roots and of choices: nobody asks for errno or for the processor's flags.
%codecs/net/train.o: EXTRA = -fno-math-errno -fno-trapping-math

# The folder searched for plug-ins; a change of LIBDIR recompiles this file.
%codecs/places.o: EXTRA = -DEL_PLUGIN_DIR='"$(LIBDIR)/endlab/plugins"'
$(BUILD)/codecs/places.o: $(BUILD)/libdir
$(BUILD)/libdir: FORCE
	@mkdir -p $(@D) && echo '$(LIBDIR)' | cmp -s - $@ || echo '$(LIBDIR)' >$@

# ---- the library ----

# The whole library, for the program and the tests, which may use its internals.
$(BUILD)/libcore.a: $(call objects,$(LIB_SRC)) $(HOT)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/core/solve/hot.o: EXTRA = $(if $(HOT),-DEL_HOT \
  '-DHOT_GAMES=${HOT_GAMES:%=HOT_GAME(%)} ${HOT_LEGAL:%=HOT_LEGAL(%)} ${HOT_BEST:%=HOT_BEST(%)}')
$(BUILD)/codecs/registry.o $(BUILD)/tests/unit/codecs/test_boards.o: EXTRA = $(if $(HOT),-DEL_HOT)
$(call objects,$(HOT_SRC)): EXTRA = $(call hot_names,plain)
$(BUILD)/hot/%.o: %.c $(BUILD)/flags
	$(call say,CC,$< for x86-64-v3)
	$(Q)mkdir -p $(@D) && $(COMPILE) -march=x86-64-v3 $(call hot_names,hot) -c -o $@ $<

# Both copies define the same names, so only the entry points of this one stay global.
$(BUILD)/hot.o: $(patsubst %.c,$(BUILD)/hot/%.o,$(HOT_SRC))
	$(call say,LD,$@)
	$(Q)$(LD) -r -d -o $@ $^ && $(OBJCOPY) $(HOT_INTO:%=--keep-global-symbol=%_hot) $@

# A single object, so that hidden symbols can be made local. The compiler makes the names of critical sections
# global, so they are listed.
$(BUILD)/libendlab.a: $(call objects,$(API_SRC)) $(HOT)
	$(call say,AR,$@)
	$(Q)$(LD) -r -d -o $(BUILD)/libendlab.o $^ && $(OBJCOPY) --localize-hidden --wildcard \
	  --localize-symbol='.gomp_critical_*' $(BUILD)/libendlab.o && \
	  rm -f $@ && $(AR) rcs $@ $(BUILD)/libendlab.o

# The version script sets the symbol version and hides what the compiler makes visible itself. With a sanitizer,
# symbols may stay undefined, because only the program links its runtime.
$(BUILD)/libendlab.so.$(VERSION): $(call objects,$(API_SRC)) $(HOT)
	$(call say,LINK,$@)
	$(Q)echo 'ENDLAB_$(SOVERSION) { global: el_*; local: *; };' >$(BUILD)/libendlab.map
	$(Q)$(CC) $(CFLAGS) -shared -fopenmp $(SANITIZE) $(LDFLAGS) -Wl,-soname,libendlab.so.$(SOVERSION) \
	  $(if $(SANITIZE),,-Wl,-z,defs) -Wl,--version-script=$(BUILD)/libendlab.map -o $@ $^ $(LDLIBS_CORE)
	$(Q)ln -sf libendlab.so.$(VERSION) $(BUILD)/libendlab.so.$(SOVERSION)
	$(Q)ln -sf libendlab.so.$(VERSION) $(BUILD)/libendlab.so

# ---- the program ----

# With MPI, two files are compiled again: MPI=1 makes that the program. The tests have it under a name of its own.
RANKED   := $(BUILD)/mpi/tui/main.o $(BUILD)/mpi/core/os/ranks_mpi.o $(filter-out %/main.o,$(call objects,$(TUI_SRC)))
ALONE    := $(call objects,$(TUI_SRC))
MPI_LIBS  = $(shell $(PKG_CONFIG) --libs mpi-c)
$(BUILD)/mpi/%.o: %.c $(BUILD)/flags
	$(call say,CC,$< with MPI)
	$(Q)mkdir -p $(@D) && $(COMPILE) -DEL_MPI $(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags mpi-c)) -c -o $@ $<
$(BUILD)/mpi/endlab: $(RANKED) $(BUILD)/libcore.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS) $(MPI_LIBS)

$(BUILD)/endlab: $(if $(MPI),$(RANKED),$(ALONE)) $(BUILD)/libcore.a $(BUILD)/with-mpi
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $(filter-out %/with-mpi,$^) $(LDLIBS) $(if $(MPI),$(MPI_LIBS))
$(BUILD)/with-mpi: FORCE
	@mkdir -p $(@D) && echo '$(MPI)' | cmp -s - $@ || echo '$(MPI)' >$@

# The program again, with memory allocations that can be made to fail.
$(BUILD)/trial/endlab: $(call objects,$(TUI_SRC)) $(BUILD)/tests/trial/failing.o $(BUILD)/libcore.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(LINK) -o $@ $^ $(LDLIBS) \
	  $$($(NM) $(BUILD)/tests/trial/failing.o | sed -n 's/.* T __wrap_/-Wl,--wrap=/p')

# The program again, with draughts slices of few pieces cut by leading rank, as those of eight are: both must
# give the same values.
RANKS     := $(BUILD)/ranks
RANKS_SRC := $(wildcard core/games/checkers/*.c)
RANKS_HOT := $(filter $(RANKS_SRC),$(HOT_SRC))
FEW       := -DCHECKERS_LARGEST=4
$(RANKS)/%.o: %.c $(BUILD)/flags
	$(call say,CC,$< cut)
	$(Q)mkdir -p $(@D) && $(COMPILE) $(FEW) $(if $(filter $<,$(HOT_SRC)),$(call hot_names,plain)) -c -o $@ $<
$(RANKS)/hot/%.o: %.c $(BUILD)/flags
	$(call say,CC,$< cut for x86-64-v3)
	$(Q)mkdir -p $(@D) && $(COMPILE) -march=x86-64-v3 $(FEW) $(call hot_names,hot) -c -o $@ $<
$(RANKS)/hot.o: $(RANKS_HOT:%.c=$(RANKS)/hot/%.o) $(patsubst %.c,$(BUILD)/hot/%.o,$(filter-out $(RANKS_SRC),$(HOT_SRC)))
	$(Q)$(LD) -r -d -o $@ $^ && $(OBJCOPY) $(HOT_INTO:%=--keep-global-symbol=%_hot) $@
$(RANKS)/endlab: $(call objects,$(TUI_SRC)) $(RANKS_SRC:%.c=$(RANKS)/%.o) $(if $(HOT),$(RANKS)/hot.o) $(BUILD)/libcore.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# The driver that runs both programs; none of it is linked into either.
TRIAL_SRC := $(filter-out %/failing.c,$(call sources,tests/trial))
$(BUILD)/trial/trial: $(call objects,$(TRIAL_SRC)) $(BUILD)/libcore.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(LINK) -o $@ $^ $(LDLIBS)

define PLUGIN
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) -fPIC -shared $(LDFLAGS) -o $@ $< \
	  $(if $(SAMPLE_LIBS_$*),$$($(PKG_CONFIG) --libs $(SAMPLE_LIBS_$*)))
endef
$(BUILD)/samples/%.so: samples/codec/%.c $(BUILD)/flags
	$(PLUGIN)

$(BUILD)/plugins/%.so: tests/plugins/%.c $(BUILD)/flags
	$(PLUGIN)

# A test spends its time in the library, so it is compiled as fast as possible.
$(BUILD)/tests/unit/%.o: EXTRA = -O1

# Tests may use the screens' code, so all of tui except main.c joins the library.
TEST_SRC := $(SUPPORT) tests/bench/bench.c tests/bench/shelf.c $(filter-out tui/main.c,$(TUI_SRC))
$(BUILD)/libtest.a: $(call objects,$(TEST_SRC))
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(BUILD)/libtest.a $(BUILD)/libcore.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(LINK) -o $@ $^ $(LDLIBS) $(CMOCKA)

$(BUILD)/bench/%: $(BUILD)/tests/bench/%.o $(BUILD)/libtest.a $(BUILD)/libcore.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(LINK) -o $@ $^ $(LDLIBS) $(CMOCKA)

# Fathom's prober, if installed, checks ours.
FATHOM = $(shell test ! -e /usr/include/tbprobe.h || echo -lfathom)
$(BUILD)/bench/bench_syzygy $(BUILD)/tests/unit/core/test_syzygy: LDLIBS += $(FATHOM)
$(BUILD)/others/prove: $(BUILD)/tests/others/prove.o $(BUILD)/libcore.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(LINK) -o $@ $^ $(LDLIBS) $(FATHOM)

# Clients of `endlab serve`; they use none of our code.
$(BUILD)/others/load: $(BUILD)/tests/others/load.o
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(LINK) -o $@ $^

$(BUILD)/fuzz/%: $(BUILD)/tests/fuzz/%.o $(call objects,$(FUZZ_SUP)) $(BUILD)/libtest.a $(BUILD)/libcore.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(LINK) -fsanitize=fuzzer -o $@ $^ $(LDLIBS) $(CMOCKA)

run: all ## build and open the explorer
	@exec $(BUILD)/endlab

test: build-tests ## build and run every test
	@BUILD=$(BUILD) JOBS=$$(($(JOBS) + 1)) tests/run # scripts wait

build-tests: all layers $(UNIT) $(PLUGINS) $(TRIAL) $(RANKS)/endlab $(HAS_MPI:%=$(BUILD)/mpi/endlab) $(BUILD)/others/prove $(BUILD)/others/load

# Tests that do more when asked to, run one after the other.
more = LIMIT=14400 JOBS=1 BUILD=$(BUILD) TESTS='$(1)' tests/run
TRUTHS := $(patsubst %,tests/unit/core/test_%.c,plain truth truth_metrics clock_truth castling_truth metrics_hold chess_index sets film derive checkers_truth merels \
          morris_truth awele awari_truth side forms pieces verify_all table_damage room same_bytes partial syzygy study study_tables find chesstb) \
          tests/cli/export_syzygy.sh tests/cli/table.sh tests/cli/cross.sh tests/cli/mpi.sh
truth: build-tests ## the tests that compare with other solvers and programs, over everything: hours
	@TRUTH=all $(call more,$(TRUTHS))

load: all $(BUILD)/others/load ## `endlab serve` with 1,000 connections and 100,000 requests
	@LOAD=all $(call more,tests/cli/serve.sh)

SECONDS ?= 60
trial: all $(TRIAL) ## signals, damage, limits and failed allocations, for SECONDS=60
	@$(BUILD)/trial/trial --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

check-asan: ## the tests under the address and undefined-behaviour sanitizers
	ASAN_OPTIONS="detect_stack_use_after_return=1:$$ASAN_OPTIONS" \
	$(MAKE) BUILD=build/asan CFLAGS="-O2 -g" \
	  SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=all" test

check-tsan: ## the tests under the thread sanitizer (needs clang and libomp-dev)
	TSAN_OPTIONS="ignore_noninstrumented_modules=1" \
	$(MAKE) BUILD=build/tsan CC=clang CFLAGS="-O1 -g -Werror" SANITIZE="-fsanitize=thread" test

check-valgrind: ## the unit tests under valgrind
	LIMIT=3600 WRAP="valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
	  --errors-for-leak-kinds=definite" \
	$(MAKE) BUILD=build/valgrind ARCH= TESTS="$(wildcard tests/unit/*/test_*.c)" test

# Quick ones first. tests/night, the test at full scale, is left out: it takes a night and 20 GB.
SLOW := test trial load check-asan check-tsan check-valgrind truth check-deb
test-all: ## all of these, for hours: goes on after a failure, and ends with what passed and what did not
	@list= failed=; for t in $(SLOW); do \
	  start=$$(date +%s) said=passed; $(MAKE) --no-print-directory $$t || said=FAILED failed=1; \
	  list="$$list$$said  $$t, $$((($$(date +%s) - start) / 60)) min\n"; \
	done; printf "\n$$list"; [ ! "$$failed" ]

bench: all $(BENCH) ## measure speed; prints ratios
	@BUILD=$(BUILD) tests/bench/run

# An empty list may be null, plus 0: clang 14 reports that as an error, although C2y allows it.
fuzz: ## build the fuzzers (needs clang): build/fuzz/fuzz/fuzz_table -max_total_time=60 FOLDER
	@$(MAKE) --no-print-directory BUILD=build/fuzz CC=clang CFLAGS="-O1 -g" \
	  SANITIZE="-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize=pointer-overflow -fno-sanitize-recover=all" \
	  fuzzers

fuzzers: $(FUZZ)

fuzz-all: all fuzz ## every reader on any bytes, RUNS=1000000 times in all
	@BUILD=$(CURDIR)/build/fuzz ENDLAB=$(abspath $(BUILD)/endlab) tests/fuzz/run

layers: $(BUILD)/endlab ## check the walls between the rooms (tests/floors)
	@BUILD=$(BUILD) tests/layers

# Setting WRAP skips the long tests. Counting fails in root's tests that switch user, so errors are ignored.
cover: ## how much of each file the quick tests reach
	-WRAP=env $(MAKE) BUILD=build/cover CFLAGS="-O1 -g" SANITIZE=--coverage test
	@find build/cover/core build/cover/codecs build/cover/tui -name '*.o' -exec gcov -n {} + | \
	  sed -n "/^File '\(.*\.c\)'/{s//\1/;N;s/\(.*\)\nLines executed:\(.*\)/\2  \1/p}" | sort -n

# ---- installing ----

# The public headers in include/endlab.
HEADERS := engine codec status value
TO      := $(DESTDIR)$(PREFIX)
LIB_TO  := $(DESTDIR)$(LIBDIR)
SHARE   := $(TO)/share
FILE    := install -Dm644 /dev/stdin
PYTHON  ?= python3
# Where Python looks for modules; Debian's packages have their own folder.
PYTHON_TO = $(DESTDIR)$(if $(filter /usr,$(PREFIX)),/usr/lib/python3/dist-packages,$(shell $(PYTHON) -c \
            "import sys; print('$(PREFIX)/lib/python%d.%d/dist-packages' % sys.version_info[:2])" 2>/dev/null \
            || echo $(PREFIX)/lib/python3/dist-packages))

install: all install-library ## install under $(DESTDIR)$(PREFIX)
	install -Dm755 $(BUILD)/endlab $(TO)/bin/endlab
	for p in $(PAGES) tui/man/endlab.1; do install -Dm644 -t $(SHARE)/man/man$${p##*.} $$p || exit; done
	install -Dm644 tui/completion/endlab.bash $(SHARE)/bash-completion/completions/endlab
	install -Dm644 tui/completion/endlab.zsh $(SHARE)/zsh/site-functions/_endlab
	install -Dm644 tui/completion/endlab.fish $(SHARE)/fish/vendor_completions.d/endlab.fish

# The loader finds libraries in folders such as /usr/local/lib only after ldconfig.
install-library: $(LIBRARY) ## install the library for other programs alone
	install -Dm644 $(BUILD)/libendlab.so.$(VERSION) $(LIB_TO)/libendlab.so.$(VERSION)
	ln -sf libendlab.so.$(VERSION) $(LIB_TO)/libendlab.so.$(SOVERSION)
	ln -sf libendlab.so.$(SOVERSION) $(LIB_TO)/libendlab.so
	install -Dm644 $(BUILD)/libendlab.a $(LIB_TO)/libendlab.a
	install -Dm644 -t $(TO)/include/endlab $(HEADERS:%=include/endlab/%.h)
	printf '%s\n' 'prefix=$(PREFIX)' 'Name: endlab' 'Description: endgame tables: values, ranked moves, whole slices' \
	  'Version: $(VERSION)' 'Requires.private: $(LIBS_CORE)' 'Cflags: -I$${prefix}/include' \
	  'Libs: -L$(LIBDIR) -lendlab' 'Libs.private: -lgomp -lpthread -lm -ldl' | \
	  $(FILE) $(LIB_TO)/pkgconfig/endlab.pc
	install -Dm644 -t $(PYTHON_TO)/endlab include/python/endlab/__init__.py include/python/endlab/py.typed
	$(if $(DESTDIR)$(filter-out /usr/%,$(LIBDIR)),,PATH=$$PATH:/sbin:/usr/sbin ldconfig || true)

uninstall: ## remove what `install` put there
	rm -f $(TO)/bin/endlab $(LIB_TO)/libendlab.a $(LIB_TO)/libendlab.so* $(LIB_TO)/pkgconfig/endlab.pc \
	  $(HEADERS:%=$(TO)/include/endlab/%.h) $(PYTHON_TO)/endlab/__init__.py $(PYTHON_TO)/endlab/py.typed $(SHARE)/man/man1/endlab.1 \
	  $(foreach p,$(PAGES),$(SHARE)/man/man$(patsubst .%,%,$(suffix $(p)))/$(notdir $(p))) \
	  $(SHARE)/bash-completion/completions/endlab $(SHARE)/zsh/site-functions/_endlab \
	  $(SHARE)/fish/vendor_completions.d/endlab.fish
	-rmdir $(TO)/include/endlab $(PYTHON_TO)/endlab 2>/dev/null

# ---- Debian packages ----

# Built in a copy of the sources, with .debian renamed to debian, and without using this build.
DEB = $(abspath $(BUILD))/deb/endlab-$(VERSION)
deb: ## make Debian packages: build/deb/*.deb
	@command -v dpkg-buildpackage >/dev/null || { echo 'make deb: dpkg-dev is missing' >&2; exit 1; }
	@rm -rf $(BUILD)/deb && mkdir -p $(DEB) && cp -a .debian $(DEB)/debian && \
	  cp -a tui core codecs include tests samples Makefile README.md LICENSE $(DEB)
	@cd $(DEB) && missing=$$(LC_ALL=C dpkg-checkbuilddeps 2>&1) || { echo "make deb: missing:" \
	  "$${missing##*: } (apt-get build-dep $(DEB) installs them)" >&2; exit 1; }
	cd $(DEB) && env -u MAKEFLAGS -u MAKELEVEL DEB_BUILD_OPTIONS="$${DEB_BUILD_OPTIONS-noautodbgsym}" \
	  dpkg-buildpackage -us -uc -b

check-deb: ## make them, install them in a bare Debian, use them, remove them (root, debootstrap)
	@DEB=all $(call more,tests/cli/deb.sh)

clean: ## remove everything built
	rm -rf $(BUILD)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 20

# Skips the copy made by `deb` and the tree of `deps-cross`, which have folders with such names.
-include $(shell find $(BUILD) \( -path $(BUILD)/deb -o -path $(BUILD)/arm64 \) -prune -o -name '*.d' -print 2>/dev/null)
endif
