/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "summary.h"

#include "numbers.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *day_spoken(int64_t date, bool spoken, char out[DAY_MAX])
{
	char today[DAY_MAX];
	day_text(date, out);
	return spoken && !strcmp(out, day_text(time(NULL), today)) ? strcpy(out, "today") : out;
}

static const char *changed_text(const struct el_summary *s, const char *day, char out[SUMMARY_MAX])
{
	const bool other = s->change == EL_SUCCESSOR_CHANGED;
	snprintf(out, SUMMARY_MAX, "not verified: %s%schanged since %s", other ? s->changed : "",
	         other ? " " : "", day);
	return out;
}

const char *summary_text(const struct el_summary *s, bool spoken, char out[SUMMARY_MAX])
{
	static const char *const words[] = {
		[EL_VERIFIED] = "verified",
		[EL_SAMPLED] = "sampled",
		[EL_FOUND_WRONG] = "found wrong",
	};
	char day[DAY_MAX], positions[GROUPED_MAX], wrong[GROUPED_MAX];
	*out = '\0';
	if (s->verified == EL_NOT_VERIFIED)
		return out;
	day_spoken(s->date, spoken, day);
	if (s->change != EL_UNCHANGED)
		return changed_text(s, day, out);
	snprintf(out, SUMMARY_MAX, "%s %s by endlab %s, %s%s%s positions", words[s->verified], day,
	         s->version, s->wrong ? grouped(s->wrong, wrong) : "", s->wrong ? " of " : "",
	         grouped(s->positions, positions));
	return out;
}
