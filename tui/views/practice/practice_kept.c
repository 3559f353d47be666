/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scores and positions due again, as a text file:
 *
 *     endlab practice 1
 *     score SLICE EXERCISE TRIES RIGHT PERCENT
 *     again YYYY-MM-DD BOX EXERCISE POSITION
 */
#include "practice.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char heading[] = "endlab practice 1";

enum { DAY_SECONDS = 86400 };

/* Days until a position answered rightly is due again, by the box that it moves to. */
static const unsigned pause_days[PRACTICE_BOXES] = {0, 1, 3, 7, 21};

/* ---- days ---- */

static long today(void)
{
	const time_t now = time(NULL);
	struct tm local;
	if (!localtime_r(&now, &local))
		return (long)(now / DAY_SECONDS);
	struct tm day = {
		.tm_year = local.tm_year, .tm_mon = local.tm_mon, .tm_mday = local.tm_mday};
	return (long)(timegm(&day) / DAY_SECONDS);
}

/* Accepts only real calendar days. */
static bool read_day(const char *text, long *day)
{
	enum { LENGTH = 10 };
	int year, month, date, end = 0;
	if (sscanf(text, "%4d-%2d-%2d%n", &year, &month, &date, &end) != 3 || end != LENGTH ||
	    text[end])
		return false;
	struct tm tm = {.tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = date};
	const time_t then = timegm(&tm);
	*day = (long)(then / DAY_SECONDS);
	return tm.tm_year == year - 1900 && tm.tm_mon == month - 1 && tm.tm_mday == date;
}

/* ---- finding ---- */

const struct practice_tally *practice_tally(const struct practice_scores *s,
                                            enum exercise_name exercise,
                                            const struct el_slice *slice)
{
	for (size_t i = 0; i < s->tally_count; i++)
		if (s->tallies[i].exercise == exercise &&
		    el_slice_equal(&s->tallies[i].slice, slice))
			return &s->tallies[i];
	return NULL;
}

static struct practice_again *find_again(const struct practice_scores *s,
                                         enum exercise_name exercise,
                                         const struct el_position *position)
{
	for (size_t i = 0; i < s->again_count; i++)
		if (s->again[i].exercise == exercise &&
		    el_position_equal(&s->again[i].position, position))
			return &s->again[i];
	return NULL;
}

long practice_next_due(const struct practice_scores *s, size_t *count)
{
	const long now = s->today();
	long next = -1;
	*count = 0;
	for (size_t i = 0; i < s->again_count; i++) {
		const long in = s->again[i].due > now ? s->again[i].due - now : 0;
		if (next < 0 || in < next)
			*count = 0;
		if (next < 0 || in <= next) {
			next = in;
			++*count;
		}
	}
	return next;
}

/* ---- putting down ---- */

static struct practice_tally *new_tally(struct practice_scores *s, enum exercise_name exercise,
                                        const struct el_slice *slice)
{
	if (!array_grow(&s->tallies, s->tally_count, 1, sizeof *s->tallies))
		return NULL;
	struct practice_tally *tally = &s->tallies[s->tally_count++];
	*tally = (struct practice_tally){.exercise = exercise, .slice = *slice};
	return tally;
}

static struct practice_again *new_again(struct practice_scores *s, enum exercise_name exercise,
                                        const struct el_slice *slice,
                                        const struct el_position *position)
{
	if (!array_grow(&s->again, s->again_count, 1, sizeof *s->again))
		return NULL;
	struct practice_again *again = &s->again[s->again_count++];
	*again = (struct practice_again){
		.exercise = exercise, .slice = *slice, .position = *position};
	return again;
}

enum el_status practice_scores_add(struct practice_scores *s, const struct el_slice *slice,
                                   const struct practice_score *score, struct el_error *error)
{
	const long now = s->today();
	const bool right = practice_is_right(score);
	struct practice_tally *tally =
		(struct practice_tally *)practice_tally(s, score->exercise, slice);
	struct practice_again *again = find_again(s, score->exercise, &score->start);
	if (!again && !right)
		again = new_again(s, score->exercise, slice, &score->start);
	if (!tally && (again || right)) /* a tally has at least one try */
		tally = new_tally(s, score->exercise, slice);
	if (!tally || (!again && !right))
		return el_fail(error, EL_MEMORY, "out of memory");
	tally->tries++;
	tally->right += right;
	tally->percent += practice_percent(score);
	if (!again || (right && again->due > now)) /* a right answer moves on only when due */
		return EL_OK;
	again->box = right ? again->box + 1 : 0;
	if (again->box == PRACTICE_BOXES)
		*again = s->again[--s->again_count];
	else
		again->due = now + (long)pause_days[again->box];
	return EL_OK;
}

/* ---- the file ---- */

void practice_scores_write(const struct practice_scores *s, FILE *out)
{
	char fen[EL_FEN_MAX];
	fprintf(out, "%s\n", heading);
	for (const struct practice_tally *t = s->tallies; t < s->tallies + s->tally_count; t++)
		fprintf(out, "score %s %s %u %u %u\n", t->slice.name, exercises[t->exercise].name,
		        t->tries, t->right, t->percent);
	for (const struct practice_again *a = s->again; a < s->again + s->again_count; a++) {
		a->slice.game->format(&a->position, fen);
		const time_t then = (time_t)a->due * DAY_SECONDS;
		struct tm day = {0};
		gmtime_r(&then, &day);
		fprintf(out, "again %04d-%02d-%02d %u %s %s\n", day.tm_year + 1900, day.tm_mon + 1,
		        day.tm_mday, a->box, exercises[a->exercise].name, fen);
	}
}

/* A line of the file while it is parsed. */
struct told {
	struct practice_scores *scores;
	int number; /* from 1 */
	struct el_error *error;
};

static enum el_status fail_at(const struct told *t, const char *expected, const char *found)
{
	return el_fail(t->error, EL_USAGE, "%s:%d: expected %s, found '%.20s'",
	               t->scores->file.path, t->number, expected, found ? found : "");
}

/* The next word of a line; null at its end. */
static char *next_word(char **rest)
{
	char *word = strsep(rest, " ");
	return word && *word ? word : NULL;
}

static bool read_count(const char *text, unsigned most, unsigned *out)
{
	char *end;
	const unsigned long number = text ? strtoul(text, &end, 10) : 0;
	*out = (unsigned)number;
	return text && *text >= '0' && *text <= '9' && !*end && number <= most;
}

static enum el_status read_score(const struct told *t, char *rest)
{
	enum { TRIES_MAX = 10000000 };
	struct el_slice slice;
	unsigned tries = 0, right = 0, percent = 0;
	const char *name = next_word(&rest), *exercise = next_word(&rest);
	if (!name || el_slice_parse(name, &slice, NULL))
		return fail_at(t, "a slice", name);
	const enum exercise_name e =
		exercise ? exercise_find(exercise, strlen(exercise)) : EXERCISES;
	if (e == EXERCISES || practice_tally(t->scores, e, &slice))
		return fail_at(t, "an exercise, and no score twice", exercise);
	if (!read_count(next_word(&rest), TRIES_MAX, &tries) || !tries ||
	    !read_count(next_word(&rest), tries, &right) ||
	    !read_count(next_word(&rest), 100 * tries, &percent) || rest)
		return fail_at(t, "tries, those that were right, and the sum of their percent",
		               rest);
	struct practice_tally *tally = new_tally(t->scores, e, &slice);
	if (!tally)
		return el_fail(t->error, EL_MEMORY, "out of memory");
	tally->tries = tries;
	tally->right = right;
	tally->percent = percent;
	return EL_OK;
}

static enum el_status read_again(const struct told *t, char *rest)
{
	const struct el_game *game;
	struct el_position position;
	struct el_slice slice;
	struct el_error why;
	unsigned box;
	long due;
	const char *day = next_word(&rest), *number = next_word(&rest),
		   *exercise = next_word(&rest);
	if (!day || !read_day(day, &due))
		return fail_at(t, "a day such as 2026-01-31", day);
	if (!read_count(number, PRACTICE_BOXES - 1, &box))
		return fail_at(t, "the number of a box", number);
	const enum exercise_name e =
		exercise ? exercise_find(exercise, strlen(exercise)) : EXERCISES;
	if (e == EXERCISES)
		return fail_at(t, "an exercise", exercise);
	if (!rest || el_position_parse(rest, &game, &position, &why) ||
	    game->check(&position, &why) || game->slice_of(&position, &slice, &why))
		return fail_at(t, "a position of a slice", rest);
	struct practice_again *again = find_again(t->scores, e, &position);
	if (!again && !(again = new_again(t->scores, e, &slice, &position)))
		return el_fail(t->error, EL_MEMORY, "out of memory");
	again->box = box;
	again->due = due;
	return EL_OK;
}

void practice_scores_free(struct practice_scores *s)
{
	free(s->again);
	free(s->tallies);
	s->again = NULL;
	s->tallies = NULL;
	s->again_count = s->tally_count = 0;
}

enum el_status practice_scores_read(struct practice_scores *s, char *text, struct el_error *error)
{
	struct told t = {.scores = s, .error = error};
	enum el_status status = EL_OK;
	for (char *line; !status && (line = strsep(&text, "\n"));) {
		char *rest = line;
		if (++t.number == 1) {
			status = strcmp(line, heading) ? fail_at(&t, heading, line) : EL_OK;
			continue;
		}
		const char *word = strsep(&rest, " ");
		status = !strcmp(word, "score")   ? read_score(&t, rest)
		         : !strcmp(word, "again") ? read_again(&t, rest)
		         : *word || rest          ? fail_at(&t, "score or again", word)
		                                  : EL_OK;
	}
	if (status)
		practice_scores_free(s);
	return status;
}

void practice_scores_follow(struct model *m, struct practice_scores *s)
{
	struct el_error error;
	struct practice_scores found = {.today = s->today};
	char *text = s->file.job ? NULL : kept_read(m, &s->file);
	found.file = s->file;
	if (text && practice_scores_read(&found, text, &error)) {
		kept_put_aside(m, &s->file, &error);
	} else if (text) {
		practice_scores_free(s);
		*s = found;
	}
	free(text);
}

void practice_scores_open(struct model *m, struct practice_scores *s)
{
	*s = (struct practice_scores){.today = today};
	kept_open(m, &s->file, "practice", "Practice scores");
	practice_scores_follow(m, s);
}
