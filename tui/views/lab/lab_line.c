/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Lab understands at the prompt. */
#include "lab.h"

#include "tui/text/lab/report.h"
#include "tui/text/text.h"

#include <stdlib.h>

static void add_words(struct model *m, const char *words)
{
	size_t count;
	struct el_error error;
	if (lab_busy(m))
		model_fail(m, "%s", lab_busy(m));
	else if (lab_rows_add(lab_of(m), words, &count, &error))
		model_fail(m, "%s", error.text);
	else if (!count)
		model_note(m, "This candidate is in the list.");
	else
		model_note(m, "Added %zu %s. Press space to measure.", count,
		           plural(count, "candidate", "candidates"));
}

/* False, which is said, when the text is no number, or a run is at work. */
static bool read_number(struct model *m, const char *name, const char *text, uint64_t *out)
{
	char *end;
	*out = strtoull(text, &end, 10);
	const bool is_number = *text >= '0' && *text <= '9' && !*end;
	if (!is_number)
		model_fail(m, "%s: expected a number, found '%s'", name, text);
	else if (lab_busy(m))
		model_fail(m, "%s", lab_busy(m));
	return is_number && !lab_busy(m);
}

static void forget_results(struct model *m, const char *name, uint64_t number)
{
	lab_rows_forget(lab_of(m));
	model_note(m, "Earlier results are dropped: %s %llu.", name, (unsigned long long)number);
}

static void set_seed(struct model *m, const char *text)
{
	uint64_t number;
	if (!read_number(m, "seed", text, &number))
		return;
	lab_of(m)->seed = number;
	forget_results(m, "seed", number);
}

static void set_probes(struct model *m, const char *text)
{
	uint64_t number;
	if (!read_number(m, "probes", text, &number))
		return;
	if (!number || number > LAB_PROBES_MOST) {
		model_fail(m, "probes: expected a number from 1 to %d, found %s", LAB_PROBES_MOST,
		           text);
		return;
	}
	lab_of(m)->probes = (size_t)number;
	forget_results(m, "probes", number);
}

static void name_slices(struct model *m, const char *words)
{
	struct el_error error;
	if (lab_busy(m))
		model_fail(m, "%s", lab_busy(m));
	else if (lab_set_slices(m, words, &error))
		model_fail(m, "%s", error.text);
	else
		lab_of(m)->chosen = true;
}

static void name_metric(struct model *m, const char *name)
{
	const struct el_game *game = lab_of(m)->slice.game;
	const struct el_metric *metric;
	struct el_error error;
	if (lab_busy(m))
		model_fail(m, "%s", lab_busy(m));
	else if (el_metric_parse(name, &metric, &error) ||
	         el_game_check_metric(game, metric, &error))
		model_fail(m, "%s", error.text);
	else if (metric != lab_of(m)->metric)
		lab_set_metric(m, metric);
}

static void save(struct model *m, const char *path)
{
	lab_save(m, path, false);
}

static void save_over(struct model *m, const char *path)
{
	lab_save(m, path, true);
}

/* ---- their completions ---- */

static void complete_slice(const struct model *m, const char *rest, struct words *w)
{
	(void)rest;
	words_offer_slices(w, m);
}

static void complete_metric(const struct model *m, const char *rest, struct words *w)
{
	(void)rest;
	for (size_t i = 0; el_metrics[i]; i++)
		if (el_game_has(lab_of(m)->slice.game, el_metrics[i]))
			words_offer(w, el_metrics[i]->name);
}

static void complete_candidate(const struct model *m, const char *rest, struct words *w)
{
	static const char *const other[] = {"order", "best", "smallest", "index", "256", "1K",
	                                    "4K",    "16K",  "64K",      "256K",  "1M",  NULL};
	const struct el_codec *codec;
	(void)m;
	(void)rest;
	for (size_t i = 0; (codec = el_codec_at(i)); i++)
		words_offer(w, codec->name);
	for (size_t i = 0; el_fill_names[i]; i++)
		words_offer(w, el_fill_names[i]);
	for (size_t i = 0; el_derive_names[i]; i++)
		words_offer(w, el_derive_names[i]);
	for (size_t i = 0; other[i]; i++)
		words_offer(w, other[i]);
}

const struct verb lab_verbs[] = {
	{"candidate", "WORDS", "add candidates, such as zstd:9,xz 16K best", add_words,
         complete_candidate},
	{"save", "FILE", "save the results as .csv, .json or .svg", save, NULL},
	{"save!", "FILE", "save over an existing file", save_over, NULL},
	{"slice", "SLICE", "measure another slice, several, or a group: KQvKR KRvKN, 3-4, all",
         name_slices, complete_slice},
	{"metric", "METRIC", "measure another metric", name_metric, complete_metric},
	{"seed", "N", "set the seed that draws the positions", set_seed, NULL},
	{"probes", "N", "set how many positions to probe", set_probes, NULL},
	{.word = NULL},
};
