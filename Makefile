# SPDX-License-Identifier: GPL-3.0-or-later
# `make deps run` and `make deps test` are all a newcomer needs; `make help` lists the rest.

VERSION  := 0.1.0
BUILD    ?= build
PREFIX   ?= /usr/local
# GCC vector extensions stand for whatever registers the machine has; empty for the common ones.
ARCH     ?= native
CFLAGS   ?= -O3 -g
SANITIZE ?=

MAKEFLAGS += -j$(shell nproc)

PACKAGES := gcc make libc6-dev pkg-config libncurses-dev libreadline-dev libzstd-dev liblzma-dev \
            zlib1g-dev libcjson-dev libmicrohttpd-dev libcmocka-dev gaviotatb tmux \
            libfathom-dev fathom stockfish python3-numpy liblz4-dev libbrotli-dev curl

MARCH    := $(if $(ARCH),-march=$(ARCH))
# Vectors never leave their file, so that how a call would pass them on does not matter.
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wno-psabi
LIBS     := ncursesw readline libzstd liblzma zlib libcjson libmicrohttpd
COMPILE  := $(CC) -std=c17 -D_GNU_SOURCE -DEL_VERSION=\"$(VERSION)\" $(CFLAGS) $(MARCH) \
            $(WARNINGS) -fopenmp $(SANITIZE) -Iinclude -MMD -MP
LINK     := $(CC) $(CFLAGS) -fopenmp -rdynamic $(SANITIZE) $(LDFLAGS)
# Asked for when something is linked: `deps` may have installed them since make started.
LDLIBS    = $(shell pkg-config --libs $(LIBS)) -lpthread -lm -ldl
CMOCKA    = $(shell pkg-config --libs cmocka)

sources   = $(sort $(foreach d,$(1),$(wildcard $(d)/*.c $(d)/*/*.c $(d)/*/*/*.c)))
objects   = $(patsubst %.c,$(BUILD)/%.o,$(1))
LIB_SRC  := $(call sources,core codecs)
TUI_SRC  := $(call sources,tui)
UNIT     := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_*.c))
SUPPORT  := $(filter-out tests/unit/test_%,$(call sources,tests/unit))
BENCH    := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/bench_*.c))
# Codecs of their own: those to copy, and those that tests expect to be refused.
# Two of the former stand on libraries that nothing else needs: without them they are not built.
SAMPLE_LIBS_lz4    := liblz4
SAMPLE_LIBS_brotli := libbrotlienc libbrotlidec
has_libs  = $(if $(SAMPLE_LIBS_$(1)),$(shell pkg-config --exists $(SAMPLE_LIBS_$(1)) && echo $(1)),$(1))
SAMPLES   = $(foreach s,$(patsubst samples/codec/%.c,%,$(wildcard samples/codec/*.c)),\
              $(patsubst %,$(BUILD)/samples/%.so,$(call has_libs,$(s))))
PLUGINS  := $(patsubst tests/plugins/%.c,$(BUILD)/plugins/%.so,$(wildcard tests/plugins/*.c))
TRIAL    := $(BUILD)/trial/trial $(BUILD)/trial/endlab
FUZZ     := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_SUP := $(filter-out tests/fuzz/fuzz_%,$(call sources,tests/fuzz))

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-5s %s\n' $(1) $(2))

.PHONY: all deps run test truth load trial build-tests check-asan check-tsan check-valgrind bench fuzz fuzzers \
        layers cover install clean help FORCE
.SECONDARY:

all: $(BUILD)/endlab $(BUILD)/libendlab.a $(SAMPLES) ## build the program and the library

# Other flags compile everything anew. Nothing is compiled before `deps`, when both are asked for.
$(BUILD)/%.o: %.c $(BUILD)/flags | $(filter deps,$(MAKECMDGOALS))
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) $(if $(filter tests/%,$<),-I.) $(EXTRA) -c -o $@ $<

$(BUILD)/flags: FORCE
	@mkdir -p $(@D) && echo '$(COMPILE)' | cmp -s - $@ || echo '$(COMPILE)' >$@

# The lessons go into the program: one string a file.
LESSONS := $(wildcard samples/lessons/*.lesson) samples/lessons/README.md
$(BUILD)/lessons.inc: $(LESSONS)
	$(Q)mkdir -p $(@D) && for f in $^; do echo "{\"$${f##*/}\","; \
	  sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $$f; echo '},'; done >$@

# So do the positions: one a line, with the last column of its row in the README's tables, which come
# in the same order.
POSITIONS := samples/positions.txt samples/draughts.txt samples/morris.txt samples/awari.txt
$(BUILD)/samples.inc: $(POSITIONS) samples/README.md
	$(Q)mkdir -p $(@D) && awk -F ' [|] ' 'FILENAME ~ /txt$$/ {fen[++fens] = $$0; next} \
	  /^[|] [0-9]+ [|]/ {gsub(/`/, ""); gsub(/[\\"]/, "\\\\&"); sub(/ *[|] *$$/, ""); \
	    print "{\"" fen[++rows] "\", \"" $$4 "\"},"} \
	  END {exit fens != rows}' $^ >$@ || { rm $@; echo '$@: rows and positions differ' >&2; false; }

$(BUILD)/tui/text/lessons.o: $(BUILD)/lessons.inc
$(BUILD)/tui/text/samples.o: $(BUILD)/samples.inc
$(BUILD)/tui/text/lessons.o $(BUILD)/tui/text/samples.o: EXTRA = -I$(BUILD)

$(BUILD)/libendlab.a: $(call objects,$(LIB_SRC))
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/endlab: $(call objects,$(TUI_SRC)) $(BUILD)/libendlab.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# The program once more, with requests for memory that can be made to fail.
$(BUILD)/trial/endlab: $(call objects,$(TUI_SRC)) $(BUILD)/tests/trial/failing.o $(BUILD)/libendlab.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(LINK) -o $@ $^ $(LDLIBS) \
	  $$(nm $(BUILD)/tests/trial/failing.o | sed -n 's/.* T __wrap_/-Wl,--wrap=/p')

# What happens to both of them: nothing of it is linked into either.
TRIAL_SRC := $(filter-out %/failing.c,$(call sources,tests/trial))
$(BUILD)/trial/trial: $(call objects,$(TRIAL_SRC)) $(BUILD)/libendlab.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(LINK) -o $@ $^ $(LDLIBS)

define PLUGIN
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) -fPIC -shared $(LDFLAGS) -o $@ $< \
	  $(if $(SAMPLE_LIBS_$*),$$(pkg-config --libs $(SAMPLE_LIBS_$*)))
endef
$(BUILD)/samples/%.so: samples/codec/%.c $(BUILD)/flags | $(filter deps,$(MAKECMDGOALS))
	$(PLUGIN)

$(BUILD)/plugins/%.so: tests/plugins/%.c $(BUILD)/flags | $(filter deps,$(MAKECMDGOALS))
	$(PLUGIN)

# Tests may use the screens' code, so everything of tui but main joins the library.
TEST_SRC := $(SUPPORT) tests/bench/bench.c tests/bench/shelf.c $(filter-out tui/main.c,$(TUI_SRC))
$(BUILD)/libtest.a: $(call objects,$(TEST_SRC))
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/tests/%: $(BUILD)/tests/unit/%.o $(BUILD)/libtest.a $(BUILD)/libendlab.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(LINK) -o $@ $^ $(LDLIBS) $(CMOCKA)

$(BUILD)/bench/%: $(BUILD)/tests/bench/%.o $(BUILD)/libtest.a $(BUILD)/libendlab.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(LINK) -o $@ $^ $(LDLIBS) $(CMOCKA)

# Fathom's prober checks ours where it is installed. `deps` may have installed it since make started.
FATHOM = $(shell test ! -e /usr/include/tbprobe.h || echo -lfathom)
$(BUILD)/bench/bench_syzygy $(BUILD)/tests/test_syzygy: LDLIBS += $(FATHOM)
$(BUILD)/others/prove: $(BUILD)/tests/others/prove.o $(BUILD)/libendlab.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(LINK) -o $@ $^ $(LDLIBS) $(FATHOM)

# Clients of `endlab serve`; they stand on nothing of ours.
$(BUILD)/others/load: $(BUILD)/tests/others/load.o
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(LINK) -o $@ $^

$(BUILD)/fuzz/%: $(BUILD)/tests/fuzz/%.o $(call objects,$(FUZZ_SUP)) $(BUILD)/libendlab.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(LINK) -fsanitize=fuzzer -o $@ $^ $(LDLIBS)

SUDO = $(if $(filter 0,$(shell id -u)),,sudo)
deps: ## install what is needed to build, run and test (Debian)
	@missing=$$(for p in $(PACKAGES); do \
	  dpkg-query -Wf '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done); \
	[ -z "$$missing" ] || { $(SUDO) apt-get update -q && \
	  $(SUDO) env DEBIAN_FRONTEND=noninteractive \
	    apt-get install -qy --no-install-recommends $$missing; }

run: all ## build and open the explorer
	@exec $(BUILD)/endlab

test: build-tests ## build and run every test
	@BUILD=$(BUILD) tests/run

build-tests: all layers $(UNIT) $(PLUGINS) $(TRIAL) $(BUILD)/others/prove $(BUILD)/others/load

TRUTHS = KPvKP KRvKP KQvKP KNvKP KBNvK KQvKR KRvKN KBBvK
truth: build-tests ## every metric of 4-piece endings against brute force, of morris proved, boards of awari, tables of one side, Syzygy's against ours
	TRUTH="$(TRUTHS)" $(BUILD)/tests/test_truth_metrics
	TRUTH=all $(BUILD)/tests/test_metrics_hold
	TRUTH=all $(BUILD)/tests/test_merels
	TRUTH=all $(BUILD)/tests/test_morris_truth
	TRUTH=all $(BUILD)/tests/test_awele
	TRUTH=all $(BUILD)/tests/test_awari_truth
	TRUTH=all $(BUILD)/tests/test_side
	TRUTH=all $(BUILD)/tests/test_forms
	TRUTH=all $(BUILD)/tests/test_verify_all
	TRUTH=all $(BUILD)/tests/test_room
	TRUTH=all $(BUILD)/tests/test_syzygy
	TRUTH=all ENDLAB=$(abspath $(BUILD)/endlab) BUILD=$(abspath $(BUILD)) sh tests/cli/export_syzygy.sh

load: all $(BUILD)/others/load ## `endlab serve` with 1,000 connections and 100,000 requests
	LOAD=all ENDLAB=$(abspath $(BUILD)/endlab) BUILD=$(abspath $(BUILD)) sh tests/cli/serve.sh

SECONDS ?= 60
trial: all $(TRIAL) ## signals, damage, limits and failed allocations, for SECONDS=60
	@$(BUILD)/trial/trial --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

check-asan: ## the tests under the address and undefined-behaviour sanitizers
	$(MAKE) BUILD=build/asan CFLAGS="-O1 -g" \
	  SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=all" test

check-tsan: ## the tests under the thread sanitizer (needs clang and libomp-dev)
	TSAN_OPTIONS="ignore_noninstrumented_modules=1" \
	$(MAKE) BUILD=build/tsan CC=clang CFLAGS="-O1 -g" SANITIZE="-fsanitize=thread" test

check-valgrind: ## the quick tests under valgrind
	WRAP="valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
	  --errors-for-leak-kinds=definite" \
	$(MAKE) BUILD=build/valgrind ARCH= test

bench: all $(BENCH) ## measure speed; prints ratios
	@BUILD=$(BUILD) tests/bench/run

fuzz: ## build the fuzzers (needs clang): build/fuzz/fuzz/fuzz_table -max_total_time=60 FOLDER
	@$(MAKE) --no-print-directory BUILD=build/fuzz CC=clang CFLAGS="-O1 -g" \
	  SANITIZE="-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all" fuzzers

fuzzers: $(FUZZ)

layers: ## check that no layer reaches over another
	@tests/layers

# WRAP leaves the long tests out. Where root's tests become another user, counting fails: go on.
cover: ## how much of each file the quick tests reach
	-WRAP=env $(MAKE) BUILD=build/cover CFLAGS="-O1 -g" SANITIZE=--coverage test
	@find build/cover/core build/cover/codecs build/cover/tui -name '*.o' -exec gcov -n {} + | \
	  sed -n "/^File '\(.*\.c\)'/{s//\1/;N;s/\(.*\)\nLines executed:\(.*\)/\2  \1/p}" | sort -n

SHARE = $(DESTDIR)$(PREFIX)/share
FILE  = install -Dm644 /dev/stdin
install: all ## install under $(DESTDIR)$(PREFIX)
	install -Dm755 $(BUILD)/endlab $(DESTDIR)$(PREFIX)/bin/endlab
	install -Dm644 $(BUILD)/libendlab.a $(DESTDIR)$(PREFIX)/lib/libendlab.a
	install -Dm644 -t $(DESTDIR)$(PREFIX)/include/endlab include/endlab/*.h
	$(BUILD)/endlab --man | $(FILE) $(SHARE)/man/man1/endlab.1
	$(BUILD)/endlab --completion bash | $(FILE) $(SHARE)/bash-completion/completions/endlab
	$(BUILD)/endlab --completion zsh | $(FILE) $(SHARE)/zsh/site-functions/_endlab
	$(BUILD)/endlab --completion fish | $(FILE) $(SHARE)/fish/vendor_completions.d/endlab.fish

clean: ## remove everything built
	rm -rf $(BUILD)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 20

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
