/* SPDX-License-Identifier: MIT */
#include "lender.h"

#include "core/library/copies.h"
#include "core/solve/memory.h"
#include "core/solve/solve.h"
#include "loan.h"
#include "whole.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

/* ---- planes from the library ---- */

uint64_t planes_bytes(const struct el_planes *planes)
{
	uint64_t bytes = 0;
	for (unsigned i = 0; i < planes->slice.planes; i++)
		bytes += planes->slice.positions * (sizeof *planes->plane[i].symbols +
		                                    (planes->plane[i].derivable != NULL)) +
		         planes->plane[i].value_count * sizeof *planes->plane[i].values;
	return bytes;
}

/* Is there no table to read? Then another one may have the values. */
static bool is_lacking(struct el_library *library, const struct el_slice *slice,
                       const struct el_metric *metric, enum el_status status)
{
	return status == EL_NEGATIVE || (status && el_library_find(library, slice, metric, NULL));
}

/* The planes wanted. */
struct wanted {
	struct el_library *library;
	const struct el_slice *slice;
	const struct el_metric *metric;
	bool bounds;                  /* bounds are enough */
	bool own;                     /* do not read tables of other programs */
	const struct el_watch *watch; /* follows the reading; may be null */
	/* of what completes a table that leaves values to be derived; null: the library */
	const struct el_lender *lender;
};

/* Reads only the table of `from`. */
static enum el_status read_off(const struct wanted *w, const struct el_metric *from,
                               struct el_planes *out, struct el_error *error)
{
	struct el_planes planes;
	enum el_status status = library_planes_lent(w->library, w->slice, from, w->lender, w->watch,
	                                            &planes, error);
	if (status)
		return status;
	if (el_planes_partial(&planes)) {
		status = el_fail(error, EL_NEGATIVE, "%s: its %s table holds bounds",
		                 w->slice->name, from->name);
	} else if (planes.rounded && w->metric->has_depth) {
		status = el_fail(error, EL_NEGATIVE, "%s: its %s table rounds plies to moves",
		                 w->slice->name, from->name);
	} else if (from == w->metric) {
		*out = planes;
		return EL_OK;
	} else {
		status = el_planes_read(&planes, w->metric, out, error);
	}
	el_planes_free(&planes);
	return status;
}

enum el_status planes_read_off(struct el_library *library, const struct el_slice *slice,
                               const struct el_metric *from, const struct el_metric *metric,
                               const struct el_lender *lender, const struct el_watch *watch,
                               struct el_planes *out, struct el_error *error)
{
	const struct wanted wanted = {
		.library = library,
		.slice = slice,
		.metric = metric,
		.watch = watch,
		.lender = lender,
	};
	return read_off(&wanted, from, out, error);
}

/* Reads the first table that determines the metric; among ours, other than the metric's own. If
   none can be read, returns the error of a file that should be one, or the reason why a table of
   theirs cannot be used. */
static enum el_status obtain_told_by(const struct wanted *w, bool theirs, struct el_planes *out,
                                     struct el_error *error)
{
	enum el_status found = el_fail(error, EL_NEGATIVE, "%s: no other table tells %s",
	                               w->slice->name, w->metric->name);
	const struct el_metric *from = NULL;
	while ((from = el_library_next_metric(w->library, w->slice, from))) {
		struct el_error one;
		const bool foreign = el_library_only_foreign(w->library, w->slice, from);
		if (foreign != theirs || (from == w->metric && !foreign) ||
		    !el_metric_tells(from, w->metric))
			continue;
		enum el_status status = read_off(w, from, out, &one);
		if (!status)
			return EL_OK;
		if (!is_lacking(w->library, w->slice, from, status))
			return el_fail(error, status, "%s", one.text);
		if (found == EL_NEGATIVE && (status != EL_NEGATIVE || foreign))
			found = el_fail(error, status, "%s", one.text);
	}
	return found;
}

/* Ours first. Theirs do not replace one of ours that cannot be read. */
static enum el_status obtain_told(const struct wanted *w, struct el_planes *out,
                                  struct el_error *error)
{
	enum el_status status = obtain_told_by(w, false, out, error);
	return status == EL_NEGATIVE && !w->own ? obtain_told_by(w, true, out, error) : status;
}

static enum el_status obtain(const struct wanted *w, struct el_planes *out, struct el_error *error)
{
	struct el_error other;
	if (el_library_only_foreign(w->library, w->slice, w->metric))
		return obtain_told(w, out, error);
	enum el_status status = library_planes_lent(w->library, w->slice, w->metric, w->lender,
	                                            w->watch, out, error);
	if (status == EL_OK && el_planes_partial(out)) {
		/* replace them with those of a complete table, if there is one */
		struct el_planes exact;
		status = obtain_told(w, &exact, error);
		if (status == EL_NEGATIVE && w->bounds)
			return EL_OK;
		if (status == EL_NEGATIVE)
			el_fail(error, status,
			        "%s: its table holds bounds, and no other table the outcomes",
			        out->slice.name);
		el_planes_free(out);
		if (!status)
			*out = exact;
		return status;
	}
	if (status == EL_OK || !is_lacking(w->library, w->slice, w->metric, status))
		return status;
	enum el_status found = obtain_told(w, out, &other);
	if (found == EL_OK)
		return EL_OK;
	/* An error of the metric's own table is more useful than that of another one. */
	return status != EL_NEGATIVE || found == EL_NEGATIVE
	               ? status
	               : el_fail(error, found, "%s", other.text);
}

enum el_status planes_obtain(struct el_library *library, const struct el_slice *slice,
                             const struct el_metric *metric, struct el_planes *out,
                             struct el_error *error)
{
	return obtain(&(struct wanted){.library = library, .slice = slice, .metric = metric}, out,
	              error);
}

enum el_status planes_obtain_bounds(struct el_library *library, const struct el_slice *slice,
                                    const struct el_metric *metric, struct el_planes *out,
                                    struct el_error *error)
{
	const struct wanted wanted = {
		.library = library, .slice = slice, .metric = metric, .bounds = true};
	return obtain(&wanted, out, error);
}

/* ---- the lender ---- */

struct shelf {
	struct el_planes planes; /* first: a borrower's pointer is a pointer to its shelf */
	/* its planes are read on request; null: they are in memory */
	struct loan *loan;
	struct shelf *next; /* the most recently used first */
	uint64_t bytes;
	bool partial;
	unsigned borrowers;
};

struct lender {
	pthread_mutex_t lock; /* protects everything below; not held while tables are read */
	struct el_library *library;
	const struct el_watch *watch;
	struct shelf *shelves;
	uint64_t bytes;          /* of all shelves */
	bool bounds;             /* lend partial planes too */
	bool own;                /* do not read other programs' tables */
	bool limited;            /* keep little */
	const char *copies;      /* as in lender_set_copies */
	struct scratch *scratch; /* of planes that are lent in pieces */
};

struct lender *lender_open(struct el_library *library, const struct el_watch *watch)
{
	struct lender *l = malloc(sizeof *l);
	if (!l)
		return NULL;
	*l = (struct lender){.library = library, .watch = watch};
	if (scratch_open(NULL, SCRATCH_UNLIMITED, &l->scratch, NULL)) {
		free(l);
		return NULL;
	}
	pthread_mutex_init(&l->lock, NULL);
	copies_hold(library_copies(library));
	return l;
}

void lender_accept_bounds(struct lender *l, bool bounds)
{
	l->bounds = bounds;
}

void lender_read_from(struct lender *l, bool own, const struct el_watch *watch)
{
	l->own = own;
	l->watch = watch;
}

void lender_set_copies(struct lender *l, const char *folder)
{
	l->copies = folder;
}

/* Null: there is none. `is_made`: it is made, if it can be. */
static const char *copies_of(const struct lender *l, bool is_made)
{
	struct copies *copies = library_copies(l->library);
	if (!l->copies && is_made)
		copies_make(copies, el_library_directory(l->library), NULL);
	return l->copies ? l->copies : copies_folder(copies);
}

/* Frees shelves that are on the list no more. Not under the lock: a loan gives back what it has
   borrowed. */
static void free_shelves(struct shelf *s)
{
	while (s) {
		struct shelf *next = s->next;
		if (s->loan)
			loan_close(s->loan); /* which owns the planes */
		else
			el_planes_free(&s->planes);
		free(s->loan);
		free(s);
		s = next;
	}
}

/* Moves the shelf that a link leads to to another list. */
static void shelf_drop(struct lender *l, struct shelf **link, struct shelf **dropped)
{
	struct shelf *s = *link;
	*link = s->next;
	l->bytes -= s->bytes;
	s->next = *dropped;
	*dropped = s;
}

enum el_status lender_limit(struct lender *l, size_t bytes, struct el_error *error)
{
	l->limited = bytes != SIZE_MAX;
	scratch_close(l->scratch); /* loans are dropped when nobody borrows them */
	l->scratch = NULL;
	return scratch_open(NULL, l->limited ? bytes : SCRATCH_UNLIMITED, &l->scratch, error);
}

void lender_close(struct lender *l)
{
	if (!l)
		return;
	free_shelves(l->shelves);
	scratch_close(l->scratch);
	copies_let_go(library_copies(l->library));
	pthread_mutex_destroy(&l->lock);
	free(l);
}

enum el_status lender_solve(struct el_library *library, const struct el_watch *watch,
                            struct el_problem problem, struct el_planes *out,
                            struct el_error *error)
{
	struct lender *l = lender_open(library, watch);
	enum el_status status =
		l ? lender_limit(l, memory_of_loans(&problem.slice), error)
		  : el_fail(error, EL_MEMORY, "%s: out of memory", problem.slice.name);
	if (!status) {
		const struct el_lender lends = lender_interface(l);
		problem.lender = &lends;
		status = el_solve(&problem, out, error);
	}
	lender_close(l);
	return status;
}

/* Returns the shelves dropped, for free_shelves. */
static struct shelf *make_room(struct lender *l)
{
	struct shelf *dropped = NULL;
	while (l->bytes > (l->limited ? LENDER_LITTLE : LENDER_BUDGET)) {
		struct shelf **oldest = NULL; /* of those that nobody has borrowed */
		for (struct shelf **link = &l->shelves; *link; link = &(*link)->next)
			if (!(*link)->borrowers)
				oldest = link;
		if (!oldest)
			break;
		shelf_drop(l, oldest, &dropped);
	}
	return dropped;
}

static struct shelf *shelf_put(struct lender *l, struct shelf *s)
{
	s->next = l->shelves;
	return l->shelves = s;
}

/* Makes a shelf that is not on the list yet. The scratch counts the bytes of a loan. */
static struct shelf *shelf_new(const struct el_planes *planes, struct loan *loan)
{
	struct shelf *s = malloc(sizeof *s);
	if (!s)
		return NULL;
	*s = (struct shelf){
		.planes = *planes,
		.loan = loan,
		.bytes = loan ? 0 : planes_bytes(planes),
		.partial = el_planes_partial(planes),
	};
	return s;
}

void lender_keep(struct lender *l, struct el_planes *planes)
{
	struct shelf *s = shelf_new(planes, NULL);
	if (!s)
		el_planes_free(planes); /* it can be read again */
	*planes = (struct el_planes){0};
	if (!s)
		return;
	pthread_mutex_lock(&l->lock);
	l->bytes += s->bytes;
	shelf_put(l, s);
	s = make_room(l);
	pthread_mutex_unlock(&l->lock);
	free_shelves(s);
}

/* What is to be lent piece by piece: the table of a slice and metric; or, if there are any, planes with
   a reader, or the file at `path`. */
struct piecemeal {
	const struct el_slice *slice;
	const struct el_metric *metric;
	const struct el_planes *planes;
	const char *path;
};

/* EL_NEGATIVE if there is none. */
static enum el_status shelf_borrow(struct lender *l, const struct piecemeal *what,
                                   struct shelf **out, struct el_error *error)
{
	const char *name = what->path     ? what->path
	                   : what->planes ? what->planes->slice.name
	                                  : what->slice->name;
	struct loan *loan = malloc(sizeof *loan);
	if (!loan)
		return el_fail(error, EL_MEMORY, "out of memory for %s", name);
	const struct el_lender lender = lender_interface(l);
	enum el_status status =
		what->planes ? loan_open_reader(loan, what->planes, l->scratch, error)
		: what->path ? loan_open_file(loan, what->path, &lender, l->scratch, error)
			     : loan_open(loan, l->library, copies_of(l, false), &lender,
	                                 what->slice, what->metric, l->scratch, error);
	if (status) {
		free(loan);
		return status;
	}
	*out = shelf_new(&loan->planes, loan);
	if (*out)
		return EL_OK;
	loan_close(loan);
	free(loan);
	return el_fail(error, EL_MEMORY, "out of memory for %s", name);
}

static enum el_status shelf_read(struct lender *l, const struct el_slice *slice,
                                 const struct el_metric *metric, struct shelf **out,
                                 struct el_error *error)
{
	struct el_planes planes;
	enum el_status status =
		shelf_borrow(l, &(struct piecemeal){.slice = slice, .metric = metric}, out, error);
	if (status != EL_NEGATIVE)
		return status;
	const struct el_lender self = lender_interface(l);
	const struct wanted wanted = {
		.library = l->library,
		.slice = slice,
		.metric = metric,
		.bounds = l->bounds,
		.own = l->own,
		.watch = l->watch,
		.lender = l->bounds ? NULL : &self, /* bounds complete nothing */
	};
	status = obtain(&wanted, &planes, error);
	if (status != EL_OK)
		return status;
	/* What took long to read is then read from its copy. Without room for one, it stays in memory. */
	const char *copies = planes.origin.is_derived && planes_bytes(&planes) > LENDER_LITTLE
	                             ? copies_of(l, true)
	                             : NULL;
	if (copies) {
		char path[PATH_MAX];
		el_table_file_name(el_library_directory(l->library), slice, metric, path,
		                   sizeof path);
		if (!loan_copy(copies, path, &planes, l->watch, NULL) &&
		    !shelf_borrow(l, &(struct piecemeal){.slice = slice, .metric = metric}, out,
		                  NULL)) {
			el_planes_free(&planes);
			return EL_OK;
		}
	}
	planes_drop_courses(&planes); /* a move that enters the slice resets the clock */
	*out = shelf_new(&planes, NULL);
	if (*out)
		return EL_OK;
	el_planes_free(&planes);
	return el_fail(error, EL_MEMORY, "out of memory for %s %s", slice->name, metric->name);
}

static enum el_status lend(void *context, const struct el_slice *slice,
                           const struct el_metric *solved, const struct el_planes **out,
                           struct el_error *error)
{
	struct lender *l = context;
	const struct el_metric *metric = el_metric_entered(solved);
	enum el_status status = EL_OK;
	pthread_mutex_lock(&l->lock);
	struct shelf *s = NULL, *dropped = NULL;
	for (struct shelf **link = &l->shelves; *link; link = &(*link)->next)
		if ((l->bounds || !(*link)->partial) && (*link)->planes.metric == metric &&
		    el_slice_equal(&(*link)->planes.slice, slice)) {
			s = *link;
			*link = s->next;
			break;
		}
	if (!s) { /* two threads may read the same planes: make_room drops one copy if need be */
		pthread_mutex_unlock(&l->lock);
		status = shelf_read(l, slice, metric, &s, error);
		pthread_mutex_lock(&l->lock);
		l->bytes += status ? 0 : s->bytes;
	}
	if (!status) {
		shelf_put(l, s)->borrowers++;
		dropped = make_room(l);
		*out = &s->planes;
	}
	pthread_mutex_unlock(&l->lock);
	free_shelves(dropped);
	return status;
}

static enum el_status lend_piecemeal(struct lender *l, const struct piecemeal *what,
                                     const struct el_planes **out, struct el_error *error)
{
	struct shelf *s;
	const enum el_status status = shelf_borrow(l, what, &s, error);
	if (status)
		return status;
	pthread_mutex_lock(&l->lock);
	shelf_put(l, s)->borrowers++;
	pthread_mutex_unlock(&l->lock);
	*out = &s->planes;
	return EL_OK;
}

enum el_status lender_lend_file(struct lender *l, const char *path, const struct el_planes **out,
                                struct el_error *error)
{
	return lend_piecemeal(l, &(struct piecemeal){.path = path}, out, error);
}

enum el_status lender_lend_read(struct lender *l, const struct el_planes *planes,
                                const struct el_planes **out, struct el_error *error)
{
	return lend_piecemeal(l, &(struct piecemeal){.planes = planes}, out, error);
}

static void give_back(void *context, const struct el_planes *planes)
{
	struct lender *l = context;
	struct shelf *s = (struct shelf *)(uintptr_t)planes, *dropped = NULL;
	pthread_mutex_lock(&l->lock);
	s->borrowers--;
	if (s->loan && !s->borrowers) { /* others need the memory of its pieces now */
		struct shelf **link = &l->shelves;
		while (*link != s)
			link = &(*link)->next;
		shelf_drop(l, link, &dropped);
	}
	struct shelf *others = make_room(l);
	pthread_mutex_unlock(&l->lock);
	free_shelves(dropped);
	free_shelves(others);
}

static const uint16_t *look(void *context, const struct el_planes *planes, unsigned plane,
                            uint64_t first, size_t count)
{
	const struct shelf *s = (const struct shelf *)planes;
	(void)context;
	return loan_look(&s->loan->side[plane], first, count);
}

static void let_go(void *context, const struct el_planes *planes, unsigned plane, uint64_t first,
                   size_t count)
{
	const struct shelf *s = (const struct shelf *)planes;
	(void)context;
	loan_let_go(&s->loan->side[plane], first, count);
}

static enum el_status check(void *context, struct el_error *error)
{
	const struct lender *l = context;
	return scratch_check(l->scratch, error);
}

struct el_lender lender_interface(struct lender *l)
{
	return (struct el_lender){
		.context = l,
		.lend = lend,
		.give_back = give_back,
		.look = look,
		.let_go = let_go,
		.check = check,
	};
}
