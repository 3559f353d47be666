/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a codec's predictions: for each value, the guess, the actual value and its cost. */
#include "inspector.h"

#include "tui/screen/roles.h"
#include "tui/text/numbers.h"
#include "tui/text/text.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK_ROWS = 2, VALUE_ROWS = 3, SENTENCES_MAX = 1024 };

/* Where columns end, and where the last one begins. */
enum {
	POSITION_END = 11,
	VOTES_END = 18,
	GUESS_END = 25,
	CAME_END = 31,
	BITS_END = 38,
	ASKED = 40
};

bool inspector_predicts(const struct inspector *in)
{
	const struct el_lab_forecast *f = &in->shown.forecast;
	return in->has_block && f->right + f->wrong;
}

size_t inspector_token(const struct el_lab_block *b, size_t at)
{
	size_t low = 0, high = b->token_count;
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;
		if (b->tokens[middle].first <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* ---- words ---- */

static const char *symbol_text(const struct el_lab_block *b, uint32_t symbol, char out[16])
{
	return inspector_value(b->metric, b->values[symbol], out);
}

/* Question i: "W17? 93 %: no", "better? 60 %: yes", "better than W13? 8 %: no", "6 plain bits". */
static void say_question(const struct el_lab_block *b, const struct el_codec_token *t, unsigned i,
                         char w[SENTENCES_MAX])
{
	const struct el_codec_question *q = &t->question[i];
	/* In per cent, with enough digits to tell it from 0 and 100. */
	const double off = 100 * (q->yes < 0.5 ? q->yes : 1 - q->yes);
	const bool of_guess = (int64_t)q->about == t->guess;
	char symbol[16];
	if (q->ask == EL_ASK_NUMBER)
		el_text_add(w, SENTENCES_MAX, "%u plain %s", q->about,
		            plural(q->about, "bit", "bits"));
	else
		el_text_add(w, SENTENCES_MAX, "%s%s%s? %.*f %%: %s",
		            q->ask == EL_ASK_ABOVE ? "better" : "",
		            q->ask == EL_ASK_ABOVE && !of_guess ? " than " : "",
		            q->ask == EL_ASK_ABOVE && of_guess ? ""
		                                               : symbol_text(b, q->about, symbol),
		            off < 0.095  ? 2
		            : off < 0.95 ? 1
		                         : 0,
		            100 * q->yes, q->answer ? "yes" : "no");
}

/* The selected value: what it is, who voted, and each question with the cost of its answer. */
static void say_value(const struct el_lab_block *b, const struct el_codec_token *t,
                      char w[SENTENCES_MAX])
{
	char pieces[EL_LAB_PIECES_MAX], value[16];
	size_t broken = 0;
	while (broken < t->count && b->care[t->first + broken] == EL_CARE_NOT)
		broken++;
	if (!t->questions) {
		el_text_add(w, SENTENCES_MAX, "%s, so nothing is asked.",
		            broken == t->count ? "Broken by the rules of the game"
		                               : "The codec is sure");
		return;
	}
	const enum el_care care = b->care[t->first];
	/* "Ka1 Rf2 ke5 is W31. " */
	el_lab_block_pieces(b, t->first, pieces);
	el_text_add(w, SENTENCES_MAX, "%s %s %s. ", pieces[0] ? pieces : "This",
	            care == EL_CARE_NOT       ? "is broken, filled with"
	            : care == EL_CARE_AT_MOST ? "has a capture that tells its value, filled with"
	                                      : "is",
	            inspector_value(b->metric, b->after[t->first], value));
	char guess[16] = "";
	if (t->guess >= 0)
		symbol_text(b, (uint32_t)t->guess, guess);
	if (t->guess < 0)
		el_text_add(w, SENTENCES_MAX, "The first value of a block is written as it is");
	else if (!t->first)
		el_text_add(w, SENTENCES_MAX,
		            "The first value of a block has no neighbours: the guess is the "
		            "commonest, %s",
		            guess);
	else if (!t->voters)
		el_text_add(w, SENTENCES_MAX,
		            "No neighbour is in this block, so the guess is its first value, %s",
		            guess);
	else if (t->voters == 1)
		el_text_add(w, SENTENCES_MAX, "The only neighbour has %s", guess);
	else if (t->votes == t->voters)
		el_text_add(w, SENTENCES_MAX, "All %u neighbours have %s", t->voters, guess);
	else
		el_text_add(w, SENTENCES_MAX, "%u of %u neighbours have %s, the guess", t->votes,
		            t->voters, guess);
	for (unsigned i = 0; i < t->questions; i++) {
		el_text_add(w, SENTENCES_MAX, "%s ", i ? "," : ".");
		say_question(b, t, i, w);
		if (t->question[i].ask != EL_ASK_NUMBER)
			el_text_add(w, SENTENCES_MAX, " (%.2f bits)",
			            el_codec_question_bits(&t->question[i]));
	}
	el_text_add(w, SENTENCES_MAX, ".");
}

/* ---- rows ---- */

static void draw_token(const struct el_lab_block *b, const struct el_codec_token *t, struct pane p)
{
	char number[GROUPED_MAX], text[16];
	const struct el_value came = b->after[t->first];
	const double bits = el_lab_token_bits(t);
	pane_right(p, 0, POSITION_END, ROLE_DIM, grouped(b->first + t->first, number));
	if (!t->questions) {
		pane_right(p, 0, BITS_END, ROLE_DIM, "free");
		pane_print(p, 0, ASKED, ROLE_DIM, "%s %s: nothing asked", grouped(t->count, number),
		           plural(t->count, "value", "values"));
		return;
	}
	if (t->guess >= 0) {
		snprintf(text, sizeof text, "%u/%u", t->votes, t->voters);
		pane_right(p, 0, VOTES_END, ROLE_TEXT, text);
		pane_right(p, 0, GUESS_END,
		           outcome_role((enum el_outcome)b->values[t->guess].outcome),
		           symbol_text(b, (uint32_t)t->guess, text));
	}
	pane_right(p, 0, CAME_END, outcome_role((enum el_outcome)came.outcome),
	           inspector_value(b->metric, came, text));
	snprintf(text, sizeof text, "%.2f", bits);
	pane_right(p, 0, BITS_END, bits < 0.5 ? ROLE_DIM : ROLE_STRONG, text);
	struct pane asked = pane_sub(p, 0, ASKED, 1, p.cols - ASKED);
	char w[SENTENCES_MAX] = "";
	size_t shown = 0; /* bytes of text: the questions that fit, and an ellipsis */
	for (unsigned i = 0; i < t->questions; i++) {
		el_text_add(w, SENTENCES_MAX, "%s", i ? ", " : "");
		say_question(b, t, i, w);
		if (strlen(w) + 4 <= (size_t)asked.cols)
			shown = strlen(w);
	}
	if (strlen(w) <= (size_t)asked.cols)
		shown = strlen(w);
	pane_print(asked, 0, 0, ROLE_TEXT, "%.*s%s", (int)shown, w,
	           shown < strlen(w) ? " ..." : "");
}

static void draw_tokens(const struct inspector *in, struct pane p)
{
	const struct list all = {(int)in->shown.token_count, in->rows.at};
	const int top = list_top(&all, p.rows - 1);
	pane_right(p, 0, POSITION_END, ROLE_DIM, "position");
	pane_right(p, 0, VOTES_END, ROLE_DIM, "votes");
	pane_right(p, 0, GUESS_END, ROLE_DIM, "guess");
	pane_right(p, 0, CAME_END, ROLE_DIM, "came");
	pane_right(p, 0, BITS_END, ROLE_DIM, "bits");
	pane_text(p, 0, ASKED, ROLE_DIM, "asked");
	for (int y = 1; y < p.rows && top + y - 1 < all.count; y++) {
		struct pane row = pane_row(p, y);
		const int i = top + y - 1;
		pane_select(row, i == all.at);
		pane_zone(row, ZONE_ITEM, i);
		draw_token(&in->shown, &in->shown.tokens[i], row);
	}
}

void inspector_draw_forecast(const struct inspector *in, struct pane p)
{
	const struct el_lab_block *b = &in->shown;
	char block[SENTENCES_MAX] = "", value[SENTENCES_MAX] = "";
	const int rows = p.rows - BLOCK_ROWS - VALUE_ROWS;
	/* How well guesses work in this block. */
	const struct el_lab_forecast *f = &b->forecast;
	const double all = f->right_bits + f->wrong_bits;
	char right[GROUPED_MAX], of[GROUPED_MAX], wrong[GROUPED_MAX], entropy[GROUPED_MAX],
		raw[GROUPED_MAX];
	el_text_add(block, SENTENCES_MAX, "%s of %s guesses are right", grouped(f->right, right),
	            grouped(f->right + f->wrong, of));
	if (f->right)
		el_text_add(block, SENTENCES_MAX, ", %.2f bits each",
		            f->right_bits / (double)f->right);
	if (f->wrong)
		el_text_add(block, SENTENCES_MAX, "; %s %s, %.2f bits each: %.0f %% of the block",
		            grouped(f->wrong, wrong), plural(f->wrong, "surprise", "surprises"),
		            f->wrong_bits / (double)f->wrong, 100 * f->wrong_bits / all);
	el_text_add(block, SENTENCES_MAX, ". Order 0 takes %s bytes, raw %s.",
	            grouped((uint64_t)(b->entropy_after * (double)b->count / 8 + 0.5), entropy),
	            grouped(b->raw_bytes, raw));
	say_value(b, &b->tokens[in->rows.at], value);
	draw_tokens(in, pane_sub(p, 0, 0, rows, p.cols));
	pane_wrap(pane_sub(p, rows, 1, VALUE_ROWS, p.cols - 2), 0, ROLE_STRONG, value);
	pane_wrap(pane_sub(p, rows + VALUE_ROWS, 1, BLOCK_ROWS, p.cols - 2), 0, ROLE_TEXT, block);
}
