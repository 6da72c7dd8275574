// SPDX-License-Identifier: GPL-2.0
/*
 * dynevent_test.c - probes and synthetic events made and taken back, and what
 * others have left alone
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "tracecmd/trigger/dynevent.h"
#include "tracecmd/trigger/foreign_triggers.h"
#include "utest/unit/helper/undo/undo_fixture.h"
#include "utest/unit/tests.h"

#define KPROBE "p:tch_kprobe/f vfs_read a=$arg1"

static const struct query_dynevent kprobe = { .kind = QUERY_DYNAMIC, .definition = KPROBE };
static const struct query_dynevent uprobe = { .kind = QUERY_DYNAMIC, .definition = "r16:tch_uprobe/g /bin/true:0x10" };
static const struct query_dynevent synthetic = { .kind = QUERY_SYNTHETIC, .definition = "tch_lat u64 lat; char comm[16]" };

static FILE *said_file;
static int old_stderr;

/* What goes to stderr from here to said(). */
static void listen_begin(void)
{
	fflush(stderr);
	said_file = tmpfile();
	old_stderr = dup(2);
	dup2(fileno(said_file), 2);
}

static void expect_said(const char *part)
{
	char text[1024] = "";

	fflush(stderr);
	dup2(old_stderr, 2);
	close(old_stderr);
	rewind(said_file);
	text[fread(text, 1, sizeof(text) - 1, said_file)] = '\0';
	fclose(said_file);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, part));
	if (!strstr(text, part))
		printf("\nsaid: %sexpected: %s\n", text, part);
}

static void kernel_has(const char *file, const char *text)
{
	CU_ASSERT_EQUAL(fake_target_put(fake, file, text), 0);
}

static void expect_look(const struct query_dynevent *plan, int expected, const char *part)
{
	struct dynevent o;

	listen_begin();
	CU_ASSERT_EQUAL(dynevent_check(&o, &fake->target, plan, false), expected);
	expect_said(part);
	dynevent_clear(&o);
}

static void make(struct undo *undo, const struct query_dynevent *plan, const char *file,
		 const char *text)
{
	struct dynevent o;

	CU_ASSERT_EQUAL(dynevent_check(&o, &fake->target, plan, false), 0);
	CU_ASSERT_STRING_EQUAL(o.file, file);
	CU_ASSERT_EQUAL(dynevent_create(&o, &fake->target, undo), 0);
	dynevent_clear(&o);
	kernel_has(file, text);
}

/* Synthetic events are its own, whatever the kernel has; probes are the kernel's. */
static void test_of_engine(void)
{
	struct dynevent o;

	fresh();
	kernel_has("events/synthetic/tch_lat/enable", "0\n");
	CU_ASSERT_EQUAL(dynevent_check(&o, &fake->target, &synthetic, true), 0);
	CU_ASSERT_TRUE(o.of_engine);
	CU_ASSERT_STRING_EQUAL(o.file, "synthetic_events");
	CU_ASSERT_STRING_EQUAL(o.name, "tch_lat");
	dynevent_clear(&o);
	listen_begin();
	CU_ASSERT_EQUAL(dynevent_check(&o, &fake->target, &kprobe, true), -EOPNOTSUPP);
	expect_said("no kprobe events");
	dynevent_clear(&o);
}

static void test_made_and_removed(void)
{
	struct undo *undo;

	fresh();
	kernel_has("synthetic_events", "");
	kernel_has("kprobe_events", "");
	kernel_has("uprobe_events", "");
	kernel_has("dynamic_events", "p:users/f vfs_read\n");
	undo = new_undo();
	make(undo, &synthetic, "synthetic_events", "tch_lat\tu64 lat; char[16] comm\n");
	make(undo, &kprobe, "dynamic_events", "p:users/f vfs_read\n" KPROBE "\n");
	make(undo, &uprobe, "dynamic_events",
	     "p:users/f vfs_read\n" KPROBE "\nr16:tch_uprobe/g /bin/true:0x10\n");
	add_instance(undo);
	free(fake_target_log(fake));
	CU_ASSERT_EQUAL(undo_run(undo, stderr), 0);
	expect_log("rmdir instances/h\n"
		   "append dynamic_events -:tch_uprobe/g\n"
		   "append dynamic_events -:tch_kprobe/f\n"
		   "append synthetic_events !tch_lat\n");
	undo_free(undo);
	CU_ASSERT(no_journal());
}

static void test_old_kernels(void)
{
	struct undo *undo;

	fresh();
	kernel_has("kprobe_events", "");
	expect_look(&uprobe, -EOPNOTSUPP, "tch_uprobe:g: this kernel has no uprobe events "
		    "(CONFIG_UPROBE_EVENTS)");
	expect_look(&synthetic, -EOPNOTSUPP, "no synthetic events (CONFIG_SYNTH_EVENTS)");
	undo = new_undo();
	make(undo, &kprobe, "kprobe_events", KPROBE "\n");
	free(fake_target_log(fake));
	CU_ASSERT_EQUAL(undo_run(undo, stderr), 0);
	expect_log("append kprobe_events -:tch_kprobe/f\n");
	undo_free(undo);

	fresh();
	kernel_has("uprobe_events", "");
	expect_look(&kprobe, -EOPNOTSUPP, "no kprobe events (CONFIG_KPROBE_EVENTS)");
	/* dynamic_events alone may be of synthetic events only */
	kernel_has("dynamic_events", "");
	expect_look(&kprobe, -EOPNOTSUPP, "no kprobe events (CONFIG_KPROBE_EVENTS)");
}

static void test_names_of_others(void)
{
	struct undo *undo;
	struct dynevent o;

	fresh();
	kernel_has("kprobe_events", "");
	kernel_has("dynamic_events", "");
	kernel_has("events/tch_kprobe/f/enable", "0\n");
	expect_look(&kprobe, -EEXIST, "tch_kprobe:f: this event already exists\n"
		    "hint: choose another name, use the event with -e, or write '-:tch_kprobe/f' to "
		    "dynamic_events to remove the event\n");
	/* made by somebody between the look and the making */
	fake_target_put(fake, "events/synthetic/other/enable", "0\n");
	kernel_has("synthetic_events", "");
	CU_ASSERT_EQUAL(dynevent_check(&o, &fake->target, &synthetic, false), 0);
	kernel_has("events/synthetic/tch_lat/enable", "0\n");
	undo = new_undo();
	listen_begin();
	CU_ASSERT_EQUAL(dynevent_create(&o, &fake->target, undo), -EEXIST);
	expect_said("synthetic:tch_lat: this event already exists\n");
	dynevent_clear(&o);
	free(fake_target_log(fake));
	CU_ASSERT_EQUAL(undo_run(undo, stderr), 0);
	expect_log("");
	undo_free(undo);
}

static void test_refused(void)
{
	static const struct {
		int err;
		const char *functions, *said;
	} refused[] = {
		{ -EINVAL, "vfs_read\n", "Invalid argument\n" },
		{ -EILSEQ, "vfs_read\n", "the address is not the start of an instruction\n" },
		{ -ENOENT, "vfs_write\nvfs_read [module]\n", "No such file or directory\n" },
		{ -ENOENT, "vfs_write\nvfs_redd [module]\n",
		  "no such function, or it was inlined\nhint: did you mean \"vfs_redd\"?\n" },
		{ -ENOENT, "zork\n", "no such function, or it was inlined\n" },
	};
	struct undo *undo;
	struct dynevent o;
	char said[256];
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		fresh();
		kernel_has("kprobe_events", "");
		kernel_has("dynamic_events", "");
		kernel_has("available_filter_functions", refused[i].functions);
		undo = new_undo();
		CU_ASSERT_EQUAL(dynevent_check(&o, &fake->target, &kprobe, false), 0);
		fail_on("write", "dynamic_events", 1, refused[i].err);
		listen_begin();
		CU_ASSERT_EQUAL(dynevent_create(&o, &fake->target, undo), refused[i].err);
		snprintf(said, sizeof(said), "error: tch_kprobe:f: the kernel rejects "
			 "\"" KPROBE "\": %s",
			 refused[i].said);
		expect_said(said);
		dynevent_clear(&o);
		/* somebody else's that has the name since then */
		kernel_has("dynamic_events", KPROBE "\n");
		CU_ASSERT_EQUAL(undo_run(undo, stderr), 0);
		expect_log("");
		undo_free(undo);
	}
}

#define LETTERS "GROUP and EVENT must contain only letters, digits and _\n"
#define SYNTHETIC "a synthetic event must be NAME TYPE FIELD[; TYPE FIELD]...\n"

/* Linux 6.14 and later refuse a number of calls. */
static void test_number_of_calls(void)
{
	static const struct query_dynevent returns = {
		.kind = QUERY_DYNAMIC, .definition = "f4096:tch_function/r vfs_read%return"
	};
	struct undo *undo;
	struct dynevent o;

	fresh();
	kernel_has("kprobe_events", "");
	kernel_has("dynamic_events", "");
	undo = new_undo();
	CU_ASSERT_EQUAL(dynevent_check(&o, &fake->target, &returns, false), 0);
	fail_on("write", "dynamic_events", 1, -EINVAL);
	CU_ASSERT_EQUAL(dynevent_create(&o, &fake->target, undo), 0);
	expect_log("append dynamic_events f:tch_function/r vfs_read%return\n");
	dynevent_clear(&o);
	undo_free(undo);
}

static void test_bad_definitions(void)
{
	static const struct {
		struct query_dynevent plan;
		const char *part;
	} bad[] = {
		{ { .kind = QUERY_DYNAMIC, .definition = "p vfs_read" }, "a probe must begin with p:GROUP/EVENT or r:GROUP/EVENT\n" },
		{ { .kind = QUERY_DYNAMIC, .definition = "p:f vfs_read" }, LETTERS },
		{ { .kind = QUERY_DYNAMIC, .definition = "p:g/f" }, LETTERS },
		{ { .kind = QUERY_DYNAMIC, .definition = "p:g/f* vfs_read" }, LETTERS },
		{ { .kind = QUERY_DYNAMIC, .definition = "-:g/f" }, LETTERS },
		{ { .kind = QUERY_DYNAMIC, .definition = "p:g/f vfs_read\n-:users/f" }, "contains a "
			"line break\n" },
		{ { .kind = QUERY_SYNTHETIC, .definition = "!users_synth u64 lat" }, SYNTHETIC },
		{ { .kind = QUERY_SYNTHETIC, .definition = "lat" }, SYNTHETIC },
	};
	unsigned int i;

	fresh();
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		expect_look(&bad[i].plan, -EINVAL, bad[i].part);
}

static void test_bad_notes(void)
{
	static const char *const bad[] = { "", "!", "!a b", "!a*", "-:", "-:a", "-:a/", "-:/b",
					   "-:a/b c", "-:a/b/c", "a", "!a\n!b", NULL };
	struct undo *undo;
	int i;

	fresh();
	undo = new_undo();
	for (i = 0; bad[i]; i++)
		CU_ASSERT_EQUAL(undo_note(undo, UNDO_NOTE_DYNEVENT, "dynamic_events", bad[i]),
				-EINVAL);
	CU_ASSERT_EQUAL(undo_note(undo, UNDO_NOTE_DYNEVENT, "tracing_on", "!a"), -EINVAL);
	CU_ASSERT_EQUAL(undo_note(undo, UNDO_NOTE_DYNEVENT, "../dynamic_events", "!a"), -EINVAL);
	undo_free(undo);
	CU_ASSERT(no_journal());
}

static void make_kprobe(struct undo *undo)
{
	make(undo, &kprobe, "dynamic_events", KPROBE "\n");
}

static void note_kprobe(struct undo *undo)
{
	CU_ASSERT_EQUAL(undo_note(undo, UNDO_NOTE_DYNEVENT, "dynamic_events", "-:tch_kprobe/f"), 0);
}

static void test_killed(void)
{
	fresh();
	kernel_has("kprobe_events", "");
	kernel_has("dynamic_events", "");
	kill_recorder(start_recorder(make_kprobe));
	free(fake_target_log(fake));
	expect_cleanup(1, 0, "removed from dynamic_events: tch_kprobe/f\n");
	expect_log("append dynamic_events -:tch_kprobe/f\n");
	CU_ASSERT(no_journal());

	/* before it was made: the file is as it was, or has only what looks like it */
	kernel_has("dynamic_events", KPROBE "\n");
	kill_recorder(start_recorder(note_kprobe));
	expect_cleanup(0, 0, "");
	kernel_has("dynamic_events", "");
	kill_recorder(start_recorder(note_kprobe));
	kernel_has("dynamic_events", "p:tch_kprobe/ff vfs_read\np:x/y tch_kprobe/f\n");
	expect_cleanup(0, 0, "");
	expect_log("");
}

static void test_busy(void)
{
	struct undo *undo;

	fresh();
	kernel_has("kprobe_events", "");
	kernel_has("dynamic_events", "");
	undo = new_undo();
	make_kprobe(undo);
	free(fake_target_log(fake));
	/* a killed recorder's files are open for a moment */
	fail_on("write", "dynamic_events", 2, -EBUSY);
	CU_ASSERT_EQUAL(undo_run(undo, stderr), 0);
	expect_log("append dynamic_events -:tch_kprobe/f\n");
	undo_free(undo);

	kernel_has("dynamic_events", "");
	undo = new_undo();
	make_kprobe(undo);
	fail_on("write", "dynamic_events", -1, -EBUSY);
	CU_ASSERT_EQUAL(undo_run(undo, NULL), -EBUSY);
	undo_free(undo);
	expect_cleanup(0, 1, "trace-cmd hist: error: dynamic_events: cannot remove tch_kprobe/f: the event "
		       "is enabled, or a trigger uses it\nhint: disable the event, remove the trigger, "
		       "then run 'trace-cmd hist cleanup'\n");
	fake->fail_op = NULL;
	expect_cleanup(1, 0, "removed from dynamic_events: tch_kprobe/f\n");
}

static int paused(const char *expression)
{
	struct hist_expr *expr;
	int ret;

	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, expression, NULL), 0);
	listen_begin();
	ret = foreign_triggers_check_paused(expr, &fake->target, "instances/h/events");
	expect_said(ret ? "could pause \"hist:" : "");
	hist_expr_free(expr);
	return ret;
}

static void test_paused(void)
{
	fresh();
	kernel_has(TRIGGER, "hist:keys=common_cpu,size.buckets=100:vals=hitcount:sort=hitcount:"
			    "size=2048 [active]\nstacktrace:unlimited\n");
	CU_ASSERT_EQUAL(paused("hist:keys=cpu,size.buckets=50:pause"), -EEXIST);
	CU_ASSERT_EQUAL(paused("hist:keys=common_cpu,size:pause:vals=x if a == 1"), -EEXIST);
	CU_ASSERT_EQUAL(paused("hist:keys=common_cpu,size.buckets=100"), 0);
	CU_ASSERT_EQUAL(paused("hist:keys=common_cpu:pause"), 0);
	CU_ASSERT_EQUAL(paused("hist:keys=size,common_cpu:pause"), 0);
	kernel_has(TRIGGER, "hist:some:thing=else\n");
	CU_ASSERT_EQUAL(paused("hist:keys=a:pause"), -EEXIST);
	kernel_has(TRIGGER, "# Available triggers:\n# hist:keys=a\n");
	CU_ASSERT_EQUAL(paused("hist:keys=a:pause"), 0);
}

static int named(const char *expression)
{
	struct hist_expr *expr;
	int ret;

	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, expression, NULL), 0);
	listen_begin();
	ret = foreign_triggers_check_name(expr, &fake->target);
	expect_said(ret ? " already has a histogram with this name, and the kernel would merge the two\nhint: "
			  "choose another name\n" : "");
	hist_expr_free(expr);
	return ret;
}

static void test_named(void)
{
	fresh();
	kernel_has("events/enable", "0\n");
	kernel_has("events/a/b/trigger", "stacktrace\nhist:name=top:keys=x [active]\n");
	kernel_has("instances/i/events/a/b/trigger", "hist:name=deep:keys=x [active]\n");
	CU_ASSERT_EQUAL(named("hist:keys=x:name=top"), -EEXIST);
	CU_ASSERT_EQUAL(named("hist:keys=x:name=deep"), -EEXIST);
	CU_ASSERT_EQUAL(named("hist:keys=x:name=dee"), 0);
	CU_ASSERT_EQUAL(named("hist:keys=x:name=deeper"), 0);
	CU_ASSERT_EQUAL(named("hist:keys=x"), 0);
}

UNIT_TESTS_WITH(undo_set_up, undo_tear_down,
	{ "probes and synthetic events are created and then removed, newest first",
	  test_made_and_removed },
	{ "an event that the kernel cannot create is refused with the missing option",
	  test_old_kernels },
	{ "an event is not created or removed if another event has its name",
	  test_names_of_others },
	{ "the user-space engine creates synthetic events itself, and no probes", test_of_engine },
	{ "an event that the kernel rejects is reported with the reason and not removed",
	  test_refused },
	{ "an fprobe is created without a number of calls if the kernel rejects the number",
	  test_number_of_calls },
	{ "an invalid definition of an event is refused", test_bad_definitions },
	{ "undo_note() refuses an invalid name of an event", test_bad_notes },
	{ "cleanup removes the probe of a killed recorder and no other event", test_killed },
	{ "the removal of a busy probe is retried and then left for cleanup", test_busy },
	{ "a trigger with :pause is refused if it could pause another user's trigger",
	  test_paused },
	{ "a trigger with name= is refused if another user's histogram has that name",
	  test_named });
