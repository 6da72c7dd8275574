/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * field_resolve.h - what a name in keys= or values= stands for
 */
#ifndef LIB_EXPR_FIELD_RESOLVE_H
#define LIB_EXPR_FIELD_RESOLVE_H

#include "lib/event/event.h"
#include "lib/expr/expr.h"

enum hist_meaning {
	HIST_MEANS_NOTHING, /* no such field */
	HIST_MEANS_UNKNOWN, /* a field, of which nothing is known: there is no event */
	HIST_MEANS_FIELD,
	HIST_MEANS_TIMESTAMP,
	HIST_MEANS_CPU,
	HIST_MEANS_COMM, /* the name of the task */
	HIST_MEANS_STACK, /* the kernel stack at the event */
	HIST_MEANS_HITCOUNT,
	HIST_MEANS_EXPRESSION, /* a - b */
	HIST_MEANS_REFERENCE,  /* $var of another trigger, or of an expression */
	HIST_MEANS_CONSTANT,
};

struct hist_resolved {
	enum hist_meaning meaning;
	char *name; /* as the kernel prints it */
	enum hist_modifier modifier;
	uint64_t bucket;
	const struct hist_event_field *field; /* HIST_MEANS_FIELD, else NULL */
};

/*
 * hist_resolve - what @field, a key or a value of @expr, stands for
 * A $variable that this trigger sets to a plain field is that field.  @event
 * may be NULL: then "cpu" is a field of that name, as in what the kernel prints.
 * 0, with the name to be freed by hist_resolved_clear(); -ENOMEM.
 */
int hist_resolve(struct hist_resolved *resolved, const struct hist_expr *expr,
		 const struct hist_field *field, bool is_key, const struct hist_event *event);
void hist_resolved_clear(struct hist_resolved *resolved);

/*
 * The meaning of a plain name, and with HIST_MEANS_FIELD its field.
 * @bare_key: it is a key without a modifier.
 */
enum hist_meaning hist_meaning_of(const char *name, bool bare_key, const struct hist_event *event,
				  const struct hist_event_field **field);

/* What kernels from 6.16 print for a key CPU: "common_cpucommon_cpu", "common_cpucpu". */
bool hist_is_printed_cpu(const char *name);

#endif
