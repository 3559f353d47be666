/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text that others wrote, on its way to a person: names of files, what files say of themselves,
 * positions that were typed. A terminal obeys some characters instead of showing them, so these are
 * written as escapes: \u001b for a character, \xff for a byte that is not UTF-8. Backslashes are
 * not escaped: text that can be shown stays as it is, however often it is passed on.
 */
#ifndef CORE_BASE_TEXT_H
#define CORE_BASE_TEXT_H

#include "endlab/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the first character of a text. Returns how many bytes it has; 0 if the `length` bytes may
   be the beginning of one; -1 if the first byte begins none. */
int el_utf8(const char *text, size_t length, uint32_t *out);

/* Does a terminal obey a character? These are control characters (C0, DEL, C1), line ends, and
   marks that change the direction of writing. */
bool el_is_control(uint32_t character);

enum { EL_SHOWN_MAX = 7 }; /* bytes of the longest escape, with its terminator */

/* Writes the first character as it may be shown, and returns how many bytes that takes. *taken
   becomes the number of bytes of `text` that it stands for; 0, with nothing written, where el_utf8
   returns 0. */
size_t el_show_first(const char *text, size_t length, size_t *taken, char out[EL_SHOWN_MAX]);

/* The text as it may be shown within a line: as many whole characters as fit, and a terminator. */
void el_show(const char *text, char *out, size_t room);

/* ---- lists of words ---- */

/* Appends a word to a list of `size` bytes, where it is cut; `comma` comes before every word but
   the first. */
void el_words_add(char *list, size_t size, const char *comma, const char *word);
/* Sets *place to that of a word in a null-terminated list. EL_USAGE lists the known ones: "WHAT
   'WORD': expected one of raw, zstd". */
enum el_status el_words_find(const char *const *known, const char *word, const char *what,
                             unsigned *place, struct el_error *);

/* ---- amounts ---- */

enum { EL_AMOUNT_MAX = 16 };

/* An amount with its unit: the first one, up to number `last`, in which it is less than a thousand;
   each unit is a thousand of the one before. Fewer than ten have a decimal, except in the smallest
   unit. Returns `out`. */
const char *el_amount(double, const char *const *units, unsigned last, char out[EL_AMOUNT_MAX]);
/* "6.2 MB" */
const char *el_bytes(double, char out[EL_AMOUNT_MAX]);

#endif
