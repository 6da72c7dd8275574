/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * unit.h - durations that read as people say them: "850 us", "1.5 ms", "2 s"
 */
#ifndef LIB_LABEL_UNIT_H
#define LIB_LABEL_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/strbuf.h"
#include "lib/hist/schema.h"

enum hist_unit { HIST_UNIT_NONE, HIST_UNIT_NS, HIST_UNIT_US, HIST_UNIT_MS, HIST_UNIT_S };

/*
 * hist_unit_of_key, hist_unit_of_value - what the numbers of a key or value count
 * By the modifier (.usecs), else by how the name ends: lat_us, delta_ns, usecs,
 * timeout_msecs; pid_ns and the like are namespaces.  Keys that are no plain
 * numbers or buckets of such, and values that are no sums, have none.
 */
enum hist_unit hist_unit_of_key(const struct hist_key_desc *key);
enum hist_unit hist_unit_of_value(const struct hist_value_desc *value);

/*
 * hist_unit_put - @number in the largest unit that leaves at least 1, three digits
 * kept and nothing lost below 1000: "999 us", "1.02 ms", "65.5 ms", "2 s", "4295 s".
 * Rounded to nearest.  Without a unit the plain number.  Returns the columns.
 */
unsigned int hist_unit_put(struct hist_strbuf *b, uint64_t number, bool is_signed,
			   enum hist_unit unit);

/*
 * hist_unit_range - from @low to @high, both included: "33-64 us", "513 us-1.02 ms"
 * One number where they are equal; "-16..-1 us" below zero, and "negative" or "negative..64 us"
 * from the bounds of HIST_LOG2_NEGATIVE on.  Where rounding
 * would make them equal, the numbers as they are: "1000000-1000099 us".
 */
unsigned int hist_unit_range(struct hist_strbuf *b, uint64_t low, uint64_t high, bool is_signed,
			     enum hist_unit unit);

/* hist_unit_exact - the same with all digits: "1025-2048 us", "1536 us" */
unsigned int hist_unit_exact(struct hist_strbuf *b, uint64_t low, uint64_t high, bool is_signed,
			     enum hist_unit unit);

/* hist_unit_real - as hist_unit_put(), of a mean: "1.27 us", "0.05 us", "47.3" */
unsigned int hist_unit_real(struct hist_strbuf *b, double number, enum hist_unit unit);

/* "ns", "us", "ms", "s", "" */
const char *hist_unit_name(enum hist_unit unit);

#endif
