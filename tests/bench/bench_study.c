/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Positions solved by frames, on one core: processor time, and the share of each of its stages; then a probe and
 * an answer of the study in memory. bench_study FOLDER FEN...
 */
#include "bench.h"

#include "core/library/library.h"
#include "core/probe/probe.h"
#include "core/study/study.h"

#include <omp.h>
#include <stdlib.h>
#include <time.h>

enum { ASKED = 200000, RANKED = 2000 };

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double explored_at;

static bool explored(void *context, const struct el_study_size *size)
{
	(void)context, (void)size;
	explored_at = seconds();
	return true;
}

/* A sample of the study's positions. */
struct sample {
	struct el_position list[ASKED];
	size_t count;
	uint64_t seen, every;
};

static void take(void *context, const struct el_position *p, struct el_value value)
{
	struct sample *s = context;
	(void)value;
	if (s->seen++ % s->every == 0 && s->count < ASKED)
		s->list[s->count++] = *p;
}

static void ask(const char *folder, const struct el_game *game, const struct sample *sample)
{
	struct el_library *library;
	static struct el_answer answer;
	struct el_error error;
	struct el_value value;
	if (el_library_open(&(struct el_library_options){.directory = folder}, &library, &error))
		bench_fail(error.text);
	double best[2] = {1e9, 1e9};
	for (int round = 0; round < 3; round++) {
		double start = seconds();
		for (size_t i = 0; i < sample->count; i++)
			if (el_library_value(library, game, &sample->list[i], &el_wdl,
			                     EL_PROBE_FULL, &value, &error))
				bench_fail(error.text);
		const double probe = (seconds() - start) / (double)sample->count;
		start = seconds();
		size_t ranked = 0;
		for (size_t i = 0; i < sample->count; i += 1 + sample->count / RANKED, ranked++)
			el_library_answer(library, game, &sample->list[i], NULL, &answer, &error);
		const double rank = (seconds() - start) / (double)ranked;
		best[0] = probe < best[0] ? probe : best[0];
		best[1] = rank < best[1] ? rank : best[1];
	}
	printf("  a probe %.0f ns, ranked moves %.1f us\n", 1e9 * best[0], 1e6 * best[1]);
	el_library_close(library);
}

static void measure(const char *folder, const char *fen)
{
	const struct el_study_room room = {UINT64_MAX, folder, .explored = explored};
	static struct sample sample;
	const struct el_game *game;
	struct el_position root;
	struct el_study *study;
	struct el_error error;
	struct el_value value;
	char path[4096];
	uint64_t bytes;
	if (el_position_parse(fen, &game, &root, &error))
		bench_fail(error.text);
	const double start = seconds();
	if (el_study_open(game, &root, &room, NULL, &study, &error) ||
	    el_study_value(study, &root, &value, &error))
		bench_fail(error.text);
	const double solved = seconds();
	snprintf(path, sizeof path, "%s/bench.study", folder);
	if (el_study_write(study, NULL, path, NULL, &bytes, &error))
		bench_fail(error.text);
	const double written = seconds();
	const struct el_study_size size = el_study_size(study);
	printf("%s\n  %zu frames, %llu positions, %s: exploring %.2f s, solving %.2f s, writing "
	       "%.2f s, "
	       "%llu bytes\n",
	       fen, size.frames, (unsigned long long)size.positions, el_outcome_name(value.outcome),
	       explored_at - start, solved - explored_at, written - solved,
	       (unsigned long long)bytes);
	sample = (struct sample){.every = 3}; /* of few frames, whose blocks stay in memory */
	el_study_each(study, &sample, take);
	el_study_close(study);
	ask(folder, game, &sample);
	fflush(stdout);
	remove(path);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		bench_fail("expected FOLDER FEN...");
	omp_set_num_threads(1);
	for (int i = 2; i < argc; i++)
		measure(argv[1], argv[i]);
	return 0;
}
