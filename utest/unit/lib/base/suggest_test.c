// SPDX-License-Identifier: GPL-2.0
/*
 * suggest_test.c - the name that a mistyped one means
 */
#include <CUnit/Basic.h>

#include "lib/base/suggest.h"
#include "lib/check/check.h"
#include "utest/unit/tests.h"

static const struct {
	const char *name;
	const char *near;
} suggestions[] = {
	{ "bytes_req", "bytes_req" },
	{ "bytes_rq", "bytes_req" },
	{ "byts_req", "bytes_req" },
	{ "btyes_req", "bytes_req" },
	{ "bytes_al", NULL },
	{ "bytes", NULL },
	{ "bytes_allo", "bytes_alloc" },
	{ "nod", "node" },
	{ "nodes", "node" },
	{ "ndoe", "node" },
	{ "edon", NULL },
	{ "", NULL },
	{ "n", NULL },
	{ "alloc_bytes", NULL },
	{ "ab", "a" },
	{ "0123456789012345678901234567890123456789012345678901234567890123", NULL },
};

static void test_suggest(void)
{
	static const char *const candidates[] = { "node", "bytes_req", "bytes_alloc", "a" };
	const char *near;
	size_t i;

	for (i = 0; i < sizeof(suggestions) / sizeof(*suggestions); i++) {
		near = hist_suggest(suggestions[i].name, candidates, 4);
		if (suggestions[i].near) {
			CU_ASSERT_PTR_NOT_NULL_FATAL(near);
			CU_ASSERT_STRING_EQUAL(near, suggestions[i].near);
		} else {
			CU_ASSERT_PTR_NULL(near);
		}
	}
	CU_ASSERT_PTR_NULL(hist_suggest("node", candidates, 0));
	/* The nearest, not the first; of two as near, the first. */
	CU_ASSERT_STRING_EQUAL(
		hist_suggest("prev_pid",
			     (const char *const[]){ "next_pid", "prev_pix", "prev_pid" }, 3),
		"prev_pid");
	/* A whole word that one name begins with, and no other. */
	CU_ASSERT_STRING_EQUAL(
		hist_suggest("wakeup", (const char *const[]){ "syscalls", "wakeup-latency" }, 2),
		"wakeup-latency");
	CU_ASSERT_PTR_NULL(
		hist_suggest("wake", (const char *const[]){ "syscalls", "wakeup-latency" }, 2));
	CU_ASSERT_PTR_NULL(
		hist_suggest("wakeup", (const char *const[]){ "wakeup-times", "wakeup-latency" }, 2));
	CU_ASSERT_STRING_EQUAL(hist_suggest("aaac", (const char *const[]){ "aaaa", "aaab" }, 2),
			       "aaaa");
}

UNIT_TESTS(
	{ "the suggestion for a mistyped name is the nearest known name, or none", test_suggest });
