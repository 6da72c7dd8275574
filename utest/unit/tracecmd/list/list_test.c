// SPDX-License-Identifier: GPL-2.0
/*
 * list_test.c - `trace-cmd hist list` over a made-up tracefs
 *
 * Each part is written into memory, as text and as JSON.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "tracecmd/list/list.h"
#include "utest/unit/lib/event/format_file.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/target/fake_target.h"

/* The words that capabilities are known by, as a kernel's README has them. */
static const char new_readme[] =
	"\t\t    stacktrace\n\t\t    hist (see below)\n      hist trigger\t- If set, events\n"
	"\t            [:nohitcount]\n or the special string 'common_stacktrace'.\n"
	" .buckets=size .percent .graph\n $arg<N>\n long[] stack'\n";
static const char old_readme[] =
	"\t\t    stacktrace\n      hist trigger\t- If set, events\n"
	" or the special string 'stacktrace'.\n .buckets=size\n";

static const char *release; /* one that goes with the README */
static char dir[64];
static struct fake_target *fake;
static struct list list;
static char *shown;
static size_t shown_len;

static int set_up(void)
{
	snprintf(dir, sizeof(dir), "/tmp/list-test-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	fake = fake_target_new(dir);
	return fake ? 0 : -1;
}

static int tear_down(void)
{
	char command[128];

	free(fake->target.uname);
	target_free(&fake->target);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command);
}

static void put(const char *path, const char *text)
{
	CU_ASSERT_EQUAL_FATAL(fake_target_put(fake, path, text), 0);
}

static void put_format(const char *system, const char *name)
{
	char path[128], *text;
	size_t len;

	text = format_text(name, &len);
	snprintf(path, sizeof(path), "events/%s/%s/format", system, name);
	put(path, text);
	free(text);
}

/* A machine with two events and nothing set. */
static void fresh(const char *readme)
{
	char command[256];

	snprintf(command, sizeof(command), "rm -rf %s/* && mkdir %s/instances", dir, dir);
	CU_ASSERT_EQUAL_FATAL(system(command), 0);
	release = readme == old_readme ? "5.15" : "6.16";
	put("README", readme);
	put("trace_clock", "local [mono] tai\n");
	put("available_events", "sched:sched_switch\nkmem:kmalloc\n");
	put_format("sched", "sched_switch");
	put_format("kmem", "kmalloc");
}

static void begin(bool json)
{
	memset(&list, 0, sizeof(list));
	list.target = &fake->target;
	free(list.target->uname);
	CU_ASSERT_TRUE_FATAL(asprintf(&list.target->uname, "Linux \033[31mred %s x86_64", release) > 0);
	CU_ASSERT_EQUAL_FATAL(capability_detect(&list.caps, list.target), 0);
	list.to = open_memstream(&shown, &shown_len);
	if (json) {
		list.json = json_writer_new(list.to, false);
		json_object_begin(list.json, NULL);
	}
}

/* What was shown is in @shown. */
static void end(void)
{
	if (list.json) {
		json_object_end(list.json);
		CU_ASSERT_EQUAL(json_writer_free(list.json), 0);
	}
	CU_ASSERT_EQUAL(hist_strbuf_flush(&list.text, list.to), 0);
	fclose(list.to);
	hist_strbuf_free(&list.text);
	capability_clear(&list.caps);
}

static void has(const char *text)
{
	if (!strstr(shown, text)) {
		printf("\nno \"%s\" in:\n%s\n", text, shown);
		CU_FAIL("not shown");
	}
}

static void lacks(const char *text)
{
	if (strstr(shown, text)) {
		printf("\n\"%s\" in:\n%s\n", text, shown);
		CU_FAIL("shown");
	}
}

/* Nothing that a terminal would obey but newlines. */
static void harmless(void)
{
	size_t i;

	for (i = 0; i < shown_len; i++) {
		unsigned char c = shown[i];

		if ((c < ' ' && c != '\n') || c == 0x7f || c >= 0x80) {
			printf("\nbyte %02x at %zu of:\n%s\n", c, i, shown);
			CU_FAIL("a control character");
			return;
		}
	}
}

static void test_patterns(void)
{
	static const struct {
		const char *pattern;
		bool matches;
	} cases[] = {
		{ "sched", true }, { "sched_switch", true }, { "sched:sched_switch", true },
		{ "sched/sched_switch", true }, { "sched:*", true }, { "s*:*sw?tch", true },
		{ "*_switch", true }, { "*", true }, { "*:*", true }, { "sche", false },
		{ "sched:", false }, { ":sched_switch", false }, { "kmem:*", false },
		{ "sched:sched", false }, { "", false }, { "[", false },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (list_name_matches("sched:sched_switch", cases[i].pattern) != cases[i].matches)
			CU_FAIL(cases[i].pattern);
}

static void test_fields(void)
{
	char one[] = "sched_switch", *patterns[] = { one };

	fresh(new_readme);
	begin(false);
	CU_ASSERT_EQUAL(list_events(&list, patterns, 1), 0);
	end();
	has("sched:sched_switch\n    FIELD       TYPE ");
	has("    prev_comm   char[16]    16          no                               yes\n");
	has("    prev_pid    pid_t        4  signed  yes .hex .percent .graph         "
	    "yes .hex .sym .sym-offset .syscall .log2[=K] .buckets=N\n");
	has("    common_pid            int                    4  signed  yes .hex .percent .graph"
	    "         yes .hex .sym .sym-offset .execname .syscall .log2[=K] .buckets=N\n");
	has("    common_timestamp      the event's time                  yes .hex .usecs .percent "
	    ".graph  yes .hex .sym .sym-offset .log2 .buckets=N .usecs\n");
	has("    common_stacktrace     the kernel stack                  no"
	    "                               yes\n");
	lacks("kmalloc");
	free(shown);
}

/* An older kernel: other names, and without the modifiers that it does not know. */
static void test_old_kernel(void)
{
	char one[] = "kmem:kmalloc", *patterns[] = { one };

	fresh(old_readme);
	begin(false);
	CU_ASSERT_EQUAL(list_events(&list, patterns, 1), 0);
	end();
	has("    bytes_req    size_t            8          yes .hex                         "
	    "yes .hex .sym .sym-offset .syscall .log2 .buckets=N\n");
	has("    stacktrace  ");
	has("    hitcount              the number of hits                yes"
	    "                              no\n");
	lacks("common_stacktrace");
	lacks(".percent");
	free(shown);
}

static void test_several(void)
{
	char all[] = "*:*", *patterns[] = { all }, wrong[] = "kmaloc", *bad[] = { wrong };

	fresh(new_readme);
	put("events/ftrace/print/trigger", "");
	begin(false);
	CU_ASSERT_EQUAL(list_events(&list, patterns, 1), 0);
	end();
	CU_ASSERT_STRING_EQUAL(shown, "ftrace:print\nkmem:kmalloc\nsched:sched_switch\n");
	free(shown);
	begin(false);
	CU_ASSERT_EQUAL(list_events(&list, bad, 1), -ENOENT);
	end();
	CU_ASSERT_STRING_EQUAL(shown, "");
	free(shown);
}

static void test_fields_json(void)
{
	char one[] = "sched_switch", *patterns[] = { one };

	fresh(new_readme);
	begin(true);
	CU_ASSERT_EQUAL(list_events(&list, patterns, 1), 0);
	end();
	has("{\"name\":\"prev_comm\",\"type\":\"char[16]\",\"size\":16,\"signed\":false,"
	    "\"key\":{\"bare\":\"yes\",\"modifiers\":[],\"meaningless\":[\"hex\",\"sym\",\"sym-offset\","
	    "\"syscall\",\"log2\",\"buckets\",\"usecs\"]},\"value\":{\"bare\":\"meaningless\","
	    "\"modifiers\":[],\"meaningless\":[\"hex\",\"usecs\",\"percent\",\"graph\"]}}");
	has("\"events\":[{\"event\":\"sched:sched_switch\",\"fields\":[");
	free(shown);
}

/* Names that a module or a program on the target chose. */
static void test_hostile(void)
{
	char all[] = "*", *patterns[] = { all };

	fresh(new_readme);
	put("available_events", "evil:\033[2Jx\nevil:\xc2\x9b" "31m\nevil:a\rb\nevil:\xe2\x80\xae\xff\n"
				"nocolon\n");
	put("events/evil/a\rb/trigger", "hist:keys=x\033c:vals=hitcount [active]\n");
	put("events/evil/a\rb/hist",
	    "# event histogram\n#\n# trigger info: hist:keys=x\n#\n\n\n"
	    "Totals:\n    Hits: 1\n    Entries: 2\n    Dropped: 3\n\n"
	    "Totals:\n    Hits: 7\n    Entries: 3\n    Dropped: 9\n");
	begin(false);
	CU_ASSERT_EQUAL(list_events(&list, patterns, 1), 0);
	CU_ASSERT_EQUAL(list_hists(&list), 0);
	list_put(&list, list.target->uname, 0);
	CU_ASSERT_EQUAL(list_kernel(&list), 0);
	end();
	harmless();
	has("evil:\\x1b[2Jx\n");
	has("evil:\\u009b31m\n");
	has("evil:a\\rb\n    hist:keys=x\\x1bc:vals=hitcount [active]\n"
	    "    hits 7, entries 3, dropped 9\n");
	has("evil:\\u202e\\xff\n");
	has("\\x1b[31mred");
	lacks("nocolon");
	free(shown);

	/* the name of an event that is suggested goes through message_error(), which escapes */
	begin(true);
	CU_ASSERT_EQUAL(list_events(&list, patterns, 1), 0);
	end();
	has("\"evil:\\u001b[2Jx\"");
	has("\xef\xbf\xbd"); /* no UTF-8 */
	free(shown);
}

static void test_hists(void)
{
	fresh(new_readme);
	put("events/sched/sched_switch/trigger", "# Available triggers:\n# traceon hist\n");
	put("instances/one/events/sched/sched_switch/trigger",
	    "stacktrace:unlimited\nhist:keys=next_pid:vals=hitcount [paused]\n"
	    "hist:keys=next_comm:vals=hitcount [active]\n");
	put("instances/one/events/sched/sched_switch/hist",
	    "# event histogram\n#\n# trigger info: hist:keys=next_pid:vals=hitcount [paused]\n#\n\n\n"
	    "Totals:\n    Hits: 5\n    Entries: 2\n    Dropped: 0\n\n\n"
	    "# event histogram\n#\n# trigger info: hist:keys=next_comm:vals=hitcount [active]\n#\n\n"
	    "{ next_comm: Totals:\n    Hits: 9 } hitcount: 1\n\n"
	    "Totals:\n    Hits: 6\n    Entries: 1\n    Dropped: 4\n");
	begin(false);
	CU_ASSERT_EQUAL(list_hists(&list), 0);
	end();
	CU_ASSERT_STRING_EQUAL(shown,
		"sched:sched_switch in instance one\n    hist:keys=next_pid:vals=hitcount [paused]\n"
		"    hits 5, entries 2, dropped 0\n"
		"sched:sched_switch in instance one\n    hist:keys=next_comm:vals=hitcount [active]\n"
		"    hits 6, entries 1, dropped 4\n");
	free(shown);

	/* a hist file that cannot be read is said, not left out */
	put("instances/one/events/sched/sched_switch/hist", "garbage");
	begin(true);
	CU_ASSERT_EQUAL(list_hists(&list), 0);
	end();
	has("{\"instance\":\"one\",\"event\":\"sched:sched_switch\",\"trigger\":"
	    "\"hist:keys=next_pid:vals=hitcount [paused]\",\"hits\":null,\"entries\":null,"
	    "\"dropped\":null}");
	free(shown);

	fresh(new_readme);
	begin(false);
	CU_ASSERT_EQUAL(list_hists(&list), 0);
	end();
	CU_ASSERT_STRING_EQUAL(shown, "no hist triggers\n");
	free(shown);
}

static void test_capabilities(void)
{
	fresh(old_readme);
	put("synthetic_events", "");
	put("kprobe_events", "");
	put("uprobe_events", "");
	put("options/event-fork", "0");
	begin(false);
	list.verbose = true;
	CU_ASSERT_TRUE(capability_is_present(&list.caps, CAP_HIST_TRIGGERS));
	CU_ASSERT_TRUE(capability_is_present(&list.caps, CAP_SYNTHETIC_EVENTS));
	CU_ASSERT_TRUE(capability_is_present(&list.caps, CAP_BUCKETS));
	CU_ASSERT_FALSE(capability_is_present(&list.caps,
					      CAP_STACK_FIELDS)); /* the file alone is not enough */
	CU_ASSERT_FALSE(capability_is_present(&list.caps, CAP_PROBE_ARGUMENTS));
	CU_ASSERT_TRUE(capability_is_present(&list.caps, CAP_UPROBES));
	/* the README lacks the word of semaphores; the fake target cannot list tasks */
	CU_ASSERT_FALSE(capability_is_present(&list.caps, CAP_USDT));
	CU_ASSERT_TRUE(capability_is_present(&list.caps, CAP_TASK_CHILDREN));
	CU_ASSERT_FALSE(capability_is_present(&list.caps, CAP_TASK_EXCLUSION));
	CU_ASSERT_EQUAL(list.caps.has[CAP_CGROUPS], PRESENCE_UNKNOWN);
	CU_ASSERT_FALSE(capability_is_present(&list.caps, CAP_MACHINE_NAMES));
	CU_ASSERT_EQUAL(list.caps.has[CAP_POLL], PRESENCE_UNKNOWN);
	CU_ASSERT_STRING_EQUAL(list.caps.clocks, "local [mono] tai");
	CU_ASSERT_EQUAL(list_kernel(&list), 0);
	end();
	has("yes  hist_triggers     histograms counted in the kernel; since Linux 4.7, CONFIG_HIST_TRIGGERS");
	has("no   common_stacktrace a newer name for the key stacktrace; since Linux 6.4\n"
	    "                       Use keys=stacktrace, which all kernels accept.\n");
	has("?    poll ");
	free(shown);

	/* no hist triggers at all */
	fresh("tracing mini-HOWTO:\n");
	begin(false);
	list.verbose = true;
	CU_ASSERT_EQUAL(list.caps.has[CAP_CGROUPS], PRESENCE_NO);
	CU_ASSERT_FALSE(capability_is_present(&list.caps, CAP_HIST_TRIGGERS));
	CU_ASSERT_EQUAL(list_kernel(&list), 0);
	end();
	has("no   hist_triggers     ");
	has("                       Without hist triggers, `record` and `top` read the");
	has("no   buckets           linear buckets of keys with .buckets=N; since Linux 5.14\n"
	    "                       Needs hist_triggers, which this kernel lacks.\n"
	    "                       --engine user supports this on any kernel.\n");
	has("no   poll              waiting for the hist file to change; since Linux 6.14\n"
	    "                       Needs hist_triggers, which this kernel lacks.\nno   hist_raw ");
	free(shown);

	/* without -v, what the user-space engine replaces is not lacking */
	fresh("tracing mini-HOWTO:\n");
	begin(false);
	CU_ASSERT_EQUAL(list_kernel(&list), 0);
	end();
	has("\nlacks         hist_triggers ");
	has("\n--engine user synthetic_events stack_keys common_stacktrace common_comm\n"
	    "              stack_fields buckets fine_log2 percent_graph nohitcount\n");
	free(shown);
	fresh("tracing mini-HOWTO:\n");
	begin(true);
	CU_ASSERT_EQUAL(list_kernel(&list), 0);
	end();
	has("\"instead\":\"Use .log2 for keys that are numbers.\",\"engine_user\":true");
	has("this project add hist_raw.\",\"engine_user\":false");
	free(shown);

	/* a kernel with the patches, or with numbers in expressions */
	fresh(old_readme);
	begin(false);
	CU_ASSERT_FALSE(capability_is_present(&list.caps, CAP_FINE_LOG2));
	end();
	free(shown);
	fresh(new_readme);
	begin(false);
	CU_ASSERT_TRUE(capability_is_present(&list.caps, CAP_FINE_LOG2));
	end();
	free(shown);
	fresh("      hist trigger\t- If set, events\n .log2=bits  display\n .buckets=size\n");
	begin(false);
	list.verbose = true;
	CU_ASSERT_TRUE(capability_is_present(&list.caps, CAP_FINE_LOG2));
	CU_ASSERT_EQUAL(list_kernel(&list), 0);
	end();
	has("yes  fine_log2         finer buckets of keys with .log2=K; since Linux 5.16\n");
	free(shown);

	/* the README's word without the file */
	fresh(new_readme);
	put("synthetic_events", "");
	begin(false);
	CU_ASSERT_TRUE(capability_is_present(&list.caps, CAP_STACK_FIELDS));
	CU_ASSERT_FALSE(capability_is_present(&list.caps, CAP_PROBE_ARGUMENTS));
	end();
	free(shown);

	/* a README that is not there is no reason to know nothing; one that fails is */
	fresh(new_readme);
	fake->fail_op = "read";
	fake->fail_path = "README";
	fake->fail_times = -1;
	fake->fail_err = -ENOENT;
	begin(false);
	CU_ASSERT_EQUAL(list.caps.has[CAP_HIST_TRIGGERS], PRESENCE_UNKNOWN);
	CU_ASSERT_EQUAL(list.caps.has[CAP_INSTANCES], PRESENCE_YES);
	end();
	free(shown);
	fake->fail_err = -EACCES;
	CU_ASSERT_EQUAL(capability_detect(&list.caps, &fake->target), -EACCES);
	CU_ASSERT_PTR_NULL(list.caps.clocks);
	fake->fail_op = NULL;
}

static void test_kernel_config(void)
{
	struct list_config config;
	char path[128], command[1024];

	put("config", "# CONFIG_KPROBE_EVENTS is not set\nCONFIG_HIST_TRIGGERS=y\nCONFIG_NFS=m\n"
		      "CONFIG_HZ=250\nCONFIG_HIST_TRIGGERS_DEBUG=y\nCONFIG_YES=\"yes\"\n");
	snprintf(path, sizeof(path), "%s/config", dir);
	CU_ASSERT_EQUAL_FATAL(list_config_read_file(&config, path), 0);
	CU_ASSERT_EQUAL(list_config_get(&config, "HIST_TRIGGERS", 13), 'y');
	CU_ASSERT_EQUAL(list_config_get(&config, "HIST", 4), 'n');
	CU_ASSERT_EQUAL(list_config_get(&config, "KPROBE_EVENTS", 13), 'n');
	CU_ASSERT_EQUAL(list_config_get(&config, "NFS", 3), 'm');
	CU_ASSERT_EQUAL(list_config_get(&config, "HZ", 2), '?');
	CU_ASSERT_EQUAL(list_config_get(&config, "YES", 3), '?');
	list_config_clear(&config);
	CU_ASSERT_EQUAL(list_config_get(&config, "NFS", 3), '?');

	/* longer than one read, and compressed */
	snprintf(command, sizeof(command),
		 "yes '# some long comment of a configuration' | head -c 1000000 >%s.long && "
		 "echo >>%s.long && cat %s >>%s.long && gzip -c %s.long >%s.gz",
		 path, path, path, path, path, path);
	CU_ASSERT_EQUAL_FATAL(system(command), 0);
	snprintf(path, sizeof(path), "%s/config.gz", dir);
	CU_ASSERT_EQUAL_FATAL(list_config_read_file(&config, path), 0);
	CU_ASSERT_EQUAL(strlen(config.text) > 1000000, true);
	CU_ASSERT_EQUAL(list_config_get(&config, "NFS", 3), 'm');
	CU_ASSERT_STRING_EQUAL(config.source, path);
	list_config_clear(&config);
	snprintf(path, sizeof(path), "%s/nonesuch", dir);
	CU_ASSERT_EQUAL(list_config_read_file(&config, path), -ENOENT);
	CU_ASSERT_PTR_NULL(config.text);
}

static void test_wrap(void)
{
	fresh(new_readme);
	begin(false);
	list_put(&list, "title", 10);
	list_wrap(&list, "one two  three", 10, 10);
	list_wrap(&list, "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffff 12345678 x y", 10, 10);
	list_wrap(&list, "", 10, 10);
	end();
	CU_ASSERT_STRING_EQUAL(shown,
		"title     one two three\n"
		"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffff 12345678\n"
		"          x y\n\n");
	free(shown);
}

/* What the kernel cannot count our engine can; what is no event nobody can. */
static void test_presets(void)
{
	fresh("tracing mini-HOWTO:\n");
	begin(false);
	list.engine = true;
	CU_ASSERT_EQUAL(list_presets(&list, NULL, 0), 0);
	end();
	/* what all presets lack is told once */
	has("# only with --engine user: no hist triggers (CONFIG_HIST_TRIGGERS), unless a preset says "
	    "otherwise\n");
	CU_ASSERT_PTR_NULL(strstr(strstr(shown, "no hist triggers") + 1, "no hist triggers"));
	/* lock-contention: its events are not there */
	has(" not supported: no event lock:contention_begin\n");
	free(shown);

	begin(true);
	list.engine = true;
	CU_ASSERT_EQUAL(list_presets(&list, NULL, 0), 0);
	end();
	has("\"usable\":true,\"engine\":\"user\",\"lacks\":null");
	has("\"usable\":false,\"engine\":null,\"lacks\":\"no event lock:contention_begin\"");
	free(shown);

	/* no engine for this target */
	begin(false);
	CU_ASSERT_EQUAL(list_presets(&list, NULL, 0), 0);
	end();
	lacks("--engine user");
	has("# not supported: no hist triggers (CONFIG_HIST_TRIGGERS), unless ");
	free(shown);
}

/* Names are those of the presets or of other tools. */
static void test_preset_names(void)
{
	char *names[] = { "hardirqs", "block-latency" }, *unknown[] = { "profile" };

	fresh("tracing mini-HOWTO:\n");
	begin(false);
	CU_ASSERT_EQUAL(list_presets(&list, NULL, 0), 0);
	end();
	has("block-latency            Latency of block I/O, by kind and device (biolatency)\n");
	has("\n  cpuunclaimed llcstat profile\n");
	free(shown);

	begin(false);
	CU_ASSERT_EQUAL(list_presets(&list, names, 2), 0);
	end();
	CU_ASSERT_EQUAL(strncmp(shown, "# Time in interrupts and softirqs\n", 34), 0);
	has("\nalias: hardirqs (bcc)\n");
	has("\n--latency irq:irq_handler_entry:irq,");
	has("\n-k dev,lat.log2=3\n-v lat\n");
	lacks("lock-contention");
	free(shown);

	begin(true);
	CU_ASSERT_EQUAL(list_presets(&list, names, 1), 0);
	end();
	has("\"name\":\"irq-time\",\"path\":null,");
	has("\"aliases\":[{\"name\":\"hardirqs\",\"tools\":\"bcc\"},{\"name\":\"softirqs\"");
	free(shown);

	begin(false);
	CU_ASSERT_EQUAL(list_presets(&list, unknown, 1), -ENOENT);
	end();
	free(shown);
}

UNIT_TESTS_WITH(
	set_up, tear_down,
	{ "a pattern of list matches the system, the name or both of an event", test_patterns },
	{ "list shows the type, the size and the modifiers of each field of an event",
	  test_fields },
	{ "list shows only the names and modifiers that an older kernel has", test_old_kernel },
	{ "list shows only the names of several events and reports a pattern without a match",
	  test_several },
	{ "list writes fields and their modifiers as JSON", test_fields_json },
	{ "list escapes control characters in names that the target chose", test_hostile },
	{ "list shows each hist trigger with its totals, or null if the totals are unreadable",
	  test_hists },
	{ "list derives the capabilities of a kernel from its README and its files",
	  test_capabilities },
	{ "list shows for each preset whether the kernel or the user-space engine can count it",
	  test_presets },
	{ "list --presets NAME prints a recipe by its name or alias", test_preset_names },
	{ "list_config_get() reads options from a plain or compressed configuration",
	  test_kernel_config },
	{ "list_wrap() breaks lines only between words and indents them", test_wrap });
