// SPDX-License-Identifier: GPL-2.0
/*
 * serve_test.c - a host and a helper at two ends of a socket pair
 *
 * The helper is a forked child, its tracefs a scratch directory, so that what a
 * request did can be seen in files.  Requests that the host's side would not
 * send are made by hand.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "bootstrap.h"
#include "confined.h"
#include "serve.h"
#include "target_remote.h"
#include "tests.h"
#include "undo_list.h"

static char base[64];

/* --- files of the scratch directory --- */

static const char *at(const char *path)
{
	static char full[512];

	snprintf(full, sizeof(full), "%s/%s", base, path);
	return full;
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(at(path), "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fputs(text, f);
	fclose(f);
}

static char *get(const char *path)
{
	static char text[4096];
	FILE *f = fopen(at(path), "r");
	size_t len = f ? fread(text, 1, sizeof(text) - 1, f) : 0;

	if (f)
		fclose(f);
	text[len] = '\0';
	return text;
}

static bool there(const char *path)
{
	struct stat st;

	return !lstat(at(path), &st);
}

static int set_up(void)
{
	char command[512];

	snprintf(base, sizeof(base), "/tmp/serve-test-XXXXXX");
	if (!mkdtemp(base))
		return -1;
	snprintf(command, sizeof(command),
		 "cd %s && mkdir -p tracefs/instances tracefs/events/a journals && "
		 "chmod 700 journals && echo secret >outside && mkdir outdir && "
		 "ln -s ../outside tracefs/link && ln -s ../outdir tracefs/dirlink && "
		 "ln -s %s/outside tracefs/abslink", base, base);
	return system(command);
}

static int tear_down(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", base);
	return system(command);
}

/* --- the two ends --- */

struct end {
	int fd;
	pid_t child;
	char why[256];
};

static int end_read(void *arg, void *to, size_t len)
{
	ssize_t n = recv(((struct end *)arg)->fd, to, len, 0);

	return n < 0 ? -errno : n;
}

static int end_write(void *arg, const void *from, size_t len)
{
	ssize_t n = send(((struct end *)arg)->fd, from, len, MSG_NOSIGNAL);

	return n < 0 ? -errno : n;
}

static int end_wait(void *arg, short events)
{
	struct pollfd fd = { .fd = ((struct end *)arg)->fd, .events = events };

	return poll(&fd, 1, 20000) == 1 ? 0 : -ETIMEDOUT;
}

static void end_explain(void *arg, int err, char *why, size_t why_len)
{
	(void)arg;
	snprintf(why, why_len, "test: lost: %s", strerror(-err));
}

static void end_close(void *arg)
{
	struct end *end = arg;

	if (end->fd >= 0)
		close(end->fd);
	end->fd = -1;
}

static const struct hist_target_ops scratch_ops = {
	.read = confined_read,
	.open = confined_open_file,
	.reread = confined_reread,
	.reread_pieces = confined_reread_pieces,
	.close = confined_close_file,
	.write = confined_write,
	.list = confined_list,
	.mkdir = confined_mkdir,
	.rmdir = confined_rmdir,
	.exists = confined_exists,
	.clock = confined_clock,
};

static bool old_kernel;

/* As before Linux 5.6: no openat2(2). */
static void forget_openat2(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = 4, .filter = filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) ||
	    syscall(SYS_openat2, AT_FDCWD, "/", NULL, 0) != -1 || errno != ENOSYS)
		_exit(99);
}

/* The exit status: what serve() gave, and 100 if something was left. */
static void child(int fd, bool journal)
{
	struct end end = { .fd = fd };
	struct wire_io io = { end_read, end_write, end_wait, &end };
	struct confined c = { 0 };
	struct wire *w = wire_new(&io);
	unsigned int left;
	int ret;

	if (old_kernel)
		forget_openat2();
	ret = confined_open(&c, &scratch_ops, open(at("tracefs"), O_RDONLY | O_DIRECTORY));
	if (!ret)
		ret = serve(w, &c.target, journal ? open(at("journals"), O_RDONLY | O_DIRECTORY) : -1,
			    "0.0-test", &left);
	confined_close(&c);
	free(w);
	_exit(left ? 100 : ret ? 1 : 0);
}

static void start(struct end *end, bool journal)
{
	int fds[2];

	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
	fflush(NULL);
	end->child = fork();
	if (!end->child) {
		close(fds[0]);
		child(fds[1], journal);
	}
	close(fds[1]);
	end->fd = fds[0];
}

/* Closes our end; the exit status of the helper. */
static int stop(struct end *end)
{
	int status;

	end_close(end);
	waitpid(end->child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static struct wire *greet(struct end *end)
{
	struct wire_io io = { end_read, end_write, end_wait, end };
	struct wire *w = wire_new(&io);
	enum bootstrap_kind kind;
	char why[256];

	CU_ASSERT_PTR_NOT_NULL_FATAL(w);
	CU_ASSERT_EQUAL_FATAL(bootstrap(w, false, &kind, why, sizeof(why)), 0);
	CU_ASSERT_EQUAL(kind, BOOTSTRAP_HELPER);
	return w;
}

static struct hist_target *host(struct end *end, bool journal)
{
	struct remote_link link = { end_explain, end_close, end };
	struct hist_target *t = NULL;
	char why[256];

	start(end, journal);
	CU_ASSERT_EQUAL_FATAL(target_remote_new(&t, greet(end), &link, why, sizeof(why)), 0);
	return t;
}

/* --- tests --- */

static void test_verbs(void)
{
	struct target_buf buf = { 0 };
	struct end end;
	struct hist_target *t = host(&end, false);
	uint64_t now, wall;
	char big[70000];
	size_t i;

	CU_ASSERT_TRUE(t->cpus >= 1 && t->page_size >= 4096);
	CU_ASSERT_EQUAL(t->long_size, sizeof(long));
	CU_ASSERT_PTR_NOT_NULL(strstr(t->uname, t->host));

	put("tracefs/f", "some\ntext\n");
	CU_ASSERT_EQUAL(t->ops->read(t, "f", &buf), 0);
	CU_ASSERT_STRING_EQUAL(buf.data, "some\ntext\n");
	CU_ASSERT_EQUAL(t->ops->read(t, "no", &buf), -ENOENT);
	CU_ASSERT_EQUAL(t->ops->read(t, "events", &buf), -EISDIR);
	CU_ASSERT_EQUAL(t->ops->exists(t, "f"), 1);
	CU_ASSERT_EQUAL(t->ops->exists(t, "f/g"), 0);
	CU_ASSERT_EQUAL(t->ops->write(t, "f", "ab", 2, false), 0);
	CU_ASSERT_EQUAL(t->ops->write(t, "f", "\0c", 2, true), 0);
	CU_ASSERT_EQUAL(t->ops->read(t, "f", &buf), 0);
	CU_ASSERT_EQUAL(buf.len, 4);
	CU_ASSERT_EQUAL(memcmp(buf.data, "ab\0c", 5), 0);
	CU_ASSERT_EQUAL(t->ops->write(t, "f", big, sizeof(big), false), -E2BIG);
	CU_ASSERT_EQUAL(t->ops->write(t, "f", "", 0, false), 0);
	CU_ASSERT_STRING_EQUAL(get("tracefs/f"), "");
	CU_ASSERT_EQUAL(t->ops->mkdir(t, "instances/x"), 0);
	CU_ASSERT_EQUAL(t->ops->mkdir(t, "instances/x"), -EEXIST);
	CU_ASSERT_EQUAL(t->ops->list(t, "instances", &buf), 0);
	CU_ASSERT_EQUAL(buf.len, 2);
	CU_ASSERT_STRING_EQUAL(buf.data, "x");
	CU_ASSERT_EQUAL(t->ops->rmdir(t, "instances/x"), 0);
	CU_ASSERT_EQUAL(t->ops->list(t, "instances", &buf), 0);
	CU_ASSERT_EQUAL(buf.len, 0);
	CU_ASSERT_EQUAL(t->ops->clock(t, "mono", NULL, &now), 0);
	CU_ASSERT_EQUAL(t->ops->clock(t, "realtime", NULL, &wall), 0);
	CU_ASSERT_TRUE(wall > now && now > 0);
	CU_ASSERT_EQUAL(t->ops->clock(t, "sundial", NULL, &now), -ENOTSUP);
	CU_ASSERT_EQUAL(t->ops->ping(t), 0);
	/* more than a frame, byte by byte */
	for (i = 0; i < sizeof(big) - 1; i++)
		big[i] = 1 + i % 255;
	big[sizeof(big) - 1] = '\0';
	put("tracefs/big", big);
	CU_ASSERT_EQUAL(t->ops->read(t, "big", &buf), 0);
	CU_ASSERT_EQUAL_FATAL(buf.len, sizeof(big) - 1);
	CU_ASSERT_EQUAL(memcmp(buf.data, big, sizeof(big)), 0);
	free(buf.data);
	target_free(t);
	CU_ASSERT_EQUAL(stop(&end), 0);
}

/* Texts that change: each comes as it is, and most of it not again. */
static void test_reread(void)
{
	static const int changes[] = { 0, 1, 500, 999, 0, 0 };
	struct target_buf buf = { 0 };
	struct end end;
	struct hist_target *t = host(&end, false);
	uint64_t before, now, again;
	char *text = malloc(100000);
	int handle, handles[SERVE_FILES], i, k, extra;
	size_t len;

	CU_ASSERT_EQUAL(t->ops->clock(t, "mono", NULL, &before), 0);
	put("tracefs/hist", "");
	CU_ASSERT_EQUAL_FATAL(t->ops->open(t, "hist", &handle), 0);
	CU_ASSERT_EQUAL(t->ops->reread(t, handle, &buf), 0);
	CU_ASSERT_EQUAL(buf.len, 0);
	for (k = 0; k < 6; k++) {
		for (i = 0, len = 0; i < 1000; i++)
			len += sprintf(text + len, "{ pid: %10d } hitcount: %10d\n", i,
				       i == changes[k] ? k * 7 : 1);
		put("tracefs/hist", text);
		CU_ASSERT_EQUAL(t->ops->reread(t, handle, &buf), 0);
		CU_ASSERT_EQUAL(buf.len, len);
		CU_ASSERT_STRING_EQUAL(buf.data, text);
		CU_ASSERT_TRUE(t->reread_ns > 0);
		CU_ASSERT_EQUAL(t->ops->clock(t, "mono", NULL, &now), 0);
		CU_ASSERT_EQUAL(t->ops->clock(t, "realtime", NULL, &again), 0);
		CU_ASSERT_TRUE(now > before && again > now);
		before = now;
	}
	/* the time came with the text, once; then it is asked for */
	CU_ASSERT_EQUAL(t->ops->clock(t, "mono", NULL, &now), 0);
	CU_ASSERT_TRUE(now > before);
	unlink(at("tracefs/hist"));
	CU_ASSERT_EQUAL(t->ops->reread(t, handle, &buf), 0);
	CU_ASSERT_STRING_EQUAL(buf.data, text);

	put("tracefs/other", "other\n");
	for (i = 1; i < SERVE_FILES; i++)
		CU_ASSERT_EQUAL(t->ops->open(t, "other", &handles[i]), 0);
	CU_ASSERT_EQUAL(t->ops->open(t, "other", &extra), -EMFILE);
	t->ops->close(t, handles[5]);
	CU_ASSERT_EQUAL(t->ops->open(t, "other", &extra), 0);
	CU_ASSERT_EQUAL(t->ops->reread(t, extra, &buf), 0);
	CU_ASSERT_STRING_EQUAL(buf.data, "other\n");
	free(text);
	free(buf.data);
	target_free(t);
	CU_ASSERT_EQUAL(stop(&end), 0);
}

/* What is noted goes when the connection does; what was cancelled does not. */
static void test_end(void)
{
	struct end end;
	struct hist_target *t = host(&end, true);

	put("tracefs/value", "old\n");
	CU_ASSERT_EQUAL(t->ops->note(t, NOTE_INSTANCE, "instances/ours", NULL), 0);
	CU_ASSERT_EQUAL(t->ops->mkdir(t, "instances/ours"), 0);
	CU_ASSERT_EQUAL(t->ops->mkdir(t, "instances/theirs"), 0);
	CU_ASSERT_EQUAL(t->ops->note(t, NOTE_INSTANCE, "instances/theirs", NULL), 0);
	CU_ASSERT_EQUAL(t->ops->cancel(t), 0);
	CU_ASSERT_EQUAL(t->ops->note(t, NOTE_VALUE, "value", "old\n"), 0);
	CU_ASSERT_EQUAL(t->ops->write(t, "value", "new", 3, false), 0);
	/* a note that would remove anything else */
	CU_ASSERT_EQUAL(t->ops->note(t, NOTE_INSTANCE, "events", NULL), -EINVAL);
	CU_ASSERT_EQUAL(t->ops->note(t, NOTE_INSTANCE, "instances/a/b", NULL), -EINVAL);
	CU_ASSERT_EQUAL(t->ops->note(t, NOTE_OBJECT, "synthetic_events", "x"), -EINVAL);
	CU_ASSERT_TRUE(there("tracefs/instances/ours"));
	target_free(t);
	CU_ASSERT_EQUAL(stop(&end), 0);
	CU_ASSERT_FALSE(there("tracefs/instances/ours"));
	CU_ASSERT_TRUE(there("tracefs/instances/theirs"));
	CU_ASSERT_STRING_EQUAL(get("tracefs/value"), "old");
	CU_ASSERT_EQUAL(rmdir(at("tracefs/instances/theirs")), 0);
	/* no journal is left either */
	CU_ASSERT_EQUAL(rmdir(at("journals")), 0);
	CU_ASSERT_EQUAL(mkdir(at("journals"), 0700), 0);
}

static char told[1000];

static void tell_success(void *arg, const struct note *note, bool dry_run)
{
	(void)arg;
	snprintf(told + strlen(told), sizeof(told) - strlen(told), "%s%s %s\n", dry_run ? "would " : "",
		 note->path, note->text ? note->text : "-");
}

static void tell_failure(void *arg, const struct note *note, int err)
{
	(void)arg;
	snprintf(told + strlen(told), sizeof(told) - strlen(told), "%s: %d\n", note->path, err);
}

/* A helper that is killed leaves a journal; the next one takes back what it says. */
static void test_clean(void)
{
	struct undo_report report = { .success = tell_success, .failure = tell_failure };
	struct undo_outcome outcome = { 0 };
	struct end end;
	struct hist_target *t = host(&end, true);

	put("tracefs/value", "old\n");
	CU_ASSERT_EQUAL(t->ops->note(t, NOTE_INSTANCE, "instances/ours", NULL), 0);
	CU_ASSERT_EQUAL(t->ops->mkdir(t, "instances/ours"), 0);
	CU_ASSERT_EQUAL(t->ops->note(t, NOTE_VALUE, "value", "old\n"), 0);
	CU_ASSERT_EQUAL(t->ops->write(t, "value", "new", 3, false), 0);
	kill(end.child, SIGKILL);
	CU_ASSERT_EQUAL(t->ops->ping(t), -ECONNRESET);
	CU_ASSERT_EQUAL(t->ops->exists(t, "value"), -ECONNRESET);
	target_free(t);
	CU_ASSERT_EQUAL(stop(&end), 255);

	t = host(&end, true);
	told[0] = '\0';
	CU_ASSERT_EQUAL(t->ops->clean(t, true, &report, &outcome), 0);
	CU_ASSERT_STRING_EQUAL(told, "would value old\nwould instances/ours -\n");
	CU_ASSERT_TRUE(there("tracefs/instances/ours"));
	put("tracefs/instances/ours/in-use", "");
	told[0] = '\0';
	memset(&outcome, 0, sizeof(outcome));
	CU_ASSERT_EQUAL(t->ops->clean(t, false, &report, &outcome), 0);
	CU_ASSERT_EQUAL(outcome.removed, 1);
	CU_ASSERT_EQUAL(outcome.failed, 1);
	CU_ASSERT_EQUAL(outcome.first_err, -ENOTEMPTY);
	CU_ASSERT_STRING_EQUAL(told, "value old\ninstances/ours: -39\n");
	unlink(at("tracefs/instances/ours/in-use"));
	told[0] = '\0';
	memset(&outcome, 0, sizeof(outcome));
	CU_ASSERT_EQUAL(t->ops->clean(t, false, &report, &outcome), 0);
	CU_ASSERT_STRING_EQUAL(told, "instances/ours -\n");
	CU_ASSERT_EQUAL(outcome.removed, 1);

	/* and by the verb at the end of a recording */
	CU_ASSERT_EQUAL(t->ops->note(t, NOTE_INSTANCE, "instances/ours", NULL), 0);
	CU_ASSERT_EQUAL(t->ops->mkdir(t, "instances/ours"), 0);
	told[0] = '\0';
	CU_ASSERT_EQUAL(t->ops->take_back(t, &report, &outcome), 0);
	CU_ASSERT_STRING_EQUAL(told, "instances/ours -\n");
	CU_ASSERT_FALSE(there("tracefs/instances/ours"));
	CU_ASSERT_EQUAL(t->ops->cancel(t), -ENOENT);
	target_free(t);
	CU_ASSERT_EQUAL(stop(&end), 0);
}

/* One request by hand, and its status; 1000 + errno when the connection ends. */
static int ask(struct wire *w, unsigned int verb, const char *path, const char *rest)
{
	struct wire_frame frame;
	struct wire_reader r;
	int ret;

	wire_begin(w, 77, verb);
	if (verb == WIRE_WRITE)
		wire_u8(w, 0);
	wire_text(w, path);
	wire_bytes(w, rest, strlen(rest));
	ret = wire_end(w);
	do {
		if (!ret)
			ret = wire_receive(w, &frame);
		if (ret)
			return 1000 - ret;
		CU_ASSERT_EQUAL(frame.tag, 77);
	} while (frame.kind == WIRE_MORE);
	r = (struct wire_reader){ .p = frame.data, .end = frame.data + frame.len };
	return wire_get_status(&r);
}

/* The helper itself refuses what a host of ours would not ask for. */
static void test_paths(void)
{
	static const char *const bad[] = {
		"..", "../outside", "/etc/passwd", "events/../../outside", "events/..", "", "/",
	};
	static const unsigned int verbs[] = {
		WIRE_READ, WIRE_OPEN, WIRE_LIST, WIRE_MKDIR, WIRE_RMDIR, WIRE_EXISTS, WIRE_WRITE,
	};
	/* of a directory that is a link, open(2) alone says only that it is none */
	int link = old_kernel ? -ENOTDIR : -ELOOP;
	struct end end;
	struct wire *w;
	unsigned int i, j;

	put("outdir/inside", "secret\n");
	start(&end, false);
	w = greet(&end);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		for (j = 0; j < sizeof(verbs) / sizeof(*verbs); j++)
			CU_ASSERT_EQUAL(ask(w, verbs[j], bad[i], ""), -EINVAL);
	}
	/* links, in the middle and at the end */
	CU_ASSERT_EQUAL(ask(w, WIRE_READ, "link", ""), -ELOOP);
	CU_ASSERT_EQUAL(ask(w, WIRE_READ, "abslink", ""), -ELOOP);
	CU_ASSERT_EQUAL(ask(w, WIRE_WRITE, "link", "gone"), -ELOOP);
	CU_ASSERT_EQUAL(ask(w, WIRE_LIST, "dirlink", ""), link);
	CU_ASSERT_EQUAL(ask(w, WIRE_MKDIR, "dirlink/x", ""), link);
	CU_ASSERT_EQUAL(ask(w, WIRE_READ, "dirlink/inside", ""), link);
	CU_ASSERT_EQUAL(ask(w, WIRE_RMDIR, "dirlink", ""), -ENOTDIR);
	CU_ASSERT_STRING_EQUAL(get("outside"), "secret\n");
	CU_ASSERT_FALSE(there("outdir/x"));
	/* files that are never truncated */
	put("tracefs/events/a/trigger", "theirs\n");
	CU_ASSERT_EQUAL(ask(w, WIRE_WRITE, "events/a/trigger", "x"), -EINVAL);
	CU_ASSERT_STRING_EQUAL(get("tracefs/events/a/trigger"), "theirs\n");
	free(w);
	CU_ASSERT_EQUAL(stop(&end), 0);
}

/* All of it again, with the other way to open files. */
static void test_old_kernel(void)
{
	old_kernel = true;
	test_verbs();
	test_end();
	test_paths();
	old_kernel = false;
}

/* Bytes of a text that is asked for again, by itself or as a difference. */
static size_t reread_bytes(struct wire *w, bool whole)
{
	struct wire_frame frame;
	size_t bytes = 0;

	wire_begin(w, 5, WIRE_REREAD);
	wire_u32(w, 0);
	wire_u8(w, whole);
	wire_text(w, "");
	CU_ASSERT_EQUAL(wire_end(w), 0);
	do {
		CU_ASSERT_EQUAL_FATAL(wire_receive(w, &frame), 0);
		bytes += frame.len;
	} while (frame.kind == WIRE_MORE);
	return bytes;
}

static void test_whole(void)
{
	struct end end;
	struct wire *w;

	put("tracefs/hist", "a line of text that is long enough to be seen in what is sent: "
			    "forty bytes and more stand behind this one\nand another line\n");
	start(&end, false);
	w = greet(&end);
	CU_ASSERT_EQUAL(ask(w, WIRE_OPEN, "hist", ""), 0);
	CU_ASSERT_TRUE(reread_bytes(w, true) > 120);
	CU_ASSERT_TRUE(reread_bytes(w, false) < 60);
	CU_ASSERT_TRUE(reread_bytes(w, true) > 120);
	CU_ASSERT_TRUE(reread_bytes(w, false) < 60);
	free(w);
	CU_ASSERT_EQUAL(stop(&end), 0);
}

/* What is no request ends the connection, and everything is taken back. */
static void test_nonsense(void)
{
	static const struct {
		unsigned int verb;
		const char *path, *rest;
	} bad[] = {
		{ 0, "", "" }, { 99, "", "" }, { WIRE_DONE, "", "" }, { WIRE_READ, "f", "more" },
		{ WIRE_PING, "f", "" }, { WIRE_CLOSE, "f", "" }, { WIRE_REREAD, "", "" },
		{ WIRE_NOTE, "f", "" }, { WIRE_UNDO, "", "" }, { WIRE_CLEAN, "", "abc" },
	};
	struct end end;
	struct wire *w;
	unsigned int i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		start(&end, false);
		w = greet(&end);
		wire_begin(w, 1, WIRE_NOTE);
		wire_u8(w, NOTE_INSTANCE);
		wire_text(w, "instances/ours");
		wire_text(w, "");
		CU_ASSERT_EQUAL(wire_end(w), 0);
		CU_ASSERT_EQUAL(wire_receive(w, &(struct wire_frame){ 0 }), 0);
		CU_ASSERT_EQUAL(ask(w, WIRE_MKDIR, "instances/ours", ""), 0);
		CU_ASSERT_EQUAL(ask(w, bad[i].verb, bad[i].path, bad[i].rest), 1000 + EPIPE);
		free(w);
		CU_ASSERT_EQUAL(stop(&end), 1);
		CU_ASSERT_FALSE(there("tracefs/instances/ours"));
	}
	start(&end, false);
	CU_ASSERT_EQUAL(send(end.fd, "GET / HTTP/1.0\r\n\r\n", 18, 0), 18);
	CU_ASSERT_EQUAL(stop(&end), 1);
}

int serve_tests(void)
{
	CU_TestInfo tests[] = {
		{ "verbs", test_verbs },
		{ "texts that change", test_reread },
		{ "the end of a connection", test_end },
		{ "what a killed helper left", test_clean },
		{ "paths that lead out", test_paths },
		{ "the same before Linux 5.6", test_old_kernel },
		{ "texts asked for whole", test_whole },
		{ "what is no request", test_nonsense },
		CU_TEST_INFO_NULL,
	};
	CU_SuiteInfo suites[] = {
		{ "serve", set_up, tear_down, NULL, NULL, tests },
		CU_SUITE_INFO_NULL,
	};

	return CU_register_suites(suites);
}
