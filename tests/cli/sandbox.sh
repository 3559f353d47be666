#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Commands run with the rights they need and no others: a codec that turns on the program (tests/plugins/escape.c)
# says how far it gets, and what the commands themselves do still works.
. "$(dirname "$0")/common"
: "${BUILD:?where plug-ins were built}"
SERVER=
trap '[ ! "$SERVER" ] || kill "$SERVER"; rm -rf "$T"' EXIT
answers 'the version says which sandbox there is' 0 '^sandbox: (Landlock|no Landlock|none)' endlab --version
abi=$(sed -n 's/^sandbox: Landlock (ABI \([0-9]*\)), seccomp$/\1/p' "$T/out")
if [ ! "$abi" ]; then
	skip "$(sed 1d "$T/out")"
	exit
fi
[ "$abi" -ge 6 ] && signal= || signal=' signal' # older ones do not watch signals
mkdir "$T/outside" "$T/out.d" "$T/tmp" "$ENDLAB_DIR"
echo secret >"$T/outside/secret"
export ESCAPE="$T/outside" TMPDIR="$T/tmp"
POSITION='8/8/8/8/8/2k5/8/K6Q w - -'

# confined NAME WANTED COMMAND...: the codec could do this and nothing else, and the command succeeds
confined() {
	name=$1 wanted=$2
	shift 2
	run "$ENDLAB" "$@"
	[ "$status" -eq 0 ] && grep -qx "escape:$wanted$signal" "$T/err"
	verdict "$name"
}

ENDLAB_PLUGINS="$BUILD/plugins/escape.so"
endlab build KQvK --codec escape >/dev/null 2>&1
cat >"$T/game.pgn" <<'END'
[FEN "8/8/8/8/8/2k5/8/K6Q w - - 0 1"]

1. Qd5 Kc2 *
END
READS=' read list'
confined probe "$READS" probe "$POSITION"
confined line "$READS" line "$POSITION"
confined stats "$READS" stats KQvK
confined records "$READS" records KQvK
confined annotate "$READS" annotate "$T/game.pgn"
confined 'annotate -o' "$READS mode" annotate "$T/game.pgn" -o "$T/out.d/game.pgn"
rm -f "$ENDLAB_DIR/.verified.tsv"
confined verify "$READS" verify KQvK
[ -s "$ENDLAB_DIR/.verified.tsv" ]
verdict 'verify: the result is kept'
confined export "$READS" export KQvK --format csv -o "$T/out.d/made/here"
[ -s "$T/out.d/made/here/KQvK.dtm.csv" ]
verdict 'export: into a new folder'
confined recode "$READS mode" recode "$ENDLAB_DIR/KQvK.dtm.egt" -o "$T/out.d/KQvK.dtm.egt" --codec raw
confined lab "$READS" lab KQvK --codecs raw --blocks 1K --probes 100 --seconds 1
confined build "$READS" build KQvKR
answers 'and with the shell, which has no sandbox, it does it all' 0 \
	'^escape: read list append empty mode create nameless folder link rename remove run connect local ' \
	sh -c 'echo "stats KQvK" | "$0" shell' "$ENDLAB"

# ---- outputs wherever they are named ----
ln -s "$T/out.d/later.pgn" "$T/link.pgn"
answers 'a link to a file that is not there yet' 0 '' endlab annotate "$T/game.pgn" -o "$T/link.pgn"
[ -s "$T/out.d/later.pgn" ] && [ -L "$T/link.pgn" ]
verdict 'and the file it names is written'
run sh -c 'cd "$1" && "$0" annotate ../game.pgn -o near.pgn && "$0" export KQvKR --format csv' "$ENDLAB" "$T/out.d"
[ "$status" -eq 0 ] && [ -s "$T/out.d/near.pgn" ] && [ -s "$T/out.d/KQvKR.dtm.csv" ]
verdict 'the current folder'
answers 'a folder of tables that is not there yet' 0 '' endlab --dir "$T/new/deep" build KRvK
cp "$T/new/deep/KRvK.dtm.egt" "$T/out.d/"
answers 'a table by its name, elsewhere' 0 'all right' endlab verify "$T/out.d/KRvK.dtm.egt"

# ---- the server ----
if ! command -v curl >/dev/null; then
	skip 'there is no curl'
	exit
fi
mkdir "$T/real" "$T/path"
mv "$ENDLAB_DIR/KRvK.dtm.egt" "$T/real/"
ln -s "$T/real/KRvK.dtm.egt" "$ENDLAB_DIR/KRvK.dtm.egt" # a table that is a link
endlab --dir "$T/real/folder" build KPvK >/dev/null 2>&1
ln -s "$T/real/folder" "$T/path/folder" # a folder that is one
echo secret >"$ESCAPE/secret"
mv "$ENDLAB_DIR/KQvKR.dtm.egt" "$ESCAPE/" # a table named by itself; what is beside it is not for the server
: >"$T/serve"
"$ENDLAB" --path "$T/path:$ESCAPE/KQvKR.dtm.egt" serve --bind 127.0.0.1:0 --log "$T/out.d/log" \
	>"$T/serve" 2>"$T/serve.err" &
SERVER=$! PORT=
for try in 1 2 3 4 5 6 7 8 9 10; do
	PORT=$(sed -n 's,^serving http://127\.0\.0\.1:\([0-9]*\)/.*,\1,p' "$T/serve")
	[ "$PORT" ] && break
	sleep 0.3
done
grep -qx "sandbox: Landlock (ABI $abi), seccomp" "$T/serve"
verdict 'serve: it says so'
for fen in 8/8/8/8/8/2k5/8/K6Q 8/8/8/8/8/2k5/8/K6R 4k3/8/4K3/4P3/8/8/8/8 8/8/8/3kr3/8/8/2Q5/1K6; do
	run curl -s -m 20 "http://127.0.0.1:$PORT/standard?fen=${fen}_w_-_-_0_1"
	grep -q '"dtm":[1-9]' "$T/out"
	verdict "serve: $fen"
done
kill "$SERVER"
wait "$SERVER"
[ $? -eq 0 ] && [ "$(wc -l <"$T/out.d/log")" -eq 4 ]
verdict 'serve: the log'
SERVER=
grep -qx "escape:$signal" "$T/serve.err"
verdict 'serve: the codec could do nothing'
