// SPDX-License-Identifier: GPL-2.0
/*
 * connection_test.c - programs whose stdin and stdout lead to a target
 *
 * The programs are lines for sh.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "tracecmd/target/target_link.h"
#include "tracecmd/target/target_open.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static struct connection *start(const char *script)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)script, NULL };
	struct connection *c = NULL;
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL(connection_new(&c, argv, "box", &error), 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(c);
	CU_ASSERT_STRING_EQUAL(connection_label(c), "box");
	return c;
}

/* Read until the end or an error, waiting 20 s at most; the text. */
static const char *read_all(struct connection *c, int *ret)
{
	struct wire_io io = connection_io(c);
	static char text[512];
	size_t len = 0;

	do {
		*ret = io.wait(io.arg, POLLIN, 20000);
		if (!*ret)
			*ret = io.read(io.arg, text + len, sizeof(text) - 1 - len);
		len += *ret > 0 ? *ret : 0;
	} while (*ret > 0);
	text[len] = '\0';
	return text;
}

static void test_data(void)
{
	struct connection *c = start("read a; echo \"<$a>\"; cat; echo end");
	struct wire_io io = connection_io(c);
	char byte;
	int ret;

	CU_ASSERT_EQUAL(io.wait(io.arg, POLLOUT, 20000), 0);
	CU_ASSERT_EQUAL(io.write(io.arg, "line\n", 5), 5);
	CU_ASSERT_EQUAL(io.wait(io.arg, POLLIN, 20000), 0);
	CU_ASSERT_EQUAL(io.read(io.arg, &byte, 1), 1);
	CU_ASSERT_EQUAL(byte, '<');
	/* nothing comes until more is sent */
	CU_ASSERT_EQUAL(io.read(io.arg, (char[6]){ 0 }, 6), 6);
	CU_ASSERT_EQUAL(io.wait(io.arg, POLLIN, 30), -ETIMEDOUT);
	CU_ASSERT_EQUAL(io.write(io.arg, "\0\xff\r\n", 4), 4);
	CU_ASSERT_EQUAL(io.wait(io.arg, POLLIN, 20000), 0);
	connection_free(c);
	c = start("printf 'a\\nb'");
	CU_ASSERT_STRING_EQUAL(read_all(c, &ret), "a\nb");
	CU_ASSERT_EQUAL(ret, 0);
	connection_free(c);
	connection_free(NULL);
}

/* A write to a program that has ended is an error, not a signal. */
static void test_ended(void)
{
	struct connection *c = start("exec 0<&-; exit 0");
	struct wire_io io = connection_io(c);
	int ret;

	read_all(c, &ret);
	CU_ASSERT_EQUAL(io.write(io.arg, "x", 1), -EPIPE);
	connection_free(c);
}

static void test_not_started(void)
{
	char *argv[] = { (char *)"./no-such-program", NULL };
	struct connection *c;
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL(connection_new(&c, argv, "box", &error), -ENOENT);
	CU_ASSERT_STRING_EQUAL(test_error(&error),
			       "box: ./no-such-program: No such file or directory");
	argv[0] = (char *)"/";
	CU_ASSERT_EQUAL(connection_new(&c, argv, "box", &error), -EACCES);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "box: /: Permission denied");
}

/* The reason of @err after the program has ended, or is still there. */
static const char *explain(const char *script, int err)
{
	struct hist_error error = { 0 };
	struct connection *c = start(script);
	int ret;

	test_stderr_begin();
	if (err != -ETIMEDOUT && err != -ECANCELED)
		read_all(c, &ret);
	connection_explain(c, err, 7, &error);
	connection_free(c);
	CU_ASSERT_STRING_EQUAL(test_stderr_end(), "");
	return test_error(&error);
}

static void test_reasons(void)
{
	CU_ASSERT_STRING_EQUAL(explain("exit 0", -EPIPE), "box: the target closed the connection");
	CU_ASSERT_STRING_EQUAL(explain("exit 3", -EPIPE),
			       "box: the target closed the connection (exit status 3)");
	CU_ASSERT_STRING_EQUAL(explain("kill -KILL $$", -ECONNRESET),
			       "box: the target closed the connection (killed by signal 9)");
	/* the last line is the reason, with or without a newline */
	CU_ASSERT_STRING_EQUAL(explain("echo ssh: no route >&2; exit 255", -EPIPE),
			       "box: the target closed the connection (exit status 255): ssh: no route");
	CU_ASSERT_STRING_EQUAL(explain("printf 'cut\\r' >&2", -EPIPE),
			       "box: the target closed the connection: cut");
	CU_ASSERT_STRING_EQUAL(explain("printf 'no key\\nhint: make one\\n' >&2; exit 2", -EPIPE),
			       "box: the target closed the connection (exit status 2): no key\nmake one");
	CU_ASSERT_STRING_EQUAL(explain("echo trace-cmd hist: error: x: y >&2", -EPIPE),
			       "box: the target closed the connection: x: y");
	CU_ASSERT_STRING_EQUAL(explain("cat", -ETIMEDOUT),
			       "box: no complete answer within 7 s; the target is considered lost");
	CU_ASSERT_STRING_EQUAL(explain("cat", -ECANCELED),
			       "box: the target did not answer in time after the recorder was interrupted; the "
			       "target is considered lost");
	CU_ASSERT_STRING_EQUAL(explain("exit 4", -EPROTO),
			       "box: received data that is not from a target helper (exit status 4); perhaps "
			       "another program on the target writes to the connection");
	CU_ASSERT_STRING_EQUAL(explain("exit 0", -EIO), "box: connection: Input/output error");
}

static void test_stderr(void)
{
	struct connection *c;
	struct hist_error error = { 0 };
	char *script, *expected, x[601];
	int ret;

	/* all lines before the last one are shown, and the last one if the connection goes on */
	test_stderr_begin();
	c = start("printf 'one\\n\\ntrace-cmd hist: warning: two\\nhint: do it\\nthree\\n' >&2; sleep 0.1; echo x");
	CU_ASSERT_STRING_EQUAL(read_all(c, &ret), "x\n");
	connection_free(c);
	CU_ASSERT_STRING_EQUAL(test_stderr_end(),
			       "trace-cmd hist: note: box: one\n"
			       "trace-cmd hist: warning: box: two\n"
			       "hint: do it\n"
			       "trace-cmd hist: note: box: three\n");

	/* a line that is too long comes in parts, and none of it is lost */
	memset(x, 'x', 600);
	x[600] = '\0';
	CU_ASSERT_TRUE(asprintf(&script, "printf '%s\\nlast\\n' >&2", x) > 0);
	CU_ASSERT_TRUE(asprintf(&expected, "trace-cmd hist: note: box: %.511s\n"
				"trace-cmd hist: note: box: %.89s\n", x, x) > 0);
	test_stderr_begin();
	c = start(script);
	read_all(c, &ret);
	connection_explain(c, -EPIPE, 7, &error);
	connection_free(c);
	CU_ASSERT_STRING_EQUAL(test_stderr_end(), expected);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "box: the target closed the connection: last");
	free(script);
	free(expected);
}

/* Not a zombie, which nobody may reap here. */
static bool is_running(const char *file)
{
	char path[64], state = 'Z';
	size_t len;
	char *text = test_read_file(file, &len);
	pid_t pid = atoi(text);
	FILE *f;

	free(text);
	CU_ASSERT_TRUE_FATAL(pid > 0);
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "r");
	if (f && fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = 'Z';
	if (f)
		fclose(f);
	return state != 'Z';
}

/* Until the file has a line. */
static void wait_for(const char *file)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	unsigned int i;
	FILE *f;
	int c;

	for (i = 0; i < 2000; i++) {
		f = fopen(file, "r");
		c = f ? getc(f) : EOF;
		if (f)
			fclose(f);
		if (c != EOF)
			return;
		nanosleep(&pause, NULL);
	}
}

static void test_no_end(void)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	struct connection *c;
	int i;

	/* a program that ends with its input may clean up */
	c = start("cat >/dev/null; sleep 0.2; echo done >cleaned");
	connection_free(c);
	CU_ASSERT_EQUAL(access("cleaned", F_OK), 0);
	/* what the program leaves behind ends too, also if it ignores a request */
	c = start("(trap '' TERM; sleep 100 & echo $! >child; wait) & exit 0");
	wait_for("child");
	CU_ASSERT_TRUE(is_running("child"));
	connection_free(c);
	/* a signal takes effect soon, and not at once */
	for (i = 0; i < 200 && is_running("child"); i++)
		nanosleep(&pause, NULL);
	CU_ASSERT_FALSE(is_running("child"));
}

/* --- the whole way: target_open() --- */

/* The sentence of a target that a line for sh is. */
static const char *open_script(const char *script)
{
	struct hist_target *t = NULL;
	struct hist_error error = { 0 };
	char url[512];
	int ret;

	snprintf(url, sizeof(url), "exec:%s", script);
	test_stderr_begin();
	ret = target_open(&t, url, &error);
	CU_ASSERT_NOT_EQUAL(ret, 0);
	CU_ASSERT_PTR_NULL(t);
	CU_ASSERT_STRING_EQUAL(test_stderr_end(), "");
	return test_error(&error);
}

static void test_open(void)
{
	struct hist_target *t;
	struct hist_error error = { 0 };

	CU_ASSERT_PTR_NOT_NULL(strstr(open_script("read a;read b;echo trace-cmd-hist:refused no memory'; add some'"),
				      ": no memory\nadd some"));
	CU_ASSERT_PTR_NOT_NULL(strstr(open_script("read a;read b;echo no route >&2; exit 9"),
				      ": the target closed the connection (exit status 9): no route"));
	CU_ASSERT_PTR_NOT_NULL(strstr(open_script("read a;read b;echo trace-cmd-hist:helper x"),
				      ": received data that is not from a target helper"));
	CU_ASSERT_PTR_NOT_NULL(strstr(open_script("read a;read b;echo trace-cmd-hist:helper 999 998 9"),
				      "the target helper uses version 999 of the protocol"));
	/* a tcp:// target needs a key before anything is started */
	unsetenv("TRACE_CMD_HIST_KEY");
	CU_ASSERT_EQUAL(target_open(&t, "tcp://localhost:1", &error), -EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(test_error(&error), "the listener requires a key"));
	CU_ASSERT_EQUAL(target_open(&t, "nothing://x", &error), -EINVAL);
}

/* connection_new() ignores SIGPIPE, which ends the children of other tests. */
static int tear_down(void)
{
	signal(SIGPIPE, SIG_DFL);
	return test_dir_leave();
}

UNIT_TESTS_WITH(test_dir_enter, tear_down,
	{ "data passes in both directions, and a wait ends in time", test_data },
	{ "a write to a program that has ended fails", test_ended },
	{ "a program that cannot be started is reported", test_not_started },
	{ "the reason of a lost connection has the status and the last line of the program", test_reasons },
	{ "the lines of stderr are shown in order and whole", test_stderr },
	{ "a program may clean up, and what it leaves is killed", test_no_end },
	{ "a target that cannot be opened is refused with the reason", test_open });
