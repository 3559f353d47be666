/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore.h"

#include "tui/shell/room.h"

const struct state explore_state = {sizeof(struct explore)};

struct explore *explore_of(const struct model *m)
{
	return state_of(m, &explore_state);
}

struct layout explore_layout(const struct model *m)
{
	return shell_layout(m, play_game(m), BOARD_AND_SECOND);
}

struct picker_moves explore_moves(const struct model *m, struct el_move room[EL_MOVES_MAX])
{
	const struct study *s = m->play.study;
	struct picker_moves moves = {play_game(m), play_position(m), room, 0, m->flipped};
	for (; s && moves.count < s->answer.count; moves.count++)
		room[moves.count] = s->answer.moves[moves.count].move;
	return moves;
}
