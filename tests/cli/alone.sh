#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Other programs' tables alone: everything that looks at tables works without one of ours, up to seven pieces,
# and builds take their dependencies from them.
. "$(dirname "$0")/common"
F=$T/foreign
mkdir "$F" "$T/none"

# The Syzygy table of king and bishop against king: all draws.
all_draws() {
	printf '\161\350\043\135\061\000\356\146\063\000\200\002\200\002'
	head -c 50 /dev/zero
	printf '\113\067\357\142\076\151\352\333\147\126\167\174\026\003\116\157'
}
# A table of seven pieces that claims the same, wrongly.
seven_draws() {
	printf '\161\350\043\135\161\000\356\146\104\063\042\335\314\000\200\002\200\002'
	head -c 46 /dev/zero
	printf '\044\240\140\227\123\032\122\321\021\123\274\217\373\130\270\364'
}
# on COMMAND...: with these tables and none of ours
on() {
	ENDLAB_PATH=$F endlab --dir "$T/none" "$@"
}

# ---- seven pieces ----
SEVEN='4nbrk/8/8/8/8/8/8/KQR5 w - - 0 1'
seven_draws >"$F/KRBNvKQR.rtbw"
answers 'seven pieces: listed' 0 "^KRBNvKQR +wdl50 +syzygy .*$F/KRBNvKQR.rtbw" on list
answers 'probed' 0 '^KRBNvKQR  White to move draws' on probe "$SEVEN"
answers 'their moves as well' 0 '^drawing  22' on probe "$SEVEN"
answers 'by programs' 0 '"slice":"KRBNvKQR"' on probe --json "$SEVEN"
refuses 'too large to be counted' 1 'KRBNvKQR.rtbw: .*memory' on stats KRBNvKQR
refuses 'or built' 1 'KRBNvKQR needs at least .* of memory' on build KRBNvKQR --memory 1G
answers 'or to be read for records unasked' 0 'more than 4 pieces are left out' on records --zugzwangs
refuses 'nine pieces are no slice' 1 '9 pieces, expected at most 8' on stats KRBNPvKQRN
rm "$F/KRBNvKQR.rtbw"

# ---- builds ----
# same NAME DIRECTORY DIRECTORY FILE
same() {
	cmp "$2/$4" "$3/$4" >"$T/out" 2>&1
	verdict "$1"
}
all_draws >"$F/KBvK.rtbw"
built() {
	dir=$1
	shift
	ENDLAB_PATH=$F endlab --dir "$dir" build "$@"
}
answers 'a build names what it takes' 0 "^KBvK wdl50 is taken from $F/KBvK.rtbw\$" \
	built "$T/lent" KBvKB --metric dtz50
grep -q '^1 table in ' "$T/out"
verdict 'and makes the rest'
answers '--own takes nothing' 0 '^2 tables in ' built "$T/own" KBvKB --metric dtz50 --own
! grep -q 'taken' "$T/out"
verdict 'and names nothing'
same 'the tables are the same' "$T/lent" "$T/own" KBvKB.dtz50.egt
answers 'outcomes tell no mates' 0 '^2 tables in ' built "$T/mates" KBvKB
answers 'what is asked for by name is made' 0 '^1 table in ' built "$T/named" KBvK --metric wdl50
answers 'tables of ours go first' 0 '^2 tables in ' built "$T/own" KBNvK --metric dtz50
! grep -q 'taken' "$T/out"
verdict 'and nothing is taken beside them'
rm "$F/KBvK.rtbw"

# ---- real ones ----
F=${ENDLAB_SYZYGY:-../shared/data/syzygy}
if [ -f "$F/KQvKR.rtbz" ]; then
	QUEEN='8/8/8/3kr3/8/8/8/1KQ5 w - - 0 1'
	PAWN='8/8/8/8/8/4k3/4P3/4K3 b - - 0 1'
	answers 'Syzygy: a win' 0 '^KQvKR  White to move wins' on probe "$QUEEN"
	answers 'by programs' 0 "${TAB}win${TAB}" on probe --tsv "$QUEEN"
	answers 'a line to the mate' 0 '# .*1-0$' on line "$QUEEN"
	grep -q '{clock restarts after 53 plies}' "$T/out"
	verdict 'through the conversion'
	answers 'a promotion on the way' 0 'e8=Q[+] {clock restarts' \
		on line '8/8/8/8/8/5K2/4P3/4k3 w - - 0 1'
	grep -q '# 1-0$' "$T/out"
	verdict 'and mate after it'
	answers 'a draw' 0 '^KPvK  Black to move' on probe "$PAWN"
	answers 'counts' 0 '^  win +124,960 +76.51 %' on stats KPvK
	answers 'depths that the table rounds' 0 ', in plies ±1: the table keeps moves$' on stats KRvK
	answers 'for programs' 0 '"rounded":\["dtz50"\]' on stats KRvK --json
	answers 'records' 0 '^KRvK +dtz50 +White +White +31 +16 ' on records KRvK
	answers 'a proof' 0 '^KQvK +dtz50 +46,137 positions all right' on verify KQvK
	answers 'a build on outcomes' 0 "^KRvK wdl50 is taken from $F/KRvK.rtbw\$" \
		built "$T/lent" KRvKB --metric dtz50
	built "$T/own" KRvKB --metric dtz50 --own >/dev/null 2>&1
	same 'is the same' "$T/lent" "$T/own" KRvKB.dtz50.egt
else
	skip "no Syzygy tables in $F"
fi

F=/usr/share/gaviotatb
if [ -f "$F/gtb4/kpk.gtb.cp4" ]; then
	answers 'Gaviota: a win' 0 'mate in 23 plies \(12 moves\)' on probe '8/8/8/8/8/5K2/4P3/4k3 w - - 0 1'
	answers 'a line to the mate' 0 '# 1-0$' on line '8/8/8/8/8/5K2/4P3/4k3 w - - 0 1'
	answers 'counts' 0 '^  win +124,960 +76.51 %' on stats KPvK
	answers 'records of all' 0 '^KPvK +dtm +White Black +56 +28 ' on records
	answers 'a build on depths' 0 "^KQvK dtm is taken from $F/gtb4/kqk.gtb.cp4\$" \
		built "$T/lent" KPvK KQvKB
	built "$T/own" KPvK KQvKB --own >/dev/null 2>&1
	same 'is the same' "$T/lent" "$T/own" KQvKB.dtm.egt
	same 'with promotions, too' "$T/lent" "$T/own" KPvK.dtm.egt
else
	skip "no Gaviota tables in $F"
fi
