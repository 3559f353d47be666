/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders that hold things other than tables: nothing hangs, no binary bytes reach the terminal,
   nothing is written through a link, and the tables among them answer. */
#include "files.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* ---- what lies there ---- */

/* Names like those of tables, ours and others', and names that nothing should have. */
static const char *const names[] = {
	"KRvK.dtm.egt",
	"KNvK.wdl.egt",
	"KRvK.rtbw",
	"KNvK.rtbz",
	"KRvK.gtb.cp4",
	"kbk.gtb.cp4",
	"noise.egt",
	"\033]0;x\a.egt",
	"a\nb.egt",
	("\xc2\x9b"
         "2J.egt"),
	"\xff\xfe.egt",
	"KBvK.rtbw",
	"\177.rtbw",
	".journal.tsv",
	".endlab-claim-KBvK.dtm",
	"sub",
	"-h.egt",
	"%s%n.egt",
	"x.egt.egt",
	".egt",
};

static void make_fifo(const char *path)
{
	mkfifo(path, 0666);
}

static void make_socket(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	const size_t length = strlen(path);
	if (length < sizeof address.sun_path) {
		memcpy(address.sun_path, path, length);
		bind(fd, (struct sockaddr *)&address, sizeof address);
	}
	close(fd);
}

static void make_loop(const char *path)
{
	if (symlink(path, path))
		return;
}

static void make_link_up(const char *path)
{
	if (symlink("..", path))
		return;
}

static void make_dangling(const char *path)
{
	if (symlink("../victim-that-is-not-there", path))
		return;
}

static void make_link(const char *path)
{
	if (symlink("../victim", path))
		return;
}

static void make_device(const char *path)
{
	if (symlink("/dev/zero", path))
		return;
}

static void make_folder(const char *path)
{
	mkdir(path, 0777);
}

static void make_closed_folder(const char *path)
{
	mkdir(path, 0);
}

static void make_empty(const char *path)
{
	files_write(path, "", 0);
}

static void make_noise(const char *path)
{
	files_write(path, "\211EGT\r\n\x1a\n\033]0;x\a noise", 20);
}

static void make_unreadable(const char *path)
{
	make_noise(path);
	chmod(path, 0);
}

static const struct thing {
	const char *name;
	void (*make)(const char *path);
} things[] = {
	{"a FIFO", make_fifo},
	{"a socket", make_socket},
	{"a link to itself", make_loop},
	{"a link to the folder above", make_link_up},
	{"a link to nothing", make_dangling},
	{"a link to a file of somebody's", make_link},
	{"a link to /dev/zero", make_device},
	{"a folder", make_folder},
	{"a folder that is closed", make_closed_folder},
	{"an empty file", make_empty},
	{"noise", make_noise},
	{"a file that cannot be read", make_unreadable},
};

/* Whoever removes the folder must not follow links, and must open closed folders. */
static void furnish(struct trial *t)
{
	for (size_t n = 1 + trial_below(t, 6); n; n--) {
		const struct thing *thing = &things[trial_below(t, sizeof things / sizeof *things)];
		const char *name = CHOOSE(t, names), *path = files_path(t->folder, name);
		if (files_exist(path))
			continue;
		thing->make(path);
		trial_tell(t, "%s called ", thing->name);
		for (const char *c = name; *c; c++)
			trial_tell(t, *c < ' ' || *c > '~' ? "\\%03o" : "%c", (unsigned char)*c);
		trial_tell(t, "; ");
	}
}

/* ---- what is done there ---- */

/* A position of the table in the folder: a link to the parent folder leads to tables that know
   more. */
static const char fen[] = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1";

/* Asked before anything else is in the folder. */
static char *answer_of(struct trial *t, const char *folder)
{
	const struct job job = {.words = {"probe", "--tsv", "--metric=dtm", fen},
	                        .directory = folder};
	struct outcome o;
	run(t, &job, &o);
	char *answer = strdup(o.out);
	if (!run_is_exit(&o, 0))
		trial_give_up("probe: %s", run_words(&o));
	run_free(&o);
	return answer;
}

static enum verdict judge(struct trial *t, const struct job *job, const struct outcome *o,
                          const char *right)
{
	const bool probes = !strcmp(job->words[0], "probe");
	trial_tell(t, "%s %s", job->words[0], job->words[1] ? job->words[1] : "");
	if (run_fault(o))
		return trial_wrong(t, "%s: %s", run_fault(o), run_words(o));
	for (int status = 0; status <= 4; status++) {
		if (!run_is_exit(o, status))
			continue;
		if (status && !strstr(o->err, "endlab: "))
			return trial_wrong(t, "no word: %s", run_words(o));
		if (probes && (status ? true : strcmp(o->out, right)))
			return trial_wrong(t, "the table there does not answer: %s", run_words(o));
		return status ? REFUSED : RIGHT;
	}
	return trial_wrong(t, "%s", run_words(o));
}

/* Asserts that nothing was written through a link. */
static enum verdict judge_victim(struct trial *t, const char *victim)
{
	size_t size;
	char *text = (char *)files_read(victim, &size);
	const bool kept = text && !strcmp(text, "mine\n");
	free(text);
	if (!kept)
		return trial_wrong(t, "the file that a link leads to is another now");
	if (files_exist(files_path(t->scratch, "victim-that-is-not-there")))
		return trial_wrong(t, "a link to nothing has made a file");
	return RIGHT;
}

static void open_closed(const char *folder)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct stat st;
		const char *path = files_path(folder, names[i]);
		if (!lstat(path, &st) && S_ISDIR(st.st_mode))
			chmod(path, 0777);
	}
}

static enum verdict try_folder(struct trial *t)
{
	static const struct job jobs[] = {
		{.words = {"list"}},
		{.words = {"list", "--json"}},
		{.words = {"probe", "--tsv", "--metric=dtm", fen}},
		{.words = {"stats", "KQvK"}},
		{.words = {"build", "KNvK"}},
		{.words = {"build", "KRvK"}},
	};
	const char *victim = files_path(t->scratch, "victim");
	struct job job = jobs[trial_below(t, sizeof jobs / sizeof *jobs)];
	struct outcome o;
	files_write(victim, "mine\n", 5);
	files_remove(files_path(t->scratch, "victim-that-is-not-there"));
	files_copy(files_path(t->sound, "KQvK.dtm.egt"), files_path(t->folder, "KQvK.dtm.egt"));
	char *right = answer_of(t, t->folder);
	furnish(t);
	if (trial_below(t, 2))
		job.path = t->folder;
	run(t, &job, &o);
	enum verdict verdict = judge(t, &job, &o, right);
	if (verdict != WRONG)
		verdict = judge_victim(t, victim) == WRONG ? WRONG : verdict;
	run_free(&o);
	free(right);
	open_closed(t->folder);
	return verdict;
}

const struct kind odd_folders = {"odd folders", NULL, try_folder, NULL};
