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
#ifndef TRACEHIST_AXIS_H
#define TRACEHIST_AXIS_H

#include <stdbool.h>
#include <stdint.h>

#include <tracehist/label.h>
#include <tracehist/table.h>

/*
 * hist_axis_key - number of the key that is the axis, or -1 where there is none
 * The first .log2 or .buckets key; else the first .usecs key; else the first
 * plain number that is no identifier (pids, cpus, ids, flags, prio, ... are names in
 * the form of numbers).
 */
int hist_axis_key(const struct hist_schema *schema);

/* What one cell of the axis key covers, both ends included; for any axis kind. */
void hist_axis_bounds(const struct hist_key_desc *key, uint64_t num, struct hist_bounds *bounds);

/* True when a value names the same field as the axis: its sum makes a mean. */
bool hist_axis_sum(const struct hist_schema *schema, unsigned int *value);

/* One bucket of a distribution.  Bounds as in struct hist_bounds. */
struct hist_bucket {
	uint64_t ge, le;
	uint64_t count; /* above 0 */
};

/* A vector of buckets, ascending and disjoint.  Begin with all zero. */
struct hist_distribution {
	bool is_signed; /* read the bounds as int64_t */
	bool exact;	/* each bucket is one number: ge == le everywhere */
	uint32_t n, room;
	struct hist_bucket *buckets;
	uint64_t total; /* of the counts; saturates */
	bool has_sum;	/* hist_axis_sum(): sum / total is the mean */
	uint64_t sum;	/* modulo 2^64; signed where is_signed */
};
void hist_distribution_free(struct hist_distribution *d); /* not the struct */

/*
 * hist_distribution_add - d += from, bucket by bucket
 * Buckets of the two must be those of the same axis (equal or disjoint).
 * -EINVAL where they overlap in part; -ENOMEM.
 */
int hist_distribution_add(struct hist_distribution *d, const struct hist_distribution *from);

/* The groups of one table, kept while entries are added to it. */
struct hist_grouping;

/* @table must outlive it.  A schema without an axis has one group an entry. */
struct hist_grouping *hist_grouping_new(const struct hist_table *table);
void hist_grouping_free(struct hist_grouping *grouping);

/*
 * hist_grouping_update - take in the entries that were added since
 * Begins anew by itself after hist_table_clear().  -ENOMEM.
 */
int hist_grouping_update(struct hist_grouping *grouping);

uint32_t hist_grouping_count(const struct hist_grouping *grouping);
/* The group of an entry that was there at the last update. */
uint32_t hist_grouping_of(const struct hist_grouping *grouping, uint32_t entry);
/* The entries of @group, by ascending axis number; valid until the next update. */
const uint32_t *hist_grouping_entries(const struct hist_grouping *grouping, uint32_t group,
				      uint32_t *n);

/*
 * hist_grouping_label - the keys that make @group, as hist_label(), " / " between
 * "all" where the axis is the only key.  Returns the columns.
 */
unsigned int hist_grouping_label(struct hist_strbuf *b, const struct hist_grouping *grouping,
				 uint32_t group, unsigned int flags);

/*
 * hist_distribution_make - the buckets of @group in @snap, by @value (mostly hitcount)
 * Room of @d is used again.  Buckets without counts are left out.
 */
int hist_distribution_make(struct hist_distribution *d, const struct hist_grouping *grouping,
			   uint32_t group, const struct hist_snapshot *snap, unsigned int value);

#endif
