/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "screens.h"
#include "screens_lab.h"

#include "endlab/build.h"
#include "tui/shell/frame.h"
#include "tui/views/lab/lab.h"
#include "tui/views/views.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char own_lessons[PATH_MAX], temporary[] = "/tmp/endlab-screens-XXXXXX";
static const char *lessons = own_lessons, *state;

void screens_start(void)
{
	if (realpath("tests/screens/lessons", own_lessons))
		return;
	perror("screens: tests/screens/lessons");
	abort();
}

bool screens_enter(void)
{
	screens_start();
	return mkdtemp(temporary) && !chdir(temporary);
}

int screens_leave(void)
{
	char command[sizeof temporary + 16];
	snprintf(command, sizeof command, "rm -r %s", temporary);
	return chdir("/") || system(command);
}

void screens_lessons(const char *folders)
{
	lessons = folders;
}

void screens_state(const char *folder)
{
	state = folder;
}

/* ---- a library to look at ---- */

static void must(enum el_status status, const struct el_error *error)
{
	if (!status)
		return;
	printf("screens: %s\n", error->text);
	abort();
}

/* Raw blocks have the same size whatever version of a compressor is installed. */
static void build(struct el_library *library, const char *const *names, bool partial)
{
	struct el_build_options options = {.table = el_table_options_default()};
	struct el_slice slices[16];
	size_t count = 0;
	struct el_error error;
	struct el_plan plan;
	must(el_codec_parse("raw", &options.table.codec, &error), &error);
	for (; names[count]; count++)
		must(el_slice_parse(names[count], &slices[count], &error), &error);
	const struct el_plan_wish wish = {.slices = slices, .count = count, .partial = partial};
	must(el_plan_wished(library, &wish, &plan, &error), &error);
	must(el_build(library, &plan, &options, NULL, &error), &error);
	el_plan_free(&plan);
}

void screens_library(const char *directory, const char *const *slices, const char *const *partial,
                     struct el_library **out)
{
	struct el_library_options options = {.directory = directory};
	struct el_error error;
	must(el_library_open(&options, out, &error), &error);
	el_library_set_pace(*out, 1);
	build(*out, slices, false);
	if (partial)
		build(*out, partial, true);
}

/* ---- the application's part ---- */

void screens_open(struct screens *s, struct el_library *library, const char *fen, bool hold)
{
	struct el_error error;
	memset(s, 0, sizeof *s);
	s->hold = hold;
	const struct shell_options options = {
		.views = views, .fen = fen, .lessons = lessons, .state = state};
	must(shell_open(&s->model, library, &options, &error), &error);
	s->model.unhurried = true;
	lab_of(&s->model)->measure = screens_lab_run;
	screens_event(s, (struct event){.kind = EVENT_RESIZE, .rows = 24, .cols = 80});
}

/* As a worker ends. */
static void end_job(struct job *job)
{
	if (job->owed) {
		job_run(job, NULL);
		must(job->status, &job->error);
	}
	job->free(job);
}

void screens_close(struct screens *s)
{
	struct job *job;
	while ((job = model_take_job(&s->model)))
		end_job(job);
	for (int i = 0; i < s->held_count; i++)
		end_job(s->held[i]);
	shell_close(&s->model);
	canvas_free(&s->canvas);
}

static void run_job(struct screens *s, struct job *job)
{
	job_run(job, NULL);
	shell_job_done(&s->model, job);
}

/* Held jobs that are to be stopped never begin. */
static bool stop_held(struct screens *s)
{
	const uint64_t number = model_take_stop(&s->model);
	for (int i = 0; i < s->held_count && number; i++) {
		struct job *job = s->held[i];
		if (job->number != number)
			continue;
		s->held_count--;
		memmove(&s->held[i], &s->held[i + 1],
		        (size_t)(s->held_count - i) * sizeof *s->held);
		job->stopped = true;
		run_job(s, job);
		break;
	}
	return number;
}

void screens_settle(struct screens *s)
{
	struct job *job;
	while ((job = model_take_job(&s->model)) || stop_held(s)) {
		if (!job)
			continue;
		if (s->hold && job->lane != LANE_PROBE && s->held_count < 8)
			s->held[s->held_count++] = job;
		else
			run_job(s, job);
	}
}

void screens_release(struct screens *s)
{
	s->hold = false;
	while (s->held_count) {
		struct job *job = s->held[0];
		memmove(&s->held[0], &s->held[1], (size_t)--s->held_count * sizeof *s->held);
		run_job(s, job);
	}
	screens_settle(s);
}

void screens_draw(struct screens *s)
{
	const int rows = shell_rows(&s->model), cols = shell_cols(&s->model);
	if (s->canvas.rows != rows || s->canvas.cols != cols)
		canvas_resize(&s->canvas, rows, cols);
	frame_draw(&s->model, &s->canvas);
}

void screens_event(struct screens *s, struct event e)
{
	shell_update(&s->model, &e);
	screens_settle(s);
}

static void print_row(const struct cell *cells, int cols, FILE *out)
{
	int used = cols;
	while (used > 0 && cells[used - 1].glyph == ' ')
		used--;
	for (int x = 0; x < used; x++) {
		char bytes[4];
		fwrite(bytes, 1, utf8_encode(cells[x].glyph, bytes), out);
	}
	fputc('\n', out);
}

void screens_print(const struct screens *s, FILE *out)
{
	for (int y = 0; y < s->canvas.rows; y++)
		print_row(&s->canvas.cells[y * s->canvas.cols], s->canvas.cols, out);
}

/* A character a role, '.' for the ground. */
static void print_roles(const struct screens *s, FILE *out)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				      "!#$%&*+-/<=>@^~";
	_Static_assert(sizeof letters > ROLES, "a character for each role");
	for (int y = 0; y < s->canvas.rows; y++) {
		for (int x = 0; x < s->canvas.cols; x++) {
			uint8_t bg = s->canvas.cells[y * s->canvas.cols + x].bg;
			fputc(bg == ROLE_GROUND ? '.' : letters[bg], out);
		}
		fputc('\n', out);
	}
}

/* ---- scripts ---- */

struct replay {
	struct screens screens;
	struct el_library *library;
	FILE *out;
	int number; /* of the screen printed */
};

static void print_screen(struct replay *r)
{
	screens_draw(&r->screens);
	fprintf(r->out, "---- screen %d, %d x %d\n", ++r->number, shell_cols(&r->screens.model),
	        shell_rows(&r->screens.model));
	screens_print(&r->screens, r->out);
}

static bool press(struct screens *s, const char *name)
{
	for (int key = 1; key <= K_BACKTAB; key = key == K_BACKSPACE ? K_UP : key + 1) {
		char known[KEY_NAME_MAX];
		if (strcmp(key_name(key, known), name) &&
		    !(key == K_LEFT && !strcmp(name, "Left")) &&
		    !(key == K_RIGHT && !strcmp(name, "Right")))
			continue;
		screens_event(s, (struct event){.kind = EVENT_KEY, .key = key});
		return true;
	}
	return false;
}

static bool press_all(struct screens *s, char *line)
{
	for (char *name = strtok(line, " "); name; name = strtok(NULL, " "))
		if (!press(s, name))
			return false;
	return true;
}

static void click(struct screens *s, int row, int col)
{
	struct event e = {.kind = EVENT_CLICK, .rows = row, .cols = col};
	screens_draw(s);
	const struct zone *zone = canvas_zone_at(&s->canvas, row, col);
	e.zone = zone ? *zone : (struct zone){.kind = ZONE_NONE};
	screens_event(s, e);
}

static void say_progress(struct screens *s, const char *what, double done, double total,
			 const char *unit)
{
	struct job_progress p = {.stage = "solving", .done = done, .total = total};
	p.unit = strcmp(unit, "plies") ? "blocks" : "plies";
	snprintf(p.what, sizeof p.what, "%s dtm", what);
	if (!s->held_count)
		return;
	p.job = s->held[0]->number;
	shell_progress(&s->model, s->held[0]->lane, &p);
}

static bool direct(struct replay *r, const char *line)
{
	struct screens *s = &r->screens;
	int a, b, used = 0;
	double done, total;
	char what[40], unit[16], words[256];
	struct event e = {.kind = EVENT_RESIZE};
	if (sscanf(line, ".size %d %d", &e.cols, &e.rows) == 2)
		screens_event(s, e);
	else if (sscanf(line, ".click %d %d", &a, &b) == 2)
		click(s, a, b);
	else if (sscanf(line, ".wheel %d", &a) == 1)
		screens_event(s, (struct event){.kind = EVENT_WHEEL, .value = a});
	else if (sscanf(line, ".clock %d", &a) == 1) {
		s->model.now = a;
		screens_event(s, (struct event){.kind = EVENT_TICK});
	} else if (sscanf(line, ".progress %39s %lf %lf %15s", what, &done, &total, unit) == 4)
		say_progress(s, what, done, total, unit);
	else if (sscanf(line, ".fen %n", &used) == 0 && used) {
		screens_close(s);
		screens_open(s, r->library, line + used, false);
	} else if (!strcmp(line, ".first")) {
		screens_close(s);
		unlink("first/welcome");
		screens_state("first");
		screens_open(s, r->library, NULL, false);
		screens_state(NULL);
	} else if (!strcmp(line, ".ascii"))
		s->canvas.ascii = true;
	else if (!strcmp(line, ".blocks"))
		s->canvas.ascii = s->canvas.has_halves = false;
	else if (!strcmp(line, ".halves")) {
		s->canvas.ascii = false;
		s->canvas.has_halves = true;
	}
	else if (sscanf(line, ".measured %d", &a) == 1)
		screens_lab_deliver(&s->model, (size_t)a);
	else if (sscanf(line, ".candidates %255[^\n]", words) == 1)
		return screens_lab_candidates(&s->model, words);
	else if (!strcmp(line, ".mono"))
		s->canvas.mono = true;
	else if (!strcmp(line, ".hold"))
		s->hold = true;
	else if (!strcmp(line, ".release"))
		screens_release(s);
	else if (!strcmp(line, ".screen"))
		print_screen(r);
	else if (!strcmp(line, ".roles")) {
		screens_draw(s);
		print_roles(s, r->out);
	} else
		return false;
	return true;
}

static bool replay_line(struct replay *r, char *line)
{
	line[strcspn(line, "\n")] = '\0';
	if (!*line || (*line == '#' && line[1]))
		return true;
	if (*line == '.')
		return direct(r, line);
	if (*line == ':' && line[1]) {
		shell_prompt_line(&r->screens.model)->open = false;
		shell_typed(&r->screens.model, line + 1);
		screens_settle(&r->screens);
		return true;
	}
	return press_all(&r->screens, line);
}

bool screens_replay(FILE *script, struct el_library *library, FILE *out)
{
	struct replay r = {.library = library, .out = out};
	char line[512];
	bool good = true;
	screens_open(&r.screens, library, NULL, false);
	while (good && fgets(line, sizeof line, script)) {
		good = replay_line(&r, line);
		if (!good)
			printf("not understood: %s\n", line);
	}
	print_screen(&r);
	screens_close(&r.screens);
	return good;
}
