/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames: a study as a graph, frame by frame. */
#include "frames.h"

#include "core/probe/probe.h"
#include "tui/shell/line.h"
#include "tui/views/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

OWN_STATE(, frames, struct frames);

/* ---- which frame ---- */

static void go(struct model *m, const struct el_position *position)
{
	struct frames *x = frames_of(m);
	question_change(m, &x->ask);
	x->position = *position;
	el_graph_view_free(&x->view);
	free(x->values);
	x->values = NULL;
	x->list = (struct list){0};
	x->why[0] = '\0';
}

/* Takes up a position and the study that covers it; the way to it begins there. */
static void begin(struct model *m, const struct el_game *game, const struct el_position *position)
{
	struct frames *x = frames_of(m);
	const struct el_position p = *position;
	char *path = el_library_study(m->library, game, &p);
	if (!path || !x->path || strcmp(path, x->path) || x->tables != m->tables_version) {
		el_graph_close(x->graph);
		x->graph = NULL;
	}
	free(x->path);
	x->path = path;
	x->tables = m->tables_version;
	x->game = game;
	x->steps = 0;
	go(m, &p);
	if (!path)
		snprintf(x->why, sizeof x->why,
		         "No study covers this position. Explore it and press b to solve it.");
}

/* Keeps the frame shown until Explore's position changes. */
static void enter(struct model *m)
{
	struct frames *x = frames_of(m);
	const struct el_game *game = play_game(m);
	const struct el_position *p = play_position(m);
	if (x->from_game == game && el_position_equal(&x->from, p) &&
	    x->tables == m->tables_version)
		return;
	x->from = *p;
	x->from_game = game;
	begin(m, game, p);
}

static bool run_line(struct model *m, const char *text)
{
	const struct el_game *game;
	struct el_position position;
	struct el_error error;
	if (!el_position_is_meant(text))
		return false;
	if (model_read(m, text, &game, &position, &error) || game->check(&position, &error))
		model_fail(m, "%s", error.text);
	else
		begin(m, game, &position);
	return true;
}

static void write_lines(const struct model *m, FILE *out)
{
	char fen[EL_FEN_MAX];
	if (!frames_of(m)->game)
		return;
	frames_of(m)->game->format(&frames_of(m)->position, fen);
	fprintf(out, "frames %s\n", fen);
}

/* ---- looking: a job ---- */

struct frames_job {
	struct job job;
	const struct el_game *game;
	struct el_position position;
	char *path;                /* owned */
	struct el_graph *graph;    /* owned until it is taken; null: not opened yet */
	struct el_graph_view view; /* the same */
	struct el_value value, *values;
};

static struct el_value value_of(struct job *job, const struct el_game *game,
                                const struct el_position *p)
{
	struct el_value v = {.outcome = EL_UNKNOWN};
	if (el_library_value(job->library, game, p, &el_wdl, EL_PROBE_FULL, &v, NULL))
		v.outcome = EL_UNKNOWN;
	return v;
}

static void look_run(struct job *job, const struct el_watch *watch)
{
	struct frames_job *j = (struct frames_job *)job;
	if (!j->graph)
		job->status = el_graph_open(j->path, &j->graph, &job->error);
	if (!job->status)
		job->status = el_graph_look(j->graph, &j->position, watch, &j->view, &job->error);
	if (job->status)
		return;
	j->value = value_of(job, j->game, &j->position);
	j->values = calloc(j->view.after_count + 1, sizeof *j->values);
	for (size_t i = 0; i < j->view.after_count && j->values; i++)
		j->values[i] = value_of(job, j->game, &j->view.after[i].position);
	if (!j->values)
		job->status = el_fail(&job->error, EL_MEMORY, "out of memory");
}

static void look_done(struct model *m, struct job *job)
{
	struct frames *x = frames_of(m);
	struct frames_job *j = (struct frames_job *)job;
	if (!x->graph && x->path && !strcmp(x->path, j->path)) {
		x->graph = j->graph;
		j->graph = NULL;
	}
	if (!question_answer(&x->ask, job))
		return;
	if (job->status) {
		snprintf(x->why, sizeof x->why, "%.*s", (int)sizeof x->why - 1, job->error.text);
		return;
	}
	x->root = *el_graph_root(x->graph);
	x->view = j->view;
	x->from_root = x->steps ? x->from_root : x->view.is_root;
	x->value = j->value;
	x->values = j->values;
	j->view = (struct el_graph_view){.frames = 0};
	j->values = NULL;
	x->list.count = (int)x->view.after_count;
	list_set(&x->list, x->row[x->steps]);
	x->row[x->steps] = 0;
}

static void look_free(struct job *job)
{
	struct frames_job *j = (struct frames_job *)job;
	el_graph_close(j->graph);
	el_graph_view_free(&j->view);
	free(j->values);
	free(j->path);
	free(j);
}

static void ask(struct model *m)
{
	struct frames *x = frames_of(m);
	if (!shell_is_shown(m, VIEW_FRAMES) || !x->path || x->why[0] || !question_is_open(&x->ask))
		return;
	struct frames_job *j = model_new_job(m, sizeof *j, LANE_LOOK, "reading frames", look_run,
	                                     look_done, look_free);
	if (!j)
		return;
	j->game = x->game;
	j->position = x->position;
	j->path = strdup(x->path);
	if (!j->path) {
		look_free(&j->job);
		return;
	}
	j->graph = x->graph;
	x->graph = NULL;
	question_ask(m, &x->ask, &j->job);
}

static void close_frames(struct model *m)
{
	struct frames *x = frames_of(m);
	el_graph_view_free(&x->view);
	el_graph_close(x->graph);
	free(x->values);
	free(x->path);
}

/* ---- keys ---- */

static const char *nothing(const struct model *m)
{
	const struct frames *x = frames_of(m);
	return x->why[0] ? x->why : !x->ask.known ? "The frames are still being read." : NULL;
}

static const char *no_step(const struct model *m)
{
	const struct frames *x = frames_of(m);
	const char *why = nothing(m);
	return why                                 ? why
	       : !x->list.count                    ? "No move leads out of this frame."
	       : x->steps == WAY_MAX - 1           ? "The way can go no further."
	       : x->view.after[x->list.at].is_open ? "The study does not follow this promotion."
	                                           : NULL;
}

static void go_in(struct model *m)
{
	struct frames *x = frames_of(m);
	const struct el_graph_step *s = &x->view.after[x->list.at];
	const struct el_position to = s->position;
	x->way[x->steps] = x->position;
	x->row[x->steps] = x->list.at;
	frames_move(s, x->said[x->steps]);
	x->row[++x->steps] = 0;
	go(m, &to);
}

static const char *no_way_back(const struct model *m)
{
	return frames_of(m)->steps ? NULL : "This is where the way begins.";
}

static void go_back(struct model *m)
{
	struct frames *x = frames_of(m);
	const struct el_position to = x->way[--x->steps];
	go(m, &to);
}

static void go_to_root(struct model *m)
{
	const struct el_position root = frames_of(m)->root;
	begin(m, frames_of(m)->game, &root);
}

static void show_passes(struct model *m)
{
	char fen[EL_FEN_MAX], line[EL_FEN_MAX + 8];
	frames_of(m)->game->format(&frames_of(m)->position, fen);
	snprintf(line, sizeof line, "teach %s", fen);
	line_run(m, line);
}

static void explore_this(struct model *m)
{
	const struct el_position p = frames_of(m)->position;
	if (play_set(m, frames_of(m)->game, &p))
		shell_visit(m, VIEW_EXPLORE);
}

static bool update(struct model *m, const struct event *e)
{
	if (e->kind != EVENT_CLICK || e->zone.kind != ZONE_ITEM ||
	    e->zone.value != frames_of(m)->list.at || no_step(m))
		return false;
	go_in(m);
	return true;
}

static void row(const struct model *m, int at, char *out, size_t size)
{
	char move[EL_MOVE_MAX + 4];
	frames_move(&frames_of(m)->view.after[at], move);
	snprintf(out, size, "%s", move);
}

static const struct el_game *position(const struct model *m, struct el_position *out)
{
	*out = frames_of(m)->position;
	return frames_of(m)->game;
}

static void subject(const struct model *m, char *out, size_t size)
{
	const struct frames *x = frames_of(m);
	const char *slash = x->path ? strrchr(x->path, '/') : NULL;
	const char *name = slash ? slash + 1 : x->path ? x->path : "";
	snprintf(out, size, "%.*s%sframes", (int)strcspn(name, "-."), name, *name ? "  " : "");
}

static const struct binding bindings[] = {
	KEY({K_ENTER, K_RIGHT}, "enter-frame", "enter", "enter the frame that the move leads to",
            .run = go_in, .disabled = no_step),
	KEY({K_BACKSPACE, K_LEFT}, "frame-before", "back", "go back to the frame before",
            .run = go_back, .disabled = no_way_back),
	KEY({'p', ' '}, "see-passes", "passes",
            "show in Teach how the frame was solved, pass by pass", .run = show_passes,
            .disabled = nothing),
	KEY({'r'}, "root", "root", "go to the root of the study", .run = go_to_root,
            .disabled = nothing),
	KEY({'e'}, "explore-frame", "explore", "explore the position shown", .run = explore_this,
            .disabled = nothing),
	{{'f'}, "flip", "flip", "turn the board around", .run = shell_flip},
	{.name = NULL},
};

const struct view frames_view = {
	.name = "Frames",
	.summary = "a study as a graph: which move leads where",
	.state = &frames_state,
	.bindings = bindings,
	.update = update,
	.line = run_line,
	.draw = frames_draw,
	.enter = enter,
	.list = {&frames_state, offsetof(struct frames, list)},
	.row = row,
	.subject = subject,
	.position = position,
	.lines = write_lines,
	.close = close_frames,
	.ask = ask,
};
