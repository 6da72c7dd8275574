// SPDX-License-Identifier: GPL-2.0
/*
 * elf_symbol_test.c - places of functions in ELF files of all classes and byte orders
 *
 * tracecmd/plan/probe_test.c looks for functions in real programs; these files are made, and have
 * what compilers seldom write.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "tracecmd/elf/elf_symbol.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/elf/elf_fixture.h"

#define CODE(at) (ELF_FIXTURE_CODE + (at))
#define OFFSET(at) (ELF_FIXTURE_CODE_OFFSET + (at))
#define FUNCTION(name, at, size) { name, STT_FUNC, STB_GLOBAL, 0, false, CODE(at), size }
#define LOCAL(name, at, size) { name, STT_FUNC, STB_LOCAL, 0, false, CODE(at), size }

/* The offset of @symbol in "file", or -errno; the sentence without "file: " is in why[]. */
static char why[2 * HIST_ERROR_MAX];
static struct hist_error error;

static int64_t find_plus(const char *symbol, uint64_t plus)
{
	struct elf_place place = { .offset = 4711, .machine = 4711 };
	struct hist_error said = { 0 };
	int ret = elf_symbol_find("file", symbol, plus, &place, &said);

	CU_ASSERT_EQUAL(ret ? strncmp(said.what, "file: ", 6) : *said.what, 0);
	strcpy(why, ret ? test_error(&said) + 6 : "");
	if (!ret)
		return place.offset;
	CU_ASSERT_EQUAL(place.offset, 4711);
	CU_ASSERT_EQUAL(place.machine, 4711);
	return ret;
}

static int64_t find(const char *symbol)
{
	return find_plus(symbol, 0);
}

static void test_forms(void)
{
	static const struct elf_fixture_symbol symbols[] = {
		FUNCTION("first", 0, 0x10), FUNCTION("last", ELF_FIXTURE_CODE_SIZE - 1, 1),
		FUNCTION("after", ELF_FIXTURE_CODE_SIZE, 1), { 0 },
	};
	struct elf_place place;
	struct elf_fixture elf;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		elf = elf_fixture_form(i);
		elf.symtab = symbols;
		elf_fixture_write("file", &elf);
		CU_ASSERT_EQUAL(find("first"), OFFSET(0));
		CU_ASSERT_EQUAL(find("last"), OFFSET(ELF_FIXTURE_CODE_SIZE - 1));
		CU_ASSERT_EQUAL(find("after"), -EINVAL);
		CU_ASSERT_STRING_EQUAL(why, "\"after\" is not in an executable segment");
		CU_ASSERT_EQUAL(elf_symbol_find("file", "first", 0, &place, &error), 0);
		CU_ASSERT_EQUAL(place.machine, elf.machine);
	}
}

static void test_plus(void)
{
	static const struct elf_fixture_symbol symbols[] = {
		FUNCTION("sized", 0x20, 8), FUNCTION("byte", 0x30, 1), FUNCTION("unsized", 0x40, 0), { 0 },
	};

	elf_fixture_write("file", &(struct elf_fixture){ .symtab = symbols });
	CU_ASSERT_EQUAL(find_plus("sized", 7), OFFSET(0x27));
	CU_ASSERT_EQUAL(find_plus("sized", 8), -EINVAL);
	CU_ASSERT_STRING_EQUAL(why, "the function \"sized\" is only 8 bytes long");
	CU_ASSERT_EQUAL(find_plus("byte", 1), -EINVAL);
	CU_ASSERT_STRING_EQUAL(why, "the function \"byte\" is only 1 byte long");
	/* the size of assembler code may be unknown; the segment is the limit */
	CU_ASSERT_EQUAL(find_plus("unsized", 0x10), OFFSET(0x50));
	CU_ASSERT_EQUAL(find_plus("unsized", ELF_FIXTURE_CODE_SIZE), -EINVAL);
	CU_ASSERT_EQUAL(find_plus("unsized", UINT64_MAX - CODE(0x40) + 1), -EINVAL);
	CU_ASSERT_STRING_EQUAL(why, "\"unsized\" is not in an executable segment");
}

/* In the ELFv2 ABI of PowerPC the bits 5 to 7 of st_other are the distance of the local entry. */
static void test_local_entry(void)
{
	static const struct elf_fixture_symbol symbols[] = {
		{ "two", STT_FUNC, STB_GLOBAL, 3 << 5, false, CODE(0x20), 0x40 },
		{ "none", STT_FUNC, STB_GLOBAL, 0, false, CODE(0x60), 0x40 }, { 0 },
	};
	struct elf_fixture elf = { .machine = EM_PPC64, .symtab = symbols };

	elf_fixture_write("file", &elf);
	CU_ASSERT_EQUAL(find("two"), OFFSET(0x28));
	CU_ASSERT_EQUAL(find_plus("two", 4), OFFSET(0x24));
	CU_ASSERT_EQUAL(find("none"), OFFSET(0x60));
	elf.machine = EM_AARCH64;
	elf_fixture_write("file", &elf);
	CU_ASSERT_EQUAL(find("two"), OFFSET(0x20));
}

static void test_kinds(void)
{
	static const struct elf_fixture_symbol symbols[] = {
		{ "code", STT_NOTYPE, STB_GLOBAL, 0, false, CODE(4), 0 },
		{ "chosen", STT_GNU_IFUNC, STB_GLOBAL, 0, false, CODE(8), 4 },
		{ "thread", STT_TLS, STB_GLOBAL, 0, false, 8, 4 },
		{ "object", STT_OBJECT, STB_GLOBAL, 0, false, ELF_FIXTURE_DATA, 4 },
		{ "common", STT_COMMON, STB_GLOBAL, 0, false, ELF_FIXTURE_DATA, 4 },
		{ "other", 9, STB_GLOBAL, 0, false, CODE(8), 4 },
		{ "label", STT_NOTYPE, STB_GLOBAL, 0, false, ELF_FIXTURE_DATA, 4 },
		{ "file.c", STT_FILE, STB_LOCAL, 0, false, 0, 0 },
		{ "section", STT_SECTION, STB_LOCAL, 0, false, CODE(0), 0 }, { 0 },
	};
	static const struct {
		const char *symbol, *why;
	} refused[] = {
		{ "chosen", "\"chosen\" is an indirect function (IFUNC), which selects another function at "
			    "run time\nuse the name of the function that it selects" },
		{ "thread", "\"thread\" is a thread-local variable, not a function" },
		{ "object", "\"object\" is data, not a function" },
		{ "common", "\"common\" is data, not a function" },
		{ "other", "\"other\" is not a function" },
		{ "label", "\"label\" is not in an executable segment" },
	};
	size_t i;

	elf_fixture_write("file", &(struct elf_fixture){ .symtab = symbols });
	CU_ASSERT_EQUAL(find("code"), OFFSET(4));
	for (i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		CU_ASSERT_EQUAL(find(refused[i].symbol), -EINVAL);
		CU_ASSERT_STRING_EQUAL(why, refused[i].why);
	}
	CU_ASSERT_EQUAL(find("file.c"), -ENOENT);
	CU_ASSERT_EQUAL(find("section"), -ENOENT);
}

static void test_several(void)
{
	static const struct elf_fixture_symbol symbols[] = {
		LOCAL("local", 0x10, 4), LOCAL("local", 0x20, 4), LOCAL("alias", 0x30, 4),
		LOCAL("alias", 0x30, 4), LOCAL("before", 0x40, 4), LOCAL("before", 0x44, 4),
		FUNCTION("before", 0x50, 4), FUNCTION("later", 0x60, 4), LOCAL("later", 0x64, 4),
		FUNCTION("versions@V1", 0x70, 4), FUNCTION("versions@@V2", 0x78, 4),
		FUNCTION("version@@V1", 0x80, 4), { 0 },
	};

	elf_fixture_write("file", &(struct elf_fixture){ .symtab = symbols });
	CU_ASSERT_EQUAL(find("local"), -EINVAL);
	CU_ASSERT_STRING_EQUAL(why, "2 functions have the name \"local\"\n"
			       "select one by its offset: PATH:0xOFFSET");
	CU_ASSERT_EQUAL(find("alias"), OFFSET(0x30));
	CU_ASSERT_EQUAL(find("before"), OFFSET(0x50));
	CU_ASSERT_EQUAL(find("later"), OFFSET(0x60));
	CU_ASSERT_EQUAL(find("versions"), -EINVAL);
	CU_ASSERT_EQUAL(find("version"), OFFSET(0x80));
	CU_ASSERT_EQUAL(find("versio"), -ENOENT);
	CU_ASSERT_STRING_EQUAL(why, "no function \"versio\"");
	CU_ASSERT_EQUAL(find("befroe"), -ENOENT);
	CU_ASSERT_STRING_EQUAL(why, "no function \"befroe\"\ndid you mean \"before\"?");
}

static void test_tables(void)
{
	static const struct elf_fixture_symbol symtab[] = {
		FUNCTION("both", 0x10, 4), LOCAL("hidden", 0x20, 4), { 0 },
	}, dynsym[] = {
		FUNCTION("both", 0x18, 4), FUNCTION("exported", 0x30, 4),
		{ "imported", STT_FUNC, STB_GLOBAL, 0, true, 0, 0 }, { 0 },
	};
	struct elf_fixture elf = { .symtab = symtab, .dynsym = dynsym };

	elf_fixture_write("file", &elf);
	CU_ASSERT_EQUAL(find("both"), OFFSET(0x10));
	CU_ASSERT_EQUAL(find("exported"), OFFSET(0x30));
	CU_ASSERT_EQUAL(find("importe"), -ENOENT);
	CU_ASSERT_EQUAL(find("imported"), -ENOENT);
	CU_ASSERT_STRING_EQUAL(why, "no function \"imported\": the file imports this function from a "
			       "library\nuse the path of the library");

	elf.symtab = NULL;
	elf_fixture_write("file", &elf);
	CU_ASSERT_EQUAL(find("both"), OFFSET(0x18));
	CU_ASSERT_EQUAL(find("hidden"), -ENOENT);
	CU_ASSERT_STRING_EQUAL(why, "no function \"hidden\", and the file is stripped\nuse PATH:0xOFFSET");
	CU_ASSERT_EQUAL(find("exportet"), -ENOENT);
	CU_ASSERT_STRING_EQUAL(why, "no function \"exportet\", and the file is stripped\n"
			       "did you mean \"exported\"?");

	elf.dynsym = NULL;
	elf_fixture_write("file", &elf);
	CU_ASSERT_EQUAL(find("both"), -ENOENT);
	CU_ASSERT_STRING_EQUAL(why, "no function \"both\", and the file is stripped\nuse PATH:0xOFFSET");
}

static void test_offsets(void)
{
	struct elf_place place = { 0 };

	elf_fixture_write("file", &(struct elf_fixture){ .machine = EM_RISCV });
	CU_ASSERT_EQUAL(elf_offset_check("file", OFFSET(0), &place, &error), 0);
	CU_ASSERT_EQUAL(place.offset, OFFSET(0));
	CU_ASSERT_EQUAL(place.machine, EM_RISCV);
	CU_ASSERT_EQUAL(elf_offset_check("file", OFFSET(ELF_FIXTURE_CODE_SIZE - 1), &place, &error),
			0);
	CU_ASSERT_EQUAL(place.offset, OFFSET(ELF_FIXTURE_CODE_SIZE - 1));
	place.offset = 4711;
	CU_ASSERT_EQUAL(elf_offset_check("file", OFFSET(-1), &place, &error), -EINVAL);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "file: no code at offset 0x3ff");
	CU_ASSERT_EQUAL(elf_offset_check("file", OFFSET(ELF_FIXTURE_CODE_SIZE), &place, &error),
			-EINVAL);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "file: no code at offset 0x500");
	CU_ASSERT_EQUAL(elf_offset_check("file", ELF_FIXTURE_DATA_OFFSET, &place, &error), -EINVAL);
	/* an address is not an offset */
	CU_ASSERT_EQUAL(elf_offset_check("file", CODE(0), &place, &error), -EINVAL);
	CU_ASSERT_EQUAL(place.offset, 4711);
}

static void test_other_files(void)
{
	static const struct elf_fixture_symbol symbols[] = { FUNCTION("first", 0, 0x10), { 0 } };
	struct elf_fixture elf = { .type = ET_REL, .symtab = symbols };
	struct elf_place place;
	FILE *f;

	elf_fixture_write("file", &elf);
	CU_ASSERT_EQUAL(find("first"), -ENOEXEC);
	CU_ASSERT_STRING_EQUAL(why, "neither an executable nor a shared library");
	elf.type = ET_CORE;
	elf_fixture_write("file", &elf);
	CU_ASSERT_EQUAL(find("first"), -ENOEXEC);
	elf.type = ET_EXEC;
	elf_fixture_write("file", &elf);
	CU_ASSERT_EQUAL(find("first"), OFFSET(0));
	/* the section headers are at the end */
	CU_ASSERT_EQUAL(truncate("file", 0x2000), 0);
	CU_ASSERT_EQUAL(find("first"), -ENOENT);
	CU_ASSERT_EQUAL(elf_offset_check("file", OFFSET(0), &place, &error), 0);
	CU_ASSERT_EQUAL(truncate("file", 20), 0);
	CU_ASSERT_EQUAL(find("first"), -ENOEXEC);
	CU_ASSERT_STRING_EQUAL(why, "not an ELF file");
	f = fopen("file", "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fputs("#!/bin/sh\n", f);
	fclose(f);
	CU_ASSERT_EQUAL(find("first"), -ENOEXEC);
	unlink("file");
	CU_ASSERT_EQUAL(find("first"), -ENOENT);
	CU_ASSERT_STRING_EQUAL(why, "No such file or directory");
	CU_ASSERT_EQUAL(mkdir("file", 0755), 0);
	CU_ASSERT_EQUAL(find("first"), -EINVAL);
	CU_ASSERT_STRING_EQUAL(why, "not a regular file");
	rmdir("file");
}

static void test_memory(void)
{
	static const struct elf_fixture_symbol symbols[] = {
		FUNCTION("a", 0, 4), FUNCTION("b", 8, 4), FUNCTION("c", 16, 4), FUNCTION("d", 24, 4), { 0 },
	};
	struct elf_place place;
	int ret = -ENOMEM, failed = 0;
	struct hist_error said;
	long i;

	elf_fixture_write("file", &(struct elf_fixture){ .symtab = symbols });
	for (i = 0; ret == -ENOMEM; i++) {
		alloc_fail_after(i);
		place.offset = 4711;
		said = (struct hist_error){ 0 };
		ret = elf_symbol_find("file", "d", 0, &place, &said);
		alloc_fail_after(-1);
		if (!ret)
			break;
		failed++;
		CU_ASSERT_EQUAL(ret, -ENOMEM);
		CU_ASSERT_STRING_EQUAL(hist_error_what(&said, ret), "out of memory");
		CU_ASSERT_EQUAL(place.offset, 4711);
	}
	CU_ASSERT_TRUE(failed >= 2);
	CU_ASSERT_EQUAL(place.offset, OFFSET(24));
}

UNIT_TESTS_WITH(test_dir_enter, test_dir_leave,
	{ "the offset of a function is right in all classes, byte orders and types of files", test_forms },
	{ "a place inside a function ends before the end of the function or of the code", test_plus },
	{ "a function of PowerPC begins at its local entry", test_local_entry },
	{ "a symbol that is not a function is refused with its kind", test_kinds },
	{ "a global function has priority, and several local ones are refused", test_several },
	{ "the table .dynsym is used for what .symtab does not define", test_tables },
	{ "an offset is accepted only inside code", test_offsets },
	{ "a file that is not a program is refused with the reason", test_other_files },
	{ "a failed allocation is reported", test_memory });
