#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What is missing from a set of tables, or wrong with it.
. "$(dirname "$0")/common"
answers 'no tables' 0 '^0 tables' endlab doctor
endlab build 3 KQvKR >"$T/log" 2>&1
answers 'a sound set' 0 '^Nothing is missing or damaged.$' endlab doctor
grep -qE '^  3 pieces +5 of 5$' "$T/out" && grep -qE '^  4 pieces +1 of 30$' "$T/out"
verdict 'with what there is of each group'

S=$T/set
cp -r "$ENDLAB_DIR" "$S"
rm "$S"/KQvK.dtm.egt "$S"/KPvK.dtm.egt "$S"/*castling*
mv "$S/KRvK.dtm.egt" "$S/KRvK.dtm.egt.part"
head -c 300 "$S/KQvKR.dtm.egt" >"$T/cut" && mv "$T/cut" "$S/KQvKR.dtm.egt"
mkdir "$S/old" && cp "$ENDLAB_DIR/KNvK.dtm.egt" "$S/old"
run endlab doctor "$S"
[ "$status" -eq 1 ] && grep -qE '^damaged or unreadable: 1 file$' "$T/out" && grep -q "^  $S/KQvKR.dtm.egt: " "$T/out"
verdict 'a damaged file'
grep -q "^  $S/KRvK.dtm.egt.part: an unfinished download$" "$T/out"
verdict 'an unfinished one'
grep -q "^  $S/old/KNvK.dtm.egt: the same bytes as $S/KNvK.dtm.egt$" "$T/out"
verdict 'one twice'
cp "$ENDLAB_DIR"/KQvK.dtm.egt "$ENDLAB_DIR"/KPvK.dtm.egt "$S"
run endlab doctor "$S"
grep -qE '^  3 pieces +4 of 5   missing KRvK$' "$T/out"
verdict 'a hole in a set'
grep -qE '^  KPvK:( [A-Za-z]*)* KRvK$' "$T/out"
verdict 'and which moves it leaves without a value'
grep -qE '^  egt dtm: 1 file to download, or to build: .* of memory, .* of disk$' "$T/out"
verdict 'and what the rest takes'
run endlab doctor "$S" --json
grep -q '"missing":\["KRvK"\]' "$T/out" && grep -q '"is":"double"' "$T/out" && [ "$status" -eq 1 ]
verdict 'as JSON'
if [ -d "${ENDLAB_SYZYGY:-../shared/data/syzygy}" ]; then
	F=$T/foreign
	cp -r "${ENDLAB_SYZYGY:-../shared/data/syzygy}" "$F"
	rm "$F/KQvKR.rtbz"
	answers 'outcomes without plies' 1 "^  $F/KQvKR.rtbw: the file with its plies is missing$" endlab doctor "$F"
else
	skip 'no Syzygy tables'
fi
refuses 'a folder that is none' 4 "$S/KQvK.dtm.egt" endlab doctor "$S/KQvK.dtm.egt"
