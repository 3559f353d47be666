/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is known of a part before the first pass: its legal positions, and its conversions by the ply at
 * which they take effect. And what threads need to work on its units. Units that are found in a ledger
 * that was left behind are not begun again.
 */
#ifndef ENDLAB_SOLVE_OPENING_H
#define ENDLAB_SOLVE_OPENING_H

#include "endlab/solve.h"
#include "ledger.h"
#include "paged.h"

/* What a thread works with; bitmaps are of a unit. */
struct hand {
	void *scratch; /* of the game */
	uint64_t *found, *among, *freed;
	struct pen pen;
};

enum conversion { CONVERSION_WINS, CONVERSION_FREES };

struct opening {
	struct el_sets *sets;
	struct scratch *scratch;
	struct hand *hands;      /* `threads`; owned */
	unsigned threads;        /* that units are shared out to */
	struct paged legal[2];   /* [side] to move, by unit */
	struct paged blocked[2]; /* as el_unit has them */
	struct ledger events;    /* on list opening_list(): by rising ply; and what the sets were */
	uint64_t plies[(UINT16_MAX + 1) / 64]; /* bit p: some event has it */
	struct el_phase phase[EL_PHASES_MAX];
};

static inline size_t opening_list(const struct opening *o, unsigned side, enum conversion kind,
                                  size_t unit)
{
	return (2 * side + kind) * o->sets->units + unit;
}

struct opening_wish {
	struct el_sets *sets;
	struct scratch *scratch;
	const struct ledger_place *place; /* of the ledger; null: in memory */
	bool alone;              /* one thread does all */
	const struct el_watch *watch; /* null: nobody asks */
	const struct el_observer *observer; /* may be null */
	const struct el_lender *lender;     /* may say why a unit could not be begun */
};

/* EL_STOPPED, and what el_sets.begin answers. An opening that failed is closed. */
enum el_status opening_make(struct opening *, const struct opening_wish *, struct el_error *);
void opening_close(struct opening *);
/* The least ply of an event above this one; EL_LEVEL_ALL when there is none. */
uint32_t opening_next_ply(const struct opening *, uint32_t ply);
/* Has anything gone wrong on the disk, or in memory? */
enum el_status opening_check(struct opening *, struct el_error *);

/* Has threads go through all units, each in turn taking a few. */
void opening_units(struct opening *, void *context,
                   void (*work)(void *context, struct hand *, size_t unit));

#endif
