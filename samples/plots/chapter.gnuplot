# SPDX-License-Identifier: MIT
# The tables of samples/compression.md as charts, drawn anew from what the lab says as CSV:
#
#     gnuplot -e "csv='blocks.csv'; figure='blocks'; slice='KQvKR'" samples/plots/chapter.gnuplot
#
# figure='blocks' draws bytes, and the p50 of warm probes, over the size of a block ("Block size"):
#
#     endlab lab KQvKR --metric wdl --codecs zstd:9,pairs --blocks 256,1K,4K,16K,64K,256K,1M \
#         --fills best --orders best --derive captures --csv >blocks.csv
#
# figure='ways' draws bits per position over fill, order and derivation ("Order", also of KRvKN; "Depths"):
#
#     endlab lab KQvKR --metric wdl --orders index,best --derive nothing,captures \
#         --codecs rle,zstd:9,xz,pairs --blocks 64K --fills best --csv >order.csv
#     endlab lab KQvKR --metric dtm --codecs zstd:19,xz,pairs --blocks 16K --fills none,best \
#         --orders index,best --derive nothing,captures --csv >depths.csv
#
# figure='slices' draws the bytes of each slice ("All 35 WDL tables", "Side by side with Syzygy", "Filling"):
#
#     endlab lab all --metric wdl50 --codecs pairs --blocks 64K --fills best --orders best \
#         --derive captures --foreign --path SYZYGY --csv >outcomes.csv
#     endlab lab all --metric dtz50 --codecs xz --blocks 64K --fills best --derive captures \
#         --foreign --path SYZYGY --csv >syzygy.csv
#     endlab lab all --metric wdl --codecs rle --blocks 64K --fills none,previous,best \
#         --derive nothing,captures --csv >filling.csv
#
# `slice` (by default all) is the one to draw, but in figure='slices', which draws each; `out` is the file
# (by default chapter.svg; .png where it ends so). Sizes against times are what lab.gnuplot draws.
if (!exists("csv")) csv = "lab.csv"
if (!exists("figure")) figure = "blocks"
if (!exists("slice")) slice = "all"
if (!exists("out")) out = "chapter.svg"

if (out[strlen(out)-3:] eq ".png") { set terminal pngcairo size 1200,640 } else { set terminal svg size 1200,640 }
set output out
set datafile separator comma
set datafile columnheaders
set grid
set key outside top center horizontal noenhanced
set xtics noenhanced

# A series is a codec; where slices are compared, a codec with its fill and derivation. The titles stay with its rows.
series_of = figure eq "slices" ? '$5 " " $7 " " $9' : '$5'
wanted = figure eq "slices" ? '$1 != "all"' : sprintf('$1 == "%s"', slice)
awk(program) = sprintf("awk -F, '/^#/ { next } %s' '%s'", program, csv)
all_series = system(awk(sprintf('n++ && %s && !seen[s = %s]++ { print "\"" s "\"" }', wanted, series_of)))
rows(s) = "<" . awk(sprintf('!n++ || (%s && %s == "%s")', wanted, series_of, s))
way(fill, order, derive) = sprintf("%s\n%s\n%s", fill, order, derive)

if (figure eq "blocks") {
	set multiplot layout 1,2 title slice
	set logscale x 2
	set logscale y 10
	set xlabel "positions in a block"
	set ylabel "bytes"
	plot for [s in all_series] rows(s) using (column("block")):(column("bytes")) with linespoints title s
	set ylabel "warm probe, p50, ns"
	plot for [s in all_series] rows(s) using (column("block")):(column("warm_p50_ns")) with linespoints title s
	unset multiplot
}
if (figure eq "ways") {
	set ylabel "bits per position"
	set xlabel slice offset 0,-2
	set bmargin 6
	set style data histograms
	set style fill solid 0.6
	set yrange [0:*]
	plot for [s in all_series] rows(s) using (column("bits_per_position")):xtic(way(stringcolumn("fill"), stringcolumn("order"), stringcolumn("derive"))) title s
}
if (figure eq "slices") {
	set style data histograms
	set style fill solid 0.6
	set logscale y 10
	set xtics rotate by -60
	set ylabel "bytes"
	plot for [s in all_series] rows(s) using (column("bytes")):xtic(stringcolumn("slice")) title s
}
