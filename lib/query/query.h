/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * query.h - what to count: events with their histograms, and what must exist before
 *
 * A query has objects (synthetic events, probes) that are created first, and events with triggers.
 * It contains only strings and numbers, and nothing of a machine. --latency, --sql, --function and
 * --tracer are events of their own kind until they are expanded, which needs field types and names
 * of functions.
 *
 * Functions return 0, or -errno and leave the query as it was.
 */
#ifndef LIB_QUERY_QUERY_H
#define LIB_QUERY_QUERY_H

#include <stdbool.h>

#include "lib/base/strbuf.h"

/* A histogram or enable/disable trigger: either raw is set, or keys and optional members. */
struct query_hist {
	const char *raw;
	const char *keys, *values, *sort, *filter;
	const char *more; /* further attributes, as in hist_expr_build(); or NULL */
	bool is_switch; /* raw is enable_hist or disable_hist, and no histogram */
	bool hidden; /* set and removed, but not recorded: a helper of a chain */
	bool of_preset; /* its keys are those of a preset: fine_log2_settle() */
};

enum query_event_kind {
	QUERY_EVENT,
	QUERY_LATENCY, /* name: the value of --latency; it is expanded to events */
	QUERY_SQL,     /* name: the value of --sql, likewise */
	QUERY_FUNCTION, /* name: the value of --function, likewise */
	QUERY_FUNCTION_LATENCY, /* name: the value of --function-latency, likewise */
	QUERY_TRACER, /* name: the value of --tracer, likewise */
};

/* What an event does for a latency. START comes before END, and END before the pairs. */
enum query_role {
	QUERY_NO_ROLE,
	QUERY_START, /* the first trigger saves the time */
	QUERY_END, /* the first trigger subtracts it; the second counts all ENDs, if there is one */
	QUERY_PAIRS, /* the synthetic event of the pairs */
	QUERY_SPANS, /* the same, if END alone has the time, so that there is no START */
};

/*
 * Of a --latency that --function-latency made: the time as an expression over END, whose START is
 * not used; and a filter of END.  Otherwise NULL.
 */
struct query_span {
	const char *duration, *filter;
};

/* Of the synthetic event of a latency, after the expansion. */
struct query_pairs {
	/* its field with the time, and the fields that name the pair, for a threshold; or NULL */
	const char *latency, *names; /* "lat_us" or "lat_ns", "next_pid,common_cpu" */
	bool end_saves;		     /* END of this latency saves who ran then: kernel_counter.c */
	/* its histograms leave out latencies below zero, which its first hidden trigger counts */
	bool guarded;
};

struct query_event {
	enum query_event_kind kind;
	const char *name;
	const char *optional; /* what of a need: the event is left out without it; or NULL */
	/* its name in files and messages, if the name of the event is generated; or NULL */
	const char *title;
	/*
	 * The kernel's name of the field that is called "function" everywhere else
	 * (function_field.h), or NULL.
	 */
	const char *function_field;
	bool of_tracer; /* the tracer of the query writes it */
	bool of_preset; /* a preset has the option */
	bool is_default; /* likewise, and the user gave the preset no argument */
	/*
	 * Of a latency: STARTs without END, or ENDs without START, are normal.  A preset says it
	 * for its own; otherwise a filter on the other side does.
	 */
	bool usual_starts, usual_ends;
	/* its triggers count in any task, also if a list of tasks chooses whose events count */
	bool anywhere;
	enum query_role role;
	union {
		bool of_probe;	/* QUERY_EVENT, QUERY_NO_ROLE: made by --kprobe or --uprobe */
		struct query_span span;	  /* QUERY_LATENCY */
		struct query_pairs pairs; /* QUERY_EVENT, QUERY_PAIRS or QUERY_SPANS */
	};
	struct query_hist *hists;
	unsigned int nhists;
};

enum query_dynevent_kind {
	QUERY_SYNTHETIC, /* a line for synthetic_events: "wakeup u64 lat; char comm[16]" */
	/*
	 * Lines for dynamic_events: "p:GROUP/EVENT SYMBOL arg=$arg1". Several lines, separated by
	 * '\n', are places of one event.
	 */
	QUERY_DYNAMIC,
};

/* An event to create before the triggers are set, and to remove after them. */
struct query_dynevent {
	enum query_dynevent_kind kind;
	const char *definition;
	const char *function_field; /* as in struct query_event */
	bool is_plain; /* of --kprobe without the kernel's syntax: an fprobe event will do */
	const char *fallback; /* used if the kernel refuses the definition, or NULL */
};

/* A file of tracefs that sets up the tracer of the plan. */
struct query_setting {
	const char *file; /* "osnoise/timerlat_period_us" */
	const char *value;
	bool after; /* set it after the tracer, because the tracer keeps the value from before */
};

/* A feature that a preset requires, or that some of its events use. */
struct query_need {
	const char *what;   /* "event lock:contention_begin", "hist", "synthetic" */
	const char *preset; /* its name, for the message */
	const char *since;  /* the first Linux version that has it, or NULL */
	/* what is not counted without it, a sentence or ""; NULL: it is required */
	const char *omits;
};

/* What the user is told about an expansion that succeeded. */
struct query_note {
	bool is_warning;
	const char *text; /* "SENTENCE" or "SENTENCE\nHINT" */
};

struct query {
	struct query_need *needs; /* checked before the expansion */
	unsigned int nneeds;
	struct query_dynevent *dynevents; /* created in this order, removed in reverse */
	unsigned int ndynevents;
	bool has_uprobe; /* an object is a uprobe in a file of this machine */
	/* the tracer that the user-space engine needs; its functions, "GLOB,GLOB"; or NULL */
	const char *tracer, *functions;
	bool tracer_at_top; /* the tracer runs in the top-level instance, not in that of a recording
			     */
	struct query_setting *settings; /* of the tracer, in the order in which they are set */
	unsigned int nsettings;
	struct query_event *events; /* triggers are set in this order */
	unsigned int nevents;
	const char **captured; /* further events of presets: "block:block_rq_insert" */
	unsigned int ncaptured;
	struct query_note *notes;
	unsigned int nnotes;
	bool coarse; /* presets and default histograms count with .log2: fine_log2_settle() */

	char **owned; /* strings of query_own() */
	unsigned int nowned;
};

/* Strings that are added must remain valid as long as the query: see query_own(). */
int query_add_dynevent(struct query *query, enum query_dynevent_kind kind, const char *definition);
int query_add_event(struct query *query, const char *name);
/* What @event has as the synthetic event of a latency; NULL: it is another event. */
static inline const struct query_pairs *query_get_pairs(const struct query_event *event)
{
	return event->role == QUERY_PAIRS || event->role == QUERY_SPANS ? &event->pairs : NULL;
}

/* Remove the events whose member optional is @what. */
void query_leave_out(struct query *query, const char *what);
/* Also capture @event, "SYS:EVENT", around a latency above the threshold. */
int query_add_note(struct query *query, bool is_warning, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Add to the last event.  NULL if out of memory. */
struct query_hist *query_add_hist(struct query *query);

/* The object that defines the event "GROUP:EVENT", "GROUP/EVENT" or "EVENT", or NULL. */
struct query_dynevent *query_find_dynevent(const struct query *query, const char *event);

/*
 * query_own - give the ownership of a malloc'ed string to the query
 * Returns @text.  NULL if @text is NULL, or if out of memory; @text is then freed.
 */
const char *query_own(struct query *query, char *text);

/* A string that the query owns, or NULL without memory. query_own_text() empties @b. */
const char *query_own_text(struct query *query, struct hist_strbuf *b);
const char *query_own_printf(struct query *query, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * query_add_trigger - add @event with one trigger
 * query_add_synthetic - add the synthetic event @name, which has no histogram yet
 * Each string must be owned by the query. NULL is a string for which memory was short. 0 or
 * -ENOMEM.
 */
int query_add_trigger(struct query *query, const char *event, const char *trigger, bool hidden);
int query_add_synthetic(struct query *query, const char *name, const char *title);

/* Free the members of @query, not @query itself. */
void query_clear(struct query *query);

#endif
