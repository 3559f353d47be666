/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Films that views want, made by the worker of long jobs.
 *
 *     film_want -> film_ask (in the view's `ask`) ... wanted.film or wanted.why -> film_drop
 *
 * Whoever keeps a struct film_wanted, in its part of the model, owns its film.
 */
#ifndef ENDLAB_TUI_VIEWS_FILM_JOB_H
#define ENDLAB_TUI_VIEWS_FILM_JOB_H

#include "../shell/view.h"

#include "endlab/film.h"

/* Of zeros: nothing is wanted. */
struct film_wanted {
	bool wanted;
	struct el_film_wish wish;
	struct question ask;
	unsigned sent;        /* the version of `ask` that the last job was for, and its title */
	char title[64];
	struct el_film *film; /* owned; null: not there yet, or not to be made */
	char why[160];        /* it is not made: it cannot be, or it takes much memory; else empty */
};

/* Another wish drops the film that is there; the same one tries again what could not be made. */
void film_want(struct film_wanted *, const struct el_film_wish *);
void film_ask(struct model *, struct film_wanted *);
/* Makes it whatever it takes, or tries again. */
void film_insist(struct film_wanted *);
/* Nothing is wanted any more. */
void film_drop(struct film_wanted *);

/* ---- the films of the slices that a game passes through ---- */

enum { FILM_SHELF = 6 };

/* Of zeros: empty. */
struct film_shelf {
	struct film_wanted film[FILM_SHELF];
	uint64_t used[FILM_SHELF], clock; /* what was looked at last is dropped last */
};

/* The film of a slice, which is wanted from now on; look whether it is there. Stays valid until
   others have been asked for. */
const struct film_wanted *film_shelf_get(struct film_shelf *, const struct el_slice *,
                                         const struct el_metric *);
/* The same of a position's slice under the finest metric of its game, once it is there; null
   before, and for a position of no slice. */
const struct el_film *film_shelf_at(struct film_shelf *, const struct el_game *,
                                    const struct el_position *);
void film_shelf_ask(struct model *, struct film_shelf *);
/* What could not be made is tried again. */
void film_shelf_retry(struct film_shelf *);
void film_shelf_drop(struct film_shelf *);

/* ---- positions ---- */

/* Depths, both included. */
struct film_range {
	unsigned from, to;
};

/* The deepest win of a film in plies; 0: nobody wins. */
unsigned film_deepest(const struct el_film *);
/* How many positions are won in that many plies, whoever is to move. */
uint64_t film_wins(const struct el_film *, struct film_range);
/* A random position that the side to move wins in that many plies, with either side as the stronger
   one. False when there is none. */
bool film_sample(struct model *, const struct el_film *, struct film_range,
                 struct el_position *out);

#endif
