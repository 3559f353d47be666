/* SPDX-License-Identifier: MIT */
/* The optimal line: repeats the best move that the present phase allows. */
#include "inside.h"

#include "core/base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { SEARCHED_MAX = 1 << 16, MEMO_SLOTS = 1 << 17 };

enum verdict { NO, YES, OPEN };

/* ---- a phase ---- */

/*
 * Optimal moves under the least limit. Stored values assume a clock at zero. Within a phase the
 * clock is elsewhere, and playing as if it were at zero leads past the limit. So a line keeps to
 * what both sides can enforce from its start: the least limit and the length of the phase. Whether
 * a position still allows that, with so many plies gone, mostly follows from its own values; if
 * not, a search settles it.
 */
struct phase {
	/* one with phases; null: takes moves as ranked */
	const struct el_metric *metric;
	bool under_way;
	unsigned limit, length;  /* of the game, and of the whole present phase; plies */
	unsigned gone;           /* plies of the phase played so far */
	struct phase_memo *memo; /* owned; null before the first search */
	unsigned searched;       /* positions, in the whole line */
	/* a move was taken without proof that it is best: too many positions */
	bool unproven;
};

/* What is settled of a position. What holds with some plies gone holds with fewer; what fails,
   fails with more. */
struct settled {
	uint64_t key, index;
	uint8_t plane, en_passant;
	/* with up to `holds` - 1 plies gone, with `fails` or more; 0: empty */
	uint16_t holds, fails;
};

struct phase_memo {
	struct settled settled[MEMO_SLOTS];
};

/* Can the winner still end this phase by ply `length` and keep every later one within `limit`, or
   keep all of them below `limit`? */
struct search {
	struct phase *phase;
	const struct probe *probe; /* the search ignores its metric */
	unsigned limit, length;
	unsigned winner;
};

static struct settled *slot_of(const struct search *s, const struct spot *spot)
{
	const struct el_place *place = &spot->place;
	const struct settled empty = {
		.key = place->key,
		.index = place->index,
		.plane = place->plane,
		.en_passant = spot->position->en_passant,
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

static bool look(const struct search *s, const struct spot *spot, const struct el_metric *metric,
                 struct el_value *out)
{
	struct probe probe = *s->probe;
	struct el_error error;
	probe.metric = metric;
	return !probe_value(&probe, spot, out, &error) && el_outcome_exact(out->outcome);
}

static bool is_won(const struct search *s, const struct spot *spot, struct el_value value)
{
	const enum el_outcome outcome = value.outcome;
	return spot->position->side == s->winner ? outcome > EL_DRAW : outcome < EL_DRAW;
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

/* Must the phase outlast last_ply from here, under any limit up to the search's? `least`: the
   position's least limit. */
static bool lasts_too_long(const struct search *s, const struct spot *spot, unsigned gone,
                           unsigned least)
{
	struct el_slice slice, successors[EL_SUCCESSORS_MAX];
	const struct el_game *game = s->probe->game;
	for (const struct el_metric *const *m = game->metrics; *m; m++) {
		struct el_value value;
		const bool counts = (*m)->end == EL_END_ZEROING && (*m)->join == EL_JOIN_ONE &&
		                    !(*m)->entered->has_phase &&
		                    (!(*m)->limit || (*m)->limit >= s->limit);
		if (counts && look(s, spot, *m, &value))
			return gone + value.plies > last_ply(s);
	}
	/* If nothing zeroes except mate and drawing moves, all is one phase. */
	return gone + least > last_ply(s) && !game->slice_of(spot->position, &slice, NULL) &&
	       !game->successors(&slice, successors);
}

/* Judges without a search. */
static enum verdict judge(const struct search *s, const struct spot *spot, bool ended,
                          unsigned gone)
{
	struct el_value value;
	/* The moves may settle the root although nothing is known of positions around it. */
	if (!look(s, spot, s->phase->metric, &value))
		return !ended && gone >= last_ply(s) ? NO : OPEN;
	if (!is_won(s, spot, value) || value.plies > s->limit)
		return NO;
	if (ended || !value.plies)
		return end_of_phase(s, gone, value.plies);
	if (gone + value.plies <= last_ply(s))
		return YES;
	if (gone >= last_ply(s) || (value.plies == s->limit && gone + value.phase > s->length))
		return NO;
	return lasts_too_long(s, spot, gone, value.plies) ? NO : OPEN;
}

/* ---- the search ---- */

static enum verdict search(struct search *, const struct spot *, unsigned gone);

/* The winner needs one move that works, the loser one that refutes. Searches only moves left
   open. */
static enum verdict over_moves(struct search *s, const struct spot *spot, unsigned gone)
{
	const struct el_game *game = s->probe->game;
	struct el_move moves[EL_MOVES_MAX];
	uint8_t open[EL_MOVES_MAX];
	struct step step;
	const enum verdict settles = spot->position->side == s->winner ? YES : NO;
	const size_t count = game->moves(spot->position, moves);
	enum verdict found = settles == YES ? NO : YES;
	size_t left = 0;
	for (size_t i = 0; i < count; i++) {
		const bool zeroes = game->zeroes(spot->position, &moves[i]);
		step_take(game, spot, &moves[i], &step);
		const enum verdict v = judge(s, &step.to, zeroes, gone + 1);
		if (v == settles)
			return v;
		if (v == OPEN)
			open[left++] = (uint8_t)i;
	}
	for (size_t i = 0; i < left; i++) {
		step_take(game, spot, &moves[open[i]], &step);
		const enum verdict v = search(s, &step.to, gone + 1);
		if (v == settles)
			return v;
		found = v == OPEN ? OPEN : found;
	}
	return found;
}

/* Searches a position that its values leave open. */
static enum verdict search(struct search *s, const struct spot *spot, unsigned gone)
{
	if (!spot->placed)
		return OPEN;
	const struct settled *known = slot_of(s, spot);
	if (gone < known->holds || gone >= known->fails)
		return gone < known->holds ? YES : NO;
	if (s->phase->searched == SEARCHED_MAX)
		return OPEN;
	s->phase->searched++;
	const enum verdict v = over_moves(s, spot, gone);
	struct settled *at = slot_of(s, spot);
	if (v == YES && gone >= at->holds)
		at->holds = (uint16_t)(gone + 1);
	if (v == NO && gone < at->fails)
		at->fails = (uint16_t)gone;
	return v;
}

/* ---- a phase, move by move ---- */

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
	const struct spot *spot;
	unsigned winner;
};

/* Finds the least number in low .. high with which the winner can keep the limit and end the phase
   by its length; `high` is one. Tries each as both `number` and `along`. */
static void find_least(const struct beginning *b, unsigned low, unsigned high, unsigned *number,
                       unsigned *along)
{
	while (low < high) {
		*number = *along = (low + high) / 2;
		struct search s = begin(b->phase, b->probe, b->phase->length, b->winner);
		const enum verdict v = over_moves(&s, b->spot, b->phase->gone);
		b->phase->unproven |= v == OPEN;
		if (v == YES)
			high = *number;
		else
			low = *number + 1;
	}
	*number = *along = high;
}

/* Sets *out to the place of the best move among an answer's ranked moves, and notes it as played.
   EL_MEMORY. */
static enum el_status phase_choose(struct phase *phase, const struct probe *probe,
                                   const struct el_answer *answer, const struct spot *spot,
                                   size_t *out, struct el_error *error)
{
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
		/* Finds the least limit, at most the stored one and the plies gone, for a phase as
		   long; then the phase's least length, which a table may have if the phase begins
		   here. */
		const struct beginning b = {phase, probe, spot, winner};
		find_least(&b, value.plies, value.plies + phase->gone, &phase->limit,
		           &phase->length);
		if (!phase->gone && value.phase)
			phase->length = value.phase;
		else
			find_least(&b, phase->gone + 1, phase->limit, &phase->length,
			           &phase->length);
	}
	/* The winner keeps limit and length; the loser allows nothing better. */
	struct search s = begin(phase, probe, wins ? phase->length : phase->length - 1, winner);
	size_t open = answer->count;
	bool found = false;
	for (size_t i = 0; i < answer->count && !found; i++) {
		const struct el_ranked *move = &answer->moves[i];
		struct step step;
		step_take(answer->game, spot, &move->move, &step);
		enum verdict v = judge(&s, &step.to, move->zeroes, phase->gone + 1);
		if (v == OPEN && !move->zeroes)
			v = search(&s, &step.to, phase->gone + 1);
		found = v == (wins ? YES : NO) && move->outcome == answer->moves[0].outcome;
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

/* ---- a line ---- */

struct line {
	struct el_question question;
	struct phase phase;
	size_t next;              /* the move played, among the last answer's */
	struct el_answer answer;  /* of the last position */
	struct el_position met[]; /* all positions: one more than moves */
};

/* Where a table cannot be used, a move may be better than the best known one, unless that one keeps the
   value. */
static bool is_best(const struct el_answer *answer, size_t rank, size_t move)
{
	const struct el_value value = answer->value[rank];
	return el_outcome_exact(value.outcome) &&
	       (answer->over || el_value_equal(answer->moves[move].value[rank], value));
}

/*
 * A line needs only the best move, and mostly the values of one metric settle it: several times faster
 * than ranking all moves by all that is known. Fills in what a line reads of the answer. False where
 * that takes more: phases, demands, sums of stones, or an outcome under the rule that another metric
 * may tell.
 */
static bool answer_quickly(const struct probe *asks, const struct spot *spot, struct line *line)
{
	const struct el_game *game = asks->game;
	const struct el_question *question = &line->question;
	const size_t rank = el_metric_rank(question->metric);
	const unsigned limit = game->zeroes ? 2 * question->rule : 0;
	const unsigned clock = spot->position->halfmove;
	struct el_answer *out = &line->answer;
	struct probe p = *asks;
	if (line->phase.metric || question->by_demand || question->mode || game->gain ||
	    !spot->placed || (limit && clock + 1 >= limit))
		return false;
	const struct el_source *source = catalogue_answering(
		catalogue_route(p.catalogue, game, spot->place.key), question->metric);
	if (!source)
		return false;
	/* The table's own metric may count on past the limit. */
	const struct el_metric *metric = el_metric_alike(source->metric, question->metric)
	                                         ? source->metric
	                                         : question->metric;
	struct el_value value;
	struct el_error error;
	p.metric = metric;
	if (probe_value(&p, spot, &value, &error) ||
	    !el_outcome_exact(el_value_in_time(metric, value, limit, clock)))
		return false;

	struct el_move moves[EL_MOVES_MAX];
	const size_t count = game->moves(spot->position, moves);
	struct el_value best = {0}, best_outcome = {0};
	char san[EL_MOVE_MAX], best_san[EL_MOVE_MAX] = "";
	size_t at = 0;
	for (size_t i = 0; i < count; i++) {
		struct step step;
		struct el_value reached;
		step_take(game, spot, &moves[i], &step);
		p.metric = step_metric(&step, metric);
		if (probe_value(&p, &step.to, &reached, &error) ||
		    !el_outcome_exact(reached.outcome))
			return false;
		const struct el_value now = step_value(&step, metric, reached);
		const struct el_value outcome = {
			.outcome = (uint8_t)el_outcome_negate(
				el_value_in_time(p.metric, reached, limit, step.after.halfmove))};
		if (!el_outcome_exact(outcome.outcome))
			return false;
		int order = i ? el_value_compare(&el_wdl, outcome, best_outcome) : 1;
		if (!order)
			order = el_value_compare(metric, now, best);
		if (order < 0)
			continue;
		if (!order) { /* as in the ranking, the first of equals by SAN */
			if (!*best_san)
				game->write_move(spot->position, &moves[at], EL_SAN, best_san);
			game->write_move(spot->position, &moves[i], EL_SAN, san);
			if (strcmp(san, best_san) > 0)
				continue;
		}
		strcpy(best_san, order ? "" : san);
		best = now;
		best_outcome = outcome;
		at = i;
	}
	line->next = 0;
	out->source.metric = source->metric;
	out->source.is_study = false;
	out->over = count == 0;
	out->run_out = false;
	out->count = count > 0;
	out->metrics[rank] = metric;
	out->value[rank] = value;
	out->outcome = el_value_in_time(metric, value, limit, clock);
	if (count) {
		out->moves[0].move = moves[at];
		out->moves[0].value[rank] = best;
		out->moves[0].outcome = best_outcome.outcome;
	}
	return true;
}

/* Optimal for a metric, as a question. */
static void ask_for(struct line *line, const struct el_metric *metric)
{
	line->question.metric = metric;
	line->question.only =
		1u << el_metric_rank(metric) | 1u << el_metric_rank(el_metric_chosen_by(metric));
}

/* Where a count has ended, no table may know the next one, but those of another metric; nor, in a draw,
   what the moves are worth that lose it. */
static void change_metric(struct line *line, const struct probe *probe, const struct spot *spot)
{
	struct el_question any = line->question;
	struct el_error error;
	any.metric = NULL;
	any.only = 0;
	const enum el_status status =
		probe_answer(probe->catalogue, probe->game, spot, &any, &line->answer, &error);
	if (!status && line->answer.metric && line->answer.metric->has_depth)
		ask_for(line, line->answer.metric);
}

/* Does the line end at spots[at]? If not, it continues with answer.moves[next], never by a
   bound. */
static enum el_status go_on(struct el_library *library, const struct el_game *game,
                            struct line *line, size_t at, enum el_line_end *end,
                            struct el_error *error)
{
	size_t rank = el_metric_rank(line->question.metric);
	struct el_answer *answer = &line->answer;
	struct spot spot;
	spot_at(game, &line->met[at], &spot);
	enum el_status status;
	bool again = true, met = false, asked = !line->question.asking;
	for (bool tried = false; again;) {
		const struct visit visit = library_enter(library);
		const struct probe probe = {.catalogue = visit.catalogue,
		                            .game = game,
		                            .faults = line->question.faults};
		status = answer_quickly(&probe, &spot, line)
		                 ? EL_OK
		                 : probe_answer(visit.catalogue, game, &spot, &line->question,
		                                answer, error);
		const uint8_t outcome = answer->value[rank].outcome;
		const bool has_ended = at && line->question.metric->join == EL_JOIN_ONE;
		if (!status && !line->phase.metric &&
		    ((has_ended && !el_outcome_exact(outcome)) ||
		     (outcome == EL_DRAW && answer->source.is_study &&
		      answer->source.metric != line->question.metric))) {
			change_metric(line, &probe, &spot);
			rank = el_metric_rank(line->question.metric);
		}
		const enum el_status fault = el_is_fault(status) ? status : EL_OK;
		if (status == fault)
			status = answer->over ? EL_OK
			                      : phase_choose(&line->phase, &probe, answer, &spot,
			                                     &line->next, error);
		library_leave(visit);
		if (!status && !is_best(answer, rank, line->next))
			status = fault;
		again = !tried && library_look_again(library, status);
		tried |= again;
		if (!again && !asked && status <= EL_NEGATIVE && el_answer_is_open(answer)) {
			asked = true;
			again = !el_library_ask(library, game, &line->met[at],
			                        line->question.asking, NULL);
		}
	}
	for (size_t i = 0; i < at && !met; i++)
		met = el_position_equal(&line->met[i], &line->met[at]);
	/* A move of which too little is known must be better than the best known one. */
	const bool hidden = !status && answer->count && el_outcome_exact(answer->outcome) &&
	                    el_outcome_upper(answer->moves[line->next].outcome) < answer->outcome;
	const bool exact = el_metric_alike(answer->metrics[rank], line->question.metric) &&
	                   el_outcome_exact(answer->value[rank].outcome);
	*end = EL_LINE_LONG;
	if (status)
		*end = EL_LINE_UNKNOWN;
	else if (answer->over)
		*end = EL_LINE_OVER;
	else if (game->drawn(&line->met[at]))
		*end = EL_LINE_BARE;
	else if (answer->run_out)
		*end = EL_LINE_RUN_OUT;
	else if (met)
		*end = EL_LINE_REPEATED;
	else if (!exact || hidden ||
	         !el_outcome_exact(answer->moves[line->next].value[rank].outcome))
		*end = EL_LINE_UNKNOWN;
	if (!status && at == 0 && !exact)
		status = *answer->why_unknown
		                 ? el_fail(error, EL_NEGATIVE, "%s", answer->why_unknown)
		                 : el_fail(error, EL_NEGATIVE, "no %s table covers %s",
		                           line->question.metric->name,
		                           answer->has_slice ? answer->slice.name : "the position");
	return status;
}

/* Of a repetition from `first` to `last`: do all moves lose that would end it for good? Asks only in a
   study, whose positions may have no other way to win. */
static bool is_held(struct el_library *library, const struct el_game *game, struct line *line,
                    size_t first, size_t last)
{
	const struct el_question question = {.only = 1u << el_metric_rank(&el_wdl)};
	const size_t rank = el_metric_rank(&el_wdl);
	const struct el_answer *answer = &line->answer;
	bool held = el_library_studies(library, game, &line->met[last]);
	for (size_t i = first; i < last && held; i++) {
		held = !el_library_answer(library, game, &line->met[i], &question, &line->answer,
		                          NULL);
		for (size_t m = 0; m < answer->count && held; m++)
			held = !answer->moves[m].zeroes ||
			       answer->moves[m].value[rank].outcome == EL_LOSS;
	}
	return held;
}

enum el_status el_library_line(struct el_library *library, const struct el_game *game,
                               const struct el_position *position,
                               const struct el_question *question, struct el_line *out,
                               struct el_error *error)
{
	struct spot first;
	spot_at(game, position, &first);
	out->count = 0;
	out->end = EL_LINE_UNKNOWN;
	out->unproven = false;
	enum el_status status = probe_admit(game, &first, error);
	if (status)
		return status;
	struct line *line = malloc(sizeof *line + (out->max + 1) * sizeof *line->met);
	if (!line)
		return el_fail(error, EL_MEMORY, "a line of %zu moves: out of memory", out->max);
	line->question = *question;
	/* Of moves with equal stones, not every one leads closer to a capture (soonest.c). */
	line->question.by_demand |= question->metric->kind->adds_up;
	line->met[0] = *position;
	const struct el_metric *chosen_by = el_metric_chosen_by(question->metric);
	ask_for(line, question->metric);
	line->phase = (struct phase){.metric = chosen_by->has_phase ? chosen_by : NULL};
	status = go_on(library, game, line, 0, &out->end, error);
	for (; out->end == EL_LINE_LONG && out->count < out->max; ++out->count) {
		const struct el_move *move = &line->answer.moves[line->next].move;
		game->play(&line->met[out->count], move, &line->met[out->count + 1]);
		out->moves[out->count] = *move;
		status = go_on(library, game, line, out->count + 1, &out->end, error);
	}
	if (out->end == EL_LINE_REPEATED) {
		size_t since = 0;
		while (!el_position_equal(&line->met[since], &line->met[out->count]))
			since++;
		if (is_held(library, game, line, since, out->count))
			out->end = EL_LINE_HELD;
	}
	out->unproven = line->phase.unproven;
	free(line->phase.memo);
	free(line);
	return status;
}
