/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A small HTTP server: GET, HEAD and OPTIONS, with bounded connections, rates, times and memory, by
 * libmicrohttpd.
 *
 *     http_listen -> http_open -> http_tend, now and then -> http_close
 *
 * By itself it gives these answers, each with one line of text except for the library's own (an
 * HTML page):
 *
 *     400  the request is not HTTP
 *     204  to OPTIONS, which asks on behalf of a web page: any page may read all answers
 *     405  another method
 *     413, 414, 431  the request is larger than the memory of a connection
 *     429  the client asks more often than it may
 *     503  there are as many connections as there may be, and all are busy
 *     505  another version of HTTP than 1
 *
 * A connection that is idle or slow with a request is closed. At the limit, a new connection
 * displaces an idle one of the client that holds most of them.
 */
#ifndef TUI_CLI_HTTP_H
#define TUI_CLI_HTTP_H

#include "clients.h"
#include "endlab/status.h"

#include <stdbool.h>

enum { HTTP_ADDRESS_MAX = 128 };

/* Listens on an address such as "127.0.0.1:9000" or "[::1]:0". `name` is its form in a URL, with
   the port found for 0. EL_USAGE if it is no address, EL_IO if the system refuses it. */
enum el_status http_listen(const char *address, int *listener, char name[HTTP_ADDRESS_MAX],
                           struct el_error *);

/* A request being answered. */
struct http_request {
	const char *path; /* decoded, without host and query */
	struct http *server;
	void *connection; /* for http_query */
};

/* The decoded value of a name in the query; null if missing or if it contains a zero byte. */
const char *http_query(const struct http_request *, const char *name);

struct http_reply {
	unsigned status;
	bool is_json; /* else one line of text */
	char *body;   /* malloc'ed; null: out of memory */
};

struct http_options {
	int listener;         /* closed by http_close and if http_open fails */
	unsigned connections; /* the most served at a time */
	unsigned threads;
	unsigned seconds; /* for a request, from the previous one until its answer is sent */
	unsigned rate;    /* requests a second of one client; 0: any number */
	/* The proxy that is believed who asks through it (X-Forwarded-For), besides this machine. */
	bool has_proxy;
	struct address proxy;
	int log; /* descriptor for a line for each answer, in the Combined Log Format; -1: none */
	/* Called by several threads at once. */
	struct http_reply (*answer)(void *context, const struct http_request *);
	void *context;
};

struct http;

/* Descriptors that the server needs beyond those of its connections. */
unsigned http_descriptors(unsigned threads);
/* Starts answering requests, on other threads. EL_IO, EL_MEMORY. */
enum el_status http_open(const struct http_options *, struct http **out, struct el_error *);
/* Closes connections that have timed out: call it several times a second. EL_IO once the log could
   not be written. */
enum el_status http_tend(struct http *, struct el_error *);
/* How many requests were answered, with any status, except by the library itself. */
unsigned long http_answered(struct http *);
/* How many connections are open. */
unsigned http_connections(struct http *);
/* Closes all connections; drops requests being answered. */
void http_close(struct http *);

#endif
