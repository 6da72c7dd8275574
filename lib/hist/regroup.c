// SPDX-License-Identifier: LGPL-2.1
/*
 * regroup.c - the rows of a histogram in coarser buckets
 *
 * A row of the file keeps the number of its merged row, so that a snapshot is one pass over its
 * values.  The sums are made anew for each snapshot.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/expr/expr.h"
#include "lib/hist/key_names.h"
#include "lib/hist/regroup.h"

/* --- which buckets fit --- */

static int bucket_parse_key(struct hist_key_desc *key, const char *trigger,
			    struct hist_error *error)
{
	struct hist_schema *schema = NULL;
	struct hist_expr *expr;
	int ret = hist_expr_parse(&expr, trigger, error);

	if (ret)
		return ret;
	ret = hist_schema_make(&schema, expr, NULL);
	if (!ret && !hist_key_traits(&schema->keys[0])->range)
		ret = -EINVAL;
	if (!ret) {
		*key = (struct hist_key_desc){
			.name = schema->keys[0].name,
			.kind = schema->keys[0].kind,
			.bucket = schema->keys[0].bucket,
		};
		schema->keys[0].name = NULL;
	}
	hist_schema_free(schema);
	hist_expr_free(expr);
	return ret;
}

int hist_buckets_add(struct hist_buckets *buckets, const char *text, struct hist_error *error)
{
	struct hist_error why = { 0 };
	char *trigger;
	int ret = -EINVAL;

	if (array_add(&buckets->keys, buckets->n, sizeof(*buckets->keys)) ||
	    array_add(&buckets->used, buckets->n, sizeof(*buckets->used)))
		return -ENOMEM;
	if (!text[strcspn(text, ":,")]) {
		if (asprintf(&trigger, "hist:keys=%s", text) < 0)
			return -ENOMEM;
		ret = bucket_parse_key(&buckets->keys[buckets->n], trigger, &why);
		free(trigger);
	}
	if (!ret)
		buckets->used[buckets->n++] = false;
	if (ret != -EINVAL)
		return ret;
	if (*why.hint)
		return hist_error_set(error, ret, "%s\n%s", why.what, why.hint);
	if (*why.what)
		return hist_error_set(error, ret, "%s", why.what);
	return hist_error_set(error, ret, "must be FIELD.log2[=K] or FIELD.buckets=N");
}

void hist_buckets_clear(struct hist_buckets *buckets)
{
	unsigned int i;

	for (i = 0; i < buckets->n; i++)
		free(buckets->keys[i].name);
	free(buckets->keys);
	free(buckets->used);
	memset(buckets, 0, sizeof(*buckets));
}

int hist_buckets_check(const struct hist_buckets *buckets, const char *option,
		       struct hist_error *error)
{
	unsigned int i;

	for (i = 0; i < buckets->n; i++)
		if (!buckets->used[i])
			return hist_error_set(error, -EINVAL, "%s: no histogram has the key \"%s\"",
					      option, buckets->keys[i].name);
	return 0;
}

static uint64_t bucket_divide(uint64_t a, uint64_t b)
{
	uint64_t rest;

	while (b) {
		rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* The smallest multiple of both; false: it has more than 64 bits. */
static bool bucket_multiply(uint64_t a, uint64_t b, uint64_t *multiple)
{
	return a && b && !__builtin_mul_overflow(a / bucket_divide(a, b), b, multiple);
}

/* True if a row counts the numbers of one bucket, or one number. */
static bool bucket_has_numbers(const struct hist_key_desc *key)
{
	return hist_key_traits(key)->range || key->kind == HIST_KEY_NUM ||
	       key->kind == HIST_KEY_HEX || key->kind == HIST_KEY_USECS ||
	       key->kind == HIST_KEY_UNKNOWN;
}

static bool bucket_is_log2(const struct hist_key_desc *key)
{
	return hist_key_is_log2(key) || hist_key_is_fine_log2(key);
}

bool hist_bucket_find_common(const struct hist_key_desc *a, const struct hist_key_desc *b,
			     struct hist_key_desc *common)
{
	const struct hist_key_desc *coarse = b;
	uint64_t width;

	if (!bucket_has_numbers(a) || !bucket_has_numbers(b))
		return false;
	if (!hist_key_traits(b)->range)
		coarse = a;
	else if (bucket_is_log2(a) && bucket_is_log2(b) &&
		 (hist_key_is_log2(a) || (hist_key_is_fine_log2(b) && a->bucket < b->bucket)))
		coarse = a;
	width = coarse->bucket;
	if (hist_key_is_linear(a) && hist_key_is_linear(b)) {
		if (!bucket_multiply(a->bucket, b->bucket, &width))
			return false;
	} else if (hist_key_traits(a)->range && hist_key_traits(b)->range &&
		   bucket_is_log2(a) != bucket_is_log2(b)) {
		return false;
	}
	common->kind = coarse->kind;
	common->bucket = width;
	return hist_key_traits(coarse)->range;
}

void hist_bucket_format(char *buf, size_t len, const struct hist_key_desc *key)
{
	const char *modifier = hist_key_traits(key)->modifier;

	if (hist_key_is_linear(key) || hist_key_is_fine_log2(key))
		snprintf(buf, len, "%.100s.%s=%" PRIu64, key->name, modifier, key->bucket);
	else
		snprintf(buf, len, "%.100s%s%s", key->name, *modifier ? "." : "", modifier);
}

static int bucket_refuse(const struct hist_key_desc *key, const struct hist_key_desc *to,
			 struct hist_error *error)
{
	char from[160], asked[160];

	hist_bucket_format(from, sizeof(from), key);
	hist_bucket_format(asked, sizeof(asked), to);
	if (!hist_key_traits(key)->range)
		return hist_error_set(error, -EINVAL,
				      "%s does not have numbers that buckets can "
				      "contain",
				      from);
	return hist_error_set(error, -EINVAL, "the buckets of %s do not fit into those of %s", from,
			      asked);
}

static int bucket_check_values(const struct hist_schema *schema, struct hist_error *error)
{
	unsigned int v;

	for (v = 0; v < schema->nvalues; v++) {
		switch (schema->values[v].kind) {
		case HIST_VALUE_PERCENT:
		case HIST_VALUE_GRAPH:
		case HIST_VALUE_SAVED:
			return hist_error_set(error, -EINVAL,
					      "the values %s of several rows cannot "
					      "be merged exactly",
					      schema->values[v].name);
		default:
			break;
		}
	}
	return 0;
}

/* 1: it had others; 0; -EINVAL. */
static int bucket_set(struct hist_schema *schema, struct hist_key_desc *key,
		      const struct hist_key_desc *to, struct hist_error *error)
{
	struct hist_key_desc common;

	if (hist_bucket_is_same(key, to))
		return 0;
	if (!hist_bucket_find_common(key, to, &common) || !hist_bucket_is_same(&common, to))
		return bucket_refuse(key, to, error);
	if (bucket_check_values(schema, error))
		return -EINVAL;
	if (key->kind == HIST_KEY_USECS)
		key->unit = "us";
	key->kind = to->kind;
	key->bucket = to->bucket;
	hist_key_names_put(key->names);
	key->names = NULL;
	return 1;
}

int hist_buckets_set(struct hist_buckets *buckets, struct hist_schema *schema,
		     struct hist_error *error)
{
	unsigned int i, k;
	int ret, changed = 0;

	for (i = 0; i < buckets->n; i++) {
		for (k = 0; k < schema->nkeys; k++) {
			if (strcmp(schema->keys[k].name, buckets->keys[i].name))
				continue;
			buckets->used[i] = true;
			ret = bucket_set(schema, &schema->keys[k], &buckets->keys[i], error);
			if (ret < 0)
				return ret;
			changed |= ret;
		}
	}
	return changed;
}

/* --- merged rows --- */

struct hist_regroup *hist_regroup_new(const struct hist_schema *schema)
{
	struct hist_regroup *r = calloc(1, sizeof(*r));

	if (r)
		r->table = hist_table_new(schema);
	if (!r || !r->table) {
		free(r);
		return NULL;
	}
	return r;
}

void hist_regroup_free(struct hist_regroup *r)
{
	if (!r)
		return;
	hist_table_free(r->table);
	hist_snapshot_clear(&r->snap);
	free(r->entry_of);
	free(r);
}

static int regroup_add_entry(struct hist_regroup *r, const struct hist_table *table, uint32_t entry)
{
	const struct hist_schema *from = hist_table_schema(table);
	const struct hist_schema *to = hist_table_schema(r->table);
	struct hist_cell cells[HIST_KEYS_MAX];
	struct hist_bounds bounds;
	unsigned int k;
	int ret;

	memcpy(cells, hist_table_cells(table, entry), to->nkeys * sizeof(*cells));
	for (k = 0; k < to->nkeys; k++) {
		ret = hist_table_intern_from(r->table, table, cells[k].str, &cells[k].str);
		if (ret)
			return ret;
		if (hist_bucket_is_same(&from->keys[k], &to->keys[k]))
			continue;
		hist_key_bounds(&from->keys[k], cells[k].num, &bounds);
		cells[k].num = hist_key_traits(&to->keys[k])->range->find(&to->keys[k], bounds.ge);
		cells[k].str = HIST_NO_STRING;
	}
	return hist_table_add(r->table, cells, &r->entry_of[entry]);
}

static int regroup_find_entries(struct hist_regroup *r, const struct hist_table *table, uint32_t n)
{
	int ret;

	if (r->generation != hist_table_generation(table)) {
		hist_table_clear(r->table);
		r->known = 0;
	}
	r->generation = hist_table_generation(table);
	ret = array_grow(&r->entry_of, &r->entry_room, (size_t)n + 1, sizeof(*r->entry_of));
	for (; !ret && r->known < n; r->known += !ret)
		ret = regroup_add_entry(r, table, r->known);
	return ret;
}

/* No values yet; no text. */
static int regroup_begin_snapshot(struct hist_regroup *r, const struct hist_snapshot *snap)
{
	const struct hist_schema *schema = hist_table_schema(r->table);
	uint32_t n = hist_table_entries(r->table), i;
	unsigned int v;
	int ret = hist_snapshot_grow(&r->snap, schema, n);

	if (ret)
		return ret;
	if (r->snap.nentries)
		memset(r->snap.values, 0,
		       (size_t)r->snap.nentries * schema->nvalues * sizeof(*r->snap.values));
	hist_snapshot_copy_head(&r->snap, snap);
	r->snap.nentries = n;
	for (v = 0; v < schema->nvalues; v++)
		for (i = 0; i < n && hist_value_is_text(schema->values[v].kind); i++)
			r->snap.values[(size_t)i * schema->nvalues + v] = UINT64_MAX;
	return 0;
}

/* The number in "max: N  FIELD: ...", the text of a HIST_VALUE_WORST.  False: another text. */
static bool regroup_read_max(const struct hist_table *table, uint64_t id, uint64_t *value)
{
	static const char begin[] = "max: ";
	const char *text;
	size_t len;
	char *end;

	if (id >= hist_table_strings(table))
		return false;
	text = hist_table_string(table, id, &len);
	if (len < strlen(begin) || memcmp(text, begin, strlen(begin)))
		return false;
	text += strlen(begin);
	errno = 0;
	*value = strtoull(text, &end, 10);
	return !errno && end > text && (!*end || *end == ' ');
}

/* The string of the larger maximum stays. */
static int regroup_keep_worst(struct hist_regroup *r, const struct hist_table *table, uint64_t id,
			      uint64_t *kept)
{
	uint64_t value, before;
	uint32_t string;
	int ret;

	if (!regroup_read_max(table, id, &value) ||
	    (regroup_read_max(r->table, *kept, &before) && before >= value))
		return 0;
	ret = hist_table_intern_from(r->table, table, id, &string);
	if (!ret)
		*kept = string;
	return ret;
}

static int regroup_merge_value(struct hist_regroup *r, const struct hist_table *table,
			       const struct hist_snapshot *snap, unsigned int v)
{
	const struct hist_schema *schema = hist_table_schema(r->table);
	enum hist_value_kind kind = schema->values[v].kind;
	size_t width = schema->nvalues;
	const uint64_t *from = snap->values + v;
	uint64_t *to;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < snap->nentries && !ret; i++, from += width) {
		to = &r->snap.values[r->entry_of[i] * width + v];
		if (hist_value_is_sum(kind))
			*to += *from;
		else if (kind == HIST_VALUE_PEAK)
			*to = *from > *to ? *from : *to;
		else
			ret = regroup_keep_worst(r, table, *from, to);
	}
	return ret;
}

/* The first rows tell what a plain key is. */
static int regroup_settle(struct hist_regroup *r, const struct hist_schema *from)
{
	struct hist_schema *to = hist_table_schema(r->table);
	unsigned int k;

	for (k = 0; k < to->nkeys; k++) {
		if (to->keys[k].kind == HIST_KEY_UNKNOWN)
			to->keys[k].kind = from->keys[k].kind;
		else if (hist_key_traits(&to->keys[k])->range &&
			 hist_key_is_text(from->keys[k].kind))
			return -EINVAL;
	}
	return 0;
}

int hist_regroup_update(struct hist_regroup *r, const struct hist_table *table,
			const struct hist_snapshot *snap)
{
	unsigned int nvalues = hist_table_schema(r->table)->nvalues, v;
	int ret = regroup_settle(r, hist_table_schema(table));

	if (!ret)
		ret = regroup_find_entries(r, table, snap->nentries);
	if (!ret)
		ret = regroup_begin_snapshot(r, snap);
	for (v = 0; v < nvalues && !ret; v++)
		ret = regroup_merge_value(r, table, snap, v);
	if (!ret && snap->flags & HIST_SNAP_TAKEN)
		ret = hist_table_intern_from(r->table, table, snap->taken, &r->snap.taken);
	return ret;
}
