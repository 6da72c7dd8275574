// SPDX-License-Identifier: GPL-2.0
/*
 * expression_test.c - what the user types in the panel: understood, completed, counted
 *
 * What is counted is compared with the events as libtracecmd reads them, one by one, for
 * windows that begin and end at events, so that both ends matter.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>
#include <trace-cmd/trace-cmd.h>

#include "kernelshark-plugin/model/expression.h"
#include "kernelshark-plugin/model/panel_data.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static struct hist_events *open_events(const char *name)
{
	struct hist_events *events = NULL;
	struct hist_error error = { 0 };

	if (hist_events_open(&events, test_data_path(name), &error))
		fprintf(stderr, "%s: %s\n", name, test_error(&error));
	CU_ASSERT_PTR_NOT_NULL_FATAL(events);
	return events;
}

/* --- what is wrong, and where --- */

static void errors(void)
{
	static const struct {
		const char *text, *at, *what, *hint;
	} cases[] = {
		{ "", "", "nothing to count", "use SYS:EVENT hist:keys=FIELD" },
		{ " ; ", " ; ", "nothing to count", "use SYS:EVENT hist:keys=FIELD" },
		{ "hist:keys=pid", "hist:", "no event before the trigger", 
		  "use SYS:EVENT hist:..." },
		{ "sched:sched_switch", "sched:sched_switch", "no trigger after the event",
		  "add hist:keys=FIELD" },
		{ "sched:sched_swich hist:keys=next_comm", "sched:sched_swich",
		  "no event \"sched_swich\" in sched", "did you mean \"sched_switch\"?" },
		{ "shced:sched_switch hist:keys=next_comm", "shced:sched_switch",
		  "no event system \"shced\"", "did you mean \"sched\"?" },
		{ "nothing hist:keys=next_comm", "nothing", "no event \"nothing\" in any system",
		  "press Ctrl+Space to list the events" },
		{ "sched: hist:keys=pid", "sched:", "\"sched:\" is not an event", "use SYS:EVENT" },
		/* what the command line says of the same */
		{ "  sched:sched_switch   hist:keys=next_com", "next_com",
		  "sched:sched_switch: no field \"next_com\"",
		  "did you mean \"next_comm\"?" },
		{ "sched:sched_switch hist:keys=next_pid.log3", "log3", "unknown modifier \"log3\"",
		  "did you mean \"log2\"?" },
		{ "sched:sched_waking hist:keys=pid; sched:sched_switch hist:keys=next_pid:vals=$ts", "$ts",
		  "no variable \"$ts\"", "" },
		{ "sched:sched_switch hist:keys=next_pid:clock=x86-tsc",
		  "hist:keys=next_pid:clock=x86-tsc",
		  "clock=x86-tsc: the events were recorded with the clock \"mono\"", "remove clock=" },
		{ "sched:sched_switch hist:keys=next_pid if next_comm == \"a;b\" && zz == 1", "zz", NULL, NULL },
	};
	struct hist_events *events = open_events("events/several.dat");
	struct expression *e = NULL;
	struct hist_error refusal = { 0 };
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *text = cases[i].text;

		CU_ASSERT_EQUAL(expression_parse(&e, events, 0, text, &refusal), -EINVAL);
		CU_ASSERT_PTR_NULL(e);
		if ((cases[i].what && strcmp(refusal.what, cases[i].what)) ||
		    (cases[i].hint && *cases[i].hint && strcmp(refusal.hint, cases[i].hint)) ||
		    strncmp(text + refusal.at.start, cases[i].at, strlen(cases[i].at)))
			printf("\n%s: %s: %s at \"%.*s\"\n", text, refusal.what, refusal.hint,
			       (int)refusal.at.len, text + refusal.at.start);
		if (cases[i].what)
			CU_ASSERT_STRING_EQUAL(refusal.what, cases[i].what);
		if (cases[i].hint && *cases[i].hint)
			CU_ASSERT_STRING_EQUAL(refusal.hint, cases[i].hint);
		CU_ASSERT_EQUAL(refusal.at.start, (size_t)(strstr(text, cases[i].at) - text));
		CU_ASSERT_EQUAL(refusal.at.len, strlen(cases[i].at));
	}
	hist_events_free(events);
}

/* --- numbers --- */

/* One event as libtracecmd has it. */
struct seen {
	uint64_t time;
	char key[32]; /* next_comm */
};

struct seen_all {
	struct seen *events;
	size_t n;
};

static void see(struct seen_all *all, const char *path, const char *event)
{
	struct tracecmd_input *file = tracecmd_open(path, 0);
	struct tep_record *record;
	struct tep_event *e;
	int cpu;

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	e = tep_find_event_by_name(tracecmd_get_tep(file), NULL, event);
	CU_ASSERT_PTR_NOT_NULL_FATAL(e);
	memset(all, 0, sizeof(*all));
	for (cpu = 0; cpu < tep_get_cpus(tracecmd_get_tep(file)); cpu++) {
		while ((record = tracecmd_read_data(file, cpu))) {
			struct tep_format_field *field = tep_find_field(e, "next_comm");

			if (tep_data_type(tracecmd_get_tep(file), record) == e->id) {
				all->events = realloc(all->events, (all->n + 1) * sizeof(*all->events));
				all->events[all->n].time = record->ts;
				snprintf(all->events[all->n++].key, sizeof(all->events->key), "%s",
					 (const char *)record->data + field->offset);
			}
			tracecmd_free_record(record);
		}
	}
	tracecmd_close(file);
}

static int by_time(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

/* The rows of the window's difference, as the panel shows them. */
static struct panel_data *figures_of(const struct expression_result *result)
{
	struct panel_data_query query = { .recording = result->recording, .what = PANEL_DATA_WINDOW,
				       .columns = 1000 };
	struct panel_data *f = NULL;
	uint32_t n;

	n = result->recording->hists[0].n;
	CU_ASSERT_FATAL(n >= 2);
	query.to = n - 1;
	CU_ASSERT_EQUAL_FATAL(panel_data_make(&f, &query, NULL, NULL), 0);
	return f;
}

static void check_window(struct expression *e, const struct seen_all *all, size_t first, size_t last)
{
	const struct expression_window window = { .from = all->events[first].time,
						  .to = all->events[last].time, .columns = 20 };
	const struct recording_snapshot *snaps;
	struct expression_result result;
	uint64_t hits, sum = 0, in_map = 0;
	struct hist_strbuf label = { 0 };
	uint32_t i, k, n, nsnaps;
	struct panel_data *f;
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL_FATAL(expression_count(e, &window, NULL, NULL, &result, &error), 0);
	CU_ASSERT_EQUAL(result.hits, last - first + 1);
	CU_ASSERT_EQUAL(result.lost, 0);
	snaps = result.recording->hists[0].snapshots;
	nsnaps = result.recording->hists[0].n;
	CU_ASSERT_EQUAL(snaps[0].hits, 0);
	CU_ASSERT(nsnaps <= 22 && (nsnaps > 5 || last - first < 5));
	for (i = 1; i < nsnaps; i++)
		CU_ASSERT(snaps[i].time >= snaps[i - 1].time);
	CU_ASSERT(snaps[0].time >= window.from && snaps[nsnaps - 1].time <= window.to + 1);
	f = figures_of(&result);
	for (i = 0; i < f->rows.n; i++) {
		uint32_t entry = f->rows.entries[i];

		label.len = 0;
		panel_put_keys(&label, f->view.table, entry, 0);
		hits = f->view.snap->values[entry];
		for (k = first, n = 0; k <= last; k++)
			n += strlen(all->events[k].key) == label.len &&
			     !memcmp(all->events[k].key, label.data, label.len);
		CU_ASSERT_EQUAL(hits, n);
		sum += hits;
	}
	CU_ASSERT_EQUAL(sum, last - first + 1);
	/* the columns of the heat map are all of it too */
	for (i = 0; i < f->map->nrows; i++)
		in_map += f->map->rows[i].total;
	CU_ASSERT_EQUAL(in_map, sum);
	hist_strbuf_free(&label);
	panel_data_free(f);
	recording_unref(result.recording);
}

static void windows(void)
{
	struct hist_events *events = open_events("events/several.dat");
	struct expression *e = NULL;
	struct hist_error refusal = { 0 };
	struct seen_all all;

	see(&all, test_data_path("events/several.dat"), "sched_switch");
	CU_ASSERT_EQUAL_FATAL(all.n, 155);
	qsort(all.events, all.n, sizeof(*all.events), by_time);
	CU_ASSERT_EQUAL_FATAL(expression_parse(&e, events, 0, "sched:sched_switch hist:keys=next_comm",
					       &refusal), 0);
	check_window(e, &all, 0, all.n - 1);
	check_window(e, &all, 1, all.n - 2);
	check_window(e, &all, 40, 90);
	check_window(e, &all, 77, 77);
	expression_free(e);
	hist_events_free(events);
	free(all.events);
}

/* Times from one event to another, by a synthetic one: each statement refers to those before. */
static void several_statements(void)
{
	static const char text[] =
		"s:wait u64 lat; pid_t pid; sched:sched_waking hist:keys=pid:ts=common_timestamp.usecs; "
		"sched_switch hist:keys=next_pid:lat=common_timestamp.usecs-$ts:"
		"onmatch(sched.sched_waking).trace(wait,$lat,next_pid);synthetic:wait hist:keys=lat.log2:vals=lat";
	static const struct expression_window all = { .to = UINT64_MAX };
	struct hist_events *events = open_events("events/several.dat");
	struct hist_strbuf words = { 0 };
	struct expression_result result;
	struct expression *e = NULL;
	struct hist_error refusal = { 0 };
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL_FATAL(expression_parse(&e, events, 0, text, &refusal), 0);
	CU_ASSERT_EQUAL_FATAL(expression_count(e, &all, NULL, NULL, &result, &error), 0);
	CU_ASSERT_STRING_EQUAL(result.recording->hists[0].info->def.trigger,
			       "hist:keys=lat.log2:vals=lat");
	CU_ASSERT_EQUAL(result.recording->count, 1);
	/* as `trace-cmd hist replay` counts the same triggers */
	CU_ASSERT_EQUAL(result.hits, 75);
	expression_describe(&words, 0, &all, &result);
	hist_strbuf_char(&words, '\0');
	CU_ASSERT_STRING_EQUAL(words.data, "75 synthetic:wait events, none lost");
	hist_strbuf_free(&words);
	recording_unref(result.recording);
	expression_free(e);
	hist_events_free(events);
}

/* 155 switches in a table for 128 keys that is not shown, and no other loss. */
static void full_tables(void)
{
	/* all events are in the window */
	static const struct expression_window all = { .from = 40000000000, .to = 50000000000, .columns = 7 };
	struct hist_events *events = open_events("events/several.dat");
	struct expression_result result;
	struct expression *e = NULL;
	struct hist_error refusal = { 0 };
	struct hist_error error = { 0 };
	char note[256];

	CU_ASSERT_EQUAL_FATAL(expression_parse(&e, events, 0, "sched:sched_switch hist:keys=common_timestamp:"
					       "ts=common_timestamp:size=128; sched:sched_waking hist:keys=pid", &refusal), 0);
	CU_ASSERT_EQUAL_FATAL(expression_count(e, &all, NULL, NULL, &result, &error), 0);
	CU_ASSERT_EQUAL(result.unsaved, 155 - 128);
	CU_ASSERT(expression_get_note(&result, 0, note, sizeof(note)));
	CU_ASSERT_STRING_EQUAL(
		note, "27 hits of triggers that are not shown, such as START and END of a latency, "
		      "did not fit in their tables");
	CU_ASSERT(!expression_get_note(&result, 1, note, sizeof(note)));
	recording_unref(result.recording);
	expression_free(e);
	hist_events_free(events);
}

static void losses(void)
{
	static const struct expression_window all = { .to = UINT64_MAX };
	struct hist_events *events = open_events("events/lost.dat");
	struct expression_window window = { .columns = 10 };
	const struct recording_snapshot *snaps;
	struct expression_result result;
	struct hist_strbuf words = { 0 };
	struct expression *e = NULL;
	struct hist_error refusal = { 0 };
	static const char *const notes[] = {
		"1 damaged page was skipped",
		"1 event shorter than the event format requires was skipped",
		"2 hits without a recorded stack are not included in any row",
	};
	struct hist_error error = { 0 };
	char note[256];
	unsigned int i;

	CU_ASSERT_EQUAL_FATAL(expression_parse(&e, events, 0, "raw_syscalls:sys_enter hist:keys=id.syscall",
					       &refusal), 0);
	CU_ASSERT_EQUAL_FATAL(expression_count(e, &all, NULL, NULL, &result, &error), 0);
	CU_ASSERT_EQUAL(result.hits, 3949);
	CU_ASSERT(result.lost > 100);
	snaps = result.recording->hists[0].snapshots;
	/* between the first two gaps: from inside of the page that is behind one */
	CU_ASSERT(snaps[0].time < 71858400000);
	window.from = 71858400000;
	window.to = 71878000000;
	recording_unref(result.recording);
	CU_ASSERT_EQUAL_FATAL(expression_count(e, &window, NULL, NULL, &result, &error), 0);
	CU_ASSERT_EQUAL(result.lost, 0);
	expression_describe(&words, 0, &window, &result);
	hist_strbuf_char(&words, '\0');
	CU_ASSERT_PTR_NOT_NULL(strstr(words.data, ", none lost"));
	hist_strbuf_free(&words);
	recording_unref(result.recording);
	/* a window without an event */
	window.from = window.to = 5;
	CU_ASSERT_EQUAL_FATAL(expression_count(e, &window, NULL, NULL, &result, &error), 0);
	CU_ASSERT_EQUAL(result.hits, 0);
	CU_ASSERT_FALSE(expression_get_note(&result, 0, note, sizeof(note)));
	result.replay.damage.damaged_pages = 1;
	result.replay.counts.damaged = 1;
	result.replay.counts.no_stack = 2;
	for (i = 0; i < 3; i++) {
		CU_ASSERT_TRUE(expression_get_note(&result, i, note, sizeof(note)));
		CU_ASSERT_STRING_EQUAL(note, notes[i]);
	}
	recording_unref(result.recording);
	expression_free(e);
	hist_events_free(events);
}

struct told {
	unsigned int calls, last, most;
	uint64_t hits;
};

static bool tell(void *data, unsigned int done, uint64_t hits)
{
	struct told *t = data;

	CU_ASSERT(done <= 1000);
	CU_ASSERT(done >= t->last);
	t->last = done;
	t->hits = hits;
	return ++t->calls < t->most;
}

/* It is told how far it is, and given up wherever somebody says so. */
static void progress(void)
{
	struct hist_events *events = open_events("events/several.dat");
	struct expression_window window = { .from = 46000000000, .to = 47000000000, .columns = 50 };
	struct expression_result result;
	struct expression *e = NULL;
	struct hist_error refusal = { 0 };
	struct told t = { .most = UINT32_MAX };
	unsigned int n, all;
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL_FATAL(expression_parse(&e, events, 0, "sched:sched_switch hist:keys=next_comm",
					       &refusal), 0);
	CU_ASSERT_EQUAL_FATAL(expression_count(e, &window, tell, &t, &result, &error), 0);
	recording_unref(result.recording);
	CU_ASSERT(t.calls > 20);
	CU_ASSERT(t.last > 700);
	CU_ASSERT_EQUAL(t.hits, 155);
	all = t.calls;
	memset(&result, 0x5a, sizeof(result));
	for (n = 1; n < all; n++) {
		t = (struct told){ .most = n };
		CU_ASSERT_EQUAL(expression_count(e, &window, tell, &t, &result, &error),
				-ECANCELED);
		CU_ASSERT_EQUAL(t.calls, n);
	}
	CU_ASSERT_EQUAL(result.hits, 0x5a5a5a5a5a5a5a5a);
	expression_free(e);
	hist_events_free(events);
}

/* --- completion --- */

/* The words at the end of @text, with blanks between; @start: where the last word begins. */
static char *complete(struct hist_events *events, const char *text, size_t *start)
{
	struct names words = { 0 };
	struct hist_strbuf b = { 0 };
	size_t i;

	CU_ASSERT_EQUAL(expression_complete(&words, events, text, strlen(text), start), 0);
	for (i = 0; i < words.n; i++)
		hist_strbuf_printf(&b, "%s%s", i ? " " : "", words.names[i]);
	hist_strbuf_char(&b, '\0');
	names_clear(&words);
	return b.data;
}

static void completion(void)
{
	static const struct {
		const char *text, *word, *words;
	} cases[] = {
		{ "sched:", "sched:", "sched:sched_switch sched:sched_waking" },
		{ "waki", "waki", "sched:sched_waking" },
		{ "km", "km", "kmem:kmalloc" },
		{ "nothing", "nothing", "" },
		{ "kmem:kmalloc ", "", "hist:keys=" },
		{ "kmem:kmalloc hi", "hi", "hist:keys=" },
		{ "kmem:kmalloc hist:", "", "keys=" },
		{ "kmem:kmalloc hist:keys=by", "by", "bytes_req bytes_alloc" },
		{ "kmem:kmalloc hist:keys=call_site.sym,by", "by", "bytes_req bytes_alloc" },
		{ "kmem:kmalloc hist:keys=common_", "common_",
		  "common_type common_flags common_preempt_count common_pid common_timestamp common_cpu "
		  "common_comm common_stacktrace" },
		{ "kmem:kmalloc hist:keys=call_site.", "",
		  "hex sym sym-offset syscall log2 log2= buckets=" },
		{ "kmem:kmalloc hist:keys=common_pid.e", "e", "execname" },
		{ "kmem:kmalloc hist:keys=bytes_req.lo", "lo", "log2 log2=" },
		{ "kmem:kmalloc hist:keys=bytes_req.log2:", "", "vals= sort= size=" },
		{ "kmem:kmalloc hist:keys=bytes_req.log2:vals=h", "h", "hitcount" },
		{ "kmem:kmalloc hist:keys=bytes_req.log2:vals=bytes_alloc:", "", "sort= size=" },
		{ "kmem:kmalloc hist:keys=bytes_req.log2,call_site.sym:vals=bytes_alloc:sort=", "",
		  "bytes_req call_site bytes_alloc hitcount" },
		{ "kmem:kmalloc hist:keys=bytes_req:sort=hitcount.d", "d", "descending" },
		{ "kmem:kmalloc hist:keys=bytes_req ", "", "if " },
		{ "kmem:kmalloc hist:keys=bytes_req if by", "by", "bytes_req bytes_alloc" },
		{ "kmem:kmalloc hist:keys=bytes_req if bytes_req > ", NULL, "" },
		{ "kmem:kmalloc hist:keys=bytes_req if bytes_req > 100 && (call", "call", "call_site" },
		{ "kmem:kmalloc hist:keys=bytes_req; sched:sched_sw", "sched:sched_sw", "sched:sched_switch" },
		{ "sched:sched_waking hist:keys=comm if comm == \"a;b\" || ta", "ta", "target_cpu" },
		{ "s:wait u64 lat; pid_t pid; sched:sched_sw", "sched:sched_sw", "sched:sched_switch" },
		{ "s:wait u64 l", NULL, "" },
		{ "no:event hist:keys=", NULL, "" },
		/* options */
		{ "--l", "--l", "--latency" },
		{ "-", "-", "--preset --latency -e -k -v -s -f -R --tracer --function --function-latency "
		  "--synthetic --coarse" },
		{ "--preset ", "", "context-switches kmalloc-bytes off-cpu-stacks off-cpu-time on-cpu-time period "
		  "syscalls wakeup-latency wakeup-stacks" },
		{ "--preset wakeup-l", "wakeup-l", "wakeup-latency" },
		{ "-e sched:", "sched:", "sched:sched_switch sched:sched_waking" },
		{ "-e kmem:kmalloc -k by", "by", "bytes_req bytes_alloc" },
		{ "-e kmem:kmalloc -k call_site.sym,by", "by", "bytes_req bytes_alloc" },
		{ "-e kmem:kmalloc -k call_site.sym -v bytes_a", "bytes_a", "bytes_alloc" },
		{ "-e kmem:kmalloc -k bytes_req.lo", "lo", "log2 log2=" },
		{ "-e kmem:kmalloc -k bytes_req -s hitcount.d", "d", "descending" },
		{ "-e kmem:kmalloc -k bytes_req -f 'bytes_req > 100 && (call", "call", "call_site" },
		{ "-e kmem:kmalloc -R 'hist:keys=by", "by", "bytes_req bytes_alloc" },
		{ "--latency sched:sched_wak", "sched:sched_wak", "sched:sched_waking" },
		{ "--latency sched:sched_waking:p", "p", "pid prio" },
		{ "--latency sched:sched_waking:pid..sched:sched_sw", "sched:sched_sw", "sched:sched_switch" },
		{ "--latency sched:sched_waking:pid..sched:sched_switch:next_p", "next_p", "next_pid next_prio" },
		{ "--latency sched:sched_waking:pid..sched:sched_switch:next_pid:n", "n", "nsecs" },
		{ "--latency sched:sched_waking:pid..sched:sched_switch:next_pid -k next_c", "next_c", "next_comm" },
		{ "--tracer function_", "function_", "function_graph" },
		{ "--function vfs", NULL, "" },
		{ "-k ", NULL, "" },
		{ "--nosuch x", NULL, "" },
	};
	struct hist_events *events = open_events("events/several.dat");
	struct names words = { 0 };
	size_t i, start;
	char *got;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		got = complete(events, cases[i].text, &start);
		if (strcmp(got, cases[i].words))
			printf("\n%s: %s\n", cases[i].text, got);
		CU_ASSERT_STRING_EQUAL(got, cases[i].words);
		if (cases[i].word)
			CU_ASSERT_STRING_EQUAL(cases[i].text + start, cases[i].word);
		free(got);
	}
	/* all events of the file, and in the middle of a text only what is before the cursor */
	got = complete(events, "", &start);
	CU_ASSERT_PTR_NOT_NULL(strstr(got, "raw_syscalls:sys_enter"));
	CU_ASSERT_PTR_NOT_NULL(strstr(got, "ftrace:function"));
	free(got);
	CU_ASSERT_EQUAL(expression_complete(&words, events, "kmem:kmalloc hist:keys=by:vals=x", 25, &start), 0);
	CU_ASSERT_EQUAL(start, 23);
	CU_ASSERT_EQUAL(words.n, 2);
	names_clear(&words);
	hist_events_free(events);
}

/* --- without memory --- */

static int all_of_it(struct hist_events *events)
{
	static const struct expression_window window = { .from = 46000000000, .to = 47000000000, .columns = 3 };
	struct expression_result result;
	struct names words = { 0 };
	struct expression *e = NULL;
	struct hist_error refusal = { 0 };
	struct hist_error error = { 0 };
	size_t start;
	int ret;

	ret = expression_parse(&e, events, 0, "s:w u64 lat; sched_switch hist:keys=next_comm", &refusal);
	if (!ret)
		ret = expression_count(e, &window, NULL, NULL, &result, &error);
	if (!ret)
		recording_unref(result.recording);
	expression_free(e);
	if (!ret) {
		ret = expression_complete(&words, events, "sched:sched_switch hist:keys=n", 30, &start);
		names_clear(&words);
	}
	e = NULL;
	if (!ret)
		ret = expression_parse(&e, events, 0, "--preset wakeup-latency -e sched_switch -k next_pid "
				       "-f 'next_pid > 0'", &refusal);
	expression_free(e);
	if (!ret) {
		ret = expression_complete(&words, events, "-e sched:sched_switch -k n", 26, &start);
		names_clear(&words);
	}
	return ret;
}

static void without_memory(void)
{
	struct hist_events *events = open_events("events/several.dat");
	unsigned int failed = 0;
	long n, all;
	int ret;

	alloc_fail_after(-1);
	CU_ASSERT_EQUAL_FATAL(all_of_it(events), 0);
	all = alloc_fail_seen();
	CU_ASSERT(all > 100);
	for (n = 0; n < all; n += n < 200 ? 1 : 7) {
		alloc_fail_after(n);
		ret = all_of_it(events);
		alloc_fail_after(-1);
		/* some do without: a suggestion, a thread */
		CU_ASSERT(!ret || ret == -ENOMEM);
		failed += ret != 0;
	}
	CU_ASSERT(failed > 50);
	hist_events_free(events);
}

UNIT_TESTS(
	{ "an invalid expression is refused with the reason, its place and a hint", errors },
	{ "an expression counts exactly the events of the window", windows },
	{ "each statement of an expression can refer to the statements before it",
	  several_statements },
	{ "an expression reports the lost events of its window only", losses },
	{ "the hits of triggers that are not shown are not lost silently", full_tables },
	{ "counting reports its progress and can be cancelled at every step", progress },
	{ "completion offers the words that fit at the cursor", completion },
	{ "running out of memory is reported or harmless at every allocation of an expression",
	  without_memory });
