// SPDX-License-Identifier: GPL-2.0
/*
 * key_filter_test.c - the filter of a key matches the events that were counted under it
 *
 * data/keys.dat has histograms of all kinds of keys, and all events of the task
 * that they count, children and others among them (kernelshark/keys_dat.sh).  The kernel has
 * counted; libtraceevent filters; the two must agree for every row.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include <CUnit/Basic.h>
#include <traceevent/event-parse.h>
#include <trace-cmd/trace-cmd.h>

#include "kernelshark-plugin/model/key_filter.h"
#include "kernelshark-plugin/model/panel_data.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

struct events {
	struct tracecmd_input *file, *buffer;
	struct tep_record **records;
	size_t n;
};

static struct recording *recording;
static struct events events;

static void load_events(struct tracecmd_input *buffer)
{
	struct tep_record *record;
	int cpu;

	for (cpu = 0; cpu < tep_get_cpus(tracecmd_get_tep(buffer)); cpu++) {
		while ((record = tracecmd_read_data(buffer, cpu))) {
			events.records = realloc(events.records,
						 (events.n + 1) * sizeof(*events.records));
			events.records[events.n++] = record;
		}
	}
}

static int set_up(void)
{
	const char *path = test_data_path("keys.dat");
	struct hist_error error = { 0 };

	if (recording_open(&recording, path, &error)) {
		fprintf(stderr, "%s: %s\n", path, test_error(&error));
		return -1;
	}
	events.file = tracecmd_open(path, 0);
	if (!events.file || tracecmd_buffer_instances(events.file) != 1)
		return -1;
	events.buffer = tracecmd_buffer_instance_handle(events.file, 0);
	load_events(events.buffer);
	return events.n < 300 ? -1 : 0;
}

static int tear_down(void)
{
	size_t i;

	for (i = 0; i < events.n; i++)
		tracecmd_free_record(events.records[i]);
	free(events.records);
	tracecmd_close(events.buffer);
	tracecmd_close(events.file);
	recording_unref(recording);
	return 0;
}

/*
 * libtraceevent forgets a token at each parenthesis (process_filter() in parse-filter.c,
 * 1.7.1): what it takes between true and false is not our leak.
 */
static void library_leaks(bool on)
{
#ifdef __SANITIZE_ADDRESS__
	if (on)
		__lsan_disable();
	else
		__lsan_enable();
#else
	(void)on;
#endif
}

/* How many events match; -1 after a message: it is no filter. */
static long matches(unsigned int hist, const struct hist_strbuf *text)
{
	const char *event = recording->hists[hist].info->def.event, *colon = strchr(event, ':');
	struct tep_event_filter *filter = tep_filter_alloc(tracecmd_get_tep(events.buffer));
	char line[1024], why[256];
	long n = 0;
	size_t i;
	int ret;

	snprintf(line, sizeof(line), "%.*s/%s:%.*s", (int)(colon - event), event, colon + 1,
		 (int)text->len, text->data);
	library_leaks(true);
	ret = tep_filter_add_filter_str(filter, line);
	library_leaks(false);
	if (ret < 0) {
		tep_filter_strerror(filter, ret, why, sizeof(why));
		fprintf(stderr, "\n%s: %s\n", line, why);
		n = -1;
	}
	for (i = 0; i < events.n && n >= 0; i++)
		n += tep_filter_match(filter, events.records[i]) == TEP_ERRNO__FILTER_MATCH;
	tep_filter_free(filter);
	return n;
}

static struct panel_data *last_of(unsigned int hist)
{
	struct panel_data_query query = { .recording = recording, .hist = hist,
				       .what = PANEL_DATA_SNAPSHOT };
	struct panel_data *f = NULL;

	query.to = recording->hists[hist].n;
	query.to--;
	CU_ASSERT_EQUAL_FATAL(panel_data_make(&f, &query, NULL, NULL), 0);
	return f;
}

static uint64_t hits_of(const struct panel_data *f, uint32_t entry)
{
	return f->view.snap->values[(size_t)entry * f->schema->nvalues +
				    hist_schema_hitcount(f->schema)];
}

/* The histogram whose trigger has @part behind its "hist:". */
static unsigned int find_hist(const char *part)
{
	unsigned int i;

	for (i = 0; i < recording->count; i++)
		if (!strncmp(recording->hists[i].info->def.trigger + 5, part, strlen(part)))
			return i;
	CU_FAIL_FATAL("no such histogram");
	return 0;
}

/* Which rows have no filter, and why. */
static const struct refusal {
	const char *keys, *row, *why;
} refusals[] = {
	{ "keys=stacktrace ", NULL, "stacktrace: event filters cannot compare stacks" },
	{ "keys=parent_comm ", "a,b", "parent_comm: event filters cannot contain this name" },
	{ "keys=parent_comm ", "\\", "parent_comm: event filters cannot contain this name" },
	{ "keys=parent_comm,child_pid ", "a,b", "parent_comm: event filters cannot contain this "
						"name" },
	{ "keys=parent_comm,child_pid ", "\\", "parent_comm: event filters cannot contain this "
					       "name" },
	{ "keys=child_comm ", NULL, "the filter of the trigger uses the pattern \"k*\", but "
				    "patterns in event filters ignore case" },
};

static const char *expected_refusal(const struct panel_data *f, uint32_t entry)
{
	const char *trigger = f->view.info->def.trigger, *s;
	size_t i, len;

	for (i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
		if (strncmp(trigger + 5, refusals[i].keys, strlen(refusals[i].keys)))
			continue;
		if (!refusals[i].row)
			return refusals[i].why;
		s = hist_table_string(f->view.table, hist_table_cells(f->view.table, entry)->str, &len);
		if (!strcmp(s, refusals[i].row))
			return refusals[i].why;
	}
	return NULL;
}

/*
 * How many events libtraceevent finds.  Its filters read __data_loc in the byte order of the machine
 * (get_field_str() in parse-filter.c, 1.7.1), so a big endian one finds no "filename" in this
 * file, which is little endian.
 */
static long expected_matches(const struct panel_data *f, uint32_t entry,
			     const struct hist_strbuf *text)
{
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ &&
	    memmem(text->data, text->len, "filename", strlen("filename")))
		return 0;
	return hits_of(f, entry);
}

static unsigned int check_row(const struct panel_data *f, unsigned int hist, uint32_t entry)
{
	const char *refusal = expected_refusal(f, entry);
	struct hist_strbuf text = { 0 };
	struct hist_error error = { 0 };
	long n = 0, want = 0;
	int ret;

	ret = key_filter_make_axis(&text, recording, hist, f->view.table, -1, NULL, entry, &error);
	CU_ASSERT_EQUAL(ret, refusal ? -EOPNOTSUPP : 0);
	if (refusal) {
		CU_ASSERT_STRING_EQUAL(test_error(&error), refusal);
		CU_ASSERT_EQUAL(text.len, 0);
	} else {
		n = matches(hist, &text);
		want = expected_matches(f, entry, &text);
		CU_ASSERT_EQUAL(n, want);
	}
	if ((refusal && strcmp(test_error(&error), refusal)) || n != want)
		fprintf(stderr, "\n%s row %u: %.*s: %ld of %ld: %s\n", f->view.info->def.trigger,
			entry, (int)text.len, text.data, n, want, test_error(&error));
	hist_strbuf_free(&text);
	return !refusal;
}

static void test_rows(void)
{
	unsigned int hist, filters = 0, rows = 0;
	struct panel_data *f;
	uint32_t i;

	for (hist = 0; hist < recording->count; hist++) {
		f = last_of(hist);
		CU_ASSERT(f->rows.n > 0);
		rows += f->rows.n;
		for (i = 0; i < f->rows.n; i++)
			filters += check_row(f, hist, f->rows.entries[i]);
		panel_data_free(f);
	}
	CU_ASSERT_EQUAL(recording->count, 25);
	CU_ASSERT(filters > 150 && rows > filters);
}

/* The rows of the axis of all groups, and of each group. */
static unsigned int check_axis(unsigned int hist, const char *group)
{
	struct panel_data_query query = { .recording = recording, .hist = hist,
				       .what = PANEL_DATA_SNAPSHOT, .group = group };
	uint32_t entry = HIST_NO_ENTRY, i;
	struct panel_data *f = NULL;
	unsigned int n = 0;

	query.to = recording->hists[hist].n;
	query.to--;
	CU_ASSERT_EQUAL_FATAL(panel_data_make(&f, &query, NULL, NULL), 0);
	if (group) {
		entry = panel_find_group_entry(f, group);
		CU_ASSERT_NOT_EQUAL_FATAL(entry, HIST_NO_ENTRY);
	}
	for (i = 0; i < f->by_axis->nrows; i++) {
		const struct hist_heat_row *row = &f->by_axis->rows[i];
		struct hist_bounds bounds = { f->by_axis->is_signed, row->ge, row->le };
		struct hist_strbuf text = { 0 };
		struct hist_error error = { 0 };
		long found;

		if (row->empty)
			continue;
		CU_ASSERT_EQUAL(key_filter_make_axis(&text, recording, hist, f->view.table, f->axis,
						     &bounds, entry, &error),
				0);
		found = matches(hist, &text);
		if (found != (long)row->total)
			fprintf(stderr, "\n%s: %.*s: %ld of %lu: %s\n", f->view.info->def.trigger,
				(int)text.len, text.data, found, (unsigned long)row->total,
				test_error(&error));
		CU_ASSERT_EQUAL(found, (long)row->total);
		n += row->total != 0;
		hist_strbuf_free(&text);
	}
	for (i = 0; !group && i < f->ngroups; i++)
		n += check_axis(hist, f->groups[i].label);
	panel_data_free(f);
	return n;
}

static void test_axis(void)
{
	CU_ASSERT(check_axis(find_hist("keys=ret.log2 "), NULL) > 6);
	CU_ASSERT(check_axis(find_hist("keys=ret.buckets=10 "), NULL) > 6);
	CU_ASSERT(check_axis(find_hist("keys=id.syscall,ret.buckets=16 "), NULL) > 20);
	CU_ASSERT(check_axis(find_hist("keys=sig,code.log2 "), NULL) > 3);
	CU_ASSERT(check_axis(find_hist("keys=call_site.sym,bytes_req.log2"), NULL) > 3);
	CU_ASSERT(check_axis(find_hist("keys=bytes_req,call_site.sym-offset "), NULL) > 1);
}

/* A range around zero, as a row has that was merged. */
static void test_around(void)
{
	struct hist_bounds bounds = { true, (uint64_t)-3, 5 };
	struct hist_strbuf text = { 0 };
	unsigned int hist = find_hist("keys=code ");
	struct panel_data *f = last_of(hist);
	uint64_t want = 0;
	struct hist_error error = { 0 };
	uint32_t i;

	for (i = 0; i < f->rows.n; i++) {
		int64_t code = hist_table_cells(f->view.table, f->rows.entries[i])->num;

		want += code >= -3 && code <= 5 ? hits_of(f, f->rows.entries[i]) : 0;
	}
	CU_ASSERT(want > 2 && want < f->view.snap->hits);
	CU_ASSERT_EQUAL(key_filter_make_axis(&text, recording, hist, f->view.table, 0, &bounds,
					     HIST_NO_ENTRY, &error),
			0);
	CU_ASSERT_EQUAL(matches(hist, &text), (long)want);
	hist_strbuf_free(&text);
	panel_data_free(f);
}

static void expect_text(const char *keys, const char *row, const char *want)
{
	struct hist_strbuf text = { 0 };
	unsigned int hist = find_hist(keys);
	struct panel_data *f = last_of(hist);
	uint32_t entry = panel_find_entry(f, row);
	struct hist_error error = { 0 };

	CU_ASSERT_NOT_EQUAL_FATAL(entry, HIST_NO_ENTRY);
	hist_strbuf_str(&text, "before ");
	CU_ASSERT_EQUAL(key_filter_make_axis(&text, recording, hist, f->view.table, -1, NULL, entry,
					     &error),
			0);
	hist_strbuf_char(&text, '\0');
	CU_ASSERT_STRING_EQUAL(text.data, want);
	if (strcmp(text.data, want))
		fprintf(stderr, "\n%s\n", text.data);
	hist_strbuf_free(&text);
	panel_data_free(f);
}

static void test_refused(void)
{
	struct hist_bounds bounds = { false, 0, 1 };
	struct hist_strbuf text = { 0 };
	unsigned int hist = find_hist("keys=ret ");
	struct panel_data *f = last_of(hist);
	uint32_t entries = hist_table_entries(f->view.table);
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL(key_filter_make_axis(&text, recording, hist, f->view.table, -1, NULL,
					     entries, &error),
			-EINVAL);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "no such row");
	CU_ASSERT_EQUAL(key_filter_make_axis(&text, recording, recording->count, f->view.table, -1,
					     NULL, 0, &error),
			-EINVAL);
	CU_ASSERT_EQUAL(key_filter_make_axis(&text, recording, hist, f->view.table, 1, &bounds,
					     HIST_NO_ENTRY, &error),
			-EINVAL);
	CU_ASSERT_EQUAL(key_filter_make_axis(&text, recording, hist, f->view.table, 0, &bounds,
					     entries, &error),
			-EINVAL);
	CU_ASSERT_EQUAL(text.len, 0);
	panel_data_free(f);
}

static void test_no_memory(void)
{
	unsigned int hist = find_hist("keys=common_cpu,id ");
	struct panel_data *f = last_of(hist);
	struct hist_strbuf text = { 0 };
	struct hist_error error = { 0 };
	long n;
	int ret;

	for (n = 0; n < 1000; n++) {
		alloc_fail_after(n);
		ret = key_filter_make_axis(&text, recording, hist, f->view.table, -1, NULL, 0,
					   &error);
		alloc_fail_after(-1);
		if (!ret)
			break;
		CU_ASSERT_EQUAL(ret, -ENOMEM);
		CU_ASSERT_EQUAL(text.len, 0);
		CU_ASSERT_STRING_EQUAL(test_error(&error), "");
		/* the buffer's own failure stays in it */
		hist_strbuf_free(&text);
		memset(&text, 0, sizeof(text));
	}
	CU_ASSERT(n > 10);
	CU_ASSERT(text.len > 20);
	hist_strbuf_free(&text);
	panel_data_free(f);
}

static void test_text(void)
{
	expect_text("keys=sig,code ", "10 / -6",
		    "before sig == 10 && code == 18446744073709551610 && common_pid == 175");
}

UNIT_TESTS_WITH(set_up, tear_down,
	{ "the filter of each row matches as many events as the kernel counted", test_rows },
	{ "the filter of each bucket of an axis matches as many events as the kernel counted",
	  test_axis },
	{ "the filter of a range around zero matches negative and positive values", test_around },
	{ "key_filter_make_axis() appends the filter to the text", test_text },
	{ "key_filter_make_axis() refuses a row, a histogram or an axis that does not exist",
	  test_refused },
	{ "running out of memory is reported at every allocation of a key filter",
	  test_no_memory });
