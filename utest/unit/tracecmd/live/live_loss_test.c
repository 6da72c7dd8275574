// SPDX-License-Identifier: GPL-2.0
/*
 * live_loss_test.c - the number of lost events, from pages and from the counts of ring buffers
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/CUnit.h>

#include "tracecmd/live/live_loss.h"
#include "tracecmd/trigger/instance.h"
#include "utest/unit/helper/undo/undo_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static struct plan plan;
static struct instance instance;
static struct trigger_set set = { .plan = &plan, .instance = &instance };
static struct live_loss loss;

/* The counts of CPU @cpu in an instance, as the kernel writes them. */
static void put_stats(const char *dir, unsigned int cpu, unsigned long overrun, unsigned long commit,
		      unsigned long dropped)
{
	char path[80], text[400];

	snprintf(path, sizeof(path), "%s/per_cpu/cpu%u/stats", dir, cpu);
	snprintf(text, sizeof(text), "entries: 1000\noverrun: %lu\ncommit overrun: %lu\nbytes: 77\n"
		 "oldest event ts:  2.1\nnow ts:  3.2\ndropped events: %lu\nread events: 12\n",
		 overrun, commit, dropped);
	if (fake_target_put(fake, path, text))
		abort();
}

/* A private instance of this session on a machine of four CPUs, of which CPU 2 does not exist. */
static void begin(bool made)
{
	fresh();
	fake->target.cpus = 4;
	set.target = &fake->target;
	plan = (struct plan){ 0 };
	instance = (struct instance){ .tracer_dir = "instances/x", .made = made };
	put_stats("instances/x", 0, 10, 0, 0);
	put_stats("instances/x", 1, 0, 0, 0);
	put_stats("instances/x", 3, 0, 0, 0);
	live_loss_begin(&loss, &set);
}

static void lose(uint64_t events)
{
	live_loss_add_page(&loss, &(struct hist_ring_page){ .lost = events });
}

static const char *report(void)
{
	test_stderr_begin();
	live_loss_report(&loss);
	return test_stderr_end();
}

static void test_private(void)
{
	begin(true);
	lose(0);
	live_loss_update(&loss);
	CU_ASSERT_EQUAL(live_loss_count_events(&loss), 0);
	CU_ASSERT_STRING_EQUAL(report(), "");
	/* all three counts of all CPUs that exist, as soon as a page has a gap */
	put_stats("instances/x", 0, 100, 20, 3);
	put_stats("instances/x", 3, 4000, 0, 0);
	live_loss_update(&loss);
	CU_ASSERT_EQUAL(live_loss_count_events(&loss), 0);
	lose(5);
	lose(HIST_RING_PAGE_LOST_SOME);
	live_loss_update(&loss);
	CU_ASSERT_EQUAL(live_loss_count_events(&loss), 4123);
	CU_ASSERT_STRING_EQUAL(report(), "trace-cmd hist: warning: ring buffer: 4123 events were lost at 2 "
			       "places, so the counts are too low\n");
	/* the counts are not read again before the next gap */
	put_stats("instances/x", 1, 1000, 0, 0);
	live_loss_update(&loss);
	CU_ASSERT_EQUAL(live_loss_count_events(&loss), 4123);
	lose(1);
	live_loss_update(&loss);
	CU_ASSERT_EQUAL(live_loss_count_events(&loss), 5123);
}

static void test_both_instances(void)
{
	begin(true);
	instance.anywhere_dir = (char *)"instances/y";
	put_stats("instances/y", 0, 0, 0, 0);
	put_stats("instances/y", 1, 300, 0, 0);
	put_stats("instances/y", 3, 0, 0, 0);
	lose(HIST_RING_PAGE_LOST_SOME);
	live_loss_update(&loss);
	CU_ASSERT_EQUAL(live_loss_count_events(&loss), 310);
}

static void test_others_instance(void)
{
	begin(false);
	/* what was lost before is not of this session */
	CU_ASSERT_EQUAL(live_loss_count_events(&loss), 0);
	put_stats("instances/x", 0, 11, 0, 0);
	live_loss_update(&loss);
	CU_ASSERT_EQUAL(live_loss_count_events(&loss), 1);
	/* no page has a gap if the buffer does not overwrite */
	CU_ASSERT_STRING_EQUAL(report(), "trace-cmd hist: warning: ring buffer: 1 event was lost, so the "
			       "counts are too low\n");
	put_stats("instances/x", 3, 0, 0, 30);
	live_loss_update(&loss);
	CU_ASSERT_EQUAL(live_loss_count_events(&loss), 31);
	/* another program has cleared the buffers */
	put_stats("instances/x", 0, 0, 0, 0);
	put_stats("instances/x", 3, 0, 0, 2);
	live_loss_update(&loss);
	CU_ASSERT_EQUAL(live_loss_count_events(&loss), 31);
}

static void test_unreadable(void)
{
	begin(true);
	fail_on("read", "instances/x/per_cpu/cpu1/stats", -1, -EACCES);
	lose(7);
	lose(HIST_RING_PAGE_LOST_SOME);
	lose(HIST_RING_PAGE_LOST_SOME);
	live_loss_update(&loss);
	CU_ASSERT_EQUAL(live_loss_count_events(&loss), 9);
	CU_ASSERT_STRING_EQUAL(report(), "trace-cmd hist: warning: ring buffer: at least 9 events were lost "
			       "at 3 places, so the counts are too low\n");
	/* the hint is for functions that the engine counts by default */
	plan.query.functions = "vfs_*";
	plan.engine = PLAN_ENGINE_AUTO;
	CU_ASSERT_STRING_EQUAL(report(), "trace-cmd hist: warning: ring buffer: at least 9 events were lost "
			       "at 3 places, so the counts are too low\n"
			       "hint: use --function or --function-latency with --engine kernel, which "
			       "counts each call\n");
	plan.engine = PLAN_ENGINE_USER;
	CU_ASSERT_PTR_NULL(strstr(report(), "hint"));
}

UNIT_TESTS_WITH(undo_set_up, undo_tear_down,
	{ "a gap in a page makes the counts of all CPUs be read", test_private },
	{ "the counts of both instances of a session are added", test_both_instances },
	{ "in an instance of others only later losses count, and a cleared buffer loses nothing",
	  test_others_instance },
	{ "without counts, the pages have a lower limit", test_unreadable });
