/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "awari_fixture.h"

#include "positions.h"

struct el_position awari_from_awele(const struct awele_board *board)
{
	struct el_position p = {.side = board->side == 'S' ? EL_WHITE : EL_BLACK,
	                        .en_passant = EL_NO_SQUARE,
	                        .fullmove = 1};
	for (unsigned pit = 0; pit < AWELE_PITS; pit++)
		p.pits[pit] = board->pit[pit];
	for (unsigned side = 0; side < 2; side++)
		p.stores[side] = board->store[side];
	return p;
}

struct awele_board awari_to_awele(const struct el_position *p)
{
	struct awele_board board = {.side = p->side == EL_WHITE ? 'S' : 'N'};
	for (unsigned pit = 0; pit < AWELE_PITS; pit++)
		board.pit[pit] = p->pits[pit];
	for (unsigned side = 0; side < 2; side++)
		board.store[side] = p->stores[side];
	return board;
}

struct el_position awari_heaps(unsigned stones, uint64_t *state)
{
	struct el_position p = {.en_passant = EL_NO_SQUARE, .fullmove = 1};
	p.side = random_next(state) >> 20 & 1;
	while (stones) {
		const unsigned heap = 1 + (unsigned)((random_next(state) >> 20) % stones);
		uint8_t *pit = &p.pits[(random_next(state) >> 20) % AWELE_PITS];
		*pit = (uint8_t)(*pit + heap);
		stones -= heap;
	}
	return p;
}
