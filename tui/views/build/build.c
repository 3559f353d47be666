/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Build: which tables exist, which to make, and what those depend on. */
#include "tui/shell/line.h"
#include "tui/text/text.h"
#include "tui/views/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A slice that can be built. */
struct build_row {
	struct el_slice slice;
	bool marked;
	bool built;
	bool verified;
	uint64_t memory; /* peak bytes while solving; 0 if it is built */
};

/* One game's slices: first that of the board, then all with up to so many pieces; and the plan for
   the marked ones. */
struct build {
	struct build_row *rows; /* owned; list.count of them */
	const struct el_game *game;
	unsigned group;                /* the greatest listed: of pieces, or what the game counts */
	const struct el_game *visited; /* explored when the view was last entered; initially null */
	uint64_t board;                /* the key of the board's slice when it was listed */
	struct list list;
	struct el_plan plan; /* for the marked slices; owned */
	struct question ask; /* about `built`, `memory` and `plan` */
};

OWN_STATE(static, build, struct build);

/* ---- rows ---- */

static struct build_row *row_at(const struct model *m, int i)
{
	return &build_of(m)->rows[i];
}

static struct build_row *selected(const struct model *m)
{
	return row_at(m, build_of(m)->list.at);
}

/* Lists a game's slices with up to `group` pieces. What is known of those already listed stays. */
static void list_game(struct model *m, const struct el_game *game, unsigned group)
{
	struct build *b = build_of(m);
	struct el_slice *slices = NULL, board;
	struct build_row *rows = NULL;
	size_t count = 0, room = 1;
	const bool has_board =
		game == play_game(m) && !game->slice_of(play_position(m), &board, NULL);
	for (unsigned g = game->group_min; g <= group; g++)
		room += game->slices(g, NULL, 0);
	slices = malloc(room * sizeof *slices);
	rows = calloc(room, sizeof *rows);
	if (!slices || !rows) {
		free(slices);
		free(rows);
		model_fail(m, "out of memory");
		return;
	}
	if (has_board)
		slices[count++] = board;
	for (unsigned g = game->group_min; g <= group; g++)
		count += game->slices(g, slices + count, room - count);
	int used = 0;
	for (size_t i = 0; i < count; i++) {
		if (has_board && i && el_slice_equal(&slices[i], &board))
			continue;
		rows[used].slice = slices[i];
		for (int old = 0; old < b->list.count; old++)
			if (el_slice_equal(&b->rows[old].slice, &slices[i]))
				rows[used] = b->rows[old];
		used++;
	}
	free(slices);
	free(b->rows);
	b->rows = rows;
	b->game = game;
	b->group = group;
	b->board = has_board ? board.key : 0;
	b->list = (struct list){.count = used};
	question_change(m, &b->ask);
}

static void close_rows(struct model *m)
{
	free(build_of(m)->rows);
	el_plan_free(&build_of(m)->plan);
}

/* ---- which tables exist, and the plan for the marked slices: a job ---- */

struct plan_job {
	struct job job;
	struct build_row *rows; /* owned: a copy, filled in */
	size_t count;
	struct el_plan plan; /* owned */
};

static enum el_status plan_rows(struct plan_job *j, bool all, struct el_plan *plan)
{
	struct el_slice *slices = malloc((j->count + 1) * sizeof *slices);
	size_t count = 0;
	if (!slices)
		return el_fail(&j->job.error, EL_MEMORY, "out of memory");
	for (size_t i = 0; i < j->count; i++)
		if (all || j->rows[i].marked)
			slices[count++] = j->rows[i].slice;
	const struct el_plan_wish wish = {
		.slices = slices, .count = count, .proves = EL_PROVE_CHEAP};
	enum el_status status = el_plan_wished(j->job.library, &wish, plan, &j->job.error);
	free(slices);
	return status;
}

static void plan_run(struct job *job, const struct el_watch *watch)
{
	struct plan_job *j = (struct plan_job *)job;
	struct el_plan missing = {0};
	struct el_entry *entries = NULL;
	size_t count = 0;
	(void)watch;
	job->status = plan_rows(j, true, &missing);
	if (!job->status)
		job->status = plan_rows(j, false, &j->plan);
	if (!job->status)
		job->status = el_plan_estimate(job->library, &j->plan, &job->error);
	if (!job->status)
		job->status = el_library_list(job->library, &entries, &count, &job->error);
	for (size_t i = 0; i < j->count && !job->status; i++) {
		struct build_row *row = &j->rows[i];
		row->memory = 0;
		for (size_t k = 0; k < missing.count; k++)
			if (el_slice_equal(&missing.tasks[k].slice, &row->slice))
				row->memory = missing.tasks[k].bytes;
		row->built = !row->memory;
		row->verified = false;
		for (size_t k = 0; k < count && row->built; k++)
			row->verified |= entries[k].ours && entries[k].here &&
			                 entries[k].metric == el_game_metric(row->slice.game) &&
			                 el_slice_equal(&entries[k].slice, &row->slice) &&
			                 el_summary_holds(&entries[k].summary);
	}
	el_entries_free(entries, count);
	el_plan_free(&missing);
}

static void plan_done(struct model *m, struct job *job)
{
	struct plan_job *j = (struct plan_job *)job;
	struct build *b = build_of(m);
	if (!question_answer(&b->ask, job))
		return;
	if (job->status) {
		model_fail(m, "%s", job->error.text);
		return;
	}
	free(b->rows);
	el_plan_free(&b->plan);
	b->rows = j->rows;
	b->plan = j->plan;
	j->rows = NULL;
	j->plan = (struct el_plan){0};
}

static void plan_free(struct job *job)
{
	struct plan_job *j = (struct plan_job *)job;
	free(j->rows);
	el_plan_free(&j->plan);
	free(job);
}

static void ask(struct model *m)
{
	struct build *b = build_of(m);
	question_follow_tables(m, &b->ask);
	if (!shell_is_shown(m, VIEW_BUILD) || !question_is_open(&b->ask))
		return;
	const size_t count = (size_t)b->list.count;
	struct plan_job *j =
		model_new_job(m, sizeof *j, LANE_PROBE, "planning", plan_run, plan_done, plan_free);
	struct build_row *rows = j ? malloc((count + 1) * sizeof *rows) : NULL;
	if (!rows) {
		free(j);
		model_fail(m, "out of memory");
		return;
	}
	memcpy(rows, b->rows, count * sizeof *rows);
	j->rows = rows;
	j->count = count;
	question_ask(m, &b->ask, &j->job);
}

/* ---- what the keys do ---- */

static void mark(struct model *m)
{
	struct build *b = build_of(m);
	selected(m)->marked = !selected(m)->marked;
	list_set(&b->list, b->list.at + 1);
	question_change(m, &build_of(m)->ask);
}

/* Marks all missing slices, or none if all of them are marked. */
static void mark_all(struct model *m)
{
	struct build *b = build_of(m);
	bool marks = false;
	for (int i = 0; i < b->list.count; i++)
		marks = marks || (!row_at(m, i)->built && !row_at(m, i)->marked);
	for (int i = 0; i < b->list.count; i++)
		row_at(m, i)->marked = marks && !row_at(m, i)->built;
	question_change(m, &build_of(m)->ask);
}

static const char *built_already(const struct model *m)
{
	return selected(m)->built ? "This table is already built." : NULL;
}

static const char *all_built(const struct model *m)
{
	const struct build *b = build_of(m);
	for (int i = 0; i < b->list.count; i++)
		if (!row_at(m, i)->built)
			return NULL;
	return "All these tables are built.";
}

static bool any_marked(const struct model *m)
{
	const struct build_row *rows = build_of(m)->rows;
	for (int i = 0; i < build_of(m)->list.count; i++)
		if (rows[i].marked && !rows[i].built)
			return true;
	return false;
}

static void start(struct model *m)
{
	struct build *b = build_of(m);
	struct el_slice *slices = malloc(((size_t)b->list.count + 1) * sizeof *slices);
	size_t count = 0;
	if (!slices) {
		model_fail(m, "out of memory");
		return;
	}
	for (int i = 0; i < b->list.count; i++)
		if (b->rows[i].marked && !b->rows[i].built)
			slices[count++] = b->rows[i].slice;
	if (!count)
		slices[count++] = selected(m)->slice;
	build_start(m, slices, count, NULL);
	for (int i = 0; i < b->list.count; i++)
		b->rows[i].marked = false;
	question_change(m, &build_of(m)->ask);
	free(slices);
}

static const char *nothing_to_build(const struct model *m)
{
	if (any_marked(m))
		return NULL;
	return build_is_asked(&m->builds, &selected(m)->slice) ? "It is already being built."
	                                                       : built_already(m);
}

static void change_preset(struct model *m)
{
	m->builds.preset = m->builds.preset % (EL_PRESETS - 1) + 1;
	model_note(m, "New tables will be %s.", el_preset_names[m->builds.preset]);
}

static void explore_slice(struct model *m)
{
	line_slice(m, &selected(m)->slice);
}

static void change_game(struct model *m)
{
	const struct el_game *game = next_game(build_of(m)->game);
	list_game(m, game, game->group_few);
}

static void change_group(struct model *m, int by)
{
	const struct build *b = build_of(m);
	list_game(m, b->game, b->group + (unsigned)by);
}

static const char *no_group(const struct model *m, int by)
{
	const struct build *b = build_of(m);
	return by > 0 && b->group >= b->game->group_max   ? "There are no larger slices."
	       : by < 0 && b->group <= b->game->group_min ? "There are no smaller slices."
	                                                  : NULL;
}

/* Lists the explored game, and the board's slice, if they have changed since the last visit. */
static void enter(struct model *m)
{
	struct build *b = build_of(m);
	const struct el_game *game = play_game(m);
	struct el_slice board;
	const uint64_t key = game->slice_of(play_position(m), &board, NULL) ? 0 : board.key;
	if (b->visited != game || (b->game == game && b->board != key))
		list_game(m, game, b->visited == game ? b->group : game->group_few);
	b->visited = game;
}

/* ---- drawing ---- */

enum { NAME_AT = 3, MEMORY_BEHIND = 18 };

/* The column that says whether there is a table. */
static int state_at(const struct model *m)
{
	enum { NAME_COLS_MIN = 8 };
	int cols = NAME_COLS_MIN;
	for (int i = 0; i < build_of(m)->list.count; i++)
		if ((int)strlen(row_at(m, i)->slice.name) > cols)
			cols = (int)strlen(row_at(m, i)->slice.name);
	return NAME_AT + cols + 1;
}

static int memory_end(const struct model *m)
{
	return state_at(m) + MEMORY_BEHIND;
}

static void draw_row(const struct model *m, struct pane p, int i)
{
	const struct build_row *row = row_at(m, i);
	char size[16];

	pane_text(p, 0, 1, ROLE_STRONG, row->marked ? "*" : " ");
	pane_text(p, 0, NAME_AT, ROLE_TEXT, row->slice.name);

	if (row->built)
		pane_text(p, 0, state_at(m), ROLE_WIN, row->verified ? "verified" : "built");
	else if (row->memory)
		pane_text(p, 0, state_at(m), ROLE_DIM, "missing");
	if (row->memory)
		pane_right(p, 0, memory_end(m), ROLE_TEXT, bytes_text(row->memory, size));
}

/* Down the columns in build order; then the slices that are only read. */
static void draw_tasks(const struct el_plan *plan, struct pane p)
{
	const size_t all = plan->count + plan->loan_count;
	int width = 12;
	for (size_t i = 0; i < plan->count; i++) {
		int needed = (int)strlen(plan->tasks[i].slice.name) + 5;
		width = needed > width ? needed : width;
	}
	for (size_t i = 0; i < all && p.rows > 0; i++) {
		const int x = (int)i / p.rows * width, y = (int)i % p.rows;
		if (x + width > p.cols)
			return;
		if (i < plan->count)
			pane_print(p, y, x, ROLE_TEXT, "%2zu %s", i + 1, plan->tasks[i].slice.name);
		else
			pane_print(p, y, x, ROLE_DIM, " - %s",
			           plan->loans[i - plan->count].slice.name);
	}
}

static void draw_plan(const struct model *m, struct pane p)
{
	const struct el_plan *plan = &build_of(m)->plan;
	const struct el_table_options how = el_table_options_preset(m->builds.preset);
	char summary[PLAN_SUMMARY_MAX], proofs[PLAN_COST_MAX];
	if (!any_marked(m)) {
		pane_wrap(p, 0, ROLE_DIM,
		          "Press space to mark a slice; those that it depends on are added.");
		return;
	}
	if (!plan->count) {
		pane_text(p, 0, 0, ROLE_DIM, "Planning...");
		return;
	}
	int y = pane_print_wrapped(pane_sub(p, 0, 0, 4, p.cols), 0, ROLE_STRONG, "%s%s%s",
	                           plan_summary(plan, &how, summary), plan_proofs(plan, proofs),
	                           plan_proviso(&how));
	if (plan->loan_count)
		y += pane_print_wrapped(pane_sub(p, y, 0, 2, p.cols), 0, ROLE_DIM,
		                        "%zu more (-) %s read from other programs' tables",
		                        plan->loan_count, plural(plan->loan_count, "is", "are"));
	y = y > 2 ? y : 2;
	draw_tasks(plan, pane_from(p, y));
}

static void draw_work(const struct model *m, struct pane p)
{
	static const struct job_progress none = {0};
	const struct job *job = model_job(m, LANE_WORK);
	const struct job_progress *w = job ? model_progress_of(m, job->number) : NULL;
	char amount[GROUPED_MAX], left[PLAN_COST_MAX];
	if (!job)
		return;
	w = w ? w : &none;
	pane_text(p, 0, 0, ROLE_BUSY, job->title);
	char text[256];
	int used = snprintf(text, 160, "%s %s", w->stage ? w->stage : "starting", w->what);
	used = used < 160 ? used : 159;
	if (w->unit && strcmp(w->unit, "tables")) /* those are counted below */
		used += snprintf(text + used, 64, "  %s %s", grouped((uint64_t)w->done, amount),
		                 w->unit);
	if (w->pass)
		snprintf(text + used, 32, "  pass %u", w->pass);
	pane_text(p, 1, 0, ROLE_TEXT, text);
	pane_progress(pane_row(p, 2), w->done, w->total);
	if (w->overall.of)
		pane_print(p, 3, 0, ROLE_DIM, "%zu of %zu tables done  %s", w->overall.done,
		           w->overall.of, overall_left(&w->overall, left));
	else if (w->tables)
		pane_print(p, 3, 0, ROLE_DIM, "%u %s done", w->tables,
		           plural(w->tables, "table", "tables"));
}

static void draw(const struct model *m, struct pane p)
{
	const struct build *b = build_of(m);
	pane_text(p, 0, NAME_AT, ROLE_DIM, "slice");
	pane_text(p, 0, state_at(m), ROLE_DIM, "table");
	pane_right(p, 0, memory_end(m) - 1, ROLE_DIM, "memory");
	int side_x = memory_end(m) + 4;
	shell_draw_list(m, &b->list, pane_sub(p, 1, 0, p.rows - 1, side_x - 2), draw_row);
	struct pane side = pane_sub(p, 0, side_x, p.rows, p.cols - side_x);
	draw_plan(m, pane_sub(side, 0, 0, side.rows - 6, side.cols));
	pane_wrap(pane_sub(side, side.rows - 6, 0, 2, side.cols), 0, ROLE_DIM,
	          preset_text(m->builds.preset));
	draw_work(m, pane_sub(side, side.rows - 4, 0, 4, side.cols));
}

static void row_text(const struct model *m, int row, char *out, size_t size)
{
	snprintf(out, size, "%s", row_at(m, row)->slice.name);
}

static void subject(const struct model *m, char *out, size_t size)
{
	int built = 0;
	for (int i = 0; i < build_of(m)->list.count; i++)
		built += row_at(m, i)->built;
	snprintf(out, size, "%s: %s of %s built", build_of(m)->game->name,
	         grouped((uint64_t)built, (char[GROUPED_MAX]){""}),
	         grouped((uint64_t)build_of(m)->list.count, (char[GROUPED_MAX]){""}));
}

static const struct binding bindings[] = {
	KEY({' '}, "mark", "mark", "mark the slice for building", .run = mark,
            .disabled = built_already),
	KEY({'A'}, "mark-all", "all", "mark every slice that is missing", .run = mark_all,
            .disabled = all_built),
	KEY({'b'}, "build-marked", "build", "build the marked slices, or else this one",
            .run = start, .disabled = nothing_to_build),
	KEY({'s'}, "preset", "size", "build usual, fast or small tables, in every view",
            .run = change_preset),
	KEY({'+', '='}, "larger-slices", "larger", "list the next larger slices too",
            .apply = change_group, .argument = 1, .refused = no_group),
	KEY({'-'}, "smaller-slices", NULL, "leave out the largest slices", .apply = change_group,
            .argument = -1, .refused = no_group),
	{{'o'}, "build-game", "game", "list another game's slices", .run = change_game},
	KEY({K_ENTER}, "explore-slice", "explore", "explore a random position of this slice",
            .run = explore_slice),
	{.name = NULL},
};

const struct view build_view = {
	.name = "Build",
	.summary = "which tables to build",
	.key = '5',
	.state = &build_state,
	.bindings = bindings,
	.draw = draw,
	.enter = enter,
	.list = {&build_state, offsetof(struct build, list)},
	.row = row_text,
	.subject = subject,
	.close = close_rows,
	.ask = ask,
};
