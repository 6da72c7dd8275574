// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_remote.c - any bytes as what a helper, or a shell, answers to a host
 *
 * The first byte says how the connection begins: with the handshake made, or
 * with the bytes as the handshake too, or with a shell.  Then each operation is
 * asked for once or more.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helper/undo/undo_list.h"
#include "tracecmd/base/message.h"
#include "tracecmd/target/target_link.h"
#include "tracecmd/target/target_remote.h"
#include "tracecmd/target/target_shell.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Stands in for that of message.c, which would fill the log. */
void message_error(const char *fmt, ...)
{
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
}

int message_report(int ret, const struct hist_error *error)
{
	message_error("%s", error->what);
	return ret;
}

struct far {
	const uint8_t *data;
	size_t len, at;
	char nonce[64];
	char pending[128];
	bool shell;
};

static int far_read(void *arg, void *to, size_t len)
{
	struct far *f = arg;
	size_t n = f->len - f->at;

	/* a shell's answer is up to a byte 255; its mark is made here, as no chance can */
	if (f->shell && *f->pending) {
		n = strlen(f->pending);
		memcpy(to, f->pending, n);
		f->pending[0] = '\0';
		return n;
	}
	n = n < len ? n : len;
	if (f->shell && n) {
		const uint8_t *end = memchr(f->data + f->at, 255, n);

		if (end) {
			n = end - (f->data + f->at);
			memcpy(to, f->data + f->at, n);
			f->at += n + 1;
			snprintf(f->pending, sizeof(f->pending), "\n%s %d\n", f->nonce,
				 n % 11 == 10);
			return n ? (int)n : far_read(arg, to, len);
		}
	}
	memcpy(to, f->data + f->at, n);
	f->at += n;
	return n;
}

/* The mark that the shell is to print, out of the line for it. */
static int far_write(void *arg, const void *from, size_t len)
{
	static const char before[] = "\nprintf '\\n%s\\n' \"";
	struct far *f = arg;
	const char *p = memmem(from, len, before, sizeof(before) - 1), *end;

	if (p) {
		p += sizeof(before) - 1;
		end = memchr(p, ' ', len - (p - (const char *)from));
		if (end && end - p < (int)sizeof(f->nonce)) {
			memcpy(f->nonce, p, end - p);
			f->nonce[end - p] = '\0';
		}
	}
	return len;
}

static int far_wait(void *arg, short events, int ms)
{
	(void)arg;
	(void)events;
	(void)ms;
	return 0;
}

static void far_explain(void *arg, int err, struct hist_error *error)
{
	(void)arg;
	hist_error_set(error, err, "%d", err);
}

static void far_free(void *arg)
{
	(void)arg;
}

static void success(void *arg, const struct undo_note *note, bool dry_run)
{
	(void)dry_run;
	*(size_t *)arg += strlen(note->path) + (note->text ? strlen(note->text) : 0);
}

static void failure(void *arg, const struct undo_note *note, int err)
{
	*(size_t *)arg += strlen(note->path) + err;
}

static void odd(void *arg, const char *journal, int err)
{
	*(size_t *)arg += strlen(journal) + err;
}

static void ask_all(struct hist_target *t)
{
	size_t sum = 0;
	struct undo_report report = { success, failure, odd, &sum };
	struct undo_outcome outcome = { 0 };
	struct target_buf buf = { 0 };
	uint64_t now;
	int handle, i;

	if (!t->ops->open(t, "hist", &handle)) {
		t->ops->clock(t, "mono", "instances/x", &now);
		for (i = 0; i < 4; i++) {
			if (!t->ops->reread(t, handle, &buf) && buf.data[buf.len])
				abort();
			t->ops->clock(t, "mono", NULL, &now);
			t->ops->clock(t, "realtime", NULL, &now);
		}
		t->ops->close(t, handle);
	}
	if (!t->ops->read(t, "a", &buf) && buf.data[buf.len])
		abort();
	if (!t->ops->list(t, "b", &buf) && buf.len && buf.data[buf.len - 1])
		abort();
	if (t->ops->pages && !t->ops->pages(t, "c/snapshot_raw", 0, &buf) && buf.data[buf.len])
		abort();
	t->ops->exists(t, "c");
	t->ops->note(t, UNDO_NOTE_INSTANCE, "instances/x", NULL);
	t->ops->mkdir(t, "instances/x");
	t->ops->note(t, UNDO_NOTE_VALUE, "trace_clock", "local [mono]");
	t->ops->write(t, "trace_clock", "boot", 4, false);
	t->ops->cancel(t);
	t->ops->clean(t, true, &report, &outcome);
	t->ops->take_back(t, &report, &outcome);
	t->ops->ping(t);
	free(buf.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct far far = { .data = data, .len = size, .at = 1 };
	struct wire_io io = { far_read, far_write, far_wait, &far };
	struct remote_link link = { far_explain, far_free, NULL };
	enum bootstrap_kind kind = BOOTSTRAP_HELPER;
	unsigned int version = WIRE_NEWEST;
	struct hist_target *t;
	struct hist_error error = { 0 };
	struct wire *w;
	int ret = 0;

	if (!size)
		return 0;
	w = wire_new(&io);
	if (!w)
		abort();
	if (data[0] == 1)
		ret = bootstrap(w, false, &kind, &version, &error);
	else if (data[0] == 2)
		kind = BOOTSTRAP_SHELL;
	if (ret) {
		free(w);
		return 0;
	}
	far.shell = kind == BOOTSTRAP_SHELL;
	if (kind == BOOTSTRAP_SHELL)
		ret = target_shell_new(&t, w, &link, &error);
	else
		ret = target_remote_new(&t, w, version, &link, &error);
	if (!ret) {
		ask_all(t);
		target_free(t);
	}
	return 0;
}
