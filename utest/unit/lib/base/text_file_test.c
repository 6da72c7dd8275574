// SPDX-License-Identifier: GPL-2.0
/*
 * text_file_test.c - small text files, and what looks like one
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "lib/base/text_file.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static char path[] = "/tmp/text_file_test.XXXXXX";

static void put(size_t len)
{
	FILE *f = fopen(path, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	while (len--)
		fputc('a' + len % 26, f);
	fclose(f);
}

static void test_sizes(void)
{
	struct hist_error error = { 0 };
	char *text;
	size_t len;

	put(0);
	CU_ASSERT_EQUAL_FATAL(text_file_read(&text, &len, path, &error), 0);
	CU_ASSERT_EQUAL(len, 0);
	CU_ASSERT_STRING_EQUAL(text, "");
	free(text);
	put(65535);
	CU_ASSERT_EQUAL_FATAL(text_file_read(&text, &len, path, &error), 0);
	CU_ASSERT_EQUAL(len, 65535);
	CU_ASSERT_EQUAL(strlen(text), len);
	CU_ASSERT_EQUAL(text[0], 'a' + 65534 % 26);
	CU_ASSERT_EQUAL(text[65534], 'a');
	free(text);
	put(65536);
	CU_ASSERT_EQUAL(text_file_read(&text, &len, path, &error), -EFBIG);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "larger than 65535 bytes");
	CU_ASSERT_PTR_NULL(text);
	/* its size is 0 */
	CU_ASSERT_EQUAL_FATAL(text_file_read(&text, &len, "/proc/self/stat", &error), 0);
	CU_ASSERT_TRUE(len > 20);
	free(text);
}

/* The read of a FIFO would wait for ever, and that of a device would not end. */
static void test_kinds(void)
{
	static const char *const others[] = { path, "/dev/zero", "/", "/dev/null" };
	struct hist_error error = { 0 };
	char *text;
	size_t i, len;

	unlink(path);
	CU_ASSERT_EQUAL(text_file_read(&text, &len, path, &error), -ENOENT);
	CU_ASSERT_STRING_EQUAL(hist_error_what(&error, -ENOENT), "No such file or directory");
	CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
	for (i = 0; i < sizeof(others) / sizeof(*others); i++) {
		CU_ASSERT_EQUAL(text_file_read(&text, &len, others[i], &error), -EINVAL);
		CU_ASSERT_STRING_EQUAL(test_error(&error), "not a regular file");
		CU_ASSERT_PTR_NULL(text);
	}
}

static int make(void)
{
	int fd = mkstemp(path);

	return fd < 0 ? 1 : close(fd);
}

static int clean(void)
{
	return unlink(path);
}

UNIT_TESTS_WITH(make, clean,
	{ "a text file is read up to its limit", test_sizes },
	{ "a FIFO, a device and a directory are not text files", test_kinds });
