#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tables of other programs: the program finds out whether they are sound, shows it and remembers it.
. "$(dirname "$0")/common"
F=$T/foreign
mkdir "$F"
export ENDLAB_PATH="$F"
FEN='8/8/8/2k5/8/8/1B6/K7 w - - 0 1'

all_draws >"$F/KBvK.rtbw"
answers 'a sound file is used' 0 "^KBvK +wdl50 +syzygy .*checked +$F/KBvK.rtbw" endlab list
answers 'and shown as checked to programs' 0 '"checked":true' endlab list --json
answers 'it is remembered' 0 "^sound${TAB}syzygy${TAB}.*${TAB}$F/KBvK.rtbw\$" cat "$T/cache/endlab/checked.tsv"
answers 'it answers' 0 'draw' endlab probe --tsv "$FEN"

printf '\113' | dd of="$F/KBvK.rtbw" bs=1 seek=20 conv=notrunc 2>/dev/null
answers 'a damaged file is ignored' 0 "^ignored +$F/KBvK.rtbw: expected checksum 4b37[0-9a-f]*, found " endlab list
answers 'with the reason for programs' 0 '"ignored":"expected checksum' endlab list --json
mkdir "$F/more"
all_draws >"$F/more/KBvK.rtbw"
answers 'another copy answers' 0 'draw' endlab probe --tsv "$FEN"
rm -r "$F/more"

for file in KQvK.rtbw kqk.gtb.cp4; do
	mkfifo "$F/$file"
	answers "a pipe named $file keeps nobody waiting" 0 "^ignored +$F/$file: found a pipe" \
		timeout 20 "$ENDLAB" list
	rm "$F/$file"
done

ln -sf "$T/victim" "$T/cache/endlab/checked.tsv"
all_draws >"$F/KBvK.rtbw"
answers 'nothing is remembered through a link, which is said' 0 \
	'^endlab: list: tables are checked at every start: .*symbolic link' endlab list
[ ! -e "$T/victim" ]
verdict 'and its target is not made'
