/* SPDX-License-Identifier: MIT */
/*
 * The rules of both games: legal moves, their effect on the board, and which positions are legal (J.W. Romein,
 * H.E. Bal, "Awari is Solved", ICGA Journal 25(3), 2002, appendix).
 *
 * A move that leaves the opponent no stone, because it gives none or captures all, is legal only if
 * every move does so. The opponent then cannot move, and loses the stones left on the board. In
 * oware, a move that would capture all is legal and captures nothing.
 */
#include "awari.h"
#include "core/games/plain.h"

/* ---- generating moves ---- */

/* The result of a move, seen from the side to move. */
struct sown {
	uint8_t last;     /* the pit that received the last stone */
	uint8_t captured; /* stones */
	uint16_t emptied; /* pits they were captured from */
	bool feeds;       /* the other side has a stone left */
};

/* From a non-empty pit. `spares`: as in el_game. */
static struct sown sown_from(struct awari_board board, unsigned from, bool spares)
{
	uint8_t *pit = board.pit;
	struct sown s = {.last = (uint8_t)awari_fill(pit, from)};
	for (unsigned at = s.last; at >= AWARI_ROW && (pit[at] == 2 || pit[at] == 3); at--) {
		s.captured += pit[at];
		s.emptied |= (uint16_t)(1u << at);
		pit[at] = 0;
	}
	s.feeds = awari_row_sum(pit + AWARI_ROW);
	if (!s.feeds && s.captured && spares)
		s = (struct sown){.last = s.last, .feeds = true};
	return s;
}

static size_t list_moves(const struct el_position *position, bool spares, bool quiet,
                         struct el_move *out)
{
	const struct awari_board board = awari_board_of(position);
	const unsigned side = position->side;
	struct sown sown[AWARI_ROW];
	bool feeds = false;
	size_t count = 0;
	for (unsigned from = 0; from < AWARI_ROW; from++)
		if (board.pit[from]) {
			sown[from] = sown_from(board, from, spares);
			feeds |= sown[from].feeds;
		}
	for (unsigned from = 0; from < AWARI_ROW; from++) {
		if (!board.pit[from] || sown[from].feeds != feeds ||
		    (!quiet && !sown[from].captured))
			continue;
		struct el_move *move = &out[count++];
		*move = (struct el_move){
			.from = (uint8_t)awari_pit(side, from),
			.to = (uint8_t)awari_pit(side, sown[from].last),
		};
		for (unsigned pits = sown[from].emptied; pits; pits &= pits - 1)
			move->captured |= UINT64_C(1)
			                  << awari_pit(side, (unsigned)__builtin_ctz(pits));
	}
	return count;
}

size_t awari_moves(const struct el_position *position, struct el_move out[EL_MOVES_MAX])
{
	return list_moves(position, false, true, out);
}

size_t oware_moves(const struct el_position *position, struct el_move out[EL_MOVES_MAX])
{
	return list_moves(position, true, true, out);
}

size_t awari_captures(const struct el_position *position, struct el_move out[EL_MOVES_MAX])
{
	return list_moves(position, false, false, out);
}

size_t oware_captures(const struct el_position *position, struct el_move out[EL_MOVES_MAX])
{
	return list_moves(position, true, false, out);
}

/* ---- playing them: a move says what it captures, so both games play it alike ---- */

/* Sows, captures, and returns the number of stones captured. */
static unsigned sow(const struct el_position *position, const struct el_move *move,
                    struct awari_board *board)
{
	unsigned captured = 0;
	*board = awari_board_of(position);
	awari_fill(board->pit, awari_pit(position->side, move->from));
	for (unsigned pit = 0; pit < AWARI_PITS; pit++)
		if (move->captured >> awari_pit(position->side, pit) & 1) {
			captured += board->pit[pit];
			board->pit[pit] = 0;
		}
	return captured;
}

unsigned awari_gain(const struct el_position *position, const struct el_move *move)
{
	struct awari_board board;
	return move->captured ? sow(position, move, &board) : 0;
}

/* `out` may be the position itself. */
void awari_play(const struct el_position *position, const struct el_move *move,
                struct el_position *out)
{
	const unsigned us = position->side;
	struct awari_board board;
	const unsigned captured = sow(position, move, &board);
	*out = *position;
	for (unsigned pit = 0; pit < AWARI_PITS; pit++)
		out->pits[awari_pit(us, pit)] = board.pit[pit];
	out->stores[us] = (uint8_t)(out->stores[us] + captured);
	el_position_turn(out, captured, EL_BLACK);
}

bool awari_stage(const struct el_position *position, const struct el_move *move, unsigned stage,
                 struct el_position *out, uint8_t *at, unsigned *hand)
{
	const unsigned stones = position->pits[move->from];
	unsigned sown = stage - 1 < stones ? stage - 1 : stones, taken = stage - 1 - sown;
	if (taken > (unsigned)__builtin_popcountll(move->captured))
		return false;
	*out = *position;
	*at = move->from;
	*hand = stones - sown;
	out->pits[*at] = 0;
	for (; sown; sown--) {
		do
			*at = (uint8_t)((*at + 1) % AWARI_PITS);
		while (*at == move->from);
		out->pits[*at]++;
	}
	for (uint8_t pit = *at; taken; taken--, pit = (uint8_t)(pit - 1)) {
		*at = pit;
		out->stores[position->side] =
			(uint8_t)(out->stores[position->side] + out->pits[pit]);
		out->pits[pit] = 0;
	}
	return true;
}

/* The remaining stones go to the other side. */
struct el_value awari_stuck(const struct el_position *position)
{
	return el_value_of_stones(-(int)el_piece_count(position));
}

/* ---- which positions are legal ---- */

/* A board may be set up without the stones captured before; captures from then on are counted. */
enum el_status awari_check(const struct el_position *position, struct el_error *error)
{
	if (position->side > EL_BLACK)
		return el_fail(error, EL_NEGATIVE, "side to move %u, expected %d or %d",
		               position->side, EL_WHITE, EL_BLACK);
	if (plain_strangers(position, 0) || position->en_passant != EL_NO_SQUARE ||
	    position->castling || el_position_has_hand(position))
		return el_fail(error, EL_NEGATIVE, "something that is not a stone in a pit");
	const unsigned board = el_piece_count(position);
	const unsigned taken = (unsigned)position->stores[0] + position->stores[1];
	if (board + taken > AWARI_STONES)
		return el_fail(
			error, EL_NEGATIVE,
			"%u stone%s on the board and %u in the stores, expected at most %d in all",
			board, board == 1 ? "" : "s", taken, AWARI_STONES);
	return EL_OK;
}

bool awari_legal(const struct el_position *position, const struct el_place *place)
{
	(void)place;
	return !awari_check(position, NULL);
}
