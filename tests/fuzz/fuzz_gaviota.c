/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a Gaviota table: as one block in each scheme, and, put behind a header that is right,
 * as a file of a slice in a scheme; both are said by the first two bytes. Whole files are what
 * fuzz_table tries: most of them end at the header.
 */
#include "core/store/foreign/gaviota.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORD = 4, HEADER = 10 * WORD, BLOCK = 16384, ROOM = 1 << 17 };

static const char *const names[] = {"KQvK", "KPvK", "KNvK", "KQvKR", "KRRvK", "KPPvK",
				    "KPvKP", "KRvKP", "KPPvKP", "KPPPvK", "KQQQvK", "KBNvKQ"};
static const struct el_source_ops *const kinds[] = {
	&el_source_gaviota, &el_source_gaviota_cp3, &el_source_gaviota_cp2, &el_source_gaviota_cp1};
static const struct scheme *const schemes[] = {&scheme_lzma, &scheme_zlib, &scheme_lzf,
					       &scheme_huffman};

enum { NAMES = sizeof names / sizeof *names, KINDS = sizeof kinds / sizeof *kinds };

static void decode_all(const uint8_t *data, size_t size)
{
	for (unsigned i = 0; i < KINDS; i++)
		for (size_t count = 1; count <= BLOCK; count *= 8) {
			uint8_t *out = malloc(count);
			if (!out)
				abort();
			schemes[i]->decode(data, size, out, count);
			free(out);
		}
}

static void put_word(uint8_t *at, uint32_t word)
{
	for (unsigned i = 0; i < WORD; i++)
		at[i] = (uint8_t)(word >> 8 * i);
}

/* Writes a file whose header and ends of the list are right; what the list says between them is the
   bytes', as are the blocks. */
static void write_file(const char *path, const struct el_slice *slice, const uint8_t *data, size_t size)
{
	const struct foreign f = {.source.slice = *slice};
	struct gaviota_index index;
	if (!gaviota_index_make(&f, &index))
		abort();
	const uint32_t blocks = (index.positions + BLOCK - 1) / BLOCK;
	const size_t list_end = HEADER + WORD * (2 * (size_t)blocks + 1);
	uint8_t *bytes = calloc(list_end + size, 1);
	FILE *file = fopen(path, "wb");
	if (!file || !bytes)
		abort();
	memcpy(bytes + list_end, data, size);
	for (uint32_t b = 0; b <= 2 * blocks; b++)
		put_word(bytes + HEADER + WORD * (size_t)b,
			 (uint32_t)(list_end + (b < size ? (uint64_t)data[b] * size / 256 : size)));
	put_word(bytes + 2 * WORD, BLOCK);
	put_word(bytes + 8 * WORD, (uint32_t)list_end);
	put_word(bytes + HEADER, (uint32_t)list_end);
	put_word(bytes + list_end - WORD, (uint32_t)(list_end + size));
	fwrite(bytes, 1, list_end + size, file);
	fclose(file);
	free(bytes);
}

static void probe_some(struct el_source *source)
{
	enum { PROBES = 64 };
	const struct el_slice *slice = &source->slice;
	const uint64_t step = slice->positions / PROBES + 1;
	struct el_error error;
	for (uint64_t i = 0; i < slice->planes * slice->positions; i += step) {
		struct el_position position;
		struct el_place place;
		struct el_value value;
		if (!slice->game->unplace(slice, (unsigned)(i / slice->positions),
					  i % slice->positions, &position) ||
		    !slice->game->place(&position, &place))
			continue;
		if (!source->ops->probe(source, &position, &place, false, &value, &error) &&
		    value.outcome > EL_WIN)
			abort();
	}
	source->ops->check(source, NULL, &error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char folder[] = "/tmp/fuzz_gaviota.XXXXXX", path[128];
	struct el_slice slice;
	struct el_cache *cache;
	struct el_source *source;
	struct el_error error;
	if (size < 2 || size > ROOM)
		return 0;
	const struct el_source_ops *kind = kinds[data[0] % KINDS];
	const char *name = names[data[1] % NAMES];
	decode_all(data + 2, size - 2);
	if (!mkdtemp(folder) || el_cache_open(1 << 20, &cache, NULL) ||
	    el_slice_parse(name, &slice, NULL))
		abort();
	snprintf(path, sizeof path, "%s/%s%s", folder, name, kind->extension);
	write_file(path, &slice, data + 2, size - 2);
	if (kind->open(path, cache, &source, &error))
		abort(); /* the header is right */
	probe_some(source);
	kind->close(source);
	unlink(path);
	rmdir(folder);
	el_cache_close(cache);
	return 0;
}
