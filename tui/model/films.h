/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One shelf of films for all who look at them.
 *
 *     films_want, in each view's `ask` ... film_of -> the film, or filmed.why
 *
 * A film is made once somebody wants it, and kept as long as there is room on the shelf. What
 * nobody has wanted since the last update is not made any more. Metrics that are solved as one
 * share a film.
 */
#ifndef TUI_MODEL_FILMS_H
#define TUI_MODEL_FILMS_H

#include "job.h"

#include "core/film/film.h"

enum { FILMS_MAX = 16 };

/* A place on the shelf. */
struct filmed {
	bool taken;
	bool wanted;   /* since the last update */
	bool insisted; /* it is made whatever it takes */
	struct el_film_wish wish;
	struct question ask;
	struct el_film *film; /* owned; null: not there yet, or not to be made */
	/* it is not made: it cannot be, or it takes much memory; else empty */
	char why[160];
	uint64_t used; /* what was looked at last is dropped last */
};

struct films {
	struct filmed place[FILMS_MAX];
	uint64_t clock;
	uint64_t asked; /* the clock at the update before: films used after it are on screen */
};

/* Wants a film until the next update, and looks whether it is there. */
const struct filmed *films_want(struct model *, const struct el_film_wish *);
/* The same for a position's slice, under the finest metric of its game. Null until the film is
   there, and for a position of no slice. */
const struct el_film *films_at(struct model *, const struct el_game *, const struct el_position *);
/* Only looks; null when nobody has wanted it. */
const struct filmed *films_find(const struct model *, const struct el_film_wish *);
/* Makes it whatever it takes, or tries again. */
void films_insist(struct model *, const struct el_film_wish *);
/* What could not be made is tried again when it is wanted. */
void films_retry(struct model *);
/* Asks for what is wanted, and stops what is not; after all have wanted. */
void films_ask(struct model *);
void films_free(struct films *);

/* ---- positions ---- */

/* A random position that the side to move wins, with either side as the stronger one. False when
   there is none. */
bool film_sample(struct model *, const struct el_film *, struct el_position *out);

#endif
