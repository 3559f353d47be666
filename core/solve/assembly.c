/* SPDX-License-Identifier: MIT */
#include "assembly.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* ---- families ---- */

enum el_status family_open(struct family *f, size_t parts, bool courses)
{
	*f = (struct family){.sets = calloc(parts, sizeof *f->sets),
	                     .symbols = calloc(parts, sizeof *f->symbols),
	                     .courses = courses ? calloc(parts, sizeof *f->courses) : NULL,
	                     .parts = parts};
	return f->sets && f->symbols && (f->courses || !courses) ? EL_OK : EL_MEMORY;
}

void family_close(struct family *f)
{
	for (size_t i = 0; f->symbols && i < 2 * f->parts; i++)
		paged_close(&f->symbols[i / 2][i % 2]);
	for (size_t i = 0; f->courses && i < 2 * f->parts; i++)
		paged_close(&f->courses[i / 2][i % 2]);
	for (size_t i = 0; f->sets && i < f->parts; i++)
		if (f->sets[i])
			f->sets[i]->close(f->sets[i]);
	free(f->symbols);
	free(f->courses);
	free(f->sets);
}

static const uint16_t *look(void *context, size_t part, unsigned side, size_t unit)
{
	struct family *f = context;
	struct paged *pages = &f->symbols[part][side];
	return pages->page ? page_read(pages, unit) : NULL;
}

static void give_back(void *context, size_t part, unsigned side, size_t unit)
{
	struct family *f = context;
	page_release(&f->symbols[part][side], unit);
}

struct el_found family_found(struct family *f)
{
	return (struct el_found){f, look, give_back};
}

/* ---- desks ---- */

struct desk {
	struct encoder encoder;
	uint16_t *by_bit;  /* symbols of all units of a section, in bit order; owned */
	uint16_t *section; /* by index; owned */
};

/* Sections have the same bounds in all parts. */
static enum el_status list_sections(struct assembly *a, const struct el_sets *sets)
{
	if (a->start)
		return EL_OK;
	a->section_count = sets->sections;
	a->start = malloc((sets->sections + 1) * sizeof *a->start);
	for (size_t i = 0; a->start && i <= sets->sections; i++)
		a->start[i] = sets->section(sets, i);
	return a->start ? EL_OK : EL_MEMORY;
}

/* The positions of the largest section. */
static size_t largest_section(const struct assembly *a)
{
	uint64_t most = 0;
	for (size_t i = 0; i < a->section_count; i++)
		most = a->start[i + 1] - a->start[i] > most ? a->start[i + 1] - a->start[i] : most;
	return (size_t)most;
}

static void desks_close(struct assembly *a)
{
	for (unsigned t = 0; a->desks && t < a->threads; t++) {
		encoder_close(&a->desks[t].encoder);
		free(a->desks[t].by_bit);
		free(a->desks[t].section);
	}
	free(a->desks);
	a->desks = NULL;
}

/* `section`: each desk also gets a buffer for one. Opens all desks or none. */
static enum el_status desks_open(struct assembly *a, bool section)
{
	const struct el_sets *sets = a->part ? a->part->sets : NULL;
	size_t most = 0; /* units that any section gathers from */
	for (size_t i = 0; sets && i < 2 * sets->sections; i++) {
		uint32_t list[EL_LINKS_MAX];
		const unsigned side = i % 2 && a->slice.planes > 1;
		const size_t units = sets->section_units(sets, side, i / 2, list);
		most = units > most ? units : most;
	}
	const size_t bits = sets ? most * sets->stored_words * 64 : 1;
	const size_t positions = section ? largest_section(a) : 1;
	a->threads = a->section_count > 1 ? a->desks_most : 1;
	a->desks = calloc(a->threads, sizeof *a->desks);
	enum el_status status = a->desks ? EL_OK : EL_MEMORY;
	for (unsigned t = 0; t < a->threads && !status; t++) {
		struct desk *d = &a->desks[t];
		d->by_bit = malloc(bits * sizeof *d->by_bit);
		d->section = malloc(positions * sizeof *d->section);
		status = d->by_bit && d->section ? encoder_open(&d->encoder, sets ? sets->words : 1)
		                                 : EL_MEMORY;
	}
	if (status)
		desks_close(a);
	return status;
}

static void rename_all(const struct assembly *a, unsigned side, uint16_t *symbols, uint64_t count)
{
	const uint16_t *renamed = a->recorder->renamed[side];
	for (uint64_t i = 0; i < count; i++)
		symbols[i] = renamed[symbols[i]];
}

/* ---- one part ---- */

/* False if the part's ledger or pages cannot be read. */
static bool make_section(const struct assembly *a, struct desk *d, unsigned side, size_t section,
                         uint16_t *out)
{
	const struct el_sets *sets = a->part->sets;
	uint32_t unit[EL_LINKS_MAX];
	const uint16_t *by_bit[EL_LINKS_MAX];
	const size_t count = sets->section_units(sets, side, section, unit);
	bool good = true;
	for (size_t k = 0; k < count && good; k++) {
		uint16_t *symbols = d->by_bit + k * sets->stored_words * 64;
		good = part_symbols(a->part, &d->encoder, side, unit[k], a->recorder->renamed[side],
		                    symbols);
		by_bit[k] = symbols;
	}
	if (good)
		sets->gather(sets, side, section, by_bit, out);
	return good;
}

static enum el_status check(const struct assembly *a, struct el_error *error)
{
	enum el_status status = scratch_check(a->scratch, error);
	if (!status && a->part)
		status = ledger_check(&a->part->found, a->slice.name, error);
	return status;
}

static enum el_status finish_part(struct assembly *a, struct el_planes *planes,
                                  struct el_error *error)
{
	enum el_status status = desks_open(a, false);
	for (unsigned side = 0; side < a->slice.planes && !status; side++) {
		uint16_t *symbols = malloc(a->slice.positions * sizeof *symbols);
		planes->plane[side].symbols = symbols;
		if (!symbols) {
			status = EL_MEMORY;
			break;
		}
#pragma omp parallel for schedule(dynamic, 1) num_threads(a->threads)
		for (size_t i = 0; i < a->section_count; i++)
			make_section(a, &a->desks[omp_get_thread_num()], side, i,
			             symbols + a->start[i]);
	}
	desks_close(a);
	if (status)
		return el_fail(error, status, "%s: out of memory", a->slice.name);
	return check(a, error);
}

/* ---- families into planes ---- */

/* Allocates the planes with every index broken; some indexes belong to no part. */
static enum el_status make_room(struct assembly *a, const struct el_sets *sets)
{
	enum el_status status = EL_OK;
#pragma omp critical(assembly)
	{
		status = list_sections(a, sets);
		const size_t size = status ? 0 : largest_section(a) * sizeof(uint16_t);
		if (!a->nothing)
			a->nothing = calloc(64 * sets->stored_words, sizeof *a->nothing);
		status = a->nothing ? status : EL_MEMORY;
		for (unsigned side = 0; side < a->slice.planes && !status; side++) {
			if (a->in_memory && !a->symbols[side]) {
				a->symbols[side] =
					calloc(a->slice.positions, sizeof *a->symbols[side]);
				status = a->symbols[side] ? EL_OK : EL_MEMORY;
			} else if (!a->in_memory && !a->sections[side].page) {
				status = paged_open(&a->sections[side], a->scratch,
				                    a->section_count, size);
			}
			if (a->has_courses && !status && !a->numbers[side].page)
				status = paged_open(&a->numbers[side], a->scratch, a->section_count,
				                    2 * size);
		}
	}
	return status;
}

/* Gathers a section from all parts of a family: it stays in the processor's cache meanwhile. Numbers of
   courses have two `halves`, one after the other: the game reorders symbols. */
static void gather(struct assembly *a, struct family *f, struct paged (*of)[2], unsigned halves,
                   unsigned side, size_t section, uint16_t *out)
{
	const size_t size = (size_t)(a->start[section + 1] - a->start[section]);
	for (size_t part = 0; part < f->parts; part++) {
		const struct el_sets *sets = f->sets[part];
		uint32_t unit[EL_LINKS_MAX];
		const uint16_t *page[EL_LINKS_MAX], *by_bit[EL_LINKS_MAX];
		const size_t count = sets ? sets->section_units(sets, side, section, unit) : 0;
		struct paged *pages = &of[part][side];
		size_t filled = 0;
		for (size_t k = 0; k < count; k++) {
			page[k] = pages->page ? page_read(pages, unit[k]) : NULL;
			filled += page[k] != NULL;
		}
		for (unsigned half = 0; half < halves && filled; half++) {
			for (size_t k = 0; k < count; k++)
				by_bit[k] =
					page[k] ? page[k] + half * 64 * sets->words : a->nothing;
			sets->gather(sets, side, section, by_bit, out + half * size);
		}
		for (size_t k = 0; k < count; k++)
			if (page[k])
				page_release(pages, unit[k]);
	}
}

static void gather_page(struct assembly *a, struct family *f, struct paged (*of)[2],
                        unsigned halves, unsigned side, size_t section, struct paged *to)
{
	uint16_t *out = to->limited ? page_write(to, section) : NULL;
	/* Threads may fill a page from different families at once; the first clears it. */
	if (!to->limited)
#pragma omp critical(assembly)
		out = page_write(to, section);
	if (!out)
		return;
	gather(a, f, of, halves, side, section, out);
	page_release(to, section);
}

enum el_status assembly_add(struct assembly *a, struct family *f, bool shared,
                            struct el_error *error)
{
	enum el_status status = EL_OK;
	size_t part = 0;
	while (part < f->parts && !f->sets[part])
		part++;
	if (part == f->parts)
		return EL_OK;
	status = make_room(a, f->sets[part]);
	for (unsigned side = 0; side < a->slice.planes && !status; side++) {
#pragma omp parallel for schedule(dynamic, 1) if (shared)
		for (size_t section = 0; section < a->section_count; section++) {
			if (a->in_memory)
				gather(a, f, f->symbols, 1, side, section,
				       a->symbols[side] + a->start[section]);
			else
				gather_page(a, f, f->symbols, 1, side, section, &a->sections[side]);
			if (a->has_courses)
				gather_page(a, f, f->courses, 2, side, section, &a->numbers[side]);
		}
	}
	return status ? el_fail(error, status, "%s: out of memory", a->slice.name)
	              : check(a, error);
}

/* ---- among ranks ---- */

enum { SHARE_VALUE, SHARE_SECTION };

struct merging {
	struct assembly *assembly;
	struct shares shares; /* only to send: no unit has an owner here */
	uint16_t *renamed[2]; /* [rank * SYMBOLS_MAX + symbol] of its symbols: those here; owned */
	uint16_t *symbols;    /* of a section; owned */
	uint8_t *packed;      /* the same as a frame of zstd; owned */
	size_t room;          /* bytes for that */
	unsigned passes;
	bool good;
};

static void put_value(void *context, size_t item)
{
	struct merging *m = context;
	struct recorder *r = m->assembly->recorder;
	const unsigned side = item >= r->meanings[0].count;
	const size_t symbol = side ? item - r->meanings[0].count : item;
	const struct share share = {.kind = SHARE_VALUE,
	                            .side = (uint8_t)side,
	                            .unit = (uint32_t)symbol,
	                            .tag = {.ply = (uint16_t)m->passes,
	                                    .value = r->meanings[side].values[symbol],
	                                    .stored = r->meanings[side].stored[symbol]}};
	shares_send(&m->shares, 0, NULL, 0, &share);
}

static void put_section(void *context, size_t item)
{
	struct merging *m = context;
	struct assembly *a = m->assembly;
	const unsigned side = item >= a->section_count;
	const size_t section = item % a->section_count;
	const size_t count = (size_t)(a->start[section + 1] - a->start[section]);
	const uint16_t *symbols = a->in_memory ? a->symbols[side] + a->start[section]
	                                       : page_read(&a->sections[side], section);
	uint64_t any = 0;
	for (size_t i = 0; i < count && symbols; i++)
		any |= symbols[i];
	if (any) {
		const size_t got =
			ZSTD_compress(m->packed, m->room, symbols, count * sizeof *symbols, 1);
		m->good &= !ZSTD_isError(got);
		shares_send(&m->shares, 0, m->packed, ZSTD_isError(got) ? 0 : got,
		            &(struct share){.kind = SHARE_SECTION,
		                            .side = (uint8_t)side,
		                            .unit = (uint32_t)section});
	}
	if (symbols && !a->in_memory)
		page_release(&a->sections[side], section);
}

static void take_merged(void *context, const struct share *share, const uint8_t *bytes)
{
	struct merging *m = context;
	struct assembly *a = m->assembly;
	uint16_t *renamed = m->renamed[share->side] + (size_t)share->from * SYMBOLS_MAX;
	if (share->kind == SHARE_VALUE) {
		m->passes = share->tag.ply > m->passes ? share->tag.ply : m->passes;
		renamed[share->unit] = recorder_symbol(a->recorder, share->side, share->tag.value,
		                                       share->tag.stored);
		return;
	}
	const size_t count = (size_t)(a->start[share->unit + 1] - a->start[share->unit]);
	const size_t size = count * sizeof *m->symbols;
	m->good &= ZSTD_decompress(m->symbols, size, bytes, share->size) == size;
	uint16_t *out = a->in_memory ? a->symbols[share->side] + a->start[share->unit]
	                             : page_write(&a->sections[share->side], share->unit);
	for (size_t i = 0; i < count && out && m->good; i++)
		if (m->symbols[i])
			out[i] = renamed[m->symbols[i]];
	if (out && !a->in_memory)
		page_release(&a->sections[share->side], share->unit);
}

enum el_status assembly_merge(struct assembly *a, struct ranks *ranks, unsigned *passes,
                              struct el_error *error)
{
	const bool first = ranks->rank == 0, sends = !first && a->start;
	const size_t size = a->start ? largest_section(a) * sizeof(uint16_t) : 0;
	const size_t names = first ? (size_t)ranks->count * SYMBOLS_MAX : 1;
	struct merging m = {.assembly = a,
	                    .shares = {.ranks = ranks},
	                    .room = ZSTD_compressBound(size),
	                    .symbols = malloc(size + 1),
	                    .passes = *passes};
	m.packed = malloc(m.room);
	for (unsigned side = 0; side < 2; side++)
		m.renamed[side] = malloc(names * sizeof *m.renamed[side]);
	m.good = m.symbols && m.packed && m.renamed[0] && m.renamed[1];
	enum el_status status = m.good ? EL_OK : el_fail(error, EL_MEMORY, "out of memory");
	status = ranks_agree(ranks, status, NULL, 0, error);
	if (!status) {
		const struct recorder *r = a->recorder;
		shares_exchange(&m.shares, sends ? r->meanings[0].count + r->meanings[1].count : 0,
		                NULL, &m, put_value, take_merged);
		shares_exchange(&m.shares, sends ? a->slice.planes * a->section_count : 0, NULL, &m,
		                put_section, take_merged);
		if (m.shares.lacks_memory || !m.good)
			status = el_fail(error, EL_MEMORY, "%s: out of memory for what ranks send",
			                 a->slice.name);
		status = ranks_agree(ranks, status ? status : check(a, error), NULL, 0, error);
	}
	*passes = m.passes;
	free(m.symbols);
	free(m.packed);
	free(m.renamed[0]);
	free(m.renamed[1]);
	return status;
}

enum el_status assembly_finish(struct assembly *a, struct el_planes *planes, struct el_error *error)
{
	if (a->part && list_sections(a, a->part->sets))
		return el_fail(error, EL_MEMORY, "%s: out of memory", a->slice.name);
	if (!a->in_memory)
		return EL_OK;
	if (a->part)
		return finish_part(a, planes, error);
	for (unsigned side = 0; side < a->slice.planes; side++) {
		uint16_t *symbols = a->symbols[side];
		planes->plane[side].symbols = symbols;
		a->symbols[side] = NULL;
#pragma omp parallel for schedule(static)
		for (uint64_t first = 0; first < a->slice.positions; first += 1 << 16) {
			const uint64_t rest = a->slice.positions - first;
			rename_all(a, side, symbols + first, rest < 1 << 16 ? rest : 1 << 16);
		}
		if (!a->has_courses)
			continue;
		uint32_t *course = malloc(a->slice.positions * sizeof *course);
		planes->plane[side].course = course;
		if (!course)
			return el_fail(error, EL_MEMORY, "%s: out of memory", a->slice.name);
		const enum el_status status = assembly_read_courses(
			a, side, 0, (size_t)a->slice.positions, course, error);
		if (status)
			return status;
	}
	return EL_OK;
}

/* ---- in pieces ---- */

/* Makes sections `first` and up the current ones, one for each thread. */
static enum el_status fetch(struct assembly *a, unsigned plane, size_t first,
                            struct el_error *error)
{
	const size_t left = a->section_count - first;
	a->plane = plane;
	a->first = first;
	a->count = left < a->threads ? left : a->threads;
#pragma omp parallel for schedule(static, 1) num_threads(a->threads)
	for (size_t i = 0; i < a->count; i++) {
		const size_t section = first + i;
		const size_t count = (size_t)(a->start[section + 1] - a->start[section]);
		uint16_t *out = a->desks[i].section;
		if (a->part) {
			make_section(a, &a->desks[i], plane, section, out);
			continue;
		}
		const uint16_t *symbols = page_read(&a->sections[plane], section);
		memset(out, 0, count * sizeof *out);
		if (!symbols)
			continue;
		memcpy(out, symbols, count * sizeof *out);
		page_release(&a->sections[plane], section);
		rename_all(a, plane, out, count);
	}
	return check(a, error);
}

enum el_status assembly_read(struct assembly *a, unsigned plane, uint64_t first, size_t count,
                             uint16_t *symbols, struct el_error *error)
{
	enum el_status status = EL_OK;
	if (!a->desks) {
		scratch_limit(a->scratch, a->pages);
		if (desks_open(a, true))
			return el_fail(error, EL_MEMORY, "%s: out of memory", a->slice.name);
	}
	while (count && !status) {
		const bool on = a->count && plane == a->plane && first >= a->start[a->first];
		size_t section = on ? a->first : 0;
		while (a->start[section + 1] <= first)
			section++;
		if (!on || section >= a->first + a->count)
			status = fetch(a, plane, section, error);
		if (status)
			break;
		const uint64_t begin = a->start[section], rest = a->start[section + 1] - first;
		const size_t now = rest < count ? (size_t)rest : count;
		memcpy(symbols, a->desks[section - a->first].section + (first - begin),
		       now * sizeof *symbols);
		symbols += now;
		first += now;
		count -= now;
	}
	return status;
}

enum el_status assembly_read_courses(struct assembly *a, unsigned plane, uint64_t first,
                                     size_t count, uint32_t *numbers, struct el_error *error)
{
	size_t section = 0;
	memset(numbers, 0, count * sizeof *numbers);
	while (a->start[section + 1] <= first)
		section++;
	for (; section < a->section_count && a->start[section] < first + count; section++) {
		const uint64_t start = a->start[section], end = a->start[section + 1];
		const uint64_t from = start > first ? start : first;
		const uint64_t to = end < first + count ? end : first + count;
		const uint16_t *halves = page_read(&a->numbers[plane], section);
		for (uint64_t i = from; i < to && halves; i++)
			numbers[i - first] =
				halves[i - start] | (uint32_t)halves[end - start + i - start] << 16;
		if (halves)
			page_release(&a->numbers[plane], section);
	}
	return check(a, error);
}

void assembly_close(struct assembly *a)
{
	desks_close(a);
	free(a->start);
	free(a->nothing);
	for (unsigned side = 0; side < 2; side++) {
		free(a->symbols[side]);
		paged_close(&a->sections[side]);
		paged_close(&a->numbers[side]);
	}
}
