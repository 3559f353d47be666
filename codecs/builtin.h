/* SPDX-License-Identifier: MIT */
/* The codecs of this folder, in the order of lists. Each has one file or folder, and one line
   here: HOT if it is compiled twice (Makefile: HOT_CODECS), else X. */
#ifndef CODECS_BUILTIN_H
#define CODECS_BUILTIN_H

#include "endlab/codec.h"

#define CODECS_BUILTIN(X, HOT) \
	X(raw)                 \
	X(rle)                 \
	X(pairs)               \
	X(zstd)                \
	X(xz)                  \
	X(rle_zstd)            \
	HOT(rans)              \
	HOT(net)

#define CODECS_DECLARE(name) extern const struct el_codec el_codec_##name;
#ifdef EL_HOT
#define CODECS_TWICE(name) CODECS_DECLARE(name##_plain) CODECS_DECLARE(name##_hot)
#else
#define CODECS_TWICE CODECS_DECLARE
#endif
CODECS_BUILTIN(CODECS_DECLARE, CODECS_TWICE)

#endif
