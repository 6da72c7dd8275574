// SPDX-License-Identifier: LGPL-2.1
/*
 * events_ahead.c - a thread that decompresses the next chunk of each walk before the walk needs it
 *
 * Chunks wait in a queue.  A walk that needs a chunk that still waits decompresses it itself, so that
 * both threads work all the time.  The walk waits only for a chunk that the thread has begun.
 *
 * Invariant: the thread accesses a chunk only while it is BUSY, and the walk only while it is not.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/ringbuf/events_ahead.h"
#include "lib/ringbuf/events_private.h"

enum chunk_state {
	CHUNK_IDLE,
	CHUNK_WANTED,
	CHUNK_BUSY,
	CHUNK_DONE,
};

struct chunk_ahead {
	struct hist_events_ahead *ahead;
	struct chunk_ahead *next; /* in the queue */
	bool queued; /* a chunk that is not wanted any more may stay in the queue */
	enum chunk_state state;
	uint64_t at;
	size_t packed, len;
	unsigned char *data; /* of @room bytes */
	size_t room;
	int ret;
};

struct hist_events_ahead {
	const struct hist_events *events;
	pthread_t thread;
	pthread_mutex_t lock; /* protects the queue and the states */
	pthread_cond_t wanted, done;
	struct chunk_ahead *first, **last;
	bool ending;
};

static struct chunk_ahead *events_ahead_pop(struct hist_events_ahead *a)
{
	struct chunk_ahead *chunk = a->first;

	a->first = chunk->next;
	if (!a->first)
		a->last = &a->first;
	chunk->queued = false;
	return chunk;
}

static void *events_ahead_main(void *arg)
{
	struct hist_events_ahead *a = arg;
	struct chunk_ahead *c;

	pthread_mutex_lock(&a->lock);
	while (!a->ending) {
		if (!a->first) {
			pthread_cond_wait(&a->wanted, &a->lock);
			continue;
		}
		c = events_ahead_pop(a);
		if (c->state != CHUNK_WANTED)
			continue;
		c->state = CHUNK_BUSY;
		pthread_mutex_unlock(&a->lock);
		c->ret = array_renew(&c->data, &c->room, c->len);
		if (!c->ret)
			c->ret = chunk_decompress(a->events, c->at, c->packed, c->data, c->len);
		pthread_mutex_lock(&a->lock);
		c->state = CHUNK_DONE;
		pthread_cond_signal(&a->done);
	}
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

/* Free what the thread does not use any more. */
static void events_ahead_destroy(struct hist_events_ahead *a)
{
	pthread_cond_destroy(&a->done);
	pthread_cond_destroy(&a->wanted);
	pthread_mutex_destroy(&a->lock);
	free(a);
}

struct hist_events_ahead *hist_events_ahead_new(const struct hist_events *events, unsigned int buffer)
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
	pthread_cond_init(&a->done, NULL);
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

struct chunk_ahead *events_ahead_open(struct hist_events_ahead *ahead)
{
	struct chunk_ahead *c = calloc(1, sizeof(*c));

	if (c)
		c->ahead = ahead;
	return c;
}

/* Wait until the thread does not access the chunk, and get its state before. */
static enum chunk_state events_ahead_stop(struct chunk_ahead *c)
{
	enum chunk_state state;

	while (c->state == CHUNK_BUSY)
		pthread_cond_wait(&c->ahead->done, &c->ahead->lock);
	state = c->state;
	c->state = CHUNK_IDLE;
	return state;
}

void events_ahead_close(struct chunk_ahead *c)
{
	struct chunk_ahead **at;

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

void events_ahead_want(struct chunk_ahead *c, uint64_t at, size_t packed, size_t len)
{
	struct hist_events_ahead *a = c->ahead;

	pthread_mutex_lock(&a->lock);
	events_ahead_stop(c);
	c->at = at;
	c->packed = packed;
	c->len = len;
	c->state = CHUNK_WANTED;
	if (!c->queued) {
		c->queued = true;
		c->next = NULL;
		*a->last = c;
		a->last = &c->next;
		pthread_cond_signal(&a->wanted);
	}
	pthread_mutex_unlock(&a->lock);
}

bool events_ahead_take(struct chunk_ahead *c, uint64_t at, unsigned char **data, size_t *room, int *ret)
{
	unsigned char *taken;
	size_t size;
	bool has;

	pthread_mutex_lock(&c->ahead->lock);
	has = events_ahead_stop(c) == CHUNK_DONE && c->at == at;
	pthread_mutex_unlock(&c->ahead->lock);
	if (!has)
		return false;
	taken = c->data;
	size = c->room;
	c->data = *data;
	c->room = *room;
	*data = taken;
	*room = size;
	*ret = c->ret;
	return true;
}
