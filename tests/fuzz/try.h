/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the fuzzers share: texts and files of any bytes. */
#ifndef TESTS_FUZZ_TRY_H
#define TESTS_FUZZ_TRY_H

#include "core/table/source.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program when it is false: a finding. */
static inline void must(bool true_of_all)
{
	if (!true_of_all)
		abort();
}

/* The bytes as a text, which ends at the first zero; malloc'ed, so that a read past its end is
   seen. */
char *try_text(const uint8_t *data, size_t size);

/* A folder of this process alone, in memory where that can be; removed in the end if it is empty,
   with what try_write wrote. */
const char *try_folder(void);
/* The path of a name in it; valid until the next call. */
const char *try_path(const char *name);
void try_write(const char *name, const void *data, size_t size);

/*
 * The bytes as a file of that kind, whose name begins with the stem ("KQvK"); false: it is refused.
 * Otherwise positions all over it are probed, each of which has a value or an error, and the whole
 * is checked and read.
 */
bool try_as(const struct el_source_ops *kind, const char *stem, const uint8_t *data, size_t size);

/* Nothing in what was printed is obeyed by a terminal. */
void try_clean(const char *text, size_t size);

#endif
