// SPDX-License-Identifier: GPL-2.0
/*
 * context_fixture.c - see context_fixture.h
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "utest/unit/lib/check/context_fixture.h"
#include "utest/unit/test_data.h"

#define EVENTS_MAX 16

static struct hist_event *events[EVENTS_MAX];
static unsigned int nevents;

int fixture_find(void *data, const char *system, const char *name, const struct hist_event **event)
{
	char path[128];
	unsigned int i;
	size_t len;
	char *text;

	(void)data;
	for (i = 0; i < nevents; i++)
		if (hist_event_is(events[i], system, name)) {
			*event = events[i];
			return 0;
		}
	*event = NULL;
	if (!strcmp(name, "nosuch") || nevents == EVENTS_MAX)
		return -ENOENT;
	if (!strcmp(name, "awaited"))
		return 0;
	snprintf(path, sizeof(path), "formats/6.12/events/%s/%s/format", system, name);
	text = test_read_file(test_data_path(path), &len);
	if (hist_event_parse(&events[nevents], system, text, len))
		exit(2);
	free(text);
	*event = events[nevents++];
	return 0;
}

const char *fixture_near(void *data, const char *system, const char *name)
{
	(void)data;
	return !strcmp(system, "sched") && !strcmp(name, "nosuch") ? "such" : NULL;
}

const struct hist_event *context_event(const char *full)
{
	const char *colon = strchr(full, ':');
	const struct hist_event *event;
	char system[32];

	snprintf(system, sizeof(system), "%.*s", (int)(colon - full), full);
	fixture_find(NULL, system, colon + 1, &event);
	return event;
}

void fixture_free(void)
{
	while (nevents)
		hist_event_free(events[--nevents]);
}

unsigned int fixture_before(const struct before *before, struct hist_check_trigger *triggers)
{
	struct hist_expr *e;
	unsigned int n = 0;

	for (; n < BEFORE_MAX && before[n].event; n++) {
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, before[n].text, NULL), 0);
		triggers[n] = (struct hist_check_trigger){ context_event(before[n].event), e };
	}
	return n;
}
