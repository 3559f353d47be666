/* SPDX-License-Identifier: MIT */
/*
 * What the machine gives this process: memory and processors, or less if a resource limit or, on
 * Linux, a control group (of a container, a batch job or a service) allows less. All that is read
 * from files of Linux is read here. A port to another system supplies these two functions.
 */
#ifndef CORE_OS_MACHINE_H
#define CORE_OS_MACHINE_H

#include <limits.h>
#include <stdint.h>

struct machine_memory {
	uint64_t all;  /* bytes that this process may have, used or not; UINT64_MAX: unknown */
	uint64_t free; /* bytes of these that are free now, or held by caches of files */
	/* what allows no more: the path of a control group's file, or "ulimit -v"; empty if that is
	   the size of the machine */
	char limit[PATH_MAX + 32];
};

/* `root` is the folder that proc and the control groups are below: "", except in tests. A limit that
   cannot be read is none. */
void machine_memory(const char *root, struct machine_memory *out);
/* The processors whose time control groups allow this process, rounded up; UINT_MAX: all. Sets of
   processors (affinity, cpusets) are OpenMP's business. */
unsigned machine_processors(const char *root);

#endif
