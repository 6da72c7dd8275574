// SPDX-License-Identifier: GPL-2.0
/*
 * ping ADDRESS -c N: sleeps and wakes up N times, a tenth of a second each.
 *
 * The kernel's selftests count how a task of this name sleeps and wakes up.  Our kernels
 * have no network, and need none for that.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(int argc, char **argv)
{
	const struct timespec tenth = { .tv_nsec = 100000000 };
	int n = 1;

	for (int i = 1; i + 1 < argc; i++) {
		if (!strcmp(argv[i], "-c"))
			n = atoi(argv[i + 1]);
	}
	while (n-- > 0)
		nanosleep(&tenth, NULL);
	return 0;
}
