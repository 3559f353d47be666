/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kept.h"

#include "tui/text/files.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void kept_open(const struct model *m, struct kept *k, const char *name, const char *what)
{
	const char *folder = shell_options(m)->state;
	k->what = what;
	if (!folder ||
	    snprintf(k->path, sizeof k->path, "%s/%s", folder, name) >= (int)sizeof k->path)
		k->path[0] = '\0';
}

/* *why: the errno that prevents reading; 0 if there is nothing to read. A zero byte, which no text
   has, must not end it early, so SUB, the mark of damage, replaces it. */
static char *read_file(const char *path, int *why)
{
	enum { SUBSTITUTE = 0x1a };
	char *text = NULL;
	size_t size = 0;
	FILE *in = fopen(path, "r"), *out = in ? open_memstream(&text, &size) : NULL;
	for (int c; out && (c = getc(in)) != EOF;)
		putc(c ? c : SUBSTITUTE, out);
	bool good = out && !ferror(in) && !ferror(out);
	*why = good || errno == ENOENT || errno == ENOTDIR ? 0 : errno;
	if (out && fclose(out) && good) {
		*why = errno;
		good = false;
	}
	if (in)
		fclose(in);
	if (good && size)
		return text;
	free(text);
	return NULL;
}

/* Appends to an error already shown, for example about another file at the start. */
__attribute__((format(printf, 2, 3))) static void fail(struct model *m, const char *format, ...)
{
	char before[sizeof m->message.text] = "", text[sizeof before];
	va_list args;
	if (m->message.error)
		memcpy(before, m->message.text, sizeof before);
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	model_fail(m, "%s%s%s", before, *before ? ". " : "", text);
}

char *kept_read(struct model *m, struct kept *k)
{
	int why = 0;
	char *text = *k->path ? read_file(k->path, &why) : NULL;
	if (!why)
		return text;
	fail(m, "%s cannot be read, so nothing will be kept: %s: %s", k->what, k->path,
	     strerror(why));
	k->path[0] = '\0';
	return NULL;
}

void kept_put_aside(struct model *m, struct kept *k, const struct el_error *why)
{
	enum { MOST = 1000 };
	char aside[PATH_MAX + 8];
	for (int i = 1; i < MOST; i++) { /* an unused name: files put aside earlier stay */
		snprintf(aside, sizeof aside, i > 1 ? "%s.bad%d" : "%s.bad", k->path, i);
		if (!access(aside, F_OK)) {
			errno = EEXIST;
			continue;
		}
		if (rename(k->path, aside))
			break;
		fail(m, "%s cannot be used: %s. It is kept in %s", k->what, why->text, aside);
		return;
	}
	fail(m, "%s cannot be used: %s. It cannot be put aside, so nothing will be kept: %s",
	     k->what, why->text, strerror(errno));
	k->path[0] = '\0';
}

/* ---- writing ---- */

/* A new file replaces the old one, so the folder decides. */
int kept_hindrance(const struct kept *k)
{
	char folder[PATH_MAX];
	place_make_folders(k->path);
	snprintf(folder, sizeof folder, "%s", k->path);
	char *slash = strrchr(folder, '/');
	if (slash)
		slash[1] = '\0';
	return slash && access(folder, W_OK | X_OK) ? errno : 0;
}

struct write_job {
	struct job job;
	struct kept kept; /* a copy, for the worker */
	struct kept *of;
	char *text; /* owned */
	size_t length;
	char note[sizeof((struct model *)0)->message.text];
};

/* Writes a text, or if it is null what `write` writes. */
static enum el_status write_anew(const struct kept *k, const struct write_job *text,
                                 void (*write)(const struct model *, FILE *), const struct model *m,
                                 struct el_error *error)
{
	struct whole_file file;
	struct el_error inner;
	place_make_folders(k->path);
	enum el_status status = whole_file_open(k->path, &file, &inner);
	if (!status) {
		if (text)
			fwrite(text->text, 1, text->length, file.stream);
		else
			write(m, file.stream);
		status = whole_file_close(&file, EL_OK, &inner);
	}
	return status ? el_fail(error, status, "%s cannot be kept: %s", k->what, inner.text)
	              : EL_OK;
}

enum el_status kept_write(const struct kept *k, void (*write)(const struct model *, FILE *),
                          const struct model *m, struct el_error *error)
{
	return *k->path ? write_anew(k, NULL, write, m, error) : EL_OK;
}

static void run(struct job *job, const struct el_watch *watch)
{
	struct write_job *j = (struct write_job *)job;
	(void)watch;
	job->status = write_anew(&j->kept, j, NULL, NULL, &job->error);
}

static void say(struct model *m, const char *note)
{
	if (*note)
		model_note(m, "%s", note);
}

static void done(struct model *m, struct job *job)
{
	struct write_job *j = (struct write_job *)job;
	if (j->of->job == job->number)
		j->of->job = 0;
	if (job->status)
		model_fail(m, "%s", job->error.text);
	else
		say(m, j->note);
}

static void free_job(struct job *job)
{
	free(((struct write_job *)job)->text);
	free(job);
}

void kept_write_soon(struct model *m, struct kept *k, void (*write)(const struct model *, FILE *),
                     const char *note)
{
	if (!*k->path) {
		say(m, note);
		return;
	}
	struct write_job *j =
		model_new_job(m, sizeof *j, LANE_PROBE, "writing", run, done, free_job);
	if (!j)
		return;
	j->job.owed = true;
	j->kept = *k;
	j->of = k;
	FILE *out = open_memstream(&j->text, &j->length);
	if (out)
		write(m, out);
	const bool good = out && !ferror(out);
	if (!out || fclose(out) || !good) {
		free_job(&j->job);
		model_fail(m, "out of memory");
		return;
	}
	snprintf(j->note, sizeof j->note, "%s", note);
	k->job = j->job.number;
	model_submit(m, &j->job);
}
