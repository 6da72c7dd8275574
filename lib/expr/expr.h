/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * expr.h - parse a hist trigger expression
 *
 *   hist:keys=K[,K..][:values=V[,V..]][:sort=S[,S]][:size=N][:clock=C][:name=H]
 *       [:pause][:cont][:clear][:nohitcount][:VAR=EXPR][:HANDLER.ACTION] [if FILTER]
 *
 * Documentation/trace/histogram.rst of the kernel describes the syntax.  The kernel also prints it
 * after "# trigger info:" and in `trigger` files.
 * Source of the grammar: event_hist_trigger_parse(), parse_hist_trigger_attrs() and parse_field()
 * in kernel/trace/trace_events_hist.c.  As in the kernel:
 * - The filter begins at the first "if" between blanks and is cut off first.
 * - Every ':' before it separates attributes, also in parentheses and quotes.
 * - key, val, vals, bucket, cont and NOHC are aliases of keys, values, buckets, continue and
 *   nohitcount.
 *
 * The parser is stricter than the kernel: an attribute may be given only once.  White space outside
 * the filter and an action's parentheses is an error, and so are control characters.
 *
 * The parser looks only at the text.  hist_check_expr() (check.h) checks against an event whether
 * fields exist and modifiers fit.
 *
 * Every part keeps its position in the text, so that an error can be shown with a caret.
 */
#ifndef LIB_EXPR_EXPR_H
#define LIB_EXPR_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

/* The longest text that a kernel takes: event_trigger_regex_write(), less than a page. */
#define HIST_TEXT_MAX 4095

/*
 * The rows of a histogram without size=, and the fewest and the most that a kernel gives it:
 * TRACING_MAP_BITS_DEFAULT, _MIN and _MAX in kernel/trace/tracing_map.h.
 */
#define HIST_SIZE_DEFAULT 2048
#define HIST_SIZE_LEAST 128
#define HIST_SIZE_MOST 131072

/* The largest K of .log2=K. */
#define HIST_LOG2_BITS_MAX 5

enum hist_modifier {
	HIST_MOD_NONE,
	HIST_MOD_HEX,
	HIST_MOD_SYM,
	HIST_MOD_SYM_OFFSET,
	HIST_MOD_EXECNAME,
	HIST_MOD_SYSCALL,
	HIST_MOD_LOG2,
	HIST_MOD_BUCKETS,
	HIST_MOD_USECS,
	HIST_MOD_STACKTRACE,
	HIST_MOD_PERCENT, /* this and the next one: values only; modifiers of keys go before it */
	HIST_MOD_GRAPH,
	HIST_MOD_ASCENDING,  /* sort keys only, with no other modifier */
	HIST_MOD_DESCENDING, /* sort keys only, with no other modifier */
	HIST_MODIFIERS,
};

struct hist_node;   /* expr_tree.h */
struct hist_filter; /* filter.h */

/*
 * "name.modifier[=N]", an item of keys=, values= or sort=.  A sort key may have two modifiers,
 * "name.modifier.descending": the kernel prints this form, but does not accept it.
 */
struct hist_field {
	char *name;		    /* without the modifier; if is_expression the whole text
				       but for a sort key's .ascending or .descending */
	enum hist_modifier modifier;
	uint64_t bucket;	    /* N of .buckets=N, K of .log2=K; otherwise 0 */
	bool is_expression;	    /* "bytes_alloc-bytes_req", "$lat": not a plain field */
	bool descending;	    /* sort keys: .descending, also after another modifier */
	struct hist_span span;	    /* the whole item */
	struct hist_span modifier_span; /* the text after the '.'; len 0 if there is none */
	/*
	 * For keys and values.  NULL if a kernel does not accept the text as an expression
	 * (hist_check_expr() gives the reason).  Kernels print such text: "a.usecs-$b.usecs-$c" for
	 * a.usecs-$b-$c.
	 */
	struct hist_node *tree;
};

/* A ":"-separated part that is not a known attribute. */
struct hist_clause {
	char *text; /* "ts0=common_timestamp.usecs,a=b", "onmax($lat).save(comm)" */
	bool is_action; /* HANDLER(...).ACTION(...); otherwise a variable */
	struct hist_span span;
};

/* "VAR=EXPR" */
struct hist_variable {
	char *name;
	char *text;		/* the text of EXPR */
	struct hist_node *tree; /* the tree of EXPR, or NULL as in struct hist_field */
	struct hist_span span, text_span;
};

enum hist_handler {
	HIST_ONMATCH,  /* the subject is the previous event with the same key */
	HIST_ONMAX,    /* the subject's value exceeds all earlier values of this key */
	HIST_ONCHANGE, /* the subject's value differs from the last value of this key */
};

enum hist_action_kind {
	HIST_ACTION_TRACE, /* trace(SYNTH,PARAM..), or SYNTH(PARAM..) */
	HIST_ACTION_SAVE,
	HIST_ACTION_SNAPSHOT,
};

/* "$var", "field", "system.event.field", "system.event.$var" */
struct hist_param {
	char *text;
	char *system, *event; /* both given or both NULL */
	char *name;	      /* without the $ */
	bool is_variable;
	struct hist_span span;
};

/*
 * "HANDLER(SUBJECT).NAME(PARAM,..)".  As in the kernel, a name that begins with "save", "snapshot"
 * or "trace" selects that action.
 */
struct hist_action {
	enum hist_handler handler;
	char *subject; /* "sched.sched_waking", "$lat" */
	char *system, *event; /* of onmatch(SYSTEM.EVENT); both NULL if @subject is not an event */
	struct hist_span subject_span;
	enum hist_action_kind kind;
	char *name;    /* as written: "trace", "save", "wakeup_latency" */
	struct hist_span name_span;
	char *synth;   /* TRACE: the synthetic event's name; NULL if it is missing */
	struct hist_span synth_span;
	struct hist_param *params; /* not for SNAPSHOT */
	unsigned int nparams;
	struct hist_span span;
};

struct hist_fields {
	struct hist_field *field;
	unsigned int n;
};

struct hist_expr {
	char *text;    /* trimmed, without [active] or [paused]; all spans count in it */
	size_t params; /* start of the first attribute in @text */
	size_t end;    /* one past the last attribute; " if FILTER" or nothing follows */
	struct hist_fields keys;
	struct hist_fields values; /* as written; "hitcount" is among them only if @text has it */
	struct hist_fields sorts;
	/* The variables of all clauses, and the actions, in the order of the text. */
	struct hist_clause *clauses;
	unsigned int nclauses;
	struct hist_variable *variables;
	unsigned int nvariables;
	struct hist_action *actions;
	unsigned int nactions;
	/* 0 if not given.  The kernel's default is 2048; it takes 65 to 131072 and rounds up. */
	uint64_t size;
	struct hist_span size_span;
	char *clock; /* this, @name and @filter: NULL if not given */
	struct hist_span clock_span;
	char *name;
	struct hist_span name_span;
	char *filter;
	uint64_t filter_hash; /* of equal filters is equal */
	size_t filter_start;
	struct hist_filter *filter_tree; /* NULL also if a kernel does not accept the filter */
	bool nohitcount;
	struct hist_span nohitcount_span;
	bool paused;	/* :pause, or "[paused]" */
	bool continued; /* :cont or :continue */
	bool cleared;
	bool changes_existing; /* :cont, :continue or :clear, which change an existing trigger */
	struct hist_span changes_span;
};

/*
 * hist_expr_parse - parse @text
 * @text may end in " [active]" or " [paused]", and may have white space around it.
 * 0; -EINVAL with *@error (which may be NULL) filled, with a span in @text; -ENOMEM.
 */
int hist_expr_parse(struct hist_expr **expr, const char *text, struct hist_error *error);

/*
 * hist_expr_build - make an expression from the arguments of -k, -v, -s and -f
 * @keys: "next_comm,prev_pid.hex".  A leading "keys=" and a ':' are errors.  Blanks around the
 * commas are removed.
 * @values, @sort: may be NULL.
 * @filter: without the "if"; may be NULL.
 * @clock: the clock= to add if a key or value uses common_timestamp, or NULL.
 * @more: attributes that are not checked, "x=field:onmax($x).save(comm)", or NULL.
 * @bad_text: may be NULL; on -EINVAL *@bad_text is the malloc'ed text that *@error refers to.
 *
 * The text is canonical: hist:keys=..[:vals=..][:sort=..][:MORE][:clock=..][ if ..].  Error spans
 * count in that text.
 */
int hist_expr_build(struct hist_expr **expr, const char *keys, const char *values,
		    const char *sort, const char *filter, const char *clock, const char *more,
		    struct hist_error *error, char **bad_text);

void hist_expr_free(struct hist_expr *expr);

/* True if a key, value, variable or action uses common_timestamp. */
bool hist_expr_uses_timestamp(const struct hist_expr *expr);

/*
 * hist_expr_print - print the expression in canonical form
 * The form has long attribute names; keys, values, variables, sort, size, clock and state in this
 * order; decimal numbers; single blanks in the filter.  Parsing the result gives the same
 * expression.  malloc'ed; NULL if out of memory.
 */
char *hist_expr_print(const struct hist_expr *expr);

/* "sym-offset"; "" for HIST_MOD_NONE. */
const char *hist_modifier_name(enum hist_modifier modifier);

/*
 * hist_expr_insert_word - the text with ":WORD" inserted before " if FILTER"
 * @word: "pause" or "continue", for example.  If @word is one of pause, cont, continue and clear,
 * these words are removed from the text.  The kernel obeys only the first of pause, continue and
 * clear.
 * malloc'ed; NULL if out of memory.
 */
char *hist_expr_insert_word(const struct hist_expr *expr, const char *word);

#endif
