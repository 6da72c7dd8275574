// SPDX-License-Identifier: GPL-2.0
/*
 * label_test.c - keys as text for people, and what a hostile name may do to it
 */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/label/label.h"
#include "utest/unit/tests.h"

static const struct {
	const char *text;
	size_t len;
	const char *utf8;
	unsigned int columns;
	const char *ascii;
} escapes[] = {
	{ "", 0, "", 0, "" },
	{ "kworker/0:1", 11, "kworker/0:1", 11, "kworker/0:1" },
	{ "} hitcount: 5", 13, "} hitcount: 5", 13, "} hitcount: 5" },
	{ "a\nb\tc", 5, "a\\nb\\tc", 7, "a\\nb\\tc" },
	{ "\a\b\v\f\r", 5, "\\a\\b\\v\\f\\r", 10, "\\a\\b\\v\\f\\r" },
	{ "\x1b[31m", 5, "\\x1b[31m", 8, "\\x1b[31m" },
	{ "\x7f", 1, "\\x7f", 4, "\\x7f" },
	{ "a\0b", 3, "a\\x00b", 6, "a\\x00b" },
	{ "dev\\x2d", 7, "dev\\\\x2d", 8, "dev\\\\x2d" },
	{ "\xc3\xbc", 2, "\xc3\xbc", 1, "\\u00fc" },
	{ "\xe6\xbc\xa2", 3, "\xe6\xbc\xa2", 2, "\\u6f22" },	   /* two columns wide */
	{ "e\xcc\x81", 3, "e\xcc\x81", 1, "e\\u0301" },		   /* combining: none */
	{ "\xf0\x9f\x90\xa7", 4, "\xf0\x9f\x90\xa7", 2, "\\U0001f427" },
	{ "\xc2\x9b" "31m", 5, "\\u009b31m", 9, "\\u009b31m" },	   /* CSI of ISO 8859 */
	{ "\xe2\x80\xae" "txt", 6, "\\u202etxt", 9, "\\u202etxt" }, /* right to left */
	{ "\xe2\x80\x8b", 3, "\\u200b", 6, "\\u200b" },		   /* invisible */
	{ "\xff\xc3", 2, "\\xff\\xc3", 8, "\\xff\\xc3" },
	{ "\xc0\xaf", 2, "\\xc0\\xaf", 8, "\\xc0\\xaf" },
};

static void test_escape(void)
{
	struct hist_strbuf b = { 0 };
	unsigned int columns;
	size_t i;

	setlocale(LC_CTYPE, "C.UTF-8");
	for (i = 0; i < sizeof(escapes) / sizeof(*escapes); i++) {
		b.len = 0;
		columns = hist_escape(&b, escapes[i].text, escapes[i].len, 0);
		CU_ASSERT_EQUAL(columns, escapes[i].columns);
		CU_ASSERT_EQUAL(columns, hist_escape_width(escapes[i].text, escapes[i].len, 0));
		hist_strbuf_char(&b, '\0');
		CU_ASSERT_STRING_EQUAL(b.data, escapes[i].utf8);

		b.len = 0;
		columns = hist_escape(&b, escapes[i].text, escapes[i].len, HIST_ESCAPE_ASCII);
		CU_ASSERT_EQUAL(columns, strlen(escapes[i].ascii));
		hist_strbuf_char(&b, '\0');
		CU_ASSERT_STRING_EQUAL(b.data, escapes[i].ascii);
	}
	setlocale(LC_CTYPE, "C");
	hist_strbuf_free(&b);
}

static const struct {
	const char *name;
	struct hist_key_desc key;
	struct hist_bounds bounds;
	bool exact;
	const char *label;
} ranges[] = {
	{ "size", { .kind = HIST_KEY_LOG2 }, { false, 0, 1 }, false, "[0, 1]" },
	{ "size", { .kind = HIST_KEY_LOG2 }, { false, 2, 2 }, false, "(1, 2]" },
	{ "size", { .kind = HIST_KEY_LOG2 }, { false, 3, 4 }, true, "(2, 4]" },
	{ "size", { .kind = HIST_KEY_LOG2 }, { false, (1u << 20) + 1, 1u << 21 }, false, "(1M, 2M]" },
	{ "size", { .kind = HIST_KEY_LOG2 }, { false, (UINT64_C(1) << 63) + 1, UINT64_MAX }, false,
	  "(8E, 16E)" },
	{ "size", { .kind = HIST_KEY_LOG2, .is_signed = true },
	  { true, (UINT64_C(1) << 63) + 1, UINT64_MAX }, false, "negative" },
	/* cut off by the end of the numbers */
	{ "size", { .kind = HIST_KEY_LOG2, .is_signed = true },
	  { true, (UINT64_C(1) << 62) + 1, INT64_MAX }, false, "(4E, 8E]" },
	{ "lat_us", { .kind = HIST_KEY_LOG2 }, { false, 1025, 2048 }, false, "1.03-2.05 ms" },
	{ "lat_us", { .kind = HIST_KEY_LOG2 }, { false, 1025, 2048 }, true, "1025-2048 us" },
	{ "lat_us", { .kind = HIST_KEY_NUM }, { false, 1536, 1536 }, true, "1536 us" },
	{ "size", { .kind = HIST_KEY_BUCKETS, .bucket = 100 }, { false, 100, 199 }, false, "100-199" },
	{ "size", { .kind = HIST_KEY_FINE_LOG2, .bucket = 2 }, { false, 81, 96 }, false, "81-96" },
	{ "size", { .kind = HIST_KEY_FINE_LOG2, .bucket = 2, .is_signed = true },
	  { true, (UINT64_C(1) << 63) + 1, UINT64_MAX }, false, "negative" },
	{ "lat_us", { .kind = HIST_KEY_FINE_LOG2, .bucket = 2 }, { false, 1025, 1280 }, false,
	  "1.03-1.28 ms" },
};

static void test_ranges(void)
{
	struct hist_strbuf b = { 0 };
	unsigned int i, width;

	for (i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		struct hist_key_desc key = ranges[i].key;

		key.name = (char *)ranges[i].name;
		b.len = 0;
		width = hist_label_put_bucket(&b, &key, &ranges[i].bounds, ranges[i].exact);
		CU_ASSERT_EQUAL(width, b.len);
		hist_strbuf_char(&b, '\0');
		CU_ASSERT_STRING_EQUAL(b.data, ranges[i].label);
	}
	hist_strbuf_free(&b);
}

static const struct {
	struct hist_key_desc key;
	uint64_t num;
	const char *str;
	unsigned int flags;
	const char *label;
} labels[] = {
	{ { .kind = HIST_KEY_NUM }, UINT64_MAX, NULL, 0, "18446744073709551615" },
	{ { .kind = HIST_KEY_NUM, .is_signed = true }, UINT64_MAX, NULL, 0, "-1" },
	{ { .kind = HIST_KEY_NUM, .is_signed = true }, UINT64_C(1) << 63, NULL, 0,
	  "-9223372036854775808" },
	{ { .kind = HIST_KEY_HEX }, 0xff36a9ff66573ba0, NULL, 0, "ff36a9ff66573ba0" },
	{ { .kind = HIST_KEY_HEX }, 0, NULL, 0, "0" },
	{ { .kind = HIST_KEY_SYM }, 0xffffffff9243d2cf, "kfree", 0, "kfree" },
	{ { .kind = HIST_KEY_SYM }, 0xffffffff9243d2cf, "kfree", HIST_LABEL_ADDRESS,
	  "[ffffffff9243d2cf] kfree" },
	{ { .kind = HIST_KEY_SYM }, 0xc0de, NULL, 0, "0xc0de" },
	{ { .kind = HIST_KEY_SYM_OFFSET }, 1, "f+0x1/0x2 [mod]", 0, "f+0x1/0x2 [mod]" },
	{ { .kind = HIST_KEY_EXECNAME }, 144, "s\nh", 0, "s\\nh [144]" },
	{ { .kind = HIST_KEY_SYSCALL, .is_signed = true }, UINT64_MAX, "unknown_syscall", 0,
	  "unknown_syscall [-1]" },
	{ { .kind = HIST_KEY_STACK }, 0, "a+0x1/0x2\nb.c+0x3/0x4 [m]\nd", 0, "a <- b.c <- d" },
	{ { .kind = HIST_KEY_STACK }, 0, "a+0x1/0x2\nb.c+0x3/0x4 [m]\nd", HIST_LABEL_OFFSETS,
	  "a+0x1/0x2 <- b.c+0x3/0x4 [m] <- d" },
	{ { .kind = HIST_KEY_STACK }, 0, "", 0, "" },
	{ { .kind = HIST_KEY_LOG2 }, 0, NULL, 0, "[0, 1]" },
	{ { .kind = HIST_KEY_LOG2 }, 1, NULL, 0, "(1, 2]" },
	{ { .kind = HIST_KEY_LOG2 }, 6, NULL, 0, "(32, 64]" },
	{ { .kind = HIST_KEY_LOG2 }, 10, NULL, 0, "(512, 1K]" },
	{ { .kind = HIST_KEY_LOG2 }, 21, NULL, 0, "(1M, 2M]" },
	{ { .kind = HIST_KEY_LOG2, .unit = "us" }, 6, NULL, 0, "33-64 us" },
	{ { .kind = HIST_KEY_BUCKETS, .bucket = 500, .unit = "ns" }, 500, NULL, 0, "500-999 ns" },
	{ { .kind = HIST_KEY_LOG2 }, 63, NULL, 0, "(4E, 8E]" },
	{ { .kind = HIST_KEY_LOG2 }, 64, NULL, 0, "(8E, 16E)" },
	{ { .kind = HIST_KEY_LOG2 }, 99, NULL, 0, "2^99" },
	{ { .kind = HIST_KEY_LOG2, .is_signed = true }, HIST_LOG2_NEGATIVE, NULL, 0, "negative" },
	{ { .kind = HIST_KEY_LOG2, .is_signed = true }, 0, NULL, 0, "[0, 1]" },
	{ { .kind = HIST_KEY_LOG2, .is_signed = true }, 63, NULL, 0, "(4E, 8E]" },
	{ { .kind = HIST_KEY_BUCKETS, .bucket = 100 }, 0, NULL, 0, "0-99" },
	{ { .kind = HIST_KEY_BUCKETS, .bucket = 100 }, 400, NULL, 0, "400-499" },
	{ { .kind = HIST_KEY_BUCKETS, .bucket = 100, .is_signed = true }, 18446744073709551500u,
	  NULL, 0, "-116..-17" },
	{ { .kind = HIST_KEY_BUCKETS, .bucket = 100, .is_signed = true }, 18446744073709551600u,
	  NULL, 0, "-16..-1" },
	{ { .kind = HIST_KEY_FINE_LOG2, .bucket = 2 }, 0, NULL, 0, "0-0" },
	{ { .kind = HIST_KEY_FINE_LOG2, .bucket = 2 }, 8, NULL, 0, "8-8" },
	{ { .kind = HIST_KEY_FINE_LOG2, .bucket = 2 }, 9, NULL, 0, "9-10" },
	{ { .kind = HIST_KEY_FINE_LOG2, .bucket = 2, .unit = "us" }, 9, NULL, 0, "9-10 us" },
	{ { .kind = HIST_KEY_FINE_LOG2, .bucket = 1 }, 128, NULL, 0,
	  "13835058055282163713-18446744073709551615" },
	{ { .kind = HIST_KEY_FINE_LOG2, .bucket = 1, .is_signed = true }, HIST_LOG2_NEGATIVE, NULL,
	  0, "negative" },
	{ { .kind = HIST_KEY_USECS }, 26401536, NULL, 0, "26401536" },
	{ { .kind = HIST_KEY_STRING }, 0, "a b\x1b", 0, "a b\\x1b" },
	{ { .kind = HIST_KEY_UNKNOWN }, 7, NULL, 0, "7" },
	{ { .kind = HIST_KEY_UNKNOWN }, 0, "x", 0, "x" },
};

static void test_labels(void)
{
	struct hist_schema schema = { .nkeys = 1 };
	struct hist_strbuf b = { 0 };
	unsigned int columns;
	size_t i;

	for (i = 0; i < sizeof(labels) / sizeof(*labels); i++) {
		struct hist_cell cell = { .num = labels[i].num, .str = HIST_NO_STRING };
		struct hist_table *table;

		schema.keys[0] = labels[i].key;
		schema.keys[0].name = (char *)"k";
		table = hist_table_new(&schema);
		CU_ASSERT_PTR_NOT_NULL_FATAL(table);
		if (labels[i].str)
			hist_table_intern(table, labels[i].str, strlen(labels[i].str), &cell.str);
		b.len = 0;
		columns = hist_label_put(&b, table, 0, &cell, labels[i].flags);
		CU_ASSERT_EQUAL(columns, strlen(labels[i].label));
		hist_strbuf_char(&b, '\0');
		CU_ASSERT_STRING_EQUAL(b.data, labels[i].label);
		hist_table_free(table);
	}
	hist_strbuf_free(&b);
}

static const struct {
	struct hist_key_desc key;
	uint64_t num, ge, le;
	bool is_signed;
} bounds[] = {
	{ { .kind = HIST_KEY_LOG2 }, 0, 0, 1, false },
	{ { .kind = HIST_KEY_LOG2 }, 1, 2, 2, false },
	{ { .kind = HIST_KEY_LOG2 }, 2, 3, 4, false },
	{ { .kind = HIST_KEY_LOG2 }, 12, 2049, 4096, false },
	{ { .kind = HIST_KEY_LOG2 }, 63, (UINT64_C(1) << 62) + 1, UINT64_C(1) << 63, false },
	{ { .kind = HIST_KEY_LOG2 }, 64, (UINT64_C(1) << 63) + 1, UINT64_MAX, false },
	{ { .kind = HIST_KEY_LOG2 }, UINT64_MAX, UINT64_MAX, UINT64_MAX, false },
	{ { .kind = HIST_KEY_LOG2, .is_signed = true }, HIST_LOG2_NEGATIVE, (UINT64_C(1) << 63) + 1,
	  UINT64_MAX, true },
	{ { .kind = HIST_KEY_LOG2, .is_signed = true }, 1, 2, 2, true },
	{ { .kind = HIST_KEY_BUCKETS, .bucket = 8 }, 16, 16, 23, false },
	{ { .kind = HIST_KEY_BUCKETS, .bucket = 100 }, 18446744073709551600u, 18446744073709551600u,
	  UINT64_MAX, false },
	{ { .kind = HIST_KEY_BUCKETS, .bucket = 100, .is_signed = true }, 18446744073709551600u,
	  (uint64_t)-16, (uint64_t)-1, true },
	/* around 2^63 signed has no order */
	{ { .kind = HIST_KEY_BUCKETS, .bucket = 100, .is_signed = true }, 9223372036854775800u,
	  9223372036854775800u, 9223372036854775899u, false },
	{ { .kind = HIST_KEY_BUCKETS, .bucket = 0 }, 5, 5, 5, false },
};

static void test_bounds(void)
{
	struct hist_bounds made;
	size_t i;

	for (i = 0; i < sizeof(bounds) / sizeof(*bounds); i++) {
		hist_key_bounds(&bounds[i].key, bounds[i].num, &made);
		CU_ASSERT_EQUAL(made.ge, bounds[i].ge);
		CU_ASSERT_EQUAL(made.le, bounds[i].le);
		CU_ASSERT_EQUAL(made.is_signed, bounds[i].is_signed);
	}
}

static const struct {
	uint64_t time;
	bool ns;
	const char *text;
} times[] = {
	{ 0, true, "0.000000" },
	{ 499, true, "0.000000" },
	{ 500, true, "0.000001" },
	{ 1234567890123, true, "1234.567890" },
	{ 1999999999, true, "2.000000" },
	{ UINT64_MAX, true, "18446744073.709552" },
	{ 1234567890123, false, "1234567890123" },
};

static void test_times(void)
{
	struct hist_strbuf b = { 0 };
	size_t i;

	for (i = 0; i < sizeof(times) / sizeof(*times); i++) {
		b.len = 0;
		hist_label_put_time(&b, times[i].time, times[i].ns);
		hist_strbuf_char(&b, '\0');
		CU_ASSERT_STRING_EQUAL(b.data, times[i].text);
	}
	hist_strbuf_free(&b);
	CU_ASSERT(hist_clock_is_ns("mono") && hist_clock_is_ns("boot") && hist_clock_is_ns("tai"));
	CU_ASSERT_FALSE(hist_clock_is_ns("counter") || hist_clock_is_ns("x86-tsc"));
	CU_ASSERT_FALSE(hist_clock_is_ns("uptime") || hist_clock_is_ns("ppc-tb"));
}

static void test_strbuf(void)
{
	static const uint64_t numbers[] = { 0, 9, 10, 99, 100, 12345, 1000000, UINT64_MAX };
	struct hist_strbuf b = { 0 };
	char expect[32];
	size_t i;
	FILE *f;

	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		b.len = 0;
		hist_strbuf_u64(&b, numbers[i]);
		hist_strbuf_char(&b, '\0');
		snprintf(expect, sizeof(expect), "%llu", (unsigned long long)numbers[i]);
		CU_ASSERT_STRING_EQUAL(b.data, expect);
		CU_ASSERT_EQUAL(hist_strbuf_u64_width(numbers[i]), strlen(expect));
		b.len = 0;
		hist_strbuf_hex(&b, numbers[i]);
		hist_strbuf_char(&b, '\0');
		snprintf(expect, sizeof(expect), "%llx", (unsigned long long)numbers[i]);
		CU_ASSERT_STRING_EQUAL(b.data, expect);
		CU_ASSERT_EQUAL(hist_strbuf_hex_width(numbers[i]), strlen(expect));
	}
	CU_ASSERT_EQUAL(hist_strbuf_s64_width(INT64_MIN), 20);
	CU_ASSERT_EQUAL(hist_strbuf_s64_width(-9), 2);

	b.len = 0;
	hist_strbuf_printf(&b, "%0*d|", 500, 7);
	CU_ASSERT_EQUAL(b.len, 501);
	CU_ASSERT_EQUAL(b.data[499], '7');

	/* sticky errors */
	f = fopen("/dev/full", "w");
	setbuf(f, NULL);
	CU_ASSERT_EQUAL(hist_strbuf_flush(&b, f), -ENOSPC);
	hist_strbuf_str(&b, "more");
	CU_ASSERT_EQUAL(b.len, 0);
	CU_ASSERT_EQUAL(hist_strbuf_flush(&b, stdout), -ENOSPC);
	fclose(f);
	hist_strbuf_free(&b);
	CU_ASSERT_FALSE(hist_strbuf_grow(&b, SIZE_MAX));
	CU_ASSERT_EQUAL(b.error, -ENOMEM);
}

static void test_values(void)
{
	static const struct {
		struct hist_value_desc value;
		uint64_t v;
		const char *text;
	} cases[] = {
		{ { .kind = HIST_VALUE_SUM }, UINT64_MAX, "18446744073709551615" },
		{ { .kind = HIST_VALUE_SUM, .is_signed = true }, (uint64_t)-5, "-5" },
		{ { .kind = HIST_VALUE_HEX }, 0xff00, "ff00" },
		{ { .kind = HIST_VALUE_PERCENT }, 1205, "12.05" },
		{ { .kind = HIST_VALUE_PERCENT }, 70, "0.70" },
		{ { .kind = HIST_VALUE_GRAPH }, 20, "20" },
		{ { .kind = HIST_VALUE_SAVED }, 0, "max:\\t7" },
		{ { .kind = HIST_VALUE_SAVED }, 1, "" },
	};
	static const struct hist_schema schema = {
		.nkeys = 1,
		.keys = { { .name = (char *)"key" } },
	};
	struct hist_table *table = hist_table_new(&schema);
	struct hist_strbuf b = { 0 };
	unsigned int i;
	uint32_t id;

	CU_ASSERT_PTR_NOT_NULL_FATAL(table);
	CU_ASSERT_EQUAL(hist_table_intern(table, "max:\t7", 6, &id), 0);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		b.len = 0;
		hist_label_put_value(&b, table, &cases[i].value, cases[i].v);
		hist_strbuf_char(&b, '\0');
		CU_ASSERT_STRING_EQUAL(b.data, cases[i].text);
	}
	hist_strbuf_free(&b);
	hist_table_free(table);
}

UNIT_TESTS(
	{ "a value is printed as its modifier defines", test_values },
	{ "escaping a name removes control characters and invalid UTF-8, and counts columns right",
	  test_escape },
	{ "the label of a key shows its number, name, stack or range, according to the kind",
	  test_labels },
	{ "a log2 or buckets key yields the smallest and the largest number of its bucket",
	  test_bounds },
	{ "the label of a bucket shows its range, with units if the key is a duration",
	  test_ranges },
	{ "a time is printed in seconds with six decimals if the clock counts nanoseconds",
	  test_times },
	{ "a string buffer formats numbers like printf() and keeps its first error", test_strbuf });
