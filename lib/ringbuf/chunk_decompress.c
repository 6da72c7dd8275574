// SPDX-License-Identifier: LGPL-2.1
/*
 * chunk_decompress.c - a pool of decompressors for the walks over a file
 *
 * A merge of a hundred CPUs has a hundred walks, and a zstd context needs more memory than a
 * chunk.  A walk therefore holds a decompressor only while it decompresses a chunk.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/ringbuf/events_private.h"

#define KEPT_MAX \
	(sizeof(((struct chunk_decompressors *)NULL)->free) / sizeof(struct chunk_decompressor *))

static void packer_free(struct chunk_decompressor *p)
{
	if (!p)
		return;
	hist_compressor_free(p->compressor);
	free(p->in);
	free(p);
}

struct chunk_decompressors *chunk_decompressors_new(void)
{
	struct chunk_decompressors *packers = calloc(1, sizeof(*packers));

	if (packers)
		pthread_mutex_init(&packers->lock, NULL);
	return packers;
}

void chunk_decompressors_free(struct chunk_decompressors *packers)
{
	if (!packers)
		return;
	while (packers->n)
		packer_free(packers->free[--packers->n]);
	pthread_mutex_destroy(&packers->lock);
	free(packers);
}

/* Take a decompressor with room for @room bytes to read; NULL if out of memory. */
static struct chunk_decompressor *packer_get(const struct hist_events *events, size_t room)
{
	struct chunk_decompressors *packers = events->packers;
	struct chunk_decompressor *p = NULL;

	pthread_mutex_lock(&packers->lock);
	if (packers->n)
		p = packers->free[--packers->n];
	pthread_mutex_unlock(&packers->lock);
	if (!p)
		p = calloc(1, sizeof(*p));
	if (p && !p->compressor)
		p->compressor = hist_compressor_new(events->file->compression);
	if (p && p->compressor && !array_renew(&p->in, &p->room, room))
		return p;
	packer_free(p);
	return NULL;
}

static void packer_put(const struct hist_events *events, struct chunk_decompressor *p)
{
	struct chunk_decompressors *packers = events->packers;

	pthread_mutex_lock(&packers->lock);
	if (packers->n < KEPT_MAX) {
		packers->free[packers->n++] = p;
		p = NULL;
	}
	pthread_mutex_unlock(&packers->lock);
	packer_free(p);
}

int chunk_decompress(const struct hist_events *events, uint64_t at, size_t packed, void *data,
		     size_t len)
{
	struct chunk_decompressor *p = packer_get(events, packed);
	int ret;

	if (!p)
		return -ENOMEM;
	ret = events_read(events, at, p->in, packed);
	if (!ret)
		ret = hist_compressor_decompress_to(p->compressor, p->in, packed, data, len);
	packer_put(events, p);
	return ret;
}
