// SPDX-License-Identifier: GPL-2.0
/*
 * live_merge.c - merge live events of several ring buffers in the order of their times
 *
 * Each stream has a queue of copied pages; each page has its read position. The earliest of the
 * first events is searched linearly at each event: there are few streams, and the next event is
 * mostly of the same one.
 *
 * Invariant: the first page of a queue that is not empty has a current event.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/live/live_merge.h"

struct kept_page {
	struct kept_page *next;
	struct hist_ring_page walk;
	unsigned char bytes[];
};

struct queue {
	struct kept_page *first, *last;
	const unsigned char *data; /* the current event */
	uint32_t len;
	unsigned int cpu;
	enum hist_run_scope scope;
};

struct live_merge {
	unsigned int streams;
	struct queue queues[];
};

struct live_merge *live_merge_new(unsigned int cpus, unsigned int streams)
{
	struct live_merge *m = calloc(1, sizeof(*m) + streams * sizeof(*m->queues));
	unsigned int i;

	if (!m)
		return NULL;
	m->streams = streams;
	for (i = 0; i < streams; i++) {
		m->queues[i].cpu = i % cpus;
		m->queues[i].scope = i < cpus ? HIST_RUN_TASKS : HIST_RUN_ANYWHERE;
	}
	return m;
}

static void drop_first(struct queue *q)
{
	struct kept_page *page = q->first;

	q->first = page->next;
	if (!q->first)
		q->last = NULL;
	free(page);
}

void live_merge_free(struct live_merge *m)
{
	unsigned int i;

	for (i = 0; m && i < m->streams; i++) {
		while (m->queues[i].first)
			drop_first(&m->queues[i]);
	}
	free(m);
}

/* Move to the next event of a stream, and free pages without further events. */
static void live_merge_advance_queue(struct queue *q)
{
	while (q->first && !hist_ring_page_next(&q->first->walk, &q->data, &q->len))
		drop_first(q);
}

int live_merge_add(struct live_merge *m, unsigned int stream, const struct hist_ring_page *page)
{
	size_t len = page->end - page->at;
	struct kept_page *kept = malloc(sizeof(*kept) + len);
	struct queue *q = &m->queues[stream];

	if (!kept)
		return -ENOMEM;
	kept->next = NULL;
	kept->walk = *page;
	memcpy(kept->bytes, page->at, len);
	hist_ring_page_move(&kept->walk, kept->bytes);
	if (q->last) {
		q->last->next = kept;
		q->last = kept;
		return 0;
	}
	q->first = q->last = kept;
	live_merge_advance_queue(q);
	return 0;
}

/*
 * At the same time HIST_RUN_ANYWHERE is first: a hit that is both END and START of a latency ends
 * the pair before.
 */
static bool queue_is_before(const struct queue *a, const struct queue *b)
{
	uint64_t time = a->first->walk.time, other = b->first->walk.time;

	return time != other ? time < other : a->scope > b->scope;
}

int live_merge_count(struct live_merge *m, struct hist_run *run, uint64_t until)
{
	unsigned int i;
	int ret;

	for (;;) {
		struct queue *earliest = NULL;

		for (i = 0; i < m->streams; i++) {
			struct queue *q = &m->queues[i];

			if (q->first && (!earliest || queue_is_before(q, earliest)))
				earliest = q;
		}
		if (!earliest || earliest->first->walk.time >= until)
			return 0;
		ret = hist_run_count_event(run, earliest->cpu, earliest->scope,
					   earliest->first->walk.time, earliest->data,
					   earliest->len);
		if (ret)
			return ret;
		live_merge_advance_queue(earliest);
	}
}
