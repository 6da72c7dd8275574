// SPDX-License-Identifier: GPL-2.0
/*
 * serve.c - server of the target protocol: the loop and its verbs
 *
 * Requests are carried out in order. An answer is sent completely before the next
 * request is read. The answer to an undo contains one record for each change that was
 * undone. An error on the wire while records are sent is detected at the end of the
 * answer.
 *
 * Invariants: each verb sends its whole answer. A result other than 0 is -errno and ends
 * the connection: an invalid request does, and so does a host that exceeds its deadlines.
 * After any end, all files are closed and all changes of the undo list are undone.
 */
#include "helper/port/port.h"

#include "helper/serve/serve.h"
#include "helper/undo/undo_list.h"
#include "helper/wire/handshake.h"
#include "helper/wire/text_delta.h"

struct served_file {
	bool used;
	int handle;
	struct text_delta_encoder *encoder;
};

struct server {
	struct wire *wire;
	struct hist_target *target;
	struct undo_list *undo; /* NULL before the first note */
	int journals;
	bool has_journal;
	uint16_t tag; /* of the current request */
	struct target_buf buf;
	struct served_file files[SERVE_FILES];
	char path[TARGET_PATH_MAX];
	char text[WIRE_TEXT_MAX + 1];
};

/* Begin the last frame of an answer; the caller adds fields and calls wire_end(). */
static void serve_begin_done(struct server *s, int status)
{
	wire_begin(s->wire, s->tag, WIRE_DONE);
	wire_status(s->wire, status);
}

/* Send an answer that contains only a status. */
static int serve_send_status(struct server *s, int status)
{
	serve_begin_done(s, status);
	return wire_end(s->wire);
}

static int serve_send_buf(struct server *s, int status)
{
	int ret = 0;

	wire_stream_begin(s->wire, s->tag);
	if (status >= 0)
		ret = wire_stream(s->wire, s->buf.data, s->buf.len);
	if (!ret)
		ret = wire_stream_end(s->wire);
	return ret ? ret : serve_send_status(s, status);
}

/* A text that is being sent to the host. */
struct reread_state {
	struct server *server;
	struct text_delta_encoder *encoder;
	const char *clock;
	uint64_t begin;
	uint32_t crc;
	uint64_t len;
	uint64_t read_ns, wall, now;
	int clock_status;
	int wire_error;
	bool timed;
};

static int serve_emit_delta(void *arg, const void *data, size_t len)
{
	struct reread_state *sending = arg;

	sending->wire_error = wire_stream(sending->server->wire, data, len);
	return sending->wire_error;
}

static int serve_pass_piece(void *arg, const char *data, size_t len)
{
	return serve_emit_delta(arg, data, len);
}

/*
 * Send a file in pieces, so that a file of any size needs only a small buffer. If the
 * status is an error, the host discards the pieces that it received before.
 */
static int serve_read(struct server *s)
{
	const struct hist_target_ops *ops = s->target->ops;
	struct reread_state sending = { .server = s };
	int handle, ret;

	wire_stream_begin(s->wire, s->tag);
	ret = ops->open(s->target, s->path, &handle);
	if (!ret) {
		ret = ops->reread_pieces(s->target, handle, serve_pass_piece, &sending);
		ops->close(s->target, handle);
	}
	if (!sending.wire_error)
		sending.wire_error = wire_stream_end(s->wire);
	return sending.wire_error ? sending.wire_error : serve_send_status(s, ret);
}

static int serve_info(struct server *s)
{
	const struct hist_target *t = s->target;

	serve_begin_done(s, 0);
	wire_u32(s->wire, t->cpus);
	wire_u32(s->wire, t->page_size);
	wire_u8(s->wire, t->long_size);
	wire_u8(s->wire, t->big_endian);
	wire_u8(s->wire, s->has_journal);
	wire_text(s->wire, t->uname);
	wire_text(s->wire, t->host);
	return wire_end(s->wire);
}

static int serve_open(struct server *s)
{
	struct served_file *file;
	uint64_t seed;
	int i, ret;

	for (i = 0; i < SERVE_FILES && s->files[i].used; i++)
		;
	if (i == SERVE_FILES)
		return serve_send_status(s, -EMFILE);
	file = &s->files[i];
	/* without random numbers, use the address of the stack */
	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
		seed = (uintptr_t)&seed;
	file->encoder = text_delta_encoder_new(seed);
	ret = file->encoder ? s->target->ops->open(s->target, s->path, &file->handle) : -ENOMEM;
	if (ret) {
		text_delta_encoder_free(file->encoder);
		return serve_send_status(s, ret);
	}
	file->used = true;
	serve_begin_done(s, 0);
	wire_u32(s->wire, i);
	return wire_end(s->wire);
}

static void serve_close_file(struct server *s, struct served_file *file)
{
	if (!file->used)
		return;
	s->target->ops->close(s->target, file->handle);
	text_delta_encoder_free(file->encoder);
	file->used = false;
}

/* The kernel produces the whole text at the first read(2), so measure up to this point. */
static void serve_measure_time(struct reread_state *sending)
{
	struct hist_target *t = sending->server->target;
	uint64_t now;

	if (sending->timed)
		return;
	sending->timed = true;
	if (!t->ops->clock(t, "mono", NULL, &now))
		sending->read_ns = now - sending->begin;
	sending->clock_status = -ENOTSUP;
	if (*sending->clock)
		sending->clock_status = t->ops->clock(t, sending->clock, NULL, &sending->now);
	if (t->ops->clock(t, "realtime", NULL, &sending->wall))
		sending->wall = 0;
}

static int serve_take_piece(void *arg, const char *data, size_t len)
{
	struct reread_state *sending = arg;

	serve_measure_time(sending);
	sending->crc = wire_crc32(sending->crc, data, len);
	sending->len += len;
	return text_delta_encoder_add(sending->encoder, data, len, serve_emit_delta, sending);
}

static int serve_reread(struct server *s, struct wire_reader *r)
{
	uint32_t number = wire_get_u32(r);
	bool whole = wire_get_u8(r);
	struct reread_state sending = { .server = s, .clock = s->text };
	struct hist_target *t = s->target;
	int ret;

	wire_get_text(r, s->text, 32);
	if (!wire_is_at_end(r))
		return -EPROTO;
	if (number >= SERVE_FILES || !s->files[number].used)
		return serve_send_status(s, -EBADF);
	sending.encoder = s->files[number].encoder;
	text_delta_encoder_begin(sending.encoder, whole);
	wire_stream_begin(s->wire, s->tag);
	t->ops->clock(t, "mono", NULL, &sending.begin);
	ret = t->ops->reread_pieces(t, s->files[number].handle, serve_take_piece, &sending);
	/* an empty file does not produce a piece */
	serve_measure_time(&sending);
	if (!ret)
		ret = text_delta_encoder_end(sending.encoder, serve_emit_delta, &sending);
	if (!sending.wire_error)
		sending.wire_error = wire_stream_end(s->wire);
	if (sending.wire_error)
		return sending.wire_error;
	if (ret)
		return serve_send_status(s, ret);
	serve_begin_done(s, 0);
	wire_u32(s->wire, sending.crc);
	wire_u64(s->wire, sending.len);
	wire_u64(s->wire, sending.read_ns);
	wire_status(s->wire, sending.clock_status);
	wire_u64(s->wire, sending.now);
	wire_u64(s->wire, sending.wall);
	return wire_end(s->wire);
}

static int serve_close(struct server *s, struct wire_reader *r)
{
	uint32_t number = wire_get_u32(r);

	if (!wire_is_at_end(r))
		return -EPROTO;
	if (number >= SERVE_FILES || !s->files[number].used)
		return serve_send_status(s, -EBADF);
	serve_close_file(s, &s->files[number]);
	return serve_send_status(s, 0);
}

static int serve_write(struct server *s, struct wire_reader *r)
{
	bool append = wire_get_u8(r);
	const unsigned char *data;
	size_t len;

	wire_get_text(r, s->path, sizeof(s->path));
	data = wire_get_rest(r, &len);
	if (!wire_is_at_end(r))
		return -EPROTO;
	return serve_send_status(s, s->target->ops->write(s->target, s->path, (const char *)data,
							  len, append));
}

static int serve_clock(struct server *s, struct wire_reader *r)
{
	uint64_t now = 0;
	int ret;

	wire_get_text(r, s->text, 32);
	if (!wire_is_at_end(r))
		return -EPROTO;
	ret = s->target->ops->clock(s->target, s->text, NULL, &now);
	serve_begin_done(s, ret);
	wire_u64(s->wire, now);
	return wire_end(s->wire);
}

static int serve_tasks(struct server *s, struct wire_reader *r)
{
	const struct hist_target_ops *ops = s->target->ops;

	wire_get_text(r, s->path, sizeof(s->path));
	if (!wire_is_at_end(r))
		return -EPROTO;
	if (!ops->tasks)
		return serve_send_status(s, -ENOTSUP);
	return serve_send_buf(s, ops->tasks(s->target, *s->path ? s->path : NULL, &s->buf));
}

/* Read and send a few pages at a time, so that a ring buffer of any size needs little memory. */
static int serve_pages(struct server *s, struct wire_reader *r)
{
	const struct hist_target_ops *ops = s->target->ops;
	uint64_t most = wire_get_u32(r), sent = 0;
	int ret, wire_error = 0;

	wire_get_text(r, s->path, sizeof(s->path));
	if (!wire_is_at_end(r))
		return -EPROTO;
	if (!ops->pages || !target_path_has_pages(s->path))
		return serve_send_status(s, -EINVAL);
	if (!most || most > TARGET_TEXT_MAX)
		most = TARGET_TEXT_MAX;
	wire_stream_begin(s->wire, s->tag);
	do {
		ret = ops->pages(s->target, s->path, WIRE_PIECE, &s->buf);
		if (!ret)
			wire_error = wire_stream(s->wire, s->buf.data, s->buf.len);
		sent += s->buf.len;
	} while (!ret && !wire_error && s->buf.len >= WIRE_PIECE && sent < most);
	if (!wire_error)
		wire_error = wire_stream_end(s->wire);
	return wire_error ? wire_error : serve_send_status(s, ret);
}

/* --- notes of changes, and their undo --- */

/* Create the list with the first note, and its journal if possible. */
static int serve_begin_list(struct server *s)
{
	struct undo_journal *journal = NULL;

	if (s->undo)
		return 0;
	if (s->journals >= 0 && undo_journal_create(&journal, s->journals))
		journal = NULL;
	s->undo = undo_list_new(s->target, journal);
	if (s->undo)
		return 0;
	if (journal)
		undo_journal_remove(journal);
	undo_journal_close(journal);
	return -ENOMEM;
}

static int serve_note(struct server *s, struct wire_reader *r)
{
	unsigned int type = wire_get_u8(r);
	int ret;

	wire_get_text(r, s->path, sizeof(s->path));
	wire_get_text(r, s->text, sizeof(s->text));
	if (!wire_is_at_end(r))
		return -EPROTO;
	if (type > UNDO_NOTE_VALUE)
		return serve_send_status(s, -EINVAL);
	ret = serve_begin_list(s);
	if (!ret)
		ret = undo_list_note(s->undo, type, s->path,
				     type == UNDO_NOTE_INSTANCE ? NULL : s->text);
	return serve_send_status(s, ret);
}

static int serve_cancel(struct server *s, struct wire_reader *r)
{
	if (!wire_is_at_end(r))
		return -EPROTO;
	return serve_send_status(s, s->undo ? undo_list_cancel(s->undo) : -ENOENT);
}

/* --- records --- */

static void serve_put_text(struct wire *w, const char *text)
{
	size_t len = text ? strlen(text) : 0;
	unsigned char number[2] = { len, len >> 8 };

	wire_stream(w, number, 2);
	wire_stream(w, text, len);
}

static void serve_put_error(struct wire *w, int err)
{
	uint32_t n = (uint32_t)wire_error_number(err);
	unsigned char number[4] = { n, n >> 8, n >> 16, n >> 24 };

	wire_stream(w, number, 4);
}

static void serve_put_note(struct wire *w, const struct undo_note *note)
{
	unsigned char type = note->type;

	wire_stream(w, &type, 1);
	serve_put_text(w, note->path);
	serve_put_text(w, note->text);
}

static void serve_report_success(void *arg, const struct undo_note *note, bool dry_run)
{
	struct server *s = arg;

	(void)dry_run;
	wire_stream(s->wire, &(unsigned char){ WIRE_SUCCESS }, 1);
	serve_put_note(s->wire, note);
}

static void serve_report_failure(void *arg, const struct undo_note *note, int err)
{
	struct server *s = arg;

	wire_stream(s->wire, &(unsigned char){ WIRE_FAILURE }, 1);
	serve_put_error(s->wire, err);
	serve_put_note(s->wire, note);
}

static void serve_report_odd(void *arg, const char *journal, int err)
{
	struct server *s = arg;

	wire_stream(s->wire, &(unsigned char){ WIRE_ODD }, 1);
	serve_put_error(s->wire, err);
	serve_put_text(s->wire, journal);
}

static int serve_send_outcome(struct server *s, int status, const struct undo_outcome *outcome)
{
	int ret = wire_stream_end(s->wire);

	if (ret)
		return ret;
	serve_begin_done(s, status);
	wire_u32(s->wire, outcome->removed);
	wire_u32(s->wire, outcome->failed);
	wire_status(s->wire, outcome->first_err);
	return wire_end(s->wire);
}

static int serve_undo(struct server *s, struct wire_reader *r)
{
	struct undo_report report = { serve_report_success, serve_report_failure, serve_report_odd,
				      s };
	struct undo_outcome outcome = { 0 };

	if (!wire_is_at_end(r))
		return -EPROTO;
	wire_stream_begin(s->wire, s->tag);
	if (s->undo)
		undo_list_run(s->undo, &report, &outcome);
	if (!outcome.failed) {
		undo_list_free(s->undo);
		s->undo = NULL;
	}
	return serve_send_outcome(s, 0, &outcome);
}

static int serve_clean(struct server *s, struct wire_reader *r)
{
	struct undo_report report = { serve_report_success, serve_report_failure, serve_report_odd,
				      s };
	struct undo_outcome outcome = { 0 };
	bool dry_run = wire_get_u8(r);
	int ret = 0;

	if (!wire_is_at_end(r))
		return -EPROTO;
	wire_stream_begin(s->wire, s->tag);
	if (s->journals >= 0)
		ret = undo_list_clean(s->target, s->journals, dry_run, &report, &outcome);
	return serve_send_outcome(s, ret, &outcome);
}

static unsigned int serve_undo_all(struct server *s)
{
	struct undo_outcome outcome = { 0 };

	if (s->undo)
		undo_list_run(s->undo, NULL, &outcome);
	undo_list_free(s->undo);
	s->undo = NULL;
	return outcome.failed;
}

/* The verbs with a path as the only argument. */
static int serve_path(struct server *s, unsigned int verb, struct wire_reader *r)
{
	const struct hist_target_ops *ops = s->target->ops;

	wire_get_text(r, s->path, sizeof(s->path));
	if (!wire_is_at_end(r))
		return -EPROTO;
	switch (verb) {
	case WIRE_READ:
		return serve_read(s);
	case WIRE_OPEN:
		return serve_open(s);
	case WIRE_LIST:
		return serve_send_buf(s, ops->list(s->target, s->path, &s->buf));
	case WIRE_MKDIR:
		return serve_send_status(s, ops->mkdir(s->target, s->path));
	case WIRE_RMDIR:
		return serve_send_status(s, ops->rmdir(s->target, s->path));
	case WIRE_EXISTS:
		return serve_send_status(s, ops->exists(s->target, s->path));
	}
	return -EPROTO;
}

static int serve_request(struct server *s, const struct wire_frame *frame)
{
	struct wire_reader r = { .p = frame->data, .end = frame->data + frame->len };

	s->tag = frame->tag;
	switch (frame->kind) {
	case WIRE_INFO:
		return wire_is_at_end(&r) ? serve_info(s) : -EPROTO;
	case WIRE_PING:
		return wire_is_at_end(&r) ? serve_send_status(s, 0) : -EPROTO;
	case WIRE_REREAD:
		return serve_reread(s, &r);
	case WIRE_CLOSE:
		return serve_close(s, &r);
	case WIRE_WRITE:
		return serve_write(s, &r);
	case WIRE_CLOCK:
		return serve_clock(s, &r);
	case WIRE_NOTE:
		return serve_note(s, &r);
	case WIRE_CANCEL:
		return serve_cancel(s, &r);
	case WIRE_UNDO:
		return serve_undo(s, &r);
	case WIRE_CLEAN:
		return serve_clean(s, &r);
	case WIRE_TASKS:
		return serve_tasks(s, &r);
	case WIRE_PAGES:
		return serve_pages(s, &r);
	}
	return serve_path(s, frame->kind, &r);
}

int serve(struct wire *w, struct hist_target *target, int journals, const char *version,
	  unsigned int idle_s, unsigned int *left)
{
	struct server *s = calloc(1, sizeof(*s));
	unsigned int idle_ms = idle_s * 1000;
	struct wire_frame frame;
	unsigned int i;
	int ret;

	*left = 0;
	if (!s)
		return -ENOMEM;
	s->wire = w;
	s->target = target;
	s->journals = journals;
	s->has_journal = journals >= 0;
	wire_set_deadline(w, idle_ms);
	ret = handshake_answer(w, version, NULL);
	while (!ret) {
		wire_set_deadline(w, idle_ms);
		ret = wire_receive(w, &frame);
		if (ret)
			break;
		/* the host must also receive the answer within the deadline */
		wire_set_deadline(w, idle_ms && idle_ms < WIRE_REQUEST_MS ? idle_ms :
									    WIRE_REQUEST_MS);
		ret = serve_request(s, &frame);
	}
	/* rmdir fails for an instance with an open file */
	for (i = 0; i < SERVE_FILES; i++)
		serve_close_file(s, &s->files[i]);
	*left = serve_undo_all(s);
	free(s->buf.data);
	free(s);
	return ret == -EPIPE ? 0 : ret;
}
