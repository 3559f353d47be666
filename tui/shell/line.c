/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "line.h"
#include "shell_inside.h"

#include "tui/cli/arguments.h"
#include "tui/text/clean.h"
#include "tui/text/text.h"
#include "tui/text/words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- positions and slices ---- */

/* Says why a text is no position; if only castling rights keep it out of the tables, offers it
   without them. */
static void set_position(struct model *m, const char *fen)
{
	const struct el_game *game;
	struct el_position position;
	struct el_slice slice;
	struct el_error error;
	char without[EL_FEN_MAX];
	if (model_read(m, fen, &game, &position, &error)) {
		model_fail(m, "%s", error.text);
		return;
	}
	if (!play_set(m, game, &position))
		return;
	shell_show(m, 0);
	const bool is_covered = !game->slice_of(&position, &slice, NULL);
	const bool has_rights = position.castling;
	position.castling = 0;
	if (!has_rights || is_covered || game->slice_of(&position, &slice, NULL))
		return;
	game->format(&position, without);
	model_fail(m, "Tables do not cover castling from other squares than the usual ones. "
	              "Press y to continue without castling rights.");
	shell_offer(m, without);
}

void line_slice(struct model *m, const struct el_slice *slice)
{
	struct el_position position;
	if (!slice_sample(&m->random, slice, &position))
		model_fail(m, "%s has no legal position", slice->name);
	else if (play_set(m, slice->game, &position))
		shell_show(m, 0);
}

void line_visit(struct model *m, const char *fen, const char *caption)
{
	const struct el_game *game;
	struct el_position position;
	struct el_error error;
	if (el_position_parse(fen, &game, &position, &error)) {
		model_fail(m, "%s", error.text);
		return;
	}
	shell_visit(m, 0);
	if (!play_set(m, game, &position))
		return;
	model_note(m, "Press ^O to come back to the list.");
	if (caption &&
	    el_tree_set_comment(m->play.walk.tree, EL_TREE_ROOT, caption, &error) != EL_OK)
		model_fail(m, "%s", error.text);
}

/* ---- verbs of all views ---- */

static void search(struct model *m, const char *text)
{
	const char *why = search_disabled(m);
	if (*text)
		shell_set_pattern(m, text);
	if (why)
		model_fail(m, "%s", why);
	else if (*text)
		search_step(m, 1);
	else
		shell_prompt(m, "search ");
}

/* "bit", "win 3", "draw", "all draw". */
static void show_flaw(struct model *m, const char *text)
{
	static const enum el_outcome outcomes[] = {EL_WIN, EL_DRAW, EL_LOSS};
	const bool all = !strncmp(text, "all ", 4);
	struct el_flaw flaw = {.kind = all ? EL_FLAW_ALL : EL_FLAW_VALUE};
	struct el_position position;
	const struct el_game *game = shell_position(m, &position);
	char word[8] = "", more;
	unsigned plies = 0;
	const int words = sscanf(text + (all ? 4 : 0), "%7s %4u %c", word, &plies, &more);
	bool good = false;
	if (!all && !strcmp(text, "bit")) {
		flaw.kind = EL_FLAW_BIT;
		good = true;
	}
	for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes && !good; i++) {
		flaw.value = (struct el_value){.outcome = (uint8_t)outcomes[i],
		                               .plies = (uint16_t)plies};
		good = !strcmp(word, el_outcome_name(outcomes[i])) &&
		       words == (outcomes[i] == EL_DRAW ? 1 : 2) && plies <= EL_PLIES_MAX;
	}
	if (!line_of_file(m))
		model_fail(m, "flaw: runs only in a file of steps, not when it is typed");
	else if (!good)
		model_fail(m,
		           "flaw: found '%s', expected bit, draw, win PLIES, loss PLIES or "
		           "all with one of these",
		           text);
	else
		flaw_show(m, game, &position, &flaw);
}

const struct verb global_verbs[] = {
	{"fen", "POSITION", "set up a position", .run = set_position},
	{"bookmark", "NAME", "keep the position as a bookmark", .run = bookmarks_keep,
         .touches = "your bookmarks"},
	{"flaw", "VALUE|bit", "in a file of steps: show a flaw in a copy of the table",
         .run = show_flaw},
	{"search", "TEXT", "search the list on screen", .run = search},
	{.word = NULL},
};

/* ---- commands of the command line: they run on the worker ---- */

struct command_job {
	struct job job;
	char text[LINE_MAX_BYTES];
	char subject[EL_FEN_MAX]; /* the default argument */
	char *output;
	int exit_status;
	bool is_quiet;   /* only failures are reported */
	bool judges;     /* as struct command has it */
	unsigned inputs; /* shell.inputs when it was asked for */
};

static void run_words(struct command_job *j, FILE *out, const struct el_watch *watch)
{
	struct cli cli = {.library = j->job.library, .out = out, .err = out, .watch = watch};
	char *words[WORDS_MAX];
	int count;
	struct el_error error;
	if (words_split(j->text, words, &count, &error)) {
		fprintf(out, "%s\n", error.text);
		j->exit_status = command_exit(EL_USAGE);
		return;
	}
	bool only_options = true;
	for (int i = 1; i < count; i++)
		only_options = only_options && words[i][0] == '-';
	if (only_options && j->subject[0] && count + 1 < WORDS_MAX)
		words[count++] = j->subject;
	words[count] = NULL;
	j->exit_status = command_run(&cli, count, words);
}

static void command_job_run(struct job *job, const struct el_watch *watch)
{
	struct command_job *j = (struct command_job *)job;
	size_t size;
	FILE *text = open_memstream(&j->output, &size), *out = text ? clean_stream(text) : NULL;
	bool whole = false;
	if (out) {
		run_words(j, out, watch);
		whole = !ferror(out);
		whole = !fclose(out) && whole;
	}
	if (text)
		whole = !fclose(text) && whole;
	if (!whole) { /* do not show half an answer */
		free(j->output);
		j->output = NULL;
	}
}

static void command_job_done(struct model *m, struct job *job)
{
	struct command_job *j = (struct command_job *)job;
	m->tables_version++;
	if (job->status == EL_STOPPED) { /* before its turn came */
		model_fail(m, "Stopped: %s", job->title);
		return;
	}
	if (!j->output) {
		model_fail(m, "out of memory");
	} else if (!j->output[0]) {
		model_note(m, "%s: done", job->title);
	} else if (!j->is_quiet) {
		/* A user who has gone on meanwhile is not interrupted. */
		const bool waits = m->shell->inputs == j->inputs;
		shell_print(m, job->title, j->output, waits);
		j->output = NULL;
		if (!waits)
			model_note(m, "%s: done. Press ^T to read what it printed.", job->title);
	}
	const bool judged = j->is_quiet && j->judges && j->exit_status == command_exit(EL_NEGATIVE);
	const bool failed = j->exit_status && !judged;
	if (failed && job->stop)
		model_fail(m, "Stopped: %s", job->title);
	else if (failed && j->is_quiet && j->output)
		model_fail(m, "%.*s", (int)strcspn(j->output, "\n"), j->output);
	else if (failed)
		model_fail(m, "%s: exit status %d%s", job->title, j->exit_status,
		           m->shell->inputs == j->inputs ? "" : ". Press ^T to read why");
}

static void command_job_free(struct job *job)
{
	free(((struct command_job *)job)->output);
	free(job);
}

/* Shows the command's output as a text; of a quiet one, only failures. */
static void run_command(struct model *m, const struct command *command, const char *text,
                        bool is_quiet)
{
	const enum lane lane = command->is_quick ? LANE_LOOK : LANE_WORK;
	struct command_job *j = model_new_job(m, sizeof *j, lane, text, command_job_run,
	                                      command_job_done, command_job_free);
	if (!j)
		return;
	snprintf(j->text, sizeof j->text, "%s", text);
	j->is_quiet = is_quiet && !command->is_quick;
	j->judges = command->judges;
	j->inputs = m->shell->inputs;
	/* `probe` without an argument takes the position shown, `stats` its slice. */
	const char *takes = command->complete ? command->complete : "";
	const struct study *s = m->play.study;
	struct el_position position;
	if (!strcmp(takes, "fen"))
		shell_position(m, &position)->format(&position, j->subject);
	else if (!strcmp(takes, "slice") && s && s->answer.has_slice)
		snprintf(j->subject, sizeof j->subject, "%s", s->answer.slice.name);
	if (model_job(m, lane))
		model_note(m, "%s starts%s.", command->name, model_turn(m, lane));
	model_submit(m, &j->job);
}

/* ---- the line as a whole ---- */

/* The meaning of a line. */
struct meaning {
	enum { MEANS_NOTHING, MEANS_POSITION, MEANS_WORD, MEANS_MOVE, MEANS_SLICE } kind;
	char word[64];    /* the first one */
	const char *rest; /* the text after the first word; for a position, the position */
	struct typed typed;
	struct el_move move;
	struct el_slice slice;
};

static struct meaning find_meaning(const struct model *m, const char *text)
{
	struct meaning found = {.kind = MEANS_NOTHING};
	struct typed_words all;
	typed_words(m, &all);
	const struct typed *typed = typed_find(m, &all, text, &found.rest);
	const bool is_own = typed && typed->verb && typed->view == shell_view(m);
	snprintf(found.word, sizeof found.word, "%.*s", (int)strcspn(text, " "), text);
	if (!is_own && el_position_is_meant(text)) {
		found.kind = MEANS_POSITION;
		found.rest = text;
	} else if (typed) {
		found.kind = MEANS_WORD;
		found.typed = *typed;
	} else if (!play_game(m)->read_move(play_position(m), text, &found.move, NULL)) {
		found.kind = MEANS_MOVE;
	} else if (!el_slice_parse(text, &found.slice, NULL)) {
		found.kind = MEANS_SLICE;
	}
	return found;
}

/* May a file that somebody else has written, such as a lesson, run the line? If not, `why` says why. */
static bool may_run(const struct meaning *meant, const char *text, char why[LINE_WHY_MAX])
{
	const struct typed *t = &meant->typed;
	const bool is_view_line = meant->kind == MEANS_WORD && t->kind == TYPED_VIEW;
	char copy[LINE_MAX_BYTES], *words[WORDS_MAX];
	const char *rest, *value, *option = "";
	const struct verb *verb =
		is_view_line ? verb_of_line(t->view->verbs, meant->rest, &rest) : t->verb;
	const char *touches = verb         ? verb->touches
	                      : t->binding ? t->binding->touches
	                      : t->command ? t->command->touches
	                                   : NULL;
	int count = 0;
	snprintf(copy, sizeof copy, "%s", text);
	if (t->command && words_split(copy, words, &count, NULL))
		count = 0; /* it will fail */
	for (int i = 1; i < count && !touches; i++) {
		const int place = option_take(t->command->options, count, words, &i, &value, NULL);
		const struct option_help *o = place < 0 ? NULL : &t->command->options[place];
		option = o ? o->name : "";
		touches = !o                                                         ? NULL
		          : o->values == &file_values || o->values == &folder_values ? "files"
		                                                                     : o->touches;
	}
	if (touches)
		snprintf(why, LINE_WHY_MAX, "'%s%s%s' runs only when it is typed: it touches %s",
		         verb ? verb->word : meant->word, *option ? " " : "", option, touches);
	return !touches;
}

/* Runs a line in a view, which is on screen. */
static bool run_in_view(struct model *m, const struct view *view, const char *line)
{
	const char *rest;
	const struct verb *verb = verb_of_line(view->verbs, line, &rest);
	if (verb)
		verb_run(verb, m, rest);
	return verb || (view->line && view->line(m, line));
}

/* Offers a candidate, unless it is the word itself. */
static void offer_other(struct nearest *nearest, const char *word)
{
	if (strcmp(word, nearest->word))
		nearest_offer(nearest, word);
}

static bool is_like_slice(const char *word)
{
	return isupper((unsigned char)*word) || strchr(word, ':');
}

static void run_view_line(struct model *m, const struct view *view, const char *line)
{
	char word[64];
	const struct el_game *game;
	struct el_position position;
	struct el_slice slice;
	struct el_error error;
	shell_visit_view(m, view);
	if (run_in_view(m, view, line))
		return;
	snprintf(word, sizeof word, "%.*s", (int)strcspn(line, " "), line);
	struct nearest nearest = nearest_start(word);
	struct words words = {.prefix = ""};
	for (const struct verb *v = view->verbs; v && v->word; v++)
		offer_other(&nearest, v->word);
	if (view->words)
		view->words(m, "", &words);
	for (size_t i = 0; i < words.count; i++)
		offer_other(&nearest, words.list[i]);
	if (el_position_is_meant(line) && model_read(m, line, &game, &position, &error))
		model_fail(m, "%s: %s", view->name, error.text);
	else if (nearest.best)
		model_fail(m, "%s: '%s' is not known. Did you mean '%s'?", view->name, word,
		           nearest.best);
	else if (is_like_slice(word) && el_slice_parse(word, &slice, &error))
		model_fail(m, "%s: %s", view->name, error.text);
	else
		model_fail(m, "%s: '%s' is not known", view->name, word);
	words_free(&words);
}

/* ---- unknown words ---- */

/* Moves contain a digit or are castling; in games that sow they are one letter. */
static bool is_like_move(const struct el_game *game, const char *word)
{
	if (game->sows)
		return !word[1];
	return strpbrk(word, "0123456789") || !strncmp(word, "O-O", 3);
}

/* Says why a word is not known, with the nearest known one if any. */
static void explain_unknown(const struct model *m, const char *word, char why[LINE_WHY_MAX])
{
	struct el_slice slice;
	struct el_move move;
	struct el_error error = {.text = ""};
	struct nearest nearest = nearest_start(word);
	struct typed_words all;
	typed_words(m, &all);
	for (const struct typed *t = all.list; t < all.list + all.count; t++) {
		if (t->kind == TYPED_ACTION && !strcmp(t->word, word)) {
			snprintf(why, LINE_WHY_MAX, "'%s' takes no arguments.", word);
			return;
		}
		if (t->kind != TYPED_VIEW || t->arguments)
			offer_other(&nearest, t->word);
	}
	if (nearest.best)
		snprintf(why, LINE_WHY_MAX, "'%s' is not known. Did you mean '%s'?", word,
		         nearest.best);
	else if ((is_like_move(play_game(m), word) &&
	          play_game(m)->read_move(play_position(m), word, &move, &error)) ||
	         (is_like_slice(word) && el_slice_parse(word, &slice, &error)))
		snprintf(why, LINE_WHY_MAX, "%s", error.text);
	else if (is_like_slice(word))
		snprintf(why, LINE_WHY_MAX, "'%s' is known, but not with more words after it",
		         word);
	else
		snprintf(why, LINE_WHY_MAX, "'%s' is not known. Press ? for a list of commands.",
		         word);
}

/* Removes blanks around the text: completion leaves one at the end. */
static void trim(const char *text, char *out, size_t size)
{
	snprintf(out, size, "%s", text + strspn(text, " "));
	for (size_t end = strlen(out); end > 0 && out[end - 1] == ' ';)
		out[--end] = '\0';
}

static void run(struct model *m, const char *line, bool is_of_file)
{
	char text[LINE_MAX_BYTES], why[LINE_WHY_MAX];
	trim(line, text, sizeof text);
	if (!*text)
		return;
	model_hush(m);
	struct meaning meant = find_meaning(m, text);
	if (is_of_file && !may_run(&meant, text, why)) {
		model_fail(m, "%s", why);
		return;
	}
	/* With options, a word that is also a view's verb is the command. */
	const bool is_command =
		meant.kind == MEANS_WORD && meant.typed.command && strstr(text, " -");
	/* Its own name is no part of a line for the view on screen. */
	const bool is_named = meant.kind == MEANS_WORD && meant.typed.kind == TYPED_VIEW &&
	                      meant.typed.view == shell_view(m);
	if (!is_command && !is_named && run_in_view(m, shell_view(m), text))
		return;
	switch (meant.kind) {
	case MEANS_POSITION:
		set_position(m, meant.rest);
		break;
	case MEANS_WORD: {
		/* Run verbs and actions in the view that they belong to. */
		const bool is_of_view =
			meant.typed.kind == TYPED_VERB || meant.typed.kind == TYPED_ACTION;
		if (is_of_view && meant.typed.view && meant.typed.view != shell_view(m))
			shell_show_view(m, meant.typed.view);
		if (meant.typed.kind == TYPED_COMMAND)
			run_command(m, meant.typed.command, text, is_of_file);
		else if (meant.typed.kind == TYPED_VERB)
			verb_run(meant.typed.verb, m, meant.rest);
		else if (meant.typed.kind == TYPED_ACTION)
			binding_run(m, meant.typed.binding);
		else if (*meant.rest)
			run_view_line(m, meant.typed.view, meant.rest);
		else
			shell_show_view(m, meant.typed.view);
		break;
	}
	case MEANS_MOVE:
		play_move(m, &meant.move);
		shell_show(m, 0);
		break;
	case MEANS_SLICE:
		line_slice(m, &meant.slice);
		break;
	case MEANS_NOTHING:
		explain_unknown(m, meant.word, why);
		model_fail(m, "%s", why);
	}
}

void line_run(struct model *m, const char *line)
{
	run(m, line, false);
}

void line_run_of_file(struct model *m, const char *line)
{
	m->shell->of_file = true;
	run(m, line, true);
	m->shell->of_file = false;
}

bool line_of_file(const struct model *m)
{
	return m->shell->of_file;
}

bool line_is_for_files(const struct model *m, const char *line, char why[LINE_WHY_MAX])
{
	char text[LINE_MAX_BYTES];
	const struct el_game *game;
	struct el_position position;
	struct el_error error;
	char note[EL_NOTE_MAX];
	trim(line, text, sizeof text);
	struct meaning meant = find_meaning(m, text);
	const bool is_fen = meant.kind == MEANS_POSITION ||
	                    (meant.typed.verb && meant.typed.verb->run == set_position);
	if (is_fen && el_position_read(meant.rest, &game, &position, note, &error)) {
		snprintf(why, LINE_WHY_MAX, "%s", error.text);
		return false;
	}
	if (meant.kind || is_like_move(play_game(m), meant.word))
		return may_run(&meant, text, why);
	explain_unknown(m, meant.word, why);
	return false;
}
