// SPDX-License-Identifier: GPL-2.0
/*
 * threshold_test.c - the options of a threshold
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "tracecmd/plan/plan_threshold.h"
#include "utest/unit/tests.h"

static int add(struct plan *plan, const char *text)
{
	const struct option_row row = { .name = "on-threshold" };
	char *copy = (char *)query_own(&plan->query, strdup(text));

	return plan_threshold_add_action(plan, &row, copy);
}

static void test_actions(void)
{
	struct plan plan = { 0 };

	CU_ASSERT_EQUAL(add(&plan, "capture"), 0);
	CU_ASSERT_EQUAL(add(&plan, "stop"), 0);
	CU_ASSERT_EQUAL(add(&plan, "continue"), 0);
	CU_ASSERT_EQUAL(add(&plan, "signal,num=10,pid=77"), 0);
	CU_ASSERT_EQUAL(add(&plan, "signal,pid=parent,num=SIGUSR2"), 0);
	CU_ASSERT_EQUAL(add(&plan, "shell,command=echo a,b"), 0);
	CU_ASSERT_EQUAL_FATAL(plan.nactions, 6);
	CU_ASSERT_EQUAL(plan.actions[0].kind, PLAN_CAPTURE);
	CU_ASSERT_EQUAL(plan.actions[1].kind, PLAN_STOP);
	CU_ASSERT_EQUAL(plan.actions[2].kind, PLAN_CONTINUE);
	CU_ASSERT_EQUAL(plan.actions[3].signal, 10);
	CU_ASSERT_EQUAL(plan.actions[3].pid, 77);
	CU_ASSERT_EQUAL(plan.actions[4].signal, SIGUSR2);
	CU_ASSERT_EQUAL(plan.actions[4].pid, 0);
	CU_ASSERT_STRING_EQUAL(plan.actions[5].command, "echo a,b");
	plan_clear(&plan);
}

static void test_bad_actions(void)
{
	static const char *const bad[] = {
		"", "capt", "signal", "signal,", "signal,num=10", "signal,pid=7", "signal,num=0,pid=7",
		"signal,num=NOSUCH,pid=7", "signal,num=10,pid=0", "signal,num=10,pid=-1",
		"signal,num=10,pid=7,x=1", "signal,num=999,pid=7", "shell", "shell,command=",
	};
	struct plan plan = { 0 };
	unsigned int i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		if (add(&plan, bad[i]) != -EINVAL)
			CU_FAIL(bad[i]);
	}
	CU_ASSERT_EQUAL(plan.nactions, 0);
	CU_ASSERT_EQUAL(add(&plan, "shell,command=true"), 0);
	CU_ASSERT_EQUAL(add(&plan, "shell,command=false"), -EINVAL);
	plan_clear(&plan);
}

static void test_numbers(void)
{
	static const char *const bad[] = { "0", "101", "-1", "x", "1.5", "" };
	const struct option_row worst = { .name = "worst" }, buffer = { .name = "b" };
	struct plan plan = { 0 };
	char text[16];
	unsigned int i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(text, sizeof(text), "%s", bad[i]);
		if (plan_threshold_set_episodes(&plan, &worst, text) != -EINVAL)
			CU_FAIL(bad[i]);
		/* 101 KiB are possible */
		if (i != 1 && plan_threshold_set_buffer(&plan, &buffer, text) != -EINVAL)
			CU_FAIL(bad[i]);
	}
	snprintf(text, sizeof(text), "100");
	CU_ASSERT_EQUAL(plan_threshold_set_episodes(&plan, &worst, text), 0);
	CU_ASSERT_EQUAL(plan.episodes, 100);
	CU_ASSERT_EQUAL(plan_threshold_set_buffer(&plan, &buffer, text), 0);
	CU_ASSERT_EQUAL(plan.buffer_kb, 100);
}

static void test_combinations(void)
{
	struct plan plan = { .output = "x.dat" };

	CU_ASSERT_EQUAL(plan_threshold_check(&plan), 0);
	CU_ASSERT_EQUAL(plan.nactions, 0);
	plan.episodes = 3;
	CU_ASSERT_EQUAL(plan_threshold_check(&plan), -EINVAL);
	/* capture is the default */
	plan.threshold = "1ms";
	CU_ASSERT_EQUAL(plan_threshold_check(&plan), 0);
	CU_ASSERT_TRUE(plan_has_action(&plan, PLAN_CAPTURE));
	plan.record_events = true;
	CU_ASSERT_EQUAL(plan_threshold_check(&plan), 0);
	plan.record_events = false;
	plan.stacks = true;
	CU_ASSERT_EQUAL(plan_threshold_check(&plan), 0);
	plan.stacks = false;
	plan.rotate_ns = 1;
	CU_ASSERT_EQUAL(plan_threshold_check(&plan), 0);
	plan.rotate_ns = 0;
	plan.output = NULL;
	CU_ASSERT_EQUAL(plan_threshold_check(&plan), -EINVAL);
	/* only capture needs the file, and --worst needs capture */
	plan.actions[0].kind = PLAN_STOP;
	CU_ASSERT_EQUAL(plan_threshold_check(&plan), -EINVAL);
	plan.episodes = 0;
	CU_ASSERT_EQUAL(plan_threshold_check(&plan), 0);
	CU_ASSERT_FALSE(plan_has_action(&plan, PLAN_CAPTURE));
	/* stacks need recorded events */
	plan.stacks = true;
	CU_ASSERT_EQUAL(plan_threshold_check(&plan), -EINVAL);
	plan.record_events = true;
	CU_ASSERT_EQUAL(plan_threshold_check(&plan), 0);
	plan.threshold = NULL;
	plan.nactions = 0;
	CU_ASSERT_EQUAL(plan_threshold_check(&plan), 0);
	plan.record_events = false;
	CU_ASSERT_EQUAL(plan_threshold_check(&plan), -EINVAL);
	plan_clear(&plan);
}

UNIT_TESTS(
	{ "each action of rtla is understood", test_actions },
	{ "what is not an action is refused", test_bad_actions },
	{ "--worst and -b are numbers from 1 on", test_numbers },
	{ "capture is the default, and needs a file of its own", test_combinations });
