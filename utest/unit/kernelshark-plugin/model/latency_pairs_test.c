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

static struct hist_events *pairs_open(const char *path)
{
	struct hist_events *events = NULL;
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL_FATAL(hist_events_open(&events, test_data_path(path), &error), 0);
	return events;
}

static struct hist_events *pairs_open_events(void)
{
	return pairs_open("events/several.dat");
}

static struct recording *pairs_count(struct hist_events *events, const char *text)
{
	struct expression_result result;
	struct expression *e = NULL;
	struct hist_error refusal = { 0 };
	struct hist_error error = { 0 };

	if (expression_parse(&e, events, 0, text, &refusal))
		printf("\n%s: %s\n", text, refusal.what);
	CU_ASSERT_PTR_NOT_NULL_FATAL(e);
	CU_ASSERT_EQUAL_FATAL(expression_count(e, &everything, NULL, NULL, &result, &error), 0);
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
	struct hist_error error = { 0 };
	bool more = true;
	uint32_t n = 0;

	if (latency_pairs_put_expression(&text, q, &error))
		printf("\n%s\n", test_error(&error));
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
	struct hist_error error = { 0 };
	char counted[512];
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
		CU_ASSERT_EQUAL(latency_pairs_put_expression(&text, &q, &error), -EOPNOTSUPP);
		CU_ASSERT_STRING_EQUAL(test_error(&error), cases[i].why);
		panel_data_free(f);
		recording_unref(r);
	}
	hist_strbuf_free(&text);
	hist_events_free(events);
}

/* The options are refused with this sentence. */
static void expect_refused(struct hist_events *events, const char *text, const char *wanted)
{
	struct hist_error refusal = { 0 };
	struct expression *e = NULL;
	char said[1024];

	CU_ASSERT_NOT_EQUAL(expression_parse(&e, events, 0, text, &refusal), 0);
	CU_ASSERT_PTR_NULL(e);
	snprintf(said, sizeof(said), "%s%s%s", refusal.what, refusal.hint[0] ? "\n" : "",
		 refusal.hint);
	if (strcmp(said, wanted))
		printf("\n%s: \"%s\", not \"%s\"\n", text, said, wanted);
	CU_ASSERT_STRING_EQUAL(said, wanted);
}

/* The hits of histogram @hist, whose name and trigger are these. */
static uint64_t pairs_hits(const struct recording *r, unsigned int hist, const char *event,
			   const char *trigger)
{
	const struct recorded_hist *h = &r->hists[hist];

	CU_ASSERT_STRING_EQUAL(h->info->def.event, event);
	if (strcmp(h->info->def.trigger, trigger))
		printf("\n\"%s\", not \"%s\"\n", h->info->def.trigger, trigger);
	CU_ASSERT_STRING_EQUAL(h->info->def.trigger, trigger);
	return h->snapshots[h->n - 1].hits;
}

/* As `trace-cmd hist replay` names and counts them. */
static void test_options(void)
{
	static const char waking[] = "latency:sched_waking..sched_switch";
#define WORST ":worst=lat_us:onmax($worst).save(common_timestamp,cpu,common_pid,prev_prio,prev_comm):clock=mono"
#define WORST2 ":worst2=lat_us:onmax($worst2).save(common_timestamp,cpu,common_pid,prev_prio,prev_comm):clock=mono"
	static const struct {
		const char *text, *event, *trigger;
		uint64_t hits;
	} cases[] = {
		{ " --latency sched:sched_waking:pid..sched:sched_switch:next_pid ", waking,
		  "hist:keys=lat_us.log2=3" WORST, 75 },
		{ "--latency=sched_waking:pid..sched_switch:next_pid", waking, "hist:keys=lat_us.log2=3" WORST,
		  75 },
		{ "--latency sched_waking:pid[pid > 1]..sched_switch:next_pid:nsecs -k 'lat.buckets=10' -v lat",
		  waking, "hist:keys=lat_ns.buckets=10:vals=lat_ns:worst=lat_ns:onmax($worst)"
		  ".save(common_timestamp,cpu,common_pid,prev_prio,prev_comm):clock=mono", 75 },
		{ "-e sched_switch -k next_comm -f 'next_pid > 0 && prev_pid >= 0'", "sched:sched_switch",
		  "hist:keys=next_comm if next_pid > 0 && prev_pid >= 0", 95 },
		{ "-e sched:sched_switch -R \"hist:keys=next_pid:size=128\"", "sched:sched_switch",
		  "hist:keys=next_pid:size=128", 155 },
	};
	struct hist_events *events = pairs_open_events();
	struct recording *r;
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		r = pairs_count(events, cases[i].text);
		CU_ASSERT_EQUAL(r->count, 1);
		CU_ASSERT_EQUAL(pairs_hits(r, 0, cases[i].event, cases[i].trigger), cases[i].hits);
		recording_unref(r);
	}
	/* each histogram, in order; and two latencies do not disturb each other */
	r = pairs_count(events, "--preset wakeup-latency -e sched_waking -k comm -k pid "
			"--latency sched_switch:next_pid..sched_switch:prev_pid");
	CU_ASSERT_EQUAL_FATAL(r->count, 5);
	CU_ASSERT_EQUAL(pairs_hits(r, 0, waking, "hist:keys=next_comm,lat_us.log2=3:vals=lat_us:size=8192" WORST), 75);
	CU_ASSERT_EQUAL(pairs_hits(r, 1, waking, "hist:keys=next_prio,lat_us.log2=3:vals=lat_us:size=8192" WORST2), 75);
	CU_ASSERT_EQUAL(pairs_hits(r, 2, "sched:sched_waking", "hist:keys=comm"), 76);
	CU_ASSERT_EQUAL(pairs_hits(r, 3, "sched:sched_waking", "hist:keys=pid"), 76);
	CU_ASSERT_EQUAL(pairs_hits(r, 4, "latency:sched_switch..sched_switch", "hist:keys=lat_us.log2=3" WORST),
			142);
#undef WORST
#undef WORST2
	recording_unref(r);
	hist_events_free(events);
}

static void test_bad_options(void)
{
	static const struct {
		const char *text, *said;
	} cases[] = {
		{ "--latencyx a", "--latencyx: not an option that counts recorded events\n"
		  "use --preset, --latency, --function, --tracer, or -e with -k" },
		{ "-k pid", "-k pid: needs an event\nput -e SYS:EVENT before -k" },
		{ "-e sched_switch", "-e sched_switch: the histogram needs keys\n"
		  "add -k KEYS, or -R 'hist:keys=...'" },
		{ "-e", "-e: needs a value" },
		{ "-e a:b c", "c: not an option\nuse quotation marks around a value with blanks" },
		{ "-e a:b -f 'x == 1", "'x == 1: the end of the quotation is missing" },
		{ "-e sched:sched_swich -k x", "no event \"sched_swich\" in sched\n"
		  "did you mean \"sched_switch\"?" },
		{ "-e sched_switch -k next_com", "sched:sched_switch: no field \"next_com\"\n"
		  "did you mean \"next_comm\"?" },
		{ "--latency a:b", "--latency: \"a:b\" does not contain \"..\" between START:KEY and END:KEY" },
		{ "--latency sched_waking..sched_switch:next_pid",
		  "--latency: \"sched_waking\" must be SYS:EVENT:KEY" },
		{ "--latency nosuch:pid..sched_switch:next_pid", "nosuch: no such event in the recording" },
		{ "--latency x:nosuch:pid..sched_switch:next_pid",
		  "x:nosuch: no such event system in the recording" },
		{ "--latency sched_waking:pidd..sched_switch:next_pid",
		  "--latency: no field \"pidd\" in sched:sched_waking\ndid you mean \"pid\"?" },
		{ "--preset nosuchpreset", "--preset nosuchpreset: no such preset\n"
		  "run 'trace-cmd hist list --presets'" },
		{ "--preset block-latency", "--preset block-latency: the file does not contain the event "
		  "block:block_rq_issue\nrecord the events of the preset with 'trace-cmd record -e "
		  "block:block_rq_issue -e block:block_rq_complete'" },
		{ "--tracer timerlat", "--tracer timerlat: the recording has no events of this tracer\n"
		  "record with 'trace-cmd record -p timerlat'" },
		{ "--function vfs_read", "--function: the recording has no events of the \"function\" or "
		  "\"function_graph\" tracer\nrecord with 'trace-cmd record -p function_graph'" },
		{ "--sql 'SELECT a FROM b'", "--sql: cannot be used here\n"
		  "use 'trace-cmd hist replay --sql'" },
	};
	struct hist_events *events = pairs_open_events();
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		expect_refused(events, cases[i].text, cases[i].said);
	hist_events_free(events);
}

static bool pairs_name_preset(void *data, const struct expression_preset *preset)
{
	hist_strbuf_printf(data, "%s%s ", preset->name, preset->needs_argument ? ":" : "");
	return true;
}

/* Those whose events the file has. */
static void test_presets(void)
{
	struct hist_events *events = pairs_open_events();
	struct hist_strbuf names = { 0 };

	CU_ASSERT_EQUAL(expression_list_presets(events, 0, pairs_name_preset, &names), 0);
	hist_strbuf_char(&names, '\0');
	CU_ASSERT_STRING_EQUAL(names.data, "context-switches kmalloc-bytes off-cpu-stacks off-cpu-time "
			       "on-cpu-time period syscalls wakeup-latency wakeup-stacks ");
	hist_strbuf_free(&names);
	hist_events_free(events);
}

/* The calls of a recording of function_graph, as many as `trace-cmd report -R` shows. */
static void test_functions(void)
{
	static const struct {
		const char *text, *event;
		uint64_t hits;
	} cases[] = {
		{ "--function vfs_write", "function:vfs_write", 32 },
		{ "--function 'vfs_*'", "function:vfs_*", 64 },
		{ "--function-latency vfs_write:usecs", "function_latency:vfs_write", 31 },
		{ "--tracer function_graph", "function_latency:*", 63 },
		{ "--preset function-calls:vfs_write", "function:vfs_write", 32 },
	};
	struct hist_events *events = pairs_open("events/graph.dat");
	struct latency_pairs_query q = { .axis = -1, .entry = HIST_NO_ENTRY, .value = -1, .events = events };
	struct hist_strbuf names = { 0 };
	const struct recorded_hist *h;
	struct recording *r;
	unsigned int i;
	struct hist_error error = { 0 };

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		r = pairs_count(events, cases[i].text);
		h = &r->hists[0];
		CU_ASSERT_STRING_EQUAL(h->info->def.event, cases[i].event);
		CU_ASSERT_EQUAL(h->snapshots[h->n - 1].hits, cases[i].hits);
		recording_unref(r);
	}
	expect_refused(events, "--function vfs_wrlte", "--function vfs_wrlte: no function of the recording has "
		       "this name\ndid you mean \"vfs_write\"?");
	CU_ASSERT_EQUAL(expression_list_presets(events, 0, pairs_name_preset, &names), 0);
	hist_strbuf_char(&names, '\0');
	CU_ASSERT_PTR_NOT_NULL(strstr(names.data, "function-calls "));
	CU_ASSERT_PTR_NOT_NULL(strstr(names.data, "function-latency: "));
	CU_ASSERT_PTR_NULL(strstr(names.data, "timerlat"));
	hist_strbuf_free(&names);

	/* their single calls are not listed: names of functions are those of the thread that counts */
	r = pairs_count(events, cases[2].text);
	q.recording = r;
	q.counted = cases[2].text;
	q.kind = PAIRS_NUMBERS;
	CU_ASSERT_EQUAL(latency_pairs_put_expression(&names, &q, &error), -EOPNOTSUPP);
	CU_ASSERT_STRING_EQUAL(test_error(&error),
			       "the panel does not list single calls of functions");
	hist_strbuf_free(&names);
	recording_unref(r);
	hist_events_free(events);
}

/* From one switch to a task to its next: a time for each switch but the first of a task. */
static void test_one_event(void)
{
	static const char text[] = "--latency sched_switch:next_pid..sched_switch:next_pid";
	struct latency_pairs_query q = { .axis = -1, .entry = HIST_NO_ENTRY, .value = -1 };
	struct hist_events *events = pairs_open_events();
	const struct recording_snapshot *all;
	struct latency_pair *list;
	struct recording *r, *tasks;
	struct panel_data *f;
	uint64_t hits;
	uint32_t i, n;

	r = pairs_count(events, text);
	tasks = pairs_count(events, "sched:sched_switch hist:keys=next_pid");
	all = &tasks->hists[0].snapshots[tasks->hists[0].n - 1];
	hits = r->hists[0].snapshots[r->hists[0].n - 1].hits;
	CU_ASSERT(hits > 20);
	CU_ASSERT_EQUAL(hits, all->hits - all->entries);
	f = pairs_figures(r);
	q.recording = r;
	q.counted = text;
	q.events = events;
	q.table = f->view.table;
	q.kind = latency_pairs_find_kind(r, 0, text, f->value);
	CU_ASSERT_EQUAL_FATAL(q.kind, PAIRS_COUNTED);
	n = pairs_of(&list, events, &q);
	CU_ASSERT_EQUAL(n, hits);
	for (i = 0; i < n; i++) {
		CU_ASSERT(list[i].number > 0);
		CU_ASSERT_EQUAL(list[i].number, list[i].end - list[i].start);
	}
	free(list);
	panel_data_free(f);
	recording_unref(tasks);
	recording_unref(r);
	hist_events_free(events);
}

UNIT_TESTS({ "each bucket of a latency that is counted has as many pairs of START and END",
	     test_computed },
	   { "the events of a row have the numbers of their field, the largest first", test_numbers },
	   { "latencies whose unit cannot be changed are refused", test_refused },
	   { "options of replay count what replay counts", test_options },
	   { "options that cannot be counted are refused with the words of replay", test_bad_options },
	   { "the presets are those whose events the file has", test_presets },
	   { "functions of a tracer are counted, and their presets are offered", test_functions },
	   { "--latency counts and lists the times from one event to the next", test_one_event });
