/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * field_resolve.h - find what a name in keys= or values= refers to
 */
#ifndef LIB_EXPR_FIELD_RESOLVE_H
#define LIB_EXPR_FIELD_RESOLVE_H

#include "lib/event/event.h"
#include "lib/expr/expr.h"

enum hist_meaning {
	HIST_MEANS_NOTHING, /* no such field */
	HIST_MEANS_UNKNOWN, /* a field with unknown properties, because there is no event */
	HIST_MEANS_FIELD,
	HIST_MEANS_TIMESTAMP,
	HIST_MEANS_CPU,
	HIST_MEANS_COMM, /* the name of the task */
	HIST_MEANS_STACK, /* the kernel stack at the event */
	HIST_MEANS_HITCOUNT,
	HIST_MEANS_EXPRESSION, /* an expression with operators, such as a - b */
	HIST_MEANS_REFERENCE,  /* $var of another trigger, or of an expression */
	HIST_MEANS_CONSTANT,
};

struct hist_resolved {
	enum hist_meaning meaning;
	const char *name; /* as the kernel prints it; static, or of the expression */
	enum hist_modifier modifier;
	uint64_t bucket;
	const struct hist_event_field *field; /* HIST_MEANS_FIELD, otherwise NULL */
};

/*
 * hist_field_resolve - find what @field, a key or a value of @expr, refers to
 * A $variable that this trigger sets to a plain field is resolved to that field.
 * @event: may be NULL.  "cpu" is then a field of that name, as in what the kernel prints.
 */
void hist_field_resolve(struct hist_resolved *resolved, const struct hist_expr *expr,
			const struct hist_field *field, bool is_key,
			const struct hist_event *event);

/* The name that the kernel prints for a field, or for "$x". */
const char *hist_field_printed_name(enum hist_meaning meaning, const char *name);

/*
 * hist_field_find_meaning - the meaning of a plain name, and its field for HIST_MEANS_FIELD
 * @bare_key: the name is a key without a modifier.
 */
enum hist_meaning hist_field_find_meaning(const char *name, bool bare_key,
					  const struct hist_event *event,
					  const struct hist_event_field **field);

/* True for what kernels from 6.16 print for a key CPU: "common_cpucommon_cpu", "common_cpucpu". */
bool hist_field_is_printed_cpu(const char *name);

#endif
