/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes every metric of every slice, region by region in the order of zeroing moves, and
   answers. */
#include "brute_metrics.h"

#include "brute_phase.h"

#include <omp.h>
#include <stdlib.h>

enum { DTC, DTZ, DTR, DTZR, RULE, COLUMNS = RULE + BRUTE_RULES };

struct brute_metrics {
	const struct brute *brute;
	struct brute_wish wish;
	uint16_t *column[TABLES][COLUMNS]; /* codes by state; null if not wished for */
};

/* ---- a region ---- */

/* The code of a state's outcome, with its depth to mate. */
static uint16_t mate_code(const struct brute_table *t, uint32_t state)
{
	uint16_t value = t->value[state];
	return is_decided(value) ? code_of(is_win(value), value - (unsigned)DECIDED) : 0;
}

/* The codes that moves ending a phase enter, from a column, or from the depth to mate (COLUMNS). */
static uint16_t *entered(const struct brute_metrics *m, const struct region *r, unsigned column)
{
	uint32_t count = r->ending_at[r->count];
	uint16_t *codes = brute_memory(count, sizeof *codes);
	for (uint32_t k = 0; k < count; k++) {
		struct place to = r->ending[k];
		codes[k] = column == COLUMNS ? mate_code(to.table, to.state)
		                             : m->column[to.table->number][column][to.state];
	}
	return codes;
}

static void keep(struct brute_metrics *m, const struct region *r, unsigned column,
                 const uint16_t *code)
{
	for (uint32_t i = 0; i < r->count; i++)
		m->column[r->table->number][column][r->state[i]] = code[i];
}

/* Without a rule, the winner cannot depend on which moves end a phase. */
static void measure_plain(struct brute_metrics *m, const struct region *r, unsigned column,
                          uint16_t *code)
{
	uint16_t *ending = entered(m, r, COLUMNS);
	phase_solve(r, &(struct rule){NO_LIMIT, ending, NO_LIMIT}, code);
	for (uint32_t i = 0; i < r->count; i++) {
		uint16_t mate = mate_code(r->table, r->state[i]);
		brute_need(!mate == !code[i] && (mate & WON) == (code[i] & WON),
		           "phases and the depth to mate disagree about who wins");
	}
	keep(m, r, column, code);
	free(ending);
}

static void measure_rule(struct brute_metrics *m, const struct region *r, unsigned rule,
                         const uint16_t *dtz, uint16_t *code)
{
	uint16_t *ending = entered(m, r, RULE + rule);
	phase_solve(r, &(struct rule){m->wish.rule[rule], ending, NO_LIMIT}, code);
	for (uint32_t i = 0; i < r->count; i++)
		if (code[i] == 0 && dtz[i] != 0)
			code[i] = dtz[i] | CURSED;
	keep(m, r, RULE + rule, code);
	free(ending);
}

static void measure_dtr(struct brute_metrics *m, const struct region *r, const uint16_t *dtz,
                        uint16_t *code)
{
	uint16_t *dtr = brute_memory(r->count, sizeof *dtr);
	uint16_t *ending = entered(m, r, DTR);
	dtr_solve(r, ending, dtz, dtr);
	keep(m, r, DTR, dtr);
	dtzr_solve(r, ending, dtz, dtr, code);
	keep(m, r, DTZR, code);
	free(dtr);
	free(ending);
}

/* `pawns` as for region_open: null for the metric in which pawn moves are quiet. Without pawns, DTC
   is DTZ. */
static void measure_region(struct brute_metrics *m, const struct brute_table *t,
                           const uint8_t *pawns, uint32_t *local)
{
	struct region r;
	region_open(&r, t, pawns, local);
	uint16_t *dtz = brute_memory(r.count, sizeof *dtz);
	uint16_t *code = brute_memory(r.count, sizeof *code);
	measure_plain(m, &r, pawns ? DTZ : DTC, dtz);
	if (m->wish.dtc && t->pawns == 0)
		keep(m, &r, DTC, dtz);
	if (pawns != NULL) {
		for (unsigned i = 0; i < BRUTE_RULES && m->wish.rule[i]; i++)
			measure_rule(m, &r, i, dtz, code);
		if (m->wish.dtr)
			measure_dtr(m, &r, dtz, code);
	}
	free(dtz);
	free(code);
	region_close(&r);
}

/* ---- a table ---- */

/* The most advanced pawns come first, because pawn moves lead to more advanced placements. Of a
   placement and its mirror image one is enough. */
static void measure(struct brute_metrics *m, const struct brute_table *t)
{
	uint8_t pawns[PIECES] = {0};
	uint32_t placements = 1;
	uint32_t *local = brute_memory(t->states, sizeof *local);
	if (m->wish.dtc && t->pawns > 0)
		measure_region(m, t, NULL, local);
	for (unsigned i = 0; i < t->pawns; i++)
		placements *= 48;
	for (unsigned advance = 6 * t->pawns + 1; advance-- > 0;)
		for (uint32_t n = 0; n < placements; n++)
			if (brute_pawns(t, n, pawns) == advance && file_of(pawns[0]) < 4)
				measure_region(m, t, pawns, local);
	free(local);
}

static bool is_wished(const struct brute_wish *wish, unsigned column)
{
	if (column >= RULE)
		return wish->rule[column - RULE] > 0;
	return column == DTZ || (column == DTC ? wish->dtc : wish->dtr);
}

/* Goes in the order of brute_solve. Measuring a slice takes up to a gigabyte, so at most two run at
   once. */
struct brute_metrics *brute_measure(const struct brute *brute, const struct brute_wish *wish)
{
	struct brute_metrics *m = brute_memory(1, sizeof *m);
	const int threads = omp_get_max_threads() > 1 ? 2 : 1;
	m->brute = brute;
	m->wish = *wish;
	for (unsigned i = 0; i < brute->tables; i++)
		for (unsigned column = 0; column < COLUMNS; column++)
			if (is_wished(wish, column))
				m->column[i][column] =
					brute_memory(brute->table[i]->states, sizeof(uint16_t));
	for (unsigned pieces = 2; pieces <= PIECES; pieces++)
		for (unsigned pawns = 0; pawns <= PIECES - 2; pawns++) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
			for (unsigned i = 0; i < brute->tables; i++) {
				const struct brute_table *t = brute->table[i];
				if (t->pieces == pieces && t->pawns == pawns)
					measure(m, t);
			}
		}
	return m;
}

void brute_metrics_free(struct brute_metrics *m)
{
	if (m == NULL)
		return;
	for (unsigned i = 0; i < TABLES; i++)
		for (unsigned column = 0; column < COLUMNS; column++)
			free(m->column[i][column]);
	free(m);
}

/* ---- answers ---- */

static struct el_value as_value(uint16_t code)
{
	static const uint8_t outcomes[2][2] = {{EL_LOSS, EL_BLESSED_LOSS}, {EL_WIN, EL_CURSED_WIN}};
	if (code == 0)
		return (struct el_value){.outcome = EL_DRAW, .plies = 0};
	return (struct el_value){.outcome = outcomes[(code & WON) != 0][(code & CURSED) != 0],
	                         .plies = (uint16_t)plies_of(code)};
}

static unsigned column_of(const struct brute_metrics *m, enum brute_metric metric, unsigned limit)
{
	if (metric == BRUTE_DTC)
		return DTC;
	if (metric == BRUTE_DTR || metric == BRUTE_DTZR)
		return metric == BRUTE_DTR ? DTR : DTZR;
	if (metric != BRUTE_WDLK && metric != BRUTE_DTZK)
		return DTZ;
	unsigned i = 0;
	while (i < BRUTE_RULES && m->wish.rule[i] != limit)
		i++;
	brute_need(i < BRUTE_RULES && limit > 0, "no such rule was wished for");
	return RULE + i;
}

bool brute_state_metric(const struct brute_metrics *m, const struct brute_table *t, uint32_t state,
                        enum brute_metric metric, unsigned limit, struct el_value *value)
{
	if (t->value[state] == ILLEGAL)
		return false;
	const uint16_t *column = m->column[t->number][column_of(m, metric, limit)];
	brute_need(column != NULL, "that metric was not wished for");
	*value = as_value(metric == BRUTE_DTM ? mate_code(t, state) : column[state]);
	if (metric == BRUTE_WDL || metric == BRUTE_WDLK)
		value->plies = 0;
	return true;
}

bool brute_metric(const struct brute_metrics *m, const struct el_position *p,
                  enum brute_metric metric, unsigned limit, struct el_value *value)
{
	struct place place;
	return brute_find(m->brute, p, &place) &&
	       brute_state_metric(m, place.table, place.state, metric, limit, value);
}
