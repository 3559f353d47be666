#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The lab: its table, data, chart and refusals, and that it leaves nothing behind.
. "$(dirname "$0")/common"
D=$ENDLAB_DIR
endlab build KRvK >/dev/null 2>&1
quick='--probes 300 --seconds 0.01'

clean() { # clean NAME: nothing but the table and the program's own files
	[ "$(ls -A "$D" | grep -vE '^\.(lock|verified\.tsv|journal\.tsv)$|[+]castling')" = KRvK.dtm.egt ]
	verdict "$1"
}

# ---- text ----
answers 'a table' 0 '^raw +1K none +index +nothing +[0-9.]+ +[0-9.]+ +[0-9,]+ ' \
	endlab lab KRvK --codecs raw,zstd:3 --blocks 1K,4K --fills none,best $quick
[ "$(grep -cE '^(raw|zstd:3) .* [14]K (none|best) +index +nothing .*[0-9]  (search|root)( +\*)?$' "$T/out")" -eq 8 ] &&
	grep -qE '^(raw|zstd:3) .* \*$' "$T/out"
verdict 'a row for each of the product, the front marked'
missing=0
for line in '^KRvK dtm: [0-9,]+ positions, [0-9,]+ legal' '^workload random, 300 probes of 300 positions, seed 1' \
	'^both planes +[0-9,]+ +[0-9,]+ +[0-9,]+ ' '^first plane, orders along [KkR] +[0-9,]+ ' \
	' cores?, Linux ' '^endlab .*zstd .*liblzma ' '^timer [0-9]+ ns.* memcpy ' '^cold: ' \
	'^zstd:3 .* 1K best [0-9.]+  4K best [0-9.]+$'; do
	grep -qE -- "$line" "$T/out" || missing=1
done
[ $missing -eq 0 ]
verdict 'machine, libraries, timer, floor, workload, seed and what filling buys'
[ ! -s "$T/err" ]
verdict 'nothing on stderr when it is quick'
clean 'the files are gone'
answers 'walks of lines' 0 '^workload line' endlab lab KRvK --codecs raw --workload line $quick
answers 'the smallest order' 0 '^rle:?[0-9]* +1K best +[KkR]+(/[KkR]+)? +nothing ' \
	endlab lab KRvK --codecs rle --orders smallest --blocks 1K --fills best $quick
answers 'orders as they were found' 0 '^raw +1M best +[KkR]+(/[KkR]+)? +captures +[0-9.]+ ' \
	endlab lab KRvK --metric wdl --codecs raw --orders index,best,RkK --derive nothing,captures \
	--blocks 256,1M --workload scan $quick

# ---- json ----
answers 'json' 0 '^\{"machine":".+","libraries":".+","seed":7,"slice":"KRvK","metric":"dtm"' \
	endlab lab KRvK --codecs raw,zstd --blocks 1K --json --seed 7 $quick
[ "$(wc -l <"$T/out")" -eq 1 ] && [ "$(grep -o '"codec":' "$T/out" | wc -l)" -eq 4 ] &&
	grep -qE '"codec":"zstd","block":1024,"fill":"best","order":"index","derive":"nothing","tier":"root","bytes":[0-9]+,"bits_per_position":[0-9.]+,"encode_mb_s":[0-9.e+]+,"decode_mb_s":[0-9.e+]+' "$T/out" &&
	grep -qE '"probe_ns":\{"cold":(null|\{"n":[0-9]+[^}]*\}),"warm":\{"n":[0-9]+,"batch":[0-9]+,"min":[0-9.]+,"p50":[0-9.]+,"p90":[0-9.]+,"p99":[0-9.]+,"max":[0-9.]+' "$T/out" &&
	grep -qE '"pareto":(true|false)\}\]\}$' "$T/out"
verdict 'json: one object with the fields of the contract'
if command -v python3 >/dev/null; then
	python3 -c 'import json, sys
report = json.load(open(sys.argv[1]))
assert len(report["results"]) == 4 and report["positions"] > 0
for r in report["results"]:
    for regime in "warm", "hot":
        l = r["probe_ns"][regime]
        assert l["n"] > 0 and l["min"] <= l["p50"] <= l["p90"] <= l["p99"] <= l["max"]
        assert l["preempted"] >= 0 and l["n"] + l["preempted"] <= 300
        low, high = l["p50_interval"]
        assert low <= l["p50"] <= high and l["p99_interval"] is None
        assert (l["cpu_p99"] is None) == (regime == "hot")
        assert regime == "hot" or 0 < l["cpu_p50"] <= l["cpu_p99"]
    assert abs(r["bits_per_position"] * report["positions"] - 8 * r["bytes"]) < 100
    assert abs(r["positions_per_byte"] * r["bytes"] / report["positions"] - 1) < 1e-5
assert any(r["pareto"] for r in report["results"])
names = ["order 0", "order 1", "order 2", "neighbours"]
lines = report["references"]
assert [(r["plane"], r["context"]) for r in lines] == [(p, n) for p in (0, 1) for n in names]
for r in lines:
    assert 0 < r["bytes"] <= r["adaptive_bytes"] and r["contexts"] >= 1 and r["derive"] == "nothing"
    assert abs(r["bits_per_position"] * report["positions"] - 8 * r["bytes"]) < 20
    assert (r["piece"] in list("KRk")) == (r["context"] in ("order 1", "order 2"))
assert sum(r["counted"] for r in lines[::4]) == report["ground"]["legal"]' "$T/out" 2>"$T/err"
	verdict 'json: a parser reads it, and its figures agree'
fi
cp "$T/out" "$T/first"
answers 'references without what captures tell' 0 '"derive":"captures","counted"' \
	endlab lab KRvK --codecs raw --blocks 1K --fills best --derive captures --json $quick
run endlab lab KRvK --codecs raw,zstd --blocks 1K --json --seed 7 $quick
sizes() { grep -oE '"bytes":[0-9]+' "$1"; }
[ "$(sizes "$T/out")" = "$(sizes "$T/first")" ]
verdict 'the same sizes again'

grep -q '"rounds":20,"front":"p99"' "$T/out"
verdict 'rounds, and what the front is of'
answers 'the front by another time' 0 '"front":"cpu"' \
	endlab lab KRvK --codecs raw,zstd --blocks 1K --front cpu --json $quick
answers 'intervals' 0 '^raw +1K best +index +nothing +[0-9,]+ +[0-9,]+ \[[0-9,]+, [0-9,]+\] +[0-9,]+ \[[0-9,]+, [0-9,]+\] +[0-9,]+ ' \
	endlab lab KRvK --codecs raw --blocks 1K --probes 2000 --seconds 0.5
! grep -q 'no interval' "$T/out"
verdict 'when there is time for them'
answers 'too few samples for an interval of p99' 0 '^2 of 2: no interval of p99, which takes 368 ' \
	endlab lab KRvK --codecs raw --blocks 1K $quick

answers 'too few for any' 0 '^2 of 2: no interval of p99, .* preempted; 2 none of p50, which takes 6; ' \
	endlab lab KRvK --codecs raw --blocks 1K --probes 3 --seconds 0.5
answers 'help has the options of codecs' 0 '^    window=0 +KiB of LZMA.* [(]0 to 2048[)]' endlab lab --help
answers 'so has the manual' 0 '^window=0: KiB of LZMA' endlab --man
answers 'options of LZMA' 0 '^xz:lc=1:lp=2:window=4 +16K best +index ' \
	endlab lab KRvK --codecs raw,xz:lc=1:lp=2:window=4 --blocks 16K --fills best $quick
awk '/^codec/ { at = index($0, "fill") } /^(raw|xz)/ && index($0, "best") != at { exit 1 }' "$T/out"
verdict 'under their titles'

# ---- csv ----
answers 'csv' 0 '^# libraries: .*zstd' endlab lab KRvK --codecs raw,zstd --blocks 1K --csv $quick
grep -v '^#' "$T/out" | awk -F, '{ print NF }' | sort -u >"$T/fields"
[ "$(wc -l <"$T/fields")" -eq 1 ] && [ "$(grep -vc '^#' "$T/out")" -eq 5 ] &&
	grep -q '^slice,metric,workload,seed,codec,block,fill,order,derive,bytes,' "$T/out" &&
	grep -qE '^# references, bits per position, derive nothing: order 0 [0-9.]+, order 1 [0-9.]+, ' "$T/out"
verdict 'csv: titles and rows of as many fields'

# ---- svg ----
answers 'svg' 0 '^raw ' endlab lab KRvK --codecs raw,zstd --blocks 1K --svg "$T/chart.svg" $quick
head -c 5 "$T/chart.svg" | grep -q '<svg ' && tail -1 "$T/chart.svg" | grep -qx '</svg>' &&
	[ "$(grep -c '<circle ' "$T/chart.svg")" -eq 4 ] && grep -q 'class="front"' "$T/chart.svg"
verdict 'svg: a point for each, and the front'
[ "$(grep -c 'class="reference"' "$T/chart.svg")" -eq 4 ] && grep -q '<title>neighbours: ' "$T/chart.svg"
verdict 'svg: a line for each reference'
if command -v python3 >/dev/null; then
	python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$T/chart.svg" 2>"$T/err"
	verdict 'svg: well-formed'
fi
grep -q 'class="legend"' "$T/chart.svg" && [ "$(grep -c 'class="item' "$T/chart.svg")" -eq 5 ]
verdict 'svg: a legend, and each point by its number'
mkdir "$T/charts"
answers 'a file for each regime and time' 0 '^raw ' \
	endlab lab KRvK --codecs raw --blocks 1K --svg "$T/charts/a-%.svg" $quick
ls "$T/charts" | grep -v cold >"$T/names"
printf 'a-hot-p50.svg\na-hot-p99.svg\na-warm-cpu.svg\na-warm-p50.svg\na-warm-p99.svg\n' | cmp -s - "$T/names" &&
	grep -q 'size against CPU p99 of warm probes' "$T/charts/a-warm-cpu.svg"
verdict 'svg: named by them'
answers 'svg: files in no such folder' 4 '^raw ' \
	endlab lab KRvK --codecs raw --blocks 1K --svg "$T/nowhere/%.svg" $quick
grep -q 'nowhere/.*: cannot create' "$T/err"
verdict 'which is said'
refuses 'svg: no such folder' 4 'nowhere/x.svg: cannot create' \
	endlab lab KRvK --codecs raw --svg "$T/nowhere/x.svg" $quick
[ -z "$(find "$T" -name '*.svg.tmp*')" ]
verdict 'svg: no part of a file is left'

# ---- threads, and what cold probes read ----
answers 'by threads' 0 '^disk and threads +a cold probe, mean +million hot probes a second$' \
	endlab lab KRvK --codecs raw,zstd --blocks 1K --fills best --derive nothing,side $quick
[ "$(sed -n '/^disk and/,/^$/p' "$T/out" | grep -cE '^(raw|zstd) +1K best .*( [0-9.]+){1,4}$')" -eq 4 ]
verdict 'of every candidate'
if command -v python3 >/dev/null; then
	OMP_NUM_THREADS=3 run endlab lab KRvK --codecs raw,zstd --blocks 1K --json --seconds 0.2 --probes 2000
	python3 -c 'import json, sys
for r in json.load(open(sys.argv[1]))["results"]:
    assert [t["threads"] for t in r["threads"]] == [1, 2, 3]
    one = r["threads"][0]["probes_s"] * r["probe_ns"]["hot"]["p50"] / 1e9 # both in the same units, at least
    assert 0.1 < one < 10
    assert all(t["probes_s"] > 0 for t in r["threads"])
    cold = r["probe_ns"]["cold"]
    assert (r["cold"] is None) == (not cold or cold["n"] == 0)
    # a page at least, if the system tells; and no more than the file and what is read ahead
    read = r["cold"] and r["cold"]["disk_bytes"]
    assert not read or 1024 <= read <= r["bytes"] + (1 << 20)' "$T/out" 2>"$T/err"
	verdict 'json: each number of threads once, and what one of them makes'
fi

# ---- the references that take long ----
answers 'slow references' 0 '  re-pair +mixing bound$' endlab lab KRvK --codecs raw --blocks 1K --references $quick
if command -v python3 >/dev/null; then
	run endlab lab KRvK --codecs raw --blocks 1K --references --json $quick
	python3 -c 'import json, sys
report = json.load(open(sys.argv[1]))
size = {(r["context"], r["plane"]): r["bytes"] for r in report["references"]}
for plane in 0, 1:
    assert 0 < size["mixing bound", plane] < size["order 2", plane]
    assert size["mixing bound", plane] < size["re-pair", plane]
assert all(r["tier"] == "search" for r in report["results"])' "$T/out" 2>"$T/err"
	verdict 'json: a bound below them all, and tiers'
fi

# ---- the trace of a search ----
F4=$T/four
endlab --dir "$F4" build KQvKR --codec zstd:7 >/dev/null 2>&1
cat >"$T/search.trace" <<-'end'
	# a queen that can take the rook, once more, a quiet position, and one of another slice
	8/8/8/3k4/8/8/1Q5r/1K6 w - - 0 1
	8/8/8/3k4/8/8/1Q5r/1K6 w - - 0 1
	8/8/8/8/3k3r/8/1Q6/1K6 b - - 3 9

	8/8/8/3k4/8/8/8/1K5R w - -
end
answers 'a trace' 0 '^workload trace .*search.trace, 3 probes of 2 positions, 1 more in other slices left out, ' \
	endlab --dir "$F4" lab KQvKR --workload "$T/search.trace" --codecs raw --blocks 1K --fills best \
	--derive nothing,captures --seconds 0.05
grep -qE '^raw +1K best +index +captures +1[.]00 +1[.]67( +[0-9,]+){4}$' "$T/out"
verdict 'the reads of other tables stand apart'
[ "$(grep -cE '^raw +1K best +index +nothing' "$T/out")" -eq 4 ]
verdict 'where there are any'
if command -v python3 >/dev/null; then
	run endlab --dir "$F4" lab KQvKR --workload "$T/search.trace" --codecs raw,zstd:1 --blocks 1K \
		--fills previous --derive nothing,captures --seconds 0.05 --json
	python3 -c 'import json, sys
report = json.load(open(sys.argv[1]))
assert report["workload"] == "trace" and report["trace"].endswith("/search.trace")
assert [report["ground"][n] for n in ("probes", "distinct", "elsewhere")] == [3, 2, 1]
assert len(report["results"]) == 4
for r in report["results"]:
    derives = r["derive"] == "captures"
    assert r["blocks_own"] == 1 and abs(r["blocks_alone"] - (5 / 3 if derives else 1)) < 1e-5
    blocks = 3 if derives else 2 # one of KQvK
    assert r["whole_list"]["probes"] == 3 and r["whole_list"]["blocks"] == blocks
    assert r["whole_list"]["bytes"] > 0 and r["whole_list"]["mean_ns"] > 0
    assert abs(r["blocks_per_probe"] * 3 - blocks) < 1e-5
    asked = 5 if derives else 3
    assert r["hits"][-1]["probes"] == 3 and abs(r["hits"][-1]["rate"] - (asked - blocks) / asked) < 1e-5
    whole = r["probe_ns"]["whole"]
    assert whole is None if not derives else whole["n"] + whole["preempted"] == 3' "$T/out" 2>"$T/err"
	verdict 'json: probes, blocks and hits, as counted by hand'
fi
answers 'of several slices' 0 '^KRvK,dtm,trace,1,raw,' \
	endlab --dir "$F4" lab KQvKR KRvK --workload "$T/search.trace" --codecs raw --blocks 1K --csv --seconds 0.05
[ "$(grep -oE 'probes: [0-9]+, distinct: [0-9]+, elsewhere: [0-9]+' "$T/out" | tr '\n' ';')" = \
	'probes: 3, distinct: 2, elsewhere: 1;probes: 1, distinct: 1, elsewhere: 3;probes: 4, distinct: 3, elsewhere: 1;' ]
verdict 'each has its own positions'
# ---- the figures of the chapter ----
chapter=$(dirname "$0")/../../samples/compression.md
for lists in '--fills none,previous,best --orders index' '--fills best --orders best'; do
	endlab --dir "$F4" lab KQvKR --metric wdl --codecs rle --blocks 64K $lists --derive nothing,captures \
		--probes 100 --seconds 0.01 --csv 2>/dev/null
done >"$T/rle"
rle() { # rle FILL ORDER DERIVE: bytes
	awk -F, -v fill="$1" -v order="$2" -v derive="$3" '$5 == "rle" && $7 == fill && $9 == derive &&
		($8 == "index") == (order == "index") { print $10 }' "$T/rle"
}
told() { # told ROW FIELDS: of a row in the chapter, without commas
	grep "$1" "$chapter" | tr -d ', ' | cut -d'|' -f"$2"
}
[ "$(told '^| KQvKR | 1,' 3,4,6)" = "$(rle none index nothing)|$(rle previous index nothing)|$(rle best index captures)" ]
verdict 'the chapter has the bytes of KQvKR by fill'
[ "$(told '^| .rle. | 396' 3-6)" = "$(rle best index nothing)|$(rle best best nothing)|$(
	rle best index captures)|$(rle best best captures)" ]
verdict 'and by order'
refuses 'a trace without the slice' 1 'search.trace: found 4 positions, expected some of KQvK' \
	endlab --dir "$F4" lab KQvK --workload "$T/search.trace"

# ---- several slices ----
endlab build KQvK KBvK >/dev/null 2>&1
answers 'several slices, a line of json each' 0 '"slice":"KQvK"' \
	endlab lab KRvK KQvK --codecs raw --blocks 1K --json $quick
[ "$(wc -l <"$T/out")" -eq 3 ] && head -1 "$T/out" | grep -q '"slice":"KRvK"' &&
	sed -n 2p "$T/out" | grep -q '"slice":"KQvK"' &&
	tail -1 "$T/out" | grep -q '"slice":"all","slices":\["KRvK","KQvK"\]'
verdict 'in the order in which they were named, and what they come to'
if command -v python3 >/dev/null; then
	python3 -c 'import json, sys
one, other, both = map(json.loads, open(sys.argv[1]))
assert both["positions"] == one["positions"] + other["positions"]
assert both["ground"]["legal"] == one["ground"]["legal"] + other["ground"]["legal"]
assert len(both["results"]) == len(one["results"]) == 2
for a, b, c in zip(one["results"], other["results"], both["results"]):
    assert c["bytes"] == a["bytes"] + b["bytes"]
    assert abs(c["bits_per_position"] * both["positions"] - 8 * c["bytes"]) < 100
    for figure in "p50", "p90", "p99":
        mean = (a["probe_ns"]["warm"][figure] + b["probe_ns"]["warm"][figure]) / 2
        assert abs(c["probe_ns"]["warm"][figure] / mean - 1) < 1e-5' "$T/out" 2>"$T/err"
	verdict 'sums of bytes, means of times'
fi
answers 'several slices under one line of titles' 0 '^KQvK,dtm,' \
	endlab lab KRvK KQvK --codecs raw --blocks 1K --csv $quick
[ "$(grep -c '^slice,' "$T/out")" -eq 1 ] && [ "$(grep -c '^K[RQ]vK,' "$T/out")" -eq 4 ] &&
	[ "$(grep -c '^all,dtm,' "$T/out")" -eq 2 ]
verdict 'and a row for each candidate, of each and of all'
answers 'one chart of all' 0 '^all 2 slices dtm: ' \
	endlab lab KRvK KQvK --codecs raw,zstd --blocks 1K --svg "$T/all.svg" $quick
[ "$(grep -c '<circle ' "$T/all.svg")" -eq 4 ] && grep -q '>all dtm: ' "$T/all.svg"
verdict 'of what they come to'
refuses 'shared: one slice' 2 'lab: --shared: expected several slices, found KRvK alone' \
	endlab lab KRvK --codecs raw --shared
answers 'shared' 0 '^blocks and what is learned +for each plane +once for all +saved$' \
	endlab lab KRvK KQvK --codecs raw,net --blocks 1K --fills best --shared $quick
sed -n '/^blocks and/,/^$/p' "$T/out" | grep -qE '^raw +1K best +index +nothing +[0-9,]+ +[0-9,]+ +-?[0-9.]+ %$' &&
	! sed -n '/^blocks and/,/^$/p' "$T/out" | grep -q '^net'
verdict 'what can be'
answers 'one that is not built, and the others all the same' 1 '^KRvK dtm: ' \
	endlab lab KQvKR KRvK --codecs raw $quick
grep -q "no table of KQvKR (1 of 2 slices) in .*'endlab build KQvKR KRvK'" "$T/err" &&
	! grep -q '^all ' "$T/out"
verdict 'which is said'
answers 'a group with gaps' 1 '^all 3 slices dtm: ' endlab lab 3 --codecs raw $quick
[ "$(wc -l <"$T/err")" -eq 1 ] &&
	grep -q "no table of KNvK, KPvK (2 of 5 slices) in .*'endlab build 3'" "$T/err"
verdict 'which one line names'
refuses 'a group without tables' 1 \
	'no wdl20 table of .*, .*, .*, .* and 26 others [(]30 of 30 slices[)]' \
	endlab lab 4 --metric wdl20 --svg "$T/none.svg"
[ ! -e "$T/none.svg" ]
verdict 'and without a chart'
endlab --dir "$T/mixed" build KRvK --metric wdl >/dev/null 2>&1
endlab --dir "$T/mixed" build KQvK --metric dtm >/dev/null 2>&1
answers 'metrics that differ' 1 '^KQvK dtm: ' \
	endlab --dir "$T/mixed" lab KRvK KQvK --codecs raw $quick
grep -q 'different metrics.*--metric' "$T/err" && ! grep -q '^all ' "$T/out"
verdict 'are not summed up'
answers 'orders of other pieces' 2 '^KRvK dtm: ' endlab lab KRvK KQvK --codecs raw --orders RkK $quick

# ---- foreign files ----
F=$T/foreign
mkdir "$F"
all_draws >"$F/KBvK.rtbw"
lab() { endlab --path "$F" lab "$@" $quick; }
answers 'a foreign file beside ours' 0 '^syzygy rtbw +- - +- +captures +[0-9.]+ +[0-9.]+ +80 +- +- ' \
	lab KBvK --metric wdl --codecs raw
grep -qE '^raw +16K best ' "$T/out"
verdict 'and ours'
answers 'json: what does not apply is null' 0 \
	'"codec":"syzygy","block":null,"fill":null,"order":null,"derive":"captures","tier":null,"bytes":80,.*"file":"KBvK.rtbw","bytes_beside":0,' \
	lab KBvK --metric wdl50 --codecs raw --json
grep -qE '"encode_mb_s":null,"decode_mb_s":null,.*"coder_bytes":null' "$T/out"
verdict 'speeds as well'
if command -v python3 >/dev/null; then
	python3 -c 'import json, sys
report = json.load(open(sys.argv[1]))
foreign = report["results"][-1]
assert report["ground"]["values"] == "syzygy" or report["ground"]["values"] == "endlab"
assert all(r["file"] is None and r["block"] for r in report["results"][:-1])
for regime in "warm", "hot":
    l = foreign["probe_ns"][regime]
    assert l["n"] > 0 and l["min"] <= l["p50"] <= l["p90"] <= l["p99"] <= l["max"]
assert abs(foreign["bits_per_position"] * report["positions"] - 8 * foreign["bytes"]) < 100' "$T/out" 2>"$T/err"
	verdict 'json: its figures are of our positions'
fi
answers 'csv: a row of as many fields' 0 '^KBvK,wdl,random,1,syzygy,,,,captures,80,' \
	lab KBvK --metric wdl --codecs raw --csv
grep -v '^#' "$T/out" | awk -F, '{ print NF }' | sort -u >"$T/fields"
[ "$(wc -l <"$T/fields")" -eq 1 ] && grep -q ',"KBvK.rtbw",0,' "$T/out"
verdict 'with its name at the end'
answers 'svg' 0 '^syzygy' lab KBvK --metric wdl --codecs raw --svg "$T/foreign.svg"
grep -q ' foreign"' "$T/foreign.svg" && grep -q 'syzygy rtbw captures: ' "$T/foreign.svg"
verdict 'svg: its point is marked'
lab KBvK --metric wdl --codecs raw --no-foreign >"$T/out" 2>"$T/err" && ! grep -q syzygy "$T/out"
verdict 'left out when asked'
answers 'depths are not compared with outcomes' 0 '^KBvK dtm: ' lab KBvK --codecs raw
! grep -q syzygy "$T/out"
verdict 'by default'
answers 'unless they are wanted: then the metric is theirs' 0 '^syzygy' lab KBvK --codecs raw --foreign
refuses 'wanted and not there' 1 'no foreign table of KRvK to compare dtm with' lab KRvK --foreign
refuses 'wanted and not' 2 'exclude' lab KBvK --foreign --no-foreign
answers 'a foreign file alone tells the values' 0 '^values: those of the foreign file' \
	endlab --dir "$T/none" --path "$F" lab KBvK --codecs raw $quick
grep -qE '^raw +1K best ' "$T/out" && grep -q '^KBvK wdl50: ' "$T/out"
verdict 'for tables of ours'
printf '\113' | dd of="$F/KBvK.rtbw" bs=1 seek=20 conv=notrunc 2>/dev/null
refuses 'wanted and damaged' 3 "$F/KBvK.rtbw: expected checksum" lab KBvK --metric wdl --foreign
answers 'damaged ones are no candidates' 0 '^raw' lab KBvK --metric wdl --codecs raw
SYZYGY=${ENDLAB_SYZYGY:-../shared/data/syzygy}
if [ -f "$SYZYGY/KQvK.rtbz" ]; then
	endlab build KQvK --metric dtz50 >/dev/null 2>&1
	answers 'depths, which may be rounded, agree with ours' 0 '^syzygy rtbz +- - +- +captures ' \
		endlab --path "$SYZYGY" lab KQvK --metric dtz50 --codecs raw $quick
	grep -qE '^KQvK.rtbz: bits/pos takes in [0-9]+ bytes' "$T/out"
	verdict 'with the file of outcomes that they need'
	answers 'and are material where there is nothing else' 0 '^values: .*[(].rtbz[)]' \
		endlab --dir "$T/none" --path "$SYZYGY" lab KPvK --metric dtz50 --codecs zstd $quick
else
	skip "real Syzygy files: none at $SYZYGY"
fi
rm -r "$F" "$D"/KQvK.* "$D"/KBvK.*
clean 'nothing is left of it'

# ---- errors ----
refuses 'unknown codec' 2 "unknown codec 'lzma9'.*raw.*zstd" endlab lab KRvK --codecs raw,lzma9
refuses 'said once for several slices' 2 "unknown codec 'lzma9'" endlab lab KRvK KQvK KBvK --codecs lzma9
refuses 'level out of range' 2 "zstd:99.*from -?[0-9]+ to 22" endlab lab KRvK --codecs zstd:99
refuses 'options that contradict' 2 "'xz:lc=3:lp=2': lc [+] lp: found 3 [+] 2, expected at most 4" \
	endlab lab KRvK --codecs raw,xz:lc=3:lp=2
refuses 'block too small' 2 "block size '128'.*256" endlab lab KRvK --blocks 1K,128
refuses 'block too large' 2 "block size '2M'.*1024K" endlab lab KRvK --blocks 2M
refuses 'block no power of two' 2 "block size '1000'" endlab lab KRvK --blocks 1000
refuses 'empty list' 2 "--codecs ''.*empty" endlab lab KRvK --codecs ''
refuses 'empty entry' 2 "--codecs 'raw,,zstd'.*empty" endlab lab KRvK --codecs raw,,zstd
refuses 'empty entry at the end' 2 "--blocks '1K,'.*empty" endlab lab KRvK --blocks 1K,
refuses 'unknown workload' 2 "workload 'sorted'.*random, line, scan or a file" endlab lab KRvK --workload sorted
refuses 'a trace that is a folder' 4 "$T: Is a directory" endlab lab KRvK --workload "$T"
echo '8/8/8/3k4/8/8/8/1K5R w - - 0 1' >"$T/bad.trace"
echo '8/8/8/3k4/4K3/8/8/7R w - - 0 1' >>"$T/bad.trace"
refuses 'a trace with a line that is no position' 1 'bad.trace: line 2: ' endlab lab KRvK --workload "$T/bad.trace"
refuses 'unknown time' 2 "time 'p95'.*p99, p50, cpu" endlab lab KRvK --front p95
refuses 'unknown fill' 2 "fill 'worst'.*none" endlab lab KRvK --fills worst
refuses 'unknown order' 2 "order 'sideways'.*index, best, smallest" endlab lab KRvK --orders sideways
refuses 'an order of other pieces' 2 "order 'rKk'.*pieces of KRvK" endlab lab KRvK --orders index,rKk
refuses 'unknown derivation' 2 "derive 'checks'.*nothing, captures" endlab lab KRvK --derive checks
refuses 'unknown metric' 2 "metric 'dtx'" endlab lab KRvK --metric dtx
refuses 'no probes' 2 "--probes '0'" endlab lab KRvK --probes 0
refuses 'probes: no number' 2 "--probes 'many'" endlab lab KRvK --probes many
refuses 'seed: no number' 2 "--seed '-1'" endlab lab KRvK --seed -1
refuses 'seconds: none' 2 "--seconds '0'" endlab lab KRvK --seconds 0
refuses 'seconds: not a number' 2 "--seconds 'nan'" endlab lab KRvK --seconds nan
refuses 'two formats' 2 'exclude' endlab lab KRvK --json --csv
refuses 'no slice' 2 'usage: endlab lab' endlab lab
refuses 'no such slice' 1 "KXvK" endlab lab KXvK
refuses 'a slice that is not built' 1 "no table of KQvKR in .*'endlab build KQvKR'" endlab lab KQvKR
clean 'nothing is left of what was refused'
endlab --dir "$T/outcomes" build KRvK --metric wdl >/dev/null 2>&1
refuses 'depths where only outcomes are built' 1 "no dtm .*'endlab build KRvK --metric dtm'" \
	endlab --dir "$T/outcomes" lab KRvK --metric dtm
answers 'outcomes where only they are built' 0 '^KRvK wdl: ' \
	endlab --dir "$T/outcomes" lab KRvK --codecs raw $quick

# ---- stopping ----
"$ENDLAB" lab KRvK --codecs raw,zstd:19 --seconds 2 --json >"$T/out" 2>"$T/err" </dev/null &
lab=$!
for i in 1 2 3 4 5 6 7 8 9 10; do
	[ -n "$(ls -d "$D"/.endlab-tmp-* 2>/dev/null)" ] && break
	sleep 0.1
done
sleep 0.5
kill -TERM $lab
wait $lab
[ $? -eq 143 ] && grep -q 'stopped' "$T/err"
verdict 'a wish to stop is heard'
clean 'and nothing is left behind'

"$ENDLAB" lab KRvK --codecs raw,zstd:19 --seconds 9 >"$T/out" 2>"$T/err" </dev/null &
lab=$!
while kill -0 $lab && [ -z "$(ls -d "$D"/.endlab-tmp-*/*.egt 2>/dev/null)" ]; do sleep 0.05; done
kill -KILL $lab
wait $lab
used=$D/.endlab-tmp-1-0 notes=$D/.endlab-tmp-notes
mkdir "$used" "$notes"
[ -n "$(ls -d "$D"/.endlab-tmp-$lab-*)" ] && run endlab list && rmdir "$used" "$notes" &&
	[ -z "$(ls -d "$D"/.endlab-tmp-* 2>/dev/null)" ]
verdict 'what a killed run left is removed by the next command, and nothing else'

# ---- plug-ins ----
PAGES=$BUILD/samples/pages.so
if [ -f "$PAGES" ]; then
	answers 'a codec from a plug-in' 0 '^pages ' \
		endlab --plugin "$PAGES" lab KRvK --codecs raw,pages --blocks 1K $quick
	answers 'it is among all codecs' 0 '^pages ' endlab lab KRvK --blocks 1K --plugin "$PAGES" $quick
	answers 'a table written with it' 0 'pages' \
		endlab --dir "$T/pages" --plugin "$PAGES" build KQvK --codec pages
	answers 'is read with it' 0 'KQvK.*pages' endlab --dir "$T/pages" list --plugin "$PAGES"
	answers 'and ignored without' 0 "^ignored .*KQvK.*codec.*pages" endlab --dir "$T/pages" list
	refuses 'a plug-in twice' 2 "codec 'pages' already exists" \
		endlab --plugin "$PAGES" --plugin "$PAGES" list
	refuses 'a plug-in twice in a list' 2 "codec 'pages' already exists" \
		endlab --plugin "$PAGES,$PAGES" list
	for other in lz4 brotli ranks; do
		if [ -f "$BUILD/samples/$other.so" ]; then
			answers "the sample $other" 0 "^$other +16K best " endlab --plugin "$BUILD/samples/$other.so" \
				lab KRvK --codecs raw,$other --blocks 16K --fills best $quick
		else
			skip "the sample $other: its library is not installed"
		fi
	done
	if [ -f "$BUILD/samples/lz4.so" ]; then
		answers 'lz4 with a dictionary' 0 '^KRvK,.*,lz4:12:dict=2,1024,' endlab --plugin "$BUILD/samples/lz4.so" \
			lab KRvK --codecs lz4:12,lz4:12:dict=2 --blocks 1K --fills best --csv $quick
		awk -F, '/^KRvK.*,lz4/ { size[++n] = $10 } END { exit !(n == 2 && size[2] < size[1]) }' "$T/out"
		verdict 'takes fewer bytes with it than without'
	fi
else
	skip 'plug-ins: the sample is not built'
fi
refuses 'a plug-in that is not there' 2 'nowhere.so: cannot be loaded' \
	endlab --plugin "$T/nowhere.so" list
refuses 'a plug-in without a name' 2 "--plugin ','.*found an empty one" endlab --plugin ',' list
refuses 'the explorer loads plug-ins too' 2 'nowhere.so: cannot be loaded' \
	endlab --plugin "$T/nowhere.so"
