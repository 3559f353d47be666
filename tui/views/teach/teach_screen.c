/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "teach.h"

#include "tui/model/window.h"
#include "tui/shell/room.h"
#include "tui/text/text.h"

#include <stdio.h>
#include <string.h>

enum {
	HEAD_ROWS = 5,    /* of the head; one more if its counts have headings */
	HEADED_ROWS = 16, /* with this many rows they have */
	WHY_ROWS = 3,
	BARS_MIN = 1, /* rows of the histogram beside the algorithm */
	SQUARES = 64,
	NAMED_MAX = 2,    /* missing tables named at most */
	RULE_COLS = 16,   /* for a step's name and rule between two boards */
	COUNTS_COLS = 45, /* for a side and its counts; shortened in fewer */
};

/* ---- the board ---- */

static void draw_board(const struct model *m, unsigned side, int scale, struct pane pane)
{
	const struct teach *t = teach_of(m);
	struct square_mark marks[SQUARES] = {0}, own[SQUARES];
	struct board b = board_plain(t->game, &t->window.position, m->flipped);
	b.scale = scale;
	b.picked = t->held != EL_NO_SQUARE ? t->held : t->window.free;
	b.cursor = t->window.cursor;
	b.marks = marks;
	for (uint8_t square = 0; square < SQUARES && teach_film(m); square++) {
		struct el_position p;
		unsigned file, rank;
		if (!el_square_find(t->game, square, &file, &rank))
			continue;
		marks[square].role = ROLE_VALUE_BROKEN;
		if (!window_try(t->game, &t->window.position, t->window.free, square, &p))
			continue;
		p.side = (uint8_t)side;
		const struct el_film_value v = el_film_value(teach_film(m), &p, t->step);
		teach_mark(m, &v, scale > 1, &marks[square]);
	}
	if (side == t->window.position.side) {
		const struct window *w = &t->window;
		struct el_position tried;
		if (teach_film(m) &&
		    window_try(t->game, &w->position, w->free, w->cursor, &tried)) {
			/* the squares of the move that the reason names */
			const struct el_film_reason r =
				el_film_reason(teach_film(m), &tried, t->step);
			b.last = r.has_move ? el_move_squares(&r.move) : 0;
		}
		if (t->trying) {
			marks_draw(&t->marks, own);
			b.over = own;
		}
		overlay_show(m, &b);
	}
	board_draw(&b, pane);
}

/* ---- the head: the place in the film ---- */

/* A side's counts after a step. `side` is a colour on the board, which may be swapped in the
   slice. */
static void side_counts(const struct model *m, unsigned side, char now[GROUPED_MAX],
                        char left[GROUPED_MAX])
{
	const struct el_film *film = teach_film(m);
	const struct el_film_step *step = &film->steps[teach_of(m)->step];
	const unsigned of = teach_side_of(m, side);
	grouped(step->decided[of], now);
	grouped(film->legal[of] * film->halves - step->known[of], left);
}

/* Marks the side to move on the board. */
static void draw_counts(const struct model *m, unsigned side, bool headed, struct pane p)
{
	const bool here = side == teach_of(m)->window.position.side;
	const bool bounds = teach_film(m)->halves == 2;
	const enum role role = here ? ROLE_STRONG : ROLE_DIM;
	char now[GROUPED_MAX], left[GROUPED_MAX];
	side_counts(m, side, now, left);
	pane_text(p, 0, 0, ROLE_STRONG, here ? ">" : " ");
	if (p.cols < COUNTS_COLS)
		pane_text(p, 0, 2, role, teach_of(m)->game->sides[side]);
	else
		pane_print(p, 0, 2, role, bounds ? "%s bounds" : "%s to move",
		           teach_of(m)->game->sides[side]);
	if (!headed) {
		pane_right(p, 0, p.cols - 16, ROLE_DIM, "now");
		pane_right(p, 0, p.cols - 1, ROLE_DIM, "left");
	}
	pane_right(p, 0, p.cols - (headed ? 16 : 20), role, now);
	pane_right(p, 0, p.cols - (headed ? 1 : 6), role, left);
}

static void draw_head(const struct model *m, struct pane p)
{
	const struct el_film *film = teach_film(m);
	char name[32], place[48], rule[TEACH_TEXT];
	teach_step_name(film, teach_of(m)->step, name);
	teach_place_name(film, teach_of(m)->step, place);
	teach_rule(m, rule);
	const int x = pane_text(p, 0, 0, ROLE_STRONG, name);
	pane_right(p, 0, p.cols - 1, ROLE_DIM, place);
	/* How much of the pass is on this board. */
	const struct el_film_step *step = &film->steps[teach_of(m)->step];
	if (step->decided[0] + step->decided[1]) {
		char here[64], all[GROUPED_MAX];
		snprintf(here, sizeof here, ": %u of %s here",
		         teach_of(m)->tiled
		                 ? teach_boards_news(m)
		                 : (unsigned)__builtin_popcountll(teach_news(m, teach_of(m)->step)),
		         grouped(step->decided[0] + step->decided[1], all));
		if (x + utf8_length(here) + 1 + utf8_length(place) < p.cols)
			pane_text(p, 0, x, ROLE_NOTE, here);
	}
	pane_wrap(pane_sub(p, 1, 0, 2, p.cols - 1), 0, ROLE_TEXT, rule);
	const bool headed = p.rows > HEAD_ROWS;
	if (headed) {
		pane_right(p, 3, p.cols - 16, ROLE_DIM, teach_method(film)->heading);
		pane_right(p, 3, p.cols - 1, ROLE_DIM, "remaining");
	}
	for (unsigned side = 0; side < 2; side++)
		draw_counts(m, side, headed, pane_row(p, 3 + headed + (int)side));
}

/* ---- the histogram ---- */

static uint64_t decided(const struct el_film_step *step)
{
	return step->decided[0] + step->decided[1];
}

enum { NAME_COLS = 9, COUNT_COLS = 12 };

static void draw_bar(const struct model *m, size_t step, uint64_t most, struct pane p)
{
	static const struct {
		const char *name;
		enum role role;
	} rows[] = {
		[EL_FILM_TERMINAL] = {"lost", ROLE_LOSS},   [EL_FILM_WIN] = {"WIN", ROLE_WIN},
		[EL_FILM_LOSS] = {"LOSS", ROLE_LOSS},       [EL_FILM_WITHIN] = {"in", ROLE_WIN},
		[EL_FILM_LIMIT] = {"the limit", ROLE_NOTE}, [EL_FILM_CURSED] = {"win", ROLE_CURSED},
		[EL_FILM_BLESSED] = {"loss", ROLE_BLESSED}, [EL_FILM_DRAWS] = {NULL, ROLE_DRAW},
	};
	const struct el_film_step *s = &teach_film(m)->steps[step];
	char count[GROUPED_MAX];
	pane_select(p, step == teach_of(m)->step);
	const struct teach_method *method = teach_method(teach_film(m));
	const enum role role = rows[s->rule].role;
	if (s->ply && method->in_stones)
		pane_print(p, 0, 2, role, "by %4u", el_film_stones(teach_film(m), s->ply));
	else
		pane_text(p, 0, 2, role,
		          s->rule == EL_FILM_DRAWS ? method->rest : rows[s->rule].name);
	if (s->rule == EL_FILM_LIMIT) {
		pane_print(p, 0, 12, role, "of %u plies", teach_film(m)->solved->limit);
		return;
	}
	if (s->ply && !method->in_stones)
		pane_print(p, 0, 6, role, "%3u", s->ply);
	pane_right(p, 0, NAME_COLS + COUNT_COLS, ROLE_TEXT, grouped(decided(s), count));
	const int room = p.cols - NAME_COLS - COUNT_COLS - 2;
	const uint64_t shown = decided(s) < most ? decided(s) : most;
	const double cells = room > 0 ? (double)room * (double)shown / (double)most : 0;
	pane_fine_bar(p, 0, NAME_COLS + COUNT_COLS + 1, role, cells);
}

static bool has_bar(const struct el_film_step *step)
{
	return decided(step) || step->rule == EL_FILM_LIMIT;
}

/* The histogram grows with the passes, at a fixed scale. */
static void draw_histogram(const struct model *m, struct pane p)
{
	const struct el_film *film = teach_film(m);
	uint64_t most = 1;
	int y, shown = 0;
	/* The final draws may be many: cuts off their bar instead of shrinking the others. */
	for (size_t s = EL_FILM_TERMINAL; s + 1 < film->step_count; s++)
		most = decided(&film->steps[s]) > most ? decided(&film->steps[s]) : most;
	for (size_t s = EL_FILM_TERMINAL; s <= teach_of(m)->step; s++)
		shown += has_bar(&film->steps[s]);
	y = (shown < p.rows ? shown : p.rows) - 1;
	for (size_t s = teach_of(m)->step; s >= EL_FILM_TERMINAL && y >= 0; s--)
		if (has_bar(&film->steps[s]))
			draw_bar(m, s, most, pane_row(p, y--));
}

/* ---- the reason, and the window's contents ---- */

static void draw_why(const struct model *m, struct pane p)
{
	char name[4], why[TEACH_TEXT];
	teach_of(m)->game->square_name(teach_of(m)->window.cursor, name);
	pane_text(p, 0, 0, ROLE_STRONG, name);
	teach_why(m, why);
	pane_wrap(pane_sub(p, 0, 4, p.rows, p.cols - 5), 0, ROLE_TEXT, why);
}

/* "without KQvK KRvK; ", or a count if there are many. */
static void missing_text(const struct el_film_wish *wish, char *out, size_t size)
{
	const struct el_missing *missing = &wish->missing;
	*out = '\0';
	if (!wish->partial)
		return;
	if (missing->count > NAMED_MAX)
		snprintf(out, size, "without %zu tables; ", missing->count);
	else
		snprintf(out, size, "without %s%s%s; ", missing->slice[0].name,
		         missing->count > 1 ? ", " : "",
		         missing->count > 1 ? missing->slice[1].name : "");
}

/* ---- the whole ---- */

static void draw_side(const struct model *m, struct pane p)
{
	const int head = HEAD_ROWS + (p.rows >= HEADED_ROWS);
	int rest = p.rows - head;
	draw_head(m, pane_sub(p, 0, 0, head, p.cols));
	bool loop = teach_of(m)->panel != TEACH_HISTOGRAM && rest >= ALGORITHM_ROWS + BARS_MIN;
	if (loop)
		rest -= ALGORITHM_ROWS + (rest > ALGORITHM_ROWS + BARS_MIN + 1);
	draw_histogram(m, pane_sub(p, head, 0, rest, p.cols));
	if (loop)
		teach_draw_algorithm(
			m, pane_sub(p, p.rows - ALGORITHM_ROWS, 0, ALGORITHM_ROWS, p.cols));
}

static void draw_title(const struct model *m, unsigned side, struct pane p)
{
	char now[GROUPED_MAX], left[GROUPED_MAX], text[2 * GROUPED_MAX + 24];
	int x = pane_print(p, 0, 0, ROLE_STRONG, "%s to move", teach_of(m)->game->sides[side]);
	if (!teach_film(m))
		return;
	side_counts(m, side, now, left);
	snprintf(text, sizeof text, ": %s this pass, %s remaining", now, left);
	if (x + utf8_length(text) > p.cols)
		snprintf(text, sizeof text, ": %s, left %s", now, left);
	if (x + utf8_length(text) <= p.cols)
		pane_text(p, 0, x, ROLE_DIM, text);
}

/* Under two boards: each one's side and counts. */
static void draw_below(const struct model *m, const struct layout *l, struct pane p)
{
	const int titles = l->second.rows > 0, window = p.rows > 2, marks = p.rows > 3 && !titles;
	if (titles) {
		draw_title(m, EL_WHITE, pane_sub(p, 0, 2, 1, l->board.cols - 2));
		draw_title(m, EL_BLACK, pane_sub(p, 0, l->second.x + 2, 1, l->second.cols - 2));
	}
	if (teach_film(m))
		draw_why(m, pane_sub(p, titles, 0, p.rows - window - titles - marks, p.cols));
	if (marks) {
		/* If it does not fit, omits the part from the semicolon on. */
		const char *legend = teach_legend(m);
		const size_t length = strlen(legend);
		pane_print(p, p.rows - 2, 0, ROLE_DIM, "%.*s",
		           (int)(length > (size_t)p.cols ? strcspn(legend, ";") : length), legend);
	}
	if (window) {
		const struct teach *t = teach_of(m);
		char missing[128] = "", piece[PIECE_TEXT_MAX];
		missing_text(&t->wish, missing, sizeof missing);
		int x = pane_print(
			p, p.rows - 1, 0, ROLE_DIM, "%s%s %s every %s, %s to move", missing,
			piece_text(t->game, &t->window.position, t->window.free, piece),
			on_square(t->game), square_word(t->game),
			t->comparing ? "either side" : t->game->sides[t->window.position.side]);
		if (t->trying && !t->marks.graded)
			pane_text(p, p.rows - 1, x, ROLE_NOTE, "; press g to run the pass");
		else if (t->trail_count)
			pane_print(p, p.rows - 1, x, ROLE_DIM, "; after %s  BS back",
			           t->said[t->trail_count - 1]);
	}
}

/* The board of boards takes the room that it needs; beside it, if there is room, is what is beside a
   board. */
static void draw_tiled(const struct model *m, struct pane p)
{
	const struct teach *t = teach_of(m);
	const struct el_boards *b = &t->tiles;
	const int rows = p.rows - 1, most = p.cols - SLIM_COLS - 1;
	const int cols = teach_boards_cols(t->game, rows, most);
	const bool beside = cols <= most;
	char outer[PIECE_TEXT_MAX], inner[PIECE_TEXT_MAX], tile[4], text[192];
	pane_zone(pane_sub(p, 0, 0, rows, beside ? cols : p.cols), ZONE_BOARD, 0);
	teach_draw_boards(m, pane_sub(p, 0, 0, rows, beside ? most : p.cols));
	if (beside)
		draw_side(m, pane_sub(p, 0, cols + 1, rows, p.cols - cols - 1));
	t->game->square_name(t->window.cursor, tile);
	snprintf(text, sizeof text, "tiles: %s (%s here); %s: %s; %s to move",
	         piece_text(t->game, &b->position, b->outer, outer), tile,
	         p.canvas->ascii || p.canvas->mono ? "new positions of" : "cells",
	         piece_text(t->game, &b->position, b->inner, inner),
	         t->game->sides[t->window.position.side]);
	pane_text(p, p.rows - 1, 0, ROLE_DIM, text);
}

void teach_draw(const struct model *m, struct pane p)
{
	if (teach_of(m)->tiled && teach_film(m)) {
		draw_tiled(m, p);
		return;
	}
	const struct teach *t = teach_of(m);
	/* Two boards leave no room to say why there is no film. */
	const struct layout l =
		shell_layout(m, t->game, t->comparing && teach_film(m) ? TWO_BOARDS : ONE_BOARD);
	const unsigned side = t->window.position.side;
	const bool below = l.below.rows > 0, two = l.second.rows > 0;
	draw_board(m, two ? EL_WHITE : side, l.scale, pane_part(p, l.board));
	if (two)
		draw_board(m, EL_BLACK, l.scale, pane_part(p, l.second));
	const struct pane beside = pane_part(p, l.side);
	if (l.side.cols >= SLIM_COLS && !teach_film(m) && *teach_refusal(m))
		pane_print_wrapped(beside, 0, ROLE_TEXT, "%s Press Enter to start.",
		                   teach_refusal(m));
	else if (l.side.cols >= SLIM_COLS && !teach_film(m))
		pane_print_wrapped(beside, 0, ROLE_TEXT,
		                   "Solving %s, pass by pass. Press X to stop.",
		                   t->wish.slice.name);
	else if (l.side.cols >= SLIM_COLS) {
		draw_side(m, pane_sub(beside, 0, 0, beside.rows - (below ? 0 : WHY_ROWS),
		                      beside.cols));
		if (!below) /* the reason has no other place */
			draw_why(m, pane_from(beside, beside.rows - WHY_ROWS));
	} else if (teach_film(m) && l.side.cols >= RULE_COLS) {
		/* between two boards */
		char name[32], place[48], rule[TEACH_TEXT];
		teach_step_name(teach_film(m), t->step, name);
		teach_place_name(teach_film(m), t->step, place);
		teach_rule(m, rule);
		pane_text(beside, 0, 0, ROLE_STRONG, name);
		pane_text(beside, 1, 0, ROLE_DIM, place);
		pane_wrap(pane_sub(beside, 3, 0, beside.rows, beside.cols - 1), 0, ROLE_TEXT, rule);
	}
	if (below)
		draw_below(m, &l, pane_part(p, l.below));
}
