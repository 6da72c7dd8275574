// SPDX-License-Identifier: GPL-2.0
/*
 * live_readers.c - the threads that read the ring buffers of this machine
 *
 * For a snapshot the main thread requests a round (`asked`). Each reader reads until its buffer is
 * empty, or at most once around the buffer, reports that (`done`), and waits until the snapshot is
 * taken. Between rounds a reader sleeps until the kernel has filled a quarter of a buffer.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "tracecmd/base/message.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/live/live_events.h"
#include "tracecmd/live/live_private.h"

/* Limit for a round of a reader, for a buffer that fills as fast as it is read. */
#define PAGES_MAX 4096

/* Pass the page that was read last to the recorder, if it keeps the events. */
static int keep_page(struct live *l, unsigned int stream)
{
	const void *data;
	bool again;
	int ret;

	if (!l->counter.pages.take)
		return 0;
	data = live_pages_copy(l->pages[stream], &again);
	if (!data)
		return -ENOMEM;
	pthread_mutex_lock(&l->lock);
	ret = live_take_page(l, stream, data, again);
	pthread_mutex_unlock(&l->lock);
	return ret;
}

/* Read all pages of one stream, or PAGES_MAX of them. */
static int drain_stream(struct live *l, unsigned int stream)
{
	struct live_pages *pages = l->pages[stream];
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
		ret = keep_page(l, stream);
		if (!ret)
			ret = live_count_page(l, stream, &page);
		if (ret)
			return ret;
		/* leave newer events for the next round: the reads themselves cause events too */
		if (live_pages_caught_up(pages))
			return 0;
	}
	return 0;
}

static int drain_buffer(struct reader *r)
{
	struct live *l = r->live;
	uint64_t until = 0;
	unsigned int i;
	int ret = l->merge ? live_read_clock(l, &until) : 0;

	for (i = 0; !ret && i < r->n; i++)
		ret = drain_stream(l, r->first + i);
	if (!ret && l->merge) {
		pthread_mutex_lock(&l->lock);
		ret = live_count_merged(l, l->stopped ? UINT64_MAX : until);
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
static bool end_round(struct reader *r, unsigned int *round, int ret)
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
			ret = drain_buffer(r);
		if (asked != round || ret)
			go_on = end_round(r, &round, ret);
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

void live_readers_begin_round(struct live *l)
{
	pthread_mutex_lock(&l->lock);
	l->asked++;
	l->done = 0;
	wake_all(l);
	while (l->done < l->nreaders)
		pthread_cond_wait(&l->answered, &l->lock);
	pthread_mutex_unlock(&l->lock);
}

void live_readers_end_round(struct live *l)
{
	pthread_mutex_lock(&l->lock);
	l->released_round = l->asked;
	pthread_cond_broadcast(&l->released);
	pthread_mutex_unlock(&l->lock);
}

static int open_pages(struct live *l)
{
	const struct trigger_set *s = &l->counter.set;
	struct hist_target *t = s->target;
	char path[TARGET_PATH_MAX];
	unsigned int i;
	int fd, ret;

	l->pages = calloc(l->streams, sizeof(*l->pages));
	if (!l->pages)
		return message_error_memory();
	for (i = 0; i < l->streams; i++) {
		snprintf(path, sizeof(path), "%s/per_cpu/cpu%u/trace_pipe_raw",
			 live_events_pages_dir(s, i / t->cpus), i % t->cpus);
		fd = t->ops->descriptor(t, path);
		ret = fd < 0 ? fd : live_pages_open(&l->pages[i], fd, &l->layout, t->page_size);
		if (ret)
			return message_error_errno(path, ret);
		l->nopen++;
	}
	return 0;
}

static int start_readers(struct live *l)
{
	unsigned int i, n = l->merge ? 1 : l->nopen;
	int ret;

	l->readers = calloc(n, sizeof(*l->readers));
	if (!l->readers)
		return message_error_memory();
	for (i = 0; i < n; i++) {
		struct reader *r = &l->readers[i];

		r->live = l;
		r->first = i;
		r->n = l->merge ? l->nopen : 1;
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

int live_readers_start(struct live *l)
{
	int ret = open_pages(l);

	return ret ? ret : start_readers(l);
}

void live_readers_stop(struct live *l)
{
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
	for (i = 0; i < l->nopen; i++)
		live_pages_free(l->pages[i]);
	free(l->pages);
}
