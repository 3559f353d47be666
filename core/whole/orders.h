/* SPDX-License-Identifier: MIT */
/*
 * What ranks (core/os/ranks.h) do together: rank 0 gives an order, and all, it too, do what that says. The
 * others wait for orders meanwhile (core/builder/join.c).
 */
#ifndef CORE_WHOLE_ORDERS_H
#define CORE_WHOLE_ORDERS_H

#include "core/games/game.h"
#include "core/os/ranks.h"

#include <limits.h>

enum order_kind {
	ORDER_SOLVE,  /* a slice under a metric: core/builder/join.c */
	ORDER_FORGET, /* its scratch files */
	ORDER_PROVE,  /* a table: core/examine/verify.c */
};

struct order {
	enum order_kind kind;
	char slice[EL_SLICE_MAX], metric[16];
	char path[PATH_MAX];   /* of scratch files, or of the table */
	char copies[PATH_MAX]; /* lender_set_copies; empty: null */
	uint64_t memory;       /* bytes for the solution, or for the proof */
	uint64_t pieces;       /* bytes for what a solution borrows */
	/* Of what the solution borrows (el_room.lent), or of the table (core/library/reads.h). */
	uint64_t identity;
	int threads;
	bool is_own; /* lender_read_from */
};

/* On rank 0. A failure is known to all ranks: there is no later order. */
enum el_status order_give(struct ranks *, const struct order *, struct el_error *);
/* On the others. False: there is none, since rank 0 has ended (status EL_OK) or a rank is gone. */
bool order_take(struct ranks *, struct order *out, struct el_error *);

#endif
