/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A view: one file under views/ and one line in views.c.
 *
 *     binding.run(model), update(model, event) -> draw(model, pane)
 *
 * A view is pure: what it does is change the model, what it shows follows from the model alone.
 * Work that takes time is handed out as a job (model_submit).
 */
#ifndef ENDLAB_TUI_VIEW_H
#define ENDLAB_TUI_VIEW_H

#include "keys.h"

#include "endlab/status.h"

/* A list that the common keys and the wheel move in. */
struct list {
	int count, at;
};

/* Something that goes on by itself (autoplay.h). Of zeros: it stands still. */
struct autoplay {
	bool running;
	int speed;      /* 0 is the usual one; above it faster */
	long long next; /* when the next step is due, on the clock of model.now */
};

/*
 * Something asked of a worker. When what it depends on changes it becomes another question, and an
 * answer to the former one is dropped.
 */
struct question {
	unsigned version;
	bool out;   /* a job is at work on it, or on a former one */
	bool known; /* the answer is there */
};

void question_change(struct question *);
/* True when a job should be sent out now; it is taken to be sent. */
bool question_send(struct question *);
/* An answer to `version` has come: true when it counts. */
bool question_answer(struct question *, unsigned version);

struct view {
	const char *name;    /* "Explore" */
	const char *summary; /* for the help, one line */
	int key;             /* '1' and so on; 0 for a view that is opened from another */
	const struct view *under; /* the view that `q` goes back to; null for those with a key, and
				     for those that come over any view */
	const struct binding *bindings; /* ends with a null name */
	/* First go at every key, click and wheel turn; false leaves it to the bindings and the
	   list. May be null. */
	bool (*update)(struct model *, const struct event *);
	/* First go at every line typed at the prompt while the view is on screen; false: it is not for
	   the view. May be null. */
	bool (*line)(struct model *, const char *line);
	/* Completions of a line's last word; may be null. */
	void (*words)(const struct model *, const char *line,
	              void (*offer)(void *context, const char *word), void *context);
	void (*draw)(const struct model *, struct pane);
	void (*enter)(struct model *);          /* when it comes on screen; may be null */
	struct list *(*list)(struct model *);   /* may be null */
	/* What the title line says on its right; may be null. */
	void (*subject)(const struct model *, char *out, size_t size);

	/* ---- the view's part of the model, whichever view is on screen; each may be null ---- */
	enum el_status (*open)(struct model *, struct el_error *);
	void (*close)(struct model *);
	void (*ask)(struct model *);    /* after every update: jobs for what is not known yet */
	void (*hear)(struct model *);   /* a long job has said how far it is */
	void (*forget)(struct model *); /* tables have come or gone: what they said may not hold */
	void (*tick)(struct model *);
	int (*next_tick)(const struct model *); /* milliseconds until a tick is due, -1: none */
};

/* All views, null-terminated; those with a key are in the title line, in this order. */
extern const struct view *const views[];
extern const struct view explore_view, setup_view, map_view, teach_view, index_view, metrics_view,
	bounds_view, practice_view, lesson_view, lab_view, lab_form_view, lab_slice_view,
	inspector_view, tables_view, statistics_view, build_view, help_view, text_view;

/* The first row to draw so that `at` is seen in `rows` rows. */
int list_top(const struct list *, int rows);
/* Keeps `at` within the list. */
void list_set(struct list *, int at);

#endif
