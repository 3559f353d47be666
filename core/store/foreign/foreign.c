/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "foreign.h"

#include <ctype.h>
#include <string.h>

/* The file's name in capitals, without its folder and extension. False when it is too long. */
static bool stem_of(const char *path, const char *extension, char out[EL_SLICE_MAX])
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
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

/* Is `stem` the slice's name, perhaps without the "v"? */
static bool is_name_of(const struct el_slice *slice, const char *stem)
{
	const char *name = slice->name;
	for (; *name; name++)
		if (*stem == *name)
			stem++;
		else if (*name != 'v')
			return false;
	return *stem == 0;
}

static enum el_status find_slice(struct foreign *f, struct el_error *error)
{
	char stem[EL_SLICE_MAX];
	struct el_source *source = &f->source;
	if (stem_of(source->path, source->ops->extension, stem) &&
	    el_slice_parse(stem, &source->slice, NULL) == EL_OK && is_name_of(&source->slice, stem))
		return EL_OK;
	return el_fail(error, EL_NEGATIVE, "%s: expected the name of a slice, as in KQvKR%s",
	               source->path, source->ops->extension);
}

enum el_status foreign_open(struct foreign *f, const struct el_source_ops *ops, const char *path,
                            struct el_cache *cache, struct el_error *error)
{
	*f = (struct foreign){.source = {.ops = ops}, .cache = cache};
	f->source.path = strdup(path);
	if (!f->source.path)
		return el_fail(error, EL_MEMORY, "%s: out of memory", path);
	enum el_status status = find_slice(f, error);
	if (!status)
		status = input_open(path, &f->input, error);
	if (status)
		return status;
	f->source.is = &f->input.is;
	f->source.bytes = (uint64_t)f->input.is.st_size;
	f->owner = el_cache_owner(cache);
	return EL_OK;
}

void foreign_close(struct foreign *f)
{
	if (f->owner)
		el_cache_forget(f->cache, f->owner);
	input_close(&f->input);
	free(f->source.path);
}

enum el_status foreign_read(const struct foreign *f, const char *what, void *out, size_t size,
                            uint64_t offset, struct el_error *error)
{
	return input_read(&f->input, what, out, size, offset, error);
}

void foreign_orient(const struct foreign *f, const struct el_position *position,
                    const struct el_place *place, struct el_position *out)
{
	if (place->plane == position->side)
		*out = *position;
	else
		f->source.slice.game->swap_colours(position, out);
}

unsigned foreign_kind(const struct foreign *f, char letter)
{
	const char *kinds = f->source.slice.game->kinds, *found = strchr(kinds, letter);
	return found && letter ? (unsigned)(found - kinds) : EL_KINDS;
}
