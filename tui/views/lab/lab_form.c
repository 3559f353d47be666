/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One candidate of Lab, option by option: up and down select one, left and right change it. */
#include "lab.h"

#include "tui/text/numbers.h"
#include "tui/views/views.h"

#include <stdio.h>

/* The fields: the codec, its options, and what follows them. */
enum field { CODEC, OPTION, BLOCK, FILL, ORDER, DERIVE };

/* The field in a row of the form; sets *option if it is a codec option. */
static enum field field_at(const struct lab *lab, int row, unsigned *option)
{
	const int options = (int)lab->form.options.codec.codec->option_count;
	*option = row > 0 && row <= options ? (unsigned)row - 1 : 0;
	return row == 0 ? CODEC : row <= options ? OPTION : (enum field)(BLOCK + row - options - 1);
}

/* As many as the codec has options, and the others. */
static void count_fields(struct lab *lab)
{
	lab->form.fields.count = 1 + (int)lab->form.options.codec.codec->option_count + 4;
}

/* ---- changing a value ---- */

static int wrap(int value, int count)
{
	return (value % count + count) % count;
}

static void change(struct model *m, int by)
{
	struct lab *lab = lab_of(m);
	struct el_table_options *o = &lab->form.options;
	unsigned option;
	switch (field_at(lab, lab->form.fields.at, &option)) {
	case CODEC: {
		int count = 0, here = 0;
		for (; el_codec_at((size_t)count); count++)
			if (el_codec_at((size_t)count) == o->codec.codec)
				here = count;
		el_codec_parse(el_codec_at((size_t)wrap(here + by, count))->name, &o->codec, NULL);
		count_fields(lab);
		break;
	}
	case OPTION: {
		/* Steps through wide ranges by powers of two, so that either end is near. */
		const struct el_codec_option *c = &o->codec.codec->options[option];
		const int value = o->codec.option[option];
		const bool wide = c->most - c->least > 64;
		const int next = !wide    ? value + by
		                 : by > 0 ? (value > 0 ? 2 * value : 1)
		                          : value / 2;
		o->codec.option[option] = next < c->least  ? c->least
		                          : next > c->most ? c->most
		                                           : next;
		break;
	}
	case BLOCK:
		if (o->block_positions == (by > 0 ? EL_BLOCK_MAX : EL_BLOCK_MIN))
			o->block_positions = by > 0 ? EL_BLOCK_MIN : EL_BLOCK_MAX;
		else
			o->block_positions =
				by > 0 ? o->block_positions * 2 : o->block_positions / 2;
		break;
	case FILL:
		o->fill = (enum el_fill)wrap((int)o->fill + by, EL_FILL_BEST + 1);
		break;
	case ORDER:
		/* Toggle between index and best order; an order of pieces must be typed. */
		el_order_parse(o->ordering == EL_ORDER_BEST       ? "smallest"
		               : o->ordering == EL_ORDER_SMALLEST ? "index"
		                                                  : "best",
		               NULL, o, NULL);
		break;
	case DERIVE: {
		int count = 0;
		while (el_derive_names[count])
			count++;
		o->derive = el_derives[wrap((int)el_derive_place(o->derive) + by, count)];
		break;
	}
	}
}

/* ---- opening and closing ---- */

static void begin(struct model *m, int row)
{
	struct lab *lab = lab_of(m);
	lab->form.options = lab_options(lab);
	lab->form.row = row;
	lab->form.fields.at = 0;
	count_fields(lab);
}

/* Starts a new candidate if none was chosen. */
static void enter(struct model *m)
{
	lab_find_slice(m);
	if (!lab_of(m)->form.options.codec.codec)
		begin(m, -1);
}

void lab_form_open(struct model *m, int is_new)
{
	begin(m, is_new ? -1 : lab_of(m)->list.at);
	shell_show(m, VIEW_LAB_FORM);
}

static void accept(struct model *m)
{
	struct lab *lab = lab_of(m);
	struct el_error why;
	if (el_codec_agree(&lab->form.options.codec, &why)) {
		model_fail(m, "%s", why.text);
		return;
	}
	shell_show(m, VIEW_LAB);
	if (lab_busy(m))
		model_fail(m, "%s", lab_busy(m));
	else if (lab->form.row >= 0)
		lab_row_change(lab, lab->form.row, &lab->form.options);
	else if (!lab_row_add(lab, &(struct el_lab_candidate){.options = lab->form.options}))
		model_fail(m, "out of memory");
}

/* Types the candidate in words at the prompt, for editing. */
static void type_words(struct model *m)
{
	shell_show(m, VIEW_LAB);
	lab_type_words(m, &lab_of(m)->form.options);
}

/* A second click changes the field that the first one selected. */
static bool update(struct model *m, const struct event *e)
{
	if (e->kind != EVENT_CLICK || e->zone.kind != ZONE_ITEM ||
	    lab_of(m)->form.fields.at != e->zone.value)
		return false;
	change(m, 1);
	return true;
}

/* ---- drawing ---- */

enum { NAME_AT = 3, VALUE_AT = 14, HELP_AT = 29 };

struct field_text {
	const char *name, *help;
	char value[EL_ORDER_TEXT + 16], range[96];
};

static const char *const fill_help[] = {
	[EL_FILL_NONE] = "broken positions keep a symbol of their own",
	[EL_FILL_PREVIOUS] = "free positions continue the run",
	[EL_FILL_BEST] = "free positions take what suits this codec best",
};
static const char *const order_help[] = {
	[EL_ORDER_INDEX] = "positions are in the order of the index",
	[EL_ORDER_BEST] = "of all piece orders, the one with the fewest runs",
	[EL_ORDER_SMALLEST] = "piece orders are tried with the codec; the smallest is kept",
	[EL_ORDER_GIVEN] = "the pieces from the slowest to the fastest",
};
static const char *const derive_help[] = {
	[EL_DERIVE_NOTHING] = "the table holds every value",
	[EL_DERIVE_CAPTURES] = "a probe tries captures; what they tell is free",
	[EL_DERIVE_SIDE] = "one side to move alone; for the other a probe tries all moves",
	[EL_DERIVE_BOTH] = "one side to move alone, and without what captures tell",
	[EL_DERIVE_OUTCOMES] = "another table tells outcomes; under dtz and dtz50",
	[EL_DERIVE_OUTCOMES_SIDE] = "the same, with one side to move alone",
};

static void describe(const struct lab *lab, int row, struct field_text *t)
{
	const struct el_table_options *o = &lab->form.options;
	const char *value = t->value;
	unsigned option;
	switch (field_at(lab, row, &option)) {
	case CODEC:
		t->name = "codec", t->help = o->codec.codec->summary, value = o->codec.codec->name;
		break;
	case OPTION: {
		const struct el_codec_option *c = &o->codec.codec->options[option];
		t->name = c->name;
		snprintf(t->value, sizeof t->value, "%d", o->codec.option[option]);
		snprintf(t->range, sizeof t->range, "%d to %d: %s", c->least, c->most, c->summary);
		t->help = t->range;
		break;
	}
	case BLOCK:
		t->name = "block", t->help = "positions read and decoded together";
		block_text(o->block_positions, t->value);
		break;
	case FILL:
		t->name = "fill", t->help = fill_help[o->fill], value = el_fill_names[o->fill];
		break;
	case ORDER:
		t->name = "order", t->help = order_help[o->ordering];
		el_order_format(&lab->slice, o, t->value);
		break;
	case DERIVE:
		t->name = "derive", t->help = derive_help[o->derive];
		value = el_derive_name(o->derive);
		break;
	}
	if (value != t->value)
		snprintf(t->value, sizeof t->value, "%s", value);
}

static void draw(const struct model *m, struct pane p)
{
	const struct lab *lab = lab_of(m);
	const int count = lab->form.fields.count;
	struct field_text t;
	char words[192];
	el_table_options_format(&lab->slice, &lab->form.options, words, sizeof words);
	pane_text(p, 0, 1, ROLE_STRONG, lab->form.row < 0 ? "a new candidate" : "the candidate");
	for (int row = 0; row < count; row++) {
		struct pane field = pane_row(p, 2 + row);
		bool is_selected = row == lab->form.fields.at;
		describe(lab, row, &t);
		if (is_selected)
			pane_fill(field, ROLE_SELECTED);
		pane_zone(field, ZONE_ITEM, row);
		pane_text(field, 0, 1, ROLE_STRONG, is_selected ? ">" : " ");
		pane_text(field, 0, NAME_AT, ROLE_DIM, t.name);
		if (is_selected)
			pane_text(field, 0, VALUE_AT - 2, ROLE_HINT_KEY, "<");
		int end = pane_text(field, 0, VALUE_AT, ROLE_STRONG, t.value);
		if (is_selected)
			pane_text(field, 0, end + 1, ROLE_HINT_KEY, ">");
		pane_text(field, 0, end + 3 > HELP_AT ? end + 3 : HELP_AT, ROLE_TEXT, t.help);
	}
	pane_text(p, count + 3, NAME_AT, ROLE_DIM, "in words");
	pane_text(p, count + 3, VALUE_AT, ROLE_TEXT, words);
	describe(lab, lab->form.fields.at, &t);
	if (HELP_AT + utf8_length(t.help) > p.cols)
		pane_wrap(pane_sub(p, count + 5, VALUE_AT, 3, p.cols - VALUE_AT - 1), 0, ROLE_DIM,
		          t.help);
}

static void row_text(const struct model *m, int row, char *out, size_t size)
{
	struct field_text t;
	describe(lab_of(m), row, &t);
	snprintf(out, size, "%s %s", t.name, t.value);
}

static void subject(const struct model *m, char *out, size_t size)
{
	snprintf(out, size, "%s  candidate", lab_of(m)->slice.name);
}

static const struct binding bindings[] = {
	KEY({K_LEFT, 'h'}, "previous-value", NULL, "choose the previous value", .apply = change,
            .argument = -1),
	KEY({K_RIGHT, 'l'}, "next-value", "change", "choose the next value", .apply = change,
            .argument = 1),
	KEY({K_ENTER}, "take-candidate", "take it", "put the candidate in the list", .run = accept),
	KEY({'w'}, "in-words", "in words", "continue in words at the prompt", .run = type_words),
	KEY({K_ESCAPE, 'q'}, "leave-candidate", "leave", "leave without changing the list",
            .apply = shell_show, .argument = VIEW_LAB),
	{.name = NULL},
};

const struct view lab_form_view = {
	.name = "Lab's candidate",
	.summary = "one candidate, option by option",
	.bindings = bindings,
	.update = update,
	.draw = draw,
	.enter = enter,
	.list = {&lab_state, offsetof(struct lab, form.fields)},
	.row = row_text,
	.subject = subject,
};
