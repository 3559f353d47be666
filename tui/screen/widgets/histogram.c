/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "histogram.h"

#include "tui/text/text.h"

enum { COUNT_END = 16, BAR_AT = 17, LABEL_COLS = 9 };

/* outcome 0: wins, 1: losses, as in el_side_stats */
static uint64_t count_of(const struct el_side_stats *s, unsigned from, unsigned step, int outcome)
{
	uint64_t count = 0;
	for (unsigned ply = from; ply < from + step && ply < s->plies; ply++)
		count += s->histogram[outcome][ply];
	return count;
}

uint64_t histogram_most(const struct el_side_stats *s, unsigned step)
{
	uint64_t most = 1;
	for (unsigned from = 0; from < s->plies; from += step) {
		uint64_t count = count_of(s, from, step, 0) + count_of(s, from, step, 1);
		most = count > most ? count : most;
	}
	return most;
}

/* Wins and losses of equal plies share a row if parity does not separate them: wins first. */
void histogram_row(const struct el_side_stats *s, unsigned from, unsigned step, uint64_t most,
                   struct pane p)
{
	uint64_t wins = count_of(s, from, step, 0), losses = count_of(s, from, step, 1);
	int room = p.cols - BAR_AT - 1;
	double scale = (room > 0 ? room : 0) / (double)most;
	char text[GROUPED_MAX];
	if (!wins && !losses)
		return;
	pane_text(p, 0, 0, wins ? ROLE_WIN : ROLE_LOSS, !losses ? "win" : wins ? "both" : "loss");
	pane_right(p, 0, COUNT_END, ROLE_TEXT, grouped(wins + losses, text));
	/* Losses begin in a cell of their own. */
	const double win_cells = (double)wins * scale;
	const int whole = losses ? (int)(win_cells + 0.5) + (wins && win_cells < 0.5) : 0;
	pane_fine_bar(p, 0, BAR_AT, ROLE_WIN, losses ? whole : win_cells);
	pane_fine_bar(p, 0, BAR_AT + whole, ROLE_LOSS, (double)losses * scale);
}

void histogram_draw(const struct el_side_stats *s, const char *unit, unsigned here, struct pane p)
{
	enum { HEADED_ROWS = 8 };
	if (p.rows >= HEADED_ROWS) {
		pane_text(p, 0, 1, ROLE_DIM, unit);
		pane_right(p, 0, LABEL_COLS + COUNT_END, ROLE_DIM, "positions");
		p = pane_from(p, 1);
	}
	unsigned rows = p.rows > 0 ? (unsigned)p.rows : 1, step = (s->plies + rows - 1) / rows;
	step = step ? step : 1;
	uint64_t most = histogram_most(s, step);
	for (unsigned y = 0; y * step < s->plies; y++) {
		unsigned from = y * step;
		struct pane row = pane_row(p, (int)y);
		pane_select(row, here && here >= from && here < from + step);
		if (step == 1)
			pane_print(row, 0, 1, ROLE_DIM, "%3u", from);
		else
			pane_print(row, 0, 1, ROLE_DIM, "%3u-%u", from, from + step - 1);
		histogram_row(s, from, step, most,
		              pane_sub(row, 0, LABEL_COLS, 1, row.cols - LABEL_COLS));
	}
}
