/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breaks an index down into steps, and finds why it is broken. */
#include "index.h"

#include "tui/text/text.h"

OWN_STATE(, index, struct index);

static const char *colour(unsigned side)
{
	return side == EL_WHITE ? "white" : "black";
}

/* Puts the pieces of all steps on the board; reports any two that share a square. */
static void put_pieces(const struct index *x, struct index_look *look)
{
	const struct el_index_piece *owner[64] = {NULL};
	for (size_t i = 0; i < look->count; i++)
		for (unsigned j = 0; j < look->step[i].count; j++) {
			const struct el_index_piece *p = &look->step[i].piece[j];
			look->position.set[p->side][p->kind] |= UINT64_C(1) << p->square;
			if (owner[p->square]) {
				const struct el_game *game = x->slice.game;
				const struct el_index_piece *a = owner[p->square];
				char square[4];
				game->square_name(a->square, square);
				look->shared |= UINT64_C(1) << a->square;
				el_fail(&look->broken, EL_NEGATIVE, "%s %s and %s %s both on %s",
				        colour(a->side), game->kind_names[a->kind], colour(p->side),
				        game->kind_names[p->kind], square);
			}
			owner[p->square] = p;
		}
}

void index_look(const struct index *x, struct index_look *out)
{
	*out = (struct index_look){
		.position = {.side = (uint8_t)x->plane, .en_passant = EL_NO_SQUARE, .fullmove = 1}};
	out->count = x->slice.game->index_steps(&x->slice, x->number, out->step);
	if (x->slice.game->sows)
		x->slice.game->unplace(&x->slice, x->plane, x->number, &out->position);
	else
		put_pieces(x, out);
	if (!out->shared) {
		/* No shared square, but a broken index: illegal, or the greater of two. */
		struct el_position found;
		struct el_place place;
		char number[GROUPED_MAX];
		const bool is_there =
			x->slice.game->unplace(&x->slice, x->plane, x->number, &found);
		out->position.castling = is_there ? found.castling : 0;
		if (!is_there && !x->slice.game->check(&out->position, &out->broken) &&
		    x->slice.game->place(&out->position, &place)) {
			el_fail(&out->broken, EL_NEGATIVE,
			        out->step[0].classed ? "a symmetry maps it to the index %s"
			                             : "its reflection has the index %s",
			        grouped(place.index, number));
		}
	}
}

int index_row(const struct index *x, int step)
{
	return x->back ? x->steps.count - 1 - step : step;
}
