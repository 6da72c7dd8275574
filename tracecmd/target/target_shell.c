// SPDX-License-Identifier: GPL-2.0
/*
 * target_shell.c - target operations through a POSIX shell
 *
 * Each operation sends one or a few lines to the shell (shell_command.c).
 *
 * Invariant: a line never contains unescaped data. Paths contain only characters without a meaning
 * for a shell; otherwise the operation returns -EINVAL. All other data is sent as octal escapes for
 * printf.
 *
 * The undo list is on the host, because an undo depends on the content of files. The shell also
 * keeps a short form of the list in variables u1, u2...: commands that undo the changes. A trap
 * runs them, newest first, if stdin ends or a signal ends the shell. The variables b1, b2...
 * contain the content of files before the changes; an undo is skipped if the content is the same.
 * Changes remain only after a SIGKILL of the shell, or if a terminal does not report the end of the
 * connection, such as a serial line.
 *
 * Invariant: n in the shell is the number of notes that are complete and not cancelled.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helper/undo/undo_list.h"
#include "lib/base/error.h"
#include "tracecmd/target/target_clock.h"
#include "tracecmd/target/target_shell.h"

#define MAX_HANDLES 64
/* printf(1) writes this with one write(2), and as escapes it fits in a line of a terminal. */
#define PIECE 900

struct shell {
	struct hist_target target;
	struct shell_line line;
	struct undo_list *undo;
	char *paths[MAX_HANDLES];
};

static struct shell *shell_from_target(struct hist_target *t)
{
	return (struct shell *)t; /* its first member */
}

/* True if no character of @path has a meaning for a shell. */
static bool shell_is_plain_path(const char *path)
{
	return target_path_is_valid(path) &&
	       !path[strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "0123456789_./:@%+,-")];
}

/* Format @len bytes as octal escapes; malloc'ed. */
static char *shell_escape_octal(const char *data, size_t len)
{
	char *text = malloc(len * 4 + 1);
	size_t i;

	for (i = 0; text && i < len; i++)
		sprintf(text + 4 * i, "\\%03o", (unsigned char)data[i]);
	if (text)
		text[len * 4] = '\0';
	return text;
}

/* Swap the output of the last line with @buf. */
static void shell_swap_output(struct shell *s, struct target_buf *buf)
{
	struct target_buf old = *buf;

	*buf = s->line.out;
	s->line.out = old;
}

static int shell_read(struct hist_target *t, const char *path, struct target_buf *buf)
{
	bool is_outside = target_path_is_machine(path);
	int ret = is_outside || shell_is_plain_path(path) ?
		shell_runf(&shell_from_target(t)->line, "cat %s%s 2>&1", is_outside ? "" : "./",
			   path) : -EINVAL;

	if (!ret)
		shell_swap_output(shell_from_target(t), buf);
	return ret;
}

static int shell_open(struct hist_target *t, const char *path, int *handle)
{
	struct shell *s = shell_from_target(t);
	int i, ret;

	if (!shell_is_plain_path(path))
		return -EINVAL;
	for (i = 0; i < MAX_HANDLES && s->paths[i]; i++)
		;
	if (i == MAX_HANDLES)
		return -EMFILE;
	/* get the error of open(2) */
	ret = shell_runf(&s->line, "{ true <./%s;} 2>&1", path);
	if (ret)
		return ret;
	s->paths[i] = strdup(path);
	*handle = i;
	return s->paths[i] ? 0 : -ENOMEM;
}

static int shell_reread(struct hist_target *t, int handle, struct target_buf *buf)
{
	return shell_read(t, shell_from_target(t)->paths[handle], buf);
}

static void shell_close(struct hist_target *t, int handle)
{
	free(shell_from_target(t)->paths[handle]);
	shell_from_target(t)->paths[handle] = NULL;
}

/* Append @len bytes as escapes to the shell variable; @var expands to its name. */
static int put_octal(struct shell *s, const char *var, const char *data, size_t len)
{
	size_t n;
	char *text;
	int ret = 0;

	for (; len && !ret; data += n, len -= n) {
		n = len < PIECE ? len : PIECE;
		text = shell_escape_octal(data, n);
		if (!text)
			return -ENOMEM;
		ret = shell_runf(&s->line, "eval %s=\\$%s\\''%s'\\'", var, var, text);
		free(text);
	}
	return ret;
}

/*
 * Write long data with one write(2), because tracefs handles each write(2) separately. cat passes a
 * here document on in one piece, but printf and pipes divide long data. A newline is added at the
 * end, because $() removes one; tracefs accepts it as the end of the line.
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
	struct shell *s = shell_from_target(t);
	const char *to = append ? ">>" : ">";
	char *text;
	int ret;

	if (!shell_is_plain_path(path) || (!append && target_truncation_harms(path)))
		return -EINVAL;
	if (len > SHELL_WRITE_MAX)
		return -E2BIG;
	if (!len)
		return shell_runf(&s->line, "{ true %s./%s;} 2>&1", to, path);
	if (len > PIECE)
		return write_long(s, path, data, len, to);
	text = shell_escape_octal(data, len);
	if (!text)
		return -ENOMEM;
	/* cat reports the error of write(2); printf of some shells does not */
	ret = shell_runf(&s->line, "{ printf '%s'|cat %s./%s;} 2>&1", text, to, path);
	free(text);
	return ret;
}

static int shell_list(struct hist_target *t, const char *path, struct target_buf *buf)
{
	struct shell *s = shell_from_target(t);
	char *from, *to, *end;
	int ret;

	ret = shell_is_plain_path(path) ? shell_runf(&s->line, "ls -1a ./%s/ 2>&1", path) : -EINVAL;
	if (ret)
		return ret;
	shell_swap_output(s, buf);
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
	return shell_is_plain_path(path) ?
	       shell_runf(&shell_from_target(t)->line, "mkdir ./%s 2>&1", path) : -EINVAL;
}

static int shell_rmdir(struct hist_target *t, const char *path)
{
	return shell_is_plain_path(path) ?
	       shell_runf(&shell_from_target(t)->line, "rmdir ./%s 2>&1", path) : -EINVAL;
}

static int shell_exists(struct hist_target *t, const char *path)
{
	struct shell_line *line = &shell_from_target(t)->line;
	int ret = shell_is_plain_path(path) ? shell_runf(line, "[ -e ./%s ]&&echo y;true", path) :
		-EINVAL;

	return ret ? ret : line->out.data[0] == 'y';
}

/* date(1) may support only seconds. */
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

/* Same as target_read_marked_clock(), but with one line for the shell. */
static int shell_clock(struct hist_target *t, const char *clock, const char *instance,
		       uint64_t *now)
{
	struct shell *s = shell_from_target(t);
	char mark[96], *current;
	int ret;

	if (!strcmp(clock, "realtime"))
		return wall_clock(s, now);
	if (!instance)
		return -ENOTSUP;
	if (!shell_is_plain_path(instance))
		return -EINVAL;
	snprintf(mark, sizeof(mark), "trace-cmd-hist_clock_%s-%u", s->line.nonce, s->line.number);
	ret = shell_runf(&s->line, "{ i=./%s;cat $i/trace_clock&&printf 1 >$i/options/raw&&"
			 "true >$i/trace&&printf %s|cat >>$i/trace_marker&&cat $i/trace;} 2>&1",
			 instance, mark);
	if (ret)
		return ret == -ECONNRESET ? ret : -ENOTSUP;
	current = target_parse_clock(s->line.out.data);
	if (!current || strcmp(current, clock))
		ret = -EINVAL;
	free(current);
	return ret ? ret : target_find_mark(s->line.out.data, mark, now);
}

/*
 * Store the note in the shell, for its trap. The note is valid when n is incremented. A trigger or
 * an object is only removed if its file differs from its content before the change.
 */
static int note_there(struct shell *s, enum undo_note_type type, const char *path, const char *text)
{
	int ret;

	if (type == UNDO_NOTE_INSTANCE)
		return shell_runf(&s->line,
				  "n=$((n+1));eval u$n=\\''i=0;while [ -d ./%s ]"
				  "&&! rmdir ./%s&&[ $i -lt 5 ];do i=$((i+1));sleep 1;done'\\'",
				  path, path);
	if (type == UNDO_NOTE_VALUE)
		ret = shell_runf(&s->line, "m=$((n+1));eval u$m=\\''printf \"'\\'");
	else
		ret = shell_runf(&s->line,
				 "m=$((n+1));v=$(cat ./%s);eval b$m=\\$v u$m=\\''"
				 "eval \"v=\\$b$n\";[ \"$v\" = \"$(cat ./%s)\" ]||printf \"%s'\\'",
				 path, path, type == UNDO_NOTE_TRIGGER ? "\\041" : "");
	if (!ret)
		ret = put_octal(s, "u$m", text, strlen(text));
	if (!ret)
		ret = shell_runf(&s->line, "eval u$m=\\$u$m\\''\"|cat %s./%s'\\';n=$m",
				 type == UNDO_NOTE_VALUE ? ">" : ">>", path);
	return ret;
}

static int shell_note(struct hist_target *t, int type, const char *path, const char *text)
{
	struct shell *s = shell_from_target(t);
	char *value = NULL;
	int ret;

	if (!shell_is_plain_path(path))
		return -EINVAL;
	if (!s->undo)
		s->undo = undo_list_new(t, NULL);
	if (!s->undo)
		return -ENOMEM;
	if (type == UNDO_NOTE_VALUE) {
		value = undo_change_extract_value(path, text);
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
	struct shell *s = shell_from_target(t);
	int ret = s->undo ? undo_list_cancel(s->undo) : -ENOENT;

	return ret ? ret : shell_runf(&s->line, "n=$((n-1))");
}

static int shell_undo(struct hist_target *t, const struct undo_report *report,
		      struct undo_outcome *outcome)
{
	struct shell *s = shell_from_target(t);

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
 * A read of an empty snapshot blocks, and "#" is the third line of its text. The first dd(1) is
 * fast, but does nothing if it lacks nonblock; the loop reads page by page.
 */
static int shell_snapshot_pages(struct shell *s, const char *path)
{
	return shell_runf(
		&s->line,
		"p=./%s;x=0;dd if=$p bs=%u iflag=nonblock 2>/dev/null;"
		"while { read a;read a;read a;} 2>/dev/null <${p%%_raw}&&[ \"$a\" != \"#\" ];do "
		"dd if=$p bs=%u count=1 2>/dev/null||{ x=1;break;};done;[ $x = 0 ]",
		path, s->target.page_size, s->target.page_size);
}

/*
 * A read blocks if no page is ready. An event has at least 12 bytes, so the number of events gives
 * the least number of pages. The shell reads this many pages, until no event is left.
 */
static int shell_pages(struct hist_target *t, const char *path, size_t limit,
		       struct target_buf *buf)
{
	unsigned int room = (t->page_size - 8 - t->long_size) / 12;
	struct shell *s = shell_from_target(t);
	int ret;

	(void)limit; /* the number of rounds is limited */
	if (!shell_is_plain_path(path) || !target_path_has_pages(path))
		return -EINVAL;
	if (strstr(path, "/snapshot_raw"))
		ret = shell_snapshot_pages(s, path);
	else
		ret = shell_runf(&s->line, "p=./%s;i=0;x=0;while [ $i -lt 100 ];do e=0;"
			 "while read k v r;do [ \"$k\" = entries: ]&&e=$v;done "
				 "<${p%%/*}/stats;[ $e -gt 0 ]||break;i=$((i+1));dd if=$p bs=%u "
				 "count=$(((e+%u)/%u)) 2>/dev/null||{ x=1;break;};done;[ $x = 0 ]",
				 path, t->page_size, room - 1, room);
	if (!ret)
		shell_swap_output(s, buf);
	return ret;
}

static int shell_kallsyms(struct hist_target *t, struct target_buf *buf)
{
	int ret = shell_runf(&shell_from_target(t)->line, "cat /proc/kallsyms 2>&1");

	if (!ret)
		shell_swap_output(shell_from_target(t), buf);
	return ret;
}

/* Look up the mount here, as the shell has done with that of tracefs. */
static int shell_tasks(struct hist_target *t, const char *cgroup, struct target_buf *buf)
{
	struct shell *s = shell_from_target(t);
	const char *below = cgroup ? cgroup + strspn(cgroup, "/") : "";
	int ret;

	if (*below && !shell_is_plain_path(below))
		return -EINVAL;
	if (cgroup)
		ret = shell_runf(
			&s->line,
			"{ f=;while read d m f o;do [ \"$f\" = cgroup2 ]&&break;"
			"done </proc/mounts;c=/%s;case $c in $m|$m/*) ;;*) c=$m$c;;esac;"
			"if [ \"$f\" != cgroup2 ];then echo not supported;false;"
			"elif [ ! -e $c/cgroup.threads ];then echo No such file;false;else "
			"find $c -name cgroup.threads -exec cat {} \\; 2>/dev/null;true;fi;}",
			below);
	else
		ret = shell_runf(&s->line, "echo Self: $$;cat /proc/[0-9]*/task/[0-9]*/status "
				 "2>/dev/null|grep -E '^(Tgid|Pid|PPid):'");
	if (!ret)
		shell_swap_output(s, buf);
	return ret;
}

static int shell_ping(struct hist_target *t)
{
	return shell_runf(&shell_from_target(t)->line, "true");
}

static void shell_free(struct hist_target *t)
{
	struct shell *s = shell_from_target(t);
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
	.take_back = shell_undo,
	.clean = shell_clean,
	.ping = shell_ping,
	.pages = shell_pages,
	.tasks = shell_tasks,
	.kallsyms = shell_kallsyms,
	.free = shell_free,
};

/*
 * $t is the state of a terminal, from the handshake. A terminal that is closed causes the end of
 * the input and a signal, in any order. The second one must not interrupt the undo.
 */
static const char set_up[] =
	"LC_ALL=C;export LC_ALL;n=0;L=$(printf '\\n.');L=${L%.};"
	"back(){ while [ $n -gt 0 ];do eval \"c=\\$u$n\";eval \"$c\";n=$((n-1));done;"
	"[ \"$t\" ]&&stty $t; } >/dev/null 2>&1;"
	"trap 'trap \"\" HUP INT TERM PIPE;back' EXIT;trap 'exit 1' HUP INT TERM PIPE;"
	"while read d m f o;do [ \"$f\" = tracefs ]&&break;done </proc/mounts;"
	"[ \"$f\" = tracefs ]||{ m=/sys/kernel/tracing;mount -t tracefs tracefs $m;} 2>&1;"
	"{ cd \"$m\"&&true <trace_clock&&cd -P .;} 2>&1";

/* The first line of @text without its newline; malloc'ed. */
static char *first_line(const char *text)
{
	return strndup(text, strcspn(text, "\n"));
}

static int shell_read_info(struct shell *s, struct hist_error *error)
{
	struct hist_target *t = &s->target;
	struct target_buf buf = { 0 };
	const char *p, *text;
	int ret;

	ret = shell_runf(&s->line, "%s", set_up);
	if (ret) {
		text = s->line.end.lost ? strerror(-ret) : s->line.out.data;
		return hist_error_set(error, ret, "tracefs of the target: %.*s",
				      (int)strcspn(text, "\n"), text);
	}
	ret = shell_runf(&s->line, "uname -n&&uname -srm");
	if (!ret) {
		t->host = first_line(s->line.out.data);
		p = s->line.out.data + strcspn(s->line.out.data, "\n");
		p += *p == '\n';
		/* "Linux RELEASE MACHINE": the name goes second, as in "uname -snrm" */
		if (!t->host || asprintf(&t->uname, "%.*s %s%.*s", (int)strcspn(p, " "), p, t->host,
					 (int)(strcspn(p, "\n") - strcspn(p, " ")),
					 p + strcspn(p, " ")) < 0)
			ret = -ENOMEM;
		t->cpus = target_count_cpus(t);
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
		/* a time stamp and a long precede the data of a page */
		p = strstr(buf.data, " data;");
		p = p ? strstr(p, "size:") : NULL;
		t->page_size = p ? strtoul(p + 5, NULL, 10) + 8 + t->long_size : 4096;
	}
	if (!ret)
		ret = shell_runf(&s->line, "printf '\\001\\000'|od -d 2>&1");
	if (!ret)
		t->big_endian = strstr(s->line.out.data, "256") != NULL;
	/* without od(1), assume little-endian */
	else if (ret != -ECONNRESET)
		ret = 0;
	free(buf.data);
	if (ret)
		hist_error_set(error, ret, "the target's shell: %s", strerror(-ret));
	return ret;
}

int target_shell_new(struct hist_target **target, struct wire *w, const struct remote_link *link,
		     struct hist_error *error)
{
	struct remote_end end = { .wire = w, .link = *link };
	struct shell *s = calloc(1, sizeof(*s));
	int ret;

	if (!s) {
		target_remote_end_free(&end);
		return hist_error_set(error, -ENOMEM, "out of memory");
	}
	s->target.ops = &shell_ops;
	s->line.end = end;
	ret = shell_line_init(&s->line);
	if (ret)
		hist_error_set(error, ret, "cannot read random numbers: %s", strerror(-ret));
	else
		ret = shell_read_info(s, error);
	if (ret)
		shell_free(&s->target);
	else
		*target = &s->target;
	return ret;
}
