/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals at any moment. What was there stays, what was finished is sound, and after the next command
 * nothing else is left; what was begun can be done again.
 */
#include "files.h"
#include "run.h"

#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const int signals[] = {SIGKILL, SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT};

/* What is done to the folder of a try. */
struct work {
	struct job job;
	const char *extra;    /* a file beside the tables that may be there; null: none */
	const char *expected; /* what it holds then, unless it is as it was before */
	const char *before;
	const char *session;  /* a file that goes on to begin as a session does; null: none */
	double longest;       /* seconds that it took so far */
};

/* ---- the folder afterwards ---- */

struct search {
	struct trial *trial;
	const struct work *work;
	bool done;         /* what the killed build has left may be there before, to be taken over */
	const char *found; /* what is wrong */
	char name[NAME_MAX + 1];
};

static bool is_right(struct search *s, const char *name)
{
	const char *path = files_path(s->trial->folder, name);
	if (!strcmp(name, ".journal.tsv"))
		return true;
	if (!s->done && (!strncmp(name, ".endlab-claim-", 14) ||
	                 !strncmp(name, ".endlab-scratch-", 16)))
		return true;
	if (s->work->extra && !strcmp(name, s->work->extra))
		return files_same(path, s->work->expected) ||
		       (s->work->before && files_same(path, s->work->before));
	return files_exist(files_path(s->trial->sound, name)) &&
	       files_same(path, files_path(s->trial->sound, name));
}

static bool look(void *context, const char *name)
{
	struct search *s = context;
	if (is_right(s, name))
		return true;
	const bool known = !strcmp(name, s->work->extra ? s->work->extra : "") ||
	                   files_exist(files_path(s->trial->sound, name));
	s->found = known ? "is not what it should be" : "is left over";
	snprintf(s->name, sizeof s->name, "%s", name);
	return false;
}

static const char heading[] = "endlab session 2\n";

static bool is_session(const char *path)
{
	size_t size;
	char *text = (char *)files_read(path, &size);
	const bool is = text && !strncmp(text, heading, strlen(heading));
	free(text);
	return is;
}

static enum verdict look_around(struct trial *t, const struct work *w, bool done)
{
	const char *when = done ? "done again" : "afterwards";
	struct search s = {.trial = t, .work = w, .done = done};
	files_each(t->folder, look, &s);
	if (s.found)
		return trial_wrong(t, "%s: %s %s", when, s.name, s.found);
	return w->session && !is_session(w->session)
	               ? trial_wrong(t, "%s: the session is lost", when)
	               : RIGHT;
}

/* ---- one try ---- */

/* Finished, or stopped by the signal, in whatever way a program may say so. */
static enum verdict judge_end(struct trial *t, const struct outcome *o, int signal)
{
	if (run_fault(o) && !(WIFSIGNALED(o->status) && WTERMSIG(o->status) == signal))
		return trial_wrong(t, "%s: %s", run_fault(o), run_words(o));
	if (run_is_exit(o, 0))
		return RIGHT;
	const bool stopped = run_is_exit(o, 1) || run_is_exit(o, 128 + signal) ||
	                     (WIFSIGNALED(o->status) && WTERMSIG(o->status) == signal);
	return stopped ? REFUSED : trial_wrong(t, "stopped with %s", run_words(o));
}

/* Any command takes away what a process that is gone has left. */
static enum verdict clean_up(struct trial *t)
{
	const struct job list = {.words = {"list", "--json"}};
	struct outcome o;
	run(t, &list, &o);
	bool sound = run_is_exit(&o, 0);
	for (const char *at = o.out; sound && (at = strstr(at, "\"ignored\":\"")); at++)
		sound = !strncmp(at + strcspn(at, " "), " dtm is taken from", 18);
	if (!sound)
		trial_wrong(t, "afterwards list says: %s", run_words(&o));
	run_free(&o);
	return sound ? RIGHT : WRONG;
}

static enum verdict again(struct trial *t, struct work *w)
{
	struct job job = w->job;
	struct outcome o;
	job.after = 0;
	run(t, &job, &o);
	enum verdict verdict = run_is_exit(&o, 0) && !run_fault(&o)
	                               ? look_around(t, w, true)
	                               : trial_wrong(t, "done again: %s", run_words(&o));
	w->longest = o.seconds > w->longest ? o.seconds : w->longest;
	run_free(&o);
	if (verdict == RIGHT && w->extra && !files_same(files_path(t->folder, w->extra), w->expected))
		verdict = trial_wrong(t, "done again: %s is not there", w->extra);
	return verdict;
}

static enum verdict try_work(struct trial *t, struct work *w)
{
	struct job job = w->job;
	struct outcome o;
	job.signal = signals[trial_below(t, sizeof signals / sizeof *signals)];
	job.after = 1e-6 + 1.2 * w->longest * (double)trial_below(t, 10000) / 10000;
	trial_tell(t, ", %s after %.1f ms", sigabbrev_np(job.signal), 1e3 * job.after);
	run(t, &job, &o);
	enum verdict end = judge_end(t, &o, job.signal), after = end;
	run_free(&o);
	if (after != WRONG)
		after = clean_up(t);
	if (after != WRONG)
		after = look_around(t, w, false);
	if (after != WRONG)
		after = again(t, w);
	return after == WRONG ? WRONG : end;
}

/* ---- building ---- */

static void copy_tables(struct trial *t, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		files_copy(files_path(t->sound, names[i]), files_path(t->folder, names[i]));
}

static enum verdict try_build(struct trial *t)
{
	static const char *const groups[] = {"KPvK", "checkers:2-3", "KRvK", "KRvKN"};
	static struct work works[] = {{.longest = 0.3}, {.longest = 0.3}, {.longest = 0.1}, {.longest = 0.5}};
	static const char *const ready[] = {"KQvK.dtm.egt", "KRvK.dtm.egt"};
	const size_t i = trial_below(t, sizeof groups / sizeof *groups);
	/* Several at once; the last one has too little memory. */
	works[i].job = (struct job){
		.words = {"build", groups[i], "--threads", "3", "--memory", "10M"}};
	trial_tell(t, "build %s", groups[i]);
	if (trial_below(t, 2))
		copy_tables(t, ready, sizeof ready / sizeof *ready);
	return try_work(t, &works[i]);
}

const struct kind kill_build = {"killed build", NULL, try_build, NULL};

/* ---- recoding ---- */

static const char *const codecs[] = {"xz:9", "pairs", "zstd:19"};

enum { CODECS = sizeof codecs / sizeof *codecs };

static struct {
	const char *from, *to, *before, *expected[CODECS]; /* files */
} recoded;

static const char *make_recoded(struct trial *t)
{
	recoded.from = files_kept_path(t->folder, "KPvK.dtm.egt");
	recoded.to = files_kept_path(t->folder, "out.egt");
	recoded.before = files_kept_path(t->sound, "KQvK.dtm.egt");
	for (size_t i = 0; i < CODECS; i++) {
		recoded.expected[i] = files_kept_path(t->scratch, codecs[i]);
		const struct job job = {
			.words = {"recode", files_path(t->sound, "KPvK.dtm.egt"), "-o",
			          recoded.expected[i], "--codec", codecs[i]},
		};
		struct outcome o;
		run(t, &job, &o);
		if (!run_is_exit(&o, 0))
			trial_give_up("recode: %s", o.err);
		run_free(&o);
	}
	return NULL;
}

static enum verdict try_recode(struct trial *t)
{
	static struct work works[CODECS];
	static const char *const from[] = {"KPvK.dtm.egt"};
	const size_t i = trial_below(t, CODECS);
	const bool is_there = trial_below(t, 2);
	struct work *w = &works[i];
	*w = (struct work){
		.job = {.words = {"recode", recoded.from, "-o", recoded.to, "--codec", codecs[i],
	                          "--force"}},
		.extra = "out.egt",
		.expected = recoded.expected[i],
		.before = is_there ? recoded.before : NULL,
		.longest = w->longest > 0 ? w->longest : 0.3,
	};
	copy_tables(t, from, 1);
	if (is_there)
		files_copy(recoded.before, recoded.to);
	trial_tell(t, "recode --codec %s%s", codecs[i], is_there ? " over another file" : "");
	return try_work(t, w);
}

const struct kind kill_recode = {"killed recode", make_recoded, try_recode, NULL};

/* ---- the lab ---- */

static enum verdict try_lab(struct trial *t)
{
	static const char *const tables[] = {"KQvK.dtm.egt"};
	static struct work w = {
		.job = {.words = {"lab", "KQvK", "--codecs", "raw,zstd", "--blocks", "1K", "--fills",
	                          "none", "--probes", "1000", "--seconds", "0.03"}},
		.longest = 0.5,
	};
	copy_tables(t, tables, 1);
	trial_tell(t, "lab");
	return try_work(t, &w);
}

const struct kind kill_lab = {"killed lab", NULL, try_lab, NULL};

/* ---- the explorer ---- */

static enum verdict try_explorer(struct trial *t)
{
	static const char *const tables[] = {"KQvK.dtm.egt", "KRvK.dtm.egt", "KPvK.dtm.egt"};
	static const char *const keys[] = {":build checkers:3\r", ":build KBvK\r", "  \r5 \r", "2\r  "};
	static struct work w = {.longest = 1};
	static const char *session;
	files_empty(files_path(t->scratch, "home"));
	files_empty(files_path(t->scratch, "home/endlab"));
	if (!session)
		session = files_kept_path(t->scratch, "home/endlab/session");
	files_write(session, heading, strlen(heading));
	w.session = session;
	copy_tables(t, tables, sizeof tables / sizeof *tables);
	w.job = (struct job){.words = {"8/8/8/3k4/8/8/8/KQ6 w - - 0 1"}, .keys = CHOOSE(t, keys)};
	trial_tell(t, "explorer with %.*s", (int)strcspn(w.job.keys, "\r"), w.job.keys);
	return try_work(t, &w);
}

const struct kind kill_explorer = {"killed explorer", NULL, try_explorer, NULL};
