// SPDX-License-Identifier: GPL-2.0
/*
 * noise_load.c - the load of noise.sh: some system calls, two of which can take longer
 *
 *	noise_load ROUNDS FACTOR
 *
 * A round is one call of each kind.  read() copies FACTOR times 256 KiB and ppoll() looks at
 * FACTOR times 500 descriptors; all other calls do the same work whatever FACTOR is.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define READ_BYTES (256u << 10)
#define POLL_FDS 500 /* RLIMIT_NOFILE may be 1024 */

static int failed(const char *what)
{
	perror(what);
	return 1;
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc == 3 ? atoi(argv[1]) : 0, factor = argc == 3 ? atoi(argv[2]) : 0;
	struct timespec nap = { 0, 200000 }, none = { 0, 0 };
	struct pollfd polled[2 * POLL_FDS];
	struct iovec part[2];
	int zero, null, fd, i;
	struct stat st;
	char *buffer, path[256];
	void *page;

	if (!rounds || !factor || factor > 2) {
		fprintf(stderr, "usage: noise_load ROUNDS FACTOR\n");
		return 2;
	}
	buffer = malloc((size_t)factor * READ_BYTES);
	zero = open("/dev/zero", O_RDONLY);
	null = open("/dev/null", O_WRONLY);
	if (!buffer || zero < 0 || null < 0)
		return failed("noise_load");
	part[0] = (struct iovec){ buffer, 4096 };
	part[1] = (struct iovec){ buffer + 4096, 4096 };
	for (i = 0; i < 2 * POLL_FDS; i++)
		polled[i] = (struct pollfd){ .fd = zero, .events = POLLIN };
	while (rounds--) {
		if (read(zero, buffer, (size_t)factor * READ_BYTES) < 0)
			return failed("read");
		if (ppoll(polled, factor * POLL_FDS, &none, NULL) < 0)
			return failed("ppoll");
		if (write(null, buffer, 4096) < 0 || pread(zero, buffer, 16384, 0) < 0 ||
		    readv(zero, part, 2) < 0 || writev(null, part, 2) < 0)
			return failed("read or write");
		fd = open("/proc/self/stat", O_RDONLY);
		if (fd < 0 || close(fd))
			return failed("/proc/self/stat");
		page = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (page == MAP_FAILED || munmap(page, 65536))
			return failed("mmap");
		if (fstat(zero, &st) || lseek(zero, 0, SEEK_SET) < 0 || !getcwd(path, sizeof(path)))
			return failed("fstat, lseek or getcwd");
		clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
		sched_yield();
		getppid();
	}
	return 0;
}
