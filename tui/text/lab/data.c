/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of the lab for other programs: JSON and CSV. */
#include "report.h"
#include "tui/text/json.h"

#include <inttypes.h>
#include <math.h>

/* ---- json ---- */

/* A figure to one decimal, for example a tenth of a nanosecond: the rest is noise. */
static void add_figure(cJSON *object, const char *name, double figure)
{
	char text[32];
	snprintf(text, sizeof text, "%.7g", figure);
	cJSON_AddRawToObject(object, name, text);
}

static void add_known(cJSON *object, const char *name, bool known, double figure)
{
	if (known)
		add_figure(object, name, figure);
	else
		cJSON_AddNullToObject(object, name);
}

/* [low, high]; null if not known. */
static void add_interval(cJSON *object, const char *name, const struct el_interval *in)
{
	char text[64];
	snprintf(text, sizeof text, "[%.7g,%.7g]", in->low, in->high);
	if (in->high > 0)
		cJSON_AddRawToObject(object, name, text);
	else
		cJSON_AddNullToObject(object, name);
}

static void add_latency(cJSON *object, const char *name, const struct el_latency *l,
                        const uint64_t histogram[EL_LAB_HISTOGRAM])
{
	if (!l->n && !l->preempted) {
		cJSON_AddNullToObject(object, name);
		return;
	}
	cJSON *latency = cJSON_AddObjectToObject(object, name);
	json_count(latency, "n", l->n);
	json_count(latency, "batch", l->batch);
	add_figure(latency, "min", l->min);
	add_figure(latency, "p50", l->p50);
	add_figure(latency, "p90", l->p90);
	add_figure(latency, "p99", l->p99);
	add_figure(latency, "max", l->max);
	json_count(latency, "preempted", l->preempted);
	add_interval(latency, "p50_interval", &l->p50_in);
	add_interval(latency, "p99_interval", &l->p99_in);
	add_known(latency, "cpu_p50", l->cpu_p50 > 0, l->cpu_p50);
	add_known(latency, "cpu_p99", l->cpu_p99 > 0, l->cpu_p99);
	add_interval(latency, "cpu_p99_interval", &l->cpu_p99_in);
	cJSON *buckets = cJSON_AddArrayToObject(latency, "histogram");
	for (unsigned i = 0; i < EL_LAB_HISTOGRAM; i++)
		cJSON_AddItemToArray(buckets, cJSON_CreateNumber((double)histogram[i]));
}

static void add_figures(cJSON *object, const struct el_lab_result *r)
{
	const bool ours = !r->candidate.foreign;
	json_count(object, "bytes", r->bytes);
	add_figure(object, "bits_per_position", r->bits_per_position);
	add_known(object, "encode_mb_s", ours, r->encode_mb_s);
	add_known(object, "decode_mb_s", ours, r->decode_mb_s);
	add_figure(object, "positions_per_byte", 8 / r->bits_per_position);
	json_known(object, "coder_bytes", ours, (double)r->coder_bytes);
	add_figure(object, "blocks_alone", r->blocks_alone);
	add_figure(object, "blocks_own", r->blocks_own);
	add_figure(object, "blocks_per_probe", r->blocks_per_probe);
	cJSON *pass = cJSON_AddObjectToObject(object, "whole_list");
	json_count(pass, "probes", r->pass.probes);
	json_count(pass, "blocks", r->pass.blocks);
	json_count(pass, "bytes", r->pass.bytes);
	add_known(pass, "mean_ns", r->pass.ns > 0, r->pass.ns);
	cJSON *hits = cJSON_AddArrayToObject(object, "hits");
	for (unsigned i = 0; i < EL_LAB_BUDGETS; i++) {
		cJSON *hit = json_item(hits);
		json_count(hit, "budget", r->hits[i].budget);
		json_count(hit, "probes", r->hits[i].probes);
		add_figure(hit, "rate", r->hits[i].rate);
	}
	cJSON *cold = r->latency[EL_COLD].n ? cJSON_AddObjectToObject(object, "cold")
	                                    : cJSON_AddNullToObject(object, "cold");
	if (r->latency[EL_COLD].n) {
		add_figure(cold, "disk_bytes", r->cold.bytes);
		add_figure(cold, "major_faults", r->cold.major);
		add_figure(cold, "minor_faults", r->cold.minor);
	}
	cJSON *rates = cJSON_AddArrayToObject(object, "threads");
	for (unsigned i = 0; i < EL_LAB_RATES && r->rates[i].threads; i++) {
		cJSON *rate = json_item(rates);
		json_count(rate, "threads", r->rates[i].threads);
		add_figure(rate, "probes_s", r->rates[i].per_second);
	}
	if (r->shared.apart) {
		cJSON *shared = cJSON_AddObjectToObject(object, "shared");
		json_count(shared, "apart", r->shared.apart);
		json_count(shared, "together", r->shared.together);
	}
	cJSON *latencies = cJSON_AddObjectToObject(object, "probe_ns");
	for (unsigned i = 0; i < EL_REGIMES; i++)
		add_latency(latencies, el_regime_names[i], &r->latency[i], r->histogram[i]);
}

static cJSON *result_object(const struct lab_report *report, size_t i)
{
	const struct el_lab_result *r = &report->results[i];
	cJSON *object = cJSON_CreateObject();
	json_text(object, "codec", report->codec[i]);
	/* How a table of ours is written; a foreign file has no options. */
	const struct el_lab_candidate *c = &report->results[i].candidate;
	char order[EL_ORDER_TEXT] = "";
	json_known(object, "block", !c->foreign, c->options.block_positions);
	if (!c->foreign)
		el_order_format(&report->slice, &c->options, order);
	json_text(object, "fill", c->foreign ? NULL : el_fill_names[c->options.fill]);
	json_text(object, "order", c->foreign ? NULL : order);
	json_text(object, "derive", el_derive_name(c->options.derive));
	json_text(object, "tier",
	          c->foreign ? NULL : el_tier_names[el_table_tier(&c->options, report->metric)]);
	if (r->status)
		json_text(object, "error", r->error.text);
	else
		add_figures(object, r);
	json_text(object, "file", r->candidate.foreign ? r->file : NULL);
	json_count(object, "bytes_beside", r->bytes_beside);
	cJSON_AddBoolToObject(object, "pareto", r->pareto);
	return object;
}

static cJSON *reference_object(const struct lab_report *report, const struct el_lab_references *r,
                               unsigned plane, enum el_lab_context context)
{
	const struct el_lab_reference *line = &r->line[plane][context];
	const char piece[] = {r->piece[plane], '\0'};
	const bool along = *piece && (context == EL_LAB_ORDER_1 || context == EL_LAB_ORDER_2);
	cJSON *object = cJSON_CreateObject();
	json_text(object, "context", el_lab_context_names[context]);
	json_count(object, "plane", plane);
	json_text(object, "piece", along ? piece : NULL);
	json_text(object, "derive", r == &report->ground.derived ? "captures" : "nothing");
	json_count(object, "counted", r->counted[plane]);
	cJSON_AddBoolToObject(object, "sampled", r->sampled);
	json_count(object, "contexts", line->contexts);
	json_count(object, "bytes", (uint64_t)ceil(line->bytes));
	json_count(object, "adaptive_bytes", (uint64_t)ceil(line->adaptive_bytes));
	add_figure(object, "bits_per_position", 8 * line->bytes / (double)report->ground.positions);
	return object;
}

bool lab_write_json(FILE *out, const struct lab_report *report)
{
	cJSON *root = cJSON_CreateObject();
	char seed[24];
	json_text(root, "machine", report->machine);
	json_text(root, "libraries", report->libraries);
	/* As digits: a double, as cJSON keeps numbers, would not be exact. */
	snprintf(seed, sizeof seed, "%" PRIu64, report->seed);
	cJSON_AddRawToObject(root, "seed", seed);
	json_text(root, "slice", report->slice.name);
	cJSON *slices = report->slices ? cJSON_AddArrayToObject(root, "slices") : NULL;
	for (size_t i = 0; i < report->slice_count; i++)
		json_text_item(slices, report->slices[i].name);
	json_text(root, "metric", report->metric->name);
	json_count(root, "positions", report->ground.positions);
	json_text(root, "workload", el_workload_names[report->workload]);
	json_text(root, "trace", report->trace);
	add_figure(root, "seconds", report->seconds);
	json_count(root, "rounds", EL_LAB_ROUNDS);
	json_text(root, "front", el_lab_time_names[report->front]);
	const struct el_lab_ground *ground = &report->ground;
	cJSON *object = cJSON_AddObjectToObject(root, "ground");
	json_count(object, "legal", ground->legal);
	json_count(object, "derivable", ground->derivable);
	json_count(object, "probes", ground->probes);
	json_count(object, "distinct", ground->distinct);
	json_known(object, "elsewhere", !report->slices, (double)ground->elsewhere);
	add_figure(object, "timer_ns", ground->timer_ns);
	add_figure(object, "cpu_timer_ns", ground->cpu_timer_ns);
	add_figure(object, "memcpy_ns", ground->memcpy_ns);
	add_figure(object, "memcpy_mb_s", ground->memcpy_mb_s);
	add_figure(object, "index_ns", ground->place_ns);
	cJSON_AddBoolToObject(object, "cold_checked", ground->cold_checked);
	json_text(object, "cold_note", ground->cold_note);
	json_text(object, "values", ground->foreign ? ground->foreign->kind : "endlab");
	cJSON_AddBoolToObject(object, "rounded", ground->rounded);
	const struct el_lab_references *const all[] = {&report->ground.references,
	                                               &report->ground.derived};
	cJSON *references = cJSON_AddArrayToObject(root, "references");
	for (size_t i = 0; i < 2; i++)
		for (unsigned p = 0; all[i]->known && p < report->slice.planes; p++)
			for (unsigned c = 0; c < el_lab_reference_count(all[i]); c++)
				cJSON_AddItemToArray(references,
				                     reference_object(report, all[i], p, c));
	cJSON *results = cJSON_AddArrayToObject(root, "results");
	for (size_t i = 0; i < report->count; i++)
		cJSON_AddItemToArray(results, result_object(report, i));
	return json_print(out, root);
}

/* ---- csv ---- */

/* Writes text in quotes; doubles quotes inside. */
static void write_quoted(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++)
		fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
	fputc('"', out);
}

static void write_latency(FILE *out, const struct el_latency *l)
{
	if (l->n)
		fprintf(out, ",%" PRIu64 ",%u,%.7g,%.7g,%.7g,%.7g,%.7g", l->n, l->batch, l->min,
		        l->p50, l->p90, l->p99, l->max);
	else
		fputs(",0,,,,,,", out);
}

/* The columns between `derive` and `pareto`; empty for a candidate that failed. */
static void write_figures(FILE *out, const struct el_lab_result *r)
{
	enum { COLUMNS = 7 + 7 * EL_REGIMES + 2 * EL_LAB_BUDGETS };
	for (int i = 0; i < COLUMNS && r->status; i++)
		fputc(',', out);
	if (r->status)
		return;
	fprintf(out, ",%" PRIu64 ",%.7g,", r->bytes, r->bits_per_position);
	if (r->candidate.foreign)
		fputs(",,", out);
	else
		fprintf(out, "%.7g,%.7g,%" PRIu64, r->encode_mb_s, r->decode_mb_s, r->coder_bytes);
	fprintf(out, ",%.7g,%.7g", r->blocks_alone, r->blocks_per_probe);
	for (unsigned i = 0; i < EL_REGIMES; i++)
		write_latency(out, &r->latency[i]);
	for (unsigned i = 0; i < EL_LAB_BUDGETS; i++)
		fprintf(out, ",%" PRIu64 ",%.7g", r->hits[i].budget, r->hits[i].rate);
}

/* The columns after those of the file. */
static void write_certainty(FILE *out, const struct el_latency *l)
{
	const double figures[] = {l->p50_in.low,     l->p50_in.high,    l->p99_in.low,
	                          l->p99_in.high,    l->cpu_p50,        l->cpu_p99,
	                          l->cpu_p99_in.low, l->cpu_p99_in.high};
	if (l->n || l->preempted)
		fprintf(out, ",%" PRIu64, l->preempted);
	else
		fputc(',', out);
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		fprintf(out, figures[i] > 0 ? ",%.7g" : ",", figures[i]);
}

static void write_row(FILE *out, const struct lab_report *report, size_t i)
{
	const struct el_lab_result *r = &report->results[i];
	const struct el_table_options *options = &r->candidate.options;
	char order[EL_ORDER_TEXT];
	fprintf(out, "%s,%s,%s,%" PRIu64 ",%s,", report->slice.name, report->metric->name,
	        el_workload_names[report->workload], report->seed, report->codec[i]);
	if (r->candidate.foreign) {
		fputs(",,", out);
	} else {
		el_order_format(&report->slice, options, order);
		fprintf(out, "%" PRIu32 ",%s,%s", options->block_positions,
		        el_fill_names[options->fill], order);
	}
	fprintf(out, ",%s", el_derive_name(options->derive));
	write_figures(out, r);
	fprintf(out, ",%d,", r->pareto);
	if (r->status)
		write_quoted(out, r->error.text);
	fputc(',', out);
	if (r->candidate.foreign)
		write_quoted(out, r->file);
	fprintf(out, ",%" PRIu64, r->bytes_beside);
	if (r->status)
		fputs(",,,,,", out);
	else
		fprintf(out, ",%.7g,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.7g", r->blocks_own,
		        r->pass.probes, r->pass.blocks, r->pass.bytes, r->pass.ns);
	for (unsigned k = 0; k < EL_REGIMES; k++)
		write_certainty(out, &r->latency[k]);
	if (r->latency[EL_COLD].n)
		fprintf(out, ",%.7g,%.7g,%.7g", r->cold.bytes, r->cold.major, r->cold.minor);
	else
		fputs(",,,", out);
	for (unsigned k = 0; k < EL_LAB_RATES; k++)
		if (r->rates[k].threads)
			fprintf(out, ",%u,%.7g", r->rates[k].threads, r->rates[k].per_second);
		else
			fputs(",,", out);
	fputc('\n', out);
}

/* Both planes together. */
static void write_references(FILE *out, const char *derive, const struct lab_report *report,
                             const struct el_lab_references *r)
{
	if (!r->known)
		return;
	fprintf(out, "# references, bits per position, derive %s:", derive);
	for (unsigned c = 0; c < el_lab_reference_count(r); c++)
		fprintf(out, "%s %s %.7g", c ? "," : "", el_lab_context_names[c],
		        el_lab_reference_bits(r, c, report->ground.positions));
	fputc('\n', out);
}

void lab_write_csv(FILE *out, const struct lab_report *report, bool titles)
{
	const struct el_lab_ground *ground = &report->ground;
	if (titles)
		fprintf(out, "# machine: %s\n# libraries: %s\n", report->machine,
		        report->libraries);
	fprintf(out,
	        "# positions: %" PRIu64 ", legal: %" PRIu64 ", probes: %zu, distinct: %zu, "
	        "elsewhere: %zu, timer_ns: %.7g, memcpy_ns: %.7g, memcpy_mb_s: %.7g, index_ns: "
	        "%.7g\n",
	        ground->positions, ground->legal, ground->probes, ground->distinct,
	        ground->elsewhere, ground->timer_ns, ground->memcpy_ns, ground->memcpy_mb_s,
	        ground->place_ns);
	fprintf(out, "# cold: %s\n",
	        ground->cold_checked ? "dropped and checked" : ground->cold_note);
	write_references(out, "nothing", report, &ground->references);
	write_references(out, "captures", report, &ground->derived);
	if (titles) {
		static const char *const figures[] = {"n",   "batch", "min", "p50",
		                                      "p90", "p99",   "max"};
		static const char *const more[] = {
			"preempted",  "p50_low_ns",     "p50_high_ns",
			"p99_low_ns", "p99_high_ns",    "cpu_p50_ns",
			"cpu_p99_ns", "cpu_p99_low_ns", "cpu_p99_high_ns"};
		fputs("slice,metric,workload,seed,codec,block,fill,order,derive,bytes,"
		      "bits_per_position,"
		      "encode_mb_s,decode_mb_s,coder_bytes,blocks_alone,blocks_per_probe",
		      out);
		for (unsigned r = 0; r < EL_REGIMES; r++)
			for (size_t f = 0; f < sizeof figures / sizeof *figures; f++)
				fprintf(out, ",%s_%s%s", el_regime_names[r], figures[f],
				        f < 2 ? "" : "_ns");
		for (unsigned i = 1; i <= EL_LAB_BUDGETS; i++)
			fprintf(out, ",cache%u_bytes,cache%u_hits", i, i);
		fputs(",pareto,error,file,bytes_beside,blocks_own,list_probes,list_blocks,list_"
		      "bytes,"
		      "list_mean_ns",
		      out);
		for (unsigned r = 0; r < EL_REGIMES; r++)
			for (size_t f = 0; f < sizeof more / sizeof *more; f++)
				fprintf(out, ",%s_%s", el_regime_names[r], more[f]);
		fputs(",cold_disk_bytes,cold_major_faults,cold_minor_faults", out);
		for (unsigned k = 1; k <= EL_LAB_RATES; k++)
			fprintf(out, ",threads%u,threads%u_probes_s", k, k);
		fputc('\n', out);
	}
	for (size_t i = 0; i < report->count; i++)
		write_row(out, report, i);
}
