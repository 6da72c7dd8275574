// SPDX-License-Identifier: LGPL-2.1
/*
 * events_bytes.c - read numbers, strings and whole parts of a trace.dat file
 *
 * All other files that read events are above this one.
 */
#include <errno.h>
#include <string.h>

#include "lib/ringbuf/events_private.h"

struct events_bytes events_bytes(const struct hist_events *events, const void *data, size_t len)
{
	return (struct events_bytes){ varint_begin(data, len), events->file->big_endian };
}

static uint64_t events_number(bool big_endian, const void *p, unsigned int size)
{
	return size == 2 ? bytes_u16(big_endian, p)
			 : size == 4 ? bytes_u32(big_endian, p) : bytes_u64(big_endian, p);
}

uint64_t events_take_number(struct events_bytes *b, unsigned int size)
{
	const void *p = varint_read_bytes(&b->take, size);

	return p ? events_number(b->big_endian, p, size) : 0;
}

const char *events_take_string(struct events_bytes *b)
{
	const unsigned char *at = b->take.at, *nul = memchr(at, '\0', b->take.end - at);

	if (!nul)
		b->take.failed = true;
	return nul ? varint_read_bytes(&b->take, nul + 1 - at) : NULL;
}

const char *events_take_sized(struct events_bytes *b, size_t *len)
{
	uint64_t size = events_take_number(b, 8);

	if (size > (uint64_t)(b->take.end - b->take.at))
		b->take.failed = true;
	*len = size;
	return b->take.failed ? NULL : varint_read_bytes(&b->take, size);
}

int events_read(const struct hist_events *events, uint64_t at, void *data, size_t len)
{
	int ret = tracedat_source_read_all(events->file->source, data, len, at);

	return ret == -ENODATA ? -EBADMSG : ret;
}

/*
 * Read a whole part of at most @max bytes, and decompress it.  *@data is malloc'ed, and a NUL
 * follows its *@len bytes.
 */
static int events_part_read(const struct hist_events *events, const struct events_part *part,
			    size_t max, char **data, size_t *len)
{
	int ret = tracedat_load(events->file, part->at, part->size, part->packed, max, data, len);

	return ret == -ENODATA ? -EBADMSG : ret;
}

int events_part_take(struct hist_events *events, const struct events_part *part, size_t max,
		     events_take *take)
{
	char *data;
	size_t len;
	int ret = events_part_read(events, part, max, &data, &len);

	return ret ? ret : take(events, data, len);
}

int events_explain(int ret, struct hist_error *error, const char *damaged)
{
	return ret == -EBADMSG || ret == -ENODATA ? hist_error_set(error, -EBADMSG, "%s", damaged)
						  : ret;
}
