/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of JSON objects, as all of the program writes them. */
#ifndef TUI_TEXT_JSON_H
#define TUI_TEXT_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Before the first object: from here on an object that lacks a member for want of memory is not
   printed. */
void json_begin(void);

/* A string, or null where `text` is null. JSON is UTF-8: '?' stands for bytes that are not. */
void json_text(cJSON *object, const char *name, const char *text);
void json_count(cJSON *object, const char *name, uint64_t count);

/* The object, made by the same thread, as a text without a newline, to be freed; null without
   memory. Frees the object. */
char *json_string(cJSON *object);
/* Writes the object, made by the same thread, as one line and frees it; false, with nothing
   written, without memory. */
bool json_print(FILE *, cJSON *object);

#endif
