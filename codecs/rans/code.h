/* SPDX-License-Identifier: MIT */
/* A coder turns the symbols of a block into bytes and back; code.c describes the bytes. */
#ifndef CODECS_RANS_CODE_H
#define CODECS_RANS_CODE_H

#include "rans.h"

/* A position's guess, and what is known of it. */
struct rans_guess {
	uint16_t symbol;
	uint8_t agree, voters; /* neighbours that agree with it, of how many */
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
	const unsigned still = guess == lead ? s->agree[j] : board_votes(s, j, guess);
	return (struct rans_guess){
		.symbol = (uint16_t)guess,
		.agree = (uint8_t)(still + (left == guess) + (up == guess)),
		.voters = (uint8_t)(s->voters + (left >= 0) + (up >= 0)),
	};
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
		return s->from[q] ? board_class(s->near[q][j], g.symbol) : 0;
	if (q < l->bends)
		return board_class(board_moving_near(s, s->pieces, j, q - s->stays), g.symbol);
	if (q < l->guess) {
		const unsigned bend = q - l->bends;
		return board_class(board_bend(s, s->pieces, j, board_bend_near(bend / BOARD_VOTING),
		                              bend % BOARD_VOTING),
		                   g.symbol);
	}
	return rans_guess_answer(l, g, q);
}

/* The same without a board; `before` is the symbol before the guess. */
RANS_INLINE unsigned rans_line_answer(const struct rans_layout *l, uint16_t before,
                                      struct rans_guess g, unsigned q)
{
	return q < l->bends ? board_class(before, g.symbol) : rans_guess_answer(l, g, q);
}

/* The answer to question `q` about the board where the pieces stand on `square` and the position
   has the marks `marks`, a bit each. */
unsigned rans_board_answer(const struct rans_layout *, const uint8_t *square, uint64_t marks,
                           unsigned q);

/* ---- members of the codec ---- */

/* A coder holds what was learned as tables, and working memory. */
enum el_status rans_open(const struct el_codec_params *, const uint8_t *learned, size_t size,
                         void **coder, struct el_error *);
void rans_close(void *coder);
size_t rans_memory(const struct el_codec_params *, size_t learned);
void rans_begin(void *coder, uint64_t first);
enum el_status rans_fill(const struct el_codec_params *, const struct el_codec_plane *,
                         const struct el_watch *, struct el_error *);
/* A guess needs nothing that is learned. */
uint16_t rans_guess_of(const struct board_stretch *, unsigned j);
enum el_status rans_fill_one(void *coder, const struct el_codec_plane *block, struct el_error *);
enum el_status rans_encode(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
                           size_t capacity, size_t *size, struct el_error *);
enum el_status rans_decode(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                           size_t count, struct el_error *);
/* tokens.c */
enum el_status rans_tokens(void *coder, const uint8_t *bytes, size_t size, size_t count,
                           void (*visit)(void *context, const struct el_codec_token *),
                           void *context, struct el_error *);

/* ---- for learn.c ---- */

/* Counts the tokens of a block, but not of broken positions: cell[leaf of the board's tree *
   leaves of the neighbours' + leaf of that one]. */
void rans_count(void *coder, const uint16_t *symbols, size_t count, uint32_t cell[][RANS_TOKENS]);

/* ---- for tokens.c ---- */

/* Hears what the decoder reads. */
struct rans_listener {
	void *context;
	/* Symbol `at` was read. `start`: where the tokens of its context begin, of RANS_ONE; null:
	   nothing was read of it. */
	void (*told)(void *context, size_t at, const struct rans_guess *, const uint16_t *start,
	             unsigned token);
};
enum el_status rans_listen(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                           size_t count, const struct rans_listener *, struct el_error *);
uint16_t rans_common(const void *coder);

#endif
