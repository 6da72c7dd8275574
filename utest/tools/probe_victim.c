// SPDX-License-Identifier: GPL-2.0
/*
 * probe_victim.c - a program for probes: known functions, called a known number
 * of times
 *
 *	probe_victim N
 *
 * calls victim_add(i % 4, 7), victim_exported() and openat(-77, "victim-file")
 * N times each.  The other symbols are for the look-up in the ELF file:
 * victim_mark is no function but text, that tells where it stands in the file.
 */
#include <fcntl.h>
#include <stdlib.h>

#define USED __attribute__((noinline, used))

USED int victim_add(int a, int b)
{
	__asm__ volatile("");
	return a + b;
}

USED __attribute__((visibility("default"))) int victim_exported(int a)
{
	__asm__ volatile("");
	return -a;
}

/* Its twin is in probe_victim_twin.c. */
USED static int victim_twin(int a)
{
	__asm__ volatile("");
	return a;
}

__asm__(".pushsection .text\n"
	".globl victim_mark\n"
	".type victim_mark, %function\n"
	"victim_mark: .ascii \"victim-mark-begins-here\"\n"
	".size victim_mark, . - victim_mark\n"
	".popsection");

int victim_data = 5;
__thread int victim_tls = 6;

__attribute__((used)) static int (*choose(void))(int, int)
{
	return victim_add;
}
int victim_ifunc(int a, int b) __attribute__((ifunc("choose")));

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0, i, sum = 0;

	for (i = 0; i < n; i++) {
		sum += victim_add(i % 4, 7) + victim_exported(i % 4);
		if (openat(-77, "victim-file", O_RDONLY) >= 0)
			return 1;
	}
	/* 7 a turn: what a probe must not change */
	return victim_twin(sum) == 7 * n && victim_tls + victim_data == 11 ? 0 : 1;
}
