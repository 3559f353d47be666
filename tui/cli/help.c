/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"
#include "tui/text/games.h"

#include <string.h>

enum { WIDTH = 80, OPTION_COLUMN = 22 };

/* Writes one wrapped paragraph; the first line starts at `column`, the others are indented. */
static void wrap(FILE *out, const char *text, int indent, int column)
{
	while (*(text += strspn(text, " "))) {
		int length = (int)strcspn(text, " ");
		if (column > indent && column + 1 + length > WIDTH) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			column += fprintf(out, " ");
		}
		column += fprintf(out, "%.*s", length, text);
		text += length;
	}
	fputc('\n', out);
}

/* ---- paragraphs ---- */

/* A growing text. */
struct growing {
	char *text;
	size_t length;
	const char *between;                    /* separator before the next word */
	const char *(*title)(const char *word); /* of option_values */
};

static void add_word(void *context, const char *word)
{
	struct growing *g = context;
	size_t room = PARAGRAPH_MAX - g->length;
	int length = snprintf(g->text + g->length, room, "%s%s", g->between, word);
	g->length += (size_t)length < room ? (size_t)length : room - 1;
	g->between = ", ";
}

/* Adds a value of an option with its title. */
static void add_titled(void *context, const char *word)
{
	struct growing *g = context;
	char both[128];
	snprintf(both, sizeof both, "%s (%s)", word, g->title(word));
	add_word(g, both);
}

const char *help_position(const struct el_game *game, char out[EL_FEN_MAX + 2])
{
	struct el_slice slice;
	char fen[EL_FEN_MAX];
	game_example(game, &slice, fen);
	const char *quote = strchr(fen, ' ') ? "'" : "";
	snprintf(out, EL_FEN_MAX + 2, "%s%s%s", quote, fen, quote);
	return out;
}

/* "3-4", "awari:0-6": two groups, or, if groups are single slices, all up to the example. */
static const char *example_groups(const struct el_game *game, char out[PARAGRAPH_MAX])
{
	const unsigned least = game_example_group(game);
	return group_text(game, game->sows ? game->group_min : least,
	                  game->sows ? least : least + 1, out);
}

/* The replacement of a word such as @SLICE; null for any other word. */
static const char *example_of(const struct el_game *game, const char *word, char out[PARAGRAPH_MAX])
{
	struct el_slice slice;
	char fen[EL_FEN_MAX];
	if (!strcmp(word, "@FEN"))
		return help_position(game, out);
	if (!strcmp(word, "@GROUP"))
		return example_groups(game, out);
	if (strcmp(word, "@SLICE"))
		return NULL;
	game_example(game, &slice, fen);
	return strcpy(out, slice.name);
}

static void write_example(FILE *out, const struct el_game *game, const char *text,
                          void (*write)(FILE *, const char *))
{
	const char *at = strchr(text, '@');
	int length = (int)strcspn(at, " ");
	char word[16], example[PARAGRAPH_MAX], line[2 * PARAGRAPH_MAX];
	snprintf(word, sizeof word, "%.*s", length, at);
	snprintf(line, sizeof line, "%.*s%s%s", (int)(at - text), text,
	         example_of(game, word, example), at + length);
	write(out, line);
}

void help_paragraphs(FILE *out, const char *text, void (*write)(FILE *, const char *paragraph))
{
	while (*text) {
		char paragraph[PARAGRAPH_MAX];
		size_t length = strcspn(text, "\n");
		snprintf(paragraph, sizeof paragraph, "%.*s", (int)length, text);
		text += length + (text[length] == '\n');
		if (!strchr(paragraph, '@'))
			write(out, paragraph);
		else
			for (const struct el_game *const *game = el_games; *game; game++)
				write_example(out, *game, paragraph, write);
	}
}

static void write_paragraph(FILE *out, const char *paragraph)
{
	if (paragraph[0] == ' ')
		fprintf(out, "%s\n", paragraph);
	else
		wrap(out, paragraph, 0, 0);
}

/* ---- games and metrics ---- */

const char *help_slices(const struct el_game *game, bool groups, char out[PARAGRAPH_MAX])
{
	struct el_slice slice;
	char fen[EL_FEN_MAX], piece[64];
	game_example(game, &slice, fen);
	struct growing text = {out, (size_t)snprintf(out, PARAGRAPH_MAX, "%s", slice.name), " (",
	                       NULL};
	if (groups) {
		/* "3", "3-4" and "all", each with the game's prefix if needed. */
		const unsigned least = game->group_min;
		char group[PARAGRAPH_MAX], all[GROUP_MAX + 8];
		text.between = ", ";
		if (!game->sows && !game->slices_in_hand) /* in games that sow it is a slice */
			add_word(&text, group_text(game, least, least, group));
		example_groups(game, group);
		const int prefix = (int)strcspn(group, "0123456789");
		if (game->slices_in_hand)
			strcat(group, "+");
		add_word(&text, group);
		if (game->slices_in_hand) { /* the game from its first move on */
			snprintf(all, sizeof all, "%.*swhole", prefix, group);
			add_word(&text, all);
		}
		snprintf(all, sizeof all, "%.*sall", prefix, group);
		add_word(&text, all);
		return out;
	}
	const bool lettered = !game->sows && game->kind_names[1]; /* the names of its slices */
	for (unsigned kind = 0; lettered && kind < EL_KINDS && game->kind_names[kind]; kind++) {
		snprintf(piece, sizeof piece, "%c %s", game->kinds[kind], game->kind_names[kind]);
		add_word(&text, piece);
	}
	if (!lettered)
		add_word(&text, game->sows ? game->group_is : pieces_word(game));
	text.between = "";
	add_word(&text, lettered || game->sows ? ")" : " of the one side and of the other)");
	return out;
}

const char *help_metric(const struct el_metric *metric, char out[PARAGRAPH_MAX])
{
	struct growing text = {out, (size_t)snprintf(out, PARAGRAPH_MAX, "%s", metric->title), " (",
	                       NULL};
	bool all = true;
	for (const struct el_game *const *game = el_games; *game; game++)
		all &= el_game_has(*game, metric);
	for (const struct el_game *const *game = el_games; *game && !all; game++)
		if (el_game_has(*game, metric))
			add_word(&text, (*game)->title);
	text.between = "";
	if (!all)
		add_word(&text, ")");
	text.between = "; also ";
	if (metric->limit)
		add_word(&text, el_metric_ruled(metric->rank, 1)->name);
	text.between = " to ";
	if (metric->limit)
		add_word(&text, el_metric_ruled(metric->rank, EL_RULE_MAX)->name);
	return out;
}

static void write_games(FILE *out, bool groups)
{
	char text[PARAGRAPH_MAX];
	for (const struct el_game *const *game = el_games; *game; game++)
		fprintf(out, "  %-18s  %s\n", (*game)->title, help_slices(*game, groups, text));
}

/* ---- options ---- */

const char *help_option(const struct option_help *option, char out[PARAGRAPH_MAX])
{
	const struct option_values *values = option->values;
	struct growing text = {out, (size_t)snprintf(out, PARAGRAPH_MAX, "%s", option->summary),
	                       ": ", values ? values->title : NULL};
	if (values && !values->many)
		option_values_offer(values, text.title ? add_titled : add_word, &text);
	if (values && values->form)
		add_word(&text, values->form);
	return out;
}

/* Writes text at OPTION_COLUMN, given the current `column`. */
static void write_about(FILE *out, int column, const char *text)
{
	if (column < OPTION_COLUMN)
		column += fprintf(out, "%*s", OPTION_COLUMN - column, "");
	if (column > OPTION_COLUMN)
		fprintf(out, "\n%*s", OPTION_COLUMN, "");
	wrap(out, text, OPTION_COLUMN, OPTION_COLUMN);
}

static void write_options(FILE *out, const struct option_help *option)
{
	char summary[PARAGRAPH_MAX];
	for (; option && option->name; option++) {
		const char *value = option->value ? option->value : "";
		write_about(out, fprintf(out, "  %s %s", option->name, value),
		            help_option(option, summary));
	}
}

const char *help_values(const struct option_values *values, char out[PARAGRAPH_MAX])
{
	struct growing text = {.text = out, .between = ""};
	*out = '\0';
	option_values_offer(values, add_word, &text);
	return out;
}

const char *help_codec_option(const struct el_codec_option *option, char out[PARAGRAPH_MAX])
{
	snprintf(out, PARAGRAPH_MAX, "%s (%d to %d)", option->summary, option->least, option->most);
	return out;
}

static void write_codecs(FILE *out)
{
	const struct el_codec *codec;
	char text[PARAGRAPH_MAX];
	fputs("\ncodecs, with the defaults of their options, such as xz:6:lc=1\n", out);
	for (size_t i = 0; (codec = el_codec_at(i)); i++) {
		write_about(out, fprintf(out, "  %s ", codec->name), codec->summary);
		for (unsigned k = 0; k < codec->option_count; k++) {
			const struct el_codec_option *o = &codec->options[k];
			write_about(out, fprintf(out, "    %s=%d ", o->name, o->usual),
			            help_codec_option(o, text));
		}
	}
}

/* ---- all of it ---- */

void help_program(FILE *out)
{
	char fen[EL_FEN_MAX + 2], text[PARAGRAPH_MAX];
	fputs("usage: endlab [OPTION...] [FEN | SLICE | FILE.pgn]    explore positions and games\n"
	      "       endlab [OPTION...] COMMAND ...\n\n"
	      "commands\n",
	      out);
	for (const struct command *const *c = commands; *c; c++)
		fprintf(out, "  %-9s %s\n", (*c)->name, (*c)->summary);
	fputs("\npositions (FEN), such as\n", out);
	for (const struct el_game *const *game = el_games; *game; game++)
		fprintf(out, "  %-18s  %s\n", (*game)->title, help_position(*game, fen));
	fputs("\nslices, such as\n", out);
	write_games(out, false);
	fputs("\nmetrics\n", out);
	for (const struct el_metric *const *metric = el_metrics; *metric; metric++)
		fprintf(out, "  %-8s %s\n", (*metric)->name, help_metric(*metric, text));
	fputs("\noptions\n", out);
	write_options(out, global_options);
	fputs("\n'endlab COMMAND --help' says more.\n", out);
}

void help_command(FILE *out, const struct command *command)
{
	const char *takes = command->complete ? command->complete : "";
	const bool groups = command->most != 1;
	fprintf(out, "usage: endlab %s%s%s\n\n", command->name, *command->arguments ? " " : "",
	        command->arguments);
	help_paragraphs(out, command->help, write_paragraph);
	if (!strcmp(takes, "slice")) {
		fputs(groups ? "\nslices and groups of slices, such as\n" : "\nslices, such as\n",
		      out);
		write_games(out, groups);
	}
	if (command->options)
		fputs("\noptions\n", out);
	write_options(out, command->options);
	for (const struct option_help *o = command->options; o && o->name; o++)
		if (o->values == &codec_values)
			write_codecs(out);
	fputc('\n', out);
	write_paragraph(out, "Options of endlab itself, such as --dir, may also follow the "
	                     "command: see 'endlab --help'.");
}
