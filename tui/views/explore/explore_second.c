/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands beside or under a large board by itself: a piece tried on every square, the depths of
   the slice, the game with the best line. */
#include "explore.h"

#include "core/probe/probe.h"
#include "tui/screen/widgets/histogram.h"
#include "tui/screen/widgets/layout.h"
#include "tui/text/text.h"

#include <stdio.h>

/* ---- which of them ---- */

/* The depths take all the room they can get; under anything else they stand where there is some. */
static struct pane histogram_pane(const struct model *m, const struct layout *l, struct pane p)
{
	return l->second.rows && m->beside == BESIDE_HISTOGRAM
	               ? pane_sub(p, l->second.y, l->second.x, l->side.rows, l->second.cols)
	               : layout_histogram(l, p);
}

static bool shows_histogram(const struct model *m)
{
	const struct layout l = explore_layout(m);
	return l.histogram.rows || (l.second.rows && m->beside == BESIDE_HISTOGRAM);
}

const char *explore_no_second(const struct model *m)
{
	return explore_layout(m).second.rows ? NULL
	                                     : "A second pane needs a screen of 120 columns.";
}

void explore_next_second(struct model *m)
{
	static const char *const names[] = {"the map", "the depths of the slice",
	                                    "the game and the best line"};
	m->beside = (m->beside + 1) % BESIDES;
	model_note(m, "Beside the board: %s.", names[m->beside]);
}

/* ---- the depths ---- */

/* The table of the position whose depths are counted; null where it has none. */
static const struct study *counted(const struct model *m)
{
	const struct study *s = m->play.study;
	return s && s->answer.metric && s->answer.has_slice ? s : NULL;
}

/* Without being asked, where that takes no time to speak of. */
void explore_count_shown(struct model *m)
{
	const struct study *s = counted(m);
	const struct el_answer *a = s ? &s->answer : NULL;
	if (!a || !shows_histogram(m) || a->slice.pieces > UNASKED_PIECES ||
	    !a->metric->has_depth || a->source.metric != a->metric)
		return;
	struct finding *f = tables_find(m, &a->slice, a->metric);
	if (f && !f->why[0] && !f->stopped && !f->count.known)
		tables_count(m, f);
}

static void draw_histogram(const struct model *m, struct pane p)
{
	const struct study *s = counted(m);
	struct el_place place;
	if (!s || !play_game(m)->place(&s->answer.position, &place))
		return;
	const struct finding *f = tables_finding(&m->tables, &s->answer.slice, s->answer.metric);
	if (!f || !f->count.known) {
		char text[96];
		snprintf(text, sizeof text, "%s the %s of %s",
		         f && f->count.job ? "counting" : "Press c to count",
		         kind_words(s->answer.metric)->values, s->answer.slice.name);
		pane_wrap(pane_sub(p, 0, 2, p.rows, p.cols - 2), 0, ROLE_DIM, text);
		return;
	}
	struct el_value value = s->answer.value[el_metric_rank(s->answer.metric)];
	char title[96];
	const char *side = f->slice.game->sides[place.plane], *name = f->slice.name;
	const char *unit = depth_unit(s->answer.metric, false);
	snprintf(title, sizeof title, "positions of %s, %s to move, by %s", name, side, unit);
	if (2 + utf8_length(title) > p.cols)
		snprintf(title, sizeof title, "%s, %s to move, by %s", name, side, unit);
	if (2 + utf8_length(title) > p.cols)
		snprintf(title, sizeof title, "%s by %s", name, unit);
	pane_text(p, 0, 2, ROLE_DIM, title);
	histogram_draw(&f->stats.side[place.plane], value.plies,
	               pane_sub(p, 1, 1, p.rows - 1, p.cols - 1));
}

/* ---- one piece tried on every square ---- */

static void draw_map(const struct model *m, int scale, struct pane p)
{
	struct square_mark marks[MAP_SQUARES] = {0};
	struct board b = board_plain(play_game(m), &m->map.position, m->flipped);
	b.scale = scale;
	b.picked = m->map.piece;
	b.marks = marks;
	if (m->map.ask.known)
		board_mark_values(m->map.values.metric, m->map.values.value, m->in_moves, marks);
	board_draw(&b, p);
}

/* ---- the game, and the best line, a move of each side to a row ---- */

static void draw_best_line(const struct model *m, struct pane p)
{
	enum { NUMBER_COLS = 6, MOVE_COLS = 12 };
	const struct el_game *game = play_game(m);
	const struct best_line *line = &m->play.best;
	unsigned side = play_position(m)->side, number = play_position(m)->fullmove;
	int y = 1;
	pane_text(p, 0, 0, ROLE_DIM, "the best line from here");
	for (size_t i = 0; i < line->count; i++) {
		const int second = side != game->first_side;
		pane_print(p, y, 0, ROLE_DIM, "%4u.", number);
		pane_text(p, y, NUMBER_COLS + second * MOVE_COLS, ROLE_TEXT, line->san[i]);
		y += second;
		number += (unsigned)second;
		side ^= 1;
	}
	y += line->count && side != game->first_side;
	const char *end = line->more || y > p.rows ? "..." : line->end;
	if (y >= p.rows && *end)
		pane_fill(pane_sub(p, y = p.rows - 1, 0, 1, p.cols), ROLE_GROUND);
	pane_text(p, y, NUMBER_COLS, ROLE_DIM, end);
}

static void draw_line(const struct model *m, struct pane p)
{
	const int rows = m->play.walk.tree->node_count > 1 ? p.rows / 2 : 0;
	if (rows)
		explore_draw_sheet(m, pane_sub(p, 0, 0, rows, p.cols));
	draw_best_line(m, pane_sub(p, rows, 0, p.rows - rows, p.cols));
}

/* ---- the whole ---- */

void explore_draw_second(const struct model *m, const struct layout *l, struct pane p)
{
	if (l->second.rows && m->beside == BESIDE_MAP)
		draw_map(m, l->second_scale, layout_second(l, p));
	if (l->second.rows && m->beside == BESIDE_LINE)
		draw_line(m, layout_second(l, p));
	if (shows_histogram(m))
		draw_histogram(m, histogram_pane(m, l, p));
}
