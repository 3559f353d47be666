/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks that jump during work, by seconds or by years, and tables from the future: the work is
   done as usual, and no reported time is nonsense. */
#include "files.h"
#include "scenarios.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* "-3 s left", "nan", "inf"; our texts contain them in no other sense. */
static const char *find_nonsense(const char *text)
{
	static const char *const words[] = {"nan", "inf"};
	for (const char *at = text; (at = strstr(at, " -")); at++)
		if (isdigit((unsigned char)at[2]))
			return at;
	for (size_t i = 0; i < 2; i++)
		for (const char *at = text; (at = strstr(at, words[i])); at++)
			if (!isalpha((unsigned char)at[3]) &&
			    (at == text || !isalpha((unsigned char)at[-1])))
				return at;
	return NULL;
}

static enum verdict judge(struct trial *t, const struct outcome *o)
{
	if (run_fault(o) || !run_is_exit(o, 0))
		return trial_wrong(t, "%s: %s", run_fault(o) ? run_fault(o) : "fails",
		                   run_words(o));
	const char *found = find_nonsense(o->out);
	found = found ? found : find_nonsense(o->err);
	return found ? trial_wrong(t, "it says: %.80s", found) : RIGHT;
}

static void date_tables(struct trial *t, const struct scenario *s, long seconds)
{
	const struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
	for (size_t i = 0; i < READY_MAX && s->ready[i]; i++)
		if (utimensat(AT_FDCWD, files_path(t->folder, s->ready[i]), times, 0))
			trial_give_up("%s: %m", s->ready[i]);
}

static enum verdict try_clock(struct trial *t)
{
	static const char *const groups[] = {"build",  "build", "verify",
	                                     "recode", "lab",   "explorer"};
	static const char *const jumps[] = {"3600", "-3600",       "315360000", "-315360000",
	                                    "3",    "-1700000000", "3000000000"};
	static const long dates[] = {0, 1, 4102444800, 10000000000};
	enum { LOOKS = 200 };
	struct scenario *s = scenario_choose(t, CHOOSE(t, groups));
	char clock[64];
	struct outcome o;
	scenario_prepare(t, s);
	struct job job = s->job;
	if (trial_below(t, 2)) {
		const long date = dates[trial_below(t, sizeof dates / sizeof *dates)];
		date_tables(t, s, date);
		trial_tell(t, ", tables of second %ld", date);
	}
	snprintf(clock, sizeof clock, "%zu:%s", 1 + trial_below(t, LOOKS), CHOOSE(t, jumps));
	job.clock = clock;
	if (!job.keys && trial_below(t, 2))
		job.keys = ""; /* a terminal: it shows a bar, with the time left */
	trial_tell(t, ", the clock jumps %s%s", clock, job.keys ? ", on a terminal" : "");
	run(t, &job, &o);
	enum verdict verdict = judge(t, &o);
	run_free(&o);
	if (verdict != WRONG)
		verdict = scenario_look(t, s, "done", DONE);
	return verdict != WRONG ? scenario_again(t, s) : WRONG;
}

const struct kind jumping_clocks = {"jumping clocks", NULL, try_clock, NULL};
