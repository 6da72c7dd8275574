// SPDX-License-Identifier: GPL-2.0
/*
 * undo_journal_test.c - journals: of the dead and the living, odd ones, races
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "utest/unit/helper/undo/undo_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

/* Called once, right before a journal is locked: what others do just then. */
static void (*before_lock)(void);

/* Stands in for the C library's. */
int flock(int fd, int operation)
{
	void (*hook)(void) = before_lock;

	before_lock = NULL;
	if (hook)
		hook();
	return syscall(SYS_flock, fd, operation);
}

/* A journal that cannot be written to: the note must fail whole. */
static void test_full_disk(void)
{
	struct rlimit old, limit;
	struct undo *undo;
	struct stat st;
	char *before, *after;

	fresh();
	signal(SIGXFSZ, SIG_IGN);
	undo = new_undo();
	add_instance(undo);
	CU_ASSERT_PTR_NOT_NULL_FATAL(only_journal());
	CU_ASSERT_EQUAL_FATAL(stat(only_journal(), &st), 0);
	before = undo_read_file(only_journal());
	getrlimit(RLIMIT_FSIZE, &old);
	limit = old;
	limit.rlim_cur = st.st_size + 5;
	setrlimit(RLIMIT_FSIZE, &limit);
	CU_ASSERT_EQUAL(undo_note(undo, UNDO_NOTE_INSTANCE, "instances/other", NULL), -ENOSPC);
	limit.rlim_cur = st.st_size;
	setrlimit(RLIMIT_FSIZE, &limit);
	CU_ASSERT_EQUAL(undo_note(undo, UNDO_NOTE_INSTANCE, "instances/other", NULL), -EFBIG);
	setrlimit(RLIMIT_FSIZE, &old);
	signal(SIGXFSZ, SIG_DFL);
	after = undo_read_file(only_journal());
	CU_ASSERT_STRING_EQUAL(after, before);
	free(before);
	free(after);
	free(fake_target_log(fake));
	CU_ASSERT_EQUAL(undo_run(undo, stderr), 0);
	expect_log("rmdir instances/h\n");
	undo_free(undo);
}

static void make_all(struct undo *undo)
{
	add_instance(undo);
	add_trigger(undo, TRIGGER, "hist:a");
	add_trigger(undo, TRIGGER, "hist:b");
	set_value(undo, "odd", "new");
}

static void test_killed(void)
{
	unsigned int removed, failed;
	char *text;
	pid_t pid;

	fresh();
	/* All that the journal must escape, and a value that looks like a line. */
	fake_target_put(fake, "odd", "tab\there\\tdone\t0\nend");
	pid = start_recorder(make_all);
	free(fake_target_log(fake));
	expect_cleanup(0, 0, "");
	expect_log("");

	kill_recorder(pid);
	text = cleanup(true, &removed, &failed);
	CU_ASSERT_STRING_EQUAL(text, "would restore odd: tab\\there\\\\tdone\\t0\\nend\n"
				     "would remove from " TRIGGER ": hist:b\n"
				     "would remove from " TRIGGER ": hist:a\n"
				     "would remove instances/h\n");
	CU_ASSERT_EQUAL(removed, 4);
	free(text);
	expect_log("");
	expect_cleanup(4, 0, "restored odd: tab\\there\\\\tdone\\t0\\nend\n"
			     "removed from " TRIGGER ": hist:b\n"
			     "removed from " TRIGGER ": hist:a\n"
			     "removed instances/h\n");
	expect_log("write odd tab\there\\tdone\t0\nappend odd end\n"
		   "append " TRIGGER " !hist:b\n"
		   "append " TRIGGER " !hist:a\n"
		   "rmdir instances/h\n");
	CU_ASSERT(no_journal());
}

static void write_journal(const char *name, const char *text)
{
	char path[256], id[64] = "";
	FILE *f;

	f = fopen("/proc/sys/kernel/random/boot_id", "r");
	CU_ASSERT_EQUAL(fscanf(f, "%63s", id), 1);
	fclose(f);
	mkdir(in_base("state"), 0700);
	snprintf(path, sizeof(path), "%s/state/%s", base, name);
	f = fopen(path, "w");
	fprintf(f, text, id);
	fclose(f);
}

#define HEAD "trace-cmd-hist-undo 1 %s\n"

static void test_odd_journals(void)
{
	static const char *const bad[] = {
		"trace-cmd-hist-undo 2 %s\ninstance\tinstances/h\n",
		HEAD "instance\t../target/instances/h\n",
		HEAD "instance\t/tmp\n",
		HEAD "instance\tinstances/h\tmore\n",
		HEAD "instance\tinstances/h\ndone\t1\n",
		HEAD "done\t0\n",
		HEAD "instance\tinstances\\/h\n",
		HEAD "trigger\ta/trigger\thist:a\tzz\n",
		HEAD "whatever\tinstances/h\n",
		HEAD "\n",
		NULL,
	};
	int i;

	for (i = 0; bad[i]; i++) {
		fresh();
		fake_target_put(fake, "instances/h/file", "");
		write_journal("1-1.journal", bad[i]);
		expect_cleanup(0, 1, "trace-cmd hist: error: 1-1.journal: skipped: the format of "
				     "the undo log is unknown\n");
		CU_ASSERT_EQUAL(fake->target.ops->exists(&fake->target, "instances/h"), 1);
		CU_ASSERT_PTR_NOT_NULL(only_journal());
	}
	/* What was not finished was not done; what is no journal is nothing. */
	fresh();
	fake_target_put(fake, "instances/h/file", "");
	write_journal("1-1.journal", HEAD "instance\tinstances/h");
	write_journal("2-2.journal", "trace-cmd-hi");
	write_journal("3-3.journal", "trace-cmd-hist-undo 1 other%.0s\ninstance\tinstances/h\n");
	expect_cleanup(0, 0, "");
	CU_ASSERT_EQUAL(fake->target.ops->exists(&fake->target, "instances/h"), 1);
	CU_ASSERT(no_journal());

	fresh();
	write_journal("notes.txt", HEAD "instance\tinstances/h\n");
	expect_cleanup(0, 0, "");
	CU_ASSERT_EQUAL(symlink("notes.txt", in_base("state/1-1.journal")), 0);
	expect_cleanup(0, 1, "trace-cmd hist: error: 1-1.journal: skipped: the undo log belongs to "
			     "another user\n");
}

static void expect_refused(const char *dir)
{
	unsigned int removed, failed;
	struct undo *undo;
	struct hist_error error = { 0 };

	setenv("TRACE_CMD_HIST_STATE", dir, 1);
	CU_ASSERT(undo_new(&undo, &fake->target, &error) < 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(test_error(&error), dir));
	CU_ASSERT(undo_cleanup(&fake->target, false, NULL, NULL, &removed, &failed) < 0);
	setenv("TRACE_CMD_HIST_STATE", in_base("state"), 1);
}

static void expect_look(const char *dir, int err)
{
	struct hist_error error = { 0 };

	setenv("TRACE_CMD_HIST_STATE", dir, 1);
	CU_ASSERT_EQUAL(undo_check(&fake->target, &error), err);
	CU_ASSERT(!err == !*test_error(&error));
	if (err)
		CU_ASSERT_PTR_NOT_NULL(strstr(test_error(&error), dir));
	setenv("TRACE_CMD_HIST_STATE", in_base("state"), 1);
}

/* What undo_new() would find, and nothing is made. */
static void test_look(void)
{
	struct stat st;

	fresh();
	expect_look(in_base("state"), 0);
	CU_ASSERT_EQUAL(stat(in_base("state"), &st), -1);
	CU_ASSERT_EQUAL(mkdir(in_base("state"), 0700), 0);
	expect_look(in_base("state"), 0);
	CU_ASSERT_EQUAL(chmod(in_base("state"), 0777), 0);
	expect_look(in_base("state"), -EPERM);
	CU_ASSERT_EQUAL(rmdir(in_base("state")), 0);
	expect_look(in_base("nosuch/state"), -ENOENT);
	/* of a system that cannot be written, for root too */
	expect_look("/proc/sys/state", -EACCES);
}

static void test_state_dir(void)
{
	struct undo *undo;
	struct stat st;

	fresh();
	undo = new_undo();
	CU_ASSERT_EQUAL(stat(in_base("state"), &st), 0);
	CU_ASSERT_EQUAL(st.st_mode, S_IFDIR | 0700);
	CU_ASSERT_EQUAL(stat(only_journal(), &st), 0);
	CU_ASSERT_EQUAL(st.st_mode, S_IFREG | 0600);
	undo_free(undo);

	CU_ASSERT_EQUAL(symlink(".", in_base("link")), 0);
	expect_refused(in_base("link"));
	CU_ASSERT_EQUAL(chmod(in_base("state"), 0770), 0);
	expect_refused(in_base("state"));
	chmod(in_base("state"), 0700);
	/* Of somebody else: nobody's directory for root, root's for all others. */
	if (!geteuid()) {
		CU_ASSERT_EQUAL(chown(in_base("state"), 65534, 65534), 0);
		expect_refused(in_base("state"));
	} else {
		expect_refused("/");
	}
}

static void clean_now(void)
{
	expect_cleanup(0, 0, "");
}

/* A cleanup sees the journal that has just been made and not been locked yet. */
static void test_before_first_lock(void)
{
	struct undo *undo;

	fresh();
	before_lock = clean_now;
	undo = new_undo();
	CU_ASSERT_PTR_NULL(before_lock);
	add_instance(undo);
	CU_ASSERT_PTR_NOT_NULL(only_journal());
	undo_free(undo);
	expect_cleanup(1, 0, "removed instances/h\n");
}

static void clean_and_begin_anew(void)
{
	expect_cleanup(1, 0, "removed instances/h\n");
	fake_target_put(fake, "instances/h/file", "of a new recorder");
}

/* Another cleanup does all the work between our open and our lock. */
static void test_before_second_lock(void)
{
	struct undo *undo;

	fresh();
	undo = new_undo();
	add_instance(undo);
	undo_free(undo);
	before_lock = clean_and_begin_anew;
	expect_cleanup(0, 0, "");
	CU_ASSERT_EQUAL(fake->target.ops->exists(&fake->target, "instances/h"), 1);
}

/* Makes and takes back until it is killed, or @rounds are done. */
static void record_often(int rounds, const char *instance)
{
	struct hist_error error = { 0 };
	char path[64];
	struct undo *undo;

	snprintf(path, sizeof(path), "%s/trigger", instance);
	while (rounds--) {
		if (undo_new(&undo, &fake->target, &error) ||
		    undo_note(undo, UNDO_NOTE_INSTANCE, instance, NULL) ||
		    fake->target.ops->mkdir(&fake->target, instance) ||
		    fake_target_put(fake, path, "") ||
		    undo_note(undo, UNDO_NOTE_TRIGGER, path, "hist:a") ||
		    target_write_str(&fake->target, path, "hist:a", true))
			_exit(1);
		/* A live recorder's things must stay, whoever cleans up meanwhile. */
		if (fake->target.ops->exists(&fake->target, path) != 1 || undo_run(undo, stderr))
			_exit(2);
		undo_free(undo);
	}
	_exit(0);
}

static void test_killed_anywhere(void)
{
	struct timespec moment = { 0 };
	unsigned int removed, failed;
	int i, status;
	pid_t pid;

	fresh();
	for (i = 0; i < 60; i++) {
		fflush(NULL);
		pid = fork();
		if (!pid)
			record_often(-1, "instances/h");
		/* Not to wait for something: to hit another place each time. */
		moment.tv_nsec = 1000000 + 37000 * i;
		nanosleep(&moment, NULL);
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		CU_ASSERT(WIFSIGNALED(status));
		free(cleanup(false, &removed, &failed));
		CU_ASSERT_EQUAL(failed, 0);
		CU_ASSERT_EQUAL(fake->target.ops->exists(&fake->target, "instances/h"), 0);
	}
	CU_ASSERT(no_journal());
}

static pid_t fork_recorder(const char *instance)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid)
		record_often(400, instance);
	return pid;
}

static pid_t fork_cleanup(void)
{
	unsigned int removed, failed;
	pid_t pid;
	int i;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		for (i = 0; i < 2000; i++) {
			if (undo_cleanup(&fake->target, false, NULL, stderr, &removed, &failed) ||
			    removed || failed)
				_exit(3);
		}
		_exit(0);
	}
	return pid;
}

/* Recorders that start and end while cleanups run: nobody disturbs the other. */
static void test_live_races(void)
{
	pid_t pids[4];
	int i, status;

	fresh();
	pids[0] = fork_recorder("instances/one");
	pids[1] = fork_recorder("instances/two");
	pids[2] = fork_cleanup();
	pids[3] = fork_cleanup();
	for (i = 0; i < 4; i++) {
		waitpid(pids[i], &status, 0);
		CU_ASSERT_EQUAL(status, 0);
	}
	CU_ASSERT(no_journal());
}

/* Of one dead recorder's things each is removed by one of the cleanups. */
static void test_cleanups_at_once(void)
{
	unsigned int removed, failed;
	pid_t pid, pids[3];
	int i, j, status;

	for (i = 0; i < 20; i++) {
		fresh();
		fake_target_put(fake, "odd", "old");
		pid = start_recorder(make_all);
		kill_recorder(pid);
		free(fake_target_log(fake));
		fflush(NULL);
		for (j = 0; j < 3; j++) {
			pids[j] = fork();
			if (!pids[j])
				_exit(undo_cleanup(&fake->target, false, NULL, stderr, &removed,
						   &failed) || failed);
		}
		for (j = 0; j < 3; j++) {
			waitpid(pids[j], &status, 0);
			CU_ASSERT_EQUAL(status, 0);
		}
		expect_log("write odd old\nappend " TRIGGER " !hist:b\nappend " TRIGGER
			   " !hist:a\nrmdir instances/h\n");
		CU_ASSERT(no_journal());
	}
}

UNIT_TESTS_WITH(undo_set_up, undo_tear_down,
	{ "undo_check() reports an unusable journal directory and creates nothing", test_look },
	{ "a note that does not fit on the disk fails and leaves the journal unchanged",
	  test_full_disk },
	{ "cleanup undoes the changes of a killed recorder, and none of a live recorder",
	  test_killed },
	{ "cleanup removes nothing that an unknown, truncated or foreign journal names",
	  test_odd_journals },
	{ "the journal directory must be private, owned by the user and not a symbolic link",
	  test_state_dir },
	{ "a recorder gets a journal even if a cleanup runs before the journal is locked",
	  test_before_first_lock },
	{ "cleanup does not undo a journal that another cleanup has finished",
	  test_before_second_lock },
	{ "cleanup undoes every change of a recorder that is killed at any moment",
	  test_killed_anywhere },
	{ "cleanups do not disturb recorders that start and end at the same time",
	  test_live_races },
	{ "simultaneous cleanups undo each change of a killed recorder exactly once",
	  test_cleanups_at_once });
