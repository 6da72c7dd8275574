// SPDX-License-Identifier: GPL-2.0
/*
 * refusal_test.c - reasons for what a kernel refused without a word
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/check/refusal.h"
#include "utest/unit/lib/event/format_file.h"
#include "utest/unit/tests.h"

static const struct {
	enum hist_write what;
	const char *text; /* on kmem:kmalloc */
	int err;
	const char *why; /* its beginning; NULL: nothing to say */
} cases[] = {
	/* What the checker finds says it best. */
	{ HIST_WRITE_SET, "hist:keys=node:size=1000000", EINVAL, "size=1000000: not a number from 65 to 131072" },
	{ HIST_WRITE_SET, "hist:keys=node,ptr,call_site,gfp_flags", EINVAL, "the kernel accepts at most 3 keys" },
	{ HIST_WRITE_SET, "hist:keys=node:x=ptr/0", EDOM, "division by zero" },
	{ HIST_WRITE_SET, "hist:keys=node:nohitcount", ENOENT, "nohitcount needs a value; give a value" },
	{ HIST_WRITE_SET, "hist:keys=node:name=n", EINVAL,
	  "a histogram of this name exists with another definition" },
	{ HIST_WRITE_SET, "hist:keys=node:x=$y", EINVAL, "a variable or synthetic event that" },
	{ HIST_WRITE_SET, "hist:keys=node:vals=$y", EINVAL, "a variable or synthetic event that" },
	{ HIST_WRITE_SET, "hist:keys=node:onmatch(a.b).ev(ptr)", EINVAL,
	  "a variable or synthetic" },
	{ HIST_WRITE_SET, "hist:keys=node:x=ptr", EINVAL, "another trigger of this event sets" },
	{ HIST_WRITE_SET, "hist:keys=node:clock=mono", EINVAL, "this clock cannot be set" },
	{ HIST_WRITE_SET, "hist:keys=node", EINVAL, NULL },
	{ HIST_WRITE_SET, "hist:keys=node", EEXIST, "the same trigger exists; the kernel" },
	{ HIST_WRITE_SET, "hist:keys=node:x=ptr:onmax($x).save(ptr):onmax($x).save(node)", EEXIST,
	  "a trigger can have only one save()" },
	{ HIST_WRITE_SET, "hist:keys=node", ENOENT, "the event or the instance no longer exists" },
	{ HIST_WRITE_SET, "hist:keys=node", ENODEV, "the event or the instance no longer exists" },
	{ HIST_WRITE_SET, "hist:keys=node", EBUSY, NULL },
	{ HIST_WRITE_SET, "hist:keys=node:x=ptr:onmax($x).snapshot()", EBUSY,
	  "another trigger of the instance has snapshot()" },
	{ HIST_WRITE_SET, "hist:keys=node:size=131072", ENOMEM, "not enough memory for 131072 entries; use a" },
	{ HIST_WRITE_SET, "hist:keys=node", ENOMEM, "not enough memory for 2048 entries" },
	{ HIST_WRITE_SET, "hist:keys=node", EPERM, "the kernel is locked down" },
	{ HIST_WRITE_SET, "hist:keys=node", EACCES, "tracefs needs root" },
	{ HIST_WRITE_SET, "hist:keys=node", EIO, NULL },
	{ HIST_WRITE_CHANGE, "hist:keys=node:clear", ENOENT, "no such trigger to continue" },
	{ HIST_WRITE_CHANGE, "hist:keys=node:x=ptr:pause", EINVAL, "the kernel cannot pause" },
	{ HIST_WRITE_REMOVE, "hist:keys=node:x=ptr", EBUSY, "another trigger uses its variables" },
	{ HIST_WRITE_REMOVE, "hist:keys=node", ENODEV, "the event or the instance no longer exists" },
};

static void test_explain(void)
{
	struct hist_event *event = format_event("kmem:kmalloc");
	struct hist_expr *e;
	char buf[200];
	size_t i;
	bool said;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, cases[i].text, NULL), 0);
		memset(buf, 'x', sizeof(buf));
		said = hist_refusal_explain(cases[i].what, e, event, cases[i].err, buf,
					    sizeof(buf));
		CU_ASSERT_EQUAL(said, cases[i].why != NULL);
		CU_ASSERT_TRUE(memchr(buf, '\0', sizeof(buf)) != NULL);
		if (cases[i].why) {
			CU_ASSERT_TRUE(!strncmp(buf, cases[i].why, strlen(cases[i].why)));
			if (strncmp(buf, cases[i].why, strlen(cases[i].why)))
				fprintf(stderr, "%s: %s\n", cases[i].text, buf);
		} else {
			CU_ASSERT_STRING_EQUAL(buf, "");
		}
		hist_expr_free(e);
	}
	/* Without an event, and without room. */
	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, "hist:keys=zork", NULL), 0);
	CU_ASSERT_FALSE(hist_refusal_explain(HIST_WRITE_SET, e, NULL, EINVAL, buf, sizeof(buf)));
	CU_ASSERT_TRUE(hist_refusal_explain(HIST_WRITE_SET, e, NULL, EEXIST, buf, 5));
	CU_ASSERT_STRING_EQUAL(buf, "the ");
	CU_ASSERT_TRUE(hist_refusal_explain(HIST_WRITE_SET, e, NULL, EEXIST, NULL, 0));
	hist_expr_free(e);
	hist_event_free(event);
}

UNIT_TESTS(
	{ "a kernel's refusal is explained by the trigger and errno, or left without a reason",
	  test_explain });
