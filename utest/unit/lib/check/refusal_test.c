// SPDX-License-Identifier: GPL-2.0
/*
 * refusal_test.c - reasons for what a kernel refused without a word
 */
#include <errno.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/check/check.h"
#include "utest/unit/lib/event/format_file.h"
#include "utest/unit/tests.h"

static const struct {
	const char *text; /* on kmem:kmalloc */
	int err;
	const char *what, *hint; /* what: its beginning; NULL: only strerror() */
} cases[] = {
	/* the checker knows the exact reason */
	{ "hist:keys=node:size=1000000", EINVAL, "size=1000000: must be a number from 65 to 131072", "" },
	{ "hist:keys=node,ptr,call_site,gfp_flags", EINVAL, "the kernel accepts at most 3 keys", "" },
	{ "hist:keys=node:x=ptr/0", EDOM, "division by zero", "" },
	{ "hist:keys=node:nohitcount", ENOENT, "nohitcount requires at least one other value",
	  "add a value, such as vals=hitcount.percent" },
	{ "hist:keys=node:name=n", EINVAL,
	  "a histogram with this name probably exists with a different "
	  "definition", "use another name=" },
	{ "hist:keys=node:x=$y", EINVAL, "a variable or synthetic event probably does not exist",
	  "set the trigger that defines the variable first" },
	{ "hist:keys=node:vals=$y", EINVAL, "a variable or synthetic event probably does not exist",
	  "set the trigger that defines the variable first" },
	{ "hist:keys=node:onmatch(a.b).ev(ptr)", EINVAL, "a variable or synthetic event probably",
	  "set the trigger that defines the variable first" },
	{ "hist:keys=node:x=ptr", EINVAL, "another trigger of this event probably sets",
	  "rename the variable, or leave out -B to use a private instance" },
	{ "hist:keys=node:clock=mono", EINVAL, "the instance probably cannot use this clock",
	  "leave out clock=" },
	{ "hist:keys=node", EINVAL, NULL, "" },
	{ "hist:keys=node", EEXIST,
	  "this trigger equals an existing trigger",
	  "leave out -B to use a private instance" },
	{ "hist:keys=node:x=ptr:onmax($x).save(ptr):onmax($x).save(node)", EEXIST,
	  "a trigger can have only one save()", "put all fields into one save()" },
	{ "hist:keys=node", ENOENT, "the event or the instance no longer exists", "" },
	{ "hist:keys=node", ENODEV, "the event or the instance no longer exists", "" },
	{ "hist:keys=node", EBUSY, NULL, "" },
	{ "hist:keys=node:x=ptr:onmax($x).snapshot()", EBUSY,
	  "another trigger of the instance probably uses snapshot()",
	  "leave out -B to use a private instance" },
	{ "hist:keys=node:size=131072", ENOMEM, "not enough memory for 131072 entries",
	  "use a smaller size=" },
	{ "hist:keys=node", ENOMEM, "not enough memory for 2048 entries", "use a smaller size=" },
	{ "hist:keys=node", EPERM, "the kernel is locked down", "see kernel_lockdown(7)" },
	{ "hist:keys=node", EACCES, "permission denied", "run as root (sudo)" },
	{ "hist:keys=node", EIO, NULL, "" },
};

static void test_explain(void)
{
	struct hist_event *event = format_event("kmem:kmalloc");
	struct hist_error error = { 0 };
	struct hist_expr *e;
	const char *what;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		what = cases[i].what ? cases[i].what : strerror(cases[i].err);
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, cases[i].text, NULL), 0);
		CU_ASSERT_EQUAL(hist_refusal_explain(e, event, cases[i].err, &error),
				cases[i].what != NULL);
		CU_ASSERT_NSTRING_EQUAL(error.what, what, strlen(what));
		CU_ASSERT_STRING_EQUAL(error.hint, cases[i].hint);
		CU_ASSERT_PTR_NULL(strpbrk(error.what, "\n"));
		hist_expr_free(e);
	}
	/* without an event, only errno is known */
	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, "hist:keys=zork", NULL), 0);
	CU_ASSERT_FALSE(hist_refusal_explain(e, NULL, EINVAL, &error));
	CU_ASSERT_TRUE(hist_refusal_explain(e, event, EINVAL, &error));
	CU_ASSERT_PTR_NOT_NULL(strstr(error.what, "no field \"zork\""));
	hist_expr_free(e);
	hist_event_free(event);
}

UNIT_TESTS(
	{ "a kernel's refusal is explained by the trigger and errno, or left without a reason",
	  test_explain });
