/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why an outcome is unknown or a bound: the table that is missing, with the move that needs it, or
   damaged. */
#ifndef CORE_PROBE_ANSWER_WHY_H
#define CORE_PROBE_ANSWER_WHY_H

#include "inside.h"

/* Notes what the probe of the position itself `said` if it failed (else empty), or the fault of the
   file that should have answered. */
void why_begin(const struct probe *, const char *said, struct el_answer *out);
/* To be called after the moves have been looked at. `lacking`: no table has the slice; `faulty`:
   some file could not be used. */
void why_explain(const struct probe *, bool lacking, bool faulty, struct el_answer *out);

#endif
