/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A small HTTP server: GET and HEAD, with bounded connections, times and memory, by libmicrohttpd.
 *
 *     http_listen -> http_open -> http_tend, now and then -> http_close
 *
 * It answers by itself, each with one line of text but for the library's own (a page of HTML):
 *
 *     400  the request is not HTTP
 *     405  another method than GET or HEAD
 *     413, 414, 431  the request is larger than the memory of a connection
 *     503  there are as many connections as there may be
 *     505  another version of HTTP than 1
 *
 * A connection that takes too long over a request, or idles, is closed. Those beyond the ones that
 * are told 503 wait in the system's queue.
 */
#ifndef TUI_CLI_HTTP_H
#define TUI_CLI_HTTP_H

#include "endlab/status.h"

#include <stdbool.h>

enum { HTTP_ADDRESS_MAX = 128 };

/* An address such as "127.0.0.1:9000" or "[::1]:0" where connections are awaited from now on;
   `name` is how it stands in an URL, with the port that was found for 0. EL_USAGE when it is no
   address, EL_IO when the system refuses it. */
enum el_status http_listen(const char *address, int *listener, char name[HTTP_ADDRESS_MAX],
                           struct el_error *);

/* A request, while it is being answered. */
struct http_request {
	const char *path; /* decoded, without the query */
	void *connection; /* for http_query */
};

/* The value of a name in the query, decoded; null where it is not there, or has a zero byte in
   it. */
const char *http_query(const struct http_request *, const char *name);

struct http_reply {
	unsigned status;
	bool is_json; /* else one line of text */
	char *body;   /* malloc'ed; null: out of memory */
};

struct http_options {
	int listener;         /* closed by http_close, and where http_open fails */
	unsigned connections; /* at most so many are served at a time */
	unsigned threads;
	unsigned seconds; /* for a request, from the one before it until its answer is sent */
	/* Called by several threads at once. */
	struct http_reply (*answer)(void *context, const struct http_request *);
	void *context;
};

struct http;

/* Descriptors that the server takes beside those of its connections. */
unsigned http_descriptors(unsigned threads);
/* EL_IO, EL_MEMORY. Requests are answered by other threads from now on. */
enum el_status http_open(const struct http_options *, struct http **out, struct el_error *);
/* Closes the connections whose time is up: to be called several times a second. */
void http_tend(struct http *);
/* How many were answered, with whatever status. */
unsigned long http_answered(struct http *);
/* Closes all connections; requests that are being answered are given up. */
void http_close(struct http *);

#endif
