/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CODECS_PLUGIN_H
#define CODECS_PLUGIN_H

#include "codecs.h"

/* Like el_codec_load, but the reason does not name the file. */
enum el_status plugin_load(const char *path, struct el_error *);

#endif
