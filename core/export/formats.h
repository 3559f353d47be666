/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats of this folder, for their list. */
#ifndef CORE_EXPORT_FORMATS_H
#define CORE_EXPORT_FORMATS_H

#include "export.h"

extern const struct el_export_format export_npy, export_raw, export_csv, export_syzygy;

#endif
