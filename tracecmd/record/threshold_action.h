/* SPDX-License-Identifier: GPL-2.0 */
/*
 * threshold_action.h - signals and commands for episodes: --on-threshold signal and shell
 */
#ifndef TRACECMD_RECORD_THRESHOLD_ACTION_H
#define TRACECMD_RECORD_THRESHOLD_ACTION_H

#include <stdint.h>
#include <sys/types.h>

#include "tracecmd/plan/plan.h"

struct threshold_action {
	pid_t shell; /* the running command, or 0 */
	uint64_t skipped; /* episodes that came while it ran */
	bool refused; /* a message about a failure was printed */
};

/* An episode, for the environment of the command. */
struct threshold_hit {
	const char *event; /* "latency:sched_waking..sched_switch" */
	uint64_t value;	   /* ns; 0: the threshold is a filter */
	uint64_t time;	   /* trace clock */
	unsigned int cpu;
};

/*
 * threshold_action_run - carry out signal and shell of @plan, and set *@stop for stop
 * @n episodes came since the last call; @largest is the largest of them.  Failures are warnings.  A
 * command gets TRACE_CMD_HIST_EVENT, _VALUE, _TIME and _CPU; it runs once for all @n, and not while
 * an earlier one still runs.
 */
void threshold_action_run(struct threshold_action *a, const struct plan *plan,
			  const struct threshold_hit *largest, uint64_t n, bool *stop);

/* Wait some seconds for the command, then end its process group; print what was skipped. */
void threshold_action_finish(struct threshold_action *a);

#endif
