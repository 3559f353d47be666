#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The walls hold: the check finds an include or a symbol that crosses one.
. "$(dirname "$0")/common"
mkdir "$T/tests" "$T/bin"
# The form of sources is checked before any test, and takes longer than all else.
printf '#!/bin/sh\necho none\n' >"$T/bin/clang-format"
chmod +x "$T/bin/clang-format"
PATH=$T/bin:$PATH
cp tests/layers tests/floors "$T/tests"
cp -r core codecs tui include "$T"
mkdir "$T/samples"
cp samples/developers.md "$T/samples"
export BUILD="$T/build"
mkdir -p "$BUILD/core/solve"
echo 'int el_library_open(void); int el_library_open(void) { return 0; }' |
	${CC:-gcc} -x c -c -o "$T/library.o" -
mkdir -p "$BUILD/core/library"
cp "$T/library.o" "$BUILD/core/library/library.o"

# through WALL FILE INCLUDE: adding the include gives one error there
through() {
	cp "$T/$2" "$T/kept"
	printf '#include "%s"\n' "$3" >>"$T/$2"
	run "$T/tests/layers"
	[ "$status" -eq 1 ] && grep -qF "$2: #include \"$3\"" "$T/err"
	verdict "$1"
	mv "$T/kept" "$T/$2"
}

run "$T/tests/layers"
[ "$status" -eq 0 ]
verdict 'the house as it stands is sound'
through 'the solver does not include the library' core/solve/fixpoint.c core/library/library.h
through 'a codec does not include the lab' codecs/rle.c core/lab/lab.h
through 'the shell does not include films' tui/shell/shell.c core/film/film.h
through 'a game does not include another' core/games/chess/chess.c core/games/morris/board.h
sed -i '/^  probe\/ /d' "$T/samples/developers.md"
run "$T/tests/layers"
[ "$status" -eq 1 ] && grep -q '^  core/probe$' "$T/err"
verdict 'a room is missing from the list that developers read'
cp samples/developers.md "$T/samples"
through_front=tui/shell/shell.c
cp "$T/$through_front" "$T/kept"
echo '#include "core/library/catalogue.h"' >>"$T/$through_front"
run "$T/tests/layers"
[ "$status" -eq 1 ] && grep -q 'not what it is made of' "$T/err"
verdict 'the program does not include what a room is made of'
mv "$T/kept" "$T/$through_front"
cp "$T/codecs/rle.c" "$T/kept"
echo 'double a(double x) { return log2(x); }' >>"$T/codecs/rle.c"
run "$T/tests/layers"
[ "$status" -eq 1 ] && grep -q 'codecs/rle.c:[0-9]*: log2(' "$T/err"
verdict 'a codec computes nothing that C libraries round differently'
mv "$T/kept" "$T/codecs/rle.c"
echo 'int el_library_open(void); int a(void) { return el_library_open(); }' |
	${CC:-gcc} -x c -c -o "$BUILD/core/solve/fixpoint.o" -
run "$T/tests/layers"
[ "$status" -eq 1 ] && grep -q 'core/solve/fixpoint.c: el_library_open() of core/library/library.c' "$T/err"
verdict 'the solver does not call the library, whatever it includes'
