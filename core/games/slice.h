/* SPDX-License-Identifier: MIT */
/* Shared by the games: the names of slices, and slices named by the pieces of their sides. */
#ifndef CORE_GAMES_SLICE_H
#define CORE_GAMES_SLICE_H

#include "game.h"

#include <string.h>

/* The text after "NAME:", the prefix of a game's slices; null without it. */
static inline const char *slice_unprefixed(const struct el_game *game, const char *text)
{
	const size_t length = strlen(game->name);
	return strncmp(text, game->name, length) == 0 && text[length] == ':' ? text + length + 1
	                                                                     : NULL;
}

/* "... is not a slice: expected a name such as ..." */
enum el_status slice_refuse(const struct el_game *, const char *text, struct el_error *);

/* ---- named by pieces: "KMMvKM" ---- */

/* How many pieces of each kind each side has. */
struct material {
	uint8_t count[2][EL_KINDS];
};

struct material slice_material(const struct el_position *);

/* The number of pieces of one side. */
static inline unsigned slice_side(const uint8_t count[EL_KINDS])
{
	unsigned pieces = 0;
	for (unsigned kind = 0; kind < EL_KINDS; kind++)
		pieces += count[kind];
	return pieces;
}

/* Text within the name of a slice: the pieces of one side. */
struct letters {
	const char *begin, *end;
};

/* Reads the sides of the slice named `text`. */
enum el_status slice_read(const struct el_game *, const char *text, const struct letters side[2],
                          struct material *, struct el_error *);

/* The side with the greater strength is the stronger one and is named first. */
static inline uint64_t slice_key(uint32_t first_strength, uint32_t second_strength)
{
	return (uint64_t)first_strength << 32 | second_strength;
}

/* The slice of the material of two sides with these strengths, in any order; without its
   `positions`. `lead`: as in el_slice. */
struct el_slice slice_of(const struct el_game *, const char *prefix,
                         const uint8_t (*count)[EL_KINDS], const uint8_t lead[2],
                         const uint32_t strength[2]);

/* A growing list without repetitions. */
struct slice_list {
	struct el_slice *slices;
	size_t count;
};

void slice_list_add(struct slice_list *, struct el_slice);

#endif
