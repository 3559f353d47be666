/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scarce resources: descriptors, addresses, file sizes, room on a disk. The answer is the same as
   without the limit, or the program says why there is none. */
#include "files.h"
#include "scenarios.h"
#include "tests/sanitizers.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>

static const char fen[] = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1";

/* ---- what only reads ---- */

static const struct job readers[] = {
	{.words = {"list", "--json"}},
	{.words = {"probe", fen}},
	{.words = {"probe", "--json", fen}},
	{.words = {"stats", "KQvK", "--json"}},
	{.words = {"verify", "KRvK"}},
	{.words = {"line", fen}},
	{.words = {"doctor"}},
	{.words = {"find", "KQvK", "win and dtm = 19"}},
	{.words = {"survey", "game.pgn"}},
};

/* Ignores the time that a proof reports. */
static bool same_answer(const char *a, const char *b)
{
	static const char proof[] = "all right";
	return strstr(a, proof) ? strstr(b, proof) != NULL : !strcmp(a, b);
}

/* Without its libraries it never began, and libgomp ends the process by itself. */
static bool is_excused(const struct outcome *o)
{
	return run_is_exit(o, 127) || (run_is_exit(o, 1) && strstr(o->err, "libgomp: "));
}

/* `mild`: the limit is no reason to refuse anything. */
static enum verdict judge(struct trial *t, const struct outcome *o, bool mild)
{
	if (is_excused(o))
		return REFUSED;
	if (run_fault(o))
		return trial_wrong(t, "%s: %s", run_fault(o), run_words(o));
	if (run_is_exit(o, 0))
		return RIGHT;
	if (mild || !(run_is_refusal(o) || run_lacks_memory(o)))
		return trial_wrong(t, "%s", run_words(o));
	return REFUSED;
}

static enum verdict read_within(struct trial *t, int limited, rlim_t limit, bool mild)
{
	struct job job = readers[trial_below(t, sizeof readers / sizeof *readers)];
	struct outcome free_run, o;
	job.directory = t->sound;
	trial_tell(t, "%s %s", job.words[0], job.words[1]);
	run(t, &job, &free_run);
	job.limited = limited;
	job.limit = limit;
	run(t, &job, &o);
	enum verdict verdict = judge(t, &o, mild);
	if (verdict == RIGHT && !same_answer(free_run.out, o.out))
		verdict = trial_wrong(t, "another answer: %.200s", o.out);
	run_free(&free_run);
	run_free(&o);
	return verdict;
}

/* ---- what writes ---- */

struct search {
	struct trial *trial;
	const char *name;
};

/* A table that has not been proved yet is what the next build continues from. */
static bool find_stray(void *context, const char *name)
{
	struct search *s = context;
	const char *sound = files_path(s->trial->sound, name);
	const bool stays = !strncmp(name, ".endlab-scratch-", 16);
	if (*name == '.' ? !strncmp(name, ".endlab", 7) && !stays
	                 : !files_same(files_path(s->trial->folder, name), sound))
		s->name = strdup(name);
	return !s->name;
}

/* Asserts that every table is whole, and that nothing else is left. */
static enum verdict judge_folder(struct trial *t)
{
	struct search s = {t, NULL};
	files_each(t->folder, find_stray, &s);
	if (s.name)
		trial_wrong(t, "%s is left over, or is not what it should be", s.name);
	const enum verdict verdict = s.name ? WRONG : RIGHT;
	free((void *)(uintptr_t)s.name);
	return verdict;
}

static enum verdict write_within(struct trial *t, int limited, rlim_t limit)
{
	static const char *const slices[] = {"KQvK", "KPvK", "checkers:3"};
	struct outcome o;
	struct job job = {
		.words = {"build", CHOOSE(t, slices)}, .limited = limited, .limit = limit};
	if (trial_below(t, 3) == 0)
		job = (struct job){
			.words = {"recode", files_path(t->sound, "KQvK.dtm.egt"), "-o",
		                  files_path(t->folder, "KQvK.dtm.egt")},
			.limited = limited,
			.limit = limit,
		};
	trial_tell(t, "%s %s", job.words[0], job.words[0][0] == 'b' ? job.words[1] : "KQvK");
	run(t, &job, &o);
	const enum verdict verdict = judge(t, &o, false);
	run_free(&o);
	return verdict == WRONG || judge_folder(t) == WRONG ? WRONG : verdict;
}

/* ---- descriptors ---- */

/* Tables do not take a descriptor each, however many there are. */
static enum verdict try_descriptors(struct trial *t)
{
	enum { ENOUGH = 40 };
	const rlim_t limit = 4 + (rlim_t)trial_below(t, ENOUGH);
	trial_tell(t, "%lu descriptors: ", (unsigned long)limit);
	return trial_below(t, 3) ? read_within(t, RLIMIT_NOFILE, limit, limit >= 20)
	                         : write_within(t, RLIMIT_NOFILE, limit);
}

const struct kind few_descriptors = {"few descriptors", NULL, try_descriptors, NULL};

/* ---- memory ---- */

static const char *find_memory(struct trial *t)
{
	(void)t;
	return SANITIZED ? "not under sanitizers" : NULL;
}

/* Memory that can be written, but for the first thread's stack: no program can refuse what its stack
   needs. */
static enum verdict try_memory(struct trial *t)
{
	const rlim_t limit = (rlim_t)(1 << 20) + (rlim_t)trial_below(t, 30 << 20);
	trial_tell(t, "%lu KiB of memory: ", (unsigned long)(limit >> 10));
	return trial_below(t, 2) ? read_within(t, RLIMIT_DATA, limit, false)
	                         : write_within(t, RLIMIT_DATA, limit);
}

const struct kind little_memory = {"little memory", find_memory, try_memory, NULL};

/* ---- sizes of files ---- */

static const char *find_sizes(struct trial *t)
{
	(void)t;
	return UNDER_TSAN ? "the thread sanitizer needs files of its own" : NULL;
}

static enum verdict try_sizes(struct trial *t)
{
	enum { WORDS = 300 }; /* its output is in a file too */
	const rlim_t limit = WORDS + (rlim_t)trial_below(t, trial_below(t, 2) ? 20000 : 500);
	trial_tell(t, "files of %lu bytes: ", (unsigned long)limit);
	return write_within(t, RLIMIT_FSIZE, limit);
}

const struct kind small_files = {"small files", find_sizes, try_sizes, NULL};

/* ---- a disk ---- */

struct disk {
	struct scenario *scenario;
	size_t bytes;
};

static bool mount_disk(const char *folder, unsigned long flags, size_t bytes)
{
	char size[32];
	snprintf(size, sizeof size, "size=%zu", bytes);
	return !mount("none", folder, "tmpfs", flags, size);
}

/* Done, or refused for lack of room. `make` says so in its own way, the explorer on its screen. */
static enum verdict judge_full(struct trial *t, struct scenario *s, const struct outcome *o)
{
	if (run_fault(o))
		return trial_wrong(t, "%s: %s", run_fault(o), run_words(o));
	if (run_is_exit(o, 0))
		return scenario_look(t, s, "done",
		                     s->job.keys || *o->err ? REFUSED_AND_CLEAN : DONE) == WRONG
		               ? WRONG
		               : RIGHT;
	static const char lack[] = "No space left on device";
	/* the lab lists failures in its table */
	const bool is_told = strstr(o->err, lack) || strstr(o->out, lack);
	const bool is_end = s->job.program ? run_is_exit(o, 2)
	                    : *o->err      ? run_is_refusal(o)
	                                   : run_is_exit(o, 4);
	const bool is_foreseen = run_is_exit(o, 1) && strstr(o->err, " of scratch files; ");
	if (!(is_told && is_end) && !is_foreseen)
		return trial_wrong(t, "%s", run_words(o));
	return scenario_look(t, s, "refused", REFUSED_AND_CLEAN) == WRONG ? WRONG : REFUSED;
}

/* Runs in a separate process, which alone sees the disk. */
static enum verdict fill_disk(struct trial *t, const void *context)
{
	enum { PLENTY = 64 << 20 };
	const struct disk *d = context;
	struct outcome o;
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    !mount_disk(t->folder, 0, d->bytes))
		return trial_wrong(t, "no disk to fill");
	scenario_prepare(t, d->scenario);
	run(t, &d->scenario->job, &o);
	enum verdict verdict = judge_full(t, d->scenario, &o);
	run_free(&o);
	if (verdict != WRONG && !mount_disk(t->folder, MS_REMOUNT, PLENTY))
		return trial_wrong(t, "no room to make");
	return verdict != WRONG && scenario_again(t, d->scenario) == WRONG ? WRONG : verdict;
}

static enum verdict just_mount(struct trial *t, const void *unused)
{
	(void)unused;
	return unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	                       !mount_disk(t->scratch, 0, 4096)
	               ? REFUSED
	               : RIGHT;
}

static const char *find_mounts(struct trial *t)
{
	return trial_apart(t, just_mount, NULL) == RIGHT ? NULL
	                                                 : "only root can mount a disk to fill";
}

enum { SIZES = 50 };

static enum verdict try_disk(struct trial *t)
{
	const size_t pick = t->every ? t->number / SIZES : trial_below(t, scenario_count(NULL));
	const size_t step = t->every ? t->number % SIZES : trial_below(t, SIZES);
	struct disk d = {.scenario = scenario_of(NULL, pick)};
	scenario_make_right(t, d.scenario);
	const size_t least = d.scenario->bytes_before;
	const size_t more = d.scenario->bytes > least ? d.scenario->bytes - least : SIZES * 4096;
	const size_t room = more + d.scenario->on_disk;
	d.bytes = (least / 4096 + 1 + room / 4096 * 5 / 4 * step / SIZES) * 4096;
	trial_tell(t, "%s, a disk of %zu bytes", d.scenario->name, d.bytes);
	return trial_apart(t, fill_disk, &d);
}

static unsigned long count_disks(struct trial *t)
{
	(void)t;
	return SIZES * scenario_count(NULL);
}

const struct kind full_disk = {"full disk", find_mounts, try_disk, count_disks};
