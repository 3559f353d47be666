/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "marks.h"

static unsigned count(uint64_t set)
{
	return (unsigned)__builtin_popcountll(set);
}

void marks_begin(struct marks *k, const struct el_game *game)
{
	unsigned file = game->files / 2u, rank = game->ranks / 2u;
	*k = (struct marks){.cursor = game->square_at(file, rank)};
	while (k->cursor == EL_NO_SQUARE && file-- > 0)
		k->cursor = game->square_at(file, rank);
}

void marks_toggle(struct marks *k, uint8_t square)
{
	k->cursor = square;
	if (!k->graded)
		k->marked ^= UINT64_C(1) << square;
}

bool square_steer(const struct el_game *game, bool flipped, int key, uint8_t *square)
{
	static const struct {
		int keys[2];
		enum direction way;
	} ways[] = {
		{{K_LEFT, 'h'}, LEFT},
		{{K_RIGHT, 'l'}, RIGHT},
		{{K_UP, 'k'}, UP},
		{{K_DOWN, 'j'}, DOWN},
	};
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		if (key != ways[i].keys[0] && key != ways[i].keys[1])
			continue;
		*square = square_beside(game, flipped, *square, ways[i].way);
		return true;
	}
	return false;
}

bool marks_key(struct marks *k, const struct el_game *game, bool flipped, int key)
{
	if (square_steer(game, flipped, key, &k->cursor))
		return true;
	if (key != K_ENTER || k->graded)
		return false;
	marks_toggle(k, k->cursor);
	return true;
}

bool marks_update(struct marks *k, const struct el_game *game, bool flipped, const struct event *e)
{
	const bool clicked = e->kind == EVENT_CLICK && e->zone.kind == ZONE_SQUARE;
	if (e->kind == EVENT_KEY)
		return marks_key(k, game, flipped, e->key);
	if (clicked)
		marks_toggle(k, (uint8_t)e->zone.value);
	return clicked;
}

void marks_grade(struct marks *k, uint64_t expected)
{
	k->graded = true;
	k->expected = expected;
}

struct marks_count marks_count(const struct marks *k)
{
	return (struct marks_count){count(k->marked & k->expected), count(k->marked & ~k->expected),
	                            count(k->expected & ~k->marked)};
}

unsigned marks_percent(const struct marks *k)
{
	const struct marks_count c = marks_count(k);
	const unsigned all = c.right + c.wrong + c.missed;
	return all ? 100 * c.right / all : 100;
}

void marks_draw(const struct marks *k, struct square_mark out[MARKS_SQUARES])
{
	for (uint8_t square = 0; square < MARKS_SQUARES; square++) {
		const bool marked = k->marked & UINT64_C(1) << square,
			   expected = k->expected & UINT64_C(1) << square;
		out[square] = (struct square_mark){.role = ROLE_GROUND};
		if (marked && !k->graded)
			out[square] = (struct square_mark){.text = "*", .role = ROLE_VALUE_NOW};
		else if (marked && expected)
			out[square] = (struct square_mark){.text = "yes", .role = ROLE_VALUE_WIN};
		else if (marked)
			out[square] = (struct square_mark){.text = "no", .role = ROLE_VALUE_LOSS};
		else if (expected && k->graded)
			out[square] = (struct square_mark){.text = "miss", .role = ROLE_VALUE_DRAW};
	}
}
