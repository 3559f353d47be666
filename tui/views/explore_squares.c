/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves made on the board of Explore: a piece is taken up and put down, by clicks or by a cursor. */
#include "explore_screen.h"

#include "../values.h"

#include <stdio.h>

/* ---- squares ---- */

/* The moves from one square to another. Captures of different pieces are different moves; of the
   promotions the best comes first. */
struct ways {
	int first; /* place in the list; -1: there is none */
	int count;
	char names[160]; /* "9x18x27 or 9x14x27" */
};

static struct ways find_ways(const struct study *s, uint8_t from, uint8_t to)
{
	struct ways w = {.first = -1};
	size_t used = 0;
	for (size_t i = 0; s && i < s->answer.count; i++) {
		const struct el_ranked *r = &s->answer.moves[i];
		bool fits = r->move.from == from && r->move.to == to;
		if (!fits || (w.count && r->move.captured ==
		                                 s->answer.moves[w.first].move.captured))
			continue;
		w.first = w.count ? w.first : (int)i;
		if (used < sizeof w.names)
			used += (size_t)snprintf(w.names + used, sizeof w.names - used, "%s%s",
			                         w.count ? " or " : "", r->san);
		w.count++;
	}
	return w;
}

/* Says in the words of the game why a piece cannot go there. */
static void refuse(struct model *m, uint8_t to)
{
	const struct el_game *game = m->explore.game;
	char text[12], from_name[4], to_name[4];
	struct el_move move;
	struct el_error error;
	game->square_name(m->explore.picked, from_name);
	game->square_name(to, to_name);
	snprintf(text, sizeof text, "%s%s%s", from_name, game->labelled_squares ? "-" : "", to_name);
	if (game->read_move(explore_position(m), text, &move, &error))
		model_fail(m, "%s", error.text);
}

static void pick(struct model *m, uint8_t square)
{
	struct explore *x = &m->explore;
	const struct el_position *p = explore_position(m);
	unsigned side, kind;
	bool own = piece_at(p, square, &side, &kind) && side == p->side;
	if (!own && x->picked != EL_NO_SQUARE)
		refuse(m, square);
	else if (!own)
		model_note(m, "it is %s's turn: %s one of the pieces of that side",
			   side_name(p->side), x->pointing ? "choose" : "click");
	x->picked = own && x->picked != square ? square : EL_NO_SQUARE;
}

void explore_choose_square(struct model *m, uint8_t square)
{
	struct explore *x = &m->explore;
	struct ways ways = find_ways(x->study, x->picked, square);
	if (!ways.count) {
		pick(m, square);
		return;
	}
	x->moves.at = ways.first;
	if (ways.count == 1) {
		struct el_move move = x->study->answer.moves[ways.first].move;
		explore_play(m, &move);
		return;
	}
	x->picked = EL_NO_SQUARE;
	x->pointing = false;
	model_note(m, "%s: choose it in the list", ways.names);
}

/* ---- the cursor ---- */

static void say_cursor(struct model *m)
{
	char name[4];
	m->explore.game->square_name(m->explore.cursor, name);
	model_note(m, "%s", name);
}

void explore_point(struct model *m)
{
	struct explore *x = &m->explore;
	x->pointing = true;
	x->cursor = x->study->answer.moves[x->moves.at].move.from;
	model_note(m, "arrows move over the board, Enter takes a piece up and puts it down, Tab is "
	              "the way back");
}

bool explore_point_key(struct model *m, int key)
{
	static const struct {
		int keys[2];
		void (*go)(struct model *);
	} ways[] = {
		{{K_LEFT, 'h'}, cursor_left},
		{{K_RIGHT, 'l'}, cursor_right},
		{{K_UP, 'k'}, cursor_up},
		{{K_DOWN, 'j'}, cursor_down},
	};
	struct explore *x = &m->explore;
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		if (key != ways[i].keys[0] && key != ways[i].keys[1])
			continue;
		ways[i].go(m);
		say_cursor(m);
		return true;
	}
	if (key == K_ENTER) {
		explore_choose_square(m, x->cursor);
		return true;
	}
	if (key == K_TAB || key == K_ESCAPE) {
		x->pointing = false;
		x->picked = EL_NO_SQUARE;
		return true;
	}
	return false;
}
