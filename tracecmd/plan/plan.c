// SPDX-License-Identifier: GPL-2.0
/*
 * plan.c - add objects, events and histograms to a plan
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/text.h"
#include "tracecmd/plan/plan.h"

int plan_add_dynevent(struct plan *plan, enum plan_dynevent_kind kind, const char *definition)
{
	if (array_add(&plan->dynevents, plan->ndynevents, sizeof(*plan->dynevents)))
		return -ENOMEM;
	plan->dynevents[plan->ndynevents++] =
		(struct plan_dynevent){ .kind = kind, .definition = definition };
	return 0;
}

/* The name in a definition of a probe, "GROUP/EVENT"; 0: @definition does not have one. */
static size_t find_probe_name(const char *definition, const char **name)
{
	const char *colon = strpbrk(definition, ": \t");

	if (!colon || *colon != ':')
		return 0;
	*name = colon + 1;
	return strcspn(*name, " \t");
}

struct plan_dynevent *plan_find_dynevent(const struct plan *plan, const char *event)
{
	const char *separator = strpbrk(event, ":/"), *name, *slash;
	size_t len, group;
	unsigned int i;

	for (i = 0; i < plan->ndynevents; i++) {
		if (plan->dynevents[i].kind != PLAN_DYNAMIC)
			continue;
		len = find_probe_name(plan->dynevents[i].definition, &name);
		slash = len ? memchr(name, '/', len) : NULL;
		if (!slash)
			continue;
		group = slash - name;
		if (separator && (group != (size_t)(separator - event) || memcmp(name, event, group)))
			continue;
		if (text_equals(slash + 1, len - group - 1, separator ? separator + 1 : event))
			return &plan->dynevents[i];
	}
	return NULL;
}

int plan_add_need(struct plan *plan, const struct plan_need *need)
{
	if (array_add(&plan->needs, plan->nneeds, sizeof(*plan->needs)))
		return -ENOMEM;
	plan->needs[plan->nneeds++] = *need;
	return 0;
}

void plan_leave_out(struct plan *plan, const char *what)
{
	unsigned int i, n = 0;

	for (i = 0; i < plan->nevents; i++) {
		if (plan->events[i].optional == what)
			free(plan->events[i].hists);
		else
			plan->events[n++] = plan->events[i];
	}
	plan->nevents = n;
}

int plan_add_setting(struct plan *plan, const struct plan_setting *setting)
{
	if (array_add(&plan->settings, plan->nsettings, sizeof(*plan->settings)))
		return -ENOMEM;
	plan->settings[plan->nsettings++] = *setting;
	return 0;
}

int plan_add_event(struct plan *plan, const char *name)
{
	if (array_add(&plan->events, plan->nevents, sizeof(*plan->events)))
		return -ENOMEM;
	plan->events[plan->nevents++] = (struct plan_event){ .name = name };
	return 0;
}

struct plan_hist *plan_add_hist(struct plan *plan)
{
	struct plan_event *event = &plan->events[plan->nevents - 1];

	if (array_add(&event->hists, event->nhists, sizeof(*event->hists)))
		return NULL;
	return memset(&event->hists[event->nhists++], 0, sizeof(*event->hists));
}

int plan_add_captured(struct plan *plan, const char *event)
{
	if (array_add(&plan->captured, plan->ncaptured, sizeof(*plan->captured)))
		return -ENOMEM;
	plan->captured[plan->ncaptured++] = event;
	return 0;
}

bool plan_has_action(const struct plan *plan, enum plan_action_kind kind)
{
	unsigned int i;

	for (i = 0; i < plan->nactions; i++) {
		if (plan->actions[i].kind == kind)
			return true;
	}
	return false;
}

const char *plan_own(struct plan *plan, char *text)
{
	if (!text || array_add(&plan->owned, plan->nowned, sizeof(*plan->owned))) {
		free(text);
		return NULL;
	}
	return plan->owned[plan->nowned++] = text;
}

bool plan_lists_tasks(const struct plan *plan)
{
	return plan->pids || plan->only_command || plan->cgroup;
}

void plan_clear(struct plan *plan)
{
	unsigned int i;

	for (i = 0; i < plan->nevents; i++)
		free(plan->events[i].hists);
	for (i = 0; i < plan->nowned; i++)
		free(plan->owned[i]);
	free(plan->events);
	free(plan->dynevents);
	free(plan->needs);
	free(plan->settings);
	free(plan->owned);
	free(plan->actions);
	free(plan->captured);
	free(plan->pids);
	memset(plan, 0, sizeof(*plan));
}
