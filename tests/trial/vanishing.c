/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders that vanish, become something else, or become read-only during work: the program ends
   with a message, nothing is half-written, and once the folder is back all of it can be done. */
#include "files.h"
#include "scenarios.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- what happens ---- */

static void rename_away(struct trial *t)
{
	files_remove(files_path(t->scratch, "away"));
	if (rename(t->folder, files_path(t->scratch, "away")))
		trial_give_up("%s: %m", t->folder);
}

static void come_back(struct trial *t)
{
	files_remove(t->folder);
	if (rename(files_path(t->scratch, "away"), t->folder))
		trial_give_up("%s: %m", t->folder);
}

static void remove_all(struct trial *t)
{
	files_remove(t->folder);
}

static void put_empty(struct trial *t)
{
	files_empty(t->folder);
}

static void put_file(struct trial *t)
{
	const char *file = files_path(t->scratch, "file");
	files_write(file, "mine\n", 5);
	files_replace(t->folder, file);
}

static void forbid_writing(struct trial *t)
{
	chmod(t->folder, 0500);
}

static void forbid_all(struct trial *t)
{
	chmod(t->folder, 0);
}

static void allow(struct trial *t)
{
	chmod(t->folder, 0700);
}

static void start_anew(struct trial *t)
{
	remove(t->folder);
	files_empty(t->folder);
}

static const struct happening {
	const char *name;
	void (*happen)(struct trial *);
	void (*undo)(struct trial *);
	bool keeps; /* existing files are still there */
} happenings[] = {
	{"is renamed", rename_away, come_back, true},
	{"is removed", remove_all, start_anew, false},
	{"becomes empty", put_empty, start_anew, false},
	{"becomes a file", put_file, start_anew, false},
	{"cannot be written to", forbid_writing, allow, true},
	{"cannot be read", forbid_all, allow, true},
};

/* ---- tries ---- */

static enum verdict judge_end(struct trial *t, const struct job *job, const struct outcome *o)
{
	if (run_fault(o))
		return trial_wrong(t, "%s: %s", run_fault(o), run_words(o));
	if (run_is_exit(o, 0))
		return RIGHT;
	const bool is_told = job->keys || job->program || strstr(o->err, "endlab: ");
	const bool is_end =
		job->program ? run_is_exit(o, 2) : run_is_exit(o, 1) || run_is_exit(o, 4);
	return is_told && is_end ? REFUSED : trial_wrong(t, "%s", run_words(o));
}

static enum verdict try_vanishing(struct trial *t)
{
	struct scenario *s = scenario_choose(t, NULL);
	const struct happening *h =
		&happenings[trial_below(t, sizeof happenings / sizeof *happenings)];
	struct outcome o;
	scenario_prepare(t, s);
	struct job job = s->job;
	job.no_privileges = true;
	job.event = h->happen;
	job.event_after = s->seconds * (double)trial_below(t, 10000) / 10000;
	if (!strcmp(s->group, "verify") && trial_below(t, 2)) {
		job.path = t->folder;
		job.directory = files_path(t->scratch, "elsewhere");
		files_empty(job.directory);
		trial_tell(t, " along the search path");
	}
	trial_tell(t, ", its folder %s after %.1f ms", h->name, 1e3 * job.event_after);
	run(t, &job, &o);
	enum verdict verdict = judge_end(t, &job, &o);
	run_free(&o);
	h->undo(t);
	if (verdict != WRONG && h->keeps)
		verdict = scenario_look(t, s, "there again", BEGUN) == WRONG ? WRONG : verdict;
	if (!h->keeps)
		scenario_furnish(t, s, t->folder);
	s->proofs = 0;
	return verdict != WRONG && scenario_again(t, s) == WRONG ? WRONG : verdict;
}

const struct kind vanishing_folders = {"vanishing folders", NULL, try_vanishing, NULL};
