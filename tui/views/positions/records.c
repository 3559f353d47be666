/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records: the longest wins of every table, counted one after the other while the list is on
   screen. */
#include "positions.h"

#include "tui/text/text.h"

#include <stdio.h>
#include <stdlib.h>

struct record {
	const struct finding *table;
	unsigned winner, to_move; /* enum el_side */
	unsigned plies;
	const char *fen; /* of the table's counts */
};

/* ---- the rows ---- */

static bool add_record(struct model *m, const struct record *record)
{
	struct positions *v = positions_of(m);
	if (v->record_count == v->record_room) {
		const size_t room = 2 * v->record_room + 64;
		struct record *larger = realloc(v->records, room * sizeof *larger);
		if (!larger) {
			model_fail(m, "out of memory");
			return false;
		}
		v->records = larger;
		v->record_room = room;
	}
	v->records[v->record_count++] = *record;
	return true;
}

/* White's wins first, of each side those first where it is to move itself. */
static bool add_table(struct model *m, const struct finding *f)
{
	bool good = true;
	for (unsigned i = 0; i < 4 && good; i++) {
		struct record record = {.table = f, .winner = i / 2, .to_move = (i / 2) ^ (i % 2)};
		record.fen =
			el_stats_record(&f->stats, record.winner, record.to_move, &record.plies);
		good = !record.fen || add_record(m, &record);
	}
	return good;
}

/* Of its metric, once all tables are counted. */
static bool is_longest(const struct positions *v, const struct record *record)
{
	bool longest = v->counted == v->tables && !filter_names_slices(&v->filter[RECORDS]);
	for (size_t i = 0; i < v->record_count && longest; i++)
		longest = v->records[i].table->metric != record->table->metric ||
		          v->records[i].plies <= record->plies;
	return longest;
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
	bool open = true;
	v->record_count = 0;
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
		if (open && known)
			open = add_table(m, f);
	}
}

static void follow(struct model *m)
{
	m->tables.wanted = true;
	tables_count_all(m, is_wanted);
	find_records(m);
}

void records_free(struct positions *v)
{
	free(v->records);
}

const char *records_not_stopped(const struct model *m)
{
	const struct positions *v = positions_of(m);
	return v->source == RECORDS && v->stopped ? NULL : "Counting was not stopped.";
}

/* ---- the source ---- */

static size_t count(const struct model *m)
{
	return positions_of(m)->record_count;
}

static void row(const struct model *m, size_t i, struct listed *out)
{
	const struct positions *v = positions_of(m);
	const struct record *record = &v->records[i];
	snprintf(out->fen, sizeof out->fen, "%s", record->fen);
	metric_text(record->table->metric, out->note);
	out->metric = record->table->metric;
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
