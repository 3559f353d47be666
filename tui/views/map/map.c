/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Map: one piece of the position tried on every square, each square marked with what comes of it.
 */
#include "../explore/explore_screen.h"
#include "../../model/window.h"

#include "../../screen/roles.h"

#include <stdio.h>
#include <string.h>

/* ---- the values: a job of up to 64 probes ---- */

struct map_job {
	struct job job;
	unsigned version;
	const struct el_game *game;
	struct el_position position;
	uint8_t piece;
	struct map_values values;
};

/* The finest metric that has a table; all squares have the same material, and so the same one. */
static struct el_value value_of(struct map_job *j, const struct el_position *p)
{
	const struct el_metric *const candidates[] = {el_game_metric(j->game), &el_wdl};
	struct el_value value = {EL_UNKNOWN, 0};
	for (int i = 0; i < 2; i++) {
		if (j->values.metric && j->values.metric != candidates[i])
			continue;
		if (el_library_value(j->job.library, j->game, p, candidates[i], EL_PROBE_FULL,
				     &value, NULL))
			continue;
		j->values.metric = candidates[i];
		return value;
	}
	return (struct el_value){EL_UNKNOWN, 0};
}

static void map_run(struct job *job, const struct el_watch *watch)
{
	struct map_job *j = (struct map_job *)job;
	(void)watch;
	for (uint8_t square = 0; square < MAP_SQUARES; square++) {
		struct el_position p;
		j->values.value[square].outcome = EL_BROKEN;
		if (window_try(&j->position, j->piece, square, &p) && !j->game->check(&p, NULL))
			j->values.value[square] = value_of(j, &p);
	}
}

static void map_done(struct model *m, struct job *job)
{
	struct map_job *j = (struct map_job *)job;
	if (question_answer(&m->map.ask, j->version))
		m->map.values = j->values;
}

static bool is_seen(const struct model *m)
{
	return m->view == &map_view || (m->view == &explore_view && explore_layout(m).map.rows);
}

static void ask(struct model *m)
{
	struct map *map = &m->map;
	if (!is_seen(m) || !question_send(&map->ask))
		return;
	struct map_job *j = model_new_job(m, sizeof *j, LANE_PROBE, "mapping");
	if (!j) {
		map->ask.out = false;
		return;
	}
	j->job.run = map_run;
	j->job.done = map_done;
	j->version = map->ask.version;
	j->game = m->explore.game;
	j->position = map->position;
	j->piece = map->piece;
	model_submit(m, &j->job);
}

static void forget(struct model *m)
{
	question_change(&m->map.ask);
}

/* ---- which piece ---- */

void map_follow(struct model *m)
{
	struct map *map = &m->map;
	const struct explore *x = &m->explore;
	unsigned side, kind;
	map->position = *explore_position(m);
	if (x->at && x->nodes[x->at].move.from == map->piece)
		map->piece = x->nodes[x->at].move.to;
	if (!x->at || !el_piece_at(&map->position, map->piece, &side, &kind))
		map->piece = window_telling_piece(&map->position);
	if (!x->picker.pointing)
		m->explore.picker.cursor = map->piece;
	map->values = (struct map_values){.metric = NULL};
	question_change(&map->ask);
}

static void map_changed(struct model *m)
{
	m->map.values = (struct map_values){.metric = NULL};
	question_change(&m->map.ask);
}

/* ---- what the keys do ---- */

static void take_next_piece(struct model *m)
{
	m->map.piece = m->explore.picker.cursor = window_next_piece(&m->map.position, m->map.piece);
	map_changed(m);
}

static void other_side(struct model *m)
{
	m->map.position.side ^= 1;
	m->map.position.en_passant = EL_NO_SQUARE;
	map_changed(m);
}

static void put(struct model *m)
{
	struct el_position p;
	struct el_error error;
	if (!window_try(&m->map.position, m->map.piece, m->explore.picker.cursor, &p))
		model_fail(m, "another piece stands there");
	else if (m->explore.game->check(&p, &error))
		model_fail(m, "%s", error.text);
	else if (explore_set(m, m->explore.game, &p))
		model_show(m, &explore_view);
}

/* A click on a piece takes it up, on another square puts the cursor there. */
static bool update(struct model *m, const struct event *e)
{
	unsigned side, kind;
	if (e->kind != EVENT_CLICK || e->zone.kind != ZONE_SQUARE)
		return false;
	m->explore.picker.cursor = (uint8_t)e->zone.value;
	if (m->explore.picker.cursor != m->map.piece &&
	    el_piece_at(&m->map.position, m->explore.picker.cursor, &side, &kind)) {
		m->map.piece = m->explore.picker.cursor;
		map_changed(m);
	}
	return true;
}

/* ---- drawing ---- */

static void mark_square(const struct model *m, uint8_t square, struct square_mark *mark)
{
	const struct map_values *v = &m->map.values;
	struct el_value value = v->value[square];
	unsigned depth = depth_shown(value.plies, m->in_moves);
	mark->role = (uint8_t)outcome_mark_role(value.outcome);
	if (value_is_deep(v->metric, value))
		snprintf(mark->text, sizeof mark->text, "%c%u", outcome_mark(value.outcome),
			 depth % 1000);
	else
		snprintf(mark->text, sizeof mark->text, "%c", outcome_mark(value.outcome));
}

void map_draw_board(const struct model *m, struct pane p)
{
	struct square_mark marks[MAP_SQUARES] = {0};
	struct board b = board_plain(m->explore.game, &m->map.position, m->explore.flipped);
	b.scale = explore_layout(m).scale;
	b.picked = m->map.piece;
	if (m->view == &map_view)
		b.cursor = m->explore.picker.cursor;
	for (uint8_t square = 0; m->map.ask.known && square < MAP_SQUARES; square++)
		mark_square(m, square, &marks[square]);
	b.marks = marks;
	board_draw(&b, p);
}

/* How often an outcome comes, and the square of its least and greatest depth. */
struct tally {
	unsigned count;
	uint8_t least, most;
};

static struct tally tally_of(const struct map *map, const struct el_game *game,
                             enum el_outcome outcome)
{
	struct tally t = {.count = 0};
	for (uint8_t square = 0; square < MAP_SQUARES; square++) {
		unsigned file, rank;
		const struct el_value *v = &map->values.value[square];
		if (v->outcome != outcome || !el_square_find(game, square, &file, &rank))
			continue;
		if (!t.count || v->plies < map->values.value[t.least].plies)
			t.least = square;
		if (!t.count || v->plies > map->values.value[t.most].plies)
			t.most = square;
		t.count++;
	}
	return t;
}

/* Short enough for its column. */
static const char *tally_name(enum el_outcome outcome)
{
	return outcome == EL_AT_LEAST_DRAW  ? ">= draw"
	       : outcome == EL_AT_MOST_DRAW ? "<= draw"
	                                    : el_outcome_name(outcome);
}

static void draw_tally(const struct model *m, struct pane p, int y, enum el_outcome outcome)
{
	const struct map *map = &m->map;
	const struct el_game *game = m->explore.game;
	struct tally t = tally_of(map, game, outcome);
	pane_print(p, y, 0, outcome_role(outcome), "%c %s", outcome_mark(outcome),
	           tally_name(outcome));
	pane_print(p, y, 14, ROLE_STRONG, "%3u", t.count);
	if (!t.count || !value_is_deep(map->values.metric, map->values.value[t.least]))
		return;
	char least[4], most[4];
	game->square_name(t.least, least);
	game->square_name(t.most, most);
	/* A square that is a number is not to be taken for a depth. */
	pane_print(p, y, 18, ROLE_TEXT,
	           game->labelled_squares ? "%4u on %-3s %4u on %-3s" : "%4u %-3s   %4u %-3s",
	           depth_shown(map->values.value[t.least].plies, m->in_moves), least,
	           depth_shown(map->values.value[t.most].plies, m->in_moves), most);
}

static void draw_cursor_value(const struct model *m, struct pane p, int y)
{
	const struct map *map = &m->map;
	struct el_value value = map->values.value[m->explore.picker.cursor];
	char name[4], sentence[SENTENCE_MAX] = "";
	struct el_position there;
	struct el_error error;
	m->explore.game->square_name(m->explore.picker.cursor, name);
	int x = pane_print(p, y, 0, ROLE_STRONG, "%s  ", name);
	pane_print(p, y, x, outcome_role(value.outcome), "%s", outcome_words(value.outcome));
	struct pane below = pane_sub(p, y + 1, x, 3, p.cols - x);
	if (value_is_deep(map->values.metric, value))
		pane_wrap(below, 0, ROLE_TEXT,
		          value_sentence(map->values.metric, value, m->in_moves, sentence));
	else if (!window_try(&map->position, map->piece, m->explore.picker.cursor, &there))
		pane_wrap(below, 0, ROLE_DIM, "another piece stands there");
	else if (m->explore.game->check(&there, &error))
		pane_wrap(below, 0, ROLE_DIM, error.text);
}

/* What is tried, and for whom. Returns the rows used. */
static int draw_subject(const struct model *m, struct pane p)
{
	const struct map *map = &m->map;
	const struct el_metric *metric = map->values.metric;
	bool is_deep = metric && metric->has_depth;
	unsigned side, kind;
	char text[96] = "";
	if (el_piece_at(&map->position, map->piece, &side, &kind))
		snprintf(text, sizeof text, "map: the %s %s on every square",
		         side == EL_WHITE ? "white" : "black", m->explore.game->kind_names[kind]);
	int y = pane_wrap(p, 0, ROLE_STRONG, text);
	snprintf(text, sizeof text, "%s to move%s%s", side_name(map->position.side),
	         is_deep ? ", depth in " : "", is_deep ? depth_unit(m->in_moves) : "");
	return y + pane_wrap(p, y, ROLE_TEXT, text);
}

void map_draw_legend(const struct model *m, struct pane p)
{
	static const enum el_outcome outcomes[] = {
		EL_WIN,          EL_CURSED_WIN,   EL_AT_LEAST_DRAW, EL_DRAW,
		EL_AT_MOST_DRAW, EL_BLESSED_LOSS, EL_LOSS,          EL_UNKNOWN, EL_BROKEN};
	const struct map *map = &m->map;
	const struct el_game *game = m->explore.game;
	int y = draw_subject(m, p);
	if (!map->ask.known) {
		pane_text(p, y + 1, 0, ROLE_DIM, "looking it up");
		return;
	}
	if (pane_is_slim(p)) {
		draw_cursor_value(m, p, y);
		return;
	}
	pane_text(p, y + 1, 12, ROLE_DIM, "count  shortest   longest");
	y += 2;
	for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
		if (tally_of(map, game, outcomes[i]).count || outcomes[i] == EL_WIN ||
		    outcomes[i] == EL_DRAW || outcomes[i] == EL_LOSS || outcomes[i] == EL_BROKEN)
			draw_tally(m, p, y++, outcomes[i]);
	draw_cursor_value(m, p, y + 1);
}

static void draw(const struct model *m, struct pane p)
{
	struct layout l = explore_layout(m);
	struct board explored = explore_board(m);
	if (l.map.rows) {
		board_draw(&explored, layout_board(&l, p));
		map_draw_board(m, layout_map(&l, p));
	} else {
		map_draw_board(m, layout_board(&l, p));
	}
	map_draw_legend(m, layout_side(&l, p));
}

static void subject(const struct model *m, char *out, size_t size)
{
	const struct study *s = m->explore.study;
	bool has_slice = s && s->answer.has_slice;
	snprintf(out, size, "%s%smap", has_slice ? s->answer.slice.name : "",
		 has_slice ? "  " : "");
}

static const struct binding bindings[] = {
	{{K_ENTER}, "put", "put", "put the piece on the square of the cursor", put, NULL, NULL},
	{{K_TAB}, "next-piece", "next piece", "map the next piece", take_next_piece, NULL, NULL},
	{{'t'}, "side", "side", "the other side is to move", other_side, NULL, NULL},
	{{'m'}, "map", "back", "back to Explore, nothing changed", explore_show, NULL, NULL},
	{{K_LEFT, 'h'}, "left", NULL, "cursor left", cursor_left, NULL, NULL},
	{{K_RIGHT, 'l'}, "right", NULL, "cursor right", cursor_right, NULL, NULL},
	{{K_UP, 'k'}, "up", NULL, "cursor up", cursor_up, NULL, NULL},
	{{K_DOWN, 'j'}, "down", NULL, "cursor down", cursor_down, NULL, NULL},
	{.name = NULL},
};

const struct view map_view = {
	.name = "Map",
	.summary = "one piece tried on every square",
	.under = &explore_view,
	.bindings = bindings,
	.update = update,
	.draw = draw,
	.subject = subject,
	.ask = ask,
	.forget = forget,
};
