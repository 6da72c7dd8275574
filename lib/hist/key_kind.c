// SPDX-License-Identifier: LGPL-2.1
/*
 * key_kind.c - the table of the kinds of keys, and the buckets of .log2, .log2=K and .buckets
 *
 * Sources: hist_trigger_print_key() for the columns of names; hist_field_log2() for order_base_2(),
 * which maps 0 and 1 to 0 and (2^(n-1), 2^n] to n; hist_field_bucket(), which rounds down as an
 * unsigned number.
 *
 * The buckets of .log2=K are numbered from 0 without gaps.  The numbers up to 2^(K+1) are buckets
 * of their own with the same number.  The 2^K buckets of (2^m, 2^(m+1)] follow those of the power
 * before it.
 */
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/hist/key_kind.h"

static void log2_bounds(const struct hist_key_desc *key, uint64_t num, struct hist_bounds *bounds)
{
	if (hist_key_is_negative(key, num)) {
		bounds->ge = (uint64_t)INT64_MIN + 1;
		bounds->le = UINT64_MAX;
	} else if (num == 0) {
		bounds->ge = 0;
		bounds->le = 1;
	} else {
		bounds->ge = num > 64 ? UINT64_MAX : (UINT64_C(1) << (num - 1)) + 1;
		bounds->le = num > 63 ? UINT64_MAX : UINT64_C(1) << num;
	}
}

static uint64_t log2_round(const struct hist_key_desc *key, uint64_t num)
{
	return num > 64 && !hist_key_is_negative(key, num) ? 64 : num;
}

static uint64_t log2_find(const struct hist_key_desc *key, uint64_t n)
{
	if (hist_log2_is_negative(n, key->is_signed))
		return HIST_LOG2_NEGATIVE;
	return n > 1 ? 64 - __builtin_clzll(n - 1) : 0;
}

/* Print 2^@power with the suffix K for 2^10, M for 2^20 and so on. */
static void put_power(struct hist_strbuf *b, unsigned int power)
{
	hist_strbuf_u64(b, UINT64_C(1) << power % 10);
	if (power >= 10)
		hist_strbuf_char(b, " KMGTPE"[power / 10]);
}

static unsigned int log2_label(struct hist_strbuf *b, const struct hist_key_desc *key,
			       uint64_t num)
{
	size_t start = b->len;

	if (hist_key_is_negative(key, num)) {
		hist_strbuf_str(b, "negative");
	} else if (num == 0) {
		hist_strbuf_str(b, "[0, 1]");
	} else if (num > 64) {
		hist_strbuf_str(b, "2^");
		hist_strbuf_u64(b, num);
	} else {
		hist_strbuf_char(b, '(');
		put_power(b, num - 1);
		hist_strbuf_str(b, ", ");
		if (num == 64)
			hist_strbuf_str(b, "16E");
		else
			put_power(b, num);
		hist_strbuf_char(b, num == 64 ? ')' : ']');
	}
	return b->len - start;
}

static uint64_t fine_round(const struct hist_key_desc *key, uint64_t num)
{
	unsigned int bits = key->bucket;
	uint64_t last = (UINT64_C(65) - bits) << bits;

	return num > last && !hist_key_is_negative(key, num) ? last : num;
}

static void fine_bounds(const struct hist_key_desc *key, uint64_t num, struct hist_bounds *bounds)
{
	unsigned int bits = key->bucket, shift;
	uint64_t parts = UINT64_C(1) << bits, below;

	if (hist_key_is_negative(key, num)) {
		log2_bounds(key, num, bounds);
		return;
	}
	num = fine_round(key, num);
	bounds->ge = bounds->le = num;
	if (num <= 2 * parts)
		return;
	shift = ((num - 1) >> bits) - 1;
	below = (((num - 1) & (parts - 1)) | parts) << shift;
	bounds->ge = below + 1;
	/* the last bucket would end at 2^64 */
	bounds->le = below + (UINT64_C(1) << shift) ? below + (UINT64_C(1) << shift) : UINT64_MAX;
}

static uint64_t fine_find(const struct hist_key_desc *key, uint64_t n)
{
	return hist_log2_find_bucket(key->bucket, n, key->is_signed);
}

static unsigned int fine_label(struct hist_strbuf *b, const struct hist_key_desc *key, uint64_t num)
{
	size_t start = b->len;
	struct hist_bounds bounds;

	if (hist_key_is_negative(key, num))
		return log2_label(b, key, num);
	hist_key_bounds(key, num, &bounds);
	hist_strbuf_u64(b, bounds.ge);
	hist_strbuf_char(b, '-');
	hist_strbuf_u64(b, bounds.le);
	return b->len - start;
}

static void buckets_bounds(const struct hist_key_desc *key, uint64_t num,
			   struct hist_bounds *bounds)
{
	uint64_t span = key->bucket ? key->bucket - 1 : 0;

	bounds->ge = num;
	/* the last bucket ends at the largest number */
	bounds->le = num > UINT64_MAX - span ? UINT64_MAX : num + span;
}

static uint64_t buckets_find(const struct hist_key_desc *key, uint64_t n)
{
	return key->bucket ? n - n % key->bucket : n;
}

static unsigned int buckets_label(struct hist_strbuf *b, const struct hist_key_desc *key,
				  uint64_t num)
{
	size_t start = b->len;
	struct hist_bounds bounds;

	hist_key_bounds(key, num, &bounds);
	hist_strbuf_number(b, bounds.ge, bounds.is_signed);
	hist_strbuf_str(b, bounds.is_signed && (int64_t)bounds.ge < 0 ? ".." : "-");
	hist_strbuf_number(b, bounds.le, bounds.is_signed);
	return b->len - start;
}

static const struct hist_range_ops log2_range = {
	.is_power = true,
	.prefix = "~ 2^",
	.bounds = log2_bounds,
	.round = log2_round,
	.find = log2_find,
	.label = log2_label,
};

static const struct hist_range_ops fine_range = {
	.prefix = "~ ",
	.bounds = fine_bounds,
	.round = fine_round,
	.find = fine_find,
	.label = fine_label,
};

static const struct hist_range_ops buckets_range = {
	.is_linear = true,
	.prefix = "~ ",
	.bounds = buckets_bounds,
	.round = buckets_find,
	.find = buckets_find,
	.label = buckets_label,
};

const struct hist_key_traits hist_key_kinds[HIST_KEY_KINDS] = {
	[HIST_KEY_NUM] = { "", HIST_FORM_NUMBER, HIST_AXIS_PLAIN, .has_sign = true },
	[HIST_KEY_HEX] = { .modifier = "hex", HIST_FORM_HEX },
	[HIST_KEY_SYM] = { "sym", HIST_FORM_SYMBOL, .column = 45 },
	[HIST_KEY_SYM_OFFSET] = { "sym-offset", HIST_FORM_SYMBOL, .column = 55 },
	[HIST_KEY_EXECNAME] = { "execname", HIST_FORM_TASK, .has_sign = true, .column = 16 },
	[HIST_KEY_SYSCALL] = { "syscall", HIST_FORM_SYSCALL, .has_sign = true, .column = 30 },
	[HIST_KEY_STACK] = { .modifier = "stacktrace", HIST_FORM_STACK },
	[HIST_KEY_LOG2] = { "log2", HIST_FORM_RANGE, HIST_AXIS_RANGE, .has_sign = true,
			    .range = &log2_range },
	[HIST_KEY_BUCKETS] = { "buckets", HIST_FORM_RANGE, HIST_AXIS_RANGE, .has_sign = true,
			       .range = &buckets_range },
	[HIST_KEY_USECS] = { "usecs", HIST_FORM_NUMBER, HIST_AXIS_TIME, .unit = "usecs" },
	[HIST_KEY_STRING] = { "", HIST_FORM_STRING, .column = 50 },
	[HIST_KEY_UNKNOWN] = { .modifier = "", HIST_FORM_UNKNOWN },
	[HIST_KEY_FINE_LOG2] = { "log2", HIST_FORM_RANGE, HIST_AXIS_RANGE, .has_sign = true,
				 .range = &fine_range },
};

enum hist_key_kind hist_key_find(const char *modifier)
{
	enum hist_key_kind kind = HIST_KEY_NUM;

	while (*modifier && kind < HIST_KEY_KINDS &&
	       strcmp(hist_key_kinds[kind].modifier, modifier))
		kind++;
	return *modifier ? kind : HIST_KEY_KINDS;
}

void hist_key_bounds(const struct hist_key_desc *key, uint64_t num, struct hist_bounds *bounds)
{
	const struct hist_range_ops *range = hist_key_traits(key)->range;

	*bounds = (struct hist_bounds){ key->is_signed, num, num };
	if (range)
		range->bounds(key, num, bounds);
	/*
	 * A bucket around 2^63 contains the largest and the smallest signed number, so it is
	 * unsigned.
	 */
	if (bounds->ge <= INT64_MAX && bounds->le > INT64_MAX)
		bounds->is_signed = false;
}
