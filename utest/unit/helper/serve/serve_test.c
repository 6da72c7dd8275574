// SPDX-License-Identifier: GPL-2.0
/*
 * serve_test.c - a host and a helper at two ends of a socket pair
 *
 * Requests that the host's side would not send are made by hand.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "helper/serve/serve.h"
#include "helper/undo/undo_list.h"
#include "utest/unit/helper/serve/serve_fixture.h"
#include "utest/unit/tests.h"

/* The list of tasks comes from the helper's own /proc, which is also that of this process. */
static void test_tasks(void)
{
	struct target_buf buf = { 0 };
	struct end end;
	struct hist_target *t = helper_host(&end, false);
	char line[64];

	CU_ASSERT_EQUAL(t->ops->tasks(t, NULL, &buf), 0);
	CU_ASSERT_EQUAL(strncmp(buf.data, "Self:\t", 6), 0);
	snprintf(line, sizeof(line), "\nTgid:\t%d\nPid:\t%d\nPPid:\t%d\n", getpid(), getpid(),
		 getppid());
	CU_ASSERT_PTR_NOT_NULL(strstr(buf.data, line));
	CU_ASSERT_EQUAL(t->ops->tasks(t, "a/../../etc", &buf), -EINVAL);
	CU_ASSERT_NOT_EQUAL(t->ops->tasks(t, "/no-such-group", &buf), 0);
	free(buf.data);
	target_free(t);
	CU_ASSERT_EQUAL(helper_stop(&end), 0);
}

/* Of a regular file, each piece begins at its start: 20,000 bytes are two pieces of whole pages. */
static void test_pages(void)
{
	struct target_buf buf = { 0 };
	struct end end;
	struct hist_target *t = helper_host(&end, false);
	size_t piece = (WIRE_PIECE + t->page_size - 1) / t->page_size * t->page_size;
	char pages[70000];
	size_t i;

	for (i = 0; i < sizeof(pages) - 1; i++)
		pages[i] = 1 + i % 251;
	pages[sizeof(pages) - 1] = '\0';
	scratch_put("tracefs/snapshot_raw", pages);
	CU_ASSERT_EQUAL(t->ops->pages(t, "snapshot_raw", 20000, &buf), 0);
	CU_ASSERT_EQUAL_FATAL(buf.len, 2 * piece);
	CU_ASSERT_EQUAL(memcmp(buf.data, pages, piece), 0);
	CU_ASSERT_EQUAL(memcmp(buf.data + piece, pages, piece), 0);
	/* all of a file that is shorter than a piece */
	pages[2 * t->page_size] = '\0';
	scratch_put("tracefs/trace_pipe_raw", t->page_size < 16384 ? pages : "");
	CU_ASSERT_EQUAL(t->ops->pages(t, "trace_pipe_raw", 0, &buf), 0);
	CU_ASSERT_EQUAL(buf.len, t->page_size < 16384 ? 2 * t->page_size : 0);
	CU_ASSERT_EQUAL(t->ops->pages(t, "no/snapshot_raw", 0, &buf), -ENOENT);
	CU_ASSERT_EQUAL(t->ops->pages(t, "../snapshot_raw", 0, &buf), -EINVAL);
	CU_ASSERT_EQUAL(t->ops->pages(t, "trace", 0, &buf), -EINVAL);
	free(buf.data);
	target_free(t);
	CU_ASSERT_EQUAL(helper_stop(&end), 0);

	t = helper_host_version(&end, WIRE_WITH_PAGES - 1);
	CU_ASSERT_PTR_NULL(t->ops->pages);
	target_free(t);
	CU_ASSERT_EQUAL(helper_stop(&end), 0);
}

static void test_verbs(void)
{
	struct target_buf buf = { 0 };
	struct end end;
	struct hist_target *t = helper_host(&end, false);
	uint64_t now, wall;
	char big[70000];
	size_t i;

	CU_ASSERT_TRUE(t->cpus >= 1 && t->page_size >= 4096);
	CU_ASSERT_EQUAL(t->long_size, sizeof(long));
	CU_ASSERT_PTR_NOT_NULL(strstr(t->uname, t->host));

	scratch_put("tracefs/f", "some\ntext\n");
	CU_ASSERT_EQUAL(t->ops->read(t, "f", &buf), 0);
	CU_ASSERT_STRING_EQUAL(buf.data, "some\ntext\n");
	CU_ASSERT_EQUAL(t->ops->read(t, "no", &buf), -ENOENT);
	CU_ASSERT_EQUAL(t->ops->read(t, "events", &buf), -EISDIR);
	CU_ASSERT_EQUAL(t->ops->read(t, "/proc/interrupts", &buf), 0);
	CU_ASSERT_TRUE(buf.len > 0);
	CU_ASSERT_EQUAL(t->ops->read(t, TARGET_CPUS_PRESENT, &buf), 0);
	CU_ASSERT_EQUAL(t->ops->read(t, TARGET_CPUS_ONLINE, &buf), 0);
	CU_ASSERT_EQUAL(t->ops->read(t, "/proc/version", &buf), -EINVAL);
	CU_ASSERT_EQUAL(t->ops->read(t, "/sys/devices/system/cpu/possible", &buf), -EINVAL);
	CU_ASSERT_EQUAL(t->ops->exists(t, "f"), 1);
	CU_ASSERT_EQUAL(t->ops->exists(t, "f/g"), 0);
	CU_ASSERT_EQUAL(t->ops->write(t, "f", "ab", 2, false), 0);
	CU_ASSERT_EQUAL(t->ops->write(t, "f", "\0c", 2, true), 0);
	CU_ASSERT_EQUAL(t->ops->read(t, "f", &buf), 0);
	CU_ASSERT_EQUAL(buf.len, 4);
	CU_ASSERT_EQUAL(memcmp(buf.data, "ab\0c", 5), 0);
	CU_ASSERT_EQUAL(t->ops->write(t, "f", big, sizeof(big), false), -E2BIG);
	CU_ASSERT_EQUAL(t->ops->write(t, "f", "", 0, false), 0);
	CU_ASSERT_STRING_EQUAL(scratch_get("tracefs/f"), "");
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
	scratch_put("tracefs/big", big);
	CU_ASSERT_EQUAL(t->ops->read(t, "big", &buf), 0);
	CU_ASSERT_EQUAL_FATAL(buf.len, sizeof(big) - 1);
	CU_ASSERT_EQUAL(memcmp(buf.data, big, sizeof(big)), 0);
	free(buf.data);
	target_free(t);
	CU_ASSERT_EQUAL(helper_stop(&end), 0);
}

/* Texts that change: each comes as it is, and most of it not again. */
static void test_reread(void)
{
	static const int changes[] = { 0, 1, 500, 999, 0, 0 };
	struct target_buf buf = { 0 };
	struct end end;
	struct hist_target *t = helper_host(&end, false);
	uint64_t before, now, again;
	char *text = malloc(100000);
	int handle, handles[SERVE_FILES], i, k, extra;
	size_t len;

	CU_ASSERT_EQUAL(t->ops->clock(t, "mono", NULL, &before), 0);
	scratch_put("tracefs/hist", "");
	CU_ASSERT_EQUAL_FATAL(t->ops->open(t, "hist", &handle), 0);
	CU_ASSERT_EQUAL(t->ops->reread(t, handle, &buf), 0);
	CU_ASSERT_EQUAL(buf.len, 0);
	for (k = 0; k < 6; k++) {
		for (i = 0, len = 0; i < 1000; i++)
			len += sprintf(text + len, "{ pid: %10d } hitcount: %10d\n", i,
				       i == changes[k] ? k * 7 : 1);
		scratch_put("tracefs/hist", text);
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
	unlink(scratch_path("tracefs/hist"));
	CU_ASSERT_EQUAL(t->ops->reread(t, handle, &buf), 0);
	CU_ASSERT_STRING_EQUAL(buf.data, text);

	scratch_put("tracefs/other", "other\n");
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
	CU_ASSERT_EQUAL(helper_stop(&end), 0);
}

/* What is noted goes when the connection does; what was cancelled does not. */
static void test_end(void)
{
	struct end end;
	struct hist_target *t = helper_host(&end, true);

	scratch_put("tracefs/value", "old\n");
	CU_ASSERT_EQUAL(t->ops->note(t, UNDO_NOTE_INSTANCE, "instances/ours", NULL), 0);
	CU_ASSERT_EQUAL(t->ops->mkdir(t, "instances/ours"), 0);
	CU_ASSERT_EQUAL(t->ops->mkdir(t, "instances/theirs"), 0);
	CU_ASSERT_EQUAL(t->ops->note(t, UNDO_NOTE_INSTANCE, "instances/theirs", NULL), 0);
	CU_ASSERT_EQUAL(t->ops->cancel(t), 0);
	CU_ASSERT_EQUAL(t->ops->note(t, UNDO_NOTE_VALUE, "value", "old\n"), 0);
	CU_ASSERT_EQUAL(t->ops->write(t, "value", "new", 3, false), 0);
	/* a note that would remove anything else */
	CU_ASSERT_EQUAL(t->ops->note(t, UNDO_NOTE_INSTANCE, "events", NULL), -EINVAL);
	CU_ASSERT_EQUAL(t->ops->note(t, UNDO_NOTE_INSTANCE, "instances/a/b", NULL), -EINVAL);
	CU_ASSERT_EQUAL(t->ops->note(t, UNDO_NOTE_DYNEVENT, "synthetic_events", "x"), -EINVAL);
	CU_ASSERT_TRUE(scratch_has("tracefs/instances/ours"));
	target_free(t);
	CU_ASSERT_EQUAL(helper_stop(&end), 0);
	CU_ASSERT_FALSE(scratch_has("tracefs/instances/ours"));
	CU_ASSERT_TRUE(scratch_has("tracefs/instances/theirs"));
	CU_ASSERT_STRING_EQUAL(scratch_get("tracefs/value"), "old");
	CU_ASSERT_EQUAL(rmdir(scratch_path("tracefs/instances/theirs")), 0);
	/* no journal is left either */
	CU_ASSERT_EQUAL(rmdir(scratch_path("journals")), 0);
	CU_ASSERT_EQUAL(mkdir(scratch_path("journals"), 0700), 0);
}

static char told[1000];

static void tell_success(void *arg, const struct undo_note *note, bool dry_run)
{
	(void)arg;
	snprintf(told + strlen(told), sizeof(told) - strlen(told), "%s%s %s\n", dry_run ? "would " : "",
		 note->path, note->text ? note->text : "-");
}

static void tell_failure(void *arg, const struct undo_note *note, int err)
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
	struct hist_target *t = helper_host(&end, true);

	scratch_put("tracefs/value", "old\n");
	CU_ASSERT_EQUAL(t->ops->note(t, UNDO_NOTE_INSTANCE, "instances/ours", NULL), 0);
	CU_ASSERT_EQUAL(t->ops->mkdir(t, "instances/ours"), 0);
	CU_ASSERT_EQUAL(t->ops->note(t, UNDO_NOTE_VALUE, "value", "old\n"), 0);
	CU_ASSERT_EQUAL(t->ops->write(t, "value", "new", 3, false), 0);
	kill(end.child, SIGKILL);
	CU_ASSERT_EQUAL(t->ops->ping(t), -ECONNRESET);
	CU_ASSERT_EQUAL(t->ops->exists(t, "value"), -ECONNRESET);
	target_free(t);
	CU_ASSERT_EQUAL(helper_stop(&end), 255);

	t = helper_host(&end, true);
	told[0] = '\0';
	CU_ASSERT_EQUAL(t->ops->clean(t, true, &report, &outcome), 0);
	CU_ASSERT_STRING_EQUAL(told, "would value old\nwould instances/ours -\n");
	CU_ASSERT_TRUE(scratch_has("tracefs/instances/ours"));
	scratch_put("tracefs/instances/ours/in-use", "");
	told[0] = '\0';
	memset(&outcome, 0, sizeof(outcome));
	CU_ASSERT_EQUAL(t->ops->clean(t, false, &report, &outcome), 0);
	CU_ASSERT_EQUAL(outcome.removed, 1);
	CU_ASSERT_EQUAL(outcome.failed, 1);
	CU_ASSERT_EQUAL(outcome.first_err, -ENOTEMPTY);
	CU_ASSERT_STRING_EQUAL(told, "value old\ninstances/ours: -39\n");
	unlink(scratch_path("tracefs/instances/ours/in-use"));
	told[0] = '\0';
	memset(&outcome, 0, sizeof(outcome));
	CU_ASSERT_EQUAL(t->ops->clean(t, false, &report, &outcome), 0);
	CU_ASSERT_STRING_EQUAL(told, "instances/ours -\n");
	CU_ASSERT_EQUAL(outcome.removed, 1);

	/* and by the verb at the end of a recording */
	CU_ASSERT_EQUAL(t->ops->note(t, UNDO_NOTE_INSTANCE, "instances/ours", NULL), 0);
	CU_ASSERT_EQUAL(t->ops->mkdir(t, "instances/ours"), 0);
	told[0] = '\0';
	CU_ASSERT_EQUAL(t->ops->take_back(t, &report, &outcome), 0);
	CU_ASSERT_STRING_EQUAL(told, "instances/ours -\n");
	CU_ASSERT_FALSE(scratch_has("tracefs/instances/ours"));
	CU_ASSERT_EQUAL(t->ops->cancel(t), -ENOENT);
	target_free(t);
	CU_ASSERT_EQUAL(helper_stop(&end), 0);
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
	int link = helper_has_openat2() ? -ELOOP : -ENOTDIR;
	struct end end;
	struct wire *w;
	unsigned int i, j;

	scratch_put("outdir/inside", "secret\n");
	helper_start(&end, false);
	w = helper_greet(&end);
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
	CU_ASSERT_STRING_EQUAL(scratch_get("outside"), "secret\n");
	CU_ASSERT_FALSE(scratch_has("outdir/x"));
	/* files that are never truncated */
	scratch_put("tracefs/events/a/trigger", "theirs\n");
	CU_ASSERT_EQUAL(ask(w, WIRE_WRITE, "events/a/trigger", "x"), -EINVAL);
	CU_ASSERT_STRING_EQUAL(scratch_get("tracefs/events/a/trigger"), "theirs\n");
	free(w);
	CU_ASSERT_EQUAL(helper_stop(&end), 0);
}

/* All of it again, with the other way to open files. */
static void test_old_kernel(void)
{
	helper_on_old_kernel = true;
	test_verbs();
	test_end();
	test_paths();
	helper_on_old_kernel = false;
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

	scratch_put("tracefs/hist", "a line of text that is long enough to be seen in what is sent: "
			    "forty bytes and more stand behind this one\nand another line\n");
	helper_start(&end, false);
	w = helper_greet(&end);
	CU_ASSERT_EQUAL(ask(w, WIRE_OPEN, "hist", ""), 0);
	CU_ASSERT_TRUE(reread_bytes(w, true) > 120);
	CU_ASSERT_TRUE(reread_bytes(w, false) < 60);
	CU_ASSERT_TRUE(reread_bytes(w, true) > 120);
	CU_ASSERT_TRUE(reread_bytes(w, false) < 60);
	free(w);
	CU_ASSERT_EQUAL(helper_stop(&end), 0);
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
		helper_start(&end, false);
		w = helper_greet(&end);
		wire_begin(w, 1, WIRE_NOTE);
		wire_u8(w, UNDO_NOTE_INSTANCE);
		wire_text(w, "instances/ours");
		wire_text(w, "");
		CU_ASSERT_EQUAL(wire_end(w), 0);
		CU_ASSERT_EQUAL(wire_receive(w, &(struct wire_frame){ 0 }), 0);
		CU_ASSERT_EQUAL(ask(w, WIRE_MKDIR, "instances/ours", ""), 0);
		CU_ASSERT_EQUAL(ask(w, bad[i].verb, bad[i].path, bad[i].rest), 1000 + EPIPE);
		free(w);
		CU_ASSERT_EQUAL(helper_stop(&end), 1);
		CU_ASSERT_FALSE(scratch_has("tracefs/instances/ours"));
	}
	helper_start(&end, false);
	CU_ASSERT_EQUAL(send(end.fd, "GET / HTTP/1.0\r\n\r\n", 18, 0), 18);
	CU_ASSERT_EQUAL(helper_stop(&end), 1);
}

UNIT_TESTS_WITH(scratch_set_up, scratch_tear_down,
	{ "the target helper carries out each request and returns the error of a failed one",
	  test_verbs },
	{ "the target helper sends whole pages of a ring buffer, and an older one cannot",
	  test_pages },
	{ "the target helper lists the tasks of its machine, and no other files", test_tasks },
	{ "a text that is read again arrives as the file has it, with a later time", test_reread },
	{ "the end of a connection undoes every noted change that was not cancelled", test_end },
	{ "cleanup undoes the changes of a killed target helper and keeps the failed ones",
	  test_clean },
	{ "the target helper refuses paths and links that lead out of tracefs", test_paths },
	{ "the target helper works the same without openat2(), as before Linux 5.6",
	  test_old_kernel },
	{ "a text that is requested whole is sent whole, otherwise only its differences",
	  test_whole },
	{ "an invalid request ends the connection and undoes every noted change", test_nonsense });
