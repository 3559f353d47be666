/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Index: how a position gets its number, how the number gives it back, and how many are broken. */
#include "../../model/model.h"

#include "../../text/text.h"
#include "../../text/values.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what an index is ---- */

static const char *colour(unsigned side)
{
	return side == EL_WHITE ? "white" : "black";
}

static void fail_shared(const struct el_game *game, const struct el_index_piece *a,
                        const struct el_index_piece *b, struct index_look *look)
{
	char square[4];
	game->square_name(a->square, square);
	look->shared |= UINT64_C(1) << a->square;
	el_fail(&look->broken, EL_NEGATIVE, "%s %s and %s %s both on %s", colour(a->side),
	        game->kind_names[a->kind], colour(b->side), game->kind_names[b->kind], square);
}

/* Puts the pieces of all steps on the board; says which two share a square, when some do. */
static void put_pieces(const struct index *x, struct index_look *look)
{
	const struct el_index_piece *owner[64] = {NULL};
	for (size_t i = 0; i < look->count; i++)
		for (unsigned j = 0; j < look->step[i].count; j++) {
			const struct el_index_piece *p = &look->step[i].piece[j];
			look->position.set[p->side][p->kind] |= UINT64_C(1) << p->square;
			if (owner[p->square])
				fail_shared(x->slice.game, owner[p->square], p, look);
			owner[p->square] = p;
		}
}

/* Pieces apart, but no index of a legal position: illegal, or the greater of two. */
static void find_fault(const struct index *x, struct index_look *look)
{
	struct el_position found;
	struct el_place place;
	char number[GROUPED_MAX];
	if (x->slice.game->unplace(&x->slice, x->plane, x->number, &found) ||
	    x->slice.game->check(&look->position, &look->broken) ||
	    !x->slice.game->place(&look->position, &place))
		return;
	el_fail(&look->broken, EL_NEGATIVE, "its reflection has the index %s",
	        grouped(place.index, number));
}

void index_look(const struct index *x, struct index_look *out)
{
	*out = (struct index_look){
		.position = {.side = (uint8_t)x->plane, .en_passant = EL_NO_SQUARE, .fullmove = 1}};
	out->count = x->slice.game->index_steps(&x->slice, x->number, out->step);
	put_pieces(x, out);
	if (!out->shared)
		find_fault(x, out);
}

int index_row(const struct index *x, int step)
{
	return x->back ? x->steps.count - 1 - step : step;
}

/* ---- which index ---- */

static void set_slice(struct index *x, const struct el_slice *slice)
{
	if (!x->has_slice || x->slice.key != slice->key || x->slice.game != slice->game)
		question_change(&x->ask);
	x->game = slice->game;
	x->slice = *slice;
	x->has_slice = true;
}

/* The steps are as many for all indexes of a slice. */
static void set_number(struct index *x, uint64_t number)
{
	struct el_index_step step[EL_INDEX_STEPS_MAX];
	x->number = number;
	x->has_given = x->shows_given = false;
	x->changes = 0;
	x->steps.count = (int)x->slice.game->index_steps(&x->slice, number, step);
	list_set(&x->steps, x->steps.at);
}

void index_set(struct model *m, const struct el_game *game, const struct el_position *position)
{
	struct index *x = &m->index;
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
	set_slice(x, &slice);
	set_number(x, place.index);
	x->plane = place.plane;
	x->has_given = true;
	x->changes = game->symmetry(position);
}

/* The first index of a slice that is not broken: there is one. */
static void set_first(struct index *x, const struct el_slice *slice)
{
	struct el_position found;
	uint64_t number = 0;
	set_slice(x, slice);
	x->plane = EL_WHITE;
	while (number + 1 < slice->positions &&
	       !slice->game->unplace(slice, x->plane, number, &found))
		number++;
	set_number(x, number);
}

/* What was looked at stays until Explore moves on. */
static void enter(struct model *m)
{
	struct index *x = &m->index;
	struct el_position p;
	const struct el_game *game = model_studied(m, &p);
	if (x->game == game && el_position_equal(&x->from, &p))
		return;
	x->from = p;
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
	struct index *x = &m->index;
	char last[GROUPED_MAX];
	if (!x->has_slice)
		model_fail(m, "%s", x->why.text);
	else if (number >= x->slice.positions)
		model_fail(m, "the indexes of %s end at %s", x->slice.name,
		           grouped(x->slice.positions - 1, last));
	else
		set_number(x, number);
}

/* A text with signs that no word has, and that one of the games takes for a position. */
static bool read_position(struct model *m, const char *text)
{
	const struct el_game *game;
	struct el_position position;
	struct el_error error;
	bool meant = false;
	for (const struct el_game *const *g = el_games; *g && strpbrk(text, " /:"); g++)
		meant = meant || (*g)->looks_like(text);
	if (!meant)
		return false;
	if (el_position_parse(text, &game, &position, &error) || game->check(&position, &error))
		model_fail(m, "%s", error.text);
	else
		index_set(m, game, &position);
	return true;
}

/* A number, a slice or a position, after the view's name or without it. */
static bool run_line(struct model *m, const char *line)
{
	static const char name[] = "index ";
	struct el_slice slice;
	uint64_t number;
	if (!strncasecmp(line, name, sizeof name - 1))
		line += sizeof name - 1;
	if (read_number(line, &number)) {
		go_to(m, number);
		return true;
	}
	if (el_slice_parse(line, &slice, NULL))
		return read_position(m, line);
	set_first(&m->index, &slice);
	return true;
}

/* ---- counting ---- */

/* Fewer indexes than these are looked at without being asked for: a second or two. */
static const uint64_t QUICKLY_COUNTED = 2000000;

struct census_job {
	struct job job;
	unsigned version;
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
	if (!question_answer(&m->index.ask, j->version))
		return;
	m->index.ask.known = !job->status;
	m->index.census = j->census;
	if (job->status)
		model_fail(m, "%s", job->error.text);
}

static void send_census(struct model *m, enum lane lane)
{
	struct index *x = &m->index;
	char title[64];
	snprintf(title, sizeof title, "counting %s", x->slice.name);
	struct census_job *j = model_new_job(m, sizeof *j, lane, title);
	if (!j) {
		x->ask.out = false;
		return;
	}
	j->job.run = census_run;
	j->job.done = census_done;
	j->version = x->ask.version;
	j->slice = x->slice;
	model_submit(m, &j->job);
}

static void ask(struct model *m)
{
	struct index *x = &m->index;
	if (m->view == &index_view && x->has_slice && x->slice.positions < QUICKLY_COUNTED &&
	    question_send(&x->ask))
		send_census(m, LANE_PROBE);
}

static const char *no_slice(const struct model *m)
{
	return m->index.has_slice ? NULL : m->index.why.text;
}

static const char *not_counted(const struct model *m)
{
	const struct index *x = &m->index;
	return !x->has_slice  ? x->why.text
	       : x->ask.known ? "they are counted"
	       : x->ask.out   ? "they are being counted"
	                      : NULL;
}

static void count(struct model *m)
{
	if (question_send(&m->index.ask))
		send_census(m, LANE_LONG);
}

/* ---- keys ---- */

static void next_index(struct model *m)
{
	go_to(m, m->index.number + 1);
}

static void former_index(struct model *m)
{
	set_number(&m->index, m->index.number - 1);
}

static const char *at_first(const struct model *m)
{
	return !m->index.has_slice ? m->index.why.text
	       : m->index.number   ? NULL
	                           : "0 is the first index";
}

static void type_number(struct model *m)
{
	model_prompt(m, "index ");
}

static void turn_back(struct model *m)
{
	struct index *x = &m->index;
	const int step = index_row(x, x->steps.at);
	x->back = !x->back;
	x->steps.at = index_row(x, step);
}

static void other_side(struct model *m)
{
	m->index.plane ^= 1;
	m->index.given.side ^= 1;
}

static const char *one_plane(const struct model *m)
{
	return !m->index.has_slice ? m->index.why.text
	       : m->index.slice.planes > 1
		       ? NULL
		       : "both sides have the same pieces, so Black to move is White to move with "
			 "the colours swapped";
}

static void show_given(struct model *m)
{
	m->index.shows_given = !m->index.shows_given;
}

static const char *none_given(const struct model *m)
{
	return !m->index.has_slice   ? m->index.why.text
	       : m->index.has_given  ? NULL
	                             : "this index was not asked for by a position";
}

static struct list *steps(struct model *m)
{
	return &m->index.steps;
}

static void subject(const struct model *m, char *out, size_t size)
{
	snprintf(out, size, "%s%sindex", m->index.has_slice ? m->index.slice.name : "",
	         m->index.has_slice ? "  " : "");
}

static const struct binding bindings[] = {
	{{K_LEFT, 'h'}, "former-index", "index", "the index before this one", former_index, at_first,
	 NULL},
	{{K_RIGHT, 'l'}, "next-index", "index", "the index after this one, broken or not",
	 next_index, no_slice, NULL},
	{{'r'}, "read-back", "back", "read the steps from the index back to the squares, or forth",
	 turn_back, no_slice, NULL},
	{{'t'}, "side", "side", "the other side is to move", other_side, one_plane, NULL},
	{{'p'}, "given", "position", "show the position as it was given, or what stands for it",
	 show_given, none_given, NULL},
	{{'c'}, "count-indexes", NULL, "count the indexes that are not broken, in a slice so large "
	 "that this takes long", count, not_counted, NULL},
	{{'n'}, "index-number", "number", "go to an index by its number; a slice or a position may "
	 "stand there, too", type_number, no_slice, NULL},
	{.name = NULL},
};

const struct view index_view = {
	.name = "Index",
	.summary = "how a position gets its number, and back",
	.bindings = bindings,
	.line = run_line,
	.draw = index_draw,
	.enter = enter,
	.list = steps,
	.subject = subject,
	.ask = ask,
};
