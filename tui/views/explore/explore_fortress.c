/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fortress explained: where the defender stays, how many positions that makes, and what each move
   does to it. */
#include "explore.h"

#include "core/probe/probe.h"
#include "tui/text/text.h"

#include <stdio.h>

const char *explore_no_fortress(const struct model *m)
{
	const struct study *s = m->play.study;
	return !s                   ? "The position is still being looked up."
	       : play_game(m)->sows ? "Stones are sown all around: no side keeps to a region."
	       : el_fortress_refused(play_game(m))
	               ? "This board is too symmetric for a region smaller than itself."
	       : !study_is_exact(s) || s->answer.from_moves || s->answer.source.is_study ||
	                       !s->answer.has_slice
	               ? "No table covers this position."
	       : s->answer.over ? "The game is over."
	       : s->answer.value[el_metric_rank(&el_wdl)].outcome != EL_DRAW
	               ? "Only in a drawn position does a side hold a fortress."
	       : s->answer.slice.planes == 1 ? "Both sides have the same pieces: neither defends."
	                                     : NULL;
}

void explore_mark_region(const struct model *m, struct square_mark marks[MAP_SQUARES])
{
	const struct el_fortress *f = fortress_found(m);
	for (uint64_t left = f ? f->region : 0; left; left &= left - 1)
		marks[__builtin_ctzll(left)] =
			(struct square_mark){.text = "=", .role = ROLE_VALUE_DRAW};
}

/* What a move does to the fortress. */
enum effect { STAYS, TRADES, LEAVES, LOSES, EFFECTS };

static enum effect effect_of(const struct el_fortress *f, const struct el_answer *a,
                             const struct el_ranked *move)
{
	struct el_position after;
	struct el_slice slice;
	a->game->play(&a->position, &move->move, &after);
	const bool same =
		!a->game->slice_of(&after, &slice, NULL) && el_slice_equal(&slice, &f->slice);
	return move->value[el_metric_rank(&el_wdl)].outcome < EL_DRAW ? LOSES
	       : el_fortress_holds(f, &after)                         ? STAYS
	       : !same                                                ? TRADES
	                                                              : LEAVES;
}

static const struct {
	const char *mark, *one, *many;
	enum role role;
} effects[EFFECTS] = {
	[STAYS] = {"stays", "stays", "stay", ROLE_DRAW},
	[TRADES] = {"other material, a draw", "reaches another drawn ending",
                    "reach another drawn ending", ROLE_DRAW},
	[LEAVES] = {"leaves it, still a draw", "leaves it, still a draw", "leave it, still draws",
                    ROLE_NOTE},
	[LOSES] = {"loses", "loses", "lose", ROLE_LOSS},
};

enum { NAMED_SQUARES = 16 };

/* "Black's king stays on 4 squares: a8 b8 a7 b7." */
static int draw_region(const struct el_fortress *f, struct pane p)
{
	const struct el_game *game = f->slice.game;
	const unsigned count = (unsigned)__builtin_popcountll(f->region);
	const bool named = f->listed && count <= NAMED_SQUARES; /* else the board shows them */
	const char *who = "pieces";
	unsigned pieces = 0;
	char text[512], name[4];
	for (unsigned kind = 0; kind < EL_KINDS; kind++) {
		const uint64_t set = f->kinds >> kind & 1 ? f->position.set[f->defender][kind] : 0;
		pieces += (unsigned)__builtin_popcountll(set);
		who = set && pieces == 1 ? game->kind_names[kind] : pieces > 1 ? "pieces" : who;
	}
	snprintf(text, sizeof text, "%s's %s %s on %u %s%s", game->sides[f->defender], who,
	         pieces == 1 ? "stays" : "stay", count, plural(count, "square", "squares"),
	         named       ? ":"
	         : f->listed ? ""
	                     : ", mirror images included");
	for (unsigned rank = named ? game->ranks : 0; rank-- > 0;)
		for (unsigned file = 0; file < game->files; file++) {
			const uint8_t square = game->square_at(file, rank);
			if (square == EL_NO_SQUARE || !(f->region >> square & 1))
				continue;
			game->square_name(square, name);
			el_words_add(text, sizeof text, " ", name);
		}
	return pane_wrap(p, 0, ROLE_TEXT, text);
}

/* "7 of White's 14 moves stay, 2 lose." */
static int draw_sum(const struct el_answer *a, const unsigned count[EFFECTS], struct pane p, int y)
{
	const char *side = a->game->sides[a->position.side];
	char text[256] = "";
	const bool all = count[STAYS] == a->count;
	if (all)
		snprintf(text, sizeof text,
		         a->count == 1 ? "%s's only move stays."
		                       : "All %2$zu of %1$s's moves stay.",
		         side, a->count);
	for (int e = 0; e < EFFECTS && !all; e++) {
		if (e && !count[e])
			continue;
		el_text_add(text, sizeof text, "%s%u ", *text ? ", " : "", count[e]);
		if (!e)
			el_text_add(text, sizeof text, "of %s's %zu %s ", side, a->count,
			            plural(a->count, "move", "moves"));
		el_text_add(text, sizeof text, "%s",
		            count[e] == 1 ? effects[e].one : effects[e].many);
	}
	if (!all)
		el_text_add(text, sizeof text, ".");
	return y + pane_wrap(p, y, ROLE_STRONG, text);
}

void explore_draw_fortress(const struct model *m, const struct list *list, struct pane p)
{
	const struct el_fortress *f = fortress_found(m);
	const struct el_answer *a = &m->play.study->answer;
	if (!f) {
		pane_text(p, 0, 0, ROLE_STRONG, "fortress");
		pane_wrap(p, 1, ROLE_DIM,
		          m->fortress.ask.known
		                  ? m->fortress.why
		                  : "looking for the squares that the defender need not leave");
		return;
	}
	const struct el_game *game = f->slice.game;
	const char *attacker = game->sides[!f->defender], *defender = game->sides[f->defender];
	char number[GROUPED_MAX];
	const uint64_t positions = f->positions[0] + f->positions[1];
	int y = draw_region(f, p);
	y += pane_print_wrapped(p, y, ROLE_DIM,
	                        "%s %s; whatever %s does, %s has a move that stays.",
	                        grouped(positions, number),
	                        plural(positions, "position", "positions"), attacker, defender);
	if (!el_fortress_holds(f, &a->position)) {
		pane_wrap(p, y, ROLE_NOTE,
		          "This position is outside. Press W twice to look around it.");
		return;
	}
	unsigned count[EFFECTS] = {0};
	for (size_t i = 0; i < a->count; i++)
		count[effect_of(f, a, &a->moves[i])]++;
	y = draw_sum(a, count, p, y);
	/* the moves, scrolled to the selected one */
	const int at = list->at, rows = p.rows - y;
	const int top = at < rows ? 0 : at - rows + 1;
	for (int i = top; i < (int)a->count && i - top < rows; i++) {
		const struct pane row = pane_row(p, y + i - top);
		const enum effect e = effect_of(f, a, &a->moves[i]);
		pane_select(row, i == at);
		const int end =
			pane_text(row, 0, 2, i == at ? ROLE_STRONG : ROLE_TEXT, a->moves[i].san);
		pane_text(row, 0, end < 10 ? 11 : end + 2, effects[e].role, effects[e].mark);
		pane_zone(row, ZONE_ITEM, i);
	}
}
