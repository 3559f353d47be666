/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lender that lends all planes in pieces: what has been let go of can no longer be read. */
#ifndef TESTS_PIECES_FIXTURE_H
#define TESTS_PIECES_FIXTURE_H

#include "solved.h"

struct pieces;

struct pieces *pieces_open(struct solved *);
/* How often a piece was asked for; everything has been given back. */
size_t pieces_close(struct pieces *);
struct el_lender pieces_lender(struct pieces *);

#endif
