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
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/live/live.h"
#include "tracecmd/live/live_events.h"
#include "tracecmd/live/live_loss.h"
#include "tracecmd/live/live_merge.h"
#include "tracecmd/live/live_pages.h"
#include "tracecmd/live/live_remote.h"
#include "tracecmd/live/live_symbols.h"
#include "tracecmd/trigger/trigger_program.h"

/* Limit for a round of a reader, for a buffer that fills as fast as it is read. */
#define PAGES_MAX 4096

struct reader {
	struct live *live;
	pthread_t thread;
	bool started;
	struct live_pages **pages; /* pages of its CPUs: one CPU, or all */
	unsigned int first, n;
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
	bool pulls; /* uses @pull instead of readers */
	struct live_pull pull;
	uint64_t newest; /* time of the last event that was pulled */
	uint64_t pull_cpu_ns;
	unsigned int ncpus;
	struct reader *readers;
	unsigned int nreaders;
	pthread_mutex_t lock; /* protects the members below and the run */
	pthread_cond_t answered, released;
	unsigned int asked, done; /* rounds requested; readers that have finished the last round */
	unsigned int released_round;
	bool ending;
	int error;
	uint64_t bad_pages;
	struct live_loss loss;
	uint64_t started; /* CLOCK_MONOTONIC, ns */
	bool stopped;
};

static struct live *live_of(const struct counter *c)
{
	return (struct live *)c;
}

bool live_can(const struct hist_target *t)
{
	return t->ops->descriptor || t->ops->pages;
}

int live_look(const struct hist_target *t)
{
	if (live_can(t))
		return 0;
	complain("--engine user: events of this target come through a shell only: put shell: before its "
		 "URL, or record there with trace-cmd record, and count with trace-cmd hist replay");
	return -EOPNOTSUPP;
}

static int count_page(struct live *l, unsigned int cpu, struct hist_page *page)
{
	int ret;

	pthread_mutex_lock(&l->lock);
	live_loss_page(&l->loss, page);
	if (l->merge)
		ret = live_merge_add(l->merge, cpu, page);
	else
		ret = hist_run_page(l->run, cpu, page, 0, UINT64_MAX);
	l->bad_pages += page->damaged;
	pthread_mutex_unlock(&l->lock);
	return ret < 0 ? ret : 0;
}

/* Read all pages of one CPU, or PAGES_MAX of them. */
static int drain_cpu(struct live *l, struct live_pages *pages, unsigned int cpu)
{
	struct hist_page page;
	unsigned int n;
	int ret;

	for (n = 0; n < PAGES_MAX; n++) {
		ret = live_pages_next(pages, &page);
		if (!ret)
			return 0;
		if (ret == -EBADMSG) {
			pthread_mutex_lock(&l->lock);
			l->bad_pages++;
			pthread_mutex_unlock(&l->lock);
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

static int drain(struct reader *r)
{
	struct live *l = r->live;
	uint64_t until = 0;
	unsigned int i;
	int ret = 0;

	if (l->merge)
		until = live_merge_now(l->merge);
	for (i = 0; !ret && i < r->n; i++)
		ret = drain_cpu(l, r->pages[i], r->first + i);
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
	uint64_t count;
	unsigned int i;

	for (i = 0; i < r->n; i++)
		fds[i] = (struct pollfd){ .fd = live_pages_fd(r->pages[i]), .events = POLLIN };
	fds[r->n] = (struct pollfd){ .fd = r->wake, .events = POLLIN };
	poll(fds, r->n + 1, -1);
	/* reset the eventfd's counter */
	if (fds[r->n].revents & POLLIN && read(r->wake, &count, sizeof(count)) < 0)
		return;
}

/* Report the end of a round and wait for the snapshot. False: the thread must end. */
static bool answer(struct reader *r, unsigned int *round, int ret)
{
	struct live *l = r->live;
	bool go_on;

	pthread_mutex_lock(&l->lock);
	if (ret && !l->error)
		l->error = ret;
	r->cpu_ns = timer_clock(CLOCK_THREAD_CPUTIME_ID);
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
			ret = drain(r);
		if (asked != round || ret)
			go_on = answer(r, &round, ret);
		else
			go_on = !__atomic_load_n(&l->ending, __ATOMIC_RELAXED);
	}
	free(fds);
	return NULL;
}

static void wake_all(struct live *l)
{
	const uint64_t one = 1;
	unsigned int i;

	for (i = 0; i < l->nreaders; i++) {
		/* the eventfd's counter cannot overflow */
		if (write(l->readers[i].wake, &one, sizeof(one)) < 0)
			continue;
	}
}

/* Request a round. Afterwards all readers have read their buffers and wait for release(). */
static void ask(struct live *l)
{
	pthread_mutex_lock(&l->lock);
	l->asked++;
	l->done = 0;
	wake_all(l);
	while (l->done < l->nreaders)
		pthread_cond_wait(&l->answered, &l->lock);
	pthread_mutex_unlock(&l->lock);
}

static void release(struct live *l)
{
	pthread_mutex_lock(&l->lock);
	l->released_round = l->asked;
	pthread_cond_broadcast(&l->released);
	pthread_mutex_unlock(&l->lock);
}

static int take_pulled(void *arg, unsigned int cpu, struct hist_page *page)
{
	struct hist_page walk = *page;
	const unsigned char *data;
	struct live *l = arg;
	uint32_t len;

	while (l->merge && hist_page_next(&walk, &data, &len))
		;
	if (walk.time > l->newest)
		l->newest = walk.time;
	return count_page(l, cpu, page);
}

/*
 * Fetch and count pages. A round fetches all events from before its start, so no later event is
 * older than the newest event of the previous rounds: events are counted up to that time. After
 * tracing has stopped, rounds are repeated until one has no pages, and all events are counted.
 */
static int pull(struct live *l)
{
	uint64_t begin = timer_clock(CLOCK_THREAD_CPUTIME_ID), until;
	int ret;

	do {
		until = l->newest + 1;
		ret = live_pull_round(&l->pull);
	} while (ret > 0 && l->stopped);
	if (ret >= 0)
		ret = !l->merge ? 0 : live_merge_count(l->merge, l->run, l->stopped ? UINT64_MAX : until);
	l->bad_pages += l->pull.bad_pages;
	l->pull.bad_pages = 0;
	l->pull_cpu_ns += timer_clock(CLOCK_THREAD_CPUTIME_ID) - begin;
	return ret;
}

static int live_keepalive_ms(const struct counter *c)
{
	return live_of(c)->pulls ? LIVE_PULL_MS : -1;
}

static int live_keepalive(struct counter *c)
{
	int ret = pull(live_of(c));

	return ret ? complain_errno("--engine user: trace_pipe_raw of the target", ret) : 0;
}

/* Count all events up to now, as far as possible. Readers then wait for release(). */
static int catch_up(struct live *l)
{
	int ret;

	if (!l->pulls) {
		ask(l);
		return l->error;
	}
	/* the second round proves that no older events than those of the first are left */
	ret = pull(l);
	return ret || !l->merge || l->stopped ? ret : pull(l);
}

/* Take snapshots of all sources with one round of the readers. */
static int take_snapshots(struct live *l)
{
	const struct trigger_set *set = &l->counter.set;
	unsigned int e, h;
	int ret;

	ret = catch_up(l);
	live_names_refresh(l->names);
	live_loss_update(&l->loss);
	if (!ret)
		ret = trigger_program_snapshot(set, &l->run, 1);
	if (!ret)
		ret = live_names_error(l->names);
	for (e = 0; e < set->nsources; e++) {
		for (h = 0; h < set->sources[e].nhists; h++)
			set->sources[e].hists[h].snap.events_lost = live_loss_events(&l->loss);
	}
	if (!l->pulls)
		release(l);
	return ret ? complain_errno("--engine user", ret) : 0;
}

static int live_tick(struct counter *c, counter_take take, void *arg)
{
	struct counter_moment moment;
	uint64_t begin = timer_now();
	unsigned int e;
	int ret;

	ret = take_snapshots(live_of(c));
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
	struct live *l = live_of(c);

	if (l->stopped)
		return;
	live_events_disable(&c->set);
	pthread_mutex_lock(&l->lock);
	l->stopped = true;
	pthread_mutex_unlock(&l->lock);
}

/* Exclude the events of this process, thread by thread. */
static int leave_us_out(struct live *l)
{
	const struct trigger_set *s = &l->counter.set;
	char *text, *end, pid[24];
	unsigned int i;

	if (!s->instance->made || s->plan->pids)
		return 0;
	if (l->pulls) {
		/* on a remote target, exclude the process that serves it, and its children */
		snprintf(pid, sizeof(pid), "%ld", s->target->pid);
		live_events_set(s, "options/event-fork", "1");
		live_events_set(s, "set_event_notrace_pid", pid);
		return 0;
	}
	end = text = malloc(12 * ((size_t)l->nreaders + 1));
	if (!text)
		return complain_memory();
	end += sprintf(end, "%d", getpid());
	pthread_mutex_lock(&l->lock);
	for (i = 0; i < l->nreaders; i++) {
		while (!l->readers[i].tid)
			pthread_cond_wait(&l->answered, &l->lock);
		end += sprintf(end, " %d", l->readers[i].tid);
	}
	pthread_mutex_unlock(&l->lock);
	/* kernels before 5.7 do not have this file, so events of this process are counted */
	live_events_set(s, "set_event_notrace_pid", text);
	free(text);
	return 0;
}

static int open_pages(struct live *l, const struct hist_page_layout *layout)
{
	const struct trigger_set *s = &l->counter.set;
	struct hist_target *t = s->target;
	unsigned int cpu;
	char path[256];
	int fd, ret;

	l->pages = calloc(t->cpus, sizeof(*l->pages));
	if (!l->pages)
		return complain_memory();
	for (cpu = 0; cpu < t->cpus; cpu++) {
		snprintf(path, sizeof(path), "%s/per_cpu/cpu%u/trace_pipe_raw", s->instance->dir, cpu);
		fd = t->ops->descriptor(t, path);
		ret = fd < 0 ? fd : live_pages_open(&l->pages[cpu], fd, layout, t->page_size);
		if (ret)
			return complain_errno(path, ret);
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
		return complain_memory();
	for (i = 0; i < n; i++) {
		struct reader *r = &l->readers[i];

		r->live = l;
		r->pages = l->pages + i;
		r->first = i;
		r->n = l->merge ? l->ncpus : 1;
		r->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		if (r->wake < 0)
			return complain_errno("eventfd", -errno);
		ret = pthread_create(&r->thread, NULL, reader_main, r);
		if (ret) {
			close(r->wake);
			return complain_errno("threads", -ret);
		}
		r->started = true;
		l->nreaders++;
	}
	return 0;
}

/* Create the engine for the machine of the target. */
static int make_engine(struct live *l, const struct hist_page_layout *layout)
{
	const struct trigger_set *s = &l->counter.set;
	struct hist_engine_machine machine = { .layout = *layout };
	int ret;

	ret = live_names_new(&l->names, s, &machine);
	if (!ret)
		ret = trigger_program_compile(&l->engine, s, &machine);
	if (!ret && hist_run_new(&l->run, l->engine))
		ret = complain_memory();
	if (ret || !hist_engine_is_ordered(l->engine))
		return ret;
	return live_merge_new(&l->merge, s->target->cpus, l->pulls ? NULL : s->instance->clock);
}

static int live_attach(struct counter *c)
{
	const struct trigger_set *s = &c->set;
	struct hist_page_layout layout =
		hist_page_layout(s->target->big_endian, s->target->long_size);
	struct live *l = live_of(c);
	int ret;

	ret = instance_settle_clock(s->instance, s->target, s->undo);
	if (ret)
		return ret;
	l->started = timer_now();
	l->pulls = !s->target->ops->descriptor;
	l->pull = (struct live_pull){
		.target = s->target, .dir = s->instance->dir, .layout = layout, .take = take_pulled, .arg = l,
	};
	live_events_prepare(s);
	live_loss_begin(&l->loss, s);
	ret = make_engine(l, &layout);
	if (!ret && live_names_wants_stacks(l->names))
		live_events_set(s, "options/stacktrace", "1");
	if (!ret && !l->pulls)
		ret = open_pages(l, &layout);
	if (!ret && !l->pulls)
		ret = start_readers(l);
	if (!ret)
		ret = leave_us_out(l);
	return ret ? ret : live_events_enable(s);
}

static void live_report_loss(struct counter *c)
{
	struct live *l = live_of(c);
	uint64_t cpu_ns = l->pull_cpu_ns, elapsed = timer_now() - l->started;
	struct hist_run_counts counts;
	unsigned int i;

	hist_run_counts(l->run, &counts);
	pthread_mutex_lock(&l->lock);
	for (i = 0; i < l->nreaders; i++)
		cpu_ns += l->readers[i].cpu_ns;
	pthread_mutex_unlock(&l->lock);
	if (!c->set.plan->quiet)
		say_to(stderr, "counted here: %" PRIu64 " events, %.2f %% of a CPU, %" PRIu64 " ns each",
		       counts.events, elapsed ? 100.0 * cpu_ns / elapsed : 0,
		       counts.events ? cpu_ns / counts.events : 0);
	live_loss_tell(&l->loss);
	if (l->bad_pages)
		complain("%" PRIu64 " pages of the ring buffer could not be read", l->bad_pages);
	if (counts.no_stack)
		complain("%" PRIu64 " hits came without a stack and are in no row", counts.no_stack);
	trigger_program_report_drops(&c->set, &l->run, 1);
}

static void live_free(struct counter *c)
{
	struct live *l = live_of(c);
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
	free(l->pull.buf.data);
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
	.look = counter_look_engine,
	.attach = live_attach,
	.tick = live_tick,
	.keepalive_ms = live_keepalive_ms,
	.keepalive = live_keepalive,
	.pause = live_pause,
	.report_loss = live_report_loss,
	.free = live_free,
};

int live_new(struct counter **counter)
{
	struct live *l = calloc(1, sizeof(*l));

	if (!l)
		return complain_memory();
	l->counter.ops = &live_ops;
	pthread_mutex_init(&l->lock, NULL);
	pthread_cond_init(&l->answered, NULL);
	pthread_cond_init(&l->released, NULL);
	*counter = &l->counter;
	return 0;
}
