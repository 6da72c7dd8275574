// SPDX-License-Identifier: GPL-2.0
/*
 * fault_run.c - run a program again and again, and each time something else fails
 *
 *	fault_run [OPTIONS] alloc|syscall DIR COMMAND [ARGUMENT...]
 *	  -n N     only N allocations or system calls, spread evenly (default: all)
 *	  -o NAME  COMMAND writes the file NAME
 *	  -1 N     only the Nth, and show what the program says
 *
 * COMMAND runs in the directory DIR.  The first run is undisturbed, and counts.  In each later
 * run one allocation (alloc_fail.c, preloaded from $ALLOC_FAIL), or one system call, fails.
 * The rule: exit status 0 means that the output is whole.  A disturbed run ends
 *	- as the undisturbed one: same status, same standard output, same file; or
 *	- with status 2 and a message; NAME is then what it was before, and DIR holds
 *	  nothing else.
 * Anything else, a crash and a hang among it, is a line "# N: ..." and exit status 1.
 *
 * System calls are stopped by seccomp(2), which needs no debugger and sees those of the
 * C library and of all threads.  Left alone are the dynamic loader's, those that fail on no
 * kernel, and those for which the C library itself ends the program.
 */
#include <errno.h>
#include <fcntl.h>
#include <dirent.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "utest/unit/alloc_fail.h"

#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, uint64_t)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP 1UL
#endif

#define ELEMENTS(array) (sizeof(array) / sizeof((array)[0]))
#define SHARED_FD 200
#define HANG_MS 30000
#define CALLS_MAX 65536
#define ERRORS_MAX 4
#define TROUBLE 2  /* of trace-cmd hist */
#define OLDER "what was there before\n"

struct shared {
	struct alloc_fail alloc; /* first, as alloc_fail.c has it */
	int listener;		 /* of seccomp, in the child; 0: not yet */
};

struct result {
	int status; /* of waitpid(2) */
	bool hung;
	char *out, *err, *file;
	size_t out_len, err_len, file_len;
	int others; /* files in DIR */
};

static struct {
	bool syscalls;
	const char *dir, *name;
	char **command;
	struct shared *shared;
	int shared_fd;
	/* system calls */
	long seen;	    /* by the program, and not by its loader */
	long fail_at;	    /* -1: none */
	unsigned int error; /* which of the errors */
	int numbers[CALLS_MAX];
} run;

static const int harmless[] = {
	__NR_exit, __NR_exit_group, __NR_futex, __NR_rt_sigreturn, __NR_rt_sigprocmask,
	__NR_rt_sigaction, __NR_set_tid_address, __NR_set_robust_list, __NR_rseq, __NR_munmap,
	__NR_brk, __NR_getpid, __NR_gettid, __NR_getuid, __NR_geteuid, __NR_getgid, __NR_getegid,
	__NR_umask, __NR_uname, __NR_sched_yield, __NR_madvise, __NR_restart_syscall,
#ifdef __NR_arch_prctl
	__NR_arch_prctl,
#endif
};

static const struct {
	int number, errors[ERRORS_MAX];
} fails_by[] = {
	{ __NR_read, { EIO, EINTR } },
	{ __NR_pread64, { EIO, EINTR } },
	{ __NR_readv, { EIO } },
	{ __NR_write, { ENOSPC, EINTR, EIO } },
	{ __NR_writev, { ENOSPC, EINTR, EIO } },
	{ __NR_pwritev, { ENOSPC, EINTR, EIO } },
	/* not EACCES: what a user may not read is left out of some lists */
	{ __NR_openat, { EMFILE, EIO } },
#ifdef __NR_mmap2
	{ __NR_mmap2, { ENOMEM } },
#else
	{ __NR_mmap, { ENOMEM } },
#endif
	{ __NR_mprotect, { ENOMEM } },
	{ __NR_clone, { EAGAIN } },
	{ __NR_clone3, { EAGAIN } },
	{ __NR_linkat, { ENOSPC, EIO } },
	{ __NR_memfd_create, { EMFILE, ENOMEM } },
	{ __NR_execve, { ENOMEM } },
};

static void die(const char *what)
{
	fprintf(stderr, "fault_run: %s: %s\n", what, strerror(errno));
	exit(3);
}

/* Error @i of system call @number, or 0 after the last. */
static int error_of(int number, unsigned int i)
{
	unsigned int n;

	for (n = 0; n < ELEMENTS(fails_by); n++)
		if (fails_by[n].number == number)
			return i < ERRORS_MAX ? fails_by[n].errors[i] : 0;
	return i ? 0 : EIO;
}

/* In the child, which then waits in its next system call until the parent looks after it. */
static void stop_system_calls(void)
{
	struct sock_filter filter[ELEMENTS(harmless) + 3];
	struct sock_fprog program = { .len = ELEMENTS(filter), .filter = filter };
	unsigned int i;
	int fd;

	filter[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						 offsetof(struct seccomp_data, nr));
	for (i = 0; i < ELEMENTS(harmless); i++)
		filter[i + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, harmless[i],
							     ELEMENTS(harmless) - i, 0);
	filter[i + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
	filter[i + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		_exit(99);
	fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
		     &program);
	if (fd < 0)
		_exit(99);
	__atomic_store_n(&run.shared->listener, fd, __ATOMIC_RELEASE);
}

static void child(int out, int err)
{
	char fd[16];
	int null = open("/dev/null", O_RDONLY);

	if (chdir(run.dir) || null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 ||
	    dup2(err, 2) < 0)
		_exit(99);
	close(null);
	/* memory that was freed, or not set, does not look as if it was in order */
	setenv("MALLOC_PERTURB_", "165", 1);
	if (dup2(run.shared_fd, SHARED_FD) < 0)
		_exit(99);
	snprintf(fd, sizeof(fd), "%d", SHARED_FD);
	setenv(ALLOC_FAIL_FD, fd, 1);
	setenv("LD_PRELOAD", getenv("ALLOC_FAIL"), 1);
	if (run.syscalls)
		stop_system_calls();
	execv(run.command[0], run.command);
	_exit(99);
}

/* What becomes of the system call @number: 0, or the errno. */
static int decide(int number)
{
	int error = 0;
	long n;

	if (!__atomic_load_n(&run.shared->alloc.began, __ATOMIC_ACQUIRE))
		return 0;
	n = run.seen++;
	if (n < CALLS_MAX && run.fail_at < 0)
		run.numbers[n] = number;
	if (n == run.fail_at)
		error = error_of(number, run.error) ?: error_of(number, 0);
	/* the dynamic loader once more */
	if (number == __NR_execve && !error)
		run.shared->alloc.began = 0;
	return error;
}

static bool answer(int listener)
{
	struct seccomp_notif call = { 0 };
	struct seccomp_notif_resp reply = { 0 };
	int error;

	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call))
		return errno == EINTR || errno == ENOENT;
	error = decide(call.data.nr);
	reply.id = call.id;
	reply.error = -error;
	reply.flags = error ? 0 : SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	return !ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply) || errno == ENOENT;
}

static int find_listener(int pidfd)
{
	struct pollfd ended = { .fd = pidfd, .events = POLLIN };
	int number;

	while (!(number = __atomic_load_n(&run.shared->listener, __ATOMIC_ACQUIRE))) {
		if (poll(&ended, 1, 0))
			die("seccomp: the program did not start");
		sched_yield();
	}
	number = syscall(SYS_pidfd_getfd, pidfd, number, 0);
	if (number < 0)
		die("pidfd_getfd");
	/* both take turns on one CPU, which is faster; Linux before 6.6 cannot */
	ioctl(number, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
	return number;
}

/* Until the program ends; true if it does not. */
static bool wait_for(int pidfd)
{
	struct pollfd fds[] = { { .fd = pidfd, .events = POLLIN }, { .fd = -1, .events = POLLIN } };
	bool hung = false;
	int n;

	if (run.syscalls)
		fds[1].fd = find_listener(pidfd);
	for (;;) {
		n = poll(fds, 2, HANG_MS);
		if (n < 0 && errno == EINTR)
			continue;
		hung = !n;
		if (n <= 0 || fds[0].revents)
			break;
		if (!(fds[1].revents & POLLIN) || !answer(fds[1].fd))
			fds[1].fd = -1;
	}
	if (run.syscalls && fds[1].fd >= 0)
		close(fds[1].fd);
	return hung;
}

static char *slurp(int fd, size_t *len)
{
	struct stat st;
	char *text;

	if (fstat(fd, &st))
		die("fstat");
	text = malloc(st.st_size + 1);
	if (!text || pread(fd, text, st.st_size, 0) != st.st_size)
		die("output");
	close(fd);
	text[st.st_size] = '\0';
	*len = st.st_size;
	return text;
}

/* DIR with the older file alone. */
static void put_older(void)
{
	struct dirent *entry;
	DIR *dir = opendir(run.dir);
	int fd;

	if (!dir)
		die(run.dir);
	while ((entry = readdir(dir)))
		if (entry->d_type == DT_REG)
			unlinkat(dirfd(dir), entry->d_name, 0);
	if (run.name) {
		fd = openat(dirfd(dir), run.name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
		if (fd < 0 || write(fd, OLDER, strlen(OLDER)) != (ssize_t)strlen(OLDER))
			die(run.name);
		close(fd);
	}
	closedir(dir);
}

static void look_at_dir(struct result *r)
{
	struct dirent *entry;
	DIR *dir = opendir(run.dir);
	int fd;

	if (!dir)
		die(run.dir);
	while ((entry = readdir(dir)))
		r->others += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
			     !(run.name && !strcmp(entry->d_name, run.name));
	if (run.name) {
		fd = openat(dirfd(dir), run.name, O_RDONLY);
		if (fd >= 0)
			r->file = slurp(fd, &r->file_len);
	}
	closedir(dir);
}

/* @fail_at: which one fails; -1: none. */
static struct result run_once(long fail_at, unsigned int error)
{
	struct result r = { 0 };
	int out = memfd_create("out", MFD_CLOEXEC), err = memfd_create("err", MFD_CLOEXEC), pidfd;
	pid_t pid;

	put_older();
	run.shared->listener = 0;
	run.shared->alloc = (struct alloc_fail){ .fail_at = run.syscalls ? -1 : fail_at };
	run.seen = 0;
	run.fail_at = fail_at;
	run.error = error;
	pid = fork();
	if (out < 0 || err < 0 || pid < 0)
		die("fork");
	if (!pid)
		child(out, err);
	pidfd = syscall(SYS_pidfd_open, pid, 0);
	if (pidfd < 0)
		die("pidfd_open");
	r.hung = wait_for(pidfd);
	if (r.hung)
		kill(pid, SIGKILL);
	if (waitpid(pid, &r.status, 0) != pid)
		die("waitpid");
	close(pidfd);
	r.out = slurp(out, &r.out_len);
	r.err = slurp(err, &r.err_len);
	look_at_dir(&r);
	return r;
}

static void clear(struct result *r)
{
	free(r->out);
	free(r->err);
	free(r->file);
}

static bool same(const char *a, size_t a_len, const char *b, size_t b_len)
{
	return (!a && !b) || (a && b && a_len == b_len && !memcmp(a, b, a_len));
}

/* What is wrong with a disturbed run, or NULL. */
static const char *judge(const struct result *whole, const struct result *r)
{
	int status = WEXITSTATUS(r->status);

	if (r->hung)
		return "hangs";
	if (!WIFEXITED(r->status))
		return strsignal(WTERMSIG(r->status));
	if (r->status == whole->status && status != TROUBLE) {
		if (!same(r->out, r->out_len, whole->out, whole->out_len))
			return "another standard output, and the same status";
		if (!same(r->file, r->file_len, whole->file, whole->file_len))
			return "another file, and the same status";
		return r->others ? "leaves files" : NULL;
	}
	if (status != TROUBLE)
		return "another status than that of trouble";
	if (!r->err_len)
		return "fails without a message";
	if (run.name && !same(r->file, r->file_len, OLDER, strlen(OLDER)))
		return "fails, and has changed the older file";
	return r->others ? "fails, and leaves files" : NULL;
}

static bool check(const struct result *whole, long n, unsigned int error, bool show)
{
	struct result r = run_once(n, error);
	const char *wrong = judge(whole, &r);

	if (wrong && run.syscalls)
		printf("# %ld: system call %d, %s: %s\n", n, run.numbers[n],
		       strerrorname_np(error_of(run.numbers[n], error)), wrong);
	else if (wrong)
		printf("# %ld: allocation: %s\n", n, wrong);
	if (show)
		printf("# %ld: status %d\n%s%s", n, WEXITSTATUS(r.status), r.out, r.err);
	clear(&r);
	return !wrong;
}

static void share(void)
{
	run.shared_fd = memfd_create("shared", MFD_CLOEXEC);
	if (run.shared_fd < 0 || ftruncate(run.shared_fd, sizeof(*run.shared)))
		die("shared memory");
	run.shared = mmap(NULL, sizeof(*run.shared), PROT_READ | PROT_WRITE, MAP_SHARED,
			  run.shared_fd, 0);
	if (run.shared == MAP_FAILED)
		die("shared memory");
}

int main(int argc, char **argv)
{
	long wanted = 0, only = -1, i, n, all, bad = 0, runs = 0;
	struct result whole;
	unsigned int error;
	int opt;

	while ((opt = getopt(argc, argv, "+n:o:1:")) != -1) {
		if (opt == 'n')
			wanted = atol(optarg);
		else if (opt == 'o')
			run.name = optarg;
		else if (opt == '1')
			only = atol(optarg);
		else
			return 3;
	}
	if (argc - optind < 3 || (strcmp(argv[optind], "alloc") &&
					       strcmp(argv[optind], "syscall")))
		return fprintf(stderr, "usage: fault_run [-n N] [-o NAME] [-1 N] alloc|syscall DIR "
				       "COMMAND...\n"), 3;
	run.syscalls = !strcmp(argv[optind], "syscall");
	if (!getenv("ALLOC_FAIL"))
		return fprintf(stderr, "fault_run: ALLOC_FAIL: missing\n"), 3;
	run.dir = argv[optind + 1];
	run.command = argv + optind + 2;
	share();
	whole = run_once(-1, 0);
	all = run.syscalls ? run.seen : run.shared->alloc.seen;
	if (!WIFEXITED(whole.status) || WEXITSTATUS(whole.status) == TROUBLE || whole.hung ||
	    whole.others || all < 10 || all > CALLS_MAX) {
		printf("# undisturbed: status %d, %ld calls\n%s", whole.status, all, whole.err);
		return 3;
	}
	if (only >= 0 || !wanted || wanted > all)
		wanted = only >= 0 ? 1 : all;
	for (i = 0; i < wanted; i++) {
		/* in the middle of its part */
		n = only >= 0 ? only : (2 * i + 1) * all / (2 * wanted);
		for (error = 0; !error || (run.syscalls && error_of(run.numbers[n], error)); error++) {
			bad += !check(&whole, n, error, only >= 0);
			runs++;
		}
	}
	printf("# %ld of %ld failed, in %ld runs; %ld were wrong\n", wanted, all, runs, bad);
	clear(&whole);
	return bad || !runs;
}
