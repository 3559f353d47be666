/* SPDX-License-Identifier: MIT */
/* What POSIX lacks, and systems have each in their own way or not at all. */
#ifndef CORE_OS_SYSTEM_H
#define CORE_OS_SYSTEM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* A condition for wait_ms; pthread_cond_destroy ends it. */
void wait_init(pthread_cond_t *);
/* Waits on it for so many milliseconds of a clock that nobody sets; false: they are over. */
bool wait_ms(pthread_cond_t *, pthread_mutex_t *, int64_t ms);

/* malloc gives what it frees back to the system at once, in blocks of `size` bytes or more: blocks
   of many sizes would leave holes in the heap. */
void heap_gives_back(int size);
/* And the rest now. */
void heap_trim(void);

/* Frees a part of a file that is read no more. Its length stays; without that ability of the file
   system, so does the part. */
void file_give_back(int fd, uint64_t at, uint64_t size);

/* Gives a file that many bytes of the disk, in zeros. An errno: ENOSPC if there is no room. */
int file_take_room(int fd, uint64_t bytes);

/* A bell rings on one thread, or in a signal handler, for another that waits in poll. Its descriptor is
   readable until it is hushed; below 0: none, with errno set. */
int bell_open(void);
void bell_ring(int bell);
void bell_hush(int bell);

/* Accepts a connection, whose descriptor does not block and is closed on exec; below 0: accept's
   error. */
int socket_accept(int listener, struct sockaddr *, socklen_t *size);

/* Starts the program again with the same arguments and the environment as it is now. Returns only if
   that fails, or where it cannot be done. */
void program_again(char **argv);
/* The name by which the system lists the process. */
void program_name(const char *name);

/* The processor's name, or as much of one as is known: "AMD EPYC", "aarch64". */
void processor_name(char *out, size_t size);
/* What this thread has met since it began; all 0: not known. */
struct thread_use {
	long switches;     /* another thread took its processor */
	long major, minor; /* page faults: those that waited for a disk, and the others */
	long sectors;      /* of 512 bytes, read from disks for it */
};
struct thread_use thread_use(void);

#endif
