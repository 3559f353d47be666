/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of a tree share. */
#ifndef CORE_TREE_INSIDE_H
#define CORE_TREE_INSIDE_H

#include "tree.h"

/* Tags that tell the start and the game. */
#define TREE_TAG_FEN    "FEN"
#define TREE_TAG_SETUP  "SetUp"
#define TREE_TAG_TYPE   "GameType"
#define TREE_TAG_RESULT "Result"
/* A comment that goes on until this was never closed: here begins the next game. */
#define TREE_NEXT_GAME "\n[Event \""

/* As el_tree_add; *fresh: it was not there before. */
enum el_status tree_add(struct el_tree *, uint32_t parent, const struct el_move *, uint32_t *out,
                        bool *fresh, struct el_error *);
/* Puts every note of a node where the written game can have it (before the move at the beginning of
   variations alone, and so on), and the notes in order. */
void tree_settle_notes(struct el_tree *, uint32_t node);
/* As el_tree_add_note, but not settled. */
enum el_status tree_add_words(struct el_tree *, uint32_t node, enum el_note_kind,
                              enum el_note_place, const char *text, struct el_error *);
/* Adds a note as it is, not settled; takes over `text`, on failure too. */
enum el_status tree_add_note(struct el_tree *, uint32_t node, struct el_note, struct el_error *);
/* What could not be read behind a node: takes over `text`. */
enum el_status tree_add_rest(struct el_tree *, uint32_t node, char *text, struct el_error *);
/* Adds a tag; takes over both, on failure too. */
enum el_status tree_add_tag(struct el_tree *, char *name, char *value, struct el_error *);
/* As array_grow, for one more. */
enum el_status tree_grow(void *array, size_t count, size_t size, struct el_error *);
/* A copy as UTF-8: text that is not so is taken for Latin-1; line ends are \n; a zero is U+FFFD.
   Null without memory. */
char *tree_copy(const char *text, size_t length);

/* The result that a word is, in its usual form; null: it is none. `draughts`: of a game written
   so. */
const char *tree_result(const char *word, size_t length, bool draughts);

#endif
