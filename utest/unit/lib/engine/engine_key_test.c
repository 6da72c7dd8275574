// SPDX-License-Identifier: GPL-2.0
/*
 * engine_key_test.c - keys and sums that the engine makes of events
 *
 * The same in both byte orders and with both sizes of long.  What is expected follows from
 * trace_events_hist.c: add_to_key(), hist_field_log2(), hist_field_bucket(),
 * hist_trigger_print_key().
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "utest/unit/lib/engine/engine_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

#define FIELDS                                                                              \
	"u8 b:1;s8 sb:-1;u16 w:2;s16 sw:-2;short pad:-2;u32 l:4;int sl:-4;u64 q:8;"         \
	"long long sq:-8;char comm[12]:12;__data_loc char[] name:4;__rel_loc char[] rel:4;" \
	"__u8 addr[4]:4"

static int symbol(void *data, uint64_t address, struct hist_symbol *symbol)
{
	static const struct {
		uint64_t start, size;
		const char *name;
	} symbols[] = {
		{ 0x1000, 0x230, "first" },
		{ 0x1230, 0xdd0, "second" },
		{ 0x2000, 0x1000, "third [mod]" },
	};
	int i;

	(void)data;
	if (address >= 0x3000)
		return -ENOENT;
	for (i = 2; i >= 0; i--) {
		if (address < symbols[i].start)
			continue;
		*symbol = (struct hist_symbol){ .name = symbols[i].name,
						.offset = address - symbols[i].start,
						.size = symbols[i].size };
		return 0;
	}
	return -ENOENT;
}

static const char *comm(void *data, uint32_t pid)
{
	(void)data;
	return pid == 7 ? "seven" : NULL;
}

/* One field gets these numbers, one event each, and this is what comes out. */
static const struct {
	const char *trigger, *field;
	uint64_t values[5];
	const char *rows;
} number_cases[] = {
	{ "hist:keys=b", "b", { 255, 1, 255, 0, 1 }, "255: 2\n1: 2\n0: 1\n= 5 3 0\n" },
	{ "hist:keys=sb", "sb", { 255, 1, 0x80, 0, 1 }, "-1: 1\n1: 2\n-128: 1\n0: 1\n= 5 4 0\n" },
	{ "hist:keys=w", "w", { 0x8001, 1, 256, 0, 1 }, "32769: 1\n1: 2\n256: 1\n0: 1\n= 5 4 0\n" },
	{ "hist:keys=sw",
	  "sw",
	  { 0x8001, 1, 256, 0, 1 },
	  "-32767: 1\n1: 2\n256: 1\n0: 1\n= 5 4 0\n" },
	{ "hist:keys=l",
	  "l",
	  { 0xfedcba98, 1, 256, 0, 1 },
	  "4275878552: 1\n1: 2\n256: 1\n0: 1\n= 5 4 0\n" },
	{ "hist:keys=sl",
	  "sl",
	  { 0xffffffff, 1, 256, 0, 1 },
	  "-1: 1\n1: 2\n256: 1\n0: 1\n= 5 4 0\n" },
	{ "hist:keys=sl.hex",
	  "sl",
	  { 0xffffffff, 1, 1, 1, 1 },
	  "18446744073709551615: 1\n1: 4\n= 5 2 0\n" },
	{ "hist:keys=q",
	  "q",
	  { UINT64_MAX, 1, 1, 1, 1 },
	  "18446744073709551615: 1\n1: 4\n= 5 2 0\n" },
	{ "hist:keys=sq", "sq", { UINT64_MAX, 1, 1, 1, 1 }, "-1: 1\n1: 4\n= 5 2 0\n" },
	/* (2^(n-1), 2^n] */
	{ "hist:keys=q.log2", "q", { 0, 1, 2, 3, 4 }, "0: 2\n1: 1\n2: 2\n= 5 3 0\n" },
	{ "hist:keys=l.log2",
	  "l",
	  { 1023, 1024, 1025, 0x80000000, 0x80000001 },
	  "10: 2\n11: 1\n31: 1\n32: 1\n= 5 4 0\n" },
	/* all 64 bits, also of a machine with 32 */
	{ "hist:keys=q.log2",
	  "q",
	  { UINT64_C(1) << 32, (UINT64_C(1) << 32) + 1, UINT64_C(5) << 32, 5, UINT64_MAX },
	  "32: 1\n33: 1\n35: 1\n3: 1\n64: 1\n= 5 5 0\n" },
	{ "hist:keys=cpu:vals=q.percent",
	  "q",
	  { UINT64_C(1) << 40, UINT64_C(1) << 40, 0, 0, 0 },
	  "3: 5 10000\n= 5 1 0\n" },
	/* below zero is HIST_LOG2_NEGATIVE */
	{ "hist:keys=sl.log2",
	  "sl",
	  { 0xffffffff, 0xfffffff0, 5, 5, 5 },
	  "-1: 2\n3: 3\n= 5 2 0\n" },
	/* up to 2^(K+1) a bucket each; then 2^K for each power; negative numbers have one */
	{ "hist:keys=q.log2=2", "q", { 0, 1, 8, 9, 10 }, "0: 1\n1: 1\n8: 1\n9: 2\n= 5 4 0\n" },
	{ "hist:keys=q.log2=2",
	  "q",
	  { UINT64_C(1) << 63, (UINT64_C(1) << 63) + 1, UINT64_MAX, 12, 13 },
	  "248: 1\n249: 1\n252: 1\n10: 1\n11: 1\n= 5 5 0\n" },
	{ "hist:keys=sl.log2=3",
	  "sl",
	  { 0xffffffff, 0x80000000, 5, 33, 36 },
	  "-1: 2\n5: 1\n25: 2\n= 5 3 0\n" },
	/* the smallest number is in the bucket of 2^63 */
	{ "hist:keys=sq.log2=1",
	  "sq",
	  { UINT64_C(1) << 63, (UINT64_C(1) << 63) + 1, UINT64_MAX, 0, 1 },
	  "126: 1\n-1: 2\n0: 1\n1: 1\n= 5 4 0\n" },
	{ "hist:keys=q.buckets=100",
	  "q",
	  { 0, 99, 100, 199, 200 },
	  "0: 2\n100: 2\n200: 1\n= 5 3 0\n" },
	{ "hist:keys=addr",
	  "addr",
	  { 0x01020304, 0x01020304, 2, 2, 2 },
	  "16909060: 2\n2: 3\n= 5 2 0\n" },
	{ "hist:keys=common_type", "q", { 0, 0, 0, 0, 0 }, "310: 5\n= 5 1 0\n" },
	{ "hist:keys=common_pid", "q", { 0, 0, 0, 0, 0 }, "7: 5\n= 5 1 0\n" },
	{ "hist:keys=common_pid.execname", "q", { 0, 0, 0, 0, 0 }, "seven[7]: 5\n= 5 1 0\n" },
	{ "hist:keys=cpu", "q", { 0, 0, 0, 0, 0 }, "3: 5\n= 5 1 0\n" },
	/* events are 1,500 apart, from 499 on; ns2usecs() rounds */
	{ "hist:keys=common_timestamp",
	  "q",
	  { 0, 0, 0, 0, 0 },
	  "499: 1\n1999: 1\n3499: 1\n4999: 1\n6499: 1\n= 5 5 0\n" },
	{ "hist:keys=common_timestamp.usecs",
	  "q",
	  { 0, 0, 0, 0, 0 },
	  "0: 1\n2: 1\n3: 1\n5: 1\n6: 1\n= 5 5 0\n" },
	{ "hist:keys=q.sym",
	  "q",
	  { 0x1000, 0x122f, 0x1230, 0x2001, 0x3000 },
	  "first[4096]: 1\nfirst[4655]: 1\nsecond[4656]: 1\nthird [mod][8193]: 1\n"
	  "0x3000[12288]: 1\n= 5 5 0\n" },
	{ "hist:keys=q.sym-offset",
	  "q",
	  { 0x1000, 0x122f, 0x1230, 0x2001, 0xff },
	  "first+0x0/0x230[4096]: 1\nfirst+0x22f/0x230[4655]: 1\nsecond+0x0/0xdd0[4656]: 1\n"
	  "third+0x1/0x1000 [mod][8193]: 1\n0xff[255]: 1\n= 5 5 0\n" },
	{ "hist:keys=sl.syscall",
	  "sl",
	  { 0, 1, 0, 0, 0xffffffff },
	  "sys_read[0]: 3\nsys_write[1]: 1\n"
	  "unknown_syscall[18446744073709551615]: 1\n= 5 3 0\n" },
	/* a sum has a sign where the field has one, and wraps */
	{ "hist:keys=cpu:vals=sl,q",
	  "sl",
	  { 0xffffffff, 0xffffffff, 3, 0, 0 },
	  "3: 5 1 0\n= 5 1 0\n" },
	{ "hist:keys=cpu:vals=q.hex,sb", "q", { UINT64_MAX, 2, 0, 0, 0 }, "3: 5 1 0\n= 5 1 0\n" },
	{ "hist:keys=cpu:vals=hitcount,q:nohitcount", "q", { 1, 2, 3, 4, 5 }, "3: 15\n= 5 1 0\n" },
	/* expressions as keys: 64 bits, without a sign */
	{ "hist:keys=l-1",
	  "l",
	  { 0, 1, 1, 2, 2 },
	  "18446744073709551615: 1\n0: 2\n1: 2\n= 5 3 0\n" },
	{ "hist:keys=q*2+1", "q", { 0, 1, 1, 2, 2 }, "1: 1\n3: 2\n5: 2\n= 5 3 0\n" },
	/* (v * (2^20 / 3) + 2^20 - 1) >> 20 is one more than v / 3 where that has a rest */
	{ "hist:keys=q/3",
	  "q",
	  { 0, 3, 4, 5, 0x100000 },
	  "0: 1\n1: 1\n2: 2\n349525: 1\n= 5 4 0\n" },
	{ "hist:keys=q/4", "q", { 0, 3, 4, 7, 8 }, "0: 2\n1: 2\n2: 1\n= 5 3 0\n" },
	{ "hist:keys=q/b", "q", { 0, 3, 4, 7, 8 }, "18446744073709551615: 5\n= 5 1 0\n" },
};

static void set_names(struct engine_fixture *f)
{
	hist_engine_free(f->engine);
	f->machine.symbol = symbol;
	f->machine.comm = comm;
	f->machine.uname = "Linux host 6.12.1 x86_64";
	CU_ASSERT_EQUAL_FATAL(hist_engine_new(&f->engine, &f->machine), 0);
}

static void each_machine(void (*test)(bool big_endian, unsigned int long_size))
{
	test(false, 8);
	test(true, 8);
	test(false, 4);
	test(true, 4);
}

static void numbers_of(bool big_endian, unsigned int long_size)
{
	const struct hist_event *event;
	struct engine_fixture f;
	struct record r;
	size_t i, j;

	for (i = 0; i < sizeof(number_cases) / sizeof(*number_cases); i++) {
		fixture_init(&f, big_endian, long_size);
		set_names(&f);
		event = fixture_event(&f, "t:ev", 310, FIELDS);
		CU_ASSERT_EQUAL_FATAL(fixture_add(&f, event, number_cases[i].trigger), 0);
		for (j = 0; j < 5; j++) {
			record_begin(&r, &f, event, 7);
			record_number(&r, number_cases[i].field, number_cases[i].values[j]);
			fixture_hit(&f, 3, 499 + 1500 * j, &r);
		}
		CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 0), number_cases[i].rows);
		if (strcmp(f.text, number_cases[i].rows))
			printf("\n%s:\n%s", number_cases[i].trigger, f.text);
		fixture_clear(&f);
	}
}

static void test_numbers(void)
{
	each_machine(numbers_of);
}

/* The bucket of .log2=@k, found by counting the buckets of each power of two. */
static uint64_t model_log2(uint64_t n, unsigned int k)
{
	uint64_t bucket = 2, parts, width;
	unsigned int power = 0;

	if (n < 2)
		return n;
	for (; power < 63 && n > UINT64_C(2) << power; power++) {
		parts = UINT64_C(1) << (power < k ? power : k);
		bucket += parts;
	}
	parts = UINT64_C(1) << (power < k ? power : k);
	width = (UINT64_C(1) << power) / parts;
	return bucket + (n - (UINT64_C(1) << power) - 1) / width;
}

/* Numbers around the edges of all buckets of @power, and between them. */
static void edges_of_power(bool big_endian, unsigned int long_size, unsigned int k,
			   unsigned int power, bool is_signed)
{
	const uint64_t base = UINT64_C(1) << power, step = base >> k ? base >> k : 1;
	uint64_t state = power * 8 + k, n, bucket;
	const struct hist_event *event;
	struct engine_fixture f;
	char trigger[40], expected[8192];
	unsigned int i, rows = 0;
	struct record r;
	size_t len = 0;

	snprintf(trigger, sizeof(trigger), "hist:keys=l,%s.log2=%u", is_signed ? "sq" : "q", k);
	fixture_init(&f, big_endian, long_size);
	event = fixture_event(&f, "t:ev", 310, FIELDS);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, event, trigger), 0);
	for (i = 0; i < 4u << k; i++) {
		n = base + (i >> 2) * step + i % 4 - 1;
		if (i % 4 == 3)
			n = base + test_random(&state) % base;
		record_begin(&r, &f, event, 7);
		record_number(&r, "l", i);
		record_number(&r, is_signed ? "sq" : "q", n);
		fixture_hit(&f, 3, i, &r);
		bucket = model_log2(n, k);
		if (is_signed && n > UINT64_C(1) << 63)
			len += snprintf(expected + len, sizeof(expected) - len, "%u -1: 1\n", i);
		else
			len += snprintf(expected + len, sizeof(expected) - len, "%u %" PRIu64 ": 1\n",
					i, bucket);
		rows++;
	}
	snprintf(expected + len, sizeof(expected) - len, "= %u %u 0\n", rows, rows);
	CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 0), expected);
	if (strcmp(f.text, expected))
		printf("\n%s, 2^%u:\n%snot\n%s", trigger, power, f.text, expected);
	fixture_clear(&f);
}

static void edges_of(bool big_endian, unsigned int long_size)
{
	unsigned int k, power;

	for (k = 1; k <= HIST_LOG2_BITS_MAX; k++) {
		for (power = 0; power < 64; power++) {
			edges_of_power(big_endian, long_size, k, power, false);
			edges_of_power(big_endian, long_size, k, power, true);
		}
	}
}

static void test_fine_log2(void)
{
	each_machine(edges_of);
}

static const struct {
	const char *trigger, *field;
	const char *values[4];
	const char *rows;
} string_cases[] = {
	/* 12 bytes in room for 16: all of them count */
	{ "hist:keys=comm",
	  "comm",
	  { "a", "a", "abcdefghijkl", "abcdefghijkm" },
	  "a: 2\nabcdefghijkl: 1\nabcdefghijkm: 1\n= 4 3 0\n" },
	{ "hist:keys=name", "name", { "x", "", "x", "xy" }, "x: 2\n: 1\nxy: 1\n= 4 3 0\n" },
	{ "hist:keys=rel", "rel", { "x", "", "x", "xy" }, "x: 2\n: 1\nxy: 1\n= 4 3 0\n" },
	/* blanks at the end belong to the name, though a kernel's text cannot show them */
	{ "hist:keys=name", "name", { "x", "x ", " x", "x" }, "x: 2\nx : 1\n x: 1\n= 4 3 0\n" },
	{ "hist:keys=name,common_pid",
	  "name",
	  { "x", "y", "x", "x" },
	  "x 7: 3\ny 7: 1\n= 4 2 0\n" },
	{ "hist:keys=common_pid,comm,rel",
	  "rel",
	  { "x", "y", "x", "x" },
	  "7  x: 3\n7  y: 1\n= 4 2 0\n" },
};

static void strings_of(bool big_endian, unsigned int long_size)
{
	const struct hist_event *event;
	struct engine_fixture f;
	struct record r;
	size_t i, j;

	for (i = 0; i < sizeof(string_cases) / sizeof(*string_cases); i++) {
		fixture_init(&f, big_endian, long_size);
		event = fixture_event(&f, "t:ev", 310, FIELDS);
		CU_ASSERT_EQUAL_FATAL(fixture_add(&f, event, string_cases[i].trigger), 0);
		for (j = 0; j < 4; j++) {
			record_begin(&r, &f, event, 7);
			record_string(&r, string_cases[i].field, string_cases[i].values[j]);
			fixture_hit(&f, 3, j, &r);
		}
		CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 0), string_cases[i].rows);
		if (strcmp(f.text, string_cases[i].rows))
			printf("\n%s:\n%s", string_cases[i].trigger, f.text);
		fixture_clear(&f);
	}
}

static void test_strings(void)
{
	each_machine(strings_of);
}

/* The kernel's strncpy() ends at the NUL: what an array has after it is not in the key. */
static void test_array_strings(void)
{
	static const char byte[] = "\x01\x80\xff" "a";
	const struct hist_event *event;
	char text[24], expected[64];
	struct engine_fixture f;
	struct record r;
	unsigned int len, i;
	unsigned char *at;

	for (len = 0; len <= 24; len++) {
		fixture_init(&f, false, 8);
		event = fixture_event(&f, "t:ev", 1, "char name[24]:24;int num:-4");
		CU_ASSERT_EQUAL_FATAL(fixture_add(&f, event, "hist:keys=name,num"), 0);
		for (i = 0; i < 4; i++) {
			record_begin(&r, &f, event, 7);
			record_number(&r, "num", 5);
			at = r.data + hist_event_find(event, "name")->offset;
			memset(at, byte[i], 24);
			memset(at, 'x', len);
			if (len > 1)
				memcpy(at + len - 2, "\xc2\x80", 2);
			if (len < 24)
				at[len] = '\0';
			fixture_hit(&f, 0, i, &r);
		}
		memset(text, 'x', sizeof(text));
		if (len > 1)
			memcpy(text + len - 2, "\xc2\x80", 2);
		text[len < 23 ? len : 23] = '\0';
		snprintf(expected, sizeof(expected), "%s 5: 4\n= 4 1 0\n", text);
		CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 0), expected);
		fixture_clear(&f);
	}
}

/* What is longer than 255 is cut there, as kernels leave one byte for the end. */
static void test_long_strings(void)
{
	struct engine_fixture f;
	const struct hist_event *event;
	struct record r;
	char name[302], rows[600];

	fixture_init(&f, false, 8);
	event = fixture_event(&f, "t:ev", 1, FIELDS);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, event, "hist:keys=name"), 0);
	memset(name, 'n', sizeof(name));
	name[300] = name[301] = '\0';
	record_begin(&r, &f, event, 1);
	record_string(&r, "name", name);
	fixture_hit(&f, 0, 0, &r);
	name[299] = 'm';
	record_begin(&r, &f, event, 1);
	record_string(&r, "name", name);
	fixture_hit(&f, 0, 0, &r);
	snprintf(rows, sizeof(rows), "%.255s: 2\n= 2 1 0\n", name);
	CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 0), rows);
	fixture_clear(&f);
}

/* 10 of 40 is a quarter; the bar's 20 columns are those of the greatest. */
static void test_shares(void)
{
	struct engine_fixture f;
	const struct hist_event *event;
	struct record r;
	unsigned int i;

	fixture_init(&f, false, 8);
	event = fixture_event(&f, "t:ev", 1, FIELDS);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, event, "hist:keys=b:vals=q.percent,l.graph"), 0);
	for (i = 0; i < 3; i++) {
		record_begin(&r, &f, event, 1);
		record_number(&r, "b", i);
		record_number(&r, "q", i == 2 ? 21 : 10);
		record_number(&r, "l", i * 7);
		fixture_hit(&f, 0, 0, &r);
	}
	CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 0),
			       "0: 1 2439 0\n1: 1 2439 10\n2: 1 5121 20\n= 3 3 0\n");
	fixture_clear(&f);
}

/* Cut events, and strings that lie outside, are counted as damaged, and nowhere else. */
static void test_damaged(void)
{
	struct hist_run_counts counts;
	const struct hist_event *event;
	struct engine_fixture f;
	struct record r;

	fixture_init(&f, false, 8);
	event = fixture_event(&f, "t:ev", 310, FIELDS);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, event, "hist:keys=name"), 0);
	record_begin(&r, &f, event, 1);
	record_string(&r, "name", "whole");
	fixture_hit(&f, 0, 0, &r);
	r.len--;
	fixture_hit(&f, 0, 0, &r);
	record_number(&r, "name", 0xffff);
	fixture_hit(&f, 0, 0, &r);
	r.len = hist_event_find(event, "name")->offset + 3;
	fixture_hit(&f, 0, 0, &r);
	r.len -= 3;
	fixture_hit(&f, 0, 0, &r);
	r.len = 1;
	fixture_hit(&f, 0, 0, &r);
	CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 0), "whole: 1\n= 1 1 0\n");
	hist_run_get_counts(f.run, &counts);
	CU_ASSERT_EQUAL(counts.events, 6);
	CU_ASSERT_EQUAL(counts.matched, 5);
	CU_ASSERT_EQUAL(counts.damaged, 5);
	fixture_clear(&f);
}

/* The same where the short way would count them. */
static void test_damaged_number(void)
{
	struct hist_run_counts counts;
	const struct hist_event *event;
	struct engine_fixture f;
	struct record r;

	fixture_init(&f, false, 8);
	event = fixture_event(&f, "t:ev", 310, FIELDS);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, event, "hist:keys=q"), 0);
	record_begin(&r, &f, event, 1);
	fixture_hit(&f, 0, 0, &r);
	r.len = hist_event_find(event, "q")->offset + 4;
	fixture_hit(&f, 0, 0, &r);
	CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 0), "0: 1\n= 1 1 0\n");
	hist_run_get_counts(f.run, &counts);
	CU_ASSERT_EQUAL(counts.damaged, 1);
	CU_ASSERT_EQUAL(counts.matched, 2);
	fixture_clear(&f);
}

UNIT_TESTS(
	{ "number keys and sums are those of the kernel, in both byte orders and sizes of long",
	  test_numbers },
	{ "keys with .log2=K have the bucket of each number around all edges", test_fine_log2 },
	{ "string keys are those of the kernel, in both byte orders and sizes of long",
	  test_strings },
	{ "a string key ends at the first NUL of an array of whole words", test_array_strings },
	{ "a string key is cut after 255 bytes", test_long_strings },
	{ ".percent is a share of the total, and .graph has 20 columns for the largest value",
	  test_shares },
	{ "a truncated event or a string outside its event counts as damaged, and nowhere else",
	  test_damaged },
	{ "an event that is cut in a number key counts as damaged, also on the fast path",
	  test_damaged_number });
