/* SPDX-License-Identifier: GPL-2.0 */
/*
 * expression_private.h - what understanding, counting and completing an expression share
 */
#ifndef KERNELSHARK_PLUGIN_MODEL_EXPRESSION_PRIVATE_H
#define KERNELSHARK_PLUGIN_MODEL_EXPRESSION_PRIVATE_H

#include "kernelshark-plugin/model/expression.h"
#include "lib/check/check.h"
#include "lib/engine/engine.h"
#include "lib/expr/synth.h"

struct expression {
	struct hist_events *events;
	unsigned int buffer;
	struct hist_event **known; /* that were looked up */
	unsigned int nknown;
	struct hist_check_trigger *triggers; /* events are of @known, expressions ours */
	unsigned int ntriggers;
	struct hist_synth **synths;
	unsigned int nsynths;
	struct hist_engine *engine;
	int counter;	 /* of the last trigger */
	char *near;	 /* of the last suggestion */
	char *name;	 /* of the last event */
};

/* Where the statement at @text ends: at its ';', or at the NUL. */
size_t expression_statement(const char *text);

#endif
