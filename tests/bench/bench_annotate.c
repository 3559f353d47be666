/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures games a second through `endlab annotate`, the whole program: bench_annotate ENDLAB
 * DIRECTORY SLICE... Each slice gets a thousand games of up to 60 random plies, from positions all
 * over it: they throw away more than any player would.
 */
#include "bench.h"

#include "core/tree/tree.h"

#include <stdio.h>
#include <stdlib.h>

enum { GAMES = 1000, PLIES = 60 };

static struct el_position random_position(const struct el_slice *slice, uint64_t *state)
{
	struct el_position position;
	while (!slice->game->unplace(slice, (unsigned)(bench_random(state) % slice->planes),
	                             bench_random(state) % slice->positions, &position))
		;
	return position;
}

static void write_game(const struct el_slice *slice, uint64_t *state, FILE *out)
{
	const struct el_position start = random_position(slice, state);
	struct el_move moves[EL_MOVES_MAX];
	struct el_tree *tree;
	char *text;
	if (el_tree_open(slice->game, &start, &tree, NULL))
		bench_fail("out of memory");
	uint32_t at = EL_TREE_ROOT;
	for (unsigned i = 0; i < PLIES; i++) {
		const size_t count = slice->game->moves(&tree->nodes[at].position, moves);
		if (!count || slice->game->drawn(&tree->nodes[at].position))
			break;
		if (el_tree_add(tree, at, &moves[bench_random(state) % count], &at, NULL))
			bench_fail("out of memory");
	}
	if (el_tree_write(tree, &text, NULL, NULL))
		bench_fail("out of memory");
	fputs(text, out);
	free(text);
	el_tree_close(tree);
}

static void write_games(const struct el_slice *slice, FILE *out)
{
	uint64_t state = 1;
	for (unsigned n = 0; n < GAMES; n++)
		write_game(slice, &state, out);
}

int main(int argc, char **argv)
{
	for (int i = 3; i < argc; i++) {
		const struct el_slice slice = bench_slice(argv[i]);
		printf("%-8s %d games in %.2f s\n", slice.name, GAMES,
		       bench_program(argv, "annotate", &slice, write_games));
	}
	return 0;
}
