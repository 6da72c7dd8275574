// SPDX-License-Identifier: GPL-2.0
/*
 * snapshot_heads_test.c - the heads of snapshots are those that a cursor gives, whatever is
 * damaged; forks of a reader; formats of events in a file
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "lib/ringbuf/events.h"
#include "lib/series/snapshot_heads.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/lib/series/series_model.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

#define SNAPSHOTS 60

static char path[] = "/tmp/trace-cmd-hist-heads.XXXXXX";

static int set_up(void)
{
	int fd = mkstemp(path);

	return fd < 0 ? 1 : close(fd);
}

static int tear_down(void)
{
	return unlink(path);
}

static void make_file(enum hist_compression compression, bool big_endian, uint64_t seed)
{
	struct model *m = model_new(path, &(struct model_options){ compression, big_endian, seed, 0 });
	unsigned int i;
	int hist;

	for (i = 0; i < SNAPSHOTS; i++) {
		for (hist = 0; hist < MODEL_HISTS; hist++) {
			model_count(m, hist, test_random(&seed) % 5);
			if (!(test_random(&seed) % 20))
				model_reset(m, hist);
			if (!(test_random(&seed) % 15))
				model_skip(m, hist);
			CU_ASSERT_EQUAL_FATAL(model_snapshot(m, hist), 0);
		}
	}
	model_close(m, true);
	model_free(m);
}

static struct hist_series *opened(void)
{
	struct hist_series *series = NULL;
	struct hist_error error = { 0 };

	return hist_series_open(&series, path, &error) ? NULL : series;
}

/* The heads of one histogram, in a vector. */
struct heads {
	unsigned int hist, n;
	struct hist_snapshot all[SNAPSHOTS];
};

static int keep(void *data, unsigned int hist, const struct hist_snapshot *head)
{
	struct heads *h = data;

	CU_ASSERT(!head->values && !head->nentries);
	if (hist == h->hist && h->n < SNAPSHOTS)
		h->all[h->n++] = *head;
	return 0;
}

/* By heads and by cursors, each with a reader of its own. */
static void compare(unsigned int *shown)
{
	struct hist_series *series = opened(), *walked = opened(), *summed = opened();
	const struct hist_snapshot *snap;
	struct hist_cursor *cursor;
	struct heads heads;
	unsigned int n;

	if (!series || !walked || !summed)
		goto out;
	for (heads.hist = 0; heads.hist < hist_series_count(series); heads.hist++) {
		heads.n = 0;
		CU_ASSERT_EQUAL(hist_series_visit_heads(series, keep, &heads), 0);
		CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&cursor, walked, heads.hist, 0), 0);
		for (n = 0; hist_cursor_next(cursor, &snap) == 1; n++) {
			struct hist_snapshot want = *snap;

			want.values = NULL;
			want.nentries = want.room = 0;
			CU_ASSERT_FATAL(n < heads.n);
			CU_ASSERT(!memcmp(&want, &heads.all[n], sizeof(want)));
		}
		CU_ASSERT_EQUAL(n, heads.n);
		*shown += n;
		hist_cursor_free(cursor);
	}
	CU_ASSERT(!memcmp(hist_series_damage(series), hist_series_damage(walked),
			  sizeof(struct hist_series_damage)));
	/* mere checksums tell the same */
	CU_ASSERT_EQUAL(hist_series_visit_heads(summed, NULL, NULL), 0);
	CU_ASSERT(!memcmp(hist_series_damage(summed), hist_series_damage(walked),
			  sizeof(struct hist_series_damage)));
out:
	hist_series_free(summed);
	hist_series_free(series);
	hist_series_free(walked);
}

static void test_as_cursor(void)
{
	unsigned int shown;
	int i;

	for (i = 0; i < 6; i++) {
		shown = 0;
		make_file(i % 3, i & 1, 100 + i);
		compare(&shown);
		CU_ASSERT_EQUAL(shown, SNAPSHOTS * MODEL_HISTS);
	}
}

/* A changed byte, anywhere. */
static void test_damaged(void)
{
	uint64_t state = 5;
	unsigned int shown, less = 0, i;
	size_t len, at;
	char *file;
	FILE *f;

	make_file(HIST_COMPRESS_NONE, false, 7);
	file = test_read_file(path, &len);
	for (i = 0; i < 400; i++) {
		at = test_random(&state) % len;
		file[at] ^= 1 << i % 8;
		f = fopen(path, "w");
		CU_ASSERT_EQUAL_FATAL(fwrite(file, 1, len - (i % 10 ? 0 : at % 2000), f),
				      len - (i % 10 ? 0 : at % 2000));
		fclose(f);
		file[at] ^= 1 << i % 8;
		shown = 0;
		compare(&shown);
		less += shown < SNAPSHOTS * MODEL_HISTS;
	}
	CU_ASSERT(less > 200);
	free(file);
}

static int stop_at(void *data, unsigned int hist, const struct hist_snapshot *head)
{
	(void)hist;
	(void)head;
	return ++*(int *)data == 10 ? 42 : 0;
}

/* The fork goes on when the name means another file, and with a walk in the first. */
static void test_fork(void)
{
	struct hist_series *series, *fork = NULL, *second = NULL;
	const struct hist_snapshot *snap, *other;
	struct hist_cursor *a, *b;
	struct heads heads = { 0 };
	int n = 0;

	make_file(HIST_COMPRESS_ZSTD, false, 11);
	series = opened();
	CU_ASSERT_EQUAL(hist_series_visit_heads(series, stop_at, &n), 42);
	CU_ASSERT_EQUAL(n, 10);
	CU_ASSERT_EQUAL_FATAL(hist_series_fork(&fork, series), 0);
	unlink(path);
	make_file(HIST_COMPRESS_NONE, false, 12);
	CU_ASSERT_EQUAL(hist_series_visit_heads(fork, keep, &heads), 0);
	CU_ASSERT_EQUAL(heads.n, SNAPSHOTS);
	CU_ASSERT_EQUAL_FATAL(hist_series_fork(&second, fork), 0);
	CU_ASSERT_PTR_EQUAL(hist_series_info(second, 1), hist_series_info(series, 1));
	CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&a, series, 1, 0), 0);
	CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&b, second, 1, 0), 0);
	for (n = 0; hist_cursor_next(a, &snap) == 1; n++) {
		CU_ASSERT_EQUAL_FATAL(hist_cursor_next(b, &other), 1);
		CU_ASSERT(snap->seq == other->seq && snap->hits == other->hits);
	}
	CU_ASSERT_EQUAL(n, SNAPSHOTS);
	hist_cursor_free(a);
	hist_cursor_free(b);
	hist_series_free(second);
	hist_series_free(fork);
	hist_series_free(series);
}

static void test_fork_no_memory(void)
{
	struct hist_series *series, *fork = NULL;
	int ret = 1;
	long n;

	make_file(HIST_COMPRESS_ZLIB, false, 13);
	series = opened();
	for (n = 0; ret; n++) {
		alloc_fail_after(n);
		ret = hist_series_fork(&fork, series);
		alloc_fail_after(-1);
		CU_ASSERT(!ret || ret == -ENOMEM);
	}
	CU_ASSERT(n > 4);
	hist_series_free(fork);
	/* the file was cut meanwhile */
	CU_ASSERT_EQUAL(truncate(path, 5000), 0);
	CU_ASSERT_EQUAL(hist_series_fork(&fork, series), -EBADMSG);
	hist_series_free(series);
}

static void expect_format(const struct hist_events *events, const char *system, const char *name,
			  const char *want)
{
	const char *text = NULL;
	size_t len = 0;
	int ret = hist_events_format(events, system, name, &text, &len);

	CU_ASSERT_EQUAL(ret, want ? 0 : -ENOENT);
	if (!ret && want) {
		CU_ASSERT_EQUAL(len, strlen(want));
		CU_ASSERT(!memcmp(text, want, len));
	}
}

static void test_formats(void)
{
	static const enum hist_compression all[] = { HIST_COMPRESS_NONE, HIST_COMPRESS_ZSTD,
						     HIST_COMPRESS_ZLIB };
	struct hist_events *events;
	unsigned int i;
	struct hist_error error = { 0 };

	for (i = 0; i < 3; i++) {
		make_file(all[i], i == 1, 20);
		CU_ASSERT_EQUAL_FATAL(hist_events_open(&events, path, &error), 0);
		expect_format(events, "sched", "sched_waking", fixture_waking);
		expect_format(events, "sched", "sched_wakeup", fixture_wakeup);
		expect_format(events, "timer", "tick_stop", fixture_tick);
		expect_format(events, "timer", "sched_waking", NULL);
		expect_format(events, "sched", "sched_wak", NULL);
		expect_format(events, "sched", "", NULL);
		expect_format(events, "sch", "sched_waking", NULL);
		hist_events_free(events);
	}
}

/* Whatever the bytes say: an answer, and no read outside (with a sanitizer). */
static void test_formats_damaged(void)
{
	unsigned int i, found = 0, none = 0, bad = 0;
	size_t len, size, at;
	struct hist_events *events;
	uint64_t state = 3;
	const char *text;
	struct hist_error error = { 0 };
	char *file;
	FILE *f;
	int ret;

	make_file(HIST_COMPRESS_NONE, false, 21);
	file = test_read_file(path, &size);
	for (i = 0; i < 1500; i++) {
		/* the first sections: headers and formats */
		at = test_random(&state) % 3000;
		file[at] ^= 1 << i % 8;
		f = fopen(path, "w");
		CU_ASSERT_EQUAL_FATAL(fwrite(file, 1, size, f), size);
		fclose(f);
		file[at] ^= 1 << i % 8;
		ret = hist_events_open(&events, path, &error);
		bad += ret == -EBADMSG;
		if (ret)
			continue;
		ret = hist_events_format(events, "timer", "tick_stop", &text, &len);
		CU_ASSERT(!ret || ret == -ENOENT);
		found += !ret;
		none += ret != 0;
		hist_events_free(events);
	}
	CU_ASSERT(found > 500 && none > 0 && bad > 5);
	free(file);
}

UNIT_TESTS_WITH(set_up, tear_down,
	{ "snapshot heads equal the snapshots that a cursor yields", test_as_cursor },
	{ "snapshot heads equal the snapshots that a cursor yields in a damaged file",
	  test_damaged },
	{ "a forked reader continues to read its file after the path is replaced", test_fork },
	{ "a fork fails with ENOMEM if memory runs out, and with EBADMSG if the file was truncated",
	  test_fork_no_memory },
	{ "a series file yields an event format only for the full names of system and event",
	  test_formats },
	{ "event formats of a damaged series file are found or missing, without a crash",
	  test_formats_damaged });
