// SPDX-License-Identifier: GPL-2.0
/*
 * usdt_test.c - notes of statically defined probes, and the events that they become
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "lib/expr/expr.h"
#include "tracecmd/elf/usdt.h"
#include "tracecmd/elf/usdt_notes.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/elf/elf_fixture.h"

#define CODE(at) (ELF_FIXTURE_CODE + (at))
#define DATA(at) (ELF_FIXTURE_DATA + (at))
#define BASE 0x40000
#define NOTE(provider_, name_, args_, place_, base_, semaphore_, ...) \
	{ .provider = provider_, .name = name_, .args = args_, .place = place_, .base = base_, \
	  .semaphore = semaphore_, __VA_ARGS__ }

/* "PROVIDER:NAME OFFSET SEMAPHORE ARGS;" of each place of "file", or the reason why not. */
static const char *places(void)
{
	static char text[2048];
	struct usdt_notes notes = { 0 };
	struct hist_error error = { 0 };
	size_t i, len = 0;

	text[0] = '\0';
	if (usdt_notes_read(&notes, "file", &error))
		snprintf(text, sizeof(text), "%s", test_error(&error));
	else
		for (i = 0; i < notes.n; i++)
			len += snprintf(text + len, sizeof(text) - len, "%s:%s %llx %llx %s;",
					notes.places[i].provider, notes.places[i].name,
					(unsigned long long)notes.places[i].offset,
					(unsigned long long)notes.places[i].semaphore, notes.places[i].args);
	usdt_notes_clear(&notes);
	CU_ASSERT_EQUAL(notes.n, 0);
	CU_ASSERT_PTR_NULL(notes.places);
	return text;
}

/* The definition of the probe "v:NAME" of "file", or the reason why there is none. */
static const char *define(const char *name, const char *args)
{
	static char text[2048];
	struct hist_error error = { 0 };
	char *definition = (char *)"";
	int ret = usdt_define("p:g/e", "file", "v", name, args, &definition, &error);

	CU_ASSERT_EQUAL(!ret, definition != NULL);
	CU_ASSERT_EQUAL(!ret, !error.err);
	snprintf(text, sizeof(text), "%s", ret ? test_error(&error) : definition);
	free(definition);
	return text;
}

static void test_forms(void)
{
	static const struct elf_fixture_note list[] = {
		NOTE("v", "plain", "-4@%edi 8@$5", CODE(0x10), BASE, 0),
		NOTE("v", "guarded", "", CODE(0xff), BASE, DATA(6)), { 0 },
	};
	struct elf_fixture elf;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		elf = elf_fixture_form(i);
		elf.notes = list;
		elf_fixture_write("file", &elf);
		CU_ASSERT_STRING_EQUAL(places(), "v:guarded 4ff 606 ;v:plain 410 0 -4@%edi 8@$5;");
		/* a tool has moved all code by 0x20 bytes since the file was linked */
		elf.base = BASE - 0x20;
		elf_fixture_write("file", &elf);
		CU_ASSERT_STRING_EQUAL(places(), "");
		elf.base = BASE + 0x20;
		elf_fixture_write("file", &elf);
		CU_ASSERT_STRING_EQUAL(places(), "v:plain 430 0 -4@%edi 8@$5;");
	}
}

static void test_left_out(void)
{
	static const struct elf_fixture_note list[] = {
		NOTE("v", "owner", "", CODE(0), 0, 0, .owner = "stapsdx"),
		NOTE("v", "longer", "", CODE(0), 0, 0, .owner = "stapsdt2"),
		NOTE("v", "type", "", CODE(0), 0, 0, .type = 4),
		NOTE("v", "before", "", CODE(-1), 0, 0),
		NOTE("v", "after", "", CODE(ELF_FIXTURE_CODE_SIZE), 0, 0),
		NOTE("v", "data", "", DATA(0), 0, 0),
		NOTE("v", "semaphore", "", CODE(0), 0, DATA(ELF_FIXTURE_DATA_SIZE)),
		NOTE("v", "unended", "1234567", CODE(0), 0, 0, .cut = 1),
		NOTE("v", "no_args", "", CODE(0), 0, 0, .cut = 1),
		NOTE("", "", "", CODE(0), 0, 0, .cut = 2),
		NOTE("", "", "", CODE(0), 0, 0, .cut = 3),
		NOTE("", "", "", CODE(0), 0, 0, .cut = 4),
		NOTE("", "", "", CODE(0), 0, 0, .cut = 27),
		NOTE("v", "good", "8@%rax", CODE(1), 0, DATA(0)), { 0 },
	};

	elf_fixture_write("file", &(struct elf_fixture){ .notes = list });
	CU_ASSERT_STRING_EQUAL(places(), "v:good 401 600 8@%rax;");
	elf_fixture_write("file", &(struct elf_fixture){ .notes = list + 13 });
	CU_ASSERT_STRING_EQUAL(places(), "v:good 401 600 8@%rax;");
	CU_ASSERT_EQUAL(truncate("file", 0x700), 0);
	CU_ASSERT_STRING_EQUAL(places(), "");
	CU_ASSERT_EQUAL(truncate("file", 0), 0);
	CU_ASSERT_STRING_EQUAL(places(), "file: not an ELF file");
}

/* A longer text cannot be in a definition that the kernel accepts. */
static void test_long_arguments(void)
{
	char text[HIST_TEXT_MAX + 2];
	struct elf_fixture_note list[] = { NOTE("v", "long", text, CODE(0), 0, 0), { 0 } };
	struct usdt_notes notes = { 0 };
	struct hist_error error = { 0 };

	/* the fixture has room for a note of at most 8 KiB */
	memset(text, '1', sizeof(text));
	text[HIST_TEXT_MAX] = '\0';
	elf_fixture_write("file", &(struct elf_fixture){ .notes = list });
	CU_ASSERT_EQUAL(usdt_notes_read(&notes, "file", &error), 0);
	CU_ASSERT_EQUAL_FATAL(notes.n, 1);
	CU_ASSERT_STRING_EQUAL(notes.places[0].args, text);
	usdt_notes_clear(&notes);
	text[HIST_TEXT_MAX] = '1';
	text[HIST_TEXT_MAX + 1] = '\0';
	elf_fixture_write("file", &(struct elf_fixture){ .notes = list });
	CU_ASSERT_EQUAL(usdt_notes_read(&notes, "file", &error), 0);
	CU_ASSERT_EQUAL(notes.n, 0);
	usdt_notes_clear(&notes);
}

static void test_order(void)
{
	static const struct elf_fixture_note list[] = {
		NOTE("w", "a", "", CODE(9), 0, 0), NOTE("v", "b", "8@%rax", CODE(8), 0, 0),
		NOTE("v", "a", "", CODE(7), 0, 0), NOTE("v", "b", "8@%rbx", CODE(2), 0, 0),
		NOTE("v", "b", "8@%rcx", CODE(8), 0, 0), NOTE("v", "ba", "", CODE(1), 0, 0), { 0 },
	};
	static const size_t same[] = { 1, 2, 1, 1, 1 };
	struct usdt_notes notes = { 0 };
	struct hist_error error = { 0 };
	size_t i;

	elf_fixture_write("file", &(struct elf_fixture){ .notes = list });
	CU_ASSERT_EQUAL(usdt_notes_read(&notes, "file", &error), 0);
	CU_ASSERT_EQUAL(notes.machine, EM_X86_64);
	CU_ASSERT_EQUAL_FATAL(notes.n, 5);
	for (i = 0; i < 5; i++)
		CU_ASSERT_EQUAL(usdt_notes_count_same(&notes, i), same[i]);
	CU_ASSERT_EQUAL(notes.places[1].offset, ELF_FIXTURE_CODE_OFFSET + 2);
	CU_ASSERT_EQUAL(notes.places[2].offset, ELF_FIXTURE_CODE_OFFSET + 8);
	usdt_notes_clear(&notes);
}

static void test_define(void)
{
	static const struct elf_fixture_note list[] = {
		NOTE("v", "two", "-4@%edi 8@%rsi 4@$7", CODE(0x10), 0, DATA(2)),
		NOTE("v", "two", "-4@-8(%rbp) 8@%rax 4@$9 1@%al", CODE(0x20), 0, DATA(2)),
		NOTE("v", "odd", "8@%xmm0 2@%ax", CODE(0x30), 0, 0),
		NOTE("v", "none", "", CODE(0x40), 0, 0),
		NOTE("v", "sizes", "4@%eax 8@%rbx", CODE(0x50), 0, 0),
		NOTE("v", "sizes", "8@%rax 8@%rbx", CODE(0x60), 0, 0), { 0 },
	};

	elf_fixture_write("file", &(struct elf_fixture){ .notes = list });
	/* argument 4 is at one place only */
	CU_ASSERT_STRING_EQUAL(define("two", ""),
		"p:g/e file:0x410(0x602) arg1=%di:s32 arg2=%si:u64 arg3=\\7:u32\n"
		"p:g/e file:0x420(0x602) arg1=-8(%bp):s32 arg2=%ax:u64 arg3=\\9:u32");
	CU_ASSERT_STRING_EQUAL(define("odd", ""), "p:g/e file:0x430 arg2=%ax:u16");
	CU_ASSERT_STRING_EQUAL(define("none", ""), "p:g/e file:0x440");
	CU_ASSERT_STRING_EQUAL(define("sizes", ""), "p:g/e file:0x450 arg2=%bx:u64\n"
			       "p:g/e file:0x460 arg2=%bx:u64");

	CU_ASSERT_STRING_EQUAL(define("two", "$arg2 number=$arg1"),
		"p:g/e file:0x410(0x602) arg2=%si:u64 number=%di:s32\n"
		"p:g/e file:0x420(0x602) arg2=%ax:u64 number=-8(%bp):s32");
	/* in a longer word, the type is that of the word */
	CU_ASSERT_STRING_EQUAL(define("two", "text=+0($arg2):string $arg2:x64"),
		"p:g/e file:0x410(0x602) text=+0(%si):string %si:x64\n"
		"p:g/e file:0x420(0x602) text=+0(%ax):string %ax:x64");
	CU_ASSERT_STRING_EQUAL(define("none", "comm=$comm $argument"),
			       "p:g/e file:0x440 comm=$comm $argument");
}

static void test_refused(void)
{
	static const struct elf_fixture_note list[] = {
		NOTE("v", "first", "8@%rax", CODE(0x10), 0, 0),
		NOTE("v", "sizes", "4@%eax 8@%xmm0", CODE(0x50), 0, 0),
		NOTE("v", "sizes", "8@%rax 8@%xmm0", CODE(0x60), 0, 0),
		NOTE("other", "second", "", CODE(0x70), 0, 0), { 0 },
	};

	elf_fixture_write("file", &(struct elf_fixture){ .notes = list });
	CU_ASSERT_STRING_EQUAL(define("fisrt", ""), "file: no probe \"v:fisrt\"\ndid you mean \"v:first\"?");
	/* the name is right, the provider is not */
	CU_ASSERT_STRING_EQUAL(define("second", ""),
			       "file: no probe \"v:second\"\ndid you mean \"other:second\"?");
	CU_ASSERT_STRING_EQUAL(define("x", ""),
			       "file: no probe \"v:x\"\nrun 'trace-cmd hist list --usdt PATH'");
	CU_ASSERT_STRING_EQUAL(define("first", "$arg0"), "$arg0: the first argument is $arg1");
	CU_ASSERT_STRING_EQUAL(define("first", "a=$arg2"), "$arg2: the probe has only 1 argument");
	CU_ASSERT_STRING_EQUAL(define("sizes", "$arg1"),
		"$arg1: the size of the argument is 4 bytes at one location of the probe and 8 bytes at "
		"another");
	CU_ASSERT_STRING_EQUAL(define("sizes", "+0($arg1):u8"),
			       "p:g/e file:0x450 +0(%ax):u8\np:g/e file:0x460 +0(%ax):u8");
	CU_ASSERT_PTR_NOT_NULL(strstr(define("sizes", "$arg2"), "$arg2: "));
	elf_fixture_write("file", &(struct elf_fixture){ 0 });
	CU_ASSERT_STRING_EQUAL(define("first", ""),
		"file: the file has no USDT probes (it has no section .note.stapsdt)\n"
		"use --uprobe to count the calls to a function");
	unlink("file");
	CU_ASSERT_STRING_EQUAL(define("first", ""), "file: No such file or directory");
}

static void test_memory(void)
{
	static const struct elf_fixture_note list[] = {
		NOTE("v", "a", "8@%rax", CODE(0x10), 0, 0), NOTE("v", "b", "8@%rax", CODE(0x20), 0, 0), { 0 },
	};
	struct hist_error error = { 0 };
	char *definition;
	int ret = -ENOMEM, failed = 0;
	long i;

	elf_fixture_write("file", &(struct elf_fixture){ .notes = list });
	for (i = 0; ret == -ENOMEM; i++) {
		error = (struct hist_error){ 0 };
		alloc_fail_after(i);
		ret = usdt_define("p:g/e", "file", "v", "b", "", &definition, &error);
		alloc_fail_after(-1);
		if (!ret)
			break;
		failed++;
		CU_ASSERT_EQUAL(ret, -ENOMEM);
		CU_ASSERT_PTR_NULL(definition);
		CU_ASSERT_STRING_EQUAL(hist_error_what(&error, ret), "out of memory");
	}
	CU_ASSERT_TRUE(failed >= 2);
	CU_ASSERT_STRING_EQUAL(definition, "p:g/e file:0x420 arg1=%ax:u64");
	free(definition);
}

UNIT_TESTS_WITH(test_dir_enter, test_dir_leave,
	{ "the places of a note are right in all classes and byte orders, and after a move", test_forms },
	{ "notes of others, outside the code or without an end are left out", test_left_out },
	{ "an argument text that is too long for a trigger is left out", test_long_arguments },
	{ "places are sorted by probe and offset, and equal places are one", test_order },
	{ "a definition has a line for each place and one type for each argument", test_define },
	{ "a definition that the kernel would refuse is refused with the reason", test_refused },
	{ "a failed allocation is reported", test_memory });
