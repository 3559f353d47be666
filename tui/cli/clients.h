/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clients of a server, by address: how many connections each holds, and how often each asks. The
 * caller has the lock.
 */
#ifndef TUI_CLI_CLIENTS_H
#define TUI_CLI_CLIENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

/* An IPv6 address, or an IPv4 one mapped into it. */
struct address {
	uint8_t bytes[16];
};

enum { ADDRESS_TEXT_MAX = 46 };

struct address address_of(const struct sockaddr *);
/* Reads an address such as "192.0.2.7" or "[2001:db8::1]", without a port; false if it is none. */
bool address_read(const char *text, struct address *out);
void address_write(struct address, char out[ADDRESS_TEXT_MAX]);
bool address_is_loopback(struct address);
/* Are they the same client: the same IPv4 address, or the same network of 64 bits in IPv6? */
bool address_same_client(struct address, struct address);

struct client {
	struct client *next;
	struct address address;
	unsigned connections; /* open now; the caller's */
	double asked;         /* requests that count against the rate at `since` */
	int64_t since;        /* milliseconds, as clock_ms */
};

enum { CLIENTS_ROWS = 4096, CLIENTS_BURST_SECONDS = 10 };

/* All zeros: nobody. */
struct clients {
	struct client *rows[CLIENTS_ROWS];
};

/* The client of an address, new if it was not known; null: out of memory. */
struct client *clients_find(struct clients *, struct address);
/* Counts a request now, unless the client has asked more than `rate` times a second: a burst of
   CLIENTS_BURST_SECONDS times that many is allowed. */
bool client_may_ask(struct client *, unsigned rate, int64_t now);
/* Forgets who has no connection and asked nothing that still counts against the rate. */
void clients_forget(struct clients *, unsigned rate, int64_t now);
/* Forgets everybody. */
void clients_free(struct clients *);

#endif
