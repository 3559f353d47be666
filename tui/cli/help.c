/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

#include <string.h>

enum { WIDTH = 80, OPTION_COLUMN = 22 };

/* One paragraph, wrapped; the first line goes on at `column`, the others are indented. */
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

bool help_paragraph(const char **text, char out[PARAGRAPH_MAX])
{
	size_t length = strcspn(*text, "\n");
	snprintf(out, PARAGRAPH_MAX, "%.*s", (int)length, *text);
	bool more = **text;
	*text += length + ((*text)[length] == '\n');
	return more;
}

static void write_paragraphs(FILE *out, const char *text)
{
	char paragraph[PARAGRAPH_MAX];
	while (help_paragraph(&text, paragraph))
		if (paragraph[0] == ' ')
			fprintf(out, "%s\n", paragraph);
		else
			wrap(out, paragraph, 0, 0);
}

/* A text that grows. */
struct growing {
	char *text;
	size_t length;
	const char *between; /* what it takes before the next word */
};

static void add_word(void *context, const char *word)
{
	struct growing *g = context;
	size_t room = PARAGRAPH_MAX - g->length;
	int length = snprintf(g->text + g->length, room, "%s%s", g->between, word);
	g->length += (size_t)length < room ? (size_t)length : room - 1;
	g->between = ", ";
}

const char *help_option(const struct option_help *option, char out[PARAGRAPH_MAX])
{
	struct growing text = {out, (size_t)snprintf(out, PARAGRAPH_MAX, "%s", option->summary), ": "};
	if (option->values && !option->values->many)
		option_offer_values(option, add_word, &text);
	return out;
}

static void write_options(FILE *out, const struct option_help *option)
{
	char summary[PARAGRAPH_MAX];
	for (; option && option->name; option++) {
		int column = fprintf(out, "  %s %s", option->name, option->value ? option->value : "");
		if (column < OPTION_COLUMN)
			column += fprintf(out, "%*s", OPTION_COLUMN - column, "");
		if (column > OPTION_COLUMN)
			fprintf(out, "\n%*s", OPTION_COLUMN, "");
		wrap(out, help_option(option, summary), OPTION_COLUMN, OPTION_COLUMN);
	}
}

void help_program(FILE *out)
{
	fputs("usage: endlab [OPTION...] [FEN]          explore positions at the keyboard\n"
	      "       endlab [OPTION...] COMMAND ...\n\n"
	      "Endgames of chess and of English draughts: FEN is a position of either, as in\n"
	      "  '8/8/8/8/8/2k5/8/K6Q w - - 0 1'  chess; the slice is KQvK\n"
	      "  W:WK3,20:BK30                    draughts, as in PDN; checkers:KMvK\n\n",
	      out);
	for (const struct command *const *c = commands; *c; c++)
		fprintf(out, "  %-8s %s\n", (*c)->name, (*c)->summary);
	fputs("\noptions\n", out);
	write_options(out, global_options);
	fputs("\n'endlab COMMAND --help' says more.\n", out);
}

void help_command(FILE *out, const struct command *command)
{
	fprintf(out, "usage: endlab %s %s\n\n", command->name, command->arguments);
	write_paragraphs(out, command->help);
	if (command->options)
		fputs("\noptions\n", out);
	write_options(out, command->options);
}
