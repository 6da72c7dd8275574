// SPDX-License-Identifier: LGPL-2.1
/*
 * replay.c - count the events of a trace.dat file with an engine
 *
 * The replay opens a walk for each CPU and finds the first event.  It then counts in order
 * (replay_merge.c) or in parallel (replay_threads.c).  Parallel counting stops if a map overflows,
 * because the order of events determines which keys are dropped.  The replay then opens the
 * walks again and counts in order, but only until all maps are full: later, no key is added.
 *
 * Interval boundaries are multiples of the interval after the first event.  The replay skips
 * consecutive intervals without events in one step (replay_begin_interval()).  Work and the number
 * of snapshots thus depend on the number of events, not on the time between them.
 *
 * Invariant: at a snapshot of time T exactly the events before T were counted.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/replay/replay_private.h"

/*
 * Number of pages between two checks whether the replay must end, and reports of progress.  A check
 * makes a system call; a mebibyte of events takes milliseconds, also with expensive triggers.
 */
#define CHECK_PAGES 256

static int replay_check_progress(struct replay_cpu *c)
{
	if (++c->looks < CHECK_PAGES)
		return 0;
	c->looks = 0;
	if (atomic_load_explicit(&c->replay->ending, memory_order_relaxed))
		return -ECANCELED;
	return c->in_thread ? 0 : replay_report_progress(c->replay);
}

int replay_get_page(struct replay_cpu *c)
{
	int ret;

	while (!c->has_page) {
		ret = replay_check_progress(c);
		if (ret)
			return ret;
		ret = hist_events_pages_next(c->pages, &c->page);
		if (ret == -EBADMSG)
			continue;
		if (ret <= 0)
			return ret;
		c->has_page = true;
		/* ignore a gap before the first event that is counted */
		if (c->page.time < c->from)
			c->page.lost = 0;
		if (c->page.lost)
			c->gaps++;
		if (c->page.lost == HIST_RING_PAGE_LOST_SOME)
			c->unknown++;
		else
			c->lost += c->page.lost;
	}
	return 1;
}

int replay_count_cpu(struct replay_cpu *c, struct hist_run *run, uint64_t until, uint64_t *last)
{
	uint64_t from = c->replay->options->from;
	const unsigned char *data;
	struct hist_ring_page ahead;
	uint32_t len;
	int ret;

	c->next = UINT64_MAX;
	for (;;) {
		ret = replay_get_page(c);
		if (!ret)
			hist_run_end(run, c->cpu);
		if (ret <= 0)
			return ret;
		ret = hist_run_count_page(run, c->cpu, &c->page, from, until);
		if (ret < 0)
			return ret;
		if (c->page.time >= from && c->page.time < until && c->page.time > *last)
			*last = c->page.time;
		if (ret == 1) {
			ahead = c->page;
			if (hist_ring_page_next(&ahead, &data, &len))
				c->next = ahead.time;
			return 0;
		}
		c->bad_pages += c->page.damaged;
		c->has_page = false;
	}
}

int replay_report_progress(const struct replay *r)
{
	uint64_t done = 0;
	unsigned int i;

	if (!r->options->progress)
		return 0;
	for (i = 0; i < r->ncpus; i++)
		done += hist_events_pages_done(r->cpus[i].pages);
	return r->options->progress(r->options->data, done, r->bytes);
}

static void replay_add_damage(const struct replay_cpu *c, struct hist_events_damage *damage)
{
	hist_events_pages_damage(c->pages, damage);
	damage->damaged_pages += c->bad_pages;
}

int replay_take_snapshot(struct replay *r, struct hist_run *const *runs, unsigned int nruns,
			 uint64_t time, bool at_end)
{
	struct hist_replay_moment moment = {
		.runs = runs, .nruns = nruns, .time = time, .damage = r->damage,
		.at_end = at_end && !r->options->from && r->options->to == UINT64_MAX,
		.again = r->again,
	};
	unsigned int i;
	int ret;

	for (i = 0; i < r->ncpus; i++) {
		moment.lost += r->cpus[i].lost + r->cpus[i].unknown;
		replay_add_damage(&r->cpus[i], &moment.damage);
	}
	r->again = false;
	ret = r->options->snapshot(r->options->data, &moment);
	return ret ? ret : replay_report_progress(r);
}

/*
 * Go to the interval of the event at @next, which is before the end.  *@boundary is the last
 * boundary on entry, and the end of the new interval on return.  If intervals without events are
 * between, make one snapshot for all of them, at the beginning of the new interval.
 */
static int next_interval(struct replay *r, struct hist_run *const *runs, unsigned int nruns,
			 uint64_t next, uint64_t *boundary)
{
	uint64_t interval = r->options->interval, begin = *boundary;
	int ret = 0;

	/* adjusted times may go back */
	if (interval && next > begin)
		begin += (next - begin) / interval * interval;
	if (begin != *boundary)
		ret = replay_take_snapshot(r, runs, nruns, begin, false);
	if (!interval || interval > r->options->to - begin)
		*boundary = r->options->to;
	else
		*boundary = begin + interval;
	return ret;
}

int replay_intervals(struct replay *r, struct hist_run *const *runs, unsigned int nruns,
		     int (*walk)(void *data, uint64_t until, uint64_t *next), void *data)
{
	uint64_t until = r->first, next = until;
	int ret;

	if (until == UINT64_MAX) {
		r->last = r->options->from;
		return 0;
	}
	ret = replay_take_snapshot(r, runs, nruns, until, false);
	while (!ret && next < r->options->to) {
		ret = next_interval(r, runs, nruns, next, &until);
		if (!ret)
			ret = walk(data, until, &next);
		if (ret || next == UINT64_MAX || until == r->options->to)
			break;
		ret = replay_take_snapshot(r, runs, nruns, until, false);
	}
	return ret;
}

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
