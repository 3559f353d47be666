/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A view: one folder under views/ and one line in views/views.h.
 *
 *     binding.run(model), update(model, event) -> ask(model) -> draw(model, pane)
 *
 * A view owns its state, which is created at program start and known to no other code. Its actions
 * change that state and the model; what it shows depends on these alone. Slow work becomes a job.
 */
#ifndef TUI_SHELL_VIEW_H
#define TUI_SHELL_VIEW_H

#include "keys.h"
#include "tui/model/model.h"
#include "tui/screen/event.h"
#include "tui/screen/list.h"
#include "typed.h"

#include <stdio.h>

/*
 * A strip: rows below any view on screen, while there is something to show. Its bindings then take
 * precedence in every view.
 */
struct strip {
	const char *heading; /* of its bindings in the help */
	/* how many on a screen of that size; 0: none */
	int (*rows)(const struct model *, int rows, int cols);
	void (*draw)(const struct model *, struct pane);
	const struct binding *bindings; /* ends with a null name; may be null */
	const struct verb *verbs;       /* for every view, even without rows; may be null */
	/* Sees every key and click before the view on screen; false passes it on. May be null. */
	bool (*update)(struct model *, const struct event *);
	/* As view.takes_key; may be null. */
	bool (*takes_key)(const struct model *, int key);
	/* On the first screen `q` ends the strip rather than the program, as `at_home` says; both
	   are set or neither. */
	void (*leave)(struct model *);
	const char *at_home;
};

/* What a view's board shows, mostly about the piece that it tries on every square, for quizzes. */
struct board_facts {
	const struct el_metric *metric; /* of the values */
	/* by square, once all is known; EL_BROKEN, EL_UNKNOWN */
	struct el_value value[64];
	uint64_t next; /* squares that the next pass decides */
};

/* Something that a view shows and a lesson may ask for by its name. */
enum figure_kind { FIGURE_NUMBER, FIGURE_SQUARES, FIGURE_VALUE, FIGURE_WHETHER };

struct figure {
	const char *name; /* "index" */
	enum figure_kind kind;
	/* The number; the squares as a set; a value as lattice_code has it; 1 for yes and 0 for no.
	   False while it is not known. */
	bool (*find)(const struct model *, uint64_t *out);
};

/* A view's key to its state. */
struct state {
	size_t size;
};

/* Where a view's list is. */
struct list_place {
	const struct state *state;
	size_t at; /* its offset in that state */
};

struct view {
	const char *name;    /* "Explore"; a line may begin with it in lower case */
	const char *summary; /* one line, for the help */
	/* the key that shows only this view: '1' and so on; 0: not in the title line */
	int key;
	int summons;                    /* a key that puts it over any view; 0: none */
	const struct state *state;      /* null: it has none */
	const struct binding *bindings; /* ends with a null name; may be null */
	const struct verb *verbs;       /* ends with a null word; may be null */
	/* Does it use the key itself, for example as a piece letter? Hints then show a binding's
	   other key. May be null. */
	bool (*takes_key)(const struct model *, int key);
	const struct strip *strip; /* may be null */

	/* Sees every key, click and wheel turn first; false passes it on to the bindings and the
	   list. May be null. */
	bool (*update)(struct model *, const struct event *);
	/* Handles a line without one of its verbs, for example a position or a slice; false: the
	   line is not for this view. May be null. */
	bool (*line)(struct model *, const char *line);
	/* Completions of such a line's last word; may be null. */
	void (*words)(const struct model *, const char *line, struct words *);
	void (*draw)(const struct model *, struct pane);
	void (*enter)(struct model *); /* on coming on screen; may be null */
	struct list_place list;        /* that the common keys move in; zeros: none */
	/* The text of a row of the list, for searching; may be null. */
	void (*row)(const struct model *, int row, char *out, size_t size);
	/* The text at the right of the title line; may be null. */
	void (*subject)(const struct model *, char *out, size_t size);
	/* A line in the place of messages while there is none; may be null. */
	void (*caption)(const struct model *, char *out, size_t size);
	/* The view's position, if not that of the line of play. Returns its game; null if there is
	   none. May be null. */
	const struct el_game *(*position)(const struct model *, struct el_position *out);
	/* Takes over a command's output (malloc'ed), to be shown with the view: one view has this. */
	void (*print)(struct model *, const char *title, char *text);
	/* Restores the look that lessons expect, and stops anything moving; may be null. */
	void (*plain)(struct model *);
	/* Draws the view with its numbers hidden: overlay_draw_cover leaves only the board of the
	   position. Null: they cannot be hidden. */
	void (*cover)(const struct model *, struct pane);
	/* The facts of its board; false while they are not known. Null: the model's piece map has
	   them. */
	bool (*facts)(const struct model *, struct board_facts *out);
	const struct figure *figures; /* ends with a null name; may be null */
	/* Is it still running something that a typed line began? Lessons wait for that. May be
	   null. */
	bool (*moving)(const struct model *);

	/* Writes the lines that bring back what it shows, whatever is on screen before: "teach FEN",
	   "pass 7". Null: its name does. */
	void (*lines)(const struct model *, FILE *out);

	/* ---- called for every view, on screen or not; each may be null ---- */
	enum el_status (*open)(struct model *, struct el_error *);
	void (*close)(struct model *);
	void (*ask)(struct model *); /* after every update: requests what is not known yet */
	/* After all have asked: advances by itself; true if all must ask again. */
	bool (*go_on)(struct model *);
	/* A line that the user has typed has run, or an action of the view that was on screen by its
	   key, which has its name. `allowed`: lessons may run it too. */
	void (*heard)(struct model *, const char *line, bool is_key, bool allowed);
	void (*tick)(struct model *);
	int (*next_tick)(const struct model *); /* milliseconds until a tick is due, -1: none */
};

/* The state of the view that has this key; zeroed at program start. */
void *state_of(const struct model *, const struct state *);

/* A view's state, NAME_state, and NAME_of, which gives it; `linkage` is static in a view of one file. */
#define OWN_STATE(linkage, name, type)                 \
	linkage const struct state name##_state;       \
	linkage type *name##_of(const struct model *m) \
	{                                              \
		return state_of(m, &name##_state);     \
	}                                              \
	linkage const struct state name##_state = {sizeof(type)}

#endif
