// SPDX-License-Identifier: LGPL-2.1
/*
 * replay_merge.c - merge the events of all CPUs by time and count them in one run
 *
 * A heap has the walks, with the earliest event at the top.  If times are equal, the lower CPU
 * comes first, as in stock trace-cmd.  The top walk is counted until another has an earlier event,
 * in one step for each of its pages.
 * Events without triggers stay outside the heap, except the first one after a boundary of
 * intervals: its time determines the next interval.
 *
 * After all maps are full, the order of events does not matter if no trigger depends on it.  The
 * rest of each CPU is then counted page by page.
 *
 * Invariant: each walk in the heap has a next event, and walks outside the heap have none.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/replay/replay_private.h"

/* Number of steps between two reports of progress. */
#define PROGRESS_STEPS (1u << 12)
/* Number of steps between two checks whether all maps are full. */
#define FULL_STEPS (1u << 8)

struct merge_head {
	struct replay_cpu *cpu;
	const unsigned char *data;
	uint32_t len;
	uint64_t time;
	const unsigned char *at; /* where the page was before the event, and its time there */
	uint64_t before;
	uint64_t order; /* @time, or that of a later event that was skipped before it */
};

struct merge {
	struct replay *r;
	struct hist_run *run;
	struct merge_head *heap;
	unsigned int n;
	bool by_cpu; /* the order does not matter any more; the heap is empty */
};

static bool merge_head_is_before(const struct merge_head *a, const struct merge_head *b)
{
	return a->order != b->order ? a->order < b->order : a->cpu->cpu < b->cpu->cpu;
}

/* Move the top of the heap down to its place. */
static void merge_sift_down(struct merge *m)
{
	struct merge_head head = m->heap[0];
	unsigned int at = 0, child;

	while ((child = 2 * at + 1) < m->n) {
		if (child + 1 < m->n && merge_head_is_before(&m->heap[child + 1], &m->heap[child]))
			child++;
		if (!merge_head_is_before(&m->heap[child], &head))
			break;
		m->heap[at] = m->heap[child];
		at = child;
	}
	m->heap[at] = head;
}

static void merge_insert_head(struct merge *m, struct merge_head head)
{
	unsigned int at = m->n++, parent;

	while (at && merge_head_is_before(&head, &m->heap[parent = (at - 1) / 2])) {
		m->heap[at] = m->heap[parent];
		at = parent;
	}
	m->heap[at] = head;
}

/*
 * Go to the next event of a walk: 1; 0 at its end; -errno.  Events before @until may be skipped if
 * they have no triggers; @until must not be later than the end of the interval.
 */
static int merge_advance_head(struct merge *m, struct merge_head *head, uint64_t until)
{
	struct replay_cpu *c = head->cpu;
	int ret;

	head->order = 0;
	for (;;) {
		ret = replay_get_page(c);
		if (ret <= 0)
			return ret;
		if (hist_run_skip_events(m->run, &c->page, until)) {
			if (c->page.time > head->order)
				head->order = c->page.time;
			if (c->page.time > m->r->last)
				m->r->last = c->page.time;
		}
		head->at = c->page.at;
		head->before = c->page.time;
		if (hist_ring_page_next(&c->page, &head->data, &head->len)) {
			head->time = replay_time(c, c->page.time);
			if (head->time > head->order)
				head->order = head->time;
			return 1;
		}
		c->bad_pages += c->page.damaged;
		c->has_page = false;
	}
}

static int merge_begin_heap(struct merge *m)
{
	uint64_t from = m->r->options->from;
	unsigned int i;
	int ret;

	for (i = 0; i < m->r->ncpus; i++) {
		struct merge_head head = { .cpu = &m->r->cpus[i] };

		do {
			ret = merge_advance_head(m, &head, 0);
		} while (ret == 1 && head.time < from);
		if (ret < 0)
			return ret;
		if (ret)
			merge_insert_head(m, head);
	}
	return 0;
}

/* Give the event in the heap back to its page. */
static void merge_return_event(const struct merge_head *head)
{
	head->cpu->page.at = head->at;
	head->cpu->page.time = head->before;
}

/* If all maps are full, the pages get the events in the heap back. */
static void merge_check_full(struct merge *m)
{
	if (m->r->moves_time || !hist_run_is_full(m->run))
		return;
	while (m->n)
		merge_return_event(&m->heap[--m->n]);
	m->by_cpu = true;
}

static int count_each_cpu(struct merge *m, uint64_t until, uint64_t *next)
{
	unsigned int i;
	int ret = 0;

	*next = UINT64_MAX;
	for (i = 0; i < m->r->ncpus && !ret; i++) {
		ret = replay_count_cpu(&m->r->cpus[i], m->run, until, &m->r->last);
		if (m->r->cpus[i].next < *next)
			*next = m->r->cpus[i].next;
	}
	return ret;
}

/* The time before which the events of the top walk come before those of all others. */
static uint64_t merge_find_end(const struct merge *m, uint64_t until)
{
	const struct merge_head *top = &m->heap[0], *next;
	unsigned int i;
	uint64_t end;

	for (i = 1; i < m->n && i < 3; i++) {
		next = &m->heap[i];
		end = next->order;
		if (top->cpu->cpu < next->cpu->cpu && end < UINT64_MAX)
			end++;
		until = end < until ? end : until;
	}
	return until;
}

/* Count the event at the top, and those after it on its page that come before all others. */
static int merge_count_top(struct merge *m, uint64_t until)
{
	const struct merge_head *top = &m->heap[0];
	struct replay_cpu *c = top->cpu;
	uint64_t last = top->time;
	int ret;

	if (m->r->moves_time) {
		ret = hist_run_count_event(m->run, c->cpu, HIST_RUN_ALL, top->time, top->data,
					   top->len);
	} else {
		merge_return_event(top);
		ret = hist_run_count_page(m->run, c->cpu, &c->page, 0, merge_find_end(m, until));
		last = c->page.time;
	}
	/* adjusted times may go back */
	if (last > m->r->last)
		m->r->last = last;
	return ret < 0 ? ret : 0;
}

/* The walk of replay_intervals(). */
static int count_until(void *data, uint64_t until, uint64_t *next)
{
	struct merge *m = data;
	/* adjusted times differ from those of the pages */
	uint64_t skip = m->r->moves_time ? 0 : until;
	unsigned int steps = 0;
	int ret;

	merge_check_full(m);
	while (m->n && m->heap[0].time < until) {
		struct merge_head *top = &m->heap[0];

		ret = merge_count_top(m, until);
		if (!ret)
			ret = merge_advance_head(m, top, skip);
		if (ret < 0)
			return ret;
		if (!ret) {
			hist_run_end(m->run, top->cpu->cpu);
			*top = m->heap[--m->n];
		}
		if (m->n > 1)
			merge_sift_down(m);
		if (!(++steps % PROGRESS_STEPS)) {
			ret = replay_report_progress(m->r);
			if (ret)
				return ret;
		}
		if (!(steps % FULL_STEPS))
			merge_check_full(m);
	}
	if (m->by_cpu)
		return count_each_cpu(m, until, next);
	*next = m->n ? m->heap[0].time : UINT64_MAX;
	return 0;
}

int replay_count_in_order(struct replay *r)
{
	struct merge m = { .r = r };
	unsigned int i;
	int ret;

	m.heap = calloc(r->ncpus + 1, sizeof(*m.heap));
	ret = m.heap ? hist_run_new(&m.run, r->engine) : -ENOMEM;
	if (!ret)
		ret = merge_begin_heap(&m);
	if (!ret)
		ret = replay_intervals(r, &m.run, 1, count_until, &m);
	for (i = 0; !ret && i < r->ncpus; i++)
		hist_run_end(m.run, r->cpus[i].cpu);
	if (!ret)
		ret = replay_take_snapshot(r, &m.run, 1, r->last, true);
	if (m.run)
		hist_run_get_counts(m.run, &r->result->counts);
	hist_run_free(m.run);
	free(m.heap);
	return ret;
}
