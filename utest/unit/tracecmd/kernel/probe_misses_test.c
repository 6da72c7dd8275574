// SPDX-License-Identifier: GPL-2.0
/*
 * probe_misses_test.c - which line of kprobe_profile belongs to which event
 *
 * The texts are those that Linux 5.10 to 7.3 print (probes_seq_show() and
 * probes_profile_seq_show() in trace_kprobe.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "tracecmd/kernel/probe_misses.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/target/fake_target.h"

static const char events[] = "p:kprobes/open do_sys_openat2 dfd=$arg1\n"
			     "r16:mine/open do_sys_openat2 ret=$retval\n"
			     "r:mine/twice vfs_read\n"
			     "r:mine/twice vfs_write\n";
static const char profile[] =
	"  open                                                      11               3\n"
	"  open                                                   41032          326506\n"
	"  twice                                                      5               7\n"
	"  twice                                                      6          100000\n";

static uint64_t sum(const char *e, const char *p, const char *system, const char *name)
{
	uint64_t n = 0;

	return probe_misses_sum(e, p, system, name, &n) ? n : 999999999;
}

static void test_lines(void)
{
	CU_ASSERT_EQUAL(sum(events, profile, "kprobes", "open"), 3);
	CU_ASSERT_EQUAL(sum(events, profile, "mine", "open"), 326506);
	CU_ASSERT_EQUAL(sum(events, profile, "mine", "twice"), 100007);
	CU_ASSERT_EQUAL(sum(events, profile, "mine", "ope"), 999999999);
	CU_ASSERT_EQUAL(sum("", "", "mine", "open"), 999999999);
	/* one came, went, or changed between the two reads */
	CU_ASSERT_EQUAL(sum(events, strchr(profile, '\n') + 1, "kprobes", "open"), 999999999);
	CU_ASSERT_EQUAL(sum(strchr(events, '\n') + 1, profile, "mine", "open"), 999999999);
	CU_ASSERT_EQUAL(sum("p:a/b f\n", "  c     1    2\n", "a", "b"), 999999999);
}

static void put_misses(struct fake_target *fake, const char *misses)
{
	char text[80];

	snprintf(text, sizeof(text), "  ev              1        %s\n", misses);
	CU_ASSERT_EQUAL(fake_target_put(fake, "kprobe_profile", text), 0);
}

/* Only what was missed since the beginning counts; what others removed does not go back. */
static void test_recording(void)
{
	char dir[] = "/tmp/probe-misses-XXXXXX", path[64];
	struct fake_target *fake;
	struct probe_misses m;

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/t", dir);
	fake = fake_target_new(path);
	CU_ASSERT_PTR_NOT_NULL_FATAL(fake);
	fake_target_put(fake, "dynamic_events", "p:g/user /bin/sh:0x10\nr:g/ev f\ns:synthetic/lat u64 l\n"
			"e:g/probe sched/sched_switch\n");
	fake_target_put(fake, "kprobe_events", "r:g/ev f\n");
	put_misses(fake, "40");
	probe_misses_begin(&m, &fake->target, "g", "ev");
	CU_ASSERT_EQUAL(m.kind, PROBE_MISSES_KNOWN);
	probe_misses_update(&m, &fake->target, "g", "ev");
	CU_ASSERT_EQUAL(m.count, 0);
	put_misses(fake, "47");
	probe_misses_update(&m, &fake->target, "g", "ev");
	CU_ASSERT_EQUAL(m.count, 7);
	fake_target_put(fake, "kprobe_events", "");
	probe_misses_update(&m, &fake->target, "g", "ev");
	CU_ASSERT_EQUAL(m.count, 7);

	probe_misses_begin(&m, &fake->target, "g", "user");
	CU_ASSERT_EQUAL(m.kind, PROBE_MISSES_UNKNOWN);
	probe_misses_begin(&m, &fake->target, "synthetic", "lat");
	CU_ASSERT_EQUAL(m.kind, PROBE_MISSES_NONE);
	probe_misses_begin(&m, &fake->target, "sched", "sched_switch");
	CU_ASSERT_EQUAL(m.kind, PROBE_MISSES_NONE);
	fake->target.ops->rmdir(&fake->target, ".");
	target_free(&fake->target);
}

UNIT_TESTS(
	{ "probe_misses_sum() assigns the lines of kprobe_profile to the right events",
	  test_lines },
	{ "a recording counts only the probe misses since it began", test_recording });
