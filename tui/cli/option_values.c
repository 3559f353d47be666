/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The possible values of options, from the code that defines them: one source for prompts, shells
   and help. */
#include "command.h"
#include "core/export/export.h"
#include "core/lab/lab.h"
#include "core/study/study.h"
#include "core/table/table.h"
#include "tui/screen/theme.h"
#include "tui/text/carried.h"
#include "tui/text/numbers.h"
#include "tui/text/slices.h"

#include <string.h>

static void metrics(offer_word *offer, void *context)
{
	for (const struct el_metric *const *metric = el_metrics; *metric; metric++)
		offer(context, (*metric)->name);
}

static void codecs(offer_word *offer, void *context)
{
	const struct el_codec *codec;
	for (size_t i = 0; (codec = el_codec_at(i)); i++)
		offer(context, codec->name);
}

static void blocks(offer_word *offer, void *context)
{
	for (unsigned size = EL_BLOCK_MIN; size <= EL_BLOCK_MAX; size *= 2) {
		char text[AMOUNT_MAX];
		offer(context, block_text(size, text));
	}
}

static void workloads(offer_word *offer, void *context)
{
	for (unsigned i = 0; i < EL_WORKLOAD_TRACE; i++)
		offer(context, el_workload_names[i]);
}

static void export_formats(offer_word *offer, void *context)
{
	for (const struct el_export_format *const *format = el_export_formats; *format; format++)
		offer(context, (*format)->name);
}

static const char *export_title(const char *name)
{
	const struct el_export_format *format;
	return el_export_format_parse(name, &format, NULL) ? "" : format->title;
}

static void theme_names(offer_word *offer, void *context)
{
	for (const struct theme *theme = themes; theme->name; theme++)
		offer(context, theme->name);
}

static void lessons(offer_word *offer, void *context)
{
	const char *file;
	for (size_t i = 0; (file = lesson_built_in_file(i)); i++) {
		char name[64];
		const char *suffix = strstr(file, LESSON_SUFFIX);
		if (!suffix)
			continue; /* the page about lessons */
		snprintf(name, sizeof name, "%.*s", (int)(suffix - file), file);
		offer(context, name);
	}
}

/* Offers the pages without their sections. */
static void pages(offer_word *offer, void *context)
{
	const char *file;
	offer(context, "endlab");
	for (size_t i = 0; (file = page_file(i)); i++) {
		char name[64];
		snprintf(name, sizeof name, "%.*s", (int)(strrchr(file, '.') - file), file);
		offer(context, name);
	}
}

static void slices(offer_word *offer, void *context)
{
	struct slices all = {NULL, 0};
	if (!slices_add_all(&all, NULL))
		for (size_t i = 0; i < all.count; i++)
			offer(context, all.list[i].name);
	slices_free(&all);
}

static void study_metrics(offer_word *offer, void *context)
{
	for (size_t g = 0; el_games[g]; g++)
		for (size_t i = 0; el_study_kinds(el_games[g]) && el_games[g]->metrics[i]; i++)
			if (el_study_counts(el_games[g]->metrics[i]))
				offer(context, el_games[g]->metrics[i]->name);
}

static const char *const rules[] = {"50", "off", NULL};
static const char *const shells[] = {"bash", "zsh", "fish", NULL};
/* Those that need no slice; others consist of its pieces' letters. */
static const char *const orders[] = {"index", "best", "smallest", NULL};
static const char *const promotions[] = {"none", "Q", "QN", "QRBN", NULL};

const struct option_values slice_values = {.offer = slices, .many = true};
const struct option_values metric_values = {
	.offer = metrics,
	.form = "or wdlK or dtzK for any other rule of K moves",
};
const struct option_values rule_values = {.words = rules};
const struct option_values codec_values = {.offer = codecs};
const struct option_values block_values = {.offer = blocks, .many = true};
const struct option_values fill_values = {.words = el_fill_names};
const struct option_values order_values = {.words = orders};
const struct option_values derive_values = {.words = el_derive_names};
const struct option_values study_metric_values = {.offer = study_metrics};
const struct option_values piece_values = {.words = promotions, .form = "or other letters of QRBN"};
const struct option_values workload_values = {.offer = workloads, .files = true};
const struct option_values front_values = {.words = el_lab_time_names};
const struct option_values export_values = {.offer = export_formats, .title = export_title};
const struct option_values theme_values = {.offer = theme_names};
const struct option_values lesson_values = {.offer = lessons, .files = true};
const struct option_values shell_values = {.words = shells};
const struct option_values page_values = {.offer = pages};
const struct option_values file_values = {0};
const struct option_values folder_values = {.folders = true};

void option_values_offer(const struct option_values *values, offer_word *offer, void *context)
{
	for (size_t i = 0; values && values->words && values->words[i]; i++)
		offer(context, values->words[i]);
	if (values && values->offer)
		values->offer(offer, context);
}
