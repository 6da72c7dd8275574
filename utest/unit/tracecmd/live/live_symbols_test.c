// SPDX-License-Identifier: GPL-2.0
/*
 * live_symbols_test.c - saved_cmdlines is read when a name is needed, and once in a round
 */
#include <errno.h>

#include <CUnit/CUnit.h>

#include "tracecmd/live/live_symbols.h"
#include "utest/unit/helper/undo/undo_fixture.h"
#include "utest/unit/tests.h"

static struct hist_engine_machine machine;

static struct live_names *live_symbols_open(void)
{
	static struct instance instance = { .clock = (char *)"mono" };
	static struct trigger_set set = { .instance = &instance };
	struct live_names *names;

	fresh();
	set.target = &fake->target;
	machine = (struct hist_engine_machine){ 0 };
	CU_ASSERT_EQUAL_FATAL(live_names_new(&names, &set, &machine), 0);
	return names;
}

static void live_symbols_put(const char *text)
{
	CU_ASSERT_EQUAL(fake_target_put(fake, "saved_cmdlines", text), 0);
}

static void expect_comm(uint32_t pid, const char *expected)
{
	const char *name = machine.comm(machine.data, pid);

	CU_ASSERT_STRING_EQUAL(name ? name : "none", expected);
}

static void test_needed(void)
{
	struct live_names *names = live_symbols_open();

	live_symbols_put("100 one\n");
	fail_on("read", "saved_cmdlines", -1, -ENOMEM);
	live_names_begin_round(names);
	CU_ASSERT_EQUAL(live_names_error(names), 0);
	expect_comm(100, "none");
	CU_ASSERT_EQUAL(live_names_error(names), -ENOMEM);
	live_names_free(names);
}

static void test_rounds(void)
{
	struct live_names *names = live_symbols_open();

	live_symbols_put("100 one\n");
	expect_comm(100, "one");
	live_symbols_put("100 other\n200 two\n");
	expect_comm(200, "none");
	live_names_begin_round(names);
	expect_comm(100, "one");
	expect_comm(200, "two");
	live_names_free(names);
}

UNIT_TESTS_WITH(undo_set_up, undo_tear_down,
	{ "the names of tasks are read if a name is needed", test_needed },
	{ "the names of new tasks are read once in a round", test_rounds });
