#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Building: order, groups, existing tables, and everything that gets in the way.
. "$(dirname "$0")/common"
D=$ENDLAB_DIR

tables() { # the slices of the report in $T/out, in order
	sed -n 's/^ *[0-9]*\/[0-9]* *\([A-Za-z]*\) .*/\1/p' "$T/out"
}

answers 'what a slice depends on is built too' 0 '^5 tables in ' endlab build KPK
[ "$(tables | tail -1)" = KPvK ] && [ -f "$D/KPvK.dtm.egt" ] && [ -f "$D/KNvK.dtm.egt" ]
verdict 'the slice itself comes last'
answers 'nothing to do is said' 0 '^nothing to build' endlab build KPvK KvKP 3
answers 'either order of sides, each once' 0 '^1 table in ' endlab build KQvKQ KQKQ KQvKQ
answers 'a table with outcomes alone' 0 '^1 table in ' endlab build KQvK --metric wdl
[ -f "$D/KQvK.wdl.egt" ]
verdict 'its name tells the metric'
answers 'several metrics' 0 '^2 tables in ' \
	endlab --dir "$T/both" build KRvK --metric dtm,wdl --codec raw --block 4K --fill none
answers 'options are kept in the file' 0 'raw, 4K blocks' endlab --dir "$T/both" list
answers 'an order, and captures left out' 0 '^1 table in ' endlab --dir "$T/lab" build KRvK \
	--order best --derive captures --fill best
answers 'they are kept in the file' 0 'captures left out, .*16K blocks, order [KRk/]+' endlab --dir "$T/lab" list
answers 'and the table is right' 0 'all right' endlab --dir "$T/lab" verify KRvK
answers 'a slice built on such tables' 0 '^2 tables in ' \
	endlab --dir "$T/lab" build KRvKN --metric wdl --order best --derive captures
answers 'is right as well' 0 'all right' endlab --dir "$T/lab" verify KRvKN
answers 'a group' 0 '^5 tables in ' endlab --dir "$T/three" build 3

# ---- several at once ----
endlab --dir "$T/three" build 3 KQvKR --metric dtm,wdl --threads 1 >"$T/out" 2>"$T/err" &&
	endlab --dir "$T/apart" build 3 KQvKR --metric dtm,wdl --threads 3 >"$T/out" 2>"$T/err"
[ "$(grep -cE '^ *[0-9]+/12 ' "$T/out")" -eq 12 ] && ! said "$T/err" | grep -qv '^12 tables for the root, '
verdict 'a line for each finished table, and none beside'
for file in "$T"/three/*.egt; do
	cmp "$file" "$T/apart/$(basename "$file")" || break
done >"$T/out" 2>&1
[ ! -s "$T/out" ] && [ "$(find "$T/apart" -name '*.egt' ! -name '*castling*' | wc -l)" -eq 12 ]
verdict 'tables made at the same time are the same, byte for byte'

# A disk of half a megabyte, in a separate mount name space. Arguments: the disk, the program, a folder for its
# output.
small_disk='mount -t tmpfs -o size=500k none "$1"
"$2" --dir "$1" build 3 KQvKR KQvKQ --threads 3 >"$3/out" 2>"$3/err"
echo $? >"$3/status"
ls -A "$1" >"$3/left"
mount -o remount,size=50m none "$1"
"$2" --dir "$1" build 3 KQvKR KQvKQ --threads 3 >"$3/again" 2>&1'
mkdir "$T/disk"
if unshare -Urm mount -t tmpfs none "$T/disk" 2>/dev/null; then
	unshare -Urm sh -c "$small_disk" sh "$T/disk" "$ENDLAB" "$T"
	grep -q "^$T/disk: this may not fit on the disk: 512 KB free, about [0-9.]* .B expected; " "$T/err"
	verdict 'a disk that is too small is told beforehand'
	kept='[456] of 7 tables are finished and kept; run the same build again to continue$'
	[ "$(cat "$T/status")" -eq 4 ] && grep -q '^KQvK.dtm.egt$' "$T/left" &&
		grep -qE "^endlab: build: .*: No space left on device; $kept" "$T/err"
	verdict 'a full disk: what is kept, and the way on'
	! grep -v '[.]egt$\|^[.]journal[.]tsv$\|^[.]verified[.]tsv$\|[.]unverified-\|^[.]endlab-copies$' "$T/left" >"$T/out"
	verdict 'and no litter'
	grep -qE "^[123] tables? in $T/disk" "$T/again"
	verdict 'with more room the same build continues'
else
	skip 'a small disk: no name spaces here'
fi

# ---- what gets in the way ----
echo occupied >"$T/file"
refuses 'the directory is a file' 4 "$T/file" endlab --dir "$T/file" build KQvK
refuses 'the directory is below a file' 4 "$T/file" endlab --dir "$T/file/tables" build KQvK
[ "$(cat "$T/file")" = occupied ]
verdict 'the file is left alone'

full_disk() { # a limit of 4 blocks stands for a full disk
	(ulimit -f 4 && "$ENDLAB" --dir "$T/full" build KQvK --codec raw)
}
if can_limit_files; then
	run full_disk
	[ "$status" -eq 4 ] && grep -q "^endlab: .*$T/full/KQvK" "$T/err" &&
		[ -z "$(find "$T/full" -name '*.egt*')" ]
	verdict 'a full disk leaves no part of a table'
	answers 'and the next build goes on' 0 '^1 table in ' endlab --dir "$T/full" build KQvK
else
	skip 'a full disk: the thread sanitizer needs files of its own'
fi
if [ -w /dev/full ]; then
	endlab list >/dev/full 2>"$T/err"
	[ $? -eq 4 ] && grep -q '^endlab: standard output: ' "$T/err"
	verdict 'output that cannot be written is an error'
fi

unprivileged=
[ "$(id -u)" -eq 0 ] && unprivileged='setpriv --reuid 65534 --regid 65534 --clear-groups'
mkdir "$T/closed" && chmod 755 "$T" && chmod 000 "$T/closed"
if $unprivileged "$ENDLAB" --version >/dev/null 2>&1; then
	refuses 'an unreadable directory' 4 "$T/closed" \
		$unprivileged "$ENDLAB" --dir "$T/closed" build KQvK
	refuses 'an unreadable directory listed' 4 "$T/closed" \
		$unprivileged "$ENDLAB" --dir "$T/closed" list
else
	skip 'an unreadable directory: no way to be another user'
fi
chmod 755 "$T/closed"

# ---- builds that meet, and builds that die ----
at_work() { # at_work DIR: is there a claim to an unfinished table?
	for claim in "$1"/.endlab-claim-*; do
		[ -e "$claim" ] && [ ! -e "$1/${claim##*.endlab-claim-}.egt" ] && return 0
	done
	return 1
}
writing_lists() { # writing_lists DIR: does some build hold a list that all write to?
	for list in "$1"/.journal.tsv "$1"/.verified.tsv; do
		[ -e "$list" ] && grep -qs ":$(stat -c %i "$list") " /proc/locks && return 0
	done
	return 1
}
start() { # start DIR: a build of many tables in the background, halted after its first table, at work on another
	"$ENDLAB" --dir "$1" build KQvKR KQvKB KRvKN >"$T/background" 2>&1 &
	pid=$!
	tries=0
	while [ -z "$(find "$1" -name '*.egt' 2>/dev/null)" ] && [ $tries -lt 600 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
	tries=0
	while kill -STOP $pid; do
		sleep 0.05
		{ at_work "$1" && ! writing_lists "$1"; } || [ $tries -ge 100 ] && break
		kill -CONT $pid
		sleep 0.01
		tries=$((tries + 1))
	done
}
finished() { # how many complete tables a directory has
	find "$1" -name '*.egt' ! -name '*castling*' | wc -l
}

# One of two builds makes each table: the halted one has claimed the one that it is at work on. Whatever the
# other makes meanwhile must need none of the first one's tables.
start "$T/meet"
answers 'two builds at once' 0 '^1 table in ' endlab --dir "$T/meet" build checkers:KvK --metric wdl
endlab --dir "$T/meet" build KQvKR KQvKB KRvKN >"$T/second" 2>&1 &
second=$!
tries=0
while ! grep -q 'process [0-9]* is making it; waiting$' "$T/second" && [ $tries -lt 600 ]; do
	sleep 0.05
	tries=$((tries + 1))
done
run endlab --dir "$T/meet" list
[ -n "$(find "$T/meet" -name '.endlab-claim-*')" ] && ! grep -q claim "$T/out"
verdict 'a claim is no file that list tells of'
kill -CONT $pid
wait $pid
first=$?
wait $second
second=$?
cat "$T/background" "$T/second" >"$T/out"
[ $first -eq 0 ] && [ $second -eq 0 ] && [ "$(finished "$T/meet")" -eq 8 ] &&
	[ "$(grep -vc castling "$T/meet/.journal.tsv")" -eq 8 ]
verdict 'both end with all tables, and none is made twice'
[ -z "$(find "$T/meet" -name '.endlab-*')" ]
verdict 'no claim is left'

# ---- copies for later tables ----
# One build copies what later tables need; builds one by one read it from moves. A plan of one table copies nothing.
endlab --dir "$T/set" build KQvKP --verify >"$T/out" 2>"$T/err"
for slice in KQvK KRvK KBvK KNvK KPvK KQvKQ KQvKR KQvKB KQvKN KQvKP; do
	endlab --dir "$T/single" build $slice --verify || break
done >"$T/out" 2>"$T/err"
same=yes
for file in "$T/set"/*.egt; do
	cmp "$file" "$T/single/$(basename "$file")" || same=no
done >"$T/out" 2>&1
[ $same = yes ] && [ "$(finished "$T/set")" -eq 10 ] && [ -z "$(find "$T/set" -name '*.copy' -o -name '.endlab-*')" ]
verdict 'tables from copies are those from moves, and no copy stays'

start "$T/killed"
kill -KILL $pid
kill -CONT $pid 2>/dev/null
wait $pid 2>/dev/null
before=$(finished "$T/killed")
echo "$before tables" >"$T/out"
[ "$before" -ge 1 ] && [ "$before" -lt 7 ]
verdict 'a killed build leaves finished tables'
run endlab --dir "$T/killed" list
[ "$status" -eq 0 ] && ! grep -q ignored "$T/out"
verdict 'and each of them is whole'
# One may be finished, but not its positions with castling rights.
answers 'the next build makes the rest' 0 "^($((7 - before))|$((8 - before))) tables? in " \
	endlab --dir "$T/killed" build KQvKR KQvKB KRvKN
grep -q 'process [0-9]* is gone and has left its claim; making it here$' "$T/out"
verdict 'and says whose claim it takes over'
[ -z "$(find "$T/killed" -name '.endlab-*')" ]
verdict 'and cleans up'
same=yes
for file in "$T"/killed/*.egt; do
	cmp -s "$file" "$T/meet/$(basename "$file")" || same=no
done
[ $same = yes ]
verdict 'the tables are those of an undisturbed build'

start "$T/stopped"
kill -TERM $pid
kill -CONT $pid
wait $pid
[ $? -eq 143 ] && grep -qE "^endlab: build: stopped; [1-6] of 7 tables are finished and kept" \
	"$T/background" && [ -z "$(find "$T/stopped" -name '.endlab-tmp-*')" ]
verdict 'a build that is asked to stop says what it kept'

start "$T/hungup"
kill -HUP $pid
kill -CONT $pid
wait $pid
[ $? -eq 129 ] && grep -q '^endlab: build: stopped' "$T/background" &&
	[ -z "$(find "$T/hungup" -name '.endlab-tmp-*')" ]
verdict 'so does one whose terminal is gone'

# ---- several metrics of one slice: some are read off another ----

M=$T/metrics
answers 'rules share a place in lists, and no table' 0 '^7 tables in ' \
	endlab --dir "$M" build KRvK --metric wdl,wdl4,dtz20,win,dtz4,dtr,wdl20
run endlab --dir "$M" list
[ "$(awk '{ print $2 }' "$T/out" | xargs)" = 'wdl win wdl4 wdl20 dtz4 dtz20 dtr' ]
verdict 'they are listed one by one, the shorter rule first'
same=yes
for metric in wdl win wdl4 wdl20; do
	run endlab --dir "$T/alone-$metric" build KRvK --metric $metric
	cmp -s "$M/KRvK.$metric.egt" "$T/alone-$metric/KRvK.$metric.egt" || same=no
done
[ $same = yes ]
verdict 'what was read off is what a solution of its own makes'
M=$T/one-side
endlab --dir "$M" build KQvKR --metric dtm >"$T/log" 2>&1
answers 'a side left out: read off if sub-tables are missing' 0 'KQvKR +wdl .* KQvKR\*$' endlab --dir "$M" plan KQvKR --metric wdl
endlab --dir "$M" build KQvK KRvK --metric wdl >"$T/log" 2>&1
answers 'else it takes less time to solve' 0 'KQvKR +wdl .* KRvK\* KQvK\*$' endlab --dir "$M" plan KQvKR --metric wdl
run endlab --dir "$M" build KQvKR --metric wdl
run endlab --dir "$T/two-sides" build KQvKR --metric wdl
[ "$status" -eq 0 ] && cmp -s "$M/KQvKR.wdl.egt" "$T/two-sides/KQvKR.wdl.egt"
verdict 'and is the same'
M=$T/metrics
answers 'a metric that is told needs no table of its own' 0 '^KRvK wdl10: ' \
	endlab --dir "$M" lab KRvK --metric wdl10 --codecs raw --blocks 4K --probes 100
refuses 'one that no table tells does' 1 'no dtz10 table of KRvK in .*Run .endlab build KRvK --metric dtz10' \
	endlab --dir "$M" lab KRvK --metric dtz10
refuses 'nor are partial tables of a rule' 2 'expected --metric wdl, found wdl20' \
	endlab --dir "$M" build KRvK --partial --metric wdl20
