/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verbs.h"

#include "tui/model/model.h"

#include <string.h>

void words_offer_slices(struct words *w, const struct model *m)
{
	for (size_t i = 0; i < m->slices.count; i++)
		words_offer(w, m->slices.list[i].name);
}

const struct verb *verb_of_line(const struct verb *table, const char *line, const char **rest)
{
	const size_t length = strcspn(line, " ");
	for (const struct verb *v = table; v && v->word; v++) {
		if (strlen(v->word) != length || strncasecmp(v->word, line, length))
			continue;
		*rest = line + length + strspn(line + length, " ");
		return v;
	}
	return NULL;
}
