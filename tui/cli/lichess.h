/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Answers in the form of the lichess tablebase API (github.com/lichess-org/lila-tablebase): for
 * `probe --lichess` and `serve`.
 *
 * Each object is about one position and its side to move, and so are those of moves: about the
 * position behind the move and the opponent. A move into "loss" wins, then. Depths are in plies,
 * above 0 for a win, below 0 for a loss, 0 for a draw, null where no table tells them:
 *
 *     dtz, precise_dtz  dtz50 as Syzygy counts: past the limit for what the 50-move rule makes a draw, and
 *                       -1 for checkmate. precise_dtz is null where that may be a ply more, and
 *                       where it comes from a table that counts past the limit in another way
 *     dtm               depth to mate
 *     dtw, dtc          always null: antichess; another count of conversions, of partial tables of 8 pieces
 *
 * The halfmove clock counts in `category`: "win", "cursed-win", "draw", "blessed-loss", "loss", or
 * what is left open: "syzygy-win" and "syzygy-loss" where only a rounded ply is, "maybe-win" and
 * "maybe-loss" where no table tells whether it is in time, else "unknown".
 */
#ifndef TUI_CLI_LICHESS_H
#define TUI_CLI_LICHESS_H

#include "core/library/library.h"
#include "core/probe/probe.h"

#include <cjson/cJSON.h>

/*
 * A position as the API takes it: underscores may stand for blanks, and fields at the end may be
 * left out. EL_NEGATIVE when it is none, or of another game than the API's "standard".
 */
enum el_status lichess_parse(const char *fen, const struct el_game **, struct el_position *,
                             struct el_error *);

/* EL_NEGATIVE unless "standard" is a position of this game. */
enum el_status lichess_check_game(const struct el_game *, struct el_error *);

/* The value of the position and of every legal move, best first. EL_NEGATIVE: there is an object,
   but its category is "unknown", and `error` says why. Otherwise there is none on failure. */
enum el_status lichess_answer(struct el_library *, const struct el_game *,
                              const struct el_position *, const struct el_question *, cJSON **out,
                              struct el_error *);

/* The line that is optimal under dtz50; no move where it is a draw. EL_NEGATIVE, without an object,
   when no table tells the position's dtz50. */
enum el_status lichess_mainline(struct el_library *, const struct el_game *,
                                const struct el_position *, cJSON **out, struct el_error *);

#endif
