#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Where a build makes its tables, and what it replaces: nothing that it was not told to.
. "$(dirname "$0")/common"
D=$ENDLAB_DIR
PAGES=${BUILD:-build}/samples/pages.so

# put FILE OFFSET BYTES: overwrites them; BYTES as for printf
put() {
	printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
# version FILE STEP: changes the file's version
version() {
	put "$1" 8 "\\$(printf %03o $(($(od -An -tu1 -j 8 -N 1 "$1") + $2)))"
}

# ---- where tables are made ----
endlab build KPvK >/dev/null 2>&1
answers 'a table elsewhere does not count' 0 '^1 table in ' \
	endlab --dir "$T/a" --path "$D" build KQvK
[ -f "$T/a/KQvK.dtm.egt" ]
verdict 'it is made in the directory'
answers 'and answers from there' 0 "^KQvK .* $T/a/KQvK.dtm.egt" endlab --dir "$T/a" --path "$D" list
answers 'what a slice depends on is made there as well' 0 '^4 tables in ' \
	endlab --dir "$T/a" --path "$D" build KPvK
for file in "$D"/*.egt; do
	cmp "$file" "$T/a/$(basename "$file")" || break
done >"$T/out" 2>&1
[ ! -s "$T/out" ]
verdict 'the tables are the same'
answers 'then there is nothing to do' 0 '^nothing to build' endlab --dir "$T/a" --path "$D" build KPvK
answers 'outcomes are read off a table beside them alone' 0 '^5 tables in ' \
	endlab --dir "$T/outcomes" --path "$D" build KPvK --metric wdl
answers 'a partial table alone is made' 0 '^1 table in ' \
	endlab --dir "$T/part" --path "$D" build --partial KPvKP
grep -q '^ *missing: KQvKP' "$T/out" && ! grep -qE 'missing:.* KPvK(,|$)' "$T/out" &&
	[ "$(ls "$T/part")" = KPvKP.wdl.egt ]
verdict 'with stand-ins from anywhere'
answers 'a slice that is whole elsewhere' 0 '^1 table in ' \
	endlab --dir "$T/part" --path "$D" build --partial KPvK
answers 'is whole here as well' 0 "^KPvK +wdl .* usual: only [A-Za-z]+ to move, .*16K blocks, for the root +$T/part/" endlab --dir "$T/part" list

# ---- what is not replaced ----
# keeps NAME STATUS PATTERN: $T/b/KQvK.dtm.egt is in the way of a build, which makes nothing
keeps() {
	victim=$1
	[ ! -f "$T/b/KQvK.dtm.egt" ] || cp "$T/b/KQvK.dtm.egt" "$T/before"
	ls -A "$T/b" >"$T/there"
	refuses "$victim: the build refuses" "$2" "build: .*$T/b/KQvK.dtm.egt: $3" \
		endlab --dir "$T/b" build KRvK KQvKR
	ls -A "$T/b" | cmp -s - "$T/there"
	verdict "$victim: nothing is made"
	[ ! -f "$T/before" ] || cmp -s "$T/before" "$T/b/KQvK.dtm.egt"
	verdict "$victim: nothing is lost"
	rm -f "$T/before"
}
mkdir "$T/b"
B=$T/b/KQvK.dtm.egt
if [ -f "$PAGES" ]; then
	endlab --dir "$T/b" --plugin "$PAGES" build KQvK --codec pages >/dev/null 2>&1
	way="written by codec pages, which is not loaded: put pages.so into .*; run 'endlab build KQvK --replace' to make it again"
	keeps 'a codec that is not loaded' 1 "$way"
	answers 'with the plug-in it is there' 0 '^1 table in ' \
		endlab --dir "$T/b" --plugin "$PAGES" build KRvK
	refuses 'verify says the same, not that there is none' 1 "verify: $B: written by codec pages" \
		endlab --dir "$T/b" verify KQvK
	refuses 'stats too' 1 "stats: $B: written by codec pages" endlab --dir "$T/b" stats KQvK
	refuses 'and the lab' 1 "lab: $B: written by codec pages" endlab --dir "$T/b" lab KQvK
	answers 'and a probe' 1 "error.$B: written by codec pages" \
		endlab --dir "$T/b" probe --tsv '8/8/8/8/8/2k5/8/K6Q w - - 0 1'
	answers 'sub-tables that cannot be read go with --replace' 0 '^ +replaced a table that cannot be read$' \
		endlab --dir "$T/b" build KQvKR --replace
	cmp -s "$B" "$D/KQvK.dtm.egt" && [ "$(tail -1 "$T/out" | cut -c1-8)" = '2 tables' ]
	verdict 'and only those'
else
	skip 'a codec that is not loaded: the sample is not built'
fi
rm -f "$T"/b/*
cp "$D/KQvK.dtm.egt" "$B" && version "$B" 2
keeps 'a newer version' 1 "file version: found [0-9]+, expected [0-9]+; .*'endlab build KQvK --replace'"
cp "$D/KQvK.dtm.egt" "$B" && put "$B" 100 x
keeps 'a damaged header' 3 "header: expected checksum .*; run 'endlab build KQvK --repair' to make it again"
: >"$B"
keeps 'an empty file' 3 "expected a table, found an empty file; .*--repair"
cp "$D/KRvK.dtm.egt" "$B"
keeps 'the table of another slice' 1 "found a dtm table of KRvK, expected .*--replace"
rm "$B" && mkfifo "$B"
keeps 'a pipe' 4 'found a pipe, expected a file; move it away'
rm "$B" && mkdir "$B"
keeps 'a folder' 4 'found a folder, expected a file; move it away'
rmdir "$B" && ln -s nowhere "$B"
keeps 'a link that leads nowhere' 4 'found a link that leads nowhere .*; move it away'
[ ! -e "$T/b/nowhere" ]
verdict 'nothing comes to be there'
rm "$B"

unprivileged=
[ "$(id -u)" -eq 0 ] && unprivileged='setpriv --reuid 65534 --regid 65534 --clear-groups'
if $unprivileged "$ENDLAB" --version >/dev/null 2>&1; then
	cp "$D/KQvK.dtm.egt" "$B" && chmod 000 "$B" && chmod 777 "$T/b" && chmod 755 "$T"
	rm -f "$T"/b/.journal.tsv
	refuses 'a table that may not be read: the build refuses' 4 \
		"build: $B: cannot open: Permission denied; run 'endlab build KQvK --replace'" \
		$unprivileged "$ENDLAB" --dir "$T/b" build KQvK
	refuses 'verify says so' 4 "verify: $B: cannot open: Permission denied" \
		$unprivileged "$ENDLAB" --dir "$T/b" verify KQvK
	refuses 'stats too' 4 "stats: $B: cannot open: Permission denied" \
		$unprivileged "$ENDLAB" --dir "$T/b" stats KQvK
	refuses 'and the lab' 4 "lab: $B: cannot open: Permission denied" \
		$unprivileged "$ENDLAB" --dir "$T/b" lab KQvK
	answers 'and a probe' 4 "error.$B: cannot open: Permission denied" \
		$unprivileged "$ENDLAB" --dir "$T/b" probe --tsv '8/8/8/8/8/2k5/8/K6Q w - - 0 1'
	answers 'list gives the reason' 0 "^ignored  $B: cannot open: Permission denied" \
		$unprivileged "$ENDLAB" --dir "$T/b" list
	rm -f "$B"
else
	skip 'a table that may not be read: no way to be another user'
fi

# ---- what is replaced ----
cp "$D/KQvK.dtm.egt" "$B" && version "$B" -1
answers 'an older layout is listed as such' 0 "^ignored .*$B: file version: found [0-9]+, expected [0-9]+" \
	endlab --dir "$T/b" list
answers 'and made again, with a line that says so' 0 '^ +replaced a table of an older layout$' \
	endlab --dir "$T/b" build KQvK
cmp -s "$B" "$D/KQvK.dtm.egt"
verdict 'as it should be'
answers '--replace makes what is named again' 0 '^1 table in ' \
	endlab --dir "$T/b" build KQvK --replace --codec raw
answers 'as it says' 0 '^KQvK .* raw, 16K blocks, for the root ' endlab --dir "$T/b" list
answers 'and leaves what that depends on' 0 '^2 tables in ' \
	endlab --dir "$T/b" build KQvKR --replace
grep -q 'KQvK ' "$T/out"
[ $? -ne 0 ]
verdict 'where it can be read'
answers 'what is named twice depends on what is made again' 0 '^3 tables in ' \
	endlab --dir "$T/b" build KQvKR KRvK KQvK --replace
[ "$(sed -n 's/^ *[0-9]*\/3 *\([A-Za-z]*\) .*/\1/p' "$T/out" | tail -1)" = KQvKR ]
verdict 'in the right order'
cp "$D/KRvK.dtm.egt" "$B"
answers '--replace: what is named, whatever lies there' 0 '^ +replaced a file that was no table of this' \
	endlab --dir "$T/b" build KQvK --replace
answers '--partial --replace' 0 '^1 table in ' endlab --dir "$T/b" build KQvK --partial --replace
answers 'is only once' 0 '^nothing to build' endlab --dir "$T/b" build KQvK --partial

# ---- damaged tables ----
# flip FILE OFFSET: flips a bit of that byte
flip() {
	byte=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
	put "$1" "$2" "\\$(printf %03o $((byte ^ 1)))"
}
rm -f "$T"/b/* && endlab --dir "$T/b" build KPvK --metric dtm,wdl >/dev/null 2>&1
answers 'nothing to repair' 0 "^checked 6 tables in $T/b: 0 damaged$" endlab --dir "$T/b" build KPvK --repair
grep -q '^nothing to build' "$T/out"
verdict 'nothing is made'
flip "$B" $(($(wc -c <"$B") / 2))
flip "$T/b/KPvK.wdl.egt" $(($(wc -c <"$T/b/KPvK.wdl.egt") / 2))
flip "$T/b/KRvK.dtm.egt" 100
answers 'verify says how to make it again' 3 \
	"^endlab: verify: $B: block .*; run 'endlab build KQvK --repair' to make damaged tables again" \
	endlab --dir "$T/b" verify KQvK
answers 'also of a file' 3 "^endlab: verify: $B: block .*'endlab build KQvK --repair'" \
	endlab --dir "$T/b" verify "$B"
answers 'and of a header' 3 "KRvK.dtm.egt: header: .*'endlab build KRvK --repair'" \
	endlab --dir "$T/b" verify KRvK
answers 'a build that needs one says so, too' 3 "^endlab: build: $B: block .*run with --repair to make damaged tables again" \
	endlab --dir "$T/b" build KQvKB
answers 'a build without it leaves them' 0 '^nothing to build' endlab --dir "$T/b" build KQvK
answers 'what a slice depends on is repaired with it' 0 "^checked 6 tables in $T/b: 3 damaged$" \
	endlab --dir "$T/b" build KPvK --repair
[ "$(tail -1 "$T/out" | cut -c1-8)" = '3 tables' ] &&
	[ "$(grep -c '^ *replaced a damaged table$' "$T/out")" -eq 1 ]
verdict 'the damaged ones alone'
answers 'after that all is right' 0 'KPvK +wdl .* all right' endlab --dir "$T/b" verify 3
for file in "$D"/*.egt; do
	cmp "$file" "$T/b/$(basename "$file")" || break
done >"$T/out" 2>&1
[ ! -s "$T/out" ]
verdict 'and as before'
mv "$T/b/KQvK.dtm.egt" "$T/b/odd.egt" && flip "$T/b/odd.egt" $(($(wc -c <"$T/b/odd.egt") / 2))
refuses 'a damaged table under another name is not left beside a new one' 3 \
	"build: $T/b/odd.egt: block .*; remove it" endlab --dir "$T/b" build KPvK --repair
rm "$T/b/odd.egt"
answers 'a block that is damaged elsewhere is of no matter' 0 '^1 table in ' \
	endlab --dir "$T/b" --path "$D" build KQvK --repair
answers '--partial --repair checks what it would make' 0 "^checked 1 table in $T/b: 0 damaged$" \
	endlab --dir "$T/b" build KPvK --partial --repair
