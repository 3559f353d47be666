/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boards of Awari between the program and the tests' own (awele.h). */
#ifndef TESTS_AWARI_FIXTURE_H
#define TESTS_AWARI_FIXTURE_H

#include "awele.h"
#include "endlab/game.h"

/* The same board, stores and side to move, both ways. */
struct el_position awari_from_awele(const struct awele_board *);
struct awele_board awari_to_awele(const struct el_position *);

/* Up to so many stones, in heaps: pits of more than eleven are common. `state` as in random_next. */
struct el_position awari_heaps(unsigned stones, uint64_t *state);

#endif
