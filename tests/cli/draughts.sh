#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# English draughts on the command line: groups of slices, positions as in PDN, lines as PDN games.
. "$(dirname "$0")/common"
WON='W:WK3,20:BK30' BLACK='B:WK3,20:BK30'

# ---- slices and groups ----
run endlab build checkers:2
[ "$status" -eq 0 ] && [ "$(grep -c '^  *[0-9]*/3  checkers:[KM]vM* *K* *dtw ' "$T/out")" -eq 3 ] &&
	[ "$(cut -d/ -f2 "$T/out" | grep -o 'checkers:[KMv]*' | sort | tr '\n' ' ')" = \
		'checkers:KvK checkers:KvM checkers:MvM ' ]
verdict 'build: a group of one number of pieces'
run endlab build checkers:2-3 KQvK
[ "$status" -eq 0 ] && [ "$(ls "$T/tables"/checkers-*.dtw.egt | wc -l)" -eq 9 ] &&
	[ -f "$T/tables/KQvK.dtm.egt" ] && [ ! -f "$T/tables/checkers-KKvKK.dtw.egt" ]
verdict 'build: a range of numbers, and a slice of chess beside it'
[ "$(awk '/passes/ { print index($0, " passes") }' "$T/out" | sort -u | wc -l)" -eq 1 ]
verdict 'build: columns are as wide as the longest name'
answers 'build: all of it is there' 0 'nothing to build' endlab build checkers:2-3
answers 'build: the weaker side first' 0 'nothing to build' endlab build checkers:KvKM
refuses 'build: too many pieces for a group' 2 "'checkers:9': expected 2 to 8 pieces" \
	endlab build checkers:9
refuses 'build: too few' 2 "'checkers:1'.*2 to 8" endlab build checkers:1
refuses 'build: a group the wrong way round' 2 "'checkers:3-2'" endlab build checkers:3-2
refuses 'build: a metric of chess' 2 'dtm is a metric of chess alone' endlab build checkers:2 --metric dtm
refuses 'stats: a metric of chess' 2 'dtm is a metric of chess alone' endlab stats checkers:KvK --metric dtm
refuses 'lab: a metric of chess' 2 'dtm is a metric of chess alone' endlab lab checkers:KvK --metric dtm
refuses 'build: a metric of draughts' 2 'dtw is a metric of checkers and morris alone' endlab build KRvK --metric dtw
refuses 'a slice of chess with the prefix of draughts' 1 \
	"'checkers:KQvK': unknown piece 'Q'.*chess is written KQvK" endlab build checkers:KQvK
refuses 'a slice of draughts without it' 1 "'KMvK': unknown piece 'M'.*written checkers:KMvK" \
	endlab build KMvK
refuses 'a slice of no game' 1 "'checkers:KXvK': unknown piece 'X'" endlab stats checkers:KXvK
refuses 'one side' 1 'names one side' endlab stats checkers:KM
refuses 'a side without pieces' 1 'has no piece' endlab stats checkers:KMv
refuses 'too many pieces for a slice' 1 '9 pieces.*at most 8' endlab stats checkers:KKKKKvKKKK
refuses 'no such table' 1 "no table of checkers:KKvKK.*'endlab build checkers:KKvKK'" \
	endlab stats checkers:KKvKK

run endlab list
[ "$status" -eq 0 ] && head -1 "$T/out" | grep -q '^KQvK ' &&
	[ "$(awk '{ print index($0, " egt ") }' "$T/out" | sort -u | wc -l)" -eq 1 ]
verdict 'list: a game after the other, in columns'
answers 'verify: a group' 0 '^checkers:KMvK dtw .* all right' endlab verify checkers:2-3
answers 'stats in words' 0 '^  longest win   47 plies \(24 moves\)  W:W' endlab stats checkers:KMvK
run endlab stats checkers:KvK --json
[ "$(json game)" = checkers ] &&
	grep -q '"white_to_move":{"legal":992,"win":230,"draw":654,"loss":108,' "$T/out" &&
	grep -q '"black_to_move":{"legal":992,"win":230,"draw":654,"loss":108,' "$T/out"
verdict 'stats: king against king'

# ---- probe ----
answers 'probe in words' 0 '^  win in 41 plies \(21 moves\)$' endlab probe $WON
grep -q '^checkers:KMvK  White to move wins$' "$T/out" && grep -qE '^  20-16 +41 plies' "$T/out"
verdict 'probe: the slice, and moves in numbers'
run endlab probe --tsv $WON $BLACK '8/8/8/8/8/2k5/8/K6Q w - - 0 1'
[ "$status" -eq 0 ] && [ "$(wc -l <"$T/out")" -eq 4 ] &&
	sed -n 2p "$T/out" | grep -qE "^$WON${TAB}win${TAB}-${TAB}-${TAB}-${TAB}[0-9]*[13579](${TAB}-){5}$" &&
	sed -n 3p "$T/out" | grep -qE "^$BLACK${TAB}loss${TAB}-${TAB}-${TAB}-${TAB}[0-9]*[02468](${TAB}-){5}$" &&
	sed -n 4p "$T/out" | grep -qE "${TAB}win${TAB}[0-9]+${TAB}-${TAB}-${TAB}-${TAB}win${TAB}"
verdict 'probe: both games in one table'
run endlab probe --json 'W:WK2:B6,14'
[ "$status" -eq 0 ] && [ "$(json game) $(json slice)" = 'checkers checkers:MMvK' ] &&
	grep -q '"wdl":"win","dtm":null,"dtc":null,"dtz":null,"dtw":1,"wdl50":null,.*"clock":null,"rule":null,"moves":\[{"pdn":"2x9x18","san":"2x18",' \
		"$T/out" && ! grep -q '"uci"' "$T/out"
verdict 'probe --json: a move takes two, and is told with all its squares'
printf '%s\r\n\nW:WK3:BK33\n%s\n' "$WON" "$BLACK" >"$T/lines"
endlab probe --stdin <"$T/lines" >"$T/out" 2>"$T/err"
[ $? -eq 1 ] && [ "$(wc -l <"$T/out")" -eq 5 ] && sed -n 2p "$T/out" | grep -q "^$WON${TAB}win" &&
	sed -n 4p "$T/out" | grep -q "^W:WK3:BK33${TAB}error${TAB}.*found 33"
verdict 'probe --stdin: a bad line is answered and passed'

# Black must take one king and loses to the other: his own move ends the count.
endlab --dir "$T/conversions" build checkers:KKvK --metric dtc >/dev/null 2>&1
answers 'a forced capture that loses is 1 move' 0 '^  conversion in 1 ply \(1 move\)$' \
	endlab --dir "$T/conversions" probe 'B:WK1,K9:BK6'

# ---- every kind of wrong position ----
bad() { # bad NAME PATTERN FEN
	refuses "$1" 1 "$2" endlab probe "$3"
}
bad 'no side to move' "not a position" 'X:WK3:BK30'
bad 'no pieces at all' "character 3: expected 'W' or 'B', found the end" 'W:'
bad 'one side alone' "character 6: expected ':B', found the end" 'W:WK3'
bad 'one side twice' "character 7: expected 'B', found 'W'" 'W:WK3:WK4'
bad 'a square that is none' 'expected a square from 1 to 32, found 33' 'W:WK33:BK30'
bad 'square zero' 'from 1 to 32, found 0' 'W:WK0:BK30'
bad 'a comma too many' "character 7: expected .*'K'.*, found ':'" 'W:WK3,:BK30'
bad 'letters' "found 'x'" 'W:W3x:B4'
bad 'something behind it' "expected ',' or the end" 'W:WK3:BK30 w'
bad 'two pieces on a square' 'two pieces are on 3' 'W:WK3:BK3'
bad 'the same piece twice' 'two pieces are on 3' 'W:WK3,3:BK30'
bad 'a white man where it is crowned' 'a white man on 4: there it would be a king' 'W:W4:BK30'
bad 'a black man where it is crowned' 'a black man on 29' 'W:WK4:B29'
bad 'no black piece' 'Black has no piece' 'W:WK3:B'
bad 'no white piece' 'White has no piece' 'B:W:BK3'
bad 'thirteen pieces' 'White has 13 pieces, expected at most 12' 'W:W13-25:B1'
bad 'a range the wrong way round' 'smaller number first' 'W:W24-21:B1'
answers 'a range' 1 '^checkers:MMMvM ' endlab probe 'W:W21-23:B1'
answers 'more pieces than tables have' 1 'unknown' endlab probe 'B:W21-32:B1-12'
refuses 'explorer: no position' 1 "W:WK33:BK30: .*found 33" endlab probe 'W:WK33:BK30'

# ---- lines ----
# is_pdn FILE: tags, then moves numbered from 1, the first of each pair Black's, then the result
is_pdn() {
	awk -v black="$2" '
		/^\[/ { if (moves || $0 !~ /^\[[A-Z][A-Za-z]* "[^"]*"\]$/) bad = 1; next }
		{ for (i = 1; i <= NF; i++) word[++n] = $i }
		NF { moves = 1 }
		END {
			number = 1; turn = black ? 1 : 2
			for (i = 1; i < n && !bad; i++) {
				if (turn == 1 || i == 1) {
					want = number (turn == 1 ? "." : "...")
					if (word[i++] != want) bad = 1
				}
				if (word[i] !~ /^[1-9][0-9]?(-[1-9][0-9]?|(x[1-9][0-9]?)+)$/) bad = 1
				number += turn == 2
				turn = 3 - turn
			}
			exit bad || word[n] !~ /^(1-0|0-1|1\/2-1\/2|\*)$/ || n < 3
		}' "$1"
}
run endlab line $WON --pgn
[ "$status" -eq 0 ] && is_pdn "$T/out" '' && grep -qx '\[GameType "21"\]' "$T/out" &&
	grep -qx '\[SetUp "1"\]' "$T/out" && grep -qx "\\[FEN \"$WON\"\\]" "$T/out" &&
	grep -qx '\[Result "1-0"\]' "$T/out" && grep -q '^\[Event "' "$T/out" &&
	[ "$(grep -v '^\[' "$T/out" | grep -oE '[0-9]+[-x][0-9]+' | wc -l)" -eq 42 ]
verdict 'line: a game in PDN, White first'
run endlab line $BLACK --pgn
[ "$status" -eq 0 ] && is_pdn "$T/out" 1 && grep -qE '^1\. [0-9]+-[0-9]+ [0-9]+-[0-9]+ 2\. ' "$T/out"
verdict 'line: a game in PDN, Black first'
run endlab line $WON
head -1 "$T/out" | grep -qx 'White to move wins in 41 plies (21 moves)' && sed -n 2p "$T/out" |
	grep -qE '^1\.\.\. [0-9-]+ 2\. [0-9-]+ [0-9-]+ 3\. '
verdict 'line: in words'
answers 'line: no move is left' 0 '^0-1$' endlab line 'W:W5:B1'
refuses 'line: a metric of chess' 2 'dtm is a metric of chess alone' endlab line $WON --metric dtm
refuses 'line: no table' 1 'checkers:KKvKK' endlab line 'W:WK1,K2:BK31,K32'

# ---- help and completion ----
for page in --help --man 'build --help'; do
	run endlab $page
	grep -q 'Chess' "$T/out" && grep -q 'English draughts' "$T/out" &&
		grep -q "Nine Men's Morris" "$T/out" && grep -q 'morris:[3-9]' "$T/out" &&
		grep -q 'KQvK' "$T/out" && grep -qE 'checkers:[KM]*v[KM]*, checkers:2|K king, M man' "$T/out"
	verdict "$page names the games and how their slices are written"
done
for page in 'probe --help' 'line --help'; do
	run endlab $page
	sed -n "s/^  endlab [a-z]* \('[^']*'\|W:[^ ]*\)\$/\1/p" "$T/out" | tr -d "'" |
		endlab probe --stdin >"$T/answers" 2>/dev/null
	[ "$(wc -l <"$T/answers")" -eq 4 ] && ! grep -q error "$T/answers"
	verdict "$page: its examples are positions, one of each game"
done
for shell in bash fish zsh; do
	answers "completion for $shell has slices of draughts" 0 'checkers:KMvKM' endlab --complete $shell stats ''
done
if command -v bash >/dev/null; then
	endlab --completion bash >"$T/completion"
	complete='. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _endlab; echo "${COMPREPLY[@]}"'
	run bash -c "$complete" - "$T/completion" endlab stats checkers : KMvKM
	grep -qx 'KMvKM' "$T/out"
	verdict 'bash completes a slice behind its colon'
	run bash -c "$complete" - "$T/completion" endlab stats checkers :
	grep -q '^MvM KvM KvK ' "$T/out"
	verdict 'and all of them at the colon'
fi
printf '%s\n' 'stats checkers:KvK --json' "probe --tsv $WON" | endlab shell >"$T/out" 2>"$T/err"
[ $? -eq 0 ] && grep -q '"slice":"checkers:KvK"' "$T/out" && grep -q "^$WON${TAB}win" "$T/out"
verdict 'shell: the same'
answers 'lab: a slice of draughts' 0 'rle' \
	endlab lab checkers:KMvK --codecs raw,rle --blocks 4K --probes 200 --seconds 0.01
run endlab probe --tsv 'B:W28:B' 'W:W:BK3,4'
[ "$status" -eq 0 ] && [ "$(sed 1d "$T/out" | cut -f 2,6 | sort -u)" = "loss${TAB}0" ]
verdict 'probe: no piece is left: lost in 0'
refuses 'a side without pieces that is not to move' 1 'Black has no pieces' endlab line 'W:W28:B'
