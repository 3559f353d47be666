/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Frames shows: the board, the moves that lead on, and on large screens a drawing of the frames
   around this one. */
#include "frames.h"

#include "core/base/text.h"
#include "tui/screen/roles.h"
#include "tui/shell/room.h"
#include "tui/text/text.h"

#include <stdio.h>

enum {
	HEAD_ROWS = 7,
	NAME_COLS = 12,
	COUNT_COLS = 4,
	BELOW_COLS = 8,
	BAR_COLS_MIN = 6,
	PICTURE_COLS = 8, /* of a small board: two ranks in a cell */
	PICTURE_ROWS = 4,
	PICTURES = 3, /* on either side */
	DRAWING_ROWS = PICTURES * (PICTURE_ROWS + 1),
	DRAWING_COLS = 52,
	LIST_ROWS_MIN = 6, /* above a drawing */
};

void frames_move(const struct el_graph_step *s, char out[EL_MOVE_MAX + 4])
{
	snprintf(out, EL_MOVE_MAX + 4, "%s%s", s->side == EL_WHITE ? "" : "...", s->name);
}

/* ---- counts ---- */

/* By what they are worth, best first, as bounds are written. */
static const struct {
	const char *name;
	enum el_outcome outcome;
} columns[] = {{"W", EL_WIN},           {"W=", EL_AT_LEAST_DRAW}, {"=", EL_DRAW},
               {"=L", EL_AT_MOST_DRAW}, {"L", EL_LOSS},           {"?", EL_UNKNOWN}};
enum { COUNTS = sizeof columns / sizeof *columns };

static bool has_below(struct pane p)
{
	return p.cols > NAME_COLS + COUNTS * COUNT_COLS + BELOW_COLS;
}

/* Per cent; anything but none and all is between 1 and 99. And a bar, if there is room. */
static void draw_counts(const struct el_graph_count *c, struct pane p, int y)
{
	const int x = NAME_COLS + COUNTS * COUNT_COLS + (has_below(p) ? BELOW_COLS : 0) + 2;
	const int width = p.cols - 1 - x;
	const uint64_t all = el_graph_all(c);
	const bool letters = p.canvas->mono || p.canvas->ascii;
	uint64_t sum = 0;
	for (int i = 0, at = 0; i < COUNTS && all; i++) {
		const uint64_t part = c->of[columns[i].outcome];
		const enum role role = part ? outcome_role(columns[i].outcome) : ROLE_DIM;
		uint64_t percent = (100 * part + all / 2) / all;
		char text[GROUPED_MAX];
		percent = part && !percent ? 1 : part < all && percent == 100 ? 99 : percent;
		pane_right(p, y, NAME_COLS + (i + 1) * COUNT_COLS, role,
		           part ? grouped(percent, text) : "-");
		sum += part;
		const int end = width < BAR_COLS_MIN ? 0 : (int)((uint64_t)width * sum / all);
		for (; at < end; at++)
			pane_put(p, y, x + at, role,
			         letters ? (uint32_t)outcome_mark(columns[i].outcome) : 0x2588);
	}
}

static void draw_heading(struct pane p, int y, const char *title, bool below)
{
	pane_text(p, y, 0, ROLE_DIM, title);
	for (int i = 0; i < (int)COUNTS; i++)
		pane_right(p, y, NAME_COLS + (i + 1) * COUNT_COLS, ROLE_DIM, columns[i].name);
	if (below && has_below(p))
		pane_right(p, y, NAME_COLS + COUNTS * COUNT_COLS + BELOW_COLS, ROLE_DIM, "below");
}

/* ---- the parts ---- */

static void draw_head(const struct frames *x, struct pane p)
{
	char follow[GROUPED_MAX], all[GROUPED_MAX], text[256] = "", move[EL_MOVE_MAX + 4];
	pane_print(p, 0, 0, ROLE_STRONG, "%s to move: %s", x->game->sides[x->position.side],
	           outcome_words(x->value.outcome));
	pane_print(p, 1, 0, ROLE_DIM, "%s of %s frames are below this one",
	           grouped(x->view.below, follow), grouped(x->view.frames, all));
	draw_heading(p, 2, "to move, %", false);
	for (unsigned side = 0; side < 2; side++) {
		pane_text(p, 3 + (int)side, 0, side == x->position.side ? ROLE_STRONG : ROLE_TEXT,
		          x->game->sides[side]);
		draw_counts(&x->view.count[side], p, 3 + (int)side);
	}
	/* "before: a5, ...Kxb4" */
	for (size_t i = 0; i < x->view.before_count; i++) {
		frames_move(&x->view.before[i], move);
		el_words_add(text, sizeof text, ", ", move);
	}
	const char *heading = *text ? "before: " : "Nothing leads here: the root.";
	pane_text(p, 5, pane_text(p, 5, 0, ROLE_DIM, heading), ROLE_DIM, text);
}

static void draw_row(const struct model *m, struct pane row, int i)
{
	const struct el_graph_step *s = &frames_of(m)->view.after[i];
	char move[EL_MOVE_MAX + 4], below[GROUPED_MAX];
	frames_move(s, move);
	const int end = pane_text(row, 0, 2, s->is_legal ? ROLE_STRONG : ROLE_TEXT, move);
	if (s->is_legal)
		pane_text(row, 0, end, ROLE_NOTE, " *");
	draw_counts(&s->count, row, 0);
	if (has_below(row))
		pane_right(row, 0, NAME_COLS + COUNTS * COUNT_COLS + BELOW_COLS, ROLE_DIM,
		           s->is_open ? "open" : grouped(s->below, below));
}

/* What the selected move does. */
static void step_text(const struct frames *x, char *out, size_t size)
{
	const struct el_graph_step *s = &x->view.after[x->list.at];
	const char *mover = x->game->sides[s->side];
	char move[EL_MOVE_MAX + 4], count[GROUPED_MAX];
	frames_move(s, move);
	const uint64_t all = el_graph_all(&s->count);
	snprintf(out, size, "%s leads to %s %s, counted for %s", move, grouped(all, count),
	         plural(all, "position", "positions"), mover);
	if (s->is_open)
		el_text_add(out, size,
		            "; the study does not follow this promotion, so they are bounds.");
	else
		el_text_add(out, size,
		            s->is_legal ? ". Played now: %s for %s."
		                        : ". The nearest to this one: %s for %s.",
		            outcome_words(el_outcome_negate(x->values[x->list.at].outcome)), mover);
}

static void draw_below(const struct frames *x, struct pane p)
{
	/* "root > ...a5 > b4", its end if there is no room. */
	char text[WAY_MAX * (EL_MOVE_MAX + 8)];
	snprintf(text, sizeof text, "%s", x->from_root ? "root" : "root > ... > here");
	for (int i = 0; i < x->steps; i++)
		el_words_add(text, sizeof text, " > ", x->said[i]);
	const size_t room = (size_t)p.cols - 1, used = strlen(text);
	if (used <= room)
		pane_text(p, 0, 0, ROLE_STRONG, text);
	else
		pane_print(p, 0, 0, ROLE_STRONG, "... %s", text + used - room + 4);
	if (x->list.count) {
		step_text(x, text, sizeof text);
		pane_wrap(pane_sub(p, 1, 0, p.rows - 1, p.cols - 1), 0, ROLE_TEXT, text);
	}
	if (p.rows > 3)
		pane_text(p, p.rows - 1, 0, ROLE_DIM,
		          "%: W won, W= or drawn, = drawn, =L or lost, L lost, ? open; "
		          "* possible now");
}

/* ---- the drawing ---- */

/* Only the pieces that stand: they make the frame. */
static void draw_picture(const struct model *m, const uint64_t standing[2], struct pane pane)
{
	const struct el_game *game = frames_of(m)->game;
	for (int y = 0; y < PICTURE_ROWS; y++)
		for (int x = 0; x < PICTURE_COLS; x++) {
			enum role half[2];
			for (int i = 0; i < 2; i++) {
				const int from_top = 2 * y + i;
				const int rank = m->flipped ? from_top : game->ranks - 1 - from_top;
				const int file = m->flipped ? game->files - 1 - x : x;
				const uint64_t bit = UINT64_C(1) << game->square_at((unsigned)file,
				                                                    (unsigned)rank);
				half[i] = standing[EL_WHITE] & bit   ? ROLE_PIECE_WHITE
				          : standing[EL_BLACK] & bit ? ROLE_PIECE_BLACK
				          : (file + rank) % 2        ? ROLE_SQUARE_LIGHT
				                                     : ROLE_SQUARE_DARK;
			}
			pane_paint(pane, y, x, half[0], half[1], 0x2580);
		}
}

/* The frames before at the left, those after at the right around the selected one, and a line from each
   to the one between them. */
static void draw_side(const struct model *m, const struct el_graph_step *steps, int count, int at,
                      bool after, struct pane p)
{
	enum { MOVE_COLS = 10 };
	const int middle = PICTURE_ROWS + 1 + (PICTURE_ROWS - 1) / 2;
	const int picture = after ? p.cols - PICTURE_COLS : 0, bus = after ? 1 : p.cols - 2;
	struct list list = {count, at};
	const int top = list_top(&list, PICTURES), shown = count < PICTURES ? count : PICTURES;
	int least = middle, most = middle;
	for (int k = 0; k < shown; k++) {
		const struct el_graph_step *s = &steps[top + k];
		const int first = shown == 1   ? PICTURE_ROWS + 1
		                  : shown == 2 ? k * 2 * (PICTURE_ROWS + 1)
		                               : k * (PICTURE_ROWS + 1);
		const int y = first + (PICTURE_ROWS - 1) / 2;
		const enum role role = after && top + k == at ? ROLE_STRONG : ROLE_DIM;
		char move[EL_MOVE_MAX + 4];
		frames_move(s, move);
		draw_picture(m, s->standing,
		             pane_sub(p, first, picture, PICTURE_ROWS, PICTURE_COLS));
		const int from = after ? bus + 1 : PICTURE_COLS, to = after ? picture : bus;
		for (int x = from; x < to; x++)
			pane_put(p, y, x, role, 0x2500);
		pane_print(p, y - 1, from + 1, role, "%.*s", MOVE_COLS, move);
		if (after)
			pane_zone(pane_sub(p, first, 0, PICTURE_ROWS, p.cols), ZONE_ITEM, top + k);
		least = y < least ? y : least;
		most = y > most ? y : most;
	}
	for (int y = least; y <= most && shown; y++)
		pane_put(p, y, bus, ROLE_DIM, /* a straight line, corners, or a line along */
		         least == most ? 0x2500
		         : y == least  ? (after ? 0x250C : 0x2510)
		         : y == most   ? (after ? 0x2514 : 0x2518)
		                       : 0x2502);
	if (shown)
		pane_put(p, middle, after ? 0 : p.cols - 1, ROLE_DIM, 0x2500);
	if (count > PICTURES)
		pane_print(p, DRAWING_ROWS - 1, picture - (after ? 3 : 0), ROLE_DIM, "%d of %d",
		           PICTURES, count);
}

/* ---- the whole ---- */

void frames_draw(const struct model *m, struct pane p)
{
	const struct frames *x = frames_of(m);
	if (!x->game)
		return;
	const struct layout l = shell_layout(m, x->game, ONE_BOARD);
	struct board b = board_plain(x->game, &x->position, m->flipped);
	b.scale = l.scale;
	if (x->list.count) /* the squares that the selected move changes */
		for (unsigned i = 0; i < 2 * EL_KINDS; i++)
			b.last |=
				x->position.set[i / EL_KINDS][i % EL_KINDS] ^
				x->view.after[x->list.at].position.set[i / EL_KINDS][i % EL_KINDS];
	board_draw(&b, pane_part(p, l.board));
	struct pane side = l.side.cols >= SLIM_COLS ? pane_part(p, l.side) : pane_part(p, l.below);
	if (!x->ask.known || x->why[0]) {
		pane_wrap(side, 0, ROLE_TEXT, x->why[0] ? x->why : "Reading the frames.");
		return;
	}
	const bool draws = !p.canvas->mono && !p.canvas->ascii && side.cols > DRAWING_COLS &&
	                   side.rows > HEAD_ROWS + LIST_ROWS_MIN + DRAWING_ROWS;
	const int list = side.rows - HEAD_ROWS - (draws ? DRAWING_ROWS + 1 : 0);
	draw_head(x, side);
	const struct pane after = pane_sub(side, HEAD_ROWS, 0, list, side.cols);
	draw_heading(after, 0, "after, %", true);
	if (!x->list.count)
		pane_text(after, 1, 2, ROLE_DIM, "No move leads out of this frame.");
	shell_draw_list(m, &x->list, pane_from(after, 1), draw_row);
	if (draws) {
		const int sides = (DRAWING_COLS - PICTURE_COLS) / 2;
		const struct pane drawing =
			pane_sub(side, HEAD_ROWS + list + 1, 0, DRAWING_ROWS, DRAWING_COLS);
		draw_side(m, x->view.before, (int)x->view.before_count, 0, false,
		          pane_sub(drawing, 0, 0, drawing.rows, sides));
		draw_picture(
			m, x->view.standing,
			pane_sub(drawing, PICTURE_ROWS + 1, sides, PICTURE_ROWS, PICTURE_COLS));
		draw_side(m, x->view.after, x->list.count, x->list.at, true,
		          pane_sub(drawing, 0, sides + PICTURE_COLS, drawing.rows, sides));
	}
	if (l.side.cols >= SLIM_COLS && l.below.rows)
		draw_below(x, pane_part(p, l.below));
}
