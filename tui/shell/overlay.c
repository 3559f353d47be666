/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "overlay.h"
#include "shell_inside.h"

#include "room.h"
#include "tui/text/text.h"

#include <stdio.h>

struct overlay *shell_overlay(const struct model *m)
{
	return &m->shell->overlay;
}

void overlay_show(const struct model *m, struct board *b)
{
	const struct overlay *o = &m->shell->overlay;
	if (!o->on)
		return;
	b->cursor = o->choice.cursor != EL_NO_SQUARE ? o->choice.cursor : b->cursor;
	b->picked = o->choice.picked != EL_NO_SQUARE ? o->choice.picked : b->picked;
	b->targets = o->choice.targets;
	b->prey = o->choice.prey;
	if (o->choice.prey)
		b->position = &o->made;
	b->over = o->marks;
}

/* ---- the cover ---- */

bool shell_is_covered(const struct model *m)
{
	return m->shell->covered && shell_view(m)->cover;
}

void shell_cover(struct model *m, bool covered)
{
	m->shell->covered = covered;
}

void overlay_switch_cover(struct model *m)
{
	m->shell->covered = !m->shell->covered;
}

void overlay_uncover(struct model *m)
{
	shell_cover(m, false);
}

const char *overlay_no_cover(const struct model *m)
{
	return shell_view(m)->cover ? NULL : "This view has no numbers to hide.";
}

/* The board stays where it is. */
void overlay_draw_cover(const struct model *m, struct pane p)
{
	struct el_position position;
	const struct el_game *game = shell_position(m, &position);
	const struct layout l = shell_layout(m, game, BOARD_AND_SECOND);
	struct board b = board_plain(game, &position, m->flipped);
	struct pane side = layout_side(&l, p);
	char text[64];
	b.scale = l.scale;
	overlay_show(m, &b);
	board_draw(&b, layout_board(&l, p));
	snprintf(text, sizeof text, "%s to move", game->sides[position.side]);
	const int y = pane_wrap(side, 0, ROLE_STRONG, text);
	pane_wrap(pane_sub(side, y + 1, 0, side.rows - y - 1, side.cols), 0, ROLE_DIM,
	          "The numbers are hidden. Press H to show them.");
}
