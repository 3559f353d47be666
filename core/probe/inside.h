/* SPDX-License-Identifier: MIT */
/*
 * The course of a probe:
 *
 *     position -> spot -> value (value.c): its table, the rules alone, or its moves (step.c)
 *              -> answer (answer.c): all metrics, all moves, ranked (ranking.c)
 *              -> line (line.c): the best move, again and again
 *
 * All steps use one catalogue, which does not change meanwhile.
 */
#ifndef CORE_PROBE_INSIDE_H
#define CORE_PROBE_INSIDE_H

#include "core/library/visit.h"
#include "core/probe/probe.h"

/* A position, which stays the caller's, and the place of its value. A value depends on nothing else: a
   metric whose values depend on the clock finds it in the position. */
struct spot {
	const struct el_position *position;
	struct el_place place; /* if it is placed */
	bool placed; /* false for positions of no slice, such as those with castling rights */
};

static inline void spot_at(const struct el_game *game, const struct el_position *position,
                           struct spot *out)
{
	out->position = position;
	out->placed = game->place(position, &out->place);
}

/* What the files of its slice are. */
static inline const struct route *spot_route(const struct catalogue *c, const struct el_game *game,
                                             const struct spot *spot)
{
	static const struct route none;
	return spot->placed ? catalogue_route(c, game, spot->place.key) : &none;
}

/* The same spot for sources that ignore en passant; `position` is its own. */
static inline struct spot spot_without_right(const struct spot *spot, struct el_position *position)
{
	struct spot seen = *spot;
	if (spot->position->en_passant == EL_NO_SQUARE)
		return seen;
	*position = *spot->position;
	position->en_passant = EL_NO_SQUARE;
	seen.position = position;
	return seen;
}

/* What the rules alone tell: the end of the game, or that nobody can win. Solver and proofs know only the
   former: to them, a missing table leaves open what it would tell. */
static inline bool rules_value(const struct el_game *game, const struct el_position *position,
                               struct el_value *out)
{
	*out = (struct el_value){.outcome = EL_DRAW};
	return (game->dead && game->dead(position)) || el_game_value(game, position, out);
}

/* Raises the best value so far, EL_BROKEN before the first, to this one at least. */
static inline void value_raise(const struct el_metric *metric, struct el_value *best,
                               struct el_value value)
{
	*best = best->outcome == EL_BROKEN ? value : el_value_max(metric, *best, value);
}

/* The tables to ask, and the metric. */
struct probe {
	const struct catalogue *catalogue;
	const struct el_game *game;
	const struct el_metric *metric;
	bool soft;
	/* A slice without a table is EL_UNKNOWN, even if the game ends there, as when a partial
	   table was made; else EL_NEGATIVE. */
	bool partial;
	/* receives the tables that cannot be used; may be null */
	struct el_faults *faults;
	/* A source whose own opinion is wanted; may be null. For its slice it replaces the
	   catalogue's tables, under its metric and those that it tells; for other slices, tables of
	   its kind are asked first. */
	struct el_source *by;
	/* The positions before whose values are being found from their moves (threatened, in
	   value.c); null: none. */
	const struct way *way;
};

struct way {
	const struct el_place *place;
	const struct way *before;
};

/* ---- value.c ---- */

/*
 * Call once for each position from outside: EL_USAGE, with the reason, unless it is legal.
 * Positions reached by legal moves need no check.
 */
enum el_status probe_admit(const struct el_game *, const struct spot *, struct el_error *);
/* As el_library_value, for a legal position. */
enum el_status probe_value(const struct probe *, const struct spot *, struct el_value *out,
                           struct el_error *);
/* Reports what is wrong with a source's file, and returns EL_DAMAGED. */
enum el_status probe_damage(const struct probe *, const struct el_source *, const char *what,
                            struct el_error *);
/* A source's value for a position (el_source_ops.probe), under the source's metric. EL_NEGATIVE if
   a soft probe does not find it in memory. */
enum el_status probe_source(const struct probe *, struct el_source *, const struct spot *,
                            struct el_value *, struct el_error *);
/* The first study that tells the value of a position, within bounds at least. Null: none; *silent is the
   first that has the position's frame all the same, or null. */
const struct holding *study_telling(const struct probe *, const struct spot *,
                                    const struct holding **silent);
/* Raises *best to the best value of these moves, by el_value_max; EL_BROKEN stands for no value so
   far. */
enum el_status probe_moves(const struct probe *, const struct spot *, const struct el_move *moves,
                           size_t count, struct el_value *best, struct el_error *);

/* As probe_value, from a source that knows only plies to a zeroing move, under its metric: plies.c. */
enum el_status probe_plies(const struct probe *, struct el_source *, const struct spot *,
                           struct el_value *out, struct el_error *);

/* The same for plies to mate, of a position without the right to capture en passant. */
enum el_status probe_mate(const struct probe *, struct el_source *, const struct spot *,
                          struct el_value *out, struct el_error *);

/* ---- step.c: the only place where a move is played and its successor valued ---- */

/* A move, and where it leads. Not to be copied: `to` points to `after`. */
struct step {
	const struct el_game *game;
	const struct spot *from;
	const struct el_move *move;
	struct el_position after;
	struct spot to;
	/* The move leaves the slice. Castling rights, which keep a position out of its slice, do
	   not count. */
	bool leaves;
};

void step_take(const struct el_game *, const struct spot *from, const struct el_move *,
               struct step *out);
/* Does the move end the count of a metric? */
bool step_ends(const struct step *, const struct el_metric *);
/* The metric under which the successor must be valued to value the move under this one. */
const struct el_metric *step_metric(const struct step *, const struct el_metric *);
/* The value of the move for its mover, from that of its successor. Bounds have no depth to count on
   from: EL_UNKNOWN. */
struct el_value step_value(const struct step *, const struct el_metric *, struct el_value reached);
/* Values the move by probing its successor; EL_UNKNOWN also if the probe fails. */
enum el_status step_probe(const struct step *, const struct probe *, struct el_value *out,
                          struct el_error *);

/* ---- from_moves.c ---- */

/*
 * A position is worth as much as its best move. If its own table is missing, moves whose values are
 * known from elsewhere (captures, promotions, mates) may settle or bound its value. Any other move
 * may be worth anything between the quickest loss and the quickest win that the rules allow.
 *
 *     from_moves_begin -> from_moves_add, each legal move -> from_moves_end
 */
struct from_moves {
	const struct el_metric *metric;
	struct el_value least, most; /* of the position; EL_BROKEN before the first move */
};

/* The metric under which to value the moves in order to find the position's value under `metric`.
   It tells `metric`, and the best of its values is that of the best move. */
const struct el_metric *from_moves_metric(const struct el_metric *metric);
/* `metric` comes from from_moves_metric. */
void from_moves_begin(struct from_moves *, const struct el_metric *metric);
/* `value` is one move's, for its mover. If it is a bound or unknown, `outcome` is what is known of
   the outcome without any rule. A move that ends the game has an exact value. */
void from_moves_add(struct from_moves *, const struct step *, struct el_value value,
                    enum el_outcome outcome);
/* The value, or the bounds of an outcome. EL_UNKNOWN if nothing is known, or no depth under a
   metric with depths. */
struct el_value from_moves_end(const struct from_moves *);
/* Does all of this for p->metric and a position whose slice no table covers. EL_NEGATIVE, with
   `error` unchanged, if the moves do not determine it; EL_DAMAGED, EL_IO if a file that their
   values need cannot be used. */
enum el_status from_moves_value(const struct probe *p, const struct spot *, struct el_value *out,
                                struct el_error *error);

/* ---- answer.c, why.c, ranking.c, soonest.c ---- */

/* As el_library_answer, for a legal position. */
enum el_status probe_answer(const struct catalogue *, const struct el_game *, const struct spot *,
                            const struct el_question *, struct el_answer *out, struct el_error *);

/* Explains why an outcome is unknown or a bound: which table is missing, with the move that needs
   it, or damaged. Call this first: it notes what the position's own probe `said` if it failed (else
   empty), or the fault of the file that should have answered. */
void why_begin(const struct probe *, const struct spot *, const char *said, struct el_answer *out);
/* Call this after the moves have been looked at. `lacking`: no table has the slice; `faulty`: some
   file could not be used. */
void why_explain(const struct probe *, const struct spot *, bool lacking, bool faulty,
                 struct el_answer *out);

/* Is the position's value under this metric known? The metric may be null. */
bool ranking_has_value(const struct el_answer *, const struct el_metric *);
/* The finest metric under which the value is known: the first one with depths, else the first one;
   null if there is none. */
const struct el_metric *ranking_finest(const struct el_answer *);
/* Sorts the moves and marks an only move. `asks`, whose metric this sets, finds what equally good
   moves demand; null: these stay in the order of their SAN. */
void ranking_sort(struct el_answer *, const struct spot *, const struct probe *asks);

/*
 * Values in stones do not count plies, so a side that gains some could go round in circles with
 * moves of equal value. In won and lost positions, best play is therefore searched up to the next
 * capture: the gaining side takes the shortest way to one, the other side the longest. Such a way
 * exists, since the value was found along it.
 *
 * Plies to the next capture, or to the end, if both sides play best moves; 0 if not known: no
 * table, a draw, or no memory. If there are too many positions, only the first are searched; the
 * result is then an upper bound for the gaining side, or 0.
 */
unsigned soonest_plies(const struct probe *, const struct spot *);

#endif
