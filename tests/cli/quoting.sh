#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The program prints nothing that a terminal would obey, whoever wrote it.
. "$(dirname "$0")/common"
D=$ENDLAB_DIR
endlab build KQvK >/dev/null 2>&1
TITLE=$(printf 'x\033]0;owned\007')
CSI=$(printf 'y\302\2332Jz')
TURNED=$(printf 'v\342\200\256egt')
BYTES=$(printf 'w\377\177')
LINE="n
ignored  fake"
UMLAUT=$(printf 'K\303\244se')
for name in "$TITLE" "$CSI" "$TURNED" "$BYTES" "$LINE" "$UMLAUT"; do
	echo junk >"$D/$name.dtm.egt"
done
FEN='8/8/8/8/8/2k5/8/K6Q w - - 0 1'

# harmless NAME: the last output, on both streams, does nothing to a terminal
harmless() {
	! cat "$T/out" "$T/err" | tr -d '\n\t' | LC_ALL=C grep -q "[$(printf '\001-\037\177')]" &&
		! cat "$T/out" "$T/err" | LC_ALL=C grep -q "$(printf '\302')[$(printf '\200-\237')]" &&
		! cat "$T/out" "$T/err" | LC_ALL=C grep -q "$(printf '\342\200\256')"
	verdict "$1"
}

run endlab list
[ "$status" -eq 0 ] && [ "$(grep -c '^ignored ' "$T/out")" -eq 6 ] && [ "$(wc -l <"$T/out")" -eq 7 ]
verdict 'list: one line a file'
grep -qF "$D/x\\u001b]0;owned\\u0007.dtm.egt: " "$T/out" && grep -qF "$D/y\\u009b2Jz.dtm.egt" "$T/out" &&
	grep -qF "$D/v\\u202eegt.dtm.egt" "$T/out" && grep -qF "$D/w\\xff\\u007f.dtm.egt" "$T/out" &&
	grep -qF "$D/n\\u000aignored  fake.dtm.egt" "$T/out" && grep -qF "$D/$UMLAUT.dtm.egt" "$T/out"
verdict 'list: control characters and odd bytes are seen'
harmless 'list: and do nothing'
run endlab list --json
[ "$status" -eq 0 ] && grep -qF "\"$D/x\\u001b]0;owned\\u0007.dtm.egt\"" "$T/out" &&
	grep -qF "\"$D/y\\u009b2Jz.dtm.egt\"" "$T/out" && grep -qF "\"$D/w?\\u007f.dtm.egt\"" "$T/out" &&
	grep -qF "\"$D/n\\nignored  fake.dtm.egt\"" "$T/out"
verdict 'list --json: they are escaped as JSON has it'
! sed 's/\\\\//g' "$T/out" | grep -q '\\[^"/bfnrtu]'
verdict 'list --json: there is no other escape'
harmless 'list --json: and they do nothing'

for odd in "$TITLE" "$CSI" "$BYTES" "$LINE"; do
	file=$D/$odd.dtm.egt
	refuses 'verify names the file' 3 'verify: .*\\[ux]' endlab verify "$file"
	harmless 'and is harmless'
	refuses 'so does recode' 3 'recode: .*\\[ux]' endlab recode "$file" -o "$T/x"
	harmless 'and is harmless'
	refuses 'and a probe' 1 . endlab probe "$odd"
	harmless 'and is harmless'
	run endlab probe "$FEN $odd" # what is no operation of EPD is left out with a note
	[ "$status" -le 1 ] && grep -q '8/8' "$T/out" "$T/err"
	verdict 'a probe of a position with more behind it'
	harmless 'and is harmless'
	refuses 'an unknown command' 2 'no such command' endlab "zz$odd"
	harmless 'and is harmless'
	refuses 'an unknown option' 2 'unknown option' endlab list "--$odd"
	harmless 'and is harmless'
	refuses 'an unknown slice' 1 'stats: ' endlab stats "$odd"
	harmless 'and is harmless'
	refuses 'a file that is not there' 4 'no-file' endlab verify "$T/$odd/no-file"
	harmless 'and is harmless'
	run endlab --dir "$T/$odd" list
	[ "$status" -eq 0 ]
	verdict 'a folder of that name'
	harmless 'and is harmless'
	run endlab --path "$T/$odd:$T" list
	[ "$status" -eq 0 ]
	verdict 'as one of those that are searched'
	harmless 'and is harmless'
	echo junk >"$T/$odd.so"
	refuses 'a plug-in that is none' 2 . endlab --plugin "$T/$odd.so" list
	harmless 'and is harmless'
	refuses 'a lesson that is not there' 2 . endlab --lesson "$T/$odd.lesson"
	harmless 'and is harmless'
	for option in --codec --block --fill --order --derive --metric --memory; do
		refuses "$option" 2 . endlab build KQvK "$option" "$odd"
		harmless 'and is harmless'
	done
	for option in --theme --completion --man --rule; do
		refuses "$option" 2 . endlab "$option" "$odd"
		harmless 'and is harmless'
	done
	for command in plan records check build lab; do
		refuses "$command" 1 . endlab "$command" "$odd"
		harmless 'and is harmless'
	done
	refuses 'an address' 2 . endlab serve --bind "$odd"
	harmless 'and is harmless'
	answers 'a file to be written' 0 . endlab export KQvK --format npy -o "$T/$odd.d"
	harmless 'and is harmless'

	# a game with all of it in tags, comments, moves, and its name
	game="$T/$odd.pgn"
	printf '[Event "%s"]\n[FEN "%s"]\n\n1. Qd5 {%s} Kb4 (1... K%s) ; %s\n1-0\n\n[FEN "8/%s/8 w"]\n\n1. %s *\n' \
		"$odd" "$FEN" "$odd" "$odd" "$odd" "$odd" "$odd" >"$game"
	answers 'a game to be annotated' 1 'Event' endlab annotate "$game"
	harmless 'and is harmless'
	endlab annotate "$game" 2>/dev/null | endlab annotate /dev/stdin >"$T/out" 2>"$T/err"
	harmless 'and so is what was made of it'
done

# ---- answers for programs ----
printf '%s\r\n%s\t%s\n%s\r\n' "$FEN" "$TITLE" "$CSI" "$FEN" >"$T/in"
endlab probe --stdin <"$T/in" >"$T/out" 2>"$T/err"
[ $? -eq 1 ] && [ "$(wc -l <"$T/out")" -eq 4 ] &&
	[ "$(sed -n 2p "$T/out")" = "$FEN${TAB}win${TAB}11${TAB}-${TAB}-${TAB}-${TAB}win${TAB}-${TAB}-${TAB}-${TAB}-" ] &&
	[ "$(sed -n 2p "$T/out")" = "$(sed -n 4p "$T/out")" ] &&
	[ "$(sed -n 3p "$T/out" | tr -cd '\t' | wc -c)" -eq 2 ] &&
	sed -n 3p "$T/out" | cut -f 1 | grep -qF 'y\u009b2Jz'
verdict 'probe --stdin: a bad line has three columns, whatever is in it'
harmless 'probe --stdin: and does nothing'
run endlab probe --json "$TITLE$CSI" "$FEN"
[ "$status" -eq 1 ] && [ "$(wc -l <"$T/out")" -eq 2 ] && sed -n 1p "$T/out" | grep -q '"error":"' &&
	sed -n 1p "$T/out" | grep -qF 'y\u009b2Jz"'
verdict 'probe --json: a bad line'
harmless 'probe --json: and does nothing'
printf 'verify %s\n%s\n' "$D/$CSI.dtm.egt" "$TITLE" | endlab shell >"$T/out" 2>"$T/err"
[ $? -eq 3 ] && [ "$(wc -l <"$T/err")" -eq 2 ]
verdict 'the shell goes the same way'
harmless 'and is harmless'
printf '\302' | endlab shell >"$T/out" 2>"$T/err"
[ $? -eq 2 ] && grep -qF 'endlab: \xc2: no such command' "$T/err"
verdict 'half a character is no character'
