// SPDX-License-Identifier: GPL-2.0
/*
 * report_views_test.c - groups of bars, call trees and heat maps, as whole reports
 *
 * map.dat: a latency by task in six snapshots, with snapshot 3 missing, 2 that were
 * due before 1, hits dropped in 4 and a clearing before 5; the calls of tasks
 * with hostile names; stacks of two tasks; and a histogram without a sum.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/report/report_fixture.h"
#include "utest/unit/tracecmd/report/report_run.h"

#define SEC 1000000000ull

static const char wait_trigger[] = "hist:keys=next_comm,lat_us.log2:vals=hitcount";
static const char calls_trigger[] = "hist:keys=comm";
static const char stack_trigger[] = "hist:keys=common_pid,stacktrace";
static const char gap_trigger[] = "hist:keys=rwbs,lat_us.log2";
static const char many_trigger[] = "hist:keys=pid,lat_us.log2";
static const char path_trigger[] = "hist:keys=stacktrace,lat_us.log2";
static const char percent_trigger[] = "hist:keys=pid:vals=n.percent:nohitcount";

/* Snapshot 3 is not there. */
#define DAMAGED "trace-cmd hist: error: map.dat: damaged: 1 snapshot lost to damage\n"

static int add(struct report_fixture *f, int hist, const struct hist_snapshot *snap,
	       const char *trigger, const char *rows, unsigned int hits, unsigned int entries,
	       unsigned int dropped)
{
	char text[4096];
	int len;

	len = snprintf(text, sizeof(text),
		       "# event histogram\n#\n# trigger info: %s [active]\n#\n\n%s\nTotals:\n"
		       "    Hits: %u\n    Entries: %u\n    Dropped: %u\n", trigger, rows, hits,
		       entries, dropped);
	return report_fixture_add(f, hist, snap, text, len);
}

/* Counts of rcu in 2^5 and 2^8, sh in 2^0, x in 2^11. */
static const struct wait {
	struct hist_snapshot snap;
	unsigned int counts[4], dropped;
} waits[] = {
	{ { .seq = 0, .time = 100 * SEC }, { 3, 1, 0, 0 }, 0 },
	{ { .seq = 1, .time = 101 * SEC, .missed = 2 }, { 13, 1, 1, 0 }, 0 },
	{ { .seq = 2, .time = 102 * SEC, .missed = 2 }, { 113, 11, 1, 0 }, 0 },
	{ { .seq = 4, .time = 104 * SEC, .missed = 2 }, { 113, 11, 2, 5 }, 7 },
	{ { .seq = 5, .time = 105 * SEC, .missed = 2, .flags = HIST_SNAP_RESET }, { 0, 0, 4, 0 }, 0 },
	{ { .seq = 6, .time = 106 * SEC, .missed = 2 }, { 1000, 0, 4, 0 }, 0 },
};

static int add_wait(struct report_fixture *f, const struct wait *w)
{
	static const char *const keys[] = { "rcu", "rcu", "sh", "x\x1b[2J" };
	static const unsigned int powers[] = { 5, 8, 0, 11 };
	unsigned int i, hits = 0, n = 0;
	char text[2048] = "";
	size_t at = 0;

	for (i = 0; i < 4; i++) {
		hits += w->counts[i];
		n += w->counts[i] != 0;
		if (w->counts[i])
			at += snprintf(text + at, sizeof(text) - at,
				       "{ next_comm: %-50s, lat_us: ~ 2^%-2u } hitcount: %10u\n",
				       keys[i], powers[i], w->counts[i]);
	}
	return add(f, 0, &w->snap, wait_trigger, text, hits, n, w->dropped);
}

static int add_calls(struct report_fixture *f, const struct hist_snapshot *snap, unsigned int n)
{
	char text[2048];

	snprintf(text, sizeof(text), "{ comm: %-50s } hitcount: %10u\n"
		 "{ comm: %-50s } hitcount: %10u\n{ comm: %-50s } hitcount: %10u\n",
		 "a\x1b[2J\xff", n, "\303\274ber", 2 * n, "a_name_of_some_length_that_has_no_place", 3);
	return add(f, 1, snap, calls_trigger, text, 3 * n + 3, 3, 0);
}

#define FRAME(name) "         " name "+0x12/0x40\n"

static const char stacks[] =
	"{ common_pid:          7, common_stacktrace:\n"
	FRAME("inner") FRAME("left") FRAME("main_loop") FRAME("entry")
	"} hitcount:          6\n"
	"{ common_pid:          7, common_stacktrace:\n"
	FRAME("right") FRAME("main_loop") FRAME("entry")
	"} hitcount:          3\n"
	"{ common_pid:          7, common_stacktrace:\n"
	FRAME("main_loop") FRAME("entry")
	"} hitcount:          1\n"
	"{ common_pid:          8, common_stacktrace:\n"
	FRAME("start\x1b") FRAME("entry")
	"} hitcount:         10\n";

#define MANY 1100

/* In the second snapshot each of many tasks has one hit more, and the first has ten. */
static int add_many(struct report_fixture *f, int hist)
{
	struct hist_snapshot snap = { .time = 100 * SEC };
	unsigned int i, hits;
	char *text;
	size_t len;
	FILE *out;
	int ret = 0;

	for (snap.seq = 0; snap.seq < 2 && !ret; snap.seq++, snap.time += SEC) {
		out = open_memstream(&text, &len);
		if (!out)
			return -1;
		hits = MANY * (1 + snap.seq) + 9 * snap.seq;
		fprintf(out, "# event histogram\n#\n# trigger info: %s [active]\n#\n\n", many_trigger);
		for (i = 0; i < MANY; i++)
			fprintf(out, "{ pid: %10u, lat_us: ~ 2^%-2u } hitcount: %10u\n", 1 + i, i % 8,
				1 + snap.seq * (i ? 1 : 10));
		fprintf(out, "\nTotals:\n    Hits: %u\n    Entries: %u\n    Dropped: 0\n", hits, MANY);
		fclose(out);
		ret = report_fixture_add(f, hist, &snap, text, len);
		free(text);
	}
	return ret;
}

#define RA_PADDED "RA                                                " /* a string fills 50 columns */

/* What has nothing, or what makes lines too wide. */
static int add_extremes(struct report_fixture *f)
{
	struct hist_snapshot snap = { .time = 100 * SEC }, next = { .seq = 1, .time = 101 * SEC };
	static const char path[] = "{ common_stacktrace:\n"
		FRAME("a_function_with_a_long_name") FRAME("and_its_caller_that_is_no_shorter")
		FRAME("entry") ", lat_us: ~ 2^3 } hitcount:          %u\n";
	char first[512], second[512];

	snprintf(first, sizeof(first), path, 1);
	snprintf(second, sizeof(second), path, 3);
	return report_fixture_define(f, "a:gaps", gap_trigger, "mono", NULL) != 4 ||
	       report_fixture_define(f, "a:many", many_trigger, "mono", NULL) != 5 ||
	       report_fixture_define(f, "a:nothing", wait_trigger, "mono", NULL) != 6 ||
	       report_fixture_define(f, "a:path", path_trigger, "mono", NULL) != 7 ||
	       add(f, 4, &snap, gap_trigger, "{ rwbs: " RA_PADDED ", lat_us: ~ 2^9  } hitcount:          2\n"
		   "{ rwbs: " RA_PADDED ", lat_us: ~ 2^12 } hitcount:          1\n", 3, 2, 0) ||
	       add_many(f, 5) || add(f, 6, &snap, wait_trigger, "", 0, 0, 0) ||
	       add(f, 6, &next, wait_trigger, "", 0, 0, 0) ||
	       add(f, 7, &snap, path_trigger, first, 1, 1, 0) ||
	       add(f, 7, &next, path_trigger, second, 3, 1, 0);
}

static int make(void)
{
	struct report_fixture *f = report_fixture_new("map.dat", HIST_COMPRESS_NONE);
	struct hist_snapshot snap = { .time = 100 * SEC };
	unsigned int i;

	if (!f || report_fixture_define(f, "latency:wait", wait_trigger, "mono", NULL) != 0 ||
	    report_fixture_define(f, "a:calls", calls_trigger, "mono", NULL) != 1 ||
	    report_fixture_define(f, "a:stacks", stack_trigger, "mono", NULL) != 2 ||
	    report_fixture_define(f, "a:percent", percent_trigger, "mono", NULL) != 3)
		return -1;
	for (i = 0; i < sizeof(waits) / sizeof(*waits); i++)
		if (add_wait(f, &waits[i]))
			return -1;
	if (add(f, 2, &snap, stack_trigger, stacks, 20, 4, 0) ||
	    add(f, 3, &snap, percent_trigger, "{ pid:          7 } n (%): 100.00\n", 1, 1, 0))
		return -1;
	for (i = 0; i < 300; i++) {
		snap = (struct hist_snapshot){ .seq = i, .time = (100 + i) * SEC };
		if (add_calls(f, &snap, 1 + i * (1 + i / 100)))
			return -1;
	}
	return add_extremes(f) || report_fixture_close(f, 1);
}

static int set_up(void)
{
	return report_set_up() || make();
}

static int tear_down(void)
{
	return unlink("map.dat") || report_tear_down();
}

/*
 * What stands behind the description of the machine, and before the note about the file:
 * a snapshot is missing in it, which is told whatever is shown of it.
 */
static const struct {
	const char *line, *locale, *out;
} prints[] = {
	{ "map.dat -e wait --snapshot 4 --view bars", "C.UTF-8",
	  "# snapshot: 4 of 0-6 at 104.000000\n"
	  "# shares: 100 % is the total hitcount, 131\n"
	  "# note: 2 snapshots before this one were due but not taken\n"
	  "#\n"
	  "\n"
	  "        lat_us  hitcount    share\n"
	  "next_comm: rcu  124  94.66%\n"
	  "      17-32 us       113   86.26% |█████████████████████████████████████\n"
	  "      33-64 us         0    0.00% |\n"
	  "     65-128 us         0    0.00% |\n"
	  "    129-256 us        11    8.40% |███▌\n"
	  "\n"
	  "next_comm: x\\x1b[2J  5   3.82%\n"
	  "  1.03-2.05 ms         5    3.82% |█▋\n"
	  "\n"
	  "next_comm: sh  2   1.53%\n"
	  "        0-1 us         2    1.53% |▋\n"
	  "\n"
	  "Totals:\n"
	  "    Hits: 131\n"
	  "    Entries: 4\n"
	  "    Dropped: 7  (not in any row: the table was full)\n"
	  "hint: record fewer distinct keys, or use -R with a larger size=\n" },
	{ "map.dat -e wait --snapshot 4 --view bars --top 1", "C",
	  "# snapshot: 4 of 0-6 at 104.000000\n"
	  "# shares: 100 % is the total hitcount, 131\n"
	  "# note: 2 snapshots before this one were due but not taken\n"
	  "#\n"
	  "\n"
	  "        lat_us  hitcount    share\n"
	  "next_comm: rcu  124  94.66%\n"
	  "      17-32 us       113   86.26% |#####################################\n"
	  "      33-64 us         0    0.00% |\n"
	  "     65-128 us         0    0.00% |\n"
	  "    129-256 us        11    8.40% |####\n"
	  "\n"
	  "2 more groups  7   5.34%\n"
	  "\n"
	  "Totals:\n"
	  "    Hits: 131\n"
	  "    Entries: 4\n"
	  "    Dropped: 7  (not in any row: the table was full)\n"
	  "hint: record fewer distinct keys, or use -R with a larger size=\n" },
	{ "map.dat -e wait --snapshot 1 --view bars --color always", "C.UTF-8",
	  "# snapshot: 1 of 0-6 at 101.000000\n"
	  "# shares: 100 % is the total hitcount, 15\n"
	  "\033[38;5;130m# note: 2 snapshots before this one were due but not taken\033[0m\n"
	  "#\n"
	  "\n"
	  "      lat_us  hitcount    share\n"
	  "next_comm: rcu  14  93.33%\n"
	  "    17-32 us        13   86.67% |\033[38;5;32m███████████████████████████████████████\033[0m\n"
	  "    33-64 us         0    0.00% |\n"
	  "   65-128 us         0    0.00% |\n"
	  "  129-256 us         1    6.67% |\033[38;5;32m███\033[0m\n"
	  "\n"
	  "next_comm: sh  1   6.67%\n"
	  "      0-1 us         1    6.67% |\033[38;5;32m███\033[0m\n"
	  "\n"
	  "Totals:\n"
	  "    Hits: 15\n"
	  "    Entries: 3\n"
	  "    Dropped: 0\n" },
	{ "map.dat -e stacks --view bars", "C.UTF-8",
	  "# snapshot: 0 of 0-0 at 100.000000\n"
	  "# set-up: included, because there is only one snapshot (0)\n"
	  "# shares: 100 % is the total hitcount, 20\n"
	  "#\n"
	  "\n"
	  "  hitcount    share\n"
	  "        10   50.00%  7\n"
	  "        10   50.00%    entry\n"
	  "                       main_loop\n"
	  "         6   30.00%      left\n"
	  "                         inner\n"
	  "         3   15.00%      right\n"
	  "        10   50.00%  8\n"
	  "        10   50.00%    entry\n"
	  "                       start\\x1b\n"
	  "\n"
	  "Totals:\n"
	  "    Hits: 20\n"
	  "    Entries: 4\n"
	  "    Dropped: 0\n" },
	{ "map.dat -e stacks --view bars --top 2 --color never", "C",
	  "# snapshot: 0 of 0-0 at 100.000000\n"
	  "# set-up: included, because there is only one snapshot (0)\n"
	  "# shares: 100 % is the total hitcount, 20\n"
	  "#\n"
	  "\n"
	  "  hitcount    share\n"
	  "        10   50.00%  8\n"
	  "        10   50.00%    entry\n"
	  "                       start\\x1b\n"
	  "         6   30.00%  7\n"
	  "         6   30.00%    entry\n"
	  "                       main_loop\n"
	  "                       left\n"
	  "                       inner\n"
	  "         4   20.00%  (2 more stacks)\n"
	  "\n"
	  "Totals:\n"
	  "    Hits: 20\n"
	  "    Entries: 4\n"
	  "    Dropped: 0\n" },
	{ "map.dat -e wait --view heatmap", "C.UTF-8",
	  "# heat map: snapshots 0 to 6, from 100.000000 to 106.000000 (6.000000 s)\n"
	  "# columns: 5, one per interval\n"
	  "# set-up: 4 hits before snapshot 0 are left out\n"
	  "# scale: hitcount per second, from:  ░ 0.5  ▒ 3.3  ▓ 22.4  █ 150\n"
	  "# note: the histogram was cleared: earlier hits in the marked columns are lost\n"
	  "# note: snapshots missing in the marked columns: 3 (not taken, not in the file, or "
	  "damaged)\n"
	  "# note: hits dropped in the marked columns: 7 (the table was full)\n# hint: record fewer "
	  "distinct keys, or use -R with a larger size=\n"
	  "#\n"
	  "\n"
	  "next_comm: rcu  1120  99.03%\n"
	  "      lat_us |                                        | hitcount\n"
	  "    17-32 us |▒▒▒▒▒▒▒▒▓▓▓▓▓▓▓▓                ████████|     1110\n"
	  "    33-64 us |                                        |        0\n"
	  "   65-128 us |                                        |        0\n"
	  "  129-256 us |        ▒▒▒▒▒▒▒▒                        |       10\n"
	  "     cleared |                        ^^^^^^^^        |\n"
	  "     missing |^^^^^^^^        ^^^^^^^^                |\n"
	  "     dropped |                ^^^^^^^^                |\n"
	  "              '0 s            '2 s            '5 s\n"
	  "\n"
	  "next_comm: sh  6   0.53%\n"
	  "   lat_us |                                        | hitcount\n"
	  "   0-1 us |░░░░░░░░        ░░░░░░░░▒▒▒▒▒▒▒▒        |        6\n"
	  "  cleared |                        ^^^^^^^^        |\n"
	  "  missing |^^^^^^^^        ^^^^^^^^                |\n"
	  "  dropped |                ^^^^^^^^                |\n"
	  "           '0 s            '2 s            '5 s\n"
	  "\n"
	  "next_comm: x\\x1b[2J  5   0.44%\n"
	  "        lat_us |                                        | hitcount\n"
	  "  1.03-2.05 ms |                ░░░░░░░░                |        5\n"
	  "       cleared |                        ^^^^^^^^        |\n"
	  "       missing |^^^^^^^^        ^^^^^^^^                |\n"
	  "       dropped |                ^^^^^^^^                |\n"
	  "                '0 s            '2 s            '5 s\n" },
	{ "map.dat -e wait --view heatmap --between 1,4 --top 1", "C",
	  "# heat map: snapshots 1 to 4, from 101.000000 to 104.000000 (3.000000 s)\n"
	  "# columns: 2, one per interval\n"
	  "# scale: hitcount per second, from:  . 10.0  : 12.9  - 16.7  = 21.5  + 27.8  * 35.9  # 46.4  % 59.9  @ 77.4\n"
	  "# note: the largest of 3 groups: the other groups have 6 in total\n"
	  "# note: snapshots missing in the marked columns: 1 (not taken, not in the file, or "
	  "damaged)\n"
	  "# note: hits dropped in the marked columns: 7 (the table was full)\n# hint: record fewer "
	  "distinct keys, or use -R with a larger size=\n"
	  "#\n"
	  "\n"
	  "next_comm: rcu  110  94.83%\n"
	  "      lat_us |                | hitcount\n"
	  "    17-32 us |@@@@@@@@        |      100\n"
	  "    33-64 us |                |        0\n"
	  "   65-128 us |                |        0\n"
	  "  129-256 us |........        |       10\n"
	  "     missing |        ^^^^^^^^|\n"
	  "     dropped |        ^^^^^^^^|\n"
	  "              '0 s\n" },
	{ "map.dat -e wait --view heatmap --between 0,2 --color always", "C",
	  "# heat map: snapshots 0 to 2, from 100.000000 to 102.000000 (2.000000 s)\n"
	  "# columns: 2, one per interval\n"
	  "# scale: hitcount per second, from:  \033[38;5;231;48;5;60m.\033[0m 1.0  \033[38;5;231;48;5;61m:\033[0m 1.7  \033[38;5;231;48;5;62m-\033[0m 2.8  \033[38;5;231;48;5;97m=\033[0m 4.6  \033[38;5;16;48;5;133m+\033[0m 7.7  \033[38;5;16;48;5;168m*\033[0m 12.9  \033[38;5;16;48;5;167m#\033[0m 21.5  \033[38;5;16;48;5;196m%\033[0m 35.9  \033[38;5;16;48;5;202m@\033[0m 59.9\n"
	  "\033[38;5;130m# note: snapshots missing in the marked columns: 2 (not taken, not in the file, "
	  "or damaged)\033[0m\n"
	  "#\n"
	  "\n"
	  "next_comm: rcu  120  99.17%\n"
	  "      lat_us |                | hitcount\n"
	  "    17-32 us |\033[38;5;16;48;5;133m++++++++\033[0m\033[38;5;16;48;5;202m@@@@@@@@\033[0m|      110\n"
	  "    33-64 us |                |        0\n"
	  "   65-128 us |                |        0\n"
	  "  129-256 us |        \033[38;5;16;48;5;133m++++++++\033[0m|       10\n"
	  "\033[38;5;130m     missing |^^^^^^^^        |\033[0m\n"
	  "              '0 s\n"
	  "\n"
	  "next_comm: sh  1   0.83%\n"
	  "   lat_us |                | hitcount\n"
	  "   0-1 us |\033[38;5;231;48;5;60m........\033[0m        |        1\n"
	  "\033[38;5;130m  missing |^^^^^^^^        |\033[0m\n"
	  "           '0 s\n" },
	{ "map.dat -e calls --view heatmap --top 2", "C",
	  "# heat map: snapshots 0 to 299, from 100.000000 to 399.000000 (299.000000 s)\n"
	  "# columns: 38, one per 8 intervals, because the output line is too short\n"
	  "# set-up: 6 hits before snapshot 0 are left out\n"
	  "# scale: hitcount per second, from:  . 1.0  : 1.6  - 2.4  = 3.8  + 5.9  * 9.2  # 14.3  % 22.3  @ 34.7\n"
	  "#\n"
	  "\n"
	  "  comm         |                                      | hitcount\n"
	  "  \\u00fcber    |::::::::::::%===========@+++++++++++++|     1794\n"
	  "  a\\x1b[2J\\xff |............*:::::::::::%-------------|      897\n"
	  "                '0 s        '96 s       '192 s\n" },
	{ "map.dat -e calls --view heatmap", "C.UTF-8",
	  "# heat map: snapshots 0 to 299, from 100.000000 to 399.000000 (299.000000 s)\n"
	  "# columns: 38, one per 8 intervals, because the output line is too short\n"
	  "# set-up: 6 hits before snapshot 0 are left out\n"
	  "# scale: hitcount per second, from:  ░ 1.0  ▒ 2.7  ▓ 7.3  █ 19.9\n"
	  "#\n"
	  "\n"
	  "  comm         |                                      | hitcount\n"
	  "  über         |░░░░░░░░░░░░█▒▒▒▒▒▒▒▒▒▒▒█▒▒▒▒▒▒▒▒▒▒▒▒▒|     1794\n"
	  "  a\\x1b[2J\\xff |░░░░░░░░░░░░▓░░░░░░░░░░░█▒▒▒▒▒▒▒▒▒▒▒▒▒|      897\n"
	  "                '0 s        '96 s       '192 s\n" },
	{ "map.dat -e gaps --view bars", "C.UTF-8",
	  "# snapshot: 0 of 0-0 at 100.000000\n"
	  "# set-up: included, because there is only one snapshot (0)\n"
	  "# shares: 100 % is the total hitcount, 3\n"
	  "#\n"
	  "\n"
	  "          lat_us  hitcount    share\n"
	  "rwbs: RA  3 100.00%\n"
	  "      257-512 us         2   66.67% |███████████████████████████████████\n"
	  "  513 us-1.02 ms         0    0.00% |\n"
	  "    1.03-2.05 ms         0    0.00% |\n"
	  "     2.05-4.1 ms         1   33.33% |█████████████████▌\n"
	  "\n"
	  "Totals:\n"
	  "    Hits: 3\n"
	  "    Entries: 2\n"
	  "    Dropped: 0\n" },
	{ "map.dat -e many --view heatmap --top 1", "C",
	  "# heat map: snapshots 0 to 1, from 100.000000 to 101.000000 (1.000000 s)\n"
	  "# columns: 1, one per interval\n"
	  "# set-up: 1100 hits before snapshot 0 are left out\n"
	  "# scale: hitcount per second, from:  @ 10.0\n"
	  "# note: the largest of 1024 groups: the other groups have 1023 in total\n"
	  "# note: a total of 76 is in groups that are not shown: they appeared after the limit of "
	  "groups was reached\n"
	  "#\n"
	  "\n"
	  "pid: 1  10   0.90%\n"
	  "   lat_us |        | hitcount\n"
	  "   0-1 us |@@@@@@@@|       10\n"
	  "           '0 s\n" },
	{ "map.dat -e nothing --view heatmap", "C",
	  "# heat map: snapshots 0 to 1, from 100.000000 to 101.000000 (1.000000 s)\n"
	  "# columns: 1, one per interval\n"
	  "# scale: hitcount per second, from: nothing was counted\n"
	  "#\n"
	  "\n"
	  "   lat_us |        | hitcount\n"
	  "           '0 s\n" },
	{ "map.dat -e nothing --view bars", "C",
	  "# difference: from snapshot 0 at 100.000000 to snapshot 1 at 101.000000 "
	  "(1.000000 s)\n#\n\n\n"
	  "Totals:\n    Hits: 0\n    Entries: 0\n    Dropped: 0\n" },
	{ "map.dat -e nothing --view percentiles", "C",
	  "# difference: from snapshot 0 at 100.000000 to snapshot 1 at 101.000000 "
	  "(1.000000 s)\n#\n\n\n"
	  "Totals:\n    Hits: 0\n    Entries: 0\n    Dropped: 0\n" },
	{ "map.dat -e path --view heatmap", "C.UTF-8",
	  "# heat map: snapshots 0 to 1, from 100.000000 to 101.000000 (1.000000 s)\n"
	  "# columns: 1, one per interval\n"
	  "# set-up: 1 hit before snapshot 0 is left out\n"
	  "# scale: hitcount per second, from:  █ 2.0\n"
	  "#\n"
	  "\n"
	  "a_function_with_a_long_name <- and_its_caller_that_is_no_sho…  2 100.00%\n"
	  "   lat_us |        | hitcount\n"
	  "   5-8 us |████████|        2\n"
	  "           '0 s\n" },
};

static void test_prints(void)
{
	const char *at;
	char *want;
	size_t i;

	for (i = 0; i < sizeof(prints) / sizeof(*prints); i++) {
		report_run_to(prints[i].line, prints[i].locale, -1);
		at = strstr(report_out, "x86_64\n");
		at = at ? at + 7 : report_out;
		CU_ASSERT_FATAL(asprintf(&want, "%s\n# note: 1 snapshot lost to damage\n",
					 prints[i].out) > 0);
		if (strcmp(at, want))
			fprintf(stderr, "\nreport %s\n%s%s", prints[i].line, report_out, report_err);
		CU_ASSERT_STRING_EQUAL(at, want);
		CU_ASSERT_STRING_EQUAL(report_err, DAMAGED);
		CU_ASSERT_EQUAL(report_status, 2);
		free(want);
	}
}

static void test_one(void)
{
	static const char *const cases[][2] = {
		{ "map.dat -e stacks --view bars --top 3", "(1 more stack)\n" },
		{ "map.dat -e wait --snapshot 4 --view bars --top 2", "\n1 more group  " },
		{ "map.dat -e wait --view heatmap --between 1,4 --top 2",
		  "\n# note: the 2 largest of 3 groups: the other group has " },
	};
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		report_run(cases[i][0]);
		if (!strstr(report_out, cases[i][1]))
			fprintf(stderr, "\nreport %s\n%s%s", cases[i][0], report_out, report_err);
		CU_ASSERT_PTR_NOT_NULL(strstr(report_out, cases[i][1]));
	}
}

/* In no width does a line of a map or a tree leave the terminal, and none is cut to nothing. */
static void test_widths(void)
{
	static const char *const lines[] = {
		"map.dat -e wait --view heatmap", "map.dat -e calls --view heatmap",
		"map.dat -e stacks --view bars", "map.dat -e wait --snapshot 4 --view bars",
		"map.dat -e path --view heatmap",
	};
	static const char *const widths[] = { "40", "80", "200" };
	unsigned int l, w, columns;
	const char *at;

	for (l = 0; l < sizeof(lines) / sizeof(*lines); l++) {
		for (w = 0; w < 3; w++) {
			report_columns = widths[w];
			report_run(lines[l]);
			CU_ASSERT_EQUAL(report_status, 2);
			for (at = report_out, columns = 0; *at; at++) {
				/* what is no picture may be longer */
				if (*at == '\n' || (!columns && (*at == '#' || !strncmp(at, "    D", 5) ||
								   !strncmp(at, "hint: ", 6)))) {
					at = strchr(at, '\n');
					columns = 0;
				} else if ((*at & 0xc0) != 0x80) {
					columns++;
				}
				if (columns > (unsigned int)atoi(widths[w])) {
					fprintf(stderr, "\n%s at %s:\n%s", lines[l], widths[w], report_out);
					CU_FAIL("a line is too long");
					break;
				}
			}
		}
	}
	report_columns = NULL;
}

static void test_refusals(void)
{
	report_run("map.dat --view heatmap --snapshot 1");
	report_expect("--snapshot", "", "trace-cmd hist: error: --snapshot: has no effect with "
		      "--view heatmap, which shows intervals\n"
		      "hint: use --between\n", 2);
	report_run("map.dat --view heatmap -e a:percent");
	report_expect("percent", "", "trace-cmd hist: error: a:percent: a heat map needs the hit "
		      "count or the sum of a field\n"
		      "hint: record without nohitcount\n", 2);
	report_run("map.dat --view heatmap -e wait --sort next_comm");
	report_expect("sort", "", "trace-cmd hist: error: latency:wait: --sort next_comm: the rows "
		      "of a heat map cannot be sorted\n"
		      "hint: use --sort only to select the value that the heat map shows\n", 2);
	report_run("map.dat --view heatmap -e calls --sort hitcount,comm");
	report_expect("sort", "", "trace-cmd hist: error: a:calls: --sort hitcount,comm: the rows "
		      "of a heat map cannot be sorted\n"
		      "hint: use --sort only to select the value that the heat map shows\n", 2);
	report_run("map.dat --view bars --percentiles 5");
	report_expect("percentiles", "", "trace-cmd hist: error: --percentiles: has no effect with "
		      "--view bars\n"
		      "hint: remove one of these options\n", 2);
	report_run("map.dat --list --color never");
	report_expect("list", "", "trace-cmd hist: error: --color: has no effect with --list\n"
		      "hint: remove one of these options\n", 2);
	report_run("map.dat --color red");
	report_expect("red", "", "trace-cmd hist: error: --color red: unknown value\n"
		      "hint: use one of: auto, always, never\n", 2);
}

/* Each format shows the numbers with --raw-names: an address, a system call, a task. */
static void test_raw_names(void)
{
	static const char trigger[] = "hist:keys=ip.sym,id.syscall,common_pid.execname";
	static const struct {
		const char *line, *text, *not;
	} lines[] = {
		{ "names.dat --format json", "{\"ip\":\"kfree_skb\",\"id\":\"sys_read\","
		  "\"common_pid\":{\"comm\":\"sh\",\"pid\":144}},\"key_id\":"
		  "{\"ip\":\"0xffffffff812a3c10\",\"id\":0}", "\"ip\":\"\"" },
		{ "names.dat --format json --raw-names", "{\"ip\":\"0xffffffff812a3c10\",\"id\":\"0\","
		  "\"common_pid\":{\"comm\":\"144\",\"pid\":144}}", "kfree_skb" },
		{ "names.dat --format ndjson --raw-names", "{\"ip\":\"0xffffffff812a3c10\",\"id\":\"0\","
		  "\"common_pid\":{\"comm\":\"144\",\"pid\":144}}", "kfree_skb" },
		{ "names.dat --format csv --raw-names", "0xffffffff812a3c10,0xffffffff812a3c10,0,0,144,144", "kfree_skb" },
		{ "names.dat --raw-names", "0xffffffff812a3c10", "kfree_skb" },
	};
	struct report_fixture *f = report_fixture_new("names.dat", HIST_COMPRESS_NONE);
	const struct hist_snapshot snap = { .time = 100 * SEC };
	char *text, *at;
	size_t i;

	CU_ASSERT_FATAL(f && report_fixture_define(f, "a:names", trigger, "mono", NULL) == 0);
	CU_ASSERT(add(f, 0, &snap, trigger,
		      "{ ip: [ffffffff812a3c10] kfree_skb                                    , "
		      "id: sys_read                      [  0], "
		      "common_pid: sh              [       144] } hitcount:          5\n", 5, 1, 0) == 0);
	CU_ASSERT(report_fixture_close(f, 1) == 0);
	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		report_run(lines[i].line);
		/* json is indented */
		text = strdup(report_out);
		CU_ASSERT_FATAL(text != NULL);
		for (at = text; *at;) {
			if (strchr(" \n", *at))
				memmove(at, at + 1, strlen(at));
			else
				at++;
		}
		if (!strstr(text, lines[i].text) || strstr(text, lines[i].not)) {
			CU_FAIL("the numbers are not shown");
			fprintf(stderr, "%s:\n%s\n", lines[i].line, report_out);
		}
		free(text);
	}
	unlink("names.dat");
}

UNIT_TESTS_WITH(set_up, tear_down,
	{ "report draws groups of bars, call trees and heat maps", test_prints },
	{ "a single group or stack that is not shown is singular", test_one },
	{ "no line of a drawing is wider than the terminal", test_widths },
	{ "report refuses options that do not fit its view with the reason", test_refusals },
	{ "--raw-names shows numbers and addresses in every format", test_raw_names });
