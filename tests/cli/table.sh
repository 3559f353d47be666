#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Our tables as an independent program reads them, following the manual page: tests/others/read_egt.py.
. "$(dirname "$0")/common"
table_py=$(dirname "$0")/table.py
reader=$(dirname "$0")/../others/read_egt.py
X=$T/exported
python=
for candidate in python3 /usr/bin/python3; do
	$candidate -c 'import ctypes, lzma; ctypes.CDLL("libzstd.so.1")' 2>/dev/null && python=$candidate && break
done
if [ -z "$python" ]; then
	skip 'tables read in Python: this machine has no Python with lzma, or no libzstd'
	exit 0
fi
export PYTHONDONTWRITEBYTECODE=1

endlab build KRvK KRvKR KRvKN KPvK checkers:KMvM checkers:KKvK morris:3v3 morris:1v1+2+2 awari:5 oware:4 --codec zstd:7 >/dev/null 2>&1
endlab build KQvK --metric wdl,dtz5 --codec zstd:7 >/dev/null 2>&1
endlab build KPvK --metric win,dtr,dtz50,wdl50 --codec zstd:7 >/dev/null 2>&1
endlab --dir "$T/bounds" build KPvKP --partial --codec pairs --order best --fill best >/dev/null 2>&1
endlab export KRvK KQvK KPvK checkers:KMvM checkers:KKvK morris:3v3 morris:3v2+0+1 awari:5 --format raw -o "$X" >/dev/null 2>&1
endlab --dir "$T/bounds" export KPvKP --format raw -o "$X" >/dev/null 2>&1

# reads NAME WORDS...: the output of table.py ends with the name
reads() {
	name=$1
	shift
	run "$python" "$table_py" "$@"
	[ "$status" -eq 0 ]
	verdict "$name"
}
# recoded SLICE.METRIC OPTION...: compares every block of it with the export
recoded() {
	from=$1
	shift
	run endlab recode "$ENDLAB_DIR/$from.egt" -o "$T/$from.egt" --force "$@"
	[ "$status" -eq 0 ] && run "$python" "$table_py" arrays "$T/$from.egt" "$X" && [ "$status" -eq 0 ]
	verdict "$from as $*"
}

# some COMMAND...: one in three, since decoding in Python is slow; all with TRUTH
turns=0
some() {
	turns=$((turns + 1))
	[ -z "${TRUTH:-}" ] && [ $((turns % 3)) -ne 1 ] || "$@"
}

# ---- codecs ----
for codec in raw rle rle:0 rle:5 zstd zstd:19:dict=16 xz xz:6:container=1 xz:3:lc=2:lp=1:unit=3:window=4 rle-zstd \
	pairs pairs:1:line=16:rules=0; do
	some recoded KRvK.dtm --codec $codec --block 4K
done
some recoded KRvK.dtm --codec raw --fill none --order KkR
some recoded KQvK.wdl --codec xz --block 1M
some recoded KQvK.wdl --codec pairs --block 128K --fill best
some recoded KPvK.win --codec zstd --block 256
some recoded KPvK.dtr --codec rle-zstd --block 16K --order best
some recoded awari-5.score --codec pairs --block 1K --fill best
some recoded morris-3v3.dtw --codec xz --fill best --order mM

# ---- net: a board, and none ----
some recoded KQvK.dtz5 --codec net:8:effort=1 --block 1K --order QkK/KQk --fill none
some recoded KQvK.wdl --codec net:0
some recoded checkers-KKvK.dtw --codec net:16:effort=1 --block 2K --order kK
some recoded checkers-KKvK.dtw --codec net:16:effort=1 --block 512 --order Kk --fill none
some recoded awari-5.score --codec net --block 512

# ---- rans: a board, and none ----
some recoded KQvK.dtz5 --codec rans --block 1K --order QkK/KQk --fill none
some recoded KPvK.win --codec rans:20 --block 512 --order PKk --fill best
some recoded KRvK.dtm --codec rans --block 4K --order RkK --fill best
some recoded checkers-KKvK.dtw --codec rans --block 512 --order Kk --fill best
some recoded awari-5.score --codec rans --block 512

# ---- values that moves determine ----
some recoded KPvK.dtr --codec xz --fill best --order best --derive captures
recoded KPvK.dtz50 --codec pairs --fill best --order PKk --derive captures
grep -qE ' [1-9][0-9]* left to captures$' "$T/out"
verdict 'captures leave something out'
recoded KPvK.dtz50 --codec pairs --fill best --order PKk --derive outcomes
grep -qE ' [1-9][0-9]* left to outcomes$' "$T/out"
verdict 'outcomes leave something out'
some recoded KPvK.dtz50 --codec rans --block 512 --order PKk --fill best --derive outcomes+side
some recoded KRvK.dtm --codec rle --derive side
some recoded KRvK.dtm --small
some recoded checkers-KMvM.dtw --codec pairs --fill best --order best --derive captures
some recoded checkers-KMvM.dtw --small
some recoded morris-3v3.dtw --codec zstd --fill best --order Mm --derive captures
some recoded morris-3v2+0+1.dtw --codec zstd --fill best --order mM
some recoded awari-5.score --codec rle --fill best --derive captures
some recoded KPvK.dtr --codec raw --fill none --derive captures
reads 'bounds' arrays "$T/bounds/KPvKP.wdl.egt" "$X"

# ---- positions ----
looked_up() { # looked_up SLICE METRIC
	"$python" "$table_py" random "$1" 400 3 | endlab probe --stdin --tsv --metric "$2" >"$T/answers" 2>/dev/null
	reads "$1 $2: positions at random" answers "$ENDLAB_DIR/$(echo "$1" | tr : -).$2.egt" "$T/answers"
}
looked_up KRvK dtm
looked_up KRvK+castling dtm
looked_up KRvKR+castling dtm
looked_up KRvKN+castling dtm
looked_up KPvK dtr
looked_up KPvK dtz50
looked_up checkers:KKvK dtw
looked_up checkers:KMvM dtw
looked_up morris:3v3 dtw
looked_up morris:3v2+0+1 dtw
looked_up morris:2v2+1+1 dtw
looked_up morris:2v1+1+2 dtw
looked_up awari:5 score
looked_up oware:4 score

reads 'positions on the page' page "$(dirname "$0")/../../tui/man/endlab-table.5"

# ---- a study: pawns that can capture en passant, queens ----
endlab --dir "$T/study" solve '8/2p5/8/1P1k4/8/8/8/3K4 b - - 0 1' >/dev/null 2>&1
study=$(echo "$T"/study/*.study) study_py=$(dirname "$reader")/read_study.py
"$python" "$study_py" random "$study" 4000 1 | endlab --dir "$T/study" probe --stdin --tsv >"$T/answers" 2>/dev/null
run "$python" "$study_py" answers "$study" "$T/answers"
[ "$status" -eq 0 ]
verdict 'a study: positions at random'

# ---- the reader as a program ----
answers 'says where a position is' 0 '^plane 1, index [0-9]*, number [0-9]*: loss 2$' \
	"$python" "$reader" probe "$ENDLAB_DIR/KRvK.dtm.egt" '8/8/8/8/8/1k6/3r4/K7 w - - 0 1'
answers 'and counts values' 0 '^ +win 31: 185$' "$python" "$reader" count "$ENDLAB_DIR/KRvK.dtm.egt"
cp "$ENDLAB_DIR/KRvK.dtm.egt" "$T/changed.egt"
reads 'damage is noticed' damage "$T/changed.egt"
cmp -s "$ENDLAB_DIR/KRvK.dtm.egt" "$T/changed.egt" && head -c 9000 "$ENDLAB_DIR/KRvK.dtm.egt" >"$T/changed.egt"
answers 'a file that is cut off' 1 'size of the file: expected 9000, found [0-9]*$' \
	"$python" "$reader" count "$T/changed.egt"
