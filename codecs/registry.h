/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a plug-in joins the list. */
#ifndef CODECS_REGISTRY_H
#define CODECS_REGISTRY_H

#include "endlab/codec.h"

/* The codec stays valid for ever. False when the list is full. */
bool registry_add(const struct el_codec *);

#endif
