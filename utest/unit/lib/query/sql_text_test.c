// SPDX-License-Identifier: GPL-2.0
/*
 * sql_text_test.c - the text of a query before libtracefs parses it, and what libtracefs returns
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/CUnit.h>

#include "lib/query/sql.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

#define TWICE(name) "--sql: " name " is selected twice\nselect it once"

static void test_text(void)
{
	static const struct {
		const char *query, *text;
	} good[] = {
		{ "SELECT a FROM e", "SELECT a FROM e" },
		{ "SELECT\n\ta\rFROM\v\fe", "SELECT  a FROM  e" },
		{ "SELECT a FROM e WHERE c = 'a > b'", "SELECT a FROM e WHERE c = \"a > b\"" },
		{ "SELECT a FROM e WHERE c = \"it's\" && d = 'x'",
		  "SELECT a FROM e WHERE c = \"it's\" && d = \"x\"" },
		{ "", "" },
		{ "select cast(a as _COUNTER_), b from e", "select b, cast(a as _COUNTER_) from e" },
		{ "SELECT CAST( a AS __COUNTER__ ) AS x,CAST(b AS hex) , CAST(c AS _COUNTER_), d "
		  "FROM e WHERE f = ', FROM'", "SELECT CAST(b AS hex), d, CAST( a AS __COUNTER__ ) AS x, "
		  "CAST(c AS _COUNTER_) FROM e WHERE f = \", FROM\"" },
		/* libtracefs has a message for it */
		{ "SELECT CAST(a AS _COUNTER_) FROM e", "SELECT CAST(a AS _COUNTER_) FROM e" },
		/* a JOIN has no values */
		{ "SELECT CAST(s.a AS _COUNTER_), s.b FROM e AS s JOIN f AS g ON s.x = g.x",
		  "SELECT CAST(s.a AS _COUNTER_), s.b FROM e AS s JOIN f AS g ON s.x = g.x" },
		{ "SELECT a, (a - b) AS c, (b - a) AS d FROM e", "SELECT a, (a - b) AS c, (b - a) AS d FROM e" },
		{ "SELECT hex, CAST(a AS hex) FROM e", "SELECT hex, CAST(a AS hex) FROM e" },
		{ "SELECT a, CAST(e.a AS _COUNTER_) FROM e", "SELECT a, CAST(e.a AS _COUNTER_) FROM e" },
		{ "SELECT a,, FROM", "SELECT a,, FROM" },
		{ "SELECT ((((", "SELECT ((((" },
	};
	struct sql_text t;
	struct hist_error error = { 0 };
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		CU_ASSERT_EQUAL_FATAL(sql_text_read(&t, good[i].query, &error), 0);
		CU_ASSERT_STRING_EQUAL(t.text, good[i].text);
		CU_ASSERT_EQUAL(strlen(t.bare), strlen(t.text));
		sql_text_clear(&t);
	}
}

static void test_refused(void)
{
	static const struct {
		const char *query, *why;
	} bad[] = {
		{ "SELECT a,a FROM e", TWICE("a") },
		{ "SELECT a , b, ( a ) FROM e", TWICE("a") },
		{ "SELECT a AS x, x FROM e", TWICE("x") },
		{ "SELECT a x, b, x FROM e", TWICE("x") },
		{ "SELECT s.a, CAST(s.a AS hex) FROM e AS s JOIN f AS g ON s.x = g.x", TWICE("s.a") },
		{ "SELECT \\a, a FROM e", TWICE("a") },
		{ "SELECT CAST(a AS hex), CAST(a AS log2) FROM s.e", "--sql: a is selected twice\n"
		  "write the event before it at one place: s.e.a" },
		{ "SELECT a, cast(a as _COUNTER_) from e", "--sql: a is selected twice\n"
		  "write the event before it at one place: e.a" },
		{ "SELECT a FROM e WHERE b = \"x", "--sql: a quote is missing after \"x" },
		{ "SELECT a FROM e WHERE b = it's", "--sql: a quote is missing after 's" },
		{ "SELECT a FROM e WHERE b = 'a\nb'", "--sql: the string contains a control character: 'a" },
		{ "SELECT a FROM e WHERE b = 'a\"b'", "--sql: a string cannot contain double quotes: 'a\"b'" },
	};
	struct hist_error error = { 0 };
	char *query;
	struct sql_text t;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		CU_ASSERT_EQUAL(sql_text_read(&t, bad[i].query, &error), -EINVAL);
		CU_ASSERT_STRING_EQUAL(test_error(&error), bad[i].why);
		sql_text_clear(&t);
	}
	query = calloc(1, 4097);
	memset(query, 'x', 4096);
	CU_ASSERT_EQUAL(sql_text_read(&t, query, &error), -EINVAL);
	CU_ASSERT_STRING_EQUAL(test_error(&error),
			       "--sql: the query has 4096 bytes; at most 4095 are possible");
	sql_text_clear(&t);
	free(query);
}

static void test_names(void)
{
	struct sql_text t;
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL_FATAL(
		sql_text_read(&t, "SELECT sched.a1, b_2 FROM e WHERE c = \"sched_wakeup\"", &error),
		0);
	CU_ASSERT_TRUE(sql_text_names(&t, "sched"));
	CU_ASSERT_TRUE(sql_text_names(&t, "a1"));
	CU_ASSERT_TRUE(sql_text_names(&t, "b_2"));
	CU_ASSERT_TRUE(sql_text_names(&t, "e"));
	CU_ASSERT_FALSE(sql_text_names(&t, "b"));
	CU_ASSERT_FALSE(sql_text_names(&t, "sche"));
	CU_ASSERT_FALSE(sql_text_names(&t, "sched_wakeup"));
	CU_ASSERT_FALSE(sql_text_names(&t, ""));
	sql_text_clear(&t);
}

#define DEFINITION "echo 's:n u64 lat; s32 id;' >> /t/dynamic_events\n"
#define START "echo 'hist:keys=pid:a=common_timestamp if c == \"x' >> /t/events/q/q/trigger\"' >> /t/events/s/e/trigger\n"
#define END(action) "echo 'hist:keys=pid:l=common_timestamp-$a,i=id:onmatch(s.e)." action "' >> /t/events/s/f-1/trigger\n"
#define PLAIN "echo 'hist:keys=pid:vals=id if c == \"it' > x\"' > /t/events/s/e/trigger\n"

static void test_found(void)
{
	static const char *const good[] = {
		PLAIN, DEFINITION START END("trace(n,$l,$i)"), DEFINITION START END("n($l,$i)"),
	};
	/* what a process that was taken over by its input may say */
	static const char *const bad[] = {
		"", "echo", "echo '", "rm -rf /\n", "echo 'hist:keys=pid' > /t/events/s/e/trigger",
		"echo 'hist:keys=pid' > /t/events/s/e/filter\n", "echo 'hist:keys=pid' > trigger\n",
		"echo 'hist:keys=pid' > /t/events/s/e f/trigger\n",
		"echo '' > /t/events/s/e/trigger\n", "echo 'stacktrace' > /t/events/s/e/trigger\n",
		"echo 'hist:keys=pid:clear' > /t/events/s/e/trigger\n",
		"echo 'hist:keys=pid:name=x' > /t/events/s/e/trigger\n",
		"echo 'hist:keys=pid:a=b' > /t/events/s/e/trigger\n",
		"echo 'hist:keys=pid:onmax($a).snapshot()' > /t/events/s/e/trigger\n",
		PLAIN PLAIN, DEFINITION START, DEFINITION START START,
		DEFINITION END("trace(n,$l,$i)") START, DEFINITION START END("trace(m,$l,$i)"),
		DEFINITION START END("trace(n,$l)"), DEFINITION START END("snapshot()"),
		DEFINITION START END("trace(n,$l,$i)") PLAIN,
		"echo 's:m u64 lat; s32 id;' >> /t/d\n" START END("trace(n,$l,$i)"),
	};
	struct hist_strbuf commands = { 0 };
	struct sql_found found;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		found = (struct sql_found){ 0 };
		hist_strbuf_str(hist_strbuf_clear(&commands), good[i]);
		CU_ASSERT_EQUAL_FATAL(sql_found_read(&found, &commands, "n"), 0);
		CU_ASSERT_STRING_EQUAL(found.start.event, "s:e");
		if (!i) {
			CU_ASSERT_STRING_EQUAL(found.start.expr->text,
					       "hist:keys=pid:vals=id if c == \"it' > x\"");
			CU_ASSERT_PTR_NULL(found.synth);
		} else {
			CU_ASSERT_STRING_EQUAL(found.definition, "n u64 lat; s32 id;");
			CU_ASSERT_STRING_EQUAL(found.end.event, "s:f-1");
			CU_ASSERT_STRING_EQUAL(found.start.expr->filter,
					       "c == \"x' >> /t/events/q/q/trigger\"");
			CU_ASSERT_STRING_EQUAL(sql_found_time(&found, 0)->name, "l");
			CU_ASSERT_PTR_NULL(sql_found_time(&found, 1));
			CU_ASSERT_PTR_NULL(sql_found_time(&found, 2));
		}
		sql_found_clear(&found);
	}
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		found = (struct sql_found){ 0 };
		hist_strbuf_str(hist_strbuf_clear(&commands), bad[i]);
		CU_ASSERT_EQUAL(sql_found_read(&found, &commands, "n"), -EINVAL);
		sql_found_clear(&found);
	}
	hist_strbuf_free(&commands);
}

UNIT_TESTS(
	{ "strings, blanks and the order of values of a query become those of libtracefs", test_text },
	{ "a query that libtracefs cannot take is refused before", test_refused },
	{ "the words of a query are found outside its strings", test_names },
	{ "what libtracefs returns is read as foreign input", test_found });
