// SPDX-License-Identifier: GPL-2.0
/*
 * definition_codec_test.c - definitions that a damaged, an older or a newer file contains
 */
#include <errno.h>

#include <CUnit/Basic.h>

#include "lib/series/record.h"
#include "utest/unit/tests.h"

/* Without bounds, the number of a bucket of .log2=K would be shifted too far. */
static void test_fine_log2(void)
{
	static const struct {
		uint64_t k;
		int ret;
	} cases[] = { { 0, -EBADMSG }, { 1, 0 }, { 5, 0 }, { 6, -EBADMSG }, { UINT64_MAX, -EBADMSG } };
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct hist_schema schema = {
			.nkeys = 1, .nvalues = 1,
			.keys = { { .name = (char *)"lat", HIST_KEY_FINE_LOG2, true, cases[i].k } },
			.values = { { .name = (char *)"hitcount", HIST_VALUE_SUM } },
		};
		struct hist_definition def = { .schema = &schema }, copy;
		struct hist_strbuf b = { 0 };
		struct varint_reader t;

		definition_encode(&b, &def);
		t = varint_begin(b.data, b.len);
		CU_ASSERT_EQUAL(definition_decode(&copy, &t), cases[i].ret);
		if (!cases[i].ret) {
			CU_ASSERT_EQUAL(copy.schema->keys[0].kind, HIST_KEY_FINE_LOG2);
			CU_ASSERT_EQUAL(copy.schema->keys[0].bucket, cases[i].k);
			CU_ASSERT_TRUE(copy.schema->keys[0].is_signed);
			definition_free(&copy);
		}
		hist_strbuf_free(&b);
	}
}

/* The kernel's triggers are at the end, and a definition without them has none. */
static void test_joined(void)
{
	static const char *const texts[] = { NULL, "", "hist:keys=a\nhist:keys=a*2" };
	struct hist_schema schema = {
		.nkeys = 1, .nvalues = 1,
		.keys = { { .name = (char *)"a", HIST_KEY_NUM } },
		.values = { { .name = (char *)"hitcount", HIST_VALUE_SUM } },
	};
	struct hist_definition copy;
	struct varint_reader t;
	unsigned int i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct hist_definition def = { .schema = &schema, .joined = texts[i] };
		struct hist_strbuf b = { 0 };

		definition_encode(&b, &def);
		t = varint_begin(b.data, b.len);
		CU_ASSERT_EQUAL_FATAL(definition_decode(&copy, &t), 0);
		CU_ASSERT_EQUAL(t.at, t.end);
		CU_ASSERT_STRING_EQUAL(copy.joined, texts[i] ? texts[i] : "");
		definition_free(&copy);
		/* a newer version may have something else there */
		if (b.len > 1 && i < 2) {
			hist_strbuf_char(&b, '\x7f');
			t = varint_begin(b.data, b.len);
			CU_ASSERT_EQUAL_FATAL(definition_decode(&copy, &t), 0);
			CU_ASSERT_STRING_EQUAL(copy.joined, "");
			definition_free(&copy);
		}
		hist_strbuf_free(&b);
	}
}

UNIT_TESTS(
	{ "a definition has the kernel's triggers", test_joined },
	{ "a definition keeps K of .log2=K, and a K that no kernel accepts is an error",
	  test_fine_log2 });
