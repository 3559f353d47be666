/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The moves of a game, one per row, with their verdicts. Variations follow the move that they
 * replace, indented.
 */
#include "explore.h"

#include "tui/screen/roles.h"
#include "tui/screen/widgets/paragraphs.h"
#include "tui/text/moves.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { VERDICT_AT = 16, INDENT_MAX = 4, KEYS_COLS = 44 };

static const struct el_node *node_of(const struct el_tree *tree, uint32_t node)
{
	return el_tree_node(tree, node);
}

/*
 * The node of the next row. After a first child come its variations, then its continuation; *depth
 * is the number of variations around a node.
 */
static uint32_t next_row(const struct el_tree *tree, uint32_t node, int *depth)
{
	if (el_tree_is_first(tree, node) && node_of(tree, node)->next != EL_NO_NODE) {
		++*depth;
		return node_of(tree, node)->next;
	}
	while (node_of(tree, node)->child == EL_NO_NODE) {
		node = el_tree_variation(tree, node);
		if (node == EL_TREE_ROOT)
			return EL_NO_NODE;
		if (node_of(tree, node)->next != EL_NO_NODE)
			return node_of(tree, node)->next;
		--*depth;
		node = node_of(tree, node_of(tree, node)->parent)->child;
	}
	return node_of(tree, node)->child;
}

enum { NOTE_MAX = 4096 };

/* The text without what it tells programs, such as [%clk 0:03:12]; cut if it has more than fits. */
static const char *words_of(const char *text, char out[NOTE_MAX])
{
	size_t used = 0;
	if (!strstr(text, "[%"))
		return text;
	while (*text && used + 1 < NOTE_MAX) {
		const char *end = strncmp(text, "[%", 2) ? NULL : strchr(text, ']');
		if (end)
			text = end + 1 + (end[1] == ' ');
		else
			out[used++] = *text++;
	}
	while (used && out[used - 1] == ' ')
		used--;
	out[used] = '\0';
	return out;
}

/* What the game says of its first position, on one line: the words of a sample, a comment. */
void explore_caption(const struct model *m, char *out, size_t size)
{
	const struct el_tree *tree = m->play.walk.tree;
	const struct el_note *note = el_tree_comment(tree, node_of(tree, EL_TREE_ROOT)->notes);
	char words[NOTE_MAX];
	snprintf(out, size, "%s", note ? words_of(note->text, words) : "");
	char *to = out;
	for (const char *p = out; *p; p++)
		if (!isspace((unsigned char)*p))
			*to++ = *p;
		else if (to > out && to[-1] != ' ')
			*to++ = ' ';
	*to = '\0';
}

/* The next note below a move: first comments on it, then any unreadable text after it. `before`:
   the previous note; null for the first. */
static const struct el_note *next_note(const struct el_tree *tree, uint32_t node,
                                       const struct el_note *before)
{
	uint32_t i = before ? before->next : node_of(tree, node)->notes;
	char words[NOTE_MAX];
	while (i != EL_NO_NODE && tree->notes[i].place != EL_PLACE_REST &&
	       (el_tree_comment(tree, i) != &tree->notes[i] ||
	        !*words_of(tree->notes[i].text, words)))
		i = tree->notes[i].next;
	return i == EL_NO_NODE ? NULL : &tree->notes[i];
}

static int note_at(int depth)
{
	return 4 + 2 * (depth < INDENT_MAX ? depth : INDENT_MAX);
}

/* The rows below a move: all notes below the current one, if there is room, and one row below any
   other. */
static int note_rows(const struct walk *w, uint32_t node, int depth, struct pane p)
{
	const int cols = p.cols - note_at(depth), room = p.rows > 3 ? p.rows - 2 : 1;
	const struct el_note *note = next_note(w->tree, node, NULL);
	int rows = 0;
	if (!note || node != walk_node(w) || cols < 1)
		return note != NULL;
	char words[NOTE_MAX];
	for (; note && rows < room; note = next_note(w->tree, node, note))
		rows += paragraphs_rows(words_of(note->text, words), cols);
	return rows < room ? rows : room;
}

/* "61... Kd7?" */
static int draw_san(const struct model *m, uint32_t node, int x, struct pane row)
{
	static const char *const marks[] = {"", "!", "?", "!!", "??", "!?", "?!"};
	const struct walk *w = &m->play.walk;
	const struct el_node *n = node_of(w->tree, node);
	const struct el_position *before = &node_of(w->tree, n->parent)->position;
	const struct el_move_verdict *v = verdict_of(m, node);
	const unsigned own = el_tree_mark(w->tree, node), mark = own || !v ? own : v->mark;
	char san[EL_MOVE_MAX], number[NUMBER_MAX];
	w->tree->game->write_move(before, &n->move, EL_SAN, san);
	move_number(w->tree->game, before->side, before->fullmove, true, number);
	const bool shown = node == walk_node(w);
	x = pane_text(row, 0, x, ROLE_DIM, number);
	x = pane_text(row, 0, x + 1, shown || walk_is_on_line(w, node) ? ROLE_STRONG : ROLE_TEXT,
	              san);
	return pane_text(row, 0, x, ROLE_STRONG, marks[mark <= EL_MARKS_OF_MOVES ? mark : 0]);
}

static enum role verdict_role(const struct el_move_verdict *v)
{
	return v->kind == EL_VERDICT_KEPT ? ROLE_TEXT : outcome_role(v->after);
}

static void draw_notes(const struct walk *w, uint32_t node, struct pane p)
{
	const struct el_note *note = next_note(w->tree, node, NULL);
	char words[NOTE_MAX];
	if (node != walk_node(w)) {
		/* Cut a long note off at the end of the row. */
		const char *text = words_of(note->text, words);
		for (int x = 0; *text && x < p.cols; x++) {
			const uint32_t c = utf8_decode(&text);
			pane_put(p, 0, x, ROLE_DIM,
			         x + 1 == p.cols && *text ? '>'
			         : c == '\n'              ? ' '
			                                  : c);
		}
		return;
	}
	for (int y = 0; note && y < p.rows; note = next_note(w->tree, node, note)) {
		const char *text = words_of(note->text, words);
		paragraphs_draw(pane_from(p, y), ROLE_TEXT, text);
		y += paragraphs_rows(text, p.cols);
	}
}

void explore_draw_sheet(const struct model *m, struct pane p)
{
	const struct walk *w = &m->play.walk;
	const struct el_metric *metric = el_game_metric(play_game(m));
	int depth = 0, y = 0;
	pane_print(p, 0, 0, ROLE_TEXT, "game");
	if (!pane_is_slim(p))
		pane_print(p, 0, VERDICT_AT, ROLE_DIM, "%s%s", kind_words(metric)->of_moves,
		           depth_unit(metric, m->in_moves));
	if (p.cols >= KEYS_COLS)
		pane_right(p, 0, p.cols - 1, ROLE_DIM, "] [ mistakes");
	p = pane_from(p, 1);
	if (w->tree->unreadable) {
		pane_text(p, 0, 2, ROLE_ERROR, "The start of this game cannot be read.");
		p = pane_from(p, 1);
	}
	/* All rows, with the middle row of the current move selected. */
	struct list rows = {0};
	int level = 0;
	for (uint32_t i = EL_TREE_ROOT; i != EL_NO_NODE; i = next_row(w->tree, i, &level)) {
		const int own = i != EL_TREE_ROOT, below = note_rows(w, i, level, p);
		if (i == walk_node(w))
			rows.at = rows.count + (own + below) / 2;
		rows.count += own + below;
	}
	if (rows.count == 0)
		pane_text(p, 0, 2, ROLE_DIM, "no moves yet");
	const int top = list_top(&rows, p.rows);
	for (uint32_t i = EL_TREE_ROOT; i != EL_NO_NODE && y - top < p.rows;
	     i = next_row(w->tree, i, &depth)) {
		const int below = note_rows(w, i, depth, p), x = note_at(depth);
		if (i != EL_TREE_ROOT && y++ >= top) {
			struct pane row = pane_row(p, y - 1 - top);
			const struct el_tree *tree = w->tree;
			const struct el_move_verdict *v = verdict_of(m, i);
			char words[VERDICT_MAX], clock[16] = "";
			pane_select(row, i == walk_node(w));
			const int end = draw_san(m, i, x - 2, row);
			/* The clock that a comment on the move records, "0:03:12". */
			for (uint32_t k = node_of(tree, i)->notes; k != EL_NO_NODE;
			     k = tree->notes[k].next) {
				const char *text = tree->notes[k].text;
				const char *said = text ? strstr(text, "[%clk ") : NULL;
				if (said)
					sscanf(said, "[%%clk %15[0-9:.]", clock);
			}
			const int right = row.cols - 1 - utf8_length(clock);
			const int at = end + 1 > VERDICT_AT ? end + 1 : VERDICT_AT;
			const struct pane before = pane_sub(row, 0, 0, 1, right - !!*clock);
			pane_text(row, 0, right, ROLE_DIM, clock);
			if (v)
				pane_text(
					before, 0, at, verdict_role(v),
					verdict_brief(
						tree->game,
						&node_of(tree, node_of(tree, i)->parent)->position,
						v, m->in_moves, before.cols - at, words));
			pane_zone(row, ZONE_NODE, (int)i);
		}
		if (below && y >= top)
			draw_notes(w, i, pane_sub(p, y - top, x, below, p.cols - x));
		y += below;
	}
}

void explore_draw_last(const struct model *m, struct pane p)
{
	const struct walk *w = &m->play.walk;
	const struct el_move_verdict *v = w->at ? verdict_of(m, walk_node(w)) : NULL;
	char step[48] = "", san[EL_MOVE_MAX], words[VERDICT_MAX];
	if (w->length > 1) { /* "move 107... of 117", by the game's own numbers */
		const struct el_node *at = node_of(w->tree, w->line[w->at ? w->at - 1 : 0]);
		const struct el_node *last = node_of(w->tree, w->line[w->length - 2]);
		snprintf(step, sizeof step, "%smove %u%s of %u", w->at ? "" : "before ",
		         at->position.fullmove,
		         at->position.side == w->tree->game->first_side ? "" : "...",
		         last->position.fullmove);
	}
	pane_right(p, 0, p.cols - 1, ROLE_DIM, step);
	if (!v)
		return;
	const struct el_position *before = &node_of(w->tree, walk_shown(w)->parent)->position;
	w->tree->game->write_move(before, walk_move(w), EL_SAN, san);
	const int san_cols = 6 + utf8_length(san) + 2,
		  room = p.cols - 2 - (int)strlen(step) - san_cols;
	verdict_text(w->tree->game, before, v, m->in_moves, words);
	if (utf8_length(words) > room)
		verdict_brief(w->tree->game, before, v, m->in_moves, room, words);
	pane_text(p, 0, 0, ROLE_DIM, "last");
	pane_text(p, 0, 6, ROLE_STRONG, san);
	pane_text(pane_sub(p, 0, san_cols, 1, room), 0, 0, verdict_role(v), words);
}
