/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On what, and with what, figures were taken. */
#include "endlab/lab.h"

#include <lzma.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zstd.h>

/* The value of the first "model name : ..." of /proc/cpuinfo; false where there is none. */
static bool read_model(char *out, size_t size)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	char line[256];
	bool found = false;
	while (f && !found && fgets(line, sizeof line, f)) {
		const char *colon = strchr(line, ':');
		found = colon && !strncmp(line, "model name", strlen("model name"));
		if (found)
			snprintf(out, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
	}
	if (f)
		fclose(f);
	return found;
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
