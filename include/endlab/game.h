/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A game: its board, its rules, its notation, its slices with their index, and its set operators.
 * Everything above `core/games` knows a game through this struct alone; a new game is one folder
 * and one line in `core/games/games.c`.
 */
#ifndef ENDLAB_GAME_H
#define ENDLAB_GAME_H

#include "endlab/status.h"
#include "endlab/metric.h"

#include <string.h>

enum {
	EL_KINDS = 6,       /* kinds of piece a side can have */
	EL_NO_SQUARE = 255,
	EL_MOVES_MAX = 256, /* legal moves of one position */
	EL_FEN_MAX = 128,
	EL_MOVE_MAX = 32,  /* one move in any notation, with its terminator */
	EL_SLICE_MAX = 40, /* a slice's name, with its terminator */
	EL_PIECES_MAX = 48, /* pieces, or stones, in a slice of any game */
	EL_PITS = 12,
	EL_DIGITS_MAX = 8, /* parts of an index */
	EL_LEADING_RANKS = 8, /* where a man may be: on the last rank it becomes something else */
	EL_INDEX_STEPS_MAX = 8, /* groups of an index */
	EL_INDEX_GROUP_MAX = 32, /* a group's name, with its terminator */
};

enum el_side { EL_WHITE, EL_BLACK };

/* Any position of any game, as sets of squares; also one that is not legal (while it is set up). */
struct el_position {
	uint64_t set[2][EL_KINDS]; /* [side][kind]: bit s = a piece on square s */
	uint8_t side;              /* enum el_side: to move */
	uint8_t en_passant;        /* the square passed over, where the capture is legal; else EL_NO_SQUARE */
	uint8_t castling;          /* rights: bit 2 * side kingside, bit 2 * side + 1 queenside; 0 in
	                              games without castling */
	uint16_t halfmove;         /* plies since the last zeroing move, as the FEN says */
	uint16_t fullmove;         /* from 1 */
	uint8_t hand[2];           /* men still to be placed; 0 in games that begin with all on the board */
	uint8_t pits[EL_PITS];     /* in games that sow, the stones in each pit, by its square; else 0 */
	uint8_t stores[2];         /* there: the stones that each side has taken */
};

/* The same board, side to move and rights to castle and to capture en passant; clocks may differ. */
static inline bool el_position_equal(const struct el_position *a, const struct el_position *b)
{
	return !memcmp(a->set, b->set, sizeof a->set) && a->side == b->side &&
	       a->en_passant == b->en_passant && a->castling == b->castling &&
	       a->hand[0] == b->hand[0] && a->hand[1] == b->hand[1] &&
	       !memcmp(a->pits, b->pits, sizeof a->pits);
}

/* Of a board that was changed by hand: rights come from the moves before. */
static inline void el_position_drop_rights(struct el_position *p)
{
	p->en_passant = EL_NO_SQUARE;
	p->castling = 0;
}

/* Are there men to be placed? Tables know no such position. */
static inline bool el_position_has_hand(const struct el_position *p)
{
	return p->hand[0] || p->hand[1];
}

/* Of pieces on the board, or stones. */
static inline unsigned el_piece_count(const struct el_position *p)
{
	unsigned count = 0;
	for (unsigned pit = 0; pit < EL_PITS; pit++)
		count += p->pits[pit];
	for (unsigned i = 0; i < 2 * EL_KINDS; i++)
		count += (unsigned)__builtin_popcountll(p->set[i / EL_KINDS][i % EL_KINDS]);
	return count;
}

/* The piece on a square; false, with the others untouched, when there is none. */
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

/* A move is described by what it does to the board; `captured` may hold several squares in draughts.
   Castling is the king's move by two squares; `play` moves the rook with it. A man that is placed comes
   from EL_NO_SQUARE. */
struct el_move {
	uint8_t from, to;
	uint8_t kind;    /* of the piece that moves */
	uint8_t becomes; /* its kind afterwards: differs from `kind` in a promotion */
	uint64_t captured;
};

static inline bool el_move_equal(const struct el_move *a, const struct el_move *b)
{
	return a->from == b->from && a->to == b->to && a->becomes == b->becomes &&
	       a->captured == b->captured;
}

/* The squares that it leaves and comes to. */
static inline uint64_t el_move_squares(const struct el_move *move)
{
	return UINT64_C(1) << move->to | (move->from == EL_NO_SQUARE ? 0 : UINT64_C(1) << move->from);
}

enum el_notation {
	EL_SAN, /* for people: "Qe6+", "9x18" */
	EL_UCI, /* for programs: "e5e6", "9x14x18" */
};

struct el_game;

/*
 * All positions with one material, and, in games that divide further, one part of them. White is
 * the first-named, stronger side; a position with the colours the other way round belongs to the
 * same slice after its colours are swapped.
 */
struct el_slice {
	const struct el_game *game;
	uint64_t key;               /* unique among the game's slices; equal keys, equal slices */
	uint8_t count[2][EL_KINDS]; /* pieces by side and kind */
	uint8_t pieces;             /* all of them */
	uint8_t planes;             /* 2; 1 where both sides have the same material, so that Black to
	                               move is White to move with the colours swapped */
	uint64_t positions;         /* indexes in a plane, broken ones included */
	char name[EL_SLICE_MAX];    /* "KQvKR"; with its game's prefix where it has one */
};

static inline bool el_slice_equal(const struct el_slice *a, const struct el_slice *b)
{
	return a->game == b->game && a->key == b->key;
}

/* Where a position's value is stored. */
struct el_place {
	uint64_t key;   /* of the slice */
	uint64_t index; /* 0 .. slice.positions-1 */
	uint8_t plane;  /* the side to move once White is the slice's first-named side */
	uint32_t digit[EL_DIGITS_MAX]; /* the index taken apart: el_game.digits of them */
};

/*
 * The digits of an index: where each piece, or each group of like pieces, stands. Numbers made of
 * them in any order tell positions apart as the index does; they are less dense, but which piece
 * varies fastest decides how well a table compresses.
 */
struct el_digits {
	unsigned count;                /* 0: the game's index does not come apart */
	char letter[EL_DIGITS_MAX];    /* "K", "Q": capital for the first-named side, as in a FEN */
	uint32_t radix[EL_DIGITS_MAX]; /* a digit is below its radix */
	uint8_t pieces[EL_DIGITS_MAX]; /* that a digit places */
};

/* A piece as its group numbers it. */
struct el_index_piece {
	uint8_t side, kind; /* enum el_side, White being the first-named side; kind in el_game.kinds */
	uint8_t square;
	uint8_t number; /* of the square, from 0, among those that the group is numbered on */
};

/*
 * One step of working out an index with pencil and paper. The first step has `before` 0, each other
 * one the `after` of the step before it, and the last `after` is the index:
 *
 *     after = before * radix + rank + base
 *
 * A group of like pieces with the numbers r1 < r2 < ... has the rank C(r1, 1) + C(r2, 2) + ... in
 * the combinatorial number system, and the radix C(squares, count). Two kings that are ranked
 * together, White's first, have the rank `first` + the number of Black's.
 */
struct el_index_step {
	char group[EL_INDEX_GROUP_MAX]; /* "kings", "2 white knights" */
	uint8_t count; /* pieces; 0 where a part of the board holds none: rank 0, radix 1 */
	struct el_index_piece piece[EL_PIECES_MAX]; /* by ascending number, but for the kings */
	uint8_t squares; /* how many the group is numbered on; 0: two kings, numbered one by one */
	/* These are the squares of `area`, numbered as they stand there, without those that groups before
	   have taken, where the group skips them. Of two kings there is none. */
	uint8_t area[64], area_count;
	bool skips;
	uint32_t first;  /* of two kings: the classes with White's on a square of lower number */
	/* The pieces are bars among stones, one behind those of each pit but the last: what comes before a bar
	   is numbered, stones and bars. */
	bool bars;
	bool classed;    /* the rank is the number of a class of sets that symmetries map to each other */
	uint32_t rank, radix; /* rank < radix */
	uint64_t base;   /* counted before this group's own, for what `base_is` says; 0 for most */
	const char *base_is; /* "fewer white men in the bottom row"; null where base is 0 */
	uint64_t before, after;
};

/* What brings a position to the one that represents its place, in this order. */
enum el_symmetry {
	EL_SWAPPED = 1, /* colours, and the board with them */
	EL_MIRRORED = 2, /* files */
	EL_FLIPPED = 4, /* ranks */
	EL_TRANSPOSED = 8, /* in the diagonal from a1 */
	EL_TURNED_OUT = 16, /* inner and outer ring exchanged */
};

/* What making tables takes of one core of a machine of 2023, measured over whole groups of slices: plans
   are estimated by it, in proportion to how fast this machine is. */
struct el_rate {
	unsigned pieces;   /* of slices with at most so many */
	unsigned promoting; /* of them of a kind that promotes */
	double solve_ns;   /* for each bit of the solver's sets */
	double phase;      /* times that long where phases are told (dtr) */
	double write_ns;   /* for each position of a plane with depths */
	/* Bytes a position of a table that tells plies to the end of the game, plies to a zeroing move,
	   outcomes alone. */
	double bytes_end, bytes_zeroing, bytes_outcome;
};

struct el_sets;
struct el_division;
struct el_problem;

/* The size of sets, for those who plan a solution. */
struct el_measure {
	uint64_t bits;      /* of one side to move */
	uint64_t unit_bits; /* of a unit */
	uint64_t beside;    /* bytes that the sets keep beside bitmaps */
	/* Bytes of 16-bit symbols with which a section of the planes is put together: those of its units by
	   bit, and its own by index. */
	uint64_t desk;
};

struct el_game {
	const char *name;  /* "chess", as in files */
	const char *title; /* "Chess" */
	const char *kinds; /* one capital letter a kind, in the order of el_position.set: "KQRBNP" */
	const char *const *glyphs; /* one UTF-8 glyph, one cell wide, a kind: solid pieces */
	const char *letters; /* where there are no glyphs: White's and Black's of each kind; null: as `kinds`,
	                        small for Black */
	const char *kind_names[EL_KINDS]; /* "king", ...; null past the last */
	uint8_t single; /* bit k: a side never has two pieces of kind k */
	uint8_t promoting; /* bit k: pieces of kind k promote */
	/* The first that fits counts; the last one fits all. */
	const struct el_rate *rates;
	const char *lost; /* a side that has lost on the board is ...: "checkmated" */
	/* Squares are pits that hold stones, sown in turn: no pieces; a set of squares is that of its side's
	   pits. Values are stones, gained or lost (el_metric.stones). */
	bool sows;
	const char *sides[2]; /* "White" and "Black", or what they are called here */
	uint8_t side_min;   /* a side with fewer pieces than this has lost, whatever it could move */
	uint8_t pieces_max; /* in a slice */
	/* Slices come in groups, by how many pieces they have or, in other words, `group_is`: "pieces". Those
	   up to `group_few` are solved in minutes rather than days. */
	uint8_t group_min, group_max, group_few;
	const char *group_is;
	const char *example; /* the name of a slice */
	/* The metrics it has, null-terminated, as el_metrics has them and in that order: those of every
	   rule where it has one. The first that counts on to the end of the game is its own. */
	const struct el_metric *const *metrics;
	/* A side that can capture must do so: where there is a capture there are no other moves. */
	bool forced_captures;
	uint8_t files, ranks;      /* the board that is drawn; file 0, rank 0 is a1, White's left corner */
	bool labelled_squares;     /* squares carry their own number rather than file and rank */
	uint8_t first_side;        /* enum el_side: begins a game, and each numbered pair of moves */
	const char *first;         /* the position that games begin with, as `parse` takes it */
	const char *pdn_type;      /* of the GameType tag in Portable Draughts Notation; null: games
	                              are written in PGN, which has no such tag */

	/* ---- board ---- */
	/* The square of a file and a rank, or EL_NO_SQUARE where no piece can stand. */
	uint8_t (*square_at)(unsigned file, unsigned rank);
	void (*square_name)(uint8_t square, char out[4]);
	/* Optional (null: a board of squares). Of a board of lines and points: the points next to one along
	   the lines, each in its file or rank. */
	uint64_t (*neighbours)(uint8_t point);
	/* The position with files mirrored, and the same with the colours (and the board) exchanged.
	   Rights to castle are lost in a mirror. */
	void (*mirror)(const struct el_position *, struct el_position *out);
	void (*swap_colours)(const struct el_position *, struct el_position *out);

	/* ---- positions in words ---- */
	bool (*looks_like)(const char *fen); /* is this text meant as a position of this game? */
	/* Strict: EL_NEGATIVE with the fault named. `out` is untouched on failure. */
	enum el_status (*parse)(const char *fen, struct el_position *out, struct el_error *);
	void (*format)(const struct el_position *, char out[EL_FEN_MAX]);
	/* Why a set-up board is not a legal position: EL_NEGATIVE and the reason. Takes any bits. */
	enum el_status (*check)(const struct el_position *, struct el_error *);
	/* Is it legal, or what a legal move leaves? That may be a side to move without a piece, which a
	   board is not set up with. Takes any bits; a few nanoseconds with the place that `place` gave it,
	   null where it gave none. */
	bool (*legal)(const struct el_position *, const struct el_place *);

	/* ---- rules: of legal positions only ---- */
	size_t (*moves)(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
	/* Those of the moves that capture; quicker where there are none. */
	size_t (*captures)(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
	/* Those that `zeroes` is true of; null where that is. */
	size_t (*zeroing)(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
	void (*play)(const struct el_position *, const struct el_move *, struct el_position *out);
	/* The outcome for a side that has no legal move: EL_LOSS, or EL_DRAW (stalemate). */
	enum el_outcome (*stuck)(const struct el_position *);
	bool (*in_check)(const struct el_position *); /* always false where the game has no check */
	/* The stones that a move captures; null where the game has no stones. */
	unsigned (*gain)(const struct el_position *, const struct el_move *);
	/* Where the game sows, else null: the position while a move is made, stage by stage: 1, the pit is empty
	   and its stones are in the hand; then each stone in turn; then each pit that is captured. *at is the pit
	   that it is about, *hand the stones that are left in the hand. False behind the last stage. */
	bool (*stage)(const struct el_position *, const struct el_move *, unsigned stage,
	              struct el_position *out, uint8_t *at, unsigned *hand);
	/* Does a legal move put the clock of el_position.halfmove back to zero? Null: the game has no
	   such clock. */
	bool (*zeroes)(const struct el_position *, const struct el_move *);

	/* ---- moves in words ---- */
	void (*write_move)(const struct el_position *, const struct el_move *, enum el_notation,
	                   char out[EL_MOVE_MAX]);
	/* Either notation, castling with zeros too; EL_NEGATIVE when it is not a legal move here, with the
	   reason. */
	enum el_status (*read_move)(const struct el_position *, const char *text, struct el_move *out,
	                            struct el_error *);

	/* ---- slices and their index ---- */
	uint32_t index_version; /* grows when `place` changes: table files tell it */
	bool (*looks_like_slice)(const char *text);
	/* "KQvKR", "KRvKQ" or "KQKR"; EL_NEGATIVE with the reason (unknown letter, no king, ...). */
	enum el_status (*slice_parse)(const char *text, struct el_slice *out, struct el_error *);
	/* The slice of a position; EL_NEGATIVE when no slice has that much material, and for a position
	   with rights to castle: tables do not know them. */
	enum el_status (*slice_of)(const struct el_position *, struct el_slice *out, struct el_error *);
	/* The slices that a conversion from `slice` enters, drawn ones without a table (KvK) left out.
	   At most EL_SUCCESSORS_MAX of them; returns how many. */
	size_t (*successors)(const struct el_slice *, struct el_slice *out);
	/* All slices of a group, successors not necessarily first; returns how many there are, and writes
	   at most `max`. What slices turn into is in groups up to theirs. */
	size_t (*slices)(unsigned group, struct el_slice *out, size_t max);
	/* Nobody can win with this material (bare kings): every position is a draw, no table is kept. */
	bool (*drawn)(const struct el_position *);
	/* En passant is not part of an index: the place is that of the position without the right. A
	   position with rights to castle has none.
	   False when the position is in no slice. Takes any bits; to what is not legal it may give any
	   index of the slice. No allocation, no locks. */
	bool (*place)(const struct el_position *, struct el_place *out);
	/* The inverse. False, with `out` untouched, when the index is broken: no legal position, or not
	   the index that `place` gives to the position. */
	bool (*unplace)(const struct el_slice *, unsigned plane, uint64_t index,
	                struct el_position *out);
	/* Optional, both or none (null: the index does not come apart). The digits of the slice's
	   indexes, in the order of the pieces in its name. */
	void (*digits)(const struct el_slice *, struct el_digits *out);
	/* The digits of an index, broken or not; different indexes have different ones. */
	void (*take_apart)(const struct el_slice *, uint64_t index, uint32_t digit[EL_DIGITS_MAX]);
	/*
	 * Optional (null: codecs see no board). `stand`: the squares of a digit's pieces, ascending; values
	 * follow each other as el_codec_axis has it, and so do the other two. `marks`: how many there are;
	 * `look`: of the pieces in the order of the digits, with that side to move in a plane.
	 */
	void (*stand)(const struct el_slice *, unsigned digit, uint32_t value, uint8_t *square);
	unsigned (*marks)(const struct el_slice *);
	void (*look)(const struct el_slice *, unsigned plane, const uint8_t *square, unsigned moving,
	             uint64_t *word);
	int8_t step[3]; /* as el_codec_board.step */
	/* The game's own number of a square that `stand` gives; null where it is the same. */
	uint8_t (*stands_on)(uint8_t square);
	/* The steps of an index below slice.positions, broken or not, slowest group first; returns how
	   many. An index that is not broken has its pieces where `unplace` puts them. */
	size_t (*index_steps)(const struct el_slice *, uint64_t index,
	                      struct el_index_step out[EL_INDEX_STEPS_MAX]);
	/* The fewest changes (a sum of enum el_symmetry) that turn a legal position in a slice into
	   the one that `unplace` gives for its place. */
	unsigned (*symmetry)(const struct el_position *);
	/* How many distinct placements the symmetries make of a position: a power of two. */
	unsigned (*orbit)(const struct el_position *);
	/* Optional (null: the game has no such count). The rank of the side's most advanced man as its owner
	   counts, 1 being its own back rank; 0 where it has no men. Below EL_LEADING_RANKS. */
	unsigned (*leading_rank)(const struct el_position *, unsigned side);

	/* ---- solving: see sets.h ---- */
	/* How large the sets of the slice in one part are. */
	struct el_measure (*measure)(const struct el_slice *);
	/* Borrows the planes of what the slice's conversions enter, until the division is closed. */
	enum el_status (*divide)(const struct el_problem *, struct el_division **,
	                         struct el_error *);
};

enum { EL_SUCCESSORS_MAX = 64 };

extern const struct el_game el_chess;
extern const struct el_game el_checkers;
extern const struct el_game el_morris;
extern const struct el_game el_awari;

/* All games, null-terminated. */
extern const struct el_game *const el_games[];
const struct el_game *el_game_find(const char *name);

/* The inverse of el_game.square_at; false, with both outside the board, for no square of the game. */
bool el_square_find(const struct el_game *, uint8_t square, unsigned *file, unsigned *rank);

/* Does the game have this metric? */
bool el_game_has(const struct el_game *, const struct el_metric *);
/* Does a piece, or a stone, stand on a square, and of which side? False, with `side` untouched, where none
   does. */
bool el_square_taken(const struct el_game *, const struct el_position *, uint8_t square, unsigned *side);

/* Does it have it, or is it the plain outcome, which each of its metrics tells? */
bool el_game_tells(const struct el_game *, const struct el_metric *);
/* EL_USAGE unless it has, with the games that do. */
enum el_status el_game_check_metric(const struct el_game *, const struct el_metric *,
                                    struct el_error *);
/* The metric of that name. EL_USAGE, with the known ones and the form of the rules, when there is none. */
enum el_status el_metric_parse(const char *name, const struct el_metric **out, struct el_error *);
/* The stones that a move captures, in games that have any; else 0. */
static inline unsigned el_move_gain(const struct el_game *game, const struct el_position *before,
                                    const struct el_move *move)
{
	return game->gain ? game->gain(before, move) : 0;
}
/* Does a move end the count of a metric? `leaves`: it leaves the slice. */
bool el_move_ends(const struct el_game *, const struct el_metric *, const struct el_position *before,
                  const struct el_move *, bool leaves);
/* Its finest metric: depths that count on to the end of the game. */
const struct el_metric *el_game_metric(const struct el_game *);

/* The value of a position that has no legal move, under el_game_metric: where there are stones, those that
   are left are lost. */
struct el_value el_game_stuck(const struct el_game *, const struct el_position *);
/* What the rules alone say of a legal position, under the same metric: a draw where nobody can win, the
   game's end where there is no move. False, with `out` untouched, when they leave it open. */
bool el_game_value(const struct el_game *, const struct el_position *, struct el_value *out);

/* Is a line meant as a position of some game? A single word is a move, a slice or a slip of the finger, unless
   it has one of the signs that no word has, or numbers one after the other ("4-4-4-..."). */
bool el_position_is_meant(const char *text);
/* Read a position or a slice of whichever game its form belongs to; sets *game. */
enum el_status el_position_parse(const char *fen, const struct el_game **game,
                                 struct el_position *out, struct el_error *);
enum el_status el_slice_parse(const char *text, struct el_slice *out, struct el_error *);

#endif
