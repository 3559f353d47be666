/* SPDX-License-Identifier: MIT */
/*
 * Values of the positions without castling rights to which moves lead that give the rights up: some millions
 * of a slice of a hundred. Its table may leave out a side, and a probe of that tries every move. So the
 * positions are marked first, and the slice is then read once.
 */
#ifndef CORE_WHOLE_GATHER_H
#define CORE_WHOLE_GATHER_H

#include "core/library/library.h"

#include <stdatomic.h>

/* Zeros hold no value. */
struct gathered {
	struct el_slice slice;
	struct gathered_plane {
		_Atomic uint64_t *marks; /* a bit for each index; owned, like all below */
		uint32_t *before;        /* by word of marks: how many there are before it */
		uint16_t *symbols;       /* of the marked positions, in the order of the index */
		struct el_value *values; /* by symbol */
	} plane[2];
};

/*
 * Gathers those that moves from the slice `from` reach. `planes`: of the slice without rights, under the
 * metric; null: from our table under it. If there is none, or it cannot be read piece by piece, nothing is
 * gathered. EL_MEMORY, EL_STOPPED, errors of the table; gathered_free in any case.
 */
enum el_status gathered_make(struct gathered *, struct el_library *, const struct el_slice *from,
                             const struct el_metric *, const struct el_planes *planes,
                             const struct el_watch *, struct el_error *);
void gathered_free(struct gathered *);

/* False: its value is not here. */
static inline bool gathered_value(const struct gathered *g, const struct el_place *at,
                                  struct el_value *out)
{
	const struct gathered_plane *p = &g->plane[at->plane];
	if (!p->values || at->key != g->slice.key)
		return false;
	const uint64_t word = atomic_load_explicit(&p->marks[at->index / 64], memory_order_relaxed);
	const unsigned bit = at->index % 64;
	if (!(word >> bit & 1))
		return false;
	const unsigned in_word = (unsigned)__builtin_popcountll(word & ((UINT64_C(1) << bit) - 1));
	*out = p->values[p->symbols[p->before[at->index / 64] + in_word]];
	return true;
}

#endif
