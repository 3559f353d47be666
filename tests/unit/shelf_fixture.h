/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Films that views want, made without a worker, beside tables of the same slices: KRvK, KPvK, KQvKR
   and checkers:KKvK, with what they depend on. A failure fails the test. */
#ifndef TESTS_SHELF_FIXTURE_H
#define TESTS_SHELF_FIXTURE_H

#include "tui/model/model.h"

/* Of a group of tests: opens and closes the library. */
int shelf_set_up(void **state);
int shelf_tear_down(void **state);
struct el_library *shelf_library(void);
/* A model with an empty shelf; model_free. */
struct model shelf_model(uint64_t random);
/* Those slices by name; ends with null. */
extern const char *const shelf_slices[];

/* Makes what the shelf wants. */
void shelf_make(struct model *);
/* The film of a slice under the finest metric of its game. */
const struct el_film *shelf_film(struct model *, const struct el_slice *);
/* What the tables say of a position under that metric. */
struct el_value shelf_value(const struct el_game *, const struct el_position *);
/* The move of that name in an answer. */
const struct el_ranked *shelf_ranked(const struct el_answer *, const char *san);

#endif
