/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The position's game: its mistakes, variations, comments and files. */
#include "explore.h"

#include "core/probe/probe.h"
#include "tui/screen/clipboard.h"
#include "tui/text/files.h"
#include "tui/views/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- another position, another game ---- */

void explore_follow_game(struct model *m)
{
	struct explore *x = explore_of(m);
	const struct play_state *p = &m->play;
	const struct el_tree *tree = p->walk.tree;
	const bool shown = shell_is_shown(m, VIEW_EXPLORE) && !m->message.text[0];
	if (x->games != p->games) {
		x->sheet = p->walk.number > 0;
		if (shown && p->kept_count && p->kept[0].edited)
			model_note(m, "The game you left is kept. Press U to return to it.");
	} else if (tree->node_count > x->nodes && shown &&
	           !el_tree_is_first(tree, walk_node(&p->walk))) {
		model_note(m, "A variation. Press v for the other move, S for the score sheet.");
	}
	x->games = p->games;
	x->nodes = tree->node_count;
}

void explore_game_name(const struct model *m, char *out, size_t size)
{
	const struct walk *w = &m->play.walk;
	const size_t row = games_row(m), count = m->games.count;
	const char *file = w->file ? w->file : m->games.name,
		   *slash = file ? strrchr(file, '/') : NULL;
	out[0] = '\0';
	if (!w->number || !file)
		return;
	if (row < count && count > 1)
		snprintf(out, size, "%.24s %zu/%zu  ", slash ? slash + 1 : file, row + 1, count);
	else
		snprintf(out, size, "%.24s  ", slash ? slash + 1 : file);
}

int explore_first_choice(const struct model *m)
{
	const struct walk *w = &m->play.walk;
	const struct el_answer *a = &m->play.study->answer;
	if (study_is_exact(m->play.study) || w->at + 1 == w->length)
		return 0;
	const struct el_move *next = &el_tree_node(w->tree, w->line[w->at + 1])->move;
	for (size_t i = 0; i < a->count; i++)
		if (el_move_equal(&a->moves[i].move, next))
			return (int)i;
	return 0;
}

/* ---- mistakes ---- */

void explore_to_mistake(struct model *m, int by)
{
	play_go(m, verdicts_mistake(m, by));
}

/* Says, too, how many moves of that part of the line no table could judge. */
const char *explore_no_mistake(const struct model *m, int by)
{
	static char why[128];
	const struct walk *w = &m->play.walk;
	const struct needs *needs = &m->play.needs;
	unsigned unknown = 0;
	if (verdicts_mistake(m, by))
		return NULL;
	if (verdicts_are_open(m))
		return "The moves are still being judged.";
	for (size_t i = w->at + (size_t)by; i > 0 && i < w->length; i += (size_t)by) {
		const struct el_move_verdict *v = verdict_of(m, w->line[i]);
		unknown += v && (v->kind == EL_VERDICT_UNKNOWN || v->kind == EL_VERDICT_BEYOND);
	}
	snprintf(why, sizeof why, "No %s mistake in this line that a table knows of.",
	         by > 0 ? "later" : "earlier");
	if (unknown)
		snprintf(why + strlen(why) - 1, sizeof why - strlen(why) + 1,
		         "; %u %s not judged%s", unknown,
		         plural(unknown, "half-move was", "half-moves were"),
		         !needs->count ? "."
		         : build_is_asked(&m->builds, &needs->slices[0])
		                 ? ". What they need is being built."
		                 : ". Press b to build what they need.");
	return why;
}

/* ---- variations ---- */

void explore_toggle_sheet(struct model *m)
{
	struct explore *x = explore_of(m);
	x->sheet = !x->sheet || x->panel != PANEL_MOVES;
	x->panel = PANEL_MOVES;
}

void explore_to_variation(struct model *m, int by)
{
	const struct walk *w = &m->play.walk;
	play_go_to(m, walk_sibling(w, walk_fork(w), by));
}

const char *explore_no_variation(const struct model *m)
{
	return walk_fork(&m->play.walk) == EL_TREE_ROOT
	               ? "No other move has been played up to here. Play one to begin a variation."
	               : NULL;
}

void explore_promote(struct model *m)
{
	walk_promote(&m->play.walk);
	model_note(m, "The variation is now before the others.");
}

const char *explore_no_promotion(const struct model *m)
{
	const struct walk *w = &m->play.walk;
	return el_tree_variation(w->tree, walk_node(w)) == EL_TREE_ROOT ? "This is the main line."
	                                                                : NULL;
}

/* Names what will be deleted, and asks. */
void explore_ask_to_delete(struct model *m)
{
	const struct walk *w = &m->play.walk;
	const struct el_position *before = &el_tree_node(w->tree, walk_shown(w)->parent)->position;
	const size_t more = walk_count_from(w) - 1;
	char san[EL_MOVE_MAX], number[NUMBER_MAX];
	w->tree->game->write_move(before, walk_move(w), EL_SAN, san);
	move_number(w->tree->game, before->side, before->fullmove, true, number);
	if (more > 1)
		model_note(m, "Press y to delete %s %s and the %zu moves after it.", number, san,
		           more);
	else
		model_note(m, "Press y to delete %s %s%s.", number, san,
		           more ? " and the move after it" : "");
	shell_offer(m, "delete-moves");
}

const char *explore_no_deletion(const struct model *m)
{
	return m->play.walk.at ? NULL : "No move has been played: this is where the game begins.";
}

void explore_type_delete(struct model *m, const char *rest)
{
	(void)rest;
	if (explore_no_deletion(m))
		model_fail(m, "%s", explore_no_deletion(m));
	else
		play_delete(m);
}

/* ---- comments ---- */

void explore_ask_comment(struct model *m)
{
	const struct walk *w = &m->play.walk;
	const struct el_note *note = el_tree_comment(w->tree, walk_shown(w)->notes);
	shell_prompt(m, "comment %s", note ? note->text : "");
}

const char *explore_no_comment(const struct model *m)
{
	return m->play.walk.tree->unreadable ? "The start of this game cannot be read." : NULL;
}

void explore_type_comment(struct model *m, const char *rest)
{
	struct walk *w = &m->play.walk;
	struct el_error error;
	const char *why = explore_no_comment(m);
	const struct el_note *old = el_tree_comment(w->tree, walk_shown(w)->notes);
	if (!why && !*rest && !old)
		why = "There is no comment here. Type :comment TEXT to write one.";
	if (why) {
		model_fail(m, "%s", why);
		return;
	}
	if (!*rest) /* say what is removed */
		model_note(m, "Removed the comment: %s", old->text);
	if (el_tree_set_comment(w->tree, walk_node(w), rest, &error))
		model_fail(m, "%s", error.text);
	else
		explore_of(m)->sheet = w->edited = true;
}

/* ---- files ---- */

void explore_copy(struct model *m)
{
	char *text;
	size_t length;
	struct el_error error;
	if (el_tree_write(m->play.walk.tree, &text, &length, &error)) {
		model_fail(m, "%s", error.text);
		return;
	}
	if (length > COPY_MAX) {
		model_fail(m,
		           "The game is %zu bytes long; terminals copy %d at most. Save it: :save "
		           "FILE",
		           length, COPY_MAX);
	} else {
		shell_copy(m, text);
		model_note(m, "Copied the game.");
	}
	free(text);
}

void explore_to_game(struct model *m, int by)
{
	const size_t row = games_row(m);
	if (row < m->games.count)
		games_show(m, row + (size_t)by, NULL);
	else
		games_look(m, m->play.walk.file); /* the last session's file */
}

const char *explore_no_game(const struct model *m, int by)
{
	const struct walk *w = &m->play.walk;
	const struct games *g = &m->games;
	const size_t row = games_row(m);
	if (!w->number)
		return "This game has no file. Open one with :open FILE";
	if (g->ask.job && (row == g->count || (by > 0 && row + 1 == g->count)))
		return "The games are still being read.";
	if (row == g->count && !w->file)
		return "The other games of that paste are gone: another one has come.";
	if (row == g->count)
		return g->name && !strcmp(g->name, w->file)
		               ? "The file has become shorter: open it again."
		               : NULL;
	return by < 0 && !row                  ? "This is the first game."
	       : by > 0 && row + 1 == g->count ? "This is the last game."
	                                       : NULL;
}

void explore_type_open(struct model *m, const char *rest)
{
	char path[PATH_MAX];
	if (*rest && place_of_typed(rest, path))
		games_open(m, path);
	else
		model_fail(m, "Name a file of games: :open game.pgn");
}

/* Fails for a game of the last session whose file is not read yet, or has become shorter. */
static void find_place(struct model *m)
{
	const struct walk *w = &m->play.walk;
	const struct games *g = &m->games;
	const bool is_read = g->name && !g->text && !strcmp(g->name, w->file) && !g->ask.job;
	if (is_read && g->ask.known) {
		model_fail(m, "%s has no game %zu any more. Save the game to another file.",
		           w->file, w->number);
		return;
	}
	model_fail(m, "%s is still being read. Save again in a moment.", w->file);
	if (!g->name || g->text || strcmp(g->name, w->file))
		games_look(m, w->file);
}

/* Appends the game to an existing file, or replaces it in its old place. */
void explore_type_save(struct model *m, const char *rest)
{
	const struct walk *w = &m->play.walk;
	char path[PATH_MAX], offer[PATH_MAX + 8];
	struct stat there;
	if (!place_of_typed(rest, path))
		model_fail(m, "The path is too long.");
	else if (!*rest || (w->file && !strcmp(path, w->file))) {
		if (!w->file)
			model_fail(m, "This game has no file yet. Name one: :save game.pgn");
		else if (access(w->file, F_OK)) /* the file is gone */
			games_save(m, w->file, SAVE_NEW);
		else if (games_row(m) == m->games.count)
			find_place(m);
		else
			games_save(m, NULL, SAVE_REPLACE);
	} else if (stat(path, &there)) {
		games_save(m, path, SAVE_NEW);
	} else if (!S_ISREG(there.st_mode)) {
		games_save(m, path, SAVE_APPEND); /* which says what it is instead */
	} else {
		model_fail(m, "%s is there already. Press y to add this game to its end.", rest);
		snprintf(offer, sizeof offer, "append %s", rest);
		shell_offer(m, offer);
	}
}

void explore_type_append(struct model *m, const char *rest)
{
	char path[PATH_MAX];
	if (*rest && place_of_typed(rest, path))
		games_save(m, path, SAVE_APPEND);
	else
		model_fail(m, "Name a file of games: :append games.pgn");
}
