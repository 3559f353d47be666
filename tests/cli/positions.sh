#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every kind of wrong position and slice: the program names the fault and exits with status 1.
. "$(dirname "$0")/common"

bad() { # bad NAME PATTERN FEN
	refuses "$1" 1 "$2" endlab probe "$3"
}
K='8/8/8/8/8/2k5/8/K6Q'
bad 'empty' '.' ''
bad 'blanks' '.' '   '
bad 'no fields' 'field' '8/8/8/8/8/2k5/8/K6Q'
bad 'too few fields' 'field' "$K w"
bad 'too many fields' 'field' "$K w - - 0 1 2"
bad 'seven ranks' '7 ranks' '8/8/8/8/8/2k5/K6Q w - - 0 1'
bad 'nine ranks' '9 ranks' '8/8/8/8/8/8/8/2k5/K6Q w - - 0 1'
bad 'a short rank' '7 squares' '8/8/8/8/8/2k4/8/K6Q w - - 0 1'
bad 'a long rank' '9 squares' '8/8/8/8/8/2k6/8/K6Q w - - 0 1'
bad 'two numbers in a row' 'two numbers' '8/8/8/8/8/2k23/8/K6Q w - - 0 1'
bad 'an unknown piece' "'X'" '8/8/8/8/8/2k5/8/K6X w - - 0 1'
bad 'a nine' "'9'" '9/8/8/8/8/2k5/8/K6Q w - - 0 1'
bad 'no white king' 'king' '8/8/8/8/8/2k5/8/7Q w - - 0 1'
bad 'no black king' 'king' '8/8/8/8/8/8/8/K6Q w - - 0 1'
bad 'two white kings' 'king' '8/8/8/8/8/2k5/8/K5KQ w - - 0 1'
bad 'kings side by side' '.' '8/8/8/8/8/8/1k6/K6Q w - - 0 1'
bad 'the side not to move is in check' 'check' '8/8/8/8/8/2k4Q/8/K7 w - - 0 1'
bad 'a pawn on the first rank' 'pawn' '8/8/8/8/8/2k5/8/K6P w - - 0 1'
bad 'a pawn on the last rank' 'pawn' '7P/8/8/8/8/2k5/8/K7 w - - 0 1'
bad 'no side' "'w' or 'b'" "$K x - - 0 1"
bad 'castling without its rook' 'castling Q: White has no rook on a1' '4k3/8/8/8/8/8/8/4K2R w KQ - 0 1'
bad 'castling nonsense' 'castling' "$K w QZ - 0 1"
bad 'en passant off its rank' 'en passant|rank 6' '8/8/8/8/8/2k5/8/K6Q w - e4 0 1'
bad 'en passant without pawns' 'en passant' "$K w - e6 0 1"
bad 'a negative clock' 'halfmove' "$K w - - -1 1"
bad 'a clock of letters' 'halfmove' "$K w - - x 1"
bad 'move zero' 'move number' "$K w - - 0 0"
bad 'a huge number' 'move number' "$K w - - 0 99999999999999999999"
bad 'control characters' '.' "$(printf '8/8/8/8/8/2k5/8/K6Q\001 w - - 0 1')"
bad 'bytes beyond ASCII' '.' "$(printf '8/8/8/8/8/2k5/8/K6\303\204 w - - 0 1')"
bad 'a very long one' '.' "$(printf '%05000d' 1)"

slice() { # slice NAME PATTERN SLICE
	refuses "slice: $1" 1 "$2" endlab stats "$3"
}
slice 'an unknown piece' 'X' KXvK
slice 'no king' 'king' QvR
slice 'one king' 'king' KQ
slice 'three kings' 'king' KKvK
slice 'lower case' '.' kqvk
slice 'nothing to name' '.' ''
slice 'two separators' '.' KQvKvR
slice 'too many pieces' '7' KQQQQQvKRRRR
slice 'bare kings' '.' KvK
refuses 'slice: build of an unknown piece' 1 X endlab build KXvK
refuses 'slice: too many pieces to build' 1 '7' endlab build KQQQvKRRR

refuses 'line: no position' 1 'not a position' endlab line 'nonsense'
refuses 'line: no table' 1 'KQvK' endlab line "$K w - - 0 1"
refuses 'stats: no table' 1 'KQvK' endlab stats KQvK
refuses 'verify: no table' 1 'KQvK' endlab verify KQvK
answers 'probe: no table' 1 'KQvK' endlab probe "$K w - - 0 1"
answers 'probe: bare kings need none' 0 'draw' endlab probe '8/8/8/8/8/2k5/8/K7 w - - 0 1'
answers 'probe: more pieces than tables have' 1 unknown \
	endlab probe 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
answers 'probe: castling rights' 1 'tables do not cover castling; .* in place of Kq' \
	endlab probe 'r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1'
refuses 'line: castling rights' 1 'tables do not cover castling' \
	endlab line 'r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1'
run endlab probe $K w - - 0 1 nonsense "$K b - - 0 1"
[ "$status" -eq 1 ] && [ "$(grep -c "^$K b - - 0 1" "$T/out")" -eq 1 ] && [ "$(wc -l <"$T/err")" -eq 1 ] &&
	[ "$(grep -c "^$K w - - 0 1" "$T/out")" -eq 1 ]
verdict 'probe: a FEN without quotes is one position'
