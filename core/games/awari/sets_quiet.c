/* SPDX-License-Identifier: MIT */
/* The two operators for quiet moves, those that capture nothing. */
#include "sets.h"

#include <string.h>

#ifdef __BMI2__
#include <immintrin.h>
#endif

/* ---- turning matrices ---- */

size_t awari_turn(const struct el_sets *sets, unsigned side, size_t unit, const uint64_t *set,
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

void awari_pre(const struct el_sets *sets, unsigned side, size_t unit,
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
size_t awari_links(const struct el_sets *sets, unsigned side, size_t unit,
                   uint32_t out[EL_LINKS_MAX])
{
	(void)sets;
	(void)side;
	for (size_t crossed = 0; crossed <= unit; crossed++)
		out[crossed] = (uint32_t)(unit - crossed);
	return unit + 1;
}
