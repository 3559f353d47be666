#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `endlab serve` and `probe --lichess`: answers, errors, and badly behaved clients. With LOAD=all, 1,000 clients
# ask 100,000 times.
. "$(dirname "$0")/common"
serve_py=$(dirname "$0")/serve.py
SERVER=
unset OMP_WAIT_POLICY # restores the program's default
trap 'stop; rm -rf "$T"' EXIT

# start OPTION...: a server on a free port: $PORT
start() {
	: >"$T/serve" # the background job may empty it only after we read it
	"$ENDLAB" serve --bind 127.0.0.1:0 "$@" >"$T/serve" 2>"$T/serve.err" &
	SERVER=$! PORT=
	for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		PORT=$(sed -n 's,^serving http://127\.0\.0\.1:\([0-9]*\)/standard?fen=\.\.\.$,\1,p' "$T/serve")
		[ "$PORT" ] && break
		sleep 0.3
	done
}
# stop: $status is its exit status
stop() {
	[ "$SERVER" ] || return 0
	kill "$SERVER" 2>/dev/null
	wait "$SERVER"
	status=$?
	SERVER=
}
# ask PATH: the body in $T/out, the status and the type in $code
ask() {
	code=$(curl -s -m 20 -o "$T/out" -w '%{http_code} %{content_type}' "http://127.0.0.1:$PORT$1" 2>"$T/err")
}
# says NAME PATH CODE PATTERN
says() {
	ask "$2"
	[ "${code%% *}" = "$3" ] && grep -qE -- "$4" "$T/out"
	verdict "$1"
	[ "${code%% *}" = "$3" ] || echo "  status $code, expected $3"
}
# category, dtz, dtm: the beginning of every answer. about NAME FEN CATEGORY DTZ DTM
about() {
	says "$1" "/standard?fen=$(echo "$2" | tr ' ' _)" 200 \
		"^\{\"checkmate\":[^[]*\"dtz\":$4,\"precise_dtz\":$4,\"dtm\":$5,\"dtw\":null,\"dtc\":null,\"category\":\"$3\",\"moves\":\["
}

# ---- usage ----
refuses 'an address without a port' 2 "serve: --bind '127.0.0.1': expected HOST:PORT" endlab serve --bind 127.0.0.1
refuses 'a port out of range' 2 "serve: --bind '127.0.0.1:65536': expected" endlab serve --bind 127.0.0.1:65536
refuses 'an IPv6 address without brackets' 2 "serve: --bind '::1:80': expected" endlab serve --bind ::1:80
refuses 'an address of nobody' 2 "serve: --bind '999.1.1.1:80': " endlab serve --bind 999.1.1.1:80
refuses 'an address of somebody else' 4 'serve: 192\.0\.2\.1:0: ' endlab serve --bind 192.0.2.1:0
refuses 'no connections' 2 "serve: --connections '0': expected a number from 1 to" endlab serve --connections 0
refuses 'no time' 2 "serve: --timeout '0s': expected a number from 1 to" endlab serve --timeout 0s
refuses 'no threads' 2 "serve: --threads 'x': expected a number from 1 to" endlab serve --threads x
refuses 'no requests' 2 "serve: --rate '0': expected a number from 1 to" endlab serve --rate 0
refuses 'a proxy without an address' 2 "serve: --proxy 'localhost': expected an address" endlab serve --proxy localhost
refuses 'a log nowhere' 4 'serve: /nowhere/log: No such file' endlab serve --bind 127.0.0.1:0 --log /nowhere/log
refuses 'words' 2 'serve: ' endlab serve 127.0.0.1
refuses 'two forms' 2 'probe: --lichess and --json exclude each other' endlab probe --json --lichess 8/8/8/8/8/2k5/8/K6Q
refuses 'an order of its own' 2 'probe: --lichess and --metric exclude each other' \
	endlab probe --lichess --metric dtm '8/8/8/8/8/2k5/8/K6Q w - -'
if ! command -v curl >/dev/null || ! command -v python3 >/dev/null; then
	skip 'there is no curl or no python3'
	exit
fi

# ---- before there are tables ----
start
[ "$PORT" ]
verdict 'it says where it listens'
grep -q "^no tables for clients in $ENDLAB_DIR: " "$T/serve"
verdict 'it says that clients will learn little, and where tables are missing'
[ "$(cat "/proc/$SERVER/comm")" = endlab ]
verdict 'the process is called what the program is'
refuses 'a port in use' 4 "serve: 127.0.0.1:$PORT: Address already in use" endlab serve --bind "127.0.0.1:$PORT"
about 'no table: unknown' '8/8/8/8/8/2k5/8/K6Q w - - 0 1' unknown null null
says 'no table: no main line' '/standard/mainline?fen=8/8/8/8/8/2k5/8/K6Q' 404 '^KQvK is not built; looked in '
about 'bare kings' '8/8/8/4k3/8/8/8/4K3 w - - 0 1' draw 0 0
grep -q '"insufficient_material":true' "$T/out" && grep -q '"san":"Kd1"' "$T/out"
verdict 'bare kings: the moves'
says 'more pieces than any table' '/standard?fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1' 200 \
	'"category":"unknown","moves":\[.*"san":"Nf3"'
says 'eight pieces and a mate' '/standard?fen=7k/7p/1R6/6P1/P7/5n2/4r3/7K_b_-_-_0_41' 200 \
	'"category":"win","moves":\[\{"uci":"e2h2","san":"Rh2#",[^}]*"checkmate":true,[^}]*"dtz":-1,"precise_dtz":-1,"dtm":0,[^}]*"category":"loss"\}.*"category":"unknown"'
says 'mate on the last ply' '/standard?fen=8/4K2k/5Q1P/6P1/8/8/q7/8_w_-_-_99_148' 200 \
	'"category":"win","moves":\[\{"uci":"f6g7","san":"Qg7#",[^}]*"category":"loss"\}'
for clock in 100 101; do
	says "mate with a clock of $clock" "/standard?fen=8/4K2k/5Q1P/6P1/8/8/q7/8_w_-_-_${clock}_148" 200 \
		'"category":"cursed-win","moves":\[.*\{"uci":"f6g7","san":"Qg7#",[^}]*"category":"blessed-loss"\}'
done
about 'stalemate' '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1' draw 0 0
grep -q '"stalemate":true,.*"moves":\[\]' "$T/out"
verdict 'stalemate: it is said'
about 'checkmate' '7k/6Q1/6K1/8/8/8/8/8 b - - 0 1' loss -1 0
grep -q '"checkmate":true,.*"moves":\[\]' "$T/out"
verdict 'checkmate: it is said'
endlab build KPvKP KBNvK --metric dtm,dtz50 >/dev/null 2>&1
sleep 3
about 'new tables are noticed' '8/8/8/8/8/2k5/8/K6Q w - - 0 1' win 11 11
stop
[ "$status" -eq 0 ] && [ ! -s "$T/serve.err" ]
verdict 'SIGTERM ends it well'

# ---- the documented answers of the API: from its README and its own tests ----
endlab build KQvK --metric dtc >/dev/null 2>&1
start --timeout 2 --log "$T/log"
endings=$(ls "$ENDLAB_DIR"/*.dtm.egt | grep -cv castling)
grep -q "^no dtc tables of $((endings - 1)) of $endings endings, such as K[A-Zv]*: clients get no \"dtc\" there$" "$T/serve" &&
	[ "$(wc -l <"$T/serve")" -eq 3 ]
verdict 'it says what clients will miss'
SAMPLE='4k3/6KP/8/8/8/8/7p/8 w - - 0 1'
about 'the documented position' "$SAMPLE" win 1 17
grep -q '"moves":\[{"uci":"h7h8q","san":"h8=Q+","zeroing":true,"conversion":true,"checkmate":false,"stalemate":false,"variant_win":false,"variant_loss":false,"insufficient_material":false,"dtz":-2,"precise_dtz":-2,"dtm":-16,"dtw":null,"dtc":null,"category":"loss"}' "$T/out"
verdict 'its best move'
ask "/standard/mainline?fen=$(echo "$SAMPLE" | tr ' ' _)"
grep -o '"dtz":[-0-9]*' "$T/out" | cut -d: -f2 | tr '\n' ' ' >"$T/depths"
[ "$(cat "$T/depths")" = '1 -2 1 -14 13 -12 11 -10 9 -8 7 -6 5 -4 3 -2 1 -1 ' ] &&
	grep -q '"mainline":\[{"uci":"h7h8q","san":"h8=Q+",.*#","dtz":-1,"precise_dtz":-1}\],"winner":"w"}$' "$T/out"
verdict 'its main line'
says 'a line from a draw' '/standard/mainline?fen=8/8/8/4k3/8/8/8/4K3_w_-_-_0_1' 200 \
	'^\{"dtz":0,"precise_dtz":0,"mainline":\[\],"winner":null\}$'
says 'a line to a claimed draw' '/standard/mainline?fen=8/8/8/8/8/2k5/8/K6Q_w_-_-_98_80' 200 '"winner":null\}$'
about 'too late by a ply' '2n5/K1k5/8/8/2b5/8/8/8 w - - 99 129' blessed-loss '-[0-9]*' '-[0-9]*'
grep -q '"moves":\[{"uci":"a7a8","san":"Ka8",[^}]*"dtz":1,[^}]*"category":"cursed-win"' "$T/out"
verdict 'and the only move'

# ---- depth to conversion: here to mate, in 6 moves ----
QUEEN=8/8/8/8/8/2k5/8/K6Q
says 'dtc=always' "/standard?fen=$QUEEN&dtc=always" 200 '"dtm":11,"dtw":null,"dtc":6,.*"dtm":-10,"dtw":null,"dtc":-5,'
says 'dtc=always for the loser' "/standard?fen=${QUEEN}_b&dtc=always" 200 '^[^[]*"dtm":-([0-9]*),"dtw":null,"dtc":-[1-9]'
says 'dtc=always without a table' "/standard?fen=8/8/8/8/8/2k5/8/K6R&dtc=always" 200 '^[^[]*"dtm":[0-9]+,"dtw":null,"dtc":null'
says 'dtc=always: checkmate' '/standard?fen=7k/6Q1/6K1/8/8/8/8/8_b&dtc=always' 200 '"dtc":-1,"category":"loss"'
for word in auxiliary never; do
	says "dtc=$word" "/standard?fen=$QUEEN&dtc=$word" 200 '^[^[]*"dtc":null,.*"dtc":null'
done
says 'dtc of another kind' "/standard?fen=$QUEEN&dtc=maybe" 400 '^dtc: expected never, auxiliary or always$'
says 'dtc of a main line' "/standard/mainline?fen=$QUEEN&dtc=maybe" 400 '^dtc: expected'

# ---- positions of every kind ----
about 'cursed by the clock' '8/8/8/8/8/2k5/8/K6Q w - - 95 90' cursed-win 11 11
about 'en passant' '8/8/8/3pP3/8/2k5/8/K7 w - d6 0 2' win 1 23
grep -q '"uci":"e5d6","san":"exd6"' "$T/out"
verdict 'en passant: the capture'
about 'rights to castle' 'r3k3/8/8/8/8/8/8/4K3 b q - 0 1' win '[0-9]*|null' '[0-9]*'
grep -q '"uci":"e8c8","san":"O-O-O"' "$T/out"
verdict 'rights to castle: the move'
about 'an endgame that nobody can win' '8/8/8/4k3/8/8/8/1B2K3 w - - 0 1' draw 0 0
grep -q '^{[^[]*"insufficient_material":true' "$T/out"
verdict 'and it is said'
cp "$T/out" "$T/first"
ask '/standard?fen=8/8/8/4k3/8/8/8/1B2K3+w+-+-+0+1'
cmp -s "$T/out" "$T/first"
verdict 'plus signs are blanks'
ask '/standard?fen=8%2f8/8/4k3/8/8/8/1B2K3%20w%20-%20-%200%201&dtc=never'
cmp -s "$T/out" "$T/first"
verdict 'so is %20'
ask '/standard?fen=8/8/8/4k3/8/8/8/1B2K3'
cmp -s "$T/out" "$T/first" && [ "$code" = '200 application/json' ]
verdict 'the board alone is enough'
printf '%s\n' '8/8/8/4k3/8/8/8/1B2K3 w - - 0 1' | endlab probe --lichess --stdin | tr -d '\n' | cmp -s - "$T/first"
verdict 'probe --lichess says the same'
run endlab probe --lichess 'W:WK1:BK32' '8/8/8/8/8/8/8/8 w - -' '8/8/8/8/8/2k5/8/K6Q w - - 101 1'
[ "$status" -eq 1 ] && [ "$(grep -c '^{"fen":.*"error":' "$T/out")" -eq 2 ] &&
	grep -q '^{"checkmate":.*"category":"cursed-win"' "$T/out"
verdict 'probe --lichess: errors'
python3 "$serve_py" positions 600 >"$T/fens"
endlab probe --json --stdin <"$T/fens" >"$T/json" 2>"$T/err"
endlab probe --lichess --stdin <"$T/fens" >"$T/lichess" 2>"$T/err"
run python3 "$serve_py" compare "$PORT" "$T/json" "$T/lichess"
[ "$status" -eq 0 ]
verdict 'it says what probe says, of 600 positions'

# ---- wrong requests ----
says 'no position' '/standard' 400 '^expected fen=\.\.\. in the query'
[ "$code" = '400 text/plain; charset=utf-8' ]
verdict 'errors are text'
says 'no king' '/standard?fen=8/8/8/8/8/2k5/8/7Q_w_-_-_0_1' 400 'king'
says 'another path' '/chess?fen=8/8/8/8/8/2k5/8/K6Q' 404 '^no such path'
curl -si -X DELETE "http://127.0.0.1:$PORT/standard" >"$T/out" 2>"$T/err"
grep -q '^HTTP/1.1 405 ' "$T/out" && grep -q '^Allow: GET, HEAD, OPTIONS' "$T/out"
verdict 'another method'
curl -si -X OPTIONS -H 'Origin: http://a' -H 'Access-Control-Request-Method: GET' \
	"http://127.0.0.1:$PORT/standard?fen=8/8/8/8/8/2k5/8/K6Q" >"$T/out" 2>"$T/err"
grep -q '^HTTP/1.1 204 ' "$T/out" && grep -q '^Allow: GET, HEAD, OPTIONS' "$T/out" &&
	grep -q '^Access-Control-Allow-Origin: \*' "$T/out" &&
	grep -q '^Access-Control-Allow-Methods: GET, HEAD, OPTIONS' "$T/out"
verdict 'OPTIONS'
says 'monitor' /monitor 200 '^tablebase cache=[1-9][0-9]*u,cache_miss=[1-9][0-9]*u(,[a-z_]+=[0-9]+u)*$'
curl -s -A 'a"b' -e 'http://x/' -H 'X-Forwarded-For: 203.0.113.9, 192.0.2.7' "http://127.0.0.1:$PORT/no%22?x" >/dev/null
tail -1 "$T/log" | grep -q '^192\.0\.2\.7 - - \[[0-3][0-9]/[A-Z][a-z][a-z]/20[0-9:]* [-+][0-9]*\] "GET /no%22?x HTTP/1\.1" 404 [1-9][0-9]* "http://x/" "a\\x22b"$' &&
	! grep -vqE '^[0-9.]+ - - \[[^]]+\] "[A-Za-z]+ [!-~]+ HTTP/1\.[01]" [1-5][0-9][0-9] [0-9]+ "[^"]*" "[^"]*"$' "$T/log"
verdict 'the log'
curl -sI "http://127.0.0.1:$PORT/standard?fen=8/8/8/8/8/2k5/8/K6Q" >"$T/out" 2>"$T/err"
grep -q '^HTTP/1.1 200 ' "$T/out" && grep -qi '^Access-Control-Allow-Origin: \*' "$T/out" &&
	grep -qE '^Content-Length: [1-9][0-9]{3}' "$T/out"
verdict 'HEAD'
run python3 "$serve_py" raw "$PORT" 2
[ "$status" -eq 0 ]
verdict 'requests of every kind of wrongness'
stop
[ "$status" -eq 0 ] && [ ! -s "$T/serve.err" ]
verdict 'and it ends well'
start --connections 3 --threads 2
run python3 "$serve_py" full "$PORT" 3
[ "$status" -eq 0 ]
verdict 'more connections than there may be'
stop
start --connections 100
run python3 "$serve_py" crowd "$PORT" 300
[ "$status" -eq 0 ]
verdict 'idle connections of one client keep nobody out'
stop
start --rate 2 --log -
run python3 "$serve_py" rate "$PORT" 2
[ "$status" -eq 0 ] && grep -q '^2001:db8::1 - - .* 200 ' "$T/serve.err"
verdict 'more requests than a client may ask'
stop

# ---- streams and signals ----
answers 'nobody can read where it listens' 4 '^endlab: standard output: No space left' \
	sh -c '"$0" serve --bind 127.0.0.1:0 >/dev/full' "$ENDLAB"
timeout --preserve-status -k 10 -s INT 1 "$ENDLAB" serve --bind '[::1]:0' >"$T/out" 2>"$T/err"
status=$?
if grep -q 'Address family not supported\|Cannot assign' "$T/err"; then
	skip 'there is no IPv6'
else
	[ "$status" -eq 0 ] && grep -q '^serving http://\[::1\]:[0-9]*/standard' "$T/out"
	verdict 'IPv6, and ^C'
fi

# ---- the unit of systemd ----
if command -v systemd-analyze >/dev/null; then
	sed "s,/usr/bin/endlab,$ENDLAB,; s,man:[^ ]* ,," "$(dirname "$0")/../../.debian/endlab.service" >"$T/endlab.service"
	run systemd-analyze verify "$T/endlab.service"
	[ "$status" -eq 0 ] && [ ! -s "$T/err" ]
	verdict 'systemd understands the unit'
	run systemd-analyze security --offline=true --threshold=20 "$T/endlab.service"
	[ "$status" -eq 0 ]
	verdict 'the unit may do little'
else
	skip 'there is no systemd-analyze'
fi

# ---- load ----
head -200 "$T/fens" | endlab probe --tsv --stdin 2>/dev/null | sed '1d; /	error	/d; s/	.*//' >"$T/good"
load=${BUILD:-build}/others/load
if [ "${LOAD:-}" = all ]; then
	set -- 1000 100000 100 100
else
	set -- 200 5000 20 20
fi
start --connections 3000 --timeout 5
"$load" "$PORT" "$@" <"$T/good" >"$T/out" 2>"$T/err"
verdict "load: $1 connections, $2 requests"
sed 's/^/note: serve: /' "$T/out"
"$load" "$PORT" 50 1000000 5 5 <"$T/good" >"$T/out" 2>&1 &
client=$!
sleep 1
stop
kill $client 2>/dev/null
wait $client 2>/dev/null
[ "$status" -eq 0 ] && [ ! -s "$T/serve.err" ]
verdict 'SIGTERM under load'
