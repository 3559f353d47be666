#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Ranks under mpirun: the tables of any number of them are those of one program, byte for byte, also after a
# rank was killed; and what ranks refuse. TRUTH=all: more slices, 1 to 8 ranks, and 100 kills.
. "$(dirname "$0")/common"
MPI=$BUILD/mpi/endlab
command -v mpirun >/dev/null || { skip 'mpirun is not here (make deps installs it)'; exit; }
[ -x "$MPI" ] || { skip 'libopenmpi-dev was not here when this was built'; exit; }
# Root may run it, on fewer cores than ranks, and sockets are in a folder with a short name.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 TMPDIR=/tmp
T2=$(mktemp -d /tmp/endlab-mpi-XXXXXX) || exit 2
trap 'rm -rf "$T" "$T2"' EXIT

# together N DIR WORDS...: so many ranks
together() {
	n=$1 dir=$2
	shift 2
	timeout 3000 mpirun -q -n "$n" "$MPI" --dir "$dir" "$@"
}

# same WORDS...: are the tables in $T/alone those in $T2/many?
same() {
	for table in "$T"/alone/*.egt; do
		cmp "$table" "$T2/many/${table##*/}" >>"$T/out" 2>&1 || return 1
	done
	[ "$(find "$T/alone" -name '*.egt' | wc -l)" -eq "$(find "$T2/many" -name '*.egt' | wc -l)" ] &&
		[ -z "$(find "$T2/many" -name '.endlab-scratch*')" ]
}

# ---- the same bytes ----
builds='2|3 KBvKN --metric dtm --memory 1G
3|KPvK --metric dtz50
2|KBvKN --metric wdl --small --no-verify
2|checkers:KMvK --metric dtw --threads 2
2|morris:3v3 --no-verify
3|awari:0-4'
[ "${TRUTH:-}" ] && builds=$(for n in 1 2 3 4 8; do
	echo "$n|3-4 --metric dtm"
	echo "$n|3-4 --metric wdl"
	echo "$n|4 --metric dtc,dtz50 --threads 2"
	echo "$n|KRNvKN KQRvKR --metric dtm --memory 60M"
	echo "$n|checkers:KKvKM checkers:KMvMM checkers:MMvMM --metric dtw"
	echo "$n|morris:4v3"
	echo "$n|awari:0-12"
done)
echo "$builds" | while IFS='|' read -r n words; do
	rm -rf "$T/alone" "$T2/many"
	# shellcheck disable=SC2086
	run endlab --dir "$T/alone" build $words && run together "$n" "$T2/many" build $words
	[ "$status" -eq 0 ] && grep -q exchanged "$T/out" && same
	verdict "$n ranks: $words"
done

# ---- in little memory, and killed ----
export ENDLAB_DIR="$T/alone"
SLICE=KBNvKN KILLS=2
[ "${TRUTH:-}" ] && KILLS=100
rm -rf "$T/alone" "$T2/many"
run endlab build $SLICE --metric dtm --no-verify
for table in "$T/alone"/*.egt; do
	[ "${table##*/}" = $SLICE.dtm.egt ] || { mkdir -p "$T2/many" && cp "$table" "$T2/many"; }
done
kills=0 lines=0 tries=0
while [ $kills -lt $KILLS ] && [ $tries -lt $((8 * KILLS)) ]; do
	tries=$((tries + 1))
	rm -f "$T2/many/$SLICE".*
	together $((tries / 10 % 3 + 2)) "$T2/many" build $SLICE --metric dtm --no-verify >"$T/out" 2>"$T/err" &
	job=$!
	wait=$(awk -v seed="$tries" 'BEGIN {srand(seed); printf "%.2f", 0.5 + 4 * rand()}')
	sleep "$wait"
	victim=$(pgrep -f "^$MPI --dir $T2/many" | awk -v seed="$tries" '{all[NR] = $1} END {srand(seed); print all[int(NR * rand()) + 1]}')
	[ "$victim" ] && kill -9 "$victim" 2>/dev/null && kills=$((kills + 1))
	wait $job
	[ "$(grep -c '^endlab: ' "$T/err")" -le 1 ] || lines=$((lines + 1))
done
[ $kills -eq $KILLS ] && [ $lines -eq 0 ]
verdict "$kills ranks killed, each with one line or none"
run together 2 "$T2/many" build $SLICE --metric dtm --no-verify --memory 40M
[ "$status" -eq 0 ] && same
verdict "and it went on each time, in the end out of core: $SLICE"

# ---- proofs ----
rm -rf "$T2/many" && cp -r "$T/alone" "$T2/many"
run endlab verify KBNvK --again && sed 's/  [^ ]* [a-z]*$//' "$T/out" >"$T/known"
run together 3 "$T2/many" verify KBNvK --again
[ "$status" -eq 0 ] && sed 's/  [^ ]* [a-z]*$//' "$T/out" | cmp "$T/known" -
verdict 'a proof shared out'
if [ -e "$BUILD/plugins/late_fault.so" ]; then
	mkdir "$T2/wrong"
	endlab --dir "$T2/wrong" build KRvK >"$T/out" 2>&1
	answers 'what is wrong is found by whichever rank' 1 'is wrong in 2 of 46137 positions, and kept as .*; the first: 8/' \
		together 3 "$T2/wrong" --plugin "$BUILD/plugins/late_fault.so" build KQvK --codec latefault --block 1M
fi

# ---- what ranks refuse ----
mkdir "$T/other"
answers 'folders that are not shared' 1 "^endlab: build: rank 1 on .*: $T/other: expected the folder that rank 0 builds in" \
	mpirun -q -n 1 "$MPI" --dir "$T2/many" build KQvKN : -n 1 "$MPI" --dir "$T/other" build KQvKN
refuses 'a folder that one rank cannot open' 4 'rank 1 on .*: /proc/version' \
	mpirun -q -n 1 "$MPI" --dir "$T2/many" build KQvKN : -n 1 "$MPI" --dir /proc/version build KQvKN
cp "$MPI" "$T2/other" && echo >>"$T2/other"
refuses 'other programs' 2 'rank 1 on .* runs another endlab .* than rank 0' \
	mpirun -q -n 1 "$MPI" --dir "$T2/many" list : -n 1 "$T2/other" --dir "$T2/many" list
refuses 'a disk that is not there' 4 '/proc/none: ' together 2 "$T2/many" build KQvKN --scratch /proc/none
refuses 'no such slice' 1 "unknown piece 'X'" together 2 "$T2/many" build KQvKX
run together 2 "$T2/many" list
[ "$status" -eq 0 ] && [ "$(grep -c '^KBNvKN  *dtm ' "$T/out")" -eq 1 ]
verdict 'other commands are those of one program'
answers 'a program without MPI says so' 0 '^endlab: made without MPI' mpirun -q -n 2 "$ENDLAB" list
run endlab list && grep -q . "$T/out" && ! nm "$ENDLAB" 2>/dev/null | grep -qi ' MPI_'
verdict 'a program without MPI has nothing of it'
