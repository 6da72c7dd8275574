// SPDX-License-Identifier: GPL-2.0
/*
 * serve.c - the target's side of the protocol
 *
 * Requests are carried out one after the other; an answer is sent whole before
 * the next request is looked at.
 *
 * Invariants: a request that is not understood ends the connection; whatever
 * ends it, the files are closed and the undo list is run.
 */
#include "port.h"

#include "confined.h"
#include "delta.h"
#include "serve.h"
#include "undo_list.h"
#include "words.h"

struct file {
	bool used;
	int handle;
	struct delta_encoder *encoder;
};

struct server {
	struct wire *wire;
	struct hist_target *target;
	struct undo_list *undo;
	int journals;
	bool has_journal;
	uint16_t tag;
	struct target_buf buf;
	struct file files[SERVE_FILES];
	char path[TARGET_PATH_MAX];
	char text[WIRE_TEXT_MAX + 1];
};

static int done(struct server *s, int status)
{
	wire_begin(s->wire, s->tag, WIRE_DONE);
	wire_status(s->wire, status);
	return wire_end(s->wire);
}

static int send_buf(struct server *s, int status)
{
	int ret = 0;

	wire_stream_begin(s->wire, s->tag);
	if (status >= 0)
		ret = wire_stream(s->wire, s->buf.data, s->buf.len);
	if (!ret)
		ret = wire_stream_end(s->wire);
	return ret ? ret : done(s, status);
}

static int serve_info(struct server *s)
{
	const struct hist_target *t = s->target;

	wire_begin(s->wire, s->tag, WIRE_DONE);
	wire_status(s->wire, 0);
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
	struct file *file;
	uint64_t seed;
	int i, ret;

	for (i = 0; i < SERVE_FILES && s->files[i].used; i++)
		;
	if (i == SERVE_FILES)
		return done(s, -EMFILE);
	file = &s->files[i];
	/* without random numbers the address of the stack must do */
	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
		seed = (uintptr_t)&seed;
	file->encoder = delta_encoder_new(seed);
	ret = file->encoder ? s->target->ops->open(s->target, s->path, &file->handle) : -ENOMEM;
	if (ret) {
		delta_encoder_free(file->encoder);
		return done(s, ret);
	}
	file->used = true;
	wire_begin(s->wire, s->tag, WIRE_DONE);
	wire_status(s->wire, 0);
	wire_u32(s->wire, i);
	return wire_end(s->wire);
}

static void close_file(struct server *s, struct file *file)
{
	if (!file->used)
		return;
	s->target->ops->close(s->target, file->handle);
	delta_encoder_free(file->encoder);
	file->used = false;
}

/* A text on its way to the host. */
struct sending {
	struct server *server;
	struct delta_encoder *encoder;
	const char *clock;
	uint64_t begin;
	uint32_t crc;
	uint64_t len;
	uint64_t read_ns, wall, now;
	int clock_status;
	int wire_error;
	bool timed;
};

static uint64_t monotonic(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + ts.tv_nsec;
}

static int emit(void *arg, const void *data, size_t len)
{
	struct sending *sending = arg;

	sending->wire_error = wire_stream(sending->server->wire, data, len);
	return sending->wire_error;
}

/* The kernel makes the whole text at the first read: this is the time of it. */
static void take_time(struct sending *sending)
{
	struct hist_target *t = sending->server->target;

	if (sending->timed)
		return;
	sending->timed = true;
	sending->read_ns = monotonic() - sending->begin;
	sending->clock_status = -ENOTSUP;
	if (*sending->clock)
		sending->clock_status = t->ops->clock(t, sending->clock, NULL, &sending->now);
	if (t->ops->clock(t, "realtime", NULL, &sending->wall))
		sending->wall = 0;
}

static int take_piece(void *arg, const char *data, size_t len)
{
	struct sending *sending = arg;

	take_time(sending);
	sending->crc = wire_crc32(sending->crc, data, len);
	sending->len += len;
	return delta_encoder_add(sending->encoder, data, len, emit, sending);
}

static int reread(struct server *s, struct file *file, struct sending *sending)
{
	struct hist_target *t = s->target;
	int ret;

	if (t->ops->reread_pieces)
		return t->ops->reread_pieces(t, file->handle, take_piece, sending);
	ret = t->ops->reread(t, file->handle, &s->buf);
	return ret ? ret : take_piece(sending, s->buf.data, s->buf.len);
}

static int serve_reread(struct server *s, struct wire_reader *r)
{
	uint32_t number = wire_get_u32(r);
	bool whole = wire_get_u8(r);
	struct sending sending = { .server = s, .clock = s->text };
	int ret;

	wire_get_text(r, s->text, 32);
	if (!wire_got_all(r))
		return -EPROTO;
	if (number >= SERVE_FILES || !s->files[number].used)
		return done(s, -EBADF);
	sending.encoder = s->files[number].encoder;
	delta_encoder_begin(sending.encoder, whole);
	wire_stream_begin(s->wire, s->tag);
	sending.begin = monotonic();
	ret = reread(s, &s->files[number], &sending);
	/* of an empty file no piece came */
	take_time(&sending);
	if (!ret)
		ret = delta_encoder_end(sending.encoder, emit, &sending);
	if (!sending.wire_error)
		sending.wire_error = wire_stream_end(s->wire);
	if (sending.wire_error)
		return sending.wire_error;
	if (ret)
		return done(s, ret);
	wire_begin(s->wire, s->tag, WIRE_DONE);
	wire_status(s->wire, 0);
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

	if (!wire_got_all(r))
		return -EPROTO;
	if (number >= SERVE_FILES || !s->files[number].used)
		return done(s, -EBADF);
	close_file(s, &s->files[number]);
	return done(s, 0);
}

static int serve_write(struct server *s, struct wire_reader *r)
{
	bool append = wire_get_u8(r);
	const unsigned char *data;
	size_t len;

	wire_get_text(r, s->path, sizeof(s->path));
	data = wire_get_rest(r, &len);
	if (!wire_got_all(r))
		return -EPROTO;
	return done(s, s->target->ops->write(s->target, s->path, (const char *)data, len, append));
}

static int serve_clock(struct server *s, struct wire_reader *r)
{
	uint64_t now = 0;
	int ret;

	wire_get_text(r, s->text, 32);
	if (!wire_got_all(r))
		return -EPROTO;
	ret = s->target->ops->clock(s->target, s->text, NULL, &now);
	wire_begin(s->wire, s->tag, WIRE_DONE);
	wire_status(s->wire, ret);
	wire_u64(s->wire, now);
	return wire_end(s->wire);
}

/* The list begins with the first note, and its journal where there can be one. */
static int begin_list(struct server *s)
{
	struct journal *journal = NULL;

	if (s->undo)
		return 0;
	if (s->journals >= 0 && journal_create(&journal, s->journals))
		journal = NULL;
	s->undo = undo_list_new(s->target, journal);
	if (s->undo)
		return 0;
	if (journal)
		journal_remove(journal);
	journal_close(journal);
	return -ENOMEM;
}

static int serve_note(struct server *s, struct wire_reader *r)
{
	unsigned int type = wire_get_u8(r);
	int ret;

	wire_get_text(r, s->path, sizeof(s->path));
	wire_get_text(r, s->text, sizeof(s->text));
	if (!wire_got_all(r))
		return -EPROTO;
	if (type > NOTE_VALUE)
		return done(s, -EINVAL);
	ret = begin_list(s);
	if (!ret)
		ret = undo_list_note(s->undo, type, s->path,
				     type == NOTE_INSTANCE ? NULL : s->text);
	return done(s, ret);
}

/* --- what was taken back, as records in the data of the answer --- */

static void put_text(struct wire *w, const char *text)
{
	size_t len = text ? strlen(text) : 0;
	unsigned char number[2] = { len, len >> 8 };

	wire_stream(w, number, 2);
	wire_stream(w, text, len);
}

static void put_error(struct wire *w, int err)
{
	uint32_t n = (uint32_t)wire_error_number(err);
	unsigned char number[4] = { n, n >> 8, n >> 16, n >> 24 };

	wire_stream(w, number, 4);
}

static void put_note(struct wire *w, const struct note *note)
{
	unsigned char type = note->type;

	wire_stream(w, &type, 1);
	put_text(w, note->path);
	put_text(w, note->text);
}

static void tell_success(void *arg, const struct note *note, bool dry_run)
{
	struct server *s = arg;

	(void)dry_run;
	wire_stream(s->wire, &(unsigned char){ WIRE_SUCCESS }, 1);
	put_note(s->wire, note);
}

static void tell_failure(void *arg, const struct note *note, int err)
{
	struct server *s = arg;

	wire_stream(s->wire, &(unsigned char){ WIRE_FAILURE }, 1);
	put_error(s->wire, err);
	put_note(s->wire, note);
}

static void tell_odd(void *arg, const char *journal, int err)
{
	struct server *s = arg;

	wire_stream(s->wire, &(unsigned char){ WIRE_ODD }, 1);
	put_error(s->wire, err);
	put_text(s->wire, journal);
}

static int send_outcome(struct server *s, int status, const struct undo_outcome *outcome)
{
	int ret = wire_stream_end(s->wire);

	if (ret)
		return ret;
	wire_begin(s->wire, s->tag, WIRE_DONE);
	wire_status(s->wire, status);
	wire_u32(s->wire, outcome->removed);
	wire_u32(s->wire, outcome->failed);
	wire_status(s->wire, outcome->first_err);
	return wire_end(s->wire);
}

/* What goes wrong on the wire in between is seen by the end of the answer. */
static int serve_undo(struct server *s)
{
	struct undo_report report = { tell_success, tell_failure, tell_odd, s };
	struct undo_outcome outcome = { 0 };

	wire_stream_begin(s->wire, s->tag);
	if (s->undo)
		undo_list_run(s->undo, &report, &outcome);
	if (!outcome.failed) {
		undo_list_free(s->undo);
		s->undo = NULL;
	}
	return send_outcome(s, 0, &outcome);
}

static int serve_clean(struct server *s, struct wire_reader *r)
{
	struct undo_report report = { tell_success, tell_failure, tell_odd, s };
	struct undo_outcome outcome = { 0 };
	bool dry_run = wire_get_u8(r);
	int ret = 0;

	if (!wire_got_all(r))
		return -EPROTO;
	wire_stream_begin(s->wire, s->tag);
	if (s->journals >= 0)
		ret = undo_list_clean(s->target, s->journals, dry_run, &report, &outcome);
	return send_outcome(s, ret, &outcome);
}

/* Verbs that have a path and nothing else. */
static int serve_path(struct server *s, unsigned int verb, struct wire_reader *r)
{
	const struct hist_target_ops *ops = s->target->ops;

	wire_get_text(r, s->path, sizeof(s->path));
	if (!wire_got_all(r))
		return -EPROTO;
	switch (verb) {
	case WIRE_READ:
		return send_buf(s, ops->read(s->target, s->path, &s->buf));
	case WIRE_OPEN:
		return serve_open(s);
	case WIRE_LIST:
		return send_buf(s, ops->list(s->target, s->path, &s->buf));
	case WIRE_MKDIR:
		return done(s, ops->mkdir(s->target, s->path));
	case WIRE_RMDIR:
		return done(s, ops->rmdir(s->target, s->path));
	case WIRE_EXISTS:
		return done(s, ops->exists(s->target, s->path));
	}
	return -EPROTO;
}

static int serve_request(struct server *s, const struct wire_frame *frame)
{
	struct wire_reader r = { .p = frame->data, .end = frame->data + frame->len };

	s->tag = frame->tag;
	switch (frame->kind) {
	case WIRE_INFO:
		return wire_got_all(&r) ? serve_info(s) : -EPROTO;
	case WIRE_PING:
		return wire_got_all(&r) ? done(s, 0) : -EPROTO;
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
		if (!wire_got_all(&r))
			return -EPROTO;
		return done(s, s->undo ? undo_list_cancel(s->undo) : -ENOENT);
	case WIRE_UNDO:
		return wire_got_all(&r) ? serve_undo(s) : -EPROTO;
	case WIRE_CLEAN:
		return serve_clean(s, &r);
	}
	return serve_path(s, frame->kind, &r);
}

/* "NEWEST OLDEST" behind the line's first word; false when it is something else. */
static bool versions_of(const char *line, uint64_t *newest, uint64_t *oldest)
{
	static const char word[] = "#trace-cmd-hist ";
	char number[WORDS_NUMBER];
	size_t len;

	if (strncmp(line, word, sizeof(word) - 1))
		return false;
	line += sizeof(word) - 1;
	len = strcspn(line, " ");
	if (len >= sizeof(number) || !line[len])
		return false;
	memcpy(number, line, len);
	number[len] = '\0';
	return words_to_number(number, 10, newest) && words_to_number(line + len + 1, 10, oldest);
}

/* Two lines from the host, the second of which is for shells; one from us. */
static int shake_hands(struct wire *w, const char *version, const char *refusal)
{
	char line[WIRE_LINE_MAX], a[WORDS_NUMBER], b[WORDS_NUMBER];
	uint64_t newest, oldest;
	int ret;

	ret = wire_line(w, line);
	if (ret)
		return ret;
	words_number(a, WIRE_NEWEST, 10, 1);
	words_number(b, WIRE_OLDEST, 10, 1);
	if (!versions_of(line, &newest, &oldest))
		return -EPROTO;
	ret = wire_line(w, line);
	if (ret)
		return ret;
	if (!refusal && (newest < WIRE_OLDEST || oldest > WIRE_NEWEST))
		refusal = "the helper on the target speaks another version of the protocol: "
			  "install the same version on both sides";
	words_set(line, sizeof(line), "trace-cmd-hist:", refusal ? "refused " : "helper ",
		  refusal ? refusal : a, refusal ? "" : " ", refusal ? "" : b,
		  refusal ? "" : " ", refusal ? "" : version, "\n", NULL);
	ret = wire_send_text(w, line);
	return ret ? ret : refusal ? -EPROTO : 0;
}

int serve(struct wire *w, struct hist_target *target, int journals, const char *version,
	  unsigned int *left)
{
	struct server *s = calloc(1, sizeof(*s));
	struct undo_outcome outcome = { 0 };
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
	ret = shake_hands(w, version, NULL);
	while (!ret) {
		ret = wire_receive(w, &frame);
		if (!ret)
			ret = serve_request(s, &frame);
	}
	/* an instance with an open file in it cannot be removed */
	for (i = 0; i < SERVE_FILES; i++)
		close_file(s, &s->files[i]);
	if (s->undo)
		undo_list_run(s->undo, NULL, &outcome);
	*left = outcome.failed;
	undo_list_free(s->undo);
	free(s->buf.data);
	free(s);
	return ret == -EPIPE ? 0 : ret;
}

/* --- a program's stdin and stdout --- */

struct stdio {
	int signals;
	int idle_ms;
};

static int stdio_read(void *arg, void *to, size_t len)
{
	ssize_t got = read(0, to, len);

	(void)arg;
	return got < 0 ? -errno : got;
}

static int stdio_write(void *arg, const void *from, size_t len)
{
	ssize_t done = write(1, from, len);

	(void)arg;
	return done < 0 ? -errno : done;
}

static int stdio_wait(void *arg, short events)
{
	const struct stdio *io = arg;
	struct pollfd fds[2] = {
		{ .fd = events == POLLIN ? 0 : 1, .events = events },
		{ .fd = io->signals, .events = POLLIN },
	};
	int n;

	do
		n = poll(fds, 2, io->idle_ms);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (!n)
		return -ETIMEDOUT;
	return fds[1].revents ? -ECANCELED : 0;
}

static int refuse(struct wire *w, const char *version, const char *why)
{
	shake_hands(w, version, why);
	return 2;
}

int serve_stdio(const char *version, unsigned int idle_s, char *why, size_t why_len)
{
	struct stdio io = { .signals = port_signals(), .idle_ms = idle_s * 1000 };
	struct wire_io wire_io = { stdio_read, stdio_write, stdio_wait, &io };
	struct wire *w = wire_new(&wire_io);
	struct hist_target *target;
	char odd[256], number[WORDS_NUMBER];
	unsigned int left;
	int journals, ret;

	if (!w || io.signals < 0) {
		words_set(why, why_len, w ? "signals: not to be had" : "out of memory", NULL);
		free(w);
		return 2;
	}
	ret = confined_new(&target, why, why_len);
	if (ret) {
		ret = refuse(w, version, why);
		free(w);
		close(io.signals);
		return ret;
	}
	/* best effort: without it only a kill leaves something behind */
	journals = journal_dir_open(true, odd, sizeof(odd));
	ret = serve(w, target, journals, version, &left);
	if (journals >= 0)
		close(journals);
	target_free(target);
	free(w);
	close(io.signals);
	words_number(number, left, 10, 1);
	if (left)
		words_set(why, why_len, number,
			  " changes could not be taken back: run trace-cmd hist cleanup", NULL);
	else if (ret == -ETIMEDOUT)
		words_set(why, why_len, "no word from the host for too long: all was taken back",
			  NULL);
	else if (ret == -ECANCELED)
		words_set(why, why_len, "ended by a signal: all was taken back", NULL);
	else if (ret == -EPROTO || ret == -EBADMSG || ret == -EMSGSIZE)
		words_set(why, why_len, "this is not spoken by a trace-cmd hist: see "
			  "trace-cmd-hist-protocol(7)", NULL);
	else if (ret)
		words_set(why, why_len, "connection: ", strerror(-ret), NULL);
	return ret || left ? 2 : 0;
}
