// SPDX-License-Identifier: GPL-2.0
/*
 * report_percentiles_test.c - `trace-cmd hist report --view percentiles`, whole
 *
 * wait.dat: a latency by task with its sum, cleared between its snapshots 1 and 2,
 * and beside it a histogram that has no axis, and one with numbers below zero.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/report/report_fixture.h"
#include "utest/unit/tracecmd/report/report_run.h"

#define SEC 1000000000ull
#define MACHINE "# engine: kernel, clock: mono, instance: hist.1\n" \
		"# host: box, Linux box 6.12.0-test x86_64\n"

struct row {
	const char *comm;
	unsigned int n, hits, sum;
};

static const char wait_trigger[] = "hist:keys=next_comm,lat_us.log2:vals=lat_us:sort=lat_us";

static const struct row first[] = { { "rcu", 6, 90, 4500 }, { "sh", 1, 2, 4 } };
static const struct row second[] = { { "rcu", 6, 180, 9000 }, { "sh", 1, 2, 4 },
				     { "sh", 3, 1, 7 }, { "x\x1b[2J", 16, 5, 250000 } };
static const struct row third[] = { { "sh", 10, 4, 4000 } };

static int add(struct report_fixture *f, int hist, const struct hist_snapshot *snap,
	       const char *trigger, const char *rows, unsigned int entries, unsigned int dropped)
{
	char text[4096];
	int len;

	len = snprintf(text, sizeof(text),
		       "# event histogram\n#\n# trigger info: %s [active]\n#\n\n%s\nTotals:\n"
		       "    Hits: 300\n    Entries: %u\n    Dropped: %u\n", trigger, rows, entries,
		       dropped);
	return report_fixture_add(f, hist, snap, text, len);
}

static int add_wait(struct report_fixture *f, const struct hist_snapshot *snap,
		    const struct row *rows, unsigned int n, unsigned int dropped)
{
	char text[2048] = "";
	unsigned int i;
	size_t at = 0;

	for (i = 0; i < n; i++)
		at += snprintf(text + at, sizeof(text) - at,
			       "{ next_comm: %-50s, lat_us: ~ 2^%-2u } hitcount: %10u  lat_us: %10u\n",
			       rows[i].comm, rows[i].n, rows[i].hits, rows[i].sum);
	return add(f, 0, snap, wait_trigger, text, n, dropped);
}

static int make(void)
{
	struct report_fixture *f = report_fixture_new("wait.dat", HIST_COMPRESS_NONE);
	static const char calls[] = "hist:keys=id.syscall", ret[] = "hist:keys=ret.buckets=100";
	struct hist_snapshot snap = { .time = 100 * SEC };

	if (!f || report_fixture_define(f, "latency:wait", wait_trigger, "mono", NULL) != 0 ||
	    report_fixture_define(f, "a:calls", calls, "mono", NULL) != 1 ||
	    report_fixture_define(f, "a:ret", ret, "mono",
				  "name: ret\nID: 9\nformat:\n\tfield:long ret;\toffset:8;\tsize:8;\tsigned:1;\n\n"
				  "print fmt: \"%ld\", REC->ret\n") != 2)
		return -1;
	if (add_wait(f, &snap, first, 2, 0) ||
	    add(f, 1, &snap, calls, "{ id: sys_read                      [  0] } hitcount:          1\n",
		1, 0) ||
	    add(f, 2, &snap, ret,
		"{ ret: ~ 0-99 } hitcount:          3\n"
		"{ ret: ~ 18446744073709551600-83 } hitcount:          1\n", 2, 0))
		return -1;
	snap = (struct hist_snapshot){ .seq = 1, .time = 101 * SEC };
	if (add_wait(f, &snap, second, 4, 7))
		return -1;
	snap = (struct hist_snapshot){ .seq = 2, .time = 102 * SEC, .flags = HIST_SNAP_RESET };
	if (add_wait(f, &snap, third, 1, 0))
		return -1;
	return report_fixture_close(f, 1);
}

static int set_up(void)
{
	return report_set_up() || make();
}

static int tear_down(void)
{
	return unlink("wait.dat") || report_tear_down();
}

#define NO_AXIS "trace-cmd hist: error: a:calls: percentiles need a key that is a " \
		"quantity, such as a duration or a size (keys: id.syscall)\nhint: record with a key such as " \
		"FIELD.log2 or FIELD.buckets=N\n"

static const struct {
	const char *line, *out, *err;
	int status;
} prints[] = {
	{ "wait.dat -e wait --snapshot 1 --view percentiles",
	  "# event histogram: latency:wait\n#\n"
	  "# trigger info: hist:keys=next_comm,lat_us.log2:vals=lat_us:sort=lat_us\n" MACHINE
	  "# snapshot: 1 of 0-2 at 101.000000\n"
	  "# shares: 100 % is the total hitcount, 188\n"
	  "#\n\n"
	  "  next_comm  hitcount    share        lat_us     mean           p50           p90           p99         p99.9\n"
	  "  rcu             180   95.74%      33-64 us    50 us      33-64 us      33-64 us      33-64 us      33-64 us\n"
	  "  x\\x1b[2J          5    2.66%  32.8-65.5 ms    50 ms  32.8-65.5 ms  32.8-65.5 ms  32.8-65.5 ms  32.8-65.5 ms\n"
	  "  sh                3    1.60%        2-8 us  3.67 us          2 us        5-8 us        5-8 us        5-8 us\n"
	  "\nTotals:\n    Hits: 300\n    Entries: 4\n"
	  "    Dropped: 7  (not in any row: the table was full)\nhint: record fewer "
	  "distinct keys, or use -R with a larger size=\n", "", 0 },
	{ "wait.dat -e wait --intervals --view percentiles --percentiles 99,50 --top 1",
	  "# event histogram: latency:wait\n#\n"
	  "# trigger info: hist:keys=next_comm,lat_us.log2:vals=lat_us:sort=lat_us\n" MACHINE
	  "# set-up: 300 hits before snapshot 0 are left out\n"
	  "# intervals: each line has the counts of the interval that ended at its time\n"
	  "#\n\n"
	  "       until  next_comm  hitcount            p50            p99            max\n"
	  "# note: 7 hits were dropped and are not in any row: the table was full\n"
	  "# hint: record fewer distinct keys, or use -R with a larger size=\n"
	  "  101.000000  rcu              90       33-64 us       33-64 us       33-64 us\n"
	  "  101.000000  2 more            6   32.8-65.5 ms   32.8-65.5 ms   32.8-65.5 ms\n"
	  "# note: the histogram was cleared during this time: only later hits are counted\n"
	  "  102.000000  sh                4  513 us-1.02 ms  513 us-1.02 ms  513 us-1.02 ms\n", "", 0 },
	{ "wait.dat -e a:ret -e calls --view percentiles --percentiles 25,25.0001",
	  "# event histogram: a:ret\n#\n"
	  "# trigger info: hist:keys=ret.buckets=100\n" MACHINE
	  "# snapshot: 0 of 0-0 at 100.000000\n"
	  "# set-up: included, because there is only one snapshot (0)\n"
	  "# shares: 100 % is the total hitcount, 4\n"
	  "#\n\n"
	  "       hitcount    share      ret      p25  p25.0001\n"
	  "  all         4  100.00%  -16..99  -16..-1      0-99\n"
	  "\nTotals:\n    Hits: 300\n    Entries: 2\n    Dropped: 0\n", NO_AXIS, 2 },
	{ "wait.dat -e calls --view percentiles", "", NO_AXIS, 2 },
	{ "wait.dat --view percentiles --percentiles 50,101", "",
	  "trace-cmd hist: error: --percentiles 50,101: must be a list of at most 16 numbers from 0 to "
	  "100\n"
	  "hint: use, for example, 50,90,99.9\n", 2 },
	{ "wait.dat --view bars --percentiles 50", "",
	  "trace-cmd hist: error: --percentiles: has no effect with --view bars\n"
	  "hint: remove one of these options\n", 2 },
};

static void test_prints(void)
{
	size_t i;

	report_columns = "120";
	for (i = 0; i < sizeof(prints) / sizeof(*prints); i++) {
		report_run(prints[i].line);
		report_expect(prints[i].line, prints[i].out, prints[i].err, prints[i].status);
	}
	report_columns = NULL;
}

/* What follows @from in the last output, up to and with @to. */
static void expect_part(const char *line, const char *from, const char *to, const char *want)
{
	const char *at, *end;
	char part[4096] = "";

	report_run(line);
	at = strstr(report_out, from);
	end = at ? strstr(at, to) : NULL;
	if (end)
		snprintf(part, sizeof(part), "%.*s", (int)(end + strlen(to) - at), at);
	if (strcmp(part, want))
		fprintf(stderr, "\n%s:\n%s%s\n", line, report_out, report_err);
	CU_ASSERT_STRING_EQUAL(part, want);
	CU_ASSERT_STRING_EQUAL(report_err, "");
	CU_ASSERT_EQUAL(report_status, 0);
}

static void test_json(void)
{
	expect_part("wait.dat -ewait --snapshot=1 --format=json --percentiles 50,99.9 --top=2",
		    "\"percentiles\"", "\n        }",
		    "\"percentiles\": [\n"
		    "            { \"key\": { \"next_comm\": \"rcu\" }, \"count\": 180, "
		    "\"min\": { \"ge\": 33, \"le\": 64 }, \"max\": { \"ge\": 33, \"le\": 64 }, "
		    "\"mean\": 50, \"p50\": { \"ge\": 33, \"le\": 64 }, "
		    "\"p99.9\": { \"ge\": 33, \"le\": 64 } },\n"
		    "            { \"key\": { \"next_comm\": \"x\\u001b[2J\" }, \"count\": 5, "
		    "\"min\": { \"ge\": 32769, \"le\": 65536 }, "
		    "\"max\": { \"ge\": 32769, \"le\": 65536 }, \"mean\": 50000, "
		    "\"p50\": { \"ge\": 32769, \"le\": 65536 }, "
		    "\"p99.9\": { \"ge\": 32769, \"le\": 65536 } }\n"
		    "          ],\n"
		    "          \"percentiles_rest\": { \"groups\": 1, \"count\": 3, "
		    "\"min\": { \"ge\": 2, \"le\": 2 }, \"max\": { \"ge\": 5, \"le\": 8 }, "
		    "\"mean\": 3.6666666666666665, \"p50\": { \"ge\": 2, \"le\": 2 }, "
		    "\"p99.9\": { \"ge\": 5, \"le\": 8 } }\n"
		    "        }");
	expect_part("wait.dat -e wait --format json", "\"keys\"", "\n      ]",
		    "\"keys\": [\n        { \"name\": \"next_comm\", \"modifier\": \"\" },\n"
		    "        { \"name\": \"lat_us\", \"modifier\": \"log2\", \"unit\": \"us\" }\n"
		    "      ]");
	/* below zero; without a sum there is no mean; rows are there all the same */
	expect_part("wait.dat -e a:ret --format json --view percentiles --top 1", "\"total_rows\"",
		    "\"p90\"",
		    "\"total_rows\": 2,\n"
		    "          \"rest\": { \"rows\": 1, \"value\": { \"hitcount\": 1 } },\n"
		    "          \"rows\": [\n"
		    "            { \"key\": { \"ret\": { \"ge\": 0, \"le\": 99 } }, \"value\": "
		    "{ \"hitcount\": 3 } }\n"
		    "          ],\n"
		    "          \"percentiles\": [\n"
		    "            { \"key\": {}, \"count\": 4, \"min\": { \"ge\": -16, \"le\": -1 }, "
		    "\"max\": { \"ge\": 0, \"le\": 99 }, \"p50\": { \"ge\": 0, \"le\": 99 }, \"p90\"");
	expect_part("wait.dat -e a:calls --format json --percentiles 50", "\"percentiles\"", "\n",
		    "\"percentiles\": null\n");
	expect_part("wait.dat -e a:ret --format json", "\"rows\": [", "\"damage\"",
		    "\"rows\": [\n"
		    "            { \"key\": { \"ret\": { \"ge\": -16, \"le\": -1 } }, \"value\": "
		    "{ \"hitcount\": 1 } },\n"
		    "            { \"key\": { \"ret\": { \"ge\": 0, \"le\": 99 } }, \"value\": "
		    "{ \"hitcount\": 3 } }\n"
		    "          ]\n        }\n      ]\n    }\n  ],\n  \"damage\"");
}

UNIT_TESTS_WITH(set_up, tear_down,
	{ "report --view percentiles prints a line of percentiles for each group", test_prints },
	{ "report writes percentiles and their bounds as JSON", test_json });
