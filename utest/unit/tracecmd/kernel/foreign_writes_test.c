// SPDX-License-Identifier: GPL-2.0
/*
 * foreign_writes_test.c - which writes are noticed, in an ordinary directory
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "tracecmd/kernel/foreign_writes.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/target/fake_target.h"

static char dir[] = "/tmp/foreign_writes_XXXXXX";
static struct fake_target *fake;
static struct hist_target_ops ops;

static int open_descriptor(struct hist_target *t, const char *path)
{
	int fd = openat(((struct fake_target *)t)->dir, path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int set_up(void)
{
	static const char *const files[] = {
		"tracing_on", "trace_marker", "set_event_pid", "trace_pipe", "options/event-fork",
		"per_cpu/cpu0/trace", "events/enable", "events/a/enable", "events/a/b/trigger",
		"events/a/c/trigger",
	};
	char path[64];
	unsigned int i;
	int bad = 0;

	fake = mkdtemp(dir) ? fake_target_new(dir) : NULL;
	if (!fake)
		return 1;
	ops = *fake->target.ops;
	ops.descriptor = open_descriptor;
	fake->target.ops = &ops;
	fake->target.cpus = 1;
	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		snprintf(path, sizeof(path), "instances/x/%s", files[i]);
		bad |= fake_target_put(fake, path, "");
	}
	return bad;
}

static int tear_down(void)
{
	char command[64];

	target_free(&fake->target);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command);
}

static void begin(struct foreign_writes *f, unsigned int matters)
{
	CU_ASSERT_EQUAL(foreign_writes_begin(f, &fake->target, matters), 0);
	CU_ASSERT_EQUAL(foreign_writes_watch_instance(f, "instances/x"), 0);
	CU_ASSERT_EQUAL(foreign_writes_watch_event(f, "instances/x", "a", "b"), 0);
	CU_ASSERT_EQUAL(foreign_writes_watch_event(f, "instances/x", "a", "none"), 0);
}

/* The number of changes that are noticed after @file was opened with @flags, and written. */
static unsigned int change(struct foreign_writes *f, const char *file, int flags, bool own)
{
	unsigned int before = f->count;
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/instances/x/%s", dir, file);
	fd = open(path, flags);
	CU_ASSERT_TRUE(fd >= 0);
	if (flags & O_WRONLY)
		CU_ASSERT_EQUAL(write(fd, "1", 1), 1);
	close(fd);
	foreign_writes_look(f, own);
	return f->count - before;
}

static void test_engines(void)
{
	static const struct {
		const char *file;
		bool kernel, user, lasts;
	} rows[] = {
		{ "trace_marker", false, false, false },
		{ "events/a/c/trigger", false, false, false },
		{ "tracing_on", false, true, false },
		{ "per_cpu/cpu0/trace", false, true, false },
		{ "events/enable", false, true, false },
		{ "events/a/enable", false, true, false },
		{ "events/a/b/trigger", true, true, false },
		{ "set_event_pid", true, true, true },
	};
	struct foreign_writes kernel, user;
	unsigned int i;

	begin(&kernel, FOREIGN_KERNEL);
	begin(&user, FOREIGN_USER);
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		CU_ASSERT_EQUAL(change(&kernel, rows[i].file, O_WRONLY, false), rows[i].kernel);
		foreign_writes_look(&user, false);
		CU_ASSERT_EQUAL(user.count > 0, rows[i].user);
		CU_ASSERT_EQUAL(user.lasts, rows[i].lasts);
		user.count = 0;
	}
	CU_ASSERT_STRING_EQUAL(kernel.name, "trigger");
	CU_ASSERT_STRING_EQUAL(user.name, "tracing_on");
	CU_ASSERT_EQUAL(change(&kernel, "trace_pipe", O_RDONLY, false), 0);
	foreign_writes_look(&user, false);
	CU_ASSERT_EQUAL(user.count, 1);
	foreign_writes_end(&kernel);
	foreign_writes_end(&user);
}

static void test_own_tasks(void)
{
	struct foreign_writes f;

	begin(&f, FOREIGN_KERNEL);
	CU_ASSERT_EQUAL(change(&f, "options/event-fork", O_WRONLY, false), 0);
	CU_ASSERT_EQUAL(change(&f, "set_event_pid", O_WRONLY, true), 0);
	CU_ASSERT_FALSE(f.lasts);
	CU_ASSERT_TRUE(change(&f, "events/a/b/trigger", O_WRONLY, true) > 0);
	foreign_writes_end(&f);
	begin(&f, FOREIGN_KERNEL | FOREIGN_FORKS);
	CU_ASSERT_TRUE(change(&f, "options/event-fork", O_WRONLY, false) > 0);
	foreign_writes_end(&f);
}

static void test_end(void)
{
	struct foreign_writes f;
	char path[64];
	int fd;

	begin(&f, FOREIGN_USER);
	snprintf(path, sizeof(path), "%s/instances/x/tracing_on", dir);
	fd = open(path, O_WRONLY | O_TRUNC);
	CU_ASSERT_EQUAL(write(fd, "1", 1), 1);
	close(fd);
	foreign_writes_end(&f);
	CU_ASSERT_TRUE(f.count > 0);
	CU_ASSERT_EQUAL(change(&f, "tracing_on", O_WRONLY, false), 0);
	ops.descriptor = NULL;
	begin(&f, FOREIGN_USER);
	CU_ASSERT_EQUAL(change(&f, "tracing_on", O_WRONLY, false), 0);
	ops.descriptor = open_descriptor;
}

UNIT_TESTS_WITH(set_up, tear_down,
	{ "each engine notices the files that stop it", test_engines },
	{ "the recorder's own changes of task lists are left out", test_own_tasks },
	{ "the last look is at the end, and a remote target is not watched", test_end });
