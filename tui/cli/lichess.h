/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Answers in the form of the lichess tablebase API (github.com/lichess-org/lila-tablebase): for
 * `probe --lichess` and `serve`.
 *
 * Each object describes one position for its side to move. A move's object describes the position
 * after it, for the opponent: a move with "loss" wins. Depths are in plies, positive for a win,
 * negative for a loss, 0 for a draw, null if no table has them:
 *
 *     dtz, precise_dtz  dtz50 as Syzygy counts: past the limit for what the 50-move rule makes a draw, and
 *                       -1 for checkmate. precise_dtz is null where that may be a ply more, and
 *                       where it comes from a table that counts past the limit in another way
 *     dtm               depth to mate
 *     dtc               not in plies: moves of the winner up to the next capture or promotion that keeps
 *                       the outcome, or mate, at least 1; null unless it was asked for
 *     dtw               always null: antichess
 *
 * The halfmove clock affects `category`: "win", "cursed-win", "draw", "blessed-loss", "loss", or
 * what is undecided: "syzygy-win" and "syzygy-loss" if only rounding leaves it open, "maybe-win"
 * and "maybe-loss" if no table tells whether it is in time, else "unknown".
 */
#ifndef TUI_CLI_LICHESS_H
#define TUI_CLI_LICHESS_H

#include "core/library/library.h"
#include "core/probe/probe.h"

#include <cjson/cJSON.h>

/*
 * A position as the API accepts it: underscores may replace blanks, and trailing fields may be
 * omitted. EL_NEGATIVE if it is none, or of a game other than the API's "standard".
 */
enum el_status lichess_parse(const char *fen, const struct el_game **, struct el_position *,
                             struct el_error *);

/* EL_NEGATIVE unless this game is the API's "standard". */
enum el_status lichess_check_game(const struct el_game *, struct el_error *);

/* Whether answers tell the dtc: by default, only of eight pieces and more. */
enum lichess_dtc { LICHESS_DTC_AUXILIARY, LICHESS_DTC_NEVER, LICHESS_DTC_ALWAYS };

/* The value of the position and of every legal move, best first. EL_NEGATIVE: there is an object,
   but its category is "unknown", and `error` says why. A fault of a table: what it alone tells is null,
   and there is no object if nothing else is known. Other failures give none. */
enum el_status lichess_answer(struct el_library *, const struct el_game *,
                              const struct el_position *, const struct el_question *,
                              enum lichess_dtc, cJSON **out, struct el_error *);

/* The line that is optimal under dtz50; empty for a draw. EL_NEGATIVE, without an object, if no
   table has the position's dtz50. */
enum el_status lichess_mainline(struct el_library *, const struct el_game *,
                                const struct el_position *, cJSON **out, struct el_error *);

#endif
