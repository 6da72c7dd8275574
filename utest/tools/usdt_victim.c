// SPDX-License-Identifier: GPL-2.0
/*
 * usdt_victim.c - a program with statically defined probes, which are hit a known number of times
 *
 *	usdt_victim N [FIFO]
 *
 * victim:plain has two places, with arguments in different places: N hits with -1 - i % 2, and 2 * N
 * hits with i % 2.  victim:guarded has a semaphore: N hits, only while it is not 0.  The library
 * usdt_library has N hits of victim:library.  With FIFO, "ready" is printed, and the hits begin
 * after FIFO was opened and closed by a writer.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>

unsigned short victim_guarded_semaphore __attribute__((section(".probes"), used));
/* sdt.h names a semaphore for each probe of the file */
unsigned short victim_plain_semaphore __attribute__((section(".probes"), used));

void library_call(long number, const char *text);

__attribute__((noinline)) static void hit_first(int number, const char *text)
{
	STAP_PROBE3(victim, plain, number, text, 7);
}

__attribute__((noinline)) static void hit_second(const char *text, volatile int *number)
{
	STAP_PROBE3(victim, plain, *number, text, 9);
}

int main(int argc, char **argv)
{
	static const char *const words[] = { "even", "odd" };
	int n = argc > 1 ? atoi(argv[1]) : 0, i, fifo, number;
	char c;

	if (argc > 2) {
		puts("ready");
		fflush(stdout);
		fifo = open(argv[2], O_RDONLY);
		if (fifo < 0 || read(fifo, &c, 1) < 0)
			return 1;
	}
	for (i = 0; i < 2 * n; i++) {
		number = i % 2;
		hit_second(words[i % 2], &number);
		if (i >= n)
			continue;
		hit_first(-1 - i % 2, words[i % 2]);
		library_call(i % 2, words[i % 2]);
		if (victim_guarded_semaphore)
			STAP_PROBE1(victim, guarded, i % 2);
	}
	return 0;
}
