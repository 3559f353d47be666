/* SPDX-License-Identifier: MIT */
/*
 * An observer of the solver (solve.h) keeps the draws as bitmaps. When the last pass is over, the
 * game's set operators are still there, and find the greatest set within a region:
 *
 *     ATTACKS = no quiet move leads to a position outside DEFENDS that the defender does not win
 *     DEFENDS = pre_some(ATTACKS), or a conversion or stalemate holds the draw
 *
 * each among the draws in the region, until neither shrinks.
 */
#include "fortress.h"

#include "core/solve/memory.h"
#include "core/whole/lender.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* The bitmaps of all units of one side to move, `stride` words from unit to unit. */
enum bitmap {
	OPEN,    /* draws */
	ESCAPE,  /* legal and not won */
	HOLDS,   /* a conversion that does not lose, or a stalemate */
	SET,     /* in the best region so far */
	ATTEMPT, /* in the region that is tried */
	BITMAPS,
};

struct half {
	uint64_t *of[BITMAPS];
	uint64_t wins; /* positions that this side wins, whoever is to move */
};

enum {
	/* words of a bitmap from which on threads share its units: with fewer, they would wait for each
	   other longer than they work */
	SHARED_WORDS = 1 << 18,
};

struct search {
	/* with White as the side named first */
	struct el_position position;
	struct el_place place; /* of the position */
	int wanted;            /* defender, or EL_FORTRESS_ANY */
	unsigned defender;
	const struct el_sets *sets; /* from the first unit on */
	size_t stride;
	struct half half[2];
	/* A set as the other side's operators see it, by their unit, and which units are not
	   empty. */
	uint64_t *seen;
	bool *filled;
	uint64_t *spaces; /* see workspace: `space` words for each thread */
	size_t space;
	bool shared;      /* threads share the units */
	size_t unit, bit; /* of the position */
	const struct el_watch *watch;
	struct el_fortress *out;
	struct el_error error; /* status EL_OK: none */
};

static uint64_t *bitmaps(const struct search *s)
{
	const size_t words = s->sets->units * s->stride;
	uint64_t *set = aligned_alloc(64, words * sizeof *set);
	if (set)
		memset(set, 0, words * sizeof *set);
	return set;
}

static void fail_memory(struct search *s)
{
	el_fail(&s->error, EL_MEMORY, "%s: out of memory", s->out->slice.name);
}

/* ---- the observer ---- */

static bool open_sets(struct search *s, const struct el_sets *sets)
{
	bool all = true;
	s->sets = sets;
	s->stride = (sets->words + 7) / 8 * 8;
	for (unsigned i = 0; i < 2 * BITMAPS; i++)
		all &= (s->half[i / BITMAPS].of[i % BITMAPS] = bitmaps(s)) != NULL;
	s->seen = bitmaps(s);
	s->filled = calloc(sets->units, sizeof *s->filled);
	s->shared = sets->units * s->stride >= SHARED_WORDS;
	s->space = 2 * s->stride + (sets->scratch + 63) / 64 * 8;
	s->spaces = aligned_alloc(64, (size_t)omp_get_max_threads() * s->space * sizeof *s->spaces);
	return all && s->seen && s->filled && s->spaces;
}

static void begin(void *context, const struct el_sets *sets, unsigned side, size_t number,
                  const struct el_unit *unit)
{
	struct search *s = context;
	if (!sets->keep)
		el_fail(&s->error, EL_NEGATIVE, "%s: this game has no operators on regions",
		        sets->slice.name);
	else if (!s->sets && !open_sets(s, sets))
		fail_memory(s);
	if (s->error.status)
		return;
	const size_t at = number * s->stride, size = sets->words * sizeof(uint64_t);
	memcpy(s->half[side].of[OPEN] + at, unit->legal, size);
	memcpy(s->half[side].of[ESCAPE] + at, unit->legal, size);
	memcpy(s->half[side].of[HOLDS] + at, unit->blocked, size);
	for (size_t i = 0; i < unit->frees.count; i++)
		s->half[side].of[HOLDS][at + unit->frees.events[i].word] &=
			~unit->frees.events[i].bits;
}

static void observe(void *context, const struct el_sets *sets, const struct el_pass *pass)
{
	struct search *s = context;
	if (s->error.status)
		return;
	struct half *h = &s->half[pass->side];
	const size_t at = pass->unit * s->stride;
	uint64_t count = 0;
	for (size_t w = 0; w < sets->words; w++) {
		const uint64_t decided = pass->decided[w];
		if (pass->outcome == EL_DRAW) {
			h->of[HOLDS][at + w] |= decided;
			continue;
		}
		h->of[OPEN][at + w] &= ~decided;
		h->of[ESCAPE][at + w] &= pass->outcome == EL_WIN ? ~decided : UINT64_MAX;
		count += (uint64_t)__builtin_popcountll(decided);
	}
	s->half[pass->outcome == EL_WIN ? pass->side : !pass->side].wins += count;
}

/* ---- the greatest set within a region ---- */

/* Each thread's two bitmaps of a unit, and the scratch memory of the operators behind them. */
static uint64_t *workspace(const struct search *s)
{
	return s->spaces + (size_t)omp_get_thread_num() * s->space;
}

/* Shows a set of `side`, less the positions of `without` (may be null), to the other side. */
static void show(struct search *s, unsigned side, const uint64_t *set, const uint64_t *without)
{
	const struct el_sets *sets = s->sets;
	memset(s->filled, 0, sets->units * sizeof *s->filled);
#pragma omp parallel for schedule(dynamic, 4) if (s->shared)
	for (size_t unit = 0; unit < sets->units; unit++) {
		uint64_t *one = workspace(s), *turned = one + s->stride, any = 0;
		const size_t at = unit * s->stride;
		for (size_t w = 0; w < sets->words; w++)
			any |= one[w] = set[at + w] & (without ? ~without[at + w] : UINT64_MAX);
		if (!any)
			continue;
		const size_t number = sets->turn ? sets->turn(sets, side, unit, one, turned) : unit;
		memcpy(s->seen + number * s->stride, sets->turn ? turned : one,
		       sets->words * sizeof *one);
		s->filled[number] = true;
	}
}

/* Takes out of the attempt what does not lead back into the set shown (the defender to move), or
   leads into it (the attacker to move). Did that change it? */
static bool shrink(struct search *s, unsigned side)
{
	const struct el_sets *sets = s->sets;
	const bool defends = side == s->defender;
	const struct half *h = &s->half[side];
	bool changed = false;
#pragma omp parallel for schedule(dynamic, 4) reduction(|| : changed) if (s->shared)
	for (size_t unit = 0; unit < sets->units; unit++) {
		uint64_t *found = workspace(s), any = 0;
		uint64_t *now = h->of[ATTEMPT] + unit * s->stride;
		const uint64_t *holds = h->of[HOLDS] + unit * s->stride;
		const uint64_t *to[EL_LINKS_MAX];
		uint32_t links[EL_LINKS_MAX];
		for (size_t w = 0; w < sets->words; w++)
			any |= now[w];
		if (!any)
			continue;
		const size_t count = sets->links(sets, side, unit, links);
		for (size_t i = 0; i < count; i++)
			to[i] = s->filled[links[i]] ? s->seen + links[i] * s->stride : NULL;
		sets->pre(sets, side, unit, to, now, defends, found, found + 2 * s->stride);
		for (size_t w = 0; w < sets->words; w++) {
			const uint64_t stays = found[w] | (defends ? now[w] & holds[w] : 0);
			changed = changed || stays != now[w];
			now[w] = stays;
		}
	}
	return changed;
}

/* Is the position in the greatest set within the region, part of that of `from`? If it is, that
   set becomes the best. */
static bool try_region(struct search *s, uint64_t region, bool from_all)
{
	const struct el_sets *sets = s->sets;
	const struct el_progress progress = {.stage = "fortress", .what = s->out->slice.name};
	const unsigned attacker = !s->defender;
	if (!s->error.status && !el_watch_tick(s->watch, &progress))
		el_fail(&s->error, EL_STOPPED, "%s: stopped", s->out->slice.name);
	if (s->error.status)
		return false;
	for (unsigned side = 0; side < 2; side++) {
		struct half *h = &s->half[side];
		memcpy(h->of[ATTEMPT], from_all ? h->of[OPEN] : h->of[SET],
		       sets->units * s->stride * sizeof *h->of[ATTEMPT]);
#pragma omp parallel for schedule(dynamic, 4) if (s->shared)
		for (size_t unit = 0; unit < sets->units; unit++)
			sets->keep(sets, side, unit, s->defender, s->out->kinds, region,
			           h->of[ATTEMPT] + unit * s->stride);
	}
	const uint64_t *root = s->half[s->place.plane].of[ATTEMPT] + s->unit * s->stride;
	bool holds = true, changed = true;
	while (changed && holds) {
		const struct half *h = &s->half[s->defender];
		show(s, s->defender, h->of[ESCAPE], h->of[ATTEMPT]);
		shrink(s, attacker);
		show(s, attacker, s->half[attacker].of[ATTEMPT], NULL);
		changed = shrink(s, s->defender);
		holds = root[s->bit / 64] >> s->bit % 64 & 1;
	}
	for (unsigned side = 0; side < 2 && holds; side++) {
		uint64_t *set = s->half[side].of[SET];
		s->half[side].of[SET] = s->half[side].of[ATTEMPT];
		s->half[side].of[ATTEMPT] = set;
	}
	return holds;
}

/* ---- regions ---- */

uint64_t fortress_around(const struct el_game *game, uint64_t set, int steps)
{
	uint64_t found = 0;
	unsigned file, rank, to_file, to_rank;
	for (uint8_t from = 0; from < 64; from++)
		for (uint8_t to = 0; to < 64 && set >> from & 1; to++) {
			if (!el_square_find(game, from, &file, &rank) ||
			    !el_square_find(game, to, &to_file, &to_rank))
				continue;
			const int x = abs((int)file - (int)to_file),
				  y = abs((int)rank - (int)to_rank);
			found |= (uint64_t)((x > y ? x : y) <= steps) << to;
		}
	return found;
}

static uint64_t images(const struct search *s, uint64_t set)
{
	uint64_t all = 0;
	for (; set; set &= set - 1)
		all |= s->sets->images(s->sets, (unsigned)__builtin_ctzll(set));
	return all;
}

uint64_t fortress_squares(const struct el_position *p, unsigned side, unsigned kinds)
{
	uint64_t squares = 0;
	for (unsigned kind = 0; kind < EL_KINDS; kind++)
		squares |= kinds >> kind & 1 ? p->set[side][kind] : 0;
	return squares;
}

/* The smallest region: see the header. Sets `set` to what is in it. */
static uint64_t find_region(struct search *s)
{
	const struct el_game *game = s->sets->game;
	const uint64_t home = fortress_squares(&s->position, s->defender, s->out->kinds);
	uint64_t region = 0;
	int steps = 0;
	bool holds = false;
	for (; !holds && !s->error.status && steps < 8; steps++)
		holds = try_region(s, region = images(s, fortress_around(game, home, steps)), true);
	if (!holds && !s->error.status) /* on the whole board every draw holds */
		el_fail(&s->error, EL_DAMAGED, "%s: the draws of its tables contradict each other",
		        s->out->slice.name);
	for (; steps-- > 0 && !s->error.status;) {
		uint64_t ring = region & fortress_around(game, home, steps) &
		                (steps ? ~fortress_around(game, home, steps - 1) : UINT64_MAX);
		while (ring && !s->error.status) {
			const uint64_t square =
				s->sets->images(s->sets, (unsigned)__builtin_ctzll(ring));
			ring &= ~square;
			if (square & region && try_region(s, region & ~square, false))
				region &= ~square;
		}
	}
	/* the part of the region that the pieces can get to, a step at a time */
	uint64_t part = home;
	for (uint64_t before = 0; part != before;) {
		before = part;
		part = fortress_around(game, part, 1) & region;
	}
	return part;
}

/* ---- from bits to the index ---- */

/* What is told of each bit: parts of its number, its place among the units of the section, or
   whether it is in the set (1) and held there by a stalemate or another slice (2). */
enum told { BIT_LOW, BIT_HIGH, UNIT_PLACE, IN_SET };

/* Sorts what is told of each bit of a section's units by index. Returns an array for the indexes of
   the section, which the caller frees; null without memory. */
static uint16_t *gather(const struct search *s, unsigned side, size_t section, enum told told)
{
	const struct el_sets *sets = s->sets;
	uint32_t units[EL_LINKS_MAX];
	const uint16_t *by_bit[EL_LINKS_MAX];
	const size_t count = sets->section_units(sets, side, section, units);
	const size_t bits = 64 * sets->stored_words;
	const uint64_t indexes = sets->section(sets, section + 1) - sets->section(sets, section);
	uint16_t *all = malloc(count * bits * sizeof *all);
	uint16_t *by_index = all ? malloc(indexes * sizeof *by_index) : NULL;
	for (size_t k = 0; k < count && by_index; k++) {
		const uint64_t *set = s->half[side].of[SET] + units[k] * s->stride,
			       *holds = s->half[side].of[HOLDS] + units[k] * s->stride;
		by_bit[k] = all + k * bits;
		for (size_t bit = 0; bit < bits; bit++) {
			const unsigned in = set[bit / 64] >> bit % 64 & 1,
				       held = holds[bit / 64] >> bit % 64 & 1;
			all[k * bits + bit] = (uint16_t)(told == BIT_LOW      ? bit
			                                 : told == BIT_HIGH   ? bit >> 16
			                                 : told == UNIT_PLACE ? k
			                                                      : in + 2 * held);
		}
	}
	if (by_index)
		sets->gather(sets, side, section, by_bit, by_index);
	free(all);
	return by_index;
}

/* Finds the bit of the position. */
static void find_bit(struct search *s)
{
	const struct el_sets *sets = s->sets;
	const unsigned side = s->place.plane;
	size_t section = 0, found[IN_SET] = {0};
	uint32_t units[EL_LINKS_MAX];
	while (sets->section(sets, section + 1) <= s->place.index)
		section++;
	for (enum told told = BIT_LOW; told < IN_SET; told++) {
		uint16_t *by_index = gather(s, side, section, told);
		if (!by_index) {
			fail_memory(s);
			return;
		}
		found[told] = by_index[s->place.index - sets->section(sets, section)];
		free(by_index);
	}
	sets->section_units(sets, side, section, units);
	s->unit = units[found[UNIT_PLACE]];
	s->bit = found[BIT_HIGH] << 16 | found[BIT_LOW];
}

/* Notes which indexes of a plane are in the set, and counts the placements with the pieces in the
   region. An orbit has as many placements for each image of the king's square. */
static void note_plane(struct search *s, unsigned plane)
{
	const struct el_sets *sets = s->sets;
	struct el_fortress *out = s->out;
	uint64_t count = 0;
	out->inside[plane] = calloc(out->slice.positions / 8 + 1, 1);
	out->held[plane] = calloc(out->slice.positions / 8 + 1, 1);
	if (!out->inside[plane] || !out->held[plane])
		fail_memory(s);
	for (size_t section = 0; section < sets->sections && !s->error.status; section++) {
		const uint64_t first = sets->section(sets, section),
			       end = sets->section(sets, section + 1);
		uint16_t *in_set = gather(s, plane, section, IN_SET);
		if (!in_set)
			fail_memory(s);
#pragma omp parallel for reduction(+ : count) if (s->shared)
		for (uint64_t byte = first / 8; byte <= end / 8; byte++)
			for (uint64_t i = 8 * byte; i < 8 * byte + 8 && in_set; i++) {
				struct el_position p;
				if (i < first || i >= end || !(in_set[i - first] & 1) ||
				    !sets->game->unplace(&out->slice, plane, i, &p))
					continue;
				out->inside[plane][byte] |= (uint8_t)(1 << i % 8);
				out->held[plane][byte] |=
					(uint8_t)((in_set[i - first] >> 1) << i % 8);
				const uint64_t at = fortress_squares(&p, s->defender, out->kinds);
				const uint64_t all = images(s, at & -at);
				count += sets->game->orbit(&p) *
				         (uint64_t)__builtin_popcountll(all & out->region) /
				         (uint64_t)__builtin_popcountll(all);
			}
		free(in_set);
	}
	out->positions[plane] = count;
}

/* ---- the whole ---- */

/* After the last pass. */
static void done(void *context, const struct el_sets *sets)
{
	struct search *s = context;
	struct el_fortress *out = s->out;
	if (!s->error.status)
		find_bit(s);
	if (s->error.status)
		return;
	const uint64_t *open = s->half[s->place.plane].of[OPEN] + s->unit * s->stride;
	if (!(open[s->bit / 64] >> s->bit % 64 & 1)) {
		el_fail(&s->error, EL_NEGATIVE, "%s: the position is not a draw", out->slice.name);
		return;
	}
	s->defender = s->wanted != EL_FORTRESS_ANY                      ? (unsigned)s->wanted
	              : s->half[EL_WHITE].wins < s->half[EL_BLACK].wins ? EL_WHITE
	                                                                : EL_BLACK;
	out->passes = sets->words > sets->stored_words;
	out->region = find_region(s);
	for (unsigned plane = 0; plane < 2 && !s->error.status; plane++)
		note_plane(s, plane);
}

static int tick(void *context, const struct el_progress *progress)
{
	const struct search *s = context;
	return !s->error.status && el_watch_tick(s->watch, progress);
}

const char *el_fortress_refused(const struct el_game *game)
{
	return game->sows ? "stones are sown all around the board: no side keeps to a region"
	       : game->neighbours
	               ? "the symmetries of its board leave no region smaller than the board"
	               : NULL;
}

enum el_status el_fortress_find(struct el_library *library, const struct el_game *game,
                                const struct el_position *position, int defender,
                                const struct el_watch *watch, struct el_fortress *out,
                                struct el_error *error)
{
	struct search s = {.position = *position, .watch = watch, .out = out};
	*out = (struct el_fortress){.kinds = game->single ? game->single : (1u << EL_KINDS) - 1};
	const char *refused = el_fortress_refused(game);
	if (refused)
		return el_fail(error, EL_NEGATIVE, "%s: %s", game->title, refused);
	enum el_status status = game->slice_of(position, &out->slice, error);
	if (status)
		return status;
	const struct el_slice *slice = &out->slice;
	if (slice->planes == 1)
		return el_fail(error, EL_NEGATIVE,
		               "%s: both sides have the same material, so that neither defends",
		               slice->name);
	const uint64_t bits = slice->game->measure(slice).bits;
	status = memory_check(slice->name, memory_of_all(slice) + bits / 8 * (2 * BITMAPS + 1),
	                      error);
	if (status)
		return status;
	game->place(position, &s.place);
	out->swapped = s.place.plane != position->side;
	if (out->swapped)
		game->swap_colours(position, &s.position);
	s.wanted = defender == EL_FORTRESS_ANY ? defender : defender ^ (int)out->swapped;

	const struct el_observer observer = {&s, begin, observe, done, NULL};
	const struct el_watch inner = {&s, tick};
	const struct el_problem problem = {
		.slice = *slice, .metric = &el_wdl, .observer = &observer, .watch = &inner};
	struct el_planes planes;
	status = lender_solve(library, watch, problem, &planes, error);
	if (!status)
		el_planes_free(&planes);
	if (s.error.status)
		status = el_fail(error, s.error.status, "%s", s.error.text);
	for (unsigned i = 0; i < 2 * BITMAPS; i++)
		free(s.half[i / BITMAPS].of[i % BITMAPS]);
	free(s.seen);
	free(s.filled);
	free(s.spaces);
	if (status) {
		el_fortress_free(out);
		return status;
	}
	/* back to the sides and squares of the position given */
	out->defender = s.defender ^ out->swapped;
	if (out->swapped) {
		struct el_position board = {.set = {{out->region}}, .en_passant = EL_NO_SQUARE},
				   turned;
		const uint64_t positions = out->positions[0];
		game->swap_colours(&board, &turned);
		out->region = turned.set[1][0];
		out->positions[0] = out->positions[1];
		out->positions[1] = positions;
	}
	out->position = *position;
	out->position.en_passant = EL_NO_SQUARE;
	return EL_OK;
}

bool el_fortress_holds(const struct el_fortress *f, const struct el_position *position)
{
	struct el_place place;
	if (!f->inside[0] || !f->slice.game->place(position, &place) || place.key != f->slice.key ||
	    (place.plane != position->side) != f->swapped ||
	    (fortress_squares(position, f->defender, f->kinds) & ~f->region))
		return false;
	const uint32_t number = f->listed ? fortress_number(f, position) : 0;
	return f->listed ? f->listed[number / 8] >> number % 8 & 1
	                 : f->inside[place.plane][place.index / 8] >> place.index % 8 & 1;
}

bool fortress_is_held(const struct el_fortress *f, const struct el_position *position)
{
	struct el_place place;
	return f->slice.game->place(position, &place) &&
	       (f->held[place.plane][place.index / 8] >> place.index % 8 & 1);
}

void el_fortress_free(struct el_fortress *f)
{
	for (unsigned plane = 0; plane < 2; plane++) {
		free(f->inside[plane]);
		free(f->held[plane]);
		f->inside[plane] = f->held[plane] = NULL;
	}
	free(f->listed);
	f->listed = NULL;
}
