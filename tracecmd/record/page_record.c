// SPDX-License-Identifier: GPL-2.0
/*
 * page_record.c - record the events of a session without stock trace-cmd, for --events
 *
 * A read of trace_pipe_raw returns one page, also one that has only few events. A fetch is limited
 * to the size of the ring buffer, because it causes events itself.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/base/message.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/live/live_events.h"
#include "tracecmd/record/page_record.h"
#include "tracecmd/target/target_path.h"

/* Time between two fetches. A ring buffer of 1 MiB holds about 20,000 events. */
#define FETCH_MS 100
#define FETCH_MOST (1u << 20)
/* Fetches after the events are disabled: the second one finds none on most machines. */
#define LAST_FETCHES 100

/* Is a CPU offline that can come online? Stock trace-cmd would not record it. */
static bool has_offline_cpus(struct hist_target *t)
{
	struct target_buf present = { 0 }, online = { 0 };
	bool has = !t->ops->read(t, TARGET_CPUS_PRESENT, &present) &&
		   !t->ops->read(t, TARGET_CPUS_ONLINE, &online) &&
		   strcmp(present.data, online.data);

	free(present.data);
	free(online.data);
	return has;
}

bool page_record_is_needed(const struct counter *counter, bool captures)
{
	struct hist_target *t = counter->set.target;

	return captures || counter->ops->engine || !t->ops->descriptor || has_offline_cpus(t);
}

int page_record_check(const struct hist_target *t)
{
	return t->ops->pages
		       ? 0
		       : message_refuse(
				 -EOPNOTSUPP,
				 "--events: the target helper is too old to send ring buffers\n"
				 "install the same version on both machines");
}

static int keep_page(void *arg, unsigned int cpu, const void *page, bool again)
{
	struct page_record *r = arg;
	int ret = page_spool_add(r->spool, cpu, page, r->counter->set.target->page_size, again);

	return ret || !r->next.take ? ret : r->next.take(r->next.arg, cpu, page, again);
}

static int pass_counted(void *arg, uint64_t until)
{
	struct page_record *r = arg;

	return r->next.counted(r->next.arg, until);
}

static int pass_hit(void *arg, unsigned int n, unsigned int cpu, uint64_t time,
		    const unsigned char *data, uint32_t len)
{
	struct page_record *r = arg;

	return r->next.hit(r->next.arg, n, cpu, time, data, len);
}

/* Keep the pages that the engine reads. */
static void take_pages(struct page_record *r)
{
	struct counter_pages *pages = &r->counter->pages;

	r->next = *pages;
	pages->take = keep_page;
	pages->counted = r->next.counted ? pass_counted : NULL;
	pages->hit = r->next.hit ? pass_hit : NULL;
	pages->arg = r;
}

int page_record_start(struct page_record *r, struct counter *counter, const char *output,
		      const struct file_place *place, struct stacks *stacks)
{
	const struct hist_target *t = counter->set.target;
	int ret;

	*r = (struct page_record){ .counter = counter, .output = output, .stacks = stacks };
	r->fetches = !counter->ops->engine;
	ret = page_spool_new(&r->spool, place, t->cpus, t->page_size);
	if (ret)
		return message_error_errno(output, ret);
	if (!r->fetches) {
		take_pages(r);
		return 0;
	}
	if (cpu_pages_init(&r->from, counter->set.target, counter->set.instance->dir,
			   "trace_pipe_raw"))
		return message_error_memory();
	live_events_prepare(&counter->set, false);
	live_loss_begin(&r->loss, &counter->set);
	return live_events_enable(&counter->set, false);
}

int page_record_wait_ms(const struct page_record *r)
{
	uint64_t since = (timer_now() - r->fetched) / 1000000;

	return !r->fetches ? -1 : since < FETCH_MS ? (int)(FETCH_MS - since) : 0;
}

/* @last: the events are disabled. Returns the number of CPUs with pages; -errno after a message. */
static int fetch(struct page_record *r, bool last)
{
	unsigned int cpu;
	int ret, n = 0;

	cpu_pages_begin(&r->from, last);
	while ((ret = cpu_pages_next(&r->from, FETCH_MOST, &r->pages, &cpu)) > 0) {
		ret = page_spool_add(r->spool, cpu, r->pages.data, r->pages.len, false);
		if (ret)
			return message_error_errno(r->output, ret);
		n++;
	}
	r->fetched = timer_now();
	return ret ? message_error_errno("trace_pipe_raw", ret) : n;
}

int page_record_follow(struct page_record *r)
{
	int ret = page_record_wait_ms(r) ? 0 : fetch(r, false);

	return ret < 0 ? ret : 0;
}

/* The numbers of the ring buffers count what was overwritten before it was fetched. */
static void report_loss(struct page_record *r)
{
	uint64_t lost;

	/* the pages were not walked: read the numbers */
	r->loss.places = 1;
	live_loss_update(&r->loss);
	lost = live_loss_count_events(&r->loss);
	if (lost)
		message_warning("--events: %" PRIu64 " event%s lost, because the host did not "
				"read the ring buffer fast enough", lost,
				lost == 1 ? " was" : "s were");
}

static int collect_stacks(void *arg, const void *pages, size_t len)
{
	const struct target_buf buf = { .data = (void *)pages, .len = len };
	struct page_record *r = arg;

	return stacks_collect(r->stacks, r->counter->set.target, &buf);
}

int page_record_stop(struct page_record *r, struct tracedat_writer *dat)
{
	const struct trigger_set *s = &r->counter->set;
	struct target_buf names = { 0 };
	int ret = 1, i;

	if (r->fetches) {
		live_events_disable(s, false);
		for (i = 0; ret > 0 && i < LAST_FETCHES; i++)
			ret = fetch(r, true);
		if (ret < 0)
			return ret;
		report_loss(r);
	}
	/* the events are useful without names */
	if (target_readf(s->target, &names, "saved_cmdlines"))
		names.len = 0;
	ret = page_spool_join(r->spool, dat, s->instance->clock, names.len ? names.data : NULL);
	free(names.data);
	if (!ret)
		ret = page_spool_visit(r->spool, collect_stacks, r);
	return ret ? message_error_errno(r->output, ret) : 0;
}

void page_record_clear(struct page_record *r)
{
	page_spool_free(r->spool);
	cpu_pages_clear(&r->from);
	free(r->pages.data);
	*r = (struct page_record){ 0 };
}
