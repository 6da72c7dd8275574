// SPDX-License-Identifier: LGPL-2.1
/*
 * record.c - encode and decode the fixed header of a histogram section
 *
 * The header has its own checksum and the length of the body.  A reader thus detects a flipped
 * bit in this header, or in the section header before it, without reading the body.  The reader
 * can then search for the next header.
 *
 * Source of the layout: trace-cmd-hist.dat(5).
 */
#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <zlib.h>

#include "lib/series/record.h"
#include "lib/tracedat/tracedat_format.h"

void record_header_encode(const struct record_header *h, bool be,
			  unsigned char out[RECORD_HEADER_SIZE])
{
	bytes_put_u32(be, out, RECORD_MAGIC);
	out[4] = h->version;
	out[5] = h->type;
	bytes_put_u16(be, out + 6, h->hist);
	bytes_put_u32(be, out + 8, h->seq);
	bytes_put_u32(be, out + 12, h->flags);
	bytes_put_u64(be, out + 16, h->time);
	bytes_put_u32(be, out + 24, h->raw_len);
	bytes_put_u32(be, out + 28, h->stored_len);
	bytes_put_u32(be, out + 32, h->body_crc);
	bytes_put_u32(be, out + 36, crc32(0, out, 36));
}

int record_header_decode(struct record_header *h, bool be, const void *data)
{
	const unsigned char *in = data;

	if (bytes_u32(be, in) != RECORD_MAGIC ||
	    bytes_u32(be, in + 36) != crc32(0, in, 36))
		return -EBADMSG;
	h->version = in[4];
	h->type = in[5];
	h->hist = bytes_u16(be, in + 6);
	h->seq = bytes_u32(be, in + 8);
	h->flags = bytes_u32(be, in + 12);
	h->time = bytes_u64(be, in + 16);
	h->raw_len = bytes_u32(be, in + 24);
	h->stored_len = bytes_u32(be, in + 28);
	h->body_crc = bytes_u32(be, in + 32);
	if (h->raw_len > RECORD_BODY_MAX || h->stored_len > RECORD_BODY_MAX ||
	    (!(h->flags & RECORD_COMPRESSED) && h->raw_len != h->stored_len))
		return -EBADMSG;
	return 0;
}

int record_append(struct tracedat_writer *dat, struct record_header *h, const void *stored,
		  size_t len)
{
	unsigned char header[RECORD_HEADER_SIZE];
	struct iovec parts[2] = {
		{ .iov_base = header, .iov_len = sizeof(header) },
		{ .iov_base = (void *)stored, .iov_len = len },
	};

	h->version = RECORD_VERSION;
	h->stored_len = len;
	h->body_crc = crc32(0, stored, len);
	record_header_encode(h, dat->big_endian, header);
	return tracedat_append(dat, TRACEDAT_HIST_ID, parts, 2);
}
