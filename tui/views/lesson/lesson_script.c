/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a lesson: from lines of a file to steps. */
#include "lesson.h"

#include "tui/screen/widgets/paragraphs.h"
#include "tui/shell/line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* A line is a prompt's or a paragraph's; FILE_MAX rejects files that cannot be lessons. */
enum { LINE_BYTES = 512, FILE_MAX = 1 << 20 };

struct parser {
	const char *name; /* of the file, for errors */
	const struct model *model;
	struct script *out;
	struct el_error *error;
	int line;               /* number of the current line, from 1 */
	int text_line;          /* of the first text of this step; 0: none yet */
	int other_line;         /* of this step's first line that is not text; 0: none yet */
	struct lesson_step now; /* the step without its text and commands */
	bool gap;               /* a blank line came after the last text */
	char *text, *end;       /* the step's text, and its current end */
};

static enum el_status fail_at(const struct parser *r, int line, const char *why)
{
	return el_fail(r->error, EL_USAGE, "%s:%d: %s", r->name, line, why);
}

/* ---- signs ---- */

/* Why a line cannot be shown; or null. */
static const char *check_signs(const char *line)
{
	if (strlen(line) > LINE_BYTES)
		return "the line is longer than 512 bytes";
	while (*line) {
		const char *start = line;
		char bytes[4];
		uint32_t sign = utf8_decode(&line);
		size_t length = utf8_encode(sign, bytes);
		if (length != (size_t)(line - start) || memcmp(bytes, start, length))
			return "the line is not UTF-8";
		if (sign < ' ' || (sign >= 127 && sign < 160))
			return "the line has a control character (a tab?)";
		int cells = wcwidth((wchar_t)sign);
		if (cells == 0 || cells == 2)
			return "a character in the line does not take exactly one cell of the "
			       "screen";
	}
	return NULL;
}

/* ---- steps ---- */

/* A question needs a hint, and a row of its own below the text. */
static enum el_status check_step(struct parser *r)
{
	const struct lesson_ask *ask = &r->now.ask;
	const bool asks = ask->kind != ASK_NOTHING;
	const int rows = paragraphs_rows(r->text, LESSON_COLS), rows_max = LESSON_ROWS - asks;
	char why[96];
	if (rows > rows_max) {
		snprintf(why, sizeof why, "the step's text takes %d rows of %d columns; %d fit%s",
		         rows, LESSON_COLS, rows_max, asks ? " above an answer" : "");
		return fail_at(r, r->text_line, why);
	}
	if (asks != (ask->hint != NULL))
		return fail_at(r, ask->line,
		               asks ? "ask: found no :hint in this step, expected one"
		                    : "hint: found no :ask in this step, expected one");
	const int cols = asks ? utf8_length(ask->hint) : 0;
	if (!asks || cols <= ask_hint_cols(ask->kind))
		return EL_OK;
	snprintf(why, sizeof why, "the hint takes %d columns; %d fit", cols,
	         ask_hint_cols(ask->kind));
	return fail_at(r, ask->line, why);
}

static enum el_status end_step(struct parser *r)
{
	struct script *s = r->out;
	if (!r->text_line)
		return r->other_line ? fail_at(r, r->other_line, "the step has no text")
		                     : fail_at(r, r->line, "the step is empty");
	*r->end = '\0';
	enum el_status status = check_step(r);
	if (status)
		return status;
	r->now.text = r->text;
	r->now.commands_end = s->command_count;
	s->steps[s->step_count++] = r->now;
	r->now = (struct lesson_step){.text = NULL};
	r->text = r->end = r->end + 1;
	r->text_line = r->other_line = 0;
	r->gap = false;
	return EL_OK;
}

/* ---- directives for the lesson itself ---- */

static enum el_status take_ask(struct parser *r, const char *rest)
{
	struct lesson_ask ask;
	char why[LESSON_WHY_MAX];
	if (r->now.ask.kind)
		return fail_at(r, r->line, "ask: found a second question, expected one a step");
	if (!ask_read(r->model, rest, &ask, why))
		return fail_at(r, r->line, why);
	ask.hint = r->now.ask.hint;
	ask.line = r->line;
	r->now.ask = ask;
	return EL_OK;
}

static enum el_status take_hint(struct parser *r, const char *rest)
{
	if (!*rest)
		return fail_at(r, r->line, "hint: found nothing, expected a text");
	if (r->now.ask.hint)
		return fail_at(r, r->line, "hint: found a second one, expected one a step");
	r->now.ask.hint = rest;
	r->now.ask.line = r->now.ask.line ? r->now.ask.line : r->line;
	return EL_OK;
}

static enum el_status take_note(struct parser *r, const char *rest)
{
	enum { NOTE_ROWS = 3 };
	char why[96];
	if (!*rest)
		return fail_at(r, r->line, "note: found nothing, expected a text");
	if (r->now.note)
		return fail_at(r, r->line, "note: found a second one, expected one a step");
	const int rows = paragraphs_rows(rest, LESSON_COLS);
	snprintf(why, sizeof why, "the note takes %d rows of %d columns; %d fit", rows, LESSON_COLS,
	         NOTE_ROWS);
	r->now.note = rest;
	return rows > NOTE_ROWS ? fail_at(r, r->line, why) : EL_OK;
}

static const struct {
	const char *word;
	enum el_status (*take)(struct parser *, const char *rest);
} own_lines[] = {{"ask", take_ask}, {"hint", take_hint}, {"note", take_note}};

static enum el_status take_line(struct parser *r, const char *line)
{
	const char *wrong = check_signs(line);
	bool is_pause = !strncmp(line, "---", 3) && !line[3 + strspn(line + 3, " ")];
	if (*line == '#')
		return EL_OK;
	if (wrong)
		return fail_at(r, r->line, wrong);
	line += *line == ' ' ? strspn(line, " ") : 0;
	if (!*line)
		r->gap = true;
	else if (!r->out->title) {
		if (*line == ':' || !strncmp(line, "---", 3))
			return fail_at(r, r->line, "expected a title first");
		if (utf8_length(line) > LESSON_COLS)
			return fail_at(r, r->line, "the title is longer than 76 columns");
		r->out->title = line;
		return EL_OK;
	} else if (is_pause)
		return end_step(r);
	else if (*line == ':') {
		const char *text = line + 1;
		struct script *s = r->out;
		char why[LINE_WHY_MAX];
		text += strspn(text, " ");
		r->other_line = r->other_line ? r->other_line : r->line;
		if (!*text)
			return fail_at(r, r->line,
			               "expected a command after the colon, found none");
		const size_t word = strcspn(text, " ");
		for (size_t i = 0; i < sizeof own_lines / sizeof *own_lines; i++)
			if (word == strlen(own_lines[i].word) &&
			    !strncmp(text, own_lines[i].word, word))
				return own_lines[i].take(r, text + word + strspn(text + word, " "));
		if (!strncasecmp(text, "lesson", strlen("lesson")))
			return fail_at(r, r->line, "a lesson cannot play lessons");
		if (!line_is_for_files(r->model, text, why))
			return fail_at(r, r->line, why);
		s->commands[s->command_count++] = (struct lesson_command){text, r->line};
		return EL_OK;
	} else {
		if (r->text_line)
			*r->end++ = r->gap ? '\n' : ' ';
		else
			r->text_line = r->line;
		for (; *line; line++)
			if (*line != ' ' || (line[1] != ' ' && line[1]))
				*r->end++ = *line;
		r->gap = false;
	}
	return EL_OK;
}

static enum el_status take_lines(struct parser *r)
{
	struct script *s = r->out;
	enum el_status status = EL_OK;
	for (char *line = s->lines; line && !status;) {
		char *newline = strchr(line, '\n');
		if (newline)
			*newline = '\0';
		size_t length = strlen(line);
		if (length && line[length - 1] == '\r')
			line[length - 1] = '\0';
		r->line++;
		status = take_line(r, line);
		line = newline && newline[1] ? newline + 1 : NULL;
	}
	if (!status && !s->title)
		return fail_at(r, r->line, "expected a title, found none");
	if (!status && (r->text_line || r->other_line))
		status = end_step(r);
	return !status && !s->step_count ? fail_at(r, r->line, "the lesson has no steps") : status;
}

/* ---- the file ---- */

enum el_status script_read_file(const char *path, const char *name, char **out,
                                struct el_error *error)
{
	static const char mark[] = "\xEF\xBB\xBF"; /* a byte order mark from some editors */
	if (lesson_built_in(path)) {
		*out = strdup(lesson_built_in(path));
		return *out ? EL_OK : el_fail(error, EL_MEMORY, "out of memory");
	}
	FILE *file = fopen(path, "rb");
	if (!file)
		return el_fail(error, EL_IO, "%s: %s", name, strerror(errno));
	char *text = malloc(FILE_MAX + 1);
	size_t size = text ? fread(text, 1, FILE_MAX, file) : 0;
	int failed = text && ferror(file) ? errno : 0;
	fclose(file);
	if (!text || failed || size == FILE_MAX || memchr(text, 0, size)) {
		free(text);
		if (!text)
			return el_fail(error, EL_MEMORY, "out of memory");
		if (failed)
			return el_fail(error, EL_IO, "%s: %s", name, strerror(failed));
		return el_fail(error, EL_USAGE,
		               "%s: expected a lesson, found a file that is not text", name);
	}
	text[size] = '\0';
	if (!strncmp(text, mark, 3))
		memmove(text, text + 3, size - 2);
	*out = text;
	return EL_OK;
}

enum el_status script_read(const char *path, const char *name, const struct model *m,
                           struct script *out, struct el_error *error)
{
	char *text;
	*out = (struct script){.lines = NULL};
	const enum el_status status = script_read_file(path, name, &text, error);
	return status ? status : script_read_text(text, name, m, out, error);
}

enum el_status script_read_text(char *text, const char *name, const struct model *m,
                                struct script *out, struct el_error *error)
{
	*out = (struct script){.lines = text};
	struct parser r = {.name = name, .model = m, .out = out, .error = error};
	enum el_status status = text ? EL_OK : el_fail(error, EL_MEMORY, "out of memory");
	if (!status) {
		/* Allocate for the worst case: every line a step or a command, and text as long as
		   the file. */
		size_t lines = 1;
		for (const char *at = out->lines; *at; at++)
			lines += *at == '\n';
		out->texts = malloc(strlen(out->lines) + lines + 2);
		out->steps = calloc(lines, sizeof *out->steps);
		out->commands = calloc(lines, sizeof *out->commands);
		if (!out->texts || !out->steps || !out->commands)
			status = el_fail(error, EL_MEMORY, "out of memory");
	}
	if (!status) {
		r.text = r.end = out->texts;
		status = take_lines(&r);
	}
	if (status)
		script_free(out);
	return status;
}

void script_free(struct script *s)
{
	free(s->lines);
	free(s->texts);
	free(s->steps);
	free(s->commands);
	*s = (struct script){.lines = NULL};
}
