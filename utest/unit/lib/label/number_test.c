// SPDX-License-Identifier: GPL-2.0
/*
 * number_test.c - how counts, shares and rates read
 */
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/label/number.h"
#include "utest/unit/tests.h"

/* The contents of @b, which is emptied. */
static const char *taken(struct hist_strbuf *b)
{
	static char text[64];

	CU_ASSERT_FATAL(b->len < sizeof(text));
	memcpy(text, b->data, b->len);
	text[b->len] = '\0';
	b->len = 0;
	return text;
}

static void test_grouped(void)
{
	static const struct {
		uint64_t number;
		bool is_signed;
		const char *text;
	} cases[] = {
		{ 0, false, "0" },
		{ 999, false, "999" },
		{ 1000, false, "1,000" },
		{ 12345, false, "12,345" },
		{ 999999, false, "999,999" },
		{ 1000000, false, "1,000,000" },
		{ UINT64_C(1) << 63, false, "9,223,372,036,854,775,808" },
		{ UINT64_C(1) << 63, true, "-9,223,372,036,854,775,808" },
		{ UINT64_MAX, false, "18,446,744,073,709,551,615" },
		{ UINT64_MAX, true, "-1" },
		{ (uint64_t)-123, true, "-123" },
		{ (uint64_t)-1234, true, "-1,234" },
	};
	struct hist_strbuf b = { 0 };
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		hist_number_put_grouped(&b, cases[i].number, cases[i].is_signed);
		CU_ASSERT_STRING_EQUAL(taken(&b), cases[i].text);
	}
	hist_strbuf_free(&b);
}

static const struct {
	double number;
	const char *text;
} shorts[] = {
	{ 0, "0" },
	{ 0.5, "0.5" },
	{ 0.004, "0" },
	{ 0.005, "0.01" },
	{ 1, "1" },
	{ 1.2, "1.2" },
	{ 9.994, "9.99" },
	{ 9.9951, "10" },
	{ 12.34, "12.3" },
	{ 99.94, "99.9" },
	{ 99.95, "100" },
	{ 100.4, "100" },
	{ 999.4, "999" },
	{ 999.5, "1k" },
	{ 1000, "1k" },
	{ 12345, "12.3k" },
	{ 99949, "99.9k" },
	{ 99950, "100k" },
	{ 999499, "999k" },
	{ 999500, "1M" },
	{ 1e9, "1G" },
	{ 1.5e12, "1.5T" },
	{ 2e15, "2P" },
	{ 0x1p63, "9.22E" },
	{ 0x1p64, "18.4E" },
	{ 1e21, "1000E" },
	{ -1, "-1" },
	{ -0.004, "0" },
	{ -999.5, "-1k" },
	{ -12345, "-12.3k" },
};

static void test_short(void)
{
	struct hist_strbuf b = { 0 };
	unsigned int i;

	for (i = 0; i < sizeof(shorts) / sizeof(*shorts); i++) {
		hist_number_put_short(&b, shorts[i].number);
		CU_ASSERT_STRING_EQUAL(taken(&b), shorts[i].text);
	}
	hist_strbuf_free(&b);
}

static void test_tick(void)
{
	static const struct {
		double number;
		enum hist_unit unit;
		const char *text;
	} cases[] = {
		{ 0, HIST_UNIT_NONE, "0" },
		{ 9999, HIST_UNIT_NONE, "9999" },
		{ 10000, HIST_UNIT_NONE, "10k" },
		{ -9999, HIST_UNIT_NONE, "-9999" },
		{ -20000, HIST_UNIT_NONE, "-20k" },
		{ 0x1p64, HIST_UNIT_NONE, "18.4E" },
		{ 1024, HIST_UNIT_US, "1.02 ms" },
		{ -50, HIST_UNIT_US, "-50 us" },
		{ 0x1p63, HIST_UNIT_NS, "9223372037 s" },
		{ -0x1p63, HIST_UNIT_NS, "-9223372037 s" },
		{ 0x1p64, HIST_UNIT_NS, "18446744074 s" },
	};
	struct hist_strbuf b = { 0 };
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		hist_number_put_tick(&b, cases[i].number, cases[i].unit);
		CU_ASSERT_STRING_EQUAL(taken(&b), cases[i].text);
	}
	hist_strbuf_free(&b);
}

static void test_share(void)
{
	struct hist_strbuf b = { 0 };

	CU_ASSERT_EQUAL(hist_number_share(1, 3), 3333);
	CU_ASSERT_EQUAL(hist_number_share(2, 3), 6667);
	CU_ASSERT_EQUAL(hist_number_share(3, 3), 10000);
	CU_ASSERT_EQUAL(hist_number_share(0, 0), 0);
	CU_ASSERT_EQUAL(hist_number_share(5, 0), 0);
	CU_ASSERT_EQUAL(hist_number_share(UINT64_MAX / 2, UINT64_MAX), 5000);
	CU_ASSERT_EQUAL(hist_number_share(UINT64_MAX, UINT64_MAX), 10000);
	hist_number_put_share(&b, 1, 1000);
	CU_ASSERT_STRING_EQUAL(taken(&b), "0.10%");
	hist_number_put_share(&b, 1234, 10000);
	CU_ASSERT_STRING_EQUAL(taken(&b), "12.34%");
	hist_number_put_share(&b, 7, 7);
	CU_ASSERT_STRING_EQUAL(taken(&b), "100.00%");
	hist_strbuf_free(&b);
}

static void test_rate(void)
{
	static const struct {
		uint64_t rate;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ 12, "0.01" },
		{ 1234, "1.23" },
		{ 12345, "12.3" },
		{ 99949, "99.9" },
		{ 99950, "100" },
		{ 12345678, "12,346" },
		{ UINT64_MAX, "18,446,744,073,709,552" },
	};
	struct hist_strbuf b = { 0 };
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		hist_number_put_rate(&b, cases[i].rate);
		CU_ASSERT_STRING_EQUAL(taken(&b), cases[i].text);
	}
	hist_strbuf_free(&b);
}

static void test_rate_column(void)
{
	static const struct {
		int64_t rate;
		const char *text;
	} cases[] = {
		{ 0, "0" },	     { 1, "<0.1" },	  { 49, "<0.1" }, { 50, "0.1" },
		{ 99949, "99.9" },   { 99950, "100" },	  { 1234499, "1234" },
		{ -2500, "-2.5" },   { INT64_MIN, "-9223372036854776" },
	};
	char text[32];
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		hist_number_format_rate(cases[i].rate, text, sizeof(text));
		CU_ASSERT_STRING_EQUAL(text, cases[i].text);
	}
}

UNIT_TESTS({ "counts are grouped by thousands", test_grouped },
	   { "short numbers have three digits and a letter", test_short },
	   { "ticks have units, or letters from 10,000 on", test_tick },
	   { "shares are rounded and have two decimals", test_share },
	   { "rates in sentences keep three digits", test_rate },
	   { "rates in columns have at most one decimal", test_rate_column });
