// SPDX-License-Identifier: GPL-2.0
/*
 * json_writer_test.c - what json_writer.c writes, byte by byte
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/base/json_writer.h"
#include "utest/unit/tests.h"

/* What @write makes of a writer; static, of the last call. */
static const char *written(void (*write)(struct json_writer *w), bool pretty, int expect)
{
	static char *text;
	struct json_writer *w;
	size_t len;
	FILE *f;

	free(text);
	f = open_memstream(&text, &len);
	w = json_writer_new(f, pretty);
	write(w);
	CU_ASSERT_EQUAL(json_writer_free(w), expect);
	fclose(f);
	return text;
}

static void write_nested(struct json_writer *w)
{
	json_object_begin(w, NULL);
	json_array_begin(w, "a");
	json_u64(w, NULL, 1);
	json_object_begin(w, NULL);
	json_object_end(w);
	json_array_begin(w, NULL);
	json_array_end(w);
	json_bool(w, NULL, true);
	json_bool(w, NULL, false);
	json_null(w, NULL);
	json_array_end(w);
	json_string(w, "b", "x");
	json_object_end(w);
}

static void test_nesting(void)
{
	CU_ASSERT_STRING_EQUAL(written(write_nested, false, 0),
			       "{\"a\":[1,{},[],true,false,null],\"b\":\"x\"}\n");
	CU_ASSERT_STRING_EQUAL(written(write_nested, true, 0),
			       "{\n"
			       "  \"a\": [\n"
			       "    1,\n"
			       "    {},\n"
			       "    [],\n"
			       "    true,\n"
			       "    false,\n"
			       "    null\n"
			       "  ],\n"
			       "  \"b\": \"x\"\n"
			       "}\n");
}

static void write_one_line(struct json_writer *w)
{
	json_array_begin(w, NULL);
	json_object_line(w, NULL);
	json_array_begin(w, "k");
	json_u64(w, NULL, 1);
	json_u64(w, NULL, 2);
	json_array_end(w);
	json_object_begin(w, "v");
	json_object_end(w);
	json_object_end(w);
	json_array_begin(w, NULL);
	json_u64(w, NULL, 3);
	json_array_end(w);
	json_array_end(w);
}

static void test_one_line(void)
{
	CU_ASSERT_STRING_EQUAL(written(write_one_line, true, 0),
			       "[\n"
			       "  { \"k\": [ 1, 2 ], \"v\": {} },\n"
			       "  [\n"
			       "    3\n"
			       "  ]\n"
			       "]\n");
	CU_ASSERT_STRING_EQUAL(written(write_one_line, false, 0),
			       "[{\"k\":[1,2],\"v\":{}},[3]]\n");
}

static void write_numbers(struct json_writer *w)
{
	json_array_begin(w, NULL);
	json_u64(w, NULL, 0);
	json_u64(w, NULL, 10);
	json_u64(w, NULL, 999);
	json_u64(w, NULL, UINT64_C(1) << 53);
	json_u64(w, NULL, (UINT64_C(1) << 53) + 1);
	json_u64(w, NULL, UINT64_MAX);
	json_number(w, NULL, -1, true);
	json_number(w, NULL, -(INT64_C(1) << 53), true);
	json_number(w, NULL, -(INT64_C(1) << 53) - 1, true);
	json_number(w, NULL, (INT64_C(1) << 53) + 1, true);
	json_number(w, NULL, INT64_MIN, true);
	json_array_end(w);
}

static void write_fixed(struct json_writer *w)
{
	json_array_begin(w, NULL);
	json_fixed(w, NULL, 1234, 2);
	json_fixed(w, NULL, 5, 2);
	json_fixed(w, NULL, 100, 2);
	json_fixed(w, NULL, 0, 2);
	json_fixed(w, NULL, 7, 0);
	json_fixed(w, NULL, UINT64_MAX, 19);
	json_array_end(w);
}

static void write_double(struct json_writer *w)
{
	json_array_begin(w, NULL);
	json_double(w, NULL, 0);
	json_double(w, NULL, 0.1);
	json_double(w, NULL, 1.0 / 3);
	json_double(w, NULL, -1e300);
	json_double(w, NULL, 12345);
	json_double(w, NULL, NAN);
	json_double(w, NULL, -INFINITY);
	json_array_end(w);
}

static void test_numbers(void)
{
	CU_ASSERT_STRING_EQUAL(written(write_double, false, 0),
			       "[0,0.1,0.33333333333333331,-1e+300,12345,null,null]\n");
	CU_ASSERT_STRING_EQUAL(written(write_numbers, false, 0),
			       "[0,10,999,9007199254740992,\"9007199254740993\","
			       "\"18446744073709551615\",-1,-9007199254740992,"
			       "\"-9007199254740993\",\"9007199254740993\","
			       "\"-9223372036854775808\"]\n");
	CU_ASSERT_STRING_EQUAL(written(write_fixed, false, 0),
			       "[12.34,0.05,1.00,0.00,7,1.8446744073709551615]\n");
}

static const struct {
	const char *text;
	size_t len;
	const char *json;
} strings[] = {
	{ "", 0, "\"\"" },
	{ "plain", 5, "\"plain\"" },
	{ "a\"b\\c/", 6, "\"a\\\"b\\\\c/\"" },
	{ "\b\t\n\v\f\r\x1b\x7f", 8, "\"\\b\\t\\n\\u000b\\f\\r\\u001b\\u007f\"" },
	/* C1, what turns the direction, the end of a line, and beyond the first plane */
	{ "\xc2\x9b|\xc2\xa0|\xe2\x80\xae|\xe2\x80\xa9|\xf3\xa0\x81\x81", 18,
	  "\"\\u009b|\xc2\xa0|\\u202e|\\u2029|\\udb40\\udc41\"" },
	{ "a\0b", 3, "\"a\\u0000b\"" },
	{ "\xc3\xbc\xe2\x82\xac\xf0\x9f\x90\xa7", 9, "\"\xc3\xbc\xe2\x82\xac\xf0\x9f\x90\xa7\"" },
	{ "\xff.\xc3", 3, "\"\xef\xbf\xbd.\xef\xbf\xbd\"" },	   /* no lead byte; cut */
	{ "\xc0\xaf", 2, "\"\xef\xbf\xbd\xef\xbf\xbd\"" },	   /* overlong */
	{ "\xed\xa0\x80", 3, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" }, /* surrogate */
	{ "\xf4\x90\x80\x80", 4,
	  "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" }, /* beyond U+10FFFF */
	{ "\xe2\x82" "a", 3, "\"\xef\xbf\xbd\xef\xbf\xbd" "a\"" },
};

static unsigned int current;

static void write_string(struct json_writer *w)
{
	json_string_len(w, NULL, strings[current].text, strings[current].len);
}

static void test_strings(void)
{
	char expect[64];

	for (current = 0; current < sizeof(strings) / sizeof(*strings); current++) {
		snprintf(expect, sizeof(expect), "%s\n", strings[current].json);
		CU_ASSERT_STRING_EQUAL(written(write_string, false, 0), expect);
	}
}

static void write_too_deep(struct json_writer *w)
{
	unsigned int i;

	for (i = 0; i < 100; i++)
		json_array_begin(w, NULL);
	CU_ASSERT_EQUAL(json_writer_error(w), -EOVERFLOW);
	for (i = 0; i < 100; i++)
		json_array_end(w);
}

static void write_unopened(struct json_writer *w)
{
	json_array_end(w);
}

static void write_much(struct json_writer *w)
{
	unsigned int i;

	json_array_begin(w, NULL);
	for (i = 0; i < 100000; i++)
		json_u64(w, NULL, i);
	json_array_end(w);
}

static void test_errors(void)
{
	struct json_writer *w;
	FILE *f = fopen("/dev/full", "w");

	written(write_too_deep, false, -EOVERFLOW);
	written(write_unopened, false, -EINVAL);
	CU_ASSERT_EQUAL(json_writer_free(NULL), -ENOMEM);

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	w = json_writer_new(f, true);
	write_much(w);
	CU_ASSERT_EQUAL(json_writer_error(w), -ENOSPC);
	CU_ASSERT_EQUAL(json_writer_free(w), -ENOSPC);
	fclose(f);
}

/* More than the buffer holds arrives whole and in order. */
static void test_large(void)
{
	const char *text = written(write_much, false, 0);

	/* 10 + 180 + 2700 + 36000 + 450000 digits, 99999 commas, "[]\n" */
	CU_ASSERT_EQUAL(strlen(text), 488890 + 99999 + 3);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, ",65535,65536,65537,"));
	CU_ASSERT_STRING_EQUAL(text + strlen(text) - 8, ",99999]\n");
}

UNIT_TESTS(
	{ "the JSON writer nests objects and arrays, compact or indented by two blanks",
	  test_nesting },
	{ "the JSON writer puts a chosen part of indented output on one line", test_one_line },
	{ "the JSON writer quotes integers beyond 2^53 and writes null for NaN and infinity",
	  test_numbers },
	{ "the JSON writer escapes control characters and replaces invalid UTF-8", test_strings },
	{ "the JSON writer reports nesting that is too deep, an unmatched end and a full disk",
	  test_errors },
	{ "the JSON writer writes 100000 numbers completely and in order", test_large });
