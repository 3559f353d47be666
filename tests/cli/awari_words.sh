#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Awari on the command line: messages about boards, layers, groups and metrics that do not exist, and about
# moves.
. "$(dirname "$0")/common"
endlab build awari:0-6 >"$T/out" 2>"$T/err"

# ---- bad input: one line each ----
bad() { # bad NAME STATUS PATTERN COMMAND...
	name=$1 code=$2 why=$3
	shift 3
	refuses "$name" "$code" "$why" endlab "$@"
}
bad 'too few pits' 1 "character 24: expected '-', found the end$" probe 4-4-4-4-4-4-4-4-4-4-4-4
bad 'no stores' 1 "character 25: expected the stones in South's store, up to 48, found 'S'$" \
	probe 4-4-4-4-4-4-4-4-4-4-4-4-S
bad 'too many pits' 1 "character 29: expected the side to move, 'S' or 'N', found 0$" \
	probe 4-4-4-4-4-4-4-4-4-4-4-4-0-0-0-S
bad 'too many stones' 1 '49 stones on the board and 0 in the stores, expected at most 48 in all$' \
	probe 4-4-4-4-4-4-4-4-4-4-4-5-0-0-S
bad 'too many in the stores' 1 '1 stone on the board and 48 in the stores, expected at most 48 in all$' \
	probe 1-0-0-0-0-0-0-0-0-0-0-0-24-24-S
bad 'too many in a pit' 1 'character 1: expected the stones in pit A, up to 48, found 49$' \
	probe 49-0-0-0-0-0-0-0-0-0-0-0-0-0-S
bad 'a letter in a pit' 1 "character 15: expected the stones in pit b, up to 48, found 'x'$" \
	probe 4-4-4-4-4-4-4-x-4-4-4-4-0-0-S
bad 'no side to move' 1 "character 29: expected the side to move, 'S' or 'N', found the end$" \
	line 4-4-4-4-4-4-4-4-4-4-4-4-0-0-
bad 'a small letter' 1 "character 29: expected the side to move, 'S' or 'N', found 's'$" \
	line 4-4-4-4-4-4-4-4-4-4-4-4-0-0-s
bad 'something behind it' 1 "character 31: expected the end, found 'x'$" line '4-4-4-4-4-4-4-4-4-4-4-4-0-0-S x'
bad 'no position' 1 "is not a position: expected a FEN such as .* or 0-0-2-1-0-1-0-3-0-1-2-0-20-18-S$" \
	probe x-4-4-4-4-4-4-4-4-4-4-4-0-0-S
bad 'more stones than there are' 1 'awari:49: 49 stones, expected at most 48$' stats awari:49
bad 'no number' 1 "'awari:1x' is not a slice: expected a name such as awari:12$" build awari:1x
bad 'nothing' 1 "'awari:' is not a slice: expected a name such as awari:12$" verify awari:
bad 'less than nothing' 1 "'awari:-1' is not a slice: expected a name such as awari:12$" build awari:-1
bad 'two sides' 1 "'awari:5v3' is not a slice: .*; a slice of morris is written morris:5v3$" build awari:5v3
bad 'a group beyond' 2 "group 'awari:40-49': expected 0 to 48 stones on the board$" plan awari:40-49
bad 'a group the wrong way round' 2 "group 'awari:5-3': expected the smaller number first$" build awari:5-3
bad 'a metric of chess' 2 'awari:5: dtm is a metric of chess alone$' build awari:5 --metric dtm
bad 'one of three games' 2 'wdl is a metric of chess, checkers and morris alone$' stats awari:5 --metric wdl
bad 'a metric of stones for chess' 2 'KRvK: score is a metric of awari and oware alone$' build KRvK --metric score
bad 'no bounds' 2 'awari:5: no partial table, which holds outcomes: wdl is a metric of chess, checkers and morris alone$' \
	build awari:5 --partial
bad 'no order of pieces' 2 "order 'KQ': expected index, best or smallest$" build awari:5 --order KQ
bad 'no table' 1 "no table of awari:7 in .*'endlab build awari:7'" stats awari:7
bad 'no line' 1 'line: awari:48 is not built; looked in ' line 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S
[ ! -e "$ENDLAB_DIR/awari-7.score.egt" ] && [ "$(ls -A "$ENDLAB_DIR" | grep -c tmp)" -eq 0 ]
verdict 'nothing is left behind'

# ---- a number is a layer, and a group of one ----
answers 'a layer: statistics' 0 '^awari:6$' endlab stats awari:6
answers 'the same as a group' 0 'nothing to build' endlab build awari:6
answers 'a small group' 0 'nothing to build' endlab build awari:05-6
run endlab plan awari:all
[ "$status" -eq 0 ] && grep -q '^6 tables for the root, ' "$T/out" && grep -q '^ *6/6 *awari:12 ' "$T/out"
verdict 'all goes to twelve stones'

# ---- what a move does, in words ----
says() { # says NAME BOARD MOVE PATTERN
	printf '[SetUp "1"]\n[FEN "%s"]\n\n%s *\n' "$2" "$3" >"$T/game.pgn"
	run endlab annotate "$T/game.pgn"
	[ "$status" -eq 0 ] && tr '\n' ' ' <"$T/out" | grep -q -- "$4"
	verdict "$1"
}
says 'the best move' 1-0-2-0-0-1-1-0-1-0-0-0-0-0-S '1. F' '1\. F {\[%endlab\] kept the win: a gain of 6 stones}'
says 'a smaller gain' 1-0-2-0-0-1-1-0-1-0-0-0-0-0-S '1. C' \
	'1\. C {\[%endlab\] kept the win, cost 4 stones: a gain of 2 stones}'
says 'a gain thrown away' 1-0-2-0-0-1-1-0-1-0-0-0-0-0-S '1. A' \
	'1\. A \$4 {\[%endlab \$4\] threw away the win and now loses; [FC] kept a gain of 6 stones; now .* wins}'
says 'to a draw' 1-1-0-0-1-0-1-0-0-1-1-0-0-0-S '1. A' \
	'1\. A \$2 {\[%endlab \$2\] threw away the win; B kept a gain of 6 stones; now .* draws}'
says 'the smallest loss' 0-0-1-0-2-0-1-2-0-0-0-0-0-0-S '1. E' '1\. E {\[%endlab\] lost: a loss of 2 stones}'
says 'a larger loss' 0-0-1-0-2-0-1-2-0-0-0-0-0-0-S '1. C' \
	'1\. C {\[%endlab\] lost, 4 stones more than necessary: a loss of 6 stones}'
