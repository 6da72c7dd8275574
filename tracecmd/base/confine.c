// SPDX-License-Identifier: GPL-2.0
/*
 * confine.c - run work on untrusted input in a child process that has limits
 *
 * The limit of memory is RLIMIT_DATA, which counts private writable memory.  It is set to what the
 * child has at its start and the allowed megabytes, so it also holds in a build whose sanitizer
 * maps terabytes.  The start is found by trying: there may be no /proc.
 *
 * The child first sends the size of its resident memory.  A child that dies with much more was out
 * of memory: few parsers check each allocation.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "tracecmd/base/confine.h"
#include "tracecmd/base/signals.h"
#include "tracecmd/base/timer.h"

#define MEGABYTE (UINT64_C(1) << 20)
#define NS_PER_MS 1000000
#define STACK_BYTES (64 << 10) /* of the handler below */

/* Exit statuses of the child. */
enum { CONFINE_DONE, CONFINE_NO_ANSWER = 101, CONFINE_NO_MEMORY, CONFINE_CRASHED };

/* The parent's view of a child. */
struct confine_child {
	pid_t pid;
	int from;	/* read end of the pipe */
	bool late;	/* killed: the clock */
	bool long_winded; /* killed: the answer is too long */
	bool interrupted;
	int error;	/* of the parent, -errno */
};

static uint64_t confine_resident_kb(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) ? 0 : usage.ru_maxrss;
}

static void confine_crash(int sig)
{
	(void)sig;
	_exit(CONFINE_CRASHED);
}

/* exit(3), which a library may call, must not run what the program has registered. */
static void confine_leave(void)
{
	_exit(CONFINE_NO_ANSWER);
}

/*
 * A handler instead of the default: no line in the kernel's log and no core file, and the same in a
 * build whose sanitizer has handlers of its own.  Its stack is used if the other one is full.
 */
static void confine_catch_crashes(void)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS };
	struct sigaction action = { .sa_handler = confine_crash, .sa_flags = SA_ONSTACK };
	stack_t stack = { .ss_size = STACK_BYTES };
	size_t i;

	stack.ss_sp =
		mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack.ss_sp == MAP_FAILED || sigaltstack(&stack, NULL))
		action.sa_flags = 0;
	for (i = 0; i < sizeof(crashes) / sizeof(*crashes); i++)
		sigaction(crashes[i], &action, NULL);
}

/* Is there room for one more page under the limit @bytes? */
static bool confine_fits(rlim_t bytes, const struct rlimit *hard)
{
	struct rlimit limit = { .rlim_cur = bytes, .rlim_max = hard->rlim_max };
	long page = sysconf(_SC_PAGESIZE);
	void *at;

	if (setrlimit(RLIMIT_DATA, &limit))
		return false;
	at = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at != MAP_FAILED)
		munmap(at, page);
	return at != MAP_FAILED;
}

/* Allow @more bytes in addition to what there is. */
static void confine_limit_data(uint64_t more)
{
	rlim_t low = 0, high, middle;
	struct rlimit limit;

	if (getrlimit(RLIMIT_DATA, &limit))
		return;
	high = limit.rlim_max;
	/* the smallest limit under which a page fits, to a megabyte */
	while (high - low > MEGABYTE) {
		middle = low + (high - low) / 2;
		if (confine_fits(middle, &limit))
			high = middle;
		else
			low = middle;
	}
	if (limit.rlim_max - high > more)
		limit.rlim_max = high + more;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_DATA, &limit);
}

static void confine_set_limits(const struct confine *c)
{
	struct rlimit cpu = { .rlim_cur = c->seconds, .rlim_max = c->seconds + 1 };
	struct rlimit none = { 0 };

	/* also for a core_pattern that is a pipe, which ignores RLIMIT_CORE */
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	setrlimit(RLIMIT_CORE, &none);
	setrlimit(RLIMIT_CPU, &cpu);
	confine_limit_data(c->megabytes * MEGABYTE);
}

/* Keep only the descriptor @out of all. */
static bool confine_close_all(int *out)
{
	int null = open("/dev/null", O_RDWR), fd;

	if (null < 0 || dup2(*out, 3) < 0)
		return false;
	*out = 3;
	for (fd = 0; fd < 3; fd++) {
		if (dup2(null, fd) < 0)
			return false;
	}
#ifdef SYS_close_range
	if (!syscall(SYS_close_range, 4U, ~0U, 0U))
		return true;
#endif
	for (fd = sysconf(_SC_OPEN_MAX); fd > 3; fd--)
		close(fd);
	return true;
}

static bool confine_send(int fd, const void *data, size_t len)
{
	ssize_t n;

	for (; len; len -= n, data = (const char *)data + n) {
		n = write(fd, data, len);
		if (n <= 0)
			return false;
	}
	return true;
}

__attribute__((noreturn))
static void confine_run_child(const struct confine *c, int out, pid_t parent)
{
	struct hist_strbuf answer = { 0 };
	uint64_t resident;
	sigset_t set;
	int ret;

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		_exit(CONFINE_NO_ANSWER);
	/* the parent decides what a signal means, also one of the terminal */
	sigfillset(&set);
	sigdelset(&set, SIGXCPU);
	sigprocmask(SIG_SETMASK, &set, NULL);
	signal(SIGXCPU, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	confine_catch_crashes();
	if (!confine_close_all(&out) || atexit(confine_leave))
		_exit(CONFINE_NO_ANSWER);
	confine_set_limits(c);
	resident = confine_resident_kb();
	if (!confine_send(out, &resident, sizeof(resident)))
		_exit(CONFINE_NO_ANSWER);
	ret = c->work(c->data, &answer);
	if (ret || answer.error)
		_exit(CONFINE_NO_MEMORY);
	_exit(confine_send(out, answer.data, answer.len) ? CONFINE_DONE : CONFINE_NO_ANSWER);
}

static int confine_fork(const struct confine *c, struct confine_child *child)
{
	pid_t parent = getpid();
	int fds[2], ret = 0;

	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	child->pid = fork();
	if (!child->pid)
		confine_run_child(c, fds[1], parent);
	if (child->pid < 0)
		ret = -errno;
	close(fds[1]);
	child->from = fds[0];
	if (ret)
		close(fds[0]);
	return ret;
}

/* Wait for the pipe until @end.  True if there is something to read. */
static bool confine_wait(struct confine_child *child, uint64_t end)
{
	struct pollfd fds[] = {
		{ .fd = child->from, .events = POLLIN },
		{ .fd = signals_fd(), .events = POLLIN },
	};
	uint64_t now;
	int n;

	for (;;) {
		/* a signal may have been read from its descriptor before */
		signals_patience(-1);
		child->interrupted = signals_have_arrived();
		if (child->interrupted)
			return false;
		/* the end of another child wakes poll() once */
		now = timer_now();
		n = poll(fds, 2, now < end ? (int)((end - now) / NS_PER_MS) + 1 : 0);
		if (n < 0 && errno != EINTR)
			child->error = -errno;
		if (child->error || (n > 0 && fds[0].revents))
			return !child->error;
		child->late = !n && timer_now() >= end;
		if (child->late)
			return false;
	}
}

/* Read the resident memory of the child, and then its answer, until it closes the pipe. */
static void confine_read(const struct confine *c, struct confine_child *child,
			 struct hist_strbuf *got)
{
	uint64_t end = timer_now() + c->patience * UINT64_C(1000) * NS_PER_MS;
	char piece[4096];
	ssize_t n = 1;

	while (n && confine_wait(child, end)) {
		n = read(child->from, piece, sizeof(piece));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			child->error = -errno;
		else
			hist_strbuf_add(got, piece, n);
		child->long_winded = got->len > c->answer_max + sizeof(uint64_t);
		if (child->error || got->error || child->long_winded)
			return;
	}
}

/* Why the child has no answer: after wait4() gave @status and @usage. */
static int confine_explain(const struct confine *c, const struct confine_child *child, int status,
			   uint64_t grown_kb, struct hist_error *error)
{
	bool timed = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;

	if (child->late)
		return hist_error_set(error, -ETIME, "does not end within %u seconds", c->patience);
	if (child->long_winded)
		return hist_error_set(error, -EFBIG, "returns more than %zu bytes", c->answer_max);
	if (timed)
		return hist_error_set(error, -ETIME, "needs more than %u seconds", c->seconds);
	if ((WIFEXITED(status) && WEXITSTATUS(status) == CONFINE_NO_MEMORY) ||
	    grown_kb >= c->megabytes * MEGABYTE / 2 / 1024)
		return hist_error_set(error, -E2BIG, "needs more than %u MB of memory",
				      c->megabytes);
	return hist_error_set(error, -EPROTO,
			      WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? "was killed"
										 : "crashed");
}

int confine_run(const struct confine *c, struct hist_strbuf *answer, struct hist_error *error)
{
	struct confine_child child = { .from = -1 };
	struct hist_strbuf got = { 0 };
	uint64_t resident = 0, grown;
	struct rusage usage = { 0 };
	int status = 0, ret;

	ret = confine_fork(c, &child);
	if (ret)
		return hist_error_set(error, ret, "cannot be started: %s", strerror(-ret));
	confine_read(c, &child, &got);
	close(child.from);
	/* also if it has closed the pipe: it may go on */
	kill(child.pid, SIGKILL);
	while (wait4(child.pid, &status, 0, &usage) < 0 && errno == EINTR)
		;
	if (got.len >= sizeof(resident))
		memcpy(&resident, got.data, sizeof(resident));
	grown = (uint64_t)usage.ru_maxrss > resident && resident ? usage.ru_maxrss - resident : 0;
	if (child.interrupted)
		ret = -EINTR;
	else if (child.error || got.error)
		ret = hist_error_set(error, child.error ? child.error : -ENOMEM,
				     "cannot be read: %s",
				     strerror(child.error ? -child.error : ENOMEM));
	else if (!child.late && WIFEXITED(status) && WEXITSTATUS(status) == CONFINE_DONE &&
		 got.len >= sizeof(resident) && !child.long_winded)
		hist_strbuf_add(answer, got.data + sizeof(resident), got.len - sizeof(resident));
	else
		ret = confine_explain(c, &child, status, grown, error);
	hist_strbuf_free(&got);
	return ret ? ret : answer->error;
}
