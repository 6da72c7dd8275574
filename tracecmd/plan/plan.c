// SPDX-License-Identifier: GPL-2.0
/*
 * plan.c - put a plan together
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/plan/plan.h"

int plan_add_object(struct plan *plan, enum plan_object_kind kind, const char *definition)
{
	struct plan_object *p;

	p = reallocarray(plan->objects, plan->nobjects + 1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	plan->objects = p;
	p[plan->nobjects++] = (struct plan_object){ .kind = kind, .definition = definition };
	return 0;
}

int plan_add_need(struct plan *plan, const char *what, const char *preset, const char *since)
{
	struct plan_need *p;

	p = reallocarray(plan->needs, plan->nneeds + 1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	plan->needs = p;
	p[plan->nneeds++] =
		(struct plan_need){ .what = what, .preset = preset, .since = since };
	return 0;
}

int plan_add_event(struct plan *plan, const char *name)
{
	struct plan_event *p;

	p = reallocarray(plan->events, plan->nevents + 1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	plan->events = p;
	p[plan->nevents++] = (struct plan_event){ .name = name };
	return 0;
}

struct plan_hist *plan_add_hist(struct plan *plan)
{
	struct plan_event *event = &plan->events[plan->nevents - 1];
	struct plan_hist *p;

	p = reallocarray(event->hists, event->nhists + 1, sizeof(*p));
	if (!p)
		return NULL;
	event->hists = p;
	p += event->nhists++;
	memset(p, 0, sizeof(*p));
	return p;
}

const char *plan_own(struct plan *plan, char *text)
{
	char **p = text ? reallocarray(plan->owned, plan->nowned + 1, sizeof(*p)) : NULL;

	if (!p) {
		free(text);
		return NULL;
	}
	plan->owned = p;
	return p[plan->nowned++] = text;
}

void plan_clear(struct plan *plan)
{
	unsigned int i;

	for (i = 0; i < plan->nevents; i++)
		free(plan->events[i].hists);
	for (i = 0; i < plan->nowned; i++)
		free(plan->owned[i]);
	free(plan->events);
	free(plan->objects);
	free(plan->needs);
	free(plan->owned);
	free(plan->pids);
	memset(plan, 0, sizeof(*plan));
}
