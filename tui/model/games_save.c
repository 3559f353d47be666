/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Saves games: to a new file, at the end of a file, or in place of a game. */
#include "model.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct save_job {
	struct job job;
	enum save_how how;
	char *path, *text;    /* owned */
	size_t length;        /* of the text, which ends with an empty line */
	size_t number;        /* of the game in the file once saved */
	unsigned game;        /* play.games: the game on the board */
	struct game_row row;  /* SAVE_REPLACE: the game that it replaces, */
	uint64_t size;        /* in a file of that size */
	struct timespec time; /* and modification time */
};

static enum el_status fail(const struct save_job *j, struct el_error *error)
{
	return el_fail(error, EL_IO, "%s: %s", j->path, strerror(errno));
}

/* Copies `length` bytes, or the rest if shorter. */
static enum el_status copy(const struct save_job *j, FILE *in, FILE *out, uint64_t length,
                           struct el_error *error)
{
	char buffer[1 << 16];
	while (length) {
		const size_t wanted = length < sizeof buffer ? (size_t)length : sizeof buffer;
		const size_t got = fread(buffer, 1, wanted, in);
		if (fwrite(buffer, 1, got, out) < got || ferror(in))
			return fail(j, error);
		if (!got)
			break;
		length -= got;
	}
	return EL_OK;
}

static ssize_t read_more(void *context, char *out, size_t room)
{
	FILE *in = context;
	errno = 0;
	const size_t got = fread(out, 1, room, in);
	return got || !ferror(in) ? (ssize_t)got : -1;
}

static enum el_status fail_strange(const struct save_job *j, struct el_error *error)
{
	return el_fail(
		error, EL_NEGATIVE,
		"%s is no file of games in UTF-8, so nothing was written to it: name another file",
		j->path);
}

/* Counts the games; only a file of games may be appended to. */
static enum el_status count_games(struct save_job *j, FILE *in, struct el_error *error)
{
	struct el_games *games;
	struct el_tree *tree;
	enum el_status status = el_games_open(j->path, read_more, in, &games, error);
	if (status)
		return status;
	for (;;) {
		status = el_games_next(games, &tree, error);
		if (!tree)
			break;
		const bool strange = el_games_count(games) == 1 && el_tree_is_strange(tree, status);
		el_tree_close(tree);
		if (strange) {
			status = fail_strange(j, error);
			break;
		}
	}
	j->number = el_games_count(games) + 1;
	el_games_close(games);
	return status;
}

static enum el_status append(struct save_job *j, FILE *in, FILE *out, struct el_error *error)
{
	enum el_status status = count_games(j, in, error);
	if (!status) {
		rewind(in);
		status = copy(j, in, out, UINT64_MAX, error);
	}
	if (status)
		return status;
	char last[2] = "\n\n";
	if (fseek(in, -2, SEEK_END) || fread(last, 1, 2, in) < 2)
		last[0] = last[1] = '\n';
	fputs(last[1] != '\n' ? "\n\n" : last[0] != '\n' ? "\n" : "", out);
	fwrite(j->text, 1, j->length, out);
	return EL_OK;
}

static bool same_tags(const struct el_tree *a, const struct el_tree *b)
{
	bool same = a->tag_count == b->tag_count;
	for (size_t i = 0; i < a->tag_count && same; i++)
		same = (!a->tags[i].name || !b->tags[i].name
		                ? a->tags[i].name == b->tags[i].name
		                : !strcmp(a->tags[i].name, b->tags[i].name)) &&
		       !strcmp(a->tags[i].value, b->tags[i].value);
	return same;
}

/* Another game may have taken the place of one from an earlier session. Compare tags: playing and
   commenting leave them unchanged. */
static enum el_status check_same(const struct save_job *j, FILE *in, struct el_error *error)
{
	struct el_games *old = NULL, *new = NULL;
	struct el_tree *there = NULL, *here = NULL;
	if (fseeko(in, (off_t)j->row.offset, SEEK_SET))
		return fail(j, error);
	enum el_status status = el_games_open(j->path, read_more, in, &old, error);
	if (!status)
		status = el_games_open_text(j->path, j->text, j->length, &new, error);
	if (!status) { /* unreadable parts are kept */
		const enum el_status read = el_games_next(old, &there, NULL);
		el_games_next(new, &here, NULL);
		if (there && el_tree_is_strange(there, read))
			status = fail_strange(j, error);
		else if (!there || !here || !same_tags(there, here))
			status = el_fail(
				error, EL_NEGATIVE,
				"%s has another game in that place now. Save the game to another "
				"file.",
				j->path);
	}
	el_tree_close(there);
	el_tree_close(here);
	el_games_close(old);
	el_games_close(new);
	rewind(in);
	return status;
}

/* The blanks before a game are part of it, those after it are not. */
static enum el_status replace(const struct save_job *j, FILE *in, FILE *out, struct el_error *error)
{
	struct stat about;
	if (fstat(fileno(in), &about))
		return fail(j, error);
	if ((uint64_t)about.st_size != j->size || about.st_mtim.tv_sec != j->time.tv_sec ||
	    about.st_mtim.tv_nsec != j->time.tv_nsec)
		return el_fail(error, EL_NEGATIVE,
		               "%s has changed since it was read. Save the game to another file.",
		               j->path);
	enum el_status status = check_same(j, in, error);
	if (!status)
		status = copy(j, in, out, j->row.offset, error);
	int c = EOF;
	while (!status && (c = getc(in)) != EOF && strchr(" \t\r\n", c))
		putc(c, out);
	size_t length = j->length;
	while (length && j->text[length - 1] == '\n')
		length--;
	fwrite(j->text, 1, length, out);
	if (fseeko(in, (off_t)(j->row.offset + j->row.length), SEEK_SET))
		return fail(j, error);
	c = getc(in);
	if (c == EOF)
		fputs("\n", out);
	else if (!strchr("\r\n", c))
		fputs("\n\n", out);
	if (c != EOF)
		putc(c, out);
	return status ? status : copy(j, in, out, UINT64_MAX, error);
}

static enum el_status fill(struct save_job *j, FILE *out, struct el_error *error)
{
	if (j->how == SAVE_NEW) {
		j->number = 1;
		fwrite(j->text, 1, j->length, out);
		return EL_OK;
	}
	FILE *in = fopen(j->path, "r");
	if (!in)
		return fail(j, error);
	enum el_status status =
		j->how == SAVE_APPEND ? append(j, in, out, error) : replace(j, in, out, error);
	fclose(in);
	return status;
}

static void run(struct job *job, const struct el_watch *watch)
{
	struct save_job *j = (struct save_job *)job;
	struct whole_file file;
	(void)watch;
	if (j->how == SAVE_NEW && !access(j->path, F_OK)) {
		job->status = el_fail(&job->error, EL_NEGATIVE, "%s: there is such a file already",
		                      j->path);
		return;
	}
	job->status = whole_file_open(j->path, &file, &job->error);
	if (!job->status)
		job->status =
			whole_file_close(&file, fill(j, file.stream, &job->error), &job->error);
}

static void done(struct model *m, struct job *job)
{
	struct save_job *j = (struct save_job *)job;
	struct walk *w = &m->play.walk;
	struct el_error error;
	if (job->status || job->stopped) {
		model_fail(m, "%s", job->stopped ? "The game was not saved." : job->error.text);
		return;
	}
	if (j->game == m->play.games) {
		w->edited = false;
		if (walk_set_file(w, j->path, j->number, &error))
			model_fail(m, "%s", error.text);
	}
	games_look(m, j->path);
	model_note(m, "Saved as game %zu of %s.", j->number, j->path);
}

static void free_job(struct job *job)
{
	struct save_job *j = (struct save_job *)job;
	free(j->path);
	free(j->text);
	free(j);
}

void games_save(struct model *m, const char *path, enum save_how how)
{
	struct save_job *j = model_new_job(m, sizeof *j, LANE_PROBE, "saving", run, done, free_job);
	struct el_error error = {.text = "out of memory"};
	if (!j)
		return;
	j->job.owed = true;
	j->how = how;
	j->game = m->play.games;
	if (how == SAVE_REPLACE) {
		const size_t row = games_row(m);
		path = m->games.name;
		j->row = m->games.rows[row];
		j->number = row + 1;
		j->size = m->games.size;
		j->time = m->games.time;
	}
	j->path = strdup(path);
	if (!j->path || el_tree_write(m->play.walk.tree, &j->text, &j->length, &error)) {
		free_job(&j->job);
		model_fail(m, "%s", error.text);
		return;
	}
	model_submit(m, &j->job);
}
