#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What commands say of the positions of a study: bounds, depths that may be less, lines, games.
. "$(dirname "$0")/common"
BLACK='8/8/2p5/p1P5/P7/8/k7/2K5 w - - 0 1'     # Black wins
DRAWN='6k1/8/8/6p1/6P1/7P/8/6K1 w - - 0 1'     # the extra pawn does not win
LASKER='8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1' # Kb1 wins, with promotions; Ka2 and Kb2 draw
ROUGH='8/8/2p5/2P5/4k3/8/p7/2K5 w - - 0 1'     # after Kb2 a rook or a bishop may do it sooner
endlab solve "$BLACK" >/dev/null 2>&1 && endlab solve "$DRAWN" >/dev/null 2>&1 &&
	endlab solve "$LASKER" --pieces none >/dev/null 2>&1
verdict 'three studies'

# tells NAME EXPRESSION COMMAND...: of the JSON that the command prints, d
tells() {
	name=$1 expression=$2
	shift 2
	run "$@"
	python3 -c "import json, sys; d = json.load(open(sys.argv[1])); sys.exit(not ($expression))" "$T/out"
	verdict "$name"
}
flat() {
	tr '\n' ' ' <"$T/out"
}
has() { # has NAME TEXT
	flat | grep -qF -- "$2"
	verdict "$1"
}

# ---- probe ----
tells 'a study tells outcome and depth' \
	'd["wdl"] == "loss" and d["dtz"] == 4 and "at_most" not in d and d["dtm"] is None and not d["from_moves"]' \
	endlab probe --json "$BLACK"
tells 'and is named' 'd["sources"][0]["path"].endswith(".study") and d["sources"][0]["plies"] == 4' \
	endlab probe --json "$BLACK"
tells 'a depth that may be less is no depth' 'd["wdl"] == "loss" and d["dtz"] is None and
	d["at_most"] == {"dtz": 4, "dtz50": 4} and d["sources"][0]["at_most"] == 4 and
	[(m["dtz"], m.get("at_most")) for m in d["moves"] if m["san"] == "Kb2"] == [(None, {"dtz": 4, "dtz50": 4})] and
	[m["dtz"] for m in d["moves"] if m["san"] == "Kd1"] == [2]' endlab probe --json "$ROUGH"
answers 'nor in a column' 0 "loss${TAB}-\$" endlab probe --tsv --metric dtz "$ROUGH"
answers 'in words it is what it is' 0 '^  zeroing in at most 4 plies \(2 moves\)$' endlab probe "$ROUGH"
answers 'an exact depth in a column' 0 "loss${TAB}4\$" endlab probe --tsv --metric dtz "$BLACK"
tells 'bounds' 'd["wdl"] == "at-least-draw" and d["why_unknown"] and
	{m["san"]: m["wdl"] for m in d["moves"]} == {"Kb1": "at-least-draw", "Ka2": "draw", "Kb2": "draw"}' \
	endlab probe --json "$LASKER"
answers 'bounds in words' 0 'White to move draws at least' endlab probe "$LASKER"
answers 'a soft probe says what is not in memory' 1 'block is not in memory' endlab probe --soft "$BLACK"
tells 'lichess: all wins are in time' 'd["category"] == "loss" and
	all(m["category"] == "win" for m in d["moves"])' endlab probe --lichess "$BLACK"
tells 'lichess: bounds are unknown, draws are draws' 'd["category"] == "unknown" and d["dtz"] is None and
	{m["san"]: m["category"] for m in d["moves"]} == {"Kb1": "unknown", "Ka2": "draw", "Kb2": "draw"}' \
	endlab probe --lichess "$LASKER"

# ---- lines ----
run endlab line "$BLACK"
[ "$status" -eq 0 ]
verdict 'a line'
has 'begins with the pawn that falls' '1. Kd1 Ka3 2. Kd2 Kxa4'
flat | grep -q '=Q.*# 0-1 *$'
verdict 'goes from frame to frame, to mate'
run endlab line '8/k7/3p4/p2P1p2/P2P1P2/8/K7/8 b - - 0 1'
has 'a drawn line says why it comes to nothing' '{repetition: no safe capture or pawn move} 1/2-1/2'
answers 'but not where a pawn may go on' 0 '[{]repetition[}]' endlab line "$DRAWN"
answers 'bounds have no line' 1 'does not follow promotions' endlab line "$LASKER"
mkdir "$T/mixed" && endlab --dir "$T/mixed" build KPvK >/dev/null 2>&1 &&
	endlab --dir "$T/mixed" solve "$BLACK" >/dev/null 2>&1
run endlab --dir "$T/mixed" line "$BLACK"
flat | grep -q '# 0-1 *$'
verdict 'beside tables of another metric the line goes on to mate'

# ---- games ----
printf '[FEN "%s"]\n\n1. Kd1 Kb3 2. Kd2 Kxa4 3. Kc3 Kb5 4. Kb3 Ka6 5. Ka4 *\n' "$BLACK" >"$T/game.pgn"
run endlab annotate "$T/game.pgn"
[ "$status" -eq 0 ]
verdict 'a game that a study covers'
has 'a lost move' '1. Kd1 {[%endlab] lost: zeroing in 4 plies (2 moves)}'
has 'a win thrown' '4... Ka6 $2 {[%endlab $2] threw away the win; Kxc5'
has 'and the line that kept it' '(4... Kxc5 {[%endlab line]} 5. Ka4 '
printf '[FEN "%s"]\n\n1. Kb1 Kb7 2. Kc1 *\n[FEN "%s"]\n\n1. Ka2 Kb7 2. Ka3 *\n' "$LASKER" "$LASKER" >"$T/bounds.pgn"
run endlab annotate "$T/bounds.pgn"
has 'bounds are written as bounds' '1. Kb1 {[%endlab] at least a draw}'
has 'before and now' '1. Ka2 {[%endlab] draw now, at least a draw before}'
has 'what draws is kept' '1... Kb7 {[%endlab] kept the draw}'

# ---- games that need studies ----
mkdir "$T/empty"
run endlab --dir "$T/empty" annotate --solve "$T/game.pgn"
[ "$status" -eq 0 ] && grep -q '^solved from move 1: loss, 2[0-9][0-9] frames, .* in KPPvKPP-[0-9a-f]*\.study' "$T/err" &&
	[ "$(ls "$T/empty" | wc -l)" -eq 1 ]
verdict '--solve makes a study, once, and says so'
has 'with its verdicts' '4... Ka6 $2 {[%endlab $2] threw away the win; Kxc5'
cp "$T/out" "$T/solved.pgn"
run endlab --dir "$T/empty" annotate --solve "$T/solved.pgn"
[ "$status" -eq 0 ] && cmp -s "$T/out" "$T/solved.pgn" && [ ! -s "$T/err" ]
verdict 'again: nothing is left to solve, and the game is the same'
printf '[FEN "r3k3/8/8/8/8/8/6pP/4K3 b q - 0 1"]\n\n1... Ra1+ 2. Kd2 Rh1 3. h4 g1=Q 4. h5 Qd4+ *\n' >"$T/late.pgn"
run endlab --dir "$T/empty" annotate --solve --time 6s "$T/late.pgn"
[ "$status" -eq 0 ] && [ "$(grep -c 'solved from move' "$T/err")" -ge 1 ] &&
	! grep -q 'from move 1:' "$T/err"
verdict 'it begins where castling rights end'
refuses 'time without --solve' 2 '--time goes with --solve' endlab annotate --time 5s "$T/game.pgn"
refuses 'a time that is none' 2 "--time 'soon': expected a time such as 90s, 10m or 2h" \
	endlab annotate --solve --time soon "$T/game.pgn"
