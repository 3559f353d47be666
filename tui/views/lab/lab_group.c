/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several slices that Lab measures one after the other: its figures are their sums and means. */
#include "lab.h"

#include "tui/text/lab/totals.h"

#include <stdio.h>
#include <string.h>

size_t lab_slices(const struct lab *lab, const struct el_slice **out)
{
	*out = lab->group.count ? lab->group.list : &lab->slice;
	return lab->group.count ? lab->group.count : 1;
}

const char *lab_several(const struct lab *lab)
{
	return lab->group.count ? "Several slices are measured. Press s to choose one of them."
	                        : NULL;
}

const char *lab_name(const struct lab *lab)
{
	return lab->group.count ? LAB_TOTALS_NAME : lab->slice.name;
}

static enum el_status read_words(const char *words, struct slices *out, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (const char *at = words + strspn(words, " "); *at && !status; at += strspn(at, " ")) {
		char word[64];
		snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
		at += strcspn(at, " ");
		status = slices_add(out, word, error);
	}
	if (!status && !out->count)
		status =
			el_fail(error, EL_USAGE, "slice: expected slices or groups, found nothing");
	for (size_t i = 1; i < out->count && !status; i++)
		if (out->list[i].game != out->list[0].game)
			status = el_fail(error, EL_USAGE, "%s and %s: expected slices of one game",
			                 out->list[0].name, out->list[i].name);
	return status;
}

static bool same_slices(const struct lab *lab, const struct slices *wanted)
{
	const struct el_slice *list;
	bool same = lab_slices(lab, &list) == wanted->count;
	for (size_t i = 0; i < wanted->count && same; i++)
		same = el_slice_equal(&list[i], &wanted->list[i]);
	return same;
}

enum el_status lab_set_slices(struct model *m, const char *words, struct el_error *error)
{
	struct lab *lab = lab_of(m);
	struct slices wanted = {0};
	enum el_status status = read_words(words, &wanted, error);
	if (!status && !same_slices(lab, &wanted)) {
		lab_change_slice(lab, &wanted.list[0]);
		if (wanted.count > 1) {
			lab->group = wanted;
			wanted = (struct slices){0};
		}
	}
	slices_free(&wanted);
	return status;
}
