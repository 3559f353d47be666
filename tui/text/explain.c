/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explain.h"

/* White promotes at once, or plays Kc6 first. */
#define PAWN "1k6/3P4/3K4/8/8/8/8/8 w - - 0 1"
/* Mate in 57 plies, 50 left on the clock. */
#define LATE  "7k/8/8/8/8/8/8/KBN5 w - - 50 1"
#define ROOK  "8/8/8/3kr3/8/8/2Q5/1K6 w - - 0 1"
#define KINGS "W:WK3,20:BK30"
/* White can close a mill, or win sooner without one. */
#define MEN    "W:Wc3,d5,e3:Bc4,c5,f4,g4"
#define STONES "0-0-2-1-0-1-2-3-0-1-2-0-0-0-S"

static const char who_wins[] =
	"Who wins with best play, however long it takes. Other metrics tell how long.";
static const char wins[] =
	"Whether the side to move wins, and no more: one bit a position. What does "
	"not win draws or loses.";

/* In the order in which games are tried: the first that fits is recognised by its position's
   format. */
static const struct explanation explanations[] = {
	{"wdl",
         "Who wins with best play, however long it takes. No rule that counts moves plays a part.",
         LATE, "White wins if the clock is ignored (press R)."},
	{"wdl", who_wins, KINGS, "White wins, in 41 plies (21 moves)."},
	{"wdl", who_wins, MEN, "White wins, in 21 plies (11 moves)."},
	{"win", wins, PAWN, "Kc6 wins, Kc5 does not."},
	{"win", wins, KINGS, "White wins."},
	{"win", wins, MEN, "White wins."},
	{"dtm",
         "Plies to checkmate: the winner takes the shortest way, the loser the longest. It does "
         "not look at the clock, so the shortest mate may come too late.",
         PAWN, "Kc6 mates in 5 plies, the promotion takes 7."},
	{"dtw",
         "Plies until the opponent has no piece or no move left. The winner takes the shortest "
         "way, the loser the longest.",
         KINGS, "20-16 wins in 41 plies."},
	{"dtw",
         "Plies until the opponent has two men left, or no move. The winner takes the shortest "
         "way, the loser the longest.",
         MEN, "d5-e4 wins in 21 plies; a mill at once needs 25."},
	{"dtc",
         "Plies to the next capture or promotion, or to mate. The winner takes the shortest way to "
         "an ending that is still won, even where the mate then takes longer.",
         ROOK, "Press space to see how the rook is won."},
	{"dtc",
         "Plies to the next capture or promotion, or to the end. The winner takes the shortest way "
         "to an ending that is still won, even where the end then takes longer.",
         KINGS, "Press space to see how Black is forced to give up the king."},
	{"dtc",
         "Plies to the next man taken, or to the end. The winner takes the shortest way to an "
         "ending that is still won, even where the end then takes longer.",
         MEN, "A mill takes a man at once; d5-e4 would win 4 plies sooner."},
	{"dtz",
         "Plies to the next capture, pawn move or mate: to where the clock restarts. Play by it "
         "always makes progress, but the mate may take longer.",
         PAWN, "The promotion restarts the clock at once; it is no longer the quickest mate."},
	{"wdl50",
         "The outcome where so many moves without a capture or a pawn move are a draw. A cursed "
         "win takes too long to count; a blessed loss takes the opponent too long.",
         LATE, "The mate needs 57 plies, and 50 are left: a cursed win."},
	{"dtz50",
         "Plies to the next capture, pawn move or mate, by moves that hold the win under the rule. "
         "A win stands if they fit into what is left on the clock.",
         LATE, "57 plies do not fit into the 50 that are left."},
	{"dtm50",
         "Plies to checkmate where so many moves without a capture or a pawn move are a draw, with "
         "what stands on the clock. A winner may restart the clock although the mate then takes "
         "longer.",
         LATE, "The mate needs 57 plies, and 50 are left: a draw."},
	{"dtr",
         "The shortest rule under which the position is still won: the longest stretch without a "
         "capture or a pawn move, kept as short as can be. If it is longer than 50 moves, the "
         "position is drawn under the 50-move rule.",
         PAWN, "The quickest mate has a stretch of 5 plies; a limit of 4 is enough."},
	{"dtzr",
         "Plies to the next zeroing move when both sides look first at the longest stretch of the "
         "game. It tells how that limit is held now.",
         PAWN, "The limit of 4 is held by zeroing with the third ply."},
	{"score",
         "Stones that the side to move gains on the other from here on: what it takes, less what "
         "the other takes. Stones that nobody can ever take count for nothing.",
         STONES, "F gains 3 stones; C and D lose 2."},
};

const struct explanation explanation_late = {"dtz50",
                                             "Plies as Syzygy counts them. Many of its tables keep "
                                             "moves instead, so a depth with ±1 may be one "
                                             "ply more. Cursed wins count from 101.",
                                             LATE,
                                             "57 plies do not fit into the 50 that are left."};

const struct explanation *explanation_of(const struct el_metric *metric, const struct el_game *game)
{
	const struct explanation *found = metric->late ? &explanation_late : explanations;
	for (size_t i = 0; i < sizeof explanations / sizeof *explanations && !metric->late; i++) {
		const struct explanation *e = &explanations[i];
		if (el_metric_find(e->name)->rank == metric->rank && game->looks_like(e->example))
			found = e;
	}
	return found;
}
