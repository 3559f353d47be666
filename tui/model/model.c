/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model.h"
#include "../shell/line.h"
#include "../screen/theme.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages ---- */

void model_note(struct model *m, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(m->message.text, sizeof m->message.text, format, args);
	va_end(args);
	m->message.error = false;
}

void model_fail(struct model *m, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(m->message.text, sizeof m->message.text, format, args);
	va_end(args);
	m->message.error = true;
	m->failures++;
}

void model_prompt(struct model *m, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(m->prompt.text, sizeof m->prompt.text, format, args);
	va_end(args);
	m->prompt.open = true;
}

/* ---- jobs ---- */

static void free_job(struct job *job)
{
	free(job);
}

void *model_new_job(struct model *m, size_t size, enum lane lane, const char *title)
{
	struct job *job = calloc(1, size);
	if (!job) {
		model_fail(m, "out of memory");
		return NULL;
	}
	job->lane = lane;
	job->library = m->library;
	job->free = free_job;
	snprintf(job->title, sizeof job->title, "%s", title);
	return job;
}

void model_submit(struct model *m, struct job *job)
{
	job->next = NULL;
	*m->outbox_tail = job;
	m->outbox_tail = &job->next;
	m->jobs_out[job->lane]++;
	m->long_jobs += job->lane == LANE_LONG;
}

struct job *model_take_job(struct model *m)
{
	struct job *job = m->outbox;
	if (!job)
		return NULL;
	m->outbox = job->next;
	if (!m->outbox)
		m->outbox_tail = &m->outbox;
	return job;
}

static void ask_everything(struct model *m)
{
	do
		for (const struct view *const *v = views; *v; v++)
			if ((*v)->ask)
				(*v)->ask(m);
	while (lesson_go_on(m));
}

void model_job_done(struct model *m, struct job *job)
{
	m->jobs_out[job->lane]--;
	if (job->lane == LANE_LONG) {
		m->progress = (struct job_progress){0};
		m->tables_seen = 0;
	}
	const unsigned failures = m->failures;
	job->done(m, job);
	m->job_failures += m->failures != failures;
	job->free(job);
	ask_everything(m);
}

void model_progress(struct model *m, const struct job_progress *progress)
{
	if (strcmp(m->progress.title, progress->title))
		m->progress_since = m->now;
	m->progress = *progress;
	for (const struct view *const *v = views; *v; v++)
		if ((*v)->hear)
			(*v)->hear(m);
	if (progress->tables > m->tables_seen) {
		m->tables_seen = progress->tables;
		model_tables_changed(m);
		ask_everything(m);
	}
}

void model_tables_changed(struct model *m)
{
	for (const struct view *const *v = views; *v; v++)
		if ((*v)->forget)
			(*v)->forget(m);
}

/* ---- life ---- */

/* The generator of Steele, Lea and Flood (SplitMix64). */
uint64_t model_random(struct model *m, uint64_t bound)
{
	uint64_t z = m->random += 0x9E3779B97F4A7C15u;
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return (z ^ z >> 31) % bound;
}

static enum el_status first_position(struct model *m, const char *fen, const char *slice_name,
                                     struct el_error *error)
{
	const struct el_game *game;
	struct el_position position;
	struct el_slice slice;
	enum el_status status = fen ? el_position_parse(fen, &game, &position, error)
	                            : el_slice_parse(slice_name, &slice, error);
	if (status)
		return status;
	if (!fen && !line_sample(m, &slice, &position))
		return el_fail(error, EL_NEGATIVE, "%s has no legal position", slice.name);
	if (!explore_set(m, fen ? game : slice.game, &position))
		return el_fail(error, EL_MEMORY, "out of memory");
	return EL_OK;
}

/* Only where nothing at all was found: a user with tables has chosen what to have. */
static enum el_status first_build(struct model *m, const char *const *names, struct el_error *error)
{
	struct el_entry *entries;
	size_t count, wanted = 0;
	struct el_slice slices[8];
	enum el_status status = el_library_list(m->library, &entries, &count, error);
	if (status)
		return status;
	el_entries_free(entries, count);
	for (; count == 0 && names[wanted] && wanted < 8 && !status; wanted++)
		status = el_slice_parse(names[wanted], &slices[wanted], error);
	if (status || !wanted)
		return status;
	build_start(m, slices, wanted);
	model_note(m, "no tables yet: making the first %zu; look around meanwhile, L has lessons",
	           wanted);
	return EL_OK;
}

static enum el_status open_views(struct model *m, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (const struct view *const *v = views; *v && !status; v++)
		if ((*v)->open)
			status = (*v)->open(m, error);
	return status;
}

enum el_status model_init(struct model *m, struct el_library *library, const char *fen,
                          const char *const *first_slices, struct el_error *error)
{
	*m = (struct model){.library = library, .rows = 24, .cols = 80, .random = 1};
	m->outbox_tail = &m->outbox;
	m->view = m->before = &explore_view;
	enum el_status status = open_views(m, error);
	if (!status)
		status = first_position(m, fen, first_slices[0], error);
	if (!status)
		status = first_build(m, first_slices, error);
	if (status)
		model_free(m);
	else
		ask_everything(m);
	return status;
}

void model_free(struct model *m)
{
	struct job *job;
	while ((job = model_take_job(m)))
		job->free(job);
	for (const struct view *const *v = views; *v; v++)
		if ((*v)->close)
			(*v)->close(m);
	*m = (struct model){.outbox_tail = &m->outbox};
}

/* ---- events ---- */

static bool is_over(const struct view *view)
{
	return !view->key && !view->under;
}

static void put_on_screen(struct model *m, const struct view *view)
{
	m->view = view;
	if (view->enter)
		view->enter(m);
}

void model_show(struct model *m, const struct view *view)
{
	if (is_over(view) && !is_over(m->view))
		m->before = m->view;
	put_on_screen(m, view);
}

const struct el_game *model_studied(const struct model *m, struct el_position *out)
{
	const bool taught = m->view == &teach_view || (is_over(m->view) && m->before == &teach_view);
	*out = taught ? teach_position(m) : *explore_position(m);
	return taught ? m->teach.game : m->explore.game;
}

static void forget_way(struct model *m, int i)
{
	m->way_count--;
	memmove(&m->ways_back[i], &m->ways_back[i + 1],
	        (size_t)(m->way_count - i) * sizeof *m->ways_back);
}

void model_visit(struct model *m, const struct view *view)
{
	if (m->view != view) {
		if (m->way_count == WAYS_BACK)
			forget_way(m, 0);
		m->ways_back[m->way_count].view = view;
		m->ways_back[m->way_count++].to = m->view;
	}
	model_show(m, view);
}

const struct view *model_visited_from(const struct model *m, const struct view *view)
{
	int i = m->way_count - 1;
	while (i >= 0 && m->ways_back[i].view != view)
		i--;
	return i < 0 ? NULL : m->ways_back[i].to;
}

void model_return(struct model *m, const struct view *view)
{
	for (int i = m->way_count - 1; i >= 0; i--)
		if (m->ways_back[i].view == m->view) {
			m->way_count = i;
			break;
		}
	/* Not by model_show: what a view over any other came over stays. */
	put_on_screen(m, view);
}

const struct view *model_back(const struct model *m)
{
	const struct view *visited = model_visited_from(m, m->view);
	if (visited)
		return visited;
	const struct view *back = is_over(m->view) ? m->before : m->view->under;
	return back || m->view == &explore_view ? back : &explore_view;
}

void model_run(struct model *m, const struct binding *binding)
{
	const char *why = binding_disabled(binding, m);
	if (why)
		model_fail(m, "%s: %s", binding->name, why);
	else if (binding->run)
		binding->run(m);
}

static const struct view *view_on_key(int key)
{
	for (const struct view *const *v = views; *v; v++)
		if (key && (*v)->key == key)
			return *v;
	return NULL;
}

static bool answer_offer(struct model *m, int key)
{
	char line[sizeof m->offer];
	memcpy(line, m->offer, sizeof line);
	m->offer[0] = '\0';
	if (!line[0] || key != 'y')
		return false;
	line_run(m, line);
	return true;
}

static void update_key(struct model *m, const struct event *e)
{
	m->message.text[0] = '\0';
	if (answer_offer(m, e->key) || (m->view->update && m->view->update(m, e)))
		return;
	const struct view *view = view_on_key(e->key);
	const struct binding *binding = lesson_plays(m) ? binding_in(lesson_bindings, e->key) : NULL;
	binding = binding ? binding : binding_of_key(m->view, e->key);
	char name[KEY_NAME_MAX];
	if (binding)
		model_run(m, binding);
	else if (view) {
		m->way_count = 0;
		model_show(m, view);
	}
	else if (e->key < 0x110000)
		model_fail(m, "%s does nothing here; ? lists the keys", key_name(e->key, name));
}

static void update_click(struct model *m, const struct event *e)
{
	struct event key = {.kind = EVENT_KEY, .key = e->zone.value};
	if (e->zone.kind == ZONE_KEY) {
		update_key(m, &key);
		return;
	}
	m->message.text[0] = '\0';
	struct list *list = m->view->list ? m->view->list(m) : NULL;
	if (!(m->view->update && m->view->update(m, e)) && list && e->zone.kind == ZONE_ITEM)
		list_set(list, e->zone.value);
}

static void update_wheel(struct model *m, const struct event *e)
{
	struct list *list = m->view->list ? m->view->list(m) : NULL;
	if (!(m->view->update && m->view->update(m, e)) && list)
		list_set(list, list->at + e->value);
}

static void tick(struct model *m)
{
	for (const struct view *const *v = views; *v; v++)
		if ((*v)->tick)
			(*v)->tick(m);
}

void model_update(struct model *m, const struct event *e)
{
	switch (e->kind) {
	case EVENT_KEY: update_key(m, e); break;
	case EVENT_CLICK: update_click(m, e); break;
	case EVENT_WHEEL: update_wheel(m, e); break;
	case EVENT_RESIZE:
		m->rows = e->rows;
		m->cols = e->cols;
		break;
	case EVENT_TICK: tick(m); break;
	case EVENT_PASTE: break;
	case EVENT_NONE: break;
	}
	ask_everything(m);
}

int model_next_tick(const struct model *m)
{
	int soonest = -1;
	for (const struct view *const *v = views; *v; v++) {
		int due = (*v)->next_tick ? (*v)->next_tick(m) : -1;
		if (due >= 0 && (soonest < 0 || due < soonest))
			soonest = due;
	}
	return soonest;
}
