#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Plans: what a build would make, and what make and Slurm do with them.
. "$(dirname "$0")/common"
D=$ENDLAB_DIR
export ENDLAB
unset MAKEFLAGS MFLAGS MAKELEVEL # set by `make BUILD=... test`

# ---- for people, and as JSON ----
answers 'a plan is in build order' 0 '^  3/3  KQvKR ' endlab plan KQvKR
[ "$(sed -n 's|^ *[0-9]*/3  \([^ ]*\) .*|\1|p' "$T/out" | xargs)" = 'KRvK KQvK KQvKR' ]
verdict 'with what it depends on first'
grep -qE '^3 tables for the root, [0-9.]+ [KMG]B of memory, [0-9.]+ [KMG]B of scratch, [0-9.]+ [KMG]B of disk, (under|about) [0-9]+ (s|min), verified$' "$T/out"
verdict 'and adds up'
tail -1 "$T/out" | grep -qE '^times from a trial on this machine, at a load of [0-9.]+$'
verdict 'and says where its times come from'
grep '^3 tables' "$T/out" | sed 's/, [a-z]* [0-9]* [a-z]*, verified$//' >"$T/summary"
[ ! -e "$D" ]
verdict 'a plan makes nothing'
run endlab build KQvKR
[ "$status" -eq 0 ] && head -1 "$T/err" | sed 's/, [a-z]* [0-9]* [a-z]*, verified$//' | cmp -s - "$T/summary"
verdict 'a build says the same before it starts'
answers 'a plan of what exists' 0 '^nothing to build: every table is in ' endlab plan KQvKR
# A file of games: the slices of its main lines, here of four pieces and, after a capture, of three.
printf '[FEN "8/8/8/4k3/8/2K5/3r4/1Q6 w - - 0 1"]\n\n1. Kxd2 (1. Qxd2) 1... Kf5 *\n' >"$T/game.pgn"
run endlab --dir "$T/games" plan "$T/game.pgn"
[ "$status" -eq 0 ] && [ "$(sed -n 's|^ *[0-9]*/3  \([^ ]*\) .*|\1|p' "$T/out" | xargs)" = 'KRvK KQvK KQvKR' ]
verdict 'a plan of a game'
printf '[FEN "N7/N7/8/4k3/8/2K5/3r4/1Q6 w - - 0 1"]\n\n1. Kxd2 Kf5 *\n' >"$T/game.pgn"
answers 'with positions of more pieces' 0 "^endlab: $T/game.pgn: 1 position has more pieces" \
	endlab --dir "$T/games" plan "$T/game.pgn"
printf '1. e4 e5 *\n' >"$T/game.pgn"
refuses 'a game without an ending' 1 "$T/game.pgn: no position of its games" endlab plan "$T/game.pgn"
refuses 'games that are not there' 4 "$T/none.pgn: No such file" endlab build "$T/none.pgn"
run endlab plan KQvKR KRvKR --metric dtm --json
if command -v python3 >/dev/null; then
	python3 - "$T/out" >"$T/err" 2>&1 <<'END'
import json, sys
plan = json.load(open(sys.argv[1]))
tables = {(t["slice"], t["metric"]): t for t in plan["slices"]}
assert list(tables) == [("KQvKR", "dtm"), ("KRvK", "dtm"), ("KRvKR", "dtm")], list(tables)
assert [t["built"] for t in plan["slices"]] == [True, True, False]
new = tables["KRvKR", "dtm"]
assert new["needs"] == ["KRvK"], new["needs"]
for key in ("memory_bytes", "scratch_bytes", "disk_bytes", "seconds", "least_bytes", "useful_bytes"):
    assert plan[key] == new[key], key
assert new["memory_bytes"] > 10**6 and 10**4 < new["disk_bytes"] < 10**7 and 0 < new["seconds"] < 60
assert tables["KQvKR", "dtm"]["disk_bytes"] > 10**5
assert plan["tried"] in (0, 1) and 0 <= plan["load"] < 10**6
END
	verdict 'JSON: built tables are marked, needs named, sums right'
else
	skip 'JSON: no python3'
fi
[ "$(wc -l <"$T/out")" -eq 1 ]
verdict 'JSON is one object'
answers 'a plan of every metric of a slice' 0 '^  1/1  KRvKR +wdl .* KRvKR$|^  2/2  KRvKR +wdl .* KRvKR$' \
	endlab plan KRvKR --metric dtm,wdl
run endlab plan KRNvKN --metric dtm --ranks 4 --threads 1 --no-verify --json
[ "$status" -eq 0 ] && [ "$(json ranks)" -eq 4 ] && few=$(sed 's/.*"exchanged_bytes"://; s/,.*//' "$T/out") &&
	run endlab plan KRNvKN --metric dtm --ranks 8 --threads 1 --no-verify --network 100M --json &&
	[ "$(sed 's/.*"exchanged_bytes"://; s/,.*//' "$T/out")" -gt "$few" ]
verdict 'more ranks exchange more'
answers 'a plan for ranks' 0 '^8 ranks exchange [0-9]+ MB, at 105 MB a second' \
	endlab plan KRNvKN --metric dtm --ranks 8 --network 100M
refuses 'a network without ranks' 2 '--network: .*expected --ranks as well' endlab plan KQvK --network 1G
refuses 'one rank' 2 "--ranks '1': expected a number from 2" endlab plan KQvK --ranks 1
run endlab plan KRNvKN KQvK --metric dtm --ranks 4 --memory 40M --no-verify --slurm
sh -n "$T/out" && [ "$(grep -c '^t[0-9]*=.*" 4)$' "$T/out")" -eq 1 ] && grep -q 'ntasks=\$6' "$T/out" &&
	grep -qF 'exec ${5-} "$ENDLAB"' "$T/out"
verdict 'jobs of ranks for the slices that want them'
if command -v dot >/dev/null; then
	answers 'a graph' 0 '^digraph' endlab plan KQvKR KRvKP checkers:KMvK --dot
	dot -Tsvg "$T/out" >"$T/svg" 2>"$T/err" && [ ! -s "$T/err" ] && grep -q 'KQvKR dtm' "$T/svg"
	verdict 'that dot draws'
else
	skip 'a graph: no dot'
fi

# A busy machine, where six others wait for each processor, makes a trial longer, but not what it tells.
seconds() { # of a plan of one thread for which nothing has been built
	run endlab --dir "$T/none" plan 5 --threads 1 --json
	sed -n 's/.*"seconds":\([0-9]*\).*/\1/p' "$T/out"
}
idle=$(seconds)
others=
for other in $(seq $((6 * $(nproc)))); do
	while :; do :; done &
	others="$others $!"
done
busy=$(seconds)
# shellcheck disable=SC2086
kill $others
echo "idle $idle s, busy $busy s" >"$T/out"
[ "$idle" -gt 60 ] && [ "$busy" -lt $((2 * idle)) ]
verdict 'times do not depend on what else the machine does'

# ---- refusals ----
refuses 'no such slice' 1 'KXvK' endlab plan KXvK
refuses 'no slice' 2 'missing SLICE; usage' endlab plan
refuses 'two forms at once' 2 'found both --json and --make, expected one of them' \
	endlab plan KQvK --make --json
refuses 'a metric of another game' 2 'KQvK: ' endlab plan KQvK --metric dtw
refuses 'a directory that is a file' 4 "$T/summary" endlab --dir "$T/summary" plan KQvK
refuses 'a directory that make cannot name' 2 'a Makefile cannot name files' \
	endlab --dir "$T/a%b" plan KQvK --make

# ---- make ----
O="$T/odd \$name #1: it's; a & b"
run endlab --dir "$O" plan 3 --make --threads 1
cp "$T/out" "$T/Makefile"
run make -j2 -f "$T/Makefile"
[ "$status" -eq 0 ] && [ "$(find "$O" -name '*.egt' ! -name '*castling*' | wc -l)" -eq 5 ]
verdict 'make, over a directory with an odd name'
run make -f "$T/Makefile"
[ "$status" -eq 0 ] && ! grep -q build "$T/out"
verdict 'and has nothing to do again'
answers 'a Makefile names its options' 0 "^OPTIONS = --codec raw --block 4K --own --threads 1$" \
	endlab --dir "$O" plan KRvKR --make --codec raw --block 4K --own --threads 1
if [ "$(id -u)" -ne 0 ] || command -v setpriv >/dev/null; then
	unprivileged=
	[ "$(id -u)" -eq 0 ] && unprivileged='setpriv --reuid 65534 --regid 65534 --clear-groups'
	mkdir "$T/closed" && chmod 755 "$T" && chmod 555 "$T/closed"
	run endlab --dir "$T/closed" plan KQvK --make
	cp "$T/out" "$T/Makefile.closed"
	run $unprivileged make -f "$T/Makefile.closed"
	[ "$status" -eq 2 ] && grep -q "^endlab: build: $T/closed: cannot make a folder there" "$T/err"
	verdict 'a directory that cannot be written'
	chmod 755 "$T/closed"
else
	skip 'a directory that cannot be written: no way to be another user'
fi

# One of two machines dies: all its processes at once.
SET='KQvKQ KQvKB KQvKN KRvKN KRvKB'
S="$T/shared"
run endlab --dir "$S" plan $SET --make --threads 1
cp "$T/out" "$T/Makefile"
tables=$(grep -c '^	\$(BUILD)' "$T/Makefile")
setsid make -j2 -f "$T/Makefile" >"$T/one" 2>&1 &
one=$!
make -j2 -f "$T/Makefile" >"$T/two" 2>&1 &
two=$!
tries=0
while [ "$(find "$S" -name '*.egt' ! -name '*castling*' 2>/dev/null | wc -l)" -lt 4 ] && [ $tries -lt 600 ]; do
	sleep 0.02
	tries=$((tries + 1))
done
kill -KILL -$one
wait $one 2>/dev/null
wait $two
status=$?
cat "$T/two" >"$T/out"
[ $status -eq 0 ] && [ "$(find "$S" -name '*.egt' ! -name '*castling*' | wc -l)" -eq "$tables" ]
verdict 'two makes, one killed: the other one finishes all'
cut -f1,2 "$S/.journal.tsv" | sort | uniq -d >"$T/out"
[ ! -s "$T/out" ]
verdict 'and no table is made twice'
[ -z "$(find "$S" -name '.endlab-claim-*')" ]
verdict 'no claim is left'
endlab --dir "$T/alone" build $SET >"$T/out" 2>&1
same=yes
for file in "$T"/alone/*.egt; do
	cmp -s "$file" "$S/$(basename "$file")" || same=no
done
[ $same = yes ]
verdict 'the tables are those of an undisturbed build'

# Three machines with one job each. A worker is halted as soon as it has claimed a table, so that the next one finds
# its table claimed, and must take another.
W="$T/workers"
claims() { # how many tables are in work
	find "$W" -name '.endlab-claim-*' | wc -l
}
work() { # work NUMBER: starts worker NUMBER, and halts it when NUMBER tables are in work
	setsid make -k -f "$T/Makefile" >"$T/worker.$1" 2>&1 &
	eval "worker$1=$!" worker=$!
	tries=0
	while [ $tries -lt 600 ]; do
		sleep 0.02
		kill -STOP -$worker 2>/dev/null || break
		[ "$(claims)" -ge "$1" ] && break
		kill -CONT -$worker
		tries=$((tries + 1))
	done
}
run endlab --dir "$W" build 3
run endlab --dir "$W" plan $SET --make --threads 1
cp "$T/out" "$T/Makefile"
tables=$(grep -c '^	\$(BUILD)' "$T/Makefile")
work 1
work 2
work 3
find "$W" -name '.endlab-claim-*' >"$T/out"
[ "$(claims)" -eq 3 ]
verdict 'three makes have three tables in work at a time'
kill -KILL -$worker2
wait $worker2 2>/dev/null
kill -CONT -$worker1
kill -CONT -$worker3
wait $worker1
status=$?
wait $worker3 && [ $status -eq 0 ] && [ "$(find "$W" -name '*.egt' ! -name '*castling*' | wc -l)" -eq $((tables + 5)) ]
verdict 'one of them killed, the other two finish all'
cut -f1,2 "$W/.journal.tsv" | sort | uniq -d >"$T/out"
[ ! -s "$T/out" ] && [ -z "$(find "$W" -name '.endlab-claim-*')" ]
verdict 'no table is made twice, and no claim is left'

# What cannot be made costs its own rule, and nothing else.
rm "$W/KQvKB.dtm.egt" "$W/KQvKN.dtm.egt" "$W/KRvKN.dtm.egt" "$W/KQvKQ.dtm.egt"
echo 'not a table' >"$W/KQvKB.dtm.egt"
mkdir "$W/.endlab-claim-KQvKN.dtm"
printf 'far-away\n4711\nanother boot\n' >"$W/.endlab-claim-KQvKQ.dtm"
run endlab --dir "$W" plan $SET --make --threads 1
cp "$T/out" "$T/Makefile"
setsid make -k -f "$T/Makefile" >"$T/out" 2>"$T/err" &
worker=$!
tries=0
while [ ! -e "$W/KRvKN.dtm.egt" ] && [ $tries -lt 600 ]; do
	sleep 0.02
	tries=$((tries + 1))
done
[ -e "$W/KRvKN.dtm.egt" ] && grep -q 'KQvKQ dtm: far-away, process 4711 is making it; waiting$' "$T/out" &&
	grep -q "KQvKN dtm: left to its own build: $W/.endlab-claim-KQvKN.dtm: " "$T/out"
verdict 'while another machine makes a table, a rule makes others'
rm "$W/.endlab-claim-KQvKQ.dtm"
wait $worker
[ $? -eq 2 ] && [ -e "$W/KQvKQ.dtm.egt" ] && [ ! -e "$W/KQvKN.dtm.egt" ] && [ "$(grep -c '^endlab: ' "$T/err")" -eq 1 ] &&
	grep -q "^endlab: build: $W/.endlab-claim-KQvKN.dtm: " "$T/err"
verdict 'a claim that is no file fails its own rule'
rmdir "$W/.endlab-claim-KQvKN.dtm"
refuses 'a damaged table in the way fails its own' 3 "$W/KQvKB.dtm.egt: .*--repair" \
	endlab --dir "$W" build $SET --until KQvKB.dtm.egt
answers 'and not the others' 0 '^1 table in ' endlab --dir "$W" build $SET --until KQvKN.dtm.egt
answers 'nor is anything done for a table that is there' 0 '^nothing to build' \
	endlab --dir "$W" build $SET --until KQvKN.dtm.egt
refuses 'until what' 2 '--until: found KQvKN, expected' endlab --dir "$W" build $SET --until KQvKN

# ---- Slurm ----
J="$T/it's a job"
run endlab --dir "$J" plan KRvKR KRvKN --slurm
cp "$T/out" "$T/jobs"
sh -n "$T/jobs" && { ! command -v bash >/dev/null || bash -n "$T/jobs"; }
verdict 'a script that shells read'
mkdir "$T/bin"
cat >"$T/bin/sbatch" <<'END'
#!/bin/sh
# Runs a job at once, unless one that it depends on has not been done.
n=$(($(cat "$CALLS/count" 2>/dev/null || echo 0) + 1))
echo $n >"$CALLS/count"
while [ "${1#--}" != "$1" ]; do
	case $1 in
	--dependency=afterok:*)
		echo "$n after ${1#*:}" >>"$CALLS/graph"
		for id in $(echo "${1#*:}" | tr : ' '); do
			[ -e "$CALLS/done.$id" ] || exit 1
		done ;;
	--mem=*M | --time=*[0-9] | --output=%x.%j.out | --cpus-per-task=1) echo "$n $1" >>"$CALLS/limits" ;;
	esac
	shift
done
echo "$n $*" >>"$CALLS/jobs"
sh "$@" >>"$CALLS/out" 2>&1 && : >"$CALLS/done.$n" && echo "$n;cluster"
END
chmod +x "$T/bin/sbatch"
mkdir "$T/calls"
run env CALLS="$T/calls" PATH="$T/bin:$PATH" sh "$T/jobs"
[ "$status" -eq 0 ] && [ "$(find "$J" -name '*.egt' ! -name '*castling*' | wc -l)" -eq 4 ] && grep -q '^4 jobs$' "$T/out"
verdict 'a job a table'
cat "$T/calls/graph" >"$T/out"
[ "$(cat "$T/calls/graph")" = "$(printf '2 after 1\n4 after 1:3')" ]
verdict 'after those that it depends on'
[ "$(wc -l <"$T/calls/limits")" -eq 16 ]
verdict 'each with its memory, time, processors and output'
# 8.5 MB or so for KRvKN: the build keeps to it, and the job has more
mem=$(sed -n 's/^4 --mem=\(.*\)M$/\1/p' "$T/calls/limits")
memory=$(sed -n 's/^4 .* job KRvKN dtm \([0-9]*\)$/\1/p' "$T/calls/jobs")
cat "$T/calls/limits" "$T/calls/jobs" "$T/jobs" >"$T/out"
grep -q ' --memory "${4}M" --threads 1$' "$T/jobs" && [ "$memory" -ge 8 ] && [ "$memory" -lt 16 ] &&
	[ "$mem" -ge $((memory + 100)) ] && [ "$mem" -lt 200 ]
verdict 'a job keeps to less memory than it is given'
if command -v sinfo >/dev/null && timeout 10 sinfo -h -t idle -o %n 2>/dev/null | grep -q .; then
	run endlab --dir "$T/slurm" plan KRvKN --slurm
	cp "$T/out" "$T/jobs"
	(cd "$T" && sh ./jobs) >"$T/out" 2>"$T/err"
	tries=0
	while [ ! -e "$T/slurm/KRvKN.dtm.egt" ] && [ $tries -lt 120 ]; do
		sleep 0.5
		tries=$((tries + 1))
	done
	cat "$T"/KRvK*.out >>"$T/err"
	[ "$(find "$T/slurm" -name '*.egt' ! -name '*castling*' | wc -l)" -eq 3 ]
	verdict 'Slurm itself'
else
	skip 'Slurm itself: none is running here'
fi
