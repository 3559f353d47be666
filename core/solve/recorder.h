/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An observer of the fixpoint that writes down what each pass decides, as planes. */
#ifndef ENDLAB_RECORDER_H
#define ENDLAB_RECORDER_H

#include "endlab/solve.h"

struct recorder;

enum el_status recorder_open(const struct el_sets *, const struct el_metric *, struct recorder **,
                             struct el_error *);
const struct el_observer *recorder_observer(const struct recorder *);
/* The planes, with what is still undecided (a set for each side) as draws. */
enum el_status recorder_finish(struct recorder *, const struct el_sets *,
                               const uint64_t *const undecided[2], struct el_planes *out,
                               struct el_error *);
void recorder_close(struct recorder *);

#endif
