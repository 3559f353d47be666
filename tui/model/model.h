/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the program knows, independent of the screen: the game on the board and its position's
 * values, the tables found and what they say, films, builds, and the questions asked of workers.
 * The model draws nothing and knows no view.
 *
 * The application takes jobs out and hands them back when they are done; the tests do the same
 * without threads:
 *
 *     model_init -> ... model_take_job -> job_run -> model_job_done ... -> model_free
 */
#ifndef TUI_MODEL_MODEL_H
#define TUI_MODEL_MODEL_H

#include "core/builder/build.h"
#include "core/builder/position.h"
#include "core/examine/examine.h"
#include "core/film/film.h"
#include "core/lab/flaw.h"
#include "games.h"
#include "job.h"
#include "play.h"
#include "slices.h"
#include "tables.h"

struct shell;

/* ---- builds.c: the builds at work and in the queue ---- */

struct builds {
	struct build_job *jobs; /* unfinished builds, the newest first */
	enum el_preset preset;  /* how new tables are written */
};

/* Is the slice being built or in the queue? */
bool build_is_asked(const struct builds *, const struct el_slice *);
/* Builds these slices and what they depend on, on the worker. A null metric is their game's own. */
void build_start(struct model *, const struct el_slice *slices, size_t count,
                 const struct el_metric *);

/* ---- solves.c: positions solved by themselves, as studies (core/builder/position.h) ---- */

struct solves {
	struct solve_job *jobs; /* unfinished, the newest first */
	/* The position solved last, and the last report on it: of work that goes on, what it does; then
	   what the next step takes. Null game: none yet. */
	struct {
		const struct el_game *game;
		struct el_position position;
		struct el_solve_report report;
	} last;
	/* What the first step takes for the position shown; without frames if they are too many to be
	   counted soon. */
	struct el_solve_report plan;
	struct question ask;
};

/* Solves the position shown, on the worker: for about a minute, and for as long as the next step is
   expected to take (solve_sight). What is solved is kept, and the next call goes on. */
void solve_start(struct model *);
/* Does a study of the position shown answer, perhaps within bounds? */
bool solve_is_begun(const struct model *);
/* Is the position shown being solved or in the queue? */
bool solve_is_asked(const struct model *);
/* What is known of the work on the position shown; null: nothing. */
const struct el_solve_report *solve_sight(const struct model *);
/* Counts the frames of the position shown if it can be solved and no study has it; called after every
   update. */
void solves_ask(struct model *);

/* ---- films.c ---- */

/*
 * A shelf of films, shared by all views.
 *
 *     films_want, in each view's `ask` ... film_of -> the film, or filmed.why
 *
 * A film is made when a view wants it, and kept while there is room on the shelf. If no view has
 * wanted it since the last update, it is no longer made. Metrics that are solved together share a
 * film.
 */

enum { FILMS_MAX = 16 };

/* A place on the shelf. */
struct filmed {
	bool taken;
	bool wanted;   /* since the last update */
	bool insisted; /* made whatever it costs */
	struct el_film_wish wish;
	struct question ask;
	struct el_film *film; /* owned; null: not made */
	/* why it is not made: impossible, or too much memory; else empty */
	char why[160];
	uint64_t used; /* the least recently used film is dropped first */
};

struct films {
	struct filmed place[FILMS_MAX];
	uint64_t clock;
	uint64_t asked; /* the clock at the previous update: films used later are on screen */
};

/* Wants a film until the next update, and returns its place. */
const struct filmed *films_want(struct model *, const struct el_film_wish *);
/* The same for a position's slice, under the game's finest metric. Null until the film is there,
   and if the position is in no slice. */
const struct el_film *films_at(struct model *, const struct el_game *, const struct el_position *);
/* Looks without wanting; null if no view has wanted it. */
const struct filmed *films_find(const struct model *, const struct el_film_wish *);
/* Makes it whatever it costs, or tries again. */
void films_insist(struct model *, const struct el_film_wish *);
/* Films that could not be made are tried again when wanted. */
void films_retry(struct model *);
/* Requests what is wanted and stops what is not; call it after all views have asked. */
void films_ask(struct model *);
/* Drops all: the tables that they were made with no longer answer. */
void films_forget(struct model *);
void films_free(struct films *);

/* ---- positions ---- */

/* A random position won for the side to move, with either side as the stronger one. False if there
   is none. */
bool film_sample(struct model *, const struct el_film *, struct el_position *out);

/* ---- piece_map.c: one piece of the position tried on every square ---- */

enum { MAP_SQUARES = 64 };

/* By square: EL_BROKEN if the piece cannot stand there, EL_UNKNOWN if no table has the value. */
struct map_values {
	struct el_value value[MAP_SQUARES];
	const struct el_metric *metric; /* of the values; null: none known */
	bool lacks; /* no table has some of them; not so if a table knows that they may be anything */
};

struct piece_map {
	struct el_position position; /* from the line of play; the side to move may be changed */
	uint8_t piece;               /* the square of the piece that is tried */
	struct map_values values;    /* of `position` and `piece`, if ask.known */
	struct question ask;
	unsigned seen;                     /* play.changes when it was last updated */
	const struct el_metric *ranked_by; /* the model's metric when it was asked */
	/* a view shows it: set before each piece_map_ask */
	bool wanted;
};

/* Follows the line of play, and requests the values while they are wanted. */
void piece_map_ask(struct model *);
/* Chooses another piece, by its square. */
void piece_map_take(struct model *, uint8_t square);
/* Changes the side to move. */
void piece_map_turn(struct model *);

/* ---- flaws.c: a copy of a table with a known flaw, which answers instead of the table ---- */

struct flaws {
	struct el_library *own;  /* the caller's, while a flawed one answers; else null */
	struct el_flawed **made; /* all so far, since a job may still read them; owned */
	size_t count;
	struct question ask; /* for the one wanted */
};

/* Shows a flaw in the table of a position's slice, until flaw_end or another flaw. */
void flaw_show(struct model *, const struct el_game *, const struct el_position *,
               const struct el_flaw *);
/* The caller's tables answer again, and the copy is removed. Without a flaw, nothing. */
void flaw_end(struct model *);
void flaws_free(struct flaws *);

/* ---- fortress.c: why a side that cannot win holds the draw ---- */

struct fortress {
	/* around which it is looked for */
	const struct el_game *game;
	struct el_position position;
	int defender; /* as in el_fortress_find */
	/* a view shows it: set before each fortress_ask */
	bool wanted;
	struct question ask;
	struct el_fortress found; /* owned */
	char why[160];            /* why it was not found; empty: it was */
};

/* Looks for the one around the position shown, while it is wanted. */
void fortress_look(struct model *, int defender);
/* Null until it is found. */
const struct el_fortress *fortress_found(const struct model *);
void fortress_ask(struct model *);
void fortress_free(struct fortress *);

/* ---- the model ---- */

/* What is shown beside a large board. */
enum beside { BESIDE_MAP, BESIDE_HISTOGRAM, BESIDE_LINE, BESIDES };

struct model {
	struct el_library *library; /* the caller's, or one with a flaw */
	/* milliseconds on a monotonic clock; set before updates */
	long long now;
	uint64_t random; /* state of a small generator */
	/* results never depend on the machine's speed: for tests */
	bool unhurried;
	struct shell *shell; /* shows all this (shell.h); the model never looks into it */

	struct {
		char text[512]; /* the last message; empty: none, or it was read */
		bool error;
	} message;
	unsigned failures;     /* errors shown so far */
	unsigned job_failures; /* jobs that reported an error at their end */
	bool in_moves;         /* depths are shown in moves rather than plies */
	unsigned rule;         /* in force, in moves; 0: off */
	unsigned last_rule;    /* the last one in force: not 0 */
	/* ranks the moves, if known; null: the finest */
	const struct el_metric *metric;
	bool flipped;       /* boards are turned around */
	enum beside beside; /* the user's choice */

	uint64_t last_job;  /* the number given last */
	struct job *jobs;   /* all unfinished jobs, the oldest first */
	struct job *outbox; /* of these, those not yet handed to a worker */
	struct job_progress progress[LANES];
	unsigned tables_version; /* grows when tables come or go */

	struct play_state play;
	struct games games;
	struct position_file positions;
	struct piece_map map;
	struct fortress fortress;
	struct tables tables;
	struct films films;
	struct flaws flaws;
	struct builds builds;
	struct solves solves;
	struct slices slices; /* all that lists and completions offer */
};

/* Reads a position that someone typed, as el_position_read; the message says what was left out. */
enum el_status model_read(struct model *, const char *text, const struct el_game **,
                          struct el_position *, struct el_error *);
/* EL_MEMORY; EL_NEGATIVE if `fen`, the initial position, is invalid. */
enum el_status model_init(struct model *, struct el_library *, const char *fen, struct el_error *);
/* Also frees jobs that nobody took. May be called again, and on a zeroed model. */
void model_free(struct model *);
/* Requests what is wanted and not known; called after every update, when views have asked. */
void model_ask(struct model *);

/* ---- messages ---- */

void model_note(struct model *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void model_fail(struct model *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The last message has been read. */
void model_hush(struct model *);

/* ---- jobs ---- */

/* Makes a job of `size` bytes that begin with struct job, or says that memory is out: null. Without
   `free` it is freed with free(). */
void *model_new_job(struct model *, size_t size, enum lane, const char *title, job_run_fn *run,
                    job_done_fn *done, job_free_fn *free);
void model_submit(struct model *, struct job *);
/* The next job; the caller runs it and calls model_job_done. */
struct job *model_take_job(struct model *);
/* Calls job.done and frees the job. */
void model_job_done(struct model *, struct job *);
/* Stops a job by its number, running or waiting; it is done soon. Ignores 0 and finished jobs. */
void model_stop(struct model *, uint64_t job);
/* The number of a job that its worker must stop; 0: none. */
uint64_t model_take_stop(struct model *);
/* The oldest job of a lane, which is the running one; null if there is none. */
const struct job *model_job(const struct model *, enum lane);
/* The job that the title line shows and `stop` stops; null if none is at work. */
const struct job *model_job_shown(const struct model *);
/* "", or a phrase saying that a job submitted now must wait. */
const char *model_turn(const struct model *, enum lane);
/* Takes a report of a lane's running job. */
void model_progress(struct model *, enum lane, const struct job_progress *);
/* Null if that job is not running or has not reported yet. */
const struct job_progress *model_progress_of(const struct model *, uint64_t job);

/* A pseudo-random number below `bound`. */
uint64_t model_random(struct model *, uint64_t bound);

#endif
