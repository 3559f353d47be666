/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that threads share where there is enough to do. */
#ifndef ENDLAB_SHARED_FOR_H
#define ENDLAB_SHARED_FOR_H

/* Words of sets that are worth it: to enter a parallel region costs as much as a thousand, on one
   thread too, and the parts of a slice with pawns have a hundred. */
enum { SHARED_WORDS = 1 << 12 };

#define SHARED_PRAGMA(text) _Pragma(#text)

/* SHARED_FOR(words, w, count, schedule(static), { ... }): for (size_t w = 0; w < count; w++) { ... },
   in a parallel region with these clauses where `words` are enough. */
#define SHARED_FOR(words, i, count, clauses, ...)                  \
	do {                                                       \
		if ((words) < SHARED_WORDS) {                      \
			for (size_t i = 0; i < (count); i++)       \
				__VA_ARGS__                        \
		} else {                                           \
			SHARED_PRAGMA(omp parallel for clauses)    \
			for (size_t i = 0; i < (count); i++)       \
				__VA_ARGS__                        \
		}                                                  \
	} while (0)

#endif
