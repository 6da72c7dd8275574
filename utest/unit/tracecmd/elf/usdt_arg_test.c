// SPDX-License-Identifier: GPL-2.0
/* usdt_arg_test.c - arguments of statically defined probes as compilers write them */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "tracecmd/elf/usdt_arg.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

/* "FETCH SIZE" of an argument, or "" if the kernel cannot fetch it. */
static const char *decode(int machine, const char *args, unsigned int number)
{
	static char text[80];
	struct hist_error error = { 0 };
	struct usdt_arg arg;

	text[0] = '\0';
	if (!usdt_arg_decode(&arg, machine, args, number, &error))
		snprintf(text, sizeof(text), "%s %s%u%s", arg.fetch, arg.is_signed ? "-" : "",
			 arg.size, arg.is_constant ? " constant" : "");
	else
		CU_ASSERT_STRING_NOT_EQUAL(error.what, "");
	return text;
}

static void test_x86(void)
{
	static const struct {
		const char *arg, *expected;
	} cases[] = {
		{ "8@%rdi", "%di 8" }, { "-4@%eax", "%ax -4" }, { "2@%bx", "%bx 2" },
		{ "1@%sil", "%si 1" }, { "1@%dl", "%dx 1" }, { "8@%r8", "%r8 8" },
		{ "-4@%r12d", "%r12 -4" }, { "1@%r9b", "%r9 1" }, { "4@%r10w", "%r10 4" },
		{ "-4@$-5", "\\-5 -4 constant" }, { "4@$0x10", "\\16 4 constant" },
		{ "8@(%rax)", "+0(%ax) 8" }, { "-8@-24(%rbp)", "-24(%bp) -8" },
		{ "4@112(%rsp)", "+112(%sp) 4" }, { "%rax", "%ax 8" },
		{ "8@(%rax,%rdx,8)", "" }, { "4@counter(%rip)", "" }, { "8f@%xmm0", "" },
		{ "8@%xmm0", "" }, { "1@%ah", "" }, { "3@%eax", "" }, { "8@%r16", "" }, { "8@%r8x", "" },
		{ "8@", "" }, { "8@$", "" }, { "8@(%rax", "" }, { "8@4(%rax)x", "" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		CU_ASSERT_STRING_EQUAL(decode(EM_X86_64, cases[i].arg, 1), cases[i].expected);
	CU_ASSERT_EQUAL(usdt_arg_count("8@%rdi -4@$5 8@8(%rsp)"), 3);
	CU_ASSERT_EQUAL(usdt_arg_count(""), 0);
	CU_ASSERT_STRING_EQUAL(decode(EM_X86_64, "8@%rdi -4@$5 8@8(%rsp)", 3), "+8(%sp) 8");
	CU_ASSERT_STRING_EQUAL(decode(EM_X86_64, "8@%rdi", 2), "");
	CU_ASSERT_STRING_EQUAL(decode(EM_386, "-4@8(%esp)", 1), "+8(%sp) -4");
	CU_ASSERT_STRING_EQUAL(decode(EM_S390, "8@%r2", 1), "");
}

static void test_arm64(void)
{
	static const char args[] = "8@x0 -4@w19 8@[sp, 44] -4@[x29, -16] 8@[x1] 4@5 -4@#-7 8@[x0, x1]";
	static const char *const expected[] = {
		"%x0 8", "%x19 -4", "+44(%sp) 8", "-16(%x29) -4", "+0(%x1) 8", "\\5 4 constant",
		"\\-7 -4 constant", "",
	};
	unsigned int i;

	CU_ASSERT_EQUAL(usdt_arg_count(args), 8);
	for (i = 0; i < 8; i++)
		CU_ASSERT_STRING_EQUAL(decode(EM_AARCH64, args, i + 1), expected[i]);
	CU_ASSERT_STRING_EQUAL(decode(EM_AARCH64, "8@x31", 1), "");
}

/* One type for all places, as the kernel requires. */
static void test_types(void)
{
	struct usdt_place places[] = {
		{ .args = (char *)"8@$1 -4@$0 4@%eax 4@%eax" },
		{ .args = (char *)"-4@%ecx -8@$7 4@$3 8@%rax" },
	};
	static const char *const expected[] = { "s32", "s64", "u32", "" };
	struct hist_error error = { 0 };
	char type[4];
	unsigned int i;
	int ret;

	for (i = 0; i < 4; i++) {
		type[0] = '\0';
		ret = usdt_arg_type(type, EM_X86_64, places, 2, i + 1, &error);
		CU_ASSERT_STRING_EQUAL(type, expected[i]);
		CU_ASSERT_EQUAL(ret != 0, i == 3);
	}
	CU_ASSERT_STRING_EQUAL(test_error(&error),
			       "the size of the argument is 4 bytes at one location of the "
			       "probe and 8 bytes at another");
	places[0].args = (char *)"1@%al";
	CU_ASSERT_EQUAL(usdt_arg_type(type, EM_X86_64, places, 2, 1, &error), -EINVAL);
	CU_ASSERT_STRING_EQUAL(test_error(&error),
			       "the size of the argument is 1 byte at one location of the "
			       "probe and 4 bytes at another");
	CU_ASSERT_EQUAL(usdt_arg_type(type, EM_X86_64, places, 1, 2, &error), -EINVAL);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "the probe has only 1 argument");
}

UNIT_TESTS({ "operands of x86 become fetch arguments, and sums of registers do not", test_x86 },
	   { "operands of arm64 become fetch arguments", test_arm64 },
	   { "a constant has the type that the argument has at other places", test_types });
