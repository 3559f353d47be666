/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forms in which `probe` answers. */
#ifndef TUI_CLI_PROBE_STYLES_H
#define TUI_CLI_PROBE_STYLES_H

#include "arguments.h"
#include "core/probe/probe.h"

/* Behind `fen` and `wdl`; the metric is null where this version has none of that name. */
struct column {
	const char *name;
	const struct el_metric *metric;
};

/* One position that is asked for. */
struct probe {
	const char *fen; /* as given, free of control characters */
	const struct el_game *game;
	struct el_position position;
	struct el_question question;
	/* Named on the command line, null-terminated; none: what the style shows by itself. */
	const struct el_metric *metrics[METRICS_MAX + 1];
	struct el_answer answer;            /* room for a style to work in */
	struct column columns[METRICS_MAX]; /* where the style has any, found when it begins */
	size_t column_count;
	struct el_opinions opinions; /* what each table says; empty where the style does not ask */
};

/* The metrics of TSV and JSON behind `wdl`, in their order, null-terminated; those of a rule under
   the usual one. Some of them may not be metrics of this version. */
extern const char *const probe_names[];

/* EL_NEGATIVE: a metric was named, and what it is here is not known. */
enum el_status probe_lacks(const struct el_metric *, struct el_error *);

struct probe_style {
	void (*begin)(struct cli *, struct probe *); /* a first line; may be null */
	/* EL_NEGATIVE: the position was printed as unknown, `error` says why. Any other failure is
	   to be printed with print_error. */
	enum el_status (*print)(struct cli *, struct probe *, struct el_error *);
	void (*print_error)(struct cli *, const char *fen, const struct el_error *);
	/* a clock past the limit has run out like one at the limit; moves have an order of their
	   own */
	bool is_lichess;
};

extern const struct probe_style probe_text, probe_tsv, probe_json, probe_lichess;

#endif
