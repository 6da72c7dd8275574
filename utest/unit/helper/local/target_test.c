// SPDX-License-Identifier: GPL-2.0
/*
 * target_test.c - paths, buffers, lists and tasks, as each kind of target uses them
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "helper/local/target.h"
#include "helper/local/task_list.h"
#include "helper/local/tracefs_dir.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static void test_paths(void)
{
	static const struct {
		const char *path;
		bool is_valid;
	} paths[] = {
		{ "trace", true }, { "instances/x/trace", true }, { "..x/y..", true }, { "a/...", true },
		{ ".", true }, { "a//b", true }, { "", false }, { "/", false }, { "/trace", false },
		{ "..", false }, { "../a", false }, { "a/..", false }, { "a/../b", false }, { "a//..", false },
	};
	char longest[TARGET_PATH_MAX + 1];
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		CU_ASSERT_EQUAL(target_path_is_valid(paths[i].path), paths[i].is_valid);
	memset(longest, 'a', sizeof(longest));
	longest[TARGET_PATH_MAX - 1] = '\0';
	CU_ASSERT_TRUE(target_path_is_valid(longest));
	longest[TARGET_PATH_MAX - 1] = 'a';
	longest[TARGET_PATH_MAX] = '\0';
	CU_ASSERT_FALSE(target_path_is_valid(longest));

	/* no other file outside tracefs, and no name that only begins or ends so */
	CU_ASSERT_TRUE(target_path_is_machine("/proc/interrupts"));
	CU_ASSERT_TRUE(target_path_is_machine("/proc/1/maps"));
	CU_ASSERT_TRUE(target_path_is_machine(TARGET_CPUS_ONLINE));
	CU_ASSERT_FALSE(target_path_is_machine("/proc/2/maps"));
	CU_ASSERT_FALSE(target_path_is_machine("/proc/interrupts/"));
	CU_ASSERT_FALSE(target_path_is_machine("proc/interrupts"));
	CU_ASSERT_TRUE(target_path_has_pages("per_cpu/cpu0/trace_pipe_raw"));
	CU_ASSERT_TRUE(target_path_has_pages("snapshot_raw"));
	CU_ASSERT_FALSE(target_path_has_pages("trace_pipe_raw/stats"));
	CU_ASSERT_FALSE(target_path_has_pages("per_cpu/cpu0/trace_pipe_raw2"));
	CU_ASSERT_TRUE(target_truncation_harms("events/a/b/trigger"));
	CU_ASSERT_TRUE(target_truncation_harms("uprobe_events"));
	CU_ASSERT_FALSE(target_truncation_harms("events/a/trigger/filter"));
	CU_ASSERT_FALSE(target_truncation_harms("set_event"));
}

static void test_clocks(void)
{
	static const struct {
		const char *text, *clock;
	} clocks[] = {
		{ "local [global] mono\n", "global" }, { "[local] global\n", "local" }, { "[x86-tsc]", "x86-tsc" },
		{ "local global\n", NULL }, { "local [global\n", NULL }, { "local []\n", NULL }, { "", NULL },
		{ "a] [b]", "b" },
	};
	char *clock;
	size_t i;

	for (i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
		clock = target_parse_clock(clocks[i].text);
		CU_ASSERT_EQUAL(!clock, !clocks[i].clock);
		if (clock && clocks[i].clock)
			CU_ASSERT_STRING_EQUAL(clock, clocks[i].clock);
		free(clock);
	}
}

static void test_buffers(void)
{
	struct target_buf buf = { 0 };
	char *before;

	CU_ASSERT_EQUAL(target_buf_append(&buf, "one", 3), 0);
	CU_ASSERT_EQUAL(target_buf_append(&buf, "\0two", 4), 0);
	CU_ASSERT_EQUAL(buf.len, 7);
	CU_ASSERT_EQUAL(memcmp(buf.data, "one\0two", 8), 0);
	CU_ASSERT_EQUAL(target_buf_reserve(&buf, buf.room), 0);
	CU_ASSERT_EQUAL(target_buf_reserve(&buf, 3 * buf.room), 0);
	CU_ASSERT_EQUAL(memcmp(buf.data, "one\0two", 8), 0);
	/* a failure keeps what there is */
	before = buf.data;
	CU_ASSERT_EQUAL(target_buf_reserve(&buf, SIZE_MAX), -ENOMEM);
	alloc_fail_after(0);
	CU_ASSERT_EQUAL(target_buf_reserve(&buf, buf.room + 1), -ENOMEM);
	alloc_fail_after(-1);
	CU_ASSERT_PTR_EQUAL(buf.data, before);
	CU_ASSERT_STRING_EQUAL(buf.data + 4, "two");
	free(buf.data);
}

/* A pipe returns what is there, so that the text arrives in pieces. */
static void test_read_all(void)
{
	struct target_buf buf = { 0 };
	unsigned int i;
	int fds[2];

	CU_ASSERT_EQUAL_FATAL(pipe(fds), 0);
	fflush(NULL);
	if (!fork()) {
		for (i = 0; i < 30000; i++)
			dprintf(fds[1], "%u\n", i);
		_exit(0);
	}
	close(fds[1]);
	buf.len = 77;
	CU_ASSERT_EQUAL(target_read_all(fds[0], &buf), 0);
	wait(NULL);
	close(fds[0]);
	CU_ASSERT_EQUAL(buf.len, 10 * 2 + 90 * 3 + 900 * 4 + 9000 * 5 + 20000 * 6);
	CU_ASSERT_STRING_EQUAL(buf.data + buf.len - 12, "29998\n29999\n");
	CU_ASSERT_EQUAL(target_read_all(fds[0], &buf), -EBADF);
	CU_ASSERT_EQUAL(buf.len, 0);
	CU_ASSERT_STRING_EQUAL(buf.data, "");
	CU_ASSERT_EQUAL(target_read_file("absent", &buf), -ENOENT);
	CU_ASSERT_EQUAL(target_read_file("/proc/self/comm", &buf), 0);
	CU_ASSERT_TRUE(buf.len > 1 && buf.data[buf.len - 1] == '\n');
	free(buf.data);
}

static void test_lists(void)
{
	struct target_buf names = { 0 };
	char name[40], first = 'x';
	unsigned int i, found = 0;
	const char *at;

	CU_ASSERT_EQUAL(mkdir("list", 0755), 0);
	CU_ASSERT_EQUAL(target_list_dir(AT_FDCWD, "list", &names), 0);
	CU_ASSERT_EQUAL(names.len, 0);
	CU_ASSERT_EQUAL(names.data[0], '\0');
	/* more than fits into one system call */
	for (i = 0; i < 500; i++) {
		snprintf(name, sizeof(name), "list/a-name-that-is-long-%u", i);
		CU_ASSERT_EQUAL(mkdir(name, 0755), 0);
	}
	CU_ASSERT_EQUAL(target_list_dir(AT_FDCWD, "list", &names), 0);
	for (at = names.data; *at; at += strlen(at) + 1, found++)
		first = strncmp(at, "a-name-that-is-long-", 20) ? *at : first;
	CU_ASSERT_EQUAL(found, 500);
	CU_ASSERT_EQUAL(first, 'x');
	CU_ASSERT_EQUAL(at - names.data, (ssize_t)names.len);
	CU_ASSERT_EQUAL(target_list_dir(AT_FDCWD, "absent", &names), -ENOENT);
	CU_ASSERT_EQUAL(target_list_dir(AT_FDCWD, "/proc/self/comm", &names), -ENOTDIR);
	CU_ASSERT_EQUAL(system("rm -r list"), 0);
	free(names.data);
}

/* --- CPUs --- */

static const char *per_cpu; /* each name ends with a space */

static int list_cpus(struct hist_target *t, const char *path, struct target_buf *buf)
{
	size_t i;

	(void)t;
	CU_ASSERT_STRING_EQUAL(path, "per_cpu");
	if (!per_cpu)
		return -ENOENT;
	buf->len = 0;
	if (target_buf_append(buf, per_cpu, strlen(per_cpu)))
		return -ENOMEM;
	for (i = 0; i < buf->len; i++)
		buf->data[i] = buf->data[i] == ' ' ? '\0' : buf->data[i];
	return 0;
}

static void test_cpus(void)
{
	static const struct {
		const char *names;
		unsigned int n;
	} cases[] = {
		{ "cpu0 ", 1 }, { "cpu1 cpu0 ", 2 }, { "cpu0 cpu1 cpu3 ", 4 }, { "cpu10 cpu9 ", 11 }, { "", 1 }, { NULL, 1 },
		{ "cpu1x xcpu7 cpux cpu2 ", 3 }, { "cpu99999999999999999999 cpu5 ", 6 },
	};
	const struct hist_target_ops ops = { .list = list_cpus };
	struct hist_target t = { .ops = &ops };
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		per_cpu = cases[i].names;
		CU_ASSERT_EQUAL(target_count_cpus(&t), cases[i].n);
	}
}

/* --- tasks --- */

static pthread_barrier_t both;
static pid_t other_thread;

static void *thread_main(void *arg)
{
	other_thread = gettid();
	pthread_barrier_wait(&both);
	pthread_barrier_wait(&both);
	return arg;
}

static bool has_task(const char *text, pid_t tgid, pid_t pid, pid_t ppid)
{
	char lines[96];

	snprintf(lines, sizeof(lines), "\nTgid:\t%d\nPid:\t%d\nPPid:\t%d\n", (int)tgid, (int)pid, (int)ppid);
	return strstr(text, lines);
}

static void test_tasks(void)
{
	struct hist_target t = { 0 };
	struct target_buf buf = { 0 };
	pthread_t thread;
	char self[40];
	pid_t child;

	pthread_barrier_init(&both, NULL, 2);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, thread_main, NULL), 0);
	pthread_barrier_wait(&both);
	fflush(NULL);
	child = fork();
	if (!child) {
		pause();
		_exit(0);
	}
	CU_ASSERT_EQUAL(task_list_read(&t, NULL, &buf), 0);
	snprintf(self, sizeof(self), "Self:\t%d\n", (int)getpid());
	CU_ASSERT_EQUAL(strncmp(buf.data, self, strlen(self)), 0);
	CU_ASSERT_TRUE(has_task(buf.data, getpid(), getpid(), getppid()));
	CU_ASSERT_TRUE(has_task(buf.data, getpid(), other_thread, getppid()));
	CU_ASSERT_TRUE(has_task(buf.data, child, child, getpid()));
	/* nothing else of the status files */
	CU_ASSERT_PTR_NULL(strstr(buf.data, "Name:"));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	CU_ASSERT_EQUAL(task_list_read(&t, NULL, &buf), 0);
	CU_ASSERT_FALSE(has_task(buf.data, child, child, getpid()));
	pthread_barrier_wait(&both);
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&both);
	CU_ASSERT_TRUE(task_list_read(&t, "/no/such/group", &buf) < 0);
	CU_ASSERT_TRUE(task_list_read(&t, "../..", &buf) < 0);
	free(buf.data);
}

static void test_mounts(void)
{
	char *found = NULL;

	CU_ASSERT_EQUAL(target_find_mount("proc", &found), 0);
	CU_ASSERT_STRING_EQUAL(found ? found : "", "/proc");
	free(found);
	/* the whole word */
	CU_ASSERT_EQUAL(target_find_mount("pro", &found), 0);
	CU_ASSERT_PTR_NULL(found);
}

/* A directory that is not tracefs lacks its files. */
static void test_no_tracefs(void)
{
	struct hist_target *t = NULL;
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL(mkdir("plain", 0755), 0);
	CU_ASSERT_TRUE(tracefs_dir_new(&t, NULL, open("plain", O_RDONLY | O_DIRECTORY), "plain",
				       &error) < 0);
	CU_ASSERT_PTR_NULL(t);
	CU_ASSERT_STRING_NOT_EQUAL(test_error(&error), "");
	CU_ASSERT_PTR_NOT_NULL(strstr(test_error(&error), "plain"));
	rmdir("plain");
}

UNIT_TESTS_WITH(test_dir_enter, test_dir_leave,
	{ "a path stays below its directory, and special files are known by their names", test_paths },
	{ "the clock in brackets is the current one", test_clocks },
	{ "a buffer grows, and a failure keeps its content", test_buffers },
	{ "a file is read to its end, whatever each read returns", test_read_all },
	{ "a directory of any size is listed without . and ..", test_lists },
	{ "the number of CPUs is one more than the largest in per_cpu/", test_cpus },
	{ "all threads of the machine are listed with their processes and parents", test_tasks },
	{ "the mount of a file system is found by its type", test_mounts },
	{ "a directory that is not tracefs is refused", test_no_tracefs });
