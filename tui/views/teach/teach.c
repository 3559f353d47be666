/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Teach: the passes of retrograde analysis, one by one, on a board. */
#include "teach.h"

#include "tui/model/window.h"
#include "tui/screen/widgets/board.h"
#include "tui/text/values.h"
#include "tui/views/views.h"

#include <stdio.h>
#include <string.h>

static const struct autoplay_words pass_words = {"pass", "passes"};

/* Takes over Explore's position if its slice has changed. */
static void enter(struct model *m)
{
	struct teach *t = teach_of(m);
	const struct el_position *p = play_position(m);
	struct el_slice slice = {.key = 0};
	struct el_film_wish frame;
	const bool studied = !el_film_frame(m->library, play_game(m), p, &frame, NULL);
	const bool known = studied || !play_game(m)->slice_of(p, &slice, NULL);
	const uint64_t key = studied ? frame.slice.key : slice.key;
	if (known && key != t->explored)
		teach_set(m, play_game(m), p);
	else if (!t->game)
		teach_set_slice(m, "KRvK");
	t->explored = known ? key : t->explored;
	t->frames_due = studied && !t->from_frames;
}

/* ---- steps ---- */

static void step_pass(struct model *m, int by)
{
	teach_of(m)->keeps_side = false;
	teach_of(m)->play.running = false;
	teach_go(m, teach_of(m)->step + (size_t)by);
}

static const char *no_film(const struct model *m)
{
	const char *why = teach_refusal(m);
	return teach_film(m) ? NULL : *why ? why : "The slice is still being solved.";
}

static const char *at_last(const struct model *m)
{
	const char *why = no_film(m);
	return why ? why : teach_of(m)->step < teach_last(m) ? NULL : "This is the last step.";
}

/* Would the free piece, on some square of this board, give that position? */
static bool on_this_board(const struct teach *t, const struct el_position *p)
{
	const struct window *w = &t->window;
	struct el_position tried;
	for (uint8_t square = 0; square < 64; square++)
		if (window_try(t->game, &w->position, w->free, square, &tried) &&
		    tried.side == p->side && !memcmp(tried.set, p->set, sizeof p->set) &&
		    !memcmp(tried.pits, p->pits, sizeof p->pits))
			return true;
	return false;
}

/* Goes to the next board with a position that a step decides, and tries the same piece there. False
   if there is none. */
static bool go_to_news(struct model *m, size_t step)
{
	enum { TRIES = 64 }; /* most positions of a board are near each other */
	struct teach *t = teach_of(m);
	struct el_position p = teach_position(m);
	uint64_t place;
	unsigned side = EL_WHITE, kind = 0, other, kind_there;
	for (int i = 0; i < TRIES && el_film_place(teach_film(m), &p, &place); i++)
		if (!el_film_find(teach_film(m), step, step, false, place + 1, &p) ||
		    !on_this_board(t, &p))
			break;
	if (on_this_board(t, &p))
		return false;
	struct window next = {.position = p, .free = window_telling_piece(t->game, &p)};
	(void)el_piece_at(&t->window.position, t->window.free, &side, &kind);
	side = teach_side_of(m, side); /* the found position has the slice's colours */
	for (uint8_t square = 64; square-- > 0;)
		if (el_piece_at(&p, square, &other, &kind_there) && other == side &&
		    kind_there == kind)
			next.free = square;
	next.cursor = next.free;
	t->trail_count = 0;
	teach_set_window(t, &next);
	return true;
}

static void other_board(struct model *m)
{
	if (!go_to_news(m, teach_of(m)->step))
		model_note(m, "No other board has a position that this pass decides.");
}

/* ---- the next pass, done by hand ---- */

static void try_pass(struct model *m)
{
	struct teach *t = teach_of(m);
	const size_t step = t->step + 1;
	const struct el_film_step *next = &teach_film(m)->steps[step];
	const unsigned of = teach_side_of(m, t->window.position.side);
	char name[32];
	if (!next->decided[of] && next->decided[!of])
		t->window.position.side ^= 1;
	if (!teach_news(m, step))
		(void)go_to_news(m, step);
	t->play.running = false;
	t->trying = true;
	marks_begin(&t->marks, t->game);
	t->marks.cursor = t->window.cursor;
	teach_step_name(teach_film(m), step, name);
	model_note(m, "Next: %s. Mark its squares with Enter, then press g to run the pass.", name);
}

static void grade_pass(struct model *m)
{
	struct teach *t = teach_of(m);
	const uint64_t expected = teach_news(m, t->step + 1);
	struct marks marks = t->marks;
	teach_go(m, t->step + 1);
	marks_grade(&marks, expected);
	t->marks = marks;
	t->trying = true; /* the board shows the grades until the next step */
	const struct marks_count c = marks_count(&marks);
	t->score.right += c.right;
	t->score.wrong += c.wrong;
	t->score.missed += c.missed;
	t->tries++;
	const unsigned all = t->score.right + t->score.wrong + t->score.missed;
	model_note(m, "%u right, %u wrong, %u missed. %u %s so far: %u %%. Press y for the next.",
	           c.right, c.wrong, c.missed, t->tries, plural(t->tries, "pass", "passes"),
	           all ? 100 * t->score.right / all : 100);
}

static const char *no_try(const struct model *m)
{
	const char *why = at_last(m);
	return why                          ? why
	       : teach_of(m)->tiled         ? "Press Enter to open a tile first."
	       : teach_film(m)->halves == 2 ? "Passes within bounds are not done by hand."
	                                    : NULL;
}

static void end_pass(struct model *m, int last)
{
	teach_go(m, last ? teach_last(m) : 0);
}

static const char *at_first(const struct model *m)
{
	const char *why = no_film(m);
	return why ? why : teach_of(m)->step ? NULL : "This is the first step.";
}

static const char *no_news(const struct model *m)
{
	const char *why = no_film(m);
	const struct el_film *film = teach_film(m);
	const size_t step = teach_of(m)->step;
	return why                  ? why
	       : teach_of(m)->tiled ? "Press Enter to open a tile first."
	       : film->steps[step].decided[0] || film->steps[step].decided[1]
	               ? NULL
	               : "This step decides nothing.";
}

static void run(struct model *m)
{
	teach_of(m)->keeps_side = false;
	autoplay_toggle(m, &teach_of(m)->play, "Running", &pass_words);
}

static void change_speed(struct model *m, int by)
{
	autoplay_change(m, &teach_of(m)->play, by, &pass_words);
}

static void tick(struct model *m)
{
	struct teach *t = teach_of(m);
	if (!autoplay_due(m, &t->play) || !teach_film(m))
		return;
	const size_t end = t->play.every ? t->until : teach_last(m);
	t->step += t->step < end;
	t->trying = false;
	teach_turn(m);
	t->play.running = t->step < end;
	autoplay_went(m, &t->play);
}

/* Is a run begun by a line in progress? */
static bool moving(const struct model *m)
{
	return teach_of(m)->play.running && teach_of(m)->play.every;
}

static int next_tick(const struct model *m)
{
	return teach_film(m) ? autoplay_wait(m, &teach_of(m)->play) : -1;
}

/* ---- the cursor and its actions ---- */

static void move_cursor(struct model *m, int way)
{
	struct window *w = &teach_of(m)->window;
	w->cursor = square_beside(teach_of(m)->game, m->flipped, w->cursor, (enum direction)way);
}

static void free_next(struct model *m)
{
	struct window *w = &teach_of(m)->window;
	struct el_boards *b = &teach_of(m)->tiles;
	if (teach_of(m)->tiled) {
		do
			b->inner = el_boards_next(teach_of(m)->game, b, b->inner);
		while (teach_stands(teach_of(m), b->inner));
		return;
	}
	do
		w->free = window_next_piece(teach_of(m)->game, &w->position, w->free);
	while (teach_stands(teach_of(m), w->free));
	w->cursor = w->free;
	teach_of(m)->held = EL_NO_SQUARE;
	teach_of(m)->trying = false; /* marks belong to the board that they were made on */
}

static void other_side(struct model *m)
{
	teach_of(m)->window.position.side ^= 1;
	teach_of(m)->trying = false;
}

/* The next piece gets the tiles. */
static void tile_next(struct model *m)
{
	struct el_boards *b = &teach_of(m)->tiles;
	do
		b->outer = el_boards_next(teach_of(m)->game, b, b->outer);
	while (teach_stands(teach_of(m), b->outer));
}

static const char *not_tiled(const struct model *m)
{
	return teach_of(m)->tiled ? NULL : "Press w for the board of boards first.";
}

static void tile(struct model *m)
{
	struct teach *t = teach_of(m);
	if (!t->tiled && !el_boards_choose(t->game, &t->window.position, &t->tiles)) {
		model_note(m, "A board of boards needs two pieces.");
		return;
	}
	t->tiled = !t->tiled;
	t->trying = false;
	t->held = EL_NO_SQUARE;
	if (t->tiled)
		t->window.cursor = t->tiles.outer;
}

/* Opens the tile at the cursor as the board, with its cells as squares. */
static void open_tile(struct model *m)
{
	struct teach *t = teach_of(m);
	struct el_position p;
	/* The other piece stays where it is if there is room, else goes to the first square. */
	uint8_t cell = t->tiles.inner;
	bool room = el_boards_try(t->game, &t->tiles, t->window.position.side, t->window.cursor,
	                          cell, &p);
	for (uint8_t next = 0; next < 64 && !room; next++) {
		unsigned file, rank;
		cell = next;
		room = el_square_find(t->game, cell, &file, &rank) &&
		       el_boards_try(t->game, &t->tiles, t->window.position.side, t->window.cursor,
		                     cell, &p);
	}
	if (!room) {
		model_note(m, "Another %s is on that %s.", piece_word(t->game),
		           square_word(t->game));
		return;
	}
	t->tiled = false;
	t->trail_count = 0;
	teach_set_window(t, &(struct window){.position = p, .free = cell, .cursor = cell});
}

static const char *no_board(const struct model *m)
{
	return teach_of(m)->tiled ? "Press Enter to open a tile first." : NULL;
}

static void compare(struct model *m)
{
	teach_of(m)->comparing = !teach_of(m)->comparing;
}

/* Plays the reason's move, and tries the same piece in the new position. */
static void follow(struct model *m)
{
	struct teach *t = teach_of(m);
	struct window next = {.free = t->window.cursor};
	char san[EL_MOVE_MAX];
	struct el_position p;
	struct el_film_reason r = {.has_move = false};
	if (window_try(t->game, &t->window.position, t->window.free, t->window.cursor, &p))
		r = el_film_reason(teach_film(m), &p, t->step);
	if (!r.has_move || t->trail_count == TRAIL_MAX) {
		model_note(m, r.has_move ? "The trail can go no further."
		                         : "There is no move to follow.");
		return;
	}
	t->game->play(&p, &r.move, &next.position);
	t->game->write_move(&p, &r.move, EL_SAN, san);
	if (!teach_is_filmed(m, &next.position)) {
		/* From frame to frame the way goes on. */
		struct el_slice slice;
		if (t->wish.slice.is_study && teach_set(m, t->game, &next.position))
			model_note(m, "%s leads to another frame.", san);
		else if (t->game->slice_of(&next.position, &slice, NULL))
			model_note(m, "%s ends the game.", san);
		else
			model_note(m, "%s leads to %s, another table.", san, slice.name);
		return;
	}
	if (r.move.from == next.free)
		next.free = r.move.to;
	next.position.en_passant = EL_NO_SQUARE;
	next.cursor = next.free;
	t->trail[t->trail_count] = t->window;
	memcpy(t->said[t->trail_count], san, sizeof san);
	t->trail_count++;
	teach_set_window(t, &next);
}

static void follow_or_lift(struct model *m)
{
	struct teach *t = teach_of(m);
	struct el_position p;
	unsigned side;
	if (t->tiled && teach_film(m))
		open_tile(m);
	else if (t->held != EL_NO_SQUARE &&
	         !window_try(t->game, &t->window.position, t->held, t->window.cursor, &p))
		model_fail(m, "Another %s is on that %s.", piece_word(t->game),
		           square_word(t->game));
	else if (t->held != EL_NO_SQUARE) { /* puts it down */
		t->window.position = p;
		if (t->window.free == t->held)
			t->window.free = t->window.cursor;
		t->held = EL_NO_SQUARE;
	} else if (t->window.cursor != t->window.free &&
	           el_square_taken(t->game, &t->window.position, t->window.cursor, &side)) {
		if (teach_stands(t, t->window.cursor))
			model_note(
				m,
				"This piece stands in the whole frame. Press S for other frames.");
		else
			t->held = t->window.cursor;
	} else if (teach_film(m))
		follow(m);
	else if (*teach_refusal(m))
		films_insist(m, &t->wish);
}

static void way_back(struct model *m)
{
	struct teach *t = teach_of(m);
	if (t->held != EL_NO_SQUARE)
		t->held = EL_NO_SQUARE;
	else
		teach_set_window(t, &t->trail[--t->trail_count]);
}

static const char *no_way_back(const struct model *m)
{
	const struct teach *t = teach_of(m);
	return t->trail_count || t->held != EL_NO_SQUARE ? NULL : "No reason has been followed.";
}

static void next_panel(struct model *m)
{
	teach_of(m)->panel = (teach_of(m)->panel + 1) % TEACH_PANELS;
}

static void ask_pass(struct model *m)
{
	teach_of(m)->keeps_side = false;
	shell_prompt(m, "pass ");
}

/* Selects the game's next metric, wrapping to the first. */
static void next_metric(struct model *m)
{
	const struct teach *t = teach_of(m);
	size_t i = el_metric_rank(t->wish.metric);
	do {
		i = (i + 1) % EL_METRICS;
	} while (!el_game_has(t->game, el_metrics[i]) || !el_film_shows(el_metrics[i]));
	teach_film_under(m, el_metric_ruled(i, t->rule ? t->rule : m->last_rule));
}

static const char *no_missing(const struct model *m)
{
	return teach_of(m)->wish.slice.is_study ? teach_one_way : NULL;
}

static const char *no_other_metric(const struct model *m)
{
	size_t metrics = 0;
	if (teach_of(m)->wish.slice.is_study)
		return teach_one_way;
	for (size_t i = 0; i < EL_METRICS; i++)
		metrics += el_game_has(teach_of(m)->game, el_metrics[i]) &&
		           el_film_shows(el_metrics[i]);
	return metrics > 1 ? NULL : "This game has one metric only.";
}

static void explore_this(struct model *m)
{
	const struct el_position p = teach_position(m);
	if (play_set(m, teach_of(m)->game, &p))
		shell_visit(m, VIEW_EXPLORE);
}

/* ---- the view ---- */

static bool update(struct model *m, const struct event *e)
{
	struct teach *t = teach_of(m);
	if (t->trying && !t->marks.graded && e->kind == EVENT_KEY && e->key == 'g')
		grade_pass(m);
	else if (t->trying && e->kind == EVENT_KEY && e->key == K_ESCAPE)
		t->trying = false;
	else if (t->trying && marks_update(&t->marks, t->game, m->flipped, e))
		t->window.cursor = t->marks.cursor;
	else if (e->kind == EVENT_CLICK && e->zone.kind == ZONE_SQUARE) {
		const bool again = t->window.cursor == e->zone.value;
		t->window.cursor = (uint8_t)e->zone.value;
		if (again || t->held != EL_NO_SQUARE)
			follow_or_lift(m);
	} else if (e->kind == EVENT_KEY && e->key == K_ESCAPE && t->held != EL_NO_SQUARE)
		t->held = EL_NO_SQUARE;
	else if (e->kind == EVENT_WHEEL)
		teach_go(m, e->value < 0 && !t->step ? 0 : t->step + (size_t)e->value);
	else
		return false;
	return true;
}

static void ask(struct model *m)
{
	struct teach *t = teach_of(m);
	char line[sizeof t->pending];
	const char *rest;
	if (t->pending[0] && teach_film(m)) {
		memcpy(line, t->pending, sizeof line);
		t->pending[0] = '\0';
		const struct verb *verb = verb_of_line(teach_verbs, line, &rest);
		if (verb)
			verb_run(verb, m, rest);
	}
	if (t->wanted)
		films_want(m, &t->wish);
	if (t->frames_due && shell_is_shown(m, VIEW_TEACH))
		shell_show(m, VIEW_FRAMES);
	t->frames_due = false;
	t->from_frames = shell_is_shown(m, VIEW_FRAMES);
}

static const struct el_game *position(const struct model *m, struct el_position *out)
{
	*out = teach_position(m);
	return teach_of(m)->game;
}

/* A lesson's text refers to one board. */
static void look_plain(struct model *m)
{
	teach_finish(m);
	teach_of(m)->comparing = false;
	teach_of(m)->tiled = false;
	teach_of(m)->panel = TEACH_ALGORITHM;
}

enum { NAMES_COLS = 56 }; /* columns of the title line for view names */

static void subject(const struct model *m, char *out, size_t size)
{
	const struct el_film *film = teach_film(m);
	const char *name = teach_of(m)->wish.slice.name;
	const struct el_metric *metric = teach_of(m)->wish.metric;
	char step[32] = "", under[16] = "";
	if (film)
		teach_step_name(film, teach_of(m)->step, step);
	if (film && film->halves == 2)
		snprintf(under, sizeof under, "bounds");
	else if (metric != el_game_metric(teach_of(m)->game))
		metric_text(metric, under);
	snprintf(out, size, "%s%s%s", name, *under ? "  " : "", under);
	/* The step is optional here, as it is also beside the board. */
	if (film && utf8_length(out) + 2 + utf8_length(step) <= shell_cols(m) - NAMES_COLS)
		el_text_add(out, size, "  %s", step);
}

static const struct binding bindings[] = {
	KEY({' ', '.'}, "next-pass", "pass", "go to the next pass", .apply = step_pass,
            .argument = 1, .disabled = at_last),
	KEY({','}, "pass-before", "back", "go to the previous pass", .apply = step_pass,
            .argument = -1, .disabled = at_first),
	KEY({'#'}, "go-to-pass", NULL, "go to a pass by its number", .run = ask_pass,
            .disabled = no_film),
	KEY({'a'}, "run", "run", "run through the passes automatically", .run = run,
            .disabled = at_last),
	KEY({'y'}, "try-pass", "do it yourself", "mark what the next pass decides, then run it",
            .run = try_pass, .disabled = no_try),
	KEY({'o'}, "other-board", "news", "go to the next board with news of this pass",
            .run = other_board, .disabled = no_news),
	KEY({K_ENTER}, "follow", "follow", "follow the reason's move; move a fixed piece",
            .run = follow_or_lift),
	KEY({K_BACKSPACE}, "way-back", NULL, "go back to where the reason was followed",
            .run = way_back, .disabled = no_way_back),
	{{K_TAB}, "free-piece", "piece", "try the next piece on every square", .run = free_next},
	{{'t'}, "other-side", "side", "give the move to the other side", .run = other_side},
	KEY({'v'}, "algorithm", "algorithm", "show the loop on sets, the classic loop, or neither",
            .run = next_panel),
	KEY({'s'}, "set-slice", "slice", "choose another slice by its name or a position",
            .prompt = "teach "),
	KEY({'d'}, "next-metric", NULL, "solve the slice under the next metric", .run = next_metric,
            .disabled = no_other_metric),
	KEY({'m'}, "set-missing", NULL, "solve the slice as if some tables were missing",
            .prompt = "missing ", .disabled = no_missing),
	KEY({'w'}, "board-of-boards", "boards",
            "show a board of boards: two pieces on every square", .run = tile, .disabled = no_film),
	KEY({K_BACKTAB}, "tile-piece", NULL,
            "in the board of boards, give the next piece the tiles", .run = tile_next,
            .disabled = not_tiled),
	KEY({'c'}, "compare", NULL, "show both sides to move on two boards", .run = compare,
            .disabled = no_board),
	KEY({'i'}, "see-index", "index", "show how the position gets its number",
            .apply = shell_show, .argument = VIEW_INDEX),
	KEY({'S'}, "see-frames", NULL, "show the frames of a study: which move leads where",
            .apply = shell_show, .argument = VIEW_FRAMES),
	KEY({'M'}, "see-metrics", "metrics", "compare the position under each metric",
            .apply = shell_show, .argument = VIEW_METRICS),
	KEY({'P'}, "see-practice", "practice",
            "practise with this slice: win, hold, find, mark, guess", .apply = shell_show,
            .argument = VIEW_PRACTICE),
	KEY({'B'}, "see-bounds", "bounds", "show bounds, and how they go round a loop",
            .apply = shell_show, .argument = VIEW_BOUNDS),
	KEY({'L'}, "see-lessons", "lessons", "list the lessons", .apply = shell_visit,
            .argument = VIEW_LESSON),
	{{'+', '='}, "run-faster", NULL, "speed up", .apply = change_speed, .argument = 1},
	{{'-'}, "run-slower", NULL, "slow down", .apply = change_speed, .argument = -1},
	KEY({K_HOME, 'g'}, "first-pass", NULL, "go to the first step", .apply = end_pass,
            .argument = false, .disabled = no_film),
	KEY({K_END, 'G'}, "last-pass", NULL, "go to the last step", .apply = end_pass,
            .argument = true, .disabled = no_film),
	{{'f'}, "flip", NULL, "turn the board around", .run = shell_flip},
	{{'e'}, "explore-this", NULL, "explore the position at the cursor", .run = explore_this},
	KEY({K_LEFT, 'h'}, "left", NULL, "move the cursor left", .apply = move_cursor,
            .argument = LEFT),
	KEY({K_RIGHT, 'l'}, "right", NULL, "move the cursor right", .apply = move_cursor,
            .argument = RIGHT),
	{{K_UP, 'k'}, "up", NULL, "move the cursor up", .apply = move_cursor, .argument = UP},
	KEY({K_DOWN, 'j'}, "down", NULL, "move the cursor down", .apply = move_cursor,
            .argument = DOWN),
	{.name = NULL},
};

/* Positions with the window's side to move: decided in this pass, undecided after it. */
static bool find_decided(const struct model *m, uint64_t *out)
{
	const struct teach *t = teach_of(m);
	const struct el_film *film = teach_film(m);
	if (film)
		*out = film->steps[t->step].decided[teach_side_of(m, t->window.position.side)];
	return film;
}

static bool find_undecided(const struct model *m, uint64_t *out)
{
	const struct teach *t = teach_of(m);
	const struct el_film *film = teach_film(m);
	const unsigned of = teach_side_of(m, t->window.position.side);
	if (film)
		*out = film->legal[of] * film->halves - film->steps[t->step].known[of];
	return film;
}

static const struct figure figures[] = {
	{"decided", FIGURE_NUMBER, find_decided},
	{"undecided", FIGURE_NUMBER, find_undecided},
	{.name = NULL},
};

const struct view teach_view = {
	.name = "Teach",
	.summary = "retrograde analysis, pass by pass",
	.key = '2',
	.state = &teach_state,
	.bindings = bindings,
	.update = update,
	.verbs = teach_verbs,
	.line = teach_line,
	.words = teach_words,
	.draw = teach_draw,
	.enter = enter,
	.subject = subject,
	.position = position,
	.plain = look_plain,
	.lines = teach_lines,
	.cover = overlay_draw_cover,
	.facts = teach_facts,
	.figures = figures,
	.moving = moving,
	.ask = ask,
	.tick = tick,
	.next_tick = next_tick,
};
