/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithm beside the board: the loop of core/solve/fixpoint.c at the step shown, and its
   classic form, which visits positions one by one. */
#include "teach.h"

#include "tui/text/text.h"

#include <stdio.h>
#include <string.h>

/* The state of a film after a step, both sides together. */
struct standing {
	const struct el_film *film;
	size_t step;
	uint64_t left;
	const struct el_film_step *win, *loss; /* the latest ones; null: none yet */
	bool no_win, no_loss;                  /* this pass never has one */
};

static uint64_t both(const uint64_t count[2])
{
	return count[0] + count[1];
}

static struct standing standing_of(const struct model *m)
{
	const struct el_film *film = teach_film(m);
	struct standing s = {.film = film, .step = teach_of(m)->step};
	s.left = both(film->legal) * film->halves - both(film->steps[s.step].known);
	/* Where passes count plies, both halves are those of the pass shown. */
	const struct el_film_step *now = &film->steps[s.step];
	const bool counts = !film->solved->has_phase && !teach_method(film)->in_stones;
	const bool late = now->rule == EL_FILM_CURSED || now->rule == EL_FILM_BLESSED;
	s.no_win = s.no_loss = counts && now->ply;
	for (size_t i = EL_FILM_CONVERSIONS + 1; i < film->step_count; i++) {
		const struct el_film_step *step = &film->steps[i];
		const bool cursed = step->rule == EL_FILM_CURSED,
			   wins = cursed || step->rule == EL_FILM_WIN;
		const bool blessed = step->rule == EL_FILM_BLESSED;
		const bool loses =
			blessed || step->rule == EL_FILM_LOSS || step->rule == EL_FILM_WITHIN;
		if (counts && (step->ply != now->ply || (cursed || blessed) != late))
			continue;
		s.no_win = s.no_win && !wins;
		s.no_loss = s.no_loss && !loses;
		s.win = wins && i <= s.step ? step : s.win;
		s.loss = loses && i <= s.step ? step : s.loss;
	}
	return s;
}

/* A line: its words, and the size of the set it names, once known. */
struct row {
	char text[56];
	bool known, idle;
	uint64_t size;
};

/* The first rows and the last row, and the words that most loops share. */
static void common_rows(const struct standing *s, struct row rows[ALGORITHM_ROWS])
{
	const struct el_film_step *steps = s->film->steps;
	snprintf(rows[0].text, sizeof rows->text, "undecided (initially all)");
	snprintf(rows[6].text, sizeof rows->text, "no change: the rest are draws");
	rows[0].known = true;
	rows[0].size = s->left;
	rows[1].known = s->step >= EL_FILM_TERMINAL;
	rows[1].size = both(steps[EL_FILM_TERMINAL].decided);
	rows[2].known = s->step >= EL_FILM_CONVERSIONS && s->film->halves == 1;
	rows[2].size = both(s->film->winning);
	rows[4].known = s->win != NULL;
	rows[4].size = s->win ? both(s->win->decided) : 0;
	rows[4].idle = s->no_win;
	rows[5].known = s->loss != NULL;
	rows[5].size = s->loss ? both(s->loss->decided) : 0;
	rows[5].idle = s->no_loss;
	rows[6].known = s->step + 1 == s->film->step_count;
	rows[6].size = both(steps[s->film->step_count - 1].decided);
}

/* "n", or its value in a pass. */
static void number_text(unsigned ply, unsigned less, char out[8])
{
	if (ply)
		snprintf(out, 8, "%u", (ply - less) % 100000);
	else
		snprintf(out, 8, less ? "n-%u" : "n", less);
}

/* The pass number; under a rule, with its limit, or "no limit" in cursed and blessed passes. */
static void write_pass(const struct standing *s, char n[32])
{
	const struct el_film_step *now = &s->film->steps[s->step];
	const unsigned limit = s->film->solved->limit;
	if (now->ply)
		snprintf(n, 32, "n = %u", now->ply);
	else
		snprintf(n, 32, "n = 1, 2, 3 ...");
	if (now->rule == EL_FILM_CURSED || now->rule == EL_FILM_BLESSED)
		el_text_add(n, 32, ", no limit");
	else if (limit)
		el_text_add(n, 32, " up to %u", limit);
}

/* The loop of core/solve/limits.c: runs that admit entered positions won under the limit. */
static void loop_on_limits(const struct standing *s, struct row *rows)
{
	char n[32], limit[8];
	write_pass(s, n);
	number_text(s->loss ? s->loss->ply : 0, 0, limit);
	snprintf(rows[1].text, sizeof rows->text, "W[0] = %s", s->film->wish.slice.game->lost);
	snprintf(rows[2].text, sizeof rows->text, "wins by a %s", teach_ending(s->film->solved));
	snprintf(rows[3].text, sizeof rows->text, "for each limit %s", n);
	snprintf(rows[4].text, sizeof rows->text, "  let in %ss to W[%s]",
	         teach_ending(s->film->solved), limit);
	snprintf(rows[5].text, sizeof rows->text, "  W[%s] = decided by pass %s", limit, limit);
}

static void loop_on_sets(const struct standing *s, struct row *rows)
{
	char n[32], here[8], from[8];
	write_pass(s, n);
	number_text(s->film->steps[s->step].ply, 0, here);
	number_text(s->film->steps[s->step].ply, 1, from);
	snprintf(rows[1].text, sizeof rows->text, "LOSS[0] = %s", s->film->wish.slice.game->lost);
	if (s->film->solved->end == EL_END_ZEROING)
		snprintf(rows[2].text, sizeof rows->text, "wins by a %s",
		         teach_ending(s->film->solved));
	else
		snprintf(rows[2].text, sizeof rows->text, "wins by conversion");
	snprintf(rows[3].text, sizeof rows->text, "for %s", n);
	snprintf(rows[4].text, sizeof rows->text, "  WIN[%s] = pre_some(LOSS[%s])", here, from);
	snprintf(rows[5].text, sizeof rows->text, "  LOSS[%s] = pre_all(WIN to %s)", here, from);
}

/* Thresholds from the greatest down, each a loop until nothing changes. */
static void loop_on_stones(const struct standing *s, struct row *rows)
{
	const struct el_film_step *now = &s->film->steps[s->step];
	char i[8] = "i";
	if (now->ply)
		snprintf(i, sizeof i, "%u", el_film_stones(s->film, now->ply));
	snprintf(rows[1].text, sizeof rows->text, "LOSS = %s", s->film->wish.slice.game->lost);
	snprintf(rows[2].text, sizeof rows->text, "captures that gain are looked up");
	snprintf(rows[3].text, sizeof rows->text, "for i = %u down to 1%s%s",
	         s->film->wish.slice.pieces, now->ply ? ": i = " : "", now->ply ? i : "");
	snprintf(rows[4].text, sizeof rows->text, "  WIN += captures for %s, pre_some(LOSS)", i);
	snprintf(rows[5].text, sizeof rows->text, "  LOSS += pre_all(WIN), and repeat");
	snprintf(rows[6].text, sizeof rows->text, "the rest are worth nothing");
}

static void loop_on_positions(const struct standing *s, struct row *rows)
{
	char n[32];
	write_pass(s, n);
	snprintf(rows[0].text, sizeof rows->text, "unknown (initially all)");
	snprintf(rows[1].text, sizeof rows->text, "%s: loss", s->film->wish.slice.game->lost);
	snprintf(rows[2].text, sizeof rows->text, "look up winning %ss",
	         teach_ending(s->film->solved));
	snprintf(rows[3].text, sizeof rows->text, "%s, each unknown one:", n);
	snprintf(rows[4].text, sizeof rows->text, "  a move to a loss: win in n");
	snprintf(rows[5].text, sizeof rows->text, "  all moves to wins: loss in n");
}

void teach_draw_algorithm(const struct model *m, struct pane p)
{
	static const int lit_rows[] = {
		[EL_FILM_START] = 0, [EL_FILM_TERMINAL] = 1, [EL_FILM_CONVERSIONS] = 2,
		[EL_FILM_WIN] = 4,   [EL_FILM_LOSS] = 5,     [EL_FILM_WITHIN] = 5,
		[EL_FILM_LIMIT] = 3, [EL_FILM_CURSED] = 4,   [EL_FILM_BLESSED] = 5,
		[EL_FILM_DRAWS] = 6,
	};
	struct row rows[ALGORITHM_ROWS] = {0};
	const struct standing s = standing_of(m);
	const int lit = lit_rows[s.film->steps[s.step].rule];
	common_rows(&s, rows);
	(s.film->solved->has_phase             ? loop_on_limits
	 : teach_method(s.film)->in_stones     ? loop_on_stones
	 : teach_of(m)->panel == TEACH_CLASSIC ? loop_on_positions
	                                       : loop_on_sets)(&s, rows);
	for (int y = 0; y < ALGORITHM_ROWS; y++) {
		char size[GROUPED_MAX] = "";
		struct pane row = pane_row(p, y);
		pane_select(row, y == lit);
		if (rows[y].idle)
			snprintf(size, sizeof size, "idle");
		else if (rows[y].known)
			grouped(rows[y].size, size);
		pane_right(row, 0, row.cols - 1, y == lit ? ROLE_STRONG : ROLE_DIM, size);
		pane_text(pane_sub(row, 0, 0, 1, row.cols - 2 - utf8_length(size)), 0, 2,
		          y == lit ? ROLE_STRONG : ROLE_TEXT, rows[y].text);
	}
}
