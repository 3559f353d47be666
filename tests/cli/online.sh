#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `--online`: a server is asked for what no table knows, at most once a second, and nothing twice. One server
# is `endlab serve`, the other one says what it is told to.
. "$(dirname "$0")/common"
SERVER= OTHER=
trap 'kill $SERVER $OTHER 2>/dev/null; rm -rf "$T"' EXIT

# ---- usage ----
POSITION='8/8/8/8/8/2k5/8/K6R w - - 0 1'
run endlab --online http://127.0.0.1:9 probe "$POSITION"
if grep -q libcurl "$T/err"; then
	skip 'libcurl is not here'
	exit
fi
for url in '' ftp://host host http:// 'http://a b' 'https://a?b' "http://$(printf %065d 0)"; do
	refuses "an address: '$url'" 2 '--online: expected an address such as https://' endlab --online "$url" probe "$POSITION"
done
for command in list 'stats KQvK' 'find KQvK win' 'survey x.pgn' serve; do
	# shellcheck disable=SC2086
	refuses "$command" 2 "${command%% *} asks no server: --online is for" endlab --online http://127.0.0.1:9 $command
done
answers 'nobody there' 1 'KRvK is not built; 127\.0\.0\.1:9: .*connect' \
	endlab --online http://127.0.0.1:9 probe --json "$POSITION"
answers 'no folder for answers' 4 '^endlab: /.*/online/127\.0\.0\.1_9: ' \
	env XDG_CACHE_HOME=/proc/nowhere "$ENDLAB" --online http://127.0.0.1:9 probe "$POSITION"

# ---- against `endlab serve` ----
endlab --dir "$T/theirs" build KRvKP --metric dtm,dtz50 >"$T/log" 2>&1
"$ENDLAB" --dir "$T/theirs" serve --bind 127.0.0.1:0 --log "$T/asked" >"$T/serve" 2>"$T/serve.err" &
SERVER=$!
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	URL=$(sed -n 's,^serving \(http://127\.0\.0\.1:[0-9]*\)/standard.*,\1,p' "$T/serve")
	[ "$URL" ] && break
	sleep 0.3
done
asked() { wc -l <"$T/asked"; }
# facts: what JSON says of a position and its moves; what these demand takes positions that were not asked for
facts() {
	tr '{' '\n' | sed 's/,"only".*//; /"path"/d; /"sources"/d' | sort
}
began=$(date +%s)
for fen in '8/8/8/8/8/2k5/8/K6R w - - 0 1' '8/8/8/8/8/1k6/p7/K6R b - - 3 9' '8/3k4/8/8/8/3K4/4p3/4R3 b - - 0 1'; do
	endlab --dir "$T/theirs" probe --json "$fen" | facts >"$T/known"
	run endlab --online "$URL" probe --json "$fen"
	[ "$status" -eq 0 ] && facts <"$T/out" | cmp "$T/known" - && grep -q 'online/127.*dtm.answers' "$T/out"
	verdict "as their tables have it: $fen"
done
[ $(($(date +%s) - began)) -ge 2 ] && [ "$(asked)" -eq 3 ]
verdict 'a second lies between two programs'
run endlab --online "$URL/standard/" probe --json "$fen"
facts <"$T/out" | cmp "$T/known" - && [ "$(asked)" -eq 3 ]
verdict 'nothing is asked twice'
answers 'a slice that nobody has' 1 'KQvKQ is not built' endlab --online "$URL" probe '8/8/8/8/3q4/2k5/8/K6Q w - - 0 1'
answers 'soft probes ask nobody' 1 'not built' endlab --online "$URL" probe --soft '8/8/8/8/8/3k4/8/K6R w - - 0 1'
answers 'other games are nobody'\''s' 1 'not built' endlab --online "$URL" probe 'W:WK1:BK32'
[ "$(asked)" -eq 4 ]
verdict 'they asked once'
MATE='8/8/8/8/8/k7/8/KR6 w - - 0 1'
endlab --dir "$T/theirs" line "$MATE" >"$T/known"
run endlab --online "$URL" line "$MATE"
[ "$status" -eq 0 ] && head -1 "$T/known" | cmp - "$T/out" -n "$(head -1 "$T/known" | wc -c)" && grep -q '#' "$T/out"
verdict 'a line, move by move, to mate'
cat >"$T/game.pgn" <<'END'
[FEN "8/8/8/8/8/1k6/p7/K6R w - - 0 1"]

1. Rh3+ Kc4 *
END
endlab --dir "$T/theirs" annotate "$T/game.pgn" >"$T/known" 2>/dev/null
run endlab --online "$URL" annotate "$T/game.pgn"
[ "$status" -eq 0 ] && cmp "$T/known" "$T/out" && [ "$(grep -c endlab "$T/out")" -ge 1 ]
verdict 'a game is annotated as by their tables'
before=$(asked)
endlab list >"$T/out" 2>&1
endlab --path "$T/cache/endlab/online" list >>"$T/out" 2>&1
! grep -q answers "$T/out"
verdict 'no list shows what is remembered'
run endlab --path "$T/cache/endlab/online" probe "$POSITION"
[ "$status" -eq 0 ] && [ "$(asked)" -eq "$before" ]
verdict 'which answers without a server, too'

# ---- against a server that says what it likes ----
if ! command -v python3 >/dev/null; then
	skip 'there is no python3'
	exit
fi
cat >"$T/says.py" <<'END'
import http.server, sys
class Says(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        code, _, text = open(sys.argv[1]).read().partition("\n")
        self.send_response(int(code))
        self.end_headers()
        self.wfile.write(b"x" * (2 << 20) if text == "much" else text.encode())
    def log_message(self, *_):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Says)
print(server.server_port, flush=True)
server.serve_forever()
END
python3 "$T/says.py" "$T/words" >"$T/port" 2>/dev/null &
OTHER=$!
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	[ -s "$T/port" ] && break
	sleep 0.3
done
LIAR="http://127.0.0.1:$(cat "$T/port")"
# told NAME STATUS PATTERN CODE TEXT: of a position with one move, Kb1, which the server has never been asked for
told() {
	name=$1 wanted=$2 pattern=$3
	printf '%s\n%s' "$4" "$5" >"$T/words"
	rm -rf "$T/cache"
	answers "$name" "$wanted" "$pattern" endlab --online "$LIAR" probe --json '8/8/8/8/8/k1n5/8/K2R4 w - - 0 1'
}
M='"moves":[]'
told 'a cursed win' 0 '"wdl50":"cursed-win","dtz50":103' 200 "{\"category\":\"cursed-win\",\"dtz\":103,\"precise_dtz\":103,$M}"
told 'a rounded loss' 0 '"wdl50":"loss","dtz50":20,.*"rounded":true' 200 "{\"category\":\"loss\",\"dtz\":-20,\"precise_dtz\":null,$M}"
told 'a win at the limit' 0 '"wdl50":"win","dtz50":100' 200 "{\"category\":\"win\",\"dtz\":100,\"precise_dtz\":null,$M}"
told 'perhaps a ply past the limit' 1 'not built' 200 "{\"category\":\"maybe-win\",\"dtz\":100,\"precise_dtz\":null,$M}"
told 'an outcome alone' 0 '"dtz":null,.*"wdl50":"draw","dtz50":null' 200 "{\"category\":\"draw\",\"dtz\":null,$M}"
told 'a depth that only draws have' 0 '"wdl50":"win","dtz50":null' 200 "{\"category\":\"win\",\"dtz\":0,$M}"
told 'depths beyond all' 0 '"wdl":"win","dtm":null,.*"wdl50":"win","dtz50":null' 200 "{\"category\":\"win\",\"dtz\":1e9,\"dtm\":-1e99,$M}"
told 'moves that are none' 0 '"wdl50":"win","dtz50":3' 200 '{"category":"win","dtz":3,"precise_dtz":3,"moves":[{"uci":"e2e4","category":"loss","dtz":-2},{"uci":7},3]}'
told 'it does not know' 1 'not built' 404 'no'
told 'an error' 1 'HTTP status 500' 500 'no'
told 'no JSON' 1 "expected an answer in JSON, found '<html>'" 200 '<html>'
told 'nothing' 1 "expected an answer in JSON, found ''" 200 ''
told 'another JSON' 1 'not built' 200 '[1,{"moves":3},"x"]'
told 'too much' 1 'not built; 127[^ ]* expected an answer of at most 1048576 bytes' 200 much
