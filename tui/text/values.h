/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outcomes and depths in words. */
#ifndef TUI_TEXT_VALUES_H
#define TUI_TEXT_VALUES_H

#include "core/examine/examine.h"

/* ---- outcomes ---- */

/* One letter, so that nothing is lost without colour: W > w + = ? - l < L x. */
char outcome_mark(enum el_outcome);
/* "winning", for a group of moves or positions. */
const char *outcome_group(enum el_outcome);
/* "win", "at least a draw", for one position. */
const char *outcome_words(enum el_outcome);
/* "wins", "draws at least": what the side to move does. */
const char *outcome_verb(enum el_outcome);

/* ---- kinds ---- */

/*
 * How values of one kind are put into words: a row of the table in values.c. Nobody else asks which
 * kind of values a metric has. In pairs of words, wins come first, then losses.
 */
struct kind_words {
	bool has_number;        /* beside the outcome: plies or stones */
	bool has_losses;        /* a bitbase has none */
	bool has_moves;         /* two plies are one move */
	bool is_signed;         /* losses are shown as negative numbers */
	const char *key;        /* of the number in JSON: "plies" */
	const char *unit[2][2]; /* [in moves]: "move", "moves"; "ply", "plies" */
	const char *half[2];    /* "win", "loss"; "gain", "loss" */
	const char *wins;       /* "wins", "gains": what a side does */
	const char *longest[2]; /* "longest win", "longest loss" */
	const char *worse[2];   /* a worse win is "longer", or has "fewer" */
	const char *defence;    /* the best defence is the "longest" */
	const char *values;     /* "depths" */
	const char *columns;    /* headings of the number, in moves and in plies */
	const char *of_title;   /* before the unit, behind the title of a metric: ", in " */
	const char *of_map;     /* the same of what a map shows: ", depth in " */
	const char *of_moves;   /* and of ranked moves, where there is room: "depth in " */
	const char *stalemate;  /* a game that is over and drawn */
};

/* Without a metric: depths. */
const struct kind_words *kind_words(const struct el_metric *);

/* ---- depths ---- */

/* Does the value come with a depth, or a number of stones? */
bool value_is_deep(const struct el_metric *, struct el_value);
/*
 * Plies, or the moves that the side makes whose move ends the count, whoever begins: half the
 * plies, rounded up; of stones all of them. A mate in 61 plies is White's 31st move, one in 62
 * plies with Black to move as well; a lost side whose own forced capture ends the count at once
 * makes 1 move, not 0.
 */
unsigned depth_shown(const struct el_metric *, unsigned plies, bool in_moves);
/* "plies", "moves" or "stones", over a column; "ply", "move" or "stone" of one. Without a metric:
   no stones. */
const char *depth_unit(const struct el_metric *, bool in_moves);
const char *depth_unit_of(const struct el_metric *, unsigned number, bool in_moves);

enum { SENTENCE_MAX = 128 };
/* "31 moves (61 plies)", or "61 plies (31 moves)"; "1 move (1 ply)"; "3 stones". Returns `out`. */
const char *depth_words(const struct el_metric *, unsigned plies, bool in_moves,
                        char out[SENTENCE_MAX]);
/* The same of a value, which may be rounded: "27 moves (53 plies ±1)". */
const char *value_depth(const struct el_metric *, struct el_value, bool in_moves,
                        char out[SENTENCE_MAX]);

/* The number as other programs get it: plies, or stones gained or lost; false where there is none. */
bool value_figure(const struct el_metric *, struct el_value, int *out);
/* The number alone: "27"; of stones "+3", "-2". */
enum { VALUE_NUMBER_MAX = 8 };
const char *value_number(const struct el_metric *, struct el_value, bool in_moves,
                         char out[VALUE_NUMBER_MAX]);

/* For a square of a board: "W27", "L8", "="; of stones "+3". Returns `out`. */
const char *value_mark(const struct el_metric *, struct el_value, bool in_moves,
                       char out[VALUE_NUMBER_MAX]);

/* ---- values ---- */

/* "mate in 31 moves (61 plies)"; "checkmated" where nothing is left to play; "win" where the metric
   has no depth; "zeroing in 3 moves (5 plies), too late under the 50-move rule". Returns `out`. */
const char *value_sentence(const struct el_metric *, struct el_value, bool in_moves,
                           char out[SENTENCE_MAX]);
/* The same without the rule, where the metric is named beside it or goes without saying. */
const char *value_plain_sentence(const struct el_metric *, struct el_value, bool in_moves,
                                 char out[SENTENCE_MAX]);
/* "mate in 31 moves", in the one unit; "win", "draw". */
const char *value_short(const struct el_metric *, struct el_value, bool in_moves,
                        char out[SENTENCE_MAX]);

enum { VALUE_MAX = 3 * SENTENCE_MAX };
/* "win, mate in 31 moves (61 plies)"; with its phase, where that is a part of the value. */
const char *value_words(const struct el_metric *, struct el_value, char out[VALUE_MAX]);

/* "DTM"; returns `out`. */
const char *metric_text(const struct el_metric *, char out[16]);

#endif
