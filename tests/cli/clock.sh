#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The clock of a rule that counts moves: wins in time, wins that come too late, and what nobody knows.
. "$(dirname "$0")/common"
endlab build 3 >/dev/null 2>&1
QUEEN='8/8/8/8/8/2k5/8/K6Q w - -' # mate in 13 plies
PAWN='8/1k1P4/3K4/8/8/8/8/8 w - -'
MATED='1Q5k/8/6K1/8/8/8/8/8 b - -'
plies=$(endlab probe --tsv "$QUEEN 0 1" | sed -n 2p | cut -f3)
left=$((100 - plies))
column() { # column NUMBER FEN: of its line in TSV
	endlab probe --tsv "$2" 2>/dev/null | sed -n 2p | cut -f"$1"
}

# ---- what is in time ----
[ "$(column 7 "$QUEEN 0 1")" = win ] && [ "$(column 7 "$QUEEN $left 1")" = win ]
verdict 'a mate that fits into what is left is a win'
[ "$(column 7 "$QUEEN $((left + 1)) 1")" = unknown ] && [ "$(column 2 "$QUEEN $((left + 1)) 1")" = win ]
verdict 'one that does not is unknown: there may be another way'
[ "$(column 7 "$PAWN 99 1")" = win ] && [ "$(column 7 "$PAWN 100 1")" = cursed-win ]
verdict 'a pawn move on the last ply is in time'
[ "$(column 7 "$MATED 100 1")" = loss ]
verdict 'checkmate on the last ply stands'
answers 'text: what is in time is a win' 0 '^KQvK  White to move wins$' endlab probe "$QUEEN 0 1"
! grep -q clock "$T/out"
verdict 'text: nothing is said of a clock that stands at 0'
answers 'text: how much is on the clock' 0 '^  halfmove clock 12 of 100$' endlab probe "$QUEEN 12 1"
answers 'text: what is not known is said' 0 \
	"^  mate in $plies plies, 5 left on the clock: build dtz50 to know whether that is in time$" \
	endlab probe "$QUEEN 95 1"
! grep -qE '\bwins\b' "$T/out" && grep -qE '^won, if in time  [0-9]+$' "$T/out"
verdict 'text: and never that it wins'
answers 'text: the clock has run out' 0 '^  halfmove clock 100: a draw can be claimed by the 50-move rule$' \
	endlab probe "$QUEEN 100 1"
grep -qE '^cursed wins  [0-9]+$' "$T/out" && ! grep -qE '^winning' "$T/out"
verdict 'text: nothing wins any more'

# ---- the rule ----
run endlab probe --json "$QUEEN 7 1"
[ "$status" -eq 0 ] && [ "$(json wdl50) $(json clock) $(json rule)" = 'win 7 50' ]
verdict 'json: the outcome, the clock and the rule'
run endlab probe --json --rule 5 "$QUEEN 7 1"
[ "$status" -eq 0 ] && [ "$(json wdl5) $(json rule)" = 'unknown 5' ] && ! grep -q wdl50 "$T/out"
verdict 'json: another rule'
run endlab probe --json --rule off "$QUEEN 300 1"
[ "$status" -eq 0 ] && [ "$(json wdl) $(json rule)" = 'win null' ]
verdict 'json: no rule'
answers 'text: without the rule the clock is nothing' 0 '^KQvK  White to move wins$' \
	endlab probe --rule off "$QUEEN 300 1"
run endlab probe --tsv --metric dtm,wdl20,wdl5 "$QUEEN 1 1"
[ "$(head -1 "$T/out")" = "fen${TAB}wdl${TAB}dtm${TAB}wdl20${TAB}wdl5" ] &&
	[ "$(sed -n 2p "$T/out")" = "$QUEEN 1 1${TAB}win${TAB}$plies${TAB}win${TAB}unknown" ]
verdict 'tsv: columns by name, several rules at once'
[ "$status" -eq 1 ] && grep -q 'no table tells its wdl5' "$T/err"
verdict 'tsv: what was named and is not known is said'
run endlab probe --tsv --metric dtm,wdl50 "$QUEEN 1 1" "$MATED 0 1"
[ "$status" -eq 0 ] && [ "$(wc -l <"$T/out")" -eq 3 ]
verdict 'tsv: all known'

# ---- lines ----
run endlab line "$QUEEN 0 1"
[ "$status" -eq 0 ] && tail -1 "$T/out" | grep -q '# 1-0$'
verdict 'line: in time'
run endlab line --rule off "$QUEEN 98 1"
[ "$status" -eq 0 ] && tail -1 "$T/out" | grep -q '# 1-0$'
verdict 'line: without the rule'
run endlab line "$QUEEN 98 1"
[ "$status" -eq 0 ] && sed 1d "$T/out" | grep -qE '1/2-1/2$' && [ "$(sed 1d "$T/out" | tr ' ' '\n' | grep -c '^[KQ]')" -eq 2 ]
verdict 'line: ends with the clock, in a draw'

# ---- past the limit: the rule makes it a draw, as at the limit ----
for clock in 100 101 150 65535; do
	run endlab probe --tsv "$QUEEN $clock 200"
	[ "$status" -eq 0 ] && sed -n 2p "$T/out" | cut -f 1,2,7 | grep -qx "$QUEEN $clock 200${TAB}win${TAB}cursed-win"
	verdict "a clock of $clock"
	answers 'it is said' 0 "^  halfmove clock $clock: a draw can be claimed by the 50-move rule$" endlab probe "$QUEEN $clock 200"
done
answers 'a line from there' 0 '1/2-1/2' endlab line "$QUEEN 101 1"
answers 'past the limit of another rule' 0 'halfmove clock 11: a draw by the 5-move rule' endlab probe --rule 5 "$QUEEN 11 1"

# ---- bad input ----
run endlab probe --tsv "$QUEEN x 1" "$QUEEN 0 1"
[ "$status" -eq 1 ] && sed -n 2p "$T/out" | grep -q "^$QUEEN x 1${TAB}error${TAB}field 5 (halfmove clock)" &&
	sed -n 3p "$T/out" | grep -q "^$QUEEN 0 1${TAB}win"
verdict 'tsv: a bad line among good ones'
refuses 'a rule of 0 moves' 2 "rule '0': expected a number of moves \(1 to 299\) or off" endlab probe --rule 0 "$QUEEN 0 1"
refuses 'a rule past the range' 2 "rule '300': expected" endlab line --rule 300 "$QUEEN 0 1"
refuses 'a k of 0' 2 "unknown metric 'wdl0': expected one of .*wdlK or dtzK" endlab probe --metric wdl0 "$QUEEN 0 1"
refuses 'a k past the range' 2 "unknown metric 'dtz300'" endlab line --metric dtz300 "$QUEEN 0 1"
refuses 'a metric of another game' 2 'dtw is a metric of checkers and morris alone' endlab probe --metric dtw "$QUEEN 0 1"
refuses 'a metric of another rule' 2 '--rule 50: dtz20 belongs to the 20-move rule' \
	endlab probe --rule 50 --metric dtz20 "$QUEEN 0 1"
refuses 'several metrics to rank by' 2 'expected one metric to rank moves by' endlab probe --metric dtm,wdl "$QUEEN 0 1"
refuses 'a line under a rule that no table has' 1 'no dtz20 table covers KQvK' endlab line --metric dtz20 "$QUEEN 0 1"
answers 'moves under a rule that no table has' 1 '^  no table tells its dtz20$' endlab probe --metric dtz20 "$QUEEN 0 1"
