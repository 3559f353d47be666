/* SPDX-License-Identifier: MIT */
/* Does a question hold? */
#include "core/probe/probe.h"
#include "query.h"

#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

static bool compares(const struct node *n, int sum)
{
	return (n->less && sum < 0) || (n->equal && sum == 0) || (n->more && sum > 0);
}

/* Does a node that depends on one value hold for it? */
static bool value_holds(const struct node *n, const struct el_metric *metric, struct el_value value)
{
	int sum = n->constant, number;
	if (n->kind == NODE_OUTCOME)
		return value.outcome == n->number;
	if (!metric->kind->number(value, &number))
		return false;
	for (unsigned i = 0; i < n->terms; i++)
		sum += n->term[i].sign * number;
	return compares(n, sum);
}

enum el_status known_prepare(struct known *k, struct el_error *error)
{
	const struct el_query *q = k->query;
	for (int i = 0; i < q->nodes; i++) {
		const struct node *n = &q->node[i];
		if (n->kind != NODE_OUTCOME && n->value_of < 0)
			continue;
		const struct el_planes *planes =
			k->planes[n->value_of < 0 ? 0 : k->of_metric[n->value_of]];
		for (unsigned p = 0; p < k->slice->planes; p++) {
			const struct el_plane *plane = &planes->plane[p];
			uint8_t *truth = k->truth[i][p] = malloc(plane->value_count);
			if (!truth)
				return el_fail(error, EL_MEMORY, "%s: out of memory",
				               k->slice->name);
			for (uint32_t v = 0; v < plane->value_count; v++)
				truth[v] = value_holds(n, planes->metric, plane->values[v]);
		}
	}
	return EL_OK;
}

/* Do all images of the plane take the set to itself? */
static bool is_fixed_set(const struct block_plane *p, uint64_t set)
{
	bool fixed = true;
	for (unsigned image = 0; image < p->images; image++)
		for (uint64_t left = set; left; left &= left - 1)
			fixed = fixed && set >> p->square[image][__builtin_ctzll(left)] & 1;
	return fixed;
}

void known_see(struct known *k, const struct block_plane *p)
{
	const struct el_query *q = k->query;
	unsigned symmetries = 0;
	for (unsigned image = 0; image < p->images; image++)
		symmetries |= p->image[image];
	for (int i = 0; i < q->nodes; i++) { /* children stand before their parents */
		const struct node *n = &q->node[i];
		bool turns = n->sided && el_slice_alike(k->slice), never = false;
		if (n->kind == NODE_ON)
			turns = turns || !is_fixed_set(p, n->squares);
		for (unsigned t = 0; t < n->terms; t++)
			turns = turns || (n->term[t].kind == TERM_FILE && p->images > 1) ||
			        (n->term[t].kind == TERM_RANK &&
			         symmetries & (unsigned)~EL_MIRRORED);
		for (int c = n->child; c >= 0; c = q->node[c].next)
			turns = turns || k->turns[c];
		for (unsigned m = 0; m < n->mentions && !el_slice_alike(k->slice); m++)
			never = never || !k->slice->count[n->mention[m].side][n->mention[m].kind];
		k->turns[i] = turns && !never;
		k->never[i] = never;
	}
}

void known_free(struct known *k)
{
	for (int i = 0; i < QUERY_NODES; i++)
		for (unsigned p = 0; p < 2; p++) {
			free(k->truth[i][p]);
			k->truth[i][p] = NULL;
		}
}

static struct el_value value_of(const struct holds *h, unsigned planes, unsigned i)
{
	const struct block *b = h->block;
	return el_plane_value(&h->known->planes[planes]->plane[b->plane->plane], b->index + i);
}

/* ---- moves ---- */

static const struct el_metric *main_metric(const struct holds *h)
{
	return h->known->planes[0]->metric;
}

/* Values the moves of a position, of the searched slice or another one. Returns how many there are; -1: some
   outcome is not known. */
static int value_moves(struct holds *h, unsigned i, const struct el_position *position,
                       struct el_move moves[EL_MOVES_MAX], struct el_value values[EL_MOVES_MAX])
{
	const struct known *k = h->known;
	const size_t count = el_library_moves(k->library, k->query->game, position, main_metric(h),
	                                      k->planes[0], moves, values);
	for (size_t m = 0; m < count; m++) {
		const struct el_game *game = k->query->game;
		struct el_position after;
		if (el_outcome_exact(values[m].outcome))
			continue;
		/* The move leads where no table is. */
		game->play(position, &moves[m], &after);
		if (!h->unknown && game->slice_of(&after, &h->missing, NULL))
			h->missing.game = NULL;
		h->unknown |= UINT64_C(1) << i;
		return -1;
	}
	return (int)count;
}

/* Moves of each kind; false if they are not known. */
static bool count_moves(struct holds *h, unsigned i)
{
	struct el_move moves[EL_MOVES_MAX];
	struct el_value values[EL_MOVES_MAX];
	uint8_t *of = h->moves[i];
	if (h->valued >> i & 1)
		return !(h->unknown >> i & 1);
	h->valued |= UINT64_C(1) << i;
	const int count = value_moves(h, i, block_original(h->block, i), moves, values);
	memset(of, 0, sizeof h->moves[i]);
	uint8_t best = EL_LOSS;
	for (int m = 0; m < count; m++)
		best = values[m].outcome > best ? values[m].outcome : best;
	for (int m = 0; m < count; m++) {
		const uint8_t outcome = values[m].outcome;
		of[outcome == EL_WIN    ? MOVES_WINNING
		   : outcome == EL_LOSS ? MOVES_LOSING
		                        : MOVES_DRAWING]++;
		of[MOVES_KEEPING] = (uint8_t)(of[MOVES_KEEPING] + (outcome == best));
	}
	return count >= 0;
}

/* Follows the best line of a won position while the winner has no second winning move. */
static bool only_line(struct holds *h, unsigned i)
{
	const struct el_game *game = h->known->query->game;
	const struct el_metric *metric = main_metric(h);
	struct el_position position = *block_original(h->block, i), next;
	struct el_move moves[EL_MOVES_MAX];
	struct el_value values[EL_MOVES_MAX];
	if (value_of(h, 0, i).outcome != EL_WIN)
		return false;
	for (unsigned ply = 0;; ply++) {
		const int count = value_moves(h, i, &position, moves, values);
		int best = 0, wins = 0;
		for (int m = 0; m < count; m++) {
			wins += values[m].outcome == EL_WIN;
			best = el_value_compare(metric, values[m], values[best]) > 0 ? m : best;
		}
		if (count <= 0)
			return !count && ply % 2; /* the winner's last move ended the game */
		if (ply % 2 == 0 && wins != 1)
			return false;
		game->play(&position, &moves[best], &next);
		position = next;
	}
}

/* ---- the board ---- */

static bool turn_holds(struct holds *h, unsigned i, enum fact fact)
{
	const struct el_game *game = h->known->query->game;
	const struct el_planes *planes = h->known->planes[0];
	const struct el_value own = value_of(h, 0, i);
	if (own.outcome > EL_DRAW)
		return false;
	struct el_position passed = *block_original(h->block, i);
	struct el_place place;
	if (game->in_check(&passed))
		return false;
	passed.side = !passed.side;
	if (!game->place(&passed, &place) || place.key != h->known->slice->key)
		return false;
	const struct el_value other = el_plane_value(&planes->plane[place.plane], place.index);
	const bool both = own.outcome < EL_DRAW && other.outcome < EL_DRAW;
	const bool one = (own.outcome < EL_DRAW && other.outcome == EL_DRAW) ||
	                 (own.outcome == EL_DRAW && other.outcome < EL_DRAW);
	return (both && fact != FACT_HALF) || (one && fact != FACT_FULL);
}

static bool fact_holds(struct holds *h, unsigned i, enum fact fact)
{
	const struct el_game *game = h->known->query->game;
	const struct el_position *position = block_original(h->block, i);
	struct el_move moves[EL_MOVES_MAX];
	switch (fact) {
	case FACT_CHECK:
		return game->in_check(position);
	case FACT_CHECKMATE:
		return game->in_check(position) && !game->moves(position, moves);
	case FACT_STALEMATE:
		return !game->in_check(position) && !game->moves(position, moves) &&
		       game->stuck(position).outcome == EL_DRAW;
	case FACT_OVER:
		return !game->moves(position, moves);
	case FACT_CAPTURE:
		return game->captures(position, moves);
	case FACT_FULL:
	case FACT_HALF:
	case FACT_ZUGZWANG:
		return turn_holds(h, i, fact);
	case FACT_ONLY_LINE:
		return only_line(h, i);
	}
	return false;
}

/* Moves of a kind that the rules alone tell. */
static int count_by_rules(const struct el_game *game, const struct el_position *position,
                          enum moves_kind kind)
{
	struct el_move moves[EL_MOVES_MAX], replies[EL_MOVES_MAX];
	const size_t all = kind == MOVES_CAPTURING ? game->captures(position, moves)
	                                           : game->moves(position, moves);
	int count = 0;
	if (kind <= MOVES_CAPTURING)
		return (int)all;
	for (size_t m = 0; m < all; m++) {
		struct el_position after;
		game->play(position, &moves[m], &after);
		count += !game->moves(&after, replies) &&
		         game->in_check(&after) == (kind == MOVES_MATING) &&
		         (kind == MOVES_MATING || game->stuck(&after).outcome == EL_DRAW);
	}
	return count;
}

/* The number of a term, with the mentioned pieces on these squares; false: it has none. */
static bool term_number(struct holds *h, unsigned i, const struct node *n, const struct term *t,
                        const unsigned *file, const unsigned *rank, int *out)
{
	const unsigned a = t->argument[0], b = t->argument[1];
	const struct el_game *game = h->known->query->game;
	int across, along;
	switch ((enum term_kind)t->kind) {
	case TERM_NUMBER: {
		const unsigned planes = h->known->of_metric[a];
		return h->known->planes[planes]->metric->kind->number(value_of(h, planes, i), out);
	}
	case TERM_FILE:
		*out = (int)file[a] + 1;
		return true;
	case TERM_RANK:
		*out = (int)rank[a] + 1;
		return true;
	case TERM_DISTANCE:
		across = abs((int)file[a] - (int)file[b]);
		along = abs((int)rank[a] - (int)rank[b]);
		*out = across > along ? across : along;
		return true;
	case TERM_BEHIND:
		*out = file[a] == file[b] &&
		       (n->mention[b].side == EL_WHITE ? rank[a] < rank[b] : rank[a] > rank[b]);
		return true;
	case TERM_STONES:
		*out = block_position(h->block, i)->pits[a];
		return true;
	case TERM_MOVES:
		if (a < MOVES_WINNING)
			*out = count_by_rules(game, block_original(h->block, i),
			                      (enum moves_kind)a);
		else if (count_moves(h, i))
			*out = h->moves[i][a];
		else
			return false;
		return true;
	}
	return false;
}

/* Some choice of pieces for the mentions from number `m` on must do; each is another piece. */
static bool comparison_holds(struct holds *h, unsigned i, const struct node *n, unsigned m,
                             uint64_t used, unsigned *file, unsigned *rank)
{
	if (m == n->mentions) {
		int sum = n->constant, number;
		for (unsigned t = 0; t < n->terms; t++) {
			if (!term_number(h, i, n, &n->term[t], file, rank, &number))
				return false;
			sum += n->term[t].sign * number;
		}
		return compares(n, sum);
	}
	const struct el_position *p = block_position(h->block, i);
	for (uint64_t left = p->set[n->mention[m].side][n->mention[m].kind] & ~used; left;
	     left &= left - 1) {
		const unsigned square = (unsigned)__builtin_ctzll(left);
		file[m] = h->block->plane->file[square];
		rank[m] = h->block->plane->rank[square];
		if (comparison_holds(h, i, n, m + 1, used | UINT64_C(1) << square, file, rank))
			return true;
	}
	return false;
}

static bool leaf_holds(struct holds *h, unsigned i, const struct node *n)
{
	unsigned file[QUERY_MENTIONS], rank[QUERY_MENTIONS];
	struct el_value value;
	switch (n->kind) {
	case NODE_SIDE:
		return block_position(h->block, i)->side == n->number;
	case NODE_WINS:
		value = value_of(h, 0, i);
		return value.outcome ==
		       (block_position(h->block, i)->side == n->number ? EL_WIN : EL_LOSS);
	case NODE_ON:
		return block_position(h->block, i)->set[n->mention[0].side][n->mention[0].kind] &
		       n->squares;
	case NODE_COMPARE:
		return comparison_holds(h, i, n, 0, 0, file, rank);
	default:
		return fact_holds(h, i, (enum fact)n->number);
	}
}

/* ---- the tree ---- */

static uint64_t node_of(struct holds *h, int number, uint64_t care)
{
	const struct node *n = &h->known->query->node[number];
	uint64_t bits = n->kind == NODE_AND ? care : 0;
	switch (n->kind) {
	case NODE_AND:
		for (int c = n->child; c >= 0 && bits; c = h->known->query->node[c].next)
			bits = node_of(h, c, bits);
		return bits;
	case NODE_OR:
		for (int c = n->child; c >= 0 && care & ~bits; c = h->known->query->node[c].next)
			bits |= node_of(h, c, care & ~bits);
		return bits;
	case NODE_NOT:
		return care & ~node_of(h, n->child, care);
	default:
		break;
	}
	if (h->known->never[number])
		return 0;
	if (h->known->truth[number][0]) { /* one value tells */
		const unsigned of = n->value_of < 0 ? 0 : h->known->of_metric[n->value_of];
		const unsigned plane = h->block->plane->plane;
		const uint8_t *truth = h->known->truth[number][plane];
		const uint16_t *symbol =
			h->known->planes[of]->plane[plane].symbols + h->block->index;
		for (unsigned i = 0; i < h->block->count; i++)
			bits |= (uint64_t)truth[symbol[i]] << i;
		return bits & care;
	}
	uint64_t todo = care & ~h->done[number];
	h->done[number] |= todo;
	for (; todo; todo &= todo - 1) {
		const unsigned i = (unsigned)__builtin_ctzll(todo);
		h->bits[number] |= (uint64_t)leaf_holds(h, i, n) << i;
	}
	return h->bits[number] & care;
}

void holds_begin(struct holds *h, bool image)
{
	const struct el_query *q = h->known->query;
	for (int i = 0; i < q->nodes; i++)
		if (!image || h->known->turns[i])
			h->done[i] = h->bits[i] = 0;
	if (!image)
		h->valued = h->unknown = 0;
}

uint64_t holds_of(struct holds *h, uint64_t care)
{
	return node_of(h, h->known->query->root, care);
}
