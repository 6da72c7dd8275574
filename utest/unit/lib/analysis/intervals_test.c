// SPDX-License-Identifier: GPL-2.0
/*
 * intervals_test.c - differences as they are shown: what grew, and from where on keys are new
 *
 * A key that is new is shown also where nothing but zeros stand behind it, so a walk tells the first
 * one; in a difference that was computed by its changed entries too, and in one that is
 * told by what was added to them alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "lib/analysis/intervals.h"
#include "lib/series/series.h"
#include "utest/unit/lib/series/run_fixture.h"
#include "utest/unit/tests.h"

struct seen {
	char text[1024];
	size_t len;
	unsigned int lists; /* differences without values */
};

/* "SEQ[+from nothing] new N: GROWTH GROWTH...\n", of the entries that there are */
static int note(void *data, struct hist_view *view, const struct hist_selection *selection)
{
	struct seen *s = data;
	uint32_t i;

	s->len += snprintf(s->text + s->len, sizeof(s->text) - s->len, "%u%s new %u:", view->snap->seq,
			   view->from_nothing ? "+" : "", selection->first_new);
	for (i = 0; i < view->snap->nentries; i++)
		s->len += snprintf(s->text + s->len, sizeof(s->text) - s->len, " %u",
				   (unsigned int)view->snap->values[i]);
	s->len += snprintf(s->text + s->len, sizeof(s->text) - s->len, "\n");
	return 0;
}

static int note_added(void *data, struct hist_view *view, const struct hist_selection *selection)
{
	struct hist_snapshot snap = *view->snap;
	uint64_t values[16] = { 0 };
	struct seen *s = data;
	uint32_t i;

	if (view->added) {
		CU_ASSERT_PTR_NULL(snap.values);
		CU_ASSERT_FATAL(snap.nentries <= 16);
		for (i = 0; i < view->nchanged; i++)
			values[view->changed[i]] = view->added[i];
		snap.values = values;
		view->snap = &snap;
		s->lists++;
	}
	return note(data, view, selection);
}

/* "SEQ of ENTRIES: SUM\n" */
static int note_few(void *data, struct hist_view *view, const struct hist_selection *selection)
{
	struct seen *s = data;
	uint64_t sum = 0;
	uint32_t i;

	(void)selection;
	for (i = 0; view->added && i < view->nchanged; i++)
		sum += view->added[i];
	for (i = 0; !view->added && i < view->snap->nentries; i++)
		sum += view->snap->values[i];
	s->lists += view->added != NULL;
	s->len += snprintf(s->text + s->len, sizeof(s->text) - s->len, "%u of %u: %u\n",
			   view->snap->seq, view->snap->nentries, (unsigned int)sum);
	return 0;
}

static void count(struct run_fixture *f, uint64_t key, uint64_t hits)
{
	struct run_key k = { key, NULL };

	run_fixture_count(f, 0, &k, &hits);
}

/* Keys come with snapshots 0, 1, 3 and after a clearing; the one of 3 has no hits. */
static void make(const char *path)
{
	struct run_fixture *f = run_fixture_new(path, "Linux board 6.12.0 x86_64", "board");

	run_fixture_define(f, "t:ev", "hist:keys=q", "mono");
	count(f, 1, 5);
	run_fixture_snapshot(f, 0, 1000);
	count(f, 1, 1);
	count(f, 2, 7);
	count(f, 3, 2);
	run_fixture_snapshot(f, 0, 2000);
	count(f, 2, 4);
	run_fixture_snapshot(f, 0, 3000);
	count(f, 4, 0);
	count(f, 1, 3);
	run_fixture_snapshot(f, 0, 4000);
	run_fixture_clear(f, 0);
	count(f, 9, 6);
	run_fixture_snapshot(f, 0, 5000);
	count(f, 8, 1);
	run_fixture_snapshot(f, 0, 6000);
	run_fixture_close(f, true);
}

/* What @w shows is @text; how many of that were differences without values. */
static unsigned int shows(struct hist_series *series, struct hist_intervals *w, const char *text)
{
	struct hist_cursor *cursor;
	struct seen seen = { 0 };

	w->data = &seen;
	CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&cursor, series, 0, w->first), 0);
	CU_ASSERT_EQUAL(hist_intervals_walk(cursor, w), 0);
	CU_ASSERT_STRING_EQUAL(seen.text, text);
	hist_cursor_free(cursor);
	return seen.lists;
}

static void walk(const char *path, enum hist_intervals_span span, uint32_t first, uint32_t last,
		 const char *each, unsigned int lists, const char *total)
{
	struct hist_series *series;
	struct hist_intervals w = { .span = span, .first = first, .last = last, .each = note };
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL_FATAL(hist_series_open(&series, path, &error), 0);
	w.info = hist_series_info(series, 0);
	w.name = "t:ev";
	shows(series, &w, each);
	w.each = note_added;
	w.added_only = true;
	CU_ASSERT_EQUAL(shows(series, &w, each), lists);
	if (total) {
		w.each = NULL;
		w.total = note;
		shows(series, &w, total);
	}
	hist_series_free(series);
}

static void test_new_keys(void)
{
	char path[] = "/tmp/walk-XXXXXX";
	int fd = mkstemp(path);

	CU_ASSERT_FATAL(fd >= 0);
	close(fd);
	make(path);
	walk(path, HIST_INTERVALS_WHOLE, 0, 3, "0 new 0: 5\n1 new 0: 6 7 2\n2 new 0: 6 11 2\n"
	     "3 new 0: 9 11 2 0\n", 0, NULL);
	walk(path, HIST_INTERVALS_ALL, 0, 5,
	     "0+ new 0: 5\n1 new 1: 1 7 2\n2 new 3: 0 4 0\n3 new 3: 3 0 0 0\n4+ new 0: 6\n5 new 1: 0 1\n",
	     4, NULL);
	walk(path, HIST_INTERVALS_BETWEEN, 1, 3, "2 new 3: 0 4 0\n3 new 3: 3 0 0 0\n", 2,
	     "3 new 3: 3 4 0 0\n");
	walk(path, HIST_INTERVALS_BETWEEN, 0, 3,
	     "1 new 1: 1 7 2\n2 new 3: 0 4 0\n3 new 3: 3 0 0 0\n",
	     3, "3 new 1: 4 11 2 0\n");
	unlink(path);
}

/* The same counts, in files that number anew before snapshot @at, and lose the one before it. */
static void make_renumbered(const char *path, unsigned int at, bool loses)
{
	struct run_fixture *f = run_fixture_new(path, "Linux board 6.12.0 x86_64", "board");
	unsigned int i;

	run_fixture_define(f, "t:ev", "hist:keys=q", "mono");
	for (i = 0; i < 6; i++) {
		if (i == at)
			run_fixture_renumber(f, 0);
		count(f, i, 10 + i);
		count(f, 1, 1);
		if (i == at - 1 && loses)
			run_fixture_lose(f, 0);
		else
			run_fixture_snapshot(f, 0, 1000 * (i + 1));
	}
	run_fixture_close(f, true);
}

/* Numbers of another full snapshot are not those of the one before it: keys are compared. */
static void test_renumbered(void)
{
	static const char each[] = "0+ new 0: 10 1\n1 new 2: 0 12\n2 new 2: 0 1 12\n"
				   "3 new 3: 0 1 0 13\n4 new 4: 0 1 0 0 14\n5 new 5: 0 1 0 0 0 15\n";
	static const char gap[] = "0+ new 0: 10 1\n1 new 2: 0 12\n3 new 2: 0 2 12 13\n"
				  "4 new 4: 0 1 0 0 14\n5 new 5: 0 1 0 0 0 15\n";
	char path[] = "/tmp/walk-XXXXXX";
	int fd = mkstemp(path);
	unsigned int at;

	CU_ASSERT_FATAL(fd >= 0);
	close(fd);
	for (at = 1; at < 6; at++) {
		make_renumbered(path, at, false);
		/* full ones, and all after one that numbers anew, are not told by their changes */
		walk(path, HIST_INTERVALS_ALL, 0, 5, each, at - 1, NULL);
		walk(path, HIST_INTERVALS_BETWEEN, 0, 5, strchr(each, '\n') + 1, at - 1,
		     "5 new 2: 0 16 12 13 14 15\n");
	}
	make_renumbered(path, 3, true);
	walk(path, HIST_INTERVALS_ALL, 0, 5, gap, 1, NULL);
	unlink(path);
}

/* A difference that is told by what was added grows no further than what it has room for. */
static void test_cleared_after_growth(void)
{
	char path[] = "/tmp/walk-XXXXXX";
	struct run_fixture *f;
	struct hist_series *series;
	struct hist_cursor *cursor;
	struct seen seen = { 0 };
	struct hist_intervals w = { .span = HIST_INTERVALS_ALL, .last = 4, .each = note_few,
		.data = &seen,
			       .name = "t:ev", .added_only = true };
	struct hist_error error = { 0 };
	unsigned int i, n;
	int fd = mkstemp(path);

	CU_ASSERT_FATAL(fd >= 0);
	close(fd);
	f = run_fixture_new(path, "Linux board 6.12.0 x86_64", "board");
	run_fixture_define(f, "t:ev", "hist:keys=q", "mono");
	for (i = n = 0; n < 4; n++) {
		if (n == 3)
			run_fixture_clear(f, 0);
		for (; i < (const unsigned int[]){ 60, 120, 130, 132 }[n]; i++)
			count(f, i, i + 1);
		run_fixture_snapshot(f, 0, 1000 * (n + 1));
	}
	count(f, 5000, 7);
	run_fixture_snapshot(f, 0, 5000);
	run_fixture_close(f, true);
	CU_ASSERT_EQUAL_FATAL(hist_series_open(&series, path, &error), 0);
	w.info = hist_series_info(series, 0);
	CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&cursor, series, 0, 0), 0);
	CU_ASSERT_EQUAL(hist_intervals_walk(cursor, &w), 0);
	CU_ASSERT_STRING_EQUAL(seen.text, "0 of 60: 1830\n1 of 120: 5430\n2 of 130: 1255\n"
			       "3 of 2: 263\n4 of 3: 7\n");
	CU_ASSERT_EQUAL(seen.lists, 3);
	hist_cursor_free(cursor);
	hist_series_free(series);
	unlink(path);
}

UNIT_TESTS(
	{ "each difference gives the first entry that is new, also for a key without hits",
	  test_new_keys },
	{ "differences compare keys, not entry numbers, if a snapshot renumbers the entries",
	  test_renumbered },
	{ "the differences of a histogram that is cleared at 130 entries have only the new counts",
	  test_cleared_after_growth });
