/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A shelf of films, shared by all views.
 *
 *     films_want, in each view's `ask` ... film_of -> the film, or filmed.why
 *
 * A film is made when a view wants it, and kept while there is room on the shelf. If no view has
 * wanted it since the last update, it is no longer made. Metrics that are solved together share a
 * film.
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
	bool insisted; /* made whatever it costs */
	struct el_film_wish wish;
	struct question ask;
	struct el_film *film; /* owned; null: not made */
	/* why it is not made: impossible, or too much memory; else empty */
	char why[160];
	uint64_t used; /* the least recently used film is dropped first */
};

struct films {
	struct filmed place[FILMS_MAX];
	uint64_t clock;
	uint64_t asked; /* the clock at the previous update: films used later are on screen */
};

/* Wants a film until the next update, and returns its place. */
const struct filmed *films_want(struct model *, const struct el_film_wish *);
/* The same for a position's slice, under the game's finest metric. Null until the film is there,
   and if the position is in no slice. */
const struct el_film *films_at(struct model *, const struct el_game *, const struct el_position *);
/* Looks without wanting; null if no view has wanted it. */
const struct filmed *films_find(const struct model *, const struct el_film_wish *);
/* Makes it whatever it costs, or tries again. */
void films_insist(struct model *, const struct el_film_wish *);
/* Films that could not be made are tried again when wanted. */
void films_retry(struct model *);
/* Requests what is wanted and stops what is not; call it after all views have asked. */
void films_ask(struct model *);
void films_free(struct films *);

/* ---- positions ---- */

/* A random position won for the side to move, with either side as the stronger one. False if there
   is none. */
bool film_sample(struct model *, const struct el_film *, struct el_position *out);

#endif
