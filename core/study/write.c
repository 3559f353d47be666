/* SPDX-License-Identifier: MIT */
/* Writing a study, and taking one up again. */
#include "inside.h"

#include <stdlib.h>

enum {
	BATCH = 4 << 20,  /* addresses whose values are found at a time, by all threads together */
	BLOCK = 64 << 10, /* of the table: an eighth smaller than the usual one */
};

/* Frames in the order of the file, whose values are found when the table's writer asks for them. */
struct pending {
	struct el_study *study;
	const struct el_metric *metric;
	struct frame **frames; /* in the order of the list; owned */
	const struct study_file *file;
	uint64_t first, end; /* the addresses whose symbols are there */
	uint16_t *symbols;   /* theirs; owned */
};

/* Finds the values of some frames, from that of an address on. */
static enum el_status fetch(struct pending *p, uint64_t address, struct el_error *error)
{
	const struct el_frames *frames = p->study->frames;
	const struct filed *list = p->file->list, *past = list + p->file->count;
	const struct filed *from = study_frame_at(p->file, address), *to = from + 1;
	const unsigned order = frames->order(&from->frame);
	while (to < past && to->first + 2 * to->half - from->first <= BATCH &&
	       (!metric_goes_on(p->metric) || frames->order(&to->frame) == order))
		to++;
	free(p->symbols);
	p->first = from->first;
	p->end = to[-1].first + 2 * to[-1].half;
	p->symbols = malloc((size_t)(p->end - p->first) * sizeof *p->symbols);
	if (!p->symbols)
		return no_memory(error);
	enum el_status status = EL_OK;
#pragma omp parallel for schedule(dynamic, 1)
	for (const struct filed *f = from; f < to; f++) {
		struct el_error why;
		uint16_t *at = p->symbols + (f->first - p->first);
		uint16_t *const out[2] = {at, at + f->half};
		const enum el_status one =
			study_values(p->study, p->frames[f - list], p->metric, out, &why);
		if (one)
#pragma omp critical(study)
			status = el_fail(error, one, "%s", why.text);
	}
	return status ? status : scratch_check(p->study->scratch, error);
}

static enum el_status read_values(void *context, unsigned plane, uint64_t first, size_t count,
                                  uint16_t *symbols, struct el_error *error)
{
	struct pending *p = context;
	(void)plane;
	while (count) {
		if (first < p->first || first >= p->end) {
			const enum el_status status = fetch(p, first, error);
			if (status)
				return status;
		}
		const size_t some = p->end - first < count ? (size_t)(p->end - first) : count;
		memcpy(symbols, p->symbols + (first - p->first), some * sizeof *symbols);
		symbols += some;
		first += some;
		count -= some;
	}
	return EL_OK;
}

/* The value that each symbol stands for. Null: out of memory. */
static struct el_value *list_values(unsigned plies, uint32_t *count)
{
	static const struct el_value first[SYMBOL_DEEP] = {
		{.outcome = EL_BROKEN},        {.outcome = EL_UNKNOWN, .plies = 1},
		{.outcome = EL_UNKNOWN},       {.outcome = EL_AT_MOST_DRAW},
		{.outcome = EL_AT_LEAST_DRAW}, {.outcome = EL_DRAW},
	};
	*count = SYMBOL_DEEP + 4 * (plies + 1);
	struct el_value *values = malloc(*count * sizeof *values);
	for (uint32_t i = 0; values && i < *count; i++)
		values[i] = i < SYMBOL_DEEP
		                    ? first[i]
		                    : (struct el_value){
					      .outcome = (i - SYMBOL_DEEP) % 2 ? EL_WIN : EL_LOSS,
					      .plies = (uint16_t)((i - SYMBOL_DEEP) / 4 +
		                                                  ((i - SYMBOL_DEEP) / 2 % 2
		                                                           ? STUDY_ROUGH
		                                                           : 0)),
				      };
	return values;
}

void study_name(const struct el_position *root, struct el_slice *out)
{
	size_t at = strlen(out->name);
	for (unsigned side = 0; side < 2; side++)
		for (unsigned k = 0; k < EL_KINDS; k++) {
			const unsigned count = (unsigned)__builtin_popcountll(root->set[side][k]);
			out->count[side][k] = (uint8_t)count;
			out->pieces = (uint8_t)(out->pieces + count);
			if (side && !k && at + 1 < sizeof out->name)
				out->name[at++] = 'v';
			for (unsigned i = 0; i < count && at + 1 < sizeof out->name; i++)
				out->name[at++] = out->game->kinds[k];
		}
	out->name[at] = '\0';
}

const struct el_metric *study_metric(const struct el_game *game)
{
	const struct el_metric *const *m = game->metrics;
	while ((*m)->end != EL_END_ZEROING || (*m)->join != EL_JOIN_ONE || (*m)->limit)
		m++;
	return *m;
}

static int by_key(const void *a, const void *b)
{
	const struct frame *const *x = a, *const *y = b;
	return memcmp(&(*x)->frame, &(*y)->frame, sizeof(*x)->frame);
}

enum el_status el_study_write(struct el_study *s, const struct el_metric *metric, const char *path,
                              const struct el_watch *watch, uint64_t *bytes, struct el_error *error)
{
	metric = metric ? metric : study_metric(s->game);
	const struct el_table_info info = {.slice.game = s->game};
	struct study_file file = {.info = &info,
	                          .root = s->root,
	                          .size = el_study_size(s),
	                          .list = calloc(s->count, sizeof *file.list)};
	struct pending p = {.study = s,
	                    .metric = metric,
	                    .frames = calloc(s->count, sizeof *p.frames),
	                    .file = &file};
	const struct el_plane_reader reader = {.context = &p, .read = read_values};
	struct el_planes planes = {
		.reader = &reader,
		.slice = {.game = s->game, .planes = 1, .is_study = true, .name = "study:"},
		.metric = metric,
		.passes = metric_goes_on(metric) || s->passes == STUDY_PLIES_MAX ? 0 : s->passes,
	};
	/* By order and then by key: threads find frames in any order. */
	for (size_t order = 0; order < EL_FRAME_ORDERS && file.list && p.frames; order++) {
		const size_t first = file.count;
		for (struct frame *f = s->list[order]; f; f = f->next)
			p.frames[file.count++] = f;
		qsort(p.frames + first, file.count - first, sizeof *p.frames, by_key);
	}
	for (size_t i = 0; i < file.count; i++) {
		const struct frame *f = p.frames[i];
		file.list[i] = (struct filed){.frame = f->frame,
		                              .first = planes.slice.positions,
		                              .half = 64 * (uint64_t)f->words,
		                              .is_solved = f->is_solved,
		                              .is_fresh = f->is_fresh};
		planes.slice.positions += 2 * file.list[i].half;
	}
	study_name(&s->root, &planes.slice);
	planes.plane[0].values = list_values(metric_goes_on(metric) ? STUDY_PLIES_MAX : s->passes,
	                                     &planes.plane[0].value_count);
	bool good = file.list && p.frames && planes.plane[0].values;
	for (size_t i = 0; i < file.count && metric_goes_on(metric); i++)
		good = !paged_open(&p.frames[i]->plies, s->scratch, 4,
		                   file.list[i].half * sizeof(uint16_t)) &&
		       good;
	memcpy(file.followed, s->followed, sizeof file.followed);
	file.followed[0] |= s->late ? STUDY_LATE : 0;
	planes.appendix_size = study_list_size(file.count);
	uint8_t *appendix = malloc(planes.appendix_size);
	planes.appendix = appendix;
	enum el_status status = scratch_check(s->scratch, error);
	if (!status && (!good || !appendix))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", path);
	if (!status) {
		struct el_table_options options = el_table_options_default();
		options.block_positions = BLOCK;
		study_list_write(&file, appendix);
		s->watch = watch;
		status = el_table_write(path, &planes, &options, watch, bytes, error);
		if (!status && bytes)
			*bytes += planes.appendix_size;
	}
	for (size_t i = 0; i < file.count; i++)
		paged_close(&p.frames[i]->plies);
	free(appendix);
	free(planes.plane[0].values);
	free(p.symbols);
	free(p.frames);
	free(file.list);
	return status;
}

/* ---- taking a study up again ---- */

/* Turns the values of a frame's addresses back into sets. */
enum el_status study_take_frame(struct el_study *s, const struct study_file *file,
                                const struct filed *filed, struct el_error *error)
{
	const uint32_t block_positions = file->info->options.block_positions;
	struct el_sets *sets;
	enum el_status status = s->frames->open(&filed->frame, &sets, error);
	if (status)
		return status;
	struct frame *f = frame_find_or_add(s, &filed->frame);
	uint16_t *symbols = malloc(block_positions * sizeof *symbols);
	uint64_t *words[SETS / 2] = {NULL};
	bool good = f && symbols;
	uint64_t in_memory = UINT64_MAX; /* the block */
	for (unsigned side = 0; side < 2 && good && !status; side++) {
		for (unsigned k = 0; k < SETS / 2; k++)
			good = (words[k] = words_new(f->words)) && good;
		for (size_t unit = 0; unit < sets->units && good; unit++)
			s->frames->legal(sets, side, unit, words[0] + unit * sets->words);
		for (uint64_t at = 0; at < filed->half && good && !status; at++) {
			const uint64_t n = filed->first + (side ? filed->half : 0) + at;
			const uint64_t bit = UINT64_C(1) << at % 64, block = n / block_positions;
			if (block != in_memory)
				status = el_table_read_block(file->table, block, symbols, error);
			if (status)
				break;
			in_memory = block;
			const struct el_value v = file->values[symbols[n % block_positions]];
			if (v.outcome == EL_BROKEN)
				words[0][at / 64] &= ~bit;
			if (!(words[0][at / 64] & bit))
				continue;
			for (unsigned favour = 0; favour < 2; favour++) {
				const enum el_outcome o = favour == side
				                                  ? el_outcome_upper(v.outcome)
				                                  : el_outcome_lower(v.outcome);
				if (o == EL_WIN)
					words[(SET_WON + 2 * favour) / 2][at / 64] |= bit;
				else if (o == EL_LOSS)
					words[(SET_LOST + 2 * favour) / 2][at / 64] |= bit;
			}
		}
		for (unsigned k = 0; k < SETS / 2; k++) {
			good = good && (status || set_add(f, 2 * k + side, words[k]));
			free(words[k]);
			words[k] = NULL;
		}
	}
	if (good && !status) {
		f->is_solved = filed->is_solved;
		f->is_fresh = filed->is_fresh;
	}
	free(symbols);
	sets->close(sets);
	return good ? status : no_memory(error);
}

enum el_status el_study_resume(const char *path, const struct el_game *game,
                               const struct el_position *root, const struct el_study_room *room,
                               const struct el_watch *watch, struct el_study **out,
                               struct el_error *error)
{
	struct study_file file;
	struct el_study *s = NULL;
	enum el_status status = study_file_open(path, &file, error);
	if (!status && (file.info->slice.game != game || !el_position_equal(&file.root, root))) {
		char fen[EL_FEN_MAX];
		file.info->slice.game->format(&file.root, fen);
		status = el_fail(error, EL_NEGATIVE, "%s: found a study of another root, %s", path,
		                 fen);
	}
	if (!status)
		status = study_new(game, root, room, &s, error);
	for (size_t i = 0; i < file.count && !status; i++) {
		const struct el_progress progress = {"reading", "frames", (double)i,
		                                     (double)file.count, .unit = "frames"};
		status = study_take_frame(s, &file, &file.list[i], error);
		if (!status && !el_watch_tick(watch, &progress))
			status = el_fail(error, EL_STOPPED, "stopped");
	}
	if (!status) {
		memcpy(s->followed, file.followed, sizeof s->followed);
		s->followed[0] &= ~(unsigned)STUDY_LATE;
		s->late = file.followed[0] & STUDY_LATE;
		/* What the list of values has room for: the frames of a study whose depths go on took no more,
		   but it does not say how many (list_values). */
		s->passes = file.value_count > SYMBOL_DEEP + 4
		                    ? (file.value_count - SYMBOL_DEEP) / 4 - 1
		                    : 0;
		*out = s;
	} else {
		el_study_close(s);
	}
	study_file_close(&file);
	return status;
}

enum el_status el_study_known(const char *path, const struct el_game *game,
                              const struct el_position *root, struct el_study_size *size,
                              struct el_value *value, struct el_error *error)
{
	struct study_file file;
	struct el_place place = {.plane = 0};
	struct el_table_spot spot;
	uint16_t *symbols = NULL;
	enum el_status status = study_file_open(path, &file, error);
	if (!status && (file.info->slice.game != game || !el_position_equal(&file.root, root) ||
	                !study_file_find(&file, root, &place.index)))
		status = el_fail(error, EL_NEGATIVE, "%s: has no value of this position as a root",
		                 path);
	if (!status) {
		el_table_find(file.table, &place, &spot);
		symbols = malloc(spot.count * sizeof *symbols);
		status = symbols ? el_table_read_front(file.table, spot.block, symbols, spot.count,
		                                       error)
		                 : el_fail(error, EL_MEMORY, "%s: out of memory", path);
	}
	if (!status) {
		*size = file.size;
		*value = file.values[symbols[spot.at]];
	}
	free(symbols);
	study_file_close(&file);
	return status;
}
