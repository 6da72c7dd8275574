// SPDX-License-Identifier: GPL-2.0
/*
 * target_recording_test.c - the files of tracefs that a recording of events has
 *
 * utest/data/events/several.dat was recorded by the stock trace-cmd, with two buffers.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/CUnit.h>

#include "lib/ringbuf/events.h"
#include "tracecmd/target/target_recording.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static struct hist_events *events;
static struct hist_target *target;

static int set_up(void)
{
	struct hist_error error = { 0 };

	return hist_events_open(&events, test_data_path("events/several.dat"), &error) ||
	       target_recording_new(&target, events, 0);
}

static int tear_down(void)
{
	target_free(target);
	hist_events_free(events);
	return 0;
}

/* The text of a file, or NULL with the error in errno. */
static const char *text_of(const char *path)
{
	static struct target_buf buf;
	int ret = target->ops->read(target, path, &buf);

	errno = -ret;
	if (!ret)
		CU_ASSERT_EQUAL(strlen(buf.data), buf.len);
	return ret ? NULL : buf.data;
}

static void test_machine(void)
{
	const struct hist_events_machine *machine = hist_events_machine(events);

	CU_ASSERT_STRING_EQUAL(target->uname, machine->uname ? machine->uname : "");
	CU_ASSERT_EQUAL(target->cpus, 2);
	CU_ASSERT_EQUAL(target->page_size, 4096);
	CU_ASSERT_EQUAL(target->long_size, 8);
	CU_ASSERT_FALSE(target->big_endian);
	CU_ASSERT_PTR_NOT_NULL(strstr(text_of("trace_clock"), "[mono]"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text_of("events/header_page"), "field: u64 timestamp;"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text_of("events/header_event"), "compressed entry header"));
	/* nothing that would change or wait for a machine */
	CU_ASSERT_PTR_NULL(target->ops->write);
	CU_ASSERT_PTR_NULL(target->ops->clock);
	CU_ASSERT_PTR_NULL(target->ops->mkdir);
}

static void test_events(void)
{
	struct target_buf systems = { 0 }, names = { 0 };
	unsigned int listed = 0, available = 0;
	char path[200], line[200];
	const char *s, *e, *text;

	CU_ASSERT_EQUAL(target->ops->list(target, "events", &systems), 0);
	for (s = systems.data; *s; s += strlen(s) + 1) {
		snprintf(path, sizeof(path), "events/%s", s);
		CU_ASSERT_EQUAL(target->ops->exists(target, path), 1);
		CU_ASSERT_EQUAL(target->ops->list(target, path, &names), 0);
		for (e = names.data; *e; e += strlen(e) + 1, listed++) {
			snprintf(path, sizeof(path), "events/%s/%s/format", s, e);
			snprintf(line, sizeof(line), "name: %s\nID: ", e);
			text = text_of(path);
			CU_ASSERT_PTR_NOT_NULL_FATAL(text);
			CU_ASSERT_EQUAL(strncmp(text, line, strlen(line)), 0);
			snprintf(path, sizeof(path), "events/%s/%s/trigger", s, e);
			CU_ASSERT_STRING_EQUAL(text_of(path), "");
			snprintf(line, sizeof(line), "%s:%s\n", s, e);
			CU_ASSERT_PTR_NOT_NULL(strstr(text_of("available_events"), line));
		}
	}
	for (text = text_of("available_events"); *text; text++)
		available += *text == '\n';
	CU_ASSERT_EQUAL(listed, available);
	CU_ASSERT_EQUAL(listed, 22);
	CU_ASSERT_EQUAL(systems.data + systems.len, s);
	free(systems.data);
	free(names.data);
}

static void test_absent(void)
{
	static const struct {
		const char *path;
		int exists;
	} paths[] = {
		{ "events", 1 }, { "events/sched", 1 }, { "events/sched/", 1 }, { "events/sched/enable", 1 },
		{ "events/enable", 0 }, { "events/sched/sched_switch", 1 },
		{ "events/sched/sched_switch/format", 1 }, { "events/sched/sched_switch/enable", 1 },
		{ "events/sched/sched_switch/trigger", 1 }, { "events/sched/sched_switch/hist", 0 },
		{ "events/sched/sched_switch/format/x", 0 }, { "events/sched/nothing/format", 0 },
		{ "events/nothing", 0 }, { "eventsx/sched", 0 }, { "trace_clock", 1 }, { "trace", 0 },
		{ "instances/x/events/sched", 0 }, { "events/sched_switch/sched", 0 },
	};
	struct target_buf buf = { 0 };
	char system[300] = "events/";
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		CU_ASSERT_EQUAL(target->ops->exists(target, paths[i].path), paths[i].exists);
	CU_ASSERT_PTR_NULL(text_of("events/sched/nothing/format"));
	CU_ASSERT_EQUAL(errno, ENOENT);
	CU_ASSERT_PTR_NULL(text_of("events/sched/sched_switch/hist"));
	CU_ASSERT_EQUAL(errno, ENOENT);
	CU_ASSERT_PTR_NULL(text_of("trace"));
	CU_ASSERT_EQUAL(errno, ENOENT);
	CU_ASSERT_EQUAL(target->ops->list(target, "events/nothing", &buf), -ENOENT);
	CU_ASSERT_EQUAL(target->ops->list(target, "events/sched/sched_switch", &buf), -ENOENT);
	/* a name that is longer than any system's */
	memset(system + 7, 'a', 200);
	CU_ASSERT_EQUAL(target->ops->exists(target, system), 0);
	CU_ASSERT_PTR_NULL(text_of(system));
	free(buf.data);
}

static void test_memory(void)
{
	struct hist_target *t = NULL;
	int ret = -ENOMEM;
	long i;

	for (i = 0; ret; i++) {
		alloc_fail_after(i);
		ret = target_recording_new(&t, events, 1);
		alloc_fail_after(-1);
		CU_ASSERT_FATAL(!ret || ret == -ENOMEM);
		CU_ASSERT_EQUAL(!ret, t != NULL);
	}
	CU_ASSERT_TRUE(i > 1);
	target_free(t);
}

UNIT_TESTS_WITH(set_up, tear_down,
	{ "the target is the machine of the recording, and cannot be changed", test_machine },
	{ "each recorded event has a format and an empty trigger file", test_events },
	{ "what the recording does not have is absent", test_absent },
	{ "a failed allocation is reported", test_memory });
