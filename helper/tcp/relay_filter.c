// SPDX-License-Identifier: GPL-2.0
/*
 * relay_filter.c - seccomp filter for the system calls of a relay
 *
 * The filter is a BPF program (seccomp(2)) that the kernel runs for each call. It kills
 * the process on a call of another architecture, allows the numbers in allowed[], and
 * allows mmap, fcntl and socketcall with certain arguments.
 *
 * Invariant: any other call fails with EPERM, including those that newer kernels add.
 */
#include "helper/port/port_net.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "helper/tcp/relay_filter.h"

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
	__NR_read, __NR_write, __NR_close, __NR_sendto, __NR_shutdown,
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
	__NR_restart_syscall, __NR_rt_sigreturn,
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
	__NR_getrandom, __NR_brk, __NR_munmap, __NR_mremap, __NR_madvise, __NR_futex,
#ifdef __NR_futex_time64
	__NR_futex_time64,
#endif
	__NR_exit, __NR_exit_group,
#ifdef __SANITIZE_ADDRESS__
	/* at process exit */
	__NR_sigaltstack,
#endif
};

#define ALLOWED (sizeof(allowed) / sizeof(*allowed))

/* Lower 32 bits of an argument. */
#define ARGUMENT(i) (offsetof(struct seccomp_data, args) + 8 * (i) + \
		     (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define LOAD(at) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (at))
/* Continue with the next instruction if equal to @k; otherwise skip @n instructions. */
#define UNLESS_SKIP(k, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (k), 0, (n))
#define REFUSE RETURN(SECCOMP_RET_ERRNO | EPERM)
#define ALLOW RETURN(SECCOMP_RET_ALLOW)

/* Allow mappings unless they are executable. */
#define ALLOW_MMAP(number) \
	UNLESS_SKIP(number, 4), LOAD(ARGUMENT(2)), \
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), REFUSE, ALLOW
/* Allow reading and setting file status flags. Refuse a signal owner and new descriptors. */
#define ALLOW_FCNTL(number) \
	UNLESS_SKIP(number, 5), LOAD(ARGUMENT(1)), \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GETFL, 1, 0), UNLESS_SKIP(F_SETFL, 1), ALLOW, REFUSE

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
	UNLESS_SKIP(__NR_socketcall, 6), LOAD(ARGUMENT(0)),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 9, 2, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 11, 1, 0),
	UNLESS_SKIP(13, 1), ALLOW, REFUSE,
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

int relay_filter_install(void)
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

int relay_filter_install(void)
{
	return -ENOSYS;
}

#endif
