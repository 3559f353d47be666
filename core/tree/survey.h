/* SPDX-License-Identifier: MIT */
/*
 * How the endings of many games were played.
 *
 *     el_survey_open -> el_survey_read, file by file -> el_survey_sort -> el_survey_close
 *
 * The main line of a game is followed. A move belongs to the ending, the slice, of the position before it;
 * White is the first-named side of the slice, so that an ending and its mirror image are one.
 */
#ifndef CORE_TREE_SURVEY_H
#define CORE_TREE_SURVEY_H

#include "tree.h"

/* The moves of one side in an ending. */
struct el_survey_side {
	uint64_t judged;
	uint64_t mistakes; /* EL_VERDICT_THREW and EL_VERDICT_MISSED */
	uint64_t halves;   /* half-points that these lost */
	uint64_t lost;     /* plies, or stones, that the other moves lost */
};

struct el_survey_ending {
	struct el_slice slice;
	uint64_t games, moves; /* games in which it arose; moves in it */
	/* games by what tables say of the first position, and by result: [0] the first-named side loses,
	   [1] draw, [2] it wins, [3] not known */
	uint64_t entered[4], ended[4];
	struct el_survey_side side[2];
};

/* A position in which a mistake was made. */
struct el_survey_mistake {
	uint32_t ending; /* its place in el_survey.endings */
	uint32_t count;  /* times that it was made, by any move */
	uint64_t game;   /* number of the first such game, from 1 */
	uint64_t index;  /* of the position in its slice */
	uint8_t plane;
	uint8_t before,
		after; /* enum el_outcome for the mover: before the move of that game, and after */
	struct el_position position; /* as in that game */
	struct el_move move, better; /* its move, and the best one */
	char players[48];            /* "White - Black" */
};

enum { EL_SURVEY_MISTAKES = 1 << 18, EL_SURVEY_FAULTS = 16 };

struct el_survey {
	uint64_t games, with_endings;  /* read; in which a move was judged */
	uint64_t faulty;               /* games that could not be read in full */
	char *fault[EL_SURVEY_FAULTS]; /* the first of these, in words; owned */
	unsigned faults;
	struct el_survey_ending *endings; /* owned */
	size_t count;
	struct el_survey_mistake *mistakes; /* owned */
	size_t mistake_count;
	/* there were more positions than are kept: mistakes made once were dropped on the way */
	bool dropped;
	struct survey_hash *hash; /* of both lists; owned */
};

enum el_status el_survey_open(struct el_survey **out, struct el_error *);
void el_survey_close(struct el_survey *); /* may be null */
/*
 * Adds the games of a reader, judged under the question. Threads share the games out; the result
 * does not depend on how, unless mistakes were dropped. `bytes`: of the file, for progress; 0: not
 * known. EL_IO, EL_MEMORY; EL_STOPPED, with what was read so far; faults of tables (el_is_fault),
 * after all games.
 */
enum el_status el_survey_read(struct el_survey *, struct el_library *, const struct el_question *,
                              struct el_games *, uint64_t bytes, const struct el_watch *,
                              struct el_error *);
/* Puts endings with the most games first, and mistakes made most often; among equals, by name and by
   game. Nothing can be added afterwards. EL_MEMORY. */
enum el_status el_survey_sort(struct el_survey *, struct el_error *);

#endif
