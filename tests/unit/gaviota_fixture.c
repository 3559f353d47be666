/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gaviota_fixture.h"
#include "store_fixture.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- lists of squares, in the order that they are counted in ---- */

enum { A2 = 8, H7 = 55, WIDTH_MAX = 3, LIST_MAX = 64 * 63 * 62 / 6, TOKENS_MAX = 6 };

/* What a token of a kind's digits stands for: all places of its pieces. */
struct list {
	const char *token;
	uint32_t count;
	uint8_t (*squares)[WIDTH_MAX];
};

static unsigned file_of(unsigned square)
{
	return square % 8;
}

static unsigned rank_of(unsigned square)
{
	return square / 8;
}

/* One of the board's eight symmetries. */
static unsigned reflect(unsigned symmetry, unsigned square)
{
	unsigned file = file_of(square), rank = rank_of(square);
	if (symmetry & 1)
		file = 7 - file;
	if (symmetry & 2)
		rank = 7 - rank;
	return symmetry & 4 ? file * 8 + rank : rank * 8 + file;
}

static void add(struct list *list, unsigned a, unsigned b, unsigned c)
{
	uint8_t *at = list->squares[list->count++];
	assert_true(list->count <= LIST_MAX);
	at[0] = (uint8_t)a;
	at[1] = (uint8_t)b;
	at[2] = (uint8_t)c;
}

static bool near(unsigned a, unsigned b)
{
	return abs((int)file_of(a) - (int)file_of(b)) < 2 &&
	       abs((int)rank_of(a) - (int)rank_of(b)) < 2;
}

/* Black's king, then White's: of each class the pair that comes first. */
static void list_kings(struct list *list)
{
	static bool seen[64][64];
	memset(seen, 0, sizeof seen);
	for (unsigned black = 0; black < 64; black++)
		for (unsigned white = 0; white < 64; white++) {
			if (near(black, white) || seen[black][white])
				continue;
			for (unsigned s = 0; s < 8; s++)
				seen[reflect(s, black)][reflect(s, white)] = true;
			add(list, white, black, 0);
		}
}

static void list_alike(struct list *list, unsigned count)
{
	for (unsigned a = 0; a < 64; a++)
		for (unsigned b = a + 1; b < 64 && count == 2; b++)
			add(list, a, b, 0);
	for (unsigned c = 0; c < 64; c++)
		for (unsigned b = 0; b < c; b++)
			for (unsigned a = 0; a < b && count == 3; a++)
				add(list, a, b, c);
	for (unsigned a = 0; a < 64 && count == 1; a++)
		add(list, a, 0, 0);
}

/* One pawn of files a-d, on its way back from where it would promote. */
static unsigned half_pawn(unsigned number, bool white)
{
	const unsigned rank = white ? 6 - number / 4 : 1 + number / 4;
	return rank * 8 + number % 4;
}

static void list_pawn(struct list *list, bool white)
{
	for (unsigned n = 0; n < 24; n++)
		add(list, half_pawn(n, white), 0, 0);
}

static void list_pawn_each(struct list *list)
{
	for (unsigned n = 0; n < 24; n++)
		for (unsigned black = A2; black <= H7; black++)
			add(list, half_pawn(n, true), black, 0);
}

static unsigned to_edge(unsigned square)
{
	return file_of(square) < 4 ? file_of(square) : 7 - file_of(square);
}

/* The first pawn is that of the higher rank, or nearer to an edge, or else lower; it is shown on
   files a-d. A pair is counted when it is first met, or its reflection is. */
static void list_white_pawns(struct list *list)
{
	static bool seen[64][64];
	memset(seen, 0, sizeof seen);
	for (unsigned a = H7; a >= A2; a--)
		for (unsigned b = a - 1; b >= A2 && file_of(a) > 3; b--) {
			unsigned first = a, other = b;
			if (rank_of(a) == rank_of(b) && to_edge(b) <= to_edge(a)) {
				first = b; /* of b < a */
				other = a;
			}
			const unsigned mirror = file_of(first) > 3;
			first = reflect(mirror, first);
			other = reflect(mirror, other);
			if (!seen[first][other])
				add(list, first, other, 0);
			seen[first][other] = true;
		}
}

static void list_two_and_one(struct list *list)
{
	for (unsigned n = 0; n < 24; n++)
		for (unsigned a = H7; a >= A2; a--)
			for (unsigned b = a - 1; b >= A2; b--)
				add(list, half_pawn(n, false), a, b);
}

/* From h7 to e7, h6 to e6 ... e2, then d7 to a7 ... a2; two of the three are on files a-d. */
static void list_three(struct list *list)
{
	unsigned square[48];
	for (unsigned i = 0; i < 48; i++)
		square[i] = (6 - i % 24 / 4) * 8 + (i < 24 ? 7 : 3) - i % 4;
	for (unsigned a = 0; a < 48; a++)
		for (unsigned b = a + 1; b < 48; b++)
			for (unsigned c = b + 1; c < 48; c++)
				if (b >= 24 && c >= 24)
					add(list, square[a], square[b], square[c]);
}

static void fill(struct list *list)
{
	const char *token = list->token;
	if (!strcmp(token, "Kk"))
		list_kings(list);
	else if (!strcmp(token, "P") || !strcmp(token, "p"))
		list_pawn(list, *token == 'P');
	else if (!strcmp(token, "Pp"))
		list_pawn_each(list);
	else if (!strcmp(token, "PP"))
		list_white_pawns(list);
	else if (!strcmp(token, "pPP"))
		list_two_and_one(list);
	else if (!strcmp(token, "PPP"))
		list_three(list);
	else
		list_alike(list, (unsigned)strlen(token));
}

/* The list of a token; of pieces other than kings and pawns by their number alone. */
static const struct list *list_of(const char *token)
{
	static struct list lists[16];
	if (!strpbrk(token, "Pp") && strcmp(token, "Kk"))
		token = strlen(token) == 1 ? "A" : strlen(token) == 2 ? "AA" : "AAA";
	for (struct list *list = lists;; list++) {
		assert_true(list < lists + 16);
		if (list->token && strcmp(list->token, token))
			continue;
		if (!list->token) {
			*list = (struct list){.token = strdup(token)};
			list->squares = malloc(LIST_MAX * sizeof *list->squares);
			assert_non_null(list->squares);
			fill(list);
		}
		return list;
	}
}

/* ---- the kinds of table ---- */

/* A, B and C are pieces by their order in the name, each side's own; the digits are capitals where
   they are White's. */
static const char *const kinds[][2] = {
	{"KAvK", "Kk A"},          {"KABvK", "Kk A B"},      {"KAvKB", "Kk A b"},
	{"KAAvK", "Kk AA"},        {"KABvKC", "Kk A B c"},   {"KABCvK", "Kk A B C"},
	{"KAAvKB", "Kk AA b"},     {"KAABvK", "Kk AA B"},    {"KABBvK", "Kk BB A"},
	{"KAAAvK", "Kk AAA"},      {"KPvK", "P K k"},        {"KAvKP", "p K k A"},
	{"KAPvK", "P K k A"},      {"KPPvK", "PP K k"},      {"KPvKP", "Pp K k"},
	{"KAPvKB", "P K k A b"},   {"KABvKP", "p K k A B"},  {"KABPvK", "P K k A B"},
	{"KPPvKA", "PP K k a"},    {"KAPPvK", "PP K k A"},   {"KAPvKP", "Pp K k A"},
	{"KAAPvK", "P K k AA"},    {"KAAvKP", "p K k AA"},   {"KPPvKP", "pPP K k"},
	{"KPPPvK", "PPP K k"},
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

struct gaviota_order {
	char name[EL_SLICE_MAX];
	uint32_t count;
	unsigned tokens;
	char token[TOKENS_MAX][WIDTH_MAX + 1]; /* in letters of the game, lower case for Black */
	const struct list *list[TOKENS_MAX];
};

/* "KQRRvK" becomes "KABBvK"; meaning['A'] is 'Q'. */
static void shape_of(const char *name, char shape[EL_SLICE_MAX], char meaning[128])
{
	char next = 'A' - 1;
	meaning['K'] = 'K';
	meaning['P'] = 'P';
	for (size_t i = 0; i <= strlen(name); i++) {
		const char c = name[i];
		shape[i] = c;
		if (!c || strchr("KPv", c))
			continue;
		if (c != name[i - 1])
			next++;
		shape[i] = next;
		meaning[(unsigned char)next] = c;
	}
}

static void make_order(const struct el_slice *slice, struct gaviota_order *order)
{
	char shape[EL_SLICE_MAX], meaning[128] = {0};
	unsigned kind = 0;
	snprintf(order->name, sizeof order->name, "%s", slice->name);
	shape_of(slice->name, shape, meaning);
	while (kind < KIND_COUNT && strcmp(kinds[kind][0], shape))
		kind++;
	if (kind == KIND_COUNT)
		fail_msg("%s: no such table", slice->name);
	order->count = 1;
	for (const char *at = kinds[kind][1]; *at;) {
		char *token = order->token[order->tokens];
		unsigned width = 0;
		for (; *at && *at != ' '; at++) {
			const char letter = meaning[toupper((unsigned char)*at)];
			token[width++] = isupper((unsigned char)*at)
						 ? letter
						 : (char)tolower((unsigned char)letter);
		}
		order->list[order->tokens] = list_of(token);
		order->count *= order->list[order->tokens++]->count;
		at += *at == ' ';
	}
}

const struct gaviota_order *gaviota_order(const struct el_slice *slice)
{
	static struct gaviota_order orders[160];
	struct gaviota_order *order = orders;
	for (; *order->name; order++)
		if (!strcmp(order->name, slice->name))
			return order;
	assert_true(order < orders + 159);
	make_order(slice, order);
	return order;
}

uint32_t gaviota_count(const struct gaviota_order *order)
{
	return order->count;
}

bool gaviota_position(const struct gaviota_order *order, uint32_t index, struct el_position *out)
{
	uint64_t occupied = 0;
	bool apart = true;
	*out = (struct el_position){.en_passant = EL_NO_SQUARE, .fullmove = 1};
	for (unsigned t = order->tokens; t-- > 0;) {
		const struct list *list = order->list[t];
		const uint8_t *square = list->squares[index % list->count];
		index /= list->count;
		for (unsigned i = 0; order->token[t][i]; i++) {
			const int letter = order->token[t][i];
			const unsigned side = islower(letter) ? EL_BLACK : EL_WHITE;
			const char *kind = strchr(el_chess.kinds, toupper(letter));
			const uint64_t bit = UINT64_C(1) << square[i];
			apart &= !(occupied & bit);
			occupied |= bit;
			out->set[side][kind - el_chess.kinds] |= bit;
		}
	}
	return apart;
}

uint64_t gaviota_signature(const struct el_position *p)
{
	const size_t pawn = (size_t)(strchr(el_chess.kinds, 'P') - el_chess.kinds);
	const unsigned symmetries = p->set[0][pawn] | p->set[1][pawn] ? 2 : 8;
	uint64_t sum = p->side;
	for (unsigned s = 0; s < symmetries; s++) {
		uint64_t product = 1;
		for (unsigned k = 0; k < 2 * EL_KINDS; k++)
			for (uint64_t set = p->set[k / EL_KINDS][k % EL_KINDS]; set; set &= set - 1) {
				uint64_t piece =
					64 * k + reflect(s, (unsigned)__builtin_ctzll(set));
				product *= fixture_random(&piece) | 1;
			}
		sum += fixture_random(&product);
	}
	return fixture_random(&sum);
}

/* ---- files ---- */

uint8_t gaviota_byte(struct el_value value, unsigned side)
{
	enum { DRAW, WHITE_MATES, BLACK_MATES, ILLEGAL, MOST = 63 };
	const bool white_mates = (value.outcome == EL_WIN) == (side == EL_WHITE);
	if (value.outcome == EL_BROKEN)
		return ILLEGAL;
	if (value.outcome == EL_DRAW)
		return DRAW;
	unsigned moves = value.plies / 2, result = white_mates ? WHITE_MATES : BLACK_MATES;
	assert_true(value.plies % 2 == (value.outcome == EL_WIN));
	if (value.outcome == EL_LOSS && side == EL_BLACK && moves == 2 * MOST + 1)
		return MOST << 2 | DRAW;
	if (moves > MOST) {
		moves -= MOST;
		result = value.outcome == EL_WIN ? DRAW : ILLEGAL;
	}
	assert_true(moves <= MOST);
	return (uint8_t)(moves << 2 | result);
}

struct el_value gaviota_value_in(const void *context, const struct el_position *position)
{
	const struct el_planes *planes = context;
	struct el_place place;
	if (!el_chess.place(position, &place) || !el_chess.legal(position, &place))
		return (struct el_value){.outcome = EL_BROKEN};
	return el_plane_value(&planes->plane[place.plane], place.index);
}

enum { BLOCK = 16384, WORD = 4, WORDS = 10 };

static void put_word(FILE *file, uint32_t word)
{
	for (unsigned i = 0; i < WORD; i++)
		fputc((int)(word >> 8 * i & 0xff), file);
}

/* The packed bytes of a block, with the mark that comes first; the lists behind the file's words are
   of `blocks` a side. */
static uint8_t *make_block(const struct gaviota_file *f, unsigned side, uint32_t first, size_t *size)
{
	const uint32_t rest = f->order->count - first, count = rest < BLOCK ? rest : BLOCK;
	uint8_t *bytes = malloc(count);
	assert_non_null(bytes);
#pragma omp parallel for
	for (uint32_t i = 0; i < count; i++) {
		struct el_position position;
		struct el_value value = {.outcome = EL_BROKEN};
		const bool apart = gaviota_position(f->order, first + i, &position);
		position.side = (uint8_t)side;
		if (apart)
			value = f->value(f->context, &position);
		bytes[i] = gaviota_byte(value, side);
	}
	uint8_t *packed = gaviota_pack(f->scheme, bytes, count, size);
	memmove(packed + 1, packed, *size);
	packed[0] = (uint8_t)(count < BLOCK ? side + 1 : 0);
	++*size;
	free(bytes);
	return packed;
}

static const char *path_of(const char *directory, const struct el_slice *slice, unsigned scheme)
{
	char name[EL_SLICE_MAX + 16];
	size_t length = 0;
	for (const char *at = slice->name; *at; at++)
		if (*at != 'v')
			name[length++] = (char)tolower((unsigned char)*at);
	snprintf(name + length, 16, ".gtb.cp%u", scheme);
	return fixture_path(directory, name);
}

const char *gaviota_write(const char *directory, const struct el_slice *slice,
			  const struct gaviota_file *f)
{
	const char *path = path_of(directory, slice, f->scheme);
	const uint32_t blocks = (f->order->count + BLOCK - 1) / BLOCK, tail = f->order->count % BLOCK;
	const uint32_t list_end = WORD * (WORDS + 2 * blocks + 1);
	const uint32_t words[WORDS] = {0, 0, BLOCK, 0, tail, 0, tail, 0, list_end, 1};
	uint32_t *begin = calloc(2 * (size_t)blocks + 1, sizeof *begin), at = list_end;
	FILE *file = fopen(path, "wb");
	assert_true(file && begin);
	assert_int_equal(fseek(file, list_end, SEEK_SET), 0);
	for (uint32_t block = 0; block < 2 * blocks; block++) {
		size_t size;
		begin[block] = at;
		if (f->every && block % f->every)
			continue;
		uint8_t *packed = make_block(f, block / blocks, block % blocks * BLOCK, &size);
		assert_int_equal(fwrite(packed, 1, size, file), size);
		at += (uint32_t)size;
		free(packed);
	}
	begin[2 * (size_t)blocks] = at;
	rewind(file);
	for (unsigned i = 0; i < WORDS; i++)
		put_word(file, words[i]);
	for (uint32_t i = 0; i <= 2 * blocks; i++)
		put_word(file, begin[i]);
	assert_int_equal(fclose(file), 0);
	free(begin);
	return path;
}
