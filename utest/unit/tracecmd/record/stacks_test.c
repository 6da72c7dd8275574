// SPDX-License-Identifier: GPL-2.0
/*
 * stacks_test.c - the triggers and the symbols of --stacks
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/event/kallsyms.h"
#include "tracecmd/record/stacks.h"
#include "utest/unit/lib/ringbuf/page_make.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/target/fake_target.h"

static const char format[] =
	"name: kernel_stack\nID: 4\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n\nprint fmt: \"\"\n";

static int read_kallsyms(struct hist_target *t, struct target_buf *buf)
{
	(void)t;
	buf->data = strdup("ffffffff81000000 T _text\nffffffff81000000 T _stext\n"
			   "ffffffff81000100 T first\nffffffff81000200 T second\n"
			   "ffffffff81000300 T _etext\nffffffff81000400 B _end\n"
			   "ffffffffc0000000 t probe\t[driver]\nffffffffc0000100 t last\t[driver]\n");
	buf->len = strlen(buf->data);
	return 0;
}

/* Events of type @id with these addresses; the upper half of each is all ones. */
static void put_stack(struct page_make *page, unsigned int id, const uint32_t *addresses)
{
	unsigned int i, n = 0;

	while (addresses[n])
		n++;
	page_make_head(page, 4 + 2 * n, 10);
	page_make_word(page, id);
	page_make_word(page, 17);
	page_make_word(page, n);
	page_make_word(page, 0);
	for (i = 0; i < n; i++) {
		page_make_word(page, addresses[i]);
		page_make_word(page, 0xffffffff);
	}
}

/* The directory of the test must become empty. */
static void free_target(struct fake_target *fake)
{
	fake->target.ops->free(&fake->target);
	CU_ASSERT_EQUAL(system("rm -rf stacks"), 0);
}

static struct fake_target *make_target(struct hist_target_ops *ops)
{
	struct fake_target *fake = fake_target_new("stacks");

	CU_ASSERT_PTR_NOT_NULL_FATAL(fake);
	*ops = *fake->target.ops;
	ops->kallsyms = read_kallsyms;
	fake->target.ops = ops;
	fake->target.page_size = PAGE_MAKE_SIZE;
	fake->target.long_size = 8;
	fake->target.big_endian = false;
	CU_ASSERT_EQUAL(fake_target_put(fake, "events/ftrace/kernel_stack/format", format), 0);
	return fake;
}

static void test_symbols(void)
{
	static const uint32_t one[] = { 0x81000110, 0x81000230, 0xc0000010, 0 };
	static const uint32_t two[] = { 0x81000110, 0x81000118, 0x70000000, 0 };
	static const uint32_t other[] = { 0x81000208, 0 };
	struct hist_target_ops ops;
	struct fake_target *fake = make_target(&ops);
	struct page_make page;
	struct target_buf buf = { .data = (char *)page.data, .len = PAGE_MAKE_SIZE };
	struct stacks s = { 0 };

	CU_ASSERT_EQUAL_FATAL(stacks_load(&s, &fake->target), 0);
	page_make_begin(&page, false, 8, 1000);
	put_stack(&page, 4, one);
	put_stack(&page, 5, other);
	put_stack(&page, 4, two);
	page_make_end(&page, 0);
	CU_ASSERT_EQUAL(stacks_collect(&s, &fake->target, &buf), 0);
	/* each address once; a symbol of a module; and an address without a symbol */
	CU_ASSERT_STRING_EQUAL(s.text.data, "ffffffff81000100 t first\n"
			       "ffffffff81000200 t second\n"
			       "ffffffffc0000000 t probe\t[driver]\n"
			       "ffffffff81000100 t first\n"
			       "ffffffff70000000 t 0xffffffff70000000\n");
	CU_ASSERT_EQUAL(stacks_collect(&s, &fake->target, &buf), 0);
	CU_ASSERT_EQUAL(s.nseen, 5);
	stacks_clear(&s);
	free_target(fake);
}

static void test_no_symbols(void)
{
	struct hist_target_ops ops;
	struct fake_target *fake = make_target(&ops);
	struct target_buf none = { 0 };
	struct stacks s = { 0 };

	ops.kallsyms = NULL;
	CU_ASSERT_EQUAL(stacks_load(&s, &fake->target), 0);
	CU_ASSERT_PTR_NULL(s.symbols);
	CU_ASSERT_EQUAL(stacks_collect(&s, &fake->target, &none), 0);
	CU_ASSERT_EQUAL(s.text.len, 0);
	stacks_clear(&s);
	free_target(fake);
}

static void test_triggers(void)
{
	static struct traced_event events[] = {
		{ .full_name = "sched:sched_switch", .system = "sched", .name = "sched_switch" },
		{ .full_name = "sched:sched_switch", .system = "sched", .name = "sched_switch" },
		{ .full_name = "irq:irq_handler_entry", .system = "irq", .name = "irq_handler_entry" },
	};
	struct hist_target_ops ops;
	struct fake_target *fake = make_target(&ops);
	char *text;

	CU_ASSERT_TRUE(stacks_fit(events, 3));
	CU_ASSERT_FALSE(stacks_fit(events + 2, 1));
	CU_ASSERT_EQUAL(fake_target_put(fake, "instances/x/events/sched/sched_switch/trigger", ""), 0);
	CU_ASSERT_EQUAL(fake_target_put(fake, "instances/x/events/irq/irq_handler_entry/trigger", ""), 0);
	/* the second one exists already */
	CU_ASSERT_EQUAL(stacks_set(&fake->target, "instances/x", events, 3, NULL), 0);
	text = fake_target_get(fake, "instances/x/events/sched/sched_switch/trigger");
	CU_ASSERT_STRING_EQUAL(text, "stacktrace\n");
	free(text);
	text = fake_target_get(fake, "instances/x/events/irq/irq_handler_entry/trigger");
	CU_ASSERT_STRING_EQUAL(text, "");
	free(text);
	fake->fail_op = "write";
	fake->fail_path = "instances/x/events/sched/sched_switch/trigger";
	fake->fail_times = -1;
	fake->fail_err = -EINVAL;
	CU_ASSERT_EQUAL(stacks_set(&fake->target, "instances/x", events, 3, NULL), -EINVAL);
	free_target(fake);
}

UNIT_TESTS_WITH(
	test_dir_enter, test_dir_leave,
	{ "each address of a stack has a line of kallsyms", test_symbols },
	{ "without symbols of the target, none are collected", test_no_symbols },
	{ "task switches and wake-ups get a trigger, other events do not", test_triggers });
