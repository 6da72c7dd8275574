/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * schema.h - the shape of one histogram: which keys, which values, printed how
 *
 * A schema is made from a hist trigger expression (expr.h) and, where it is
 * known, the format of the event (event.h).  It tells the text parser what to
 * expect in a row of the kernel's `hist` file, and every output what a number
 * means.  Source of the print formats: hist_trigger_print_key() and
 * hist_trigger_print_val() in kernel/trace/trace_events_hist.c.
 *
 * All functions return 0 or -errno.  On failure nothing is changed.
 */
#ifndef LIB_HIST_SCHEMA_H
#define LIB_HIST_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/hist/key_kind.h"

struct hist_expr;
struct hist_event;

/* The kernel takes TRACING_MAP_KEYS_MAX keys and TRACING_MAP_VALS_MAX values. */
#define HIST_KEYS_MAX 3
#define HIST_VALUES_MAX 8

/* What a value is.  The numbers are part of the file format. */
enum hist_value_kind {
	HIST_VALUE_SUM = 0,	/* u64 sum modulo 2^64, printed decimal */
	HIST_VALUE_HEX = 1,	/* the same, printed in hex */
	HIST_VALUE_PERCENT = 2, /* hundredths of a percent of the total; no sum */
	HIST_VALUE_GRAPH = 3,	/* length of a bar, 0 to 20; no sum */
	HIST_VALUE_SAVED = 4,	/* string id of a row's "max:"/"changed:" lines */
};

struct hist_value_desc {
	char *name; /* "hitcount", "bytes_req" */
	enum hist_value_kind kind;
	bool is_signed; /* show as int64_t */
};

/* A part of the text of a HIST_VALUE_SAVED, in the order in which the kernel prints them. */
struct hist_saved_desc {
	char *name;		/* "max", "changed", or the field in save() */
	unsigned int sign_size; /* bytes of a signed field, whose number the kernel prints as u64 */
	bool begins;		/* a line: "max" or "changed" */
	bool is_string;
	bool is_unknown;	/* string or number: the event's format is not known */
};

/*
 * Plain data; owns the names.  saved[] is only for reading the kernel's text: the texts that
 * a file holds have signs, so it is not in files.
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
 * hist_schema_make - the schema of what the kernel prints for @expr
 * Names are those of the rows (hist_field_name()): common_cpu for cpu,
 * common_stacktrace for stacktrace (rows of kernels before 6.3 say
 * "stacktrace"), the field's own name for FIELD.stacktrace.  Values in the order
 * of the row: hitcount unless nohitcount; then what vals= names, but for the
 * first plain hitcount and expressions, which are not printed; then "saved"
 * where onmax() or onchange() add lines (track_data_print()).
 * The kernel writes expressions anew: for a key that is one, pass the trigger
 * as the kernel prints it.
 * @event may be NULL: then plain keys are HIST_KEY_UNKNOWN and values unsigned,
 * but for common_pid and the like; and cpu is a field of that name, as it is
 * in what the kernel prints.
 * -EINVAL: @expr has no or too many keys or values; -ENOMEM.
 */
int hist_schema_make(struct hist_schema **schema, const struct hist_expr *expr,
		     const struct hist_event *event);

/* A deep copy, or NULL without memory. */
struct hist_schema *hist_schema_copy(const struct hist_schema *schema);

void hist_schema_free(struct hist_schema *schema);

/* The modifier as written in an expression: "percent", "" for none. */
const char *hist_value_modifier(enum hist_value_kind kind);

/* Index of "hitcount" among the values, or -1 (nohitcount). */
int hist_schema_hitcount(const struct hist_schema *schema);

/* True when the kind is a true sum, so that snapshots can be subtracted. */
static inline bool hist_value_is_sum(enum hist_value_kind kind)
{
	return kind == HIST_VALUE_SUM || kind == HIST_VALUE_HEX;
}

/* True if the rows have shown of each key what it is (HIST_KEY_UNKNOWN). */
bool hist_schema_is_settled(const struct hist_schema *schema);

/* Index of the first key that is a stack, or -1. */
int hist_schema_stack_key(const struct hist_schema *schema);

#endif
