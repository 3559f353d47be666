/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searching in the list of whatever view is on screen. */
#include "shell_inside.h"

#include <stdio.h>
#include <string.h>

const char *no_list(const struct model *m)
{
	return shell_view(m)->list ? NULL : "There is no list here.";
}

const char *search_disabled(const struct model *m)
{
	const char *why = no_list(m);
	return why ? why : shell_view(m)->row ? NULL : "This list cannot be searched.";
}

void shell_set_pattern(struct model *m, const char *pattern)
{
	snprintf(m->shell->pattern, sizeof m->shell->pattern, "%s", pattern);
}

void search_step(struct model *m, int by)
{
	const char *pattern = m->shell->pattern;
	struct list *list = shell_view(m)->list(m);
	for (int i = 1; *pattern && i <= list->count; i++) {
		char text[512] = "";
		const int row = ((list->at + by * i) % list->count + list->count) % list->count;
		shell_view(m)->row(m, row, text, sizeof text);
		if (!strcasestr(text, pattern))
			continue;
		list_set(list, row);
		return;
	}
	if (*pattern)
		model_fail(m, "'%s' is not in this list.", pattern);
	else
		model_fail(m, "Nothing has been searched for yet. Press / to search.");
}
