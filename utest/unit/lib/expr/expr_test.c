// SPDX-License-Identifier: GPL-2.0
/*
 * expr_test.c - parse, build and change hist trigger expressions
 *
 * What an expression says is written out in one line (describe()) and compared
 * with what is expected, so that a case is two strings.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/expr/expr.h"
#include "utest/unit/lib/expr/expr_samples.h"
#include "utest/unit/tests.h"

struct out {
	char text[4096];
	size_t len;
};

#define PUT(o, ...) \
	((o)->len += snprintf((o)->text + (o)->len, sizeof((o)->text) - (o)->len, __VA_ARGS__))

/* "next_pid.hex", an expression in [], "v" for descending. */
static void put_field(struct out *o, const struct hist_field *f)
{
	PUT(o, f->is_expression ? " [%s]" : " %s", f->name);
	if (f->modifier != HIST_MOD_NONE)
		PUT(o, ".%s", hist_modifier_name(f->modifier));
	if (f->bucket)
		PUT(o, "=%" PRIu64, f->bucket);
	if (f->descending)
		PUT(o, " v");
}

static const char *describe(const struct hist_expr *e, struct out *o)
{
	unsigned int i;

	o->len = 0;
	PUT(o, "K");
	for (i = 0; i < e->keys.n; i++)
		put_field(o, &e->keys.field[i]);
	PUT(o, e->values.n ? " V" : "");
	for (i = 0; i < e->values.n; i++)
		put_field(o, &e->values.field[i]);
	PUT(o, e->sorts.n ? " S" : "");
	for (i = 0; i < e->sorts.n; i++)
		put_field(o, &e->sorts.field[i]);
	for (i = 0; i < e->nclauses; i++)
		PUT(o, " %s <%s>", e->clauses[i].is_action ? "action" : "var",
		    e->clauses[i].text);
	if (e->size)
		PUT(o, " size %" PRIu64, e->size);
	if (e->clock)
		PUT(o, " clock %s", e->clock);
	if (e->name)
		PUT(o, " name %s", e->name);
	PUT(o, "%s%s%s%s", e->nohitcount ? " nohitcount" : "",
	    e->paused ? " paused" : "", e->changes_existing ? " changes" : "",
	    hist_expr_uses_timestamp(e) ? " timestamp" : "");
	if (e->filter)
		PUT(o, " if <%s>", e->filter);
	return o->text;
}

static const struct {
	const char *text;
	const char *says;
} good[] = {
	{ "hist:keys=a", "K a" },
	{ " \t hist:keys=a \n", "K a" },
	{ "hist: keys=a", "K a" },
	{ "hist keys=a", "K a" },
	{ "hist:key=a", "K a" },
	{ "hist:keys=a,b.hex,c.sym:values=d,e.hex", "K a b.hex c.sym V d e.hex" },
	{ "hist:val=x:key=a", "K a V x" },
	{ "hist:vals=hitcount:keys=a", "K a V hitcount" },
	{ "hist:keys=a.sym-offset,b.sym", "K a.sym-offset b.sym" },
	{ "hist:keys=common_pid.execname,id.syscall,a.log2",
	  "K common_pid.execname id.syscall a.log2" },
	{ "hist:keys=s.stacktrace,common_timestamp.usecs:vals=a.percent,b.graph",
	  "K s.stacktrace common_timestamp.usecs V a.percent b.graph timestamp" },
	{ "hist:keys=a.buckets=100,b.bucket=0x10,c.buckets=010",
	  "K a.buckets=100 b.buckets=16 c.buckets=8" },
	{ "hist:keys=a.buckets=18446744073709551615", "K a.buckets=18446744073709551615" },
	{ "hist:keys=a.log2=1,b.log2=0x5:sort=b.log2=05.descending",
	  "K a.log2=1 b.log2=5 S b.log2=5 v" },
	{ "hist:keys=a:sort=a,hitcount", "K a S a hitcount" },
	{ "hist:keys=a:sort=a.descending,b.ascending", "K a S a.descending v b.ascending" },
	{ "hist:keys=a:sort=b.percent.descending", "K a S b.percent v" },
	{ "hist:keys=a:sort=b.execname.ascending,c.buckets=100.descending",
	  "K a S b.execname c.buckets=100 v" },
	{ "hist:keys=a:sort=b.sym-offset", "K a S b.sym-offset" },
	{ "hist:keys=a-b,c.sym-offset-d:sort=a-b.descending",
	  "K [a-b] [c.sym-offset-d] S [a-b].descending v" },
	{ "hist:keys=$x,sys.event.$y,-(a+b),10:vals=a/b,a*2",
	  "K [$x] [sys.event.$y] [-(a+b)] [10] V [a/b] [a*2]" },
	{ "hist:keys=a:x=1,y=$x*2:z=common_timestamp",
	  "K a var <x=1,y=$x*2> var <z=common_timestamp>"
	  " timestamp" },
	{ "hist:keys=a:t=$common_timestamp,u=my_common_timestamp,v=common_timestamps",
	  "K a var <t=$common_timestamp,u=my_common_timestamp,v=common_timestamps>" },
	{ "hist:keys=common_timestamp", "K common_timestamp timestamp" },
	{ "hist:keys=a:vals=common_timestamp-$ts", "K a V [common_timestamp-$ts] timestamp" },
	{ "hist:keys=a:onmax($x).save(b, c)", "K a action <onmax($x).save(b, c)>" },
	{ "hist:keys=a:onchange($x).snapshot():onmatch(s.e).trace(y,$x,common_timestamp.usecs)",
	  "K a action <onchange($x).snapshot()> "
	  "action <onmatch(s.e).trace(y,$x,common_timestamp.usecs)> timestamp" },
	{ "hist:keys=a:size=0x1000", "K a size 4096" },
	{ "hist:keys=a:size=+2048:clock=mono:name=foo", "K a size 2048 clock mono name foo" },
	{ "hist:keys=a:pause", "K a paused" },
	{ "hist:keys=a:cont", "K a changes" },
	{ "hist:keys=a:continue", "K a changes" },
	{ "hist:keys=a:clear", "K a changes" },
	{ "hist:keys=a:nohitcount", "K a nohitcount" },
	{ "hist:keys=a:NOHC", "K a nohitcount" },
	{ "hist:keys=a [active]", "K a" },
	{ "hist:keys=a [paused]", "K a paused" },
	{ "hist:keys=a if b == 1 [paused]", "K a paused if <b == 1>" },
	{ "hist:keys=a if c == \"x:y=z, pause\"", "K a if <c == \"x:y=z, pause\">" },
	{ "hist:keys=a  if\tb  ", "K a if <b>" },
	/* The first "if" that stands alone, as in the kernel. */
	{ "hist:keys=life,if.hex if x if y", "K life if.hex if <x if y>" },
	/* A word the kernel does not know is a variable to it. */
	{ "hist:keys=a:valz=b", "K a var <valz=b>" },
	{ "hist:keys=common_pid.execname,id.syscall:vals=hitcount:sort=common_pid.execname,"
	  "hitcount.descending:size=2048 [active]",
	  "K common_pid.execname id.syscall V hitcount S common_pid.execname "
	  "hitcount.descending v size 2048" },
};

static bool stands_at(const char *text, size_t len, struct hist_span at, const char *begins)
{
	return at.start + at.len <= len && at.len >= strlen(begins) &&
	       !strncmp(text + at.start, begins, strlen(begins));
}

static bool field_span_holds(const char *text, size_t len, const struct hist_field *f)
{
	struct hist_span m = f->modifier_span;

	if (!stands_at(text, len, f->span, f->name))
		return false;
	if (f->modifier == HIST_MOD_NONE)
		return !m.len && f->span.len == strlen(f->name);
	return m.start == f->span.start + strlen(f->name) + 1 &&
	       m.len == f->span.len - strlen(f->name) - 1 && m.len > 0;
}

/* Every part of an expression stands where its span says.  One assertion, as this runs often. */
static void check_spans(const struct hist_expr *e)
{
	unsigned int i, n = e->keys.n, v = e->values.n, s = e->sorts.n;
	const char *text = e->text;
	const struct hist_clause *clause;
	size_t len = strlen(text);
	bool holds = true;

	for (i = 0; i < n; i++)
		holds &= field_span_holds(text, len, &e->keys.field[i]);
	for (i = 0; i < v; i++)
		holds &= field_span_holds(text, len, &e->values.field[i]);
	for (i = 0; i < s; i++)
		holds &= field_span_holds(text, len, &e->sorts.field[i]);
	for (i = 0; i < e->nclauses; i++) {
		clause = &e->clauses[i];
		holds &= stands_at(text, len, clause->span, clause->text) &&
			 clause->span.len == strlen(clause->text);
	}
	CU_ASSERT_TRUE(holds);
	if (!holds)
		fprintf(stderr, "a span is wrong in %s\n", text);
}

static struct hist_expr *parse_good(const char *text)
{
	struct hist_error error = { .what = "" };
	struct hist_expr *e = NULL;
	int ret = hist_expr_parse(&e, text, &error);

	if (ret)
		fprintf(stderr, "%s: %d %s\n", text, ret, error.what);
	CU_ASSERT_EQUAL_FATAL(ret, 0);
	return e;
}

static void test_good(void)
{
	struct hist_expr *e;
	struct out o;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		e = parse_good(good[i].text);
		CU_ASSERT_STRING_EQUAL(describe(e, &o), good[i].says);
		if (strcmp(o.text, good[i].says))
			fprintf(stderr, "%s\n  %s\n  %s\n", good[i].text, o.text, good[i].says);
		check_spans(e);
		hist_expr_free(e);
	}
	hist_expr_free(NULL);
}

/* What the kernel prints and takes parses, and its text parses to the same again. */
static void test_samples(void)
{
	unsigned int i, paused = 0, filters = 0, actions = 0, j;
	struct hist_expr *e, *again;
	char expected[1024];
	struct out o, p;
	char *state;

	for (i = 0; i < expr_nsamples; i++) {
		e = parse_good(expr_samples[i]);
		check_spans(e);

		strcpy(expected, expr_samples[i]);
		state = strstr(expected, " [");
		if (state)
			*state = '\0';
		CU_ASSERT_STRING_EQUAL(e->text, expected);

		again = parse_good(e->text);
		describe(e, &o);
		describe(again, &p);
		state = strstr(o.text, " paused");
		if (state && strstr(expr_samples[i], "[paused]"))
			memmove(state, state + 7, strlen(state + 7) + 1);
		CU_ASSERT_STRING_EQUAL(o.text, p.text);

		paused += e->paused;
		filters += e->filter != NULL;
		for (j = 0; j < e->nclauses; j++)
			actions += e->clauses[j].is_action;
		hist_expr_free(again);
		hist_expr_free(e);
	}
	/* Counted in expr_samples.c by other means. */
	CU_ASSERT_EQUAL(expr_nsamples, 175);
	CU_ASSERT_EQUAL(paused, 7);
	CU_ASSERT_EQUAL(filters, 42);
	CU_ASSERT_EQUAL(actions, 36);
}

static const struct {
	const char *text;
	size_t start;
	size_t len;
	const char *what;
	const char *hint;
} bad[] = {
	{ "", 0, 0, "not a hist trigger", "begin the expression with hist:keys=" },
	{ "  enable_hist:sys:event", 2, 11, "not a hist trigger",
	  "begin the expression with hist:keys=" },
	{ "!hist:keys=a", 0, 5, "not a hist trigger", "begin the expression with hist:keys=" },
	{ "# Available triggers:", 0, 1, "not a hist trigger",
	  "begin the expression with hist:keys=" },
	{ "history:keys=a", 0, 7, "not a hist trigger", "begin the expression with hist:keys=" },
	{ "hist", 4, 0, "no keys", "write hist:keys=FIELD" },
	{ "hist:", 5, 0, "no keys", "write hist:keys=FIELD" },
	{ "hist:vals=a", 5, 6, "no keys", "write hist:keys=FIELD" },
	{ "hist:keys=", 5, 5, "no value after \"keys=\"", "" },
	{ "hist:keys=a:sort=", 12, 5, "no value after \"sort=\"", "" },
	{ "hist:keys=a:", 12, 0, "empty attribute", "" },
	{ "hist:keys=a::vals=b", 12, 0, "empty attribute", "" },
	{ "hist:keys=a:keys=b", 12, 6, "\"keys=\" is given twice", "" },
	{ "hist:keys=a:val=b:vals=c", 18, 6, "\"vals=\" is given twice", "" },
	{ "hist:keys=a,", 12, 0, "empty name in keys=", "" },
	{ "hist:keys=,a", 10, 0, "empty name in keys=", "" },
	{ "hist:keys=a:vals=b,,c", 19, 0, "empty name in values=", "" },
	{ "hist:keys=a:sort=a,", 19, 0, "empty name in sort=", "" },
	{ "hist:keys=.hex", 10, 0, "no name before the \".\"", "" },
	{ "hist:keys=a:sort=.descending", 17, 0, "no name before the \".\"", "" },
	{ "hist:keys=a.", 12, 0, "no modifier after the \".\"", "" },
	{ "hist:keys=a.log3", 12, 4, "unknown modifier \"log3\"", "did you mean \"log2\"?" },
	{ "  hist:keys=a.log3", 14, 4, "unknown modifier \"log3\"", "did you mean \"log2\"?" },
	{ "hist:keys=a.hex.sym", 12, 7, "unknown modifier \"hex.sym\"",
	  "use one of: .hex, .sym, .sym-offset, .execname, .syscall, .log2, .buckets=N, .usecs, "
	  ".stacktrace, .percent, .graph" },
	{ "hist:keys=a:vals=b.percentage", 19, 10, "unknown modifier \"percentage\"",
	  "did you mean \"percent\"?" },
	{ "hist:keys=a.descending", 12, 10,
	  "\".descending\" cannot be used in keys=", "use it in sort=" },
	{ "hist:keys=a:sort=a.descendign", 19, 10, "unknown modifier \"descendign\"",
	  "did you mean \"descending\"?" },
	{ "hist:keys=a:sort=a.up", 19, 2, "unknown modifier \"up\"",
	  "use .ascending or .descending" },
	{ "hist:keys=a.log2=", 12, 5, "\".log2=\" needs a number from 1 to 5",
	  "write .log2=K, such as .log2=2" },
	{ "hist:keys=a.log2=0", 12, 6, "\".log2=0\" needs a number from 1 to 5",
	  "write .log2=K, such as .log2=2" },
	{ "hist:keys=a.log2=6", 12, 6, "\".log2=6\" needs a number from 1 to 5",
	  "write .log2=K, such as .log2=2" },
	{ "hist:keys=a.log2=2x", 12, 7, "\".log2=2x\" needs a number from 1 to 5",
	  "write .log2=K, such as .log2=2" },
	{ "hist:keys=a.buckets", 12, 7, "\".buckets\" needs a size above 0",
	  "write .buckets=N, such as .buckets=100" },
	{ "hist:keys=a.buckets=", 12, 8, "\".buckets=\" needs a size above 0",
	  "write .buckets=N, such as .buckets=100" },
	{ "hist:keys=a.buckets=0", 12, 9, "\".buckets=0\" needs a size above 0",
	  "write .buckets=N, such as .buckets=100" },
	{ "hist:keys=a.buckets=08", 12, 10, "\".buckets=08\" needs a size above 0",
	  "write .buckets=N, such as .buckets=100" },
	{ "hist:keys=a.buckets=18446744073709551617", 12, 28,
	  "\".buckets=18446744073709551617\" needs a size above 0",
	  "write .buckets=N, such as .buckets=100" },
	{ "hist:keys=a=b", 10, 3, "\"a=b\" is not a field", "use only field names in keys=" },
	{ "hist:keys=a;b", 11, 2, "unexpected \";b\" in keys=", "" },
	{ "hist:keys=a-b;c", 13, 2, "unexpected \";c\" in \"a-b;c\"", "" },
	{ "hist:keys=a b", 11, 1, "unexpected white space in \"keys=a b\"",
	  "remove it, or write \"if\" before a filter" },
	{ "hist:keys=a pid == 1", 11, 1, "unexpected white space in \"keys=a pid == 1\"",
	  "remove it, or write \"if\" before a filter" },
	{ "hist:keys=motif b", 15, 1, "unexpected white space in \"keys=motif b\"",
	  "remove it, or write \"if\" before a filter" },
	{ "hist:keys=a: vals=b", 12, 1, "unexpected white space in \" vals=b\"",
	  "remove it, or write \"if\" before a filter" },
	{ "hist:keys=a if", 12, 2, "no filter after \"if\"", "" },
	{ "hist:keys=a if [active]", 12, 2, "no filter after \"if\"", "" },
	{ "hist:keys=a\nhist:keys=b", 11, 1, "unexpected control character", "" },
	{ "hist:keys=a if b == \"\x1b[2J\"", 21, 1, "unexpected control character", "" },
	{ "hist:keys=a if b\x7f", 16, 1, "unexpected control character", "" },
	{ "hist:keys=a:size=big", 17, 3, "size=big: must be a number from 65 to 131072", "" },
	{ "hist:keys=a:size=0", 17, 1, "size=0: must be a number from 65 to 131072", "" },
	{ "hist:keys=a:size=-1", 17, 2, "size=-1: must be a number from 65 to 131072", "" },
	{ "hist:keys=a:pauze", 12, 5, "unknown attribute \"pauze\"", "did you mean \"pause\"?" },
	{ "hist:keys=a:xyz", 12, 3, "unknown attribute \"xyz\"",
	  "use one of: keys=, values=, sort=, size=, clock=, name=, pause, continue, clear, "
	  "nohitcount, VARIABLE=EXPRESSION" },
	{ "hist:keys=a:x=", 12, 2, "\"x=\" is not a variable definition",
	  "write VARIABLE=EXPRESSION" },
	{ "hist:keys=a:x=1,y", 16, 1, "\"y\" is not a variable definition",
	  "write VARIABLE=EXPRESSION" },
	{ "hist:keys=a:=1", 12, 2, "\"=1\" is not a variable definition",
	  "write VARIABLE=EXPRESSION" },
	{ "hist:keys=a:$x=1", 12, 2, "\"$x\" is not a valid variable name", "" },
	{ "hist:keys=a:onmax($x)", 12, 9, "incomplete action \"onmax($x)\"",
	  "write HANDLER(WHAT).ACTION(PARAMETERS)" },
	{ "hist:keys=a:onmax($x).save(b", 12, 16, "incomplete action \"onmax($x).save(b\"",
	  "write HANDLER(WHAT).ACTION(PARAMETERS)" },
	{ "hist:keys=a:onmax($x)save(b)", 12, 16, "incomplete action \"onmax($x)save(b)\"",
	  "write HANDLER(WHAT).ACTION(PARAMETERS)" },
	/* With a '=' it is a variable to the kernel. */
	{ "hist:keys=a:onmax($x).save(b=c)", 12, 16,
	  "\"onmax($x).save(b\" is not a valid variable name", "" },
	{ "hist:keys=a:onmax($x).(b)", 22, 0, "\"\" is not an action", "" },
	{ "hist:keys=a: onmax($x).save(b)", 12, 1,
	  "unexpected white space in \" onmax($x).save(b)\"",
	  "remove it, or write \"if\" before a filter" },
};

static void compare_error(const char *text, const struct hist_error *error, size_t start,
			  size_t len, const char *what, const char *hint)
{
	CU_ASSERT_EQUAL(error->at.start, start);
	CU_ASSERT_EQUAL(error->at.len, len);
	CU_ASSERT_STRING_EQUAL(error->what, what);
	CU_ASSERT_STRING_EQUAL(error->hint, hint);
	if (error->at.start != start || error->at.len != len || strcmp(error->what, what) ||
	    strcmp(error->hint, hint))
		fprintf(stderr, "%s\n  %zu+%zu %s; %s\n", text, error->at.start, error->at.len,
			error->what, error->hint);
}

static void test_bad(void)
{
	struct hist_error error;
	struct hist_expr *e;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		e = NULL;
		memset(&error, 0xa5, sizeof(error));
		CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&e, bad[i].text, &error), -EINVAL);
		CU_ASSERT_PTR_NULL(e);
		compare_error(bad[i].text, &error, bad[i].start, bad[i].len, bad[i].what,
			      bad[i].hint);
		CU_ASSERT_EQUAL(hist_expr_parse(&e, bad[i].text, NULL), -EINVAL);
	}
}

static const struct {
	const char *keys, *values, *sort, *filter, *clock;
	const char *text; /* or, with @what, the text of the error */
	const char *what;
	size_t start;
} built[] = {
	{ "a", NULL, NULL, NULL, NULL, "hist:keys=a", NULL, 0 },
	{ "a", "", " ", "", "mono", "hist:keys=a", NULL, 0 },
	{ " a , b.hex", "hitcount,c", "c.descending", " d > 1 ", "mono",
	  "hist:keys=a,b.hex:vals=hitcount,c:sort=c.descending if d > 1", NULL, 0 },
	{ "common_timestamp.usecs", NULL, NULL, "a", "mono",
	  "hist:keys=common_timestamp.usecs:clock=mono if a", NULL, 0 },
	{ "a", "common_timestamp", NULL, NULL, "mono",
	  "hist:keys=a:vals=common_timestamp:clock=mono", NULL, 0 },
	{ "common_timestamp", NULL, NULL, NULL, NULL, "hist:keys=common_timestamp", NULL, 0 },
	/* A filter of the user's that only looks like the kernel's mark. */
	{ "a", NULL, NULL, "c == x [paused]", NULL, "hist:keys=a if c == x [paused]", NULL, 0 },
	{ "", NULL, NULL, NULL, NULL, "hist:keys=", "no value after \"keys=\"", 5 },
	{ "keys=a", NULL, NULL, NULL, NULL, "hist:keys=keys=a", "\"keys=a\" is not a field", 10 },
	{ "a:size=4096", NULL, NULL, NULL, NULL, "hist:keys=a:size=4096",
	  "unexpected \":\" in a list of fields", 11 },
	{ "a", "b:clear", NULL, NULL, NULL, "hist:keys=a:vals=b:clear",
	  "unexpected \":\" in a list of fields", 18 },
	{ "a if b", NULL, NULL, NULL, NULL, "hist:keys=a if b",
	  "unexpected white space in a list of fields",
	  11 },
	{ "a", NULL, "a:pause", NULL, NULL, "hist:keys=a:sort=a:pause",
	  "unexpected \":\" in a list of fields", 18 },
	{ "a", NULL, NULL, "if b", NULL, "hist:keys=a if if b", "\"if\" is given twice", 15 },
	{ "a", NULL, NULL, "b\nhist:keys=c", NULL, "hist:keys=a if b\nhist:keys=c",
	  "unexpected control character", 16 },
	{ "a,,b", NULL, NULL, NULL, NULL, "hist:keys=a,,b", "empty name in keys=", 12 },
	{ "common_timestamp", NULL, NULL, NULL, "a b", "hist:keys=common_timestamp:clock=a b",
	  "unexpected white space in a list of fields", 34 },
};

static void test_build(void)
{
	struct hist_error error;
	struct hist_expr *e;
	char *bad_text;
	size_t i;
	int ret;

	for (i = 0; i < sizeof(built) / sizeof(*built); i++) {
		e = NULL;
		bad_text = NULL;
		ret = hist_expr_build(&e, built[i].keys, built[i].values, built[i].sort,
				      built[i].filter, built[i].clock, NULL, &error,
				      &bad_text);
		if (!built[i].what) {
			CU_ASSERT_EQUAL_FATAL(ret, 0);
			CU_ASSERT_STRING_EQUAL(e->text, built[i].text);
			CU_ASSERT_FALSE(e->paused);
			CU_ASSERT_PTR_NULL(bad_text);
			check_spans(e);
		} else {
			CU_ASSERT_EQUAL_FATAL(ret, -EINVAL);
			CU_ASSERT_PTR_NULL(e);
			CU_ASSERT_STRING_EQUAL(error.what, built[i].what);
			CU_ASSERT_STRING_EQUAL(bad_text, built[i].text);
			CU_ASSERT_EQUAL(error.at.start, built[i].start);
			CU_ASSERT_EQUAL(hist_expr_build(&e, built[i].keys, built[i].values,
							built[i].sort, built[i].filter,
							built[i].clock, NULL, NULL, NULL),
					-EINVAL);
		}
		hist_expr_free(e);
		free(bad_text);
	}
}

static const struct {
	const char *text, *word, *with;
} changed[] = {
	{ "hist:keys=a", "pause", "hist:keys=a:pause" },
	{ "hist:keys=a if b == 1 [active]", "pause", "hist:keys=a:pause if b == 1" },
	{ "hist:keys=a  if b", "continue", "hist:keys=a:continue  if b" },
	/* The kernel would pause it again. */
	{ "hist:keys=a:pause:size=256", "continue", "hist:keys=a:size=256:continue" },
	{ "hist:pause:keys=a:cont", "pause", "hist:keys=a:pause" },
	{ "hist:clear:continue:keys=a", "cont", "hist:keys=a:cont" },
	{ "hist:keys=a:pause", "size=128", "hist:keys=a:pause:size=128" },
};

static void test_with(void)
{
	struct hist_expr *e;
	char *with;
	size_t i;

	for (i = 0; i < sizeof(changed) / sizeof(*changed); i++) {
		e = parse_good(changed[i].text);
		with = hist_expr_insert_word(e, changed[i].word);
		CU_ASSERT_STRING_EQUAL(with, changed[i].with);
		free(with);
		hist_expr_free(e);
	}
}

/* Any text: an expression whose spans hold, or an error that names a place in it. */
static void parse_any(const char *text)
{
	struct hist_error error;
	struct hist_expr *e = NULL;
	char *with;
	int ret;

	memset(&error, 0xa5, sizeof(error));
	ret = hist_expr_parse(&e, text, &error);
	if (!ret) {
		check_spans(e);
		with = hist_expr_insert_word(e, "continue");
		CU_ASSERT_PTR_NOT_NULL(strstr(with, ":continue"));
		free(with);
		hist_expr_free(e);
		return;
	}
	CU_ASSERT_TRUE(ret == -EINVAL && error.at.start + error.at.len <= strlen(text) &&
		       memchr(error.what, '\0', sizeof(error.what)) &&
		       memchr(error.hint, '\0', sizeof(error.hint)) && error.what[0]);
}

static void parse_damaged(const char *sample)
{
	static const char bytes[] = ":,.=$ \n)-a\xff";
	size_t len = strlen(sample), i, k;
	char *text;

	for (i = 0; i < len; i++) {
		text = strndup(sample, i);
		parse_any(text);
		free(text);
		/* What remains when the beginning is lost, in a buffer of its own. */
		text = strdup(sample + i);
		parse_any(text);
		free(text);
	}
	text = strdup(sample);
	for (i = 0; i < len; i++) {
		for (k = 0; k < sizeof(bytes) - 1; k++) {
			text[i] = bytes[k];
			parse_any(text);
		}
		text[i] = sample[i];
	}
	free(text);
}

static void test_damage(void)
{
	unsigned int i;

	for (i = 0; i < expr_nsamples; i++)
		parse_damaged(expr_samples[i]);
	for (i = 0; i < sizeof(good) / sizeof(*good); i++)
		parse_damaged(good[i].text);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		parse_damaged(bad[i].text);
}

/* A hostile text of a megabyte takes time and memory in proportion. */
static void test_long(void)
{
	static const char *const units[] = { "a,", "a.hex,", "x=1:", ":", "if ", "a-" };
	size_t i, n, size = 1 << 20, unit;
	char *text = malloc(size + 64);

	for (i = 0; i < sizeof(units) / sizeof(*units); i++) {
		unit = strlen(units[i]);
		n = sprintf(text, "hist:keys=a:vals=");
		while (n + unit < size)
			n += sprintf(text + n, "%s", units[i]);
		sprintf(text + n, "a");
		parse_any(text);
	}
	free(text);
}

UNIT_TESTS(
	{ "the parser finds the keys, values, attributes, actions and filter of a trigger",
	  test_good },
	{ "triggers of kernels parse, and the text of the result parses to the same trigger",
	  test_samples },
	{ "the parser refuses a bad trigger with place, reason and hint", test_bad },
	{ "a trigger is built from keys, values, sort keys, filter and clock, or refused",
	  test_build },
	{ "inserting pause or continue into a trigger replaces an earlier pause, continue or clear",
	  test_with },
	{ "a damaged trigger parses with correct spans, or gives an error inside its text",
	  test_damage },
	{ "a trigger of a megabyte parses, or gives an error inside its text", test_long });
