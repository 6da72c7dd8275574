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

#define ENGINE_VARS_MAX 16	/* TRACING_MAP_VARS_MAX: also the limit of references */
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

/* A variable of the fast path: the time of the event, or a field. */
struct fast_variable {
	enum value_fn fn; /* VALUE_TIME, VALUE_TIME_USECS, VALUE_TIME_CUT; any other: the load */
	struct fast_load load;
};

#define FAST_VARIABLES 4

/*
 * The program for the fast path of run.c: the only trigger of the event has number keys and sums,
 * always counts, and needs only quick loads.  Its variables are set for other triggers, such as the
 * time of the START event of a latency.
 */
struct fast_path {
	unsigned int nkeys; /* 0: the event cannot use the fast path */
	unsigned int nsums; /* without hitcount */
	unsigned int nvars;
	bool only_hits; /* no sums and no variables */
	unsigned int map;
	struct fast_load loads[HIST_KEYS_MAX + ENGINE_SUMS_MAX]; /* keys, then sums */
	struct fast_variable vars[FAST_VARIABLES];
};

/* An event that has triggers, or that may get some. */
struct engine_event {
	const struct hist_event *event;
	/* The synthetic event of a trace(): host byte order, 64-bit longs; otherwise NULL. */
	struct hist_event *own;
	unsigned int nfields; /* of @own */
	bool has_numbers;     /* all fields of @own are numbers */
	uint32_t record_size; /* of @own without dynamic strings and stacks, a multiple of 8 */
	uint32_t size;	      /* the end of the last field in use; a shorter event is damaged */
	struct trigger **triggers;
	uint32_t ntriggers, room;
	bool has_anywhere; /* a trigger counts in any task: hist_engine_set_anywhere() */
	bool has_one_numeric; /* the only trigger has a histogram with is_numeric and no filter */
	struct fast_path quick;
	bool wants_stack;  /* a trigger has a stack key or a stack variable */
	int32_t other_pid; /* offset of the second pid that set_event_pid checks, or -1 */
};

/* The contents of a part of a key. */
enum key_type {
	KEY_NUMBER,
	KEY_WORDS, /* a string in an array as large as the part */
	KEY_STRING,
	KEY_STACK,
};

enum key_form {
	KEY_IS_NUMBERS, /* one word for each part */
	KEY_IS_WORDS,	/* one KEY_WORDS */
	KEY_IS_STRING,	/* one KEY_STRING; no other map is searched for the key */
	KEY_IS_MIXED,
};

struct key_part {
	const struct value *value;
	enum key_type type;
	uint32_t at;   /* offset in the key, in bytes; a multiple of 8 */
	uint32_t size; /* in bytes; a multiple of 8 */
};

/* VAR=EXPR; also the hidden variables of parameters and of onmax() and onchange(). */
struct engine_variable {
	const char *name;	   /* NULL: a hidden variable */
	const struct value *value; /* NULL: the last value of onmax() or onchange() */
	unsigned int index;	   /* in the variables of an element */
	int string; /* index of the element's string buffer for a string or stack, or -1 */
};

/* $VAR of this or another histogram.  They are resolved in the order of refs[], as var_refs[]. */
struct engine_reference {
	struct engine_histogram *of;
	unsigned int index; /* of the variable in the elements of @of */
	bool once;	    /* an operand: reading clears it (tracing_map_read_var_once()) */
};

struct engine_action {
	enum hist_handler handler;
	enum hist_action_kind kind;
	unsigned int tracked; /* reference to the tracked variable; not for onmatch() */
	unsigned int track;   /* variable with the last value */
	int peak; /* variable with the largest value since the last snapshot, or -1 */
	struct engine_event *synth;
	unsigned int params[64]; /* references, one for each field of @synth */
};

struct engine_histogram {
	unsigned int number; /* index of its map in a run */
	const struct hist_expr *expr;
	struct hist_schema *schema;

	struct value **values; /* all values, to be freed */
	uint32_t nvalues, values_room;

	struct key_part keys[HIST_KEYS_MAX];
	unsigned int nkeys;
	unsigned int key_words;
	enum key_form key_form;
	const struct value *sums[ENGINE_SUMS_MAX]; /* the first is hitcount */
	unsigned int nsums;
	/* the sum that each value of the schema shows */
	unsigned int shown[HIST_VALUES_MAX];

	struct engine_variable vars[ENGINE_VARS_MAX];
	unsigned int nvars;    /* of all kinds */
	unsigned int ndefined; /* the VAR=EXPR, which come first in vars[] */
	/* field_vars[] and save_vars[]: indices into vars[] */
	unsigned int field_vars[ENGINE_VARS_MAX], save_vars[ENGINE_VARS_MAX];
	unsigned int nfield_vars, nsave_vars;
	unsigned int nstrings;
	struct engine_reference refs[ENGINE_VARS_MAX];
	unsigned int nrefs;
	/* indices into refs[]: variables of other histograms, and of this one */
	unsigned int others[ENGINE_VARS_MAX], owns[ENGINE_VARS_MAX];
	unsigned int nothers, nowns;
	struct engine_action *actions;
	unsigned int nactions;

	bool usecs;	  /* the trigger has .usecs: all its time stamps are microseconds */
	bool has_comm;	  /* a variable has .execname: elements have the pid that created them */
	bool wants_stack; /* a key or a variable is the stack at the event */
	bool is_ordered;  /* the result depends on the order of events */
	bool is_plain;	  /* only keys and sums: trigger_count_plain() */
	bool is_numeric;  /* all keys and variables are numbers: trigger_count_numbers() */
	bool is_simple;	  /* is_plain and is_numeric: count_simple() */
	uint32_t extent;  /* the end of the last field in use */
	struct map_shape shape;
};

struct trigger {
	struct engine_event *on;
	const struct hist_expr *expr; /* NULL: a switch */
	struct engine_histogram *hist;	      /* NULL: a switch or a watch */
	struct filter_test *filter;   /* NULL: no filter */
	unsigned int number;	      /* index in the triggers of the engine */
	bool paused;		      /* when a run starts */
	bool anywhere;		      /* counts in any task */
	/* of a histogram of latencies: the pairs that never close are normal */
	bool usual_starts, usual_ends;
	/* enable_hist and disable_hist */
	char *system, *name;
	struct engine_event *switched; /* NULL: the event has no triggers */
	bool enable;
	uint64_t count; /* UINT64_MAX: no limit */
	hist_engine_take take; /* of a watch; NULL: not a watch */
	void *arg;
	/* The owned expression of a hidden trigger, which a field of another event needs. */
	struct hist_expr *hidden;
};

struct hist_engine {
	struct hist_engine_machine machine; /* without its texts */
	struct hist_syscalls *syscalls;	    /* NULL: the names are unknown */
	struct hist_event *stack_event;	    /* ftrace:kernel_stack; NULL: no stacks */
	bool *is_synthetic; /* by id of a recorded event; NULL: none is */
	uint32_t nsynthetic;
	unsigned int stack_skip; /* innermost addresses that the stack of a hist trigger lacks */
	/* By common_type; NULL: no triggers. */
	struct engine_event **by_id;
	uint32_t nids;
	struct engine_event **events;
	uint32_t nevents, events_room;
	struct trigger **triggers;
	uint32_t ntriggers, triggers_room;
	struct engine_histogram **hists;
	uint32_t nhists, hists_room;
	/* The triggers that hist_engine_add() has numbered. */
	struct trigger **numbered;
	struct hist_check_trigger *known; /* the same triggers as context of hist_check_typed() */
	uint32_t nnumbered;
	const struct hist_synth **synths;
	uint32_t nsynths;
	uint32_t *pids;
	size_t npids;
	uint64_t seed; /* of the hashes in all maps of all runs */
	bool is_ordered;
	bool wants_stacks;
	bool has_switches;
};

/* --- engine.c --- */

/* The event SYSTEM:NAME, or NULL: no trigger is on it, and it is not synthetic. */
struct engine_event *engine_find_event(const struct hist_engine *engine, const char *system,
				       const char *name);
/* The format of the events that the triggers get. */
static inline const struct hist_event *engine_event_format(const struct engine_event *on)
{
	return on->own ? on->own : on->event;
}

/* Adds a trigger with @expr.  It owns @hidden, which is @expr or NULL, also after a failure. */
int engine_add(struct hist_engine *engine, struct engine_event *on, const struct hist_expr *expr,
	       struct hist_expr *hidden, struct hist_error *error);

/* Compare two uint32_t, for qsort() and bsearch(). */
static inline int engine_compare_pids(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* --- compile.c --- */

int engine_histogram_new(struct engine_histogram **hist, struct hist_engine *engine,
			 struct engine_event *on,
			 const struct hist_expr *expr, const struct hist_typed_trigger *typed,
			 struct hist_error *error);
void engine_histogram_free(struct engine_histogram *hist);

#endif
