/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Made-up figures for the screens of Lab: those of real runs differ from machine to machine. */
#ifndef ENDLAB_TESTS_SCREENS_LAB_H
#define ENDLAB_TESTS_SCREENS_LAB_H

#include "tui/views/lab/lab.h"

/* Stands for el_lab_run. A candidate of blocks of 512 positions fails. */
enum el_status screens_lab_run(const struct el_lab_setup *, const struct el_watch *,
                               struct el_error *);
/* The run that waits has measured so many candidates, and says how far it is. */
void screens_lab_deliver(struct model *, size_t candidates);
/* These are the candidates now; words as at the prompt, with ';' between them. */
bool screens_lab_candidates(struct model *, char *words);

#endif
