// SPDX-License-Identifier: GPL-2.0
/*
 * array_test.c - arrays grow to powers of two, keep their elements, and are unchanged by a failure
 */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/tests.h"

static void test_add(void)
{
	uint64_t *numbers = NULL;
	size_t n;

	for (n = 0; n < 1000; n++) {
		CU_ASSERT_EQUAL_FATAL(array_add(&numbers, n, sizeof(*numbers)), 0);
		CU_ASSERT(malloc_usable_size(numbers) >= (n + 1) * sizeof(*numbers));
		numbers[n] = n * n;
	}
	for (n = 0; n < 1000; n++)
		CU_ASSERT_EQUAL(numbers[n], n * n);
	/* fewer elements need no other room */
	CU_ASSERT_EQUAL(array_add(&numbers, 700, sizeof(*numbers)), 0);
	CU_ASSERT_EQUAL(array_add(&numbers, 512, sizeof(*numbers)), 0);
	CU_ASSERT_EQUAL(numbers[511], 511 * 511);
	CU_ASSERT_EQUAL(array_add(&numbers, (SIZE_MAX / 2 + 1) / 8, sizeof(*numbers)), -ENOMEM);
	CU_ASSERT_EQUAL(array_add(&numbers, SIZE_MAX / 2 + 1, 1), -ENOMEM);
	CU_ASSERT_EQUAL(numbers[511], 511 * 511);
	free(numbers);
}

static void test_calls(void)
{
	char *letters = NULL;
	size_t n;

	alloc_fail_after(-1);
	for (n = 0; n < 100; n++) {
		CU_ASSERT_EQUAL_FATAL(array_add(&letters, n, 1), 0);
		letters[n] = 'a' + n % 26;
	}
	CU_ASSERT_EQUAL(alloc_fail_seen(), 6); /* 4, 8, 16, 32, 64, 128 */
	CU_ASSERT_EQUAL(letters[63], 'a' + 63 % 26);
	free(letters);
}

static void test_grow(void)
{
	uint32_t *numbers = NULL, room = 0;

	CU_ASSERT_EQUAL(array_grow(&numbers, &room, 0, sizeof(*numbers)), 0);
	CU_ASSERT_PTR_NULL(numbers);
	CU_ASSERT_EQUAL_FATAL(array_grow(&numbers, &room, 5, sizeof(*numbers)), 0);
	CU_ASSERT_EQUAL(room, 8);
	numbers[4] = 44;
	CU_ASSERT_EQUAL(array_grow(&numbers, &room, 8, sizeof(*numbers)), 0);
	CU_ASSERT_EQUAL(room, 8);
	CU_ASSERT_EQUAL(array_grow(&numbers, &room, 1025, sizeof(*numbers)), 0);
	CU_ASSERT_EQUAL(room, 2048);
	CU_ASSERT_EQUAL(numbers[4], 44);
	CU_ASSERT_EQUAL(array_grow(&numbers, &room, (UINT32_MAX / 2) + 2u, sizeof(*numbers)), -E2BIG);
	CU_ASSERT_EQUAL(array_grow(&numbers, &room, SIZE_MAX, sizeof(*numbers)), -E2BIG);
	alloc_fail_after(0);
	CU_ASSERT_EQUAL(array_grow(&numbers, &room, 2049, sizeof(*numbers)), -ENOMEM);
	alloc_fail_after(-1);
	CU_ASSERT_EQUAL(room, 2048);
	CU_ASSERT_EQUAL(numbers[4], 44);
	free(numbers);
}

static void test_zeroed(void)
{
	uint64_t *numbers = NULL;
	uint32_t room = 0, i;

	CU_ASSERT_EQUAL_FATAL(array_grow_zeroed(&numbers, &room, 3, sizeof(*numbers)), 0);
	for (i = 0; i < room; i++) {
		CU_ASSERT_EQUAL(numbers[i], 0);
		numbers[i] = 7;
	}
	CU_ASSERT_EQUAL_FATAL(array_grow_zeroed(&numbers, &room, 100, sizeof(*numbers)), 0);
	for (i = 0; i < room; i++)
		CU_ASSERT_EQUAL(numbers[i], i < 4 ? 7 : 0);
	alloc_fail_after(0);
	CU_ASSERT_EQUAL(array_grow_zeroed(&numbers, &room, 1000, sizeof(*numbers)), -ENOMEM);
	alloc_fail_after(-1);
	CU_ASSERT(room == 128 && numbers[3] == 7);
	free(numbers);
}

UNIT_TESTS(
	{ "an array without a stored capacity keeps its elements while it grows", test_add },
	{ "an array is allocated anew only at powers of two", test_calls },
	{ "the capacity of an array doubles until it is large enough, and stays after a failure",
	  test_grow },
	{ "new elements of an array are zero if its user asks for that", test_zeroed });
