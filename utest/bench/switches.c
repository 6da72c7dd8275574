// SPDX-License-Identifier: GPL-2.0
/*
 * switches.c - what a switch between two tasks costs
 *
 *	bench-switches N
 *
 * Two tasks send each other a byte N times.  On a machine with one CPU, each byte is one wake-up and
 * one switch: both have the same real-time priority, so a wake-up does not preempt.  Prints the
 * nanoseconds of one such switch.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static unsigned long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* Read from @in and write to @out, @n times; the task that begins writes first. */
static int play(int in, int out, unsigned long n, int begins)
{
	char c = 0;

	if (begins && write(out, &c, 1) != 1)
		return 1;
	while (n--) {
		if (read(in, &c, 1) != 1 || ((n || !begins) && write(out, &c, 1) != 1))
			return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) / 2 : 0;
	const struct sched_param priority = { .sched_priority = 1 };
	int there[2], back[2], status;
	unsigned long long begin;
	pid_t child;

	if (!n || pipe(there) || pipe(back) || sched_setscheduler(0, SCHED_FIFO, &priority))
		return 2;
	begin = now();
	child = fork();
	if (child < 0)
		return 2;
	if (!child)
		return play(there[0], back[1], n, 0);
	if (play(back[0], there[1], n, 1) || waitpid(child, &status, 0) != child || status)
		return 2;
	printf("%llu\n", (now() - begin) / (2 * n));
	return 0;
}
