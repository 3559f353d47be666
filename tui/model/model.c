/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model.h"

enum el_status model_read(struct model *m, const char *text, const struct el_game **game,
                          struct el_position *out, struct el_error *error)
{
	char note[EL_NOTE_MAX];
	const enum el_status status = el_position_read(text, game, out, note, error);
	if (*note && !status)
		model_note(m, "%s", note);
	return status;
}

enum el_status model_init(struct model *m, struct el_library *library, const char *fen,
                          struct el_error *error)
{
	*m = (struct model){.library = library,
	                    .random = 1,
	                    .rule = EL_RULE_USUAL,
	                    .last_rule = EL_RULE_USUAL,
	                    .builds.preset = EL_PRESET_USUAL};
	enum el_status status = slices_add_all(&m->slices, error);
	if (!status) {
		const struct el_game *game;
		struct el_position position;
		status = model_read(m, fen, &game, &position, error);
		if (!status && !play_set(m, game, &position))
			status = el_fail(error, EL_MEMORY, "out of memory");
	}
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
	games_free(&m->games);
	position_file_free(&m->positions);
	tables_free(&m->tables);
	films_free(&m->films);
	fortress_free(&m->fortress);
	flaws_free(&m->flaws);
	slices_free(&m->slices);
	*m = (struct model){.library = NULL};
}

void model_ask(struct model *m)
{
	play_ask(m);
	games_ask(m);
	piece_map_ask(m);
	tables_ask(m);
	films_ask(m);
	fortress_ask(m);
}
