// SPDX-License-Identifier: GPL-2.0
/*
 * bench.c - see bench.h
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "utest/bench/bench.h"

#define ENOUGH 0.5
/* What is assumed of a few rounds, which do not show their noise. */
#define FEW_ROUNDS 4
#define FEW_NOISE 0.1

static bool missed;

/* CPU time, so that a busy machine counts less; of programs that were started, too. */
static double now(void)
{
	struct rusage children;
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	getrusage(RUSAGE_CHILDREN, &children);
	return t.tv_sec + t.tv_nsec / 1e9 + children.ru_utime.tv_sec + children.ru_stime.tv_sec +
	       (children.ru_utime.tv_usec + children.ru_stime.tv_usec) / 1e6;
}

static double lesser(double a, double b)
{
	return a < b ? a : b;
}

void bench_run(struct bench_case *cases, unsigned int n, unsigned int rounds)
{
	double start, spent, total = 0, best[n][2];
	unsigned int i, round;

	for (i = 0; i < n; i++)
		best[i][0] = best[i][1] = 1e9;
	for (round = 0; round < rounds || total < ENOUGH * n; round++) {
		for (i = 0; i < n; i++) {
			start = now();
			cases[i].run(cases[i].arg);
			spent = now() - start;
			total += spent;
			best[i][round % 2] = lesser(best[i][round % 2], spent);
		}
	}
	for (i = 0; i < n; i++) {
		cases[i].best = lesser(best[i][0], best[i][1]);
		cases[i].noise = round < FEW_ROUNDS ? FEW_NOISE :
				 (best[i][0] + best[i][1]) / cases[i].best - 2;
	}
}

static struct bench_ratio divided(const struct bench_case *a, const struct bench_case *b, bool more)
{
	/* whole percents are printed, and 0 means exact */
	double noise = a->noise + b->noise;

	return (struct bench_ratio){ a->best / b->best, noise < 0.01 ? 0.01 : noise, more };
}

struct bench_ratio bench_slower(const struct bench_case *ours, const struct bench_case *limit)
{
	return divided(ours, limit, false);
}

struct bench_ratio bench_faster(const struct bench_case *ours, const struct bench_case *peer)
{
	return divided(peer, ours, true);
}

void bench_row(const char *what, const char *ours, const char *peer, struct bench_ratio ratio,
	       const char *goal, bool met)
{
	printf("%-58s | %14s | %26s | %7.4g | %-6s | %5s | %-12s | %s\n", what, ours, peer,
	       ratio.value, ratio.more ? "more" : "less",
	       ratio.noise > 0 ? bench_text("%.0f %%", ratio.noise * 100) : "exact", goal,
	       *goal ? met ? "yes" : "NO" : "");
	fflush(stdout);
	missed |= *goal && !met;
}

int bench_status(void)
{
	return missed;
}

const char *bench_text(const char *fmt, ...)
{
	static char buffers[16][200];
	static unsigned int turn;
	char *buf = buffers[turn++ % 16];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buffers[0]), fmt, ap);
	va_end(ap);
	return buf;
}

void bench_must(int ret, const char *what)
{
	if (!ret)
		return;
	fprintf(stderr, "bench: %s: %s\n", what, strerror(ret < 0 ? -ret : ret));
	exit(2);
}

uint64_t bench_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1du;
}

static const char *const syscalls[] = {
	"read", "write", "openat", "close", "newfstatat", "mmap", "mprotect", "munmap", "brk",
	"rt_sigaction", "rt_sigprocmask", "ioctl", "pread64", "readv", "access", "pipe2", "select",
	"sched_yield", "madvise", "dup2", "nanosleep", "getpid", "socket", "connect", "sendto",
	"recvfrom", "shutdown", "clone", "execve", "exit_group", "wait4", "kill", "fcntl", "fsync",
	"getdents64", "getcwd", "rename", "unlinkat", "readlink", "fchmod", "getrlimit", "futex",
	"epoll_wait", "epoll_ctl", "clock_nanosleep", "set_robust_list", "prlimit64", "getrandom",
};

#define SYSCALLS (sizeof(syscalls) / sizeof(syscalls[0]))

static const char *const commands[] = {
	"sh", "bash", "gcc", "cc1", "as", "make", "postgres", "nginx", "java", "python3",
	"kworker/u8:0", "systemd-journal", "sshd", "containerd-shim", "chrome", "rsyslogd",
};

const char *const bench_triggers[] = {
	"hist:keys=common_pid.execname,id.syscall:vals=hitcount:sort=hitcount:size=2048",
	"hist:keys=common_pid.execname,id.syscall:vals=hitcount,ret:sort=hitcount:size=2048",
	"hist:keys=next_comm:vals=hitcount:sort=hitcount:size=2048",
};

const char *const bench_labels[] = { "call", "call, 2 values", "name" };

void bench_rows_init(struct bench_rows *r, unsigned int n, enum bench_kind kind)
{
	unsigned int i, j;

	memset(r, 0, sizeof(*r));
	r->kind = kind;
	r->n = n;
	r->random = 4711;
	r->pid = malloc(n * sizeof(*r->pid));
	r->syscall = malloc(n * sizeof(*r->syscall));
	r->hitcount = malloc(n * sizeof(*r->hitcount));
	r->ret = malloc(n * sizeof(*r->ret));
	r->size = malloc(n * sizeof(*r->size));
	r->order = malloc(n * sizeof(*r->order));
	if (!r->pid || !r->syscall || !r->hitcount || !r->ret || !r->size || !r->order)
		bench_must(-12, "rows");
	for (i = 0; i < n; i++) {
		/* a task makes about 24 different calls */
		r->pid[i] = 300 + i / 24 * 3;
		r->syscall[i] = (i % 24) * 2;
		r->hitcount[i] = 1 + bench_random(&r->random) % (bench_random(&r->random) % 5000 + 1);
		/* half of the calls return 0 */
		r->size[i] = bench_random(&r->random) % 2 ? bench_random(&r->random) % 4096 : 0;
		r->ret[i] = r->hitcount[i] * r->size[i];
		r->order[i] = i;
	}
	/* the map's order is by hash */
	for (i = n - 1; i > 0; i--) {
		struct bench_rows c = *r;

		j = bench_random(&r->random) % (i + 1);
		c.n = r->pid[i], r->pid[i] = r->pid[j], r->pid[j] = c.n;
		c.n = r->syscall[i], r->syscall[i] = r->syscall[j], r->syscall[j] = c.n;
	}
}

void bench_rows_change(struct bench_rows *r, unsigned int percent)
{
	unsigned int i, by;

	for (i = 0; i < r->n * (uint64_t)percent / 100; i++) {
		unsigned int row = bench_random(&r->random) % r->n;

		/* mostly few hits, sometimes many */
		by = 1 + bench_random(&r->random) % (1u << bench_random(&r->random) % 8);
		r->hitcount[row] += by;
		r->ret[row] += by * r->size[row];
		if (bench_random(&r->random) % 10 == 0)
			r->ret[row] += bench_random(&r->random) % 512;
	}
}

static void sift(struct bench_rows *r, unsigned int root, unsigned int n)
{
	unsigned int child;
	uint32_t t;

	for (; (child = 2 * root + 1) < n; root = child) {
		if (child + 1 < n &&
		    r->hitcount[r->order[child]] < r->hitcount[r->order[child + 1]])
			child++;
		if (r->hitcount[r->order[root]] >= r->hitcount[r->order[child]])
			return;
		t = r->order[root], r->order[root] = r->order[child], r->order[child] = t;
	}
}

void bench_rows_sort(struct bench_rows *r)
{
	unsigned int i;
	uint32_t t;

	/* each read begins with the map's order */
	for (i = 0; i < r->n; i++)
		r->order[i] = i;
	for (i = r->n / 2; i-- > 0;)
		sift(r, i, r->n);
	for (i = r->n; i-- > 1;) {
		t = r->order[0], r->order[0] = r->order[i], r->order[i] = t;
		sift(r, 0, i);
	}
}

char *bench_rows_print(const struct bench_rows *r, size_t *len)
{
	uint64_t hits = 0;
	unsigned int i, row;
	char *text, name[32];
	FILE *f = open_memstream(&text, len);

	if (!f)
		bench_must(-12, "text");
	fprintf(f, "# event histogram\n#\n# trigger info: %s [active]\n#\n\n",
		bench_triggers[r->kind]);
	for (row = 0; row < r->n; row++) {
		i = r->order[row];
		hits += r->hitcount[i];
		if (r->kind == BENCH_NAMES) {
			/* 15 bytes are what a task name has */
			snprintf(name, sizeof(name), "%.6s/%u:%u",
				 commands[r->pid[i] / 3 % 16], r->pid[i], r->syscall[i]);
			fprintf(f, "{ next_comm: %-50s } hitcount: %10" PRIu64 "\n", name,
				r->hitcount[i]);
			continue;
		}
		snprintf(name, sizeof(name), "sys_%s", syscalls[r->syscall[i] % SYSCALLS]);
		fprintf(f, "{ common_pid: %-16s[%10u], id: %-30s[%3u] } hitcount: %10" PRIu64,
			commands[r->pid[i] / 3 % 16], r->pid[i], name, r->syscall[i],
			r->hitcount[i]);
		if (r->kind == BENCH_CALLS_RET)
			fprintf(f, "  ret: %10" PRIu64, r->ret[i]);
		fputc('\n', f);
	}
	fprintf(f, "\nTotals:\n    Hits: %" PRIu64 "\n    Entries: %u\n    Dropped: 0\n", hits, r->n);
	fclose(f);
	return text;
}

void bench_rows_free(struct bench_rows *r)
{
	free(r->pid);
	free(r->syscall);
	free(r->hitcount);
	free(r->ret);
	free(r->size);
	free(r->order);
}
