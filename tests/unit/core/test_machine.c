/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory and the processors of machines that are folders: proc and control groups of either
   version. The files are as kernels write them; the values are worked out by hand. */
#include "core/os/files.h"
#include "core/os/machine.h"
#include "core/solve/memory.h"
#include "tests/fixtures/scratch.h"
#include "tests/sanitizers.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char root[SCRATCH_PATH];

/* Writes a file of the machine, and the folders that it is in. */
static void put(const char *path, const char *text)
{
	char all[2 * SCRATCH_PATH];
	struct el_error error;
	snprintf(all, sizeof all, "%s%s", root, path);
	*strrchr(all, '/') = '\0';
	assert_int_equal(directory_make(all, &error), EL_OK);
	snprintf(all, sizeof all, "%s%s", root, path);
	FILE *file = fopen(all, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* A machine of 16,000,000 KiB, 12,000,000 of them available. */
static int start(void **state)
{
	(void)state;
	scratch_make(root);
	put("/proc/meminfo", "MemTotal:       16000000 kB\nMemFree:         2000000 kB\n"
	                     "MemAvailable:   12000000 kB\nBuffers:          500000 kB\n");
	return 0;
}

static int take_away(const char *path, const struct stat *is, int kind, struct FTW *at)
{
	(void)is;
	(void)kind;
	(void)at;
	return remove(path);
}

static int end(void **state)
{
	(void)state;
	return nftw(root, take_away, 16, FTW_DEPTH | FTW_PHYS);
}

/* `limit`: what allows no more, below the root. */
static void assert_memory(uint64_t all, uint64_t free, const char *limit)
{
	struct machine_memory m;
	machine_memory(root, &m);
	assert_int_equal(m.all, all);
	assert_int_equal(m.free, free);
	if (*limit)
		assert_string_equal(m.limit + strlen(root), limit);
	else
		assert_string_equal(m.limit, "");
}

static void assert_unlimited(void)
{
	assert_memory(16384000000, 12288000000, "");
	assert_int_equal(machine_processors(root), UINT_MAX);
}

static const char mounts_of_2[] =
	"24 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
	"31 24 0:26 / /sys/fs/cgroup rw,nosuid shared:9 master:3 - cgroup2 cgroup2 rw,nsdelegate\n";
static const char mounts_of_1[] =
	"31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"
	"32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
	"35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:7 - cgroup cgroup rw,memory\n"
	"41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";

static void test_no_groups(void **state)
{
	(void)state;
	assert_unlimited();
	put("/proc/self/cgroup", "");
	put("/proc/self/mountinfo", mounts_of_2);
	assert_unlimited();
	put("/proc/self/cgroup", "0::/\n");
	assert_unlimited(); /* the root group has no files of limits */
	put("/proc/self/cgroup", "nonsense\n7:memory\n::\n");
	put("/proc/self/mountinfo", "nonsense\n - cgroup\n1 2 3 - cgroup2 x rw\n");
	assert_unlimited();
}

/* Without /proc there are still the machine's pages. */
static void test_no_proc(void **state)
{
	(void)state;
	struct machine_memory m;
	machine_memory("/nonexistent", &m);
	assert_int_equal(m.all,
	                 (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE));
	assert_int_equal(m.free, m.all);
}

static void test_second_version(void **state)
{
	(void)state;
	static const char *const group = "/sys/fs/cgroup/user.slice/job.scope";
	char path[128];
	put("/proc/self/cgroup", "0::/user.slice/job.scope\n");
	put("/proc/self/mountinfo", mounts_of_2);
	put("/sys/fs/cgroup/user.slice/job.scope/memory.max", "max\n");
	put("/sys/fs/cgroup/user.slice/job.scope/memory.high", "max\n");
	put("/sys/fs/cgroup/user.slice/job.scope/cpu.max", "max 100000\n");
	assert_unlimited();
	/* 100 MB in use, 30 of them caches of files */
	put("/sys/fs/cgroup/user.slice/job.scope/memory.max", "400000000\n");
	put("/sys/fs/cgroup/user.slice/job.scope/memory.current", "100000000\n");
	put("/sys/fs/cgroup/user.slice/job.scope/memory.stat",
	    "anon 70000000\nfile 30000000\ninactive_anon 1\ninactive_file 20000000\n"
	    "active_file 10000000\nunevictable 0\n");
	snprintf(path, sizeof path, "%s/memory.max", group);
	assert_memory(400000000, 330000000, path);
	/* throttled from 300 MB on */
	put("/sys/fs/cgroup/user.slice/job.scope/memory.high", "300000000\n");
	snprintf(path, sizeof path, "%s/memory.high", group);
	assert_memory(300000000, 230000000, path);
	/* the group above allows more in all, but other groups there have taken most of it */
	put("/sys/fs/cgroup/user.slice/memory.max", "1000000000\n");
	put("/sys/fs/cgroup/user.slice/memory.current", "950000000\n");
	assert_memory(300000000, 50000000, path);
	/* and now less, and more than that is in use */
	put("/sys/fs/cgroup/user.slice/memory.max", "200000000\n");
	assert_memory(200000000, 0, "/sys/fs/cgroup/user.slice/memory.max");
	/* more than the machine has, more than fits in a number, less than nothing, no number */
	put("/sys/fs/cgroup/user.slice/memory.max", "17000000000\n");
	assert_memory(300000000, 230000000, path);
	put("/sys/fs/cgroup/user.slice/memory.max", "99999999999999999999\n");
	assert_memory(300000000, 230000000, path);
	put("/sys/fs/cgroup/user.slice/memory.max", "-1\n");
	assert_memory(300000000, 230000000, path);
	put("/sys/fs/cgroup/user.slice/memory.max", "plenty\n");
	assert_memory(300000000, 230000000, path);
	put("/sys/fs/cgroup/user.slice/job.scope/memory.max", "0\n");
	snprintf(path, sizeof path, "%s/memory.max", group);
	assert_memory(0, 0, path);
}

static void test_first_version(void **state)
{
	(void)state;
	put("/proc/self/cgroup",
	    "9:name=systemd:/batch\n4:memory:/batch/job:7\n1:cpu,cpuacct:/batch\n"
	    "0::/batch\n");
	put("/proc/self/mountinfo", mounts_of_1);
	/* how the kernel says: no limit */
	put("/sys/fs/cgroup/memory/batch/job:7/memory.limit_in_bytes", "9223372036854771712\n");
	put("/sys/fs/cgroup/cpu,cpuacct/batch/cpu.cfs_quota_us", "-1\n");
	put("/sys/fs/cgroup/cpu,cpuacct/batch/cpu.cfs_period_us", "100000\n");
	assert_unlimited();
	put("/sys/fs/cgroup/memory/batch/job:7/memory.limit_in_bytes", "500000000\n");
	put("/sys/fs/cgroup/memory/batch/job:7/memory.usage_in_bytes", "90000000\n");
	put("/sys/fs/cgroup/memory/batch/job:7/memory.stat",
	    "cache 10000000\ninactive_file 1\nactive_file 1\ntotal_cache 40000000\n"
	    "total_inactive_file 25000000\ntotal_active_file 15000000\n");
	assert_memory(500000000, 450000000,
	              "/sys/fs/cgroup/memory/batch/job:7/memory.limit_in_bytes");
	put("/sys/fs/cgroup/memory/batch/memory.limit_in_bytes", "400000000\n");
	put("/sys/fs/cgroup/memory/batch/memory.usage_in_bytes", "100000000\n");
	assert_memory(400000000, 300000000, "/sys/fs/cgroup/memory/batch/memory.limit_in_bytes");
	/* a group above those that a container sees */
	put("/sys/fs/cgroup/memory/batch/memory.stat", "hierarchical_memory_limit 350000000\n");
	assert_memory(350000000, 250000000, "/sys/fs/cgroup/memory/batch/memory.stat");
}

/* A container sees its own group, and those below it, in place of all. */
static void test_containers(void **state)
{
	(void)state;
	static const char limit[] = "/sys/fs/cgroup/memory/memory.limit_in_bytes";
	put("/proc/self/mountinfo",
	    "35 31 0:32 /docker/4\\0407 /sys/fs/cgroup/memory ro - cgroup cgroup "
	    "rw,memory\n");
	put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "600000000\n");
	put("/sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "500000000\n");
	put("/sys/memory.limit_in_bytes", "100\n"); /* not a group */
	put("/proc/self/cgroup", "4:memory:/docker/4 7\n");
	assert_memory(600000000, 600000000, limit);
	put("/proc/self/cgroup", "4:memory:/docker/4 7/inner\n");
	assert_memory(500000000, 500000000, "/sys/fs/cgroup/memory/inner/memory.limit_in_bytes");
	put("/proc/self/cgroup",
	    "4:memory:/docker/4 77/inner\n"); /* another group: is not visible */
	assert_memory(600000000, 600000000, limit);
	put("/proc/self/cgroup", "4:memory:/../../inner\n");
	assert_memory(600000000, 600000000, limit);
	put("/proc/self/cgroup", "4:memory:/docker/4 7/gone\n");
	assert_memory(600000000, 600000000, limit);
}

static void test_unreadable(void **state)
{
	(void)state;
	char path[2 * SCRATCH_PATH];
	put("/proc/self/cgroup", "0::/job\n");
	put("/proc/self/mountinfo", mounts_of_2);
	put("/sys/fs/cgroup/job/memory.max/is/a/folder", "");
	put("/sys/fs/cgroup/job/memory.high", "400000000\n");
	assert_memory(400000000, 400000000, "/sys/fs/cgroup/job/memory.high");
	snprintf(path, sizeof path, "%s/sys/fs/cgroup/job/memory.high", root);
	if (!geteuid())
		skip(); /* may read anything */
	assert_int_equal(chmod(path, 0), 0);
	assert_unlimited();
}

static void test_processors(void **state)
{
	(void)state;
	put("/proc/self/mountinfo", mounts_of_2);
	put("/proc/self/cgroup", "0::/a/b\n");
	put("/sys/fs/cgroup/a/b/cpu.max", "250000 100000\n"); /* two and a half */
	assert_int_equal(machine_processors(root), 3);
	put("/sys/fs/cgroup/a/cpu.max", "20000 10000\n");
	assert_int_equal(machine_processors(root), 2);
	put("/sys/fs/cgroup/a/b/cpu.max", "1000 100000\n");
	assert_int_equal(machine_processors(root), 1);
	put("/sys/fs/cgroup/a/b/cpu.max", "nonsense\n");
	put("/sys/fs/cgroup/a/cpu.max", "20000\n");
	assert_int_equal(machine_processors(root), UINT_MAX);
	put("/proc/self/mountinfo", mounts_of_1);
	put("/proc/self/cgroup", "1:cpu,cpuacct:/c\n4:memory:/\n");
	put("/sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_quota_us", "400000\n");
	assert_int_equal(machine_processors(root), UINT_MAX);
	put("/sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_period_us", "100000\n");
	assert_int_equal(machine_processors(root), 4);
}

/* Last, since it lowers limits of this process for good. */
static void test_resource_limits(void **state)
{
	(void)state;
	struct machine_memory m;
	struct el_error error;
	const struct rlimit data = {600000000, 600000000}, space = {500000000, 500000000};
	if (SANITIZED)
		skip(); /* they take more than that */
	put("/proc/self/statm", "10000 3000 800 70 0 4000 0\n");
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	assert_int_equal(setrlimit(RLIMIT_DATA, &data), 0);
	machine_memory(root, &m);
	assert_string_equal(m.limit, "ulimit -d");
	assert_int_equal(m.all, 600000000);
	assert_int_equal(m.free, 600000000 - 4000 * page);
	assert_int_equal(setrlimit(RLIMIT_AS, &space), 0);
	machine_memory(root, &m);
	assert_string_equal(m.limit, "ulimit -v");
	assert_int_equal(m.free, 500000000 - 10000 * page);
	assert_int_equal(memory_check("KQRvKR", 499000000, &error), EL_OK);
	assert_int_equal(memory_check("KQRvKR", 540000000, &error), EL_NEGATIVE);
	assert_string_equal(error.text,
	                    "KQRvKR needs about 540 MB of memory; this process may have "
	                    "500 MB (ulimit -v)");
	assert_in_range(memory_of_machine(), 1, 500000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_no_groups, start, end),
		cmocka_unit_test_setup_teardown(test_no_proc, start, end),
		cmocka_unit_test_setup_teardown(test_second_version, start, end),
		cmocka_unit_test_setup_teardown(test_first_version, start, end),
		cmocka_unit_test_setup_teardown(test_containers, start, end),
		cmocka_unit_test_setup_teardown(test_unreadable, start, end),
		cmocka_unit_test_setup_teardown(test_processors, start, end),
		cmocka_unit_test_setup_teardown(test_resource_limits, start, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
