/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All views: adding one takes a line here and a folder. The first is the home view; the title line
 * lists those with a key in this order. A view names another only to show it: shell_show(m,
 * VIEW_TEACH).
 */
#ifndef TUI_VIEWS_VIEWS_H
#define TUI_VIEWS_VIEWS_H

#include "tui/shell/shell.h"

/* clang-format off */
#define VIEWS(_) \
	_(EXPLORE, explore_view) \
	_(SETUP, setup_view) \
	_(MAP, map_view) \
	_(PRACTICE, practice_view) \
	_(PRACTICE_MOVES, practice_moves_view) \
	_(PRACTICE_SQUARES, practice_squares_view) \
	_(PRACTICE_GUESS, practice_guess_view) \
	_(LESSON, lesson_view) \
	_(RECORD, record_view) \
	_(POSITIONS, positions_view) \
	_(GAMES, games_view) \
	_(SURVEY, survey_view) \
	_(MISTAKES, mistakes_view) \
	_(TEACH, teach_view) \
	_(FRAMES, frames_view) \
	_(INDEX, index_view) \
	_(METRICS, metrics_view) \
	_(BOUNDS, bounds_view) \
	_(LAB, lab_view) \
	_(LAB_FORM, lab_form_view) \
	_(LAB_SLICE, lab_slice_view) \
	_(INSPECTOR, inspector_view) \
	_(GAPS, gaps_view) \
	_(CACHE, cache_view) \
	_(TABLES, tables_view) \
	_(STATISTICS, statistics_view) \
	_(BUILD, build_view) \
	_(THREADS, threads_view) \
	_(HELP, help_view) \
	_(MORE, more_view) \
	_(TEXT, text_view)
/* clang-format on */

#define VIEW_NAME(name, object) VIEW_##name,
enum view_name { VIEWS(VIEW_NAME) };
#undef VIEW_NAME

/* In the order of their names, null-terminated. */
extern const struct view *const views[];

#endif
