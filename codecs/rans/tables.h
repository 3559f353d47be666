/* SPDX-License-Identifier: MIT */
/* A position's guess, the answers about it, and what was learned as tables: from answers to contexts,
   and to the parts of their tokens. */
#ifndef CODECS_RANS_TABLES_H
#define CODECS_RANS_TABLES_H

#include "codecs/board/teller.h"
#include "rans.h"

/* ---- guesses and answers ---- */

/* A position's guess, and what is known of it. */
struct rans_guess {
	uint16_t symbol;
	/* Neighbours that agree with it, of how many. Those of pieces that stay agree only with the
	   lead. */
	uint8_t agree, voters;
};

/* Specialises code for arguments that are constant at the call. */
#define RANS_INLINE static inline __attribute__((always_inline))

RANS_INLINE int32_t rans_median(int32_t a, int32_t b, int32_t c)
{
	const int32_t low = a < b ? a : b, high = a < b ? b : a;
	return c < low ? low : c > high ? high : c;
}

/* The guess for position `j`. `pieces`: of the last axis. */
RANS_INLINE struct rans_guess rans_guess(const struct board_stretch *s, unsigned pieces, unsigned j)
{
	const int32_t left = board_moving_near(s, pieces, j, 0);
	const int32_t up = board_moving_near(s, pieces, j, 1), lead = s->lead[j];
	int32_t guess;
	if (!s->voters)
		guess = left >= 0 ? left : up >= 0 ? up : lead;
	else if (left >= 0 && up >= 0)
		guess = rans_median(left, up, lead);
	else
		guess = left >= 0 ? left : lead;
	const unsigned still = guess == lead ? s->agree[j] : 0;
	return (struct rans_guess){
		.symbol = (uint16_t)guess,
		.agree = (uint8_t)(still + (left == guess) + (up == guess)),
		.voters = (uint8_t)(s->voters + (left >= 0) + (up >= 0)),
	};
}

/* The class of the lead; 0 if no piece that stays has a neighbour. */
RANS_INLINE unsigned rans_lead_class(const struct board_stretch *s, unsigned j, struct rans_guess g)
{
	return s->voters ? board_class(s->lead[j], g.symbol) : 0;
}

/* The answer to question `q` about the guess: those from l->guess on. */
RANS_INLINE unsigned rans_guess_answer(const struct rans_layout *l, struct rans_guess g, unsigned q)
{
	const unsigned answer = q == l->guess   ? g.symbol * RANS_ANSWERS / l->value_count
	                        : q == l->agree ? g.agree
	                                        : g.voters;
	return answer < RANS_ANSWERS ? answer : RANS_ANSWERS - 1;
}

/* The answer to question `q` about the neighbours of position `j`. */
RANS_INLINE unsigned rans_near_answer(const struct rans_layout *l, const struct board_stretch *s,
                                      unsigned j, struct rans_guess g, unsigned q)
{
	if (q < s->stays)
		return s->from[q] ? board_class(s->from[q][j], s->lead[j]) : 0;
	if (q < l->bends)
		return board_class(board_moving_near(s, s->pieces, j, q - s->stays), g.symbol);
	if (q < l->lead) {
		const unsigned bend = q - l->bends;
		return board_class(board_bend(s, s->pieces, j, board_bend_near(bend / BOARD_VOTING),
		                              bend % BOARD_VOTING),
		                   g.symbol);
	}
	return q == l->lead ? rans_lead_class(s, j, g) : rans_guess_answer(l, g, q);
}

/* The same without a board; `before` is the symbol before the guess. */
RANS_INLINE unsigned rans_line_answer(const struct rans_layout *l, uint16_t before,
                                      struct rans_guess g, unsigned q)
{
	return q < l->bends   ? board_class(before, g.symbol)
	       : q == l->lead ? 0
	                      : rans_guess_answer(l, g, q);
}

/* The answer to question `q` about the board where the pieces stand on `square` and the position
   has the marks `marks`, a bit each. */
unsigned rans_board_answer(const struct rans_layout *, const uint8_t *square, uint64_t marks,
                           unsigned q);

/* ---- tables ---- */

/* A question about neighbours: what its answers add to the number of a cell. */
struct rans_ask {
	unsigned question;
	unsigned still; /* its neighbour of a piece that stays: of such a question, and of a bend */
	unsigned step;  /* the step of the moving piece; of a bend, too */
	uint16_t add[RANS_ANSWERS]; /* the first is 0 */
};

/* A node of the board's tree, ready for all squares of the moving piece: those with the answers that
   lead to the first child are set[square of piece `by`]. */
struct rans_board_ask {
	const uint64_t *set;  /* null: those without mark `mark` */
	uint8_t by;           /* EL_BOARD_PIECES: the set is the first one */
	uint8_t at;           /* a piece that stays: the set is all or nothing, by its square */
	uint64_t moves;       /* all ones: the moving piece is asked about, not `at` */
	uint8_t mark;         /* 0 if there is a set */
	uint16_t node, child; /* in the tree: itself, and the first child */
};

/* Has pointers into itself: it must stay where it was made. */
struct rans_tables {
	struct rans_layout layout;
	uint16_t common; /* the commonest symbol */
	/* The questions that the tree of neighbours asks: about those of pieces that stay, those of
	   the last axis, and bends. */
	struct rans_ask ask[RANS_QUESTIONS];
	unsigned stays, moves, bends; /* where each kind ends */
	/* What these add: the class of the lead; the guess, by symbol, owned; how many agree with
	   it; and how many voters there are. */
	uint16_t by_lead[RANS_ANSWERS], *by_guess;
	uint16_t by_agree[RANS_VOTERS + 1], by_voters[RANS_VOTERS + 1];
	uint8_t *cell; /* [cell]: the leaf that its answers lead to; owned */
	/* [leaf of the board's tree][leaf of neighbours]: the context; owned */
	uint16_t *context;
	uint16_t (*start)[RANS_TOKENS]; /* by context and token, of RANS_ONE; owned */
	struct rans_shape near, board;
	/* The board's tree: its questions from parents to children, and the nodes of its leaves. */
	struct rans_board_ask board_ask[RANS_LEAVES];
	unsigned board_asks;
	uint16_t board_leaf[RANS_LEAVES];
	/* Sets of squares. By how far and square: at most so many king's moves away. By square:
	   not on its lines, not on its diagonals. By rank or file: up to it. */
	uint64_t within[8][64], off_lines[64], off_diagonals[64], ranks[8], files[8];
};

/* EL_DAMAGED if the model makes no sense; EL_MEMORY. To be freed in either case. */
enum el_status rans_tables_make(struct rans_tables *, const struct rans_layout *,
                                const struct rans_model *, struct el_error *);
void rans_tables_free(struct rans_tables *);
/* Sets, for each position of a stretch, what neighbours of pieces that stay add to its cell. */
void rans_tables_still(const struct rans_tables *, const struct board_stretch *,
                       uint16_t cell[BOARD_STRETCH]);
/* Sets, for each square of the moving piece in a run, where the contexts of its leaf of the board's
   tree begin: all squares go down the tree together. 0 for broken positions. */
void rans_tables_rows(const struct rans_tables *, const struct board_walk *, uint32_t row[64]);

/* ---- tokens.c ---- */

/* Tells how symbol `at` was read. `common`: the plane's commonest symbol. `start`: where the tokens
   of its context begin, of RANS_ONE; null: nothing was read of it. */
void rans_tell(struct board_teller *, size_t at, struct rans_guess, uint16_t common,
               const uint16_t *start, unsigned token);

#endif
