/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows a sowing move on the board stage by stage, without playing it. */
#include "explore.h"

#include "core/probe/probe.h"
#include "tui/text/text.h"

enum { STAGE_MS = 350 };

/* A stage of the selected move; false after the last one. */
static bool look(const struct model *m, unsigned stage, struct el_position *out, uint8_t *at,
                 unsigned *hand)
{
	const struct study *s = m->play.study;
	const struct explore *x = explore_of(m);
	return s && (size_t)x->moves.at < s->answer.count &&
	       play_game(m)->stage(play_position(m), &s->answer.moves[x->moves.at].move, stage, out,
	                           at, hand);
}

const char *explore_no_sowing(const struct model *m)
{
	return !play_game(m)->stage                             ? "Only stones are sown."
	       : !m->play.study || !m->play.study->answer.count ? "There is no move."
	                                                        : NULL;
}

static void go_on(struct model *m)
{
	struct explore *x = explore_of(m);
	struct el_position made;
	uint8_t at;
	unsigned hand;
	if (look(m, x->stage + 1, &made, &at, &hand)) {
		const unsigned stage = ++x->stage;
		const struct el_ranked *move = &m->play.study->answer.moves[x->moves.at];
		char name[4];
		play_game(m)->square_name(at, name);
		if (stage == 1)
			model_note(m, "%s: %u %s in the hand.", move->san, hand,
			           plural(hand, "stone", "stones"));
		else if (stage <= play_position(m)->pits[move->move.from] + 1u)
			model_note(m, "%s: one into %s, %u in the hand.", move->san, name, hand);
		else
			model_note(m, "%s takes the stones of %s.", move->san, name);
		return;
	}
	model_note(m, "That was %s. Press Enter to play it.",
	           m->play.study->answer.moves[x->moves.at].san);
	explore_stop_sowing(m);
}

void explore_stop_sowing(struct model *m)
{
	explore_of(m)->stage = 0;
	explore_of(m)->sowing.running = false;
}

void explore_sow(struct model *m)
{
	struct explore *x = explore_of(m);
	const bool begins = !x->stage;
	x->sown = x->moves.at;
	x->play.running = false;
	x->sowing.running = false;
	go_on(m);
	if (begins)
		autoplay_run(m, &x->sowing, STAGE_MS);
}

void explore_sow_tick(struct model *m)
{
	struct explore *x = explore_of(m);
	if (!x->stage || !autoplay_due(m, &x->sowing))
		return;
	go_on(m);
	autoplay_went(m, &x->sowing);
}

int explore_sow_wait(const struct model *m)
{
	return autoplay_wait(m, &explore_of(m)->sowing);
}

bool explore_sown(const struct model *m, struct el_position *made, uint64_t *last)
{
	struct el_position position;
	uint8_t at;
	unsigned hand;
	if (!explore_of(m)->stage || !look(m, explore_of(m)->stage, &position, &at, &hand))
		return false;
	*made = position;
	*last = UINT64_C(1) << at;
	return true;
}
