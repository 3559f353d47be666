#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Options, help and every kind of wrong usage.
. "$(dirname "$0")/common"
commands='build probe line stats records verify lab recode export list serve shell'

answers 'version' 0 '^endlab [0-9]+\.[0-9]+' endlab --version
answers 'help lists the commands' 0 '^  recode ' endlab --help
answers 'help by its short name' 0 '^usage: endlab' endlab -h
for command in $commands; do
	answers "$command has help" 0 "^usage: endlab $command" endlab "$command" --help
	[ ! -s "$T/err" ] && [ "$(awk 'length > 80' "$T/out" | wc -l)" -eq 0 ]
	verdict "help of $command fits 80 columns"
done
for command in build recode; do
	run endlab $command --help
	tr -s '\n ' '  ' <"$T/out" >"$T/line"
	grep -qE ' --order ORDER which piece varies fastest[^:]*: index, best, smallest --derive' "$T/line" &&
		grep -q ' --derive WHAT [^:]*: nothing, captures' "$T/line" &&
		grep -q ' --fill FILL [^:]*: none, previous, best --order' "$T/line"
	verdict "help of $command names orders, derivation and fills"
done
answers 'help needs no directory' 0 '^usage' endlab --dir /dev/null build --help

run endlab --man
[ "$status" -eq 0 ] && head -1 "$T/out" | grep -q '^\.TH ENDLAB 1'
verdict 'the manual page starts with .TH'
missing=0
for command in $commands; do
	grep -q "^\.SS endlab $command" "$T/out" || missing=1
done
[ $missing -eq 0 ]
verdict 'the manual page has every command'
if command -v man >/dev/null && LC_ALL=C.UTF-8 man -l "$T/out" >"$T/page" 2>"$T/err"; then
	[ ! -s "$T/err" ] && grep -q 'EXIT STATUS' "$T/page"
	verdict 'man renders the manual page'
	! grep -n '\\f[BIR]' "$T/page" >"$T/out"
	verdict 'no request of roff is left over as text'
fi

for shell in bash zsh fish; do
	run endlab --completion $shell
	cp "$T/out" "$T/completion"
	[ "$status" -eq 0 ] && grep -q "endlab --complete $shell " "$T/out" &&
		endlab --complete $shell build KQ >"$T/out" && grep -q '^KQvKR' "$T/out" &&
		endlab --complete $shell build - >"$T/out" && grep -q '^--codec' "$T/out"
	verdict "completion for $shell"
	if command -v $shell >/dev/null; then
		run $shell -n "$T/completion"
		[ "$status" -eq 0 ]
		verdict "$shell reads its completion script"
	fi
done
if command -v bash >/dev/null; then
	endlab --completion bash >"$T/completion"
	run env PATH="$(dirname "$ENDLAB"):$PATH" bash -c '. "$1"; COMP_WORDS=(endlab --dir=x stats KQvKR); COMP_CWORD=3; _endlab
		echo "${COMPREPLY[@]}"' - "$T/completion"
	grep -qx 'KQvKR' "$T/out"
	verdict 'bash completes a slice'
fi

refuses 'unknown command with a suggestion' 2 "biuld: .*'build'" endlab biuld 3
refuses 'unknown command' 2 'xyzzyxyzzy: no such command' endlab xyzzyxyzzy
refuses 'unknown option with a suggestion' 2 "build: .*--codek.*--codec" endlab build KQvK --codek raw
refuses 'unknown option' 2 "'--xyzzyxyzzy'\. Run 'endlab build --help'" endlab build KQvK --xyzzyxyzzy
refuses 'unknown global option' 2 "unknown option '--frob'\. Run 'endlab --help'" endlab --frob
refuses 'missing value' 2 '--codec needs a value' endlab build KQvK --codec
refuses 'value of a switch' 2 '--json takes no value' endlab list --json=yes
refuses 'missing arguments' 2 'usage: endlab build' endlab build
refuses 'surplus arguments' 2 "unexpected 'KRvK'" endlab film KQvK KRvK
refuses 'surplus arguments where none are taken' 2 "unexpected 'x'; usage: endlab shell$" \
	endlab shell x
refuses 'recode: an empty name' 2 'missing output file.*-o OUT' endlab recode x -o ''
answers 'probe: an empty position' 1 "^endlab: '' is not a position" endlab probe ''
answers 'probe: no position, quoted once' 1 "^endlab: 'xx yy' is not a position" endlab probe 'xx yy'
refuses 'threads: no number' 2 "--threads 'many'" endlab --threads many list
refuses 'threads: none' 2 "--threads '0'" endlab build KQvK --threads 0
refuses 'cache: no size' 2 "--cache '12Q'" endlab --cache 12Q list
refuses 'unknown shell' 2 "'tcsh'.*bash, zsh or fish" endlab --completion tcsh
refuses 'no home, no directory' 2 'ENDLAB_DIR' \
	env -u HOME -u XDG_DATA_HOME -u ENDLAB_DIR "$ENDLAB" list
refuses 'probe: nothing to probe' 2 'no position' endlab probe
refuses 'probe: two inputs' 2 'not from both' endlab probe --stdin '8/8/8/8/8/2k5/8/K6Q w - - 0 1'
refuses 'probe: two formats' 2 'exclude' endlab probe --stdin --json --tsv
refuses 'explorer without a terminal' 2 'terminal' endlab
refuses 'unknown metric' 2 "metric 'dtx'.*wdl, win, dtm.*wdlK or dtzK.*1 to 299" endlab build KQvK --metric dtx
refuses 'unknown codec' 2 'codec.*lzma9.*raw' endlab build KQvK --codec lzma9
refuses 'codec level out of range' 2 'zstd:99' endlab build KQvK --codec zstd:99
refuses 'unknown fill' 2 'fill.*worst.*none' endlab build KQvK --fill worst
refuses 'unknown order' 2 "order 'worst'.*best or smallest" endlab build KQvK --order worst
refuses 'an order of pieces for all slices' 2 "order 'KQk'.*best or smallest" \
	endlab build KQvK --order KQk
refuses 'two orders for all slices' 2 "order 'index/KQk'.*best or smallest" \
	endlab build KQvK --order index/KQk
refuses 'no order' 2 "order ''.*best or smallest" endlab build KQvK --order ''
refuses 'order without a value' 2 '--order needs a value' endlab build KQvK --order
refuses 'nothing of that kind to derive' 2 "derive 'mates'.*nothing, captures" \
	endlab build KQvK --derive mates
refuses 'block size: no power of two' 2 '1000' endlab build KQvK --block 1000
refuses 'block size: too large' 2 '64M' endlab build KQvK --block 64M
refuses 'group out of range' 2 "'9'.*3 to 8" endlab build 9
refuses 'group the wrong way round' 2 "'4-3'" endlab build 4-3

refuses 'a rule before a command that has one' 2 '--rule goes behind the command: endlab probe' \
	endlab --rule 20 probe '8/8/8/8/8/2k5/8/K6Q w - - 0 1'
refuses 'a rule for a command that has none' 2 'build has no --rule$' endlab build KQvK --rule 20
refuses 'help is an option' 2 "Did you mean '--help'" endlab help
refuses 'no option like it' 2 "'--port'. Run 'endlab serve --help'" endlab serve --port 9000
refuses 'one dash' 2 "'-metric'. Did you mean '--metric'" endlab build KQvK -metric dtm
refuses 'a letter' 2 "'-p'. Run 'endlab export --help'" endlab export KQvK -p x
refuses 'the beginning of an option' 2 "'--js'. Did you mean '--json'" endlab probe --js
for command in verify check; do
	refuses "$command: a metric of another game" 2 "$command: dtw is a metric of checkers and morris alone" \
		endlab $command KQvK --metric dtw
done
printf 'a table\0' >"$T/table.egt"
refuses 'a file of zeros instead of games' 1 "$T/table.egt: expected games or positions as text" endlab "$T/table.egt"
printf 'probe "abc\n' >"$T/open"
"$ENDLAB" shell <"$T/open" >"$T/out" 2>"$T/err"
grep -q 'the quote is not closed in abc$' "$T/err"
verdict 'a quote that is not closed'
echo '8/8/8/8/8/2k5/8/K6Q w - - 0 1' >"$T/open"
"$ENDLAB" shell <"$T/open" >"$T/out" 2>"$T/err"
[ $? -eq 2 ] && grep -q ': a position goes behind a command, such as probe$' "$T/err"
verdict 'a position alone in the shell'

answers 'options before the command' 0 "$T/elsewhere" endlab --dir "$T/elsewhere" list
answers 'options behind the command' 0 "$T/elsewhere" endlab list --dir="$T/elsewhere"
answers 'the directory of XDG_DATA_HOME' 0 "$T/data/endlab" env -u ENDLAB_DIR "$ENDLAB" list
answers 'the directory in HOME' 0 "$T/home/.local/share/endlab" \
	env -u ENDLAB_DIR -u XDG_DATA_HOME HOME="$T/home" "$ENDLAB" list
