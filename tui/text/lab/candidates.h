/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the lab compares: the product of lists, one for each part of a candidate. */
#ifndef ENDLAB_TEXT_LAB_CANDIDATES_H
#define ENDLAB_TEXT_LAB_CANDIDATES_H

#include "endlab/table.h"

/* Comma-separated, as the options of `lab` have them; null: the usual ones, of codecs all. */
struct lab_lists {
	const char *codecs, *blocks, *fills, *orders, *derive;
};

/* A candidate, and its codec as it was given. */
struct lab_candidates {
	struct el_table_options *options; /* owned */
	char (*codec)[EL_CODEC_TEXT];     /* owned */
	size_t count;
};

/* The slice may be null: then orders of pieces are refused. EL_USAGE names the list and the entry;
   EL_MEMORY. lab_candidates_free in any case. */
enum el_status lab_candidates_parse(const struct lab_lists *, const struct el_slice *,
                                    struct lab_candidates *out, struct el_error *);
void lab_candidates_free(struct lab_candidates *);

#endif
