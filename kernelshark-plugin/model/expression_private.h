/* SPDX-License-Identifier: GPL-2.0 */
/* expression_private.h - shared by the parser, counter and completion of expressions */
#ifndef KERNELSHARK_PLUGIN_MODEL_EXPRESSION_PRIVATE_H
#define KERNELSHARK_PLUGIN_MODEL_EXPRESSION_PRIVATE_H

#include "kernelshark-plugin/model/expression.h"
#include "lib/check/check.h"
#include "lib/engine/engine.h"
#include "lib/expr/synth.h"

#define BLANKS " \t\n"

struct expression {
	struct hist_events *events;
	unsigned int buffer;
	struct hist_event **known; /* events that were looked up */
	unsigned int nknown;
	struct hist_check_trigger *triggers; /* events are in @known; owns the expressions */
	unsigned int ntriggers;
	struct hist_synth **synths;
	unsigned int nsynths;
	struct hist_engine *engine;
	int counter;	 /* of the last trigger */
	char *near;	 /* owns the text of the last suggestion */
	bool has_system; /* the file has the system of the last suggestion */
	char *name;	 /* of the last event */
};

/*
 * A latency of the presets: two events with the keys that belong together. A name that ends
 * in '*' stands for all names that begin so. Presets whose START has a filter are not here.
 */
struct expression_latency {
	const char *start, *end, *start_keys, *end_keys;
	const char *title; /* for the user */
};

/* The latency from @start to @end, without their systems; NULL: not known. */
const struct expression_latency *expression_latency_find(const char *start, const char *end);

/* Length of the statement at @text: up to its ';' or the NUL. */
size_t expression_statement_len(const char *text);

#endif
