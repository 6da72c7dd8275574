/* SPDX-License-Identifier: GPL-2.0 */
/* expression_private.h - shared by the parser, counter and completion of expressions */
#ifndef KERNELSHARK_PLUGIN_MODEL_EXPRESSION_PRIVATE_H
#define KERNELSHARK_PLUGIN_MODEL_EXPRESSION_PRIVATE_H

#include "kernelshark-plugin/model/expression.h"
#include "lib/check/check.h"
#include "lib/engine/engine.h"
#include "lib/expr/switch_trigger.h"
#include "lib/expr/synth.h"
#include "lib/query/latency_parse.h"
#include "lib/query/source.h"
#include "lib/base/error.h"

#define BLANKS " \t\n"

/* A trigger of the expression; the one of the same number in @triggers. */
struct expression_counter {
	int counter; /* in the engine */
	char *title; /* its name in the recording, "latency:a..b"; NULL: it is not shown */
};

struct expression {
	struct hist_events *events;
	unsigned int buffer;
	struct hist_event **known; /* events that were looked up */
	unsigned int nknown;
	struct hist_event **renamed; /* events with the field "function" (function_field.h) */
	unsigned int nrenamed;
	struct hist_check_trigger
		*triggers; /* their events are in the lists above; owns the expressions */
	struct expression_counter *counters;
	unsigned int ntriggers;
	struct hist_synth **synths;
	unsigned int nsynths;
	struct hist_switch **switches;
	unsigned int nswitches;
	struct hist_engine *engine;
	char *near;	 /* owns the text of the last suggestion */
	bool has_system; /* the file has the system of the last suggestion */
};

/* True if @text is a list of options, "--preset NAME" or "-e SYS:EVENT -k KEYS". */
bool expression_is_options(const char *text);

/* A word of a list of options, without its quotes. */
struct expression_word {
	const char *at; /* where it begins in the text, with its quote */
	char *word;	/* malloc'ed; NULL after the last word */
};

/* Get the word at or after *@at, and move *@at behind it.  -EINVAL: a quote has no end; -ENOMEM. */
int expression_next_word(struct expression_word *word, const char **at);

/*
 * expression_make_query - the query of a list of options, expanded for the events of a file
 * @in_ns: each latency counts nanoseconds, whatever its unit is.
 * 0; -EINVAL or another -errno, with @refusal; -ENOMEM.  Clear @query in any case.
 */
int expression_make_query(struct query *query, struct hist_events *events, unsigned int buffer,
			  const char *text, bool in_ns, struct hist_error *refusal);

/*
 * expression_find_latency - the latency that a preset measures from the event @start to @end
 * The names are without their systems.  -ENOENT: none, or several that differ; -ENOMEM.  Clear
 * @latency in any case.
 */
int expression_find_latency(struct latency *latency, const char *start, const char *end);

/* Length of the statement at @text: up to its ';' or the NUL. */
size_t expression_statement_len(const char *text);

#endif
