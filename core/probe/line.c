/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The optimal line: the best move, again and again. */
#include "core/library/visit.h"
#include "inside.h"
#include "phase.h"
#include "probe.h"

#include <stdlib.h>
#include <string.h>

static bool met_before(const struct el_position *positions, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (el_position_equal(&positions[i], &positions[count]))
			return true;
	return false;
}

struct line {
	struct el_question question;
	struct phase phase;
	size_t next;                    /* of the last answer's moves: the one that is played */
	struct el_answer answer;        /* of the last position */
	struct el_position positions[]; /* all that were met: one more than moves */
};

/* Whether the line ends at positions[at], else it goes on by answer.moves[next]: never by a
   bound. */
static enum el_status look(struct el_library *library, const struct el_game *game,
                           struct line *line, size_t at, enum el_line_end *end,
                           struct el_error *error)
{
	size_t rank = el_metric_rank(line->question.metric);
	enum el_status status;
	bool again = true;
	for (bool tried = false; again; tried = true) {
		const struct visit visit = library_enter(library);
		status = probe_answer(visit.catalogue, game, &line->positions[at], &line->question,
		                      &line->answer, error);
		if (!status && !line->answer.over)
			status = phase_choose(
				&line->phase,
				&(struct probe){.catalogue = visit.catalogue, .game = game},
				&line->answer, &line->next, error);
		library_leave(visit);
		again = !tried && library_look_again(library, status);
	}
	const struct el_answer *answer = &line->answer;
	const bool exact = el_metric_alike(answer->metrics[rank], line->question.metric) &&
	                   el_outcome_exact(answer->value[rank].outcome);
	*end = EL_LINE_LONG;
	if (status)
		*end = EL_LINE_UNKNOWN;
	else if (answer->over)
		*end = EL_LINE_OVER;
	else if (game->drawn(&line->positions[at]))
		*end = EL_LINE_BARE;
	else if (answer->run_out)
		*end = EL_LINE_RUN_OUT;
	else if (met_before(line->positions, at))
		*end = EL_LINE_REPEATED;
	else if (!exact || !el_outcome_exact(answer->moves[line->next].value[rank].outcome))
		*end = EL_LINE_UNKNOWN;
	if (!status && at == 0 && !exact)
		status = el_fail(error, EL_NEGATIVE, "%s",
		                 *answer->why_unknown
		                         ? answer->why_unknown
		                         : "no table of this metric covers the position");
	return status;
}

enum el_status el_library_line(struct el_library *library, const struct el_game *game,
                               const struct el_position *position,
                               const struct el_question *question, struct el_line *out,
                               struct el_error *error)
{
	out->count = 0;
	out->end = EL_LINE_UNKNOWN;
	out->unproven = false;
	enum el_status status = probe_admit(game, position, NULL, error);
	if (status)
		return status;
	struct line *line = malloc(sizeof *line + (out->max + 1) * sizeof *line->positions);
	if (!line)
		return el_fail(error, EL_MEMORY, "a line of %zu moves: out of memory", out->max);
	line->question = *question;
	/* Of equal moves in stones not every one comes nearer to a capture (soonest.h). */
	line->question.by_demand |= question->metric->stones;
	line->positions[0] = *position;
	phase_open(&line->phase, question->metric);
	status = look(library, game, line, 0, &out->end, error);
	for (; out->end == EL_LINE_LONG && out->count < out->max; ++out->count) {
		const struct el_move *move = &line->answer.moves[line->next].move;
		out->moves[out->count] = *move;
		game->play(&line->positions[out->count], move, &line->positions[out->count + 1]);
		status = look(library, game, line, out->count + 1, &out->end, error);
	}
	out->unproven = line->phase.unproven;
	phase_close(&line->phase);
	free(line);
	return status;
}
