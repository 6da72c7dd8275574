// SPDX-License-Identifier: GPL-2.0
/*
 * live.c - counter that feeds live events to the user-space engine
 *
 * Threads read the ring buffers of this machine (live_readers.c). The pages of a remote target are
 * fetched by the thread that waits for the next snapshot. live_count.c counts both.
 *
 * A recorder can watch for hits. A watch is a filter, which the parser and the check of triggers
 * handle as the filter of a trigger.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/strbuf.h"
#include "lib/base/text.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/kernel/foreign_writes.h"
#include "tracecmd/live/live.h"
#include "tracecmd/live/live_events.h"
#include "tracecmd/live/live_merge.h"
#include "tracecmd/live/live_private.h"
#include "tracecmd/live/live_symbols.h"
#include "tracecmd/live/live_tracer.h"
#include "tracecmd/target/target_path.h"
#include "tracecmd/trigger/trigger_program.h"

/* One of counter_pages.watches. */
struct live_watch {
	struct live *live;
	struct hist_expr *expr;
};

/* Pass a hit that a recorder watches from the engine to the recorder. */
static int take_hit(void *arg, unsigned int cpu, uint64_t time, const unsigned char *data,
		    uint32_t len)
{
	struct live_watch *watch = arg;
	struct live *l = watch->live;

	return l->counter.pages.hit(l->counter.pages.arg, watch - l->watches, cpu, time, data, len);
}

static int add_watch(struct live *l, struct live_watch *watch, const struct counter_watch *from)
{
	struct hist_error error = { 0 };
	char *text;
	int ret;

	watch->live = l;
	if (asprintf(&text, "hist:keys=common_pid if %s", from->filter) < 0)
		return message_error_memory();
	ret = hist_expr_parse(&watch->expr, text, &error);
	if (!ret)
		ret = hist_engine_watch(l->engine, from->source->event, watch->expr, take_hit,
					watch, &error);
	message_report_expression(ret == -EOPNOTSUPP ? -EINVAL : ret, text, &error);
	free(text);
	return ret;
}

/* Add the watches of the counter to the engine. 0, or -errno after a message. */
static int live_watch_add(struct live *l)
{
	const struct counter_pages *p = &l->counter.pages;
	unsigned int i;
	int ret = 0;

	if (!p->nwatches)
		return 0;
	l->watches = calloc(p->nwatches, sizeof(*l->watches));
	if (!l->watches)
		return message_error_memory();
	for (i = 0; !ret && i < p->nwatches; i++)
		ret = add_watch(l, &l->watches[i], &p->watches[i]);
	return ret;
}

/* After the engine, which refers to the expressions. */
static void live_watch_free(struct live *l)
{
	unsigned int i;

	for (i = 0; l->watches && i < l->counter.pages.nwatches; i++)
		hist_expr_free(l->watches[i].expr);
	free(l->watches);
}

/* Time between two rounds of a remote target. A buffer of 1 MiB holds about 20,000 events. */
#define PULL_MS 100

static struct live *live_from_counter(const struct counter *c)
{
	return (struct live *)c;
}

bool live_is_possible(const struct hist_target *t)
{
	return t->ops->descriptor || (t->ops->pages && t->ops->kallsyms);
}

/* Count the fetched pages of one stream. */
static int take_pulled(struct live *l, unsigned int stream)
{
	size_t at, size = l->counter.set.target->page_size;
	const unsigned char *data;
	struct hist_ring_page page, walk;
	uint32_t len;
	int ret = 0;

	/* a partial page is bad: the read was interrupted */
	l->bad_pages += l->pulled.len % size != 0;
	for (at = 0; !ret && at + size <= l->pulled.len; at += size) {
		if (hist_ring_page_begin(&page, &l->layout, l->pulled.data + at, size)) {
			l->bad_pages++;
			continue;
		}
		ret = live_take_page(l, stream, l->pulled.data + at, false);
		walk = page;
		while (l->merge && hist_ring_page_next(&walk, &data, &len))
			;
		if (walk.time > l->newest)
			l->newest = walk.time;
		if (!ret)
			ret = live_count_page(l, stream, &page);
	}
	return ret;
}

/*
 * Fetch and count the pages of all streams, one after the other. Each read of trace_pipe_raw on the
 * target returns one page, even if it has few events. Returns the number of streams with pages, or
 * -errno. A round without pages proves that all events from before the round were fetched.
 */
static int pull_round(struct live *l)
{
	unsigned int i, cpu, cpus = l->counter.set.target->cpus;
	int n = 0, ret = 0;

	for (i = 0; !ret && i < l->streams / cpus; i++) {
		cpu_pages_begin(&l->from[i], l->stopped);
		while ((ret = cpu_pages_next(&l->from[i], 0, &l->pulled, &cpu)) > 0) {
			ret = take_pulled(l, i * cpus + cpu);
			if (ret)
				break;
			n++;
		}
	}
	return ret ? ret : n;
}

/*
 * Fetch and count pages. A round fetches all events from before its start, so no later event is
 * older than the newest event of the previous rounds: events are counted up to that time. After
 * tracing has stopped, rounds are repeated until one has no pages, and all events are counted.
 */
static int live_pull_pages(struct live *l)
{
	uint64_t begin = timer_read_clock(CLOCK_THREAD_CPUTIME_ID), until;
	int ret;

	do {
		until = l->newest + 1;
		ret = pull_round(l);
	} while (ret > 0 && l->stopped);
	if (ret >= 0)
		ret = !l->merge ? 0 : live_count_merged(l, l->stopped ? UINT64_MAX : until);
	l->pull_cpu_ns += timer_read_clock(CLOCK_THREAD_CPUTIME_ID) - begin;
	return ret;
}

/* Is an event or the ring buffer off, which is not always due to a write? */
static void look_for_stop(struct live *l)
{
	const char *off = l->stopped ? NULL : live_events_find_stopped(&l->counter.set);

	/* the name of the file that was written explains more */
	foreign_writes_look(&l->counter.writes, false);
	if (off)
		foreign_writes_add(&l->counter.writes, off);
}

static int live_keepalive(struct counter *c)
{
	int ret = live_pull_pages(live_from_counter(c));

	look_for_stop(live_from_counter(c));
	return ret ? message_error_errno("--engine user: cannot read trace_pipe_raw of the target",
					 ret)
		   : 0;
}

/* Count all events up to now, as far as possible. Readers then wait for the snapshot. */
static int catch_up(struct live *l)
{
	int ret;

	if (!l->pulls) {
		live_readers_begin_round(l);
		return l->error;
	}
	/* the second round proves that no older events than those of the first are left */
	ret = live_pull_pages(l);
	return ret || !l->merge || l->stopped ? ret : live_pull_pages(l);
}

static void live_release_readers(struct live *l)
{
	pthread_mutex_lock(&l->lock);
	l->released_round = l->asked;
	pthread_cond_broadcast(&l->released);
	pthread_mutex_unlock(&l->lock);
}

/* Set the snapshots of the histograms to the counts of @run. */
static int live_snapshot_hists(const struct trigger_set *set, struct hist_run *run)
{
	struct traced_hist *h = NULL;
	int ret = 0;

	while (!ret && (h = traced_event_next_hist(set->sources, set->nsources, h)))
		ret = hist_engine_snapshot(&run, 1, h->counter, h->table, &h->snap);
	return ret;
}

/* Take snapshots of all sources with one round of the readers. */
static int live_update_snapshots(struct live *l)
{
	const struct trigger_set *set = &l->counter.set;
	struct traced_hist *h = NULL;
	int ret;

	ret = catch_up(l);
	live_names_begin_round(l->names);
	live_loss_update(&l->loss);
	if (!ret)
		ret = live_snapshot_hists(set, l->run);
	if (!ret)
		ret = live_names_error(l->names);
	while ((h = traced_event_next_hist(set->sources, set->nsources, h)))
		h->snap.events_lost = live_loss_count_events(&l->loss);
	if (!l->pulls)
		live_release_readers(l);
	return ret ? message_error_errno("--engine user", ret) : 0;
}

static int live_tick(struct counter *c, counter_take take, void *arg)
{
	struct counter_moment moment;
	uint64_t begin = timer_now();
	unsigned int e;
	int ret;

	ret = live_update_snapshots(live_from_counter(c));
	look_for_stop(live_from_counter(c));
	if (!ret)
		ret = counter_take_moment(c, begin, &moment);
	for (e = 0; !ret && e < c->set.nsources; e++) {
		if (!c->set.sources[e].nhists)
			continue;
		counter_stamp(c, &c->set.sources[e], &moment);
		ret = take(arg, &c->set.sources[e]);
	}
	return ret;
}

static void live_pause(struct counter *c)
{
	struct live *l = live_from_counter(c);

	if (l->stopped)
		return;
	look_for_stop(l);
	foreign_writes_end(&c->writes);
	live_events_disable(&c->set, false);
	if (c->set.instance->anywhere_dir)
		live_events_disable(&c->set, true);
	pthread_mutex_lock(&l->lock);
	l->stopped = true;
	pthread_mutex_unlock(&l->lock);
}

/*
 * Exclude the events of this process, thread by thread. On a remote target, exclude the process
 * that serves it, and its children.
 */
static int leave_us_out(struct live *l)
{
	const struct trigger_set *s = &l->counter.set;
	struct hist_strbuf pids = { 0 };
	unsigned int i;
	int ret;

	if ((!s->instance->made && !s->plan->exclude_self) || s->plan->pids ||
	    s->plan->only_command)
		return 0;
	if (l->pulls)
		live_events_exclude_children(s);
	hist_strbuf_printf(&pids, "%ld", l->pulls ? s->target->pid : getpid());
	pthread_mutex_lock(&l->lock);
	for (i = 0; i < l->nreaders; i++) {
		while (!l->readers[i].tid)
			pthread_cond_wait(&l->answered, &l->lock);
		hist_strbuf_printf(&pids, " %d", l->readers[i].tid);
	}
	pthread_mutex_unlock(&l->lock);
	hist_strbuf_char(&pids, '\0');
	ret = pids.error ? message_error_memory() : 0;
	if (!ret)
		live_events_exclude(s, pids.data);
	hist_strbuf_free(&pids);
	return ret;
}

/* Create the engine for the machine of the target. */
static int make_engine(struct live *l)
{
	const struct trigger_set *s = &l->counter.set;
	struct hist_engine_machine machine = { .layout = l->layout };
	uint64_t now;
	int ret;

	ret = live_names_new(&l->names, s, &machine);
	if (!ret)
		ret = trigger_program_compile(&l->engine, s, &machine);
	if (!ret)
		ret = live_watch_add(l);
	if (!ret && hist_run_new(&l->run, l->engine))
		ret = message_error_memory();
	if (ret || !hist_engine_is_ordered(l->engine))
		return ret;
	if (!l->pulls && live_read_clock(l, &now))
		return message_refuse(-EOPNOTSUPP, "--engine user: triggers that depend on the "
				      "order of events need a clock that user space can read\n"
				      "use -C mono, mono_raw, boot or tai");
	l->merge = live_merge_new(s->target->cpus, l->streams);
	return l->merge ? 0 : message_error_memory();
}

/*
 * First END, which then does not miss a START, and is the earlier of the two if both are one hit.
 */
static int live_enable(const struct trigger_set *s)
{
	int ret = s->instance->anywhere_dir ? live_events_enable(s, true) : 0;

	return ret ? ret : live_events_enable(s, false);
}

static int prepare_pulls(struct live *l)
{
	const struct trigger_set *s = &l->counter.set;
	unsigned int i;

	for (i = 0; i < l->streams / s->target->cpus; i++) {
		if (cpu_pages_init(&l->from[i], s->target, live_events_pages_dir(s, i),
				   "trace_pipe_raw"))
			return message_error_memory();
	}
	return 0;
}

static int live_attach(struct counter *c)
{
	const struct trigger_set *s = &c->set;
	struct live *l = live_from_counter(c);
	int ret;

	ret = instance_settle_clock(s->instance, s->target, s->undo);
	if (ret)
		return ret;
	l->started = timer_now();
	l->pulls = !s->target->ops->descriptor;
	c->keepalive_ms = l->pulls ? PULL_MS : 0;
	l->layout = hist_ring_page_layout(s->target->big_endian, s->target->long_size);
	l->streams = s->target->cpus * (s->instance->anywhere_dir ? 2 : 1);
	live_events_prepare(s, false);
	ret = s->instance->anywhere_dir ? live_events_prepare(s, true) : 0;
	if (ret)
		return ret;
	ret = l->pulls ? prepare_pulls(l) : 0;
	if (ret)
		return ret;
	live_loss_begin(&l->loss, s);
	ret = make_engine(l);
	if (!ret && hist_engine_wants_stacks(l->engine))
		live_events_add_stacks(s);
	if (!ret)
		ret = live_tracer_prepare(s, hist_engine_wants_stacks(l->engine));
	if (!ret && !l->pulls)
		ret = live_readers_start(l);
	if (!ret)
		ret = leave_us_out(l);
	if (!ret)
		ret = live_enable(s);
	if (!ret)
		counter_begin_writes(c);
	return ret;
}

static void live_report_loss(struct counter *c)
{
	struct live *l = live_from_counter(c);
	uint64_t cpu_ns = l->pull_cpu_ns, elapsed = timer_now() - l->started;
	struct hist_run_counts counts;
	unsigned int i, e;

	hist_run_get_counts(l->run, &counts);
	pthread_mutex_lock(&l->lock);
	for (i = 0; i < l->nreaders; i++)
		cpu_ns += l->readers[i].cpu_ns;
	pthread_mutex_unlock(&l->lock);
	if (!c->set.plan->quiet)
		message_print_to(stderr,
				 "user-space engine: %" PRIu64
				 " event%s, %.2f %% of one CPU, %" PRIu64 " ns per event",
				 counts.events, text_plural(counts.events),
				 elapsed ? 100.0 * cpu_ns / elapsed : 0,
				 counts.events ? cpu_ns / counts.events : 0);
	live_loss_report(&l->loss);
	if (l->bad_pages)
		message_warning("ring buffer: %" PRIu64 " page%s could not be read, so the "
				"events of %s are not counted",
				l->bad_pages, text_plural(l->bad_pages),
				l->bad_pages == 1 ? "this page" : "these pages");
	if (counts.no_stack)
		message_warning("user-space engine: %" PRIu64 " hit%s without a stack %s not "
				"included in any row",
				counts.no_stack, text_plural(counts.no_stack),
				counts.no_stack == 1 ? "is" : "are");
	for (e = 0; e < c->set.nsources; e++)
		counter_report_helper_drops(
			&c->set.sources[e],
			trigger_program_count_drops(&c->set.sources[e], l->run));
}

static void live_free(struct counter *c)
{
	struct live *l = live_from_counter(c);

	live_readers_stop(l);
	foreign_writes_end(&c->writes);
	cpu_pages_clear(&l->from[0]);
	cpu_pages_clear(&l->from[1]);
	free(l->pulled.data);
	live_merge_free(l->merge);
	hist_run_free(l->run);
	hist_engine_free(l->engine);
	live_watch_free(l);
	live_names_free(l->names);
	pthread_cond_destroy(&l->answered);
	pthread_cond_destroy(&l->released);
	pthread_mutex_destroy(&l->lock);
	free(l);
}

static const struct counter_ops live_ops = {
	.name = "user",
	.engine = true,
	.check = counter_check_engine,
	.attach = live_attach,
	.tick = live_tick,
	.keepalive = live_keepalive,
	.pause = live_pause,
	.report_loss = live_report_loss,
	.free = live_free,
};

int live_new(struct counter **counter)
{
	struct live *l = calloc(1, sizeof(*l));

	if (!l)
		return message_error_memory();
	l->counter.ops = &live_ops;
	pthread_mutex_init(&l->lock, NULL);
	pthread_cond_init(&l->answered, NULL);
	pthread_cond_init(&l->released, NULL);
	*counter = &l->counter;
	return 0;
}
