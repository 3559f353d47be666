/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tables.h"

#include "numbers.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

const char *tier_text(enum el_tier tier)
{
	static const char *const words[] = {
		[EL_TIER_UNKNOWN] = NULL,
		[EL_TIER_SEARCH] = "for search",
		[EL_TIER_ROOT] = "for the root",
		[EL_TIER_ARCHIVE] = "for the archive",
	};
	return words[tier];
}

const char *form_text(const struct el_entry *entry, char out[FORM_MAX])
{
	const struct el_table_options *form = &entry->form;
	char codec[EL_CODEC_TEXT], block[AMOUNT_MAX], order[EL_ORDER_TEXT];
	if (!entry->ours) {
		snprintf(out, FORM_MAX, "%s", entry->detail);
		return out;
	}
	const enum el_preset preset =
		el_preset_of(form, &entry->slice, entry->metric, entry->partial);
	const bool ordered = !preset && form->ordering != EL_ORDER_INDEX;
	const char *side = el_table_side(form),
		   *tier = tier_text(el_table_tier(form, entry->metric));
	el_codec_format(&form->codec, codec);
	el_order_format(&entry->slice, form, order);
	snprintf(out, FORM_MAX, "%s%s%s%s%s, %s, %s blocks%s%s%s%s%s", el_preset_names[preset],
	         preset ? ": " : "", entry->partial ? "partial, " : "",
	         side ? side : "both sides to move",
	         form->derive & EL_DERIVE_CAPTURES   ? ", captures left out"
	         : form->derive & EL_DERIVE_OUTCOMES ? ", outcomes left out"
	                                             : "",
	         preset ? form->codec.codec->name : codec, block_text(form->block_positions, block),
	         ordered ? ", order " : "", ordered ? order : "", tier ? ", " : "",
	         tier ? tier : "", entry->castling ? ", castling" : "");
	return out;
}

const char *preset_text(enum el_preset preset)
{
	static const char *const words[] = {
		[EL_PRESET_NONE] = "",
		[EL_PRESET_USUAL] = "usual: quick to build and to probe",
		[EL_PRESET_FAST] = "fast: quickest to build and to probe, most bytes",
		[EL_PRESET_SMALL] = "small: fewest bytes, slower to build and probe",
	};
	return words[preset];
}

const char *summary_text(const struct el_summary *s, bool spoken, char out[SUMMARY_MAX])
{
	static const char *const words[] = {
		[EL_VERIFIED] = "verified",
		[EL_SAMPLED] = "sampled",
		[EL_FOUND_WRONG] = "found wrong",
	};
	char day[DAY_MAX], today[DAY_MAX], positions[GROUPED_MAX], wrong[GROUPED_MAX];
	*out = '\0';
	if (s->verified == EL_NOT_VERIFIED)
		return out;
	day_text(s->date, day);
	if (spoken && !strcmp(day, day_text(time(NULL), today)))
		strcpy(day, "today");
	const bool other = s->change == EL_SUCCESSOR_CHANGED;
	if (s->change != EL_UNCHANGED)
		snprintf(out, SUMMARY_MAX, "not verified: %s%schanged since %s",
		         other ? s->changed : "", other ? " " : "", day);
	else
		snprintf(out, SUMMARY_MAX, "%s %s by endlab %s, %s%s%s position%s%s",
		         words[s->verified], day, s->version,
		         s->wrong ? grouped(s->wrong, wrong) : "", s->wrong ? " of " : "",
		         grouped(s->positions, positions), s->positions == 1 ? "" : "s",
		         s->by_planes                 ? " by whole planes"
		         : s->verified == EL_VERIFIED ? " one by one"
		                                      : "");
	return out;
}
