/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pieces_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct piece {
	const struct el_planes *planes;
	unsigned plane;
	uint64_t first;
	size_t count, users;
	uint16_t *symbols;
	struct piece *next;
};

/* Planes as they are lent. */
struct bare {
	struct el_planes planes; /* first: a borrower's pointer is a pointer to it */
	const struct el_planes *all;
	size_t borrowers;
	struct bare *next;
};

struct pieces {
	struct solved *solved;
	struct bare *bare;
	struct piece *pieces;
	size_t looks;
};

struct pieces *pieces_open(struct solved *solved)
{
	struct pieces *p = calloc(1, sizeof *p);
	assert_non_null(p);
	p->solved = solved;
	return p;
}

size_t pieces_close(struct pieces *p)
{
	const size_t looks = p->looks;
	assert_null(p->pieces);
	for (struct bare *b = p->bare, *next; b; b = next) {
		next = b->next;
		assert_int_equal(b->borrowers, 0);
		free(b);
	}
	free(p);
	return looks;
}

static enum el_status lend(void *context, const struct el_slice *slice,
                           const struct el_metric *metric, const struct el_planes **out,
                           struct el_error *error)
{
	struct pieces *p = context;
	const struct el_planes *all = solved_of(p->solved, slice, el_metric_entered(metric));
	struct bare *b = p->bare;
	(void)error;
	while (b && b->all != all)
		b = b->next;
	if (!b) {
		b = malloc(sizeof *b);
		assert_non_null(b);
		*b = (struct bare){.planes = *all, .all = all, .next = p->bare};
		for (unsigned i = 0; i < all->slice.planes; i++)
			b->planes.plane[i].symbols = NULL;
		p->bare = b;
	}
	b->borrowers++;
	*out = &b->planes;
	return EL_OK;
}

static void give_back(void *context, const struct el_planes *planes)
{
	(void)context;
	((struct bare *)(uintptr_t)planes)->borrowers--;
}

static struct piece **find(struct pieces *p, const struct el_planes *planes, unsigned plane,
                           uint64_t first)
{
	struct piece **link = &p->pieces;
	while (*link && ((*link)->planes != planes || (*link)->plane != plane || (*link)->first != first))
		link = &(*link)->next;
	return link;
}

/* No more than there are; a copy, so that reading beyond them is an error that sanitizers see. */
static struct piece *cut(const struct el_planes *planes, unsigned plane, uint64_t first, size_t count)
{
	const struct el_planes *all = ((const struct bare *)planes)->all;
	const uint64_t rest = all->slice.positions - first;
	const size_t there = rest < count ? (size_t)rest : count;
	struct piece *piece = malloc(sizeof *piece);
	*piece = (struct piece){planes, plane, first, there, 0, malloc(there * sizeof(uint16_t)), NULL};
	memcpy(piece->symbols, all->plane[plane].symbols + first, there * sizeof(uint16_t));
	return piece;
}

static const uint16_t *look(void *context, const struct el_planes *planes, unsigned plane,
                            uint64_t first, size_t count)
{
	struct pieces *p = context;
	const uint16_t *symbols = NULL;
#pragma omp critical(pieces)
	if (first % count == 0 && first < planes->slice.positions) {
		struct piece **link = find(p, planes, plane, first);
		if (!*link)
			*link = cut(planes, plane, first, count);
		(*link)->users++;
		p->looks++;
		symbols = (*link)->symbols;
	}
	return symbols;
}

static void let_go(void *context, const struct el_planes *planes, unsigned plane, uint64_t first,
                   size_t count)
{
	struct pieces *p = context;
	(void)count;
#pragma omp critical(pieces)
	{
		struct piece **link = find(p, planes, plane, first), *piece = *link;
		if (--piece->users == 0) {
			*link = piece->next;
			memset(piece->symbols, 0, piece->count * sizeof(uint16_t));
			free(piece->symbols);
			free(piece);
		}
	}
}

static enum el_status check(void *context, struct el_error *error)
{
	(void)context;
	(void)error;
	return EL_OK;
}

struct el_lender pieces_lender(struct pieces *p)
{
	return (struct el_lender){p, lend, give_back, look, let_go, check};
}
