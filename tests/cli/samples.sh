#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The positions of samples/ have the endings and the values that samples/README.md gives them.
. "$(dirname "$0")/common"
samples=$(dirname "$0")/../../samples
tables=${BUILD:-build}/test-tables # left by the unit tests
if [ ! -f "$tables/KPvKP.dtm.egt" ]; then
	skip 'the tables of four pieces are not built'
	exit
fi
endlab --dir "$tables" probe --json --stdin <"$samples/positions.txt" >"$T/answers" 2>"$T/err"
verdict 'every position is answered'
sed 's/.*"slice":"\([^"]*\)","wdl":"\([^"]*\)","dtm":\([^,]*\),.*/\1 \2 \3/; s/ null$//' \
	"$T/answers" | grep -n . >"$T/found"
sed -n 's/^| \([0-9]*\) | \([^ ]*\) | \([^|]*\) |.*/\1:\2 \3/p' "$samples/README.md" >"$T/told"
diff "$T/told" "$T/found" >"$T/out" && [ -s "$T/told" ]
verdict 'and has the value that is told'
