#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Probing in its three forms, lines and the shell.
. "$(dirname "$0")/common"
endlab build 3 >/dev/null 2>&1
MATE1='7k/8/6K1/8/8/8/8/1Q6 w - - 0 1'     # Qb8 mates
MATED='1Q5k/8/6K1/8/8/8/8/8 b - - 0 1'
STALE='7k/5Q2/6K1/8/8/8/8/8 b - - 0 1'
HANGS='8/8/8/8/8/8/1qk5/K7 w - - 0 1'      # mated, colours the other way round
DRAWN='7k/8/8/8/8/8/7P/K7 w - - 0 1'
NONE='8/8/8/3k4/8/8/8/KQ5R w - - 0 1'      # a slice without a table

# ---- tsv ----
run endlab probe --tsv "$MATE1" "$MATED" "$STALE"
{
	printf 'fen\twdl\tdtm\tdtc\tdtz\tdtw\twdl50\tdtz50\tdtr\tdtzr\tscore\n'
	printf '%s\twin\t1\t-\t-\t-\twin\t-\t-\t-\t-\n' "$MATE1"
	printf '%s\tloss\t0\t0\t0\t-\tloss\t0\t0\t0\t-\n' "$MATED" # by the rules, without a table
	printf '%s\tdraw\t-\t-\t-\t-\tdraw\t-\t-\t-\t-\n' "$STALE"
} >"$T/expected"
[ "$status" -eq 0 ] && cmp -s "$T/out" "$T/expected"
verdict 'tsv: header, win, mate, stalemate'

printf '%s\nnonsense\n\n%s\r\n%s\n%s' "$MATE1" "$MATED" "$NONE" "$STALE" >"$T/in"
endlab probe --stdin <"$T/in" >"$T/out" 2>"$T/err"
[ $? -eq 1 ] && [ "$(wc -l <"$T/out")" -eq 7 ] &&
	[ "$(sed -n 2p "$T/out" | cut -f1-3)" = "$MATE1${TAB}win${TAB}1" ] &&
	sed -n 3p "$T/out" | grep -qE "^nonsense${TAB}error${TAB}[^${TAB}]+$" &&
	sed -n 4p "$T/out" | grep -qE "^${TAB}error${TAB}[^${TAB}]+$" &&
	[ "$(sed -n 5p "$T/out" | cut -f1-3)" = "$MATED${TAB}loss${TAB}0" ] &&
	[ "$(sed -n 6p "$T/out" | cut -f1-7)" = "$NONE${TAB}unknown${TAB}-${TAB}-${TAB}-${TAB}-${TAB}unknown" ] &&
	[ "$(sed -n 7p "$T/out" | cut -f1-3)" = "$STALE${TAB}draw${TAB}-" ]
verdict 'stdin: one answer a line, in order, bad lines among them'
grep -q '^endlab: probe: 1 of 6 positions unknown.*KQRvK' "$T/err"
verdict 'stdin: what is unknown is said once'

for what in shell 'probe --stdin'; do # no table is taken for what is closed
	"$ENDLAB" $what <&- >"$T/out" 2>"$T/err"
	[ $? -eq 4 ] && grep -q 'standard input: Bad file descriptor$' "$T/err" && [ "$(wc -l <"$T/err")" -eq 1 ]
	verdict "$what: a closed standard input"
done
printf 'a\tb\001c\nd\000e\n' | endlab probe --stdin >"$T/out" 2>"$T/err"
[ $? -eq 1 ] && [ "$(wc -l <"$T/out")" -eq 3 ] && [ "$(sed -n 2p "$T/out" | cut -f1,2)" = "a b c${TAB}error" ] &&
	sed -n 3p "$T/out" | grep -q 'zero byte'
verdict 'stdin: control characters do not break columns'
awk 'BEGIN {for (i = 0; i < 30000; i++) printf "8/8/"; print ""}' >"$T/in"
echo "$MATE1" >>"$T/in"
endlab probe --stdin <"$T/in" >"$T/out" 2>"$T/err"
[ $? -eq 1 ] && [ "$(wc -l <"$T/out")" -eq 3 ] && sed -n 2p "$T/out" | grep -q 'too long' &&
	sed -n 3p "$T/out" | grep -q "^$MATE1${TAB}win"
verdict 'stdin: an endless line is one bad line'

printf '%s\nW:WK1:BK2\n' "$MATE1" | endlab probe --stdin --metric dtm >"$T/out" 2>"$T/err"
[ $? -eq 1 ] && sed -n 2p "$T/out" | grep -q "^$MATE1${TAB}win" && sed -n 3p "$T/out" | grep -q "${TAB}error${TAB}"
verdict 'stdin: a line of another game than the metric is a bad line'

# ---- EPD ----
PLAIN='8/8/8/3kr3/8/8/2Q5/1K6 w - -'
{
	printf '\357\273\277# comments have no answer\r\n'
	printf '%s bm Qc7; id "x; y"; hmvc 12; fmvn 40; c0 "..";\r\n' "$PLAIN"
	printf '  # nor has this one\n%s 3 9 noop;\n%s id "x;\n%s\n' "$PLAIN" "$PLAIN" "$PLAIN"
} >"$T/in"
endlab probe --stdin <"$T/in" >"$T/out" 2>"$T/err"
[ $? -eq 1 ] && [ "$(wc -l <"$T/out")" -eq 5 ] &&
	[ "$(sed -n 2p "$T/out" | cut -f1,2)" = "$PLAIN 12 40${TAB}unknown" ] &&
	[ "$(sed -n 3p "$T/out" | cut -f1,2)" = "$PLAIN 3 9${TAB}unknown" ] &&
	sed -n 4p "$T/out" | grep -qF "$PLAIN id \"x;${TAB}error${TAB}operation 1 (id): expected '\"' at the end" &&
	[ "$(sed -n 5p "$T/out" | cut -f1,2)" = "$PLAIN${TAB}unknown" ]
verdict 'stdin: EPD, comments, a byte order mark and CRLF'
grep -q '^endlab: probe: 3 of 4 positions unknown' "$T/err"
verdict 'stdin: comments are not counted'
printf '\357\273\277' | endlab probe --stdin >"$T/out" 2>"$T/err"
[ $? -eq 0 ] && [ "$(wc -l <"$T/out")" -eq 1 ]
verdict 'stdin: a byte order mark alone asks nothing'
{
	printf '\357\273\277'
	awk 'BEGIN {for (i = 0; i < 65533; i++) printf "8"; print ""; for (i = 0; i < 65534; i++) printf "8"; print ""}'
	echo "$MATE1"
} >"$T/in"
endlab probe --stdin <"$T/in" >"$T/out" 2>"$T/err"
[ $? -eq 1 ] && [ "$(wc -l <"$T/out")" -eq 4 ] && sed -n 4p "$T/out" | grep -q "^$MATE1${TAB}win"
verdict 'stdin: a byte order mark before a line that fills the buffer'
echo "$MATE1" >"$T/plain"
for form in 'iconv -t UTF-16' 'gzip -c' 'zstd -qc'; do
	command -v ${form%% *} >/dev/null || continue
	$form <"$T/plain" | endlab probe --stdin >"$T/out" 2>"$T/err"
	[ $? -eq 0 ] && sed -n 2p "$T/out" | grep -q "^$MATE1${TAB}win"
	verdict "stdin: $form"
done
(printf '\376\377' && iconv -t UTF-16BE "$T/plain") | endlab probe --stdin >"$T/out" 2>"$T/err"
[ $? -eq 0 ] && sed -n 2p "$T/out" | grep -q "^$MATE1${TAB}win"
verdict 'stdin: UTF-16 in the other order'
gzip -c "$T/plain" | head -c 30 | endlab probe --stdin >"$T/out" 2>"$T/err"
[ $? -eq 3 ] && grep -q '^endlab: probe: standard input: packed by gzip, and its end is missing$' "$T/err"
verdict 'stdin: gzip that is cut short is damaged'
run endlab probe --json "$MATE1" "${MATE1% 0 1} hmvc 4;"
[ "$status" -eq 0 ] && sed -n 2p "$T/out" | grep -qF "{\"fen\":\"${MATE1% 0 1} 4 1\",\"game\"" &&
	sed -n 2p "$T/out" | grep -qF '"clock":4'
verdict 'json: EPD as an argument'
answers 'text: a line from EPD' 0 'Qb8#' endlab line "${MATE1% 0 1} bm Qb8#;"
answers 'text: an operation that does not end' 0 "bm Qb8#: bm read without its ';'$" \
	endlab probe "${MATE1% 0 1} bm Qb8#"
answers 'text: what is no operation' 0 "'00:00' left out: it is no operation of EPD$" \
	endlab probe "${MATE1% 0 1} bm Qb8#; 00:00; id x"
answers 'stdin: lines that end in CR, and zero bytes before that' 0 '^3$' \
	sh -c 'printf "%s\r%s\0\r\r\n%s\r" "$1" "$1" "$1" | endlab probe --stdin --metric dtm | grep -c "win.1$"' sh "$MATE1"
answers 'text: a letter is no operation' 1 "found 'O'" endlab probe "${MATE1% 0 1} O 1"

endlab probe --stdin </dev/null >"$T/out" 2>"$T/err"
[ $? -eq 0 ] && [ "$(wc -l <"$T/out")" -eq 1 ]
verdict 'stdin: nothing asked'
endlab probe --stdin </ >"$T/out" 2>"$T/err"
[ $? -eq 4 ] && grep -q '^endlab: .*standard input' "$T/err"
verdict 'stdin: a directory cannot be read'

# A program that asks for one position at a time gets an answer at once.
mkfifo "$T/ask" "$T/answer"
"$ENDLAB" probe --stdin <"$T/ask" >"$T/answer" 2>"$T/err" &
exec 3>"$T/ask" 4<"$T/answer"
echo "$MATE1" >&3
read -r header <&4
read -r answer <&4
exec 3>&-
wait $!
exec 4<&-
[ "${answer##*0 1"$TAB"}" = "win${TAB}1${TAB}-${TAB}-${TAB}-${TAB}win${TAB}-${TAB}-${TAB}-${TAB}-" ]
verdict 'stdin: a waiting coprocess is answered'

run endlab probe --soft --tsv "$MATE1"
[ "$status" -eq 1 ] && grep -q "^$MATE1${TAB}unknown${TAB}-" "$T/out"
verdict 'soft: a cold cache knows nothing'
printf 'probe "%s"\nprobe --soft --tsv "%s"\n' "$MATE1" "$MATE1" |
	endlab shell >"$T/out" 2>"$T/err"
[ $? -eq 0 ] && grep -q "^$MATE1${TAB}win${TAB}1${TAB}" "$T/out"
verdict 'soft: a warm cache knows'

# ---- json ----
run endlab probe --json "$MATE1" nonsense "$NONE" "$HANGS"
[ "$status" -eq 1 ] && [ "$(wc -l <"$T/out")" -eq 4 ]
verdict 'json: one object a line'
depths='"dtc":null,"dtz":null,"dtw":null,"wdl50":"win","dtz50":null,"dtr":null,"dtzr":null,"score":null,"dtm50":null'
mates='"dtc":1,"dtz":1,"dtw":null,"wdl50":"win","dtz50":1,"dtr":1,"dtzr":1,"score":null,"dtm50":1'
head -1 "$T/out" | grep -qF "{\"fen\":\"$MATE1\",\"game\":\"chess\",\"slice\":\"KQvK\",\"wdl\":\"win\",\"dtm\":1,$depths,\"clock\":0,\"rule\":50,\"moves\":[{\"uci\":\"b1b8\",\"san\":\"Qb8#\",\"wdl\":\"win\",\"dtm\":1,$mates,\"only\":false},"
verdict 'json: fields in their order, the best move first, seen by who moves'
sed -n 2p "$T/out" | grep -qE '^\{"fen":"nonsense","error":"[^"]+"'
verdict 'json: a bad position'
sed -n 3p "$T/out" | grep -qF '"slice":"KQRvK","wdl":"unknown","dtm":null'
verdict 'json: an unknown value'
sed -n 4p "$T/out" | grep -qF '"slice":"KQvK","wdl":"loss","dtm":0'
verdict 'json: the weaker colour may be White'
if command -v python3 >/dev/null && python3 -c '' 2>/dev/null; then
	python3 -c 'import json, sys
for line in sys.stdin: json.loads(line)' <"$T/out" 2>"$T/err"
	verdict 'json: a parser reads it'
fi
run endlab probe --json "$(printf 'bytes \377\200 that are no text')"
[ "$status" -eq 1 ] && grep -qF '"fen":"bytes ?? that' "$T/out"
verdict 'json: always UTF-8'
ranked() { # the dtm of the moves, in order, from the position's JSON
	sed 's/.*"moves":\[//' "$1" | grep -o "\"wdl\":\"$2\",\"dtm\":[0-9]*" | sed 's/.*://'
}
run endlab probe --json '8/8/8/8/8/2k5/8/K6Q w - - 0 1'
ranked "$T/out" win >"$T/wins" && [ "$(wc -l <"$T/wins")" -gt 5 ] && sort -nc "$T/wins" 2>"$T/err"
verdict 'json: shorter wins first'
run endlab probe --json '8/8/8/8/8/2k5/8/K6Q b - - 0 1'
ranked "$T/out" loss >"$T/losses" && [ "$(wc -l <"$T/losses")" -gt 2 ] && sort -rnc "$T/losses" 2>"$T/err"
verdict 'json: longer losses first'

# ---- for people ----
answers 'text: the verdict' 0 '^KQvK  White to move wins' endlab probe "$MATE1"
grep -qx '  mate in 1 ply (1 move)' "$T/out" && grep -qE '^winning  [0-9]+$' "$T/out" &&
	grep -qE '^  Qb8# +1 ply \(1 move\)' "$T/out" && grep -qE '^drawing  [0-9]+$' "$T/out"
verdict 'text: depth with its unit, moves in groups'
answers 'text: the end of the game' 0 '^KQvK  Black is checkmated$' \
	endlab probe "$MATED"
answers 'text: a fault goes to stderr' 1 "^endlab: 'nonsense' is not" endlab probe nonsense

# ---- lines ----
LONG='8/8/8/8/8/2k5/8/K6Q w - - 0 1'
plies=$(endlab probe --tsv "$LONG" | sed -n 2p | cut -f3)
run endlab line "$LONG"
moves=$(sed 1d "$T/out" | tr ' ' '\n' | grep -cE '^[KQ]')
[ "$status" -eq 0 ] && [ "$moves" -eq "$plies" ] && head -1 "$T/out" | grep -q "^White to move mates in $plies plies (.* moves)\$" &&
	tail -1 "$T/out" | grep -q '# 1-0$'
verdict 'line: as long as the depth says, to mate'
run endlab line "8/8/8/8/8/2k5/8/K6Q b - - 4 7"
sed -n 2p "$T/out" | grep -qE '^7\.\.\. K[a-h][1-8] 8\. '
verdict 'line: Black begins, numbers go on'
run endlab line "$LONG" --pgn
[ "$status" -eq 0 ] && grep -qx '\[Result "1-0"\]' "$T/out" && grep -qx "\\[FEN \"$LONG\"\\]" "$T/out" &&
	grep -qx '\[SetUp "1"\]' "$T/out" && [ "$(awk 'length > 80' "$T/out" | wc -l)" -eq 0 ]
verdict 'line: PGN'
answers 'line: a draw' 0 '1/2-1/2$' endlab line "$DRAWN"
answers 'line: mate on the board' 0 '^1-0$' endlab line "$MATED"
answers 'line: a win that goes in circles, since outcomes tell no way' 0 '\{repetition\} \*$' endlab line '8/8/8/4k3/8/3RK3/8/8 w - - 0 1' --metric wdl

# ---- bounds ----
# White has at least a draw, and may win by taking the knight: the table after that is not built.
LEAST='8/8/8/8/3k4/8/8/KR4n1 w - - 0 1'
MOST='8/8/8/8/3k4/8/8/KR4n1 b - - 0 1'
OPEN='8/8/8/3k4/8/2n5/8/1R1K4 w - - 0 1' # the knight attacks the king and the rook
endlab build --dir "$T/partly" --partial --metric wdl KRvKN >/dev/null 2>&1
run endlab probe --dir "$T/partly" --tsv "$LEAST" "$MOST"
[ "$status" -eq 0 ] && sed -n 2p "$T/out" | grep -q "^$LEAST${TAB}at-least-draw${TAB}-${TAB}-${TAB}-${TAB}-${TAB}unknown${TAB}" &&
	sed -n 3p "$T/out" | grep -q "^$MOST${TAB}at-most-draw${TAB}-${TAB}-${TAB}-${TAB}-${TAB}unknown${TAB}"
verdict 'bounds: tsv'
run endlab probe --dir "$T/partly" --tsv "$LEAST" "$OPEN"
[ "$status" -eq 1 ] && sed -n 3p "$T/out" | grep -q "^$OPEN${TAB}unknown${TAB}" &&
	grep -q '1 of 2 positions unknown.*partial' "$T/err"
verdict 'bounds: tsv, nothing known within them'
run endlab probe --dir "$T/partly" --json "$LEAST"
[ "$status" -eq 0 ] && grep -qF '"slice":"KRvKN","wdl":"at-least-draw","dtm":null,"dtc":null' "$T/out" &&
	grep -qF '"san":"Ka2","wdl":"at-least-draw"' "$T/out" && grep -qF '"san":"Rxg1","wdl":"unknown"' "$T/out"
verdict 'bounds: json'
answers 'bounds: text' 0 '^KRvKN  White to move draws at least$' endlab probe --dir "$T/partly" "$LEAST"
grep -qx "  KRvK needed after Rxg1; looked in $T/partly" "$T/out" && grep -qE '^at least drawing  [0-9]+$' "$T/out" &&
	grep -qE '^unknown  [0-9]+$' "$T/out"
verdict 'bounds: text, what is missing, moves in groups'
answers 'bounds: no line is made of them' 1 "^endlab: line: KRvK needed after Rxg1; looked in $T/partly\$" \
	endlab line --dir "$T/partly" --metric wdl "$LEAST"

# ---- the shell ----
printf '%s\n' '# a comment' 'stats KQvK --json' "probe --tsv '$MATE1'" 'quit' 'biuld 3' |
	endlab shell >"$T/out" 2>"$T/err"
[ $? -eq 0 ] && grep -q '^{"slice":"KQvK"' "$T/out" && grep -q "^$MATE1${TAB}win" "$T/out" && [ ! -s "$T/err" ]
verdict 'shell: commands from a script'
printf '%s\n' 'biuld 3' 'list --json' | endlab shell >"$T/out" 2>"$T/err"
[ $? -eq 2 ] && grep -q "'build'" "$T/err" && grep -q '"tables":\[' "$T/out"
verdict 'shell: goes on after an error and remembers it'
printf 'probe "%s' "$MATE1" | endlab shell >"$T/out" 2>"$T/err"
[ $? -eq 2 ] && grep -q 'quote' "$T/err"
verdict 'shell: an open quote'
printf 'probe --tsv %s\nprobe --stdin\n%s\n' "$(echo "$MATE1" | sed 's/ /\\ /g')" "$MATED" |
	endlab shell >"$T/out" 2>"$T/err"
[ $? -eq 0 ] && grep -q "^$MATE1${TAB}win" "$T/out" && grep -q "^$MATED${TAB}loss" "$T/out"
verdict 'shell: escaped blanks, and input for a command'
