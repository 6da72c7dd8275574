// SPDX-License-Identifier: GPL-2.0
/*
 * series_join_test.c - the files of one recording are read as one
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "lib/series/counted.h"
#include "lib/series/snapshot_heads.h"
#include "utest/unit/lib/series/series_model.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

#define FILES 4
#define ROUNDS 12 /* snapshots that each file adds */

static char dir[] = "/tmp/trace-cmd-hist-join.XXXXXX";
static char paths[FILES + 1][64]; /* the last one is for a copy */

static int set_up(void)
{
	unsigned int i;

	if (!mkdtemp(dir))
		return 1;
	for (i = 0; i <= FILES; i++)
		snprintf(paths[i], sizeof(paths[i]), "%s/r.%05u.dat", dir, i + 1);
	return 0;
}

static int tear_down(void)
{
	unsigned int i;

	for (i = 0; i <= FILES; i++)
		unlink(paths[i]);
	return rmdir(dir);
}

/*
 * A recording of FILES files.  Histograms are cleared in the first file and, with @clears, in all, but
 * not before the last snapshot of a file, which is then the first of the next file without a flag.
 */
static struct model *write_files(const struct model_options *options, bool clears)
{
	struct model *m = model_new(paths[0], options);
	uint64_t random = options->seed;
	unsigned int round;
	int h;

	for (round = 0; round <= FILES * ROUNDS; round++) {
		for (h = 0; h < MODEL_HISTS; h++) {
			if ((clears || round < ROUNDS) && round % ROUNDS && test_random(&random) % 6 == 0)
				model_reset(m, h);
			model_count(m, h, test_random(&random) % 60);
			CU_ASSERT_EQUAL(model_snapshot(m, h), 0);
		}
		if (round && round % ROUNDS == 0 && round < FILES * ROUNDS)
			model_continue(m, paths[round / ROUNDS], options);
	}
	model_close(m, true);
	return m;
}

static struct hist_series *open_file(const char *path)
{
	struct hist_series *series = NULL;
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL_FATAL(hist_series_open(&series, path, &error), 0);
	return series;
}

struct seen {
	bool seqs[FILES * ROUNDS + 1];
	bool reset;
};

/* Marks the snapshot with a number as seen, for the first time. */
static void see(void *data, const struct hist_snapshot *head)
{
	struct seen *seen = data;

	CU_ASSERT_FATAL(head->seq <= FILES * ROUNDS);
	CU_ASSERT_FALSE(seen->seqs[head->seq]);
	seen->seqs[head->seq] = true;
	seen->reset |= (head->flags & HIST_SNAP_RESET) != 0;
}

/* The walk after a skip; true if it rebuilds the snapshot @to. */
static bool expect_rest(struct hist_cursor *cursor, const struct truth_hist *truth,
			struct seen *seen, unsigned int to)
{
	const struct hist_snapshot *snap;
	struct hist_snapshot first;
	bool rebuilt = false, reset = seen->reset;
	char *text, *same;

	while (hist_cursor_next(cursor, &snap) == 1) {
		see(seen, snap);
		rebuilt |= snap->seq == to;
		text = model_render(hist_cursor_table(cursor), snap);
		/* the first one may have the flag of a snapshot that was skipped */
		first = *snap;
		first.flags &= ~(reset ? HIST_SNAP_RESET : 0);
		same = model_render(hist_cursor_table(cursor), &first);
		CU_ASSERT(!strcmp(text, truth->snaps[snap->seq].text) ||
			  !strcmp(same, truth->snaps[snap->seq].text));
		CU_ASSERT(!reset || snap->flags & HIST_SNAP_RESET);
		reset = false;
		free(text);
		free(same);
	}
	return rebuilt;
}

/* A cursor that skips up to any snapshot passes all others once, and rebuilds those after it. */
static void expect_skips(struct hist_series *series, const struct truth_hist *truth, int h,
			 unsigned int first, unsigned int last, unsigned int gap,
			 unsigned int after)
{
	const struct hist_snapshot *snap;
	struct hist_cursor *cursor;
	unsigned int to, i;
	struct seen seen;
	bool rebuilt;

	for (to = first; to <= last; to++) {
		memset(&seen, 0, sizeof(seen));
		CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&cursor, series, h, first), 0);
		CU_ASSERT_EQUAL_FATAL(hist_cursor_next(cursor, &snap), 1);
		see(&seen, snap);
		seen.reset = false;
		CU_ASSERT_EQUAL(hist_cursor_skip(cursor, to, see, &seen), 0);
		rebuilt = expect_rest(cursor, truth, &seen, to);
		CU_ASSERT(rebuilt || to == first || (to >= gap && to < after));
		for (i = first; i <= last; i++)
			CU_ASSERT_EQUAL(seen.seqs[i], i < gap || i >= after);
		hist_cursor_free(cursor);
	}
}

/* @series has the snapshots of the truth from @first to @last, except those from @gap to @after. */
static void expect_part(struct hist_series *series, const struct model *m, unsigned int first,
			unsigned int last, unsigned int gap, unsigned int after)
{
	const struct hist_series_damage *damage = hist_series_damage(series);
	const struct hist_series_info *info;
	const struct hist_snapshot *snap;
	const struct truth_hist *truth;
	struct hist_cursor *cursor;
	unsigned int at, from;
	uint64_t generation;
	char *text;
	int h;

	for (h = 0; h < MODEL_HISTS; h++) {
		truth = model_truth(m, h);
		info = hist_series_info(series, h);
		CU_ASSERT_EQUAL(info->snapshots, last - first + 1 - (after - gap));
		CU_ASSERT_EQUAL(info->first_seq, truth->snaps[first].seq);
		CU_ASSERT_EQUAL(info->last_seq, truth->snaps[last].seq);
		CU_ASSERT_EQUAL(info->first_time, truth->snaps[first].time);
		CU_ASSERT_EQUAL(info->last_time, truth->snaps[last].time);
		/* from the start, and from each place that a walk can jump to */
		for (from = first; from <= last; from += ROUNDS / 2) {
			CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&cursor, series, h,
							       truth->snaps[from].seq), 0);
			at = from;
			generation = 0;
			while (hist_cursor_next(cursor, &snap) == 1) {
				if (snap->seq < truth->snaps[from].seq)
					continue;
				/* entries keep their numbers, also in the next file */
				if (generation && !(snap->flags & HIST_SNAP_RESET))
					CU_ASSERT_EQUAL(generation, hist_table_generation(
								hist_cursor_table(cursor)));
				generation = hist_table_generation(hist_cursor_table(cursor));
				at = at >= gap && at < after ? after : at;
				CU_ASSERT_FATAL(at <= last);
				text = model_render(hist_cursor_table(cursor), snap);
				CU_ASSERT_STRING_EQUAL(text, truth->snaps[at].text);
				free(text);
				at++;
			}
			CU_ASSERT_EQUAL(at, last + 1);
			hist_cursor_free(cursor);
		}
	}
	CU_ASSERT_EQUAL(hist_series_visit_heads(series, NULL, NULL), 0);
	for (h = 0; h < MODEL_HISTS; h++)
		expect_skips(series, model_truth(m, h), h, first, last, gap, after);
	CU_ASSERT_FALSE(damage->unfinished);
	CU_ASSERT_EQUAL(damage->bad_sections, 0);
	CU_ASSERT_EQUAL(damage->lost_snapshots, 0);
}

#define NO_GAP 10000, 10000

static int count_head(void *data, unsigned int hist, const struct hist_snapshot *head)
{
	uint32_t *next = data;

	CU_ASSERT_EQUAL(head->seq, next[hist]);
	next[hist] = head->seq + 1;
	return 0;
}

static void test_alone(void)
{
	struct model *m = write_files(&(struct model_options){ .seed = 3, .trace_id = 7 }, true);
	struct hist_series *series;
	unsigned int i;

	for (i = 0; i < FILES; i++) {
		series = open_file(paths[i]);
		CU_ASSERT_EQUAL(tracedat_trace_id(hist_series_file(series)), 7);
		expect_part(series, m, i * ROUNDS, (i + 1) * ROUNDS, NO_GAP);
		hist_series_free(series);
	}
	model_free(m);
}

static void joins_all(const struct model_options *options)
{
	static const unsigned int orders[][FILES] = { { 0, 1, 2, 3 }, { 3, 1, 0, 2 } };
	struct model *m = write_files(options, true);
	struct hist_series *files[FILES];
	uint32_t next[MODEL_HISTS];
	unsigned int o, i, left;
	char range[160];

	snprintf(range, sizeof(range), "%s to %s", paths[0], paths[FILES - 1]);
	for (o = 0; o < 2; o++) {
		for (i = 0; i < FILES; i++)
			files[i] = open_file(paths[orders[o][i]]);
		CU_ASSERT_EQUAL(hist_series_join(files, FILES, &left), 0);
		CU_ASSERT_EQUAL_FATAL(left, 1);
		CU_ASSERT_PTR_NULL(files[1]);
		CU_ASSERT_STRING_EQUAL(hist_series_path(files[0]), range);
		expect_part(files[0], m, 0, FILES * ROUNDS, NO_GAP);
		memset(next, 0, sizeof(next));
		CU_ASSERT_EQUAL(hist_series_visit_heads(files[0], count_head, next), 0);
		CU_ASSERT_EQUAL(next[0], FILES * ROUNDS + 1);
		hist_series_free(files[0]);
	}
	model_free(m);
}

static void test_joined(void)
{
	joins_all(&(struct model_options){ HIST_COMPRESS_ZSTD, false, 11, 1 });
	joins_all(&(struct model_options){ HIST_COMPRESS_NONE, true, 12, UINT64_MAX });
}

static void test_gap(void)
{
	struct model *m = write_files(&(struct model_options){ .seed = 5, .trace_id = 9 }, false);
	struct hist_series *files[] = { open_file(paths[0]), open_file(paths[2]) };
	unsigned int left;

	CU_ASSERT_EQUAL(hist_series_join(files, 2, &left), 0);
	CU_ASSERT_EQUAL_FATAL(left, 1);
	expect_part(files[0], m, 0, 3 * ROUNDS, ROUNDS + 1, 2 * ROUNDS);
	hist_series_free(files[0]);
	model_free(m);
}

static void test_separate(void)
{
	struct model *m = write_files(&(struct model_options){ .seed = 6, .trace_id = 4 }, true);
	struct model *other = model_new(paths[FILES], &(struct model_options){ .seed = 6,
									       .trace_id = 5 });
	struct hist_series *files[5];
	unsigned int left;
	int h;

	for (h = 0; h < MODEL_HISTS; h++)
		CU_ASSERT_EQUAL(model_snapshot(other, h), 0);
	model_close(other, true);
	model_free(other);
	/* the second file twice, and one of another recording */
	files[0] = open_file(paths[1]);
	files[1] = open_file(paths[FILES]);
	files[2] = open_file(paths[0]);
	files[3] = open_file(paths[1]);
	CU_ASSERT_EQUAL(hist_series_join(files, 4, &left), 0);
	CU_ASSERT_EQUAL_FATAL(left, 3);
	CU_ASSERT_STRING_EQUAL(hist_series_path(files[0]), paths[FILES]);
	expect_part(files[1], m, 0, 2 * ROUNDS, NO_GAP);
	CU_ASSERT_STRING_EQUAL(hist_series_path(files[2]), paths[1]);
	while (left--)
		hist_series_free(files[left]);
	model_free(m);
}

/* A file that is cut does not change what comes after it. */
static void test_truncated(void)
{
	struct model *m = write_files(&(struct model_options){ .seed = 8, .trace_id = 2 }, true);
	const struct hist_snapshot *snap;
	struct hist_series *files[2];
	struct hist_cursor *cursor;
	unsigned int left, n = 0;
	struct stat st;
	char *text;

	CU_ASSERT_EQUAL_FATAL(stat(paths[0], &st), 0);
	CU_ASSERT_EQUAL_FATAL(truncate(paths[0], st.st_size - 200), 0);
	files[0] = open_file(paths[0]);
	files[1] = open_file(paths[1]);
	CU_ASSERT_EQUAL(hist_series_join(files, 2, &left), 0);
	CU_ASSERT_EQUAL_FATAL(left, 1);
	CU_ASSERT(hist_series_damage(files[0])->truncated);
	CU_ASSERT_FALSE(hist_series_damage(files[0])->unfinished);
	CU_ASSERT_EQUAL(hist_series_damage(files[0])->bad_sections, 0);
	CU_ASSERT_EQUAL(hist_cursor_open(&cursor, files[0], 0, 0), 0);
	while (hist_cursor_next(cursor, &snap) == 1) {
		CU_ASSERT_FATAL(snap->seq <= 2 * ROUNDS);
		text = model_render(hist_cursor_table(cursor), snap);
		CU_ASSERT_STRING_EQUAL(text, model_truth(m, 0)->snaps[snap->seq].text);
		free(text);
		n += snap->seq >= ROUNDS;
	}
	CU_ASSERT_EQUAL(n, ROUNDS + 1);
	hist_cursor_free(cursor);
	hist_series_free(files[0]);
	model_free(m);
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines of @text, which is freed, in one order. */
static char *sort_lines(char *text)
{
	char *lines[4096], *line, *sorted = calloc(1, strlen(text) + 2);
	unsigned int n = 0, i;

	for (line = strtok(text, "\n"); line && n < 4096; line = strtok(NULL, "\n"))
		lines[n++] = line;
	qsort(lines, n, sizeof(*lines), compare_lines);
	for (i = 0; i < n; i++) {
		strcat(sorted, lines[i]);
		strcat(sorted, "\n");
	}
	free(text);
	return sorted;
}

/* The counters of the last snapshot, as text. */
static char *count_series(struct hist_series *series, int h, bool without_setup, uint32_t *resets)
{
	const struct hist_snapshot *snap;
	struct hist_counted *counted;
	struct hist_cursor *cursor;
	uint64_t hits = 0;
	char *text;

	CU_ASSERT_EQUAL_FATAL(hist_series_begin_counting(&counted, series, h, without_setup), 1);
	CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&cursor, series, h, 0), 0);
	while (hist_cursor_next(cursor, &snap) == 1) {
		CU_ASSERT_EQUAL(hist_counted_update(counted, hist_cursor_table(cursor), snap,
						    snap->flags & HIST_SNAP_RESET), 0);
		CU_ASSERT(counted->sums.hits >= hits);
		hits = counted->sums.hits;
	}
	*resets = counted->resets;
	counted->sums.flags = 0;
	text = sort_lines(model_render(counted->table, &counted->sums));
	hist_cursor_free(cursor);
	hist_counted_free(counted);
	return text;
}

/* Without any of its first files, a recording has the counters that it has with all. */
static void test_counters(void)
{
	const struct model_options options = { .seed = 31, .trace_id = 6 };
	struct model *m = write_files(&options, true);
	struct hist_series *files[FILES];
	unsigned int from, i, left, setup;
	char *all[2][MODEL_HISTS], *text;
	uint32_t resets[MODEL_HISTS], n;
	int h;

	for (from = 0; from < FILES; from++) {
		for (i = from; i < FILES; i++)
			files[i] = open_file(paths[i]);
		CU_ASSERT_EQUAL(hist_series_join(files + from, FILES - from, &left), 0);
		CU_ASSERT_EQUAL_FATAL(left, 1);
		for (h = 0; h < MODEL_HISTS; h++) {
			for (setup = 0; setup < 2; setup++) {
				text = count_series(files[from], h, !setup, &n);
				if (from) {
					CU_ASSERT_EQUAL(n, resets[h]);
					CU_ASSERT_STRING_EQUAL(text, all[setup][h]);
					free(text);
					continue;
				}
				all[setup][h] = text;
				resets[h] = n;
				CU_ASSERT(n > 2);
			}
			CU_ASSERT(from || strcmp(all[0][h], all[1][h]));
		}
		hist_series_free(files[from]);
	}
	for (h = 0; h < MODEL_HISTS; h++) {
		free(all[0][h]);
		free(all[1][h]);
	}
	model_free(m);
}

#define MANY 150

static void many_path(char *path, size_t len, unsigned int i)
{
	snprintf(path, len, "%s/m.%05u.dat", dir, i);
}

static struct model *write_many(void)
{
	const struct model_options options = { .seed = 21, .trace_id = 3 };
	struct model *m;
	unsigned int i;
	char path[64];
	int h;

	many_path(path, sizeof(path), 0);
	m = model_new(path, &options);
	for (i = 0; i <= MANY; i++) {
		for (h = 0; h < MODEL_HISTS; h++) {
			model_count(m, h, 3);
			CU_ASSERT_EQUAL(model_snapshot(m, h), 0);
		}
		many_path(path, sizeof(path), i);
		if (i && i < MANY)
			model_continue(m, path, &options);
	}
	model_close(m, true);
	return m;
}

static void remove_many(void)
{
	unsigned int i;
	char path[64];

	for (i = 0; i < MANY; i++) {
		many_path(path, sizeof(path), i);
		unlink(path);
	}
}

static unsigned int count_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned int n = 0;

	CU_ASSERT_FATAL(d != NULL);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static struct hist_series *join_many(struct tracedat_pool *pool)
{
	struct hist_series *files[MANY];
	unsigned int i, left;
	struct hist_error error = { 0 };
	char path[64];

	for (i = 0; i < MANY; i++) {
		many_path(path, sizeof(path), MANY - 1 - i);
		CU_ASSERT_EQUAL_FATAL(hist_series_open_in(pool, &files[i], path, &error), 0);
	}
	CU_ASSERT_EQUAL(hist_series_join(files, MANY, &left), 0);
	CU_ASSERT_EQUAL_FATAL(left, 1);
	return files[0];
}

static void expect_walk(struct hist_series *series, const struct model *m)
{
	const struct hist_snapshot *snap;
	struct hist_cursor *cursor;
	unsigned int n = 0;
	char *text;
	int h;

	CU_ASSERT_EQUAL(hist_series_visit_heads(series, NULL, NULL), 0);
	for (h = 0; h < MODEL_HISTS; h++, n = 0) {
		CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&cursor, series, h, 0), 0);
		while (hist_cursor_next(cursor, &snap) == 1) {
			text = model_render(hist_cursor_table(cursor), snap);
			CU_ASSERT_STRING_EQUAL(text, model_truth(m, h)->snaps[n++].text);
			free(text);
		}
		CU_ASSERT_EQUAL(n, MANY + 1);
		hist_cursor_free(cursor);
	}
}

/* A pool has a fixed number of descriptors, and half of them if the process gets no more. */
static void test_many(void)
{
	const unsigned int before = count_descriptors();
	struct rlimit limit, few;
	struct model *m = write_many();
	struct tracedat_pool *pool;
	struct hist_series *series;
	int round;

	CU_ASSERT_EQUAL_FATAL(getrlimit(RLIMIT_NOFILE, &limit), 0);
	for (round = 0; round < 2; round++) {
		few = limit;
		few.rlim_cur = before + 8;
		if (round)
			CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_NOFILE, &few), 0);
		pool = tracedat_pool_new();
		CU_ASSERT_PTR_NOT_NULL_FATAL(pool);
		series = join_many(pool);
		expect_walk(series, m);
		CU_ASSERT(count_descriptors() <= before + (round ? 8 : 64));
		CU_ASSERT_PTR_NULL(tracedat_pool_lost(pool));
		hist_series_free(series);
		tracedat_pool_free(pool);
		CU_ASSERT_EQUAL(setrlimit(RLIMIT_NOFILE, &limit), 0);
		CU_ASSERT_EQUAL(count_descriptors(), before);
	}
	remove_many();
	model_free(m);
}

/* A file without a descriptor that is replaced is an error, and another file is not read for it. */
static void test_lost(void)
{
	struct model *m = write_many();
	struct tracedat_pool *pool = tracedat_pool_new();
	struct hist_series *series = join_many(pool);
	char path[64], other[64];
	unsigned int i;

	/* the last files that were opened in the order from the last to the first */
	for (i = 20; i < 40; i++) {
		many_path(path, sizeof(path), i);
		many_path(other, sizeof(other), 100);
		CU_ASSERT_EQUAL(unlink(path), 0);
		CU_ASSERT_EQUAL(link(other, path), 0);
	}
	CU_ASSERT_EQUAL(hist_series_visit_heads(series, NULL, NULL), -EIO);
	many_path(path, sizeof(path), 20);
	CU_ASSERT_PTR_NOT_NULL_FATAL(tracedat_pool_lost(pool));
	CU_ASSERT_STRING_EQUAL(tracedat_pool_lost(pool), path);
	hist_series_free(series);
	tracedat_pool_free(pool);
	remove_many();
	model_free(m);
}

UNIT_TESTS_WITH(set_up, tear_down,
	{ "each file of a rotated recording has all snapshots from the last one of the file before",
	  test_alone },
	{ "the files of a rotated recording are one series, in any order of the files", test_joined },
	{ "a missing file between two others is a gap, and no damage", test_gap },
	{ "a copy of a file and a file of another recording are not joined", test_separate },
	{ "a truncated file does not change the snapshots of the next file", test_truncated },
	{ "counters do not depend on how many of the first files are missing", test_counters },
	{ "many files need a fixed number of descriptors, and fewer if there are no more", test_many },
	{ "a file that is replaced while many are read is an error that names it", test_lost });
