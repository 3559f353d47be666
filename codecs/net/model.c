/* SPDX-License-Identifier: MIT */
/*
 * The learned numbers as bytes: `hidden`; with bands, the commonest symbol in two bytes, the low one
 * first; then a range-coded stream of
 *
 *     the code of each flat, the biases, the weights of each decision, the rows
 *
 * Their bits are coded under adaptive probabilities, because many are 0 or small. Rows that few
 * positions have are rounded more coarsely.
 */
#include "model.h"
#include "codecs/range.h"

#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

struct net_layout net_layout(const struct el_codec_board *board, uint32_t value_count)
{
	unsigned pieces = 0;
	for (unsigned a = 0; a < board->axes; a++)
		pieces += board->axis[a].pieces;
	struct net_layout l = {.pieces = pieces, .value_count = value_count};
	l.values = value_count < NET_VALUES_MAX ? value_count : NET_VALUES_MAX;
	l.bend = pieces * BOARD_STEPS * BOARD_CLASSES;
	l.value = l.bend + (pieces - 1) * BOARD_BENDS * BOARD_CLASSES;
	l.square = l.value + l.values;
	l.distance = l.square + pieces * 64;
	l.mark = l.distance + pieces * (pieces - 1) / 2 * 64;
	l.rows = l.mark + board->marks;
	return l;
}

unsigned net_seen(const struct net_layout *l, const struct board_over *o, unsigned j,
                  uint16_t guess, uint32_t rows[NET_SEEN_MAX])
{
	const struct board_walk *w = &o->walk;
	const struct board_stretch *s = &o->stretch;
	uint8_t square[EL_BOARD_PIECES];
	unsigned n = 0;
	memcpy(square, w->square, sizeof square);
	square[w->moving] = s->square[j * s->pieces];
	for (; n < l->pieces * BOARD_STEPS; n++) {
		const int32_t near = n >= s->stays
		                             ? board_moving_near(s, s->pieces, j, n - s->stays)
		                     : s->from[n] ? s->from[n][j]
		                                  : -1;
		rows[n] = n * BOARD_CLASSES + board_class(near, guess);
	}
	for (unsigned i = 0; i < s->stays; i++)
		for (unsigned m = 0; m < BOARD_VOTING && i % BOARD_STEPS < BOARD_VOTING; m++) {
			const unsigned still = i / BOARD_STEPS * BOARD_VOTING + i % BOARD_STEPS;
			rows[n++] = l->bend + (still * BOARD_VOTING + m) * BOARD_CLASSES +
			            board_class(board_bend(s, s->pieces, j, i, m), guess);
		}
	rows[n++] = net_value_row(l, guess);
	for (unsigned p = 0; p < l->pieces; p++) {
		rows[n++] = net_square_row(l, p, square[p]);
		for (unsigned q = 0; q < p; q++)
			rows[n++] = net_distance_rows(l, p, q) + net_apart(square[p], square[q]);
	}
	for (unsigned m = 0; m < w->view->board->marks; m++)
		if (w->word[1 + m] >> square[w->moving] & 1)
			rows[n++] = l->mark + m;
	return n;
}

/* ---- numbers ---- */

enum el_status net_model_make(struct net_model *m, const struct net_layout *layout, unsigned hidden,
                              bool bands, struct el_error *error)
{
	*m = (struct net_model){
		.layout = *layout,
		.hidden = hidden,
		.bands = bands,
		.flat = calloc(layout->value_count, 1),
		.row = calloc((size_t)layout->rows * hidden + 1, sizeof *m->row),
		.out = calloc(NET_DECISIONS * hidden + 1, sizeof *m->out),
	};
	return m->flat && m->row && m->out ? EL_OK
	                                   : el_fail(error, EL_MEMORY, "net: out of memory");
}

void net_model_free(struct net_model *m)
{
	free(m->flat);
	free(m->row);
	free(m->out);
	*m = (struct net_model){0};
}

/* ---- numbers as bits ---- */

enum { NUMBER_BITS = 24 };

/* Adaptive probabilities for one kind of numbers: zero or not, the sign, how many bits, the
   bits. */
struct habit {
	uint16_t zero, sign, more[NUMBER_BITS], bit[NUMBER_BITS][4];
};

static void habit_begin(struct habit *h)
{
	uint16_t *p = (uint16_t *)h;
	for (size_t i = 0; i < sizeof *h / sizeof *p; i++)
		p[i] = RANGE_ONE / 2;
}

static int32_t code_number(struct range_stream *s, struct habit *h, int32_t number, int32_t most)
{
	if (!range_code(s, &h->zero, number != 0))
		return 0;
	const bool negative = range_code(s, &h->sign, number < 0);
	const uint32_t plain = (uint32_t)(number < 0 ? -number : number);
	/* A number of 1 to NUMBER_BITS bits. The context of a bit is how many bits there are, and
	   the previous bit. */
	unsigned bits = 0; /* after the highest */
	while (range_code(s, &h->more[bits], plain >> (bits + 1) != 0) && bits + 1 < NUMBER_BITS)
		bits++;
	uint32_t size = 1;
	for (unsigned i = bits; i-- > 0;)
		size = size << 1 |
		       range_code(s, &h->bit[bits][i + 1 == bits ? size & 1 : 2 + (size & 1)],
		                  plain >> i & 1);
	const int32_t value = size > (uint32_t)most ? most : (int32_t)size;
	return negative ? -value : value;
}

/* ---- all of it ---- */

/* Adaptive probabilities for rows; coarser rows have their own. */
struct row_habit {
	uint16_t empty, coarser[NET_SHIFT_MOST];
	struct habit number[NET_SHIFT_MOST + 1];
};

/* Codes a row; one bit tells whether it is all zeros. */
static void code_row(struct range_stream *s, struct row_habit *h, int16_t *row, unsigned hidden,
                     int32_t most)
{
	unsigned all = 0;
	for (unsigned i = 0; i < hidden; i++)
		all |= (unsigned)row[i];
	if (!range_code(s, &h->empty, all))
		return;
	/* All numbers of a row are multiples of 1 << shift. */
	unsigned shift = 0;
	while (shift < NET_SHIFT_MOST && range_code(s, &h->coarser[shift], !(all & 1u << shift)))
		shift++;
	for (unsigned i = 0; i < hidden; i++) {
		const int32_t number = row[i] / (1 << shift);
		row[i] = (int16_t)(code_number(s, &h->number[shift], number, most >> shift) *
		                   (1 << shift));
	}
}

static void code_rows(struct range_stream *s, int16_t *rows, size_t count, unsigned hidden,
                      int32_t most)
{
	struct row_habit habit = {.empty = RANGE_ONE / 2};
	for (unsigned i = 0; i < NET_SHIFT_MOST; i++)
		habit.coarser[i] = RANGE_ONE / 2;
	for (unsigned i = 0; i <= NET_SHIFT_MOST; i++)
		habit_begin(&habit.number[i]);
	for (size_t r = 0; r < count; r++)
		code_row(s, &habit, rows + r * hidden, hidden, most);
}

static void code_model(struct range_stream *s, struct net_model *m)
{
	struct habit flat, bias;
	habit_begin(&flat);
	habit_begin(&bias);
	for (uint32_t v = 0; v < m->layout.value_count; v++)
		m->flat[v] = (uint8_t)abs(code_number(s, &flat, m->flat[v], NET_FLATS - 1));
	for (unsigned d = 0; d < NET_DECISIONS; d++)
		m->bias[d] = code_number(s, &bias, m->bias[d], NET_BIAS_MOST);
	if (!m->hidden)
		return;
	code_rows(s, m->out, NET_DECISIONS, m->hidden, NET_OUT_MOST);
	code_rows(s, m->row, m->layout.rows, m->hidden, NET_ROW_MOST);
}

/* Bytes before the stream. */
static size_t head(bool bands)
{
	return bands ? 3 : 1;
}

enum el_status net_model_write(const struct net_model *m, uint8_t **bytes, size_t *size,
                               struct el_error *error)
{
	const size_t numbers = m->layout.value_count + NET_DECISIONS * (1 + (size_t)m->hidden) +
	                       (size_t)m->layout.rows * m->hidden;
	const size_t before = head(m->bands), room = before + 16 + numbers * 8;
	struct net_model copy = *m; /* coding stores each number back, unchanged */
	*bytes = malloc(room);
	if (!*bytes)
		return el_fail(error, EL_MEMORY, "net: out of memory");
	(*bytes)[0] = (uint8_t)m->hidden;
	for (unsigned i = 1; i < before; i++)
		(*bytes)[i] = (uint8_t)(m->common >> 8 * (i - 1));
	struct range_writer writer = range_write(*bytes + before, room - before);
	code_model(&(struct range_stream){.writer = &writer}, &copy);
	range_end(&writer);
	*size = before + writer.size;
	return EL_OK;
}

enum el_status net_model_read(struct net_model *m, const struct net_layout *layout, bool bands,
                              const uint8_t *bytes, size_t size, struct el_error *error)
{
	const size_t before = head(bands);
	const unsigned hidden = size ? bytes[0] : 0;
	if (hidden > NET_HIDDEN_MAX || (size && size < before))
		return el_fail(error, EL_DAMAGED, "net: what was learned makes no sense");
	enum el_status status = net_model_make(m, layout, hidden, bands, error);
	m->common = bands && size ? (uint16_t)(bytes[1] | (unsigned)bytes[2] << 8) : NET_NONE;
	if (status || !size)
		return status;
	struct range_reader reader = range_read(bytes + before, size - before);
	code_model(&(struct range_stream){.reader = &reader}, m);
	return EL_OK;
}

uint32_t net_flat_probability(uint8_t code)
{
	/* A code means: wrong once in 2^(code / 4). */
	static const uint32_t quarter[4] = {65536, 55109, 46341, 38968};
	const uint32_t wrong = quarter[code & 3] >> (code >> 2);
	return RANGE_ONE - (wrong > 2 ? wrong : 2);
}
