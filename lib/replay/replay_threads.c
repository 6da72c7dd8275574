// SPDX-License-Identifier: LGPL-2.1
/*
 * replay_threads.c - count CPUs in parallel, each CPU in one thread
 *
 * Each thread has its own run and keeps its CPUs to the end, so that dependent events of a CPU (an
 * event and its stack) stay in one run.  The CPUs are assigned by size, largest first, to the
 * thread with the least data.  All threads walk to a boundary and wait there (a barrier).  The
 * caller's thread, which is one of them, makes the snapshot while the others wait.
 *
 * Invariant: between two barriers, no thread accesses the data of another thread.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "lib/replay/replay_private.h"

/* Time between two reports of progress while the caller's thread waits for others. */
#define CHECK_NS 50000000

struct crew;

struct worker {
	struct crew *crew;
	pthread_t thread;
	bool has_thread;
	struct hist_run *run;
	struct replay_cpu **cpus;
	unsigned int ncpus;
	uint64_t bytes; /* of its CPUs' pages, as stored in the file */
	uint64_t last;	/* time of its last event */
	uint64_t next;	/* time of the earliest event that its CPUs stopped at, or UINT64_MAX */
	int ret;
};

struct crew {
	struct replay *r;
	struct worker *workers;
	struct hist_run **runs;
	unsigned int n;
	unsigned int started; /* threads without the caller's */
	pthread_mutex_t lock; /* protects the members below */
	pthread_cond_t go, done;
	unsigned int round; /* number of the boundary that all threads walk to */
	unsigned int busy;  /* threads that have not reached it */
	uint64_t until;
	bool home; /* the threads must end */
};

static void crew_run_worker(struct worker *w)
{
	unsigned int i;

	w->next = UINT64_MAX;
	for (i = 0; i < w->ncpus && !w->ret; i++) {
		w->ret = replay_count_cpu(w->cpus[i], w->run, w->crew->until, &w->last);
		if (w->cpus[i]->next < w->next)
			w->next = w->cpus[i]->next;
	}
	if (w->ret)
		atomic_store_explicit(&w->crew->r->ending, true, memory_order_relaxed);
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;
	struct crew *crew = w->crew;
	unsigned int round = 0;

	pthread_mutex_lock(&crew->lock);
	for (;;) {
		while (crew->round == round && !crew->home)
			pthread_cond_wait(&crew->go, &crew->lock);
		if (crew->home)
			break;
		round = crew->round;
		pthread_mutex_unlock(&crew->lock);
		crew_run_worker(w);
		pthread_mutex_lock(&crew->lock);
		if (!--crew->busy)
			pthread_cond_signal(&crew->done);
	}
	pthread_mutex_unlock(&crew->lock);
	return NULL;
}

/*
 * Wait until no thread is busy, and report the progress meanwhile: the caller's own CPUs may be at
 * their end long before the others.  The caller holds the lock.
 */
static int crew_wait_idle(struct crew *crew)
{
	struct timespec end;
	int ret = 0;

	while (crew->busy) {
		clock_gettime(CLOCK_MONOTONIC, &end);
		end.tv_nsec += CHECK_NS;
		if (end.tv_nsec >= 1000000000) {
			end.tv_nsec -= 1000000000;
			end.tv_sec++;
		}
		if (pthread_cond_timedwait(&crew->done, &crew->lock, &end) != ETIMEDOUT || ret)
			continue;
		ret = replay_report_progress(crew->r);
		if (ret)
			atomic_store_explicit(&crew->r->ending, true, memory_order_relaxed);
	}
	return ret;
}

/* The walk of replay_intervals(): all threads walk to the boundary, and wait there. */
static int crew_run_interval(void *data, uint64_t until, uint64_t *next)
{
	struct crew *crew = data;
	unsigned int i;
	int ret;

	pthread_mutex_lock(&crew->lock);
	crew->until = until;
	crew->round++;
	crew->busy = crew->started;
	pthread_cond_broadcast(&crew->go);
	pthread_mutex_unlock(&crew->lock);
	for (i = 0; i < crew->n; i++) {
		if (!crew->workers[i].has_thread)
			crew_run_worker(&crew->workers[i]);
	}
	pthread_mutex_lock(&crew->lock);
	ret = crew_wait_idle(crew);
	pthread_mutex_unlock(&crew->lock);

	*next = UINT64_MAX;
	for (i = 0; i < crew->n; i++) {
		struct worker *w = &crew->workers[i];

		/* -ECANCELED of a thread that was stopped is not the reason */
		if (w->ret && (!ret || ret == -ECANCELED))
			ret = w->ret;
		if (w->next < *next)
			*next = w->next;
		if (w->last > crew->r->last)
			crew->r->last = w->last;
	}
	return ret;
}

static int by_bytes(const void *a, const void *b)
{
	const struct replay_cpu *x = *(struct replay_cpu *const *)a;
	const struct replay_cpu *y = *(struct replay_cpu *const *)b;
	uint64_t i = hist_events_pages_bytes(x->pages), j = hist_events_pages_bytes(y->pages);

	return i != j ? (i < j) - (i > j) : (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static int share_cpus(struct crew *crew)
{
	struct replay *r = crew->r;
	struct replay_cpu **sorted;
	unsigned int i, j;

	sorted = calloc(r->ncpus + 1, sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	for (i = 0; i < r->ncpus; i++)
		sorted[i] = &r->cpus[i];
	qsort(sorted, r->ncpus, sizeof(*sorted), by_bytes);
	for (i = 0; i < r->ncpus; i++) {
		struct worker *least = &crew->workers[0];

		for (j = 1; j < crew->n; j++) {
			if (crew->workers[j].bytes < least->bytes)
				least = &crew->workers[j];
		}
		least->cpus[least->ncpus++] = sorted[i];
		least->bytes += hist_events_pages_bytes(sorted[i]->pages);
	}
	free(sorted);
	return 0;
}

static int make_workers(struct crew *crew, unsigned int n)
{
	unsigned int i;
	int ret;

	crew->workers = calloc(n, sizeof(*crew->workers));
	crew->runs = calloc(n, sizeof(*crew->runs));
	if (!crew->workers || !crew->runs)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		struct worker *w = &crew->workers[i];

		crew->n++;
		w->crew = crew;
		w->cpus = calloc(crew->r->ncpus + 1, sizeof(struct replay_cpu *));
		ret = w->cpus ? hist_run_new(&w->run, crew->r->engine) : -ENOMEM;
		if (ret)
			return ret;
		/* a single CPU is in order; several CPUs, one after the other, are not */
		if (crew->r->ncpus > 1)
			hist_run_refuse_overflow(w->run);
		crew->runs[i] = w->run;
	}
	return 0;
}

/* The caller's thread walks the CPUs of a thread that could not be started. */
static void crew_start_threads(struct crew *crew)
{
	unsigned int i, c;

	for (i = 1; i < crew->n; i++) {
		struct worker *w = &crew->workers[i];

		w->has_thread = !pthread_create(&w->thread, NULL, worker_main, w);
		crew->started += w->has_thread;
		/* the thread does not read this before the first round */
		for (c = 0; c < w->ncpus; c++)
			w->cpus[c]->in_thread = w->has_thread;
	}
}

static void send_home(struct crew *crew)
{
	unsigned int i;

	pthread_mutex_lock(&crew->lock);
	crew->home = true;
	pthread_cond_broadcast(&crew->go);
	pthread_mutex_unlock(&crew->lock);
	for (i = 0; i < crew->n; i++) {
		struct worker *w = &crew->workers[i];
		struct hist_run_counts counts;

		if (w->has_thread)
			pthread_join(w->thread, NULL);
		if (w->run) {
			hist_run_get_counts(w->run, &counts);
			crew->r->result->counts.events += counts.events;
			crew->r->result->counts.matched += counts.matched;
			crew->r->result->counts.damaged += counts.damaged;
			crew->r->result->counts.no_stack += counts.no_stack;
		}
		hist_run_free(w->run);
		free(w->cpus);
	}
	free(crew->workers);
	free(crew->runs);
}

int replay_count_parallel(struct replay *r, unsigned int threads)
{
	struct crew crew = {
		.r = r,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.go = PTHREAD_COND_INITIALIZER,
	};
	pthread_condattr_t steady;
	int ret;

	/* wait by CLOCK_MONOTONIC, because the time of day may be set */
	pthread_condattr_init(&steady);
	pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
	pthread_cond_init(&crew.done, &steady);
	pthread_condattr_destroy(&steady);
	ret = make_workers(&crew, threads);
	if (!ret)
		ret = share_cpus(&crew);
	if (!ret) {
		crew_start_threads(&crew);
		r->result->threads = crew.started + 1;
		ret = replay_intervals(r, crew.runs, crew.n, crew_run_interval, &crew);
		if (!ret)
			ret = replay_take_snapshot(r, crew.runs, crew.n, r->last, true);
	}
	send_home(&crew);
	pthread_cond_destroy(&crew.done);
	return ret;
}
