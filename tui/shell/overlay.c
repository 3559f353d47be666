/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "overlay.h"
#include "shell_inside.h"

#include "room.h"
#include "tui/screen/widgets/paragraphs.h"

#include <stdio.h>

struct overlay *shell_overlay(const struct model *m)
{
	return &m->shell->overlay;
}

void overlay_show(const struct model *m, struct board *b)
{
	const struct overlay *o = &m->shell->overlay;
	if (!o->on)
		return;
	b->cursor = o->choice.cursor != EL_NO_SQUARE ? o->choice.cursor : b->cursor;
	b->picked = o->choice.picked != EL_NO_SQUARE ? o->choice.picked : b->picked;
	b->targets = o->choice.targets;
	b->prey = o->choice.prey;
	if (o->choice.prey)
		b->position = &o->made;
	b->over = o->marks;
}

/* ---- the cover ---- */

bool shell_is_covered(const struct model *m)
{
	return m->shell->covered && shell_view(m)->cover;
}

void overlay_switch_cover(struct model *m)
{
	m->shell->covered = !m->shell->covered;
}

void overlay_uncover(struct model *m)
{
	m->shell->covered = false;
}

const char *overlay_no_cover(const struct model *m)
{
	return shell_view(m)->cover ? NULL : "This view has no numbers to hide.";
}

/* The board stays where it is. */
void overlay_draw_cover(const struct model *m, struct pane p)
{
	struct el_position position;
	const struct el_game *game = shell_position(m, &position);
	const struct layout l = shell_layout(m, game, BOARD_AND_SECOND);
	struct board b = board_plain(game, &position, m->flipped);
	struct pane side = pane_part(p, l.side);
	b.scale = l.scale;
	overlay_show(m, &b);
	board_draw(&b, pane_part(p, l.board));
	const int y =
		pane_print_wrapped(side, 0, ROLE_STRONG, "%s to move", game->sides[position.side]);
	pane_wrap(side, y + 1, ROLE_DIM, "The numbers are hidden. Press H to show them.");
}

/* ---- the panel of keys ---- */

enum { ENTRIES_MAX = 192, KEY_COLS = 6, NAME_COLS = 19, SENTENCE_COLS = 40, PANEL_ROWS_MIN = 6 };

/* A row or more of the panel: a key and what it does, or a heading, which has no key. */
struct entry {
	int key;
	char text[128];
	const char *help, *why; /* why: it is disabled; or null */
	int page, y, x, rows, cols;
};

struct panel {
	struct entry entries[ENTRIES_MAX];
	size_t count, own; /* the view's own come first */
	struct pane pane;  /* within the view's pane */
	int pages;
	bool is_sentences; /* rather than names */
};

static void add_entry(struct panel *k, int key, const char *name, const char *help, const char *why)
{
	if (k->count == ENTRIES_MAX)
		return;
	struct entry *e = &k->entries[k->count++];
	*e = (struct entry){.key = key, .help = help, .why = why};
	snprintf(e->text, sizeof e->text, "%s", name);
	for (char *c = e->text; key && *c; c++)
		*c = *c == '-' ? ' ' : *c;
}

static void gather(const struct model *m, struct panel *k)
{
	const struct view *here = shell_view(m);
	for (int pass = 0; pass < 3; pass++) { /* the view, strips, all views */
		struct bindings_walk walk = {.model = m};
		const struct binding *b;
		if (pass == 1) {
			k->own = k->count;
			add_entry(k, 0, "In every view", "In every view", NULL);
		}
		while ((b = bindings_next(&walk))) {
			const int key = key_hinted(m, b),
				  turn = walk.table == global_bindings ? 2 : !walk.view;
			if (turn == pass && key && binding_runs(b) && binding_of_key(m, key) == b &&
			    !key_taken(m, key))
				add_entry(k, key, b->name, b->help, binding_disabled(b, m));
		}
	}
	for (const struct view *const *v = shell_views(m); *v; v++)
		if (*v != here && (*v)->summons && !binding_of_key(m, (*v)->summons))
			add_entry(k, (*v)->summons, (*v)->name, (*v)->summary, NULL);
}

/* Fills columns, then pages; returns whether all of the view's own keys are on the first page. */
static bool lay_out(struct panel *k, bool is_sentences)
{
	const int rows = k->pane.rows - 1, cols = k->pane.cols - 1;
	int page = 0, x = 0, y = 0;
	const int least = is_sentences ? SENTENCE_COLS : NAME_COLS,
		  across = cols < least ? 1 : cols / least;
	k->is_sentences = is_sentences;
	for (size_t i = 0; i < k->count; i++) {
		struct entry *e = &k->entries[i];
		/* The last column takes the cells that are over. */
		e->cols =
			x + 1 < across ? cols / across - 1 : cols - (across - 1) * (cols / across);
		e->rows = e->key ? paragraphs_rows(is_sentences ? e->help : e->text,
		                                   e->cols - KEY_COLS)
		                 : 1;
		y += !e->key && y; /* a blank row before a heading */
		if (y + e->rows + !e->key > rows && y) {
			y = 0;
			x++;
		}
		page += x == across;
		x = x == across ? 0 : x;
		e->page = page;
		e->y = y;
		e->x = x * (cols / across);
		y += e->rows;
	}
	k->pages = page + 1;
	return !k->own || !k->entries[k->own - 1].page;
}

/* The part of a view's pane that the panel takes: at the right of the board that the view has just
   drawn, or below it; without a board the right half. */
static struct pane find_room(struct pane p)
{
	const struct zone *z = p.canvas->zones, *end = z + p.canvas->zone_count;
	while (z < end && z->kind != ZONE_BOARD)
		z++;
	if (z == end)
		return pane_sub(p, 0, p.cols / 2, p.rows, p.cols);
	const int x = z->x + z->cols + 1 - p.x, y = z->y + z->rows - p.y;
	if (p.cols - x >= SLIM_COLS)
		return pane_sub(p, 0, x, p.rows, p.cols);
	return p.rows - y >= PANEL_ROWS_MIN ? pane_from(p, y) : p;
}

bool overlay_has_keys(const struct model *m)
{
	return m->shell->keyed && m->shell->keyed == shell_view(m);
}

void overlay_close_keys(struct model *m)
{
	m->shell->keyed = NULL;
}

void overlay_show_keys(struct model *m)
{
	const struct view *const *help = shell_views(m);
	while (*help && (*help)->summons != '?')
		help++;
	const bool shows_help = overlay_has_keys(m) || shell_view(m) == *help;
	m->shell->keyed = shows_help ? NULL : shell_view(m);
	m->shell->keys_page = 0;
	if (shows_help && *help)
		shell_visit_view(m, *help);
}

bool overlay_turn_keys(struct model *m, int key)
{
	const int by = key == K_PAGE_DOWN ? 1 : key == K_PAGE_UP ? -1 : 0;
	if (!overlay_has_keys(m))
		return false;
	if (key == K_ESCAPE || key == 'q') {
		overlay_close_keys(m);
		return true;
	}
	m->shell->keys_page += by;
	return by;
}

void overlay_draw_keys(const struct model *m, struct pane p)
{
	struct panel k = {.pane = find_room(p)};
	static const char ways[] = "? all  Esc close";
	char name[KEY_NAME_MAX], place[32] = "";
	if (!overlay_has_keys(m))
		return;
	gather(m, &k);
	if (!lay_out(&k, true))
		lay_out(&k, false);
	p = k.pane;
	const int page = (m->shell->keys_page % k.pages + k.pages) % k.pages;
	pane_fill(p, ROLE_LESSON);
	pane_zone(p, ZONE_NONE, 0); /* nothing below it can be clicked */
	int end = pane_print(p, 0, 1, ROLE_STRONG, "Keys of %s", shell_view(m)->name) + 1;
	if (k.pages > 1)
		snprintf(place, sizeof place, "PgDn %d/%d", page + 1, k.pages);
	if (end + utf8_length(ways) + 2 + utf8_length(place) < p.cols)
		end = pane_text(p, 0, end, ROLE_DIM, ways);
	pane_right(p, 0, p.cols - 1, ROLE_DIM, place);
	pane_zone(pane_sub(p, 0, end, 1, p.cols), ZONE_KEY, K_PAGE_DOWN);
	for (const struct entry *e = k.entries; e < k.entries + k.count; e++) {
		const struct pane at = pane_sub(p, 1 + e->y, 1 + e->x, e->rows, e->cols);
		if (e->page != page)
			continue;
		if (!e->key) {
			pane_text(at, 0, 0, ROLE_STRONG, e->text);
			continue;
		}
		pane_text(at, 0, 0, e->why ? ROLE_DIM : ROLE_HINT_KEY, key_name(e->key, name));
		paragraphs_draw(pane_sub(at, 0, KEY_COLS, e->rows, e->cols),
		                e->why ? ROLE_DIM : ROLE_TEXT, k.is_sentences ? e->help : e->text);
		pane_zone(at, ZONE_KEY, e->key);
	}
}
