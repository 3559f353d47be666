/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "build.h"

#include <sys/stat.h>
#include <sys/statvfs.h>

static bool fits(const char *folder, uint64_t needed, struct el_disk_need *out)
{
	struct statvfs disk;
	if (statvfs(folder, &disk))
		return true;
	const uint64_t free = (uint64_t)disk.f_bavail * disk.f_frsize;
	*out = (struct el_disk_need){folder, needed, free};
	return needed <= free;
}

bool el_plan_fits_disk(const struct el_plan *plan, const char *tables, const char *scratch,
                       struct el_disk_need *out)
{
	struct stat one, other;
	const bool is_apart = scratch && !stat(tables, &one) && !stat(scratch, &other) &&
	                      one.st_dev != other.st_dev;
	if (!is_apart)
		return fits(tables, plan->disk + plan->scratch, out);
	return fits(tables, plan->disk, out) && fits(scratch, plan->scratch, out);
}
