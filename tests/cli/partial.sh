#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tables of slices whose successors are missing: building, listing, counting and proving them.
. "$(dirname "$0")/common"
D=$ENDLAB_DIR

# ---- build ----
answers 'a slice alone' 0 '^1 table in ' endlab build --partial KPvK
[ "$(ls "$D")" = KPvK.wdl.egt ] && grep -qE '^  1/1  KPvK     wdl +[1-9][0-9]* passes' "$T/out"
verdict 'is one file of outcomes'
grep -qE '^ +missing: KQvK, KRvK, KBvK, KNvK$' "$T/out"
verdict 'what was missing is told'
cp "$D/KPvK.wdl.egt" "$T/alone.egt"
answers 'a partial table is made again' 0 '^1 table in ' endlab build KPvK --partial --metric wdl
cmp -s "$D/KPvK.wdl.egt" "$T/alone.egt"
verdict 'and is the same'
answers 'what is named first comes last' 0 '^3 tables in ' \
	endlab --dir "$T/order" build --partial KNPK KPK KQK
[ "$(sed -n 's/^ *[0-9]*\/[0-9]* *\([A-Za-z]*\) .*/\1/p' "$T/out" | tr '\n' ' ')" = 'KQvK KPvK KNPvK ' ]
verdict 'if it enters the others'
endlab --dir "$T/one" build --partial KPvKP --threads 1 >"$T/out" 2>"$T/err" &&
	endlab --dir "$T/two" build --partial KPvKP --threads 3 >"$T/out" 2>"$T/err" &&
	cmp -s "$T/one/KPvKP.wdl.egt" "$T/two/KPvKP.wdl.egt"
verdict 'any number of threads gives the same bytes'
refuses 'depths are not partial' 2 \
	'build: partial tables hold outcomes only: expected --metric wdl, found dtm$' \
	endlab --dir "$T/none" build --partial KPvK --metric wdl,dtm
refuses 'no such slice' 1 . endlab --dir "$T/none" build --partial KXvK
refuses 'the option takes no value' 2 'option --partial takes no value' \
	endlab --dir "$T/none" build --partial=yes KPvK
[ ! -e "$T/none" ]
verdict 'nothing was made'

# ---- list ----
answers 'list tells it' 0 '^KPvK .* usual: partial, both sides to move, .*16K blocks, for the root ' endlab list
run endlab list --json
grep -qE '"slice":"KPvK",.*"detail":"[^"]* partial","tier":"root","ignored":null,"verified":null,"partial":true\}' "$T/out"
verdict 'list --json too'
endlab --dir "$T/order" list --json >"$T/out"
[ "$(grep -o '"partial":true' "$T/out" | wc -l)" -eq 2 ] &&
	[ "$(grep -o '"partial":false' "$T/out" | wc -l)" -eq 1 ]
verdict 'of each table'

# ---- stats ----
run endlab stats KPvK --json
B='"bounds":\{"LL":[0-9]+,"TT":[0-9]+,"WW":[0-9]+,"LT":[0-9]+,"TW":[0-9]+,"LW":[0-9]+\}'
grep -qE "\"white_to_move\":\{\"legal\":163328,.*\"histogram\":\{\},$B\},\"black_to_move\":.*$B\}.*,\"passes\":[1-9][0-9]*,\"phases\":\{\"wdl\":.*\}$" "$T/out"
verdict 'stats --json has bounds and passes'
sum=$(sed 's/"black_to_move.*//; s/.*"bounds"://' "$T/out" | grep -o ':[0-9]*' |
	awk -F: '{s += $2} END {print s}')
[ "$sum" -eq 163328 ]
verdict 'the parts add up'
grep -qE '"resolved"|"no_capture"' "$T/out"
[ $? -ne 0 ]
verdict 'chess has no leading ranks and no forced captures'
answers 'stats for people' 0 '^  at least a draw  +[1-9]' endlab stats KPvK
grep -qE '^wdl solved in [1-9][0-9]* passes$' "$T/out"
verdict 'stats for people: passes'

# ---- verify ----
answers 'verify' 0 'KPvK +wdl .* all right without KQvK, KRvK, KBvK, KNvK ' endlab verify KPvK
endlab build KQvK --metric wdl >"$T/out" 2>"$T/err"
answers 'bounds that could be narrower are told' 0 \
	'all right without KRvK, KBvK, KNvK; [1-9][0-9,]* positions have narrower bounds by now: build --partial again' \
	endlab verify KPvK
answers 'building again narrows them' 0 '^ +missing: KRvK, KBvK, KNvK$' endlab build --partial KPvK
answers 'and then they are right' 0 'all right without KRvK, KBvK, KNvK  ' endlab verify KPvK
mv "$D/KQvK.wdl.egt" "$T"
answers 'what rests on a missing table is not proved' 1 \
	'[1-9][0-9,]* cannot be proved without KQvK, KRvK, KBvK, KNvK' endlab verify KPvK
mv "$T/KQvK.wdl.egt" "$D"

# ---- with other builds ----
answers 'a whole table stays' 0 '^nothing to build' endlab build --partial KQvK
answers 'depths come with whole tables' 0 '^5 tables in ' endlab build KPvK
answers 'outcomes are read off them' 0 '^1 table in ' endlab build --partial KPvK
answers 'and are all known' 0 '^KPvK +wdl +egt .* usual: only [A-Za-z]+ to move, .*16K blocks, for the root +/' endlab list
answers 'a build makes partial tables whole' 0 '^5 tables in ' \
	endlab --dir "$T/alone" build KPvK --metric wdl
endlab --dir "$T/whole" build --partial KPvK >"$T/out" 2>"$T/err" &&
	endlab --dir "$T/whole" build KPvK --metric wdl >"$T/out" 2>"$T/err"
cmp -s "$T/whole/KPvK.wdl.egt" "$T/alone/KPvK.wdl.egt" && cmp -s "$D/KPvK.wdl.egt" "$T/alone/KPvK.wdl.egt"
verdict 'that was partial before, as well'
endlab --dir "$T/each" build --partial 3 >"$T/out" 2>"$T/err"
rm "$T/alone/KRvK+castling.wdl.egt" # outcomes within bounds have none
for file in "$T"/alone/*.egt; do
	cmp "$file" "$T/each/$(basename "$file")" || break
done >"$T/out" 2>&1
[ ! -s "$T/out" ] && [ "$(ls "$T/each")" = "$(ls "$T/alone")" ]
verdict 'with nothing missing the files are those of an ordinary build'

# ---- recode ----
answers 'recode' 0 '^KPvK wdl .* xz:[0-9]* 4K none$' \
	endlab recode "$T/alone.egt" -o "$T/r.egt" --codec xz --block 4K --fill none
answers 'and back' 0 . endlab recode "$T/r.egt" -o "$T/back.egt" --codec zstd --block 16K --fill previous
cmp -s "$T/back.egt" "$T/alone.egt"
verdict 'no bound is lost'

# ---- captures left out, and another game ----
answers 'captures left out' 0 '^4 tables in ' endlab --dir "$T/draughts" build --partial \
	checkers:KvK checkers:MvM checkers:MMvM checkers:MMvMM --derive captures
grep -qE '^ +missing: checkers:KMvM, checkers:KMvMM$' "$T/out"
verdict 'what was missing is told here too'
answers 'they are found again' 0 'checkers:MMvMM +wdl .*all right without' \
	endlab --dir "$T/draughts" verify checkers:MMvMM
endlab --dir "$T/plain" build --partial checkers:KvK checkers:MvM checkers:MMvM checkers:MMvMM \
	>"$T/out" 2>"$T/err"
endlab --dir "$T/draughts" stats checkers:MMvMM --json | sed 's/,"phases".*//' >"$T/derived"
endlab --dir "$T/plain" stats checkers:MMvMM --json | sed 's/,"phases".*//' >"$T/out"
cmp -s "$T/derived" "$T/out"
verdict 'and counted the same'
grep -qE "\"no_capture\":\{\"legal\":[0-9]+,\"win\":[0-9]+,\"draw\":[0-9]+,\"loss\":[0-9]+,$B\},$B,\"resolved\":\{\"7\":\{\"7\":[0-9.]+,\"6\":" "$T/out"
verdict 'stats --json has what is resolved, by leading ranks'
answers 'stats for people: by leading ranks' 0 '^  7( +[0-9]+){7}$' \
	endlab --dir "$T/plain" stats checkers:MMvMM

answers 'captures tell bounds as well' 0 ' captures$' \
	endlab recode "$T/alone.egt" -o "$T/x.egt" --derive captures
# ---- an exact table elsewhere ----
W='8/8/8/8/4k3/8/1P6/K7 w - - 0 1'
endlab --dir "$T/bounds" build --partial KPvK >"$T/out" 2>"$T/err"
endlab --dir "$T/whole" build KPvK --metric wdl >"$T/out" 2>"$T/err"
answers 'bounds alone' 0 "^$W.at-least-draw" endlab --dir "$T/bounds" probe --tsv "$W"
answers 'an exact table goes before bounds' 0 "^$W.win" \
	endlab --dir "$T/bounds" --path "$T/whole" probe --tsv "$W"
answers 'and the other is listed as a second one' 0 '^second .*KPvK.wdl.egt: KPvK wdl is taken from' \
	endlab --dir "$T/bounds" --path "$T/whole" list

answers 'the option is completed' 0 '^--partial' endlab --complete bash build --par
answers 'and explained' 0 '^  --partial ' endlab build --help
