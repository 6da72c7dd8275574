/* SPDX-License-Identifier: GPL-2.0 */
/*
 * clock_marker.h - read a trace clock that no system call can read
 */
#ifndef TRACECMD_TARGET_CLOCK_MARKER_H
#define TRACECMD_TARGET_CLOCK_MARKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the kernel lays out its ring buffer. */
struct clock_mark_layout {
	size_t page_size;
	unsigned int long_size;
	bool big_endian;
};

/*
 * clock_mark_now - write a mark into an instance and read its time back
 * @tracefs: file descriptor of the tracefs directory
 * @instance: "instances/x", set to the clock that is asked for, its tracing on
 *
 * CONSUMES the ring buffer of the CPU where the mark was made, or of all CPUs if the task moves
 * at that moment: use an instance that records no events. The time is between call and return.
 *
 * -ENOTSUP when the mark could not be written or did not come back, -ENOMEM.
 */
int clock_mark_now(int tracefs, const char *instance, const struct clock_mark_layout *layout,
		   uint64_t *now);

#endif
