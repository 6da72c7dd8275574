/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * label.h - keys and values as text for users
 *
 * Names are escaped with hist_escape() (lib/base/escape.h).
 *
 * The functions return the number of columns of the text on a terminal; errors are kept in the
 * buffer.
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
/* Show symbols with their address. */
#define HIST_LABEL_ADDRESS 0x2
/* For a group (axis.h): show the names of its keys, "next_comm: sh", except for stacks. */
#define HIST_LABEL_KEYS 0x4
/* Show the frames of stacks with their offsets. */
#define HIST_LABEL_OFFSETS 0x8
/* Priorities as the kernel has them: 120 for "nice 0". */
#define HIST_LABEL_NUMBERS 0x10

/*
 * hist_label_put - write the cell of a key on one line, without padding
 *   number -5, a number with a name (key_names.h) "TIMER [1]" or "8:0 sda", hex ff00, symbol
 *   "kmalloc" or "[ffffffff81000000] kmalloc", task "sh [144]", system call "sys_read [0]", log2
 *   "(32, 64]" (K, M, ... are powers of 1024) or "negative", buckets "100-199" (below zero
 *   "-100..-1"), buckets of durations "33-64 us", a string escaped, with
 *   a blank at the end as "\x20", a stack "innermost <- caller <- ...".
 * If the key shows numbers (--raw-names): number 1, symbol 0xffffffff81000000, task 144.
 */
unsigned int hist_label_put(struct hist_strbuf *b, const struct hist_table *table, unsigned int key,
			    const struct hist_cell *cell, unsigned int flags);

/*
 * hist_label_put_value - write a value as its modifier prints it
 * -5, ff00, "12.34" for percent, the length of a bar for graph, the escaped text for saved values.
 */
void hist_label_put_value(struct hist_strbuf *b, const struct hist_table *table,
			  const struct hist_value_desc *value, uint64_t v);

/*
 * hist_label_next_frame - the next frame in the string of a stack cell
 * @at, @left: initially the whole string; advanced past the frame.
 * False at the end.
 */
bool hist_label_next_frame(const char **at, size_t *left, const char **frame, size_t *len);

/*
 * hist_label_last_frame - the last of the first *@left bytes of the string of a stack cell
 * @left: initially the length of @s; then the bytes before the frame.  False at the beginning.
 */
bool hist_label_last_frame(const char *s, size_t *left, const char **frame, size_t *len);

unsigned int hist_label_count_frames(const struct hist_table *table, const struct hist_cell *cell);

/* The length of a frame without its offset and size: "+0x10/0x20". */
size_t hist_label_symbol_len(const char *frame, size_t len);

/*
 * hist_label_put_bucket - write a range of numbers of @key
 * The range is a bucket, or one number.  All views write a bucket with this function.
 * The range has a unit, as in hist_unit_range(), or all digits if @exact, and for buckets that are
 * not whole KiB.  A log2 range without a unit is written as "(32, 64]".
 */
unsigned int hist_label_put_bucket(struct hist_strbuf *b, const struct hist_key_desc *key,
				   const struct hist_bounds *bounds, bool exact);

/* Write a priority of the kernel as "nice 0"; @raw, and if it has no name: "120". */
void hist_label_put_priority(struct hist_strbuf *b, int64_t prio, bool raw);

/*
 * hist_label_put_time - write a time in seconds with six digits, rounded
 * `trace-cmd report` prints the time of events in this form.  The time is written as a plain number
 * if @ns is false, for clocks that do not count ns.
 */
void hist_label_put_time(struct hist_strbuf *b, uint64_t time, bool ns);

#endif
