// SPDX-License-Identifier: GPL-2.0
/*
 * short_log2_test.c - which hits of which kernel may be in a lower bucket of .log2
 */
#include <string.h>

#include <CUnit/CUnit.h>

#include "tracecmd/session/session.h"
#include "utest/unit/tests.h"

static const char format[] =
	"name: e\nID: 300\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:u64 bytes;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 lat_us;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 lat_ns;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:u32 len;\toffset:32;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n";

static uint64_t noted(unsigned int long_size, bool fine_log2, const char *trigger)
{
	const struct hist_target t = { .long_size = long_size };
	const struct hist_kernel kernel = { .fine_log2 = fine_log2 };
	struct traced_event source = { 0 };
	struct traced_hist h = { .source = &source, .snap.hits = 7 };
	struct hist_schema *schema;
	struct hist_error error;

	CU_ASSERT_EQUAL_FATAL(hist_event_parse(&source.event, "s", format, strlen(format)), 0);
	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&h.expr, trigger, &error), 0);
	CU_ASSERT_EQUAL_FATAL(hist_schema_make(&schema, h.expr, source.event), 0);
	h.table = hist_table_new(schema);
	CU_ASSERT_PTR_NOT_NULL_FATAL(h.table);
	session_note_short_log2(&t, &kernel, &h);
	hist_table_free(h.table);
	hist_schema_free(schema);
	hist_expr_free(h.expr);
	hist_event_free(source.event);
	return h.snap.losses[HIST_LOSS_SHORT_LOG2];
}

static void test_kernels(void)
{
	CU_ASSERT_EQUAL(noted(4, false, "hist:keys=bytes.log2"), 7);
	CU_ASSERT_EQUAL(noted(8, false, "hist:keys=bytes.log2"), 0);
	CU_ASSERT_EQUAL(noted(4, true, "hist:keys=bytes.log2"), 0);
}

static void test_keys(void)
{
	CU_ASSERT_EQUAL(noted(4, false, "hist:keys=common_pid,lat_ns.log2"), 7);
	CU_ASSERT_EQUAL(noted(4, false, "hist:keys=len.log2"), 0);
	CU_ASSERT_EQUAL(noted(4, false, "hist:keys=lat_us.log2"), 0);
	CU_ASSERT_EQUAL(noted(4, false, "hist:keys=bytes"), 0);
	CU_ASSERT_EQUAL(noted(4, false, "hist:keys=bytes.buckets=100"), 0);
}

UNIT_TESTS(
	{ "only .log2 of a 32-bit kernel without patches is noted", test_kernels },
	{ "only 64-bit numbers that can be large are noted", test_keys });
