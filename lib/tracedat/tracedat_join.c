// SPDX-License-Identifier: LGPL-2.1
/*
 * tracedat_join.c - read the histogram sections of several files as those of one
 *
 * The first file has the offsets from 0 on.  The histogram sections of each further file follow at
 * the size that the reader had before.  A read maps an offset to a file and a place in it.
 *
 * Invariant: the parts cover the offsets from 0 to the size, in order and without a gap.  A read
 * never crosses the end of a part, so a truncated file cannot change what comes after it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/tracedat/tracedat_format.h"

struct tracedat_part tracedat_find_part(const struct tracedat_reader *r, uint64_t offset)
{
	unsigned int low = 0, high = r->nparts, middle;

	if (!r->nparts)
		return (struct tracedat_part){ .fd = r->fd, .end = r->size };
	while (high - low > 1) {
		middle = (low + high) / 2;
		if (r->parts[middle].start <= offset)
			low = middle;
		else
			high = middle;
	}
	return r->parts[low];
}

uint64_t tracedat_part_end(const struct tracedat_reader *r, uint64_t offset)
{
	return tracedat_find_part(r, offset).end;
}

int tracedat_join(struct tracedat_reader *r, const struct tracedat_reader *next)
{
	unsigned int n = r->nparts ? r->nparts : 1;
	struct tracedat_part *parts;
	uint64_t skip;
	int fd;

	if (next->big_endian != r->big_endian || next->compression != r->compression ||
	    next->nparts || tracedat_find_hist(next, &skip) != TRACEDAT_HIST_FOUND ||
	    next->size - skip > UINT64_MAX - r->size)
		return -EINVAL;
	parts = realloc(r->parts, (n + 1) * sizeof(*parts));
	if (!parts)
		return -ENOMEM;
	if (!r->nparts)
		parts[0] = tracedat_find_part(r, 0);
	r->parts = parts;
	fd = fcntl(next->fd, F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		return -errno;
	parts[n] = (struct tracedat_part){
		.fd = fd,
		.start = r->size,
		.end = r->size + next->size - skip,
		.skip = skip,
	};
	r->nparts = n + 1;
	r->size = parts[n].end;
	return 0;
}

void tracedat_clear_parts(struct tracedat_reader *r)
{
	unsigned int i;

	/* the descriptor of the first part is that of the reader */
	for (i = 1; i < r->nparts; i++)
		close(r->parts[i].fd);
	free(r->parts);
}

uint64_t tracedat_trace_id(const struct tracedat_reader *r)
{
	return r->options.trace_id;
}
