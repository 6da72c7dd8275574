// SPDX-License-Identifier: GPL-2.0
/*
 * live.c - counter that feeds live events to the user-space engine
 *
 * All reader threads count into one run, one page at a time under a lock. A histogram then has one
 * table size and one number of dropped hits, as in the kernel. For a snapshot the main thread
 * requests a round (`asked`). Each reader reads until its buffer is empty, or at most once around
 * the buffer, reports that (`done`), and waits until the snapshot is taken. Between rounds a reader
 * sleeps until the kernel has filled a quarter of a buffer.
 *
 * Invariant: the engine's run is accessed only under the lock.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "lib/base/strbuf.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/live/live.h"
#include "tracecmd/live/live_events.h"
#include "tracecmd/live/live_loss.h"
#include "tracecmd/live/live_merge.h"
#include "tracecmd/live/live_pages.h"
#include "tracecmd/live/live_symbols.h"
#include "tracecmd/live/live_tracer.h"
#include "tracecmd/trigger/trigger_program.h"

/* Limit for a round of a reader, for a buffer that fills as fast as it is read. */
#define PAGES_MAX 4096

/* Time between two rounds of a remote target. A buffer of 1 MiB holds about 20,000 events. */
#define PULL_MS 100

struct reader {
	struct live *live;
	pthread_t thread;
	unsigned int first, n; /* its CPUs: one CPU, or all */
	int wake; /* eventfd: a round was requested */
	pid_t tid; /* 0: not known yet */
	uint64_t cpu_ns;
};

struct live {
	struct counter counter;
	struct live_names *names;
	struct hist_engine *engine;
	struct hist_run *run;
	struct live_merge *merge; /* or NULL */
	struct live_pages **pages; /* pages of all CPUs */
	bool pulls; /* remote target: the waiting thread fetches pages, without readers */
	struct hist_ring_page_layout layout;
	struct target_buf pulled; /* pages of one CPU */
	uint64_t newest; /* time of the last event that was pulled */
	uint64_t pull_cpu_ns;
	unsigned int ncpus;
	struct reader *readers;
	unsigned int nreaders;
	uint64_t bad_pages; /* atomic */
	pthread_mutex_t lock; /* protects the members below and the run */
	pthread_cond_t answered, released;
	unsigned int asked, done; /* rounds requested; readers that have finished the last round */
	unsigned int released_round;
	bool ending, stopped;
	int error;
	struct live_loss loss;
	uint64_t started; /* CLOCK_MONOTONIC, ns */
};

static struct live *live_from_counter(const struct counter *c)
{
	return (struct live *)c;
}

bool live_is_possible(const struct hist_target *t)
{
	return t->ops->descriptor || (t->ops->pages && t->ops->kallsyms);
}

static int count_page(struct live *l, unsigned int cpu, struct hist_ring_page *page)
{
	int ret;

	pthread_mutex_lock(&l->lock);
	live_loss_add_page(&l->loss, page);
	if (l->merge)
		ret = live_merge_add(l->merge, cpu, page);
	else
		ret = hist_run_count_page(l->run, cpu, page, 0, UINT64_MAX);
	pthread_mutex_unlock(&l->lock);
	__atomic_fetch_add(&l->bad_pages, page->damaged, __ATOMIC_RELAXED);
	return ret < 0 ? ret : 0;
}

/* Read all pages of one CPU, or PAGES_MAX of them. */
static int drain_cpu(struct live *l, unsigned int cpu)
{
	struct live_pages *pages = l->pages[cpu];
	struct hist_ring_page page;
	unsigned int n;
	int ret;

	for (n = 0; n < PAGES_MAX; n++) {
		ret = live_pages_next(pages, &page);
		if (!ret)
			return 0;
		if (ret == -EBADMSG) {
			__atomic_fetch_add(&l->bad_pages, 1, __ATOMIC_RELAXED);
			continue;
		}
		if (ret < 0)
			return ret;
		ret = count_page(l, cpu, &page);
		if (ret)
			return ret;
		/* leave newer events for the next round: the reads themselves cause events too */
		if (live_pages_caught_up(pages))
			return 0;
	}
	return 0;
}

/* Only for clocks that a system call reads. */
static int read_clock(struct live *l, uint64_t *now)
{
	struct hist_target *t = l->counter.set.target;

	return t->ops->clock(t, l->counter.set.instance->clock, NULL, now);
}

static int live_drain_buffer(struct reader *r)
{
	struct live *l = r->live;
	uint64_t until = 0;
	unsigned int i;
	int ret = l->merge ? read_clock(l, &until) : 0;

	for (i = 0; !ret && i < r->n; i++)
		ret = drain_cpu(l, r->first + i);
	if (!ret && l->merge) {
		pthread_mutex_lock(&l->lock);
		ret = live_merge_count(l->merge, l->run, l->stopped ? UINT64_MAX : until);
		pthread_mutex_unlock(&l->lock);
	}
	return ret;
}

/* Wait until a buffer is readable, or until a round is requested. */
static void wait_for_events(struct reader *r, struct pollfd *fds)
{
	eventfd_t count;
	unsigned int i;

	for (i = 0; i < r->n; i++)
		fds[i] = (struct pollfd){ .fd = live_pages_fd(r->live->pages[r->first + i]), .events = POLLIN };
	fds[r->n] = (struct pollfd){ .fd = r->wake, .events = POLLIN };
	poll(fds, r->n + 1, -1);
	if (fds[r->n].revents)
		eventfd_read(r->wake, &count);
}

/* Report the end of a round and wait for the snapshot. False: the thread must end. */
static bool live_end_round(struct reader *r, unsigned int *round, int ret)
{
	struct live *l = r->live;
	bool go_on;

	pthread_mutex_lock(&l->lock);
	if (ret && !l->error)
		l->error = ret;
	r->cpu_ns = timer_read_clock(CLOCK_THREAD_CPUTIME_ID);
	if (*round != l->asked) {
		*round = l->asked;
		if (++l->done == l->nreaders)
			pthread_cond_signal(&l->answered);
		while (l->released_round != *round && !l->ending)
			pthread_cond_wait(&l->released, &l->lock);
	}
	go_on = !l->ending;
	pthread_mutex_unlock(&l->lock);
	return go_on;
}

static void *reader_main(void *arg)
{
	struct reader *r = arg;
	struct live *l = r->live;
	struct pollfd *fds = calloc(r->n + 1, sizeof(*fds));
	unsigned int round = 0, asked;
	bool go_on = true;
	int ret = fds ? 0 : -ENOMEM;

	pthread_mutex_lock(&l->lock);
	r->tid = gettid();
	pthread_cond_signal(&l->answered);
	pthread_mutex_unlock(&l->lock);
	while (go_on) {
		if (fds)
			wait_for_events(r, fds);
		/* a round requested during the reads is answered in the next turn */
		pthread_mutex_lock(&l->lock);
		asked = l->asked;
		pthread_mutex_unlock(&l->lock);
		if (!ret)
			ret = live_drain_buffer(r);
		if (asked != round || ret)
			go_on = live_end_round(r, &round, ret);
		else
			go_on = !__atomic_load_n(&l->ending, __ATOMIC_RELAXED);
	}
	free(fds);
	return NULL;
}

static void wake_all(struct live *l)
{
	unsigned int i;

	/* the counter of an eventfd cannot overflow */
	for (i = 0; i < l->nreaders; i++)
		eventfd_write(l->readers[i].wake, 1);
}

/* Request a round. Afterwards all readers have read their buffers and wait for the snapshot. */
static void live_begin_round(struct live *l)
{
	pthread_mutex_lock(&l->lock);
	l->asked++;
	l->done = 0;
	wake_all(l);
	while (l->done < l->nreaders)
		pthread_cond_wait(&l->answered, &l->lock);
	pthread_mutex_unlock(&l->lock);
}

/* Count the fetched pages of one CPU. */
static int take_pulled(struct live *l, unsigned int cpu)
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
		walk = page;
		while (l->merge && hist_ring_page_next(&walk, &data, &len))
			;
		if (walk.time > l->newest)
			l->newest = walk.time;
		ret = count_page(l, cpu, &page);
	}
	return ret;
}

/*
 * Fetch and count the pages of all CPUs, one CPU after the other. Each read of trace_pipe_raw on
 * the target returns one page, even if it has few events. Returns the number of CPUs with pages,
 * or -errno. A round without pages proves that all events from before the round were fetched.
 */
static int pull_round(struct live *l)
{
	const struct trigger_set *s = &l->counter.set;
	int n = 0, ret = 0;

	for (unsigned int cpu = 0; !ret && cpu < s->target->cpus; cpu++) {
		ret = target_pagesf(s->target, 0, &l->pulled, "%s/per_cpu/cpu%u/trace_pipe_raw",
				    s->instance->tracer_dir, cpu);
		if (!ret)
			ret = take_pulled(l, cpu);
		n += l->pulled.len > 0;
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
		ret = !l->merge ? 0 : live_merge_count(l->merge, l->run, l->stopped ? UINT64_MAX : until);
	l->pull_cpu_ns += timer_read_clock(CLOCK_THREAD_CPUTIME_ID) - begin;
	return ret;
}

static int live_keepalive(struct counter *c)
{
	int ret = live_pull_pages(live_from_counter(c));

	return ret ? message_error_errno("--engine user: cannot read trace_pipe_raw of the target", ret) : 0;
}

/* Count all events up to now, as far as possible. Readers then wait for the snapshot. */
static int catch_up(struct live *l)
{
	int ret;

	if (!l->pulls) {
		live_begin_round(l);
		return l->error;
	}
	/* the second round proves that no older events than those of the first are left */
	ret = live_pull_pages(l);
	return ret || !l->merge || l->stopped ? ret : live_pull_pages(l);
}

/* Take snapshots of all sources with one round of the readers. */
static int live_update_snapshots(struct live *l)
{
	const struct trigger_set *set = &l->counter.set;
	struct traced_hist *h = NULL;
	int ret;

	ret = catch_up(l);
	live_names_refresh(l->names);
	live_loss_update(&l->loss);
	if (!ret)
		ret = trigger_program_snapshot(set, l->run);
	if (!ret)
		ret = live_names_error(l->names);
	while ((h = traced_event_next_hist(set->sources, set->nsources, h)))
		h->snap.events_lost = live_loss_count_events(&l->loss);
	if (!l->pulls) {
		pthread_mutex_lock(&l->lock);
		l->released_round = l->asked;
		pthread_cond_broadcast(&l->released);
		pthread_mutex_unlock(&l->lock);
	}
	return ret ? message_error_errno("--engine user", ret) : 0;
}

static int live_tick(struct counter *c, counter_take take, void *arg)
{
	struct counter_moment moment;
	uint64_t begin = timer_now();
	unsigned int e;
	int ret;

	ret = live_update_snapshots(live_from_counter(c));
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
	live_events_disable(&c->set);
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

static int open_pages(struct live *l)
{
	const struct trigger_set *s = &l->counter.set;
	const char *dir = s->instance->tracer_dir;
	struct hist_target *t = s->target;
	char path[256];
	int fd, ret;

	l->pages = calloc(t->cpus, sizeof(*l->pages));
	if (!l->pages)
		return message_error_memory();
	for (unsigned int cpu = 0; cpu < t->cpus; cpu++) {
		snprintf(path, sizeof(path), "%s/per_cpu/cpu%u/trace_pipe_raw", dir, cpu);
		fd = t->ops->descriptor(t, path);
		ret = fd < 0 ? fd : live_pages_open(&l->pages[cpu], fd, &l->layout, t->page_size);
		if (ret)
			return message_error_errno(path, ret);
		l->ncpus++;
	}
	return 0;
}

static int start_readers(struct live *l)
{
	unsigned int i, n = l->merge ? 1 : l->ncpus;
	int ret;

	l->readers = calloc(n, sizeof(*l->readers));
	if (!l->readers)
		return message_error_memory();
	for (i = 0; i < n; i++) {
		struct reader *r = &l->readers[i];

		r->live = l;
		r->first = i;
		r->n = l->merge ? l->ncpus : 1;
		r->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		if (r->wake < 0)
			return message_error_errno("eventfd", -errno);
		ret = pthread_create(&r->thread, NULL, reader_main, r);
		if (ret) {
			close(r->wake);
			return message_error_errno("pthread_create", -ret);
		}
		l->nreaders++;
	}
	return 0;
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
	if (!ret && hist_run_new(&l->run, l->engine))
		ret = message_error_memory();
	if (ret || !hist_engine_is_ordered(l->engine))
		return ret;
	if (!l->pulls && read_clock(l, &now))
		return message_refuse(-EOPNOTSUPP, "--engine user: triggers that depend on the "
				      "order of events need a clock that programs can read\n"
				      "use -C mono, mono_raw, boot or tai");
	l->merge = live_merge_new(s->target->cpus);
	return l->merge ? 0 : message_error_memory();
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
	live_events_prepare(s);
	live_loss_begin(&l->loss, s);
	ret = make_engine(l);
	if (!ret && live_names_needs_stacks(l->names))
		live_events_set(s, "options/stacktrace", "1");
	if (!ret)
		ret = live_tracer_prepare(s, live_names_needs_stacks(l->names));
	if (!ret && !l->pulls)
		ret = open_pages(l);
	if (!ret && !l->pulls)
		ret = start_readers(l);
	if (!ret)
		ret = leave_us_out(l);
	return ret ? ret : live_events_enable(s);
}

static void live_report_loss(struct counter *c)
{
	struct live *l = live_from_counter(c);
	uint64_t cpu_ns = l->pull_cpu_ns, elapsed = timer_now() - l->started;
	struct hist_run_counts counts;
	unsigned int i;

	hist_run_get_counts(l->run, &counts);
	pthread_mutex_lock(&l->lock);
	for (i = 0; i < l->nreaders; i++)
		cpu_ns += l->readers[i].cpu_ns;
	pthread_mutex_unlock(&l->lock);
	if (!c->set.plan->quiet)
		message_print_to(stderr,
				 "user-space engine: %" PRIu64 " events, %.2f %% of a CPU, %" PRIu64
				 " ns per event",
				 counts.events, elapsed ? 100.0 * cpu_ns / elapsed : 0,
				 counts.events ? cpu_ns / counts.events : 0);
	live_loss_report(&l->loss);
	if (l->bad_pages)
		message_warning("ring buffer: %" PRIu64 " pages could not be read, and their events "
				"are not counted",
				l->bad_pages);
	if (counts.no_stack)
		message_warning("user-space engine: %" PRIu64 " hits have no stack, and are not in any row",
				counts.no_stack);
	trigger_program_report_drops(&c->set, l->run);
}

static void live_free(struct counter *c)
{
	struct live *l = live_from_counter(c);
	unsigned int i;

	pthread_mutex_lock(&l->lock);
	__atomic_store_n(&l->ending, true, __ATOMIC_RELAXED);
	pthread_cond_broadcast(&l->released);
	wake_all(l);
	pthread_mutex_unlock(&l->lock);
	for (i = 0; i < l->nreaders; i++) {
		pthread_join(l->readers[i].thread, NULL);
		close(l->readers[i].wake);
	}
	free(l->readers);
	for (i = 0; i < l->ncpus; i++)
		live_pages_free(l->pages[i]);
	free(l->pages);
	free(l->pulled.data);
	live_merge_free(l->merge);
	hist_run_free(l->run);
	hist_engine_free(l->engine);
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
