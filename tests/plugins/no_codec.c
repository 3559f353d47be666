/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A shared object without a codec. */
extern const int no_codec;
const int no_codec = 1;
