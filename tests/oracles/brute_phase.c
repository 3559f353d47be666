/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions, and one phase under one rule: backwards from its ends. */
#include "brute_phase.h"

#include <stdlib.h>
#include <string.h>

void *brute_memory(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);
	brute_need(memory != NULL, "no memory");
	return memory;
}

/* Returns an array with room for one more; the array doubles. */
static void *room(void *array, uint32_t count, size_t size)
{
	if (count & (count - 1))
		return array;
	array = realloc(array, (count ? 2 * (size_t)count : 1) * size);
	brute_need(array != NULL, "no memory");
	return array;
}

/* ---- which positions ---- */

static void add_state(struct region *r, uint32_t state)
{
	if (r->table->value[state] == ILLEGAL)
		return;
	r->state = room(r->state, r->count, sizeof *r->state);
	r->state[r->count++] = state;
}

/* The n-th way to place the pieces, with pawns on the squares of `pawns` and the others
   anywhere. */
static uint32_t placement(const struct brute_table *t, const uint8_t *pawns, uint32_t n)
{
	uint32_t state = 0;
	for (unsigned i = t->pieces, pawn = t->pawns; i-- > 0;) {
		bool given = pawns != NULL && t->piece[i].kind == PAWN;
		state |= (given ? pawns[--pawn] : n % 64) << t->shift[i];
		n /= given ? 1 : 64;
	}
	return state;
}

static void add_states(struct region *r, const uint8_t *pawns)
{
	const struct brute_table *t = r->table;
	unsigned free_pieces = pawns != NULL ? t->pieces - t->pawns : t->pieces;
	for (uint32_t n = 0; n < (uint32_t)1 << 6 * free_pieces; n++) {
		uint32_t state = placement(t, pawns, n);
		if (brute_canonical(t, state) != state)
			continue;
		for (unsigned side = 0; side < 2; side++)
			for (unsigned right = 0; right <= t->en_passant; right++)
				add_state(r, state | (side ? t->side_bit : 0) |
				                     (right ? t->right_bit : 0));
	}
}

/* The white king stays on its half of the board, so moves also lead to the mirrored pawns. */
static void find_states(struct region *r, const uint8_t *pawns)
{
	uint8_t mirrored[PIECES] = {0};
	add_states(r, pawns);
	if (pawns == NULL || r->table->pawns == 0)
		return;
	for (unsigned i = 0; i < r->table->pawns; i++)
		mirrored[i] = pawns[i] ^ 7;
	add_states(r, mirrored);
}

unsigned brute_pawns(const struct brute_table *t, uint32_t n, uint8_t pawns[PIECES])
{
	unsigned advance = 0, pawn = 0;
	for (unsigned i = 0; i < t->pieces; i++) {
		if (t->piece[i].kind != PAWN)
			continue;
		pawns[pawn] = (uint8_t)(8 + n % 48);
		int rank = rank_of(pawns[pawn++]);
		advance += (unsigned)(t->piece[i].side == EL_WHITE ? rank : 7 - rank);
		n /= 48;
	}
	return advance;
}

/* ---- which moves ---- */

/* The quiet moves of position i lead to after[after_at[i]], ... */
struct quiet {
	uint32_t *after_at, *after;
	uint32_t count, endings;
};

static void list_moves(struct region *r, uint32_t i, const uint32_t *local, struct quiet *q)
{
	const struct brute_table *t = r->table;
	struct board b;
	struct list list;
	brute_set_up(t, r->state[i], &b);
	brute_moves(t, &b, &list);
	for (unsigned k = 0; k < list.count; k++) {
		const struct move *m = &list.move[k];
		struct place after = brute_after(t, &b, m);
		if (after.table->value[after.state] == ILLEGAL)
			continue;
		r->moves[i]++;
		bool pawn_moves = t->piece[m->piece].kind == PAWN;
		if (!m->stays || (r->pawn_moves_end && pawn_moves)) {
			r->ending = room(r->ending, q->endings, sizeof *r->ending);
			r->ending[q->endings++] = after;
			continue;
		}
		uint32_t to = local[after.state];
		brute_need(to < r->count && r->state[to] == after.state, "not in the region");
		q->after = room(q->after, q->count, sizeof *q->after);
		q->after[q->count++] = to;
	}
	r->mated[i] = r->moves[i] == 0 && brute_king_attacked(t, &b, b.side);
}

/* Lists the reverse: which moves lead to a position. */
static void turn_round(struct region *r, const struct quiet *q)
{
	r->before_at = brute_memory(r->count + 2, sizeof *r->before_at);
	r->before = brute_memory(q->count, sizeof *r->before);
	for (uint32_t k = 0; k < q->count; k++)
		r->before_at[q->after[k] + 2]++;
	for (uint32_t i = 2; i < r->count + 2; i++)
		r->before_at[i] += r->before_at[i - 1];
	for (uint32_t i = 0; i < r->count; i++)
		for (uint32_t k = q->after_at[i]; k < q->after_at[i + 1]; k++)
			r->before[r->before_at[q->after[k] + 1]++] = i;
}

void region_open(struct region *r, const struct brute_table *t, const uint8_t *pawns,
                 uint32_t *local)
{
	struct quiet q = {0};
	*r = (struct region){.table = t, .pawn_moves_end = pawns != NULL};
	find_states(r, pawns);
	r->moves = brute_memory(r->count, sizeof *r->moves);
	r->mated = brute_memory(r->count, sizeof *r->mated);
	r->ending_at = brute_memory(r->count + 1, sizeof *r->ending_at);
	q.after_at = brute_memory(r->count + 1, sizeof *q.after_at);
	for (uint32_t i = 0; i < r->count; i++)
		local[r->state[i]] = i;
	for (uint32_t i = 0; i < r->count; i++) {
		list_moves(r, i, local, &q);
		q.after_at[i + 1] = q.count;
		r->ending_at[i + 1] = q.endings;
	}
	turn_round(r, &q);
	free(q.after_at);
	free(q.after);
}

void region_close(struct region *r)
{
	free(r->state);
	free(r->moves);
	free(r->mated);
	free(r->before_at);
	free(r->before);
	free(r->ending_at);
	free(r->ending);
}

/* ---- a phase ---- */

/* Positions in the order of decision, and therefore of plies. */
struct decided {
	uint32_t *position;
	uint32_t count;
	uint16_t *code;
};

static void decide(struct decided *d, uint32_t position, bool won, unsigned plies)
{
	d->code[position] = code_of(won, plies);
	d->position[d->count++] = position;
}

static bool counts(const struct rule *rule, uint16_t code)
{
	return code != 0 && !(code & CURSED) && plies_of(code) <= rule->entered;
}

/* Judges the moves that end the phase: a move into a lost position wins at once; a position is lost
   at once if all its moves end the phase and enter won positions. */
static void end_phase(const struct region *r, const struct rule *rule, uint32_t i, uint8_t *left,
                      struct decided *d)
{
	left[i] = r->moves[i];
	bool wins = false;
	for (uint32_t k = r->ending_at[i]; k < r->ending_at[i + 1]; k++) {
		if (!counts(rule, rule->ending[k]))
			continue;
		if (rule->ending[k] & WON)
			left[i]--;
		else
			wins = true;
	}
	if (wins || (r->moves[i] > 0 && left[i] == 0))
		decide(d, i, wins, 1);
}

static void tell_before(const struct region *r, uint32_t i, uint8_t *left, struct decided *d)
{
	bool won = d->code[i] & WON;
	unsigned plies = plies_of(d->code[i]) + 1;
	for (uint32_t k = r->before_at[i]; k < r->before_at[i + 1]; k++) {
		uint32_t before = r->before[k];
		if (d->code[before] != 0)
			continue;
		if (!won)
			decide(d, before, true, plies);
		else if (--left[before] == 0)
			decide(d, before, false, plies);
	}
}

void phase_solve(const struct region *r, const struct rule *rule, uint16_t *code)
{
	struct decided d = {.code = code, .position = brute_memory(r->count, sizeof *d.position)};
	uint8_t *left = brute_memory(r->count, sizeof *left);
	memset(code, 0, r->count * sizeof *code);
	for (uint32_t i = 0; i < r->count; i++)
		if (r->mated[i])
			decide(&d, i, false, 0);
	for (uint32_t i = 0; i < r->count && rule->limit > 0; i++)
		end_phase(r, rule, i, left, &d);
	for (uint32_t k = 0; k < d.count; k++)
		if (plies_of(code[d.position[k]]) < rule->limit)
			tell_before(r, d.position[k], left, &d);
	free(d.position);
	free(left);
}
