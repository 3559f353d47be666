/* SPDX-License-Identifier: MIT */
/* The JSON beside the files of a table. */
#include "arrays.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <string.h>

enum { DESCRIPTION_VERSION = 1 };

/* A growing document. */
struct document {
	const struct outputs *outputs;
	const struct el_planes *planes;
	bool lacking; /* an item is missing for lack of memory */
};

/* Adds an item, which it takes over; members of arrays have a null name. Returns the item, or null
   without memory. */
static cJSON *add(struct document *d, cJSON *parent, const char *name, cJSON *item)
{
	if (name ? cJSON_AddItemToObject(parent, name, item) : cJSON_AddItemToArray(parent, item))
		return item;
	d->lacking = true;
	cJSON_Delete(item);
	return NULL;
}

static void add_text(struct document *d, cJSON *parent, const char *name, const char *text)
{
	add(d, parent, name, cJSON_CreateString(text));
}

/* Doubles hold whole numbers up to 2^53. */
static void add_number(struct document *d, cJSON *parent, const char *name, double number)
{
	add(d, parent, name, cJSON_CreateNumber(number));
}

/* ---- the index ---- */

/*
 * The indexes of a slice form consecutive parts, and within a part an index is a number of fixed
 * radixes. Chess has one part, draughts one for each number of men in the bottom row, awari one for
 * each number of stones in South's pits.
 */
struct part {
	uint64_t first, count; /* indexes */
	size_t steps;
	struct el_index_step step[EL_INDEX_STEPS_MAX]; /* of the first index */
};

static void part_at(const struct el_slice *slice, uint64_t first, struct part *out)
{
	out->first = first;
	out->count = 1;
	out->steps = slice->game->index_steps(slice, first, out->step);
	for (size_t i = 0; i < out->steps; i++)
		out->count *= out->step[i].radix;
}

size_t describe_shape(const struct el_slice *slice, uint64_t out[EL_INDEX_STEPS_MAX])
{
	struct part part;
	part_at(slice, 0, &part);
	out[0] = slice->positions;
	if (part.count < slice->positions)
		return 1;
	for (size_t i = 0; i < part.steps; i++)
		out[i] = part.step[i].radix;
	return part.steps;
}

/* clang-format off */
static const char *const how[] = {
	"An index counts the values of an array from 0, in C order. 'parts' divides the indexes.",
	"Take the last part whose 'first' is not greater than the index, and subtract 'first'.",
	"Divide by the radix of each of its 'digits', the last one first: the remainder is the digit, "
	"the quotient is divided next.",
	NULL,
};

static const char *const how_pieces[] = {
	"Place the pieces of each group, the first digit first. Capital letters are White's.",
	"Where there are 'placements', its 'pieces' stand on the squares of placements[digit].",
	"Else number its 'squares' from 0, without those that groups before it have taken if "
	"'skips_taken' is true.",
	"A piece alone has its number as digit. n pieces with the numbers r1 < ... < rn have C(r1,1) + "
	"... + C(rn,n): rn is the greatest r with C(r,n) <= digit; subtract C(rn,n), go on with n-1.",
	"A broken index has no legal position of its own: two pieces share a square, the rules forbid "
	"it, or a mirror image with the same value has a smaller index.",
	"White is the side that the slice names first. With the colours the other way round a position "
	"has the value of the one with colours and board turned.",
	"Only the pieces and the side to move count: no rights to castle or to capture en passant.",
	NULL,
};

static const char *const how_stones[] = {
	"Each group lays its 'stones' into its 'pits', divided by bars: one fewer than there are pits. "
	"Stones and bars in a row are numbered from 0.",
	"n bars with the numbers r1 < ... < rn have the digit C(r1,1) + ... + C(rn,n): rn is the "
	"greatest r with C(r,n) <= digit; subtract C(rn,n), go on with n-1.",
	"The first pit has the stones before the first bar, each next one those between two bars, the "
	"last one those behind the last bar.",
	"South is to move. With North to move a board has the value of the one with South's and North's "
	"pits exchanged.",
	"Stones that were captured before do not count.",
	NULL,
};
/* clang-format on */

static void add_square(struct document *d, cJSON *array, uint8_t square)
{
	char name[4];
	d->planes->slice.game->square_name(square, name);
	add_text(d, array, NULL, name);
}

static void add_digit(struct document *d, cJSON *digits, const struct part *part, size_t at)
{
	const struct el_index_step *s = &part->step[at];
	cJSON *digit = add(d, digits, NULL, cJSON_CreateObject());
	add_text(d, digit, "group", s->group);
	/* The pits: one before each bar, and one after the last bar. */
	if (s->bars) {
		cJSON *pits = add(d, digit, "pits", cJSON_CreateArray());
		add_number(d, digit, "stones", s->squares - s->count);
		for (unsigned i = 0; i < s->count; i++)
			add_square(d, pits, s->piece[i].square);
		add_square(d, pits, (uint8_t)(s->piece[s->count - 1].square + 1));
		add_number(d, digit, "radix", s->radix);
		return;
	}
	cJSON *pieces = add(d, digit, "pieces", cJSON_CreateArray());
	for (unsigned i = 0; i < s->count; i++) {
		const struct el_index_piece *p = &s->piece[i];
		const char letter = d->planes->slice.game->kinds[p->kind];
		const char text[] = {(char)(p->side == EL_BLACK ? tolower(letter) : letter), '\0'};
		add_text(d, pieces, NULL, text);
	}
	add_number(d, digit, "radix", s->radix);
	if (!s->squares && s->count) {
		/* The squares for each digit of a group that is ranked as a whole. Other digits are
		   as in the part's first index. */
		const struct el_slice *slice = &d->planes->slice;
		cJSON *list = add(d, digit, "placements", cJSON_CreateArray());
		uint64_t unit = 1;
		for (size_t i = at + 1; i < part->steps; i++)
			unit *= part->step[i].radix;
		for (uint32_t rank = 0; rank < s->radix; rank++) {
			struct el_index_step step[EL_INDEX_STEPS_MAX];
			slice->game->index_steps(slice, part->first + rank * unit, step);
			cJSON *on = add(d, list, NULL, cJSON_CreateArray());
			for (unsigned i = 0; i < step[at].count; i++)
				add_square(d, on, step[at].piece[i].square);
		}
		return;
	}
	cJSON *squares = add(d, digit, "squares", cJSON_CreateArray());
	for (unsigned i = 0; i < s->area_count; i++)
		add_square(d, squares, s->area[i]);
	add(d, digit, "skips_taken", cJSON_CreateBool(s->skips));
}

static void add_index(struct document *d, cJSON *root)
{
	const struct el_slice *slice = &d->planes->slice;
	const char *const *prose[] = {how, slice->game->sows ? how_stones : how_pieces};
	cJSON *index = add(d, root, "index", cJSON_CreateObject());
	add_number(d, index, "version", slice->game->index_version);
	cJSON *lines = add(d, index, "how_to_decode", cJSON_CreateArray());
	for (unsigned i = 0; i < 2; i++)
		for (const char *const *line = prose[i]; *line; line++)
			add_text(d, lines, NULL, *line);
	cJSON *parts = add(d, index, "parts", cJSON_CreateArray());
	struct part part;
	for (uint64_t first = 0; first < slice->positions; first += part.count) {
		part_at(slice, first, &part);
		cJSON *one = add(d, parts, NULL, cJSON_CreateObject());
		add_number(d, one, "first", (double)part.first);
		add_number(d, one, "count", (double)part.count);
		cJSON *digits = add(d, one, "digits", cJSON_CreateArray());
		for (size_t i = 0; i < part.steps; i++)
			add_digit(d, digits, &part, i);
	}
}

/* ---- values ---- */

static void add_meanings(struct document *d, cJSON *root, bool with_arrays)
{
	const struct el_metric *metric = d->planes->metric;
	cJSON *meaning = add(d, root, "meaning", cJSON_CreateObject());
	if (d->planes->rounded)
		add_text(d, meaning, "rounded",
		         "outcomes of which some plies may be one more: the table keeps moves");
	if (metric->late)
		add_text(d, meaning, "late",
		         "cursed wins and blessed losses are counted on past the limit");
	add_text(d, meaning, "outcome",
	         with_arrays ? "for the side to move; -2 to 2 are exact, other numbers are bounds"
	                     : "for the side to move");
	if (metric->kind->adds_up)
		add_text(d, meaning, "stones",
		         "how many more of them the side to move gets than the other; below 0 "
		         "fewer");
	else if (metric->has_depth)
		add_text(d, meaning, "plies",
		         with_arrays
		                 ? "plies as the metric counts them; 0 for draws and bounds"
		                 : "plies as the metric counts them; empty for draws and bounds");
	if (metric->has_phase)
		add_text(d, meaning, "phase",
		         "plies to the next one that restarts the clock, or to the game's end");
	if (!with_arrays)
		return;
	/* The meaning of the numbers in arrays. */
	cJSON *outcomes = add(d, root, "outcome", cJSON_CreateObject());
	for (enum el_outcome o = 0; o < EL_OUTCOMES; o++)
		if (o == EL_BROKEN ||
		    el_metric_has_value(metric, (struct el_value){.outcome = (uint8_t)o}))
			add_number(d, outcomes, el_outcome_name(o), array_outcome(o));
	if (metric->kind->adds_up)
		add_number(d, root, "broken_stones", ARRAY_BROKEN_STONES);
	else if (metric->has_depth)
		add_number(d, root, "broken_plies", ARRAY_BROKEN_PLIES);
	if (metric->has_phase)
		add_number(d, root, "broken_phase", ARRAY_BROKEN_PLIES);
}

/* ---- files ---- */

static void add_file(struct document *d, cJSON *object, const char *name, const struct output *file)
{
	add_text(d, object, name, strrchr(file->path, '/') + 1);
}

static void add_planes(struct document *d, cJSON *root, bool with_arrays)
{
	const struct el_slice *slice = &d->planes->slice;
	struct array list[ARRAYS_MAX];
	const size_t count = with_arrays ? arrays_list(slice, d->planes->metric, list) : 0;
	cJSON *planes = add(d, root, "planes", cJSON_CreateArray());
	for (unsigned side = 0; side < slice->planes; side++) {
		cJSON *plane = add(d, planes, NULL, cJSON_CreateObject());
		add_text(d, plane, "side_to_move", array_side_names[el_slice_mover(slice, side)]);
		const struct el_plane *from = &d->planes->plane[side];
		uint64_t counts[EL_OUTCOMES] = {0};
		bool rounded[EL_OUTCOMES] = {false};
#pragma omp parallel for reduction(+ : counts[:EL_OUTCOMES])
		for (uint64_t i = 0; i < slice->positions; i++)
			counts[el_plane_value(from, i).outcome]++;
		add_number(d, plane, "legal", (double)(slice->positions - counts[EL_BROKEN]));
		cJSON *counted = add(d, plane, "counts", cJSON_CreateObject());
		for (enum el_outcome o = 0; o < EL_OUTCOMES; o++)
			if (counts[o])
				add_number(d, counted, el_outcome_name(o), (double)counts[o]);
		/* The outcomes whose plies the table has partly rounded. */
		for (uint32_t s = 0; s < from->value_count; s++)
			rounded[from->values[s].outcome] |= from->values[s].rounded;
		if (d->planes->rounded)
			counted = add(d, plane, "rounded", cJSON_CreateArray());
		for (enum el_outcome o = 0; o < EL_OUTCOMES && d->planes->rounded; o++)
			if (rounded[o])
				add_text(d, counted, NULL, el_outcome_name(o));
		cJSON *arrays = with_arrays ? add(d, plane, "arrays", cJSON_CreateObject()) : NULL;
		for (size_t i = 0; i < count; i++) {
			if (list[i].plane != side)
				continue;
			cJSON *array = add(d, arrays, array_part_names[list[i].part],
			                   cJSON_CreateObject());
			add_file(d, array, "file", &d->outputs->file[i]);
			add_text(d, array, "dtype", array_type(list[i].part));
		}
	}
}

enum el_status describe(const struct outputs *outputs, const struct el_planes *planes,
                        bool with_arrays, struct el_error *error)
{
	struct document d = {.outputs = outputs, .planes = planes};
	const struct output *file = &outputs->file[outputs->count - 1];
	cJSON *root = cJSON_CreateObject();
	const struct el_slice *slice = &planes->slice;
	const struct el_metric *metric = planes->metric;
	add_text(&d, root, "program", "endlab " EL_VERSION);
	add_number(&d, root, "version", DESCRIPTION_VERSION);
	add_text(&d, root, "game", slice->game->name);
	add_text(&d, root, "slice", slice->name);
	add_text(&d, root, "metric", metric->name);
	add_text(&d, root, "title", metric->title);
	if (metric->limit)
		add_number(&d, root, "rule_plies", metric->limit);
	add(&d, root, "partial", cJSON_CreateBool(el_planes_partial(planes)));
	add_number(&d, root, "positions", (double)slice->positions);
	if (with_arrays) {
		uint64_t shape[EL_INDEX_STEPS_MAX];
		const size_t count = describe_shape(slice, shape);
		cJSON *list = add(&d, root, "shape", cJSON_CreateArray());
		for (size_t i = 0; i < count; i++)
			add_number(&d, list, NULL, (double)shape[i]);
	} else {
		add_file(&d, root, "file", &outputs->file[0]);
	}
	add_meanings(&d, root, with_arrays);
	add_planes(&d, root, with_arrays);
	if (with_arrays)
		add_index(&d, root);
	char *text = d.lacking ? NULL : cJSON_Print(root);
	const enum el_status status =
		text ? output_write(file, text, strlen(text), 0, error)
		     : el_fail(error, EL_MEMORY, "%s: out of memory", file->path);
	cJSON_free(text);
	cJSON_Delete(root);
	return status;
}
