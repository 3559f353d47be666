#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Positions that answer a question.
. "$(dirname "$0")/common"
endlab build KQvK KRvK KPvK --metric dtm >"$T/log" 2>&1
[ $? -eq 0 ]
verdict 'tables to search'

# Some lack a table here, but none asks what a game does not know.
endlab find --help | grep '^  endlab find ' >"$T/examples"
sed 's/$/ >>"$T\/log" 2>\&1; [ $? -ne 2 ] || wrong=1/' "$T/examples" >"$T/script"
wrong= && . "$T/script"
[ -s "$T/examples" ] && [ ! "$wrong" ]
verdict 'examples of the help are questions to their game'

# ---- lists ----
answers 'positions as FEN' 0 '^8/8/8/5k2/8/8/1Q6/K7 w - - 0 1$' endlab find KQvK 'dtm = 19'
answers 'with values' 0 "^8/8/8/5k2/8/8/1Q6/K7 w - - 0 1	win, mate in 19 plies" \
	endlab find KQvK 'dtm = 19' --values
answers 'as EPD' 0 '^8/8/8/5k2/8/8/1Q6/K7 w - - dm 10; id "KQvK";$' endlab find KQvK 'dtm = 19' --epd
answers 'as games' 0 '^\[FEN "8/8/8/5k2/8/8/1Q6/K7 w - - 0 1"\]$' endlab find KQvK 'dtm = 19' --pgn
answers 'as JSON' 0 '^{"slice":"KQvK","fen":"8/8/8/5k2/8/8/1Q6/K7 w - - 0 1","wdl":"win","metric":"dtm","plies":19,"placements":8}$' \
	endlab find KQvK 'dtm = 19' --json
answers 'without quotes' 0 '^[^ ]* b - - 0 1$' endlab find KQvK stalemate and k on corner --limit 1
run endlab find KQvK KRvK win --sort dtm --limit 3 --values
[ "$status" -eq 0 ] && [ "$(grep -c 'mate in 31 plies' "$T/out")" = 3 ]
verdict 'the longest of two slices'
run endlab find KQvK KRvK win --sort dtm --shortest --limit 3 --values
[ "$status" -eq 0 ] && [ "$(grep -c 'mate in 1 ply' "$T/out")" = 3 ]
verdict 'and the shortest'
endlab find KQvK win --sample 20 >"$T/one" 2>/dev/null
endlab --threads 1 find KQvK win --sample 20 --seed 1 >"$T/two" 2>/dev/null
endlab find KQvK win --sample 20 --seed 2 >"$T/three" 2>/dev/null
cmp -s "$T/one" "$T/two" && ! cmp -s "$T/one" "$T/three" && [ "$(wc -l <"$T/one")" -eq 20 ]
verdict 'a sample depends on its seed alone'
endlab find KQvK win 2>/dev/null | head -2 >"$T/one"
[ "$(wc -l <"$T/one")" -eq 2 ]
verdict 'a reader may leave early'
run sh -c "'$ENDLAB' --dir '$ENDLAB_DIR' find KRvK 'win and dtm > 29' 2>/dev/null | '$ENDLAB' --dir '$ENDLAB_DIR' probe --stdin --tsv --metric dtm"
[ "$status" -eq 0 ] && [ "$(awk -F '\t' 'NR > 1 && $3 <= 29' "$T/out" | wc -l)" = 0 ] && [ "$(wc -l <"$T/out")" -gt 100 ]
verdict 'and probe answers for what it lists'

# ---- counts ----
run endlab find KQvK KPvK zugzwang and white-to-move --count
grep -qE '^KQvK +0 +0 +0 +0$' "$T/out" && grep -qE '^KPvK +160 +160 +0 +80$' "$T/out" && grep -qE '^all +160 ' "$T/out"
verdict 'counts, and their sum'
# As `records --zugzwangs` lists them, which looks for them in its own way.
endlab records KPvK --zugzwangs --json | sed 's/.*"fen":"\([^"]*\)".*/\1/' | sort >"$T/one"
endlab find KPvK zugzwang and white-to-move 2>/dev/null | sort >"$T/two"
cmp -s "$T/one" "$T/two" && [ -s "$T/one" ]
verdict 'the same zugzwangs as records'
answers 'squares alone need no table' 0 '^KBvK +95,654 +45,062 +50,592 ' endlab find KBvK --count 'B on light and k on edge'
answers 'a count in JSON' 0 '^{"slice":"KQvK","positions":364,"white_to_move":0,"black_to_move":364,"unique":46,"searched":' \
	endlab find KQvK checkmate --count --json

# ---- other games ----
endlab build checkers:KvK awari:2 >"$T/log" 2>&1
answers 'draughts, by number' 0 '^checkers:KvK ' endlab find checkers:KvK 'win and K on 1-4,29' --count
answers 'stones' 0 '"stones":2' endlab find awari:2 'score = 2 and stones(A) = 1' --json

# ---- what it refuses ----
# Below the line about a fault in the question, marks point at it.
points() {
	name=$1 pattern=$2 marks=$3
	shift 3
	run "$@"
	[ "$status" -eq 2 ] && [ ! -s "$T/out" ] && [ "$(wc -l <"$T/err")" -eq 3 ] &&
		grep -qE -- "^endlab: find: $pattern" "$T/err" && [ "$(tail -1 "$T/err")" = "$marks" ]
	verdict "$name"
}
points 'a word it does not know' "'zugzwag' is not a word that find knows. Did you mean 'zugzwang'" \
	'            ^^^^^^^' endlab find KQvK 'check and zugzwag'
points 'half a question' 'the question ends too early: expected a fact, such as win, check or dtm > 60' '         ^' endlab find KQvK 'win and'
points 'a square that is none' "'j9': expected a square" '       ^^' endlab find KQvK 'K on j9'
refuses 'no question' 2 'expected a slice and a question' endlab find KQvK KRvK
refuses 'no slice' 1 "'win' is not a slice" endlab find win check
refuses 'a rule that the metric has not' 2 'cursed-win and blessed-loss need a metric with a rule' \
	endlab find KQvK cursed-win
refuses 'two forms' 2 '--json and --pgn: choose one form|--pgn and --json: choose one form' endlab find KQvK win --json --pgn
refuses 'a list that is only counted' 2 '--count lists no positions' endlab find KQvK win --count --limit 3
refuses 'EPD of draughts' 2 'is not written in EPD' endlab find checkers:KvK win --epd
refuses 'a table that is not there' 1 "no table of KNNvK" endlab find KNNvK win
answers 'nothing found' 1 '^endlab: find: no position answers$' endlab find KQvK 'dtm > 100'
