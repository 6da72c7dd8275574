/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * events_stream.h - read a part of a trace.dat file as a stream
 *
 * It is for parts that are too large for memory, such as some MB of kallsyms.
 */
#ifndef LIB_RINGBUF_EVENTS_STREAM_H
#define LIB_RINGBUF_EVENTS_STREAM_H

#include "lib/ringbuf/events_private.h"

struct events_stream;

/* At most @max bytes, decompressed, will be given.  -EBADMSG, -ENOMEM, or the errno of read. */
int events_stream_open(struct events_stream **stream, const struct hist_events *events,
		       const struct events_part *part, uint64_t max);
void events_stream_free(struct events_stream *stream);

/*
 * events_stream_read - up to @room bytes to @data; how many, 0 at the end
 * -EBADMSG: damaged; or the errno of read.
 */
ssize_t events_stream_read(struct events_stream *stream, void *data, size_t room);

#endif
