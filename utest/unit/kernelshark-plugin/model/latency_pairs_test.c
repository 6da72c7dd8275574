// SPDX-License-Identifier: GPL-2.0
/*
 * latency_pairs_test.c - the events behind the rows of what the panel counts itself
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "kernelshark-plugin/model/expression.h"
#include "kernelshark-plugin/model/latency_pairs.h"
#include "lib/label/unit.h"
#include "utest/unit/kernelshark-plugin/model/panel_data_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static const struct expression_window everything = { .to = UINT64_MAX };

static struct hist_events *pairs_open_events(void)
{
	struct hist_events *events = NULL;
	char why[256];

	CU_ASSERT_EQUAL_FATAL(hist_events_open(&events, test_data_path("events/several.dat"), why,
					       sizeof(why)), 0);
	return events;
}

static struct recording *pairs_count(struct hist_events *events, const char *text)
{
	struct expression_result result;
	struct expression *e = NULL;
	struct hist_error error;
	char why[256];

	if (expression_parse(&e, events, 0, text, &error))
		printf("\n%s: %s\n", text, error.what);
	CU_ASSERT_PTR_NOT_NULL_FATAL(e);
	CU_ASSERT_EQUAL_FATAL(expression_count(e, &everything, NULL, NULL, &result, why, sizeof(why)), 0);
	expression_free(e);
	return result.recording;
}

static struct panel_data *pairs_figures(struct recording *r)
{
	struct panel_data_query q = { .recording = r, .to = r->hists[0].n - 1, .what = PANEL_DATA_SNAPSHOT };

	return figures_made(&q);
}

/* The pairs of a row, which the caller frees. */
static uint32_t pairs_of(struct latency_pair **list, struct hist_events *events,
			 const struct latency_pairs_query *q)
{
	struct hist_strbuf text = { 0 };
	struct recording *found;
	char why[256] = "";
	bool more = true;
	uint32_t n = 0;

	if (latency_pairs_put_expression(&text, q, why, sizeof(why)))
		printf("\n%s\n", why);
	hist_strbuf_char(&text, '\0');
	found = pairs_count(events, text.data);
	CU_ASSERT_EQUAL(latency_pairs_read(list, &n, &more, found, q, 0), 0);
	CU_ASSERT(!more);
	recording_unref(found);
	hist_strbuf_free(&text);
	return n;
}

/* Each bucket of a computed latency has its pairs, whatever the name of the latency is. */
static void expect_computed(const char *text, unsigned int added)
{
	struct hist_events *events = pairs_open_events();
	struct recording *r = pairs_count(events, text);
	struct panel_data *f = pairs_figures(r);
	struct latency_pairs_query q = { .recording = r, .counted = text, .table = f->view.table,
					 .axis = f->axis, .entry = HIST_NO_ENTRY, .value = f->value };
	struct latency_pair *list;
	uint32_t i, k, n, all = 0;

	CU_ASSERT_EQUAL(f->axis, 1);
	CU_ASSERT_EQUAL(hist_unit_from_key(&f->schema->keys[1]), HIST_UNIT_US);
	q.kind = latency_pairs_find_kind(r, 0, text, f->value);
	CU_ASSERT_EQUAL_FATAL(q.kind, PAIRS_COUNTED);
	for (i = 0; i < f->by_axis->nrows; i++) {
		const struct hist_heat_row *row = &f->by_axis->rows[i];
		const struct hist_bounds bounds = { false, row->ge, row->le };

		if (row->empty || !row->total)
			continue;
		q.bounds = &bounds;
		n = pairs_of(&list, events, &q);
		CU_ASSERT_EQUAL(n, row->total);
		for (k = 0; k < n; k++) {
			const uint64_t us = (list[k].end + added) / 1000 -
					    (list[k].start + added) / 1000;

			CU_ASSERT(us >= row->ge && us <= row->le);
			CU_ASSERT_EQUAL(list[k].number, list[k].end - list[k].start);
			CU_ASSERT(!k || list[k].number <= list[k - 1].number);
		}
		all += n;
		free(list);
	}
	CU_ASSERT_EQUAL(all, 75);
	/* and those of one task */
	q.bounds = NULL;
	q.axis = -1;
	for (i = 0, all = 0; i < f->rows.n; i++) {
		const struct hist_cell *cells = hist_table_cells(f->view.table, f->rows.entries[i]);
		struct hist_bounds bounds;

		hist_axis_get_bounds(&f->schema->keys[1], cells[1].num, &bounds);
		q.axis = 1;
		q.bounds = &bounds;
		q.entry = f->rows.entries[i];
		n = pairs_of(&list, events, &q);
		CU_ASSERT_EQUAL(n, figures_value_of(f, f->rows.entries[i], 0));
		all += n;
		free(list);
	}
	CU_ASSERT_EQUAL(all, 75);
	panel_data_free(f);
	recording_unref(r);
	hist_events_free(events);
}

/* In both ways to have microseconds. */
static void test_computed(void)
{
	expect_computed("s:wait u64 waited; pid_t pid; "
			"sched:sched_waking hist:keys=pid:ts=common_timestamp.usecs; "
			"sched_switch hist:keys=next_pid:l=common_timestamp.usecs-$ts:"
			"onmatch(sched.sched_waking).trace(wait,$l,next_pid); "
			"synthetic:wait hist:keys=pid,waited.log2", 500);
	expect_computed("s:wait u64 lat_us; pid_t pid; "
			"sched:sched_waking hist:keys=pid:ts=common_timestamp/1000; "
			"sched_switch hist:keys=next_pid:l=common_timestamp/1000-$ts:"
			"onmatch(sched.sched_waking).trace(wait,$l,next_pid); "
			"synthetic:wait hist:keys=pid,lat_us.log2", 0);
}

/* The largest and the smallest number of a field. */
static void test_numbers(void)
{
	static const char text[] = "sched:sched_switch hist:keys=next_comm,next_pid.log2 if next_pid > 0";
	struct hist_events *events = pairs_open_events();
	struct recording *r = pairs_count(events, text);
	struct panel_data *f = pairs_figures(r);
	struct latency_pairs_query q = { .recording = r, .counted = text, .table = f->view.table,
					 .axis = f->axis, .entry = HIST_NO_ENTRY, .value = f->value };
	uint64_t least = UINT64_MAX, most = 0;
	struct hist_bounds bucket;
	struct latency_pair *list;
	uint32_t i, n;

	q.kind = latency_pairs_find_kind(r, 0, text, f->value);
	CU_ASSERT_EQUAL_FATAL(q.kind, PAIRS_NUMBERS);
	CU_ASSERT_STRING_EQUAL(latency_pairs_number_field(&r->hists[0].info->def, f->value), "next_pid");
	for (i = 0; i < f->rows.n; i++) {
		struct hist_bounds bounds;

		hist_axis_get_bounds(&f->schema->keys[1],
				     hist_table_cells(f->view.table, f->rows.entries[i])[1].num, &bounds);
		least = bounds.le < least ? bounds.le : least;
		most = bounds.ge > most ? bounds.ge : most;
	}
	n = pairs_of(&list, events, &q);
	CU_ASSERT_EQUAL_FATAL(n, f->view.snap->hits);
	CU_ASSERT(list[0].number >= most);
	CU_ASSERT(list[n - 1].number <= least);
	for (i = 1; i < n; i++)
		CU_ASSERT(list[i].number <= list[i - 1].number);
	CU_ASSERT_EQUAL(list[0].start, list[0].end);
	free(list);
	q.entry = f->rows.entries[0];
	hist_axis_get_bounds(&f->schema->keys[1], hist_table_cells(f->view.table, q.entry)[1].num, &bucket);
	q.bounds = &bucket;
	n = pairs_of(&list, events, &q);
	CU_ASSERT_EQUAL(n, figures_value_of(f, q.entry, 0));
	for (i = 0; i < n; i++)
		CU_ASSERT(list[i].number >= bucket.ge && list[i].number <= bucket.le);
	CU_ASSERT_EQUAL(latency_pairs_find_kind(r, 0, text, -1), PAIRS_NUMBERS);
	free(list);
	panel_data_free(f);
	recording_unref(r);
	r = pairs_count(events, "sched:sched_switch hist:keys=next_comm");
	CU_ASSERT_EQUAL(latency_pairs_find_kind(r, 0, "sched:sched_switch hist:keys=next_comm", 0), PAIRS_NONE);
	recording_unref(r);
	hist_events_free(events);
}

/* An expression whose times cannot be taken back from microseconds. */
static void test_refused(void)
{
	static const struct {
		const char *variable, *filter, *why;
	} cases[] = {
		{ ",half=next_prio/2", "", "the expression multiplies or divides a time, so the result is not a time" },
		{ "", " if waited > 5", "the filter of the expression compares its latency" },
	};
	struct hist_events *events = pairs_open_events();
	struct hist_strbuf text = { 0 };
	char why[256], counted[512];
	unsigned int i;

	for (i = 0; i < 2; i++) {
		struct latency_pairs_query q = { .entry = HIST_NO_ENTRY, .axis = 0 };
		struct panel_data *f;
		struct recording *r;

		snprintf(counted, sizeof(counted),
			 "s:wait u64 waited; sched:sched_waking hist:keys=pid:ts=common_timestamp.usecs; "
			 "sched_switch hist:keys=next_pid:l=common_timestamp.usecs-$ts%s:"
			 "onmatch(sched.sched_waking).trace(wait,$l); synthetic:wait hist:keys=waited.log2%s",
			 cases[i].variable, cases[i].filter);
		r = pairs_count(events, counted);
		f = pairs_figures(r);
		q.recording = r;
		q.counted = counted;
		q.table = f->view.table;
		q.kind = latency_pairs_find_kind(r, 0, counted, 0);
		CU_ASSERT_EQUAL(q.kind, PAIRS_COUNTED);
		CU_ASSERT_EQUAL(latency_pairs_put_expression(&text, &q, why, sizeof(why)), -EOPNOTSUPP);
		CU_ASSERT_STRING_EQUAL(why, cases[i].why);
		panel_data_free(f);
		recording_unref(r);
	}
	hist_strbuf_free(&text);
	hist_events_free(events);
}

static void expect_expanded(const struct hist_events *events, const char *text, const char *wanted)
{
	struct hist_strbuf b = { 0 };
	char why[256] = "";
	int ret = expression_expand(&b, events, text, why, sizeof(why));

	hist_strbuf_char(&b, '\0');
	CU_ASSERT_EQUAL(ret, *why ? -EINVAL : 0);
	if (strcmp(*why ? why : b.data, wanted))
		printf("\n\"%s\", not \"%s\"\n", *why ? why : b.data, wanted);
	CU_ASSERT_STRING_EQUAL(*why ? why : b.data, wanted);
	hist_strbuf_free(&b);
}

static void test_latency(void)
{
	static const char whole[] =
		"s:latency u64 lat_us; "
		"sched:sched_waking hist:keys=pid:ts_1=common_timestamp/1000:size=16384; "
		"sched:sched_switch hist:keys=next_pid:lat_1=common_timestamp/1000-$ts_1:"
		"onmatch(sched.sched_waking).trace(latency,$lat_1):size=16384; "
		"synthetic:latency hist:keys=lat_us.log2:vals=lat_us";
	static const char nsecs[] =
		"s:latency u64 lat_ns; "
		"sched:sched_waking hist:keys=pid:ts_1=common_timestamp:size=16384 if pid > 1; "
		"sched:sched_switch hist:keys=next_pid:lat_1=common_timestamp-$ts_1:"
		"onmatch(sched.sched_waking).trace(latency,$lat_1):size=16384; "
		"synthetic:latency hist:keys=lat_ns.log2:vals=lat_ns";
	struct hist_events *events = pairs_open_events();
	struct hist_strbuf b = { 0 };
	const char *title = NULL;
	struct recording *r;

	expect_expanded(events, "a:b hist:keys=x", "a:b hist:keys=x");
	expect_expanded(events, "--latencyx", "--latencyx");
	expect_expanded(events, " --latency sched:sched_waking:pid..sched:sched_switch:next_pid ", whole);
	expect_expanded(events, "--latency=sched_waking:pid..sched_switch:next_pid", whole);
	expect_expanded(events, "--latency sched_waking:pid..sched_switch:next_pid:usecs", whole);
	expect_expanded(events, "--latency sched_waking:pid[pid > 1]..sched_switch:next_pid:nsecs ",
			nsecs);
	expect_expanded(events, "--latency a:b",
			"--latency: \"a:b\" does not contain \"..\" between START:KEY and END:KEY");
	expect_expanded(events, "--latency sched_waking..sched_switch:next_pid",
			"--latency: \"sched_waking\" must be SYS:EVENT:KEY");
	expect_expanded(events, "--latency nosuch:pid..sched_switch:next_pid",
			"--latency: no event \"nosuch\" in any system");
	expect_expanded(events, "--latency x:nosuch:pid..sched_switch:next_pid",
			"--latency: the file does not have the event x:nosuch");
	expect_expanded(events, "--latency sched_waking:pidd..sched_switch:next_pid",
			"--latency: no field \"pidd\" in sched:sched_waking\ndid you mean \"pid\"?");
	CU_ASSERT_FATAL(expression_get_latency(events, 0, &title, &b));
	hist_strbuf_char(&b, '\0');
	CU_ASSERT_STRING_EQUAL(title, "Wake-ups, until the task runs");
	CU_ASSERT_STRING_EQUAL(b.data, "--latency sched:sched_waking:pid..sched:sched_switch:next_pid");
	expect_expanded(events, b.data, whole);
	CU_ASSERT(!expression_get_latency(events, 100, &title, &b));
	hist_strbuf_free(&b);
	r = pairs_count(events, whole);
	CU_ASSERT_EQUAL(r->hists[0].snapshots[r->hists[0].n - 1].hits, 75);
	recording_unref(r);
	hist_events_free(events);
}

/* From one switch to a task to its next: a time for each switch but the first of a task. */
static void test_one_event(void)
{
	struct latency_pairs_query q = { .axis = -1, .entry = HIST_NO_ENTRY, .value = -1 };
	struct hist_events *events = pairs_open_events();
	const struct recording_snapshot *all;
	struct hist_strbuf b = { 0 };
	struct latency_pair *list;
	struct recording *r, *tasks;
	struct panel_data *f;
	uint64_t hits;
	uint32_t i, n;
	char why[128];

	CU_ASSERT_EQUAL_FATAL(expression_expand(&b, events, "--latency sched_switch:next_pid.."
						"sched_switch:next_pid", why, sizeof(why)), 0);
	hist_strbuf_char(&b, '\0');
	r = pairs_count(events, b.data);
	tasks = pairs_count(events, "sched:sched_switch hist:keys=next_pid");
	all = &tasks->hists[0].snapshots[tasks->hists[0].n - 1];
	hits = r->hists[0].snapshots[r->hists[0].n - 1].hits;
	CU_ASSERT(hits > 20);
	CU_ASSERT_EQUAL(hits, all->hits - all->entries);
	f = pairs_figures(r);
	q.recording = r;
	q.counted = b.data;
	q.table = f->view.table;
	q.kind = latency_pairs_find_kind(r, 0, b.data, f->value);
	CU_ASSERT_EQUAL_FATAL(q.kind, PAIRS_COUNTED);
	n = pairs_of(&list, events, &q);
	CU_ASSERT_EQUAL(n, hits);
	for (i = 0; i < n; i++) {
		CU_ASSERT(list[i].number > 0);
		CU_ASSERT_EQUAL(list[i].number, list[i].end - list[i].start);
	}
	free(list);
	panel_data_free(f);
	hist_strbuf_free(&b);
	recording_unref(tasks);
	recording_unref(r);
	hist_events_free(events);
}

UNIT_TESTS({ "each bucket of a latency that is counted has as many pairs of START and END",
	     test_computed },
	   { "the events of a row have the numbers of their field, the largest first", test_numbers },
	   { "latencies whose unit cannot be changed are refused", test_refused },
	   { "--latency stands for a synthetic event and two triggers", test_latency },
	   { "--latency counts and lists the times from one event to the next", test_one_event });
