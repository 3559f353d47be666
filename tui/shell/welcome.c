/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "welcome.h"
#include "shell_inside.h"

#include <unistd.h>

static const char *const lines[] = {
	"Welcome. Beside the board: what every move is worth.",
	"space  play the best move     <- ->    back, forward",
	"Enter  play the selected one  Up Down  select another",
	":      type a position, an ending (KQvKR) or a move",
	"E      endings worth a look            L  lessons",
	"P      practise won positions          5  build tables",
	"?      every key                       7  more views",
	"Press any key to begin.",
};
enum { LINES = sizeof lines / sizeof *lines, CARD_COLS = 57, CARD_ROWS = LINES + 2 };

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
	kept_open(m, kept, "welcome", "That the first screen was seen");
	kept_write_soon(m, kept, write_seen, "");
	return true;
}

void welcome_draw(const struct model *m, struct pane p)
{
	if (!m->shell->welcomes || shell_view(m) != shell_views(m)[0])
		return;
	const int y = p.rows > CARD_ROWS ? (p.rows - CARD_ROWS) / 2 : 0;
	struct pane card = pane_sub(p, y, (p.cols - CARD_COLS) / 2, CARD_ROWS, CARD_COLS);
	pane_fill(card, ROLE_LESSON);
	for (int i = 0; i < LINES; i++)
		pane_text(card, 1 + i, 2, i == 0 || i == LINES - 1 ? ROLE_STRONG : ROLE_TEXT, lines[i]);
}
