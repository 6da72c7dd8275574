/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * engine_private.h - structures of a compiled engine
 *
 * An event has triggers in the order in which they were set.  A trigger has a filter and counts
 * into a histogram.  Triggers with the same name= share a histogram.  A histogram corresponds to
 * the kernel's struct hist_trigger_data: keys, sums, variables and actions.
 *
 * Invariant: these structures do not change while runs count.  Counts are in maps (map.h), one
 * for each histogram and run.
 */
#ifndef LIB_ENGINE_ENGINE_PRIVATE_H
#define LIB_ENGINE_ENGINE_PRIVATE_H

#include "lib/engine/engine.h"
#include "lib/engine/map.h"
#include "lib/engine/value.h"
#include "lib/event/syscall_names.h"
#include "lib/expr/expr_tree.h"
#include "lib/expr/filter.h"

#define ENGINE_VARS_MAX 16	/* TRACING_MAP_VARS_MAX: variables, and references to such */
#define ENGINE_STRING_BYTES 256 /* STR_VAR_LEN_MAX, MAX_FILTER_STR_VAL */
#define ENGINE_STACK_DEPTH 16	/* HIST_STACKTRACE_DEPTH */
#define ENGINE_KEY_WORDS 64	/* more than HIST_KEY_SIZE_MAX */
#define ENGINE_SUMS_MAX 3	/* hitcount and two values */
#define ENGINE_NESTING 4	/* MAX_HIST_CNT: synthetic events that fire others */

struct hist_check_trigger;
struct hist_run;
struct hist_typed_trigger;
struct filter_test;
struct trigger;

/*
 * The program for the fast path of run.c: the only trigger of the event has number keys and sums,
 * always counts, and needs only quick loads.
 */
struct quick_way {
	unsigned int nkeys; /* 0: there is none */
	unsigned int nsums; /* beside hitcount */
	unsigned int map;
	struct quick_load loads[HIST_KEYS_MAX + ENGINE_SUMS_MAX]; /* keys, then sums */
};

/* An event that has triggers, or that may get some. */
struct engine_event {
	const struct hist_event *event;
	/* Of a synthetic event that trace() fires, @event; in our byte order, with long of 64 bits.
	 */
	struct hist_event *own;
	unsigned int nfields; /* of it */
	uint32_t size;	      /* what is looked at ends there: with less it is damaged */
	struct trigger **triggers;
	uint32_t ntriggers, room;
	struct quick_way quick;
	bool wants_stack;  /* of some trigger */
	int32_t other_pid; /* set_event_pid looks at the pid at this offset too, or -1 */
};

/* A string or a stack that becomes part of a key; a number otherwise. */
enum key_type {
	KEY_NUMBER,
	KEY_STRING,
	KEY_STACK,
};

struct key_part {
	const struct value *value;
	enum key_type type;
	uint32_t at;   /* in the key, in bytes; a multiple of 8 */
	uint32_t size; /* likewise */
};

/* VAR=EXPR, and the unseen ones of fields that are parameters and of what is tracked. */
struct engine_variable {
	const char *name;	   /* NULL: nobody can refer to it */
	const struct value *value; /* NULL: of onmax() and onchange() */
	unsigned int index;	   /* in an element */
	int string; /* which of the element's strings its bytes are copied to, or -1 */
};

/* $VAR of this or another histogram: var_refs[] of the kernel, resolved in this order. */
struct engine_reference {
	struct histogram *of;
	unsigned int index; /* of the variable in its elements */
	bool once;	    /* an operand: reading takes it away (tracing_map_read_var_once()) */
};

struct engine_action {
	enum hist_handler handler;
	enum hist_action_kind kind;
	unsigned int tracked; /* reference to what is tracked; not of onmatch() */
	unsigned int track;   /* variable that has the value before */
	struct engine_event *synth;
	unsigned int params[64]; /* references; as many as @synth has fields */
};

struct histogram {
	unsigned int number; /* of its map in a run */
	const struct hist_expr *expr;
	struct hist_schema *schema;

	struct value **values; /* all there are, to be freed */
	uint32_t nvalues, values_room;

	struct key_part keys[HIST_KEYS_MAX];
	unsigned int nkeys;
	unsigned int key_words;
	const struct value *sums[ENGINE_SUMS_MAX]; /* the first is hitcount */
	unsigned int nsums;
	/* which sum each value of the schema shows */
	unsigned int shown[HIST_VALUES_MAX];

	struct engine_variable vars[ENGINE_VARS_MAX];
	unsigned int nvars;    /* of all below; indices are the places in vars[] */
	unsigned int ndefined; /* VAR=EXPR come first */
	/* field_vars[] and save_vars[]: indices into vars[] */
	unsigned int field_vars[ENGINE_VARS_MAX], save_vars[ENGINE_VARS_MAX];
	unsigned int nfield_vars, nsave_vars;
	unsigned int nstrings;
	struct engine_reference refs[ENGINE_VARS_MAX];
	unsigned int nrefs;
	struct engine_action *actions;
	unsigned int nactions;

	bool usecs;	  /* time stamps are microseconds: some .usecs is in the trigger */
	bool has_comm;	  /* an element remembers who made it, for .execname in a variable */
	bool wants_stack; /* of the event */
	bool is_ordered;  /* the order of events counts */
	bool is_simple;	  /* numbers are the keys, and only sums: run.c's fast way */
	uint32_t extent;  /* where the last field ends that is looked at */
	struct map_shape shape;
};

struct trigger {
	struct engine_event *on;
	const struct hist_expr *expr; /* NULL: a switch */
	struct histogram *hist;	      /* likewise */
	struct filter_test *filter;   /* NULL: all */
	unsigned int number;	      /* its place in the engine */
	bool paused;		      /* at first */
	/* enable_hist and disable_hist */
	char *system, *name;
	struct engine_event *switched; /* NULL: it has no triggers */
	bool enable;
	uint64_t count; /* UINT64_MAX: no limit */
	/* Ours: kernels set a trigger of their own for a field of another event. */
	struct hist_expr *hidden;
};

struct hist_engine {
	struct hist_engine_machine machine; /* its texts are NULL */
	struct hist_syscalls *syscalls;	    /* NULL: the names are not known */
	struct hist_event *stack_event;	    /* ftrace:kernel_stack; NULL: no stacks */
	unsigned int stack_skip; /* innermost addresses that the stack of a hist trigger lacks */
	/* By common_type; NULL where it has no triggers. */
	struct engine_event **by_id;
	uint32_t nids;
	struct engine_event **events;
	uint32_t nevents, events_room;
	struct trigger **triggers;
	uint32_t ntriggers, triggers_room;
	struct histogram **hists;
	uint32_t nhists, hists_room;
	/* The triggers that hist_engine_add() has numbered. */
	struct trigger **numbered;
	struct hist_check_trigger *known; /* the same, for the check of later ones */
	uint32_t nnumbered;
	const struct hist_synth **synths;
	uint32_t nsynths;
	uint32_t *pids;
	size_t npids;
	bool is_ordered;
	bool wants_stacks;
	bool has_switches;
};

/* --- engine.c --- */

/* Grows *@array to @need elements of @size bytes, the new ones zero.  0 or -ENOMEM. */
int engine_grow(void *array, uint32_t *n, size_t need, size_t size);
/* The event SYSTEM:NAME, or NULL: nobody has named it yet. */
struct engine_event *engine_find_event(const struct hist_engine *engine, const char *system,
				       const char *name);
/* The event with the places of its fields. */
static inline const struct hist_event *engine_event_format(const struct engine_event *on)
{
	return on->own ? on->own : on->event;
}

/* A trigger with @expr; @hidden, which is @expr or NULL, is taken over in any case. */
int engine_add(struct hist_engine *engine, struct engine_event *on, const struct hist_expr *expr,
	       struct hist_expr *hidden, struct hist_error *error);

/* --- compile_histogram.c --- */

int histogram_new(struct histogram **hist, struct hist_engine *engine, struct engine_event *on,
		  const struct hist_expr *expr, const struct hist_typed_trigger *typed,
		  struct hist_error *error);
void histogram_free(struct histogram *hist);

#endif
