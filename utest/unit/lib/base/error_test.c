// SPDX-License-Identifier: GPL-2.0
/*
 * error_test.c - errors for the user: what is the hint, what is cut, and what errno adds
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/CUnit.h>

#include "helper/port/text.h"
#include "lib/base/error.h"
#include "lib/base/strbuf.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static void test_hint(void)
{
	struct hist_error error = { .at = { 3, 4 }, .text = "old", .hint = "old" };

	CU_ASSERT_EQUAL(hist_error_set(&error, -EINVAL, "%s: no key", "a"), -EINVAL);
	CU_ASSERT_EQUAL(error.err, -EINVAL);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "a: no key");
	CU_ASSERT(!error.at.start && !error.at.len && !error.text);
	hist_error_set(&error, -ENOENT, "%s: no key\nadd %s", "a", "-k");
	CU_ASSERT_STRING_EQUAL(error.what, "a: no key");
	CU_ASSERT_STRING_EQUAL(error.hint, "add -k");
	/* the newline of a name does not begin a hint */
	hist_error_set(&error, -ENOENT, "%s: no file", "a\nb");
	CU_ASSERT_STRING_EQUAL(error.what, "a\nb: no file");
	CU_ASSERT_STRING_EQUAL(error.hint, "");
	hist_error_set(&error, -ENOENT, "%s: no file\nuse %s", "a\nb", "c\nd");
	CU_ASSERT_STRING_EQUAL(error.what, "a\nb: no file");
	CU_ASSERT_STRING_EQUAL(error.hint, "use c\nd");
	/* its own text as an argument */
	hist_error_set(&error, -EIO, "%s, twice: %s", error.what, error.what);
	CU_ASSERT_STRING_EQUAL(error.what, "a\nb: no file, twice: a\nb: no file");
	CU_ASSERT_EQUAL(hist_error_set(NULL, -EIO, "%s", "x"), -EIO);
	CU_ASSERT_EQUAL(hist_error_prefix(NULL, -EIO, "%s", "x"), -EIO);
}

static void test_cut(void)
{
	struct hist_error error = { 0 };
	char name[HIST_ERROR_MAX + 10];
	size_t i;

	memset(name, 'n', sizeof(name));
	name[HIST_ERROR_MAX - 1] = '\0';
	hist_error_set(&error, -EIO, "%s\n%s", name, name);
	CU_ASSERT_STRING_EQUAL(error.what, name);
	CU_ASSERT_STRING_EQUAL(error.hint, name);
	name[HIST_ERROR_MAX - 1] = 'n';
	name[HIST_ERROR_MAX] = '\0';
	hist_error_set(&error, -EIO, "%s\n%s", name, name);
	CU_ASSERT_EQUAL(strlen(error.what), HIST_ERROR_MAX - 1);
	CU_ASSERT_STRING_EQUAL(error.what + HIST_ERROR_MAX - 5, "n...");
	CU_ASSERT_STRING_EQUAL(error.hint, error.what);
	/* between characters: each one is two bytes, and the first is at an odd place */
	for (i = 1; i < HIST_ERROR_MAX; i += 2)
		memcpy(name + i, "\xc3\xb6", 2);
	name[sizeof(name) - 1] = '\0';
	hist_error_set(&error, -EIO, "%s", name);
	CU_ASSERT_STRING_EQUAL(error.what + strlen(error.what) - 5, "\xc3\xb6...");
	CU_ASSERT(strlen(error.what) >= HIST_ERROR_MAX - 2);
}

static void test_prefix(void)
{
	struct hist_error error = { 0 };
	char name[HIST_ERROR_MAX + 10];

	hist_error_set(&error, -EINVAL, "no key\nadd -k");
	error.at = (struct hist_span){ 3, 4 };
	CU_ASSERT_EQUAL(hist_error_prefix(&error, -ENOENT, "line %d: ", 7), -ENOENT);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "line 7: no key\nadd -k");
	CU_ASSERT_EQUAL(error.err, -ENOENT);
	CU_ASSERT_EQUAL(error.at.start, 3);
	/* the sentence stays whole */
	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	hist_error_set(&error, -EINVAL, "no key");
	hist_error_prefix(&error, -EINVAL, "%sx: ", name);
	CU_ASSERT_EQUAL(strlen(error.what), HIST_ERROR_MAX - 1);
	CU_ASSERT_EQUAL(strncmp(error.what, "...n", 4), 0);
	CU_ASSERT_STRING_EQUAL(error.what + HIST_ERROR_MAX - 10, "x: no key");
	/* no room for a prefix */
	name[HIST_ERROR_MAX - 1] = '\0';
	hist_error_set(&error, -EINVAL, "%s", name);
	hist_error_prefix(&error, -EINVAL, "x: ");
	CU_ASSERT_STRING_EQUAL(error.what, name);
}

static void test_empty(void)
{
	struct hist_error error = { 0 };
	struct hist_strbuf b = { 0 };

	CU_ASSERT_STRING_EQUAL(hist_error_what(&error, -ENOENT), "No such file or directory");
	CU_ASSERT_STRING_EQUAL(hist_error_what(&error, -ENOMEM), "out of memory");
	CU_ASSERT_STRING_EQUAL(hist_error_what(&error, 0), "");
	hist_error_put(&b, "p: ", -ENOENT, &error);
	hist_error_prefix(&error, -ENOENT, "file: ");
	hist_error_put(&b, "q: ", -EIO, &error);
	hist_strbuf_char(&b, '\0');
	CU_ASSERT_STRING_EQUAL(b.data, "p: No such file or directory\n"
				       "q: file: No such file or directory\n");
	hist_strbuf_free(&b);
}

/* As the helper sets it, which has no printf(). */
static void test_helper(void)
{
	struct hist_error error = { .at = { 3, 4 }, .hint = "old" };
	char name[HIST_ERROR_MAX + 10];

	CU_ASSERT_EQUAL(text_refuse(&error, -EPERM, "a", ": denied", NULL), -EPERM);
	CU_ASSERT_EQUAL(error.err, -EPERM);
	CU_ASSERT_EQUAL(error.at.len, 0);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "a: denied");
	text_refuse(&error, -EPERM, "a: denied\n", "run as root", "\nor not", NULL);
	CU_ASSERT_STRING_EQUAL(error.what, "a: denied");
	CU_ASSERT_STRING_EQUAL(error.hint, "run as root\nor not");
	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	text_refuse(&error, -EPERM, name, "\n", name, NULL);
	CU_ASSERT_EQUAL(strlen(error.what), HIST_ERROR_MAX - 1);
	CU_ASSERT_EQUAL(strlen(error.hint), HIST_ERROR_MAX - 1);
}

UNIT_TESTS({ "the hint of an error follows the newline of its format, not one of an argument",
	     test_hint },
	   { "an error that is too long ends with three dots, between characters", test_cut },
	   { "a prefix goes before the sentence, and is cut if both are too long", test_prefix },
	   { "an empty error has the meaning of errno", test_empty },
	   { "the helper's errors have a hint after the first newline", test_helper });
