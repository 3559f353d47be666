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
bad 'castling nonsense' 'castling' "$K w QZ - 0 1"
bad 'en passant nonsense' 'en passant' "$K w - e9 0 1"
bad 'a negative clock' 'halfmove' "$K w - - -1 1"
bad 'a clock of letters' 'halfmove' "$K w - - x 1"
bad 'moves behind a position' 'not played' "position fen $K w - - 0 1 moves a1a2"
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
slice 'too many pieces' 'at most 8' KQQQQQvKRRRR
slice 'bare kings' '.' KvK
refuses 'slice: build of an unknown piece' 1 X endlab build KXvK
refuses 'slice: too many pieces to build' 1 'at most 8' endlab build KQQQQvKRRR

refuses 'line: no position' 1 'not a position' endlab line 'nonsense'
refuses 'line: no table' 1 'KQvK' endlab line "$K w - - 0 1"
refuses 'stats: no table' 1 'KQvK' endlab stats KQvK
refuses 'verify: no table' 1 'KQvK' endlab verify KQvK
answers 'probe: no table' 1 'KQvK' endlab probe "$K w - - 0 1"
answers 'probe: bare kings need none' 0 'draw' endlab probe '8/8/8/8/8/2k5/8/K7 w - - 0 1'
answers 'probe: more pieces than tables have' 1 unknown \
	endlab probe 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
answers 'probe: castling rights' 1 'KRvKR.castling is not built; looked in ' \
	endlab probe 'r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1'
refuses 'line: castling rights' 1 'KRvKR.castling is not built' \
	endlab line 'r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1'
run endlab probe $K w - - 0 1 nonsense "$K b - - 0 1"
[ "$status" -eq 1 ] && [ "$(grep -c "^$K b - - 0 1" "$T/out")" -eq 1 ] && [ "$(wc -l <"$T/err")" -eq 1 ] &&
	[ "$(grep -c "^$K w - - 0 1" "$T/out")" -eq 1 ]
verdict 'probe: a FEN without quotes is one position'

# ---- forms of a FEN that other programs write, and what cannot be: the answer and a note ----
same() { # same NAME FEN: without a note
	run endlab probe --json "$2"
	[ ! -s "$T/err" ] || [ "$(grep -vc 'positions* unknown' "$T/err")" -eq 0 ] && grep -q '"san":"Qh8+"' "$T/out"
	verdict "$1"
}
same 'two fields' "$K w"
same 'three fields' "$K w -"
same 'dashes for numbers' "$K w - - - -"
same 'move zero' "$K w - - 0 0"
same 'a clock past any rule' "$K w - - 150 200"
same 'a semicolon' "$K w - - 0 1;"
same 'underscores' "${K}_w_-_-_0_1"
same 'as UCI sets it' "position fen $K w - - 0 1"
run endlab probe position fen $K w - - 0 1 "$K w - - 1 1"
[ "$(grep -c "^$K w - - [01] 1$" "$T/out")" -eq 2 ]
verdict 'the same without quotes'
noted() { # noted NAME FEN READ NOTE
	run endlab probe --tsv "$2"
	[ "$(wc -l <"$T/out")" -eq 2 ] && [ "$(sed -n 2p "$T/out" | cut -f1)" = "$3" ] &&
		grep -qF "endlab: $2: $4" "$T/err"
	verdict "$1"
}
noted 'castling without its rook' '4k3/8/8/8/8/8/8/4K2R w KQ - 0 1' '4k3/8/8/8/8/8/8/4K2R w K - 0 1' \
	'castling Q left out: White has no rook on a1 to d1'
noted 'castling without kings' "$K w KQkq - 0 1" "$K w - - 0 1" 'castling KQkq left out: White has no king on b1 to g1'
noted 'en passant off its rank' "$K w - e4 0 1" "$K w - - 0 1" 'en passant left out: expected a square on rank 6'
noted 'en passant without pawns' "$K w - e6 0 1" "$K w - - 0 1" 'en passant left out: no black pawn'
noted 'no side' "$K" "$K w - - 0 1" 'White to move, since no side is given'
answers 'Shredder-FEN' 1 '^4k3/8/8/8/8/8/8/1R2K2R w HB - 0 1$' endlab probe '4k3/8/8/8/8/8/8/1R2K2R w HB - 0 1'
printf '%s\n' "$K w KQ e3 0 1" "$K w - - 0 1" | endlab probe --stdin >"$T/out" 2>"$T/err"
[ "$(wc -l <"$T/out")" -eq 3 ] && [ "$(awk -F "$TAB" '{ print NF }' "$T/out" | sort -u)" = 11 ] && grep -q 'left out' "$T/err"
verdict 'notes stay out of the table'
