/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of JSON objects, in the form used throughout the program. */
#ifndef TUI_TEXT_JSON_H
#define TUI_TEXT_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Call it before the first object. An object that then loses a member for want of memory is not
   printed. */
void json_begin(void);

/* A string, or null if `text` is null. JSON is UTF-8: '?' replaces invalid bytes. */
void json_text(cJSON *object, const char *name, const char *text);
void json_count(cJSON *object, const char *name, uint64_t count);
/* A number, or null if it is not known. */
void json_known(cJSON *object, const char *name, bool known, double number);

/* A new object, and a string, at the end of an array. */
cJSON *json_item(cJSON *array);
void json_text_item(cJSON *array, const char *text);

/* The object as text without a newline, for the caller to free; null without memory. Frees the
   object, which this thread must have made. */
char *json_string(cJSON *object);
/* Writes the object, which this thread must have made, as one line and frees it. Without memory it
   writes nothing and returns false. */
bool json_print(FILE *, cJSON *object);

#endif
