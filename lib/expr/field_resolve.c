// SPDX-License-Identifier: LGPL-2.1
/*
 * field_resolve.c - find what a name in keys= or values= refers to
 *
 * The order of the look-up is the kernel's (parse_atom(), parse_field() and
 * trace_find_event_field()):
 * - a bare key "stacktrace"
 * - common_timestamp, common_stacktrace, common_cpu, common_comm and hitcount
 * - the event's own fields
 * - the names cpu, CPU, stacktrace, STACKTRACE, comm, COMM
 * - the other common_ fields
 *
 * An event's own "cpu" therefore hides the alias.  The printed name is that of hist_field_name().
 */
#include <string.h>

#include "lib/expr/expr_parts.h"
#include "lib/expr/expr_tree.h"
#include "lib/expr/field_resolve.h"

/* The numbers that are known without a format file: trace_define_common_fields(). */
static const struct hist_event_field common_fields[] = {
	{ .name = "common_type", .ctype = "unsigned short", .size = 2, .offset = 0 },
	{ .name = "common_flags", .ctype = "unsigned char", .size = 1, .offset = 2 },
	{ .name = "common_preempt_count", .ctype = "unsigned char", .size = 1, .offset = 3 },
	{ .name = "common_pid", .ctype = "int", .size = 4, .is_signed = true, .offset = 4 },
};

static const struct hist_event_field *find_common(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(common_fields) / sizeof(*common_fields); i++)
		if (!strcmp(common_fields[i].name, name))
			return &common_fields[i];
	return NULL;
}

/* hist_field_print() lacks an "else" after common_cpu, so it also prints the field's name. */
bool hist_field_is_printed_cpu(const char *name)
{
	static const char head[] = "common_cpu";

	if (strncmp(name, head, strlen(head)))
		return false;
	name += strlen(head);
	return !strcmp(name, "common_cpu") || !strcmp(name, "cpu") || !strcmp(name, "CPU");
}

enum hist_meaning hist_field_find_meaning(const char *name, bool bare_key,
					  const struct hist_event *event,
					  const struct hist_event_field **field)
{
	*field = NULL;
	if ((bare_key && !strcmp(name, "stacktrace")) || !strcmp(name, "common_stacktrace"))
		return HIST_MEANS_STACK;
	if (!strcmp(name, "common_timestamp"))
		return HIST_MEANS_TIMESTAMP;
	if (!strcmp(name, "common_cpu") || hist_field_is_printed_cpu(name))
		return HIST_MEANS_CPU;
	if (!strcmp(name, "common_comm"))
		return HIST_MEANS_COMM;
	if (!strcmp(name, "hitcount"))
		return HIST_MEANS_HITCOUNT;

	*field = event ? hist_event_find(event, name) : find_common(name);
	if (*field)
		return HIST_MEANS_FIELD;
	if (!event)
		return HIST_MEANS_UNKNOWN;
	if (!strcmp(name, "cpu") || !strcmp(name, "CPU"))
		return HIST_MEANS_CPU;
	if (!strcmp(name, "stacktrace") || !strcmp(name, "STACKTRACE"))
		return HIST_MEANS_STACK;
	if (!strcmp(name, "comm") || !strcmp(name, "COMM"))
		return HIST_MEANS_COMM;
	return HIST_MEANS_NOTHING;
}

static enum hist_meaning field_expression_meaning(const char *s)
{
	const char *dollar;
	uint64_t number;

	if (hist_expr_parse_number(s, strlen(s), &number))
		return HIST_MEANS_CONSTANT;
	dollar = strchr(s, '$');
	if (dollar && !hist_expr_find_operator(s, s + strlen(s)))
		return HIST_MEANS_REFERENCE;
	return HIST_MEANS_EXPRESSION;
}

const char *hist_field_printed_name(enum hist_meaning meaning, const char *name)
{
	switch (meaning) {
	case HIST_MEANS_STACK:
		return "common_stacktrace";
	case HIST_MEANS_CPU:
		return "common_cpu";
	case HIST_MEANS_COMM:
		return "common_comm";
	case HIST_MEANS_REFERENCE:
		/* "$x" is printed as "x", but "sys.event.$x" is printed unchanged. */
		return name[0] == '$' ? name + 1 : name;
	case HIST_MEANS_CONSTANT:
		return "";
	default:
		return name;
	}
}

void hist_field_resolve(struct hist_resolved *resolved, const struct hist_expr *expr,
			const struct hist_field *field, bool is_key, const struct hist_event *event)
{
	const struct hist_variable *variable = NULL;
	bool is_expression = field->is_expression;
	const char *name = field->name;

	*resolved = (struct hist_resolved){ .modifier = field->modifier, .bucket = field->bucket };
	if (is_expression && name[0] == '$')
		variable = hist_expr_find_variable(expr, name + 1);
	if (variable && variable->tree && variable->tree->kind == HIST_NODE_FIELD) {
		is_expression = false;
		name = variable->tree->name;
		resolved->modifier = variable->tree->modifier;
		resolved->bucket = variable->tree->bucket;
	}
	if (is_expression)
		resolved->meaning = field_expression_meaning(name);
	else
		resolved->meaning =
			hist_field_find_meaning(name, is_key && resolved->modifier == HIST_MOD_NONE,
						event, &resolved->field);
	resolved->name = hist_field_printed_name(resolved->meaning, name);
}
