/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slices of the brute-force solver: their names, and the tables that conversions enter. */
#include "brute_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* {files, ranks} of a step: a rook's, a bishop's, a knight's. */
static const int8_t steps[16][2] = {
	{1, 0},   {-1, 0},  {0, 1},  {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1},
	{-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}, {1, 2}, {2, 1},  {2, -1}, {1, -2},
};

void brute_need(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "brute: %s\n", what);
	abort();
}

static int material_compare(const unsigned a[PAWN + 1], const unsigned b[PAWN + 1])
{
	unsigned total_a = 0, total_b = 0;
	for (int k = KING; k <= PAWN; k++)
		total_a += a[k], total_b += b[k];
	if (total_a != total_b)
		return total_a < total_b ? -1 : 1;
	for (int k = QUEEN; k <= PAWN; k++)
		if (a[k] != b[k])
			return a[k] < b[k] ? -1 : 1;
	return 0;
}

void brute_name(unsigned count[2][PAWN + 1], char name[16], bool *swapped)
{
	char *p = name;
	*swapped = material_compare(count[0], count[1]) < 0;
	for (unsigned side = 0; side < 2; side++) {
		if (side)
			*p++ = 'v';
		for (int kind = KING; kind <= PAWN; kind++)
			for (unsigned i = 0; i < count[side ^ *swapped][kind]; i++)
				*p++ = "KQRBNP"[kind];
	}
	*p = 0;
}

static void count_of(const char *name, unsigned count[2][PAWN + 1])
{
	unsigned side = 0;
	memset(count, 0, 2 * sizeof count[0]);
	for (; *name; name++) {
		const char *letter = strchr("KQRBNP", *name);
		brute_need(*name == 'v' || letter != NULL, "no such piece");
		if (*name == 'v')
			side = 1;
		else
			count[side][letter - "KQRBNP"]++;
	}
}

const struct brute_table *brute_table(const struct brute *brute, const char *name)
{
	for (unsigned i = 0; i < brute->tables; i++)
		if (strcmp(brute->table[i]->name, name) == 0)
			return brute->table[i];
	return NULL;
}

static struct brute_table *new_table(const char *name)
{
	unsigned count[2][PAWN + 1];
	struct brute_table *t = calloc(1, sizeof *t);
	brute_need(t != NULL && strlen(name) < sizeof t->name, "no memory");
	strcpy(t->name, name);
	count_of(name, count);
	brute_need(count[0][KING] == 1 && count[1][KING] == 1, "not one king a side");
	for (unsigned side = 0; side < 2; side++)
		for (int kind = KING; kind <= PAWN; kind++)
			for (unsigned i = 0; i < count[side][kind]; i++) {
				brute_need(t->pieces < PIECES, "too many pieces");
				t->piece[t->pieces].side = (uint8_t)side;
				t->piece[t->pieces++].kind = (uint8_t)kind;
			}
	t->pawns = count[0][PAWN] + count[1][PAWN];
	t->en_passant = count[0][PAWN] && count[1][PAWN];
	for (unsigned i = 0; i < t->pieces; i++) {
		t->shift[i] = (uint8_t)(6 * (t->pieces - 1 - i));
		t->ones |= (uint32_t)1 << t->shift[i];
	}
	for (int direction = 0; direction < 16; direction++)
		for (int square = 0; square < 64; square++)
			t->step[direction][square] =
				(int8_t)step(square, steps[direction][0], steps[direction][1]);
	t->side_bit = (uint32_t)1 << 6 * t->pieces;
	t->right_bit = t->side_bit << 1;
	t->states = t->side_bit << (t->en_passant ? 2 : 1);
	t->value = calloc(t->states, sizeof *t->value);
	brute_need(t->value != NULL, "no memory");
	return t;
}

/* Where the pieces end up if `taken` (PIECES: none) leaves and `moved` becomes `kind`. */
static void find_way_out(struct brute *brute, const struct brute_table *t, unsigned taken,
                         unsigned moved, int kind, struct way_out *out)
{
	unsigned count[2][PAWN + 1];
	uint8_t kinds[PIECES];
	bool used[PIECES] = {false};
	char name[16];
	memset(count, 0, sizeof count);
	for (unsigned i = 0; i < t->pieces; i++) {
		kinds[i] = i == moved ? (uint8_t)kind : t->piece[i].kind;
		used[i] = i == taken;
		count[t->piece[i].side][kinds[i]] += i != taken;
	}
	brute_name(count, name, &out->swapped);
	out->to = brute_add_table(brute, name);
	for (unsigned i = 0; i < out->to->pieces; i++) {
		unsigned from = 0;
		while (used[from] || kinds[from] != out->to->piece[i].kind ||
		       t->piece[from].side != (out->to->piece[i].side ^ out->swapped))
			from++;
		used[from] = true;
		out->from[i] = (uint8_t)from;
	}
}

/* Adds a move of `moved` that takes `taken` or becomes another kind, and so changes the
   material. */
static bool is_way_out(const struct brute_table *t, unsigned taken, unsigned moved, int kind)
{
	bool promotes = kind != t->piece[moved].kind;
	if (promotes && (t->piece[moved].kind != PAWN || kind == KING))
		return false;
	if (taken == PIECES)
		return promotes;
	return taken < t->pieces && t->piece[taken].kind != KING &&
	       t->piece[taken].side != t->piece[moved].side;
}

static void find_ways_out(struct brute *brute, struct brute_table *t)
{
	for (unsigned taken = 0; taken <= PIECES; taken++)
		for (unsigned moved = 0; moved < t->pieces; moved++)
			for (int kind = KING; kind <= PAWN; kind++)
				if (is_way_out(t, taken, moved, kind))
					find_way_out(brute, t, taken, moved, kind,
					             &t->out[taken][moved][kind]);
}

const struct brute_table *brute_add_table(struct brute *brute, const char *name)
{
	const struct brute_table *known = brute_table(brute, name);
	if (known != NULL)
		return known;
	brute_need(brute->tables < TABLES, "too many slices");
	struct brute_table *t = new_table(name);
	t->number = brute->tables++;
	brute->table[t->number] = t;
	find_ways_out(brute, t);
	return t;
}
