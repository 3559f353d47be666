/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picker.h"

#include "../text/text.h"
#include "../screen/widgets/marks.h"

#include <stdio.h>

/* ---- squares ---- */

/* The moves from one square to another. Captures of different pieces are different moves; of the
   promotions the best comes first. */
struct ways {
	int first; /* place in the list; -1: there is none */
	int count;
	char names[160]; /* "9x18x27 or 9x14x27" */
};

static struct ways find_ways(const struct picker_moves *from, uint8_t here, uint8_t there)
{
	struct ways w = {.first = -1};
	size_t used = 0;
	for (size_t i = 0; i < from->count; i++) {
		const struct el_move *move = &from->moves[i];
		char name[EL_MOVE_MAX];
		if (move->from != here || move->to != there ||
		    (w.count && move->captured == from->moves[w.first].captured))
			continue;
		w.first = w.count ? w.first : (int)i;
		from->game->write_move(from->position, move, EL_SAN, name);
		if (used < sizeof w.names)
			used += (size_t)snprintf(w.names + used, sizeof w.names - used, "%s%s",
			                         w.count ? " or " : "", name);
		w.count++;
	}
	return w;
}

/* Says in the words of the game why a piece cannot go there. */
static void refuse(struct model *m, const struct picker *p, const struct picker_moves *from,
                   uint8_t to)
{
	const struct el_game *game = from->game;
	char text[12], from_name[4], to_name[4];
	struct el_move move;
	struct el_error error;
	game->square_name(p->picked, from_name);
	game->square_name(to, to_name);
	snprintf(text, sizeof text, "%s%s%s", from_name, game->labelled_squares ? "-" : "", to_name);
	if (game->read_move(from->position, text, &move, &error))
		model_fail(m, "%s", error.text);
}

static void take_up(struct model *m, struct picker *p, const struct picker_moves *from,
                    uint8_t square)
{
	unsigned side, kind;
	bool own = el_piece_at(from->position, square, &side, &kind) && side == from->position->side;
	if (!own && p->picked != EL_NO_SQUARE)
		refuse(m, p, from, square);
	else if (!own)
		model_note(m, "It is %s's turn: %s a %s piece.", side_name(from->position->side),
		           p->pointing ? "choose" : "click",
		           from->position->side == EL_WHITE ? "white" : "black");
	p->picked = own && p->picked != square ? square : EL_NO_SQUARE;
}

enum picker_result picker_choose(struct model *m, struct picker *p,
                                 const struct picker_moves *from, uint8_t square, int *move)
{
	struct ways ways = find_ways(from, p->picked, square);
	if (!ways.count) {
		take_up(m, p, from, square);
		return PICKER_NONE;
	}
	*move = ways.first;
	if (ways.count == 1)
		return PICKER_CHOSEN;
	p->picked = EL_NO_SQUARE;
	p->pointing = false;
	model_note(m, "Choose one in the list: %s.", ways.names);
	return PICKER_AMBIGUOUS;
}

uint64_t picker_targets(const struct picker *p, const struct picker_moves *from)
{
	uint64_t targets = 0;
	for (size_t i = 0; p->picked != EL_NO_SQUARE && i < from->count; i++)
		if (from->moves[i].from == p->picked)
			targets |= (uint64_t)1 << from->moves[i].to;
	return targets;
}

void picker_drop(struct picker *p)
{
	p->picked = EL_NO_SQUARE;
}

/* ---- the cursor ---- */

void picker_point(struct model *m, struct picker *p, uint8_t square)
{
	p->pointing = true;
	p->cursor = square;
	model_note(m, "Move with the arrows; press Enter to pick up and put down, Tab to leave.");
}

static bool move_cursor(struct model *m, struct picker *p, const struct picker_moves *from, int key)
{
	char name[4];
	if (!square_steer(from->game, from->flipped, key, &p->cursor))
		return false;
	from->game->square_name(p->cursor, name);
	model_note(m, "%s", name);
	return true;
}

enum picker_result picker_key(struct model *m, struct picker *p, const struct picker_moves *from,
                              int key, int *move)
{
	if (move_cursor(m, p, from, key))
		return PICKER_NONE;
	if (key == K_ENTER)
		return picker_choose(m, p, from, p->cursor, move);
	if (key != K_TAB && key != K_ESCAPE)
		return PICKER_UNUSED;
	p->pointing = false;
	picker_drop(p);
	return PICKER_NONE;
}
