#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Studies: from a position to a file, what stops the work and goes on, and what gets in the way.
. "$(dirname "$0")/common"
D=$ENDLAB_DIR
# Lasker and Reichhelm, 1901: Kb1 alone wins, by breakthroughs that need promotions.
LOCKED='8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1'
FEW='8/8/2p5/p1P5/P7/8/k7/2K5 w - - 0 1' # lost, which needs a queen
MANY='4k3/pp6/8/8/8/8/5PPP/4K3 w - - 0 1' # each of five pawns on seven squares, or taken: 7^5 frames
LESS='4k3/pp6/8/8/8/8/6PP/4K3 w - - 0 1'  # 7^4

# ---- plans, and the work ----
answers 'a plan' 0 '^without promotions: 2,000 frames, about [0-9,]* positions; .* of memory, .* on disk, ' \
	endlab solve "$LOCKED" --plan
answers 'a plan says what is followed' 0 '^then promotions to Q, R, B and N, as far as they matter' \
	endlab solve $LOCKED --plan
answers 'and what stays open' 0 '^open: promotions to R, B and N$' endlab solve "$LOCKED" --plan --pieces Q
[ -z "$(find "$D" -type f)" ]
verdict 'a plan writes nothing'
answers 'many frames' 0 '^without promotions: 16,807 frames' endlab solve "$MANY" --plan --pieces none

run endlab solve "$LOCKED" --pieces none
LASKER=$(echo "$D"/KPPPPvKPPP-*.study)
[ "$status" -eq 0 ] && [ -f "$LASKER" ]
verdict 'a study is a file in the folder of tables'
tr '\n' ' ' <"$T/out" | grep -q 'White to move draws at least .*at least drawing  1   Kb1  drawing  2   Ka2   Kb2 '
verdict 'the moves with their verdicts'
grep -q '^study  KPPPPvKPPP-[0-9a-f]*.study: 2,000 frames, 12,013,707 positions, ' "$T/out"
verdict 'the study'
grep -q '^open   promotions to Q .*: about [0-9,]* frames, ' "$T/out" &&
	grep -q '^ *The same command with more --pieces goes on[.]$' "$T/out"
verdict 'what stays open, and how to go on'
[ "$(said "$T/err")" = "$(said "$T/err" | grep -E '^without promotions: |^2,000 frames, .*draws at least$')" ]
verdict 'a line for each step'
answers 'a probe asks it' 0 'draws at least' endlab probe "$LOCKED"
answers 'of positions that the root reaches, too' 0 'to move draws$' \
	endlab probe '8/k7/3p4/p2P1p2/P2P1P2/8/K7/8 b - - 0 1'
cp "$LASKER" "$T/before"
answers 'nothing to do: the same answer' 0 '^study  KPPPPvKPPP-[^ ]*: 2,000 frames' \
	endlab solve "$LOCKED" --pieces none
cmp -s "$T/before" "$LASKER"
verdict 'and the file stays'
answers 'the plan of a study' 0 '^promotions to Q [(]up to 1 piece ' endlab solve "$LOCKED" --plan

run endlab solve "$FEW"
grep -q '^promotions to Q [(]up to 1 piece besides kings and pawns[)]: about ' "$T/err" &&
	grep -q '^236 frames, 18,851,330 positions, .* exact: White to move loses$' "$T/err" &&
	grep -q '^study .*: 236 frames, ' "$T/out" && ! grep -q '^open' "$T/out"
verdict 'queens are followed until the root is exact'
answers 'then nothing is left' 0 '^nothing is left to solve$' endlab solve "$FEW" --plan
answers 'a line of play' 0 '0-1$' endlab line "$FEW"

answers 'another metric is another file' 0 '^study  KPPvKPP-[0-9a-f]*.dtm.study: 236 frames' \
	endlab solve "$FEW" --metric dtm
answers 'it is listed' 0 '^study:KPPvKPP +dtm +study .*.dtm.study$' endlab list
for metric in wdl dtz50 dtr dtzr nothing; do
	refuses "metric $metric" 2 "--metric $metric: expected dtz, dtc or dtm$" \
		endlab solve "$FEW" --metric $metric
done
refuses 'a metric of another game' 2 'dtw' endlab solve "$FEW" --metric dtw

# ---- json ----
run endlab solve "$LOCKED" --pieces none --json
[ "$status" -eq 0 ] && [ "$(json fen) $(json wdl) $(json pieces)" = "$LOCKED at-least-draw Q" ] &&
	grep -q '"frames":2000,"positions":12013707,"exact":' "$T/out" && [ -z "$(said "$T/err")" ] && [ "$(wc -l <"$T/out")" -eq 1 ]
verdict 'json'
run endlab solve "$LOCKED" --pieces none --json --plan -o "$T/plan"
[ "$(json study) $(json wdl)" = "$T/plan.study unknown" ] && grep -q '"frames":0,.*"next":{.*"frames":2000,' "$T/out"
verdict 'json: a plan'
run endlab solve "$FEW" --json
[ "$(json wdl) $(json frames)" = 'loss 236' ] && grep -q '"next":null' "$T/out"
verdict 'json: exact'

# ---- where it is written ----
answers 'a file of another name' 0 "This folder is not searched for tables: name it with --path" \
	endlab solve "$LOCKED" --pieces none -o "$T/mine"
[ -f "$T/mine.study" ] && ! grep -q drawing "$T/out"
verdict 'the suffix is added'
answers 'the folder named, it answers' 0 'draws at least' \
	endlab --dir "$T/none" --path "$T" probe "$LOCKED"
refuses 'a study of another root' 1 'mine.study: found a study of another root, 8/k7/3p4' \
	endlab solve "$FEW" -o "$T/mine.study"
refuses 'a name of a table' 2 "-o 'x.egt': expected the name of a file; that of a study ends in .study$" \
	endlab solve "$FEW" -o x.egt
refuses 'no name' 2 "-o '$T/'" endlab solve "$FEW" -o "$T/"
refuses 'no such folder' 4 "$T/nowhere/" endlab solve "$FEW" -o "$T/nowhere/x"
refuses 'no such folder for scratch files' 4 "$T/nowhere: No such file" endlab solve "$FEW" --scratch "$T/nowhere"

# ---- words that are refused ----
refuses 'castling rights' 1 'solve: castling rights: expected a position without' \
	endlab solve '4k3/8/8/8/8/8/7P/4K2R w K - 0 1'
refuses 'an illegal root' 1 'Black is in check with White to move' endlab solve '4k3/8/8/8/8/8/4R3/4K3 w - - 0 1'
refuses 'many pieces' 1 '3 pieces move besides the kings, expected at most 2' \
	endlab solve '4k3/4r3/4q3/8/8/8/P3R3/4K3 w - - 0 1'
refuses 'another game' 1 'checkers: this game has no frames' endlab solve W:WK3,20:BK30
refuses 'no position' 1 "'hello' is not a position" endlab solve hello
for pieces in X q QK '' none,Q; do
	refuses "pieces '$pieces'" 2 "--pieces '$pieces': expected letters of QRBN, or none$" \
		endlab solve "$FEW" --pieces "$pieces"
done
for time in x 0 -1 5x 1d nan inf '1 h' 5ms ''; do
	refuses "time '$time'" 2 "--time '$time': expected a time such as 90s, 10m or 2h$" \
		endlab solve "$FEW" --time "$time"
done
refuses 'memory 0' 2 "--memory '0'" endlab solve "$FEW" --memory 0
refuses 'threads 0' 2 "--threads '0'" endlab solve "$FEW" --threads 0

# ---- budgets ----
refuses 'memory for less than a frame' 1 '1.0 KB of memory cannot hold a frame of this position, which takes 18 KB$' \
	endlab --dir "$T/tiny" solve "$LOCKED" --memory 1K
answers 'memory for some frames' 0 '^open   frames that memory had no room for$' \
	endlab --dir "$T/tiny" solve "$LOCKED" --memory 300K --pieces none
answers 'with more, the same command goes on' 0 '^study .*: 2,000 frames, 12,013,707 positions, 1.2 % exact' \
	endlab --dir "$T/tiny" solve "$LOCKED" --pieces none
refuses 'time for nothing' 1 'KPPPPvKPPP-[^ ]*: the time was over before anything was solved$' \
	endlab --dir "$T/hasty" solve "$LOCKED" --time 0.000001s
[ -z "$(find "$T/hasty" -type f)" ]
verdict 'and nothing is written'

# ---- what stops the work ----
# until PATTERN FILE: waits for a line
until_said() {
	tries=0
	while ! grep -q "$1" "$2" 2>/dev/null && [ $tries -lt 1200 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
}
"$ENDLAB" --dir "$T/halt" solve "$LESS" --pieces none --threads 1 >"$T/first" 2>"$T/log" &
pid=$!
until_said '^without promotions' "$T/log"
run endlab --dir "$T/halt" solve "$LESS" --pieces none
[ "$status" -eq 1 ] && grep -qE "^endlab: solve: .*KPPvKPP-.*: .*, process $pid is solving this position; try again" "$T/err"
verdict 'two programs on one study: who solves it'
kill -TERM $pid
wait $pid
status=$?
cat "$T/first" >"$T/out"
cp "$T/log" "$T/err"
[ $status -eq 143 ] && grep -q '^study .*frames, ' "$T/first" &&
	grep -q '^endlab: solve: stopped; what was solved is kept, and the same command goes on from there$' "$T/log"
verdict 'stopped: what is solved is kept'
[ -z "$(find "$T/halt" -name '.endlab-*')" ]
verdict 'and nothing else is left'
answers 'the same command goes on' 0 '^study .*: 2,401 frames, ' endlab --dir "$T/halt" solve "$LESS" --pieces none
grep '^found .* frames, ' "$T/err" | grep -qv '^found 2,401 '
verdict 'from there'
grep '^study' "$T/out" | sed 's/, [^,]*$//' >"$T/resumed"
run endlab --dir "$T/whole" solve "$LESS" --pieces none
grep '^study' "$T/out" | sed 's/, [^,]*$//' | cmp -s - "$T/resumed"
verdict 'and comes to the same end'

# ---- the disk ----
full_disk() { # a limit stands for a full disk
	(ulimit -f "$1" && "$ENDLAB" --dir "$T/halt" solve "$FEW" -o "$T/halt/few" --pieces "$2")
}
if can_limit_files; then
	run full_disk 4 none
	[ "$status" -eq 4 ] && grep -q '^endlab: solve: .*few.study: ' "$T/err" && [ ! -e "$T/halt/few.study" ] &&
		[ -z "$(find "$T/halt" -name '.endlab-*')" ]
	verdict 'a full disk: one line, and no litter'
	run endlab solve "$FEW" -o "$T/halt/few" --pieces none
	cp "$T/halt/few.study" "$T/before"
	run full_disk 400 Q
	[ "$status" -eq 4 ] && cmp -s "$T/before" "$T/halt/few.study" && [ -z "$(find "$T/halt" -name '.endlab-*')" ]
	verdict 'a full disk: the old file stays'
else
	skip 'a full disk: the thread sanitizer needs files of its own'
fi
unprivileged=
[ "$(id -u)" -eq 0 ] && unprivileged='setpriv --reuid 65534 --regid 65534 --clear-groups'
mkdir "$T/closed" && chmod 755 "$T" && chmod 555 "$T/closed"
if $unprivileged "$ENDLAB" --version >/dev/null 2>&1; then
	refuses 'a folder that cannot be written' 4 "$T/closed/.*: Permission denied" \
		$unprivileged "$ENDLAB" --dir "$T/closed" solve "$FEW"
else
	skip 'a folder that cannot be written: no way to be another user'
fi

# ---- damaged files ----
cp "$LASKER" "$T/good"
size=$(wc -c <"$T/good")
number() { # number OFFSET: the four bytes there
	od -An -tu4 -j "$1" -N 4 "$T/good" | tr -d ' '
}
table=$(number 16) directory=$(number 32)
poke() { # poke OFFSET: flips a bit of that byte of the study
	byte=$(od -An -tu1 -j "$1" -N 1 "$LASKER" | tr -d ' ')
	printf "\\$(printf %03o $((byte ^ 1)))" | dd of="$LASKER" bs=1 seek="$1" conv=notrunc 2>/dev/null
}
# unusable NAME REASON [STATUS]: list and solve say why, a probe goes on, and the file stays
unusable() {
	cp "$LASKER" "$T/bad"
	answers "$1: list says why" 0 "^ignored .*KPPPPvKPPP-.*: .*$2" endlab list
	answers "$1: a probe does without" 1 'may win, draw or lose' endlab probe "$LOCKED"
	refuses "$1: solve" "${3-3}" "solve: $LASKER: .*$2" endlab solve "$LOCKED" --pieces none
	cmp -s "$T/bad" "$LASKER"
	verdict "$1: the file stays"
	cp "$T/good" "$LASKER"
}
: >"$LASKER"
unusable 'zero length' 'found an empty file'
for n in 1 100 $((table / 2)) "$table" $((table + 100)) $((size - 1)); do
	head -c "$n" "$T/good" >"$LASKER"
	unusable "truncated to $n bytes" 'expected .*found'
done
(cat "$T/good" && echo more) >"$LASKER"
unusable 'bytes behind the end' 'list of frames: .*found'
poke 0
unusable 'another magic' 'or a study [(]89 45 47 53'
for at in 12 24 40 87 110 140 150 185 200; do
	poke $at
	unusable "header byte $at" 'expected'
done
for at in 4 8 44 172 196 250; do
	poke $((table + at))
	unusable "list of frames, byte $at" 'list of frames: expected checksum'
done
poke $((table + 1))
unusable 'a newer version' 'list of frames: version: found 257, expected 1; a newer endlab' 1
echo 'This is no study at all, though long enough to look like one to a careless reader.' >"$LASKER"
unusable 'a foreign file' 'found another kind of file'
endlab build KQvK >/dev/null 2>&1
cp "$D/KQvK.dtm.egt" "$LASKER"
unusable 'a table' 'expected a study, found a table of KQvK'
cp "$T/good" "$D/KQvKR.dtm.egt"
answers 'a study under the name of a table' 0 '^ignored .*KQvKR.dtm.egt: expected a table, found a study$' endlab list
rm "$D/KQvKR.dtm.egt"
poke $((directory + 5))
answers 'a damaged directory' 3 '^endlab: probe: .*KPPPPvKPPP-.*: expected' endlab probe "$LOCKED"
cp "$T/good" "$LASKER"
poke $((directory - 5)) # the last block, with the root
answers 'a damaged block: the study is listed' 0 '^study:KPPPPvKPPP .*KPPPPvKPPP-' endlab list
answers 'a damaged block: a probe names it' 3 '^endlab: probe: .*KPPPPvKPPP-.*: block [0-9]*: expected checksum' \
	endlab probe "$LOCKED"
refuses 'a damaged block: solve' 3 'KPPPPvKPPP-.*: block .*; move the file away to begin anew$' endlab solve "$LOCKED"
cp "$T/good" "$LASKER"

# ---- other commands ----
for what in "$LASKER" study:KPPPPvKPPP; do
	for command in lab check plan build records 'export --format raw'; do
		refuses "$command $(basename "$what")" 1 "is a study, which 'endlab probe FEN' asks; expected a slice" \
			endlab $command "$what"
	done
done
refuses 'recode: a study' 1 'expected a table of ours, found a study' endlab recode "$LASKER" -o "$T/x.egt"
refuses 'recode: to a study' 2 'its name ends in .egt' endlab recode "$D/KQvK.dtm.egt" -o "$T/x.study"
answers 'list' 0 '^study:KPPPPvKPPP +dtz +study .* 2000 frames, bounds ' endlab list
run endlab list --json
grep -q '"kind":"study","slice":"study:KPPPPvKPPP","metric":"dtz","bytes":[0-9]*,"detail":"2000 frames, bounds",' "$T/out"
verdict 'list --json'
answers 'check all' 1 'nothing to compare with' endlab check all
answers 'records of all' 0 '^KQvK ' endlab records
