// SPDX-License-Identifier: LGPL-2.1
/*
 * events_stream.c - read a part of a trace.dat file as a stream
 *
 * Invariant: in[pos .. len) was read and is not decompressed; @left bytes of the part are
 * not read.
 */
#include <errno.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "lib/ringbuf/events_stream.h"

#define PIECE (64u << 10)

/* Stock trace-cmd compresses at a level with windows of 2 MiB. */
#define WINDOW_LOG_MAX 23

struct events_stream {
	const struct hist_events *events;
	enum hist_compression kind;
	uint64_t at, left;
	uint64_t may; /* bytes that may still be given */
	unsigned char in[PIECE];
	size_t pos, len;
	bool ended; /* what compressed it said so */
	ZSTD_DCtx *zstd;
	z_stream zlib;
	bool has_zlib;
};

static int open_packed(struct events_stream *s, uint64_t max)
{
	bool be = s->events->file->big_endian;
	unsigned char head[TRACEDAT_COMPRESSED_HEADER];
	uint32_t packed;
	int ret;

	if (s->left < sizeof(head))
		return -EBADMSG;
	ret = tracedat_read_all(s->events->file->fd, head, sizeof(head), s->at);
	if (ret)
		return ret == -ENODATA ? -EBADMSG : ret;
	packed = bytes_u32(be, head);
	s->may = bytes_u32(be, head + 4);
	s->at += sizeof(head);
	if (packed > s->left - sizeof(head) || s->may > max)
		return -EBADMSG;
	s->left = packed;
	s->kind = s->events->file->compression;
	if (s->kind == HIST_COMPRESS_ZSTD) {
		s->zstd = ZSTD_createDCtx();
		if (!s->zstd)
			return -ENOMEM;
		ZSTD_DCtx_setParameter(s->zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
	} else if (s->kind == HIST_COMPRESS_ZLIB) {
		if (inflateInit(&s->zlib) != Z_OK)
			return -ENOMEM;
		s->has_zlib = true;
	}
	return 0;
}

int events_stream_open(struct events_stream **stream, const struct hist_events *events,
		       const struct events_part *part, uint64_t max)
{
	struct events_stream *s = calloc(1, sizeof(*s));
	int ret = 0;

	if (!s)
		return -ENOMEM;
	s->events = events;
	s->at = part->at;
	s->left = s->may = part->size;
	if (part->packed)
		ret = open_packed(s, max);
	else if (part->size > max)
		ret = -EBADMSG;
	if (ret) {
		events_stream_free(s);
		return ret;
	}
	*stream = s;
	return 0;
}

void events_stream_free(struct events_stream *s)
{
	if (!s)
		return;
	ZSTD_freeDCtx(s->zstd);
	if (s->has_zlib)
		inflateEnd(&s->zlib);
	free(s);
}

/* More of the file; 0 with len 0 at its end. */
static int fill(struct events_stream *s)
{
	size_t len = s->left < PIECE ? s->left : PIECE;
	int ret;

	s->pos = s->len = 0;
	ret = tracedat_read_all(s->events->file->fd, s->in, len, s->at);
	if (ret)
		return ret == -ENODATA ? -EBADMSG : ret;
	s->at += len;
	s->left -= len;
	s->len = len;
	return 0;
}

static ssize_t run_zstd(struct events_stream *s, void *data, size_t room)
{
	ZSTD_outBuffer out = { data, room, 0 };
	ZSTD_inBuffer in = { s->in, s->len, s->pos };
	size_t ret = ZSTD_decompressStream(s->zstd, &out, &in);

	if (ZSTD_isError(ret))
		return ZSTD_getErrorCode(ret) == ZSTD_error_memory_allocation ? -ENOMEM : -EBADMSG;
	s->pos = in.pos;
	s->ended = !ret;
	return out.pos;
}

static ssize_t run_zlib(struct events_stream *s, void *data, size_t room)
{
	int ret;

	s->zlib.next_in = s->in + s->pos;
	s->zlib.avail_in = s->len - s->pos;
	s->zlib.next_out = data;
	s->zlib.avail_out = room;
	ret = inflate(&s->zlib, Z_NO_FLUSH);
	if (ret != Z_OK && ret != Z_STREAM_END && ret != Z_BUF_ERROR)
		return ret == Z_MEM_ERROR ? -ENOMEM : -EBADMSG;
	s->pos = s->len - s->zlib.avail_in;
	s->ended = ret == Z_STREAM_END;
	return room - s->zlib.avail_out;
}

static ssize_t copy(struct events_stream *s, void *data, size_t room)
{
	size_t len = s->len - s->pos < room ? s->len - s->pos : room;

	memcpy(data, s->in + s->pos, len);
	s->pos += len;
	return len;
}

ssize_t events_stream_read(struct events_stream *s, void *data, size_t room)
{
	ssize_t n;
	int ret;

	if (room > s->may)
		room = s->may;
	while (room && !s->ended) {
		if (s->pos == s->len && s->left) {
			ret = fill(s);
			if (ret)
				return ret;
		}
		if (s->zstd)
			n = run_zstd(s, data, room);
		else if (s->has_zlib)
			n = run_zlib(s, data, room);
		else
			n = copy(s, data, room);
		if (n < 0)
			return n;
		if (n) {
			s->may -= n;
			return n;
		}
		/* nothing came of all that there is */
		if (s->pos == s->len && !s->left)
			return s->zstd || s->has_zlib ? -EBADMSG : 0;
	}
	return 0;
}
