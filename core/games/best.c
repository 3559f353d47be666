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

/* ---- sections ---- */

const uint16_t *best_symbols(const struct el_best *best, unsigned side, size_t section)
{
	const struct el_planes *planes = best->problem->planes;
	const struct el_lender *lender = best->problem->lender;
	const uint64_t first = best->section(best, section);
	const size_t piece = best->piece;
	if (planes->plane[side].symbols)
		return planes->plane[side].symbols + first;
	const uint16_t *symbols =
		lender->look(lender->context, planes, side, first / piece * piece, piece);
	return symbols ? symbols + first % piece : NULL;
}

void best_let_go(const struct el_best *best, unsigned side, size_t section)
{
	const struct el_planes *planes = best->problem->planes;
	const struct el_lender *lender = best->problem->lender;
	const uint64_t first = best->section(best, section);
	const size_t piece = best->piece;
	if (!planes->plane[side].symbols)
		lender->let_go(lender->context, planes, side, first / piece * piece, piece);
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

static enum el_status reached_open(struct best_reached *r, const struct el_best_problem *problem,
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
	r->won = best_score(
		metric, el_value_of_move(metric, (struct el_value){.outcome = EL_LOSS}, true, 0));
	enum el_status status = score_planes(&r->quiet, own, metric, false, 0, error);
	if (!status && el_metric_tells(metric, entered))
		status = score_planes(&r->ended, own, metric, true, 0, error);
	for (size_t i = 0; i < count && !status && problem->lender; i++) {
		const struct el_planes *planes;
		if (problem->moves == BEST_CAPTURES && successors[i].pieces == slice->pieces)
			continue;
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

void el_best_close(struct el_best *best)
{
	if (!best)
		return;
	struct best_reached *r = &best->reached;
	const struct el_lender *lender = best->problem->lender;
	if (best->close)
		best->close(best);
	free_scores(&r->quiet);
	free_scores(&r->ended);
	for (size_t i = 0; i < r->count; i++) {
		free_scores(&r->entered[i]);
		lender->give_back(lender->context, r->entered[i].planes);
	}
	free(best);
}

enum el_status best_make(const struct el_best_problem *problem, size_t size,
                         const struct el_best *members, struct el_best **out,
                         struct el_error *error)
{
	const struct el_slice *slice = &problem->planes->slice;
	struct el_best *best = calloc(1, size);
	if (!best)
		return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	*best = *members;
	best->problem = problem;
	if (!best->section) {
		best->section = best_section;
		best->sections = (size_t)((slice->positions + BEST_SECTION - 1) / BEST_SECTION);
		best->longest = BEST_SECTION;
		best->piece = LENT_COUNT;
	}
	const enum el_status status = reached_open(&best->reached, problem, error);
	if (status)
		el_best_close(best);
	else
		*out = best;
	return status;
}

const struct best_entered *best_entered_find(const struct best_reached *r, uint64_t key)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->entered[i].planes->slice.key == key)
			return &r->entered[i];
	return NULL;
}

enum el_status best_reader_close(struct best_reader *r, struct el_error *error)
{
	const struct el_lender *lender = r->lent.lender;
	best_settle(r);
	lent_let_go(&r->lent);
	return r->is_unread ? lender->check(lender->context, error) : EL_OK;
}

enum el_status best_team_open(struct best_team *team, const struct el_best *best,
                              const struct el_planes *planes, unsigned threads,
                              struct el_error *error)
{
	*team = (struct best_team){
		.threads = threads,
		.out = calloc(threads, sizeof *team->out),
		.scratch = calloc(threads, sizeof *team->scratch),
	};
	bool good = team->out && team->scratch;
	for (unsigned t = 0; t < threads && good; t++) {
		team->out[t] = malloc(best->longest * sizeof *team->out[t]);
		team->scratch[t] = aligned_alloc(64, (best->scratch + 63) / 64 * 64);
		good = team->out[t] && team->scratch[t];
	}
	for (unsigned i = 0; i < planes->slice.planes && good; i++) {
		const struct el_plane *plane = &planes->plane[i];
		int16_t *own = team->own[i] = malloc(plane->value_count * sizeof *own);
		good = own != NULL;
		for (uint32_t s = 0; s < plane->value_count && good; s++)
			own[s] = plane->values[s].outcome == EL_BROKEN
			                 ? (int16_t)NO_SCORE
			                 : best_score(planes->metric, plane->values[s]);
	}
	return good ? EL_OK : el_fail(error, EL_MEMORY, "%s: out of memory", planes->slice.name);
}

void best_team_close(struct best_team *team)
{
	for (unsigned t = 0; t < team->threads && team->out && team->scratch; t++) {
		free(team->out[t]);
		free(team->scratch[t]);
	}
	free(team->out);
	free(team->scratch);
	free(team->own[0]);
	free(team->own[1]);
}

/* ---- position by position ---- */

/*
 * The score of a position with the right to capture en passant, which no table stores: that of the same
 * position without it or, if that is less, of the best capture. So what follows a double step takes
 * no value of the side that made it, which may be left out. Without the right there may be no move.
 */
static int16_t best_with_right(const struct best_reached *r, const struct el_position *position,
                               struct lent *lent, bool *is_unread)
{
	const struct el_game *game = r->problem->planes->slice.game;
	struct el_position without = *position;
	struct el_move moves[EL_MOVES_MAX];
	struct el_place place;
	int16_t best = BEST_STUCK;
	without.en_passant = EL_NO_SQUARE;
	if (game->moves(&without, moves) && game->place(&without, &place)) {
		const struct el_planes *planes = r->quiet.planes;
		const uint16_t *symbol = best_symbol(&r->quiet, place.plane, place.index, lent);
		*is_unread |= !symbol;
		if (symbol)
			best = best_score(planes->metric,
			                  planes->plane[place.plane].values[*symbol]);
	}
	const size_t count = game->captures(position, moves);
	for (size_t i = 0; i < count; i++)
		best_raise(&best, best_of_move(r, position, &moves[i], lent, is_unread, NULL));
	return best;
}

int16_t best_of_move(const struct best_reached *r, const struct el_position *position,
                     const struct el_move *move, struct lent *lent, bool *is_unread, uint64_t *to)
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
	if (to)
		*to = leaves ? BEST_LEAVES : place.index;
	struct el_value value;
	const struct best_entered *e = ends ? &r->ended : &r->quiet;
	if (leaves)
		e = placed ? best_entered_find(r, place.key) : NULL;
	if (leaves && !e) {
		if (!r->problem->lender)
			return r->won;
		if (!el_game_value(game, &reached, &value))
			*is_unread = true;
		else
			return best_score(metric,
			                  el_value_of_move(metric, value, ends,
			                                   el_move_gain(game, position, move)));
		return BEST_STUCK;
	}
	if (reached.en_passant != EL_NO_SQUARE) {
		if (r->problem->moves == BEST_ZEROING)
			return BEST_STUCK;
		value = best_value(metric, best_with_right(r, &reached, lent, is_unread));
		if (value.outcome == EL_BROKEN)
			return BEST_HOLE;
		if (ends)
			value = el_metric_read(metric, el_metric_entered(metric), value);
		return best_score(metric, el_value_of_move(metric, value, ends, 0));
	}
	return best_at(e, place.plane, place.index, lent, is_unread);
}

int16_t best_of_position(const struct best_reached *r, const struct el_position *position,
                         struct lent *lent, bool *is_unread)
{
	struct el_move moves[EL_MOVES_MAX];
	const struct el_game *game = r->problem->planes->slice.game;
	const enum el_best_moves which = r->problem->moves;
	const size_t count = (which == BEST_CAPTURES  ? game->captures
	                      : which == BEST_ZEROING ? game->zeroing
	                                              : game->moves)(position, moves);
	int16_t best = BEST_STUCK;
	for (size_t i = 0; i < count; i++)
		best_raise(&best, best_of_move(r, position, &moves[i], lent, is_unread, NULL));
	return best;
}

/* ---- any game ---- */

uint64_t best_section(const struct el_best *best, size_t section)
{
	const uint64_t first = section * (uint64_t)BEST_SECTION;
	const uint64_t end = best->problem->planes->slice.positions;
	return first < end ? first : end;
}

static enum el_status plain_of(const struct el_best *best, unsigned side, size_t section,
                               int16_t *out, void *scratch, struct el_error *error)
{
	const struct el_slice *slice = &best->problem->planes->slice;
	const uint64_t first = best_section(best, section), end = best_section(best, section + 1);
	struct best_reader *reader = scratch;
	best_reader_open(reader, best->problem);
	for (uint64_t i = first; i < end; i++) {
		struct el_position position;
		*out++ = slice->game->unplace(slice, side, i, &position)
		                 ? best_of_position(&best->reached, &position, &reader->lent,
		                                    &reader->is_unread)
		                 : BEST_BROKEN;
	}
	return best_reader_close(reader, error);
}

static enum el_status plain_show(const struct el_best *best, size_t section,
                                 const struct best_visitor *visitor, void *scratch,
                                 struct el_error *error)
{
	const struct el_slice *slice = &best->problem->planes->slice;
	const uint64_t first = best_section(best, section), end = best_section(best, section + 1);
	struct best_reader *reader = scratch;
	best_reader_open(reader, best->problem);
	for (uint64_t i = first; i < end; i++) {
		struct el_position position;
		struct el_move moves[EL_MOVES_MAX];
		struct best_move list[EL_PITS];
		if (!best_asks(visitor, i - first) || !slice->game->unplace(slice, 0, i, &position))
			continue;
		const size_t count = slice->game->moves(&position, moves);
		for (size_t m = 0; m < count; m++)
			list[m].score =
				best_of_move(&best->reached, &position, &moves[m], &reader->lent,
			                     &reader->is_unread, &list[m].to);
		visitor->visit(visitor->context, i, list, count);
	}
	return best_reader_close(reader, error);
}

enum el_status plain_best_open(const struct el_best_problem *problem, struct el_best **out,
                               struct el_error *error)
{
	const struct el_best members = {
		.scratch = sizeof(struct best_reader),
		.of = plain_of,
		.show = problem->planes->metric->kind->adds_up ? plain_show : NULL,
	};
	return best_make(problem, sizeof members, &members, out, error);
}

enum el_status el_best_open(const struct el_best_problem *problem, struct el_best **out,
                            struct el_error *error)
{
	const struct el_game *game = problem->planes->slice.game;
	return (game->best ? game->best : plain_best_open)(problem, out, error);
}
