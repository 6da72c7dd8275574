// SPDX-License-Identifier: LGPL-2.1
/*
 * replay_walk.c - walk over the events of a CPU, and over the intervals of a replay
 *
 * Interval boundaries are multiples of the interval after the first event.  The replay skips
 * consecutive intervals without events in one step (next_interval()).  Work and the number of
 * snapshots thus depend on the number of events, not on the time between them.
 */
#include <errno.h>

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
