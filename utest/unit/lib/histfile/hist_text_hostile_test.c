// SPDX-License-Identifier: GPL-2.0
/*
 * hist_text_hostile_test.c - names that imitate the text, and damaged text
 *
 * The promise tested here: whatever names files and tasks have, a text that a
 * kernel printed is read without an error, and either the result is the truth
 * or it is flagged as ambiguous.  The texts are made by the kernel's own
 * format strings (hist_trigger_print_key() and its neighbours).
 */
#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <CUnit/Basic.h>

#include "lib/expr/expr.h"
#include "lib/histfile/hist_text.h"
#include "utest/unit/lib/histfile/text_render.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

#define ROWS_MAX 12
#define NAME_LEN 256

/* A histogram of two keys at most, as the kernel has it in memory. */
struct truth {
	const char *trigger;
	const char *keys[2]; /* names; NULL: one key only */
	bool is_string[2];
	unsigned int nrows;
	struct {
		char name[2][NAME_LEN];
		unsigned long long num[2];
		unsigned long long hits;
	} rows[ROWS_MAX];
};

static char *print_truth(const struct truth *t)
{
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	unsigned int i, k;

	fprintf(f, "# event histogram\n#\n# trigger info: %s [active]\n#\n\n", t->trigger);
	for (i = 0; i < t->nrows; i++) {
		fputs("{ ", f);
		for (k = 0; k < 2 && t->keys[k]; k++) {
			if (k)
				fputs(", ", f);
			if (t->is_string[k])
				fprintf(f, "%s: %-50s", t->keys[k], t->rows[i].name[k]);
			else
				fprintf(f, "%s: %10llu", t->keys[k], t->rows[i].num[k]);
		}
		fprintf(f, " } hitcount: %10llu\n", t->rows[i].hits);
	}
	fprintf(f, "\nTotals:\n    Hits: 5\n    Entries: %u\n    Dropped: 0\n", t->nrows);
	fclose(f);
	return text;
}

/* Blanks at the end of a name within its column cannot be seen. */
static size_t visible(const char *name)
{
	size_t len = strlen(name);

	if (len <= 50)
		while (len && name[len - 1] == ' ')
			len--;
	return len;
}

static bool same_cells(const struct hist_table *table, uint32_t e, const struct truth *t,
		       unsigned int row)
{
	const struct hist_cell *cells = hist_table_cells(table, e);
	unsigned int k;
	const char *s;
	size_t len;

	for (k = 0; k < 2 && t->keys[k]; k++) {
		s = hist_table_string(table, cells[k].str, &len);
		if (t->is_string[k] ? len != visible(t->rows[row].name[k]) ||
				      memcmp(s, t->rows[row].name[k], len) :
				      cells[k].num != t->rows[row].num[k])
			return false;
	}
	return true;
}

/* Every entry has the sum of the rows that look alike, and no row is missing. */
static bool is_true(const struct hist_table *table, const struct hist_snapshot *snap,
		    const struct truth *t)
{
	unsigned long long sum;
	unsigned int row, found = 0;
	uint32_t e;

	for (e = 0; e < snap->nentries; e++) {
		sum = 0;
		for (row = 0; row < t->nrows; row++) {
			if (same_cells(table, e, t, row)) {
				sum += t->rows[row].hits;
				found++;
			}
		}
		if (sum != snap->values[e])
			return false;
	}
	return found == t->nrows;
}

enum verdict { TRUE_ROWS, FLAGGED, REFUSED, WRONG };

static enum verdict judge(const struct truth *t)
{
	char *text = print_truth(t);
	struct hist_error error = { 0 };
	struct hist_text_parser *parser;
	struct hist_snapshot snap = { 0 };
	struct hist_text_block block;
	struct hist_schema *schema;
	struct hist_table *table;
	struct hist_expr *expr;
	enum verdict verdict;
	unsigned int k;
	size_t pos = 0;
	int ret;

	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, t->trigger, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(hist_schema_make(&schema, expr, NULL), 0);
	for (k = 0; k < schema->nkeys; k++)
		schema->keys[k].kind = t->is_string[k] ? HIST_KEY_STRING : HIST_KEY_NUM;
	table = hist_table_new(schema);
	parser = hist_text_parser_new(table);
	CU_ASSERT_EQUAL_FATAL(hist_text_next_block(text, strlen(text), &pos, &block), 1);
	ret = hist_text_parse(parser, &block, &snap, &error);
	if (ret)
		verdict = REFUSED;
	else if (snap.flags & HIST_SNAP_AMBIGUOUS)
		verdict = FLAGGED;
	else
		verdict = is_true(table, &snap, t) ? TRUE_ROWS : WRONG;
	if (verdict > FLAGGED)
		printf("\n%s (%s) in:\n%s", verdict == WRONG ? "wrong, not flagged" : "refused",
		       error.what, text);
	hist_text_parser_free(parser);
	hist_table_free(table);
	hist_schema_free(schema);
	hist_expr_free(expr);
	hist_snapshot_clear(&snap);
	free(text);
	return verdict;
}

static const struct truth shapes[] = {
	{ .trigger = "hist:keys=fn:vals=hitcount", .keys = { "fn" }, .is_string = { true } },
	{ .trigger = "hist:keys=fn,pid:vals=hitcount", .keys = { "fn", "pid" },
	  .is_string = { true, false } },
	{ .trigger = "hist:keys=pid,fn:vals=hitcount", .keys = { "pid", "fn" },
	  .is_string = { false, true } },
	{ .trigger = "hist:keys=fn,to:vals=hitcount", .keys = { "fn", "to" },
	  .is_string = { true, true } },
};

#define A50 "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee"

/* Names that need thought; each stands between two honest rows. */
static void test_named_attacks(void)
{
	static const struct {
		unsigned int shape;
		const char *name, *other;
		enum verdict verdict;
	} cases[] = {
		{ 0, "plain", "", TRUE_ROWS },
		{ 0, A50, "", TRUE_ROWS },
		{ 0, A50 "f", "", TRUE_ROWS },
		{ 0, A50 "   ", "", TRUE_ROWS },
		{ 0, " } hitcount:          5", "", TRUE_ROWS },
		/* the end of a row, in a name that is longer than its column: one way to read it */
		{ 0, A50 " } hitcount:          5", "", TRUE_ROWS },
		{ 0, A50 "x } hitcount:          5", "", TRUE_ROWS },
		/* a row of its own */
		{ 0, A50 " } hitcount:          5\n{ fn: forged", "", FLAGGED },
		{ 0, A50 "x } hitcount:          5\n{ fn: forged", "", FLAGGED },
		{ 0, "x\n{ fn: y", "", FLAGGED },
		{ 0, A50 " } hitcount:          5\n{ fn: forged                                   "
		     "         } hitcount:          1\n{ fn: z", "", FLAGGED },
		/* totals, or what stands before them */
		{ 0, A50 " } hitcount:          5\n\nTotals:\n    Hits: 1\n    Entries: 1\n"
		     "    Dropped: 0\n", "", TRUE_ROWS },
		{ 0, A50 " } hitcount:          5\n\nSnapshot taken (see tracing/snapshot).  "
		     "Details:\n", "", TRUE_ROWS },
		/* another key's place: two ways to read it */
		{ 3, A50 ", to: x", "y", FLAGGED },
		{ 3, A50 "x, to: " A50, "y", FLAGGED },
		{ 3, "x, to: y", "z", TRUE_ROWS },
		{ 1, A50 ", pid:          4", "", TRUE_ROWS },
		{ 1, A50 ", pid:          4 } hitcount:          5", "", TRUE_ROWS },
		{ 1, A50 ", pid:          4 } hitcount:          5\n{ fn: x", "", FLAGGED },
	};
	unsigned int i, r;
	struct truth t;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		t = shapes[cases[i].shape];
		t.nrows = 3;
		for (r = 0; r < 3; r++) {
			strcpy(t.rows[r].name[0], r == 1 ? cases[i].name : r ? "/bin/ls" : "/dev/null");
			strcpy(t.rows[r].name[1], r == 1 ? cases[i].other : r ? "/x" : "/y");
			t.rows[r].num[0] = t.rows[r].num[1] = 100 + r;
			t.rows[r].hits = 7 + r;
		}
		r = judge(&t);
		CU_ASSERT_EQUAL(r, cases[i].verdict);
		if (r != cases[i].verdict)
			printf("\ncase %u: %u, expected %u\n", i, r, cases[i].verdict);
	}
}

static void add(char *name, const char *piece)
{
	size_t len = strlen(name);

	snprintf(name + len, NAME_LEN - len, "%s", piece);
}

/* Names put together from pieces of the text itself. */
static void random_name(char *name, uint64_t *random)
{
	static const char *const pieces[] = {
		"/", "a", " ", "x y", "{ ", "}", " }", ", ", ":", "\t", "\n", "\n\n", "fn: ", "to: ",
		"{ fn: ", "\n{ fn: ", ", to: ", ", pid:          3", "\n{ pid:          3, fn: ",
		" } hitcount:          1", " } hitcount:          1\n", " hitcount:          2",
		" } hitcount:          1\n{ fn: ", ", to: b } hitcount:          1\n{ fn: c",
		"\nTotals:\n    Hits: 5\n    Entries: 1\n    Dropped: 0\n",
		"\nSnapshot taken (see tracing/snapshot).  Details:\n", A50, "          ",
		"                                                  ", "1", "         7", "\x1b[31m",
	};
	unsigned int n = test_random(random) % 7, pad;

	*name = '\0';
	while (n--) {
		add(name, pieces[test_random(random) % (sizeof(pieces) / sizeof(pieces[0]))]);
		/* sometimes just up to the column's end */
		if (test_random(random) % 4 == 0) {
			pad = strlen(name) % 50;
			while (pad++ < 50 && strlen(name) < 200)
				add(name, test_random(random) % 2 ? " " : "z");
		}
	}
}

static void test_random_attacks(void)
{
	const unsigned int rounds = test_is_long() ? 30000 : 10000;
	uint64_t random = 88172645463325252u;
	unsigned int round, r, k, count[4] = { 0 };
	struct truth t;

	for (round = 0; round < rounds; round++) {
		t = shapes[test_random(&random) % 4];
		t.nrows = 1 + test_random(&random) % ROWS_MAX;
		for (r = 0; r < t.nrows; r++) {
			for (k = 0; k < 2; k++) {
				if (test_random(&random) % 3)
					snprintf(t.rows[r].name[k], NAME_LEN, "/bin/n%u", r);
				else
					random_name(t.rows[r].name[k], &random);
				t.rows[r].num[k] = test_random(&random) % 5;
			}
			t.rows[r].hits = test_random(&random) % 100 + 1;
		}
		count[judge(&t)]++;
		if (count[REFUSED] || count[WRONG])
			break;
	}
	CU_ASSERT_EQUAL(count[REFUSED], 0);
	CU_ASSERT_EQUAL(count[WRONG], 0);
	/* both sides of the promise were met */
	CU_ASSERT_TRUE(count[TRUE_ROWS] > rounds / 10);
	CU_ASSERT_TRUE(count[FLAGGED] > rounds / 10);
}

/* A task's name of 15 bytes in a saved value can begin a row, and no more. */
static void test_saved_attacks(void)
{
	static const char head[] =
		"# event histogram\n#\n# trigger info: hist:keys=next_pid:vals=hitcount:p=next_prio:"
		"onchange($p).save(next_comm,prev_comm) [active]\n#\n\n";
	static const struct {
		const char *name;
		bool flagged;
	} cases[] = {
		{ "sh", false },
		{ "nl\nx", false },
		{ "\n{ next_pid: 12", true },
		{ "\n\tchanged:   1", false },
		{ "\n\nTotals:\n", false },
	};
	char text[2048], *got, want[256];
	unsigned int i;
	uint32_t flags;
	size_t len;
	FILE *out;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(text, sizeof(text),
			 "%s{ next_pid: %10d } hitcount: %10d\n\tchanged: %10d  next_comm: %-32s"
			 "  prev_comm: %-32s\n{ next_pid: %10d } hitcount: %10d\n\tchanged: %10d"
			 "  next_comm: %-32s  prev_comm: (null)\n\nTotals:\n    Hits: 5\n"
			 "    Entries: 2\n    Dropped: 0\n", head, 8, 3, 120, cases[i].name, "sh", 9, 2,
			 120, "sh");
		out = open_memstream(&got, &len);
		CU_ASSERT_EQUAL(text_render(text, strlen(text), NULL, out, &flags, NULL), 0);
		fclose(out);
		CU_ASSERT_EQUAL(!!(flags & HIST_SNAP_AMBIGUOUS), cases[i].flagged);
		snprintf(want, sizeof(want), "hits 5 entries 2 dropped 0 rows 2\n8 - | 3 \"changed:");
		CU_ASSERT_PTR_NOT_NULL(strstr(got, want));
		CU_ASSERT_PTR_NOT_NULL(strstr(got, "prev_comm: sh\"\n9 - | 2 \"changed:        120  "
					      "next_comm: sh                                "
					      "prev_comm: (null)\"\n"));
		free(got);
	}
}

/* Two names that differ in blanks at the end have one text: the hits are there, and it is told. */
static void test_blanks(void)
{
	static const char head[] =
		"# event histogram\n#\n# trigger info: hist:keys=next_comm:vals=hitcount [active]\n#\n\n";
	char text[1024], *got;
	uint32_t flags;
	unsigned int i;
	size_t len;
	FILE *out;

	for (i = 0; i < 2; i++) {
		snprintf(text, sizeof(text),
			 "%s{ next_comm: %-50s } hitcount: %10d\n{ next_comm: %-50s } hitcount: %10d\n"
			 "\nTotals:\n    Hits: 5\n    Entries: 2\n    Dropped: 0\n",
			 head, "zz", 3, i ? "zz " : " zz", 2);
		out = open_memstream(&got, &len);
		CU_ASSERT_EQUAL(text_render(text, strlen(text), NULL, out, &flags, NULL), 0);
		fclose(out);
		CU_ASSERT_EQUAL(!!(flags & HIST_SNAP_AMBIGUOUS), i);
		CU_ASSERT_PTR_NOT_NULL(strstr(got, i ? "\"zz\" | 5\n" : "\"zz\" | 3\n"));
		free(got);
	}
}

static void each_sample(void (*check)(const char *path, const char *text, size_t len))
{
	glob_t found = { 0 };
	char *text;
	size_t i, len;

	CU_ASSERT_EQUAL_FATAL(glob(test_data_path("hist/*.txt"), 0, NULL, &found), 0);
	CU_ASSERT_TRUE(found.gl_pathc > 40);
	for (i = 0; i < found.gl_pathc; i++) {
		text = test_read_file(found.gl_pathv[i], &len);
		check(found.gl_pathv[i], text, len);
		free(text);
	}
	globfree(&found);
}

/* Cut short, only between two blocks it is a text of its own. */
static void truncate_sample(const char *path, const char *text, size_t len)
{
	/* all of the small ones, and a share of the large */
	size_t step = len < 4096 ? 1 : len < 20000 ? 7 : 61, cut;
	int ret;

	for (cut = 1; cut + 1 < len; cut += step) {
		ret = text_render(text, cut, NULL, NULL, NULL, NULL);
		if (ret == 0 && cut + 20 < len && !strncmp(text + cut, "\n\n# event", 9))
			continue;
		if (ret == 0 && cut + 20 < len && !strncmp(text + cut, "\n# event", 8))
			continue;
		if (ret == 0 && cut + 20 < len && !strncmp(text + cut, "# event", 7))
			continue;
		CU_ASSERT_EQUAL(ret, -EBADMSG);
		if (ret != -EBADMSG) {
			printf("\n%s cut at %zu: %d\n", path, cut, ret);
			return;
		}
	}
}

static void test_truncated(void)
{
	each_sample(truncate_sample);
}

static void flip_sample(const char *path, const char *text, size_t len)
{
	const unsigned int rounds = test_is_long() ? 200 : 70;
	uint64_t random = 20261120;
	unsigned int round, n;
	char *copy = malloc(len + 1);
	int ret;

	for (round = 0; len && round < rounds; round++) {
		memcpy(copy, text, len);
		for (n = 1 + test_random(&random) % 3; n; n--)
			copy[test_random(&random) % len] = test_random(&random) % 2 ?
				(char)test_random(&random) : " {}:,\n\t0[]~"[test_random(&random) % 11];
		ret = text_render(copy, len, NULL, NULL, NULL, NULL);
		/* the trigger itself may have become none, too */
		CU_ASSERT_TRUE(ret == 0 || ret == -EBADMSG || ret == -EINVAL);
		if (ret && ret != -EBADMSG && ret != -EINVAL)
			printf("\n%s: %d\n", path, ret);
	}
	free(copy);
}

static void test_flipped(void)
{
	each_sample(flip_sample);
}

/* CPU seconds to read @len bytes of @row again and again behind a good row. */
__attribute__((format(printf, 2, 0)))
static double time_of(const char *trigger, const char *good, const char *row, size_t len)
{
	struct hist_text_block block;
	struct hist_snapshot snap = { 0 };
	struct hist_text_parser *parser;
	struct hist_schema *schema;
	struct hist_table *table;
	struct hist_expr *expr;
	size_t size, pos = 0, at;
	clock_t begin;
	char *text;
	FILE *f = open_memstream(&text, &size);

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fprintf(f, "# event histogram\n#\n# trigger info: %s [active]\n#\n\n", trigger);
	fprintf(f, good, "a", "b", "c");
	for (at = 0; at < len; at += strlen(row))
		fputs(row, f);
	fputs("\nTotals:\n    Hits: 1\n    Entries: 1\n    Dropped: 0\n", f);
	fclose(f);
	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, trigger, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(hist_schema_make(&schema, expr, NULL), 0);
	table = hist_table_new(schema);
	CU_ASSERT_PTR_NOT_NULL_FATAL(table);
	parser = hist_text_parser_new(table);
	CU_ASSERT_PTR_NOT_NULL_FATAL(parser);
	CU_ASSERT_EQUAL_FATAL(hist_text_next_block(text, size, &pos, &block), 1);
	begin = clock();
	hist_text_parse(parser, &block, &snap, NULL);
	begin = clock() - begin;
	hist_text_parser_free(parser);
	hist_snapshot_clear(&snap);
	hist_table_free(table);
	hist_schema_free(schema);
	hist_expr_free(expr);
	free(text);
	return (double)begin / CLOCKS_PER_SEC;
}

/* Rows that are none, each of which fails: a megabyte of them is read in its time. */
static void test_failing_rows(void)
{
	static const struct {
		const char *trigger, *good, *row;
	} bombs[] = {
		{ "hist:keys=comm", "{ comm: %-50s } hitcount:          1\n", "{ comm: x\n" },
		{ "hist:keys=comm", "{ comm: %-50s } hitcount:          1\n",
		  "{ comm: sh                                                 } hitcount:          x\n" },
		{ "hist:keys=comm,file", "{ comm: %-50s, file: %-50s } hitcount:          1\n",
		  "{ comm: sh , file: , file: , file: , file: , file: , file: } } } } } }\n" },
		{ "hist:keys=comm,file,path", "{ comm: %-50s, file: %-50s, path: %-50s } hitcount:          1\n",
		  "{ comm: , file: , path: , file: , path: , file: , path: \n" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(bombs) / sizeof(bombs[0]); i++) {
		double seconds = time_of(bombs[i].trigger, bombs[i].good, bombs[i].row, 1400000);

		CU_ASSERT_TRUE(seconds < 5);
	}
}

UNIT_TESTS(
	{ "a name that imitates rows is read correctly or flagged as ambiguous",
	  test_named_attacks },
	{ "texts with random hostile names are read correctly or flagged as ambiguous",
	  test_random_attacks },
	{ "a saved task name makes the text ambiguous only if the name can begin a row",
	  test_saved_attacks },
	{ "names that differ only in blanks at the end make the text ambiguous", test_blanks },
	{ "a hist text that is truncated anywhere except between two histograms is refused",
	  test_truncated },
	{ "a hist text with changed bytes is read or refused as malformed, without a crash",
	  test_flipped },
	{ "1.4 MB of malformed rows are parsed within 5 seconds of CPU time", test_failing_rows });
