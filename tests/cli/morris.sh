#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Nine Men's Morris on the command line: groups by the men of the larger side, positions in two notations, and
# one line for whatever is impossible.
. "$(dirname "$0")/common"
LONGEST='W:Wa7,g4,g7:Bd1,d7,g1' EMPTY='W:W+9:B+9'

# ---- slices and groups ----
run endlab build morris:3-4
[ "$status" -eq 0 ] && [ "$(grep -o 'morris:[0-9]v[0-9] dtw' "$T/out" | tr '\n' ' ')" = \
	'morris:3v3 dtw morris:4v3 dtw morris:4v4 dtw ' ]
verdict 'build: groups of slices, by the men of the larger side'
answers 'build: the fewer men first' 0 'nothing to build' endlab build morris:3v4
run endlab verify morris:3v3
[ "$status" -eq 0 ] && grep -q '^morris:3v3 dtw  *169,626 positions all right' "$T/out"
verdict 'verify: as many positions as were published'
run endlab stats morris:3v3 --json
[ "$status" -eq 0 ] && [ "$(json game)" = morris ] &&
	grep -q '"white_to_move":{"legal":2691920,"win":2232160,"draw":4112,"loss":455648,"unique":169626,' \
		"$T/out" && grep -q '"dtw":{"win":{"plies":25,.*"loss":{"plies":26,' "$T/out"
verdict 'stats: three men against three'

# ---- positions ----
answers 'probe in words' 0 '^  win in 25 plies \(13 moves\)$' endlab probe "$LONGEST"
run endlab probe --tsv "$LONGEST" 'O@@*****/*O@*****/**O***** w m s 3 0 3 0 0 0 -1 -1 -1 -1 0 0 1 ids:nodes'
[ "$status" -eq 0 ] && sed -n 2p "$T/out" | grep -q "^$LONGEST${TAB}win${TAB}-${TAB}-${TAB}-${TAB}25${TAB}" &&
	sed -n 3p "$T/out" | grep -q "nodes${TAB}loss${TAB}-${TAB}-${TAB}-${TAB}20${TAB}"
verdict 'probe: either notation'
printf '%s\nW:Wa1,d1:Ba7\n%s\n' "$LONGEST" "$EMPTY" >"$T/lines"
endlab probe --stdin <"$T/lines" >"$T/out" 2>"$T/err"
[ $? -eq 1 ] && sed -n 2p "$T/out" | grep -q "${TAB}win${TAB}" &&
	sed -n 3p "$T/out" | grep -q "^W:Wa1,d1:Ba7${TAB}error${TAB}Black has 1 man, expected 3 to 9$" &&
	sed -n 4p "$T/out" | grep -q "^$EMPTY${TAB}unknown${TAB}"
verdict 'probe --stdin: a bad line is answered and passed; a table that is not built'
endlab line "$LONGEST" --pgn >"$T/line.pgn" 2>"$T/err" &&
	run endlab annotate "$T/line.pgn" && [ "$status" -eq 0 ] &&
	grep -q '^1\. g7-a1 .*only move to keep the win in 25 plies (13 moves)' "$T/out" &&
	tr '\n' ' ' <"$T/out" | grep -q '13\. d2-c3xc5 {\[%endlab\] kept the win in 1 ply (1 move)} 1-0'
verdict 'a line is a game, which is read again'

# ---- bad input: one line each ----
bad() { # bad NAME STATUS PATTERN COMMAND...
	name=$1 code=$2 why=$3
	shift 3
	refuses "$name" "$code" "$why" endlab "$@"
}
bad 'too few men' 1 'White has 2 men, expected 3 to 9$' probe 'B:Wa1,d1:Ba7,d7,g4'
run endlab probe --tsv 'B:Wa1,d1,g1,a4:Ba7,d7'
[ "$status" -eq 0 ] && sed -n 2p "$T/out" | cut -f 2,6 | grep -qx "loss${TAB}0"
verdict 'two men are left: lost in 0'
answers 'in words' 0 '^Black has 2 men left: lost$' endlab probe 'B:Wa1,d1,g1,a4:Ba7,d7'
bad 'too many' 1 'Black has 10 men, expected 3 to 9$' probe 'W:Wa1,d1,g1:Ba4,a7,b2,b4,b6,c3,c4,c5,d2,d3'
bad 'no such point' 1 "expected a point such as a1 or d7, found 'd4'$" probe 'W:Wa1,d1,d4:Ba7,d7,g4'
bad 'two men on a point' 1 'two men are on g1$' probe 'W:Wa1,d1,g1:Ba7,d7,g1'
bad 'hands that do not fit' 1 'White has 7 men in hand and is to move, expected 9 or 10: Black has 9' \
	probe 'W:W+7:B+9'
bad 'ten men on a side' 1 'morris:10v3: 10 men on one side, expected 3 to 9$' build morris:10v3
bad 'two men on a side' 1 'morris:2v3: 2 men on one side, expected 3 to 9$' stats morris:2v3
bad 'a slice of no form' 1 "'morris:x' is not a slice: expected a name such as morris:5v3$" verify morris:x
bad 'a group of no slice' 2 "group 'morris:10': expected 3 to 9 men on the side with more of them$" \
	build morris:10
bad 'a metric of chess' 2 'morris:3v3: dtm is a metric of chess alone$' build morris:3v3 --metric dtm
bad 'another' 2 'dtz is a metric of chess alone$' stats morris:3v3 --metric dtz
bad 'a metric that chess has not' 2 'KRvK: dtw is a metric of checkers and morris alone$' \
	build KRvK --metric dtw
bad 'no table' 1 "no table of morris:5v4 in .*'endlab build morris:5v4'" stats morris:5v4
bad 'the whole game is not built' 1 'morris:0v0\+9\+9 is not built; looked in ' line "$EMPTY"

# ---- men in hand ----
run endlab build morris:3+
[ "$status" -eq 0 ] && [ "$(grep -o 'morris:[0-9]v[0-9]+[0-9]+[0-9] dtw' "$T/out" | tr '\n' ' ')" = \
	'morris:3v2+0+1 dtw morris:2v2+1+1 dtw morris:2v1+1+2 dtw morris:1v1+2+2 dtw morris:1v0+2+3 dtw morris:0v0+3+3 dtw ' ]
verdict 'build: a group with men in hand'
run endlab verify morris:3+
[ "$status" -eq 0 ] && grep -q '^7 tables' "$T/out"
verdict 'verify: positions with men in hand'
answers 'probe: men in hand' 0 '^morris:1v1\+2\+2  White to move wins$' endlab probe 'W:Wa1+2:Bd1+2'
answers 'probe: colours exchanged' 0 '^morris:2v1\+1\+2  White to move wins$' endlab probe 'W:Wa1+2:Bd1,g1+1'
answers 'stats: men are placed in turn' 0 'legal  *0  unique 0' endlab stats morris:2v1+1+2
bad 'hands of no turn' 1 '1 and 3 men in hand, expected a difference of at most 1: they are placed in turn$' \
	build morris:3v3+1+3
bad 'no men in hand in chess' 1 "'3\+' is not a slice: expected a name such as KQvKR$" build 3+
