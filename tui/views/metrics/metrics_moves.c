/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each metric says of a position and its moves. */
#include "metrics.h"

#include <stdlib.h>
#include <string.h>

const struct state metrics_state = {sizeof(struct metrics)};

struct metrics *metrics_of(const struct model *m)
{
	return state_of(m, &metrics_state);
}

/* ---- the moves ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct metrics_move *)a)->san, ((const struct metrics_move *)b)->san);
}

static struct metrics_move *move_of(struct metrics_table *t, const struct el_move *move)
{
	struct metrics_move *m = t->moves;
	while (!el_move_equal(&m->move, move))
		m++;
	return m;
}

static void list_moves(struct metrics_table *t, const struct el_game *game,
                       const struct el_position *p)
{
	struct el_move moves[EL_MOVES_MAX];
	t->move_count = game->moves(p, moves);
	for (size_t i = 0; i < t->move_count; i++) {
		t->moves[i].move = moves[i];
		game->write_move(p, &moves[i], EL_SAN, t->moves[i].san);
	}
	qsort(t->moves, t->move_count, sizeof *t->moves, by_name);
}

/* A metric without depths is read off one with them. */
static struct el_value under(const struct el_metric *metric, struct el_value v)
{
	return metric->has_depth ? v : (struct el_value){.outcome = v.outcome};
}

static void add_values(struct metrics_table *t, struct metrics_row *row,
                       const struct el_film *film, const struct el_position *p)
{
	struct el_film_move moves[EL_MOVES_MAX];
	const size_t rank = el_metric_rank(row->metric), count = el_film_moves(film, p, moves);
	for (size_t i = 0; i < count; i++)
		move_of(t, &moves[i].move)->value[rank] = under(row->metric, moves[i].value);
	row->value = under(row->metric, el_film_value(film, p, film->step_count - 1).value);
}

/* ---- what they come to ---- */

/* Different values that positions of the slice have. */
static size_t count_values(const struct el_metric *metric, const struct el_film *film)
{
	bool outcome[EL_WIN + 1] = {false};
	size_t depths = 0, outcomes = 0;
	for (size_t i = 0; i < film->step_count; i++) {
		const struct el_film_step *s = &film->steps[i];
		if (!s->decided[0] && !s->decided[1])
			continue;
		outcome[s->rule == EL_FILM_WIN     ? EL_WIN
		        : s->rule == EL_FILM_DRAWS ? EL_DRAW
		                                   : EL_LOSS] = true;
		depths++;
	}
	for (int i = 0; i <= EL_WIN; i++)
		outcomes += outcome[i];
	return metric->has_depth ? depths : outcomes;
}

static void compare(struct metrics_table *t, struct metrics_row *row)
{
	const size_t rank = el_metric_rank(row->metric);
	for (size_t i = t->move_count; i-- > 0;) {
		const struct metrics_move *m = &t->moves[i];
		if (!el_value_equal(m->value[rank], row->value))
			continue;
		row->first = i;
		for (size_t k = 0; k < EL_METRICS; k++) {
			const struct el_metric *by = el_metrics[k];
			if (!row->count || el_value_compare(by, m->value[k], row->worst[k]) < 0)
				row->worst[k] = m->value[k];
			if (!row->count || el_value_compare(by, m->value[k], row->best[k]) > 0)
				row->best[k] = m->value[k];
		}
		row->count++;
	}
}

bool metrics_find(struct model *m, const struct el_slice *slice,
                  const struct el_position *p, struct metrics_table *out)
{
	bool known = true;
	out->rows = 0;
	list_moves(out, slice->game, p);
	for (size_t i = 0; el_metrics[i]; i++) {
		if (!el_game_has(slice->game, el_metrics[i]))
			continue;
		struct metrics_row *row = &out->row[out->rows++];
		const struct el_metric *filmed =
			el_metrics[i]->has_depth ? el_metrics[i] : el_game_metric(slice->game);
		const struct el_film_wish wish = {.slice = *slice, .metric = filmed};
		const struct el_film *film = films_want(m, &wish)->film;
		*row = (struct metrics_row){.metric = el_metrics[i]};
		known = known && film;
		if (film)
			add_values(out, row, film, p);
		if (film)
			row->values = count_values(row->metric, film);
	}
	for (size_t i = 0; i < out->rows && known; i++)
		compare(out, &out->row[i]);
	return known;
}
