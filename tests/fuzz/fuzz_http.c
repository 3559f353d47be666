/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a request to `endlab serve`: it answers in HTTP or closes the connection, and goes
   on. A first byte below 128 makes the rest a part of a well-formed request: the position, the dtc, the
   absolute form, or the name that a proxy gives its client, which counts against a rate and is logged. */
#include "try.h"
#include "tui/cli/arguments.h"
#include "tui/text/json.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PATIENCE_MS = 20000, PAUSE_MS = 5 };

static struct sockaddr_in server = {.sin_family = AF_INET};

/* Runs the command itself, for ever. */
static void *serve(void *to)
{
	static char *words[] = {"serve", "--bind",    "127.0.0.1:0", "--threads", "1",
	                        "--log", "/dev/null", "--rate",      "1000",      NULL};
	static const struct el_library_options options = {.directory = "/nonexistent"};
	struct cli cli = {.out = to, .err = to};
	must(!el_library_open(&options, &cli.library, NULL));
	must(!command_run(&cli, 9, words));
	return NULL;
}

static void begin(void)
{
	unsigned short port;
	pthread_t thread;
	int ends[2];
	must(!pipe(ends));
	FILE *in = fdopen(ends[0], "r"), *out = fdopen(ends[1], "w");
	json_begin();
	must(in && out && !pthread_create(&thread, NULL, serve, out));
	must(fscanf(in, "serving http://127.0.0.1:%hu", &port) == 1);
	server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	server.sin_port = htons(port);
}

/* Connects from one of many addresses of this machine, so that none runs out of ports. */
static int reach(void)
{
	static uint32_t number;
	const struct sockaddr_in own = {.sin_family = AF_INET,
	                                .sin_addr.s_addr =
	                                        htonl(INADDR_LOOPBACK + (number++ & 0xffff) * 64)};
	const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
	must(fd >= 0 && !setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on));
	must(!bind(fd, (const struct sockaddr *)&own, sizeof own));
	must(!connect(fd, (const struct sockaddr *)&server, sizeof server));
	return fd;
}

/* Reads from the server until it closes or resets the connection, or is silent for so long: the
   request was incomplete, or the connection stays open. */
static void listen_to(int fd, int patience_ms, bool answers)
{
	static const struct linger at_once = {.l_onoff = 1};
	char answer[1 << 16];
	size_t size = 0;
	struct pollfd ready = {.fd = fd, .events = POLLIN};
	for (ssize_t got = 1;
	     got > 0 && size < sizeof answer && poll(&ready, 1, patience_ms) > 0;) {
		got = read(fd, answer + size, sizeof answer - size);
		size += got > 0 ? (size_t)got : 0;
	}
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
	close(fd);
	must(size ? size > 12 && !memcmp(answer, "HTTP/1.", 7) : !answers);
	for (size_t i = 0; i < size; i++) /* HTTP ends lines with CRLF */
		answer[i] = answer[i] == '\r' ? '\n' : answer[i];
	try_clean(answer, size);
}

/* Can all of the bytes be the value of a query? */
static bool is_value(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (data[i] <= ' ')
			return false;
	return size < 4096;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!server.sin_port)
		begin();
	if (!size)
		return 0;
	const int fd = reach();
	static const struct {
		const char *head, *tail;
	} forms[] = {
		{"GET /standard?fen=", " HTTP/1.0\r\n\r\n"},
		{"GET /standard/mainline?fen=", " HTTP/1.0\r\n\r\n"},
		{"GET /standard?fen=8/8/8/8/8/2k5/8/K6Q&dtc=", " HTTP/1.0\r\n\r\n"},
		{"GET http://", " HTTP/1.0\r\n\r\n"},
		{"OPTIONS /", " HTTP/1.0\r\n\r\n"},
		{"GET /monitor HTTP/1.0\r\nX-Forwarded-For: ", "\r\n\r\n"},
		{"GET /monitor HTTP/1.0\r\nUser-Agent: ", "\r\n\r\n"},
	};
	const size_t form = *data % (sizeof forms / sizeof *forms);
	const bool query = *data < 128;
	if (query)
		send(fd, forms[form].head, strlen(forms[form].head), MSG_NOSIGNAL);
	send(fd, data + 1, size - 1, MSG_NOSIGNAL);
	if (query)
		send(fd, forms[form].tail, strlen(forms[form].tail), MSG_NOSIGNAL);
	const bool answers = query && is_value(data + 1, size - 1);
	listen_to(fd, answers ? PATIENCE_MS : PAUSE_MS, answers);
	return 0;
}
