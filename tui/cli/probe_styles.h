/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output forms of `probe`. */
#ifndef TUI_CLI_PROBE_STYLES_H
#define TUI_CLI_PROBE_STYLES_H

#include "arguments.h"
#include "core/probe/probe.h"

/* Follows `fen` and `wdl`; the metric is null if this version has none of that name. */
struct column {
	const char *name;
	const struct el_metric *metric;
};

/* One requested position. */
struct probe {
	const char *fen; /* as given, free of control characters */
	const struct el_game *game;
	struct el_position position;
	struct el_question question;
	/* Named on the command line, null-terminated; none: the style's default. */
	const struct el_metric *metrics[METRICS_MAX + 1];
	struct el_answer answer;            /* scratch space for the style */
	struct column columns[METRICS_MAX]; /* if the style has any; set when it begins */
	size_t column_count;
	struct el_opinions opinions; /* what each table says; empty if the style does not ask */
};

struct probe_style {
	void (*begin)(struct cli *, struct probe *); /* a first line; may be null */
	/* EL_NEGATIVE: the position was printed as unknown, and `error` says why. A fault of a table:
	   it was printed as far as it is known. The caller prints any other failure with
	   print_error. */
	enum el_status (*print)(struct cli *, struct probe *, struct el_error *);
	void (*print_error)(struct cli *, const char *fen, const struct el_error *);
	/* a clock past the limit counts as one at the limit; moves have an order of their own */
	bool is_lichess;
};

extern const struct probe_style probe_text, probe_tsv, probe_json, probe_lichess;

#endif
