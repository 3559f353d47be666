/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same work several times at once, in one folder: all of them succeed, and it is done once. */
#include "files.h"
#include "scenarios.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Keeps its output in a folder of its own. */
static enum verdict join(struct trial *t, const struct job *job, unsigned number)
{
	struct trial mine = *t;
	struct outcome o;
	snprintf(mine.scratch, sizeof mine.scratch, "%.200s/crowd-%u", t->scratch, number);
	files_empty(mine.scratch);
	run(&mine, job, &o);
	return run_is_exit(&o, 0) && !run_fault(&o)
	               ? RIGHT
	               : trial_wrong(t, "number %u: %s", number,
	                             run_fault(&o) ? run_fault(&o) : run_words(&o));
}

/* Job by job. */
static enum verdict run_crowd(struct trial *t, const struct job *job, size_t step, unsigned count)
{
	enum verdict verdict = RIGHT;
	pid_t child[8];
	fflush(NULL);
	for (unsigned i = 0; i < count; i++)
		if (!(child[i] = fork()))
			_exit((int)join(t, job + i * step, i));
	for (unsigned i = 0; i < count; i++) {
		int status;
		if (waitpid(child[i], &status, 0) < 0 || !WIFEXITED(status) ||
		    WEXITSTATUS(status) == WRONG)
			verdict = WRONG;
	}
	return verdict;
}

/* Each has its own folder, and all share the folder for what does not fit into memory. */
static enum verdict try_apart(struct trial *t)
{
	enum { BUILDS = 2 };
	static const char *const tables[] = {"KNvK.dtm.egt", "KRvK.dtm.egt", "KRvKN.dtm.egt"};
	static const char *const folders[BUILDS] = {"one", "other"};
	struct job jobs[BUILDS];
	trial_tell(t, "out of core in two folders with one --scratch");
	files_empty(files_path(t->folder, "scratch"));
	for (size_t i = 0; i < BUILDS; i++) {
		jobs[i] = (struct job){
			.words = {"build", "KRvKN", "--memory", "6M", "--scratch", "../scratch"},
			.directory = files_kept_path(t->folder, folders[i])};
		files_empty(jobs[i].directory);
	}
	if (run_crowd(t, jobs, 1, BUILDS) == WRONG)
		return WRONG;
	for (size_t i = 0; i < BUILDS; i++)
		for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
			if (!files_same(files_path(jobs[i].directory, tables[k]),
			                files_path(t->sound, tables[k])))
				return trial_wrong(t, "%s in %s is not what it should be",
				                   tables[k], folders[i]);
	return rmdir(files_path(t->folder, "scratch"))
	               ? trial_wrong(t, "something is left in --scratch")
	               : RIGHT;
}

static enum verdict try_crowd(struct trial *t)
{
	static const char *const groups[] = {"build",  "build",  "build",   "recode",
	                                     "verify", "export", "annotate"};
	const unsigned count = trial_below(t, 2) ? 8 : 2;
	if (trial_below(t, 6) == 0)
		return try_apart(t);
	struct scenario *s = scenario_choose(t, CHOOSE(t, groups));
	scenario_prepare(t, s);
	trial_tell(t, ", %u at once", count);
	if (run_crowd(t, &s->job, 0, count) == WRONG)
		return WRONG;
	return scenario_look(t, s, "done", DONE);
}

const struct kind crowds = {"crowds", NULL, try_crowd, NULL};
