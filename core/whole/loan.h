/* SPDX-License-Identifier: MIT */
/* Planes of a table that is too large to be lent whole: its symbols are read on request. What the file leaves
   out is found from moves: the values of captures, and those of a side to move. */
#ifndef CORE_WHOLE_LOAN_H
#define CORE_WHOLE_LOAN_H

#include "core/games/best.h"
#include "core/library/library.h"
#include "core/solve/paged.h"
#include "core/table/table.h"

#include <pthread.h>

struct loan_side {
	struct loan *loan;
	unsigned plane;
	_Atomic size_t count; /* symbols of a request; 0: no request yet */
	struct paged chunks;
};

struct loan {
	struct el_planes planes; /* without symbols */
	/* The table, null if there is a reader; and its copy, null if there is none. Owned. */
	struct el_table *table, *copy;
	struct el_table *has[2];              /* by plane: which of the two has it; null: neither */
	const struct el_plane_reader *reader; /* borrowed; null: there is a table */
	pthread_mutex_t reading;              /* a reader serves one thread at a time */
	struct scratch *scratch;              /* borrowed */
	struct loan_side side[2];
	/* What finds values that neither file has; null: there are none. Owned. */
	struct derived {
		unsigned left_out;       /* the plane that no file has; 2: there is none */
		struct el_lender outer;  /* of the slices that moves enter, and of other loans */
		struct el_lender lender; /* of these as well */
		struct el_planes planes; /* as the file counts, without symbols */
		struct loan_side kept;   /* what is asked here; requests differ from a borrower's */
		_Atomic bool turns;      /* a move's value was looked for in the side itself */
		/* Of captures, null if they are in the file; of all moves, null if both sides are. */
		struct derivation {
			struct el_best_problem problem;
			struct el_best *best;
		} captures, moves;
		int16_t *own[2]; /* by plane and symbol: the score */
		uint16_t symbol
			[2][BEST_HOLE]; /* by plane and score: one more than the symbol; 0: none */
	} * derived;
};

/*
 * Opens one of our tables in the library's directory whose metric is or determines `metric`; or its copy, if there
 * is one in the folder `copies`, which may be null. The lender
 * is that of the slices which moves enter. EL_NEGATIVE if none can be read piece by piece: there is none,
 * or it is small and whole, or holds bounds; or it has no copy, and is not in index order, leaves outcomes to be
 * derived, or captures and is small, or lacks a table that moves lead to.
 */
enum el_status loan_open(struct loan *, struct el_library *, const char *copies,
                         const struct el_lender *, const struct el_slice *,
                         const struct el_metric *metric, struct scratch *, struct el_error *);
/* The same for one of our tables anywhere, under its own metric, and never for a copy of it. */
enum el_status loan_open_file(struct loan *, const char *path, const struct el_lender *,
                              struct scratch *, struct el_error *);
/* Lends planes that have a reader, which must outlive the loan. EL_MEMORY. */
enum el_status loan_open_reader(struct loan *, const struct el_planes *, struct scratch *,
                                struct el_error *);
/* Does the file hold all values, in index order? */
bool loan_is_plain(const struct el_table_info *);
/* Does it lack nothing but a side to move? Its copy then has that side alone. */
bool loan_lacks_side(const struct el_table_info *);
/* The path of a copy of the table with this checksum, in a folder for copies. */
void loan_copy_path(const char *folder, uint64_t checksum, char *out, size_t size);
/* Copies the table at `file`, which has these values, unless it is plain; if it lacks nothing but a side, that side
   alone. EL_NEGATIVE: it is plain, holds bounds, or is another file by now; EL_IO, EL_MEMORY, EL_STOPPED. */
enum el_status loan_copy(const char *folder, const char *file, const struct el_planes *,
                         const struct el_watch *, struct el_error *);
/* Removes the copy of the table at `file`, if there is one; `folder`: null if there are none. */
void loan_drop_copy(const char *folder, const char *file);
/* Calls the lender, if a side is left out. */
void loan_close(struct loan *);
/* el_lender.look and let_go for a side of these planes. */
const uint16_t *loan_look(struct loan_side *, uint64_t first, size_t count);
void loan_let_go(struct loan_side *, uint64_t first, size_t count);

#endif
