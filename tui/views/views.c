/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "views.h"

const struct view *const views[] = {
	&explore_view,
	&setup_view,
	&map_view,
	&teach_view,
	&index_view,
	&metrics_view,
	&bounds_view,
	&practice_view,
	&lesson_view,
	&lab_view,
	&lab_form_view,
	&lab_slice_view,
	&inspector_view,
	&tables_view,
	&statistics_view,
	&build_view,
	&help_view,
	&text_view,
	NULL,
};
