/* SPDX-License-Identifier: GPL-3.0-or-later */
/* endlab film: a slice's passes as an animated drawing, as the board of boards in Teach. */
#include "arguments.h"
#include "core/film/boards.h"
#include "progress.h"
#include "tui/screen/roles.h"
#include "tui/screen/theme.h"
#include "tui/screen/widgets/board.h"
#include "tui/text/files.h"
#include "tui/text/numbers.h"
#include "tui/text/slices.h"

#include <stdlib.h>

static const struct option_help options[] = {
	{"--svg", "FILE", "the file to write (by default standard output)", .values = &file_values},
	{"--pass", "N", .summary = "a still picture, after that pass"},
	{0},
};

enum {
	SQUARES = 64,
	CELL = 6, /* units a cell is wide; a tile's gap is as wide */
	TOP = 46, /* rows of text above the boards, in units */
	GAP = 24, /* between the boards */
	STEP_MS = 600,
	END_MS = 3000, /* the last picture stays */
};

/* A film of one position's two pieces. */
struct picture {
	FILE *out;
	const struct el_film *film;
	struct el_boards boards;
	/* By side, tile and cell: the step that decides it, 0 where there is no position. */
	uint16_t step[2][SQUARES][SQUARES];
	uint8_t outcome[2][SQUARES][SQUARES];
	size_t still; /* the step of a still picture; else step_count */
};

static unsigned width_of(const struct el_game *game)
{
	return (unsigned)(game->files * (game->files + 1) - 1) * CELL;
}

/* The colour of a value on screens with all colours. */
static unsigned colour_of(enum role role)
{
	const struct paint *p = &themes[0].paint[role];
	const int n = p->c256 - 16, grey = 8 + 10 * (p->c256 - 232);
	static const unsigned level[] = {0, 95, 135, 175, 215, 255};
	return p->rgb           ? p->rgb
	       : p->c256 >= 232 ? (unsigned)grey * 0x10101
	                        : level[n / 36] << 16 | level[n / 6 % 6] << 8 | level[n % 6];
}

/* The squares of the cells that a step decides with that outcome; of step 0, of all positions. False
   if there are none. */
static bool write_cells(const struct picture *c, size_t step, enum el_outcome outcome)
{
	const struct el_game *game = c->film->wish.slice.game;
	bool any = false;
	for (unsigned i = 0; i < 2 * SQUARES * SQUARES; i++) {
		const unsigned side = i / (SQUARES * SQUARES);
		const uint8_t tile = i / SQUARES % SQUARES, cell = i % SQUARES;
		unsigned file, rank, x, y;
		if (!c->step[side][tile][cell] ||
		    (step && (c->step[side][tile][cell] != step ||
		              c->outcome[side][tile][cell] != outcome)))
			continue;
		(void)el_square_find(game, tile, &file, &rank);
		x = file * (game->files + 1u);
		y = (game->ranks - 1u - rank) * (game->ranks + 1u);
		(void)el_square_find(game, cell, &file, &rank);
		x = (x + file) * CELL + side * (width_of(game) + GAP);
		y = (y + game->ranks - 1u - rank) * CELL + TOP;
		fprintf(c->out, "%sM%u %uh%dv%dh-%dz", any ? "" : "<path d=\"", x, y, CELL, CELL,
		        CELL);
		any = true;
	}
	return any;
}

/* "pass 7: win in 7, 238 positions" */
static void step_text(const struct el_film_step *s, char out[96])
{
	static const char *const names[] = {
		[EL_FILM_START] = "undecided",
		[EL_FILM_TERMINAL] = "lost on the board",
		[EL_FILM_CONVERSIONS] = "conversions",
		[EL_FILM_WIN] = "win in",
		[EL_FILM_LOSS] = "loss in",
		[EL_FILM_WITHIN] = "within",
		[EL_FILM_LIMIT] = "the limit",
		[EL_FILM_CURSED] = "won too late, in",
		[EL_FILM_BLESSED] = "lost too late, in",
		[EL_FILM_DRAWS] = "draws: the rest",
	};
	const uint64_t decided = s->decided[0] + s->decided[1];
	char number[GROUPED_MAX], ply[16] = "";
	if (s->ply)
		snprintf(ply, sizeof ply, " %u", s->ply);
	snprintf(out, 96, "%s%s%s%s", names[s->rule], ply, decided ? ": " : "",
	         decided ? grouped(decided, number) : "");
}

/* A step's cells: white when it comes, and in the colour of their value from then on. */
static void write_step(const struct picture *c, size_t step)
{
	const struct el_film_step *s = &c->film->steps[step];
	const bool moves = c->still == c->film->step_count;
	const double at = (double)step * STEP_MS / 1000, lasts = STEP_MS / 1000.0;
	char text[96];
	step_text(s, text);
	for (unsigned outcome = EL_LOSS; outcome <= EL_WIN && step <= c->still; outcome++) {
		const int shade = outcome == EL_DRAW ? 0 : shade_of(s->ply, 0, c->film->deepest);
		if (!write_cells(c, step, outcome))
			continue;
		fprintf(c->out, "\" fill=\"#%06x\"",
		        step == c->still
		                ? 0xffffff
		                : colour_of((enum role)((int)outcome_ground(outcome) + shade)));
		if (moves)
			fprintf(c->out,
			        " visibility=\"hidden\"><set attributeName=\"visibility\" "
			        "to=\"visible\" begin=\"film.begin+%.1fs\" end=\"film.end\"/><set "
			        "attributeName=\"fill\" to=\"#fff\" begin=\"film.begin+%.1fs\" "
			        "dur=\"%.1fs\"/></path>\n",
			        at, at, lasts);
		else
			fputs("/>\n", c->out);
	}
	if (moves)
		fprintf(c->out,
		        "<text x=\"0\" y=\"38\" visibility=\"hidden\">%s<set "
		        "attributeName=\"visibility\" to=\"visible\" begin=\"film.begin+%.1fs\" "
		        "dur=\"%.1fs\"/></text>\n",
		        text, at, step + 1 == c->film->step_count ? END_MS / 1000.0 : lasts);
	else if (step == c->still)
		fprintf(c->out, "<text x=\"0\" y=\"38\">%s</text>\n", text);
}

static void write_picture(const struct picture *c)
{
	const struct el_film *film = c->film;
	const struct el_game *game = film->wish.slice.game;
	const unsigned width = 2 * width_of(game) + GAP;
	const unsigned height = TOP + (game->ranks * (game->ranks + 1u) - 1) * CELL;
	fprintf(c->out,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-8 -8 %u %u\" width=\"%u\" "
	        "font-family=\"sans-serif\" font-size=\"15\" fill=\"#333\">\n"
	        "<rect x=\"-8\" y=\"-8\" width=\"100%%\" height=\"100%%\" fill=\"#fff\">"
	        "<animate id=\"film\" attributeName=\"opacity\" values=\"1\" begin=\"0s;film.end\" "
	        "dur=\"%.1fs\"/></rect>\n",
	        width + 16, height + 16, width + 16,
	        (double)((film->step_count - 1) * STEP_MS + END_MS) / 1000);
	for (unsigned side = 0; side < 2; side++) {
		const unsigned x = side * (width_of(game) + GAP);
		fprintf(c->out, "<text x=\"%u\" y=\"16\">%s, %s to move</text>\n", x,
		        film->wish.slice.name, game->sides[side]);
		fprintf(c->out, "<rect x=\"%u\" y=\"%d\" width=\"%u\" height=\"%u\"/>\n", x, TOP,
		        width_of(game), height - TOP);
	}
	if (write_cells(c, 0, EL_UNKNOWN))
		fputs("\" fill=\"#767676\"/>\n", c->out);
	for (size_t step = 1; step < film->step_count; step++)
		write_step(c, step);
	fputs("</svg>\n", c->out);
}

/* The values of all positions with the two pieces anywhere. */
static void look(struct picture *c)
{
	const struct el_game *game = c->film->wish.slice.game;
	for (unsigned i = 0; i < 2 * SQUARES * SQUARES; i++) {
		const unsigned side = i / (SQUARES * SQUARES);
		const uint8_t tile = i / SQUARES % SQUARES, cell = i % SQUARES;
		unsigned file, rank;
		struct el_position p;
		if (!el_square_find(game, tile, &file, &rank) ||
		    !el_square_find(game, cell, &file, &rank) ||
		    !el_boards_try(game, &c->boards, side, tile, cell, &p))
			continue;
		const struct el_film_value v = el_film_value(c->film, &p, c->film->step_count - 1);
		c->outcome[side][tile][cell] = v.value.outcome;
		c->step[side][tile][cell] = v.value.outcome == EL_BROKEN ? 0 : (uint16_t)v.step;
	}
}

/* The position given, or one of the longest wins, if there are any. */
static enum el_status choose(struct picture *c, const struct el_position *given,
                             struct el_error *error)
{
	const struct el_slice *slice = &c->film->wish.slice;
	struct el_position p;
	bool found = given != NULL;
	if (given)
		p = *given;
	for (size_t step = c->film->step_count; step-- > 0 && !found;)
		found = c->film->steps[step].rule == EL_FILM_WIN &&
		        el_film_find(c->film, step, step, true, 0, &p);
	if (!found)
		found = el_film_find(c->film, 0, c->film->step_count, false, 0, &p);
	if (!found || !el_boards_choose(slice->game, &p, &c->boards))
		return el_fail(error, EL_NEGATIVE, "%s: the drawing needs two pieces on the board",
		               slice->name);
	return EL_OK;
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	const char *to = option_value(arguments, "--svg"), *word = arguments->words[0];
	struct picture *c = calloc(1, sizeof *c);
	struct progress progress;
	struct el_film_wish wish = {.metric = NULL};
	struct el_film *film = NULL;
	struct el_position given;
	struct el_error error;
	const bool is_position = el_position_is_meant(word);
	uint64_t ply = 0;
	enum el_status status = c ? EL_OK : el_fail(&error, EL_MEMORY, "out of memory");
	if (!status && is_position) {
		const struct el_game *game;
		status = el_position_parse(word, &game, &given, &error);
		if (!status)
			status = game->slice_of(&given, &wish.slice, &error);
	} else if (!status) {
		status = slice_parse(word, &wish.slice, &error);
	}
	if (!status)
		status = number_option(arguments, "--pass", 0, UINT16_MAX, &ply, &error);
	progress_start(&progress, cli);
	if (!status) {
		wish.metric = el_game_metric(wish.slice.game);
		status = el_film_make(cli->library, &wish, &progress.watch, &film, &error);
	}
	progress_clear(&progress);
	if (!status) {
		c->film = film;
		status = choose(c, is_position ? &given : NULL, &error);
	}
	if (!status) {
		struct whole_file file = {.stream = cli->out};
		c->still = film->step_count;
		for (size_t step = 0; step < film->step_count; step++)
			if (film->steps[step].ply <= ply &&
			    film->steps[step].rule != EL_FILM_DRAWS &&
			    option_given(arguments, "--pass"))
				c->still = step;
		look(c);
		if (to)
			status = whole_file_open(to, &file, &error);
		c->out = file.stream;
		if (!status)
			write_picture(c);
		if (to && !status)
			status = whole_file_close(&file, EL_OK, &error);
	}
	el_film_free(film);
	free(c);
	return status ? command_fail(cli, "film", &error) : 0;
}

const struct command command_film = {
	.name = "film",
	.arguments = "SLICE|FEN [OPTION...]",
	.summary = "draw how a slice is solved, pass by pass, as an animation",
	.help = "Solves a slice in memory and draws the passes as a board of boards, as Teach "
		"does: two pieces are tried on every square, one as the tile and one as the cell "
		"in it, while all others stand still; the left half is with White to move, the "
		"right one with Black to move. What a pass decides is white when it comes, and "
		"from then on has the colour of its value, darker the longer it takes. The drawing "
		"is SVG, which browsers and slides play. A position says where the other pieces "
		"stand; without one they stand as in one of the longest wins.\n"
		"  endlab film @SLICE --svg wave.svg\n"
		"  endlab film @SLICE --pass 12 --svg pass12.svg",
	.complete = "slice",
	.options = options,
	.least = 1,
	.most = 1,
	.run = run,
};
