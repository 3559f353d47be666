/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The codecs that look at the board, net and rans: what they see of positions, what they learn, and
   bytes that make no sense. */
#include "core/table/order.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCK = 1024 };

/* Of the running test: its state. */
static const struct el_codec *codec;

/* ---- boards ---- */

/* The pieces of a slice in the order of its digits. */
struct cast {
	unsigned count;
	uint8_t side[EL_PIECES_MAX], kind[EL_PIECES_MAX], square[EL_PIECES_MAX];
};

static struct cast cast_of(const struct el_slice *slice)
{
	struct cast c = {0};
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = 0; kind < EL_KINDS; kind++)
			for (unsigned i = 0; i < slice->count[side][kind]; i++, c.count++) {
				c.side[c.count] = (uint8_t)side;
				c.kind[c.count] = (uint8_t)kind;
			}
	return c;
}

static void stand(const struct el_slice *slice, uint64_t index, struct cast *c)
{
	struct el_digits digits;
	uint32_t digit[EL_DIGITS_MAX];
	unsigned piece = 0;
	slice->game->digits(slice, &digits);
	slice->game->take_apart(slice, index, digit);
	for (unsigned d = 0; d < digits.count; d++) {
		slice->game->stand(slice, d, digit[d], c->square + piece);
		piece += digits.pieces[d];
	}
	assert_int_equal(piece, c->count);
}

/* Does a chess piece attack a square? Walks there. */
static bool attacks(const struct cast *c, unsigned from, unsigned to)
{
	static const int8_t steps[8][2] = {{1, 0}, {-1, 0},  {0, 1},  {0, -1},
	                                   {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};
	const char kind = "KQRBNP"[c->kind[from]];
	const int x = c->square[from] & 7, y = c->square[from] >> 3;
	const int dx = (c->square[to] & 7) - x, dy = (c->square[to] >> 3) - y;
	if (kind == 'N')
		return dx * dx + dy * dy == 5;
	if (kind == 'P')
		return dx * dx == 1 && dy == (c->side[from] ? -1 : 1);
	for (unsigned s = kind == 'B' ? 4 : 0; s < (kind == 'R' ? 4 : 8); s++)
		for (int n = 1; n < (kind == 'K' ? 2 : 8); n++) {
			if (n * steps[s][0] == dx && n * steps[s][1] == dy)
				return true;
			const int at = (y + n * steps[s][1]) * 8 + x + n * steps[s][0];
			bool blocked = false;
			for (unsigned i = 0; i < c->count; i++)
				blocked |= i != from && c->square[i] == at &&
				           ((c->square[i] & 7) == x + n * steps[s][0]);
			if (blocked)
				break;
		}
	return false;
}

/* Can a piece of draughts jump another? Walks there, and looks behind it. */
static bool jumps(const struct cast *c, unsigned from, unsigned to)
{
	const int x = c->square[to] & 7, y = c->square[to] >> 3;
	const int dx = x - (c->square[from] & 7), dy = y - (c->square[from] >> 3);
	const int forward = c->side[from] ? -1 : 1;
	if (dx * dx != 1 || dy * dy != 1 || ("KM"[c->kind[from]] == 'M' && dy != forward))
		return false;
	if (x + dx < 0 || x + dx > 7 || y + dy < 0 || y + dy > 7)
		return false;
	for (unsigned i = 0; i < c->count; i++)
		if (c->square[i] == (y + dy) * 8 + x + dx)
			return false;
	return true;
}

/* Chess marks attacks, draughts marks possible jumps. */
static void check_marks(const struct el_slice *slice, const struct cast *c, const uint64_t *word,
                        unsigned moving)
{
	const uint64_t bit = UINT64_C(1) << c->square[moving];
	const bool chess = slice->game == &el_chess;
	unsigned mark = 1;
	for (unsigned from = 0; from < c->count; from++)
		for (unsigned to = 0; to < c->count; to++)
			if (to != from && (chess || c->side[from] != c->side[to]))
				assert_int_equal((word[mark++] & bit) != 0,
				                 chess ? attacks(c, from, to) : jumps(c, from, to));
	assert_int_equal(mark, 1 + slice->game->marks(slice));
}

/* Squares are those of the index, broken positions are those that the rules forbid, and marks are
   attacks or jumps. */
static void check_index(const struct el_slice *slice, unsigned plane, uint64_t index)
{
	const struct el_game *game = slice->game;
	struct cast c = cast_of(slice);
	struct el_position set = {.side = (uint8_t)plane,
	                          .en_passant = EL_NO_SQUARE,
	                          .fullmove = 1},
			   there;
	uint64_t word[1 + EL_BOARD_MARKS];
	bool apart = true;
	stand(slice, index, &c);
	for (unsigned i = 0; i < c.count; i++) {
		for (unsigned j = 0; j < i; j++)
			apart &= c.square[i] != c.square[j];
		set.set[c.side[i]][c.kind[i]] |= UINT64_C(1) << c.square[i];
	}
	if (game == &el_chess && game->unplace(slice, plane, index, &there))
		assert_memory_equal(set.set, there.set, sizeof set.set);
	const bool legal = apart && (game != &el_chess || !game->check(&set, NULL));
	for (unsigned moving = 0; moving < c.count; moving++) {
		game->look(slice, plane, c.square, moving, word);
		assert_int_equal(!(word[0] >> c.square[moving] & 1), legal);
		if (legal)
			check_marks(slice, &c, word, moving);
	}
}

static void test_boards(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		unsigned stride;
	} slices[] = {{"KRvK", 1},
	              {"KPvK", 3},
	              {"KBBvK", 97},
	              {"KNvKP", 997},
	              {"KQvKR", 499},
	              {"checkers:KMvKM", 97},
	              {"checkers:KMMvM", 997}};
	for (size_t s = 0; s < sizeof slices / sizeof *slices; s++) {
		const struct el_slice slice = slice_named(slices[s].name);
		const uint64_t stride = (uint64_t)slices[s].stride * test_stride();
		for (unsigned p = 0; p < slice.planes; p++)
			for (uint64_t i = 0; i < slice.positions; i += stride)
				check_index(&slice, p, i);
	}
}

/* ---- planes ---- */

/* A plane in the codec's terms. */
struct sight {
	struct el_slice slice;
	struct table_board *board;
	struct numbering numbering;
	struct el_codec_params params;
	struct el_codec_plane plane;
	uint8_t *care;
};

static struct sight sight_of(const char *name, const char *order, unsigned hidden)
{
	struct el_planes planes = derived_planes(name, &el_dtm);
	struct sight s = {.slice = planes.slice};
	struct el_table_options options = el_table_options_default();
	assert_int_equal(el_order_parse(order, &s.slice, &options, NULL), EL_OK);
	assert_int_equal(numbering_make(&s.slice, &options.order[0], &s.numbering), EL_OK);
	assert_int_equal(board_make(&s.slice, 0, &options.order[0], &s.numbering, &s.board), EL_OK);
	uint16_t *symbols = calloc(s.numbering.positions, sizeof *symbols);
	s.care = malloc(s.numbering.positions);
	memset(s.care, EL_CARE_NOT, s.numbering.positions);
	for (uint64_t i = 0; i < s.slice.positions; i++) {
		const uint64_t n = numbering_of_index(&s.numbering, &s.slice, i);
		symbols[n] = planes.plane[0].symbols[i];
		s.care[n] = symbols[n] ? EL_CARE_EXACT : EL_CARE_NOT;
	}
	s.params = (struct el_codec_params){
		.value_count = planes.plane[0].value_count,
		.block_positions = BLOCK,
		.board = &s.board->seen,
	};
	for (unsigned i = 0; codec && i < codec->option_count; i++)
		s.params.option[i] = codec->options[i].usual;
	if (codec && codec->option_count > 1) {
		s.params.option[0] = (int)hidden;
		s.params.option[1] = 1;
	}
	s.plane = (struct el_codec_plane){
		.symbols = symbols, .care = s.care, .positions = s.numbering.positions, .row = 1};
	el_planes_free(&planes);
	return s;
}

static void sight_free(struct sight *s)
{
	board_free(s->board);
	free(s->plane.symbols);
	free(s->care);
}

static size_t block_count(const struct sight *s, uint64_t first)
{
	const uint64_t rest = s->plane.positions - first;
	return rest < BLOCK ? (size_t)rest : BLOCK;
}

/* Encodes all blocks and decodes them in another order; returns all bytes. */
static size_t round_trip(const struct sight *s, const uint8_t *learned, size_t size)
{
	const size_t room = codec->bound(&s->params, BLOCK);
	uint8_t *bytes = malloc(room);
	uint16_t back[BLOCK];
	void *writer, *reader;
	size_t all = size;
	assert_int_equal(codec->open(&s->params, learned, size, &writer, NULL), EL_OK);
	assert_int_equal(codec->open(&s->params, learned, size, &reader, NULL), EL_OK);
	const uint64_t blocks = (s->plane.positions + BLOCK - 1) / BLOCK;
	for (uint64_t i = 0; i < blocks; i++) {
		const uint64_t first = (i * 7 + 3) % blocks * BLOCK;
		const size_t count = block_count(s, first);
		size_t used;
		codec->begin(writer, first);
		assert_int_equal(codec->encode(writer, s->plane.symbols + first, count, bytes, room,
		                               &used, NULL),
		                 EL_OK);
		codec->begin(reader, first);
		assert_int_equal(codec->decode(reader, bytes, used, back, count, NULL), EL_OK);
		assert_memory_equal(back, s->plane.symbols + first, count * sizeof *back);
		const size_t front = first / BLOCK * 37 % count + 1;
		memset(back, 0xff, sizeof back);
		assert_int_equal(codec->decode(reader, bytes, used, back, front, NULL), EL_OK);
		assert_memory_equal(back, s->plane.symbols + first, front * sizeof *back);
		assert_true(front == BLOCK || back[front] == UINT16_MAX);
		all += used;
	}
	codec->close(writer);
	codec->close(reader);
	free(bytes);
	return all;
}

/* Plain, filled, and learned from: each step makes it smaller. Pairs of like pieces, fast and
   slow. */
static void test_round(void **state)
{
	codec = el_codec_find(*state);
	size_t all = 0, all_before = 0;
	static const char *const orders[][2] = {
		{"KRvK", "kKR"}, {"KRvK", "RkK"}, {"KPvK", "KkP"}, {"KQvK", "QKk"}};
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
		struct sight s = sight_of(orders[i][0], orders[i][1], 8);
		uint8_t *learned = NULL;
		size_t size = 0;
		const size_t plain = round_trip(&s, NULL, 0);
		assert_int_equal(codec->fill(&s.params, &s.plane, NULL, NULL), EL_OK);
		const size_t filled = round_trip(&s, NULL, 0);
		assert_int_equal(codec->prepare(&s.params, &s.plane, NULL, &learned, &size, NULL),
		                 EL_OK);
		const size_t taught = round_trip(&s, learned, size);
		assert_true(filled < plain);
		printf("note: %s, %s %s: %zu bytes, %zu filled, %zu taught\n", codec->name,
		       orders[i][0], orders[i][1], plain, filled, taught);
		assert_true(taught * 10 < filled * 9);
		free(learned);
		all += taught;
		if (codec->option_count > 2) {
			/* Files of 1.0.0 have zeros for further options: no bands, and weights that
			   stay. */
			for (unsigned o = 2; o < codec->option_count; o++)
				s.params.option[o] = 0;
			assert_int_equal(
				codec->prepare(&s.params, &s.plane, NULL, &learned, &size, NULL),
				EL_OK);
			all_before += round_trip(&s, learned, size);
			free(learned);
		}
		sight_free(&s);
	}
	if (all_before) {
		printf("note: %s: %zu bytes, as 1.0.0 wrote them %zu\n", codec->name, all,
		       all_before);
		assert_true(all < all_before);
	}
}

/* ---- the copies for older and newer processors ---- */

/* As the Makefile names them; null where there is only one copy. */
__attribute__((weak)) extern const struct el_codec el_codec_net_plain, el_codec_net_hot,
	el_codec_rans_plain, el_codec_rans_hot;

static uint64_t add_bytes(uint64_t sum, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		sum = (sum ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001B3);
	return sum;
}

/* A sum of all that a codec makes of a plane: symbols filled, what it learns, and blocks. */
static uint64_t sum_of(const struct el_codec *of, const char *name, const char *order)
{
	codec = of;
	struct sight s = sight_of(name, order, 32);
	const size_t room = codec->bound(&s.params, BLOCK);
	uint8_t *learned = NULL, *bytes = malloc(room);
	size_t size = 0, used;
	void *coder;
	assert_int_equal(codec->fill(&s.params, &s.plane, NULL, NULL), EL_OK);
	assert_int_equal(codec->prepare(&s.params, &s.plane, NULL, &learned, &size, NULL), EL_OK);
	assert_int_equal(codec->open(&s.params, learned, size, &coder, NULL), EL_OK);
	uint64_t sum = add_bytes(0, s.plane.symbols, s.plane.positions * sizeof(uint16_t));
	sum = add_bytes(sum, learned, size);
	for (uint64_t first = 0; first < s.plane.positions; first += BLOCK) {
		codec->begin(coder, first);
		assert_int_equal(codec->encode(coder, s.plane.symbols + first,
		                               block_count(&s, first), bytes, room, &used, NULL),
		                 EL_OK);
		sum = add_bytes(sum, bytes, used);
	}
	codec->close(coder);
	free(bytes);
	free(learned);
	sight_free(&s);
	return sum;
}

static bool has_two(const struct el_codec *hot)
{
#ifdef EL_HOT
	return hot && __builtin_cpu_supports("x86-64-v3");
#else
	return hot && false;
#endif
}

static void test_copies(void **state)
{
	const struct el_codec *const copies[][2] = {{&el_codec_net_plain, &el_codec_net_hot},
	                                            {&el_codec_rans_plain, &el_codec_rans_hot}};
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		if (!has_two(copies[i][1]))
			skip();
		assert_true(sum_of(copies[i][0], "KPvK", "KkP") ==
		            sum_of(copies[i][1], "KPvK", "KkP"));
		assert_true(sum_of(copies[i][0], "KRvK", "RkK") ==
		            sum_of(copies[i][1], "KRvK", "RkK"));
	}
}

/* ---- the explanation of a block ---- */

struct hearing {
	const uint16_t *symbols;
	size_t at, bit, silent;
	double cost;
};

/* Every answer is true of the symbol. */
static void check_answer(const struct el_codec_question *q, uint16_t symbol)
{
	if (q->ask == EL_ASK_NUMBER)
		return;
	assert_true(q->yes > 0 && q->yes < 1);
	assert_int_equal(q->answer,
	                 q->ask == EL_ASK_ABOVE ? symbol > q->about : symbol == q->about);
}

static void hear(void *context, const struct el_codec_token *token)
{
	struct hearing *h = context;
	assert_int_equal(token->first, h->at);
	assert_true(token->bit >= h->bit && token->count && token->predicts);
	assert_true(token->votes <= token->voters);
	for (unsigned i = 0; i < token->questions; i++) {
		const struct el_codec_question *q = &token->question[i];
		check_answer(q, h->symbols[h->at]);
		h->cost += el_codec_question_bits(q);
	}
	if (!token->questions)
		h->silent += token->count;
	else
		assert_int_equal(token->count, 1);
	if (token->questions && token->guess >= 0)
		assert_int_equal(token->question[0].about, token->guess);
	h->bit = token->bit + token->bits;
	h->at += token->count;
}

/* Explains all blocks; returns the bits that the questions cost, and those of the blocks. */
static double hear_all(const struct sight *s, const uint8_t *learned, size_t size, size_t *bits,
                       size_t *silent)
{
	const size_t room = codec->bound(&s->params, BLOCK);
	uint8_t *bytes = malloc(room);
	double cost = 0;
	void *coder;
	assert_int_equal(codec->open(&s->params, learned, size, &coder, NULL), EL_OK);
	*bits = *silent = 0;
	for (uint64_t first = 0; first < s->plane.positions; first += BLOCK) {
		const size_t count = block_count(s, first);
		struct hearing h = {.symbols = s->plane.symbols + first};
		size_t used;
		codec->begin(coder, first);
		assert_int_equal(codec->encode(coder, h.symbols, count, bytes, room, &used, NULL),
		                 EL_OK);
		assert_int_equal(codec->tokens(coder, bytes, used, count, hear, &h, NULL), EL_OK);
		assert_int_equal(h.at, count);
		assert_true(h.bit <= 8 * used);
		*bits += 8 * used;
		*silent += h.silent;
		cost += h.cost;
	}
	codec->close(coder);
	free(bytes);
	return cost;
}

/* In a filled plane, broken positions cost no question; with and without a board, the questions
   cost what the blocks take. */
static void test_tokens(void **state)
{
	codec = el_codec_find(*state);
	for (unsigned boards = 0; boards < 2; boards++) {
		struct sight s = sight_of("KRvK", "KkR", 8);
		uint8_t *learned = NULL;
		size_t size = 0, bits, silent, broken = 0;
		s.params.board = boards ? s.params.board : NULL;
		assert_int_equal(codec->fill(&s.params, &s.plane, NULL, NULL), EL_OK);
		assert_int_equal(codec->prepare(&s.params, &s.plane, NULL, &learned, &size, NULL),
		                 EL_OK);
		const double cost = hear_all(&s, learned, size, &bits, &silent);
		printf("note: %.0f bits asked for, %zu written, %zu of %zu positions silent\n",
		       cost, bits, silent, (size_t)s.plane.positions);
		/* The state of rans takes two bytes of each block, and half a byte is lost. */
		const double lost = strcmp(codec->name, "rans")
		                            ? 0
		                            : 20.0 * (double)(s.plane.positions / BLOCK + 1);
		assert_true(cost < (double)bits && cost > 0.99 * (double)bits - lost);
		for (uint64_t i = 0; i < s.plane.positions; i++)
			broken += s.care[i] == EL_CARE_NOT;
		assert_true(boards ? silent > broken / 2 && silent <= broken : !silent);
		free(learned);
		sight_free(&s);
	}
}

/* ---- damage ---- */

static void check_damage(const struct sight *s, const uint8_t *learned, size_t size, uint64_t *seed)
{
	uint8_t bytes[512];
	uint16_t back[BLOCK];
	void *coder;
	if (codec->open(&s->params, learned, size, &coder, NULL))
		return;
	for (unsigned i = 0; i < 20; i++) {
		const uint64_t first = random_next(seed) % (s->plane.positions / BLOCK) * BLOCK;
		const size_t used = random_next(seed) % sizeof bytes;
		for (size_t b = 0; b < used; b++)
			bytes[b] = (uint8_t)random_next(seed);
		codec->begin(coder, first);
		if (codec->decode(coder, bytes, used, back, BLOCK, NULL))
			continue;
		for (size_t b = 0; b < BLOCK; b++)
			assert_true(back[b] < s->params.value_count);
	}
	codec->close(coder);
}

/* Arbitrary bytes, as blocks and as learned data: at most an error. */
static void test_damage(void **state)
{
	codec = el_codec_find(*state);
	struct sight s = sight_of("KRvK", "kKR", 16);
	uint64_t seed = 17;
	uint8_t *learned = NULL;
	size_t size = 0;
	assert_int_equal(codec->prepare(&s.params, &s.plane, NULL, &learned, &size, NULL), EL_OK);
	assert_true(size > 100);
	check_damage(&s, learned, size, &seed);
	for (unsigned i = 0; i < 100; i++) {
		uint8_t *bad = malloc(size);
		memcpy(bad, learned, size);
		for (unsigned k = 0; k < 1 + i / 10; k++)
			bad[random_next(&seed) % size] = (uint8_t)random_next(&seed);
		check_damage(&s, bad, i % 3 ? size : random_next(&seed) % size, &seed);
		free(bad);
	}
	free(learned);
	sight_free(&s);
}

int main(void)
{
	if (!small_test_tables())
		return 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_boards),
		cmocka_unit_test_prestate(test_round, "net"),
		cmocka_unit_test_prestate(test_tokens, "net"),
		cmocka_unit_test_prestate(test_damage, "net"),
		cmocka_unit_test_prestate(test_round, "rans"),
		cmocka_unit_test_prestate(test_tokens, "rans"),
		cmocka_unit_test_prestate(test_damage, "rans"),
		cmocka_unit_test(test_copies),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
