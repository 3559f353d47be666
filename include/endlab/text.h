/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text of others on its way to a person: names of files, what files say of themselves, positions
 * that were typed. A terminal obeys some characters instead of showing them, so these are written
 * as escapes: \u001b for a character, \xff for a byte that is not UTF-8. Backslashes are left
 * alone: what is fit to be shown stays as it is, however often it is passed on.
 */
#ifndef ENDLAB_TEXT_H
#define ENDLAB_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first character of a text. Returns its bytes; 0 when `length` bytes may be the beginning of
   one; -1 when the first byte begins none. */
int el_utf8(const char *text, size_t length, uint32_t *out);

/* Does a terminal obey it? Control characters (C0, DEL, C1), ends of lines, and marks that turn the
   direction of writing. */
bool el_is_control(uint32_t character);

enum { EL_SHOWN_MAX = 7 }; /* bytes of the longest escape, with a zero */

/* Writes the first character as it may be shown and returns how many bytes that takes. *taken: the
   bytes of `text` that it stands for; 0, with nothing written, as el_utf8 says. */
size_t el_show_first(const char *text, size_t length, size_t *taken, char out[EL_SHOWN_MAX]);

/* The text as it may be shown within a line, zero-terminated: as many whole characters as fit. */
void el_show(const char *text, char *out, size_t room);

/* ---- amounts ---- */

enum { EL_AMOUNT_MAX = 16 };

/* With the first of the units up to `last` that leaves less than a thousand, each a thousand of the one
   before; a tenth is said of fewer than ten, but of the smallest unit only where it comes in fractions.
   Returns `out`. */
const char *el_amount(double, const char *const *units, unsigned last, char out[EL_AMOUNT_MAX]);
/* "6.2 MB" */
const char *el_bytes(double, char out[EL_AMOUNT_MAX]);

#endif
