/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * axis.h - the distribution in a histogram: counts over one ordered key
 *
 * One key of a histogram can be an axis, whose numbers are larger or smaller
 * and not just other: a duration, a size.  All other keys say whose
 * distribution it is, and entries that agree in them are one group.
 * "keys=comm,lat.log2" has a group for each comm.  Views over time, percentiles,
 * charts and comparisons work on groups.
 *
 * Functions return 0 or -errno; on failure nothing visible has changed.
 */
#ifndef LIB_ANALYSIS_AXIS_H
#define LIB_ANALYSIS_AXIS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/hist/table.h"
#include "lib/label/label.h"

/*
 * hist_axis_key - number of the key that is the axis, or -1 where there is none
 * The first .log2 or .buckets key; else the first .usecs key; else the first
 * plain number that is no identifier (pids, cpus, ids, flags, prio, ... are names in
 * the form of numbers).
 */
int hist_axis_key(const struct hist_schema *schema);

/*
 * hist_axis_bounds - what one cell of the axis key covers, both ends included
 * For any axis kind.  Cells of one axis are equal or disjoint, also those that no
 * kernel would write (a bucket that begins between two, 2^65).  A bucket of a
 * signed axis around the end of the numbers, which holds the largest and the
 * smallest, counts as the largest.
 */
void hist_axis_bounds(const struct hist_key_desc *key, uint64_t num, struct hist_bounds *bounds);

/* True when a value names the same field as the axis: its sum makes a mean. */
bool hist_axis_sum(const struct hist_schema *schema, unsigned int *value);

/* What distributions count: hitcount, or without it the first sum; -1 for neither. */
int hist_counted_value(const struct hist_schema *schema);

/* One bucket of a distribution.  Bounds as in struct hist_bounds. */
struct hist_bucket {
	uint64_t ge, le;
	uint64_t count; /* above 0 */
};

/* A vector of buckets, ascending and disjoint.  Begin with all zero. */
struct hist_distribution {
	bool is_signed; /* read the bounds as int64_t */
	uint32_t n, room;
	struct hist_bucket *buckets;
	uint64_t total; /* of the counts; saturates */
	bool has_sum;	/* of hist_axis_sum(); see hist_distribution_mean() */
	bool sum_is_signed;
	uint64_t sum;	/* of the numbers, modulo 2^64 */
};
void hist_distribution_free(struct hist_distribution *d); /* not the struct */

/*
 * hist_distribution_add - d += from, bucket by bucket
 * Buckets of the two must be those of the same axis (equal or disjoint).
 * -EINVAL where they overlap in part; -ENOMEM.
 */
int hist_distribution_add(struct hist_distribution *d, const struct hist_distribution *from);

/*
 * hist_distribution_mean - sum / number, where a sum was recorded
 * The kernel keeps 64 bits of the sum.  The buckets say from where to where the
 * true sum lies; false where more than one number in there has these 64 bits, or
 * none, not even a little outside.
 */
bool hist_distribution_mean(const struct hist_distribution *d, double *mean);

/* The groups of one table, kept while entries are added to it. */
struct hist_grouping;

/* @table must outlive it.  Without an axis each entry is a group.  NULL without memory. */
struct hist_grouping *hist_grouping_new(const struct hist_table *table);
void hist_grouping_free(struct hist_grouping *grouping);

/*
 * hist_grouping_update - take in the entries that were added since
 * Begins anew by itself after hist_table_clear().  Groups keep their numbers till
 * then.  -ENOMEM, -E2BIG: some of the entries are in; call again for the rest.
 */
int hist_grouping_update(struct hist_grouping *grouping);

/*
 * hist_grouping_follow - *@grouping becomes one of @table, made where it is not, and up to date
 * For who keeps something for each of the first *@known groups, from one snapshot to
 * the next: *@known becomes 0 where groups have other numbers than before.  As
 * hist_grouping_update(); *@grouping is NULL where it could not be made.
 */
int hist_grouping_follow(struct hist_grouping **grouping, const struct hist_table *table,
			 uint32_t *known);

/* hist_axis_key() of the table's schema. */
int hist_grouping_axis(const struct hist_grouping *grouping);
const struct hist_table *hist_grouping_table(const struct hist_grouping *grouping);

uint32_t hist_grouping_count(const struct hist_grouping *grouping);
/* The group of an entry that was there at the last update. */
uint32_t hist_grouping_of(const struct hist_grouping *grouping, uint32_t entry);
/* The entries of @group, ascending on the axis; valid until the next update. */
const uint32_t *hist_grouping_entries(const struct hist_grouping *grouping, uint32_t group,
				      uint32_t *n);

/*
 * hist_grouping_label - the keys that make @group, as hist_label(), " / " between
 * "all" where the axis is the only key.  HIST_LABEL_KEYS puts "NAME: " before each.
 * Returns the columns.
 */
unsigned int hist_grouping_label(struct hist_strbuf *b, const struct hist_grouping *grouping,
				 uint32_t group, unsigned int flags);

/*
 * hist_distribution_make - sum the buckets of @groups in @snap, by @value (mostly hitcount)
 * The memory of @d is used again.  Buckets without counts and with counts below zero are left
 * out.  The sum of the numbers is included if @value is the hitcount.
 * -EINVAL without an axis; -ENOMEM, -E2BIG: only freeing @d or making it again is allowed then.
 */
int hist_distribution_make(struct hist_distribution *d, const struct hist_grouping *grouping,
			   const uint32_t *groups, uint32_t ngroups,
			   const struct hist_snapshot *snap, unsigned int value);

#endif
