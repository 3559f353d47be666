/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A view: one folder under views/ and one line in views/views.h.
 *
 *     binding.run(model), update(model, event) -> ask(model) -> draw(model, pane)
 *
 * A view owns its state, which is made for it when the program starts and which nobody else knows.
 * What it does changes that state and the model; what it shows follows from them alone. Work that
 * takes time is handed out as a job.
 */
#ifndef TUI_SHELL_VIEW_H
#define TUI_SHELL_VIEW_H

#include "keys.h"
#include "tui/model/model.h"
#include "tui/screen/event.h"
#include "tui/screen/list.h"
#include "typed.h"

/*
 * A strip: rows below whatever view is on screen, as long as there is something to show in them.
 * Its bindings are in force in every view then, before all others.
 */
struct strip {
	const char *heading; /* of its bindings in the help */
	/* of a screen of that size; 0: none */
	int (*rows)(const struct model *, int rows, int cols);
	void (*draw)(const struct model *, struct pane);
	const struct binding *bindings;
	/* First go at every key and click, before the view on screen; false leaves it to that. May
	   be null. */
	bool (*update)(struct model *, const struct event *);
	/* As view.takes_key; may be null. */
	bool (*takes_key)(const struct model *, int key);
	/* On the first screen `q` ends it rather than the program, as `at_home` says; both or
	   none. */
	void (*leave)(struct model *);
	const char *at_home;
};

/* What a view's board says of the piece that it tries on every square, to be asked about. */
struct board_facts {
	const struct el_metric *metric; /* of the values */
	/* by square, with everything known; EL_BROKEN, EL_UNKNOWN */
	struct el_value value[64];
	uint64_t next; /* the squares that the next pass decides */
	/* positions with that side to move: in this pass, after it */
	uint64_t decided, undecided;
};

/* A view's key to its state. */
struct state {
	size_t size;
};

struct view {
	const char *name;    /* "Explore"; a line may begin with it, in small letters */
	const char *summary; /* for the help, one line */
	/* shows it instead of all others: '1' and so on; 0: it is in no title line */
	int key;
	int summons;                    /* a key that brings it over any view; 0: none */
	const char *hint;               /* of `summons` in the hint bar; null: not there */
	const struct state *state;      /* null: it has none */
	const struct binding *bindings; /* ends with a null name; may be null */
	const struct verb *verbs;       /* ends with a null word; may be null */
	/* Is the key its own, as a letter that stands for a piece? Hints then show the other one of
	   a binding. May be null. */
	bool (*takes_key)(const struct model *, int key);
	const struct strip *strip; /* may be null */

	/* First go at every key, click and wheel turn; false leaves it to the bindings and the
	   list. May be null. */
	bool (*update)(struct model *, const struct event *);
	/* A line that begins with none of its verbs, as a position or a slice; false: it is not for
	   the view. May be null. */
	bool (*line)(struct model *, const char *line);
	/* Completions of such a line's last word; may be null. */
	void (*words)(const struct model *, const char *line, struct words *);
	void (*draw)(const struct model *, struct pane);
	void (*enter)(struct model *);        /* when it comes on screen; may be null */
	struct list *(*list)(struct model *); /* may be null */
	/* What a row of the list says, to be searched; may be null. */
	void (*row)(const struct model *, int row, char *out, size_t size);
	/* What the title line says on its right; may be null. */
	void (*subject)(const struct model *, char *out, size_t size);
	/* The position that it is about, where that is not the one of the line of play. Returns its
	   game; null when there is none. May be null. */
	const struct el_game *(*position)(const struct model *, struct el_position *out);
	/* Shows what a command has printed, which it takes over (malloc'ed): one view has it. */
	void (*print)(struct model *, const char *title, char *text);
	/* Drops what makes it look otherwise than a lesson expects, and ends what is moving; may be
	   null. */
	void (*plain)(struct model *);
	bool covers; /* its numbers can be hidden: what is left is the board of the position */
	/* What its board says; false while that is not known. Null: the model's piece map tells
	   it. */
	bool (*facts)(const struct model *, struct board_facts *out);
	/* Is it running through something that a typed line began? Lessons wait for that. May be
	   null. */
	bool (*moving)(const struct model *);

	/* ---- whichever view is on screen; each may be null ---- */
	enum el_status (*open)(struct model *, struct el_error *);
	void (*close)(struct model *);
	void (*ask)(struct model *); /* after every update: what is not known yet */
	/* After all have asked: goes on by itself; true when all are to be asked again. */
	bool (*go_on)(struct model *);
	void (*tick)(struct model *);
	int (*next_tick)(const struct model *); /* milliseconds until a tick is due, -1: none */
};

/* The state of the view that has this key; of zeros when the program starts. */
void *state_of(const struct model *, const struct state *);

#endif
