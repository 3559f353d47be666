/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Practice asks, and what it says of an answer, in sentences. */
#ifndef TUI_VIEWS_PRACTICE_PRACTICE_WORDS_H
#define TUI_VIEWS_PRACTICE_PRACTICE_WORDS_H

#include "practice.h"

/* A text for a few lines. */
enum { PRACTICE_TEXT = 320 };

/* The question in one sentence; "You play White.", "Where is the black king lost in 2 plies?" */
void practice_question_text(const struct model *, char out[PRACTICE_TEXT]);
/* What it is about; empty where there is nothing more to say. */
void practice_task_text(const struct model *, char out[PRACTICE_TEXT]);
/* What the user's last move, which there is, left, and what the table answered; may be empty. */
void practice_left_text(const struct model *, char out[PRACTICE_TEXT]);
/* How the position ended, what that scores, and what to press; of one that has. */
void practice_end_text(const struct model *, char out[PRACTICE_TEXT]);
/* "won", "thrown away" */
const char *practice_end_word(enum practice_end);
/* The last moves played, as many as are sure to fit. */
void practice_played_text(const struct practice_game *, char out[PRACTICE_TEXT]);
/* When what went wrong comes back: "2 positions today"; empty: nothing does. */
void practice_due_text(const struct practice_scores *, char out[PRACTICE_TEXT]);

#endif
