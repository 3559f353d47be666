/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Makefile writes the positions into samples.inc. */
#include "samples.h"

static const struct sample samples[] = {
#include "samples.inc"
};
enum { SAMPLES = sizeof samples / sizeof *samples };

const struct sample *sample_at(size_t i)
{
	return i < SAMPLES ? &samples[i] : NULL;
}
