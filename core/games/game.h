/* SPDX-License-Identifier: MIT */
/*
 * A game: its board, its rules, its notation, its slices and their index, and its set operators.
 * Everything above core/games knows a game through struct el_game alone. A new game is one folder
 * and one line in core/games/list.c.
 *
 * In the order of this file: a position and a move; a slice, and where a position is stored; how an
 * index is worked out; the game; questions about any game.
 */
#ifndef CORE_GAMES_GAME_H
#define CORE_GAMES_GAME_H

#include "core/base/metric.h"
#include "endlab/status.h"

#include <string.h>

enum {
	EL_KINDS = 6, /* kinds of piece that a side can have */
	EL_NO_SQUARE = 255,
	EL_PITS = 12,
	EL_PIECES_MAX = 48,      /* pieces, or stones, in a slice of any game */
	EL_MOVES_MAX = 256,      /* legal moves of one position */
	EL_SUCCESSORS_MAX = 128, /* slices that the conversions of one slice enter */
	EL_DIGITS_MAX = 8,       /* digits of an index */
	EL_INDEX_STEPS_MAX = 12, /* groups of pieces in an index */
	/* one more than the number of ranks that can hold a man: on the last rank it promotes */
	EL_LEADING_RANKS = 8,
	/* Bytes of text, with the terminator. */
	EL_FEN_MAX = 128,
	EL_NOTE_MAX = 256,       /* what reading a position leniently left out */
	EL_MOVE_MAX = 32,        /* one move in any notation */
	EL_SLICE_MAX = 40,       /* a slice's name */
	EL_INDEX_GROUP_MAX = 32, /* a group's name */
	EL_STARTERS_MAX = 4,
};

enum el_side { EL_WHITE, EL_BLACK };

/* A position of any game, as sets of squares. It need not be legal: a board being set up is one
   too. */
struct el_position {
	uint64_t set[2][EL_KINDS]; /* [side][kind]: bit s = a piece on square s */
	uint8_t side;              /* to move: enum el_side */
	/* the square that a pawn passed over, if some legal move captures it there; else
	   EL_NO_SQUARE */
	uint8_t en_passant;
	/* castling rights, by the rooks that have them: bit 8 * side + file; 0 in games without
	   castling */
	uint16_t castling;
	uint16_t halfmove; /* plies since the last zeroing move, as in FEN */
	uint16_t fullmove; /* from 1 */
	/* men still to be placed; 0 in games that begin with all men on the board */
	uint8_t hand[2];
	/* in games that sow, the stones in each pit, by its square; else 0 */
	uint8_t pits[EL_PITS];
	/* in those games, the stones that each side has captured; else 0 */
	uint8_t stores[2];
};

/* Are the board, the side to move, and the castling and en passant rights the same? Clocks, move
   numbers and stores may differ. */
static inline bool el_position_equal(const struct el_position *a, const struct el_position *b)
{
	return !memcmp(a->set, b->set, sizeof a->set) && a->side == b->side &&
	       a->en_passant == b->en_passant && a->castling == b->castling &&
	       a->hand[0] == b->hand[0] && a->hand[1] == b->hand[1] &&
	       !memcmp(a->pits, b->pits, sizeof a->pits);
}

/* For a board edited by hand: rights depend on earlier moves. */
static inline void el_position_drop_rights(struct el_position *p)
{
	p->en_passant = EL_NO_SQUARE;
	p->castling = 0;
}

/* Completes a move of the side to move: counts the clocks, and gives the move to the other side.
   `second`: the side that moves second in the game. */
static inline void el_position_turn(struct el_position *p, bool zeroing, unsigned second)
{
	if (p->side == second && p->fullmove < UINT16_MAX)
		p->fullmove++;
	if (p->halfmove < UINT16_MAX)
		p->halfmove++;
	if (zeroing)
		p->halfmove = 0;
	p->side = !p->side;
	p->en_passant = EL_NO_SQUARE;
}

/* Are men still to be placed? */
static inline bool el_position_has_hand(const struct el_position *p)
{
	return p->hand[0] || p->hand[1];
}

/* The number of pieces on the board, or of stones in its pits. */
static inline unsigned el_piece_count(const struct el_position *p)
{
	unsigned count = 0;
	for (unsigned pit = 0; pit < EL_PITS; pit++)
		count += p->pits[pit];
	for (unsigned i = 0; i < 2 * EL_KINDS; i++)
		count += (unsigned)__builtin_popcountll(p->set[i / EL_KINDS][i % EL_KINDS]);
	return count;
}

/* The piece on a square. False, with `side` and `kind` untouched, if there is none. */
static inline bool el_piece_at(const struct el_position *p, uint8_t square, unsigned *side,
                               unsigned *kind)
{
	if (square >= 64)
		return false;
	for (unsigned i = 0; i < 2 * EL_KINDS; i++) {
		if (!(p->set[i / EL_KINDS][i % EL_KINDS] >> square & 1))
			continue;
		*side = i / EL_KINDS;
		*kind = i % EL_KINDS;
		return true;
	}
	return false;
}

/* A move, described by what it does to the board. In draughts it may capture on several squares.
   When a man is placed, `from` is EL_NO_SQUARE. */
struct el_move {
	uint8_t from, to;
	uint8_t kind;    /* of the piece that moves */
	uint8_t becomes; /* its kind after the move: differs in a promotion */
	/* castling, where from and to are the king's: 1 + the square of the rook, which `play` moves as
	   well; else 0 */
	uint8_t castles;
	uint64_t captured; /* a set of squares */
};

static inline bool el_move_equal(const struct el_move *a, const struct el_move *b)
{
	return a->from == b->from && a->to == b->to && a->becomes == b->becomes &&
	       a->castles == b->castles && a->captured == b->captured;
}

/* Is it the null move (el_game.pass)? */
static inline bool el_move_passes(const struct el_move *move)
{
	return move->from == move->to && !move->castles;
}

/* The square the piece leaves, if it was on the board, and the one it moves to. */
static inline uint64_t el_move_squares(const struct el_move *move)
{
	return UINT64_C(1) << move->to |
	       (move->from == EL_NO_SQUARE ? 0 : UINT64_C(1) << move->from);
}

/* Does this square, beside the one a piece leaves, mean the move? Castling is meant by the rook's, and
   by the king's unless a step leads there too (in Chess960). */
static inline bool el_move_goes_to(const struct el_move *move, unsigned square)
{
	const int along = move->to - move->from;
	const bool steps = move->castles && along >= -1 && along <= 1;
	return (move->castles && square + 1 == move->castles) || (!steps && square == move->to);
}

enum el_notation {
	EL_SAN, /* for people: "Qe6+", "9x18" */
	EL_UCI, /* for programs: "e5e6", "9x14x18" */
};

struct el_game;

/*
 * A slice: all positions with the same material or, in games that divide these further, some of
 * them. White is the side named first, the stronger one. A position in which Black is the stronger
 * side belongs to the same slice once its colours are swapped.
 */
struct el_slice {
	const struct el_game *game;
	/* two slices of a game are the same if and only if their keys are equal */
	uint64_t key;
	uint8_t count[2][EL_KINDS]; /* pieces by side and kind */
	uint8_t hand[2];            /* men still to be placed, by side */
	/* the rank of each side's foremost man (el_game.leading_rank), in slices cut by it; else 0 */
	uint8_t lead[2];
	uint8_t pieces; /* all of them, those in hand included */
	/* 2; 1 if both sides have the same material: Black to move is then White to move with the
	   colours swapped; also 1 if men are placed in turn and only one side can be to move
	   (el_slice_mover) */
	uint8_t planes;
	uint64_t positions; /* indexes in a plane, broken ones included */
	/* Not a slice but the positions of a study (core/study), which has one plane and an index of its
	   own. No function of the game takes it. */
	bool is_study;
	char name[EL_SLICE_MAX]; /* "KQvKR"; with a prefix in all games but chess: "awari:12" */
};

static inline bool el_slice_equal(const struct el_slice *a, const struct el_slice *b)
{
	return a->game == b->game && a->key == b->key;
}

static inline bool el_slices_have(const struct el_slice *list, size_t count,
                                  const struct el_slice *slice)
{
	size_t i = 0;
	while (i < count && !el_slice_equal(&list[i], slice))
		i++;
	return i < count;
}

/* Can this side be to move? Men are placed in turn: of two sides, the one with more men in hand. */
static inline bool el_slice_moves(const struct el_slice *slice, unsigned side)
{
	return slice->hand[side] >= slice->hand[!side];
}

/* Have both sides the same material, so that one plane is for both to move? */
static inline bool el_slice_alike(const struct el_slice *slice)
{
	return slice->planes == 1 && slice->hand[0] == slice->hand[1];
}

/* The side to move in the positions of a plane. */
static inline unsigned el_slice_mover(const struct el_slice *slice, unsigned plane)
{
	return el_slice_moves(slice, plane) ? plane : !plane;
}

/* Where a position's value is stored. */
struct el_place {
	uint64_t key;   /* of the slice */
	uint64_t index; /* 0 .. slice.positions - 1 */
	/* the side to move, after the colours are swapped to match the slice */
	uint8_t plane;
	uint32_t digit[EL_DIGITS_MAX]; /* the digits of the index (el_digits) */
};

/*
 * The digits of an index: where each piece, or each group of like pieces, stands. Combined in any
 * other order, the digits also number the positions of a slice. That numbering is less dense than
 * the index, but the piece that varies fastest decides how well a table compresses.
 */
struct el_digits {
	unsigned count; /* 0: the game's index has no digits */
	char letter
		[EL_DIGITS_MAX]; /* "K", "q": of its pieces; a capital for the side named first */
	uint32_t radix[EL_DIGITS_MAX]; /* each digit is below its radix */
	uint8_t pieces[EL_DIGITS_MAX]; /* how many pieces a digit places */
};

/* A piece and its number within its group. */
struct el_index_piece {
	/* side: EL_WHITE is the side named first; kind: a place in el_game.kinds */
	uint8_t side, kind;
	uint8_t square;
	uint8_t number; /* of its square among those that the group is numbered on, from 0 */
};

/*
 * One step of working out an index with pencil and paper, for one group of pieces. `before` is 0 in
 * the first step and the previous step's `after` in the others; the last `after` is the index:
 *
 *     after = before * radix + rank + base
 *
 * A group of like pieces with the numbers r1 < r2 < ... has the rank C(r1, 1) + C(r2, 2) + ... in
 * the combinatorial number system, and the radix C(squares, count), both less `low`. Two kings are ranked together,
 * White's first: their rank is `first` + the number of Black's king.
 */
struct el_index_step {
	char group[EL_INDEX_GROUP_MAX]; /* "kings", "2 white knights" */
	/* pieces in the group; 0 for a part of the board that holds none: rank 0, radix 1 */
	uint8_t count;
	/* by ascending number; of two kings, White's first */
	struct el_index_piece piece[EL_PIECES_MAX];
	uint8_t squares; /* how many squares the group is numbered on; 0: two kings */
	/* The squares that the group is numbered on, in order. If `skips` is set, squares taken by
	   earlier groups are left out. Not set for two kings. */
	uint8_t area[64], area_count;
	bool skips;
	/* for two kings: the number of classes with White's king on a lower square */
	uint32_t first;
	/* The pieces are bars between stones: one follows the stones of each pit except the last. A
	   bar's number counts the stones and bars before it. */
	bool bars;
	/* the rank numbers a class of sets that symmetries map to each other */
	bool classed;
	uint32_t rank, radix; /* rank < radix */
	uint32_t low;         /* sets that rank below all that occur in the slice; usually 0 */
	uint64_t base;        /* ranks that come first, for the reason in `base_is`; usually 0 */
	const char *base_is;  /* "fewer white men in the bottom row"; null if base is 0 */
	uint64_t before, after;
};

/* The changes that turn a position into the representative of its place, in the order they are
   made. */
enum el_symmetry {
	EL_SWAPPED = 1,     /* the colours, and the board with them */
	EL_MIRRORED = 2,    /* the files */
	EL_FLIPPED = 4,     /* the ranks */
	EL_TRANSPOSED = 8,  /* in the diagonal from a1 */
	EL_TURNED_OUT = 16, /* inner and outer ring exchanged */
};

/* The cost of making tables on one core of a 2023 machine, measured over whole groups of slices.
   Plans scale it to the speed of this machine. */
struct el_rate {
	unsigned pieces;    /* for slices with at most so many pieces, */
	unsigned promoting; /* of which at most so many can promote, or are in hand */
	double solve_ns;    /* for each bit of the solver's sets */
	double phase;       /* time factor under metrics with phases (dtr) */
	double write_ns;    /* for each position of a plane with depths */
	/* Bytes per position in a table of plies to the end of the game, of plies to a zeroing
	   move, and of outcomes alone. */
	double bytes_end, bytes_zeroing, bytes_outcome;
};

struct el_sets;
struct el_best;
struct el_best_problem;
struct el_division;
struct el_frames;
struct el_problem;

/* How large the sets of a solution are (sets.h), for planning it. */
struct el_measure {
	uint64_t bits; /* in the sets of one side to move */
	/* in those of a family (sets.h) under a metric that asks for the clock; 0: the game has none */
	uint64_t family_bits;
	uint64_t unit_bits; /* in a unit */
	uint64_t beside;    /* bytes that the sets need besides their bitmaps */
	/* Bytes of 16-bit symbols needed to assemble a section of a plane: those of its units by
	   bit, and its own by index. */
	uint64_t desk;
};

/*
 * Everything above core/games assumes this of a game:
 *
 *   - Two sides move in turn on at most 64 squares, and see everything. The value of a position
 *     depends on its board and side to move alone, except that a move-count rule may limit it
 *     (`zeroes`). Endless play is a draw.
 *   - The colours are alike: `swap_colours` preserves the value of a position. So White is the
 *     stronger side of a slice, and positions in which White is the weaker side are stored swapped;
 *     if both sides have the same material, only White to move is stored (el_slice.planes).
 *   - A move stays in its slice or leaves it for good: no line of play returns to it. A capture
 *     must leave it, because tables may omit values that follow from captures and other tables.
 *     Pieces that change sides or return to play do not fit. In a game with such a clock, a move
 *     that leaves the slice also `zeroes`.
 *   - An index determines a position completely, except for a right to capture en passant:
 *     positions with that right are solved but not stored, since their values follow from the
 *     moves. The right expires with the next move, and a move that leaves the slice creates none.
 *   - Positions with castling rights are slices of their own (el_slice_has_rights). Moves that lose the
 *     last right lead to the slice without rights: that is no conversion, and ends no count.
 *   - Men in hand are placed in turn, before any other move, so that each placing leaves the slice.
 *   - A game ends only where a side has no legal move (`stuck`), or nobody can win (`drawn`).
 *
 * Each game states whether a side without a move has lost (`stuck`), whether it has pieces or
 * stones (`sows`), whether captures are forced (`forced_captures`), and what symmetries its board
 * has besides that of the colours (`symmetry`, `orbit`).
 *
 * Every member must be set unless its comment says that it may be null or zero. A game may start
 * with plain_measure and plain_divide (plain.h) instead of set operators of its own. Its own are
 * also compiled for newer processors: `NAME_divide` in sets.c of the game's folder, with
 * `NAME_place` and `NAME_unplace` in index.c, and `NAME_best` in best.c (Makefile).
 */
struct el_game {
	const char *name;  /* "chess", as in files */
	const char *title; /* "Chess" */
	const char *
		kinds; /* one capital letter for each kind, in the order of el_position.set: "KQRBNP" */
	/* a solid piece of each kind: one UTF-8 character, one cell wide */
	const char *const *glyphs;
	/* in place of glyphs, without colour or UTF-8: White's and Black's of each kind; null:
	   those of `kinds`, lower case for Black */
	const char *letters;
	const char *kind_names[EL_KINDS]; /* "king", ...; null past the last */
	uint8_t single;                   /* bit k: a side never has two pieces of kind k */
	uint8_t promoting;                /* bit k: pieces of kind k promote */
	/* the first one that fits a slice applies; the last one fits all */
	const struct el_rate *rates;
	/* the time of a proof by whole planes (best.h), in parts of a solution's; for planning */
	double proof;
	const char *lost; /* "checkmated": completes "a side that has lost on the board is ..." */
	/* The squares are pits that hold stones, which are sown. There are no pieces:
	   el_position.set stays empty. Values are stones gained or lost (el_kind_stones). */
	bool sows;
	/* in such games: a move that would capture all stones of the other side captures none */
	bool spares;
	const char *sides[2]; /* "White" and "Black", or the game's own names */
	/* a side with fewer pieces than this has lost, even if it could move */
	uint8_t side_min;
	uint8_t pieces_max; /* in a slice */
	/* The bit that tells the key of a slice of positions with castling rights from that of the same
	   material without; 0: the game has no such slices. */
	uint64_t rights;
	/* Slices are grouped by their number of pieces, or of whatever `group_is` names. Groups up
	   to `group_few` are solved in minutes rather than days. */
	uint8_t group_min, group_max, group_few;
	const char *group_is; /* "pieces" */
	const char *example;  /* the name of a slice */
	/* If there are no tables at all, the program builds these slices (null past the last) and
	   shows this position of one of them. Only the first of el_games needs them. */
	const char *starters[EL_STARTERS_MAX + 1];
	const char *starter;
	/* The game's metrics, null-terminated, in the order of el_metrics; the usual rule
	   represents all rules. The first metric that counts to the end of the game is the game's
	   own (el_game_metric). */
	const struct el_metric *const *metrics;
	bool forced_captures; /* a side that can capture has no other moves */
	/* of the board as drawn; file 0, rank 0 is a1, White's left corner */
	uint8_t files, ranks;
	/* squares are labelled with their number rather than by file and rank */
	bool labelled_squares;
	/* enum el_side: the side that begins a game, and each numbered pair of moves */
	uint8_t first_side;
	const char *first; /* the initial position, in the notation of `parse` */
	/* the value of the GameType tag in Portable Draughts Notation; null: games are written in
	   PGN, which has no such tag */
	const char *pdn_type;

	/* ---- board ---- */
	/* The square of a file and rank, or EL_NO_SQUARE if no piece can stand there. */
	uint8_t (*square_at)(unsigned file, unsigned rank);
	void (*square_name)(uint8_t square, char out[4]);
	/* For a board of lines and points: the neighbours of a point along its lines, each in the
	   same file or rank. Null: a board of squares. */
	uint64_t (*neighbours)(uint8_t point);
	/* `mirror`: the position with its files mirrored, without castling rights. `swap_colours`:
	   with its colours exchanged and the board turned to match. */
	void (*mirror)(const struct el_position *, struct el_position *out);
	void (*swap_colours)(const struct el_position *, struct el_position *out);

	/* ---- positions in words ---- */
	bool (*looks_like)(const char *fen); /* does the text look like a position of this game? */
	/* Strict. EL_NEGATIVE names the fault; `out` is untouched on failure. */
	enum el_status (*parse)(const char *fen, struct el_position *out, struct el_error *);
	/* Lenient: as el_position_read. Null: as `parse`. */
	enum el_status (*read)(const char *fen, char *note, struct el_position *out,
	                       struct el_error *);
	/* The bytes of a line before the operations of EPD, or other words, behind a position. Null: a
	   position is as long as `parse` takes it. */
	size_t (*fields)(const char *line);
	void (*format)(const struct el_position *, char out[EL_FEN_MAX]);
	/* The castling rights of ordinary chess that the places of kings and rooks allow, as in
	   el_position.castling. Null: the game has none. */
	uint16_t (*castling)(const struct el_position *);
	/* May a board be set up like this? The game may be over: the side to move may have lost its
	   last piece. EL_NEGATIVE says why the position is not legal. Takes any bits. */
	enum el_status (*check)(const struct el_position *, struct el_error *);
	/* The same in a few nanoseconds, given the result of `place` (null if it failed). */
	bool (*legal)(const struct el_position *, const struct el_place *);

	/* ---- rules: for legal positions only ---- */
	/* Writes all legal moves and returns how many. */
	size_t (*moves)(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
	/* The captures among them; quicker than `moves` if there are none. */
	size_t (*captures)(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
	/* The moves for which `zeroes` holds; null if `zeroes` is null. */
	size_t (*zeroing)(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
	void (*play)(const struct el_position *, const struct el_move *, struct el_position *out);
	/* The value, under el_game_metric, of a position without a legal move: a loss, or a draw
	   (stalemate). In games with stones the side to move loses those that are left. */
	struct el_value (*stuck)(const struct el_position *);
	bool (*in_check)(const struct el_position *); /* always false if the game has no check */
	/* The number of stones a move captures; null if the game has no stones. */
	unsigned (*gain)(const struct el_position *, const struct el_move *);
	/* The position while stones are sown, stage by stage; null in other games. Stage 1: the pit
	   is empty and its stones are in hand. Each stone sown is a further stage, then each pit
	   captured. *at is the pit in question, *hand the number of stones left in hand. False
	   after the last stage. */
	bool (*stage)(const struct el_position *, const struct el_move *, unsigned stage,
	              struct el_position *out, uint8_t *at, unsigned *hand);
	/* Does a legal move reset el_position.halfmove to zero? Null: the game has no such
	   clock. */
	bool (*zeroes)(const struct el_position *, const struct el_move *);

	/* ---- moves in words ---- */
	void (*write_move)(const struct el_position *, const struct el_move *, enum el_notation,
	                   char out[EL_MOVE_MAX]);
	/* Takes either notation, and castling written with zeros. EL_NEGATIVE says why the move is
	   not legal here; EL_USAGE that the text is a move in no position. */
	enum el_status (*read_move)(const struct el_position *, const char *text,
	                            struct el_move *out, struct el_error *);
	/* The null move of analysed games, written "--", which `play` and `write_move` take and
	   `moves` does not give. EL_NEGATIVE says why it is not possible. Null: the game has none. */
	enum el_status (*pass)(const struct el_position *, struct el_move *out, struct el_error *);

	/* ---- slices and their index ---- */
	uint32_t index_version; /* increased whenever `place` changes; stored in table files */
	/* "KQvKR", "KRvKQ" or "KQKR". EL_NEGATIVE gives the reason (unknown letter, no king,
	   ...). */
	enum el_status (*slice_parse)(const char *text, struct el_slice *out, struct el_error *);
	/* The slice of a position. EL_NEGATIVE if no slice has so much material, or if the position
	   has castling rights of Chess960, which no table covers. */
	enum el_status (*slice_of)(const struct el_position *, struct el_slice *out,
	                           struct el_error *);
	/* The slices that conversions from `slice` enter, except drawn ones (KvK), which have no
	   table. Returns how many, at most EL_SUCCESSORS_MAX. */
	size_t (*successors)(const struct el_slice *, struct el_slice *out);
	/* All slices of a group, in any order: writes at most `max` of them and returns how many
	   there are. No successor of a slice is in a higher group. */
	size_t (*slices)(unsigned group, struct el_slice *out, size_t max);
	/* The same with those that have men in hand; null: no slice of the game has. */
	size_t (*slices_in_hand)(unsigned group, struct el_slice *out, size_t max);
	/* The slices that the material named is cut into: "checkers:KKMMvKKMM". 0 if it names no such
	   material. Null: the game cuts no slices. */
	size_t (*slices_of)(const char *text, struct el_slice *out, size_t max);
	/* The slice of the positions with castling rights of the material of a slice without, which is the first
	   of its successors; false if no side can have any. Null: the game has none. */
	bool (*with_rights)(const struct el_slice *, struct el_slice *out);
	/* Can neither side win with this material (bare kings)? Every such position is a draw and
	   has no table. */
	bool (*drawn)(const struct el_position *);
	/* Is the position a draw because neither side can win with its material, even against the worst play?
	   Such a position may have a table. Null: no other than `drawn`. */
	bool (*dead)(const struct el_position *);
	/* Finds where a position is stored. A right to capture en passant is not part of an index
	   and is ignored. False if the position is in no slice, for example because of castling
	   rights of Chess960. Takes any bits; an illegal position may get any index of the slice. No
	   allocation, no locks. */
	bool (*place)(const struct el_position *, struct el_place *out);
	/* The inverse. False, with `out` untouched, if the index is broken: its position is
	   illegal, or `place` gives that position another index. */
	bool (*unplace)(const struct el_slice *, unsigned plane, uint64_t index,
	                struct el_position *out);
	/* Optional, both or neither (null: the index has no digits). The digits of the slice's
	   indexes, in the order of the pieces in its name. */
	void (*digits)(const struct el_slice *, struct el_digits *out);
	/* The digits of an index, broken or not; no two indexes have the same digits. */
	void (*take_apart)(const struct el_slice *, uint64_t index, uint32_t digit[EL_DIGITS_MAX]);
	/* With more than two pieces, the next index has the same digits but for the fastest, which
	   is one more, until all of its radix have passed. */
	bool counts;
	/*
	 * Optional, all three or none (null: codecs see no board). `stand`: the squares of a
	 * digit's pieces, ascending; they change from value to value as in el_codec_axis. `marks`:
	 * the number of marks. `look`: as el_codec_board.look, with the pieces in the order of the
	 * digits and the plane's side to move.
	 */
	void (*stand)(const struct el_slice *, unsigned digit, uint32_t value, uint8_t *square);
	unsigned (*marks)(const struct el_slice *);
	void (*look)(const struct el_slice *, unsigned plane, const uint8_t *square,
	             unsigned moving, uint64_t *word);
	int8_t step[3]; /* as el_codec_board.step */
	/* The game's own number for a square that `stand` gives; null: the same number. */
	uint8_t (*stands_on)(uint8_t square);
	/* The steps that work out an index below slice.positions, broken or not, slowest group
	   first; returns how many. Unless the index is broken, the pieces are where `unplace` puts
	   them. */
	size_t (*index_steps)(const struct el_slice *, uint64_t index,
	                      struct el_index_step out[EL_INDEX_STEPS_MAX]);
	/* Of a game whose codecs see a board in index order: may the index, or one that differs from
	   it in the fastest digit alone, stand for a position that another one stands for, too?
	   `unplace` refuses all but one of these. */
	bool (*twofold)(const struct el_slice *, uint64_t index);
	/* The fewest changes (a sum of enum el_symmetry) that turn a legal position into the one
	   that `unplace` gives for its place. */
	unsigned (*symmetry)(const struct el_position *);
	/* The number of distinct placements that the symmetries make of a position: a power of
	   two. */
	unsigned (*orbit)(const struct el_position *);
	bool dense; /* every index of a plane is a position, `unplace` refuses none, and `orbit` is 1 */
	/* Optional (null: the game has no such rank). The rank of a side's most advanced man,
	   counted from 1 at its own back rank; 0 if it has no men. Below EL_LEADING_RANKS. */
	unsigned (*leading_rank)(const struct el_position *, unsigned side);

	/* ---- solving: see sets.h ---- */
	/* How large the sets are if the slice is solved in one part. */
	struct el_measure (*measure)(const struct el_slice *);
	/* Divides a slice into the parts in which it is solved. The planes that its conversions
	   enter are borrowed at most until the division is closed. */
	enum el_status (*divide)(const struct el_problem *, struct el_division **,
	                         struct el_error *);
	/* Opens the view from a position to its successors (best.h), for proofs; null:
	   plain_best_open. */
	enum el_status (*best)(const struct el_best_problem *, struct el_best **,
	                       struct el_error *);
	/* How to solve a position with more pieces than slices have (frames.h); null: the game cannot. */
	const struct el_frames *frames;
};

extern const struct el_game el_chess;
extern const struct el_game el_checkers;
extern const struct el_game el_morris;
extern const struct el_game el_awari;
extern const struct el_game el_oware;

/* All games, null-terminated. */
extern const struct el_game *const el_games[];
/* Null if no game has that name. */
const struct el_game *el_game_find(const char *name);

/* ---- squares ---- */

/* The inverse of el_game.square_at. False, with `file` and `rank` outside the board, if the game
   has no such square. */
bool el_square_find(const struct el_game *, uint8_t square, unsigned *file, unsigned *rank);
/* Sets `side` to the owner of the piece or stones on a square. False, with `side` untouched, if
   there are none. */
bool el_square_taken(const struct el_game *, const struct el_position *, uint8_t square,
                     unsigned *side);

/* ---- metrics of games ---- */

/* Does the game have this metric? */
bool el_game_has(const struct el_game *, const struct el_metric *);

/* Does it have the metric, or is it el_wdl, which every metric of a game determines? */
bool el_game_tells(const struct el_game *, const struct el_metric *);
/* EL_USAGE unless the game has the metric; names the games that do. */
enum el_status el_game_check_metric(const struct el_game *, const struct el_metric *,
                                    struct el_error *);
/* Finds a metric by name. EL_USAGE lists the known ones and the form of the rules. */
enum el_status el_metric_parse(const char *name, const struct el_metric **out, struct el_error *);
/* The game's finest metric: depths counted to the end of the game. */
const struct el_metric *el_game_metric(const struct el_game *);
/* The metric with depths that need no more of other slices than outcomes under this metric do. Null: this one
   has depths, or the game has none. */
const struct el_metric *el_game_depths(const struct el_game *, const struct el_metric *);
/* The number of stones a move captures; 0 in games without stones. */
static inline unsigned el_move_gain(const struct el_game *game, const struct el_position *before,
                                    const struct el_move *move)
{
	return game->gain ? game->gain(before, move) : 0;
}
/* Does a move end the count of a metric? `leaves`: the move leaves the slice. */
static inline bool el_move_ends(const struct el_game *game, const struct el_metric *metric,
                                const struct el_position *before, const struct el_move *move,
                                bool leaves)
{
	return metric->end == EL_END_ZEROING ? game->zeroes(before, move) : leaves;
}
/* The value that the rules alone give a legal position, under el_game_metric: a draw if neither
   side can win, or the end of the game if there is no move. False, with `out` untouched, if they
   leave it open. */
static inline bool el_game_value(const struct el_game *game, const struct el_position *position,
                                 struct el_value *out)
{
	struct el_move moves[EL_MOVES_MAX];
	const bool drawn = game->drawn(position);
	if (!drawn && game->moves(position, moves))
		return false;
	*out = drawn ? (struct el_value){.outcome = EL_DRAW} : game->stuck(position);
	return true;
}

/* ---- positions and slices of any game ---- */

/*
 * Has some side the right to castle in the positions of the slice? Few positions have: the king and a
 * rook stand where they began. So such a slice is not solved by sets, but by its moves alone
 * (core/whole/castling.h).
 */
static inline bool el_slice_has_rights(const struct el_slice *slice)
{
	return !slice->is_study && slice->key & slice->game->rights;
}

/* Have the slices of a game with these keys the same material? */
static inline bool el_keys_alike(const struct el_game *game, uint64_t a, uint64_t b)
{
	return !((a ^ b) & ~game->rights);
}

/* Does a line of text look like a position of some game? A single word does not (it is a move, a
   slice or a typing error), unless it contains a sign that no word has, or a row of numbers
   ("4-4-4-..."). */
bool el_position_is_meant(const char *text);
/* Reads a position, or a slice, of the game whose notation it is in. EL_NEGATIVE gives the
   reason. */
enum el_status el_position_parse(const char *fen, const struct el_game **game,
                                 struct el_position *out, struct el_error *);
/* The same, leniently: for what a person typed, and for files and requests of other programs. What
   cannot be (castling rights without a rook, an en passant square that no pawn passed, a word that is no
   operation of EPD) is left out, and `note` says so to whoever asked; it is empty if nothing was. */
enum el_status el_position_read(const char *fen, const struct el_game **game,
                                struct el_position *out, char note[EL_NOTE_MAX], struct el_error *);
enum el_status el_slice_parse(const char *text, struct el_slice *out, struct el_error *);
#endif
