#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds that prove what they write, and what is kept of it: for tables of a build, copies and foreign files.
. "$(dirname "$0")/common"
D=$ENDLAB_DIR

# ---- which, and what is said ----
answers 'by default chess tables are proved' 0 '^ +1/1 +KQvK +dtm .*  verified in [0-9.]+ (ms|s)$' endlab build KQvK
grep -qE '^1 table for the root, .*, verified$' "$T/err"
verdict 'and the plan says so'
answers 'list tells when and how' 0 '^KQvK .*  verified [-0-9]+ by endlab [0-9.]+, 46,137 positions (one by one|by whole planes)$' \
	endlab list
run endlab list --json
grep -qE '"verified":\{"what":"all","by":"(planes|positions)","positions":46137,"wrong":0,"date":' "$T/out"
verdict 'json: the same'
answers 'it need not be proved again' 0 'verified on .* and unchanged since' endlab verify KQvK
answers '--no-verify: not proved' 0 '^ +1/1 +KRvK +dtm +[0-9]+ passes +[0-9.]+ m?s +[0-9.]+ K?B$' endlab build KRvK --no-verify
grep -qE '^1 table for the root, .*, not verified$' "$T/err"
verdict 'and the plan says that'
run endlab list --json
grep -o '"slice":"KRvK",.*"verified":[a-z]*' "$T/out" | grep -q 'verified":null$'
verdict 'json: null'
answers 'dear proofs are left out' 0 '^[0-9]+ tables for the root, .*, not verified$' endlab plan morris:4v3
answers '--verify: all' 0 '^[0-9]+ tables for the root, .*, verified$' endlab plan morris:4v3 --verify
answers 'some' 0 '^2 tables for the root, .*, 1 of them verified$' endlab plan KBvK --metric dtm,dtr
answers '--verify proves them' 0 'morris:3v3 .*  verified in ' endlab build morris:3v3 --verify
refuses 'both' 2 'found both --verify and --no-verify, expected one of them' endlab build KBvK --verify --no-verify
refuses 'too little memory for it' 1 'KQvKR win needs .* of memory to be verified; .* --no-verify' \
	endlab build KQvKR --metric win --verify --memory 4M
run endlab plan KQvKR --json
grep -q '"slice":"KQvKR".*"verified":true' "$T/out"
verdict 'plan --json'
answers 'plan --make passes it on' 0 '^OPTIONS = --no-verify$' endlab plan KQvKR --no-verify --make

# ---- a wrong file ----
if [ -e "${BUILD:-}/plugins/late_fault.so" ]; then
	cp "$BUILD/plugins/late_fault.so" "$T/" && chmod 755 "$T/late_fault.so"
	faulty() {
		"$ENDLAB" --dir "$T/wrong" --plugin "$T/late_fault.so" "$@"
	}
	endlab --dir "$T/wrong" build KRvK >/dev/null 2>&1
	W=$T/wrong/KQvK.dtm.egt
	answers 'a table that reads back wrong is refused' 1 \
		"^endlab: build: $W: what was written is wrong in 2 of 46137 positions, and kept as $W\.wrong; the first: 8/.* w - - 0 1: expected win in [0-9]+ plies \([0-9]+ moves\), found " \
		faulty build KQvK --codec latefault --block 1M
	[ ! -e "$W" ] && [ -e "$W.wrong" ] && [ -z "$(find "$T/wrong" -name '*unverified*')" ]
	verdict 'it gets no name'
	answers 'list says what it is' 0 "^ignored  $W\.wrong: found wrong by the build that made it\$" faulty list
	grep -qE '^KRvK .*verified' "$T/out"
	verdict 'other tables stay'
	answers 'without a proof it gets its name' 0 '^1 table in ' faulty build KQvK --codec latefault --block 1M --no-verify
else
	skip 'no plug-ins here'
fi

# ---- copies and foreign files ----
answers 'a copy' 0 '^KQvK dtm' endlab recode "$D/KQvK.dtm.egt" -o "$T/KQvK.dtm.egt" --small
answers 'it is as verified as the first' 0 "^KQvK .* $T/KQvK.dtm.egt  verified .* 46,137 positions" \
	env ENDLAB_DIR="$T/none" "$ENDLAB" --path "$T" list
endlab build KQvK --metric dtz50 >/dev/null 2>&1
mkdir "$T/foreign"
endlab export KQvK --format syzygy -o "$T/foreign" >/dev/null 2>&1
F=$T/foreign/KQvK.rtbw
answers 'a foreign table is proved' 0 'all right' env ENDLAB_DIR="$T/none" "$ENDLAB" --path "$T/foreign" verify "$F"
answers 'and list knows' 0 "$F  verified .* positions" env ENDLAB_DIR="$T/none" "$ENDLAB" --path "$T/foreign" list
answers 'it is not proved again' 0 'and unchanged since' \
	env ENDLAB_DIR="$T/none" "$ENDLAB" --path "$T/foreign" verify "$F"
touch -d '2001-01-01' "$F"
answers 'unless it has changed' 0 "$F  not verified: changed since" \
	env ENDLAB_DIR="$T/none" "$ENDLAB" --path "$T/foreign" list
