// SPDX-License-Identifier: GPL-2.0
/*
 * live_count.c - count the pages of the ring buffers, whoever read them
 *
 * All threads count into one run, one page at a time under a lock. A histogram then has one table
 * size and one number of dropped hits, as in the kernel.
 *
 * Invariant: the engine's run is accessed only under the lock.
 */
#include "tracecmd/live/live_merge.h"
#include "tracecmd/live/live_private.h"

int live_count_page(struct live *l, unsigned int stream, struct hist_ring_page *page)
{
	int ret;

	pthread_mutex_lock(&l->lock);
	live_loss_add_page(&l->loss, page);
	if (l->merge)
		ret = live_merge_add(l->merge, stream, page);
	else
		ret = hist_run_count_page(l->run, stream, page, 0, UINT64_MAX);
	pthread_mutex_unlock(&l->lock);
	__atomic_fetch_add(&l->bad_pages, page->damaged, __ATOMIC_RELAXED);
	return ret < 0 ? ret : 0;
}

/* The recorder gets the events of the tasks that are counted, and not the ENDs in other tasks. */
int live_take_page(struct live *l, unsigned int stream, const void *data, bool again)
{
	const struct counter_pages *pages = &l->counter.pages;

	return pages->take && stream < l->counter.set.target->cpus ?
	       pages->take(pages->arg, stream, data, again) : 0;
}

int live_count_merged(struct live *l, uint64_t until)
{
	int ret = live_merge_count(l->merge, l->run, until);

	return ret || !l->counter.pages.counted ? ret :
	       l->counter.pages.counted(l->counter.pages.arg, until);
}

/* Only for clocks that a system call reads. */
int live_read_clock(struct live *l, uint64_t *now)
{
	struct hist_target *t = l->counter.set.target;

	return t->ops->clock(t, l->counter.set.instance->clock, NULL, now);
}


