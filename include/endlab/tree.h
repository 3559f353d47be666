/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A game as it was played and thought about: tags, moves with their variations, comments and marks.
 * Read from and written to PGN, and PDN where the game is written so.
 *
 *     el_games_open -> el_games_next -> el_tree_node ... el_tree_write -> el_tree_close -> el_games_close
 *
 * The import format of the PGN standard (S. J. Edwards, 1994) is read, with the habits of others: any
 * move numbers, suffixes, Windows line ends, Latin-1, missing tags and results. The export format is
 * written. Nothing that was read is lost: what cannot be understood is kept as text and written back,
 * and a tree that was written is read as an equal one.
 */
#ifndef ENDLAB_TREE_H
#define ENDLAB_TREE_H

#include "endlab/library.h"

#include <sys/types.h>

enum {
	EL_TREE_ROOT = 0, /* the node of the position that the game begins with; it has no move */
	EL_RESULT_MAX = 8,
};
#define EL_NO_NODE UINT32_MAX

/* A move that was played, or looked at. Nodes keep their numbers as long as the tree lives. */
struct el_node {
	struct el_position position; /* after the move */
	struct el_move move;         /* none in the root */
	uint32_t ply;                /* moves from the root */
	uint32_t parent;             /* EL_NO_NODE in the root, and in a node that was deleted */
	uint32_t child;              /* the first one is the main line; else EL_NO_NODE */
	uint32_t next;               /* the next variation: another move from the parent */
	uint32_t notes, last_note;   /* the first and the last, by place, marks first; else EL_NO_NODE */
	bool unread;                 /* one of them is EL_PLACE_REST */
};

enum el_note_kind {
	EL_NOTE_COMMENT, /* {text} */
	EL_NOTE_LINE,    /* ;text, to the end of the line */
	EL_NOTE_ESCAPE,  /* %text, a line for other programs */
	EL_NOTE_MARK,    /* a numeric annotation glyph, such as $1 for a good move */
	EL_NOTE_TEXT,    /* what could not be read as moves, as it stood there */
};

/* Where a note stands. */
enum el_note_place {
	EL_PLACE_HEAD,   /* of the root: before the tags */
	EL_PLACE_BEFORE, /* before the first move of a variation */
	EL_PLACE_AFTER,  /* after the move; in the root, before the first one */
	EL_PLACE_BESIDE, /* a variation that could not be read: EL_NOTE_TEXT */
	EL_PLACE_LATE,   /* after the variations beside the move */
	EL_PLACE_REST,   /* what follows the last move of a line, and could not be read: EL_NOTE_TEXT */
	EL_PLACE_TAIL,   /* of the root: after the result */
};

struct el_note {
	char *text;    /* UTF-8; null in a mark */
	uint32_t next; /* of the same node; else EL_NO_NODE */
	uint16_t mark;
	uint8_t kind, place;
};

/* Marks that PGN writes as !, ?, !!, ??, !? and ?! behind a move. */
enum el_mark { EL_MARK_NONE, EL_MARK_GOOD, EL_MARK_MISTAKE, EL_MARK_BRILLIANT, EL_MARK_BLUNDER };
enum { EL_MARKS_OF_MOVES = 6 };

/* A tag pair. A line that is none, though it begins as one, has no name, and is kept as the value. */
struct el_tag {
	char *name, *value;
};

/* Read freely; change it through the functions below. */
struct el_tree {
	const struct el_game *game;
	struct el_tag *tags; /* in order */
	size_t tag_count, tag_room;
	bool unreadable; /* its start could not be read: it is kept as text, and takes no moves */
	char result[EL_RESULT_MAX]; /* "1-0", "0-1", "1/2-1/2", "*"; in draughts "2-0" and such as well */
	struct el_node *nodes; /* by number; an edit may move them */
	uint32_t node_count, node_room;
	struct el_note *notes;
	uint32_t note_count, note_room;
};

/* ---- making and changing ---- */

/* A game without moves, from this position; null: the game's first one. Another start gets the tags
   that tell it. Only EL_MEMORY. */
enum el_status el_tree_open(const struct el_game *, const struct el_position *start,
                            struct el_tree **out, struct el_error *);
void el_tree_close(struct el_tree *);

static inline const struct el_node *el_tree_node(const struct el_tree *tree, uint32_t node)
{
	return &tree->nodes[node];
}
/* The last node of the line that goes on from a node by first children. */
uint32_t el_tree_end(const struct el_tree *, uint32_t node);
/* The first node of the variation that a node is in; the root in the main line. */
uint32_t el_tree_variation(const struct el_tree *, uint32_t node);
/* Is it the first of its siblings? The root is. */
bool el_tree_is_first(const struct el_tree *, uint32_t node);

/* Plays a legal move. Where it is a child already, that one is found; else it becomes the last one. What
   could not be read behind `parent` becomes a comment. EL_MEMORY; EL_NEGATIVE when the game is not
   readable; the tree is as it was. */
enum el_status el_tree_add(struct el_tree *, uint32_t parent, const struct el_move *, uint32_t *out,
                           struct el_error *);
/* Makes a node the first of its siblings. False: it was. */
bool el_tree_promote(struct el_tree *, uint32_t node);
/* Removes a node other than the root with all that follows. */
void el_tree_delete(struct el_tree *, uint32_t node);

/* The value of a tag; null: there is none. */
const char *el_tree_tag(const struct el_tree *, const char *name);
/* Sets or adds it. A null value removes it. EL_MEMORY. */
enum el_status el_tree_set_tag(struct el_tree *, const char *name, const char *value,
                               struct el_error *);

/* The first note of a node from `note` on (el_node.notes, or el_note.next) that is a comment on its move;
   null: there is none. */
const struct el_note *el_tree_comment(const struct el_tree *, uint32_t note);
/* Adds a note behind those of its kind and place: marks come before words. A comment with a brace in it becomes comments by the line.
   EL_MEMORY. */
enum el_status el_tree_add_note(struct el_tree *, uint32_t node, enum el_note_kind,
                                enum el_note_place, const char *text, struct el_error *);
enum el_status el_tree_add_mark(struct el_tree *, uint32_t node, unsigned mark, struct el_error *);
/* Removes the comments on a move, then adds this one, unless it is null or empty. */
enum el_status el_tree_set_comment(struct el_tree *, uint32_t node, const char *text,
                                   struct el_error *);
/* The mark of the move, from 1 to EL_MARKS_OF_MOVES; 0: it has none. */
unsigned el_tree_mark(const struct el_tree *, uint32_t node);
/* Removes the notes of a node for which `is_it` holds. */
void el_tree_drop_notes(struct el_tree *, uint32_t node,
                        bool (*is_it)(const struct el_note *, const void *context),
                        const void *context);

/* The same game: tags, result, moves and notes, node by node in the order of writing? */
bool el_tree_equal(const struct el_tree *, const struct el_tree *);

/* ---- reading and writing ---- */

/* Games from a text, one after the other. */
struct el_games;

/* Fills `out` with up to `room` bytes; 0: the end; below 0: an error, which errno names. */
typedef ssize_t el_read_bytes(void *context, char *out, size_t room);

/* `name` is for messages: the file; copied. EL_MEMORY. */
enum el_status el_games_open(const char *name, el_read_bytes *, void *context, struct el_games **out,
                             struct el_error *);
/* Of a text in memory, which stays valid. */
enum el_status el_games_open_text(const char *name, const char *text, size_t length,
                                  struct el_games **out, struct el_error *);
/*
 * The next game; *out is null at the end. EL_NEGATIVE with a game in *out: a part of it could not be read
 * (an illegal move, a wrong FEN) and is kept as text; the error names the first such place,
 * "FILE:LINE: game 3, move 17: ...". Else EL_IO, EL_MEMORY, and no game.
 */
enum el_status el_games_next(struct el_games *, struct el_tree **out, struct el_error *);
/* Games handed out, and bytes that they took. */
size_t el_games_count(const struct el_games *);
uint64_t el_games_bytes(const struct el_games *);
void el_games_close(struct el_games *);

/* The game in export format, ending with an empty line; malloc'ed, zero-terminated. *length may be
   null. EL_MEMORY. */
enum el_status el_tree_write(const struct el_tree *, char **out, size_t *length, struct el_error *);

/* ---- verdicts ---- */

enum el_move_verdict_kind {
	EL_VERDICT_UNKNOWN, /* no table tells */
	EL_VERDICT_BEYOND,  /* there are more pieces than in any table */
	EL_VERDICT_KEPT,    /* the outcome; perhaps at the cost of some plies */
	EL_VERDICT_THREW,   /* a win, or a draw */
	EL_VERDICT_MISSED,  /* the same, when it was the opponent's mistake that had given it */
};

/* What a move was worth for its mover, beside the best there was. Under a rule wins that come too late
   are draws, and such losses too. */
struct el_move_verdict {
	enum el_move_verdict_kind kind;
	enum el_outcome before, after; /* at best, and by the move; under the rule, with the clock */
	bool only;      /* no other of several moves keeps the outcome, which is no loss */
	enum el_mark mark; /* EL_MARK_MISTAKE: threw a draw, or let a win become one; EL_MARK_BLUNDER: a win
	                      became a loss; EL_MARK_GOOD: an only move */
	const struct el_metric *metric; /* of what follows; null: no depth is known */
	struct el_value best, got;      /* for the mover */
	unsigned lost;                  /* plies by which a win came later, or a loss sooner */
	struct el_move better;          /* the best move; of a position that is known */
};

/* Gives verdicts under one question; keeps what it needs for that, so that none allocates. */
struct el_judge;

/* The library's tables as they are now; library and question's metric stay valid. */
enum el_status el_judge_open(struct el_library *, const struct el_question *, struct el_judge **out,
                             struct el_error *);
void el_judge_close(struct el_judge *);
/* Might tables know a move from this position, or is there more material than in any? */
bool el_judge_covers(const struct el_judge *, const struct el_game *, const struct el_position *);
/*
 * The verdict on a node's move; the root has none. `previous`: that on the move before, or null. What is
 * wrong with a file is returned, with as much of a verdict as there is without it.
 */
enum el_status el_judge_move(struct el_judge *, const struct el_tree *, uint32_t node,
                             const struct el_move_verdict *previous, struct el_move_verdict *out,
                             struct el_error *);

#endif
