/* SPDX-License-Identifier: MIT */
/* The codecs of this folder, in the order of lists. Each has one file or folder, and one line here. */
#ifndef CODECS_BUILTIN_H
#define CODECS_BUILTIN_H

#include "endlab/codec.h"

#define CODECS_BUILTIN(X) \
	X(raw)            \
	X(rle)            \
	X(pairs)          \
	X(zstd)           \
	X(xz)             \
	X(rle_zstd)       \
	X(rans)           \
	X(net)

#define CODECS_DECLARE(name) extern const struct el_codec el_codec_##name;
CODECS_BUILTIN(CODECS_DECLARE)

#endif
