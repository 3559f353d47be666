/* SPDX-License-Identifier: MIT */
#include "graph.h"

#include "core/base/array.h"
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NOWHERE = UINT32_MAX,
	/* Positions that are compared with the one looked at, to find the nearest. */
	COMPARED_MAX = 1 << 16,
};

/* Nodes are frames by their number in the file, choices included. An edge is a kind of move (el_exit),
   whether or not some position of the frame allows it. */
struct el_graph {
	struct study_file file;
	size_t *first;     /* by frame, and one more: its edges; owned */
	uint32_t *edge;    /* to frames; owned */
	uint8_t *seen;     /* by frame, while frames are counted; owned */
	uint32_t *waiting; /* the same; owned */
	/* The block decoded last; owned. */
	uint16_t *symbols;
	uint64_t block;
};

/* The positions of a frame with one side to move that the study reaches; owned. */
struct side_set {
	size_t words;
	uint64_t *reached;
	uint8_t *outcome; /* by address, where reached */
};

/* An empty set of a frame. */
static uint64_t *words_of(const struct el_sets *sets)
{
	return words_new(sets->units * sets->words);
}

/* ---- the graph ---- */

static enum el_status find_edges(struct el_graph *g, struct el_error *error)
{
	size_t count = 0;
	for (uint32_t i = 0; i < g->file.count; i++) {
		struct el_sets *sets;
		const enum el_status status =
			g->file.frames->open(&g->file.list[i].frame, &sets, error);
		if (status)
			return status;
		g->first[i] = count;
		struct el_exit exits[2 * EL_EXITS_MAX];
		const size_t exit_count = exits_all(g->file.frames, sets, exits);
		if (!array_grow(&g->edge, count, exit_count, sizeof *g->edge)) {
			sets->close(sets);
			return no_memory(error);
		}
		for (size_t k = 0; k < exit_count; k++) {
			const uint32_t to = study_file_frame(&g->file, &exits[k].to);
			if (to != NOWHERE)
				g->edge[count++] = to;
		}
		sets->close(sets);
	}
	g->first[g->file.count] = count;
	return EL_OK;
}

enum el_status el_graph_open(const char *path, struct el_graph **out, struct el_error *error)
{
	struct el_graph *g = calloc(1, sizeof *g);
	if (!g)
		return no_memory(error);
	enum el_status status = study_file_open(path, &g->file, error);
	if (!status) {
		g->block = UINT64_MAX;
		g->symbols = malloc(g->file.info->options.block_positions * sizeof *g->symbols);
		g->first = calloc(g->file.count + 1u, sizeof *g->first);
		g->seen = malloc(g->file.count + 1u);
		g->waiting = malloc((g->file.count + 1u) * sizeof *g->waiting);
		status = g->symbols && g->first && g->seen && g->waiting ? find_edges(g, error)
		                                                         : no_memory(error);
	}
	if (status)
		el_graph_close(g);
	else
		*out = g;
	return status;
}

void el_graph_close(struct el_graph *g)
{
	if (!g)
		return;
	study_file_close(&g->file);
	free(g->first);
	free(g->edge);
	free(g->seen);
	free(g->waiting);
	free(g->symbols);
	free(g);
}

const struct el_position *el_graph_root(const struct el_graph *g)
{
	return &g->file.root;
}

/* The frames that can follow one, itself included. Choices are not counted. */
static size_t count_below(struct el_graph *g, uint32_t from)
{
	size_t found = 0, waiting = 1;
	memset(g->seen, 0, g->file.count);
	g->waiting[0] = from;
	g->seen[from] = 1;
	while (waiting) {
		const uint32_t at = g->waiting[--waiting];
		found += g->file.frames->chooses(&g->file.list[at].frame) == 2;
		for (size_t k = g->first[at]; k < g->first[at + 1]; k++) {
			const uint32_t to = g->edge[k];
			if (g->seen[to])
				continue;
			g->seen[to] = 1;
			g->waiting[waiting++] = to;
		}
	}
	return found;
}

/* ---- values ---- */

static void side_set_free(struct side_set *s)
{
	free(s->reached);
	free(s->outcome);
}

/* Of an illegal position, the file may have any value. */
static enum el_status read_side(struct el_graph *g, uint32_t number, const struct el_sets *sets,
                                unsigned side, struct side_set *out, struct el_error *error)
{
	const struct filed *filed = &g->file.list[number];
	const uint32_t block_positions = g->file.info->options.block_positions;
	enum el_status status = EL_OK;
	out->words = sets->units * sets->words;
	out->reached = aligned_alloc(64, out->words * sizeof *out->reached);
	out->outcome = malloc(64 * out->words);
	if (!out->reached || !out->outcome)
		return no_memory(error);
	for (size_t unit = 0; unit < sets->units; unit++)
		g->file.frames->legal(sets, side, unit, out->reached + unit * sets->words);
	for (uint64_t at = 0; at < filed->half && !status; at++) {
		const uint64_t n = filed->first + (side ? filed->half : 0) + at;
		if (n / block_positions != g->block) {
			g->block = n / block_positions;
			status = el_table_read_block(g->file.table, g->block, g->symbols, error);
			if (status) {
				g->block = UINT64_MAX;
				break;
			}
		}
		const struct el_value v = g->file.values[g->symbols[n % block_positions]];
		if (v.outcome == EL_BROKEN)
			out->reached[at / 64] &= ~(UINT64_C(1) << at % 64);
		out->outcome[at] = v.outcome;
	}
	/* A right that no legal move uses makes no other position. */
	for (size_t w = 0; w < out->words; w++)
		for (uint64_t left = w % sets->words < sets->stored_words ? 0 : out->reached[w];
		     left; left &= left - 1) {
			struct el_position p;
			if (!g->file.frames->position(sets, side,
			                              64 * w + (uint64_t)__builtin_ctzll(left), &p))
				out->reached[w] &= ~(left & -left);
		}
	return status;
}

/* Counts positions by their outcome for the side to move or for the other one. */
static struct el_graph_count count_outcomes(const struct side_set *s, bool other)
{
	struct el_graph_count c = {{0}};
	for (size_t w = 0; w < s->words; w++)
		for (uint64_t left = s->reached[w]; left; left &= left - 1) {
			const enum el_outcome o =
				s->outcome[64 * w + (unsigned)__builtin_ctzll(left)];
			c.of[other ? el_outcome_negate(o) : o]++;
		}
	return c;
}

/* ---- positions ---- */

static unsigned distance(const struct el_position *a, const struct el_position *b)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < 2 * EL_KINDS; i++)
		sum += (unsigned)__builtin_popcountll(a->set[i / EL_KINDS][i % EL_KINDS] ^
		                                      b->set[i / EL_KINDS][i % EL_KINDS]);
	return sum;
}

/* Of some positions of a frame, the one most like another. False: there is none. */
static bool nearest(const struct el_frames *frames, const struct el_sets *sets, unsigned side,
                    const uint64_t *set, const struct el_position *to, struct el_position *out)
{
	unsigned least = UINT32_MAX, compared = 0;
	for (size_t w = 0; w < sets->units * sets->words; w++)
		for (uint64_t left = set[w]; left && compared < COMPARED_MAX; left &= left - 1) {
			struct el_position p;
			if (!frames->position(sets, side, 64 * w + (unsigned)__builtin_ctzll(left),
			                      &p))
				continue;
			compared++;
			if (distance(&p, to) >= least)
				continue;
			least = distance(&p, to);
			*out = p;
		}
	return least != UINT32_MAX;
}

/* A legal move of a position into a frame, where it enters one of a set. */
static bool find_move(const struct el_graph *g, const struct el_position *from, uint32_t to,
                      const uint64_t *set, struct el_position *out)
{
	const struct el_game *game = g->file.info->slice.game;
	const struct el_frame *frame = &g->file.list[to].frame;
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = game->check(from, NULL) ? 0 : game->moves(from, moves);
	for (size_t i = 0; i < count; i++) {
		struct el_frame key;
		game->play(from, &moves[i], out);
		g->file.frames->of(out, &key);
		if (!el_frame_equal(&key, frame))
			continue;
		const uint64_t at = g->file.frames->address(frame, out);
		if (set[at / 64] >> at % 64 & 1)
			return true;
	}
	return false;
}

/* ---- around a frame ---- */

/* The frame looked at, while what is around it is found. */
struct looking {
	struct el_graph *graph;
	const struct el_position *position;
	uint32_t number;
	struct el_sets *sets;
	struct side_set side[2]; /* by side to move */
	struct el_graph_view *out;
};

static void find_standing(const struct el_graph *g, uint32_t number, uint64_t out[2])
{
	for (unsigned side = 0; side < 2; side++)
		out[side] = g->file.frames->standing(&g->file.list[number].frame, side);
}

static enum el_status add(struct el_graph_step **list, size_t *count,
                          const struct el_graph_step *step, struct el_error *error)
{
	if (!array_grow(list, *count, 1, sizeof *step))
		return no_memory(error);
	(*list)[(*count)++] = *step;
	return EL_OK;
}

/* Adds a step into a frame: the positions entered, of which some may not be reached. */
static enum el_status add_step(struct looking *l, const char *name, unsigned side, uint32_t to,
                               const struct el_sets *there, uint64_t *entered,
                               struct el_error *error)
{
	struct el_graph *g = l->graph;
	const bool is_choice = g->file.frames->chooses(&g->file.list[to].frame) < 2;
	struct side_set values = {0};
	struct el_graph_step step = {.side = (uint8_t)side, .is_open = is_choice};
	enum el_status status = read_side(g, to, there, !side, &values, error);
	uint64_t any = 0;
	g->file.frames->settle(there, !side, entered, entered);
	for (size_t w = 0; w < values.words && !status; w++)
		any |= values.reached[w] &= entered[w];
	if (!status && any) {
		struct el_position here = *l->position;
		snprintf(step.name, sizeof step.name, "%s", name);
		find_standing(g, to, step.standing);
		step.count = count_outcomes(&values, true);
		step.below = is_choice ? 0 : count_below(g, to);
		/* The move itself; else the same move if it were the other's turn; else any place. */
		step.is_legal = here.side == side &&
		                find_move(g, &here, to, values.reached, &step.position);
		here.side = (uint8_t)side;
		here.en_passant = EL_NO_SQUARE;
		if (!step.is_legal && !find_move(g, &here, to, values.reached, &step.position) &&
		    !nearest(g->file.frames, there, !side, values.reached, &here, &step.position))
			any = 0;
	}
	if (!status && any)
		status = add(&l->out->after, &l->out->after_count, &step, error);
	side_set_free(&values);
	return status;
}

/* Adds a step for each kind that a choice may fall on and the study follows, or one for the choice. */
static enum el_status add_choice(struct looking *l, const char *name, unsigned side,
                                 uint32_t choice, const struct el_sets *there, uint64_t *entered,
                                 struct el_error *error)
{
	struct el_graph *g = l->graph;
	const struct el_frames *frames = g->file.frames;
	const size_t before = l->out->after_count;
	struct el_exit exits[EL_EXITS_MAX];
	const size_t count = frames->exits(there, side, exits);
	enum el_status status = EL_OK;
	for (size_t i = 0; i < count && !status; i++) {
		const uint32_t to = study_file_frame(&g->file, &exits[i].to);
		struct el_sets *chosen;
		char kind[EL_MOVE_MAX], all[2 * EL_MOVE_MAX];
		if (to == NOWHERE || !g->file.list[to].is_solved)
			continue;
		status = frames->open(&exits[i].to, &chosen, error);
		if (status)
			return status;
		uint64_t *set = words_of(chosen);
		if (set) {
			frames->image(&exits[i], there, chosen, entered, set);
			frames->name(there, &exits[i], kind);
			snprintf(all, sizeof all, "%.*s%.*s", EL_MOVE_MAX - 1, name,
			         EL_MOVE_MAX - 1, kind);
			status = add_step(l, all, side, to, chosen, set, error);
		} else {
			status = no_memory(error);
		}
		free(set);
		chosen->close(chosen);
	}
	return status || l->out->after_count > before
	               ? status
	               : add_step(l, name, side, choice, there, entered, error);
}

/* Moves of one name that lead into the same frame are one step. */
static enum el_status add_after(struct looking *l, unsigned side, const struct el_watch *watch,
                                struct el_error *error)
{
	struct el_graph *g = l->graph;
	const struct el_frames *frames = g->file.frames;
	struct el_exit exits[EL_EXITS_MAX];
	char name[EL_EXITS_MAX][EL_MOVE_MAX];
	const size_t count = frames->exits(l->sets, side, exits);
	enum el_status status = EL_OK;
	for (size_t i = 0; i < count; i++)
		frames->name(l->sets, &exits[i], name[i]);
	for (size_t i = 0; i < count && !status; i++) {
		const uint32_t to = study_file_frame(&g->file, &exits[i].to);
		struct el_sets *there;
		size_t same = 0;
		while (strcmp(name[same], name[i]) ||
		       !el_frame_equal(&exits[same].to, &exits[i].to))
			same++;
		if (same < i || to == NOWHERE || !g->file.list[to].is_solved)
			continue;
		const struct el_progress progress = {"reading", "frames", (double)i, (double)count,
		                                     .unit = "frames"};
		if (!el_watch_tick(watch, &progress))
			return el_fail(error, EL_STOPPED, "stopped");
		status = frames->open(&exits[i].to, &there, error);
		if (status)
			return status;
		uint64_t *set = words_of(there);
		for (size_t k = i; k < count && set; k++)
			if (!strcmp(name[k], name[i]) && el_frame_equal(&exits[k].to, &exits[i].to))
				frames->image(&exits[k], l->sets, there, l->side[side].reached,
				              set);
		if (!set)
			status = no_memory(error);
		else if (frames->chooses(&exits[i].to) < 2)
			status = add_choice(l, name[i], side, to, there, set, error);
		else
			status = add_step(l, name[i], side, to, there, set, error);
		free(set);
		there->close(there);
	}
	return status;
}

/* Does an edge lead from one frame to another, or two by way of a choice? */
static bool leads_to(const struct el_graph *g, uint32_t from, uint32_t to)
{
	bool leads = false;
	for (size_t k = g->first[from]; k < g->first[from + 1] && !leads; k++)
		leads = g->edge[k] == to ||
		        (g->file.frames->chooses(&g->file.list[g->edge[k]].frame) < 2 &&
		         leads_to(g, g->edge[k], to));
	return leads;
}

/* Adds a move of another frame, `first` and perhaps a choice after it, that leads from some of its
   positions to some here. */
static enum el_status add_move_here(struct looking *l, uint32_t number, const struct el_exit *first,
                                    const struct el_sets *from, const struct side_set *values,
                                    struct el_error *error)
{
	const struct el_frames *frames = l->graph->file.frames;
	const struct el_frame *here = &l->graph->file.list[l->number].frame;
	const uint64_t *target = l->side[!first->side].reached;
	struct el_graph_step step = {.side = first->side};
	struct el_exit exits[EL_EXITS_MAX];
	struct el_sets *choice = NULL;
	uint64_t *between = NULL, *set = words_of(from);
	enum el_status status = set ? EL_OK : no_memory(error);
	frames->name(from, first, step.name);
	find_standing(l->graph, number, step.standing);
	if (!status && !el_frame_equal(&first->to, here)) {
		char kind[EL_MOVE_MAX];
		size_t i = 0;
		status = frames->open(&first->to, &choice, error);
		const size_t count = status ? 0 : frames->exits(choice, first->side, exits);
		while (i < count && !el_frame_equal(&exits[i].to, here))
			i++;
		if (i < count && (between = words_of(choice))) {
			frames->name(choice, &exits[i], kind);
			strncat(step.name, kind, sizeof step.name - strlen(step.name) - 1);
			frames->pre(&exits[i], choice, l->sets, target, between);
		} else if (i < count) {
			status = no_memory(error);
		}
		target = between;
	}
	if (!status && target) {
		frames->pre(first, from, choice ? choice : l->sets, target, set);
		for (size_t w = 0; w < values->words; w++)
			set[w] &= values->reached[w];
	}
	if (!status && nearest(frames, from, first->side, set, l->position, &step.position))
		status = add(&l->out->before, &l->out->before_count, &step, error);
	if (choice)
		choice->close(choice);
	free(between);
	free(set);
	return status;
}

/* Adds the moves of one frame that lead here. */
static enum el_status add_before(struct looking *l, uint32_t from, struct el_error *error)
{
	struct el_graph *g = l->graph;
	const struct el_frames *frames = g->file.frames;
	struct el_sets *there;
	enum el_status status = frames->open(&g->file.list[from].frame, &there, error);
	if (status)
		return status;
	for (unsigned side = 0; side < 2 && !status; side++) {
		struct side_set values = {0};
		struct el_exit exits[EL_EXITS_MAX];
		const size_t count = frames->exits(there, side, exits);
		for (size_t i = 0; i < count && !status; i++) {
			const uint32_t to = study_file_frame(&g->file, &exits[i].to);
			if (to == NOWHERE ||
			    (to != l->number &&
			     (frames->chooses(&exits[i].to) == 2 || !leads_to(g, to, l->number))))
				continue;
			if (!values.reached)
				status = read_side(g, from, there, side, &values, error);
			if (!status)
				status = add_move_here(l, from, &exits[i], there, &values, error);
		}
		side_set_free(&values);
	}
	there->close(there);
	return status;
}

enum el_status el_graph_look(struct el_graph *g, const struct el_position *position,
                             const struct el_watch *watch, struct el_graph_view *out,
                             struct el_error *error)
{
	struct el_frame key, root;
	struct looking l = {.graph = g, .position = position, .out = out};
	*out = (struct el_graph_view){.frames = g->file.size.frames};
	g->file.frames->of(position, &key);
	l.number = position->castling ? NOWHERE : study_file_frame(&g->file, &key);
	if (l.number == NOWHERE || !g->file.list[l.number].is_solved)
		return el_fail(error, EL_NEGATIVE, "%s does not reach this position",
		               el_table_path(g->file.table));
	enum el_status status = g->file.frames->open(&key, &l.sets, error);
	if (status)
		return status;
	for (unsigned side = 0; side < 2 && !status; side++) {
		status = read_side(g, l.number, l.sets, side, &l.side[side], error);
		if (!status)
			out->count[side] = count_outcomes(&l.side[side], false);
	}
	g->file.frames->of(&g->file.root, &root);
	out->is_root = el_frame_equal(&root, &key);
	find_standing(g, l.number, out->standing);
	out->below = count_below(g, l.number) - 1;
	for (unsigned side = 0; side < 2 && !status; side++)
		status = add_after(&l, side, watch, error);
	for (uint32_t i = 0; i < g->file.count && !status; i++)
		if (g->file.list[i].is_solved &&
		    g->file.frames->chooses(&g->file.list[i].frame) == 2 &&
		    leads_to(g, i, l.number))
			status = add_before(&l, i, error);
	side_set_free(&l.side[0]);
	side_set_free(&l.side[1]);
	l.sets->close(l.sets);
	return status;
}

void el_graph_view_free(struct el_graph_view *v)
{
	free(v->after);
	free(v->before);
	*v = (struct el_graph_view){.frames = 0};
}
