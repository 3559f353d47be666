/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of commands that write or plan tables: which tables, and how they are compressed. */
#ifndef TUI_CLI_STORE_OPTIONS_H
#define TUI_CLI_STORE_OPTIONS_H

#include "arguments.h"
#include "core/builder/build.h"
#include "core/table/table.h"
#include "tui/text/slices.h"

/* clang-format off */
/* For existing tables, pieces may also be given by name: `order` says so. */
#define STORE_OPTIONS(order) \
	{"--small", .summary = "the smallest tables; building and probing take longer"}, \
	{"--fast", .summary = "tables for the fastest probes; they take several times the disk"}, \
	{"--codec", "CODEC", "how blocks are compressed, with a level where there is one (zstd:19)", \
	 .values = &codec_values}, \
	{"--block", "SIZE", "positions in a block, a power of two such as 16K", \
	 .values = &block_values}, \
	{"--fill", "FILL", "what broken positions become", .values = &fill_values}, \
	{"--order", "ORDER", "which piece varies fastest" order, .values = &order_values}, \
	{"--derive", "WHAT", "leave out what a probe can derive", .values = &derive_values}
/* clang-format on */

/* Help paragraphs for commands that take these options. */
#define PRESET_HELP                                                                                \
	"--small and --fast choose codec, block, fill, order and what is left out, for each "      \
	"table as it suits its metric. --small is for the disk: it leaves out what a probe can "   \
	"derive, wherever that is possible. --fast is for engines with disk to spare: blocks are " \
	"not compressed, so none has to be decoded. 'endlab list' says what a table is, and what " \
	"for. For search: a probe that finds nothing in memory takes a few microseconds, and "     \
	"decodes no block. For the root of a search: it takes tens of microseconds. For the "      \
	"archive: it takes a tenth of a millisecond or more.\n"

#define LEARNING_HELP                                                                              \
	"--fill best, --order best, the codec pairs and dictionaries of zstd learn from the "      \
	"values "                                                                                  \
	"before they are written: from all of them, or, of large planes (most of five pieces or "  \
	"more), from a sample. The sample is always the same, and so is the file. The codecs net " \
	"and rans, which predict a position from its neighbours on the board, take --fill best, "  \
	"and net takes --order best, unless other ones are given.\n"

#define DERIVE_HELP                                                                                \
	"With --derive captures a table leaves out the positions whose best capture tells their "  \
	"value, "                                                                                  \
	"and a probe tries the captures. With --derive side it leaves out one side to move, "      \
	"whichever "                                                                               \
	"takes more bytes, and a probe of that side tries all moves. captures+side does both. "    \
	"With --derive outcomes a table of dtz, or of dtz with a rule such as dtz50, holds plies " \
	"alone: another table tells outcomes (wdl, or wdl50), and a probe tries the captures and " \
	"moves of pawns of a position that is won; outcomes+side leaves out a side as well. A "    \
	"build makes the tables of outcomes too. The "                                             \
	"tables that these moves lead to must be there. Both sides are kept where they have the "  \
	"same "                                                                                    \
	"pieces. Where some wins come too late for the rule, a side is left out only if all its "  \
	"values are those of its moves; win, dtr, dtzr and bounds do not tell the other side.\n"

/* Applies the given options and leaves the rest unchanged, except that a preset sets everything.
   EL_USAGE if two contradict each other. Without a slice (null) an order of pieces is refused. */
enum el_status store_options_parse(const struct arguments *, const struct el_slice *,
                                   struct el_table_options *, struct el_error *);

/* clang-format off */
/* Options that decide which tables are made. */
#define PLAN_OPTIONS \
	{"--metric", "LIST", "metrics to build, comma-separated (by default the game's finest)", \
	 &metric_values, .is_list = true}, \
	{"--own", .summary = "take nothing from tables of other programs: make all that these slices " \
	                     "depend on"}, \
	{"--memory", "SIZE", .summary = "memory that a solution may take, such as 512M (by default three " \
	                                "quarters of what is free); the rest is put on the disk"}, \
	{"--scratch", "DIR", "where scratch files are put (by default beside the tables)", .values = &folder_values}, \
	{"--verify", .summary = "prove every table before it gets its name"}, \
	{"--no-verify", .summary = "prove none (by default, those whose proof takes less than half of the " \
	                           "time that it takes to make them)"}
/* clang-format on */

/* The requested tables. */
struct asked {
	struct slices slices; /* owned */
	/* null-terminated; empty: each game's own */
	const struct el_metric *metrics[METRICS_MAX + 1];
	/* --until; a null metric: not given */
	struct el_slice until_slice;
	const struct el_metric *until_metric;
};

/* The task of --until in a plan; null: not given. */
const struct el_task *asked_until(const struct asked *, const struct el_plan *);

/* Makes the plan of tables with these options and estimates it; sets the number of threads from
   --threads. If it is not to make the table of --until, because that exists or others tell its values,
   it becomes a plan of that table alone. The caller frees both, whatever the result. Shows progress
   while reading tables to repair. */
enum el_status plan_slices(struct cli *, const struct arguments *, const struct el_table_options *,
                           struct asked *, struct el_plan *, struct el_error *);

#endif
