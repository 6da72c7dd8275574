/* SPDX-License-Identifier: GPL-2.0 */
/*
 * page_spool.h - keep pages of ring buffers in files without a name, until a recording ends
 *
 * A trace.dat file has the pages of a CPU in one piece, so they cannot be appended as they come.
 * There is one file per CPU, in the directory of the output file. If the recorder is killed, the
 * kernel removes them.
 *
 * Disk: all pages, and once more while they are appended to the output file.
 * Functions return 0 or -errno.
 */
#ifndef TRACECMD_RECORD_PAGE_SPOOL_H
#define TRACECMD_RECORD_PAGE_SPOOL_H

#include <stdbool.h>

#include "lib/tracedat/tracedat.h"
#include "lib/base/file_place.h"

struct page_spool;

/* @output: names the directory; needed only during the call. */
int page_spool_new(struct page_spool **spool, const struct file_place *output, unsigned int cpus,
		   uint32_t page_size);
void page_spool_free(struct page_spool *spool);

/*
 * page_spool_add - add pages of @cpu
 * @again: the first one replaces the last page of this CPU. A part of a page at the end is left
 * out.
 */
int page_spool_add(struct page_spool *spool, unsigned int cpu, const void *pages, size_t len,
		   bool again);

/*
 * page_spool_join - append all pages to @dat as its top buffer, with the names of tasks
 * @clock: of the pages. @names: as in saved_cmdlines; may be NULL.
 */
int page_spool_join(struct page_spool *spool, struct tracedat_writer *dat, const char *clock,
		    const char *names);

#endif
