// SPDX-License-Identifier: GPL-2.0
/*
 * undo_test.c - taking changes back: order, failures, what is not ours
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/CUnit.h>

#include "utest/unit/helper/undo/undo_fixture.h"
#include "utest/unit/tests.h"

static void test_order(void)
{
	struct undo *undo;

	fresh();
	fake_target_put(fake, "tracing_on", "1\n");
	undo = new_undo();
	add_instance(undo);
	add_trigger(undo, TRIGGER, "hist:keys=a:ts0=x");
	add_trigger(undo, TRIGGER, "hist:keys=b:lat=$ts0");
	set_value(undo, "tracing_on", "0");
	free(fake_target_log(fake));

	CU_ASSERT_EQUAL(undo_run(undo, stderr), 0);
	expect_log("write tracing_on 1\n"
		   "append " TRIGGER " !hist:keys=b:lat=$ts0\n"
		   "append " TRIGGER " !hist:keys=a:ts0=x\n"
		   "rmdir instances/h\n");
	CU_ASSERT_EQUAL(undo_run(undo, stderr), 0);
	expect_log("");
	CU_ASSERT_EQUAL(undo_note(undo, UNDO_NOTE_INSTANCE, "instances/late", NULL), -EINVAL);
	undo_free(undo);
	CU_ASSERT(no_journal());
}

static void test_failure_goes_on(void)
{
	struct undo *undo;
	char *report;
	size_t len;
	FILE *f = open_memstream(&report, &len);

	fresh();
	undo = new_undo();
	fake_target_put(fake, "a/trigger", "");
	fake_target_put(fake, "b/trigger", "");
	add_trigger(undo, "a/trigger", "hist:a\nx");
	add_trigger(undo, "b/trigger", "hist:b");
	add_instance(undo);
	fail_on("write", "b/trigger", -1, -EBUSY);

	CU_ASSERT_EQUAL(undo_run(undo, f), -EBUSY);
	fclose(f);
	CU_ASSERT_STRING_EQUAL(report,
			       "trace-cmd hist: error: b/trigger: cannot remove hist:b: another trigger "
			       "uses variables of this trigger\nhint: remove the other trigger, then run "
			       "'trace-cmd hist cleanup'\n");
	expect_file("a/trigger", "");
	expect_file("b/trigger", "hist:b\n");
	CU_ASSERT_EQUAL(fake->target.ops->exists(&fake->target, "instances/h"), 0);
	CU_ASSERT_PTR_NOT_NULL(only_journal());
	free(fake_target_log(fake));

	/* What is left of it is for cleanup; what was done is not done again. */
	undo_free(undo);
	fake->fail_op = NULL;
	fake_target_put(fake, "instances/h/file", "somebody else's");
	expect_cleanup(1, 0, "removed from b/trigger: hist:b\n");
	expect_log("append b/trigger !hist:b\n");
	CU_ASSERT_EQUAL(fake->target.ops->exists(&fake->target, "instances/h"), 1);
	CU_ASSERT(no_journal());
	free(report);
}

static void test_cancel(void)
{
	struct undo *undo;

	fresh();
	fake_target_put(fake, "a/trigger", "");
	undo = new_undo();
	add_trigger(undo, "a/trigger", "hist:a");
	CU_ASSERT_EQUAL(undo_note(undo, UNDO_NOTE_INSTANCE, "instances/users", NULL), 0);
	CU_ASSERT_EQUAL(undo_cancel(undo), 0);
	CU_ASSERT_EQUAL(fake->target.ops->mkdir(&fake->target, "instances/users"), 0);
	CU_ASSERT_EQUAL(undo_run(undo, stderr), 0);
	CU_ASSERT_EQUAL(fake->target.ops->exists(&fake->target, "instances/users"), 1);
	expect_file("a/trigger", "");
	CU_ASSERT_EQUAL(undo_cancel(undo), -ENOENT);
	undo_free(undo);

	/* The journal knows of it too. */
	undo = new_undo();
	add_trigger(undo, "a/trigger", "hist:a");
	CU_ASSERT_EQUAL(undo_note(undo, UNDO_NOTE_INSTANCE, "instances/users", NULL), 0);
	CU_ASSERT_EQUAL(undo_cancel(undo), 0);
	undo_free(undo);
	expect_cleanup(1, 0, "removed from a/trigger: hist:a\n");
	CU_ASSERT_EQUAL(fake->target.ops->exists(&fake->target, "instances/users"), 1);
}

/* Without notes no journal stays, with notes it does. */
static void test_free(void)
{
	struct undo *undo;

	fresh();
	undo = new_undo();
	undo_free(undo);
	CU_ASSERT(no_journal());
	undo_free(NULL);
	undo = new_undo();
	add_instance(undo);
	undo_free(undo);
	CU_ASSERT_PTR_NOT_NULL(only_journal());
	expect_cleanup(1, 0, "removed instances/h\n");
}

static void test_bad_notes(void)
{
	static const char *const bad[] = { "events/x", "instances/", "instances/.", "instances/..",
					   "instances/a/b", "/instances/a", "instances", NULL };
	struct undo *undo;
	int i;

	fresh();
	undo = new_undo();
	for (i = 0; bad[i]; i++)
		CU_ASSERT_EQUAL(undo_note(undo, UNDO_NOTE_INSTANCE, bad[i], NULL), -EINVAL);
	CU_ASSERT_EQUAL(undo_note(undo, UNDO_NOTE_TRIGGER, "../trigger", "hist:a"), -EINVAL);
	CU_ASSERT_EQUAL(undo_note(undo, UNDO_NOTE_VALUE, "a/trigger", "x"), -EINVAL);
	CU_ASSERT_EQUAL(undo_note(undo, UNDO_NOTE_VALUE, "synthetic_events", ""), -EINVAL);
	undo_free(undo);
	CU_ASSERT(no_journal());
}

static void test_values(void)
{
	struct undo *undo;

	fresh();
	fake_target_put(fake, "trace_clock", "[local] global mono\n");
	fake_target_put(fake, "pids", "");
	fake_target_put(fake, "list", "one\ntwo\n");
	fake_target_put(fake, "same", "5\n");
	fake_target_put(fake, "instances/h/gone", "1\n");
	undo = new_undo();
	set_value(undo, "trace_clock", "local global [mono]\n");
	set_value(undo, "pids", "77\n");
	set_value(undo, "list", "three\n");
	set_value(undo, "same", "5");
	set_value(undo, "instances/h/gone", "2");
	CU_ASSERT_EQUAL(fake->target.ops->rmdir(&fake->target, "instances/h"), 0);
	free(fake_target_log(fake));
	CU_ASSERT_EQUAL(undo_run(undo, stderr), 0);
	expect_log("write list one\nappend list two\nwrite pids\nwrite trace_clock local\n");
	expect_file("pids", "");
	undo_free(undo);

	/* The clock in brackets is compared, not the text. */
	fake_target_put(fake, "trace_clock", "[local] global mono\n");
	undo = new_undo();
	CU_ASSERT_EQUAL(undo_note(undo, UNDO_NOTE_VALUE, "trace_clock", "[local] global mono\n"),
			0);
	fake_target_put(fake, "trace_clock", "[local] global mono boot\n");
	CU_ASSERT_EQUAL(undo_run(undo, stderr), 0);
	expect_log("");
	undo_free(undo);
}

/* Noted, but it was the user's: the write would have failed with EEXIST. */
static void test_users_trigger(void)
{
	struct undo *undo;

	fresh();
	fake_target_put(fake, "a/trigger", "hist:same\n");
	undo = new_undo();
	CU_ASSERT_EQUAL(undo_note(undo, UNDO_NOTE_TRIGGER, "a/trigger", "hist:same"), 0);
	undo_free(undo);
	expect_cleanup(0, 0, "");
	expect_file("a/trigger", "hist:same\n");
	CU_ASSERT(no_journal());
}

/* EINVAL says nothing: is it there or not? */
static void test_removal_refused(void)
{
	unsigned int removed, failed;
	struct undo *undo;

	fresh();
	fake_target_put(fake, "a/trigger", "");
	undo = new_undo();
	add_trigger(undo, "a/trigger", "hist:a");
	fake_target_put(fake, "a/trigger", "# none\nstacktrace\nhistory\n");
	fail_on("write", "a/trigger", -1, -EINVAL);
	undo_free(undo);
	free(cleanup(true, &removed, &failed));
	CU_ASSERT_EQUAL(removed, 0);
	expect_cleanup(0, 0, "");
	CU_ASSERT(no_journal());

	fake->fail_op = NULL;
	fake_target_put(fake, "a/trigger", "");
	undo = new_undo();
	add_trigger(undo, "a/trigger", "hist:a");
	fail_on("write", "a/trigger", -1, -EINVAL);
	CU_ASSERT_EQUAL(undo_run(undo, NULL), -EINVAL);
	undo_free(undo);
	expect_cleanup(0, 1,
		       "trace-cmd hist: error: a/trigger: cannot remove hist:a: Invalid argument\n");
	CU_ASSERT_PTR_NOT_NULL(only_journal());
}

/* Files of a killed recorder may be open for a moment still. */
static void test_busy(void)
{
	struct undo *undo;

	fresh();
	undo = new_undo();
	add_instance(undo);
	fail_on("rmdir", "instances/h", 3, -EBUSY);
	CU_ASSERT_EQUAL(undo_run(undo, stderr), 0);
	CU_ASSERT_EQUAL(fake->target.ops->exists(&fake->target, "instances/h"), 0);
	undo_free(undo);
	CU_ASSERT(no_journal());
}

UNIT_TESTS_WITH(undo_set_up, undo_tear_down,
	{ "undo_run() undoes the changes newest first, and only once", test_order },
	{ "a failed undo does not stop the older ones and stays in the journal for cleanup",
	  test_failure_goes_on },
	{ "neither undo_run() nor cleanup undoes a cancelled note", test_cancel },
	{ "undo_free() keeps a journal with notes and removes an empty one", test_free },
	{ "undo_note() refuses a path that does not fit the kind of the note", test_bad_notes },
	{ "undo_run() restores the old value of each file that has another value now",
	  test_values },
	{ "cleanup keeps a user's trigger that equals a noted trigger", test_users_trigger },
	{ "a refused removal of a trigger counts as a failure only if the trigger is still set",
	  test_removal_refused },
	{ "undo_run() retries the removal of a busy instance", test_busy });
