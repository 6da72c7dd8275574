// SPDX-License-Identifier: GPL-2.0
/*
 * bootstrap_test.c - what is at the other end of a connection
 *
 * The answers of the other end are a text here; what the program sends is kept.  One test runs a
 * real shell instead, whose terminal is a pseudo-terminal.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "tracecmd/target/target_link.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

/* The other end: what it says, how much of it was read, and what it got. */
static struct {
	const char *says;
	char got[8192];
	size_t got_len;
} end;

static int end_read(void *arg, void *to, size_t len)
{
	size_t n = strlen(end.says);

	(void)arg;
	n = n < len ? n : len;
	memcpy(to, end.says, n);
	end.says += n;
	return n;
}

static int end_write(void *arg, const void *from, size_t len)
{
	(void)arg;
	CU_ASSERT_FATAL(end.got_len + len < sizeof(end.got));
	memcpy(end.got + end.got_len, from, len);
	end.got_len += len;
	end.got[end.got_len] = '\0';
	return len;
}

static int end_wait(void *arg, short events, int ms)
{
	(void)arg;
	(void)events;
	(void)ms;
	return 0;
}

static enum bootstrap_kind kind;
static unsigned int version;
static struct hist_error error;

static int greet(bool shell_only, const char *says)
{
	struct wire_io io = { end_read, end_write, end_wait, NULL };
	struct wire *w = wire_new(&io);
	int ret;

	CU_ASSERT_PTR_NOT_NULL_FATAL(w);
	end.says = says;
	end.got_len = 0;
	kind = -1;
	version = 4711;
	error = (struct hist_error){ 0 };
	ret = bootstrap(w, shell_only, &kind, &version, &error);
	free(w);
	return ret;
}

/* How often @text is in what was sent. */
static unsigned int count_sent(const char *text)
{
	const char *at = end.got;
	unsigned int n;

	for (n = 0; (at = strstr(at, text)); n++)
		at += strlen(text);
	return n;
}

static void test_helper(void)
{
	char said[120];

	snprintf(said, sizeof(said), "trace-cmd-hist:helper %u %u 1.0\n", WIRE_NEWEST, WIRE_OLDEST);
	CU_ASSERT_EQUAL(greet(false, said), 0);
	CU_ASSERT_EQUAL(kind, BOOTSTRAP_HELPER);
	CU_ASSERT_EQUAL(version, WIRE_NEWEST);
	/* a newer one speaks the newest version of this program */
	snprintf(said, sizeof(said), "trace-cmd-hist:helper %u %u 9.0\n", WIRE_NEWEST + 5, WIRE_OLDEST);
	CU_ASSERT_EQUAL(greet(false, said), 0);
	CU_ASSERT_EQUAL(version, WIRE_NEWEST);
	/* an older one has the last word */
	snprintf(said, sizeof(said), "trace-cmd-hist:helper %u %u 0.1\n", WIRE_OLDEST, WIRE_OLDEST);
	CU_ASSERT_EQUAL(greet(false, said), 0);
	CU_ASSERT_EQUAL(version, WIRE_OLDEST);
	snprintf(said, sizeof(said), "trace-cmd-hist:helper %u %u 9.0\n", WIRE_NEWEST + 5, WIRE_NEWEST + 1);
	CU_ASSERT_EQUAL(greet(false, said), -EREMOTEIO);
	snprintf(said, sizeof(said), "the target helper uses version %u of the protocol\ninstall the same "
		 "version on both machines", WIRE_NEWEST + 5);
	CU_ASSERT_STRING_EQUAL(test_error(&error), said);
	snprintf(said, sizeof(said), "trace-cmd-hist:helper %u %u 0.1\n", WIRE_OLDEST - 1, WIRE_OLDEST - 1);
	CU_ASSERT_EQUAL(greet(false, said), -EREMOTEIO);
	CU_ASSERT_EQUAL(greet(false, "trace-cmd-hist:helper 1\n"), -EPROTO);
	CU_ASSERT_EQUAL(greet(false, "trace-cmd-hist:other\n"), -EPROTO);
	CU_ASSERT_EQUAL(kind, (enum bootstrap_kind)-1);
}

static void test_greeting(void)
{
	char first[40];

	CU_ASSERT_EQUAL(greet(false, "trace-cmd-hist:shell\n"), 0);
	snprintf(first, sizeof(first), "#trace-cmd-hist %d %d\n", WIRE_NEWEST, WIRE_OLDEST);
	CU_ASSERT_EQUAL(strncmp(end.got, first, strlen(first)), 0);
	/* two lines, and no line of the greeting is an answer when a terminal echoes it */
	CU_ASSERT_EQUAL(count_sent("\n"), 2);
	CU_ASSERT_EQUAL(end.got[end.got_len - 1], '\n');
	CU_ASSERT_EQUAL(count_sent("trace-cmd-hist:"), 0);
	CU_ASSERT_EQUAL(count_sent("trace-cmd-hist-target --stdio"), 1);
	CU_ASSERT_EQUAL(greet(true, "trace-cmd-hist:shell\n"), 0);
	CU_ASSERT_EQUAL(count_sent("--stdio"), 0);
}

static void test_shell(void)
{
	char noise[1000 * 8 + 64] = "";
	unsigned int i;

	CU_ASSERT_EQUAL(greet(false, "Welcome!\r\n\n$ \ntrace-cmd-hist:shell\n"), 0);
	CU_ASSERT_EQUAL(kind, BOOTSTRAP_SHELL);
	CU_ASSERT_EQUAL(greet(true, "trace-cmd-hist:shell\r\n"), 0);
	CU_ASSERT_EQUAL(kind, BOOTSTRAP_SHELL);
	for (i = 0; i < 999; i++)
		strcat(noise + 8 * i, "a line\r\n");
	strcpy(noise + 8 * 999, "trace-cmd-hist:shell\n");
	CU_ASSERT_EQUAL(greet(false, noise), 0);
	strcpy(noise + 8 * 999, "a line\r\ntrace-cmd-hist:shell\n");
	CU_ASSERT_EQUAL(greet(false, noise), -EPROTO);
	CU_ASSERT_NOT_EQUAL(greet(false, "$ "), 0);
	CU_ASSERT_NOT_EQUAL(greet(false, ""), 0);
}

static void test_start(void)
{
	char said[120];

	/* the shell starts a helper, which gets a greeting of its own */
	snprintf(said, sizeof(said), "trace-cmd-hist:exec\ntrace-cmd-hist:helper %u %u 1.0\n", WIRE_NEWEST,
		 WIRE_OLDEST);
	CU_ASSERT_EQUAL(greet(false, said), 0);
	CU_ASSERT_EQUAL(kind, BOOTSTRAP_HELPER);
	CU_ASSERT_EQUAL(count_sent("#trace-cmd-hist "), 2);
	/* a helper that ends leaves its shell, which is not what was asked for */
	CU_ASSERT_EQUAL(greet(false, "trace-cmd-hist:exec\ntrace-cmd-hist:shell\n"), -EPROTO);
	CU_ASSERT_EQUAL(greet(false, "trace-cmd-hist:exec\ntrace-cmd-hist:exec\n"), -EPROTO);
	CU_ASSERT_EQUAL(greet(true, "trace-cmd-hist:exec\n"), -EPROTO);
	snprintf(said, sizeof(said), "trace-cmd-hist:helper %u %u 1.0\n", WIRE_NEWEST, WIRE_OLDEST);
	CU_ASSERT_EQUAL(greet(true, said), -EPROTO);
}

static void test_refused(void)
{
	CU_ASSERT_EQUAL(greet(false, "trace-cmd-hist:refused the target is busy\n"), -EREMOTEIO);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "the target is busy");
	CU_ASSERT_EQUAL(greet(true, "login\ntrace-cmd-hist:refused no tracefs; mount it\n"), -EREMOTEIO);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "no tracefs\nmount it");
	CU_ASSERT_EQUAL(greet(true, "trace-cmd-hist:refused a;b; c; d\n"), -EREMOTEIO);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "a;b\nc; d");
}

/* --- a real shell --- */

static int fds[2];

static int pipe_read(void *arg, void *to, size_t len)
{
	ssize_t n = read(fds[0], to, len);

	(void)arg;
	return n < 0 ? -errno : n;
}

static int pipe_write(void *arg, const void *from, size_t len)
{
	ssize_t n = write(fds[1], from, len);

	(void)arg;
	return n < 0 ? -errno : n;
}

static int pipe_wait(void *arg, short events, int ms)
{
	struct pollfd fd = { .fd = fds[events == POLLIN ? 0 : 1], .events = events };

	(void)arg;
	(void)ms;
	return poll(&fd, 1, 20000) == 1 ? 0 : -ETIMEDOUT;
}

/* Greet /bin/sh with the terminal @tty, or with pipes. */
static int greet_shell(bool tty, pid_t *child)
{
	struct wire_io io = { pipe_read, pipe_write, pipe_wait, NULL };
	int to[2], from[2], master = -1, slave = -1, ret;
	struct wire *w;

	if (tty) {
		master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
		CU_ASSERT_FATAL(master >= 0 && !grantpt(master) && !unlockpt(master));
		slave = open(ptsname(master), O_RDWR | O_NOCTTY);
		CU_ASSERT_FATAL(slave >= 0);
		fds[0] = fds[1] = master;
		to[0] = from[1] = slave;
	} else {
		CU_ASSERT_FATAL(!pipe2(to, O_CLOEXEC) && !pipe2(from, O_CLOEXEC));
		fds[0] = from[0];
		fds[1] = to[1];
	}
	fflush(NULL);
	*child = fork();
	if (!*child) {
		dup2(to[0], 0);
		dup2(from[1], 1);
		dup2(from[1], 2);
		setenv("PATH", "/bin:/usr/bin", 1);
		execl("/bin/sh", "sh", tty ? "-i" : NULL, (char *)NULL);
		_exit(127);
	}
	close(to[0]);
	if (!tty)
		close(from[1]);
	w = wire_new(&io);
	CU_ASSERT_PTR_NOT_NULL_FATAL(w);
	ret = bootstrap(w, true, &kind, &version, &error);
	free(w);
	return ret;
}

static void test_real(void)
{
	static const char line[] = "printf 'a\\nb\\r'\n";
	char text[80];
	ssize_t len;
	pid_t child;
	int i;

	for (i = 0; i < 2; i++) {
		kind = -1;
		CU_ASSERT_EQUAL(greet_shell(i, &child), 0);
		CU_ASSERT_EQUAL(kind, BOOTSTRAP_SHELL);
		/* it runs lines, and neither echoes them nor changes what it writes */
		len = pipe_write(NULL, line, strlen(line));
		CU_ASSERT_EQUAL(len, (ssize_t)strlen(line));
		for (len = 0; len < 4 && !pipe_wait(NULL, POLLIN, 0);)
			len += pipe_read(NULL, text + len, sizeof(text) - 1 - len);
		text[len > 0 ? len : 0] = '\0';
		CU_ASSERT_STRING_EQUAL(text, "a\nb\r");
		close(fds[0]);
		if (!i)
			close(fds[1]);
		waitpid(child, NULL, 0);
	}
}

UNIT_TESTS({ "the version is the newest that both ends support", test_helper },
	   { "the greeting is a comment and a command, and not an answer to itself", test_greeting },
	   { "a shell is found after what a login prints, up to a limit", test_shell },
	   { "a helper that the shell starts is greeted once more", test_start },
	   { "a refusal is passed on with its hint", test_refused },
	   { "a real shell reads lines after the handshake, also on a terminal", test_real });
