#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Values for other programs: read back, and compared with the answers of the tables.
. "$(dirname "$0")/common"
X=$T/exported
export_py=$(dirname "$0")/export.py
python=
for candidate in python3 /usr/bin/python3; do
	$candidate -c 'import numpy' 2>/dev/null && python=$candidate && break
done

endlab build KQvK --metric wdl,win,dtm,dtc,dtz,wdl5,dtz5,dtr,dtzr >/dev/null 2>&1
endlab build KPvK --metric dtm,dtz50,dtr >/dev/null 2>&1
endlab build KBBvK checkers:KMvKM checkers:KMvM awari:5 >/dev/null 2>&1
endlab --dir "$T/alone" build KPvK --partial >/dev/null 2>&1

answers 'all tables of a slice' 0 "^$X/KQvK\.dtzr\.white\.plies\.npy  59,264 bytes$" \
	endlab export KQvK --format npy -o "$X"
[ "$(wc -l <"$T/out")" -eq "$(ls "$X" | wc -l)" ] && [ "$(ls "$X"/*.json | wc -l)" -eq 9 ]
verdict 'each of its files is told'
run endlab export KQvK --format csv -o "$X"
run endlab export KPvK KBBvK checkers:KMvKM checkers:KMvM awari:5 --format npy -o "$X"
run endlab export KPvK KBBvK checkers:KMvKM checkers:KMvM awari:5 --format csv -o "$X"
run endlab export KPvK --metric dtm --format raw -o "$X"
answers 'a metric that another tells' 0 'KPvK.wdl50.white.outcome.npy' \
	endlab export KPvK --metric wdl50 --format npy -o "$X"

# ---- lines of text ----

# Every STEP-th position of a file, without the first: its FEN, outcome and depth.
lines_of() { # lines_of FILE STEP
	awk -v step="$2" 'NR > 1 && NR % step == 0' "$1" |
		sed -e "s/^\"\(.*\)\",/\1$TAB/; t" -e "s/^\([^\",$TAB]*\),/\1$TAB/" |
		awk -F "$TAB" '{ split($2, v, ","); print $1 FS v[1] FS (v[2] == "" ? "-" : v[2]) }'
}

# The same from the tables, with their answers. There is always a column wdl.
answers_of() { # answers_of LINES METRIC OUTCOME
	metrics=$2
	[ "$3" = wdl ] || metrics=$2,$3
	cut -f 1 "$1" | endlab probe --stdin --tsv --metric "$metrics" 2>/dev/null |
		awk -F "$TAB" -v metric="$2" -v outcome="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 { print $1 FS $at[outcome] FS (metric == outcome ? "-" : $at[metric]) }'
}

# agrees SLICE METRIC OUTCOME STEP: with the outcome under the metric OUTCOME
agrees() {
	lines_of "$X/$(echo "$1" | tr : -).$2.csv" "$4" >"$T/lines"
	answers_of "$T/lines" "$2" "$3" >"$T/answers"
	[ -s "$T/lines" ] && cmp -s "$T/lines" "$T/answers"
	verdict "$1 $2: lines say what the tables answer"
	diff "$T/lines" "$T/answers" | head -4
}
for metric in wdl dtm dtc dtz dtr dtzr; do agrees KQvK $metric wdl 1; done
agrees KQvK wdl5 wdl5 1
agrees KQvK dtz5 wdl5 1
agrees KQvK win win 1
agrees KPvK dtm wdl 7
agrees KPvK dtz50 wdl50 1
agrees KBBvK dtm wdl 31
agrees checkers:KMvKM dtw wdl 5
agrees checkers:KMvM dtw wdl 1
agrees awari:5 score wdl 1
grep -q ',cursed-win,' "$X/KQvK.dtz5.csv" && grep -q ',blessed-loss,' "$X/KQvK.dtz5.csv"
verdict 'five outcomes'
[ "$(sed -n '1p' "$X/KPvK.dtr.csv")" = fen,outcome,plies,phase ] &&
	[ "$(sed -n '1p' "$X/KQvK.wdl.csv")" = fen,outcome ] &&
	[ "$(sed -n '1p' "$X/awari-5.score.csv")" = fen,outcome,stones ] && ! grep -qv , "$X/KPvK.dtr.csv"
verdict 'a heading names the fields'

# ---- arrays ----
with_numpy() { # with_numpy NAME WORDS...
	name=$1
	shift
	run "$python" "$export_py" "$@"
	[ "$status" -eq 0 ]
	verdict "$name"
}
counted() { # counted SLICE METRIC WEIGHT: the counts of the statistics
	endlab stats "$1" --metric "$2" --json >"$T/stats" 2>/dev/null
	with_numpy "$1 $2: as many as counted" counts "$X" "$1" "$2" "$3" "$T/stats"
}
if [ "$python" ]; then
	with_numpy 'KQvK: arrays say what the lines do' arrays "$X" KQvK \
		wdl win dtm dtc dtz wdl5 dtz5 dtr dtzr
	with_numpy 'a pawn, a phase' arrays "$X" KPvK dtm dtz50 dtr
	with_numpy 'two bishops' arrays "$X" KBBvK dtm
	with_numpy 'draughts, the same on both sides' arrays "$X" checkers:KMvKM dtw
	with_numpy 'draughts, an index of several parts' arrays "$X" checkers:KMvM dtw
	with_numpy 'stones in pits' arrays "$X" awari:5 score
	with_numpy 'raw: the same without a header' raw "$X" KPvK dtm
	counted KPvK dtm 2
	counted KPvK dtz50 2
	counted checkers:KMvM dtw 1
	counted checkers:KMvKM dtw 1
	counted awari:5 score 1
	counted KQvK dtz5 0
	run endlab --dir "$T/alone" export KPvK --format npy -o "$T/bounds"
	run endlab --dir "$T/alone" export KPvK --format csv -o "$T/bounds"
	with_numpy 'bounds of a partial table' arrays "$T/bounds" KPvK wdl
	grep -q "\"unknown\":${TAB}127" "$T/bounds/KPvK.wdl.npy.json"
	verdict 'and what stands for them'
else
	skip 'arrays read by NumPy: this machine has none'
fi

# ---- tables of other programs ----
real=$(cd "$(dirname "$0")/../../.." && pwd)/shared/data/syzygy
if [ -f "$real/KBNvK.rtbz" ]; then
	mkdir "$T/real" && cp "$real"/KBNvK.rtb? "$real"/K[BN]vK.rtb? "$T/real"
	answers 'a table of another program' 0 'KBNvK.dtz50.npy.json ' endlab --dir "$T/nowhere" \
		--path "$T/real" export KBNvK --metric dtz50 --format npy -o "$T/foreign"
	tr -d '\t\n' <"$T/foreign/KBNvK.dtz50.npy.json" | grep -q '"rounded":\["win"\].*"rounded":\["loss"\]'
	verdict 'and what it has rounded'
else
	skip 'tables of another program: none are here'
fi

# ---- the page about it ----
page=$(cd "$(dirname "$0")/../.." && pwd)/samples/export.md
if [ "$python" ]; then
	mkdir "$T/page" && (cd "$T/page" && sed -n 's|^build/endlab |"$ENDLAB" |p' "$page" | sh -e >/dev/null 2>&1 &&
		"$python" -m doctest "$page") >"$T/out" 2>&1
	verdict 'the session of samples/export.md is as it says'
fi
[ "$(sed -n '/^fen,outcome/{p;n;p;}' "$page")" = "$(head -2 "$X/KQvK.dtm.csv")" ]
verdict 'so are its lines of text'

# ---- refusals ----
E="endlab export"
refuses 'an unknown format' 2 "unknown format 'sgf': expected one of npy, raw, csv" \
	$E KQvK --format sgf -o "$T/none"
refuses 'no format' 2 'missing format; usage: endlab export SLICE' $E KQvK
refuses 'standard output' 2 'export: -o -: expected a folder, for several files' $E KQvK --format csv -o -
refuses 'no such slice' 1 "'KXvK': unknown piece 'X'" $E KXvK --format csv -o "$T/none"
refuses 'a metric of another game' 2 'dtw is a metric of checkers and morris alone' $E KQvK KRvK --format csv --metric dtw -o "$T/none"
refuses 'a format of another game' 2 'awari:3: format syzygy: dtz50 is a metric of chess alone' \
	$E awari:3 --format syzygy -o "$T/none"
refuses 'no table' 1 "no table of KRvKN in $ENDLAB_DIR; run 'endlab build KRvKN' to build it$" \
	$E KRvKN --format csv -o "$T/none"
refuses 'no table of a metric' 1 "no dtc table of KPvK in .*; run 'endlab build KPvK --metric dtc' to" \
	$E KPvK --metric dtc --format npy -o "$T/none"
[ -z "$(ls -A "$T/none" 2>/dev/null)" ]
verdict 'nothing is written then'
cp "$ENDLAB_DIR/KRvK.dtm.egt" "$T/sound" &&
	printf x | dd of="$ENDLAB_DIR/KRvK.dtm.egt" bs=1 seek=600 conv=notrunc 2>/dev/null
refuses 'a damaged table' 3 'KRvK.dtm.egt: block' $E KRvK --format npy -o "$T/none"
cp "$T/sound" "$ENDLAB_DIR/KRvK.dtm.egt"

cp -r "$X" "$T/before"
refuses 'files that are there' 2 'KQvK.dtm.csv: the file exists; use --replace to replace it$' \
	$E KQvK --format csv --metric dtm -o "$X"
echo old >"$X/KPvK.dtr.csv"
answers 'but for --replace' 0 'KPvK.dtr.csv  ' $E KPvK --format csv --metric dtr -o "$X" --replace
diff -r "$X" "$T/before" >"$T/out"
verdict 'the same files again'
echo occupied >"$T/file"
refuses 'a file as the folder' 4 "$T/file: expected a directory" $E KQvK --format csv -o "$T/file"
refuses 'a folder below a file' 4 "$T/file: expected a directory" $E KQvK --format csv -o "$T/file/x"
if [ -w /dev/full ]; then
	$E KQvK --format npy --metric dtm -o "$T/told" >/dev/full 2>"$T/err"
	[ $? -eq 4 ] && grep -q '^endlab: standard output: ' "$T/err"
	verdict 'what cannot be told is an error'
fi
unprivileged=
[ "$(id -u)" -eq 0 ] && unprivileged='setpriv --reuid 65534 --regid 65534 --clear-groups'
chmod -R a+rX "$T"
mkdir "$T/closed" && chmod 555 "$T/closed"
if $unprivileged "$ENDLAB" --version >/dev/null 2>&1; then
	refuses 'a folder that cannot be written' 4 "$T/closed/KQvK.dtm.csv: cannot create: " \
		$unprivileged "$ENDLAB" export KQvK --metric dtm --format csv -o "$T/closed"
else
	skip 'a folder that cannot be written: no way to be another user'
fi

small_disk() { # small_disk FORMAT: a limit on the size of files stands for a full disk
	(ulimit -f 4 && "$ENDLAB" export KPvK --metric dtm --format "$1" -o "$T/small" --replace)
}
if can_limit_files; then
	mkdir "$T/small"
	for format in npy raw csv; do
		name=KPvK.dtm.csv
		[ $format = csv ] || name=KPvK.dtm.white.outcome.$format
		echo old >"$T/small/$name"
		run small_disk $format
		[ "$status" -eq 4 ] && grep -q "^endlab: export: $T/small/$name: cannot write: " "$T/err" &&
			[ "$(ls -A "$T/small")" = "$name" ] && [ "$(cat "$T/small/$name")" = old ]
		verdict "$format: a full disk changes nothing"
		rm "$T/small/$name"
	done
else
	skip 'a full disk: the thread sanitizer needs files of its own'
fi

# ---- interruptions ----
half_written() { # half_written: files of an unfinished export
	for file in $(ls -A "$T/stopped"); do
		cmp -s "$T/stopped/$file" "$X/$file" || echo "$file"
	done
}
stopped=0
for n in 1 2 3 4 5 6; do
	mkdir "$T/stopped"
	timeout --preserve-status -k 20 -s INT "0.$((n * 15 + 5))" "$ENDLAB" export \
		$(yes KBBvK | head -200) --format csv -o "$T/stopped" --replace >"$T/out" 2>"$T/err"
	[ $? -eq 130 ] && grep -q '^endlab: export: KBBvK dtm: stopped$' "$T/err" && stopped=$((stopped + 1))
	half_written
	rm -rf "$T/stopped"
done >"$T/half"
[ $stopped -ge 3 ] && [ ! -s "$T/half" ]
verdict 'stopped: nothing half-written is left'
[ $stopped -ge 3 ] || echo "  stopped $stopped times of 6"

# ---- a disk that refuses late what it seemed to take: the second file, when the first is synced ----
if command -v strace >/dev/null; then
	run strace -f -qq -o /dev/null -e trace=fsync -e inject=fsync:error=EIO:when=2 \
		"$ENDLAB" export KBBvK --format npy -o "$T/late"
	[ "$status" -eq 4 ] && grep -q '^endlab: export: .*: cannot sync: ' "$T/err" && [ -z "$(ls -A "$T/late")" ]
	verdict 'a file that cannot be synced: those that belong to it get no names'
else
	skip 'strace is not here'
fi

# ---- drawings: each position is drawn once undecided and once by the step that decides it ----
cells() { # cells FIRST LAST: in these paths of the drawing
	grep '<path' "$T/film.svg" | sed -n "$1,$2p" | grep -o 'M[0-9]* [0-9]*h' | wc -l
}
for slice in KRvK checkers:KvK morris:3v3; do
	run endlab film $slice --svg "$T/film.svg"
	[ "$status" -eq 0 ] && [ "$(cells 1 1)" -gt 500 ] && [ "$(cells 1 1)" -eq "$(cells 2 '$')" ]
	verdict "film: $slice: every position is decided once"
done
run endlab film '8/8/8/8/1k6/8/2K5/4R3 b - - 0 1' --pass 12
[ "$status" -eq 0 ] && grep -q '>loss in 12: 592</text>' "$T/out" && grep -q 'fill="#ffffff"' "$T/out" &&
	! grep -q animate.*film.begin "$T/out"
verdict 'film: a still picture, on standard output'
refuses 'film: no such slice' 1 'KXvK' endlab film KXvK
refuses 'film: a drawing that cannot be written' 4 "$T/no-folder/film.svg" endlab film KRvK --svg "$T/no-folder/film.svg"
