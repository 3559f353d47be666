/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "session.h"
#include "line.h"
#include "shell_inside.h"

#include "../text/rule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char heading[] = "endlab session 1";

static const char *const beside_names[BESIDES] = {"map", "depths", "line"};

/* ---- writing ---- */

static void write_line(FILE *out, const struct line_of_play *l)
{
	char text[EL_FEN_MAX > EL_MOVE_MAX ? EL_FEN_MAX : EL_MOVE_MAX];
	l->game->format(&l->nodes[0].position, text);
	fprintf(out, "line %zu %s\n", l->at, text);
	for (size_t i = 1; i < l->count; i++) {
		l->game->write_move(&l->nodes[i - 1].position, &l->nodes[i].move, EL_UCI, text);
		fprintf(out, "move %s\n", text);
	}
}

static void write_all(const struct model *m, FILE *out)
{
	const struct play_state *p = &m->play;
	fprintf(out, "%s\nview %s\nunit %s\nboard %s\n", heading, shell_named_view(m)->name,
	        m->in_moves ? "moves" : "plies", m->flipped ? "black" : "white");
	fprintf(out, "beside %s\n", beside_names[m->beside]);
	if (m->rule)
		fprintf(out, "rule %u\n", m->rule);
	else
		fputs("rule off\n", out);
	write_line(out, &p->line);
	for (size_t i = 0; i < p->kept_count; i++)
		if (p->kept[i].count > 1)
			write_line(out, &p->kept[i]);
}

enum el_status session_save(const struct model *m, struct el_error *error)
{
	return kept_write(&m->shell->session, write_all, m, error);
}

/* ---- reading ---- */

/* One line of play as the file has it. */
struct told {
	const char *fen;
	const struct el_game *game;  /* once it is checked, as is the position */
	struct el_position position;
	size_t at, first, count; /* its moves: places in reader.moves */
};

struct reader {
	const char *path;
	int number;        /* of the text's line, from 1 */
	const struct view *view;
	bool in_moves, flipped;
	enum beside beside;
	unsigned rule; /* in moves; 0: off */
	struct told *lines; /* owned; as many as the text has lines, at most */
	const char **moves; /* owned; the same */
	size_t line_count, move_count;
	struct el_error *error;
};

static enum el_status fail_at(const struct reader *r, const char *expected, const char *found)
{
	return el_fail(r->error, EL_USAGE, "%s:%d: expected %s, found '%.20s'", r->path, r->number,
	               expected, found);
}

static enum el_status read_line(struct reader *r, char *rest)
{
	struct told *t = &r->lines[r->line_count];
	char *fen;
	t->at = strtoul(rest, &fen, 10);
	if (fen == rest || *fen != ' ')
		return fail_at(r, "'line', a number and a position", rest);
	t->fen = fen + 1;
	t->first = r->move_count;
	t->count = 0;
	r->line_count++;
	return EL_OK;
}

static enum beside beside_named(const char *name)
{
	int i = BESIDES;
	while (--i > 0 && strcmp(beside_names[i], name))
		;
	return (enum beside)i;
}

static enum el_status read_fact(const struct model *m, struct reader *r, char *text)
{
	char *rest = strchr(text, ' ');
	if (!rest)
		return fail_at(r, "view, unit, board, beside, rule, line or move", text);
	*rest++ = '\0';
	if (!strcmp(text, "view"))
		r->view = line_view(m, rest);
	else if (!strcmp(text, "unit"))
		r->in_moves = !strcmp(rest, "moves");
	else if (!strcmp(text, "board"))
		r->flipped = !strcmp(rest, "black");
	else if (!strcmp(text, "beside"))
		r->beside = beside_named(rest);
	else if (!strcmp(text, "rule"))
		return rule_parse(rest, &r->rule, NULL) ? fail_at(r, "a rule such as 50 or off", rest)
		                                        : EL_OK;
	else if (!strcmp(text, "line"))
		return read_line(r, rest);
	else if (!strcmp(text, "move") && r->line_count) {
		r->moves[r->move_count++] = rest;
		r->lines[r->line_count - 1].count++;
	} else
		return fail_at(r, "view, unit, board, beside, rule, line or move", text);
	return EL_OK;
}

static enum el_status read_text(const struct model *m, struct reader *r, char *text)
{
	enum el_status status = EL_OK;
	for (char *line; !status && (line = strsep(&text, "\n"));) {
		r->number++;
		if (r->number == 1 && strcmp(line, heading))
			return fail_at(r, heading, line);
		if (r->number > 1 && *line)
			status = read_fact(m, r, line);
	}
	return status;
}

/* ---- taking it up ---- */

/* Plays a line through, on no board. */
static enum el_status check_line(const struct reader *r, struct told *t)
{
	struct el_position now, next;
	struct el_move move;
	enum el_status status = el_position_parse(t->fen, &t->game, &t->position, r->error);
	if (!status)
		status = t->game->check(&t->position, r->error);
	now = t->position;
	for (size_t i = 0; i < t->count && !status; i++) {
		status = t->game->read_move(&now, r->moves[t->first + i], &move, r->error);
		if (!status) {
			t->game->play(&now, &move, &next);
			now = next;
		}
	}
	return status;
}

/* Once it was checked, nothing but memory can be missing. */
static bool take_up_line(struct model *m, const struct reader *r, const struct told *t)
{
	struct el_move move;
	if (!play_set(m, t->game, &t->position))
		return false;
	for (size_t i = 0; i < t->count; i++)
		if (!t->game->read_move(play_position(m), r->moves[t->first + i], &move, NULL))
			play_move(m, &move);
	const bool whole = m->play.line.count == t->count + 1;
	play_go(m, t->at < m->play.line.count ? t->at : m->play.line.count - 1);
	return whole;
}

/* The last one first: each is left for the next. */
static enum el_status take_up_lines(struct model *m, const struct reader *r)
{
	for (size_t i = r->line_count; i-- > 0;) {
		if (!take_up_line(m, r, &r->lines[i]))
			return el_fail(r->error, EL_MEMORY, "out of memory");
		if (i == r->line_count - 1)
			play_forget_oldest(m); /* the position that the program began with */
	}
	return EL_OK;
}

/* All of it or nothing. */
static enum el_status take_up(struct model *m, const struct reader *r, const char *fen)
{
	const struct el_game *game = m->play.line.game;
	const struct el_position given = *play_position(m);
	enum el_status status = EL_OK;
	for (size_t i = 0; i < r->line_count && !status; i++)
		status = check_line(r, &r->lines[i]);
	if (!status && r->line_count)
		status = take_up_lines(m, r);
	if (status || !r->line_count)
		return status;
	m->in_moves = r->in_moves;
	m->flipped = r->flipped;
	m->beside = r->beside;
	play_set_rule(m, r->rule);
	if (fen) {
		play_set(m, game, &given);
		return EL_OK;
	}
	if (r->view)
		shell_show_alone(m, r->view);
	model_note(m, "Resumed your last session.");
	return EL_OK;
}

static enum el_status read_and_take_up(struct model *m, struct reader *r, char *text,
                                       const char *fen)
{
	size_t lines = 1;
	for (const char *at = text; *at; at++)
		lines += *at == '\n';
	r->lines = calloc(lines, sizeof *r->lines);
	r->moves = calloc(lines, sizeof *r->moves);
	enum el_status status = r->lines && r->moves ? read_text(m, r, text)
	                                             : el_fail(r->error, EL_MEMORY, "out of memory");
	if (!status)
		status = take_up(m, r, fen);
	free(r->lines);
	free(r->moves);
	return status;
}

void session_resume(struct model *m, const char *fen)
{
	struct kept *kept = &m->shell->session;
	struct el_error error = {.text = ""};
	struct reader r = {.path = kept->path, .rule = EL_RULE_USUAL, .error = &error};
	kept_open(m, kept, "session", "The last session");
	char *text = kept_read(m, kept);
	const enum el_status status = text ? read_and_take_up(m, &r, text, fen) : EL_OK;
	if (status)
		kept_put_aside(m, kept, &error);
	free(text);
}
