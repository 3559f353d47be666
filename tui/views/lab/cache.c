/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cache: the blocks that a short search from Explore's position asks for, and which of them a cache
   of few blocks has. */
#include "inspector.h"

#include "core/base/text.h"

#include "tui/shell/overlay.h"
#include "tui/text/text.h"

#include <stdio.h>

enum { KEEPS_USUAL = 3 };

struct cache {
	unsigned keeps; /* blocks; 0: the view has not been shown yet */
	const struct el_game *game;
	struct el_position root;
	struct el_lab_probe probe[EL_LAB_SEARCH];
	struct list list;    /* of them */
	uint32_t predicted;  /* those marked as hits, as a set */
	bool has_predicted;  /* the user has marked some */
	struct el_error why; /* there are none */
};

OWN_STATE(static, cache, struct cache);

static void forget(struct model *m)
{
	cache_of(m)->predicted = 0;
	cache_of(m)->has_predicted = false;
}

/* Searches anew: the table, the position or the cache may have changed. */
static void search(struct model *m)
{
	struct cache *c = cache_of(m);
	const struct inspector *in = inspector_of(m);
	size_t count = 0;
	/* What was predicted of another search says nothing of this one. */
	if (c->game != play_game(m) || !el_position_equal(&c->root, play_position(m)))
		forget(m);
	c->game = play_game(m);
	c->root = *play_position(m);
	c->why = (struct el_error){.status = EL_OK};
	if (!in->has_block)
		el_fail(&c->why, EL_NEGATIVE, "There is no block yet. Press q to go back.");
	else if (c->game != in->slice.game)
		el_fail(&c->why, EL_NEGATIVE, "The position in Explore is one of another game.");
	else
		el_lab_search(&in->shown, &c->root, c->keeps, c->probe, &count, &c->why);
	c->list.count = c->why.status ? 0 : (int)count;
	list_set(&c->list, c->list.at);
}

static void enter(struct model *m)
{
	struct cache *c = cache_of(m);
	c->keeps = c->keeps ? c->keeps : KEEPS_USUAL;
	search(m);
}

static void set_keeps(struct model *m, unsigned keeps)
{
	cache_of(m)->keeps = keeps;
	search(m);
}

/* "3": blocks; "3 11": and the probe to select. */
static bool run_line(struct model *m, const char *line)
{
	unsigned keeps = 0, at = 0;
	int end = 0, more = 0;
	if (sscanf(line, "%9u%n %9u%n", &keeps, &end, &at, &more) < 1 || line[more ? more : end])
		return false;
	if (keeps < 1 || keeps > EL_LAB_KEEPS_MAX) {
		model_fail(m, "cache: found '%s', expected a number of blocks from 1 to %d", line,
		           EL_LAB_KEEPS_MAX);
		return true;
	}
	set_keeps(m, keeps);
	if (more && (at < 1 || (int)at > cache_of(m)->list.count))
		model_fail(m, "cache: found probe %u, expected one from 1 to %d", at,
		           cache_of(m)->list.count);
	else if (more)
		list_set(&cache_of(m)->list, (int)at - 1);
	return true;
}

/* ---- what the keys do ---- */

static const char *no_probes(const struct model *m)
{
	return cache_of(m)->list.count ? NULL : cache_of(m)->why.text;
}

static void change_keeps(struct model *m, int by)
{
	set_keeps(m, (unsigned)((int)cache_of(m)->keeps + by));
}

static const char *no_keeps(const struct model *m, int by)
{
	const unsigned keeps = cache_of(m)->keeps;
	return by < 0 && keeps <= 1 ? "The cache keeps 1 block, the fewest possible."
	       : by > 0 && keeps >= EL_LAB_KEEPS_MAX ? "No larger cache is shown here."
	                                             : NULL;
}

static void predict(struct model *m)
{
	struct cache *c = cache_of(m);
	c->predicted ^= UINT32_C(1) << c->list.at;
	c->has_predicted = true;
	list_set(&c->list, c->list.at + 1);
}

/* ---- drawing ---- */

static uint64_t count_loads(const struct cache *c)
{
	uint64_t loads = 0;
	for (int i = 0; i < c->list.count; i++)
		loads += c->probe[i].loaded;
	return loads;
}

/* "Rb1 Kd4" */
static void moves_text(const struct cache *c, const struct el_lab_probe *probe, char *out,
                       size_t size)
{
	struct el_position before = c->root, after;
	*out = '\0';
	for (unsigned i = 0; i < probe->plies; i++) {
		char name[EL_MOVE_MAX];
		c->game->write_move(&before, &probe->move[i], EL_SAN, name);
		el_words_add(out, size, " ", name);
		c->game->play(&before, &probe->move[i], &after);
		before = after;
	}
}

enum { MOVES_AT = 4, BLOCK_END = 21, GUESS_AT = 22, LOADED_AT = 24, KEPT_AT = 29, PROBE_COLS = 38 };

static void draw_probe(const struct cache *c, int i, bool covered, struct pane p)
{
	const struct el_lab_probe *probe = &c->probe[i];
	char text[64], number[GROUPED_MAX];
	int x = KEPT_AT;
	pane_select(p, i == c->list.at);
	pane_zone(p, ZONE_ITEM, i);
	snprintf(text, sizeof text, "%d", i + 1);
	pane_right(p, 0, MOVES_AT - 1, ROLE_DIM, text);
	moves_text(c, probe, text, sizeof text);
	pane_text(p, 0, MOVES_AT, ROLE_TEXT, text);
	pane_print_right(p, 0, BLOCK_END, ROLE_STRONG, " %s", grouped(probe->block + 1, number));
	const bool guess = c->predicted >> i & 1;
	if (c->has_predicted)
		pane_text(p, 0, GUESS_AT,
		          covered                  ? ROLE_TEXT
		          : guess != probe->loaded ? ROLE_WIN
		                                   : ROLE_LOSS,
		          guess ? "h" : "l");
	if (covered)
		return;
	pane_text(p, 0, LOADED_AT, probe->loaded ? ROLE_LOSS : ROLE_WIN,
	          probe->loaded ? "load" : "hit");
	for (size_t k = 0; k < probe->kept_count; k++) {
		snprintf(text, sizeof text, "%s%s", k ? " " : "",
		         grouped(probe->kept[k] + 1, number));
		if (x + utf8_length(text) > p.cols)
			break;
		x = pane_text(p, 0, x, ROLE_DIM, text);
	}
}

static void draw(const struct model *m, struct pane p)
{
	const struct cache *c = cache_of(m);
	const struct inspector *in = inspector_of(m);
	const bool covered = shell_is_covered(m);
	char how[192];
	if (!c->list.count) {
		pane_wrap(pane_sub(p, 1, 1, 3, p.cols - 2), 0, ROLE_DIM, c->why.text);
		return;
	}
	el_table_options_format(&in->slice, &in->shown.options, how, sizeof how);
	pane_print(p, 0, 1, ROLE_STRONG, "%d probes of a search, a cache of %u %s", c->list.count,
	           c->keeps, c->keeps == 1 ? "block" : "blocks");
	if (p.cols > 60 + utf8_length(how))
		pane_right(p, 0, p.cols - 1, ROLE_DIM, how);
	const int columns = p.cols >= 2 * PROBE_COLS ? 2 : 1;
	const int rows = (c->list.count + columns - 1) / columns, cols = p.cols / columns;
	const int room = p.rows - 4, shown = rows < room ? rows : room > 1 ? room : 1;
	const int top = columns == 1 ? list_top(&c->list, shown) : 0;
	for (int column = 0; column < columns; column++) {
		const struct pane head = pane_sub(p, 1, column * cols, 1, cols);
		pane_text(head, 0, MOVES_AT, ROLE_DIM, "after");
		pane_right(head, 0, BLOCK_END, ROLE_DIM, "block");
		if (!covered)
			pane_text(head, 0, KEPT_AT, ROLE_DIM, "then kept");
		for (int y = 0; y < shown; y++) {
			const int i = column * rows + top + y;
			if (i < c->list.count)
				draw_probe(c, i, covered,
				           pane_sub(p, 2 + y, column * cols, 1, cols));
		}
	}
	const struct pane below = pane_sub(p, shown + 3, 1, p.rows - shown - 3, p.cols - 2);
	int right = 0;
	for (int i = 0; i < c->list.count; i++)
		right += (c->predicted >> i & 1) != c->probe[i].loaded;
	if (covered)
		pane_wrap(
			below, 0, ROLE_DIM,
			"Which probes find their block in the cache? Mark them with space. Press H "
			"to see.");
	else {
		const int loads = (int)count_loads(c);
		const int x =
			pane_print(below, 0, 0, ROLE_STRONG, "%d %s, %d %s", loads,
		                   plural((size_t)loads, "load", "loads"), c->list.count - loads,
		                   plural((size_t)(c->list.count - loads), "hit", "hits"));
		if (c->has_predicted)
			pane_print(below, 0, x + 2, ROLE_TEXT, "You predicted %d of %d.", right,
			           c->list.count);
	}
}

static void row_text(const struct model *m, int row, char *out, size_t size)
{
	moves_text(cache_of(m), &cache_of(m)->probe[row], out, size);
}

static void subject(const struct model *m, char *out, size_t size)
{
	snprintf(out, size, "%s  cache", inspector_of(m)->slice.name);
}

static void look_plain(struct model *m)
{
	forget(m);
	cache_of(m)->list.at = 0;
}

/* ---- for lessons ---- */

static bool find_loads(const struct model *m, uint64_t *out)
{
	*out = count_loads(cache_of(m));
	return cache_of(m)->list.count;
}

static bool find_hit(const struct model *m, uint64_t *out)
{
	const struct cache *c = cache_of(m);
	*out = c->list.count && !c->probe[c->list.at].loaded;
	return c->list.count;
}

static const struct figure figures[] = {
	{"loads", FIGURE_NUMBER, find_loads},
	{"hit", FIGURE_WHETHER, find_hit}, /* the selected probe */
	{.name = NULL},
};

static const struct binding bindings[] = {
	KEY({' '}, "predict-hit", "hit", "predict that the probe finds its block", .run = predict,
            .disabled = no_probes),
	KEY({'+', '='}, "larger-cache", "larger", "keep one block more", .apply = change_keeps,
            .argument = 1, .refused = no_keeps),
	KEY({'-'}, "smaller-cache", "smaller", "keep one block less", .apply = change_keeps,
            .argument = -1, .refused = no_keeps),
	KEY({'x'}, "forget-hits", "no marks", "take all predictions back", .run = forget,
            .disabled = no_probes),
	{.name = NULL},
};

const struct view cache_view = {
	.name = "Cache",
	.summary = "a search's probes and a cache of few blocks",
	.state = &cache_state,
	.bindings = bindings,
	.line = run_line,
	.draw = draw,
	.cover = draw,
	.enter = enter,
	.list = {&cache_state, offsetof(struct cache, list)},
	.row = row_text,
	.subject = subject,
	.plain = look_plain,
	.figures = figures,
};
