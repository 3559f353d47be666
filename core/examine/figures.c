/* SPDX-License-Identifier: MIT */
/* Compares published statistics with those of a table of ours, figure by figure. */
#include "examine.h"

#include <stdlib.h>
#include <string.h>

struct comparing {
	const struct el_published_ending *theirs;
	const struct el_planes *planes;
	const struct el_metric *common; /* in which counts are compared */
	struct el_stats stats;          /* of the planes, in their counts (reduce) */
	struct el_figures *out;
};

/*
 * Turns our placements into Syzygy's counts: classes of positions under the symmetries of the board,
 * with like pieces told apart. Told apart, they are placed in as many more ways as they can change
 * places, m. With pawns every class has 2 placements, mirrored files; without, it has 8, or 4 if a
 * symmetry leaves every piece where it is, which takes one diagonal that holds them all. So of p
 * placements, with d of them on the diagonal from a1 when told apart, there are (m p + 2 d) / 8 classes.
 */
static enum el_status reduce(struct comparing *c, unsigned side, struct el_error *error)
{
	const struct el_slice *slice = &c->planes->slice;
	const struct el_game *game = slice->game;
	struct el_side_stats *s = &c->stats.side[side];
	const struct el_plane *plane = &c->planes->plane[slice->planes == 1 ? 0 : side];
	uint8_t owner[EL_PIECES_MAX], kind[EL_PIECES_MAX];
	unsigned pieces = 0;
	uint64_t ways = 1, *on_diagonal = calloc(s->values, sizeof *on_diagonal);
	bool pawns = false;
	if (!on_diagonal)
		return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	for (unsigned k = 0; k < 2 * EL_KINDS; k++)
		for (unsigned i = 0; i < slice->count[k / EL_KINDS][k % EL_KINDS]; i++) {
			ways *= i + 1;
			pawns |= game->kinds[k % EL_KINDS] == 'P';
			owner[pieces] = (uint8_t)(k / EL_KINDS);
			kind[pieces++] = (uint8_t)(k % EL_KINDS);
		}
	for (uint64_t code = 0; code >> 3 * pieces == 0 && !pawns; code++) {
		struct el_position position = {
			.side = (uint8_t)side, .en_passant = EL_NO_SQUARE, .fullmove = 1};
		struct el_place place;
		uint64_t taken = 0;
		unsigned i = 0;
		for (; i < pieces; i++) {
			const uint64_t square = UINT64_C(1) << 9 * (code >> 3 * i & 7);
			if (taken & square)
				break;
			taken |= square;
			position.set[owner[i]][kind[i]] |= square;
		}
		if (i == pieces && game->place(&position, &place) && game->legal(&position, &place))
			on_diagonal[plane->symbols[place.index]]++;
	}
	for (size_t v = 0; v < s->values; v++)
		s->tallies[v].placements =
			pawns ? ways * s->tallies[v].placements / 2
			      : (ways * s->tallies[v].placements + 2 * on_diagonal[v]) / 8;
	free(on_diagonal);
	return EL_OK;
}

static void judge(struct comparing *c, const struct el_figure *figure, bool agrees)
{
	c->out->compared++;
	c->out->different += !agrees;
	if (!agrees && c->out->count < EL_FIGURES_MAX)
		c->out->first[c->out->count++] = *figure;
}

/* Counts that are both 0 say nothing. */
static void judge_counts(struct comparing *c, const struct el_figure *f)
{
	if (f->ours || f->theirs)
		judge(c, f, f->ours == f->theirs);
}

/* How many of our positions have an outcome under the common metric, and these plies (below 0: any). */
static uint64_t count(const struct comparing *c, unsigned side, enum el_outcome outcome, int plies)
{
	uint64_t sum = 0;
	const struct el_side_stats *s = &c->stats.side[side];
	for (const struct el_tally *t = s->tallies; t < s->tallies + s->values; t++) {
		const struct el_value v = el_metric_read(c->planes->metric, c->common, t->value);
		if (v.outcome == outcome && (plies < 0 || v.plies == plies))
			sum += t->placements;
	}
	return sum;
}

static void compare_outcomes(struct comparing *c, unsigned side)
{
	for (unsigned outcome = 0; outcome < EL_OUTCOMES; outcome++) {
		struct el_figure f = {EL_FIGURE_COUNT, .side = (uint8_t)side,
		                      .outcome = (uint8_t)outcome};
		for (unsigned o = 0; o <= EL_WIN; o++)
			if (el_metric_read(c->theirs->metric, c->common,
			                   (struct el_value){.outcome = (uint8_t)o})
			            .outcome == outcome)
				f.theirs += c->theirs->side[side].outcome[o];
		f.ours = outcome == EL_BROKEN ? 0 : count(c, side, outcome, -1);
		judge_counts(c, &f);
	}
}

static void compare_depths(struct comparing *c, unsigned side, unsigned half)
{
	const uint8_t in_time = half ? EL_LOSS : EL_WIN;
	const uint64_t *theirs = c->theirs->side[side].depth[half];
	const unsigned plies = c->theirs->side[side].plies[half];
	const unsigned limit = c->theirs->metric->limit;
	struct el_figure late = {EL_FIGURE_LATE, .side = (uint8_t)side, .plies = limit,
	                         .outcome = half ? EL_BLESSED_LOSS : EL_CURSED_WIN,
	                         .metric = c->common};
	for (unsigned p = 0; p <= limit || p < plies; p++) {
		struct el_figure f = {EL_FIGURE_DEPTH,     .side = (uint8_t)side,
		                      .outcome = in_time,  .plies = p,
		                      .metric = c->common, .theirs = p < plies ? theirs[p] : 0};
		late.theirs += p > limit ? f.theirs : 0;
		if (p > limit)
			continue;
		f.ours = count(c, side, in_time, (int)p);
		judge_counts(c, &f);
	}
	late.ours = count(c, side, late.outcome, -1);
	judge_counts(c, &late);
}

/* Is this value of ours, for a side to move, one of those among which theirs is the longest? */
static bool is_among(const struct comparing *c, const struct el_published_record *r, unsigned side,
                     struct el_value value)
{
	const enum el_outcome outcome = el_metric_read(c->planes->metric, r->among, value).outcome;
	return side == r->side ? outcome == r->outcome
	                       : r->either && outcome == el_outcome_negate(r->outcome);
}

static enum el_status compare_record(struct comparing *c, const struct el_published_record *r,
                                     struct el_error *error)
{
	const struct el_slice *slice = &c->planes->slice;
	const struct el_game *game = slice->game;
	const bool late = el_outcome_late(r->outcome);
	struct el_figure f = {EL_FIGURE_LONGEST,   .side = r->side,     .outcome = r->outcome,
	                      .either = r->either, .metric = r->metric, .theirs = r->plies};
	struct el_position position;
	struct el_place place;
	if (c->planes->metric != r->metric)
		return EL_OK;
	c->out->metric = r->metric;
	for (unsigned side = 0; side < 2; side++) {
		const struct el_side_stats *s = &c->stats.side[side];
		for (const struct el_tally *t = s->tallies; t < s->tallies + s->values; t++)
			if (t->placements && is_among(c, r, side, t->value) &&
			    (t->value.plies > f.ours || (t->value.plies == f.ours && !f.fen[0])) &&
			    index_format(slice, slice->planes == 1 ? 0 : side, t->first, side,
			                 f.fen))
				f.ours = t->value.plies;
	}
	if (!late)
		judge(c, &f, f.ours == f.theirs);
	if (!*r->fen)
		return EL_OK;
	const enum el_status status = game->parse(r->fen, &position, error);
	if (status)
		return status;
	if (!game->place(&position, &place) || place.key != slice->key)
		return el_fail(error, EL_DAMAGED, "%s: no position of %s", r->fen, slice->name);
	f.kind = EL_FIGURE_VALUE;
	memcpy(f.fen, r->fen, sizeof f.fen);
	f.our_value = el_plane_value(&c->planes->plane[place.plane], place.index);
	f.their_value = (struct el_value){.outcome = r->outcome, .plies = (uint16_t)r->plies};
	judge(c, &f,
	      is_among(c, r, r->side, f.our_value) &&
	              (late ? r->plies > r->metric->limit : f.our_value.plies == r->plies));
	return EL_OK;
}

enum el_status el_published_compare(const struct el_published_ending *theirs,
                                    const struct el_planes *ours, const struct el_watch *watch,
                                    struct el_figures *out, struct el_error *error)
{
	const struct el_metric *const common = el_metric_common(ours->metric, theirs->metric);
	struct comparing c = {.theirs = theirs, .planes = ours, .common = common, .out = out};
	*out = (struct el_figures){.metric = common};
	if (el_planes_partial(ours))
		return el_fail(error, EL_NEGATIVE,
		               "%s %s: it has bounds, and bounds have no counts to compare",
		               ours->slice.name, ours->metric->name);
	enum el_status status = el_stats_make(ours, watch, &c.stats, error);
	if (status)
		return status;
	for (unsigned side = 0; side < 2 && theirs->reduced && !status; side++)
		status = reduce(&c, side, error);
	for (unsigned side = 0; side < 2 && !status; side++) {
		compare_outcomes(&c, side);
		for (unsigned half = 0; half < 2 && c.common->has_depth; half++)
			compare_depths(&c, side, half);
	}
	for (unsigned i = 0; i < theirs->records && !status; i++)
		status = compare_record(&c, &theirs->record[i], error);
	el_stats_free(&c.stats);
	return status;
}
