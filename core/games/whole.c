/* SPDX-License-Identifier: MIT */
#include "whole.h"

#include <stdlib.h>

struct whole {
	struct el_division head;
	const struct whole_way *way;
};

static enum el_status open_part(struct el_division *division, const struct el_problem *problem,
                                size_t family, size_t part, const struct el_found *earlier,
                                const struct el_meanings *meanings, struct el_sets **out,
                                struct el_error *error)
{
	(void)family;
	(void)part;
	(void)earlier;
	(void)meanings;
	const struct whole_way *way = ((struct whole *)division)->way;
	struct el_sets *sets = way->make(problem);
	if (!sets)
		return el_fail(error, EL_MEMORY, "%s: out of memory", problem->slice.name);
	const enum el_status status = way->borrow(sets, problem, error);
	if (status)
		sets->close(sets);
	else
		*out = sets;
	return status;
}

static void part_begun(struct el_division *division, struct el_sets *sets)
{
	((struct whole *)division)->way->give_back(sets);
}

static void close_division(struct el_division *division)
{
	free(division);
}

enum el_status whole_divide(const struct whole_way *way, const struct el_problem *problem,
                            struct el_division **out, struct el_error *error)
{
	struct whole *w = malloc(sizeof *w);
	if (!w)
		return el_fail(error, EL_MEMORY, "%s: out of memory", problem->slice.name);
	*w = (struct whole){
		.head =
			{
				.families = 1,
				.parts = 1,
				.part_words = way->measure(&problem->slice).bits / 64,
				.open = open_part,
				.begun = part_begun,
				.close = close_division,
			},
		.way = way,
	};
	*out = &w->head;
	return EL_OK;
}

size_t whole_section_unit(const struct el_sets *sets, unsigned side, size_t section,
                          uint32_t out[EL_LINKS_MAX])
{
	(void)sets;
	(void)side;
	out[0] = (uint32_t)section;
	return 1;
}
