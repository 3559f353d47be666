/* SPDX-License-Identifier: MIT */
#include "best.h"

#include <stdlib.h>

/* ---- scores ---- */

/* Each outcome has a band of so many scores for its plies. */
enum { BAND = 6500, DRAWN = 2 * BAND + 1 };

int16_t best_score(const struct el_metric *metric, struct el_value v)
{
	if (v.outcome == EL_BROKEN)
		return BEST_HOLE;
	if (v.outcome > EL_WIN || v.plies >= BAND || v.phase || v.rounded || v.at_most)
		return BEST_STUCK;
	if (metric->kind->adds_up)
		return (int16_t)(DRAWN + el_value_stones(v));
	const int plies = v.plies;
	const int score[] = {
		[EL_LOSS] = 1 + plies,       [EL_BLESSED_LOSS] = 1 + BAND + plies,
		[EL_DRAW] = DRAWN,           [EL_CURSED_WIN] = 4 * BAND - plies,
		[EL_WIN] = 5 * BAND - plies,
	};
	return (int16_t)score[v.outcome];
}

struct el_value best_value(const struct el_metric *metric, int16_t score)
{
	if (score == BEST_HOLE)
		return (struct el_value){.outcome = EL_BROKEN};
	if (metric->kind->adds_up)
		return el_value_of_stones(score - DRAWN);
	if (score == DRAWN)
		return (struct el_value){.outcome = EL_DRAW};
	const enum el_outcome outcome = score <= BAND       ? EL_LOSS
	                                : score < DRAWN     ? EL_BLESSED_LOSS
	                                : score <= 4 * BAND ? EL_CURSED_WIN
	                                                    : EL_WIN;
	const int plies = outcome == EL_LOSS           ? score - 1
	                  : outcome == EL_BLESSED_LOSS ? score - 1 - BAND
	                  : outcome == EL_CURSED_WIN   ? 4 * BAND - score
	                                               : 5 * BAND - score;
	return (struct el_value){.outcome = (uint8_t)outcome, .plies = (uint16_t)plies};
}

/* ---- what moves lead to ---- */

static enum el_status score_planes(struct best_entered *e, const struct el_planes *planes,
                                   const struct el_metric *metric, bool ends, unsigned gain,
                                   struct el_error *error)
{
	e->planes = planes;
	e->piece = LENT_COUNT;
	for (unsigned i = 0; i < planes->slice.planes; i++) {
		const struct el_plane *plane = &planes->plane[i];
		int16_t *score = calloc(plane->value_count, sizeof *score);
		e->score[i] = score;
		if (!score)
			return el_fail(error, EL_MEMORY, "%s: out of memory", planes->slice.name);
		for (uint32_t s = 0; s < plane->value_count; s++) {
			struct el_value v = plane->values[s];
			if (ends && v.outcome != EL_BROKEN)
				v = el_metric_read(planes->metric, el_metric_entered(metric), v);
			if (v.outcome != EL_BROKEN)
				v = el_value_of_move(metric, v, ends, gain);
			score[s] = best_score(metric, v);
			if (score[s] == BEST_STUCK)
				return el_fail(error, EL_NEGATIVE,
				               "%s: its values must be proved one by one",
				               planes->slice.name);
		}
	}
	return EL_OK;
}

enum el_status best_reached_open(struct best_reached *r, const struct el_best_problem *problem,
                                 struct el_error *error)
{
	const struct el_planes *own = problem->planes;
	const struct el_slice *slice = &own->slice;
	const struct el_metric *metric = own->metric, *entered = el_metric_entered(metric);
	struct el_slice successors[EL_SUCCESSORS_MAX];
	const size_t count = slice->game->successors(slice, successors);
	*r = (struct best_reached){.problem = problem};
	r->drawn = best_score(
		metric, el_value_of_move(metric, (struct el_value){.outcome = EL_DRAW}, true, 0));
	enum el_status status = score_planes(&r->quiet, own, metric, false, 0, error);
	if (!status && el_metric_tells(metric, entered))
		status = score_planes(&r->ended, own, metric, true, 0, error);
	for (size_t i = 0; i < count && !status; i++) {
		const struct el_planes *planes;
		status = problem->lender->lend(problem->lender->context, &successors[i], metric,
		                               &planes, error);
		const unsigned gain =
			slice->game->gain ? (unsigned)(slice->pieces - successors[i].pieces) : 0;
		if (!status)
			status = score_planes(&r->entered[r->count++], planes, metric, true, gain,
			                      error);
	}
	return status;
}

static void free_scores(struct best_entered *e)
{
	free(e->score[0]);
	free(e->score[1]);
}

void best_reached_close(struct best_reached *r)
{
	free_scores(&r->quiet);
	free_scores(&r->ended);
	for (size_t i = 0; i < r->count; i++) {
		free_scores(&r->entered[i]);
		r->problem->lender->give_back(r->problem->lender->context, r->entered[i].planes);
	}
}

const struct best_entered *best_entered_find(const struct best_reached *r, uint64_t key)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->entered[i].planes->slice.key == key)
			return &r->entered[i];
	return NULL;
}

/* ---- position by position ---- */

int16_t best_of_move(const struct best_reached *r, const struct el_position *position,
                     const struct el_move *move, struct lent *lent, bool *is_unread)
{
	const struct el_slice *slice = &r->problem->planes->slice;
	const struct el_game *game = slice->game;
	const struct el_metric *metric = r->problem->planes->metric;
	struct el_position reached;
	struct el_place place;
	game->play(position, move, &reached);
	const bool placed = game->place(&reached, &place);
	const bool leaves = !placed || place.key != slice->key;
	const bool ends = el_move_ends(game, metric, position, move, leaves);
	struct el_value value;
	const struct best_entered *e = ends ? &r->ended : &r->quiet;
	if (leaves)
		e = placed ? best_entered_find(r, place.key) : NULL;
	if (leaves && !e) {
		if (!el_game_value(game, &reached, &value))
			*is_unread = true;
		else
			return best_score(metric,
			                  el_value_of_move(metric, value, ends,
			                                   el_move_gain(game, position, move)));
		return BEST_STUCK;
	}
	if (reached.en_passant != EL_NO_SQUARE) {
		/* No table stores this right, so such a position is played on. */
		value = best_value(metric, best_of_position(r, &reached, lent, is_unread));
		if (ends)
			value = el_metric_read(metric, el_metric_entered(metric), value);
		return best_score(metric, el_value_of_move(metric, value, ends, 0));
	}
	const uint16_t *symbols = e->planes->plane[place.plane].symbols;
	uint64_t index = place.index;
	if (!symbols) {
		symbols = lent_look(lent, e->planes, place.plane, index / e->piece * e->piece,
		                    e->piece);
		index %= e->piece;
	}
	*is_unread |= !symbols;
	return symbols ? e->score[place.plane][symbols[index]] : BEST_STUCK;
}

int16_t best_of_position(const struct best_reached *r, const struct el_position *position,
                         struct lent *lent, bool *is_unread)
{
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = r->problem->planes->slice.game->moves(position, moves);
	int16_t best = BEST_STUCK;
	for (size_t i = 0; i < count; i++) {
		const int16_t score = best_of_move(r, position, &moves[i], lent, is_unread);
		best = score > best ? score : best;
	}
	return best;
}

/* ---- any game ---- */

enum { SECTION = 2048 };

struct plain_best {
	struct el_best head;
	struct best_reached reached;
};

static uint64_t plain_section(const struct el_best *best, size_t section)
{
	const uint64_t first = section * (uint64_t)SECTION;
	const uint64_t end = best->problem->planes->slice.positions;
	return first < end ? first : end;
}

static enum el_status plain_of(const struct el_best *best, unsigned side, size_t section,
                               int16_t *out, void *scratch, struct el_error *error)
{
	const struct plain_best *b = (const struct plain_best *)best;
	const struct el_slice *slice = &best->problem->planes->slice;
	const struct el_lender *lender = best->problem->lender;
	const uint64_t first = plain_section(best, section), end = plain_section(best, section + 1);
	struct lent *lent = scratch;
	bool is_unread = false;
	*lent = (struct lent){.lender = lender};
	for (uint64_t i = first; i < end; i++) {
		struct el_position position;
		*out++ = slice->game->unplace(slice, side, i, &position)
		                 ? best_of_position(&b->reached, &position, lent, &is_unread)
		                 : BEST_BROKEN;
	}
	lent_let_go(lent);
	return is_unread ? lender->check(lender->context, error) : EL_OK;
}

static void plain_close(struct el_best *best)
{
	struct plain_best *b = (struct plain_best *)best;
	best_reached_close(&b->reached);
	free(b);
}

enum el_status plain_best_open(const struct el_best_problem *problem, struct el_best **out,
                               struct el_error *error)
{
	const struct el_slice *slice = &problem->planes->slice;
	struct plain_best *b = malloc(sizeof *b);
	if (!b)
		return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	b->head = (struct el_best){
		.problem = problem,
		.sections = (size_t)((slice->positions + SECTION - 1) / SECTION),
		.longest = SECTION,
		.piece = LENT_COUNT,
		.scratch = sizeof(struct lent),
		.section = plain_section,
		.of = plain_of,
		.close = plain_close,
	};
	const enum el_status status = best_reached_open(&b->reached, problem, error);
	if (status)
		plain_close(&b->head);
	else
		*out = &b->head;
	return status;
}

enum el_status el_best_open(const struct el_best_problem *problem, struct el_best **out,
                            struct el_error *error)
{
	const struct el_game *game = problem->planes->slice.game;
	return (game->best ? game->best : plain_best_open)(problem, out, error);
}
