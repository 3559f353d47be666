/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of table that the library can open. */
#include "endlab/source.h"

const struct el_source_ops *const el_source_kinds[] = {
	&el_source_egt,
	&el_source_gaviota,
	&el_source_syzygy,
	NULL,
};
