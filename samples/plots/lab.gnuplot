# SPDX-License-Identifier: MIT
# Size against the time of a warm probe, drawn from what the lab says as CSV: a mark for each candidate
# with its 95 % interval, and the Pareto front.
#
#     endlab lab all --metric wdl --orders best --derive captures --csv >lab.csv
#     gnuplot -e "csv='lab.csv'; slice='all'; out='lab.svg'" samples/plots/lab.gnuplot
#
# `slice` (by default all), `time` (p50, p99 or cpu_p99, by default p99), `regime` (cold, warm or hot, by
# default warm) and `out` (by default lab.svg; .png where it ends so) may be given. The front is that of
# the CSV: of warm probes, by the time that --front names. What has too few samples has no interval.
if (!exists("csv")) csv = "lab.csv"
if (!exists("slice")) slice = "all"
if (!exists("time")) time = "p99"
if (!exists("regime")) regime = "warm"
if (!exists("out")) out = "lab.svg"

if (out[strlen(out)-3:] eq ".png") { set terminal pngcairo size 960,640 } else { set terminal svg size 960,640 }
set output out
set datafile separator comma
set datafile commentschars "#"
set logscale xy
set grid
set key outside right top
set title sprintf("%s: %s of %s probes", slice, time, regime) noenhanced
set xlabel "bits per position"
set ylabel "nanoseconds"

figure = sprintf("%s_%s_ns", regime, time)
low = sprintf("%s_%s_low_ns", regime, time)
high = sprintf("%s_%s_high_ns", regime, time)
mine(row, s) = row eq slice ? s : NaN
name(codec, block, fill) = sprintf("%s %s %s", codec, block, fill)

plot csv using (mine(stringcolumn("slice"), column("bits_per_position"))):(column(figure)):(column(low)):(column(high)) \
	with yerrorbars pointtype 6 linecolor rgb "#7788aa" notitle, \
     csv using (mine(stringcolumn("slice"), column("bits_per_position"))):(column(figure)) \
	with points pointtype 6 linecolor rgb "#7788aa" title "candidates", \
     csv using (mine(stringcolumn("slice"), column("pareto") == 1 ? column("bits_per_position") : NaN)):(column(figure)) \
	with points pointtype 7 linecolor rgb "#cc3333" title "the front", \
     csv using (mine(stringcolumn("slice"), column("pareto") == 1 ? column("bits_per_position") : NaN)):(column(figure)):(name(stringcolumn("codec"), stringcolumn("block"), stringcolumn("fill"))) \
	with labels offset 0,1 font ",9" noenhanced notitle
