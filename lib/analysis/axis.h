/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * axis.h - distributions in a histogram: counts over one ordered key
 *
 * One key of a histogram can be an axis: its numbers have an order, such as durations and sizes.
 * Entries that agree in all other keys are a group, and each group has a distribution over the
 * axis.  "keys=comm,lat.log2" has a group for each comm.  Views over time, percentiles, charts and
 * comparisons work on groups.
 *
 * Functions return 0 or -errno.  Nothing visible changes on failure.
 */
#ifndef LIB_ANALYSIS_AXIS_H
#define LIB_ANALYSIS_AXIS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/hist/table.h"
#include "lib/label/label.h"

/*
 * hist_axis_key - the number of the key that is the axis, or -1
 * The axis is the first .log2 or .buckets key, otherwise the first .usecs key, otherwise the first
 * plain number that is not an identifier.  Pids, cpus, ids, flags, prio, ... are identifiers, and
 * numbers that the event has names for.
 */
int hist_axis_key(const struct hist_schema *schema);

/*
 * hist_axis_comes_first - true if a first look is to show distributions over the axis
 * It is the only key, or has buckets or a unit: a plain number beside other keys may be anything.
 * False without an axis, and with stacks, whose frames need lines of their own.
 */
bool hist_axis_comes_first(const struct hist_schema *schema);

/*
 * hist_axis_get_bounds - the numbers that one cell of the axis key covers, both ends included
 * Cells of one axis are equal or disjoint.  This includes cells that a kernel never writes (a
 * bucket that begins inside another, 2^65).  The bucket of a signed axis that holds both the
 * largest and the smallest number counts as the largest.
 */
void hist_axis_get_bounds(const struct hist_key_desc *key, uint64_t num,
			  struct hist_bounds *bounds);

/* True if a value is the sum of the field of the axis, so that there is a mean. */
bool hist_axis_find_sum(const struct hist_schema *schema, unsigned int *value);

/* The value that distributions count: hitcount, otherwise the first sum, otherwise -1. */
int hist_axis_find_counted(const struct hist_schema *schema);

/* One bucket of a distribution.  Bounds as in struct hist_bounds. */
struct hist_bucket {
	uint64_t ge, le;
	uint64_t count; /* above 0 */
};

/* An array of buckets, ascending and disjoint.  Initialize with zeros. */
struct hist_distribution {
	bool is_signed; /* read the bounds as int64_t */
	uint32_t n, room;
	struct hist_bucket *buckets;
	uint64_t total; /* of the counts; saturates */
	bool has_sum;	/* of hist_axis_find_sum(); see hist_distribution_mean() */
	bool sum_is_signed;
	uint64_t sum;	/* of the numbers, modulo 2^64 */
};
void hist_distribution_free(struct hist_distribution *d); /* not the struct */

/*
 * hist_distribution_add - add @from to @d, bucket by bucket
 * Both must be of the same axis: buckets are equal or disjoint.
 * -EINVAL if buckets overlap in part; -ENOMEM.
 */
int hist_distribution_add(struct hist_distribution *d, const struct hist_distribution *from);

/*
 * hist_distribution_mean - the recorded sum divided by the count
 * The kernel keeps 64 bits of the sum, and the buckets limit the true sum.  Returns false if no sum
 * was recorded, if several numbers within these limits have the 64 bits, or if no number within or
 * near them has.
 */
bool hist_distribution_mean(const struct hist_distribution *d, double *mean);

/* The groups of one table, to which entries are added. */
struct hist_grouping;

/* @table must outlive the grouping.  Without an axis each entry is a group.  NULL: no memory. */
struct hist_grouping *hist_grouping_new(const struct hist_table *table);
void hist_grouping_free(struct hist_grouping *grouping);

/*
 * hist_grouping_update - add the new entries of the table
 * Groups keep their numbers until hist_table_clear(), after which the grouping starts again.
 * -ENOMEM, -E2BIG: some of the entries were added; call again for the rest.
 */
int hist_grouping_update(struct hist_grouping *grouping);

/*
 * hist_grouping_follow - update *@grouping, after replacing it if it is not of @table
 * *@known becomes 0 if the groups got new numbers.  A caller that keeps data for the first *@known
 * groups then discards them.  Returns as hist_grouping_update(); *@grouping is NULL if it could not
 * be allocated.
 */
int hist_grouping_follow(struct hist_grouping **grouping, const struct hist_table *table,
			 uint32_t *known);

/* hist_axis_key() of the table's schema. */
int hist_grouping_axis(const struct hist_grouping *grouping);
const struct hist_table *hist_grouping_table(const struct hist_grouping *grouping);

uint32_t hist_grouping_count(const struct hist_grouping *grouping);
/* The group of an entry that the last update included. */
uint32_t hist_grouping_find(const struct hist_grouping *grouping, uint32_t entry);
/* The entries of @group, ascending on the axis; valid until the next update. */
const uint32_t *hist_grouping_entries(const struct hist_grouping *grouping, uint32_t group,
				      uint32_t *n);

/*
 * hist_grouping_label - write the keys of @group, as hist_label_put(), separated by " / "
 * Writes "all" if the axis is the only key.  HIST_LABEL_KEYS adds "NAME: " before each key.
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

/*
 * --- shapes: a distribution as a few amounts over a range that several distributions share ---
 *
 * The range is divided into HIST_SHAPE_PLACES places of equal width: of the numbers with
 * .buckets, otherwise of their logarithm.  A bucket that covers several places is divided among
 * them.
 */
#define HIST_SHAPE_PLACES 12

/* The range, both ends included.  Begin with all zero: it has no numbers yet. */
struct hist_shape_range {
	bool any, is_signed;
	uint64_t low, high;
};

struct hist_shape {
	double amounts[HIST_SHAPE_PLACES]; /* their sum is the total of the distribution */
	double most;			   /* the largest of them */
};

/* Widen @range to the numbers of @d.  All distributions are of one axis. */
void hist_shape_widen(struct hist_shape_range *range, const struct hist_distribution *d);

/* Make the shape of @d, whose numbers are in @range.  @axis: the key that the numbers are of. */
void hist_shape_make(struct hist_shape *shape, const struct hist_shape_range *range,
		     const struct hist_key_desc *axis, const struct hist_distribution *d);

/*
 * hist_shape_level - the height of a place, from 0 to @levels
 * The largest amount of the shape has all levels, and 0 is only without hits.
 */
unsigned int hist_shape_level(const struct hist_shape *shape, unsigned int place,
			      unsigned int levels);

#endif
