/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists found in tables. Records: the longest wins of every table, counted one after the other
   while the list is on screen. Zugzwangs: the mutual zugzwangs of one table, one position of each
   symmetry class, with the side to move losing. */
#include "positions.h"

#include "tui/text/text.h"

#include <stdio.h>

/* ---- records ---- */

/* If the filter names slices, only those are counted. */
static bool is_wanted(const struct model *m, const struct el_entry *e)
{
	return tables_has_depths(&m->tables, e) &&
	       !filter_bars_slice(&positions_of(m)->filter[RECORDS], &e->slice);
}

/* Lists counted tables up to the first one still to be counted, so that rows keep their places. */
static void records_follow(struct model *m)
{
	const struct tables *t = &m->tables;
	struct positions *v = positions_of(m);
	struct el_error error;
	bool open = true;
	m->tables.wanted = true;
	tables_count_all(m, is_wanted);
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

const char *records_not_stopped(const struct model *m)
{
	const struct positions *v = positions_of(m);
	return v->source == RECORDS && v->stopped ? NULL : "Counting was not stopped.";
}

static size_t records_count(const struct model *m)
{
	return positions_of(m)->records.count;
}

static void records_row(const struct model *m, size_t i, struct listed *out)
{
	const struct positions *v = positions_of(m);
	const struct record *record = &v->records.list[i];
	size_t tables;
	snprintf(out->fen, sizeof out->fen, "%s", record->fen);
	metric_text(record->metric, out->note);
	out->metric = record->metric;
	out->value = (struct el_value){
		.outcome = record->winner == record->to_move ? EL_WIN : EL_LOSS,
		.plies = (uint16_t)record->plies,
	};
	/* The longest of its metric, once all tables are counted. */
	out->longest =
		v->counted == v->tables && !filter_names_slices(&v->filter[RECORDS]) &&
		record->plies == records_longest(&v->records, record->metric, &tables)->plies;
}

static unsigned records_version(const struct model *m)
{
	return (unsigned)records_count(m);
}

static void records_empty(const struct model *m, char *out, size_t size)
{
	const struct positions *v = positions_of(m);
	snprintf(out, size, "%s",
	         v->tables             ? "The tables are being counted."
	         : m->tables.ask.known ? "No table with depths yet. Press 5 to build some."
	                               : "Tables are being looked for.");
}

static void records_about(const struct model *m, char *out, size_t size)
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
	.title = "Records",
	.note = "metric",
	.follow = records_follow,
	.count = records_count,
	.row = records_row,
	.version = records_version,
	.empty = records_empty,
	.about = records_about,
};

/* ---- zugzwangs ---- */

/* Null until they are found. */
static const struct el_zugzwangs *found(const struct model *m)
{
	const struct finding *f = m->tables.shown;
	return f && f->search.known ? &f->zugzwangs : NULL;
}

/* ---- of which slice? ---- */

static bool search(struct model *m, const struct el_slice *slice, const struct el_metric *metric)
{
	struct finding *f = tables_find(m, slice, metric);
	if (!f)
		return false;
	if (m->tables.shown != f)
		positions_of(m)->selected[ZUGZWANGS] = 0;
	m->tables.shown = f;
	f->why_none[0] = '\0';
	tables_search(m, f);
	return true;
}

/* The finest metric that has a table. */
static const struct el_metric *metric_of(struct model *m, const struct el_slice *slice)
{
	const struct el_metric *best = el_game_metric(slice->game);
	const struct el_metric *const *metric = slice->game->metrics;
	if (el_library_covers(m->library, slice, best))
		return best;
	while (*metric && !el_library_covers(m->library, slice, *metric))
		metric++;
	return *metric;
}

static bool choose(struct model *m, struct filter *f)
{
	const struct el_metric *metric = NULL;
	struct el_slice slice = {.game = NULL};
	for (int i = f->count; i-- > 0;) {
		if (f->term[i].kind == TERM_METRIC)
			metric = f->term[i].metric;
		else if (f->term[i].kind == TERM_SLICE)
			slice = f->term[i].slice;
		else
			continue;
		filter_remove(f, i);
	}
	if (!slice.game && metric && m->tables.shown)
		slice = m->tables.shown->slice;
	if (!slice.game)
		return true;
	metric = metric ? metric : metric_of(m, &slice);
	if (metric && el_library_covers(m->library, &slice, metric))
		return search(m, &slice, metric);
	const char *why = tables_hindrance(&m->tables, &slice, metric);
	if (why)
		model_fail(m, "The table of %s cannot be read: %s", slice.name, why);
	else
		model_fail(m, "There is no table of %s%s%s. Press 5 to build one.", slice.name,
		           metric ? " under " : "", metric ? metric->name : "");
	return false;
}

/* If no slice was chosen, takes that of the position on the board, if it is quick to search. */
static void zugzwangs_follow(struct model *m)
{
	const struct study *s = m->play.study;
	struct finding *f = m->tables.shown;
	if (f && !f->why_none[0])
		tables_search(m, f);
	if (!f && s && s->answer.has_slice && s->answer.source.metric &&
	    !s->answer.source.is_study && s->answer.slice.pieces <= UNASKED_PIECES)
		search(m, &s->answer.slice, s->answer.source.metric);
}

static size_t zugzwangs_count(const struct model *m)
{
	const struct el_zugzwangs *z = found(m);
	size_t sum = 0;
	for (int kind = 0; z && kind < EL_ZUGZWANGS; kind++)
		sum += z->count[kind];
	return sum;
}

static void zugzwangs_row(const struct model *m, size_t i, struct listed *out)
{
	const struct el_zugzwangs *z = found(m);
	int kind = 0;
	while (kind < EL_ZUGZWANGS - 1 && i >= z->count[kind])
		i -= z->count[kind++];
	el_zugzwangs_fen(z, (enum el_zugzwang)kind, i, out->fen);
	if (kind == EL_ZUGZWANG_WHITE_HALF &&
	    !z->slice.game->parse(out->fen, &out->position, NULL)) {
		out->position.side = EL_BLACK;
		z->slice.game->format(&out->position, out->fen);
	}
	snprintf(out->note, sizeof out->note, "%s", zugzwang_names[kind].name);
	zugzwang_words(z->slice.game, (enum el_zugzwang)kind, out->meaning);
}

/* Changes with the table, and when its zugzwangs are found. */
static unsigned zugzwangs_version(const struct model *m)
{
	const struct finding *f = m->tables.shown;
	unsigned number = 0;
	for (const struct finding *at = m->tables.findings; at && at != f; at = at->next)
		number++;
	return 4 * number + (f ? 2 : 0) + (f && f->search.known ? 1 : 0);
}

static void zugzwangs_empty(const struct model *m, char *out, size_t size)
{
	const struct finding *f = m->tables.shown;
	if (!f)
		snprintf(out, size,
		         "Type :zugzwangs and a slice, as in :zugzwangs KPvK, to list its mutual "
		         "zugzwangs.");
	else if (f->search.job)
		snprintf(out, size, "Looking for zugzwangs in %s.", f->slice.name);
	else if (f->search.known)
		snprintf(out, size,
		         "%s has no mutual zugzwangs. Type :zugzwangs KPvK for those of another "
		         "slice.",
		         f->slice.name);
	else
		snprintf(out, size,
		         "The zugzwangs of %s are not known: %s. Type :zugzwangs %s to try again.",
		         f->slice.name, f->why_none, f->slice.name);
}

static void zugzwangs_about(const struct model *m, char *out, size_t size)
{
	const struct el_zugzwangs *z = found(m);
	*out = '\0';
	z = zugzwangs_count(m) ? z : NULL;
	for (int kind = 0; z && kind < EL_ZUGZWANGS; kind++) {
		char number[GROUPED_MAX];
		el_text_add(out, size, "%s %s, ", zugzwang_names[kind].name,
		            grouped(z->placements[kind], number));
	}
	if (z)
		el_text_add(out, size, "%s",
		            z->partial ? "as far as known" : "one listed of each symmetry class");
}

const struct source zugzwangs_source = {
	.title = "Zugzwangs",
	.note = "kind",
	.asks = true,
	.follow = zugzwangs_follow,
	.count = zugzwangs_count,
	.row = zugzwangs_row,
	.version = zugzwangs_version,
	.empty = zugzwangs_empty,
	.about = zugzwangs_about,
	.choose = choose,
};
