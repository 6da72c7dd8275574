// SPDX-License-Identifier: GPL-2.0
/*
 * workload_test.c - the process of COMMAND, before and after its exec
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "tracecmd/record/workload.h"
#include "utest/unit/tests.h"

static void read_name(pid_t pid, char *name, int size)
{
	char path[40];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	f = fopen(path, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_PTR_NOT_NULL_FATAL(fgets(name, size, f));
	name[strcspn(name, "\n")] = '\0';
	fclose(f);
}

static void test_name(void)
{
	char *argv[] = { "cat", NULL }, own[32] = "", name[32] = "", after[32] = "";
	struct workload w;
	siginfo_t info;
	int input[2], saved = dup(0);

	/* cat(1) runs until its input ends */
	CU_ASSERT_EQUAL_FATAL(pipe(input), 0);
	dup2(input[0], 0);
	read_name(getpid(), own, sizeof(own));
	CU_ASSERT_EQUAL_FATAL(workload_fork(&w, argv), 0);
	read_name(w.pid, name, sizeof(name));
	CU_ASSERT_STRING_EQUAL(name, "trace-cmd-exec");
	read_name(getpid(), after, sizeof(after));
	CU_ASSERT_STRING_EQUAL(after, own);
	CU_ASSERT_EQUAL(workload_start(&w), 0);
	read_name(w.pid, name, sizeof(name));
	CU_ASSERT_STRING_EQUAL(name, "cat");
	workload_signal(&w, SIGKILL);
	CU_ASSERT_EQUAL(waitid(P_PID, w.pid, &info, WEXITED | WNOWAIT), 0);
	CU_ASSERT_TRUE(workload_ended(&w));
	CU_ASSERT_EQUAL(w.status, 128 + SIGKILL);
	workload_clear(&w);
	dup2(saved, 0);
	close(saved);
	close(input[0]);
	close(input[1]);
}

static void test_missing(void)
{
	char *argv[] = { "/nosuch/command", NULL };
	struct workload w;

	CU_ASSERT_EQUAL_FATAL(workload_fork(&w, argv), 0);
	CU_ASSERT_EQUAL(workload_start(&w), -ENOENT);
	workload_clear(&w);
}

static void test_never_started(void)
{
	char *argv[] = { "/nosuch/command", NULL };
	struct workload w;
	pid_t pid;

	CU_ASSERT_EQUAL_FATAL(workload_fork(&w, argv), 0);
	pid = w.pid;
	CU_ASSERT_FALSE(workload_ended(&w));
	workload_clear(&w);
	CU_ASSERT_EQUAL(kill(pid, 0), -1);
	CU_ASSERT_EQUAL(errno, ESRCH);
}

UNIT_TESTS(
	{ "the process has a name of its own before its exec, and this program keeps its name",
	  test_name },
	{ "a command that does not exist is reported when it starts", test_missing },
	{ "a command that is never started ends with the recording", test_never_started });
