// SPDX-License-Identifier: GPL-2.0
/*
 * load.c - what a histogram by process and system call counts, at a pace
 *
 *	bench-load ENTRIES CHANGED STEPS MS
 *
 * Makes ENTRIES system calls of different numbers, each of which is a row, and then
 * STEPS times, MS milliseconds apart, CHANGED of them once more.  There are no
 * such system calls: the kernel counts them and does nothing else.
 */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define FIRST_CALL 10000
/* Prime to powers of two: all numbers come up, in no order. */
#define STRIDE 7919

int main(int argc, char **argv)
{
	unsigned long entries, changed, steps, ms, i, at = 0;
	struct timespec nap;

	if (argc != 5)
		return 2;
	entries = strtoul(argv[1], NULL, 10);
	changed = strtoul(argv[2], NULL, 10);
	steps = strtoul(argv[3], NULL, 10);
	ms = strtoul(argv[4], NULL, 10);
	if (!entries)
		return 2;
	nap.tv_sec = (time_t)(ms / 1000);
	nap.tv_nsec = (long)(ms % 1000 * 1000000);
	for (i = 0; i < entries; i++)
		syscall(FIRST_CALL + i);
	while (steps--) {
		nanosleep(&nap, NULL);
		for (i = 0; i < changed; i++)
			syscall(FIRST_CALL + at++ * STRIDE % entries);
	}
	return 0;
}
