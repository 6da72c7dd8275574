// SPDX-License-Identifier: GPL-2.0
/*
 * complete_test.c - words for a shell: none from a file can run, and memory may be missing
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "tracecmd/base/command.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/lib/series/run_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

#define ARGS_MAX 16

/* Run complete_command in a child, with one failed allocation; the words that it prints. */
static char *words_of(const char *const *arguments, long fail, int *status)
{
	char *argv[ARGS_MAX] = { (char *)"complete-word" };
	int argc = 1, code, wstatus;
	size_t len;
	pid_t pid;

	while (arguments[argc - 1])
		argv[argc] = (char *)arguments[argc - 1], argc++;
	fflush(NULL);
	pid = fork();
	if (!pid) {
		if (!freopen("out", "w", stdout) || !freopen("err", "w", stderr))
			_exit(99);
		alloc_fail_after(fail);
		code = complete_command.run(argc, argv);
		alloc_fail_after(-1);
		fflush(NULL);
		_exit(code);
	}
	CU_ASSERT_EQUAL_FATAL(waitpid(pid, &wstatus, 0), pid);
	*status = WIFEXITED(wstatus) ? WEXITSTATUS(wstatus) : -WTERMSIG(wstatus);
	return test_read_file("out", &len);
}

static void expect_words(const char *const *arguments, const char *want)
{
	int status;
	char *words = words_of(arguments, -1, &status);

	CU_ASSERT_STRING_EQUAL(words, want);
	if (strcmp(words, want))
		printf("\n%s", words);
	CU_ASSERT_EQUAL(status, 0);
	free(words);
}

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void make_file(void)
{
	static const char *const events[] = { "t:good", "t:$(touch ran)", "t:`touch ran`", "t:a b",
					      "t:a\nb;c&d>e", "t:*'\"\\~!x", "t:good" };
	struct run_fixture *f = run_fixture_new("names.dat", "Linux box 6.12.0", "box");
	unsigned int i;
	int hist;

	for (i = 0; i < sizeof(events) / sizeof(*events); i++) {
		hist = run_fixture_define(f, events[i], "hist:keys=pid:vals=lat", "mono");
		run_fixture_count(f, hist, &(struct run_key){ 1, NULL }, (uint64_t[]){ 1, 2 });
		run_fixture_snapshot(f, hist, 1000);
		run_fixture_snapshot(f, hist, 2000);
	}
	run_fixture_close(f, true);
}

static void test_hostile(void)
{
	make_file();
	expect_words(WORDS("-i", "names.dat", "EVENT", ""), "t:good#0\nt:good#1\n");
	expect_words(WORDS("-i", "names.dat", "EVENT", "t:$"), "");
	expect_words(WORDS("-i", "names.dat", "EVENT", "goo"), "good#0\ngood#1\n");
	expect_words(WORDS("-i", "names.dat", "-e", "t:good", "METRIC", ""),
		     "hitcount/s\nlat/s\nmean lat\n");
	expect_words(WORDS("-i", "names.dat", "FIELD[.descending][,...]", "pid,h"), "pid,hitcount\n");
	expect_words(WORDS("-i", "names.dat", "NOTHING", ""), "");
	expect_words(WORDS("-i", "none.dat", "-i", "names.dat", "EVENT", "t:good#1"), "t:good#1\n");
	unlink("names.dat");
}

static void test_memory(void)
{
	unsigned int failed = 0, skipped = 0, complete = 0;
	int status;
	long fail;
	char *words;

	make_file();
	/* a file that cannot be opened is skipped */
	for (fail = 0; fail < 120; fail++) {
		words = words_of(WORDS("-i", "names.dat", "METRIC", ""), fail, &status);
		CU_ASSERT_TRUE(status == 2 || status == 0);
		failed += status == 2 && !*words;
		skipped += !status && !*words;
		complete += !status && !strcmp(words, "hitcount/s\nlat/s\nmean lat\n");
		free(words);
	}
	CU_ASSERT_EQUAL(failed + skipped + complete, 120);
	CU_ASSERT_TRUE(failed && skipped);
	unlink("names.dat");
}

UNIT_TESTS_WITH(test_dir_enter, test_dir_leave,
	{ "no word from a file can run in a shell", test_hostile },
	{ "completion survives any failed allocation", test_memory });
