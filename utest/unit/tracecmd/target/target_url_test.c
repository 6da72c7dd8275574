// SPDX-License-Identifier: GPL-2.0
/*
 * target_url_test.c - which machine a --target means, and its file
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "tracecmd/plan/plan.h"
#include "tracecmd/record/record.h"
#include "tracecmd/target/target_clock.h"
#include "tracecmd/target/target_url.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

/* The words of the command with blanks between, and the label. */
static const char *parsed(const char *text)
{
	static char words[512];
	struct target_url url;
	struct hist_error error = { 0 };
	int i, ret = target_url_parse(&url, text, &error);

	words[0] = '\0';
	if (ret) {
		CU_ASSERT_EQUAL(ret, -EINVAL);
		CU_ASSERT_PTR_NOT_NULL(strstr(test_error(&error), text));
	} else {
		for (i = 0; url.argv[i]; i++) {
			strcat(words, url.argv[i]);
			strcat(words, " ");
		}
		strcat(words, "= ");
		strcat(words, url.label);
		if (url.shell_only)
			strcat(words, " shell");
	}
	target_url_clear(&url);
	return words;
}

#define SSH "ssh -T -oEscapeChar=none "

static void test_forms(void)
{
	CU_ASSERT_STRING_EQUAL(parsed("ssh://board"), SSH "-- board sh = board");
	CU_ASSERT_STRING_EQUAL(parsed("ssh://board/"), SSH "-- board sh = board");
	CU_ASSERT_STRING_EQUAL(parsed("ssh://root@board:2222"), SSH "-p 2222 -l root -- board sh = board");
	CU_ASSERT_STRING_EQUAL(parsed("ssh://a@b@c"), SSH "-l a@b -- c sh = c");
	CU_ASSERT_STRING_EQUAL(parsed("ssh://[fe80::1%eth0]:22"), SSH "-p 22 -- fe80::1%eth0 sh = fe80::1%eth0");
	CU_ASSERT_STRING_EQUAL(parsed("ssh://[::1]"), SSH "-- ::1 sh = ::1");
	CU_ASSERT_STRING_EQUAL(parsed("tcp://board:8300"),
			       "/proc/self/exe connect -- board:8300 = board");
	CU_ASSERT_STRING_EQUAL(parsed("tcp://[::1]:1/"), "/proc/self/exe connect -- [::1]:1 = ::1");
	/* what begins with "-" is no option of connect */
	CU_ASSERT_STRING_EQUAL(parsed("tcp://-h:1"), "/proc/self/exe connect -- -h:1 = -h");
	CU_ASSERT_STRING_EQUAL(parsed("exec:adb shell"), "sh -c adb shell = exec");
	CU_ASSERT_STRING_EQUAL(parsed("shell:exec:sh"), "sh -c sh = exec shell");
	CU_ASSERT_STRING_EQUAL(parsed("shell:ssh://h"), SSH "-- h sh = h shell");
}

static void test_tcp_refused(void)
{
	static const char *const bad[] = { "tcp://", "tcp://board", "tcp://board:", "tcp://board:0",
					   "tcp://board:65536", "tcp://board:1x", "tcp://:1",
					   "tcp://::1:1", "shell:tcp://board:1" };
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CU_ASSERT_STRING_EQUAL(parsed(bad[i]), "");
}

static void test_refused(void)
{
	static const char *const bad[] = {
		"", "board", "http://x", "ssh:board", "ssh://", "ssh:///", "ssh://@h", "ssh://u@",
		"ssh://-oProxyCommand=x", "ssh://-x@h", "ssh://h:", "ssh://h:1a", "ssh://h:123456",
		"ssh://h:-1", "ssh://h/x", "ssh://[::1", "ssh://[::1]x", "ssh://[]", "ssh://[-x]",
		"ssh://a b", "exec:", "shell:", "shell:shell:exec:sh",
	};
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CU_ASSERT_STRING_EQUAL(parsed(bad[i]), "");
}

static void expect_name(const char *output, unsigned int i, const char *expected)
{
	struct plan plan = {
		.output = output,
		.targets = { "ssh://a", "exec:x", "ssh://root@a:3", "exec:y", "ssh://[::1]" },
		.ntargets = 5,
	};
	char *name = record_make_name(&plan, i);

	CU_ASSERT_STRING_EQUAL(name, expected);
	free(name);
}

static void test_names(void)
{
	expect_name("trace.dat", 0, "trace.a-1.dat");
	expect_name("trace.dat", 1, "trace.exec-1.dat");
	expect_name("trace.dat", 2, "trace.a-2.dat");
	expect_name("trace.dat", 3, "trace.exec-2.dat");
	expect_name("trace.dat", 4, "trace.__1.dat");
	expect_name("x", 4, "x.__1");
	expect_name("d.1/x", 4, "d.1/x.__1");
	expect_name("d/.x", 4, "d/.x.__1");
	expect_name("a.b.c", 4, "a.b.__1.c");
}

static void test_mark(void)
{
	static const char text[] = "# tracer: nop\n#\n"
				   "12 0 17 # ffffffff a mark 12\n"
				   "12 3 18446744073709551615 # ffffffff a mark 1\n";
	uint64_t now = 1;

	CU_ASSERT_EQUAL(target_find_mark(text, "mark 12", &now), 0);
	CU_ASSERT_EQUAL(now, 17);
	CU_ASSERT_EQUAL(target_find_mark(text, "mark 1\n", &now), 0);
	CU_ASSERT_EQUAL(now, UINT64_MAX);
	CU_ASSERT_EQUAL(target_find_mark(text, "mark 3", &now), -ENOTSUP);
	CU_ASSERT_EQUAL(target_find_mark("", "mark", &now), -ENOTSUP);
	CU_ASSERT_EQUAL(target_find_mark("mark", "mark", &now), -ENOTSUP);
}

UNIT_TESTS(
	{ "each form of --target becomes the right command and label", test_forms },
	{ "--target refuses a text that is not a valid target", test_refused },
	{ "--target refuses a tcp:// address without a valid host and port", test_tcp_refused },
	{ "the recordings of several targets get different file names", test_names },
	{ "target_find_mark() finds the time of a marker in the trace", test_mark });
