// SPDX-License-Identifier: GPL-2.0
/*
 * compat_calls_test.c - when the kprobe on 32-bit system calls is set, where, and what is said if the
 * kernel refuses it
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "tracecmd/session/compat_calls.h"
#include "utest/unit/helper/undo/undo_fixture.h"
#include "utest/unit/tests.h"

static const char boards_maps[] = "00010000-00012000 r-xp 00000000 b3:02 12 /sbin/init\n";

/*
 * The definition that is written for a histogram with @keys on @uname; "" if none. The suffix of the
 * name of the event is left out. Malloc'ed.
 */
static char *definition_for(const char *uname, unsigned int long_size, const char *maps,
			    const char *keys)
{
	struct hist_machine_names *names = hist_machine_names_new(uname);
	struct hist_target t = { .uname = (char *)uname, .long_size = long_size };
	const struct query_hist hist = { .keys = keys };
	struct traced_event source = { 0 };
	struct compat_calls *c = calloc(1, sizeof(*c));
	char *text = NULL, *place;

	CU_ASSERT_EQUAL(hist_machine_names_add_maps(names, maps, strlen(maps)), 0);
	CU_ASSERT_EQUAL(traced_event_add_hist(&source, &hist, "mono"), 0);
	CU_ASSERT_EQUAL(compat_calls_check(c, &t, names, &source, 1), 0);
	place = c->wanted ? strchr(c->definition, ' ') : NULL;
	CU_ASSERT(!c->wanted || !strncmp(c->definition, "p:tch_calls/calls_", 18));
	text = strdup(place ? place + 1 : "");
	compat_calls_clear(c, &t);
	traced_event_clear(&source, &t);
	hist_machine_names_put(names);
	free(c);
	return text;
}

static void test_places(void)
{
	static const struct {
		const char *uname;
		unsigned int long_size;
		const char *maps, *keys, *definition;
	} cases[] = {
		{ "Linux a 6.12.1 x86_64", 8, "", "id.syscall", "ia32_sys_call id=%si:s32" },
		{ "Linux a 6.12.1 x86_64", 8, "", "common_pid,id.syscall", "ia32_sys_call id=%si:s32" },
		{ "Linux a 6.12.1 x86_64", 8, boards_maps, "id.syscall", "x64_sys_call id=%si:s32" },
		/* a recorder with 32 bits */
		{ "Linux a 6.12.1 i686", 8, "", "id.syscall", "ia32_sys_call id=%si:s32" },
		{ "Linux a 6.12.1 aarch64", 8, "", "id.syscall", "do_el0_svc_compat id=+56(%x0):s32" },
		{ "Linux a 6.12.1 armv8l", 8, boards_maps, "id.syscall", "do_el0_svc id=+64(%x0):s32" },
		/* one table of calls, or no names */
		{ "Linux a 6.12.1 i686", 4, "", "id.syscall", "" },
		{ "Linux a 6.12.1 armv7l", 4, "", "id.syscall", "" },
		{ "Linux a 6.12.1 riscv64", 8, "", "id.syscall", "" },
		{ "Linux a 6.12.1 x86_64", 8, "", "id,common_pid.execname", "" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *text = definition_for(cases[i].uname, cases[i].long_size, cases[i].maps,
					    cases[i].keys);

		CU_ASSERT_STRING_EQUAL(text, cases[i].definition);
		free(text);
	}
}

/* What compat_calls_begin() prints if the kernel refuses the kprobe with @err; malloc'ed. */
static char *refusal(int err, bool has_kprobes)
{
	const struct query_hist hist = { .keys = "id.syscall" };
	struct traced_event source = { 0 };
	struct compat_calls *c = calloc(1, sizeof(*c));
	struct hist_machine_names *names = hist_machine_names_new("Linux a 5.10.1 x86_64");
	char uname[] = "Linux a 5.10.1 x86_64", *before = fake->target.uname, *text;
	struct instance in = { .dir = (char *)"instances/h", .made = true };
	FILE *said = tmpfile();
	struct undo *undo;
	int old;

	fresh();
	if (has_kprobes)
		CU_ASSERT_EQUAL(fake_target_put(fake, "kprobe_events", ""), 0);
	fake->target.uname = uname;
	fake->target.long_size = 8;
	CU_ASSERT_EQUAL(traced_event_add_hist(&source, &hist, "mono"), 0);
	CU_ASSERT_EQUAL(compat_calls_check(c, &fake->target, names, &source, 1), 0);
	CU_ASSERT(c->wanted);
	undo = new_undo();
	free(fake_target_log(fake));
	fail_on("write", "kprobe_events", -1, err);
	fflush(stderr);
	old = dup(2);
	dup2(fileno(said), 2);
	/* the recording goes on */
	CU_ASSERT_EQUAL(compat_calls_begin(c, &fake->target, undo, false), 0);
	CU_ASSERT_EQUAL(compat_calls_attach(c, &fake->target, undo, &in, false), 0);
	CU_ASSERT_EQUAL(compat_calls_read(c, &fake->target), 0);
	fflush(stderr);
	dup2(old, 2);
	close(old);
	CU_ASSERT_FALSE(c->wanted);
	CU_ASSERT_EQUAL(undo_run(undo, stderr), 0);
	expect_log("");
	undo_free(undo);
	compat_calls_clear(c, &fake->target);
	traced_event_clear(&source, &fake->target);
	hist_machine_names_put(names);
	fake->target.uname = before;
	free(c);
	rewind(said);
	text = calloc(1, 1024);
	text[fread(text, 1, 1023, said)] = '\0';
	fclose(said);
	return text;
}

static void test_refused(void)
{
	static const struct {
		int err;
		bool has_kprobes;
		const char *said;
	} cases[] = {
		{ -EPERM, true, "(Operation not permitted), so these calls have the names of 64-bit" },
		{ -EINVAL, true, "(Invalid argument), so these calls have the names of 64-bit calls" },
		{ 0, false, "(Operation not supported), so these calls have the names of 64-bit calls" },
		/* the kernel does not have the function, and so no 32-bit calls */
		{ -ENOENT, true, "" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *text = refusal(cases[i].err, cases[i].has_kprobes);

		CU_ASSERT_PTR_NOT_NULL(strstr(text, cases[i].said));
		CU_ASSERT_EQUAL(*text != '\0', *cases[i].said != '\0');
		free(text);
	}
}

UNIT_TESTS_WITH(undo_set_up, undo_tear_down,
	{ "the kprobe is on the calls that the kernel names wrong, if a key has .syscall", test_places },
	{ "a kernel that refuses the kprobe is told, and leaves nothing behind", test_refused });
