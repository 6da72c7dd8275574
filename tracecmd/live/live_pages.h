/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live_pages.h - what comes into the ring buffer of one CPU
 *
 * Pages of per_cpu/cpuN/trace_pipe_raw, mapped where the kernel offers that (6.10), else
 * read.  What was given is consumed.
 */
#ifndef TRACECMD_LIVE_LIVE_PAGES_H
#define TRACECMD_LIVE_LIVE_PAGES_H

#include "lib/ringbuf/ring_page.h"

struct live_pages;

/*
 * live_pages_open - over the descriptor @fd, which is taken over, also on failure
 * @fd is open with O_NONBLOCK.  @page_size: of the ring buffer's pages.
 */
int live_pages_open(struct live_pages **pages, int fd, const struct hist_page_layout *layout,
		    size_t page_size);
void live_pages_free(struct live_pages *pages);

/* To be polled; readable when as much has come as the instance's buffer_percent says. */
int live_pages_fd(const struct live_pages *pages);

/*
 * live_pages_next - 1: *@page has begun, with what is new; 0: nothing is, now; -errno
 * Valid until the next call.
 */
int live_pages_next(struct live_pages *pages, struct hist_page *page);

/*
 * True when the last page is still being filled: the reader has come up with the writer.
 * What was read(2) does not tell; there live_pages_next() gives 0 at last.
 */
bool live_pages_caught_up(const struct live_pages *pages);

#endif
