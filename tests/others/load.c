/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does `endlab serve` answer well under load?
 *
 *     load PORT CONNECTIONS REQUESTS SLOW BROKEN <FENS
 *
 * Asks for each position of standard input alone, then for all of them again and again on many
 * connections at once, REQUESTS in all: every answer must be the same as before. Clients reconnect
 * now and then. At the same time SLOW clients send a byte now and then and never a whole request,
 * and BROKEN ones send nonsense, or half a request, or do not read their answer, and go.
 *
 * It runs until the server has thrown out each slow client once. Prints its counts and the requests
 * a second; exits with 1 if an answer was missing or wrong, or if a slow client lasted PATIENCE_S.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
	FENS_MAX = 4096,
	REQUEST_MAX = 512,
	ANSWER_MAX = 1 << 18,
	REQUESTS_A_CONNECTION = 97, /* then the client reconnects */
	SLOW_MS = 200,              /* between two bytes of a slow client */
	BROKEN_MS = 50,             /* life of a broken client */
	PATIENCE_S = 30,            /* until a slow client should be gone, or a good one answered */
	EVENTS = 256,
};

enum kind { GOOD, SLOW, BROKEN };

struct client {
	enum kind kind;
	int fd;
	uint64_t number;     /* of requests, or of a broken client's tricks */
	size_t fen;          /* the position asked for */
	size_t sent, length; /* of the request */
	size_t received;
	double since, acted; /* connected or asked; last did something */
	char request[REQUEST_MAX];
	char *answer;
};

static struct {
	struct sockaddr_in address;
	int epoll;
	/* requests, and whole answers without their dates */
	char *asked[FENS_MAX], *expected[FENS_MAX];
	size_t fens;
	uint64_t wanted, begun, answered, wrong, opened, thrown_out, patient, broken;
	double *latency, ended;
} load;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void die(const char *what)
{
	fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* ---- answers ---- */

/* The length of the whole answer once its head is there, else 0. */
static size_t whole_length(const char *answer)
{
	const char *body = strstr(answer, "\r\n\r\n");
	const char *length = body ? strcasestr(answer, "\r\nContent-Length:") : NULL;
	return length && length < body
	               ? (size_t)(body + 4 - answer) + strtoul(length + 17, NULL, 10)
	               : 0;
}

/* The body of an answer that is good; else null. */
static const char *body_of(const char *answer)
{
	const char *body = strstr(answer, "\r\n\r\n");
	return body && !strncmp(answer, "HTTP/1.1 200 ", 13) ? body + 4 : NULL;
}

static bool is_expected(const struct client *c)
{
	const char *body = body_of(c->answer);
	return body && !strcmp(body, load.expected[c->fen]);
}

/* ---- connections ---- */

static void watch(struct client *c, unsigned events, int operation)
{
	struct epoll_event event = {.events = events, .data.ptr = c};
	if (epoll_ctl(load.epoll, operation, c->fd, &event))
		die("epoll_ctl");
}

static void open_client(struct client *c)
{
	const int on = 1;
	c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	if (c->fd < 0)
		die("socket");
	setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	if (connect(c->fd, (struct sockaddr *)&load.address, sizeof load.address) &&
	    errno != EINPROGRESS)
		die("connect");
	c->sent = c->received = 0;
	c->since = c->acted = now();
	load.opened++;
	watch(c, EPOLLIN | EPOLLOUT | EPOLLRDHUP, EPOLL_CTL_ADD);
}

static void close_client(struct client *c)
{
	close(c->fd);
	c->fd = -1;
}

/* Goes as a crashed program does: the server gets a reset. */
static void drop_client(struct client *c)
{
	const struct linger at_once = {1, 0};
	setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
	close_client(c);
}

/* ---- good clients ---- */

static void next_request(struct client *c)
{
	c->fen = (size_t)(load.begun++ % load.fens);
	c->length = strlen(load.asked[c->fen]);
	memcpy(c->request, load.asked[c->fen], c->length + 1);
	c->sent = c->received = 0;
	c->since = now();
	c->number++;
}

static void send_rest(struct client *c)
{
	const ssize_t n = send(c->fd, c->request + c->sent, c->length - c->sent, MSG_NOSIGNAL);
	if (n > 0)
		c->sent += (size_t)n;
	if (c->sent == c->length)
		watch(c, EPOLLIN, EPOLL_CTL_MOD);
}

static void begin_good(struct client *c)
{
	if (load.begun >= load.wanted) {
		if (c->fd >= 0)
			close_client(c);
		return;
	}
	next_request(c);
	if (c->fd >= 0 && c->number % REQUESTS_A_CONNECTION == 0)
		close_client(c);
	if (c->fd < 0) {
		open_client(c);
		return;
	}
	send_rest(c);
	if (c->sent < c->length)
		watch(c, EPOLLIN | EPOLLOUT, EPOLL_CTL_MOD);
}

static void end_request(struct client *c, bool good)
{
	if (!good && load.wrong++ < 5)
		fprintf(stderr, "load: asked\n%.*s\ngot %zu bytes after %.1f s: %.300s\n",
		        (int)c->length, c->request, c->received, now() - c->since, c->answer);
	load.latency[load.answered++] = now() - c->since;
	if (load.answered == load.wanted)
		load.ended = now();
	if (!good)
		close_client(c);
	begin_good(c);
}

static void receive(struct client *c)
{
	const ssize_t n = recv(c->fd, c->answer + c->received, ANSWER_MAX - 1 - c->received, 0);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	c->received += n > 0 ? (size_t)n : 0;
	c->answer[c->received] = '\0';
	const size_t length = whole_length(c->answer);
	if (n <= 0)
		end_request(c, false);
	else if (length && c->received >= length)
		end_request(c, is_expected(c));
}

static void serve_good(struct client *c, unsigned events)
{
	if (events & EPOLLOUT && c->sent < c->length)
		send_rest(c);
	else if (events & (EPOLLIN | EPOLLHUP | EPOLLERR))
		receive(c);
}

/* ---- the others ---- */

static void serve_slow(struct client *c, unsigned events)
{
	char bytes[256];
	if (events & EPOLLOUT)
		watch(c, EPOLLIN | EPOLLRDHUP, EPOLL_CTL_MOD);
	if (!(events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) ||
	    recv(c->fd, bytes, sizeof bytes, 0) > 0)
		return;
	load.thrown_out++;
	close_client(c);
	open_client(c);
}

static void tick_slow(struct client *c, double time)
{
	static const char text[] =
		"GET /standard?fen=8/8/8/8/8/2k5/8/K6Q_w_-_-_0_1 HTTP/1.1\r\nX: ";
	if (time - c->acted < SLOW_MS / 1e3)
		return;
	const char byte = c->number < sizeof text - 1 ? text[c->number] : 'x';
	c->number += send(c->fd, &byte, 1, MSG_NOSIGNAL) == 1;
	c->acted = time;
	load.patient += time - c->since > PATIENCE_S;
	if (time - c->since > PATIENCE_S)
		c->since = time;
}

static void be_broken(struct client *c)
{
	static const struct {
		const char *text;
		size_t length;
	} deeds[] = {
#define DEED(text) {text, sizeof text - 1}
		DEED("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a client of TLS"),
		DEED("\0\0\0\0\0\0\0\0\r\n\r\n"),
		DEED("GET /standard?fen=8/8/8/8/8/2k5"),
		DEED("GET /standard?fen=8/8/8/8/8/2k5/8/K6Q HTTP/1.1\r\nHost: x\r\n\r\n"),
		DEED("GET /standard?fen=%zz%%%00&fen HTTP/1.1\r\nHost: x\r\n\r\n"),
		DEED("GET /standard HTTP/7.5\r\n\r\n"),
		DEED("GET\r\n\r\n"),
		DEED("\r\n\r\n\r\n\r\n"),
		DEED("POST /standard HTTP/1.1\r\nHost: x\r\nContent-Length: "
	             "99999999999999999999\r\n\r\nx"),
		DEED("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
	             "chunked\r\n\r\nfffffffffffffffff\r\n"),
		DEED("GET / HTTP/1.1\r\nHost: x\r\n: \r\n no name\r\n\tfolded\r\n\r\n"),
		DEED("GET /standard?fen=8/8/8/8/8/2k5/8/K6Q HTTP/1.1\r\nHost: x\r\n\r\n"
	             "GET /standard?fen=8/8/8/8/8/2k5/8/K6Q HTTP/1.1\r\nHost: x\r\n\r\n"
	             "GET /standard?fen=8/8/8/8/8/2k5/8/K6Q HTTP/1.1\r\nHost: x\r\n\r\nGET"),
	};
	const size_t deed = c->number++ % (sizeof deeds / sizeof *deeds);
	(void)!send(c->fd, deeds[deed].text, deeds[deed].length, MSG_NOSIGNAL);
	load.broken++;
}

static void serve_broken(struct client *c, unsigned events)
{
	char bytes[64];
	if (events & EPOLLOUT) {
		be_broken(c);
		watch(c, c->number % 3 ? EPOLLIN : 0, EPOLL_CTL_MOD);
	} else if (recv(c->fd, bytes, sizeof bytes, 0) <= 0 && errno != EAGAIN) {
		watch(c, 0, EPOLL_CTL_MOD);
	}
}

static void tick_broken(struct client *c, double time)
{
	if (time - c->acted < BROKEN_MS / 1e3)
		return;
	if (c->number % 2)
		drop_client(c);
	else
		close_client(c);
	open_client(c);
}

/* ---- the run ---- */

static void serve(struct client *c, unsigned events)
{
	if (c->kind == GOOD)
		serve_good(c, events);
	else if (c->kind == SLOW)
		serve_slow(c, events);
	else if (events & (EPOLLIN | EPOLLOUT))
		serve_broken(c, events);
}

static void tick(struct client *clients, size_t count)
{
	const double time = now();
	for (struct client *c = clients; c < clients + count; c++) {
		if (c->kind == SLOW)
			tick_slow(c, time);
		else if (c->kind == BROKEN)
			tick_broken(c, time);
		else if (c->fd >= 0 && c->received < 1 && c->sent && time - c->since > PATIENCE_S)
			end_request(c, false);
	}
}

static void run(struct client *clients, size_t count, size_t slow)
{
	struct epoll_event events[EVENTS];
	double ticked = now();
	while (load.answered < load.wanted || (load.thrown_out < slow && !load.patient)) {
		const int n = epoll_wait(load.epoll, events, EVENTS, 20);
		for (int i = 0; i < n; i++) {
			struct client *c = events[i].data.ptr;
			if (c->fd >= 0)
				serve(c, events[i].events);
		}
		if (now() - ticked < 0.02)
			continue;
		ticked = now();
		tick(clients, count);
	}
}

/* Asks one position alone, for the answer that all others are compared with. */
static void learn(const char *fen)
{
	struct client c = {.fd = socket(AF_INET, SOCK_STREAM, 0), .answer = calloc(1, ANSWER_MAX)};
	char request[REQUEST_MAX];
	if (c.fd < 0 || !c.answer ||
	    connect(c.fd, (struct sockaddr *)&load.address, sizeof load.address))
		die("connect");
	snprintf(request, sizeof request,
	         "GET /standard?fen=%s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", fen);
	if (send(c.fd, request, strlen(request), MSG_NOSIGNAL) < 0)
		die("send");
	for (size_t length = 0; !length || c.received < length; length = whole_length(c.answer)) {
		const ssize_t n = recv(c.fd, c.answer + c.received, ANSWER_MAX - 1 - c.received, 0);
		if (n <= 0)
			die(fen);
		c.received += (size_t)n;
	}
	const char *body = body_of(c.answer);
	if (!body) {
		fprintf(stderr, "load: %s: %.100s\n", fen, c.answer);
		exit(2);
	}
	load.asked[load.fens] = strdup(request);
	load.expected[load.fens++] = strdup(body);
	free(c.answer);
	close(c.fd);
}

static void learn_all(FILE *in)
{
	char fen[128];
	while (load.fens < FENS_MAX && fgets(fen, sizeof fen, in)) {
		fen[strcspn(fen, "\r\n")] = '\0';
		for (char *blank; (blank = strchr(fen, ' '));)
			*blank = '_';
		learn(fen);
	}
	if (!load.fens)
		die("no positions on standard input");
}

static int compare(const void *x, const void *y)
{
	const double a = *(const double *)x, b = *(const double *)y;
	return (a > b) - (a < b);
}

static double quantile(double q)
{
	return 1e3 * load.latency[(uint64_t)(q * (double)(load.answered - 1))];
}

int main(int argc, char **argv)
{
	if (argc != 6) {
		fputs("usage: load PORT CONNECTIONS REQUESTS SLOW BROKEN <FENS\n", stderr);
		return 2;
	}
	const size_t count[] = {strtoul(argv[2], NULL, 10), strtoul(argv[4], NULL, 10),
	                        strtoul(argv[5], NULL, 10)};
	const size_t all = count[GOOD] + count[SLOW] + count[BROKEN];
	struct rlimit limit;
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	signal(SIGPIPE, SIG_IGN);
	load.wanted = strtoul(argv[3], NULL, 10);
	load.address = (struct sockaddr_in){AF_INET,
	                                    htons((uint16_t)strtoul(argv[1], NULL, 10)),
	                                    {htonl(INADDR_LOOPBACK)},
	                                    {0}};
	load.epoll = epoll_create1(0);
	load.latency = calloc(load.wanted + all, sizeof *load.latency);
	struct client *clients = calloc(all, sizeof *clients);
	if (!load.wanted || !load.latency || !clients || load.epoll < 0)
		die("start");
	learn_all(stdin);
	const double start = now();
	for (size_t i = 0; i < all; i++) {
		struct client *c = &clients[i];
		c->kind = i < count[GOOD] ? GOOD : i < count[GOOD] + count[SLOW] ? SLOW : BROKEN;
		c->fd = -1;
		c->answer = c->kind == GOOD ? calloc(1, ANSWER_MAX) : NULL;
		c->number = i;
		if (c->kind == GOOD)
			begin_good(c);
		else
			open_client(c);
	}
	run(clients, all, count[SLOW]);
	qsort(load.latency, load.answered, sizeof *load.latency, compare);
	printf("%llu requests on %zu connections, %llu wrong; %.0f a second, half of them within "
	       "%.1f ms, 99%% "
	       "within %.1f ms, all within %.1f ms\n"
	       "%llu connections opened; slow clients thrown out %llu times, left alone %llu "
	       "times; %llu broken "
	       "clients\n",
	       (unsigned long long)load.answered, count[GOOD], (unsigned long long)load.wrong,
	       (double)load.answered / (load.ended - start), quantile(0.5), quantile(0.99),
	       quantile(1), (unsigned long long)load.opened, (unsigned long long)load.thrown_out,
	       (unsigned long long)load.patient, (unsigned long long)load.broken);
	for (size_t i = 0; i < all; i++)
		free(clients[i].answer);
	free(clients);
	free(load.latency);
	return load.wrong || load.patient;
}
