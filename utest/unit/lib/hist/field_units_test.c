// SPDX-License-Identifier: GPL-2.0
/*
 * field_units_test.c - fields of the scheduler and of osnoise have the units of their print formats
 */
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/hist/field_units.h"
#include "utest/unit/tests.h"

static void test_known(void)
{
	CU_ASSERT_STRING_EQUAL(field_units_find("sched", "sched_stat_runtime", "runtime"), "ns");
	CU_ASSERT_STRING_EQUAL(field_units_find("sched", "sched_stat_iowait", "delay"), "ns");
	CU_ASSERT_STRING_EQUAL(field_units_find("osnoise", "irq_noise", "duration"), "ns");
	CU_ASSERT_STRING_EQUAL(field_units_find("ftrace", "timerlat", "timer_latency"), "ns");
	/* the same name in another unit */
	CU_ASSERT_STRING_EQUAL(field_units_find("ftrace", "osnoise", "runtime"), "us");
	CU_ASSERT_STRING_EQUAL(field_units_find("ftrace", "hwlat", "duration"), "us");
	CU_ASSERT_PTR_NULL(field_units_find("sched", "sched_stat_runtime", "delay"));
	CU_ASSERT_PTR_NULL(field_units_find("mine", "sched_stat_runtime", "runtime"));
	CU_ASSERT_PTR_NULL(field_units_find("sched", "sched_switch", "next_pid"));
}

static void test_set(void)
{
	struct hist_schema schema = {
		.nkeys = 2,
		.nvalues = 2,
		.keys = { { .name = (char *)"comm", .kind = HIST_KEY_STRING },
			  { .name = (char *)"delay", .kind = HIST_KEY_LOG2 } },
		.values = { { .name = (char *)"hitcount" }, { .name = (char *)"delay" } },
	};

	field_units_set_named(&schema, "sched_stat_wait");
	field_units_set_named(&schema, "x:sched_stat_wait");
	CU_ASSERT_PTR_NULL(schema.keys[1].unit);
	field_units_set_named(&schema, "sched:sched_stat_wait");
	CU_ASSERT_PTR_NULL(schema.keys[0].unit);
	CU_ASSERT_STRING_EQUAL(schema.keys[1].unit, "ns");
	CU_ASSERT_PTR_NULL(schema.values[0].unit);
	CU_ASSERT_STRING_EQUAL(schema.values[1].unit, "ns");
}

static void test_elapsed(void)
{
	CU_ASSERT_TRUE(field_units_is_elapsed("ftrace", "timerlat", "timer_latency"));
	CU_ASSERT_TRUE(field_units_is_elapsed("osnoise", "thread_noise", "duration"));
	CU_ASSERT_TRUE(field_units_is_elapsed("sched", "sched_stat_wait", "delay"));
	/* a sum, the longest gap of a window, a time that no clock shows, a field of another event */
	CU_ASSERT_FALSE(field_units_is_elapsed("ftrace", "osnoise", "noise"));
	CU_ASSERT_FALSE(field_units_is_elapsed("ftrace", "hwlat", "duration"));
	CU_ASSERT_FALSE(field_units_is_elapsed("sched", "sched_stat_runtime", "vruntime"));
	CU_ASSERT_FALSE(field_units_is_elapsed("mine", "timerlat", "timer_latency"));
}

UNIT_TESTS({ "a field has the unit of its event, and no field of another event", test_known },
	   { "keys and values of a schema get the units of its event", test_set },
	   { "only some durations end when their event happens", test_elapsed });
