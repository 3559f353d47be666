#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Exported Syzygy tables give independent programs, and our own reader, the values of our own tables: some
# endings and what they lead to; with TRUTH all of 3 and 4 pieces, with more positions; with FIVE=KRPvKR,...
# endings of 5 pieces as well.
. "$(dirname "$0")/common"
PROVE="$BUILD/others/prove"
S=$T/syzygy
STEP=5003
[ "${TRUTH:-}" ] && STEP=199
STOCKFISH=$(command -v stockfish || ls /usr/games/stockfish 2>/dev/null)

if [ "${WRAP:-}" ]; then
	skip 'tables of all endings are exported where there is time'
	exit
fi

# bytes ENDING: of all its files
bytes() {
	cat "$S"/*"$1" | wc -c
}

if [ "${TRUTH:-}" ]; then
	wanted=all outcomes=1262704 depths=3083952
else
	wanted='KBvKP KRvKR KQQvK KBNvK KNNvK' outcomes=188000 depths=720480
fi
run endlab build $wanted --metric dtz50
all=$(ls "$ENDLAB_DIR" | sed -n '/castling/d; s/\.dtz50\.egt$//p')
count=$(echo "$all" | wc -l)
[ "$status" -eq 0 ] && [ "$count" -ge 14 ]
verdict "$count endings are built"

run endlab export $all --format syzygy -o "$S"
[ "$status" -eq 0 ] && [ "$(ls "$S" | wc -l)" -eq $((2 * count)) ]
verdict 'and exported, two files each'
[ "$(bytes .rtbw)" -le $outcomes ]
verdict "outcomes are no larger than in the original tables: $(bytes .rtbw) bytes of $outcomes"
[ "$(bytes .rtbz)" -le $depths ]
verdict "depths are no larger than in the original tables: $(bytes .rtbz) bytes of $depths"
refuses 'files that are there stay' 2 'KQvK.rtbw: the file exists; use --replace' \
	endlab export KQvK --format syzygy -o "$S"

refuses 'no other metrics' 2 'export: Syzygy tables hold wdl50 \(.rtbw\) and dtz50 \(.rtbz\), found --metric dtm' \
	endlab export KQvK KRvK --format syzygy --metric dtm -o "$T/other"
run endlab export KQvK --format syzygy --metric wdl50 -o "$T/outcomes"
[ "$status" -eq 0 ] && [ "$(ls "$T/outcomes")" = KQvK.rtbw ] && cmp "$T/outcomes/KQvK.rtbw" "$S/KQvK.rtbw"
verdict 'but outcomes alone'
refuses 'nor castling' 1 'KRvK.castling: Syzygy tables hold no positions with castling rights' \
	endlab export KRvK+castling --format syzygy -o "$T/other"
refuses 'nor games without the clock' 2 'dtz50 is a metric of chess alone' \
	endlab export checkers:KvK --format syzygy -o "$T/other"
[ ! -e "$T/other" ]
verdict 'and nothing is left of them'
refuses 'a slice that is not built' 1 'no dtz50 table of KRPvKR in .*run .endlab build KRPvKR --metric dtz50' \
	endlab export KRPvKR --format syzygy -o "$T/other"

run env OMP_NUM_THREADS=1 "$ENDLAB" export KQvK KPvK KNNvK --format syzygy -o "$T/again"
[ "$status" -eq 0 ] && for f in "$T"/again/*; do cmp "$f" "$S/${f##*/}" || break; done
verdict 'one thread writes the same bytes'

run "$PROVE" "$ENDLAB_DIR" "$S" 1 KQvK KRvK KBvK KNvK KPvK
[ "$status" -eq 0 ] && [ "$(grep -c 'Endlab: .* 0 different' "$T/out")" -eq 5 ]
verdict 'our reader reads all of three pieces back'
four=$(echo "$all" | grep '^.....$')
run "$PROVE" "$ENDLAB_DIR" "$S" $STEP $four
[ "$status" -eq 0 ] && [ "$(grep -c 'Endlab: .* 0 different' "$T/out")" -eq $((count - 5)) ]
verdict 'and of four pieces'
if grep -q 'Fathom: ' "$T/out"; then
	[ "$(grep -c 'Fathom: .* 0 different' "$T/out")" -eq $((count - 5)) ]
	verdict 'Fathom reads the same in them'
else
	skip 'libfathom-dev was not there when tests were compiled'
fi

# stockfish DIR: FEN;outcome;plies from standard input; prints lines that differ, and how many it asked
stockfish() {
	cat >"$T/asked"
	{
		echo "setoption name SyzygyPath value $1"
		sed 's/^\([^;]*\);.*/position fen \1\nd/' "$T/asked"
		echo quit
	} | "$STOCKFISH" | awk -F';' -v asked="$T/asked" '
		/^Fen: / { getline line < asked; split(line, want, ";"); n++ }
		/^Tablebases DTZ:/ {
			split($0, word, " ")
			found = word[3] + 0
			short = want[3] - found
			if (want[2] < 0) short = -short
			late = want[2] == 1 && found > 100 || want[2] == -1 && found < -100
			answers++
			if (!late && short != 0 && short != 1) print line ", Stockfish says " found
		}
		END { print "answers " answers " of " n }'
}

if [ "$STOCKFISH" ]; then
	"$PROVE" "$ENDLAB_DIR" - $((STEP * 5)) $all | stockfish "$S" >"$T/out"
	grep -qE '^answers [1-9][0-9]{3,} of' "$T/out" && ! grep -q says "$T/out"
	verdict "Stockfish reads the same in them: $(tail -1 "$T/out")"
else
	skip 'stockfish is not installed'
fi

for slice in $(echo "${FIVE:-}" | tr , ' '); do
	run endlab build "$slice" --metric dtz50
	[ "$status" -eq 0 ]
	verdict "$slice is built"
	five=$(ls "$ENDLAB_DIR" | sed -n '/castling/d; s/\.dtz50\.egt$//p')
	for each in $five; do
		[ -e "$S/$each.rtbz" ] || endlab export "$each" --format syzygy -o "$S" >"$T/out" || break
	done
	run "$PROVE" "$ENDLAB_DIR" "$S" 2000003 $five
	[ "$status" -eq 0 ]
	verdict "$slice and what it needs: all provers say the same"
	[ "$STOCKFISH" ] || continue
	"$PROVE" "$ENDLAB_DIR" - 2000003 "$slice" | stockfish "$S" >"$T/out"
	grep -qE '^answers [1-9][0-9]* of' "$T/out" && ! grep -q says "$T/out"
	verdict "$slice: Stockfish too: $(tail -1 "$T/out")"
done
