/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picker.h"

#include "core/base/text.h"

#include "tui/screen/widgets/marks.h"
#include "tui/text/text.h"

#include <stdio.h>

/* ---- squares ---- */

/* The moves from one square to another. Captures of different pieces are different moves; the best
   promotion comes first. */
struct ways {
	int first; /* place in the list; -1: none */
	int count;
	uint64_t prey;   /* what they take; */
	bool by_piece;   /* one piece each */
	char names[160]; /* "9x18x27 or 9x14x27" */
};

static struct ways find_ways(const struct picker_moves *from, uint8_t here, uint8_t there)
{
	struct ways w = {.first = -1, .by_piece = true};
	for (size_t i = 0; i < from->count; i++) {
		const struct el_move *move = &from->moves[i];
		char name[EL_MOVE_MAX];
		if (move->from != here || !el_move_goes_to(move, there) ||
		    (w.count && move->captured == from->moves[w.first].captured))
			continue;
		w.first = w.count ? w.first : (int)i;
		w.prey |= move->captured;
		w.by_piece = w.by_piece && !(move->captured & (move->captured - 1));
		from->game->write_move(from->position, move, EL_SAN, name);
		el_words_add(w.names, sizeof w.names, " or ", name);
		w.count++;
	}
	return w;
}

/* Do all moves put a piece from the hand on the board? */
static bool places(const struct picker_moves *from)
{
	return from->count && from->moves[0].from == EL_NO_SQUARE;
}

/* Says, in the game's words, why a piece cannot go there. */
static void refuse(struct model *m, const struct picker *p, const struct picker_moves *from,
                   uint8_t to)
{
	const struct el_game *game = from->game;
	char text[12], from_name[4] = "", to_name[4];
	struct el_move move;
	struct el_error error;
	if (p->picked != EL_NO_SQUARE)
		game->square_name(p->picked, from_name);
	game->square_name(to, to_name);
	snprintf(text, sizeof text, "%s%s%s", from_name,
	         *from_name && game->labelled_squares ? "-" : "", to_name);
	if (game->read_move(from->position, text, &move, &error))
		model_fail(m, "%s", error.text);
}

/* Asks which of the moves: the list has all; on the board they differ by one captured piece each,
   or not at all. */
static void ask_which(struct model *m, struct picker *p, const struct picker_moves *from,
                      const struct ways *ways)
{
	char names[64] = "", name[4];
	p->taking = ways->by_piece;
	if (!ways->by_piece) {
		p->picked = EL_NO_SQUARE;
		p->pointing = false;
		model_note(m, "Choose one in the list: %s.", ways->names);
		return;
	}
	p->to = from->moves[ways->first].to;
	p->cursor = (uint8_t)__builtin_ctzll(ways->prey);
	for (uint64_t left = ways->prey; left; left &= left - 1) {
		from->game->square_name((uint8_t)__builtin_ctzll(left), name);
		el_words_add(names, sizeof names, ", ", name);
	}
	model_note(m, "Choose the %s to take: %s.", piece_word(from->game), names);
}

enum picker_result picker_choose(struct model *m, struct picker *p, const struct picker_moves *from,
                                 uint8_t square, int *move)
{
	const bool is_taking = p->taking;
	p->taking = false;
	for (size_t i = 0; i < from->count; i++) {
		const struct el_move *known = &from->moves[i];
		*move = (int)i;
		/* Sows that pit, or captures exactly that piece. */
		if (from->game->sows
		            ? known->from == square
		            : is_taking && known->from == p->picked && known->to == p->to &&
		                      known->captured == UINT64_C(1) << square)
			return PICKER_CHOSEN;
	}
	*move = -1;
	if (from->game->sows) {
		refuse(m, p, from, square);
		return PICKER_NONE;
	}
	struct ways ways = find_ways(from, p->picked, square);
	if (!ways.count) {
		unsigned side, kind;
		bool own = el_piece_at(from->position, square, &side, &kind) &&
		           side == from->position->side;
		if (places(from) || (!own && p->picked != EL_NO_SQUARE))
			refuse(m, p, from, square);
		else if (!own)
			model_note(m, "It is %s's turn: choose a %s %s.",
			           from->game->sides[from->position->side],
			           from->position->side == EL_WHITE ? "white" : "black",
			           piece_word(from->game));
		p->picked = own && !places(from) && p->picked != square ? square : EL_NO_SQUARE;
		return PICKER_NONE;
	}
	*move = ways.first;
	if (ways.count == 1)
		return PICKER_CHOSEN;
	ask_which(m, p, from, &ways);
	return PICKER_AMBIGUOUS;
}

/* ---- on the board ---- */

void picker_show(const struct picker *p, const struct picker_moves *from, struct board *b,
                 struct el_position *made)
{
	b->picked = p->taking ? EL_NO_SQUARE : p->picked;
	b->cursor = p->pointing ? p->cursor : EL_NO_SQUARE;
	const struct ways ways = find_ways(from, p->picked, p->taking ? p->to : EL_NO_SQUARE);
	if (ways.count) {
		const struct el_move *move = &from->moves[ways.first];
		from->game->play(from->position, move, made);
		for (unsigned i = 0; i < 2 * EL_KINDS; i++) /* keep the captured pieces */
			made->set[i / EL_KINDS][i % EL_KINDS] |=
				from->position->set[i / EL_KINDS][i % EL_KINDS] & move->captured;
		b->position = made;
		b->last = el_move_squares(move);
		b->prey = ways.prey;
		return;
	}
	for (size_t i = 0; p->picked != EL_NO_SQUARE && i < from->count; i++) {
		const struct el_move *move = &from->moves[i];
		const bool by_rook = !el_move_goes_to(move, move->to);
		if (move->from == p->picked)
			b->targets |= UINT64_C(1)
			              << (by_rook ? (uint8_t)(move->castles - 1) : move->to);
	}
}

void picker_drop(struct picker *p)
{
	p->picked = EL_NO_SQUARE;
	p->taking = false;
}

/* ---- the cursor ---- */

void picker_point(struct model *m, struct picker *p, const struct el_move *first)
{
	const bool places = first->from == EL_NO_SQUARE;
	p->pointing = true;
	p->cursor = places ? first->to : first->from;
	model_note(m, "Move with the arrows; press Enter to %s, Tab to leave.",
	           places ? "place a man" : "pick up and put down");
}

enum picker_result picker_update(struct model *m, struct picker *p, const struct picker_moves *from,
                                 const struct event *e, int *move)
{
	char name[4];
	if (e->kind == EVENT_CLICK && e->zone.kind == ZONE_SQUARE)
		return picker_choose(m, p, from, (uint8_t)e->zone.value, move);
	if (e->kind != EVENT_KEY || !p->pointing)
		return PICKER_UNUSED;
	if (square_steer(from->game, from->flipped, e->key, &p->cursor)) {
		from->game->square_name(p->cursor, name);
		model_note(m, "%s", name);
		return PICKER_NONE;
	}
	if (e->key == K_ENTER)
		return picker_choose(m, p, from, p->cursor, move);
	if (e->key != K_TAB && e->key != K_ESCAPE)
		return PICKER_UNUSED;
	p->pointing = false;
	picker_drop(p);
	return PICKER_NONE;
}
