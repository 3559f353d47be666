/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/probe/probe.h"
#include "model.h"
#include "window.h"

/* ---- the values: a job of up to 64 probes ---- */

struct map_job {
	struct job job;
	struct el_position position;
	uint8_t piece;
	const struct el_metric *candidate[EL_METRICS + 2];
	size_t candidates;
	struct map_values values;
	bool bounded; /* some value is known within bounds */
};

/* In order of preference: the metric that ranks moves, the game's own, any other depth, the
   outcome. */
static void list_candidates(struct map_job *j, const struct el_metric *chosen)
{
	if (chosen && el_game_has(j->job.game, chosen))
		j->candidate[j->candidates++] = el_metric_find(chosen->name);
	j->candidate[j->candidates++] = el_game_metric(j->job.game);
	for (const struct el_metric *const *m = j->job.game->metrics; *m; m++)
		if ((*m)->has_depth && *m != el_game_metric(j->job.game))
			j->candidate[j->candidates++] = *m;
	j->candidate[j->candidates++] = &el_wdl;
}

/* Uses the first of these that has a table; all squares have the same material, so the same
   table. A study has depths of some squares, and of others no more than bounds of the outcome. */
static struct el_value value_of(struct map_job *j, const struct el_position *p)
{
	struct el_value value;
	for (size_t i = 0; i < j->candidates; i++) {
		const struct el_metric *metric = j->candidate[i];
		const bool is_other = j->values.metric && j->values.metric != metric;
		if (is_other && metric != &el_wdl)
			continue;
		const enum el_status status = el_library_value(j->job.library, j->job.game, p,
		                                               metric, EL_PROBE_FULL, &value, NULL);
		if (status || (metric->has_depth && !el_outcome_exact(value.outcome)))
			continue;
		if (!el_outcome_exact(value.outcome))
			j->bounded = true;
		else if (is_other)
			continue;
		else
			j->values.metric = metric;
		return value;
	}
	j->values.lacks = true;
	return (struct el_value){.outcome = EL_UNKNOWN};
}

static void map_run(struct job *job, const struct el_watch *watch)
{
	struct map_job *j = (struct map_job *)job;
	bool decided = false;
	(void)watch;
	for (uint8_t square = 0; square < MAP_SQUARES; square++) {
		struct el_position p;
		struct el_value *value = &j->values.value[square];
		value->outcome = EL_BROKEN;
		if (window_try(j->job.game, &j->position, j->piece, square, &p) &&
		    !j->job.game->check(&p, NULL))
			*value = value_of(j, &p);
		decided |= el_outcome_exact(value->outcome) && value->outcome != EL_DRAW;
	}
	/* Bounds and draws have no depth. */
	if (j->bounded && !decided)
		j->values.metric = &el_wdl;
}

static void map_done(struct model *m, struct job *job)
{
	struct map_job *j = (struct map_job *)job;
	if (question_answer(&m->map.ask, job))
		m->map.values = j->values;
}

/* ---- which piece ---- */

static void changed(struct model *m)
{
	m->map.values = (struct map_values){.metric = NULL};
	question_change(m, &m->map.ask);
}

void piece_map_take(struct model *m, uint8_t square)
{
	m->map.piece = square;
	changed(m);
}

void piece_map_turn(struct model *m)
{
	m->map.position.side ^= 1;
	m->map.position.en_passant = EL_NO_SQUARE;
	changed(m);
}

/* The metric that ranks moves, if it asks for the clock; else null. */
static const struct el_metric *timed(const struct model *m)
{
	const struct el_metric *metric = m->play.study ? m->play.study->answer.metric : NULL;
	return metric && metric->by_clock ? metric : NULL;
}

void piece_map_ask(struct model *m)
{
	struct piece_map *map = &m->map;
	if (map->seen != m->play.changes) {
		/* If the tried piece has moved, it stays the one tried. */
		const struct el_move *last = walk_move(&m->play.walk);
		unsigned side;
		map->seen = m->play.changes;
		map->position = *play_position(m);
		if (last && last->from == map->piece)
			map->piece = last->to;
		if (!last || !el_square_taken(play_game(m), &map->position, map->piece, &side))
			map->piece = window_telling_piece(play_game(m), &map->position);
		changed(m);
	}
	if (map->ranked_by != m->metric)
		changed(m);
	map->ranked_by = m->metric;
	question_follow_tables(m, &map->ask);
	if (map->wanted && question_is_open(&map->ask)) {
		struct map_job *j =
			model_new_job(m, sizeof *j, LANE_PROBE, "mapping", map_run, map_done, NULL);
		if (j) {
			j->position = map->position;
			j->piece = map->piece;
			list_candidates(j, m->metric ? m->metric : timed(m));
			question_ask(m, &map->ask, &j->job);
		}
	}
	map->wanted = false;
}
