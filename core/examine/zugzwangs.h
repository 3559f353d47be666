/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What kind of mutual zugzwang a position is. */
#ifndef CORE_EXAMINE_ZUGZWANGS_H
#define CORE_EXAMINE_ZUGZWANGS_H

#include "examine.h"

/* Of a position of plane 0 with White to move, and its value there; EL_ZUGZWANGS: of none. */
enum el_zugzwang zugzwang_kind(const struct el_planes *, const struct el_position *,
                               struct el_value white);

#endif
