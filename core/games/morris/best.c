/* SPDX-License-Identifier: MIT */
/*
 * The best move of each position, a row of the index after the other: a set of White's men with all
 * placements of Black's.
 *
 * A move of White's leads all positions of a row, except those in which Black is in its way, to one
 * other row. A move of Black's stays in its row. In a slice with equal numbers of men, only White to
 * move is stored: there the colours are swapped after White's move, so that a placement of Black's men
 * leads to positions of one row, that of these men.
 */
#include "core/games/best.h"

#include "index.h"
#include "morris.h"

/* What taking a man enters. */
struct way {
	const struct best_entered *entered;   /* null: it wins the game */
	bool mover_first;                     /* the side that took the man is named first there */
	const struct morris_classes *classes; /* of the men of the side named first */
	uint32_t places;
};

struct morris_best {
	struct el_best head;
	unsigned men[2];
	const struct morris_classes *classes; /* of White's men */
	uint32_t places;                      /* of Black's men: the indexes of a row */
	struct way way[2];                    /* by the side that takes a man */
};

/* A thread in a row. */
struct work {
	const struct morris_best *best;
	struct best_reader reader;
	unsigned us;     /* the side that moves */
	uint32_t *black; /* by rank: Black's men in the row */
	int16_t *quiet;  /* by rank: the score of a quiet move to there */
};

/* Takes the best man, after a move that closed a mill. */
static void take(struct work *w, uint32_t own, uint32_t theirs, int16_t *best)
{
	const struct way *way = &w->best->way[w->us];
	if (!way->entered) {
		best_raise(best, w->best->head.reached.won);
		return;
	}
	for (uint32_t taken = morris_removable(theirs); taken; taken &= taken - 1) {
		const uint32_t left = theirs & ~(taken & -taken);
		const struct morris_found first =
			morris_find(way->classes, way->mover_first ? own : left);
		const uint64_t index =
			morris_index(&first, way->mover_first ? left : own, way->places);
		best_add(&w->reader, way->entered, way->mover_first, index, best);
	}
}

/* The symbols of a row of the slice itself, which lies in one piece; null if they cannot be read. */
static const uint16_t *row_of(struct work *w, unsigned plane, uint32_t number)
{
	const struct best_entered *quiet = &w->best->head.reached.quiet;
	const uint16_t *row =
		best_symbol(quiet, plane, (uint64_t)number * w->best->places, &w->reader.lent);
	w->reader.is_unread |= !row;
	return row;
}

/* ---- White's moves from a row ---- */

/* All positions of a row, after a man has gone to a point. */
static void white_move(struct work *w, uint32_t after, unsigned to, int16_t *out)
{
	const struct morris_best *b = w->best;
	const struct morris_found found = morris_find(b->classes, after);
	const bool closes = morris_closes(after, to), is_plain = found.class->group == 1;
	const bool stays = !closes && !b->head.problem->moves;
	const uint16_t *row = stays ? row_of(w, EL_BLACK, found.number) : NULL;
	const int16_t *score = b->head.reached.quiet.score[EL_BLACK];
	struct morris_turned t;
	if (row && is_plain)
		morris_turn_rings(&t, &found);
	for (uint32_t rank = 0; rank < b->places; rank++) {
		const uint32_t black = w->black[rank];
		if (black >> to & 1)
			continue;
		if (closes)
			take(w, after, black, &out[rank]);
		else if (row)
			best_raise(
				&out[rank],
				score[row[is_plain ? choose_rank(morris_turned(&t, black))
			                           : morris_rank(found.class,
			                                         morris_turn(black, found.turn))]]);
	}
}

/* Three men fly to 21 points; more men go along the board's 32 lines. */
enum { WHITE_MOVES_MAX = 63 };

/* A move from a row in which only White to move is stored: the colours are swapped after it. */
struct swapped {
	uint32_t at; /* the point that must be empty, as a set of one */
	bool closes;
	uint32_t image[MORRIS_SYMMETRIES]; /* White's men after it, turned */
};

/* What a placement of Black's men leads to lies in one row, theirs, so it is looked up together. */
static void swapped_moves(struct work *w, const struct swapped *moves, size_t count, int16_t *out)
{
	const struct morris_best *b = w->best;
	for (uint32_t rank = 0; rank < b->places; rank++) {
		const uint32_t black = w->black[rank], of = b->classes->of[choose_rank(black)];
		const struct morris_class *row = &b->classes->class[of / 16];
		for (const struct swapped *m = moves; m < moves + count; m++) {
			if (black & m->at)
				continue;
			if (m->closes)
				take(w, m->image[0], black, &out[rank]);
			else if (!b->head.problem->moves)
				best_add(&w->reader, &b->head.reached.quiet, EL_WHITE,
				         (uint64_t)(of / 16) * b->places +
				                 morris_rank(row, m->image[of % 16]),
				         &out[rank]);
		}
	}
}

static void white_moves(struct work *w, uint32_t white, int16_t *out)
{
	const struct morris_best *b = w->best;
	const bool is_alike = b->men[0] == b->men[1];
	struct swapped moves[WHITE_MOVES_MAX];
	size_t count = 0;
	for (uint32_t men = white; men;) {
		const unsigned from = morris_pop(&men);
		for (uint32_t free = morris_reach(from, b->men[0]) & ~white; free;) {
			const unsigned to = morris_pop(&free);
			const uint32_t after = (white & ~morris_bit(from)) | morris_bit(to);
			if (!is_alike) {
				white_move(w, after, to, out);
				continue;
			}
			moves[count].at = morris_bit(to);
			moves[count].closes = morris_closes(after, to);
			for (unsigned s = 0; s < MORRIS_SYMMETRIES; s++)
				moves[count].image[s] = morris_turn(after, s);
			count++;
		}
	}
	if (is_alike)
		swapped_moves(w, moves, count, out);
}

/* ---- Black's moves within a row ---- */

/* Steps, each of which can be taken back: so of two positions each is looked at once. */
static void black_steps(struct work *w, const struct morris_class *row, int16_t *out)
{
	for (uint32_t rank = 0; rank < w->best->places; rank++) {
		const uint32_t black = w->black[rank], mills = morris_in_mills(black);
		for (uint32_t men = black; men;) {
			const unsigned from = morris_pop(&men);
			const uint32_t others = black & ~morris_bit(from);
			uint32_t free =
				morris_near[from] & ~(row->men | black) & ~(morris_bit(from) - 1);
			while (free) {
				const unsigned to = morris_pop(&free);
				const uint32_t after = others | morris_bit(to);
				const uint32_t then = choose_rank(squeeze(after, row->men));
				if (morris_closes(after, to))
					take(w, after, row->men, &out[rank]);
				else
					best_raise(&out[rank], w->quiet[then]);
				if (mills >> from & 1)
					take(w, black, row->men, &out[then]);
				else
					best_raise(&out[then], w->quiet[rank]);
			}
		}
	}
}

/* Three men fly: the best of all placements with two of them where they are. */
static void black_flights(struct work *w, const struct morris_class *row, int16_t *out)
{
	struct pair {
		int16_t best, second; /* of the places of the third man */
		uint8_t at;           /* the place of the best */
	} pairs[MORRIS_POINTS][MORRIS_POINTS] = {{{BEST_STUCK, BEST_STUCK, 0}}};
	for (uint32_t rank = 0; rank < w->best->places; rank++)
		if (morris_in_mills(w->black[rank])) {
			w->quiet[rank] = BEST_STUCK;
			take(w, w->black[rank], row->men, &w->quiet[rank]);
		}
	best_settle(&w->reader);
	for (uint32_t i = 0; i < 2 * w->best->places; i++) {
		const uint32_t rank = i % w->best->places, black = w->black[rank];
		for (uint32_t men = black; men;) {
			const unsigned man = morris_pop(&men);
			const uint32_t others = black & ~morris_bit(man);
			struct pair *p = &pairs[__builtin_ctz(others)][31 - __builtin_clz(others)];
			if (i != rank)
				best_raise(&out[rank], p->at == man ? p->second : p->best);
			else if (w->quiet[rank] > p->best)
				*p = (struct pair){w->quiet[rank], p->best, (uint8_t)man};
			else
				best_raise(&p->second, w->quiet[rank]);
		}
	}
}

static void black_moves(struct work *w, uint32_t number, int16_t *out)
{
	const struct morris_best *b = w->best;
	const struct morris_class *row = &b->classes->class[number];
	const bool captures = b->head.problem->moves;
	const uint16_t *symbols = captures ? NULL : row_of(w, EL_WHITE, number);
	for (uint32_t rank = 0; rank < b->places; rank++) {
		const uint32_t then = row->group == 1 ? rank : morris_rank(row, w->black[rank]);
		w->quiet[rank] =
			symbols ? b->head.reached.quiet.score[EL_WHITE][symbols[then]] : BEST_STUCK;
	}
	if (symbols || captures)
		(b->men[1] == MORRIS_MEN_MIN ? black_flights : black_steps)(w, row, out);
}

/* ---- members of el_best ---- */

static uint64_t section_begin(const struct el_best *best, size_t section)
{
	return (uint64_t)section * ((const struct morris_best *)best)->places;
}

static enum el_status of(const struct el_best *best, unsigned side, size_t section, int16_t *out,
                         void *scratch, struct el_error *error)
{
	const struct morris_best *b = (const struct morris_best *)best;
	const struct morris_class *row = &b->classes->class[section];
	struct work *w = scratch;
	uint32_t set = (UINT32_C(1) << b->men[1]) - 1;
	w->best = b;
	w->us = side;
	w->black = (uint32_t *)(w + 1);
	w->quiet = (int16_t *)(w->black + b->places);
	best_reader_open(&w->reader, best->problem);
	for (uint32_t rank = 0; rank < b->places; rank++) {
		w->black[rank] = spread(set, row->men);
		out[rank] = BEST_STUCK;
		set = choose_next(set);
	}
	if (side == EL_WHITE)
		white_moves(w, row->men, out);
	else
		black_moves(w, (uint32_t)section, out);
	best_settle(&w->reader);
	for (uint32_t rank = 0; row->group != 1 && rank < b->places; rank++)
		if (morris_least(row, w->black[rank]) != w->black[rank])
			out[rank] = BEST_BROKEN;
	return best_reader_close(&w->reader, error);
}

/* False if out of memory. */
static bool find_ways(struct morris_best *b)
{
	const struct el_slice *slice = &b->head.problem->planes->slice;
	b->classes = morris_classes(b->men[0]);
	for (unsigned us = 0; us < 2; us++) {
		struct el_slice entered;
		bool swapped;
		if (!morris_enter(slice, us, true, &entered, &swapped))
			continue;
		b->way[us] = (struct way){
			.entered = best_entered_find(&b->head.reached, entered.key),
			.mover_first = us == swapped,
			.classes = morris_classes(entered.count[0][0]),
			.places = morris_places(entered.count[0][0], entered.count[1][0]),
		};
		if (!b->way[us].classes)
			return false;
	}
	return b->classes;
}

enum el_status morris_best(const struct el_best_problem *problem, struct el_best **out,
                           struct el_error *error)
{
	const struct el_slice *slice = &problem->planes->slice;
	const unsigned men[2] = {slice->count[0][0], slice->count[1][0]};
	if (slice->hand[0] || slice->hand[1])
		return plain_best_open(problem, out, error);
	const uint32_t places = morris_places(men[0], men[1]);
	const struct el_best members = {
		.sections = (size_t)(slice->positions / places),
		.longest = places,
		.piece = (LENT_COUNT + places - 1) / places * places, /* whole rows */
		.scratch = sizeof(struct work) + places * (sizeof(uint32_t) + sizeof(int16_t)),
		.section = section_begin,
		.of = of,
	};
	const enum el_status status =
		best_make(problem, sizeof(struct morris_best), &members, out, error);
	if (status)
		return status;
	struct morris_best *b = (struct morris_best *)*out;
	b->men[0] = men[0];
	b->men[1] = men[1];
	b->places = places;
	b->head.reached.quiet.piece = members.piece;
	if (find_ways(b))
		return EL_OK;
	el_best_close(*out);
	return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
}
