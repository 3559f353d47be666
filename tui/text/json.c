/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json.h"
#include "utf8.h"

#include <stdlib.h>
#include <string.h>

/* What cannot be allocated is left out of an object, and whoever adds it is seldom told. */
static _Thread_local bool lacking;

static void *json_malloc(size_t size)
{
	void *out = malloc(size);
	lacking |= !out;
	return out;
}

void json_begin(void)
{
	cJSON_InitHooks(&(cJSON_Hooks){json_malloc, free});
}

void json_text(cJSON *object, const char *name, const char *text)
{
	char *clean = text ? json_malloc(4 * strlen(text) + 1) : NULL;
	if (!clean) {
		cJSON_AddNullToObject(object, name);
		return;
	}
	char *end = clean;
	while (*text)
		end += utf8_encode(utf8_decode(&text), end);
	*end = '\0';
	cJSON_AddStringToObject(object, name, clean);
	free(clean);
}

/* Doubles hold counts up to 2^53 exactly: more than any slice of six pieces has. */
void json_count(cJSON *object, const char *name, uint64_t count)
{
	cJSON_AddNumberToObject(object, name, (double)count);
}

bool json_print(FILE *out, cJSON *object)
{
	char *text = cJSON_PrintUnformatted(object);
	const bool whole = text && !lacking;
	cJSON_Delete(object);
	lacking = false;
	if (whole)
		fprintf(out, "%s\n", text);
	cJSON_free(text);
	return whole;
}
