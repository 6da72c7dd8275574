// SPDX-License-Identifier: GPL-2.0
/*
 * panel_test.c - recordings and windows: what KernelShark's panel knows of a file
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <CUnit/Basic.h>

#include "kernelshark-plugin/model/panel_data.h"
#include "kernelshark-plugin/model/time_window.h"
#include "lib/base/wide.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/kernelshark-plugin/model/panel_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/report/report_run.h"

#define LAT 0
#define PID 1
#define TICK 2

static struct recording *opened(const char *path)
{
	struct recording *r = NULL;
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL_FATAL(recording_open(&r, path, &error), 0);
	return r;
}

static void expect_words(const struct recording *r, unsigned int hist, const struct time_window *w,
			 const char *want)
{
	struct hist_strbuf b = { 0 };

	time_window_describe(&b, r, hist, w);
	hist_strbuf_char(&b, '\0');
	CU_ASSERT_STRING_EQUAL(b.data, want);
	if (strcmp(b.data, want))
		fprintf(stderr, "\n%s\n", b.data);
	hist_strbuf_free(&b);
}

static void expect_window(const struct recording *r, unsigned int hist, uint64_t t0, uint64_t t1,
			  enum time_window_kind kind, uint32_t from, uint32_t to)
{
	struct time_window w, back;

	time_window_find(r, hist, t0, t1, &w);
	time_window_find(r, hist, t1, t0, &back);
	CU_ASSERT(!memcmp(&w, &back, sizeof(w)));
	CU_ASSERT_EQUAL(w.kind, kind);
	CU_ASSERT_EQUAL(w.from, from);
	CU_ASSERT_EQUAL(w.to, to);
	CU_ASSERT_EQUAL(time_window_has_numbers(&w), from < to);
	if (w.kind != kind || w.from != from || w.to != to)
		fprintf(stderr, "\n%lu-%lu: %d %u %u\n", (unsigned long)t0, (unsigned long)t1, w.kind,
			w.from, w.to);
}

static void test_recording(void)
{
	struct recording *r = opened("panel.dat"), *again;
	const struct recording_snapshot *s;
	uint64_t hits = 0;
	uint32_t n, i;
	struct hist_error error = { 0 };

	CU_ASSERT_STRING_EQUAL(r->path, "panel.dat");
	CU_ASSERT_EQUAL(r->count, 5);
	CU_ASSERT_STRING_EQUAL(r->hists[LAT].name, "t:lat");
	CU_ASSERT_STRING_EQUAL(r->hists[PID].info->def.trigger, "hist:keys=pid");
	CU_ASSERT_STRING_EQUAL(r->hists[PID].info->def.instance, "hist.1");
	CU_ASSERT(r->hists[LAT].ns && !r->hists[TICK].ns);
	CU_ASSERT(!r->has_events && !r->hists[LAT].event);
	CU_ASSERT_EQUAL(hist_series_damage(r->series)->lost_snapshots, 2);
	CU_ASSERT_EQUAL(hist_series_damage(r->series)->bad_sections, 0);

	s = r->hists[PID].snapshots;
	n = r->hists[PID].n;
	CU_ASSERT_EQUAL_FATAL(n, PANEL_SNAPSHOTS - 2);
	for (i = 0; i < n; i++) {
		CU_ASSERT_EQUAL(s[i].seq, i < 10 ? i : i + 2);
		CU_ASSERT_EQUAL(s[i].time, (100 + s[i].seq) * PANEL_SEC);
		CU_ASSERT_EQUAL(s[i].lost, i == 10 ? 2 : 0);
		CU_ASSERT_EQUAL(!!(s[i].flags & HIST_SNAP_RESET), i == 7);
		CU_ASSERT_EQUAL(s[i].dropped, s[i].seq >= 20 ? 3 : 0);
		if (i != 7)
			CU_ASSERT(s[i].hits >= hits);
		hits = s[i].hits;
	}
	CU_ASSERT_EQUAL(s[7].hits, 5);
	CU_ASSERT_EQUAL(s[7].entries, 1);
	again = recording_ref(r);
	CU_ASSERT_PTR_EQUAL(again, r);
	recording_unref(again);
	CU_ASSERT_STRING_EQUAL(r->hists[TICK].name, "t:tick");
	recording_unref(r);
	recording_unref(NULL);
	CU_ASSERT_EQUAL(recording_open(&r, "none.dat", &error), -ENOENT);
	CU_ASSERT_STRING_EQUAL(hist_error_what(&error, -ENOENT), strerror(ENOENT));
	CU_ASSERT_EQUAL(recording_open(&r, "/dev/null", &error), -EINVAL);
	CU_ASSERT_EQUAL(recording_open(&r, test_data_path("events.dat"), &error), -ENODATA);
}

static void test_windows(void)
{
	struct recording *r = opened("panel.dat");
	const uint64_t s = PANEL_SEC;
	struct time_window w;

	/* both ends between snapshots, and on them */
	expect_window(r, LAT, 103 * s + 1, 107 * s - 1, WINDOW_INTERVALS, 3, 6);
	expect_window(r, LAT, 103 * s, 107 * s, WINDOW_INTERVALS, 3, 7);
	expect_window(r, LAT, 103 * s - 1, 107 * s, WINDOW_INTERVALS, 2, 7);
	/* nothing is known of what was before the first */
	expect_window(r, LAT, 0, 105 * s, WINDOW_INTERVALS, 0, 5);
	expect_window(r, LAT, 0, UINT64_MAX, WINDOW_INTERVALS, 0, 39);
	expect_window(r, LAT, 99 * s, 100 * s, WINDOW_INSIDE, 0, 1);
	expect_window(r, LAT, 99 * s, 100 * s - 1, WINDOW_BEFORE, 0, 0);
	/* between two */
	expect_window(r, LAT, 103 * s, 103 * s, WINDOW_INSIDE, 3, 4);
	expect_window(r, LAT, 103 * s + 5, 104 * s - 1, WINDOW_INSIDE, 3, 4);
	expect_window(r, LAT, 103 * s + 5, 104 * s, WINDOW_INTERVALS, 3, 4);
	/* behind the last */
	expect_window(r, LAT, 138 * s, 200 * s, WINDOW_INTERVALS, 38, 39);
	expect_window(r, LAT, 139 * s, 200 * s, WINDOW_AFTER, 39, 39);
	/* ticks */
	expect_window(r, TICK, 1099, 1200, WINDOW_INTERVALS, 0, 2);

	time_window_find(r, PID, 105 * s, 108 * s, &w);
	CU_ASSERT(w.from_nothing && !w.lost);
	expect_words(r, PID, &w, "snapshots 5 (105.000000) to 8 (108.000000): 3 intervals, "
				 "the histogram was cleared during this time: only later hits are counted");
	time_window_find(r, PID, 107 * s, 113 * s, &w);
	CU_ASSERT(!w.from_nothing && w.lost == 2);
	expect_words(r, PID, &w, "snapshots 7 (107.000000) to 13 (113.000000): 4 intervals, 2 snapshots "
				 "missing");
	time_window_find(r, LAT, 103 * s + 5, 103 * s + 9, &w);
	expect_words(r, LAT, &w, "this window is within one interval: snapshots 3 (103.000000) to "
				 "4 "
				 "(104.000000): 1 interval");
	time_window_find(r, TICK, 0, 5, &w);
	expect_words(r, TICK, &w, "this window is before the first snapshot: 0 (1000)");
	time_window_find(r, LAT, 300 * s, 301 * s, &w);
	expect_words(r, LAT, &w, "this window is after the last snapshot: 39 "
				 "(139.000000)");

	time_window_set(r, PID, 12, 9, &w);
	CU_ASSERT(w.kind == WINDOW_INTERVALS && w.from == 9 && w.to == 12 && w.lost == 2);
	time_window_set(r, PID, 5, 5, &w);
	CU_ASSERT(w.kind == WINDOW_SINGLE && w.from == 5 && w.to == 5);
	expect_words(r, PID, &w, "snapshot 5 (105.000000)");
	time_window_set(r, PID, 500, 36, &w);
	CU_ASSERT(w.kind == WINDOW_INTERVALS && w.from == 36 && w.to == 37);
	recording_unref(r);
}

static void test_single(void)
{
	const uint64_t times[] = { 5000 };
	struct recording *r;
	struct time_window w;

	panel_times(times, 1);
	r = opened("back.dat");
	expect_window(r, 0, 0, 10000, WINDOW_SINGLE, 0, 0);
	expect_window(r, 0, 6000, 10000, WINDOW_SINGLE, 0, 0);
	time_window_find(r, 0, 0, 1, &w);
	expect_words(r, 0, &w, "the only snapshot: 0 (0.000005), including the hits from the set-up of the recording");
	recording_unref(r);
}

static void test_nearest(void)
{
	struct recording *r = opened("panel.dat");
	struct hist_strbuf b = { 0 };
	const uint64_t s = PANEL_SEC;

	CU_ASSERT_EQUAL(time_window_find_snapshot(r, LAT, 0), 0);
	CU_ASSERT_EQUAL(time_window_find_snapshot(r, LAT, 103 * s + s / 2), 3);
	CU_ASSERT_EQUAL(time_window_find_snapshot(r, LAT, 103 * s + s / 2 + 1), 4);
	CU_ASSERT_EQUAL(time_window_find_snapshot(r, LAT, UINT64_MAX), 39);
	/* 9 at 109 s is followed by 12 at 112 s */
	CU_ASSERT_EQUAL(time_window_find_snapshot(r, PID, 110 * s), 9);
	CU_ASSERT_EQUAL(time_window_find_snapshot(r, PID, 111 * s), 10);
	time_window_describe_snapshot(&b, r, PID, 10);
	hist_strbuf_char(&b, '\0');
	CU_ASSERT(!strncmp(b.data, "snapshot 12 (112.000000): ", 26));
	CU_ASSERT_PTR_NOT_NULL(strstr(b.data, " entries, 0 dropped, 2 snapshots missing before "
				       "this snapshot"));
	b.len = 0;
	time_window_describe_snapshot(&b, r, PID, 7);
	hist_strbuf_char(&b, '\0');
	CU_ASSERT_STRING_EQUAL(b.data, "snapshot 7 (107.000000): 5 hits in 1 entry, 0 dropped, "
				       "histogram cleared before this snapshot");
	b.len = 0;
	time_window_describe_snapshot(&b, r, PID, 38);
	CU_ASSERT_EQUAL(b.len, 0);
	hist_strbuf_free(&b);
	recording_unref(r);
}

/* The bins by going through all snapshots. */
static void expect_marks(const struct recording *r, unsigned int hist, uint64_t t0, uint64_t t1,
			 unsigned int nbins)
{
	struct time_window_bin *bins = malloc(nbins * sizeof(*bins)), want;
	const struct recording_snapshot *s;
	uint32_t n, i, found = 0, total;
	unsigned int b;

	s = r->hists[hist].snapshots;
	n = r->hists[hist].n;
	total = time_window_fill_bins(r, hist, t0, t1, nbins, bins);
	for (b = 0; b < nbins; b++) {
		memset(&want, 0, sizeof(want));
		for (i = 0; i < n; i++) {
			/* how far it is, and where bins begin, both times nbins */
			struct hist_wide at = hist_wide_mul(s[i].time - t0, nbins);

			if (s[i].time < t0 || s[i].time > t1)
				continue;
			if (hist_wide_is_less(at, hist_wide_mul(b, t1 - t0)))
				continue;
			if (!hist_wide_is_less(at, hist_wide_mul(b + 1, t1 - t0)) && b + 1 < nbins)
				continue;
			if (!want.n++)
				want.first = i;
			want.lost += s[i].lost;
			want.reset |= (s[i].flags & HIST_SNAP_RESET) != 0;
			want.dropped |= i && s[i].dropped > s[i - 1].dropped;
		}
		found += want.n;
		CU_ASSERT_EQUAL(bins[b].n, want.n);
		CU_ASSERT_EQUAL(bins[b].first, want.first);
		CU_ASSERT_EQUAL(bins[b].lost, want.lost);
		CU_ASSERT_EQUAL(bins[b].reset, want.reset);
		CU_ASSERT_EQUAL(bins[b].dropped, want.dropped);
	}
	CU_ASSERT_EQUAL(total, found);
	free(bins);
}

static void test_marks(void)
{
	struct recording *r = opened("panel.dat");
	struct time_window_bin bin = { .n = 9 };
	uint64_t state = 99;
	unsigned int i;

	expect_marks(r, PID, 0, UINT64_MAX, 7);
	expect_marks(r, PID, 107 * PANEL_SEC, 112 * PANEL_SEC, 5);
	for (i = 0; i < 200; i++) {
		uint64_t t0 = 90 * PANEL_SEC + test_random(&state) % 200 * 375000000;

		expect_marks(r, test_random(&state) % 2, t0,
			     t0 + test_random(&state) % 64 * 375000000, 1 + test_random(&state) % 40);
	}
	CU_ASSERT_EQUAL(time_window_fill_bins(r, PID, 10, 9, 1, &bin), 0);
	CU_ASSERT_EQUAL(bin.n, 0);
	CU_ASSERT_EQUAL(time_window_fill_bins(r, PID, 0, UINT64_MAX, 0, NULL), 0);
	recording_unref(r);
}

/* A clock that was set back: as a walk that stops at the first snapshot after the time. */
static void test_back(void)
{
	const uint64_t times[] = { 100, 200, 300, 150, 250, 350, 120, 500 };
	const uint32_t n = sizeof(times) / sizeof(*times);
	struct recording *r;
	int64_t want;
	uint64_t t;
	uint32_t i;

	panel_times(times, n);
	r = opened("back.dat");
	for (t = 0; t < 600; t += 10) {
		want = -1;
		for (i = 0; i < n && times[i] <= t; i++)
			want = i;
		CU_ASSERT_EQUAL(recording_find_snapshot(r, 0, t), want);
	}
	expect_window(r, 0, 150, 350, WINDOW_INTERVALS, 0, 6);
	recording_unref(r);
}

static void test_damaged(void)
{
	const struct recording_snapshot *s;
	struct recording *r;
	uint32_t n, seq, i;

	for (seq = 3; seq < 39; seq += 7) {
		panel_damage(LAT, seq);
		r = opened("bad.dat");
		s = r->hists[LAT].snapshots;
		n = r->hists[LAT].n;
		CU_ASSERT(n < PANEL_SNAPSHOTS && n > seq - 1);
		for (i = 0; i < n; i++) {
			CU_ASSERT_NOT_EQUAL(s[i].seq, seq);
			CU_ASSERT_EQUAL(s[i].lost, i ? s[i].seq - s[i - 1].seq - 1 : 0);
		}
		/* the others are as they were */
		n = r->hists[TICK].n;
		CU_ASSERT_EQUAL(n, PANEL_SNAPSHOTS);
		CU_ASSERT_EQUAL(hist_series_damage(r->series)->bad_sections, 1);
		recording_unref(r);
	}
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static double make_window(struct recording *r, uint32_t from, uint32_t to)
{
	struct panel_data_query query = { .recording = r, .from = from, .to = to, .columns = 400 };
	double begin = cpu_seconds();
	struct panel_data *f = NULL;

	CU_ASSERT_EQUAL_FATAL(panel_data_make(&f, &query, NULL, NULL), 0);
	CU_ASSERT_EQUAL(f->view.snap->hits, to - from);
	panel_data_free(f);
	return cpu_seconds() - begin;
}

/* Five thousand: opening allocates little, and a window costs what is in it. */
static void test_many(void)
{
	double begin, all, few = 1;
	struct recording *r = NULL;
	const uint32_t n = 5000;
	struct hist_error error = { 0 };
	uint32_t i;
	long seen;

	panel_many(n);
	begin = cpu_seconds();
	alloc_fail_after(1 << 30);
	CU_ASSERT_EQUAL_FATAL(recording_open(&r, "many.dat", &error), 0);
	seen = alloc_fail_seen();
	alloc_fail_after(-1);
	CU_ASSERT(seen < 100);
	CU_ASSERT(cpu_seconds() - begin < 2);
	i = r->hists[0].n;
	CU_ASSERT_EQUAL(i, n);
	all = make_window(r, 0, n - 1);
	for (i = 0; i < 5; i++) {
		double one = make_window(r, n - 20 - 300 * i, n - 10 - 300 * i);

		few = one < few ? one : few;
	}
	CU_ASSERT(few < all / 5);
	expect_marks(r, 0, PANEL_SEC, 6 * PANEL_SEC, 64);
	recording_unref(r);
}

/*
 * No loss are the list of where damage was counted (series_count_bad()), and room that is
 * given back, of each histogram; all else is.
 */
static void test_no_memory(void)
{
	struct recording *r = NULL;
	long n, seen = 0, opened_anyway = 0;
	struct hist_error error = { 0 };
	int ret;

	for (n = 0; seen > n - 1; n++) {
		alloc_fail_after(n);
		ret = recording_open(&r, "panel.dat", &error);
		seen = alloc_fail_seen();
		alloc_fail_after(-1);
		if (ret) {
			CU_ASSERT_EQUAL(ret, -ENOMEM);
			CU_ASSERT_PTR_NULL(r);
		} else {
			CU_ASSERT_STRING_EQUAL(r->hists[TICK].name, "t:tick");
			opened_anyway += n < seen;
		}
		recording_unref(r);
		r = NULL;
	}
	CU_ASSERT(n > 20 && opened_anyway <= 1 + 5);
}

static void *read_much(void *data)
{
	struct recording *r = data;
	long bad = 0;
	int i;

	for (i = 0; i < 30; i++) {
		struct panel_data_query query = { .recording = r, .hist = i % 4, .from = i % 9,
					       .to = 20 + i % 7, .columns = 16 };
		struct panel_data *f = NULL;

		bad += panel_data_make(&f, &query, NULL, NULL) != 0;
		panel_data_free(f);
	}
	recording_unref(r);
	return (void *)bad;
}

/* Several threads at one recording, of which none is the last to need it by plan. */
static void test_threads(void)
{
	struct recording *r = opened("panel.dat");
	pthread_t threads[4];
	void *bad;
	int i;

	for (i = 0; i < 4; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, read_much, recording_ref(r)), 0);
	recording_unref(r);
	for (i = 0; i < 4; i++) {
		pthread_join(threads[i], &bad);
		CU_ASSERT_PTR_NULL(bad);
	}
}

UNIT_TESTS_WITH(panel_set_up, panel_tear_down,
	{ "a recording knows its histograms, its snapshots and what was lost", test_recording },
	{ "a window of time selects the right snapshots and describes them", test_windows },
	{ "a recording with one snapshot shows that snapshot in every window", test_single },
	{ "time_window_find_snapshot() finds the nearest snapshot", test_nearest },
	{ "time_window_fill_bins() counts the snapshots, losses and clearings of each bin",
	  test_marks },
	{ "a search by time stops at the first later snapshot if the clock was set back",
	  test_back },
	{ "a damaged snapshot counts as lost and leaves the other histograms intact",
	  test_damaged },
	{ "a window of 10 among 5000 snapshots takes less than a fifth of the time of the whole",
	  test_many },
	{ "several threads can read one recording at the same time", test_threads },
	{ "running out of memory is reported or harmless at every allocation of recording_open()",
	  test_no_memory });
