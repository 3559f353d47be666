/* SPDX-License-Identifier: MIT */
/* Opens a slice as a bit matrix, and maps its rows to the index. */
#include "sets.h"

#include "core/games/whole.h"
#include "morris.h"

#include <stdlib.h>
#include <string.h>

/* ---- the layout ---- */

/* Sets all members except pointers. */
static struct morris_sets lay_out(const struct el_slice *slice)
{
	const unsigned white = slice->count[0][0], black = slice->count[1][0];
	struct morris_sets m = {.men = {white, black}, .places = morris_places(white, black)};
	const uint64_t rows = slice->positions / m.places;
	m.row_words = (m.places + 63) / 64;
	m.unit_rows = (rows + EL_LINKS_MAX - 1) / EL_LINKS_MAX;
	m.head.units = m.head.sections = (rows + m.unit_rows - 1) / m.unit_rows;
	m.head.words = m.head.stored_words = m.unit_rows * m.row_words;
	m.head.scratch = m.row_words * sizeof(uint64_t);
	return m;
}

struct el_measure morris_measure(const struct el_slice *slice)
{
	const struct morris_sets m = lay_out(slice);
	return (struct el_measure){
		.bits = 64 * m.head.words * m.head.units,
		.unit_bits = 64 * m.head.words,
		.beside = m.places * sizeof *m.squeezed,
		.desk = 2 * 64 * m.head.words + 2 * m.unit_rows * m.places,
	};
}

/* ---- from rows to the index ---- */

static uint64_t section_begin(const struct el_sets *sets, size_t section)
{
	const struct morris_sets *m = (const struct morris_sets *)sets;
	return section == sets->sections ? sets->slice.positions
	                                 : (uint64_t)section * m->unit_rows * m->places;
}

static void gather(const struct el_sets *sets, unsigned side, size_t section,
                   const uint16_t *const by_bit[EL_LINKS_MAX], uint16_t *by_index)
{
	const struct morris_sets *m = (const struct morris_sets *)sets;
	(void)side;
	for (size_t row = section * m->unit_rows; row < morris_rows_end(m, section);
	     row++, by_index += m->places) {
		const struct morris_row r = morris_row(m, row);
		memcpy(by_index, by_bit[0] + 64 * r.word, m->places * sizeof *by_index);
	}
}

/* ---- open and close ---- */

static void close_sets(struct el_sets *sets)
{
	struct morris_sets *m = (struct morris_sets *)sets;
	morris_give_back(sets);
	free(m->squeezed);
	free(m);
}

/* Without men in hand there are sets with Black to move even if both sides have the same number of men,
   although they are redundant: rows are White's men for both sides. */
static struct el_sets *make_sets(const struct el_problem *problem)
{
	struct morris_sets *m = malloc(sizeof *m);
	if (!m)
		return NULL;
	*m = lay_out(&problem->slice);
	m->head.game = problem->slice.game;
	m->head.slice = problem->slice;
	m->head.sides = 2;
	m->head.stages[0] = "mills";
	m->head.begin = morris_begin;
	m->head.links = morris_links;
	m->head.pre = morris_pre;
	if (m->head.slice.hand[0] || m->head.slice.hand[1])
		morris_open_placing(m);
	m->head.section = section_begin;
	m->head.section_units = whole_section_unit;
	m->head.gather = gather;
	m->head.close = close_sets;
	m->lender = problem->lender;
	m->classes = morris_classes(m->men[0]);
	m->squeezed = malloc(m->places * sizeof *m->squeezed);
	for (uint32_t rank = 0; m->squeezed && rank < m->places; rank++)
		m->squeezed[rank] = (uint32_t)choose_unrank(rank, m->men[1]);
	if (m->classes && m->squeezed)
		return &m->head;
	close_sets(&m->head);
	return NULL;
}

enum el_status morris_divide(const struct el_problem *problem, struct el_division **out,
                             struct el_error *error)
{
	static const struct whole_way way = {morris_measure, make_sets, morris_borrow,
	                                     morris_give_back};
	return whole_divide(&way, problem, out, error);
}
