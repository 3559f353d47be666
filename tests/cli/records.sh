#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The longest wins and the mutual zugzwangs of the built tables, against published figures.
. "$(dirname "$0")/common"

refuses 'nothing is built' 1 "no tables with depths in .*tables\. Run 'endlab build 3'" endlab records
refuses 'no zugzwangs without a table' 1 "no tables in .*Run 'endlab build 3'" endlab records --zugzwangs
endlab build 3 KQvKR KPvKP KBNvK KRvKN >/dev/null 2>&1
endlab build KQvKR --metric dtc,wdl >/dev/null 2>&1
endlab build checkers:2 >/dev/null 2>&1

# record SLICE METRIC SIDE TO_MOVE: its plies and its position, from $T/all
record() {
	sed -n "s/^{\"slice\":\"$1\",\"metric\":\"$2\",\"side\":\"$3\",\"to_move\":\"$4\",\"plies\":\([0-9]*\),\"fen\":\"\([^\"]*\)\"}\$/\1 \2/p" "$T/all"
}
run endlab records --json
cp "$T/out" "$T/all"
[ "$status" -eq 0 ] && [ "$(grep -c . "$T/all")" -gt 20 ] &&
	! grep -vqE '^\{"slice":"[^"]+","metric":"[a-z0-9]+","side":"(white|black)","to_move":"(white|black)","plies":[0-9]+,"fen":"[^"]+"\}$' "$T/all"
verdict 'records --json: one object a line, with its fields'

# longest SLICE METRIC SIDE PLIES: the longest win of the side to move; its position is that deep
longest() {
	set -- "$@" "$(record "$1" "$2" "$3" "$3")"
	[ "${5%% *}" = "$4" ]
	verdict "$1 $2: the longest win of $3 takes $4 plies"
	[ "$(endlab probe --json "${5#* }" | sed "s/.*\"wdl\":\"win\",.*\"$2\":$4,.*\"moves\".*/yes/")" = yes ]
	verdict "$1 $2: and the position of $3 is that deep"
}
longest KQvK dtm white 19
longest KRvK dtm white 31
longest KPvK dtm white 55
longest KQvKR dtm white 69
longest KQvKR dtc white 61
longest KPvKP dtm white 65
longest KPvKP dtm black 65
longest KBNvK dtm white 65
longest KRvKN dtm white 79
longest KRvKN dtm black 1
longest checkers:KvK dtw white 11
[ -n "$(record KQvKR dtm white black)" ] && [ "$(record KQvKR dtm white black | cut -d' ' -f1)" -eq 70 ]
verdict 'with the loser to move as well'
! grep -qE '"KBvK"|"metric":"wdl"|"slice":"KQvK".*"side":"black"' "$T/all"
verdict 'no win, no record; no depths, no record'

answers 'records for people' 0 '^KQvKR  *dtc  *White  *White  *61  *31  8/' endlab records
grep -qE '^KBvK  *dtm  *no side wins$' "$T/out" &&
	[ "$(sed -n '/^the longest of all$/,$p' "$T/out" | grep -c .)" -eq 3 ] &&
	tail -2 "$T/out" | grep -qE '^KRvKP  *dtm  *Black  *Black  *85  *43 '
verdict 'the longest of all, by metric'
[ "$(awk 'length > 80' "$T/out" | wc -l)" -eq 0 ]
verdict 'the table fits 80 columns'
run endlab records 3 --json
[ "$status" -eq 0 ] && [ "$(sed 's/.*"slice":"\([^"]*\)".*/\1/' "$T/out" | sort -u | tr '\n' ' ')" = 'KPvK KQvK KRvK ' ]
verdict 'a group'
run endlab records checkers:2 --json
[ "$status" -eq 0 ] && [ "$(sed 's/.*"slice":"checkers:\([^"]*\)".*/\1/' "$T/out" | sort -u | tr '\n' ' ')" = 'KvK KvM MvM ' ]
verdict 'a group of draughts'
run endlab records KQvKR --metric dtc --json
[ "$status" -eq 0 ] && [ "$(grep -c '"metric":"dtc"' "$T/out")" -eq "$(wc -l <"$T/out")" ]
verdict 'one metric'
run endlab records KQvKR KQvKR KQKR --json
[ "$status" -eq 0 ] && [ "$(wc -l <"$T/out")" -eq 8 ]
verdict 'a slice named again is listed once'

# ---- zugzwangs: G. Haworth, 3-5-man mutual zugzwangs in chess, 2001 ----

# kinds SLICE FULL WHITE BLACK: how many there are of each kind, and the counts of stats
kinds() {
	run endlab records "$1" --zugzwangs --json
	[ "$(grep -c '"kind":"full"' "$T/out")" -eq "$2" ] &&
		[ "$(grep -c '"kind":"white_half"' "$T/out")" -eq "$3" ] &&
		[ "$(grep -c '"kind":"black_half"' "$T/out")" -eq "$4" ]
	verdict "$1: $2, $3 and $4 mutual zugzwangs"
	for word in 'whoever moves loses' 'White to move draws, Black to move loses' \
		'Black to move draws, White to move loses'; do
		listed=$(endlab records "$1" --zugzwangs | sed -n "s/^  $word: \([0-9,]*\) pos.*/\1/p")
		counted=$(endlab stats "$1" | sed -n "s/^  $word  *\([0-9,]*\)\$/\1/p")
		[ -n "$counted" ] && [ "${listed:-0}" = "$counted" ]
		verdict "$1: as many as stats counts: $word"
	done
}
kinds KRvK 0 0 0
kinds KPvK 0 80 0
kinds KRvKN 0 18 0
kinds KPvKP 30 106 106
run endlab records KPvKP --zugzwangs --json
! grep -vqE '^\{"slice":"KPvKP","kind":"(full|white_half|black_half)","fen":"[^"]+ w - - 0 1"\}$' "$T/out"
verdict 'zugzwangs --json: one object a line, with its fields'
# The outcome with White, then with Black to move.
sed -n 's/.*"kind":"\([a-z_]*\)","fen":"\(.*\) w - - 0 1"}$/\1 \2/p' "$T/out" >"$T/zugzwangs"
while read -r kind board; do printf '%s\n' "$board w - - 0 1" "$board b - - 0 1"; done <"$T/zugzwangs" |
	endlab probe --stdin --tsv | sed 1d | cut -f2 | paste -d' ' - - >"$T/outcomes"
cut -d' ' -f1 "$T/zugzwangs" | paste -d' ' - "$T/outcomes" | sort | uniq -c | sed 's/^ *//' >"$T/out"
[ "$(cat "$T/out")" = "106 black_half loss draw
30 full loss loss
106 white_half draw loss" ]
verdict 'probes say what kind each is'
answers 'none, in words' 0 '^KRvK: no mutual zugzwangs$' endlab records KRvK --zugzwangs
answers 'a limit' 0 '^    and 28 more$' endlab records KPvKP --zugzwangs --limit 2
[ "$(grep -c ' w - - 0 1$' "$T/out")" -eq 6 ]
verdict 'two of each kind'
answers 'no positions, only counts' 0 'loses: 60 positions, 30 up to symmetry' \
	endlab records KPvKP --zugzwangs --limit 0
mkdir "$T/bits"
endlab --dir "$T/bits" build KPvK --metric wdl >/dev/null 2>&1
answers 'outcomes are enough for zugzwangs' 0 '160 positions, 80 up' \
	endlab --dir "$T/bits" records --zugzwangs --limit 0
refuses 'outcomes are not enough for depths' 1 'no tables with depths of KPvK' \
	endlab --dir "$T/bits" records KPvK

# ---- missing, unreadable and wrong tables ----

refuses 'a slice without a table' 1 "no tables with depths of KRPvKR in .*Run 'endlab build KRPvKR'" endlab records KRPvKR
refuses 'a group without a table' 1 "of 5 in .*Run 'endlab build 5'" endlab records 5
refuses 'a metric that is not built' 1 "no dtc tables of KQvK in .*build KQvK --metric dtc" endlab records KQvK --metric dtc
answers 'the others are listed all the same' 1 '^KQvK  *dtm' endlab records KRPvKR KQvK
refuses 'an unknown metric' 2 "unknown metric 'dtx'" endlab records --metric dtx
refuses 'a metric of another game' 2 'dtw is a metric of checkers' endlab records KQvK --metric dtw
refuses 'a metric without depths' 2 'wdl has no depths' endlab records --metric wdl
refuses 'a limit of the longest wins' 2 '--limit is for --zugzwangs' endlab records --limit 3
refuses 'a limit that is no number' 2 "--limit 'x': expected a number from 0" endlab records --zugzwangs --limit x
refuses 'no slice' 1 "'KQvX'" endlab records KQvX
refuses 'no group' 2 "group '5-3'" endlab records 5-3

D="$T/damaged"
mkdir "$D" && cp "$ENDLAB_DIR/KRvK.dtm.egt" "$ENDLAB_DIR/KQvK.dtm.egt" "$D"
: >"$D/KPvK.dtm.egt"
answers 'a file that is no table' 3 'KPvK.dtm.egt: .*empty file' endlab --dir "$D" records
grep -q '^KRvK ' "$T/out" && [ "$(wc -l <"$T/err")" -eq 1 ]
verdict 'and the rest is listed'
answers 'the same by name' 3 'KPvK.dtm.egt: .*empty file' endlab --dir "$D" records KPvK

for list in '' --zugzwangs; do
	for delay in 0.1 0.05 0.03 0.3; do # while it is at work, on any machine
		timeout --preserve-status -k 20 -s INT $delay "$ENDLAB" records $list >"$T/out" 2>"$T/err"
		[ $? -eq 130 ] && [ -s "$T/err" ] && break
	done
	grep -qE '^endlab: records: K[A-Z]*vK[A-Z]* dtm: stopped$' "$T/err" &&
		! grep -q '^the longest of all' "$T/out"
	verdict "a list that is stopped${list:+: $list}"
done

for folder in /usr/share/gaviotatb /usr/share/games/gaviota; do
	[ -d "$folder" ] || continue
	answers 'foreign tables alone' 0 '^KQvK +dtm +White White +19 +10 ' \
		endlab --dir "$T/none" --path "$folder" records KQvK
	rm "$D/KPvK.dtm.egt"
	answers 'foreign tables beside ours' 0 '^KPvK +dtm ' \
		endlab --dir "$D" --path "$folder" records 3 --metric dtm
	[ "$(grep -c '^KQvK .* White White ' "$T/out")" -eq 1 ]
	verdict 'are listed where nothing else has the slice'
	break
done

# ---- samples/records.md: every row with a table; those of five pieces in $ENDLAB_RECORDS ----

[ "${ENDLAB_RECORDS:-}" ] && ENDLAB_DIR=$ENDLAB_RECORDS
tr -d '`' <"$(dirname "$0")/../../samples/records.md" |
	awk -F ' *[|] *' '$2 ~ /^K[A-Z]*vK[A-Z]*$/ { print $2 "\t" $3 "\t" $5 "\t" $6 }' >"$T/rows"
[ "$(cut -f1 "$T/rows" | sort -u | wc -l)" -eq 145 ]
verdict 'the chapter has all endings of 3 to 5 pieces'
while read -r slice plies side fen; do
	[ -f "$ENDLAB_DIR/$slice.dtm.egt" ] && printf '%s\t%s\t%s\t%s\n' "$slice" "$plies" "$side" "$fen"
done <"$T/rows" >"$T/there"
endlab records $(cut -f1 "$T/there") --metric dtm --json |
	sed -n 's/.*"slice":"\([^"]*\)".*"side":"\([^"]*\)","to_move":"\2","plies":\([0-9]*\).*/\1 \3 \2/p' |
	sort -k1,1 -k2,2nr | awk '!seen[$1]++ { print $1, $2 }' >"$T/found"
awk '$2 > 0 { print $1, $2 }' "$T/there" | sort | diff - "$T/found" >"$T/out"
verdict "the longest wins of $(wc -l <"$T/there") endings are the chapter's"
awk -F '\t' '$2 > 0 { print $4 }' "$T/there" | endlab probe --stdin --metric dtm | sed 1d | cut -f2,3 >"$T/probed"
awk -F '\t' '$2 > 0 { print "win\t" $2 }' "$T/there" | diff - "$T/probed" >"$T/out"
verdict 'and their positions have these depths'
