/* SPDX-License-Identifier: MIT */
/* Opens a slice as bit matrices, with the operator on them, and maps these to the index. */
#include "sets.h"

#include "core/games/whole.h"

#include <stdlib.h>
#include <string.h>

#ifdef __BMI2__
#include <immintrin.h>
#endif

/* ---- the layout ---- */

static size_t unit_words(unsigned stones, unsigned own)
{
	return awari_rows(own) * awari_words(stones - own);
}

/* A unit turned has as many words as the unit of that number: its rows are the other side's. */
static size_t words_of(const struct el_sets *sets, size_t unit)
{
	return ((const struct awari_sets *)sets)->words[unit];
}

struct el_measure awari_measure(const struct el_slice *slice)
{
	const unsigned stones = slice->pieces;
	/* Words of every struct awari_columns, bytes of the lists of pits, boards of a section. */
	uint64_t words = 0, bytes = 0, most = 0, bits = 0, unit_bits = 0;
	for (unsigned own = 0; own <= stones; own++) {
		const uint64_t unit = 64 * (uint64_t)unit_words(stones, own);
		bits += unit;
		unit_bits = unit > unit_bits ? unit : unit_bits;
		const uint64_t boards = (uint64_t)awari_rows(own) * awari_rows(stones - own);
		most = boards > most ? boards : most;
		words += (own + 3 * AWARI_ROW) * awari_words(own);
		bytes += awari_rows(own) * (AWARI_ROW + sizeof(struct awari_moves));
	}
	return (struct el_measure){
		.bits = bits,
		.unit_bits = unit_bits,
		.beside = words * sizeof(uint64_t) + bytes,
		.desk = 2 * unit_bits + 2 * most,
	};
}

/* ---- from matrices to the index ---- */

static uint64_t section_begin(const struct el_sets *sets, size_t section)
{
	return awari_first(sets->slice.pieces, (unsigned)section);
}

static void gather(const struct el_sets *sets, unsigned side, size_t section,
                   const uint16_t *const by_bit[EL_LINKS_MAX], uint16_t *by_index)
{
	const unsigned own = (unsigned)section, others = sets->slice.pieces - own;
	const size_t columns = awari_rows(others), bits = 64 * awari_words(others);
	(void)side;
	for (size_t row = 0; row < awari_rows(own); row++)
		memcpy(by_index + row * columns, by_bit[0] + row * bits,
		       columns * sizeof *by_index);
}

/* ---- quiet moves, those that capture nothing: turning matrices ---- */

static size_t turn(const struct el_sets *sets, unsigned side, size_t unit, const uint64_t *set,
                   uint64_t *out)
{
	const unsigned own = (unsigned)unit, others = sets->slice.pieces - own;
	const size_t words = awari_words(others), turned = awari_words(own);
	(void)side;
	memset(out, 0, awari_rows(others) * turned * sizeof *out);
	for (size_t row = 0; row < awari_rows(own); row++) {
		uint64_t *to = out + row / 64;
		const uint64_t bit = UINT64_C(1) << row % 64;
		for (size_t w = 0; w < words; w++)
			for (uint64_t bits = *set++; bits; bits &= bits - 1)
				to[(64 * w + (unsigned)__builtin_ctzll(bits)) * turned] |= bit;
	}
	return others;
}

/* ---- columns ---- */

/* The bits of a word selected by the mask, packed at its lower end. */
static inline uint64_t extract(uint64_t word, uint64_t mask)
{
#ifdef __BMI2__
	return _pext_u64(word, mask);
#else
	uint64_t out = 0;
	for (unsigned i = 0; mask; mask &= mask - 1, i++)
		out |= (uint64_t)((word & mask & -mask) != 0) << i;
	return out;
#endif
}

static bool is_empty(const uint64_t *set, size_t words)
{
	uint64_t any = 0;
	for (size_t w = 0; w < words; w++)
		any |= set[w];
	return !any;
}

/* Packs the bits of a set selected by the mask and ORs them into another set, except those in `not`
   (may be null). */
static void add_extracted(const uint64_t *set, const uint64_t *mask, size_t words,
                          const uint64_t * not, uint64_t *out)
{
	uint64_t gathered = 0;
	unsigned count = 0;
	for (size_t w = 0; w < words; w++) {
		if (!mask[w])
			continue;
		const uint64_t bits = extract(set[w], mask[w]);
		gathered |= bits << count;
		const unsigned more = (unsigned)__builtin_popcountll(mask[w]);
		if (count + more < 64) {
			count += more;
			continue;
		}
		*out++ |= not ? gathered & ~*not ++ : gathered;
		gathered = count ? bits >> (64 - count) : 0;
		count = count + more - 64;
	}
	if (count)
		*out |= not ? gathered & ~*not : gathered;
}

/* ---- rows ---- */

/* The columns of a row from which a step leads into the set. A step that leaves the other side no
   stone does not count: it is illegal if there is another move, and else it wins all stones
   (sets_conversions.c). */
static void take_back(const struct awari_sets *s, unsigned others, const struct awari_step *step,
                      const uint64_t *const to[EL_LINKS_MAX], uint64_t *found)
{
	const unsigned then = others + step->crossed;
	const size_t words = awari_words(then);
	const uint64_t *unit = to[step->crossed];
	const uint64_t *row = unit ? unit + step->row * words : NULL;
	const struct awari_columns *columns = &s->columns[others];
	if (!row || !then || is_empty(row, words))
		return;
	if (step->crossed)
		add_extracted(row, columns->sown[step->crossed], words, awari_caught(columns, step),
		              found);
	else
		for (size_t w = 0; w < words; w++)
			found[w] |= row[w];
}

static void pre(const struct el_sets *sets, unsigned side, size_t unit,
                const uint64_t *const to[EL_LINKS_MAX], const uint64_t *among, bool some,
                uint64_t *from, void *scratch)
{
	const struct awari_sets *s = (const struct awari_sets *)sets;
	const unsigned own = (unsigned)unit, others = s->stones - own;
	const size_t words = awari_words(others), rows = awari_rows(own);
	uint64_t *found = scratch;
	(void)side;
	for (size_t row = 0; row < rows; row++, among += words, from += words) {
		if (is_empty(among, words)) {
			memset(from, 0, words * sizeof *from);
			continue;
		}
		const struct awari_moves *moves = &s->moves[own][row];
		memset(found, 0, words * sizeof *found);
		for (unsigned i = 0; i < moves->count; i++)
			take_back(s, others, &moves->step[i], to, found);
		for (size_t w = 0; w < words; w++)
			from[w] = among[w] & (some ? found[w] : ~found[w]);
	}
}

/* Links are ordered by the number of stones that cross. */
static size_t links(const struct el_sets *sets, unsigned side, size_t unit,
                    uint32_t out[EL_LINKS_MAX])
{
	(void)sets;
	(void)side;
	for (size_t crossed = 0; crossed <= unit; crossed++)
		out[crossed] = (uint32_t)(unit - crossed);
	return unit + 1;
}

/* ---- what is the same for all rows ---- */

unsigned awari_capture(const uint8_t before[AWARI_ROW], unsigned crossed, unsigned last,
                       uint8_t after[AWARI_ROW])
{
	unsigned captured = 0;
	for (unsigned i = 0; i < AWARI_ROW; i++)
		after[i] = (uint8_t)(before[i] + awari_fall(crossed, i));
	for (unsigned i = last + 1; i-- > 0 && (after[i] == 2 || after[i] == 3);) {
		captured += after[i];
		after[i] = 0;
	}
	return captured;
}

static enum el_status open_columns(struct awari_sets *s, unsigned stones)
{
	struct awari_columns *c = &s->columns[stones];
	for (unsigned crossed = 1; crossed <= s->stones - stones; crossed++) {
		const unsigned then = stones + crossed;
		c->sown[crossed] = calloc(awari_words(then), sizeof(uint64_t));
		if (!c->sown[crossed])
			return EL_MEMORY;
		for (uint32_t rank = 0; rank < awari_rows(then); rank++) {
			bool enough = true;
			for (unsigned pit = 0; pit < AWARI_ROW; pit++)
				enough &= s->pits[then][rank][pit] >= awari_fall(crossed, pit);
			if (enough)
				c->sown[crossed][rank / 64] |= UINT64_C(1) << rank % 64;
		}
	}
	for (unsigned i = 0; i < 3 * AWARI_ROW; i++) {
		const unsigned fallen = i / AWARI_ROW + 1, pit = i % AWARI_ROW;
		uint64_t *caught = calloc(awari_words(stones), sizeof(uint64_t));
		c->caught[fallen - 1][pit] = caught;
		if (!caught)
			return EL_MEMORY;
		for (uint32_t rank = 0; rank < awari_rows(stones); rank++) {
			const unsigned crossed = (fallen - 1) * AWARI_ROW + pit + 1;
			uint8_t left[AWARI_ROW];
			const unsigned captured =
				awari_capture(s->pits[stones][rank], crossed, pit, left);
			if (captured && !(s->head.game->spares && captured == stones + crossed))
				caught[rank / 64] |= UINT64_C(1) << rank % 64;
		}
	}
	return EL_OK;
}

static struct awari_moves moves_of(const uint8_t row[AWARI_ROW])
{
	struct awari_moves moves = {.count = 0};
	for (unsigned from = 0; from < AWARI_ROW; from++) {
		struct awari_board board = {{0}};
		if (!row[from])
			continue;
		memcpy(board.pit, row, AWARI_ROW);
		struct awari_step *step = &moves.step[moves.count++];
		const unsigned last = awari_fill(board.pit, from);
		step->crossed = (uint8_t)awari_row_sum(board.pit + AWARI_ROW);
		step->last = (uint8_t)(last < AWARI_ROW ? AWARI_NOWHERE : last - AWARI_ROW);
		step->row = awari_rank(board.pit);
	}
	return moves;
}

static enum el_status open_matrices(struct awari_sets *s)
{
	enum el_status status = EL_OK;
	for (unsigned stones = 0; stones <= s->stones; stones++) {
		s->pits[stones] = malloc(awari_rows(stones) * sizeof *s->pits[stones]);
		s->moves[stones] = malloc(awari_rows(stones) * sizeof *s->moves[stones]);
		if (!s->pits[stones] || !s->moves[stones])
			return EL_MEMORY;
		for (uint32_t rank = 0; rank < awari_rows(stones); rank++) {
			awari_unrank(stones, rank, s->pits[stones][rank]);
			s->moves[stones][rank] = moves_of(s->pits[stones][rank]);
		}
	}
	for (unsigned stones = 0; stones <= s->stones && !status; stones++)
		status = open_columns(s, stones);
	return status;
}

/* ---- open and close ---- */

/* A side without stones in its own pits loses those that are left, if any. */
static void keep_lost(const struct el_sets *sets, unsigned side, size_t unit, uint64_t *stuck)
{
	(void)side;
	if (!sets->slice.pieces)
		memset(stuck, 0, words_of(sets, unit) * sizeof *stuck);
}

static void close_sets(struct el_sets *sets)
{
	struct awari_sets *s = (struct awari_sets *)sets;
	awari_give_back(sets);
	for (unsigned stones = 0; stones <= s->stones; stones++) {
		struct awari_columns *c = &s->columns[stones];
		free(s->pits[stones]);
		free(s->moves[stones]);
		for (unsigned crossed = 0; crossed <= AWARI_STONES; crossed++)
			free(c->sown[crossed]);
		for (unsigned i = 0; i < 3 * AWARI_ROW; i++)
			free(c->caught[i / AWARI_ROW][i % AWARI_ROW]);
	}
	free(s);
}

static struct el_sets *make_sets(const struct el_problem *problem)
{
	const struct el_slice *slice = &problem->slice;
	struct awari_sets *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	s->stones = slice->pieces;
	s->lender = problem->lender;
	s->head = (struct el_sets){
		.game = slice->game,
		.slice = *slice,
		.sides = 1,
		.units = s->stones + 1,
		.unit_words = words_of,
		.sections = s->stones + 1,
		.stages = {"captures"},
		.begin = awari_begin,
		.lost = keep_lost,
		.turn = turn,
		.links = links,
		.pre = pre,
		.section = section_begin,
		.section_units = whole_section_unit,
		.gather = gather,
		.close = close_sets,
	};
	for (unsigned own = 0; own <= s->stones; own++) {
		s->words[own] = unit_words(s->stones, own);
		if (s->words[own] > s->head.words)
			s->head.words = s->head.stored_words = s->words[own];
	}
	s->head.scratch = awari_begin_scratch(s);
	if (!open_matrices(s))
		return &s->head;
	close_sets(&s->head);
	return NULL;
}

enum el_status awari_divide(const struct el_problem *problem, struct el_division **out,
                            struct el_error *error)
{
	static const struct whole_way way = {awari_measure, make_sets, awari_borrow,
	                                     awari_give_back};
	return whole_divide(&way, problem, out, error);
}
