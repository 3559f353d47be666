/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a file that the program keeps for itself, or that it reads as text: the first byte
   chooses the file. Checksums are corrected, so that the fuzzer reaches the code behind them. */
#include "core/builder/journal.h"
#include "core/foreign/published.h"
#include "core/library/recall.h"
#include "core/library/summaries.h"
#include "core/solve/ledger.h"
#include "core/table/format.h"
#include "tests/fixtures/screens.h"
#include "try.h"
#include "tui/shell/session.h"
#include "tui/text/files.h"
#include "tui/views/lesson/lesson.h"
#include "tui/views/practice/practice.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <lzma.h>
#include <string.h>
#include <unistd.h>

static struct el_library *library; /* has no tables */
static struct screens idle;

/* ---- what the explorer keeps (kept.h) ---- */

/* A file that cannot be used is put aside. Then, and after one that can be used, the program works
   as usual. */
static void read_state(const char *name, const uint8_t *data, size_t size)
{
	static const char *const names[] = {"session", "bookmarks", "practice", "welcome"};
	struct screens s;
	struct el_error error;
	char bad[32];
	try_write(name, data, size);
	screens_state(try_folder());
	screens_open(&s, library, NULL, true);
	screens_draw(&s);
	must(!session_save(&s.model, &error));
	const bool aside = s.model.message.error;
	screens_close(&s);
	if (aside) {
		screens_open(&s, library, NULL, true);
		must(!s.model.message.error);
		screens_close(&s);
	}
	screens_state(NULL);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(bad, sizeof bad, "%s.bad", names[i]);
		unlink(try_path(names[i]));
		unlink(try_path(bad));
	}
}

static void read_session(const uint8_t *data, size_t size)
{
	read_state("session", data, size);
}

static void read_bookmarks(const uint8_t *data, size_t size)
{
	read_state("bookmarks", data, size);
}

static void read_practice(const uint8_t *data, size_t size)
{
	struct practice_scores scores = {.file.path = "practice"}, again = scores;
	char *text = try_text(data, size), *written;
	size_t length;
	if (!practice_scores_read(&scores, text, NULL)) {
		FILE *out = open_memstream(&written, &length);
		practice_scores_write(&scores, out);
		must(!fclose(out) && !practice_scores_read(&again, written, NULL));
		must(again.again_count == scores.again_count &&
		     again.tally_count == scores.tally_count);
		free(written);
	}
	practice_scores_free(&scores);
	practice_scores_free(&again);
	free(text);
}

/* ---- beside tables ---- */

/* Each line, with its checksum in place of its last field. */
static char *seal_lines(const uint8_t *data, size_t size)
{
	char *text = try_text(data, size), *sealed, *rest = text;
	FILE *out = open_memstream(&sealed, &size);
	for (const char *line; (line = strsep(&rest, "\n"));) {
		const char *tab = strrchr(line, '\t');
		const size_t length = tab ? (size_t)(tab - line) : 0;
		fprintf(out, "%.*s\t%016" PRIx64 "\n", (int)length, line,
		        table_checksum((const uint8_t *)line, length));
	}
	must(!fclose(out));
	free(text);
	return sealed;
}

static void read_summaries(const uint8_t *data, size_t size)
{
	const struct route none = {.game = NULL};
	const struct catalogue empty = {.routes = (struct route *)(uintptr_t)&none};
	const struct stat is = {.st_size = 0};
	struct summaries s;
	struct el_summary told;
	char *text = seal_lines(data, size);
	try_write(".verified.tsv", text, strlen(text));
	summaries_open(try_path("x"), &s, NULL);
	for (size_t i = 0; i < s.count; i++) {
		summaries_find(&s, &empty, s.lines[i].name, 0, &is, &told);
		must(memchr(told.changed, '\0', sizeof told.changed) &&
		     memchr(told.version, '\0', 16));
	}
	summaries_close(&s);
	const struct reads reads = {.list = NULL};
	char *table = strdup(try_path("KQvK.dtm.egt"));
	must(!summaries_add(&(struct summary){.table = table,
	                                      .reads = &reads,
	                                      .told = {.verified = EL_VERIFIED, .version = "1"}},
	                    NULL));
	must(!summaries_open(table, &s, NULL) && s.count);
	summaries_close(&s);
	free(table);
	free(text);
}

static void visit(void *context, const char *slice, const char *metric,
                  const struct el_solution *solution)
{
	(void)context;
	must(slice && metric && solution->stage[EL_STAGES_MAX - 1].name[0] == '\0');
}

static void read_journal(const uint8_t *data, size_t size)
{
	struct el_error error;
	try_write(".journal.tsv", data, size);
	must(!journal_read(try_folder(), visit, NULL, &error));
}

static void read_recall(const uint8_t *data, size_t size)
{
	struct recall recall;
	try_write("checked.tsv", data, size);
	char *path = strdup(try_path("checked.tsv"));
	must(!recall_open(path, &recall, NULL));
	recall_has(&recall, "sound");
	recall_close(&recall);
	free(path);
}

/* ---- the remains of a stopped build ---- */

static uint16_t take(void *context, size_t list, const struct ledger_tag *tag)
{
	(void)context, (void)tag;
	must(list < 4);
	return 0;
}

/* Corrects records with heads of 24 bytes (ledger.h): the size, cut to the bytes that follow, and
   the checksum. */
static void seal_records(uint8_t *bytes, size_t size)
{
	enum { HEAD = 24 };
	for (size_t at = 0; at + HEAD <= size;) {
		const size_t left = size - at - HEAD, told = get_u32(bytes + at + 8);
		const size_t length = told < left ? told : left;
		if (bytes[at + 4] != 255)
			put_le(bytes + at + 4, 4, bytes[at + 4] % 5u);
		put_le(bytes + at + 8, 4, length);
		put_le(bytes + at, 4,
		       lzma_crc32(bytes + at + HEAD, length,
		                  lzma_crc32(bytes + at + 4, HEAD - 4, 0)));
		at += HEAD + length;
	}
}

static void read_ledger(const uint8_t *data, size_t size)
{
	enum { LISTS = 4, WORDS = 100, FILE_HEAD = 16 };
	uint8_t *bytes = malloc(FILE_HEAD + size);
	struct ledger ledger;
	struct encoder encoder;
	must(bytes && !encoder_open(&encoder, WORDS));
	memcpy(bytes, "endlabl1\0\0\0\0\0\0\0", FILE_HEAD);
	memcpy(bytes + FILE_HEAD, data, size);
	seal_records(bytes + FILE_HEAD, size);
	try_write("ledger", bytes, FILE_HEAD + size);
	must(!ledger_open(&ledger, LISTS, WORDS, &(struct ledger_place){try_folder(), "ledger", 0},
	                  NULL));
	ledger_recover(&ledger, size % 2, NULL, NULL, take);
	for (size_t i = 0; i < LISTS; i++)
		for (size_t e = 0; e < ledger.list[i].count; e++) {
			struct ledger_cursor cursor;
			size_t word;
			uint64_t bits;
			must(ledger_read(&ledger, &encoder, &ledger.list[i].entry[e], &cursor));
			while (ledger_next(&cursor, &word, &bits))
				must(word < WORDS);
		}
	ledger_close(&ledger);
	encoder_close(&encoder);
	free(bytes);
}

/* ---- lessons ---- */

static void read_lesson(const uint8_t *data, size_t size)
{
	struct script script = {.lines = NULL};
	struct el_error error;
	try_write("a.lesson", data, size);
	if (!script_read(try_path("a.lesson"), "a.lesson", &idle.model, &script, &error)) {
		must(script.step_count && script.title);
		script_free(&script);
	}
}

/* ---- published statistics ---- */

static void read_published(const uint8_t *data, size_t size)
{
	struct el_published published;
	struct el_slice unnamed;
	struct el_position position;
	try_write("stats.json", data, size);
	must(!el_slice_parse("KQvK", &unnamed, NULL));
	if (el_published_read(try_path("stats.json"), size % 2 ? &unnamed : NULL, &published, NULL))
		return;
	for (size_t i = 0; i < published.count; i++) {
		const struct el_published_ending *e = &published.ending[i];
		must(e->is_part || e->slice.game == &el_chess);
		for (unsigned r = 0; r < e->records; r++)
			must(!e->record[r].fen[0] ||
			     !el_chess.parse(e->record[r].fen, &position, NULL));
	}
	el_published_free(&published);
}

/* ---- texts of the user's, packed or not ---- */

enum { UNPACKED_MAX = 1 << 20 }; /* a few bytes may unpack to anything */

static size_t read_whole(struct text_file *file, size_t room, char out[UNPACKED_MAX])
{
	size_t used = 0;
	ssize_t got = 1;
	for (; got > 0 && used + room <= UNPACKED_MAX; used += got > 0 ? (size_t)got : 0) {
		got = text_read(file, out + used, room);
		must(got <= (ssize_t)room && (got >= 0 || file->error.status || errno));
	}
	return used;
}

static struct text_file open_text(void)
{
	const struct text_file file = {.fd = open(try_path("a.pgn"), O_RDONLY | O_CLOEXEC),
	                               .name = "a.pgn"};
	must(file.fd >= 0);
	return file;
}

static void close_text(struct text_file *file)
{
	text_free(file);
	close(file->fd);
}

/* Read in large pieces, and again in small ones from some line on, it is the same text. */
static void read_packed(const uint8_t *data, size_t size)
{
	static char once[UNPACKED_MAX], again[UNPACKED_MAX];
	try_write("a.pgn", data, size);
	struct text_file file = open_text();
	const size_t length = read_whole(&file, 1 << 16, once);
	const bool whole = !file.error.status && length + (1 << 16) <= UNPACKED_MAX;
	close_text(&file);
	const char *line = memchr(once, '\n', length);
	const size_t from = line && whole ? (size_t)(line + 1 - once) : 0;
	file = open_text();
	must(!from || text_seek(&file, from));
	const size_t rest = read_whole(&file, 6, again);
	must(!whole || (rest == length - from && !memcmp(once + from, again, rest)));
	close_text(&file);
}

/* ---- */

static void begin(void)
{
	static const struct el_library_options options = {.directory = "/nonexistent"};
	must(!el_library_open(&options, &library, NULL));
	el_library_set_pace(library, 1); /* else it would find out by solving */
	screens_open(&idle, library, NULL, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const readers[])(const uint8_t *, size_t) = {
		read_session, read_bookmarks, read_practice, read_summaries, read_journal,
		read_recall,  read_ledger,    read_lesson,   read_packed,    read_published,
	};
	if (!library)
		begin();
	if (size)
		readers[*data % (sizeof readers / sizeof *readers)](data + 1, size - 1);
	return 0;
}
