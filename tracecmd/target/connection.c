// SPDX-License-Identifier: GPL-2.0
/*
 * connection.c - run a program whose stdin and stdout lead to a target
 *
 * The program gets an environment variable with a value of its own, which its children inherit,
 * also if their parent is gone.  A process group of its own would stop ssh(1) when it asks the
 * terminal for a password.  A process that has made itself a daemon, in another session, does not
 * count: it is meant to stay, such as the master connection of ssh(1).  /proc/PID/environ is empty
 * for a process that has ended and was not waited for.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "helper/local/target.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/signals.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/base/unique_name.h"
#include "tracecmd/target/target_link.h"

/* Time limit for the program to end after its stdin is closed; the target undoes its changes. */
#define END_MS 5000
/* The same after SIGTERM, and if the time after a signal is over. */
#define TERM_MS 1000
#define LAST_MS 100
/* A line of stderr is kept for this time, because it may be the reason for the end. */
#define KEEP_MS 300
/* After Ctrl-C and this time without an answer, a note is printed. */
#define URGE_MS 1000

#define PROCESS_MARK_ENV "TRACE_CMD_HIST_STARTED"

struct process_mark {
	char text[64]; /* "NAME=VALUE"; "": none */
};

struct connection {
	char *label;
	pid_t pid; /* 0: reaped */
	struct process_mark mark; /* of the program and its children */
	int status;
	int to, from, err;
	bool urged;
	size_t err_len;
	char err_line[512];
	char kept[512]; /* the last line of stderr if it is not printed yet; otherwise "" */
	char hint[256]; /* the line "hint: " after it, or "" */
};

/* Set the variable of this process before fork(2), or remove it after that. */
static void connection_mark_set(struct process_mark *mark)
{
	snprintf(mark->text, sizeof(mark->text), PROCESS_MARK_ENV "=%d-%016" PRIx64, getpid(),
		 unique_number_64());
	setenv(PROCESS_MARK_ENV, strchr(mark->text, '=') + 1, 1);
}

static void connection_mark_unset(void)
{
	unsetenv(PROCESS_MARK_ENV);
}

static bool connection_mark_is_on(const struct process_mark *mark, pid_t pid,
				  struct target_buf *buf)
{
	const char *at, *end;
	char path[32];

	if (pid == getpid() || getsid(pid) != getsid(0))
		return false;
	snprintf(path, sizeof(path), "/proc/%d/environ", pid);
	if (target_read_file(path, buf))
		return false;
	for (at = buf->data, end = at + buf->len; at < end; at += strlen(at) + 1) {
		if (!strcmp(at, mark->text))
			return true;
	}
	return false;
}

/* Send @sig (0: none) to all processes with the mark, and return their number; 0 without /proc. */
static unsigned int connection_mark_signal(const struct process_mark *mark, int sig)
{
	struct target_buf names = { 0 }, environment = { 0 };
	int proc = *mark->text ? open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	unsigned int n = 0;
	const char *name;
	pid_t pid;

	if (proc >= 0 && !target_list_names(proc, &names)) {
		for (name = names.data; name < names.data + names.len; name += strlen(name) + 1) {
			pid = atoi(name);
			if (pid > 0 && connection_mark_is_on(mark, pid, &environment) &&
			    !kill(pid, sig))
				n++;
		}
	}
	if (proc >= 0)
		close(proc);
	free(names.data);
	free(environment.data);
	return n;
}

const char *connection_label(const struct connection *c)
{
	return c->label;
}

static void show_kept(struct connection *c)
{
	const char *line = c->kept;
	enum message_kind kind = message_split(&line, MESSAGE_NOTE);

	if (*line && *c->hint)
		message_put(stderr, kind, "%s: %s\n%s", c->label, line, c->hint);
	else if (*line)
		message_put(stderr, kind, "%s: %s", c->label, line);
	c->kept[0] = c->hint[0] = '\0';
}

/* Keep the complete line in err_line, and print the previous one. */
static void keep_line(struct connection *c)
{
	static const char hint[] = "hint: ";

	c->err_line[c->err_len] = '\0';
	c->err_line[strcspn(c->err_line, "\r\n")] = '\0';
	c->err_len = 0;
	if (!*c->err_line)
		return;
	if (*c->kept && !strncmp(c->err_line, hint, sizeof(hint) - 1)) {
		snprintf(c->hint, sizeof(c->hint), "%.255s", c->err_line + sizeof(hint) - 1);
		return;
	}
	show_kept(c);
	snprintf(c->kept, sizeof(c->kept), "%s", c->err_line);
}

/* Read stderr; false at its end. A line that is too long is printed in parts. */
static bool connection_relay_stderr(struct connection *c)
{
	char block[512];
	ssize_t len = read(c->err, block, sizeof(block)), i;

	if (len < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	for (i = 0; i < len; i++) {
		c->err_line[c->err_len++] = block[i];
		if (block[i] == '\n' || c->err_len == sizeof(c->err_line) - 1)
			keep_line(c);
	}
	if (len > 0)
		return true;
	if (c->err_len)
		keep_line(c);
	close(c->err);
	c->err = -1;
	return false;
}

/* In the child: only async-signal-safe functions. */
static void connection_exec_program(char *const argv[], const int fds[3], int failed)
{
	int i, err;

	for (i = 0; i < 3; i++) {
		if (dup2(fds[i], i) < 0)
			_exit(127);
	}
	signals_reset_child();
	/* ssh(1) and sh(1) do not change signals that are ignored at their start */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	execvp(argv[0], argv);
	err = errno;
	if (write(failed, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

static int connection_start_program(struct connection *c, char *const argv[])
{
	/* for stdin, stdout, stderr and the errno of execvp(): read end, write end */
	int pipes[8] = { -1, -1, -1, -1, -1, -1, -1, -1 };
	int i, err = 0, ret = 0;

	for (i = 0; i < 8 && !ret; i += 2)
		ret = pipe2(&pipes[i], O_CLOEXEC) < 0 ? -errno : 0;
	if (ret)
		goto out;
	fflush(NULL);
	connection_mark_set(&c->mark);
	c->pid = fork();
	if (c->pid < 0) {
		ret = -errno;
		c->pid = 0;
		connection_mark_unset();
		goto out;
	}
	if (!c->pid)
		connection_exec_program(argv, (int[]){ pipes[0], pipes[3], pipes[5] }, pipes[7]);
	connection_mark_unset();
	c->to = pipes[1];
	c->from = pipes[2];
	c->err = pipes[4];
	pipes[1] = pipes[2] = pipes[4] = -1;
	fcntl(c->err, F_SETFL, O_NONBLOCK);
	close(pipes[7]);
	pipes[7] = -1;
	if (read(pipes[6], &err, sizeof(err)) == sizeof(err))
		ret = -err;
out:
	for (i = 0; i < 8; i++) {
		if (pipes[i] >= 0)
			close(pipes[i]);
	}
	return ret;
}

int connection_new(struct connection **connection, char *const argv[], const char *label,
		   struct hist_error *error)
{
	struct connection *c = calloc(1, sizeof(*c));
	int ret = -ENOMEM;

	if (!c)
		goto fail;
	c->to = c->from = c->err = -1;
	c->label = strdup(label);
	if (!c->label)
		goto fail;
	ret = connection_start_program(c, argv);
	if (ret)
		goto fail;
	/* a write to a program that has ended must be an error */
	signal(SIGPIPE, SIG_IGN);
	*connection = c;
	return 0;

fail:
	hist_error_set(error, ret, "%s: %s: %s", label, argv[0], strerror(-ret));
	connection_free(c);
	return ret;
}

static bool connection_reap_program(struct connection *c, int options)
{
	if (c->pid && waitpid(c->pid, &c->status, options) == c->pid)
		c->pid = 0;
	return !c->pid;
}

/*
 * Wait for the end of the program, at most @ms and the time that a signal leaves, and print its
 * stderr. True if it has ended.
 */
static bool wait_end(struct connection *c, int ms)
{
	uint64_t end = timer_now() + (uint64_t)ms * 1000000;
	bool late = !signals_patience(-1);

	while (!connection_reap_program(c, WNOHANG)) {
		struct pollfd fd = { .fd = c->err, .events = POLLIN };

		if (timer_now() >= end || (!late && !signals_patience(-1)))
			return false;
		if (poll(&fd, 1, 20) > 0 && fd.revents)
			connection_relay_stderr(c);
	}
	while (c->err >= 0) {
		struct pollfd fd = { .fd = c->err, .events = POLLIN };

		/* a child may keep the other end open: read only available data */
		if (poll(&fd, 1, 0) <= 0 || !connection_relay_stderr(c))
			break;
	}
	return true;
}

static void close_streams(struct connection *c)
{
	if (c->to >= 0)
		close(c->to);
	if (c->from >= 0)
		close(c->from);
	c->to = c->from = -1;
}

/* End what the program has left, such as a child that ignores SIGTERM. */
static void connection_end_children(struct connection *c)
{
	const struct timespec pause = { .tv_nsec = 20000000 };
	uint64_t end;

	if (!connection_mark_signal(&c->mark, SIGTERM))
		return;
	end = timer_now() + (signals_patience(-1) ? TERM_MS : LAST_MS) * 1000000ull;
	while (connection_mark_signal(&c->mark, 0)) {
		if (timer_now() >= end) {
			connection_mark_signal(&c->mark, SIGKILL);
			return;
		}
		nanosleep(&pause, NULL);
	}
}

void connection_free(struct connection *c)
{
	if (!c)
		return;
	close_streams(c);
	if (c->pid && !wait_end(c, signals_patience(END_MS))) {
		kill(c->pid, SIGTERM);
		if (!wait_end(c, signals_patience(-1) ? TERM_MS : LAST_MS)) {
			kill(c->pid, SIGKILL);
			connection_reap_program(c, 0);
		}
	}
	connection_end_children(c);
	show_kept(c);
	if (c->err >= 0)
		close(c->err);
	free(c->label);
	free(c);
}

static int io_read(void *arg, void *to, size_t len)
{
	struct connection *c = arg;
	ssize_t got = read(c->from, to, len);
	int err = errno;

	/* the connection works, so the line is not the reason of its end */
	if (got > 0)
		show_kept(c);
	return got < 0 ? -err : got;
}

static int io_write(void *arg, const void *from, size_t len)
{
	ssize_t done = write(((struct connection *)arg)->to, from, len);

	return done < 0 ? -errno : done;
}

/* The timeout of the next poll() in ms; 0 if the time is over. */
static int wait_step(struct connection *c, uint64_t end)
{
	uint64_t now = timer_now();
	int ms = -1;

	if (end != UINT64_MAX)
		ms = now < end ? (end - now) / 1000000 + 1 : 0;
	ms = signals_patience(ms);
	if (ms < 0 || ms > KEEP_MS)
		ms = *c->kept ? KEEP_MS : ms;
	if ((ms < 0 || ms > URGE_MS) && signals_have_arrived() && !c->urged)
		ms = URGE_MS;
	return ms;
}

static int io_wait(void *arg, short events, int ms)
{
	uint64_t begin = timer_now(), end = ms < 0 ? UINT64_MAX : begin + ms * 1000000ull;
	struct connection *c = arg;
	struct pollfd fds[3] = {
		{ .fd = events == POLLIN ? c->from : c->to, .events = events },
		{ .events = POLLIN },
		{ .fd = signals_fd(), .events = POLLIN },
	};
	int n, step;

	for (;;) {
		step = wait_step(c, end);
		if (!step)
			return signals_patience(-1) ? -ETIMEDOUT : -ECANCELED;
		fds[1].fd = c->err;
		n = poll(fds, 3, step);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (!n)
			show_kept(c);
		if (!n && signals_have_arrived() && !c->urged &&
		    timer_now() - begin >= URGE_MS * 1000000ull) {
			message_note("%s: the target has not answered yet\n"
				     "press Ctrl-C again to stop without waiting for the "
				     "answer", c->label);
			c->urged = true;
		}
		if (n > 0 && fds[1].revents)
			connection_relay_stderr(c);
		if (n > 0 && fds[0].revents)
			return 0;
	}
}

struct wire_io connection_io(struct connection *c)
{
	struct wire_io io = { io_read, io_write, io_wait, c };

	return io;
}

void connection_explain(struct connection *c, int err, unsigned int seconds,
			struct hist_error *error)
{
	const char *last = c->kept;
	char ended[64] = "";

	if (err == -ETIMEDOUT || err == -ECANCELED) {
		show_kept(c);
	} else {
		close_streams(c);
		if (wait_end(c, 1000) && WIFSIGNALED(c->status))
			snprintf(ended, sizeof(ended), " (killed by signal %d)",
				 WTERMSIG(c->status));
		else if (!c->pid && WEXITSTATUS(c->status))
			snprintf(ended, sizeof(ended), " (exit status %d)", WEXITSTATUS(c->status));
	}
	switch (err) {
	case -EPIPE:
	case -ECONNRESET:
		message_split(&last, MESSAGE_ERROR);
		hist_error_set(error, err, "%s: the target closed the connection%s%s%s\n%s",
			       c->label, ended, *last ? ": " : "", last, c->hint);
		c->kept[0] = c->hint[0] = '\0';
		break;
	case -ETIMEDOUT:
		hist_error_set(error, err,
			       "%s: no complete answer within %u s; the target is "
			       "considered lost",
			       c->label, seconds);
		break;
	case -ECANCELED:
		hist_error_set(error, err,
			       "%s: the target did not answer in time after the recorder "
			       "was interrupted; the target is considered lost",
			       c->label);
		break;
	case -EBADMSG:
	case -EPROTO:
	case -EMSGSIZE:
		hist_error_set(error, err,
			       "%s: received data that is not from a target helper%s; "
			       "perhaps another program on the target writes to the connection",
			       c->label, ended);
		break;
	default:
		hist_error_set(error, err, "%s: connection: %s%s", c->label, strerror(-err), ended);
	}
}
