/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cpu_pages.h - fetch the pages of an instance's ring buffers, CPU by CPU
 *
 * The kernel makes the ring buffer of a CPU with the instance if the CPU is online then, and
 * otherwise when the CPU comes online. The ring buffer stays when its CPU goes offline. A CPU that
 * was not online since the instance was made is absent: it has no ring buffer, and no events. The
 * kernel says ENODEV at each read of the files of this CPU, but nothing when the CPU comes.
 *
 * Each round therefore asks absent CPUs again. On a remote target each question costs a round trip.
 * A round there asks only CPUs that are plugged in: they can come and go between two rounds. The
 * last round asks all.
 *
 * Source: trace_rb_cpu_prepare() and ring_buffer_alloc_read_page() in kernel/trace/ring_buffer.c.
 */
#ifndef TRACECMD_TARGET_CPU_PAGES_H
#define TRACECMD_TARGET_CPU_PAGES_H

#include "helper/local/target.h"

/*
 * True if @fd, a file of this machine such as trace_pipe_raw, is that of an absent CPU.  A read
 * that is too short for the head of a page tells it, and takes no event.
 */
bool cpu_pages_is_absent(int fd);

struct cpu_pages {
	struct hist_target *target;
	const char *dir, *file; /* the caller's */
	unsigned char *states; /* of each CPU */
	unsigned int next; /* CPU of the round */
	unsigned int present; /* CPUs with a ring buffer */
	int error; /* of an absent CPU in this round */
	bool last;
	struct target_buf list;
};

/* Prepare to fetch the pages of "@dir/per_cpu/cpuN/@file". 0 or -ENOMEM. */
int cpu_pages_init(struct cpu_pages *pages, struct hist_target *target, const char *dir,
		   const char *file);
/* A zeroed struct is allowed. */
void cpu_pages_clear(struct cpu_pages *pages);

/* Begin a round over all CPUs. @last: nothing is recorded any more. */
void cpu_pages_begin(struct cpu_pages *pages, bool last);

/*
 * cpu_pages_next - fetch the pages of the next CPU whose ring buffer is not empty
 * @most: see hist_target_ops.pages. 1: @buf has the pages of CPU *@cpu; 0: the round has ended; or
 * -errno.
 */
int cpu_pages_next(struct cpu_pages *pages, size_t most, struct target_buf *buf, unsigned int *cpu);

#endif
