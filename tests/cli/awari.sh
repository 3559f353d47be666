#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Awari on the command line: layers, values in stones, lines and games in letters, and one line for whatever is
# impossible.
. "$(dirname "$0")/common"
OPENING=4-4-4-4-4-4-4-4-4-4-4-4-0-0-S
GAIN=1-0-0-0-0-1-1-1-0-0-0-0-0-0-S LOSS=0-0-0-0-0-0-1-2-0-0-0-0-0-0-S DRAW=1-0-0-0-0-0-0-2-0-0-0-0-0-0-S

# ---- layers and groups ----
run endlab build awari:0-6
[ "$status" -eq 0 ] && [ "$(ls "$ENDLAB_DIR" | grep -c '^awari-[0-6]\.score\.egt$')" -eq 7 ] &&
	grep -q '^7 tables in ' "$T/out"
verdict 'build: all layers of a group'
answers 'build: there already' 0 'nothing to build' endlab build awari:6 awari:5 --metric score
run endlab list
[ "$(grep -c '^awari:[0-6]  score egt ' "$T/out")" -eq 7 ]
verdict 'list: by their stones'
run endlab list --json
[ "$(grep -o '"slice":"awari:[0-6]","metric":"score"' "$T/out" | wc -l)" -eq 7 ]
verdict 'list: in JSON'
run endlab verify awari:0-6 --again
[ "$status" -eq 0 ] && grep -q '^awari:6 *score  *12,376 positions all right' "$T/out" &&
	grep -q '^7 tables: 7 right; 18,564 positions' "$T/out"
verdict 'verify: every board of every layer'

# ---- statistics ----
run endlab stats awari:6
[ "$status" -eq 0 ] && grep -q '^South to move$' "$T/out" && grep -q '^North to move$' "$T/out" &&
	grep -q '^  legal  *12,376  unique 12,376$' "$T/out" && grep -q '^  stones gained$' "$T/out" &&
	grep -q '^  gain *3  *62 ' "$T/out" && grep -q '^  loss *6  *4,242 ' "$T/out" &&
	grep -q '^  greatest gain  6 stones  ' "$T/out" && ! grep -qE 'White|Black|pl(y|ies)' "$T/out"
verdict 'stats: stones, South and North'
scores() { # scores SLICE: the histogram, the same for both sides
	endlab stats "$1" --json 2>/dev/null >"$T/out"
	grep -o '"score":{"-[^{}]*}' "$T/out" | sort -u
}
[ "$(scores awari:5)" = '"score":{"-5":1892,"-3":2,"-2":85,"-1":224,"1":121,"2":184,"3":22,"5":1838}' ]
verdict 'stats --json: five stones'
[ "$(scores awari:6)" = '"score":{"-6":4242,"-4":116,"-2":772,"0":1548,"2":550,"3":62,"4":302,"6":4784}' ] &&
	[ "$(json game)" = awari ] && grep -q '"longest":{"score":{"win":{"stones":6,"fen":"' "$T/out"
verdict 'stats --json: six stones'
run endlab records awari:4-6
[ "$status" -eq 0 ] && grep -q '^slice *metric gains to move stones  position$' "$T/out" &&
	grep -q '^awari:6  score  South North  *6  ' "$T/out" && [ "$(wc -l <"$T/out")" -eq 13 ]
verdict 'records: in stones'
run endlab records awari:6 --json
grep -q '"side":"black","to_move":"white","stones":6,"fen":"' "$T/out"
verdict 'records --json'
answers 'mutual zugzwangs, of South and North' 0 '^  South to move draws, North to move loses: 657 positions, ' \
	endlab records awari:6 --zugzwangs --limit 1

# ---- positions ----
answers 'probe in words: a gain' 0 '^  a gain of 4 stones$' endlab probe "$GAIN"
grep -q '^awari:4  South to move wins$' "$T/out" && grep -q '^winning  1  only move$' "$T/out"
verdict 'and its moves'
answers 'probe in words: the end' 0 '^awari:3  South is out of stones$' \
	endlab probe 0-0-0-0-0-0-1-2-0-0-0-0-0-0-S
grep -q '^  a loss of 3 stones$' "$T/out"
verdict 'and who gets the rest'
answers 'probe in words: nothing left' 0 '^awari:0  no stones are left$' \
	endlab probe 0-0-0-0-0-0-0-0-0-0-0-0-24-24-S
answers 'probe in words: what was captured before' 0 '^  in the end South has 14 stones, North 34$' \
	endlab probe 1-0-0-0-0-1-1-1-0-0-0-0-10-34-S
answers 'probe in words: an odd number goes round' 0 '^  in the end South has 11\.5 stones, North 36\.5$' \
	endlab probe 1-0-0-0-0-0-0-2-0-0-0-0-10-35-S
run endlab probe --tsv "$GAIN" "$LOSS" "$DRAW"
[ "$status" -eq 0 ] && [ "$(cut -f 1,2,11 "$T/out" | sed 1d | tr '\t\n' '  ')" = \
	"$GAIN win 4 $LOSS loss -3 $DRAW draw 0 " ] && [ "$(sed -n '1s/.*\t//p' "$T/out")" = score ]
verdict 'probe --tsv: stones with their sign'
answers 'probe --tsv: a column that is asked for' 0 "^$GAIN${TAB}win${TAB}4$" \
	endlab probe --tsv --metric score "$GAIN"
run endlab probe --json 0-0-0-0-0-0-1-2-0-0-0-0-0-0-N
[ "$status" -eq 0 ] && [ "$(json slice)" = awari:3 ] && [ "$(json score)" = 3 ] &&
	grep -q '"moves":\[{"uci":"[ab]","san":"[ab]","wdl":"win",' "$T/out" &&
	grep -q '"dtm":null' "$T/out" && grep -q '"metric":"score","outcome":"win","stones":3,' "$T/out"
verdict 'probe --json: stones, letters as moves'
printf '%s\n4-4-4\n%s\n' "$GAIN" "$OPENING" >"$T/lines"
endlab probe --stdin <"$T/lines" >"$T/out" 2>"$T/err"
[ $? -eq 1 ] && sed -n 2p "$T/out" | grep -q "${TAB}win${TAB}" &&
	sed -n 3p "$T/out" | grep -q "^4-4-4${TAB}error${TAB}character 6: expected '-', found the end$" &&
	sed -n 4p "$T/out" | grep -q "^$OPENING${TAB}unknown${TAB}"
verdict 'probe --stdin: a bad line is answered and passed; a layer that is not built is unknown'

# ---- lines and games ----
answers 'a line to the end' 0 '^1\. F b 2\. A ' endlab line "$GAIN"
head -n 1 "$T/out" | grep -q '^South to move gains 4 stones$' && tail -n 1 "$T/out" | grep -q '1-0$'
verdict 'and its result'
answers 'endless play' 0 '{repetition} 1/2-1/2$' endlab line "$DRAW"
# The side that captured more has won, even if the other one gets the rest.
[ "$(endlab line 1-0-0-0-0-0-0-2-0-0-0-0-24-21-S 2>/dev/null | grep -o '[01]-[01]$')" = 1-0 ] &&
	[ "$(endlab line 1-0-0-0-0-0-0-2-0-0-0-0-10-35-S 2>/dev/null | grep -o '[01]-[01]$')" = 0-1 ]
verdict 'a result is that of the whole game'
endlab line "$GAIN" --pgn >"$T/line.pgn" 2>"$T/err" && run endlab annotate "$T/line.pgn" &&
	[ "$status" -eq 0 ] && tr '\n' ' ' <"$T/out" |
	grep -q '1\. F \$1 {\[%endlab \$1\] only move to keep the win: a gain of 4 stones} 1\.\.\. b '
verdict 'a line is a game, which is read again: captures go into the stores'
printf '[SetUp "1"]\n[FEN "%s"]\n\n1. A a (1... b) *\n' 1-0-0-0-0-2-1-1-1-0-0-0-0-0-S >"$T/game.pgn"
run endlab annotate "$T/game.pgn"
[ "$status" -eq 0 ] && tr '\n' ' ' <"$T/out" | grep -q '1\. A .*a gain of [0-9] stones'
verdict 'a game that misses something'
printf '[Event "?"]\n[SetUp "1"]\n[FEN "%s"]\n\n1. C f 2. A d *\n' "$OPENING" >"$T/opening.pgn"
run endlab annotate "$T/opening.pgn"
[ "$status" -eq 0 ] && tr '\n' ' ' <"$T/out" |
	grep -q '{\[%endlab\] no verdicts: more stones than any table you have} 1\. C f 2\. A d '
verdict 'a game from the first position'
printf '[SetUp "1"]\n[FEN "%s"]\n\n1. B *\n' "$GAIN" >"$T/bad.pgn"
run endlab annotate "$T/bad.pgn"
[ "$status" -eq 1 ] && grep -q "move 1: 'B' is illegal: the pit is empty$" "$T/err"
verdict 'a move that is illegal'

# ---- plans, other forms, other files ----
answers 'plan: what it depends on' 0 '^ *1/1  awari:7 .*awari:5\* awari:4\* awari:3\* awari:2\* awari:1\* awari:0\*$' \
	endlab plan awari:7
run endlab plan awari:22 --json
[ "$status" -eq 0 ] && [ "$(grep -o '"slice":"awari:' "$T/out" | wc -l)" -eq 22 ] &&
	! grep -q '"slice":"awari:21"' "$T/out"
verdict 'plan --json: as many as there are below'
run endlab lab awari:6 --json --codecs raw,zstd,xz --blocks 1K --probes 200 --seconds 0.01
[ "$status" -eq 0 ] && [ "$(json slice)" = awari:6 ] && [ "$(json metric)" = score ] &&
	[ "$(json positions)" -eq 12376 ] && [ "$(grep -o '"bits_per_position"' "$T/out" | wc -l)" -ge 6 ]
verdict 'lab'
run endlab recode "$ENDLAB_DIR/awari-6.score.egt" -o "$T/small.egt" --codec xz --derive captures
[ "$status" -eq 0 ] && [ "$(wc -c <"$T/small.egt")" -lt "$(wc -c <"$ENDLAB_DIR/awari-6.score.egt")" ] &&
	endlab verify "$T/small.egt" >"$T/out" 2>"$T/err"
verdict 'recode: captures are derived, and every board is right'
run endlab --dir "$T/side" build awari:5 --derive captures+side
[ "$status" -eq 0 ] && endlab --dir "$T/side" verify awari:0-3 awari:5 >"$T/out" 2>"$T/err"
verdict 'build: both sides have one plane, and none is left out'
run endlab export awari:5 --format csv -o "$T/csv"
[ "$status" -eq 0 ] && [ "$(wc -l <"$T/csv/awari-5.score.csv")" -eq 4369 ] &&
	[ "$(head -n 1 "$T/csv/awari-5.score.csv")" = fen,outcome,stones ] &&
	[ "$(awk -F , '$3 == -2 && $2 == "loss"' "$T/csv/awari-5.score.csv" | wc -l)" -eq 85 ]
verdict 'export: stones with their sign'
