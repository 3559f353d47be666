/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The three forms in which `probe` answers. */
#ifndef ENDLAB_CLI_PROBE_STYLES_H
#define ENDLAB_CLI_PROBE_STYLES_H

#include "command.h"

/* One position that is asked for. */
struct probe {
	const char *fen; /* as given, free of control characters */
	const struct el_game *game;
	struct el_position position;
	enum el_probe_mode mode;
	struct el_answer answer; /* room for a style to work in */
};

struct probe_style {
	const char *header; /* a first line; may be null */
	/* EL_NEGATIVE: the position was printed as unknown, `error` says why. Any other failure is to
	   be printed with print_error. */
	enum el_status (*print)(struct cli *, struct probe *, struct el_error *);
	void (*print_error)(struct cli *, const char *fen, const struct el_error *);
};

extern const struct probe_style probe_text, probe_tsv, probe_json;

#endif
