/* SPDX-License-Identifier: MIT */
/* The values of a frame, with depths, from both solutions. */
#include "inside.h"
#include "passes.h"

#include <stdlib.h>

/* The symbol of a position's value, by what both solutions say of it. */
static uint16_t join(const struct solution o[2], unsigned side, uint64_t at)
{
	enum el_outcome bound[2];
	for (unsigned favour = 0; favour < 2; favour++)
		bound[favour] = o[favour].won[side][at / 64] >> at % 64 & 1    ? EL_WIN
		                : o[favour].lost[side][at / 64] >> at % 64 & 1 ? EL_LOSS
		                                                               : EL_DRAW;
	const enum el_outcome outcome = el_outcome_between(bound[!side], bound[side]);
	static const uint8_t shallow[EL_OUTCOMES] = {
		[EL_UNKNOWN] = 2, [EL_AT_MOST_DRAW] = 3, [EL_AT_LEAST_DRAW] = 4, [EL_DRAW] = 5};
	if (shallow[outcome])
		return shallow[outcome];
	/* The winner can rely on the solution that favours the other side. */
	const unsigned winner = outcome == EL_WIN ? side : !side;
	const uint16_t sure = o[!winner].plies[side][at], least = o[winner].plies[side][at];
	return (uint16_t)(SYMBOL_DEEP + 4 * sure + 2 * (sure != least) + (outcome == EL_WIN));
}

enum el_status study_values(struct el_study *s, struct frame *f, const struct el_metric *metric,
                            uint16_t *const out[2], struct el_error *error)
{
	struct solution o[2];
	struct el_sets *sets;
	enum el_status status = s->frames->open(&f->frame, &sets, error);
	if (status)
		return status;
	for (unsigned favour = 0; favour < 2; favour++)
		if (!solution_open(&o[favour], f, metric))
			status = no_memory(error);
	for (unsigned favour = 0; favour < 2 && !status && f->is_solved; favour++)
		status = solution_find(s, f, sets, favour, &o[favour], error);
	for (unsigned i = 0; i < 4 && !status && metric_goes_on(metric) && f->is_solved; i++) {
		uint16_t *page = page_new(&f->plies, i);
		if (page)
			memcpy(page, o[i / 2].plies[i % 2], 64 * f->words * sizeof *page);
		else
			status = no_memory(error);
		if (page)
			page_release(&f->plies, i);
	}
	if (!status && s->passes > STUDY_PLIES_MAX)
		status = el_fail(error, EL_NEGATIVE, "%u plies: expected at most %d", s->passes,
		                 STUDY_PLIES_MAX);
	uint64_t *legal = words_new(f->words);
	if (!status && !legal)
		status = no_memory(error);
	for (unsigned side = 0; side < 2 && !status; side++) {
		for (size_t unit = 0; unit < sets->units; unit++)
			s->frames->legal(sets, side, unit, legal + unit * sets->words);
		for (size_t w = 0; w < f->words; w++) {
			const uint64_t reached = f->is_solved ? o[0].reached[side][w] : 0;
			uint16_t *at = out[side] + 64 * w;
			for (unsigned i = 0; i < 64; i++)
				at[i] = legal[w] >> i & 1 ? SYMBOL_UNREACHED : 0;
			for (uint64_t left = reached; left; left &= left - 1) {
				const unsigned i = (unsigned)__builtin_ctzll(left);
				at[i] = join(o, side, 64 * w + i);
			}
		}
	}
	free(legal);
	solution_close(&o[0]);
	solution_close(&o[1]);
	sets->close(sets);
	return status;
}

/* ---- passes ---- */

enum el_status study_note_passes(struct el_study *s, struct frame *f, unsigned favour,
                                 struct study_passes *out, struct el_error *error)
{
	struct solution o;
	struct el_sets *sets;
	enum el_status status = s->frames->open(&f->frame, &sets, error);
	if (status)
		return status;
	status = solution_open(&o, f, study_metric(s->game))
	                 ? solution_find(s, f, sets, favour, &o, error)
	                 : no_memory(error);
	for (unsigned side = 0; side < 2 && !status; side++)
		for (uint64_t at = 0; at < out->addresses; at++) {
			const size_t w = at / 64;
			const uint64_t bit = UINT64_C(1) << at % 64;
			struct el_position p;
			const bool reached = o.reached[side][w] & bit &&
			                     (w % sets->words < sets->stored_words ||
			                      s->frames->position(sets, side, at, &p));
			const bool wins = reached && o.wins[side][w] & bit;
			out->of[favour][side].outcome[at] =
				(uint8_t)(!reached                ? EL_BROKEN
			                  : o.won[side][w] & bit  ? EL_WIN
			                  : o.lost[side][w] & bit ? EL_LOSS
			                                          : EL_DRAW);
			out->of[favour][side].ply[at] = o.plies[side][at];
			out->exits_win |= wins;
			if (favour == EL_BLACK || !reached)
				continue;
			out->stalemates[side] += o.plies[side][at] == NO_MOVE;
			out->winning[side] += wins;
			out->holding[side] += !wins && o.holds[side][w] & bit;
		}
	solution_close(&o);
	sets->close(sets);
	return status;
}
