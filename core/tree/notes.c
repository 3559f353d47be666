/* SPDX-License-Identifier: MIT */
/* Everything besides the moves: comments, marks, tags. */
#include "inside.h"

#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

char *tree_copy(const char *text, size_t length)
{
	char *copy = malloc(3 * length + 1), *out = copy;
	if (!copy)
		return NULL;
	for (size_t taken = 1; length; text += taken, length -= taken) {
		uint32_t character;
		taken = tree_take_character(text, length, &character);
		if (character == '\r' && length > 1 && text[1] == '\n')
			continue;
		character = character == '\r' ? '\n' : character ? character : 0xFFFD;
		out += tree_put_character(character, out);
	}
	*out = '\0';
	char *fitting = realloc(copy, (size_t)(out - copy) + 1);
	return fitting ? fitting : copy;
}

/* ---- notes ---- */

enum el_status tree_add_note(struct el_tree *tree, uint32_t node, struct el_note note,
                             struct el_error *error)
{
	enum el_status status =
		tree_grow(&tree->notes, tree->note_count, sizeof *tree->notes, error);
	if (status) {
		free(note.text);
		return status;
	}
	struct el_node *of = &tree->nodes[node];
	note.next = EL_NO_NODE;
	of->unread |= note.place == EL_PLACE_REST;
	if (of->notes == EL_NO_NODE)
		of->notes = tree->note_count;
	else
		tree->notes[of->last_note].next = tree->note_count;
	of->last_note = tree->note_count;
	tree->notes[tree->note_count++] = note;
	return EL_OK;
}

/* Adds each line of a text that braces cannot hold as a comment. */
static enum el_status add_lines(struct el_tree *tree, uint32_t node, enum el_note_place place,
                                const char *text, struct el_error *error)
{
	enum el_status status = EL_OK;
	while (!status) {
		const size_t length = strcspn(text, "\r\n");
		char *line = tree_copy(text, length);
		if (!line)
			return el_fail(error, EL_MEMORY, "a comment: out of memory");
		status = tree_add_note(
			tree, node,
			(struct el_note){line, .kind = EL_NOTE_LINE, .place = (uint8_t)place},
			error);
		if (!text[length])
			break;
		text += length + 1;
	}
	return status;
}

enum el_status tree_add_words(struct el_tree *tree, uint32_t node, enum el_note_kind kind,
                              enum el_note_place place, const char *text, struct el_error *error)
{
	const bool of_lines = kind == EL_NOTE_LINE || kind == EL_NOTE_ESCAPE;
	if ((kind == EL_NOTE_COMMENT && strchr(text, '}')) || (of_lines && strpbrk(text, "\r\n")))
		return add_lines(tree, node, place, text, error);
	char *copy = tree_copy(text, strlen(text));
	if (!copy)
		return el_fail(error, EL_MEMORY, "a comment: out of memory");
	/* A single line end within a comment is a blank, because the writer chooses where lines
	   break. */
	for (char *c = copy; kind == EL_NOTE_COMMENT && *c; c++)
		if (*c == '\n' && c > copy && !strchr(" \t\n", c[-1]) && !strchr(" \t\n", c[1]))
			*c = ' ';
	if (kind == EL_NOTE_COMMENT && strstr(copy, TREE_NEXT_GAME)) {
		free(copy);
		return add_lines(tree, node, place, text, error);
	}
	return tree_add_note(tree, node,
	                     (struct el_note){copy, .kind = (uint8_t)kind, .place = (uint8_t)place},
	                     error);
}

enum el_status el_tree_add_note(struct el_tree *tree, uint32_t node, enum el_note_kind kind,
                                enum el_note_place place, const char *text, struct el_error *error)
{
	enum el_status status = tree_add_words(tree, node, kind, place, text, error);
	tree_settle_notes(tree, node);
	return status;
}

enum el_status el_tree_add_mark(struct el_tree *tree, uint32_t node, unsigned mark,
                                struct el_error *error)
{
	const struct el_note note = {
		.mark = (uint16_t)mark, .kind = EL_NOTE_MARK, .place = EL_PLACE_AFTER};
	enum el_status status = tree_add_note(tree, node, note, error);
	tree_settle_notes(tree, node);
	return status;
}

void el_tree_drop_notes(struct el_tree *tree, uint32_t node,
                        bool (*is_it)(const struct el_note *, const void *), const void *context)
{
	struct el_node *of = &tree->nodes[node];
	uint32_t *link = &of->notes;
	of->last_note = EL_NO_NODE;
	of->unread = false;
	while (*link != EL_NO_NODE) {
		struct el_note *note = &tree->notes[*link];
		if (is_it && !is_it(note, context)) {
			of->last_note = *link;
			of->unread |= note->place == EL_PLACE_REST;
			link = &note->next;
			continue;
		}
		*link = note->next;
		free(note->text);
		note->text = NULL;
	}
}

void tree_settle_notes(struct el_tree *tree, uint32_t node)
{
	enum { PLACES = 2 * (EL_PLACE_TAIL + 1) }; /* marks come first */
	struct el_node *of = &tree->nodes[node];
	const bool is_first = el_tree_is_first(tree, node);
	uint32_t first[PLACES], last[PLACES];
	if (of->notes == EL_NO_NODE)
		return;
	memset(first, 0xFF, sizeof first);
	memset(last, 0xFF, sizeof last);
	for (uint32_t i = of->notes; i != EL_NO_NODE; i = tree->notes[i].next) {
		struct el_note *note = &tree->notes[i];
		if (node != EL_TREE_ROOT &&
		    ((note->place == EL_PLACE_BEFORE && is_first) ||
		     (note->place == EL_PLACE_LATE && !(is_first && of->next != EL_NO_NODE))))
			note->place = EL_PLACE_AFTER;
		const unsigned place = 2u * note->place + (note->kind != EL_NOTE_MARK);
		if (first[place] == EL_NO_NODE)
			first[place] = i;
		else
			tree->notes[last[place]].next = i;
		last[place] = i;
	}
	of->last_note = EL_NO_NODE;
	for (unsigned place = 0; place < PLACES; place++) {
		if (first[place] == EL_NO_NODE)
			continue;
		*(of->last_note == EL_NO_NODE ? &of->notes : &tree->notes[of->last_note].next) =
			first[place];
		of->last_note = last[place];
	}
	tree->notes[of->last_note].next = EL_NO_NODE;
}

/* ---- comments on a move, and its mark ---- */

static bool is_comment(const struct el_note *note, const void *context)
{
	(void)context;
	return (note->kind == EL_NOTE_COMMENT || note->kind == EL_NOTE_LINE) &&
	       (note->place == EL_PLACE_AFTER || note->place == EL_PLACE_LATE);
}

const struct el_note *el_tree_comment(const struct el_tree *tree, uint32_t note)
{
	while (note != EL_NO_NODE && !is_comment(&tree->notes[note], NULL))
		note = tree->notes[note].next;
	return note == EL_NO_NODE ? NULL : &tree->notes[note];
}

enum el_status el_tree_set_comment(struct el_tree *tree, uint32_t node, const char *text,
                                   struct el_error *error)
{
	el_tree_drop_notes(tree, node, is_comment, NULL);
	if (!text || !*text)
		return EL_OK;
	return el_tree_add_note(tree, node, EL_NOTE_COMMENT, EL_PLACE_AFTER, text, error);
}

unsigned el_tree_mark(const struct el_tree *tree, uint32_t node)
{
	for (uint32_t i = tree->nodes[node].notes; i != EL_NO_NODE; i = tree->notes[i].next)
		if (tree->notes[i].kind == EL_NOTE_MARK && tree->notes[i].mark &&
		    tree->notes[i].mark <= EL_MARKS_OF_MOVES)
			return tree->notes[i].mark;
	return 0;
}

/* ---- tags ---- */

enum el_status tree_add_tag(struct el_tree *tree, char *name, char *value, struct el_error *error)
{
	enum el_status status =
		value ? tree_grow(&tree->tags, tree->tag_count, sizeof *tree->tags, error)
		      : el_fail(error, EL_MEMORY, "a tag: out of memory");
	if (status) {
		free(name);
		free(value);
		return status;
	}
	tree->tags[tree->tag_count++] = (struct el_tag){name, value};
	return EL_OK;
}

static struct el_tag *find_tag(const struct el_tree *tree, const char *name)
{
	for (size_t i = 0; i < tree->tag_count; i++)
		if (tree->tags[i].name && !strcmp(tree->tags[i].name, name))
			return &tree->tags[i];
	return NULL;
}

const char *el_tree_tag(const struct el_tree *tree, const char *name)
{
	const struct el_tag *tag = find_tag(tree, name);
	return tag ? tag->value : NULL;
}

enum el_status el_tree_set_tag(struct el_tree *tree, const char *name, const char *value,
                               struct el_error *error)
{
	struct el_tag *tag = find_tag(tree, name);
	if (!value) {
		if (!tag)
			return EL_OK;
		const size_t behind = tree->tag_count - (size_t)(tag - tree->tags) - 1;
		free(tag->name);
		free(tag->value);
		memmove(tag, tag + 1, behind * sizeof *tag);
		tree->tag_count--;
		return EL_OK;
	}
	char *copy = tree_copy(value, strlen(value));
	for (char *c = copy; c && *c; c++)
		if (*c == '\n')
			*c = ' ';
	if (copy && tag) {
		free(tag->value);
		tag->value = copy;
		return EL_OK;
	}
	char *named = strdup(name);
	if (named)
		return tree_add_tag(tree, named, copy, error);
	free(copy);
	return el_fail(error, EL_MEMORY, "a tag: out of memory");
}
