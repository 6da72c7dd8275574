/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * typed.h - the typed tree of a trigger: what each part of its expression means
 *
 * The tree has the type, size and sign that the kernel gives each value, and the field or variable
 * that each name refers to.  A $variable that the trigger sets to a plain field is that field.
 * Constants are folded.  lib/engine compiles the tree and does not look up names or types itself.
 *
 * Source: struct hist_field in kernel/trace/trace_events_hist.c.
 */
#ifndef LIB_CHECK_TYPED_H
#define LIB_CHECK_TYPED_H

#include "lib/check/check.h"
#include "lib/expr/expr_tree.h"
#include "lib/expr/field_resolve.h"

#define HIST_TYPED_KEYS 3	/* TRACING_MAP_KEYS_MAX */
#define HIST_TYPED_VALUES 2	/* TRACING_MAP_VALS_MAX less one for hitcount */
#define HIST_TYPED_VARIABLES 16 /* TRACING_MAP_VARS_MAX */
#define HIST_TYPED_ACTIONS 8	/* HIST_ACTIONS_MAX */
#define HIST_TYPED_PARAMS 64	/* SYNTH_FIELDS_MAX */
#define HIST_THIS_TRIGGER UINT32_MAX

/* A value.  The tree does not own its strings and fields. */
struct hist_typed {
	enum hist_node_kind kind; /* VARIABLE: of another trigger */
	struct hist_span at;
	const char *type; /* the kernel's type: "u64", "char[16]", "pid_t" */
	unsigned int size;
	bool is_signed;
	bool is_string;
	bool is_stack;
	bool is_usecs;	   /* HIST_FIELD_FL_TIMESTAMP_USECS */
	bool is_reference; /* a VARIABLE, or an expression that contains one */
	bool is_constant;  /* also a VARIABLE that is set to a constant */
	uint64_t constant;
	bool unknown; /* a variable that is not in the context: the members above are not valid */
	/* FIELD */
	enum hist_meaning meaning; /* of the other kinds too */
	const char *name;
	const struct hist_event_field *field; /* for HIST_MEANS_FIELD */
	enum hist_modifier modifier;
	uint64_t bucket;
	struct hist_span modifier_at;
	/* VARIABLE */
	uint32_t trigger;      /* its index in the context */
	unsigned int variable; /* its index in the expression of that trigger */
	/* operators; NEGATE has no right */
	struct hist_typed *left, *right;
	struct hist_typed *next; /* all values of a trigger, to be freed */
};

/* A parameter of an action. */
struct hist_typed_param {
	const struct hist_typed *value; /* its type */
	/*
	 * For a variable: the trigger that sets it, and its index there.  For a field of another
	 * event: a trigger on that event whose keys have the types of this trigger's keys.
	 */
	uint32_t trigger; /* its index in the context, or HIST_THIS_TRIGGER */
	unsigned int variable;
};

struct hist_typed_action {
	unsigned int tracked; /* onmax() and onchange(): index of the variable */
	struct hist_typed_param params[HIST_TYPED_PARAMS];
};

struct hist_typed_trigger {
	struct hist_typed *keys[HIST_TYPED_KEYS];
	struct hist_typed *values[HIST_TYPED_VALUES]; /* without hitcount */
	unsigned int nvalues;
	struct hist_typed *variables[HIST_TYPED_VARIABLES];
	struct hist_typed_action actions[HIST_TYPED_ACTIONS];
	struct hist_typed *all;
};

/*
 * hist_check_typed - hist_check_expr_in() that also returns the typed tree
 * 0 with *@typed, which hist_check_typed_free() frees; -EINVAL with *@error; -ENOMEM.
 */
int hist_check_typed(struct hist_typed_trigger **typed, const struct hist_expr *expr,
		     const struct hist_event *event, const struct hist_check_context *context,
		     struct hist_error *error);
void hist_check_typed_free(struct hist_typed_trigger *typed);

#endif
