/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Do exported Syzygy tables say what our own tables say? Asks our own reader, and Fathom, an
 * independent one, if it was installed when this was compiled.
 *
 *     prove OWN SYZYGY STEP SLICE...    asks for every STEP-th index, White and Black to move
 *     prove OWN - STEP SLICE...         prints "FEN;outcome;plies" of them, for other programs to answer:
 *                                       2 is a win, 1 a cursed win, the plies have the sign of the
 *                                       outcome
 *
 * Exits with 1 if anything differs. Depths may be a ply short if a file holds moves, as it does
 * past the limit of the 50-move rule, and wherever it says so.
 */
#include "core/library/library.h"
#include "core/probe/probe.h"
#include "core/whole/whole.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if __has_include(<tbprobe.h>)
#include <tbprobe.h>
#define FATHOM 1
#else
#define FATHOM 0
#endif

enum { LIMIT = 2 * EL_RULE_USUAL };

struct answer {
	int outcome; /* -2 .. 2 */
	int plies;
};

struct prover {
	const char *name;
	struct answer (*ask)(void *, const struct el_position *);
	void *context;
	uint64_t asked, rounded, different;
};

/* When a prover has no answer. */
static const struct answer none = {99, 0};

/* ---- our own reader ---- */

static struct answer answer_of(struct el_value v)
{
	return (struct answer){(int)v.outcome - EL_DRAW, v.plies};
}

static struct answer ask_ours(void *library, const struct el_position *p)
{
	struct el_value v;
	struct el_error error;
	if (!el_library_value(library, &el_chess, p, el_metric_find("dtz50"), EL_PROBE_FULL, &v,
	                      &error))
		return answer_of(v);
	printf("%s\n", error.text);
	return none;
}

/* ---- Fathom ---- */

#if FATHOM
enum { KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN };

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

static struct answer ask_fathom(void *context, const struct el_position *p)
{
	struct answer a = none;
	(void)context;
	const unsigned wdl = tb_probe_wdl(
		all(p, EL_WHITE), all(p, EL_BLACK), both(p, KING), both(p, QUEEN), both(p, ROOK),
		both(p, BISHOP), both(p, KNIGHT), both(p, PAWN), 0, 0, 0, p->side == EL_WHITE);
	const unsigned root =
		tb_probe_root(all(p, EL_WHITE), all(p, EL_BLACK), both(p, KING), both(p, QUEEN),
	                      both(p, ROOK), both(p, BISHOP), both(p, KNIGHT), both(p, PAWN), 0, 0,
	                      0, p->side == EL_WHITE, NULL);
	if (wdl != TB_RESULT_FAILED && root != TB_RESULT_FAILED)
		a = (struct answer){(int)wdl - TB_DRAW, (int)TB_GET_DTZ(root)};
	return a;
}
#endif

/* ---- the comparison ---- */

/* Without a legal move, a prover that ranks moves has no depth. */
static bool is_over(const struct el_position *p)
{
	struct el_move moves[EL_MOVES_MAX];
	return el_chess.moves(p, moves) == 0;
}

static void ask(struct prover *prover, const struct el_position *p, struct el_value v)
{
	const struct answer expected = answer_of(v), found = prover->ask(prover->context, p);
	const bool same = found.outcome == expected.outcome;
	prover->asked++;
	/* Syzygy counts late wins on past the limit, and we do not. */
	const bool late = expected.outcome == 1 || expected.outcome == -1;
	if (same && (found.plies == expected.plies || (late && found.plies > LIMIT) || is_over(p)))
		return;
	if (same && found.plies + 1 == expected.plies) {
		prover->rounded++;
		return;
	}
	if (prover->different++ >= 3)
		return;
	char fen[EL_FEN_MAX];
	el_chess.format(p, fen);
	printf("%s: expected %d in %d, %s says %d in %d\n", fen, expected.outcome, expected.plies,
	       prover->name, found.outcome, found.plies);
}

static void print(const struct el_position *p, struct el_value v)
{
	char fen[EL_FEN_MAX];
	const struct answer a = answer_of(v);
	el_chess.format(p, fen);
	if (!is_over(p))
		printf("%s;%d;%d\n", fen, a.outcome, a.outcome < 0 ? -a.plies : a.plies);
}

static void each(const struct el_planes *planes, uint64_t step, struct prover *provers,
                 size_t count)
{
	const struct el_slice *slice = &planes->slice;
	for (unsigned plane = 0; plane < slice->planes; plane++)
		for (uint64_t i = slice->key % step; i < slice->positions; i += step) {
			struct el_position p;
			if (!slice->game->unplace(slice, plane, i, &p))
				continue;
			const struct el_value v = el_plane_value(&planes->plane[plane], i);
			for (size_t k = 0; k < count; k++)
				ask(&provers[k], &p, v);
			if (!count)
				print(&p, v);
		}
}

static bool prove(struct el_library *own, const char *name, uint64_t step, struct prover *provers,
                  size_t count)
{
	struct el_slice slice;
	struct el_planes planes;
	struct el_error error;
	if (el_slice_parse(name, &slice, &error) ||
	    el_library_planes(own, &slice, el_metric_find("dtz50"), NULL, &planes, &error)) {
		printf("%s\n", error.text);
		return false;
	}
	bool good = true;
	each(&planes, step, provers, count);
	for (size_t k = 0; k < count; k++) {
		struct prover *p = &provers[k];
		printf("%s: %s: %" PRIu64 " asked, %" PRIu64 " a ply short, %" PRIu64
		       " different\n",
		       slice.name, p->name, p->asked, p->rounded, p->different);
		good = good && p->asked && !p->different;
		p->asked = p->rounded = p->different = 0;
	}
	el_planes_free(&planes);
	return good;
}

int main(int argc, char **argv)
{
	struct el_library *own, *read = NULL;
	struct el_error error;
	struct prover provers[2];
	size_t count = 0;
	bool good = true;
	if (argc < 5)
		return 2;
	struct el_library_options options = {.directory = argv[1]};
	if (el_library_open(&options, &own, &error)) {
		printf("%s\n", error.text);
		return 2;
	}
	const bool prints = !strcmp(argv[2], "-");
	options = (struct el_library_options){.directory = "/nonexistent", .paths = argv[2]};
	if (!prints && el_library_open(&options, &read, &error)) {
		printf("%s\n", error.text);
		return 2;
	}
	if (!prints)
		provers[count++] =
			(struct prover){.name = "Endlab", .ask = ask_ours, .context = read};
#if FATHOM
	if (!prints && tb_init(argv[2]))
		provers[count++] = (struct prover){.name = "Fathom", .ask = ask_fathom};
#endif
	for (int i = 4; i < argc; i++)
		good = prove(own, argv[i], (uint64_t)atoll(argv[3]), provers, count) && good;
	if (read)
		el_library_close(read);
	el_library_close(own);
	fflush(stdout);
	_exit(good ? 0 : 1); /* at exit, Fathom complains about what it frees */
}
