/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * regroup.h - the rows of a histogram in coarser buckets
 *
 * The rows whose keys are in one of the coarser buckets become one row.  That is exact, because a
 * bucket may only be merged if all its numbers are in one bucket of the others:
 *
 *   recorded	    regrouped
 *   a number	    .log2, .log2=K, .buckets=N
 *   .log2=K	    .log2, and .log2=J if J <= K (key_kind.c)
 *   .buckets=N	    .buckets=M if M is a multiple of N
 *
 * Sums are added up.  Of the worst (HIST_VALUE_WORST, HIST_VALUE_PEAK) the largest stays.  Other
 * values cannot be merged, so a histogram with them keeps its buckets.
 *
 * Functions return 0 or -errno; nothing visible changes on failure.
 */
#ifndef LIB_HIST_REGROUP_H
#define LIB_HIST_REGROUP_H

#include "lib/base/error.h"
#include "lib/hist/table.h"

/* What --bucket asks for. */
struct hist_buckets {
	/* name, kind and bucket */
	struct hist_key_desc *keys;
	bool *used; /* by key: a schema had it */
	unsigned int n;
};

/*
 * hist_buckets_add - add "FIELD.log2", "FIELD.log2=K" or "FIELD.buckets=N"
 * -EINVAL with @error set; -ENOMEM.
 */
int hist_buckets_add(struct hist_buckets *buckets, const char *text, struct hist_error *error);
void hist_buckets_clear(struct hist_buckets *buckets);

/*
 * hist_buckets_set - give the keys of @schema that have a name in @buckets these buckets
 * 1: it has a key that had others; 0: nothing changed; -EINVAL with @error set: its rows cannot be
 * merged exactly.
 */
int hist_buckets_set(struct hist_buckets *buckets, struct hist_schema *schema,
		     struct hist_error *error);

/*
 * hist_buckets_check - check that each key was in a schema
 * -EINVAL with @error set; @option: "--bucket".
 */
int hist_buckets_check(const struct hist_buckets *buckets, const char *option,
		       struct hist_error *error);

/*
 * hist_bucket_find_common - the finest buckets into which the rows of both @a and @b can be merged
 * Only kind and bucket of @common are set.  False: there are none.
 */
bool hist_bucket_find_common(const struct hist_key_desc *a, const struct hist_key_desc *b,
			     struct hist_key_desc *common);

/* True if rows of @a and @b have the same buckets. */
static inline bool hist_bucket_is_same(const struct hist_key_desc *a, const struct hist_key_desc *b)
{
	/* the number of a .log2 is only how the kernel prints negative numbers */
	return a->kind == b->kind && (hist_key_is_log2(a) || a->bucket == b->bucket);
}

/* "lat_us.log2=3" */
void hist_bucket_format(char *buf, size_t len, const struct hist_key_desc *key);

/* The last snapshot with merged rows. */
struct hist_regroup {
	struct hist_table *table;
	struct hist_snapshot snap;
	/* private */
	uint32_t *entry_of; /* by entry of the table that the snapshots have */
	uint32_t entry_room, known;
	uint64_t generation; /* of that table */
};

/* @schema: that of the snapshots, after hist_buckets_set().  NULL without memory. */
struct hist_regroup *hist_regroup_new(const struct hist_schema *schema);
void hist_regroup_free(struct hist_regroup *r);

/*
 * hist_regroup_update - go on to the next snapshot, @snap with the keys of @table
 * The regrouped table is cleared if @table was.  -ENOMEM, -E2BIG: r->snap is then undefined.
 * -EINVAL: the first rows show that a key with buckets is text (HIST_KEY_UNKNOWN).
 */
int hist_regroup_update(struct hist_regroup *r, const struct hist_table *table,
			const struct hist_snapshot *snap);

#endif
