/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds: the values of partial information, and how they travel round a loop. Based on Figures 2
   to 4 of Bjornsson, Schaeffer, Sturtevant, "Partial Information Endgame Databases", 2005. */
#include "bounds.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- keys ---- */

static void choose_value(struct bounds_loop *b, unsigned outcome)
{
	for (int i = 0; i < LOOP_EXITS; i++)
		if (loop_values[i] == outcome)
			list_set(&b->values, i);
}

/* Explains the value that has just changed or, once all are decided, that of the position with the
   exit. */
static void go_to_step(struct bounds_loop *b, unsigned step)
{
	struct loop_state s;
	b->step = step;
	loop_after(b->exit, step, &s);
	if (!step)
		choose_value(b, loop_exits[b->exit]);
	else
		choose_value(b, s.value[s.decided ? 0 : s.change.node].outcome);
}

static void set_exit(struct bounds_loop *b, unsigned exit)
{
	b->exit = exit;
	go_to_step(b, 0);
}

static void step(struct model *m, int by)
{
	go_to_step(bounds_of(m), bounds_of(m)->step + (unsigned)by);
}

static const char *at_the_end(const struct model *m)
{
	return bounds_of(m)->step < loop_steps(bounds_of(m)->exit)
	               ? NULL
	               : "Everything is decided. Press Tab to give the way out another value.";
}

static const char *at_the_start(const struct model *m)
{
	return bounds_of(m)->step ? NULL : "This is the start.";
}

static void decide(struct model *m)
{
	go_to_step(bounds_of(m), loop_steps(bounds_of(m)->exit));
}

static void next_exit(struct model *m)
{
	set_exit(bounds_of(m), (bounds_of(m)->exit + 1) % LOOP_EXITS);
}

static void choose(struct model *m, int by)
{
	list_set(&bounds_of(m)->values, bounds_of(m)->values.at + by);
}

static enum el_status open_loop(struct model *m, struct el_error *error)
{
	(void)error;
	bounds_of(m)->values.count = LOOP_EXITS;
	set_exit(bounds_of(m), 0);
	return EL_OK;
}

static void subject(const struct model *m, char *out, size_t size)
{
	snprintf(out, size, "step %u of %u", bounds_of(m)->step, loop_steps(bounds_of(m)->exit));
}

/* ---- lines ---- */

static void read_exit(struct model *m, const char *name)
{
	enum el_outcome outcome = EL_BROKEN;
	const bool is_value = bounds_read(name, &outcome);
	for (unsigned i = 0; is_value && i < LOOP_EXITS; i++)
		if (loop_exits[i] == outcome)
			set_exit(bounds_of(m), i);
	if (!is_value)
		model_fail(m, "exit: expected WW, TT, LL, TW, LT or LW, found '%s'", name);
}

static void read_step(struct model *m, const char *number)
{
	const unsigned last = loop_steps(bounds_of(m)->exit);
	char *end;
	const unsigned long step = strtoul(number, &end, 10);
	if (!isdigit((unsigned char)*number) || *end || step > last)
		model_fail(m, "step: expected a number from 0 to %u, found '%s'", last, number);
	else
		go_to_step(bounds_of(m), (unsigned)step);
}

static void complete_exit(const struct model *m, const char *rest, struct words *w)
{
	char name[BOUNDS_NAME_MAX];
	(void)m;
	(void)rest;
	for (int i = 0; i < LOOP_EXITS; i++)
		words_offer(w, bounds_letters((struct bounds_value){loop_exits[i], false}, name));
}

static const struct verb verbs[] = {
	{"exit", "VALUE", "give the way out a value", .run = read_exit, .complete = complete_exit},
	{"step", "N", "go to a step by its number", .run = read_step},
	{.word = NULL},
};

static const struct binding bindings[] = {
	KEY({' ', '.'}, "bounds-step", "step", "change the next value, or decide at the end",
            .apply = step, .argument = 1, .disabled = at_the_end),
	KEY({K_BACKSPACE, ','}, "bounds-back", "back", "take back the last step", .apply = step,
            .argument = -1, .disabled = at_the_start),
	KEY({K_TAB}, "bounds-exit", "way out", "give the position outside another value",
            .run = next_exit),
	KEY({'d'}, "bounds-decide", "decide", "go to the end, where the u-marks go", .run = decide,
            .disabled = at_the_end),
	KEY({K_UP, 'k'}, "value-above", NULL, "explain the value above", .apply = choose,
            .argument = -1),
	KEY({K_DOWN, 'j'}, "value-below", "value", "explain the value below", .apply = choose,
            .argument = 1),
	{.name = NULL},
};

static bool find_undecided(const struct model *m, uint64_t *out)
{
	struct loop_state now;
	loop_after(bounds_of(m)->exit, bounds_of(m)->step, &now);
	*out = 0;
	for (unsigned node = 0; node < LOOP_NODES; node++)
		*out += now.value[node].undecided;
	return true;
}

/* Once all are decided, the value of the position with the exit. */
static bool find_then(const struct model *m, uint64_t *out)
{
	const struct bounds_loop *b = bounds_of(m);
	const unsigned last = loop_steps(b->exit);
	struct loop_state then;
	loop_after(b->exit, b->step < last ? b->step + 1 : last, &then);
	*out = lattice_code(then.value[then.decided ? 0 : then.change.node]);
	return true;
}

static const struct figure figures[] = {
	{"undecided", FIGURE_NUMBER, find_undecided},
	{"next", FIGURE_VALUE, find_then},
	{.name = NULL},
};

const struct view bounds_view = {
	.name = "Bounds",
	.summons = 'B',
	.summary = "how values settle round a loop when a table is missing",
	.state = &bounds_state,
	.bindings = bindings,
	.verbs = verbs,
	.draw = bounds_draw,
	.figures = figures,
	.list = {&bounds_state, offsetof(struct bounds_loop, values)},
	.subject = subject,
	.open = open_loop,
};
