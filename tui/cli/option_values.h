/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What may stand for the value of an option, asked of whoever knows it: one answer for the prompts
 * of the shell and the explorer, for bash, zsh and fish, and for help.
 */
#ifndef TUI_CLI_OPTION_VALUES_H
#define TUI_CLI_OPTION_VALUES_H

#include <stdbool.h>

typedef void offer_word(void *context, const char *word);

/* The values of a kind of option: words, names of files, or both. */
struct option_values {
	void (*offer)(offer_word *, void *context); /* null: names of files */
	bool files;                                 /* names of files as well */
	bool folders;                               /* of files, these are folders */
	bool many;                                  /* too many words for help to list */
	/* What a word of `offer` means, for help; null where they speak for themselves. */
	const char *(*title)(const char *word);
	const char *form; /* what else it may be, for help; null: nothing */
};

extern const struct option_values metric_values, rule_values, codec_values, block_values,
	fill_values, order_values, derive_values, workload_values, front_values, export_values,
	theme_values, lesson_values, shell_values, page_values, file_values, folder_values;

/* Names of the shells that there are completion scripts for; ends with null. */
extern const char *const shell_names[];

#endif
