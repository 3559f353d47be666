/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "positions.h"
#include "tests/sanitizers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t random_next(uint64_t *state)
{
	uint64_t x = *state;
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return *state = x;
}

struct el_position position_of(const char *fen)
{
	struct el_position position;
	struct el_error error;
	const struct el_game *game;
	if (el_position_parse(fen, &game, &position, &error) != EL_OK) {
		fprintf(stderr, "%s: %s\n", fen, error.text);
		abort();
	}
	return position;
}

void images_of(const struct el_game *game, const struct el_position *position,
               struct el_position out[IMAGES])
{
	out[0] = *position;
	game->mirror(position, &out[1]);
	game->swap_colours(position, &out[2]);
	game->swap_colours(&out[1], &out[3]);
}

struct el_slice slice_named(const char *name)
{
	struct el_slice slice;
	struct el_error error;
	if (el_slice_parse(name, &slice, &error) != EL_OK) {
		fprintf(stderr, "%s: %s\n", name, error.text);
		abort();
	}
	return slice;
}

size_t slices_listed(const char *names, struct el_slice *out, size_t max)
{
	size_t count = 0;
	for (names += strspn(names, " "); *names && count < max; names += strspn(names, " ")) {
		char name[EL_SLICE_MAX];
		const size_t length = strcspn(names, " ");
		snprintf(name, sizeof name, "%.*s", (int)length, names);
		out[count++] = slice_named(name);
		names += length;
	}
	return count;
}

/* Any square of the drawn board, by file and rank; not each holds pieces in every game. */
static uint8_t random_square(const struct el_game *game, uint64_t *state)
{
	uint8_t square;
	do {
		const unsigned number = random_next(state) >> 20 & 63;
		square = game->square_at(number % 8, number / 8);
	} while (square == EL_NO_SQUARE);
	return square;
}

/* Puts the pieces anywhere. */
static struct el_position scatter(const struct el_slice *slice, uint64_t *state)
{
	struct el_position position = {.en_passant = EL_NO_SQUARE, .fullmove = 1};
	uint64_t occupied = 0;
	position.side = random_next(state) >> 20 & 1;
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = 0; kind < EL_KINDS; kind++)
			for (unsigned i = 0; i < slice->count[side][kind]; i++) {
				uint64_t square;
				do
					square = UINT64_C(1) << random_square(slice->game, state);
				while (occupied & square);
				occupied |= square;
				position.set[side][kind] |= square;
			}
	return position;
}

/* Puts the stones anywhere. */
static struct el_position sow(const struct el_slice *slice, uint64_t *state)
{
	struct el_position position = {.en_passant = EL_NO_SQUARE, .fullmove = 1};
	position.side = random_next(state) >> 20 & 1;
	for (unsigned i = 0; i < slice->pieces; i++)
		position.pits[(random_next(state) >> 20) % EL_PITS]++;
	return position;
}

struct el_position random_position(const struct el_slice *slice, uint64_t *state)
{
	struct el_position position;
	do
		position = (slice->game->sows ? sow : scatter)(slice, state);
	while (slice->game->check(&position, NULL) != EL_OK);
	if (random_next(state) >> 20 & 1)
		slice->game->swap_colours(&position, &position);
	return position;
}

unsigned test_stride(void)
{
	const char *wrap = getenv("WRAP"); /* tests/run under valgrind */
	return wrap && *wrap ? 997 : SANITIZED ? 17 : 1;
}
