/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Index shows: the board, the steps beside it, and the slice's density below. */
#include "index.h"

#include "tui/shell/overlay.h"
#include "tui/shell/room.h"
#include "tui/text/text.h"

#include <stdio.h>

enum { LINE = 160, HEAD_ROWS = 3, STEP_ROWS = 3 };

/* ---- one step in words ---- */

/* "33 + 12" for two kings, "C(17,1) + C(36,2)" for like pieces (`most` terms at either end), "class
   13" for a set that represents others. */
static void add_terms(char l[LINE], const struct el_index_step *s, bool greatest_first,
                      unsigned most)
{
	char class[GROUPED_MAX];
	if (s->classed) {
		el_text_add(l, LINE, "class %s", grouped(s->rank, class));
		return;
	}
	if (!s->squares) {
		el_text_add(l, LINE, "%u + %u", s->first, s->piece[1].number);
		return;
	}
	for (unsigned i = 0; i < s->count; i++) {
		unsigned at = greatest_first ? s->count - 1u - i : i;
		if (i < most || i + most >= s->count)
			el_text_add(l, LINE, "%sC(%u,%u)", i ? " + " : "", s->piece[at].number,
			            at + 1);
		else if (i == most)
			el_text_add(l, LINE, " + ...");
	}
	if (!s->count)
		el_text_add(l, LINE, "none");
}

/* "C(17,1) + C(36,2) = 647", or the same back from the rank; a question mark for what is hidden. */
static void rank_line(const struct el_index_step *s, bool back, bool hidden, unsigned most,
                      char l[LINE])
{
	char rank[GROUPED_MAX], low[GROUPED_MAX];
	grouped(s->rank, rank);
	if (back && !s->classed)
		el_text_add(l, LINE, "%s = ", rank);
	if (hidden)
		el_text_add(l, LINE, "?");
	else
		add_terms(l, s, back, most);
	if (s->low && !hidden)
		el_text_add(l, LINE, " - %s", grouped(s->low, low));
	if (!back && !s->classed && !hidden)
		el_text_add(l, LINE, " = %s", rank);
}

/* ---- one step on the screen ---- */

/* Drops the text at the right if it would run into the rest. */
static void draw_beside(struct pane p, int y, int left_end, enum role role, const char *text)
{
	if (left_end + 1 + utf8_length(text) < p.cols)
		pane_right(p, y, p.cols - 1, role, text);
}

static void draw_rank(const struct el_index_step *s, bool back, bool hidden, struct pane p, int y)
{
	char rank[LINE] = "", brief[LINE] = "";
	char radix[GROUPED_MAX], of[GROUPED_MAX + 8];
	rank_line(s, back, hidden, s->count, rank);
	rank_line(s, back, hidden, 1, brief);
	const bool fits = utf8_length(rank) + 4 <= p.cols;
	snprintf(of, sizeof of, "of %s", grouped(s->radix, radix));
	draw_beside(p, y, pane_text(p, y, 4, ROLE_TEXT, fits ? rank : brief), ROLE_DIM, of);
}

/* "45 x 2,016 + 647 =", and any other summand; or the same back from the index. */
static void draw_chain(const struct el_index_step *s, bool back, struct pane p, int y)
{
	char chain[LINE] = "";
	char after[GROUPED_MAX], before[GROUPED_MAX], radix[GROUPED_MAX], number[GROUPED_MAX];
	grouped(s->after, after);
	grouped(s->before, before);
	if (back)
		el_text_add(chain, LINE, "%s = ", after);
	el_text_add(chain, LINE, "%s x %s + %s", before, grouped(s->radix, radix),
	            grouped(s->rank, number));
	if (s->base)
		el_text_add(chain, LINE, " + %s", grouped(s->base, number));
	int end = pane_text(p, y, 4, ROLE_TEXT, chain);
	if (!back)
		end = pane_text(p, y, end, ROLE_DIM, " =");
	draw_beside(p, y, end, ROLE_STRONG, back ? before : after);
}

/* In as many rows as there are: first the group, then the index so far, then the group's rank. What
   is hidden is what the reader is to find: on the way to the index all numbers, on the way back the
   squares of the selected group. */
static void draw_step(const struct index *x, const struct index_look *look, size_t at, bool covered,
                      struct pane p)
{
	const bool back = x->back;
	const struct el_index_step *s = &look->step[at];
	const int row = index_row(x, (int)at);
	const bool hidden = covered && (!back || x->steps.at == row);
	const bool has_chain = at > 0 && (!covered || back);
	char squares[LINE] = "";
	/* stones, and a bar after each pit's: "oo||o|||" */
	for (unsigned number = 0, bar = 0; s->bars && number < s->squares; number++) {
		const bool is_bar = bar < s->count && s->piece[bar].number == number;
		el_text_add(squares, LINE, "%c", is_bar ? '|' : 'o');
		bar += is_bar;
	}
	for (unsigned i = 0; !s->bars && i < s->count && !(hidden && back); i++) {
		char name[4];
		x->slice.game->square_name(s->piece[i].square, name);
		el_text_add(squares, LINE, "%s%s", i ? " " : "", name);
	}
	pane_select(pane_row(p, 0), x->steps.at == row);
	pane_text(p, 0, 2, ROLE_STRONG, s->group);
	pane_right(p, 0, p.cols - 1, ROLE_STRONG, squares);
	pane_zone(p, ZONE_ITEM, row);
	if (p.rows == 2 && has_chain) {
		draw_chain(s, back, p, 1);
	} else if (back && has_chain) {
		draw_chain(s, back, p, 1);
		draw_rank(s, back, hidden, p, 2);
	} else {
		draw_rank(s, back, hidden, p, 1);
		if (has_chain)
			draw_chain(s, back, p, 2);
	}
}

/* From the slowest group to the index, or from the index back to it. */
static void draw_steps(const struct index *x, const struct index_look *look, bool covered,
                       struct pane p)
{
	const int count = (int)look->count;
	int rows = (p.rows + 1) / count;
	rows = rows > STEP_ROWS ? STEP_ROWS : rows;
	for (int i = 0, y = 0; i < count; i++) {
		const int at = x->back ? count - 1 - i : i;
		const int height = rows == STEP_ROWS && !at ? STEP_ROWS - 1 : rows;
		draw_step(x, look, (size_t)at, covered, pane_sub(p, y, 0, height, p.cols));
		y += height;
	}
}

/* ---- above the steps ---- */

/* "colours swapped, files mirrored"; of many "changed: colours, files". */
static void changes_text(const struct index *x, bool brief, char l[LINE])
{
	static const struct {
		unsigned change;
		const char *words, *brief;
	} all[] = {
		{EL_SWAPPED, "colours swapped", "colours"},
		{EL_MIRRORED, "files mirrored", "files"},
		{EL_FLIPPED, "ranks flipped", "ranks"},
		{EL_TRANSPOSED, "reflected in", "diagonal"},
		{EL_TURNED_OUT, "rings exchanged", "rings"},
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		if (!(x->changes & all[i].change))
			continue;
		el_text_add(l, LINE, "%s%s",
		            *l      ? ", "
		            : brief ? "changed: "
		                    : "",
		            brief ? all[i].brief : all[i].words);
		if (all[i].change == EL_TRANSPOSED)
			el_text_add(l, LINE, " a1-%c%u", 'a' + x->game->files - 1, x->game->ranks);
	}
}

/* ---- what the numbers of the selected step mean ---- */

/* C(n, k); each product is divisible. */
static uint64_t binomial(uint64_t n, unsigned k)
{
	uint64_t result = 1;
	for (unsigned i = 0; i < k; i++)
		result = result * (n - i) / (i + 1);
	return result;
}

static unsigned squares_of(const struct el_game *game)
{
	unsigned squares = 0;
	for (unsigned rank = 0; rank < game->ranks; rank++)
		for (unsigned file = 0; file < game->files; file++)
			squares += game->square_at(file, rank) != EL_NO_SQUARE;
	return squares;
}

static void draw_explanation(const struct index *x, const struct index_look *look, bool covered,
                             struct pane p)
{
	/* Only the rule is told if the numbers are to be found. */
	const bool back = x->back && !covered;
	const struct el_game *game = x->slice.game;
	const struct el_index_step *s = &look->step[index_row(x, x->steps.at)];
	char l[LINE] = "";
	char first[4], second[4], number[GROUPED_MAX], sets[GROUPED_MAX];
	const unsigned last = s->count - 1u;
	if (s->count)
		game->square_name(s->piece[0].square, first);
	if (covered && !s->squares) {
		return;
	} else if (s->classed) {
		el_text_add(l, LINE,
		            "symmetries make %s classes of the %s sets of %u %ss; a class is "
		            "numbered by its smallest member, which is shown",
		            grouped(s->radix, number),
		            grouped(binomial(squares_of(game), s->count), sets), s->count,
		            square_word(game));
	} else if (!s->squares) {
		game->square_name(s->piece[1].square, second);
		el_text_add(l, LINE,
		            "%u pairs come first: those with White's king on an earlier square "
		            "than %s. Of the squares then left for Black's king, %s is number %u, "
		            "counting from 0.",
		            s->first, first, second, s->piece[1].number);
	} else if (!s->count) {
		el_text_add(l, LINE, "no piece is there, which is one way");
	} else if (s->count == 1 && covered) {
		el_text_add(l, LINE, "%ss are numbered 0 to %u", square_word(game),
		            s->squares - 1u);
	} else if (s->count == 1) {
		el_text_add(l, LINE, "%s is number %u of %u, from 0", first, s->piece[0].number,
		            s->squares);
	} else if (back) {
		el_text_add(l, LINE,
		            "the greatest C(n,%u) up to %u is C(%u,%u); likewise with the rest",
		            s->count, s->rank + s->low, s->piece[last].number, s->count);
	} else if (s->bars) {
		el_text_add(l, LINE,
		            "stones and bars are numbered 0 to %u, a bar stands behind the stones "
		            "of each pit but the last; this many ways to set %u bars come before "
		            "this one",
		            s->squares - 1u, s->count);
	} else {
		el_text_add(l, LINE,
		            "%ss are numbered 0 to %u; this many sets of %u come before this one",
		            square_word(game), s->squares - 1u, s->count);
	}
	if (s->low)
		el_text_add(l, LINE, "; %s: sets without a man on the leading rank",
		            grouped(s->low, number));
	if (s->base)
		el_text_add(l, LINE, "; %s before: %s", grouped(s->base, number), s->base_is);
	pane_wrap(p, 0, ROLE_DIM, l);
}

enum { EXPLANATION_ROWS = 3 };

/* The rows left under the steps, which come first; one is not enough. */
static int explanation_rows(const struct index_look *look, int rows)
{
	const int left = rows - HEAD_ROWS - STEP_ROWS * (int)look->count;
	return left < 2 ? 0 : left < EXPLANATION_ROWS ? left : EXPLANATION_ROWS;
}

/* ---- how dense ---- */

/* Placements of every piece on any square; `like_once`: swaps of like pieces count once. */
static double placements(const struct el_slice *slice, bool like_once)
{
	const unsigned squares = squares_of(slice->game);
	double ways = 1;
	if (slice->game->sows) {
		for (unsigned i = 0; i < slice->pieces; i++)
			ways *= like_once ? (double)(squares + i) / (i + 1) : squares;
		return ways;
	}
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = 0; kind < EL_KINDS; kind++) {
			const unsigned count = slice->count[side][kind];
			if (like_once)
				ways *= (double)binomial(squares, count);
			for (unsigned i = 0; i < count && !like_once; i++)
				ways *= squares;
		}
	return ways;
}

enum { COLUMNS = 5 };

/* Where right-aligned columns end; narrower if there is less room. */
static int column_end(const struct pane *p, int column)
{
	return (column + 1) * (p->cols - 1) / COLUMNS;
}

static void draw_number(struct pane p, int y, int column, double number)
{
	const double most = 1e15; /* the largest still exact */
	char text[GROUPED_MAX];
	if (number > most || utf8_length(grouped((uint64_t)number, text)) > column_end(&p, 0))
		snprintf(text, sizeof text, "%.3g", number);
	pane_right(p, y, column_end(&p, column), ROLE_TEXT, text);
}

static void draw_below(const struct index *x, const struct index_look *look, bool explains,
                       bool covered, struct pane p)
{
	static const char *const heads[2][COLUMNS] = {
		{NULL, "alike once", "index", "", ""},
		{NULL, "identical once", "this index", "legal, ", "legal, "},
	};
	enum { SIDES_AT = COLUMNS - 2 };
	const bool roomy = p.cols >= 80;
	char any[32];
	snprintf(any, sizeof any, "%u^%u", squares_of(x->slice.game),
	         (unsigned)(x->slice.pieces - x->slice.hand[0] - x->slice.hand[1]));
	for (int i = 0; i < COLUMNS; i++)
		pane_print_right(p, 0, column_end(&p, i), ROLE_DIM, "%s%s",
		                 i ? heads[roomy][i] : any,
		                 i < SIDES_AT ? "" : x->slice.game->sides[i - SIDES_AT]);
	draw_number(p, 1, 0, placements(&x->slice, false));
	draw_number(p, 1, 1, placements(&x->slice, true));
	draw_number(p, 1, 2, (double)x->slice.positions);
	if (x->ask.known) {
		const double positions = (double)x->slice.positions;
		pane_right(p, 2, column_end(&p, 2), ROLE_DIM, "broken");
		for (int side = 0; side < 2; side++) {
			const uint64_t legal = x->census.legal[side];
			draw_number(p, 1, 3 + side, (double)legal);
			pane_print_right(p, 2, column_end(&p, 3 + side), ROLE_TEXT, "%.1f %%",
			                 100 * (positions - (double)legal) / positions);
		}
	} else
		pane_right(p, 1, column_end(&p, COLUMNS - 1), ROLE_DIM,
		           x->ask.job ? "counting" : "Press c to count");
	p = pane_row(p, 3);
	if (explains)
		draw_explanation(x, look, covered, p);
	else if (x->ask.known)
		pane_text(p, 0, 0, ROLE_DIM,
		          look->step[0].classed
		                  ? "broken: White's men are symmetric, and a mirror image of "
		                    "Black's comes first"
		          : x->slice.game->sows ? "gapless: every way to lay the stones is a board"
		          : x->census.legal[0] == x->slice.positions &&
		                          x->census.legal[1] == x->slice.positions
		                  ? "gapless: each group is numbered on the squares left to it"
		                  : "a gapless index holds only the legal ones, but takes longer");
}

/* ---- the whole ---- */

void index_draw(const struct model *m, struct pane p)
{
	const struct index *x = index_of(m);
	const struct layout l = shell_layout(m, x->game, ONE_BOARD);
	struct index_look look = {.count = 0};
	if (x->has_slice)
		index_look(x, &look);
	struct square_mark marks[64] = {0};
	const bool given = x->shows_given, covered = shell_is_covered(m);
	struct board b = board_plain(x->game, given ? &x->given : &look.position, m->flipped);
	b.scale = l.scale;
	b.check = given ? 0 : look.shared;
	if (!given) {
		/* Mark the squares of the selected group with their numbers, if there is room. */
		const struct el_index_step *s = &look.step[index_row(x, x->steps.at)];
		for (unsigned i = 0; i < s->count && !s->bars && covered && x->back; i++)
			look.position.set[s->piece[i].side][s->piece[i].kind] &=
				~(UINT64_C(1) << s->piece[i].square);
		for (unsigned i = 0; i < s->count && s->bars; i++)
			b.last |= UINT64_C(3) << s->piece[i].square;
		for (unsigned i = 0; i < s->count && !s->bars && !(covered && x->back); i++) {
			struct square_mark *mark = &marks[s->piece[i].square];
			b.last |= UINT64_C(1) << s->piece[i].square;
			if (b.scale > 1 && !s->classed && !covered)
				snprintf(mark->text, sizeof mark->text, "%u", s->piece[i].number);
		}
		b.marks = marks;
	}
	overlay_show(m, &b);
	board_draw(&b, pane_part(p, l.board));
	if (!x->has_slice) {
		pane_wrap(pane_part(p, l.side), 0, ROLE_UNKNOWN, x->why.text);
		return;
	}
	const struct pane side = pane_part(p, l.side);
	const int rows = explanation_rows(&look, side.rows);
	char number[GROUPED_MAX], positions[GROUPED_MAX], of[GROUPED_MAX + 8];
	const int end =
		pane_print(side, 0, 0, ROLE_STRONG, "%s %s", x->back ? "back from index" : "index",
	                   covered && !x->back ? "?" : grouped(x->number, number));
	snprintf(of, sizeof of, "of %s", grouped(x->slice.positions, positions));
	draw_beside(side, 0, end, ROLE_DIM, of);
	struct pane state = pane_sub(side, 1, 0, HEAD_ROWS - 1, side.cols);
	const bool is_broken = look.broken.status && !covered;
	char changes[LINE] = "", brief[LINE] = "";
	changes_text(x, false, changes);
	changes_text(x, true, brief);
	pane_print(state, 0, 0, is_broken ? ROLE_LOSS : ROLE_TEXT, "%s to move%s",
	           x->slice.game->sides[el_slice_mover(&x->slice, x->plane)],
	           is_broken ? ": broken" : "");
	if (covered)
		pane_text(state, 1, 0, ROLE_DIM, "Press H to show what is hidden.");
	else if (is_broken)
		pane_text(state, 1, 0, ROLE_LOSS, look.broken.text);
	else
		pane_text(state, 1, 0, ROLE_DIM,
		          utf8_length(changes) < state.cols ? changes : brief);
	draw_steps(x, &look, covered, pane_from(side, HEAD_ROWS));
	draw_explanation(
		x, &look, covered,
		pane_sub(side, HEAD_ROWS + STEP_ROWS * (int)look.count, 0, rows, side.cols));
	if (l.below.rows > 3)
		draw_below(x, &look, !explanation_rows(&look, side.rows), covered,
		           pane_part(p, l.below));
}
