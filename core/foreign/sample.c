/* SPDX-License-Identifier: MIT */
/*
 * Do a table's values belong to its slice? Another slice's values agree with themselves but not
 * with the rules: a position is worth its best move, and a checkmated side has lost.
 *
 * The sample is the same every time. It has runs of positions, whose moves lead to the same few
 * blocks of the file; and in games with check it looks for checkmates, since in some slices hardly
 * any other position is decided.
 */
#include "foreign.h"

#include <stdio.h>

enum {
	RUNS = 4,
	RUN_POSITIONS = 6,   /* with each side to move in turn */
	RUN_LOOKS = 512,     /* indexes: most may be broken */
	MATES = 12,          /* checkmates in a sample */
	MATE_LOOKS = 200000, /* they are rare where hardly anything is won: 20 ms */
};

/* The range of a position's value, as far as it is known. */
struct span {
	struct el_value least, most;
};

enum { VALUE_TEXT = 48 };

static const char *value_text(const struct el_game *game, struct el_value v, char out[VALUE_TEXT])
{
	const char *outcome = el_outcome_name(v.outcome);
	if (v.outcome == EL_LOSS && v.plies == 0)
		snprintf(out, VALUE_TEXT, "a side that is %s", game->lost);
	else if (v.outcome == EL_DRAW)
		snprintf(out, VALUE_TEXT, "a draw");
	else
		snprintf(out, VALUE_TEXT, "a %s in %u %s", outcome, v.plies,
		         v.plies == 1 ? "ply" : "plies");
	return out;
}

static bool has_plane(const struct el_source *source, unsigned plane)
{
	return !(source->left_out >> plane & 1);
}

/* If the table lacks the position reached, its value is open, but the game goes on for a ply or
   more. */
static enum el_status value_of_move(struct el_source *source, const struct el_position *position,
                                    const struct el_move *move, struct span *out,
                                    struct el_error *error)
{
	const struct el_game *game = source->slice.game;
	struct span reached = {.least = {.outcome = EL_WIN, .plies = 1},
	                       .most = {.outcome = EL_LOSS, .plies = 2}};
	struct el_position after;
	struct el_place place;
	enum el_status status = EL_OK;
	game->play(position, move, &after);
	if (el_game_value(game, &after, &reached.least)) {
		reached.most = reached.least;
	} else if (after.en_passant == EL_NO_SQUARE && game->place(&after, &place) &&
	           place.key == source->slice.key && has_plane(source, place.plane)) {
		status = source->ops->probe(source, &after, &place, false, &reached.least, error);
		reached.most = reached.least;
	}
	out->least = el_value_of_move(source->metric, reached.least, false, 0);
	out->most = el_value_of_move(source->metric, reached.most, false, 0);
	return status;
}

static enum el_status check_position(struct el_source *source, const struct el_position *position,
                                     struct el_error *error)
{
	const struct el_game *game = source->slice.game;
	const struct el_metric *metric = source->metric;
	struct el_place place;
	struct el_value found;
	struct span rules;
	if (!game->place(position, &place))
		return EL_OK;
	enum el_status status = source->ops->probe(source, position, &place, false, &found, error);
	/* the range of its value by the rules and the values of its moves */
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = game->moves(position, moves);
	if (!count)
		rules.least = rules.most = game->stuck(position);
	for (size_t i = 0; i < count && !status; i++) {
		struct span one;
		status = value_of_move(source, position, &moves[i], &one, error);
		rules.least = i ? el_value_max(metric, rules.least, one.least) : one.least;
		rules.most = i ? el_value_max(metric, rules.most, one.most) : one.most;
	}
	if (status || (el_value_compare(metric, found, rules.least) >= 0 &&
	               el_value_compare(metric, found, rules.most) <= 0))
		return status;
	char fen[EL_FEN_MAX], least[VALUE_TEXT], most[VALUE_TEXT], value[VALUE_TEXT];
	game->format(position, fen);
	value_text(game, rules.least, least);
	value_text(game, rules.most, most);
	const bool known = el_value_equal(rules.least, rules.most);
	return el_fail(error, EL_DAMAGED,
	               "%s: damaged, or not a table of %s: %s: expected %s%s%s%s, found %s",
	               source->path, source->slice.name, fen, known ? "" : "at least ", least,
	               known ? "" : ", at most ", known ? "" : most,
	               value_text(game, found, value));
}

/* Spreads indexes over the slice: the factor is prime, so none comes twice. */
static uint64_t spread(const struct el_slice *slice, uint64_t n)
{
	return n * UINT64_C(2654435761) % slice->positions;
}

/* Checks a run of positions from index `first` on; UINT64_MAX: checkmates, wherever they are. */
static enum el_status check_run(struct el_source *source, uint64_t first, struct el_error *error)
{
	const struct el_slice *slice = &source->slice;
	const struct el_game *game = slice->game;
	const bool mates = first == UINT64_MAX;
	const uint64_t all = slice->positions * slice->planes;
	const uint64_t looks = !mates ? RUN_LOOKS : all < MATE_LOOKS ? all : MATE_LOOKS;
	const uint64_t enough = mates ? MATES : RUN_POSITIONS;
	enum el_status status = EL_OK;
	for (uint64_t i = 0, seen = 0; i < looks && seen < enough && !status; i++) {
		struct el_position position;
		struct el_move moves[EL_MOVES_MAX];
		const unsigned plane = (unsigned)(i % slice->planes);
		const uint64_t n = i / slice->planes;
		const uint64_t index = mates ? spread(slice, n) : (first + n) % slice->positions;
		if (!has_plane(source, plane) || !game->unplace(slice, plane, index, &position) ||
		    (mates && (!game->in_check(&position) || game->moves(&position, moves))))
			continue;
		status = check_position(source, &position, error);
		seen++;
	}
	return status;
}

enum el_status foreign_sample(struct el_source *source, bool mates, const struct el_watch *watch,
                              struct el_error *error)
{
	const struct foreign *f = (const struct foreign *)source;
	enum el_status status = EL_OK;
	for (uint64_t run = 0; run < RUNS && !status; run++) {
		status = foreign_tick(source, watch, run, RUNS, "samples", error);
		if (!status)
			status = check_run(source, spread(&source->slice, run), error);
	}
	if (!status && mates)
		status = check_run(source, UINT64_MAX, error);
	el_cache_forget(f->cache, f->source.owner); /* probes will need others */
	return status;
}
