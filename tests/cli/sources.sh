#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Many sources: what lies in their folders, what each says of a position, and what moves tell if none has it.
. "$(dirname "$0")/common"
D=$ENDLAB_DIR
F=$T/along
QUEEN='8/8/8/8/8/2k5/8/K6Q w - - 0 1'
endlab build KQvK KRvK >/dev/null 2>&1

# ---- every file is listed ----
mkdir -p "$F/sub"
echo half >"$F/KQvK.rtbw.part"
echo half >"$F/Unconfirmed 1.crdownload"
echo packed >"$F/KQvK.rtbw.gz"
echo loud >"$F/KBvK.RTBW"
echo many >"$F/KRRRRvKRRR.rtbw"
echo what >"$F/foo.rtbw"
: >"$F/KNvK.rtbw"
: >"$F/kpk.gtb.cp4"
: >"$F/KBvK.dtm.egt"
for i in 1 2 3 4 5; do echo $i >"$F/sub/note$i"; done
ln -s .. "$F/sub/loop"
ln -s nowhere "$F/sub/gone"
mkfifo "$F/sub/pipe"
run endlab list --path "$F"
told() { # told NAME REASON
	grep -q "^ignored  $F/$1: $2\$" "$T/out"
	verdict "list: $1"
}
[ "$status" -eq 0 ]
verdict 'list goes through it all'
told KQvK.rtbw.part 'an unfinished download'
told 'Unconfirmed 1.crdownload' 'an unfinished download'
told KQvK.rtbw.gz 'compressed: unpack it to use it'
told KBvK.RTBW 'not named like a table: endings are written in small letters'
told KRRRRvKRRR.rtbw 'KRRRRvKRRR: 9 pieces, expected at most [0-9]*'
told foo.rtbw 'expected the name of a slice, as in KQvKR.rtbw'
told KNvK.rtbw 'expected a table, found an empty file'
told kpk.gtb.cp4 'expected a table, found an empty file'
told KBvK.dtm.egt 'expected a table, found an empty file'
told sub/gone 'a link to nothing'
told sub/pipe 'neither a file nor a folder'
grep -q "^ignored  5 other files in $F/sub: not named like a table\$" "$T/out"
verdict 'list: many other files share a line'
run endlab list --json --path "$F"
[ "$(grep -o '"kind":"other"' "$T/out" | wc -l)" -eq 11 ]
verdict 'list --json has each'
if [ "$(id -u)" -ne 0 ]; then
	mkdir "$F/locked" && chmod 0 "$F/locked"
	answers 'a folder that is not for us is told' 0 "^ignored  $F/locked: cannot read: Permission denied" \
		endlab list --path "$F"
	chmod 700 "$F/locked"
else
	skip 'a folder that cannot be read: root reads all'
fi
rm -r "$F"

# ---- what moves tell, and what is missing ----
TAKES='8/7R/8/8/3k4/8/1q6/K7 w - - 0 1' # the king must take the queen
run endlab probe "$TAKES"
[ "$status" -eq 0 ] && grep -qx 'KQvKR  White to move wins' "$T/out" &&
	grep -qx '  from its moves: KQvKR is not built' "$T/out" && grep -q '^  mate in ' "$T/out"
verdict 'a forced capture settles a position without a table'
plies=$(sed -n 's/^  mate in \([0-9]*\) pl.*/\1/p' "$T/out")
run endlab probe --tsv "$TAKES"
[ "$status" -eq 0 ] && sed 1d "$T/out" | grep -q "^$TAKES${TAB}win${TAB}$plies${TAB}"
verdict 'in TSV as well'
run endlab line "$TAKES"
[ "$status" -eq 0 ] && grep -q '^1\. Kxb2 ' "$T/out" && tail -1 "$T/out" | grep -q '1-0$'
verdict 'and a line goes on from there'
BOUND='8/8/8/8/8/1k6/8/Kr4R1 w - - 0 1' # taking the rook is a win, or so the table of KRvK says
run endlab probe "$BOUND"
[ "$status" -eq 0 ] && grep -q '^  from its moves: KRvKR is not built' "$T/out"
verdict 'so does a capture that wins'
OPEN='8/8/8/3k4/8/8/7p/K6R w - - 0 1'
run endlab probe --json "$OPEN"
[ "$status" -eq 0 ] && grep -q '"wdl":"win".*"from_moves":true,"why_unknown":null' "$T/out"
verdict 'json says that it follows from the moves'
QUIET='8/8/8/3k4/8/1p6/8/K6R w - - 0 1'
mkdir "$T/x"
refuses 'nothing is known: the folders are named' 1 \
	"line: KRvKP is not built; looked in ~/tables, ~/x" env HOME="$T" "$ENDLAB" --path "$T/x" line "$QUIET"

# ---- what each table says ----
mkdir "$F"
cp "$D/KQvK.dtm.egt" "$F"
answers 'a second table is kept' 0 "^second   $F/KQvK.dtm.egt: KQvK dtm is taken from $D/KQvK.dtm.egt" \
	endlab list --path "$F"
run endlab probe --path "$F" "$QUEEN"
[ "$status" -eq 0 ] && grep -qx 'sources  2' "$T/out" &&
	grep -qx "  dtm  mate in 11 plies (6 moves)  $D/KQvK.dtm.egt" "$T/out" &&
	grep -qx "  dtm  mate in 11 plies (6 moves)  $F/KQvK.dtm.egt" "$T/out"
verdict 'and says what it knows'
answers 'with one source there is nothing to compare' 0 '^winning' endlab probe "$QUEEN"
grep -q '^sources' "$T/out"
[ $? -ne 0 ]
verdict 'nor is it shown'
run endlab probe --json --path "$F" "$QUEEN"
grep -qF "\"sources\":[{\"path\":\"$D/KQvK.dtm.egt\",\"metric\":\"dtm\",\"outcome\":\"win\",\"plies\":11,\"rounded\":false,\"error\":null,\"contradicts\":null},{\"path\":\"$F/" "$T/out"
verdict 'sources in JSON'
# A file of draws under a wrong name: it says what it holds.
FOREIGN=$T/liars
mkdir "$FOREIGN"
{
	printf '\161\350\043\135\061\000\345\146\063\000\200\002\200\002'
	head -c 50 /dev/zero
	printf '\113\067\357\142\076\151\352\333\147\126\167\174\026\003\116\157'
} >"$FOREIGN/KQvK.rtbw"
answers 'a table of another slice is not believed' 0 "^ignored  $FOREIGN/KQvK.rtbw: " \
	endlab list --path "$FOREIGN"
REAL=${ENDLAB_SYZYGY:-$(dirname "$0")/../../../shared/data/syzygy}
if [ -f "$REAL/KQvK.rtbw" ]; then
	REAL=$(cd "$REAL" && pwd)
	run endlab probe --path "$REAL" "$QUEEN"
	[ "$status" -eq 0 ] && grep -q "^  wdl50  win  *$REAL/KQvK.rtbw" "$T/out"
	verdict 'Syzygy beside ours'
else
	skip 'Syzygy beside ours: no Syzygy tables here'
fi
