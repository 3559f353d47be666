/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json.h"
#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

/* cJSON drops a member that it cannot allocate, and seldom tells its caller. */
static _Thread_local bool lacking;

static void *json_malloc(size_t size)
{
	void *out = malloc(size);
	lacking |= !out;
	return out;
}

static char *copy(const char *text)
{
	const size_t size = strlen(text) + 1;
	char *out = json_malloc(size);
	return out ? memcpy(out, text, size) : NULL;
}

void json_begin(void)
{
	cJSON_InitHooks(&(cJSON_Hooks){json_malloc, free});
}

void json_text(cJSON *object, const char *name, const char *text)
{
	char *clean = text ? copy(text) : NULL;
	if (!clean) {
		cJSON_AddNullToObject(object, name);
		return;
	}
	size_t left = strlen(clean);
	for (char *at = clean; left;) {
		uint32_t character;
		const int bytes = el_utf8(at, left, &character);
		const size_t step = bytes > 0 ? (size_t)bytes : 1;
		if (bytes <= 0)
			*at = '?';
		at += step;
		left -= step;
	}
	cJSON_AddStringToObject(object, name, clean);
	free(clean);
}

/* Doubles hold counts up to 2^53 exactly: no slice of eight pieces has more. */
void json_count(cJSON *object, const char *name, uint64_t count)
{
	cJSON_AddNumberToObject(object, name, (double)count);
}

void json_known(cJSON *object, const char *name, bool known, double number)
{
	if (known)
		cJSON_AddNumberToObject(object, name, number);
	else
		cJSON_AddNullToObject(object, name);
}

cJSON *json_item(cJSON *array)
{
	cJSON *object = cJSON_CreateObject();
	cJSON_AddItemToArray(array, object);
	return object;
}

void json_text_item(cJSON *array, const char *text)
{
	cJSON_AddItemToArray(array, cJSON_CreateString(text));
}

char *json_string(cJSON *object)
{
	char *text = cJSON_PrintUnformatted(object);
	cJSON_Delete(object);
	if (lacking) {
		cJSON_free(text);
		text = NULL;
	}
	lacking = false;
	return text;
}

bool json_print(FILE *out, cJSON *object)
{
	char *text = json_string(object);
	if (text)
		fprintf(out, "%s\n", text);
	const bool whole = text;
	cJSON_free(text);
	return whole;
}
