// SPDX-License-Identifier: LGPL-2.1
/*
 * label.c - keys as text for people
 */
#include <inttypes.h>

#include "lib/label/label.h"
#include "lib/label/unit.h"

void hist_key_bounds(const struct hist_key_desc *key, uint64_t num, struct hist_bounds *bounds)
{
	uint64_t span;

	bounds->is_signed = key->is_signed;
	if (key->kind == HIST_KEY_LOG2) {
		if (key->is_signed && num == HIST_LOG2_NEGATIVE) {
			bounds->ge = (uint64_t)INT64_MIN + 1;
			bounds->le = UINT64_MAX;
		} else if (num == 0) {
			bounds->ge = 0;
			bounds->le = 1;
		} else {
			bounds->ge = num > 64 ? UINT64_MAX : (UINT64_C(1) << (num - 1)) + 1;
			bounds->le = num > 63 ? UINT64_MAX : UINT64_C(1) << num;
		}
	} else {
		span = key->bucket ? key->bucket - 1 : 0;
		bounds->ge = num;
		/* the last bucket of all is cut off by the end of the numbers */
		bounds->le = num > UINT64_MAX - span ? UINT64_MAX : num + span;
	}
	/* A bucket around 2^63 holds the largest and the smallest: signed it has no order. */
	if (bounds->ge <= INT64_MAX && bounds->le > INT64_MAX)
		bounds->is_signed = false;
}

bool hist_stack_frame(const char **at, size_t *left, const char **frame, size_t *len)
{
	const char *nl;

	if (!*left)
		return false;
	nl = memchr(*at, '\n', *left);
	*frame = *at;
	*len = nl ? (size_t)(nl - *at) : *left;
	*left -= nl ? *len + 1 : *len;
	*at += nl ? *len + 1 : *len;
	return true;
}

static unsigned int number(struct hist_strbuf *b, uint64_t v, bool is_signed)
{
	if (is_signed) {
		hist_strbuf_s64(b, (int64_t)v);
		return hist_s64_width((int64_t)v);
	}
	hist_strbuf_u64(b, v);
	return hist_u64_width(v);
}

/* " [" and the number behind a name. */
static unsigned int bracketed(struct hist_strbuf *b, uint64_t v, bool is_signed)
{
	unsigned int width;

	hist_strbuf_add(b, " [", 2);
	width = number(b, v, is_signed);
	hist_strbuf_char(b, ']');
	return width + 3;
}

/* 2^@power with K for 2^10 and so on. */
static void power_of_two(struct hist_strbuf *b, unsigned int power)
{
	hist_strbuf_u64(b, UINT64_C(1) << power % 10);
	if (power >= 10)
		hist_strbuf_char(b, " KMGTPE"[power / 10]);
}

static unsigned int log2_label(struct hist_strbuf *b, const struct hist_key_desc *key,
			       uint64_t num)
{
	size_t start = b->len;

	if (key->is_signed && num == HIST_LOG2_NEGATIVE) {
		hist_strbuf_str(b, "negative");
	} else if (num == 0) {
		hist_strbuf_str(b, "[0, 1]");
	} else if (num > 64) {
		hist_strbuf_str(b, "2^");
		hist_strbuf_u64(b, num);
	} else {
		hist_strbuf_char(b, '(');
		power_of_two(b, num - 1);
		hist_strbuf_str(b, ", ");
		if (num == 64)
			hist_strbuf_str(b, "16E");
		else
			power_of_two(b, num);
		hist_strbuf_char(b, num == 64 ? ')' : ']');
	}
	return b->len - start;
}

static unsigned int bucket_label(struct hist_strbuf *b, const struct hist_key_desc *key,
				 uint64_t num)
{
	struct hist_bounds bounds;
	unsigned int width;

	hist_key_bounds(key, num, &bounds);
	width = number(b, bounds.ge, bounds.is_signed);
	if (bounds.is_signed && (int64_t)bounds.ge < 0) {
		hist_strbuf_add(b, "..", 2);
		width++;
	} else {
		hist_strbuf_char(b, '-');
	}
	return width + 1 + number(b, bounds.le, bounds.is_signed);
}

unsigned int hist_bucket_label(struct hist_strbuf *b, const struct hist_key_desc *key,
			       const struct hist_bounds *bounds, bool exact)
{
	enum hist_unit unit = hist_unit_of_key(key);
	uint64_t num = 0;

	if (key->kind != HIST_KEY_LOG2 || unit != HIST_UNIT_NONE)
		return exact ? hist_unit_exact(b, bounds->ge, bounds->le, bounds->is_signed, unit) :
			       hist_unit_range(b, bounds->ge, bounds->le, bounds->is_signed, unit);
	if (bounds->is_signed && bounds->ge >> 63)
		num = HIST_LOG2_NEGATIVE;
	else if (bounds->ge > 1) /* 2^(num - 1) + 1 */
		num = 64 - __builtin_clzll(bounds->ge - 1);
	return log2_label(b, key, num);
}

/* Without what stands behind the '+': "+0x5bc/0xbf0". */
static unsigned int stack_label(struct hist_strbuf *b, const char *s, size_t left,
				unsigned int flags)
{
	const char *frame, *plus;
	unsigned int width = 0;
	size_t len;

	while (hist_stack_frame(&s, &left, &frame, &len)) {
		if (width) {
			hist_strbuf_add(b, " <- ", 4);
			width += 4;
		}
		plus = memmem(frame, len, "+0x", 3);
		width += hist_escape(b, frame, plus ? (size_t)(plus - frame) : len, flags);
	}
	return width;
}

unsigned int hist_label(struct hist_strbuf *b, const struct hist_table *table, unsigned int key,
			const struct hist_cell *cell, unsigned int flags)
{
	const struct hist_key_desc *desc = &hist_table_schema(table)->keys[key];
	unsigned int width = 0;
	const char *s;
	size_t len;

	s = hist_table_string(table, cell->str, &len);
	switch (desc->kind) {
	case HIST_KEY_SYM:
	case HIST_KEY_SYM_OFFSET:
		if (!len) {
			hist_strbuf_add(b, "0x", 2);
			hist_strbuf_hex(b, cell->num);
			return 2 + hist_hex_width(cell->num);
		}
		if (flags & HIST_LABEL_ADDRESS) {
			hist_strbuf_char(b, '[');
			hist_strbuf_hex(b, cell->num);
			hist_strbuf_add(b, "] ", 2);
			width = hist_hex_width(cell->num) + 3;
		}
		return width + hist_escape(b, s, len, flags);
	case HIST_KEY_EXECNAME:
	case HIST_KEY_SYSCALL:
		width = hist_escape(b, s, len, flags);
		return width + bracketed(b, cell->num, desc->is_signed);
	case HIST_KEY_STACK:
		return stack_label(b, s, len, flags);
	case HIST_KEY_STRING:
		return hist_escape(b, s, len, flags);
	case HIST_KEY_LOG2:
		return log2_label(b, desc, cell->num);
	case HIST_KEY_BUCKETS:
		return bucket_label(b, desc, cell->num);
	case HIST_KEY_HEX:
		hist_strbuf_hex(b, cell->num);
		return hist_hex_width(cell->num);
	case HIST_KEY_UNKNOWN: /* settled by the first row; else text or number as it came */
		if (cell->str != HIST_NO_STRING)
			return hist_escape(b, s, len, flags);
		break;
	case HIST_KEY_NUM:
	case HIST_KEY_USECS:
		break;
	}
	return number(b, cell->num, desc->is_signed);
}

bool hist_clock_is_ns(const char *clock)
{
	static const char *const others[] = { "counter", "uptime", "x86-tsc", "ppc-tb" };
	unsigned int i;

	for (i = 0; clock && i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(clock, others[i]))
			return false;
	return true;
}

void hist_label_time(struct hist_strbuf *b, uint64_t time, bool ns)
{
	uint64_t us = time / 1000 + (time % 1000 >= 500);

	if (!ns) {
		hist_strbuf_u64(b, time);
		return;
	}
	hist_strbuf_u64(b, us / 1000000);
	hist_strbuf_char(b, '.');
	hist_strbuf_fill(b, '0', 6 - hist_u64_width(us % 1000000));
	hist_strbuf_u64(b, us % 1000000);
}

void hist_rate_text(int64_t rate, char *buf, size_t len)
{
	const char *sign = rate < 0 ? "-" : "";
	uint64_t size = rate < 0 ? -(uint64_t)rate : (uint64_t)rate;

	if (!size)
		snprintf(buf, len, "0");
	else if (size < 50)
		snprintf(buf, len, "%s<0.1", sign);
	else if (size < 99950)
		snprintf(buf, len, "%s%" PRIu64 ".%" PRIu64, sign, (size + 50) / 1000,
			 (size + 50) / 100 % 10);
	else
		snprintf(buf, len, "%s%" PRIu64, sign, (size + 500) / 1000);
}
