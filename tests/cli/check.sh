#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Our tables against foreign ones: agreements, differences, and what cannot be compared.
. "$(dirname "$0")/common"
F=$T/foreign
mkdir "$F"

# The Syzygy table of king and bishop against king: a constant for each side to move, and a checksum.
constants() { # constants BLACK CHECKSUM
	printf '\161\350\043\135\061\000\356\146\063\000\200\002\200'"$1"
	head -c 50 /dev/zero
	printf "$2"
}
right() { constants '\002' '\113\067\357\142\076\151\352\333\147\126\167\174\026\003\116\157'; }
# One byte of its values is 4 instead of 2: Black to move wins. The checksum fits these bytes.
wrong() { constants '\004' '\344\201\260\332\362\225\111\014\015\321\205\146\177\201\122\222'; }

answers 'two tables of ours' 0 '^2 tables in ' endlab build KBvK --metric dtm,wdl50
refuses 'nothing to compare with' 1 'check: KBvK: nothing to compare with: no foreign table in the folders' \
	endlab check KBvK --json
answers 'a slice of a group without a foreign table is said' 1 '^KBvK +no foreign table covers it$' endlab check 3
right >"$F/KBvK.rtbw"
refuses 'nothing of ours' 1 "check: no table of KBvK in $T/none. Run 'endlab build KBvK'" \
	endlab --dir "$T/none" --path "$F" check KBvK

export ENDLAB_PATH="$F"
answers 'no difference' 0 '^KBvK +wdl50 +52,234 positions, no difference from .*/KBvK.rtbw in wdl50  ' endlab check KBvK
grep -qE '^KBvK +dtm +52,234 positions, no difference from .* in wdl  ' "$T/out"
verdict 'depths are compared by outcome'
grep -q '^2 comparisons with 1 foreign table, 104,468 positions: no difference$' "$T/out"
verdict 'the sum'
answers 'one metric of ours' 0 '^KBvK +dtm ' endlab check KBvK --metric dtm
[ "$(wc -l <"$T/out")" -eq 1 ]
verdict 'is one comparison'
answers 'an outcome off a table that tells it' 0 '^KBvK +wdl +52,234 .* in wdl  ' endlab check KBvK --metric wdl
answers 'a group' 0 '^KBvK +dtm .*no difference' endlab check 3

wrong >"$F/KBvK.rtbw"
answers 'a changed byte is found' 1 \
	'^KBvK +wdl50 +52,234 positions, 28,056 different from .*/KBvK.rtbw in wdl50  ' endlab check KBvK --metric wdl50
grep -q '^  8/8/8/8/8/8/8/KBk5 b - - 0 1: ours draw, theirs win$' "$T/out"
verdict 'and shown'
grep -q '^  and 28,048 more$' "$T/out"
verdict 'as far as there is room'
run endlab check KBvK --metric wdl50 --json
[ "$(json slice)" = KBvK ] && [ "$(json source)" = "$F/KBvK.rtbw" ] &&
	grep -q '"ours":"wdl50"' "$T/out" && [ "$(json metric)" = wdl50 ] && [ "$(json compared)" = 52234 ] && [ "$(json different)" = 28056 ] &&
	[ "$(grep -o '"fen":' "$T/out" | wc -l)" -eq 8 ] && [ "$status" -eq 1 ]
verdict 'for programs'
grep -q '"first":\[{"fen":"8/8/8/8/8/8/8/KBk5 b - - 0 1","ours":{"outcome":"draw"},"theirs":{"outcome":"win"}' "$T/out"
verdict 'with both values'

answers 'probe tells what contradicts what' 3 'the tables contradict each other: .*KBvK.rtbw says win \(wdl50\)' \
	endlab probe '8/8/8/8/8/8/8/KB3k2 b - - 0 1'
grep -q '^! wdl50  win ' "$T/out"
verdict 'and marks it'

mkdir "$F/more"
right >"$F/more/KBvK.rtbw"
answers 'another table, that does not answer, is compared too' 1 \
	'^KBvK +wdl50 .* no difference from .*/more/KBvK.rtbw in wdl50' endlab check KBvK --metric wdl50
grep -q 'different from .*foreign/KBvK.rtbw' "$T/out"
verdict 'with the one that does'
rm -r "$F/more"

answers 'verify: a foreign file that is wrong' 1 \
	'^KBvK +wdl50 +52,234 positions 28,056 wrong; the first: 8/8/8/8/8/8/8/KBk5 b - - 0 1: expected draw, found win' \
	endlab --dir "$T/none" verify "$F/KBvK.rtbw"
answers 'recode: it becomes a table of ours' 0 '^KBvK wdl50  80 -> [0-9,]* bytes' \
	endlab recode "$F/KBvK.rtbw" -o "$T/wrong.egt" --codec raw
answers 'that is as wrong' 1 '28,056 wrong; the first' endlab verify "$T/wrong.egt"
refuses 'no foreign table is written over' 2 'a table of ours is written' \
	endlab recode "$F/KBvK.rtbw" -o "$F/KBvK.rtbw" --force
right >"$F/KBvK.rtbw"
answers 'verify: one that is right, wherever it lies' 0 '^KBvK +wdl50 +52,234 positions all right' \
	endlab --dir "$T/none" --path "$T/none" verify "$F/KBvK.rtbw"
answers 'verify: a slice that a foreign table alone covers' 0 '^KBvK +wdl50 .* all right' \
	endlab --dir "$T/none" verify KBvK
printf '\113' | dd of="$F/KBvK.rtbw" bs=1 seek=20 conv=notrunc 2>/dev/null
answers 'a damaged file is no table that is missing' 3 "check: $F/KBvK.rtbw: expected checksum" endlab check KBvK
refuses 'verify: nor here' 3 "verify: $F/KBvK.rtbw: expected checksum [0-9a-f]*, found [0-9a-f]*\$" \
	endlab verify "$F/KBvK.rtbw"
ENDLAB_PATH=

# ---- real ones ----
endlab build 3 --metric dtm,wdl50,dtz50 >"$T/out" 2>"$T/err"

# ---- published statistics ----
# The counts of king and rook against king, up to symmetry, and the lengths of the longest wins (10, 16 and 28 moves)
# are in the literature; tests/unit/core/test_published.c has the rest, counted by brute force.
side() { # side LOSSES DRAWS WINS
	printf '{"win": [], "loss": [], "wdl": {"-2": %s, "-1": 0, "0": %s, "1": 0, "2": %s}}' "$@"
}
ending() { printf '{"longest": [], "histogram": {"white": %s, "black": %s}}' "$1" "$2"; }
rook() { ending "$(side 0 0 21959)" "$(side "$1" "$2" 0)"; }
printf '{"KRvK": %s, "KQQvK": %s, "KQRRvK": %s}' "$(rook 25260 2796)" "$(rook 1 1)" "$(rook 1 1)" >"$T/s.json"
answers 'statistics: no difference' 0 '^KRvK +wdl50 +3 figures, no difference from .*/s.json in wdl50  ' \
	endlab check --statistics "$T/s.json" --metric wdl50
grep -q '^no table of ours: 1 ending of 4 pieces: KQQvK$' "$T/out" &&
	grep -q '^no table of ours: 1 ending of 5 pieces: KQRRvK$' "$T/out"
verdict 'statistics: endings without a table are named'
refuses 'statistics: not what was asked for' 1 "check: no table of KQQvK in .*'endlab build KQQvK'" \
	endlab check --statistics "$T/s.json" KQQvK
refuses 'statistics: what the file lacks' 1 'check: .*/s.json: it has no statistics of KQvK$' \
	endlab check --statistics "$T/s.json" KQvK
answers 'statistics: of a group' 0 '^KQvK +is not in .*/s.json$' endlab check --statistics "$T/s.json" 3 --metric wdl50
answers 'statistics: no tables' 1 'nothing to compare: no tables of ours in .*/none are of its 3 endings$' \
	endlab --dir "$T/none" check --statistics "$T/s.json" --json
rook 25261 2795 >"$T/one"
answers 'statistics: an ending without a name' 1 '^KRvK +dtm +3 figures, 2 different from ' \
	endlab check KRvK --metric dtm --statistics "$T/one"
grep -q '^  Black to move, loss: ours 25,260, theirs 25,261$' "$T/out" &&
	grep -q '^  Black to move, draw: ours 2,796, theirs 2,795$' "$T/out"
verdict 'statistics: differences are named'
run endlab check KRvK --metric dtm --statistics "$T/one" --json
[ "$(json slice)" = KRvK ] && [ "$(json source)" = "$T/one" ] && [ "$(json metric)" = wdl ] &&
	[ "$(json compared)" = 3 ] && [ "$(json different)" = 2 ] && [ "$status" -eq 1 ] &&
	grep -q '"first":\[{"figure":"count","to_move":"black","outcome":"loss","ours":25260,"theirs":25261},' "$T/out"
verdict 'statistics: for programs'
refuses 'statistics: an ending without a name needs one' 1 'one: it does not say of which ending it is: name one slice' \
	endlab check --statistics "$T/one"
longest() { # longest PLIES POSITION: wins of White, none of Black
	printf '{"sets":[{"castling":false,"rows":[{"m":"KQK","c":[0,0,0,0,0,0,0,0],"l":{"dtm":[[%s,"%s"],[0,""]]}}]}]}' "$@"
}
longest 19 'k7/8/1K6/8/8/8/8/6Q1 w' >"$T/c.json" # Qg8 is mate
run endlab check --statistics "$T/c.json" KQvK --metric dtm
! grep -q 'longest' "$T/out" &&
	grep -q '^  k7/8/1K6/8/8/8/8/6Q1 w - - 0 1: ours win, mate in 1 ply .*theirs win, mate in 19 plies' "$T/out"
verdict 'statistics: a longest win, whose position is looked up'
longest 21 '8/8/8/8/8/2k5/8/K6Q w' >"$T/c.json"
answers 'statistics: a longer win than ours' 1 \
	'^  longest win of White in dtm, White to move: ours 19 plies \(10 moves\) \(.*\), theirs 21 plies' \
	endlab check --statistics "$T/c.json" KQvK --metric dtm
longest 21 '8/8/8/8/8/2k5/8/K6R w' >"$T/c.json"
refuses 'statistics: a damaged file' 3 'c.json: KQK: dtm: expected a position of this ending, found' \
	endlab check --statistics "$T/c.json"
refuses 'statistics: another file' 3 'KRvK.dtm.egt: line 1, column 1: expected JSON' \
	endlab check --statistics "$ENDLAB_DIR/KRvK.dtm.egt"
refuses 'statistics: no file' 4 'nothing.json' endlab check --statistics "$T/nothing.json"
refuses 'statistics: or slices' 2 'no slice given; usage: endlab check SLICE... | --statistics FILE' endlab check

GAVIOTA=/usr/share/gaviotatb
if [ -d "$GAVIOTA/gtb4" ]; then
	answers 'Gaviota: no difference' 0 '^5 comparisons with 5 foreign tables, 367,868 positions: no difference$' \
		endlab --path "$GAVIOTA/gtb4" check 3 --metric dtm
	answers 'Gaviota: proved' 0 '^KPvK +dtm +165,676 positions all right' \
		endlab --path "$GAVIOTA/gtb4" --dir "$T/none" verify "$GAVIOTA/gtb4/kpk.gtb.cp4"
	endlab --path "$GAVIOTA/gtb4" recode "$GAVIOTA/gtb4/kpk.gtb.cp4" -o "$T/k.egt" >"$T/out" 2>"$T/err" &&
		cmp "$T/k.egt" "$ENDLAB_DIR/KPvK.dtm.egt" >>"$T/out"
	verdict 'Gaviota: recoded, it is the table that a build makes'
else
	skip 'Gaviota: no tables here'
fi
SYZYGY=${ENDLAB_SYZYGY:-../shared/data/syzygy}
if [ -f "$SYZYGY/KPvK.rtbz" ]; then
	answers 'Syzygy: no difference' 0 '^20 comparisons with 10 foreign tables, 1,471,472 positions: no difference$' \
		endlab --path "$SYZYGY" check 3 --metric wdl50,dtz50
	grep -qE '^KPvK +dtz50 .*/KPvK.rtbz in dtz50(, [0-9,]+ of them within a ply, where it rounds)?  ' "$T/out"
	verdict 'Syzygy: depths'
	answers 'Syzygy: proved, without ours' 0 '^KPvK +dtz50 +165,676 positions all right' \
		endlab --path "$SYZYGY" --dir "$T/none" verify KPvK --metric dtz50
	refuses 'Syzygy: what it depends on is needed' 1 'no wdl50 table of KQvK .*--path' \
		endlab --dir "$T/none" verify "$SYZYGY/KPvK.rtbw"
	refuses 'Syzygy: moves are no plies' 1 "recode: .*KRvK.rtbz: some .*rounded.*'endlab build KRvK --metric dtz50'" \
		endlab --path "$SYZYGY" recode "$SYZYGY/KRvK.rtbz" -o "$T/z.egt"
else
	skip 'Syzygy: no tables here'
fi
