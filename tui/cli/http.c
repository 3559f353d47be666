/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "http.h"

#include "core/base/clock.h"
#include "core/os/system.h"

#include <ctype.h>
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
#include <time.h>
#include <unistd.h>

enum {
	REFUSED_MAX = 64,         /* connections refused with 503, beyond those served */
	CONNECTION_BYTES = 16384, /* for a request's head, and for an answer's */
	BACKLOG = 1024,
	DESCRIPTORS_A_THREAD = 4,
	PAUSE_US = 2000,          /* wait while there is no room for a connection */
	STOP_WAITS = 2000,        /* pauses before giving up on the last connection */
	REFUSED_MS = 1000,        /* life of a connection that is refused, if it asks nothing */
	REFUSED_MS_CROWDED = 100, /* the same while there are REFUSED_MAX of them */
};

/* A connection, from its beginning to its end. */
struct peer {
	struct peer *next, **link;
	int fd;
	_Atomic enum { SERVED, REFUSED, DISPLACED } state;
	struct client *client; /* null if refused for lack of memory */
	atomic_bool busy;      /* a request is being answered */
	_Atomic int64_t since; /* when opened or last answered; milliseconds */
};

struct http {
	struct http_options options;
	struct MHD_Daemon *daemon;
	pthread_t accepting;
	atomic_bool stopping;
	atomic_uint accepted; /* open connections, even before they have a peer */
	pthread_mutex_t lock; /* guards the next three */
	struct peer *peers;
	unsigned served; /* those in that state */
	struct clients clients;
	atomic_ulong answered;
	atomic_int log_fault; /* errno of a failed write; 0: none */
};

/* A request, from its first line to the end of its answer. */
struct request {
	bool begun;
	char uri[]; /* as sent */
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

/*
 * At the limit, a newcomer displaces a connection of the client that holds most of them: an idle one
 * before one that waits for its answer, then the oldest. So nobody can keep others out. Null if
 * none may go: all are busy, and nobody holds more than the newcomer's client.
 */
static struct peer *to_displace(const struct http *http, const struct client *newcomer)
{
	struct peer *found = NULL;
	for (struct peer *p = http->peers; p; p = p->next) {
		const unsigned count = p->client ? p->client->connections : 0;
		if (p->state != SERVED || (p->busy && count <= newcomer->connections))
			continue;
		const unsigned most = found ? found->client->connections : 0;
		if (!found || count > most ||
		    (count == most &&
		     (p->busy != found->busy ? !p->busy : p->since < found->since)))
			found = p;
	}
	return found;
}

static void add_peer(struct http *http, struct peer *peer, const struct sockaddr *address)
{
	peer->since = clock_ms();
	peer->client = clients_find(&http->clients, address_of(address));
	if (peer->client)
		peer->client->connections++;
	if (peer->client && http->served >= http->options.connections) {
		struct peer *old = to_displace(http, peer->client);
		if (old) {
			old->state = DISPLACED;
			shutdown(old->fd, SHUT_RDWR);
			http->served--;
		}
	}
	if (!peer->client || http->served >= http->options.connections)
		peer->state = REFUSED;
	http->served += peer->state == SERVED;
	peer->next = http->peers;
	peer->link = &http->peers;
	if (peer->next)
		peer->next->link = &peer->next;
	http->peers = peer;
}

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
		add_peer(http, peer,
		         MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
		                 ->client_addr);
	} else if (peer) {
		http->served -= peer->state == SERVED;
		if (peer->client)
			peer->client->connections--;
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

/* Begins a request, which becomes the *state of handle; null: out of memory. */
static void *notice_request(void *context, const char *uri, struct MHD_Connection *connection)
{
	struct request *request = malloc(sizeof *request + strlen(uri) + 1);
	(void)context;
	(void)connection;
	if (request) {
		request->begun = false;
		strcpy(request->uri, uri);
	}
	return request;
}

static void notice_end(void *context, struct MHD_Connection *connection, void **request,
                       enum MHD_RequestTerminationCode how)
{
	(void)context;
	(void)how;
	struct peer *peer = peer_of(connection);
	free(*request);
	*request = NULL;
	if (peer) {
		peer->since = clock_ms();
		peer->busy = false;
	}
}

/* Shuts down connections older than that, which the library then finds closed. Returns the number of
   connections. */
static unsigned shut_older(struct http *http, int64_t served_ms, int64_t refused_ms)
{
	const int64_t now = clock_ms();
	pthread_mutex_lock(&http->lock);
	for (struct peer *peer = http->peers; peer; peer = peer->next)
		if (now - peer->since > (peer->state == REFUSED ? refused_ms : served_ms))
			shutdown(peer->fd, SHUT_RDWR);
	pthread_mutex_unlock(&http->lock);
	return http->accepted;
}

/* The library's own timeout starts at the last byte, so a client sending a byte now and then would
   keep its connection for ever. */
enum el_status http_tend(struct http *http, struct el_error *error)
{
	shut_older(http, (int64_t)http->options.seconds * 1000, REFUSED_MS);
	pthread_mutex_lock(&http->lock);
	clients_forget(&http->clients, http->options.rate, clock_ms());
	pthread_mutex_unlock(&http->lock);
	const int fault = http->log_fault;
	return fault ? el_fail(error, EL_IO, "the log is incomplete: %s", strerror(fault)) : EL_OK;
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

static enum MHD_Result keep_last(void *last, enum MHD_ValueKind kind, const char *name,
                                 const char *value)
{
	(void)kind;
	if (!strcasecmp(name, "X-Forwarded-For"))
		*(const char **)last = value;
	return MHD_YES;
}

/* Who asks: behind a proxy, whom that names last in X-Forwarded-For. Others may write there what they
   like, so only the proxy and this machine are believed. */
static struct address asker_of(const struct http *http, struct MHD_Connection *connection)
{
	const struct address from =
		address_of(MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
	                           ->client_addr);
	const char *list = NULL;
	char last[ADDRESS_TEXT_MAX];
	struct address named;
	if (!address_is_loopback(from) &&
	    !(http->options.has_proxy && address_same_client(from, http->options.proxy)))
		return from;
	MHD_get_connection_values(connection, MHD_HEADER_KIND, keep_last, &list);
	const char *comma = list ? strrchr(list, ',') : NULL;
	list = comma ? comma + 1 : list;
	return list && sscanf(list, " %45s", last) == 1 && address_read(last, &named) ? named
	                                                                              : from;
}

/* A text from outside, for a place between quotes. */
static void log_text(FILE *line, const char *text)
{
	for (; text && *text; text++)
		if (isprint((unsigned char)*text) && *text != '"' && *text != '\\')
			putc(*text, line);
		else
			fprintf(line, "\\x%02X", (unsigned char)*text);
}

/* Writes a line in the Combined Log Format, at once, so that threads do not mix theirs. */
static void log_answer(struct http *http, struct MHD_Connection *connection,
                       const struct request *request, const char *method, const char *version,
                       unsigned status, size_t bytes)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	char *text = NULL, from[ADDRESS_TEXT_MAX], rest[32];
	size_t size = 0;
	const time_t now = time(NULL);
	struct tm at;
	FILE *line = http->options.log >= 0 ? open_memstream(&text, &size) : NULL;
	if (http->options.log >= 0 && !line)
		http->log_fault = errno;
	if (!line)
		return;
	address_write(asker_of(http, connection), from);
	localtime_r(&now, &at);
	strftime(rest, sizeof rest, "%Y:%H:%M:%S %z", &at); /* no words, which locales differ in */
	fprintf(line, "%s - - [%02d/%.3s/%s] \"", from, at.tm_mday, months + 3 * at.tm_mon, rest);
	log_text(line, method);
	putc(' ', line);
	log_text(line, request ? request->uri : "-");
	fprintf(line, " %s\" %u %zu", version, status, bytes);
	static const char *const names[] = {MHD_HTTP_HEADER_REFERER, MHD_HTTP_HEADER_USER_AGENT};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value =
			MHD_lookup_connection_value(connection, MHD_HEADER_KIND, names[i]);
		fputs(" \"", line);
		log_text(line, value ? value : "-");
		putc('"', line);
	}
	putc('\n', line);
	if (fclose(line) || write(http->options.log, text, size) != (ssize_t)size)
		http->log_fault = errno ? errno : EIO;
	free(text);
}

#define METHODS "GET, HEAD, OPTIONS"

/* What answers of a status have in addition. */
static const struct {
	unsigned status;
	const char *header, *value;
} headers[] = {
	{MHD_HTTP_NO_CONTENT, MHD_HTTP_HEADER_ALLOW, METHODS},
	{MHD_HTTP_NO_CONTENT, MHD_HTTP_HEADER_ACCESS_CONTROL_ALLOW_METHODS, METHODS},
	{MHD_HTTP_NO_CONTENT, MHD_HTTP_HEADER_ACCESS_CONTROL_ALLOW_HEADERS, "*"},
	{MHD_HTTP_NO_CONTENT, MHD_HTTP_HEADER_ACCESS_CONTROL_MAX_AGE, "86400"},
	{MHD_HTTP_METHOD_NOT_ALLOWED, MHD_HTTP_HEADER_ALLOW, METHODS},
	{MHD_HTTP_TOO_MANY_REQUESTS, MHD_HTTP_HEADER_RETRY_AFTER, "1"},
	{MHD_HTTP_SERVICE_UNAVAILABLE, MHD_HTTP_HEADER_RETRY_AFTER, "1"},
	{MHD_HTTP_SERVICE_UNAVAILABLE, MHD_HTTP_HEADER_CONNECTION, "close"},
};

/* Finds the answer to a request, whose method and path (of any form) these are. */
static struct http_reply reply_to(struct http *http, struct MHD_Connection *connection,
                                  const char *method, const char *path)
{
	const struct peer *peer = peer_of(connection);
	if (!peer || peer->state == REFUSED)
		return (struct http_reply){MHD_HTTP_SERVICE_UNAVAILABLE, false,
		                           strdup("too many connections: try again later\n")};
	if (http->options.rate) {
		const struct address asker = asker_of(http, connection);
		pthread_mutex_lock(&http->lock);
		struct client *client = clients_find(&http->clients, asker);
		const bool may = client && client_may_ask(client, http->options.rate, clock_ms());
		pthread_mutex_unlock(&http->lock);
		struct http_reply reply = {MHD_HTTP_TOO_MANY_REQUESTS, false, NULL};
		if (!may && asprintf(&reply.body,
		                     "too many requests: at most %u a second from one client\n",
		                     http->options.rate) < 0)
			reply.body = NULL;
		if (!may)
			return reply;
	}
	if (!strcmp(method, MHD_HTTP_METHOD_OPTIONS))
		return (struct http_reply){MHD_HTTP_NO_CONTENT, false, strdup("")};
	if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
		return (struct http_reply){MHD_HTTP_METHOD_NOT_ALLOWED, false,
		                           strdup("expected the method GET, HEAD or OPTIONS\n")};
	/* The absolute form, which proxies get: "http://host/path". */
	const char *host = *path != '/' ? strstr(path, "://") : NULL;
	if (host)
		path = strchr(host + 3, '/') ? strchr(host + 3, '/') : "/";
	const struct http_request request = {path, http, connection};
	return http->options.answer(http->options.context, &request);
}

/* The first call for a request follows its head. Other methods are refused then, so that their body is
   neither read nor awaited. */
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **state)
{
	struct http *http = context;
	struct peer *peer = peer_of(connection);
	struct request *request = *state;
	const bool known = !strcmp(method, MHD_HTTP_METHOD_GET) ||
	                   !strcmp(method, MHD_HTTP_METHOD_HEAD) ||
	                   !strcmp(method, MHD_HTTP_METHOD_OPTIONS);
	(void)data;
	if (peer)
		peer->busy = true;
	if (request && known && (!request->begun || *size)) {
		request->begun = true;
		*size = 0;
		return MHD_YES;
	}
	static char nothing[] = "";
	struct http_reply reply = reply_to(http, connection, method, path);
	const unsigned status = reply.body ? reply.status : MHD_HTTP_INTERNAL_SERVER_ERROR;
	const size_t length = reply.body ? strlen(reply.body) : 0;
	struct MHD_Response *response = MHD_create_response_from_buffer(
		length, reply.body ? reply.body : nothing,
		reply.body ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
	if (!response) {
		free(reply.body);
		return MHD_NO;
	}
	if (length)
		MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE,
		                        reply.is_json ? "application/json"
		                                      : "text/plain; charset=utf-8");
	MHD_add_response_header(response, MHD_HTTP_HEADER_ACCESS_CONTROL_ALLOW_ORIGIN, "*");
	for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
		if (headers[i].status == status)
			MHD_add_response_header(response, headers[i].header, headers[i].value);
	http->answered++;
	log_answer(http, connection, request, method, version, status,
	           strcmp(method, MHD_HTTP_METHOD_HEAD) ? length : 0);
	const enum MHD_Result sent = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return sent;
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
			shut_older(http, INT64_MAX, REFUSED_MS_CROWDED);
			usleep(PAUSE_US);
			continue;
		}
		http->accepted++; /* incremented only by this thread */
		const int fd =
			socket_accept(http->options.listener, (struct sockaddr *)&address, &size);
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
		MHD_OPTION_NOTIFY_COMPLETED, notice_end, http, MHD_OPTION_URI_LOG_CALLBACK,
		notice_request, http, MHD_OPTION_END);
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

unsigned http_connections(struct http *http)
{
	return http->accepted;
}

/* Close the connections first: version 0.9.75 of the library crashes if stopped while refusing a
   request that is not HTTP. */
void http_close(struct http *http)
{
	http->stopping = true;
	shutdown(http->options.listener, SHUT_RDWR);
	pthread_join(http->accepting, NULL);
	close(http->options.listener);
	for (unsigned waits = 0; waits < STOP_WAITS && shut_older(http, -1, -1); waits++)
		usleep(PAUSE_US);
	MHD_stop_daemon(http->daemon);
	clients_free(&http->clients);
	pthread_mutex_destroy(&http->lock);
	free(http);
}
