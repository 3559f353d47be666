/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files.h"
#include "utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

/* ---- places ---- */

static bool place(const char *variable, const char *below_home, const char *name,
                  char out[PATH_MAX])
{
	const char *folder = getenv(variable), *home = getenv("HOME");
	const char *slash = *name ? "/" : "";
	int length = 0;
	if (folder && *folder == '/')
		length = snprintf(out, PATH_MAX, "%s/endlab%s%s", folder, slash, name);
	else if (home && *home)
		length = snprintf(out, PATH_MAX, "%s/%s/endlab%s%s", home, below_home, slash, name);
	return length > 0 && length < PATH_MAX;
}

bool place_of_state(const char *name, char out[PATH_MAX])
{
	return place("XDG_STATE_HOME", ".local/state", name, out);
}

bool place_of_cache(const char *name, char out[PATH_MAX])
{
	return place("XDG_CACHE_HOME", ".cache", name, out);
}

bool place_of_typed(const char *typed, char out[PATH_MAX])
{
	const char *home = getenv("HOME");
	const bool below = home && *typed == '~' && (!typed[1] || typed[1] == '/');
	return snprintf(out, PATH_MAX, "%s%s", below ? home : "", typed + below) < PATH_MAX;
}

void place_make_folders(const char *file)
{
	char path[PATH_MAX];
	if (!*file || snprintf(path, sizeof path, "%s", file) >= PATH_MAX)
		return;
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

char *place_past_links(const char *path)
{
	char link[PATH_MAX], *past = realpath(path, NULL);
	if (past)
		return past;
	const ssize_t length = readlink(path, link, sizeof link - 1);
	if (length < 0)
		return strdup(path);
	link[length] = '\0';
	const char *slash = strrchr(path, '/');
	const int folder = *link == '/' || !slash ? 0 : (int)(slash - path) + 1;
	return asprintf(&past, "%.*s%s", folder, path, link) < 0 ? NULL : past;
}

/* ---- texts that are read ---- */

enum packing { PLAIN, GZIP, ZSTD };

static const struct {
	const char *magic, *name;
} packings[] = {[GZIP] = {"\x1F\x8B", "gzip"}, [ZSTD] = {"\x28\xB5\x2F\xFD", "zstd"}};

struct unpacking {
	enum packing packing;
	bool open, ended; /* within what is packed; the file has ended */
	z_stream gzip;
	ZSTD_DStream *zstd;
	size_t start, end; /* of the packed bytes */
	unsigned char bytes[1 << 16];
};

/* How the bytes are packed; -1 if they are the beginning of a magic number. */
static int packing_of(const unsigned char *bytes, size_t length)
{
	for (int p = GZIP; p <= ZSTD; p++) {
		const size_t size = strlen(packings[p].magic);
		if (!memcmp(bytes, packings[p].magic, length < size ? length : size))
			return length < size ? -1 : p;
	}
	return PLAIN;
}

static ssize_t fail_damaged(struct text_file *t, const char *why)
{
	el_fail(&t->error, EL_DAMAGED, "%s: packed by %s, and %s", t->name,
	        packings[t->packed->packing].name, why);
	errno = EBADMSG;
	return -1;
}

/* Unpacks some bytes behind those in `bytes`; 0 at the end. */
static ssize_t unpack(struct text_file *t)
{
	struct unpacking *u = t->packed;
	unsigned char *const to = t->bytes + t->end;
	const size_t room = sizeof t->bytes - t->end;
	if (!u) {
		const ssize_t n = read(t->fd, to, room);
		t->end += n > 0 ? (size_t)n : 0;
		return n;
	}
	for (;;) {
		size_t taken, made;
		if (u->start == u->end && !u->ended) {
			const ssize_t n = read(t->fd, u->bytes, sizeof u->bytes);
			if (n < 0)
				return -1;
			u->start = 0;
			u->end = (size_t)n;
			u->ended = !n;
		}
		if (u->start == u->end)
			return u->open ? fail_damaged(t, "its end is missing") : 0;
		if (u->packing == GZIP) {
			u->gzip.next_in = u->bytes + u->start;
			u->gzip.avail_in = (unsigned)(u->end - u->start);
			u->gzip.next_out = to;
			u->gzip.avail_out = (unsigned)room;
			const int code = inflate(&u->gzip, Z_NO_FLUSH);
			taken = u->end - u->start - u->gzip.avail_in;
			made = room - u->gzip.avail_out;
			if (code != Z_OK && code != Z_BUF_ERROR && code != Z_STREAM_END)
				return fail_damaged(t, "damaged");
			u->open = code != Z_STREAM_END;
			if (!u->open) /* another one may follow */
				inflateReset(&u->gzip);
		} else {
			ZSTD_inBuffer in = {u->bytes + u->start, u->end - u->start, 0};
			ZSTD_outBuffer out = {to, room, 0};
			const size_t code = ZSTD_decompressStream(u->zstd, &out, &in);
			if (ZSTD_isError(code))
				return fail_damaged(t, "damaged");
			taken = in.pos;
			made = out.pos;
			u->open = code;
		}
		u->start += taken;
		t->end += made;
		if (made)
			return (ssize_t)made;
	}
}

/* Reads the first bytes, and looks what they are. */
static bool begin(struct text_file *t)
{
	ssize_t n = 1;
	int packing = -1;
	while (packing < 0 && n > 0 && (n = unpack(t)) >= 0)
		packing = t->end ? packing_of(t->bytes, t->end) : PLAIN;
	if (n < 0)
		return false;
	if (packing > PLAIN) {
		struct unpacking *u = calloc(1, sizeof *u);
		t->packed = u;
		if (!u)
			return false;
		u->packing = (enum packing)packing;
		u->end = t->end;
		memcpy(u->bytes, t->bytes, t->end);
		t->end = 0;
		u->zstd = packing == ZSTD ? ZSTD_createDStream() : NULL;
		if (packing == ZSTD ? !u->zstd : inflateInit2(&u->gzip, 15 + 16) != Z_OK) {
			errno = ENOMEM;
			return false;
		}
		n = unpack(t);
	}
	while (n > 0 && t->end == 1 && *t->bytes >= 0xFE)
		n = unpack(t);
	if (n < 0)
		return false;
	t->wide = t->end >= 2 && t->bytes[0] + t->bytes[1] == 0xFF + 0xFE && *t->bytes >= 0xFE;
	t->big = *t->bytes == 0xFE;
	t->start = t->wide ? 2 : 0;
	t->begun = true;
	return true;
}

/* A half of a pair that stands alone becomes U+FFFD. Stops where the next character has no room. */
static size_t narrow(struct text_file *t, char *out, size_t room)
{
	size_t used = 0;
	for (; t->end - t->start >= 2; t->start += 2) {
		const unsigned char *two = t->bytes + t->start;
		uint32_t c = (uint32_t)(t->big ? two[0] << 8 | two[1] : two[1] << 8 | two[0]);
		const bool low = c >= 0xDC00 && c < 0xE000, alone = t->high && !low;
		c = low ? t->high ? 0x10000 + ((t->high - 0xD800) << 10) + (c - 0xDC00) : 0xFFFD
		        : c;
		const uint32_t high = c >= 0xD800 && c < 0xDC00 ? c : 0;
		const size_t size = high ? 0 : c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
		if (used + 3 * alone + size > room)
			break;
		if (alone)
			used += utf8_encode(0xFFFD, out + used);
		if (!high)
			used += utf8_encode(c, out + used);
		t->high = high;
	}
	return used;
}

ssize_t text_read(void *text_file, char *out, size_t room)
{
	struct text_file *t = text_file;
	if (!t->begun && !begin(t))
		return -1;
	for (;;) {
		size_t used = t->wide                    ? narrow(t, out, room)
		              : t->end - t->start < room ? t->end - t->start
		                                         : room;
		if (!t->wide) {
			memcpy(out, t->bytes + t->start, used);
			t->start += used;
		}
		if (used)
			return (ssize_t)used;
		t->end -= t->start;
		memmove(t->bytes, t->bytes + t->start, t->end);
		t->start = 0;
		const ssize_t n = unpack(t);
		if (n <= 0)
			return n;
	}
}

bool text_seek(struct text_file *t, uint64_t offset)
{
	char skipped[1 << 12];
	if (!t->begun && !begin(t))
		return false;
	if (!t->packed && !t->wide) {
		t->start = t->end = 0;
		return lseek(t->fd, (off_t)offset, SEEK_SET) >= 0;
	}
	for (ssize_t n = 1; offset && n; offset -= (uint64_t)n) {
		n = text_read(t, skipped,
		              offset < sizeof skipped ? (size_t)offset : sizeof skipped);
		if (n < 0)
			return false;
	}
	return true;
}

void text_free(struct text_file *t)
{
	if (!t->packed)
		return;
	inflateEnd(&t->packed->gzip);
	ZSTD_freeDStream(t->packed->zstd);
	free(t->packed);
	t->packed = NULL;
}

/* ---- files that are written ---- */

/* Is there a file of packed bytes? */
static bool is_packed(const char *path)
{
	unsigned char bytes[8];
	const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	const ssize_t n = fd < 0 ? 0 : read(fd, bytes, sizeof bytes);
	if (fd >= 0)
		close(fd);
	return n > 0 && packing_of(bytes, (size_t)n) > PLAIN;
}

enum el_status whole_file_open(const char *path, struct whole_file *out, struct el_error *error)
{
	struct stat is;
	*out = (struct whole_file){.path = path, .real = place_past_links(path)};
	enum el_status status =
		out->real ? EL_OK : el_fail(error, EL_MEMORY, "%s: out of memory", path);
	if (!status && is_packed(out->real))
		status = el_fail(
			error, EL_NEGATIVE,
			"%s is packed, and plain text would take its place: name another file",
			path);
	if (!status)
		status = el_temporary_file(out->real, &out->temporary, error);
	if (status) {
		free(out->real);
		return status;
	}
	if (!stat(out->real, &is) && S_ISREG(is.st_mode)) {
		/* Another group must not get the rights of the old one. */
		const int fd = out->temporary.fd;
		const bool keeps =
			!fchown(fd, is.st_uid, is.st_gid) || !fchown(fd, (uid_t)-1, is.st_gid);
		fchmod(fd, is.st_mode & (keeps ? 0777 : 0707));
	}
	const int fd = dup(out->temporary.fd);
	out->stream = fd < 0 ? NULL : fdopen(fd, "w");
	if (out->stream)
		return EL_OK;
	if (fd >= 0)
		close(fd);
	el_temporary_remove(&out->temporary);
	free(out->real);
	return el_fail(error, EL_IO, "%s: cannot create: %m", path);
}

enum el_status whole_file_close(struct whole_file *file, enum el_status status,
                                struct el_error *error)
{
	if (!file->stream)
		return status;
	const bool written = !fflush(file->stream) && !ferror(file->stream);
	if (!status && !written)
		status = el_fail(error, EL_IO, "%s: cannot write: %m", file->path);
	if (fclose(file->stream) && !status)
		status = el_fail(error, EL_IO, "%s: cannot close: %m", file->path);
	if (status)
		el_temporary_remove(&file->temporary);
	else
		status = el_temporary_publish(&file->temporary, file->real, error);
	free(file->real);
	*file = (struct whole_file){0};
	return status;
}
