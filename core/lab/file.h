/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a table file says of itself and has learned, for those who look behind the table. */
#ifndef CORE_LAB_FILE_H
#define CORE_LAB_FILE_H

#include "core/table/format.h"

struct file {
	struct table_header header;
	uint8_t *learned[2]; /* of each plane; null where nothing was; owned */
};

/* EL_DAMAGED, EL_IO, EL_MEMORY; file_free in any case. */
enum el_status file_read(const char *path, struct file *out, struct el_error *);
void file_free(struct file *);
/* The most bytes that a coder of any plane holds. */
uint64_t file_coder_bytes(const struct file *);

#endif
