// SPDX-License-Identifier: GPL-2.0
/*
 * percentiles_test.c - percentiles of groups: which, and how they look
 */
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/analysis/percentiles.h"
#include "lib/report/text/views.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

/* A histogram of comm, an axis, and hitcount with the sum of the axis. */
struct fixture {
	struct hist_schema schema;
	struct hist_series_info info;
	struct hist_table *table;
	struct hist_snapshot snap;
	struct hist_rows rows;
	struct hist_view view;
	struct hist_view_style style;
};

struct entry {
	const char *comm;
	uint64_t num, count, sum;
};

static void begin(struct fixture *f, const char *axis, enum hist_key_kind kind, uint64_t bucket)
{
	memset(f, 0, sizeof(*f));
	setlocale(LC_CTYPE, "C.UTF-8");
	f->schema = (struct hist_schema){
		.nkeys = 2, .nvalues = 2,
		.keys = { { .name = (char *)"comm", .kind = HIST_KEY_STRING },
			  { .name = (char *)axis, .kind = kind, .bucket = bucket } },
		.values = { { .name = (char *)"hitcount", .kind = HIST_VALUE_SUM },
			    { .name = (char *)axis, .kind = HIST_VALUE_SUM } },
	};
	f->info.def = (struct hist_definition){ .event = "a:b", .trigger = "t", .engine = "kernel",
						.clock = "mono" };
	f->view.info = &f->info;
	f->view.name = "a:b";
	f->view.snap = f->view.whole = &f->snap;
	f->view.rows = &f->rows;
	f->view.brief = true;
	f->style = (struct hist_view_style){ .utf8 = true, .width = 200 };
}

static void fill(struct fixture *f, const struct entry *entries, uint32_t n)
{
	struct hist_cell cells[2] = { { 0 }, { 0, HIST_NO_STRING } };
	uint32_t i, entry = 0;

	if (!f->table)
		f->table = hist_table_new(&f->schema);
	f->view.table = f->table;
	for (i = 0; i < n; i++) {
		cells[0].num = 0x1000 + i / 2;
		cells[1].num = entries[i].num;
		CU_ASSERT_EQUAL(hist_table_intern(f->table, entries[i].comm,
						  strlen(entries[i].comm), &cells[0].str), 0);
		CU_ASSERT_EQUAL(hist_table_add(f->table, cells, &entry), 0);
		CU_ASSERT_EQUAL(hist_snapshot_grow(&f->snap, &f->schema, entry + 1), 0);
		f->snap.values[entry * 2] += entries[i].count;
		f->snap.values[entry * 2 + 1] += entries[i].sum;
	}
}

static void end(struct fixture *f)
{
	hist_snapshot_clear(&f->snap);
	hist_table_free(f->table);
	f->table = NULL;
}

/* The view, without the lines in front of the rows and behind them where @rows. */
static const char *print(const struct fixture *f, struct hist_percentiles *s, bool rows)
{
	static char text[8192];
	char *all, *from, *to;
	size_t len;
	FILE *out = open_memstream(&all, &len);

	CU_ASSERT_EQUAL(hist_view_percentiles(out, &f->view, &f->style, s), 0);
	fclose(out);
	from = strstr(all, "\n#\n\n");
	to = strstr(all, "\nTotals:\n");
	if (!from || !to)
		rows = false;
	snprintf(text, sizeof(text), "%.*s", rows ? (int)(to - from - 4) : (int)len,
		 rows ? from + 4 : all);
	free(all);
	return text;
}

static void expect(const char *is, const char *want)
{
	if (strcmp(is, want))
		fprintf(stderr, "\n%s--- not\n%s", is, want);
	CU_ASSERT_STRING_EQUAL(is, want);
}

static void expect_rows(const struct fixture *f, const char *list, uint32_t top, const char *want)
{
	uint32_t p[HIST_QUANTILES_MAX];
	int n = list ? hist_quantiles_parse(p, list) : 0;
	struct hist_percentiles *s = hist_percentiles_new(p, n, top);

	expect(print(f, s, true), want);
	hist_percentiles_free(s);
}

/* In the kernel's order, which is none. */
static const struct entry waits[] = {
	{ "rcu_preempt", 16, 1, 40000 }, { "sh", 3, 1, 7 },	 { "rcu_preempt", 6, 90, 4500 },
	{ "x\x1b[2J", 1, 3, 6 },	 { "rcu_preempt", 10, 9, 6300 }, { "sh", 1, 2, 4 },
	{ "idle", 5, 0, 0 },		 { "x\x1b[2J", 30, 1, 700000000 },
};

static void test_look(void)
{
	struct hist_percentiles *s = hist_percentiles_new(NULL, 0, 0);
	struct fixture f;

	begin(&f, "lat_us", HIST_KEY_LOG2, 0);
	fill(&f, waits, 8);
	f.snap.hits = 107;
	f.snap.entries = 7;
	f.snap.dropped = 3;
	f.snap.missed = 1;
	f.rows.main_value = 1; /* the table may be sorted by another value */
	f.rows.has_shares = true;
	f.rows.totals[1] = 50823;
	expect(print(&f, s, false),
	       "# event histogram: a:b\n"
	       "# snapshot: 0 of 0-0 at 0.000000\n"
	       "# shares: 100 % is the total hitcount, 107\n"
	       "# note: 1 snapshot before this one was due but not taken\n"
	       "#\n\n"
	       "  comm         hitcount    share         lat_us     mean       p50         p90             p99         p99.9\n"
	       "  rcu_preempt       100   93.46%  33 us-65.5 ms   508 us  33-64 us    33-64 us  513 us-1.02 ms  32.8-65.5 ms\n"
	       "  x\\x1b[2J            4    3.74%    2 us-1074 s    175 s      2 us  537-1074 s      537-1074 s    537-1074 s\n"
	       "  sh                  3    2.80%         2-8 us  3.67 us      2 us      5-8 us          5-8 us        5-8 us\n"
	       "\nTotals:\n    Hits: 107\n    Entries: 7\n"
	       "    Dropped: 3  (not in any row: the table was full)\nhint: record fewer "
	       "distinct keys, or use -R with a larger size=\n");
	f.style.utf8 = false;
	expect_rows(&f, "50,99.99,100", 1,
		    "  comm         hitcount    share         lat_us    mean       p50        p99.99          p100\n"
		    "  rcu_preempt       100   93.46%  33 us-65.5 ms  508 us  33-64 us  32.8-65.5 ms  32.8-65.5 ms\n"
		    "  2 more              7    6.54%    2 us-1074 s   100 s      2 us    537-1074 s    537-1074 s\n");
	hist_percentiles_free(s);
	end(&f);
}

static void expect_summary(struct fixture *f, uint32_t top, const char *want)
{
	static const uint32_t p[] = { 500000, 990000 };
	struct hist_percentiles *line = hist_percentiles_new(NULL, 0, top);
	struct hist_percentiles *groups = hist_percentiles_new(p, 2, top);
	char *text, *rows;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	groups->has_shapes = true;
	CU_ASSERT_EQUAL(hist_view_summary(out, &f->view, &f->style, line, groups), 0);
	fclose(out);
	rows = strstr(text, "\n#\n\n");
	CU_ASSERT_PTR_NOT_NULL_FATAL(rows);
	strstr(rows, "\nTotals:\n")[0] = '\0';
	expect(rows + 4, want);
	free(text);
	hist_percentiles_free(line);
	hist_percentiles_free(groups);
}

/* 2 us to 1074 s are 29.4 octaves, so a place is 2.5 of them. */
static void test_summary(void)
{
	struct fixture f;

	begin(&f, "lat_us", HIST_KEY_LOG2, 0);
	fill(&f, waits, 8);
	f.rows.main_value = 0;
	f.view.grouped = true;
	expect_summary(&f, 0,
		       "lat_us for each comm; the distribution is over 2 us-1074 s\n\n"
		       "  comm         hitcount       p50             p99           max  distribution\n"
		       "  rcu_preempt       100  33-64 us  513 us-1.02 ms  32.8-65.5 ms   █ ▁ ▁▁\n"
		       "  x\\x1b[2J            4      2 us      537-1074 s    537-1074 s  █          ▃\n"
		       "  sh                  3      2 us          5-8 us        5-8 us  █\n");
	f.style.utf8 = false;
	expect_summary(&f, 1,
		       "lat_us for each comm; the distribution is over 2 us-1074 s\n\n"
		       "  comm         hitcount       p50             p99           max  distribution\n"
		       "  rcu_preempt       100  33-64 us  513 us-1.02 ms  32.8-65.5 ms   @ . ..\n"
		       "  2 more              7      2 us      537-1074 s    537-1074 s  @          :\n");
	end(&f);
}

/* Single numbers are points, and there is no unit where none is known. */
static void test_exact(void)
{
	static const struct entry sizes[] = { { "a", 64, 50, 0 }, { "a", 4096, 49, 0 },
					      { "a", 65536, 1, 0 }, { "b", 0, 1, 0 } };
	struct fixture f;

	begin(&f, "count", HIST_KEY_NUM, 0);
	f.schema.values[1].name = (char *)"other";
	fill(&f, sizes, 4);
	expect_rows(&f, "0,50,50.0001,99,100", 0,
		    "  comm  hitcount    share     count  p0  p50  p50.0001   p99   p100\n"
		    "  a          100   99.01%  64-65536  64   64      4096  4096  65536\n"
		    "  b            1    0.99%         0   0    0         0     0      0\n");
	end(&f);
}

static void test_signed(void)
{
	static const struct entry returned[] = {
		{ "a", 200, 5, 1100 },
		{ "a", (uint64_t)-16, 4, (uint64_t)-20 },   /* -16..-1 */
		{ "a", (uint64_t)-216, 1, (uint64_t)-200 }, /* -216..-117 */
		{ "b", (UINT64_C(1) << 63) - 8, 1, 0 },	    /* around 2^63 */
	};
	struct fixture f;

	begin(&f, "ret", HIST_KEY_BUCKETS, 100);
	f.schema.keys[1].is_signed = true;
	f.schema.values[1].is_signed = true;
	fill(&f, returned, 4);
	expect_rows(&f, "10,50,90", 0,
		    "  comm  hitcount    share                                      ret  mean"
		    "                                      p10"
		    "                                      p50                                      p90\n"
		    "  a           10   90.91%                                -216..299    88"
		    "                               -216..-117"
		    "                                  -16..-1                                  200-299\n"
		    "  b            1    9.09%  9223372036854775800-9223372036854775807     -"
		    "  9223372036854775800-9223372036854775807"
		    "  9223372036854775800-9223372036854775807  9223372036854775800-9223372036854775807\n");
	end(&f);
}

/* Nothing is empty, or overflows, without a word. */
static void test_extremes(void)
{
	static const struct entry huge[] = { { "a", 64, UINT64_MAX, 5 }, { "b", 64, UINT64_MAX, 5 },
					     { "a", 99, 7, 0 }, { "c", 64, 4, 17 } };
	struct fixture f;

	begin(&f, "lat_ns", HIST_KEY_LOG2, 0);
	fill(&f, huge, 0);
	expect_rows(&f, NULL, 0, "");
	fill(&f, huge, 4);
	expect_rows(&f, "50", 2,
		    "  comm                hitcount                    lat_ns  mean                       p50\n"
		    "  a       18446744073709551615  9223372037-18446744074 s     -  9223372037-18446744074 s\n"
		    "  b       18446744073709551615  9223372037-18446744074 s     -  9223372037-18446744074 s\n"
		    "  1 more                     4  9223372037-18446744074 s     -  9223372037-18446744074 s\n");
	end(&f);
}

static void test_long_names(void)
{
	static const struct entry names[] = {
		{ "a/name/that/is/longer/than/any/line/should/be/made/by/one", 1, 1, 2 },
		{ "\303\274", 1, 1, 2 } };
	struct fixture f;

	begin(&f, "lat_us", HIST_KEY_LOG2, 0);
	f.style.width = 80;
	fill(&f, names, 2);
	expect_rows(&f, "50", 0,
		    "  comm                                     hitcount    share  lat_us  mean   p50\n"
		    "  a/name/that/is/long…ould/be/made/by/one         1   50.00%    2 us  2 us  2 us\n"
		    "  \303\274                                               1   50.00%    2 us  2 us  2 us\n");
	f.style.utf8 = false;
	f.style.width = 40;
	expect_rows(&f, "50", 0,
		    "  comm                    hitcount   p50\n"
		    "  a/name/tha~made/by/one         1  2 us\n"
		    "  \\u00fc                         1  2 us\n");
	end(&f);
}

/* One symbol for two functions: with the addresses. */
static void test_symbols(void)
{
	static const struct entry calls[] = { { "kfree", 4, 1, 0 }, { "kfree", 5, 1, 0 },
					      { "kfree", 4, 1, 0 } };
	struct fixture f;

	begin(&f, "n", HIST_KEY_LOG2, 0);
	f.schema.keys[0].kind = HIST_KEY_SYM;
	f.schema.keys[0].name = (char *)"fn";
	f.schema.nvalues = 2;
	f.schema.values[1].name = (char *)"other";
	fill(&f, calls, 2);
	expect_rows(&f, "50", 0, "  fn     hitcount    share     n      p50\n"
				 "  kfree         2  100.00%  9-32  (8, 16]\n");
	fill(&f, calls, 3);
	expect_rows(&f, "50", 0, "  fn            hitcount    share     n      p50\n"
				 "  [1000] kfree         4   80.00%  9-32  (8, 16]\n"
				 "  [1001] kfree         1   20.00%  9-16  (8, 16]\n");
	end(&f);
}

/* Kept between snapshots, over a clearing, and for another histogram. */
static void test_kept(void)
{
	static const struct entry first[] = { { "a", 2, 1, 3 }, { "b", 2, 2, 6 } };
	static const struct entry then[] = { { "b", 7, 1, 100 }, { "c", 1, 4, 8 } };
	struct hist_percentiles *s = hist_percentiles_new(NULL, 0, 0);
	struct fixture f;

	begin(&f, "lat_us", HIST_KEY_LOG2, 0);
	fill(&f, first, 2);
	CU_ASSERT_EQUAL(hist_percentiles_select(s, f.table, &f.snap, NULL), 0);
	CU_ASSERT_EQUAL(s->nrows, 2);
	CU_ASSERT_EQUAL(s->rows[0].count, 2);
	fill(&f, then, 2);
	CU_ASSERT_EQUAL(hist_percentiles_select(s, f.table, &f.snap, NULL), 0);
	CU_ASSERT_EQUAL(s->nrows, 3);
	CU_ASSERT_EQUAL(s->rows[1].count, 3);
	CU_ASSERT_EQUAL(s->rows[1].most.high, 128);
	CU_ASSERT_EQUAL(s->total, 8);
	CU_ASSERT_EQUAL(s->ncut, 0);
	hist_table_clear(f.table);
	hist_snapshot_clear(&f.snap);
	fill(&f, then, 2);
	fill(&f, first, 2);
	CU_ASSERT_EQUAL(hist_percentiles_select(s, f.table, &f.snap, NULL), 0);
	CU_ASSERT_EQUAL(s->nrows, 3);
	CU_ASSERT_EQUAL(s->rows[2].count, 1);
	CU_ASSERT_EQUAL(s->rows[2].least.low, 3);
	end(&f);
	/* most likely at the same address */
	begin(&f, "n", HIST_KEY_NUM, 0);
	fill(&f, then, 1);
	CU_ASSERT_EQUAL(hist_percentiles_select(s, f.table, &f.snap, NULL), 0);
	CU_ASSERT_EQUAL(s->nrows, 1);
	CU_ASSERT_EQUAL(s->rows[0].most.high, 7);
	/* and one that has none */
	end(&f);
	begin(&f, "n", HIST_KEY_HEX, 0);
	fill(&f, then, 1);
	CU_ASSERT_EQUAL(hist_percentiles_select(s, f.table, &f.snap, NULL), -EINVAL);
	CU_ASSERT_EQUAL(s->nrows, 0);
	end(&f);
	hist_percentiles_free(s);
	hist_percentiles_free(NULL);
}

/* The rows of comm "a" and, without a maximum, "b"; @text is the line of a's largest number. */
static void fill_worst(struct fixture *f, const char *text)
{
	static const struct {
		const char *comm;
		uint64_t num, count;
	} rows[] = { { "a", 5, 10 }, { "a", 7, 10 }, { "b", 3, 1 } };
	struct hist_cell cells[2] = { { 0 }, { 0, HIST_NO_STRING } };
	uint32_t i, entry, line;

	f->schema.nvalues = 3;
	f->schema.values[2] = (struct hist_value_desc){ .name = (char *)"worst", .kind = HIST_VALUE_WORST };
	f->table = hist_table_new(&f->schema);
	f->view.table = f->table;
	for (i = 0; i < 3; i++) {
		cells[1].num = rows[i].num;
		CU_ASSERT_EQUAL(hist_table_intern(f->table, rows[i].comm, 1, &cells[0].str), 0);
		CU_ASSERT_EQUAL(hist_table_add(f->table, cells, &entry), 0);
		CU_ASSERT_EQUAL(hist_snapshot_grow(&f->snap, &f->schema, entry + 1), 0);
		CU_ASSERT_EQUAL(hist_table_intern(f->table, text, strlen(text), &line), 0);
		f->snap.values[entry * 3] = rows[i].count;
		f->snap.values[entry * 3 + 1] = 0;
		f->snap.values[entry * 3 + 2] = i == 1 ? line : UINT64_MAX;
	}
}

/* The largest number of a and of b, and p99.9 of a, of what @f shows. */
static void expect_most(struct fixture *f, const char *trigger, const char *text, const char *want)
{
	struct hist_percentiles *s = hist_percentiles_new(NULL, 0, 1);
	struct hist_worst_list worst = { 0 };
	char is[200];

	struct hist_snapshot whole = { 0 };

	f->info.def.trigger = trigger;
	fill_worst(f, text);
	CU_ASSERT_EQUAL(hist_snapshot_copy(&whole, &f->snap, &f->schema), 0);
	f->view.whole = &whole;
	if (f->view.difference)
		f->snap.values[1 * 3 + 2] = 0;
	CU_ASSERT_EQUAL(hist_worst_select(&worst, &f->view), 0);
	CU_ASSERT_EQUAL(hist_percentiles_select(s, f->table, &f->snap, &worst), 0);
	snprintf(is, sizeof(is), "%" PRIu64 "-%" PRIu64 " p99.9 %" PRIu64 "-%" PRIu64
		 ", rest %" PRIu64 "-%" PRIu64, s->rows[0].most.low, s->rows[0].most.high, s->rows[0].q[3].low,
		 s->rows[0].q[3].high, s->rest.most.low, s->rest.most.high);
	expect(is, want);
	hist_worst_free(&worst);
	hist_percentiles_free(s);
	hist_snapshot_clear(&whole);
	hist_snapshot_clear(&f->snap);
	hist_table_free(f->table);
}

/* onmax() knows the largest number, not only its bucket. */
static void test_exact_most(void)
{
	static const char own[] = "hist:keys=comm,lat_us.log2:worst=lat_us:onmax($worst).save(cpu)";
	static const char other[] = "hist:keys=comm,lat_us.log2:worst=prio:onmax($worst).save(cpu)";
	static const char line[] = "max:        100  cpu:          1";
	struct fixture f;

	begin(&f, "lat_us", HIST_KEY_LOG2, 0);
	expect_most(&f, own, line, "100-100 p99.9 65-100, rest 5-8");
	/* that of another field, and one that the kernel has not kept yet */
	expect_most(&f, other, line, "65-128 p99.9 65-128, rest 5-8");
	expect_most(&f, own, "max:         60  cpu:          1", "65-128 p99.9 65-128, rest 5-8");
	/* in a difference where it did not rise it is only an upper limit */
	f.view.difference = true;
	f.view.from_entries = 3;
	expect_most(&f, own, line, "65-100 p99.9 65-100, rest 5-8");
	f.view.from_entries = 1;
	expect_most(&f, own, line, "100-100 p99.9 65-100, rest 5-8");
}

/* Each group has its own maximum, whatever their order. */
static void test_most_of_each(void)
{
	static const struct {
		const char *comm;
		uint64_t num, count;
		const char *max;
	} rows[] = {
		{ "a", 7, 30, "max:        100  cpu:          1" },
		{ "b", 10, 20, "max:        900  cpu:          1" },
		{ "c", 8, 10, "max:        200  cpu:          1" },
	};
	struct hist_percentiles *s = hist_percentiles_new(NULL, 0, 0);
	struct hist_cell cells[2] = { { 0 }, { 0, HIST_NO_STRING } };
	uint32_t i, entry, line;
	struct fixture f;

	begin(&f, "lat_us", HIST_KEY_LOG2, 0);
	f.info.def.trigger = "hist:keys=comm,lat_us.log2:worst=lat_us:onmax($worst).save(cpu)";
	f.schema.nvalues = 3;
	f.schema.values[2] = (struct hist_value_desc){ .name = (char *)"worst", .kind = HIST_VALUE_WORST };
	f.view.table = f.table = hist_table_new(&f.schema);
	for (i = 0; i < 3; i++) {
		cells[1].num = rows[i].num;
		CU_ASSERT_EQUAL(hist_table_intern(f.table, rows[i].comm, 1, &cells[0].str), 0);
		CU_ASSERT_EQUAL(hist_table_add(f.table, cells, &entry), 0);
		CU_ASSERT_EQUAL(hist_snapshot_grow(&f.snap, &f.schema, entry + 1), 0);
		CU_ASSERT_EQUAL(hist_table_intern(f.table, rows[i].max, strlen(rows[i].max), &line), 0);
		f.snap.values[entry * 3] = rows[i].count;
		f.snap.values[entry * 3 + 2] = line;
	}
	CU_ASSERT_EQUAL(hist_percentiles_select_view(s, &f.view), 0);
	CU_ASSERT_EQUAL_FATAL(s->nrows, 3);
	CU_ASSERT(s->rows[0].most.low == 100 && s->rows[0].most.high == 100);
	CU_ASSERT(s->rows[1].most.low == 900 && s->rows[1].most.high == 900);
	CU_ASSERT(s->rows[2].most.low == 200 && s->rows[2].most.high == 200);
	hist_percentiles_free(s);
	end(&f);
}

/* Sums of many groups: the rest is what all others together would have been. */
static void test_many(void)
{
	struct hist_percentiles *all = hist_percentiles_new(NULL, 0, 0);
	struct hist_percentiles *top = hist_percentiles_new(NULL, 0, 10);
	const struct hist_percentiles_row *row;
	struct entry entry = { .count = 1 };
	char name[16];
	struct fixture f;
	uint32_t i;

	begin(&f, "x", HIST_KEY_NUM, 0);
	entry.comm = name;
	for (i = 0; i < 3000; i++) {
		snprintf(name, sizeof(name), "g%u", i % 1000);
		entry.num = i;
		entry.sum = i;
		entry.count = i % 1000 == 7 ? 5 : 1;
		fill(&f, &entry, 1);
	}
	CU_ASSERT_EQUAL(hist_percentiles_select(all, f.table, &f.snap, NULL), 0);
	CU_ASSERT_EQUAL(all->nrows, 1000);
	CU_ASSERT_EQUAL(all->rows[0].count, 15);
	CU_ASSERT_EQUAL(all->rows[0].q[0].low, 1007);
	CU_ASSERT_EQUAL(hist_percentiles_select(top, f.table, &f.snap, NULL), 0);
	CU_ASSERT_EQUAL(top->nrows, 10);
	CU_ASSERT_EQUAL(top->ncut, 990);
	row = &top->rest;
	CU_ASSERT_EQUAL(row->count, 2970);
	/* 7 and then 0 to 9 but 7: ten at the begin of each thousand are gone */
	CU_ASSERT_EQUAL(row->least.low, 10);
	CU_ASSERT_EQUAL(row->q[0].low, 1504); /* rank 1485: 990 below 1000, and 495 from 1010 on */
	CU_ASSERT_EQUAL(row->most.high, 2999);
	CU_ASSERT_DOUBLE_EQUAL(row->mean, 1504.5, 1e-9);
	CU_ASSERT_EQUAL(top->total, all->total);
	CU_ASSERT_EQUAL(all->total, 3012);
	hist_percentiles_free(all);
	hist_percentiles_free(top);
	end(&f);
}

static void test_why_not(void)
{
	struct hist_error error = { 0 };
	struct fixture f;

	begin(&f, "lat_us", HIST_KEY_LOG2, 0);
	CU_ASSERT(!hist_percentiles_explain_none(&f.schema, &error));
	CU_ASSERT_STRING_EQUAL(test_error(&error), "");
	f.schema.values[0].kind = HIST_VALUE_PERCENT;
	CU_ASSERT(!hist_percentiles_explain_none(&f.schema, &error));
	f.schema.nvalues = 1;
	CU_ASSERT(hist_percentiles_explain_none(&f.schema, &error));
	CU_ASSERT_STRING_EQUAL(test_error(&error),
			       "percentiles need the hit count or the sum of a field\n"
			       "record without "
			       "nohitcount");
	f.schema.keys[1] = (struct hist_key_desc){ .name = (char *)"id", .kind = HIST_KEY_SYSCALL };
	CU_ASSERT(hist_percentiles_explain_none(&f.schema, &error));
	CU_ASSERT_STRING_EQUAL(
		test_error(&error),
		"percentiles need a key that is a quantity, such as a "
		"duration or a size (keys: comm, id.syscall)\nrecord with a key such "
		"as FIELD.log2 or FIELD.buckets=N");
}

UNIT_TESTS(
	{ "the percentile view prints one row per group with its range, mean and percentiles",
	  test_look },
	{ "an axis of plain numbers gives exact percentiles without a unit", test_exact },
	{ "percentiles of a signed axis order negative buckets below positive ones", test_signed },
	{ "the summary has percentiles, maximum and shape of each group", test_summary },
	{ "percentiles of counts near 2^64 do not overflow, and an empty histogram prints no row",
	  test_extremes },
	{ "the percentile view cuts a long name and marks the cut, in UTF-8 and in ASCII",
	  test_long_names },
	{ "the percentile view adds the address if two functions have the same symbol",
	  test_symbols },
	{ "percentiles follow their table through growth, a clear and a change of the histogram",
	  test_kept },
	{ "the maximum that onmax() keeps is the exact end of the percentiles", test_exact_most },
	{ "the maximum of a group is its own", test_most_of_each },
	{ "the row for the rest has the percentiles of all groups outside the top 10", test_many },
	{ "the reason for missing percentiles names the missing sum or axis, with a hint",
	  test_why_not });
