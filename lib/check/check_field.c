// SPDX-License-Identifier: LGPL-2.1
/*
 * check_field.c - check that a field and its modifier fit the purpose
 *
 * The table in modifier_fit.c decides what fits; this file has the error messages.  It refuses what
 * the kernel refuses (parse_field(), create_key_field(), __create_val_field()).  It also refuses
 * what the kernel accepts without a meaningful result: a sum or the log2 of pointers to strings,
 * and .usecs of a field that is not a time stamp.
 */
#include <errno.h>
#include <string.h>

#include "lib/check/check_private.h"
#include "lib/expr/modifier_fit.h"

static bool check_field_fits(const struct hist_typed *typed, enum hist_modifier modifier,
			     bool is_key)
{
	return hist_modifier_fits_meaning(modifier, typed->meaning, typed->field,
					  is_key) == HIST_FITS;
}

/* An address is a number for the kernel, but not a quantity. */
static bool is_number(const struct hist_typed *typed)
{
	return !typed->is_string && !typed->is_stack &&
	       (!typed->field ||
		(hist_field_is_number(typed->field) && !hist_field_address(typed->field)));
}

static int refuse_modifier(struct hist_check *c, const struct hist_typed *typed, const char *hint)
{
	const char *name = hist_field_printed_name(typed->meaning, typed->name);

	return hist_expr_error_refuse(c->error, typed->modifier_at, hint,
				      "\".%s\" cannot be used with \"%.*s\"%s%s",
				      hist_modifier_name(typed->modifier), HIST_SHOW(strlen(name)),
				      name, *hint || is_number(typed) ? "" : ", which is ",
				      *hint || is_number(typed) ? "" : hist_check_type_name(typed));
}

/* The reason why modifier_fit.c refuses: the most general one first. */
static int check_modifier(struct hist_check *c, const struct hist_typed *typed, bool is_key)
{
	enum hist_modifier modifier = typed->modifier;
	bool for_values = modifier == HIST_MOD_PERCENT || modifier == HIST_MOD_GRAPH;
	const char *word = hist_modifier_name(modifier);

	if (modifier == HIST_MOD_NONE || check_field_fits(typed, modifier, is_key))
		return 0;
	if (is_key && for_values) {
		hist_expr_error_refuse(c->error, typed->modifier_at, "",
				       "\".%s\" cannot be used with a key", word);
		return hist_expr_error_hint(c->error,
					    "use it with a value, such as vals=hitcount.%s",
					    word);
	}
	if (!is_key && !for_values && modifier != HIST_MOD_HEX && modifier != HIST_MOD_USECS)
		return hist_expr_error_refuse(c->error, typed->modifier_at,
					      "use .hex, .percent, .graph or no modifier",
					      "\".%s\" cannot be used with a value", word);
	if (modifier == HIST_MOD_STACKTRACE)
		return refuse_modifier(c, typed, typed->meaning == HIST_MEANS_STACK ? "leave it out"
				       : "use it with a field of type long[] of a synthetic event");
	if (!is_number(typed))
		return refuse_modifier(c, typed, "");
	switch (modifier) {
	case HIST_MOD_EXECNAME:
		return refuse_modifier(c, typed, "write common_pid.execname");
	case HIST_MOD_USECS:
		return refuse_modifier(c, typed, "write common_timestamp.usecs");
	case HIST_MOD_SYSCALL:
		return refuse_modifier(c, typed, "use it with a field that contains a system call "
				       "number");
	default:
		/* hitcount as a key: check_field_check_modifier() reports it */
		return 0;
	}
}

static int check_field_check_modifier(struct hist_check *c, const struct hist_typed *typed,
				      bool is_key)
{
	const char *name = hist_field_printed_name(typed->meaning, typed->name);
	const struct hist_event_field *field = typed->field;
	int len = HIST_SHOW(strlen(name));

	if (check_field_fits(typed, HIST_MOD_NONE, is_key))
		return 0;
	if (typed->meaning == HIST_MEANS_HITCOUNT) {
		hist_expr_error_refuse(c->error, typed->at, "",
				       "\"hitcount\" cannot be a key");
		return hist_check_hint_fields(c->event, c->error);
	}
	if (!is_key)
		return hist_expr_error_refuse(c->error, typed->at,
					      check_field_fits(typed, HIST_MOD_NONE, true) ?
						 "use it as a key" : "",
					      "\"%.*s\" is %s, but a value must be a number", len,
					      name, hist_check_type_name(typed));
	if (!field->size)
		return hist_expr_error_refuse(c->error, typed->at, "",
					      "\"%.*s\" has no fixed length and cannot be a key",
					      len, name);
	return hist_expr_error_refuse(
		c->error, typed->at,
		hist_field_address(field)
			? "the kernel counts only strings and fields of 1, 2, 4 or 8 "
			  "bytes"
			: "",
		"\"%.*s\" (%.*s) is %s and cannot be a key", len, name,
		HIST_SHOW(strlen(field->ctype)), field->ctype, hist_check_type_name(typed));
}

int hist_check_key_or_value(struct hist_check *c, const struct hist_typed *typed, bool is_key)
{
	int ret = check_modifier(c, typed, is_key);

	return ret ? ret : check_field_check_modifier(c, typed, is_key);
}

static int refuse_hitcount(struct hist_check *c, const struct hist_typed *typed)
{
	return hist_expr_error_refuse(c->error, typed->at, "",
				      "\"hitcount\" can be used only in vals= and sort=");
}

int hist_check_operand(struct hist_check *c, const struct hist_typed *typed)
{
	enum hist_modifier m = typed->modifier;

	if (typed->meaning == HIST_MEANS_HITCOUNT)
		return refuse_hitcount(c, typed);
	if (!is_number(typed)) {
		bool address = typed->field && hist_field_address(typed->field);

		return hist_expr_error_refuse(c->error, typed->at, "",
					      "\"%.*s\" is %s%snot a number",
					      HIST_SHOW(typed->at.len),
					      c->expr->text + typed->at.start,
					      address ? hist_check_type_name(typed) : "",
					      address ? ", " : "");
	}
	if (hist_modifier_fits_operand(m) && check_field_fits(typed, m, true))
		return 0;
	return hist_expr_error_refuse(c->error, typed->modifier_at,
				      m == HIST_MOD_EXECNAME ? "write common_pid.execname"
				      : m == HIST_MOD_SYM    ? "did you mean \".sym-offset\"?"
				      : m == HIST_MOD_USECS  ? "write common_timestamp.usecs"
							     : "",
				      "\".%s\" cannot be used with an operand",
				      hist_modifier_name(m));
}

int hist_check_definition(struct hist_check *c, const struct hist_typed *typed)
{
	enum hist_modifier m = typed->modifier;
	bool is_range = hist_modifier_makes_range(m);

	if (typed->meaning == HIST_MEANS_HITCOUNT)
		return refuse_hitcount(c, typed);
	if (!is_range && check_field_fits(typed, m, true))
		return 0;
	if (m == HIST_MOD_NONE)
		return hist_expr_error_refuse(c->error, typed->at, "",
					      "\"%s\" is %s and cannot be stored in a variable",
					      typed->name, hist_check_type_name(typed));
	return hist_expr_error_refuse(c->error, typed->modifier_at,
				      m == HIST_MOD_EXECNAME ? "write common_pid.execname" :
				      m == HIST_MOD_USECS	? "write common_timestamp.usecs" :
				      is_range ?
				      "add the modifier to the key that uses the variable" : "",
				      "\".%s\" cannot be used with \"%.*s\" in a variable",
				      hist_modifier_name(m), HIST_SHOW(strlen(typed->name)),
				      typed->name);
}
