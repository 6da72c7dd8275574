// SPDX-License-Identifier: GPL-2.0
/*
 * task_set_test.c - lists of thread IDs, and families in the text of /proc/PID/task/TID/status
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "tracecmd/session/task_filter.h"
#include "utest/unit/tests.h"

/* The set as text: "1 2 3". */
static const char *print(const struct task_set *set)
{
	static char text[256];
	size_t i, len = 0;

	text[0] = '\0';
	for (i = 0; i < set->n; i++)
		len += snprintf(text + len, sizeof(text) - len, "%s%u", i ? " " : "", set->ids[i]);
	return text;
}

static void test_lists(void)
{
	struct task_set a = { 0 }, b = { 0 }, c = { 0 };

	CU_ASSERT_EQUAL(task_set_parse(&a, "30\n4\n\n4194304\n4\n"), 0);
	CU_ASSERT_STRING_EQUAL(print(&a), "4 30 4194304");
	CU_ASSERT_TRUE(task_set_has(&a, 30) && !task_set_has(&a, 3) && !task_set_has(&b, 4));
	CU_ASSERT_EQUAL(task_set_parse(&b, "no pid\n"), 0);
	CU_ASSERT_EQUAL(b.n, 0);
	CU_ASSERT_EQUAL(task_set_parse(&b, "5 30"), 0);
	CU_ASSERT_EQUAL(task_set_subtract(&c, &a, &b), 0);
	CU_ASSERT_STRING_EQUAL(print(&c), "4 4194304");
	CU_ASSERT_EQUAL(task_set_subtract(&c, &b, &a), 0);
	CU_ASSERT_STRING_EQUAL(print(&c), "5");
	task_set_clear(&a);
	task_set_clear(&b);
	task_set_clear(&c);
	CU_ASSERT_EQUAL(a.n, 0);
}

#define TASK(tgid, pid, ppid) "Tgid:\t" #tgid "\nPid:\t" #pid "\nPPid:\t" #ppid "\n"

/*
 * 100 has the thread 101 and the children 50 and 300; 300 has the child 40, whose ID is lower,
 * and 40 has the thread 41. 200 is a brother of 100.
 */
static const char tree[] = "Self:\t7\n" TASK(1, 1, 0) TASK(40, 40, 300) TASK(40, 41, 300)
	TASK(50, 50, 100) TASK(100, 100, 1) TASK(100, 101, 1) TASK(200, 200, 1) TASK(300, 300, 100);

static const char *family(const char *roots, uint32_t spare)
{
	static struct task_set set, list;
	const char *text;

	CU_ASSERT_EQUAL(task_set_parse(&list, roots), 0);
	CU_ASSERT_EQUAL(task_set_parse_family(&set, tree, &list, spare), 0);
	text = print(&set);
	task_set_clear(&set);
	task_set_clear(&list);
	return text;
}

static void test_family(void)
{
	CU_ASSERT_STRING_EQUAL(family("100", 0), "40 41 50 100 101 300");
	CU_ASSERT_STRING_EQUAL(family("300 200", 0), "40 41 200 300");
	CU_ASSERT_STRING_EQUAL(family("101", 0), "101");
	CU_ASSERT_STRING_EQUAL(family("100", 300), "50 100 101");
	CU_ASSERT_STRING_EQUAL(family("99", 0), "");
}

UNIT_TESTS({ "lists of IDs are sorted, and subtracted from each other", test_lists },
	   { "a family has the threads and all descendants of a process", test_family });
