/* SPDX-License-Identifier: MIT */
/*
 * Gives up the rights that the process does not need, for good. Should a reader of untrusted bytes
 * have a fault, whoever uses it gets no further than the process could.
 *
 * On Linux, Landlock restricts files, and seccomp refuses to run programs, to look into other
 * processes, to make sockets, and to put words into the terminal's input. Sockets and files that are
 * open already can be used as before. Both are asked for when the program runs. Elsewhere, and in
 * builds with sanitizers, whose runtimes need these rights, nothing is given up.
 */
#ifndef CORE_OS_SANDBOX_H
#define CORE_OS_SANDBOX_H

#include "endlab/status.h"

#include <stdbool.h>

/*
 * What stays allowed. A path stands for a file, or for a folder with everything in it, also what is
 * put there later. It is found once: what replaces it under the same name is another file, and one that
 * is not there yet gets no rights. Lists end with null.
 */
struct sandbox {
	const char *const *reads;  /* may be read; a null list: every file may */
	const char *const *writes; /* may be read and changed; a null list: none */
	bool changes_modes;        /* may change owners and modes of files */
	bool connects;             /* may make sockets */
};

enum { SANDBOX_NAME_MAX = 128 };

/* Names what this system has: "Landlock (ABI 2), seccomp", or "none (a build with sanitizers)". */
void sandbox_name(char out[SANDBOX_NAME_MAX]);

/* Enters the sandbox as far as the system has one. The calling thread enters, and threads that it
   starts later; for others Landlock does nothing. EL_IO: the system has one, but it cannot be entered. */
enum el_status sandbox_enter(const struct sandbox *, struct el_error *);

#endif
