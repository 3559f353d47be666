/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan.h"

#include "numbers.h"
#include "tables.h"

#include <stdio.h>
#include <string.h>

const char *plan_cost(const struct el_plan *plan, char out[PLAN_COST_MAX])
{
	char memory[AMOUNT_MAX], scratch[AMOUNT_MAX], disk[AMOUNT_MAX], time[TIME_MAX];
	bytes_text(plan->scratch, scratch);
	snprintf(out, PLAN_COST_MAX, "%s of memory, %s%s%s of disk, %s",
	         bytes_text(plan->bytes, memory), plan->scratch ? scratch : "",
	         plan->scratch ? " of scratch, " : "", bytes_text(plan->disk, disk),
	         about_text(plan->seconds, time));
	return out;
}

enum el_tier plan_tier(const struct el_task *task, const struct el_table_options *table)
{
	const struct el_table_options options =
		table->preset ? el_preset_options(table->preset, &task->slice, task->metric,
	                                          task->partial)
			      : *table;
	return el_table_tier(&options, task->metric);
}

const char *plan_summary(const struct el_plan *plan, const struct el_table_options *table,
                         char out[PLAN_SUMMARY_MAX])
{
	bool has[EL_TIERS] = {false}, said = false;
	snprintf(out, PLAN_SUMMARY_MAX, "%zu %s", plan->count,
	         plural(plan->count, "table", "tables"));
	for (size_t i = 0; table && i < plan->count; i++)
		has[plan_tier(&plan->tasks[i], table)] = true;
	for (unsigned tier = EL_TIER_SEARCH; tier < EL_TIERS; tier++)
		if (has[tier]) {
			el_text_add(out, PLAN_SUMMARY_MAX, "%s %s", said ? " and" : "",
			            tier_text(tier));
			said = true;
		}
	char cost[PLAN_COST_MAX];
	el_text_add(out, PLAN_SUMMARY_MAX, ", %s", plan_cost(plan, cost));
	return out;
}

const char *plan_proofs(const struct el_plan *plan, char out[PLAN_COST_MAX])
{
	size_t proves = 0;
	for (size_t i = 0; i < plan->count; i++)
		proves += plan->tasks[i].proves;
	snprintf(out, PLAN_COST_MAX, ", %zu of them verified", proves);
	return proves == plan->count ? strcpy(out, ", verified")
	       : !proves             ? strcpy(out, ", not verified")
	                             : out;
}

const char *plan_times(const struct el_plan *plan, char out[PLAN_SUMMARY_MAX])
{
	char some[48] = "", load[48] = "";
	if (plan->tried < plan->count)
		snprintf(some, sizeof some, " of %zu %s", plan->tried,
		         plural(plan->tried, "table", "tables"));
	if (plan->load >= 0)
		snprintf(load, sizeof load, ", at a load of %.1f", plan->load);
	if (plan->tried)
		snprintf(out, PLAN_SUMMARY_MAX, "times%s from a trial on this machine%s", some,
		         load);
	else
		snprintf(out, PLAN_SUMMARY_MAX, "times as earlier builds there took");
	return out;
}

static bool is_usual(const struct el_table_options *table)
{
	const struct el_table_options usual = el_table_options_default();
	return table->codec.codec == usual.codec.codec &&
	       !memcmp(table->codec.option, usual.codec.option, sizeof usual.codec.option) &&
	       table->block_positions == usual.block_positions && table->fill == usual.fill &&
	       table->derive == usual.derive && table->ordering == usual.ordering;
}

const char *plan_proviso(const struct el_table_options *table)
{
	switch (table->preset) {
	case EL_PRESET_SMALL:
		return " (at usual settings: small tables take less disk and more time)";
	case EL_PRESET_FAST:
		return " (at usual settings: fast tables take other times and sizes)";
	case EL_PRESET_USUAL:
		return "";
	default:
		return is_usual(table) ? ""
		                       : " (at usual settings: yours take other times and sizes)";
	}
}

const char *solve_cost(const struct el_solve_report *r, char out[PLAN_SUMMARY_MAX])
{
	char frames[GROUPED_MAX], memory[AMOUNT_MAX], disk[AMOUNT_MAX], time[TIME_MAX];
	snprintf(out, PLAN_SUMMARY_MAX, "%s%s %s, %s of memory, %s of disk, %s",
	         r->size.is_cut              ? "more than "
	         : r->event == EL_SOLVE_NEXT ? "about "
	                                     : "",
	         grouped(r->size.frames, frames), plural(r->size.frames, "frame", "frames"),
	         bytes_text(r->memory, memory), bytes_text(r->disk, disk),
	         about_text(r->seconds, time));
	return out;
}

bool solve_is_over(const struct el_solve_report *r)
{
	return r->event == EL_SOLVE_SOLVED || r->event == EL_SOLVE_RESUMED;
}

const char *reach_text(const struct el_game *game, const struct el_study_reach *reach,
                       char out[REACH_MAX])
{
	if (!reach->kinds)
		return strcpy(out, "what was left");
	out[0] = '\0';
	for (unsigned k = 0, left = reach->kinds; left && k < EL_KINDS; k++) {
		if (!(reach->kinds >> k & 1))
			continue;
		left &= ~(1u << k);
		el_text_add(out, REACH_MAX, "%s%s",
		            !*out  ? "promotions to a "
		            : left ? ", "
		                   : " or ",
		            game->kind_names[k]);
	}
	if (reach->movers > 1)
		el_text_add(out, REACH_MAX, " (up to %u pieces)", reach->movers);
	return out;
}

const char *solve_refusal(const struct el_game *game, const struct el_position *position,
                          char out[REFUSAL_MAX])
{
	unsigned most, movers = 0;
	*out = '\0';
	if (!el_study_kinds(game))
		snprintf(out, REFUSAL_MAX, "No table can be built for this material.");
	else if (position->castling)
		snprintf(out, REFUSAL_MAX,
		         "Neither tables nor studies cover it with castling rights.");
	else if ((movers = el_study_movers(game, position, &most)) > most)
		snprintf(out, REFUSAL_MAX,
		         "%u pieces besides kings and pawns: at most %u can be solved.", movers,
		         most);
	return out;
}

const char *overall_table(const struct el_overall *overall, char out[PLAN_SUMMARY_MAX])
{
	const size_t others = overall->at_once > 1 ? overall->at_once - 1 : 0;
	const size_t number = overall->done + (overall->done < overall->of);
	char beside[32] = "";
	if (others)
		snprintf(beside, sizeof beside, " and %zu %s", others,
		         plural(others, "other", "others"));
	snprintf(out, PLAN_SUMMARY_MAX, "%s%s %zu/%zu", overall->table, beside, number,
	         overall->of);
	return out;
}

const char *overall_left(const struct el_overall *overall, char out[PLAN_COST_MAX])
{
	static const char about[] = "about ";
	char left[TIME_MAX], all[TIME_MAX];
	*out = '\0';
	if (overall->left < 0)
		return out;
	about_text(overall->left, left);
	about_text(overall->seconds + overall->left, all);
	const size_t skipped = strncmp(left, about, sizeof about - 1) ? 0 : sizeof about - 1;
	if (strcmp(left, all))
		snprintf(out, PLAN_COST_MAX, "%s of %s left", left + skipped, all);
	else
		snprintf(out, PLAN_COST_MAX, "%s left", all);
	return out;
}
