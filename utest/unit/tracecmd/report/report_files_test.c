// SPDX-License-Identifier: GPL-2.0
/*
 * report_files_test.c - `trace-cmd hist report` of several files: names, one line of time
 *
 * Two machines measured the same. alpha's trace clock is at 10 s when the day is at
 * 1700000010 s, but its clock was set only after its first snapshot; beta began
 * 1.25 s later, 500 s after it was started.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/report/report_fixture.h"
#include "utest/unit/tracecmd/report/report_run.h"

#define SEC 1000000000ull
#define DAY (1700000000 * SEC)
#define MS 1000000ull

static const char lat[] = "hist:keys=lat.log2";

struct point {
	uint64_t time, wall;
	unsigned int small, large; /* hits of two buckets, from the beginning */
};

static const struct point alpha[] = {
	{ 10 * SEC, 77 * SEC, 1, 0 },
	{ 11 * SEC, DAY + 11 * SEC, 5, 1 },
	{ 12 * SEC, DAY + 12 * SEC, 105, 1 },
};
static const struct point beta[] = {
	{ 500500 * MS, DAY + 11250 * MS, 2, 0 },
	{ 501500 * MS, DAY + 12250 * MS, 3, 0 },
	{ 502500 * MS, DAY + 13250 * MS, 3, 40 },
};
static const struct point ticks[] = {
	{ 7, DAY, 1, 0 },
	{ 8, DAY + SEC, 2, 0 },
};

static int add(struct report_fixture *f, int hist, uint32_t seq, const struct point *p)
{
	struct hist_snapshot snap = { .seq = seq, .time = p->time, .wall = p->wall };
	char rows[256] = "", text[1024];
	int len;

	len = snprintf(rows, sizeof(rows), "{ lat: ~ 2^3  } hitcount: %10u\n", p->small);
	if (p->large)
		snprintf(rows + len, sizeof(rows) - len, "{ lat: ~ 2^5  } hitcount: %10u\n", p->large);
	len = snprintf(text, sizeof(text),
		       "# event histogram\n#\n# trigger info: %s [active]\n#\n\n%s\nTotals:\n"
		       "    Hits: %u\n    Entries: %u\n    Dropped: 0\n", lat, rows,
		       p->small + p->large, 1 + !!p->large);
	return report_fixture_add(f, hist, &snap, text, len);
}

/* A file with @hists equal histograms; @end: of a recording that ended in order. */
static int make(const char *path, const char *host, const char *clock, const struct point *points,
		unsigned int n, int hists, int end)
{
	struct report_fixture *f = report_fixture_new(path, HIST_COMPRESS_ZSTD);
	unsigned int i;
	int h;

	if (!f)
		return -1;
	report_fixture_host(f, host);
	for (h = 0; h < hists; h++)
		if (report_fixture_define(f, "sched:wait", lat, clock, NULL) != h)
			return -1;
	for (i = 0; i < n; i++)
		for (h = 0; h < hists; h++)
			if (add(f, h, i, &points[i]))
				return -1;
	return report_fixture_close(f, end);
}

static int set_up(void)
{
	struct point no_wall[3];
	unsigned int i;

	memcpy(no_wall, alpha, sizeof(no_wall));
	for (i = 0; i < 3; i++)
		no_wall[i].wall = 0;
	if (report_set_up())
		return -1;
	return make("a.dat", "alpha", "mono", alpha, 3, 1, 1) ||
	       make("b.dat", "beta", "mono", beta, 3, 1, 1) ||
	       make("two.dat", "gamma", "mono", beta, 3, 2, 0) ||
	       make("again.dat", "alpha", "boot", beta, 3, 1, 1) ||
	       make("old.dat", "old", "mono", no_wall, 3, 1, 1) ||
	       make("ticks.dat", "tick", "counter", ticks, 2, 1, 1) ? -1 : 0;
}

static int tear_down(void)
{
	static const char *const files[] = { "a.dat", "b.dat", "two.dat", "again.dat", "old.dat",
					     "ticks.dat" };
	unsigned int i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++)
		unlink(files[i]);
	return report_tear_down();
}

#define HEAD(host, name) \
	"# event histogram: " name "\n#\n# trigger info: hist:keys=lat.log2\n" \
	"# engine: kernel, clock: mono, instance: hist.1\n" \
	"# host: " host ", Linux box 6.12.0-test x86_64\n"
#define LINE "# times: Unix time in seconds; +0 is the first snapshot, at 2023-11-14 22:13:30.000000 UTC\n"
#define LOST_TIMES ": the times of this file cannot be aligned with those of the other files, " \
	"because " \
	"the file has no wall-clock time, or its trace clock is not in nanoseconds\n"

static const struct {
	const char *line, *out, *err;
	int status;
} prints[] = {
	/* each of the day, as the last snapshots tell it */
	{ "a.dat b.dat --view table",
	  HEAD("alpha", "alpha:sched:wait") LINE
	  "# difference: from snapshot 0 at 1700000010.000000 to snapshot 2 at 1700000012.000000 "
	  "(2.000000 s)\n# set-up: 1 hit before snapshot 0 is left out\n"
	  "# shares: 100 % is the total hitcount, 105\n#\n\n"
	  "{ lat: ~ 2^3 } hitcount: 104  share:  99.05%  cum:  99.05%\n"
	  "{ lat: ~ 2^5 } hitcount:   1  share:   0.95%  cum: 100.00%\n"
	  "\nTotals:\n    Hits: 105\n    Entries: 2\n    Dropped: 0\n\n"
	  HEAD("beta", "beta:sched:wait") LINE
	  "# difference: from snapshot 0 at 1700000011.250000 to snapshot 2 at 1700000013.250000 "
	  "(2.000000 s)\n# set-up: 2 hits before snapshot 0 are left out\n"
	  "# shares: 100 % is the total hitcount, 41\n#\n\n"
	  "{ lat: ~ 2^3 } hitcount:  1  share:   2.44%  cum:   2.44%\n"
	  "{ lat: ~ 2^5 } hitcount: 40  share:  97.56%  cum: 100.00%\n"
	  "\nTotals:\n    Hits: 41\n    Entries: 2\n    Dropped: 0\n", "", 0 },
	/* one moment: 1.5 s after the first snapshot of all */
	{ "-i a.dat -i b.dat --at +1.5 --list --format json", "", "trace-cmd hist: error: --at: "
	  "has no effect with --list\n"
	  "hint: remove one of these options\n", 2 },
	{ "-i b.dat a.dat --at +1.5 --top 1 --view table",
	  HEAD("beta", "beta:sched:wait") LINE
	  "# snapshot: 0 of 0-2 at 1700000011.250000\n"
	  "# shares: 100 % is the total hitcount, 2\n#\n\n"
	  "{ lat: ~ 2^3 } hitcount: 2  share: 100.00%  cum: 100.00%\n"
	  "\nTotals:\n    Hits: 2\n    Entries: 1\n    Dropped: 0\n\n"
	  HEAD("alpha", "alpha:sched:wait") LINE
	  "# snapshot: 1 of 0-2 at 1700000011.000000\n"
	  "# shares: 100 % is the total hitcount, 6\n#\n\n"
	  "{ lat: ~ 2^3 } hitcount: 5  share:  83.33%  cum:  83.33%\n"
	  "  1 more row   hitcount: 1  share:  16.67%  cum: 100.00%\n"
	  "\nTotals:\n    Hits: 6\n    Entries: 2\n    Dropped: 0\n", "", 0 },
	/* the same words as are printed; beta is not there yet */
	{ "a.dat b.dat --at 1700000011.000000 --view table",
	  HEAD("alpha", "alpha:sched:wait") LINE
	  "# snapshot: 1 of 0-2 at 1700000011.000000\n"
	  "# shares: 100 % is the total hitcount, 6\n#\n\n"
	  "{ lat: ~ 2^3 } hitcount: 5  share:  83.33%  cum:  83.33%\n"
	  "{ lat: ~ 2^5 } hitcount: 1  share:  16.67%  cum: 100.00%\n"
	  "\nTotals:\n    Hits: 6\n    Entries: 2\n    Dropped: 0\n",
	  "trace-cmd hist: error: beta:sched:wait: time 1700000011.000000 is before the first snapshot, "
	  "which is at "
	  "1700000011.250000\n", 2 },
	{ "a.dat b.dat --between +1.5,+3 -e beta:wait --view table",
	  HEAD("beta", "beta:sched:wait") LINE
	  "# difference: from snapshot 0 at 1700000011.250000 to snapshot 1 at 1700000012.250000 "
	  "(1.000000 s)\n"
	  "# shares: 100 % is the total hitcount, 1\n#\n\n"
	  "{ lat: ~ 2^3 } hitcount: 1  share: 100.00%  cum: 100.00%\n"
	  "\nTotals:\n    Hits: 1\n    Entries: 1\n    Dropped: 0\n", "", 0 },
	{ "a.dat b.dat --list",
	  "# name            snapshots              first               last  hits  entries  dropped  trigger\n"
	  "alpha:sched:wait          3  1700000010.000000  1700000012.000000   105        2        0  hist:keys=lat.log2\n"
	  "beta:sched:wait           3  1700000011.250000  1700000013.250000    41        2        0  hist:keys=lat.log2\n"
	  "# set-up: alpha:sched:wait: 1 hit before snapshot 0 is left out\n"
	  "# set-up: beta:sched:wait: 2 hits before snapshot 0 are left out\n",
	  "", 0 },
	/* a host that two files have; a file with several histograms, interrupted */
	{ "a.dat two.dat again.dat --list -e wait#1 -e again.dat:sched/wait",
	  "# name                snapshots              first               last  hits  entries  dropped  trigger\n"
	  "gamma:sched:wait#1            3  1700000011.250000  1700000013.250000    41        2        0  hist:keys=lat.log2\n"
	  "again.dat:sched:wait          3  1700000011.250000  1700000013.250000    41        2        0  hist:keys=lat.log2\n"
	  "# set-up: gamma:sched:wait#1: 2 hits before snapshot 0 are left out\n"
	  "# set-up: again.dat:sched:wait: 2 hits before snapshot 0 are left out\n"
	  "# note: two.dat: the recording was interrupted or is still running\n",
	  "trace-cmd hist: warning: two.dat: the recording was interrupted or is still "
	  "running\n", 0 },
	{ "a.dat b.dat -e alfa:sched:wait", "",
	  "trace-cmd hist: error: all files: no histogram \"alfa:sched:wait\"\nhint: did you mean "
	  "\"alpha:sched:wait\"?\n", 2 },
	/* those without a time of day are told, and shown */
	{ "a.dat old.dat -e old:wait --view bars",
	  HEAD("old", "old:sched:wait")
	  "# times: trace clock of this file, not aligned with the other files\n"
	  "# difference: from snapshot 0 at 10.000000 to snapshot 2 at 12.000000 (2.000000 s)\n"
	  "# set-up: 1 hit before snapshot 0 is left out\n"
	  "# shares: 100 % is the total hitcount, 105\n#\n\n"
	  "       lat  hitcount    share\n"
	  "    (4, 8]       104   99.05% |█████████████████████████████████████████\n"
	  "   (8, 16]         0    0.00% |\n"
	  "  (16, 32]         1    0.95% |▍\n"
	  "\nTotals:\n    Hits: 105\n    Entries: 2\n    Dropped: 0\n",
	  "trace-cmd hist: warning: old.dat" LOST_TIMES, 0 },
	{ "a.dat ticks.dat -e tick:wait --at 8", "",
	  "trace-cmd hist: warning: ticks.dat" LOST_TIMES
	  "trace-cmd hist: error: tick:sched:wait: 8: the times of this file cannot be aligned with those of the other files\n"
	  "hint: report this file alone\n", 2 },
	{ "a.dat -i a.dat", "", "trace-cmd hist: error: a.dat: the file is given twice\n", 2 },
	{ "a.dat none.dat", "", "trace-cmd hist: error: none.dat: No such file or directory\n", 2 },
	{ "a.dat b.dat --format json --time-offset 5", "",
	  "trace-cmd hist: error: --time-offset: needs exactly one file, but 2 are given\n", 2 },
	{ "a.dat b.dat --format svg", "",
	  "trace-cmd hist: error: all files: a chart shows only one histogram\nhint: select one of "
	  "'trace-cmd hist report --list' with -e EVENT\n", 2 },
	/* from 10 to 13.25 s in 42 places of 77.4 ms: beta begins in place 16, alpha ends in 25 */
	{ "a.dat b.dat --view heatmap",
	  HEAD("alpha", "alpha:sched:wait") LINE
	  "# heat map: snapshots 0 to 2, from 1700000010.000000 to 1700000012.000000 (2.000000 s)\n"
	  "# columns: 42, each 77.4 ms, aligned with the other files; '/' means not recorded\n"
	  "# set-up: 1 hit before snapshot 0 is left out\n"
	  "# scale: hitcount per second, from:  ░ 1.0  ▒ 3.2  ▓ 10.0  █ 31.6\n#\n\n"
	  "             lat |                                          |   hitcount\n"
	  "          (4, 8] |▒▒▒▒▒▒▒▒▒▒▒▒██████████████////////////////|        104\n"
	  "         (8, 16] |                          ////////////////|          0\n"
	  "        (16, 32] |░░░░░░░░░░░░░             ////////////////|          1\n"
	  "                  '0 s        '929 ms     '1.86 s\n\n"
	  HEAD("beta", "beta:sched:wait") LINE
	  "# heat map: snapshots 0 to 2, from 1700000011.250000 to 1700000013.250000 (2.000000 s)\n"
	  "# columns: 42, each 77.4 ms, aligned with the other files; '/' means not recorded\n"
	  "# set-up: 2 hits before snapshot 0 are left out\n"
	  "# scale: hitcount per second, from:  ░ 1.0  ▒ 2.5  ▓ 6.3  █ 15.9\n#\n\n"
	  "             lat |                                          |   hitcount\n"
	  "          (4, 8] |////////////////░░░░░░░░░░░░░░            |          1\n"
	  "         (8, 16] |////////////////                          |          0\n"
	  "        (16, 32] |////////////////             █████████████|         40\n"
	  "                  '0 s        '929 ms     '1.86 s\n",
	  "", 0 },
};

static void test_prints(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(prints) / sizeof(*prints); i++) {
		report_run(prints[i].line);
		report_expect(prints[i].line, prints[i].out, prints[i].err, prints[i].status);
	}
}

static unsigned int times_in_out(const char *what)
{
	unsigned int n = 0;
	const char *at;

	for (at = report_out; (at = strstr(at, what)); at++)
		n++;
	return n;
}

/* @n times in what @line gives. */
static void has(const char *line, const char *what, unsigned int n)
{
	report_run(line);
	if (times_in_out(what) != n || report_status)
		fprintf(stderr, "\nreport %s: \"%s\" %u times, not %u\n%s%s", line, what,
			times_in_out(what), n, report_out, report_err);
	CU_ASSERT_EQUAL(times_in_out(what), n);
	CU_ASSERT_EQUAL(report_status, 0);
}

/* Data have both clocks, as each was recorded; drawings the line. */
static void test_formats(void)
{
	has("a.dat b.dat --format json --at +2.25",
	    "\"name\": \"beta:sched:wait\"", 1);
	has("a.dat b.dat --format json --at +2.25",
	    "\"time_ns\": 501500000000,\n          \"wall_ns\": \"1700000012250000000\"", 1);
	has("a.dat b.dat --format json --at +2.25", "\"first_time_ns\": 10000000000", 1);
	has("a.dat b.dat --format csv",
	    "row,beta:sched:wait,beta,2,502500000000,,1700000013250000000,", 2);
	has("a.dat b.dat --format ndjson --between +0,+1.25 -e alpha:wait",
	    "\"time_ns\":11000000000,", 14);
	has("a.dat b.dat --format folded", "beta:sched:wait;", 3);
	/* one family, in which the label host tells whose it is */
	has("a.dat b.dat --format openmetrics", "# TYPE trace_sched_wait_lat histogram\n", 1);
	has("a.dat b.dat --format openmetrics",
	    "trace_sched_wait_lat_bucket{host=\"alpha\",le=\"8.0\"} 104 1700000012.000\n", 1);
	has("a.dat b.dat --format openmetrics",
	    "trace_sched_wait_lat_bucket{host=\"beta\",le=\"8.0\"} 1 1700000013.250\n", 1);
	has("a.dat b.dat --format openmetrics", "histogram=\"beta:sched:wait\"} 41 ", 1);
	/* two of one host are not one family, whoever else is in it */
	has("a.dat b.dat again.dat --format openmetrics", "# TYPE trace_sched_wait_lat histogram\n", 1);
	has("a.dat b.dat again.dat --format openmetrics",
	    "# TYPE trace_2_sched_wait_lat histogram\n", 1);
	has("a.dat b.dat again.dat --format openmetrics",
	    "trace_2_sched_wait_lat_bucket{host=\"alpha\",le=\"8.0\"} 1 ", 1);
	/* both charts from the first to the last moment of both */
	has("a.dat b.dat --format html", "seconds after 2023-11-14 22:13:30.000000 UTC", 4);
	has("a.dat b.dat --format html", "<h1>Histograms of alpha, beta</h1>", 1);
	has("a.dat b.dat --format html", "Linux box 6.12.0-test x86_64", 3);
	has("a.dat --format html", "<h1>Histograms of alpha</h1>", 1);
	/* a snapshot that was not taken takes nothing away, a clearing does */
	has("main.dat -e kmem:kmalloc --between 0,1 --format html", "<strong>Notes</strong>", 1);
	has("main.dat -e kmem:kmalloc --between 0,1 --format html", "1 snapshot was due but not "
			"taken", 1);
	has("main.dat -e kmem:kmalloc --between 0,1 --format html", "Incomplete data", 0);
	has("reset.dat --format html", "<strong>Incomplete data</strong>", 1);
	/* one file has its trace clock, and the date of what is shown last */
	has("a.dat", "# date: 2023-11-14 22:13:32.000000 UTC\n", 1);
	has("a.dat --snapshot all", "# date: ", 1);
	has("a.dat --view heatmap", "# date: 2023-11-14 22:13:32.000000 UTC\n", 1);
	has("a.dat --format html", "<dt>Date</dt><dd>2023-11-14 22:13:32.000000 UTC</dd>", 1);
	has("old.dat", "# date: ", 0);
	has("old.dat --format html", "<dt>Date</dt>", 0);
	has("a.dat b.dat", "# date: ", 0);
	has("a.dat b.dat --format html", "<dt>Date</dt>", 0);
	has("a.dat b.dat --format svg --view heatmap -e beta:wait",
	    "from 1700000011.250000 to 1700000013.250000", 3);
	has("a.dat b.dat --format svg --view heatmap -e beta:wait",
	    "seconds after 2023-11-14 22:13:31.250000 UTC", 1);
}

static void test_memory(void)
{
	long i, n;

	report_alloc_fail = LONG_MAX;
	report_run("a.dat two.dat again.dat --view heatmap");
	n = report_alloc_seen;
	for (i = 0; i < n; i += i < 200 ? 1 : 7) {
		report_alloc_fail = i;
		report_run("a.dat two.dat again.dat --view heatmap");
		CU_ASSERT(report_status == 2 || report_status == 0);
	}
	report_alloc_fail = -1;
}

UNIT_TESTS_WITH(set_up, tear_down,
	{ "report puts several files on one time line and names histograms by their host",
	  test_prints },
	{ "every format shows several files with their hosts and times", test_formats },
	{ "report of several files survives a failure of each allocation", test_memory });
