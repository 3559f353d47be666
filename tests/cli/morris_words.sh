#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Nine Men's Morris on the command line: groups, lines, messages about positions and slices that do not exist.
. "$(dirname "$0")/common"
E="endlab --dir $T/tables"

$E build morris:3-4 >"$T/out" 2>"$T/err"
[ "$(ls "$T/tables" | grep -c egt)" -eq 3 ]
verdict 'a group has the slices of so many men on the side that has more'
$E plan morris:all >"$T/out" 2>"$T/err"
grep -q '^ *3/3 *morris:5v5' "$T/out" && grep -q '^3 tables' "$T/out"
verdict 'all goes to five men a side'
refuses 'a group that there is not' 2 "group 'morris:2-4': expected 3 to 9 men" $E build morris:2-4
refuses 'a slice that there is not' 1 '10 men on one side, expected 3 to 9' $E build morris:10v3
refuses 'a metric of another game' 2 'dtm is a metric of chess alone' $E build morris:3v3 --metric dtm

# ---- positions ----
bad() {
	refuses "$1" 1 "$2" $E probe "$1"
}
bad 'B:Wa1,d1:Ba7,d7,g4' 'White has 2 men, expected 3 to 9'
bad 'W:Wa1,a4,a7,b2,b4,b6,c3,c4,c5,d1:Bd7,g4,g7' 'White has 10 men, expected 3 to 9'
bad 'W:Wa1,d1,a2:Ba7,d7,g4' "expected a point such as a1 or d7, found 'a2'"
bad 'W:Wa1,d1,g1:Ba7,d7,g1' 'two men are on g1'
bad 'W:Wa1,d1,g1+2:Ba7,d7,g4' 'White has 2 men in hand and is to move, expected 0 or 1'
refuses 'men in hand have no line before they are built' 1 'morris:0v0\+9\+9 is not built; looked in ' $E line 'W:W+9:B+9'

# ---- lines and games ----
$E line 'W:Wa7,e3,g1:Bb2,d6,f4' >"$T/out" 2>"$T/err"
head -n 1 "$T/out" | grep -q 'White to move wins in 3 plies (2 moves)' && tail -n 1 "$T/out" | grep -q '1-0$'
verdict 'a line, to the end of the game'
$E line --pgn 'W:Wa4,d7,g4:Bb6,c5,d6,g1' >"$T/game.pgn" 2>"$T/err"
$E annotate "$T/game.pgn" >"$T/out" 2>"$T/err"
grep -q 'only move to keep the win in 33 plies (17 moves)' "$T/out"
verdict 'and as a game, with verdicts'
printf '[SetUp "1"]\n[FEN "W:W+9:B+9"]\n\n1. d6 f4 2. b4 d2 3. f6 b6 4. d1 *\n' >"$T/placed.pgn"
$E annotate "$T/placed.pgn" >"$T/out" 2>"$T/err"
tr '\n' ' ' <"$T/out" | grep -q 'no verdicts: more men than any table you have} 1. d6 f4 .*3. f6 b6 4. d1'
verdict 'a game from the empty board'
[ "$($E probe '********/O*O*O***/@*@*@*** w m s 3 0 3 0 0 0 -1 -1 -1 -1 0 0 1' | grep -c 'morris:3v3')" -eq 1 ]
verdict "a position as Sanmill writes it"
