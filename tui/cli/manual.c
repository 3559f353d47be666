/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/tree/tree.h"
#include "help.h"
#include "tui/text/carried.h"
#include "tui/text/explain.h"
#include "tui/text/games.h"

#include <string.h>

#define DATE "2026-11-26" /* of the last change to this text and the commands' help */

enum { LINE_COLS = 60 }; /* of the source: a word that begins later goes on the next line */

/* Writes text that roff must take literally, with lines kept or filled. */
static void literal(FILE *out, const char *text, bool filled)
{
	int column = 0;
	for (; *text; text++) {
		if (filled && *text == ' ' && column >= LINE_COLS) {
			fputc('\n', out);
			column = 0;
			continue;
		}
		if (!column && (*text == '.' || *text == '\''))
			fputs("\\&", out);
		if (*text == '-')
			fputs("\\-", out);
		else if (*text == '\\')
			fputs("\\e", out);
		else
			fputc(*text, out);
		column++;
	}
}

static void plain(FILE *out, const char *text)
{
	literal(out, text, true);
}

static void plain_line(FILE *out, const char *text)
{
	plain(out, text);
	fputc('\n', out);
}

static void write_options(FILE *out, const struct option_help *option)
{
	char summary[PARAGRAPH_MAX];
	for (; option && option->name; option++) {
		fputs(".TP\n\\fB", out);
		plain(out, option->name);
		fputs("\\fR", out);
		if (option->value)
			fprintf(out, " \\fI%s\\fR", option->value);
		fputc('\n', out);
		plain_line(out, help_option(option, summary));
	}
}

static void write_paragraph(FILE *out, const char *paragraph)
{
	const bool example = paragraph[0] == ' ';
	fputs(example ? ".PP\n.nf\n" : ".PP\n", out);
	literal(out, paragraph, !example);
	fputs(example ? "\n.fi\n" : "\n", out);
}

static void write_command(FILE *out, const struct command *command)
{
	char first[PARAGRAPH_MAX];
	const size_t length = strcspn(command->help, "\n");
	fputs(".SS endlab ", out);
	plain(out, command->name);
	fputs(*command->arguments ? " " : "", out);
	plain_line(out, command->arguments);
	/* begins with the heading */
	snprintf(first, sizeof first, "%.*s", (int)length, command->help);
	plain_line(out, first);
	help_paragraphs(out, command->help + length + (command->help[length] == '\n'),
	                write_paragraph);
	write_options(out, command->options);
}

/* Writes a list entry with its text. */
static void write_entry(FILE *out, const char *name, const char *text)
{
	fputs(".TP\n\\fB", out);
	plain(out, name);
	fputs("\\fR\n", out);
	plain_line(out, text);
}

static void write_pairs(FILE *out, const char *const pairs[][2])
{
	for (; (*pairs)[0]; pairs++)
		write_entry(out, (*pairs)[0], (*pairs)[1]);
}

static void write_games(FILE *out)
{
	char fen[EL_FEN_MAX + 2], slices[PARAGRAPH_MAX];
	fputs(".SH POSITIONS\nA position is written as \\fIFEN\\fR. Its form says which game it "
	      "belongs to.\n",
	      out);
	for (const struct el_game *const *game = el_games; *game; game++)
		write_entry(out, (*game)->title, help_position(*game, fen));
	fputs(".PP\nA FEN has two to six fields. Blanks may be underscores, \\fBposition fen\\fR "
	      "may precede,\n\\- may stand for a number, and operations of EPD or a semicolon may "
	      "follow.\nEverywhere but in the library for programs, which is strict, what cannot "
	      "be\n(castling rights without king and rook, an en passant square that no pawn has "
	      "passed)\nis left out, and a note says so: on standard error, in the line for "
	      "messages,\nor as a comment of the game.\n"
	      ".PP\nCastling rights are those of FEN, X-FEN or Shredder-FEN: KQkq for the "
	      "outermost rooks,\nor the files of the rooks (HAha), so games of Chess960 are read "
	      "and played. The king\ncastles with \\fBO\\-O\\fR, \\fBO\\-O\\-O\\fR, or by taking "
	      "its rook (\\fBf1h1\\fR).\nPositions with rights of the usual kings and rooks have "
	      "slices of their own\n(\\fBKRvK+castling\\fR), whose tables are made with those "
	      "without, under every\nmetric but dtr and dtzr. With other rights a position has a "
	      "value only if its moves determine it:\nwrite \\- in place of the rights to look it "
	      "up without them.\n"
	      ".PP\nA halfmove clock at or past the limit of the rule makes a win a cursed one.\n",
	      out);
	fputs(".SH SLICES\nA slice holds all positions with the same material:\nthe pieces of one "
	      "side, \\fBv\\fR, and those of the other.\nA digit after a side's letters is the "
	      "rank of its foremost man, where slices are cut by it;\n"
	      "without digits the name means all of them.\nA group names all slices with so many "
	      "pieces (a game of men alone\ncounts those of the side that has more, a game of "
	      "stones those on the board;\na plus sign adds slices with men in hand),\n"
	      "3v2 those with so many against so many;\n"
	      "\\fBall\\fR names the small groups of a game: ",
	      out);
	/* What `all` means: "all is 3-4, checkers:all is checkers:2-4". */
	for (const struct el_game *const *game = el_games; *game; game++) {
		char group[GROUP_MAX];
		group_text(*game, (*game)->group_min, (*game)->group_few, group);
		fprintf(out, "%s\\fB%.*sall\\fR is ", game == el_games ? "" : ", ",
		        (int)strcspn(group, "0123456789"), group);
		plain(out, group);
	}
	fputs(".\n", out);
	for (const struct el_game *const *game = el_games; *game; game++) {
		write_entry(out, (*game)->title, help_slices(*game, true, slices));
		fputs(".br\n", out);
		plain_line(out, help_slices(*game, false, slices));
	}
}

static void write_codecs(FILE *out)
{
	const struct el_codec *codec;
	char text[PARAGRAPH_MAX], name[32];
	fputs(".SH CODECS\nOptions of a codec follow its name, such as xz:6:lc=1;\nthe first one "
	      "needs no name. They stand here with their defaults.\n",
	      out);
	for (size_t i = 0; (codec = el_codec_at(i)); i++) {
		write_entry(out, codec->name, codec->summary);
		for (unsigned k = 0; k < codec->option_count; k++) {
			const struct el_codec_option *o = &codec->options[k];
			snprintf(name, sizeof name, "%s=%d", o->name, o->usual);
			fputs(".br\n", out);
			plain(out, name);
			fputs(": ", out);
			plain_line(out, help_codec_option(o, text));
		}
	}
}

/* A column of spellings, and what they are read as. */
static void write_spellings(FILE *out, const struct el_spelling *s)
{
	for (; s->written; s++) {
		fputs(".TP\n", out);
		plain_line(out, s->written);
		plain(out, *s->read ? s->read : "read over");
		if (s->means)
			fprintf(out, ": %s", s->means);
		fputc('\n', out);
	}
}

static void write_files(FILE *out)
{
	fputs(".SH FILES OF GAMES\nGames are read from PGN and PDN (a game is named by its tags "
	      "GameType or\n"
	      "Variant, its FEN, or its first two moves), in UTF\\-8, in UTF\\-16 with a byte "
	      "order\n"
	      "mark or in Latin\\-1, and may be packed by gzip or zstd.\n"
	      "Files are written in UTF\\-8 and not packed, so one that is packed is never "
	      "written\n"
	      "over, nor one in which nothing was understood.\n"
	      "A game of a variant that is not known is kept as text, as are an illegal move and\n"
	      "what follows it. A word that is no move becomes a comment.\n"
	      "A game without tags begins with move 1 after an empty line.\n"
	      "No\\-break spaces, other blanks of Unicode and byte order marks are blanks.\n"
	      "Within words these signs are read as those of PGN:\n",
	      out);
	write_spellings(out, el_signs);
	fputs(".PP\nThese words are marks and the like, also right behind a move if they are "
	      "marks:\n",
	      out);
	write_spellings(out, el_words);
}

/* What may be written, and by which commands. */
static void write_sandbox(FILE *out)
{
	static const struct {
		unsigned right;
		const char *may;
	} rights[] = {
		{WRITES_TABLES, "may write in --dir"},
		{WRITES_TEMPORARY, "may write in $TMPDIR, by default /tmp"},
		{WRITES_BESIDE, "may write beside tables"},
		{WRITES_HERE, "may write in the current folder"},
		{ASKS, "may open connections with --online"},
		{SERVES, "may read the folders of tables alone, and write nothing but its log"},
		{UNCONFINED,
	         "has no sandbox, as the explorer: what is typed there may need any right"},
	};
	fputs(".SH SANDBOX\nTables, games and positions may come from anybody. On Linux a command "
	      "therefore runs\nin a sandbox, as far as the kernel has Landlock for files and "
	      "seccomp for system\ncalls (\\fB\\-\\-version\\fR says): it runs no programs, opens "
	      "no connections, and reads files,\nbut writes only the files and folders that its "
	      "options name, and the folder endlab\nin $XDG_CACHE_HOME. If a folder is not there "
	      "yet, the nearest one above it counts.\nPlug\\-ins are loaded before, and run "
	      "inside.\n",
	      out);
	for (size_t i = 0; i < sizeof rights / sizeof *rights; i++) {
		const char *before = ".TP\n\\fB";
		for (const struct command *const *c = commands; *c; c++)
			if ((*c)->rights & rights[i].right) {
				fprintf(out, "%s%s", before, (*c)->name);
				before = "\\fR, \\fB";
			}
		fputs("\\fR\n", out);
		plain_line(out, rights[i].may);
	}
}

static const char *const statuses[][2] = {
	{"0", "done"},
	{"1", "a negative answer: no such table, no such position or slice, a bad line, a failed "
              "verification, a slice too large for this machine, a table that needs a plug-in or "
              "was written by a newer or older Endlab"},
	{"2", "wrong usage"},
	{"3", "damaged data; what whole files tell has been answered"},
	{"4", "input or output failed, or memory ran out"},
	{"128 + N", "stopped by signal N: 130 for ^C, 143 for SIGTERM"},
	{0},
};

static const char *const variables[][2] = {
	{"ENDLAB_DIR", "where tables are kept, unless --dir says otherwise"},
	{"ENDLAB_PATH", "more folders with tables, colon-separated, searched recursively"},
	{"ENDLAB_PLUGINS",
         "codecs to load: shared objects, and folders of them (*.so), colon-separated. After them "
         "come the folder endlab/plugins in $XDG_DATA_HOME (by default ~/.local/share) and "
         "lib/endlab/plugins where Endlab is installed. A file or folder that belongs to "
         "neither you nor root, or that everyone may write to, is not loaded; 'endlab list' says "
         "why one is not"},
	{"ENDLAB_LESSONS",
         "folders with lessons, colon-separated, searched before those in the program"},
	{"XDG_DATA_HOME", "tables are kept in its folder endlab, unless ENDLAB_DIR says otherwise"},
	{"XDG_STATE_HOME",
         "its folder endlab keeps the explorer's session, the scores of practice, places in "
         "lessons, the history of prompts and, while a lesson plays, what --notes follows; by "
         "default ~/.local/state"},
	{"XDG_CACHE_HOME",
         "its folder endlab records which tables of other programs were checked and found sound, "
         "so that they are not read again while they stay the same; by default ~/.cache"},
	{"NO_COLOR", "if set and not empty, the explorer uses no colour"},
	{0},
};

static void write_program(FILE *out)
{
	fputs(".TH ENDLAB 1 " DATE " \"endlab " EL_VERSION "\" \"User Commands\"\n"
	      ".SH NAME\nendlab \\- explore, solve and compress endgame tables\n"
	      ".SH SYNOPSIS\n.B endlab\n[\\fIOPTION\\fR...] [\\fIFEN\\fR | \\fISLICE\\fR | "
	      "\\fIFILE\\fR]\n.br\n"
	      ".B endlab\n[\\fIOPTION\\fR...] \\fICOMMAND\\fR ...\n"
	      ".SH DESCRIPTION\nEndlab solves endgames, keeps them as tables and looks positions "
	      "up in them.\nWithout a command it opens the explorer, at the position \\fIFEN\\fR, "
	      "at one\n"
	      "of \\fISLICE\\fR, or with the games of \\fIFILE\\fR (PGN; PDN in draughts) or its "
	      "list of positions (EPD, FEN)\n"
	      "if one is given.\n",
	      out);
	write_games(out);
	write_files(out);
	char text[PARAGRAPH_MAX];
	fputs(".SH METRICS\nA table holds the values of one metric.\nDepths are counted in plies "
	      "(half-moves) in files and in output for programs.\n",
	      out);
	for (const struct el_metric *const *metric = el_metrics; *metric; metric++) {
		const struct el_game *const *game = el_games;
		while (!el_game_has(*game, *metric))
			game++;
		write_entry(out, (*metric)->name, help_metric(*metric, text));
		fputs(".br\n", out);
		plain_line(out, explanation_of(*metric, *game)->text);
	}
	write_codecs(out);
	fputs(".SH TABLES OF OTHER PROGRAMS\nTables of Syzygy, Gaviota, chesstb, Malom and Cake "
	      "along the search path answer\nbeside Endlab's own. Syzygy's outcomes (.rtbw) are "
	      "those under\nthe 50\\-move rule with the clock at zero; its depths (.rtbz), which "
	      "need\nthe outcomes beside them, tell how much time is left. chesstb's depths "
	      "(.lzdtz, .lzdtc, .lzdtm, .lzdtm50)\nneed outcomes beside them (.lzw), too. Those of "
	      "cursed wins and blessed losses in\nits .lzdtz and .lzdtc may be "
	      "rounded.\n.TP\n\\fBdtz50\\fR\n",
	      out);
	plain(out, explanation_late.text);
	fputs("\n.br\nIn output for programs such a number is the lower one,\nand a field "
	      "\"rounded\" is true in JSON.\n",
	      out);
	fputs(".SH OPTIONS\n", out);
	write_options(out, global_options);
	fputs(".SH COMMANDS\n", out);
	for (const struct command *const *command = commands; *command; command++)
		write_command(out, *command);
	write_sandbox(out);
	fputs(".SH EXIT STATUS\n", out);
	write_pairs(out, statuses);
	fputs(".SH ENVIRONMENT\n", out);
	write_pairs(out, variables);
	/* List the other pages by their file names. */
	const char *file;
	fputs(".SH SEE ALSO\n", out);
	for (size_t i = 0; (file = page_file(i)); i++) {
		const char *dot = strrchr(file, '.');
		fputs(i ? ",\n\\fB" : "\\fB", out);
		for (const char *c = file; c < dot; c++)
			fputs(*c == '-' ? "\\-" : (char[]){*c, '\0'}, out);
		fprintf(out, "\\fR(%s)", dot + 1);
	}
	fputc('\n', out);
}

enum el_status help_manual(FILE *out, const char *page, struct el_error *error)
{
	const char *text = page_find(page);
	if (text) {
		fputs(text, out);
		return EL_OK;
	}
	if (!*page || !strcmp(page, "endlab") || !strcmp(page, "endlab.1")) {
		write_program(out);
		return EL_OK;
	}
	char names[PARAGRAPH_MAX];
	return el_fail(error, EL_USAGE, "no manual page '%s': expected %s", page,
	               help_values(&page_values, names));
}
