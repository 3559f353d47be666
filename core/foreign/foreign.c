/* SPDX-License-Identifier: MIT */
#include "foreign.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The file's name in capitals, without its folder and extension. False when it is too long. */
static bool stem_of(const char *path, const char *extension, char out[EL_SLICE_MAX])
{
	const char *name = basename(path);
	size_t length = strlen(name), tail = strlen(extension);
	if (length >= tail && strcmp(name + length - tail, extension) == 0)
		length -= tail;
	if (length >= EL_SLICE_MAX)
		return false;
	for (size_t i = 0; i < length; i++)
		out[i] = name[i] == 'v' ? 'v' : (char)toupper((unsigned char)name[i]);
	out[length] = 0;
	return true;
}

bool foreign_named(const struct el_source_ops *ops, const char *path, struct el_slice *slice)
{
	char stem[EL_SLICE_MAX], *at = stem;
	if (!stem_of(path, ops->extension, stem) || el_slice_parse(stem, slice, NULL))
		return false;
	/* It must be the slice's name, perhaps without the "v". */
	for (const char *name = slice->name; *name; name++)
		if (*at == *name)
			at++;
		else if (*name != 'v')
			return false;
	return !*at;
}

/* A name that cannot be a slice's, for example because of too many pieces, has a reason of its
   own. */
enum el_status foreign_not_named(const struct el_source_ops *ops, const char *path,
                                 struct el_error *error)
{
	char stem[EL_SLICE_MAX];
	struct el_slice slice;
	struct el_error why;
	const bool has_kings =
		stem_of(path, ops->extension, stem) && strchr(stem, 'K') != strrchr(stem, 'K');
	if (has_kings && el_slice_parse(stem, &slice, &why))
		return el_fail(error, EL_NEGATIVE, "%s: %s", path, why.text);
	if (has_kings)
		return el_fail(error, EL_NEGATIVE, "%s: expected the stronger side first, %s%s",
		               path, slice.name, ops->extension);
	return el_fail(error, EL_NEGATIVE, "%s: expected the name of a slice, as in KQvKR%s", path,
	               ops->extension);
}

enum el_status foreign_open(struct foreign *f, const struct el_source_ops *ops, const char *path,
                            const struct el_slice *slice, struct el_cache *cache,
                            struct el_error *error)
{
	*f = (struct foreign){.source = {.ops = ops}, .cache = cache};
	if (slice)
		f->source.slice = *slice;
	else if (!foreign_named(ops, path, &f->source.slice))
		return foreign_not_named(ops, path, error);
	f->source.path = strdup(path);
	if (!f->source.path)
		return foreign_no_memory(path, error);
	enum el_status status = input_open(path, &f->input, error);
	if (status)
		return status;
	f->source.is = &f->input.is;
	f->source.bytes = (uint64_t)f->input.is.st_size;
	f->source.owner = el_cache_owner(cache);
	return EL_OK;
}

void foreign_close(struct foreign *f)
{
	if (f->source.owner)
		el_cache_forget(f->cache, f->source.owner);
	input_close(&f->input);
	free(f->source.path);
}

enum el_status foreign_damaged(const struct foreign *f, const char *what, uint64_t expected,
                               uint64_t found, struct el_error *error)
{
	return el_fail(error, EL_DAMAGED,
	               "%s: damaged, or not a table of %s: %s: expected %" PRIu64
	               ", found %" PRIu64,
	               f->source.path, f->source.slice.name, what, expected, found);
}

enum el_status foreign_no_memory(const char *path, struct el_error *error)
{
	return el_fail(error, EL_MEMORY, "%s: out of memory", path);
}

enum el_status foreign_tick(const struct el_source *source, const struct el_watch *watch,
                            uint64_t done, uint64_t all, const char *unit, struct el_error *error)
{
	const struct el_progress progress = {"checking", source->path, (double)done, (double)all,
	                                     .unit = unit};
	return el_watch_tick(watch, &progress)
	               ? EL_OK
	               : el_fail(error, EL_STOPPED, "%s: stopped", source->path);
}

enum el_status foreign_text(const char *path, const char *what, size_t most, char **out,
                            size_t *size, struct el_error *error)
{
	struct input input;
	enum el_status status = input_open(path, &input, error);
	*size = status ? 0 : (size_t)input.is.st_size;
	*out = NULL;
	if (*size > most)
		status = el_fail(error, EL_DAMAGED, "%s: expected at most %zu bytes, found %zu",
		                 path, most, *size);
	if (!status && !(*out = calloc(1, *size + 1)))
		status = foreign_no_memory(path, error);
	if (!status)
		status = input_read(&input, what, *out, *size, 0, error);
	input_close(&input);
	return status;
}

char *foreign_beside(const char *path, const char *name)
{
	char *out;
	return asprintf(&out, "%.*s%s", (int)(basename(path) - path), path, name) < 0 ? NULL : out;
}

char *foreign_companion(const char *path, const char *name)
{
	char target[PATH_MAX];
	char *here = foreign_beside(path, name);
	if (here && access(here, F_OK) && realpath(path, target)) {
		char *there = foreign_beside(target, name);
		if (there && !access(there, F_OK)) {
			free(here);
			return there;
		}
		free(there);
	}
	return here;
}

unsigned foreign_kind(const struct foreign *f, char letter)
{
	const char *kinds = f->source.slice.game->kinds, *found = strchr(kinds, letter);
	return found && letter ? (unsigned)(found - kinds) : EL_KINDS;
}

unsigned foreign_turned(unsigned turn, unsigned square)
{
	if (turn & MIRROR_FILES)
		square ^= 7;
	if (turn & MIRROR_RANKS)
		square ^= 56;
	return turn & TRANSPOSE ? file_of(square) << 3 | rank_of(square) : square;
}

uint64_t foreign_turned_set(unsigned turn, uint64_t set)
{
	uint64_t out = 0;
	for (; set; set &= set - 1)
		out |= UINT64_C(1) << foreign_turned(turn, (unsigned)__builtin_ctzll(set));
	return out;
}

void king_pairs_list(bool has_pawns, struct king_pairs *out)
{
	*out = (struct king_pairs){0};
	for (unsigned lead = 0; lead < 64; lead++) {
		const int above = (int)rank_of(lead) - (int)file_of(lead);
		out->before[lead] = (uint16_t)out->count;
		for (unsigned other = 0; other < 64; other++)
			if (kings_apart(lead, other) && file_of(lead) < 4 &&
			    (has_pawns || above < 0 ||
			     (!above && rank_of(other) <= file_of(other))))
				out->others[lead] |= UINT64_C(1) << other;
		out->count += (uint32_t)__builtin_popcountll(out->others[lead]);
	}
}

unsigned king_pairs_turn(const struct king_pairs *k, unsigned lead, unsigned other)
{
	unsigned turn = 0;
	while (turn < TURNS &&
	       !(k->others[foreign_turned(turn, lead)] >> foreign_turned(turn, other) & 1))
		turn++;
	return turn;
}

uint32_t king_pairs_number(const struct king_pairs *k, unsigned lead, unsigned other)
{
	const uint64_t bit = UINT64_C(1) << other, before = k->others[lead] & (bit - 1);
	return k->others[lead] & bit ? k->before[lead] + (uint32_t)__builtin_popcountll(before)
	                             : k->count;
}
