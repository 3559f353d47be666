/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Do Syzygy tables say to a prober that no one here wrote what our own tables say? Asks Fathom.
 *
 *     fathom OWN SYZYGY STEP SLICE...    every STEP-th index of each plane
 */
#include "endlab/library.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tbprobe.h>

enum { KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN };

struct tally {
	uint64_t asked, outcomes, depths; /* the last two: differences */
};

static uint64_t both(const struct el_position *p, unsigned kind)
{
	return p->set[EL_WHITE][kind] | p->set[EL_BLACK][kind];
}

static uint64_t all(const struct el_position *p, unsigned side)
{
	uint64_t set = 0;
	for (unsigned kind = 0; kind < EL_KINDS; kind++)
		set |= p->set[side][kind];
	return set;
}

static void complain(const struct el_slice *slice, const struct el_position *p, const char *what,
                     int ours, int theirs)
{
	char fen[EL_FEN_MAX];
	slice->game->format(p, fen);
	printf("%s: %s: %s: expected %d, Fathom says %d\n", slice->name, fen, what, ours, theirs);
}

/* From the loss to the win, as Fathom has it. */
static int outcome_of(enum el_outcome outcome)
{
	return (int)outcome - EL_LOSS;
}

static void ask(const struct el_slice *slice, const struct el_position *p, struct el_value v,
                struct tally *t)
{
	const bool white = p->side == EL_WHITE;
	const unsigned wdl =
		tb_probe_wdl(all(p, EL_WHITE), all(p, EL_BLACK), both(p, KING), both(p, QUEEN),
	                     both(p, ROOK), both(p, BISHOP), both(p, KNIGHT), both(p, PAWN), 0, 0, 0,
	                     white);
	t->asked++;
	if ((int)wdl != outcome_of(v.outcome)) {
		if (t->outcomes++ < 3)
			complain(slice, p, "outcome", outcome_of(v.outcome), (int)wdl);
		return;
	}
	if (v.outcome == EL_DRAW || v.plies == 0)
		return;
	const unsigned root =
		tb_probe_root(all(p, EL_WHITE), all(p, EL_BLACK), both(p, KING), both(p, QUEEN),
	                      both(p, ROOK), both(p, BISHOP), both(p, KNIGHT), both(p, PAWN), 0, 0, 0,
	                      white, NULL);
	const int dtz = root == TB_RESULT_FAILED ? -1 : (int)TB_GET_DTZ(root);
	/* Past the rule files hold moves: one ply less may be told. */
	const bool late = v.outcome == EL_CURSED_WIN || v.outcome == EL_BLESSED_LOSS;
	if (dtz != v.plies && !(late && dtz + 1 == v.plies) && t->depths++ < 3)
		complain(slice, p, "plies", v.plies, dtz);
}

/* Our values as Syzygy counts: those of dtz50, unless something comes too late. */
static void compare(const struct el_planes *planes, uint64_t step, struct tally *t)
{
	const struct el_slice *slice = &planes->slice;
	for (unsigned plane = 0; plane < slice->planes; plane++)
		for (uint64_t i = t->asked % step; i < slice->positions; i += step) {
			struct el_position p;
			if (slice->game->unplace(slice, plane, i, &p))
				ask(slice, &p, el_plane_value(&planes->plane[plane], i), t);
		}
}

int main(int argc, char **argv)
{
	struct el_library *library;
	struct el_error error;
	int answer = 0;
	if (argc < 5)
		return 2;
	if (el_library_open(&(struct el_library_options){.directory = argv[1]}, &library, &error)) {
		printf("%s\n", error.text);
		return 2;
	}
	if (!tb_init(argv[2])) {
		printf("Fathom cannot read %s\n", argv[2]);
		return 2;
	}
	for (int i = 4; i < argc; i++) {
		struct el_slice slice;
		struct el_planes planes;
		struct tally t = {0};
		if (el_slice_parse(argv[i], &slice, &error) ||
		    el_library_planes(library, &slice, el_metric_find("dtz50"), &planes, &error)) {
			printf("%s\n", error.text);
			answer = 1;
			continue;
		}
		compare(&planes, (uint64_t)atoll(argv[3]), &t);
		printf("%s: asked %" PRIu64 ", other outcomes %" PRIu64 ", other depths %" PRIu64 "\n",
		       slice.name, t.asked, t.outcomes, t.depths);
		answer = t.outcomes || t.depths || !t.asked ? 1 : answer;
		el_planes_free(&planes);
	}
	tb_free();
	el_library_close(library);
	return answer;
}
