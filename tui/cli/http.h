/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A small HTTP server: GET and HEAD, with bounded connections, times and memory, by libmicrohttpd.
 *
 *     http_listen -> http_open -> http_tend, now and then -> http_close
 *
 * By itself it gives these answers, each with one line of text except for the library's own (an
 * HTML page):
 *
 *     400  the request is not HTTP
 *     405  another method than GET or HEAD
 *     413, 414, 431  the request is larger than the memory of a connection
 *     503  there are as many connections as there may be
 *     505  another version of HTTP than 1
 *
 * A connection that is idle or slow with a request is closed. Connections beyond those that get 503
 * wait in the system's queue.
 */
#ifndef TUI_CLI_HTTP_H
#define TUI_CLI_HTTP_H

#include "endlab/status.h"

#include <stdbool.h>

enum { HTTP_ADDRESS_MAX = 128 };

/* Listens on an address such as "127.0.0.1:9000" or "[::1]:0". `name` is its form in a URL, with
   the port found for 0. EL_USAGE if it is no address, EL_IO if the system refuses it. */
enum el_status http_listen(const char *address, int *listener, char name[HTTP_ADDRESS_MAX],
                           struct el_error *);

/* A request being answered. */
struct http_request {
	const char *path; /* decoded, without the query */
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
	/* Called by several threads at once. */
	struct http_reply (*answer)(void *context, const struct http_request *);
	void *context;
};

struct http;

/* Descriptors that the server needs beyond those of its connections. */
unsigned http_descriptors(unsigned threads);
/* Starts answering requests, on other threads. EL_IO, EL_MEMORY. */
enum el_status http_open(const struct http_options *, struct http **out, struct el_error *);
/* Closes connections that have timed out: call it several times a second. */
void http_tend(struct http *);
/* How many requests were answered, with any status. */
unsigned long http_answered(struct http *);
/* Closes all connections; drops requests being answered. */
void http_close(struct http *);

#endif
