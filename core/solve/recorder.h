/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes down what passes decide: of each part by bit, as long as it is solved and later parts look
 * at it, and of the whole slice as planes. Parts of different families may be worked on by several
 * threads at once.
 */
#ifndef ENDLAB_RECORDER_H
#define ENDLAB_RECORDER_H

#include "endlab/solve.h"

struct recorder;

/* `parts`: there is more than one. */
enum el_status recorder_open(const struct el_slice *, const struct el_metric *, bool parts,
                             struct recorder **, struct el_error *);
/* A part of which nothing is written down yet; recorder_drop. */
enum el_status recorder_begin(struct recorder *, const struct el_sets *, struct el_found *,
                              struct el_error *);
void recorder_drop(struct el_found *);
/* The positions of a set have the value; `stored` of them are stored by the table. */
void recorder_note(struct recorder *, const struct el_sets *, struct el_found *, unsigned side,
                   const uint64_t *set, uint64_t stored, struct el_value);
/* Takes a part that is complete into the planes. */
enum el_status recorder_gather(struct recorder *, const struct el_sets *, const struct el_found *,
                               struct el_error *);
/* What has been written down so far means this; valid until the recorder is closed, and may be read
   while other threads write down more. */
struct el_meanings recorder_meanings(struct recorder *);
/* The planes, once all parts are gathered. */
enum el_status recorder_finish(struct recorder *, struct el_planes *out, struct el_error *);
void recorder_close(struct recorder *);

#endif
