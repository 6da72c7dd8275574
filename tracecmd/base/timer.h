/* SPDX-License-Identifier: GPL-2.0 */
/*
 * timer.h - clocks and timers in nanoseconds
 */
#ifndef TRACECMD_TIMER_H
#define TRACECMD_TIMER_H

#include <stdint.h>
#include <time.h>

#define NSEC_PER_SEC 1000000000ull

/*
 * timer_open - a descriptor that is readable when the timer expires, for poll()
 * @first_ns: from now; 0: never.  @interval_ns: between all later expirations; 0: none.
 * read(2) gives the number of expirations as a uint64_t and does not block.  -errno.
 */
int timer_open(uint64_t first_ns, uint64_t interval_ns);

uint64_t timer_read_clock(clockid_t clock);

/* CLOCK_MONOTONIC, to measure durations with. */
uint64_t timer_now(void);

#endif
