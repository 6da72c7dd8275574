/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * label.h - keys as text for people
 *
 * Names are escaped as hist_escape() does it (lib/base/escape.h).
 *
 * Functions return the number of columns that the text takes on a terminal;
 * errors are in the buffer.
 */
#ifndef LIB_LABEL_LABEL_H
#define LIB_LABEL_LABEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/escape.h"
#include "lib/base/strbuf.h"
#include "lib/hist/table.h"

/* Flags next to HIST_ESCAPE_ASCII. */
/* Symbols with their address. */
#define HIST_LABEL_ADDRESS 0x2
/* Of a group (axis.h): with the names of its keys, "next_comm: sh"; stacks need none. */
#define HIST_LABEL_KEYS 0x4

/*
 * hist_label - one key cell in one line, without padding
 *   number -5, hex ff00, symbol "kmalloc" or "[ffffffff81000000] kmalloc",
 *   task "sh [144]", system call "sys_read [0]", log2 "(32, 64]" (K, M, ... are
 *   powers of 1024) or "negative", buckets "100-199" (below zero "-100..-1"), a string
 *   escaped, a stack "innermost <- caller <- ..." without offsets.
 */
unsigned int hist_label(struct hist_strbuf *b, const struct hist_table *table, unsigned int key,
			const struct hist_cell *cell, unsigned int flags);

/*
 * hist_label_value - a value as its modifier prints it: -5, ff00, "12.34" of percent, the length
 * of a bar, the text of saved values, escaped
 */
void hist_label_value(struct hist_strbuf *b, const struct hist_table *table,
		      const struct hist_value_desc *value, uint64_t v);

/*
 * hist_stack_frame - the next frame of a stack cell's string
 * @at, @left: begin with the string; moved on.  False at the end.
 */
bool hist_stack_frame(const char **at, size_t *left, const char **frame, size_t *len);

/*
 * hist_bucket_label - a range of the numbers of @key: with its unit, as hist_unit_range(),
 * or @exact with all digits; log2 without a unit as hist_label(): "(32, 64]"
 */
unsigned int hist_bucket_label(struct hist_strbuf *b, const struct hist_key_desc *key,
			       const struct hist_bounds *bounds, bool exact);

/* True when a trace clock of that name counts nanoseconds (trace_clocks[] in trace.c). */
bool hist_clock_is_ns(const char *clock);

/*
 * hist_label_time - seconds with six digits, rounded, as `trace-cmd report`
 * prints the time of events; the bare number for clocks that do not count ns
 */
void hist_label_time(struct hist_strbuf *b, uint64_t time, bool ns);

/*
 * hist_rate_text - a rate of thousandths a second: "0", "<0.1", "0.5", "1234"
 * Those below 100 have a digit behind the point.
 */
void hist_rate_text(int64_t rate, char *buf, size_t len);

#endif
