/* SPDX-License-Identifier: MIT */
#include "system.h"

#include "core/base/clock.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
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

long thread_switches(void)
{
	struct rusage use;
	return getrusage(RUSAGE_THREAD, &use) ? 0 : use.ru_nivcsw;
}
