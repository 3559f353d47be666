#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The positions of samples/ have the endings and the values that samples/README.md states; the tour lists the lessons.
. "$(dirname "$0")/common"
samples=$(dirname "$0")/../../samples

for lesson in "$samples"/lessons/*.lesson; do
	name=$(basename "$lesson" .lesson)
	grep -q "^| \`$name\` |" "$samples/tour.md" || echo "$name"
done >"$T/out"
[ ! -s "$T/out" ]
verdict 'the tour lists every lesson'

# compare TABLES FILE METRIC PATTERN: rows of the README whose ending matches agree with the file.
compare() {
	endlab --dir "$1" probe --json --stdin <"$2" >"$T/answers" 2>"$T/err"
	verdict "${2##*/}: every position is answered"
	sed 's/,"moves":.*//' "$T/answers" |
		sed 's/.*"slice":"\([^"]*\)","wdl":"\([^"]*\)",.*'"\"$3\""':\([^,]*\).*/\1 \2 \3/
			s/ null$//
			s/draw 0$/draw/
			s/loss -/loss /' | grep -n . >"$T/found"
	sed -n 's/^| \([0-9]*\) | \([^ ]*\) | \([^|]*\) |.*/\1:\2 \3/p' "$samples/README.md" |
		grep -E "^[0-9]+:$4" >"$T/told"
	diff "$T/told" "$T/found" >"$T/out" && [ -s "$T/told" ]
	verdict "${2##*/}: and has the value that is told"
}

endlab --dir "$T/draughts" build checkers:KMvKM checkers:MMvMM checkers:KKvKK checkers:MMMvM \
	>"$T/out" 2>"$T/err"
compare "$T/draughts" "$samples/draughts.txt" dtw checkers:
endlab --dir "$T/morris" build morris:5v5 >"$T/out" 2>"$T/err"
compare "$T/morris" "$samples/morris.txt" dtw morris:
endlab --dir "$T/awari" build awari:0-11 >"$T/out" 2>"$T/err"
sed '$d' "$samples/awari.txt" >"$T/awari.txt" # no table has the starting position
compare "$T/awari" "$T/awari.txt" score 'awari:(.|1.) '
tables=${BUILD:-build}/test-tables # left by the unit tests
if [ ! -f "$tables/KPvKP.dtm.egt" ]; then
	skip 'the tables of four pieces are not built'
	exit
fi
compare "$tables" "$samples/positions.txt" dtm K
