/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "screens_lab.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A codec's bits a position at best, what a probe costs at least, and a position more, in ns. */
static const struct price {
	const char *codec;
	double bits, once, each;
} prices[] = {
	{"raw", 6, 38, 0.0001}, {"rle", 3.1, 120, 0.02}, {"zstd", 2.2, 900, 0.4},
	{"xz", 1.9, 9000, 9},   {"pairs", 1.3, 150, 0.01}, {"", 4, 100, 1},
};

static const struct price *price_of(const struct el_table_options *o)
{
	const struct price *p = prices;
	while (*p->codec && strcmp(p->codec, o->codec.codec->name))
		p++;
	return p;
}

static void spread(struct el_latency *l, uint64_t histogram[EL_LAB_HISTOGRAM], double ns)
{
	static const uint64_t share[] = {40, 800, 120, 30, 8, 2};
	int bucket = (int)log2(ns / 10);
	*l = (struct el_latency){
		.n = 1000,
		.preempted = 3,
		.batch = ns < 500 ? 16 : 1,
		.min = ns * 0.8,
		.p50 = ns,
		.p90 = ns * 1.5,
		.p99 = ns * 2.5,
		.max = ns * 40,
		.p50_in = {ns * 0.98, ns * 1.02},
		.p99_in = {ns * 2.3, ns * 2.8},
	};
	for (int i = 0; i < 6; i++)
		if (bucket + i > 0 && bucket + i < EL_LAB_HISTOGRAM)
			histogram[bucket + i - 1] = share[i];
	if (ns < 100)
		return;
	l->cpu_p50 = ns * 0.95;
	l->cpu_p99 = ns * 2.2;
	l->cpu_p99_in = (struct el_interval){ns * 2.1, ns * 2.3};
}

static void measure(const struct el_lab_setup *setup, size_t i, struct el_lab_result *out)
{
	static const struct price foreign = {"", 1.7, 700, 0};
	const struct el_table_options *o = &setup->candidates[i].options;
	const bool ours = !setup->candidates[i].foreign;
	const struct price *price = ours ? price_of(o) : &foreign;
	double block = ours ? o->block_positions : 4096, positions = 1000000;
	*out = (struct el_lab_result){.candidate = setup->candidates[i], .timed = true};
	if (!ours) {
		out->candidate.options = (struct el_table_options){
			.derive = EL_DERIVE_CAPTURES};
		strcpy(out->file, "KBvK.rtbw");
	}
	if (block == 512) {
		out->status = el_fail(&out->error, EL_MEMORY, "%s: no memory for a dictionary",
		                      o->codec.codec->name);
		return;
	}
	out->bits_per_position = price->bits * (o->fill == EL_FILL_NONE ? 1.3 : 1) *
	                         (o->derive ? 0.8 : 1) * (1 + 60 / block);
	out->bytes = (uint64_t)(out->bits_per_position * positions / 8);
	out->encode_mb_s = 40000 / price->once;
	out->decode_mb_s = 200000 / price->once;
	out->coder_bytes = 123456;
	out->blocks_alone = 1;
	out->blocks_per_probe = 64 / block;
	for (int b = 0; b < EL_LAB_BUDGETS; b++)
		out->hits[b] = (struct el_hit_rate){16384u << 2 * b, 1000, 0.2 * b + 0.1};
	double warm = price->once + price->each * block;
	spread(&out->latency[EL_COLD], out->histogram[EL_COLD], 100000 + warm);
	spread(&out->latency[EL_WARM], out->histogram[EL_WARM], warm);
	spread(&out->latency[EL_HOT], out->histogram[EL_HOT], 41);
}

static const struct el_lab_ground ground = {
	.positions = 1000000, .legal = 800000, .derivable = 176000, .timer_ns = 18.4,
	.references = {
		.known = true, .counted = {400000, 400000}, .piece = "Qr",
		.line = {{{300000, 300100, 1}, {190000, 190400, 60}, {160000, 164000, 3000}, {90000, 150000, 200000}},
		         {{200000, 200100, 1}, {110000, 110400, 60}, {100000, 104000, 3000}, {50000, 80000, 200000}}},
	},
	.memcpy_ns = 612, .memcpy_mb_s = 53000, .place_ns = 24.5,
	.cold_note = "the page cache keeps files of a memory file system", .probes = 1000,
};

enum el_status screens_lab_run(const struct el_lab_setup *setup, const struct el_watch *watch,
                               struct el_error *error)
{
	(void)watch;
	(void)error;
	setup->ground(setup->context, &ground);
	for (size_t i = 0; i < setup->count; i++) {
		struct el_lab_result result;
		measure(setup, i, &result);
		setup->result(setup->context, i, &result);
	}
	return EL_OK;
}

void screens_lab_deliver(struct model *m, size_t candidates)
{
	struct job_progress p = {.stage = "writing", .done = 7, .total = 21, .unit = "seconds"};
	struct lab_job *running = lab_of(m)->running;
	const struct el_lab_setup *setup = running ? lab_job_setup(running) : NULL;
	if (!setup)
		return;
	lab_deliver_ground(running, &ground);
	for (size_t i = 0; i < candidates && i < setup->count; i++) {
		struct el_lab_result result;
		measure(setup, i, &result);
		lab_deliver(running, i, &result);
	}
	p.job = lab_job_number(running);
	snprintf(p.what, sizeof p.what, "%zu/%zu", candidates + 1, setup->count);
	shell_progress(m, LANE_WORK, &p);
}

bool screens_lab_candidates(struct model *m, char *words)
{
	struct lab *lab = lab_of(m);
	size_t count;
	while (lab->list.count)
		lab_row_remove(lab, 0);
	for (char *one = strtok(words, ";"); one; one = strtok(NULL, ";")) {
		lab->list.at = lab->list.count ? lab->list.count - 1 : 0;
		if (lab_rows_add(lab, one, &count, NULL))
			return false;
	}
	lab->list.at = 0;
	return true;
}
