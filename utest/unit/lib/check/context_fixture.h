/* SPDX-License-Identifier: GPL-2.0 */
/*
 * context_fixture.h - events recorded from 6.12, and triggers that are there
 * before the one that is checked
 */
#ifndef UTEST_UNIT_LIB_CHECK_CONTEXT_FIXTURE_H
#define UTEST_UNIT_LIB_CHECK_CONTEXT_FIXTURE_H

#include "lib/check/check.h"

#define BEFORE_MAX 4

#define WAKING "sched:sched_waking"
#define WAKEUP "sched:sched_wakeup"
#define SWITCH "sched:sched_switch"

struct before {
	const char *event, *text;
};

/*
 * For hist_check_context: any event that was recorded, none that is named
 * "nosuch", and one of which nothing more is known for "awaited".
 */
int fixture_find(void *data, const char *system, const char *name, const struct hist_event **event);
/* "such" for sched:nosuch */
const char *fixture_near(void *data, const char *system, const char *name);
/* "SYSTEM:NAME" */
const struct hist_event *context_event(const char *full);
/* Parses up to BEFORE_MAX triggers; how many there are. Free each expr. */
unsigned int fixture_before(const struct before *before, struct hist_check_trigger *triggers);
/* All events. */
void fixture_free(void);

#endif
