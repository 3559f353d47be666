/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "clipboard.h"
#include "core/base/text.h"
#include "tui/text/utf8.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ---- in ---- */

static const char end_marker[] = "\033[201~";

void paste_begin(struct paste *p)
{
	p->length = p->matched = 0;
	p->silence = 0;
	p->cut = p->after_return = false;
}

static void add(struct paste *p, unsigned char byte)
{
	bool second_half = p->after_return && byte == '\n'; /* of a two-byte line end */
	p->after_return = byte == '\r';
	if (second_half || !byte)
		return;
	if (p->length < PASTE_MAX)
		p->text[p->length++] = (char)(byte == '\r' ? '\n' : byte);
	else
		p->cut = true;
}

/* The marker's only escape is its first byte, so after a mismatch matching can only start over. */
bool paste_take(struct paste *p, unsigned char byte)
{
	if (byte == (unsigned char)end_marker[p->matched])
		return ++p->matched == sizeof end_marker - 1;
	for (size_t i = 0; i < p->matched; i++)
		add(p, (unsigned char)end_marker[i]);
	p->matched = byte == (unsigned char)end_marker[0];
	if (!p->matched)
		add(p, byte);
	return false;
}

/* In place: no character gets longer. */
void paste_end(struct paste *p)
{
	const char *from = p->text;
	char *to = p->text;
	p->text[p->length] = '\0';
	while (*from) {
		uint32_t c = utf8_decode(&from);
		char bytes[4];
		const bool passes = c == '\n' || c == '\t' || !el_is_control(c);
		const size_t length = passes ? utf8_encode(c, bytes) : 0;
		memcpy(to, bytes, length);
		to += length;
	}
	*to = '\0';
	p->length = (size_t)(to - p->text);
}

bool paste_read(struct paste *p, int fd)
{
	enum { PAUSE_MS = 100, SILENCE_MS = 5000, AT_ONCE = 64 << 10 };
	for (ssize_t taken = 0, got = 1; taken < AT_ONCE;) {
		struct pollfd in = {.fd = fd, .events = POLLIN};
		int ready, waiting = 0;
		bool ended = false;
		while ((ready = poll(&in, 1, PAUSE_MS)) < 0 && errno == EINTR)
			;
		p->silence = ready ? 0 : p->silence + PAUSE_MS;
		if (!ready && p->silence < SILENCE_MS)
			return false;
		if (ready > 0 && ioctl(fd, FIONREAD, &waiting))
			waiting = 0;
		/* Reads no more than the end marker lacks: what follows it is not for us. */
		do {
			unsigned char bytes[sizeof end_marker - 1];
			const size_t lacks = sizeof bytes - p->matched,
				     room = waiting > 1 ? (size_t)waiting : 1;
			got = ready > 0 ? read(fd, bytes, lacks < room ? lacks : room) : 0;
			for (ssize_t i = 0; i < got; i++)
				ended = paste_take(p, bytes[i]);
			taken += got;
			waiting -= (int)got;
		} while (waiting > 0 && got > 0 && !ended);
		if (!ended && got > 0)
			continue;
		paste_end(p); /* by the marker, by silence, or because nothing more can come */
		return true;
	}
	return false;
}

/* ---- out ---- */

size_t copy_sequence(const char *text, char out[COPY_SEQUENCE_MAX])
{
	static const char
		opening[] = "\033]52;c;",
		digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t length = strlen(text), at = sizeof opening - 1;
	if (length > COPY_MAX)
		return 0;
	memcpy(out, opening, at);
	/* Three bytes, or the last one or two, as four digits. */
	for (size_t i = 0; i < length; i += 3) {
		uint32_t bits = 0;
		for (size_t k = i; k < i + 3; k++)
			bits = bits << 8 | (k < length ? (unsigned char)text[k] : 0);
		for (size_t k = 0; k < 4; k++)
			out[at++] = k > length - i ? '=' : digits[bits >> (18 - 6 * k) & 63];
	}
	out[at++] = '\a';
	return at;
}
