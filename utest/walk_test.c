// SPDX-License-Identifier: GPL-2.0
/*
 * walk_test.c - differences as they are shown: what grew, and from where on keys are new
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

#include <tracehist/series.h>
#include <tracehist/walk.h>

#include "run_fixture.h"
#include "tests.h"

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
static unsigned int shows(struct hist_series *series, struct hist_walk *w, const char *text)
{
	struct hist_cursor *cursor;
	struct seen seen = { 0 };

	w->data = &seen;
	CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&cursor, series, 0, w->first), 0);
	CU_ASSERT_EQUAL(hist_walk(cursor, w), 0);
	CU_ASSERT_STRING_EQUAL(seen.text, text);
	hist_cursor_free(cursor);
	return seen.lists;
}

static void walk(const char *path, enum hist_walk_span span, uint32_t first, uint32_t last,
		 const char *each, unsigned int lists, const char *total)
{
	struct hist_series *series;
	struct hist_walk w = { .span = span, .first = first, .last = last, .each = note };
	char why[200];

	CU_ASSERT_EQUAL_FATAL(hist_series_open(&series, path, why, sizeof(why)), 0);
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
	walk(path, HIST_WALK_WHOLE, 0, 3, "0 new 0: 5\n1 new 0: 6 7 2\n2 new 0: 6 11 2\n"
	     "3 new 0: 9 11 2 0\n", 0, NULL);
	walk(path, HIST_WALK_ALL, 0, 5,
	     "0+ new 0: 5\n1 new 1: 1 7 2\n2 new 3: 0 4 0\n3 new 3: 3 0 0 0\n4+ new 0: 6\n5 new 1: 0 1\n",
	     4, NULL);
	walk(path, HIST_WALK_BETWEEN, 1, 3, "2 new 3: 0 4 0\n3 new 3: 3 0 0 0\n", 2,
	     "3 new 3: 3 4 0 0\n");
	walk(path, HIST_WALK_BETWEEN, 0, 3, "1 new 1: 1 7 2\n2 new 3: 0 4 0\n3 new 3: 3 0 0 0\n",
	     3, "3 new 1: 4 11 2 0\n");
	unlink(path);
}

int walk_tests(void)
{
	CU_TestInfo tests[] = {
		{ "new keys in differences", test_new_keys },
		CU_TEST_INFO_NULL,
	};
	CU_SuiteInfo suites[] = {
		{ "walk", NULL, NULL, NULL, NULL, tests },
		CU_SUITE_INFO_NULL,
	};

	return CU_register_suites(suites);
}
