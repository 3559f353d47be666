#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# verify: sets of tables, the record kept beside them, samples.
. "$(dirname "$0")/common"
D=$ENDLAB_DIR
KEPT=$D/.verified.tsv
endlab build 3 --no-verify >/dev/null 2>&1
TODAY=$(date +%Y-%m-%d)

poke() { # poke FILE OFFSET: flips a bit of that byte
	byte=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
	printf "\\$(printf %03o $((byte ^ 1)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# ---- the record ----

run endlab list
! grep -q verified "$T/out"
verdict 'nothing is called verified at first'
answers 'list --json: nor there' 0 '"slice":"KQvK".*"verified":null' endlab list --json
answers 'a set, and a line about it' 0 '^5 tables: 5 right; 367,868 positions in ' endlab verify 3
[ "$(grep -c 'all right' "$T/out")" -eq 5 ] && [ "$(tail -1 "$T/out" | cut -c 1-9)" = '5 tables:' ]
verdict 'which comes last'
answers 'list tells when, by what, and how much' 0 \
	"^KQvK .* $D/KQvK.dtm.egt  verified $TODAY by endlab [0-9.]*, 46,137 positions (one by one|by whole planes)$" endlab list
answers 'list --json does' 0 \
	'"slice":"KQvK".*"verified":\{"what":"all","by":"(planes|positions)","positions":46137,"wrong":0,"date":"[0-9]{4}-[0-9-]*T[0-9:]*Z","version":"[0-9.]*","changed":null\}' \
	endlab list --json
answers 'what has not changed is not proved again' 0 \
	"^KPvK +dtm +165,676 positions all right, verified on $TODAY by endlab [0-9.]* and unchanged since" \
	endlab verify 3
grep -q '^5 tables: 5 right before and unchanged; 0 positions in' "$T/out"
verdict 'and counted apart'
answers 'unless that is asked for' 0 '^5 tables: 5 right; 367,868 positions' endlab verify 3 --again
endlab build 3 --metric wdl --no-verify >/dev/null 2>&1
answers 'several metrics' 0 '^10 tables: 5 right, 5 right before and unchanged;' endlab verify 3 --metric dtm,wdl
answers 'a file by its name: the same' 0 'verified on .* and unchanged since' endlab verify "$D/KQvK.dtm.egt"

# ---- changes ----

cp -p "$D/KQvK.dtm.egt" "$T/good"
size=$(wc -c <"$T/good")
poke "$D/KQvK.dtm.egt" $((size / 2))
answers 'a table that changed is not called verified' 0 \
	"^KQvK +dtm .* not verified: changed since $TODAY$" endlab list
answers 'list --json says which' 0 '"slice":"KQvK","metric":"dtm".*"changed":"KQvK dtm"' endlab list --json
answers 'and verify finds the damage' 3 '^endlab: verify: .*KQvK.dtm.egt: block ' endlab verify KQvK --metric dtm
touch -r "$T/good" "$D/KQvK.dtm.egt"
answers 'even where no date tells' 3 '^endlab: verify: .*KQvK.dtm.egt: block ' endlab verify KQvK --metric dtm
endlab build KQvK --replace --codec raw --no-verify >/dev/null 2>&1
answers 'another table on which a proof rests' 0 \
	"^KPvK +dtm .* not verified: KQvK dtm changed since $TODAY$" endlab list
answers 'both are proved again' 0 '^5 tables: 2 right, 3 right before and unchanged;' endlab verify 3 --metric dtm
answers 'and called verified again' 0 '^KPvK +dtm .* verified ' endlab list

# ---- damage ----

kept_is() { # kept_is NAME: $KEPT is damaged; verify reports that once and repairs it
	run endlab list
	[ "$status" -eq 0 ] && [ "$(grep -c '^endlab: list: .*verified.tsv: ' "$T/err")" -eq 1 ] &&
		[ "$(wc -l <"$T/err")" -eq 1 ] && ! grep -qE '^KQvK +dtm .*  verified ' "$T/out"
	verdict "$1: told once, and nothing is made of it"
	run endlab verify 3 --metric dtm
	[ "$status" -eq 0 ] && [ "$(grep -c '^endlab: ' "$T/err")" -eq 1 ] && [ "$(grep -c 'all right' "$T/out")" -eq 5 ]
	verdict "$1: verify goes on"
	run endlab list
	[ ! -s "$T/err" ] && [ "$(grep -c ' dtm .* verified' "$T/out")" -eq 5 ]
	verdict "$1: mended"
}
head -c 700 "$KEPT" >"$T/cut" && cp "$T/cut" "$KEPT"
kept_is 'cut short'
echo 'nothing of the kind' >"$KEPT"
kept_is 'nonsense'
head -c 5000 /dev/urandom >"$KEPT"
kept_is 'noise'
sed 's/46137/46138/' "$KEPT" >"$T/edited" && cp "$T/edited" "$KEPT"
kept_is 'edited'
rm "$KEPT" && mkdir "$KEPT"
answers 'where nothing can be kept, the proof stands' 0 '^5 tables: 5 right' endlab verify 3 --metric dtm
[ "$(grep -c '^endlab: verify: the results are not kept: ' "$T/err")" -eq 1 ]
verdict 'and that is told once'
rmdir "$KEPT"

# ---- several at once ----

for i in 1 2 3 4; do
	endlab verify 3 >"$T/out$i" 2>"$T/err$i" &
done
wait
cat "$T"/err[1-4] >"$T/err"
cat "$T"/out[1-4] >"$T/out"
! grep -q '^endlab' "$T/err" && [ "$(grep -c 'all right' "$T/out")" -eq 40 ] && [ "$(wc -l <"$KEPT")" -eq 12 ] # castling apart
verdict 'four at once: every line is kept'
answers 'and sound' 0 '^10 tables: 10 right before and unchanged' endlab verify 3

# ---- missing tables, interruptions ----

answers 'a set that is not all there' 1 \
	'^5 tables: 5 right before and unchanged; 30 missing, among them KQQvK dtm, .*KRBvK dtm; 0 positions' \
	endlab verify 3-4 --metric dtm
answers 'a few are all named' 1 '; 5 missing: KQvK dtc, KRvK dtc, KBvK dtc, KNvK dtc, KPvK dtc; ' \
	endlab verify 3 --metric dtc
refuses 'a slice that is not there' 1 'no table of KQvKR in .*endlab build KQvKR' endlab verify KQvKR
rm -f "$KEPT"
"$ENDLAB" verify 3 --metric dtm $(yes 3 | head -500) --again >"$T/out" 2>"$T/err" &
pid=$!
for i in $(seq 200); do
	[ -s "$KEPT" ] && [ "$(wc -l <"$KEPT")" -ge 6 ] && break
	sleep 0.1
done
kill -TERM $pid
wait $pid
[ $? -eq 143 ] && [ "$(grep -c '^endlab: verify: .* dtm: stopped$' "$T/err")" -eq 1 ] &&
	grep -q ' not looked at; ' "$T/out"
verdict 'stopped: one line'
answers 'what was finished is kept' 0 '^5 tables: 5 right before and unchanged' endlab verify 3 --metric dtm

# ---- samples ----

endlab build KRvKN --metric dtm,dtz50 --no-verify >/dev/null 2>&1
answers 'a sample' 0 '^KRvKN +dtm +[0-9]{2},[0-9]{3} positions of a sample all right' \
	endlab verify KRvKN --metric dtm --sample 20000
cp "$T/out" "$T/once"
answers 'list tells it' 0 "^KRvKN +dtm .* sampled $TODAY by endlab [0-9.]*, [0-9]{2},[0-9]{3} positions" endlab list
answers 'a smaller one is answered by it' 0 'positions of a sample all right, verified on' \
	endlab verify KRvKN --metric dtm --sample 10000
answers 'a larger one is not' 0 '^KRvKN +dtm +[0-9]{2},[0-9]{3} positions of a sample all right  ' \
	endlab verify KRvKN --metric dtm --sample 40000
answers 'of a file, the same positions every time' 0 "$(sed 's/^\(.*all right\).*/\1/' "$T/once")" \
	endlab verify "$D/KRvKN.dtm.egt" --sample 20000 --again
refuses 'a proof that needs all positions' 1 \
	'KRvKN dtz50 cannot be verified on a sample: its proof plays out whole phases' \
	endlab verify KRvKN --metric dtz50 --sample 1000
answers 'a whole proof takes its place' 0 '^KRvKN +dtm +[0-9,]+ positions all right' \
	endlab verify KRvKN --metric dtm
answers 'and answers later ones' 0 ' all right, verified on ' endlab verify KRvKN --metric dtm --sample 40000
refuses 'no sample' 2 "sample" endlab verify KRvKN --sample 0
refuses 'no number' 2 "sample" endlab verify KRvKN --sample many

# ---- studies ----

rm -rf "$D" && mkdir "$D"
R='8/8/8/p7/P2K4/8/8/6k1 w - - 0 1'
endlab solve "$R" --pieces none >/dev/null 2>&1
S=$(basename "$D"/*.study)
answers 'a study' 0 '^study:KPvKP dtz +[0-9]{2},[0-9]{3} positions all right  ' endlab verify "$D/$S"
answers 'is remembered' 0 'all right, verified on ' endlab verify "$D/$S"
answers 'and listed' 0 "^study:KPvKP .*  verified $TODAY by endlab " endlab list
refuses 'but has no sample' 1 'a study cannot be verified on a sample' endlab verify "$D/$S" --sample 9 --again
answers 'statistics of it' 0 "^root  $R  " endlab stats "$D/$S"
positions=$(sed -n 's/^10 frames, \([0-9,]*\) positions.*/\1/p' "$T/out" | tr -d ,)
reached=$(sed -n 's/^  reached  *//p' "$T/out" | tr -d , | tr '\n' '+')
[ "$positions" -eq $((${reached}0)) ]
verdict 'both sides to move together'
answers 'and for programs' 0 "\"fen\":\"$R\",.*\"frames\":10,\"positions\":$positions,.*\"followed\":\"\",\"open\":\"QRBN\"" \
	endlab stats "$D/$S" --json
refuses 'under its own metric' 1 'expected --metric dtz' endlab stats "$D/$S" --metric dtm
endlab build KQvK --no-verify >/dev/null 2>&1
answers 'a table that has come later' 0 'narrower bounds by now: solve it again' endlab verify "$D/$S"
rm "$D/$S"
endlab solve "$R" --pieces none >/dev/null 2>&1
answers 'a study that rests on one' 0 ' all right  ' endlab verify "$D/$S"
rm "$D/KQvK.dtm.egt"
answers 'which is gone' 1 ' cannot be proved without the tables that it was made with' endlab verify "$D/$S"
poke "$D/$S" $(($(wc -c <"$D/$S") - 30))
refuses 'damage to its list' 3 "$S: list of frames: expected checksum" endlab verify "$D/$S"
refuses 'is told by stats too' 3 "$S: list of frames: expected checksum" endlab stats "$D/$S"
answers 'records leave studies out' 1 'no tables with depths' endlab records

# ---- little memory ----

endlab build awari:0-8 morris:4v3 checkers:KMvKM >/dev/null 2>&1
for words in 'awari:8 450K 75,582' 'morris:4v3 1M 1,[0-9,]*' 'checkers:KMvKM 400K 661,200'; do
	set -- $words
	answers "$1 in pieces" 0 "^$1 +[a-z]+ +$3 positions all right" endlab verify "$1" --again --memory "$2"
done
endlab build KPvKP --derive captures+side >/dev/null 2>&1
answers 'captures and a side found piece by piece' 0 '^KPvKP +dtm +3,718,044 positions all right' \
	endlab verify KPvKP --again --memory 900K
answers 'too little for stones' 1 '^endlab: verify: awari:8 score needs about 566 KB of memory' \
	endlab verify awari:8 --again --memory 300K
