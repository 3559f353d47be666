/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "memory.h"

#include "endlab/solve.h"

#include <unistd.h>

/*
 * The result has 2 bytes a position and plane. With each bit of a set go 2 bytes for what was found,
 * in each plane, and some 16 bits in bitmaps and schedules, for each side to move.
 */
uint64_t memory_of_solution(const struct el_slice *slice)
{
	uint64_t beside;
	const uint64_t bits = slice->game->set_bits(slice, &beside);
	return beside + 2 * slice->planes * slice->positions + 2 * bits * slice->planes +
	       2 * bits * 16 / 8;
}

enum el_status memory_of_pages(const struct el_slice *slice, uint64_t memory, uint64_t *pages,
                               struct el_error *error)
{
	(void)slice;
	(void)error;
	*pages = memory / 2;
	return EL_OK;
}

uint64_t memory_of_loan(const struct el_slice *slice)
{
	return 2 * slice->planes * slice->positions;
}

uint64_t memory_of_all(const struct el_slice *slice)
{
	struct el_slice successors[EL_SUCCESSORS_MAX];
	const size_t count = slice->game->successors(slice, successors);
	uint64_t bytes = memory_of_solution(slice);
	for (size_t i = 0; i < count; i++)
		bytes += memory_of_loan(&successors[i]);
	return bytes;
}

/* What the machine has, used or not; what is used may be given back. */
static uint64_t machine_bytes(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX;
}

enum el_status memory_check(const struct el_slice *slice, uint64_t bytes, struct el_error *error)
{
	const double gb = 1e9;
	const uint64_t there = machine_bytes();
	if (bytes <= there)
		return EL_OK;
	return el_fail(error, EL_NEGATIVE,
	               "%s needs about %.1f GB of memory to be solved; this machine has %.1f GB",
	               slice->name, (double)bytes / gb, (double)there / gb);
}
