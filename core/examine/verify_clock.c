/* SPDX-License-Identifier: MIT */
/*
 * The proof of a table under a rule that counts moves, or of the least such rule. A position's
 * value follows from its moves at every ply of the present phase, so it is computed anew, over
 * position and clock, only from the rules of the game and the positions that zeroing moves enter.
 *
 * First each position's moves are listed, once, which also checks that its outcome without any rule
 * is that of its best move. A winner keeps the moves that keep the win, a loser all. One number is
 * enough for the zeroing moves: the least limit under which the position they enter is won, which
 * the winner minimizes and the loser maximizes; under a given rule, 1 if it is won in time, else
 * LATE.
 *
 * Then two recursions run over the lists, a pass over all positions for each ply:
 *
 *     D(P)    = 0 mated; 1 by a zeroing move that does; 1 + D(Q) by a quiet one
 *     V(P, c) = (c, c) mated; (max(c + 1, limit), c + 1) by a zeroing move;
 *               V(Q, c + 1) by a quiet one
 *
 * where the winner takes the least and the loser the greatest. D is the length of the phase if both
 * sides look no further. It is found in order of plies, so that no win rests on itself; if it is
 * not found, the stored outcome was wrong. V is the pair of dtr: the longest phase of the whole
 * game and the length of the present one, after c plies of it. Once c has reached C, the greatest
 * limit of any zeroing move, both are c + D(P); from there V is computed down to V(P, 0).
 *
 *     under a rule of N   the winner's zeroing moves must be in time, the loser's all: D <= N is in
 *                         time; else D without the rule, in cursed wins and blessed losses; or, if
 *                         the metric counts on past the limit, D with N + 1 for a zeroing move that
 *                         is too late
 *     dtr, dtzr           V(P, 0)
 *
 * For a position of the slice that a zeroing move enters, the table's value is used; such a move
 * cannot be taken back, so this is sound by induction.
 *
 * Memory: 16 bytes a position and side to move, and 1 to 3 bytes for each of its moves. Time:
 * listing takes as long as any other proof, and each of the D + C passes about a fortieth of that.
 */
#include "clockwork.h"

#include <stdlib.h>
#include <string.h>

/* ---- the passes ---- */

static inline bool is_decisive(const struct node *node)
{
	return node->outcome == EL_WIN || node->outcome == EL_LOSS;
}

/* The less for a winner, the greater for a loser. */
static inline uint32_t better(const struct node *node, uint32_t a, uint32_t b)
{
	return (a < b) == (node->outcome == EL_WIN) ? a : b;
}

/* The best value that quiet moves reach. */
static inline uint32_t best_quiet(const struct node *node, const uint8_t *moves,
                                  const uint32_t *reached)
{
	uint32_t best = node->outcome == EL_WIN ? NEVER : 0;
	const uint8_t *from = moves + node->start;
	uint64_t index = 0, step;
	for (unsigned i = 0; i < node->quiet; i++) {
		from = clockwork_number(from, &step);
		index += step;
		best = better(node, best, reached[index]);
	}
	return best;
}

static inline bool is_mated(const struct node *node)
{
	return !node->limit && !node->quiet;
}

/* D, given the positions decided so far. */
static uint32_t phase(const struct clockwork *w, const struct node *node, const uint8_t *moves,
                      const uint32_t *reached)
{
	if (is_mated(node))
		return 0;
	if (!w->clock)
		return NEVER;
	const struct el_metric *metric = w->proof->planes->metric;
	const bool late = metric->late && w->clock > metric->limit;
	uint32_t best = best_quiet(node, moves, reached);
	if (node->limit) /* of the best zeroing move; its ply is added below */
		best = better(node, best,
		              node->limit <= w->limit ? 0
		              : late                  ? metric->limit
		                                      : NEVER);
	return best == NEVER ? NEVER : best + 1;
}

static uint32_t pair(uint32_t longest, uint32_t present)
{
	return longest << 16 | present;
}

static enum el_status phase_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                  struct el_error *error)
{
	struct clockwork *w = context;
	const uint8_t *moves = w->moves[w->plane][first / SWEEP_CHUNK];
	const uint32_t *now = w->now[w->plane];
	uint32_t *next = w->next[w->plane];
	const uint32_t *reached = w->now[w->proof->planes->slice.planes == 1 ? 0 : !w->plane];
	bool has_found = false;
	for (uint64_t i = first; i < end; i++) {
		const struct node *node = &w->nodes[w->plane][i];
		next[i] = now[i];
		if (!is_decisive(node) || now[i] != NEVER)
			continue;
		next[i] = phase(w, node, moves, reached);
		has_found |= next[i] != NEVER;
	}
	if (has_found)
		atomic_store(&w->has_found, true);
	(void)thread, (void)error;
	return EL_OK;
}

/* V, given that for a clock one ply on. */
static enum el_status phases_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                   struct el_error *error)
{
	struct clockwork *w = context;
	const uint8_t *moves = w->moves[w->plane][first / SWEEP_CHUNK];
	const uint32_t *reached = w->now[w->proof->planes->slice.planes == 1 ? 0 : !w->plane];
	uint32_t *next = w->next[w->plane];
	const unsigned then = w->clock + 1;
	for (uint64_t i = first; i < end; i++) {
		const struct node *node = &w->nodes[w->plane][i];
		next[i] = NEVER;
		if (!is_decisive(node))
			continue;
		if (is_mated(node)) {
			next[i] = pair(w->clock, w->clock);
			continue;
		}
		next[i] = best_quiet(node, moves, reached);
		if (node->limit)
			next[i] = better(node, next[i],
			                 pair(node->limit > then ? node->limit : then, then));
	}
	(void)thread, (void)error;
	return EL_OK;
}

/* One pass over all positions. `done`: passes before it, out of `total`; 0: not known. */
static enum el_status pass(struct clockwork *w, const char *stage, unsigned done, unsigned total,
                           sweep_chunk *chunk, struct el_error *error)
{
	const struct el_slice *slice = &w->proof->planes->slice;
	enum el_status status = EL_OK;
	for (w->plane = 0; w->plane < slice->planes && status == EL_OK; w->plane++)
		status = sweep_run(
			&(struct sweep){stage, slice, w->proof->planes->metric, slice->positions,
		                        (done * slice->planes + w->plane) * slice->positions,
		                        total * slice->planes * slice->positions, w->proof->watch,
		                        w, chunk},
			error);
	for (unsigned i = 0; i < slice->planes; i++) {
		uint32_t *now = w->now[i];
		w->now[i] = w->next[i];
		w->next[i] = now;
	}
	return status;
}

/* Sets `now` to D of every position for which it is at most `most`. */
static enum el_status find_phases(struct clockwork *w, unsigned limit, unsigned most,
                                  struct el_error *error)
{
	const struct el_slice *slice = &w->proof->planes->slice;
	const struct el_metric *metric = w->proof->planes->metric;
	enum el_status status = EL_OK;
	w->limit = limit;
	for (unsigned i = 0; i < slice->planes; i++)
		memset(w->now[i], 0xff, slice->positions * sizeof *w->now[i]);
	/* The first pass finds mated positions, the next one those that end at once. */
	bool goes_on = true;
	for (w->clock = 0; status == EL_OK && w->clock <= most && goes_on; w->clock++) {
		atomic_store(&w->has_found, false);
		status = pass(w, "counting phases", w->clock, 0, phase_chunk, error);
		goes_on = !w->clock || atomic_load(&w->has_found);
		if (!goes_on && metric->late && w->clock < metric->limit) {
			/* skip to where zeroing moves that are too late count */
			w->clock = metric->limit;
			goes_on = true;
		}
	}
	return status;
}

/* Under a rule: finds D in time and, if that leaves any positions, D without the rule. */
static enum el_status find_in_time(struct clockwork *w, unsigned plies, struct el_error *error)
{
	const struct el_slice *slice = &w->proof->planes->slice;
	const bool counts_on = w->proof->planes->metric->late;
	bool any_late = false;
	enum el_status status = find_phases(w, 1, counts_on ? LATE : plies, error);
	for (unsigned i = 0; i < slice->planes && status == EL_OK; i++)
		for (uint64_t k = 0; k < slice->positions; k++) {
			w->in_time[i][k] = w->now[i][k] <= plies ? w->now[i][k] : NEVER;
			any_late |= w->now[i][k] == NEVER && is_decisive(&w->nodes[i][k]);
		}
	return status == EL_OK && any_late && !counts_on ? find_phases(w, LATE, LATE, error)
	                                                 : status;
}

/* Sets `now` to V(P, 0) of every position. */
static enum el_status find_pairs(struct clockwork *w, struct el_error *error)
{
	const struct el_slice *slice = &w->proof->planes->slice;
	unsigned greatest = 0;
	for (unsigned i = 0; i < slice->planes; i++)
		for (uint64_t k = 0; k < slice->positions; k++)
			if (w->nodes[i][k].limit > greatest)
				greatest = w->nodes[i][k].limit;
	enum el_status status = find_phases(w, LATE, LATE, error);
	for (unsigned i = 0; i < slice->planes && status == EL_OK; i++)
		for (uint64_t k = 0; k < slice->positions; k++) {
			const uint32_t phase = w->now[i][k];
			if (phase != NEVER)
				w->now[i][k] = pair(greatest + phase, greatest + phase);
		}
	for (w->clock = greatest; w->clock-- > 0 && status == EL_OK;)
		status = pass(w, "counting under the clock", greatest - 1 - w->clock, greatest,
		              phases_chunk, error);
	return status;
}

/* ---- comparing ---- */

static struct el_value expected(const struct clockwork *w, const struct node *node, uint64_t index)
{
	const struct proof *p = w->proof;
	const struct el_metric *metric = p->planes->metric;
	const uint32_t now = w->now[p->plane][index];
	const bool is_late = metric->limit && w->in_time[p->plane][index] == NEVER;
	const uint32_t phase = is_late || !metric->limit ? now : w->in_time[p->plane][index];
	if (phase == NEVER)
		return (struct el_value){.outcome = EL_DRAW};
	struct el_value v = {.outcome = node->outcome};
	if (!metric->limit) {
		v.plies = (uint16_t)(phase >> 16);
		v.phase = (uint16_t)phase;
		return el_metric_read(el_metric_entered(metric), metric, v);
	}
	if (is_late)
		v.outcome = node->outcome == EL_WIN ? EL_CURSED_WIN : EL_BLESSED_LOSS;
	v.plies = metric->has_depth ? (uint16_t)phase : 0;
	return v;
}

static enum el_status compare_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                    struct el_error *error)
{
	const struct clockwork *w = context;
	const struct proof *p = w->proof;
	for (uint64_t i = first; i < end; i++) {
		const struct node *node = &w->nodes[p->plane][i];
		if (!is_decisive(node))
			continue;
		const struct el_value stored = el_plane_value(&p->planes->plane[p->plane], i);
		proof_compare(&p->findings[thread], i, stored, expected(w, node, i));
	}
	(void)error;
	return EL_OK;
}

/* ---- the whole proof ---- */

bool proof_needs_clock(const struct el_metric *metric)
{
	return metric->limit || el_metric_entered(metric)->has_phase;
}

enum el_status proof_by_clock(struct proof *p, struct el_error *error)
{
	const struct el_slice *slice = &p->planes->slice;
	const struct el_metric *metric = p->planes->metric;
	const uint64_t chunks = (slice->positions + SWEEP_CHUNK - 1) / SWEEP_CHUNK;
	struct clockwork w = {.proof = p};
	enum el_status status = EL_OK;
	if (el_planes_partial(p->planes))
		return el_fail(error, EL_NEGATIVE,
		               "%s %s: a table with bounds cannot be proved under a rule",
		               slice->name, metric->name);
	for (unsigned i = 0; i < slice->planes && !status; i++) {
		w.nodes[i] = malloc(slice->positions * sizeof *w.nodes[i]);
		w.moves[i] = calloc(chunks, sizeof *w.moves[i]);
		w.now[i] = malloc(slice->positions * sizeof *w.now[i]);
		w.next[i] = malloc(slice->positions * sizeof *w.next[i]);
		if (metric->limit)
			w.in_time[i] = malloc(slice->positions * sizeof *w.in_time[i]);
		if (!w.nodes[i] || !w.moves[i] || !w.now[i] || !w.next[i] ||
		    (metric->limit && !w.in_time[i]))
			status = el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
		for (uint64_t k = 0; k < slice->positions && !status; k++)
			w.nodes[i][k] = (struct node){.outcome = EL_BROKEN};
	}
	if (!status)
		status = proof_pass(p, "verifying", slice->positions, 0, clockwork_list, &w, error);
	if (!status)
		status = metric->limit ? find_in_time(&w, metric->limit, error)
		                       : find_pairs(&w, error);
	if (!status)
		status = proof_pass(p, "comparing", slice->positions, 0, compare_chunk, &w, error);
	for (unsigned i = 0; i < slice->planes; i++) {
		for (uint64_t k = 0; w.moves[i] && k < chunks; k++)
			free(w.moves[i][k]);
		free(w.moves[i]);
		free(w.nodes[i]);
		free(w.now[i]);
		free(w.next[i]);
		free(w.in_time[i]);
	}
	return status;
}
