// SPDX-License-Identifier: GPL-2.0
/*
 * timer.c - clocks and timers in nanoseconds
 */
#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "tracecmd/base/timer.h"

int timer_open(uint64_t first_ns, uint64_t interval_ns)
{
	struct itimerspec spec = {
		.it_value = { first_ns / NSEC_PER_SEC, first_ns % NSEC_PER_SEC },
		.it_interval = { interval_ns / NSEC_PER_SEC, interval_ns % NSEC_PER_SEC },
	};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK), ret;

	if (fd < 0)
		return -errno;
	if (timerfd_settime(fd, 0, &spec, NULL)) {
		ret = -errno;
		close(fd);
		return ret;
	}
	return fd;
}

uint64_t timer_read_clock(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
}

uint64_t timer_now(void)
{
	return timer_read_clock(CLOCK_MONOTONIC);
}
