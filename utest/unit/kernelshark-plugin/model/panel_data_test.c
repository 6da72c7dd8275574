// SPDX-License-Identifier: GPL-2.0
/*
 * panel_data_test.c - the panel's numbers are those of the report for the same window
 *
 * What panel_data_make() gives is compared with what `trace-cmd hist report --format json` prints,
 * parsed by json-c; what panel_data_write() writes with its bytes.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "utest/unit/kernelshark-plugin/model/panel_data_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/report/report_run.h"

static uint64_t member(struct json_object *o, const char *name)
{
	struct json_object *m = NULL;

	CU_ASSERT_FATAL(json_object_object_get_ex(o, name, &m));
	return json_object_get_uint64(m);
}

/* What the report says of the query. */
static void run_report(const struct panel_data_query *q, const char *format)
{
	const struct recording_snapshot *s;
	char line[256], span[64];

	s = q->recording->hists[q->hist].snapshots;
	if (q->what == PANEL_DATA_WINDOW)
		snprintf(span, sizeof(span), "--between %u,%u", s[q->from].seq, s[q->to].seq);
	else
		snprintf(span, sizeof(span), "--snapshot %u", s[q->to].seq);
	snprintf(line, sizeof(line), "-e %s %s --format %s %s",
		 q->recording->hists[q->hist].name, span, format,
		 q->recording->path);
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

static void compare_rows(const struct panel_data *f, struct json_object *snap)
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
			hist_column_format_value(f->schema, v, title, sizeof(title));
			CU_ASSERT_EQUAL(member(value, title), figures_value_of(f, f->rows.entries[i], v));
		}
		json_object_object_get_ex(row, "key", &row);
		if (json_object_object_get_ex(row, "comm", &value))
			CU_ASSERT(!strncmp(json_object_get_string(value),
					   figures_label_of(f, f->rows.entries[i]),
					   strlen(json_object_get_string(value))));
		if (json_object_object_get_ex(row, "pid", &value))
			CU_ASSERT_STRING_EQUAL(json_object_get_string(value),
					       figures_label_of(f, f->rows.entries[i]));
	}
}

static void compare(const struct panel_data_query *q)
{
	struct json_object *all, *snap, *from = NULL;
	struct panel_data *f = figures_made(q);

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
	panel_data_free(f);
}

static void compare_bytes(const struct panel_data_query *q, enum panel_data_format format,
			  const char *options)
{
	FILE *out = fopen("written", "w");
	struct hist_error error = { 0 };
	char *written;

	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	CU_ASSERT_EQUAL(panel_data_write(q, out, format, NULL, NULL, &error), 0);
	fclose(out);
	written = report_slurp("written");
	run_report(q, options);
	CU_ASSERT_STRING_EQUAL(written, report_out);
	CU_ASSERT(strlen(written) > 500);
	free(written);
}

static void test_report(void)
{
	struct recording *r = figures_opened("panel.dat");
	static const uint32_t windows[][2] = { { 0, 1 }, { 0, 37 }, { 5, 9 }, { 6, 7 }, { 7, 8 },
					       { 9, 10 }, { 8, 20 }, { 17, 18 }, { 36, 37 } };
	/* the histograms take turns, or with CHECK_LONG each has all windows */
	const unsigned int step = test_is_long() ? 1 : 3;
	struct panel_data_query q = { .recording = r };
	unsigned int i;

	for (q.hist = 0; q.hist < 4; q.hist++) {
		for (i = q.hist % step; i < sizeof(windows) / sizeof(*windows); i += step) {
			q.what = PANEL_DATA_WINDOW;
			q.from = windows[i][0];
			q.to = windows[i][1];
			for (q.columns = 0; q.columns < 48; q.columns += 24) {
				compare(&q);
				compare_bytes(&q, PANEL_DATA_JSON, "json");
				compare_bytes(&q, PANEL_DATA_CSV, "csv");
			}
			q.what = PANEL_DATA_SNAPSHOT;
			compare(&q);
			compare_bytes(&q, PANEL_DATA_JSON, "json");
			compare_bytes(&q, PANEL_DATA_SVG_BARS, "svg");
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
		struct panel_data_query q = { .recording = figures_opened(test_data_path(files[i])) };

		for (; q.hist < q.recording->count; q.hist++) {
			n = q.recording->hists[q.hist].n;
			for (k = 0; k < 3; k++) {
				q.to = test_random(&state) % n;
				q.from = q.to ? test_random(&state) % q.to : 0;
				q.what = q.to ? PANEL_DATA_WINDOW : PANEL_DATA_SNAPSHOT;
				compare_bytes(&q, PANEL_DATA_JSON, "json");
				compare_bytes(&q, PANEL_DATA_CSV, "csv");
				windows += q.to != 0;
			}
		}
		recording_unref(q.recording);
	}
	CU_ASSERT(windows > 30);
}

static void test_charts(void)
{
	struct recording *r = figures_opened("panel.dat");
	struct panel_data_query q = { .recording = r, .from = 3, .to = 30 };
	struct hist_error error = { 0 };

	for (q.hist = 0; q.hist < 4; q.hist++) {
		compare_bytes(&q, PANEL_DATA_SVG_BARS, "svg");
		compare_bytes(&q, PANEL_DATA_SVG_HEATMAP, "svg --view heatmap");
	}
	q.hist = LAT;
	compare_bytes(&q, PANEL_DATA_SVG_PERCENTILES, "svg --view percentiles");
	q.what = PANEL_DATA_SNAPSHOT;
	CU_ASSERT_EQUAL(panel_data_write(&q, stderr, PANEL_DATA_SVG_HEATMAP, NULL, NULL, &error),
			-EOPNOTSUPP);
	CU_ASSERT_STRING_EQUAL(
		test_error(&error),
		"this view needs a time range. Select \"Visible window\" or \"Markers A-B\"");
	q.what = PANEL_DATA_WINDOW;
	q.hist = PID;
	CU_ASSERT_EQUAL(
		panel_data_write(&q, stderr, PANEL_DATA_SVG_PERCENTILES, NULL, NULL, &error),
		-EOPNOTSUPP);
	CU_ASSERT(*test_error(&error) != '\0');
	recording_unref(r);
}

/* A damaged file too, in parts that are whole and over the damage. */
static void test_damaged(void)
{
	const uint32_t step = test_is_long() ? 1 : 3;
	struct panel_data_query q = { 0 };
	uint32_t count;

	panel_damage(LAT, 17);
	q.recording = figures_opened("bad.dat");
	count = q.recording->hists[LAT].n;
	for (q.from = 2; q.from < 10; q.from += 7) {
		for (q.to = q.from + 1; q.to < count; q.to += step) {
			compare(&q);
			compare_bytes(&q, PANEL_DATA_JSON, "json");
		}
	}
	recording_unref(q.recording);
}

UNIT_TESTS_WITH(panel_set_up, panel_tear_down,
	{ "the panel shows the same numbers as report for each window and snapshot", test_report },
	{ "the panel writes the same JSON and CSV as report for recordings of real kernels",
	  test_recorded },
	{ "the panel writes the same charts as report", test_charts },
	{ "the panel shows the same numbers as report for a damaged file", test_damaged });
