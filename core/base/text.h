/* SPDX-License-Identifier: MIT */
/*
 * Untrusted text on its way to a terminal: file names, descriptions inside files, typed positions.
 * A terminal obeys some characters instead of showing them, so these are written as escapes: \u001b
 * for a character, \xff for a byte that is not UTF-8. Backslashes are not escaped: printable text
 * stays the same, however often it is passed on.
 */
#ifndef CORE_BASE_TEXT_H
#define CORE_BASE_TEXT_H

#include "endlab/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the first character of a text. Returns how many bytes it has; 0 if the `length` bytes may
   be the beginning of one; -1 if they are not UTF-8. */
int el_utf8(const char *text, size_t length, uint32_t *out);

/* Does a terminal obey this character? True for control characters (C0, DEL, C1), line ends, and
   marks that change the writing direction. */
bool el_is_control(uint32_t character);

enum { EL_SHOWN_MAX = 7 }; /* bytes of the longest escape, with its terminator */

/* Writes the first character, escaped if necessary, and returns how many bytes that takes. *taken
   becomes the number of bytes read from `text`; 0, with nothing written, if el_utf8 returns 0. */
size_t el_show_first(const char *text, size_t length, size_t *taken, char out[EL_SHOWN_MAX]);

/* The text with escapes, to be shown within a line: as many whole characters as fit, and a
   terminator. */
void el_show(const char *text, char *out, size_t room);

/* ---- growing texts ---- */

/* Appends to a text as printf writes; `size` bytes hold the whole, and the excess is cut. */
void el_text_add(char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same for a list: `comma` precedes every word except the first. */
void el_words_add(char *list, size_t size, const char *comma, const char *word);
/* Sets *place to the place of a word in a null-terminated list. EL_USAGE lists the known words:
   "WHAT 'WORD': expected one of raw, zstd". */
enum el_status el_words_find(const char *const *known, const char *word, const char *what,
                             unsigned *place, struct el_error *);

/* ---- amounts ---- */

enum { EL_AMOUNT_MAX = 16 };

/* An amount in the first unit, up to number `last`, that makes it less than a thousand; each unit
   is a thousand times the previous one. Amounts below ten have one decimal, except in the smallest
   unit. Returns `out`. */
const char *el_amount(double, const char *const *units, unsigned last, char out[EL_AMOUNT_MAX]);
/* "6.2 MB" */
const char *el_bytes(double, char out[EL_AMOUNT_MAX]);

#endif
