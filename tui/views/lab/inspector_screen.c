/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a block: its values before and after filling, its bytes, and why they are so few. */
#include "inspector.h"

#include "tui/screen/roles.h"
#include "tui/text/text.h"

#include <stdio.h>

enum { LABEL_COLS = 11, FIXED_ROWS = 8, SENTENCE_ROWS = 3 };

int inspector_row_cells(int cols)
{
	int cells = (cols - LABEL_COLS - 1) / 16 * 16;
	return cells > 16 ? cells : 16;
}

/* ---- values as cells ---- */

/* Letters repeat every 23 depths; x to z stay free for other marks. */
char inspector_letter(const struct el_metric *metric, struct el_value value)
{
	enum { LETTERS = 'w' - 'a' + 1 };
	char first = value.outcome >= EL_CURSED_WIN ? 'A' : 'a';
	if (!value_is_deep(metric, value))
		return outcome_mark((enum el_outcome)value.outcome);
	return (char)(first +
	              (kind_words(metric)->has_moves ? value.plies / 2 : value.plies) % LETTERS);
}

/* Whole bits; a dot for less than half a bit, nothing if no question was asked. */
static void draw_cost(const struct el_lab_block *b, struct pane p, int x, size_t at)
{
	const struct el_codec_token *t = &b->tokens[inspector_token(b, at)];
	const double bits = el_lab_token_bits(t) + 0.5;
	if (t->questions)
		pane_put(p, 0, x, bits < 1 ? ROLE_DIM : ROLE_STRONG,
		         (uint32_t)(bits < 1    ? '.'
		                    : bits < 10 ? '0' + (int)bits
		                                : '+'));
}

enum layer { LAYER_BEFORE, LAYER_AFTER, LAYER_COST };

/* Values as cells, one character each, in rows, from symbol `first` on. */
static void draw_cells(const struct inspector *in, struct pane p, size_t first, enum layer layer)
{
	const struct el_lab_block *b = &in->shown;
	const bool predicts = inspector_predicts(in);
	const struct el_codec_token *told = predicts ? &b->tokens[in->rows.at] : NULL;
	size_t cells = (size_t)inspector_row_cells(p.cols);
	char text[GROUPED_MAX];
	for (int y = 0; y < p.rows; y++, first += cells) {
		struct pane row = pane_row(p, y);
		if (first >= b->count)
			return;
		pane_right(row, 0, LABEL_COLS - 1, ROLE_DIM, grouped(b->first + first, text));
		for (size_t i = 0; i < cells && first + i < b->count; i++) {
			const int x = LABEL_COLS + (int)i;
			if (told && first + i - told->first < told->count)
				pane_fill(pane_sub(row, 0, x, 1, 1), ROLE_SELECTED);
			if (layer == LAYER_COST)
				draw_cost(b, row, x, first + i);
			else {
				const size_t at = first + i;
				const bool after = layer == LAYER_AFTER;
				struct el_value value = after ? b->after[at] : b->before[at];
				bool derivable = !after && b->care[at] == EL_CARE_AT_MOST;
				enum role role = outcome_role((enum el_outcome)value.outcome);
				pane_put(row, 0, x, derivable ? ROLE_BROKEN : role,
				         derivable ? '.'
				                   : (unsigned char)inspector_letter(b->metric,
				                                                     value));
			}
		}
	}
}

static double share(const struct el_lab_block *b, enum el_care care)
{
	size_t count = 0;
	for (size_t i = 0; i < b->count; i++)
		count += b->care[i] == care;
	return 100 * (double)count / (double)b->count;
}

/* If there is room right of column `left`. */
static void draw_runs(struct pane p, int left, uint64_t runs, size_t count)
{
	char number[GROUPED_MAX], text[GROUPED_MAX + 32];
	snprintf(text, sizeof text, "%s %s, mean %.1f", grouped(runs, number),
	         runs == 1 ? "run" : "runs", (double)count / (double)runs);
	if (left + 2 + utf8_length(text) < p.cols)
		pane_right(p, 0, p.cols - 1, ROLE_STRONG, text);
}

/* ---- bytes beside their tokens ---- */

const char *inspector_value(const struct el_metric *metric, struct el_value value, char out[16])
{
	snprintf(out, 16, "%c", outcome_mark((enum el_outcome)value.outcome));
	if (value_is_deep(metric, value))
		el_text_add(out, 16, "%u", value.plies);
	return out;
}

static bool is_run(const struct el_lab_block *b, const struct el_codec_token *t)
{
	for (size_t i = 1; i < t->count; i++)
		if (!el_value_equal(b->after[t->first], b->after[t->first + i]))
			return false;
	return true;
}

/* "(W33,20)": a run; "(WLW,3)": mixed values, a letter each; "W33": one; "[12 bits]": none. */
static void token_text(const struct el_lab_block *b, const struct el_codec_token *t, char out[48])
{
	enum { SHOWN = 6 };
	char value[16], letters[SHOWN + 1] = "";
	if (!t->count) {
		size_t bytes = t->bits % 8 ? 0 : t->bits / 8, number = bytes ? bytes : t->bits;
		snprintf(out, 48, "[%zu %s%s without values]", number, bytes ? "byte" : "bit",
		         number == 1 ? "" : "s");
		return;
	}
	inspector_value(b->metric, b->after[t->first], value);
	for (size_t i = 0; i < SHOWN && i < t->count; i++)
		letters[i] = inspector_letter(b->metric, b->after[t->first + i]);
	if (t->count == 1)
		snprintf(out, 48, "%s", value);
	else if (is_run(b, t))
		snprintf(out, 48, "(%s,%zu)", value, t->count);
	else
		snprintf(out, 48, "(%s%s,%zu)", letters, t->count > SHOWN ? ".." : "", t->count);
}

/* The tokens that begin in a row's bytes, from *next on; no space between single letters. */
static void draw_tokens(const struct el_lab_block *b, struct pane p, size_t end, size_t *next)
{
	int x = 0;
	bool was_letter = false;
	for (; *next < b->token_count && b->tokens[*next].bit < 8 * end; ++*next) {
		char text[48];
		if (x < 0)
			continue;
		token_text(b, &b->tokens[*next], text);
		bool is_letter = !text[1];
		x += was_letter && !is_letter;
		if (x + utf8_length(text) > p.cols - 3) {
			pane_text(p, 0, x < p.cols - 3 ? x : p.cols - 3, ROLE_DIM, "...");
			x = -1;
			continue;
		}
		x = pane_text(p, 0, x, b->tokens[*next].count ? ROLE_TEXT : ROLE_DIM, text);
		x += !is_letter;
		was_letter = is_letter;
	}
}

static void draw_bytes(const struct el_lab_block *b, struct pane p, size_t at)
{
	bool told = b->tokens && b->token_count;
	bool few = b->size <= 4 * (size_t)(p.rows > 0 ? p.rows : 0);
	size_t width = !told           ? (p.cols >= 80 ? 24 : 16)
	               : few           ? 4
	               : p.cols >= 120 ? 16
	                               : 8,
	       next = 0;
	/* the first token for position `at` or a later one */
	while (told && at && next < b->token_count &&
	       b->tokens[next].first + b->tokens[next].count <= at)
		next++;
	size_t byte = next < b->token_count
	                      ? b->tokens[next].bit / 8
	                      : (size_t)((double)b->size * (double)at / (double)b->count);
	byte -= byte % width;
	while (told && next > 0 && b->tokens[next - 1].bit >= 8 * byte)
		next--;
	for (int y = 0; y < p.rows && byte < b->size; y++) {
		struct pane row = pane_row(p, y);
		int x = 9 + 3 * (int)width;
		pane_print(row, 0, 1, ROLE_DIM, "%05zx", byte);
		for (size_t i = 0; i < width && byte + i < b->size; i++)
			pane_print(row, 0, 8 + 3 * (int)i, ROLE_TEXT, "%02x", b->bytes[byte + i]);
		if (told)
			draw_tokens(b, pane_sub(row, 0, x, 1, p.cols - x - 1), byte + width, &next);
		byte += width;
		/* Skips rows in which no token begins: a directory has many. */
		const size_t begin = next < b->token_count ? b->tokens[next].bit / 8 : byte;
		byte = begin > byte ? begin - begin % width : byte;
	}
}

static void draw_bytes_title(const struct el_lab_block *b, struct pane p)
{
	char codec[EL_CODEC_TEXT], size[GROUPED_MAX], count[GROUPED_MAX], learned[GROUPED_MAX + 16];
	el_codec_format(&b->options.codec, codec);
	int x = pane_print(p, 0, 1, ROLE_STRONG, "%s", codec);
	x = pane_print(p, 0, x + 2, ROLE_TEXT, "%s bytes for %s positions = %.3f bits/position",
	               grouped(b->size, size), grouped(b->count, count),
	               8 * (double)b->size / (double)b->count);
	snprintf(learned, sizeof learned, ", learned %s", grouped(b->learned, size));
	if (b->learned && x + utf8_length(learned) < p.cols)
		x = pane_text(p, 0, x, ROLE_TEXT, learned);
	if (!b->tokens && x + 24 < p.cols)
		pane_text(p, 0, x + 2, ROLE_DIM, "bytes mix positions");
}

/* ---- why ---- */

static void why(const struct el_lab_block *b, char *out, size_t size)
{
	char runs[GROUPED_MAX], entropy[GROUPED_MAX], raw[GROUPED_MAX];
	const char *word = b->runs_after == 1 ? "run" : "runs";
	const double entropy_bytes = b->entropy_after * (double)b->count / 8;
	double count = (double)b->count, mean = count / (double)b->runs_after;
	grouped(b->runs_after, runs);
	if (b->options.fill == EL_FILL_NONE)
		snprintf(out, size, "Nothing is filled: %s %s of mean length %.1f. ", runs, word,
		         mean);
	else
		snprintf(out, size, "The fill leaves %s %s of mean length %.1f, from %.1f before. ",
		         runs, word, mean, count / (double)b->runs_before);
	el_text_add(
		out, size,
		"Value by value that is %.3f bits each, %s bytes (order-0 entropy); raw takes %s. "
		"%s",
		b->entropy_after, grouped((uint64_t)(entropy_bytes + 0.5), entropy),
		grouped(b->raw_bytes, raw),
		b->size == b->raw_bytes ? "The codec writes as much as raw: it finds no pattern."
		: (double)b->size < entropy_bytes
			? "The codec needs less: values follow each other in patterns."
			: "The codec needs more: too few patterns to pay for what it writes.");
}

/* ---- the whole ---- */

static void draw_block(const struct inspector *in, struct pane p)
{
	const struct el_lab_block *b = &in->shown;
	const bool predicts = inspector_predicts(in);
	int cells = inspector_row_cells(p.cols), all = ((int)b->count + cells - 1) / cells;
	int n = (p.rows - FIXED_ROWS) * (predicts ? 1 : 3) / 10, y = 1;
	n = n < 1 ? 1 : n > all ? all : n;
	/* The first row of cells has the explained value, or the one scrolled to. */
	const int at = predicts ? (int)b->tokens[in->rows.at].first / cells : in->rows.at;
	size_t first = (size_t)(at < all - n ? at : all - n) * (size_t)cells;
	struct pane head = pane_row(p, 0);
	char number[GROUPED_MAX], blocks[GROUPED_MAX], from[GROUPED_MAX], to[GROUPED_MAX];
	char how[192];
	int end = pane_print(head, 0, 1, ROLE_STRONG, "block %s of %s",
	                     grouped(b->block + 1, number), grouped(b->block_count, blocks));
	end = pane_print(head, 0, end + 2, ROLE_TEXT, "%s to move",
	                 b->slice.game->sides[el_slice_mover(&b->slice, b->plane)]);
	end = pane_print(head, 0, end + 2, ROLE_TEXT, "positions %s - %s", grouped(b->first, from),
	                 grouped(b->first + b->count - 1, to));
	el_table_options_format(&b->slice, &b->options, how, sizeof how);
	if (end + 2 + utf8_length(how) < head.cols)
		pane_right(head, 0, head.cols - 1, ROLE_DIM, how);
	int x = pane_text(p, y, 1, ROLE_STRONG, "before the fill");
	const bool apart = b->options.derive & EL_DERIVE_OUTCOMES;
	x = pane_print(p, y, x + 2, ROLE_BROKEN, "x %s %.0f %%",
	               apart ? "broken, or told by outcomes" : "broken", share(b, EL_CARE_NOT));
	if (b->options.derive & EL_DERIVE_CAPTURES)
		x = pane_print(p, y, x + 2, ROLE_BROKEN, ". derivable %.0f %%",
		               share(b, EL_CARE_AT_MOST));
	draw_runs(pane_row(p, y++), x, b->runs_before, b->count);
	draw_cells(in, pane_sub(p, y, 0, n, p.cols), first, LAYER_BEFORE);
	y += n;
	x = pane_text(p, y, 1, ROLE_STRONG, "after the fill");
	x = pane_print(p, y, x + 2, ROLE_TEXT, "%s", el_fill_names[b->options.fill]);
	if (kind_words(b->metric)->has_number && p.cols >= 76)
		x = pane_text(p, y, x + 2, ROLE_DIM,
		              apart ? "plies alone, without the outcome"
		                    : "capitals win, small letters lose");
	draw_runs(pane_row(p, y++), x, b->runs_after, b->count);
	draw_cells(in, pane_sub(p, y, 0, n, p.cols), first, LAYER_AFTER);
	y += n;
	if (predicts) {
		x = pane_text(p, y, 1, ROLE_STRONG, "bits that each value cost");
		if (p.cols >= 76)
			pane_text(p, y, x + 2, ROLE_DIM, ". less than half   + ten and more");
		y++;
		draw_cells(in, pane_sub(p, y, 0, n, p.cols), first, LAYER_COST);
		y += n;
		draw_bytes_title(b, pane_row(p, y));
		inspector_draw_forecast(in, pane_from(p, y + 1));
	} else {
		struct pane bytes_and_why = pane_from(p, y + 1);
		char text[512];
		draw_bytes_title(b, pane_row(bytes_and_why, 0));
		draw_bytes(b,
		           pane_sub(bytes_and_why, 1, 0, bytes_and_why.rows - 1 - SENTENCE_ROWS,
		                    bytes_and_why.cols),
		           first);
		why(b, text, sizeof text);
		pane_wrap(pane_sub(bytes_and_why, bytes_and_why.rows - SENTENCE_ROWS, 1,
		                   SENTENCE_ROWS, bytes_and_why.cols - 2),
		          0, ROLE_TEXT, text);
	}
}

void inspector_draw(const struct model *m, struct pane p)
{
	const struct inspector *in = inspector_of(m);
	if (in->has_block)
		draw_block(in, p);
	else {
		struct pane waiting = pane_sub(p, 1, 1, 4, p.cols - 2);
		const struct job_progress *w = model_progress_of(m, in->table.job);
		bool opens = inspector_is_opening(m);
		int y = pane_wrap(
			waiting, 0, in->why[0] ? ROLE_ERROR : ROLE_DIM,
			in->why[0] ? in->why
			: opens ? "The candidate's table is being made. Press X to stop, q to go "
				  "back."
				: "The table opens once the work before it is done. Press q to go "
				  "back.");
		if (w && w->stage)
			pane_print(waiting, y + 1, 0, ROLE_BUSY, "%s %s", w->stage, w->what);
	}
}
