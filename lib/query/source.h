/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * source.h - what an expansion asks of the machine or file whose events are counted
 *
 * The expansions are pure: the caller finds events and functions, and says what the kernel of their
 * triggers knows.
 */
#ifndef LIB_QUERY_SOURCE_H
#define LIB_QUERY_SOURCE_H

#include "lib/base/error.h"
#include "lib/event/event.h"
#include "lib/expr/expr.h"
#include "lib/expr/kernel_features.h"
#include "lib/query/query.h"

/* An event. Initialize with zeros; latency_expand() frees what a source found. */
struct query_found {
	char *full_name; /* "sched:sched_switch" */
	struct hist_event *event;
	/* the event as it is if the kernel chooses strings for types that are not given; or NULL */
	struct hist_event *guess;
};

struct query_source;

/*
 * All return -errno on failure, and -ENOMEM if memory is short.  @refusal is the error of the
 * query. It stays empty if the source has told the user itself; its text belongs to the query.
 */
struct query_source_ops {
	/*
	 * Find the event @name, "SYS:EVENT" or "EVENT", of @wanted.  On another -errno, @refusal is
	 * set or the user was told.
	 */
	int (*find)(const struct query_source *source, const struct query *query,
		    const struct query_event *wanted, const char *name, struct query_found *found,
		    struct hist_error *refusal);
	/*
	 * 1 with the reason in @error, such as "no event x:y", if @what of a need is missing; 0:
	 * not.
	 */
	int (*find_missing)(const struct query_source *source, const char *what,
			    struct hist_error *error);
	/* Append "NAME\n" or "NAME [MODULE]\n" of each function that can be counted. */
	int (*list_functions)(const struct query_source *source, struct hist_strbuf *list);
	/* Only of recorded events: *@tracer wrote them, "function_graph"; "nop": none. */
	int (*find_recorded_tracer)(const struct query_source *source, const char **tracer);

	/* Only of a machine. */
	int (*has_tracer)(const struct query_source *source, const char *tracer, bool *has);
	/* Check if @file of tracefs has @value: "100", or "a [b] c" for b. */
	int (*has_setting)(const struct query_source *source, const char *file, const char *value,
			   bool *has);
	/*
	 * Find an instance whose tracer depends on files that all instances share.  *@where: such
	 * as "instance NAME"; *@tracer: its tracer.  Both are malloc'ed, or NULL.
	 */
	int (*find_tracer_user)(const struct query_source *source, char **where, char **tracer);
	/* Does the kernel have fprobe events? */
	bool (*has_fprobes)(const struct query_source *source);
	/* Append the text of kallsyms; NULL: it cannot be read. */
	int (*read_symbols)(const struct query_source *source, struct hist_strbuf *text);
};

struct sql_text; /* sql.h */

/* What parses --sql. */
struct query_sql {
	/*
	 * Append what the query @text means, with the synthetic event @name: the commands of
	 * sql_found_read().  On another -errno than -ENOMEM, @refusal is set, or the user was told,
	 * or a signal ended the work (-EINTR).
	 */
	int (*parse)(const struct query_sql *sql, const struct sql_text *text, const char *name,
		     struct hist_strbuf *commands, struct hist_error *refusal);
};

struct query_source {
	const struct query_source_ops *ops;
	const struct query_sql *sql; /* NULL: --sql is refused */
	const char *recording; /* the file with the events, for messages; NULL: a machine */
	const struct hist_kernel *kernel; /* what its hist triggers know; NULL: the engine counts */
	const char *clock;		  /* for triggers that measure a time; NULL: not named */
	const char *unique;	/* a part of names that no other recording has at the same time */
	const char *tasks; /* the option of a list of tasks whose events count, "-P"; NULL: none */
	bool names_pairs; /* latencies carry the keys of their END, for a threshold */
	bool graph_has_instances; /* function_graph runs in instances */
};

#endif
