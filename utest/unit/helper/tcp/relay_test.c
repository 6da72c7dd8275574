// SPDX-License-Identifier: GPL-2.0
/*
 * relay_test.c - what a process that faces the network cannot do
 *
 * A child gives up its rights with the function that the relay of `listen -p` and
 * `connect` calls, closes what it can, and then tries.  Each call goes to the kernel
 * by its number, as code that took over the process would make it.  utest/remote/tls_clients.py
 * looks at the true ones in /proc.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "helper/tcp/relay.h"
#include "utest/unit/tests.h"

#define SOMEBODY 12345

/* What each attempt gives: 0 and more it was possible, else -errno. */
struct attempt {
	const char *what;
	long result;
};

static long try(long ret)
{
	return ret < 0 ? -errno : ret;
}

#define TRY(...) { #__VA_ARGS__, try(syscall(__VA_ARGS__)) }

/* In the confined child.  @of: a process of the same user. */
static void attempt_all(int to, pid_t of)
{
	static char *const argv[] = { "/bin/true", NULL };
	char byte = 0;
	struct iovec here = { &byte, 1 }, there = { &byte, 1 };
	struct io_uring_params ring = { 0 };
	int fds[2], zero = 0;
	const struct attempt attempts[] = {
		TRY(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY),
		TRY(SYS_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY),
		TRY(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDWR),
		TRY(SYS_openat2, AT_FDCWD, "/etc/passwd", &ring, 24),
#ifdef SYS_open
		TRY(SYS_open, "/etc/passwd", O_RDONLY),
		TRY(SYS_fork),
#endif
		TRY(SYS_faccessat, AT_FDCWD, "/etc/passwd", R_OK),
		TRY(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", &byte, 1),
		TRY(SYS_socket, AF_INET, SOCK_STREAM, 0),
		TRY(SYS_socket, AF_UNIX, SOCK_DGRAM, 0),
		TRY(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, fds),
		TRY(SYS_connect, 3, &ring, 16),
		TRY(SYS_accept4, 3, NULL, NULL, 0),
		TRY(SYS_sendmsg, 0, &ring, 0),
		TRY(SYS_recvmsg, 0, &ring, 0),
		TRY(SYS_pipe2, fds, 0),
		TRY(SYS_dup, 0),
		TRY(SYS_fcntl, 0, F_DUPFD, 0),
		TRY(SYS_fcntl, 0, F_SETOWN, of),
		TRY(SYS_memfd_create, "x", 0),
		TRY(SYS_eventfd2, 0, 0),
		TRY(SYS_io_uring_setup, 1, &ring),
		TRY(SYS_inotify_init1, 0),
		TRY(SYS_perf_event_open, &ring, 0, -1, -1, 0),
		TRY(SYS_bpf, 0, &ring, sizeof(ring)),
		TRY(SYS_clone, SIGCHLD, 0, 0, 0, 0),
		TRY(SYS_clone3, &ring, sizeof(struct clone_args)),
		TRY(SYS_execve, argv[0], argv, NULL),
		TRY(SYS_execveat, 0, "", argv, NULL, AT_EMPTY_PATH),
		TRY(SYS_ptrace, PTRACE_SEIZE, of, 0, 0),
		TRY(SYS_process_vm_readv, of, &here, 1, &there, 1, 0),
		TRY(SYS_kill, of, 0),
		TRY(SYS_tgkill, of, of, 0),
		TRY(SYS_pidfd_open, of, 0),
		TRY(SYS_prlimit64, of, 0, NULL, &ring),
		TRY(SYS_setuid, 0),
		TRY(SYS_unshare, CLONE_NEWUSER),
		TRY(SYS_setns, 0, 0),
		TRY(SYS_chroot, "/"),
		TRY(SYS_chdir, "/"),
		TRY(SYS_mount, "none", "/", "tmpfs", 0, NULL),
		TRY(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0),
		TRY(SYS_prctl, PR_SET_SECCOMP, 0, 0, 0, 0),
		TRY(SYS_keyctl, 0, 0, 0, 0, 0),
		TRY(SYS_userfaultfd, 0),
		TRY(SYS_shmget, 0, 4096, 0600),
		TRY(SYS_ioctl, 0, TIOCSTI, "x"),
		TRY(SYS_ioctl, 0, FIONREAD, &zero),
		TRY(SYS_mprotect, (unsigned long)argv & ~4095ul, 4096, PROT_READ | PROT_EXEC),
#ifdef SYS_mmap
		TRY(SYS_mmap, NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
#endif
		/* a number that no call has */
		TRY(0x3fffffff),
	};
	char line[200];
	size_t i;

	for (i = 0; i < sizeof(attempts) / sizeof(*attempts); i++) {
		snprintf(line, sizeof(line), "%ld %s\n", attempts[i].result, attempts[i].what);
		if (write(to, line, strlen(line)) < 0)
			_exit(2);
	}
}

static void child(int plain, int net, uid_t user)
{
	struct relay relay = { .in = plain, .out = plain, .net = net };
	pid_t of = getppid();

	if (user && (setgid(user) || setuid(user)))
		_exit(9);
	if (relay_drop_privileges(&relay))
		_exit(8);
	/* as the report did it: the limit on files is not what holds */
	close(0);
	close(2);
	attempt_all(1, of);
	/* what it needs goes on */
	if (write(1, "done\n", 5) != 5 || !malloc(1 << 20) || fcntl(1, F_SETFL, O_NONBLOCK))
		_exit(7);
	_exit(0);
}

/* What the confined child says; its wait status in @status. */
static char *confined(uid_t user, int *status)
{
	static char said[16384];
	int plain[2], net[2];
	size_t len = 0;
	ssize_t n;
	pid_t pid;

	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, plain), 0);
	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, net), 0);
	fflush(NULL);
	pid = fork();
	if (!pid)
		child(plain[1], net[1], user);
	close(plain[1]);
	close(net[1]);
	while ((n = read(plain[0], said + len, sizeof(said) - 1 - len)) > 0)
		len += n;
	said[len] = '\0';
	waitpid(pid, status, 0);
	close(plain[0]);
	close(net[0]);
	return said;
}

static void check(uid_t user)
{
	char *line, *rest;
	int status, n = 0;

	rest = confined(user, &status);
	CU_ASSERT_EQUAL(status, 0);
	while ((line = strsep(&rest, "\n")) && strcmp(line, "done")) {
		n++;
		if (atol(line) == -EPERM)
			continue;
		fprintf(stderr, "relay, user %u: %s\n", user, line);
		CU_FAIL("a call that is not refused");
	}
	CU_ASSERT_PTR_NOT_NULL(line);
	CU_ASSERT_TRUE(n > 40);
}

static void test_refused(void)
{
	/* user-mode emulation has none: that is said by who uses it */
	if (!relay_filter_works())
		return;
	check(0);
	if (!geteuid())
		check(SOMEBODY);
}

/* Root has an empty root directory and another user. */
static void test_root(void)
{
	char link[64], root[64] = "", state[2] = "";
	int plain[2], status;
	pid_t pid;

	/* user-mode emulation knows no clone(2) that shares the root directory alone */
	if (geteuid() || !relay_filter_works())
		return;
	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, plain), 0);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		struct relay relay = { .in = plain[1], .out = plain[1], .net = plain[1] };

		if (relay_drop_privileges(&relay) || write(1, "r", 1) != 1)
			_exit(1);
		while (read(0, state, 1) < 0)
			;
		_exit(0);
	}
	close(plain[1]);
	CU_ASSERT_EQUAL(read(plain[0], state, 1), 1);
	snprintf(link, sizeof(link), "/proc/%d/root", pid);
	CU_ASSERT_TRUE(readlink(link, root, sizeof(root) - 1) > 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(root, "/fdinfo"));
	snprintf(link, sizeof(link), "/proc/%d/root/etc", pid);
	CU_ASSERT_EQUAL(access(link, F_OK), -1);
	snprintf(link, sizeof(link), "/proc/%d/root/0", pid);
	CU_ASSERT_EQUAL(access(link, F_OK), -1);
	close(plain[0]);
	waitpid(pid, &status, 0);
	CU_ASSERT_EQUAL(status, 0);
}

#ifdef __x86_64__
static long i386_getpid(void)
{
	long ret = 20;

	__asm__ volatile("int $0x80" : "+a"(ret) : : "memory");
	return ret;
}

/* A kernel without CONFIG_IA32_EMULATION has no such calls: they are a fault. */
static bool i386_calls_are_faults(void)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		signal(SIGSEGV, SIG_DFL);
		i386_getpid();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

/* The numbers of another machine mean other calls: they end the process. */
static void test_other_numbers(void)
{
	int plain[2], status;
	pid_t pid;

	if (!relay_filter_works())
		return;
	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, plain), 0);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		struct relay relay = { .in = plain[1], .out = plain[1], .net = plain[1] };

		/* A sanitizer's handler must not turn the signal into an exit status. */
		signal(SIGSEGV, SIG_DFL);
		if (relay_drop_privileges(&relay))
			_exit(1);
		i386_getpid();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	CU_ASSERT_TRUE(WIFSIGNALED(status));
	CU_ASSERT_EQUAL(WTERMSIG(status), i386_calls_are_faults() ? SIGSEGV : SIGSYS);
	close(plain[0]);
	close(plain[1]);
}
#define X86_64_TESTS \
	, { "a system call with an i386 number ends the relay with SIGSYS", test_other_numbers }
#else
#define X86_64_TESTS
#endif

UNIT_TESTS(
	{ "a system call that the relay does not need fails with EPERM", test_refused },
	{ "a relay that root starts has an empty root directory", test_root } X86_64_TESTS);
