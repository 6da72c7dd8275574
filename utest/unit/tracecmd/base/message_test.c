// SPDX-License-Identifier: GPL-2.0
/*
 * message_test.c - the form of messages
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "tracecmd/base/message.h"
#include "utest/unit/tests.h"

/* Print the message with @name and @text as arguments, and compare. */
static void expect_message(enum message_kind kind, const char *fmt, const char *name,
			   const char *text, const char *wanted)
{
	char *printed = NULL;
	size_t len;
	FILE *f = open_memstream(&printed, &len);

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	message_put(f, kind, fmt, name, text);
	fclose(f);
	CU_ASSERT_STRING_EQUAL(printed, wanted);
	if (strcmp(printed, wanted))
		fprintf(stderr, "wanted: %sgot: %s", wanted, printed);
	free(printed);
}

static void test_kinds(void)
{
	expect_message(MESSAGE_ERROR, "%s: %s", "a.dat", "damaged",
		       "trace-cmd hist: error: a.dat: damaged\n");
	expect_message(MESSAGE_WARNING, "%s: %s", "a.dat", "damaged",
		       "trace-cmd hist: warning: a.dat: damaged\n");
	expect_message(MESSAGE_NOTE, "%s: %s", "a.dat", "damaged",
		       "trace-cmd hist: note: a.dat: damaged\n");
}

static void test_hints(void)
{
	expect_message(MESSAGE_ERROR, "%s: unknown\nuse %s", "x", "y",
		       "trace-cmd hist: error: x: unknown\nhint: use y\n");
	expect_message(MESSAGE_NOTE, "%s %s: unknown\nuse another", "x", "y",
		       "trace-cmd hist: note: x y: unknown\nhint: use another\n");
	expect_message(MESSAGE_ERROR, "%s: unknown\n%s", "x", "",
		       "trace-cmd hist: error: x: unknown\n");
}

/* What another program named cannot look like a hint, a message or a color. */
static void test_hostile_arguments(void)
{
	expect_message(MESSAGE_ERROR, "%s: %s", "x\nhint: run rm", "damaged",
		       "trace-cmd hist: error: x\\nhint: run rm: damaged\n");
	expect_message(MESSAGE_ERROR, "%s: bad\nuse %s", "x\ny", "\x1b[31m\n",
		       "trace-cmd hist: error: x\\ny: bad\nhint: use \\x1b[31m\\n\n");
}

static void test_split(void)
{
	const char *line = "trace-cmd hist: note: x: y";

	CU_ASSERT_EQUAL(message_split(&line, MESSAGE_ERROR), MESSAGE_NOTE);
	CU_ASSERT_STRING_EQUAL(line, "x: y");
	line = "ssh: no route";
	CU_ASSERT_EQUAL(message_split(&line, MESSAGE_NOTE), MESSAGE_NOTE);
	CU_ASSERT_STRING_EQUAL(line, "ssh: no route");
	line = "trace-cmd hist: old form";
	CU_ASSERT_EQUAL(message_split(&line, MESSAGE_WARNING), MESSAGE_WARNING);
	CU_ASSERT_STRING_EQUAL(line, "old form");
}

UNIT_TESTS(
	{ "a message names its kind", test_kinds },
	{ "the text after the newline of a format is the hint", test_hints },
	{ "a newline in an argument does not make a hint", test_hostile_arguments },
	{ "a line of a program on the target loses its prefix and keeps its kind", test_split });
