// SPDX-License-Identifier: GPL-2.0
/*
 * replay_recording_test.c - the machine of a recording, and a replay as a series of snapshots
 *
 * A replay that begins again after any number of snapshots writes the file of one that does not.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "lib/check/check.h"
#include "lib/replay/replay_recording.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

#define HISTS 2
#define SWITCHES 155 /* as libtracecmd counts them (expression_test.c) */

struct taken {
	struct hist_events *events;
	struct hist_event *event;
	struct hist_expr *exprs[HISTS];
	struct hist_engine *engine;
	struct hist_table *tables[HISTS];
	struct hist_snapshot snaps[HISTS];
	struct hist_replay_recording recording;
	struct hist_replay_result result;
	int fd;
	struct tracedat_writer *dat;
	unsigned int moments;
	unsigned int again_after; /* the replay begins again there; 0: it does not */
};

static struct hist_events *open_events(const char *name)
{
	struct hist_events *events = NULL;
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL_FATAL(hist_events_open(&events, test_data_path(name), &error), 0);
	return events;
}

static void open_output(struct taken *t)
{
	struct tracedat_contents contents = fixture_contents(HIST_COMPRESS_NONE);

	t->fd = memfd_create("replay_recording_test", MFD_CLOEXEC);
	CU_ASSERT_FATAL(t->fd >= 0);
	CU_ASSERT_EQUAL_FATAL(tracedat_create(&t->dat, t->fd, &contents), 0);
	CU_ASSERT_EQUAL_FATAL(hist_series_writer_new(&t->recording.series, t->dat), 0);
}

/* Histograms of @file's @event by @triggers, in a new file. */
static void begin(struct taken *t, const char *file, const char *event,
		  const char *const triggers[HISTS])
{
	struct hist_engine_machine machine;
	char system[64];
	const char *text;
	unsigned int i;
	size_t len;

	memset(t, 0, sizeof(*t));
	t->events = t->recording.events = open_events(file);
	snprintf(system, sizeof(system), "%.*s", (int)strcspn(event, ":"), event);
	CU_ASSERT_EQUAL_FATAL(hist_events_format(t->events, system, strchr(event, ':') + 1, &text,
						 &len), 0);
	CU_ASSERT_EQUAL_FATAL(hist_event_parse(&t->event, system, text, len), 0);
	hist_replay_fill_machine(&machine, t->events, 0);
	CU_ASSERT_EQUAL_FATAL(hist_engine_new(&t->engine, &machine), 0);
	open_output(t);
	for (i = 0; i < HISTS; i++) {
		struct hist_replay_hist hist = { .event = event, .trigger = triggers[i],
						 .snap = &t->snaps[i] };
		struct hist_error error = { 0 };

		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&t->exprs[i], triggers[i], NULL), 0);
		CU_ASSERT_EQUAL_FATAL(hist_check_expr(t->exprs[i], t->event, &error), 0);
		hist.counter = i;
		CU_ASSERT_EQUAL_FATAL(hist_engine_add(t->engine, t->event, t->exprs[i], &error),
				      (int)i);
		hist.table = t->tables[i] = hist_table_new(hist_engine_schema(t->engine, i));
		CU_ASSERT_EQUAL_FATAL(hist_replay_define(&t->recording, &hist), 0);
	}
}

static void finish(struct taken *t)
{
	unsigned int i;

	hist_replay_clear(&t->recording);
	hist_series_writer_free(t->recording.series);
	tracedat_writer_free(t->dat);
	close(t->fd);
	hist_engine_free(t->engine);
	for (i = 0; i < HISTS; i++) {
		hist_table_free(t->tables[i]);
		hist_snapshot_clear(&t->snaps[i]);
		hist_expr_free(t->exprs[i]);
	}
	hist_event_free(t->event);
	hist_events_free(t->events);
}

static int record(void *data, const struct hist_replay_moment *moment)
{
	struct taken *t = data;
	int ret = hist_replay_record(&t->recording, moment);

	if (!ret && ++t->moments == t->again_after)
		return -EOVERFLOW;
	return ret;
}

static void run(struct taken *t, uint64_t interval, unsigned int threads)
{
	const struct hist_replay replay = { .to = UINT64_MAX, .interval = interval,
					    .threads = threads, .snapshot = record, .data = t };

	CU_ASSERT_EQUAL(hist_replay_run(&replay, t->events, t->engine, &t->result), 0);
	CU_ASSERT_EQUAL(hist_series_finish(t->recording.series), 0);
}

static struct hist_series *read_back(const struct taken *t)
{
	struct hist_series *series = NULL;
	struct hist_error error = { 0 };
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", t->fd);
	CU_ASSERT_EQUAL_FATAL(hist_series_open(&series, path, &error), 0);
	CU_ASSERT_EQUAL_FATAL(hist_series_count(series), HISTS);
	return series;
}

/* Each snapshot is there once, later than the one before; how many, and the last one's numbers. */
static uint32_t check_series(const struct taken *t, unsigned int hist, uint64_t hits,
			     uint64_t dropped)
{
	struct hist_series *series = read_back(t);
	const struct hist_series_info *info = hist_series_info(series, hist);
	const struct hist_snapshot *snap, *last = NULL;
	struct hist_cursor *cursor;
	uint64_t time = 0;
	uint32_t n = 0;

	CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&cursor, series, hist, 0), 0);
	while (hist_cursor_next(cursor, &snap) == 1) {
		CU_ASSERT_EQUAL(snap->seq, n++);
		CU_ASSERT(snap->time >= time);
		time = snap->time;
		last = snap;
	}
	CU_ASSERT_EQUAL(info->snapshots, n);
	CU_ASSERT_PTR_NOT_NULL_FATAL(last);
	CU_ASSERT_EQUAL(last->hits, hits);
	CU_ASSERT_EQUAL(last->dropped, dropped);
	CU_ASSERT_STRING_EQUAL(info->def.engine, "replay");
	hist_cursor_free(cursor);
	hist_series_free(series);
	return n;
}

static const char *const switches[HISTS] = { "hist:keys=next_pid", "hist:keys=next_comm" };

/* The bytes of the file, which the next replay must write too. */
static unsigned char *file_of(const struct taken *t, size_t *len)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", t->fd);
	return (unsigned char *)test_read_file(path, len);
}

static void test_again(void)
{
	unsigned char *expected = NULL, *got;
	size_t len = 0, got_len;
	unsigned int k, all;
	struct taken t;

	begin(&t, "events/several.dat", "sched:sched_switch", switches);
	/* alone, so that a second replay counts in the same order */
	run(&t, 1000000, 1);
	all = t.moments;
	CU_ASSERT(all > 10);
	CU_ASSERT_EQUAL(check_series(&t, 0, SWITCHES, 0), all);
	CU_ASSERT_EQUAL(check_series(&t, 1, SWITCHES, 0), all);
	finish(&t);
	for (k = 1; k < all; k += k < 4 ? 1 : all / 8) {
		begin(&t, "events/several.dat", "sched:sched_switch", switches);
		t.again_after = k;
		run(&t, 1000000, 1);
		CU_ASSERT(t.result.in_order);
		CU_ASSERT_EQUAL(t.moments, k + all);
		CU_ASSERT_EQUAL(t.recording.written, all);
		CU_ASSERT_EQUAL(check_series(&t, 0, SWITCHES, 0), all);
		CU_ASSERT_EQUAL(check_series(&t, 1, SWITCHES, 0), all);
		if (k == 1)
			expected = file_of(&t, &len);
		got = file_of(&t, &got_len);
		CU_ASSERT_EQUAL(got_len, len);
		CU_ASSERT_EQUAL(memcmp(got, expected, len < got_len ? len : got_len), 0);
		free(got);
		finish(&t);
	}
	free(expected);
}

/* The second map overflows: the first has no snapshot of that moment from before. */
static void test_overflow(void)
{
	static const char *const triggers[HISTS] = { "hist:keys=next_comm",
						     "hist:keys=common_timestamp:size=128" };
	struct taken t;

	begin(&t, "events/several.dat", "sched:sched_switch", triggers);
	run(&t, 1000000, 2);
	CU_ASSERT(t.result.in_order);
	CU_ASSERT(t.moments > t.recording.written);
	CU_ASSERT_EQUAL(check_series(&t, 0, SWITCHES, 0), t.recording.written);
	CU_ASSERT_EQUAL(check_series(&t, 1, 128, SWITCHES - 128), t.recording.written);
	finish(&t);
}

static int pass_watched(void *arg, unsigned int cpu, uint64_t time, const unsigned char *data,
			uint32_t len)
{
	(void)arg;
	(void)cpu;
	(void)time;
	(void)data;
	(void)len;
	return 0;
}

/* Both files have the same moments with the same hits and losses. */
static void compare_moments(const struct taken *a, const struct taken *b)
{
	const struct taken *taken[2] = { a, b };
	const struct hist_snapshot *snaps[2];
	struct hist_cursor *cursors[2];
	struct hist_series *series[2];
	unsigned int i;
	int ret;

	for (i = 0; i < 2; i++) {
		series[i] = read_back(taken[i]);
		CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&cursors[i], series[i], 0, 0), 0);
	}
	for (;;) {
		ret = hist_cursor_next(cursors[0], &snaps[0]);
		CU_ASSERT_EQUAL_FATAL(hist_cursor_next(cursors[1], &snaps[1]), ret);
		if (ret != 1)
			break;
		CU_ASSERT_EQUAL(snaps[0]->time, snaps[1]->time);
		CU_ASSERT_EQUAL(snaps[0]->hits, snaps[1]->hits);
		CU_ASSERT_EQUAL(snaps[0]->dropped, snaps[1]->dropped);
		CU_ASSERT_EQUAL(snaps[0]->events_lost, snaps[1]->events_lost);
	}
	for (i = 0; i < 2; i++) {
		hist_cursor_free(cursors[i]);
		hist_series_free(series[i]);
	}
}

/*
 * A replay in order skips events without triggers.  They count as events all the same, begin
 * intervals, and the last of them ends the replay.  After all maps are full, each CPU is counted
 * separately.
 */
static void test_skipped(void)
{
	static const struct {
		const char *file, *event, *triggers[HISTS];
		bool is_full;
	} sets[] = {
		{ "events/several.dat", "sched:sched_waking", { "hist:keys=pid", "hist:keys=comm" },
		  false },
		{ "events/lost.dat", "raw_syscalls:sys_enter",
		  { "hist:keys=id", "hist:keys=common_pid" }, false },
		{ "events/lost.dat", "raw_syscalls:sys_enter",
		  { "hist:keys=common_timestamp:size=128",
		    "hist:keys=common_timestamp,id:size=128" }, true },
	};
	static const uint64_t intervals[] = { 20000, 1000000, 0 };
	struct hist_replay_result *a, *b;
	struct taken each, merged;
	struct hist_expr *watched;
	unsigned int i, k;

	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&watched, "hist:keys=common_pid,common_cpu", NULL), 0);

	for (i = 0; i < 9; i++) {
		k = i / 3;
		begin(&each, sets[k].file, sets[k].event, sets[k].triggers);
		run(&each, intervals[i % 3], 1);
		begin(&merged, sets[k].file, sets[k].event, sets[k].triggers);
		/* a watch needs the events in order */
		CU_ASSERT_EQUAL(hist_engine_watch(merged.engine, merged.event, watched, pass_watched,
						  NULL, NULL), 0);
		run(&merged, intervals[i % 3], 1);
		a = &each.result;
		b = &merged.result;
		CU_ASSERT(a->in_order == sets[k].is_full && b->in_order);
		CU_ASSERT(a->counts.events > a->counts.matched);
		CU_ASSERT_EQUAL(a->counts.events, b->counts.events);
		CU_ASSERT_EQUAL(a->counts.matched, b->counts.matched);
		CU_ASSERT_EQUAL(a->first_time, b->first_time);
		CU_ASSERT_EQUAL(a->last_time, b->last_time);
		CU_ASSERT_EQUAL(a->lost, b->lost);
		CU_ASSERT(each.moments == merged.moments || sets[k].is_full);
		compare_moments(&each, &merged);
		finish(&each);
		finish(&merged);
	}
	hist_expr_free(watched);
}

/* What a moment says is in the snapshots; times ascend whatever it says. */
static void test_moments(void)
{
	static const struct {
		uint64_t time, lost, in_file;
		bool has_wall;
	} moments[] = { { 5, 0, 5, true }, { 9, 3, 9, false }, { 7, 4, 9, true } };
	const struct hist_snapshot *snap;
	struct hist_cursor *cursor;
	struct hist_series *series;
	struct hist_run *runs[1];
	struct taken t;
	unsigned int i;

	begin(&t, "events/several.dat", "sched:sched_switch", switches);
	CU_ASSERT_EQUAL_FATAL(hist_run_new(&runs[0], t.engine), 0);
	for (i = 0; i < 3; i++) {
		const struct hist_replay_moment moment = {
			.runs = runs, .nruns = 1, .time = moments[i].time, .lost = moments[i].lost,
		};

		t.recording.has_wall = moments[i].has_wall;
		CU_ASSERT_EQUAL(hist_replay_record(&t.recording, &moment), 0);
	}
	series = read_back(&t);
	CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&cursor, series, 1, 0), 0);
	for (i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL_FATAL(hist_cursor_next(cursor, &snap), 1);
		CU_ASSERT_EQUAL(snap->seq, i);
		CU_ASSERT_EQUAL(snap->time, moments[i].in_file);
		CU_ASSERT_EQUAL(snap->wall, moments[i].has_wall ? snap->time : 0);
		CU_ASSERT_EQUAL(snap->events_lost, moments[i].lost);
	}
	hist_cursor_free(cursor);
	hist_series_free(series);
	hist_run_free(runs[0]);
	finish(&t);
}

static const char *key_name(const struct taken *t, unsigned int hist, uint64_t number)
{
	uint32_t i;

	for (i = 0; i < t->snaps[hist].nentries; i++) {
		const struct hist_cell *cell = hist_table_cells(t->tables[hist], i);

		if (cell->num == number)
			return hist_table_string(t->tables[hist], cell->str, NULL);
	}
	return "not a key";
}

/* The recording's machine names system calls and tasks; x86_64's 39 is sys_getpid. */
static void test_names(void)
{
	static const char *const triggers[HISTS] = { "hist:keys=id.syscall",
						     "hist:keys=common_pid.execname" };
	struct hist_engine_machine machine;
	const char *comm, *name;
	struct hist_symbol symbol, same;
	struct taken t;
	uint32_t i;

	begin(&t, "events/lost.dat", "raw_syscalls:sys_enter", triggers);
	run(&t, 0, 2);
	CU_ASSERT_EQUAL(t.snaps[0].hits, 3949);
	CU_ASSERT_STRING_EQUAL(key_name(&t, 0, 1), "sys_write");
	for (i = 0; i < t.snaps[1].nentries; i++) {
		uint32_t pid = hist_table_cells(t.tables[1], i)->num;

		comm = hist_events_comm(t.events, pid);
		name = key_name(&t, 1, pid);
		CU_ASSERT_STRING_EQUAL(name, comm ? comm : "<...>");
	}
	CU_ASSERT(i > 0);
	hist_replay_fill_machine(&machine, t.events, 0);
	CU_ASSERT(machine.clock_is_ns);
	CU_ASSERT_EQUAL(machine.cpus, hist_events_machine(t.events)->cpus);
	CU_ASSERT_EQUAL(machine.layout.long_size, 8);
	CU_ASSERT_FATAL(machine.stack_format != NULL);
	CU_ASSERT_EQUAL(strncmp(machine.stack_format, "name: kernel_stack\n", 19), 0);
	CU_ASSERT_EQUAL(machine.symbol(machine.data, 0xffffffff81000000, &symbol),
			hist_events_symbol(t.events, 0xffffffff81000000, &same));
	finish(&t);
}

static void test_no_memory(void)
{
	struct hist_replay_hist hist;
	struct taken t;
	long i, n;

	begin(&t, "events/several.dat", "sched:sched_switch", switches);
	hist = t.recording.hists[0];
	alloc_fail_after(-1);
	CU_ASSERT_EQUAL(hist_replay_define(&t.recording, &hist), 0);
	n = alloc_fail_seen();
	CU_ASSERT(n > 0);
	for (i = 0; i < n; i++) {
		int ret;

		alloc_fail_after(i);
		ret = hist_replay_define(&t.recording, &hist);
		alloc_fail_after(-1);
		CU_ASSERT_EQUAL(ret, -ENOMEM);
		CU_ASSERT_EQUAL(t.recording.nhists, 3);
	}
	CU_ASSERT_EQUAL(hist_replay_define(&t.recording, &hist), 0);
	/* one that failed left nothing in the series */
	CU_ASSERT_EQUAL(t.recording.hists[3].number, 3);
	finish(&t);
}

UNIT_TESTS(
	{ "a replay that begins again writes the same file after any number of snapshots",
	  test_again },
	{ "after a histogram overflows, all histograms still record the same number of snapshots",
	  test_overflow },
	{ "a replay in order has the moments and totals of a replay by CPU", test_skipped },
	{ "a snapshot records the time and the lost events of its moment, and times never decrease",
	  test_moments },
	{ "system calls, tasks and symbols of a replay get the names of the recording",
	  test_names },
	{ "a histogram definition that runs out of memory leaves the recording unchanged",
	  test_no_memory });
