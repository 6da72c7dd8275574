// SPDX-License-Identifier: LGPL-2.1
/*
 * label.c - keys and values as text for users
 */
#include <inttypes.h>

#include "lib/event/machine_names.h"
#include "lib/hist/key_names.h"
#include "lib/label/label.h"
#include "lib/label/unit.h"

bool hist_label_next_frame(const char **at, size_t *left, const char **frame, size_t *len)
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

bool hist_label_last_frame(const char *s, size_t *left, const char **frame, size_t *len)
{
	const char *end = s + *left, *nl;

	if (!*left)
		return false;
	/* a newline ends the frame before it */
	end -= end[-1] == '\n';
	nl = memrchr(s, '\n', end - s);
	*frame = nl ? nl + 1 : s;
	*len = end - *frame;
	*left = *frame - s;
	return true;
}

unsigned int hist_label_count_frames(const struct hist_table *table, const struct hist_cell *cell)
{
	const char *s, *frame;
	unsigned int n = 0;
	size_t left, len;

	s = hist_table_string(table, cell->str, &left);
	while (hist_label_next_frame(&s, &left, &frame, &len))
		n++;
	return n;
}

size_t hist_label_symbol_len(const char *frame, size_t len)
{
	const char *plus = memmem(frame, len, "+0x", 3);

	return plus ? (size_t)(plus - frame) : len;
}

unsigned int hist_label_put_bucket(struct hist_strbuf *b, const struct hist_key_desc *key,
				   const struct hist_bounds *bounds, bool exact)
{
	enum hist_unit unit = hist_unit_from_key(key);
	const struct hist_range_ops *range;

	/* the ends of buckets of 100 bytes would be rounded */
	if (hist_unit_is_size(unit) && key->kind == HIST_KEY_BUCKETS && key->bucket % 1024)
		exact = true;
	if (!hist_key_is_log2(key) || unit != HIST_UNIT_NONE)
		return hist_unit_range(b, bounds->ge, bounds->le, bounds->is_signed, unit, exact);
	range = hist_key_traits(key)->range;
	return range->label(b, key, range->find(key, bounds->ge));
}

/* Without HIST_LABEL_OFFSETS, the '+' and the text after it are left out: "+0x5bc/0xbf0". */
static unsigned int stack_label(struct hist_strbuf *b, const char *s, size_t left,
				unsigned int flags)
{
	unsigned int width = 0;
	const char *frame;
	size_t len;

	while (hist_label_next_frame(&s, &left, &frame, &len)) {
		if (width) {
			hist_strbuf_add(b, " <- ", 4);
			width += 4;
		}
		width += hist_escape(b, frame,
				     flags & HIST_LABEL_OFFSETS ? len
								: hist_label_symbol_len(frame, len),
				     flags);
	}
	return width;
}

void hist_label_put_priority(struct hist_strbuf *b, int64_t prio, bool raw)
{
	if (raw || !hist_machine_names_write(NULL, HIST_MACHINE_PRIORITY, prio, b))
		hist_strbuf_s64(b, prio);
}

/* "TIMER [1]"; only the name if it contains the number, or stands for it. */
static unsigned int label_put_named(struct hist_strbuf *b, const struct hist_key_desc *desc,
				    uint64_t num, const char *name, size_t len, unsigned int flags)
{
	unsigned int width = hist_escape(b, name, len, flags);

	if (hist_key_names_flags(desc->names) & (HIST_NAMES_WHOLE | HIST_NAMES_ALONE))
		return width;
	hist_strbuf_add(b, " [", 2);
	hist_strbuf_number(b, num, desc->is_signed);
	hist_strbuf_char(b, ']');
	return width + 3 + hist_strbuf_number_width(num, desc->is_signed);
}

unsigned int hist_label_put(struct hist_strbuf *b, const struct hist_table *table, unsigned int key,
			    const struct hist_cell *cell, unsigned int flags)
{
	const struct hist_key_desc *desc = &hist_table_schema(table)->keys[key];
	struct hist_bounds bounds;
	unsigned int width = 0;
	const char *s;
	size_t len;

	s = hist_table_name(table, key, cell, &len);
	switch (hist_key_form(desc->kind)) {
	case HIST_FORM_SYMBOL:
		if (!len || desc->shows_numbers) {
			hist_strbuf_add(b, "0x", 2);
			hist_strbuf_hex(b, cell->num);
			return 2 + hist_strbuf_hex_width(cell->num);
		}
		if (flags & HIST_LABEL_ADDRESS) {
			hist_strbuf_char(b, '[');
			hist_strbuf_hex(b, cell->num);
			hist_strbuf_add(b, "] ", 2);
			width = hist_strbuf_hex_width(cell->num) + 3;
		}
		return width + hist_escape(b, s, len, flags);
	case HIST_FORM_TASK:
	case HIST_FORM_SYSCALL:
		if (desc->shows_numbers)
			break;
		return label_put_named(b, desc, cell->num, s, len, flags);
	case HIST_FORM_STACK:
		return stack_label(b, s, len, flags);
	case HIST_FORM_STRING:
		/* a blank at the end distinguishes names, and cannot be seen */
		if (!len || s[len - 1] != ' ')
			return hist_escape(b, s, len, flags);
		width = hist_escape(b, s, len - 1, flags);
		hist_strbuf_add(b, "\\x20", 4);
		return width + 4;
	case HIST_FORM_RANGE:
		if (hist_unit_from_key(desc) == HIST_UNIT_NONE)
			return hist_key_traits(desc)->range->label(b, desc, cell->num);
		hist_key_bounds(desc, cell->num, &bounds);
		return hist_label_put_bucket(b, desc, &bounds, false);
	case HIST_FORM_HEX:
		hist_strbuf_hex(b, cell->num);
		return hist_strbuf_hex_width(cell->num);
	case HIST_FORM_UNKNOWN: /* the first row settles this */
		if (cell->str != HIST_NO_STRING)
			return hist_escape(b, s, len, flags);
		break;
	case HIST_FORM_NUMBER:
		s = hist_key_find_name(desc, cell->num, &len);
		if (s)
			return label_put_named(b, desc, cell->num, s, len, flags);
		break;
	}
	hist_strbuf_number(b, cell->num, desc->is_signed);
	return hist_strbuf_number_width(cell->num, desc->is_signed);
}

void hist_label_put_value(struct hist_strbuf *b, const struct hist_table *table,
			  const struct hist_value_desc *value, uint64_t v)
{
	const char *s;
	size_t len;

	switch (value->kind) {
	case HIST_VALUE_HEX:
		hist_strbuf_hex(b, v);
		return;
	case HIST_VALUE_PERCENT:
		hist_strbuf_fixed(b, v, 2);
		return;
	case HIST_VALUE_SAVED:
	case HIST_VALUE_WORST:
		if (v < hist_table_strings(table)) {
			s = hist_table_string(table, (uint32_t)v, &len);
			hist_escape(b, s, len, 0);
		}
		return;
	case HIST_VALUE_SUM:
	case HIST_VALUE_GRAPH:
	case HIST_VALUE_PEAK:
		hist_strbuf_number(b, v, value->is_signed);
	}
}

void hist_label_put_time(struct hist_strbuf *b, uint64_t time, bool ns)
{
	uint64_t us = time / 1000 + (time % 1000 >= 500);

	if (!ns) {
		hist_strbuf_u64(b, time);
		return;
	}
	hist_strbuf_fixed(b, us, 6);
}
