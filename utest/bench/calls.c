// SPDX-License-Identifier: GPL-2.0
/*
 * calls.c - what a system call costs the task that makes it
 *
 *	bench-calls N
 *
 * Makes N calls of the shortest kind, and prints "PID NS": its process, and the CPU time of one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static unsigned long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, i;
	unsigned long long begin;

	if (!n)
		return 2;
	begin = now();
	for (i = 0; i < n; i++)
		syscall(SYS_getppid);
	printf("%d %llu\n", (int)getpid(), (now() - begin) / n);
	return 0;
}
