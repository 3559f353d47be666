#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Things in folders that are not our tables, or cannot be read: the program reports all of them.
. "$(dirname "$0")/common"
D=$ENDLAB_DIR
GAVIOTA=/usr/share/gaviotatb
FEN='8/8/8/8/8/2k5/8/K6Q w - - 0 1'
endlab build KQvK >/dev/null 2>&1

# ---- known names ----
F=$T/foreign
mkdir "$F"
for slice in KQvK KRvK KBvK KNvK KPvK; do
	echo dtm >"$F/$slice.rtbm"
done
echo nalimov >"$F/kqk.nbw.emd"
echo nalimov >"$F/kqk.nbb.emd"
echo notes >"$F/readme.txt"
mkfifo "$F/KRvK.rtbw"
answers 'many files that are not read share a line' 0 \
	"^ignored  5 \.rtbm files in $F: Syzygy DTM tables are not read yet$" endlab list --path "$F"
grep -q "^ignored  $F/kqk.nbw.emd: Nalimov tables are not read$" "$T/out"
verdict 'a few have one each'
grep -q "^ignored  $F/KRvK.rtbw: found a pipe, expected a file$" "$T/out"
verdict 'a pipe is not opened'
grep -q "^ignored  $F/readme.txt: not named like a table$" "$T/out"
verdict 'another file is told too'
run endlab list --json --path "$F"
[ "$(grep -o '"ignored":"Syzygy DTM tables are not read yet"' "$T/out" | wc -l)" -eq 5 ]
verdict 'list --json has each'
answers 'a probe waits for no pipe' 4 'found a pipe' endlab --path "$F" probe --tsv "8/8/8/8/8/2k5/8/K6R w - - 0 1"

# ---- files named, and slices that foreign tables alone cover ----
echo wdl >"$F/KQvK.rtbw"
refuses 'verify: a foreign file that is none' 3 \
	"verify: $F/KQvK.rtbw: damaged or not a Syzygy table" endlab verify "$F/KQvK.rtbw"
refuses 'verify: one that is not read at all' 1 "KQvK.rtbm: Syzygy DTM tables are not read yet" \
	endlab verify "$F/KQvK.rtbm"
refuses 'recode: a foreign file that is none' 3 "recode: $F/KQvK.rtbw: damaged or not a Syzygy table" \
	endlab recode "$F/KQvK.rtbw" -o "$T/x.egt"
if [ -d "$GAVIOTA/gtb4" ]; then
	export ENDLAB_PATH=$GAVIOTA
	answers 'verify: a slice that foreign tables alone cover' 0 '^KRvK +dtm .* all right' endlab verify KRvK
	answers 'stats too' 0 'legal +175,168 ' endlab stats KRvK
	answers 'one of ours beside it is verified' 0 '^KQvK +dtm .* all right' endlab verify KQvK
	answers 'and nothing but a build takes the place of them' 0 '^1 table in ' endlab build KRvK
	ENDLAB_PATH=
else
	skip 'slices that foreign tables alone cover: no Gaviota tables here'
fi

# ---- a table that should answer, and cannot ----
echo junk >"$D/KBvK.dtm.egt"
refuses 'verify of a slice tells what is wrong with its file' 3 \
	"verify: $D/KBvK.dtm.egt: expected the first bytes.*'endlab build KBvK --repair'" endlab verify KBvK
refuses 'stats too' 3 "stats: $D/KBvK.dtm.egt: expected the first bytes" endlab stats KBvK
refuses 'and the lab' 3 "lab: $D/KBvK.dtm.egt: expected the first bytes" endlab lab KBvK
answers 'a file that could not be opened hides no other' 0 '^KQvK +dtm .* all right' endlab verify KQvK
endlab --dir "$T/bounds" build --partial KRvKB --derive captures >"$T/out" 2>"$T/err"
W='8/8/8/8/8/2k5/2b5/K1R5 w - - 0 1'
answers 'captures into a slice that is not built are bounds' 0 . endlab --dir "$T/bounds" probe --tsv "$W"
echo junk >"$T/bounds/KRvK.dtm.egt"
answers 'into one whose table cannot be opened, they are an error' 3 \
	"error.$T/bounds/KRvK.dtm.egt: expected the first bytes" endlab --dir "$T/bounds" probe --tsv "$W"
answers 'nor is its table missing where it is proved' 3 "verify: $T/bounds/KRvK.dtm.egt: " \
	endlab --dir "$T/bounds" verify KRvKB
answers 'or where another is built on it' 3 "^endlab: build: $T/bounds/KRvK.dtm.egt: " \
	endlab --dir "$T/bounds" build --partial KRvKN
answers 'text says why' 3 '^  KQvK.dtm.egt: expected a table, found an empty file$' \
	sh -c ": >'$D/KQvK.dtm.egt'; '$ENDLAB' probe '$FEN'"

# ---- unreadable folders ----
answers 'a folder that is not there is told' 0 "^ignored  $T/nowhere: cannot read: No such file" \
	endlab list --path "$T/nowhere"
mkdir -p "$T/much/.endlab-tmp-1-0" && cp "$T/bounds/KRvKB.wdl.egt" "$T/much/.endlab-tmp-1-0"
answers 'what is being made is not looked at' 0 '^no tables in ' \
	endlab --dir "$T/none" --path "$T/much" list
