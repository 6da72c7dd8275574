/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * unit.h - durations and sizes with a readable unit: "850 us", "1.5 ms", "2 s", "512 B", "4 KiB"
 */
#ifndef LIB_LABEL_UNIT_H
#define LIB_LABEL_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/strbuf.h"
#include "lib/hist/schema.h"

enum hist_unit {
	HIST_UNIT_NONE,
	HIST_UNIT_NS,
	HIST_UNIT_US,
	HIST_UNIT_MS,
	HIST_UNIT_S,
	HIST_UNIT_BYTES,
	HIST_UNIT_KIB,
	HIST_UNIT_MIB,
	HIST_UNIT_GIB,
	HIST_UNIT_TIB,
	HIST_UNIT_PIB,
	HIST_UNIT_EIB,
	HIST_UNITS,
};

/*
 * hist_unit_from_key, hist_unit_from_value - the unit of the numbers of a key or value
 * The unit follows from the modifier (.usecs), otherwise from the unit in the schema, otherwise
 * from the end of the name: lat_us, delta_ns, usecs, timeout_msecs; pid_ns and similar names are
 * namespaces.  A name with the word "bytes", as "bytes_req" or "nr_bytes", is a size in bytes.
 * HIST_UNIT_NONE for keys that are not plain numbers or buckets of plain numbers, and for values
 * that are not sums.
 */
enum hist_unit hist_unit_from_key(const struct hist_key_desc *key);
enum hist_unit hist_unit_from_value(const struct hist_value_desc *value);

static inline bool hist_unit_is_time(enum hist_unit unit)
{
	return unit >= HIST_UNIT_NS && unit <= HIST_UNIT_S;
}

static inline bool hist_unit_is_size(enum hist_unit unit)
{
	return unit >= HIST_UNIT_BYTES;
}

/*
 * hist_unit_next - the next larger unit; @step: how many of @unit it has, 1000 or 1024
 * HIST_UNIT_NONE after the largest one.
 */
enum hist_unit hist_unit_next(enum hist_unit unit, unsigned int *step);

/* The length of a name without its unit: that of "lat" for "lat_us", and 0 for "usecs". */
size_t hist_unit_stem_len(const char *name);

/*
 * hist_unit_put - write @number in the largest unit that gives at least 1
 * The text has three significant digits, and all digits for numbers below 1000 (sizes: 1024):
 * "999 us", "1.02 ms", "65.5 ms", "2 s", "4295 s", "1023 B", "1.5 KiB".  It is rounded to nearest.
 * With HIST_UNIT_NONE, the plain number is written.  Returns the number of columns.
 */
unsigned int hist_unit_put(struct hist_strbuf *b, uint64_t number, bool is_signed,
			   enum hist_unit unit);

/*
 * hist_unit_range - write the range from @low to @high, both included: "33-64 us", "513 us-1.02 ms"
 * One number is written if they are equal; "-16..-1 us" below zero.  "negative" or "negative..64
 * us" is written for ranges that start with the bounds of HIST_LOG2_NEGATIVE.  Both numbers are
 * written in full if rounding would make them equal: "1000000-1000099 us", and so is one size that
 * rounding would change: "1040 B".  With @exact, all digits are always written: "1025-2048 us",
 * "1536 us".
 */
unsigned int hist_unit_range(struct hist_strbuf *b, uint64_t low, uint64_t high, bool is_signed,
			     enum hist_unit unit, bool exact);

/* hist_unit_real - hist_unit_put() for a mean: "1.27 us", "0.05 us", "47.3" */
unsigned int hist_unit_real(struct hist_strbuf *b, double number, enum hist_unit unit);

/* "ns", "us", "ms", "s", "B", "KiB", ..., "" */
const char *hist_unit_name(enum hist_unit unit);

#endif
