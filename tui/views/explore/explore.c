/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explore: the best moves of a position, and the game it belongs to. */
#include "explore.h"

#include "core/probe/probe.h"
#include "tui/screen/widgets/layout.h"
#include "tui/shell/line.h"
#include "tui/shell/overlay.h"
#include "tui/shell/room.h"
#include "tui/text/rule.h"
#include "tui/text/text.h"
#include "tui/views/views.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- the state ---- */

OWN_STATE(, explore, struct explore);

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

/* ---- what the keys do ---- */

static void step_line(struct model *m, int by)
{
	play_go(m, m->play.walk.at + (size_t)by);
}

static void end_line(struct model *m, int last)
{
	play_go(m, last ? m->play.walk.length - 1 : 0);
}

static const char *at_start(const struct model *m)
{
	return m->play.walk.at ? NULL : "Start of the line.";
}

static const char *at_end(const struct model *m)
{
	return m->play.walk.at + 1 < m->play.walk.length
	               ? NULL
	               : "No later move. Press space to play the best one.";
}

static const char *no_other_game(const struct model *m)
{
	return m->play.kept_count ? NULL : "There is no other game.";
}

/* Hidden moves are not revealed. */
static const char *no_move(const struct model *m)
{
	const struct study *s = m->play.study;
	if (shell_is_covered(m))
		return "The moves are hidden. Press H to show them.";
	if (!s)
		return "The moves are still being looked up.";
	return s->answer.over ? "The game is over." : NULL;
}

/* Under a metric with phases, the ranking alone does not determine the best move: the line looks
   further. */
static bool follows_line(const struct study *s)
{
	return s && s->answer.metric && el_metric_chosen_by(s->answer.metric)->has_phase;
}

/* The best move may be known soon. */
static bool is_waited_for(const struct model *m)
{
	const struct study *s = m->play.study;
	return !s || (follows_line(s) && study_is_exact(s) && !m->play.ask_best.known);
}

static const char *no_best_move(const struct model *m)
{
	if (is_waited_for(m) && !shell_is_covered(m))
		return NULL; /* asked for now, played then */
	const char *why = no_move(m);
	return why                              ? why
	       : !study_is_exact(m->play.study) ? "No table says which move is best."
	                                        : NULL;
}

static void play_selected(struct model *m)
{
	play_move(m, &m->play.study->answer.moves[explore_of(m)->moves.at].move);
}

static void play_best(struct model *m)
{
	const struct el_answer *a = &m->play.study->answer;
	size_t best = 0;
	if (follows_line(m->play.study) && m->play.best.count)
		while (best + 1 < a->count && strcmp(a->moves[best].san, m->play.best.san[0]) != 0)
			best++;
	play_move(m, &a->moves[best].move);
}

static void ask_best(struct model *m)
{
	struct explore *x = explore_of(m);
	if (is_waited_for(m) || x->hurried) /* those asked for before come first */
		x->hurried++;
	else
		play_best(m);
}

static const struct autoplay_words move_words = {"move", "moves"};

static void autoplay(struct model *m)
{
	autoplay_toggle(m, &explore_of(m)->play, "Playing", &move_words);
}

static void change_speed(struct model *m, int by)
{
	autoplay_change(m, &explore_of(m)->play, by, &move_words);
}

/* Why autoplay of the best moves has ended; null while it goes on. */
static const char *end_of_play(const struct model *m)
{
	if (no_best_move(m))
		return shell_is_covered(m) ? no_best_move(m) : "End of the line.";
	if (m->play.study->answer.run_out)
		return "The clock has run out: a draw.";
	if (play_game(m)->drawn(play_position(m)))
		return "Bare kings: a draw.";
	const struct walk *w = &m->play.walk;
	for (size_t i = 0; i < w->at; i++)
		if (el_position_equal(&el_tree_node(w->tree, w->line[i])->position,
		                      &walk_shown(w)->position))
			return "The position is repeated.";
	return NULL;
}

static void tick(struct model *m)
{
	struct explore *x = explore_of(m);
	explore_sow_tick(m);
	if (is_waited_for(m) || (!x->hurried && !autoplay_due(m, &x->play)))
		return;
	const char *end = x->hurried ? no_best_move(m) : end_of_play(m);
	if (end) {
		x->hurried = 0;
		x->play.running = false;
		model_note(m, "%s", end);
		return;
	}
	if (x->hurried)
		x->hurried--;
	else
		autoplay_went(m, &x->play);
	play_best(m);
	x->goes_on = true;
}

static int next_tick(const struct model *m)
{
	const struct explore *x = explore_of(m);
	if (x->sowing.running)
		return explore_sow_wait(m);
	return is_waited_for(m) ? -1 /* the answer will wake it */
	       : x->hurried     ? 0
	                        : autoplay_wait(m, &x->play);
}

static void show_map(struct model *m)
{
	explore_of(m)->picker.pointing = false;
	shell_show(m, VIEW_MAP);
}

static void other_side(struct model *m)
{
	struct el_position p = *play_position(m);
	struct el_error error;
	p.side ^= 1;
	p.en_passant = EL_NO_SQUARE;
	if (play_game(m)->check(&p, &error))
		model_fail(m, "%s cannot be to move: %s", play_game(m)->sides[p.side], error.text);
	else
		play_set(m, play_game(m), &p);
}

static void practise(struct model *m)
{
	line_run(m, "practice here");
}

static void build_slice(struct model *m)
{
	const struct needs *n = &m->play.needs;
	if (m->play.study && m->play.study->solves)
		solve_start(m);
	else if (n->count && !build_is_asked(&m->builds, &n->slices[0]))
		build_start(m, n->slices, n->count, NULL);
	else
		build_start(m, &m->play.study->answer.slice, 1, NULL);
}

static const char *nothing_to_build(const struct model *m)
{
	const struct study *s = m->play.study;
	const struct needs *n = &m->play.needs;
	const struct el_solve_report *sight = solve_sight(m);
	if (s && s->solves)
		return solve_is_asked(m) ? "It is already being solved."
		       : solve_is_begun(m) && sight && solve_is_over(sight)
		               ? "There is nothing more to follow."
		               : NULL;
	if (n->count && !build_is_asked(&m->builds, &n->slices[0]))
		return NULL;
	if (!s)
		return "The position is still being looked up.";
	if (study_is_exact(s) && !s->answer.from_moves)
		return s->answer.source.is_study ? "A study already solves this position."
		                                 : "A table already covers this position.";
	if (!s->answer.has_slice)
		return *s->refusal ? s->refusal : "No table can be built for this material.";
	return build_is_asked(&m->builds, &s->answer.slice) ? "It is already being built." : NULL;
}

static const char *nothing_to_count(const struct model *m)
{
	const struct study *s = m->play.study;
	return !s || !s->answer.source.metric ? "There is no table to count."
	       : s->answer.source.is_study    ? "A study has no slice to count."
	                                      : NULL;
}

/* Without room beside the board, the counts get their own view. */
static void count_slice(struct model *m)
{
	struct finding *f =
		tables_find(m, &m->play.study->answer.slice, m->play.study->answer.source.metric);
	if (!f)
		return;
	m->tables.shown = f;
	tables_count(m, f, false);
	if (!explore_layout(m).histogram.rows && !explore_layout(m).second.rows)
		shell_show(m, VIEW_STATISTICS);
}

static void random_position(struct model *m)
{
	struct el_position position;
	if (slice_sample(&m->random, &m->play.study->answer.slice, &position))
		play_set(m, play_game(m), &position);
}

static const char *no_slice(const struct model *m)
{
	const struct study *s = m->play.study;
	return s && s->answer.has_slice     ? NULL
	       : play_position(m)->castling ? "No slice has such material or castling rights."
	                                    : "No slice has this material.";
}

static void switch_panel(struct model *m, int panel)
{
	struct explore *x = explore_of(m);
	x->panel = x->panel == (enum panel)panel ? PANEL_MOVES : (enum panel)panel;
}

static const char *no_fortress(const struct model *m)
{
	return explore_of(m)->panel == PANEL_FORTRESS ? NULL : explore_no_fortress(m);
}

static void toggle_fortress(struct model *m)
{
	switch_panel(m, PANEL_FORTRESS);
	if (explore_of(m)->panel == PANEL_FORTRESS)
		fortress_look(m, EL_FORTRESS_ANY);
}

static void point(struct model *m)
{
	struct explore *x = explore_of(m);
	picker_point(m, &x->picker, &m->play.study->answer.moves[x->moves.at].move);
}

/* ---- the rule ---- */

static void set_rule(struct model *m, unsigned moves)
{
	char text[32];
	play_set_rule(m, moves);
	model_note(m, moves ? "The %s is in force." : "%s: the clock does not count.",
	           moves ? rule_text(moves, text) : "Rule off");
}

void switch_rule(struct model *m)
{
	set_rule(m, m->rule ? 0 : m->last_rule);
}

static const char *no_rule(const struct model *m)
{
	return play_game(m)->zeroes ? NULL : "No rule of this game counts moves.";
}

/* The same board with a ply more, or less, on the clock. */
static void move_clock(struct model *m, int plies)
{
	struct el_position p = *play_position(m);
	const int most = 2 * (int)(m->rule ? m->rule : m->last_rule);
	const int clock = p.halfmove + plies;
	if (clock < 0 || clock > most) {
		model_note(m, "The clock goes from 0 to %d plies.", most);
		return;
	}
	p.halfmove = (uint16_t)clock;
	play_set(m, play_game(m), &p);
}

static void type_rule(struct model *m, const char *rest)
{
	struct el_error error;
	unsigned moves = m->last_rule;
	if (strcmp(rest, "on") && rule_parse(rest, &moves, &error))
		model_fail(m, "%s", error.text);
	else
		set_rule(m, moves);
}

static void offer_rules(const struct model *m, const char *rest, struct words *w)
{
	(void)m;
	(void)rest;
	words_offer(w, "50");
	words_offer(w, "off");
	words_offer(w, "on");
}

void plain(struct model *m)
{
	m->rule = m->last_rule = EL_RULE_USUAL;
	m->metric = NULL;
	explore_of(m)->panel = PANEL_MOVES;
	play_ask_again(m);
}

/* ---- the metric ---- */

static void set_metric(struct model *m, const struct el_metric *metric)
{
	m->metric = el_metric_find(metric->name); /* whichever table answers here */
	if (metric->limit && m->rule && 2 * m->rule != metric->limit)
		set_rule(m, metric->limit / 2);
	play_ask_again(m);
	model_note(m, "Moves are ranked by %s: %s. Press x for what it counts.", metric->name,
	           metric->title);
}

/* The next depth metric known for the position; null: there is no other. */
static const struct el_metric *next_metric(const struct model *m)
{
	const struct el_answer *a = m->play.study ? &m->play.study->answer : NULL;
	const size_t at = a && a->metric ? el_metric_rank(a->metric) : 0;
	for (size_t i = 1; a && i < EL_METRICS; i++) {
		const size_t rank = (at + i) % EL_METRICS;
		const struct el_metric *metric = a->metrics[rank];
		if (metric && metric->has_depth && a->value[rank].outcome != EL_UNKNOWN)
			return metric;
	}
	return NULL;
}

void rank_by_next(struct model *m)
{
	set_metric(m, next_metric(m));
}

static const char *no_metric(const struct model *m)
{
	return !m->play.study   ? "The position is still being looked up."
	       : next_metric(m) ? NULL
	                        : "No other depth is known here. Type :build SLICE --metric NAME "
	                          "to add one.";
}

static void type_metric(struct model *m, const char *rest)
{
	const struct el_metric *metric;
	struct el_error error;
	if (el_metric_parse(rest, &metric, &error) ||
	    el_game_check_metric(play_game(m), metric, &error))
		model_fail(m, "%s", error.text);
	else
		set_metric(m, metric);
}

static void offer_metrics(const struct model *m, const char *rest, struct words *w)
{
	(void)rest;
	for (const struct el_metric *const *metric = play_game(m)->metrics; *metric; metric++)
		words_offer(w, (*metric)->name);
}

/* ---- a fortress of either side ---- */

static void type_defend(struct model *m, const char *rest)
{
	const char *const *sides = play_game(m)->sides;
	const int side = !strcasecmp(rest, sides[0]) ? 0 : !strcasecmp(rest, sides[1]) ? 1 : -1;
	const char *why = explore_no_fortress(m);
	if (side < 0 || why) {
		model_fail(m, side < 0 ? "%s is no side: %s or %s" : "%s", side < 0 ? rest : why,
		           sides[0], sides[1]);
		return;
	}
	explore_of(m)->panel = PANEL_FORTRESS;
	fortress_look(m, side);
}

static void offer_sides(const struct model *m, const char *rest, struct words *w)
{
	(void)rest;
	words_offer(w, play_game(m)->sides[0]);
	words_offer(w, play_game(m)->sides[1]);
}

static const struct verb verbs[] = {
	{"rule", "K|off|on", "set the rule: draw after K moves without a capture or a pawn move",
         .run = type_rule, .complete = offer_rules},
	{"metric", "NAME", "rank moves by a metric, such as dtz50", .run = type_metric,
         .complete = offer_metrics},
	{"defend", "SIDE", "show the fortress of that side, as W does for the weaker one",
         .run = type_defend, .complete = offer_sides},
	{"open", "FILE", "open a file of games (PGN, PDN) or of positions (EPD, FEN)",
         .run = explore_type_open, .touches = "files"},
	{"save", "[FILE]", "save the game: to a new file, or in its place in its own",
         .run = explore_type_save, .touches = "files"},
	{"append", "FILE", "add the game to the end of a file of games", .run = explore_type_append,
         .touches = "files"},
	{"comment", "[TEXT]", "comment on the last move; without a text, remove the comment",
         .run = explore_type_comment, .touches = "your game"},
	{"delete-moves", "", "delete the last move and all that follows it",
         .run = explore_type_delete, .touches = "your game"},
	{.word = NULL},
};

/* ---- keys ---- */

static const struct binding bindings[] = {
	KEY({K_LEFT, 'h'}, "undo", "back", "step back along the line", .apply = step_line,
            .argument = -1, .disabled = at_start),
	KEY({K_RIGHT, 'l'}, "redo", "next", "step forward along the line", .apply = step_line,
            .argument = 1, .disabled = at_end),
	KEY({' '}, "best", "best", "play the best move", .run = ask_best, .disabled = no_best_move),
	KEY({K_ENTER}, "play", "play", "play the selected move", .run = play_selected,
            .disabled = no_move),
	KEY({'s'}, "set-up", "set up", "set up a position by hand", .apply = shell_show,
            .argument = VIEW_SETUP),
	KEY({'m'}, "map", "map", "try a piece on every square", .run = show_map),
	KEY({'f'}, "flip", "flip", "turn the board around", .run = shell_flip),
	KEY({'a'}, "autoplay", "auto", "play out the best moves", .run = autoplay,
            .disabled = no_best_move),
	KEY({'+', '='}, "faster", NULL, "speed up autoplay", .apply = change_speed, .argument = 1),
	KEY({'-'}, "slower", NULL, "slow down autoplay", .apply = change_speed, .argument = -1),
	KEY({'e'}, "practise", NULL, "practise from this position: win it, hold it or survive",
            .run = practise, .disabled = no_slice),
	KEY({'b'}, "build-this", NULL, "build the table and its sub-tables, or a study",
            .run = build_slice, .disabled = nothing_to_build),
	KEY({'t'}, "side", NULL, "give the move to the other side", .run = other_side),
	KEY({'r'}, "random", NULL, "go to a random position of the slice", .run = random_position,
            .disabled = no_slice),
	KEY({'c'}, "count", NULL, "count the outcomes and depths of this slice", .run = count_slice,
            .disabled = nothing_to_count),
	KEY({'U'}, "other-game", NULL,
            "return to the game or position you left last, then earlier ones",
            .apply = play_other_game, .argument = 1, .disabled = no_other_game),
	KEY({21}, "later-game", NULL, "the same, from the one you left first",
            .apply = play_other_game, .argument = -1, .disabled = no_other_game),
	KEY({']'}, "next-mistake", NULL, "go to the next mistake of the game",
            .apply = explore_to_mistake, .argument = 1, .refused = explore_no_mistake),
	KEY({'['}, "previous-mistake", NULL, "go to the mistake before",
            .apply = explore_to_mistake, .argument = -1, .refused = explore_no_mistake),
	KEY({'S'}, "score-sheet", NULL,
            "show the score sheet: the moves of the game with their verdicts",
            .run = explore_toggle_sheet),
	KEY({'v'}, "variation", NULL, "go to the next variation", .apply = explore_to_variation,
            .argument = 1, .disabled = explore_no_variation),
	KEY({'V'}, "variation-before", NULL, "go to the variation before",
            .apply = explore_to_variation, .argument = -1, .disabled = explore_no_variation),
	KEY({'p'}, "promote", NULL, "put this variation before those beside it",
            .run = explore_promote, .disabled = explore_no_promotion, .touches = "your game"),
	KEY({'D', K_DELETE}, "delete", NULL, "delete the last move and all that follows it",
            .run = explore_ask_to_delete, .disabled = explore_no_deletion),
	KEY({';'}, "remark", NULL, "write a comment on the last move", .run = explore_ask_comment,
            .disabled = explore_no_comment),
	KEY({'Y'}, "copy-game", NULL, "copy the game as PGN, for another program",
            .run = explore_copy, .touches = "the clipboard"),
	KEY({'}'}, "next-game", NULL, "go to the next game of the file", .apply = explore_to_game,
            .argument = 1, .refused = explore_no_game),
	KEY({'{'}, "previous-game", NULL, "go to the game before it in the file",
            .apply = explore_to_game, .argument = -1, .refused = explore_no_game),
	KEY({K_TAB}, "point", NULL, "pick a piece and its target with arrows and Enter",
            .run = point, .disabled = no_move),
	KEY({'R'}, "switch-rule", NULL, "switch the 50-move rule off and on", .run = switch_rule,
            .disabled = no_rule),
	KEY({'>'}, "clock-on", NULL, "put one ply more on the clock, and watch what it leaves",
            .apply = move_clock, .argument = 1, .disabled = no_rule),
	KEY({'<'}, "clock-back", NULL, "take one ply off the clock", .apply = move_clock,
            .argument = -1, .disabled = no_rule),
	KEY({'d'}, "next-metric", NULL, "rank the moves by the next metric", .run = rank_by_next,
            .disabled = no_metric),
	KEY({'o'}, "sources", NULL, "show what each table says of the position",
            .apply = switch_panel, .argument = PANEL_SOURCES, .disabled = explore_no_sources),
	KEY({'z'}, "zugzwang", NULL, "show what the position is worth with the other side to move",
            .apply = switch_panel, .argument = PANEL_ZUGZWANG, .disabled = explore_no_zugzwang),
	KEY({'w'}, "curve", NULL, "show the curve of the game: what each move left",
            .apply = switch_panel, .argument = PANEL_CURVE, .disabled = explore_no_curve),
	KEY({'W'}, "fortress", NULL,
            "explain a fortress: where the defender stays, and which moves leave it",
            .run = toggle_fortress, .disabled = no_fortress),
	KEY({'|'}, "second-pane", NULL, "show the map, the depths or the game beside the board",
            .run = explore_next_second, .disabled = explore_no_second),
	KEY({'x'}, "explain", NULL, "explain that metric, with an example", .apply = switch_panel,
            .argument = PANEL_METRIC),
	KEY({'.'}, "sow", NULL,
            "show the selected move of stones one by one; again: the next stone",
            .run = explore_sow, .disabled = explore_no_sowing),
	KEY({K_HOME}, "start", NULL, "go to the start of the line", .apply = end_line,
            .argument = false, .disabled = at_start),
	KEY({K_END}, "end", NULL, "go to the end of the line", .apply = end_line, .argument = true,
            .disabled = at_end),
	{.name = NULL},
};

/* ---- the mouse, and the cursor ---- */

static bool update(struct model *m, const struct event *e)
{
	struct el_move room[EL_MOVES_MAX];
	struct explore *x = explore_of(m);
	struct picker_moves moves = explore_moves(m, room);
	int move = 0;
	if (e->kind == EVENT_KEY && e->key == K_ENTER && x->panel == PANEL_METRIC) {
		explore_open_example(m);
		return true;
	}
	if (e->kind == EVENT_KEY && (e->key == 'q' || e->key == K_ESCAPE) &&
	    x->panel != PANEL_MOVES) {
		x->panel = PANEL_MOVES;
		return true;
	}
	if (e->kind == EVENT_CLICK && e->zone.kind == ZONE_NODE) {
		play_go_to(m, (uint32_t)e->zone.value);
		return true;
	}
	const enum picker_result result = picker_update(m, &x->picker, &moves, e, &move);
	if (result == PICKER_CHOSEN || result == PICKER_AMBIGUOUS)
		x->moves.at = move;
	if (result == PICKER_CHOSEN)
		play_selected(m);
	return result != PICKER_UNUSED;
}

static void move_row(const struct model *m, int row, char *out, size_t size)
{
	snprintf(out, size, "%s", m->play.study->answer.moves[row].san);
}

static void ask(struct model *m)
{
	struct explore *x = explore_of(m);
	const struct study *s = m->play.study;
	if (x->seen != m->play.changes) {
		/* The position has changed: drop what was chosen in the last one. */
		const struct play_state *p = &m->play;
		const bool walls = x->panel == PANEL_FORTRESS && x->games == p->games;
		explore_follow_game(m);
		x->seen = p->changes;
		x->play.running = x->play.running && x->goes_on;
		x->hurried = x->goes_on ? x->hurried : 0;
		x->goes_on = false;
		explore_stop_sowing(m);
		const bool stays = x->panel == PANEL_SOURCES || x->panel == PANEL_ZUGZWANG ||
		                   x->panel == PANEL_CURVE;
		x->panel = walls || (stays && p->walk.at) ? x->panel : PANEL_MOVES;
		x->chosen = false;
		x->picker.pointing = x->picker.pointing && p->walk.at;
		picker_drop(&x->picker);
	}
	x->moves.count = s ? (int)s->answer.count : 0;
	list_set(&x->moves, s && !x->chosen ? explore_first_choice(m) : x->moves.at);
	x->chosen = x->chosen || s;
	if (x->stage && x->sown != x->moves.at)
		explore_stop_sowing(m);
	if (!shell_is_shown(m, VIEW_EXPLORE))
		return;
	m->fortress.wanted = x->panel == PANEL_FORTRESS;
	if (explore_layout(m).second.rows && m->beside == BESIDE_MAP)
		m->map.wanted = true;
	explore_count_shown(m);
}

static const struct el_game *position(const struct model *m, struct el_position *out)
{
	*out = *play_position(m);
	return play_game(m);
}

static void subject(const struct model *m, char *out, size_t size)
{
	const struct study *s = m->play.study;
	char rule[32];
	const bool unusual = m->rule != EL_RULE_USUAL && play_game(m)->zeroes;
	explore_game_name(m, out, size);
	el_text_add(out, size, "%s%s%s", s && s->answer.has_slice ? s->answer.slice.name : "",
	            unusual ? "  " : "", unusual ? rule_text(m->rule, rule) : "");
}

const struct view explore_view = {
	.name = "Explore",
	.summary = "step through the best moves of a position",
	.key = '1',
	.state = &explore_state,
	.bindings = bindings,
	.verbs = verbs,
	.update = update,
	.draw = explore_draw,
	.list = {&explore_state, offsetof(struct explore, moves)},
	.row = move_row,
	.caption = explore_caption,
	.subject = subject,
	.position = position,
	.plain = plain,
	.cover = overlay_draw_cover,
	.ask = ask,
	.tick = tick,
	.next_tick = next_tick,
};
