/* SPDX-License-Identifier: MIT */
#include "passes.h"

#include "inside.h"

#include <stdlib.h>
#include <string.h>

/* ---- the frames entered ---- */

static struct study_entered *add_entered(struct study_passes *out, const struct el_frame *frame,
                                         size_t words)
{
	struct study_entered *new = calloc(1, sizeof *new);
	if (!new)
		return NULL;
	new->frame = *frame;
	new->next = out->entered;
	out->entered = new;
	for (unsigned side = 0; side < 2; side++) {
		new->outcome[side] = malloc(64 * words);
		if (!new->outcome[side])
			return NULL;
		memset(new->outcome[side], EL_BROKEN, 64 * words);
	}
	return new;
}

/* Notes what the study says of a frame. */
static enum el_status note_frame(struct frame *f, struct study_passes *out, struct el_error *error)
{
	struct study_entered *entered = add_entered(out, &f->frame, f->words);
	if (!entered)
		return no_memory(error);
	for (unsigned side = 0; side < 2; side++) {
		const uint64_t *reached = set_read(f, SET_REACHED + side);
		for (size_t w = 0; w < f->words && reached; w++)
			for (uint64_t left = reached[w]; left; left &= left - 1) {
				const uint64_t at = 64 * w + (uint64_t)__builtin_ctzll(left);
				entered->outcome[side][at] = study_value_at(f, side, at).outcome;
			}
		set_release(f, SET_REACHED + side, reached);
	}
	return EL_OK;
}

/* Notes what tables say of a choice that falls on the kind of an exit. */
static enum el_status ask_tables(struct el_study *s, struct frame *choice,
                                 const struct el_sets *sets, const struct el_exit *e,
                                 struct study_passes *out, struct el_error *error)
{
	const struct el_study_tables *tables = s->room.tables;
	const unsigned side = !e->side;
	const size_t words = s->frames->words(&e->to);
	struct study_entered *entered = words ? add_entered(out, &e->to, words) : NULL;
	if (!words)
		return EL_OK;
	if (!entered)
		return no_memory(error);
	const uint64_t *reached = set_read(choice, SET_REACHED + side);
	enum el_status status = EL_OK;
	for (size_t w = 0; w < choice->words && reached && !status; w++)
		for (uint64_t left = reached[w]; left && !status; left &= left - 1) {
			struct el_position p;
			struct el_value v;
			if (!s->frames->position(sets, side,
			                         64 * w + (uint64_t)__builtin_ctzll(left), &p))
				continue;
			s->frames->choose(e, &p);
			status = tables->value(tables->context, &p, &el_wdl, &v, error);
			if (!status)
				entered->outcome[side][s->frames->address(&e->to, &p)] = v.outcome;
			status = status == EL_NEGATIVE ? EL_OK : status;
		}
	set_release(choice, SET_REACHED + side, reached);
	return status;
}

/* Takes up a frame of the file, if the file has it. Null: it has not. */
static enum el_status take(struct el_study *s, const struct study_file *file,
                           const struct el_frame *frame, struct frame **out, struct el_error *error)
{
	const uint32_t at = study_file_frame(file, frame);
	*out = at == UINT32_MAX ? NULL : frame_find(s, frame);
	if (at == UINT32_MAX || *out)
		return EL_OK;
	const enum el_status status = study_take_frame(s, file, &file->list[at], error);
	*out = status ? NULL : frame_find(s, frame);
	return status;
}

/* Notes what an exit enters: a frame, or the frames that a choice leads to. */
static enum el_status note_entered(struct el_study *s, const struct study_file *file,
                                   const struct el_exit *e, struct study_passes *out,
                                   struct el_error *error)
{
	struct frame *f;
	struct el_sets *sets;
	struct el_exit kinds[EL_EXITS_MAX];
	for (const struct study_entered *known = out->entered; known; known = known->next)
		if (el_frame_equal(&known->frame, &e->to))
			return EL_OK;
	enum el_status status = take(s, file, &e->to, &f, error);
	if (status || !f || !f->is_solved)
		return status;
	if (f->chooses == 2)
		return note_frame(f, out, error);
	status = s->frames->open(&f->frame, &sets, error);
	if (status)
		return status;
	const size_t count = s->frames->exits(sets, f->chooses, kinds);
	for (size_t i = 0; i < count && !status; i++)
		if (choice_is_covered(s, f, sets, &kinds[i], &el_wdl))
			status = ask_tables(s, f, sets, &kinds[i], out, error);
		else
			status = note_entered(s, file, &kinds[i], out, error);
	sets->close(sets);
	return status;
}

/* ---- the frame ---- */

static enum el_status solve(struct el_study *s, const struct study_file *file,
                            struct study_passes *out, struct el_error *error)
{
	struct frame *f;
	struct el_sets *sets;
	enum el_status status = take(s, file, &out->frame, &f, error);
	if (status)
		return status;
	out->addresses = 64 * (uint64_t)f->words;
	for (unsigned i = 0; i < 4; i++) {
		out->of[i / 2][i % 2].outcome = malloc(out->addresses);
		out->of[i / 2][i % 2].ply = malloc(out->addresses * sizeof(uint16_t));
		if (!out->of[i / 2][i % 2].outcome || !out->of[i / 2][i % 2].ply)
			return no_memory(error);
	}
	status = s->frames->open(&out->frame, &sets, error);
	if (status)
		return status;
	struct el_exit exits[2 * EL_EXITS_MAX];
	const size_t count = exits_all(s->frames, sets, exits);
	for (size_t i = 0; i < count && !status; i++)
		status = el_watch_tick(s->watch, NULL)
		                 ? note_entered(s, file, &exits[i], out, error)
		                 : el_fail(error, EL_STOPPED, "stopped");
	for (unsigned favour = 0; favour < 2 && !status; favour++)
		status = study_note_passes(s, f, favour, out, error);
	sets->close(sets);
	return status;
}

enum el_status study_passes_find(const char *path, const struct el_position *p,
                                 const struct el_study_tables *tables, const struct el_watch *watch,
                                 struct study_passes *out, struct el_error *error)
{
	const struct el_study_room room = {
		.memory = UINT64_MAX, .folder = "/tmp", .tables = tables};
	struct study_file file;
	struct el_study *s = NULL;
	*out = (struct study_passes){.addresses = 0};
	enum el_status status = study_file_open(path, &file, error);
	if (!status) {
		file.frames->of(p, &out->frame);
		const uint32_t at = study_file_frame(&file, &out->frame);
		if (at == UINT32_MAX || !file.list[at].is_solved ||
		    file.frames->chooses(&out->frame) < 2)
			status = el_fail(error, EL_NEGATIVE, "%s does not reach this position",
			                 path);
	}
	if (!status)
		status = study_new(file.info->slice.game, &file.root, &room, &s, error);
	if (!status) {
		s->watch = watch;
		status = solve(s, &file, out, error);
	}
	el_study_close(s);
	study_file_close(&file);
	return status;
}

void study_passes_free(struct study_passes *p)
{
	for (unsigned i = 0; i < 4; i++) {
		free(p->of[i / 2][i % 2].outcome);
		free(p->of[i / 2][i % 2].ply);
	}
	while (p->entered) {
		struct study_entered *e = p->entered;
		p->entered = e->next;
		free(e->outcome[0]);
		free(e->outcome[1]);
		free(e);
	}
	*p = (struct study_passes){.addresses = 0};
}
