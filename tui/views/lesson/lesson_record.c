/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records a lesson from what the user does. A lesson says what to show, not how to get there: of a
 * position, a view or a pass that keys have led to, the recording has the line that shows it, found
 * by comparing what is shown with what the lesson has shown so far. Lines that lessons may run, and
 * keys that change neither, are recorded as they are. What the reader would refuse is refused when
 * it is typed, and the whole lesson is read once more before it is written.
 *
 *     :record FILE TITLE -> (anything) -> :say, :ask, :hint, :note -> ... -> :record off
 */
#include "lesson.h"

#include "core/base/array.h"
#include "tui/shell/line.h"
#include "tui/shell/overlay.h"
#include "tui/text/files.h"
#include "tui/views/views.h"

#include <ctype.h>
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is on screen, as far as lines of a lesson can bring it back. */
struct shown {
	char fen[EL_FEN_MAX];
	const struct view *view;
	char lines[2048]; /* view.lines; empty: none */
	bool flipped, in_moves, covered;
};

enum part { PART_COMMANDS, PART_ASK, PART_HINT, PART_NOTE, PART_SAY, PARTS };

/* Their words in the file; a text has none. */
static const char *const part_words[PARTS] = {NULL, ":ask ", ":hint ", ":note ", ""};

struct record_step {
	char *parts[PARTS];  /* owned; null: none */
	struct shown before; /* what the lesson showed when it began */
};

struct record {
	bool on, replaces; /* replaces: a file that is there already */
	char path[PATH_MAX], *title;
	struct record_step *steps; /* owned; the last one is being made */
	size_t count;
	struct shown told,
		seen; /* what the lesson shows so far; what was on screen before this event */
};

OWN_STATE(static, record, struct record);

bool lesson_is_recorded(const struct model *m)
{
	return record_of(m)->on;
}

/* ---- the text ---- */

/* Writes the steps from `first` on as a lesson. */
static void write_steps(const struct record *r, size_t first, FILE *out)
{
	fprintf(out, "%s\n", r->title);
	for (size_t i = first; i < r->count; i++) {
		fputs(i > first ? "---\n" : "", out);
		for (int part = 0; part < PARTS; part++)
			if (r->steps[i].parts[part] && part == PART_COMMANDS)
				fputs(r->steps[i].parts[part], out);
			else if (r->steps[i].parts[part])
				fprintf(out, "%s%s\n", part_words[part], r->steps[i].parts[part]);
	}
}

/* The same as a text, malloc'ed; null without memory. */
static char *text_of(const struct record *r, size_t first)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	write_steps(r, first, out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

/* Does the reader take a lesson? Says why not, without the line, which the user does not know. */
static bool is_readable(struct model *m, char *text)
{
	struct script script;
	struct el_error error;
	if (script_read_text(text, "", m, &script, &error)) {
		const char *why = strstr(error.text, ": ");
		model_fail(m, "This cannot be in a lesson: %s", why ? why + 2 : error.text);
		return false;
	}
	script_free(&script);
	return true;
}

/* The same of a line that a word begins, with what else its step needs. */
static bool is_readable_line(struct model *m, enum part part, const char *text)
{
	char *lesson;
	const char *rest = part == PART_ASK ? ":hint x\nx\n" : part == PART_SAY ? "" : "x\n";
	const bool made = asprintf(&lesson, "x\n%s%s\n%s%s", part_words[part], text,
	                           part == PART_HINT ? ":ask whether yes\n" : "", rest) >= 0;
	return is_readable(m, made ? lesson : NULL);
}

static bool is_said(const struct record *r)
{
	return r->count && r->steps[r->count - 1].parts[PART_SAY];
}

static bool add_step(struct model *m)
{
	struct record *r = record_of(m);
	if (!array_grow(&r->steps, r->count, 1, sizeof *r->steps)) {
		model_fail(m, "out of memory");
		return false;
	}
	r->steps[r->count++] = (struct record_step){.before = r->told};
	return true;
}

static void add_line(struct model *m, const char *line)
{
	struct record *r = record_of(m);
	if ((!r->count || is_said(r)) && !add_step(m))
		return;
	char **commands = &r->steps[r->count - 1].parts[PART_COMMANDS], *more;
	if (asprintf(&more, "%s:%s\n", *commands ? *commands : "", line) < 0) {
		model_fail(m, "out of memory");
		return;
	}
	free(*commands);
	*commands = more;
}

/* ---- what is shown ---- */

static struct shown look(const struct model *m)
{
	struct shown s = {.view = shell_view(m),
	                  .flipped = m->flipped,
	                  .in_moves = m->in_moves,
	                  .covered = shell_is_covered(m)};
	FILE *out = s.view->lines ? fmemopen(s.lines, sizeof s.lines, "w") : NULL;
	play_game(m)->format(play_position(m), s.fen);
	if (out) {
		s.view->lines(m, out);
		fclose(out);
	}
	if (s.view == shell_views(m)[VIEW_RECORD]) { /* a look at the lesson is no part of it */
		s.view = record_of(m)->told.view;
		memcpy(s.lines, record_of(m)->told.lines, sizeof s.lines);
	}
	return s;
}

/* The line that shows a view: its name, or the action of that name. False: there is none. */
static bool name_view(const struct model *m, const struct view *view, char out[64])
{
	char why[LINE_WHY_MAX];
	snprintf(out, 64, "%s", view->name);
	if (strchr(out, ' ') || view == shell_views(m)[VIEW_LESSON])
		return false;
	if (line_is_for_files(m, out, why))
		return true;
	for (char *c = out; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return line_is_for_files(m, out, why);
}

/* Adds the lines that lead from what the lesson shows to this. */
static void tell(struct model *m, const struct shown *now)
{
	struct record *r = record_of(m);
	struct shown *told = &r->told;
	char line[sizeof now->lines], name[64];
	if (is_said(r))
		told->covered = false; /* as the next step begins */
	if (strcmp(told->fen, now->fen) != 0) {
		/* Other views may take the position for themselves. */
		if (told->view != shell_views(m)[0])
			add_line(m, shell_views(m)[0]->name);
		snprintf(line, sizeof line, "fen %s", now->fen);
		add_line(m, line);
		told->view = shell_views(m)[0];
		told->lines[0] = '\0';
	}
	if (now->view != told->view)
		told->lines[0] = '\0';
	if (now->view != told->view && !*now->lines && name_view(m, now->view, name))
		add_line(m, name);
	/* From the first line on that differs: the later ones may depend on it. */
	const char *at = now->lines, *same = told->lines;
	for (size_t length; *at; at += length) {
		length = strcspn(at, "\n") + 1;
		if (same && strncmp(at, same, length) != 0)
			same = NULL;
		same += same ? length : 0;
		snprintf(line, sizeof line, "%.*s", (int)length - 1, at);
		if (!same)
			add_line(m, line);
	}
	if (told->flipped != now->flipped)
		add_line(m, "flip");
	if (told->in_moves != now->in_moves)
		add_line(m, "unit");
	if (told->covered != now->covered)
		add_line(m, now->covered ? "hide" : "show");
	*told = *now;
}

static void follow(struct model *m)
{
	if (record_of(m)->on)
		record_of(m)->seen = look(m);
}

/* ---- words ---- */

static const char *nothing_recorded(const struct model *m)
{
	return record_of(m)->on ? NULL : "No lesson is being recorded. Type :record FILE TITLE.";
}

static void put(struct model *m, int part, const char *text)
{
	struct record *r = record_of(m);
	const char *why = nothing_recorded(m);
	if (why) {
		model_fail(m, "%s", why);
		return;
	}
	if (!is_readable_line(m, (enum part)part, text))
		return;
	/* What has changed begins a step, and so does a second text; all else may follow its text. */
	const struct shown now = look(m);
	tell(m, &now);
	if ((!r->count || (part == PART_SAY && is_said(r))) && !add_step(m))
		return;
	char **at = &r->steps[r->count - 1].parts[part], *before = *at;
	if (!(*at = strdup(text))) {
		*at = before;
		model_fail(m, "out of memory");
		return;
	}
	/* With a question there is a row less for the text. */
	const char *const *parts = (const char *const *)r->steps[r->count - 1].parts;
	const bool is_whole = parts[PART_SAY] && !parts[PART_ASK] == !parts[PART_HINT];
	if (is_whole && !is_readable(m, text_of(r, r->count - 1))) {
		free(*at);
		*at = before;
		return;
	}
	free(before);
	if (part == PART_SAY) {
		shell_plain(m); /* as the next step begins */
		r->told = r->seen = look(m);
	}
}

static void drop_step(struct record *r)
{
	r->count--;
	for (int part = 0; part < PARTS; part++)
		free(r->steps[r->count].parts[part]);
}

static void drop(struct model *m)
{
	struct record *r = record_of(m);
	while (r->count)
		drop_step(r);
	free(r->steps);
	free(r->title);
	*r = (struct record){.on = false};
	if (shell_is_shown(m, VIEW_RECORD))
		shell_back(m);
}

static void begin(struct model *m, int replaces, const char *rest)
{
	struct record *r = record_of(m);
	const size_t length = strcspn(rest, " "), end = strlen(LESSON_SUFFIX);
	const char *title = rest + length + strspn(rest + length, " ");
	char file[PATH_MAX], path[PATH_MAX], folder[PATH_MAX], offer[2 * PATH_MAX];
	const bool has_suffix = length > end && !strncmp(rest + length - end, LESSON_SUFFIX, end);
	snprintf(file, sizeof file, "%.*s%s", (int)length, rest, has_suffix ? "" : LESSON_SUFFIX);
	if (r->on || lesson_plays(m)) {
		model_fail(m, r->on ? "A lesson is being recorded. Type :record off to end it."
		                    : "A lesson is playing. Type :lesson off to end it first.");
	} else if (!place_of_typed(file, path)) {
		model_fail(m, "The path is too long.");
	} else if (access(dirname(strcpy(folder, path)), W_OK | X_OK)) {
		/* Now, since an hour of teaching may lie between this and :record off. */
		model_fail(m, "%s: cannot write there: %s", dirname(strcpy(folder, path)),
		           strerror(errno));
	} else if (!*title) {
		model_note(m, "Type the lesson's title after the name of its file.");
		shell_prompt(m, "record%s %s ", replaces ? "!" : "", file);
	} else if (!replaces && !access(path, F_OK)) {
		model_fail(m, "%s is there already. Press y to replace it by what you record.",
		           file);
		snprintf(offer, sizeof offer, "record! %s %s", file, title);
		shell_offer(m, offer);
	} else if (is_readable_line(m, PART_SAY, title)) {
		char *lesson, *own = strdup(title);
		const bool made = own && asprintf(&lesson, "%s\nx\n", own) >= 0;
		if (!is_readable(m, made ? lesson : NULL)) {
			free(own);
			return;
		}
		shell_plain(m);
		*r = (struct record){.on = true, .replaces = replaces, .title = own};
		snprintf(r->path, sizeof r->path, "%s", path);
		r->seen = look(m);
		r->told = (struct shown){.view = shell_views(m)[0],
		                         .flipped = r->seen.flipped,
		                         .in_moves = r->seen.in_moves};
		model_note(m, "Recording. Show something, then :say what it is; :record off ends.");
	}
}

/* Writes it; false, with a message, if it cannot be read or written. */
static bool finish(struct model *m)
{
	struct record *r = record_of(m);
	struct whole_file file;
	struct el_error error;
	if (!is_said(r)) {
		model_fail(m, r->count ? "The last step has no text. Type :say TEXT, or :record "
		                         "undo to leave it out."
		                       : "Nothing is recorded yet. Type :say TEXT, or :record drop "
		                         "to end without a file.");
		return false;
	}
	if (!is_readable(m, text_of(r, 0)))
		return false;
	if (!r->replaces && !access(r->path, F_OK)) {
		model_fail(m, "%s has appeared meanwhile. Move it away, then type :record off.",
		           r->path);
		return false;
	}
	place_make_folders(r->path);
	enum el_status status = whole_file_open(r->path, &file, &error);
	if (!status) {
		write_steps(r, 0, file.stream);
		status = whole_file_close(&file, EL_OK, &error);
	}
	if (status)
		model_fail(m, "%s", error.text);
	return !status;
}

static void type_record(struct model *m, const char *rest)
{
	struct record *r = record_of(m);
	const bool is_end = !strcmp(rest, "off"), is_undo = !strcmp(rest, "undo");
	const bool is_drop = !strcmp(rest, "drop");
	const char *why = nothing_recorded(m);
	if (!is_end && !is_undo && !is_drop && *rest) {
		begin(m, false, rest);
	} else if (why) {
		model_fail(m, "%s", why);
	} else if (is_drop) {
		drop(m);
		model_note(m, "The recording has ended without a file.");
	} else if (is_undo && r->count) {
		drop_step(r);
		r->told = r->steps[r->count].before;
		model_note(m, "The last step is taken back: %zu left.", r->count);
	} else if (is_undo) {
		model_fail(m, "There is no step to take back.");
	} else if (!is_end) {
		shell_show(m, VIEW_RECORD);
	} else if (finish(m)) {
		model_note(m, "%s: %zu step%s. Type :lesson %s to play it.", r->path, r->count,
		           r->count == 1 ? "" : "s", r->path);
		drop(m);
	}
}

static void offer_record(const struct model *m, const char *rest, struct words *w)
{
	if (!strchr(rest, ' ') && record_of(m)->on) {
		words_offer(w, "off");
		words_offer(w, "undo");
		words_offer(w, "drop");
	}
}

static const char files[] = "files", recording[] = "the lesson that you record";

static const struct verb verbs[] = {
	{"record", "FILE TITLE|off|undo|drop",
         "record a lesson; off: write it; undo: take back the last step; drop: write nothing",
         .run = type_record, .complete = offer_record, .touches = files},
	{"record!", "FILE TITLE", "record a lesson that replaces a file", .apply = begin,
         .argument = true, .touches = files},
	{"say", "TEXT", "end a step of the lesson that you record by its text", .apply = put,
         .argument = PART_SAY, .touches = recording},
	{"ask", "QUESTION", "ask in that step: move best, number plies, squares loss 2",
         .apply = put, .argument = PART_ASK, .touches = recording},
	{"hint", "TEXT", "what the question says after the first miss", .apply = put,
         .argument = PART_HINT, .touches = recording},
	{"note", "TEXT", "a note to that step for whoever presents the lesson", .apply = put,
         .argument = PART_NOTE, .touches = recording},
	{.word = NULL},
};

/* ---- what the user does ---- */

static void heard(struct model *m, const char *line, bool is_key, bool allowed)
{
	struct record *r = record_of(m);
	const char *rest;
	if (!r->on || m->message.error || (!is_key && verb_of_line(verbs, line, &rest)))
		return;
	if (!allowed) {
		if (!m->message.text[0])
			model_note(m, "Not recorded: a lesson cannot run this.");
		return;
	}
	const struct shown now = look(m);
	/* Of a way, its end is shown. */
	const bool goes_on = is_key && now.view == r->seen.view && shell_next_tick(m) >= 0;
	/* What `tell` finds by itself needs no line. */
	if (goes_on || strcmp(now.fen, r->seen.fen) || strcmp(now.lines, r->seen.lines) ||
	    now.flipped != r->seen.flipped || now.in_moves != r->seen.in_moves ||
	    now.covered != r->seen.covered)
		return;
	tell(m, &r->seen);
	add_line(m, line);
	r->told = now;
}

/* ---- the strip and the view ---- */

static int strip_rows(const struct model *m, int rows, int cols)
{
	(void)rows;
	(void)cols;
	return record_of(m)->on;
}

static void strip_draw(const struct model *m, struct pane p)
{
	const struct record *r = record_of(m);
	const bool said = is_said(r) || !r->count;
	char text[PATH_MAX + 128];
	snprintf(text, sizeof text, "recording %s  step %zu%s", lesson_file_of(r->path),
	         r->count + said, said ? "" : ", no text yet");
	pane_fill(p, ROLE_LESSON);
	pane_put(p, 0, 1, ROLE_ERROR, p.canvas->ascii ? '*' : 0x25CF);
	pane_text(p, 0, 3, ROLE_STRONG, text);
	const char *hint = ":say TEXT  :ask  :note  :record off";
	if (3 + utf8_length(text) + 2 + utf8_length(hint) < p.cols)
		pane_right(p, 0, p.cols - 1, ROLE_DIM, hint);
}

static const struct strip strip = {
	.heading = "Everywhere, while a lesson is recorded",
	.rows = strip_rows,
	.draw = strip_draw,
	.verbs = verbs,
};

/* The end of the lesson, as its file will have it. */
static void draw(const struct model *m, struct pane p)
{
	const struct record *r = record_of(m);
	char *text = r->on ? text_of(r, 0) : NULL;
	int y = 0, rows = 0;
	if (!text)
		pane_text(p, 0, 1, ROLE_DIM, nothing_recorded(m) ? nothing_recorded(m) : "");
	for (const char *c = text; c && *c; c++)
		rows += *c == '\n';
	y = rows > p.rows ? p.rows - rows : 0;
	for (char *rest = text, *line; rest && (line = strsep(&rest, "\n")); y++)
		if (y >= 0 && y < p.rows)
			pane_text(p, y, 1, *line == ':' ? ROLE_DIM : ROLE_TEXT, line);
	free(text);
}

/* A recording that the user has forgotten is no lost work, even if its place has been taken. */
static void close_record(struct model *m)
{
	struct record *r = record_of(m);
	if (is_said(r) && !r->replaces && !access(r->path, F_OK)) {
		char taken[PATH_MAX];
		snprintf(taken, sizeof taken, "%s", r->path);
		if (snprintf(r->path, sizeof r->path, "%s.new", taken) < PATH_MAX && finish(m))
			model_fail(m, "%s has appeared meanwhile; the lesson recorded is in %s",
			           taken, r->path);
	} else if (is_said(r)) {
		finish(m);
	}
	drop(m);
}

const struct view record_view = {
	.name = "Record",
	.summary = "the lesson that is being recorded",
	.state = &record_state,
	.strip = &strip,
	.draw = draw,
	.heard = heard,
	.ask = follow,
	.close = close_record,
};
