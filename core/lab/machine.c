/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On what, and with what, figures were taken. */
#include "lab.h"

#include <fcntl.h>
#include <lzma.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zstd.h>

/* The value of the first "model name : ..." of /proc/cpuinfo, which is near its beginning; false
   where there is none. Takes no memory, so that this cannot be a reason. */
static bool read_model(char *out, size_t size)
{
	char text[4096] = "";
	const int fd = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
	const ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	const char *line = length > 0 ? strstr(text, "model name") : NULL;
	const char *colon = line ? strchr(line, ':') : NULL;
	if (colon)
		snprintf(out, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
	return colon;
}

void el_lab_machine(char *out, size_t size)
{
	char model[128];
	struct utsname name;
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	if (uname(&name))
		name = (struct utsname){.sysname = "an unknown system", .machine = "unknown"};
	snprintf(out, size, "%s, %ld %s, %s %s",
	         read_model(model, sizeof model) ? model : name.machine, cores,
	         cores == 1 ? "core" : "cores", name.sysname, name.release);
}

void el_lab_libraries(char *out, size_t size)
{
	snprintf(out, size, "endlab %s, zstd %s, liblzma %s, compiled by %s", EL_VERSION,
	         ZSTD_versionString(), lzma_version_string(),
#ifdef __clang__
	         "clang " __clang_version__
#else
	         "gcc " __VERSION__
#endif
	);
}
