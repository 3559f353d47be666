/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of a position and its moves under each metric. */
#include "metrics.h"

#include <stdlib.h>
#include <string.h>

OWN_STATE(, metrics, struct metrics);

/* ---- the moves ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct metrics_move *)a)->san, ((const struct metrics_move *)b)->san);
}

/* Drops the phase of a least limit, because it depends on the clock. */
static struct el_value under(const struct el_film *film, const struct el_metric *metric,
                             struct el_value v)
{
	v = el_metric_read(film->solved, metric, v);
	v.phase = 0;
	return v;
}

/* ---- summaries of the moves ---- */

/* Counts the distinct values of the slice's positions. A film's steps do not tell phases. */
static size_t count_values(const struct el_metric *metric, const struct el_film *film)
{
	bool outcome[EL_OUTCOMES] = {false};
	size_t depths = 0, outcomes = 0;
	for (size_t i = 0; i < film->step_count && !film->solved->has_phase; i++) {
		const struct el_film_step *s = &film->steps[i];
		const struct el_value v = {
			.outcome = (uint8_t)(s->rule == EL_FILM_WIN       ? EL_WIN
		                             : s->rule == EL_FILM_CURSED  ? EL_CURSED_WIN
		                             : s->rule == EL_FILM_BLESSED ? EL_BLESSED_LOSS
		                             : s->rule == EL_FILM_DRAWS   ? EL_DRAW
		                                                          : EL_LOSS),
			.plies = (uint16_t)s->ply};
		if (!s->decided[0] && !s->decided[1])
			continue;
		outcome[el_metric_read(film->solved, metric, v).outcome] = true;
		depths++;
	}
	for (int i = 0; i < EL_OUTCOMES; i++)
		outcomes += outcome[i];
	return metric->has_depth ? depths : outcomes;
}

bool metrics_is_best(const struct metrics_row *row, const struct metrics_move *move)
{
	const struct el_metric *by = el_metric_chosen_by(row->metric);
	return el_value_equal(move->value[el_metric_rank(by)], row->best[el_metric_rank(by)]);
}

static void compare(struct metrics_table *t, struct metrics_row *row)
{
	bool best[EL_MOVES_MAX];
	if (t->move_count) {
		/* Find the best value of all moves under a row's metric; moves with that value are
		   its best. */
		const struct el_metric *by = el_metric_chosen_by(row->metric);
		const size_t rank = el_metric_rank(by);
		row->best[rank] = t->moves[0].value[rank];
		for (size_t i = 1; i < t->move_count; i++)
			if (el_value_compare(by, t->moves[i].value[rank], row->best[rank]) > 0)
				row->best[rank] = t->moves[i].value[rank];
	}
	for (size_t i = 0; i < t->move_count; i++)
		best[i] = metrics_is_best(row, &t->moves[i]);
	for (size_t i = 0; i < t->move_count; i++) {
		if (!best[i])
			continue;
		for (size_t r = 0; r < t->rows; r++) {
			const struct el_metric *under = t->row[r].metric;
			const size_t k = el_metric_rank(under);
			const struct el_value v = t->moves[i].value[k];
			if (!row->count || el_value_compare(under, v, row->worst[k]) < 0)
				row->worst[k] = v;
			if (!row->count || el_value_compare(under, v, row->best[k]) > 0)
				row->best[k] = v;
		}
		row->count++;
	}
}

/* The first metric with depths that determines this one: one film serves several metrics. */
static const struct el_metric *filmed_for(const struct el_game *game,
                                          const struct el_metric *metric, unsigned rule)
{
	for (const struct el_metric *const *m = game->metrics; *m; m++) {
		const struct el_metric *deep = el_metric_ruled(el_metric_rank(*m), rule);
		if (deep->has_depth && el_film_shows(deep) && el_metric_tells(deep, metric))
			return deep;
	}
	return metric;
}

bool metrics_find(struct model *m, const struct el_slice *slice, const struct el_position *p,
                  unsigned rule, struct metrics_table *out)
{
	bool known = true;
	*out = (struct metrics_table){.rows = 0};
	struct el_move moves[EL_MOVES_MAX];
	out->move_count = slice->game->moves(p, moves);
	for (size_t i = 0; i < out->move_count; i++) {
		out->moves[i].move = moves[i];
		slice->game->write_move(p, &moves[i], EL_SAN, out->moves[i].san);
	}
	qsort(out->moves, out->move_count, sizeof *out->moves, by_name);
	for (const struct el_metric *const *game = slice->game->metrics; *game; game++) {
		if (!el_film_shows(*game)) /* the last ones of a game */
			continue;
		struct metrics_row *row = &out->row[out->rows++];
		row->metric = el_metric_ruled(el_metric_rank(*game), rule);
		const struct el_film_wish wish = {
			.slice = *slice, .metric = filmed_for(slice->game, row->metric, rule)};
		const struct el_film *film = films_want(m, &wish)->film;
		known = known && film;
		if (film) {
			struct el_film_move filmed[EL_MOVES_MAX];
			const size_t rank = el_metric_rank(row->metric),
				     count = el_film_moves(film, p, filmed);
			for (size_t i = 0; i < count; i++) {
				struct metrics_move *move = out->moves;
				while (!el_move_equal(&move->move, &filmed[i].move))
					move++;
				move->value[rank] = under(film, row->metric, filmed[i].value);
			}
			row->value = under(film, row->metric,
			                   el_film_value(film, p, film->step_count - 1).value);
			row->known = true;
			row->values = count_values(row->metric, film);
		}
	}
	for (size_t i = 0; i < out->rows; i++)
		if (out->row[i].known)
			compare(out, &out->row[i]);
	return known;
}
