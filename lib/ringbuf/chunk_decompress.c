// SPDX-License-Identifier: LGPL-2.1
/*
 * chunk_decompress.c - a pool of decompressors for the walks over a file
 *
 * A merge of a hundred CPUs has a hundred walks, and a zstd context needs more memory than a
 * chunk.  A walk therefore holds a decompressor only while it decompresses a chunk.
 */
#include <stdlib.h>

#include "lib/ringbuf/events_private.h"

#define KEPT_MAX (sizeof(((struct events_packers *)NULL)->free) / sizeof(struct events_packer *))

static void packer_free(struct events_packer *p)
{
	if (!p)
		return;
	hist_compressor_free(p->compressor);
	free(p->in);
	free(p);
}

struct events_packers *events_packers_new(void)
{
	struct events_packers *packers = calloc(1, sizeof(*packers));

	if (packers && pthread_mutex_init(&packers->lock, NULL)) {
		free(packers);
		return NULL;
	}
	return packers;
}

void events_packers_free(struct events_packers *packers)
{
	if (!packers)
		return;
	while (packers->n)
		packer_free(packers->free[--packers->n]);
	pthread_mutex_destroy(&packers->lock);
	free(packers);
}

static struct events_packer *packer_new(const struct hist_events *events)
{
	struct events_packer *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->compressor = hist_compressor_new(events->file->compression);
	if (p->compressor)
		return p;
	free(p);
	return NULL;
}

struct events_packer *events_packer_get(const struct hist_events *events, size_t room)
{
	struct events_packers *packers = events->packers;
	struct events_packer *p = NULL;
	unsigned char *in;

	pthread_mutex_lock(&packers->lock);
	if (packers->n)
		p = packers->free[--packers->n];
	pthread_mutex_unlock(&packers->lock);
	if (!p)
		p = packer_new(events);
	if (!p || room <= p->room)
		return p;
	/* the old content is not needed: no realloc, which would copy it */
	in = malloc(room);
	if (!in) {
		packer_free(p);
		return NULL;
	}
	free(p->in);
	p->in = in;
	p->room = room;
	return p;
}

void events_packer_put(const struct hist_events *events, struct events_packer *p)
{
	struct events_packers *packers = events->packers;

	pthread_mutex_lock(&packers->lock);
	if (packers->n < KEPT_MAX) {
		packers->free[packers->n++] = p;
		p = NULL;
	}
	pthread_mutex_unlock(&packers->lock);
	packer_free(p);
}
