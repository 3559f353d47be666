/* SPDX-License-Identifier: MIT */
/*
 * A game with its analysis: tags, moves with their variations, comments and marks. It is read from
 * and written to PGN, or PDN for games that use it.
 *
 *     el_games_open -> el_games_next -> el_tree_node ... el_tree_write -> el_tree_close ->
 *     el_games_close
 *
 * The parser takes the import format of the PGN standard (S. J. Edwards, 1994), and what other
 * programs make of it: any move numbers, suffixes, Windows line ends, Latin-1, missing tags and
 * results, the signs and words of two tables below, and games without tags with an empty line
 * between them. The writer writes the export format. No input is lost: a word that is no move
 * becomes a comment, an illegal move ends its line, a variant that is not known is not played; what
 * is not understood is kept and written back, and reading a written tree gives an equal one.
 */
#ifndef CORE_TREE_TREE_H
#define CORE_TREE_TREE_H

#include "core/library/library.h"
#include "core/probe/probe.h"

#include <sys/types.h>

enum {
	EL_TREE_ROOT = 0, /* the node of the initial position; it has no move */
	EL_RESULT_MAX = 8,
};
#define EL_NO_NODE UINT32_MAX

/* A move that was played or considered. A node keeps its number as long as the tree exists. */
struct el_node {
	struct el_position position; /* after the move */
	struct el_move move;         /* none in the root */
	uint32_t ply;                /* moves from the root */
	uint32_t parent;             /* EL_NO_NODE in the root, and in a node that was deleted */
	/* the first one, which continues the line, and the last one; else EL_NO_NODE */
	uint32_t child, last_child;
	/* the next variation from the parent, in a file perhaps with the same move; else EL_NO_NODE */
	uint32_t next;
	/* the first and the last, by place, marks first; else EL_NO_NODE */
	uint32_t notes, last_note;
	bool unread; /* one of the notes is EL_PLACE_REST */
};

enum el_note_kind {
	EL_NOTE_COMMENT, /* {text} */
	EL_NOTE_LINE,    /* ;text, to the end of the line */
	EL_NOTE_ESCAPE,  /* %text, a line for other programs */
	EL_NOTE_MARK,    /* a numeric annotation glyph, such as $1 for a good move */
	EL_NOTE_TEXT,    /* text that could not be read as moves, verbatim */
};

/* The place of a note. */
enum el_note_place {
	EL_PLACE_HEAD,   /* in the root: before the tags */
	EL_PLACE_BEFORE, /* before the first move of a variation */
	EL_PLACE_AFTER,  /* after the move; in the root, before the first one */
	EL_PLACE_BESIDE, /* a variation that could not be read: EL_NOTE_TEXT */
	EL_PLACE_LATE,   /* after the variations beside the move */
	/* text after the last move of a line that could not be read: EL_NOTE_TEXT */
	EL_PLACE_REST,
	EL_PLACE_TAIL, /* in the root: after the result */
};

struct el_note {
	char *text;    /* UTF-8; null in a mark */
	uint32_t next; /* the next note of the node; else EL_NO_NODE */
	uint16_t mark;
	uint8_t kind, place;
};

/* Marks 1 to 6, which PGN also writes as !, ?, !!, ??, !? and ?! after a move. */
enum el_mark { EL_MARK_NONE, EL_MARK_GOOD, EL_MARK_MISTAKE, EL_MARK_BRILLIANT, EL_MARK_BLUNDER };
enum { EL_MARKS_OF_MOVES = 6 };

/* A tag pair. A line that only begins like one is kept as a value without a name (null). */
struct el_tag {
	char *name, *value;
};

/* Read freely; change it through the functions below. */
struct el_tree {
	const struct el_game *game;
	struct el_tag *tags; /* in order */
	size_t tag_count;
	/* the initial position could not be read: the game is kept as text and accepts no moves */
	bool unreadable;
	char result
		[EL_RESULT_MAX]; /* "1-0", "0-1", "1/2-1/2", "*"; in draughts also "2-0" and the like */
	struct el_node *nodes; /* by number; an edit may move the array */
	uint32_t node_count;
	struct el_note *notes;
	uint32_t note_count;
};

/* ---- making and changing ---- */

/* Makes a game without moves from this position; null: from the game's initial one. Tags record any
   other position. The only failure is EL_MEMORY. */
enum el_status el_tree_open(const struct el_game *, const struct el_position *start,
                            struct el_tree **out, struct el_error *);
void el_tree_close(struct el_tree *);

static inline const struct el_node *el_tree_node(const struct el_tree *tree, uint32_t node)
{
	return &tree->nodes[node];
}
/* The last node of the line that continues from a node by first children. */
uint32_t el_tree_end(const struct el_tree *, uint32_t node);
/* The first node of the variation that a node belongs to; the root for the main line. */
uint32_t el_tree_variation(const struct el_tree *, uint32_t node);
/* Is a node the first of its siblings? The root is. */
bool el_tree_is_first(const struct el_tree *, uint32_t node);

/* Plays a legal move after `parent`: *out is the child with that move, added as the last child if
   it is new. Unread text after `parent` becomes a comment. EL_MEMORY, and EL_NEGATIVE if the game
   is unreadable, leave the tree unchanged. */
enum el_status el_tree_add(struct el_tree *, uint32_t parent, const struct el_move *, uint32_t *out,
                           struct el_error *);
/* Makes a node the first of its siblings. False if it already was. */
bool el_tree_promote(struct el_tree *, uint32_t node);
/* Removes a node other than the root, with everything after it. */
void el_tree_delete(struct el_tree *, uint32_t node);

/* The value of a tag; null if there is none. */
const char *el_tree_tag(const struct el_tree *, const char *name);
/* Sets a tag, or adds it; a null value removes it. EL_MEMORY. */
enum el_status el_tree_set_tag(struct el_tree *, const char *name, const char *value,
                               struct el_error *);

/* The first comment on a node's move, from the note numbered `note` on (el_node.notes, or
   el_note.next); null if there is none. */
const struct el_note *el_tree_comment(const struct el_tree *, uint32_t note);
/* Adds a note after the others of its place; marks come before words. A comment that contains a
   closing brace becomes an EL_NOTE_LINE for each of its lines. EL_MEMORY. */
enum el_status el_tree_add_note(struct el_tree *, uint32_t node, enum el_note_kind,
                                enum el_note_place, const char *text, struct el_error *);
enum el_status el_tree_add_mark(struct el_tree *, uint32_t node, unsigned mark, struct el_error *);
/* Replaces the comments on a move by this one, or by none if it is null or empty. EL_MEMORY. */
enum el_status el_tree_set_comment(struct el_tree *, uint32_t node, const char *text,
                                   struct el_error *);
/* The mark of a move, from 1 to EL_MARKS_OF_MOVES; 0 if it has none. */
unsigned el_tree_mark(const struct el_tree *, uint32_t node);
/* Removes the notes of a node for which `is_it` holds (null: all). */
void el_tree_drop_notes(struct el_tree *, uint32_t node,
                        bool (*is_it)(const struct el_note *, const void *context),
                        const void *context);

/* Do two games have the same tags, result, moves and notes, node by node in the order of
   writing? */
bool el_tree_equal(const struct el_tree *, const struct el_tree *);

/* ---- reading and writing ---- */

/* What other programs write in the place of PGN's own. */
struct el_spelling {
	const char *written; /* spellings, with blanks between */
	const char *read;    /* in PGN: a mark begins with '$'; empty: it is read over */
	const char *means;   /* null: what it is read as says it */
};
/* Signs within words, and whole words that are no move; null-terminated. Unicode's blanks and byte
   order marks are blanks. */
extern const struct el_spelling el_signs[], el_words[];

/* Reads the games of a text, one after the other. */
struct el_games;

/* Reads up to `room` bytes into `out` and returns how many; 0 at the end; below 0 for an error,
   with errno set. */
typedef ssize_t el_read_bytes(void *context, char *out, size_t room);

/* `name`, which is copied, names the file in messages. EL_MEMORY. */
enum el_status el_games_open(const char *name, el_read_bytes *, void *context,
                             struct el_games **out, struct el_error *);
/* The same for a text in memory, which must stay valid. */
enum el_status el_games_open_text(const char *name, const char *text, size_t length,
                                  struct el_games **out, struct el_error *);
/*
 * Reads the next game; *out is null at the end. EL_NEGATIVE, with a game: a part (a word that is no
 * move, an illegal move, a wrong FEN, a variant) could not be read and is kept as text; the error
 * names the first such place, "FILE:LINE: game 3, move 17: ...". EL_IO and EL_MEMORY come without a
 * game.
 */
enum el_status el_games_next(struct el_games *, struct el_tree **out, struct el_error *);
/* Was nothing understood, given the status of reading it? Such a text is no game. */
bool el_tree_is_strange(const struct el_tree *, enum el_status);
/* How many games have been read, and from how many bytes. */
size_t el_games_count(const struct el_games *);
uint64_t el_games_bytes(const struct el_games *);
void el_games_close(struct el_games *);

/* Writes the game in export format, ending with an empty line, into a malloc'ed, zero-terminated
   string. `length` may be null. EL_MEMORY. */
enum el_status el_tree_write(const struct el_tree *, char **out, size_t *length, struct el_error *);

/* ---- verdicts ---- */

enum el_move_verdict_kind {
	EL_VERDICT_UNKNOWN, /* no table tells, or only within bounds that leave it open */
	EL_VERDICT_BEYOND,  /* there are more pieces than in any table */
	EL_VERDICT_KEPT,    /* the move kept the outcome, perhaps at the cost of some plies */
	EL_VERDICT_THREW,   /* the move threw away a win or a draw */
	EL_VERDICT_MISSED,  /* the move threw away one that the opponent's last move had given */
};

/* The value of a move for its mover, compared with the best one. Under a rule, wins and losses that
   come too late are draws. */
struct el_move_verdict {
	enum el_move_verdict_kind kind;
	/* of the best move, and of this one; under the rule and with the clock */
	enum el_outcome before, after;
	/* they leave out the rule: it is open whether a win or a loss comes in time */
	bool untimed;
	/* the outcome is no loss, and of several moves no other kept it */
	bool only;
	/* EL_MARK_MISTAKE: a win became a draw, or a draw a loss; EL_MARK_BLUNDER: a win became a
	   loss; EL_MARK_GOOD: an only move */
	enum el_mark mark;
	const struct el_metric *metric; /* of the values below; null: no depth is known */
	struct el_value best, got;      /* for the mover */
	unsigned lost;                  /* by how many plies a win comes later, or a loss sooner */
	struct el_move better;          /* the best move, if the position is known */
};

/* The verdict on one of the moves of an answer. `previous` is the verdict on the move before, or
   null. */
void el_judge_answer(const struct el_answer *, const struct el_ranked *,
                     const struct el_move_verdict *previous, struct el_move_verdict *out);

/* What the judged moves of a line cost, by the side that made them. */
struct el_line_sum {
	struct {
		unsigned judged;   /* moves */
		unsigned mistakes; /* EL_VERDICT_THREW and EL_VERDICT_MISSED */
		unsigned halves; /* half-points that these lost: a win turned into a loss is two */
		/* plies, or stones, by which the other moves made a win later or a loss sooner */
		unsigned lost;
	} side[2];
	unsigned moves;     /* half-moves of the line, judged or not */
	unsigned from;      /* the number of the first judged move; 0: none is */
	enum el_side first; /* who made it */
};

/* Adds a node that is not the root. The verdict may be null: not known yet. */
void el_line_sum_add(struct el_line_sum *, const struct el_tree *, uint32_t node,
                     const struct el_move_verdict *);

/* Gives verdicts under one question, without allocating anything for them. */
struct el_judge;

/* Uses the library's tables as they are now. The library and the question's metric must stay
   valid. */
enum el_status el_judge_open(struct el_library *, const struct el_question *, struct el_judge **out,
                             struct el_error *);
void el_judge_close(struct el_judge *);
/* May a table or a study know this position? No table does if it has more pieces than any. */
bool el_judge_covers(const struct el_judge *, const struct el_game *, const struct el_position *);
/*
 * The verdict on a node's move; the root has none. `previous` is the verdict on the move before, or
 * null. If a file is faulty, returns its error, with as much of a verdict as is known without the
 * file.
 */
enum el_status el_judge_move(struct el_judge *, const struct el_tree *, uint32_t node,
                             const struct el_move_verdict *previous, struct el_move_verdict *out,
                             struct el_error *);

#endif
