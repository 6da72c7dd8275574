/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * latency_private.h - the state of the expansion of one --latency, which its files share
 *
 * Functions return 0; -EINVAL or -EOPNOTSUPP, and set the refusal; -ENOMEM.  Texts belong to the
 * query; NULL is a text for which memory was short.
 */
#ifndef LIB_QUERY_LATENCY_PRIVATE_H
#define LIB_QUERY_LATENCY_PRIVATE_H

#include "lib/base/error.h"
#include "lib/query/latency_parse.h"
#include "lib/query/source.h"

#define CARRIED_MAX 8

/* The prefix of a field of START, if END may have a field of the same name. */
#define START_PREFIX "start_"
#define START_STACK "start_stacktrace"

struct carried {
	const struct hist_event_field *field; /* NULL: the stack of START */
	bool of_start;
	const char *prefix; /* START_PREFIX or "" */
};

/* State of the expansion of one --latency. */
struct latency_state {
	struct query *query;
	const struct query_source *source;
	struct hist_error *refusal;
	const struct query_event *event;
	const char *unique;
	struct latency spec;
	struct query_found start, end;
	struct carried carried[CARRIED_MAX];
	unsigned int ncarried;
	const char *lat; /* "lat_us" */
	const char *name; /* of the synthetic event */
	int start_system; /* bytes of the system in the name of START */
	const char *relay; /* the synthetic event between START and its trigger, or NULL */
	bool saves_previous; /* see latency_keep_both() */
	bool lifts; /* ..and ranks by the difference in ns plus WORST_JOIN_LIFT */
	bool anywhere; /* END counts in any task */
	bool guarded;  /* only a kernel handles the events of several CPUs at once */
};

/* Set the refusal to a printf() text "SENTENCE\nHINT", and return @ret. */
#define latency_refuse(w, ret, ...) hist_error_set((w)->refusal, ret, __VA_ARGS__)

/* --- latency_hists.c --- */

/* The keys of a pair must be comparable: two numbers, or two strings of the same size. */
int latency_check_keys(const struct latency_state *w);

/*
 * latency_add_hists - add the synthetic event with its histograms to the query
 * The fields that these use are carried.  The histograms keep the worst latency, and for a
 * threshold the fields that name the pair.
 */
int latency_add_hists(struct latency_state *w);

#endif
