/* SPDX-License-Identifier: MIT */
/*
 * The export format: tags, an empty line, the moves in lines of fewer than 80 columns. Lines break
 * only at blanks, and reading turns these line ends into blanks again, so a written game reads back
 * unchanged.
 */
#include "inside.h"

#include "core/base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 79 };

struct writer {
	const struct el_tree *tree;
	char *text;
	size_t used;
	size_t column; /* characters on the line */
	bool numbered; /* the next move needs its number, whichever side moves */
	bool glued;    /* the next word follows without a blank */
	bool failed;   /* memory is out */
};

/* ---- characters and words ---- */

static void put_bytes(struct writer *w, const char *bytes, size_t length)
{
	w->failed = w->failed || !array_grow(&w->text, w->used, length + 1, 1);
	if (w->failed)
		return;
	memcpy(w->text + w->used, bytes, length);
	w->used += length;
	w->text[w->used] = '\0';
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] == '\n')
			w->column = 0;
		else
			w->column += ((unsigned char)bytes[i] & 0xC0) != 0x80;
	}
}

static void put_text(struct writer *w, const char *text)
{
	put_bytes(w, text, strlen(text));
}

static void end_line(struct writer *w)
{
	if (w->column)
		put_bytes(w, "\n", 1);
}

static size_t width_of(const char *text, size_t length)
{
	size_t width = 0;
	for (size_t i = 0; i < length && text[i] != '\n'; i++)
		width += ((unsigned char)text[i] & 0xC0) != 0x80;
	return width;
}

/* Writes a blank or a line end before a word of this width. */
static void put_blank(struct writer *w, size_t width)
{
	if (w->column && !w->glued)
		put_bytes(w, w->column + 1 + width > COLUMNS ? "\n" : " ", 1);
	w->glued = false;
}

static void put_word(struct writer *w, const char *word)
{
	const size_t length = strlen(word);
	put_blank(w, width_of(word, length));
	put_bytes(w, word, length);
}

/* ---- notes ---- */

static void put_comment(struct writer *w, const char *text)
{
	for (const char *from = text, *to;; from = to + 1) {
		/* A line end may replace a blank, but not before text with another meaning at the
		   start of a line. */
		for (to = from; *to; to++)
			if (*to == ' ' && to > text && to[1] && !strchr(" \t\n", to[-1]) &&
			    !strchr(" \t\n%[", to[1]))
				break;
		const bool first = from == text, last = !*to;
		put_blank(w, width_of(from, (size_t)(to - from)) + first + last);
		put_bytes(w, "{", first);
		put_bytes(w, from, (size_t)(to - from));
		put_bytes(w, "}", last);
		if (last)
			return;
	}
}

static void put_line(struct writer *w, char sign, const char *text)
{
	if (sign == '%')
		end_line(w);
	else
		put_blank(w, 0);
	w->glued = false;
	put_bytes(w, &sign, 1);
	put_text(w, text);
	put_bytes(w, "\n", 1);
}

static void put_notes(struct writer *w, uint32_t node, enum el_note_place place)
{
	const struct el_tree *tree = w->tree;
	for (uint32_t i = tree->nodes[node].notes; i != EL_NO_NODE; i = tree->notes[i].next) {
		const struct el_note *note = &tree->notes[i];
		char mark[16];
		if (note->place != place)
			continue;
		switch ((enum el_note_kind)note->kind) {
		case EL_NOTE_MARK:
			snprintf(mark, sizeof mark, "$%u", note->mark);
			put_word(w, mark);
			continue;
		case EL_NOTE_COMMENT:
			put_comment(w, note->text);
			break;
		case EL_NOTE_LINE:
			put_line(w, ';', note->text);
			break;
		case EL_NOTE_ESCAPE:
			put_line(w, '%', note->text);
			break;
		case EL_NOTE_TEXT:
			/* Unread text must not begin a line if it would mean something else there
			   (an escape, a tag, a byte order mark). A line end follows, because the
			   text may end with a comment to the end of the line. */
			if (w->column || (*note->text && strchr("%[\xEF", *note->text)))
				put_bytes(w, " ", 1);
			w->glued = false;
			put_text(w, note->text);
			end_line(w);
			break;
		}
		w->numbered = true;
	}
}

/* ---- moves ---- */

static void put_move(struct writer *w, uint32_t at)
{
	const struct el_node *node = &w->tree->nodes[at];
	const struct el_position *before = &w->tree->nodes[node->parent].position;
	const struct el_game *game = w->tree->game;
	const bool begins = before->side == game->first_side;
	char word[EL_MOVE_MAX];
	put_notes(w, at, EL_PLACE_BEFORE);
	if (begins || w->numbered) {
		snprintf(word, sizeof word, "%u%s", before->fullmove, begins ? "." : "...");
		put_word(w, word);
	}
	game->write_move(before, &node->move, EL_SAN, word);
	put_word(w, word);
	w->numbered = false;
	put_notes(w, at, EL_PLACE_AFTER);
	put_notes(w, at, EL_PLACE_BESIDE);
}

static uint32_t open_variation(struct writer *w, uint32_t node)
{
	put_word(w, "(");
	w->glued = true;
	w->numbered = true;
	put_move(w, node);
	return node;
}

/* Writes a move, then the variations beside it, then the rest of the move's own line. */
static void put_moves(struct writer *w)
{
	const struct el_node *nodes = w->tree->nodes;
	uint32_t at = EL_TREE_ROOT;
	w->numbered = true;
	put_notes(w, at, EL_PLACE_AFTER);
	put_notes(w, at, EL_PLACE_BESIDE);
	for (;;) {
		const uint32_t child = nodes[at].child;
		if (child != EL_NO_NODE) {
			put_move(w, child);
			at = child;
			if (nodes[child].next != EL_NO_NODE)
				at = open_variation(w, nodes[child].next);
			continue;
		}
		put_notes(w, at, EL_PLACE_REST);
		const uint32_t variation = el_tree_variation(w->tree, at);
		if (variation == EL_TREE_ROOT)
			return;
		w->glued = w->column < COLUMNS;
		put_word(w, ")");
		w->numbered = true;
		if (nodes[variation].next != EL_NO_NODE) {
			at = open_variation(w, nodes[variation].next);
			continue;
		}
		at = nodes[nodes[variation].parent].child;
		put_notes(w, at, EL_PLACE_LATE);
	}
}

/* ---- the game ---- */

enum el_status el_tree_write(const struct el_tree *tree, char **out, size_t *length,
                             struct el_error *error)
{
	struct writer w = {.tree = tree};
	put_notes(&w, EL_TREE_ROOT, EL_PLACE_HEAD);
	end_line(&w);
	for (const struct el_tag *tag = tree->tags; tag < tree->tags + tree->tag_count; tag++) {
		if (!tag->name) {
			put_text(&w, tag->value);
			end_line(&w);
			continue;
		}
		put_text(&w, "[");
		put_text(&w, tag->name);
		put_text(&w, " \"");
		for (const char *c = tag->value; *c; c++) {
			if (*c == '"' || *c == '\\')
				put_bytes(&w, "\\", 1);
			put_bytes(&w, c, 1);
		}
		put_text(&w, "\"]\n");
	}
	if (tree->tag_count)
		put_bytes(&w, "\n", 1);
	put_moves(&w);
	put_word(&w, tree->result);
	put_notes(&w, EL_TREE_ROOT, EL_PLACE_TAIL);
	end_line(&w);
	put_bytes(&w, "\n", 1);
	*out = w.text;
	if (length)
		*length = w.used;
	if (!w.failed)
		return EL_OK;
	free(w.text);
	*out = NULL;
	return el_fail(error, EL_MEMORY, "a game: out of memory");
}
