/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target.h"

#include "core/os/files.h"

#include <errno.h>

static enum el_target target_of(enum el_status status)
{
	return status == EL_OUTDATED  ? EL_TARGET_OUTDATED
	       : status == EL_DAMAGED ? EL_TARGET_DAMAGED
	                              : EL_TARGET_UNREADABLE;
}

/* A table that can be read: whose? */
static enum el_target look_inside(const struct el_table_info *info, const struct el_task *task)
{
	if (!el_slice_equal(&info->slice, &task->slice) || info->metric != task->metric)
		return EL_TARGET_OTHER;
	return info->partial ? EL_TARGET_PARTIAL : EL_TARGET_WHOLE;
}

/* "x; run 'endlab build KQvK --metric wdl --replace' to make it again" */
static enum el_status refuse(enum el_target found, const struct el_task *task,
                             enum el_status status, const struct el_error *why,
                             struct el_error *error)
{
	const char *option = found == EL_TARGET_DAMAGED ? "--repair" : "--replace";
	const bool is_usual = task->partial || task->metric == el_game_metric(task->slice.game);
	return el_fail(error, status, "%s; run 'endlab build %s%s%s%s %s' to make it again",
	               why->text, task->slice.name, task->partial ? " --partial" : "",
	               is_usual ? "" : " --metric ", is_usual ? "" : task->metric->name, option);
}

static enum el_status look_at_table(const char *path, const struct el_task *task,
                                    enum el_target *out, struct el_error *error)
{
	struct el_table *table;
	struct el_error why;
	enum el_status status = el_table_open(path, &table, &why);
	if (status == EL_MEMORY)
		return el_fail(error, status, "%s", why.text);
	if (status) {
		*out = target_of(status);
	} else {
		const struct el_table_info *info = el_table_info(table);
		*out = look_inside(info, task);
		status = el_fail(&why, EL_NEGATIVE, "%s: found a %s table of %s, expected %s", path,
		                 info->metric->name, info->slice.name,
		                 *out == EL_TARGET_OTHER ? "one of its name" : "none there yet");
		el_table_close(table);
	}
	return *out <= task->replaces ? EL_OK : refuse(*out, task, status, &why, error);
}

enum el_status target_look(const char *path, const struct el_task *task, enum el_target *out,
                           struct el_error *error)
{
	struct stat is;
	*out = EL_TARGET_NONE;
	if (lstat(path, &is))
		return errno == ENOENT ? EL_OK
		                       : el_fail(error, EL_IO, "%s: cannot look at it: %m", path);
	if (S_ISLNK(is.st_mode) && stat(path, &is))
		return el_fail(error, EL_IO,
		               "%s: found a link that leads nowhere (%m), expected a table; move "
		               "it away",
		               path);
	struct el_error why;
	if (S_ISREG(is.st_mode))
		return look_at_table(path, task, out, error);
	return el_fail(error, file_not_regular(path, is.st_mode, &why), "%s; move it away",
	               why.text);
}
