/* SPDX-License-Identifier: GPL-2.0 */
/*
 * function_tracer.h - whether a tracer and the user-space engine count functions
 */
#ifndef TRACECMD_SESSION_FUNCTION_TRACER_H
#define TRACECMD_SESSION_FUNCTION_TRACER_H

#include "helper/local/target.h"
#include "tracecmd/plan/plan.h"

/* Whether --engine auto counts functions with a tracer and the user-space engine. */
enum function_tracer {
	FUNCTION_TRACER_NONE,	 /* no: hist triggers count */
	FUNCTION_TRACER_CHEAPER, /* it can do the same, and costs the functions less */
	FUNCTION_TRACER_NEEDED,	 /* the functions are too many for kprobes */
};

/*
 * function_choose_tracer - choose what counts the functions of a plan with --engine auto
 * A tracer is cheaper if the functions of one option are all that @plan counts on this machine, in
 * an instance of our own, and if it counts all keys, clocks and filters of the option. Hist
 * triggers count everything else, because they lose no events. Call it only for a target that has
 * them. Sets *@choice. 0, or -errno
 * after a message.
 */
int function_choose_tracer(const struct plan *plan, struct hist_target *t,
			   enum function_tracer *choice);

#endif
