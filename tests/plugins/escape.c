/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A codec that turns on its reader, as a damaged table might that finds a fault in a decoder. The first
 * block that is decoded tries what nobody who reads tables needs, and says on standard error what it
 * could do, as in "escape: read list". $ESCAPE is a folder outside, with the file "secret".
 */
#include "plain.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static bool can_open(const char *name, int flags)
{
	const int fd = open(name, flags, 0600);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool can_list(const char *name)
{
	DIR *folder = opendir(name);
	if (folder)
		closedir(folder);
	return folder;
}

static bool can_run(void)
{
	int status;
	const pid_t child = fork();
	if (!child) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	return child > 0 && waitpid(child, &status, 0) == child && !status;
}

static bool can_connect(int family)
{
	const int fd = socket(family, SOCK_STREAM, 0);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Without a terminal it would be refused for another reason. */
static bool can_type(void)
{
	return !ioctl(STDIN_FILENO, TIOCSTI, "") || errno != EPERM;
}

/* Of a child, so that nothing of the program's own is traced. */
static bool can_trace(void)
{
	int status;
	const pid_t child = fork();
	if (!child)
		_exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0);
	return child > 0 && waitpid(child, &status, 0) == child && !status;
}

static void escape(void)
{
	char said[512] = "escape:";
	const char *folder = getenv("ESCAPE");
	const int here = open(".", O_PATH);
	if (!folder || chdir(folder))
		strcat(said, " no folder");
	const struct {
		const char *name;
		bool could;
	} tries[] = {
		{"read", can_open("secret", O_RDONLY)},
		{"list", can_list(".")},
		{"append", can_open("secret", O_WRONLY | O_APPEND)},
		{"empty", !truncate("secret", 0)},
		{"mode", !chmod("secret", 0666)},
		{"create", can_open("new", O_WRONLY | O_CREAT)},
		{"nameless", can_open(".", O_RDWR | O_TMPFILE)},
		{"folder", !mkdir("folder", 0700)},
		{"link", !symlink("/", "link")},
		{"rename", !rename("secret", "renamed")},
		{"remove", !unlink("secret") || !unlink("renamed")},
		{"run", can_run()},
		{"connect", can_connect(AF_INET)},
		{"local", can_connect(AF_UNIX)},
		{"ring", syscall(SYS_io_uring_setup, 1, NULL) >= 0 || errno != EPERM},
		{"trace", can_trace()},
		{"type", can_type()},
		{"signal", !kill(getppid(), 0)},
	};
	for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
		if (tries[i].could)
			strcat(strcat(said, " "), tries[i].name);
	if (here < 0 || fchdir(here))
		strcat(said, " no way back");
	close(here);
	fprintf(stderr, "%s\n", said);
}

/* ---- the codec: symbols as they are ---- */

static enum el_status escape_decode(void *coder, const uint8_t *bytes, size_t size,
                                    uint16_t *symbols, size_t count, struct el_error *error)
{
	static atomic_flag tried = ATOMIC_FLAG_INIT;
	if (!atomic_flag_test_and_set(&tried))
		escape();
	return plain_decode(coder, bytes, size, symbols, count, error);
}

const struct el_codec el_codec_plugin = {
	.abi = EL_CODEC_ABI,
	.name = "escape",
	.summary = "does what it should not",
	PLAIN,
	.decode = escape_decode,
};
