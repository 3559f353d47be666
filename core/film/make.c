/* SPDX-License-Identifier: MIT */
/* Makes films: an observer records which pass decides which bit, and the game sorts the bits into
   the order of the index. */
#include "reel.h"

#include "core/base/array.h"
#include "core/probe/probe.h"
#include "core/solve/memory.h"
#include "core/study/file.h"
#include "core/whole/lender.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* ---- the slices that conversions enter ---- */

/* Lends slices from the library's tables, and solves the others. */
struct supply {
	struct el_library *library;
	struct el_film_reel *reel;
	const struct el_missing *missing; /* slices not to lend; may be null */
	const struct el_watch *watch;
};

const struct el_planes *reel_entered(const struct el_film_reel *reel, uint64_t key)
{
	const struct subtable *t = reel->subtables;
	while (t && t->planes.slice.key != key)
		t = t->next;
	return t ? &t->planes : NULL;
}

static enum el_status obtain(struct supply *s, const struct el_slice *slice,
                             const struct el_metric *metric, struct el_planes *out,
                             struct el_error *error);

static enum el_status lend(void *context, const struct el_slice *slice,
                           const struct el_metric *solved, const struct el_planes **out,
                           struct el_error *error)
{
	struct supply *s = context;
	if (s->missing && el_slices_have(s->missing->slice, s->missing->count, slice))
		return el_fail(error, EL_NEGATIVE, "%s is treated as missing", slice->name);
	*out = reel_entered(s->reel, slice->key);
	if (*out)
		return EL_OK;
	struct subtable *t = malloc(sizeof *t);
	if (!t)
		return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	enum el_status status = obtain(s, slice, el_metric_entered(solved), &t->planes, error);
	if (status) {
		free(t);
		return status;
	}
	t->next = s->reel->subtables;
	s->reel->subtables = t;
	*out = &t->planes;
	/* Passes of the film must find every depth. */
	for (unsigned p = 0; p < slice->planes; p++)
		for (uint32_t v = 0; v < t->planes.plane[p].value_count; v++)
			if (t->planes.plane[p].values[v].plies >= REEL_PLIES_MAX)
				return el_fail(error, EL_MEMORY,
				               "%s: a depth of more than %d plies", slice->name,
				               REEL_PLIES_MAX - 1);
	return EL_OK;
}

/* The planes stay with the film. */
static void give_back(void *context, const struct el_planes *planes)
{
	(void)context;
	(void)planes;
}

static enum el_status obtain(struct supply *s, const struct el_slice *slice,
                             const struct el_metric *metric, struct el_planes *out,
                             struct el_error *error)
{
	struct supply all = {s->library, s->reel, NULL, s->watch};
	const struct el_lender lender = {.context = &all, .lend = lend, .give_back = give_back};
	const struct el_problem problem = {
		.slice = *slice, .metric = metric, .lender = &lender, .watch = s->watch};
	struct el_error too_large; /* its EL_NEGATIVE would make the slice count as missing */
	enum el_status status = planes_obtain(s->library, slice, metric, out, error);
	if (status != EL_NEGATIVE)
		return status;
	if (memory_check(slice->name, memory_of_solution(slice), &too_large))
		return el_fail(error, EL_MEMORY, "%s", too_large.text);
	return el_solve(&problem, out, error);
}

/* Frees slices that were needed only to solve other ones; missing slices may be among them. */
static void keep_successors(struct el_film *film)
{
	struct el_slice successors[EL_SUCCESSORS_MAX];
	const struct el_slice *slice = &film->wish.slice;
	const struct el_missing *missing = &film->wish.missing;
	const size_t count = slice->game->successors(slice, successors);
	const size_t without = film->wish.partial ? missing->count : 0;
	for (struct subtable **link = &film->reel->subtables; *link;) {
		struct subtable *t = *link;
		if (el_slices_have(successors, count, &t->planes.slice) &&
		    !el_slices_have(missing->slice, without, &t->planes.slice)) {
			link = &t->next;
		} else {
			*link = t->next;
			el_planes_free(&t->planes);
			free(t);
		}
	}
}

/* ---- the observer ---- */

/* Flags known of a bit before the first pass. From CONVERTS upwards follows the ply, or threshold,
   at which a move that ends the count wins; 0 if none does. */
enum { STALEMATE = 1, HOLDING = 2, CONVERTS = 4 };

struct taking {
	struct el_film *film;
	/* Of the current part, by side and bit: codes, and the flags. */
	uint16_t *code[2], *before[2];
	/* The flags of all parts of a solution, by side and index; the film has the codes. */
	uint16_t *before_of[2];
	bool converts[REEL_CODES];
	struct el_error error; /* status EL_OK: none */
};

static size_t bits_of(const struct el_sets *sets)
{
	return 64 * sets->stored_words;
}

/* Records what is known of a unit before the first pass. */
static void begin(void *context, const struct el_sets *sets, unsigned side, size_t number,
                  const struct el_unit *unit)
{
	struct taking *t = context;
	if (side >= sets->slice.planes || t->error.status)
		return;
	if (!t->code[side]) { /* initially, the whole part is broken */
		const size_t bits = bits_of(sets) * sets->units;
		t->code[side] = calloc(bits, sizeof *t->code[side]); /* REEL_BROKEN */
		t->before[side] = calloc(bits, sizeof *t->before[side]);
		if (!t->code[side] || !t->before[side]) {
			el_fail(&t->error, EL_MEMORY, "%s: out of memory", sets->slice.name);
			return;
		}
	}
	uint16_t *code = t->code[side] + number * bits_of(sets);
	uint16_t *before = t->before[side] + number * bits_of(sets);
	const size_t words = el_sets_stored(sets, number);
	for (size_t w = 0; w < words; w++) {
		for (uint64_t bits = unit->legal[w]; bits; bits &= bits - 1)
			code[64 * w + (unsigned)__builtin_ctzll(bits)] = REEL_UNDECIDED;
		for (uint64_t bits = unit->blocked[w]; bits; bits &= bits - 1)
			before[64 * w + (unsigned)__builtin_ctzll(bits)] = HOLDING;
	}
	for (size_t i = 0; i < unit->wins.count; i++) {
		const struct el_event *e = &unit->wins.events[i];
		for (uint64_t bits = e->word < words ? e->bits : 0; bits; bits &= bits - 1) {
			uint16_t *bit = &before[64 * e->word + (unsigned)__builtin_ctzll(bits)];
			if (*bit < CONVERTS ||
			    *bit / CONVERTS > e->ply) /* the earliest one counts */
				*bit = (uint16_t)(*bit % CONVERTS + e->ply * CONVERTS);
		}
	}
}

/* Records a pass; true if a move that ends the count wins some of the decided positions. */
static bool mark(struct taking *t, const struct el_sets *sets, const struct el_pass *pass,
                 unsigned code)
{
	/* Moves that end the count and win by this ply, or threshold, take effect in this pass at
	   the latest. */
	const unsigned due = !t->film->solved->limit   ? pass->ply
	                     : pass->outcome == EL_WIN ? EL_THRESHOLD_IN_TIME
	                                               : EL_THRESHOLD_LATE;
	const unsigned last = due * CONVERTS + CONVERTS - 1;
	const size_t first = pass->unit * bits_of(sets);
	uint16_t *codes = t->code[pass->side] + first;
	const uint16_t *before = t->before[pass->side] + first;
	bool converts = false;
	for (size_t w = 0; w < el_sets_stored(sets, pass->unit); w++)
		for (uint64_t bits = pass->decided[w]; bits; bits &= bits - 1) {
			const size_t bit = 64 * w + (unsigned)__builtin_ctzll(bits);
			codes[bit] = (uint16_t)code;
			converts = converts || (before[bit] >= CONVERTS && before[bit] <= last);
		}
	return converts;
}

static void observe(void *context, const struct el_sets *sets, const struct el_pass *pass)
{
	struct taking *t = context;
	if (pass->side >= sets->slice.planes || t->error.status)
		return;
	if (pass->outcome == EL_DRAW) {
		uint16_t *before = t->before[pass->side] + pass->unit * bits_of(sets);
		for (size_t w = 0; w < el_sets_stored(sets, pass->unit); w++)
			for (uint64_t bits = pass->decided[w]; bits; bits &= bits - 1)
				before[64 * w + (unsigned)__builtin_ctzll(bits)] |= STALEMATE;
		return;
	}
	if (pass->ply > REEL_PLIES_MAX)
		el_fail(&t->error, EL_MEMORY, "%s: more than %d passes", sets->slice.name,
		        REEL_PLIES_MAX);
	if (t->error.status)
		return;
	const unsigned code = reel_code(pass->ply, pass->outcome);
	if (mark(t, sets, pass, code) && pass->outcome > EL_DRAW)
		t->converts[code] = true;
}

/* Frees the numbers of both sides. */
static void drop(uint16_t *of[2])
{
	for (unsigned side = 0; side < 2; side++) {
		free(of[side]);
		of[side] = NULL;
	}
}

/* Sorts numbers by bit into numbers by index. */
static void gather_all(const struct el_sets *sets, unsigned side, const uint16_t *by_bit,
                       uint16_t *by_index)
{
	for (size_t i = 0; i < sets->sections; i++) {
		uint32_t unit[EL_LINKS_MAX];
		const uint16_t *of[EL_LINKS_MAX];
		const size_t count = sets->section_units(sets, side, i, unit);
		for (size_t k = 0; k < count; k++)
			of[k] = by_bit + unit[k] * bits_of(sets);
		sets->gather(sets, side, i, of, by_index + sets->section(sets, i));
	}
}

static enum el_status gather(struct taking *t, const struct el_sets *sets, unsigned side)
{
	const uint64_t positions = t->film->wish.slice.positions;
	uint16_t **code = &t->film->reel->code[t->film->halves][side];
	if (!*code) {                                     /* indexes in no part stay broken */
		*code = calloc(positions, sizeof **code); /* REEL_BROKEN */
		t->before_of[side] = calloc(positions, sizeof **t->before_of);
		if (!*code || !t->before_of[side])
			return el_fail(&t->error, EL_MEMORY, "%s: out of memory",
			               t->film->wish.slice.name);
	}
	gather_all(sets, side, t->code[side], *code);
	gather_all(sets, side, t->before[side], t->before_of[side]);
	return EL_OK;
}

static void end_part(void *context, const struct el_sets *sets)
{
	struct taking *t = context;
	enum el_status status = t->error.status;
	for (unsigned side = 0; side < sets->slice.planes && !status; side++)
		status = gather(t, sets, side);
	drop(t->code);
	drop(t->before);
}

static void end_half(void *context)
{
	struct taking *t = context;
	struct el_film *film = t->film;
	for (unsigned plane = 0; plane < film->wish.slice.planes; plane++) {
		const unsigned side = el_slice_mover(&film->wish.slice, plane);
		const uint16_t *before = film->halves ? NULL : t->before_of[plane];
		for (uint64_t i = 0; before && i < film->wish.slice.positions; i++) {
			film->stalemates[side] += (before[i] & STALEMATE) != 0;
			film->winning[side] += before[i] >= CONVERTS;
			film->holding[side] += (before[i] & HOLDING) != 0;
		}
	}
	drop(t->before_of);
	t->film->halves++;
}

/* ---- the whole ---- */

static enum el_status take(struct el_film *film, struct el_library *library,
                           const struct el_watch *watch, struct taking *t, struct el_error *error)
{
	const struct el_film_wish *wish = &film->wish;
	struct supply supply = {library, film->reel, wish->partial ? &wish->missing : NULL, watch};
	const struct el_lender lender = {.context = &supply, .lend = lend, .give_back = give_back};
	const struct el_observer observer = {t, begin, observe, end_part, end_half};
	const struct el_problem problem = {
		.slice = wish->slice,
		.metric = film->solved,
		.lender = &lender,
		.observer = &observer,
		.watch = watch,
	};
	struct el_planes planes;
	enum el_status status = wish->partial ? el_solve_partial(&problem, &planes, NULL, error)
	                                      : el_solve(&problem, &planes, error);
	if (!status && film->solved->has_phase) /* passes do not determine such values */
		film->reel->solution = planes;
	else if (!status)
		el_planes_free(&planes);
	if (!status && t->error.status)
		status = el_fail(error, t->error.status, "%s", t->error.text);
	if (!status)
		keep_successors(film);
	return status ? status : reel_cut(film, t->converts, error);
}

/* ---- a frame of a study ---- */

struct asking {
	struct el_library *library;
	const struct el_game *game;
};

static bool covers(void *context, const struct el_position *p, const struct el_metric *metric)
{
	const struct asking *a = context;
	return el_library_answers(a->library, a->game, p, metric);
}

static enum el_status value(void *context, const struct el_position *p,
                            const struct el_metric *metric, struct el_value *out,
                            struct el_error *error)
{
	const struct asking *a = context;
	return el_library_value(a->library, a->game, p, metric, EL_PROBE_FULL, out, error);
}

enum el_status el_film_frame(struct el_library *library, const struct el_game *game,
                             const struct el_position *p, struct el_film_wish *out,
                             struct el_error *error)
{
	struct stat file = {.st_size = 0};
	struct el_frame frame;
	char *path = game->frames ? el_library_study(library, game, p) : NULL;
	if (!path)
		return el_fail(error, EL_NEGATIVE, "no study covers this position");
	const bool found = !stat(path, &file);
	free(path);
	if (!found)
		return el_fail(error, EL_NEGATIVE, "the study of this position is gone");
	game->frames->of(p, &frame);
	*out = (struct el_film_wish){
		.metric = study_metric(game),
		.position = *p,
		.standing = game->frames->standing(&frame, EL_WHITE) |
	                    game->frames->standing(&frame, EL_BLACK),
	};
	struct el_slice *slice = &out->slice;
	*slice = (struct el_slice){
		.game = game,
		.key = study_hash(&frame) ^ (uint64_t)file.st_mtim.tv_nsec << 20 ^
	               (uint64_t)file.st_mtim.tv_sec ^ (uint64_t)file.st_size << 40,
		.planes = 2,
		.positions = 64 * (uint64_t)game->frames->words(&frame),
		.is_study = true,
	};
	study_name(p, slice);
	return EL_OK;
}

/* One solution is enough if both are the same. */
static bool is_exact(const struct study_passes *p)
{
	bool same = true;
	for (unsigned side = 0; side < 2; side++)
		for (uint64_t at = 0; at < p->addresses && same; at++) {
			const unsigned outcome = p->of[0][side].outcome[at];
			same = outcome == p->of[1][side].outcome[at] &&
			       (outcome > EL_WIN || outcome == EL_DRAW ||
			        p->of[0][side].ply[at] == p->of[1][side].ply[at]);
		}
	return same;
}

static enum el_status take_frame(struct el_film *film, struct el_library *library,
                                 const struct el_watch *watch, struct taking *t,
                                 struct el_error *error)
{
	const struct el_film_wish *wish = &film->wish;
	struct study_passes *passes = &film->reel->frame;
	struct asking asking = {library, wish->slice.game};
	const struct el_study_tables tables = {&asking, covers, value};
	char *path = el_library_study(library, wish->slice.game, &wish->position);
	enum el_status status =
		path ? study_passes_find(path, &wish->position, &tables, watch, passes, error)
		     : el_fail(error, EL_NEGATIVE, "no study covers this position any more");
	free(path);
	if (status)
		return status;
	film->halves = is_exact(passes) ? 1 : 2;
	for (unsigned half = 0; half < film->halves; half++)
		for (unsigned side = 0; side < 2; side++) {
			const uint8_t *outcome = passes->of[half][side].outcome;
			uint16_t *code = passes->of[half][side].ply; /* becomes the codes */
			for (uint64_t at = 0; at < passes->addresses; at++) {
				const bool decided =
					outcome[at] == EL_WIN || outcome[at] == EL_LOSS;
				if (decided && code[at] > REEL_PLIES_MAX)
					return el_fail(error, EL_MEMORY, "%s: more than %d passes",
					               wish->slice.name, REEL_PLIES_MAX);
				code[at] = (uint16_t)(decided ? reel_code(code[at], outcome[at])
				                      : outcome[at] == EL_DRAW ? REEL_UNDECIDED
				                                               : REEL_BROKEN);
			}
			film->reel->code[half][side] = code;
			passes->of[half][side].ply = NULL;
		}
	for (unsigned i = 0; i < 4; i++) {
		free(passes->of[i / 2][i % 2].outcome);
		free(passes->of[i / 2][i % 2].ply);
		passes->of[i / 2][i % 2].outcome = NULL;
		passes->of[i / 2][i % 2].ply = NULL;
	}
	for (unsigned side = 0; side < 2; side++) {
		film->stalemates[side] = passes->stalemates[side];
		film->winning[side] = passes->winning[side];
		film->holding[side] = passes->holding[side];
	}
	t->converts[reel_code(1, EL_WIN)] = passes->exits_win;
	return reel_cut(film, t->converts, error);
}

/* ---- the film ---- */

/* The observer keeps codes and flags of each bit, and later of each index. */
uint64_t el_film_bytes(const struct el_film_wish *wish, uint64_t *solving)
{
	/* Per address: sets, passes and codes; and outcomes of the frames that are entered. */
	enum { OF_ADDRESS = 16, ENTERED = 64 };
	const struct el_slice *slice = &wish->slice;
	if (slice->is_study) {
		*solving = 2 * OF_ADDRESS * slice->positions;
		return *solving + 2 * ENTERED * slice->positions;
	}
	const uint64_t bits = slice->game->measure(slice).bits;
	*solving = memory_of_all(slice);
	return *solving + (4 * bits + 4 * slice->positions) * slice->planes;
}

/* Sub-tables that are not there are solved first, and stay until the film is made. Refuses those that
   do not fit, before the first of them is begun. */
static enum el_status check_subtables(struct el_library *library, const struct el_film_wish *wish,
                                      uint64_t bytes, struct el_error *error)
{
	const struct el_slice *slice = &wish->slice;
	const struct el_metric *metric = el_metric_entered(el_metric_solved(wish->metric));
	struct el_slice *list = NULL, found[EL_SUCCESSORS_MAX];
	size_t count = 0;
	bool has_memory = true;
	for (size_t done = 0; done <= count && has_memory; done++) {
		const struct el_slice *of = done ? &list[done - 1] : slice;
		const size_t successors = slice->game->successors(of, found);
		for (size_t i = 0; i < successors && has_memory; i++) {
			if (el_slices_have(list, count, &found[i]) ||
			    el_library_covers(library, &found[i], metric) ||
			    (wish->partial &&
			     el_slices_have(wish->missing.slice, wish->missing.count, &found[i])))
				continue;
			has_memory = array_grow(&list, count, 1, sizeof *list);
			if (has_memory)
				list[count++] = found[i];
			bytes += memory_of_loan(&found[i]);
		}
	}
	free(list);
	char what[EL_SLICE_MAX + 64];
	snprintf(what, sizeof what, "%s, with %zu sub-tables that are not built,", slice->name,
	         count);
	return !has_memory ? el_fail(error, EL_MEMORY, "%s: out of memory", slice->name)
	       : count     ? memory_check(what, bytes, error)
	                   : EL_OK;
}

enum el_status el_film_make(struct el_library *library, const struct el_film_wish *wish,
                            const struct el_watch *watch, struct el_film **out,
                            struct el_error *error)
{
	const struct el_slice *slice = &wish->slice;
	struct el_error why;
	uint64_t solving;
	if (el_game_check_metric(slice->game, wish->metric, &why))
		return el_fail(error, EL_USAGE, "%s: %s", slice->name, why.text);
	if (!el_film_shows(wish->metric))
		return el_fail(
			error, EL_USAGE,
			"%s: %s has no passes to show: the clock changes its values; expected "
			"another metric, such as dtm or dtz50",
			slice->name, wish->metric->name);
	if (wish->partial && wish->metric != &el_wdl)
		return el_fail(error, EL_USAGE, "%s: bounds are of outcomes, not of %s",
		               slice->name, wish->metric->name);
	const uint64_t bytes = el_film_bytes(wish, &solving);
	enum el_status status = memory_check(slice->name, bytes, error);
	if (!status && !slice->is_study)
		status = check_subtables(library, wish, bytes, error);
	if (status)
		return status;
	struct el_film *film = calloc(1, sizeof *film);
	struct taking *t = calloc(1, sizeof *t);
	struct el_film_reel *reel = calloc(1, sizeof *reel);
	if (film && t && reel) {
		film->wish = *wish;
		film->solved = el_metric_solved(wish->metric);
		film->reel = reel;
		t->film = film;
		status = (slice->is_study ? take_frame : take)(film, library, watch, t, error);
		drop(t->code);
		drop(t->before);
		drop(t->before_of);
	} else {
		free(reel);
		status = el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	}
	free(t);
	if (status)
		el_film_free(film);
	else
		*out = film;
	return status;
}

uint64_t el_film_held(const struct el_film *film)
{
	const struct el_slice *slice = &film->wish.slice;
	uint64_t bytes = REEL_CODES * sizeof *film->reel->step_of;
	bytes += film->halves * slice->planes * slice->positions * sizeof(uint16_t);
	for (const struct subtable *t = film->reel->subtables; t; t = t->next)
		bytes += planes_bytes(&t->planes);
	for (const struct study_entered *e = film->reel->frame.entered; e; e = e->next)
		bytes += 2 * 64 * (uint64_t)slice->game->frames->words(&e->frame);
	return bytes;
}

void el_film_free(struct el_film *film)
{
	if (!film)
		return;
	struct el_film_reel *reel = film->reel;
	for (unsigned i = 0; reel && i < 4; i++)
		free(reel->code[i / 2][i % 2]);
	while (reel && reel->subtables) {
		struct subtable *t = reel->subtables;
		reel->subtables = t->next;
		el_planes_free(&t->planes);
		free(t);
	}
	if (reel) {
		free(reel->step_of);
		el_planes_free(&reel->solution);
		study_passes_free(&reel->frame);
	}
	free(reel);
	free(film->steps);
	free(film);
}
