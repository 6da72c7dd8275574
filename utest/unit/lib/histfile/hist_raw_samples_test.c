// SPDX-License-Identifier: GPL-2.0
/*
 * hist_raw_samples_test.c - hist_raw files are read as the text of the same moment
 *
 * data/raw/NAME.raw and NAME.txt were read one after the other of a paused
 * histogram, from a kernel with the patches of kernel-patches/.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "utest/unit/lib/histfile/raw_render.h"
#include "utest/unit/lib/histfile/text_render.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

#define SAMPLES 20

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines in order, as entries have numbers in the order in which they were met. */
static char *sort_lines(char *text)
{
	char *lines[512], *rest = text, *line, *sorted = NULL;
	size_t n = 0, i, len;
	FILE *out = open_memstream(&sorted, &len);

	while ((line = strsep(&rest, "\n")) && n < 512)
		lines[n++] = line;
	qsort(lines, n, sizeof(*lines), by_text);
	for (i = 0; i < n; i++)
		fprintf(out, "%s\n", lines[i]);
	fclose(out);
	free(text);
	return sorted;
}

static struct hist_kallsyms *sample_symbols(void)
{
	struct hist_kallsyms *symbols = NULL;
	size_t len;
	char *text = test_read_file(test_data_path("raw/kallsyms"), &len);

	CU_ASSERT_EQUAL_FATAL(hist_kallsyms_new(&symbols, text, len), 0);
	return symbols;
}

static void compare_sample(const char *path, const struct hist_kallsyms *symbols)
{
	struct hist_error error = { 0 };
	char text_path[4096], *text, *raw, *got = NULL, *want = NULL;
	size_t text_len, raw_len, n;
	FILE *out;
	int ret;

	raw = test_read_file(path, &raw_len);
	snprintf(text_path, sizeof(text_path), "%.*s.txt", (int)strlen(path) - 4, path);
	text = test_read_file(text_path, &text_len);
	out = open_memstream(&want, &n);
	CU_ASSERT_EQUAL(text_render(text, text_len, NULL, out, NULL, NULL), 0);
	fclose(out);
	out = open_memstream(&got, &n);
	ret = raw_render(raw, raw_len, text, text_len, symbols, out, &error);
	fclose(out);
	CU_ASSERT_EQUAL(ret, 0);
	if (ret)
		printf("\n%s: %d %s\n", path, ret, test_error(&error));
	got = sort_lines(got);
	want = sort_lines(want);
	CU_ASSERT_STRING_EQUAL(got, want);
	if (strcmp(got, want))
		printf("\n%s: read\n%sthe text has\n%s", path, got, want);
	free(got);
	free(want);
	free(raw);
	free(text);
}

static void test_samples(void)
{
	struct hist_kallsyms *symbols = sample_symbols();
	glob_t found = { 0 };
	size_t i;

	CU_ASSERT_EQUAL_FATAL(glob(test_data_path("raw/*.raw"), 0, NULL, &found), 0);
	CU_ASSERT_EQUAL(found.gl_pathc, SAMPLES);
	for (i = 0; i < found.gl_pathc; i++) {
		if (!strstr(found.gl_pathv[i], "/odd.raw"))
			compare_sample(found.gl_pathv[i], symbols);
	}
	globfree(&found);
	hist_kallsyms_free(symbols);
}

/* What the text cannot tell: names with line breaks and ends of rows, or blanks at the end. */
static void test_odd_names(void)
{
	struct hist_error error = { 0 };
	char *raw, *got = NULL;
	size_t len, n;
	FILE *out;

	raw = test_read_file(test_data_path("raw/odd.raw"), &len);
	out = open_memstream(&got, &n);
	CU_ASSERT_EQUAL(raw_render(raw, len, NULL, 0, NULL, out, &error), 0);
	fclose(out);
	got = sort_lines(got);
	CU_ASSERT_STRING_EQUAL(got,
		"\n"
		"- \"a\\x0ab\" | 1\n"
		"- \"blank  \" | 1\n"
		"- \"blank\" | 1\n"
		"- \"{ x\" | 1\n"
		"- \"} hitcount:   5\" | 1\n"
		"block hist:keys=newcomm:vals=hitcount:sort=hitcount:size=2048\n"
		"paused 1 hits 5 entries 5 dropped 0 rows 5\n");
	free(got);
	free(raw);
}

UNIT_TESTS(
	{ "a sample hist_raw file yields the same entries as the hist text of the same moment",
	  test_samples },
	{ "a hist_raw file distinguishes names that contain line breaks or ends of rows",
	  test_odd_names });
