/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run.h"
#include "files.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST = 40 }; /* seconds that a run may take */

static const double LOOK_EACH = 0.0005, KEY_EACH = 0.02;

double run_clock(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the process ---- */

static void set_number(const char *name, unsigned long number)
{
	char digits[24];
	snprintf(digits, sizeof digits, "%lu", number);
	setenv(name, digits, 1);
}

static const char *folder_of(const struct trial *t, const struct job *job)
{
	return job->directory ? job->directory : t->folder;
}

static const char *program_of(const struct trial *t, const struct job *job)
{
	const bool is_failing = job->counts || job->counts_steps || job->kill_at || job->clock;
	return is_failing ? t->failing : t->endlab;
}

static void set_surroundings(const struct trial *t, const struct job *job)
{
	setenv("ENDLAB_DIR", folder_of(t, job), 1);
	setenv("ENDLAB_PATH", job->path ? job->path : "", 1);
	setenv("HOME", files_path(t->scratch, "home"), 1);
	setenv("XDG_DATA_HOME", files_path(t->scratch, "home"), 1);
	setenv("XDG_STATE_HOME",
	       job->state ? files_path(folder_of(t, job), "state") : files_path(t->scratch, "home"),
	       1);
	setenv("ENDLAB", program_of(t, job), 1);
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("OMP_WAIT_POLICY", "passive", 1);
	if (job->counts || job->limited == RLIMIT_DATA)
		setenv("OMP_NUM_THREADS", "1", 1);
	if (job->clock)
		setenv("ENDLAB_CLOCK", job->clock, 1);
	set_number("ENDLAB_KILL_AT", job->kill_at);
	if (!job->counts && !job->counts_steps)
		return;
	setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* a failed request may leak */
	setenv("ENDLAB_FAIL_LOG", files_path(t->scratch, "asked"), 1);
	set_number("ENDLAB_FAIL_AT", job->fail_at);
	set_number("ENDLAB_FAIL_FOR", job->fail_for);
}

static void begin(const struct trial *t, const struct job *job)
{
	const char *program = job->program ? job->program : program_of(t, job);
	char *words[sizeof job->words / sizeof *job->words + 2] = {(char *)(uintptr_t)program};
	for (size_t i = 0; job->words[i]; i++)
		words[i + 1] = (char *)(uintptr_t)job->words[i];
	if (!job->keys) {
		dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
		dup2(open(files_path(t->scratch, "out"), O_WRONLY | O_CREAT | O_TRUNC, 0666),
		     STDOUT_FILENO);
		dup2(open(files_path(t->scratch, "err"), O_WRONLY | O_CREAT | O_TRUNC, 0666),
		     STDERR_FILENO);
	}
	set_surroundings(t, job);
	if (job->no_privileges && !geteuid() &&
	    (prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE) ||
	     prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH)))
		_exit(127);
	if (!job->keys)
		setpgid(0, 0);
	if (chdir(folder_of(t, job)))
		_exit(127);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	if (job->limit)
		setrlimit((__rlimit_resource_t)job->limited,
		          &(struct rlimit){job->limit, job->limit});
	execv(program, words);
	dprintf(STDERR_FILENO, "trial: %s: %m\n", program);
	_exit(127);
}

/* ---- the terminal, seen from its other end ---- */

struct screen {
	int fd;
	const char *keys, *last; /* typed once; typed again and again behind them */
	double next;             /* key */
	char *text;
	size_t size;
};

/* Reads the output, and types a key every few moments. */
static void attend(struct screen *s, double now)
{
	char bytes[4096];
	ssize_t n;
	while (poll(&(struct pollfd){.fd = s->fd, .events = POLLIN}, 1, 0) > 0 &&
	       (n = read(s->fd, bytes, sizeof bytes)) > 0) {
		char *more = realloc(s->text, s->size + (size_t)n + 1);
		if (!more)
			trial_give_up("out of memory");
		memcpy(more + s->size, bytes, (size_t)n);
		s->text = more;
		s->text[s->size += (size_t)n] = '\0';
	}
	if (now < s->next)
		return;
	s->next = now + KEY_EACH;
	const char *key = *s->keys ? s->keys++ : s->last;
	if (*key && write(s->fd, key, 1) != 1)
		s->keys = s->last = ""; /* nobody reads them any more */
}

/* ---- running ---- */

/* Signals its children too, if it leads a group. */
static void end(pid_t child, int signal)
{
	if (kill(-child, signal))
		kill(child, signal);
}

/* Waits until it ends, or ends it. */
static void follow(struct trial *t, const struct job *job, pid_t child, struct screen *screen,
                   struct outcome *out)
{
	const double start = run_clock();
	bool sent = job->after <= 0, happened = !job->event;
	while (!waitpid(child, &out->status, WNOHANG)) {
		const double now = run_clock();
		if (!sent && now >= start + job->after) {
			end(child, job->signal);
			sent = true;
		}
		if (now > start + LONGEST && !out->hung) {
			end(child, SIGKILL);
			out->hung = true;
		}
		if (!happened && now >= start + job->event_after) {
			job->event(t);
			happened = true;
		}
		if (job->keys)
			attend(screen, now);
		const double wait = sent ? LOOK_EACH : LOOK_EACH / 5;
		nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * wait)}, NULL);
	}
	out->seconds = run_clock() - start;
	if (!happened)
		job->event(t);
	while (waitpid(-child, NULL, 0) > 0) /* its children, which are ours now */
		;
}

/* The lines of failing.c: addresses, and the count. */
static void read_count(const struct trial *t, struct outcome *out)
{
	size_t size;
	char *text = (char *)files_read(files_path(t->scratch, "asked"), &size), *line = text;
	for (char *rest = text; text && (line = strsep(&rest, "\n"));) {
		if (!strncmp(line, "0x", 2) && !*out->place)
			snprintf(out->place, sizeof out->place, "%s", line);
		else if (*line && strncmp(line, "0x", 2))
			sscanf(line, "%lu %lu", &out->asked, &out->steps);
	}
	free(text);
}

void run(struct trial *t, const struct job *job, struct outcome *out)
{
	size_t size;
	struct screen screen = {
		.keys = job->keys,
		.last = job->after > 0 ? "" : "Q",
		.next = run_clock() + 5 * KEY_EACH,
	};
	const struct winsize window = {.ws_row = 24, .ws_col = 80};
	*out = (struct outcome){.on_screen = job->keys};
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	const char *said = files_path(t->scratch, "out"), *told = files_path(t->scratch, "err");
	files_write(said, "", 0); /* it may be ended before it opens them */
	files_write(told, "", 0);
	fflush(NULL);
	const pid_t child = job->keys ? forkpty(&screen.fd, NULL, NULL, &window) : fork();
	if (child < 0)
		trial_give_up("cannot fork: %m");
	if (!child)
		begin(t, job);
	follow(t, job, child, &screen, out);
	if (job->keys) {
		attend(&screen, 0);
		close(screen.fd);
		out->out = screen.text ? screen.text : strdup("");
		out->err = strdup("");
	} else {
		out->out = (char *)files_read(said, &size);
		out->err = (char *)files_read(told, &size);
	}
	if (!out->out || !out->err)
		trial_give_up("the output of a run is not there");
	if (job->counts || job->counts_steps)
		read_count(t, out);
}

void run_free(struct outcome *out)
{
	free(out->out);
	free(out->err);
}

/* ---- judging ---- */

bool run_is_exit(const struct outcome *out, int status)
{
	return !out->hung && WIFEXITED(out->status) && WEXITSTATUS(out->status) == status;
}

/* Control characters as terminals take them, including those of C1 in UTF-8. */
static bool has_controls(const char *text)
{
	for (const char *c = text; *c; c++)
		if (((unsigned char)*c < ' ' && *c != '\n' && *c != '\t') || *c == 127 ||
		    (c[0] == '\xc2' && (unsigned char)c[1] >= 0x80 && (unsigned char)c[1] < 0xa0))
			return true;
	return false;
}

const char *run_fault(const struct outcome *out)
{
	static const int crashes[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
	if (out->hung)
		return "hangs";
	for (size_t i = 0; WIFSIGNALED(out->status) && i < sizeof crashes / sizeof *crashes; i++)
		if (WTERMSIG(out->status) == crashes[i])
			return "crashes";
	if (strstr(out->err, "ERROR: AddressSanitizer") || strstr(out->err, "runtime error:"))
		return "is found out by a sanitizer";
	return !out->on_screen && (has_controls(out->out) || has_controls(out->err))
	               ? "writes control characters"
	               : NULL;
}

const char *run_words(const struct outcome *out)
{
	static char words[512];
	const char *said = *out->err ? out->err : out->out;
	const bool killed = WIFSIGNALED(out->status);
	snprintf(words, sizeof words, "%s %d: %.400s", killed ? "signal" : "exit status",
	         killed ? WTERMSIG(out->status) : WEXITSTATUS(out->status),
	         said + strspn(said, "\n"));
	words[strcspn(words, "\n")] = '\0';
	return words;
}

static size_t count_lines(const char *text, const char *part)
{
	size_t count = 0;
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *found = strstr(line, part);
		count += found && found < line + strcspn(line, "\n");
	}
	return count;
}

bool run_is_refusal(const struct outcome *out)
{
	return run_is_exit(out, 4) && count_lines(out->err, "endlab: ") == 1;
}

bool run_lacks_memory(const struct outcome *out)
{
	static const char *const words[] = {"out of memory", "annot allocate memory"};
	size_t said = 0;
	for (size_t i = 0; i < 2; i++)
		said += count_lines(out->err, words[i]) + count_lines(out->out, words[i]);
	return run_is_exit(out, 4) && said && count_lines(out->err, "endlab: ") <= 1;
}
