/* SPDX-License-Identifier: MIT */
/*
 * Shared by the readers of foreign tables. Most of those formats cover only chess and name its
 * pieces by letters; the game says which of its kinds a letter means.
 */
#ifndef CORE_FOREIGN_FOREIGN_H
#define CORE_FOREIGN_FOREIGN_H

#include "core/os/files.h"
#include "core/table/source.h"

#include <stdlib.h>

/* The head of a foreign source: a file of blocks that go through the cache. */
struct foreign {
	struct el_source source;
	struct el_cache *cache;
	struct input input;
};

/* Finds the slice from a file's name, which must be the slice's own except for case and the "v"
   before the second king. */
bool foreign_named(const struct el_source_ops *ops, const char *path, struct el_slice *slice);
/* Why it is not: EL_NEGATIVE. */
enum el_status foreign_not_named(const struct el_source_ops *ops, const char *path,
                                 struct el_error *error);

/*
 * Opens the file of a slice; null: its name tells which (foreign_named). EL_NEGATIVE if the name is not
 * a slice's; EL_IO as input_open. foreign_close in any case; `f` is zeroed first and must not move.
 */
enum el_status foreign_open(struct foreign *f, const struct el_source_ops *ops, const char *path,
                            const struct el_slice *slice, struct el_cache *cache,
                            struct el_error *error);
/* Closes the file and frees the path, not `f`. */
void foreign_close(struct foreign *f);

/* Says where a file is not what it should be: EL_DAMAGED. */
enum el_status foreign_damaged(const struct foreign *, const char *what, uint64_t expected,
                               uint64_t found, struct el_error *);

/* EL_MEMORY, about a file. */
enum el_status foreign_no_memory(const char *path, struct el_error *);

/* Tells the watch of an el_source_ops.check how much is done. EL_STOPPED. */
enum el_status foreign_tick(const struct el_source *, const struct el_watch *, uint64_t done,
                            uint64_t all, const char *unit, struct el_error *);

/* Reads a whole text; *out ends with a null character, and is to be freed in any case. EL_DAMAGED if it
   has more than `most` bytes; EL_IO, EL_MEMORY. Errors name the file and `what` is being read. */
enum el_status foreign_text(const char *path, const char *what, size_t most, char **out,
                            size_t *size, struct el_error *);

/* The path of another file in the folder of `path`; malloc'ed, null without memory. */
char *foreign_beside(const char *path, const char *name);

/* The same for a file that must be there: if it is not, and `path` is a link to a table in a folder of
   its own, the path of the file beside that. */
char *foreign_companion(const char *path, const char *name);

/* The greater part of an el_source_ops.check: tests on a sample of positions, always the same, that
   the values belong to the slice in the name. `mates`: of a game with check, checkmates are sought
   as well. EL_DAMAGED if they contradict the rules of the game. */
enum el_status foreign_sample(struct el_source *, bool mates, const struct el_watch *,
                              struct el_error *);

/* The kind of a letter ('Q'), or EL_KINDS. */
unsigned foreign_kind(const struct foreign *f, char letter);

/* Squares are numbered from a1 = 0 to h8 = 63, rank by rank. */
static inline unsigned file_of(unsigned square)
{
	return square & 7;
}

static inline unsigned rank_of(unsigned square)
{
	return square >> 3;
}

static inline bool kings_apart(unsigned a, unsigned b)
{
	int files = (int)file_of(a) - (int)file_of(b), ranks = (int)rank_of(a) - (int)rank_of(b);
	return abs(files) > 1 || abs(ranks) > 1;
}

/* How a board is turned: first files are mirrored, then ranks, then the diagonal a1-h8. */
enum { MIRROR_FILES = 1, MIRROR_RANKS = 2, TRANSPOSE = 4, TURNS = 8 };
unsigned foreign_turned(unsigned turn, unsigned square);
uint64_t foreign_turned_set(unsigned turn, uint64_t set);

/* The pairs of kings on turned boards, in the order of the leading one, then of the other: the leading
   king is on files a-d or, without pawns, in the triangle a1-d1-d4, and if it is on the diagonal, the
   other is not above it. */
struct king_pairs {
	uint32_t count;
	uint64_t others[64]; /* by the leading king: where the other may stand */
	uint16_t before[64]; /* by the leading king: the pairs counted before */
};
void king_pairs_list(bool has_pawns, struct king_pairs *out);
/* The first turn that leads to such a pair; TURNS if none does. */
unsigned king_pairs_turn(const struct king_pairs *, unsigned lead, unsigned other);
/* The number of a pair; `count` if it is none. */
uint32_t king_pairs_number(const struct king_pairs *, unsigned lead, unsigned other);

/* Little-endian numbers of 2, 4 and 8 bytes. */
static inline uint16_t foreign_u16(const uint8_t *at)
{
	return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t foreign_u32(const uint8_t *at)
{
	return foreign_u16(at) | (uint32_t)foreign_u16(at + 2) << 16;
}

static inline uint64_t foreign_u64(const uint8_t *at)
{
	return foreign_u32(at) | (uint64_t)foreign_u32(at + 4) << 32;
}

#endif
