/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a build or the solution of a position will cost, in the words that the command line and the screens share. */
#ifndef TUI_TEXT_PLAN_H
#define TUI_TEXT_PLAN_H

#include "core/builder/build.h"
#include "core/builder/position.h"

enum { PLAN_COST_MAX = 128, PLAN_SUMMARY_MAX = 192 };

/* The cost of an estimated plan: "1.4 GB of memory, 240 MB of disk, about 2 min". Returns `out`. */
const char *plan_cost(const struct el_plan *, char out[PLAN_COST_MAX]);
/* The same after the number of tables and, with the options that they are written with, their tiers:
   "15 tables for the root, 1.4 GB of memory, ..."; without (null), "15 tables, 1.4 GB ...". */
const char *plan_summary(const struct el_plan *, const struct el_table_options *,
                         char out[PLAN_SUMMARY_MAX]);
/* The tier of a task's table with such options. */
enum el_tier plan_tier(const struct el_task *, const struct el_table_options *);
/* Which of its tables are verified: ", verified", ", 3 of them verified", ", not verified". */
const char *plan_proofs(const struct el_plan *, char out[PLAN_COST_MAX]);
/* On what the times rest: "times as earlier builds there took", "times of 12 tables from a trial on
   this machine, at a load of 8.9". */
const char *plan_times(const struct el_plan *, char out[PLAN_SUMMARY_MAX]);
/* A note for tables with unusual options, since plans assume the usual ones: " (at usual settings:
   ...)"; else empty. */
const char *plan_proviso(const struct el_table_options *);

/* What a step of solving a position takes: "2,000 frames, 7.2 MB of memory, 740 KB of disk, under 1 s". */
const char *solve_cost(const struct el_solve_report *, char out[PLAN_SUMMARY_MAX]);
/* Is there nothing more to follow, as far as the last report of the work says? */
bool solve_is_over(const struct el_solve_report *);
enum { REACH_MAX = 96, REFUSAL_MAX = 128 };
/* What a step follows: "promotions to a queen", "pawns without promotions". */
const char *reach_text(const struct el_game *, const struct el_study_reach *, char out[REACH_MAX]);
/* Why a position cannot be solved by itself: a sentence; empty if it can. */
const char *solve_refusal(const struct el_game *, const struct el_position *,
                          char out[REFUSAL_MAX]);

/* The progress of a build of several tables: "KRPvKR dtm 12/110"; "KQvKR dtm and 1 other
   12/110". */
const char *overall_table(const struct el_overall *, char out[PLAN_SUMMARY_MAX]);
/* "39 min of about 42 min left"; empty if not known. */
const char *overall_left(const struct el_overall *, char out[PLAN_COST_MAX]);

#endif
