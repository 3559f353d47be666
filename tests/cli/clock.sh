#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Mate at every clock, from the command line: dtm50 and dtmK.
. "$(dirname "$0")/common"

# Mates in 55 plies from 8/8/8/1k6/8/8/K5P1/8, or in 59 where the clock leaves no time for that.
P=8/8/8/1k6/8/8/K5P1/8
at() {
	endlab probe --json "$P w - - $1 1" | sed 's/"moves".*//' | grep -oE '"wdl50":"[a-z-]*"|"dtm50":[0-9a-z]*' | tr -d '\n'
}
answers 'build' 0 '^5 tables' endlab build KPvK --metric dtm50
answers 'verify' 0 '^3 tables: 3 right; 261,828 positions' endlab verify KPvK KQvK KRvK --metric dtm50
[ "$(at 0)" = '"wdl50":"win""dtm50":55' ]
verdict 'clock 0'
[ "$(at 77)" = '"wdl50":"win""dtm50":55' ] && [ "$(at 78)" = '"wdl50":"win""dtm50":59' ]
verdict 'a longer mate restarts the clock'
[ "$(at 81)" = '"wdl50":"win""dtm50":59' ] && [ "$(at 82)" = '"wdl50":"cursed-win""dtm50":null' ]
verdict 'the clock eats the win'
answers 'in words' 0 '^  55 plies to clock 77, 59 to 81, then a draw$' endlab probe "$P w - - 0 1"
answers 'from the clock on' 0 '^  59 plies to clock 81, then a draw$' endlab probe "$P w - - 79 1"
answers 'too late, without a depth' 0 'the win takes too long under the 50-move rule$' endlab probe "$P w - - 82 1"
! grep -q '0 plies' "$T/out"
verdict 'and no plies'
answers 'a line to the mate in time' 0 'mates in 59 plies \(30 moves\) under the 50-move rule$' endlab line "$P w - - 81 1"
[ "$(endlab line --pgn "$P w - - 81 1" | grep -c '#')" -eq 1 ]
verdict 'and it ends in mate'
answers 'tsv of a metric that is named' 0 "^$P w - - 78 1${TAB}win${TAB}59$" endlab probe --tsv --metric dtm50 "$P w - - 78 1"
[ "$(endlab probe --tsv "$P w - - 0 1" | head -1 | awk '{ print NF }')" -eq 11 ]
verdict 'columns are what they were'

answers 'stats by clock' 0 '^ +90 +[0-9,]+ +95,624$' endlab stats KPvK --metric dtm50
[ "$(endlab stats KPvK --metric dtm50 --json | grep -o '"by_clock":{"dtm50":{"win":\[124960,' | wc -l)" -eq 1 ]
verdict 'stats: all wins stand with an empty clock'

# Another codec and block keep the courses.
answers 'recode' 0 '' endlab recode "$T/tables/KPvK.dtm50.egt" -o "$T/recoded" --codec xz --block 4K
! cmp -s "$T/recoded" "$T/tables/KPvK.dtm50.egt" && cp "$T/recoded" "$T/tables/KPvK.dtm50.egt" && [ "$(at 78)" = '"wdl50":"win""dtm50":59' ]
verdict 'recode keeps the courses'
answers 'verify what is recoded' 0 'all right' endlab verify KPvK --metric dtm50 --again

# Out of core: courses leave memory too.
run endlab --dir "$T/1G" build KBBvK --metric dtm50
run endlab --dir "$T/20M" build KBBvK --metric dtm50 --memory 20M
grep -q 'of scratch' "$T/err" && cmp -s "$T/20M/KBBvK.dtm50.egt" "$T/1G/KBBvK.dtm50.egt"
verdict 'the same table with little memory'

answers 'a sample is compared with every clock' 0 'positions of a sample all right' \
	endlab verify KPvK --metric dtm50 --sample 1000 --again
answers 'another rule' 0 'KQvK +dtm9' endlab build KQvK --metric dtm9
answers 'under that rule' 0 'mate in 15 plies \(8 moves\) under the 9-move rule$' \
	endlab probe --rule 9 '8/8/8/8/4k3/8/1Q6/K7 w - - 0 1'

# Castling: the mate takes 27 plies, and the clock runs on when the right is lost.
C='8/8/8/8/4k3/8/8/4K2R w K -'
answers 'castling by the clock' 0 '^  27 plies to clock 73, then a draw$' endlab probe "$C 72 1"
answers 'castling too late' 0 'the win takes too long under the 50-move rule$' endlab probe "$C 74 1"
answers 'castling, proved at every clock' 0 '211 positions all right' endlab verify KRvK+castling --metric dtm50 --again
answers 'a table with the clock at 0 beside it' 0 'KRvK +dtz50' endlab build KRvK --metric dtz50
for rights in K -; do
	answers "does not contradict it: $rights" 0 'dtm50 +mate in ' endlab probe "8/8/8/8/4k3/8/8/4K2R w $rights - 74 1"
	! grep -q contradict "$T/err"
	verdict 'and says so'
done
mkdir "$T/ten"
answers 'castling under outcomes of a rule' 0 'KRvK +wdl10' endlab --dir "$T/ten" build KRvK --metric wdl10
answers 'cursed wins' 0 '^  cursed win +74 ' endlab --dir "$T/ten" stats KRvK+castling --metric wdl10
answers 'castling: depths of the same' 0 'KRvK +dtz10' endlab --dir "$T/ten" build KRvK --metric dtz10
answers 'plies without the rule' 0 '^  zeroing in 27 plies .14 moves., too late under the 10-move rule$' \
	endlab --dir "$T/ten" probe --rule 10 "$C 0 1"
for metric in wdl10 dtz10; do
	answers "$metric is proved" 0 '211 positions all right' endlab --dir "$T/ten" verify KRvK+castling --metric $metric --again
done
refuses 'not under dtr' 2 'castling rights have no tables under dtr' endlab --dir "$T/ten" build KRvK+castling --metric dtr

refuses 'no side is left out' 2 'a ply of search tells one clock, not all' \
	endlab build KRvK --metric dtm9 --derive side --codec zstd
refuses 'no captures are left out' 2 'what they tell depends on the clock' \
	endlab recode "$T/tables/KQvK.dtm50.egt" -o "$T/other" --derive captures --codec zstd
refuses 'no such rule' 2 "unknown metric 'dtm300'" endlab build KQvK --metric dtm300
refuses 'a metric of chess' 2 'dtm50 is a metric of chess alone' endlab build checkers:2 --metric dtm50

# A damaged course is found when it is asked for, and no other answer suffers.
size=$(wc -c <"$T/tables/KPvK.dtm50.egt")
dd if=/dev/zero of="$T/tables/KPvK.dtm50.egt" bs=1 count=20000 seek=$((size - 20000)) conv=notrunc 2>/dev/null
B=8/8/8/1k6/8/1K6/6P1/8
answers 'damage: clock 0 needs no course' 0 'mate in 54 plies' endlab probe "$B b - - 0 1"
! grep -q 'then a draw' "$T/out"
verdict 'damage: nothing is said of other clocks'
run endlab probe "$B b - - 60 1"
[ "$status" -eq 3 ] && grep -q 'courses: expected those of KPvK in block' "$T/err" && ! grep -q 'mate in' "$T/out"
verdict 'damage: a course that is needed'
refuses 'damage: a verify that trusts an earlier proof finds it' 3 'courses: expected those of KPvK in block' \
	endlab verify KPvK --metric dtm50
refuses 'damage: so does a new proof' 3 'courses: expected those of KPvK in block' endlab verify KPvK --metric dtm50 --again
