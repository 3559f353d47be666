/* SPDX-License-Identifier: MIT */
/* Cuts a film into steps: the ones before the first pass, each pass that decided something,
   draws. */
#include "reel.h"

#include <stdlib.h>
#include <string.h>

/* How many indexes have each code, in all halves, by side to move. */
struct census {
	uint64_t count[2][REEL_CODES];
};

static void add_step(struct el_film *film, struct el_film_step step)
{
	for (unsigned side = 0; side < 2; side++) {
		step.known[side] = step.decided[side];
		if (film->step_count)
			step.known[side] += film->steps[film->step_count - 1].known[side];
	}
	film->steps[film->step_count++] = step;
	film->deepest = step.ply > film->deepest ? step.ply : film->deepest;
}

static bool is_joint(const struct el_film *film)
{
	return film->solved->has_phase || film->solved->kind->adds_up;
}

/* Adds a step for a pass. With phases or stones, wins and losses depend on each other, so the two
   passes share one step. */
static void add_pass(struct el_film *film, const bool converts[REEL_CODES],
                     const struct census *census, unsigned code)
{
	static const enum el_film_rule rules[] = {
		[EL_LOSS] = EL_FILM_LOSS,
		[EL_BLESSED_LOSS] = EL_FILM_BLESSED,
		[EL_CURSED_WIN] = EL_FILM_CURSED,
		[EL_WIN] = EL_FILM_WIN,
	};
	const bool both = is_joint(film) && reel_ply(code);
	struct el_film_step step = {
		.rule = both ? EL_FILM_WITHIN : rules[reel_outcome(code)],
		.ply = reel_ply(code),
		.converts = converts[code],
	};
	for (unsigned side = 0; side < 2; side++)
		step.decided[side] =
			census->count[side][code] + (both ? census->count[side][code + 1] : 0);
	film->reel->step_of[code] = (uint16_t)film->step_count;
	if (both)
		film->reel->step_of[code + 1] = (uint16_t)film->step_count;
	if (step.decided[EL_WHITE] || step.decided[EL_BLACK])
		add_step(film, step);
}

static void make_steps(struct el_film *film, const bool converts[REEL_CODES],
                       const struct census *census)
{
	const unsigned lost = reel_code(0, EL_LOSS);
	uint64_t all[2];
	for (unsigned side = 0; side < 2; side++) {
		const uint64_t broken = census->count[side][REEL_BROKEN];
		film->broken[side] = broken / film->halves;
		film->legal[side] = film->wish.slice.positions - film->broken[side];
		all[side] = film->legal[side] * film->halves;
	}
	if (el_slice_alike(&film->wish.slice)) {
		film->stalemates[EL_BLACK] = film->stalemates[EL_WHITE];
		film->winning[EL_BLACK] = film->winning[EL_WHITE];
		film->holding[EL_BLACK] = film->holding[EL_WHITE];
	}
	add_step(film, (struct el_film_step){.rule = EL_FILM_START});
	add_step(film, (struct el_film_step){
			       .rule = EL_FILM_TERMINAL,
			       .decided = {census->count[0][lost], census->count[1][lost]},
		       });
	add_step(film, (struct el_film_step){.rule = EL_FILM_CONVERSIONS});
	film->reel->step_of[lost] = EL_FILM_TERMINAL;
	for (unsigned code = reel_code(1, EL_WIN); code < REEL_LATE; code += is_joint(film) ? 2 : 1)
		add_pass(film, converts, census, code);
	if (film->solved->limit)
		add_step(film, (struct el_film_step){.rule = EL_FILM_LIMIT});
	for (unsigned code = REEL_LATE; film->solved->limit && code < REEL_CODES; code++)
		add_pass(film, converts, census, code);
	const uint64_t *known = film->steps[film->step_count - 1].known;
	add_step(film, (struct el_film_step){
			       .rule = EL_FILM_DRAWS,
			       .decided = {all[0] - known[0], all[1] - known[1]},
		       });
}

/* Makes room for every code that occurs and the five other steps. */
enum el_status reel_cut(struct el_film *film, const bool converts[REEL_CODES],
                        struct el_error *error)
{
	struct census *census = calloc(1, sizeof *census);
	film->reel->step_of = malloc(REEL_CODES * sizeof *film->reel->step_of);
	size_t steps = 5;
	const struct el_slice *slice = &film->wish.slice;
	for (unsigned half = 0; census && half < film->halves; half++)
		for (unsigned plane = 0; plane < slice->planes; plane++)
			for (uint64_t i = 0; i < slice->positions; i++)
				census->count[el_slice_mover(slice, plane)]
					     [film->reel->code[half][plane][i]]++;
	/* Black to move equals White to move with the colours exchanged. */
	if (census && el_slice_alike(slice))
		memcpy(census->count[EL_BLACK], census->count[EL_WHITE],
		       sizeof census->count[EL_BLACK]);
	else if (census && slice->planes == 1)
		census->count[!el_slice_mover(slice, 0)][REEL_BROKEN] =
			film->halves * slice->positions;
	for (unsigned code = REEL_FIRST; census && code < REEL_CODES; code++)
		steps += census->count[0][code] || census->count[1][code];
	film->steps = calloc(steps, sizeof *film->steps);
	enum el_status status = EL_OK;
	if (!census || !film->reel->step_of || !film->steps)
		status = el_fail(error, EL_MEMORY, "%s: out of memory", film->wish.slice.name);
	else
		make_steps(film, converts, census);
	free(census);
	return status;
}
