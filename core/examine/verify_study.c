/* SPDX-License-Identifier: MIT */
/*
 * The proof that a study is right. As verify.c does for tables, it plays every position that the
 * study reaches one move ahead by the rules of the game, and shares nothing with the set operators.
 *
 * Successors are looked up in the same file. Every move but a promotion must lead to a position that
 * the study reaches, or to a frame that it has not solved. What lies behind a promotion may be in the
 * file, in a table of the library, or open: [loss, win].
 *
 * Each bound must be the greatest of the moves' bounds. The plies of a win or a loss are those that
 * the winner is sure of, whatever the open positions are worth, so they rest on wins and losses
 * alone: these are proved by induction over the plies, as in a table.
 *
 * Plies are *at most* so many if something open could make them fewer. For most positions their moves
 * tell. But a win may have another move, to a position of which no least plies are stored, so these
 * are found for all positions of its frame: what is open is worth the best for the winner, and the
 * plies of all that may be won rise from 0, pass by pass, until they agree with their moves, or are
 * enough. That is so under dtz; where the count goes on from frame to frame, least plies are proved only
 * as far as moves tell.
 */
#include "core/base/array.h"
#include "core/probe/probe.h"
#include "proof.h"
#include "study_reader.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>

/* The tables that a thread has asked, or has looked for in vain. */
struct asked {
	struct el_slice *slices; /* owned */
	size_t count;
};

struct study_proof {
	struct el_library *library;
	const struct el_game *game;
	const struct el_metric *metric;
	struct study_reader reader;
	struct finding *findings; /* by thread */
	struct asked *asked;      /* the same */
	atomic_bool *doubted;     /* by frame: some plies may not be the least */
};

/* ---- where moves lead ---- */

static enum el_status note_asked(struct asked *a, const struct el_game *game,
                                 const struct el_position *position, const struct el_place *place,
                                 struct el_error *error)
{
	for (size_t i = 0; i < a->count; i++)
		if (a->slices[i].key == place->key)
			return EL_OK;
	if (!array_grow(&a->slices, a->count, 1, sizeof *a->slices))
		return el_fail(error, EL_MEMORY, "the tables of a proof: out of memory");
	return game->slice_of(position, &a->slices[a->count++], error);
}

/* Where one move leads. */
struct follower {
	struct el_value value;
	bool open; /* no table is there that might know it */
	/* The study should reach it and does not: its address. */
	bool lost;
	uint64_t address;
};

/* The value of a position after a move; after a promotion a table may know it. */
static enum el_status follow(struct study_proof *p, unsigned thread,
                             const struct el_position *position, bool promotes,
                             struct follower *out, struct el_error *error)
{
	struct el_place place;
	enum el_status status = EL_OK;
	*out = (struct follower){.value = {.outcome = EL_UNKNOWN}};
	if (study_file_find(&p->reader.file, position, &out->address)) {
		status = study_stored_at(&p->reader, out->address, &out->value, error);
		out->lost = !status && out->value.outcome == EL_BROKEN && !promotes;
		if (out->value.outcome == EL_BROKEN)
			out->value = (struct el_value){.outcome = EL_UNKNOWN};
	}
	if (status || !promotes || !el_outcome_bounded(out->value.outcome) ||
	    !p->game->place(position, &place))
		return status;
	struct el_value told;
	/* The metric of what a promotion enters, if the count goes on there. */
	const struct el_metric *metric = p->metric->join == EL_JOIN_SUM ? p->metric : &el_wdl;
	status = note_asked(&p->asked[thread], p->game, position, &place, error);
	if (status || (out->open = !el_library_answers(p->library, p->game, position, metric)))
		return status;
	status = el_library_value(p->library, p->game, position, metric, EL_PROBE_FULL, &told,
	                          error);
	if (status == EL_NEGATIVE) {
		out->open = true;
		return EL_OK;
	}
	if (!status && el_outcome_exact(told.outcome))
		out->value = told;
	return status;
}

/* ---- deriving ---- */

/* Could a win or a loss be quicker than its sure plies say, if something open were better for the
   winner? */
enum quicker { NEVER, PERHAPS, SURELY };

struct study_derived {
	struct el_value value;
	enum quicker quicker;
	bool open;
	struct follower lost; /* the first, if there is one */
};

static enum el_status derive(struct study_proof *p, unsigned thread,
                             const struct el_position *position, struct study_derived *d,
                             struct el_error *error)
{
	struct el_move moves[EL_MOVES_MAX];
	struct el_value mine[EL_MOVES_MAX];
	bool ends[EL_MOVES_MAX];
	const size_t count = p->game->moves(position, moves);
	*d = (struct study_derived){.open = false};
	if (!count)
		d->value = p->game->stuck(position);
	for (size_t i = 0; i < count; i++) {
		const struct el_move *move = &moves[i];
		const bool promotes = move->becomes != move->kind;
		struct el_position after;
		struct follower to;
		p->game->play(position, move, &after);
		const enum el_status status = follow(p, thread, &after, promotes, &to, error);
		if (status)
			return status;
		ends[i] = el_move_ends(p->game, p->metric, position, move,
		                       move->captured || promotes);
		mine[i] = el_value_of_move(p->metric, to.value, ends[i], 0);
		mine[i].at_most = to.value.at_most && (!ends[i] || p->metric->join == EL_JOIN_SUM);
		d->open |= to.open;
		if (to.lost && !d->lost.lost)
			d->lost = to;
		/* Outcomes are joined as bounds; the plies are the best of the moves whose outcome is
		   exact. */
		const struct el_value so_far = d->value, v = mine[i];
		if (!i || !el_outcome_exact(so_far.outcome) ||
		    (el_outcome_exact(v.outcome) && el_value_compare(p->metric, v, so_far) > 0))
			d->value = v;
		if (i)
			d->value.outcome = (uint8_t)el_outcome_max(so_far.outcome, v.outcome);
	}
	if (d->value.outcome != EL_WIN && d->value.outcome != EL_LOSS)
		d->value = (struct el_value){.outcome = d->value.outcome};
	d->value.at_most = false;
	const struct el_value best = d->value;
	if (best.outcome == EL_LOSS && count) {
		d->quicker = SURELY;
		for (size_t i = 0; i < count; i++)
			if (mine[i].plies == best.plies && !mine[i].at_most)
				d->quicker = NEVER;
	}
	for (size_t i = 0; i < count && best.outcome == EL_WIN; i++) {
		const struct el_value v = mine[i];
		const bool bounded = !el_outcome_exact(v.outcome);
		enum quicker this = NEVER;
		/* no move is quicker than this if its outcome is not exact */
		const unsigned least = ends[i] ? 1 : 2;
		if (bounded && el_outcome_upper(v.outcome) == EL_WIN)
			this = best.plies <= least                         ? NEVER
			       : ends[i] && p->metric->join == EL_JOIN_ONE ? SURELY
			                                                   : PERHAPS;
		else if (v.outcome == EL_WIN && v.at_most)
			this = v.plies == best.plies ? SURELY : best.plies > 2 ? PERHAPS : NEVER;
		d->quicker = this > d->quicker ? this : d->quicker;
	}
	return EL_OK;
}

/* A choice is worth the best of its kinds for the side that chooses; no plies are counted. */
static enum el_status derive_choice(struct study_proof *p, unsigned thread,
                                    const struct el_exit *exits, size_t count,
                                    const struct el_position *position, struct study_derived *d,
                                    struct el_error *error)
{
	*d = (struct study_derived){.open = false};
	for (size_t i = 0; i < count; i++) {
		struct el_position chosen = *position;
		struct follower to;
		p->reader.file.frames->choose(&exits[i], &chosen);
		const enum el_status status = follow(p, thread, &chosen, true, &to, error);
		if (status)
			return status;
		const enum el_outcome o = el_outcome_negate(to.value.outcome);
		d->value.outcome = (uint8_t)(i ? el_outcome_max(d->value.outcome, o) : o);
		d->open |= to.open;
	}
	d->value.outcome = (uint8_t)el_outcome_negate(d->value.outcome);
	return EL_OK;
}

/* ---- judging ---- */

/* Returns whether the plies are right only if they are the least. */
static bool judge(struct finding *f, uint64_t address, struct el_value stored,
                  const struct study_derived *d)
{
	const enum el_outcome a = stored.outcome, b = d->value.outcome;
	const bool same = a == b && stored.plies == d->value.plies;
	if (d->lost.lost) {
		proof_wrong(f, d->lost.address, (struct el_value){.outcome = EL_BROKEN},
		            (struct el_value){.outcome = EL_UNKNOWN});
		return false;
	}
	if (same && (stored.at_most ? d->quicker != NEVER : d->quicker != SURELY))
		return d->quicker == PERHAPS && !stored.at_most;
	/* By now more is known than when the study was made, or less. */
	const bool loose = (el_outcome_bounded(a) && el_outcome_within(b, a)) ||
	                   (stored.at_most && a == b && d->value.plies <= stored.plies);
	const bool open = !loose && d->open && el_outcome_lower(a) <= el_outcome_upper(b) &&
	                  el_outcome_lower(b) <= el_outcome_upper(a);
	f->loose += loose;
	f->open += open;
	if (!loose && !open) {
		struct el_value derived = d->value;
		derived.at_most = d->quicker == SURELY;
		proof_wrong(f, address, stored, derived);
	}
	return false;
}

static enum el_status check_part(void *context, unsigned thread, struct study_part *part,
                                 struct el_error *error)
{
	struct study_proof *p = context;
	const struct study_file *file = &p->reader.file;
	const unsigned chooser = file->frames->chooses(&part->filed->frame);
	struct finding *f = &p->findings[thread];
	struct el_exit exits[EL_EXITS_MAX];
	size_t kinds = 0;
	bool found;
	enum el_status status;
	while (!(status = study_next(part, &found, error)) && found) {
		struct el_value stored = file->values[part->symbol];
		struct study_derived d;
		if (chooser < 2 && !kinds)
			kinds = file->frames->exits(part->sets, chooser, exits);
		f->checked += !kinds;
		if (kinds) /* the plies of a choice tell nothing */
			stored = (struct el_value){.outcome = stored.outcome};
		status = kinds ? derive_choice(p, thread, exits, kinds, &part->position, &d, error)
		               : derive(p, thread, &part->position, &d, error);
		if (status)
			return status;
		if (judge(f, part->address, stored, &d))
			p->doubted[part->filed - file->list] = true;
	}
	return status;
}

static enum el_status check_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                  struct el_error *error)
{
	struct study_proof *p = context;
	return study_parts(&p->reader, first, end, check_part, p, thread, error);
}

/* ---- the least plies ---- */

enum { CANNOT_WIN = UINT16_MAX };

/* The least plies in which one side may win the positions of a frame. */
struct race {
	struct study_proof *p;
	const struct filed *filed;
	const struct el_sets *sets;
	unsigned thread, winner;
	uint16_t *least; /* by address: the least plies as far as they are known; owned */
	uint32_t *items; /* places of those that are not known yet; owned */
	size_t count;
	unsigned most; /* of the plies that are in doubt */
};

static bool is_sure(struct el_value v)
{
	return (v.outcome == EL_WIN || v.outcome == EL_LOSS) && !v.at_most;
}

/* The least plies of a position, from those of its successors. `beside`: only of successors that are
   not sure. */
static enum el_status least_by_moves(struct race *r, uint64_t at, bool beside, unsigned *out,
                                     struct el_error *error)
{
	struct study_proof *p = r->p;
	const unsigned side = at >= r->filed->half, wins = side == r->winner;
	struct el_position position, after;
	struct el_move moves[EL_MOVES_MAX];
	enum el_status status = EL_OK;
	r->p->reader.file.frames->position(r->sets, side, at % r->filed->half, &position);
	const size_t count = p->game->moves(&position, moves);
	*out = wins ? CANNOT_WIN : 0;
	for (size_t i = 0; i < count && !status; i++) {
		const bool promotes = moves[i].becomes != moves[i].kind;
		struct follower to;
		unsigned plies = 1;
		p->game->play(&position, &moves[i], &after);
		if (!el_move_ends(p->game, p->metric, &position, &moves[i], false)) {
			const uint64_t there =
				p->reader.file.frames->address(&r->filed->frame, &after) +
				(side ? 0 : r->filed->half);
			struct el_value v = {.outcome = EL_UNKNOWN};
			if (beside)
				status = study_stored_at(&p->reader, r->filed->first + there, &v,
				                         error);
			plies = is_sure(v) || r->least[there] == CANNOT_WIN ? CANNOT_WIN
			                                                    : r->least[there] + 1u;
		} else if (wins) {
			status = follow(p, r->thread, &after, promotes, &to, error);
			if (el_outcome_lower(to.value.outcome) != EL_LOSS)
				plies = CANNOT_WIN;
		}
		*out = (plies < *out) == wins ? plies : *out;
	}
	return status;
}

/* Sets the least plies that are known, and lists the others. */
static enum el_status begin_race(struct race *r, struct el_error *error)
{
	r->count = r->most = 0;
	for (uint64_t at = 0; at < 2 * r->filed->half; at++) {
		const unsigned side = at >= r->filed->half;
		const bool wins = side == r->winner;
		struct el_position position;
		struct el_value v;
		const enum el_status status =
			study_stored_at(&r->p->reader, r->filed->first + at, &v, error);
		if (status)
			return status;
		const bool can = v.outcome != EL_BROKEN &&
		                 (wins ? el_outcome_upper(v.outcome) == EL_WIN
		                       : el_outcome_lower(v.outcome) == EL_LOSS) &&
		                 study_position_at(&r->p->reader, r->sets, side,
		                                   at % r->filed->half, &position);
		r->least[at] = !can ? CANNOT_WIN : is_sure(v) ? v.plies : 0;
		if (can && !is_sure(v))
			r->items[r->count++] = (uint32_t)at;
		else if (can && wins && v.plies > r->most)
			r->most = v.plies;
	}
	return EL_OK;
}

static enum el_status run_race(struct race *r, struct el_error *error)
{
	enum el_status status = begin_race(r, error);
	for (unsigned pass = 1; pass < r->most && r->count && !status; pass++) {
		size_t left = 0;
		for (size_t i = 0; i < r->count && !status; i++) {
			const uint32_t at = r->items[i];
			unsigned plies;
			status = least_by_moves(r, at, false, &plies, error);
			r->least[at] = (uint16_t)plies;
			/* After pass n, plies below n are right: they no longer rise. */
			if (plies >= pass)
				r->items[left++] = at;
		}
		r->count = left;
	}
	/* Now every win must be as quick as it says, whatever else the winner plays. */
	for (uint64_t i = 0; i < r->filed->half && !status; i++) {
		const uint64_t at = i + (r->winner ? r->filed->half : 0);
		struct el_value v;
		unsigned plies = CANNOT_WIN;
		status = study_stored_at(&r->p->reader, r->filed->first + at, &v, error);
		if (status || r->least[at] == CANNOT_WIN || !is_sure(v) || v.plies <= 2)
			continue;
		status = least_by_moves(r, at, true, &plies, error);
		struct el_value derived = v;
		derived.at_most = true;
		if (plies < v.plies)
			proof_wrong(&r->p->findings[r->thread], r->filed->first + at, v, derived);
	}
	return status;
}

/* Proves the plies of a frame that are in doubt. */
static enum el_status race_frame(struct study_proof *p, unsigned thread, const struct filed *filed,
                                 struct el_error *error)
{
	struct el_sets *sets;
	enum el_status status = p->reader.file.frames->open(&filed->frame, &sets, error);
	if (status)
		return status;
	struct race r = {
		.p = p,
		.filed = filed,
		.sets = sets,
		.thread = thread,
		.least = malloc(2 * filed->half * sizeof *r.least),
		.items = malloc(2 * filed->half * sizeof *r.items),
	};
	if (!r.least || !r.items)
		status = el_fail(error, EL_MEMORY, "%s: out of memory",
		                 p->reader.file.info->slice.name);
	for (; r.winner < 2 && !status; r.winner++)
		status = run_race(&r, error);
	free(r.least);
	free(r.items);
	sets->close(sets);
	return status;
}

static enum el_status race_all(struct study_proof *p, const struct el_watch *watch,
                               struct el_error *error)
{
	enum el_status status = EL_OK;
	atomic_bool ends = false;
	atomic_size_t done = 0;
#pragma omp parallel for schedule(dynamic, 1)
	for (uint32_t i = 0; i < p->reader.file.count; i++) {
		const unsigned thread = (unsigned)omp_get_thread_num();
		struct el_error why = {.status = EL_OK};
		const struct el_progress progress = {"least plies", p->reader.file.info->slice.name,
		                                     (double)done++, (double)p->reader.file.count,
		                                     .unit = "frames"};
		if (ends)
			continue;
		if (thread == 0 && !el_watch_tick(watch, &progress))
			el_fail(&why, EL_STOPPED, "%s: stopped", p->reader.file.info->slice.name);
		else if (p->doubted[i])
			race_frame(p, thread, &p->reader.file.list[i], &why);
		if (!why.status)
			continue;
		ends = true;
#pragma omp critical(study)
		if (!status)
			status = el_fail(error, why.status, "%s", why.text);
	}
	return status;
}

/* ---- the proof ---- */

/* Adds the threads' findings to a verdict, and the first wrong position. */
static void conclude(const struct study_proof *p, unsigned threads, struct el_verdict *out)
{
	const struct finding sum = findings_sum(p->findings, threads);
	struct el_sets *sets;
	verdict_add(out, &sum);
	if (!out->wrong)
		return;
	const struct filed *filed = study_frame_at(&p->reader.file, sum.first);
	const uint64_t at = sum.first - filed->first;
	struct el_position position;
	out->first_stored = sum.stored;
	out->first_derived = sum.derived;
	if (p->reader.file.frames->open(&filed->frame, &sets, NULL))
		return;
	if (p->reader.file.frames->position(sets, at >= filed->half, at % filed->half, &position))
		p->game->format(&position, out->first_fen);
	sets->close(sets);
}

static enum el_status list_reads(struct study_proof *p, const struct asked *a, struct reads *reads,
                                 struct el_error *error)
{
	enum el_status status = EL_OK;
	for (size_t i = 0; i < a->count && !status; i++) {
		const size_t before = reads->count;
		bool has = false;
		for (size_t k = 0; k < before; k++)
			has |= !strcmp(reads->list[k].slice, a->slices[i].name);
		if (has)
			continue;
		const struct el_metric *metric =
			p->metric->join == EL_JOIN_SUM ? p->metric : &el_wdl;
		status = reads_of_probes(p->library, &a->slices[i], metric, reads, error);
		if (!status && reads->count == before)
			status = reads_of_nothing(&a->slices[i], metric, reads, error);
	}
	return status;
}

enum el_status proof_of_study(struct el_library *library, const char *path, uint64_t memory,
                              const struct el_watch *watch, struct el_verdict *out,
                              struct reads *reads, struct el_error *error)
{
	const unsigned threads = sweep_threads();
	struct study_proof p = {.library = library};
	*out = (struct el_verdict){0};
	enum el_status status = study_reader_open(path, memory / 2, &p.reader, error);
	if (status) {
		study_reader_close(&p.reader);
		return status;
	}
	const struct el_table_info *info = p.reader.file.info;
	p.game = info->slice.game;
	p.metric = info->metric;
	p.findings = findings_new(threads);
	p.asked = calloc(threads, sizeof *p.asked);
	p.doubted = calloc(p.reader.file.count + 1u, sizeof *p.doubted);
	if (!p.findings || !p.asked || !p.doubted)
		status = el_fail(error, EL_MEMORY, "%s: out of memory", path);
	if (!status)
		status = sweep_run(&(struct sweep){"verifying", &info->slice, info->metric,
		                                   info->slice.positions, 0, info->slice.positions,
		                                   watch, &p, check_chunk},
		                   error);
	if (!status)
		status = p.metric->end == EL_END_ZEROING ? race_all(&p, watch, error) : EL_OK;
	if (!status)
		conclude(&p, threads, out);
	for (unsigned t = 0; t < threads && p.asked; t++) {
		if (!status && reads)
			status = list_reads(&p, &p.asked[t], reads, error);
		free(p.asked[t].slices);
	}
	free(p.doubted);
	free(p.asked);
	free(p.findings);
	study_reader_close(&p.reader);
	return status;
}
