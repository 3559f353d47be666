/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Damaged files: flipped, cut, spliced, swapped. Each is refused, or the answers are right all the
   same. */
#include "files.h"
#include "run.h"
#include "truth.h"

#include "core/table/format.h"
#include "core/table/source.h"
#include "core/table/table.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES_MAX = 128, FILE_BYTES_MAX = 1 << 20 };

/* Sound files of one format. */
struct shelf {
	const char *folder;
	const char *pattern;
	struct truth *truths[FILES_MAX];
	size_t count;
};

static struct shelf own, syzygy, gaviota;

static const char *name_of(const struct truth *truth)
{
	return strrchr(truth->path, '/') + 1;
}

static bool take(void *context, const char *name)
{
	struct shelf *s = context;
	size_t size;
	if (fnmatch(s->pattern, name, 0))
		return true;
	free(files_read(files_path(s->folder, name), &size));
	struct truth *truth = malloc(sizeof *truth);
	if (!truth)
		trial_give_up("out of memory");
	if (size <= FILE_BYTES_MAX && truth_find(s->folder, name, truth))
		s->truths[s->count++] = truth;
	else
		free(truth);
	return s->count < FILES_MAX;
}

/* ---- bytes ---- */

struct bytes {
	uint8_t *at; /* with as much spare room behind it */
	size_t size;
};

static struct bytes read_bytes(const char *path)
{
	struct bytes b;
	uint8_t *read = files_read(path, &b.size);
	b.at = read ? calloc(1, 2 * b.size + 4096) : NULL;
	if (!b.at)
		trial_give_up("%s: cannot read", path);
	memcpy(b.at, read, b.size);
	free(read);
	return b;
}

static void flip(struct trial *t, struct bytes *b, const struct bytes *other)
{
	(void)other;
	for (size_t n = 1 + trial_below(t, trial_below(t, 2) ? 1 : 8); n; n--) {
		const size_t bit = trial_below(t, 8 * b->size);
		trial_tell(t, ", bit %zu of byte %zu flipped", bit % 8, bit / 8);
		b->at[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
}

static void smear(struct trial *t, struct bytes *b, const struct bytes *other)
{
	(void)other;
	const size_t from = trial_below(t, b->size), size = 1 + trial_below(t, 64);
	const size_t kind = trial_below(t, 3);
	trial_tell(t, ", %zu bytes overwritten at %zu", size, from);
	for (size_t i = from; i < from + size && i < b->size; i++)
		b->at[i] = kind == 0 ? 0 : kind == 1 ? 255 : (uint8_t)trial_random(t);
}

static void cut(struct trial *t, struct bytes *b, const struct bytes *other)
{
	(void)other;
	b->size = trial_below(t, b->size);
	trial_tell(t, ", cut off at %zu", b->size);
}

static void extend(struct trial *t, struct bytes *b, const struct bytes *other)
{
	(void)other;
	const size_t more = 1 + trial_below(t, 4096);
	trial_tell(t, ", %zu bytes behind it", more);
	for (size_t i = 0; i < more; i++)
		b->at[b->size + i] = (uint8_t)trial_random(t);
	b->size += more;
}

/* Replaces bytes by those of another sound file at the same place: its header, its blocks, its
   end. */
static void splice(struct trial *t, struct bytes *b, const struct bytes *other)
{
	const size_t least = b->size < other->size ? b->size : other->size;
	const size_t from = trial_below(t, 2) ? 0 : trial_below(t, least);
	const size_t to = trial_below(t, 2) ? least : from + 1 + trial_below(t, least - from);
	trial_tell(t, ", bytes %zu to %zu those of the other", from, to);
	memcpy(b->at + from, other->at + from, to - from);
}

/* Exchanges two parts of the file. */
static void exchange(struct trial *t, struct bytes *b, const struct bytes *other)
{
	static const size_t units[] = {1, 4, 16, 64, 256, 1024};
	(void)other;
	const size_t unit = units[trial_below(t, sizeof units / sizeof *units)];
	const size_t size = unit * (1 + trial_below(t, 8));
	if (b->size < 2 * size)
		return;
	const size_t x = trial_below(t, b->size - size + 1) / unit * unit;
	const size_t y = trial_below(t, b->size - size + 1) / unit * unit;
	trial_tell(t, ", %zu bytes at %zu and at %zu exchanged", size, x, y);
	for (size_t i = 0; i < size; i++) {
		const uint8_t byte = b->at[x + i];
		b->at[x + i] = b->at[y + i];
		b->at[y + i] = byte;
	}
}

/* ---- whole blocks of our own tables ---- */

/* The place and size of a block. */
struct span {
	size_t at, size;
};

static size_t list_blocks(const char *path, struct span out[], size_t most)
{
	struct el_table *table;
	size_t begin = 0, count = 0, size;
	uint8_t *bytes = files_read(path, &size);
	if (el_table_open(path, &table, NULL))
		trial_give_up("%s: cannot open", path);
	begin = get_u32(bytes + AT_HEADER_SIZE);
	free(bytes);
	for (; count < most && count < el_table_info(table)->block_count; count++) {
		if (el_table_read_bytes(table, count, &bytes, &size, NULL))
			trial_give_up("%s: cannot read", path);
		out[count] = (struct span){begin, size};
		begin += size;
		free(bytes);
	}
	el_table_close(table);
	return count;
}

/* Replaces a block by another of the same size, of the same table or, under this table's
   header, of another one: each is sound by itself. */
static void swap_blocks(struct trial *t, struct bytes *b, const char *path, const char *other_path,
                        const struct bytes *other)
{
	enum { BLOCKS_MAX = 256, ATTEMPTS = 1000 };
	static struct span to[BLOCKS_MAX], from[BLOCKS_MAX];
	const size_t count = list_blocks(path, to, BLOCKS_MAX);
	const size_t other_count = list_blocks(other_path, from, BLOCKS_MAX);
	for (int i = 0; i < ATTEMPTS; i++) {
		const size_t x = trial_below(t, count), y = trial_below(t, other_count);
		if (to[x].size != from[y].size)
			continue;
		trial_tell(t, ", block %zu is block %zu of the other", x, y);
		memcpy(b->at + to[x].at, other->at + from[y].at, to[x].size);
		return;
	}
}

/* Puts the header of one table on the blocks of another: both are sound by themselves. */
static void change_header(struct trial *t, struct bytes *b, const struct bytes *other)
{
	const uint32_t size = get_u32(b->at + AT_HEADER_SIZE);
	if (get_u32(other->at + AT_HEADER_SIZE) != size)
		return;
	trial_tell(t, ", the other's header");
	memcpy(b->at, other->at, size);
	put_le(b->at + AT_FILE_SIZE, 8, b->size);
	table_seal(b->at, size - CHECKSUM_SIZE);
}

/* ---- one try ---- */

static void change(struct trial *t, const struct shelf *s, const struct truth *truth,
                   const struct truth *other, struct bytes *b)
{
	static void (*const ways[])(struct trial *, struct bytes *, const struct bytes *) = {
		flip, flip, smear, cut, extend, splice, exchange,
	};
	struct bytes bytes = read_bytes(other->path);
	trial_tell(t, "%s with %s", name_of(truth), name_of(other));
	const size_t count = sizeof ways / sizeof *ways;
	const size_t way = trial_below(t, s == &own ? count + 2 : count);
	if (way < count)
		ways[way](t, b, &bytes);
	else if (way == count)
		change_header(t, b, &bytes);
	else
		swap_blocks(t, b, truth->path, other->path, &bytes);
	free(bytes.at);
}

/* Files of other programs need the files that captures lead to. */
static void link_others(struct trial *t, const struct shelf *s, const struct truth *truth)
{
	for (size_t i = 0; i < s->count; i++) {
		const char *name = name_of(s->truths[i]);
		if (s->truths[i] != truth &&
		    symlink(s->truths[i]->path, files_path(t->folder, name)))
			trial_give_up("%s: %m", name);
	}
}

struct into {
	struct trial *trial;
	const char *folder;
};

static bool link_one(void *context, const char *name)
{
	const struct into *into = context;
	const char *to = files_path(into->folder, name);
	if (*name != '.' && !files_exist(to) && symlink(files_path(into->trial->sound, name), to))
		trial_give_up("%s: %m", name);
	return true;
}

/* Links our tables that are not in the folder yet. */
static void link_sound(struct trial *t, const char *folder)
{
	files_each(t->sound, link_one, &(struct into){t, folder});
}

/* A damaged file under a sound one's name; reading the whole file, as `verify` does first, finds
   any change in one of ours. */
struct damaged {
	const struct truth *truth;
	bool is_seen;
};

static enum verdict ask(struct trial *t, const void *context)
{
	const struct damaged *d = context;
	const char *path = files_path(t->folder, name_of(d->truth));
	struct el_planes planes;
	struct el_table_info info;
	if (d->is_seen && !el_source_egt.read(path, &info, &planes, NULL))
		return trial_wrong(t, "it is read as if it were sound");
	return truth_ask(t, t->folder, d->truth);
}

static enum verdict try_shelf(struct trial *t, const struct shelf *s)
{
	const struct truth *truth = s->truths[trial_below(t, s->count)];
	const struct truth *other = s->truths[trial_below(t, s->count)];
	const bool renamed = s != &own && other != truth && trial_below(t, 8) == 0;
	const struct bytes before = read_bytes(truth->path);
	struct bytes b = read_bytes(renamed ? other->path : truth->path);
	if (renamed)
		trial_tell(t, "%s under the name of %s", name_of(other), name_of(truth));
	else
		change(t, s, truth, other, &b);
	files_write(files_path(t->folder, name_of(truth)), b.at, b.size);
	const bool same = b.size == before.size && !memcmp(b.at, before.at, b.size);
	free(b.at);
	free(before.at);
	if (s == &own)
		link_sound(t, t->folder);
	else
		link_others(t, s, truth);
	return trial_apart(t, ask, &(struct damaged){truth, s == &own && !same});
}

/* ---- our own ---- */

/* Options of `recode`, with each codec and each way to leave something out. */
static const char *const forms[] = {
	"--codec raw --block 256 --fill none",
	"--codec rle --block 1K --fill best",
	"--codec pairs --block 4K --fill previous",
	"--codec zstd --block 1K --fill none",
	"--codec xz --block 4K --fill previous",
	"--codec rle-zstd --block 16K --fill best",
	"--codec net --block 4K",
	"--codec rans --block 4K",
	"--codec zstd:19:dict=4 --block 256",
	"--codec xz:1:container=1 --order best",
	"--small",
	"--fast",
	"--derive captures --codec pairs --block 1K",
	"--derive side --codec raw",
	"--derive captures+side --codec rle",
};
enum { FORMS = sizeof forms / sizeof *forms };

/* Recodes in its own folder, next to the tables that it is derived from. */
static void recode(struct trial *t, const char *table, const char *form)
{
	char folder[32], *options = strdup(form);
	snprintf(folder, sizeof folder, "own-%zu", own.count);
	own.folder = files_kept_path(t->scratch, folder);
	files_empty(own.folder);
	struct job job = {
		.words = {"recode", files_path(t->sound, table), "-o",
	                  files_path(own.folder, table)},
		.directory = t->sound,
	};
	char *rest = options;
	for (size_t word = 4; rest; word++)
		job.words[word] = strsep(&rest, " ");
	struct outcome outcome;
	run(t, &job, &outcome);
	if (!run_is_exit(&outcome, 0))
		trial_give_up("%s %s cannot be recoded: %s", table, form, outcome.err);
	run_free(&outcome);
	free(options);
	link_sound(t, own.folder);
	own.pattern = table;
	files_each(own.folder, take, &own);
}

/* Every form of one table, and every other form of tables of each game; and tables of several
   slices in one form. */
static const char *make_own(struct trial *t)
{
	static const char *const tables[] = {"KQvK.dtm.egt", "KPvK.dtm.egt",
	                                     "checkers-KMvK.dtw.egt", "awari-5.score.egt",
	                                     "morris-3v3.dtw.egt"};
	static const char *const alike[] = {"KRvK.dtm.egt", "KBvK.dtm.egt", "KNvK.dtm.egt"};
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		for (size_t f = i % 2; f < FORMS; f += i ? 2 : 1)
			recode(t, tables[i], forms[f]);
	for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
		recode(t, alike[i], forms[0]);
	return NULL;
}

static enum verdict try_own(struct trial *t)
{
	return try_shelf(t, &own);
}

const struct kind damaged_egt = {"damaged .egt", make_own, try_own, NULL};

/* ---- tables of other programs ---- */

static const char *make_foreign(struct shelf *s, const char *folder, const char *pattern)
{
	if (access(folder, R_OK))
		return "none here";
	s->pattern = pattern;
	s->folder = folder;
	files_each(folder, take, s);
	return s->count < 2 ? "none here" : NULL;
}

static const char *make_syzygy(struct trial *t)
{
	const char *said = getenv("ENDLAB_SYZYGY");
	(void)t;
	return make_foreign(&syzygy, said && *said ? said : "../shared/data/syzygy", "*.rtb[wz]");
}

static const char *make_gaviota(struct trial *t)
{
	(void)t;
	return make_foreign(&gaviota, "/usr/share/gaviotatb/gtb4", "*.gtb.cp4");
}

static enum verdict try_syzygy(struct trial *t)
{
	return try_shelf(t, &syzygy);
}

static enum verdict try_gaviota(struct trial *t)
{
	return try_shelf(t, &gaviota);
}

const struct kind damaged_syzygy = {"damaged Syzygy", make_syzygy, try_syzygy, NULL};
const struct kind damaged_gaviota = {"damaged .gtb.cp4", make_gaviota, try_gaviota, NULL};
