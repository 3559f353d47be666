/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the names of our own tables say: el_table_file_name makes them. */
#ifndef CORE_TABLE_FILE_NAME_H
#define CORE_TABLE_FILE_NAME_H

#include "core/games/game.h"

/* The slice and the metric of a file, by its name; false when el_table_file_name does not make such
   a name. */
bool file_name_parse(const char *path, struct el_slice *, const struct el_metric **);

/* "DIRECTORY/KQvKR.dtm.egt", "DIRECTORY/checkers-KMvK.wdl.egt". */
void el_table_file_name(const char *directory, const struct el_slice *, const struct el_metric *,
                        char *out, size_t size);

#endif
