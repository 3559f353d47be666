#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What earlier versions wrote (tests/corpus) is read, and says what it said then.
. "$(dirname "$0")/common"
corpus=$(cd "$(dirname "$0")/../corpus" && pwd)
. "$corpus/read"

for manifest in "$corpus"/*/manifest.tsv; do
	at=$(dirname "$manifest")
	version=$(basename "$at")
	while IFS=$TAB read -r file slice metric was right told made; do
		[ "$file" = file ] && continue
		form='' values='' answers=''
		corpus_read "$at/$file" "$slice" "$metric" "$at/tables" 2>"$T/err"
		# 1.0.0 knew neither option, so it did not say so.
		form=$(echo "$form" | sed 's/^\(net:[^ ]*\):bands=0:adapt=0 /\1 /')
		printf '%s\n' "$form" "$values" "$answers" >"$T/out"
		printf '%s\n' "$was" "$right" "$told" | cmp -s - "$T/out"
		verdict "$version: $file${made:+ ($made)}"
	done <"$manifest"
	find "$at" -name '*.egt' | wc -l >"$T/out"
	[ "$(wc -l <"$manifest")" -eq $(($(cat "$T/out") + 1)) ]
	verdict "$version: no other files"

	# The folder as it was left, which takes the times of its files.
	rm -rf "$T/left"
	cp -R "$at/tables" "$T/left"
	while IFS=$TAB read -r file identity written rest; do
		touch -d "@$written" "$T/left/$file"
	done <"$T/left/.verified.tsv"
	run endlab list --json --dir "$T/left"
	[ "$(grep -o '"what":"all"' "$T/out" | wc -l)" -eq "$(find "$T/left" -name '*.egt' | wc -l)" ] &&
		! grep -q '"changed":"' "$T/out"
	verdict "$version: tables are known to be verified"
	answers "$version: and how they were solved" 0 '^dtm solved in 56 passes' endlab stats KPvK --dir "$T/left"
	answers "$version: they are proved again" 0 '^KPvK +dtm .* all right' \
		endlab verify 3 checkers:2 morris:3v3 awari:0-4 --again --dir "$T/left"
done
