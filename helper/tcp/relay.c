// SPDX-License-Identifier: GPL-2.0
/*
 * relay.c - forward bytes between a TLS connection and a plain socket
 *
 * The process that forwards first drops its privileges, and installs a seccomp filter. The
 * filter is a BPF program (seccomp(2)) that the kernel runs for each call. It kills the
 * process on a call of another architecture, allows the numbers in allowed[], and allows
 * mmap, fcntl and socketcall with certain arguments.
 *
 * Invariants: each direction reads only if its buffer is empty, so all data that is
 * read can be stored. A repeated tls_write() always gets the same bytes. Each direction
 * ends separately. Therefore a host that has closed its end sees the other end close
 * after the target has undone its changes. The filter refuses any call that is not listed
 * with EPERM, including those that newer kernels add.
 */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "helper/port/port_net.h"

#include "helper/tcp/relay.h"

/* Largest content of a TLS record. */
#define ROOM 16384
#define NOBODY 65534
/* Descriptors: stdin, stdout, stderr and the socket. poll() works with this limit. */
#define NET 3
#define KEPT 4
#define FILES_MAX 65536
/* Time limit for the peer to end after this side has ended: the peer may have to clean up first. */
#define LAST_WAIT_MS 10000

struct half {
	size_t at, len;
	char data[ROOM];
};

/* State of one relay_run(). */
struct flow {
	const struct relay *r;
	struct half in, out; /* from the network, and to it */
	bool in_done, out_done;
	bool in_lost; /* the reader is gone: read and discard */
	bool out_ending; /* the end must still be sent */
	int64_t deadline; /* set with @out_ending, and again with @out_done */
};

static bool is_again(int ret)
{
	return ret == -EAGAIN || ret == -EINTR;
}

/* Returns 1 after progress, 0 if it must wait, or -errno of the network. */
static int from_net(struct flow *f)
{
	struct half *h = &f->in;
	ssize_t n;

	if (h->at == h->len) {
		n = tls_read(f->r->tls, h->data, sizeof(h->data));
		if (n < 0)
			return is_again(n) ? 0 : (int)n;
		if (!n) {
			f->in_done = true;
			/* @out is a socket for both directions, or a pipe. */
			if (shutdown(f->r->out, SHUT_WR))
				close(f->r->out);
			return 1;
		}
		h->at = 0;
		h->len = (size_t)n;
	}
	n = f->in_lost ? (ssize_t)(h->len - h->at) :
			 write(f->r->out, h->data + h->at, h->len - h->at);
	if (n < 0) {
		if (is_again(-errno))
			return 0;
		/* A process that has stopped reading may still have sent data. */
		f->in_lost = true;
		return 1;
	}
	h->at += (size_t)n;
	return 1;
}

static int end_out(struct flow *f)
{
	int ret = tls_end(f->r->tls);

	if (is_again(ret))
		return 0;
	f->out_ending = false;
	f->out_done = true;
	f->deadline = port_now_ms() + LAST_WAIT_MS;
	shutdown(f->r->net, SHUT_WR);
	return 1;
}

static int to_net(struct flow *f)
{
	struct half *h = &f->out;
	ssize_t n;
	int ret;

	if (f->out_ending)
		return end_out(f);
	if (h->at == h->len) {
		n = read(f->r->in, h->data, sizeof(h->data));
		if (n < 0 && is_again(-errno))
			return 0;
		if (n <= 0) {
			f->out_ending = true;
			/* a peer that does not receive must not block the relay */
			f->deadline = port_now_ms() + LAST_WAIT_MS;
			return 1;
		}
		h->at = 0;
		h->len = (size_t)n;
	}
	ret = tls_write(f->r->tls, h->data + h->at, h->len - h->at);
	if (ret < 0)
		return is_again(ret) ? 0 : ret;
	h->at += (size_t)ret;
	return 1;
}

static int wait_for_more(const struct flow *f)
{
	struct pollfd fds[3] = { { .fd = f->r->net }, { .fd = -1 }, { .fd = -1 } };
	int64_t left = -1;
	int n;

	if (f->out_ending || f->out.at != f->out.len)
		fds[0].events |= POLLOUT;
	else if (!f->out_done)
		fds[1] = (struct pollfd){ .fd = f->r->in, .events = POLLIN };
	if (!f->in_done && f->in.at == f->in.len)
		fds[0].events |= POLLIN;
	else if (!f->in_done)
		fds[2] = (struct pollfd){ .fd = f->r->out, .events = POLLOUT };
	/* poll() reports a hang-up also without events: ignore the descriptor. */
	if (!fds[0].events)
		fds[0].fd = -1;
	if (f->out_done || f->out_ending) {
		left = f->deadline - port_now_ms();
		if (left <= 0)
			return -ETIMEDOUT;
	}
	n = poll(fds, 3, (int)left);
	return n < 0 && errno != EINTR ? -errno : 0;
}

int relay_run(const struct relay *r)
{
	struct flow *f = calloc(1, sizeof(*f));
	int done, ret = 0;

	if (!f)
		return -ENOMEM;
	f->r = r;
	while (!ret && !(f->in_done && f->out_done)) {
		done = 0;
		if (!f->out_done)
			done = to_net(f);
		if (done >= 0 && !f->in_done) {
			ret = from_net(f);
			done = ret < 0 ? ret : done + ret;
		}
		ret = done < 0 ? done : done ? 0 : wait_for_more(f);
	}
	/* All data was sent. A peer that does not close the connection cannot add anything. */
	if (f->out_done)
		ret = 0;
	free(f);
	return ret;
}

void relay_tune(int net)
{
	static const struct {
		int level, name, value;
	} options[] = {
		{ IPPROTO_TCP, TCP_NODELAY, 1 },
		{ SOL_SOCKET, SO_KEEPALIVE, 1 },
		{ IPPROTO_TCP, TCP_KEEPIDLE, 20 },
		{ IPPROTO_TCP, TCP_KEEPINTVL, 10 },
		{ IPPROTO_TCP, TCP_KEEPCNT, 4 },
		{ IPPROTO_TCP, TCP_USER_TIMEOUT, 60000 },
	};
	size_t i;

	/* All options are optional improvements: ignore errors. */
	for (i = 0; i < sizeof(options) / sizeof(*options); i++)
		setsockopt(net, options[i].level, options[i].name, &options[i].value,
			   sizeof(options[i].value));
}

/* --- the filter of system calls --- */

#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000u
#endif
/* AUDIT_ARCH_ARM is little-endian only; some headers lack other constants. */
#if defined(__x86_64__)
#define OUR_ARCH AUDIT_ARCH_X86_64
#elif defined(__i386__)
#define OUR_ARCH AUDIT_ARCH_I386
#elif defined(__aarch64__) && defined(__AARCH64EL__)
#define OUR_ARCH AUDIT_ARCH_AARCH64
#elif defined(__arm__) && defined(__ARMEL__)
#define OUR_ARCH AUDIT_ARCH_ARM
#elif defined(__mips__) && _MIPS_SIM == _ABIO32
#define OUR_ARCH (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? AUDIT_ARCH_MIPS : AUDIT_ARCH_MIPSEL)
#elif defined(__mips__) && _MIPS_SIM == _ABI64
#define OUR_ARCH (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? AUDIT_ARCH_MIPS64 : AUDIT_ARCH_MIPSEL64)
#elif defined(__riscv) && __riscv_xlen == 64
#define OUR_ARCH (EM_RISCV | __AUDIT_ARCH_64BIT | __AUDIT_ARCH_LE)
#elif defined(__powerpc64__)
#define OUR_ARCH (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? AUDIT_ARCH_PPC64 : AUDIT_ARCH_PPC64LE)
#elif defined(__s390x__)
#define OUR_ARCH AUDIT_ARCH_S390X
#endif

#ifdef OUR_ARCH

static const unsigned int allowed[] = {
	__NR_read,
	__NR_write,
	__NR_close,
	__NR_sendto,
	__NR_shutdown,
#ifdef __NR_send
	__NR_send,
#endif
#ifdef __NR_poll
	__NR_poll,
#endif
#ifdef __NR_ppoll
	__NR_ppoll,
#endif
#ifdef __NR_ppoll_time64
	__NR_ppoll_time64,
#endif
	/* poll() after stop and continue, and the return from a signal handler */
	__NR_restart_syscall,
	__NR_rt_sigreturn,
#ifdef __NR_sigreturn
	__NR_sigreturn,
#endif
/* for the time, if the vDSO does not provide it */
#ifdef __NR_time
	__NR_time,
#endif
#ifdef __NR_gettimeofday
	__NR_gettimeofday,
#endif
#ifdef __NR_clock_gettime
	__NR_clock_gettime,
#endif
#ifdef __NR_clock_gettime64
	__NR_clock_gettime64,
#endif
	__NR_getrandom,
	__NR_brk,
	__NR_munmap,
	__NR_mremap,
	__NR_madvise,
	__NR_futex,
#ifdef __NR_futex_time64
	__NR_futex_time64,
#endif
	__NR_exit,
	__NR_exit_group,
#ifdef __SANITIZE_ADDRESS__
	/* at process exit */
	__NR_sigaltstack,
#endif
};

#define ALLOWED (sizeof(allowed) / sizeof(*allowed))

/* Lower 32 bits of an argument. */
#define ARGUMENT(i)                                      \
	(offsetof(struct seccomp_data, args) + 8 * (i) + \
	 (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define LOAD(at) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (at))
/* Continue with the next instruction if equal to @k; otherwise skip @n instructions. */
#define UNLESS_SKIP(k, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (k), 0, (n))
#define REFUSE RETURN(SECCOMP_RET_ERRNO | EPERM)
#define ALLOW RETURN(SECCOMP_RET_ALLOW)

/* Allow mappings unless they are executable. */
#define ALLOW_MMAP(number)                         \
	UNLESS_SKIP(number, 4), LOAD(ARGUMENT(2)), \
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), REFUSE, ALLOW
/* Allow reading and setting file status flags. Refuse a signal owner and new descriptors. */
#define ALLOW_FCNTL(number)                                                                  \
	UNLESS_SKIP(number, 5), LOAD(ARGUMENT(1)),                                           \
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GETFL, 1, 0), UNLESS_SKIP(F_SETFL, 1), \
		ALLOW, REFUSE

static const struct sock_filter first[] = {
	LOAD(offsetof(struct seccomp_data, arch)),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0),
	RETURN(SECCOMP_RET_KILL_PROCESS),
	LOAD(offsetof(struct seccomp_data, nr)),
};

static const struct sock_filter last[] = {
#ifdef __NR_mmap
	ALLOW_MMAP(__NR_mmap),
#endif
#ifdef __NR_mmap2
	ALLOW_MMAP(__NR_mmap2),
#endif
#ifdef __NR_fcntl
	ALLOW_FCNTL(__NR_fcntl),
#endif
#ifdef __NR_fcntl64
	ALLOW_FCNTL(__NR_fcntl64),
#endif
#ifdef __NR_socketcall
	/* socketcall(2) of 32-bit libcs: only SYS_SEND, SYS_SENDTO and SYS_SHUTDOWN */
	UNLESS_SKIP(__NR_socketcall, 6),
	LOAD(ARGUMENT(0)),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 9, 2, 0),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 11, 1, 0),
	UNLESS_SKIP(13, 1),
	ALLOW,
	REFUSE,
#endif
	REFUSE,
};

#define FIRST (sizeof(first) / sizeof(*first))
#define LAST (sizeof(last) / sizeof(*last))

bool relay_filter_works(void)
{
	/* a kernel with filters tries to read the program at address 0 and returns EFAULT */
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, 0, 0, 0) && errno == EFAULT;
}

static int relay_filter_install(void)
{
	struct sock_filter program[FIRST + 2 * ALLOWED + LAST];
	struct sock_fprog filter = { .len = FIRST + 2 * ALLOWED + LAST, .filter = program };
	size_t n = FIRST, i;

	if (!relay_filter_works())
		return -ENOSYS;
	memcpy(program, first, sizeof(first));
	for (i = 0; i < ALLOWED; i++) {
		program[n++] = (struct sock_filter)UNLESS_SKIP(allowed[i], 1);
		program[n++] = (struct sock_filter)ALLOW;
	}
	memcpy(program + n, last, sizeof(last));
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (unsigned long)&filter, 0, 0))
		return -errno;
	return 0;
}

#else

bool relay_filter_works(void)
{
	return false;
}

static int relay_filter_install(void)
{
	return -ENOSYS;
}

#endif

static int relay_limit_resource(int resource, unsigned long n)
{
	struct rlimit limits = { .rlim_cur = n, .rlim_max = n };

	return setrlimit(resource, &limits);
}

/*
 * Change to an empty root directory in which files cannot be created: the /proc entry
 * of a process that has ended. The child shares its root directory with this process
 * (CLONE_FS), and changes it to its own /proc entry before it ends. Best effort: the
 * filter refuses to open files anyway.
 */
static void leave_files(void)
{
	long child = port_clone(CLONE_FS);

	if (!child) {
		if (chroot("/proc/self/fdinfo") || chdir("/"))
			_exit(1);
		_exit(0);
	}
	if (child > 0)
		waitpid((pid_t)child, NULL, 0);
}

int relay_drop_privileges(struct relay *r)
{
	int ret;
	struct rlimit files;
	unsigned long fd;

	/* Move the descriptors above the numbers that they get below. */
	r->in = fcntl(r->in, F_DUPFD_CLOEXEC, KEPT);
	r->out = fcntl(r->out, F_DUPFD_CLOEXEC, KEPT);
	r->net = fcntl(r->net, F_DUPFD_CLOEXEC, KEPT);
	if (r->in < 0 || r->out < 0 || r->net < 0 || getrlimit(RLIMIT_NOFILE, &files))
		return -errno;
	if (dup2(r->in, 0) < 0 || dup2(r->out, 1) < 0 || dup2(r->net, NET) < 0)
		return -errno;
	r->in = 0;
	r->out = 1;
	r->net = NET;
	/*
	 * An inherited copy of another connection's descriptor would hide the end of
	 * that connection.
	 */
	for (fd = KEPT; fd < files.rlim_cur && fd < FILES_MAX; fd++)
		close((int)fd);
	if (!geteuid())
		leave_files();
	if (!geteuid() && (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY)))
		return -errno;
	/* The memory contains the key: prevent core dumps and debuggers of the same user. */
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	if (relay_limit_resource(RLIMIT_NOFILE, KEPT) || relay_limit_resource(RLIMIT_CORE, 0))
		return -errno;
	/* Some containers do not permit all of this; it is only the last line of defence. */
	relay_limit_resource(RLIMIT_NPROC, 0);
	ret = relay_filter_install();
	return ret == -ENOSYS ? 0 : ret;
}
