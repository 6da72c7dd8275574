// SPDX-License-Identifier: GPL-2.0
/*
 * shell_command.c - send a command line to a remote shell, and read its answer
 *
 * The output of a line ends with a random nonce of this connection, the number of the line and its
 * exit status. The output may therefore contain any bytes. The error message of a failed command
 * is converted to an errno by the texts that C libraries print.
 */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "tracecmd/target/target_shell.h"

/* Time limit for the last line, which has no answer. */
#define END_MS 1000
/* "\n" NONCE "-" number " " status "\n" */
#define MARK_MAX (SHELL_NONCE + 32)

int shell_line_init(struct shell_line *s)
{
	unsigned char random[SHELL_NONCE / 2];
	int i;

	if (getentropy(random, sizeof(random)))
		return -errno;
	for (i = 0; i < SHELL_NONCE / 2; i++)
		sprintf(s->nonce + 2 * i, "%02x", random[i]);
	return 0;
}

void shell_line_end(struct shell_line *s)
{
	/* a serial line stays open: return to the shell that was there before */
	wire_set_deadline(s->end.wire, END_MS);
	if (!s->end.lost)
		wire_send_text(s->end.wire, "exit\n");
	target_remote_end_free(&s->end);
	free(s->out.data);
}

/* The -errno of the error messages of C libraries and shells. */
static int shell_line_parse_error(const char *text)
{
	static const struct {
		const char *words;
		int err;
	} known[] = {
		{ "No such device", ENODEV },	  { "No such process", ESRCH },
		{ "No such file", ENOENT },	  { "nonexistent", ENOENT },
		{ "ermission denied", EACCES },	  { "not permitted", EPERM },
		{ "nvalid argument", EINVAL },	  { "busy", EBUSY },
		{ "ile exists", EEXIST },	  { "No space", ENOSPC },
		{ "s a directory", EISDIR },	  { "ot a directory", ENOTDIR },
		{ "annot allocate", ENOMEM },	  { "ut of memory", ENOMEM },
		{ "Argument list", E2BIG },	  { "too large", EFBIG },
		{ "out of range", ERANGE },	  { "not representable", ERANGE },
		{ "not supported", EOPNOTSUPP },  { "not empty", ENOTEMPTY },
		{ "Read-only", EROFS },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strstr(text, known[i].words))
			return -known[i].err;
	}
	return -EIO;
}

static int send_line(struct shell_line *s, const char *line)
{
	char end[160];
	int ret = wire_send_text(s->end.wire, line);

	snprintf(end, sizeof(end), "\nprintf '\\n%%s\\n' \"%s-%u $?\"\n", s->nonce, ++s->number);
	return ret ? ret : wire_send_text(s->end.wire, end);
}

/* Read more of the answer. Bytes that arrived with the handshake come first. */
static int shell_line_read_more(struct shell_line *s)
{
	struct wire *w = s->end.wire;
	size_t n = w->len - w->at;
	int ret;

	if (s->out.len > TARGET_TEXT_MAX)
		return -EFBIG;
	ret = target_buf_reserve(&s->out, s->out.len + 65536 + 1);
	if (ret)
		return ret;
	if (n) {
		memcpy(s->out.data + s->out.len, w->in + w->at, n);
		w->at = w->len = 0;
		s->out.len += n;
		return 0;
	}
	do {
		ret = wire_wait(w, POLLIN);
		if (!ret)
			ret = w->io.read(w->io.arg, s->out.data + s->out.len, 65536);
	} while (ret == -EAGAIN || ret == -EINTR);
	if (ret <= 0)
		return ret ? ret : -EPIPE;
	s->out.len += ret;
	w->received += ret;
	return 0;
}

/* True if the output ends with the mark, which is then removed. */
static bool shell_line_at_end_mark(struct shell_line *s, int *status)
{
	char mark[MARK_MAX + 1];
	size_t len = s->out.len, at;
	int n, end;

	if (!len || s->out.data[len - 1] != '\n')
		return false;
	s->out.data[len] = '\0';
	n = snprintf(mark, sizeof(mark), "\n%s-%u ", s->nonce, s->number);
	for (at = len > MARK_MAX ? len - MARK_MAX : 0; at + n < len; at++) {
		if (memcmp(s->out.data + at, mark, n))
			continue;
		if (sscanf(s->out.data + at + n, "%d\n%n", status, &end) != 1 ||
		    at + n + end != len)
			return false;
		s->out.len = at;
		s->out.data[at] = '\0';
		return true;
	}
	return false;
}

/* Run one line; returns its exit status, or -ECONNRESET if the connection is lost. */
static int run_line(struct shell_line *s, const char *line)
{
	int status, ret;

	if (s->end.lost)
		return -ECONNRESET;
	s->out.len = 0;
	wire_set_deadline(s->end.wire, WIRE_REQUEST_MS);
	ret = send_line(s, line);
	while (!ret) {
		ret = shell_line_read_more(s);
		if (!ret && shell_line_at_end_mark(s, &status))
			return status & 255;
	}
	return target_remote_end_lose(&s->end, ret);
}

int shell_runf(struct shell_line *s, const char *fmt, ...)
{
	va_list args;
	char *line;
	int ret;

	va_start(args, fmt);
	ret = vasprintf(&line, fmt, args);
	va_end(args);
	if (ret < 0)
		return -ENOMEM;
	ret = run_line(s, line);
	free(line);
	return ret > 0 ? shell_line_parse_error(s->out.data) : ret;
}
