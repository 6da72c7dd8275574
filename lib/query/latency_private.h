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
#include "lib/query/latency_worst.h"
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
};

/* Set the refusal to a printf() text "SENTENCE\nHINT", and return @ret. */
#define latency_refuse(w, ret, ...) hist_error_set((w)->refusal, ret, __VA_ARGS__)

/* --- latency_names.c: what the names in -k, -v, -s, -f and -R mean --- */

/* The keys of a pair must be comparable: two numbers, or two strings of the same size. */
int latency_check_keys(const struct latency_state *w);

/*
 * latency_rewrite_names - carry all fields that @text names, and replace "lat"
 * *@result: the new text; unchanged if @text is NULL.  @strict: each word must be a field.
 */
int latency_rewrite_names(struct latency_state *w, const char *text, bool strict,
			  const char **result);
/* The same for a filter.  A syntax error is reported later. */
int latency_rewrite_filter(struct latency_state *w, const char *text, const char **result);
/* Carry the fields that the trigger of -R names. */
int latency_check_raw(struct latency_state *w, const char *raw);

/* --- latency_triggers.c: the texts of triggers and synthetic events --- */

const char *latency_put_definition(struct latency_state *w);
const char *latency_start_trigger(struct latency_state *w);
const char *latency_end_trigger(struct latency_state *w);
/* The relay has the time, the keys k0, k1, .. and the carried fields of START c0, c1, .. */
int latency_define_relay(struct latency_state *w);
/* The trigger of START that generates the relay, and the trigger of the relay. */
const char *latency_relay_trigger(struct latency_state *w);
const char *latency_relayed_trigger(struct latency_state *w);

#endif
