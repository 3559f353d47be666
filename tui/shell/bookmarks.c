/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bookmarks.h"
#include "shell_inside.h"

#include "core/base/array.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char heading[] = "endlab bookmarks 1";

const struct bookmarks *bookmarks_of(const struct model *m)
{
	return &m->shell->bookmarks;
}

static bool append(struct model *m, struct bookmark **list, size_t *count,
                   const struct bookmark *bookmark)
{
	const bool grown = array_grow(list, *count, 1, sizeof **list);
	if (grown)
		(*list)[(*count)++] = *bookmark;
	else
		model_fail(m, "out of memory");
	return grown;
}

/* Replaces control characters, which would break the file's lines. */
static void set_name(struct bookmark *b, const char *name)
{
	const size_t length = utf8_fitting(name, sizeof b->name - 1);
	snprintf(b->name, sizeof b->name, "%.*s", (int)length, name);
	for (char *at = b->name; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 127)
			*at = ' ';
}

/* ---- the file ---- */

static void write_all(const struct model *m, FILE *out)
{
	const struct bookmarks *b = bookmarks_of(m);
	fprintf(out, "%s\n", heading);
	for (size_t i = 0; i < b->count; i++)
		fprintf(out, "%s\t%s\n", b->list[i].fen, b->list[i].name);
}

static enum el_status read_line(char *line, struct bookmark *out, struct el_error *error)
{
	const struct el_game *game;
	struct el_position position;
	char *tab = strchr(line, '\t');
	if (tab)
		*tab = '\0';
	enum el_status status = el_position_parse(line, &game, &position, error);
	if (!status)
		status = game->check(&position, error);
	if (status)
		return status;
	game->format(&position, out->fen);
	set_name(out, tab ? tab + 1 : "");
	return EL_OK;
}

/* Takes what can be read; *first describes the first line that cannot. Returns the number of
   unreadable lines. */
static size_t read_text(struct model *m, char *text, struct el_error *first)
{
	struct bookmarks *b = &m->shell->bookmarks;
	size_t bad = 0;
	int number = 0;
	for (char *line; (line = strsep(&text, "\n"));) {
		struct bookmark bookmark;
		struct el_error why;
		line[strcspn(line, "\r")] = '\0';
		if (!*line && ++number)
			continue;
		if (++number == 1 && !strcmp(line, heading))
			continue;
		if (!read_line(line, &bookmark, &why))
			append(m, &b->list, &b->count, &bookmark);
		else if (++bad == 1)
			el_fail(first, EL_USAGE, "%s:%d: %s", b->kept.path, number, why.text);
	}
	return bad;
}

/* Puts a damaged file aside and writes its good lines anew. False: failed and said so. */
static bool read_file(struct model *m)
{
	struct bookmarks *b = &m->shell->bookmarks;
	struct el_error first, why;
	const bool was_kept = *b->kept.path;
	if (b->kept.job)
		return true;
	char *text = *b->kept.path ? kept_read(m, &b->kept) : NULL;
	if (!*b->kept.path) /* kept in this session only */
		return !was_kept;
	b->count = 0;
	b->changes++;
	const bool good = !text || !read_text(m, text, &first);
	free(text);
	if (!good) {
		el_fail(&why, EL_USAGE, "%s; the other %zu stay", first.text, b->count);
		kept_put_aside(m, &b->kept, &why);
		kept_write_soon(m, &b->kept, write_all, "");
	}
	return good;
}

void bookmarks_open(struct model *m)
{
	kept_open(m, &m->shell->bookmarks.kept, "bookmarks", "The list of bookmarks");
	read_file(m);
}

void bookmarks_close(struct model *m)
{
	free(m->shell->bookmarks.list);
	free(m->shell->bookmarks.deleted);
}

/* ---- changes ---- */

/* Sets *at to the position's place in the list. */
static bool find(const struct bookmarks *b, const char *fen, size_t *at)
{
	for (*at = 0; *at < b->count; ++*at)
		if (!strcmp(b->list[*at].fen, fen))
			return true;
	return false;
}

static const char *name_shown(const struct bookmark *b)
{
	return *b->name ? b->name : b->fen;
}

/* Call it after a change: reports it once it is in the file, unless the file was not `good`. */
__attribute__((format(printf, 3, 4))) static void change(struct model *m, bool good,
                                                         const char *format, ...)
{
	struct bookmarks *b = &m->shell->bookmarks;
	char note[sizeof m->message.text];
	va_list args;
	va_start(args, format);
	vsnprintf(note, sizeof note, format, args);
	va_end(args);
	b->changes++;
	kept_write_soon(m, &b->kept, write_all, good ? note : "");
}

void bookmarks_keep(struct model *m, const char *name)
{
	struct bookmarks *b = &m->shell->bookmarks;
	struct el_position position;
	struct bookmark bookmark;
	size_t at;
	const struct el_game *game = shell_position(m, &position);
	game->format(&position, bookmark.fen);
	set_name(&bookmark, name);
	const bool good = read_file(m);
	const bool is_known = find(b, bookmark.fen, &at);
	if (is_known && !*bookmark.name) {
		if (good)
			model_note(m, "Kept already: %s.", name_shown(&b->list[at]));
		return;
	}
	if (is_known)
		b->list[at] = bookmark;
	else if (!append(m, &b->list, &b->count, &bookmark))
		return;
	change(m, good, "%s%s: %s. Type :bookmarks to list them.", is_known ? "Renamed" : "Kept",
	       *b->kept.path ? "" : " until you quit", name_shown(&bookmark));
}

void bookmarks_ask_name(struct model *m)
{
	const struct bookmarks *b = bookmarks_of(m);
	struct el_position position;
	char fen[EL_FEN_MAX];
	size_t at;
	shell_position(m, &position)->format(&position, fen);
	const bool is_known = find(b, fen, &at);
	shell_prompt(m, "bookmark %s", is_known ? b->list[at].name : "");
	model_note(m, "%s",
	           is_known ? "This position is kept already. Change its name, or press Esc."
	                    : "Type a name for this position, if you like, and press Enter.");
}

void bookmarks_delete(struct model *m, size_t i)
{
	struct bookmarks *b = &m->shell->bookmarks;
	const struct bookmark bookmark = b->list[i];
	size_t at;
	if (!append(m, &b->deleted, &b->deleted_count, &bookmark))
		return;
	const bool good = read_file(m);
	if (find(b, bookmark.fen, &at)) {
		b->count--;
		memmove(&b->list[at], &b->list[at + 1], (b->count - at) * sizeof *b->list);
	}
	change(m, good, "Deleted: %s. Press U to bring it back.", name_shown(&bookmark));
}

void bookmarks_restore(struct model *m)
{
	struct bookmarks *b = &m->shell->bookmarks;
	const struct bookmark bookmark = b->deleted[b->deleted_count - 1];
	size_t at;
	const bool good = read_file(m);
	if (!find(b, bookmark.fen, &at) && !append(m, &b->list, &b->count, &bookmark))
		return;
	b->deleted_count--;
	change(m, good, "Back in the list: %s.", name_shown(&bookmark));
}
