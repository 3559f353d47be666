/* SPDX-License-Identifier: MIT */
/* The positions of an order in turn: the inverse of syzygy_index.c. */
#include "core/games/choose.h"
#include "syzygy.h"

#include <string.h>

/* ---- leaders ---- */

/* Tries every square for the leaders from `next` on; consecutive pawns ascend. */
static void place_leaders(const struct order *o, unsigned file, unsigned next,
                          uint8_t square[SYZYGY_PIECES_MAX], struct leads *out, bool *known)
{
	if (next == o->group[0].count || next == SYZYGY_PIECES_MAX) {
		/* Among mirror images, the first has the number. */
		uint8_t turned[SYZYGY_PIECES_MAX];
		memcpy(turned, square, sizeof turned);
		const uint64_t number = order_lead(o, turned);
		if (number < out->count && !known[number]) {
			known[number] = true;
			memcpy(out->square[number], turned, sizeof turned);
		}
		return;
	}
	for (unsigned s = 0; s < 64; s++) {
		bool fits = !o->pawns || (s >= 8 && s < 56);
		if (next == 0 && o->pawns)
			fits = fits && file_of(s) == file;
		else if (next == 0)
			fits = file_of(s) < 4 && rank_of(s) <= file_of(s);
		if (o->pawns && next > 0)
			fits = fits && order_follows(s, square[0]) &&
			       (next < 2 || s > square[next - 1]);
		for (unsigned i = 0; i < next; i++)
			fits = fits && s != square[i];
		if (!fits)
			continue;
		square[next] = (uint8_t)s;
		place_leaders(o, file, next + 1, square, out, known);
	}
}

enum el_status leads_list(const struct order *o, unsigned file, struct leads *out)
{
	uint8_t square[SYZYGY_PIECES_MAX] = {0};
	out->count = order_leads(o, file);
	out->square = calloc(out->count, sizeof *out->square);
	bool *known = calloc(out->count, sizeof *known);
	if (out->square && known)
		place_leaders(o, file, 0, square, out, known);
	const bool have = out->square && known;
	free(known);
	return have ? EL_OK : EL_MEMORY;
}

void leads_free(struct leads *leads)
{
	free(leads->square);
	leads->square = NULL;
}

/* ---- the walk ---- */

/* Inserts squares `first` to `end` into the sorted ones before them. */
static void sort_in(const struct walk *w, unsigned first, unsigned end,
                    uint8_t sorted[SYZYGY_PIECES_MAX])
{
	for (unsigned i = first; i < end; i++) {
		unsigned at = i;
		for (; at > 0 && sorted[at - 1] > w->square[i]; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = w->square[i];
	}
}

/* Puts a group on the squares that earlier groups leave free, from `lowest` on. `sorted` has the
   `first` earlier squares, ascending; the group's are added. */
static void put_group(struct walk *w, unsigned g, unsigned first, unsigned lowest,
                      uint8_t sorted[SYZYGY_PIECES_MAX])
{
	const unsigned count = w->order->group[g].count;
	uint64_t places =
		count == 1 ? UINT64_C(1) << w->digit[g] : choose_unrank(w->digit[g], count);
	for (unsigned i = first; places; places &= places - 1, i++) {
		unsigned square = lowest + (unsigned)__builtin_ctzll(places);
		for (unsigned k = 0; k < first; k++)
			square += sorted[k] <= square;
		w->square[i] = (uint8_t)square;
	}
	sort_in(w, first, first + count, sorted);
}

static void put_all(struct walk *w)
{
	enum { A2 = 8 };
	const struct order *o = w->order;
	uint8_t sorted[SYZYGY_PIECES_MAX];
	unsigned first = o->group[0].count;
	memcpy(w->square, w->leads->square[w->digit[0]], sizeof w->square);
	sort_in(w, 0, first, sorted);
	for (unsigned g = 1; g < o->groups; first += o->group[g++].count)
		put_group(w, g, first, o->other_pawns && g == 1 ? A2 : 0, sorted);
}

void walk_begin(struct walk *w, const struct order *o, const struct leads *leads, uint64_t index)
{
	*w = (struct walk){.order = o, .leads = leads};
	for (unsigned g = 0; g < o->groups; g++) {
		unsigned at = g;
		for (; at > 0 && o->group[w->fastest[at - 1]].factor > o->group[g].factor; at--)
			w->fastest[at] = w->fastest[at - 1];
		w->fastest[at] = (uint8_t)g;
	}
	for (unsigned i = 0; i < o->groups; i++) {
		const struct group *group = &o->group[w->fastest[i]];
		const uint64_t above =
			i + 1 < o->groups ? o->group[w->fastest[i + 1]].factor : o->positions;
		w->radix[w->fastest[i]] = (uint32_t)(above / group->factor);
		w->digit[w->fastest[i]] =
			(uint32_t)(index / group->factor % w->radix[w->fastest[i]]);
	}
	put_all(w);
}

void walk_next(struct walk *w)
{
	for (unsigned i = 0; i < w->order->groups; i++) {
		const unsigned g = w->fastest[i];
		if (++w->digit[g] < w->radix[g])
			break;
		w->digit[g] = 0;
	}
	put_all(w);
}
