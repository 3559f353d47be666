/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lesson that plays: its commands run one after the other, its text stands below every view. */
#include "../../shell/frame.h"
#include "../../shell/line.h"
#include "../../screen/widgets/paragraphs.h"

#include <stdio.h>
#include <string.h>

bool lesson_plays(const struct model *m)
{
	return m->lesson.script.step_count > 0;
}

/* ---- commands ---- */

static size_t commands_end(const struct lesson *l)
{
	return l->script.steps[l->step].commands_end;
}

/* The rest of the step's commands is left out: they may rest on this one. */
static void fail_command(struct model *m)
{
	struct lesson *l = &m->lesson;
	char why[sizeof m->message.text];
	snprintf(why, sizeof why, "%s", m->message.text);
	model_fail(m, "%s:%d: %s", l->file, l->at_work->line, why);
	l->at_work = NULL;
	l->next = commands_end(l);
}

/* Long work that somebody else has begun, as measuring in Lab, is not waited for. */
static bool is_waiting(const struct model *m)
{
	return m->jobs_out[LANE_PROBE] || (m->lesson.waits_long && m->jobs_out[LANE_LONG]);
}

/* A job that fails meanwhile is that of the command at work. */
static void hear_jobs(struct model *m)
{
	struct lesson *l = &m->lesson;
	const bool failed = m->job_failures != l->job_failures;
	l->job_failures = m->job_failures;
	l->waits_long = m->jobs_out[LANE_LONG] &&
	                (l->waits_long || (l->at_work && m->long_jobs != l->long_jobs));
	l->long_jobs = m->long_jobs;
	if (l->at_work && failed)
		fail_command(m);
	if (l->at_work && !is_waiting(m)) {
		l->view = m->view;
		l->at_work = NULL;
		m->message.text[0] = '\0'; /* what it says of itself is not for the reader */
	}
}

bool lesson_go_on(struct model *m)
{
	struct lesson *l = &m->lesson;
	if (!lesson_plays(m))
		return false;
	hear_jobs(m);
	if (is_waiting(m) || l->next == commands_end(l))
		return false;
	l->at_work = &l->script.commands[l->next++];
	line_run(m, l->at_work->text);
	if (l->at_work && m->message.text[0] && m->message.error)
		fail_command(m);
	return true;
}

/* ---- steps ---- */

/* What a step says is beside one board. */
static void show_plainly(struct model *m)
{
	m->teach.comparing = false;
	m->teach.panel = TEACH_ALGORITHM;
}

/* Every command up to this step is run again, from the view and the board of the beginning. */
static void start_over(struct model *m, size_t step)
{
	struct lesson *l = &m->lesson;
	m->explore.flipped = l->was_flipped;
	m->in_moves = l->was_in_moves;
	m->explore.play.running = false;
	l->step = step;
	l->next = 0;
	l->at_work = NULL;
	show_plainly(m);
	l->view = &explore_view;
	model_show(m, l->view);
}

void lesson_play(struct model *m, const struct script *script, const char *file)
{
	struct lesson *l = &m->lesson;
	lesson_stop(m);
	l->script = *script;
	l->was_flipped = m->explore.flipped;
	l->was_in_moves = m->in_moves;
	l->long_jobs = m->long_jobs;
	l->job_failures = m->job_failures;
	l->waits_long = true; /* what is being made may be what it shows */
	snprintf(l->file, sizeof l->file, "%s", file);
	start_over(m, 0);
}

void lesson_stop(struct model *m)
{
	script_free(&m->lesson.script);
	m->lesson.at_work = NULL;
}

static void next_step(struct model *m)
{
	struct lesson *l = &m->lesson;
	/* Whoever looked elsewhere meanwhile comes back. */
	if (m->view != l->view)
		model_show(m, l->view);
	show_plainly(m);
	if (++l->step < l->script.step_count)
		return;
	model_note(m, "that was the last step of '%s'", l->script.title);
	lesson_over(m);
}

static void step_before(struct model *m)
{
	start_over(m, m->lesson.step - 1);
}

static const char *no_lesson(const struct model *m)
{
	return lesson_plays(m) ? NULL : "no lesson plays; :lesson lists them";
}

static const char *no_step_before(const struct model *m)
{
	const char *why = no_lesson(m);
	return why || m->lesson.step ? why : "this is the lesson's first step";
}

void lesson_end(struct model *m)
{
	model_note(m, "the lesson '%s' is ended", m->lesson.script.title);
	lesson_stop(m);
}

const struct binding lesson_bindings[] = {
	{{'n', K_PAGE_DOWN}, "lesson-next", "next", "the lesson's next step", next_step, no_lesson,
	 NULL},
	{{'N', K_PAGE_UP}, "lesson-back", "previous", "the lesson's step before", step_before,
	 no_step_before, NULL},
	{{0}, "lesson-end", NULL, "end the lesson", lesson_end, no_lesson, ":lesson off"},
	{.name = NULL},
};

/* ---- the pane ---- */

enum { TEXT_AT = 2, MARGINS = 4 };

/* Text is not stretched over wide screens: long rows are hard to read. */
static int text_cols(int cols)
{
	return cols - MARGINS < LESSON_COLS ? cols - MARGINS : LESSON_COLS;
}

/* What a screen can spare; LESSON_ROWS leave the board of 80 x 24 its size. */
static int rows_max(const struct model *m)
{
	enum { TALL = 30, NARROW_MAX = 6 };
	int most = m->rows / 3;
	if (m->rows >= TALL)
		return LESSON_ROWS + 2;
	if (m->cols >= LESSON_COLS + MARGINS)
		return LESSON_ROWS < most ? LESSON_ROWS : most;
	return NARROW_MAX < most ? NARROW_MAX : most;
}

/* The same for all steps, so that nothing moves; a heading, where there is room. */
int lesson_rows(const struct model *m)
{
	const struct script *s = &m->lesson.script;
	int rows = 0, most = rows_max(m), cols = text_cols(m->cols);
	for (size_t i = 0; i < s->step_count && cols > 0; i++) {
		int needed = 1 + paragraphs_rows(s->steps[i].text, cols);
		rows = needed > rows ? needed : rows;
	}
	return rows < most ? rows : most;
}

/* "What a table is  3/14", or a part of it. */
static void draw_place(const struct model *m, struct pane p, int y, int from)
{
	const struct lesson *l = &m->lesson;
	char what[80], place[112], text[LESSON_COLS + 128];
	bool waits = l->at_work || l->next < commands_end(l);
	if (waits && m->jobs_out[LANE_LONG] && *m->progress.title)
		snprintf(what, sizeof what, "%s, X stops it  ", m->progress.title);
	else
		snprintf(what, sizeof what, "%s", waits ? "working  " : "");
	snprintf(place, sizeof place, "%s%zu/%zu", what, l->step + 1, l->script.step_count);
	snprintf(text, sizeof text, "%s  %s", l->script.title, place);
	enum role role = waits ? ROLE_BUSY : ROLE_DIM;
	if (from + utf8_length(text) <= p.cols)
		pane_text(p, y, from ? p.cols - utf8_length(text) : 0, role, text);
	else if (from + utf8_length(place) <= p.cols || waits)
		pane_right(p, y, p.cols, role, place);
}

void lesson_draw(const struct model *m, struct pane p)
{
	const struct lesson_step *step = &m->lesson.script.steps[m->lesson.step];
	uint32_t bar = p.canvas->ascii ? '|' : 0x2503;
	struct pane text = pane_sub(p, 0, TEXT_AT, p.rows, text_cols(p.cols));
	bool has_heading = paragraphs_rows(step->text, text.cols) < p.rows;
	pane_fill(p, ROLE_LESSON);
	for (int y = 0; y < p.rows; y++)
		pane_put(p, y, 0, ROLE_HINT_KEY, bar);
	if (has_heading)
		draw_place(m, text, 0, 0);
	int end = paragraphs_draw(pane_sub(text, has_heading, 0, text.rows, text.cols), ROLE_STRONG,
	                          step->text);
	if (!has_heading)
		draw_place(m, text, p.rows - 1, end + 2);
	pane_zone(p, ZONE_KEY, K_PAGE_DOWN);
}
