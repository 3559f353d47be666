#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Manual pages: the program prints them, mandoc does not complain, and they tell the truth.
. "$(dirname "$0")/common"
root=$(cd "$(dirname "$0")/../.." && pwd)
pages=$(cd "$root/tui/man" && ls ./*.[1-9] | sed 's|./||; /^endlab\.1$/d')

# ---- printing them ----

names=endlab
for page in $pages; do
	names="$names, ${page%.*}"
	endlab --man "$page" >"$T/out" 2>"$T/err" && cmp -s "$T/out" "$root/tui/man/$page" &&
		endlab --man "${page%.*}" | cmp -s - "$T/out"
	verdict "$page is in the program"
done
endlab --man >"$T/endlab.1" && endlab --man endlab.1 | cmp -s - "$T/endlab.1"
verdict 'endlab(1) comes without a name, too'
cmp -s "$T/endlab.1" "$root/tui/man/endlab.1"
verdict 'endlab(1) in tui/man is what the program prints (`make man` writes it)'
refuses 'no such page' 2 "no manual page 'endlab.7': expected $names\$" endlab --man endlab.7
answers 'help lists them' 0 'endlab-json' endlab --help
answers 'so do completions' 0 '^endlab-codec$' endlab --complete bash --man ''
for page in $pages; do
	tr -d "\\\\" <"$T/endlab.1" | grep -q "${page%.*}.*(${page##*.})" || echo "$page"
done >"$T/out" && [ ! -s "$T/out" ]
verdict 'endlab(1) refers to each'
if command -v mandoc >/dev/null; then
	for page in "$T/endlab.1" $pages; do
		(cd "$root/tui/man" && mandoc -Tlint -Wall "$page") | grep -vE 'referenced manual not found|line longer than 80 bytes'
	done >"$T/out" 2>&1
	[ ! -s "$T/out" ]
	verdict 'mandoc is content'
else
	skip 'mandoc is not here'
fi

# ---- endlab-json(5): what is printed is on the page, what is on the page is printed ----

# named SECTION: the fields that a section of the page names
named() {
	awk -v section=".Sh $1" '
		/^\.Sh/ { here = $0 == section }
		here && /^\./ {
			for (i = 1; i < NF && $i !~ /Va$/; i++)
				;
			for (i++; i <= NF; i++)
				if ($i !~ /^([.,;:)]|No|to|Va)$/)
					print $i
		}' "$root/tui/man/endlab-json.5" | sort -u
}
# fields SECTION KEYS OTHERS: compares those of the objects in $T/out, except KEYS, which are data, and OTHERS,
# which the page names and nothing here prints
fields() {
	grep -o '"[^"]*":' "$T/out" | tr -d '":' | sort -u | grep -vxE -- "-?[0-9]*|$2" >"$T/printed"
	named "$1" | grep -vxE "$3" >"$T/named"
	diff "$T/named" "$T/printed" >"$T/out" && [ -s "$T/named" ]
	verdict "endlab-json(5): the fields of $(echo "$1" | tr A-Z a-z)"
}

M=8/8/8/8/8/2k5/1R6/K7
P="--dir $T/partial"
endlab build KRvK KQvK --metric wdl,win,dtm,dtz50 >/dev/null 2>&1
endlab build KRvK --metric wdl50 >/dev/null 2>&1
endlab build KQvK --metric dtm50 >/dev/null 2>&1
endlab build checkers:2 awari:0-2 >/dev/null 2>&1
# shellcheck disable=SC2086
{
	endlab $P build checkers:2
	endlab $P build --partial checkers:MMvM
	endlab verify KRvK --metric wdl
} >/dev/null 2>&1
{
	endlab probe --json xx "$M w - - 0 1" W:W28:B27 1-0-0-0-0-0-1-0-0-0-0-0-0-0-S
	endlab probe --json --rule 20 "$M w - - 0 1"
} >"$T/out" 2>/dev/null
fields 'PROBE --JSON' - at_most # of a study
if endlab probe --help | grep -q -- --lichess; then
	endlab probe --lichess "$M w - - 0 1" >"$T/out" 2>/dev/null
	fields 'PROBE --LICHESS' - -
fi
{
	endlab stats KRvK --json
	endlab stats KQvK --metric win --json
	endlab stats KQvK --metric dtm50 --json
	endlab stats awari:2 --json
	endlab solve '8/8/8/p7/P7/8/k7/2K5 w - - 0 1' --pieces none -o "$T/a.study" >/dev/null 2>&1
	endlab stats "$T/a.study" --json
	# shellcheck disable=SC2086
	endlab $P stats checkers:MMvM --json
} >"$T/out" 2>/dev/null
fields 'STATS --JSON' 'dt.*|wdl|captures|advances|conversions|quiet moves' 'wdl|dtz|wdl20|rounded'
{
	endlab records --json
	endlab records --json --zugzwangs awari:2
} >"$T/out" 2>/dev/null
fields 'RECORDS --JSON' - -
{
	endlab find KQvK win --limit 2 --json
	endlab find awari:2 win --limit 2 --json
	endlab find KQvK checkmate --count --json
} >"$T/out" 2>/dev/null
fields 'FIND --JSON' - -
printf '[White "a"]\n[Black "b"]\n[FEN "8/8/8/8/8/2k5/8/K2Q4 w - - 0 1"]\n\n1. Qd2+ Kb3 *\n' >"$T/survey.pgn"
endlab survey "$T/survey.pgn" --json >"$T/out" 2>/dev/null
fields 'SURVEY --JSON' - -
endlab export KQvK --format syzygy -o "$T/foreign" >/dev/null 2>&1
mkdir "$T/doubles" && cp "$ENDLAB_DIR/KRvK.wdl.egt" "$T/doubles"
endlab list --json --path "$T/foreign:$T/doubles" --plugin "$BUILD/samples/pages.so" >"$T/out" 2>/dev/null
fields 'LIST --JSON' - -
endlab --dir "$T/holes" build KPvK --metric wdl >/dev/null 2>&1
rm "$T/holes/KRvK.wdl.egt" && : >"$T/holes/KBvK.wdl.egt"
endlab doctor "$T/holes" --json >"$T/out" 2>/dev/null
fields 'DOCTOR --JSON' - -
# Published statistics that differ from ours in every kind of figure: KNvK has no wins.
late=$(yes 0, | head -101 | tr -d '\n')
printf '{"longest": [], "histogram": {"white": {"win": [7, %s7], "loss": [], "wdl": %s}, "black": {"win": [], "loss": [], "wdl": %s}}}' \
	"$late" '{"-2": 0, "-1": 0, "0": 0, "1": 0, "2": 0}' '{"-2": 0, "-1": 0, "0": 0, "1": 0, "2": 0}' >"$T/late"
printf '{"sets": [{"castling": false, "rows": [{"m": "KQK", "c": [0,0,0,0,0,0,0,0], "l": {"dtm": [[3, "%s"], [0, ""]]}}]}]}' \
	'k7/8/1K6/8/8/8/8/6Q1 w' >"$T/longest"
{
	endlab check KQvK --json --path "$T/foreign"
	endlab build KNvK --metric dtz50 >/dev/null
	endlab check KNvK --json --statistics "$T/late" --metric dtz50
	endlab check KQvK --json --statistics "$T/longest" --metric dtm
} >"$T/out" 2>/dev/null
fields 'CHECK --JSON' - -
endlab plan KQvKR --ranks 2 --json >"$T/out" 2>/dev/null
fields 'PLAN --JSON' - -
{
	endlab solve '8/8/8/8/p7/P7/8/k1K5 w - - 0 1' --json --plan
	endlab solve '8/8/8/8/p7/P7/8/k1K5 w - - 0 1' --json
} >"$T/out" 2>/dev/null
fields 'SOLVE --JSON' - -
{
	endlab lab KRvK KQvK --metric wdl --codecs raw --blocks 4K --seconds 0.01 --shared --json
	endlab lab KRvK --metric wdl --codecs wrongsymbol --plugin "$BUILD/plugins/wrong_symbol.so" --blocks 4K \
		--seconds 0.01 --json
} >"$T/out" 2>/dev/null
fields 'LAB --JSON' - -

# ---- README and chapters ----

[ "$(wc -l <"$root/README.md")" -le 250 ]
verdict 'the README has 250 lines at most'
# command_of FILE: the first word of the command that a chapter begins with, right below its title
command_of() { sed -n '3{/^```$/!q;n;s/ .*//p;}' "$1"; }
for chapter in "$root"/samples/*.md; do
	case $(command_of "$chapter") in
	build/endlab | make) ;;
	*) echo "$chapter" ;;
	esac
done >"$T/out"
[ ! -s "$T/out" ]
verdict 'each chapter begins with the command that reproduces it'
# Commands of chapters and the README, without comments: known ones with known options.
cat "$root/README.md" "$root"/samples/*.md | sed -n '/^```$/,/^```$/s|^build/endlab \([a-z][a-z]*\) .*|&|p' |
	sed 's/  *#.*//; s/ &&.*//; s/ *\\$//; s/[<>|].*//' | sort -u >"$T/commands"
while read -r program command rest; do
	endlab "$command" --help >"$T/help" 2>&1 || echo "$program $command $rest"
	for word in $rest; do
		case $word in
		--dir | --path | --plugin | --threads) ;;
		--*) grep -q -- "^  $word\( \|$\)" "$T/help" || echo "$program $command: $word" ;;
		esac
	done
done <"$T/commands" >"$T/out"
[ ! -s "$T/out" ] && [ -s "$T/commands" ]
verdict 'their commands and options exist'
(cd "$root" && for page in README.md samples/*.md; do
	grep -o ']([^):#]*' "$page" | sed 's/](//' | while read -r link; do
		[ -z "$link" ] || [ -e "${page%"${page##*/}"}$link" ] || echo "$page: $link"
	done
done) >"$T/out"
[ ! -s "$T/out" ]
verdict 'their links lead somewhere'
# endlab-proof(7) names tests without tests/unit/core or tests in front.
(cd "$root" && {
	grep -ohE '[a-z/]*tests/[A-Za-z0-9_./]*[A-Za-z0-9_]' README.md samples/*.md tui/man/*.[1-9] | grep '^tests'
	grep -oE '\bcore/[a-z_/]*\.c' tui/man/endlab-proof.7
	sed -n 's/^\.Pa //p' tui/man/endlab-proof.7 | tr ' ' '\n' |
		sed -nE '/^(tests|core)/d; s|^test_.*|tests/unit/core/&|p; t; s|^[a-z].*|tests/&|p'
}) | sort -u >"$T/named"
while read -r file; do
	[ -e "$root/$file" ] || echo "$file"
done <"$T/named" >"$T/out"
[ ! -s "$T/out" ] && [ "$(grep -c 'unit/core/test_' "$T/named")" -gt 50 ]
verdict 'they and endlab-proof(7) name tests that are there'

# ---- the programs on the pages and in the README ----

# programs FILE: those of a page, each under the name in its first line, into $T
programs() {
	sed 's/\\e/\\/g' "$root/tui/man/$1" |
		awk '/^\/\* [a-z]*\.c/ { file = $2; sub(/:/, "", file) } /^\.Ed/ { file = "" }
			file { print >dir "/" file }' dir="$T"
}
compile() { cc -std=c17 -Wall -Wextra -I"$root/include" "$@"; }
# linked NAME OPTION...: does $T/NAME.c compile without a warning?
linked() {
	name=$1
	shift
	run compile "$T/$name.c" "$@" -o "$T/$name" -L"$BUILD" -lendlab -Wl,-rpath,"$BUILD"
	[ "$status" -eq 0 ] && [ ! -s "$T/err" ]
}
# Programs that link a library with sanitizers need them too.
ASAN=
if nm -D "$BUILD/libendlab.so" 2>/dev/null | grep -q __asan_; then ASAN=-fsanitize=address,undefined; fi
if ! command -v cc >/dev/null || nm -D "$BUILD/libendlab.so" 2>/dev/null | grep -qE '__(tsan|gcov)_'; then
	skip 'no compiler is here, or one of another kind made the library'
	exit
fi
programs endlab-codec.7
programs libendlab.3
sed -n '/^```c/,/^```$/{/^```/!p}' "$root/README.md" >"$T/readme.c"

run compile -O2 -fPIC -shared -o "$T/bits.so" "$T/bits.c"
[ "$status" -eq 0 ] && [ ! -s "$T/err" ]
verdict 'endlab-codec(7): the codec is compiled without a warning'
answers 'endlab-codec(7): it holds a table' 0 '^bits +4K none' endlab lab KRvK --metric wdl \
	--plugin "$T/bits.so" --codecs bits --blocks 4K --seconds 0.01
# shellcheck disable=SC2016
answers 'endlab-codec(7): and writes one' 0 'all right' sh -c '"$ENDLAB" build KRvK --metric dtc \
	--plugin "$1" --codec bits && "$ENDLAB" verify KRvK --metric dtc --plugin "$1"' - "$T/bits.so"
linked damage -g -fsanitize=address,undefined "$T/bits.c"
verdict 'endlab-codec(7): so is the program that damages blocks'
answers 'endlab-codec(7): and finds no harm done' 0 'all refused, or harmless' "$T/damage"

endlab build KQvKR >/dev/null 2>&1
for program in moves search readme; do
	linked "$program" $ASAN
	verdict "$program.c is compiled without a warning"
done
answers 'libendlab(3): moves.c' 0 '^Kc1  *win 63$' "$T/moves" "$ENDLAB_DIR" '8/8/8/3kr3/8/8/2Q5/1K6 w - - 0 1'
answers 'libendlab(3): search.c, at a leaf' 0 '^win$' "$T/search" "$ENDLAB_DIR"
grep -qE '^best of 2[0-9]: from square [0-9]+ to [0-9]+$' "$T/out"
verdict 'libendlab(3): search.c, at the root'
answers 'the example of the README' 0 '^win in 63 plies$' "$T/readme" "$ENDLAB_DIR"
sed -n '/^```python/,/^```$/{/^```/!p}' "$root/README.md" | sed "s|~/.local/share/endlab|$ENDLAB_DIR|" >"$T/readme.py"
if ! command -v python3 >/dev/null || [ "$ASAN" ]; then
	skip 'no Python is here, or none that takes a library with sanitizers'
else
	answers 'and the one in Python' 0 '^63$' env PYTHONPATH="$root/include/python" \
		ENDLAB_LIBRARY="$BUILD/libendlab.so" PYTHONDONTWRITEBYTECODE=1 python3 "$T/readme.py"
fi
