// SPDX-License-Identifier: GPL-2.0
/*
 * target_shell_test.c - the operations of a target, done by a real shell in a directory of files
 *
 * /bin/sh of this machine is at the other end of a socket pair.  The first lines that it reads keep
 * it away from tracefs: its cd leads to the directory of the test.  The tests are about what
 * arrives there and what comes back; what the kernel does with it is for utest/vm.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "helper/undo/undo_list.h"
#include "tracecmd/target/target_shell.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

#define HEADER_PAGE "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n" \
		    "\tfield: local_t commit;\toffset:8;\tsize:%d;\tsigned:1;\n" \
		    "\tfield: char data;\toffset:%d;\tsize:%d;\tsigned:1;\n"

/* The shell, our end of the socket pair, and what the link was asked to explain. */
static struct {
	int fd;
	pid_t child;
	int explained;
} shell;

static int shell_test_read(void *arg, void *to, size_t len)
{
	ssize_t n = recv(shell.fd, to, len, 0);

	(void)arg;
	return n < 0 ? -errno : n;
}

static int shell_test_write(void *arg, const void *from, size_t len)
{
	ssize_t n = send(shell.fd, from, len, MSG_NOSIGNAL);

	(void)arg;
	return n < 0 ? -errno : n;
}

static int shell_test_wait(void *arg, short events, int ms)
{
	struct pollfd fd = { .fd = shell.fd, .events = events };

	(void)arg;
	return poll(&fd, 1, ms >= 0 && ms < 20000 ? ms : 20000) == 1 ? 0 : -ETIMEDOUT;
}

static void shell_test_explain(void *arg, int err, struct hist_error *error)
{
	(void)arg;
	shell.explained = err;
	hist_error_set(error, err, "test: lost: %s", strerror(-err));
}

/* Waits for the end of the shell, too: its trap has run then. */
static void shell_test_free(void *arg)
{
	(void)arg;
	close(shell.fd);
	shell.fd = -1;
	waitpid(shell.child, NULL, 0);
}

static struct wire *shell_test_wire(void)
{
	struct wire_io io = { shell_test_read, shell_test_write, shell_test_wait, NULL };
	struct wire *w = wire_new(&io);

	CU_ASSERT_PTR_NOT_NULL_FATAL(w);
	return w;
}

static const struct remote_link shell_test_link = { shell_test_explain, shell_test_free, NULL };

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fputs(text, f);
	fclose(f);
}

static const char *get(const char *path)
{
	static char *text;
	size_t len;

	free(text);
	text = access(path, F_OK) ? NULL : test_read_file(path, &len);
	return text ? text : "absent";
}

/* Start a shell that runs @lines first, and then what arrives. */
static void shell_test_start(const char *lines)
{
	int fds[2];
	char dir[256], text[1024];

	CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(dir, sizeof(dir)));
	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
	fflush(NULL);
	shell.child = fork();
	if (!shell.child) {
		dup2(fds[1], 0);
		dup2(fds[1], 1);
		execl("/bin/sh", "sh", (char *)NULL);
		_exit(127);
	}
	close(fds[1]);
	shell.fd = fds[0];
	shell.explained = 0;
	snprintf(text, sizeof(text), "cd() { command cd '%s'; }\nmount() { :; }\n%s", dir, lines);
	CU_ASSERT_EQUAL(send(shell.fd, text, strlen(text), 0), (ssize_t)strlen(text));
}

static struct hist_target *shell_test_target(void)
{
	struct hist_target *t = NULL;
	struct hist_error error = { 0 };
	char text[512];

	snprintf(text, sizeof(text), HEADER_PAGE, 8, 16, 4080);
	mkdir("events", 0755);
	put("events/header_page", text);
	put("trace_clock", "[local] global\n");
	shell_test_start("");
	CU_ASSERT_EQUAL(target_shell_new(&t, shell_test_wire(), &shell_test_link, &error), 0);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "");
	CU_ASSERT_PTR_NOT_NULL_FATAL(t);
	return t;
}

/* Read the file through @t: its text, or "" with the error in errno. */
static const char *read_text(struct hist_target *t, const char *path)
{
	static struct target_buf buf;
	int ret = t->ops->read(t, path, &buf);

	errno = -ret;
	return ret ? "" : buf.data;
}

static void test_machine(void)
{
	static const struct {
		int long_size, data;
		unsigned int page;
	} pages[] = { { 8, 4080, 4096 }, { 4, 4084, 4096 }, { 8, 65520, 65536 }, { 4, 16372, 16384 } };
	unsigned int word = 1, i;
	struct hist_target *t;
	struct hist_error error = { 0 };
	char text[512], machine[80] = "";
	struct utsname name;
	FILE *f;

	/* The shell is a program of the host, and uname() in qemu-user is not: i686 and x86_64. */
	f = popen("uname -m", "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(fscanf(f, "%79s", machine), 1);
	CU_ASSERT_EQUAL(pclose(f), 0);
	CU_ASSERT_EQUAL(uname(&name), 0);
	snprintf(text, sizeof(text), "%s %s %s %s", name.sysname, name.nodename, name.release, machine);
	mkdir("per_cpu", 0755);
	mkdir("per_cpu/cpu0", 0755);
	mkdir("per_cpu/cpu4", 0755);
	t = shell_test_target();
	CU_ASSERT_STRING_EQUAL(t->host, name.nodename);
	CU_ASSERT_STRING_EQUAL(t->uname, text);
	CU_ASSERT_EQUAL(t->cpus, 5);
	CU_ASSERT_EQUAL(t->pid, shell.child);
	CU_ASSERT_EQUAL(t->big_endian, *(char *)&word == 0);
	CU_ASSERT_EQUAL(t->ops->ping(t), 0);
	target_free(t);
	for (i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		snprintf(text, sizeof(text), HEADER_PAGE, pages[i].long_size, 8 + pages[i].long_size,
			 pages[i].data);
		put("events/header_page", text);
		shell_test_start("");
		CU_ASSERT_EQUAL_FATAL(
			target_shell_new(&t, shell_test_wire(), &shell_test_link, &error), 0);
		CU_ASSERT_EQUAL(t->long_size, pages[i].long_size);
		CU_ASSERT_EQUAL(t->page_size, pages[i].page);
		target_free(t);
	}
	rmdir("per_cpu/cpu4");
	rmdir("per_cpu/cpu0");
	rmdir("per_cpu");
}

static void test_no_tracefs(void)
{
	struct hist_target *t = NULL;
	struct hist_error error = { 0 };

	unlink("trace_clock");
	shell_test_start("");
	CU_ASSERT_EQUAL(target_shell_new(&t, shell_test_wire(), &shell_test_link, &error), -ENOENT);
	CU_ASSERT_PTR_NULL(t);
	CU_ASSERT_EQUAL(strncmp(test_error(&error), "tracefs of the target: ", 23), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(test_error(&error), "trace_clock"));
	CU_ASSERT_PTR_NULL(strchr(test_error(&error), '\n'));
	CU_ASSERT_EQUAL(shell.fd, -1);
	put("trace_clock", "[local]\n");
	shell_test_start("exit 3\n");
	CU_ASSERT_EQUAL(target_shell_new(&t, shell_test_wire(), &shell_test_link, &error),
			-ECONNRESET);
	CU_ASSERT_STRING_EQUAL(test_error(&error),
			       "tracefs of the target: Connection reset by peer");
	CU_ASSERT_TRUE(shell.explained == -EPIPE || shell.explained == -ECONNRESET);
}

static void test_files(void)
{
	struct hist_target *t = shell_test_target();
	struct target_buf names = { 0 };
	unsigned int i;
	char all[256];

	CU_ASSERT_EQUAL(target_write_str(t, "plain", "one\n", false), 0);
	CU_ASSERT_STRING_EQUAL(read_text(t, "plain"), "one\n");
	CU_ASSERT_EQUAL(target_write_str(t, "plain", "two", true), 0);
	CU_ASSERT_STRING_EQUAL(read_text(t, "plain"), "one\ntwo");
	CU_ASSERT_EQUAL(target_write_str(t, "plain", "", true), 0);
	CU_ASSERT_STRING_EQUAL(get("plain"), "one\ntwo");
	CU_ASSERT_EQUAL(target_write_str(t, "plain", "", false), 0);
	CU_ASSERT_STRING_EQUAL(read_text(t, "plain"), "");
	CU_ASSERT_EQUAL(errno, 0);
	/* what means something to a shell or to printf */
	CU_ASSERT_EQUAL(target_write_str(t, "plain", "$(id) `id` \"'\\n%s\n!x #", false), 0);
	CU_ASSERT_STRING_EQUAL(get("plain"), "$(id) `id` \"'\\n%s\n!x #");
	for (i = 0; i < 256; i++)
		all[i] = i;
	CU_ASSERT_EQUAL(t->ops->write(t, "plain", all, 256, false), 0);
	CU_ASSERT_EQUAL(t->ops->read(t, "plain", &names), 0);
	CU_ASSERT_EQUAL(names.len, 256);
	CU_ASSERT_EQUAL(memcmp(names.data, all, 256), 0);

	CU_ASSERT_EQUAL(t->ops->mkdir(t, "instances"), 0);
	CU_ASSERT_EQUAL(t->ops->mkdir(t, "instances"), -EEXIST);
	CU_ASSERT_EQUAL(t->ops->mkdir(t, "instances/b"), 0);
	CU_ASSERT_EQUAL(target_write_str(t, "instances/.hidden", "x", false), 0);
	CU_ASSERT_EQUAL(t->ops->list(t, "instances", &names), 0);
	CU_ASSERT_EQUAL(names.len, sizeof(".hidden\0b"));
	CU_ASSERT_EQUAL(memcmp(names.data, ".hidden\0b", sizeof(".hidden\0b")), 0);
	CU_ASSERT_EQUAL(t->ops->list(t, "instances/b", &names), 0);
	CU_ASSERT_EQUAL(names.len, 0);
	CU_ASSERT_EQUAL(t->ops->exists(t, "instances/b"), 1);
	CU_ASSERT_EQUAL(t->ops->rmdir(t, "instances"), -ENOTEMPTY);
	CU_ASSERT_EQUAL(t->ops->rmdir(t, "instances/b"), 0);
	CU_ASSERT_EQUAL(t->ops->exists(t, "instances/b"), 0);
	CU_ASSERT_EQUAL(t->ops->rmdir(t, "instances/b"), -ENOENT);
	unlink("instances/.hidden");
	rmdir("instances");

	CU_ASSERT_STRING_EQUAL(read_text(t, "absent"), "");
	CU_ASSERT_EQUAL(errno, ENOENT);
	CU_ASSERT_STRING_EQUAL(read_text(t, "events"), "");
	CU_ASSERT_EQUAL(errno, EISDIR);
	CU_ASSERT_EQUAL(t->ops->list(t, "absent", &names), -ENOENT);
	CU_ASSERT_EQUAL(target_write_str(t, "absent/x", "1", true), -ENOENT);
	CU_ASSERT_EQUAL(t->ops->mkdir(t, "plain/x"), -ENOTDIR);
	free(names.data);
	target_free(t);
}

static void test_paths(void)
{
	static const char *const paths[] = {
		"", "/etc/passwd", "../x", "a/../b", "a b", "$HOME", "a;b", "a\nb", "a'b", "a\"b", "a`b", "a*",
		"a|b", "a&b", "a>b", "a<b", "a(b", "a\\b", "a#b", "a~b", "\303\244",
	};
	struct hist_target *t = shell_test_target();
	struct target_buf buf = { 0 };
	unsigned int i, n = sizeof(paths) / sizeof(*paths);
	int handle;

	for (i = 0; i < n; i++) {
		CU_ASSERT_EQUAL(t->ops->read(t, paths[i], &buf), -EINVAL);
		CU_ASSERT_EQUAL(t->ops->open(t, paths[i], &handle), -EINVAL);
		CU_ASSERT_EQUAL(t->ops->write(t, paths[i], "x", 1, true), -EINVAL);
		CU_ASSERT_EQUAL(t->ops->list(t, paths[i], &buf), -EINVAL);
		CU_ASSERT_EQUAL(t->ops->mkdir(t, paths[i]), -EINVAL);
		CU_ASSERT_EQUAL(t->ops->rmdir(t, paths[i]), -EINVAL);
		CU_ASSERT_EQUAL(t->ops->exists(t, paths[i]), -EINVAL);
		CU_ASSERT_EQUAL(t->ops->note(t, UNDO_NOTE_INSTANCE, paths[i], NULL), -EINVAL);
		CU_ASSERT_EQUAL(t->ops->pages(t, paths[i], 0, &buf), -EINVAL);
	}
	/* these belong to all users, and are only appended to */
	CU_ASSERT_EQUAL(target_write_str(t, "kprobe_events", "x", false), -EINVAL);
	CU_ASSERT_STRING_EQUAL(get("kprobe_events"), "absent");
	CU_ASSERT_EQUAL(t->ops->pages(t, "per_cpu/cpu0/trace", 0, &buf), -EINVAL);
	/* of the files of the machine, only a few */
	CU_ASSERT_EQUAL(t->ops->read(t, TARGET_CPUS_PRESENT, &buf), 0);
	CU_ASSERT_EQUAL(t->ops->read(t, "/proc/version", &buf), -EINVAL);
	free(buf.data);
	target_free(t);
}

/* A text of @len bytes without a pattern that a lost or doubled piece would keep. */
static char *long_text(size_t len)
{
	char *text = malloc(len + 1);
	size_t i;

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	for (i = 0; i < len; i++)
		text[i] = "0123456789abcdef\"'$`\\%!#"[(i * i / 7 + i) % 24];
	text[len] = '\0';
	return text;
}

static void test_long(void)
{
	static const size_t lengths[] = { 899, 900, 901, 1800, 1801, SHELL_WRITE_MAX };
	struct hist_target *t = shell_test_target();
	char *text = long_text(300000);
	struct target_buf buf = { 0 };
	unsigned int i;
	size_t len;

	for (i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		len = lengths[i];
		CU_ASSERT_EQUAL(t->ops->write(t, "long", text, len, false), 0);
		CU_ASSERT_EQUAL(strncmp(get("long"), text, len), 0);
		/* a newline ends what is longer than a piece */
		CU_ASSERT_STRING_EQUAL(get("long") + len, len > 900 ? "\n" : "");
	}
	CU_ASSERT_EQUAL(t->ops->write(t, "long", text, 1000, true), 0);
	CU_ASSERT_EQUAL(strlen(get("long")), SHELL_WRITE_MAX + 1 + 1000 + 1);
	CU_ASSERT_EQUAL(strncmp(get("long") + SHELL_WRITE_MAX + 1, text, 1000), 0);
	CU_ASSERT_EQUAL(t->ops->write(t, "long", text, SHELL_WRITE_MAX + 1, false), -E2BIG);
	text[950] = '\0';
	CU_ASSERT_EQUAL(t->ops->write(t, "long", text, 1000, false), -EINVAL);
	CU_ASSERT_EQUAL(strlen(get("long")), SHELL_WRITE_MAX + 1 + 1000 + 1);
	text[950] = 'x';
	/* a read has no limit of a line */
	put("long", text);
	CU_ASSERT_EQUAL(t->ops->read(t, "long", &buf), 0);
	CU_ASSERT_EQUAL(buf.len, 300000);
	CU_ASSERT_STRING_EQUAL(buf.data, text);
	free(buf.data);
	free(text);
	target_free(t);
}

static void test_handles(void)
{
	struct hist_target *t = shell_test_target();
	struct target_buf buf = { 0 };
	int handles[64], handle, i;

	put("hist", "one\n");
	CU_ASSERT_EQUAL(t->ops->open(t, "absent", &handle), -ENOENT);
	for (i = 0; i < 64; i++)
		CU_ASSERT_EQUAL(t->ops->open(t, "hist", &handles[i]), 0);
	CU_ASSERT_EQUAL(t->ops->open(t, "hist", &handle), -EMFILE);
	CU_ASSERT_EQUAL(t->ops->reread(t, handles[63], &buf), 0);
	CU_ASSERT_STRING_EQUAL(buf.data, "one\n");
	put("hist", "two\n");
	CU_ASSERT_EQUAL(t->ops->reread(t, handles[0], &buf), 0);
	CU_ASSERT_STRING_EQUAL(buf.data, "two\n");
	t->ops->close(t, handles[7]);
	put("other", "other\n");
	CU_ASSERT_EQUAL(t->ops->open(t, "other", &handle), 0);
	CU_ASSERT_EQUAL(handle, handles[7]);
	CU_ASSERT_EQUAL(t->ops->reread(t, handle, &buf), 0);
	CU_ASSERT_STRING_EQUAL(buf.data, "other\n");
	unlink("other");
	CU_ASSERT_EQUAL(t->ops->reread(t, handle, &buf), -ENOENT);
	free(buf.data);
	target_free(t);
}

/* One change of each kind: a value, a trigger that another user has too, and an instance. */
static void make_changes(struct hist_target *t)
{
	put("tracing_on", "old value\n");
	put("trigger", "theirs\n");
	mkdir("instances", 0755);
	rmdir("instances/mine");
	CU_ASSERT_EQUAL(t->ops->note(t, UNDO_NOTE_VALUE, "tracing_on", "old value\n"), 0);
	CU_ASSERT_EQUAL(target_write_str(t, "tracing_on", "new", false), 0);
	CU_ASSERT_EQUAL(t->ops->note(t, UNDO_NOTE_TRIGGER, "trigger", "hist:keys=\"it's\""), 0);
	CU_ASSERT_EQUAL(target_write_str(t, "trigger", "hist:keys=\"it's\"\n", true), 0);
	CU_ASSERT_EQUAL(t->ops->note(t, UNDO_NOTE_INSTANCE, "instances/mine", NULL), 0);
	CU_ASSERT_EQUAL(t->ops->mkdir(t, "instances/mine"), 0);
}

static void test_host_is_lost(void)
{
	struct hist_target *t = shell_test_target();

	make_changes(t);
	/* neither of the next two takes place */
	mkdir("same", 0755);
	put("same/trigger", "same\n");
	CU_ASSERT_EQUAL(t->ops->note(t, UNDO_NOTE_TRIGGER, "same/trigger", "hist:keys=a"), 0);
	CU_ASSERT_EQUAL(t->ops->note(t, UNDO_NOTE_VALUE, "tracing_on", "cancelled"), 0);
	CU_ASSERT_EQUAL(t->ops->cancel(t), 0);
	/* the host is gone: it does not even say exit */
	shutdown(shell.fd, SHUT_WR);
	CU_ASSERT_EQUAL(waitpid(shell.child, NULL, 0), shell.child);
	CU_ASSERT_STRING_EQUAL(get("tracing_on"), "old value");
	CU_ASSERT_STRING_EQUAL(get("trigger"), "theirs\nhist:keys=\"it's\"\n!hist:keys=\"it's\"");
	CU_ASSERT_NOT_EQUAL(access("instances/mine", F_OK), 0);
	CU_ASSERT_STRING_EQUAL(get("same/trigger"), "same\n");
	CU_ASSERT_EQUAL(t->ops->ping(t), -ECONNRESET);
	target_free(t);
	CU_ASSERT_EQUAL(system("rm -r same"), 0);
}

static void test_undo(void)
{
	struct hist_target *t = shell_test_target();
	struct undo_outcome outcome = { 0 };

	CU_ASSERT_EQUAL(t->ops->cancel(t), -ENOENT);
	CU_ASSERT_EQUAL(t->ops->take_back(t, NULL, &outcome), 0);
	make_changes(t);
	CU_ASSERT_EQUAL(t->ops->take_back(t, NULL, &outcome), 0);
	CU_ASSERT_EQUAL(outcome.failed, 0);
	CU_ASSERT_STRING_EQUAL(get("tracing_on"), "old value");
	CU_ASSERT_NOT_EQUAL(access("instances/mine", F_OK), 0);
	/* the end of the shell does not undo them again */
	put("tracing_on", "later");
	target_free(t);
	CU_ASSERT_STRING_EQUAL(get("tracing_on"), "later");
}

static void test_clocks(void)
{
	struct hist_target *t = shell_test_target();
	struct timespec now;
	uint64_t time = 0;

	clock_gettime(CLOCK_REALTIME, &now);
	CU_ASSERT_EQUAL(t->ops->clock(t, "realtime", NULL, &time), 0);
	CU_ASSERT_TRUE(time >= now.tv_sec * 1000000000ull && time < (now.tv_sec + 30) * 1000000000ull);
	CU_ASSERT_EQUAL(t->ops->clock(t, "mono", NULL, &time), -ENOTSUP);
	CU_ASSERT_EQUAL(t->ops->clock(t, "mono", "a b", &time), -EINVAL);
	CU_ASSERT_EQUAL(t->ops->clock(t, "mono", "absent", &time), -ENOTSUP);
	mkdir("i", 0755);
	mkdir("i/options", 0755);
	put("i/trace_clock", "[local] global mono\n");
	CU_ASSERT_EQUAL(t->ops->clock(t, "mono", "i", &time), -EINVAL);
	/* the mark is in trace_marker, and this file is no ring buffer */
	CU_ASSERT_EQUAL(t->ops->clock(t, "local", "i", &time), -ENOTSUP);
	CU_ASSERT_STRING_EQUAL(get("i/options/raw"), "1");
	CU_ASSERT_EQUAL(strncmp(get("i/trace_marker"), "trace-cmd-hist_clock_", 21), 0);
	CU_ASSERT_EQUAL(system("rm -r i"), 0);
	target_free(t);
}

static void test_pages(void)
{
	struct hist_target *t = shell_test_target();
	struct target_buf buf = { 0 };
	char *text = long_text(3 * 4096), stats[64];
	unsigned int room = (4096 - 16) / 12;

	mkdir("cpu0", 0755);
	put("cpu0/trace_pipe_raw", text);
	put("cpu0/stats", "entries: 0\noverrun: 5\n");
	CU_ASSERT_EQUAL(t->ops->pages(t, "cpu0/trace_pipe_raw", 0, &buf), 0);
	CU_ASSERT_EQUAL(buf.len, 0);
	/* the least number of pages that hold so many events, in each of 100 rounds */
	snprintf(stats, sizeof(stats), "overrun: 5\nentries: %u\nbytes: 7\n", room);
	put("cpu0/stats", stats);
	CU_ASSERT_EQUAL(t->ops->pages(t, "cpu0/trace_pipe_raw", 0, &buf), 0);
	CU_ASSERT_EQUAL(buf.len, 100 * 4096);
	CU_ASSERT_EQUAL(memcmp(buf.data + 99 * 4096, text, 4096), 0);
	snprintf(stats, sizeof(stats), "entries: %u\n", room + 1);
	put("cpu0/stats", stats);
	CU_ASSERT_EQUAL(t->ops->pages(t, "cpu0/trace_pipe_raw", 0, &buf), 0);
	CU_ASSERT_EQUAL(buf.len, 100 * 2 * 4096);
	CU_ASSERT_EQUAL(memcmp(buf.data + 2 * 4096, text, 2 * 4096), 0);
	unlink("cpu0/trace_pipe_raw");
	CU_ASSERT_TRUE(t->ops->pages(t, "cpu0/trace_pipe_raw", 0, &buf) < 0);
	CU_ASSERT_EQUAL(system("rm -r cpu0"), 0);
	free(buf.data);
	free(text);
	target_free(t);
}

static void test_tasks(void)
{
	struct hist_target *t = shell_test_target();
	struct target_buf buf = { 0 };
	char line[80];

	CU_ASSERT_EQUAL(t->ops->tasks(t, NULL, &buf), 0);
	snprintf(line, sizeof(line), "Self: %d\n", (int)shell.child);
	CU_ASSERT_EQUAL(strncmp(buf.data, line, strlen(line)), 0);
	snprintf(line, sizeof(line), "Tgid:\t%d\nPid:\t%d\nPPid:\t%d\n", (int)getpid(), (int)getpid(),
		 (int)getppid());
	CU_ASSERT_PTR_NOT_NULL(strstr(buf.data, line));
	CU_ASSERT_EQUAL(t->ops->tasks(t, "/a b", &buf), -EINVAL);
	CU_ASSERT_TRUE(t->ops->tasks(t, "/no/such/group", &buf) < 0);
	free(buf.data);
	target_free(t);
}

/* The words of C libraries and shells, as they print them. */
static void test_errors(void)
{
	static const struct {
		const char *said;
		int err;
	} cases[] = {
		{ "cat: x: No such file or directory", ENOENT }, { "sh: can't open x: nonexistent", ENOENT },
		{ "mkdir: cannot create directory 'x': File exists", EEXIST },
		{ "sh: 1: cannot create x: Permission denied", EACCES },
		{ "cat: write error: Invalid argument", EINVAL },
		{ "rmdir: 'x': Device or resource busy", EBUSY },
		{ "rmdir: failed to remove 'x': Directory not empty", ENOTEMPTY },
		{ "cat: write error: No space left on device", ENOSPC },
		{ "sh: can't create x: Is a directory", EISDIR }, { "cat: x: Not a directory", ENOTDIR },
		{ "cat: write error: Cannot allocate memory", ENOMEM }, { "sh: out of memory", ENOMEM },
		{ "sh: cat: Argument list too long", E2BIG }, { "cat: write error: File too large", EFBIG },
		{ "cat: write error: Numerical result out of range", ERANGE },
		{ "cat: write error: Operation not permitted", EPERM },
		{ "cat: write error: Operation not supported", EOPNOTSUPP },
		{ "mkdir: can't create directory 'x': Read-only file system", EROFS },
		{ "cat: write error: No such device", ENODEV }, { "cat: write error: No such process", ESRCH },
		{ "something else", EIO }, { "", EIO },
	};
	struct shell_line line = { .end = { .link = shell_test_link } };
	size_t i;

	shell_test_start("");
	line.end.wire = shell_test_wire();
	CU_ASSERT_EQUAL(shell_line_init(&line), 0);
	CU_ASSERT_EQUAL(strlen(line.nonce), SHELL_NONCE);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		CU_ASSERT_EQUAL(shell_runf(&line, "echo \"%s\";(exit %d)", cases[i].said, 1 + (int)i), -cases[i].err);
		/* the status decides, not the words */
		CU_ASSERT_EQUAL(shell_runf(&line, "printf %%s \"%s\"", cases[i].said), 0);
		CU_ASSERT_STRING_EQUAL(line.out.data, cases[i].said);
	}
	/* the mark of another line is not the end of this one */
	CU_ASSERT_EQUAL(shell_runf(&line, "printf '\\n%s-%u 0\\n'", line.nonce, line.number), 0);
	CU_ASSERT_EQUAL(line.out.len, strlen(line.nonce) + strlen("\n-44 0\n"));
	CU_ASSERT_EQUAL(shell_runf(&line, "printf '%s-%u 0\\nmore'", line.nonce, line.number + 1), 0);
	CU_ASSERT_STRING_EQUAL(line.out.data + line.out.len - 4, "more");
	kill(shell.child, SIGKILL);
	CU_ASSERT_EQUAL(shell_runf(&line, "true"), -ECONNRESET);
	CU_ASSERT_NOT_EQUAL(shell.explained, 0);
	shell.explained = 0;
	CU_ASSERT_EQUAL(shell_runf(&line, "true"), -ECONNRESET);
	/* it is said once */
	CU_ASSERT_EQUAL(shell.explained, 0);
	shell_line_end(&line);
}

static int tear_down(void)
{
	return system("rm -rf events instances") || test_dir_leave();
}

UNIT_TESTS_WITH(test_dir_enter, tear_down,
	{ "a shell says what its machine is, and the sizes of a page", test_machine },
	{ "a shell without tracefs, or that ends, is refused with the reason", test_no_tracefs },
	{ "files and directories are read, written and listed byte for byte", test_files },
	{ "a path that means something to a shell is refused in each operation", test_paths },
	{ "a long text is written whole, up to the limit of tracefs", test_long },
	{ "a handle reads its file anew, and 64 files are open at most", test_handles },
	{ "the shell undoes each noted change when the host is gone", test_host_is_lost },
	{ "an undo of the host is the last one", test_undo },
	{ "a clock that the shell cannot read is refused", test_clocks },
	{ "so many pages are read as the events need", test_pages },
	{ "the tasks of the target are listed", test_tasks },
	{ "an error message of a command is its errno", test_errors });
