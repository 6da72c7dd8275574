// SPDX-License-Identifier: GPL-2.0
/*
 * target_remote.c - target operations through a helper at the other end of a wire
 *
 * There is one request at a time. The first failure of the wire is printed on stderr, and all later
 * requests return -ECONNRESET.
 *
 * Invariant: data from the helper is not trusted. Sizes and times are bounded. The CRC of a text
 * that is decoded from differences is checked; if it is wrong, the whole text is requested.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helper/undo/undo_list.h"
#include "helper/wire/text_delta.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "tracecmd/base/message.h"
#include "tracecmd/target/target_clock.h"
#include "tracecmd/target/target_remote.h"

#define MAX_HANDLES 1024

struct handle {
	bool used;
	bool whole; /* the next text must not refer to the previous text */
	uint32_t number; /* the helper's */
	struct text_delta_decoder *decoder;
};

struct remote {
	struct hist_target target;
	struct hist_target_ops ops; /* those that the helper has */
	struct remote_end end;
	uint16_t tag;
	struct target_buf data; /* of an answer's WIRE_MORE frames */
	struct handle *handles;
	int nhandles;
	char clock[32]; /* of the last clock() that the helper answered */
	/* times of the last reread, until clock() returns them */
	bool has_now, has_wall;
	uint64_t now, wall;
	char path[TARGET_PATH_MAX], text[WIRE_TEXT_MAX + 1]; /* of a record */
};

static struct remote *remote_from_target(struct hist_target *t)
{
	return (struct remote *)t; /* its first member */
}

int target_remote_end_lose(struct remote_end *end, int err)
{
	struct hist_error error = { 0 };

	if (!end->lost) {
		end->lost = true;
		end->link.explain(end->link.arg, err, &error);
		message_report(0, &error);
	}
	return -ECONNRESET;
}

void target_remote_end_free(struct remote_end *end)
{
	end->link.free(end->link.arg);
	free(end->wire);
}

static void remote_begin_request(struct remote *r, enum wire_verb verb)
{
	r->has_now = r->has_wall = false;
	wire_begin(r->end.wire, ++r->tag, verb);
}

static int add_data(struct target_buf *buf, const struct wire_frame *frame)
{
	if (frame->len > TARGET_TEXT_MAX - buf->len)
		return -EFBIG;
	return target_buf_append(buf, frame->data, frame->len);
}

/*
 * Send the request that was begun, and wait for the whole answer. @buf gets its data; it is NULL
 * if the answer must not have data. @answer is at the fields after the status, and valid until the
 * next request. Returns the status.
 */
static int remote_send_request(struct remote *r, struct target_buf *buf, struct wire_reader *answer)
{
	struct wire_frame frame;
	int ret;

	*answer = (struct wire_reader){ .p = NULL };
	if (r->end.lost)
		return -ECONNRESET;
	wire_set_deadline(r->end.wire, WIRE_REQUEST_MS);
	ret = wire_end(r->end.wire);
	if (ret == -EMSGSIZE)
		return -E2BIG;
	if (buf) {
		buf->len = 0;
		if (!ret && target_buf_reserve(buf, 1))
			ret = -ENOMEM;
		if (!ret)
			buf->data[0] = '\0';
	}
	while (!ret) {
		ret = wire_receive(r->end.wire, &frame);
		if (ret)
			break;
		if (frame.tag != r->tag) {
			ret = -EBADMSG;
		} else if (frame.kind == WIRE_MORE && frame.len && buf) {
			ret = add_data(buf, &frame);
		} else if (frame.kind == WIRE_DONE) {
			answer->p = frame.data;
			answer->end = frame.data + frame.len;
			answer->bad = false;
			ret = wire_get_status(answer);
			return answer->bad ? target_remote_end_lose(&r->end, -EBADMSG) : ret;
		} else {
			ret = -EBADMSG;
		}
	}
	return target_remote_end_lose(&r->end, ret);
}

/* Send a request whose answer is a status, and data in @buf if it is not NULL. */
static int remote_request_status(struct remote *r, struct target_buf *buf)
{
	struct wire_reader answer;
	int ret = remote_send_request(r, buf, &answer);

	return r->end.lost || wire_is_at_end(&answer) ? ret
						      : target_remote_end_lose(&r->end, -EBADMSG);
}

static int remote_request_path(struct hist_target *t, enum wire_verb verb, const char *path,
			       struct target_buf *buf)
{
	struct remote *r = remote_from_target(t);

	if (!target_path_is_valid(path) && (verb != WIRE_READ || !target_path_is_machine(path)))
		return -EINVAL;
	remote_begin_request(r, verb);
	wire_text(r->end.wire, path);
	return remote_request_status(r, buf);
}

static int remote_read(struct hist_target *t, const char *path, struct target_buf *buf)
{
	return remote_request_path(t, WIRE_READ, path, buf);
}

static int remote_list(struct hist_target *t, const char *path, struct target_buf *buf)
{
	int ret = remote_request_path(t, WIRE_LIST, path, buf);

	/* each name ends with a NUL */
	if (!ret && buf->len && buf->data[buf->len - 1])
		ret = target_remote_end_lose(&remote_from_target(t)->end, -EBADMSG);
	return ret;
}

static int remote_mkdir(struct hist_target *t, const char *path)
{
	return remote_request_path(t, WIRE_MKDIR, path, NULL);
}

static int remote_rmdir(struct hist_target *t, const char *path)
{
	return remote_request_path(t, WIRE_RMDIR, path, NULL);
}

static int remote_exists(struct hist_target *t, const char *path)
{
	return remote_request_path(t, WIRE_EXISTS, path, NULL);
}

static int remote_write(struct hist_target *t, const char *path, const char *data, size_t len,
			bool append)
{
	struct remote *r = remote_from_target(t);

	if (!target_path_is_valid(path) || (!append && target_truncation_harms(path)))
		return -EINVAL;
	remote_begin_request(r, WIRE_WRITE);
	wire_u8(r->end.wire, append);
	wire_text(r->end.wire, path);
	wire_bytes(r->end.wire, data, len);
	return remote_request_status(r, NULL);
}

static struct handle *free_handle(struct remote *r)
{
	int i;

	for (i = 0; i < r->nhandles; i++) {
		if (!r->handles[i].used)
			return &r->handles[i];
	}
	if (r->nhandles == MAX_HANDLES)
		return NULL;
	if (array_add(&r->handles, r->nhandles, sizeof(*r->handles)))
		return NULL;
	return memset(&r->handles[r->nhandles++], 0, sizeof(*r->handles));
}

static int remote_open(struct hist_target *t, const char *path, int *handle)
{
	struct remote *r = remote_from_target(t);
	struct handle *h = free_handle(r);
	struct wire_reader answer;
	int ret;

	if (!target_path_is_valid(path))
		return -EINVAL;
	if (!h)
		return -EMFILE;
	h->decoder = text_delta_decoder_new();
	if (!h->decoder)
		return -ENOMEM;
	remote_begin_request(r, WIRE_OPEN);
	wire_text(r->end.wire, path);
	ret = remote_send_request(r, NULL, &answer);
	if (!ret) {
		h->number = wire_get_u32(&answer);
		if (!wire_is_at_end(&answer))
			ret = target_remote_end_lose(&r->end, -EBADMSG);
	}
	if (ret) {
		text_delta_decoder_free(h->decoder);
		return ret;
	}
	h->used = true;
	h->whole = true;
	*handle = h - r->handles;
	return 0;
}

static void remote_close(struct hist_target *t, int handle)
{
	struct remote *r = remote_from_target(t);
	struct handle *h = &r->handles[handle];

	remote_begin_request(r, WIRE_CLOSE);
	wire_u32(r->end.wire, h->number);
	remote_request_status(r, NULL);
	text_delta_decoder_free(h->decoder);
	h->used = false;
}

/* -EILSEQ: the decoded text is not the text of the target. */
static int reread_once(struct remote *r, struct handle *h, struct target_buf *buf)
{
	struct wire_reader answer;
	uint64_t len, read_ns, now, wall;
	uint32_t crc;
	const char *text;
	size_t text_len;
	int ret, clock_status;

	remote_begin_request(r, WIRE_REREAD);
	wire_u32(r->end.wire, h->number);
	wire_u8(r->end.wire, h->whole);
	wire_text(r->end.wire, r->clock);
	if (h->whole)
		text_delta_decoder_forget(h->decoder);
	/* until this reread has succeeded */
	h->whole = true;
	ret = remote_send_request(r, &r->data, &answer);
	if (ret)
		return ret;
	crc = wire_get_u32(&answer);
	len = wire_get_u64(&answer);
	read_ns = wire_get_u64(&answer);
	clock_status = wire_get_status(&answer);
	now = wire_get_u64(&answer);
	wall = wire_get_u64(&answer);
	if (!wire_is_at_end(&answer) || len > TARGET_TEXT_MAX)
		return target_remote_end_lose(&r->end, -EBADMSG);
	ret = text_delta_decoder_apply(h->decoder, r->data.data, r->data.len, len, &text,
				       &text_len);
	if (ret == -ENOMEM)
		return ret;
	if (ret || text_len != len || wire_crc32(0, text, len) != crc)
		return -EILSEQ;
	ret = target_buf_reserve(buf, len + 1);
	if (ret)
		return ret;
	memcpy(buf->data, text, len + 1);
	buf->len = len;
	h->whole = false;
	r->target.reread_ns = read_ns ? read_ns : 1;
	r->has_now = *r->clock && !clock_status;
	r->now = now;
	r->has_wall = wall != 0;
	r->wall = wall;
	return 0;
}

static int remote_reread(struct hist_target *t, int handle, struct target_buf *buf)
{
	struct remote *r = remote_from_target(t);
	int ret = reread_once(r, &r->handles[handle], buf);

	if (ret == -EILSEQ)
		ret = reread_once(r, &r->handles[handle], buf);
	return ret == -EILSEQ ? target_remote_end_lose(&r->end, -EBADMSG) : ret;
}

static int remote_request_clock(struct remote *r, const char *clock, uint64_t *now)
{
	struct wire_reader answer;
	int ret;

	remote_begin_request(r, WIRE_CLOCK);
	wire_text(r->end.wire, clock);
	ret = remote_send_request(r, NULL, &answer);
	if (r->end.lost)
		return ret;
	*now = wire_get_u64(&answer);
	return wire_is_at_end(&answer) ? ret : target_remote_end_lose(&r->end, -EBADMSG);
}

static int remote_clock(struct hist_target *t, const char *clock, const char *instance,
			uint64_t *now)
{
	struct remote *r = remote_from_target(t);
	int ret;

	if (!strcmp(clock, "realtime") && r->has_wall) {
		*now = r->wall;
		r->has_wall = false;
		return 0;
	}
	if (!strcmp(clock, r->clock) && r->has_now) {
		*now = r->now;
		r->has_now = false;
		return 0;
	}
	if (strlen(clock) >= sizeof(r->clock))
		return -ENOTSUP;
	ret = remote_request_clock(r, clock, now);
	if (!ret && strcmp(clock, "realtime"))
		snprintf(r->clock, sizeof(r->clock), "%s", clock);
	if (ret == -ENOTSUP && instance)
		ret = target_read_marked_clock(t, clock, instance, now);
	return ret;
}

static int remote_note(struct hist_target *t, int type, const char *path, const char *text)
{
	struct remote *r = remote_from_target(t);

	if (!target_path_is_valid(path))
		return -EINVAL;
	remote_begin_request(r, WIRE_NOTE);
	wire_u8(r->end.wire, type);
	wire_text(r->end.wire, path);
	wire_text(r->end.wire, text);
	return remote_request_status(r, NULL);
}

static int remote_cancel(struct hist_target *t)
{
	struct remote *r = remote_from_target(t);

	remote_begin_request(r, WIRE_CANCEL);
	return remote_request_status(r, NULL);
}

/* Report one record; false if it is invalid. */
static bool remote_report_record(struct remote *r, struct wire_reader *records, bool dry_run,
				 const struct undo_report *report)
{
	struct undo_note note = { .path = r->path };
	unsigned int kind = wire_get_u8(records);
	int err = kind == WIRE_SUCCESS ? 0 : wire_get_status(records);

	if (kind == WIRE_ODD) {
		wire_get_text(records, r->path, sizeof(r->path));
		if (!records->bad && report && report->odd)
			report->odd(report->arg, r->path, err);
		return !records->bad;
	}
	note.type = wire_get_u8(records);
	wire_get_text(records, r->path, sizeof(r->path));
	wire_get_text(records, r->text, sizeof(r->text));
	if (records->bad || kind > WIRE_ODD || note.type > UNDO_NOTE_VALUE)
		return false;
	note.text = note.type == UNDO_NOTE_INSTANCE ? NULL : r->text;
	if (kind == WIRE_SUCCESS && report && report->success)
		report->success(report->arg, &note, dry_run);
	else if (kind == WIRE_FAILURE && report && report->failure)
		report->failure(report->arg, &note, err);
	return true;
}

static int remote_request_outcome(struct remote *r, bool dry_run, const struct undo_report *report,
				  struct undo_outcome *outcome)
{
	struct wire_reader answer, records;
	int ret = remote_send_request(r, &r->data, &answer);

	if (r->end.lost)
		return ret;
	outcome->removed += wire_get_u32(&answer);
	outcome->failed += wire_get_u32(&answer);
	outcome->first_err = wire_get_status(&answer);
	if (!wire_is_at_end(&answer))
		return target_remote_end_lose(&r->end, -EBADMSG);
	records.p = (unsigned char *)r->data.data;
	records.end = records.p + r->data.len;
	records.bad = false;
	while (records.p < records.end) {
		if (!remote_report_record(r, &records, dry_run, report))
			return target_remote_end_lose(&r->end, -EBADMSG);
	}
	return ret;
}

static int remote_undo(struct hist_target *t, const struct undo_report *report,
		       struct undo_outcome *outcome)
{
	struct remote *r = remote_from_target(t);

	remote_begin_request(r, WIRE_UNDO);
	return remote_request_outcome(r, false, report, outcome);
}

static int remote_clean(struct hist_target *t, bool dry_run, const struct undo_report *report,
			struct undo_outcome *outcome)
{
	struct remote *r = remote_from_target(t);

	remote_begin_request(r, WIRE_CLEAN);
	wire_u8(r->end.wire, dry_run);
	return remote_request_outcome(r, dry_run, report, outcome);
}

/* Pages are whole: a helper that sends a part of one is damaged. */
static int remote_pages(struct hist_target *t, const char *path, size_t most,
			struct target_buf *buf)
{
	struct remote *r = remote_from_target(t);
	int ret;

	if (!target_path_is_valid(path) || !target_path_has_pages(path))
		return -EINVAL;
	remote_begin_request(r, WIRE_PAGES);
	wire_u32(r->end.wire, most < TARGET_TEXT_MAX ? most : TARGET_TEXT_MAX);
	wire_text(r->end.wire, path);
	ret = remote_request_status(r, buf);
	return ret || !(buf->len % t->page_size) ? ret : target_remote_end_lose(&r->end, -EBADMSG);
}

static int remote_tasks(struct hist_target *t, const char *cgroup, struct target_buf *buf)
{
	struct remote *r = remote_from_target(t);

	if (cgroup && (!*cgroup || strlen(cgroup) >= TARGET_PATH_MAX))
		return -EINVAL;
	remote_begin_request(r, WIRE_TASKS);
	wire_text(r->end.wire, cgroup);
	return remote_request_status(r, buf);
}

static int remote_ping(struct hist_target *t)
{
	struct remote *r = remote_from_target(t);

	remote_begin_request(r, WIRE_PING);
	return remote_request_status(r, NULL);
}

static void remote_free(struct hist_target *t)
{
	struct remote *r = remote_from_target(t);
	int i;

	for (i = 0; i < r->nhandles; i++) {
		if (r->handles[i].used)
			text_delta_decoder_free(r->handles[i].decoder);
	}
	free(r->handles);
	target_remote_end_free(&r->end);
	free(r->data.data);
	free(t->uname);
	free(t->host);
	free(r);
}

static const struct hist_target_ops remote_ops = {
	.read = remote_read,
	.open = remote_open,
	.reread = remote_reread,
	.close = remote_close,
	.write = remote_write,
	.list = remote_list,
	.mkdir = remote_mkdir,
	.rmdir = remote_rmdir,
	.exists = remote_exists,
	.clock = remote_clock,
	.note = remote_note,
	.cancel = remote_cancel,
	.take_back = remote_undo,
	.clean = remote_clean,
	.ping = remote_ping,
	.pages = remote_pages,
	.tasks = remote_tasks,
	.free = remote_free,
};

static int remote_read_info(struct remote *r)
{
	struct hist_target *t = &r->target;
	struct wire_reader answer;
	int ret;

	remote_begin_request(r, WIRE_INFO);
	ret = remote_send_request(r, NULL, &answer);
	if (ret)
		return ret;
	t->cpus = wire_get_u32(&answer);
	t->page_size = wire_get_u32(&answer);
	t->long_size = wire_get_u8(&answer);
	t->big_endian = wire_get_u8(&answer);
	wire_get_u8(&answer); /* whether there is a journal */
	wire_get_text(&answer, r->path, sizeof(r->path));
	wire_get_text(&answer, r->text, sizeof(r->text));
	/* these numbers are written to files, which have limits for them */
	if (!wire_is_at_end(&answer) || !t->cpus || t->cpus > TARGET_CPUS_MAX ||
	    t->page_size < 4096 || t->page_size > (1u << 20) ||
	    (t->long_size != 4 && t->long_size != 8))
		return target_remote_end_lose(&r->end, -EBADMSG);
	t->uname = strdup(r->path);
	t->host = strdup(r->text);
	return t->uname && t->host ? 0 : -ENOMEM;
}

int target_remote_new(struct hist_target **target, struct wire *w, unsigned int version,
		      const struct remote_link *link, struct hist_error *error)
{
	struct remote_end end = { .wire = w, .link = *link };
	struct remote *r = calloc(1, sizeof(*r));
	int ret;

	if (!r) {
		target_remote_end_free(&end);
		return hist_error_set(error, -ENOMEM, "out of memory");
	}
	r->ops = remote_ops;
	if (version < WIRE_WITH_PAGES)
		r->ops.pages = NULL;
	r->target.ops = &r->ops;
	r->end = end;
	ret = remote_read_info(r);
	if (ret) {
		hist_error_set(error, ret, "the target: %s", strerror(-ret));
		remote_free(&r->target);
		return ret;
	}
	*target = &r->target;
	return 0;
}
