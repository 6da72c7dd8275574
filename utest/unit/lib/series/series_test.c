// SPDX-License-Identifier: GPL-2.0
/*
 * series_test.c - what is written is read back, from every place
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "lib/series/series_private.h"
#include "utest/unit/lib/series/series_model.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static char path[] = "/tmp/trace-cmd-hist-series.XXXXXX";

static int suite_setup(void)
{
	int fd = mkstemp(path);

	return fd < 0 ? 1 : close(fd);
}

static int suite_cleanup(void)
{
	return unlink(path);
}

static struct hist_series *must_open(void)
{
	struct hist_series *series = NULL;
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL(hist_series_open(&series, path, &error), 0);
	if (!series)
		printf("\n%s\n", test_error(&error));
	CU_ASSERT_PTR_NOT_NULL_FATAL(series);
	return series;
}

/* Walks in which the cursor knew of any snapshot what changed. */
static unsigned int walks_told;

/* @before becomes @snap; whether nothing changed but what the cursor says. */
static bool follows(struct hist_snapshot *before, const struct hist_cursor *cursor,
		    const struct hist_snapshot *snap)
{
	const struct hist_schema *schema = hist_table_schema(hist_cursor_table(cursor));
	size_t size = (size_t)snap->nentries * schema->nvalues * sizeof(*snap->values);
	const uint32_t *changed;
	uint32_t n, i;

	changed = hist_cursor_changed(cursor, &n);
	/* the walk may have begun before */
	if (!changed || !before->values)
		return !hist_snapshot_copy(before, snap, schema);
	for (i = 1; i < n; i++)
		if (changed[i] <= changed[i - 1])
			return false;
	if (n && changed[n - 1] >= snap->nentries)
		return false;
	if (hist_snapshot_follow(before, snap, schema, changed, n))
		return false;
	return before->nentries == snap->nentries && before->hits == snap->hits &&
	       (!size || !memcmp(before->values, snap->values, size));
}

/* The cursor's next snapshots are those of the truth from @first on, to its end. */
static void expect_walk(struct hist_cursor *cursor, const struct truth_hist *truth,
			unsigned int first)
{
	struct hist_snapshot before = { 0 };
	const struct hist_snapshot *snap;
	unsigned int told = 0;
	uint32_t n;
	char *text;
	int ret;

	while ((ret = hist_cursor_next(cursor, &snap)) == 1) {
		CU_ASSERT_PTR_EQUAL(hist_cursor_snapshot(cursor), snap);
		told += hist_cursor_changed(cursor, &n) != NULL;
		CU_ASSERT(follows(&before, cursor, snap));
		CU_ASSERT_FATAL(first < truth->n);
		text = model_render(hist_cursor_table(cursor), snap);
		CU_ASSERT_STRING_EQUAL(text, truth->snaps[first].text);
		free(text);
		first++;
	}
	CU_ASSERT_EQUAL(ret, 0);
	/* at the end it stands where it was */
	CU_ASSERT_PTR_EQUAL(hist_cursor_snapshot(cursor), snap);
	CU_ASSERT_EQUAL(first, truth->n);
	walks_told += told > 0;
	hist_snapshot_clear(&before);
}

static void expect_sound(const struct hist_series *series)
{
	const struct hist_series_damage *damage = hist_series_damage(series);

	CU_ASSERT_FALSE(damage->unfinished);
	CU_ASSERT_FALSE(damage->truncated);
	CU_ASSERT_EQUAL(damage->bad_sections, 0);
	CU_ASSERT_EQUAL(damage->lost_snapshots, 0);
}

static void expect_all(const struct model *m)
{
	struct hist_series *series = must_open();
	const struct hist_series_info *info;
	const struct truth_hist *truth;
	struct hist_cursor *cursor;
	char event[32];
	int h;

	CU_ASSERT_EQUAL(hist_series_count(series), MODEL_HISTS);
	CU_ASSERT_PTR_NULL(hist_series_info(series, MODEL_HISTS));
	for (h = 0; h < MODEL_HISTS; h++) {
		truth = model_truth(m, h);
		info = hist_series_info(series, h);
		snprintf(event, sizeof(event), "test:event%d", h);
		CU_ASSERT_STRING_EQUAL(info->def.event, event);
		CU_ASSERT_STRING_EQUAL(info->def.trigger, "hist:keys=x");
		CU_ASSERT_STRING_EQUAL(info->def.host, "box");
		CU_ASSERT_EQUAL(info->snapshots, truth->n);
		CU_ASSERT_EQUAL(info->first_seq, truth->snaps[0].seq);
		CU_ASSERT_EQUAL(info->last_seq, truth->snaps[truth->n - 1].seq);
		CU_ASSERT_EQUAL(info->first_time, truth->snaps[0].time);
		CU_ASSERT_EQUAL(info->last_time, truth->snaps[truth->n - 1].time);
		CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&cursor, series, h, 0), 0);
		CU_ASSERT_PTR_NULL(hist_cursor_snapshot(cursor));
		expect_walk(cursor, truth, 0);
		hist_cursor_free(cursor);
	}
	expect_sound(series);
	hist_series_free(series);
}

static void round_trip(const struct model_options *options)
{
	struct model *m = model_new(path, options);
	uint64_t random = options->seed;
	unsigned int round;
	int h;

	for (round = 0; round < 120; round++) {
		for (h = 0; h < MODEL_HISTS; h++) {
			if (test_random(&random) % 40 == 0)
				model_reset(m, h);
			if (test_random(&random) % 8)
				model_count(m, h, test_random(&random) % 60);
			CU_ASSERT_EQUAL(model_snapshot(m, h), 0);
		}
	}
	model_close(m, true);
	expect_all(m);
	model_free(m);
}

static void test_round_trips(void)
{
	static const enum hist_compression kinds[] = {
		HIST_COMPRESS_NONE, HIST_COMPRESS_ZSTD, HIST_COMPRESS_ZLIB,
	};
	const bool all = test_is_long();
	unsigned int i;

	walks_told = 0;
	/* without CHECK_LONG the byte orders take turns */
	for (i = 0; i < 3; i++) {
		if (all || i != 1)
			round_trip(&(struct model_options){ kinds[i], false, 11 + i, 0 });
		if (all || i == 1)
			round_trip(&(struct model_options){ kinds[i], true, 21 + i, 0 });
	}
	CU_ASSERT_EQUAL(walks_told, (all ? 6 : 3) * MODEL_HISTS);
}

/* An empty histogram, and one whose first rows come late. */
static void test_empty(void)
{
	struct model *m = model_new(path, &(struct model_options){ .seed = 5 });
	int h, i;

	for (i = 0; i < 6; i++) {
		for (h = 0; h < MODEL_HISTS; h++) {
			if (h == 1 && i > 2)
				model_count(m, h, 10);
			CU_ASSERT_EQUAL(model_snapshot(m, h), 0);
		}
	}
	model_close(m, true);
	expect_all(m);
	model_free(m);
}

/* Every seek, by number and by time, gives what a walk from the start gives. */
static void test_seek(void)
{
	struct model *m = model_new(path, &(struct model_options){ HIST_COMPRESS_ZSTD, false, 31, 0 });
	const struct truth_hist *truth;
	const struct hist_snapshot *snap;
	struct hist_series *series;
	struct hist_cursor *cursor;
	unsigned int i, steps, fulls;
	char *text;
	int h = 2, by_time, ret;

	for (i = 0; i < 200; i++) {
		if (i == 70)
			model_reset(m, h);
		if (i % 50 == 49)
			model_skip(m, h);
		model_count(m, h, 8);
		CU_ASSERT_EQUAL(model_snapshot(m, h), 0);
	}
	model_close(m, true);
	truth = model_truth(m, h);
	series = must_open();
	fulls = series->streams[h].fulls;
	/* full ones came again, but not all are */
	CU_ASSERT_TRUE(fulls > 4 && fulls < 100);
	for (i = 0; i < truth->n; i++) {
		for (by_time = 0; by_time < 2; by_time++) {
			ret = by_time ? hist_cursor_open_at(&cursor, series, 0,
							    truth->snaps[i].time + 500) :
					hist_cursor_open(&cursor, series, 0, truth->snaps[i].seq);
			CU_ASSERT_EQUAL(ret, 0);
			for (steps = 1; hist_cursor_next(cursor, &snap) == 1; steps++) {
				CU_ASSERT_TRUE_FATAL(snap->seq <= truth->snaps[i].seq);
				if (snap->seq == truth->snaps[i].seq)
					break;
			}
			text = model_render(hist_cursor_table(cursor), snap);
			CU_ASSERT_STRING_EQUAL(text, truth->snaps[i].text);
			free(text);
			/* it began near, not at the start */
			CU_ASSERT_TRUE(steps < 120 && (i < 150 || steps < 80));
			if (i % 20 == 0)
				expect_walk(cursor, truth, i + 1);
			hist_cursor_free(cursor);
		}
	}
	/* before the first and behind the last */
	CU_ASSERT_EQUAL(hist_cursor_open_at(&cursor, series, 0, 0), 0);
	expect_walk(cursor, truth, 0);
	hist_cursor_free(cursor);
	CU_ASSERT_EQUAL(hist_cursor_open(&cursor, series, 0, UINT32_MAX), 0);
	CU_ASSERT_EQUAL(hist_cursor_next(cursor, &snap), 1);
	hist_cursor_free(cursor);
	CU_ASSERT_EQUAL(hist_cursor_open(&cursor, series, 1, 0), -EINVAL);
	/* what was skipped counts as lost: four gaps of one */
	CU_ASSERT_EQUAL(hist_series_damage(series)->lost_snapshots, 4);
	CU_ASSERT_EQUAL(hist_series_damage(series)->bad_sections, 0);
	hist_series_free(series);
	model_free(m);
}

/* The kinds of keys may be settled by the first rows, after empty snapshots. */
static void test_settled_late(void)
{
	static const struct hist_schema unknown = {
		.nkeys = 1, .nvalues = 1,
		.keys = { { .name = (char *)"x", .kind = HIST_KEY_UNKNOWN } },
		.values = { { .name = (char *)"hitcount", .kind = HIST_VALUE_SUM } },
	};
	struct tracedat_contents contents = fixture_contents(HIST_COMPRESS_ZSTD);
	struct hist_definition def = { .event = "a:b", .trigger = "hist:keys=x" };
	struct hist_table *table = hist_table_new(&unknown);
	struct hist_snapshot snap = { 0 };
	const struct hist_snapshot *got;
	struct hist_cell cell = { 0 };
	struct hist_series_writer *w;
	struct hist_series *series;
	struct hist_cursor *cursor;
	struct tracedat_writer *dat;
	int fd = open(path, O_RDWR | O_TRUNC), with_rows;
	uint32_t entry;

	for (with_rows = 0; with_rows < 2; with_rows++) {
		CU_ASSERT_EQUAL_FATAL(ftruncate(fd, 0), 0);
		CU_ASSERT_EQUAL_FATAL(tracedat_create(&dat, fd, &contents), 0);
		CU_ASSERT_EQUAL_FATAL(hist_series_writer_new(&w, dat), 0);
		CU_ASSERT_EQUAL(hist_series_define(w, &def, table), 0);
		CU_ASSERT_EQUAL(hist_series_add(w, 0, &snap), 0);
		if (with_rows) {
			hist_table_schema(table)->keys[0].kind = HIST_KEY_STRING;
			CU_ASSERT_EQUAL(hist_table_intern(table, "late", 4, &cell.str), 0);
			CU_ASSERT_EQUAL(hist_table_add(table, &cell, &entry), 0);
			CU_ASSERT_EQUAL(hist_snapshot_grow(&snap, &unknown, 1), 0);
			snap.values[0] = 77;
			snap.seq = 1;
			CU_ASSERT_EQUAL(hist_series_add(w, 0, &snap), 0);
		}
		hist_series_writer_free(w);
		tracedat_writer_free(dat);

		series = must_open();
		CU_ASSERT_EQUAL(hist_cursor_open(&cursor, series, 0, 0), 0);
		CU_ASSERT_EQUAL(hist_cursor_next(cursor, &got), 1);
		CU_ASSERT_EQUAL(got->nentries, 0);
		CU_ASSERT_EQUAL(hist_cursor_next(cursor, &got), with_rows);
		if (with_rows) {
			CU_ASSERT_STRING_EQUAL(hist_table_string(hist_cursor_table(cursor), 0, NULL),
					       "late");
			CU_ASSERT_EQUAL(got->values[0], 77);
			CU_ASSERT_EQUAL(hist_series_info(series, 0)->def.schema->keys[0].kind,
					HIST_KEY_STRING);
		}
		/* no end mark was written */
		CU_ASSERT_TRUE(hist_series_damage(series)->unfinished);
		CU_ASSERT_FALSE(hist_series_damage(series)->truncated);
		hist_cursor_free(cursor);
		hist_series_free(series);
	}
	close(fd);
	hist_table_free(table);
	hist_snapshot_clear(&snap);
}

static size_t file_size(void)
{
	struct stat st;

	CU_ASSERT_EQUAL_FATAL(stat(path, &st), 0);
	return st.st_size;
}

/* The disk is full now and then: the file stays good, and what did fit is right. */
static void test_append_fails(void)
{
	struct model *m = model_new(path, &(struct model_options){ HIST_COMPRESS_ZSTD, false, 41, 0 });
	const struct truth_hist *truth = model_truth(m, 0);
	struct rlimit old, tight;
	struct hist_series *series;
	struct hist_cursor *cursor;
	unsigned int i, failed = 0;
	size_t before;
	int ret;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	tight = old;
	for (i = 0; i < 60; i++) {
		if (i % 12 == 7)
			model_reset(m, 0);
		model_count(m, 0, 20);
		before = file_size();
		/* room for none, or only for a part of it; among them resets, and the first */
		tight.rlim_cur = before + (i % 5) * 30;
		if (i % 4 == 3 || i == 0)
			setrlimit(RLIMIT_FSIZE, &tight);
		ret = model_snapshot(m, 0);
		setrlimit(RLIMIT_FSIZE, &old);
		if (ret) {
			CU_ASSERT_EQUAL(ret, -EFBIG);
			/* the definition may have fit */
			CU_ASSERT_TRUE(i == 0 || file_size() == before);
			failed++;
		}
	}
	signal(SIGXFSZ, SIG_DFL);
	CU_ASSERT_TRUE(failed >= 10);
	CU_ASSERT_EQUAL(truth->n, 60 - failed);
	model_close(m, true);
	series = must_open();
	CU_ASSERT_EQUAL(hist_cursor_open(&cursor, series, 0, 0), 0);
	expect_walk(cursor, truth, 0);
	CU_ASSERT_EQUAL(hist_series_damage(series)->bad_sections, 0);
	/* all but the first are seen as gaps */
	CU_ASSERT_EQUAL(hist_series_damage(series)->lost_snapshots,
			truth->snaps[truth->n - 1].seq - truth->snaps[0].seq + 1 - truth->n);
	hist_cursor_free(cursor);
	hist_series_free(series);
	model_free(m);
}

/* Heap in use at most while a file of @n snapshots is opened and walked. */
static size_t memory_for(unsigned int n)
{
	struct model *m = model_new(path, &(struct model_options){ HIST_COMPRESS_ZSTD, false, 51, 0 });
	const struct hist_snapshot *snap;
	struct hist_series *series;
	struct hist_cursor *cursor;
	size_t before, most = 0, now;
	unsigned int i, seen = 0;

	model_count(m, 1, 300);
	for (i = 0; i < n; i++) {
		if (i % 2)
			model_reset(m, 1); /* makes a full snapshot */
		model_count(m, 1, 100);
		CU_ASSERT_EQUAL_FATAL(model_snapshot(m, 1), 0);
	}
	model_close(m, true);
	model_free(m);
	malloc_trim(0);
	before = mallinfo2().uordblks;
	series = must_open();
	CU_ASSERT_TRUE(series->streams[1].fulls >= n / 2);
	CU_ASSERT_TRUE(series->streams[1].nseeks <= SEEKS_MAX);
	CU_ASSERT_TRUE(series->streams[1].nseeks > 100);
	CU_ASSERT_TRUE(series->streams[1].stride * series->streams[1].nseeks >= n / 2);
	for (i = 0; i < n; i += n / 3) {
		CU_ASSERT_EQUAL(hist_cursor_open(&cursor, series, 0, i), 0);
		while (hist_cursor_next(cursor, &snap) == 1) {
			seen++;
			now = mallinfo2().uordblks;
			most = now > most ? now : most;
		}
		hist_cursor_free(cursor);
	}
	CU_ASSERT_TRUE(seen >= 2 * n);
	hist_series_free(series);
	return most - before;
}

/*
 * (A sanitizer's allocator says 0; there only the number of seeks is checked.)  20,000 snapshots with
 * CHECK_LONG, else 12,000; in both, half of them are more than there are seeks.
 */
static void test_memory(void)
{
	const unsigned int n = test_is_long() ? 20000 : 12000;
	size_t few = memory_for(n / 8), all = memory_for(n);

	/* the seeks themselves, and the places of snapshots, both of which are bounded */
	CU_ASSERT_TRUE(all <= few + SEEKS_MAX * sizeof(struct series_seek) + 4 * n * sizeof(uint64_t) + 16384);
	CU_ASSERT_TRUE(all < 2 << 20);
}

/* What is known of entries stays true over full snapshots, and ends with a clearing. */
static void test_generations(void)
{
	struct model *m = model_new(path, &(struct model_options){ HIST_COMPRESS_ZSTD, false, 61, 0 });
	unsigned int i, fulls[2] = { 0 }, anew = 0;
	const struct hist_snapshot *snap;
	uint64_t generation = 0, now;
	struct hist_series *series;
	struct hist_cursor *cursor;
	uint32_t n;

	for (i = 0; i < 200; i++) {
		if (i == 150)
			model_reset(m, 0);
		model_count(m, 0, 100);
		CU_ASSERT_EQUAL_FATAL(model_snapshot(m, 0), 0);
	}
	model_close(m, true);
	series = must_open();
	CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&cursor, series, 0, 0), 0);
	for (i = 0; hist_cursor_next(cursor, &snap) == 1; i++) {
		now = hist_table_generation(hist_cursor_table(cursor));
		anew += i && now != generation;
		CU_ASSERT_EQUAL(i && now != generation, i == 150);
		fulls[i >= 150] += !hist_cursor_changed(cursor, &n);
		generation = now;
	}
	CU_ASSERT_EQUAL(i, 200);
	CU_ASSERT_EQUAL(anew, 1);
	/* the first ones, and such that came without need */
	CU_ASSERT(fulls[0] > 2 && fulls[1] > 2);
	hist_cursor_free(cursor);
	hist_series_free(series);
	model_free(m);
}

/* A full snapshot of two keys, pid[name], of which the names are in the table in this order. */
static void put_pair(struct hist_strbuf *b, const struct hist_schema *schema, const char *const *names,
		     uint32_t first, uint32_t second, uint64_t second_pid)
{
	struct hist_table *table = hist_table_new(schema);
	struct hist_snapshot snap = { .seq = 1 };
	uint32_t id, i;

	for (i = 0; i < 2; i++)
		CU_ASSERT_EQUAL(hist_table_intern(table, names[i], strlen(names[i]), &id), 0);
	CU_ASSERT_EQUAL(hist_table_add(table, &(struct hist_cell){ 1, first }, &id), 0);
	CU_ASSERT_EQUAL(hist_table_add(table, &(struct hist_cell){ second_pid, second }, &id), 0);
	CU_ASSERT_EQUAL(hist_snapshot_grow(&snap, schema, 2), 0);
	snapshot_encode(b, table, &snap, NULL, 0, 0, 0);
	hist_snapshot_clear(&snap);
	hist_table_free(table);
}

/* Keys that agree with those before in all but a name, or whose name it is, or a number. */
static void test_other_names(void)
{
	static const struct hist_schema schema = {
		.nkeys = 1, .keys = { { .name = (char *)"pid", .kind = HIST_KEY_EXECNAME } },
		.nvalues = 1, .values = { { .name = (char *)"hitcount", .kind = HIST_VALUE_SUM } },
	};
	static const struct {
		const char *names[2];
		uint32_t first, second;
		uint64_t second_pid;
		const char *expect;
	} pairs[] = {
		{ { "aa", "bb" }, 0, 1, 2, "aabb2" }, { { "aa", "cc" }, 0, 1, 2, "aacc2" },
		{ { "aa", "cc" }, 1, 0, 2, "ccaa2" }, { { "aa", "cc" }, 1, 0, 2, "ccaa2" },
		{ { "aa", "cc" }, 1, 0, 3, "ccaa3" }, { { "aa", "ccc" }, 0, 1, 3, "aaccc3" },
	};
	struct hist_table *table = hist_table_new(&schema);
	struct changed_entries changed = { 0 };
	struct full_keys keys = { 0 };
	struct hist_strbuf b = { 0 };
	uint32_t resets;
	unsigned int i;
	char text[20];
	int ret;

	for (i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		struct hist_snapshot snap = { 0 };
		struct varint_reader t;

		b.len = 0;
		put_pair(&b, &schema, pairs[i].names, pairs[i].first, pairs[i].second,
			 pairs[i].second_pid);
		t = varint_begin(b.data, b.len);
		ret = snapshot_decode(&t, table, &snap, true, false, &resets, &keys, &changed);
		CU_ASSERT_EQUAL(ret, i == 0 || i == 3 ? 0 : SNAPSHOT_OTHER_KEYS);
		if (ret) {
			hist_table_clear(table);
			t = varint_begin(b.data, b.len);
			CU_ASSERT_EQUAL(snapshot_decode(&t, table, &snap, true, false, &resets,
							&keys,
							&changed), 0);
		}
		CU_ASSERT_EQUAL_FATAL(hist_table_entries(table), 2);
		snprintf(text, sizeof(text), "%s%s%u",
			 hist_table_string(table, hist_table_cells(table, 0)->str, NULL),
			 hist_table_string(table, hist_table_cells(table, 1)->str, NULL),
			 (unsigned int)hist_table_cells(table, 1)->num);
		CU_ASSERT_STRING_EQUAL(text, pairs[i].expect);
		hist_snapshot_clear(&snap);
	}
	free(changed.entries);
	hist_strbuf_free(&b);
	hist_table_free(table);
}

static void test_open_errors(void)
{
	struct tracedat_contents contents = fixture_contents(HIST_COMPRESS_NONE);
	struct tracedat_writer *dat;
	struct hist_series *series;
	struct hist_error error = { 0 };
	int fd;

	CU_ASSERT_EQUAL(hist_series_open(&series, "/nonexistent/x.dat", &error), -ENOENT);
	CU_ASSERT_STRING_EQUAL(hist_error_what(&error, -ENOENT), "No such file or directory");
	fd = open(path, O_RDWR | O_TRUNC);
	CU_ASSERT_EQUAL(hist_series_open(&series, path, &error), -EINVAL);
	CU_ASSERT_EQUAL(write(fd, "hello, world, this is no file", 29), 29);
	CU_ASSERT_EQUAL(hist_series_open(&series, path, &error), -EINVAL);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "not a trace.dat file");
	CU_ASSERT_EQUAL(ftruncate(fd, 0), 0);
	CU_ASSERT_EQUAL(tracedat_create(&dat, fd, &contents), 0);
	tracedat_writer_free(dat);
	CU_ASSERT_EQUAL(hist_series_open(&series, path, &error), -ENODATA);
	CU_ASSERT_PTR_NOT_NULL(strstr(test_error(&error), "no snapshot: the recording ended"));
	close(fd);
	hist_series_free(NULL);
	hist_cursor_free(NULL);
	hist_series_writer_free(NULL);
}

UNIT_TESTS_WITH(suite_setup, suite_cleanup,
	{ "a written series reads back with the same snapshots, in each compression and byte order",
	  test_round_trips },
	{ "an empty histogram and a histogram with late first entries read back unchanged",
	  test_empty },
	{ "seeking by number or by time yields the same snapshot as a walk from the start",
	  test_seek },
	{ "the kind of a key that is settled after an empty snapshot reads back",
	  test_settled_late },
	{ "appends that fail on a full disk leave the file valid and count as lost snapshots",
	  test_append_fails },
	{ "reading a series of many snapshots needs less than 2 MiB of memory", test_memory },
	{ "full snapshots keep the table generation, and only a reset starts a new one",
	  test_generations },
	{ "a full snapshot with another name, order or number is detected as other keys",
	  test_other_names },
	{ "opening a missing, foreign or empty series fails with the reason", test_open_errors });
