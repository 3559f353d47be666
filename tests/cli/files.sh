#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Files that are not what they say: the program names each of them, and nothing else suffers. And recode.
. "$(dirname "$0")/common"
D=$ENDLAB_DIR
endlab build KPvK --codec zstd:7 >/dev/null 2>&1
good=$D/KQvK.dtm.egt
size=$(wc -c <"$good")
FEN='8/8/8/8/8/2k5/8/K6Q w - - 0 1'
cp "$good" "$T/good"

poke() { # poke FILE OFFSET: flips a bit of that byte
	byte=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
	printf "\\$(printf %03o $((byte ^ 1)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# damaged NAME [STATUS]: $good is damaged, or of another version; the program must report it, and only it, and
# must not believe it
damaged() {
	answers "$1: verify tells it" "${2-3}" "^endlab: verify: .*KQvK.dtm.egt" endlab verify "$good"
	[ "$(wc -l <"$T/err")" -le 2 ]
	verdict "$1: in one line"
	run endlab verify KRvK
	[ "$status" -eq 0 ]
	verdict "$1: other tables go on"
	cp "$T/good" "$good"
}
# unusable NAME REASON [STATUS]: the library ignores $good and says why
unusable() {
	answers "$1: list says why" 0 "^ignored .*KQvK.dtm.egt: .*$2" endlab list
	[ "$(grep -o 'KQvK.dtm.egt:' "$T/out" | wc -l)" -eq 1 ]
	verdict "$1: and names the file once"
	answers "$1: a probe names it" "${3-3}" 'error.*KQvK.dtm.egt: ' endlab probe --tsv "$FEN"
	damaged "$1" "${3-3}"
}

: >"$good"
unusable 'zero length' .
for n in 1 7 64 200 $((size / 2)) $((size - 1)); do
	head -c "$n" "$T/good" >"$good"
	unusable "truncated to $n bytes" .
done
(cat "$T/good" && echo more) >"$good"
unusable 'bytes behind the end' .
poke "$good" 0
unusable 'another magic' .
poke "$good" 8
unusable 'another version' version 1
for at in 12 24 40 48 64 65 67 70 72 87 90 110 150 185; do
	poke "$good" $at
	unusable "header byte $at" .
done
echo 'This is no table at all, though long enough to look like one to a careless reader.' >"$good"
unusable 'a foreign file' .
cp "$D/KRvK.dtm.egt" "$good"
answers 'a table under a wrong name is told' 0 'KRvK.*KQvK.dtm.egt|KQvK.dtm.egt.*KRvK' endlab list
cp "$T/good" "$good"

# A block is read when it is needed.
at=$((size / 2))
poke "$good" $at
damaged 'a flipped bit in a block'
poke "$good" $((size - 4))
damaged 'a flipped bit at the end'

cp "$T/good" "$T/whole"
bad=0
for at in $(awk -v n="$size" 'BEGIN {for (i = 0; i < 40; i++) print int(i * n / 40)}'); do
	cp "$T/good" "$T/flip.egt"
	poke "$T/flip.egt" "$at"
	run endlab verify "$T/flip.egt"
	[ "$status" -eq 3 ] || bad=$((bad + 1))
done
[ $bad -eq 0 ]
verdict 'a flipped bit anywhere is noticed'

# ---- a damaged table costs its own column ----
C=$T/columns
endlab --dir "$C" build KQvK --metric dtm,dtz,dtz50 --block 64K >/dev/null 2>&1
mate=$C/KQvK.dtm.egt
mkdir "$T/copy" && cp "$mate" "$T/copy"
endlab --dir "$C" probe --tsv "$FEN" >"$T/whole.tsv"
endlab --dir "$C" line --metric dtz50 "$FEN" >"$T/whole.line"
awk -F"$TAB" -v OFS="$TAB" 'NR == 2 {$3 = "-"} 1' "$T/whole.tsv" >"$T/expected.tsv"
endlab --dir "$C" stats KQvK --metric wdl --json >"$T/whole.wdl" 2>/dev/null
for game in 1 2; do
	printf '[SetUp "1"]\n[FEN "%s"]\n\n1. Qh7 *\n\n' "$FEN"
done >"$T/two.pgn"
for damage in cut block; do
	cp "$T/copy/KQvK.dtm.egt" "$mate"
	if [ $damage = cut ]; then
		head -c 300 "$T/copy/KQvK.dtm.egt" >"$mate"
	else
		poke "$mate" $(($(wc -c <"$mate") / 4)) # in the block of White to move
	fi
	run endlab --dir "$C" probe --tsv "$FEN" "$FEN"
	[ "$status" -eq 3 ] && [ "$(tail -1 "$T/out")" = "$(tail -1 "$T/expected.tsv")" ] &&
		[ "$(wc -l <"$T/out")" -eq 3 ]
	verdict "$damage: --tsv has the other columns"
	[ "$(wc -l <"$T/err")" -eq 1 ] && grep -q "^endlab: probe: $mate: .*expected .*found " "$T/err"
	verdict "$damage: the table is named once"
	run endlab --dir "$C" probe --tsv --metric dtz,wdl50 "$FEN"
	[ "$status" -eq 0 ] && [ ! -s "$T/err" ]
	verdict "$damage: and not read for other metrics"
	answers "$damage: --metric of it" 3 "${TAB}win${TAB}-\$" endlab --dir "$C" probe --tsv --metric dtm "$FEN"
	answers "$damage: --json" 3 '"wdl":"win","dtm":null,"dtc":null,"dtz":[0-9]+,.*"moves":\[\{' \
		endlab --dir "$C" probe --json "$FEN"
	answers "$damage: --lichess" 3 '"dtz":[0-9]+,"precise_dtz":[0-9]+,"dtm":null,.*"category":"win"' \
		endlab --dir "$C" probe --lichess "$FEN"
	answers "$damage: as text" 3 'KQvK  White to move wins' endlab --dir "$C" probe "$FEN"
	run endlab --dir "$C" line --metric dtz50 "$FEN"
	[ "$status" -eq 0 ] && cmp -s "$T/out" "$T/whole.line"
	verdict "$damage: line under another metric"
	answers "$damage: line under any" 3 '^White to move wins: zeroing in ' endlab --dir "$C" line "$FEN"
	refuses "$damage: line under its own" 3 "line: $mate: " endlab --dir "$C" line --metric dtm "$FEN"
	run endlab --dir "$C" stats KQvK --json
	[ "$status" -eq 3 ] && grep -q '"dtz":{"win"' "$T/out" && ! grep -q '"dtm"' "$T/out" && grep -q "stats: $mate: " "$T/err"
	verdict "$damage: stats counts the others"
	endlab --dir "$C" stats KQvK --metric wdl --json 2>"$T/err" | cmp -s - "$T/whole.wdl"
	verdict "$damage: stats of what others tell"
	run endlab --dir "$C" annotate "$T/two.pgn"
	[ "$status" -eq 3 ] && [ "$(grep -c '%endlab' "$T/out")" -eq 2 ] && [ "$(wc -l <"$T/err")" -eq 1 ] &&
		grep -q "^endlab: annotate: $mate: " "$T/err"
	verdict "$damage: annotate goes on with others"
	run endlab --dir "$C" --path "$T/copy" probe --tsv "$FEN"
	[ "$status" -eq 0 ] && cmp -s "$T/out" "$T/whole.tsv"
	verdict "$damage: the same table elsewhere answers"
	answers "$damage: whole too" 0 '"dtm":{"win"' endlab --dir "$C" --path "$T/copy" stats KQvK --metric dtm --json
done
if command -v curl >/dev/null; then # $mate is damaged yet
	"$ENDLAB" --dir "$C" serve --bind 127.0.0.1:0 >"$T/serve" 2>"$T/err" &
	server=$!
	for try in 1 2 3 4 5 6 7 8 9 10; do
		where=$(sed -n 's,^serving \(http://127.0.0.1:[0-9]*/standard?fen=\).*,\1,p' "$T/serve")
		[ "$where" ] && break
		sleep 0.3
	done
	for try in 1 2 3; do
		code=$(curl -s -m 20 -o "$T/out" -w '%{http_code}' "$where$(echo "$FEN" | tr ' ' _)")
	done
	[ "$code" = 200 ] && grep -q '"dtm":null,.*"category":"win"' "$T/out"
	verdict 'serve answers with what is whole'
	sleep 2.5 # faults are told when the folders are searched
	[ "$(wc -l <"$T/err")" -eq 1 ] && grep -q "^endlab: serve: $mate: " "$T/err"
	verdict 'and names the table once, while it runs'
	kill $server && wait $server
fi
cp "$T/copy/KQvK.dtm.egt" "$mate"
SYZYGY=${ENDLAB_SYZYGY:-../shared/data/syzygy}
if [ -f "$SYZYGY/KRvKN.rtbz" ]; then
	mkdir "$T/pair"
	cp "$SYZYGY/KRvKN.rtbw" "$SYZYGY/KRvK.rtbw" "$SYZYGY/KRvK.rtbz" "$T/pair"
	head -c 3000 "$SYZYGY/KRvKN.rtbz" >"$T/pair/KRvKN.rtbz"
	answers 'a cut .rtbz leaves the .rtbw' 3 "${TAB}win${TAB}.*${TAB}win${TAB}-${TAB}" \
		endlab --dir "$T/pair" probe --tsv '8/2R5/8/8/7k/3K4/8/4n3 w - - 0 1'
	grep -q "^endlab: probe: $T/pair/KRvKN.rtbz: " "$T/err"
	verdict 'and is named'
else
	skip 'Syzygy: no tables here'
fi

# ---- folders ----
answers 'a folder that is not there' 0 "^endlab: $T/nowhere: cannot read: No such file" \
	endlab --path "$T/copy:$T/nowhere" probe --tsv "$FEN"
ENDLAB_PATH="$T/nowhere" run endlab stats KQvK
[ "$status" -eq 0 ] && grep -q "^endlab: $T/nowhere: cannot read: " "$T/err"
verdict 'nor of ENDLAB_PATH'
answers '~ behind a colon' 0 "^KQvK .*$T/copy/KQvK.dtm.egt" \
	env HOME="$T" "$ENDLAB" --dir "$T/empty" --path "$T/nowhere:~/copy" list
ENDLAB_PATH='~/copy' HOME=$T run endlab --dir '~/empty' list
grep -q "^KQvK .*$T/copy/KQvK.dtm.egt" "$T/out"
verdict '~ at the beginning'

refuses 'no such file' 4 'nowhere.egt' endlab verify "$T/nowhere.egt"
refuses 'a directory for a file' 4 "$D" endlab verify "$D/"
rm "$good"
answers 'a damaged table can be built again' 0 '^1 table in ' endlab build KQvK

# ---- list ----
echo junk >"$D/KBvK.dtm.egt"
run endlab list --json
[ "$status" -eq 0 ] && grep -qF "{\"directory\":\"$D\",\"tables\":[{\"path\":\"$D/" "$T/out" &&
	grep -qE '"kind":"egt","slice":"KQvK","metric":"dtm","bytes":[0-9]+,"detail":"[^"]+","tier":"root","ignored":null' "$T/out" &&
	grep -qE 'KBvK.dtm.egt","kind":"egt","slice":null,"metric":null,"bytes":5,"detail":null,"tier":null,"ignored":"[^"]+"' "$T/out"
verdict 'list --json'
mkdir -p "$T/more/deep" && cp "$D/KRvK.dtm.egt" "$T/more/deep"
ENDLAB_PATH="$T/nowhere:$T/more" run endlab --dir "$T/empty" list
grep -q "KRvK.*$T/more/deep/KRvK.dtm.egt" "$T/out"
verdict 'tables along ENDLAB_PATH'
answers 'tables along --path' 0 "$T/more/deep/KRvK.dtm.egt" \
	endlab --dir "$T/empty" --path "$T/more" list
answers 'no tables at all' 0 "^no tables in $T/empty" endlab --dir "$T/empty" list

# ---- recode ----
answers 'recode' 0 '^KRvK dtm .* raw 4K none$' \
	endlab recode "$D/KRvK.dtm.egt" -o "$T/r.egt" --codec raw --block 4K --fill none
endlab --dir "$T/raw" build KRvK --codec raw --block 4K --fill none >/dev/null 2>&1
cmp -s "$T/r.egt" "$T/raw/KRvK.dtm.egt"
verdict 'recode writes what a build would have written'
answers 'what it wrote is right' 0 'all right' endlab verify "$T/r.egt"
answers 'and back' 0 . endlab recode "$T/r.egt" -o "$T/back.egt" --codec zstd --block 16K --fill previous
answers 'the same after two ways' 0 . endlab recode "$D/KRvK.dtm.egt" -o "$T/direct.egt" \
	--codec zstd --block 16K --fill previous
cmp -s "$T/back.egt" "$T/direct.egt"
verdict 'the bytes do not depend on the way'

# ---- orders, and captures left out ----
answers 'recode: an order, and captures left out' 0 'raw 4K best order kRK/KkR captures$' \
	endlab recode "$D/KRvK.dtm.egt" -o "$T/o.egt" --codec raw --block 4K --fill best \
	--order kRK/KkR --derive captures
answers 'verify tries the captures of a file' 0 'all right' endlab verify "$T/o.egt"
answers 'recode keeps what is not said' 0 'raw 8K best order kRK/KkR captures$' \
	endlab recode "$T/o.egt" -o "$T/o.egt" --force --block 8K
answers 'recode: the best order' 0 'zstd:[0-9]* 16K previous order [KRk/]+ captures$' \
	endlab recode "$T/o.egt" -o "$T/o.egt" --force --codec zstd --block 16K --fill previous \
	--order best
answers 'recode: to the index, with all values' 0 'zstd:[0-9]* 16K previous$' \
	endlab recode "$T/o.egt" -o "$T/o.egt" --force --order index --derive nothing
cmp -s "$T/o.egt" "$T/direct.egt"
verdict 'no way changes a byte'
endlab --dir "$T/pawn" build KPvK --codec zstd:7 >"$T/out" 2>"$T/err"
answers 'recode: in place' 0 . endlab --dir "$T/pawn" recode "$T/pawn/KPvK.dtm.egt" \
	-o "$T/pawn/KPvK.dtm.egt" --force --derive captures --order best
answers 'list shows the options' 0 '^KPvK .*both sides to move, captures left out, zstd:[0-9]*, 16K blocks, order [KPk/]+, for the root ' \
	endlab --dir "$T/pawn" list
answers 'a probe is answered from it' 0 '^KPvK  White to move wins' \
	endlab --dir "$T/pawn" probe '4k3/8/4K3/4P3/8/8/8/8 w - - 0 1'
answers 'and the whole of it is right' 0 'all right' endlab --dir "$T/pawn" verify KPvK
answers 'recode: a codec that sees the board in index order' 0 ' net:32 16K best$' \
	endlab recode "$D/KRvK.dtm.egt" -o "$T/seen.egt" --codec net --order index
[ "$(od -An -tu1 -j8 -N1 "$T/seen.egt" | tr -d ' ')" -eq 4 ] && [ "$(od -An -tu1 -j8 -N1 "$D/KRvK.dtm.egt" | tr -d ' ')" -eq 3 ]
verdict 'has a version of its own'
endlab recode "$T/seen.egt" -o "$T/unseen.egt" --codec zstd --fill previous >"$T/out" 2>"$T/err" &&
	cmp "$D/KRvK.dtm.egt" "$T/unseen.egt" >"$T/out" 2>&1
verdict 'and comes back'
refuses 'recode: an order of other pieces' 2 "order 'KQk'.*pieces of KRvK.*such as KRk" \
	endlab recode "$D/KRvK.dtm.egt" -o "$T/x.egt" --order KQk
refuses 'recode: nothing of that kind to derive' 2 "derive 'mates'.*nothing, captures" \
	endlab recode "$D/KRvK.dtm.egt" -o "$T/x.egt" --derive mates
refuses 'recode: an unknown fill' 2 "fill 'worst'.*none, previous, best" \
	endlab recode "$D/KRvK.dtm.egt" -o "$T/x.egt" --fill worst
[ ! -e "$T/x.egt" ]
verdict 'and nothing was written'
endlab --dir "$T/four" build KRvKN --metric wdl --derive captures --order best >"$T/out" 2>"$T/err"
mkdir -p "$T/alone" && cp "$T/four/KRvKN.wdl.egt" "$T/alone"
refuses 'recode: captures that lead nowhere' 1 'recode: .*: no table covers K[RN]vK; name the folder .* with --path$' \
	endlab --dir "$T/alone" recode "$T/alone/KRvKN.wdl.egt" -o "$T/x.egt" --derive nothing
refuses 'verify: captures that lead nowhere' 1 'verify: no table covers K[RN]vK$' \
	endlab --dir "$T/alone" verify "$T/alone/KRvKN.wdl.egt"
[ ! -e "$T/x.egt" ]
verdict 'nothing is written then either'

# ---- a side to move left out ----
answers 'recode: one side to move' 0 'raw 4K best order [kKR]+(/index)? side, only (White|Black) to move$' \
	endlab recode "$D/KRvK.dtm.egt" -o "$T/s.egt" --codec raw --block 4K --fill best \
	--order kRK --derive side
answers 'verify tries all moves of a file' 0 'all right' endlab verify "$T/s.egt"
answers 'recode: back to both sides' 0 'raw 4K best order kRK$' \
	endlab recode "$T/s.egt" -o "$T/both.egt" --derive nothing
endlab recode "$D/KRvK.dtm.egt" -o "$T/plain.egt" --codec raw --block 4K --fill best \
	--order kRK >/dev/null
cmp -s "$T/both.egt" "$T/plain.egt"
verdict 'no value is lost with a side'
endlab --dir "$T/half" build KRvKN KQvKQ --derive captures+side >"$T/out" 2>"$T/err"
answers 'list says which side there is' 0 '^KRvKN .* only (White|Black) to move, captures left out, zstd' \
	endlab --dir "$T/half" list
answers 'with like pieces there is one' 0 '^KQvKQ .* both sides to move, captures left out, zstd:[0-9]*, 16K blocks, for the root +/' endlab --dir "$T/half" list
answers 'recode: there is none to leave out' 0 'both sides have the same pieces, and share their values' \
	endlab --dir "$T/half" recode "$T/half/KQvKQ.dtm.egt" -o "$T/kqkq.egt" --derive side
for side in w b; do
	answers "a probe of $side is answered" 0 '^KRvKN ' \
		endlab --dir "$T/half" probe "7n/8/8/8/8/2k5/8/R3K3 $side - - 0 1"
	endlab --dir "$T/half" probe --json "7n/8/8/8/8/2k5/8/R3K3 $side - - 0 1" >"$T/half.$side"
	endlab --dir "$T/half" recode "$T/half/KRvKN.dtm.egt" -o "$T/krkn.egt" --force --derive nothing \
		>/dev/null
done
answers 'stats of both sides' 0 '"longest"' endlab --dir "$T/half" stats KRvKN --json
sed 's/,"phases".*//' "$T/out" >"$T/half.stats"
cp "$T/krkn.egt" "$T/half/KRvKN.dtm.egt"
endlab --dir "$T/half" stats KRvKN --json | sed 's/,"phases".*//' >"$T/whole.stats"
cmp -s "$T/half.stats" "$T/whole.stats"
verdict 'the same as of both sides'
for side in w b; do
	endlab --dir "$T/half" probe --json "7n/8/8/8/8/2k5/8/R3K3 $side - - 0 1" >"$T/out"
	cmp -s "$T/half.$side" "$T/out"
	verdict "the same moves with $side to move"
done
cp "$T/s.egt" "$T/alone/KRvK.dtm.egt"
refuses 'build: wins do not tell losses' 2 'KQvK: a side to move cannot be derived from win, ' \
	endlab --dir "$T/alone" build KQvK --metric win --derive side
refuses 'build: the clock does not tell' 2 'cannot be derived from dtzr: how long a phase lasts' \
	endlab --dir "$T/alone" build KQvK --metric dtzr --derive captures+side
cp "$T/four/KRvKN.wdl.egt" "$T/alone"
refuses 'recode: a side without its tables' 1 'a table of KNvK that tells wdl; name the folder' \
	endlab --dir "$T/alone" recode "$T/alone/KRvKN.wdl.egt" -o "$T/x.egt" --derive side

# ---- outcomes that another table tells ----
refuses 'build: depths to mate hold outcomes' 2 'KQvK: outcomes cannot be left out under dtm, only under dtz' \
	endlab --dir "$T/apart" build KQvK --metric dtm --derive outcomes
answers 'plan: the table of outcomes comes first' 0 '^ *6/6 +KRvKN +dtz50 .* KNvK KRvK KRvKN$' \
	endlab --dir "$T/apart" plan KRvKN --metric dtz50 --derive outcomes+side
endlab --dir "$T/apart" build KRvKN --metric dtz50 --derive outcomes+side >"$T/out" 2>"$T/err"
answers 'list says what is left out' 0 '^KRvKN +dtz50 .* only (White|Black) to move, outcomes left out, zstd' \
	endlab --dir "$T/apart" list
answers 'they are proved' 0 '^KRvKN +dtz50 +2,915,128 positions all right' \
	endlab --dir "$T/apart" verify KRvKN --metric dtz50 --again
answers 'a probe has both' 0 '^  dtz50  zeroing in 1 ply' \
	endlab --dir "$T/apart" probe '8/8/8/8/8/3k4/8/KR3n2 w - - 0 1' --metric dtz50
answers 'recode: back to all values' 0 'zstd:7 16K previous$' endlab --dir "$T/apart" \
	recode "$T/apart/KRvKN.dtz50.egt" -o "$T/all.egt" --derive nothing
answers 'and they are all there' 0 'all right' endlab --dir "$T/apart" verify "$T/all.egt"
rm "$T/apart/KRvKN.wdl50.egt"
refuses 'a probe names the missing outcomes' 1 'KRvKN.wdl50.egt needed beside KRvKN.dtz50.egt' \
	endlab --dir "$T/apart" line '8/8/8/8/8/3k4/5n2/KR6 w - - 0 1' --metric dtz50
refuses 'so does verify' 1 'leaves outcomes to a table of KRvKN that tells wdl50, and there is none' \
	endlab --dir "$T/apart" verify KRvKN --metric dtz50 --again
refuses 'and recode' 1 'that tells wdl50, and there is none; name the folder' \
	endlab --dir "$T/apart" recode "$T/apart/KRvKN.dtz50.egt" -o "$T/x.egt" --derive nothing
cp "$T/all.egt" "$T/apart/KRvKN.dtz50.egt"
refuses 'a table is not its own source of outcomes' 1 'without another table of it that tells wdl50' endlab \
	--dir "$T/apart" recode "$T/apart/KRvKN.dtz50.egt" -o "$T/apart/KRvKN.dtz50.egt" --force --derive outcomes
rm "$T/apart/KRvKN.dtz50.egt"
endlab --dir "$T/apart" build KRvKN --metric dtz50 --derive outcomes >"$T/out" 2>"$T/err"
rm "$T/apart/KRvKN.wdl50.egt"
answers 'build makes missing outcomes anew, and nothing else' 0 '^1 table in ' \
	endlab --dir "$T/apart" build KRvKN --metric dtz50 --derive outcomes
rm "$T/apart/KRvKN.wdl50.egt"
answers 'as a job of its own, too' 0 '^1 table in ' \
	endlab --dir "$T/apart" build KRvKN --metric wdl50 --derive outcomes

echo precious >"$T/precious.egt"
refuses 'recode does not overwrite' 2 'precious.egt.*--force' \
	endlab recode "$D/KRvK.dtm.egt" -o "$T/precious.egt"
[ "$(cat "$T/precious.egt")" = precious ]
verdict 'what was there is still there'
answers 'recode --force does' 0 . endlab recode "$D/KRvK.dtm.egt" -o "$T/precious.egt" --force
refuses 'recode: no output' 2 '-o OUT' endlab recode "$D/KRvK.dtm.egt"
refuses 'recode: a damaged input' 3 'KBvK.dtm.egt' endlab recode "$D/KBvK.dtm.egt" -o "$T/x.egt"
refuses 'recode: no such folder' 4 'nowhere' endlab recode "$D/KRvK.dtm.egt" -o "$T/nowhere/x.egt"
small_disk() {
	(ulimit -f 4 && "$ENDLAB" recode "$D/KRvK.dtm.egt" -o "$T/precious.egt" --force --codec raw)
}
if can_limit_files; then
	cp "$T/precious.egt" "$T/before"
	run small_disk
	[ "$status" -eq 4 ] && cmp -s "$T/before" "$T/precious.egt" && [ -z "$(find "$T" -maxdepth 1 -name '.endlab-tmp-*')" ]
	verdict 'recode: a full disk changes nothing'
else
	skip 'recode: a full disk: the thread sanitizer needs files of its own'
fi

# ---- a faulty codec ----
wrong() {
	command=$1
	shift
	answers "$command: a codec that decodes wrongly" 3 '^endlab: .*: block 0: codec wrongsymbol decodes it to other values' \
		endlab --plugin "$BUILD/plugins/wrong_symbol.so" "$command" "$@" --codec wrongsymbol
}
wrong build KNvK --dir "$T/wrong"
[ -z "$(find "$T/wrong" -name '*.egt' -o -name '.endlab-tmp-*')" ]
verdict 'and no table is made of it'
wrong recode "$D/KRvK.dtm.egt" -o "$T/wrong.egt"
[ ! -e "$T/wrong.egt" ]
verdict 'nor a file'

# ---- leftovers ----
"$ENDLAB" build KQvKR --dir "$T/big" >/dev/null 2>&1
mkdir "$T/out.d"
left=0 tries=0
while [ $tries -lt 60 ] && [ $left -lt 3 ]; do
	tries=$((tries + 1))
	rm -rf "$T"/out.d/.endlab-tmp-*
	"$ENDLAB" recode "$T/big/KQvKR.dtm.egt" -o "$T/out.d/x.egt" --codec xz:9 --force >/dev/null 2>&1 &
	while [ -z "$(find "$T/out.d" -name '.endlab-tmp-*')" ] && kill -0 $! 2>/dev/null; do sleep 0.01; done
	sleep 0.0$((tries % 10))
	kill -KILL $! 2>/dev/null
	wait $! 2>/dev/null
	[ -n "$(find "$T/out.d" -name '.endlab-tmp-*')" ] && left=$((left + 1))
done
[ $left -ge 3 ]
verdict 'recode: killed in the middle of its work'
run endlab recode "$T/big/KQvKR.dtm.egt" -o "$T/out.d/x.egt" --codec raw --force
[ "$status" -eq 0 ] && [ "$(ls -A "$T/out.d" | grep -vx '[.]verified[.]tsv')" = x.egt ]
verdict 'the next one leaves nothing but its file'
