// SPDX-License-Identifier: GPL-2.0
/*
 * intervals_ends_test.c - a total that is computed without the snapshots in the middle
 *
 * A walk skips snapshots only in a file that is known to be sound.  The same file, not known to be
 * sound, therefore shows what the total must be.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "lib/analysis/intervals.h"
#include "lib/series/series.h"
#include "lib/series/snapshot_heads.h"
#include "utest/unit/lib/series/run_fixture.h"
#include "utest/unit/tests.h"

#define SNAPSHOTS 60
#define KEYS 160 /* all keys are smaller */

/* What happens before the snapshot with that number; 0: never. */
struct happens {
	unsigned int clear, stop, renumber, lose;
};

struct seen {
	char text[4096];
	size_t len;
};

static void put(struct seen *s, const char *format, unsigned int a, unsigned int b)
{
	s->len += snprintf(s->text + s->len, sizeof(s->text) - s->len, format, a, b);
}

/*
 * All of the view that depends on the snapshots in the middle, and "KEY=GROWTH" of each entry.
 * The keys are in order, because the numbers of new entries depend on where the walk goes on.
 */
static int note(void *data, struct hist_view *view, const struct hist_selection *selection)
{
	uint64_t keys[KEYS] = { 0 };
	struct seen *s = data;
	uint32_t i, key;

	put(s, "%u to %u", view->from_seq, view->snap->seq);
	put(s, " hits %u from nothing %u", view->snap->hits, view->from_nothing);
	put(s, " reset %u stopped %u", view->reset, view->stopped);
	put(s, " lost %u new %u:", view->lost, selection->first_new);
	for (i = 0; i < view->snap->nentries; i++) {
		key = hist_table_cells(view->table, i)->num;
		CU_ASSERT_FATAL(key < KEYS && !keys[key]);
		keys[key] = 1 + view->snap->values[i];
	}
	for (key = 0; key < KEYS; key++)
		if (keys[key])
			put(s, " %u=%u", key, keys[key] - 1);
	return 0;
}

static void count(struct run_fixture *f, uint64_t key, uint64_t hits)
{
	struct run_key k = { key, NULL };

	run_fixture_count(f, 0, &k, &hits);
}

static void make(const char *path, const struct happens *at)
{
	struct run_fixture *f = run_fixture_new(path, "Linux board 6.12.0 x86_64", "board");
	unsigned int i;

	run_fixture_define(f, "t:ev", "hist:keys=q", "mono");
	for (i = 0; i < SNAPSHOTS; i++) {
		if (i && i == at->clear)
			run_fixture_clear(f, 0);
		if (i && i == at->stop)
			run_fixture_stop(f, 0);
		if (i && i == at->renumber)
			run_fixture_renumber(f, 0);
		if (i && i == at->lose)
			run_fixture_lose(f, 0);
		if (i % 8 == 0)
			count(f, 100 + i, 1);
		count(f, 1 + i % 3, 10 + i);
		run_fixture_snapshot(f, 0, 1000 * (i + 1));
	}
	run_fixture_close(f, true);
}

static struct hist_series *opened(const char *path, bool checked)
{
	struct hist_series *series;
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL_FATAL(hist_series_open(&series, path, &error), 0);
	if (checked)
		CU_ASSERT_EQUAL(hist_series_visit_heads(series, NULL, NULL), 0);
	return series;
}

static void note_seq(void *data, const struct hist_snapshot *head)
{
	put(data, " %u/%u", head->seq, head->flags);
	CU_ASSERT_EQUAL(head->time, 1000u * (head->seq + 1));
}

/* The snapshots that a skip from the first up to @seq skips; *@next: the one after it. */
static unsigned int skips(struct hist_series *series, uint32_t seq, struct seen *seen,
			  uint32_t *next)
{
	const struct hist_snapshot *snap;
	struct hist_cursor *cursor;
	unsigned int n = 0;
	size_t i;

	memset(seen, 0, sizeof(*seen));
	CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&cursor, series, 0, 0), 0);
	CU_ASSERT_EQUAL_FATAL(hist_cursor_next(cursor, &snap), 1);
	CU_ASSERT_EQUAL(hist_cursor_skip(cursor, seq, note_seq, seen), 0);
	CU_ASSERT_EQUAL_FATAL(hist_cursor_next(cursor, &snap), 1);
	*next = snap->seq;
	hist_cursor_free(cursor);
	for (i = 0; i < seen->len; i++)
		n += seen->text[i] == ' ';
	return n;
}

static void test_skipped(void)
{
	static const struct happens at = { .clear = 3, .stop = 2 };
	char path[] = "/tmp/ends-XXXXXX";
	struct hist_series *series;
	int fd = mkstemp(path);
	struct seen seen;
	uint32_t next;

	CU_ASSERT_FATAL(fd >= 0);
	close(fd);
	make(path, &at);
	series = opened(path, false);
	CU_ASSERT_FALSE(hist_series_is_sound(series));
	CU_ASSERT_EQUAL(skips(series, SNAPSHOTS, &seen, &next), 0);
	CU_ASSERT_EQUAL(next, 1);
	hist_series_free(series);

	series = opened(path, true);
	CU_ASSERT_TRUE(hist_series_is_sound(series));
	CU_ASSERT_EQUAL(skips(series, 2, &seen, &next), 0);
	CU_ASSERT_EQUAL(next, 1);
	CU_ASSERT_EQUAL(skips(series, 3, &seen, &next), 2);
	CU_ASSERT_EQUAL(next, 3);
	CU_ASSERT_STRING_EQUAL(seen.text, " 1/0 2/128");
	/* the last full snapshot is among the last that fit in four times its size */
	CU_ASSERT_EQUAL(skips(series, SNAPSHOTS, &seen, &next), next - 1);
	CU_ASSERT(next > SNAPSHOTS / 2);
	CU_ASSERT_EQUAL(strncmp(seen.text, " 1/0 2/128 3/1 4/0 5/0 ", 23), 0);
	hist_series_free(series);
	unlink(path);
}

static void total(const char *path, bool checked, uint32_t last, struct seen *seen)
{
	struct hist_series *series = opened(path, checked);
	struct hist_intervals w = {
		.info = hist_series_info(series, 0), .name = "t:ev", .last = last,
		.span = HIST_INTERVALS_BETWEEN, .total = note, .data = seen,
	};
	struct hist_cursor *cursor;

	memset(seen, 0, sizeof(*seen));
	CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&cursor, series, 0, 0), 0);
	CU_ASSERT_EQUAL(hist_intervals_walk(cursor, &w), 0);
	hist_cursor_free(cursor);
	CU_ASSERT_EQUAL(hist_series_damage(series)->lost_snapshots,
			strstr(seen->text, "lost 1") != NULL);
	hist_series_free(series);
}

static void test_totals(void)
{
	static const struct {
		struct happens at;
		const char *has;
	} cases[] = {
		{ { 0 }, "reset 0 stopped 0 lost 0 new 2:" },
		{ { .renumber = 1 }, "reset 0 stopped 0 lost 0 new 2:" },
		{ { .renumber = 30 }, "reset 0 stopped 0 lost 0 new 2:" },
		{ { .clear = 2 }, "from nothing 1 reset 1" },
		{ { .clear = 30, .renumber = 40 }, "from nothing 1 reset 1" },
		{ { .stop = 1 }, "stopped 1" },
		{ { .stop = 29, .clear = 7 }, "reset 1 stopped 1" },
		{ { .lose = 20 }, "lost 1" },
	};
	char path[] = "/tmp/ends-XXXXXX";
	struct seen sound, all;
	int fd = mkstemp(path);
	unsigned int i;
	uint32_t last;

	CU_ASSERT_FATAL(fd >= 0);
	close(fd);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make(path, &cases[i].at);
		for (last = 30; last < SNAPSHOTS; last++) {
			total(path, false, last, &all);
			total(path, true, last, &sound);
			CU_ASSERT_STRING_EQUAL(sound.text, all.text);
			if (!strstr(all.text, cases[i].has))
				fprintf(stderr, "\n%u to %u: %s\n", i, last, all.text);
			CU_ASSERT_PTR_NOT_NULL(strstr(all.text, cases[i].has));
		}
	}
	unlink(path);
}

UNIT_TESTS(
	{ "a cursor skips to the last full snapshot of a sound file and reports what it skips",
	  test_skipped },
	{ "a total without the snapshots in the middle equals the total of a walk over all of them",
	  test_totals });
