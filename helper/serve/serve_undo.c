// SPDX-License-Identifier: GPL-2.0
/*
 * serve_undo.c - the verbs that note the changes of a host and undo them
 *
 * The data of the answer contains one record for each change that was undone. An error
 * on the wire while records are sent is detected at the end of the answer.
 */
#include "helper/port/port.h"

#include "helper/serve/serve_parts.h"

/* Create the list with the first note, and its journal if possible. */
static int begin_list(struct server *s)
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

int serve_note(struct server *s, struct wire_reader *r)
{
	unsigned int type = wire_get_u8(r);
	int ret;

	wire_get_text(r, s->path, sizeof(s->path));
	wire_get_text(r, s->text, sizeof(s->text));
	if (!wire_is_at_end(r))
		return -EPROTO;
	if (type > UNDO_NOTE_VALUE)
		return serve_send_status(s, -EINVAL);
	ret = begin_list(s);
	if (!ret)
		ret = undo_list_note(s->undo, type, s->path,
				     type == UNDO_NOTE_INSTANCE ? NULL : s->text);
	return serve_send_status(s, ret);
}

int serve_cancel(struct server *s, struct wire_reader *r)
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

static void put_error(struct wire *w, int err)
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
	put_error(s->wire, err);
	serve_put_note(s->wire, note);
}

static void serve_report_odd(void *arg, const char *journal, int err)
{
	struct server *s = arg;

	wire_stream(s->wire, &(unsigned char){ WIRE_ODD }, 1);
	put_error(s->wire, err);
	serve_put_text(s->wire, journal);
}

static int send_outcome(struct server *s, int status, const struct undo_outcome *outcome)
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

int serve_undo(struct server *s, struct wire_reader *r)
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
	return send_outcome(s, 0, &outcome);
}

int serve_clean(struct server *s, struct wire_reader *r)
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
	return send_outcome(s, ret, &outcome);
}

unsigned int serve_undo_all(struct server *s)
{
	struct undo_outcome outcome = { 0 };

	if (s->undo)
		undo_list_run(s->undo, NULL, &outcome);
	undo_list_free(s->undo);
	s->undo = NULL;
	return outcome.failed;
}
