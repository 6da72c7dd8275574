// SPDX-License-Identifier: GPL-2.0
/*
 * report_episodes_test.c - `report --worst`: each format compared with a file of data/episodes
 *
 * story.dat: a latency with two captured episodes, and a histogram of a filter with one.  The first
 * episode has a task with a hostile name.  events.dat: the same latency recorded with --events.
 * twice.dat: the same with two histograms of the latency.
 * sleep.dat: an episode in which the task sleeps, with the kernel stacks of switches and wake-ups.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "lib/series/episode.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/lib/story/story_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/report/report_fixture.h"
#include "utest/unit/tracecmd/report/report_run.h"

#define SEC 1000000000ull
#define MS 1000000ull
#define WALL 1700000000ull
#define LATENCY "latency:sched_waking..sched_switch"

static const char latency_trigger[] =
	"hist:keys=next_comm,lat_us.log2:vals=lat_us:worst=lat_us,worst_at=common_timestamp:"
	"clock=mono:onmax($worst).save(common_timestamp,cpu,common_pid,prev_prio,prev_comm)";

/* hog has CPU 0 for 20 ms, with an interrupt storm in it. */
static const struct tell_event first[] = {
	T(SWITCH, 101 * SEC, 1, DD, .state = 1, .pid = 57),
	T(SWITCH, 101 * SEC + 1, 0, HOG, .state = 1, .pid = 57),
	T(WAKING, 101 * SEC + 10 * MS, 1, WAITER, .to = 0),
	T(WAKEUP, 101 * SEC + 10 * MS + 1000, 1, WAITER, .to = 0),
	T(IRQ, 101 * SEC + 15 * MS, 0, 27, .flags = 8),
	T(IRQ_END, 101 * SEC + 17 * MS, 0, 27, .flags = 8),
	T(SOFTIRQ, 101 * SEC + 17 * MS, 0, 3, .flags = 0x10),
	T(SOFTIRQ_END, 101 * SEC + 18 * MS + 500000, 0, 3, .flags = 0x10),
	T(SWITCH, 101 * SEC + 30 * MS, 0, WAITER, .state = 1),
	T(STACK, 101 * SEC + 30 * MS, 0, 500),
	T(SYNTH, 101 * SEC + 31 * MS, 0, 20000),
	TELL_LAST,
};

/* The ring buffer begins late; the task that ran has a hostile name. */
static const struct tell_event second[] = {
	T(LOST, 0, 0, 0),
	T(ODD, 102 * SEC + 4 * MS, 1, 0, .pid = 666),
	T(SWITCH, 102 * SEC + 9 * MS, 1, WAITER, .state = 0),
	T(SYNTH, 102 * SEC + 9 * MS + 10, 1, 8000),
	TELL_LAST,
};

/* The task sleeps until dd wakes it. */
static const struct tell_event sleeping[] = {
	T(SWITCH, 101 * SEC, 0, WAITER, .state = 1, .pid = 30),
	T(SWITCH, 101 * SEC, 1, DD, .state = 1, .pid = 57),
	T(SWITCH, 101 * SEC + 11 * MS, 0, IDLE, .state = 2),
	T(STACK, 101 * SEC + 11 * MS + 1, 0, 300),
	T(WAKING, 101 * SEC + 29 * MS, 1, WAITER, .to = 0),
	T(STACK, 101 * SEC + 29 * MS + 1, 1, 500),
	T(SWITCH, 101 * SEC + 30 * MS, 0, WAITER, .state = 0),
	T(STACK, 101 * SEC + 30 * MS + 1, 0, 700),
	T(SYNTH, 101 * SEC + 31 * MS, 0, 20000),
	TELL_LAST,
};

/* @wall: the wall-clock time at 0 s of the trace clock, in s; 0: not recorded. */
static int define(struct report_fixture *f, unsigned long long at, uint64_t wall)
{
	static const char kmalloc[] = "hist:keys=pid", kmalloc_text[] =
		"# event histogram\n#\n# trigger info: hist:keys=pid [active]\n#\n\n\nTotals:\n"
		"    Hits: 0\n    Entries: 0\n    Dropped: 0\n";
	struct hist_snapshot snap = { .time = 100 * SEC };
	char text[2048];
	unsigned int i;
	int len;

	if (report_fixture_define(f, LATENCY, latency_trigger, "mono", NULL) != 0 ||
	    report_fixture_define(f, "kmem:kmalloc", kmalloc, "mono", NULL) != 1)
		return -1;
	for (i = 0; i < 4; i++, snap.seq++, snap.time += SEC) {
		snap.wall = wall ? wall * SEC + snap.time : 0;
		len = snprintf(text, sizeof(text), "# event histogram\n#\n# trigger info: %s [active]\n"
			       "#\n\n", latency_trigger);
		if (i)
			len += snprintf(text + len, sizeof(text) - len, "{ next_comm: %-50s, lat_us: ~ "
					"2^15 } hitcount: %10u  lat_us: %10u\n\tmax: %10u  "
					"common_timestamp: %10llu  cpu: %10u  common_pid: %10u  "
					"prev_prio: %10u  prev_comm: %-32s\n", "waiter", i, 20000 * i,
					20000, at, 0, 30, 49, "hog");
		snprintf(text + len, sizeof(text) - len, "\nTotals:\n    Hits: %u\n    Entries: %u\n"
			 "    Dropped: 0\n", i, i > 0);
		if (report_fixture_add(f, 0, &snap, text, strlen(text)) ||
		    report_fixture_add(f, 1, &snap, kmalloc_text, strlen(kmalloc_text)))
			return -1;
	}
	return 0;
}

static const struct hist_episode captured[] = {
	{ .event = LATENCY, .buffer = "episode-1", .key = "next_pid=17", .origin = 100 * SEC,
	  .start = 101 * SEC + 11 * MS, .end = 101 * SEC + 31 * MS, .value = 20 * MS,
	  .threshold = 6 * MS,
	  .flags = HIST_EPISODE_TIMED },
	{ .event = LATENCY, .buffer = "episode-2", .key = "next_pid=17", .origin = 100 * SEC,
	  .start = 102 * SEC + 1 * MS + 10, .end = 102 * SEC + 9 * MS + 10, .value = 8 * MS, .cpu = 1,
	  .flags = HIST_EPISODE_TIMED | HIST_EPISODE_CUT },
	{ .event = "kmem:kmalloc", .buffer = "episode-3", .key = "", .origin = 100 * SEC,
	  .start = 103 * SEC, .end = 103 * SEC, .cpu = 1 },
};

static int make_story(void)
{
	static const struct tell_event *const events[] = { first, second, second };
	struct tracedat_contents contents = story_fixture_contents();
	struct report_fixture *f = report_fixture_new_with("story.dat", &contents);
	struct tracedat_writer *dat = f ? report_fixture_dat(f) : NULL;
	unsigned int i;

	if (!f || define(f, 101 * SEC + 30 * MS, WALL))
		return -1;
	for (i = 0; i < 3; i++)
		if (story_fixture_append(dat, captured[i].buffer, events[i], 2) ||
		    hist_episode_append(dat, &captured[i]))
			return -1;
	if (tracedat_link_buffers(dat))
		return -1;
	return report_fixture_close(f, 1);
}

/* Appended symbols replace those that the file has from the beginning. */
static int make_sleep(void)
{
	static const char symbols[] = "ffffffff00000100 t futex_wait_queue\n"
				      "ffffffff000001f5 t futex_wake\n";
	struct tracedat_contents contents = story_fixture_contents();
	struct report_fixture *f;

	contents.symbols = "ffffffff00000001 t old\n";
	f = report_fixture_new_with("sleep.dat", &contents);
	if (!f || tracedat_append_symbols(report_fixture_dat(f), symbols, strlen(symbols)) || define(f, 101 * SEC + 30 * MS, WALL) ||
	    story_fixture_append(report_fixture_dat(f), "episode-1", sleeping, 2) ||
	    hist_episode_append(report_fixture_dat(f), &captured[0]) ||
	    tracedat_link_buffers(report_fixture_dat(f)))
		return -1;
	return report_fixture_close(f, 1);
}

static int make_events(void)
{
	struct tracedat_contents contents = story_fixture_contents();
	struct report_fixture *f = report_fixture_new_with("events.dat", &contents);

	if (!f || define(f, 101 * SEC + 30 * MS, 0) ||
	    story_fixture_append(report_fixture_dat(f), "hist.1", first, 2) ||
	    tracedat_link_buffers(report_fixture_dat(f)))
		return -1;
	return report_fixture_close(f, 1);
}

/* Another histogram of the latency in @f: its largest value is the same hit. */
static int define_by_prio(struct report_fixture *f)
{
	static const char trigger[] = "hist:keys=next_prio:vals=lat_us:worst2=lat_us:clock=mono:"
				      "onmax($worst2).save(common_timestamp,cpu,common_pid)";
	struct hist_snapshot snap = { .time = 100 * SEC };
	char text[1024];

	snprintf(text, sizeof(text), "# event histogram\n#\n# trigger info: %s [active]\n#\n\n"
		 "{ next_prio:        120 } hitcount: %10u  lat_us: %10u\n\tmax: %10u  "
		 "common_timestamp: %10llu  cpu: %10u  common_pid: %10u\n\nTotals:\n    Hits: 1\n"
		 "    Entries: 1\n    Dropped: 0\n", trigger, 1, 20000, 20000, 101 * SEC + 30 * MS, 0, 30);
	if (report_fixture_define(f, LATENCY, trigger, "mono", NULL) != 2)
		return -1;
	return report_fixture_add(f, 2, &snap, text, strlen(text));
}

static int make_twice(void)
{
	struct tracedat_contents contents = story_fixture_contents();
	struct report_fixture *f = report_fixture_new_with("twice.dat", &contents);

	if (!f || define(f, 101 * SEC + 30 * MS, 0) || define_by_prio(f) ||
	    story_fixture_append(report_fixture_dat(f), "hist.1", first, 2) ||
	    tracedat_link_buffers(report_fixture_dat(f)))
		return -1;
	return report_fixture_close(f, 1);
}

/* A file of a rotated recording whose recorder was killed: an episode is beside it. */
static int make_rotated(const char *name, unsigned int seq, const char *side_name)
{
	static const char kmalloc[] = "hist:keys=pid", text[] =
		"# event histogram\n#\n# trigger info: hist:keys=pid [active]\n#\n\n"
		"{ pid:         57 } hitcount:          7\n\nTotals:\n"
		"    Hits: 7\n    Entries: 1\n    Dropped: 0\n";
	struct tracedat_contents contents = story_fixture_contents();
	struct hist_snapshot snap = { .seq = seq, .time = (100 + seq) * SEC };
	struct hist_episode episode = captured[2];
	struct report_fixture *f, *side;

	contents.trace_id = 77;
	episode.origin = snap.time;
	f = report_fixture_new_with(name, &contents);
	if (!f || report_fixture_define(f, "kmem:kmalloc", kmalloc, "mono", NULL) != 0 ||
	    report_fixture_add(f, 0, &snap, text, strlen(text)))
		return -1;
	snap.seq++;
	snap.time += SEC;
	if (report_fixture_add(f, 0, &snap, text, strlen(text)) || report_fixture_close(f, 0))
		return -1;
	side = report_fixture_new_with(side_name, &contents);
	if (!side || story_fixture_append(report_fixture_dat(side), episode.buffer, second, 2) ||
	    tracedat_link_buffers(report_fixture_dat(side)) ||
	    hist_episode_append(report_fixture_dat(side), &episode))
		return -1;
	return report_fixture_close(side, 0);
}

static int set_up(void)
{
	return report_set_up() || make_story() || make_events() || make_sleep() || make_twice() ||
	       make_rotated("r.1.dat", 0, "r.1.dat.episode-1") ||
	       make_rotated("r.2.dat", 1, "r.2.dat.episode-1") ? -1 : 0;
}

/* Compare with a file of data/episodes; a difference leaves NAME in /tmp if UTEST_KEEP is set. */
static void expect_file(const char *line, const char *name, const char *out)
{
	char path[128];
	char *golden;
	size_t len;
	FILE *f;

	snprintf(path, sizeof(path), "episodes/%s", name);
	if (getenv("UTEST_UPDATE")) {
		f = fopen(test_data_path(path), "w");
		fputs(out, f);
		fclose(f);
	}
	golden = test_read_file(test_data_path(path), &len);
	if (strcmp(out, golden))
		fprintf(stderr, "\nreport %s: not %s:\n%s%s", line, path, out, report_err);
	CU_ASSERT_STRING_EQUAL(out, golden);
	CU_ASSERT_STRING_EQUAL(report_err, "");
	CU_ASSERT_EQUAL(report_status, 0);
	free(golden);
}

static void test_formats(void)
{
	static const char *const lines[][2] = {
		{ "story.dat --worst", "story.txt" },
		{ "story.dat --worst --format csv", "story.csv" },
		{ "story.dat --worst --format ndjson", "story.ndjson" },
		{ "story.dat --worst=1 --format json -e sched_waking..sched_switch", "story.json" },
		{ "events.dat --worst", "events.txt" },
		{ "sleep.dat --worst", "sleep.txt" },
		{ "sleep.dat --worst --raw-names --format json -e sched_waking..sched_switch",
		  "sleep.json" },
	};
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		report_run(lines[i][0]);
		expect_file(lines[i][0], lines[i][1], report_out);
	}
}

/* The wall-clock time of the end: from the snapshots, or from --time-offset. */
static void test_wall(void)
{
	static const struct {
		const char *line, *text;
		bool has;
	} lines[] = {
		{ "story.dat --worst", ", CPU 0\n# date: 2023-11-14 22:15:01.030000 UTC\n", true },
		{ "story.dat --worst", ", CPU 1\n# date: 2023-11-14 22:15:03.000000 UTC\n", true },
		{ "story.dat --worst --format html",
		  "CPU 0</h4>\n<p>2023-11-14 22:15:01.030000 UTC, next_pid=17", true },
		{ "story.dat --worst --format json", "\"wall_ns\": \"1700000102009000000\"", true },
		{ "story.dat --worst --format ndjson", "\"wall_ns\":\"1700000102009000000\"", true },
		{ "story.dat --worst --format csv",
		  ",6000000,14000000,1700000101030000000,task,", true },
		{ "story.dat --worst --format csv --time-offset -100.5",
		  ",6000000,14000000,530000000,task,", true },
		{ "story.dat --worst --format csv --time-offset -200",
		  ",6000000,14000000,,task,", true },
		{ "events.dat --worst --format ndjson --time-offset 5.5",
		  "\"wall_ns\":106530000000", true },
		{ "events.dat --worst", "# date: ", false },
		{ "events.dat --worst --format json", "wall_ns", false },
	};
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		report_run(lines[i].line);
		CU_ASSERT_EQUAL(report_status, 0);
		CU_ASSERT_EQUAL(strstr(report_out, lines[i].text) != NULL, lines[i].has);
		if ((strstr(report_out, lines[i].text) != NULL) != lines[i].has)
			fprintf(stderr, "\nreport %s: %s\n", lines[i].line, lines[i].text);
	}
}

/* The chart after its style. */
static void test_svg(void)
{
	char *style;

	report_run("events.dat --worst --format svg");
	style = strstr(report_out, "</style>\n");
	CU_ASSERT_PTR_NOT_NULL_FATAL(style);
	expect_file("--format svg", "events.svg", style + strlen("</style>\n"));
}

/* The section of the episodes; and a cell of the heat map that leads to it. */
static void test_html(void)
{
	char *begin, *end;

	report_run("story.dat --worst --format html");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "<a href=\"#episode-1\"><path class=\"episode\""));
	begin = strstr(report_out, "<h3>Episodes</h3>");
	end = begin ? strstr(begin, "<h3>Percentiles") : NULL;
	CU_ASSERT_PTR_NOT_NULL_FATAL(end);
	*end = '\0';
	expect_file("--format html", "story-html.txt", begin);
	/* without the option, nothing of it */
	report_run("story.dat --format html");
	CU_ASSERT_PTR_NULL(strstr(report_out, "#episode-"));
}

static void test_twice(void)
{
	const char *at;
	unsigned int n;

	report_run("twice.dat --list");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "sched_switch#1"));
	report_run("twice.dat --worst");
	CU_ASSERT_EQUAL(report_status, 0);
	for (at = report_out, n = 0; (at = strstr(at, "# episode ")); n++)
		at++;
	CU_ASSERT_EQUAL(n, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "# episode 1 of 1: 20 ms,"));
	/* also if only the other histogram is selected */
	report_run("twice.dat --worst -e sched_waking..sched_switch#1");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "# episode 1 of 1: 20 ms,"));
}

/* The files of a killed recorder, alone, joined, and beside those of another one. */
static void test_interrupted(void)
{
	static const char *const lines[] = {
		"r.1.dat --list", "r.2.dat --list", "r.1.dat r.2.dat --list",
		"r.2.dat story.dat r.1.dat --worst", "r.1.dat r.2.dat story.dat --worst --format json",
	};
	char warning[256];
	unsigned int k;
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		report_run(lines[i]);
		for (k = 1; k <= 2; k++) {
			snprintf(warning, sizeof(warning), "warning: r.%u.dat: the recording is still "
				 "running or was interrupted: 1 episode is in the files "
				 "r.%u.dat.episode-*\nhint: run 'trace-cmd hist cleanup r.%u.dat' after the "
				 "recording has ended\n", k, k, k);
			CU_ASSERT_EQUAL(strstr(report_err, warning) != NULL, i > 1 || k == i + 1);
		}
	}
}

/* What the first file lacks is the set-up, and what the others lack is not. */
static void test_earlier_hits(void)
{
	static const char *const lines[][2] = {
		{ "r.1.dat --list", "# set-up: kmem:kmalloc: 7 hits before snapshot 0 are left out\n" },
		{ "r.1.dat", "# set-up: 7 hits before snapshot 0 are left out\n" },
		{ "r.1.dat r.2.dat", "# set-up: 7 hits before snapshot 0 are left out\n" },
		{ "r.2.dat --list", "# earlier hits: kmem:kmalloc: 7 hits before snapshot 1, the first of "
				    "the given files, are left out\n" },
		{ "r.2.dat", "# earlier hits: 7 hits before snapshot 1, the first of" },
		{ "r.2.dat --format html", "<dt>Earlier hits</dt><dd>7 hits before snapshot 1, " },
		{ "r.2.dat --format svg", ", earlier hits: 7 hits before snapshot 1, " },
		{ "r.2.dat --format folded", "[earlier hits: 7 hits before snapshot 1, " },
	};
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		report_run(lines[i][0]);
		if (!strstr(report_out, lines[i][1]))
			fprintf(stderr, "\nreport %s:\n%s", lines[i][0], report_out);
		CU_ASSERT_PTR_NOT_NULL(strstr(report_out, lines[i][1]));
	}
}

static void test_refusals(void)
{
	static const struct {
		const char *line, *err;
	} lines[] = {
		{ "main.dat --worst",
		  "trace-cmd hist: error: main.dat: no episodes (latencies that reached a threshold)\n"
		  "hint: record episodes with --threshold, for example 'trace-cmd hist record --preset "
		  "wakeup-latency --threshold 1ms'\n" },
		{ "story.dat --worst=0",
		  "trace-cmd hist: error: --worst 0: must be a number from 1 to 1000\n" },
		{ "story.dat --worst=1001",
		  "trace-cmd hist: error: --worst 1001: must be a number from 1 to 1000\n" },
		{ "story.dat --worst --format folded",
		  "trace-cmd hist: error: --worst: has no effect with --format folded\n"
		  "hint: remove one of these options\n" },
		{ "story.dat --worst --format openmetrics",
		  "trace-cmd hist: error: --worst: has no effect with --format openmetrics\n"
		  "hint: remove one of these options\n" },
		{ "story.dat --worst --view bars",
		  "trace-cmd hist: error: --view: has no effect with --worst\n"
		  "hint: remove one of these options\n" },
		{ "story.dat --worst --intervals --format csv",
		  "trace-cmd hist: error: --intervals: has no effect with --worst\n"
		  "hint: remove one of these options\n" },
		{ "story.dat --worst --list",
		  "trace-cmd hist: error: --worst: has no effect with --list\n"
		  "hint: remove one of these options\n" },
	};
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		report_run(lines[i].line);
		report_expect(lines[i].line, "", lines[i].err, 2);
	}
}

/* One allocation after the other fails: an error, or nothing is missing.  With CHECK_LONG more. */
static void test_no_memory(void)
{
	static const char *const lines[] = { "story.dat --worst --format json", "events.dat --worst",
					     "sleep.dat --worst", "sleep.dat --worst --format json",
					     "story.dat --worst --format html",
					     "story.dat --worst --format svg",
					     "story.dat --worst --format csv" };
	const long places = test_is_long() ? 200 : 50;
	unsigned int i;
	char *whole;
	long n, all;

	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		report_run(lines[i]);
		whole = strdup(report_out);
		all = report_alloc_seen;
		for (n = 0; n < all; n += 1 + all / places) {
			report_alloc_fail = n;
			report_run(lines[i]);
			if (!report_status)
				CU_ASSERT_STRING_EQUAL(report_out, whole);
			CU_ASSERT_TRUE(report_status == 0 || report_status == 2);
			CU_ASSERT_TRUE(!report_status || *report_err);
		}
		report_alloc_fail = -1;
		free(whole);
	}
}

UNIT_TESTS_WITH(
	set_up, report_tear_down,
	{ "the stories of the worst episodes in each format", test_formats },
	{ "the wall-clock time of each episode, if it is known", test_wall },
	{ "the timelines as a chart", test_svg },
	{ "a cell of the heat map leads to its episode", test_html },
	{ "a latency that is the largest of two histograms is one episode", test_twice },
	{ "the episodes that a killed recorder left are told for each file", test_interrupted },
	{ "hits before a file whose earlier files are missing are no set-up", test_earlier_hits },
	{ "what cannot be shown is refused with a hint", test_refusals },
	{ "episodes without memory", test_no_memory });
