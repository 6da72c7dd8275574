// SPDX-License-Identifier: GPL-2.0
/*
 * output_stream_test.c - `trace-cmd hist report`: JSON, files that are not in
 * order, and where the report goes
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/report/report_run.h"

#define AMBIGUOUS "# note: some names in the hist file are ambiguous, so some rows may be " \
		  "wrong\n"

static const char json_head[] =
	"{\n  \"schema\": \"trace-cmd-hist/1\",\n  \"histograms\": [\n    {\n"
	"      \"event\": \"kmem:kmalloc\",\n      \"name\": \"kmem:kmalloc\",\n"
	"      \"trigger\": \"hist:keys=call_site.sym:vals=bytes_req\",\n"
	"      \"engine\": \"kernel\",\n      \"clock\": \"mono\",\n      \"instance\": \"hist.1\",\n"
	"      \"target\": { \"uname\": \"Linux box 6.12.0-test x86_64\", \"host\": \"box\" },\n"
	"      \"keys\": [\n        { \"name\": \"call_site\", \"modifier\": \"sym\" }\n      ],\n"
	"      \"values\": [ \"hitcount\", \"bytes_req\" ],\n"
	"      \"recorded\": {\n        \"snapshots\": 3,\n        \"first_seq\": 0,\n"
	"        \"last_seq\": 2,\n        \"first_time_ns\": 100000000000,\n"
	"        \"last_time_ns\": 102500000000\n      },\n"
	"      \"snapshots\": [\n";

static const char json_tail[] =
	"      ]\n    }\n  ],\n"
	"  \"damage\": {\n    \"unfinished\": false,\n    \"truncated\": false,\n"
	"    \"bad_sections\": 0,\n    \"lost_snapshots\": 0\n  }\n}\n";

static void test_json(void)
{
	char want[4096];

	snprintf(want, sizeof(want), "%s%s%s", json_head,
		 "        {\n          \"seq\": 2,\n          \"time_ns\": 102500000000,\n"
		 "          \"read_ns\": 13,\n"
		 "          \"from\": { \"seq\": 0, \"time_ns\": 100000000000, \"hits\": 1 },\n"
		 "          \"hits\": 7,\n          \"entries\": 3,\n"
		 "          \"dropped\": 2,\n          \"missed\": 3,\n          \"lost\": 0,\n"
		 "          \"flags\": [],\n          \"total_rows\": 3,\n"
		 "          \"rest\": { \"rows\": 1, \"value\": { \"hitcount\": 1, \"bytes_req\": 1000 } },\n"
		 "          \"rows\": [\n"
		 "            { \"key\": { \"call_site\": \"do_sys_open\" }, \"key_id\": { \"call_site\": "
		 "\"0xffffffff8100ff00\" }, \"value\": { \"hitcount\": 4, \"bytes_req\": 0 } },\n"
		 "            { \"key\": { \"call_site\": \"kfree\" }, \"key_id\": { \"call_site\": "
		 "\"0xffffffff81000010\" }, \"value\": { \"hitcount\": 2, \"bytes_req\": 40 } }\n"
		 "          ]\n        }\n", json_tail);
	report_run("main.dat -e kmalloc --format json --top 2");
	report_expect("json", want, "", 0);

	snprintf(want, sizeof(want), "%s%s%s", json_head,
		 "        {\n          \"seq\": 1,\n          \"time_ns\": 101000000499,\n"
		 "          \"read_ns\": 12,\n"
		 "          \"from\": { \"seq\": 0, \"time_ns\": 100000000000, \"hits\": 1 },\n"
		 "          \"hits\": 4,\n          \"entries\": 2,\n"
		 "          \"dropped\": 0,\n          \"missed\": 1,\n          \"lost\": 0,\n"
		 "          \"flags\": [],\n          \"total_rows\": 1,\n"
		 "          \"rows\": [\n"
		 "            { \"key\": { \"call_site\": \"do_sys_open\" }, \"key_id\": { \"call_site\": "
		 "\"0xffffffff8100ff00\" }, \"value\": { \"hitcount\": 4, \"bytes_req\": 0 } }\n"
		 "          ]\n        }\n", json_tail);
	report_run("main.dat -e kmalloc --format json --between 0,1");
	report_expect("json difference", want, "", 0);

	report_run("main.dat -e sched:lat --format json");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "{ \"key\": { \"lat\": { \"ge\": 257, \"le\": 512 } }, "
					   "\"value\": { \"hitcount\": 8 } },\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "{ \"key\": { \"comm\": \"x\\u001b[2J\" }, "
					   "\"value\": { \"hitcount\": 3 } },\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "\"keys\": [\n        { \"name\": \"lat\", "
					   "\"modifier\": \"log2\" }\n"));

	report_run("main.dat --list --format json -e kmalloc");
	snprintf(want, sizeof(want), "%s%s%s", json_head,
		 "        {\n          \"seq\": 2,\n          \"time_ns\": 102500000000,\n"
		 "          \"read_ns\": 13,\n"
		 "          \"from\": { \"seq\": 0, \"time_ns\": 100000000000, \"hits\": 1 },\n"
		 "          \"hits\": 7,\n          \"entries\": 3,\n"
		 "          \"dropped\": 2,\n          \"missed\": 3,\n          \"lost\": 0,\n"
		 "          \"flags\": []\n        }\n", json_tail);
	report_expect("json list", want, "", 0);
}

/* A cleared histogram, a clock of ticks, an interrupted recording. */
static void test_reset(void)
{
	static const char note[] = "trace-cmd hist: warning: reset.dat: the recording was "
				   "interrupted or is still running\n";

	report_run("reset.dat --intervals");
	report_expect("reset.dat --intervals",
	       "# event histogram: a:b\n#\n# trigger info: hist:keys=pid:size=128\n"
	       "# engine: kernel, clock: counter, instance: hist.1\n"
	       "# host: box, Linux box 6.12.0-test x86_64\n"
	       "# difference: from when the histogram was cleared to snapshot 1 at 2000\n"
	       "# shares: 100 % is the total hitcount, 1\n"
	       "# note: the histogram was cleared during this time: only later hits are counted\n"
	       "#\n"
	       "\n"
	       "{ pid: 3 } hitcount: 1  share: 100.00%  cum: 100.00%\n"
	       "\nTotals:\n    Hits: 1\n    Entries: 1\n    Dropped: 0\n\n"
	       "# event histogram: a:b\n"
	       "# difference: from snapshot 1 at 2000 to snapshot 2 at 3000 (1000 ticks)\n"
	       "# shares: 100 % is the total hitcount, 4\n#\n\n"
	       "{ pid: 3 } hitcount: 4  share: 100.00%  cum: 100.00%\n"
	       "\nTotals:\n    Hits: 4\n    Entries: 1\n    Dropped: 0\n\n"
	       "# note: the recording was interrupted or is still running\n", note, 0);

	report_run("reset.dat --between 0,2 --format json");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "\"time_ns\": null,\n          \"time_ticks\": 3000,\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "\"from\": null,\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "\"flags\": [ \"reset\" ],\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "{ \"key\": { \"pid\": 3 }, \"value\": { \"hitcount\": 5 } }\n"));
	CU_ASSERT_PTR_NULL(strstr(report_out, "\"pid\": 1 "));
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "\"unfinished\": true,\n"));
	CU_ASSERT_STRING_EQUAL(report_err, note);
	CU_ASSERT_EQUAL(report_status, 0);

	report_run("reset.dat --at 2500 --format json");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "\"seq\": 1,\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "\"flags\": [ \"reset\" ],\n"));
	report_run("reset.dat --at 2500.5");
	report_expect("reset.dat --at 2500.5", "", "trace-cmd hist: error: a:b: 2500.5: the clock "
	       "\"counter\" is not in nanoseconds, so a time in seconds cannot be used\n"
	       "hint: use a whole number in units of this clock\n", 2);
}

/* Snapshots that are not there, and one that cannot be trusted. */
static void test_gap(void)
{
	report_run("gap.dat --intervals");
	report_expect("gap.dat --intervals",
	       "# event histogram: a:b\n#\n# trigger info: hist:keys=pid:size=128\n"
	       "# engine: kernel, clock: counter, instance: hist.1\n"
	       "# host: box, Linux box 6.12.0-test x86_64\n"
	       "# difference: from snapshot 0 at 1000 to snapshot 1 at 2000 (1000 ticks)\n"
	       "# set-up: 2 hits before snapshot 0 are left out\n"
	       "# shares: 100 % is the total hitcount, 5\n" AMBIGUOUS "#\n\n"
	       "{ pid: 1 } hitcount: 5  share: 100.00%  cum: 100.00%\n"
	       "\nTotals:\n    Hits: 5\n    Entries: 1\n    Dropped: 0\n\n"
	       "# event histogram: a:b\n"
	       "# difference: from when the histogram was cleared to snapshot 3 at 3000\n"
	       "# shares: 100 % is the total hitcount, 3\n"
	       "# note: the histogram was cleared during this time: only later hits are counted\n"
	       "# note: 1 snapshot during this time is missing in the file or damaged\n#\n\n"
	       "{ pid: 1 } hitcount: 3  share: 100.00%  cum: 100.00%\n"
	       "\nTotals:\n    Hits: 3\n    Entries: 1\n    Dropped: 0\n\n"
	       "# note: 1 snapshot lost to damage\n",
	       "trace-cmd hist: error: gap.dat: damaged: 1 snapshot lost to damage\n", 2);
}

static long copy_file(const char *from, const char *to, long len, long flip)
{
	FILE *in = fopen(from, "r"), *file = fopen(to, "w");
	long n;
	int c;

	for (n = 0; (len < 0 || n < len) && (c = getc(in)) != EOF; n++)
		putc(n == flip ? c ^ 0x55 : c, file);
	fclose(in);
	fclose(file);
	return n;
}

/* The offset of the body of the @nth record of ours; see trace-cmd-hist.dat(5). */
static long record_body(const char *path, int nth)
{
	FILE *f = fopen(path, "r");
	static char text[1 << 20];
	size_t len = fread(text, 1, sizeof(text), f);
	const char *at = text;

	fclose(f);
	for (;; at++) {
		at = memmem(at, text + len - at, "HREC", 4);
		if (!at || !nth--)
			break;
	}
	return at ? at - text + 40 : -1;
}

static void test_damage(void)
{
	long size = copy_file("reset.dat", "cut.dat", -1, -1);

	/* definition, then snapshots 0, 1, 2: one changed bit in 2 */
	copy_file("reset.dat", "bad.dat", -1, record_body("reset.dat", 3));
	report_run("bad.dat --snapshot all --format json");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "\"seq\": 1,\n"));
	CU_ASSERT_PTR_NULL(strstr(report_out, "\"seq\": 2,\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "\"bad_sections\": 1,\n    \"lost_snapshots\": 1\n"));
	CU_ASSERT_STRING_EQUAL(report_err, "trace-cmd hist: error: bad.dat: damaged: the recording "
				    "was interrupted or is still running; 1 damaged section; 1 "
				    "snapshot lost to damage\n");
	CU_ASSERT_EQUAL(report_status, 2);

	report_run("bad.dat");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "# difference: from when the histogram was cleared to snapshot 1 at "));
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "\n"
					   "\n"
					   "# note: the recording was interrupted or is still "
					   "running; 1 damaged section; 1 snapshot lost to "
					   "damage\n"));
	CU_ASSERT_EQUAL(report_status, 2);
	report_run("bad.dat --snapshot 2");
	report_expect("bad.dat --snapshot 2", "", "trace-cmd hist: error: a:b: snapshot 2 is damaged or missing\n", 2);

	/* in the first one: the last is all there, and damage is told all the same */
	copy_file("reset.dat", "first.dat", -1, record_body("reset.dat", 1));
	report_run("first.dat --format json");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "\"seq\": 2,\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "\"bad_sections\": 1,\n    \"lost_snapshots\": 1\n"));
	CU_ASSERT_STRING_EQUAL(report_err, "trace-cmd hist: error: first.dat: damaged: the "
				    "recording was interrupted or is still running; 1 damaged "
				    "section; 1 snapshot lost to damage\n");
	CU_ASSERT_EQUAL(report_status, 2);
	report_run("first.dat --list");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "; 1 damaged section; 1 snapshot lost to "
						  "damage\n"));
	CU_ASSERT_EQUAL(report_status, 2);
	/* a walk over it counts nothing again */
	report_run("first.dat --snapshot all --format json");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "\"bad_sections\": 1,\n    \"lost_snapshots\": 1\n"));

	CU_ASSERT_EQUAL(unlink("first.dat"), 0);

	/* cut in the last snapshot: what is before is shown, and it is no damage */
	copy_file("reset.dat", "cut.dat", size - 3, -1);
	report_run("cut.dat --format json");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "\"seq\": 1,\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "\"truncated\": true,\n"));
	CU_ASSERT_STRING_EQUAL(report_err, "trace-cmd hist: warning: cut.dat: the file is "
					   "truncated\n");
	CU_ASSERT_EQUAL(report_status, 0);
}

static void test_output(void)
{
	static const char old[] = "old\n";
	struct rlimit large, small;
	struct stat st;
	FILE *f = fopen("report.txt", "w");
	char *first, *text;
	int fds[2];

	CU_ASSERT_EQUAL(getrlimit(RLIMIT_FSIZE, &large), 0);
	small = large;
	small.rlim_cur = 1000;
	fputs(old, f);
	fclose(f);
	CU_ASSERT_EQUAL(symlink("report.txt", "link"), 0);

	/* a report that cannot be leaves the file alone */
	report_run("main.dat -o report.txt --snapshot 9");
	CU_ASSERT_EQUAL(report_status, 2);
	text = report_slurp("report.txt");
	CU_ASSERT_STRING_EQUAL(text, old);
	free(text);

	report_run("main.dat");
	first = strdup(report_out);
	report_run("main.dat -o link");
	report_expect("main.dat -o link", "", "", 0);
	text = report_slurp("report.txt");
	CU_ASSERT_STRING_EQUAL(text, first);
	CU_ASSERT(!lstat("link", &st) && S_ISLNK(st.st_mode));
	free(text);

	/* a disk that is full in the middle leaves the old file, and nothing else */
	signal(SIGXFSZ, SIG_IGN);
	CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &small), 0);
	report_run("main.dat -o report.txt --format json");
	CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &large), 0);
	signal(SIGXFSZ, SIG_DFL);
	report_expect("full", "", "trace-cmd hist: error: report.txt: File too large\n", 2);
	text = report_slurp("report.txt");
	CU_ASSERT_STRING_EQUAL(text, first);
	free(text);
	free(first);
	CU_ASSERT_EQUAL(system("test -z \"$(ls report.txt.* 2>/dev/null)\""), 0);

	report_run("main.dat -o /dev/full");
	report_expect("main.dat -o /dev/full", "", "trace-cmd hist: error: /dev/full: No space left on device\n", 2);
	report_run_to("main.dat --format json", "C", open("/dev/full", O_WRONLY | O_CLOEXEC));
	report_expect("json to /dev/full", "",
	       "trace-cmd hist: error: standard output: No space left on device\n", 2);

	/* a reader that has gone */
	CU_ASSERT_EQUAL(pipe(fds), 0);
	close(fds[0]);
	report_run_to("main.dat", "C", fds[1]);
	report_expect("main.dat | true", "", "", -SIGPIPE);
	signal(SIGPIPE, SIG_IGN);
	report_run_to("main.dat", "C", fds[1]);
	report_expect("main.dat | true", "", "", 0);
	signal(SIGPIPE, SIG_DFL);
	close(fds[1]);
}

UNIT_TESTS_WITH(report_set_up, report_tear_down,
	{ "report writes rows, differences and the list of histograms as JSON", test_json },
	{ "report counts from the clearing if the histogram was cleared", test_reset },
	{ "report --intervals notes a missing snapshot and ambiguous names", test_gap },
	{ "report shows the intact snapshots of a damaged or truncated file and names the damage",
	  test_damage },
	{ "report -o replaces a file only with a complete report", test_output });
