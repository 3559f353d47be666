#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Published figures, as the program prints them; and every table proved from the rules.
. "$(dirname "$0")/common"
endlab build 3 KQvKR >/dev/null 2>&1

side() { # side white|black: that part of the statistics in $T/out
	case $1 in
	white) sed 's/.*"white_to_move":\(.*\),"black_to_move":.*/\1/' "$T/out" ;;
	black) sed 's/.*"black_to_move":\(.*\),"mutual_zugzwangs":.*/\1/' "$T/out" ;;
	esac
}
field() { # field NAME: its number in the statistics just read
	grep -o "\"$1\":[0-9]*" | head -1 | sed 's/.*://'
}
# longest SLICE MOVES: the deepest win with White to move, in moves
longest() {
	run endlab stats "$1" --json
	side white | grep -q "\"longest\":{\"dtm\":{\"win\":{\"plies\":$(($2 * 2 - 1)),\"fen\":\"[^\"]* w - - 0 1\"}"
	verdict "$1: the longest win takes $2 moves"
	fen=$(side white | sed 's/.*"longest":{"dtm":{"win":{"plies":[0-9]*,"fen":"\([^"]*\)".*/\1/')
	[ "$(endlab probe --tsv "$fen" | sed -n 2p | cut -f2,3)" = "win$TAB$(($2 * 2 - 1))" ]
	verdict "$1: and its record is that deep"
}
longest KQvK 10
longest KRvK 16
longest KPvK 28
longest KQvKR 35

# Only the capture wins, and only the table of what is left knows.
mkdir "$T/alone" && cp "$ENDLAB_DIR/KQvKR.dtm.egt" "$T/alone"
for fen in '4k3/8/8/8/8/3r1Q2/8/3K4 w - - 0 1' '8/8/8/8/8/8/k1K5/2rQ4 w - - 0 1'; do
	run endlab --dir "$T/alone" line --metric dtm "$fen"
	[ "$(tail -1 "$T/out")" = '{unknown from here on} *' ]
	verdict 'a line gives no win away for lack of a table'
done

run endlab stats KQvK --json
[ "$(side white | field unique)" -eq 18081 ] && [ "$(side white | field draw)" -eq 0 ] &&
	[ "$(side white | field win)" -eq "$(side white | field legal)" ]
verdict 'KQvK: 18,081 unique positions with White to move, all won'
run endlab stats KRvK --json
[ "$(side white | field unique)" -eq 21959 ] && [ "$(side white | field draw)" -eq 0 ]
verdict 'KRvK: 21,959 unique positions with White to move, all won'
[ "$(side black | field unique)" -eq $((25260 + 2796)) ] && [ "$(side black | field win)" -eq 0 ]
verdict 'KRvK: 28,056 unique positions with Black to move'

# The parts add up, and so do the histograms.
for s in white black; do
	side $s >"$T/side"
	legal=$(field legal <"$T/side")
	sum=$(($(field win <"$T/side") + $(field draw <"$T/side") + $(field loss <"$T/side")))
	bars=$(sed 's/.*"histogram"://' "$T/side" | grep -o '"[0-9]*":[0-9]*' | sed 's/.*://' |
		awk '{s += $1} END {print s + 0}')
	[ "$legal" -eq "$sum" ] &&
		[ "$bars" -eq $(($(field win <"$T/side") + $(field loss <"$T/side"))) ]
	verdict "KRvK: counts and histogram agree, $s to move"
done
grep -qE '^\{"slice":"KRvK","game":"chess","white_to_move":\{"legal":[0-9]+,"win":[0-9]+,"draw":[0-9]+,"loss":[0-9]+,"unique":[0-9]+,"longest":\{"dtm":\{"win":\{"plies":31,"fen":"[^"]+"\},"loss":null\}\},"histogram":\{"dtm":\{"win":\{"1":[0-9]+,.*"mutual_zugzwangs":\{"full":[0-9]+,"white_half":[0-9]+,"black_half":[0-9]+\},"phases":\{"dtm":\{"conversions":\{"decided":[0-9]+,"seconds":[0-9.e-]+\},"quiet moves":\{"decided":[0-9]+,"seconds":[0-9.e-]+\}\}\}\}$' "$T/out"
verdict 'stats --json has its fields'
answers 'stats for people' 0 '^  whoever moves loses +[0-9]' endlab stats KRvK
bytes=$(wc -c <"$ENDLAB_DIR/KRvK.dtm.egt")
tr -d , <"$T/out" | grep -qE "^dtm  [0-9]+ positions in $bytes bytes: [0-9.]+ positions per byte\$"
verdict 'stats for people: the size of the table'
grep -q 'longest win  *31 plies (16 moves)' "$T/out" && grep -qE '^  win +31 +[0-9,]+  #+' "$T/out"
verdict 'stats for people: histogram and records'
endlab build KBvK KRvK --metric wdl >/dev/null 2>&1
answers 'stats of outcomes alone' 0 '"longest":\{\},"histogram":\{\}' \
	endlab stats KRvK --metric wdl --json

answers 'verify all of them' 0 'KQvKR .* all right' endlab verify 3 KQvKR
[ "$(grep -c 'all right' "$T/out")" -eq 8 ]
verdict 'verify: outcomes and depths, one line a table'
answers 'verify one metric' 0 'KRvK  *wdl .*all right' endlab verify KRvK --metric wdl
[ "$(wc -l <"$T/out")" -eq 1 ]
verdict 'verify: nothing else'

# ---- under rules ----

R="$T/rules"
endlab build --dir "$R" KRvK --metric dtr,wdl5,dtz5,wdl15 >/dev/null 2>&1
run endlab --dir "$R" stats KRvK --json
grep -qE '"wdl5":\{"win":16788,"cursed_win":158380,"draw":0,"blessed_loss":0,"loss":0\},"wdl15":\{"win":[0-9]+,"cursed_win":916,' "$T/out"
verdict 'stats --json: five outcomes under every rule that is built'
grep -qE '"longest":\{"dtz5":\{"win":\{"plies":9,.*\},"dtr":\{"win":\{"plies":31,' "$T/out"
verdict 'stats --json: the longest in time, and by the least rule'
answers 'stats for people: the shorter rule first' 0 '^  cursed win +916 ' endlab --dir "$R" stats KRvK
grep -E '^  under the ' "$T/out" | head -2 | tr -d '\n' | grep -q 'under the 5-move rule  under the 15-move rule'
verdict 'stats for people: each rule once'
answers 'stats of a metric that another table tells' 0 '^  under the 3-move rule' \
	endlab --dir "$R" stats KRvK --metric wdl3
refuses 'stats of a metric that none tells' 1 'no dtz3 table of KRvK' endlab --dir "$R" stats KRvK --metric dtz3
answers 'verify every rule that is built' 0 '^KRvK +dtz5 .* all right' endlab --dir "$R" verify KRvK
[ "$(grep -c 'all right' "$T/out")" -eq 4 ]
verdict 'verify: one line a rule'

# ---- the journal cannot be read ----

D="$T/record"
mkdir "$D" && cp "$ENDLAB_DIR/KRvK.dtm.egt" "$D" && mkdir "$D/.journal.tsv"
answers 'counts without the record of how' 4 'journal.tsv: found a folder, expected a file' endlab --dir "$D" stats KRvK
grep -q '^White to move' "$T/out"
verdict 'are counts all the same'
