/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of the lab as a table. */
#include "candidates.h"
#include "report.h"
#include "tui/text/numbers.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { CELL = GROUPED_MAX };

/* ---- the head ---- */

void lab_text_head(FILE *out, const struct lab_report *report)
{
	const struct el_lab_ground *ground = &report->ground;
	char a[CELL], b[CELL];
	if (report->slices) {
		fprintf(out,
		        "\n%s %zu slices %s: %s positions, %s legal; bytes summed, times the means "
		        "over the slices\n\n",
		        report->slice.name, report->slice_count, report->metric->name,
		        grouped(ground->positions, a), grouped(ground->legal, b));
		return;
	}
	fprintf(out, "%s %s: %s positions, ", report->slice.name, report->metric->name,
	        grouped(ground->positions, a));
	fprintf(out, "%s legal", grouped(ground->legal, a));
	if (ground->derivable)
		fprintf(out, ", %s of them derivable from captures", grouped(ground->derivable, a));
	if (ground->foreign)
		fprintf(out, "\nvalues: those of the foreign file (%s)%s",
		        ground->foreign->extension,
		        ground->rounded ? ", \302\2611 ply where it rounds" : "");
	fprintf(out, "\nworkload %s%s%s, %s probes", el_workload_names[report->workload],
	        report->trace ? " " : "", report->trace ? report->trace : "",
	        grouped(ground->probes, a));
	fprintf(out, " of %s positions", grouped(ground->distinct, a));
	if (report->trace)
		fprintf(out, ", %s more in other slices left out", grouped(ground->elsewhere, a));
	fprintf(out, ", seed %" PRIu64 ", at most %g s each cold, warm and hot in %d rounds\n",
	        report->seed, report->seconds, EL_LAB_ROUNDS);
	fprintf(out, "%s\n%s\n", report->machine, report->libraries);
	fprintf(out,
	        "timer %.0f ns, subtracted; index %.0f ns; floor: memcpy of %d KiB %s ns, %s "
	        "MB/s\n",
	        ground->timer_ns, ground->place_ns, EL_BLOCK_DEFAULT * 2 / 1024,
	        grouped((uint64_t)ground->memcpy_ns, a), grouped((uint64_t)ground->memcpy_mb_s, b));
	if (ground->cold_checked)
		fputs("cold: the page cache was dropped and seen to be empty before each probe\n\n",
		      out);
	else
		fprintf(out, "cold: not measured, %s\n\n", ground->cold_note);
}

/* ---- rows ---- */

/* The width of the codecs with their options. */
static int codec_width(const struct lab_report *report)
{
	size_t width = 12;
	for (size_t i = 0; i < report->count; i++)
		if (strlen(report->codec[i]) > width)
			width = strlen(report->codec[i]);
	return (int)width;
}

void lab_text_titles(FILE *out, const struct lab_report *report)
{
	const int width = codec_width(report);
	fprintf(out, "%-*s %13s  %7s  %19s  %19s  %13s  %10s\n", width + 73, "", "M positions/s",
	        "blocks", "cold, ns", "warm, ns", "hot, ns", "whole list");
	fprintf(out,
	        "%-*s %5s %-8s %-9s %-13s %8s %8s %14s  %6s %6s  %7s  %9s %9s  %9s %9s  %6s %6s  "
	        "%10s  %-7s\n",
	        width, "codec", "block", "fill", "order", "derive", "bits/pos", "pos/byte", "bytes",
	        "encode", "decode", "per probe", "p50", "p99", "p50", "p99", "p50", "p99",
	        "mean, ns", "for");
}

static void write_options(FILE *out, const struct lab_report *report, size_t i)
{
	const struct el_lab_candidate *c = &report->results[i].candidate;
	const struct el_table_options *options = &c->options;
	const int width = codec_width(report);
	char order[EL_ORDER_TEXT], block[AMOUNT_MAX], kind[EL_CODEC_TEXT];
	if (c->foreign) {
		fprintf(out, "%-*s %5s %-8s %-9s", width, lab_codec_text(c, kind), "-", "-", "-");
	} else {
		el_order_format(&report->slice, options, order);
		fprintf(out, "%-*s %5s %-8s %-9s", width, report->codec[i],
		        block_text(options->block_positions, block), el_fill_names[options->fill],
		        order);
	}
	fprintf(out, " %-13s", el_derive_name(options->derive));
}

/* Low speeds have one decimal. */
static const char *speed_text(double speed, char out[CELL])
{
	if (speed >= 10)
		return grouped((uint64_t)llround(speed), out);
	snprintf(out, CELL, "%.1f", speed);
	return out;
}

static void write_latency(FILE *out, const struct el_latency *l, int width)
{
	char p50[CELL] = "-", p99[CELL] = "-";
	if (l->n) {
		grouped((uint64_t)llround(l->p50), p50);
		grouped((uint64_t)llround(l->p99), p99);
	}
	fprintf(out, "  %*s %*s", width, p50, width, p99);
}

void lab_text_row(FILE *out, const struct lab_report *report, size_t i)
{
	const struct el_lab_result *r = &report->results[i];
	const bool ours = !r->candidate.foreign;
	const char *tier =
		ours ? el_tier_names[el_table_tier(&r->candidate.options, report->metric)] : NULL;
	char bytes[CELL], encode[CELL] = "-", decode[CELL] = "-", list[CELL] = "-";
	write_options(out, report, i);
	if (r->status) {
		fprintf(out, " failed: %s\n", r->error.text);
		return;
	}
	if (ours) {
		speed_text(r->encode_mb_s, encode);
		speed_text(r->decode_mb_s, decode);
	}
	fprintf(out, " %8.4f %8.2f %14s  %6s %6s  %7.2f", r->bits_per_position,
	        8 / r->bits_per_position, grouped(r->bytes, bytes), encode, decode,
	        r->blocks_alone);
	write_latency(out, &r->latency[EL_COLD], 9);
	write_latency(out, &r->latency[EL_WARM], 9);
	write_latency(out, &r->latency[EL_HOT], 6);
	if (r->pass.ns > 0)
		grouped((uint64_t)llround(r->pass.ns), list);
	fprintf(out, r->pareto ? "  %10s  %-7s *\n" : "  %10s  %s\n", list, tier ? tier : "-");
}

/* ---- below the table ---- */

/* "12,300" and its interval, "[11,900, 12,800]"; "-" if not known. */
static void write_interval(FILE *out, double figure, const struct el_interval *in)
{
	char value[CELL], low[CELL], high[CELL], text[2 * CELL + 8] = "-";
	if (in->high > 0)
		snprintf(text, sizeof text, "[%s, %s]", grouped((uint64_t)llround(in->low), low),
		         grouped((uint64_t)llround(in->high), high));
	fprintf(out, "  %10s %-22s", grouped((uint64_t)llround(figure), value), text);
}

/* How certain the times of warm probes are. */
static void write_certainty(FILE *out, const struct lab_report *report)
{
	size_t unsure = 0, few = 0, all = 0;
	char nor[64] = "";
	fprintf(out, "\n%-*s %10s  %10s %-22s  %10s %-22s  %10s  %10s %s\n",
	        codec_width(report) + 34, "warm probes, ns", "preempted", "p50", "95 % interval",
	        "p99", "95 % interval", "CPU p50", "CPU p99", "95 % interval");
	for (size_t i = 0; i < report->count; i++) {
		const struct el_latency *l = &report->results[i].latency[EL_WARM];
		char a[CELL], b[CELL];
		if (report->results[i].status || (!l->n && !l->preempted))
			continue;
		write_options(out, report, i);
		fprintf(out, " %10s", grouped(l->preempted, a));
		write_interval(out, l->p50, &l->p50_in);
		write_interval(out, l->p99, &l->p99_in);
		fprintf(out, "  %10s", grouped((uint64_t)llround(l->cpu_p50), b));
		write_interval(out, l->cpu_p99, &l->cpu_p99_in);
		fputc('\n', out);
		unsure += l->p99_in.high <= 0;
		few += l->p50_in.high <= 0;
		all++;
	}
	if (few)
		snprintf(nor, sizeof nor, "; %zu none of p50, which takes %d", few,
		         EL_LAB_P50_LEAST);
	if (unsure)
		fprintf(out,
		        "%zu of %zu: no interval of p99, which takes %d samples that were not "
		        "preempted%s; give more --probes or --seconds\n",
		        unsure, all, EL_LAB_P99_LEAST, nor);
}

/* Warm probes that find no block in memory, beside those that find all but the candidate's. */
static void write_whole(FILE *out, const struct lab_report *report)
{
	bool titled = false;
	for (size_t i = 0; i < report->count; i++) {
		const struct el_lab_result *r = &report->results[i];
		if (r->status || !r->latency[EL_WHOLE].n)
			continue;
		if (!titled)
			fprintf(out,
			        "\n%-*s  %17s  %19s  %21s\n%-*s  %8s %8s  %9s %9s  %10s %10s\n",
			        codec_width(report) + 34, "warm probes of other tables too",
			        "blocks per probe", "own, ns", "with other tables, ns",
			        codec_width(report) + 34, "", "own", "all", "p50", "p99", "p50",
			        "p99");
		titled = true;
		write_options(out, report, i);
		fprintf(out, "  %8.2f %8.2f", r->blocks_own, r->blocks_alone);
		write_latency(out, &r->latency[EL_WARM], 9);
		write_latency(out, &r->latency[EL_WHOLE], 10);
		fputc('\n', out);
	}
}

/* What cold probes read, and how many hot ones several threads make. */
static void write_rates(FILE *out, const struct lab_report *report)
{
	bool titled = false;
	for (size_t i = 0; i < report->count; i++) {
		const struct el_lab_result *r = &report->results[i];
		char bytes[AMOUNT_MAX];
		if (r->status || !r->rates[0].threads)
			continue;
		if (!titled) {
			fprintf(out, "\n%-*s  %-31s  %s\n%-*s  %9s %10s %10s ",
			        codec_width(report) + 34, "disk and threads", "a cold probe, mean",
			        "million hot probes a second", codec_width(report) + 34, "",
			        "from disk", "major", "minor");
			for (unsigned k = 0; k < EL_LAB_RATES && r->rates[k].threads; k++)
				fprintf(out, " %4u %-7s", r->rates[k].threads,
				        plural(r->rates[k].threads, "thread", "threads"));
			fputc('\n', out);
		}
		titled = true;
		write_options(out, report, i);
		if (r->latency[EL_COLD].n)
			fprintf(out, "  %9s %10.2f %10.2f ",
			        bytes_text((uint64_t)llround(r->cold.bytes), bytes), r->cold.major,
			        r->cold.minor);
		else
			fprintf(out, "  %9s %10s %10s ", "-", "-", "-");
		for (unsigned k = 0; k < EL_LAB_RATES && r->rates[k].threads; k++)
			fprintf(out, " %12.2f", r->rates[k].per_second / 1e6);
		fputc('\n', out);
	}
}

/* What several tables come to if they share what a codec learns. */
static void write_shared(FILE *out, const struct lab_report *report)
{
	bool titled = false;
	for (size_t i = 0; i < report->count; i++) {
		const struct el_lab_result *r = &report->results[i];
		char apart[CELL], together[CELL];
		if (!r->shared.apart)
			continue;
		if (!titled)
			fprintf(out, "\n%-*s  %14s  %14s  %7s\n", codec_width(report) + 34,
			        "blocks and what is learned", "for each plane", "once for all",
			        "saved");
		titled = true;
		write_options(out, report, i);
		const double saved =
			100 - 100 * (double)r->shared.together / (double)r->shared.apart;
		fprintf(out, "  %14s  %14s  %5.1f %%\n", grouped(r->shared.apart, apart),
		        grouped(r->shared.together, together), fabs(saved) < 0.05 ? 0 : saved);
	}
}

/* The same candidate without filling. */
static const struct el_lab_result *without_fill(const struct lab_report *report, size_t i)
{
	const struct el_table_options *a = &report->results[i].candidate.options;
	for (size_t k = 0; k < report->count; k++) {
		const struct el_table_options *b = &report->results[k].candidate.options;
		if (!report->results[k].status && b->fill == EL_FILL_NONE &&
		    !strcmp(report->codec[i], report->codec[k]) &&
		    a->block_positions == b->block_positions && a->derive == b->derive &&
		    a->ordering == b->ordering && !memcmp(a->order, b->order, sizeof a->order))
			return &report->results[k];
	}
	return NULL;
}

static bool has_factor(const struct lab_report *report, size_t i)
{
	const struct el_lab_result *r = &report->results[i];
	return !r->status && r->candidate.options.fill != EL_FILL_NONE && without_fill(report, i);
}

/* One result's part of a line of factors. */
static void write_factor(FILE *out, const struct lab_report *report, size_t i)
{
	const struct el_lab_result *r = &report->results[i];
	const struct el_table_options *options = &r->candidate.options;
	char block[AMOUNT_MAX], order[EL_ORDER_TEXT];
	el_order_format(&report->slice, options, order);
	fprintf(out, "  %s %s", block_text(options->block_positions, block),
	        el_fill_names[options->fill]);
	if (options->ordering != EL_ORDER_INDEX)
		fprintf(out, " %s", order);
	if (options->derive != EL_DERIVE_NOTHING)
		fprintf(out, " %s", el_derive_name(options->derive));
	fprintf(out, " %.2f", (double)without_fill(report, i)->bytes / (double)r->bytes);
}

static void write_references(FILE *out, const struct lab_report *report,
                             const struct el_lab_references *r)
{
	static const char *const names[] = {"first plane", "second plane", "both planes"};
	if (!r->known)
		return;
	fprintf(out, "\n%-30s",
	        r == &report->ground.derived ? "references, without captures"
	                                     : "references, bytes");
	const unsigned count = el_lab_reference_count(r);
	for (unsigned c = 0; c < count; c++)
		fprintf(out, c < EL_LAB_PAIRED ? " %13s %13s" : " %13s", el_lab_context_names[c],
		        "learned");
	fputs(r->sampled ? "  (from a sample)\n" : "\n", out);
	for (unsigned i = 0; i < (report->slice.planes > 1 ? 3 : 1); i++) {
		char name[64];
		const char piece[2] = {i < 2 ? r->piece[i] : 0};
		snprintf(name, sizeof name, "%s%s%s", names[i], *piece ? ", orders along " : "",
		         piece);
		/* A line for each plane, and one for both. */
		fprintf(out, "%-30s", name);
		for (unsigned c = 0; c < count; c++) {
			double bytes = 0, adaptive = 0;
			char a[CELL], b[CELL];
			for (unsigned p = i % 2; p <= (i > 0); p++) {
				bytes += r->line[p][c].bytes;
				adaptive += r->line[p][c].adaptive_bytes;
			}
			fprintf(out, c < EL_LAB_PAIRED ? " %13s %13s" : " %13s",
			        grouped((uint64_t)ceil(bytes), a),
			        grouped((uint64_t)ceil(adaptive), b));
		}
		fputc('\n', out);
	}
}

void lab_text_tail(FILE *out, const struct lab_report *report)
{
	/* What a row counts in addition to its own file: all of ours leave outcomes to the same. */
	bool told = false;
	for (size_t i = 0; i < report->count; i++) {
		const struct el_lab_result *r = &report->results[i];
		char bytes[CELL];
		if (r->bytes_beside && (r->file[0] || !told))
			fprintf(out,
			        "\n%s: bits/pos takes in %s bytes of other files that its probes "
			        "read\n",
			        r->file[0] ? r->file : "outcomes left out",
			        grouped(r->bytes_beside, bytes));
		told |= r->bytes_beside && !r->file[0];
	}
	if (report->count) {
		char bytes[AMOUNT_MAX];
		fprintf(out, "\n%-*s hit rate of a block cache of that size\n",
		        codec_width(report) + 34, "");
		for (size_t i = 0; i < report->count; i++) {
			const struct el_lab_result *r = &report->results[i];
			if (r->status)
				continue;
			write_options(out, report, i);
			for (unsigned k = 0; k < EL_LAB_BUDGETS; k++) {
				fprintf(out, "  %8s %5.1f %%", bytes_text(r->hits[k].budget, bytes),
				        100 * r->hits[k].rate);
			}
			fputc('\n', out);
		}
	}
	write_whole(out, report);
	write_rates(out, report);
	write_shared(out, report);
	if (report->count)
		write_certainty(out, report);
	bool titled = false;
	for (size_t i = 0; i < report->count; i++) {
		bool opens = has_factor(report, i); /* a line: the first result of its codec */
		for (size_t k = 0; k < i && opens; k++)
			opens = !has_factor(report, k) ||
			        strcmp(report->codec[k], report->codec[i]);
		if (!opens)
			continue;
		if (!titled)
			fputs("\ntimes smaller than without filling\n", out);
		titled = true;
		fprintf(out, "%-12s", report->codec[i]);
		for (size_t k = i; k < report->count; k++)
			if (!strcmp(report->codec[k], report->codec[i]) && has_factor(report, k))
				write_factor(out, report, k);
		fputc('\n', out);
	}
	write_references(out, report, &report->ground.references);
	write_references(out, report, &report->ground.derived);
}
