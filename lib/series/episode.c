// SPDX-License-Identifier: LGPL-2.1
/*
 * episode.c - write and read the sections that describe episodes
 *
 * An episode is one histogram section without compression.  The walk reads the headers of all
 * sections, and the bodies of episodes.
 * Invariant: a body is decoded only if its checksum is right.
 */
#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#include "lib/base/array.h"
#include "lib/series/episode.h"
#include "lib/series/record.h"
#include "lib/tracedat/tracedat_format.h"

/* A longer body is not one of an episode. */
#define EPISODE_BODY_MAX 65536

int hist_episode_append(struct tracedat_writer *dat, const struct hist_episode *e)
{
	struct record_header h = {
		.type = RECORD_EPISODE,
		.time = e->end,
	};
	struct hist_strbuf b = { 0 };
	int ret;

	varint_put_string(&b, e->event);
	varint_put_string(&b, e->buffer);
	varint_put_string(&b, e->key);
	varint_put(&b, e->flags);
	varint_put(&b, e->origin);
	varint_put(&b, e->start);
	varint_put(&b, e->end);
	varint_put(&b, e->value);
	varint_put(&b, e->cpu);
	varint_put(&b, e->threshold);
	ret = b.error ? b.error : b.len > EPISODE_BODY_MAX ? -E2BIG : 0;
	h.raw_len = b.len;
	if (!ret)
		ret = record_append(dat, &h, b.data, b.len);
	hist_strbuf_free(&b);
	return ret;
}

static void episode_clear(struct hist_episode *e)
{
	free((char *)e->event);
	free((char *)e->buffer);
	free((char *)e->key);
}

/* 0; -EBADMSG: not a valid body; -ENOMEM. */
static int episode_decode(struct hist_episode *e, const void *body, size_t len)
{
	struct varint_reader t = varint_begin(body, len);

	*e = (struct hist_episode){ 0 };
	e->event = varint_read_string(&t);
	e->buffer = varint_read_string(&t);
	e->key = varint_read_string(&t);
	e->flags = varint_read(&t);
	e->origin = varint_read(&t);
	e->start = varint_read(&t);
	e->end = varint_read(&t);
	e->value = varint_read(&t);
	e->cpu = varint_read(&t);
	/* files of the first versions end here */
	if (!t.failed && t.at < t.end)
		e->threshold = varint_read(&t);
	if (!t.failed)
		return 0;
	episode_clear(e);
	return t.no_memory ? -ENOMEM : -EBADMSG;
}

/* Add the episode of a section, if it is one.  0, also for other sections, or -errno. */
static int episode_take(struct hist_episode **list, unsigned int *n, struct tracedat_reader *dat,
			const struct tracedat_section *section)
{
	struct record_header h;
	struct hist_episode e;
	const void *data;
	int ret;

	if (section->id != TRACEDAT_HIST_ID || section->size < RECORD_HEADER_SIZE ||
	    section->size > RECORD_HEADER_SIZE + EPISODE_BODY_MAX)
		return 0;
	ret = tracedat_read(dat, section->data, RECORD_HEADER_SIZE, &data);
	if (ret)
		return ret;
	if (record_header_decode(&h, dat->big_endian, data) || h.type != RECORD_EPISODE ||
	    !record_is_readable(&h) || h.flags & RECORD_COMPRESSED ||
	    h.stored_len != section->size - RECORD_HEADER_SIZE)
		return 0;
	ret = tracedat_read(dat, section->data + RECORD_HEADER_SIZE, h.stored_len, &data);
	if (ret)
		return ret;
	if (crc32(0, data, h.stored_len) != h.body_crc)
		return 0;
	ret = episode_decode(&e, data, h.stored_len);
	if (ret)
		return ret == -EBADMSG ? 0 : ret;
	if (array_add(list, *n, sizeof(**list))) {
		episode_clear(&e);
		return -ENOMEM;
	}
	(*list)[(*n)++] = e;
	return 0;
}

int hist_episodes_read(struct hist_episode **list, unsigned int *n, struct tracedat_reader *dat)
{
	struct tracedat_section section;
	uint64_t at;
	int ret;

	*list = NULL;
	*n = 0;
	if (tracedat_find_hist(dat, &at) != TRACEDAT_HIST_FOUND)
		return 0;
	while ((ret = tracedat_read_section(dat, at, &section)) == 1) {
		ret = episode_take(list, n, dat, &section);
		if (ret)
			break;
		at = section.data + section.size;
	}
	if (!ret || ret == -ENODATA)
		return 0;
	hist_episodes_free(*list, *n);
	*list = NULL;
	*n = 0;
	return ret;
}

void hist_episodes_free(struct hist_episode *list, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		episode_clear(&list[i]);
	free(list);
}
