#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How the endings of many games were played.
. "$(dirname "$0")/common"
endlab build KQvK KRvK --metric dtm >"$T/log" 2>&1
[ $? -eq 0 ]
verdict 'tables to judge by'

# White stalemates twice; Black plays a queen ending of his own well; a game without tables; one that goes on
# after an illegal move; one of a variant; one that is no game.
cat >"$T/games.pgn" <<'END'
[White "Ann"]
[Black "Bob"]
[Result "1/2-1/2"]
[FEN "k7/8/1K6/8/8/8/2Q5/8 w - - 0 1"]

1. Qc7 1/2-1/2

[White "Cid"]
[Black "Dan"]
[Result "1/2-1/2"]
[FEN "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1"]

1. Qf7 1/2-1/2

[White "Eve"]
[Black "Fay"]
[Result "0-1"]
[FEN "8/8/8/8/8/1k6/3q4/K7 b - - 0 1"]

1... Qb2# 0-1

[White "Gus"]
[Black "Hal"]

1. e4 e5 2. Nf3 *

[White "Ida"]
[Black "Jim"]
[FEN "k7/8/1K6/8/8/8/2Q5/8 w - - 0 1"]

1. Qc8# Kxc8 2. Ka9 *

END
run endlab survey "$T/games.pgn"
[ "$status" -eq 1 ] && grep -q '^5 games, 4 with an ending that tables know$' "$T/out" &&
	grep -qE '^KQvK +4 +4 +100% +0% +0% +2 +0 +0$' "$T/out"
verdict 'endings, both colours together'
grep -qE "^endlab: survey: $T/games.pgn:[0-9]+: game 5, " "$T/err" && [ "$(wc -l <"$T/err")" -eq 1 ]
verdict 'a game that cannot be read in full is named'
grep -A1 -E '^ +2  k7/8/1K6/8/8/8/2Q5/8 w - - 0 1$' "$T/out" |
	grep -qE '1\. Qc7 throws the win, best is Qc8# \(game 1: Ann - Bob\)$'
verdict 'mirrored mistakes are one, with the first game'
run endlab survey "$T/games.pgn" --json
grep -q '"move":"Qc7","better":"Qc8#","before":"win","after":"draw","count":2,"game":1,' "$T/out" &&
	grep -q '"white":{"judged":4,"mistakes":2,"half_points":2,"plies_lost":0}' "$T/out"
verdict 'as JSON'
run endlab survey "$T/games.pgn" --csv
[ "$(wc -l <"$T/out")" -eq 2 ] && grep -qx 'KQvK,4,4,4,0,0,0,1,2,0,1,4,2,2,0,0,0,0,0' "$T/out"
verdict 'as CSV'
gzip -c "$T/games.pgn" >"$T/games.pgn.gz"
run sh -c "'$ENDLAB' --dir '$ENDLAB_DIR' survey - --csv 2>/dev/null <'$T/games.pgn.gz'"
grep -q '^KQvK,4,4,' "$T/out"
verdict 'packed, on standard input'
endlab --threads 1 survey "$T/games.pgn" "$T/games.pgn" --json >"$T/one" 2>/dev/null
endlab --threads 3 survey "$T/games.pgn" "$T/games.pgn" --json >"$T/two" 2>/dev/null
cmp -s "$T/one" "$T/two" && grep -q '"games":10,' "$T/one"
verdict 'of two files, the same with any threads'
answers 'one ending alone' 1 '^KQvK ' endlab survey "$T/games.pgn" --ending KQvK --limit 0

refuses 'a file that is not there' 4 "$T/none.pgn: No such file" endlab survey "$T/none.pgn"
refuses 'a game without end' 1 '/dev/zero: game 1 has more than 16 MB' endlab survey /dev/zero
: >"$T/empty.pgn"
refuses 'a file without games' 1 "$T/empty.pgn: no game in it" endlab survey "$T/empty.pgn"
refuses 'an ending that is none' 1 "'KXvK'" endlab survey "$T/games.pgn" --ending KXvK
refuses 'two forms' 2 'choose one form' endlab survey "$T/games.pgn" --json --csv
