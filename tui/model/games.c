/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model.h"

#include "core/base/array.h"
#include "tui/text/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- input ---- */

enum el_status games_input_open(struct games_input *in, struct el_error *error)
{
	if (!in->text) {
		/* Opening a pipe would wait for a writer. */
		in->file = (struct text_file){
			.fd = open(in->name, O_RDONLY | O_NONBLOCK | O_CLOEXEC), .name = in->name};
		const bool is_known = in->file.fd >= 0 && !fstat(in->file.fd, &in->about);
		if (is_known && !S_ISREG(in->about.st_mode))
			return el_fail(error, EL_IO, "%s: expected a file", in->name);
		if (!is_known || (in->offset && !text_seek(&in->file, in->offset)))
			return el_fail(error, EL_IO, "%s: %s", in->name, strerror(errno));
		return el_games_open(in->name, text_read, &in->file, &in->games, error);
	}
	const size_t length = strlen(in->text), from = in->offset < length ? in->offset : length;
	return el_games_open_text(in->name, in->text + from, length - from, &in->games, error);
}

void games_input_free(struct games_input *in)
{
	el_games_close(in->games);
	text_free(&in->file);
	if (in->file.fd >= 0)
		close(in->file.fd);
	free(in->name);
	free(in->text);
}

bool games_input_set(struct games_input *in, const char *name, const char *text, uint64_t offset)
{
	*in = (struct games_input){.name = strdup(name),
	                           .text = text ? strdup(text) : NULL,
	                           .file.fd = -1,
	                           .offset = offset};
	return in->name && (in->text || !text);
}

/* ---- a file of positions ---- */

void position_file_free(struct position_file *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->rows[i].fen);
		free(f->rows[i].words);
	}
	free(f->rows);
	free(f->name);
	*f = (struct position_file){.opened = f->opened};
}

/* Adds a line: a position, read as leniently as elsewhere, with the words behind it and what was left out.
   Operations may set its clocks; if they make no sense, they are words. */
static enum el_status add_position(struct position_file *f, const char *text, size_t line,
                                   struct el_error *error)
{
	const struct el_game *game = NULL;
	struct el_position position;
	char begins[EL_FEN_MAX], said[EL_FEN_MAX], fen[EL_FEN_MAX] = "", note[EL_NOTE_MAX] = "";
	if (!el_position_read(text, &game, &position, note, error))
		game->format(&position, fen);
	const bool divides = game && game->fields;
	const size_t most = divides ? game->fields(text) : strlen(text);
	size_t length = 0;
	bool known = false;
	for (size_t end = most < sizeof begins ? most : sizeof begins - 1; end;) {
		snprintf(begins, sizeof begins, "%.*s", (int)end, text);
		/* Where nothing divides them, the position is the shortest beginning that says it. */
		if (known ? !el_position_parse(begins, &game, &position, NULL)
		          : !el_position_read(begins, &game, &position, note, NULL)) {
			game->format(&position, said);
			if (!*fen)
				memcpy(fen, said, sizeof fen);
			length = !known || !strcmp(said, fen) ? end : length;
			known = true;
		}
		if (known && divides)
			break;
		do
			end--;
		while (end && text[end] != ' ' && text[end] != '\t');
	}
	if (!length)
		return EL_NEGATIVE;
	const char *words = text + length + strspn(text + length, " \t;");
	struct position_row row = {.fen = strdup(fen), .line = line};
	const bool ends = *words && words[strlen(words) - 1] == ';';
	const char *between = *note && *words ? ends ? " " : "; " : "";
	const bool good =
		(!*note && !*words) || asprintf(&row.words, "%s%s%s", words, between, note) >= 0;
	if (row.fen && good && array_grow(&f->rows, f->count, 1, sizeof row)) {
		f->rows[f->count++] = row;
		return EL_OK;
	}
	free(row.fen);
	free(good ? row.words : NULL);
	return el_fail(error, EL_MEMORY, "out of memory");
}

/* Reads the file if its first line is meant as a position, or if it is known to be no game; else leaves
   `f->name` null. The error is about the first line that is none. */
static enum el_status read_positions(const char *name, bool is_no_game, struct position_file *f,
                                     const struct el_watch *watch, struct el_error *error)
{
	enum el_status status, first = EL_OK;
	struct line line;
	struct el_error why;
	struct lines *in = calloc(1, sizeof *in);
	if (!in)
		return el_fail(error, EL_MEMORY, "%s: out of memory", name);
	in->text.name = name;
	in->text.fd = open(name, O_RDONLY | O_CLOEXEC);
	status = in->text.fd < 0 ? el_fail(error, EL_IO, "%s: %s", name, strerror(errno)) : EL_OK;
	for (size_t number = 1; !status && !(status = lines_next(in, NULL, &line, error));
	     number++) {
		const struct el_progress progress = {.stage = "reading"};
		if (number % 4096 == 0 && !el_watch_tick(watch, &progress))
			break;
		const char *text = line.text + strspn(line.text, " \t");
		if (!*text || *text == '#')
			continue;
		if (!f->name && !is_no_game && !el_position_is_meant(text))
			break;
		f->is_cut = f->count == POSITIONS_MAX;
		if (f->is_cut)
			break;
		f->name = f->name ? f->name : strdup(name);
		status = f->name ? add_position(f, text, number, &why)
		                 : el_fail(&why, EL_MEMORY, "out of memory");
		if (status && !first)
			first = el_fail(error, status, "%s:%zu: %s", name, number, why.text);
		status = status == EL_MEMORY ? status : EL_OK;
	}
	text_free(&in->text);
	if (in->text.fd >= 0)
		close(in->text.fd);
	free(in);
	return first || status == EL_NEGATIVE ? first : status;
}

/* ---- one game ---- */

static void scan(struct model *, bool announced);

struct read_job {
	struct job job;
	struct games_input in;
	struct position_file positions; /* owned until they are taken */
	size_t number;
	unsigned paste;   /* 0: a file */
	struct walk walk; /* owned until it is taken */
	bool alone;       /* the first game read from this text: errors are shown */
	/* shown first if the main line has it */
	struct el_position at;
	bool has_at;
};

/* Is none of the next games understood? */
static bool has_no_game(struct el_games *games, const struct el_watch *watch)
{
	enum { FAR = 256 };
	struct el_tree *tree;
	const struct el_progress progress = {.stage = "reading"};
	for (unsigned n = 0; n < FAR && el_watch_tick(watch, &progress); n++) {
		const enum el_status status = el_games_next(games, &tree, NULL);
		if (!tree)
			return status <= EL_NEGATIVE;
		const bool strange = el_tree_is_strange(tree, status);
		el_tree_close(tree);
		if (!strange)
			return false;
	}
	return true;
}

static void read_run(struct job *job, const struct el_watch *watch)
{
	struct read_job *j = (struct read_job *)job;
	struct el_tree *tree = NULL;
	struct el_error error;
	job->status = games_input_open(&j->in, &job->error);
	if (!job->status && j->alone && !j->in.text)
		job->status = read_positions(j->in.name, false, &j->positions, watch, &job->error);
	if (j->positions.name)
		return;
	if (!job->status)
		job->status = el_games_next(j->in.games, &tree, &job->error);
	if (tree && j->alone && el_tree_is_strange(tree, job->status) &&
	    has_no_game(j->in.games, watch)) {
		el_tree_close(tree);
		if (!j->in.text)
			job->status =
				read_positions(j->in.name, true, &j->positions, watch, &job->error);
		if (!j->positions.count && job->status <= EL_NEGATIVE)
			job->status = el_fail(&job->error, EL_NEGATIVE,
			                      "%s: no game or position in it", j->in.name);
		return;
	}
	if (!tree) {
		if (j->in.file.error.status)
			job->status = el_fail(&job->error, EL_DAMAGED, "%s", j->in.file.error.text);
		else if (!job->status)
			job->status =
				el_fail(&job->error, EL_NEGATIVE, "%s: no game in it", j->in.name);
		return;
	}
	enum el_status status = walk_take(&j->walk, tree, &error);
	if (!status)
		status = walk_set_file(&j->walk, j->in.text ? NULL : j->in.name, j->number, &error);
	if (status)
		job->status = el_fail(&job->error, status, "%s", error.text);
}

static void show_position(struct model *m, const struct el_position *position)
{
	const struct walk *walk = &m->play.walk;
	size_t at = 0;
	while (at < walk->length &&
	       !el_position_equal(&el_tree_node(walk->tree, walk->line[at])->position, position))
		at++;
	if (at < walk->length)
		play_go(m, at);
}

static void read_done(struct model *m, struct job *job)
{
	struct read_job *j = (struct read_job *)job;
	const bool is_there = j->walk.tree;
	if (job->stopped)
		return;
	j->walk.paste = j->paste;
	if (is_there) {
		play_take(m, &j->walk);
		if (j->has_at)
			show_position(m, &j->at);
		needs_look(m);
	}
	if (is_there && j->alone)
		scan(m, true);
	if (j->positions.count) {
		position_file_free(&m->positions);
		j->positions.opened = m->positions.opened + 1;
		m->positions = j->positions;
		j->positions = (struct position_file){.name = NULL};
	}
	if (job->status && (j->alone || !is_there))
		model_fail(m, "%s", job->error.text);
}

static void read_free(struct job *job)
{
	struct read_job *j = (struct read_job *)job;
	games_input_free(&j->in);
	position_file_free(&j->positions);
	walk_free(&j->walk);
	free(j);
}

static void read_game(struct model *m, uint64_t offset, size_t number, bool alone,
                      const struct el_position *at)
{
	const struct games *g = &m->games;
	struct read_job *j = model_new_job(m, sizeof *j, LANE_PROBE, "opening a game", read_run,
	                                   read_done, read_free);
	if (!j)
		return;
	j->number = number;
	j->paste = g->text ? g->paste : 0;
	j->alone = alone;
	j->has_at = at;
	if (at)
		j->at = *at;
	if (games_input_set(&j->in, g->name, g->text, offset)) {
		model_submit(m, &j->job);
	} else {
		read_free(&j->job);
		model_fail(m, "out of memory");
	}
}

/* ---- the list of games ---- */

struct scan_job {
	struct job job;
	struct games_input in;
	pthread_mutex_t lock;  /* of the rows: the screen takes them while the job runs */
	struct game_row *rows; /* owned until they are taken */
	size_t count;
	bool announced; /* report their number */
};

static const char *tag_or(const struct el_tree *tree, const char *name, const char *other)
{
	const char *value = el_tree_tag(tree, name);
	return value && *value && strcmp(value, "?") ? value : other;
}

/* "Adams - Brown"; null without memory. */
static char *players_of(const struct el_tree *tree)
{
	const char *white = tag_or(tree, "White", NULL), *black = tag_or(tree, "Black", NULL);
	const bool named = white || black;
	char *players;
	if (asprintf(&players, "%s%s%s",
	             named ? white ? white : "?" : tag_or(tree, "Event", "a game"),
	             named ? " - " : "", named ? black ? black : "?" : "") < 0)
		return NULL;
	return players;
}

static bool add_row(struct scan_job *j, const struct el_tree *tree, uint64_t from,
                    enum el_status status, const struct el_error *error)
{
	struct game_row row = {.offset = from,
	                       .length = el_games_bytes(j->in.games) - from,
	                       .game = tree->game,
	                       .players = players_of(tree),
	                       .moves = (tree->nodes[el_tree_end(tree, EL_TREE_ROOT)].ply + 1) / 2,
	                       .fault = status ? strdup(error->text) : NULL};
	const char *date = tag_or(tree, "Date", "");
	snprintf(row.date, sizeof row.date, "%s", strncmp(date, "????", 4) ? date : "");
	memcpy(row.result, tree->result, sizeof row.result);
	pthread_mutex_lock(&j->lock);
	const bool is_added = row.players && (!status || row.fault) &&
	                      array_grow(&j->rows, j->count, 1, sizeof *j->rows);
	if (is_added)
		j->rows[j->count++] = row;
	pthread_mutex_unlock(&j->lock);
	if (!is_added) {
		free(row.players);
		free(row.fault);
	}
	return is_added;
}

static void scan_run(struct job *job, const struct el_watch *watch)
{
	struct scan_job *j = (struct scan_job *)job;
	struct games_input *in = &j->in;
	struct el_error error;
	struct el_tree *tree;
	job->status = games_input_open(in, &job->error);
	while (!job->status) {
		const uint64_t from = el_games_bytes(in->games);
		const struct el_progress progress = {
			.stage = "reading",
			.what = in->name,
			.done = in->text ? (double)from : (double)lseek(in->file.fd, 0, SEEK_CUR),
			.total = (double)in->about.st_size,
			.unit = "bytes"};
		if (!el_watch_tick(watch, &progress)) {
			job->status = EL_STOPPED;
			return;
		}
		const enum el_status status = el_games_next(in->games, &tree, &error);
		if (!tree) {
			if (status)
				job->status = el_fail(&job->error, status, "%s",
				                      in->file.error.status ? in->file.error.text
				                                            : error.text);
			return;
		}
		if (!add_row(j, tree, from, status, &error))
			job->status =
				el_fail(&job->error, EL_MEMORY, "%s: out of memory", in->name);
		el_tree_close(tree);
	}
}

static void free_rows(struct game_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(rows[i].players);
		free(rows[i].fault);
	}
	free(rows);
}

/* Takes the games read so far. They can be opened while others are read, and after a failure or a
   stop. */
static void scan_heard(struct model *m, struct job *job)
{
	struct scan_job *j = (struct scan_job *)job;
	struct games *g = &m->games;
	if (g->ask.job != job->number)
		return;
	pthread_mutex_lock(&j->lock);
	if (j->count && array_grow(&g->rows, g->count, j->count, sizeof *g->rows)) {
		memcpy(g->rows + g->count, j->rows, j->count * sizeof *g->rows);
		g->count += j->count;
		g->size = (uint64_t)j->in.about.st_size;
		g->time = j->in.about.st_mtim;
		free(j->rows);
		j->rows = NULL;
		j->count = 0;
	}
	pthread_mutex_unlock(&j->lock);
}

static void scan_done(struct model *m, struct job *job)
{
	struct scan_job *j = (struct scan_job *)job;
	struct games *g = &m->games;
	char number[GROUPED_MAX];
	scan_heard(m, job);
	if (!question_answer(&g->ask, job))
		return;
	g->stopped = job->status == EL_STOPPED;
	if (j->count)
		model_fail(m, "out of memory");
	else if (job->status && job->status != EL_STOPPED)
		model_fail(m, "%s", job->error.text);
	else if (g->count > 1 && j->announced && !m->message.error)
		model_note(m, "%s: %s%s games. Press } for the next one, O for the list.", g->name,
		           grouped(g->count, number), g->stopped ? " or more" : "");
}

static void scan_free(struct job *job)
{
	struct scan_job *j = (struct scan_job *)job;
	games_input_free(&j->in);
	free_rows(j->rows, j->count);
	pthread_mutex_destroy(&j->lock);
	free(j);
}

static void scan(struct model *m, bool announced)
{
	const struct games *g = &m->games;
	struct scan_job *j = model_new_job(m, sizeof *j, LANE_LOOK, "reading games", scan_run,
	                                   scan_done, scan_free);
	if (!j)
		return;
	j->job.heard = scan_heard;
	j->announced = announced;
	pthread_mutex_init(&j->lock, NULL);
	if (games_input_set(&j->in, g->name, g->text, 0)) {
		question_ask(m, &m->games.ask, &j->job);
	} else {
		scan_free(&j->job);
		model_fail(m, "out of memory");
	}
}

/* ---- for the screen ---- */

void games_free(struct games *g)
{
	free(g->name);
	free(g->text);
	free_rows(g->rows, g->count);
	*g = (struct games){.name = NULL};
}

static bool begin(struct model *m, const char *name, const char *text)
{
	struct games *g = &m->games;
	const unsigned paste = g->paste + (text != NULL);
	/* the arguments may be its own */
	char *new_name = strdup(name), *new_text = text ? strdup(text) : NULL;
	question_change(m, &g->ask);
	question_change(m, &g->ask_sums);
	games_free(g);
	g->name = new_name;
	g->text = new_text;
	g->paste = paste;
	if (new_name && (new_text || !text))
		return true;
	model_fail(m, "out of memory");
	games_free(g);
	return false;
}

void games_open_text(struct model *m, const char *name, const char *text)
{
	if (!begin(m, name, text))
		return;
	read_game(m, 0, 1, true, NULL);
}

void games_open(struct model *m, const char *path)
{
	games_open_text(m, path, NULL);
}

void games_look(struct model *m, const char *path)
{
	if (begin(m, path, NULL))
		scan(m, false);
}

size_t games_row(const struct model *m)
{
	const struct games *g = &m->games;
	const struct walk *w = &m->play.walk;
	const bool same = g->name && w->number && w->number <= g->count &&
	                  (g->text ? w->paste == g->paste : w->file && !strcmp(w->file, g->name));
	return same ? w->number - 1 : g->count;
}

/* The scan has already found its first unreadable part. */
void games_show(struct model *m, size_t row, const struct el_position *at)
{
	const struct game_row *r = &m->games.rows[row];
	read_game(m, r->offset, row + 1, false, at);
	if (r->fault)
		model_fail(m, "%s", r->fault);
}
