/* SPDX-License-Identifier: MIT */
/*
 * Slices with men in hand. A side places a man, and if that closes a mill it takes one, so every move
 * leaves the slice: all are conversions, one look at the slices entered decides all positions, and
 * there are no quiet moves.
 *
 * The moves of all positions of a row are looked up together, since they enter few rows of other slices:
 *
 *   - White's man enters one row for each empty point, with Black's men where they were;
 *   - Black's man stays in the row. All placements with one man more are looked up once, and each
 *     tells the value of those that lack one of its men. If Black takes a man and is then named
 *     first, each of these placements lies in another row, that of Black's men.
 */
#include "sets.h"

#include "core/base/clock.h"

struct work {
	const struct morris_sets *sets;
	const struct morris_way *way; /* that of the moves looked at */
	struct lent lent;
	struct morris_row row;
	/* Arrays in scratch: by rank of the row, Black's men and what the moves lead to; by rank of a
	   row entered, what entering it leads to. */
	uint32_t *black;
	struct effect *found, *entered;
	/* By rank of Black's men with one more: what entering this leads to, and what taking a man
	   as well does. */
	struct effect *quiet, *taking;
};

/* ---- a row that is entered ---- */

/* As choose_rank. */
static inline uint32_t rank_of(const struct morris_ranks *ranks, uint32_t set)
{
	const unsigned first = morris_count(set & 0xff), second = morris_count(set & 0xffff);
	return ranks->of[0][0][set & 0xff] + ranks->of[1][first][set >> 8 & 0xff] +
	       ranks->of[2][second][set >> 16];
}

/* A row of the slice that w->way enters: White's men there, and how the board is turned. */
struct view {
	struct morris_found to;
	bool is_plain;               /* no symmetry keeps White's men in place */
	struct morris_turned turned; /* if it is plain */
};

/* Reads the row to w->entered. */
static void look_at(struct work *w, const struct morris_found *to, struct view *v)
{
	const struct entered *e = &w->way->entered;
	const uint64_t first = (uint64_t)to->number * w->way->places;
	v->to = *to;
	v->is_plain = to->class->group == 1;
	for (uint32_t i = 0; i < w->way->places;) {
		uint64_t end;
		const uint16_t *symbols =
			lent_symbols(&w->lent, e->planes, e->plane, first + i, &end);
		for (; i < w->way->places && first + i < end; i++)
			w->entered[i] = symbols ? e->effects[*symbols++] : effect_unread;
	}
	if (v->is_plain)
		morris_turn_rings(&v->turned, to);
}

/* What entering it with these men of Black's leads to. */
static inline struct effect seen(const struct work *w, const struct view *v, uint32_t black)
{
	if (!v->is_plain)
		return w->entered[morris_rank(v->to.class, morris_turn(black, v->to.turn))];
	return w->entered[rank_of(&w->sets->ranks, morris_turned(&v->turned, black))];
}

/* ---- White places a man ---- */

static void place_white(struct work *w)
{
	const uint32_t white = w->row.class->men;
	const bool may_take = morris_takes(&w->sets->head.slice, EL_WHITE);
	for (uint32_t free = MORRIS_BOARD & ~white; free;) {
		const unsigned to = morris_pop(&free);
		const uint32_t after = white | morris_bit(to);
		const bool takes = may_take && morris_closes(after, to);
		struct view v;
		w->way = &w->sets->way[EL_WHITE][takes];
		if (w->way->entered.planes) {
			const struct morris_found found = morris_find(w->way->classes, after);
			look_at(w, &found, &v);
		}
		for (uint32_t rank = 0; rank < w->sets->places; rank++) {
			const uint32_t black = w->black[rank];
			struct effect effect = w->found[rank];
			if (black >> to & 1)
				continue;
			if (!w->way->entered.planes)
				effect = effect_join(effect, w->sets->over[EL_WHITE]);
			else if (!takes)
				effect = effect_join(effect, seen(w, &v, black));
			else
				for (uint32_t taken = morris_removable(black); taken;
				     taken &= taken - 1)
					effect = effect_join(
						effect, seen(w, &v, black & ~(taken & -taken)));
			w->found[rank] = effect;
		}
	}
}

/* ---- Black places a man ---- */

/* Looks up all placements of one man more. White then still has as many men as Black, and is to move: so
   White is named first there, too. */
static void look_up_placed(struct work *w)
{
	const uint32_t white = w->row.class->men;
	const struct morris_found here = {(uint32_t)(w->row.class - w->sets->classes->class),
	                                  w->row.class, 0};
	uint32_t set = w->sets->first_placed;
	struct view v;
	w->way = &w->sets->way[EL_BLACK][false];
	look_at(w, &here, &v);
	for (uint32_t rank = 0; rank < w->sets->placed; rank++, set = choose_next(set)) {
		w->quiet[rank] = seen(w, &v, spread(set, white));
		w->taking[rank] = effect_none;
	}
}

/* The same if a man of White's is taken as well, for placements with a mill. */
static void look_up_taking(struct work *w)
{
	const uint32_t white = w->row.class->men;
	w->way = &w->sets->way[EL_BLACK][true];
	for (uint32_t taken = morris_removable(white); taken; taken &= taken - 1) {
		const uint32_t left = white & ~(taken & -taken);
		const struct morris_found found = morris_find(w->way->classes, left);
		uint32_t set = w->sets->first_placed;
		struct view v;
		look_at(w, &found, &v);
		for (uint32_t rank = 0; rank < w->sets->placed; rank++, set = choose_next(set)) {
			const uint32_t black = spread(set, white);
			if (morris_in_mills(black))
				w->taking[rank] = effect_join(w->taking[rank], seen(w, &v, black));
		}
	}
}

/* The same where Black is named first, or the game is over: each placement for itself. */
static void look_up_taking_each(struct work *w)
{
	const uint32_t white = w->row.class->men, removable = morris_removable(white);
	uint32_t set = w->sets->first_placed;
	w->way = &w->sets->way[EL_BLACK][true];
	for (uint32_t rank = 0; rank < w->sets->placed; rank++, set = choose_next(set)) {
		const uint32_t black = spread(set, white);
		if (!morris_in_mills(black))
			continue;
		if (!w->way->entered.planes) {
			w->taking[rank] = w->sets->over[EL_BLACK];
			continue;
		}
		const struct morris_found first = morris_find(w->way->classes, black);
		for (uint32_t taken = removable; taken; taken &= taken - 1) {
			const uint64_t index =
				morris_index(&first, white & ~(taken & -taken), w->way->places);
			w->taking[rank] = effect_join(
				w->taking[rank], entered_at(&w->way->entered, index, &w->lent));
		}
	}
}

static void place_black(struct work *w)
{
	const uint32_t white = w->row.class->men;
	const struct morris_way *taking = &w->sets->way[EL_BLACK][true];
	const bool may_take = morris_takes(&w->sets->head.slice, EL_BLACK);
	uint32_t set = w->sets->first_placed;
	look_up_placed(w);
	if (may_take && taking->entered.planes && !taking->swapped)
		look_up_taking(w);
	else if (may_take)
		look_up_taking_each(w);
	for (uint32_t placed = 0; placed < w->sets->placed; placed++, set = choose_next(set)) {
		const uint32_t mills = may_take ? morris_in_mills(spread(set, white)) : 0;
		const uint32_t closing = squeeze(mills, white);
		/* Without one of its men: those below keep their share of the rank, and those above
		   move down by a place. */
		uint32_t below = 0, above = 0;
		unsigned k = 1;
		for (uint32_t left = set & (set - 1); left; k++)
			above += choose[morris_pop(&left)][k];
		k = 1;
		for (uint32_t left = set; left; k++) {
			const unsigned man = morris_pop(&left);
			struct effect *found = &w->found[below + above];
			*found = effect_join(*found, closing >> man & 1 ? w->taking[placed]
			                                                : w->quiet[placed]);
			below += choose[man][k];
			above -= left ? choose[__builtin_ctz(left)][k] : 0;
		}
	}
}

/* ---- a unit ---- */

static enum el_status begin(const struct el_sets *sets, unsigned side, size_t unit,
                            struct el_unit *out, void *scratch, struct el_error *error)
{
	const struct morris_sets *m = (const struct morris_sets *)sets;
	const double start = clock_seconds();
	struct work w = {
		.sets = m,
		.lent = {.lender = m->lender},
		.found = scratch,
	};
	const unsigned us = el_slice_mover(&sets->slice, side);
	enum el_status status = EL_OK;
	uint64_t decided = 0;
	w.entered = w.found + 64 * m->row_words;
	w.quiet = w.entered + m->longest;
	w.taking = w.quiet + m->placed;
	w.black = (uint32_t *)(w.taking + m->placed);
	for (size_t row = unit * m->unit_rows; row < morris_rows_end(m, unit) && !status; row++) {
		w.row = morris_row(m, row);
		for (uint32_t rank = 0; rank < m->places; rank++)
			w.black[rank] = morris_black(&w.row, rank);
		for (size_t i = 0; i < 64 * m->row_words; i++)
			w.found[i] = effect_none;
		morris_list_legal(&w.row, out->legal + w.row.word);
		(us == EL_WHITE ? place_white : place_black)(&w);
		for (size_t word = 0; word < m->row_words && !status; word++) {
			const size_t at = w.row.word + word;
			for (uint64_t bits = out->legal[at]; bits; bits &= bits - 1)
				decided +=
					w.found[64 * word + (unsigned)__builtin_ctzll(bits)].win !=
					EFFECT_NEVER;
			status = events_of_word(out, (uint32_t)at, out->legal[at],
			                        w.found + 64 * word);
		}
	}
	lent_let_go(&w.lent);
	out->decided[0] = decided;
	out->seconds[0] = clock_seconds() - start;
	return events_fail(status, &sets->slice, error);
}

/* ---- quiet moves: there are none ---- */

static size_t links(const struct el_sets *sets, unsigned side, size_t unit,
                    uint32_t out[EL_LINKS_MAX])
{
	(void)sets, (void)side, (void)unit, (void)out;
	return 0;
}

static void pre(const struct el_sets *sets, unsigned side, size_t unit,
                const uint64_t *const to[EL_LINKS_MAX], const uint64_t *among, bool some,
                uint64_t *from, void *scratch)
{
	(void)side, (void)unit, (void)to, (void)scratch;
	for (size_t w = 0; w < sets->words; w++)
		from[w] = some ? 0 : among[w];
}

/* ---- opening ---- */

void morris_open_placing(struct morris_sets *m)
{
	const struct el_slice *slice = &m->head.slice;
	struct el_slice entered[EL_SUCCESSORS_MAX];
	for (size_t i = slice->game->successors(slice, entered); i-- > 0;) {
		const uint32_t row = morris_places(entered[i].count[0][0], entered[i].count[1][0]);
		m->longest = row > m->longest ? row : m->longest;
	}
	if (el_slice_moves(slice, EL_BLACK))
		m->placed = morris_places(m->men[0], m->men[1] + 1);
	m->first_placed = (UINT32_C(2) << m->men[1]) - 1;
	m->head.sides = slice->planes;
	m->head.stages[0] = "placings";
	m->head.begin = begin;
	m->head.links = links;
	m->head.pre = pre;
	m->head.scratch = sizeof(struct effect) * (64 * m->row_words + m->longest + 2 * m->placed) +
	                  sizeof(uint32_t) * m->places;
	for (unsigned ring = 0; ring < 3; ring++)
		for (unsigned before = 0; before <= MORRIS_MEN_MAX; before++)
			for (uint32_t set = 0; set < 256; set++) {
				unsigned k = before;
				uint32_t *rank = &m->ranks.of[ring][before][set];
				*rank = 0;
				for (uint32_t left = set; left && k < MORRIS_MEN_MAX;)
					*rank += choose[8 * ring + morris_pop(&left)][++k];
			}
}
