// SPDX-License-Identifier: GPL-2.0
/*
 * figures_test.c - the panel's numbers are those of the report for the same window
 *
 * What figures_make() gives is compared with what `trace-cmd hist report --format json` prints,
 * parsed by json-c; what figures_write() writes with its bytes.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include <figures.h>

#include "alloc_fail.h"
#include "panel_fixture.h"
#include "report_run.h"
#include "test_data.h"
#include "tests.h"

#define LAT 0
#define PID 1
#define TICK 2
#define NAME 3

static struct recording *opened(const char *path)
{
	struct recording *r = NULL;
	char why[256] = "";

	CU_ASSERT_EQUAL_FATAL(recording_open(&r, path, why, sizeof(why)), 0);
	return r;
}

static struct figures *made(const struct figures_query *query)
{
	struct figures *f = NULL;

	CU_ASSERT_EQUAL_FATAL(figures_make(&f, query, NULL, NULL), 0);
	return f;
}

static const char *label_of(const struct figures *f, uint32_t entry)
{
	static char label[256];
	struct hist_strbuf b = { 0 };

	figures_row_label(&b, f, entry);
	snprintf(label, sizeof(label), "%.*s", (int)b.len, b.data);
	hist_strbuf_free(&b);
	return label;
}

static uint64_t value_of(const struct figures *f, uint32_t entry, unsigned int value)
{
	return f->view.snap->values[(size_t)entry * f->schema->nvalues + value];
}

static uint64_t member(struct json_object *o, const char *name)
{
	struct json_object *m = NULL;

	CU_ASSERT_FATAL(json_object_object_get_ex(o, name, &m));
	return json_object_get_uint64(m);
}

/* What the report says of the query. */
static void run_report(const struct figures_query *q, const char *format)
{
	const struct recording_snapshot *s;
	char line[256], span[64], top[32] = "";
	uint32_t n;

	s = recording_snapshots(q->recording, q->hist, &n);
	if (q->what == FIGURES_WINDOW)
		snprintf(span, sizeof(span), "--between %u,%u", s[q->from].seq, s[q->to].seq);
	else
		snprintf(span, sizeof(span), "--snapshot %u", s[q->to].seq);
	if (q->top)
		snprintf(top, sizeof(top), " --top %u", q->top);
	snprintf(line, sizeof(line), "-e %s %s%s --format %s %s",
		 recording_name(q->recording, q->hist), span, top, format,
		 recording_path(q->recording));
	report_run(line);
}

static struct json_object *report_snapshot(struct json_object *all)
{
	struct json_object *o = NULL;

	CU_ASSERT_PTR_NOT_NULL_FATAL(all);
	json_object_object_get_ex(all, "histograms", &o);
	CU_ASSERT_EQUAL_FATAL(json_object_array_length(o), 1);
	json_object_object_get_ex(json_object_array_get_idx(o, 0), "snapshots", &o);
	CU_ASSERT_EQUAL_FATAL(json_object_array_length(o), 1);
	return json_object_array_get_idx(o, 0);
}

static void compare_rows(const struct figures *f, struct json_object *snap)
{
	struct json_object *rows = NULL, *row, *value;
	char title[64];
	unsigned int v;
	uint32_t i;

	json_object_object_get_ex(snap, "rows", &rows);
	CU_ASSERT_EQUAL_FATAL(json_object_array_length(rows), f->rows.n);
	for (i = 0; i < f->rows.n; i++) {
		row = json_object_array_get_idx(rows, i);
		json_object_object_get_ex(row, "value", &value);
		for (v = 0; v < f->schema->nvalues; v++) {
			hist_value_title(f->schema, v, title, sizeof(title));
			CU_ASSERT_EQUAL(member(value, title), value_of(f, f->rows.entries[i], v));
		}
		json_object_object_get_ex(row, "key", &row);
		if (json_object_object_get_ex(row, "comm", &value))
			CU_ASSERT(!strncmp(json_object_get_string(value),
					   label_of(f, f->rows.entries[i]),
					   strlen(json_object_get_string(value))));
		if (json_object_object_get_ex(row, "pid", &value))
			CU_ASSERT_STRING_EQUAL(json_object_get_string(value),
					       label_of(f, f->rows.entries[i]));
	}
}

static void compare(const struct figures_query *q)
{
	struct json_object *all, *snap, *from = NULL;
	struct figures *f = made(q);

	run_report(q, "json");
	all = json_tokener_parse(report_out);
	snap = report_snapshot(all);
	CU_ASSERT_EQUAL(member(snap, "seq"), f->view.snap->seq);
	CU_ASSERT_EQUAL(member(snap, "hits"), f->view.snap->hits);
	CU_ASSERT_EQUAL(member(snap, "entries"), f->view.snap->entries);
	CU_ASSERT_EQUAL(member(snap, "dropped"), f->view.snap->dropped);
	CU_ASSERT_EQUAL(member(snap, "lost"), f->view.lost);
	CU_ASSERT_EQUAL(member(snap, "total_rows"), f->rows.total);
	CU_ASSERT_EQUAL(f->whole_rows, f->rows.total);
	json_object_object_get_ex(snap, "from", &from);
	CU_ASSERT_EQUAL(from == NULL, !f->view.difference || f->view.from_nothing);
	if (from)
		CU_ASSERT_EQUAL(member(from, "seq"), f->view.from_seq);
	compare_rows(f, snap);
	json_object_put(all);
	figures_free(f);
}

static void compare_bytes(const struct figures_query *q, enum figures_format format,
			  const char *options)
{
	FILE *out = fopen("written", "w");
	char why[256], *written;

	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	CU_ASSERT_EQUAL(figures_write(q, out, format, NULL, NULL, why, sizeof(why)), 0);
	fclose(out);
	written = report_slurp("written");
	run_report(q, options);
	CU_ASSERT_STRING_EQUAL(written, report_out);
	CU_ASSERT(strlen(written) > 500);
	free(written);
}

static void test_report(void)
{
	struct recording *r = opened("panel.dat");
	static const uint32_t windows[][2] = { { 0, 1 }, { 0, 37 }, { 5, 9 }, { 6, 7 }, { 7, 8 },
					       { 9, 10 }, { 8, 20 }, { 17, 18 }, { 36, 37 } };
	struct figures_query q = { .recording = r };
	unsigned int i;

	for (q.hist = 0; q.hist < 4; q.hist++) {
		for (i = 0; i < sizeof(windows) / sizeof(*windows); i++) {
			q.what = FIGURES_WINDOW;
			q.from = windows[i][0];
			q.to = windows[i][1];
			for (q.top = 0; q.top < 6; q.top += 3) {
				q.columns = q.top * 8;
				compare(&q);
				compare_bytes(&q, FIGURES_JSON, "json");
				compare_bytes(&q, FIGURES_CSV, "csv");
			}
			q.top = 0;
			q.what = FIGURES_SNAPSHOT;
			compare(&q);
			compare_bytes(&q, FIGURES_JSON, "json");
			compare_bytes(&q, FIGURES_SVG_BARS, "svg");
		}
	}
	recording_unref(r);
}

/* What real kernels have counted: keys and values of all kinds. */
static void test_recorded(void)
{
	static const char *const files[] = { "recorded.dat", "shark.dat", "keys.dat" };
	unsigned int i, windows = 0;
	uint64_t state = 77;
	uint32_t n, k;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct figures_query q = { .recording = opened(test_data_path(files[i])) };

		for (; q.hist < recording_count(q.recording); q.hist++) {
			recording_snapshots(q.recording, q.hist, &n);
			for (k = 0; k < 3; k++) {
				q.to = test_random(&state) % n;
				q.from = q.to ? test_random(&state) % q.to : 0;
				q.what = q.to ? FIGURES_WINDOW : FIGURES_SNAPSHOT;
				q.top = test_random(&state) % 4;
				compare_bytes(&q, FIGURES_JSON, "json");
				compare_bytes(&q, FIGURES_CSV, "csv");
				windows += q.to != 0;
			}
		}
		recording_unref(q.recording);
	}
	CU_ASSERT(windows > 30);
}

static void test_charts(void)
{
	struct recording *r = opened("panel.dat");
	struct figures_query q = { .recording = r, .from = 3, .to = 30 };
	char why[256];

	for (q.hist = 0; q.hist < 4; q.hist++) {
		compare_bytes(&q, FIGURES_SVG_BARS, "svg");
		compare_bytes(&q, FIGURES_SVG_HEATMAP, "svg --view heatmap");
	}
	q.hist = LAT;
	compare_bytes(&q, FIGURES_SVG_PERCENTILES, "svg --view percentiles");
	q.what = FIGURES_SNAPSHOT;
	CU_ASSERT_EQUAL(figures_write(&q, stderr, FIGURES_SVG_HEATMAP, NULL, NULL, why, sizeof(why)),
			-EOPNOTSUPP);
	CU_ASSERT_STRING_EQUAL(why, "one snapshot has no course over time: choose a window");
	q.what = FIGURES_WINDOW;
	q.hist = PID;
	CU_ASSERT_EQUAL(figures_write(&q, stderr, FIGURES_SVG_PERCENTILES, NULL, NULL, why,
				      sizeof(why)), -EOPNOTSUPP);
	CU_ASSERT(*why != '\0');
	recording_unref(r);
}

/* A damaged file too, in parts that are whole and over the damage. */
static void test_damaged(void)
{
	struct figures_query q = { 0 };
	const struct recording_snapshot *s;
	unsigned int notes = 0, n;
	struct figures *f;
	uint32_t count;

	panel_damage(LAT, 17);
	q.recording = opened("bad.dat");
	s = recording_snapshots(q.recording, LAT, &count);
	for (q.from = 2; q.from < 10; q.from += 7) {
		for (q.to = q.from + 1; q.to < count; q.to++) {
			compare(&q);
			compare_bytes(&q, FIGURES_JSON, "json");
			f = made(&q);
			CU_ASSERT_EQUAL(f->view.lost, s[q.to].seq - s[q.from].seq - (q.to - q.from));
			for (n = 0; n < f->nnotes; n++)
				notes += strstr(f->notes[n], "not in the file, or damaged") != NULL;
			CU_ASSERT_STRING_EQUAL(f->notes[f->nnotes - 1], recording_damage(q.recording));
			figures_free(f);
		}
	}
	CU_ASSERT(notes > 20);
	recording_unref(q.recording);
}

static void test_notes(void)
{
	struct figures_query q = { .recording = opened("panel.dat"), .hist = PID, .from = 5, .to = 25 };
	struct figures *f = made(&q);

	CU_ASSERT_EQUAL_FATAL(f->nnotes, 4);
	CU_ASSERT_STRING_EQUAL(f->notes[0], "3 hits were dropped and in no row: the table was full, "
					    "record with a larger size=");
	CU_ASSERT_PTR_NOT_NULL(strstr(f->notes[1], "was cleared"));
	CU_ASSERT_STRING_EQUAL(f->notes[2], "2 snapshots are not in the file, or damaged");
	CU_ASSERT_STRING_EQUAL(f->notes[3], recording_damage(q.recording));
	CU_ASSERT(f->view.from_nothing && f->view.reset);
	figures_free(f);
	q.from = 23;
	f = made(&q);
	CU_ASSERT_EQUAL(f->nnotes, 1);
	figures_free(f);
	recording_unref(q.recording);
}

/* Windows side by side, cut anywhere, add up to the whole, entry by entry. */
static void test_add_up(void)
{
	struct figures_query q = { .recording = opened("panel.dat"), .hist = LAT, .from = 2, .to = 37 };
	struct figures *whole = made(&q), *f;
	uint64_t state = 8, *sums;
	uint32_t i, n = whole->view.snap->nentries * whole->schema->nvalues, windows;
	unsigned int round;

	sums = calloc(n, sizeof(*sums));
	for (round = 0; round < 5; round++) {
		memset(sums, 0, n * sizeof(*sums));
		for (q.from = 2, windows = 0; q.from < 37; q.from = q.to, windows++) {
			q.to = q.from + 1 + test_random(&state) % 9;
			q.to = q.to < 37 ? q.to : 37;
			f = made(&q);
			for (i = 0; i < f->view.snap->nentries * f->schema->nvalues; i++)
				sums[i] += f->view.snap->values[i];
			figures_free(f);
		}
		CU_ASSERT(windows > 3);
		CU_ASSERT(!memcmp(sums, whole->view.snap->values, n * sizeof(*sums)));
	}
	free(sums);
	figures_free(whole);
	recording_unref(q.recording);
}

static uint64_t map_sum(const struct hist_heatmap *map)
{
	uint64_t sum = 0;
	unsigned int c;
	uint32_t i;

	for (i = 0; i < map->nrows; i++)
		for (c = 0; c < map->ncolumns && map->rows[i].cells; c++)
			sum += map->rows[i].cells[c];
	return sum;
}

/* All ways of adding up what was counted agree. */
static void test_sums(void)
{
	struct figures_query q = { .recording = opened("panel.dat"), .from = 3, .to = 33,
				   .columns = 12 };
	uint64_t groups = 0, axis = 0;
	struct figures *f = made(&q);
	uint32_t i;

	CU_ASSERT_EQUAL(f->axis, 1);
	CU_ASSERT_EQUAL(f->value, hist_schema_hitcount(f->schema));
	CU_ASSERT_EQUAL(f->whole_total, f->view.snap->hits);
	CU_ASSERT_EQUAL(f->rows.totals[f->value], f->view.snap->hits);
	CU_ASSERT_PTR_NOT_NULL_FATAL(f->map);
	CU_ASSERT(f->map->ncolumns > 6 && f->map->ncolumns <= 12);
	CU_ASSERT_EQUAL(f->map->columns[0].from, 103 * PANEL_SEC);
	CU_ASSERT_EQUAL(f->map->columns[f->map->ncolumns - 1].to, 133 * PANEL_SEC);
	CU_ASSERT_EQUAL(map_sum(f->map), f->view.snap->hits);
	CU_ASSERT_PTR_NOT_NULL_FATAL(f->by_axis);
	for (i = 0; i < f->by_axis->nrows; i++)
		axis += f->by_axis->rows[i].total;
	CU_ASSERT_EQUAL(axis, f->view.snap->hits);
	CU_ASSERT_EQUAL(f->ngroups, 4);
	for (i = 0; i < f->ngroups; i++) {
		groups += f->groups[i].total;
		CU_ASSERT(!i || f->groups[i].total <= f->groups[i - 1].total);
		CU_ASSERT_NOT_EQUAL(figures_group_entry(f, f->groups[i].label), HIST_NO_ENTRY);
	}
	CU_ASSERT_EQUAL(groups, f->view.snap->hits);
	CU_ASSERT_EQUAL(figures_group_entry(f, "nobody"), HIST_NO_ENTRY);
	CU_ASSERT_PTR_NOT_NULL_FATAL(f->percentiles);
	CU_ASSERT_EQUAL(hist_percentiles_total(f->percentiles), f->view.snap->hits);
	CU_ASSERT_EQUAL(hist_percentiles_count(f->percentiles), 4);
	figures_free(f);

	q.hist = NAME;
	f = made(&q);
	CU_ASSERT(f->axis < 0 && !f->by_axis && !f->percentiles && !f->ngroups && *f->why_not);
	CU_ASSERT_EQUAL(f->map->nrows, 2);
	CU_ASSERT_EQUAL(map_sum(f->map), f->view.snap->hits);
	figures_free(f);
	q.what = FIGURES_SNAPSHOT;
	f = made(&q);
	CU_ASSERT_PTR_NULL(f->map);
	figures_free(f);
	q.hist = TICK;
	f = made(&q);
	CU_ASSERT(!f->ns && f->by_axis && f->percentiles);
	figures_free(f);
	recording_unref(q.recording);
}

/* What a search leaves is what going through all rows finds. */
static void expect_search(struct figures_query q, const char *search, const char *plain)
{
	struct figures *all = made(&q), *f;
	uint64_t hits = 0;
	uint32_t i, n = 0;

	q.search = search;
	f = made(&q);
	for (i = 0; i < all->rows.n; i++) {
		if (!strstr(label_of(all, all->rows.entries[i]), plain))
			continue;
		CU_ASSERT(n < f->rows.n && f->rows.entries[n] == all->rows.entries[i]);
		hits += value_of(all, all->rows.entries[i], f->value);
		n++;
	}
	CU_ASSERT_EQUAL(f->rows.n, n);
	CU_ASSERT_EQUAL(f->rows.total, n);
	CU_ASSERT_EQUAL(f->rows.totals[f->value], hits);
	CU_ASSERT_EQUAL(f->whole_rows, all->rows.total);
	CU_ASSERT_EQUAL(f->whole_total, all->whole_total);
	/* it names tasks, which are groups */
	CU_ASSERT_EQUAL(map_sum(f->map), hits);
	if (f->axis >= 0) {
		CU_ASSERT_EQUAL(hist_percentiles_total(f->percentiles), hits);
		CU_ASSERT_EQUAL(f->ngroups, all->ngroups);
	}
	figures_free(f);
	if (n > 2) {
		q.top = 2;
		f = made(&q);
		CU_ASSERT_EQUAL(f->rows.n, 2);
		CU_ASSERT_EQUAL(f->rows.total, n);
		CU_ASSERT_EQUAL(f->rows.rest[f->value] + value_of(f, f->rows.entries[0], f->value) +
				value_of(f, f->rows.entries[1], f->value), hits);
		figures_free(f);
	}
	figures_free(all);
}

static void test_search(void)
{
	struct figures_query q = { .recording = opened("panel.dat"), .hist = LAT, .from = 3, .to = 33,
				   .columns = 8 };
	struct figures *f, *one;
	uint32_t i, total = 0;

	for (q.hist = LAT; q.hist <= NAME; q.hist += NAME) {
		expect_search(q, "KWORKER", "kworker/0:1");
		expect_search(q, "h", "h");
		expect_search(q, "a B", "a b");
		expect_search(q, "", "");
		expect_search(q, "nobody", "nobody");
	}
	q.hist = LAT;
	f = made(&q);
	for (i = 0; i < f->ngroups; i++) {
		q.group = f->groups[i].label;
		one = made(&q);
		CU_ASSERT_EQUAL(map_sum(one->map), f->groups[i].total);
		CU_ASSERT_EQUAL(one->rows.n, f->rows.n);
		total += map_sum(one->map);
		figures_free(one);
	}
	CU_ASSERT_EQUAL(total, f->view.snap->hits);
	figures_free(f);
	recording_unref(q.recording);
}

/* A search in what is written. */
static void test_search_written(void)
{
	struct figures_query q = { .recording = opened("panel.dat"), .hist = LAT, .from = 3, .to = 33,
				   .search = "kworker" };
	FILE *out = fopen("written", "w");
	char why[256], *text;

	CU_ASSERT_EQUAL(figures_write(&q, out, FIGURES_CSV, NULL, NULL, why, sizeof(why)), 0);
	fclose(out);
	text = report_slurp("written");
	CU_ASSERT(strstr(text, "kworker/0:1") && !strstr(text, "Xorg"));
	free(text);
	q.hist = NAME;
	out = fopen("written", "w");
	CU_ASSERT_EQUAL(figures_write(&q, out, FIGURES_SVG_HEATMAP, NULL, NULL, why, sizeof(why)), 0);
	fclose(out);
	text = report_slurp("written");
	CU_ASSERT(strstr(text, "kworker/0:1") && !strstr(text, ">sh<"));
	free(text);
	/* of one snapshot what is not found is no row of 0 either */
	q.what = FIGURES_SNAPSHOT;
	out = fopen("written", "w");
	CU_ASSERT_EQUAL(figures_write(&q, out, FIGURES_SVG_BARS, NULL, NULL, why, sizeof(why)), 0);
	fclose(out);
	text = report_slurp("written");
	CU_ASSERT(strstr(text, "kworker/0:1") && !strstr(text, "sh<") && strstr(text, "in 1 entry"));
	free(text);
	q.search = "nobody";
	out = fopen("written", "w");
	CU_ASSERT_EQUAL(figures_write(&q, out, FIGURES_SVG_BARS, NULL, NULL, why, sizeof(why)), 0);
	fclose(out);
	text = report_slurp("written");
	CU_ASSERT(!strstr(text, "kworker/0:1") && strstr(text, "in 0 entries"));
	free(text);
	recording_unref(q.recording);
}

static void test_text(void)
{
	struct figures_query q = { .recording = opened("panel.dat"), .hist = LAT, .to = 33,
				   .what = FIGURES_SNAPSHOT };
	struct figures *f = made(&q);
	struct hist_strbuf b = { 0 };
	char want[32];
	uint32_t i;

	for (i = 0; i < f->rows.n; i++) {
		CU_ASSERT_EQUAL(figures_entry_of(f, label_of(f, f->rows.entries[i])), f->rows.entries[i]);
		b.len = 0;
		figures_value_text(&b, f, f->rows.entries[i], 1);
		hist_strbuf_char(&b, '\0');
		snprintf(want, sizeof(want), "%lu", (unsigned long)value_of(f, f->rows.entries[i], 1));
		CU_ASSERT_STRING_EQUAL(b.data, want);
	}
	CU_ASSERT_EQUAL(figures_entry_of(f, "nobody"), HIST_NO_ENTRY);
	b.len = 0;
	figures_axis_label(&b, f, &(struct hist_heat_row){ .ge = 33, .le = 64 });
	hist_strbuf_char(&b, '\0');
	CU_ASSERT_STRING_EQUAL(b.data, "(32, 64]");
	hist_strbuf_free(&b);
	figures_free(f);
	recording_unref(q.recording);
}

/* --- ways out --- */

struct steps {
	unsigned int n, stop, last;
};

static bool step(void *data, unsigned int done)
{
	struct steps *s = data;

	CU_ASSERT(done >= s->last && done <= 1000);
	s->last = done;
	return s->n++ != s->stop;
}

static void test_cancel(void)
{
	struct figures_query q = { .hist = 0, .columns = 32, .to = 2999 };
	struct steps s = { .stop = UINT32_MAX };
	unsigned int calls;
	struct figures *f;
	char why[256];
	FILE *out;

	panel_many(3000);
	q.recording = opened("many.dat");
	CU_ASSERT_EQUAL_FATAL(figures_make(&f, &q, step, &s), 0);
	figures_free(f);
	calls = s.n;
	CU_ASSERT(calls > 50 && s.last > 900);
	f = NULL;
	for (s.stop = 0; s.stop < calls; s.stop += 1 + calls / 9) {
		s.n = s.last = 0;
		CU_ASSERT_EQUAL(figures_make(&f, &q, step, &s), -ECANCELED);
		CU_ASSERT_PTR_NULL(f);
		CU_ASSERT_EQUAL(s.n, s.stop + 1);
		s.n = s.last = 0;
		out = fopen("written", "w");
		CU_ASSERT_EQUAL(figures_write(&q, out, FIGURES_CSV, step, &s, why, sizeof(why)),
				-ECANCELED);
		fclose(out);
	}
	recording_unref(q.recording);
}

static void test_invalid(void)
{
	struct hist_order order = { .n = 1, .sorts = { { .index = 7 } } };
	struct figures_query q = { .recording = opened("panel.dat"), .hist = 4, .to = 1 };
	struct figures *f = NULL;
	char why[256];

	CU_ASSERT_EQUAL(figures_make(&f, &q, NULL, NULL), -EINVAL);
	q.hist = PID;
	q.to = 38;
	CU_ASSERT_EQUAL(figures_make(&f, &q, NULL, NULL), -EINVAL);
	q.from = q.to = 3;
	CU_ASSERT_EQUAL(figures_make(&f, &q, NULL, NULL), -EINVAL);
	CU_ASSERT_EQUAL(figures_write(&q, stderr, FIGURES_CSV, NULL, NULL, why, sizeof(why)), -EINVAL);
	CU_ASSERT_STRING_EQUAL(why, "there is no such snapshot");
	q.to = 4;
	q.order = &order;
	CU_ASSERT_EQUAL(figures_make(&f, &q, NULL, NULL), -EINVAL);
	CU_ASSERT_PTR_NULL(f);
	order.sorts[0] = (struct hist_sort){ .is_key = true, .descending = true };
	f = made(&q);
	CU_ASSERT(f->rows.n > 1);
	CU_ASSERT(hist_table_cells(f->view.table, f->rows.entries[0])->num >
		  hist_table_cells(f->view.table, f->rows.entries[1])->num);
	figures_free(f);
	recording_unref(q.recording);
}

static void test_no_memory(void)
{
	struct figures_query q = { .recording = opened("panel.dat"), .hist = LAT, .from = 3, .to = 30,
				   .columns = 8, .search = "k", .group = "kworker/0:1" };
	struct figures *f = NULL;
	char why[256];
	FILE *out;
	long n;
	int ret = 1;

	for (n = 0; ret && n < 3000; n++) {
		alloc_fail_after(n);
		ret = figures_make(&f, &q, NULL, NULL);
		alloc_fail_after(-1);
		if (ret) {
			CU_ASSERT_EQUAL(ret, -ENOMEM);
			CU_ASSERT_PTR_NULL(f);
		}
	}
	CU_ASSERT(n > 100 && !ret);
	figures_free(f);
	out = fopen("written", "w");
	for (n = 0, ret = 1; ret && n < 3000; n++) {
		alloc_fail_after(n);
		ret = figures_write(&q, out, FIGURES_SVG_HEATMAP, NULL, NULL, why, sizeof(why));
		alloc_fail_after(-1);
		if (ret) {
			CU_ASSERT_EQUAL(ret, -ENOMEM);
			CU_ASSERT_STRING_EQUAL(why, strerror(ENOMEM));
		}
	}
	CU_ASSERT(n > 40 && !ret);
	fclose(out);
	recording_unref(q.recording);
}

int figures_tests(void)
{
	CU_pSuite suite = CU_add_suite("figures", panel_set_up, panel_tear_down);

	if (!suite || !CU_add_test(suite, "as the report", test_report) ||
	    !CU_add_test(suite, "real recordings", test_recorded) ||
	    !CU_add_test(suite, "charts as the report", test_charts) ||
	    !CU_add_test(suite, "damage", test_damaged) ||
	    !CU_add_test(suite, "notes", test_notes) ||
	    !CU_add_test(suite, "windows add up", test_add_up) ||
	    !CU_add_test(suite, "sums", test_sums) ||
	    !CU_add_test(suite, "search", test_search) ||
	    !CU_add_test(suite, "search in what is written", test_search_written) ||
	    !CU_add_test(suite, "text", test_text) ||
	    !CU_add_test(suite, "cancelled", test_cancel) ||
	    !CU_add_test(suite, "invalid", test_invalid) ||
	    !CU_add_test(suite, "without memory", test_no_memory))
		return CU_get_error();
	return 0;
}
