// SPDX-License-Identifier: GPL-2.0
/*
 * cut_test.c - labels that do not fit stay distinct
 */
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/label/cut.h"
#include "utest/unit/tests.h"

static void add(struct hist_cut *cut, const char *label)
{
	const struct hist_strbuf b = { .data = (char *)label, .len = strlen(label) };

	hist_cut_add(cut, &b);
}

/* The text of one label, which a caller frees. */
static char *alone(const char *label, double width, const char *mark)
{
	struct hist_cut cut;
	char *text;

	hist_cut_init(&cut, hist_cut_columns, NULL, mark);
	add(&cut, label);
	CU_ASSERT_EQUAL(hist_cut_fit(&cut, width), 0);
	CU_ASSERT_EQUAL(hist_cut_is_cut(&cut, 0), strcmp(hist_cut_text(&cut, 0), label) != 0);
	text = strdup(hist_cut_text(&cut, 0));
	hist_cut_free(&cut);
	return text;
}

static void test_alone(void)
{
	static const struct {
		const char *label;
		double width;
		const char *mark, *text;
	} cases[] = {
		{ "kmalloc", 7, HIST_CUT_MARK_ASCII, "kmalloc" },
		{ "kmalloc", 6, HIST_CUT_MARK_ASCII, "km~loc" },
		{ "kmalloc", 2, HIST_CUT_MARK_ASCII, "~c" },
		{ "kmalloc", 1, HIST_CUT_MARK_ASCII, "~" },
		{ "kmalloc", 0, HIST_CUT_MARK_ASCII, "" },
		{ "", 0, HIST_CUT_MARK_ASCII, "" },
		{ "kmalloc", 5, HIST_CUT_MARK, "km\xe2\x80\xa6oc" },
		/* a character is not split, and has two columns if it is wide */
		{ "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f", 3, HIST_CUT_MARK_ASCII, "\xc3\xa4~\xc3\x9f" },
		{ "a\\x1bb", 6, HIST_CUT_MARK_ASCII, "a\\x1bb" },
	};
	unsigned int i;
	char *text;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		text = alone(cases[i].label, cases[i].width, cases[i].mark);
		CU_ASSERT_STRING_EQUAL(text, cases[i].text);
		free(text);
	}
}

static void test_where_they_differ(void)
{
	static const char *const labels[] = {
		"the same begin of both labels one and the same end of both labels",
		"the same begin of both labels two and the same end of both labels",
		"other label, as long as both: its end is the end",
		"short",
	};
	struct hist_cut cut;
	unsigned int i;

	hist_cut_init(&cut, hist_cut_columns, NULL, HIST_CUT_MARK_ASCII);
	for (i = 0; i < 4; i++)
		add(&cut, labels[i]);
	CU_ASSERT_EQUAL(cut.widest, 65);
	CU_ASSERT_EQUAL(hist_cut_fit(&cut, 24), 0);
	CU_ASSERT_STRING_EQUAL(hist_cut_text(&cut, 0), "the sam~one and the sam~");
	CU_ASSERT_STRING_EQUAL(hist_cut_text(&cut, 1), "the sam~two and the sam~");
	CU_ASSERT_STRING_EQUAL(hist_cut_text(&cut, 2), "other label~d is the end");
	CU_ASSERT_STRING_EQUAL(hist_cut_text(&cut, 3), "short");
	CU_ASSERT_FALSE(hist_cut_is_cut(&cut, 3));
	/* another width begins anew */
	CU_ASSERT_EQUAL(hist_cut_fit(&cut, 65), 0);
	for (i = 0; i < 4; i++)
		CU_ASSERT_STRING_EQUAL(hist_cut_text(&cut, i), labels[i]);
	hist_cut_free(&cut);
}

/* Stacks of five functions of four names: many differ by one name, somewhere. */
static void stack(char *label, size_t size, unsigned int i)
{
	static const char *const names[] = { "lsm_blob_alloc", "security_prepare", "copy_creds", "copy_process" };
	unsigned int frame;

	*label = '\0';
	for (frame = 0; frame < 5; frame++, i /= 4) {
		strncat(label, frame ? " <- " : "", size - strlen(label) - 1);
		strncat(label, names[i % 4], size - strlen(label) - 1);
	}
}

static void test_distinct(void)
{
	static const double widths[] = { 8, 14, 20, 31, 45, 60, 80 };
	struct hist_cut cut;
	char label[128];
	unsigned int i, k, w;

	hist_cut_init(&cut, hist_cut_columns, NULL, HIST_CUT_MARK);
	for (i = 0; i < 1024; i += 3) {
		stack(label, sizeof(label), i);
		add(&cut, label);
	}
	for (w = 0; w < sizeof(widths) / sizeof(*widths); w++) {
		CU_ASSERT_EQUAL(hist_cut_fit(&cut, widths[w]), 0);
		for (i = 0; i < cut.n; i++) {
			const char *text = hist_cut_text(&cut, i);

			CU_ASSERT(hist_cut_columns(NULL, text, strlen(text)) <= widths[w]);
			for (k = 0; k < i; k++)
				if (!strcmp(text, hist_cut_text(&cut, k)))
					break;
			CU_ASSERT_EQUAL(k, i);
		}
	}
	hist_cut_free(&cut);
}

/* The same label twice is the same text twice, also if it has a number. */
static void test_equal(void)
{
	struct hist_cut cut;

	hist_cut_init(&cut, hist_cut_columns, NULL, HIST_CUT_MARK_ASCII);
	add(&cut, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
	add(&cut, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaXb");
	add(&cut, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
	add(&cut, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
	CU_ASSERT_EQUAL(hist_cut_fit(&cut, 7), 0);
	CU_ASSERT_STRING_EQUAL(hist_cut_text(&cut, 0), hist_cut_text(&cut, 3));
	CU_ASSERT_STRING_NOT_EQUAL(hist_cut_text(&cut, 0), hist_cut_text(&cut, 1));
	CU_ASSERT_STRING_NOT_EQUAL(hist_cut_text(&cut, 0), hist_cut_text(&cut, 2));
	CU_ASSERT_STRING_NOT_EQUAL(hist_cut_text(&cut, 1), hist_cut_text(&cut, 2));
	hist_cut_free(&cut);
}

static void test_errors(void)
{
	const struct hist_strbuf bad = { .error = -12 };
	struct hist_cut cut;

	hist_cut_init(&cut, hist_cut_columns, NULL, HIST_CUT_MARK_ASCII);
	CU_ASSERT_EQUAL(hist_cut_fit(&cut, 7), 0);
	add(&cut, "label");
	hist_cut_add(&cut, &bad);
	add(&cut, "label");
	CU_ASSERT_EQUAL(hist_cut_fit(&cut, 7), -12);
	hist_cut_free(&cut);
}

UNIT_TESTS({ "a label that does not fit has a mark in its middle", test_alone },
	   { "labels that would be equal show where they differ", test_where_they_differ },
	   { "different labels stay different in any width, and fit", test_distinct },
	   { "equal labels have equal texts", test_equal },
	   { "an error is kept, and an empty list fits", test_errors });
