/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each metric counts, in a sentence or two: said of its data, as nobody knows metrics by name. */
#include "metrics.h"

#include "../../text/values.h"

#include <stdio.h>

static const char *of_outcomes(const struct el_metric *metric, char out[METRICS_TEXT])
{
	if (metric->wins_only)
		return "Is it won? One bit a position: a draw and a loss look alike.";
	if (!metric->limit)
		return "Who wins, but not how: a move that keeps the outcome is as good as any other.";
	snprintf(out, METRICS_TEXT, "Who wins if %u moves without a zeroing move are a draw. A cursed win "
	                            "takes too long, and so does a blessed loss.", metric->limit / 2);
	return out;
}

static const char *of_zeroing(const struct el_metric *metric, char out[METRICS_TEXT])
{
	char name[16];
	if (metric->has_phase)
		return "The least limit under which it is won: the longest stretch without a zeroing "
		       "move, if both sides care about that first.";
	if (metric->entered->has_phase) {
		snprintf(out, METRICS_TEXT,
		         "The present stretch alone, if both sides play for %s first. Its best moves are "
		         "among those of %s: which ones depends on the clock.",
		         metric_text(metric->entered, name), name);
		return out;
	}
	if (!metric->limit)
		return "Plies to the next zeroing move (a capture or a pawn move) or mate. Such a move "
		       "sets the clock of the 50-move rule back to 0.";
	snprintf(out, METRICS_TEXT, "Plies to the next zeroing move, if %u moves without one are a draw: "
	                            "the game has to be won in time after it, too.", metric->limit / 2);
	return out;
}

const char *metrics_explain(const struct el_metric *metric, char out[METRICS_TEXT])
{
	if (!metric->has_depth)
		return of_outcomes(metric, out);
	if (metric->end == EL_END_ZEROING)
		return of_zeroing(metric, out);
	if (metric->join == EL_JOIN_SUM)
		return "Plies to the end of the game. Captures and promotions on the way do not end the "
		       "count.";
	return "Plies to the next capture or promotion, or to the end. What comes after it does not "
	       "count.";
}
