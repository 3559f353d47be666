/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `lab` compares: the product of the lists that its options give. */
#ifndef ENDLAB_CLI_LAB_CANDIDATES_H
#define ENDLAB_CLI_LAB_CANDIDATES_H

#include "arguments.h"
#include "endlab/table.h"

/* A candidate, and its codec as it was given. */
struct lab_candidates {
	struct el_table_options *options; /* owned */
	char (*codec)[EL_CODEC_TEXT];     /* owned */
	size_t count;
};

/* clang-format off */
#define LAB_CANDIDATE_OPTIONS \
	{"--codecs", "LIST", "codecs, comma-separated, such as raw,zstd:19 (default: all)"}, \
	{"--blocks", "LIST", "positions in a block, such as 256,4K,1M (default 1K,16K)"}, \
	{"--fills", "LIST", "what broken positions become: none, previous, best (default " \
	                    "none,best)"}, \
	{"--orders", "LIST", "which piece varies fastest: index, best, or all pieces from the " \
	                     "slowest to the fastest (default index)"}, \
	{"--derive", "LIST", "what is left out: nothing, captures (default nothing)"}
/* clang-format on */

/* EL_USAGE names the list and the entry; EL_MEMORY. lab_candidates_free in any case. */
enum el_status lab_candidates_parse(const struct arguments *, const struct el_slice *,
                                    struct lab_candidates *out, struct el_error *);
void lab_candidates_free(struct lab_candidates *);

#endif
