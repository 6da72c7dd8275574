// SPDX-License-Identifier: GPL-2.0
/*
 * target_shell.c - a target with nothing but a POSIX shell
 *
 * Each operation is one line for the shell (shell_command.h), or a few.
 *
 * No word of a line is made from data: paths are of an alphabet that means
 * nothing to a shell (else -EINVAL), and all else are octal escapes for printf.
 *
 * The undo list is kept here, as taking back needs a look at what is there.
 * The shell has a short form of it as well: variables u1, u2..., with what to
 * write and what to remove, that a trap carries out, newest first, when its
 * stdin ends or it is told to end.  b1, b2... hold what a file had before: as long as it
 * has just that, nothing of ours is in it.  Only a SIGKILL of the shell leaves things, and
 * a terminal that does not tell of its other end's, as a serial line.
 *
 * Invariant: n in the shell is the number of notes that are whole and not cancelled.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target/undo/undo_change.h"
#include "target/undo/undo_list.h"
#include "tracecmd/remote/shell_command.h"
#include "tracecmd/remote/target_shell.h"
#include "tracecmd/target/target_clock.h"

#define MAX_HANDLES 64
/* All libcs' printf() write as much in one piece, and it fits a line of a terminal as escapes. */
#define PIECE 900

struct shell {
	struct hist_target target;
	struct shell_line line;
	struct undo_list *undo;
	char *paths[MAX_HANDLES];
};

static struct shell *shell_of(struct hist_target *t)
{
	return (struct shell *)t; /* its first member */
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

/* What was printed becomes @buf's, and what @buf had serves the next line. */
static void give(struct shell *s, struct target_buf *buf)
{
	struct target_buf old = *buf;

	*buf = s->line.out;
	s->line.out = old;
}

static int shell_read(struct hist_target *t, const char *path, struct target_buf *buf)
{
	int ret = plain(path) ? shell_runf(&shell_of(t)->line, "cat ./%s 2>&1", path) : -EINVAL;

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
	ret = shell_runf(&s->line, "{ true <./%s;} 2>&1", path);
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

/* Adds @len bytes as escapes to the shell's variable whose name @var expands to. */
static int put_octal(struct shell *s, const char *var, const char *data, size_t len)
{
	size_t n;
	char *text;
	int ret = 0;

	for (; len && !ret; data += n, len -= n) {
		n = len < PIECE ? len : PIECE;
		text = octal(data, n);
		if (!text)
			return -ENOMEM;
		ret = shell_runf(&s->line, "eval %s=\\$%s\\''%s'\\'", var, var, text);
		free(text);
	}
	return ret;
}

/*
 * In one write(2), as tracefs takes each for a whole: what stands in a shell's here
 * document is passed on so, while printf and pipes cut long data.  Its end gets the newline
 * that $() has taken, or one more, which ends a line in tracefs.
 */
static int write_long(struct shell *s, const char *path, const char *data, size_t len,
		      const char *to)
{
	int ret = memchr(data, '\0', len) ? -EINVAL : shell_runf(&s->line, "e=");

	if (!ret)
		ret = put_octal(s, "e", data, len);
	if (!ret)
		ret = shell_runf(&s->line, "{ eval \"cat %s./%s <<E${L}\\$(printf \\\"\\$e\\\")"
				 "${L}E${L}\";} 2>&1", to, path);
	return ret;
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
		return shell_runf(&s->line, "{ true %s./%s;} 2>&1", to, path);
	if (len > PIECE)
		return write_long(s, path, data, len, to);
	text = octal(data, len);
	if (!text)
		return -ENOMEM;
	/* cat says what write(2) said, as not all shells' printf do */
	ret = shell_runf(&s->line, "{ printf '%s'|cat %s./%s;} 2>&1", text, to, path);
	free(text);
	return ret;
}

static int shell_list(struct hist_target *t, const char *path, struct target_buf *buf)
{
	struct shell *s = shell_of(t);
	char *from, *to, *end;
	int ret;

	ret = plain(path) ? shell_runf(&s->line, "ls -1a ./%s/ 2>&1", path) : -EINVAL;
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
	return plain(path) ? shell_runf(&shell_of(t)->line, "mkdir ./%s 2>&1", path) : -EINVAL;
}

static int shell_rmdir(struct hist_target *t, const char *path)
{
	return plain(path) ? shell_runf(&shell_of(t)->line, "rmdir ./%s 2>&1", path) : -EINVAL;
}

static int shell_exists(struct hist_target *t, const char *path)
{
	struct shell_line *line = &shell_of(t)->line;
	int ret = plain(path) ? shell_runf(line, "[ -e ./%s ]&&echo y;true", path) : -EINVAL;

	return ret ? ret : line->out.data[0] == 'y';
}

/* date(1) may know seconds only. */
static int wall_clock(struct shell *s, uint64_t *now)
{
	char fraction[10] = "000000000";
	const char *text;
	unsigned int i;
	uint64_t seconds;
	int ret, n = 0;

	ret = shell_runf(&s->line, "date +%%s.%%N 2>&1");
	if (ret)
		return ret;
	text = s->line.out.data;
	if (sscanf(text, "%" SCNu64 ".%n", &seconds, &n) != 1)
		return -ENOTSUP;
	for (i = 0; n && i < 9 && text[n + i] >= '0' && text[n + i] <= '9'; i++)
		fraction[i] = text[n + i];
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
	snprintf(mark, sizeof(mark), "trace-cmd-hist_clock_%s-%u", s->line.nonce, s->line.number);
	ret = shell_runf(&s->line, "{ i=./%s;cat $i/trace_clock&&printf 1 >$i/options/raw&&"
			 "true >$i/trace&&printf %s|cat >>$i/trace_marker&&cat $i/trace;} 2>&1",
			 instance, mark);
	if (ret)
		return ret == -ECONNRESET ? ret : -ENOTSUP;
	current = target_current_clock(s->line.out.data);
	if (!current || strcmp(current, clock))
		ret = -EINVAL;
	free(current);
	return ret ? ret : target_find_mark(s->line.out.data, mark, now);
}

/*
 * The line for the trap, and one more note there, which counts when it is whole.
 * A trigger or object is only removed when its file is not as it was before.
 */
static int note_there(struct shell *s, enum note_type type, const char *path, const char *text)
{
	int ret;

	if (type == NOTE_INSTANCE)
		return shell_runf(&s->line, "n=$((n+1));eval u$n=\\''i=0;while [ -d ./%s ]"
				  "&&! rmdir ./%s&&[ $i -lt 5 ];do i=$((i+1));sleep 1;done'\\'", path, path);
	if (type == NOTE_VALUE)
		ret = shell_runf(&s->line, "m=$((n+1));eval u$m=\\''printf \"'\\'");
	else
		ret = shell_runf(&s->line, "m=$((n+1));v=$(cat ./%s);eval b$m=\\$v u$m=\\''"
				 "eval \"v=\\$b$n\";[ \"$v\" = \"$(cat ./%s)\" ]||printf \"%s'\\'", path, path,
				 type == NOTE_TRIGGER ? "\\041" : "");
	if (!ret)
		ret = put_octal(s, "u$m", text, strlen(text));
	if (!ret)
		ret = shell_runf(&s->line, "eval u$m=\\$u$m\\''\"|cat %s./%s'\\';n=$m",
				 type == NOTE_VALUE ? ">" : ">>", path);
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

	return ret ? ret : shell_runf(&s->line, "n=$((n-1))");
}

static int shell_take_back(struct hist_target *t, const struct undo_report *report,
			   struct undo_outcome *outcome)
{
	struct shell *s = shell_of(t);

	if (s->line.end.lost)
		return -ECONNRESET;
	if (!s->undo)
		return 0;
	undo_list_run(s->undo, report, outcome);
	if (outcome->failed)
		return 0;
	undo_list_free(s->undo);
	s->undo = NULL;
	return shell_runf(&s->line, "n=0");
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

/*
 * A read waits where there is nothing, so no more are made than there must be pages for: an event has
 * 12 bytes at least, so they are done again until none is left.
 */
static int shell_pages(struct hist_target *t, const char *instance, unsigned int cpu,
		       struct target_buf *buf)
{
	unsigned int most = (t->page_size - 8 - t->long_size) / 12;
	struct shell *s = shell_of(t);
	int ret;

	if (!plain(instance))
		return -EINVAL;
	ret = shell_runf(&s->line, "p=./%s/per_cpu/cpu%u;i=0;x=0;while [ $i -lt 100 ];do e=0;"
			 "while read k v r;do [ \"$k\" = entries: ]&&e=$v;done <$p/stats;"
			 "[ $e -gt 0 ]||break;i=$((i+1));dd if=$p/trace_pipe_raw bs=%u "
			 "count=$(((e+%u)/%u)) 2>/dev/null||{ x=1;break;};done;[ $x = 0 ]", instance, cpu,
			 t->page_size, most - 1, most);
	if (!ret)
		give(s, buf);
	return ret;
}

static int shell_kallsyms(struct hist_target *t, struct target_buf *buf)
{
	int ret = shell_runf(&shell_of(t)->line, "cat /proc/kallsyms 2>&1");

	if (!ret)
		give(shell_of(t), buf);
	return ret;
}

static int shell_ping(struct hist_target *t)
{
	return shell_runf(&shell_of(t)->line, "true");
}

static void shell_free(struct hist_target *t)
{
	struct shell *s = shell_of(t);
	int i;

	for (i = 0; i < MAX_HANDLES; i++)
		free(s->paths[i]);
	undo_list_free(s->undo);
	shell_line_end(&s->line);
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
	.pages = shell_pages,
	.kallsyms = shell_kallsyms,
	.free = shell_free,
};

/*
 * $t is the state of a terminal, from the handshake.  A terminal that goes away is the end of
 * the input and a signal, in any order: the second must not end what the first has begun.
 */
static const char set_up[] =
	"LC_ALL=C;export LC_ALL;n=0;L=$(printf '\\n.');L=${L%.};"
	"back(){ while [ $n -gt 0 ];do eval \"c=\\$u$n\";eval \"$c\";n=$((n-1));done;"
	"[ \"$t\" ]&&stty $t; } >/dev/null 2>&1;"
	"trap 'trap \"\" HUP INT TERM PIPE;back' EXIT;trap 'exit 1' HUP INT TERM PIPE;"
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

	ret = shell_runf(&s->line, "%s", set_up);
	if (ret) {
		snprintf(why, why_len, "tracefs of the target: %s", s->line.end.lost ? strerror(-ret) :
			 s->line.out.data);
		why[strcspn(why, "\n")] = '\0';
		return ret;
	}
	ret = shell_runf(&s->line, "uname -n&&uname -srm&&"
			 "ls -1d /sys/devices/system/cpu/cpu[0-9]* 2>&1");
	if (!ret) {
		t->host = first_line(s->line.out.data);
		p = s->line.out.data + strcspn(s->line.out.data, "\n");
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
		ret = shell_runf(&s->line, "echo $$");
	if (!ret) {
		t->pid = strtol(s->line.out.data, NULL, 10);
		ret = shell_read(t, "events/header_page", &buf);
	}
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
		ret = shell_runf(&s->line, "printf '\\001\\000'|od -d 2>&1");
	if (!ret)
		t->big_endian = strstr(s->line.out.data, "256") != NULL;
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
	struct remote_end end = { .wire = w, .link = *link };
	struct shell *s = calloc(1, sizeof(*s));
	int ret;

	if (!s) {
		remote_end_free(&end);
		snprintf(why, why_len, "out of memory");
		return -ENOMEM;
	}
	s->target.ops = &shell_ops;
	s->line.end = end;
	ret = shell_line_init(&s->line);
	if (ret)
		snprintf(why, why_len, "random numbers: %s", strerror(-ret));
	else
		ret = describe(s, why, why_len);
	if (ret)
		shell_free(&s->target);
	else
		*target = &s->target;
	return ret;
}
