/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds: the values of partial information, and how they go round a loop. After Figures 2 to 4 of
   Bjornsson, Schaeffer, Sturtevant, "Partial Information Endgame Databases", 2005. */
#include "../../model/model.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the loop ---- */

const uint8_t loop_exits[LOOP_EXITS] = {EL_WIN,  EL_UNKNOWN, EL_DRAW,
                                        EL_LOSS, EL_AT_LEAST_DRAW, EL_AT_MOST_DRAW};
const uint8_t loop_values[LOOP_EXITS] = {EL_WIN,     EL_AT_LEAST_DRAW, EL_DRAW,
                                         EL_UNKNOWN, EL_AT_MOST_DRAW,  EL_LOSS};

/* One more step from a state; false when all is done. */
static bool make_step(unsigned exit, struct loop_state *s)
{
	static const uint8_t first[LOOP_NODES + 1] = {0, 2, 3, 4, 5};
	const struct el_bounds_move move[] = {
		{1, 0}, {EL_BOUNDS_OUT, loop_exits[exit]}, {2, 0}, {3, 0}, {0, 0}};
	const struct el_bounds_graph graph = {LOOP_NODES, first, move};
	bool undecided = false;
	memcpy(s->before, s->value, sizeof s->before);
	if (el_bounds_step(&graph, s->value, &s->change))
		return true;
	for (unsigned node = 0; node < LOOP_NODES; node++) {
		undecided = undecided || s->value[node].undecided;
		s->value[node] = el_bounds_decide(s->value[node]);
	}
	s->decided = s->decided || undecided;
	return undecided;
}

static struct loop_state loop_start(void)
{
	struct loop_state s = {.decided = false};
	for (unsigned node = 0; node < LOOP_NODES; node++)
		s.value[node] = s.before[node] = el_bounds_start;
	return s;
}

unsigned loop_steps(unsigned exit)
{
	struct loop_state s = loop_start();
	unsigned steps = 0;
	while (make_step(exit, &s))
		steps++;
	return steps;
}

void loop_after(unsigned exit, unsigned steps, struct loop_state *out)
{
	*out = loop_start();
	while (steps-- > 0)
		make_step(exit, out);
}

/* ---- keys ---- */

static void choose_value(struct bounds_loop *b, unsigned outcome)
{
	for (int i = 0; i < LOOP_EXITS; i++)
		if (loop_values[i] == outcome)
			list_set(&b->values, i);
}

/* The value explained is the one that has just come about; where all are decided, that of the way
   out's position. */
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

static void next_step(struct model *m)
{
	go_to_step(&m->bounds, m->bounds.step + 1);
}

static const char *at_the_end(const struct model *m)
{
	return m->bounds.step < loop_steps(m->bounds.exit)
		       ? NULL
		       : "all is decided; Tab gives the way out another value";
}

static void former_step(struct model *m)
{
	go_to_step(&m->bounds, m->bounds.step - 1);
}

static const char *at_the_start(const struct model *m)
{
	return m->bounds.step ? NULL : "this is the beginning";
}

static void decide(struct model *m)
{
	go_to_step(&m->bounds, loop_steps(m->bounds.exit));
}

static void next_exit(struct model *m)
{
	set_exit(&m->bounds, (m->bounds.exit + 1) % LOOP_EXITS);
}

static void value_above(struct model *m)
{
	list_set(&m->bounds.values, m->bounds.values.at - 1);
}

static void value_below(struct model *m)
{
	list_set(&m->bounds.values, m->bounds.values.at + 1);
}

static struct list *values(struct model *m)
{
	return &m->bounds.values;
}

static enum el_status open_loop(struct model *m, struct el_error *error)
{
	(void)error;
	m->bounds.values.count = LOOP_EXITS;
	set_exit(&m->bounds, 0);
	return EL_OK;
}

static void subject(const struct model *m, char *out, size_t size)
{
	snprintf(out, size, "step %u of %u", m->bounds.step, loop_steps(m->bounds.exit));
}

/* ---- lines ---- */

static void read_exit(struct model *m, const char *name)
{
	enum el_outcome outcome = EL_BROKEN;
	const bool is_value = el_bounds_read(name, &outcome);
	for (unsigned i = 0; is_value && i < LOOP_EXITS; i++)
		if (loop_exits[i] == outcome)
			set_exit(&m->bounds, i);
	if (!is_value)
		model_fail(m, "exit: expected WW, TT, LL, TW, LT or LW, not '%s'", name);
}

static void read_step(struct model *m, const char *number)
{
	const unsigned last = loop_steps(m->bounds.exit);
	char *end;
	const unsigned long step = strtoul(number, &end, 10);
	if (!isdigit((unsigned char)*number) || *end || step > last)
		model_fail(m, "step: expected a number from 0 to %u", last);
	else
		go_to_step(&m->bounds, (unsigned)step);
}

/* "exit LW" and "step 3", after the view's name or without it. */
static bool run_line(struct model *m, const char *line)
{
	static const char name[] = "bounds ";
	if (!strncasecmp(line, name, sizeof name - 1))
		line += sizeof name - 1;
	if (!strncmp(line, "exit ", 5))
		read_exit(m, line + 5);
	else if (!strncmp(line, "step ", 5))
		read_step(m, line + 5);
	else
		return false;
	return true;
}

static const struct binding bindings[] = {
	{{' ', '.'}, "bounds-step", "step", "change the next value, or decide at the end", next_step,
	 at_the_end, NULL},
	{{K_BACKSPACE, ','}, "bounds-back", "back", "take the last step back", former_step,
	 at_the_start, NULL},
	{{K_TAB}, "bounds-exit", "way out", "give the position outside its next value", next_exit,
	 NULL, NULL},
	{{'d'}, "bounds-decide", "decide", "all steps to the end: the u-marks go", decide, at_the_end,
	 NULL},
	{{K_UP, 'k'}, "value-above", NULL, "explain the value above", value_above, NULL, NULL},
	{{K_DOWN, 'j'}, "value-below", "value", "explain the value below", value_below, NULL, NULL},
	{.name = NULL},
};

const struct view bounds_view = {
	.name = "Bounds",
	.summary = "values within bounds, going round a loop",
	.bindings = bindings,
	.line = run_line,
	.draw = bounds_draw,
	.list = values,
	.subject = subject,
	.open = open_loop,
};
