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
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/tracedat/tracedat_format.h"

struct tracedat_part tracedat_find_part(const struct tracedat_reader *r, uint64_t offset)
{
	unsigned int low = 0, high = r->nparts, middle;

	if (!r->nparts)
		return (struct tracedat_part){ .source = r->source, .end = r->size };
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

int tracedat_join(struct tracedat_reader *r, struct tracedat_reader *next)
{
	unsigned int n = r->nparts ? r->nparts : 1;
	struct tracedat_part first = tracedat_find_part(r, 0);
	uint64_t skip;

	if (next->big_endian != r->big_endian || next->compression != r->compression ||
	    next->nparts || tracedat_find_hist(next, &skip) != TRACEDAT_HIST_FOUND ||
	    next->size - skip > UINT64_MAX - r->size)
		return -EINVAL;
	if (array_grow(&r->parts, &r->parts_room, n + 1, sizeof(*r->parts)))
		return -ENOMEM;
	r->parts[0] = first;
	r->parts[n] = (struct tracedat_part){
		.source = next->source,
		.start = r->size,
		.end = r->size + next->size - skip,
		.skip = skip,
	};
	next->source = NULL;
	r->nparts = n + 1;
	r->size = r->parts[n].end;
	return 0;
}

void tracedat_clear_parts(struct tracedat_reader *r)
{
	unsigned int i;

	/* the file of the first part is that of the reader */
	for (i = 1; i < r->nparts; i++)
		tracedat_source_free(r->parts[i].source);
	free(r->parts);
}

uint64_t tracedat_trace_id(const struct tracedat_reader *r)
{
	return r->options.trace_id;
}
