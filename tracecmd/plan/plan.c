// SPDX-License-Identifier: GPL-2.0
/*
 * plan.c - what a plan says, and its end
 */
#include <stdlib.h>
#include <string.h>

#include "tracecmd/plan/plan.h"

bool plan_has_action(const struct plan *plan, enum plan_action_kind kind)
{
	unsigned int i;

	for (i = 0; i < plan->nactions; i++) {
		if (plan->actions[i].kind == kind)
			return true;
	}
	return false;
}

const char *plan_task_option(const struct plan *plan)
{
	return plan->pids ? "-P" : plan->cgroup ? "--cgroup" : plan->only_command ? "-F" : NULL;
}

bool plan_lists_tasks(const struct plan *plan)
{
	return plan_task_option(plan);
}

void plan_clear(struct plan *plan)
{
	query_clear(&plan->query);
	free(plan->actions);
	free(plan->pids);
	free(plan->metrics_listen);
	memset(plan, 0, sizeof(*plan));
}
