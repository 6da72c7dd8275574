// SPDX-License-Identifier: GPL-2.0
/*
 * target_shell.c - a target with nothing but a POSIX shell
 *
 * Each operation is one line for the shell.  What it prints ends with a mark
 * that was drawn at random for this connection, the number of the line and its
 * exit status, so data of any bytes and size pass.  What a failed command says
 * is looked up among the words that libcs have for errors.
 *
 * No word of a line is made from data: paths are of an alphabet that means
 * nothing to a shell (else -EINVAL), and all else are octal escapes for printf.
 *
 * The undo list is kept here, as taking back needs a look at what is there.
 * The shell has a short form of it as well: variables u1, u2..., with what to
 * write and what to remove, that a trap carries out, newest first, when its
 * stdin ends or it is told to end.  Only a SIGKILL of the shell leaves things.
 *
 * Invariant: n in the shell is the number of notes that are not cancelled.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "command.h"
#include "target_clock.h"
#include "target_shell.h"
#include "undo_change.h"
#include "undo_list.h"

#define MAX_TEXT (512u << 20)
#define MAX_HANDLES 64
#define NONCE 32
/* "\n" NONCE "-" number " " status "\n" */
#define MARK_MAX (NONCE + 32)

struct shell {
	struct hist_target target;
	struct wire *wire; /* only its io, and what came with the handshake */
	struct remote_link link;
	struct undo_list *undo;
	bool lost;
	char nonce[NONCE + 1];
	unsigned int number; /* of the line sent last */
	struct target_buf out;
	char *paths[MAX_HANDLES];
};

static struct shell *shell_of(struct hist_target *t)
{
	return (struct shell *)t; /* its first member */
}

static int lose(struct shell *s, int err)
{
	char why[512];

	if (s->lost)
		return -ECONNRESET;
	s->lost = true;
	s->link.explain(s->link.arg, err, why, sizeof(why));
	complain("%s", why);
	return -ECONNRESET;
}

/* Letters that a shell takes for what they are. */
static bool plain(const char *path)
{
	return target_path_ok(path) &&
	       !path[strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "0123456789_./:@%+,-")];
}

/* @len bytes as octal escapes; malloc'ed. */
static char *octal(const char *data, size_t len)
{
	char *text = malloc(len * 4 + 1);
	size_t i;

	for (i = 0; text && i < len; i++)
		sprintf(text + 4 * i, "\\%03o", (unsigned char)data[i]);
	if (text)
		text[len * 4] = '\0';
	return text;
}

/* What was said for an error, by the C libraries and shells that there are. */
static int error_of(const char *text)
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

static int send_line(struct shell *s, const char *line)
{
	char end[160];
	int ret = wire_send_text(s->wire, line);

	snprintf(end, sizeof(end), "\nprintf '\\n%%s\\n' \"%s-%u $?\"\n", s->nonce, ++s->number);
	return ret ? ret : wire_send_text(s->wire, end);
}

/* Some more of the answer: what came with the handshake first. */
static int fill(struct shell *s)
{
	struct wire *w = s->wire;
	size_t n = w->len - w->at;
	int ret;

	if (s->out.len > MAX_TEXT)
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
		ret = w->io.wait(w->io.arg, POLLIN);
		if (!ret)
			ret = w->io.read(w->io.arg, s->out.data + s->out.len, 65536);
	} while (ret == -EAGAIN || ret == -EINTR);
	if (ret <= 0)
		return ret ? ret : -EPIPE;
	s->out.len += ret;
	w->received += ret;
	return 0;
}

/* The mark can only be the very end.  True when it is; it is cut off then. */
static bool at_end(struct shell *s, int *status)
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

/* One line; its exit status, what it printed in s->out. */
static int run(struct shell *s, const char *line)
{
	int status, ret;

	if (s->lost)
		return -ECONNRESET;
	s->out.len = 0;
	ret = send_line(s, line);
	while (!ret) {
		ret = fill(s);
		if (!ret && at_end(s, &status))
			return status & 255;
	}
	return lose(s, ret);
}

/* The same by printf; 0 or -errno. */
__attribute__((format(printf, 2, 3))) static int runf(struct shell *s, const char *fmt, ...)
{
	va_list args;
	char *line;
	int ret;

	va_start(args, fmt);
	ret = vasprintf(&line, fmt, args);
	va_end(args);
	if (ret < 0)
		return -ENOMEM;
	ret = run(s, line);
	free(line);
	return ret > 0 ? error_of(s->out.data) : ret;
}

/* What was printed becomes @buf's, and what @buf had serves the next line. */
static void give(struct shell *s, struct target_buf *buf)
{
	struct target_buf old = *buf;

	*buf = s->out;
	s->out = old;
}

static int shell_read(struct hist_target *t, const char *path, struct target_buf *buf)
{
	int ret = plain(path) ? runf(shell_of(t), "cat ./%s 2>&1", path) : -EINVAL;

	if (!ret)
		give(shell_of(t), buf);
	return ret;
}

static int shell_open(struct hist_target *t, const char *path, int *handle)
{
	struct shell *s = shell_of(t);
	int i, ret;

	if (!plain(path))
		return -EINVAL;
	for (i = 0; i < MAX_HANDLES && s->paths[i]; i++)
		;
	if (i == MAX_HANDLES)
		return -EMFILE;
	/* what open(2) would say */
	ret = runf(s, "{ true <./%s;} 2>&1", path);
	if (ret)
		return ret;
	s->paths[i] = strdup(path);
	*handle = i;
	return s->paths[i] ? 0 : -ENOMEM;
}

static int shell_reread(struct hist_target *t, int handle, struct target_buf *buf)
{
	return shell_read(t, shell_of(t)->paths[handle], buf);
}

static void shell_close(struct hist_target *t, int handle)
{
	free(shell_of(t)->paths[handle]);
	shell_of(t)->paths[handle] = NULL;
}

static int shell_write(struct hist_target *t, const char *path, const char *data, size_t len,
		       bool append)
{
	struct shell *s = shell_of(t);
	const char *to = append ? ">>" : ">";
	char *text;
	int ret;

	if (!plain(path) || (!append && target_truncation_harms(path)))
		return -EINVAL;
	if (len > SHELL_WRITE_MAX)
		return -E2BIG;
	if (!len)
		return runf(s, "{ true %s./%s;} 2>&1", to, path);
	text = octal(data, len);
	if (!text)
		return -ENOMEM;
	/* cat says what write(2) said, as not all shells' printf do */
	ret = runf(s, "{ printf '%s'|cat %s./%s;} 2>&1", text, to, path);
	free(text);
	return ret;
}

static int shell_list(struct hist_target *t, const char *path, struct target_buf *buf)
{
	struct shell *s = shell_of(t);
	char *from, *to, *end;
	int ret;

	ret = plain(path) ? runf(s, "ls -1a ./%s/ 2>&1", path) : -EINVAL;
	if (ret)
		return ret;
	give(s, buf);
	for (from = to = buf->data; *from; from = end) {
		size_t len = strcspn(from, "\n");

		end = from + len + (from[len] == '\n');
		from[len] = '\0';
		if (!len || !strcmp(from, ".") || !strcmp(from, ".."))
			continue;
		memmove(to, from, len + 1);
		to += len + 1;
	}
	buf->len = to - buf->data;
	*to = '\0';
	return 0;
}

static int shell_mkdir(struct hist_target *t, const char *path)
{
	return plain(path) ? runf(shell_of(t), "mkdir ./%s 2>&1", path) : -EINVAL;
}

static int shell_rmdir(struct hist_target *t, const char *path)
{
	return plain(path) ? runf(shell_of(t), "rmdir ./%s 2>&1", path) : -EINVAL;
}

static int shell_exists(struct hist_target *t, const char *path)
{
	int ret = plain(path) ? runf(shell_of(t), "[ -e ./%s ]&&echo y;true", path) : -EINVAL;

	return ret ? ret : shell_of(t)->out.data[0] == 'y';
}

/* date(1) may know seconds only. */
static int wall_clock(struct shell *s, uint64_t *now)
{
	char fraction[10] = "000000000";
	unsigned int i;
	uint64_t seconds;
	int ret, n = 0;

	ret = runf(s, "date +%%s.%%N 2>&1");
	if (ret)
		return ret;
	if (sscanf(s->out.data, "%" SCNu64 ".%n", &seconds, &n) != 1)
		return -ENOTSUP;
	for (i = 0; n && i < 9 && s->out.data[n + i] >= '0' && s->out.data[n + i] <= '9'; i++)
		fraction[i] = s->out.data[n + i];
	*now = seconds * 1000000000u + strtoul(fraction, NULL, 10);
	return 0;
}

/* target_marked_clock() in one line. */
static int shell_clock(struct hist_target *t, const char *clock, const char *instance,
		       uint64_t *now)
{
	struct shell *s = shell_of(t);
	char mark[96], *current;
	int ret;

	if (!strcmp(clock, "realtime"))
		return wall_clock(s, now);
	if (!instance)
		return -ENOTSUP;
	if (!plain(instance))
		return -EINVAL;
	snprintf(mark, sizeof(mark), "trace-cmd-hist_clock_%s-%u", s->nonce, s->number);
	ret = runf(s, "{ i=./%s;cat $i/trace_clock&&printf 1 >$i/options/raw&&true >$i/trace&&"
		   "printf %s|cat >>$i/trace_marker&&cat $i/trace;} 2>&1", instance, mark);
	if (ret)
		return ret == -ECONNRESET ? ret : -ENOTSUP;
	current = target_current_clock(s->out.data);
	if (!current || strcmp(current, clock))
		ret = -EINVAL;
	free(current);
	return ret ? ret : target_find_mark(s->out.data, mark, now);
}

/* The line for the trap, and one more note there. */
static int note_there(struct shell *s, enum note_type type, const char *path, const char *text)
{
	char *escaped = NULL;
	int ret;

	if (type == NOTE_INSTANCE)
		return runf(s, "n=$((n+1));eval u$n=\\''i=0;while [ -d ./%s ]&&! rmdir ./%s"
			    "&&[ $i -lt 5 ];do i=$((i+1));sleep 1;done'\\'", path, path);
	escaped = octal(text, strlen(text));
	if (!escaped)
		return -ENOMEM;
	ret = runf(s, "n=$((n+1));eval u$n=\\''printf \"%s%s\"|cat %s./%s'\\'",
		   type == NOTE_TRIGGER ? "\\041" : "", escaped, type == NOTE_VALUE ? ">" : ">>",
		   path);
	free(escaped);
	return ret;
}

static int shell_note(struct hist_target *t, int type, const char *path, const char *text)
{
	struct shell *s = shell_of(t);
	char *value = NULL;
	int ret;

	if (!plain(path))
		return -EINVAL;
	if (!s->undo)
		s->undo = undo_list_new(t, NULL);
	if (!s->undo)
		return -ENOMEM;
	if (type == NOTE_VALUE) {
		value = change_plain_value(path, text);
		if (!value)
			return -ENOMEM;
		text = value;
	}
	ret = undo_list_note(s->undo, type, path, text);
	if (!ret) {
		ret = note_there(s, type, path, text);
		if (ret)
			undo_list_cancel(s->undo);
	}
	free(value);
	return ret;
}

static int shell_cancel(struct hist_target *t)
{
	struct shell *s = shell_of(t);
	int ret = s->undo ? undo_list_cancel(s->undo) : -ENOENT;

	return ret ? ret : runf(s, "n=$((n-1))");
}

static int shell_take_back(struct hist_target *t, const struct undo_report *report,
			   struct undo_outcome *outcome)
{
	struct shell *s = shell_of(t);

	if (s->lost)
		return -ECONNRESET;
	if (!s->undo)
		return 0;
	undo_list_run(s->undo, report, outcome);
	if (outcome->failed)
		return 0;
	undo_list_free(s->undo);
	s->undo = NULL;
	return runf(s, "n=0");
}

/* Without a helper there are no journals. */
static int shell_clean(struct hist_target *t, bool dry_run, const struct undo_report *report,
		       struct undo_outcome *outcome)
{
	(void)t;
	(void)dry_run;
	(void)report;
	(void)outcome;
	return 0;
}

static int shell_ping(struct hist_target *t)
{
	return runf(shell_of(t), "true");
}

static void shell_free(struct hist_target *t)
{
	struct shell *s = shell_of(t);
	int i;

	for (i = 0; i < MAX_HANDLES; i++)
		free(s->paths[i]);
	undo_list_free(s->undo);
	s->link.free(s->link.arg);
	free(s->wire);
	free(s->out.data);
	free(t->uname);
	free(t->host);
	free(s);
}

static const struct hist_target_ops shell_ops = {
	.read = shell_read,
	.open = shell_open,
	.reread = shell_reread,
	.close = shell_close,
	.write = shell_write,
	.list = shell_list,
	.mkdir = shell_mkdir,
	.rmdir = shell_rmdir,
	.exists = shell_exists,
	.clock = shell_clock,
	.note = shell_note,
	.cancel = shell_cancel,
	.take_back = shell_take_back,
	.clean = shell_clean,
	.ping = shell_ping,
	.free = shell_free,
};

/* $t is the state of a terminal, from the handshake. */
static const char set_up[] =
	"LC_ALL=C;export LC_ALL;n=0;"
	"back(){ while [ $n -gt 0 ];do eval \"c=\\$u$n\";eval \"$c\";n=$((n-1));done;"
	"[ \"$t\" ]&&stty $t; } >/dev/null 2>&1;"
	"trap back EXIT;trap 'exit 1' HUP INT TERM PIPE;"
	"while read d m f o;do [ \"$f\" = tracefs ]&&break;done </proc/mounts;"
	"[ \"$f\" = tracefs ]||{ m=/sys/kernel/tracing;mount -t tracefs tracefs $m;} 2>&1;"
	"{ cd \"$m\"&&true <trace_clock&&cd -P .;} 2>&1";

/* Its first line, without the end; malloc'ed. */
static char *first_line(const char *text)
{
	return strndup(text, strcspn(text, "\n"));
}

static int describe(struct shell *s, char *why, size_t why_len)
{
	struct hist_target *t = &s->target;
	struct target_buf buf = { 0 };
	const char *p;
	int ret;

	ret = runf(s, "%s", set_up);
	if (ret) {
		snprintf(why, why_len, "tracefs of the target: %s", s->lost ? strerror(-ret) :
			 s->out.data);
		why[strcspn(why, "\n")] = '\0';
		return ret;
	}
	ret = runf(s, "uname -n&&uname -srm&&ls -1d /sys/devices/system/cpu/cpu[0-9]* 2>&1");
	if (!ret) {
		t->host = first_line(s->out.data);
		p = s->out.data + strcspn(s->out.data, "\n");
		p += *p == '\n';
		/* "Linux RELEASE MACHINE": the name goes second, as in "uname -snrm" */
		if (!t->host || asprintf(&t->uname, "%.*s %s%.*s", (int)strcspn(p, " "), p, t->host,
					 (int)(strcspn(p, "\n") - strcspn(p, " ")),
					 p + strcspn(p, " ")) < 0)
			ret = -ENOMEM;
		for (; *p; p++)
			t->cpus += *p == '\n';
		/* the line of uname is one of them */
		t->cpus = t->cpus > 1 ? t->cpus - 1 : 1;
	}
	if (!ret)
		ret = shell_read(t, "events/header_page", &buf);
	if (!ret) {
		p = strstr(buf.data, " commit;");
		p = p ? strstr(p, "size:") : NULL;
		t->long_size = p && p[5] == '4' ? 4 : 8;
		/* the data of a sub-buffer stand behind a time stamp and that */
		p = strstr(buf.data, " data;");
		p = p ? strstr(p, "size:") : NULL;
		t->page_size = p ? strtoul(p + 5, NULL, 10) + 8 + t->long_size : 4096;
	}
	if (!ret)
		ret = runf(s, "printf '\\001\\000'|od -d 2>&1");
	if (!ret)
		t->big_endian = strstr(s->out.data, "256") != NULL;
	/* without od(1): what nearly all are */
	else if (ret != -ECONNRESET)
		ret = 0;
	free(buf.data);
	if (ret)
		snprintf(why, why_len, "the target's shell: %s", strerror(-ret));
	return ret;
}

int target_shell_new(struct hist_target **target, struct wire *w, const struct remote_link *link,
		     char *why, size_t why_len)
{
	struct shell *s = calloc(1, sizeof(*s));
	unsigned char random[NONCE / 2];
	int i, ret = -ENOMEM;

	if (!s) {
		snprintf(why, why_len, "out of memory");
		link->free(link->arg);
		free(w);
		return ret;
	}
	s->target.ops = &shell_ops;
	s->wire = w;
	s->link = *link;
	if (getentropy(random, sizeof(random))) {
		ret = -errno;
		snprintf(why, why_len, "random numbers: %s", strerror(errno));
		goto fail;
	}
	for (i = 0; i < NONCE / 2; i++)
		sprintf(s->nonce + 2 * i, "%02x", random[i]);
	ret = describe(s, why, why_len);
	if (ret)
		goto fail;
	*target = &s->target;
	return 0;

fail:
	shell_free(&s->target);
	return ret;
}
