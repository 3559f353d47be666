/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "session.h"
#include "shell_inside.h"

#include "tui/screen/theme.h"
#include "tui/text/rule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char heading[] = "endlab session 2";

static const char *const beside_names[BESIDES] = {"map", "depths", "line"};

/* ---- writing ---- */

/* Without memory for a game, skips it and writes the rest. */
static void write_game(FILE *out, const struct walk *w)
{
	char *text, whole[PATH_MAX];
	if (el_tree_write(w->tree, &text, NULL, NULL))
		return;
	fprintf(out, "game %zu %zu %s\n", walk_place(w, walk_node(w)),
	        walk_place(w, w->line[w->length - 1]),
	        w->tree->unreadable ? "unreadable"
	        : w->edited         ? "edited"
	                            : "saved");
	if (w->file && !strchr(w->file, '\n')) /* a name must fit on one line */
		/* absolute: the next run may start in another folder */
		fprintf(out, "file %zu %s\n", w->number,
		        realpath(w->file, whole) ? whole : w->file);
	for (char *line = text, *end; *line; line = end + 1) {
		end = line + strcspn(line, "\n");
		fprintf(out, " %.*s\n", (int)(end - line), line);
		if (!*end)
			break;
	}
	free(text);
}

static void write_all(const struct model *m, FILE *out)
{
	const struct play_state *p = &m->play;
	fprintf(out, "%s\nview %s\nunit %s\nboard %s\n", heading, shell_named_view(m)->name,
	        m->in_moves ? "moves" : "plies", m->flipped ? "black" : "white");
	fprintf(out, "beside %s\ntables %s\n", beside_names[m->beside],
	        el_preset_names[m->builds.preset]);
	if (m->shell->mouse_off)
		fputs("mouse off\n", out);
	if (m->shell->theme_chosen)
		fprintf(out, "theme %s\n", themes[m->shell->theme].name);
	if (m->shell->blocks_chosen)
		fprintf(out, "blocks %s\n", blocks_names[m->shell->blocks]);
	if (m->rule)
		fprintf(out, "rule %u\n", m->rule);
	else
		fputs("rule off\n", out);
	write_game(out, &p->walk);
	for (size_t i = 0; i < p->kept_count; i++)
		if (p->kept[i].tree->node_count > 1 || p->kept[i].tree->unreadable)
			write_game(out, &p->kept[i]);
}

/* ---- reading ---- */

/* A game as stored in the file. */
struct told {
	size_t place, end, number;
	const char *file;        /* null: none */
	bool edited, unreadable; /* the latter: it was text even when written */
	char *text;              /* within the text of the session */
	size_t length;
	struct walk walk; /* owned; from reading until taken */
};

struct parser {
	const char *path;
	int number; /* of the text's line, from 1 */
	const struct view *view;
	bool in_moves, flipped, mouse_off;
	const struct theme *theme; /* null: none was chosen */
	enum blocks blocks;        /* BLOCKS: none were chosen */
	enum beside beside;
	enum el_preset tables;
	unsigned rule;      /* in moves; 0: off */
	struct told *games; /* owned; room for as many as the text has lines */
	size_t count;
	struct el_error *error;
};

static enum el_status fail_at(const struct parser *r, const char *expected, const char *found)
{
	return el_fail(r->error, EL_USAGE, "%s:%d: expected %s, found '%.20s'", r->path, r->number,
	               expected, found);
}

static enum el_status read_number(const struct parser *r, char *text, size_t *out, char **rest)
{
	*out = strtoul(text, rest, 10);
	if (*rest == text || **rest != ' ')
		return fail_at(r, "a number and a word", text);
	++*rest;
	return EL_OK;
}

static enum el_status read_fact(const struct model *m, struct parser *r, char *text)
{
	static const char expected[] =
		"view, unit, board, beside, tables, mouse, theme, blocks, rule, game or file";
	const struct view *const *view = shell_views(m);
	char *rest = strchr(text, ' '), *file;
	if (!rest)
		return fail_at(r, expected, text);
	*rest++ = '\0';
	if (!strcmp(text, "view")) {
		while (*view && (!(*view)->key || strcasecmp((*view)->name, rest)))
			view++;
		r->view = *view; /* null: no view in the title line has this name */
	} else if (!strcmp(text, "unit"))
		r->in_moves = !strcmp(rest, "moves");
	else if (!strcmp(text, "board"))
		r->flipped = !strcmp(rest, "black");
	else if (!strcmp(text, "beside"))
		for (r->beside = BESIDES - 1; r->beside && strcmp(beside_names[r->beside], rest);)
			r->beside--;
	else if (!strcmp(text, "mouse"))
		r->mouse_off = !strcmp(rest, "off");
	else if (!strcmp(text, "theme"))
		r->theme = theme_find(rest);
	else if (!strcmp(text, "blocks"))
		r->blocks = blocks_find(rest);
	else if (!strcmp(text, "tables"))
		r->tables = el_preset_find(rest);
	else if (!strcmp(text, "rule"))
		return rule_parse(rest, &r->rule, NULL)
		               ? fail_at(r, "a rule such as 50 or off", rest)
		               : EL_OK;
	else if (!strcmp(text, "game")) {
		struct told *t = &r->games[r->count];
		char *state;
		*t = (struct told){.file = NULL};
		enum el_status status = read_number(r, rest, &t->place, &rest);
		if (!status)
			status = read_number(r, rest, &t->end, &state);
		if (status)
			return status;
		t->edited = !strcmp(state, "edited");
		t->unreadable = !strcmp(state, "unreadable");
		if (!t->edited && !t->unreadable && strcmp(state, "saved"))
			return fail_at(r, "edited, saved or unreadable", state);
		r->count++;
		return EL_OK;
	} else if (!strcmp(text, "file") && r->count) {
		struct told *t = &r->games[r->count - 1];
		enum el_status status = read_number(r, rest, &t->number, &file);
		t->file = file;
		return status;
	} else
		return fail_at(r, expected, text);
	return EL_OK;
}

static enum el_status read_text(const struct model *m, struct parser *r, char *text)
{
	enum el_status status = EL_OK;
	for (char *line; !status && (line = strsep(&text, "\n"));) {
		r->number++;
		if (r->number == 1 && strcmp(line, heading))
			return fail_at(r, heading, line);
		struct told *t = r->count ? &r->games[r->count - 1] : NULL;
		if (*line == ' ' && !t)
			return fail_at(r, "a line that begins with 'game' first", line + 1);
		if (*line == ' ') { /* a game's lines are joined where the first one begins */
			const size_t length = strlen(++line);
			if (!t->text)
				t->text = line;
			memmove(t->text + t->length, line, length);
			t->length += length;
			t->text[t->length++] = '\n';
		} else if (r->number > 1 && *line) {
			status = read_fact(m, r, line);
		}
	}
	return status;
}

/* ---- resuming ---- */

/* The only game of a text; null if there is none or more than one. */
static enum el_status read_tree(const struct parser *r, const struct told *t, struct el_tree **out)
{
	struct el_games *games;
	struct el_tree *more = NULL;
	enum el_status status =
		el_games_open_text(r->path, t->text ? t->text : "", t->length, &games, r->error);
	*out = NULL;
	if (status)
		return status;
	status = el_games_next(games, out, r->error);
	if (*out)
		el_games_next(games, &more, NULL);
	el_games_close(games);
	if (*out && !more)
		return status;
	status = more     ? el_fail(r->error, EL_USAGE,
	                            "%s: expected one game, found more in its place", r->path)
	         : status ? status
	                  : el_fail(r->error, EL_USAGE, "%s: a game without text", r->path);
	el_tree_close(more);
	el_tree_close(*out);
	*out = NULL;
	return status;
}

/* Reads a game; accepts unreadable text only if it was unreadable when written. */
static enum el_status read_game(const struct parser *r, struct told *t)
{
	struct el_tree *tree;
	enum el_status status = read_tree(r, t, &tree);
	if (!tree)
		return status;
	if (tree->unreadable && !t->unreadable) {
		el_tree_close(tree);
		return status;
	}
	status = walk_take(&t->walk, tree, r->error);
	if (!status)
		status = walk_set_file(&t->walk, t->file, t->number, r->error);
	if (!status) {
		walk_to_place(&t->walk, t->end);
		walk_to_place(&t->walk, t->place);
	}
	t->walk.edited = t->edited;
	return status;
}

static void take_up(struct model *m, struct parser *r, const char *fen)
{
	const struct el_game *game = play_game(m);
	const struct el_position given = *play_position(m);
	if (!r->count)
		return;
	for (size_t i = r->count; i-- > 0;) { /* each game is left for the next */
		play_take(m, &r->games[i].walk);
		if (i == r->count - 1)
			play_forget_oldest(m); /* the initial position of the program */
	}
	m->in_moves = r->in_moves;
	m->flipped = r->flipped;
	m->shell->mouse_off = r->mouse_off;
	m->shell->theme_chosen = r->theme;
	m->shell->theme = r->theme ? (int)(r->theme - themes) : 0;
	m->shell->blocks_chosen = r->blocks < BLOCKS;
	m->shell->blocks = r->blocks % BLOCKS;
	m->beside = r->beside;
	m->builds.preset = r->tables ? r->tables : EL_PRESET_USUAL;
	play_set_rule(m, r->rule);
	if (fen) {
		play_set(m, game, &given);
		return;
	}
	if (r->view)
		shell_show_alone(m, r->view);
	if (!m->message.error)
		model_note(m, "Resumed your last session.");
}

/* Reads all of it, or puts it aside. close_parser frees what is not taken. */
static bool read_session(struct model *m, struct parser *r, char *text)
{
	size_t lines = 1;
	for (const char *at = text; *at; at++)
		lines += *at == '\n';
	r->games = calloc(lines, sizeof *r->games);
	enum el_status status =
		r->games ? read_text(m, r, text) : el_fail(r->error, EL_MEMORY, "out of memory");
	for (size_t i = 0; i < r->count && !status; i++)
		status = read_game(r, &r->games[i]);
	if (status)
		kept_put_aside(m, &m->shell->session, r->error);
	return !status;
}

static void close_parser(struct parser *r)
{
	for (size_t i = 0; i < r->count; i++)
		walk_free(&r->games[i].walk);
	free(r->games);
}

/* The file's modification time; zeros if there is no file. */
static struct timespec time_of(const char *path)
{
	struct stat about;
	return stat(path, &about) ? (struct timespec){0} : about.st_mtim;
}

void session_resume(struct model *m, const char *fen)
{
	struct kept *kept = &m->shell->session;
	struct el_error error = {.text = ""};
	struct parser r = {
		.path = kept->path, .rule = EL_RULE_USUAL, .blocks = BLOCKS, .error = &error};
	kept_open(m, kept, "session", "The last session");
	m->shell->session_time = time_of(kept->path);
	const int why = kept_hindrance(kept);
	m->shell->unkept = why;
	if (why)
		model_fail(m, "This session cannot be kept (%s): %s", strerror(why), kept->path);
	char *text = kept_read(m, kept);
	if (text && read_session(m, &r, text))
		take_up(m, &r, fen);
	close_parser(&r);
	free(text);
}

/* ---- saving ---- */

/* If another program has written its session meanwhile, keeps its games after our own. */
static void keep_games_of_others(struct model *m)
{
	struct kept *kept = &m->shell->session;
	struct el_error error = {.text = ""};
	struct parser r = {.path = kept->path, .error = &error};
	char *text = kept_read(m, kept);
	if (text && read_session(m, &r, text))
		for (size_t i = 0; i < r.count; i++)
			if (r.games[i].walk.tree && r.games[i].walk.tree->node_count > 1)
				play_keep(m, &r.games[i].walk);
	close_parser(&r);
	free(text);
}

enum el_status session_save(struct model *m, struct el_error *error)
{
	const struct kept *kept = &m->shell->session;
	const struct timespec now = time_of(kept->path), then = m->shell->session_time;
	const bool is_kept = *kept->path;
	/* A game from a file that the user has changed and not saved. Moves tried on the board are
	   no work to be lost: the user knows. */
	const struct play_state *p = &m->play;
	bool has_own = p->walk.edited && p->walk.file;
	for (size_t i = 0; i < p->kept_count; i++)
		has_own = has_own || (p->kept[i].edited && p->kept[i].file);
	if (m->shell->unkept && !has_own)
		return EL_OK;
	if (now.tv_sec != then.tv_sec || now.tv_nsec != then.tv_nsec)
		keep_games_of_others(m);
	if (is_kept && !*kept->path) /* it cannot be read */
		return el_fail(error, EL_IO, "%s", m->message.text);
	enum el_status status = kept_write(kept, write_all, m, error);
	m->shell->session_time = time_of(kept->path);
	return status;
}
