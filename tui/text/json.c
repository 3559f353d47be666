/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json.h"
#include "utf8.h"

#include <stdlib.h>
#include <string.h>

void json_text(cJSON *object, const char *name, const char *text)
{
	char *clean = text ? malloc(4 * strlen(text) + 1) : NULL;
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
	cJSON_Delete(object);
	if (!text)
		return false;
	fputs(text, out);
	fputc('\n', out);
	cJSON_free(text);
	return true;
}
