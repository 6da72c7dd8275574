// SPDX-License-Identifier: GPL-2.0
/*
 * confine_test.c - work in a child that has limits
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "tracecmd/base/confine.h"
#include "tracecmd/base/signals.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

#define SECONDS 1
#define MEGABYTES 32
#define ANSWER_MAX 1000
#define PIECES_MAX (256 << 10)

/* What the work does. */
enum { ANSWERS, NOTHING, CRASHES, ABORTS, OVERFLOWS, EXITS, SPINS, SLEEPS, EATS, FAILS, TALKS, RAMBLES };

static volatile char *nowhere;
static volatile int depth;
static unsigned int naps = 600; /* seconds that work may sleep */
static volatile pid_t *worker; /* who sleeps */

static int overflow(int n)
{
	volatile char frame[4096];

	frame[0] = n;
	depth = n;
	return depth < 0 ? 0 : overflow(n + 1) + frame[0];
}

/*
 * Small pieces, as a parser that never ends takes them; as if it did not check for NULL.  An emulator of
 * another architecture may not have the limit: the pieces end then, and the time does it.
 */
static void eat(void)
{
	volatile unsigned int n;
	char *piece;

	for (n = 0; n < PIECES_MAX; n++) {
		piece = malloc(1 << 10);
		memset(piece, 1, 1 << 10);
	}
	while (n)
		;
}

/* True if this machine has the limit of memory that confine.c uses. */
static bool limits_data(void)
{
	const struct rlimit none = { 0 };
	pid_t pid = fork();
	int status;

	if (!pid) {
		setrlimit(RLIMIT_DATA, &none);
		_exit(mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
		      MAP_FAILED);
	}
	return waitpid(pid, &status, 0) == pid && !status;
}

static int work(void *data, struct hist_strbuf *answer)
{
	int what = *(int *)data;
	volatile int spins = 1;
	struct rlimit core;

	switch (what) {
	case CRASHES: *nowhere = 1; break;
	case ABORTS: abort();
	case OVERFLOWS: overflow(0); break;
	case EXITS: exit(0);
	case SPINS:
		while (spins)
			;
		break;
	case SLEEPS:
		if (worker)
			*worker = getpid();
		pause();
		break;
	case EATS: eat(); break;
	case FAILS: return -ENOMEM;
	case TALKS:
		printf("on stdout");
		fprintf(stderr, "on stderr");
		fflush(stdout);
		getrlimit(RLIMIT_CORE, &core);
		hist_strbuf_printf(answer, "%d %d %d", fcntl(4, F_GETFD), (int)core.rlim_cur,
				   (int)read(0, &what, 1));
		break;
	case RAMBLES: hist_strbuf_fill(answer, 'x', ANSWER_MAX + 1); break;
	case ANSWERS: hist_strbuf_fill(answer, 'x', ANSWER_MAX); break;
	}
	return 0;
}

static int run(int what, struct hist_strbuf *answer, struct hist_error *error)
{
	const struct confine c = {
		.work = work, .data = &what, .seconds = SECONDS, .patience = what == SLEEPS ? naps : 600,
		.megabytes = MEGABYTES, .answer_max = ANSWER_MAX,
	};

	*error = (struct hist_error){ 0 };
	hist_strbuf_free(answer);
	return confine_run(&c, answer, error);
}

/* No child is left. */
static bool alone(void)
{
	return waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD;
}

static void test_answers(void)
{
	struct hist_strbuf answer = { 0 };
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL(run(ANSWERS, &answer, &error), 0);
	CU_ASSERT_EQUAL(answer.len, ANSWER_MAX);
	CU_ASSERT_EQUAL(run(NOTHING, &answer, &error), 0);
	CU_ASSERT_EQUAL(answer.len, 0);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "");
	CU_ASSERT_TRUE(alone());
	hist_strbuf_free(&answer);
}

static void test_ends(void)
{
	static const struct {
		int what, ret;
		const char *why;
	} ends[] = {
		{ CRASHES, -EPROTO, "crashed" },
		{ ABORTS, -EPROTO, "crashed" },
		{ EXITS, -EPROTO, "crashed" },
		{ SPINS, -ETIME, "needs more than 1 seconds" },
		{ EATS, -E2BIG, "needs more than 32 MB of memory" },
		{ FAILS, -E2BIG, "needs more than 32 MB of memory" },
		{ RAMBLES, -EFBIG, "returns more than 1000 bytes" },
	};
	struct hist_strbuf answer = { 0 };
	bool limited = limits_data();
	struct hist_error error = { 0 };
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		if (ends[i].what == EATS && !limited) {
			CU_ASSERT_EQUAL(run(EATS, &answer, &error), -ETIME);
			continue;
		}
		CU_ASSERT_EQUAL(run(ends[i].what, &answer, &error), ends[i].ret);
		CU_ASSERT_STRING_EQUAL(test_error(&error), ends[i].why);
		CU_ASSERT_EQUAL(answer.len, 0);
		CU_ASSERT_TRUE(alone());
	}
	naps = 1;
	CU_ASSERT_EQUAL(run(SLEEPS, &answer, &error), -ETIME);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "does not end within 1 seconds");
	CU_ASSERT_TRUE(alone());
	naps = 600;
	hist_strbuf_free(&answer);
}

/* A full stack is a crash, or too much memory if it was large. */
static void test_overflow(void)
{
	struct hist_strbuf answer = { 0 };
	struct hist_error error = { 0 };

	CU_ASSERT_NOT_EQUAL(run(OVERFLOWS, &answer, &error), 0);
	CU_ASSERT_STRING_NOT_EQUAL(test_error(&error), "");
	CU_ASSERT_TRUE(alone());
}

/* Neither buffers nor descriptors of the program reach the child, nor its output the program's. */
static void test_descriptors(void)
{
	struct hist_strbuf answer = { 0 };
	struct hist_error error = { 0 };
	char text[64] = "";
	FILE *out = tmpfile();
	int saved = dup(1), errors = dup(2);

	fflush(stdout);
	dup2(fileno(out), 1);
	dup2(fileno(out), 2);
	printf("before ");
	CU_ASSERT_EQUAL(run(TALKS, &answer, &error), 0);
	printf("after");
	fflush(stdout);
	dup2(saved, 1);
	dup2(errors, 2);
	close(saved);
	close(errors);
	rewind(out);
	CU_ASSERT_PTR_NOT_NULL(fgets(text, sizeof(text), out));
	CU_ASSERT_STRING_EQUAL(text, "before after");
	fclose(out);
	/* no other descriptor is open, there is no core file, and standard input is at its end */
	hist_strbuf_char(&answer, '\0');
	CU_ASSERT_STRING_EQUAL(answer.data, "-1 0 0");
	hist_strbuf_free(&answer);
}

/* A signal ends the wait, and remains for the program; in a child, as signals belong to the process. */
static void test_signal(void)
{
	struct hist_strbuf answer = { 0 };
	bool forward = false;
	pid_t pid = fork();
	struct hist_error error = { 0 };
	int fd, status, ret, sig;

	if (!pid) {
		fd = signals_catch();
		kill(getpid(), SIGTERM);
		ret = run(SLEEPS, &answer, &error);
		sig = signals_ending(fd, &forward);
		_exit(ret == -EINTR && sig == SIGTERM && alone() ? 0 : 1);
	}
	CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
	CU_ASSERT_EQUAL(status, 0);
}

/*
 * A program that is killed leaves no child: this process is the parent of what it leaves.  In
 * qemu-user 7.2 it cannot be, and sees only that the child ends.
 */
static void test_killed(void)
{
	struct pollfd end = { .events = POLLIN };
	struct hist_strbuf answer = { 0 };
	struct hist_error error = { 0 };
	bool parent;
	int status;
	pid_t pid;

	worker = mmap(NULL, sizeof(*worker), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CU_ASSERT_NOT_EQUAL_FATAL((void *)worker, MAP_FAILED);
	parent = !prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	pid = fork();
	if (!pid) {
		run(SLEEPS, &answer, &error);
		_exit(1);
	}
	while (!*worker && !waitpid(pid, &status, WNOHANG))
		usleep(1000);
	CU_ASSERT_TRUE_FATAL(*worker > 0);
	end.fd = syscall(SYS_pidfd_open, *worker, 0);
	kill(pid, SIGKILL);
	CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
	CU_ASSERT_EQUAL(poll(&end, 1, 60000), 1);
	close(end.fd);
	if (parent) {
		CU_ASSERT_EQUAL(waitpid(*worker, &status, 0), *worker);
		CU_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	}
	prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
	munmap((void *)worker, sizeof(*worker));
	worker = NULL;
}

/* Without descriptors or processes the reason is told. */
static void test_start(void)
{
	struct hist_strbuf answer = { 0 };
	struct rlimit before, few;
	struct hist_error error = { 0 };

	getrlimit(RLIMIT_NOFILE, &before);
	few = (struct rlimit){ .rlim_cur = 0, .rlim_max = before.rlim_max };
	setrlimit(RLIMIT_NOFILE, &few);
	CU_ASSERT_EQUAL(run(ANSWERS, &answer, &error), -EMFILE);
	setrlimit(RLIMIT_NOFILE, &before);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "cannot be started: Too many open files");
}

UNIT_TESTS(
	{ "work in a child returns its answer", test_answers },
	{ "work that crashes, never ends or takes all memory has an error", test_ends },
	{ "work that uses all of its stack has an error", test_overflow },
	{ "work in a child has no descriptor and no output of the program", test_descriptors },
	{ "a signal that ends the program ends the work at once", test_signal },
	{ "work ends with a program that is killed", test_killed },
	{ "work that cannot be started has a reason", test_start });
