/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `doctor` has found, and how it tells that. */
#ifndef TUI_CLI_DOCTOR_H
#define TUI_CLI_DOCTOR_H

#include "progress.h"

#include <limits.h>

/* What is wrong with a file. */
enum ailment { DAMAGED, UNFINISHED, OUTDATED, UNREAD, DOUBLE, PAIRLESS, AILMENTS };

extern const struct ailment_words {
	const char *key, *title;
	bool is_fault; /* else it is told, and does no harm */
} ailments[AILMENTS];

/* All slices of a group under a metric, in files of one kind. */
struct set {
	const struct el_game *game;
	const char *kind;
	const struct el_metric *metric;
	unsigned group;
	struct el_slice *slices; /* owned */
	bool *have;              /* by slice; owned */
	size_t count, found;
	bool meant; /* most of it is there, or most of a greater group: what is missing is a hole */
};

struct ill {
	enum ailment ailment;
	const char *path;
	char why[PATH_MAX + 64];
};

struct doctor {
	struct cli *cli;
	struct el_library *library;
	struct progress progress;
	bool all;
	struct el_entry *entries, *others;
	size_t count, other_count;
	struct set *sets; /* owned */
	size_t set_count;
	struct ill *ills; /* owned */
	size_t ill_count;
	uint64_t tables, bytes;
	bool is_ill;
};

enum el_status doctor_print_text(struct doctor *, struct el_error *);
enum el_status doctor_print_json(struct doctor *, struct el_error *);

#endif
