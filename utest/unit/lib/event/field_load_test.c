// SPDX-License-Identifier: GPL-2.0
/*
 * field_load_test.c - fields of an event whose bytes are written out
 */
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/event/event.h"
#include "lib/event/field_load.h"
#include "utest/unit/tests.h"

#define FIELD(type, name, offset, size, sign) \
	"\tfield:" type " " name ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #sign ";\n"

static const char format[] =
	"name: made\nID: 7\nformat:\n"
	FIELD("unsigned short", "common_type", 0, 2, 0)
	FIELD("unsigned char", "common_flags", 2, 1, 0)
	FIELD("unsigned char", "common_preempt_count", 3, 1, 0)
	FIELD("int", "common_pid", 4, 4, 1)
	"\n"
	FIELD("s8", "a", 8, 1, 1)
	FIELD("u8", "b", 9, 1, 0)
	FIELD("s16", "c", 10, 2, 1)
	FIELD("u32", "d", 12, 4, 0)
	FIELD("u64", "e", 16, 8, 0)
	FIELD("char", "fixed[4]", 24, 4, 0)
	FIELD("__data_loc char[]", "name", 28, 4, 0)
	FIELD("__rel_loc char[]", "near", 32, 4, 0)
	"\nprint fmt: \"%d\", REC->a\n";

static const unsigned char little[] = {
	7, 0, 0, 0, 1, 0, 0, 0,
	0xfe, 0xfe, 0xfd, 0xff, 0x78, 0x56, 0x34, 0x92,
	8, 7, 6, 5, 4, 3, 2, 0x81, 'f', 'o', 'u', 'r',
	36, 0, 4, 0, 4, 0, 5, 0, 'd', 'i', 'r', 0, 'n', 'e', 'a', 'r', 0,
};
static const unsigned char big[] = {
	0, 7, 0, 0, 0, 0, 0, 1,
	0xfe, 0xfe, 0xff, 0xfd, 0x92, 0x34, 0x56, 0x78,
	0x81, 2, 3, 4, 5, 6, 7, 8, 'f', 'o', 'u', 'r',
	0, 4, 0, 36, 0, 5, 0, 4, 'd', 'i', 'r', 0, 'n', 'e', 'a', 'r', 0,
};

static uint64_t number(const struct hist_event *event, const struct hist_event_data *data,
		       const char *name)
{
	return hist_field_load_number(hist_event_find(event, name), data);
}

static void expect_string(const struct hist_event *event, const struct hist_event_data *data,
			  const char *name, const char *want)
{
	size_t len;
	const char *text = hist_field_load_string(hist_event_find(event, name), data, &len);

	if (!want) {
		CU_ASSERT_PTR_NULL(text);
		CU_ASSERT_EQUAL(len, 0);
	} else {
		CU_ASSERT(text && len == strlen(want) && !memcmp(text, want, len));
	}
}

/* From the heap, so that a read behind its end is found. */
static void load_all(const unsigned char *bytes, size_t size, bool big_endian)
{
	struct hist_event_data data = { .big_endian = big_endian };
	struct hist_event *event;
	unsigned char *copy;

	CU_ASSERT_FATAL(!hist_event_parse(&event, "test", format, strlen(format)));
	for (data.len = 0; data.len <= size; data.len++) {
		copy = malloc(data.len + !data.len);
		CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
		memcpy(copy, bytes, data.len);
		data.data = copy;
		CU_ASSERT_EQUAL(number(event, &data, "a"), data.len < 9 ? 0 : (uint64_t)-2);
		CU_ASSERT_EQUAL(number(event, &data, "b"), data.len < 10 ? 0 : 0xfe);
		CU_ASSERT_EQUAL(number(event, &data, "c"), data.len < 12 ? 0 : (uint64_t)-3);
		CU_ASSERT_EQUAL(number(event, &data, "d"), data.len < 16 ? 0 : 0x92345678);
		CU_ASSERT_EQUAL(number(event, &data, "e"), data.len < 24 ? 0 : 0x8102030405060708);
		CU_ASSERT_EQUAL(number(event, &data, "none"), 0);
		expect_string(event, &data, "fixed", data.len < 28 ? NULL : "four");
		expect_string(event, &data, "name", data.len < 40 ? NULL : "dir");
		expect_string(event, &data, "near", data.len < 45 ? NULL : "near");
		expect_string(event, &data, "none", NULL);
		free(copy);
	}
	hist_event_free(event);
}

static void test_orders(void)
{
	load_all(little, sizeof(little), false);
	load_all(big, sizeof(big), true);
}

UNIT_TESTS(
	{ "numbers and strings of both byte orders, and of an event that was cut", test_orders });
