/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph of a study's frames, and the passes of single frames, compared with every legal move of every
   position of the study. */
#include "core/film/film.h"
#include "core/games/frames.h"
#include "core/study/graph.h"
#include "core/study/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { FRAMES = 256 };

struct each {
	struct el_position *position;
	size_t count, room;
};

static void take(void *context, const struct el_position *p, struct el_value v)
{
	struct each *e = context;
	(void)v;
	if (e->count == e->room) {
		e->room = e->room ? 2 * e->room : 1024;
		e->position = realloc(e->position, e->room * sizeof *e->position);
		assert_non_null(e->position);
	}
	e->position[e->count++] = *p;
}

/* ---- frames, as moves lead from one to the other ---- */

static struct el_frame frame[FRAMES];
static size_t frames;
static bool leads[FRAMES][FRAMES];

static size_t frame_of(const struct el_position *p)
{
	struct el_frame key;
	size_t i = 0;
	el_chess.frames->of(p, &key);
	while (i < frames && !el_frame_equal(&frame[i], &key))
		i++;
	assert_true(i < FRAMES);
	if (i == frames)
		frame[frames++] = key;
	return i;
}

static size_t below(size_t from, bool seen[FRAMES])
{
	size_t count = 1;
	seen[from] = true;
	for (size_t to = 0; to < frames; to++)
		if (leads[from][to] && !seen[to])
			count += below(to, seen);
	return count;
}

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Every position that moves of a name lead to from a frame, once. */
static struct el_graph_count count(const struct el_study *study, const struct each *all,
                                   size_t from, unsigned side, const char *name)
{
	struct el_graph_count c = {{0}};
	size_t found = 0, room = 1 << 16;
	char(*after)[EL_FEN_MAX] = calloc(room, sizeof *after), last[EL_FEN_MAX] = "";
	assert_non_null(after);
	for (size_t i = 0; i < all->count; i++) {
		const struct el_position *p = &all->position[i];
		struct el_move moves[EL_MOVES_MAX];
		if (p->side != side || frame_of(p) != from)
			continue;
		const size_t moves_count = el_chess.moves(p, moves);
		for (size_t k = 0; k < moves_count; k++) {
			char san[EL_MOVE_MAX];
			struct el_position to;
			el_chess.write_move(p, &moves[k], EL_SAN, san);
			san[strcspn(san, "+#")] = '\0';
			unsigned other, kind;
			/* Whatever its square, an officer is taken by one and the same step. */
			if (el_piece_at(p, moves[k].to, &other, &kind) &&
			    el_chess.kinds[kind] != 'P' && san[0] == 'K')
				snprintf(san, sizeof san, "Kx%c", el_chess.kinds[kind]);
			if (strcmp(san, name))
				continue;
			el_chess.play(p, &moves[k], &to);
			to.fullmove = 1;
			to.halfmove = 0;
			assert_true(found < room);
			el_chess.format(&to, after[found++]);
		}
	}
	qsort(after, found, sizeof *after, compare);
	for (size_t i = 0; i < found; i++) {
		struct el_position p;
		struct el_value v;
		if (!strcmp(after[i], last))
			continue;
		strcpy(last, after[i]);
		assert_int_equal(el_chess.parse(after[i], &p, NULL), EL_OK);
		if (el_study_value(study, &p, &v, NULL))
			v.outcome = EL_UNKNOWN;
		c.of[el_outcome_negate(v.outcome)]++;
	}
	free(after);
	return c;
}

static void check_frame(const struct el_study *study, struct el_graph *graph,
                        const struct each *all, const struct el_position *p)
{
	const size_t at = frame_of(p);
	struct el_graph_view view;
	struct el_error error;
	struct el_graph_count here[2] = {{{0}}};
	size_t led = 0, entered = 0, leading = 0, before = 0;
	bool to[FRAMES] = {false}, from[FRAMES] = {false}, seen[FRAMES] = {false};
	assert_int_equal(el_graph_look(graph, p, NULL, &view, &error), EL_OK);
	for (size_t i = 0; i < all->count; i++) {
		struct el_value v;
		const struct el_position *other = &all->position[i];
		if (frame_of(other) != at)
			continue;
		assert_int_equal(el_study_value(study, other, &v, NULL), EL_OK);
		here[other->side].of[v.outcome]++;
	}
	assert_memory_equal(view.count, here, sizeof here);
	assert_int_equal(view.frames, frames);
	assert_true(view.below + 1 >= below(at, seen));
	for (size_t i = 0; i < view.after_count; i++) {
		const struct el_graph_step *s = &view.after[i];
		char name[2 * EL_MOVE_MAX];
		snprintf(name, sizeof name, "%s%s", s->name, s->is_open ? "=Q" : "");
		const struct el_graph_count c = count(study, all, at, s->side, name);
		if (el_graph_all(&s->count) != el_graph_all(&c))
			fail_msg("%s", name);
		if (s->is_open)
			continue;
		assert_memory_equal(&s->count, &c, sizeof c);
		struct el_value v;
		bool below_seen[FRAMES] = {false};
		assert_int_equal(el_study_value(study, &s->position, &v, NULL), EL_OK);
		assert_true(s->below >= below(frame_of(&s->position), below_seen));
		entered += !to[frame_of(&s->position)];
		to[frame_of(&s->position)] = true;
	}
	for (size_t i = 0; i < view.before_count; i++) {
		before += !from[frame_of(&view.before[i].position)];
		from[frame_of(&view.before[i].position)] = true;
	}
	for (size_t i = 0; i < frames; i++) {
		led += leads[at][i];
		leading += leads[i][at];
		assert_int_equal(leads[at][i], to[i]);
		assert_int_equal(leads[i][at], from[i]);
	}
	assert_int_equal(led, entered);
	assert_int_equal(leading, before);
	el_graph_view_free(&view);
}

/* ---- passes ---- */

/* What a move is worth for its mover, after all passes: a zeroing move in one ply. */
static struct el_value worth(const struct el_study *study, const struct el_film *film,
                             const struct el_position *p, const struct el_move *move)
{
	struct el_position to;
	struct el_value v = {.outcome = EL_UNKNOWN};
	el_chess.play(p, move, &to);
	const bool zeroes = el_chess.zeroes(p, move);
	if (zeroes && el_study_value(study, &to, &v, NULL))
		v.outcome = el_chess.drawn(&to) ? EL_DRAW : EL_UNKNOWN;
	if (!zeroes)
		v = el_film_value(film, &to, film->step_count - 1).value;
	v.outcome = (uint8_t)el_outcome_negate(v.outcome);
	v.plies = (uint16_t)(zeroes ? 1 : v.plies + 1);
	return v;
}

/* A win takes as long as the quickest of its winning moves, a loss as long as the longest defence. */
static void check_pass(const struct el_study *study, const struct el_film *film,
                       const struct el_position *p, size_t *deep)
{
	const struct el_value last = el_film_value(film, p, film->step_count - 1).value;
	struct el_move moves[EL_MOVES_MAX];
	struct el_value known;
	const size_t count = el_chess.moves(p, moves);
	unsigned plies = last.outcome == EL_WIN ? UINT16_MAX : 0;
	bool rough = last.at_most;
	assert_int_equal(el_study_value(study, p, &known, NULL), EL_OK);
	assert_int_equal(last.outcome, known.outcome);
	if (last.outcome != EL_WIN && last.outcome != EL_LOSS)
		return;
	assert_int_equal(el_film_value(film, p, 0).open, true);
	for (size_t i = 0; i < count; i++) {
		const struct el_value v = worth(study, film, p, &moves[i]);
		rough |= v.at_most || !el_outcome_exact(v.outcome);
		if (last.outcome == EL_LOSS)
			assert_int_equal(v.outcome, EL_LOSS);
		if (v.outcome == last.outcome &&
		    (last.outcome == EL_WIN ? v.plies < plies : v.plies > plies))
			plies = v.plies;
	}
	*deep += last.plies > 1;
	if (!rough)
		assert_int_equal(last.plies, plies);
}

/* Returns how many positions of the frame are won or lost in more than one ply. */
static size_t check_film(const struct el_study *study, struct el_library *library,
                         const struct each *all, const struct el_position *p)
{
	struct el_film_wish wish;
	struct el_film *film;
	struct el_error error;
	uint64_t legal[2] = {0}, place;
	size_t deep = 0;
	assert_int_equal(el_film_frame(library, &el_chess, p, &wish, &error), EL_OK);
	assert_int_equal(el_film_make(library, &wish, NULL, &film, &error), EL_OK);
	for (size_t i = 0; i < all->count; i++) {
		const struct el_position *other = &all->position[i];
		const bool is_here = frame_of(other) == frame_of(p);
		assert_int_equal(el_film_place(film, other, &place), is_here);
		if (!is_here)
			continue;
		legal[other->side]++;
		check_pass(study, film, other, &deep);
	}
	assert_memory_equal(film->legal, legal, sizeof legal);
	const struct el_film_step *end = &film->steps[film->step_count - 1];
	for (unsigned side = 0; side < 2; side++)
		assert_int_equal(end->known[side], film->halves * legal[side]);
	/* Every step that decides something is found. */
	for (size_t i = EL_FILM_WIN; i + 1 < film->step_count; i++) {
		struct el_position found;
		assert_true(el_film_find(film, i, i, false, 0, &found));
		assert_int_equal(frame_of(&found), frame_of(p));
	}
	el_film_free(film);
	return deep;
}

static void check_root(const char *fen, const struct el_study_reach *reach)
{
	static const struct el_study_room room = {.memory = UINT64_MAX, .folder = "/tmp"};
	char folder[48], path[64];
	size_t deep = 0;
	struct el_library *library;
	struct el_position root, other;
	struct el_study *study;
	struct el_graph *graph;
	struct el_error error;
	struct each all = {0};
	struct el_graph_view view;
	frames = 0;
	memset(leads, 0, sizeof leads);
	snprintf(folder, sizeof folder, "/tmp/test_graph.%d", (int)getpid());
	snprintf(path, sizeof path, "%s/x.study", folder);
	assert_int_equal(mkdir(folder, 0700), 0);
	assert_int_equal(el_chess.parse(fen, &root, &error), EL_OK);
	assert_int_equal(el_study_open(&el_chess, &root, &room, NULL, &study, &error), EL_OK);
	if (reach)
		assert_int_equal(el_study_extend(study, reach, NULL, &error), EL_OK);
	assert_int_equal(el_study_write(study, NULL, path, NULL, NULL, &error), EL_OK);
	el_study_each(study, &all, take);
	for (size_t i = 0; i < all.count; i++) {
		struct el_move moves[EL_MOVES_MAX];
		const size_t at = frame_of(&all.position[i]),
			     moves_count = el_chess.moves(&all.position[i], moves);
		for (size_t k = 0; k < moves_count; k++) {
			struct el_value v;
			el_chess.play(&all.position[i], &moves[k], &other);
			if (!el_study_value(study, &other, &v, NULL) && frame_of(&other) != at)
				leads[at][frame_of(&other)] = true;
		}
	}
	assert_int_equal(el_graph_open(path, &graph, &error), EL_OK);
	check_frame(study, graph, &all, &root);
	assert_int_equal(el_graph_look(graph, &root, NULL, &view, &error), EL_OK);
	assert_int_equal(view.below + 1, frames); /* all follow the root */
	el_graph_view_free(&view);
	/* Some frames further down. */
	for (size_t i = 0; i < all.count; i += 1 + all.count / 2)
		check_frame(study, graph, &all, &all.position[i]);
	const struct el_library_options options = {.directory = folder};
	assert_int_equal(el_library_open(&options, &library, &error), EL_OK);
	deep += check_film(study, library, &all, &root);
	for (size_t i = 0; i < all.count; i += 1 + all.count / 3)
		deep += check_film(study, library, &all, &all.position[i]);
	assert_int_equal(deep > 0, reach != NULL);
	el_library_close(library);
	assert_int_equal(el_chess.parse("8/8/8/8/8/2k5/8/K2Q4 w - - 0 1", &other, &error), EL_OK);
	if (!reach)
		assert_int_equal(el_graph_look(graph, &other, NULL, &view, &error), EL_NEGATIVE);
	el_graph_close(graph);
	el_study_close(study);
	free(all.position);
	unlink(path);
	rmdir(folder);
}

static void frames_hold(void **state)
{
	static const struct el_study_reach queens = {1, 1 << 1};
	(void)state;
	check_root("8/8/2p5/p1P5/P7/8/k7/2K5 w - - 0 1", NULL);
	check_root("8/8/8/2p5/8/1P6/k7/3K4 w - - 0 1", NULL); /* en passant */
	check_root("8/P7/8/8/8/8/2k5/4K3 b - - 0 1", &queens);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(frames_hold)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
