/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "views.h"

#define DECLARE(name, object) extern const struct view object;
VIEWS(DECLARE)

#define ENTRY(name, object) &object,
const struct view *const views[] = {VIEWS(ENTRY) NULL};
