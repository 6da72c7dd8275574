// SPDX-License-Identifier: GPL-2.0
/*
 * thresholds_test.c - the file of gates and budgets, and the numbers in it
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/thresholds/thresholds.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static int read_text(struct hist_thresholds **t, const char *text, size_t len, unsigned int *line,
		     struct hist_error *error)
{
	char *copy = malloc(len + 1);
	int ret;

	CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
	memcpy(copy, text, len);
	copy[len] = '\0';
	ret = hist_thresholds_parse(t, copy, len, line, error);
	free(copy);
	return ret;
}

static struct hist_thresholds *thresholds(const char *text)
{
	struct hist_thresholds *t = NULL;
	unsigned int line;
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL_FATAL(read_text(&t, text, strlen(text), &line, &error), 0);
	return t;
}

static struct hist_gate gate_of(const struct hist_thresholds *t, const char *hist,
				const char *key, const char *metric)
{
	struct hist_gate gate = { .threshold = 0.05, .min_hits = 100 };

	hist_thresholds_apply(t, &gate, hist, key, metric);
	return gate;
}

static const char file[] =
	"; a comment\r\n"
	"\n"
	"[*]\n"
	"  threshold=10%\n"
	"min-hits = 7\n"
	"max = 5 ms\n"
	"exceed = 1ms : 0.1 %\n"
	"exceed = 2ms : 0\n"
	"[sched:* sh / *]\n"
	"threshold = 20\n"
	"threshold.p9* = 30 %\n"
	"worse.p50 = none\n"
	"[sched:switch#1]\n"
	"worse = lower\n"
	"max = none\n"
	"exceed = 3 : 50 %\n"
	"[kmem:kfree f \\[mod\\]]\n"
	"worse = both\n"
	"exceed = none\n";

static void test_last_wins(void)
{
	struct hist_thresholds *t = thresholds(file);
	struct hist_gate g;

	g = gate_of(t, "kmem:kfree", "x", "p99");
	CU_ASSERT_DOUBLE_EQUAL(g.threshold, 0.1, 1e-12);
	CU_ASSERT_EQUAL(g.worse, HIST_WORSE_HIGHER);
	CU_ASSERT_EQUAL(g.min_hits, 7);
	CU_ASSERT_TRUE(g.has_max);
	CU_ASSERT_DOUBLE_EQUAL(g.max.number, 5, 1e-12);
	CU_ASSERT_EQUAL(g.max.unit, HIST_UNIT_MS);
	CU_ASSERT_EQUAL(g.nexceed, 2);
	CU_ASSERT_DOUBLE_EQUAL(g.exceed[0].share, 0.001, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(g.exceed[1].limit.number, 2, 1e-12);

	g = gate_of(t, "sched:switch#0", "sh / read", "p99");
	CU_ASSERT_DOUBLE_EQUAL(g.threshold, 0.3, 1e-12);
	g = gate_of(t, "sched:switch#0", "sh / read", "mean");
	CU_ASSERT_DOUBLE_EQUAL(g.threshold, 0.2, 1e-12);
	CU_ASSERT_EQUAL(g.worse, HIST_WORSE_HIGHER);
	g = gate_of(t, "sched:switch#0", "sh / read", "p50");
	CU_ASSERT_EQUAL(g.worse, HIST_WORSE_NONE);
	g = gate_of(t, "sched:switch#0", "bash / read", "p50");
	CU_ASSERT_EQUAL(g.worse, HIST_WORSE_HIGHER);

	g = gate_of(t, "sched:switch#1", "sh / read", "p50");
	CU_ASSERT_EQUAL(g.worse, HIST_WORSE_LOWER);
	CU_ASSERT_FALSE(g.has_max);
	CU_ASSERT_EQUAL(g.nexceed, 1);
	CU_ASSERT_EQUAL(g.exceed[0].limit.unit, HIST_UNIT_NONE);
	CU_ASSERT_DOUBLE_EQUAL(g.exceed[0].share, 0.5, 1e-12);

	g = gate_of(t, "kmem:kfree", "f [mod]", NULL);
	CU_ASSERT_EQUAL(g.worse, HIST_WORSE_BOTH);
	CU_ASSERT_EQUAL(g.nexceed, 0);
	hist_thresholds_free(t);
}

static void test_names(void)
{
	struct hist_thresholds_setting s;
	struct hist_thresholds *t = thresholds("[*]\n"
					       "worse.p9* = higher\n"
					       "worse = none\n"
					       "threshold.p50 = 1 %\n"
					       "[a:b]\n"
					       "worse.p95 = none\n"
					       "[a:c]\n"
					       "worse = lower\n");

	/* the general setting of the same section does not override that of single metrics */
	CU_ASSERT_EQUAL(gate_of(t, "a:a", "k", "p99").worse, HIST_WORSE_HIGHER);
	CU_ASSERT_EQUAL(gate_of(t, "a:a", "k", "p50").worse, HIST_WORSE_NONE);
	CU_ASSERT_EQUAL(gate_of(t, "a:a", "k", NULL).worse, HIST_WORSE_NONE);
	CU_ASSERT_EQUAL(gate_of(t, "a:c", "k", "p99").worse, HIST_WORSE_LOWER);
	CU_ASSERT_TRUE(hist_thresholds_names_metric(t, "a:a", "k", "p99"));
	CU_ASSERT_TRUE(hist_thresholds_names_metric(t, "a:a", "k", NULL));
	CU_ASSERT_FALSE(hist_thresholds_names_metric(t, "a:a", "k", "p50"));
	CU_ASSERT_TRUE(hist_thresholds_names_metric(t, "a:b", "k", "p99"));
	CU_ASSERT_FALSE(hist_thresholds_names_metric(t, "a:b", "k", "p95"));
	CU_ASSERT_FALSE(hist_thresholds_names_metric(t, "a:c", "k", "p99"));
	CU_ASSERT_FALSE(hist_thresholds_names_metric(t, "a:c", "k", NULL));
	CU_ASSERT_FALSE(hist_thresholds_names_metric(NULL, "a:c", "k", NULL));
	CU_ASSERT_TRUE(hist_thresholds_gates(t));
	CU_ASSERT_EQUAL(hist_thresholds_setting(t, 0, 2, &s), 0);
	CU_ASSERT_STRING_EQUAL(s.name, "threshold");
	CU_ASSERT_STRING_EQUAL(s.metric, "p50");
	CU_ASSERT_EQUAL(s.line, 4);
	CU_ASSERT_FALSE(s.gates);
	CU_ASSERT_EQUAL(hist_thresholds_setting(t, 0, 3, &s), -ENOENT);
	hist_thresholds_free(t);
	CU_ASSERT_EQUAL(hist_thresholds_limits(NULL), HIST_LIMIT_FILE);
	t = thresholds("[*]\nmax = 1\nexceed = 2 : 1\n[a:b]\nmax = 3\n");
	CU_ASSERT_EQUAL(hist_thresholds_limits(t), HIST_LIMIT_FILE + 3);
	CU_ASSERT_EQUAL(hist_thresholds_setting(t, 0, 1, &s), 0);
	CU_ASSERT_TRUE(s.is_limit);
	CU_ASSERT_EQUAL(s.limit, HIST_LIMIT_FILE + 1);
	CU_ASSERT_EQUAL(gate_of(t, "a:b", "k", NULL).max.id, HIST_LIMIT_FILE + 2);
	hist_thresholds_free(t);
	t = thresholds("[*]\nworse.p99 = none\nthreshold = 1\nmax = none\n");
	CU_ASSERT_FALSE(hist_thresholds_gates(t));
	hist_thresholds_free(t);
	t = thresholds("[*]\nworse = none\nexceed = 1 : 1\n");
	CU_ASSERT_TRUE(hist_thresholds_gates(t));
	hist_thresholds_free(t);
}

static void test_sections(void)
{
	struct hist_thresholds *t = thresholds(file);
	const char *text;
	unsigned int line;

	CU_ASSERT_EQUAL(hist_thresholds_section(t, 1, &text, &line), 0);
	CU_ASSERT_STRING_EQUAL(text, "sched:* sh / *");
	CU_ASSERT_EQUAL(line, 9);
	CU_ASSERT_EQUAL(hist_thresholds_section(t, 4, &text, &line), -ENOENT);
	CU_ASSERT_TRUE(hist_thresholds_match_hist(t, 1, "sched:x#3", NULL));
	CU_ASSERT_FALSE(hist_thresholds_match_hist(t, 1, "kmem:kfree", NULL));
	CU_ASSERT_TRUE(hist_thresholds_match_hist(t, 1, "sched:x", "sh / write"));
	CU_ASSERT_FALSE(hist_thresholds_match_hist(t, 1, "sched:x", "all keys"));
	CU_ASSERT_FALSE(hist_thresholds_match_hist(t, 2, "sched:switch", NULL));
	CU_ASSERT_FALSE(hist_thresholds_match_hist(t, 2, "sched:switch#2", NULL));
	hist_thresholds_free(t);
	t = thresholds("[sched:switch#0]\nworse=none\n");
	CU_ASSERT_TRUE(hist_thresholds_match_hist(t, 0, "sched:switch", NULL));
	hist_thresholds_free(t);
	t = thresholds("");
	CU_ASSERT_EQUAL(hist_thresholds_section(t, 0, &text, &line), -ENOENT);
	hist_thresholds_free(t);
}

static void test_errors(void)
{
	static const struct {
		const char *text;
		unsigned int line;
		const char *why;
	} cases[] = {
		{ "threshold = 5\n", 1, "the setting is not in a section\nbegin a section with "
					"[EVENT], [EVENT KEY] or [*]" },
		{ "[*]\n\nnonsense\n", 3, "neither [EVENT] nor SETTING = VALUE" },
		{ "[*\n", 1, "']' is missing at the end of [EVENT] or [EVENT KEY]" },
		{ "[ ]\n", 1, "the section is empty\nuse [EVENT], [EVENT KEY] or [*]" },
		{ "[*]\ntreshold = 5\n", 2, "unknown setting \"treshold\"\ndid you mean "
					    "\"threshold\"?" },
		{ "[*]\nfoo = 5\n", 2,
		  "unknown setting \"foo\"\nuse threshold, worse, min-hits, max or exceed" },
		{ "[*]\nmax.p99 = 5\n", 2, "max cannot be set for a single metric\nremove "
					   "\".p99\"" },
		{ "[*]\nworse. = none\n", 2, "a metric is missing after \"worse.\"" },
		{ "[*]\nthreshold = -5\n", 2, "threshold = -5: must be a percentage, such as 5 %" },
		{ "[*]\nworse = more\n", 2, "worse = more: must be higher, lower, both or none" },
		{ "[*]\nmin-hits = 5x\n", 2, "min-hits = 5x: must be a number, such as 100" },
		{ "[*]\nmin-hits =\n", 2, "min-hits = : must be a number, such as 100" },
		{ "[*]\nmax = 5 min\n", 2,
		  "max = 5 min: must be a number with an optional unit (ns, us, ms, s, B, KiB, MiB), such as 5 ms" },
		{ "[*]\nexceed = 1ms\n", 2,
		  "exceed = 1ms: must be VALUE[UNIT] : PERCENT, such as 1 ms : 0.1 %" },
		{ "[*]\nexceed=1:1\nexceed=2:1\nexceed=3:1\nexceed=4:1\nexceed=5:1\n", 6,
		  "a section can have at most 4 \"exceed\" settings" },
	};
	struct hist_thresholds *t = NULL;
	unsigned int i, line;
	struct hist_error error = { 0 };

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		CU_ASSERT_EQUAL(read_text(&t, cases[i].text, strlen(cases[i].text), &line, &error),
				-EINVAL);
		CU_ASSERT_EQUAL(line, cases[i].line);
		CU_ASSERT_STRING_EQUAL(test_error(&error), cases[i].why);
	}
	CU_ASSERT_EQUAL(read_text(&t, "[*]\n\0x", 6, &line, &error), -EINVAL);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "not a text file: the line contains a NUL byte");
	CU_ASSERT_PTR_NULL(t);
}

static void test_numbers(void)
{
	struct hist_exceed_limit exceed;
	char text[40];
	struct hist_limit limit;
	double number;

	CU_ASSERT_EQUAL(hist_threshold_parse_limit(&limit, " 1.5 s "), 0);
	CU_ASSERT_TRUE(hist_threshold_convert_limit(&limit, HIST_UNIT_US, &number));
	CU_ASSERT_DOUBLE_EQUAL(number, 1500000, 1e-6);
	CU_ASSERT_TRUE(hist_threshold_convert_limit(&limit, HIST_UNIT_S, &number));
	CU_ASSERT_DOUBLE_EQUAL(number, 1.5, 1e-12);
	CU_ASSERT_FALSE(hist_threshold_convert_limit(&limit, HIST_UNIT_NONE, &number));
	CU_ASSERT_FALSE(hist_threshold_convert_limit(&limit, HIST_UNIT_BYTES, &number));
	hist_threshold_limit_text(&limit, text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(text, "1.5 s");
	CU_ASSERT_EQUAL(hist_threshold_parse_limit(&limit, "1.5 MiB"), 0);
	CU_ASSERT_TRUE(hist_threshold_convert_limit(&limit, HIST_UNIT_BYTES, &number));
	CU_ASSERT_DOUBLE_EQUAL(number, 1572864, 1e-6);
	CU_ASSERT_FALSE(hist_threshold_convert_limit(&limit, HIST_UNIT_S, &number));
	CU_ASSERT_EQUAL(hist_threshold_parse_limit(&limit, "512 B"), 0);
	CU_ASSERT_TRUE(hist_threshold_convert_limit(&limit, HIST_UNIT_KIB, &number));
	CU_ASSERT_DOUBLE_EQUAL(number, 0.5, 1e-12);
	CU_ASSERT_EQUAL(hist_threshold_parse_limit(&limit, "4096"), 0);
	CU_ASSERT_TRUE(hist_threshold_convert_limit(&limit, HIST_UNIT_MS, &number));
	CU_ASSERT_DOUBLE_EQUAL(number, 4096, 1e-12);
	CU_ASSERT_EQUAL(hist_threshold_parse_limit(&limit, "inf"), -EINVAL);
	CU_ASSERT_EQUAL(hist_threshold_parse_limit(&limit, "0x10"), -EINVAL);
	CU_ASSERT_EQUAL(hist_threshold_parse_limit(&limit, "1e999"), -EINVAL);
	CU_ASSERT_EQUAL(hist_threshold_parse_limit(&limit, "5mss"), -EINVAL);
	CU_ASSERT_DOUBLE_EQUAL(limit.number, 4096, 0);
	CU_ASSERT_EQUAL(hist_threshold_parse_exceed(&exceed, "1ms:100"), -EINVAL);
	CU_ASSERT_EQUAL(hist_threshold_parse_exceed(&exceed, "1ms:"), -EINVAL);
	CU_ASSERT_EQUAL(hist_threshold_parse_percent(&number, "12.5 %"), 0);
	CU_ASSERT_DOUBLE_EQUAL(number, 0.125, 1e-12);
	CU_ASSERT_EQUAL(hist_threshold_parse_percent(&number, "5 % x"), -EINVAL);
}

UNIT_TESTS(
	{ "the last matching section of the thresholds file decides each setting",
	  test_last_wins },
	{ "a setting of single metrics overrides the general one of its section, and names metrics",
	  test_names },
	{ "a section of the thresholds file matches histograms and keys by its patterns",
	  test_sections },
	{ "an error in the thresholds file is reported with its line and its reason",
	  test_errors },
	{ "limits, shares and percentages are parsed with their units, and other text is refused",
	  test_numbers });
