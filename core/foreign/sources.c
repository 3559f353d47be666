/* SPDX-License-Identifier: MIT */
/* The kinds of table that the library can open, and those that it knows by name alone. */
#include "core/table/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const struct el_source_ops *const el_source_kinds[] = {
	&el_source_egt,
	&el_source_study,
	&el_source_gaviota,
	&el_source_gaviota_cp3,
	&el_source_gaviota_cp2,
	&el_source_gaviota_cp1,
	&el_source_syzygy,
	&el_source_syzygy_dtz,
	&el_source_chesstb,
	&el_source_chesstb_dtz,
	&el_source_chesstb_dtc,
	&el_source_chesstb_dtm,
	&el_source_chesstb_dtm50,
	&el_source_malom,
	&el_source_cake,
	&el_source_answers,
	NULL,
};

#define UNREAD(kind_, extension_, why)                                \
	{                                                             \
		.kind = kind_, .extension = extension_, .unread = why \
	}
#define GAVIOTA(extension)           \
	UNREAD("gaviota", extension, \
	       "uncompressed Gaviota tables are not read, only .gtb.cp1 to .gtb.cp4")
#define NALIMOV(extension) UNREAD("nalimov", extension, "Nalimov tables are not read")
#define VARIANT(letter, name)                                                                     \
	UNREAD("syzygy", "." letter "tbw", "Syzygy tables of the " name " variant are not read"), \
		UNREAD("syzygy", "." letter "tbz",                                                \
	               "Syzygy tables of the " name " variant are not read")

static const struct el_source_ops unread[] = {
	UNREAD("syzygy", ".rtbm", "Syzygy DTM tables are not read yet"),
	VARIANT("a", "atomic"),
	VARIANT("g", "giveaway"),
	VARIANT("j", "shatranj"),
	VARIANT("l", "losers"),
	VARIANT("s", "suicide"),
	GAVIOTA(".gtb"),
	GAVIOTA(".gtb.cp0"),
	NALIMOV(".nbw"),
	NALIMOV(".nbb"),
	NALIMOV(".nbw.emd"),
	NALIMOV(".nbb.emd"),
	UNREAD("malom", ".sec", "Malom tables without an order of draws are not read, only .sec2"),
	UNREAD("malom", ".secval", "it belongs to the .sec2 tables beside it"),
	UNREAD("cake", ".idx", "an index, which is read with the .cpr table of the same name"),
};

/* Do the first `length` bytes of a text end with that? */
static bool ends_with(const char *text, size_t length, const char *end)
{
	const size_t end_length = strlen(end);
	return length > end_length && !memcmp(text + length - end_length, end, end_length);
}

char *el_source_part(const char *path, const struct el_slice *slice)
{
	const char *colon = strchr(slice->name, ':');
	char *part;
	return asprintf(&part, "%s%c%s", path, EL_SOURCE_PART, colon ? colon + 1 : slice->name) < 0
	               ? NULL
	               : part;
}

size_t el_source_file_length(const char *path)
{
	const char *part = strrchr(path, EL_SOURCE_PART);
	for (const struct el_source_ops *const *kind = el_source_kinds; part && *kind; kind++)
		if ((*kind)->slices && ends_with(path, (size_t)(part - path), (*kind)->extension))
			return (size_t)(part - path);
	return strlen(path);
}

int el_source_stat(const char *path, struct stat *out)
{
	char *file = strndup(path, el_source_file_length(path));
	const int result = file ? stat(file, out) : -1;
	free(file);
	return result;
}

const struct el_source_ops *el_source_kind_of(const char *path)
{
	const size_t length = el_source_file_length(path);
	for (const struct el_source_ops *const *kind = el_source_kinds; *kind; kind++)
		if (ends_with(path, length, (*kind)->extension))
			return *kind;
	for (size_t i = 0; i < sizeof unread / sizeof *unread; i++)
		if (ends_with(path, length, unread[i].extension))
			return &unread[i];
	return NULL;
}

enum el_status el_source_check_ours(const char *path, struct el_error *error)
{
	const struct el_source_ops *kind = el_source_kind_of(path);
	if (kind && kind->unread)
		return el_fail(error, EL_NEGATIVE, "%s: %s", path, kind->unread);
	if (kind && kind->slices && el_source_file_length(path) == strlen(path))
		return el_fail(error, EL_NEGATIVE,
		               "%s: has several slices: name one of them, as lists of tables do",
		               path);
	if (kind && !kind->read)
		return el_fail(error, EL_NEGATIVE, "%s: expected a table of ours, found %s%s", path,
		               kind->covers ? "a " : "one of ", kind->kind);
	return EL_OK;
}
