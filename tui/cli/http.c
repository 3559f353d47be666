/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "http.h"

#include "core/base/clock.h"

#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	REFUSED_MAX = 64,         /* connections refused with 503, beyond those served */
	CONNECTION_BYTES = 16384, /* for a request's head, and for an answer's */
	BACKLOG = 1024,
	DESCRIPTORS_A_THREAD = 4,
	PAUSE_US = 2000,   /* wait while there is no room for a connection */
	STOP_WAITS = 2000, /* pauses before giving up on the last connection */
};

/* A connection, from its beginning to its end. */
struct peer {
	struct peer *next, **link;
	int fd;
	bool refused;
	_Atomic int64_t since; /* when opened or last answered; milliseconds */
};

struct http {
	struct http_options options;
	struct MHD_Daemon *daemon;
	pthread_t accepting;
	atomic_bool stopping;
	atomic_uint accepted; /* open connections, even before they have a peer */
	pthread_mutex_t lock; /* guards the next two */
	struct peer *peers;
	unsigned served; /* those not refused */
	atomic_ulong answered;
};

/* ---- addresses ---- */

static enum el_status split_address(const char *text, char host[HTTP_ADDRESS_MAX],
                                    const char **port, struct el_error *error)
{
	const char *colon = strrchr(text, ':');
	const size_t length = colon ? (size_t)(colon - text) : 0;
	const bool bracketed = length > 2 && text[0] == '[' && text[length - 1] == ']';
	char *end = NULL;
	const unsigned long number =
		colon && colon[1] >= '0' && colon[1] <= '9' ? strtoul(colon + 1, &end, 10) : 0;
	if (!length || length >= HTTP_ADDRESS_MAX || !end || *end || number > 65535 ||
	    (!bracketed && memchr(text, ':', length)))
		return el_fail(error, EL_USAGE,
		               "--bind '%s': expected HOST:PORT, such as 127.0.0.1:9000 or "
		               "[::1]:9000",
		               text);
	snprintf(host, HTTP_ADDRESS_MAX, "%.*s", (int)(length - 2 * bracketed), text + bracketed);
	*port = colon + 1;
	return EL_OK;
}

enum el_status http_listen(const char *address, int *listener, char name[HTTP_ADDRESS_MAX],
                           struct el_error *error)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
	                               .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
	struct addrinfo *found;
	char host[HTTP_ADDRESS_MAX];
	const char *port = NULL;
	const int on = 1;
	if (split_address(address, host, &port, error))
		return EL_USAGE;
	int why = getaddrinfo(host, port, &hints, &found);
	if (why)
		return el_fail(error, EL_USAGE, "--bind '%s': %s", address, gai_strerror(why));
	const int fd =
		socket(found->ai_family, found->ai_socktype | SOCK_CLOEXEC, found->ai_protocol);
	if (fd >= 0)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (fd < 0 || bind(fd, found->ai_addr, found->ai_addrlen) || listen(fd, BACKLOG))
		why = errno;
	freeaddrinfo(found);
	if (why && fd >= 0)
		close(fd);
	if (why)
		return el_fail(error, EL_IO, "%s: %s", address, strerror(why));
	*listener = fd;
	struct sockaddr_storage bound;
	socklen_t size = sizeof bound;
	char at[HTTP_ADDRESS_MAX - 16] = "?", number[8] = "?";
	if (!getsockname(fd, (struct sockaddr *)&bound, &size))
		getnameinfo((struct sockaddr *)&bound, size, at, sizeof at, number, sizeof number,
		            NI_NUMERICHOST | NI_NUMERICSERV);
	const bool brackets = strchr(at, ':');
	snprintf(name, HTTP_ADDRESS_MAX, "%s%s%s:%s", brackets ? "[" : "", at, brackets ? "]" : "",
	         number);
	return EL_OK;
}

/* ---- connections ---- */

/* A connection's descriptor is open from the first call until after the last. Without memory for
   its peer, refuses the connection. */
static void notice_connection(void *context, struct MHD_Connection *connection, void **socket,
                              enum MHD_ConnectionNotificationCode what)
{
	struct http *http = context;
	const bool begins = what == MHD_CONNECTION_NOTIFY_STARTED;
	struct peer *peer = begins ? *socket = calloc(1, sizeof *peer) : *socket;
	pthread_mutex_lock(&http->lock);
	if (begins && peer) {
		peer->fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
		                   ->connect_fd;
		peer->since = clock_ms();
		peer->refused = http->served >= http->options.connections;
		http->served += !peer->refused;
		peer->next = http->peers;
		peer->link = &http->peers;
		if (peer->next)
			peer->next->link = &peer->next;
		http->peers = peer;
	} else if (peer) {
		http->served -= !peer->refused;
		*peer->link = peer->next;
		if (peer->next)
			peer->next->link = peer->link;
	}
	pthread_mutex_unlock(&http->lock);
	if (begins)
		return;
	free(peer);
	http->accepted--;
}

static struct peer *peer_of(struct MHD_Connection *connection)
{
	return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
	        ->socket_context;
}

static void notice_end(void *context, struct MHD_Connection *connection, void **request,
                       enum MHD_RequestTerminationCode how)
{
	(void)context;
	(void)request;
	(void)how;
	struct peer *peer = peer_of(connection);
	if (peer)
		peer->since = clock_ms();
}

/* Shuts down old connections, which the library then finds closed. Returns the number of
   connections. */
static unsigned shut_older(struct http *http, int64_t ms)
{
	const int64_t now = clock_ms();
	pthread_mutex_lock(&http->lock);
	for (struct peer *peer = http->peers; peer; peer = peer->next)
		if (now - peer->since > ms)
			shutdown(peer->fd, SHUT_RDWR);
	pthread_mutex_unlock(&http->lock);
	return http->accepted;
}

/* The library's own timeout starts at the last byte, so a client sending a byte now and then would
   keep its connection for ever. */
void http_tend(struct http *http)
{
	shut_older(http, (int64_t)http->options.seconds * 1000);
}

/* ---- requests ---- */

const char *http_query(const struct http_request *request, const char *name)
{
	const char *value = NULL;
	size_t size = 0;
	MHD_lookup_connection_value_n(request->connection, MHD_GET_ARGUMENT_KIND, name,
	                              strlen(name), &value, &size);
	return value && strlen(value) == size ? value : NULL;
}

static enum MHD_Result send_reply(struct http *http, struct MHD_Connection *connection,
                                  struct http_reply reply, const char *header, const char *value)
{
	static char nothing[] = "";
	struct MHD_Response *response =
		reply.body ? MHD_create_response_from_buffer(strlen(reply.body), reply.body,
	                                                     MHD_RESPMEM_MUST_FREE)
			   : MHD_create_response_from_buffer(0, nothing, MHD_RESPMEM_PERSISTENT);
	if (!response) {
		free(reply.body);
		return MHD_NO;
	}
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE,
	                        reply.is_json ? "application/json" : "text/plain; charset=utf-8");
	MHD_add_response_header(response, MHD_HTTP_HEADER_ACCESS_CONTROL_ALLOW_ORIGIN, "*");
	if (header)
		MHD_add_response_header(response, header, value);
	const enum MHD_Result sent = MHD_queue_response(
		connection, reply.body ? reply.status : MHD_HTTP_INTERNAL_SERVER_ERROR, response);
	MHD_destroy_response(response);
	http->answered++;
	return sent;
}

/* The first call for a request follows its head. It is answered at once, so its body is neither
   read nor awaited. */
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **state)
{
	static char begun;
	struct http *http = context;
	const struct peer *peer = peer_of(connection);
	(void)version;
	(void)data;
	if (!peer || peer->refused)
		return send_reply(
			http, connection,
			(struct http_reply){MHD_HTTP_SERVICE_UNAVAILABLE, false,
		                            strdup("too many connections: try again later\n")},
			MHD_HTTP_HEADER_CONNECTION, "close");
	if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
		return send_reply(http, connection,
		                  (struct http_reply){MHD_HTTP_METHOD_NOT_ALLOWED, false,
		                                      strdup("expected the method GET or HEAD\n")},
		                  MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	if (!*state || *size) {
		*state = &begun;
		*size = 0;
		return MHD_YES;
	}
	const struct http_request request = {path, connection};
	return send_reply(http, connection, http->options.answer(http->options.context, &request),
	                  NULL, NULL);
}

/* ---- the server ---- */

/* The library accepts only ten connections between rounds of requests: under load others would wait
   for seconds. At the limit, further connections wait in the system's queue. Ends once the listener
   is shut down. */
static void *accept_all(void *context)
{
	struct http *http = context;
	while (!http->stopping) {
		struct sockaddr_storage address;
		socklen_t size = sizeof address;
		if (http->accepted >= http->options.connections + REFUSED_MAX) {
			usleep(PAUSE_US);
			continue;
		}
		http->accepted++; /* incremented only by this thread */
		const int fd = accept4(http->options.listener, (struct sockaddr *)&address, &size,
		                       SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd < 0 && errno != ECONNABORTED && errno != EINTR)
			usleep(PAUSE_US); /* for example, no descriptors */
		if (fd < 0 || MHD_add_connection(http->daemon, fd, (struct sockaddr *)&address,
		                                 size) != MHD_YES)
			http->accepted--;
	}
	return NULL;
}

unsigned http_descriptors(unsigned threads)
{
	return REFUSED_MAX + DESCRIPTORS_A_THREAD * threads;
}

enum el_status http_open(const struct http_options *options, struct http **out,
                         struct el_error *error)
{
	struct http *http = calloc(1, sizeof *http);
	if (!http) {
		close(options->listener);
		return el_fail(error, EL_MEMORY, "a server: out of memory");
	}
	http->options = *options;
	pthread_mutex_init(&http->lock, NULL);
	/* The library divides its limit among its threads, and a thread that reaches its share
	   hangs for ever (version 0.9.75). So set a limit that no thread reaches. */
	const unsigned limit = (options->connections + REFUSED_MAX + 1) * options->threads;
	http->daemon = MHD_start_daemon(
		MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_USE_NO_LISTEN_SOCKET, 0, NULL,
		NULL, handle, http, MHD_OPTION_THREAD_POOL_SIZE,
		options->threads > 1 ? options->threads : 0, MHD_OPTION_CONNECTION_LIMIT, limit,
		MHD_OPTION_CONNECTION_TIMEOUT, options->seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
		(size_t)CONNECTION_BYTES, MHD_OPTION_NOTIFY_CONNECTION, notice_connection, http,
		MHD_OPTION_NOTIFY_COMPLETED, notice_end, http, MHD_OPTION_END);
	int why = http->daemon ? 0 : errno ? errno : EAGAIN;
	if (!why)
		why = pthread_create(&http->accepting, NULL, accept_all, http);
	if (!why) {
		*out = http;
		return EL_OK;
	}
	if (http->daemon)
		MHD_stop_daemon(http->daemon);
	close(options->listener);
	pthread_mutex_destroy(&http->lock);
	free(http);
	return el_fail(error, EL_IO, "the server does not start: %s", strerror(why));
}

unsigned long http_answered(struct http *http)
{
	return http->answered;
}

/* Close the connections first: version 0.9.75 of the library crashes if stopped while refusing a
   request that is not HTTP. */
void http_close(struct http *http)
{
	if (!http)
		return;
	http->stopping = true;
	shutdown(http->options.listener, SHUT_RDWR);
	pthread_join(http->accepting, NULL);
	close(http->options.listener);
	for (unsigned waits = 0; waits < STOP_WAITS && shut_older(http, -1); waits++)
		usleep(PAUSE_US);
	MHD_stop_daemon(http->daemon);
	pthread_mutex_destroy(&http->lock);
	free(http);
}
