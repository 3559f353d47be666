/* SPDX-License-Identifier: MIT */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined __linux__ && !defined EL_INSTRUMENTED
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- Landlock: files ---- */

/* As the kernel's landlock_ruleset_attr since ABI 6; headers may be older than the kernel, and an
   older kernel takes zeros for what it does not know. */
struct rules {
	uint64_t files, network, scope;
};

/* How many rights on files each ABI knows; they are the lowest bits. */
static const unsigned char file_rights[] = {0, 13, 14, 15, 15, 16};

enum {
	ABI_NETWORK = 4,
	ABI_SCOPE = 6,
	ALL_NETWORK = 3, /* to bind and to connect; nobody is granted either */
	ALL_SCOPE = 3,   /* abstract sockets and signals of processes outside */
	TRUNCATE = 1 << 14,
	READ = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
	WRITE = READ | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
	        LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
	        LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SYM |
	        LANDLOCK_ACCESS_FS_REFER | TRUNCATE,
	ON_FILES = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | TRUNCATE,
};

/* Below 1, with errno set: there is none. */
static long landlock_abi(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

/* Grants rights beneath a path. What cannot be found needs none, since it cannot be opened either. False,
   with errno set. */
static bool grant(int ruleset, const char *path, uint64_t rights)
{
	struct stat is;
	const int fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return true;
	if (!fstat(fd, &is) && !S_ISDIR(is.st_mode))
		rights &= ON_FILES;
	const struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = fd};
	const bool done =
		!syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
	const int why = errno;
	close(fd);
	errno = why;
	return done;
}

/* False, with errno set. */
static bool restrict_files(const struct sandbox *allowed, long abi)
{
	static const char *const everything[] = {"/", NULL};
	const size_t newest = LENGTH(file_rights) - 1;
	const unsigned known = file_rights[(size_t)abi < newest ? (size_t)abi : newest];
	const struct rules handled = {
		.files = ((uint64_t)1 << known) - 1,
		.network = abi < ABI_NETWORK || allowed->connects ? 0 : ALL_NETWORK,
		.scope = abi < ABI_SCOPE ? 0 : ALL_SCOPE};
	const int ruleset = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
	if (ruleset < 0)
		return false;
	bool done = true;
	for (const char *const *path = allowed->reads ? allowed->reads : everything; *path && done;
	     path++)
		done = grant(ruleset, *path, READ & handled.files);
	for (const char *const *path = allowed->writes; path && *path && done; path++)
		done = grant(ruleset, *path, WRITE & handled.files);
	done = done && !syscall(SYS_landlock_restrict_self, ruleset, 0);
	const int why = errno;
	close(ruleset);
	errno = why;
	return done;
}

/* ---- seccomp: system calls ---- */

#if defined __x86_64__
enum { PROCESSOR = AUDIT_ARCH_X86_64, OTHER_ABI = 0x40000000 /* x32 */ };
#elif defined __aarch64__
enum { PROCESSOR = AUDIT_ARCH_AARCH64, OTHER_ABI = 0x40000000 /* none */ };
#else
enum { PROCESSOR = 0, OTHER_ABI = 0 }; /* its numbers and registers have not been looked at */
#endif

enum { LOAD = BPF_LD | BPF_W | BPF_ABS, IF_EQUAL = BPF_JMP | BPF_JEQ | BPF_K };

static const unsigned refused[] =
	{
		/* run programs, look into processes */
		SYS_execve,
		SYS_execveat,
		SYS_ptrace,
		SYS_process_vm_readv,
		SYS_process_vm_writev,
		SYS_pidfd_getfd,
		/* make sockets through io_uring, which no filter sees */
		SYS_io_uring_setup,
		/* leave through the kernel */
		SYS_bpf,
		SYS_perf_event_open,
		SYS_userfaultfd,
		SYS_open_by_handle_at,
		SYS_unshare,
		SYS_setns,
		SYS_add_key,
		SYS_request_key,
		SYS_keyctl,
		/* what Landlock does not watch, or not before ABI 3 */
		SYS_truncate,
		SYS_setxattr,
		SYS_lsetxattr,
		SYS_fsetxattr,
		SYS_removexattr,
		SYS_lremovexattr,
		SYS_fremovexattr,
},
		      sockets[] = {SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen},
		      modes[] = {
#ifdef SYS_chmod
			      SYS_chmod,    SYS_chown,  SYS_lchown,
#endif
			      SYS_fchmod,   SYS_fchown, SYS_fchmodat,
			      SYS_fchownat, 452, /* fchmodat2 */
};

static bool seccomp_is_there(void)
{
	const uint32_t action = SECCOMP_RET_ERRNO;
	return PROCESSOR != 0 && !syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action);
}

/* False, with errno set. */
static bool restrict_calls(const struct sandbox *allowed)
{
	enum { AROUND = 16, OPERATION = offsetof(struct seccomp_data, args[1]) };
	static const struct sock_filter refuse =
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	struct sock_filter
		program[2 * (LENGTH(refused) + LENGTH(sockets) + LENGTH(modes)) + AROUND],
		*p = program;
	*p++ = (struct sock_filter)BPF_STMT(LOAD, offsetof(struct seccomp_data, arch));
	*p++ = (struct sock_filter)BPF_JUMP(IF_EQUAL, PROCESSOR, 1, 0);
	*p++ = refuse;
	*p++ = (struct sock_filter)BPF_STMT(LOAD, offsetof(struct seccomp_data, nr));
	*p++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, OTHER_ABI, 0, 1);
	*p++ = refuse;
	for (size_t i = 0; i < LENGTH(refused); i++, *p++ = refuse)
		*p++ = (struct sock_filter)BPF_JUMP(IF_EQUAL, refused[i], 0, 1);
	for (size_t i = 0; i < LENGTH(sockets) && !allowed->connects; i++, *p++ = refuse)
		*p++ = (struct sock_filter)BPF_JUMP(IF_EQUAL, sockets[i], 0, 1);
	for (size_t i = 0; i < LENGTH(modes) && !allowed->changes_modes; i++, *p++ = refuse)
		*p++ = (struct sock_filter)BPF_JUMP(IF_EQUAL, modes[i], 0, 1);
	/* Words in the terminal's input would be a command to the user's shell. The lower half of an
	   argument comes first on both processors. */
	*p++ = (struct sock_filter)BPF_JUMP(IF_EQUAL, SYS_ioctl, 0, 3);
	*p++ = (struct sock_filter)BPF_STMT(LOAD, OPERATION);
	*p++ = (struct sock_filter)BPF_JUMP(IF_EQUAL, TIOCSTI, 0, 1);
	*p++ = refuse;
	*p++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	const struct sock_fprog filter = {(unsigned short)(p - program), program};
	/* Before Linux 5.16 a filter would else slow the processor down, against Spectre. */
	return !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
	                &filter);
}

/* ---- both ---- */

/* From errno. */
static const char *why_not(void)
{
	return errno == ENOSYS || errno == EINVAL ? "the kernel lacks it"
	       : errno == EOPNOTSUPP              ? "off since the kernel started"
	                                          : strerror(errno);
}

void sandbox_name(char out[SANDBOX_NAME_MAX])
{
	const long abi = landlock_abi();
	int length = abi > 0 ? snprintf(out, SANDBOX_NAME_MAX, "Landlock (ABI %ld), ", abi)
	                     : snprintf(out, SANDBOX_NAME_MAX, "no Landlock (%s), ", why_not());
	length = length < SANDBOX_NAME_MAX ? length : SANDBOX_NAME_MAX;
	out += length;
	if (seccomp_is_there())
		snprintf(out, SANDBOX_NAME_MAX - (size_t)length, "seccomp");
	else
		snprintf(out, SANDBOX_NAME_MAX - (size_t)length, "no seccomp (%s)",
		         PROCESSOR != 0 ? why_not() : "not for this processor");
}

enum el_status sandbox_enter(const struct sandbox *allowed, struct el_error *error)
{
	const long abi = landlock_abi();
	const bool calls = seccomp_is_there();
	if (abi <= 0 && !calls)
		return EL_OK;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return el_fail(error, EL_IO, "the sandbox: no_new_privs: %s", strerror(errno));
	if (abi > 0 && !restrict_files(allowed, abi))
		return el_fail(error, EL_IO, "the sandbox: Landlock: %s", strerror(errno));
	if (calls && !restrict_calls(allowed))
		return el_fail(error, EL_IO, "the sandbox: seccomp: %s", strerror(errno));
	return EL_OK;
}

#else

void sandbox_name(char out[SANDBOX_NAME_MAX])
{
#ifdef EL_INSTRUMENTED
	snprintf(out, SANDBOX_NAME_MAX, "none (a build with sanitizers)");
#else
	snprintf(out, SANDBOX_NAME_MAX, "none (only on Linux)");
#endif
}

enum el_status sandbox_enter(const struct sandbox *allowed, struct el_error *error)
{
	(void)allowed, (void)error;
	return EL_OK;
}

#endif
