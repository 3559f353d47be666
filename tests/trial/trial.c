/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the next kind, and prints the table at the end. */
#include "trial.h"
#include "files.h"
#include "run.h"

#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const struct kind *const kinds[] = {
	&kill_build,        &kill_recode,     &kill_export,    &kill_lab,    &kill_verify,
	&kill_annotate,     &kill_solve,      &kill_explorer,  &damaged_egt, &damaged_syzygy,
	&damaged_gaviota,   &few_descriptors, &little_memory,  &small_files, &full_disk,
	&vanishing_folders, &crowds,          &jumping_clocks, &odd_folders, &failed_allocations,
	&starved_explorer,
};

enum { KINDS = sizeof kinds / sizeof *kinds, PROCESS_SECONDS = 120 };

struct tally {
	unsigned long tries, found[WRONG + 1];
	double seconds;
	const char *lacks;
};

struct wishes {
	double seconds;
	const char *only; /* names of kinds, commas between them; null: all */
	bool every, has_number;
	unsigned long number;
};

/* ---- random numbers: SplitMix64 (Steele, Lea, Flood 2014) ---- */

static uint64_t mixed(uint64_t z)
{
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

uint64_t trial_random(struct trial *t)
{
	return mixed(t->random += UINT64_C(0x9e3779b97f4a7c15));
}

size_t trial_below(struct trial *t, size_t most)
{
	return (size_t)(trial_random(t) % most);
}

const char *trial_choose(struct trial *t, const char *const *texts, size_t count)
{
	return texts[trial_below(t, count)];
}

/* ---- words ---- */

void trial_tell(struct trial *t, const char *format, ...)
{
	const size_t used = strlen(t->what);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(t->what + used, sizeof t->what - used, format, arguments);
	va_end(arguments);
}

enum verdict trial_wrong(struct trial *t, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(t->why, sizeof t->why, format, arguments);
	va_end(arguments);
	return WRONG;
}

void trial_give_up(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fputs("trial: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	exit(2);
}

/* ---- apart ---- */

enum verdict trial_apart(struct trial *t, enum verdict (*part)(struct trial *, const void *context),
                         const void *context)
{
	enum { FIRST = 100 }; /* of the exit statuses that stand for verdicts */
	int status;
	fflush(NULL);
	const pid_t child = fork();
	if (child < 0)
		trial_give_up("cannot fork: %m");
	if (!child) {
		alarm(PROCESS_SECONDS);
		_exit(FIRST + (int)part(t, context));
	}
	if (waitpid(child, &status, 0) < 0)
		trial_give_up("cannot wait: %m");
	if (WIFSIGNALED(status))
		return trial_wrong(t, "%s", WTERMSIG(status) == SIGALRM ? "hangs" : "crashes");
	if (WEXITSTATUS(status) < FIRST || WEXITSTATUS(status) > FIRST + WRONG)
		return trial_wrong(t, "crashes with status %d", WEXITSTATUS(status));
	return (enum verdict)(WEXITSTATUS(status) - FIRST);
}

/* ---- tries ---- */

static const char *const verdict_names[] = {
	[RIGHT] = "right", [REFUSED] = "refused", [WRONG] = "wrong"};

static void one_try(struct trial *t, size_t k, unsigned long number, struct tally *tally)
{
	const double start = run_clock();
	t->number = number;
	t->random = mixed(t->seed + mixed(k + 1)) + number;
	t->what[0] = t->why[0] = '\0';
	files_empty(t->folder);
	const enum verdict verdict = kinds[k]->try(t);
	tally->tries++;
	tally->found[verdict]++;
	tally->seconds += run_clock() - start;
	if (t->tells)
		printf("%s: %s, try %lu: %s\n", verdict_names[verdict], kinds[k]->name, number,
		       t->what);
	if (verdict != WRONG)
		return;
	printf("wrong: %s, try %lu: %s\n       %s\n", kinds[k]->name, number, t->what, t->why);
	printf("       again: trial --seed %llu --only '%s' --number %lu%s\n",
	       (unsigned long long)t->seed, kinds[k]->name, number, t->every ? " --every" : "");
	fflush(stdout);
}

/* Chooses the kind that has had the least time; each has one try, however long that takes. */
static size_t next_kind(const struct tally tallies[KINDS])
{
	size_t next = KINDS;
	for (size_t k = 0; k < KINDS; k++)
		if (!tallies[k].lacks &&
		    (next == KINDS || tallies[k].seconds < tallies[next].seconds))
			next = k;
	return next;
}

static void try_for(struct trial *t, double seconds, struct tally tallies[KINDS])
{
	const double end = run_clock() + seconds;
	for (size_t k = next_kind(tallies); k < KINDS && (run_clock() < end || !tallies[k].tries);
	     k = next_kind(tallies))
		one_try(t, k, tallies[k].tries, &tallies[k]);
}

static void try_every(struct trial *t, struct tally tallies[KINDS])
{
	for (size_t k = 0; k < KINDS; k++) {
		const unsigned long all = !tallies[k].lacks && kinds[k]->all ? kinds[k]->all(t) : 0;
		for (unsigned long n = 0; n < all; n++)
			one_try(t, k, n, &tallies[k]);
	}
}

static bool is_listed(const char *list, const char *name)
{
	const size_t length = strlen(name);
	for (const char *at = list; at && (at = strstr(at, name)); at += length)
		if ((at == list || at[-1] == ',') && (!at[length] || at[length] == ','))
			return true;
	return !list;
}

static void make_ready(struct trial *t, const struct wishes *w, struct tally tallies[KINDS])
{
	for (size_t k = 0; k < KINDS; k++) {
		const bool wanted =
			is_listed(w->only, kinds[k]->name) && (!w->every || kinds[k]->all);
		tallies[k].lacks = !wanted ? "" : kinds[k]->lacks ? kinds[k]->lacks(t) : NULL;
	}
}

/* ---- the table ---- */

/* Prints lines that tests/run counts. */
static int print_table(const struct tally tallies[KINDS])
{
	unsigned long tries = 0, wrong = 0, idle = 0;
	printf("\n%7s%-20s %9s %9s %9s %9s %9s\n", "", "", "tries", "right", "refused", "wrong",
	       "seconds");
	for (size_t k = 0; k < KINDS; k++) {
		const struct tally *y = &tallies[k];
		const char *name = kinds[k]->name;
		tries += y->tries;
		wrong += y->found[WRONG];
		if (y->lacks && *y->lacks)
			printf("skip   %-20s %s\n", name, y->lacks);
		if (y->lacks)
			continue;
		idle += !y->tries;
		printf("%s %-20s %9lu %9lu %9lu %9lu %9.1f\n",
		       y->tries && !y->found[WRONG] ? "ok    " : "not ok", name, y->tries,
		       y->found[RIGHT], y->found[REFUSED], y->found[WRONG], y->seconds);
	}
	return wrong || idle || !tries;
}

/* ---- what is asked for ---- */

static void read_wishes(int argc, char **argv, struct trial *t, struct wishes *w)
{
	static const struct option options[] = {
		{"seconds", required_argument, NULL, 's'},
		{"seed", required_argument, NULL, 'r'},
		{"only", required_argument, NULL, 'o'},
		{"number", required_argument, NULL, 'n'},
		{"every", no_argument, NULL, 'e'},
		{"tell", no_argument, NULL, 't'},
		{0},
	};
	*w = (struct wishes){.seconds = 60};
	for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;)
		switch (c) {
		case 's':
			w->seconds = atof(optarg);
			break;
		case 'r':
			t->seed = strtoull(optarg, NULL, 10);
			break;
		case 'o':
			w->only = optarg;
			break;
		case 'n':
			w->has_number = true;
			w->number = strtoul(optarg, NULL, 10);
			break;
		case 't':
			t->tells = true;
			break;
		case 'e':
			w->every = t->every = true;
			break;
		default:
			trial_give_up("usage: trial [--seconds S] [--seed N] [--only KIND,...] "
			              "[--number N] [--every] [--tell]");
		}
}

static const char game[] =
	"[FEN \"8/8/8/3k4/8/8/8/KQ6 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Qb4 Ke5 2. Kb2 *\n";

static const char pawns[] = "[FEN \"" PAWNS "\"]\n[SetUp \"1\"]\n\n1. Kc2 Ka3 2. Kb1 *\n";

static void build_sound(struct trial *t, struct job job)
{
	struct outcome outcome;
	job.directory = t->sound;
	run(t, &job, &outcome);
	if (!run_is_exit(&outcome, 0))
		trial_give_up("the tables to begin with cannot be built: %s", outcome.err);
	run_free(&outcome);
}

static void set_up(struct trial *t, char *self)
{
	*strrchr(self, '/') = '\0';
	t->endlab = files_kept_path(self, "../endlab");
	t->failing = files_kept_path(self, "endlab");
	files_scratch(t->scratch, sizeof t->scratch);
	snprintf(t->sound, sizeof t->sound, "%s/sound", t->scratch);
	snprintf(t->folder, sizeof t->folder, "%s/try", t->scratch);
	files_empty(t->sound);
	files_empty(t->folder);
	files_write(files_path(t->sound, "game.pgn"), game, strlen(game));
	files_write(files_path(t->sound, "pawns.pgn"), pawns, strlen(pawns));
	build_sound(t, (struct job){.words = {"build", "KQvK", "--metric", "dtz50"}});
	build_sound(t, (struct job){.words = {"build", "KPvK", "KRvKN", "checkers:2-3"}});
	build_sound(t, (struct job){.words = {"build", "awari:0-5", "morris:3v3"}});
}

int main(int argc, char **argv)
{
	struct tally tallies[KINDS] = {{0}};
	struct wishes wishes;
	char self[PATH_MAX];
	struct trial *t =
		mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (t == MAP_FAILED || !realpath("/proc/self/exe", self))
		trial_give_up("cannot begin: %m");
	*t = (struct trial){.seed = (uint64_t)time(NULL)};
	read_wishes(argc, argv, t, &wishes);
	set_up(t, self);
	make_ready(t, &wishes, tallies);
	printf("seed %llu\n", (unsigned long long)t->seed);
	for (size_t k = 0; k < KINDS && wishes.has_number; k++)
		if (!tallies[k].lacks)
			one_try(t, k, wishes.number, &tallies[k]);
	if (!wishes.has_number && wishes.every)
		try_every(t, tallies);
	else if (!wishes.has_number)
		try_for(t, wishes.seconds, tallies);
	const int answer = print_table(tallies);
	if (t->blows)
		printf("%lu signals in all\n", t->blows);
	return answer;
}
