/* SPDX-License-Identifier: MIT */
#include "memory.h"

#include "core/base/text.h"
#include "core/os/machine.h"
#include "shares.h"
#include "solve.h"

#include <omp.h>

/*
 * Memory has two peaks. At the first a solution has its sets: for each side to move the undecided,
 * blocked and not won positions, and those that passes find, which are many only in the first
 * passes. At the second the sets are gone, and it makes the planes, with 2 bytes a position, if
 * they are small or must be whole. At both it has the ledger: about a byte a bit, measured over all
 * slices of four pieces and some of five.
 */
enum {
	BITMAPS = 14,               /* both sides: five each, and those that live for two passes */
	FOUND_PER_1000_BITS = 1200, /* bytes of the ledger, conversions included */
	/* bytes on the disk, where ledger and sets are packed: 1.8 a bit in KRNvKNN dtm and awari:21,
	   0.7 in KNNNvKNN wdl */
	SCRATCH_PER_1000_BITS = 2000,
	/* of the bitmaps, those that a rank also has of units whose copies it keeps: what is not won, and
	   what the last pass found */
	BITMAPS_OF_COPIES = 6,
	/* bytes of results on their way from rank to rank, once for each that wants them; those of a plane
	   made of families, packed */
	SENT_PER_1000_BITS = 500,
	SENT_PER_1000_POSITIONS = 600,
	/* pages that a thread uses at once: those that a unit leads to, and its own */
	UNITS_AT_WORK = 2 * 9 + 6,
	/* a thread's bitmaps, its encoder's memory, and its list */
	BITMAPS_IN_WORKSPACE = 4 + 2 + 2,
	PROGRAM = 4 << 20,       /* bytes for everything else */
	LENT_WHOLE = 16 << 20,   /* planes of more bytes are lent in pieces */
	PLANES_WHOLE = 64 << 20, /* and larger new ones made in pieces */
	/* bytes up to which symbols by bit are written faster than a ledger: more memory than that
	   costs more than it saves */
	SYMBOLS_WHOLE = 32 << 20,
};

static uint64_t of_threads(const struct el_measure *m)
{
	return (uint64_t)omp_get_max_threads() * BITMAPS_IN_WORKSPACE * (m->unit_bits / 8);
}

static uint64_t of_peak(const struct el_slice *slice, struct el_measure m, bool planes)
{
	const uint64_t found = m.bits / 1000 * FOUND_PER_1000_BITS * 2, sets = BITMAPS * m.bits / 8;
	const uint64_t made =
		(uint64_t)omp_get_max_threads() * m.desk + (planes ? memory_of_loan(slice) : 0);
	return m.beside + of_threads(&m) + found + (sets > made ? sets : made);
}

uint64_t memory_of_solution(const struct el_slice *slice)
{
	const struct el_measure m = slice->game->measure(slice);
	return of_peak(slice, m, true);
}

bool memory_makes_planes(const struct el_slice *slice)
{
	return memory_of_loan(slice) <= PLANES_WHOLE;
}

bool memory_keeps_symbols(const struct el_slice *slice)
{
	return 2 * sizeof(uint16_t) * slice->game->measure(slice).bits <= SYMBOLS_WHOLE &&
	       memory_makes_planes(slice);
}

/* Under a metric by the clock, pawns stand still: only a family is solved at a time. */
static struct el_measure measure(const struct el_slice *slice, bool by_clock)
{
	struct el_measure m = slice->game->measure(slice);
	m.bits = by_clock ? m.family_bits : m.bits;
	return m;
}

/* Symbols and numbers of courses, by bit for a family and by index for the planes; and the courses. */
static uint64_t of_courses(const struct el_slice *slice, const struct el_measure *family)
{
	const uint64_t each = sizeof(uint16_t) + sizeof(uint32_t);
	return each * (2 * family->bits + slice->planes * slice->positions) + family->bits / 2;
}

uint64_t memory_of_build(const struct el_slice *slice, bool by_clock)
{
	const struct el_measure m = measure(slice, by_clock);
	return of_peak(slice, m, memory_makes_planes(slice)) +
	       (by_clock ? of_courses(slice, &m) : 0);
}

uint64_t memory_of_exchange(const struct el_slice *slice, const struct shares_measure *share,
                            unsigned ranks, uint64_t *to_first)
{
	const double results = share->is_by_units ? 2 * (double)slice->game->measure(slice).bits /
	                                                    1000 * SENT_PER_1000_BITS
	                                          : (double)(slice->positions * slice->planes) /
	                                                    1000 * SENT_PER_1000_POSITIONS;
	*to_first = (uint64_t)(results * (1 - 1.0 / ranks));
	return *to_first + (uint64_t)(results * share->sent);
}

/* Memory that does not depend on the number of pages. */
static uint64_t fixed_memory(const struct el_slice *slice)
{
	const struct el_measure m = slice->game->measure(slice);
	return PROGRAM + m.beside + of_threads(&m);
}

static uint64_t least_memory(const struct el_slice *slice)
{
	const struct el_measure m = slice->game->measure(slice);
	const uint64_t units = (uint64_t)omp_get_max_threads() * UNITS_AT_WORK * (m.unit_bits / 8);
	return fixed_memory(slice) + (units > m.desk ? units : m.desk);
}

/* Rounds up to whole megabytes, so that the amount named is enough. */
static enum el_status refuse(const struct el_slice *slice, uint64_t least, uint64_t memory,
                             struct el_error *error)
{
	return el_fail(error, EL_NEGATIVE,
	               "%s needs at least %.0f MB of memory, even with its sets on the disk; found "
	               "%.0f MB",
	               slice->name, (double)least / 1e6 + 1, (double)memory / 1e6);
}

enum el_status memory_of_pages(const struct el_slice *slice, uint64_t memory,
                               struct memory_pages *out, struct el_error *error)
{
	const struct el_measure m = slice->game->measure(slice);
	const uint64_t threads = (uint64_t)omp_get_max_threads();
	if (memory < least_memory(slice))
		return refuse(slice, least_memory(slice), memory, error);
	/* The rest is for lists, for pages in transit, and for writing at the end. */
	out->solving = (memory - fixed_memory(slice)) / 6 * 5;
	/* Sections are made in turn and read each result only once, so desks get up to half; at
	   least one desk is needed. */
	const uint64_t desks = out->solving / 2 / m.desk;
	out->desks = (unsigned)(desks < 1 ? 1 : desks < threads ? desks : threads);
	const uint64_t taken = out->desks * m.desk;
	out->writing = out->solving > taken ? out->solving - taken : 0;
	return EL_OK;
}

bool memory_is_large(const struct el_slice *slice)
{
	return memory_of_loan(slice) > LENT_WHOLE;
}

uint64_t memory_of_loan(const struct el_slice *slice)
{
	return 2 * slice->planes * slice->positions;
}

/* Bytes of the planes that a solution borrows: whole, and in pieces. */
static void loans_of(const struct el_slice *slice, uint64_t *whole, uint64_t *pieces)
{
	struct el_slice successors[EL_SUCCESSORS_MAX];
	const size_t count = slice->game->successors(slice, successors);
	*whole = *pieces = 0;
	for (size_t i = 0; i < count; i++)
		*(memory_is_large(&successors[i]) ? pieces : whole) +=
			memory_of_loan(&successors[i]);
}

uint64_t memory_of_loans(const struct el_slice *slice)
{
	uint64_t whole, pieces;
	loans_of(slice, &whole, &pieces);
	return whole + pieces;
}

uint64_t memory_of_all(const struct el_slice *slice)
{
	return memory_of_solution(slice) + memory_of_loans(slice);
}

uint64_t memory_of_scratch(const struct el_slice *slice, bool by_clock)
{
	const struct el_measure m = measure(slice, by_clock);
	return m.bits / 1000 * SCRATCH_PER_1000_BITS + (by_clock ? of_courses(slice, &m) : 0);
}

uint64_t memory_of_rank(const struct el_slice *slice, const struct shares_measure *share)
{
	const struct el_measure m = slice->game->measure(slice);
	const double own = BITMAPS - BITMAPS_OF_COPIES, copied = BITMAPS_OF_COPIES;
	const double bitmap = (double)m.bits / 8;
	const uint64_t sets = (uint64_t)(bitmap * (own * share->own + copied * share->held));
	/* what does not fit when rank 0 makes the planes is in files */
	const uint64_t made = m.desk + (memory_makes_planes(slice) ? memory_of_loan(slice) : 0);
	uint64_t whole, pieces;
	loans_of(slice, &whole, &pieces);
	if (!share->is_by_units)
		return memory_of_build(slice, false) + memory_of_loans(slice);
	const uint64_t bytes = fixed_memory(slice) + (sets > made ? sets : made);
	const uint64_t third = bytes / 3;
	return whole + bytes + (pieces < third ? pieces : third);
}

uint64_t memory_least(const struct el_slice *slice)
{
	uint64_t whole, pieces;
	loans_of(slice, &whole, &pieces);
	return whole + least_memory(slice) * (pieces ? 4 : 3) / 3;
}

/* Planes lent whole come first. A quarter of the rest, at most, goes to pieces and the remainder to
   the solution: conversions read a piece once or a few times, passes read pages again and again. */
enum el_status memory_share_out(const struct el_slice *slice, uint64_t memory,
                                struct memory_share *out, struct el_error *error)
{
	uint64_t whole, pieces;
	loans_of(slice, &whole, &pieces);
	if (memory < memory_least(slice))
		return refuse(slice, memory_least(slice), memory, error);
	const uint64_t quarter = (memory - whole) / 4;
	out->pieces = pieces < quarter ? pieces : quarter;
	out->solution = memory - whole - out->pieces;
	return EL_OK;
}

uint64_t memory_of_machine(void)
{
	struct machine_memory machine;
	machine_memory("", &machine);
	return machine.all;
}

uint64_t memory_usual(void)
{
	struct machine_memory machine;
	machine_memory("", &machine);
	return machine.free / 4 * 3;
}

enum el_status memory_check(const char *what, uint64_t bytes, struct el_error *error)
{
	char needed[EL_AMOUNT_MAX], all[EL_AMOUNT_MAX];
	struct machine_memory machine;
	machine_memory("", &machine);
	if (bytes <= machine.all)
		return EL_OK;
	el_bytes((double)machine.all, all);
	el_bytes((double)bytes, needed);
	return *machine.limit
	               ? el_fail(error, EL_NEGATIVE,
	                         "%s needs about %s of memory; this process may have %s (%s)", what,
	                         needed, all, machine.limit)
	               : el_fail(error, EL_NEGATIVE,
	                         "%s needs about %s of memory; this machine has %s", what, needed,
	                         all);
}
