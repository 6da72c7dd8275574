// SPDX-License-Identifier: GPL-2.0
/*
 * filter_test.c - filters as trees, printed, and checked against events
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/check/check.h"
#include "lib/expr/filter.h"
#include "utest/unit/lib/event/format_file.h"
#include "utest/unit/tests.h"

static void describe(struct hist_strbuf *b, const struct hist_filter *f)
{
	static const char types[] = "nscf";

	switch (f->kind) {
	case HIST_FILTER_NOT:
		hist_strbuf_str(b, "(! ");
		describe(b, f->left);
		hist_strbuf_char(b, ')');
		break;
	case HIST_FILTER_COMPARE:
		hist_strbuf_printf(b, "%s%s%s%c<%s>", f->field, f->is_user_string ? ".u" : "",
				   hist_filter_op_name(f->op), types[f->type], f->value);
		break;
	default:
		hist_strbuf_str(b, f->kind == HIST_FILTER_AND ? "(&& " : "(|| ");
		describe(b, f->left);
		hist_strbuf_char(b, ' ');
		describe(b, f->right);
		hist_strbuf_char(b, ')');
	}
}

static const struct {
	const char *text, *tree, *printed; /* NULL: as it was */
} good[] = {
	{ "a == 1", "a==n<1>", NULL },
	{ "a==-1", "a==n<-1>", "a == -1" },
	{ "a ~ \"k*\"", "a~s<k*>", NULL },
	{ "a != 'x \" y'", "a!=s<x \" y>", NULL },
	{ "a & 0x3", "a&n<0x3>", NULL },
	{ "a<=1&&b>=2", "(&& a<=n<1> b>=n<2>)", "a <= 1 && b >= 2" },
	{ "a == 1 && b == 2 || c == 3", "(|| (&& a==n<1> b==n<2>) c==n<3>)", NULL },
	{ "a == 1 || b == 2 && c == 3", "(|| a==n<1> (&& b==n<2> c==n<3>))", NULL },
	{ "(a == 1 || b == 2) && c == 3", "(&& (|| a==n<1> b==n<2>) c==n<3>)", NULL },
	{ "((a == 1))", "a==n<1>", "a == 1" },
	{ "a == 1 && (b == 2 && c == 3)", "(&& a==n<1> (&& b==n<2> c==n<3>))", NULL },
	{ "!a == 1 && b == 2", "(&& (! a==n<1>) b==n<2>)", NULL },
	{ "!(a == 1 && b == 2)", "(! (&& a==n<1> b==n<2>))", NULL },
	{ "!!a == 1", "a==n<1>", "a == 1" },
	{ "! ! !a == 1", "(! a==n<1>)", "!a == 1" },
	{ "!(!(a == 1))", "(! (! a==n<1>))", "!(!a == 1)" },
	{ "a < 1 || a > 2 || a != 3", "(|| (|| a<n<1> a>n<2>) a!=n<3>)", NULL },
	{ "cpu & CPUS{0-3,8}", "cpu&c<0-3,8>", NULL },
	{ "a.ustring ~ \"x\"", "a.u~s<x>", NULL },
	{ "ip.function == kmalloc", "ip==f<kmalloc>", "ip.function == kmalloc" },
	{ "(ip.function != kmalloc ) && a == 1", "(&& ip!=f<kmalloc> a==n<1>)",
	  "ip.function != kmalloc && a == 1" },
	{ "!(a == 1 || ip.function == kmalloc )", "(! (|| a==n<1> ip==f<kmalloc>))", NULL },
	{ "ip.function == 0xffffffff81000000", "ip==f<0xffffffff81000000>", NULL },
	{ "a == \"b && (c\" && d == 1", "(&& a==s<b && (c> d==n<1>)", NULL },
};

static void test_good(void)
{
	struct hist_strbuf b = { 0 };
	struct hist_filter *f, *again;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		f = NULL;
		CU_ASSERT_EQUAL_FATAL(
			hist_filter_parse(&f, good[i].text, strlen(good[i].text), 0, NULL), 0);
		b.len = 0;
		describe(&b, f);
		hist_strbuf_char(&b, '\0');
		CU_ASSERT_STRING_EQUAL(b.data, good[i].tree);
		b.len = 0;
		hist_filter_print(&b, f);
		hist_filter_free(f);
		hist_strbuf_char(&b, '\0');
		CU_ASSERT_STRING_EQUAL(b.data, good[i].printed ? good[i].printed : good[i].text);

		CU_ASSERT_EQUAL_FATAL(hist_filter_parse(&again, b.data, b.len - 1, 0, NULL), 0);
		b.len = 0;
		describe(&b, again);
		hist_strbuf_char(&b, '\0');
		CU_ASSERT_STRING_EQUAL(b.data, good[i].tree);
		hist_filter_free(again);
	}
	hist_strbuf_free(&b);
	hist_filter_free(NULL);
}

#define OPERATORS "write FIELD OPERATOR VALUE with an operator of: ==, !=, <, <=, >, >=, &, ~"
#define JOINED "join comparisons with && or ||"
#define FIELDS \
	"use one of: prev_comm, prev_pid, prev_prio, prev_state, next_comm, next_pid, next_prio"

/* All of these are filters of sched:sched_switch; the caret is in the filter. */
static const struct {
	const char *text;
	size_t start, len;
	const char *what, *hint;
} bad[] = {
	{ "next_pid", 8, 0, "no operator after \"next_pid\"", OPERATORS },
	{ "next_pid && prev_pid == 1", 9, 1, "no operator after \"next_pid\"", OPERATORS },
	{ "(next_pid)", 9, 1, "no operator after \"next_pid\"", OPERATORS },
	{ "next_pid = 1", 9, 1, "\"=\" is not an operator", OPERATORS },
	{ "next_pid =! 1", 9, 2, "\"=!\" is not an operator", OPERATORS },
	{ "next_pid === 1", 11, 1, "\"=\" is not a number or a string in quotes", "use one of: ==, !=, <, <=, >, >=, &, ~" },
	{ "next_pid ==", 11, 0, "no value after \"==\"", "" },
	{ "next_pid == prev_pid", 12, 8, "\"prev_pid\" is not a number or a string in quotes", "" },
	{ "next_comm == bash", 13, 4, "\"bash\" is not a number or a string in quotes", "" },
	{ "next_comm == \"bash", 13, 1, "no closing \"", "" },
	{ "next_pid == 1x", 12, 2, "\"1x\" is not a number", "" },
	{ "next_pid == 08", 12, 2, "\"08\" is not a number", "" },
	{ "next_pid == -", 12, 1, "\"-\" is not a number", "" },
	{ "next_pid == 1 and prev_pid == 1", 14, 3, "unexpected \"and\" in the filter", JOINED },
	{ "next_pid == 1)", 13, 1, "unexpected \")\" in the filter", "remove it, or add \"(\"" },
	{ "(next_pid == 1", 0, 1, "\"(\" without \")\"", "" },
	{ "(next_pid == 1 x)", 15, 2, "unexpected \"x)\"", "" },
	{ "next_pid == 1 &&", 16, 0, "no field", "" },
	{ "== 1", 0, 2, "\"==\" is not a field", "" },
	{ "()", 1, 1, "\")\" is not a field", "" },
	{ "cpu & CPUS", 6, 4, "no \"{\" after CPUS", "write CPUS{LIST}, such as CPUS{0-3,8}" },
	{ "cpu & CPUS{0", 10, 1, "no closing }", "" },
	{ "(prev_state.function == f)", 24, 2, "\"f)\" is not a function",
	  "put a space before \")\"" },
	/* Checked against the event. */
	{ "next_pdi == 1", 0, 8, "sched:sched_switch: no field \"next_pdi\"",
	  "did you mean \"next_pid\"?" },
	{ "next_pid == 1 && zork == 2", 17, 4, "sched:sched_switch: no field \"zork\"", FIELDS },
	{ "!(next_pid == 1 || com == \"x\")", 19, 3, "sched:sched_switch: no field \"com\"",
	  "did you mean \"comm\"?" },
	{ "common_timestamp > 1", 0, 16, "a filter cannot use \"common_timestamp\"",
	  "" },
	{ "next_pid == \"1\"", 12, 3, "\"next_pid\" is a number and cannot be compared with a "
				      "string",
	  "compare it with a number, without quotes" },
	{ "next_comm == 1", 13, 1, "\"next_comm\" is a string and cannot be compared with a number",
	  "compare it with a string in quotes" },
	{ "next_comm == \"sixteen-letters!\"", 13, 18,
	  "\"sixteen-letters!\" never matches \"next_comm\", which is at most 15 bytes long",
	  "write \"sixteen-letters\"" },
	{ "comm ~ \"*a?[bc]456789abcdefg\"", 7, 22,
	  "\"*a?[bc]456789abcdefg\" never matches \"comm\", which is at most 15 bytes long", "" },
	{ "comm == 1", 8, 1, "\"comm\" is a string and cannot be compared with a number", "compare it with a string in quotes" },
	{ "next_comm > \"a\"", 10, 1, "\">\" cannot be used with \"next_comm\", which is a string",
	  "use ==, != or ~" },
	{ "next_pid ~ 1", 9, 1, "\"~\" cannot be used with \"next_pid\", which is a number",
	  "use ==, !=, <, <=, >, >= or &" },
	{ "next_pid == 9223372036854775808", 12, 19,
	  "\"9223372036854775808\" does not fit in a signed 64-bit number", "" },
	{ "common_flags == -1", 16, 2, "\"common_flags\" is never negative", "" },
	{ "stacktrace == 1", 14, 1, "\"stacktrace\" is a stack and cannot be compared with a "
				    "number",
	  "" },
	{ "cpu > CPUS{0}", 4, 1, "\">\" cannot be used with \"cpu\", which is a set of CPUs",
	  "use ==, != or &" },
	{ "cpu & CPUS{0-}", 6, 8, "\"0-\" is not a list of CPUs",
	  "write numbers and ranges, such as CPUS{0-3,8}" },
	{ "next_comm & CPUS{0}", 12, 7, "\"next_comm\" is a string and cannot be compared with a "
					"set of CPUs",
	  "" },
	{ "next_pid.function == f", 0, 8, "\"next_pid\" is not an address",
	  "use .function with a field of pointer size" },
	{ "prev_state.function > f", 20, 1, "\">\" cannot be used with \"prev_state\", which is a "
					    "number",
	  "use == or !=" },
};

/* By way of the trigger that has it. */
static int check(const char *filter, const struct hist_event *event,
		 const struct hist_kernel *kernel, struct hist_error *error)
{
	struct hist_check_context context = { .kernel = kernel };
	struct hist_expr *e;
	char text[512];
	int ret;

	snprintf(text, sizeof(text), "hist:keys=common_pid if %s", filter);
	ret = hist_expr_parse(&e, text, error);
	CU_ASSERT_EQUAL_FATAL(ret, 0);
	ret = hist_check_expr_in(e, event, &context, error);
	hist_expr_free(e);
	return ret;
}

static void test_bad(void)
{
	struct hist_event *event = format_event("sched:sched_switch");
	size_t skipped = strlen("hist:keys=common_pid if ");
	struct hist_error error;
	bool same;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		memset(&error, 0xa5, sizeof(error));
		CU_ASSERT_EQUAL(check(bad[i].text, event, NULL, &error), -EINVAL);
		same = error.at.start == skipped + bad[i].start && error.at.len == bad[i].len &&
		       !strcmp(error.what, bad[i].what) && !strcmp(error.hint, bad[i].hint);
		CU_ASSERT_TRUE(same);
		if (!same)
			fprintf(stderr, "%s\n  %zu+%zu %s; %s\n", bad[i].text,
				error.at.start - skipped, error.at.len, error.what, error.hint);
	}
	hist_event_free(event);
}

static const struct {
	const char *event, *filter;
} fits[] = {
	{ "sched:sched_switch", "next_pid == -1 && prev_state != 0x7fffffffffffffff" },
	{ "sched:sched_switch", "next_comm ~ \"a*\" && comm != 'x' && COMM == \"y\"" },
	{ "sched:sched_switch", "cpu == 0 || CPU < 3 || common_cpu & CPUS{0,2-3}" },
	{ "sched:sched_switch", "next_pid & CPUS{all} && cpu != CPUS{0-N:1/2}" },
	{ "sched:sched_switch", "common_pid == 1 && common_flags & 1" },
	{ "sched:sched_switch", "prev_state.function == schedule" },
	{ "kmem:kmalloc", "bytes_req > 18446744073709551615" },
	{ "sched:sched_process_exec", "filename == \"/bin/sh\" || filename.ustring ~ \"*\"" },
	{ "tcp:tcp_probe", "mask & CPUS{0}" },
	{ "ipi:ipi_send_cpu", "cpu == 18446744073709551615 || cpu == 4" },
	{ "synthetic:block_lat", "delta > 10 && comm == \"x\" && file ~ \"y\"" },
};

static void test_fits(void)
{
	struct hist_event *event;
	struct hist_error error;
	size_t i;

	for (i = 0; i < sizeof(fits) / sizeof(*fits); i++) {
		event = format_event(fits[i].event);
		CU_ASSERT_EQUAL(check(fits[i].filter, event, NULL, &error), 0);
		hist_event_free(event);
	}
}

static void test_kernel(void)
{
	struct hist_event *event = format_event("sched:sched_switch");
	struct hist_kernel old;
	struct hist_error error;

	hist_kernel_set_newest(&old);
	old.stacks = old.filter_cpus = old.filter_function = false;
	CU_ASSERT_EQUAL(check("cpu & CPUS{0}", event, &old, &error), -EINVAL);
	CU_ASSERT_STRING_EQUAL(error.what, "this kernel does not support CPUS{} in filters");
	CU_ASSERT_EQUAL(check("prev_state.function == f", event, &old, &error), -EINVAL);
	CU_ASSERT_STRING_EQUAL(error.what, "this kernel does not support .function in filters");
	CU_ASSERT_EQUAL(check("stacktrace == 1", event, &old, &error), -EINVAL);
	CU_ASSERT_STRING_EQUAL(error.what, "sched:sched_switch: no field \"stacktrace\"");
	CU_ASSERT_EQUAL(check("cpu == 1", event, &old, &error), 0);
	hist_event_free(event);
}

/* Hostile texts: deep, long, cut. */
static void test_hostile(void)
{
	char *text = malloc(100000);
	struct hist_filter *f;
	size_t i, n;

	memset(text, '(', 99999);
	text[99999] = '\0';
	for (n = 1; n < 5000; n *= 3)
		CU_ASSERT_EQUAL(hist_filter_parse(&f, text, n, 0, NULL), -EINVAL);
	CU_ASSERT_EQUAL(hist_filter_parse(&f, text, 99999, 0, NULL), -EINVAL);
	for (n = 0; n + 10 < 4000;)
		n += sprintf(text + n, "a==1&&");
	n += sprintf(text + n, "a==1");
	CU_ASSERT_EQUAL_FATAL(hist_filter_parse(&f, text, n, 0, NULL), 0);
	hist_filter_free(f);
	for (i = 0; i < sizeof(good) / sizeof(*good); i++)
		for (n = 0; n <= strlen(good[i].text); n++)
			if (!hist_filter_parse(&f, good[i].text, n, 0, NULL))
				hist_filter_free(f);
	free(text);
}

UNIT_TESTS(
	{ "a filter parses into a tree, and its printed text parses to the same tree", test_good },
	{ "a bad filter is refused with place, reason and hint", test_bad },
	{ "the checker accepts filters that fit their event", test_fits },
	{ "the checker refuses CPUS{}, .function and stack filters if the kernel lacks them",
	  test_kernel },
	{ "unclosed parentheses of any depth are refused, and a very long filter parses",
	  test_hostile });
