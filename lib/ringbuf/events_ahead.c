// SPDX-License-Identifier: LGPL-2.1
/*
 * events_ahead.c - a thread that decompresses the next chunks of each walk before the walk needs
 * them
 *
 * Runs of chunks wait in a queue, and the thread takes one chunk after the other.  A walk that
 * needs a run joins in, so that both threads work all the time; at the end it waits for at most one
 * chunk.
 *
 * Invariant: under the lock, done <= claimed <= run.n; the chunks in between are being
 * decompressed, and nobody else changes the run meanwhile.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/ringbuf/events_private.h"

/* A chunk takes less time than a sleep and a wake-up. */
#define YIELDS 100

struct run_ahead {
	struct hist_events_ahead *ahead;
	struct run_ahead *next; /* in the queue */
	bool queued; /* a run that nobody has to decompress may stay in the queue */
	struct chunk_run run;
	unsigned int claimed, done; /* numbers of chunks */
	unsigned char *data; /* of @room bytes */
	size_t room;
	int ret;
};

struct hist_events_ahead {
	const struct hist_events *events;
	pthread_t thread;
	pthread_mutex_t lock; /* protects the queue and the numbers */
	pthread_cond_t wanted, chunk_done;
	struct run_ahead *first, **last;
	bool ending;
};

/* Decompress the next chunk of a run.  False: there is none.  The lock is held before and after. */
static bool events_ahead_decompress(struct hist_events_ahead *a, struct run_ahead *c)
{
	const struct chunk *chunk = c->run.chunks, *mine = chunk + c->claimed;
	unsigned char *data = c->data;
	uint64_t at = c->run.at;
	int ret;

	if (c->claimed == c->run.n)
		return false;
	c->claimed++;
	pthread_mutex_unlock(&a->lock);
	for (; chunk < mine; chunk++) {
		at += CHUNK_HEADER + chunk->packed;
		data += chunk->raw;
	}
	ret = chunk_decompress(a->events, at + CHUNK_HEADER, mine->packed, data, mine->raw);
	pthread_mutex_lock(&a->lock);
	if (ret)
		c->ret = ret;
	c->done++;
	return true;
}

static void events_ahead_pop(struct hist_events_ahead *a)
{
	struct run_ahead *c = a->first;

	a->first = c->next;
	if (!a->first)
		a->last = &a->first;
	c->queued = false;
}

static void *events_ahead_main(void *arg)
{
	struct hist_events_ahead *a = arg;

	pthread_mutex_lock(&a->lock);
	while (!a->ending) {
		if (!a->first)
			pthread_cond_wait(&a->wanted, &a->lock);
		else if (events_ahead_decompress(a, a->first))
			pthread_cond_signal(&a->chunk_done);
		else
			events_ahead_pop(a);
	}
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

/* Free what the thread does not use any more. */
static void events_ahead_destroy(struct hist_events_ahead *a)
{
	pthread_cond_destroy(&a->chunk_done);
	pthread_cond_destroy(&a->wanted);
	pthread_mutex_destroy(&a->lock);
	free(a);
}

struct hist_events_ahead *hist_events_ahead_new(const struct hist_events *events,
						unsigned int buffer)
{
	struct hist_events_ahead *a;

	if (buffer >= events->nbuffers || !events->buffers[buffer].packed)
		return NULL;
	a = calloc(1, sizeof(*a));
	if (!a)
		return NULL;
	a->events = events;
	a->last = &a->first;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->wanted, NULL);
	pthread_cond_init(&a->chunk_done, NULL);
	if (!pthread_create(&a->thread, NULL, events_ahead_main, a))
		return a;
	events_ahead_destroy(a);
	return NULL;
}

void hist_events_ahead_free(struct hist_events_ahead *a)
{
	if (!a)
		return;
	pthread_mutex_lock(&a->lock);
	a->ending = true;
	pthread_cond_signal(&a->wanted);
	pthread_mutex_unlock(&a->lock);
	pthread_join(a->thread, NULL);
	events_ahead_destroy(a);
}

struct run_ahead *events_ahead_open(struct hist_events_ahead *ahead)
{
	struct run_ahead *c = calloc(1, sizeof(*c));

	if (c)
		c->ahead = ahead;
	return c;
}

/* Give up what the thread has not begun, and wait for what it has. */
static void events_ahead_stop(struct run_ahead *c)
{
	struct hist_events_ahead *a = c->ahead;
	unsigned int i;

	c->done += c->run.n - c->claimed;
	c->claimed = c->run.n;
	for (i = 0; c->done < c->claimed && i < YIELDS; i++) {
		pthread_mutex_unlock(&a->lock);
		sched_yield();
		pthread_mutex_lock(&a->lock);
	}
	while (c->done < c->claimed)
		pthread_cond_wait(&a->chunk_done, &a->lock);
}

void events_ahead_close(struct run_ahead *c)
{
	struct run_ahead **at;

	if (!c)
		return;
	pthread_mutex_lock(&c->ahead->lock);
	events_ahead_stop(c);
	if (c->queued) {
		for (at = &c->ahead->first; *at != c; at = &(*at)->next)
			;
		*at = c->next;
		if (!c->next)
			c->ahead->last = at;
	}
	pthread_mutex_unlock(&c->ahead->lock);
	free(c->data);
	free(c);
}

void events_ahead_want(struct run_ahead *c, const struct chunk_run *run)
{
	struct hist_events_ahead *a = c->ahead;

	pthread_mutex_lock(&a->lock);
	events_ahead_stop(c);
	c->run = *run;
	c->claimed = c->done = 0;
	c->ret = array_renew(&c->data, &c->room, run->len);
	if (c->ret)
		c->run.n = 0;
	if (!c->queued) {
		c->queued = true;
		c->next = NULL;
		*a->last = c;
		a->last = &c->next;
		pthread_cond_signal(&a->wanted);
	}
	pthread_mutex_unlock(&a->lock);
}

bool events_ahead_take(struct run_ahead *c, uint64_t at, unsigned char **data, size_t *room,
		       struct chunk_run *run)
{
	struct hist_events_ahead *a = c->ahead;
	unsigned char *taken;
	size_t size;
	bool has;

	pthread_mutex_lock(&a->lock);
	has = c->run.n && c->run.at == at;
	while (has && events_ahead_decompress(a, c))
		;
	events_ahead_stop(c);
	*run = c->run;
	c->run.n = c->claimed = c->done = 0;
	pthread_mutex_unlock(&a->lock);
	if (!has || c->ret)
		return false;
	taken = c->data;
	size = c->room;
	c->data = *data;
	c->room = *room;
	*data = taken;
	*room = size;
	return true;
}
