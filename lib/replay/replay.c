// SPDX-License-Identifier: LGPL-2.1
/*
 * replay.c - count the events of a trace.dat file with an engine
 *
 * The replay opens a walk for each CPU and finds the first event.  It then counts in order or in
 * parallel (replay_threads.c).  Parallel counting stops if a map overflows, because the order of
 * events determines which keys are dropped.  The replay then opens the walks again and counts in
 * order, but only until all maps are full: later, no key is added.
 *
 * In order, the events of all CPUs are merged by time.  A heap has the walks, with the earliest
 * event at the top.  If times are equal, the lower CPU comes first, as in stock trace-cmd.  The top
 * walk is counted until another has an earlier event, in one step for each of its pages.
 * Events without triggers stay outside the heap, except the first one after a boundary of
 * intervals: its time determines the next interval.
 *
 * After all maps are full, the order of events does not matter if no trigger depends on it.  The
 * rest of each CPU is then counted page by page.
 *
 * Invariants: at a snapshot of time T exactly the events before T were counted.  Each walk in the
 * heap has a next event, and walks outside the heap have none.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/replay/replay_private.h"

/* Get the time of the first event at or after @from, at the beginning of a walk. */
static int first_time(struct replay_cpu *c, uint64_t from, uint64_t *time)
{
	const unsigned char *data;
	struct hist_ring_page page;
	uint32_t len;
	int ret;

	*time = UINT64_MAX;
	for (;;) {
		ret = replay_get_page(c);
		if (ret <= 0)
			return ret;
		page = c->page;
		while (hist_ring_page_next(&page, &data, &len)) {
			*time = replay_time(c, page.time);
			if (*time >= from)
				return 0;
		}
		*time = UINT64_MAX;
		c->bad_pages += page.damaged;
		c->has_page = false;
	}
}

static void close_cpus(struct replay *r)
{
	unsigned int i;

	for (i = 0; i < r->ncpus; i++)
		hist_events_pages_free(r->cpus[i].pages);
	hist_events_ahead_free(r->ahead);
	free(r->cpus);
	r->ahead = NULL;
	r->cpus = NULL;
	r->ncpus = 0;
}

static int open_cpus(struct replay *r, struct hist_events *events)
{
	const struct hist_replay *o = r->options;
	const struct hist_events_buffer *buffer = hist_events_buffer(events, o->buffer);
	unsigned int cpu;
	uint64_t time;
	int ret = 0;

	if (!buffer)
		return -EINVAL;
	r->first = UINT64_MAX;
	r->last = 0;
	r->damage = (struct hist_events_damage){ 0 };
	r->bytes = buffer->bytes;
	r->cpus = calloc(buffer->cpus + 1, sizeof(*r->cpus));
	if (!r->cpus)
		return -ENOMEM;
	for (cpu = 0; !ret && cpu < buffer->cpus; cpu++) {
		struct replay_cpu *c = &r->cpus[r->ncpus];

		*c = (struct replay_cpu){ .replay = r, .cpu = cpu, .buffer = o->buffer,
					  .moved = r->moves_time ? events : NULL };
		/* pages have unadjusted times */
		c->from = r->moves_time ? 0 : o->from;
		ret = hist_events_pages_open(&c->pages, events, o->buffer, cpu);
		if (ret)
			break;
		r->ncpus++;
		/* pages have unadjusted times */
		if (o->from && !r->moves_time)
			ret = hist_events_pages_seek(c->pages, o->from);
		hist_events_pages_read_ahead(c->pages, r->ahead);
		if (!ret)
			ret = first_time(c, o->from, &time);
		if (!ret && time < r->first)
			r->first = time;
		if (!ret && time == UINT64_MAX) {
			replay_add_damage(c, &r->damage);
			hist_events_pages_free(c->pages);
			r->ncpus--;
		}
	}
	if (r->first >= o->to)
		r->first = UINT64_MAX;
	return ret;
}

static void add_losses(struct replay *r)
{
	unsigned int i;

	r->result->damage = r->damage;
	for (i = 0; i < r->ncpus; i++) {
		r->result->lost += r->cpus[i].lost;
		r->result->gaps += r->cpus[i].gaps;
		replay_add_damage(&r->cpus[i], &r->result->damage);
	}
}

/* --- count in order --- */

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

/* Counts all events in one run, merged by time. */
static int replay_count_in_order(struct replay *r)
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

/* --- run --- */

static int replay_count_events(struct replay *r, struct hist_events *events, bool in_order)
{
	unsigned int threads = r->options->threads;
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	int ret;

	*r->result = (struct hist_replay_result){ .in_order = in_order, .threads = 1 };
	atomic_init(&r->ending, false);
	if (!threads)
		threads = online > 0 ? online : 1;
	/* in order, a second thread can only decompress */
	if (in_order && threads > 1)
		r->ahead = hist_events_ahead_new(events, r->options->buffer);
	ret = open_cpus(r, events);
	if (threads > r->ncpus)
		threads = r->ncpus ? r->ncpus : 1;
	if (!ret)
		ret = in_order ? replay_count_in_order(r) : replay_count_parallel(r, threads);
	add_losses(r);
	if (r->first != UINT64_MAX) {
		r->result->first_time = r->first;
		r->result->last_time = r->last;
	}
	close_cpus(r);
	return ret;
}

int hist_replay_run(const struct hist_replay *options, struct hist_events *events,
		    const struct hist_engine *engine, struct hist_replay_result *result)
{
	struct replay r = { .options = options, .engine = engine, .result = result };
	bool in_order;
	int ret;

	r.moves_time = hist_events_adjusts_time(events, options->buffer);
	in_order = hist_engine_is_ordered(engine) || r.moves_time;
	ret = replay_count_events(&r, events, in_order);
	if (ret == -EOVERFLOW && !in_order) {
		r.again = true;
		ret = replay_count_events(&r, events, true);
	}
	return ret;
}
