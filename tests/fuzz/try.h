/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the fuzzers: texts and files of any bytes. */
#ifndef TESTS_FUZZ_TRY_H
#define TESTS_FUZZ_TRY_H

#include "core/table/source.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reports a finding and ends the program if the condition is false. */
static inline void must(bool true_of_all)
{
	if (!true_of_all)
		abort();
}

/* The bytes as a text that ends at the first zero; malloc'ed, so that sanitizers see a read past
   its end. */
char *try_text(const uint8_t *data, size_t size);

/* A folder for this process alone, in memory if possible; at the end it is removed with the files
   of try_write, if it has no others. */
const char *try_folder(void);
/* The path of a name in it; valid until the next call. */
const char *try_path(const char *name);
void try_write(const char *name, const void *data, size_t size);

/*
 * Opens the bytes as a file of that kind, with a name that begins with the stem ("KQvK"); false if
 * it is refused. Otherwise probes positions all over it, each of which has a value or an error, and
 * checks and reads the whole.
 */
bool try_as(const struct el_source_ops *kind, const char *stem, const uint8_t *data, size_t size);

/* Asserts that a terminal obeys nothing in the printed text. */
void try_clean(const char *text, size_t size);

#endif
