/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of all views, for those that show another one. */
#ifndef ENDLAB_TUI_VIEWS_H
#define ENDLAB_TUI_VIEWS_H

#include "../shell/shell.h"

extern const struct view explore_view, setup_view, map_view, teach_view, index_view, metrics_view,
	bounds_view, practice_view, lesson_view, lab_view, lab_form_view, lab_slice_view,
	inspector_view, tables_view, statistics_view, build_view, help_view, text_view;

#endif
