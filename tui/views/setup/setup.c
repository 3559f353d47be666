/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Set up: a board arranged by hand. Only a legal position can leave this view. */
#include "tui/shell/room.h"
#include "tui/text/text.h"
#include "tui/views/views.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { ERASER = -1 };

struct setup {
	const struct el_game *game;  /* the board's game: `o` changes it */
	struct el_position position; /* may be illegal */
	uint8_t cursor;
	int brush; /* the spare piece that a click places: side * EL_KINDS + kind;
	                                -1 clears the square */
};

OWN_STATE(static, setup, struct setup);

/* ---- the board ---- */

/* Also empties the stores: earlier captures do not fit a new board. */
static void set_stones(struct setup *s, uint8_t pit, unsigned stones)
{
	s->position.pits[pit] = (uint8_t)stones;
	s->position.stores[0] = s->position.stores[1] = 0;
}

static void clear_square(struct setup *s, uint8_t square)
{
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = 0; kind < EL_KINDS; kind++)
			s->position.set[side][kind] &= ~((uint64_t)1 << square);
	if (s->game->sows)
		set_stones(s, square, 0);
	el_position_drop_rights(&s->position);
}

/* Moves a side's only king instead of adding a second one. */
static void place(struct model *m, uint8_t square, int piece)
{
	struct setup *s = setup_of(m);
	const unsigned side = (unsigned)piece / EL_KINDS, kind = (unsigned)piece % EL_KINDS;
	clear_square(s, square);
	if (piece == ERASER)
		return;
	uint64_t *set = &s->position.set[side][kind];
	if (*set && s->game->single >> kind & 1) {
		*set = 0;
		model_note(m, "%s already had a %s: it was moved here.", s->game->sides[side],
		           s->game->kind_names[kind]);
	}
	*set |= (uint64_t)1 << square;
}

/* ---- men in hand ---- */

/* The men in a side's hand at the start of a game. */
static unsigned hand_most(const struct el_game *game)
{
	struct el_position first = {.side = 0};
	game->parse(game->first, &first, NULL);
	return first.hand[game->first_side];
}

/* Men are placed in turn: the side that begins has as many in hand as the other, or one fewer. */
static void set_hand(struct setup *s, unsigned men)
{
	const unsigned first = s->game->first_side;
	s->position.hand[!first] = (uint8_t)men;
	s->position.hand[first] = (uint8_t)(men - (men && s->position.side != first));
}

/* ---- the spare pieces ---- */

/* The spare piece for a letter, capitals for White; ERASER if it is none. */
static int piece_of_key(const struct el_game *game, int key)
{
	if (key >= 128 || !isalpha(key) || game->sows)
		return ERASER;
	const char *found = strchr(game->kinds, toupper(key));
	if (!found)
		return ERASER;
	return (isupper(key) ? 0 : EL_KINDS) + (int)(found - game->kinds);
}

static uint8_t first_square(const struct el_game *game)
{
	for (uint8_t square = 0; square < 64; square++) {
		unsigned file, rank;
		if (el_square_find(game, square, &file, &rank))
			return square;
	}
	return 0;
}

/* Begins with the explored position, or an empty board for another game. */
static void begin(struct model *m, const struct el_game *game)
{
	struct setup *s = setup_of(m);
	s->game = game;
	s->position = (struct el_position){.side = game->first_side, .en_passant = EL_NO_SQUARE};
	if (game == play_game(m))
		s->position = *play_position(m);
	s->position.halfmove = 0;
	s->position.fullmove = 1;
	s->cursor = first_square(game);
	s->brush = ERASER;
}

static void enter(struct model *m)
{
	begin(m, play_game(m));
}

/* ---- what the keys do ---- */

static void clear_here(struct model *m)
{
	clear_square(setup_of(m), setup_of(m)->cursor);
}

static void clear_board(struct model *m)
{
	struct setup *s = setup_of(m);
	memset(s->position.set, 0, sizeof s->position.set);
	memset(s->position.pits, 0, sizeof s->position.pits);
	memset(s->position.stores, 0, sizeof s->position.stores);
	set_hand(s, 0);
	el_position_drop_rights(&s->position);
}

static void change_hand(struct model *m, int by)
{
	struct setup *s = setup_of(m);
	const unsigned stones = s->position.pits[s->cursor];
	if (s->game->sows && (by < 0 ? stones > 0 : stones < s->game->pieces_max))
		set_stones(s, s->cursor, by < 0 ? stones - 1 : stones + 1);
	const unsigned men = s->position.hand[!s->game->first_side];
	if (by < 0 ? men > 0 : men < hand_most(s->game))
		set_hand(s, by < 0 ? men - 1 : men + 1);
}

static const char *no_hand(const struct model *m)
{
	return setup_of(m)->game->sows || hand_most(setup_of(m)->game)
	               ? NULL
	               : "This game begins with all pieces on the board.";
}

static void other_side(struct model *m)
{
	struct setup *s = setup_of(m);
	s->position.side ^= 1;
	s->position.en_passant = EL_NO_SQUARE;
	set_hand(s, s->position.hand[!s->game->first_side]);
}

/* The next set of castling rights that kings and rooks allow. */
static void change_castling(struct model *m)
{
	struct setup *s = setup_of(m);
	const unsigned allowed = s->game->castling(&s->position);
	s->position.castling = (uint16_t)((s->position.castling - allowed) & allowed);
}

static const char *no_castling(const struct model *m)
{
	const struct setup *s = setup_of(m);
	return !s->game->castling                ? "This game has no castling."
	       : s->game->castling(&s->position) ? NULL
	                                         : "No king has a rook to castle with.";
}

static void move_cursor(struct model *m, int way)
{
	struct setup *s = setup_of(m);
	s->cursor = square_beside(s->game, m->flipped, s->cursor, (enum direction)way);
}

static void change_game(struct model *m)
{
	begin(m, next_game(setup_of(m)->game));
	model_note(m, "%s", setup_of(m)->game->title);
}

/* Does mirroring move a piece in the corner? If not, the rules distinguish left from right. */
static bool has_mirror(const struct el_game *game)
{
	if (game->sows)
		return false;
	struct el_position corner = {.en_passant = EL_NO_SQUARE}, out;
	corner.set[0][0] = (uint64_t)1 << first_square(game);
	game->mirror(&corner, &out);
	return out.set[0][0] != corner.set[0][0];
}

static const char *no_mirror(const struct model *m)
{
	if (setup_of(m)->game->sows)
		return "Stones are sown one way round: left and right differ.";
	return has_mirror(setup_of(m)->game) ? NULL
	                                     : "Left and right differ on this board: the corner at "
	                                       "a player's left is dark, the other one is light.";
}

static void mirror(struct model *m)
{
	struct el_position out;
	setup_of(m)->game->mirror(&setup_of(m)->position, &out);
	setup_of(m)->position = out;
}

static void swap_colours(struct model *m)
{
	struct el_position out;
	setup_of(m)->game->swap_colours(&setup_of(m)->position, &out);
	setup_of(m)->position = out;
}

static void accept(struct model *m)
{
	struct el_position position = setup_of(m)->position;
	struct el_error error;
	if (setup_of(m)->game->check(&position, &error))
		model_fail(m, "%s", error.text);
	else if (play_set(m, setup_of(m)->game, &position))
		shell_show(m, VIEW_EXPLORE);
}

static bool is_digit(const struct el_game *game, int key)
{
	return game->sows && key >= '0' && key <= '9';
}

static bool takes_key(const struct model *m, int key)
{
	return piece_of_key(setup_of(m)->game, key) != ERASER || is_digit(setup_of(m)->game, key);
}

static bool update(struct model *m, const struct event *e)
{
	struct setup *s = setup_of(m);
	uint8_t *cursor = &s->cursor;
	int piece = e->kind == EVENT_KEY ? piece_of_key(s->game, e->key) : ERASER;
	if (piece != ERASER) {
		place(m, *cursor, piece);
	} else if (e->kind == EVENT_KEY && is_digit(s->game, e->key)) {
		/* append the digit if the game has that many stones, else start anew */
		const unsigned digit = (unsigned)(e->key - '0');
		const unsigned longer = s->position.pits[s->cursor] * 10u + digit;
		set_stones(s, s->cursor, longer <= s->game->pieces_max ? longer : digit);
	} else if (e->kind == EVENT_CLICK && e->zone.kind == ZONE_SQUARE && s->game->sows) {
		*cursor = (uint8_t)e->zone.value;
		change_hand(m, 1);
	} else if (e->kind == EVENT_CLICK && e->zone.kind == ZONE_PIECE) {
		s->brush = e->zone.value;
	} else if (e->kind == EVENT_CLICK && e->zone.kind == ZONE_SQUARE) {
		*cursor = (uint8_t)e->zone.value;
		place(m, *cursor, s->brush);
	} else {
		return false;
	}
	return true;
}

/* ---- drawing ---- */

static int draw_spare(const struct model *m, struct pane p, int y, int x, int piece)
{
	unsigned side = piece < EL_KINDS ? EL_WHITE : EL_BLACK;
	uint32_t glyph = piece == ERASER ? 'x'
	                                 : piece_glyph(setup_of(m)->game, p.canvas, side,
	                                               (unsigned)piece % EL_KINDS);
	enum role bg = piece == setup_of(m)->brush ? ROLE_SQUARE_CURSOR : ROLE_SQUARE_DARK;
	enum role fg = piece == ERASER ? ROLE_SQUARE_MARK : piece_role(side);
	bool is_picked = piece == setup_of(m)->brush && p.canvas->mono;
	pane_paint(p, y, x, fg, bg, is_picked ? '[' : ' ');
	pane_paint(p, y, x + 1, fg, bg, glyph);
	pane_paint(p, y, x + 2, fg, bg, is_picked ? ']' : ' ');
	pane_zone(pane_sub(p, y, x, 1, 3), ZONE_PIECE, piece);
	return x + 4;
}

static void draw_help(const struct model *m, struct pane p)
{
	const struct el_game *game = setup_of(m)->game;
	if (game->sows) {
		pane_text(p, 0, 0, ROLE_TEXT, "Type how many stones are in the pit,");
		pane_text(p, 1, 0, ROLE_TEXT, "or press + and - for one more or less;");
		pane_text(p, 2, 0, ROLE_TEXT, "a click puts one more into a pit.");
		pane_text(p, 4, 0, ROLE_DIM, "Press x to empty a pit, c to clear all");
		pane_text(p, 5, 0, ROLE_DIM, "~ to turn the board to the other side");
		pane_print(p, 6, 0, ROLE_DIM, "o to change to %s", next_game(game)->title);
		return;
	}
	struct pane palette = pane_sub(p, 0, 0, 2, p.cols);
	int kinds = (int)strlen(game->kinds), x = 0;
	for (int side = 0; side < 2; side++) {
		x = pane_print(palette, side, 0, ROLE_DIM, "%-7s", game->sides[side]);
		for (int kind = 0; kind < kinds; kind++)
			x = draw_spare(m, palette, side, x, side * EL_KINDS + kind);
	}
	draw_spare(m, palette, 1, x, ERASER);
	/* If there are few kinds of piece, name the letters, since the glyphs look alike. */
	enum { FEW = 3 };
	x = pane_text(p, 3, 0, ROLE_TEXT, kinds > FEW ? "Type a letter" : "Type ");
	for (int kind = 0; kind < kinds && kinds <= FEW; kind++)
		x = pane_print(p, 3, x, ROLE_TEXT, "%s%c %s", kind ? ", " : "", game->kinds[kind],
		               game->kind_names[kind]);
	pane_text(p, 3, x, ROLE_TEXT, ", a capital for White,");
	pane_print(p, 4, 0, ROLE_TEXT, "or click a spare %s, then a %s", piece_word(game),
	           square_word(game));
	pane_print(p, 5, 0, ROLE_DIM, "Press x to remove a %s, c to clear all", piece_word(game));
	pane_print(p, 6, 0, ROLE_DIM, "%s~ to swap colours%s",
	           has_mirror(game) ? "| to mirror, " : "", game->castling ? ", e castling" : "");
	pane_print(p, 7, 0, ROLE_DIM, "o to change to %s", next_game(game)->title);
	if (hand_most(game))
		pane_text(p, 8, 0, ROLE_DIM, "+ and - for men in hand");
}

static void draw(const struct model *m, struct pane p)
{
	const struct layout l = shell_layout(m, setup_of(m)->game, BOARD_AND_SECOND);
	struct board b = board_plain(setup_of(m)->game, &setup_of(m)->position, m->flipped);
	b.scale = l.scale;
	b.cursor = setup_of(m)->cursor;
	board_draw(&b, pane_part(p, l.board));
	/* The board is where Explore has it; there is nothing beyond the side pane. */
	struct pane side =
		pane_sub(p, l.side.y, l.side.x, l.side.rows, l.side.cols ? p.cols - l.side.x : 0);
	const struct el_game *game = setup_of(m)->game;
	const int most = hand_most(game) ? 9 : 8;
	bool is_slim = pane_is_slim(side);
	struct el_error error;
	char fen[EL_FEN_MAX];
	bool legal = !game->check(&setup_of(m)->position, &error);
	int y = 2;
	if (!is_slim)
		pane_text(side, 0, 0, ROLE_STRONG, "Set up a position");
	/* Squares may be too small for their numbers, so say the cursor's. */
	const int row = is_slim ? 0 : 1;
	char name[4];
	int x = pane_print(side, row, 0, ROLE_TEXT, "%s to move",
	                   game->sides[setup_of(m)->position.side]);
	game->square_name(setup_of(m)->cursor, name);
	if (game->labelled_squares && is_slim)
		pane_print(side, row + 1, 0, ROLE_TEXT, "cursor on %s", name);
	else if (game->labelled_squares)
		pane_print(side, row, x, ROLE_TEXT, ", cursor on %s", name);
	char hand[HAND_MAX];
	if (!is_slim && el_position_has_hand(&setup_of(m)->position))
		pane_print(side, row, x, ROLE_TEXT, "; %s",
		           hand_text(game, &setup_of(m)->position, hand));
	int help_rows = is_slim ? 0 : side.rows < most + 7 ? side.rows - 7 : most;
	if (help_rows > 0) {
		draw_help(m, pane_sub(side, 3, 0, help_rows, side.cols));
		y = help_rows + 4;
	}
	y += pane_wrap(pane_sub(side, y, 0, 3, side.cols), 0, legal ? ROLE_WIN : ROLE_ERROR,
	               legal ? "Legal. Press Enter to explore it." : error.text) +
	     1;
	game->format(&setup_of(m)->position, fen);
	pane_wrap(pane_sub(side, y, 0, 3, side.cols), 0, ROLE_DIM, fen);
}

static void subject(const struct model *m, char *out, size_t size)
{
	(void)m;
	snprintf(out, size, "set up");
}

static const struct binding bindings[] = {
	KEY({K_ENTER, 's'}, "accept", "explore", "explore the position if it is legal",
            .run = accept),
	KEY({K_ESCAPE}, "cancel", "cancel", "go back and change nothing", .run = shell_back),
	KEY({0}, "piece", NULL,
            "put a piece on the square, a capital for White; or so many stones into the pit",
            .typed = "letters"),
	KEY({'x', K_DELETE}, "clear", "remove", "clear the square", .run = clear_here),
	KEY({'c'}, "clear-board", "clear", "clear the board", .run = clear_board),
	KEY({'t'}, "side", "side", "give the move to the other side", .run = other_side),
	KEY({'e'}, "castling", NULL,
            "the next set of castling rights that kings and rooks allow, or none",
            .run = change_castling, .disabled = no_castling),
	KEY({'o'}, "game", "game", "set up another game's board", .run = change_game),
	KEY({'f'}, "flip", "flip", "turn the board around", .run = shell_flip),
	KEY({'|'}, "mirror", "mirror", "mirror the board left to right", .run = mirror,
            .disabled = no_mirror),
	KEY({'~'}, "swap", "swap", "swap the colours", .run = swap_colours),
	KEY({'+', '='}, "more-in-hand", NULL,
            "give each side one more man in hand, or the pit one more stone", .apply = change_hand,
            .argument = 1, .disabled = no_hand),
	KEY({'-'}, "fewer-in-hand", NULL,
            "take one of the men in hand from each side, or a stone from the pit",
            .apply = change_hand, .argument = -1, .disabled = no_hand),
	KEY({K_LEFT}, "left", NULL, "move the cursor left", .apply = move_cursor, .argument = LEFT),
	KEY({K_RIGHT}, "right", NULL, "move the cursor right", .apply = move_cursor,
            .argument = RIGHT),
	KEY({K_UP}, "up", NULL, "move the cursor up", .apply = move_cursor, .argument = UP),
	KEY({K_DOWN}, "down", NULL, "move the cursor down", .apply = move_cursor, .argument = DOWN),
	{.name = NULL},
};

const struct view setup_view = {
	.name = "Set up",
	.summary = "set up a position by hand",
	.state = &setup_state,
	.takes_key = takes_key,
	.bindings = bindings,
	.update = update,
	.draw = draw,
	.enter = enter,
	.subject = subject,
};
