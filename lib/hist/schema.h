/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * schema.h - the schema of one histogram: its keys, its values, and their print formats
 *
 * A schema is made from a hist trigger expression (expr.h) and, if known, the format of the event
 * (event.h).  The text parser uses it to read the rows of the kernel's `hist` file, and every
 * output uses it to interpret a number.  Source of the print formats: hist_trigger_print_key() and
 * hist_trigger_print_val() in kernel/trace/trace_events_hist.c.
 *
 * All functions return 0 or -errno.  Nothing is changed on failure.
 */
#ifndef LIB_HIST_SCHEMA_H
#define LIB_HIST_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/hist/key_kind.h"

struct hist_expr;
struct hist_event;

/* The kernel's limits: TRACING_MAP_KEYS_MAX keys and TRACING_MAP_VALS_MAX values. */
#define HIST_KEYS_MAX 3
#define HIST_VALUES_MAX 8

/* The kind of a value.  The numbers are part of the file format. */
enum hist_value_kind {
	HIST_VALUE_SUM = 0,	/* u64 sum modulo 2^64, printed in decimal */
	HIST_VALUE_HEX = 1,	/* the same, printed in hex */
	HIST_VALUE_PERCENT = 2, /* hundredths of a percent of the total; no sum */
	HIST_VALUE_GRAPH = 3,	/* length of a bar, 0 to 20; no sum */
	HIST_VALUE_SAVED = 4,	/* string id of a row's "max:"/"changed:" lines */
	/*
	 * The same for the "max:" line of a trigger that keeps only the worst:
	 * onmax($worst).save(), with a variable whose name begins with "worst".  It is the last
	 * value, and no column.
	 */
	HIST_VALUE_WORST = 5,
	/*
	 * The largest value since the snapshot before, 0 if there was none.  Only the engine has
	 * it, right before its HIST_VALUE_WORST.  It is no column.
	 */
	HIST_VALUE_PEAK = 6,
};

struct hist_value_desc {
	char *name; /* "hitcount", "bytes_req" */
	enum hist_value_kind kind;
	bool is_signed; /* show as int64_t */
	const char *unit; /* as in struct hist_key_desc */
};

/* One item of the text of a HIST_VALUE_SAVED, in the order in which the kernel prints them. */
struct hist_saved_desc {
	char *name;		/* "max", "changed", or the field in save() */
	unsigned int sign_size; /* bytes of a signed field, which the kernel prints as u64 */
	bool begins;		/* begins a line: "max" or "changed" */
	bool is_string;
	bool is_unknown;	/* string or number: the event's format is unknown */
};

/*
 * Plain data; owns the names.  saved[] is used only to read the kernel's text.  It is not stored in
 * files, because the texts in a file already have signs.
 */
struct hist_schema {
	unsigned int nkeys;
	unsigned int nvalues;
	unsigned int nsaved;
	struct hist_key_desc keys[HIST_KEYS_MAX];
	struct hist_value_desc values[HIST_VALUES_MAX];
	struct hist_saved_desc *saved;
};

/*
 * hist_schema_make - the schema of the rows that the kernel prints for @expr
 *
 * Keys and values have the names of the rows (hist_field_name()): common_cpu for cpu;
 * common_stacktrace for stacktrace (kernels before 6.3 print "stacktrace"); the field's own name
 * for FIELD.stacktrace.  Values are in the order of the row: hitcount, except with nohitcount; then
 * the fields in vals=, except the first plain hitcount and expressions, which are not printed; then
 * "saved" or "worst" if onmax() or onchange() print lines (track_data_print()).
 *
 * @expr: the kernel rewrites expressions.  If a key is an expression, pass the trigger as the
 * kernel prints it.
 * @event: may be NULL.  Plain keys are then HIST_KEY_UNKNOWN and values are unsigned, except
 * common_pid and similar fields.  "cpu" is then a field of that name, as in what the kernel prints.
 * 0; -EINVAL if @expr does not have keys, or has too many keys or values; -ENOMEM.
 */
int hist_schema_make(struct hist_schema **schema, const struct hist_expr *expr,
		     const struct hist_event *event);

/* A deep copy, or NULL if out of memory. */
struct hist_schema *hist_schema_copy(const struct hist_schema *schema);

void hist_schema_free(struct hist_schema *schema);

/* The modifier in an expression: "percent", "" for none. */
const char *hist_schema_value_modifier(enum hist_value_kind kind);

/* Index of "hitcount" among the values, or -1 (nohitcount). */
int hist_schema_hitcount(const struct hist_schema *schema);

/* True if the kind is a true sum, so that snapshots can be subtracted. */
static inline bool hist_value_is_sum(enum hist_value_kind kind)
{
	return kind == HIST_VALUE_SUM || kind == HIST_VALUE_HEX;
}

/* True if the value is the id of a string. */
static inline bool hist_value_is_text(enum hist_value_kind kind)
{
	return kind == HIST_VALUE_SAVED || kind == HIST_VALUE_WORST;
}

/*
 * True if a difference of two snapshots subtracts the value.  The difference of a HIST_VALUE_WORST
 * is 0 if it did not rise; it has no other meaning, and that of a HIST_VALUE_PEAK has none.
 */
static inline bool hist_value_is_subtracted(enum hist_value_kind kind)
{
	return hist_value_is_sum(kind) || kind == HIST_VALUE_WORST || kind == HIST_VALUE_PEAK;
}

/*
 * hist_value_convert - what the kernel prints for @value: hundredths of a percent, columns of a bar
 * @whole: the sum of the value over all rows for HIST_VALUE_PERCENT, its largest for GRAPH.
 * @long_size: of the kernel, 4 or 8.  A percentage that the kernel cannot compute is 0.
 */
uint64_t hist_value_convert(enum hist_value_kind kind, uint64_t value, uint64_t whole,
			    unsigned int long_size);

/* True if the rows have determined the kind of every key (no HIST_KEY_UNKNOWN). */
bool hist_schema_is_settled(const struct hist_schema *schema);

/* Index of the HIST_VALUE_WORST, or -1. */
int hist_schema_worst(const struct hist_schema *schema);

/* Index of the HIST_VALUE_PEAK, or -1. */
int hist_schema_peak(const struct hist_schema *schema);

/* Add a HIST_VALUE_PEAK if there is a HIST_VALUE_WORST, and room for it.  0 or -ENOMEM. */
int hist_schema_add_peak(struct hist_schema *schema);

/* The number of values that are columns: all except HIST_VALUE_WORST and HIST_VALUE_PEAK. */
unsigned int hist_schema_columns(const struct hist_schema *schema);

/* Index of the first key that is a stack, or -1. */
int hist_schema_stack_key(const struct hist_schema *schema);

#endif
