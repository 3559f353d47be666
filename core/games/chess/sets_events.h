/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growing lists of events, and the schedule that they end in. */
#ifndef ENDLAB_CHESS_SETS_EVENTS_H
#define ENDLAB_CHESS_SETS_EVENTS_H

#include "endlab/sets.h"

struct chess_event_list {
	struct el_event *events; /* owned */
	size_t count, capacity;
};

struct chess_events {
	struct chess_event_list wins, frees;
};

/* One event for each ply that occurs among ply[x], x in `bits`. EL_OK or EL_MEMORY, as below. */
enum el_status chess_events_add(struct chess_event_list *, uint32_t word, uint64_t bits,
                                const uint16_t ply[64]);
/* Appends what `from` holds to `to`. */
enum el_status chess_events_move(struct chess_events *to, const struct chess_events *from);
/* The schedule: sorted by ply. */
enum el_status chess_events_sort(const struct chess_event_list *, struct el_schedule *out);
void chess_events_free(struct chess_events *);

#endif
