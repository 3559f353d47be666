#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/night on small sets: what it counts, and that it goes on where it was stopped.
. "$(dirname "$0")/common"
night=$(dirname "$0")/../night
N=$T/night
export SETS='chess, 3 pieces|3|dtm
chess, king and queen|KQvK|wdl,dtm
draughts, 2 pieces|checkers:2|wdl
Awari, 0 to 2 stones|awari:0-2|score'

# ---- stopped, and run again ----

"$night" "$N" >"$T/first" 2>"$T/err" &
pid=$!
while kill -0 $pid 2>/dev/null && [ ! -s "$N/night.tsv" ]; do sleep 0.05; done
kill -TERM $pid
wait $pid
status=$?
cp "$T/first" "$T/out"
[ $status -eq 130 ] && grep -q '^left: chess, 3 pieces: 5 of 5 tables, ' "$T/out" &&
	grep -q '^left: Awari, 0 to 2 stones: 3 of 3 tables, ' "$T/out" && grep -q '^KQvK .* 46137 values, 0 wrong; ' "$T/out"
verdict 'stopped, it says what is left'
run "$night" "$N"
[ $status -eq 0 ] && ! grep -q '^KQvK  *dtm' "$T/out" && grep -q '^KPvK  *dtm  *165676 values, 0 wrong; ' "$T/out" &&
	grep -qF '| chess, 3 pieces | `dtm` | 5 | 367,868 | 0 | `tests/night DIR 3` |' "$T/out" &&
	grep -qF '| chess, king and queen | `wdl`, `dtm` | 2 | 92,274 | 0 | `tests/night DIR KQvK` |' "$T/out" &&
	grep -qF '| draughts, 2 pieces | `wdl` | 3 | 3,488 | 0 |' "$T/out" &&
	grep -qF '| Awari, 0 to 2 stones | `score` | 3 | 91 | 0 |' "$T/out" && # 1 + 12 + 78 boards
	grep -q '^In all: 417,584 values' "$T/out" # the table that two sets have counts once
verdict 'run again, it goes on, and sums up'
[ "$(sort "$N/night.tsv" | cut -f 1,2 | uniq | wc -l)" -eq 12 ] && [ "$(wc -l <"$N/night.tsv")" -eq 12 ]
verdict 'each table is proved once'

# ---- what changes is proved again ----

endlab --dir "$N" build KQvK --metric dtm --replace --codec rle >"$T/out" 2>&1
run "$night" "$N" '|3|'
[ $status -eq 0 ] && [ "$(grep -c ' values, 0 wrong; ' "$T/out")" -eq 2 ] && grep -q '^KQvK ' "$T/out" && grep -q '^KPvK ' "$T/out"
verdict 'a table that changed, and what rests on it'
run "$night" "$N" 3
[ $status -eq 0 ] && ! grep -q ' wrong; ' "$T/out" && grep -q '^In all: ' "$T/out"
verdict 'then nothing is left'

# ---- what is wrong ----

# A program that finds seven wrong values in KRvK and cannot build KBvK.
cat >"$T/fake" <<END
#!/bin/sh
case "\$1 \$2" in
'list '*) "$ENDLAB" "\$@" | sed 's/\("slice":"KRvK"[^}]*\)"wrong":0/\1"wrong":7/' ;;
'verify KRvK') "$ENDLAB" "\$@"; exit 1 ;;
'build KBvK') echo 'endlab: build: no'; exit 1 ;;
*) exec "$ENDLAB" "\$@" ;;
esac
END
chmod +x "$T/fake"
run env ENDLAB="$T/fake" "$night" "$T/other" '|3|'
[ $status -eq 1 ] && grep -q '^KRvK  *dtm  *50015 values, 7 wrong; ' "$T/out" &&
	grep -q '^KBvK  *dtm  *exit status 1: endlab: build: no' "$T/out" &&
	grep -qF '| chess, 3 pieces | `dtm` | 4 | 315,634 | 7 |' "$T/out" && grep -q '^left: .* 1 of 5 tables' "$T/out"
verdict 'wrong values are counted, and failures told'
answers 'a word that no set has' 2 'no set has .Go. in its line' "$night" "$T/other" Go
