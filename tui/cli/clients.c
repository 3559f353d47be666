/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "clients.h"

#include "core/base/hash.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- addresses ---- */

static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};

static bool is_mapped(struct address a)
{
	return !memcmp(a.bytes, mapped, sizeof mapped);
}

struct address address_of(const struct sockaddr *from)
{
	struct address a = {{0}};
	if (from->sa_family == AF_INET6) {
		memcpy(a.bytes, &((const struct sockaddr_in6 *)(const void *)from)->sin6_addr, 16);
	} else if (from->sa_family == AF_INET) {
		memcpy(a.bytes, mapped, sizeof mapped);
		memcpy(a.bytes + sizeof mapped,
		       &((const struct sockaddr_in *)(const void *)from)->sin_addr, 4);
	}
	return a;
}

bool address_read(const char *text, struct address *out)
{
	char bare[ADDRESS_TEXT_MAX];
	const size_t length = strlen(text);
	const bool brackets = length > 2 && *text == '[' && text[length - 1] == ']';
	if (length - 2 * brackets >= sizeof bare)
		return false;
	snprintf(bare, sizeof bare, "%.*s", (int)(length - 2 * brackets), text + brackets);
	memcpy(out->bytes, mapped, sizeof mapped);
	return inet_pton(AF_INET, bare, out->bytes + sizeof mapped) == 1 ||
	       inet_pton(AF_INET6, bare, out->bytes) == 1;
}

void address_write(struct address a, char out[ADDRESS_TEXT_MAX])
{
	if (is_mapped(a))
		inet_ntop(AF_INET, a.bytes + sizeof mapped, out, ADDRESS_TEXT_MAX);
	else
		inet_ntop(AF_INET6, a.bytes, out, ADDRESS_TEXT_MAX);
}

bool address_is_loopback(struct address a)
{
	static const uint8_t one[16] = {[15] = 1};
	return is_mapped(a) ? a.bytes[12] == 127 : !memcmp(a.bytes, one, sizeof one);
}

/* One customer's network has 64 bits of its own. */
bool address_same_client(struct address a, struct address b)
{
	const size_t size = is_mapped(a) || is_mapped(b) ? sizeof a.bytes : 8;
	return !memcmp(a.bytes, b.bytes, size);
}

/* ---- clients ---- */

struct client *clients_find(struct clients *clients, struct address address)
{
	uint64_t halves[2];
	memcpy(halves, address.bytes, sizeof halves);
	const uint64_t hash = (halves[0] ^ (is_mapped(address) ? halves[1] : 0)) * HASH_FACTOR;
	struct client **row = &clients->rows[(hash ^ hash >> 32) % CLIENTS_ROWS];
	struct client *c = *row;
	while (c && !address_same_client(c->address, address))
		c = c->next;
	if (c)
		return c;
	c = calloc(1, sizeof *c);
	if (!c)
		return NULL;
	c->address = address;
	c->next = *row;
	return *row = c;
}

/* What still counts of earlier requests. */
static double asked_by(const struct client *c, unsigned rate, int64_t now)
{
	const double left = c->asked - 1e-3 * (double)(now - c->since) * rate;
	return left > 0 ? left : 0;
}

bool client_may_ask(struct client *c, unsigned rate, int64_t now)
{
	const double asked = asked_by(c, rate, now);
	if (asked + 1 > (double)rate * CLIENTS_BURST_SECONDS)
		return false;
	c->asked = asked + 1;
	c->since = now;
	return true;
}

void clients_forget(struct clients *clients, unsigned rate, int64_t now)
{
	for (size_t i = 0; i < CLIENTS_ROWS; i++)
		for (struct client **at = &clients->rows[i], *c = *at; c; c = *at) {
			if (c->connections || (rate && asked_by(c, rate, now) > 0)) {
				at = &c->next;
				continue;
			}
			*at = c->next;
			free(c);
		}
}

void clients_free(struct clients *clients)
{
	for (size_t i = 0; i < CLIENTS_ROWS; i++)
		while (clients->rows[i]) {
			struct client *c = clients->rows[i];
			clients->rows[i] = c->next;
			free(c);
		}
}
