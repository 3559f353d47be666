/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- saying ---- */

void model_note(struct model *m, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(m->message.text, sizeof m->message.text, format, args);
	va_end(args);
	m->message.error = false;
}

void model_fail(struct model *m, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(m->message.text, sizeof m->message.text, format, args);
	va_end(args);
	m->message.error = true;
	m->failures++;
}

/* The generator of Steele, Lea and Flood (SplitMix64). */
uint64_t model_random(struct model *m, uint64_t bound)
{
	uint64_t z = m->random += 0x9E3779B97F4A7C15u;
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return (z ^ z >> 31) % bound;
}

/* ---- life ---- */

static enum el_status first_position(struct model *m, const char *fen, const char *slice_name,
                                     struct el_error *error)
{
	const struct el_game *game;
	struct el_position position;
	struct el_slice slice;
	enum el_status status = fen ? el_position_parse(fen, &game, &position, error)
	                            : el_slice_parse(slice_name, &slice, error);
	if (status)
		return status;
	if (!fen && !slice_sample(m, &slice, &position))
		return el_fail(error, EL_NEGATIVE, "%s has no legal position", slice.name);
	if (!play_set(m, fen ? game : slice.game, &position))
		return el_fail(error, EL_MEMORY, "out of memory");
	return EL_OK;
}

enum el_status model_init(struct model *m, struct el_library *library, const char *fen,
                          const char *slice, struct el_error *error)
{
	*m = (struct model){.library = library, .random = 1};
	enum el_status status = slices_open(&m->slices, error);
	if (!status)
		status = first_position(m, fen, slice, error);
	if (status)
		model_free(m);
	return status;
}

void model_free(struct model *m)
{
	struct job *job;
	while ((job = model_take_job(m)))
		job->free(job);
	play_free(&m->play);
	tables_free(&m->tables);
	films_free(&m->films);
	builds_free(&m->builds);
	slices_close(&m->slices);
	*m = (struct model){.library = NULL};
}

void model_ask(struct model *m)
{
	play_ask(m);
	piece_map_ask(m);
	tables_ask(m);
	films_ask(m);
}
