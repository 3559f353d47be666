/* SPDX-License-Identifier: MIT */
#include "system.h"

#include "core/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

void wait_init(pthread_cond_t *condition)
{
	pthread_condattr_t monotonic;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(condition, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

bool wait_ms(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t ms)
{
	const int64_t then = (int64_t)clock_ns() + ms * 1000000;
	const struct timespec until = {then / 1000000000, then % 1000000000};
	return !pthread_cond_timedwait(condition, mutex, &until);
}

void heap_gives_back(int size)
{
#ifdef M_MMAP_THRESHOLD /* glibc; musl does so anyway */
	mallopt(M_MMAP_THRESHOLD, size);
#else
	(void)size;
#endif
}

void heap_trim(void)
{
#ifdef M_MMAP_THRESHOLD
	malloc_trim(0);
#endif
}

void file_give_back(int fd, uint64_t at, uint64_t size)
{
	fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)at, (off_t)size);
}

int file_take_room(int fd, uint64_t bytes)
{
	return posix_fallocate(fd, 0, (off_t)bytes);
}

int bell_open(void)
{
	return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

/* The counter cannot overflow in practice, so the write cannot fail. */
void bell_ring(int bell)
{
	const uint64_t one = 1;
	const int error = errno; /* a signal handler may run anywhere */
	const ssize_t written = write(bell, &one, sizeof one);
	(void)written;
	errno = error;
}

void bell_hush(int bell)
{
	uint64_t count;
	const ssize_t got = read(bell, &count, sizeof count);
	(void)got;
}

int socket_accept(int listener, struct sockaddr *address, socklen_t *size)
{
	return accept4(listener, address, size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

void program_again(char **argv)
{
	execv("/proc/self/exe", argv);
}

void program_name(const char *name)
{
	prctl(PR_SET_NAME, name);
}

void processor_name(char *out, size_t size)
{
	struct utsname name;
	char text[4096] = "";
	snprintf(out, size, "%s", uname(&name) ? "unknown" : name.machine);
	/* The first "model name : ..." is near the beginning of the file. Nothing is allocated, so
	   this cannot fail for lack of memory. */
	const int fd = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
	const ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	const char *line = length > 0 ? strstr(text, "model name") : NULL;
	const char *colon = line ? strchr(line, ':') : NULL;
	if (colon)
		snprintf(out, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
}

struct thread_use thread_use(void)
{
	struct rusage use;
	return getrusage(RUSAGE_THREAD, &use) ? (struct thread_use){0}
	                                      : (struct thread_use){use.ru_nivcsw, use.ru_majflt,
	                                                            use.ru_minflt, use.ru_inblock};
}
