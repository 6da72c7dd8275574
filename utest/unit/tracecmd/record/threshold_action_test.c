// SPDX-License-Identifier: GPL-2.0
/*
 * threshold_action_test.c - --on-threshold signal, shell and stop
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "tracecmd/record/threshold_action.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static const struct threshold_hit worst = {
	.event = "latency:a..b", .value = 1234567, .time = 98765432101, .cpu = 3,
};

static void check_text(const char *path, const char *want)
{
	size_t len;
	char *text = test_read_file(path, &len);

	CU_ASSERT_STRING_EQUAL(text, want);
	free(text);
}

static void test_shell(void)
{
	struct plan_action action = { .kind = PLAN_SHELL, .command =
		"echo $TRACE_CMD_HIST_EVENT $TRACE_CMD_HIST_VALUE $TRACE_CMD_HIST_TIME "
		"$TRACE_CMD_HIST_CPU >>ran" };
	struct plan plan = { .actions = &action, .nactions = 1 };
	struct threshold_action a = { 0 };
	bool stop = false;

	/* no episode */
	threshold_action_run(&a, &plan, &worst, 0, &stop);
	CU_ASSERT_EQUAL(a.shell, 0);
	/* once for both */
	threshold_action_run(&a, &plan, &worst, 2, &stop);
	threshold_action_finish(&a);
	check_text("ran", "latency:a..b 1234567 98765432101 3\n");
	CU_ASSERT_EQUAL(a.shell, 0);
	CU_ASSERT_FALSE(a.refused);
	CU_ASSERT_FALSE(stop);
}

static void test_busy(void)
{
	struct plan_action action = { .kind = PLAN_SHELL, .command = "read x <gate; echo $x >>passed" };
	struct plan plan = { .actions = &action, .nactions = 1 };
	struct threshold_action a = { 0 };
	siginfo_t info;
	bool stop;
	int gate;

	CU_ASSERT_EQUAL_FATAL(mkfifo("gate", 0600), 0);
	threshold_action_run(&a, &plan, &worst, 1, &stop);
	threshold_action_run(&a, &plan, &worst, 3, &stop);
	threshold_action_run(&a, &plan, &worst, 2, &stop);
	CU_ASSERT_EQUAL(a.skipped, 5);
	/* opens when the command does */
	gate = open("gate", O_WRONLY);
	CU_ASSERT_EQUAL(write(gate, "one\n", 4), 4);
	close(gate);
	CU_ASSERT_EQUAL(waitid(P_PID, a.shell, &info, WEXITED | WNOWAIT), 0);
	threshold_action_run(&a, &plan, &worst, 1, &stop);
	CU_ASSERT_EQUAL(a.skipped, 5);
	gate = open("gate", O_WRONLY);
	CU_ASSERT_EQUAL(write(gate, "two\n", 4), 4);
	close(gate);
	CU_ASSERT_EQUAL(waitid(P_PID, a.shell, &info, WEXITED | WNOWAIT), 0);
	a.skipped = 0;
	threshold_action_finish(&a);
	check_text("passed", "one\ntwo\n");
}

static void expect_skipped(uint64_t skipped, const char *want)
{
	struct threshold_action a = { .skipped = skipped };
	int saved = dup(2), to = open("said", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	fflush(stderr);
	dup2(to, 2);
	threshold_action_finish(&a);
	dup2(saved, 2);
	close(saved);
	close(to);
	check_text("said", want);
	CU_ASSERT_EQUAL(a.skipped, 0);
}

static void test_skipped(void)
{
	expect_skipped(0, "");
	expect_skipped(1, "trace-cmd hist: warning: --on-threshold shell: the threshold was reached 1 more "
		       "time while the command was running; the command was not run again\n");
	expect_skipped(2, "trace-cmd hist: warning: --on-threshold shell: the threshold was reached 2 more "
		       "times while the command was running; the command was not run again\n");
}

/* Only the first failure is a warning. */
static void test_failure(void)
{
	struct plan_action action = { .kind = PLAN_SHELL, .command = "exit 3" };
	struct plan plan = { .actions = &action, .nactions = 1 };
	struct threshold_action a = { 0 };
	siginfo_t info;
	bool stop;
	int i;

	for (i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(a.refused, i);
		threshold_action_run(&a, &plan, &worst, 1, &stop);
		CU_ASSERT_EQUAL(waitid(P_PID, a.shell, &info, WEXITED | WNOWAIT), 0);
		threshold_action_run(&a, &plan, &worst, 0, &stop);
		CU_ASSERT_EQUAL(a.shell, 0);
	}
	CU_ASSERT_TRUE(a.refused);
}

static void test_signal(void)
{
	struct plan_action actions[2] = {
		{ .kind = PLAN_SIGNAL, .signal = SIGURG, .pid = getpid() },
		{ .kind = PLAN_STOP },
	};
	struct plan plan = { .actions = actions, .nactions = 1 };
	struct threshold_action a = { 0 };
	const struct timespec none = { 0 };
	sigset_t urgent, before;
	bool stop = false;

	sigemptyset(&urgent);
	sigaddset(&urgent, SIGURG);
	sigprocmask(SIG_BLOCK, &urgent, &before);
	threshold_action_run(&a, &plan, &worst, 1, &stop);
	CU_ASSERT_EQUAL(sigtimedwait(&urgent, NULL, &none), SIGURG);
	CU_ASSERT_FALSE(stop);
	plan.nactions = 2;
	threshold_action_run(&a, &plan, &worst, 0, &stop);
	CU_ASSERT_EQUAL(sigtimedwait(&urgent, NULL, &none), -1);
	CU_ASSERT_FALSE(stop);
	threshold_action_run(&a, &plan, &worst, 1, &stop);
	CU_ASSERT_EQUAL(sigtimedwait(&urgent, NULL, &none), SIGURG);
	CU_ASSERT_TRUE(stop);
	CU_ASSERT_FALSE(a.refused);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

UNIT_TESTS_WITH(
	test_dir_enter, test_dir_leave,
	{ "the command runs once for all episodes, with the values of the worst", test_shell },
	{ "episodes are counted while the command runs, and do not start it again", test_busy },
	{ "a warning has the number of episodes that did not start the command", test_skipped },
	{ "a command that fails is told once, and runs again", test_failure },
	{ "the process of pid= gets the signal, and stop ends the recording", test_signal });
