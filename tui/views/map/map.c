/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Map: tries one piece of the position on every square, and marks each square with the value. */
#include "tui/model/window.h"
#include "tui/screen/roles.h"
#include "tui/shell/overlay.h"
#include "tui/shell/room.h"
#include "tui/views/views.h"

#include <stdio.h>

struct map {
	uint8_t cursor;
};

OWN_STATE(static, map, struct map);

static void enter(struct model *m)
{
	map_of(m)->cursor = m->map.piece;
}

static void ask(struct model *m)
{
	m->map.wanted = m->map.wanted || shell_is_shown(m, VIEW_MAP);
}

/* ---- what the keys do ---- */

static void take(struct model *m, uint8_t square)
{
	map_of(m)->cursor = square;
	piece_map_take(m, square);
}

static void take_next_piece(struct model *m)
{
	take(m, window_next_piece(play_game(m), &m->map.position, m->map.piece));
}

/* Of a typed line: the piece on a square by its name. */
static void take_named(struct model *m, const char *name)
{
	const uint8_t square = window_square(play_game(m), name);
	unsigned side;
	if (square == EL_NO_SQUARE ||
	    !el_square_taken(play_game(m), &m->map.position, square, &side))
		model_fail(m, "piece: found '%s', expected a %s with a %s on it", name,
		           square_word(play_game(m)), piece_word(play_game(m)));
	else
		take(m, square);
}

static void move_cursor(struct model *m, int way)
{
	uint8_t *cursor = &map_of(m)->cursor;
	*cursor = square_beside(play_game(m), m->flipped, *cursor, (enum direction)way);
}

static void put(struct model *m)
{
	struct el_position p;
	struct el_error error;
	if (!window_try(play_game(m), &m->map.position, m->map.piece, map_of(m)->cursor, &p))
		model_fail(m, "Another %s is on that %s.", piece_word(play_game(m)),
		           square_word(play_game(m)));
	else if (play_game(m)->check(&p, &error))
		model_fail(m, "%s", error.text);
	else if (play_set(m, play_game(m), &p))
		shell_show(m, VIEW_EXPLORE);
}

/* A click on a piece selects it; on another square it puts the cursor there. */
static bool update(struct model *m, const struct event *e)
{
	const uint8_t square = (uint8_t)e->zone.value;
	unsigned side;
	if (e->kind != EVENT_CLICK || e->zone.kind != ZONE_SQUARE)
		return false;
	map_of(m)->cursor = square;
	if (square != m->map.piece &&
	    el_square_taken(play_game(m), &m->map.position, square, &side))
		take(m, square);
	return true;
}

/* ---- drawing ---- */

/* How often an outcome occurs, and the squares of its least and greatest depth. */
struct tally {
	unsigned count;
	uint8_t least, most;
};

static struct tally tally_of(const struct piece_map *map, const struct el_game *game,
                             enum el_outcome outcome)
{
	struct tally t = {.count = 0};
	for (uint8_t square = 0; square < MAP_SQUARES; square++) {
		unsigned file, rank;
		const struct el_value *v = &map->values.value[square];
		if (v->outcome != outcome || !el_square_find(game, square, &file, &rank))
			continue;
		if (!t.count || v->plies < map->values.value[t.least].plies)
			t.least = square;
		if (!t.count || v->plies > map->values.value[t.most].plies)
			t.most = square;
		t.count++;
	}
	return t;
}

/* Where the tally's columns are; closer together if there is less room. */
struct tally_columns {
	int count_end, least, most;
	const char *shortest, *longest;
};

static struct tally_columns columns_of(const struct el_game *game, struct pane p)
{
	enum { ROOMY = 38 };
	/* With room, the shades stand between the two. */
	const int width = game->labelled_squares ? 9 : 6, most = 19 + width + SHADES + 2;
	const bool roomy = p.cols >= ROOMY;
	struct tally_columns c = {.count_end = roomy ? 17 : 16, .least = roomy ? 19 : 16};
	c.most = !roomy ? (p.cols < 33 ? p.cols - 8 : 25) : most + width <= p.cols ? most : 30;
	c.shortest = game->sows ? "least" : roomy ? "shortest" : "short";
	c.longest = game->sows ? "most" : roomy ? "longest" : "long";
	return c;
}

static void draw_tally(const struct model *m, struct pane p, int y, enum el_outcome outcome)
{
	const struct piece_map *map = &m->map;
	const struct el_game *game = play_game(m);
	const struct tally_columns c = columns_of(game, p);
	const struct tally t = tally_of(map, game, outcome);
	pane_print(p, y, 0, outcome_role(outcome), "%c %s", outcome_mark(outcome),
	           outcome == EL_AT_LEAST_DRAW  ? ">= draw"
	           : outcome == EL_AT_MOST_DRAW ? "<= draw"
	                                        : el_outcome_name(outcome));
	pane_print(p, y, c.count_end - 3, ROLE_STRONG, "%3u", t.count);
	if (!t.count || !value_is_deep(map->values.metric, map->values.value[t.least]))
		return;
	char least[4], most[4];
	game->square_name(t.least, least);
	game->square_name(t.most, most);
	/* "on" keeps a numbered square from being mistaken for a depth. */
	const char *format = game->labelled_squares ? "%3u on %s" : "%3u %s";
	const int after = pane_print(
		p, y, c.least, ROLE_TEXT, format,
		depth_shown(map->values.metric, map->values.value[t.least].plies, m->in_moves),
		least);
	/* The shades between the two, where there is room for all. */
	for (int shade = 0; shade < SHADES && after + 1 + SHADES < c.most; shade++)
		pane_paint(p, y, after + 1 + shade, ROLE_TEXT,
		           (enum role)((int)outcome_ground(outcome) + shade), ' ');
	pane_print(p, y, c.most, ROLE_TEXT, format,
	           depth_shown(map->values.metric, map->values.value[t.most].plies, m->in_moves),
	           most);
}

static void draw_cursor_value(const struct model *m, struct pane p, int y)
{
	const struct piece_map *map = &m->map;
	struct el_value value = map->values.value[map_of(m)->cursor];
	char name[4], sentence[SENTENCE_MAX] = "";
	struct el_position there;
	struct el_error error;
	play_game(m)->square_name(map_of(m)->cursor, name);
	int x = pane_print(p, y, 0, ROLE_STRONG, "%s  ", name);
	pane_print(p, y, x, outcome_role(value.outcome), "%s", outcome_words(value.outcome));
	struct pane below = pane_sub(p, y + 1, x, 3, p.cols - x);
	if (value_is_deep(map->values.metric, value))
		pane_wrap(below, 0, ROLE_TEXT,
		          value_sentence(map->values.metric, value, m->in_moves, sentence));
	else if (!window_try(play_game(m), &map->position, map->piece, map_of(m)->cursor, &there))
		pane_print(below, 0, 0, ROLE_DIM, "another %s is there", piece_word(play_game(m)));
	else if (play_game(m)->check(&there, &error))
		pane_wrap(below, 0, ROLE_DIM, error.text);
}

static void draw_legend(const struct model *m, struct pane p)
{
	static const enum el_outcome outcomes[] = {EL_WIN,  EL_CURSED_WIN,   EL_AT_LEAST_DRAW,
	                                           EL_DRAW, EL_AT_MOST_DRAW, EL_BLESSED_LOSS,
	                                           EL_LOSS, EL_UNKNOWN,      EL_BROKEN};
	const struct piece_map *map = &m->map;
	const struct el_game *game = play_game(m);
	/* The piece tried, and the side to move. */
	const struct el_metric *metric = map->values.metric;
	const bool is_deep = metric && kind_words(metric)->has_number;
	char piece[PIECE_TEXT_MAX];
	unsigned side;
	int y = 1;
	if (el_square_taken(game, &map->position, map->piece, &side))
		y = pane_print_wrapped(p, 0, ROLE_STRONG, "map: %s %s every %s",
		                       piece_text(game, &map->position, map->piece, piece),
		                       on_square(game), square_word(game));

	y += pane_print_wrapped(p, y, ROLE_TEXT, "%s to move%s%s", game->sides[map->position.side],
	                        is_deep ? kind_words(metric)->of_map : "",
	                        is_deep ? depth_unit(metric, m->in_moves) : "");
	if (!map->ask.known) {
		pane_text(p, y + 1, 0, ROLE_DIM, "looking it up");
		return;
	}
	if (pane_is_slim(p)) {
		draw_cursor_value(m, p, y);
		return;
	}
	const struct tally_columns c = columns_of(game, p);
	pane_right(p, y + 1, c.count_end, ROLE_DIM, "count");
	pane_right(p, y + 1, c.least + 8, ROLE_DIM, c.shortest);
	pane_right(p, y + 1, c.most + 8, ROLE_DIM, c.longest);
	y += 2;
	for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
		if (tally_of(map, game, outcomes[i]).count || outcomes[i] == EL_WIN ||
		    outcomes[i] == EL_DRAW || outcomes[i] == EL_LOSS || outcomes[i] == EL_BROKEN)
			draw_tally(m, p, y++, outcomes[i]);
	draw_cursor_value(m, p, y + 1);
}

static void draw(const struct model *m, struct pane p)
{
	const struct layout l = shell_layout(m, play_game(m), BOARD_AND_SECOND);
	struct square_mark marks[MAP_SQUARES] = {0};
	struct board board = board_plain(play_game(m), &m->map.position, m->flipped);
	board.scale = l.scale;
	board.picked = m->map.piece;
	board.cursor = map_of(m)->cursor;
	board.marks = marks;
	if (m->map.ask.known)
		board_mark_values(m->map.values.metric, m->map.values.value, m->in_moves, marks);
	overlay_show(m, &board);
	board_draw(&board, pane_part(p, l.board));
	if (l.second.rows) {
		/* Draw the line's position too, if there is room. */
		struct board b =
			board_played(play_game(m), play_position(m), walk_move(&m->play.walk),
		                     walk_before(&m->play.walk), m->flipped);
		b.scale = l.second_scale;
		board_draw(&b, pane_part(p, l.second));
	}
	draw_legend(m, pane_part(p, l.side));
}

static void subject(const struct model *m, char *out, size_t size)
{
	const struct study *s = m->play.study;
	bool has_slice = s && s->answer.has_slice;
	snprintf(out, size, "%s%smap", has_slice ? s->answer.slice.name : "",
	         has_slice ? "  " : "");
}

static const struct binding bindings[] = {
	KEY({K_ENTER}, "put", "put", "put the piece on the cursor's square", .run = put),
	KEY({K_TAB}, "next-piece", "next piece", "map the next piece", .run = take_next_piece),
	KEY({'t'}, "side", "side", "give the move to the other side", .run = piece_map_turn),
	KEY({'m'}, "map", "back", "return to Explore and change nothing", .run = shell_back),
	KEY({'f'}, "flip", NULL, "turn the board around", .run = shell_flip),
	KEY({K_LEFT, 'h'}, "left", NULL, "move the cursor left", .apply = move_cursor,
            .argument = LEFT),
	KEY({K_RIGHT, 'l'}, "right", NULL, "move the cursor right", .apply = move_cursor,
            .argument = RIGHT),
	KEY({K_UP, 'k'}, "up", NULL, "move the cursor up", .apply = move_cursor, .argument = UP),
	KEY({K_DOWN, 'j'}, "down", NULL, "move the cursor down", .apply = move_cursor,
            .argument = DOWN),
	{.name = NULL},
};

static const struct verb verbs[] = {
	{"piece", "SQUARE", "map the piece on a square", .run = take_named},
	{.word = NULL},
};

const struct view map_view = {
	.name = "Map",
	.summary = "one piece tried on every square",
	.state = &map_state,
	.bindings = bindings,
	.verbs = verbs,
	.update = update,
	.draw = draw,
	.subject = subject,
	.enter = enter,
	.ask = ask,
	.cover = overlay_draw_cover,
};
