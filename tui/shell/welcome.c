/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "room.h"
#include "shell_inside.h"

#include <unistd.h>

static const char heading[] = "Welcome. Press any key to begin.";
static const char *const keys[] = {
	"space    play the best move",
	"Enter    play the selected one",
	"Up Down  select another",
	"<- ->    back, forward",
	":        type KQvKR or a position",
	"E        endings worth a look",
	"P        practise won positions",
	"L        lessons",
	"5        build tables",
	"?        every key, every view",
};
enum { KEYS = sizeof keys / sizeof *keys, VALUE = 2 }; /* rows of the position's value */

static bool exists(const struct model *m, const char *name)
{
	struct kept kept;
	kept_open(m, &kept, name, name);
	return !*kept.path || !access(kept.path, F_OK);
}

void welcome_open(struct model *m)
{
	m->shell->welcomes =
		!m->shell->options.fen && !exists(m, "session") && !exists(m, "welcome");
}

static void write_seen(const struct model *m, FILE *out)
{
	(void)m;
	fputs("endlab welcome 1\n", out);
}

bool welcome_close(struct model *m)
{
	struct kept *kept = &m->shell->welcome;
	if (!m->shell->welcomes)
		return false;
	m->shell->welcomes = false;
	kept_open(m, kept, "welcome", "The mark that you have seen the first screen");
	if (!m->shell->unkept)
		kept_write_soon(m, kept, write_seen, "");
	return true;
}

/* Covers the moves, so that the board and its value stay visible; if there is too little room,
   covers all. */
void welcome_draw(const struct model *m, struct pane p)
{
	if (!m->shell->welcomes || shell_view(m) != shell_views(m)[0])
		return;
	struct el_position position;
	const struct layout l = shell_layout(m, shell_position(m, &position), BOARD_AND_SECOND);
	struct pane card = pane_part(p, l.side);
	card = pane_from(card, VALUE);
	if (card.rows < 1 + KEYS)
		card = p;
	pane_fill(card, ROLE_LESSON);
	const int blank = card.rows > 1 + KEYS; /* a row after the heading */
	const int y = card.rows > KEYS + 2 ? (card.rows - KEYS - 2) / 2 : 0;
	pane_text(card, y, 1, ROLE_STRONG, heading);
	for (int i = 0; i < KEYS; i++)
		pane_text(card, y + 1 + blank + i, 1, ROLE_TEXT, keys[i]);
}
