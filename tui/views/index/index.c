/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Index: ranking a position, unranking its index, and how many indexes are broken. */
#include "index.h"

#include "tui/text/text.h"
#include "tui/views/views.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which index ---- */

static void set_slice(struct model *m, const struct el_slice *slice)
{
	struct index *x = index_of(m);
	if (!x->has_slice || !el_slice_equal(&x->slice, slice)) {
		question_change(m, &x->ask);
		x->refused = false;
	}
	x->game = slice->game;
	x->slice = *slice;
	x->has_slice = true;
}

/* All indexes of a slice have the same number of steps. */
static void set_number(struct index *x, uint64_t number)
{
	struct el_index_step step[EL_INDEX_STEPS_MAX];
	x->number = number;
	x->has_given = x->shows_given = false;
	x->changes = 0;
	x->steps.count = (int)x->slice.game->index_steps(&x->slice, number, step);
	list_set(&x->steps, x->steps.at);
}

/* Shows the index of a position, or the reason why it has no slice. */
static void index_set(struct model *m, const struct el_game *game,
                      const struct el_position *position)
{
	struct index *x = index_of(m);
	struct el_slice slice;
	struct el_place place;
	x->game = game;
	x->given = *position;
	if (game->slice_of(position, &slice, &x->why) || !game->place(position, &place)) {
		x->has_slice = false;
		x->shows_given = true;
		x->steps.count = 0;
		return;
	}
	set_slice(m, &slice);
	set_number(x, place.index);
	x->plane = place.plane;
	x->has_given = true;
	x->changes = game->symmetry(position);
}

/* Keeps the index shown until Explore's position changes. */
static void enter(struct model *m)
{
	struct index *x = index_of(m);
	const bool had_slice = x->has_slice;
	struct el_position p;
	x->has_slice = false; /* the position of the view below is meant, not this one's own */
	const struct el_game *game = shell_position(m, &p);
	x->has_slice = had_slice;
	if (x->from_game == game && el_position_equal(&x->from, &p))
		return;
	x->from = p;
	x->from_game = game;
	index_set(m, game, &p);
}

/* ---- lines ---- */

/* "90861" or "90,861". */
static bool read_number(const char *text, uint64_t *out)
{
	char digits[32];
	size_t length = 0;
	for (; *text; text++) {
		if (*text == ',')
			continue;
		if (!isdigit((unsigned char)*text) || length + 1 == sizeof digits)
			return false;
		digits[length++] = *text;
	}
	digits[length] = '\0';
	errno = 0;
	*out = strtoull(digits, NULL, 10);
	return length > 0 && !errno;
}

static void go_to(struct model *m, uint64_t number)
{
	struct index *x = index_of(m);
	char last[GROUPED_MAX];
	if (!x->has_slice)
		model_fail(m, "%s", x->why.text);
	else if (number >= x->slice.positions)
		model_fail(m, "The last index of %s is %s.", x->slice.name,
		           grouped(x->slice.positions - 1, last));
	else
		set_number(x, number);
}

/* A number, a slice or a position. */
static bool run_line(struct model *m, const char *line)
{
	struct el_slice slice;
	uint64_t number;
	if (read_number(line, &number)) {
		go_to(m, number);
		return true;
	}
	if (el_slice_parse(line, &slice, NULL)) {
		const struct el_game *game;
		struct el_position position;
		struct el_error error;
		if (!el_position_is_meant(line))
			return false;
		if (model_read(m, line, &game, &position, &error) || game->check(&position, &error))
			model_fail(m, "%s", error.text);
		else
			index_set(m, game, &position);
		return true;
	}
	/* Show the first index of a slice that is not broken; there always is one. */
	struct index *x = index_of(m);
	struct el_position found;
	uint64_t first = 0;
	set_slice(m, &slice);
	x->plane = EL_WHITE;
	while (first + 1 < slice.positions && !slice.game->unplace(&slice, x->plane, first, &found))
		first++;
	set_number(x, first);
	return true;
}

/* ---- counting ---- */

/* Up to this many indexes are counted unasked: a second or two. */
static const uint64_t QUICKLY_COUNTED = 2000000;

struct census_job {
	struct job job;
	struct el_slice slice;
	struct el_census census;
};

static void census_run(struct job *job, const struct el_watch *watch)
{
	struct census_job *j = (struct census_job *)job;
	job->status = el_census_take(&j->slice, watch, &j->census, &job->error);
}

static void census_done(struct model *m, struct job *job)
{
	struct census_job *j = (struct census_job *)job;
	if (!question_answer(&index_of(m)->ask, job))
		return;
	index_of(m)->ask.known = !job->status;
	index_of(m)->refused = job->status;
	index_of(m)->census = j->census;
	if (job->status)
		model_fail(m, "%s", job->error.text);
}

static void send_census(struct model *m)
{
	struct index *x = index_of(m);
	char title[64];
	snprintf(title, sizeof title, "counting %s", x->slice.name);
	struct census_job *j =
		model_new_job(m, sizeof *j, LANE_LOOK, title, census_run, census_done, NULL);
	if (!j)
		return;
	j->slice = x->slice;
	question_ask(m, &x->ask, &j->job);
}

static void ask(struct model *m)
{
	struct index *x = index_of(m);
	if (shell_is_shown(m, VIEW_INDEX) && x->has_slice && x->slice.positions < QUICKLY_COUNTED &&
	    !x->refused && question_is_open(&x->ask))
		send_census(m);
}

static const char *no_slice(const struct model *m)
{
	return index_of(m)->has_slice ? NULL : index_of(m)->why.text;
}

static const char *not_counted(const struct model *m)
{
	const struct index *x = index_of(m);
	return !x->has_slice  ? x->why.text
	       : x->ask.known ? "The legal indexes have been counted."
	       : x->ask.job   ? "The legal indexes are being counted."
	                      : NULL;
}

/* ---- keys ---- */

static void step_index(struct model *m, int by)
{
	go_to(m, index_of(m)->number + (uint64_t)by);
}

static const char *at_first(const struct model *m)
{
	return !index_of(m)->has_slice ? index_of(m)->why.text
	       : index_of(m)->number   ? NULL
	                               : "This is the first index.";
}

static void turn_back(struct model *m)
{
	struct index *x = index_of(m);
	const int step = index_row(x, x->steps.at);
	x->back = !x->back;
	x->steps.at = index_row(x, step);
}

static void other_side(struct model *m)
{
	index_of(m)->plane ^= 1;
	index_of(m)->given.side ^= 1;
}

static const char *one_plane(const struct model *m)
{
	return !index_of(m)->has_slice         ? index_of(m)->why.text
	       : index_of(m)->slice.planes > 1 ? NULL
	       : index_of(m)->game->sows
	               ? "The board is seen from the side to move: North to move is South to move."
	       : !el_slice_alike(&index_of(m)->slice)
	               ? "Men are placed in turn: the side with more of them in hand is to move."
	               : "Both sides have the same pieces, so Black to move is White to move with "
	                 "the colours swapped.";
}

static void show_given(struct model *m)
{
	index_of(m)->shows_given = !index_of(m)->shows_given;
}

static const char *none_given(const struct model *m)
{
	return !index_of(m)->has_slice  ? index_of(m)->why.text
	       : index_of(m)->has_given ? NULL
	                                : "This index did not come from a position.";
}

static void subject(const struct model *m, char *out, size_t size)
{
	snprintf(out, size, "%s%sindex", index_of(m)->has_slice ? index_of(m)->slice.name : "",
	         index_of(m)->has_slice ? "  " : "");
}

static const struct binding bindings[] = {
	KEY({K_LEFT, 'h'}, "former-index", "index", "go to the previous index", .apply = step_index,
            .argument = -1, .disabled = at_first),
	KEY({K_RIGHT, 'l'}, "next-index", "index", "go to the next index, broken or not",
            .apply = step_index, .argument = 1, .disabled = no_slice),
	KEY({'r'}, "read-back", "back", "read the steps backwards, from index to squares",
            .run = turn_back, .disabled = no_slice),
	KEY({'t'}, "side", "side", "give the move to the other side", .run = other_side,
            .disabled = one_plane),
	KEY({'p'}, "given", "position", "show the position given, or the one stored for it",
            .run = show_given, .disabled = none_given),
	KEY({'c'}, "count-indexes", NULL, "count the legal indexes (slow in a large slice)",
            .run = send_census, .disabled = not_counted),
	KEY({'#'}, "index-number", "number", "go to an index, a slice or a position",
            .prompt = "index ", .disabled = no_slice),
	{.name = NULL},
};

static const struct el_game *position(const struct model *m, struct el_position *out)
{
	const struct index *x = index_of(m);
	struct index_look look;
	if (!x->has_slice)
		return NULL;
	index_look(x, &look);
	*out = x->shows_given ? x->given : look.position;
	return look.broken.status ? NULL : x->slice.game;
}

static void look_plain(struct model *m)
{
	struct index *x = index_of(m);
	x->back = x->shows_given = false;
	x->steps.at = 0;
}

static bool find_index(const struct model *m, uint64_t *out)
{
	*out = index_of(m)->number;
	return index_of(m)->has_slice;
}

/* The selected step, with its group's squares if they are asked for. */
static bool find_step(const struct model *m, uint64_t *rank, uint64_t *squares)
{
	const struct index *x = index_of(m);
	struct index_look look;
	if (!x->has_slice)
		return false;
	index_look(x, &look);
	const struct el_index_step *s = &look.step[index_row(x, x->steps.at)];
	*rank = s->rank;
	*squares = 0;
	for (unsigned i = 0; i < s->count && !s->bars; i++)
		*squares |= UINT64_C(1) << s->piece[i].square;
	return true;
}

static bool find_rank(const struct model *m, uint64_t *out)
{
	uint64_t squares;
	return find_step(m, out, &squares);
}

static bool find_group(const struct model *m, uint64_t *out)
{
	uint64_t rank;
	return find_step(m, &rank, out);
}

static bool find_broken(const struct model *m, uint64_t *out)
{
	struct index_look look;
	if (!index_of(m)->has_slice)
		return false;
	index_look(index_of(m), &look);
	*out = look.broken.status != EL_OK;
	return true;
}

static const struct figure figures[] = {
	{"index", FIGURE_NUMBER, find_index},
	{"rank", FIGURE_NUMBER, find_rank}, /* of the selected group of pieces */
	{"group", FIGURE_SQUARES, find_group},
	{"broken", FIGURE_WHETHER, find_broken},
	{.name = NULL},
};

const struct view index_view = {
	.name = "Index",
	.summons = 'I',
	.state = &index_state,
	.summary = "how a position gets its number, and how to read it back",
	.bindings = bindings,
	.line = run_line,
	.draw = index_draw,
	.cover = index_draw,
	.figures = figures,
	.plain = look_plain,
	.enter = enter,
	.list = {&index_state, offsetof(struct index, steps)},
	.subject = subject,
	.position = position,
	.ask = ask,
};
