// SPDX-License-Identifier: LGPL-2.1
/*
 * modifier_fit.c - which modifiers fit a field, as a key and as a value
 *
 * A field belongs to one class; a table has a row for each class and a column
 * for each modifier.  The kernel looks at few combinations: it refuses
 * .execname but on common_pid, .stacktrace but on a stack of a synthetic event,
 * .percent and .graph on keys, and on values what only changes how a key is
 * printed.  The rest it takes, whether it means something or not.
 */
#include <string.h>

#include "lib/expr/modifier_fit_private.h"

enum field_class {
	CLASS_NUMBER,
	CLASS_PID,    /* common_pid */
	CLASS_STRING,
	CLASS_STACK_FIELD, /* of a synthetic event */
	CLASS_OTHER,
	CLASS_DYNAMIC, /* neither string nor number, of variable length: its location is summed */
	CLASS_TIMESTAMP,
	CLASS_CPU,
	CLASS_COMM,
	CLASS_STACK,
	CLASS_HITCOUNT,
	CLASSES,
};

#define COLUMNS (HIST_MOD_GRAPH + 1)

/*
 * In the order of enum hist_modifier:
 * none hex sym sym-offset execname syscall log2 buckets usecs stacktrace percent graph
 * 'y' fits, 's' is senseless, '-' is refused.
 */
static const char key_fits[CLASSES][COLUMNS + 1] = {
	[CLASS_NUMBER]	    = "yyyy-yyys---",
	[CLASS_PID]	    = "yyyyyyyys---",
	[CLASS_STRING]	    = "ysss-ssss---",
	[CLASS_STACK_FIELD] = "ysss-ssssy--",
	[CLASS_OTHER]	    = "------------",
	[CLASS_DYNAMIC]	    = "ssss-ssss---",
	[CLASS_TIMESTAMP]   = "yyyy-syyy---",
	[CLASS_CPU]	    = "yyyy-syys---",
	[CLASS_COMM]	    = "ysss-ssss---",
	[CLASS_STACK]	    = "ysss-ssss---",
	[CLASS_HITCOUNT]    = "ssss-ssss---",
};

static const char value_fits[CLASSES][COLUMNS + 1] = {
	[CLASS_NUMBER]	    = "yy------s-yy",
	[CLASS_PID]	    = "yy--s---s-yy",
	[CLASS_STRING]	    = "ss------s-ss",
	[CLASS_STACK_FIELD] = "------------",
	[CLASS_OTHER]	    = "------------",
	[CLASS_DYNAMIC]	    = "ss------s-ss",
	[CLASS_TIMESTAMP]   = "yy------y-yy",
	[CLASS_CPU]	    = "yy------s-yy",
	[CLASS_COMM]	    = "ss------s-ss",
	[CLASS_STACK]	    = "------------",
	[CLASS_HITCOUNT]    = "yy------s-yy",
};

static enum field_class class_of_field(const struct hist_event_field *field)
{
	if (!field->size)
		return CLASS_OTHER; /* the rest of the event, as buf of ftrace:print: not found */
	switch (field->type) {
	case HIST_FIELD_NUMBER:
		return strcmp(field->name, "common_pid") ? CLASS_NUMBER : CLASS_PID;
	case HIST_FIELD_STRING:
		return CLASS_STRING;
	case HIST_FIELD_STACK:
		return CLASS_STACK_FIELD;
	default:
		return field->is_dynamic ? CLASS_DYNAMIC : CLASS_OTHER;
	}
}

static enum field_class class_of(enum hist_meaning meaning, const struct hist_event_field *field)
{
	switch (meaning) {
	case HIST_MEANS_FIELD:
		return class_of_field(field);
	case HIST_MEANS_TIMESTAMP:
		return CLASS_TIMESTAMP;
	case HIST_MEANS_CPU:
		return CLASS_CPU;
	case HIST_MEANS_COMM:
		return CLASS_COMM;
	case HIST_MEANS_STACK:
		return CLASS_STACK;
	case HIST_MEANS_HITCOUNT:
		return CLASS_HITCOUNT;
	default:
		return CLASSES;
	}
}

enum hist_fit hist_fit(enum hist_modifier modifier, enum hist_meaning meaning,
		       const struct hist_event_field *field, bool is_key)
{
	enum field_class class = class_of(meaning, field);

	if (class == CLASSES || modifier >= COLUMNS)
		return HIST_FITS_NOT;
	switch ((is_key ? key_fits : value_fits)[class][modifier]) {
	case 'y':
		return HIST_FITS;
	case 's':
		return HIST_FITS_SENSELESS;
	default:
		return HIST_FITS_NOT;
	}
}

enum hist_fit hist_modifier_fits(enum hist_modifier modifier, const char *name,
				 const struct hist_event *event, bool is_key)
{
	const struct hist_event_field *field;
	enum hist_meaning meaning;

	meaning = hist_meaning_of(name, is_key && modifier == HIST_MOD_NONE, event, &field);
	return hist_fit(modifier, meaning, field, is_key);
}
