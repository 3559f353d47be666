/* SPDX-License-Identifier: MIT */
/* Shared by the files of core/tree. */
#ifndef CORE_TREE_INSIDE_H
#define CORE_TREE_INSIDE_H

#include "tree.h"

/* Tags that give the initial position, the game and its result. */
#define TREE_TAG_FEN     "FEN"
#define TREE_TAG_SETUP   "SetUp"
#define TREE_TAG_TYPE    "GameType"
#define TREE_TAG_RESULT  "Result"
#define TREE_TAG_VARIANT "Variant"
/* A comment that runs into this was never closed: the next game begins here. */
#define TREE_NEXT_GAME "\n[Event \""

/* Like el_tree_add, but always adds a child: a file may give a move twice, once as played and once
   with analysis of its own. */
enum el_status tree_append(struct el_tree *, uint32_t parent, const struct el_move *, uint32_t *out,
                           struct el_error *);
/* Moves every note of a node to a place that a written game allows (EL_PLACE_BEFORE only at the
   beginning of a variation, and so on), and sorts the notes. */
void tree_settle_notes(struct el_tree *, uint32_t node);
/* Like el_tree_add_note, but does not settle the notes. */
enum el_status tree_add_words(struct el_tree *, uint32_t node, enum el_note_kind,
                              enum el_note_place, const char *text, struct el_error *);
/* Adds a note as it is, without settling; takes over its text, even on failure. */
enum el_status tree_add_note(struct el_tree *, uint32_t node, struct el_note, struct el_error *);
/* Adds a tag; takes over both strings, even on failure. */
enum el_status tree_add_tag(struct el_tree *, char *name, char *value, struct el_error *);
/* Like array_grow, for one more element. */
enum el_status tree_grow(void *array, size_t count, size_t size, struct el_error *);
/* Takes the first character of a text, or a byte that is not UTF-8 as one of Windows' Latin-1; returns
   its bytes. */
size_t tree_take_character(const char *text, size_t length, uint32_t *);
/* Writes a character in UTF-8; returns its bytes. */
size_t tree_put_character(uint32_t, char out[4]);
/* A copy in UTF-8: takes bytes that are not UTF-8 for Latin-1, makes line ends \n and zeros U+FFFD.
   Null without memory. */
char *tree_copy(const char *text, size_t length);

/* The usual form of a result, or the word itself; null if it is none. */
const char *tree_result(const char *word, const struct el_game *);

#endif
