/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "phase.h"

#include "core/base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { SEARCHED_MAX = 1 << 16, MEMO_SLOTS = 1 << 17 };

enum verdict { NO, YES, OPEN };

/* ---- what was found ---- */

/* Of a position: what holds with so many plies gone holds with fewer, what fails fails with
   more. */
struct settled {
	uint64_t key, index;
	uint8_t plane, en_passant;
	/* with up to `holds` - 1 plies gone, with `fails` or more; 0: empty */
	uint16_t holds, fails;
};

struct phase_memo {
	struct settled settled[MEMO_SLOTS];
};

/* May the side that wins still end the phase by ply `length`, or any of the game's within less than
   `limit` plies? Never all of these after more than `limit`. */
struct search {
	struct phase *phase;
	const struct probe *probe; /* its metric is none of the search's */
	unsigned limit, length;
	unsigned winner;
};

static struct settled *slot_of(const struct search *s, const struct el_position *position,
                               const struct el_place *place)
{
	const struct settled empty = {
		.key = place->key,
		.index = place->index,
		.plane = place->plane,
		.en_passant = position->en_passant,
		.fails = UINT16_MAX,
	};
	const uint64_t number = place->index * 2 + place->plane;
	const uint64_t hash = (place->key ^ number) * HASH_FACTOR + empty.en_passant;
	struct settled *at = &s->phase->memo->settled[(hash ^ hash >> 29) % MEMO_SLOTS];
	if (!at->fails || at->key != empty.key || at->index != empty.index ||
	    at->plane != empty.plane || at->en_passant != empty.en_passant)
		*at = empty;
	return at;
}

/* ---- what values tell ---- */

static bool look(const struct search *s, const struct el_position *position,
                 const struct el_metric *metric, struct el_value *out)
{
	struct probe probe = *s->probe;
	struct el_error error;
	probe.metric = metric;
	return !probe_value(&probe, position, out, &error) && el_outcome_exact(out->outcome);
}

static bool is_won(const struct search *s, const struct el_position *position,
                   struct el_value value)
{
	const enum el_outcome outcome = value.outcome;
	return position->side == s->winner ? outcome > EL_DRAW : outcome < EL_DRAW;
}

/* The phase ends with ply `gone`, and the rest of the game needs `rest`. */
static enum verdict end_of_phase(const struct search *s, unsigned gone, unsigned rest)
{
	if (gone <= s->length && gone <= s->limit)
		return rest <= s->limit ? YES : NO;
	return gone < s->limit && rest < s->limit ? YES : NO;
}

/* The last ply with which the phase may end. */
static unsigned last_ply(const struct search *s)
{
	return s->length < s->limit ? s->limit - 1 : s->limit;
}

/* Nothing zeroes in it but mate and what draws: all is one phase. */
static bool is_one_phase(const struct search *s, const struct el_position *position)
{
	struct el_slice slice, successors[EL_SUCCESSORS_MAX];
	const struct el_game *game = s->probe->game;
	return !game->slice_of(position, &slice, NULL) && !game->successors(&slice, successors);
}

/* Is a phase longer than that from here on, whatever limit up to the search's is kept? `least`: the
   least limit of the position. */
static bool lasts_too_long(const struct search *s, const struct el_position *position,
                           unsigned gone, unsigned least)
{
	for (const struct el_metric *const *m = s->probe->game->metrics; *m; m++) {
		struct el_value value;
		const bool counts = (*m)->end == EL_END_ZEROING && (*m)->join == EL_JOIN_ONE &&
		                    !(*m)->entered->has_phase &&
		                    (!(*m)->limit || (*m)->limit >= s->limit);
		if (counts && look(s, position, *m, &value))
			return gone + value.plies > last_ply(s);
	}
	return gone + least > last_ply(s) && is_one_phase(s, position);
}

/* Without a search. */
static enum verdict judge(const struct search *s, const struct el_position *position, bool ended,
                          unsigned gone)
{
	struct el_value value;
	/* A root that its moves settle may lie among positions of which nothing is known. */
	if (!look(s, position, s->phase->metric, &value))
		return !ended && gone >= last_ply(s) ? NO : OPEN;
	if (!is_won(s, position, value) || value.plies > s->limit)
		return NO;
	if (ended || !value.plies)
		return end_of_phase(s, gone, value.plies);
	if (gone + value.plies <= last_ply(s))
		return YES;
	if (gone >= last_ply(s) || (value.plies == s->limit && gone + value.phase > s->length))
		return NO;
	return lasts_too_long(s, position, gone, value.plies) ? NO : OPEN;
}

/* ---- the search ---- */

static enum verdict search(struct search *, const struct el_position *, unsigned gone);

/* One side needs one move, the other all: the answers that settle it. */
static enum verdict over_moves(struct search *s, const struct el_position *position, unsigned gone)
{
	const struct el_game *game = s->probe->game;
	struct el_move moves[EL_MOVES_MAX];
	struct el_position open[EL_MOVES_MAX];
	const enum verdict settles = position->side == s->winner ? YES : NO;
	const size_t count = game->moves(position, moves);
	enum verdict found = settles == YES ? NO : YES;
	size_t left = 0;
	for (size_t i = 0; i < count; i++) {
		struct el_position *after = &open[left];
		game->play(position, &moves[i], after);
		const enum verdict v = judge(s, after, game->zeroes(position, &moves[i]), gone + 1);
		if (v == settles)
			return v;
		left += v == OPEN;
	}
	for (size_t i = 0; i < left; i++) {
		const enum verdict v = search(s, &open[i], gone + 1);
		if (v == settles)
			return v;
		found = v == OPEN ? OPEN : found;
	}
	return found;
}

/* Of a position that its values leave open. */
static enum verdict search(struct search *s, const struct el_position *position, unsigned gone)
{
	struct el_place place;
	if (!s->probe->game->place(position, &place))
		return OPEN;
	const struct settled *known = slot_of(s, position, &place);
	if (gone < known->holds || gone >= known->fails)
		return gone < known->holds ? YES : NO;
	if (s->phase->searched == SEARCHED_MAX)
		return OPEN;
	s->phase->searched++;
	const enum verdict v = over_moves(s, position, gone);
	struct settled *at = slot_of(s, position, &place);
	if (v == YES && gone >= at->holds)
		at->holds = (uint16_t)(gone + 1);
	if (v == NO && gone < at->fails)
		at->fails = (uint16_t)gone;
	return v;
}

static enum verdict ask(struct search *s, const struct el_position *after, bool ended)
{
	const unsigned gone = s->phase->gone + 1;
	const enum verdict v = judge(s, after, ended, gone);
	return v == OPEN && !ended ? search(s, after, gone) : v;
}

/* ---- a phase ---- */

void phase_open(struct phase *phase, const struct el_metric *metric)
{
	const struct el_metric *chosen_by = el_metric_chosen_by(metric);
	*phase = (struct phase){.metric = chosen_by->has_phase ? chosen_by : NULL};
}

void phase_close(struct phase *phase)
{
	free(phase->memo);
	phase->memo = NULL;
}

static struct search begin(struct phase *phase, const struct probe *probe, unsigned length,
                           unsigned winner)
{
	memset(phase->memo, 0, sizeof *phase->memo);
	return (struct search){phase, probe, phase->limit, length, winner};
}

/* A phase before its first move is chosen. */
struct beginning {
	struct phase *phase;
	const struct probe *probe;
	const struct el_answer *answer;
	unsigned winner;
};

/* Can the winner keep the limit, and end the phase by its length? */
static bool holds(const struct beginning *b)
{
	struct search s = begin(b->phase, b->probe, b->phase->length, b->winner);
	const enum verdict v = over_moves(&s, &b->answer->position, b->phase->gone);
	b->phase->unproven |= v == OPEN;
	return v == YES;
}

/* The least of the numbers up to `high`, which holds; `number` and `along` are set to each. */
static void find_least(const struct beginning *b, unsigned low, unsigned high, unsigned *number,
                       unsigned *along)
{
	while (low < high) {
		*number = *along = (low + high) / 2;
		if (holds(b))
			high = *number;
		else
			low = *number + 1;
	}
	*number = *along = high;
}

/* The position's own limit and length grow by the plies that are gone. A table may have the length
   of a phase that begins here; else the limit comes first, with a phase that may be as long. */
static void find_beginning(const struct beginning *b)
{
	struct phase *phase = b->phase;
	const struct el_value stored = b->answer->value[el_metric_rank(phase->metric)];
	find_least(b, stored.plies, stored.plies + phase->gone, &phase->limit, &phase->length);
	if (!phase->gone && stored.phase)
		phase->length = stored.phase;
	else
		find_least(b, phase->gone + 1, phase->limit, &phase->length, &phase->length);
}

enum el_status phase_choose(struct phase *phase, const struct probe *probe,
                            const struct el_answer *answer, size_t *out, struct el_error *error)
{
	const struct el_game *game = answer->game;
	*out = 0;
	if (!phase->metric)
		return EL_OK;
	const struct el_value value = answer->value[el_metric_rank(phase->metric)];
	if (!el_outcome_exact(value.outcome) || value.outcome == EL_DRAW)
		return EL_OK;
	phase->memo = phase->memo ? phase->memo : malloc(sizeof *phase->memo);
	if (!phase->memo)
		return el_fail(error, EL_MEMORY, "a line: out of memory");
	const bool wins = value.outcome > EL_DRAW;
	const unsigned winner = answer->position.side ^ !wins;
	if (!phase->under_way) {
		phase->under_way = true;
		phase->gone = answer->position.halfmove;
		find_beginning(&(struct beginning){phase, probe, answer, winner});
	}
	/* The winner keeps what there was; the loser lets the winner have nothing better. */
	struct search s = begin(phase, probe, wins ? phase->length : phase->length - 1, winner);
	size_t open = answer->count;
	bool found = false;
	for (size_t i = 0; i < answer->count && !found; i++) {
		struct el_position after;
		game->play(&answer->position, &answer->moves[i].move, &after);
		const enum verdict v = ask(&s, &after, answer->moves[i].zeroes);
		found = v == (wins ? YES : NO) &&
		        answer->moves[i].outcome == answer->moves[0].outcome;
		if (found)
			*out = i;
		else if (v == OPEN && open == answer->count)
			open = i;
	}
	if (!found && open < answer->count)
		*out = open;
	phase->unproven |= !found;
	phase->gone++;
	phase->under_way = !answer->moves[*out].zeroes;
	return EL_OK;
}
