/* SPDX-License-Identifier: MIT */
/*
 * The best move of each board, found by sowing. A row of six pits is a word, a byte for each pit, the
 * first the lowest. So a move is two additions, and the bars whose ranks number a row (index.h) are
 * the sums of its bytes from below: one multiplication.
 */
#include "core/games/best.h"

#include "awari.h"

/* What sowing so many stones from a pit adds to either row. */
struct sowing {
	uint64_t own, others;
	uint8_t last; /* the pit that receives the last stone */
};

struct awari_best {
	struct el_best head;
	unsigned stones;
	bool spares; /* as in el_game */
	struct sowing sowing[AWARI_ROW][AWARI_STONES + 1];
	/* by stones captured, and stones of the side to move then: the first index, and the number
	   of rows of the other side */
	uint64_t first[AWARI_MOST + 1][AWARI_STONES + 1];
	uint32_t rows[AWARI_MOST + 1][AWARI_STONES + 1];
	const struct best_entered *entered[AWARI_MOST + 1]; /* by stones captured */
};

/* ---- rows ---- */

#define ROW_SUMS UINT64_C(0x010101010101)
#define ROW_BARS UINT64_C(0x050403020100)

static inline uint64_t pit(unsigned number)
{
	return UINT64_C(0xff) << 8 * number;
}

/* The stones in each pit and those before it. */
static inline uint64_t sums_of(uint64_t row)
{
	return row * ROW_SUMS;
}

static inline unsigned sum_of(uint64_t sums)
{
	return (uint8_t)(sums >> 8 * (AWARI_ROW - 1));
}

static inline uint32_t rank_of(uint64_t sums)
{
	const uint64_t bars = sums + ROW_BARS;
	uint32_t rank = 0;
	for (unsigned bar = 0; bar < AWARI_ROW - 1; bar++)
		rank += choose[(uint8_t)(bars >> 8 * bar)][bar + 1];
	return rank;
}

/* The row with the next rank; not for the last one, whose stones are all in the first pit. */
static inline uint64_t next_row(uint64_t row)
{
	const uint64_t first = row & pit(0), others = row - first;
	const unsigned at = (unsigned)__builtin_ctzll(others) & ~7u;
	return others - (UINT64_C(1) << at) + ((first + 1) << (at - 8));
}

static uint64_t row_of(const uint8_t pits[AWARI_ROW])
{
	uint64_t row = 0;
	for (unsigned i = 0; i < AWARI_ROW; i++)
		row |= (uint64_t)pits[i] << 8 * i;
	return row;
}

/* ---- moves ---- */

/* Lists the moves of a board. One that leaves the other side no stone is legal only if every move
   does so. */
static inline size_t list_moves(const struct awari_best *b, uint64_t own, uint64_t others,
                                struct best_reader *reader, struct best_move *out)
{
	bool feeds = false;
	size_t count = 0;
	for (unsigned from = 0; from < AWARI_ROW; from++) {
		const uint8_t sown = (uint8_t)(own >> 8 * from);
		if (!sown)
			continue;
		const struct sowing *s = &b->sowing[from][sown];
		const uint64_t fed = others + s->others;
		uint64_t theirs = fed;
		unsigned captured = 0;
		for (unsigned at = s->last; at >= AWARI_ROW; at--) {
			const unsigned in = (uint8_t)(theirs >> 8 * (at - AWARI_ROW));
			if (in != 2 && in != 3)
				break;
			captured += in;
			theirs &= ~pit(at - AWARI_ROW);
		}
		if (!theirs && b->spares) {
			theirs = fed;
			captured = 0;
		}
		const uint64_t sums = sums_of(theirs);
		const unsigned left = sum_of(sums);
		if (feeds && !left)
			continue;
		if (!feeds && left) {
			feeds = true;
			count = 0;
		}
		const uint64_t index = b->first[captured][left] +
		                       (uint64_t)rank_of(sums) * b->rows[captured][left] +
		                       rank_of(sums_of((own & ~pit(from)) + s->own));
		out[count++] = (struct best_move){
			.to = captured ? BEST_LEAVES : index,
			.score = captured || !b->head.problem->moves
		                         ? best_look(reader, b->entered[captured], 0, index)
		                         : BEST_STUCK,
		};
	}
	return count;
}

static void unrank(const struct awari_best *b, uint64_t index, uint64_t row[2])
{
	struct el_position position;
	awari_unplace(&b->head.problem->planes->slice, 0, index, &position);
	row[0] = row_of(position.pits);
	row[1] = row_of(position.pits + AWARI_ROW);
}

/* ---- members of el_best ---- */

/* `among` of the visitor may be null: it asks for all. */
static inline enum el_status show(const struct el_best *best, size_t section,
                                  const struct best_visitor *visitor, void *scratch,
                                  struct el_error *error)
{
	const struct awari_best *b = (const struct awari_best *)best;
	const uint64_t first = best_section(best, section), end = best_section(best, section + 1);
	struct best_reader *reader = scratch;
	uint64_t row[2];
	best_reader_open(reader, best->problem);
	unrank(b, first, row);
	for (uint64_t i = first; i < end; i++) {
		struct best_move moves[AWARI_ROW];
		if (!visitor->among || best_asks(visitor, i - first))
			visitor->visit(visitor->context, i, moves,
			               list_moves(b, row[0], row[1], reader, moves));
		if (row[1] >> 8)
			row[1] = next_row(row[1]);
		else if (i + 1 < end)
			unrank(b, i + 1, row);
	}
	return best_reader_close(reader, error);
}

static inline void keep_best(void *context, uint64_t index, const struct best_move *moves,
                             size_t count)
{
	int16_t **out = context, most = BEST_STUCK;
	(void)index;
	for (size_t m = 0; m < count; m++)
		best_raise(&most, moves[m].score);
	*(*out)++ = most;
}

static enum el_status of(const struct el_best *best, unsigned side, size_t section, int16_t *out,
                         void *scratch, struct el_error *error)
{
	const struct best_visitor all = {.visit = keep_best, .context = &out};
	(void)side;
	return show(best, section, &all, scratch, error);
}

enum el_status awari_best(const struct el_best_problem *problem, struct el_best **out,
                          struct el_error *error)
{
	const struct el_best members = {
		.scratch = sizeof(struct best_reader), .of = of, .show = show};
	const enum el_status status =
		best_make(problem, sizeof(struct awari_best), &members, out, error);
	if (status)
		return status;
	struct awari_best *b = (struct awari_best *)*out;
	b->stones = problem->planes->slice.pieces;
	b->spares = problem->planes->slice.game->spares;
	for (unsigned from = 0; from < AWARI_ROW; from++)
		for (unsigned stones = 1; stones <= b->stones; stones++) {
			struct sowing *s = &b->sowing[from][stones];
			struct awari_board board = {{0}};
			board.pit[from] = (uint8_t)stones;
			s->last = (uint8_t)awari_fill(board.pit, from);
			s->own = row_of(board.pit);
			s->others = row_of(board.pit + AWARI_ROW);
		}
	for (unsigned n = 0; n <= AWARI_MOST && n <= b->stones; n++) {
		const unsigned all = b->stones - n;
		b->entered[n] =
			n ? best_entered_find(&b->head.reached, all) : &b->head.reached.quiet;
		for (unsigned left = 0; left <= all; left++) {
			b->first[n][left] = awari_first(all, left);
			b->rows[n][left] = awari_rows(all - left);
		}
	}
	return EL_OK;
}
