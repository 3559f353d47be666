/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plays a lesson: runs its commands one after the other, and shows its text below every view. */
#include "lesson.h"

#include "tui/screen/widgets/paragraphs.h"
#include "tui/shell/line.h"
#include "tui/shell/overlay.h"
#include "tui/views/views.h"

#include <stdio.h>
#include <string.h>

bool lesson_plays(const struct model *m)
{
	return lesson_of(m)->script.step_count > 0;
}

/* ---- commands ---- */

static size_t commands_end(const struct lesson *l)
{
	return l->script.steps[l->step].commands_end;
}

/* Skips the later commands, since they may depend on this one. */
static void fail_command(struct model *m)
{
	struct lesson *l = lesson_of(m);
	char why[sizeof m->message.text];
	snprintf(why, sizeof why, "%s", m->message.text);
	model_fail(m, "%s:%d: %s", l->file, l->at_work->line, why);
	l->at_work = NULL;
	l->next = commands_end(l);
}

/* The job that the lesson waits for; null if none. It does not wait for long work that it did not
   begin, such as measuring in Lab, nor for counts beside the board. */
static const struct job *awaited(const struct model *m)
{
	const struct job *probe = model_job(m, LANE_PROBE), *look = m->jobs,
			 *work = model_job(m, LANE_WORK);
	while (look && (look->lane != LANE_LOOK || look->unasked))
		look = look->next_out;
	return work && work->number <= lesson_of(m)->awaited ? work : look ? look : probe;
}

static bool is_busy(const struct model *m)
{
	const struct lesson *l = lesson_of(m);
	return l->at_work || l->next < commands_end(l);
}

/* Is a view still animating something that the current step began? */
static bool is_moving(const struct model *m)
{
	const struct lesson *l = lesson_of(m);
	/* Commands of earlier steps are rerun, but without waiting for their animations. */
	bool moving = false;
	for (const struct view *const *v = shell_views(m); *v; v++)
		moving = moving || ((*v)->moving && (*v)->moving(m));
	return moving && l->next > (l->step ? l->script.steps[l->step - 1].commands_end : 0);
}

/* Returns from wherever the user looked meanwhile: a command must run in its own view. */
static void come_back(struct model *m)
{
	if (shell_view(m) != lesson_of(m)->view)
		shell_show_view(m, lesson_of(m)->view);
}

static bool begins_step(const struct lesson *l)
{
	for (size_t i = 0; i <= l->step; i++)
		if (l->next == (i ? l->script.steps[i - 1].commands_end : 0))
			return true;
	return false;
}

bool lesson_go_on(struct model *m)
{
	struct lesson *l = lesson_of(m);
	if (!lesson_plays(m))
		return false;
	/* Attribute a job that fails meanwhile to the current command, unless a flaw is shown, which
	   is meant to make jobs fail. */
	const bool failed = m->job_failures != l->job_failures && !m->flaws.own;
	l->job_failures = m->job_failures;
	if (l->at_work && failed)
		fail_command(m);
	if (l->at_work && !awaited(m) && !is_moving(m)) {
		if (shell_view(m)->print)
			l->view = shell_view(m); /* the command has printed something */
		l->at_work = NULL;
		model_hush(m); /* its messages are not for the reader */
	}
	if (awaited(m) || is_moving(m))
		return false;
	if (l->next >= commands_end(l)) {
		const bool changed = quiz_go_on(m);
		if (l->goes_on && !m->message.error) {
			model_note(m, "Going on from step %zu of %zu. Press y to begin anew.",
			           l->step + 1, l->script.step_count);
			shell_offer(m, "lesson-anew");
		}
		l->goes_on = false;
		l->now.step = l->step;
		lesson_place_keep(m);
		return changed;
	}
	const uint64_t before = m->last_job;
	come_back(m);
	if (begins_step(l))
		shell_plain(m);
	l->at_work = &l->script.commands[l->next++];
	l->since = m->now;
	line_run_of_file(m, l->at_work->text);
	l->view = shell_view(m);
	for (const struct job *job = m->jobs; job; job = job->next_out)
		if (job->lane == LANE_WORK && job->number > before)
			l->awaited = job->number;
	if (l->at_work && m->message.error)
		fail_command(m);
	return true;
}

/* ---- steps ---- */

/* Reruns every command up to this step, from the initial view and board. */
static void start_over(struct model *m, size_t step)
{
	struct lesson *l = lesson_of(m);
	m->flipped = l->was_flipped;
	m->in_moves = l->was_in_moves;
	l->step = step;
	quiz_forget(m);
	l->next = 0;
	l->at_work = NULL;
	shell_home(m);
	l->view = shell_view(m);
	shell_plain(m);
}

/* From the first step, with no question answered. */
static void begin_anew(struct model *m)
{
	struct lesson *l = lesson_of(m);
	if (l->now.path)
		memset(l->now.answers, '.', l->script.step_count);
	l->goes_on = false;
	start_over(m, 0);
}

static void lesson_stop(struct model *m)
{
	quiz_forget(m);
	overlay_uncover(m);
	flaw_end(m);
	lesson_of(m)->presented_state = -1; /* the next text may have the address of the last */
	script_free(&lesson_of(m)->script);
	lesson_of(m)->at_work = NULL;
}

void lesson_play(struct model *m, const struct script *script, const char *path, const char *file,
                 bool anew)
{
	struct lesson *l = lesson_of(m);
	lesson_stop(m);
	lesson_place_begin(m, path, script);
	l->script = *script;
	l->was_flipped = m->flipped;
	l->was_in_moves = m->in_moves;
	l->job_failures = m->job_failures;
	l->awaited = m->last_job; /* it may show what is being made */
	l->since = m->now;
	snprintf(l->file, sizeof l->file, "%s", file);
	l->goes_on = l->now.step;
	if (anew)
		begin_anew(m);
	else
		start_over(m, l->now.step);
}

/* The next step's commands wait for those in progress; animations jump to their end. From elsewhere
   it leads back to an open question first. */
static void next_step(struct model *m)
{
	struct lesson *l = lesson_of(m);
	char file[PATH_MAX], score[48];
	if (!is_busy(m) || is_moving(m))
		come_back(m);
	if (quiz_is_open(m))
		return;
	if (!is_busy(m) || is_moving(m))
		shell_plain(m);
	quiz_forget(m);
	if (l->step + 1 < l->script.step_count) {
		l->step++;
		return;
	}
	const bool scored = l->now.path && lesson_score(l->now.answers, score, sizeof score);
	model_note(m, "That was the last step. %s%sPress Enter to play the next lesson.",
	           scored ? score : "", scored ? " questions right at the first try. " : "");
	l->now.finished = true;
	l->now.step = 0;
	lesson_place_keep(m);
	snprintf(file, sizeof file, "%s", lesson_file_of(l->file));
	lesson_stop(m);
	shell_show(m, VIEW_LESSON);
	lesson_select_next(m, file);
}

static void step_before(struct model *m)
{
	start_over(m, lesson_of(m)->step - 1);
}

static const char *no_lesson(const struct model *m)
{
	return lesson_plays(m) ? NULL : "No lesson is playing. Press L to choose one.";
}

static const char *no_next_step(const struct model *m)
{
	return quiz_is_open(m) && shell_view(m) == lesson_of(m)->view
	               ? "Answer the question first, or press PgDn to see the answer."
	               : no_lesson(m);
}

static const char *no_step_before(const struct model *m)
{
	const char *why = no_lesson(m);
	return why || lesson_of(m)->step ? why : "This is the lesson's first step.";
}

static void show_note(struct model *m)
{
	model_note(m, "Note: %s", lesson_of(m)->script.steps[lesson_of(m)->step].note);
}

static const char *no_note(const struct model *m)
{
	const struct lesson *l = lesson_of(m);
	return !lesson_plays(m)                ? no_lesson(m)
	       : l->script.steps[l->step].note ? NULL
	                                       : "This step has no note.";
}

void lesson_end(struct model *m)
{
	const struct lesson *l = lesson_of(m);
	if (l->now.path && l->now.step)
		model_note(m, "The lesson '%s' will go on from step %zu of %zu.", l->script.title,
		           l->now.step + 1, l->script.step_count);
	else
		model_note(m, "The lesson '%s' has ended.", l->script.title);
	lesson_stop(m);
}

static const struct binding bindings[] = {
	KEY({'n', K_PAGE_DOWN}, "lesson-next", "next", "go to the lesson's next step",
            .run = next_step, .disabled = no_next_step),
	KEY({'N', K_PAGE_UP}, "lesson-back", "previous", "go to the lesson's previous step",
            .run = step_before, .disabled = no_step_before),
	KEY({'!'}, "lesson-note", NULL, "show the note for whoever presents the lesson",
            .run = show_note, .disabled = no_note),
	KEY({0}, "lesson-answer", NULL, "in a question: choose a square, mark it, or answer",
            .typed = "Enter"),
	KEY({0}, "lesson-grade", NULL, "in a question: grade the squares that are marked",
            .typed = "g"),
	KEY({0}, "lesson-tell", NULL, "in a question: show the answer", .typed = "PgDn"),
	KEY({0}, "lesson-anew", NULL, "begin the lesson anew", .run = begin_anew,
            .disabled = no_lesson, .typed = ":lesson-anew"),
	KEY({0}, "lesson-end", NULL, "end the lesson", .run = lesson_end, .disabled = no_lesson,
            .typed = ":lesson off"),
	{.name = NULL},
};

/* ---- the pane ---- */

enum { TEXT_AT = 2, MARGINS = 4 };

/* Text is not stretched across wide screens, where long rows are hard to read, except before an
   audience, to leave rows for the board. */
static int text_cols(const struct model *m, int cols)
{
	return cols - MARGINS < LESSON_COLS || shell_projects(m) ? cols - MARGINS : LESSON_COLS;
}

/* The rows that a screen can spare; LESSON_ROWS leave the 80 x 24 board its size. Where rows are
   short, a question may take more and shrink the board to its minimum. */
static int rows_max(int rows, int cols, bool asks)
{
	enum { TALL = 30, NARROW_MAX = 6, NARROW_ASKS = 2 };
	int most = rows / 3;
	if (rows >= TALL)
		return LESSON_ROWS + 2;
	if (cols >= LESSON_COLS + MARGINS)
		return LESSON_ROWS < most ? LESSON_ROWS : most;
	return (NARROW_MAX < most ? NARROW_MAX : most) + (asks ? NARROW_ASKS : 0);
}

/* The same for all steps, so that nothing moves; with a heading if there is room. */
static int strip_rows(const struct model *m, int rows, int cols)
{
	const struct script *s = &lesson_of(m)->script;
	const int text = text_cols(m, cols);
	int least = 0;
	bool asks = false;
	for (size_t i = 0; i < s->step_count && text > 0; i++) {
		const struct lesson_step *step = &s->steps[i];
		const int needed =
			1 + paragraphs_rows(step->text, text) + quiz_rows(&step->ask, text);
		least = needed > least ? needed : least;
		asks = asks || step->ask.kind;
	}
	const int most = rows_max(rows, cols, asks);
	return least < most ? least : most;
}

/* "What a table is  3/14", or a part of it. */
static void draw_place(const struct model *m, struct pane p, int y, int from)
{
	const struct lesson *l = lesson_of(m);
	char what[128], place[160], text[LESSON_COLS + 176];
	const bool waits = is_busy(m);
	/* "waiting: building KQvKR, 12 s; press X to stop it  "; empty if not waiting. */
	const struct job *job = awaited(m);
	const long long seconds = (m->now - l->since) / 1000;
	if (!is_busy(m))
		what[0] = '\0';
	else if (job && job->lane != LANE_PROBE)
		snprintf(what, sizeof what, "waiting: %s, %lld s; press X to stop it  ", job->title,
		         seconds);
	else
		snprintf(what, sizeof what, "working  ");
	snprintf(place, sizeof place, "%s%zu/%zu", what, l->step + 1, l->script.step_count);
	if (waits && from + utf8_length(place) > p.cols) /* the text goes first */
		snprintf(place, sizeof place, "waiting  %zu/%zu", l->step + 1,
		         l->script.step_count);
	snprintf(text, sizeof text, "%s  %s", l->script.title, place);
	enum role role = waits ? ROLE_BUSY : ROLE_DIM;
	if (from + utf8_length(text) <= p.cols)
		pane_text(p, y, from ? p.cols - utf8_length(text) : 0, role, text);
	else if (from + utf8_length(place) <= p.cols || waits)
		pane_right(p, y, p.cols, role, place);
}

static void draw(const struct model *m, struct pane p)
{
	const struct lesson_step *step = &lesson_of(m)->script.steps[lesson_of(m)->step];
	uint32_t bar = p.canvas->ascii ? '|' : 0x2503;
	const int answer = quiz_rows(&step->ask, text_cols(m, p.cols));
	struct pane text = pane_sub(p, 0, TEXT_AT, p.rows - answer, text_cols(m, p.cols));
	bool has_heading = paragraphs_rows(step->text, text.cols) < text.rows;
	pane_fill(p, ROLE_LESSON);
	if (!quiz_is_open(m))
		pane_zone(p, ZONE_KEY, K_PAGE_DOWN);
	for (int y = 0; y < p.rows && !shell_projects(m); y++)
		pane_put(p, y, 0, ROLE_HINT_KEY, bar);
	if (has_heading)
		draw_place(m, text, 0, 0);
	int end = paragraphs_draw(pane_from(text, has_heading), ROLE_STRONG, step->text);
	const struct pane below = pane_sub(p, p.rows - answer, TEXT_AT, answer, text.cols);
	if (!has_heading && answer && is_busy(m)) /* the question comes after the wait */
		draw_place(m, below, 0, 0);
	else if (!has_heading)
		draw_place(m, text, text.rows - 1, end + 2);
	quiz_draw(m, below);
}

const struct strip lesson_strip = {
	.heading = "Everywhere, while a lesson plays",
	.rows = strip_rows,
	.draw = draw,
	.bindings = bindings,
	.update = quiz_update,
	.takes_key = quiz_takes_key,
	.leave = lesson_end,
	.at_home = "This is the first screen. Press q to end the lesson.",
};
