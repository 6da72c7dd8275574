// SPDX-License-Identifier: GPL-2.0
/*
 * unit_test.c - which numbers are durations, and how they read
 */
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/label/unit.h"
#include "utest/unit/tests.h"

static const struct {
	uint64_t number;
	bool is_signed;
	enum hist_unit unit;
	const char *text;
} numbers[] = {
	{ 0, false, HIST_UNIT_US, "0 us" },
	{ 1, false, HIST_UNIT_NS, "1 ns" },
	{ 850, false, HIST_UNIT_US, "850 us" },
	{ 999, false, HIST_UNIT_NS, "999 ns" },
	{ 1000, false, HIST_UNIT_NS, "1 us" },
	{ 1004, false, HIST_UNIT_US, "1 ms" },
	{ 1005, false, HIST_UNIT_US, "1.01 ms" },
	{ 1023, false, HIST_UNIT_US, "1.02 ms" },
	{ 1500, false, HIST_UNIT_US, "1.5 ms" },
	{ 9994, false, HIST_UNIT_US, "9.99 ms" },
	{ 9995, false, HIST_UNIT_US, "10 ms" },
	{ 12345, false, HIST_UNIT_MS, "12.3 s" },
	{ 65536, false, HIST_UNIT_NS, "65.5 us" },
	{ 99949, false, HIST_UNIT_US, "99.9 ms" },
	{ 99950, false, HIST_UNIT_US, "100 ms" },
	{ 999499, false, HIST_UNIT_US, "999 ms" },
	{ 999500, false, HIST_UNIT_US, "1 s" },
	{ 999999, false, HIST_UNIT_NS, "1 ms" },
	{ 1048576, false, HIST_UNIT_NS, "1.05 ms" },
	{ 999999999, false, HIST_UNIT_NS, "1 s" },
	{ 2000000, false, HIST_UNIT_US, "2 s" },
	{ UINT64_C(4294967296), false, HIST_UNIT_US, "4295 s" },
	{ 86400, false, HIST_UNIT_S, "86400 s" },
	{ UINT64_MAX, false, HIST_UNIT_NS, "18446744074 s" },
	{ UINT64_MAX, false, HIST_UNIT_S, "18446744073709551615 s" },
	{ (uint64_t)-1, true, HIST_UNIT_US, "-1 us" },
	{ (uint64_t)-65536, true, HIST_UNIT_US, "-65.5 ms" },
	{ UINT64_C(1) << 63, true, HIST_UNIT_NS, "-9223372037 s" },
	{ 0, false, HIST_UNIT_BYTES, "0 B" },
	{ 1023, false, HIST_UNIT_BYTES, "1023 B" },
	{ 1024, false, HIST_UNIT_BYTES, "1 KiB" },
	{ 1040, false, HIST_UNIT_BYTES, "1.02 KiB" },
	{ 10000, false, HIST_UNIT_BYTES, "9.77 KiB" },
	{ 1047552, false, HIST_UNIT_BYTES, "1023 KiB" },
	{ 1048064, false, HIST_UNIT_BYTES, "1 MiB" },
	{ 3, false, HIST_UNIT_EIB, "3 EiB" },
	{ UINT64_MAX, false, HIST_UNIT_BYTES, "16 EiB" },
	{ (uint64_t)-1536, true, HIST_UNIT_BYTES, "-1.5 KiB" },
	{ 65536, false, HIST_UNIT_NONE, "65536" },
	{ (uint64_t)-65536, true, HIST_UNIT_NONE, "-65536" },
	{ (uint64_t)-65536, false, HIST_UNIT_NONE, "18446744073709486080" },
};

static void test_put(void)
{
	struct hist_strbuf b = { 0 };
	unsigned int i, width;

	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		b.len = 0;
		width = hist_unit_put(&b, numbers[i].number, numbers[i].is_signed, numbers[i].unit);
		CU_ASSERT_EQUAL(width, b.len);
		hist_strbuf_char(&b, '\0');
		if (strcmp(b.data, numbers[i].text))
			fprintf(stderr, "\n%s, not %s\n", b.data, numbers[i].text);
		CU_ASSERT_STRING_EQUAL(b.data, numbers[i].text);
	}
	hist_strbuf_free(&b);
}

static const struct {
	uint64_t low, high;
	bool is_signed;
	enum hist_unit unit;
	const char *text;
} ranges[] = {
	{ 33, 64, false, HIST_UNIT_US, "33-64 us" },
	{ 33, 64, false, HIST_UNIT_NONE, "33-64" },
	{ 0, 1, false, HIST_UNIT_US, "0-1 us" },
	{ 0, 131072, false, HIST_UNIT_US, "0-131 ms" },
	{ 513, 1024, false, HIST_UNIT_US, "513 us-1.02 ms" },
	{ 65537, 131072, false, HIST_UNIT_NS, "65.5-131 us" },
	{ 2, 2, false, HIST_UNIT_US, "2 us" },
	{ 1536, 1536, false, HIST_UNIT_US, "1.54 ms" },
	{ 1000000, 1000099, false, HIST_UNIT_US, "1000000-1000099 us" },
	{ 999500, 999999, false, HIST_UNIT_US, "999500-999999 us" },
	{ 0, UINT64_MAX, false, HIST_UNIT_S, "0-18446744073709551615 s" },
	{ 1040, 1040, false, HIST_UNIT_BYTES, "1040 B" },
	{ 1044, 1044, false, HIST_UNIT_BYTES, "1044 B" },
	{ 1536, 1536, false, HIST_UNIT_BYTES, "1.5 KiB" },
	{ 10240, 10240, false, HIST_UNIT_BYTES, "10 KiB" },
	{ 104858, 104858, false, HIST_UNIT_BYTES, "104858 B" },
	{ UINT64_C(3) << 60, UINT64_C(3) << 60, false, HIST_UNIT_BYTES, "3 EiB" },
	{ UINT64_MAX, UINT64_MAX, false, HIST_UNIT_BYTES, "18446744073709551615 B" },
	{ 513, 1024, false, HIST_UNIT_BYTES, "513 B-1 KiB" },
	{ 1025, 2048, false, HIST_UNIT_BYTES, "1-2 KiB" },
	{ 0, 65536, false, HIST_UNIT_BYTES, "0-64 KiB" },
	{ (uint64_t)-16, (uint64_t)-1, true, HIST_UNIT_US, "-16..-1 us" },
	{ (UINT64_C(1) << 63) + 1, (uint64_t)-1, true, HIST_UNIT_US, "negative" },
	{ (UINT64_C(1) << 63) + 1, 2048, true, HIST_UNIT_US, "negative..2.05 ms" },
	{ (UINT64_C(1) << 63) + 1, 64, true, HIST_UNIT_NONE, "negative..64" },
	{ (UINT64_C(1) << 63) + 1, (UINT64_C(1) << 63) + 1, true, HIST_UNIT_NONE,
	  "-9223372036854775807" },
	{ (UINT64_C(1) << 63) + 1, UINT64_MAX, false, HIST_UNIT_NONE,
	  "9223372036854775809-18446744073709551615" },
	{ (uint64_t)-1000016, (uint64_t)-1000001, true, HIST_UNIT_US, "-1000016..-1000001 us" },
	{ (uint64_t)-5000, 5000, true, HIST_UNIT_US, "-5..5 ms" },
	{ (uint64_t)-500, 5000, true, HIST_UNIT_US, "-500 us..5 ms" },
	{ UINT64_C(1) << 63, INT64_MAX, true, HIST_UNIT_NONE,
	  "-9223372036854775808..9223372036854775807" },
};

static const struct {
	double number;
	enum hist_unit unit;
	const char *text;
} reals[] = {
	{ 0, HIST_UNIT_US, "0 us" },
	{ 0.05, HIST_UNIT_US, "0.05 us" },
	{ 1.2712, HIST_UNIT_US, "1.27 us" },
	{ 47.36, HIST_UNIT_NONE, "47.4" },
	{ 508, HIST_UNIT_US, "508 us" },
	{ 999.4, HIST_UNIT_US, "999 us" },
	{ 999.6, HIST_UNIT_US, "1 ms" },
	{ 999.6, HIST_UNIT_NONE, "1000" },
	{ 9.996, HIST_UNIT_US, "10 us" },
	{ 99.96, HIST_UNIT_NS, "100 ns" },
	{ 123456.7, HIST_UNIT_US, "123 ms" },
	{ 123456.7, HIST_UNIT_NONE, "123457" },
	{ 5e9, HIST_UNIT_US, "5000 s" },
	{ -3.5, HIST_UNIT_US, "-3.5 us" },
	{ -0.001, HIST_UNIT_NONE, "0" },
	{ 0x1p64, HIST_UNIT_NONE, "18446744073709549568" },
};

static const struct {
	uint64_t low, high;
	bool is_signed;
	enum hist_unit unit;
	const char *text;
} exacts[] = {
	{ 1025, 2048, false, HIST_UNIT_US, "1025-2048 us" },
	{ 1536, 1536, false, HIST_UNIT_US, "1536 us" },
	{ 1000, 2000, false, HIST_UNIT_NS, "1000-2000 ns" },
	{ (uint64_t)-5000, 5000, true, HIST_UNIT_MS, "-5000..5000 ms" },
	{ (UINT64_C(1) << 63) + 1, (uint64_t)-1, true, HIST_UNIT_US, "negative" },
};

static void test_exact(void)
{
	struct hist_strbuf b = { 0 };
	unsigned int i, width;

	for (i = 0; i < sizeof(exacts) / sizeof(*exacts); i++) {
		b.len = 0;
		width = hist_unit_range(&b, exacts[i].low, exacts[i].high, exacts[i].is_signed,
					exacts[i].unit, true);
		CU_ASSERT_EQUAL(width, b.len);
		hist_strbuf_char(&b, '\0');
		CU_ASSERT_STRING_EQUAL(b.data, exacts[i].text);
	}
	hist_strbuf_free(&b);
}

static void test_ranges(void)
{
	struct hist_strbuf b = { 0 };
	unsigned int i, width;

	for (i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		b.len = 0;
		width = hist_unit_range(&b, ranges[i].low, ranges[i].high, ranges[i].is_signed,
					ranges[i].unit, false);
		CU_ASSERT_EQUAL(width, b.len);
		hist_strbuf_char(&b, '\0');
		CU_ASSERT_STRING_EQUAL(b.data, ranges[i].text);
	}
	for (i = 0; i < sizeof(reals) / sizeof(*reals); i++) {
		b.len = 0;
		width = hist_unit_real(&b, reals[i].number, reals[i].unit);
		CU_ASSERT_EQUAL(width, b.len);
		hist_strbuf_char(&b, '\0');
		if (strcmp(b.data, reals[i].text))
			fprintf(stderr, "\n%s, not %s\n", b.data, reals[i].text);
		CU_ASSERT_STRING_EQUAL(b.data, reals[i].text);
	}
	hist_strbuf_free(&b);
}

static const struct {
	const char *name;
	enum hist_key_kind kind;
	enum hist_unit unit;
} keys[] = {
	{ "lat_us", HIST_KEY_LOG2, HIST_UNIT_US },
	{ "timer_latency", HIST_KEY_BUCKETS, HIST_UNIT_NONE },
	{ "other_latency", HIST_KEY_BUCKETS, HIST_UNIT_NONE },
	{ "lat_ns", HIST_KEY_BUCKETS, HIST_UNIT_NS },
	{ "delta_ns", HIST_KEY_NUM, HIST_UNIT_NS },
	{ "timeout_msecs", HIST_KEY_NUM, HIST_UNIT_MS },
	{ "usecs", HIST_KEY_LOG2, HIST_UNIT_US },
	{ "wait_sec", HIST_KEY_NUM, HIST_UNIT_S },
	{ "delay_ms", HIST_KEY_NUM, HIST_UNIT_MS },
	{ "common_timestamp", HIST_KEY_USECS, HIST_UNIT_US },
	{ "common_timestamp", HIST_KEY_NUM, HIST_UNIT_NONE },
	{ "lat_us", HIST_KEY_HEX, HIST_UNIT_NONE },
	{ "lat_us", HIST_KEY_STRING, HIST_UNIT_NONE },
	{ "status", HIST_KEY_NUM, HIST_UNIT_NONE },
	{ "nr_cpus", HIST_KEY_NUM, HIST_UNIT_NONE },
	{ "ns", HIST_KEY_NUM, HIST_UNIT_NONE },
	{ "pid_ns", HIST_KEY_NUM, HIST_UNIT_NONE },
	{ "us_lat", HIST_KEY_NUM, HIST_UNIT_NONE },
	{ "bytes", HIST_KEY_NUM, HIST_UNIT_BYTES },
	{ "bytes_req", HIST_KEY_LOG2, HIST_UNIT_BYTES },
	{ "nr_bytes", HIST_KEY_BUCKETS, HIST_UNIT_BYTES },
	{ "rx_bytes_total", HIST_KEY_NUM, HIST_UNIT_BYTES },
	{ "bytes_per_us", HIST_KEY_NUM, HIST_UNIT_US },
	{ "bytes2", HIST_KEY_NUM, HIST_UNIT_NONE },
	{ "kbytes", HIST_KEY_NUM, HIST_UNIT_NONE },
	{ "bytes_req", HIST_KEY_HEX, HIST_UNIT_NONE },
	{ "lat_", HIST_KEY_NUM, HIST_UNIT_NONE },
	{ "", HIST_KEY_NUM, HIST_UNIT_NONE },
};

static void test_of_key(void)
{
	struct hist_key_desc key = { 0 };
	unsigned int i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		key.name = (char *)keys[i].name;
		key.kind = keys[i].kind;
		if (hist_unit_from_key(&key) != keys[i].unit)
			fprintf(stderr, "\n%s: %d\n", key.name, hist_unit_from_key(&key));
		CU_ASSERT_EQUAL(hist_unit_from_key(&key), keys[i].unit);
	}
	/* the schema knows better than the name */
	key = (struct hist_key_desc){ .name = (char *)"runtime", .kind = HIST_KEY_LOG2, .unit = "ns" };
	CU_ASSERT_EQUAL(hist_unit_from_key(&key), HIST_UNIT_NS);
	key.unit = "us";
	CU_ASSERT_EQUAL(hist_unit_from_key(&key), HIST_UNIT_US);
	key.kind = HIST_KEY_USECS;
	key.unit = "ns";
	CU_ASSERT_EQUAL(hist_unit_from_key(&key), HIST_UNIT_US);
	key.kind = HIST_KEY_HEX;
	CU_ASSERT_EQUAL(hist_unit_from_key(&key), HIST_UNIT_NONE);
}

static void test_of_value(void)
{
	struct hist_value_desc value = { .name = (char *)"lat_us", .kind = HIST_VALUE_SUM };

	CU_ASSERT_EQUAL(hist_unit_from_value(&value), HIST_UNIT_US);
	value.unit = "ns";
	CU_ASSERT_EQUAL(hist_unit_from_value(&value), HIST_UNIT_NS);
	value.kind = HIST_VALUE_PERCENT;
	CU_ASSERT_EQUAL(hist_unit_from_value(&value), HIST_UNIT_NONE);
	value = (struct hist_value_desc){ .name = (char *)"hitcount", .kind = HIST_VALUE_SUM };
	CU_ASSERT_EQUAL(hist_unit_from_value(&value), HIST_UNIT_NONE);
	CU_ASSERT_STRING_EQUAL(hist_unit_name(HIST_UNIT_NONE), "");
	CU_ASSERT_STRING_EQUAL(hist_unit_name(HIST_UNIT_S), "s");
}

UNIT_TESTS(
	{ "a duration is rounded to three digits in a fitting unit, and other numbers remain exact",
	  test_put },
	{ "a range of durations is rounded only if both ends remain distinct, and a mean always",
	  test_ranges },
	{ "an exact range of durations keeps all digits in the unit of the field", test_exact },
	{ "the unit of a key follows from its name and its kind", test_of_key },
	{ "the unit of a value follows from its name, and percentages get no unit",
	  test_of_value });
