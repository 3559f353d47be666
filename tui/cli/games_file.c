/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum el_status games_file_check(const struct cli *cli, const struct arguments *arguments,
                                struct el_error *error)
{
	for (int i = 0; i < arguments->count; i++)
		if (!strcmp(arguments->words[i], "-") && !cli->in)
			return el_fail(error, EL_USAGE,
			               "-: the explorer has no standard input; name a file");
	return EL_OK;
}

enum el_status games_file_open(struct games_file *f, const char *name, struct el_error *error)
{
	const bool standard = !strcmp(name, "-");
	*f = (struct games_file){.text = {.name = standard ? "standard input" : name}};
	f->text.fd = standard ? dup(STDIN_FILENO) : open(name, O_RDONLY | O_CLOEXEC);
	if (f->text.fd < 0)
		return el_fail(error, EL_IO, "%s: %s", name, strerror(errno));
	if (!fstat(f->text.fd, &f->about) && S_ISREG(f->about.st_mode))
		f->size = (uint64_t)f->about.st_size;
	return el_games_open(f->text.name, text_read, &f->text, &f->games, error);
}

enum el_status games_file_status(const struct games_file *f, enum el_status status,
                                 struct el_error *error)
{
	return f->text.error.status ? el_fail(error, EL_DAMAGED, "%s", f->text.error.text) : status;
}

void games_file_close(struct games_file *f)
{
	el_games_close(f->games);
	text_free(&f->text);
	if (f->text.fd >= 0)
		close(f->text.fd);
}
