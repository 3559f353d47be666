/* SPDX-License-Identifier: MIT */
/*
 * /proc/self/cgroup names the groups of this process, one for each hierarchy of version 1, which has
 * some controllers, and one for version 2, which has no list of them; /proc/self/mountinfo says
 * where hierarchies are mounted. A group's limits hold for all groups below it (cgroups(7),
 * proc(5), the kernel's cgroup-v1/memory.rst and cgroup-v2.rst).
 */
#include "machine.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- files ---- */

/* The number that a file begins with. UINT64_MAX: "max", or anything else but a number. */
static uint64_t read_number(const char *folder, const char *name)
{
	char path[PATH_MAX + 32];
	unsigned long long number = UINT64_MAX;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "re");
	if (file && fscanf(file, "%20[0-9]", path) == 1)
		number = strtoull(path, NULL, 10); /* ULLONG_MAX if it is too large */
	if (file)
		fclose(file);
	return number;
}

/* The sum of the numbers that follow these words, each at the start of a line; 0: none does. */
static uint64_t read_sum(const char *folder, const char *name, const char *one, const char *other)
{
	char path[PATH_MAX + 32], line[128], word[64];
	unsigned long long number;
	uint64_t sum = 0;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "%63s %llu", word, &number) == 2 &&
		    (!strcmp(word, one) || !strcmp(word, other)))
			sum += number;
	if (file)
		fclose(file);
	return sum;
}

/* ---- control groups ---- */

/* Is it in a list with commas? The empty word is in the empty list alone. */
static bool has_word(const char *list, const char *word)
{
	const size_t length = strlen(word);
	while (strncmp(list, word, length) || (list[length] && list[length] != ',')) {
		list += strcspn(list, ",");
		if (!*list++)
			return false;
	}
	return true;
}

/* Replaces the octal numbers that stand for blanks and backslashes in mountinfo. */
static char *unescape(char *text)
{
	char *to = text;
	for (const char *from = text; *from; from++) {
		unsigned code;
		if (*from == '\\' && sscanf(from + 1, "%3o", &code) == 1) {
			*to++ = (char)code;
			from += 3;
		} else {
			*to++ = *from;
		}
	}
	*to = '\0';
	return text;
}

/* A group of this process, or one above it. */
struct group {
	char folder[PATH_MAX];
	size_t top; /* length of the path of the topmost group that is visible */
};

/* Finds the group of this process for a controller of version 1; "": the one of version 2. */
static bool group_find(const char *root, const char *controller, struct group *out)
{
	char path[PATH_MAX], *line = NULL, *name = NULL;
	size_t room = 0;
	bool found = false;
	snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
	FILE *file = fopen(path, "re");
	while (file && !name && getline(&line, &room, file) > 0) {
		char *rest = line;
		line[strcspn(line, "\n")] = '\0';
		strsep(&rest, ":");
		const char *list = strsep(&rest, ":");
		if (rest && has_word(list, controller))
			name = strdup(rest);
	}
	if (file)
		fclose(file);
	snprintf(path, sizeof path, "%s/proc/self/mountinfo", root);
	file = name ? fopen(path, "re") : NULL;
	while (file && !found && getline(&line, &room, file) > 0) {
		/* "31 23 0:28 GROUP FOLDER rw,nosuid shared:9 - cgroup cgroup rw,memory" */
		char group[PATH_MAX], folder[PATH_MAX], type[16], options[256];
		const char *end = strstr(line, " - ");
		if (!end || sscanf(end, " - %15s %*s %255s", type, options) != 2 ||
		    strcmp(type, *controller ? "cgroup" : "cgroup2") ||
		    (*controller && !has_word(options, controller)) ||
		    sscanf(line, "%*s %*s %*s %4095s %4095s", group, folder) != 2)
			continue;
		/* Only this group, and what is below it, is visible in that folder. */
		const size_t length = strcmp(unescape(group), "/") ? strlen(group) : 0;
		const bool holds = !strncmp(name, group, length) && !strstr(name, "/..") &&
		                   (name[length] == '/' || !name[length]);
		out->top = strlen(root) + strlen(unescape(folder));
		found = snprintf(out->folder, PATH_MAX, "%s%s%s", root, folder,
		                 holds ? name + length : "") < PATH_MAX;
	}
	if (file)
		fclose(file);
	free(line);
	free(name);
	return found;
}

/* Goes to the group above. */
static bool group_up(struct group *g)
{
	char *slash = strrchr(g->folder, '/');
	if (strlen(g->folder) <= g->top || !slash)
		return false;
	*slash = '\0';
	return true;
}

/* ---- memory ---- */

/* Takes into account that there are `all` bytes (UINT64_MAX: no limit), of which so many are used. */
static void narrow(struct machine_memory *m, uint64_t all, uint64_t used, const char *folder,
                   const char *name)
{
	const uint64_t rest = all > used ? all - used : 0;
	if (all < m->all) {
		m->all = all;
		snprintf(m->limit, sizeof m->limit, "%s%s%s", folder, *folder ? "/" : "", name);
	}
	m->free = rest < m->free ? rest : m->free;
}

static void narrow_by_group(struct machine_memory *m, const char *folder, bool second)
{
	/* Version 1 counts a group's own caches apart from those of the groups below it. */
	const char *most = second ? "memory.max" : "memory.limit_in_bytes";
	const uint64_t cached =
		read_sum(folder, "memory.stat", second ? "inactive_file" : "total_inactive_file",
	                 second ? "active_file" : "total_active_file");
	uint64_t used = read_number(folder, second ? "memory.current" : "memory.usage_in_bytes");
	used = used == UINT64_MAX || used < cached ? 0 : used - cached;
	narrow(m, read_number(folder, most), used, folder, most);
	if (second) /* beyond this, processes hardly get on */
		narrow(m, read_number(folder, "memory.high"), used, folder, "memory.high");
	/* the limit of groups that may not be visible */
	const uint64_t limit = read_sum(folder, "memory.stat", "hierarchical_memory_limit", "");
	narrow(m, limit ? limit : UINT64_MAX, used, folder, "memory.stat");
}

void machine_memory(const char *root, struct machine_memory *out)
{
	char folder[PATH_MAX];
	const long page = sysconf(_SC_PAGESIZE), pages = sysconf(_SC_PHYS_PAGES);
	snprintf(folder, sizeof folder, "%s/proc", root);
	const uint64_t all = 1024 * read_sum(folder, "meminfo", "MemTotal:", "");
	const uint64_t free = 1024 * read_sum(folder, "meminfo", "MemAvailable:", "");
	*out = (struct machine_memory){.all = UINT64_MAX, .limit = ""};
	if (all)
		out->all = all;
	else if (pages > 0 && page > 0)
		out->all = (uint64_t)pages * (uint64_t)page;
	out->free = free ? free : out->all;
	for (int second = 0; second < 2; second++) {
		struct group group;
		bool more = group_find(root, second ? "" : "memory", &group);
		for (; more; more = group_up(&group))
			narrow_by_group(out, group.folder, second);
	}
	/* in pages: the address space, and, behind four other numbers, data and stacks */
	unsigned long long used[2] = {0, 0};
	snprintf(folder, sizeof folder, "%s/proc/self/statm", root);
	FILE *file = fopen(folder, "re");
	if (file && fscanf(file, "%llu %*u %*u %*u %*u %llu", &used[0], &used[1]) != 2)
		used[0] = used[1] = 0;
	if (file)
		fclose(file);
	struct rlimit limit;
	if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY)
		narrow(out, limit.rlim_cur, used[0] * (uint64_t)page, "", "ulimit -v");
	if (!getrlimit(RLIMIT_DATA, &limit) && limit.rlim_cur != RLIM_INFINITY)
		narrow(out, limit.rlim_cur, used[1] * (uint64_t)page, "", "ulimit -d");
}

/* ---- processors ---- */

unsigned machine_processors(const char *root)
{
	double least = UINT_MAX;
	for (int second = 0; second < 2; second++) {
		struct group group;
		bool more = group_find(root, second ? "" : "cpu", &group);
		for (; more; more = group_up(&group)) {
			/* microseconds of processor time in each period; negative: no limit */
			double quota = -1, period = 0;
			char path[PATH_MAX + 32];
			snprintf(path, sizeof path, "%s/%s", group.folder,
			         second ? "cpu.max" : "cpu.cfs_quota_us");
			FILE *file = fopen(path, "re");
			const int read = file ? fscanf(file, "%lf %lf", &quota, &period) : 0;
			if (file)
				fclose(file);
			const uint64_t of = read_number(group.folder, "cpu.cfs_period_us");
			if (!second && of < UINT64_MAX)
				period = (double)of;
			if (read > 0 && quota > 0 && period > 0 && quota / period < least)
				least = quota / period;
		}
	}
	const unsigned whole = (unsigned)least;
	return whole + (whole < least);
}
