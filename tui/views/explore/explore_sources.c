/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explore: which table answers, and what the others say. */
#include "explore.h"

#include "core/probe/probe.h"
#include "tui/screen/roles.h"
#include "tui/text/opinions.h"
#include "tui/text/text.h"
#include "tui/text/utf8.h"

#include <string.h>

void explore_show_sources(struct model *m)
{
	struct explore *x = explore_of(m);
	x->panel = x->panel == PANEL_SOURCES ? PANEL_MOVES : PANEL_SOURCES;
}

const char *explore_no_sources(const struct model *m)
{
	const struct study *s = m->play.study;
	return !s                      ? "The position is still being looked up."
	       : !s->opinions.count    ? "No table covers this position."
	       : s->opinions.count < 2 ? "Only one table covers this position."
	                               : NULL;
}

/* A path that is too long is cut at its beginning: its end is the file's name. */
static void draw_path(struct pane p, int y, const char *path)
{
	enum { AT = 8 };
	const int over = utf8_length(path) - (p.cols - AT);
	for (int cut = 0; over > 0 && cut < over + 3; cut++)
		utf8_decode(&path);
	pane_print(p, y, AT, ROLE_DIM, "%s%s", over > 0 ? "..." : "", path);
}

void explore_draw_sources(const struct model *m, struct pane p)
{
	const struct el_opinions *o = &m->play.study->opinions;
	char text[OPINION_MAX], name[16];
	const int room = (p.rows - 1) / 2, count = (int)o->count;
	const int shown = count <= room ? count : room - 1;
	pane_print(p, 0, 0, ROLE_STRONG,
	           o->contradict ? "sources  %d, which contradict each other" : "sources  %d",
	           count);
	for (int i = 0; i < shown; i++) {
		const struct el_opinion *one = &o->list[i];
		const bool wrong = one->against != (size_t)i;
		const enum role role = wrong ? ROLE_ERROR : outcome_role(one->value.outcome);
		pane_print(p, 1 + 2 * i, 0, role, "%c %-5s %s", wrong ? '!' : ' ',
		           metric_text(one->metric, name), opinion_text(one, m->in_moves, text));
		draw_path(p, 2 + 2 * i, one->path);
	}
	if (shown < count)
		pane_print(p, 1 + 2 * shown, 2, ROLE_DIM, "%d more", count - shown);
}

void explore_draw_source(const struct model *m, struct pane p)
{
	const struct study *s = m->play.study;
	const struct el_answer *a = &s->answer;
	if (s->opinions.contradict)
		pane_text(p, 0, 0, ROLE_ERROR, "The tables contradict each other. Press o.");
	else if (a->from_moves && a->position.castling)
		pane_text(p, 0, 0, ROLE_DIM, "source its moves; no table covers castling");
	else if (a->from_moves)
		pane_print(p, 0, 0, ROLE_DIM, "source its moves: no table of %s",
		           a->has_slice ? a->slice.name : "this material");
	else if (a->source.metric && s->opinions.count > 1)
		pane_print(p, 0, 0, ROLE_DIM, "%zu sources: press o  %s", s->opinions.count,
		           a->source.file);
	else if (a->source.metric)
		pane_print(p, 0, 0, ROLE_DIM, "source %s  %s", a->source.file, a->source.detail);
}
