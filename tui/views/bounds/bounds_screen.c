/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Bounds shows: the six values in order at the left, the loop and its last step beside them,
   and, if there is room, all steps. */
#include "bounds.h"

#include "tui/screen/roles.h"

#include <stdio.h>

static const char letters[LOOP_NODES] = "ABCD";

/* ---- glyphs: in ASCII, in single and in double lines ---- */

enum glyph {
	ACROSS,
	DOWN,
	TOP_LEFT,
	TOP_RIGHT,
	BOTTOM_LEFT,
	BOTTOM_RIGHT,
	LEFTWARDS,
	RIGHTWARDS,
	UPWARDS,
	DOWNWARDS,
	GLYPHS
};

static const uint32_t glyphs[3][GLYPHS] = {
	{'-', '|', '+', '+', '+', '+', '<', '>', '^', 'v'},
	{0x2500, 0x2502, 0x250C, 0x2510, 0x2514, 0x2518, 0x2190, 0x2192, 0x2191, 0x2193},
	{0x2550, 0x2551, 0x2554, 0x2557, 0x255A, 0x255D, 0x2190, 0x2192, 0x2191, 0x2193},
};

static void put(struct pane p, int y, int x, enum role role, enum glyph glyph)
{
	pane_put(p, y, x, role, glyphs[p.canvas->ascii ? 0 : 1][glyph]);
}

/* ---- the lattice ---- */

enum { LATTICE_COLS = 20, LATTICE_ROWS = 11 };

static const char *const meanings[EL_OUTCOMES] = {
	[EL_WIN] = "a win",
	[EL_AT_LEAST_DRAW] = "a draw or a win: at least a draw",
	[EL_DRAW] = "a draw",
	[EL_UNKNOWN] = "a loss, a draw or a win: nothing is known",
	[EL_AT_MOST_DRAW] = "a loss or a draw: at most a draw",
	[EL_LOSS] = "a loss",
};

static const char *name_of(unsigned outcome, char out[BOUNDS_NAME_MAX])
{
	return bounds_letters((struct bounds_value){(uint8_t)outcome, false}, out);
}

/* The value explained is in brackets. */
static void draw_lattice(const struct bounds_loop *b, struct pane p)
{
	static const struct {
		int y, x;
	} at[LOOP_EXITS] = {{1, 6}, {3, 6}, {5, 2}, {5, 10}, {7, 6}, {9, 6}};
	pane_text(p, 0, 0, ROLE_DIM, "higher is better");
	for (int i = 0; i < LOOP_EXITS; i++) {
		char name[BOUNDS_NAME_MAX];
		const bool is_chosen = b->values.at == i;
		const struct pane cell = pane_sub(p, at[i].y, at[i].x, 1, 4);
		if (is_chosen)
			pane_fill(cell, ROLE_SELECTED);
		pane_text(cell, 0, 1, outcome_role(loop_values[i]), name_of(loop_values[i], name));
		pane_text(cell, 0, 0, ROLE_STRONG, is_chosen ? "[" : " ");
		pane_text(cell, 0, 3, ROLE_STRONG, is_chosen ? "]" : " ");
		pane_zone(cell, ZONE_ITEM, i);
	}
	put(p, 2, 7, ROLE_DIM, DOWN);
	pane_text(p, 4, 5, ROLE_DIM, "/    \\");
	pane_text(p, 6, 5, ROLE_DIM, "\\    /");
	put(p, 8, 7, ROLE_DIM, DOWN);
}

static void draw_meaning(const struct bounds_loop *b, struct pane p)
{
	const unsigned outcome = loop_values[b->values.at];
	char name[BOUNDS_NAME_MAX];
	int rows = pane_print_wrapped(p, 0, outcome_role(outcome), "%s  %s", name_of(outcome, name),
	                              meanings[outcome]);
	if (outcome == EL_DRAW || outcome == EL_UNKNOWN)
		pane_wrap(p, rows + 1, ROLE_DIM,
		          "TT and LW: neither is better; their maximum is TW");
}

/* ---- the loop ---- */

enum { BOX_COLS = 7, BOX_ROWS = 3, RING_COLS = 32, RING_ROWS = 10, OUT_ARROW_COLS = 3 };

/* Where the nodes are, in the order of the moves. */
static const struct {
	int y, x;
} boxes[LOOP_NODES] = {{1, 10}, {1, 25}, {6, 25}, {6, 10}};

static void draw_frame(struct pane p, enum role role, bool lit)
{
	const uint32_t *g = glyphs[p.canvas->ascii ? 0 : 1 + lit];
	const bool heavy = lit && p.canvas->ascii;
	const int right = p.cols - 1, bottom = p.rows - 1;
	for (int x = 1; x < right; x++) {
		pane_put(p, 0, x, role, heavy ? '#' : g[ACROSS]);
		pane_put(p, bottom, x, role, heavy ? '#' : g[ACROSS]);
	}
	for (int y = 1; y < bottom; y++) {
		pane_put(p, y, 0, role, heavy ? '#' : g[DOWN]);
		pane_put(p, y, right, role, heavy ? '#' : g[DOWN]);
	}
	pane_put(p, 0, 0, role, heavy ? '#' : g[TOP_LEFT]);
	pane_put(p, 0, right, role, heavy ? '#' : g[TOP_RIGHT]);
	pane_put(p, bottom, 0, role, heavy ? '#' : g[BOTTOM_LEFT]);
	pane_put(p, bottom, right, role, heavy ? '#' : g[BOTTOM_RIGHT]);
}

/* Highlights a final value: one without a u. */
static void draw_box(struct pane p, int y, int x, struct bounds_value value, bool lit)
{
	char name[BOUNDS_NAME_MAX];
	struct pane box = pane_sub(p, y, x, BOX_ROWS, BOX_COLS);
	bounds_letters(value, name);
	if (lit)
		pane_fill(box, ROLE_SELECTED);
	draw_frame(box, lit ? ROLE_STRONG : ROLE_DIM, lit);
	pane_text(box, 1, value.undecided ? 2 : 3, outcome_role(value.outcome), name);
}

static void draw_across(struct pane p, int y, int from, int to, bool leftwards)
{
	for (int x = from; x < to; x++)
		put(p, y, x, ROLE_DIM, ACROSS);
	put(p, y, leftwards ? from : to - 1, ROLE_DIM, leftwards ? LEFTWARDS : RIGHTWARDS);
}

static void draw_ring(const struct bounds_loop *b, const struct loop_state *s, struct pane p)
{
	const int left = boxes[0].x, right = boxes[1].x, upper = boxes[0].y + 1;
	draw_across(p, upper, left + BOX_COLS, right, false);
	draw_across(p, boxes[3].y + 1, left + BOX_COLS, right, true);
	draw_across(p, upper, left - OUT_ARROW_COLS, left, true);
	put(p, 4, right + BOX_COLS / 2, ROLE_DIM, DOWN);
	put(p, 5, right + BOX_COLS / 2, ROLE_DIM, DOWNWARDS);
	put(p, 4, left + BOX_COLS / 2, ROLE_DIM, UPWARDS);
	put(p, 5, left + BOX_COLS / 2, ROLE_DIM, DOWN);
	pane_text(p, 0, 0, ROLE_DIM, "outside");
	draw_box(p, boxes[0].y, 0, (struct bounds_value){loop_exits[b->exit], false}, false);
	pane_text(p, boxes[0].y + BOX_ROWS, 0, ROLE_DIM, " Black");
	for (unsigned node = 0; node < LOOP_NODES; node++) {
		const int y = node < 2 ? boxes[node].y - 1 : boxes[node].y + BOX_ROWS;
		const bool lit = b->step && !bounds_equal(s->before[node], s->value[node]);
		draw_box(p, boxes[node].y, boxes[node].x, s->value[node], lit);
		pane_print(p, y, boxes[node].x, ROLE_DIM, "%c %s", letters[node],
		           el_games[0]->sides[node % 2]);
	}
}

/* ---- in words ---- */

/* "max(-uTT, -LW) = uTW": a node's value from those of the previous step. */
static void formula(unsigned exit, const struct bounds_value before[LOOP_NODES], unsigned node,
                    struct bounds_value value, char *out, size_t size)
{
	char next[BOUNDS_NAME_MAX], outside[BOUNDS_NAME_MAX], name[BOUNDS_NAME_MAX];
	bounds_letters(before[(node + 1) % LOOP_NODES], next);
	bounds_letters(value, name);
	if (node)
		snprintf(out, size, "-%s = %s", next, name);
	else
		snprintf(out, size, "max(-%s, -%s) = %s", next, name_of(loop_exits[exit], outside),
		         name);
}

/* What leaving the loop is worth to A, by Black's value outside. */
static const char *const ways_out[EL_OUTCOMES] = {
	[EL_WIN] = "a loss",
	[EL_LOSS] = "a win",
	[EL_DRAW] = "a draw",
	[EL_AT_LEAST_DRAW] = "at most a draw",
	[EL_AT_MOST_DRAW] = "at least a draw",
	[EL_UNKNOWN] = "unknown",
};

/* The result for the loop, once everything is decided. */
static const char *conclusion(const struct loop_state *s)
{
	const enum el_outcome outcome = s->value[0].outcome;
	return outcome == EL_WIN ? "A goes out and wins. That is certain, so the winner is known "
	                           "all round the loop."
	       : outcome == EL_AT_LEAST_DRAW
	               ? "A has at least a draw: it can always repeat, and the way out may win. B "
	                 "and D have at most a draw."
	               : "All are draws: the way out is no better than repeating, so the position "
	                 "repeats.";
}

/* The last step: what changed, and why. */
static void draw_step(const struct bounds_loop *b, const struct loop_state *s, struct pane p)
{
	char from[BOUNDS_NAME_MAX], to[BOUNDS_NAME_MAX], text[160];
	const struct lattice_change *c = &s->change;
	if (!b->step && loop_steps(b->exit) > 1) {
		pane_wrap(
			p, 0, ROLE_TEXT,
			"All begin as uTT: if nothing changed, the position would repeat, a draw.");
		return;
	}
	if (!b->step) {
		char first[64];
		formula(b->exit, s->value, 0, s->value[0], first, sizeof first);
		pane_print_wrapped(p, 0, ROLE_TEXT,
		                   "All begin as uTT. A is worth %s already: nothing changes.",
		                   first);
		return;
	}
	if (s->decided) {
		pane_wrap(p, 0, ROLE_STRONG, "nothing more changes: the u marks go");
		return;
	}
	int x = pane_print(p, 0, 0, ROLE_STRONG, "%c was %s, is %s:  ", letters[c->node],
	                   bounds_letters(c->from, from), bounds_letters(c->to, to));
	formula(b->exit, s->before, c->node, c->to, text, sizeof text);
	pane_text(p, 0, x, ROLE_STRONG, text);
	if (!c->node)
		snprintf(text, sizeof text, "A may repeat for a draw, or go out: %s",
		         ways_out[loop_exits[b->exit]]);
	else
		snprintf(text, sizeof text, "its only move goes to %c, where the other side has %s",
		         letters[(c->node + 1) % LOOP_NODES],
		         bounds_letters(lattice_negate(c->to), to));
	pane_wrap(p, 1, ROLE_TEXT, text);
}

enum { STEP_WORDS_ROWS = 3, TIGHT_WORDS_ROWS = 7 };

/* ---- all steps, on wide screens ---- */

enum { STEPS_COLS = 64, STEPS_CELL = 6, STEPS_AT = 6 };

static void draw_steps(const struct bounds_loop *b, struct pane p)
{
	pane_text(p, 0, 0, ROLE_DIM, "step");
	for (unsigned node = 0; node < LOOP_NODES; node++)
		pane_print(p, 0, STEPS_AT + (int)(node + 1) * STEPS_CELL - 1, ROLE_DIM, "%c",
		           letters[node]);
	for (unsigned step = 0; step <= b->step; step++) {
		const struct pane row = pane_row(p, 1 + (int)step);
		struct loop_state s;
		char name[BOUNDS_NAME_MAX], text[64] = "";
		loop_after(b->exit, step, &s);
		pane_select(row, step == b->step);
		pane_print(row, 0, 1, ROLE_STRONG, "%3u", step);
		for (unsigned node = 0; node < LOOP_NODES; node++) {
			const bool changed = step && !bounds_equal(s.before[node], s.value[node]);
			pane_right(row, 0, STEPS_AT + (int)(node + 1) * STEPS_CELL,
			           changed ? outcome_role(s.value[node].outcome) : ROLE_DIM,
			           bounds_letters(s.value[node], name));
		}
		if (s.decided)
			snprintf(text, sizeof text, "decided");
		else if (step)
			formula(b->exit, s.before, s.change.node, s.change.to, text, sizeof text);
		pane_text(row, 0, STEPS_AT + LOOP_NODES * STEPS_CELL + 3, ROLE_TEXT, text);
	}
}

/* ---- the maximum of any two, on high screens ---- */

enum { TABLE_VALUES = 10, TABLE_ROWS = TABLE_VALUES + 2, TABLE_CELL = 5 };

/* The values of the paper's Table 2, in its order. */
static const struct bounds_value table_values[TABLE_VALUES] = {
	{EL_WIN, false},           {EL_DRAW, false},         {EL_LOSS, false},
	{EL_AT_LEAST_DRAW, false}, {EL_AT_MOST_DRAW, false}, {EL_UNKNOWN, false},
	{EL_UNKNOWN, true},        {EL_AT_LEAST_DRAW, true}, {EL_DRAW, true},
	{EL_AT_MOST_DRAW, true},
};

static void draw_table(struct pane p)
{
	char name[BOUNDS_NAME_MAX];
	pane_text(p, 0, 0, ROLE_DIM, "the maximum of any two");
	for (int row = 0; row < TABLE_VALUES; row++) {
		const int y = row + 2;
		bounds_letters(table_values[row], name);
		pane_right(p, 1, (row + 2) * TABLE_CELL, ROLE_STRONG, name);
		pane_right(p, y, TABLE_CELL, ROLE_STRONG, name);
		for (int column = 0; column < TABLE_VALUES; column++) {
			const struct bounds_value max =
				lattice_max(table_values[row], table_values[column]);
			pane_right(p, y, (column + 2) * TABLE_CELL, outcome_role(max.outcome),
			           bounds_letters(max, name));
		}
	}
}

/* ---- the whole ---- */

enum { GAP = 3, WORDS_COLS = 51, WORDS_ROWS = 9 };

void bounds_draw(const struct model *m, struct pane p)
{
	const struct bounds_loop *b = bounds_of(m);
	/* where the loop's column begins: without room for both, the lattice is dropped */
	const int left = p.cols >= LATTICE_COLS + GAP - 1 + RING_COLS ? LATTICE_COLS + GAP - 1 : 0;
	const int words = p.cols - left > WORDS_COLS + STEPS_COLS ? WORDS_COLS : p.cols - left;
	struct loop_state s;
	loop_after(b->exit, b->step, &s);
	if (left) {
		struct pane lattice = pane_sub(p, 0, 0, p.rows, left - GAP + 1);
		draw_lattice(b, pane_sub(lattice, 0, 1, LATTICE_ROWS, LATTICE_COLS));
		draw_meaning(
			b, pane_sub(lattice, LATTICE_ROWS, 1, p.rows - LATTICE_ROWS, LATTICE_COLS));
	}
	draw_ring(b, &s, pane_sub(p, 0, left, RING_ROWS, p.cols - left));
	const struct pane said =
		pane_sub(p, RING_ROWS + (p.rows > RING_ROWS + 7), left, p.rows - RING_ROWS, words);
	const int rows = said.rows <= TIGHT_WORDS_ROWS && s.decided ? 1 : STEP_WORDS_ROWS;
	pane_print(said, 0, 0, ROLE_DIM, "the way out of A: %s", ways_out[loop_exits[b->exit]]);
	draw_step(b, &s, pane_sub(said, 1, 0, rows, said.cols));
	if (b->step && b->step == loop_steps(b->exit))
		pane_wrap(said, 1 + rows, ROLE_STRONG, conclusion(&s));
	if (words == WORDS_COLS)
		draw_steps(b,
		           pane_sub(p, 1, left + words + GAP, LOOP_CHANGES_MAX, STEPS_COLS - GAP));
	if (words == WORDS_COLS && p.rows > RING_ROWS + WORDS_ROWS + TABLE_ROWS)
		draw_table(
			pane_sub(p, RING_ROWS + WORDS_ROWS + 1, left, TABLE_ROWS, p.cols - left));
}
