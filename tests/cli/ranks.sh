#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Draughts slices cut by leading rank against the same slices whole: a second program cuts those of four pieces,
# as this one cuts those of eight. Their values, counts and lines must be the same.
. "$(dirname "$0")/common"
CUT=$BUILD/ranks/endlab
cut() { ENDLAB_DIR="$T/cut" "$CUT" "$@"; }

# ---- names ----
refuses 'a slice of eight pieces without ranks' 2 \
	"'checkers:KKMMvKKMM' is a group of slices, cut by the rank of each side's foremost man; expected one, such as checkers:KKMM7vKKMM7" \
	endlab film checkers:KKMMvKKMM
refuses 'a rank that no man can lead' 1 'the foremost of 5 men stands on rank 1; expected 2 to 7' \
	endlab plan checkers:KMMMMM1vKK
refuses 'a rank below eight pieces' 1 'ranks are named from 8 pieces on' endlab plan checkers:KM3vK
run endlab plan checkers:KKMMvKKMM checkers:MMMMvKKKK --metric wdl
[ "$status" -eq 0 ] && grep -qE ' checkers:KKMM5vKKMM3 +wdl ' "$T/out" && grep -qE ' checkers:KKKKvMMMM1 +wdl ' "$T/out" &&
	! grep -qE ' checkers:KKMM3vKKMM5 +wdl ' "$T/out"
verdict 'material means all its ranks'
run endlab plan checkers:4v4 --metric wdl
[ "$status" -eq 0 ] && [ "$(grep -c '^ *[0-9]*/525 ' "$T/out")" -eq 525 ] && ! grep -q 'checkers:KKKMMv' "$T/out"
verdict 'groups by the pieces of both sides'

# ---- the same values ----
metrics=wdl,dtw
group=checkers:2-4
run endlab build $group --metric $metrics --no-verify
[ "$status" -eq 0 ]
verdict 'whole slices'
run cut build $group --metric wdl --no-verify
[ "$status" -eq 0 ] && grep -q 'checkers:KM7vKM7 *wdl' "$T/out" && grep -q 'checkers:MMM1vM1 *wdl' "$T/out" &&
	! grep -q 'checkers:KMvKM ' "$T/out" && run cut build $group --metric dtw --codec zstd:7 --no-verify && # whole planes
	[ "$status" -eq 0 ]
verdict 'slices cut by leading rank'
run cut verify checkers:KMvKM checkers:MMvMM checkers:KMMvK --metric $metrics
[ "$status" -eq 0 ] && [ "$(grep -c 'all right' "$T/out")" -eq 126 ]
verdict 'every position follows from its successors'

# Positions of four pieces or fewer, at random: each side has kings and men as the dice say.
awk 'BEGIN {
	srand(8)
	for (n = 0; n < 6000; n++) {
		delete taken
		side[1] = side[2] = ""
		pieces = 2 + int(rand() * 3)
		for (i = 0; i < pieces; i++) {
			s = i < 2 ? i + 1 : 1 + int(rand() * 2)
			king = rand() < 0.4
			do at = 1 + int(rand() * 32)
			while (at in taken || (!king && (s == 1 ? at < 5 : at > 28)))
			taken[at]
			side[s] = side[s] (side[s] == "" ? "" : ",") (king ? "K" : "") at
		}
		printf "%s:W%s:B%s\n", rand() < 0.5 ? "W" : "B", side[1], side[2]
	}
}' >"$T/positions"
endlab probe --stdin <"$T/positions" >"$T/whole" 2>"$T/err" &&
	cut probe --stdin <"$T/positions" >"$T/ranks" 2>"$T/err" &&
	[ "$(grep -c "${TAB}win${TAB}" "$T/whole")" -gt 1000 ] && cmp "$T/whole" "$T/ranks" >"$T/out"
verdict 'the same answers to 6,000 positions'
sed -n 1,1000p "$T/positions" | endlab probe --stdin --tsv --metric wdl >"$T/whole" 2>"$T/err" &&
	sed -n 1,1000p "$T/positions" | cut probe --stdin --tsv --metric wdl >"$T/ranks" 2>"$T/err" &&
	[ "$(wc -l <"$T/whole")" -eq 1001 ] && cmp "$T/whole" "$T/ranks" >"$T/out"
verdict 'the same outcomes from tables that lack a side'
head -40 "$T/positions" | while read -r fen; do
	endlab line "$fen" >>"$T/lines"
	cut line "$fen" >>"$T/lines.cut"
done
[ -s "$T/lines" ] && cmp "$T/lines" "$T/lines.cut" >"$T/out"
verdict 'the same lines'

# ---- the same counts ----
# Sums over ranks; where both sides have the same material, either may be further ahead, or neither.
count() { "$1" stats checkers:4 --metric dtw --csv >"$2" 2>"$T/err"; }
sums() {
	awk -F , 'NR > 1 {
		name = $1
		gsub(/[0-9]/, "", name)
		sub(/.*:/, "", name)
		split(name, side, "v")
		split($1, named, "[:v]")
		alike = side[1] == side[2]
		both = alike && named[2] != named[3]
		for (i = 0; i < 5; i++) {
			white[name, i] += $(4 + i) + (both ? $(9 + i) : 0)
			black[name, i] += $(9 + i) + (both ? $(4 + i) : 0)
		}
		positions[name] += $3 * (both ? 2 : 1)
		if ($14 > win[name]) win[name] = $14
		if ($15 > loss[name]) loss[name] = $15
	}
	END {
		for (name in positions) {
			printf "%s %d %d %d", name, positions[name], win[name], loss[name]
			for (i = 0; i < 5; i++) printf " %d %d", white[name, i], black[name, i]
			print ""
		}
	}' "$1" | sort
}
count "$ENDLAB" "$T/whole.csv" && ENDLAB_DIR="$T/cut" count "$CUT" "$T/ranks.csv"
sums "$T/whole.csv" >"$T/whole"
sums "$T/ranks.csv" >"$T/ranks"
[ "$(wc -l <"$T/whole")" -eq 14 ] && [ "$(wc -l <"$T/ranks.csv")" -gt 250 ] && cmp "$T/whole" "$T/ranks" >"$T/out"
verdict 'the same counts and longest wins'
# The build counts what it decides; without its journal the tables are read.
for program in "$ENDLAB" "$CUT"; do
	[ "$program" = "$CUT" ] && folder=$T/cut || folder=$ENDLAB_DIR
	for metric in wdl dtw; do
		ENDLAB_DIR=$folder "$program" stats $group --metric $metric --csv 2>"$T/err" | command cut -d, -f1-16 >"$T/told.csv"
		mv "$folder/.journal.tsv" "$T/journal"
		ENDLAB_DIR=$folder "$program" stats $group --metric $metric --csv 2>"$T/err" | command cut -d, -f1-16 >"$T/read.csv"
		mv "$T/journal" "$folder/.journal.tsv"
		[ "$(wc -l <"$T/told.csv")" -ge 24 ] && grep -q 'white lost' "$folder/.journal.tsv" &&
			cmp "$T/told.csv" "$T/read.csv" >"$T/out"
		verdict "${folder##*/}: $metric counted by the build as by reading"
	done
done

# The journal is believed only about a file of the size that it wrote.
table=checkers-MvM.dtw.egt
bytes=$(wc -c <"$ENDLAB_DIR/$table")
cp "$ENDLAB_DIR/.journal.tsv" "$T/journal"
csv() { endlab stats checkers:MvM --metric dtw --csv 2>"$T/err" | sed -n 2p | command cut -d, -f4; }
true_count=$(csv)
for size in "$bytes" 1; do
	sed "s/^\(checkers:MvM	dtw	.*	written	\)[0-9]*\(.*	white won	\)[0-9]*/\1$size\27/" "$T/journal" >"$ENDLAB_DIR/.journal.tsv"
	[ "$size" = 1 ] && expected=$true_count || expected=7
	[ "$(csv)" = "$expected" ] && [ "$true_count" = 102 ]
	verdict "a journal about $size bytes"
done
mv "$T/journal" "$ENDLAB_DIR/.journal.tsv"

# ---- the index and the digits as an independent program finds them: tests/others/read_egt.py ----
python=
for candidate in python3 /usr/bin/python3; do
	$candidate -c 'import ctypes, lzma; ctypes.CDLL("libzstd.so.1")' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || skip 'the index in Python: this machine has no Python with lzma, or no libzstd'
export PYTHONDONTWRITEBYTECODE=1
for name in ${python:+KM5vKM3 KM3vKM3 MMM4vM6 KKvMM2 MM3vMM2}; do
	table=checkers-$name.dtw.egt codec=zstd
	[ $name = MM3vMM2 ] && codec=net:8:effort=1 # which sees the board
	cut export "checkers:$name" --metric dtw --format raw -o "$T/raw" >"$T/out" 2>&1 &&
		cut export "checkers:$name" --metric dtw --format csv -o "$T/csv" >"$T/out" 2>&1 &&
		cut recode "$T/cut/$table" -o "$T/$table" --codec $codec --order best >"$T/out" 2>&1 &&
		"$python" "$(dirname "$0")/table.py" arrays "$T/$table" "$T/raw" >"$T/out" 2>"$T/err" &&
		sed -n 's/^"\(.*\)",.*/\1/p' "$T/csv/checkers-$name.dtw.csv" | awk 'NR % 29 == 2' |
		cut probe --stdin --tsv >"$T/answers" 2>"$T/err" &&
		"$python" "$(dirname "$0")/table.py" answers "$T/$table" "$T/answers" >"$T/out" 2>"$T/err" &&
		"$python" "$(dirname "$0")/table.py" answers "$T/cut/$table" "$T/answers" >"$T/out" 2>"$T/err"
	verdict "$name in Python, by its digits and by its index"
done
