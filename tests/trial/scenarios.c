/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios.h"
#include "files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char session[] = "endlab session 2\n";

/* The program is in $ENDLAB; its plan is kept beside the folder. */
#define UNDER_MAKE "\"$ENDLAB\" plan KRvKN --threads 1 --make >../plan && make -s -j2 -f ../plan"

#define BUILD(title, ...) .group = "build", .name = title, .job.words = {"build", __VA_ARGS__}
#define RECODE(from, ...)                                                                \
	.group = "recode", .name = "recode " #__VA_ARGS__, .before = "out.egt",          \
	.ready = {from, "KQvK.dtm.egt", "KBvK.dtm.egt", "KNvK.dtm.egt", "KRvK.dtm.egt"}, \
	.job.words = {"recode", from, "-o", "out.egt", "--force", __VA_ARGS__}
#define EXPORT(format, ...)                                                  \
	.group = "export", .name = "export " format, .ready = {__VA_ARGS__}, \
	.job.words = {"export", "KQvK", "--format", format, "-o", "out", "--replace"}
#define EXPLORE(title, ...)                                                                   \
	.group = "explorer", .name = title, .any = true, .job.state = "state/endlab/session", \
	.ready = {"KQvK.dtm.egt", "KRvK.dtm.egt", "KPvK.dtm.egt"},                            \
	.job.words = {"8/8/8/3k4/8/8/8/KQ6 w - - 0 1"}, .job.keys = __VA_ARGS__

static struct scenario scenarios[] = {
	{BUILD("build, in memory", "KPvK", "--threads", "3")},
	{BUILD("build, draughts", "checkers:2-3", "--threads", "3")},
	{BUILD("build, morris and awari", "morris:3v3", "awari:0-4")},
	{BUILD("build, out of core", "KRvK", "KRvKN", "--memory", "6M", "--threads", "2"),
         .on_disk = 8 << 20},
	{BUILD("build, out of core, dtz50", "KRvKN", "--metric", "dtz50", "--memory", "6M"),
         .on_disk = 8 << 20},
	{BUILD("build, out of core, --scratch", "KRvKN", "--memory", "6M", "--scratch", "scratch"),
         .folder = "scratch", .on_disk = 8 << 20},
	{BUILD("build, out of core, then in memory", "KRvKN", "--memory", "6M"), .on_disk = 8 << 20,
         .again = {"build", "KRvKN"}},
	{BUILD("build --partial", "KPvK", "--partial")},
	{BUILD("build --small", "KRvK", "--small")},
	{BUILD("build --fast", "KPvK", "--fast")},
	{BUILD("build, several metrics", "KRvK", "KQvK", "--metric",
               "dtm,wdl,dtc,dtz50,dtr,dtzr,wdl20")},
	{BUILD("build, dtm50", "KQvK", "--metric", "dtm50")},
	{BUILD("build --replace", "KRvK", "--replace", "--codec", "raw"),
         .ready = {"KRvK.dtm.egt"}},
	{.group = "build",
         .name = "plan --make, make -j2",
         .job.program = "/bin/sh",
         .job.words = {"-c", UNDER_MAKE}},

	{RECODE("KPvK.dtm.egt", "--codec", "xz:9")},
	{RECODE("KPvK.dtm.egt", "--codec", "pairs")},
	{RECODE("KPvK.dtm.egt", "--codec", "zstd:19:dict=16")},
	{RECODE("KRvK.dtm.egt", "--small")},
	{RECODE("KRvK.dtm.egt", "--order", "best", "--fill", "best")},

	{EXPORT("npy", "KQvK.dtm.egt", "KQvK.dtz50.egt")},
	{EXPORT("raw", "KQvK.dtm.egt", "KQvK.dtz50.egt")},
	{EXPORT("csv", "KQvK.dtm.egt")},
	{EXPORT("syzygy", "KQvK.dtz50.egt")},

	{.group = "lab",
         .name = "lab --svg",
         .ready = {"KQvK.dtm.egt"},
         .varied = {{"chart.svg", "<svg", "</svg>\n"}},
         .job.words = {"lab", "KQvK", "--codecs", "raw,zstd", "--blocks", "1K", "--fills", "none",
                       "--probes", "1000", "--seconds", "0.03", "--svg", "chart.svg"}},

	{.group = "verify",
         .name = "verify",
         .ready = {"KQvK.dtm.egt", "KRvK.dtm.egt", "KPvK.dtm.egt"},
         .job.words = {"verify", "KQvK", "KRvK"}},
	{.group = "verify",
         .name = "verify, draughts",
         .ready = {"checkers-KvK.dtw.egt", "KQvK.dtz50.egt"},
         .job.words = {"verify", "checkers:KvK", "KQvK", "--again"}},

	{.group = "annotate",
         .name = "annotate -o",
         .ready = {"KQvK.dtm.egt", "KRvK.dtm.egt", "game.pgn"},
         .before = "out.pgn",
         .job.words = {"annotate", "game.pgn", "-o", "out.pgn"}},

	{.group = "annotate",
         .name = "annotate --solve -o",
         .ready = {"KQvK.dtm.egt", "pawns.pgn"},
         .before = "out.pgn",
         .job.words = {"annotate", "pawns.pgn", "--solve", "-o", "out.pgn"}},

	{.group = "solve", .name = "solve", .job.words = {"solve", PAWNS, "--pieces", "Q"}},
	{.group = "solve",
         .name = "solve, out of core",
         .job.words = {"solve", PAWNS, "--pieces", "Q", "--memory", "8M"},
         .on_disk = 64 << 20},
	{.group = "solve",
         .name = "solve, with tables",
         .ready = {"KQvK.dtm.egt", "KPvK.dtm.egt"},
         .job.words = {"solve", PAWNS, "--pieces", "none", "--metric", "dtm"}},

	{EXPLORE("explorer, :build checkers:3", ":build checkers:3\r")},
	{EXPLORE("explorer, :build KBvK", ":build KBvK\r")},
	{EXPLORE("explorer, moves and views", "  \r5 \r")},
	{EXPLORE("explorer, lesson", "2\r  ")},
	{EXPLORE("explorer, :save game.pgn", "  :save game2.pgn\r"),
         .varied = {{"game2.pgn", "[", "\n"}}},
	{EXPLORE("explorer, lab saved", "3 :save lab.csv\r:save! lab.svg\r"),
         .varied = {{"lab.csv", "# machine", "\n"}, {"lab.svg", "<svg", "</svg>\n"}}},
};

enum {
	SCENARIOS = sizeof scenarios / sizeof *scenarios,
	BEFORE_BYTES = 12 << 10, /* of the other file, in whole pages */
};

/* ---- choosing ---- */

static bool is_of(const struct scenario *s, const char *group)
{
	return !group || !strcmp(s->group, group);
}

size_t scenario_count(const char *group)
{
	size_t count = 0;
	for (size_t i = 0; i < SCENARIOS; i++)
		count += is_of(&scenarios[i], group);
	return count;
}

struct scenario *scenario_of(const char *group, size_t n)
{
	size_t i = 0;
	while (!is_of(&scenarios[i], group) || n--)
		i++;
	return &scenarios[i];
}

struct scenario *scenario_choose(struct trial *t, const char *group)
{
	struct scenario *s = scenario_of(group, trial_below(t, scenario_count(group)));
	trial_tell(t, "%s", s->name);
	return s;
}

/* ---- making ready ---- */

void scenario_furnish(const struct trial *t, const struct scenario *s, const char *folder)
{
	if (s->folder)
		files_empty(files_path(folder, s->folder));
	for (size_t i = 0; i < READY_MAX && s->ready[i]; i++)
		files_copy(files_path(t->sound, s->ready[i]), files_path(folder, s->ready[i]));
	if (!s->job.state)
		return;
	files_empty(files_path(folder, "state"));
	files_empty(files_path(folder, "state/endlab"));
	files_write(files_path(folder, s->job.state), session, strlen(session));
}

struct measuring {
	const char *folder;
	size_t bytes;
};

static bool add_bytes(void *context, const char *name)
{
	struct measuring *m = context;
	struct stat is;
	if (!lstat(files_path(m->folder, name), &is))
		m->bytes += S_ISREG(is.st_mode) ? ((size_t)is.st_size + 4095) / 4096 * 4096 : 4096;
	return true;
}

void scenario_make_right(struct trial *t, struct scenario *s)
{
	static unsigned number;
	char name[32];
	struct outcome o;
	struct job job = s->job;
	if (s->right)
		return;
	snprintf(name, sizeof name, "right-%u", number++);
	s->right = files_kept_path(t->scratch, name);
	files_empty(s->right);
	struct measuring m = {.folder = s->right};
	scenario_furnish(t, s, s->right);
	files_walk(s->right, add_bytes, &m);
	s->bytes_before = m.bytes + (s->before ? BEFORE_BYTES : 0);
	job.directory = s->right;
	job.counts_steps = true;
	run(t, &job, &o);
	if (!run_is_exit(&o, 0))
		trial_give_up("%s: %s", s->name, run_words(&o));
	s->seconds = o.seconds;
	s->steps = o.steps + 1;
	run_free(&o);
	m.bytes = 0;
	files_walk(s->right, add_bytes, &m);
	s->bytes = m.bytes;
}

void scenario_prepare(struct trial *t, struct scenario *s)
{
	scenario_make_right(t, s);
	scenario_furnish(t, s, t->folder);
	s->proofs = 0;
	if (!s->before || trial_below(t, 2))
		return;
	files_copy(files_path(t->sound, "KQvK.dtm.egt"), files_path(t->folder, s->before));
	trial_tell(t, " over another file");
}

/* ---- looking ---- */

struct search {
	struct trial *trial;
	struct scenario *scenario;
	enum state state;
	size_t litter;
	const char *found; /* what is wrong */
	char name[PATH_MAX];
};

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool ends(const char *text, const char *with)
{
	const size_t length = strlen(text), part = strlen(with);
	return length >= part && !strcmp(text + length - part, with);
}

static bool is_text(const char *path, const char *first, const char *last)
{
	size_t size;
	char *text = (char *)files_read(path, &size);
	const bool is = text && begins(text, first) && ends(text, last);
	free(text);
	return is;
}

static size_t count_lines(const char *path)
{
	size_t size, lines = 0;
	char *text = (char *)files_read(path, &size);
	for (const char *at = text; at && (at = strchr(at, '\n')); at++)
		lines++;
	free(text);
	return lines;
}

/* Kept proofs are never lost, nor are finished ones. */
static bool keeps_proofs(struct search *s, const char *path)
{
	const size_t lines = count_lines(path), before = s->scenario->proofs;
	s->scenario->proofs = lines;
	return is_text(path, "", lines ? "\n" : "") && lines >= before &&
	       (s->state != DONE || s->scenario->any ||
	        lines == count_lines(files_path(s->scenario->right, ".verified.tsv")));
}

static bool was_ready(const struct scenario *s, const char *name)
{
	for (size_t i = 0; i < READY_MAX && s->ready[i]; i++)
		if (!strcmp(s->ready[i], name))
			return true;
	return false;
}

/* Files that the explorer keeps, each with its own heading. */
static bool is_kept_state(const char *name, const char *path)
{
	if (ends(name, "/session"))
		return is_text(path, session, "\n");
	return is_text(path, "endlab ", "\n") || is_text(path, "", "\n");
}

static bool is_right(struct search *s, const char *name, const char *path)
{
	const struct scenario *w = s->scenario;
	const struct trial *t = s->trial;
	const char *file = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
	const bool stays = begins(file, ".endlab-scratch-");
	if (strstr(name, ".endlab-")) {
		s->litter += !stays && begins(file, ".endlab-");
		return s->state == BEGUN || (s->state == REFUSED_AND_CLEAN && stays);
	}
	if (!strcmp(name, ".journal.tsv"))
		return true;
	if (!strcmp(name, ".verified.tsv"))
		return keeps_proofs(s, path);
	if (begins(name, "state/"))
		return !strstr(name, ".bad") && is_kept_state(name, path);
	for (size_t i = 0; i < 2 && w->varied[i].name; i++)
		if (!strcmp(name, w->varied[i].name))
			return is_text(path, w->varied[i].first, w->varied[i].last);
	if (files_same(path, files_path(w->right, name)))
		return true;
	const bool is_sound = files_same(path, files_path(t->sound, name));
	if (s->state == DONE)
		return w->any && is_sound;
	if (w->before && !strcmp(name, w->before) &&
	    files_same(path, files_path(t->sound, "KQvK.dtm.egt")))
		return true;
	return is_sound && (w->any || was_ready(w, name));
}

static bool look(void *context, const char *name)
{
	struct search *s = context;
	const char *path = files_path(s->trial->folder, name);
	struct stat is;
	if (lstat(path, &is))
		s->found = "cannot be looked at";
	else if (S_ISDIR(is.st_mode) ? strstr(name, ".endlab-") && s->state != BEGUN
	                             : !is_right(s, name, path))
		s->found = strstr(name, ".endlab-") ? "is left over" : "is not what it should be";
	snprintf(s->name, sizeof s->name, "%s", name);
	return !s->found;
}

static bool find_missing(void *context, const char *name)
{
	struct search *s = context;
	if (files_exist(files_path(s->trial->folder, name)))
		return true;
	s->found = "is not there";
	snprintf(s->name, sizeof s->name, "%s", name);
	return false;
}

enum verdict scenario_look(struct trial *t, struct scenario *w, const char *when, enum state state)
{
	/* of the last killed run: files, claims, a folder of the lab's */
	enum { LITTER_MAX = 12 };
	struct search s = {.trial = t, .scenario = w, .state = state};
	files_walk(t->folder, look, &s);
	if (!s.found && state == DONE && !w->any)
		files_walk(w->right, find_missing, &s);
	for (size_t i = 0; i < READY_MAX && w->ready[i] && !s.found; i++)
		find_missing(&s, w->ready[i]);
	if (!s.found && w->job.state)
		find_missing(&s, w->job.state);
	if (s.found)
		return trial_wrong(t, "%s: %s %s", when, s.name, s.found);
	return s.litter > LITTER_MAX ? trial_wrong(t, "%s: %zu files are left over", when, s.litter)
	                             : RIGHT;
}

enum verdict scenario_again(struct trial *t, struct scenario *s)
{
	struct outcome o;
	struct job job = s->job;
	if (s->again[0]) {
		memset(job.words, 0, sizeof job.words);
		memcpy(job.words, s->again, sizeof s->again);
	}
	run(t, &job, &o);
	const enum verdict verdict = run_is_exit(&o, 0) && !run_fault(&o)
	                                     ? scenario_look(t, s, "done again", DONE)
	                                     : trial_wrong(t, "done again: %s", run_words(&o));
	s->seconds = o.seconds > s->seconds ? o.seconds : s->seconds;
	run_free(&o);
	return verdict;
}
