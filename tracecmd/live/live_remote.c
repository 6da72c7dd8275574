// SPDX-License-Identifier: GPL-2.0
/*
 * live_remote.c - fetch the ring buffer pages of a remote target
 *
 * Each read of trace_pipe_raw on the target returns one page of its ring buffer, even if the page
 * contains few events.
 */
#include <errno.h>

#include "tracecmd/live/live_remote.h"

static int take_pages(struct live_pull *p, unsigned int cpu)
{
	size_t at, size = p->target->page_size;
	struct hist_page page;
	int ret;

	/* a partial page is bad: the read was interrupted */
	p->bad_pages += p->buf.len % size != 0;
	for (at = 0; at + size <= p->buf.len; at += size) {
		if (hist_page_begin(&page, &p->layout, p->buf.data + at, size)) {
			p->bad_pages++;
			continue;
		}
		ret = p->take(p->arg, cpu, &page);
		if (ret)
			return ret;
	}
	return 0;
}

int live_pull_round(struct live_pull *p)
{
	struct hist_target *t = p->target;
	unsigned int cpu;
	int pages = 0, ret;

	for (cpu = 0; cpu < t->cpus; cpu++) {
		ret = t->ops->pages(t, p->dir, cpu, &p->buf);
		if (!ret)
			ret = take_pages(p, cpu);
		if (ret)
			return ret;
		pages += p->buf.len > 0;
	}
	return pages;
}
