/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of this folder share: the engine's facade stands on the library and on nothing
   below it. */
#ifndef CORE_ENGINE_ENGINE_H
#define CORE_ENGINE_ENGINE_H

#include "core/library/library.h"
#include "endlab/engine.h"

#include <stdatomic.h>

struct el_engine {
	struct el_library *library;
	_Atomic unsigned pieces; /* of the largest chess table */
};

#endif
