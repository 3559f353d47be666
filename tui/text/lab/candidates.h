/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the lab compares: the product of lists, one for each part of a candidate, plus foreign
   files. */
#ifndef TUI_TEXT_LAB_CANDIDATES_H
#define TUI_TEXT_LAB_CANDIDATES_H

#include "core/lab/lab.h"

/* Comma-separated, as for the options of `lab`; null: the usual ones, and all codecs. */
struct lab_lists {
	const char *codecs, *blocks, *fills, *orders, *derive;
};

/* Candidates, and the codec of each as it was given; empty for a foreign file. */
struct lab_candidates {
	struct el_lab_candidate *list; /* owned */
	char (*codec)[EL_CODEC_TEXT];  /* owned */
	size_t count;
};

/* The slice may be null: orders of pieces are then refused. EL_USAGE names the list and the entry;
   EL_MEMORY. Call lab_candidates_free in any case. */
enum el_status lab_candidates_parse(const struct lab_lists *, const struct el_slice *,
                                    struct lab_candidates *out, struct el_error *);
/* Adds those foreign files among the entries that can be compared with tables of the slice, one of
   each kind. EL_MEMORY. */
enum el_status lab_candidates_add_foreign(struct lab_candidates *, const struct el_entry *entries,
                                          size_t count, const struct el_slice *,
                                          const struct el_metric *, struct el_error *);
/* Do they include a foreign file of that kind? */
bool lab_candidates_have(const struct lab_candidates *, const struct el_source_ops *);
/* "zstd:9"; "syzygy rtbw": the codec, or the kind of a foreign file. */
const char *lab_codec_text(const struct el_lab_candidate *, char out[EL_CODEC_TEXT]);
void lab_candidates_free(struct lab_candidates *);

#endif
