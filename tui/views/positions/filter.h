/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A filter in words: "KQvKR win depth>60". Slices are alternatives, and so are outcomes, sides to
 * move and metrics; all other words must hold. Unknown words are searched for in the row.
 */
#ifndef TUI_VIEWS_POSITIONS_FILTER_H
#define TUI_VIEWS_POSITIONS_FILTER_H

#include "tui/text/findings.h"

/* One position of a list. */
struct listed {
	const struct el_game *game;
	struct el_position position;
	char fen[EL_FEN_MAX];
	char slice[EL_SLICE_MAX];         /* "-": none */
	char note[24];                    /* the source's: a metric, or the kind of zugzwang */
	const char *name;                 /* null: it has no name */
	char meaning[ZUGZWANG_WORDS_MAX]; /* of the note; empty: it is obvious */
	const struct el_metric *metric;   /* of the value; null: not known */
	struct el_value value;            /* for the side to move */
	bool longest;                     /* the longest of its metric */
};

enum { LISTED_TEXT_MAX = 512, FILTER_MAX = 96 };
/* A row's whole text, for searching. Returns `out`. */
const char *listed_text(const struct listed *, bool in_moves, char out[LISTED_TEXT_MAX]);
/* "win", "cursed", "at most a draw"; empty if nothing is known. */
const char *listed_outcome(const struct listed *);

enum term_kind { TERM_SLICE, TERM_METRIC, TERM_SIDE, TERM_OUTCOME, TERM_DEPTH, TERM_TEXT };

struct term {
	enum term_kind kind;
	char text[FILTER_MAX];
	struct el_slice slice;
	const struct el_metric *metric;
	/* a side, an outcome or a depth (in the displayed unit, unless given in plies or moves) */
	unsigned number;
	bool less, equal, more; /* how a depth may compare with `number` */
};

struct filter {
	struct term term[8];
	int count; /* 0: every position passes */
};

/* EL_USAGE, with `out` untouched: a depth without a number, or too many words. */
enum el_status filter_parse(const char *text, struct filter *out, struct el_error *);
bool filter_holds(const struct filter *, const struct listed *, bool in_moves);
/* The filter's words; returns `out`. */
const char *filter_text(const struct filter *, char out[FILTER_MAX]);
/* Does it name slices, but not this one? */
bool filter_bars_slice(const struct filter *, const struct el_slice *);
bool filter_names_slices(const struct filter *);
void filter_remove(struct filter *, int term);

#endif
