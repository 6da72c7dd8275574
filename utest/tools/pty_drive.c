// SPDX-License-Identifier: GPL-2.0
/*
 * pty_drive.c - run a program in a pseudo-terminal, by a script, for tests
 *
 *	pty_drive [-r ROWS] [-c COLUMNS] [-l LOG] COMMAND... <SCRIPT
 *
 * Each line of the script is a step:
 *
 *	expect TEXT	until the screen shows TEXT
 *	gone TEXT	until it does not
 *	send KEYS	with \e, \t, \n, \b, \\
 *	resize ROWS COLUMNS
 *	signal NUMBER	to the program
 *	hangup		the terminal goes away
 *	run COMMAND	by sh; the screen goes on meanwhile; its status must be 0
 *	save FILE	what the screen shows, without blanks at line ends, once it is
 *			whole: a program that draws leaves the cursor in the last cell
 *	exit STATUS	until the program ends, with this status
 *
 * A step that has not come true after 30 seconds, or a program that ends too
 * early, ends all with status 1 and the screen on stderr.  LOG gets the bytes
 * that the program wrote.  The screen is that of a vt100 with what xterm and
 * linux add, as far as ncurses uses it; an unknown sequence is an error.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "utest/tools/pty_screen.h"

#define LIMIT_MS 30000

struct drive {
	struct pty_screen screen;
	int master, log;
	pid_t child;
	int status; /* of wait(2); -1 while it runs */
};

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ll + ts.tv_nsec / 1000000;
}

static void show(struct drive *d, FILE *f)
{
	char *text = pty_screen_text(&d->screen);

	fputs(text, f);
	free(text);
}

static void fail(struct drive *d, const char *step, const char *why)
{
	fprintf(stderr, "pty_drive: %s: %s; the screen:\n", step, why);
	show(d, stderr);
	if (d->status < 0)
		kill(d->child, SIGKILL);
	exit(1);
}

/* What the program writes, for at most @ms. False: the terminal has its end. */
static bool pump(struct drive *d, int ms)
{
	struct pollfd fd = { .fd = d->master, .events = POLLIN };
	char buf[4096];
	ssize_t n;

	if (d->master < 0) {
		poll(NULL, 0, ms);
		return false;
	}
	if (poll(&fd, 1, ms) <= 0)
		return true;
	n = read(d->master, buf, sizeof(buf));
	if (n <= 0) {
		if (n < 0 && errno == EINTR)
			return true;
		poll(NULL, 0, ms); /* its end is seen by waitpid() */
		return false;
	}
	if (d->log >= 0 && write(d->log, buf, n) != n)
		fail(d, "log", strerror(errno));
	if (!pty_screen_feed(&d->screen, buf, n))
		fail(d, "output", d->screen.unknown);
	return true;
}

static void look_at_child(struct drive *d)
{
	int status;

	if (d->status < 0 && waitpid(d->child, &status, WNOHANG) == d->child)
		d->status = status;
}

static void expect(struct drive *d, const char *step, const char *text, bool there)
{
	int64_t end = now_ms() + LIMIT_MS;
	bool more = true;
	char *shown;
	bool found;

	for (;;) {
		shown = pty_screen_text(&d->screen);
		found = strstr(shown, text);
		free(shown);
		if (found == there)
			return;
		if (d->status >= 0 && !more)
			fail(d, step, "the program has ended");
		if (now_ms() > end)
			fail(d, step, "not in time");
		more = pump(d, 20);
		look_at_child(d);
	}
}

static void send_keys(struct drive *d, const char *step, const char *keys)
{
	static const char names[] = "etnb\\", bytes[] = "\033\t\n\b\\";
	char buf[256];
	size_t n = 0;
	const char *name;

	for (; *keys && n < sizeof(buf); keys++) {
		name = *keys == '\\' && keys[1] ? strchr(names, keys[1]) : NULL;
		buf[n++] = name ? bytes[name - names] : *keys;
		keys += name != NULL;
	}
	if (write(d->master, buf, n) != (ssize_t)n)
		fail(d, step, strerror(errno));
}

static void resize(struct drive *d, const char *step, const char *text)
{
	struct winsize size = { 0 };

	if (sscanf(text, "%hu %hu", &size.ws_row, &size.ws_col) != 2)
		fail(d, step, "want ROWS COLUMNS");
	pty_screen_resize(&d->screen, size.ws_row, size.ws_col);
	if (ioctl(d->master, TIOCSWINSZ, &size))
		fail(d, step, strerror(errno));
}

static void run(struct drive *d, const char *step, const char *command)
{
	int64_t end = now_ms() + LIMIT_MS;
	pid_t pid = fork();
	int status;

	if (pid < 0)
		fail(d, step, strerror(errno));
	if (!pid) {
		dup2(2, 1);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	while (waitpid(pid, &status, WNOHANG) != pid) {
		if (now_ms() > end) {
			kill(pid, SIGKILL);
			fail(d, step, "not in time");
		}
		pump(d, 20);
	}
	if (status)
		fail(d, step, "its status is not 0");
	/* what was written in the meantime */
	while (d->master >= 0) {
		struct pollfd fd = { .fd = d->master, .events = POLLIN };

		if (poll(&fd, 1, 0) <= 0 || !pump(d, 0))
			break;
	}
}

static void save(struct drive *d, const char *step, const char *path)
{
	int64_t end = now_ms() + LIMIT_MS;
	FILE *f = fopen(path, "w");

	while (d->screen.row + 1 != d->screen.rows || d->screen.column + 1 != d->screen.columns) {
		if (now_ms() > end)
			fail(d, step, "the cursor never came to the last cell");
		pump(d, 20);
	}
	if (!f)
		fail(d, step, strerror(errno));
	show(d, f);
	fclose(f);
}

static void wait_exit(struct drive *d, const char *step, int wanted)
{
	int64_t end = now_ms() + LIMIT_MS;
	char why[64];
	int got;

	while (d->status < 0) {
		if (now_ms() > end)
			fail(d, step, "it still runs");
		pump(d, 20);
		look_at_child(d);
	}
	while (pump(d, 0) && d->master >= 0)
		;
	got = WIFEXITED(d->status) ? WEXITSTATUS(d->status) : 128 + WTERMSIG(d->status);
	snprintf(why, sizeof(why), "its status is %d", got);
	if (got != wanted)
		fail(d, step, why);
}

static void step(struct drive *d, char *line)
{
	const char *arg = strchr(line, ' ');
	size_t len = arg ? (size_t)(arg - line) : strlen(line);

	arg = arg ? arg + 1 : "";
#define IS(word) (len == strlen(word) && !memcmp(line, word, len))
	if (IS("expect")) {
		expect(d, line, arg, true);
	} else if (IS("gone")) {
		expect(d, line, arg, false);
	} else if (IS("send")) {
		send_keys(d, line, arg);
	} else if (IS("resize")) {
		resize(d, line, arg);
	} else if (IS("signal")) {
		kill(d->child, atoi(arg));
	} else if (IS("hangup")) {
		close(d->master);
		d->master = -1;
	} else if (IS("run")) {
		run(d, line, arg);
	} else if (IS("save")) {
		save(d, line, arg);
	} else if (IS("exit")) {
		wait_exit(d, line, atoi(arg));
	} else {
		fail(d, line, "no such step");
	}
#undef IS
}

int main(int argc, char **argv)
{
	struct drive d = { .master = -1, .log = -1, .status = -1 };
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	int c;

	while ((c = getopt(argc, argv, "+r:c:l:")) != -1) {
		if (c == 'r') {
			size.ws_row = atoi(optarg);
		} else if (c == 'c') {
			size.ws_col = atoi(optarg);
		} else if (c == 'l') {
			d.log = open(optarg, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		} else {
			return 2;
		}
	}
	if (optind == argc) {
		fprintf(stderr, "usage: pty_drive [-r ROWS] [-c COLUMNS] [-l LOG] COMMAND... <SCRIPT\n");
		return 2;
	}
	pty_screen_resize(&d.screen, size.ws_row, size.ws_col);
	d.child = forkpty(&d.master, NULL, NULL, &size);
	if (d.child < 0) {
		perror("pty_drive: forkpty");
		return 2;
	}
	if (!d.child) {
		execvp(argv[optind], argv + optind);
		fprintf(stderr, "%s: %s\n", argv[optind], strerror(errno));
		_exit(127);
	}
	fcntl(d.master, F_SETFD, FD_CLOEXEC);
	while ((n = getline(&line, &room, stdin)) > 0) {
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		if (*line && *line != '#')
			step(&d, line);
	}
	look_at_child(&d);
	if (d.status < 0)
		fail(&d, "end of the script", "the program still runs");
	free(line);
	pty_screen_clear(&d.screen);
	return 0;
}
