#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Games with verdicts: comments, marks, variations; existing ones stay; damage is reported and kept.
. "$(dirname "$0")/common"
endlab build KPvK checkers:KvK >/dev/null 2>&1
CR=$(printf '\r')

cat >"$T/pawn.pgn" <<END
[Event "Pawn"]$CR
[FEN "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1"]$CR
$CR
1. Kf4 {my own words} Kf6 2. e4 Ke6 (2... Kg6 {loses the opposition?}) 3. e5 Ke7$CR
4. Kf5 Kf7 5. e6+ Ke7 6. Ke5 Kd8 7. Kd6 Ke8 8. e7 Kf7 9. Kd7 1-0$CR
END

# flat: the games on one line, so that line breaks do not matter
flat() {
	tr '\n' ' ' <"$1"
}
has() { # has NAME TEXT: in the output
	flat "$T/out" | grep -qF -- "$2"
	verdict "$1"
}

# ---- verdicts ----
run endlab annotate "$T/pawn.pgn"
[ "$status" -eq 0 ] && [ ! -s "$T/err" ]
verdict 'a sound game: nothing on standard error'
has 'what was kept' '1. Kf4 {my own words} {[%endlab] kept the draw}'
has 'an only move' '1... Kf6 $1 {[%endlab $1] only move to keep the draw}'
has 'a draw is thrown, with its mark and the move that held it' \
	'6... Kd8 $2 {[%endlab $2] threw away the draw; Ke8 held it} (6... Ke8 {[%endlab line]}'
has 'a depth' '7. Kd6 {[%endlab] kept the win: mate in 19 plies (10 moves)}'
has 'a lost move' '7... Ke8 {[%endlab] lost: mate in 18 plies (9 moves)}'
has 'variations that were there have verdicts, and their words' '(2... Kg6 $2 {loses the opposition?} {[%endlab $2] threw away the draw; Ke6 held it; now '
awk 'length > 79 { bad = 1 } END { exit bad }' "$T/out"
verdict 'lines are shorter than 80 columns'
! grep -q "$CR" "$T/out"
verdict 'line ends are those of here'

# ---- once more ----
cp "$T/out" "$T/once.pgn"
run endlab annotate "$T/once.pgn"
[ "$status" -eq 0 ] && cmp -s "$T/out" "$T/once.pgn"
verdict 'annotated again it is the same'
run endlab annotate - <"$T/pawn.pgn"
endlab annotate - <"$T/pawn.pgn" >"$T/piped.pgn" && cmp -s "$T/piped.pgn" "$T/once.pgn"
verdict 'standard input'
run endlab annotate "$T/pawn.pgn" -o "$T/written.pgn"
[ "$status" -eq 0 ] && [ ! -s "$T/out" ] && cmp -s "$T/written.pgn" "$T/once.pgn"
verdict '-o writes a file'
run endlab annotate "$T/once.pgn" -o "$T/once.pgn"
[ "$status" -eq 0 ] && cmp -s "$T/once.pgn" "$T/written.pgn"
verdict '-o may be the file itself'
run endlab annotate --rule 5 "$T/once.pgn"
[ "$status" -eq 0 ] && ! cmp -s "$T/out" "$T/once.pgn"
verdict 'another rule, other verdicts'

# ---- existing marks stay ----
printf '[FEN "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1"]\n\n1. Kf4 Kf6!? *\n' >"$T/marked.pgn"
run endlab annotate "$T/marked.pgn"
has 'a mark of one'"'"'s own' '1... Kf6 $5 {[%endlab] only move to keep the draw}'

# ---- a mistake that is missed ----
printf '[FEN "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1"]\n\n1. Kf4 Kd6 2. Kg4 Ke6 *\n' >"$T/missed.pgn"
run endlab annotate "$T/missed.pgn"
has 'the mistake' '1... Kd6 $2 {[%endlab $2] threw away the draw'
has 'was not used' '2. Kg4 $2 {[%endlab $2] missed the win; '

# ---- more than the tables know ----
printf '1. e4 e5 2. O-O 1-0\n\n[Event "next"]\n\n1. d4 *\n' >"$T/damaged.pgn"
run endlab annotate "$T/damaged.pgn" "$T/pawn.pgn"
[ "$status" -eq 1 ] && [ "$(wc -l <"$T/err")" -eq 1 ] &&
	grep -qE "^endlab: annotate: $T/damaged.pgn:1: game 1, move 2: 'O-O' is illegal" "$T/err"
verdict 'an illegal move: one line, exit status 1'
has 'the rest of the game is kept, and the next one read' '2. O-O 1-0  [Event "next"]'
has 'more pieces than in any table' '{[%endlab] no verdicts: more pieces than any table you have} 1. d4'
has 'and the next file' '[Event "Pawn"]'
printf '[FEN "8/8 w - - 0 1"]\n\n1. e4 *\n' >"$T/fen.pgn"
answers 'a wrong FEN' 1 "fen.pgn:1: game 1: FEN '8/8 w - - 0 1': " endlab annotate "$T/fen.pgn"
has 'is kept as text' '[FEN "8/8 w - - 0 1"]  1. e4 *'

# ---- Chess960: king and rook from any file; the endings have verdicts ----
printf '[Variant "Chess960"]\n[FEN "6k1/8/8/8/8/8/8/1R3K2 w Q - 0 1"]\n\n1. O-O-O Kf7 2. Rd6 Ke7 3. Kc2 Kxd6 1/2-1/2\n' >"$T/960.pgn"
run endlab annotate "$T/960.pgn"
[ "$status" -eq 0 ] && [ ! -s "$T/err" ]
verdict 'a game of Chess960'
has 'castling is judged' '1. O-O-O {[%endlab] kept the win'
has 'and what follows' '3. Kc2 $2 {[%endlab $2] threw away the win; Ra6 kept mate in 25 plies (13 moves)'
printf '[Variant "Chess960"]\n[FEN "bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB w KQkq - 0 1"]\n\n1. b3 c5 2. Nf3 d5 3. O-O Qg3 4. hxg3 e5 5. g4 O-O *\n' >"$T/960.pgn"
answers 'one from a position of its own' 0 '5. g4' endlab annotate "$T/960.pgn"
has 'castles on either side' '3. O-O Qg3 4. hxg3 e5 5. g4 O-O *'
printf '[FEN "8/8/8/4k3/8/4K3/8/R7 w KQkq - 0 1"]\n\n1. Ra5+ Kd6 *\n' >"$T/fen.pgn"
answers 'rights that cannot be cost a comment' 0 '^.FEN "8/8/8/4k3/8/4K3/8/R7 w - - 0 1".$' endlab annotate "$T/fen.pgn"
has 'which says so' '{castling KQkq left out: White has no king on b1 to g1} 1. Ra5+ {[%endlab] kept the win'
endlab annotate "$T/fen.pgn" -o "$T/fen.pgn" && run endlab annotate "$T/fen.pgn"
[ "$(grep -c 'left out' "$T/out")" -eq 1 ]
verdict 'once'

# ---- draughts ----
printf '[GameType "21"]\n[FEN "W:WK1:BK32"]\n\n1... 1-5 2. 32-28 *\n' >"$T/kings.pdn"
answers 'draughts' 0 '1\.\.\. 1-5 .*\{\[%endlab' endlab annotate "$T/kings.pdn"

# ---- impossible requests ----
refuses 'no such file' 4 'nowhere.pgn: No such file' endlab annotate "$T/nowhere.pgn"
: >"$T/empty.pgn"
refuses 'no game' 1 'empty.pgn: no game in it' endlab annotate "$T/empty.pgn"
refuses 'no file' 2 'annotate' endlab annotate
refuses 'no such metric' 2 'metric' endlab annotate --metric x "$T/pawn.pgn"
refuses 'a metric of another game' 2 'dtw' endlab annotate --metric dtw "$T/pawn.pgn"
refuses 'a folder' 4 'Is a directory' endlab annotate "$T"

# ---- packed files, UTF-16, and files in which nothing is understood ----
gzip -c "$T/pawn.pgn" >"$T/pawn.gz"
{ gzip -c "$T/pawn.pgn" && gzip -c "$T/pawn.pgn"; } >"$T/two.gz"
iconv -t UTF-16 "$T/pawn.pgn" >"$T/wide.pgn"
endlab annotate "$T/pawn.pgn" >"$T/plain.pgn"
for packed in pawn.gz wide.pgn; do
	endlab annotate "$T/$packed" >"$T/read" && cmp -s "$T/read" "$T/plain.pgn"
	verdict "$packed is read"
done
[ "$(endlab annotate "$T/two.gz" | grep -c '^\[Event')" -eq 2 ]
verdict 'two files packed one after the other'
cp "$T/pawn.gz" "$T/before"
answers 'no plain text takes the place of a packed file' 1 'is packed, and plain text would take its place' \
	endlab annotate "$T/pawn.gz" -o "$T/pawn.gz"
cmp -s "$T/pawn.gz" "$T/before"
verdict 'it is as it was'
mkfifo "$T/pipe"
refuses 'a pipe keeps its name' 4 "$T/pipe: found a pipe, expected a file" \
	endlab annotate "$T/pawn.pgn" -o "$T/pipe"
[ -p "$T/pipe" ]
verdict 'and is still a pipe'
refuses 'a folder is no file to write' 4 "$T: found a folder, expected a file" \
	endlab annotate "$T/pawn.pgn" -o "$T"
endlab annotate "$T/wide.pgn" -o "$T/wide.pgn" && cmp -s "$T/wide.pgn" "$T/plain.pgn"
verdict 'a UTF-16 file may be written over: it becomes UTF-8'
cp "$ENDLAB_DIR/KPvK.dtm.egt" "$T/table"
cp "$T/table" "$T/before"
answers 'a file in which nothing is understood is not written over' 1 'not written, because no game in it' \
	endlab annotate "$T/pawn.pgn" "$T/table" -o "$T/table"
cmp -s "$T/table" "$T/before"
verdict 'it is as it was too'
endlab annotate "$T/pawn.pgn" "$T/table" -o "$T/both.pgn" 2>/dev/null
[ $? -eq 1 ] && cmp -s "$T/both.pgn" "$T/plain.pgn"
verdict 'beside others it leaves nothing behind'
printf '[Variant "Atomic"]\n[FEN "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1"]\n\n1. Kf4 Kf6 *\n' >"$T/atomic.pgn"
answers 'a game of another variant is not judged, and told' 1 "atomic.pgn:1: game 1: Variant 'Atomic' is not known" \
	endlab annotate "$T/atomic.pgn"
! grep -q 'kept the' "$T/out"
verdict 'it has no verdicts'
printf '[FEN "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1"]\n\n1. Kf4 (1. -- Kf6) Kf6 2. -- Ke6 *\n' >"$T/null.pgn"
run endlab annotate "$T/null.pgn"
[ "$status" -eq 0 ] && grep -q '2. -- ' "$T/out"
verdict 'null moves pass, without a verdict of their own'
