// SPDX-License-Identifier: GPL-2.0
/*
 * top_test.c - `trace-cmd hist top` without a terminal: rates, order, filter,
 * notes, memory, and whole screens as text
 */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "tracecmd/top/top_view.h"
#include "utest/unit/tests.h"

#define SEC 1000000000ull

static struct hist_schema tasks = {
	.nkeys = 1,
	.nvalues = 2,
	.keys = { { .name = (char *)"comm", .kind = HIST_KEY_STRING } },
	.values = { { .name = (char *)"hitcount", .kind = HIST_VALUE_SUM },
		    { .name = (char *)"delta", .kind = HIST_VALUE_SUM, .is_signed = true } },
};

static struct hist_schema lat = {
	.nkeys = 1,
	.nvalues = 1,
	.keys = { { .name = (char *)"lat", .kind = HIST_KEY_LOG2 } },
	.values = { { .name = (char *)"hitcount", .kind = HIST_VALUE_SUM } },
};

static const char *const names[] = { "sh", "kworker/0:1", "a\033[2Jb", "Shell" };
/* hitcount and delta at 0 s, 2 s and 3 s */
static const int64_t counts[3][4][2] = {
	{ { 10, 5 }, { 1000, 0 }, { 1, 0 }, { 0, 0 } },
	{ { 30, 2 }, { 1000, 0 }, { 2, 0 }, { 0, 0 } },
	{ { 37, -8 }, { 1004, 0 }, { 2, 0 }, { 500, 7 } },
};

static struct top_model model;
static struct hist_table *tables[2];
static struct hist_snapshot snap;

static void feed_tasks(unsigned int step, uint64_t ns, uint32_t flags)
{
	unsigned int i, v;

	CU_ASSERT_EQUAL_FATAL(hist_snapshot_grow(&snap, &tasks, 4), 0);
	snap.hits = 0;
	for (i = 0; i < 4; i++) {
		for (v = 0; v < 2; v++)
			snap.values[i * 2 + v] = counts[step][i][v];
		snap.hits += counts[step][i][0];
	}
	snap.entries = 4;
	snap.flags = flags;
	CU_ASSERT_EQUAL(top_model_feed(&model, 0, &snap, ns), 0);
}

static void feed_lat(uint64_t at1, uint64_t at4, uint64_t ns)
{
	struct hist_snapshot s = { .hits = at1 + at4, .entries = 2 };

	CU_ASSERT_EQUAL_FATAL(hist_snapshot_grow(&s, &lat, 2), 0);
	s.values[0] = at4;
	s.values[1] = at1;
	CU_ASSERT_EQUAL(top_model_feed(&model, 1, &s, ns), 0);
	hist_snapshot_clear(&s);
}

static void set_up(void)
{
	struct hist_cell cell = { 0 };
	uint32_t entry;
	unsigned int i;

	setlocale(LC_CTYPE, "C.UTF-8");
	memset(&model, 0, sizeof(model));
	memset(&snap, 0, sizeof(snap));
	tables[0] = hist_table_new(&tasks);
	for (i = 0; i < 4; i++) {
		hist_table_intern(tables[0], names[i], strlen(names[i]), &cell.str);
		hist_table_add(tables[0], &cell, &entry);
	}
	tables[1] = hist_table_new(&lat);
	cell.str = HIST_NO_STRING;
	cell.num = 4;
	hist_table_add(tables[1], &cell, &entry);
	cell.num = 1;
	hist_table_add(tables[1], &cell, &entry);
	model.interval_ns = SEC;
	CU_ASSERT_EQUAL(top_model_add_hist(&model, "sched:x", "hist:keys=comm:vals=delta",
					   tables[0]), 0);
	CU_ASSERT_EQUAL(top_model_add_hist(&model, "a:lat", "hist:keys=lat.log2", tables[1]), 0);
	feed_tasks(0, 100 * SEC, 0);
	feed_tasks(1, 102 * SEC, 0);
	feed_tasks(2, 103 * SEC, 0);
	feed_lat(0, 0, 100 * SEC);
	feed_lat(1, 0, 102 * SEC);
	feed_lat(1, 50, 103 * SEC);
	feed_lat(2, 1050, 104 * SEC);
	model.elapsed_ns = 3 * SEC;
}

static void tear_down(void)
{
	top_model_clear(&model);
	CU_ASSERT_EQUAL(model.history_bytes, 0);
	hist_snapshot_clear(&snap);
	hist_table_free(tables[0]);
	hist_table_free(tables[1]);
	setlocale(LC_CTYPE, "C");
}

/* The canvas as text. */
static char *screen(unsigned int rows, unsigned int columns, bool utf8)
{
	struct top_canvas c = { .utf8 = utf8 };
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	model.flags = utf8 ? 0 : HIST_ESCAPE_ASCII;
	CU_ASSERT_EQUAL_FATAL(top_canvas_resize(&c, rows, columns), 0);
	CU_ASSERT_EQUAL(top_draw(&model, &c), 0);
	CU_ASSERT_EQUAL(top_canvas_print(&c, f, 0, rows), 0);
	fclose(f);
	top_canvas_clear(&c);
	return text;
}

static void expect_screen(unsigned int rows, unsigned int columns, bool utf8, const char *golden)
{
	char *text = screen(rows, columns, utf8);

	if (strcmp(text, golden))
		fprintf(stderr, "\ngot:\n%s\nexpected:\n%s\n", text, golden);
	CU_ASSERT_STRING_EQUAL(text, golden);
	free(text);
}

static int64_t rate_of(unsigned int value, const struct top_interval *interval, uint32_t entry)
{
	return hist_columns_rate(&tasks, value, &interval->diff, interval->length_ns, entry);
}

static void test_rates(void)
{
	const struct top_interval *i;

	set_up();
	i = top_interval(&model.hists[0], 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(i);
	CU_ASSERT_EQUAL(i->length_ns, SEC);
	CU_ASSERT_EQUAL(rate_of(0, i, 0), 7000);
	CU_ASSERT_EQUAL(rate_of(1, i, 0), -10000);
	CU_ASSERT_EQUAL(rate_of(0, i, 3), 500000);
	CU_ASSERT_EQUAL(rate_of(0, i, 99), 0);
	CU_ASSERT_EQUAL(top_hits_rate(i), 511000);
	i = top_interval(&model.hists[0], 1);
	CU_ASSERT_EQUAL(i->length_ns, 2 * SEC);
	CU_ASSERT_EQUAL(rate_of(0, i, 0), 10000);
	CU_ASSERT_EQUAL(rate_of(0, i, 2), 500);
	CU_ASSERT_PTR_NULL(top_interval(&model.hists[0], 2));
	tear_down();
}

/* The labels of the lines, with blanks between. */
static const char *order(struct top_hist *h)
{
	static char text[256];
	uint32_t i;

	text[0] = '\0';
	CU_ASSERT_EQUAL(top_arrange(&model, h), 0);
	for (i = 0; i < h->nlines; i++) {
		if (i)
			strcat(text, " ");
		sprintf(text + strlen(text), h->lines[i].entry == HIST_NO_ENTRY ? "-" : "%u",
			h->lines[i].entry);
	}
	return text;
}

static void test_order(void)
{
	struct top_hist *h;

	set_up();
	h = &model.hists[0];
	CU_ASSERT_STRING_EQUAL(order(h), "3 0 1 2"); /* by rate */
	CU_ASSERT_EQUAL(top_sort(&model, "hitcount"), 0);
	CU_ASSERT_STRING_EQUAL(order(h), "3 0 1 2"); /* 500, 37 - 10, 1004 - 1000, 2 - 1 */
	CU_ASSERT_EQUAL(top_sort(&model, "hitcount.ascending"), 0);
	CU_ASSERT_STRING_EQUAL(order(h), "2 1 0 3");
	CU_ASSERT_EQUAL(top_sort(&model, "delta"), 0);
	CU_ASSERT_STRING_EQUAL(order(h), "3 1 2 0"); /* -8 - 5 is least */
	CU_ASSERT_EQUAL(top_sort(&model, "comm"), 0);
	CU_ASSERT_STRING_EQUAL(order(h), "3 2 1 0");
	CU_ASSERT_EQUAL(top_sort(&model, "comm.descending"), 0);
	CU_ASSERT_STRING_EQUAL(order(h), "0 1 2 3");
	CU_ASSERT_EQUAL(top_sort(&model, "nothing"), -ENOENT);
	CU_ASSERT_STRING_EQUAL(order(h), "0 1 2 3");
	/* the other histogram has no comm: it stays sorted by hitcount */
	CU_ASSERT_STRING_EQUAL(order(&model.hists[1]), "1 0");
	CU_ASSERT_EQUAL(top_sort(&model, "lat.descending"), 0);
	CU_ASSERT_STRING_EQUAL(order(&model.hists[1]), "0 1");
	/* an axis in its order has its empty places, in bars */
	CU_ASSERT_EQUAL(top_sort(&model, "lat"), 0);
	CU_ASSERT_STRING_EQUAL(order(&model.hists[1]), "1 0");
	model.view = TOP_BARS;
	CU_ASSERT_STRING_EQUAL(order(&model.hists[1]), "1 - - 0");
	CU_ASSERT_EQUAL(model.hists[1].lines[2].num, 3);
	tear_down();
}

/* The first snapshot is the set-up: it is in no total, and its keys come when they are counted. */
static void test_set_up_left_out(void)
{
	struct top_hist *h;
	char *text;

	set_up();
	top_model_clear(&model);
	model.interval_ns = SEC;
	CU_ASSERT_EQUAL(top_model_add_hist(&model, "sched:x", "hist:keys=comm", tables[0]), 0);
	h = &model.hists[0];
	feed_tasks(0, 100 * SEC, 0);
	CU_ASSERT_STRING_EQUAL(order(h), "");
	CU_ASSERT_EQUAL(h->total.hits, 0);
	feed_tasks(1, 102 * SEC, 0);
	CU_ASSERT_STRING_EQUAL(order(h), "0 2");
	CU_ASSERT_EQUAL(h->total.hits, 21);
	CU_ASSERT_EQUAL(h->total.values[0], 20);
	text = screen(9, 90, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "hits 21 "));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "earlier hits 1011\n"));
	CU_ASSERT_PTR_NULL(strstr(text, "kworker"));
	free(text);
	feed_tasks(2, 103 * SEC, 0);
	CU_ASSERT_STRING_EQUAL(order(h), "3 0 1 2");
	/* cleared: all there is came after the first snapshot */
	feed_tasks(0, 104 * SEC, HIST_SNAP_RESET);
	CU_ASSERT_EQUAL(h->total.hits, 1011);
	CU_ASSERT_STRING_EQUAL(order(h), "1 0 2 3");
	tear_down();
}

static void type(const char *keys)
{
	for (; *keys; keys++)
		CU_ASSERT_TRUE(top_handle_key(&model, *keys, 2));
}

static void test_keys(void)
{
	struct top_hist *h;

	set_up();
	h = &model.hists[0];
	type("/sH");
	CU_ASSERT_STRING_EQUAL(order(h), "3 0"); /* as it is typed, small or capital */
	CU_ASSERT_EQUAL(h->hidden, 2);
	type("x");
	CU_ASSERT_STRING_EQUAL(order(h), "");
	CU_ASSERT_TRUE(top_handle_key(&model, TOP_KEY_BACKSPACE, 2));
	CU_ASSERT_TRUE(top_handle_key(&model, 0x20ac, 2)); /* three bytes, taken back as one */
	CU_ASSERT_STRING_EQUAL(model.filter, "sH\xe2\x82\xac");
	CU_ASSERT_TRUE(top_handle_key(&model, 127, 2));
	type("q"); /* a letter of the filter, not the end */
	CU_ASSERT_TRUE(top_handle_key(&model, 127, 2));
	type("\r");
	CU_ASSERT_FALSE(model.editing);
	CU_ASSERT_STRING_EQUAL(order(h), "3 0");
	CU_ASSERT_TRUE(top_handle_key(&model, TOP_KEY_ESCAPE, 2));
	CU_ASSERT_STRING_EQUAL(order(h), "3 0 1 2");
	type("r");
	CU_ASSERT_STRING_EQUAL(order(h), "2 1 0 3");
	type(">"); /* from hitcount/s to hitcount */
	CU_ASSERT_STRING_EQUAL(order(h), "3 0 1 2");
	type("<<"); /* to comm */
	CU_ASSERT_STRING_EQUAL(order(h), "3 2 1 0");
	type("<"); /* around: delta */
	CU_ASSERT_STRING_EQUAL(order(h), "3 1 2 0");

	CU_ASSERT_TRUE(top_handle_key(&model, TOP_KEY_END, 3));
	CU_ASSERT_EQUAL(h->scroll, 1);
	CU_ASSERT_TRUE(top_handle_key(&model, TOP_KEY_DOWN, 3));
	CU_ASSERT_EQUAL(h->scroll, 1);
	CU_ASSERT_TRUE(top_handle_key(&model, TOP_KEY_PAGE_UP, 3));
	CU_ASSERT_EQUAL(h->scroll, 0);

	type("v");
	CU_ASSERT_EQUAL(model.view, TOP_BARS);
	type("m");
	CU_ASSERT_EQUAL(model.view, TOP_HEAT);
	type("v");
	CU_ASSERT_EQUAL(model.view, TOP_SUMMARY);
	/* which looks as the table, without an axis */
	CU_ASSERT_EQUAL(top_shown_view(&model, h), TOP_TABLE);
	type("v");
	CU_ASSERT_EQUAL(model.view, TOP_BARS);
	type("s");
	CU_ASSERT_EQUAL(model.view, TOP_SUMMARY);
	type("t");
	type("\t");
	CU_ASSERT_EQUAL(model.current, 1);
	type("\t");
	CU_ASSERT_EQUAL(model.current, 0);
	type("2");
	CU_ASSERT_EQUAL(model.current, 1);
	type("3");
	CU_ASSERT_EQUAL(model.current, 1);
	type("p");
	CU_ASSERT_TRUE(model.paused);
	type(" ");
	CU_ASSERT_FALSE(model.paused);
	type("hx");
	CU_ASSERT_FALSE(model.help);
	CU_ASSERT_FALSE(top_handle_key(&model, 'q', 2));
	tear_down();
}

static void test_screens(void)
{
	set_up();
	expect_screen(10, 72, true,
		"1/2 sched:x  hist:keys=comm:vals=delta                  3.0 s  every 1 s\n"
		"hits 532  511/s  entries 4  dropped 0  by hitcount/s down  earlier hits…\n"
		"\n"
		"comm         hitcount/s  hitcount  delta/s  delta\n"
		"Shell               500       500      7.0      7\n"
		"sh                  7.0        27    -10.0    -13\n"
		"kworker/0:1         4.0         4        0      0\n"
		"a\\x1b[2Jb             0         1        0      0\n"
		"\n"
		"q quit  h help  space pause  v view\n");
	/* a page that is too small for the rows and the names */
	type("/k\r");
	expect_screen(8, 40, false,
		"1/2 sched:x  hist:key~  3.0 s  every 1 s\n"
		"filter \"k\": 3 rows hidden  hits 532  51~\n"
		"left out: delta\n"
		"comm       hitcount/s  hitcount  delta/s\n"
		"kwor~/0:1         4.0         4        0\n"
		"\n"
		"\n"
		"q quit  h help  space pause  v view\n");
	CU_ASSERT_TRUE(top_handle_key(&model, TOP_KEY_ESCAPE, 2));
	expect_screen(6, 40, false, "terminal too small (q quits)\n\n\n\n\n\n");
	expect_screen(1, 5, false, "term~\n");
	type("b");
	expect_screen(10, 48, true,
		"1/2 sched:x  hist:keys=comm:v…  3.0 s  every 1 s\n"
		"hits 532  511/s  entries 4  dropped 0  by hitco…\n"
		"\n"
		"comm         hitcount/s\n"
		"Shell               500  ███████████████████████\n"
		"sh                  7.0  ▎\n"
		"kworker/0:1         4.0  ▏\n"
		"a\\x1b[2Jb             0\n"
		"\n"
		"q quit  h help  space pause  v view\n");
	type("2m");
	expect_screen(11, 60, false,
		"2/2 a:lat  hist:keys=lat.log2               3.0 s  every 1 s\n"
		"hits 1052  1001/s  entries 2  dropped 0  by lat up\n"
		"\n"
		"per second: . 0.5 : 1.2 - 2.7 = 6.3 + 14.7 * 34.1 # 79.4 % ~\n"
		"    lat  hitcount/s                                      now\n"
		" (1, 2]         1.0                                      . .\n"
		" (2, 4]           0\n"
		" (4, 8]           0\n"
		"(8, 16]        1000                                       *@\n"
		"\n"
		"q quit  h help  space pause  v view\n");
	tear_down();
}

static void test_notes(void)
{
	struct hist_strbuf notes = { 0 };

	set_up();
	top_format_notes(&model, &model.hists[0], &notes);
	CU_ASSERT_EQUAL(notes.len, 0);
	model.missed = 1;
	snap.dropped = 12;
	feed_tasks(1, 104 * SEC, HIST_SNAP_RESET | HIST_SNAP_AMBIGUOUS | HIST_SNAP_PAUSED);
	top_format_notes(&model, &model.hists[0], &notes);
	hist_strbuf_char(&notes, '\0');
	CU_ASSERT_STRING_EQUAL(notes.data,
		"12 hits dropped: the table is full; cleared by another program: hits before that "
		"are not shown; ambiguous names: some rows may be wrong; the trigger is paused; "
		"1 refresh missed");
	/* what was before the clearing is not subtracted from, nor kept */
	CU_ASSERT_EQUAL(model.hists[0].n, 1);
	CU_ASSERT_EQUAL(rate_of(0, top_interval(&model.hists[0], 0), 0), 30000);
	hist_strbuf_clear(&notes);
	model.missed = 2;
	snap.dropped = 1;
	snap.probe_misses = 1;
	feed_tasks(1, 105 * SEC, 0);
	top_format_notes(&model, &model.hists[0], &notes);
	hist_strbuf_char(&notes, '\0');
	CU_ASSERT_STRING_EQUAL(notes.data,
		"1 hit dropped: the table is full; cleared by another program: hits before that "
		"are not shown; 1 hit missed by the probe; 2 refreshes missed");
	hist_strbuf_free(&notes);
	tear_down();
}

/* The ring goes round, and drops what is more than its share of memory. */
static void test_memory(void)
{
	struct hist_snapshot large = { 0 };
	uint64_t ns;
	unsigned int i;

	set_up();
	for (i = 0; i < TOP_INTERVALS + 10; i++)
		feed_tasks(i % 2, (104 + i) * SEC, 0);
	CU_ASSERT_EQUAL(model.hists[0].n, TOP_INTERVALS);
	CU_ASSERT_PTR_NOT_NULL(top_interval(&model.hists[0], TOP_INTERVALS - 1));
	CU_ASSERT_PTR_NULL(top_interval(&model.hists[0], TOP_INTERVALS));
	/* the last went from step 0 to 1, the one before back */
	CU_ASSERT_EQUAL(rate_of(1, top_interval(&model.hists[0], 0), 0), -3000);
	CU_ASSERT_EQUAL(rate_of(1, top_interval(&model.hists[0], 1), 0), 3000);

	CU_ASSERT_EQUAL_FATAL(hist_snapshot_grow(&large, &lat, 100000), 0);
	large.flags = 0;
	for (i = 0, ns = 1000 * SEC; i < 60; i++, ns += SEC)
		CU_ASSERT_EQUAL(top_model_feed(&model, 1, &large, ns), 0);
	CU_ASSERT_TRUE(model.history_bytes <= TOP_HISTORY_BYTES);
	/* 2^17 values of 8 bytes are 1 MiB */
	CU_ASSERT_TRUE(model.hists[1].n >= 30 && model.hists[1].n <= 32);
	hist_snapshot_clear(&large);
	tear_down();
}

/*
 * Feed the first row, or both if @pid is that of the second.  The row of @pid has @hits and a
 * maximum whose text is @saved; the other one is as before.
 */
static void feed_worst(struct hist_table *table, uint64_t pid, uint64_t hits, const char *saved,
		       uint64_t ns)
{
	const struct hist_cell cell = { .num = pid, .str = HIST_NO_STRING };
	struct hist_snapshot one = { .hits = hits, .entries = 1 };
	const struct hist_snapshot *last = &model.hists[2].last;
	uint32_t entry, id;

	CU_ASSERT_EQUAL_FATAL(hist_table_add(table, &cell, &entry), 0);
	CU_ASSERT_EQUAL_FATAL(hist_table_intern(table, saved, strlen(saved), &id), 0);
	CU_ASSERT_EQUAL_FATAL(hist_snapshot_grow(&one, hist_table_schema(table),
						 hist_table_entries(table)), 0);
	if (last->nentries)
		memcpy(one.values, last->values, last->nentries * 2 * sizeof(*one.values));
	one.values[2 * entry] = hits;
	one.values[2 * entry + 1] = id;
	CU_ASSERT_EQUAL(top_model_feed(&model, 2, &one, ns), 0);
	hist_snapshot_clear(&one);
}

#define SAVED "  common_timestamp: 12000000000  cpu:          1  common_pid:        123"

static void test_worst(void)
{
	static const struct hist_schema worst = {
		.nkeys = 1, .nvalues = 2,
		.keys = { { .name = (char *)"next_pid", .kind = HIST_KEY_NUM } },
		.values = { { .name = (char *)"hitcount", .kind = HIST_VALUE_SUM },
			    { .name = (char *)"saved", .kind = HIST_VALUE_WORST } },
	};
	struct hist_table *table = hist_table_new(&worst);
	char *text;

	set_up();
	CU_ASSERT_EQUAL_FATAL(top_model_add_hist(&model, "a:wait", "hist:keys=next_pid:worst=lat_us:"
						 "onmax($worst).save(common_timestamp,cpu,common_pid)",
						 table), 0);
	model.current = 2;
	feed_worst(table, 7, 1, "max:       4000" SAVED, 100 * SEC);
	text = screen(9, 90, true);
	CU_ASSERT_PTR_NULL(strstr(text, "worst: "));
	free(text);
	/* what was the largest before the first snapshot is a limit */
	feed_worst(table, 7, 2, "max:       4000" SAVED, 101 * SEC);
	text = screen(9, 90, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "worst: at most 4 ms, next_pid: 7\n"));
	CU_ASSERT_PTR_NULL(strstr(text, "newest: "));
	free(text);
	feed_worst(table, 7, 3, "max:       8200" SAVED, 102 * SEC);
	text = screen(9, 90, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "worst: 8.2 ms at 12.000000, CPU 1, pid 123, next_pid: 7\n"
					    "newest: 8.2 ms at 12.000000, CPU 1, pid 123, next_pid: 7\n"));
	free(text);
	/* another row rises to less, and nothing rises after it */
	feed_worst(table, 9, 4, "max:          9" SAVED, 103 * SEC);
	feed_worst(table, 7, 9, "max:       8200" SAVED, 104 * SEC);
	text = screen(9, 90, true);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "worst: 8.2 ms at 12.000000, CPU 1, pid 123, next_pid: 7\n"
					    "newest: 9 us at 12.000000, CPU 1, pid 123, next_pid: 9\n"));
	free(text);
	tear_down();
	hist_table_free(table);
}

/* A task by the numbers of its buckets: hits before, after 1 s, and after 2 s. */
static const struct {
	const char *comm;
	uint64_t lat, hits[3];
} waits[] = {
	{ "sh", 4, { 5, 7, 9 } },	 { "sh", 10, { 0, 1, 2 } }, { "kworker", 6, { 0, 90, 100 } },
	{ "kworker", 14, { 0, 1, 1 } }, { "idle", 3, { 8, 8, 8 } },
};

static void feed_waits(const struct hist_schema *schema, unsigned int step)
{
	struct hist_snapshot s = { .seq = step, .entries = 5 };
	unsigned int i;

	CU_ASSERT_EQUAL_FATAL(hist_snapshot_grow(&s, schema, 5), 0);
	for (i = 0; i < 5; i++) {
		s.values[i] = waits[i].hits[step];
		s.hits += waits[i].hits[step];
	}
	CU_ASSERT_EQUAL(top_model_feed(&model, 2, &s, (100 + step) * SEC), 0);
	hist_snapshot_clear(&s);
}

static void test_summary(void)
{
	static struct hist_schema schema = {
		.nkeys = 2, .nvalues = 1,
		.keys = { { .name = (char *)"comm", .kind = HIST_KEY_STRING },
			  { .name = (char *)"lat_us", .kind = HIST_KEY_LOG2 } },
		.values = { { .name = (char *)"hitcount", .kind = HIST_VALUE_SUM } },
	};
	struct hist_table *table = hist_table_new(&schema);
	struct hist_cell cells[2] = { { 0 }, { .str = HIST_NO_STRING } };
	struct top_hist *h;
	uint32_t entry;
	unsigned int i;

	set_up();
	for (i = 0; i < 5; i++) {
		hist_table_intern(table, waits[i].comm, strlen(waits[i].comm), &cells[0].str);
		cells[1].num = waits[i].lat;
		CU_ASSERT_EQUAL(hist_table_add(table, cells, &entry), 0);
	}
	CU_ASSERT_EQUAL_FATAL(top_model_add_hist(&model, "a:wait", "hist:keys=comm,lat_us.log2", table),
			      0);
	h = &model.hists[2];
	model.current = 2;
	model.view = TOP_SUMMARY;
	type("<<"); /* around, also before the first snapshot: max */
	CU_ASSERT_EQUAL(h->group_column, 5);
	type(">>");
	CU_ASSERT_EQUAL(h->group_column, 1);
	for (i = 0; i < 3; i++)
		feed_waits(&schema, i);
	expect_screen(9, 90, true,
		      "3/3 a:wait  hist:keys=comm,lat_us.log2                                    3.0 s  every 1 s\n"
		      "hits 107  13.0/s  entries 5  dropped 0  by hitcount/s down  earlier hits 13\n\n"
		      "comm     hitcount/s  hitcount       p50             p99             max  distribution\n"
		      "kworker        10.0       101  33-64 us        33-64 us    8.19-16.4 ms   ▁█▁      ▁▁\n"
		      "sh              3.0         6   9-16 us  513 us-1.02 ms  513 us-1.02 ms  █     ▃▂\n\n\n"
		      "q quit  h help  space pause  v view  <> sort  r reverse  / filter  Tab next\n");
	CU_ASSERT_STRING_EQUAL(order(h), "0 1");
	type(">>"); /* p50 */
	CU_ASSERT_EQUAL(h->group_column, 3);
	CU_ASSERT_STRING_EQUAL(order(h), "0 1");
	type("r");
	CU_ASSERT_STRING_EQUAL(order(h), "1 0");
	type("<<<"); /* the group, by name */
	CU_ASSERT_EQUAL(h->group_column, 0);
	CU_ASSERT_STRING_EQUAL(order(h), "0 1");
	type("r");
	CU_ASSERT_STRING_EQUAL(order(h), "1 0");
	type("<"); /* around: max; never the shape */
	CU_ASSERT_EQUAL(h->group_column, 5);
	type("/SH\n");
	CU_ASSERT_STRING_EQUAL(order(h), "1");
	CU_ASSERT_EQUAL(h->hidden, 1);
	type("t"); /* the rows of sh, by rate */
	CU_ASSERT_STRING_EQUAL(order(h), "0 1");
	/* an axis alone: bars, and a line */
	CU_ASSERT_TRUE(top_handle_key(&model, TOP_KEY_ESCAPE, 3));
	model.current = 1;
	model.view = TOP_SUMMARY;
	CU_ASSERT_EQUAL(top_shown_view(&model, &model.hists[1]), TOP_BARS);
	expect_screen(9, 60, false,
		      "2/3 a:lat  hist:keys=lat.log2               3.0 s  every 1 s\n"
		      "hits 1052  1001/s  entries 2  dropped 0  by lat up\n"
		      "p50 (8, 16]  p99 (8, 16]  max (8, 16]\n"
		      "    lat  hitcount/s\n"
		      " (1, 2]         1.0  .\n"
		      " (2, 4]           0\n"
		      " (4, 8]           0\n"
		      "(8, 16]        1000  #######################################\n"
		      "q quit  h help  space pause  v view\n");
	tear_down();
	hist_table_free(table);
}

UNIT_TESTS(
	{ "the summary of top has a line for each group, or bars of an axis alone", test_summary },
	{ "top shows the largest latency since the first snapshot, and what ran then", test_worst },
	{ "top computes the rate of each value from the length of its interval", test_rates },
	{ "top sorts its lines by any column in both directions", test_order },
	{ "top does not count the hits of the first snapshot", test_set_up_left_out },
	{ "each key of the keyboard changes the filter, the order or the view of top", test_keys },
	{ "top draws each view within the size of the terminal", test_screens },
	{ "top notes dropped hits, clearings, pauses and missed refreshes", test_notes },
	{ "top limits its history to a number of intervals and of bytes", test_memory });
