/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live_pages.h - read the ring buffer pages of one CPU
 *
 * The pages come from per_cpu/cpuN/trace_pipe_raw, by mmap() if the kernel supports it (Linux
 * 6.10), otherwise by read(). Returned events are consumed.
 *
 * A CPU that was not online since the instance was made is absent: it has no ring buffer until it
 * comes online (tracecmd/target/cpu_pages.h). Each live_pages_next() looks for it.
 */
#ifndef TRACECMD_LIVE_LIVE_PAGES_H
#define TRACECMD_LIVE_LIVE_PAGES_H

#include "lib/ringbuf/ring_page.h"

struct live_pages;

/*
 * live_pages_open - read pages from @fd
 * @fd: open with O_NONBLOCK; the function takes ownership, also on failure.
 * @page_size: size of the ring buffer's pages.
 */
int live_pages_open(struct live_pages **pages, int fd, const struct hist_ring_page_layout *layout,
		    size_t page_size);
void live_pages_free(struct live_pages *pages);

/*
 * Descriptor for poll(): readable if the buffer is filled up to the instance's buffer_percent.
 * -1 if the CPU is absent: poll() would not wait.
 */
int live_pages_fd(const struct live_pages *pages);

/*
 * live_pages_next - get the next page
 * 1: *@page contains the new events and is valid until the next call; 0: no new event; -errno.
 */
int live_pages_next(struct live_pages *pages, struct hist_ring_page *page);

/*
 * live_pages_copy - copy the page of the last live_pages_next() that returned 1
 * The copy is a whole page as trace_pipe_raw has it, and valid until the next call of a function of
 * @pages. *@again: it has all events of the copy before, and further ones. NULL without memory.
 */
const void *live_pages_copy(struct live_pages *pages, bool *again);

/*
 * True if the writer still fills the last page, so that the reader has caught up. Always false
 * for pages from read(2); live_pages_next() then returns 0 at the end.
 */
bool live_pages_caught_up(const struct live_pages *pages);

#endif
