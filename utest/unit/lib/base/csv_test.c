// SPDX-License-Identifier: GPL-2.0
/*
 * csv_test.c - which fields of a CSV file have quotes
 */
#include <string.h>

#include <CUnit/CUnit.h>

#include "lib/base/csv.h"
#include "utest/unit/tests.h"

static const struct {
	const char *text, *field;
} fields[] = {
	{ "", "" },
	{ "a b", "a b" },
	{ "a,b", "\"a,b\"" },
	{ "\"a\"b\"", "\"\"\"a\"\"b\"\"\"" },
	{ "a\nb", "\"a\nb\"" },
	{ "a\rb", "\"a\rb\"" },
	{ " a", "\" a\"" },
	{ "a ", "\"a \"" },
	{ " ", "\" \"" },
	{ "'a';b", "'a';b" },
};

static void test_fields(void)
{
	struct hist_strbuf b = { 0 };
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		b.len = 0;
		csv_put_field(&b, fields[i].text, strlen(fields[i].text));
		hist_strbuf_char(&b, '\0');
		CU_ASSERT_STRING_EQUAL(b.data, fields[i].field);
	}
	/* only the bytes that were given */
	b.len = 0;
	csv_put_field(&b, "ab,", 2);
	CU_ASSERT_EQUAL(b.len, 2);
	hist_strbuf_free(&b);
}

UNIT_TESTS({ "a field of a CSV file has quotes if a reader would split or trim it", test_fields });
