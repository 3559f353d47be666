/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records: the longest wins of every table, counted one after the other while the list is on
   screen. */
#include "positions.h"

#include "tui/text/text.h"

#include <stdio.h>

/* Of its metric, once all tables are counted. */
static bool is_longest(const struct positions *v, const struct record *record)
{
	size_t tables;
	return v->counted == v->tables && !filter_names_slices(&v->filter[RECORDS]) &&
	       record->plies == records_longest(&v->records, record->metric, &tables)->plies;
}

/* Where the filter names slices, no others are counted. */
static bool is_wanted(const struct model *m, const struct el_entry *e)
{
	return tables_has_depths(&m->tables, e) &&
	       !filter_bars_slice(&positions_of(m)->filter[RECORDS], &e->slice);
}

/* Those that are counted, as far as none before them is still to come: rows keep their places. */
static void find_records(struct model *m)
{
	const struct tables *t = &m->tables;
	struct positions *v = positions_of(m);
	struct el_error error;
	bool open = true;
	v->records.count = 0;
	v->counted = v->tables = 0;
	v->stopped = false;
	for (size_t i = 0; i < t->count; i++) {
		const struct el_entry *e = &t->entries[i];
		if (!is_wanted(m, e))
			continue;
		const struct finding *f = tables_finding(t, &e->slice, e->metric);
		const bool known = f && f->count.known;
		v->tables++;
		v->counted += known;
		v->stopped = v->stopped || (f && f->stopped);
		open = open && (known || (f && f->why[0] && !f->stopped));
		if (!open || !known)
			continue;
		struct el_longest longest = {0};
		for (unsigned k = 0; k < 4; k++) {
			struct el_record *win = &longest.win[k / 2][k % 2];
			const char *fen = el_stats_record(&f->stats, k / 2, k % 2, &win->plies);
			snprintf(win->fen, sizeof win->fen, "%s", fen ? fen : "");
		}
		open = !records_add(&v->records, &f->slice, f->metric, &longest, &error);
		if (!open)
			model_fail(m, "out of memory");
	}
}

static void follow(struct model *m)
{
	m->tables.wanted = true;
	tables_count_all(m, is_wanted);
	find_records(m);
}

const char *records_not_stopped(const struct model *m)
{
	const struct positions *v = positions_of(m);
	return v->source == RECORDS && v->stopped ? NULL : "Counting was not stopped.";
}

/* ---- the source ---- */

static size_t count(const struct model *m)
{
	return positions_of(m)->records.count;
}

static void row(const struct model *m, size_t i, struct listed *out)
{
	const struct positions *v = positions_of(m);
	const struct record *record = &v->records.list[i];
	snprintf(out->fen, sizeof out->fen, "%s", record->fen);
	metric_text(record->metric, out->note);
	out->metric = record->metric;
	out->value = (struct el_value){
		.outcome = record->winner == record->to_move ? EL_WIN : EL_LOSS,
		.plies = (uint16_t)record->plies,
	};
	out->longest = is_longest(v, record);
}

static unsigned version(const struct model *m)
{
	return (unsigned)count(m);
}

static void empty(const struct model *m, char *out, size_t size)
{
	const struct positions *v = positions_of(m);
	snprintf(out, size, "%s",
	         v->tables             ? "The tables are being counted."
	         : m->tables.ask.known ? "No table with depths yet. Press 5 to build some."
	                               : "Tables are being looked for.");
}

static void about(const struct model *m, char *out, size_t size)
{
	const struct positions *v = positions_of(m);
	if (v->stopped)
		snprintf(out, size, "Stopped: %zu of %zu tables are counted. Press c to continue.",
		         v->counted, v->tables);
	else
		snprintf(out, size, "%zu of %zu tables counted%s", v->counted, v->tables,
		         v->counted < v->tables || filter_names_slices(&v->filter[RECORDS])
		                 ? ""
		                 : "; * the longest of all under its metric");
}

const struct source records_source = {
	.word = "records",
	.title = "Records",
	.note = "metric",
	.follow = follow,
	.count = count,
	.row = row,
	.version = version,
	.empty = empty,
	.about = about,
};
