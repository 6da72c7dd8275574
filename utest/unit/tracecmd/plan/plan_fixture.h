/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plan_fixture.h - what the tests of --latency and --sql share
 */
#ifndef UTEST_UNIT_TRACECMD_PLAN_PLAN_FIXTURE_H
#define UTEST_UNIT_TRACECMD_PLAN_PLAN_FIXTURE_H

#include "tracecmd/plan/plan.h"
#include "utest/unit/tracecmd/target/fake_target.h"

/* Gives @fake the format files of some events, and available_events. */
void plan_events_put(struct fake_target *fake);

/*
 * The plan as lines in @buf: objects, then events with their histograms, as
 * [-]EVENT RAW-OR-KEYS [v=VALUES] [s=SORT] [f=FILTER] [TITLE]; "-" is for hidden.
 */
void plan_lines(const struct plan *plan, char *buf, size_t len);

#endif
