/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes chosen requests for memory fail. It is linked into a separate program, whose objects call
 * it instead (ld --wrap): so it counts and refuses the requests of our own code, and those that
 * libraries make for our code and report to it; it leaves alone what libgomp, ncurses or libc
 * request for themselves.
 *
 *     ENDLAB_FAIL_AT=N     the N-th request fails, counted from 1; 0: none
 *     ENDLAB_FAIL_FOR=M    and so do the next M - 1
 *     ENDLAB_FAIL_LOG=FILE gets the numbers of requests and of steps at the end, and where the
 *                          failed requests came from, as addresses for addr2line
 *
 * In the same way it sends SIGKILL at a step of writing, and makes the clock jump:
 *
 *     ENDLAB_KILL_AT=N     the N-th step is the last, counted from 1: half of a write, a rename, a sync ...
 *     ENDLAB_CLOCK=N:S     from the N-th look at a clock on, it shows S seconds more, or less
 */
#define ZSTD_STATIC_LINKING_ONLY /* for ways to load a dictionary */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <lzma.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zdict.h>
#include <zstd.h>
#include <zstd_errors.h>

extern const char __executable_start;

static atomic_ulong asked;
static unsigned long first, last; /* those that fail */
static atomic_ulong steps, looks; /* at the clock */
static unsigned long last_step, jump_at;
static long long jump_by; /* seconds */
static atomic_int log_file = -1;

ssize_t __real_write(int fd, const void *bytes, size_t size);

static void log_line(const char *format, ...)
{
	char line[64];
	va_list arguments;
	va_start(arguments, format);
	const int length = vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	if (log_file >= 0 && __real_write(log_file, line, (size_t)length) < 0)
		_exit(99);
}

/* Does this request fail? */
static bool fails(const void *from)
{
	const unsigned long n = atomic_fetch_add(&asked, 1) + 1;
	if (n < first || n > last)
		return false;
	log_line("0x%lx\n", (unsigned long)((const char *)from - &__executable_start));
	errno = ENOMEM;
	return true;
}

#define FAILS fails(__builtin_return_address(0))

__attribute__((constructor)) static void begin(void)
{
	const char *at = getenv("ENDLAB_FAIL_AT"), *more = getenv("ENDLAB_FAIL_FOR");
	const char *log = getenv("ENDLAB_FAIL_LOG");
	first = at ? strtoul(at, NULL, 10) : 0;
	last = first ? first - 1 + (more ? strtoul(more, NULL, 10) : 1) : 0;
	const char *step = getenv("ENDLAB_KILL_AT"), *jump = getenv("ENDLAB_CLOCK");
	last_step = step ? strtoul(step, NULL, 10) : 0;
	if (jump && sscanf(jump, "%lu:%lld", &jump_at, &jump_by) != 2)
		_exit(99);
	log_file = log ? open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
}

__attribute__((destructor)) static void end(void)
{
	log_line("%lu %lu\n", atomic_load(&asked), atomic_load(&steps));
}

/* ---- what is written ---- */

/* Writing to a terminal or to memory is not a step. */
static bool is_file(int fd)
{
	struct stat is;
	return fd >= 0 && !fstat(fd, &is) && S_ISREG(is.st_mode);
}

/* Is this its last step? */
static bool is_last(void)
{
	return atomic_fetch_add(&steps, 1) + 1 == last_step;
}

/* The last write is cut in half; all other steps are done whole. */
#define STEP(type, name, parameters, words, half, counts) \
	type __real_##name parameters;                    \
	type __wrap_##name parameters;                    \
	type __wrap_##name parameters                     \
	{                                                 \
		if (!(counts) || !is_last())              \
			return __real_##name words;       \
		(void)__real_##name half;                 \
		kill(getpid(), SIGKILL);                  \
		for (;;)                                  \
			pause();                          \
	}

STEP(ssize_t, write, (int fd, const void *from, size_t size), (fd, from, size),
     (fd, from, size / 2), is_file(fd))
STEP(ssize_t, pwrite, (int fd, const void *from, size_t size, off_t at), (fd, from, size, at),
     (fd, from, size / 2, at), is_file(fd))
STEP(int, fflush, (FILE * f), (f), (f), is_file(fileno(f)))
STEP(int, fclose, (FILE * f), (f), (f), is_file(fileno(f)))
STEP(int, fsync, (int fd), (fd), (fd), true)
STEP(int, fdatasync, (int fd), (fd), (fd), true)
STEP(int, ftruncate, (int fd, off_t size), (fd, size), (fd, size), true)
STEP(int, posix_fallocate, (int fd, off_t from, off_t size), (fd, from, size), (fd, from, size / 2),
     true)
STEP(int, rename, (const char *from, const char *to), (from, to), (from, to), true)
STEP(int, link, (const char *from, const char *to), (from, to), (from, to), true)
STEP(int, unlink, (const char *path), (path), (path), true)
STEP(int, unlinkat, (int fd, const char *path, int flags), (fd, path, flags), (fd, path, flags),
     true)
STEP(int, mkdir, (const char *path, mode_t mode), (path, mode), (path, mode), true)
STEP(int, flock, (int fd, int how), (fd, how), (fd, how), true)

/* ---- clocks ---- */

/* A monotonic clock does not go back here either. */
static long long jump_of(clockid_t clock)
{
	const bool jumped = jump_by && atomic_load(&looks) >= jump_at;
	return !jumped || (clock == CLOCK_MONOTONIC && jump_by < 0) ? 0 : jump_by;
}

int __real_clock_gettime(clockid_t clock, struct timespec *out);
int __wrap_clock_gettime(clockid_t clock, struct timespec *out);
int __wrap_clock_gettime(clockid_t clock, struct timespec *out)
{
	const int answer = __real_clock_gettime(clock, out);
	atomic_fetch_add(&looks, 1);
	if (!answer && (clock == CLOCK_MONOTONIC || clock == CLOCK_REALTIME))
		out->tv_sec += jump_of(clock);
	return answer;
}

time_t __real_time(time_t *out);
time_t __wrap_time(time_t *out);
time_t __wrap_time(time_t *out)
{
	const time_t now = __real_time(NULL) + jump_of(CLOCK_REALTIME);
	if (out)
		*out = now;
	return now;
}

/* The system waits by its own clock. */
static struct timespec unshifted(const struct timespec *until)
{
	return (struct timespec){until->tv_sec - jump_of(CLOCK_MONOTONIC), until->tv_nsec};
}

int __real_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                                  const struct timespec *until);
int __wrap_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                                  const struct timespec *until);
int __wrap_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                                  const struct timespec *until)
{
	const struct timespec real = unshifted(until);
	return __real_pthread_cond_timedwait(c, m, &real);
}

int __real_pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                                  const struct timespec *until);
int __wrap_pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                                  const struct timespec *until);
int __wrap_pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                                  const struct timespec *until)
{
	const struct timespec real = unshifted(until);
	return __real_pthread_cond_clockwait(c, m, clock, &real);
}

/* ---- memory; the wrapped functions' names and results are given ---- */

#define WRAP(type, name, parameters, words, refused)            \
	type __real_##name parameters;                          \
	type __wrap_##name parameters;                          \
	type __wrap_##name parameters                           \
	{                                                       \
		return FAILS ? (refused) : __real_##name words; \
	}

WRAP(void *, malloc, (size_t size), (size), NULL)
WRAP(void *, calloc, (size_t count, size_t size), (count, size), NULL)
WRAP(void *, realloc, (void *old, size_t size), (old, size), NULL)
WRAP(void *, reallocarray, (void *old, size_t n, size_t size), (old, n, size), NULL)
WRAP(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size), NULL)
WRAP(int, posix_memalign, (void **out, size_t alignment, size_t size), (out, alignment, size),
     ENOMEM)
WRAP(char *, strdup, (const char *text), (text), NULL)
WRAP(char *, strndup, (const char *text, size_t size), (text, size), NULL)
WRAP(int, vasprintf, (char **out, const char *format, va_list arguments), (out, format, arguments),
     -1)
WRAP(void *, mmap, (void *at, size_t size, int access, int flags, int fd, off_t offset),
     (at, size, access, flags, fd, offset), MAP_FAILED)

int __real_vasprintf(char **out, const char *format, va_list arguments);
__attribute__((format(printf, 2, 3))) int __wrap_asprintf(char **out, const char *format, ...);
int __wrap_asprintf(char **out, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	const int length = FAILS ? -1 : __real_vasprintf(out, format, arguments);
	va_end(arguments);
	return length;
}

/* ---- libc functions that allocate ---- */

WRAP(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL)
WRAP(FILE *, fdopen, (int fd, const char *mode), (fd, mode), NULL)
WRAP(FILE *, open_memstream, (char **out, size_t *size), (out, size), NULL)
WRAP(ssize_t, getline, (char **text, size_t *room, FILE *file), (text, room, file), -1)
WRAP(ssize_t, getdelim, (char **text, size_t *room, int end, FILE *file), (text, room, end, file),
     -1)
WRAP(ssize_t, __getdelim, (char **text, size_t *room, int end, FILE *file), (text, room, end, file),
     -1)
WRAP(DIR *, opendir, (const char *path), (path), NULL)
WRAP(DIR *, fdopendir, (int fd), (fd), NULL)
WRAP(int, scandir,
     (const char *path, struct dirent ***out, int (*wanted)(const struct dirent *),
      int (*order)(const struct dirent **, const struct dirent **)),
     (path, out, wanted, order), -1)
WRAP(FTS *, fts_open,
     (char *const *paths, int flags, int (*order)(const FTSENT **, const FTSENT **)),
     (paths, flags, order), NULL)
WRAP(FTSENT *, fts_read, (FTS * tree), (tree), NULL)
WRAP(void *, tsearch, (const void *key, void **root, int (*order)(const void *, const void *)),
     (key, root, order), NULL)
WRAP(char *, realpath, (const char *path, char *out), (path, out), NULL)
WRAP(int, pthread_create,
     (pthread_t * out, const pthread_attr_t *attributes, void *(*run)(void *), void *context),
     (out, attributes, run, context), EAGAIN)

/* ---- libraries ---- */

static const size_t zstd_refused = (size_t)-ZSTD_error_memory_allocation;

WRAP(ZSTD_CCtx *, ZSTD_createCCtx, (void), (), NULL)
WRAP(ZSTD_DCtx *, ZSTD_createDCtx, (void), (), NULL)
WRAP(size_t, ZSTD_CCtx_setParameter, (ZSTD_CCtx * c, ZSTD_cParameter parameter, int value),
     (c, parameter, value), zstd_refused)
WRAP(size_t, ZSTD_compress2, (ZSTD_CCtx * c, void *out, size_t room, const void *in, size_t size),
     (c, out, room, in, size), zstd_refused)
WRAP(size_t, ZSTD_CCtx_loadDictionary_advanced,
     (ZSTD_CCtx * c, const void *bytes, size_t size, ZSTD_dictLoadMethod_e how,
      ZSTD_dictContentType_e kind),
     (c, bytes, size, how, kind), zstd_refused)
WRAP(size_t, ZSTD_DCtx_loadDictionary_advanced,
     (ZSTD_DCtx * c, const void *bytes, size_t size, ZSTD_dictLoadMethod_e how,
      ZSTD_dictContentType_e kind),
     (c, bytes, size, how, kind), zstd_refused)
WRAP(size_t, ZDICT_trainFromBuffer,
     (void *out, size_t room, const void *samples, const size_t *sizes, unsigned count),
     (out, room, samples, sizes, count), zstd_refused)
WRAP(lzma_ret, lzma_alone_decoder, (lzma_stream * s, uint64_t most), (s, most), LZMA_MEM_ERROR)
WRAP(lzma_ret, lzma_stream_decoder, (lzma_stream * s, uint64_t most, uint32_t flags),
     (s, most, flags), LZMA_MEM_ERROR)
WRAP(lzma_ret, lzma_stream_encoder, (lzma_stream * s, const lzma_filter *filters, lzma_check check),
     (s, filters, check), LZMA_MEM_ERROR)
WRAP(lzma_ret, lzma_raw_encoder, (lzma_stream * s, const lzma_filter *filters), (s, filters),
     LZMA_MEM_ERROR)
WRAP(lzma_ret, lzma_raw_decoder, (lzma_stream * s, const lzma_filter *filters), (s, filters),
     LZMA_MEM_ERROR)
WRAP(lzma_ret, lzma_code, (lzma_stream * s, lzma_action action), (s, action), LZMA_MEM_ERROR)
