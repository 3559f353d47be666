/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One table: what was found before, the proof, what is kept. */
#ifndef CORE_EXAMINE_VERIFY_ONE_H
#define CORE_EXAMINE_VERIFY_ONE_H

#include "verify.h"

/* Fills the result but for its number. `memory`: bytes that there are. */
void verify_one(struct el_library *, const struct el_verify_task *,
                const struct el_verify_options *, uint64_t memory, const struct el_watch *,
                struct el_verify_result *out);

/* Bytes at the peak of a whole proof. */
uint64_t verify_bytes(const struct el_slice *, const struct el_metric *);

#endif
