/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many probes took how long. */
#ifndef TUI_SCREEN_WIDGETS_LATENCY_H
#define TUI_SCREEN_WIDGETS_LATENCY_H

#include "tui/screen/canvas.h"
#include "tui/text/numbers.h"

#include "core/lab/lab.h"

/* A histogram as el_lab_result has them, as many buckets to a row as it takes. */
void latency_draw(const uint64_t histogram[EL_LAB_HISTOGRAM], struct pane);

#endif
