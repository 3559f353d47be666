/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is being made has a name of its own until it is whole: .endlab-tmp-PID-N, in the folder of
 * the file that it will be. The process that makes it holds a lock on it, so that everybody else
 * can tell what was left behind by a process that was killed.
 */
#ifndef ENDLAB_TEMPORARY_H
#define ENDLAB_TEMPORARY_H

/* Removes what killed processes have left in a folder. Best effort: what cannot be removed costs
   space and nothing else. A folder that is not there is no matter. */
void el_temporaries_sweep(const char *folder);

/* Removes what this process is making. For signal handlers, just before the process dies: safe to
   be called in them, and whoever is still at work finds its file gone. */
void el_temporaries_remove(void);

#endif
