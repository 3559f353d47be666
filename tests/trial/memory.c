/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Failing allocations: one request of our own code after the other fails, or all from one on.
   Either the answer is complete all the same, or one line says what was lacking. */
#include "files.h"
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char fen[] = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1";

/* States the machine's speed: otherwise each build would begin by solving KRvKN four times, with
   96,000 requests. */
static const char journal[] =
	"KRPvKR\tdtm\t2\tcaptures\t5\t9.0\tsolved\t1\t9.0\twritten\t100000\t9.0\n"
	"checkers:KKKMvKKK\tdtw\t2\tcaptures\t5\t9.0\tsolved\t1\t9.0\twritten\t100000\t9.0\n";

/* A run, and its result when no request failed. */
struct task {
	struct job job;
	bool writes;  /* into the folder of the try; else only reads sound tables */
	bool marks;   /* writes the result beside a table: gets a copy */
	bool exports; /* to that folder, its last word */
	/* another program's table, probed alone, if it exists; may be null */
	const char *from;
	bool varies; /* its output contains times: it is not compared */
	unsigned long asked;
	char *answer;
	const char *made; /* a folder with what it writes */
};

static struct task tasks[] = {
	{.job.words = {"list"}},
	{.job.words = {"list", "--json"}},
	{.job.words = {"probe", fen}},
	{.job.words = {"probe", "--tsv", fen}},
	{.job.words = {"probe", "--json", fen}},
	{.job.words = {"stats", "KQvK"}},
	{.job.words = {"stats", "KQvK", "--json"}},
	{.job.words = {"line", fen}},
	{.job.words = {"find", "KQvK", "win and dtm = 19"}},
	{.job.words = {"survey", "game.pgn"}},
	{.job.words = {"doctor"}, .varies = true},
	{.job.words = {"solve", PAWNS, "--pieces", "none"}, .writes = true, .varies = true},
	{.job.words = {"verify", "KQvK"}, .marks = true, .varies = true},
	{.job.words = {"probe", fen}, .from = "/usr/share/gaviotatb/gtb4/kqk.gtb.cp4"},
	{.job.words = {"probe", fen}, .from = "../shared/data/syzygy/KQvK.rtbw"},
	{.job.words = {"build", "KQvK"}, .writes = true, .varies = true},
	{.job.words = {"build", "checkers:KvK", "--codec", "pairs", "--fill", "best", "--derive",
                       "captures"},
         .writes = true,
         .varies = true},
	{.job.words = {"export", "KQvK", "--format", "npy", "-o", NULL},
         .writes = true,
         .exports = true},
	{.job.words = {"export", "KQvK", "--format", "csv", "-o", NULL},
         .writes = true,
         .exports = true},
	{.job.words = {"recode", NULL}, .writes = true, .varies = true},
};

enum { TASKS = sizeof tasks / sizeof *tasks };

/* ---- making ready ---- */

/* A folder with that table alone. */
static const char *set_apart(struct trial *t, const char *table)
{
	const char *folder = files_kept_path(t->scratch, strrchr(table, '.') + 1);
	files_empty(folder);
	files_copy(table, files_path(folder, strrchr(table, '/') + 1));
	return folder;
}

static void begin_folder(struct trial *t, const struct task *task)
{
	if (task->job.directory == t->folder)
		files_write(files_path(t->folder, ".journal.tsv"), journal, sizeof journal - 1);
}

static void run_free_of_faults(struct trial *t, struct task *task, const char *name)
{
	struct outcome o;
	struct job job = task->job;
	job.counts = true;
	files_empty(t->folder);
	begin_folder(t, task);
	run(t, &job, &o);
	if (!run_is_exit(&o, 0) || !o.asked)
		trial_give_up("%s: %s", job.words[0], run_words(&o));
	task->asked = o.asked;
	task->answer = strdup(o.out);
	run_free(&o);
	task->made = files_kept_path(t->scratch, name);
	if (rename(t->folder, task->made))
		trial_give_up("%s: %m", task->made);
}

static const char *make_tasks(struct trial *t)
{
	static const char *const names[] = {"KQvK.dtm.egt", "KRvK.dtm.egt", ".journal.tsv",
	                                    "game.pgn"};
	const char *few = files_kept_path(t->scratch, "few");
	const char *table = files_kept_path(few, "KQvK.dtm.egt");
	const char *to = files_kept_path(t->folder, "out.egt");
	files_empty(few);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		files_copy(files_path(t->sound, names[i]), files_path(few, names[i]));
	tasks[TASKS - 1].job = (struct job){.words = {"recode", table, "-o", to, "--codec", "xz"}};
	for (size_t i = 0; i < TASKS; i++) {
		const char *from = tasks[i].marks ? table : tasks[i].from;
		if (from && !files_exist(from))
			continue; /* no request, nothing to try */
		const bool is_own = tasks[i].writes && !tasks[i].exports;
		tasks[i].job.directory = is_own ? t->folder : from ? set_apart(t, from) : few;
		if (tasks[i].exports)
			tasks[i].job.words[5] = t->folder;
		char name[32];
		snprintf(name, sizeof name, "made-%zu", i);
		run_free_of_faults(t, &tasks[i], name);
	}
	return NULL;
}

/* ---- judging ---- */

struct search {
	struct trial *trial;
	const char *folder, *other;
	bool done;
	bool differs;
	char name[NAME_MAX + 1];
};

static bool compare(void *context, const char *name)
{
	struct search *s = context;
	/* A table that has not been proved yet is what the next build continues from. */
	const bool stays = !s->done && !strncmp(name, ".endlab-scratch-", 16);
	const bool there = stays || files_exist(files_path(s->other, name));
	const bool is_table = *name != '.';
	s->differs = !there || (is_table && !files_same(files_path(s->folder, name),
	                                                files_path(s->other, name)));
	snprintf(s->name, sizeof s->name, "%s", name);
	return !s->differs;
}

static bool differ(struct search *s, const char *folder, const char *other)
{
	s->folder = folder;
	s->other = other;
	files_each(folder, compare, s);
	return s->differs;
}

/* Whatever is there is whole; after success all of it is there. */
static enum verdict judge_folder(struct trial *t, const struct task *task, bool done)
{
	struct search s = {.trial = t, .done = done};
	if (differ(&s, t->folder, task->made))
		return trial_wrong(t, "%s is left over, or is not what it should be", s.name);
	if (done && differ(&s, task->made, t->folder))
		return trial_wrong(t, "%s is missing, with exit status 0", s.name);
	return RIGHT;
}

static enum verdict judge(struct trial *t, const struct task *task, const struct outcome *o)
{
	const bool done = run_is_exit(o, 0);
	if (run_fault(o))
		return trial_wrong(t, "%s: %s", run_fault(o), run_words(o));
	if (!done && !run_lacks_memory(o))
		return trial_wrong(t, "%s", run_words(o));
	if (done && !task->varies && strcmp(o->out, task->answer))
		return trial_wrong(t, "another answer, with exit status 0");
	if (task->writes && judge_folder(t, task, done) == WRONG)
		return WRONG;
	return done ? RIGHT : REFUSED;
}

/* ---- one try ---- */

static unsigned long all_tries(struct trial *t)
{
	unsigned long count = 0;
	(void)t;
	for (size_t i = 0; i < TASKS; i++)
		count += tasks[i].asked;
	return count;
}

static enum verdict try_allocation(struct trial *t)
{
	enum { ALL = 1000000 };
	unsigned long number = t->every ? t->number : trial_below(t, all_tries(t));
	const bool one = t->every || trial_below(t, 2);
	size_t i = 0;
	struct outcome o;
	for (; number >= tasks[i].asked; i++)
		number -= tasks[i].asked;
	struct job job = tasks[i].job;
	job.counts = true;
	job.fail_at = number + 1;
	job.fail_for = one ? 1 : ALL;
	trial_tell(t, "%s %s: request %lu%s refused", job.words[0],
	           job.words[1] && *job.words[1] != '/' ? job.words[1] : "", number + 1,
	           one ? "" : " and all after it");
	begin_folder(t, &tasks[i]);
	run(t, &job, &o);
	enum verdict verdict = judge(t, &tasks[i], &o);
	if (verdict == WRONG)
		trial_tell(t, " (addr2line -fe %s %s)", t->failing, o.place);
	run_free(&o);
	return verdict;
}

const struct kind failed_allocations = {"failed allocations", make_tasks, try_allocation,
                                        all_tries};

/* ---- the explorer, which goes on without what it could not get ---- */

static enum verdict judge_explorer(struct trial *t, const struct outcome *o)
{
	if (run_fault(o))
		return trial_wrong(t, "%s", run_fault(o));
	if (run_is_exit(o, 0))
		return RIGHT;
	const bool thread = strstr(o->out, "cannot start a worker thread");
	return run_lacks_memory(o) || (run_is_exit(o, 4) && thread)
	               ? REFUSED
	               : trial_wrong(t, "exit status %d", o->status);
}

static enum verdict try_explorer(struct trial *t)
{
	static const char *const keys[] = {
		"  ur/win\r",    "2\r  ",           "3r",
		"4j\r",          "5j \r",           "6j/key\r",
		":stats KQvK\r", ":probe --json\r", ":lesson\r\r  ",
		":practice\r a", ":index\rj",       ":setup\rjK\r",
		":map\rj",       ":metrics\rj",     ":bounds\rj",
		":build KBvK\r",
	};
	struct job job = {.words = {fen}, .keys = CHOOSE(t, keys), .counts = true};
	struct outcome o;
	files_copy(files_path(t->sound, "KQvK.dtm.egt"), files_path(t->folder, "KQvK.dtm.egt"));
	files_empty(files_path(t->scratch, "home"));
	run(t, &job, &o);
	job.fail_at = 1 + trial_below(t, o.asked + 1);
	job.fail_for = 1 + trial_below(t, 2) * 1000000;
	trial_tell(t, "%.*s: request %lu%s refused", (int)strcspn(job.keys, "\r"), job.keys,
	           job.fail_at, job.fail_for == 1 ? "" : " and all after it");
	run_free(&o);
	run(t, &job, &o);
	const enum verdict verdict = judge_explorer(t, &o);
	if (verdict == WRONG)
		trial_tell(t, " (addr2line -fe %s %s)", t->failing, o.place);
	run_free(&o);
	return verdict;
}

const struct kind starved_explorer = {"starved explorer", NULL, try_explorer, NULL};
