/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The codecs of this folder: one file and one line here each, in the order of lists. */
#ifndef CODECS_BUILTIN_H
#define CODECS_BUILTIN_H

#define CODECS_BUILTIN(X) \
	X(raw)            \
	X(rle)            \
	X(pairs)          \
	X(zstd)           \
	X(xz)

#endif
