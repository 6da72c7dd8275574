// SPDX-License-Identifier: LGPL-2.1
/*
 * replay.c - count the events of a trace.dat file with an engine
 *
 * The replay opens a walk for each CPU and finds the first event.  It then counts in order
 * (replay_merge.c) or in parallel (replay_threads.c).  Parallel counting stops if a map overflows,
 * because the order of events determines which keys are dropped.  The replay then opens the
 * walks again and counts in order, but only until all maps are full: later, no key is added.
 *
 * Invariant: at a snapshot of time T exactly the events before T were counted.
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
