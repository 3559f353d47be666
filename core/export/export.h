/* SPDX-License-Identifier: MIT */
/*
 * Tables for other programs: writes the values of a slice in a file format that they read. A format
 * is one file in core/export and one line in core/export/formats.c.
 *
 *     el_export_format_parse("npy") -> el_export
 */
#ifndef CORE_EXPORT_EXPORT_H
#define CORE_EXPORT_EXPORT_H

#include "core/library/library.h"

/* What to export, and where to. */
struct el_export {
	struct el_library *library;
	struct el_slice slice;
	/* null: every metric that the format takes, or that has a table */
	const struct el_metric *metric;
	const char *directory;        /* created with its parents if missing */
	bool replace;                 /* existing files of the same names */
	const struct el_watch *watch; /* may be null */
	void *context;
	/* Called after each file is in place; may be null. */
	void (*written)(void *context, const char *path, uint64_t bytes);
};

struct outputs;

struct el_export_format {
	const char *name;  /* "npy" */
	const char *title; /* for help: "NumPy arrays" */
	/* Whether files of the format can hold the slice and the metric, if not null; EL_NEGATIVE, EL_USAGE.
	   Null: those of every game. */
	enum el_status (*check)(const struct el_slice *, const struct el_metric *,
	                        struct el_error *);
	/* Does what el_export promises. The directory exists, and el_export_check was passed. */
	enum el_status (*write)(const struct el_export_format *, const struct el_export *,
	                        struct el_error *);
	/* The rest is of formats whose files hold the values of one metric, which tables_write writes. */
	bool with_arrays; /* a file for each (arrays.h), else a single one */
	bool with_header;
	/* Writes all of a table's files, but not the description. Broken indexes are marked in the
	   planes. */
	enum el_status (*fill)(const struct outputs *, const struct el_planes *, bool with_header,
	                       struct el_error *);
};

/* All formats, null-terminated, in the order of help. */
extern const struct el_export_format *const el_export_formats[];

/* The format of that name. EL_USAGE names the known ones. */
enum el_status el_export_format_parse(const char *name, const struct el_export_format **out,
                                      struct el_error *);

/* Could there be files of the format of a slice, under a metric or all (null)? EL_USAGE if the game or the
   format lacks the metric; EL_NEGATIVE if the format cannot hold the slice. */
enum el_status el_export_check(const struct el_export_format *, const struct el_slice *,
                               const struct el_metric *, struct el_error *);

/*
 * Writes the files of a slice. Files that belong together get their names once all of them are
 * complete; a failure, or a stop by the watch, leaves no other files behind. EL_USAGE if the game
 * lacks the metric, or a file of that name exists and `replace` is not set; EL_NEGATIVE if there is
 * no table, or the format cannot hold the slice; EL_IO, EL_MEMORY, EL_STOPPED; and errors of
 * el_library_planes.
 */
enum el_status el_export(const struct el_export_format *, const struct el_export *,
                         struct el_error *);

#endif
