/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * filter.h - parse the kernel's event filters into a tree
 *
 *   prev_state == 1 && !(next_comm ~ "k*" || cpu & CPUS{0-3})
 *
 * Source of the grammar: predicate_parse() and parse_pred() in kernel/trace/trace_events_filter.c.
 * A comparison is FIELD OP VALUE.  && binds tighter than ||.  ! precedes a comparison or a
 * parenthesis.  Values:
 *
 *   number     decimal, 0x hexadecimal or 0 octal, with a minus sign for signed fields
 *   "string"   or 'string'; the quote itself cannot be escaped.  After ~ the characters
 *              * ? [ ] are glob characters
 *   CPUS{0-3}  a list of CPUs (kernels since 6.6)
 *   kmalloc    after FIELD.function: the name of a kernel function, or an address, up to
 *              the next blank (kernels since 6.3).  After ~ a pattern of names, which
 *              only the user-space engine accepts
 */
#ifndef LIB_EXPR_FILTER_H
#define LIB_EXPR_FILTER_H

#include "lib/base/strbuf.h"
#include "lib/expr/expr.h"

enum hist_filter_kind {
	HIST_FILTER_AND,
	HIST_FILTER_OR,
	HIST_FILTER_NOT,
	HIST_FILTER_COMPARE,
};

enum hist_filter_op {
	HIST_FILTER_GLOB, /* ~ */
	HIST_FILTER_NE,
	HIST_FILTER_EQ,
	HIST_FILTER_LE,
	HIST_FILTER_LT,
	HIST_FILTER_GE,
	HIST_FILTER_GT,
	HIST_FILTER_BAND, /* &: both have at least one bit in common */
};

enum hist_filter_value {
	HIST_FILTER_NUMBER,
	HIST_FILTER_STRING,
	HIST_FILTER_CPUS,
	HIST_FILTER_FUNCTION,
};

/* Plain data; a node owns its strings and children. */
struct hist_filter {
	enum hist_filter_kind kind;
	struct hist_span span;
	struct hist_filter *left, *right; /* AND, OR; NOT has no right */

	/* COMPARE */
	char *field;
	struct hist_span field_span;
	bool is_user_string; /* FIELD.ustring: a pointer into user space */
	enum hist_filter_op op;
	struct hist_span op_span;
	enum hist_filter_value type;
	char *value; /* as written, without the quotes or CPUS{} */
	char quote;  /* STRING: '"' or '\'' */
	struct hist_span value_span;
};

/*
 * hist_filter_parse - parse @len bytes of @text, a filter without its "if"
 * @start: the position of @text in the whole text, for spans.
 * 0; -EINVAL with *@error (which may be NULL) filled; -ENOMEM.
 */
int hist_filter_parse(struct hist_filter **filter, const char *text, size_t len, size_t start,
		      struct hist_error *error);
void hist_filter_free(struct hist_filter *filter);

/* NR_CPUS of the largest configurations. */
#define HIST_FILTER_CPUS_MAX 8192

/*
 * hist_filter_parse_cpus - parse a list as cpulist_parse(): all, N, A-B, A-B:USED/GROUP, ...
 * @cpus: HIST_FILTER_CPUS_MAX bits, to which the CPUs are added, or NULL.
 * @ncpus: the number of CPUs; 0: unknown.
 */
bool hist_filter_parse_cpus(uint64_t *cpus, const char *s, unsigned int ncpus);

/* Print the filter with one blank around operators and without needless parentheses. */
void hist_filter_print(struct hist_strbuf *b, const struct hist_filter *filter);

/* "==" */
const char *hist_filter_op_name(enum hist_filter_op op);

#endif
