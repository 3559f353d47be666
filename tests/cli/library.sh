#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The library as other programs see it: installed under a scratch DESTDIR, its headers in every standard of C
# and C++, its symbols, C, C++ and Python programs that link it, and what remains after uninstalling.
. "$(dirname "$0")/common"
here=$(cd "$(dirname "$0")/../.." && pwd)
: "${BUILD:?where the library was built}"
root="$T/root"
prefix=/usr/local # as the library was built: nothing may be compiled anew while other tests run
lib="$root$prefix/lib"
export PKG_CONFIG_PATH="$lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root" LD_LIBRARY_PATH="$lib"
export ENDLAB_LIBRARY="$lib/libendlab.so.1" PYTHONDONTWRITEBYTECODE=1

# A library with sanitizers, or under valgrind, is not one to link with.
if [ -n "${WRAP:-}" ] || nm -D "$BUILD/endlab" 2>/dev/null | grep -q '__[at]san_'; then
	skip 'the library was built for another purpose'
	exit 0
fi
# MAKEFLAGS has the flags of `make test`.
hand() { make -C "$here" --no-print-directory BUILD="$BUILD" PREFIX=$prefix DESTDIR="$root" "$1"; }

touch "$T/before"
run hand install
[ "$status" -eq 0 ] && [ -z "$(find "$BUILD" -newer "$T/before" -name '*.o')" ]
verdict 'installs, and compiles nothing for it'
find "$root" ! -type d | sort | sed "s,^$root$prefix/,," >"$T/files"
for file in bin/endlab lib/libendlab.so lib/libendlab.so.1 lib/libendlab.a lib/pkgconfig/endlab.pc \
	share/man/man1/endlab.1; do
	grep -qx "$file" "$T/files"
	verdict "has $file"
done
[ "$(grep '^include' "$T/files" | tr '\n' ' ')" = "include/endlab/codec.h include/endlab/engine.h include/endlab/status.h include/endlab/value.h " ]
verdict 'has the headers that are for others, and no more'

# ---- symbols ----

nm -D --defined-only "$lib/libendlab.so.1" | sed -n 's/^[0-9a-f]* [^A ] \([^@]*\).*/\1/p' | sort >"$T/out"
cmp -s "$T/out" "$here/tests/others/symbols" || diff "$here/tests/others/symbols" "$T/out" >"$T/err"
verdict 'exports what the list says (a name that goes, or changes its meaning, needs another SOVERSION)'
nm -g --defined-only "$lib/libendlab.a" | sed -n 's/^[0-9a-f]* [A-Z] //p' | sort | cmp -s - "$T/out"
verdict 'the archive shows the same'
readelf -d "$lib/libendlab.so.1" | grep -q 'SONAME.*\[libendlab.so.1\]'
verdict 'has its soname'
! readelf -d "$lib/libendlab.so.1" | grep -qE 'R(UN)?PATH|TEXTREL'
verdict 'has no run path and no text relocation'

# ---- headers ----

each() { # each COMPILER LANGUAGE STANDARD...: every header by itself
	compiler=$1 language=$2
	shift 2
	command -v "$compiler" >/dev/null || { skip "$compiler is not there"; return; }
	for standard; do
		for header in codec engine status value; do
			echo "#include <endlab/$header.h>" | "$compiler" -x "$language" -std="$standard" -Wall \
				-Wextra -Wpedantic -Werror -fsyntax-only -I"$root$prefix/include" - || echo $header
		done >"$T/out" 2>"$T/err"
		[ ! -s "$T/out" ]
		verdict "headers are clean in $standard"
	done
}
each gcc c c99 c11 c17
each g++ c++ c++11 c++14 c++17 c++20

# ---- programs ----

endlab build KQvKR --metric dtz50,dtm >/dev/null 2>&1
sample() { # sample NAME COMPILER FLAGS...
	name=$1
	shift
	run "$@" -Wall -Wextra -Wpedantic -Werror -o "$T/$name"
	[ "$status" -eq 0 ] && run "$T/$name" "$ENDLAB_DIR"
	[ "$status" -eq 0 ]
}
flags=$(pkg-config --cflags --libs endlab)
# shellcheck disable=SC2086
sample c gcc -std=c99 "$here/samples/engine/probe.c" $flags && grep -q '^under the 50-move rule: win' "$T/out" &&
	grep -qE '^b1(b2|c1) +win +rank 2000' "$T/out"
verdict 'a C program probes'
static=$(pkg-config --static --cflags --libs endlab | sed 's/-lendlab/-l:libendlab.a/')
# shellcheck disable=SC2086
sample static gcc -std=c99 "$here/samples/engine/probe.c" $static && ! ldd "$T/static" | grep -q libendlab &&
	grep -q '^under the 50-move rule: win' "$T/out"
verdict 'another one by the archive'
cat >"$T/clash.c" <<'EOF'
#include <endlab/engine.h>
#include <stdio.h>
int choose(int a) { return a; }
int find(void) { return 1; }
int lex(void) { return 2; }
int main(void) { printf("%s %d\n", el_version(), choose(find() + lex())); return 0; }
EOF
# shellcheck disable=SC2086
sample clash gcc "$T/clash.c" $static && grep -q ' 3$' "$T/out"
verdict 'names of a program do not clash with those inside'
if command -v g++ >/dev/null; then
	# shellcheck disable=SC2086
	sample c++ g++ -std=c++11 -Wshadow -pthread "$here/samples/engine/probe.cpp" $flags &&
		grep -qx 'up to 4 pieces; White wins 8 of 8' "$T/out"
	verdict 'a C++ program probes, with two threads'
else
	skip 'g++ is not there'
fi
# The page's own command, where the library is in no folder of the linker's.
sed 's/\\e/\\/g' "$here/tui/man/endlab-codec.7" >"$T/page"
awk '/^\/\* [a-z]*\.c/ { file = $2 } /^\.Ed/ { file = "" } file { print >dir "/" file }' dir="$T" "$T/page"
sed -n '/^cc -g/,/^\.Ed/{/^\.Ed/!p}' "$T/page" >"$T/damage.sh"
# shellcheck disable=SC2016
answers 'a codec is damaged as endlab-codec(7) says' 0 'all refused, or harmless' \
	sh -c 'cd "$1" && . ./damage.sh' - "$T"

# ---- Python ----

python=/usr/bin/python3 # Debian's
if [ -x $python ]; then
	PYTHONPATH=$(dirname "$(dirname "$(find "$root" -name __init__.py)")")
	export PYTHONPATH
	mkdir "$T/other"
	run $python "$here/tests/others/library.py" "$ENDLAB" "$ENDLAB_DIR" "$BUILD/samples/pages.so"
	cat "$T/out"
	[ "$status" -eq 0 ]
	verdict 'Python'
	# A wheel has the module and the library, and finds one beside the other.
	mkdir "$T/wheel" && run env -u MAKEFLAGS -u MAKELEVEL PYTHONPATH="$here/include/python" $python -c \
		"import wheel_of_endlab, zipfile; zipfile.ZipFile('$T/wheel/' + wheel_of_endlab.build_wheel('$T/wheel')).extractall('$T/wheel')"
	run env -u ENDLAB_LIBRARY -u LD_LIBRARY_PATH PYTHONPATH="$T/wheel" $python -c 'import endlab; print(endlab._library._name)'
	[ "$status" -eq 0 ] && grep -q "^$T/wheel/endlab/libendlab.so.1" "$T/out"
	verdict 'a wheel for pip'
	run env -u LD_LIBRARY_PATH ENDLAB_LIBRARY=/nowhere/lib.so $python -c 'import endlab'
	[ "$status" -eq 1 ] && grep -q '/nowhere/lib.so' "$T/err"
	verdict 'Python without the library says where it looked'
else
	skip 'no python3'
fi

# ---- Fathom's place in an engine ----

syzygy=${ENDLAB_SYZYGY:-$here/../shared/data/syzygy}
if [ -e /usr/include/tbprobe.h ]; then
	# shellcheck disable=SC2086
	gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -o "$T/ours" "$here/tests/others/fathom.c" \
		"$here/samples/engine/tbprobe.c" $flags && gcc -o "$T/fathom" "$here/tests/others/fathom.c" -lfathom
	verdict "Fathom's functions are there under its names"
else
	skip 'Fathom is not there'
fi
if [ -e "$T/fathom" ] && [ -x $python ] && [ -d "$syzygy" ]; then
	$python "$here/tests/others/positions.py" 3000 KQvK KPvK KBNvK KRvKN KPvKP KRPvK KNNvK KQvKR >"$T/fens"
	"$T/fathom" "$syzygy" <"$T/fens" >"$T/theirs" 2>/dev/null
	ENDLAB_TRACE=$T/trace "$T/ours" "$syzygy" <"$T/fens" >"$T/out"
	[ "$(wc -l <"$T/out")" -eq 3001 ] && cmp "$T/out" "$T/theirs"
	verdict 'and answer the same of the same tables'
	cut -d' ' -f1-4 "$T/fens" >"$T/asked"
	cut -d' ' -f1-4 "$T/trace" | cmp - "$T/asked"
	verdict 'and write what was asked as a trace for the lab'
	! "$T/ours" /nowhere/at/all </dev/null
	verdict 'no folder, no tables: tb_init says so'
else
	skip 'no Syzygy tables, Fathom or Python: nothing to compare with'
fi

# ---- and away again ----

run hand uninstall
[ "$status" -eq 0 ] && [ -z "$(find "$root" ! -type d)" ]
verdict 'nothing is left behind'
find "$root" ! -type d
