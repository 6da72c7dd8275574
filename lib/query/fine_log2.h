/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * fine_log2.h - a histogram with a key .log2=K as triggers of a kernel without .log2=K
 *
 * Each trigger counts a range of numbers in buckets of one size, so that each of its rows belongs
 * to one bucket of .log2=K.  The ranges do not overlap, and their borders are powers of two, so a
 * bucket of .log2=K has rows of one trigger only.
 *
 * The kernel needs numbers in expressions (struct hist_kernel, literals: Linux 5.16).
 */
#ifndef LIB_QUERY_FINE_LOG2_H
#define LIB_QUERY_FINE_LOG2_H

#include <stdint.h>

#include "lib/event/event.h"
#include "lib/expr/expr.h"
#include "lib/expr/kernel_features.h"
#include "lib/query/query.h"

/*
 * A histogram with other keys has room for all of its rows if its size= is so many times as large:
 * its triggers have half of it each, and up to four rows for each of the histogram.
 */
#define FINE_LOG2_ROOM 8

/* What the numbers of the key are in the rows of one trigger. */
enum fine_log2_rows {
	FINE_LOG2_EXACT,    /* the numbers of the field */
	FINE_LOG2_BUCKETS,  /* -ceil(number / width), modulo 2^64 / width */
	FINE_LOG2_NEGATIVE, /* negative numbers, with .log2 */
};

struct fine_log2_part {
	char *trigger; /* malloc'ed */
	enum fine_log2_rows rows;
	uint64_t width; /* of FINE_LOG2_BUCKETS: a power of two */
};

struct fine_log2_parts {
	unsigned int key; /* the key of the expression with .log2=K */
	struct fine_log2_part *part;
	unsigned int n;
};

/*
 * fine_log2_split - the triggers that together count what @expr does
 * @expr: was checked for @event.
 * 0 with *@parts filled, without a part if no key has .log2=K; -EINVAL with *@error filled if
 * triggers cannot be joined to what @expr asks for; -ENOMEM.
 */
int fine_log2_split(struct fine_log2_parts *parts, const struct hist_expr *expr,
		    const struct hist_event *event, struct hist_error *error);

void fine_log2_clear(struct fine_log2_parts *parts);

/*
 * fine_log2_settle - fit a key .log2=K of a preset, or of a default histogram, to its kernel
 * The key becomes .log2 if @query is coarse, and, with a note, if @kernel cannot count .log2=K.
 * Otherwise the table becomes larger if @hist has other keys.
 * @kernel: NULL if the user-space engine counts.  0 or -ENOMEM.
 */
int fine_log2_settle(struct query *query, const struct hist_kernel *kernel,
		     struct query_hist *hist);

/* A number of the field that belongs to the row with the number @num of the key. */
static inline uint64_t fine_log2_find_number(const struct fine_log2_part *part, uint64_t num)
{
	switch (part->rows) {
	case FINE_LOG2_BUCKETS:
		/* its upper end can be 2^64, so the number before */
		return -num * part->width - 1;
	case FINE_LOG2_NEGATIVE:
		/* the kernel's order of the smallest number is its own: lib/hist/schema.c */
		return num == 63 ? UINT64_C(1) << 63 : UINT64_MAX;
	default:
		return num;
	}
}

#endif
