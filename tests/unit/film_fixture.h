/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of films share. */
#ifndef TESTS_FILM_FIXTURE_H
#define TESTS_FILM_FIXTURE_H

#include "endlab/film.h"

/* The film of a slice; el_film_free. Where `missing` is not null, within bounds: without the tables of
   the successors that it names (set_has). */
struct el_film *film_of(struct el_library *, const char *slice, const struct el_metric *,
                        const char *missing);
/* Its last step. */
size_t last_step(const struct el_film *);

#endif
