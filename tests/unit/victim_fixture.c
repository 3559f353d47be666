/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "victim_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* ---- the layout, as core/store/table_format.h describes it ---- */

uint64_t victim_crc64(const uint8_t *bytes, size_t size)
{
	uint64_t crc = UINT64_MAX;
	for (size_t i = 0; i < size; i++) {
		crc ^= bytes[i];
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? UINT64_C(0xc96c5795d7870f42) : 0);
	}
	return ~crc;
}

uint32_t victim_crc32(const uint8_t *bytes, size_t size)
{
	uint32_t crc = UINT32_MAX;
	for (size_t i = 0; i < size; i++) {
		crc ^= bytes[i];
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
	}
	return ~crc;
}

uint64_t victim_number(const uint8_t *bytes, size_t at, unsigned size)
{
	uint64_t number = 0;
	for (unsigned i = size; i-- > 0;)
		number = number << 8 | bytes[at + i];
	return number;
}

void victim_set(uint8_t *bytes, size_t at, unsigned size, uint64_t number)
{
	for (unsigned i = 0; i < size; i++)
		bytes[at + i] = (uint8_t)(number >> 8 * i);
}

/* ---- victims ---- */

struct victim victim_under(const struct el_metric *metric, const char *slice,
                                  const struct el_table_options *options)
{
	struct victim v = {.path = fixture_path(folder, "victim.egt")};
	struct el_planes planes = fixture_planes(slice, metric, 10);
	fixture_write(v.path, &planes, options);
	v.bytes = fixture_read_file(v.path, &v.size);
	v.header = victim_number(v.bytes, 12, 4);
	v.directory = victim_number(v.bytes, 32, 8);
	v.entries = v.directory + victim_number(v.bytes, 176, 4) + victim_number(v.bytes, 180, 4);
	v.size_bytes = v.bytes[67];
	el_planes_free(&planes);
	return v;
}

struct victim victim_of(const char *slice, const struct el_table_options *options)
{
	return victim_under(&el_dtm, slice, options);
}

struct victim victim_in(const char *codec)
{
	struct el_table_options o = fixture_options(codec, 16384, EL_FILL_PREVIOUS);
	return victim_of("KQvK", &o);
}

size_t victim_entry(const struct victim *v, unsigned block)
{
	return v->entries + block * (v->size_bytes + 4);
}

uint64_t victim_block_size(const struct victim *v, unsigned block)
{
	return victim_number(v->bytes, victim_entry(v, block), v->size_bytes);
}

uint64_t victim_block_checksum(const struct victim *v, unsigned block)
{
	return victim_number(v->bytes, victim_entry(v, block) + v->size_bytes, 4);
}

void victim_seal_header(const struct victim *v, uint8_t *bytes)
{
	victim_set(bytes, v->header - 8, 8, victim_crc64(bytes, v->header - 8));
}

void victim_seal_directory(const struct victim *v, uint8_t *bytes, size_t size)
{
	victim_set(bytes, 192, 8, victim_crc64(bytes + v->directory, size - v->directory));
	victim_seal_header(v, bytes);
}

/* Opens and reads the whole file; the words of the first fault. */
static enum el_status read_whole(const char *path, struct el_error *error)
{
	struct el_table *table;
	enum el_status status = el_table_open(path, &table, error);
	if (status)
		return status;
	struct el_planes planes;
	status = el_table_read(table, &planes, error);
	if (!status)
		el_planes_free(&planes);
	el_table_close(table);
	return status;
}

void victim_refused(const struct victim *v, enum el_status expected, const char *words)
{
	struct el_error error = {.text = ""};
	enum el_status status = read_whole(v->path, &error);
	if (status != expected || !strstr(error.text, words))
		print_error("expected '%s', found status %d: %s\n", words, status, error.text);
	assert_int_equal(status, expected);
	assert_non_null(strstr(error.text, words));
	assert_non_null(strstr(error.text, v->path));
}

void victim_damaged(const struct victim *v, const char *words)
{
	victim_refused(v, EL_DAMAGED, words);
}
