/* SPDX-License-Identifier: MIT */
/* All that is known of a position: its value and every legal move, ranked. */
#include "inside.h"

#include <stdio.h>
#include <string.h>

/* A game's metrics under a rule. */
struct scheme {
	const struct el_game *game;
	unsigned rule;
	const struct el_metric *metrics[EL_METRICS]; /* by rank; null: the game lacks it */
	/* Their ranks, those that tell most first; and for each rank, a bit set of those that tell
	   it. */
	unsigned order[EL_METRICS], count, tellers[EL_METRICS];
};

/* An answer in the making. */
struct asker {
	struct probe probe; /* its metric changes with each question */
	unsigned limit;     /* of the rule in plies; 0: there is none */
	struct scheme scheme;
	struct el_answer *out;
	const struct spot *spot;        /* of the position */
	const struct el_metric *wanted; /* to rank by; null: the finest */
	bool by_demand;                 /* as the question says */
	unsigned wanted_count;       /* the first of the scheme's order: those that are asked for */
	bool lacking;                /* no table has the position's slice */
	bool studied;                /* but a study knows something of its outcome */
	const struct el_metric *own; /* of that study; else null */
	const struct el_metric *timed; /* asks for the clock, and a table of it tells; else null */
	/* when `lacking`, by rank: what the moves tell of the position */
	struct from_moves moves[EL_METRICS];
	/* the first that is more than a missing table; lack of memory before a file's */
	enum el_status fault;
	struct el_error *error;
};

/* ---- one position, under each metric in turn ---- */

struct subject {
	const struct spot *spot;
	const struct route *route; /* of its slice */
	unsigned asked;            /* bits by rank */
	struct el_value value[EL_METRICS];
	/* What the rules alone say, once asked. */
	enum { NOT_ASKED, SILENT, SETTLED } rules;
	struct el_value settled;
	/* receives the error if nothing answers for the outcome; may be null */
	struct el_error *why;
};

static struct subject subject_of(const struct asker *a, const struct spot *spot)
{
	return (struct subject){.spot = spot,
	                        .route = spot_route(a->probe.catalogue, a->probe.game, spot)};
}

/* The value under a metric, looked up once: a metric asked before may tell it, else a file answers
   (or its fault is reported), else the rules alone. Bounds have no depth. */
static struct el_value ask(struct asker *a, struct subject *s, const struct el_metric *metric)
{
	const struct el_game *game = a->probe.game;
	const size_t rank = el_metric_rank(metric);
	struct el_value *value = &s->value[rank];
	unsigned tellers = s->asked & a->scheme.tellers[rank];
	if (s->asked >> rank & 1)
		return *value;
	s->asked |= 1u << rank;
	for (; tellers; tellers &= tellers - 1) {
		const unsigned teller = (unsigned)__builtin_ctz(tellers);
		const bool now = !a->out->metrics[teller]->by_clock || !s->spot->position->halfmove;
		if (now && el_outcome_exact(s->value[teller].outcome)) {
			*value = el_metric_read(a->out->metrics[teller], metric, s->value[teller]);
			if (value->outcome != EL_UNKNOWN)
				return *value;
		}
	}

	struct el_error unread, *why = metric == &el_wdl ? s->why : NULL;
	if (!why && !catalogue_studies_tell(a->probe.catalogue, metric) &&
	    !catalogue_answering(s->route, metric) && !catalogue_fault(s->route, metric)) {
		if (s->rules == NOT_ASKED)
			s->rules = rules_value(game, s->spot->position, &s->settled) ? SETTLED
			                                                             : SILENT;
		*value = s->rules == SETTLED
		                 ? el_metric_read(el_game_metric(game), metric, s->settled)
		                 : (struct el_value){.outcome = EL_UNKNOWN};
		return *value;
	}
	a->probe.metric = metric;
	why = why ? why : &unread;
	const enum el_status status = probe_value(&a->probe, s->spot, value, why);
	if (status || (metric->has_depth && !el_outcome_exact(value->outcome)))
		*value = (struct el_value){.outcome = EL_UNKNOWN};
	if (status > EL_NEGATIVE && (!a->fault || !el_is_fault(status)))
		a->fault = el_fail(a->error, status, "%s", why->text);
	if (el_is_fault(status) && s->spot == a->spot)
		a->out->damaged |= 1u << rank;
	return *value;
}

/* The outcome under the rule, as far as all values asked for determine it. */
static enum el_outcome outcome_of(const struct asker *a, const struct subject *s)
{
	enum el_outcome outcome = EL_UNKNOWN;
	for (size_t m = 0; m < EL_METRICS; m++)
		if (s->asked >> m & 1)
			outcome = el_outcome_both(
				outcome, el_value_in_time(a->out->metrics[m], s->value[m], a->limit,
			                                  s->spot->position->halfmove));
	return outcome;
}

/* Are values under the next metric of the order needed? Those that are wanted come first; the others may
   settle an outcome under the rule that these leave open. */
static bool is_due(const struct asker *a, const struct subject *s, unsigned place)
{
	return place < a->wanted_count ||
	       (place < a->scheme.count && a->limit && !el_outcome_exact(outcome_of(a, s)));
}

/* ---- moves ---- */

/* Has the clock reached the limit with the game not over? */
static bool has_run_out(const struct asker *a, const struct el_position *position)
{
	struct el_move moves[EL_MOVES_MAX];
	return a->limit && position->halfmove >= a->limit && a->probe.game->moves(position, moves);
}

static void look_at_move(struct asker *a, const struct el_move *move, struct el_ranked *out)
{
	const struct el_game *game = a->probe.game;
	const struct el_position *position = &a->out->position;
	const struct el_metric *const *metrics = a->out->metrics;
	out->move = *move;
	out->only = false;
	out->demand = (struct el_demand){0};
	out->zeroes = game->zeroes && game->zeroes(position, move);
	game->write_move(position, move, EL_SAN, out->san);
	game->write_move(position, move, EL_UCI, out->uci);
	out->outcome = EL_UNKNOWN;
	for (size_t m = 0; m < EL_METRICS; m++)
		out->value[m] = (struct el_value){.outcome = EL_UNKNOWN};

	struct step step;
	step_take(game, a->spot, move, &step);
	struct subject after = subject_of(a, &step.to);
	if (game->gain) {
		/* If moves capture stones, the successor's outcome does not tell the move's: its
		   value is a sum. */
		const struct el_metric *sum = el_game_metric(game);
		const struct el_value value = step_value(&step, sum, ask(a, &after, sum));
		for (unsigned i = 0; i < a->scheme.count && value.outcome != EL_UNKNOWN; i++) {
			const unsigned m = a->scheme.order[i];
			out->value[m] = el_metric_read(sum, metrics[m], value);
		}
		out->outcome = value.outcome;
	} else {
		for (unsigned i = 0; is_due(a, &after, i); i++) {
			const unsigned m = a->scheme.order[i];
			const struct el_value reached =
				ask(a, &after, step_metric(&step, metrics[m]));
			out->value[m] = step_value(&step, metrics[m], reached);
		}
		out->outcome = el_outcome_negate(outcome_of(a, &after));
	}
	if (a->out->run_out || has_run_out(a, step.to.position))
		out->outcome = el_outcome_too_late(out->outcome);
	if (!a->lacking)
		return;

	/* What the move tells of the position. Metrics that others tell are skipped. */
	const enum el_outcome plain = out->value[el_metric_rank(&el_wdl)].outcome;
	for (unsigned i = 0; i < a->scheme.count; i++) {
		const unsigned m = a->scheme.order[i];
		if (from_moves_metric(metrics[m]) == metrics[m])
			from_moves_add(&a->moves[m], &step, out->value[m], plain);
	}
}

/* ---- the answer ---- */

static const struct el_metric *metric_to_rank_by(const struct asker *a)
{
	const struct el_answer *out = a->out;
	const struct el_metric *finest = ranking_finest(out);
	if (ranking_has_value(out, a->wanted))
		return out->metrics[el_metric_rank(a->wanted)];
	/* Under the rule, no other count to mate is right at every clock. */
	if (ranking_has_value(out, a->timed))
		return a->timed;
	/* A study knows its metric throughout. Others are known by some moves alone: of these only one that
	   counts to the end is worth more, and none of a draw, which has no depth. */
	const bool is_better = finest && finest->join == EL_JOIN_SUM &&
	                       out->value[el_metric_rank(finest)].outcome != EL_DRAW;
	return ranking_has_value(out, a->own) && !is_better ? a->own : finest;
}

static void look_at_position(struct asker *a)
{
	struct el_answer *out = a->out;
	const struct el_game *game = a->probe.game;
	struct el_error why = {.text = ""};
	struct subject s = subject_of(a, a->spot);
	s.why = &why;
	out->in_check = game->in_check(&out->position);
	out->has_slice =
		a->spot->placed && game->slice_of(&out->position, &out->slice, NULL) == EL_OK;

	/* If the answering table counts on past the limit, so must the values of moves. */
	const struct el_source *source = NULL;
	for (unsigned m = 0; m < EL_METRICS; m++) {
		const struct el_metric *metric = out->metrics[m];
		if (!metric || !metric->limit || !metric->has_depth)
			continue;
		source = catalogue_answering(s.route, metric);
		if (source && el_metric_alike(source->metric, metric))
			out->metrics[m] = source->metric;
	}
	for (unsigned m = 0; m < EL_METRICS; m++)
		if (out->metrics[m] && out->metrics[m]->by_clock &&
		    out->metrics[m]->limit == a->limit &&
		    catalogue_answering(s.route, out->metrics[m]))
			a->timed = out->metrics[m];
	for (unsigned i = 0; is_due(a, &s, i); i++)
		out->value[a->scheme.order[i]] = ask(a, &s, out->metrics[a->scheme.order[i]]);
	out->outcome = outcome_of(a, &s);
	out->metric = metric_to_rank_by(a);

	/* Texts are copied: the next rescan may close the source. */
	source = out->has_slice ? catalogue_answering(s.route, out->metric ? out->metric : &el_wdl)
	                        : NULL;
	a->probe.metric = &el_wdl;
	const struct holding *silent = NULL,
			     *study = source ? NULL : study_telling(&a->probe, a->spot, &silent);
	source = study ? study->source : source || !silent ? source : silent->source;
	out->source.is_study = source && source->root;
	out->source.is_remembered = source && source->ops->covers && !source->root;
	out->source.metric = source ? source->metric : NULL;
	a->own = study ? study->metric : NULL;
	out->metric = metric_to_rank_by(a);
	const bool file = source && !out->source.is_remembered;
	snprintf(out->source.file, sizeof out->source.file, "%s",
	         file     ? basename(source->path)
	         : source ? source->detail
	                  : "");
	snprintf(out->source.detail, sizeof out->source.detail, "%s", file ? source->detail : "");

	a->lacking = catalogue_lacks(s.route);
	a->studied = study && out->value[el_metric_rank(&el_wdl)].outcome != EL_UNKNOWN;
	for (unsigned i = 0; a->lacking && i < a->scheme.count; i++)
		from_moves_begin(&a->moves[a->scheme.order[i]], out->metrics[a->scheme.order[i]]);
	why_begin(&a->probe, a->spot, why.text, out);
}

/* Takes over what the moves tell of the position. */
static void settle(struct asker *a)
{
	struct el_answer *out = a->out;
	for (unsigned i = 0; i < a->scheme.count; i++) {
		const unsigned m = a->scheme.order[i];
		const struct el_metric *base = from_moves_metric(out->metrics[m]);
		const struct el_value before = out->value[m];
		if (el_outcome_exact(before.outcome))
			continue;
		out->value[m] = el_metric_read(base, out->metrics[m],
		                               from_moves_end(&a->moves[el_metric_rank(base)]));
		if (before.outcome != EL_UNKNOWN) /* a study's bounds */
			out->value[m].outcome =
				(uint8_t)el_outcome_both(before.outcome, out->value[m].outcome);
		out->from_moves |= out->value[m].outcome != before.outcome &&
		                   (m == el_metric_rank(&el_wdl) || !a->studied);
	}
	out->metric = metric_to_rank_by(a);
}

/*
 * The position's outcome constrains its moves: none is better, and one is as good. So if only one
 * move may be as good, and it is open whether it comes in time, it does.
 */
static void settle_moves(struct el_answer *out)
{
	const enum el_outcome best = out->outcome;
	struct el_ranked *only = NULL;
	size_t as_good = 0;
	if (out->run_out || !el_outcome_exact(best))
		return;
	for (struct el_ranked *m = out->moves; m < out->moves + out->count; m++) {
		if (el_outcome_untimed(m->outcome) && el_outcome_upper(m->outcome) > best)
			m->outcome = el_outcome_lower(m->outcome);
		if (el_outcome_upper(m->outcome) < best)
			continue;
		only = m;
		as_good++;
	}
	if (as_good == 1 && el_outcome_untimed(only->outcome))
		only->outcome = best;
}

/* The steps of a value that changes with the clock. Up to the limit less its plies it does not. */
static void look_at_clocks(struct asker *a, const struct el_metric *metric)
{
	struct el_answer *out = a->out;
	struct el_position position = out->position;
	struct spot spot = *a->spot;
	spot.position = &position;
	a->probe.metric = metric;
	out->steps = 0;
	for (unsigned clock = 0; clock < metric->limit;) {
		struct el_value v;
		struct el_error error;
		position.halfmove = (uint16_t)clock;
		if (probe_value(&a->probe, &spot, &v, &error)) {
			out->steps = 0; /* nothing is said of the rest */
			return;
		}
		if (v.outcome != EL_WIN && v.outcome != EL_LOSS)
			return;
		const struct el_course_step *last = out->steps ? &out->step[out->steps - 1] : NULL;
		if (last && last->plies != v.plies && out->steps == EL_ANSWER_STEPS)
			return;
		if (!last || last->plies != v.plies)
			out->step[out->steps++] = (struct el_course_step){0, v.plies};
		const unsigned sure = v.plies < metric->limit ? metric->limit - v.plies : clock;
		clock = sure > clock ? sure : clock;
		out->step[out->steps - 1].until = (uint16_t)clock++;
	}
}

static void look_at_moves(struct asker *a)
{
	struct el_move moves[EL_MOVES_MAX];
	struct el_answer *out = a->out;
	enum el_outcome best = EL_LOSS;
	out->count = a->probe.game->moves(&out->position, moves);
	out->over = out->count == 0;
	out->run_out = a->limit && !out->over && out->position.halfmove >= a->limit;
	if (out->run_out)
		out->outcome = el_outcome_too_late(out->outcome);
	for (size_t i = 0; i < out->count; i++) {
		look_at_move(a, &moves[i], &out->moves[i]);
		best = el_outcome_max(best, out->moves[i].outcome);
	}
	if (out->run_out)
		best = el_outcome_too_late(best);
	/* The moves may tell whether it is in time; a zeroing move does. */
	if (!out->over && (a->lacking || el_outcome_untimed(out->outcome)))
		out->outcome = el_outcome_both(out->outcome, best);
	if (a->lacking)
		settle(a);
	settle_moves(out);
	ranking_sort(out, a->spot, a->by_demand ? &a->probe : NULL);
}

/* One look at a table usually serves several metrics, so those that tell most others are asked
   first. Usually the scheme is the one that was asked for last. */
static struct scheme scheme_of(const struct el_game *game, unsigned rule)
{
	static _Thread_local struct scheme last;
	struct scheme *s = &last;
	unsigned tells[EL_METRICS] = {0};
	if (s->game == game && s->rule == rule)
		return last;
	*s = (struct scheme){.game = game, .rule = rule};
	for (size_t m = 0; m < EL_METRICS; m++) {
		const struct el_metric *metric = el_metric_ruled(m, rule);
		s->metrics[m] = el_game_tells(game, metric) ? metric : NULL;
	}
	for (unsigned have = 0; have < EL_METRICS; have++)
		for (unsigned want = 0; want < EL_METRICS; want++) {
			if (have == want || !s->metrics[have] || !s->metrics[want] ||
			    !el_metric_tells(s->metrics[have], s->metrics[want]))
				continue;
			s->tellers[want] |= 1u << have;
			tells[have]++;
		}
	for (unsigned m = 0; m < EL_METRICS; m++) {
		unsigned at = s->count;
		if (!s->metrics[m])
			continue;
		for (; at && tells[s->order[at - 1]] < tells[m]; at--)
			s->order[at] = s->order[at - 1];
		s->order[at] = m;
		s->count++;
	}
	return last;
}

/* Moves the metrics that are wanted (bits by rank; 0: all), and the outcome, to the front of the order;
   returns how many. */
static unsigned put_first(struct scheme *s, unsigned only)
{
	unsigned rest[EL_METRICS], wanted = 0, others = 0;
	if (!only)
		return s->count;
	only |= 1u << el_metric_rank(&el_wdl);
	for (unsigned i = 0; i < s->count; i++)
		if (only >> s->order[i] & 1)
			s->order[wanted++] = s->order[i];
		else
			rest[others++] = s->order[i];
	memcpy(s->order + wanted, rest, others * sizeof *rest);
	return wanted;
}

static struct scheme begin(struct el_answer *out, const struct el_game *game,
                           const struct el_position *position, const struct el_question *question)
{
	const unsigned wanted = question->metric ? question->metric->limit / 2 : 0;
	out->game = game;
	out->position = *position;
	out->damaged = 0;
	out->steps = 0;
	out->rule = game->zeroes ? question->rule : 0;
	out->from_moves = false;
	const struct scheme scheme = scheme_of(game, out->rule ? out->rule
	                                             : wanted  ? wanted
	                                                       : EL_RULE_USUAL);
	for (size_t m = 0; m < EL_METRICS; m++) {
		out->metrics[m] = scheme.metrics[m];
		out->value[m] = (struct el_value){.outcome = EL_UNKNOWN};
	}
	return scheme;
}

enum el_status probe_answer(const struct catalogue *catalogue, const struct el_game *game,
                            const struct spot *spot, const struct el_question *question,
                            struct el_answer *out, struct el_error *error)
{
	const struct scheme scheme = begin(out, game, spot->position, question);
	struct asker a = {
		.scheme = scheme,
		.probe = {.catalogue = catalogue,
	                  .game = game,
	                  .soft = question->mode & EL_PROBE_SOFT,
	                  .faults = question->faults},
		.limit = 2 * out->rule,
		.wanted = question->metric,
		.by_demand = question->by_demand,
		.out = out,
		.spot = spot,
		.error = error,
	};
	a.wanted_count = put_first(&a.scheme, question->only);
	look_at_position(&a);
	if (question->alone && !a.lacking) { /* looks at moves only if the clock has run out */
		out->run_out = has_run_out(&a, &out->position);
		out->over = a.limit && out->position.halfmove >= a.limit && !out->run_out;
		if (out->run_out)
			out->outcome = el_outcome_too_late(out->outcome);
	} else {
		look_at_moves(&a);
	}
	if (a.timed && !question->alone && !out->over)
		look_at_clocks(&a, a.timed);
	if (question->alone)
		out->count = 0;
	why_explain(&a.probe, spot, a.lacking, a.fault != EL_OK, out);
	return a.fault;
}

bool el_answer_is_open(const struct el_answer *answer)
{
	bool known = !answer->count, all = true;
	for (size_t i = 0; i < answer->count; i++) {
		known |= answer->moves[i].outcome == answer->outcome;
		all &= el_outcome_exact(answer->moves[i].outcome);
	}
	/* Without a table of its own, a position may be known as one after a move, or by some of its
	   moves alone. */
	return !el_outcome_exact(answer->outcome) || !known ||
	       ((answer->source.is_remembered || answer->from_moves) && !all);
}

/* Once: is something open, and was anything learned elsewhere? If nobody could be asked, that is why it is not
   known. */
static bool ask_elsewhere(struct el_library *library, const struct el_game *game,
                          const struct el_question *question, struct el_answer *out, bool *asked)
{
	struct el_error why;
	if (*asked || question->mode & EL_PROBE_SOFT || !el_answer_is_open(out))
		return false;
	*asked = true;
	const enum el_status status =
		el_library_ask(library, game, &out->position, question->asking, &why);
	const size_t bare = out->why_bare ? out->why_bare : strlen(out->why_unknown);
	if (status && status != EL_NEGATIVE && bare) {
		snprintf(out->why_unknown + bare, EL_WHY_MAX - bare, "; %s", why.text);
		out->why_bare = 0;
	}
	return !status;
}

enum el_status el_library_answer(struct el_library *library, const struct el_game *game,
                                 const struct el_position *position,
                                 const struct el_question *question, struct el_answer *out,
                                 struct el_error *error)
{
	static const struct el_question plain = {.mode = EL_PROBE_FULL};
	struct el_error why;
	question = question ? question : &plain;
	struct spot spot;
	spot_at(game, position, &spot);
	enum el_status status = probe_admit(game, &spot, &why);
	if (status) {
		*out = (struct el_answer){.outcome = EL_UNKNOWN};
		begin(out, game, position, question);
		snprintf(out->why_unknown, sizeof out->why_unknown, "%.*s",
		         (int)sizeof out->why_unknown - 1, why.text);
		return el_fail(error, status, "%s", why.text);
	}
	bool tried = false, asked = !question->asking;
	do {
		const struct visit visit = library_enter(library);
		status = probe_answer(visit.catalogue, game, &spot, question, out, error);
		library_leave(visit);
	} while (ask_elsewhere(library, game, question, out, &asked) ||
	         (!tried && (tried = library_look_again(library, status))));
	return status;
}
