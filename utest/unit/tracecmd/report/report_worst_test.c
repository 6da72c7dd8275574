// SPDX-License-Identifier: GPL-2.0
/*
 * report_worst_test.c - the largest values of a latency, and what was saved with them
 *
 * worst.dat: a latency by task, as a kernel prints it, in four snapshots.  One task has a name that
 * looks like a saved field.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/report/report_fixture.h"
#include "utest/unit/tracecmd/report/report_run.h"

#define SEC 1000000000ull

static const char worst_trigger[] =
	"hist:keys=next_comm,lat_us.log2:vals=lat_us:worst=lat_us,worst_at=common_timestamp:"
	"clock=mono:onmax($worst).save(common_timestamp,cpu,common_pid,prev_prio,prev_comm)";

struct worst_row {
	const char *comm;
	unsigned int n, hits, sum, max;
	unsigned long long at;
	unsigned int pid;
	const char *previous;
};

static const struct worst_row snapshots[4][4] = {
	{ { "sh", 3, 1, 7, 7, 99 * SEC, 5, "x  prev_prio: 1" } },
	{ { "sh", 3, 3, 21, 7, 99 * SEC, 5, "x  prev_prio: 1" },
	  { "rcu", 4, 1, 9, 9, 100600000499, 77, "init" },
	  { "rcu", 14, 1, 8201, 8201, 100500000500, 123, "dd" } },
	/* the highest bucket is hit again, by less than its maximum; a lower one rises */
	{ { "sh", 3, 4, 29, 8, 101200000000, 6, "      1234" },
	  { "rcu", 4, 3, 36, 15, 101700000000, 78, "cat" },
	  { "rcu", 14, 2, 16401, 8201, 100500000500, 123, "dd" } },
	/* only the lower one */
	{ { "sh", 3, 4, 29, 8, 101200000000, 6, "      1234" },
	  { "rcu", 4, 4, 45, 15, 101700000000, 78, "cat" },
	  { "rcu", 14, 2, 16401, 8201, 100500000500, 123, "dd" } },
};

static int worst_add_snapshot(struct report_fixture *f, unsigned int seq)
{
	struct hist_snapshot snap = { .seq = seq, .time = (100 + seq) * SEC };
	char text[4096], *at = text;
	unsigned int i, hits = 0;

	at += sprintf(at, "# event histogram\n#\n# trigger info: %s [active]\n#\n\n", worst_trigger);
	for (i = 0; i < 4 && snapshots[seq][i].comm; i++) {
		const struct worst_row *r = &snapshots[seq][i];

		hits += r->hits;
		at += sprintf(at, "{ next_comm: %-50s, lat_us: ~ 2^%-2u } hitcount: %10u  lat_us: %10u\n"
				  "\tmax: %10u  common_timestamp: %10llu  cpu: %10u  common_pid: %10u"
				  "  prev_prio: %10u  prev_comm: %-32s\n",
			      r->comm, r->n, r->hits, r->sum, r->max, r->at, 1, r->pid, 120,
			      r->previous);
	}
	at += sprintf(at, "\nTotals:\n    Hits: %u\n    Entries: %u\n    Dropped: 0\n", hits, i);
	return report_fixture_add(f, 0, &snap, text, at - text);
}

static int worst_make(void)
{
	struct report_fixture *f = report_fixture_new("worst.dat", HIST_COMPRESS_NONE);
	unsigned int i;

	if (!f || report_fixture_define(f, "latency:wait", worst_trigger, "mono", NULL) != 0)
		return -1;
	for (i = 0; i < 4; i++)
		if (worst_add_snapshot(f, i))
			return -1;
	return report_fixture_close(f, 1);
}

static int set_up(void)
{
	return report_set_up() || worst_make();
}

static int tear_down(void)
{
	return unlink("worst.dat") || report_tear_down();
}

/* The text after the @nth "Dropped: 0" of the output, up to the next blank line. */
static void expect_lines(const char *line, unsigned int nth, const char *want)
{
	const char *at, *end;
	char part[2048] = "";

	report_run(line);
	CU_ASSERT_EQUAL(report_status, 0);
	CU_ASSERT_STRING_EQUAL(report_err, "");
	for (at = report_out; at && nth--;) {
		at = strstr(at, "    Dropped: 0\n");
		at = at ? at + strlen("    Dropped: 0\n") : NULL;
	}
	if (at && *at == '\n') {
		end = strstr(at + 1, "\n\n");
		snprintf(part, sizeof(part), "%.*s", end ? (int)(end - at) : (int)strlen(at), at + 1);
	}
	if (strcmp(part, want))
		fprintf(stderr, "\n%s:\n%s%s\n", line, report_out, report_err);
	CU_ASSERT_STRING_EQUAL(part, want);
}

#define DD "worst: 8.2 ms at 100.500001, CPU 1, after dd/123 [nice 0], next_comm: rcu\n"

static void test_text(void)
{
	static const char *const views[] = { "table", "bars", "percentiles" };
	char line[128];
	unsigned int i;

	for (i = 0; i < 3; i++) {
		snprintf(line, sizeof(line), "worst.dat --view %s", views[i]);
		expect_lines(line, 1, DD "worst: 8 us at 101.200000, CPU 1, after       1234/6 [nice 0], "
			     "next_comm: sh\n");
		CU_ASSERT_PTR_NULL(strstr(report_out, "max:"));
		CU_ASSERT_PTR_NULL(strstr(report_out, "saved values"));
	}
	/* the whole of one moment: exact since the start */
	expect_lines("worst.dat --snapshot 1", 1, DD "worst: 7 us at 99.000000, CPU 1, "
		     "after x  prev_prio: 1/5 [nice 0], next_comm: sh\n");
}

static void test_intervals(void)
{
	expect_lines("worst.dat --intervals", 1, DD "worst: at most 7 us, next_comm: sh\n");
	expect_lines("worst.dat --intervals", 2, "worst: at most 8.2 ms, next_comm: rcu\n"
		     "worst: 8 us at 101.200000, CPU 1, after       1234/6 [nice 0], next_comm: sh\n");
	expect_lines("worst.dat --intervals", 3, "worst: at most 15 us, next_comm: rcu\n");
}

static void test_json(void)
{
	const char *at, *end;
	char part[2048] = "";

	report_run("worst.dat --snapshot 1 --format json");
	at = strstr(report_out, "\"worst\": [");
	end = at ? strstr(at, "\n          ]") : NULL;
	if (end)
		snprintf(part, sizeof(part), "%.*s", (int)(end - at), at);
	CU_ASSERT_STRING_EQUAL(part, "\"worst\": [\n"
		"            { \"value\": 8201, \"exact\": true, \"time_ns\": 100500000500, \"cpu\": 1, "
		"\"key\": { \"next_comm\": \"rcu\" }, \"saved\": { \"common_pid\": 123, "
		"\"prev_prio\": 120, \"prev_comm\": \"dd\" } },\n"
		"            { \"value\": 7, \"exact\": true, \"time_ns\": 99000000000, \"cpu\": 1, "
		"\"key\": { \"next_comm\": \"sh\" }, \"saved\": { \"common_pid\": 5, "
		"\"prev_prio\": 120, \"prev_comm\": \"x  prev_prio: 1\" } }");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "\"values\": [ \"hitcount\", \"lat_us\" ]"));
	report_run("worst.dat --format json --between 2,3");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "\"worst\": [\n            { \"value\": 15, "
				      "\"exact\": false, \"key\": { \"next_comm\": \"rcu\" } }\n"));
}

static void test_ndjson(void)
{
	report_run("worst.dat --snapshot 1 --format ndjson");
	CU_ASSERT_EQUAL(report_status, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "{\"kind\":\"worst\",\"histogram\":"
		"\"latency:wait\",\"host\":\"box\",\"seq\":1,\"time_ns\":101000000000,"
		"\"worst\":{\"value\":8201,\"exact\":true,\"time_ns\":100500000500,\"cpu\":1,"
		"\"key\":{\"next_comm\":\"rcu\"},\"saved\":{\"common_pid\":123,\"prev_prio\":120,"
		"\"prev_comm\":\"dd\"}}}\n"));
	/* a limit in an interval has only its value and its key */
	report_run("worst.dat --between 2,3 --format ndjson");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "\"worst\":{\"value\":15,\"exact\":false,"
				      "\"key\":{\"next_comm\":\"rcu\"}}}\n"));
}

static void test_html(void)
{
	report_run("worst.dat --format html");
	CU_ASSERT_EQUAL(report_status, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "<ol class=\"worst\">\n"
		"<li>8.2 ms at 100.500001, CPU 1, after dd/123 [nice 0], next_comm: rcu</li>\n"
		"<li>8 us at 101.200000, CPU 1, after       1234/6 [nice 0], next_comm: sh</li>\n</ol>"));
	/* of the selected snapshots: the larger maximum was reached before */
	report_run("worst.dat --between 1,3 --format html");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "<li>at most 8.2 ms, next_comm: rcu</li>\n"));
}

/* A name that looks like a field is a name: the string has the width of its column. */
static void test_names(void)
{
	expect_lines("worst.dat --snapshot 1 --view table -e wait", 1, DD
		     "worst: 7 us at 99.000000, CPU 1, after x  prev_prio: 1/5 [nice 0], next_comm: sh\n");
	report_run("worst.dat --snapshot 1 --format csv");
	CU_ASSERT_PTR_NULL(strstr(report_out, "prev_prio"));
	report_run("worst.dat --format html");
	CU_ASSERT_PTR_NULL(strstr(report_out, ">worst<"));
	CU_ASSERT_EQUAL(report_status, 0);
}

UNIT_TESTS_WITH(set_up, tear_down,
	{ "the largest value of each key has its time, CPU and task below the totals", test_text },
	{ "the worst of an interval is exact if it rose there, otherwise a limit", test_intervals },
	{ "JSON has the worst of each key with all saved fields", test_json },
	{ "NDJSON has a record for the worst of each key", test_ndjson },
	{ "an HTML page lists the worst of the selected snapshots", test_html },
	{ "the worst is no column of rows", test_names });
