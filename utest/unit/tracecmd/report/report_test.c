// SPDX-License-Identifier: GPL-2.0
/*
 * report_test.c - `trace-cmd hist report`: what it prints, which snapshots it
 * takes, and what it refuses
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/report/report_run.h"

#define MACHINE "# engine: kernel, clock: mono, instance: hist.1\n" \
		"# host: box, Linux box 6.12.0-test x86_64\n"

static const struct {
	const char *line;
	const char *locale;
	const char *out;
} prints[] = {
	{ "main.dat -e kmalloc", "C.UTF-8",
	  "# event histogram: kmem:kmalloc\n#\n"
	  "# trigger info: hist:keys=call_site.sym:vals=bytes_req\n" MACHINE
	  "# difference: from snapshot 0 at 100.000000 to snapshot 2 at 102.500000 "
	  "(2.500000 s)\n"
	  "# set-up: 1 hit before snapshot 0 is left out\n"
	  "# shares: 100 % is the total hitcount, 7\n"
	  "# note: 3 snapshots during this time were due but not taken\n"
	  "#\n\n"
	  "{ call_site: [ffffffff8100ff00] do_sys_open } hitcount: 4  bytes_req:    0  share:  57.14%  cum:  57.14%\n"
	  "{ call_site: [ffffffff81000010] kfree       } hitcount: 2  bytes_req:   40  share:  28.57%  cum:  85.71%\n"
	  "{ call_site: [ffffffff81000020] kfree       } hitcount: 1  bytes_req: 1000  share:  14.29%  cum: 100.00%\n"
	  "\nTotals:\n    Hits: 7\n    Entries: 3\n"
	  "    Dropped: 2  (not in any row: the table was full)\n"
	  "hint: record fewer distinct keys, or use -R with a larger size=\n" },
	{ "main.dat -e kmem/kmalloc --sort bytes_req.descending --top 1", "C.UTF-8",
	  "# event histogram: kmem:kmalloc\n#\n"
	  "# trigger info: hist:keys=call_site.sym:vals=bytes_req\n" MACHINE
	  "# difference: from snapshot 0 at 100.000000 to snapshot 2 at 102.500000 "
	  "(2.500000 s)\n"
	  "# set-up: 1 hit before snapshot 0 is left out\n"
	  "# shares: 100 % is the total bytes_req, 1040\n"
	  "# note: 3 snapshots during this time were due but not taken\n"
	  "#\n\n"
	  "{ call_site: [ffffffff81000020] kfree } hitcount: 1  bytes_req: 1000  share:  96.15%  cum:  96.15%\n"
	  "  2 more rows                           hitcount: 6  bytes_req:   40  share:   3.85%  cum: 100.00%\n"
	  "\nTotals:\n    Hits: 7\n    Entries: 3\n"
	  "    Dropped: 2  (not in any row: the table was full)\n"
	  "hint: record fewer distinct keys, or use -R with a larger size=\n" },
	{ "-i main.dat -e kmem:kmalloc --snapshot 0 --view bars", "C.UTF-8",
	  "# event histogram: kmem:kmalloc\n#\n"
	  "# trigger info: hist:keys=call_site.sym:vals=bytes_req\n" MACHINE
	  "# snapshot: 0 of 0-2 at 100.000000\n"
	  "# shares: 100 % is the total hitcount, 1\n"
	  "#\n\n"
	  "  call_site  hitcount    share\n"
	  "  kfree             1  100.00% |████████████████████████████████████████\n"
	  "\nTotals:\n    Hits: 1\n    Entries: 1\n    Dropped: 0\n" },
	{ "main.dat -e kmalloc --view bars", "C",
	  "# event histogram: kmem:kmalloc\n#\n"
	  "# trigger info: hist:keys=call_site.sym:vals=bytes_req\n" MACHINE
	  "# difference: from snapshot 0 at 100.000000 to snapshot 2 at 102.500000 "
	  "(2.500000 s)\n"
	  "# set-up: 1 hit before snapshot 0 is left out\n"
	  "# shares: 100 % is the total hitcount, 7\n"
	  "# note: 3 snapshots during this time were due but not taken\n"
	  "#\n\n"
	  "  call_site                 hitcount    share\n"
	  "  do_sys_open                      4   57.14% |#########################\n"
	  "  [ffffffff81000010] kfree         2   28.57% |#############\n"
	  "  [ffffffff81000020] kfree         1   14.29% |######\n"
	  "\nTotals:\n    Hits: 7\n    Entries: 3\n"
	  "    Dropped: 2  (not in any row: the table was full)\n"
	  "hint: record fewer distinct keys, or use -R with a larger size=\n" },
	{ "main.dat -e lat#0 --view bars", "C.UTF-8",
	  "# event histogram: sched:lat#0\n#\n"
	  "# trigger info: hist:keys=lat.log2\n" MACHINE
	  "# snapshot: 0 of 0-0 at 100.000000\n"
	  "# set-up: included, because there is only one snapshot (0)\n"
	  "# shares: 100 % is the total hitcount, 9\n"
	  "#\n\n"
	  "         lat  hitcount    share\n"
	  "  (256, 512]         8   88.89% |███████████████████████████████████████\n"
	  "   (512, 1K]         0    0.00% |\n"
	  "    (1K, 2K]         1   11.11% |████▉\n"
	  "\nTotals:\n    Hits: 9\n    Entries: 2\n    Dropped: 0\n" },
	/* --top that leaves none out keeps the axis */
	{ "main.dat -e lat#0 --view bars --top 2", "C",
	  "# event histogram: sched:lat#0\n#\n"
	  "# trigger info: hist:keys=lat.log2\n" MACHINE
	  "# snapshot: 0 of 0-0 at 100.000000\n"
	  "# set-up: included, because there is only one snapshot (0)\n"
	  "# shares: 100 % is the total hitcount, 9\n"
	  "#\n\n"
	  "         lat  hitcount    share\n"
	  "  (256, 512]         8   88.89% |#######################################\n"
	  "   (512, 1K]         0    0.00% |\n"
	  "    (1K, 2K]         1   11.11% |#####\n"
	  "\nTotals:\n    Hits: 9\n    Entries: 2\n    Dropped: 0\n" },
	{ "main.dat -e lat#0 --view bars --top 1", "C",
	  "# event histogram: sched:lat#0\n#\n"
	  "# trigger info: hist:keys=lat.log2\n" MACHINE
	  "# snapshot: 0 of 0-0 at 100.000000\n"
	  "# set-up: included, because there is only one snapshot (0)\n"
	  "# shares: 100 % is the total hitcount, 9\n"
	  "#\n\n"
	  "         lat  hitcount    share\n"
	  "  (256, 512]         8   88.89% |#######################################\n"
	  "  1 more             1   11.11%\n"
	  "\nTotals:\n    Hits: 9\n    Entries: 2\n    Dropped: 0\n" },
	{ "main.dat -e sched:lat#1", "C.UTF-8",
	  "# event histogram: sched:lat#1\n#\n"
	  "# trigger info: hist:keys=comm:sort=comm\n" MACHINE
	  "# snapshot: 0 of 0-0 at 100.000000\n"
	  "# set-up: included, because there is only one snapshot (0)\n"
	  "# shares: 100 % is the total hitcount, 4\n"
	  "#\n\n"
	  "{ comm: x\\x1b[2J } hitcount: 3  share:  75.00%  cum:  75.00%\n"
	  "{ comm: ü        } hitcount: 1  share:  25.00%  cum: 100.00%\n"
	  "\nTotals:\n    Hits: 4\n    Entries: 2\n    Dropped: 0\n" },
	{ "main.dat -e sched:lat#1 --sort hitcount", "C",
	  "# event histogram: sched:lat#1\n#\n"
	  "# trigger info: hist:keys=comm:sort=comm\n" MACHINE
	  "# snapshot: 0 of 0-0 at 100.000000\n"
	  "# set-up: included, because there is only one snapshot (0)\n"
	  "# shares: 100 % is the total hitcount, 4\n"
	  "#\n\n"
	  "{ comm: \\u00fc   } hitcount: 1  share:  25.00%  cum:  25.00%\n"
	  "{ comm: x\\x1b[2J } hitcount: 3  share:  75.00%  cum: 100.00%\n"
	  "\nTotals:\n    Hits: 4\n    Entries: 2\n    Dropped: 0\n" },
	{ "main.dat -e kmalloc --intervals", "C.UTF-8",
	  "# event histogram: kmem:kmalloc\n#\n"
	  "# trigger info: hist:keys=call_site.sym:vals=bytes_req\n" MACHINE
	  "# difference: from snapshot 0 at 100.000000 to snapshot 1 at 101.000000 (1.000000 s)\n"
	  "# set-up: 1 hit before snapshot 0 is left out\n"
	  "# shares: 100 % is the total hitcount, 4\n"
	  "# note: 1 snapshot during this time was due but not taken\n"
	  "#\n\n"
	  "{ call_site: [ffffffff8100ff00] do_sys_open } hitcount: 4  bytes_req: 0  share: 100.00%  cum: 100.00%\n"
	  "\nTotals:\n    Hits: 4\n    Entries: 2\n    Dropped: 0\n\n"
	  "# event histogram: kmem:kmalloc\n"
	  "# difference: from snapshot 1 at 101.000000 to snapshot 2 at 102.500000 (1.500000 s)\n"
	  "# shares: 100 % is the total hitcount, 3\n"
	  "# note: 2 snapshots during this time were due but not taken\n"
	  "#\n\n"
	  "{ call_site: [ffffffff81000010] kfree } hitcount: 2  bytes_req:   40  share:  66.67%  cum:  66.67%\n"
	  "{ call_site: [ffffffff81000020] kfree } hitcount: 1  bytes_req: 1000  share:  33.33%  cum: 100.00%\n"
	  "\nTotals:\n    Hits: 3\n    Entries: 3\n"
	  "    Dropped: 2  (not in any row: the table was full)\n"
	  "hint: record fewer distinct keys, or use -R with a larger size=\n" },
	{ "main.dat --list", "C.UTF-8",
	  "# name        snapshots       first        last  hits  entries  dropped  trigger\n"
	  "kmem:kmalloc          3  100.000000  102.500000     7        3        2  "
	  "hist:keys=call_site.sym:vals=bytes_req\n"
	  "sched:lat#0           1  100.000000  100.000000     9        2        0  hist:keys=lat.log2\n"
	  "sched:lat#1           1  100.000000  100.000000     4        2        0  "
	  "hist:keys=comm:sort=comm\n"
	  "# set-up: kmem:kmalloc: 1 hit before snapshot 0 is left out\n"
	  "# set-up: sched:lat#0: included, because there is only one snapshot (0)\n"
	  "# set-up: sched:lat#1: included, because there is only one snapshot (0)\n" },
};

static void test_prints(void)
{
	size_t i;

	for (i = 0; i < sizeof(prints) / sizeof(*prints); i++) {
		report_columns = strstr(prints[i].line, "--view bars") ? NULL : "120";
		report_run_to(prints[i].line, prints[i].locale, -1);
		report_expect(prints[i].line, prints[i].out, "", 0);
	}
	report_columns = NULL;
}

/* Which snapshots a report is of. */
static const struct {
	const char *line;
	const char *moment;
} moments[] = {
	{ "--at 100", "# snapshot: 0 of 0-2 at 100.000000\n" },
	{ "--at 100.999999", "# snapshot: 0 of" },
	{ "--at 101.000000", "# snapshot: 1 of" }, /* as printed, though 499 ns later */
	{ "--at 101.000000498", "# snapshot: 0 of" },
	{ "--at 101.000000499s", "# snapshot: 1 of" },
	{ "--at 99999", "# snapshot: 2 of" },
	{ "--at 99999999999999", "# snapshot: 2 of" },
	{ "--at 18446744074", "# snapshot: 2 of" }, /* 2^64 ns and a little */
	{ "--at +0", "# snapshot: 0 of" },
	{ "--at +2.4", "# snapshot: 1 of" },
	{ "--at +2.5", "# snapshot: 2 of" },
	{ "--snapshot 1", "# snapshot: 1 of" },
	{ "--between 0,2", "# difference: from snapshot 0 at 100.000000 to snapshot 2 at 102.500000 "
			   "(2.500000 s)\n# shares: 100 % is the total hitcount, 7\n# note: 3 snapshots" },
	{ "--between 100.5,102.5", "# difference: from snapshot 0 at 100.000000 to snapshot 2 at" },
	{ "--between 101s,+2.5", "# difference: from snapshot 1 at 101.000000 to snapshot 2 at" },
	{ "--between 0,+1", "# difference: from snapshot 0 at 100.000000 to snapshot 1 at" },
};

static void test_moments(void)
{
	char line[128];
	size_t i;

	for (i = 0; i < sizeof(moments) / sizeof(*moments); i++) {
		snprintf(line, sizeof(line), "main.dat -e kmalloc %s", moments[i].line);
		report_run(line);
		if (!strstr(report_out, moments[i].moment))
			fprintf(stderr, "\n%s: %s%s\n", line, report_out, report_err);
		CU_ASSERT_PTR_NOT_NULL(strstr(report_out, moments[i].moment));
		CU_ASSERT_EQUAL(report_status, 0);
	}
}

static const struct {
	const char *line;
	const char *err;
} refusals[] = {
	{ "none.dat", "trace-cmd hist: error: none.dat: No such file or directory\n" },
	{ "", "trace-cmd hist: error: trace.dat: No such file or directory\n" },
	{ "--worst 3 main.dat", "trace-cmd hist: error: 3: no such file\nhint: use --worst=3\n" },
	{ "main.dat -e kmaloc", "trace-cmd hist: error: main.dat: no histogram \"kmaloc\"\n"
				"hint: run 'trace-cmd hist report --list'\n" },
	{ "main.dat -e kmem:kmaloc", "trace-cmd hist: error: main.dat: no histogram "
				     "\"kmem:kmaloc\"\n"
				     "hint: did you mean \"kmem:kmalloc\"?\n" },
	{ "main.dat -e kmalloc -e lat#2", "trace-cmd hist: error: main.dat: no histogram "
					  "\"lat#2\"\n"
					  "hint: run 'trace-cmd hist report --list'\n" },
	{ "main.dat -e kmalloc --snapshot 3",
	  "trace-cmd hist: error: kmem:kmalloc: no snapshot 3: the sequence numbers are 0 to 2\n" },
	{ "main.dat -e kmalloc --at 99.999999",
	  "trace-cmd hist: error: kmem:kmalloc: time 99.999999 is before the first snapshot, which is at "
	  "100.000000\n" },
	{ "main.dat -e kmalloc --between 2,1", "trace-cmd hist: error: kmem:kmalloc: --between 2,1: snapshot "
					       "1 comes before 2\n" },
	{ "main.dat -e kmalloc --between 1,+1.5", "trace-cmd hist: error: kmem:kmalloc: --between 1,+1.5: "
						  "both values select snapshot 1\n" },
	{ "main.dat -e kmalloc --sort x", "trace-cmd hist: error: kmem:kmalloc: --sort x: no field "
					  "\"x\"\nhint: use one of: hitcount, bytes_req, call_site\n" },
	{ "main.dat --at x", "trace-cmd hist: error: --at x: must be a time\n"
			     "hint: use a timestamp in "
			     "seconds with at most 9 decimals, or +SECONDS\n" },
	{ "main.dat --at 1.0000000001", "trace-cmd hist: error: --at 1.0000000001: must be a time\n"
					"hint: use a timestamp in seconds with at most 9 decimals, or +SECONDS\n" },
	{ "main.dat --snapshot 1.5", "trace-cmd hist: error: --snapshot 1.5: must be a "
				     "sequence number or \"all\"\n" },
	{ "main.dat --between 1", "trace-cmd hist: error: --between 1: must be two snapshots A,B\n"
				  "hint: use sequence numbers, or times such as 12.5 or "
				  "+3\n" },
	{ "main.dat --top 0", "trace-cmd hist: error: --top 0: must be a number from 1 to "
			      "4294967295\n" },
	{ "main.dat --view pie", "trace-cmd hist: error: --view pie: unknown value\n"
				 "hint: use one of: table, bars, heatmap, percentiles, summary\n" },
	{ "main.dat --at 1 --intervals", "trace-cmd hist: error: --intervals: cannot be combined "
					 "with --at\n" },
	{ "main.dat --format json --view bars", "trace-cmd hist: error: --format json: does not "
						"support --view bars\n"
						"hint: remove one of these options\n" },
	{ "main.dat --list --top 3", "trace-cmd hist: error: --top: has no effect with --list\n"
				     "hint: remove one of these options\n" },
	{ "main.dat other.dat", "trace-cmd hist: error: other.dat: No such file or directory\n" },
	{ "main.dat --bogus", "trace-cmd hist: error: --bogus: unknown option\n"
			      "hint: run 'trace-cmd hist report --help=all'\n" },
	{ "main.dat --top", "trace-cmd hist: error: --top: needs a value\n"
			    "hint: run 'trace-cmd hist report --help=all'\n" },
	{ "main.dat -o none/x", "trace-cmd hist: error: none/x: No such file or directory\n" },
};

static void test_refusals(void)
{
	size_t i;

	for (i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
		report_run(refusals[i].line);
		report_expect(refusals[i].line, "", refusals[i].err, 2);
	}
}

/* One histogram has what was asked for, others have not. */
static void test_incomplete(void)
{
	report_run("main.dat --snapshot 2");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "# snapshot: 2 of 0-2"));
	CU_ASSERT_PTR_NULL(strstr(report_out, "sched:lat"));
	CU_ASSERT_STRING_EQUAL(report_err, "trace-cmd hist: error: sched:lat#0: no snapshot 2: the "
				    "sequence numbers are 0 to 0\n"
				    "trace-cmd hist: error: sched:lat#1: no snapshot 2: the "
				    "sequence numbers are 0 to 0\n");
	CU_ASSERT_EQUAL(report_status, 2);
	report_run("main.dat --snapshot 2 --format json");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "\"name\": \"sched:lat#1\""));
	CU_ASSERT_EQUAL(report_status, 2);
}

/* Each interval's numbers, added up by key, are those of the report. */
static unsigned long sum_of(const char *key, const char *value)
{
	unsigned long sum = 0;
	char *text = strdup(report_out), *line, *save, *at;

	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		at = strstr(line, key) ? strstr(line, value) : NULL;
		if (at && *line == '{')
			sum += strtoul(at + strlen(value), NULL, 10);
	}
	free(text);
	return sum;
}

static void test_conservation(void)
{
	static const char *const keys[] = { "81000010]", "81000020]", "8100ff00]", "" };
	static const char *const values[] = { "hitcount:", "bytes_req:" };
	unsigned long sums[4][2];
	unsigned int k, v;

	report_run("main.dat -e kmalloc --intervals");
	for (k = 0; k < 4; k++)
		for (v = 0; v < 2; v++)
			sums[k][v] = sum_of(keys[k], values[v]);
	report_run("main.dat -e kmalloc");
	for (k = 0; k < 4; k++)
		for (v = 0; v < 2; v++)
			CU_ASSERT_EQUAL(sums[k][v], sum_of(keys[k], values[v]));
	CU_ASSERT_EQUAL(sums[3][1], 1040);
}

static void test_help(void)
{
	report_run("--help");
	CU_ASSERT_EQUAL(report_status, 0);
	CU_ASSERT_EQUAL(strncmp(report_out, "usage: trace-cmd hist report ", 29), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "Examples:"));
	CU_ASSERT_STRING_EQUAL(report_err, "");
}

UNIT_TESTS_WITH(report_set_up, report_tear_down,
	{ "report prints tables, bars, intervals and the list of histograms", test_prints },
	{ "--at, --snapshot and --between select the right snapshots", test_moments },
	{ "report refuses wrong options and missing files with the reason", test_refusals },
	{ "report shows the histograms that have the snapshot and names the others",
	  test_incomplete },
	{ "the intervals of a report add up to the whole difference, key by key",
	  test_conservation },
	{ "report --help prints the usage and an example", test_help });
