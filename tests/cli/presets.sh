#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --small and --fast: what is built, what list says of it, and what contradicts them.
. "$(dirname "$0")/common"

# ---- what is built ----
answers 'a small table of each kind' 0 '\(at usual settings: small tables take less disk and more time\)$' \
	endlab --dir "$T/small" build KRvK --metric dtm,wdl,win,dtr --small
endlab --dir "$T/small" list >"$T/out"
grep -qE '^KRvK +dtm .* small: only (White|Black) to move, captures left out, net, 4K blocks, for the archive(, castling)? +/' "$T/out" &&
	grep -qE '^KRvK +wdl .* small: only (White|Black) to move, captures left out, net, 64K blocks, for the archive' "$T/out" &&
	grep -qE '^KRvK +win .* small: both sides to move, captures left out, net, ' "$T/out" &&
	grep -qE '^KRvK +dtr .* small: both sides to move, captures left out, net, ' "$T/out"
verdict 'is said in words by list'
endlab --dir "$T/small" list --json >"$T/out"
grep -qE '"detail":"net:[0-9]+ 4K best order [KRk/index]+ captures\+side, only (White|Black) to move"' "$T/out"
verdict 'and as ever by list --json'
answers 'it is right' 0 'all right' endlab --dir "$T/small" verify KRvK
endlab --dir "$T/fast" build KRvK --fast >"$T/out" 2>"$T/err"
answers 'a fast table' 0 '^KRvK +dtm .* fast: both sides to move, raw, 4K blocks, for search(, castling)? ' \
	endlab --dir "$T/fast" list
endlab --dir "$T/usual" build KRvK >"$T/out" 2>"$T/err"
answers 'a usual table' 0 '^KRvK +dtm .* usual: only White to move, ' endlab --dir "$T/usual" list
answers 'bounds' 0 '^1 table' endlab --dir "$T/part" build --partial KPvK --small
answers 'are partial, with both sides' 0 '^KPvK .* small: partial, both sides to move, captures left out, pairs' \
	endlab --dir "$T/part" list
answers 'draughts' 0 '^3 tables' endlab --dir "$T/draughts" build checkers:2 --small
answers 'are small, too' 0 '^checkers:KvM .* small: only (White|Black) to move, captures left out, ' \
	endlab --dir "$T/draughts" list

# ---- recode ----
answers 'recode --small' 0 'net:[0-9]+ 4K best .*captures\+side, only' \
	endlab --dir "$T/usual" recode "$T/usual/KRvK.dtm.egt" -o "$T/r.egt" --small
cmp -s "$T/r.egt" "$T/small/KRvK.dtm.egt"
verdict 'writes what build --small writes'
answers 'recode --fast of a small table' 0 'raw 4K previous$' \
	endlab --dir "$T/small" recode "$T/small/KRvK.dtm.egt" -o "$T/f.egt" --fast
cmp -s "$T/f.egt" "$T/fast/KRvK.dtm.egt"
verdict 'writes what build --fast writes'

# ---- plan ----
answers 'a plan says whose sizes it tells' 0 '\(at usual settings: fast tables take other times and sizes\)$' \
	endlab --dir "$T/none" plan KRvK --fast
endlab --dir "$T/none" plan KRvK --small --make >"$T/out"
grep -q "^OPTIONS = --small\$" "$T/out"
verdict 'and hands the preset on'

# ---- nonsense ----
refuses 'both at once' 2 'build: found both --small and --fast, expected one of them' \
	endlab --dir "$T/none" build KRvK --fast --small
for option in '--codec raw' '--block 4K' '--fill best' '--order best' '--derive captures'; do
	refuses "--small with ${option%% *}" 2 "found both --small and ${option%% *}, expected one" \
		endlab --dir "$T/none" build KRvK $option --small
	refuses "recode: --fast with ${option%% *}" 2 "found both --fast and ${option%% *}, expected one" \
		endlab recode "$T/r.egt" -o "$T/x.egt" --fast $option
done
refuses 'plan: both at once' 2 'plan: found both --small and --fast' \
	endlab --dir "$T/none" plan KRvK --small --fast
refuses 'a preset has no value' 2 'option --small takes no value' endlab build KRvK --small=very
refuses 'a side of wins, asked for' 2 'win, which does not tell losses from draws' \
	endlab --dir "$T/none" build KRvK --metric win --derive side
[ ! -e "$T/none" ] && [ ! -e "$T/x.egt" ]
verdict 'nothing was made'
