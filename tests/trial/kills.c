/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals at any moment, and SIGKILL at any step of writing. Existing files stay, finished ones are
 * sound, and leftovers do not accumulate: the next command removes them. Whatever was begun can be
 * done again.
 */
#include "files.h"
#include "scenarios.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

static const int signals[] = {SIGKILL, SIGKILL, SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT};

/* Finished, or stopped by the signal, with any exit status that says so; `make` has its own. */
static enum verdict judge_end(struct trial *t, const struct job *job, const struct outcome *o)
{
	const int signal = job->signal;
	if (run_fault(o) && !(WIFSIGNALED(o->status) && WTERMSIG(o->status) == signal))
		return trial_wrong(t, "%s: %s", run_fault(o), run_words(o));
	if (run_is_exit(o, 0))
		return RIGHT;
	const bool stopped = run_is_exit(o, 1) || run_is_exit(o, 128 + signal) ||
	                     (job->program && run_is_exit(o, 2)) ||
	                     (WIFSIGNALED(o->status) && WTERMSIG(o->status) == signal);
	return stopped ? REFUSED : trial_wrong(t, "stopped with %s", run_words(o));
}

/* Any command removes what a dead process has left beside the tables. */
static enum verdict clean_up(struct trial *t)
{
	const struct job list = {.words = {"list", "--json"}};
	struct outcome o;
	run(t, &list, &o);
	bool sound = run_is_exit(&o, 0) && !*o.err;
	for (const char *at = o.out; sound && (at = strstr(at, "\"ignored\":\"")); at++)
		sound = !strncmp(at + strcspn(at, " "), " dtm is taken from", 18) ||
		        !strncmp(at + strcspn(at, ":"), ":\"not named like a table", 24);
	if (!sound)
		trial_wrong(t, "afterwards list says: %s", run_words(&o));
	run_free(&o);
	return sound ? RIGHT : WRONG;
}

/* `step`: SIGKILL at that step, from 1; 0: a signal at some moment. */
static enum verdict kill_once(struct trial *t, struct scenario *s, unsigned long step)
{
	struct job job = s->job;
	struct outcome o;
	if (step) {
		job.signal = SIGKILL;
		job.kill_at = step;
		trial_tell(t, ", SIGKILL at step %lu of %lu", step, s->steps);
	} else {
		job.signal = signals[trial_below(t, sizeof signals / sizeof *signals)];
		job.after = 1e-6 + 1.2 * s->seconds * (double)trial_below(t, 10000) / 10000;
		trial_tell(t, ", %s after %.1f ms", sigabbrev_np(job.signal), 1e3 * job.after);
	}
	run(t, &job, &o);
	const enum verdict verdict = judge_end(t, &job, &o);
	run_free(&o);
	return verdict != WRONG && scenario_look(t, s, "afterwards", BEGUN) == WRONG ? WRONG
	                                                                             : verdict;
}

/* 0 for any moment; else any step, or one of the last, which give files their names. */
static unsigned long choose_step(struct trial *t, const struct scenario *s)
{
	enum { LAST = 40 };
	const unsigned long last = s->steps < LAST ? s->steps : LAST;
	switch (trial_below(t, 4)) {
	case 0:
		return 1 + trial_below(t, s->steps);
	case 1:
		return s->steps - trial_below(t, last);
	default:
		return 0;
	}
}

/* Kills once or several times in a row. */
static enum verdict try_kills(struct trial *t, struct scenario *s, unsigned long step)
{
	enum { MOST = 5 };
	scenario_prepare(t, s);
	const size_t kills = t->every ? 1 : 1 + trial_below(t, MOST);
	enum verdict verdict = RIGHT;
	for (size_t i = 0; i < kills && verdict != WRONG; i++) {
		if (!t->every)
			step = choose_step(t, s);
		const enum verdict one = kill_once(t, s, step);
		verdict = one == RIGHT ? verdict : one;
		t->blows++;
	}
	if (verdict != WRONG && trial_below(t, 2))
		verdict = clean_up(t) == WRONG ? WRONG : verdict;
	return verdict != WRONG && scenario_again(t, s) == WRONG ? WRONG : verdict;
}

/* ---- kinds ---- */

static unsigned long count_steps(struct trial *t, const char *group)
{
	unsigned long steps = 0;
	for (size_t i = 0; i < scenario_count(group); i++) {
		scenario_make_right(t, scenario_of(group, i));
		steps += scenario_of(group, i)->steps;
	}
	return steps;
}

static enum verdict try_group(struct trial *t, const char *group)
{
	unsigned long step = t->number;
	size_t i = 0;
	if (!t->every)
		return try_kills(t, scenario_choose(t, group), 0);
	count_steps(t, group);
	while (step >= scenario_of(group, i)->steps)
		step -= scenario_of(group, i++)->steps;
	trial_tell(t, "%s", scenario_of(group, i)->name);
	return try_kills(t, scenario_of(group, i), step + 1);
}

#define KILL(group)                                       \
	static enum verdict try_##group(struct trial *t)  \
	{                                                 \
		return try_group(t, #group);              \
	}                                                 \
	static unsigned long all_##group(struct trial *t) \
	{                                                 \
		return count_steps(t, #group);            \
	}                                                 \
	const struct kind kill_##group = {"killed " #group, NULL, try_##group, all_##group}

KILL(build);
KILL(recode);
KILL(export);
KILL(lab);
KILL(verify);
KILL(annotate);
KILL(solve);
KILL(explorer);
