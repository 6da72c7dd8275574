// SPDX-License-Identifier: GPL-2.0
/*
 * probe_test.c - what --kprobe and --uprobe take, and places in ELF files
 *
 * What the file says at the place is the judge: victim_mark is text
 * (probe_victim.c), and a function of this program has the bytes in the file that
 * it has in memory.
 */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "lib/query/probe_event.h"
#include "tracecmd/elf/elf_symbol.h"
#include "tracecmd/plan/probe.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

#define VICTIM UTEST_BIN "/probe_victim"
#define FIXED UTEST_BIN "/probe_victim_fixed"
#define STRIPPED UTEST_BIN "/probe_victim_stripped"

static void read_at(const char *path, uint64_t offset, char *bytes, size_t len)
{
	FILE *f = fopen(path, "rb");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(fseek(f, offset, SEEK_SET), 0);
	CU_ASSERT_EQUAL(fread(bytes, 1, len, f), len);
	fclose(f);
}

static uint64_t place_of(const char *path, const char *symbol, uint64_t plus)
{
	struct elf_place place = { 0 };
	struct hist_error error = { 0 };
	int ret = elf_symbol_find(path, symbol, plus, &place, &error);

	CU_ASSERT_EQUAL_FATAL(ret, 0);
	return place.offset;
}

static void expect_refused(const char *path, const char *symbol, uint64_t plus, int err,
			   const char *part)
{
	struct elf_place place = { .offset = 4711 };
	struct hist_error error = { 0 };
	int ret = elf_symbol_find(path, symbol, plus, &place, &error);

	CU_ASSERT_EQUAL(ret, err);
	CU_ASSERT_EQUAL(place.offset, 4711);
	CU_ASSERT_PTR_NOT_NULL(strstr(test_error(&error), part));
	CU_ASSERT_PTR_NOT_NULL(strstr(test_error(&error), path));
	if (ret != err || !strstr(test_error(&error), part))
		printf("\n%s: %d \"%s\"\n", symbol, ret, test_error(&error));
}

static void test_marks(void)
{
	char bytes[23];

	read_at(VICTIM, place_of(VICTIM, "victim_mark", 0), bytes, 23);
	CU_ASSERT_EQUAL(memcmp(bytes, "victim-mark-begins-here", 23), 0);
	read_at(VICTIM, place_of(VICTIM, "victim_mark", 7), bytes, 16);
	CU_ASSERT_EQUAL(memcmp(bytes, "mark-begins-here", 16), 0);
	read_at(FIXED, place_of(FIXED, "victim_mark", 22), bytes, 1);
	CU_ASSERT_EQUAL(bytes[0], 'e');
	read_at(FIXED, place_of(FIXED, "victim_mark", 0), bytes, 23);
	CU_ASSERT_EQUAL(memcmp(bytes, "victim-mark-begins-here", 23), 0);
	/* what is exported is known of the stripped file too, at the same place */
	CU_ASSERT_EQUAL(place_of(STRIPPED, "victim_exported", 0),
			place_of(VICTIM, "victim_exported", 0));
}

static void test_library(void)
{
	void *function = dlsym(RTLD_DEFAULT, "getppid");
	char bytes[16];
	Dl_info info;

	CU_ASSERT_NOT_EQUAL_FATAL(dladdr(function, &info), 0);
	read_at(info.dli_fname, place_of(info.dli_fname, "getppid", 0), bytes, sizeof(bytes));
	CU_ASSERT_EQUAL(memcmp(bytes, function, sizeof(bytes)), 0);
}

static void test_not_functions(void)
{
	expect_refused(VICTIM, "victim_data", 0, -EINVAL, "data");
	expect_refused(VICTIM, "victim_tls", 0, -EINVAL, "thread-local");
	expect_refused(VICTIM, "victim_ifunc", 0, -EINVAL, "(IFUNC), which selects another "
		       "function at run time\n"
		       "use the name of the function that it selects");
	expect_refused(FIXED, "victim_data", 0, -EINVAL, "data");
	expect_refused(VICTIM, "victim_twin", 0, -EINVAL, "2 functions have the name \"victim_twin\"\n");
	expect_refused(VICTIM, "_edata", 0, -EINVAL, "is not in an executable segment");
	expect_refused(VICTIM, "victim_mark", 23, -EINVAL, "is only 23 bytes long");
	expect_refused(VICTIM, "__libc_start_main", 0, -ENOENT,
		       ": the file imports this function from a library\n"
		       "use the path of the library");
	expect_refused(VICTIM, "probe_victim.c", 0, -ENOENT, "no function");
	expect_refused(VICTIM, "victim_ad", 0, -ENOENT, "did you mean \"victim_add\"?");
	expect_refused(VICTIM, "", 0, -ENOENT, "no function");
	expect_refused(STRIPPED, "victim_add", 0, -ENOENT, "stripped\nuse PATH:0xOFFSET");
	expect_refused(STRIPPED, "victim_exporte", 0, -ENOENT,
		       "stripped\ndid you mean \"victim_exported\"?");
}

static void test_not_programs(void)
{
	expect_refused(UTEST_DATA, "main", 0, -EINVAL, "not a regular file");
	expect_refused("/nonexistent", "main", 0, -ENOENT, "No such file");
	expect_refused("/dev/null", "main", 0, -EINVAL, "not a regular file");
	expect_refused(UTEST_BIN "/../Makefile", "main", 0, -ENOEXEC, "not an ELF file");
	expect_refused(UTEST_OBJECT, "main", 0, -ENOEXEC, "neither an executable nor a shared library");
}

static void test_offsets(void)
{
	uint64_t mark = place_of(VICTIM, "victim_mark", 0);
	struct elf_place place = { 0 };
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL(elf_offset_check(VICTIM, mark, &place, &error), 0);
	CU_ASSERT_EQUAL(place.offset, mark);
	CU_ASSERT_EQUAL(elf_offset_check(VICTIM, 0, &place, &error), -EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(test_error(&error), "no code at offset 0x0"));
	CU_ASSERT_EQUAL(elf_offset_check(VICTIM, 1 << 30, &place, &error), -EINVAL);
}

/* A damaged file is refused, or gives a place in it; never more. */
static void test_damage(void)
{
	struct hist_error error = { 0 };
	char path[] = "/tmp/probe-test-XXXXXX";
	struct elf_place place;
	unsigned int i;
	struct stat st;
	char *bytes;
	int fd;

	CU_ASSERT_EQUAL_FATAL(stat(STRIPPED, &st), 0);
	bytes = malloc(st.st_size);
	read_at(STRIPPED, 0, bytes, st.st_size);
	fd = mkstemp(path);
	CU_ASSERT_FATAL(fd >= 0);
	srand(1);
	for (i = 0; i < 400; i++) {
		/* the headers, and the section headers at the end */
		off_t at = i % 2 ? rand() % 1024 : st.st_size - 1 - rand() % 2048;
		char old = bytes[at];
		int ret;

		bytes[at] ^= 1 << rand() % 8;
		CU_ASSERT_EQUAL(pwrite(fd, bytes, st.st_size, 0), st.st_size);
		CU_ASSERT_EQUAL(ftruncate(fd, i % 5 ? st.st_size : rand() % st.st_size), 0);
		ret = elf_symbol_find(path, "victim_exported", 0, &place, &error);
		CU_ASSERT(ret == 0 || ret == -ENOENT || ret == -EINVAL || ret == -ENOEXEC);
		bytes[at] = old;
	}
	close(fd);
	unlink(path);
	free(bytes);
}

static void expect(enum probe_kind kind, const char *text, const char *definition,
		   const char *event)
{
	struct hist_error error = { 0 };
	char *got, *got_event;
	int ret = probe_define(kind, text, &got, &got_event, &error);

	CU_ASSERT_EQUAL(ret, 0);
	CU_ASSERT_STRING_EQUAL(ret ? test_error(&error) : got, definition);
	CU_ASSERT_STRING_EQUAL(ret ? test_error(&error) : got_event, event);
	if (ret || strcmp(got, definition))
		printf("\n%s\n  got      %s\n  expected %s\n", text, ret ? test_error(&error) : got,
		       definition);
	free(got);
	free(got_event);
}

static void expect_bad(enum probe_kind kind, const char *text, const char *part)
{
	struct hist_error error = { 0 };
	char *got, *event;

	CU_ASSERT(probe_define(kind, text, &got, &event, &error) < 0);
	CU_ASSERT_PTR_NULL(got);
	CU_ASSERT_PTR_NULL(event);
	CU_ASSERT_PTR_NOT_NULL(strstr(test_error(&error), part));
	if (!strstr(test_error(&error), part))
		printf("\n%s: \"%s\"\n", text, test_error(&error));
}

static void test_kprobes(void)
{
	expect(PROBE_KERNEL, "do_sys_openat2 dfd=$arg1 file=+0($arg2):ustring",
	       "p:tch_kprobe/do_sys_openat2 do_sys_openat2 dfd=$arg1 file=+0($arg2):ustring",
	       "tch_kprobe:do_sys_openat2");
	expect(PROBE_KERNEL, "do_sys_openat2%return ret=$retval:s32",
	       "r4096:tch_kprobe/do_sys_openat2__return do_sys_openat2 ret=$retval:s32",
	       "tch_kprobe:do_sys_openat2__return");
	expect(PROBE_KERNEL, "  mine=vfs_read+0x10", "p:tch_kprobe/mine vfs_read+16", "tch_kprobe:mine");
	expect(PROBE_KERNEL, "g:mine=vfs_read", "p:g/mine vfs_read", "g:mine");
	expect(PROBE_KERNEL, "vfs_read+4\tx=%ax", "p:tch_kprobe/vfs_read_0x4 vfs_read+4 x=%ax",
	       "tch_kprobe:vfs_read_0x4");
	expect(PROBE_KERNEL, "xfs:foo.isra.0", "p:tch_kprobe/xfs_foo_isra_0 xfs:foo.isra.0",
	       "tch_kprobe:xfs_foo_isra_0");
	/* the kernel's own */
	expect(PROBE_KERNEL, "p:g/e vfs_read a=$arg1", "p:g/e vfs_read a=$arg1", "g:e");
	expect(PROBE_KERNEL, "r16:g/e vfs_read ret=$retval", "r16:g/e vfs_read ret=$retval", "g:e");
	expect(PROBE_KERNEL, "p:g/e vfs_read%return", "r:g/e vfs_read", "g:e");
	expect(PROBE_KERNEL, "r:e vfs_read", "r:tch_kprobe/e vfs_read", "tch_kprobe:e");
	expect(PROBE_KERNEL, "r vfs_read", "r:tch_kprobe/vfs_read__return vfs_read",
	       "tch_kprobe:vfs_read__return");
	/* and what only looks like it */
	expect(PROBE_KERNEL, "p:e=vfs_read", "p:p/e vfs_read", "p:e");
	expect(PROBE_KERNEL, "p=vfs_read", "p:tch_kprobe/p vfs_read", "tch_kprobe:p");

	expect_bad(PROBE_KERNEL, "", "no function name is given");
	expect_bad(PROBE_KERNEL, "x=", "no function name is given");
	expect_bad(PROBE_KERNEL, "a:b:c=vfs_read", "a:b:c: an event name");
	expect_bad(PROBE_KERNEL, "1a=vfs_read", "1a: an event name contains only letters, digits "
		   "and _, and does not begin with a digit");
	expect_bad(PROBE_KERNEL, "p:g/e.x vfs_read", "g/e.x: an event name");
	expect_bad(PROBE_KERNEL, "vfs_read+x", "vfs_read+x: an offset in bytes must follow '+'");
	expect_bad(PROBE_KERNEL, "vfs_read+4%return", "a return probe cannot have an offset");
	expect_bad(PROBE_KERNEL, "0x1234", "not a function name");
	expect_bad(PROBE_KERNEL, "vfs_read\n-:g/e", "line break");
	expect_bad(PROBE_KERNEL,
		   "a123456789012345678901234567890123456789012345678901234567890123=vfs_read",
		   "the name of the event is longer than 63 bytes\nuse a shorter name");
	expect_bad(PROBE_KERNEL,
		   "p:g123456789012345678901234567890123456789012345678901234567890123/x vfs_read",
		   "the name of the group is longer than 63 bytes\nuse a shorter name");
}

/* Names that are longer than the message leave room for what is wrong with them. */
static void test_long_names(void)
{
	char name[601] = "", text[700];

	memset(name, 'n', 600);
	snprintf(text, sizeof(text), "%s=vfs_read", name);
	expect_bad(PROBE_KERNEL, text, "nnn...: the name of the event is longer than 63 bytes");
	snprintf(text, sizeof(text), "p:%s/x vfs_read", name);
	expect_bad(PROBE_KERNEL, text, "nnn...: the name of the group is longer than 63 bytes");
}

/* Where calling conventions have the first two arguments. */
static const struct {
	int machine;
	const char *first, *second;
} arguments[] = {
	{ EM_X86_64, "%di", "%si" }, { EM_386, "$stack1", "$stack2" }, { EM_ARM, "%r0", "%r1" },
	{ EM_AARCH64, "%x0", "%x1" }, { EM_S390, "%r2", "%r3" }, { EM_RISCV, "%a0", "%a1" },
};

static void test_uprobes(void)
{
	struct elf_place place = { 0 };
	char text[512], want[512], name[64], *real = realpath(VICTIM, NULL);
	char *path = strdup(getenv("PATH"));
	const char *first = "", *second = "";
	size_t i;

	CU_ASSERT_PTR_NOT_NULL_FATAL(real);
	elf_symbol_find(VICTIM, "victim_add", 0, &place, NULL);
	for (i = 0; i < sizeof(arguments) / sizeof(*arguments); i++) {
		if (arguments[i].machine == place.machine) {
			first = arguments[i].first;
			second = arguments[i].second;
		}
	}
	CU_ASSERT_NOT_EQUAL(*first, '\0');

	snprintf(want, sizeof(want), "p:tch_uprobe/victim_add %s:0x%llx a=%s:s32 s=+0(%s):string", real,
		 (unsigned long long)place.offset, first, second);
	expect(PROBE_USER, VICTIM ":victim_add a=$arg1:s32 s=+0($arg2):string", want,
	       "tch_uprobe:victim_add");

	setenv("PATH", "/nonexistent:" UTEST_BIN ":/bin", 1);
	snprintf(want, sizeof(want), "r:tch_uprobe/sum %s:0x%llx ret=$retval:s32", real,
		 (unsigned long long)place.offset);
	expect(PROBE_USER, "sum=probe_victim:victim_add%return ret=$retval:s32", want, "tch_uprobe:sum");

	snprintf(text, sizeof(text), "%s:0x%llx", VICTIM, (unsigned long long)place.offset);
	snprintf(want, sizeof(want), "p:tch_uprobe/probe_victim_0x%llx %s:0x%llx",
		 (unsigned long long)place.offset, real, (unsigned long long)place.offset);
	snprintf(name, sizeof(name), "tch_uprobe:probe_victim_0x%llx",
		 (unsigned long long)place.offset);
	expect(PROBE_USER, text, want, name);

	snprintf(want, sizeof(want), "p:g/e %s:0x%llx x=%%ax", real, (unsigned long long)place.offset);
	expect(PROBE_USER, "p:g/e probe_victim:victim_add x=%ax", want, "g:e");
	free(real);

	expect_bad(PROBE_USER, "probe_victim", "PATH:SYMBOL");
	/* cut at the blank in their path: with a colon only behind it, and with one before it */
	expect_bad(PROBE_USER, "/opt/my tools/run:main", "PATH must not contain spaces\n");
	expect_bad(PROBE_USER, "/opt/a:b/my run:main", "PATH must not contain spaces\n");
	expect_bad(PROBE_USER, "nosuchprogram:main", "not found in PATH\nuse the full path");
	expect_bad(PROBE_USER, "./nosuchprogram:main", "No such file");
	expect_bad(PROBE_USER, "probe_victim:", "no function name is given");
	expect_bad(PROBE_USER, "probe_victim:0x0", "no code");
	expect_bad(PROBE_USER, "probe_victim:victim_add%return a=$arg1", "$arg1: not available when");
	expect_bad(PROBE_USER, "probe_victim:victim_add+1 a=$arg1", "$arg1: available only");
	expect_bad(PROBE_USER, "probe_victim:victim_add a=$arg9", "$arg9: the register of this "
		   "argument is unknown");
	expect_bad(PROBE_USER, "probe_victim:victim_data", "data");
	setenv("PATH", path, 1);
	free(path);
}

static void expect_fields(const char *definition, enum probe_guess guess, bool is_guessed,
			  const char *want)
{
	char *got = NULL;
	size_t len = 0;
	struct hist_event *event;
	FILE *f = open_memstream(&got, &len);
	bool guessed = !is_guessed;
	unsigned int i;

	CU_ASSERT_EQUAL_FATAL(probe_make_event(&event, definition, guess, &guessed), 0);
	CU_ASSERT_EQUAL(guessed, is_guessed);
	CU_ASSERT_EQUAL(!event, !want);
	for (i = 0; event && i < event->nfields; i++) {
		const struct hist_event_field *field = hist_event_field(event, i);

		if (strncmp(field->name, "common_", 7))
			fprintf(f, "%s %s %u%s,", field->ctype, field->name, field->size,
				field->is_signed ? " signed" : "");
	}
	fclose(f);
	if (want)
		CU_ASSERT_STRING_EQUAL(got, want);
	if (want && strcmp(got, want))
		printf("\n%s: %s\n", definition, got);
	hist_event_free(event);
	free(got);
}

#define IP "unsigned long __probe_ip 8,"
#define RETURN "unsigned long __probe_func 8,unsigned long __probe_ret_ip 8,"

/* The fields that kernels give such probes, in their order. */
static void test_events(void)
{
	struct hist_event *event;
	bool guessed;

	expect_fields("p:g/e vfs_read", PROBE_GUESS_UNSIGNED, false, IP);
	expect_fields("p:g/e vfs_read a=$arg1:u8 b=+0($arg2):ustring c=%di:s16 d=@jiffies:x64",
		      PROBE_GUESS_UNSIGNED, false,
		      IP "u8 a 1,__data_loc char[] b 4 signed,s16 c 2 signed,u64 d 8,");
	expect_fields("r16:g/e vfs_read ret=$retval", PROBE_GUESS_SIGNED, true,
		      RETURN "s64 ret 8 signed,");
	expect_fields("p:g/e vfs_read%return $retval", PROBE_GUESS_UNSIGNED, true, RETURN "u64 arg1 8,");
	expect_fields("p:g/e vfs_read x=$comm y=$arg1:b3@2/16 z=+8(%si):u32[4]", PROBE_GUESS_UNSIGNED,
		      false, IP "__data_loc char[] x 4 signed,u16 y 2,u32[4] z 16,");
	expect_fields("p:g/e vfs_read buf count=$arg3", PROBE_GUESS_STRING, true,
		      IP "__data_loc char[] buf 4 signed,__data_loc char[] count 4 signed,");
	/* names that the kernel alone knows */
	expect_fields("f:g/e vfs_read $arg*", PROBE_GUESS_UNSIGNED, false, NULL);
	CU_ASSERT_EQUAL(probe_make_event(&event, "vfs_read x", PROBE_GUESS_SIGNED, &guessed),
			-EINVAL);
}

UNIT_TESTS(
	{ "elf_symbol_find() finds the file offset of a function, also in a stripped program",
	  test_marks },
	{ "elf_symbol_find() finds the file offset of a function in a library", test_library },
	{ "elf_symbol_find() refuses a symbol that is not exactly one function",
	  test_not_functions },
	{ "elf_symbol_find() refuses a file that is neither an executable nor a shared library",
	  test_not_programs },
	{ "elf_offset_check() accepts only an offset inside code", test_offsets },
	{ "elf_symbol_find() survives a damaged ELF file", test_damage },
	{ "a kernel probe is defined by a short text or by the kernel's own syntax", test_kprobes },
	{ "a probe whose name is far too long is refused with the reason", test_long_names },
	{ "a probe in a program gets the file offset and the registers of its function",
	  test_uprobes },
	{ "the event of a probe has the fields that the kernel gives it", test_events });
