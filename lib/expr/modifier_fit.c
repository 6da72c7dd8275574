// SPDX-License-Identifier: LGPL-2.1
/*
 * modifier_fit.c - the modifiers, and which of them fit a field, as a key and as a value
 *
 * A field belongs to one class.  A table has a row for each modifier and a column for each class.
 * The kernel refuses only few combinations: .execname except on common_pid; .stacktrace except on a
 * stack of a synthetic event; .percent and .graph on keys; on values, modifiers that only change
 * how a key is printed.  It accepts all others, also those without a meaning.
 */
#include <string.h>

#include "lib/expr/modifier_fit.h"

enum field_class {
	CLASS_NUMBER,
	CLASS_PID,    /* common_pid */
	CLASS_STRING,
	CLASS_STACK_FIELD, /* of a synthetic event */
	CLASS_OTHER,
	CLASS_DYNAMIC, /* variable length, not a string or number: the kernel sums its location */
	CLASS_TIMESTAMP,
	CLASS_CPU,
	CLASS_COMM,
	CLASS_STACK,
	CLASS_HITCOUNT,
	CLASS_ADDRESS, /* a number that the print fmt shows as an address */
	CLASSES,
};

/*
 * A row for each modifier: its name, and which fields it fits as a key and as a value, in the
 * order of enum field_class: number pid string stack-field other dynamic timestamp cpu comm
 * stack hitcount address.  'y' fits, 's' is senseless, '-' is refused.
 */
static const struct {
	const char *name;
	char key[CLASSES + 1], value[CLASSES + 1];
	bool fits_operand;
	bool makes_range; /* it maps numbers to ranges, which a variable cannot hold */
} modifiers[] = {
	[HIST_MOD_NONE] = { "", "yyyy-syyyysy", "yys--syys-ys", .fits_operand = true },
	[HIST_MOD_HEX] = { "hex", "yyss-syysssy", "yys--syys-ys", .fits_operand = true },
	[HIST_MOD_SYM] = { .name = "sym", "yyss-syyssss", "------------" },
	[HIST_MOD_SYM_OFFSET] = { .name = "sym-offset", "yyss-syyssss", "------------" },
	[HIST_MOD_EXECNAME] = { .name = "execname", "-y----------", "-s----------" },
	[HIST_MOD_SYSCALL] = { .name = "syscall", "yyss-sssssss", "------------" },
	[HIST_MOD_LOG2] = { "log2", "yyss-syyssss", "------------", true, true },
	[HIST_MOD_BUCKETS] = { "buckets", "yyss-syyssss", "------------", true, true },
	[HIST_MOD_USECS] = { "usecs", "ssss-sysssss", "sss--syss-ss", .fits_operand = true },
	[HIST_MOD_STACKTRACE] = { .name = "stacktrace", "---y--------", "------------" },
	[HIST_MOD_PERCENT] = { .name = "percent", "------------", "yys--syys-ys" },
	[HIST_MOD_GRAPH] = { .name = "graph", "------------", "yys--syys-ys" },
	[HIST_MOD_ASCENDING] = { .name = "ascending" },
	[HIST_MOD_DESCENDING] = { .name = "descending" },
};

const char *hist_modifier_name(enum hist_modifier modifier)
{
	return modifier < HIST_MODIFIERS ? modifiers[modifier].name : "";
}

bool hist_modifier_fits_operand(enum hist_modifier modifier)
{
	return modifiers[modifier].fits_operand;
}

bool hist_modifier_makes_range(enum hist_modifier modifier)
{
	return modifiers[modifier].makes_range;
}

static enum field_class modifier_fit_field_class_of(const struct hist_event_field *field)
{
	if (!field->size)
		return CLASS_OTHER; /* rest of the event (buf of ftrace:print): not found */
	if (hist_field_is_number(field) && hist_field_address(field))
		return CLASS_ADDRESS;
	if (hist_field_is_number(field))
		return strcmp(field->name, "common_pid") ? CLASS_NUMBER : CLASS_PID;
	if (hist_field_is_string(field))
		return CLASS_STRING;
	if (hist_field_is_stack(field))
		return CLASS_STACK_FIELD;
	return field->is_dynamic ? CLASS_DYNAMIC : CLASS_OTHER;
}

static enum field_class modifier_fit_find_class(enum hist_meaning meaning,
						const struct hist_event_field *field)
{
	switch (meaning) {
	case HIST_MEANS_FIELD:
		return modifier_fit_field_class_of(field);
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

enum hist_modifier_fit hist_modifier_fits_meaning(enum hist_modifier modifier,
						  enum hist_meaning meaning,
						  const struct hist_event_field *field, bool is_key)
{
	enum field_class class = modifier_fit_find_class(meaning, field);

	if (class == CLASSES || modifier >= HIST_MODIFIERS)
		return HIST_FITS_NOT;
	switch ((is_key ? modifiers[modifier].key : modifiers[modifier].value)[class]) {
	case 'y':
		return HIST_FITS;
	case 's':
		return HIST_FITS_SENSELESS;
	default:
		return HIST_FITS_NOT;
	}
}

enum hist_modifier_fit hist_modifier_fits(enum hist_modifier modifier, const char *name,
					  const struct hist_event *event, bool is_key)
{
	const struct hist_event_field *field;
	enum hist_meaning meaning;

	meaning = hist_field_find_meaning(name, is_key && modifier == HIST_MOD_NONE, event, &field);
	return hist_modifier_fits_meaning(modifier, meaning, field, is_key);
}
