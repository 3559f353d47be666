/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outcomes and depths in words. */
#ifndef TUI_TEXT_VALUES_H
#define TUI_TEXT_VALUES_H

#include "core/games/game.h"

/* ---- outcomes ---- */

/* One character, so that nothing is lost without colour: W > w + = ? - l < L x. */
char outcome_mark(enum el_outcome);
/* "winning", for a group of moves or positions. */
const char *outcome_group(enum el_outcome);
/* "win", "at least a draw", for one position. */
const char *outcome_words(enum el_outcome);
/* "wins", "draws at least": what the side to move does. */
const char *outcome_verb(enum el_outcome);

/* ---- bounds, as letters: the ten values of Bjornsson, Schaeffer, Sturtevant, "Partial Information
   Endgame Databases", 2005 ---- */

/*
 * One of the paper's ten values, for the side to move. The mark u makes it provisional: the value
 * if nothing changed any more. A decided win or loss never has it.
 */
struct bounds_value {
	uint8_t outcome; /* enum el_outcome without blessed, cursed and broken: the bounds */
	bool undecided;  /* the u */
};

static inline bool bounds_equal(struct bounds_value a, struct bounds_value b)
{
	return a.outcome == b.outcome && a.undecided == b.undecided;
}

enum { BOUNDS_NAME_MAX = 4 };
/* "WW", "uTW": u, then the lower and the upper bound; T is a draw. Returns `out`. */
const char *bounds_letters(struct bounds_value, char out[BOUNDS_NAME_MAX]);
/* Reads "LW" and so on, without a u and in either case; false if it is none of the six. */
bool bounds_read(const char *name, enum el_outcome *out);
/* Reads one of the ten values; false if it is none. */
bool lattice_read(const char *name, struct bounds_value *out);
/* A value as a number, and back. */
static inline uint64_t lattice_code(struct bounds_value b)
{
	return b.outcome | (uint64_t)b.undecided << 8;
}
static inline struct bounds_value lattice_decode(uint64_t code)
{
	return (struct bounds_value){(uint8_t)code, code >> 8};
}
/* The same value from the other side's point of view. */
struct bounds_value lattice_negate(struct bounds_value);
/* The paper's Table 2: the maximum of two values. The result keeps a u unless it is a win. */
struct bounds_value lattice_max(struct bounds_value a, struct bounds_value b);

/* ---- kinds ---- */

/*
 * How values of one kind are put into words: a row of the table in values.c. No other code tests a
 * metric's kind. In pairs of words, wins come first, losses second.
 */
struct kind_words {
	bool has_number;        /* beside the outcome: plies or stones */
	bool has_losses;        /* a bitbase has none */
	bool has_moves;         /* two plies are one move */
	bool is_signed;         /* losses are shown as negative numbers */
	const char *key;        /* of the number in JSON: "plies" */
	const char *unit[2][2]; /* [in moves]: "move", "moves"; "ply", "plies" */
	const char *half[2];    /* "win", "loss"; "gain", "loss" */
	const char *wins;       /* "wins", "gains": the verb for a side */
	const char *longest[2]; /* "longest win", "longest loss" */
	const char *worse[2];   /* a worse win is "longer", or has "fewer" */
	const char *defence;    /* the best defence is the "longest" */
	const char *values;     /* "depths" */
	const char *columns;    /* headings of the number, in plies and in moves */
	const char *of_title;   /* before the unit, after a metric's title: ", in " */
	const char *of_map;     /* the same for a map: ", depth in " */
	const char *of_moves;   /* and for ranked moves, if there is room: "depth in " */
	const char *stalemate;  /* a drawn end of the game */
};

/* Without a metric, the words for depths. */
const struct kind_words *kind_words(const struct el_metric *);

/* ---- depths ---- */

/* Does the value have a depth or a number of stones? A win that a rule takes away may have none. */
bool value_is_deep(const struct el_metric *, struct el_value);
/*
 * Plies, or moves of the side that ends the count, whichever side begins: half the plies, rounded
 * up. Stones are not halved. A mate in 61 plies is White's 31st move, and so is one in 62 plies
 * with Black to move; a lost side whose own forced capture ends the count at once makes 1 move, not
 * 0.
 */
unsigned depth_shown(const struct el_metric *, unsigned plies, bool in_moves);
/* "plies", "moves" or "stones" as a column heading; depth_unit_of also gives "ply", "move" or
   "stone" for 1. Without a metric, never stones. */
const char *depth_unit(const struct el_metric *, bool in_moves);
const char *depth_unit_of(const struct el_metric *, unsigned number, bool in_moves);

enum { SENTENCE_MAX = 128 };
/* "61 plies (31 moves)", or "31 moves (61 plies)"; "1 ply (1 move)"; "3 stones". Returns `out`. */
const char *depth_words(const struct el_metric *, unsigned plies, bool in_moves,
                        char out[SENTENCE_MAX]);
/* The same for a value, which may be rounded or the most that it can be: "53 plies ±1 (27 moves)", "at
   most 14 plies (7 moves)". */
const char *value_depth(const struct el_metric *, struct el_value, bool in_moves,
                        char out[SENTENCE_MAX]);

/* The number for other programs: plies, or stones gained or lost; false if there is none. */
bool value_figure(const struct el_metric *, struct el_value, int *out);
/* The number alone: "27"; for stones "+3", "-2". */
enum { VALUE_NUMBER_MAX = 8 };
const char *value_number(const struct el_metric *, struct el_value, bool in_moves,
                         char out[VALUE_NUMBER_MAX]);

/* For a square of a board: "W27", "L8", "="; for stones "+3". Returns `out`. */
const char *value_mark(const struct el_metric *, struct el_value, bool in_moves,
                       char out[VALUE_NUMBER_MAX]);

/* ---- values ---- */

/* "mate in 61 plies (31 moves)"; "checkmated" if the game is over; "win" if the metric has no
   depth; "zeroing in 5 plies (3 moves), too late under the 50-move rule". Returns `out`. */
const char *value_sentence(const struct el_metric *, struct el_value, bool in_moves,
                           char out[SENTENCE_MAX]);
/* The same without the rule, for places where the metric is named or obvious. */
const char *value_plain_sentence(const struct el_metric *, struct el_value, bool in_moves,
                                 char out[SENTENCE_MAX]);
/* "mate in 31 moves", in one unit; "win", "draw". */
const char *value_short(const struct el_metric *, struct el_value, bool in_moves,
                        char out[SENTENCE_MAX]);

enum { PREDICATE_MAX = SENTENCE_MAX + 40 };
/*
 * What the side to move does: "mates in 61 plies (31 moves)", "is mated in 62 plies (31 moves)", "wins
 * in 13 plies (7 moves)", "loses: conversion in 10 plies (5 moves)", "gains 3 stones", "draws".
 * `outcome` is the value's, or what a rule and the clock make of it: "draws (a cursed win): mate in
 * ...". Returns the length of its verb, with the stones, before a blank or a colon.
 */
int value_predicate(const struct el_metric *, struct el_value, enum el_outcome outcome,
                    bool in_moves, char out[PREDICATE_MAX]);

enum { VALUE_MAX = 3 * SENTENCE_MAX };
/* "win, mate in 61 plies (31 moves)"; with its phase, if that is part of the value. */
const char *value_words(const struct el_metric *, struct el_value, char out[VALUE_MAX]);

/* "DTM"; returns `out`. */
const char *metric_text(const struct el_metric *, char out[16]);

#endif
