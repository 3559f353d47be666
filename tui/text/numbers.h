/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts, sizes and times in words. Each function returns its `out`. */
#ifndef TUI_TEXT_NUMBERS_H
#define TUI_TEXT_NUMBERS_H

#include "core/base/text.h"

#include <stdint.h>

enum { GROUPED_MAX = 32, AMOUNT_MAX = EL_AMOUNT_MAX, TIME_MAX = 32, DAY_MAX = 16 };

/* 2467122 -> "2,467,122". */
const char *grouped(uint64_t number, char out[GROUPED_MAX]);
/* The word that goes with a number: "table" with 1, else "tables". */
const char *plural(uint64_t number, const char *one, const char *many);

/* "310 B", "7.1 KB", "42 MB": powers of 1,000, to match the byte counts beside it. At most 6
   characters below 1,000 TB. */
const char *bytes_text(uint64_t bytes, char out[AMOUNT_MAX]);

/* A short count: "310", "7.1 K", "42 M". */
const char *rate_text(double number, char out[AMOUNT_MAX]);

/* A table block's positions, a power of two: "256", "16K", "1M". */
const char *block_text(uint32_t positions, char out[AMOUNT_MAX]);

/* A measured time: "34 ms", "1.23 s", "12.3 s", "2 min 5 s", "3 h 12 min". */
const char *seconds_text(double seconds, char out[TIME_MAX]);
/* An estimate: "under 1 s", "about 25 s", "about 2 min", "about 3 h 10 min". */
const char *about_text(double seconds, char out[TIME_MAX]);
/* A countdown: "0:07", "2:05", "1:02:05". */
const char *clock_text(double seconds, char out[TIME_MAX]);
/* "2026-11-22" in local time; `date` is in seconds since 1970. */
const char *day_text(int64_t date, char out[DAY_MAX]);
/* "310 ns", "1.2 us", "34 ms". */
const char *latency_text(double ns, char out[AMOUNT_MAX]);

#endif
