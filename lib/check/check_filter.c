// SPDX-License-Identifier: LGPL-2.1
/*
 * check_filter.c - check a filter against the fields of its event
 *
 * Each comparison is checked by itself.  The field's class decides which operators and values fit
 * (parse_pred() in trace_events_filter.c).  The check also refuses comparisons that the kernel
 * accepts but that never match: a number with a stack, with a struct or with an array of variable
 * length; a task name that is longer than the kernel's limit.
 */
#include <errno.h>
#include <string.h>

#include "lib/check/check_private.h"
#include "lib/event/address.h"

#define TASK_COMM_LEN 16 /* the kernel's limit, with the NUL */

enum field_class {
	CLASS_NUMBER,
	CLASS_STRING,  /* char[N], __data_loc char[] */
	CLASS_POINTER, /* char *: compared as a string */
	CLASS_CPU,
	CLASS_COMM,
	CLASS_CPUMASK,
	CLASS_STACK,
	CLASS_ADDRESS, /* a number that is shown as an address */
	CLASS_OTHER,
	CLASS_NONE, /* no such field */
};

struct filter_check {
	const struct hist_event *event;
	const struct hist_kernel *kernel;
	struct hist_error *error;
};

/* trace_define_generic_fields() */
static const struct {
	const char *name;
	enum field_class class;
} generic_fields[] = {
	{ "common_cpu", CLASS_CPU },   { "CPU", CLASS_CPU },   { "cpu", CLASS_CPU },
	{ "COMM", CLASS_COMM },	       { "comm", CLASS_COMM }, { "stacktrace", CLASS_STACK },
	{ "STACKTRACE", CLASS_STACK },
};

static enum field_class check_filter_field_class_of(const struct hist_event_field *field)
{
	if (hist_field_is_string(field))
		return CLASS_STRING;
	if (hist_field_is_stack(field))
		return CLASS_STACK;
	if (hist_field_is_number(field) && hist_field_address(field))
		return CLASS_ADDRESS;
	if (hist_field_is_number(field))
		return hist_event_is_string_pointer(field->ctype) ? CLASS_POINTER : CLASS_NUMBER;
	return strstr(field->ctype, "cpumask_t") ? CLASS_CPUMASK : CLASS_OTHER;
}

static enum field_class check_filter_find_class(const struct filter_check *c, const char *name,
						const struct hist_event_field **field)
{
	size_t i;

	*field = hist_event_find(c->event, name);
	if (*field)
		return check_filter_field_class_of(*field);
	for (i = 0; i < sizeof(generic_fields) / sizeof(*generic_fields); i++) {
		if (strcmp(generic_fields[i].name, name))
			continue;
		if (generic_fields[i].class == CLASS_STACK && !c->kernel->stacks)
			break;
		return generic_fields[i].class;
	}
	return CLASS_NONE;
}

static const char *const class_names[] = {
	[CLASS_NUMBER] = "a number",
	[CLASS_STRING] = "a string",
	[CLASS_POINTER] = "a string",
	[CLASS_CPU] = "a number",
	[CLASS_COMM] = "a string",
	[CLASS_CPUMASK] = "a set of CPUs",
	[CLASS_STACK] = "a stack",
	[CLASS_ADDRESS] = "an address",
	[CLASS_OTHER] = "neither a number nor a string",
};

/* What the field of @f is, for a message. */
static const char *check_filter_class_name(const struct filter_check *c,
					   const struct hist_filter *f, enum field_class class)
{
	const struct hist_event_field *field = hist_event_find(c->event, f->field);
	const char *address = field ? hist_address_name(hist_field_address(field)) : NULL;

	return address ? address : class_names[class];
}

static bool is_string(enum field_class class)
{
	return class == CLASS_STRING || class == CLASS_POINTER || class == CLASS_COMM;
}

/* @other: what the field is compared with */
static int refuse_value(const struct filter_check *c, const struct hist_filter *f,
			enum field_class class, const char *other, const char *hint)
{
	return hist_expr_error_refuse(c->error, f->value_span, hint,
				      "\"%.*s\" is %s and cannot be compared with %s",
				      HIST_SHOW(strlen(f->field)), f->field,
				      check_filter_class_name(c, f, class), other);
}

static int refuse_op(const struct filter_check *c, const struct hist_filter *f,
		     enum field_class class, const char *fitting)
{
	return hist_expr_error_refuse(c->error, f->op_span, fitting,
				      "\"%s\" cannot be used with \"%.*s\", which is %s",
				      hist_filter_op_name(f->op), HIST_SHOW(strlen(f->field)),
				      f->field, check_filter_class_name(c, f, class));
}

/* The minimum length of a string that matches @pattern, a glob pattern with * ? and [...]. */
static size_t least_len(const char *pattern)
{
	const char *end;
	size_t n = 0;

	for (; *pattern; pattern++) {
		if (*pattern == '*')
			continue;
		/* the first character of a set may be a bracket */
		end = *pattern == '[' && pattern[1] ? strchr(pattern + 2, ']') : NULL;
		if (end)
			pattern = end;
		else if (*pattern == '\\' && pattern[1])
			pattern++;
		n++;
	}
	return n;
}

/*
 * The kernel truncates task names and adds a NUL, so a longer name never matches.  It compares all
 * bytes of other arrays.
 */
static int check_filter_check_string_length(const struct filter_check *c,
					    const struct hist_filter *f,
					    enum field_class class,
					    const struct hist_event_field *field)
{
	size_t len = f->op == HIST_FILTER_GLOB ? least_len(f->value) : strlen(f->value);
	bool is_comm = class == CLASS_COMM || (field && !field->is_dynamic &&
			field->size == TASK_COMM_LEN && strstr(field->name, "comm"));

	if (!is_comm || f->op == HIST_FILTER_NE || len < TASK_COMM_LEN)
		return 0;
	hist_expr_error_refuse(c->error, f->value_span, "",
			       "\"%.*s\" never matches \"%.*s\", which is at most %d bytes long",
			       HIST_SHOW(strlen(f->value)), f->value, HIST_SHOW(strlen(f->field)),
			       f->field, TASK_COMM_LEN - 1);
	if (f->op == HIST_FILTER_GLOB)
		return -EINVAL;
	return hist_expr_error_hint(c->error, "write \"%.*s\"", TASK_COMM_LEN - 1, f->value);
}

static int check_string(const struct filter_check *c, const struct hist_filter *f,
			enum field_class class, const struct hist_event_field *field)
{
	if (!is_string(class))
		return refuse_value(c, f, class, "a string",
				    class == CLASS_NUMBER || class == CLASS_CPU ?
				    "compare it with a number, without quotes" :
				    class == CLASS_ADDRESS ?
				    "compare it with an address, without quotes" : "");
	if (f->op != HIST_FILTER_EQ && f->op != HIST_FILTER_NE && f->op != HIST_FILTER_GLOB)
		return refuse_op(c, f, class, "use ==, != or ~");
	return check_filter_check_string_length(c, f, class, field);
}

static int check_number(const struct filter_check *c, const struct hist_filter *f,
			enum field_class class, const struct hist_event_field *field)
{
	bool is_signed = class == CLASS_CPU || (field && field->is_signed);
	bool negative = f->value[0] == '-';
	uint64_t number;

	if (is_string(class))
		return refuse_value(c, f, class, "a number", "compare it with a string in quotes");
	if (class == CLASS_ADDRESS && f->op != HIST_FILTER_EQ && f->op != HIST_FILTER_NE &&
	    f->op != HIST_FILTER_BAND)
		return refuse_op(c, f, class, "use ==, != or &");
	if (class != CLASS_NUMBER && class != CLASS_CPU && class != CLASS_ADDRESS)
		return refuse_value(c, f, class, "a number", "");
	if (f->op == HIST_FILTER_GLOB)
		return refuse_op(c, f, class, "use ==, !=, <, <=, >, >= or &");
	if (!hist_expr_parse_number(f->value + negative, strlen(f->value + negative), &number))
		return -EINVAL;
	if (negative && !is_signed)
		return hist_expr_error_refuse(c->error, f->value_span, "",
					      "\"%.*s\" is never negative",
					      HIST_SHOW(strlen(f->field)), f->field);
	if (is_signed && number > (uint64_t)INT64_MAX + negative)
		return hist_expr_error_refuse(c->error, f->value_span, "",
					      "\"%s\" does not fit in a signed 64-bit number",
					      f->value);
	return 0;
}

static int check_cpus(const struct filter_check *c, const struct hist_filter *f,
		      enum field_class class)
{
	if (!c->kernel->filter_cpus)
		return hist_expr_error_refuse(c->error, f->value_span, HIST_SINCE("6.6"),
					      "this kernel does not support CPUS{} in filters");
	if (class != CLASS_NUMBER && class != CLASS_CPU && class != CLASS_CPUMASK)
		return refuse_value(c, f, class, "a set of CPUs", "");
	if (f->op != HIST_FILTER_EQ && f->op != HIST_FILTER_NE && f->op != HIST_FILTER_BAND)
		return refuse_op(c, f, CLASS_CPUMASK, "use ==, != or &");
	if (*f->value && hist_filter_parse_cpus(NULL, f->value, 0))
		return 0;
	return hist_expr_error_refuse(c->error, f->value_span,
				      "write numbers and ranges, such as CPUS{0-3,8}",
				      "\"%.*s\" is not a list of CPUs", HIST_SHOW(strlen(f->value)),
				      f->value);
}

/* The field must have the size of a pointer.  Only the kernel knows which functions exist. */
static int check_function(const struct filter_check *c, const struct hist_filter *f,
			  enum field_class class, const struct hist_event_field *field)
{
	unsigned int size = hist_event_long_size(c->event);

	if (!c->kernel->filter_function)
		return hist_expr_error_refuse(
			c->error, (struct hist_span){ f->field_span.start,
						      f->field_span.len + strlen(".function") },
			HIST_SINCE("6.3"), "this kernel does not support .function in filters");
	if (class != CLASS_NUMBER ||
	    (size ? field->size != size : field->size != 8 && field->size != 4))
		return hist_expr_error_refuse(
			c->error, f->field_span, "use .function with a field of pointer size",
			"\"%.*s\" is not an address", HIST_SHOW(strlen(f->field)), f->field);
	if (f->op == HIST_FILTER_GLOB && c->kernel->function_globs)
		return 0;
	if (f->op != HIST_FILTER_EQ && f->op != HIST_FILTER_NE)
		return refuse_op(c, f, class, "use == or !=");
	return 0;
}

static int check_comparison(const struct filter_check *c, const struct hist_filter *f)
{
	const struct hist_event_field *field;
	enum field_class class;

	class = check_filter_find_class(c, f->field, &field);
	if (class == CLASS_NONE)
		return hist_check_refuse_field(f->field, f->field_span, HIST_USE_FILTER, c->event,
					       c->error);
	switch (f->type) {
	case HIST_FILTER_STRING:
		return check_string(c, f, class, field);
	case HIST_FILTER_CPUS:
		return check_cpus(c, f, class);
	case HIST_FILTER_FUNCTION:
		return check_function(c, f, class, field);
	default:
		return check_number(c, f, class, field);
	}
}

static int check_filter_check_node(const struct filter_check *c, const struct hist_filter *f)
{
	int ret;

	switch (f->kind) {
	case HIST_FILTER_COMPARE:
		return check_comparison(c, f);
	case HIST_FILTER_NOT:
		return check_filter_check_node(c, f->left);
	default:
		ret = check_filter_check_node(c, f->left);
		return ret ? ret : check_filter_check_node(c, f->right);
	}
}

int hist_check_filter(const struct hist_filter *tree, const char *text, size_t start,
		      const struct hist_event *event, const struct hist_kernel *kernel,
		      struct hist_error *error)
{
	struct filter_check c = { .event = event, .kernel = kernel, .error = error };
	struct hist_filter *parsed = NULL;
	int ret;

	if (tree)
		return check_filter_check_node(&c, tree);
	ret = hist_filter_parse(&parsed, text, strlen(text), start, error);
	hist_filter_free(parsed);
	return ret;
}
