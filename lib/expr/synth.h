/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * synth.h - parse the definition of a synthetic event
 *
 *   wakeup_latency u64 lat; pid_t pid; char comm[16]; unsigned long[] stack
 *
 * This is the syntax of tracefs's synthetic_events.  With "s:" or "s:synthetic/" before the name it
 * is also the syntax of dynamic_events.  Source of the grammar: create_or_delete_synth_event(),
 * parse_synth_field() and synth_field_size() in kernel/trace/trace_events_synth.c.
 */
#ifndef LIB_EXPR_SYNTH_H
#define LIB_EXPR_SYNTH_H

#include "lib/event/event.h"
#include "lib/expr/expr.h"

struct hist_synth_field {
	char *name;
	char *type; /* "u64", "char[16]", "char[]", "unsigned long[]" */
	unsigned int size; /* bytes of a value; 8 for a dynamic string or a stack */
	bool is_signed;
	bool is_string;
	bool is_stack;
	bool is_dynamic; /* a dynamic string or a stack */
	struct hist_span span;
};

#define HIST_SYNTH_FIELDS_MAX 64 /* SYNTH_FIELDS_MAX */

struct hist_synth {
	char *name;
	struct hist_synth_field fields[HIST_SYNTH_FIELDS_MAX];
	unsigned int nfields;
};

/*
 * hist_synth_parse - parse one definition
 * 0; -EINVAL with *@error (which may be NULL) filled; -ENOMEM.
 */
int hist_synth_parse(struct hist_synth **synth, const char *text, struct hist_error *error);
void hist_synth_free(struct hist_synth *synth);

/*
 * hist_synth_make_event - make the event that a kernel creates from the definition
 * Triggers on the event can then be checked before the event exists.
 * 0 or -ENOMEM.
 */
int hist_synth_make_event(struct hist_event **event, const struct hist_synth *synth);

#endif
