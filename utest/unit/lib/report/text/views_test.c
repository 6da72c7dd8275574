// SPDX-License-Identifier: GPL-2.0
/*
 * views_test.c - each kind of key and value as table, bars and JSON
 *
 * Only the rows are looked at here; head and totals are in report_test.c.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/analysis/default_order.h"
#include "lib/analysis/loss_notes.h"
#include "lib/expr/expr.h"
#include "lib/histfile/hist_text.h"
#include "lib/report/text/views.h"
#include "lib/report/writer.h"
#include "utest/unit/tests.h"

/* symbols with an offset fill a column of 55 */
#define PAD42 "                                          "

#define PAD45 PAD42 "   "

static const struct view_case {
	const char *trigger;
	const char *rows; /* as the kernel prints them */
	const char *table, *bars, *json;
} cases[] = {
	{ "hist:keys=common_pid.execname,id.syscall",
	  "{ common_pid: sh              [       144], id: sys_wait4                     [ 61] } hitcount:         63\n"
	  "{ common_pid: kworker/u8:0    [         7], id: sys_dup2                      [ 33] } hitcount:          7\n",
	  "{ common_pid: sh           [144], id: sys_wait4 [61] } hitcount: 63  share:  90.00%  cum:  90.00%\n"
	  "{ common_pid: kworker/u8:0 [  7], id: sys_dup2  [33] } hitcount:  7  share:  10.00%  cum: 100.00%\n",
	  "  common_pid        id              hitcount    share\n"
	  "  sh [144]          sys_wait4 [61]        63   90.00% |█████████████████\n"
	  "  kworker/u8:0 [7]  sys_dup2 [33]          7   10.00% |█▉\n",
	  "{ \"key\": { \"common_pid\": { \"comm\": \"sh\", \"pid\": 144 }, \"id\": \"sys_wait4\" }, "
	  "\"key_id\": { \"id\": 61 }, \"value\": { \"hitcount\": 63 } }" },
	{ "hist:keys=common_stacktrace,prev_pid",
	  "{ common_stacktrace:\n         a+0x1/0x2\n         b+0x3/0x4 [mod]\n, prev_pid:          7} hitcount:          3\n"
	  "{ common_stacktrace:\n         a+0x1/0x2\n, prev_pid:         12} hitcount:          1\n",
	  "{ common_stacktrace: 2 frames, prev_pid:  7 } hitcount: 3  share:  75.00%  cum:  75.00%\n"
	  "         a+0x1/0x2\n         b+0x3/0x4 [mod]\n"
	  "{ common_stacktrace: 1 frame , prev_pid: 12 } hitcount: 1  share:  25.00%  cum: 100.00%\n"
	  "         a+0x1/0x2\n",
	  "  hitcount    share\n"
	  "         3   75.00%  7\n"
	  "         3   75.00%    b\n"
	  "                       a\n"
	  "         1   25.00%  12\n"
	  "         1   25.00%    a\n",
	  "\"common_stacktrace\": [\n                  \"a+0x1/0x2\",\n"
	  "                  \"b+0x3/0x4 [mod]\"\n                ],\n                \"prev_pid\": 7\n" },
	{ "hist:keys=lat.log2",
	  "{ lat: ~ 2^0  } hitcount:          1\n{ lat: ~ 2^3  } hitcount:          4\n"
	  "{ lat: ~ 2^21 } hitcount:        200\n",
	  "{ lat: ~ 2^0  } hitcount:   1  share:   0.49%  cum:   0.49%\n"
	  "{ lat: ~ 2^3  } hitcount:   4  share:   1.95%  cum:   2.44%\n"
	  "{ lat: ~ 2^21 } hitcount: 200  share:  97.56%  cum: 100.00%\n",
	  "       lat  hitcount    share\n"
	  "    [0, 1]         1    0.49% |▏\n"
	  "    (1, 2]         0    0.00% |\n"
	  "    (2, 4]         0    0.00% |\n"
	  "    (4, 8]         4    1.95% |▊\n"
	  "       ...  (17 empty)\n"
	  "  (1M, 2M]       200   97.56% |█████████████████████████████████████████\n",
	  "{ \"key\": { \"lat\": { \"ge\": 5, \"le\": 8 } }, \"value\": { \"hitcount\": 4 } }" },
	{ "hist:keys=n.buckets=10:vals=hitcount,bytes",
	  "{ n: ~ 90-99 } hitcount:          1  bytes:         50\n"
	  "{ n: ~ 110-119 } hitcount:          3  bytes:          7\n",
	  "{ n: ~ 90-99   } hitcount: 1  bytes: 50  share:  25.00%  cum:  25.00%\n"
	  "{ n: ~ 110-119 } hitcount: 3  bytes:  7  share:  75.00%  cum: 100.00%\n",
	  "        n  hitcount    share\n"
	  "    90-99         1   25.00% |██████████████\n"
	  "  100-109         0    0.00% |\n"
	  "  110-119         3   75.00% |██████████████████████████████████████████\n",
	  "{ \"key\": { \"n\": { \"ge\": 110, \"le\": 119 } }, \"value\": { \"hitcount\": 3, \"bytes\": 7 } }" },
	/* numbers close together have their gaps shown, others not */
	{ "hist:keys=cpu",
	  "{ cpu:          3 } hitcount:          5\n{ cpu:          0 } hitcount:         10\n",
	  "{ cpu: 0 } hitcount: 10  share:  66.67%  cum:  66.67%\n"
	  "{ cpu: 3 } hitcount:  5  share:  33.33%  cum: 100.00%\n",
	  "  cpu  hitcount    share\n"
	  "    0        10   66.67% |██████████████████████████████████████████████\n"
	  "    1         0    0.00% |\n"
	  "    2         0    0.00% |\n"
	  "    3         5   33.33% |███████████████████████\n",
	  "{ \"key\": { \"cpu\": 3 }, \"value\": { \"hitcount\": 5 } }" },
	{ "hist:keys=pid",
	  "{ pid:       4000 } hitcount:          5\n{ pid:          1 } hitcount:         10\n",
	  "{ pid:    1 } hitcount: 10  share:  66.67%  cum:  66.67%\n"
	  "{ pid: 4000 } hitcount:  5  share:  33.33%  cum: 100.00%\n",
	  "   pid  hitcount    share\n"
	  "     1        10   66.67% |█████████████████████████████████████████████\n"
	  "  4000         5   33.33% |██████████████████████▌\n",
	  "{ \"key\": { \"pid\": 4000 }, \"value\": { \"hitcount\": 5 } }" },
	{ "hist:keys=p.hex,f.sym-offset:vals=v.hex:sort=v",
	  "{ p: ff36a9ff66573ba0, f: [ffffffff81000001] f+0x1/0x2 [m]" PAD42 " } hitcount:          1  v:        1c0\n"
	  "{ p: b, f: [c0de] 0xc0de" PAD42 "        } hitcount:          1  v: ffffffffffffff00\n",
	  "{ p: ff36a9ff66573ba0, f: [ffffffff81000001] f+0x1/0x2 [m] } hitcount: 1  v:              1c0\n"
	  "{ p:                b, f: [            c0de] 0xc0de        } hitcount: 1  v: ffffffffffffff00\n",
	  "                 p  f                                 v\n"
	  "  ff36a9ff66573ba0  f+0x1/0x2 [m]                   448 |▏\n"
	  "                 b  0xc0de         18446744073709551360 |███████████████\n",
	  "{ \"key\": { \"p\": \"18390073042812746656\", \"f\": \"f+0x1/0x2 [m]\" }, "
	  "\"key_id\": { \"f\": \"0xffffffff81000001\" }, \"value\": { \"hitcount\": 1, \"v.hex\": 448 } }" },
	{ "hist:keys=k:vals=hitcount.percent,hitcount.graph:nohitcount",
	  "{ k:          1 }  hitcount (%):  66.66  hitcount: ####################\n"
	  "{ k:          2 }  hitcount (%):   3.05  hitcount: #                   \n",
	  "{ k: 1 } hitcount (%): 66.66  hitcount: ####################\n"
	  "{ k: 2 } hitcount (%):  3.05  hitcount: #                   \n",
	  "  k  hitcount\n"
	  "  1    66.66% |█████████████████████████████████████████████████████████\n"
	  "  2     3.05% |██▌\n",
	  "{ \"key\": { \"k\": 2 }, \"value\": { \"hitcount.percent\": 3.05, \"hitcount.graph\": 1 } }" },
	{ "hist:keys=k:lat=x:onmax($lat).save(comm)",
	  "{ k:          1 } hitcount:          2\n\tmax:         88  comm: a\001b                             \n"
	  "{ k:          2 } hitcount:          1\n\tmax:          0  comm: (null)\n",
	  "{ k: 1 } hitcount: 2  share:  66.67%  cum:  66.67%\n"
	  "\tmax:         88  comm: a\\x01b\n"
	  "{ k: 2 } hitcount: 1  share:  33.33%  cum: 100.00%\n"
	  "\tmax:          0  comm: (null)\n",
	  "  k  hitcount    share\n"
	  "  1         2   66.67% |████████████████████████████████████████████████\n"
	  "  2         1   33.33% |████████████████████████\n",
	  "{ \"key\": { \"k\": 1 }, \"value\": { \"hitcount\": 2, \"saved\": \"max:         88  comm: a\\u0001b\" } },\n"
	  "            { \"key\": { \"k\": 2 }, \"value\": { \"hitcount\": 1, \"saved\": \"max:          0  comm: (null)\" } }" },
	{ "hist:keys=name", "", "", "", "\"rows\": []" },
};

/* Everything that a view is told. */
struct shown {
	struct hist_series_info info;
	struct hist_expr *expr;
	struct hist_schema *schema;
	struct hist_table *table;
	struct hist_text_parser *parser;
	struct hist_snapshot snap;
	struct hist_row_order order;
	struct hist_rows rows;
	struct hist_view view;
	char text[4096];
};

static void show(struct shown *s, const char *trigger, const char *rows)
{
	struct hist_error error = { 0 };
	struct hist_text_block block;
	unsigned int entries = 0;
	const char *at;
	size_t pos = 0;
	int len;

	memset(s, 0, sizeof(*s));
	for (at = rows; (at = strstr(at, "{ ")); at++)
		entries++;
	len = snprintf(s->text, sizeof(s->text), "# event histogram\n#\n# trigger info: %s [active]\n"
		       "#\n\n%s\nTotals:\n    Hits: 1\n    Entries: %u\n    Dropped: 0\n", trigger,
		       rows, entries);
	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&s->expr, trigger, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(hist_schema_make(&s->schema, s->expr, NULL), 0);
	s->table = hist_table_new(s->schema);
	s->parser = hist_text_parser_new(s->table);
	CU_ASSERT_EQUAL_FATAL(hist_text_next_block(s->text, len, &pos, &block), 1);
	if (hist_text_parse(s->parser, &block, &s->snap, &error))
		fprintf(stderr, "\n%s: %s\n", trigger, error.what);
	CU_ASSERT_EQUAL(s->snap.nentries, entries);
	s->info.def = (struct hist_definition){
		.event = "a:b", .trigger = trigger, .engine = "kernel", .clock = "mono",
		.schema = hist_table_schema(s->table),
	};
	s->view.info = &s->info;
	s->view.name = "a:b";
	s->view.table = s->table;
	s->view.snap = s->view.whole = &s->snap;
	s->view.rows = &s->rows;
}

/* In the order that the report takes by itself. */
static void select_rows(struct shown *s, bool axis)
{
	struct hist_selection selection = { .order = &s->order };
	const struct hist_schema *schema = hist_table_schema(s->table);
	bool has_axis = hist_default_order_set_axis(schema, &s->order);

	if (!has_axis || (!axis && schema->keys[0].kind != HIST_KEY_LOG2 &&
			  schema->keys[0].kind != HIST_KEY_BUCKETS)) {
		if (!hist_row_order_from_expr(&s->order, schema, s->expr))
			hist_row_order_set_largest(&s->order,
						   hist_row_find_main_value(schema, NULL));
	}
	s->view.axis_order = has_axis && axis;
	CU_ASSERT_EQUAL_FATAL(hist_rows_select(&s->rows, s->table, &s->snap, &selection), 0);
}

static void hide(struct shown *s)
{
	hist_rows_free(&s->rows);
	hist_snapshot_clear(&s->snap);
	hist_text_parser_free(s->parser);
	hist_table_free(s->table);
	hist_schema_free(s->schema);
	hist_expr_free(s->expr);
}

/* Inlined at -O3, gcc 12 takes the returned text for the local variable, and warns. */
__attribute__((noinline))
static char *whole_text(int (*print)(FILE *f, const struct hist_view *view,
				     const struct hist_view_style *style),
			const struct hist_view *view, const struct hist_view_style *style)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	CU_ASSERT_EQUAL(print(f, view, style), 0);
	fclose(f);
	return text;
}

static int view_bars(FILE *f, const struct hist_view *view, const struct hist_view_style *style)
{
	return hist_view_bars(f, view, style, NULL);
}

/* Static; only what stands between the head and the totals. */
static const char *printed(int (*print)(FILE *f, const struct hist_view *view,
					const struct hist_view_style *style),
			   const struct hist_view *view, const struct hist_view_style *style)
{
	static char rows[8192];
	char *text = whole_text(print, view, style), *start, *end;

	start = strstr(text, "\n#\n\n");
	start = start ? start + 4 : text;
	end = strstr(start, "\nTotals:\n");
	snprintf(rows, sizeof(rows), "%.*s", end ? (int)(end - start) : 0, start);
	free(text);
	return rows;
}

static void expect(const char *what, const char *is, const char *want, bool whole)
{
	bool good = whole ? !strcmp(is, want) : strstr(is, want) != NULL;

	if (!good)
		fprintf(stderr, "\n%s:\n%s--- not\n%s", what, is, want);
	CU_ASSERT(good);
}

static void test_table(void)
{
	struct hist_view_style style = { .utf8 = true, .width = 120 };
	struct shown s;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		show(&s, cases[i].trigger, cases[i].rows);
		select_rows(&s, false);
		expect(cases[i].trigger, printed(hist_view_table, &s.view, &style), cases[i].table, true);
		hide(&s);
	}
}

static void test_bars(void)
{
	struct hist_view_style style = { .utf8 = true, .width = 72 };
	struct shown s;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		show(&s, cases[i].trigger, cases[i].rows);
		select_rows(&s, true);
		expect(cases[i].trigger, printed(view_bars, &s.view, &style), cases[i].bars, true);
		hide(&s);
	}
}

static void test_json(void)
{
	struct hist_series_damage damage = { 0 };
	struct hist_writer_options options = { 0 };
	struct hist_writer *json;
	struct shown s;
	char *text;
	size_t len, i;
	FILE *f;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		show(&s, cases[i].trigger, cases[i].rows);
		select_rows(&s, false);
		f = open_memstream(&text, &len);
		options.f = f;
		json = hist_writer_new(&hist_writer_json, &options);
		hist_writer_histogram(json, &s.info, "a:b");
		hist_writer_snapshot(json, &s.view);
		hist_writer_histogram_end(json);
		CU_ASSERT_EQUAL(hist_writer_free(json, &damage, NULL), 0);
		fclose(f);
		expect(cases[i].trigger, text, cases[i].json, false);
		free(text);
		hide(&s);
	}
}

/* Bars never leave the line; what has no share or is below zero draws nothing. */
static void test_bar_lengths(void)
{
	static const unsigned int widths[] = { 40, 41, 79, 200 };
	struct hist_view_style style = { 0 };
	const char *text, *line, *end;
	unsigned int w, ascii, longest, columns;
	struct shown s;

	show(&s, "hist:keys=n:vals=v", "{ n:          1 } hitcount:          1  v:          1\n"
				       "{ n:          2 } hitcount:       1000  v:          1\n"
				       "{ n:          3 } hitcount:          0  v:          1\n");
	select_rows(&s, true);
	for (w = 0; w < 4; w++) {
		for (ascii = 0; ascii < 2; ascii++) {
			style.width = widths[w];
			style.utf8 = !ascii;
			text = printed(view_bars, &s.view, &style);
			longest = 0;
			for (line = text; *line; line = end + 1) {
				end = strchr(line, '\n');
				for (columns = 0; line < end; line++)
					columns += (*line & 0xc0) != 0x80;
				longest = columns > longest ? columns : longest;
			}
			CU_ASSERT(longest <= widths[w]);
			CU_ASSERT(longest >= widths[w] - 2);
			expect("thin", text, ascii ? " |.\n" : " |▏\n", false);
			expect("none", text, "  0.00% |\n", false);
		}
	}
	hist_table_schema(s.table)->values[0].is_signed = true;
	s.snap.values[2] = (uint64_t)-5;
	select_rows(&s, true);
	expect("negative", printed(view_bars, &s.view, &style), "  n  hitcount\n  1         1 |#",
	       false);
	expect("negative", printed(view_bars, &s.view, &style), "  2        -5 |\n", false);
	hide(&s);
}

/* A bucket cut by the end of the numbers, below zero, stands next to the first above. */
static void test_signed_axis(void)
{
	struct hist_view_style style = { .utf8 = true, .width = 72 };
	struct shown s;

	show(&s, "hist:keys=ret.buckets=100",
	     "{ ret: ~ 0-99 } hitcount:          4\n"
	     "{ ret: ~ 100-199 } hitcount:          2\n"
	     "{ ret: ~ 18446744073709551400-18446744073709551499 } hitcount:          1\n");
	hist_table_schema(s.table)->keys[0].is_signed = true;
	select_rows(&s, true);
	expect("signed axis", printed(view_bars, &s.view, &style),
	       "         ret  hitcount    share\n"
	       "  -216..-117         1   14.29% |█████████▊\n"
	       "   -116..-17         0    0.00% |\n"
	       "     -16..-1         0    0.00% |\n"
	       "        0-99         4   57.14% |███████████████████████████████████████\n"
	       "     100-199         2   28.57% |███████████████████▌\n", true);
	expect("signed table", printed(hist_view_table, &s.view, &style),
	       "{ ret: ~ -216..-117 } hitcount: 1", false);
	hide(&s);
}

/* Empty places on both sides of zero, none of them twice. */
static void test_gap_over_zero(void)
{
	struct hist_view_style style = { .width = 72 };
	struct shown s;

	show(&s, "hist:keys=ret.buckets=100",
	     "{ ret: ~ 100-199 } hitcount:          1\n"
	     "{ ret: ~ 18446744073709551400-18446744073709551499 } hitcount:          1\n");
	hist_table_schema(s.table)->keys[0].is_signed = true;
	select_rows(&s, true);
	expect("gap", printed(view_bars, &s.view, &style),
	       "   -116..-17         0    0.00% |\n"
	       "     -16..-1         0    0.00% |\n"
	       "        0-99         0    0.00% |\n"
	       "     100-199         1   50.00% |#", false);
	hide(&s);
}

#define LONG_NAME "/a/path/that/is/longer/than/the/column/of/fifty/that/the/kernel/pads/names/to"

/* A long name does not push the other rows out, and is cut where there is no room. */
static void test_long_name(void)
{
	struct hist_view_style style = { .utf8 = true, .width = 120 };
	struct shown s;

	show(&s, "hist:keys=name",
	     "{ name: " LONG_NAME " } hitcount:          2\n"
	     "{ name: \303\274" PAD45 "    } hitcount:          1\n");
	select_rows(&s, false);
	expect("long name", printed(hist_view_table, &s.view, &style),
	       "{ name: " LONG_NAME " } hitcount: 2  share:  66.67%  cum:  66.67%\n"
	       "{ name: \303\274" PAD45 "               } hitcount: 1  share:  33.33%  cum: 100.00%\n",
	       true);
	style.width = 72;
	expect("long name", printed(view_bars, &s.view, &style),
	       "  name                                 hitcount    share\n"
	       "  /a/path/that/is/l…nel/pads/names/to         2   66.67% |██████████████\n"
	       "  \303\274                                           1   33.33% |███████\n", true);
	style.utf8 = false;
	expect("long name", printed(view_bars, &s.view, &style),
	       "  /a/path/that/is/l~nel/pads/names/to         2", false);
	hide(&s);
}

/* Names that would read alike when they are cut show where they differ. */
static void test_alike_names(void)
{
	struct hist_view_style style = { .utf8 = true, .width = 72 };
	struct shown s;

	show(&s, "hist:keys=name",
	     "{ name: /the/same/begin/of/all/names/one/and/the/same/end/of/all } hitcount:          2\n"
	     "{ name: /the/same/begin/of/all/names/two/and/the/same/end/of/all } hitcount:          1\n");
	select_rows(&s, false);
	expect("alike", printed(view_bars, &s.view, &style),
	       "  name                                 hitcount    share\n"
	       "  /the/same/…one/and/the/same/end/of…         2   66.67% |██████████████\n"
	       "  /the/same/…two/and/the/same/end/of…         1   33.33% |███████\n", true);
	hide(&s);
}

/* What follows from the values is left out of a short line, and named. */
static void test_left_out(void)
{
	static const struct {
		unsigned int width;
		const char *want;
	} cases[] = {
		{ 53, "#\n\n{ pid: 18 } hitcount: 3  share:  75.00%  cum:  75.00%\n" },
		{ 52, "# left out to fit 52 columns: cum\n#\n\n{ pid: 18 } hitcount: 3  share:  75.00%\n" },
		{ 38, "# left out to fit 38 columns: share, cum\n#\n\n{ pid: 18 } hitcount: 3\n" },
		{ 22, "# shares: 100 % is the total hitcount, 4\n#\n\n"
		      "{ pid: 18 } hitcount: 3  share:  75.00%  cum:  75.00%\n" },
	};
	struct hist_view_style style = { .utf8 = true };
	struct shown s;
	char *text;
	size_t i;

	show(&s, "hist:keys=pid", "{ pid:         18 } hitcount:          3\n"
	     "{ pid:          7 } hitcount:          1\n");
	select_rows(&s, false);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		style.width = cases[i].width;
		text = whole_text(hist_view_table, &s.view, &style);
		expect("left out", text, cases[i].want, false);
		free(text);
	}
	hide(&s);
}

/* Two stacks of one row, and rows that are cut away, in line with the others. */
static void test_stacks(void)
{
	struct hist_selection selection = { .top = 1 };
	struct hist_view_style style = { .utf8 = true, .width = 120 };
	struct shown s;

	show(&s, "hist:keys=common_stacktrace,st.stacktrace:vals=n",
	     "{ common_stacktrace:\n         a+0x1/0x2\n, st.stacktrace         b+0x1/0x2\n"
	     "         c+0x1/0x2\n} hitcount:          3  n:          1\n"
	     "{ common_stacktrace:\n         d+0x1/0x2\n, st.stacktrace         e+0x1/0x2\n"
	     "} hitcount:          1  n:         20\n");
	CU_ASSERT_EQUAL_FATAL(hist_rows_select(&s.rows, s.table, &s.snap, &selection), 0);
	expect("stacks", printed(hist_view_table, &s.view, &style),
	       "{ common_stacktrace: 1 frame , st: 2 frames } hitcount: 3  n:  1  share:  75.00%  cum:  75.00%\n"
	       "         a+0x1/0x2\n"
	       "      --\n"
	       "         b+0x1/0x2\n"
	       "         c+0x1/0x2\n"
	       "  1 more row                                  hitcount: 1  n: 20  share:  25.00%  cum: 100.00%\n",
	       true);
	hide(&s);
}

/* The line of the other rows has a space before the values if its words are wider than the keys. */
static void test_narrow_keys(void)
{
	struct hist_selection selection = { .top = 1 };
	struct hist_view_style style = { .utf8 = true, .width = 72 };
	struct shown s;

	show(&s, "hist:keys=pid", "{ pid:         18 } hitcount:          5\n"
	     "{ pid:          7 } hitcount:          3\n{ pid:          9 } hitcount:          2\n");
	CU_ASSERT_EQUAL_FATAL(hist_rows_select(&s.rows, s.table, &s.snap, &selection), 0);
	expect("narrow keys", printed(hist_view_table, &s.view, &style),
	       "{ pid: 18 } hitcount: 5  share:  50.00%  cum:  50.00%\n"
	       "  2 more rows hitcount: 5  share:  50.00%  cum: 100.00%\n", true);
	hide(&s);
}

/* A stack of 16 frames may be cut, which is said; one of 15 is whole.  Since Linux 7.0 it is 31. */
static void test_full_stacks(void)
{
	static const struct {
		const char *engine, *uname;
		unsigned int full;
	} recorders[] = {
		{ "kernel", "Linux box 6.19.3 x86_64", 2 },
		{ "kernel", "Linux box 7.0.0-rc1 x86_64", 0 },
		{ "kernel", "Linux box 10.1 x86_64", 0 },
		{ "user", "Linux box 7.0.0-rc1 x86_64", 2 },
		{ "kernel", "box", 2 },
		{ NULL, NULL, 2 },
	};
	struct hist_selection selection = { .top = 0 };
	struct hist_view_style style = { .utf8 = true, .width = 72 };
	struct hist_loss loss = { 0 };
	char text[2048], words[256], *out;
	unsigned int row, frame, i;
	struct shown s;
	int len = 0;

	/* 15, 16 and 16 frames */
	for (row = 0; row < 3; row++) {
		len += snprintf(text + len, sizeof(text) - len, "{ common_stacktrace:\n");
		for (frame = 0; frame < 15 + (row > 0); frame++)
			len += snprintf(text + len, sizeof(text) - len,
					"         f%u_%u+0x1/0x2\n", row, frame);
		len += snprintf(text + len, sizeof(text) - len, "} hitcount:          %u\n", 3 - row);
	}
	show(&s, "hist:keys=common_stacktrace", text);
	CU_ASSERT_EQUAL_FATAL(hist_rows_select(&s.rows, s.table, &s.snap, &selection), 0);
	out = whole_text(hist_view_table, &s.view, &style);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "# note: 2 stacks reach the maximum number of frames: "
					   "outer frames may be missing\n"));
	free(out);
	for (i = 0; i < sizeof(recorders) / sizeof(*recorders); i++) {
		struct hist_definition def = { .engine = recorders[i].engine,
					       .uname = recorders[i].uname };

		loss.full_stacks = hist_loss_count_full_stacks(&def, s.table, &s.rows);
		CU_ASSERT_EQUAL(loss.full_stacks, recorders[i].full);
	}
	CU_ASSERT_TRUE(hist_loss_format(&loss, 0, words, sizeof(words)));
	CU_ASSERT_STRING_EQUAL(words, "2 stacks reach the maximum number of frames: outer "
				      "frames may be missing");
	CU_ASSERT_FALSE(hist_loss_format(&loss, 1, words, sizeof(words)));

	/* only what is shown counts */
	hist_rows_free(&s.rows);
	selection.top = 2;
	CU_ASSERT_EQUAL_FATAL(hist_rows_select(&s.rows, s.table, &s.snap, &selection), 0);
	out = whole_text(hist_view_table, &s.view, &style);
	CU_ASSERT_PTR_NOT_NULL(strstr(out, "# note: 1 stack reaches the maximum number of frames"));
	free(out);
	hide(&s);
}

static void test_full_disk(void)
{
	struct hist_view_style style = { .width = 80 };
	struct shown s;
	FILE *f = fopen("/dev/full", "w");

	setbuf(f, NULL);
	show(&s, cases[0].trigger, cases[0].rows);
	select_rows(&s, false);
	CU_ASSERT_EQUAL(hist_view_table(f, &s.view, &style), -ENOSPC);
	CU_ASSERT_EQUAL(hist_view_bars(f, &s.view, &style, NULL), -ENOSPC);
	fclose(f);
	hide(&s);
}

UNIT_TESTS(
	{ "the table view prints each kind of key and value", test_table },
	{ "the bars view prints each kind of key and value", test_bars },
	{ "the JSON format writes each kind of key and value", test_json },
	{ "bars never exceed the line, and values of 0 or below draw no bar", test_bar_lengths },
	{ "a bucket that ends at -1 is shown directly before the bucket that starts at 0",
	  test_signed_axis },
	{ "empty buckets below and above zero are shown once each", test_gap_over_zero },
	{ "a long name does not widen the other rows, and the bars view shortens the name",
	  test_long_name },
	{ "the table view leaves shares out of a line that is too short, and names them",
	  test_left_out },
	   { "names that are cut alike show where they differ", test_alike_names },
	{ "the table view separates two stacks of one row and aligns the sum of the hidden rows",
	  test_stacks },
	{ "the line of the other rows is separated from the values", test_narrow_keys },
	{ "a note counts the shown stacks that reach the limit of 16 frames, or 31 of Linux 7",
	  test_full_stacks },
	{ "the table and bars views return ENOSPC if the disk is full", test_full_disk });
