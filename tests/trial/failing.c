/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that cannot be had, at a place that is chosen. Linked into a program of its own, whose
 * objects ask here instead (ld --wrap): so it is our own code whose requests are counted and refused,
 * and those that libraries make for it where it sees the answer; what libgomp, ncurses or libc do
 * for themselves is left alone.
 *
 *     ENDLAB_FAIL_AT=N     the N-th request fails, counted from 1; 0: none
 *     ENDLAB_FAIL_FOR=M    and so do the next M - 1
 *     ENDLAB_FAIL_LOG=FILE at the end: how many requests there were, and where those came from that
 *                          failed, as addresses for addr2line
 */
#define ZSTD_STATIC_LINKING_ONLY /* for ways to load a dictionary */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <lzma.h>
#include <pthread.h>
#include <search.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zdict.h>
#include <zstd.h>
#include <zstd_errors.h>

extern const char __executable_start;

static atomic_ulong asked;
static unsigned long first, last; /* those that fail */
static atomic_int log_file = -1;

static void log_line(const char *format, ...)
{
	char line[64];
	va_list arguments;
	va_start(arguments, format);
	const int length = vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	if (log_file >= 0 && write(log_file, line, (size_t)length) < 0)
		_exit(99);
}

/* Is this the one? */
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
	log_file = log ? open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
}

__attribute__((destructor)) static void end(void)
{
	log_line("%lu\n", atomic_load(&asked));
}

/* ---- memory; what the wrapped functions are called, and what they answer, is not ours to choose ---- */

#define WRAP(type, name, parameters, words, refused) \
	type __real_##name parameters;               \
	type __wrap_##name parameters;               \
	type __wrap_##name parameters                \
	{                                            \
		return FAILS ? (refused) : __real_##name words; \
	}

WRAP(void *, malloc, (size_t size), (size), NULL)
WRAP(void *, calloc, (size_t count, size_t size), (count, size), NULL)
WRAP(void *, realloc, (void *old, size_t size), (old, size), NULL)
WRAP(void *, reallocarray, (void *old, size_t n, size_t size), (old, n, size), NULL)
WRAP(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size), NULL)
WRAP(int, posix_memalign, (void **out, size_t alignment, size_t size), (out, alignment, size), ENOMEM)
WRAP(char *, strdup, (const char *text), (text), NULL)
WRAP(char *, strndup, (const char *text, size_t size), (text, size), NULL)
WRAP(int, vasprintf, (char **out, const char *format, va_list arguments), (out, format, arguments), -1)
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

/* ---- libc, which needs memory of its own ---- */

WRAP(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL)
WRAP(FILE *, fdopen, (int fd, const char *mode), (fd, mode), NULL)
WRAP(FILE *, open_memstream, (char **out, size_t *size), (out, size), NULL)
WRAP(ssize_t, getline, (char **text, size_t *room, FILE *file), (text, room, file), -1)
WRAP(ssize_t, getdelim, (char **text, size_t *room, int end, FILE *file), (text, room, end, file), -1)
WRAP(ssize_t, __getdelim, (char **text, size_t *room, int end, FILE *file), (text, room, end, file), -1)
WRAP(DIR *, opendir, (const char *path), (path), NULL)
WRAP(DIR *, fdopendir, (int fd), (fd), NULL)
WRAP(int, scandir,
     (const char *path, struct dirent ***out, int (*wanted)(const struct dirent *),
      int (*order)(const struct dirent **, const struct dirent **)),
     (path, out, wanted, order), -1)
WRAP(FTS *, fts_open, (char *const *paths, int flags, int (*order)(const FTSENT **, const FTSENT **)),
     (paths, flags, order), NULL)
WRAP(FTSENT *, fts_read, (FTS *tree), (tree), NULL)
WRAP(void *, tsearch, (const void *key, void **root, int (*order)(const void *, const void *)),
     (key, root, order), NULL)
WRAP(char *, realpath, (const char *path, char *out), (path, out), NULL)
WRAP(int, pthread_create,
     (pthread_t *out, const pthread_attr_t *attributes, void *(*run)(void *), void *context),
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
WRAP(lzma_ret, lzma_stream_encoder,
     (lzma_stream * s, const lzma_filter *filters, lzma_check check), (s, filters, check),
     LZMA_MEM_ERROR)
WRAP(lzma_ret, lzma_raw_encoder, (lzma_stream * s, const lzma_filter *filters), (s, filters),
     LZMA_MEM_ERROR)
WRAP(lzma_ret, lzma_raw_decoder, (lzma_stream * s, const lzma_filter *filters), (s, filters),
     LZMA_MEM_ERROR)
WRAP(lzma_ret, lzma_code, (lzma_stream * s, lzma_action action), (s, action), LZMA_MEM_ERROR)
