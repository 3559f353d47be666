/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Teach's film and window. */
#include "teach.h"

#include "tui/model/slices.h"
#include "tui/model/window.h"
#include "tui/text/values.h"

const char teach_one_way[] =
	"A frame of a study is solved in one way: to its next zeroing move, with all its tables.";

OWN_STATE(, teach, struct teach);

/* ---- the film ---- */

/* Null until it is requested. */
static const struct filmed *filmed(const struct model *m)
{
	return teach_of(m)->wanted ? films_find(m, &teach_of(m)->wish) : NULL;
}

const struct el_film *teach_film(const struct model *m)
{
	return filmed(m) ? filmed(m)->film : NULL;
}

const char *teach_refusal(const struct model *m)
{
	return filmed(m) ? filmed(m)->why : "";
}

size_t teach_last(const struct model *m)
{
	const struct el_film *film = teach_film(m);
	return film ? film->step_count - 1 : 0;
}

void teach_go(struct model *m, size_t step)
{
	struct teach *t = teach_of(m);
	t->play.running = t->play.running && !t->play.every;
	t->step = step < teach_last(m) ? step : teach_last(m);
	t->trying = false;
	teach_turn(m);
}

void teach_turn(struct model *m)
{
	struct window *w = &teach_of(m)->window;
	const struct el_film *film = teach_film(m);
	const uint64_t *decided = film ? film->steps[teach_of(m)->step].decided : NULL;
	const unsigned of = teach_side_of(m, w->position.side);
	if (film && !teach_of(m)->keeps_side && !decided[of] && decided[!of])
		w->position.side = !w->position.side;
}

uint64_t teach_news(const struct model *m, size_t step)
{
	const struct teach *t = teach_of(m);
	uint64_t squares = 0;
	for (uint8_t square = 0; square < MARKS_SQUARES; square++) {
		struct el_position p;
		unsigned file, rank;
		if (!el_square_find(t->game, square, &file, &rank) ||
		    !window_try(t->game, &t->window.position, t->window.free, square, &p))
			continue;
		const struct el_film_value v = el_film_value(teach_film(m), &p, step);
		squares |= (uint64_t)(v.value.outcome != EL_BROKEN && v.step == step) << square;
	}
	return squares;
}

/* A run takes at most this long, whatever the number of steps. */
enum { RUN_MS = 4000 };

void teach_run_to(struct model *m, size_t step)
{
	struct teach *t = teach_of(m);
	const size_t to = step < teach_last(m) ? step : teach_last(m);
	if (to <= t->step) {
		teach_go(m, to);
		return;
	}
	autoplay_run(m, &t->play, (int)(RUN_MS / (to - t->step)));
	t->until = to;
}

void teach_finish(struct model *m)
{
	struct teach *t = teach_of(m);
	if (t->play.running && t->play.every)
		teach_go(m, t->until);
}

unsigned teach_side_of(const struct model *m, unsigned side)
{
	const struct teach *t = teach_of(m);
	const struct el_slice *slice = &t->wish.slice;
	for (unsigned kind = 0; kind < EL_KINDS; kind++)
		if (__builtin_popcountll(t->window.position.set[EL_WHITE][kind]) !=
		    slice->count[EL_WHITE][kind])
			return !side;
	return side;
}

void teach_film_again(struct model *m, const struct el_film_wish *wish)
{
	struct teach *t = teach_of(m);
	t->step = 0;
	t->trying = false;
	t->score = (struct marks_count){0};
	t->tries = 0;
	t->play.running = false;
	t->pending[0] = '\0';
	t->wish = *wish;
	t->wanted = true;
	films_want(m, wish);
	films_retry(m);
}

void teach_film_under(struct model *m, const struct el_metric *metric)
{
	struct teach *t = teach_of(m);
	struct el_film_wish wish = t->wish;
	char name[16], solved[16];
	wish.metric = metric;
	wish.partial = false;
	t->rule = metric->limit ? metric->limit / 2 : t->rule;
	teach_film_again(m, &wish);
	if (el_metric_solved(metric) == metric)
		model_note(m, "%s: %s.", metric_text(metric, name), metric->title);
	else
		model_note(m, "%s: %s, read off the passes of %s.", metric_text(metric, name),
		           metric->title, metric_text(el_metric_solved(metric), solved));
}

bool teach_is_filmed(const struct model *m, const struct el_position *p)
{
	uint64_t place;
	return el_film_place(teach_film(m), p, &place);
}

/* ---- the window ---- */

void teach_set_window(struct teach *t, const struct window *window)
{
	t->window = *window;
	t->held = EL_NO_SQUARE;
	t->trying = false;
}

bool teach_stands(const struct teach *t, uint8_t square)
{
	return t->wish.standing >> square & 1;
}

static void set_window(struct model *m, const struct el_position *position,
                       const struct el_film_wish *wish)
{
	struct teach *t = teach_of(m);
	const struct el_game *game = wish->slice.game;
	struct window window = {.position = *position,
	                        .free = window_telling_piece(game, position)};
	window.position.en_passant = EL_NO_SQUARE;
	if (!t->wanted || *teach_refusal(m) || !el_slice_equal(&t->wish.slice, &wish->slice))
		teach_film_again(m, wish);
	while (teach_stands(t, window.free))
		window.free = window_next_piece(game, position, window.free);
	window.cursor = window.free;
	t->game = game;
	t->tiled = false;
	t->trail_count = 0;
	teach_set_window(t, &window);
}

/* What a study covers is filmed by its frame, everything else by its slice. */
bool teach_set(struct model *m, const struct el_game *game, const struct el_position *position)
{
	struct el_film_wish wish;
	struct el_error error;
	if (el_film_frame(m->library, game, position, &wish, NULL)) {
		wish = (struct el_film_wish){.metric = el_game_metric(game)};
		if (game->slice_of(position, &wish.slice, &error)) {
			model_fail(m, "%s", error.text);
			return false;
		}
	}
	set_window(m, position, &wish);
	return true;
}

struct el_position teach_position(const struct model *m)
{
	const struct window *w = &teach_of(m)->window;
	struct el_position p;
	bool can = window_try(teach_of(m)->game, &w->position, w->free, w->cursor, &p);
	return can && !teach_of(m)->game->check(&p, NULL) ? p : w->position;
}

bool teach_facts(const struct model *m, struct board_facts *out)
{
	const struct teach *t = teach_of(m);
	const struct el_film *film = teach_film(m);
	if (!film)
		return false;
	const size_t last = teach_last(m), next = t->step < last ? t->step + 1 : last;
	*out = (struct board_facts){.metric = film->wish.metric};
	for (uint8_t square = 0; square < 64; square++) {
		struct el_position p;
		unsigned file, rank;
		out->value[square].outcome = EL_BROKEN;
		if (!el_square_find(t->game, square, &file, &rank) ||
		    !window_try(t->game, &t->window.position, t->window.free, square, &p))
			continue;
		out->value[square] = el_film_value(film, &p, last).value;
		const struct el_film_value then = el_film_value(film, &p, next);
		if (next > t->step && then.step == next && then.value.outcome != EL_BROKEN)
			out->next |= (uint64_t)1 << square;
	}
	return true;
}

/* How many indexes to try for an initial position: a moment's work. */
enum { FIRST_TRIES = 20000 };

/* A position in which the side to move has lost on the board, because the analysis begins there; if
   none is found, any position. */
static bool first_position(const struct el_slice *slice, struct el_position *out)
{
	const struct el_game *game = slice->game;
	struct el_move moves[EL_MOVES_MAX];
	struct el_position p;
	bool found = false;
	for (uint64_t i = 0; i < slice->positions && i < FIRST_TRIES; i++)
		for (unsigned plane = slice->planes; plane-- > 0;) {
			if (!game->unplace(slice, plane, i, &p))
				continue;
			const bool lost =
				!game->moves(&p, moves) && game->stuck(&p).outcome == EL_LOSS;
			*out = found && !lost ? *out : p;
			found = true;
			if (lost)
				return true;
		}
	return found;
}

bool teach_set_slice(struct model *m, const char *name)
{
	struct el_film_wish wish = {.metric = NULL};
	struct el_position position;
	if (el_slice_parse(name, &wish.slice, NULL))
		return false;
	struct teach *t = teach_of(m);
	const struct el_film_wish *old = &t->wish;
	wish.metric = el_game_metric(wish.slice.game);
	/* With many queens no index among the first is a legal position. */
	if (!first_position(&wish.slice, &position) &&
	    !slice_sample(&m->random, &wish.slice, &position)) {
		model_fail(m, "%s has no legal position", wish.slice.name);
		return true;
	}
	t->wanted = t->wanted && !old->partial && el_slice_equal(&old->slice, &wish.slice) &&
	            old->metric == wish.metric;
	set_window(m, &position, &wish);
	t->step = 0;
	return true;
}
