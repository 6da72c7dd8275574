// SPDX-License-Identifier: GPL-2.0
/*
 * listener_sink.c - the recording that goes to a listener while it is made
 *
 * Invariant: an interval is sent with all its histograms or with none, so that
 * its number means the same for each of them.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "tracecmd/base/command.h"
#include "tracecmd/base/signals.h"
#include "tracecmd/output/listener_sink.h"

/*
 * Memory for a link that stalls: no interval is begun beyond it.  One that is
 * begun is sent whole.
 */
#define STREAM_ROOM (4u << 20)

int stream_open(struct stream *s, const char *address)
{
	char why[256];
	int ret;

	memset(s, 0, sizeof(*s));
	ret = push_open(&s->push, address, why, sizeof(why));
	if (ret)
		complain("-N %s: %s", address, why);
	else
		s->address = address;
	return ret;
}

/* What went wrong, once. */
static int lose(struct stream *s, int ret)
{
	const char *trouble;

	if (s->lost)
		return ret;
	s->lost = true;
	trouble = push_trouble(s->push);
	complain("-N %s: the link is lost: %s: the file there has what arrived before",
		 s->address, trouble ? trouble : strerror(-ret));
	return ret;
}

int stream_begin(struct stream *s, const struct tracedat_contents *contents)
{
	unsigned char alive[HIST_SERIES_ALIVE_SIZE];
	char why[256];
	int ret;

	if (!s->address)
		return 0;
	ret = push_start(s->push, contents->machine.page_size, why, sizeof(why));
	if (ret) {
		complain("-N %s: %s", s->address, why);
		return ret;
	}
	ret = tracedat_create_to(&s->dat, push_sink(s->push), contents);
	if (!ret)
		ret = hist_series_writer_new(&s->series, s->dat);
	if (ret)
		return lose(s, ret);
	hist_series_alive(s->series, alive);
	push_alive(s->push, alive, sizeof(alive));
	return 0;
}

int stream_define(struct stream *s, const struct hist_definition *def, struct hist_table *table)
{
	int number;

	if (!s->address)
		return 0;
	number = hist_series_define(s->series, def, table);
	return number < 0 ? complain_errno(s->address, number) : number;
}

void stream_interval(struct stream *s, bool last)
{
	if (!s->address || s->lost)
		return;
	s->skip = !last && !push_has_room(s->push, STREAM_ROOM);
	s->skipped += s->skip;
}

int stream_add(struct stream *s, int hist, const struct hist_snapshot *snap)
{
	struct hist_snapshot copy = *snap;
	int ret;

	if (!s->address || s->skip)
		return 0;
	if (s->lost)
		return -EPIPE;
	copy.seq -= s->skipped;
	copy.missed += s->skipped;
	ret = hist_series_add(s->series, hist, &copy);
	return ret ? lose(s, ret) : 0;
}

int stream_fd(const struct stream *s)
{
	return s->address && !s->lost ? push_fd(s->push) : -1;
}

int stream_check(struct stream *s)
{
	if (!s->address)
		return 0;
	return s->lost || push_trouble(s->push) ? lose(s, -EPIPE) : 0;
}

int stream_end(struct stream *s)
{
	int ret;

	if (!s->address)
		return 0;
	ret = s->lost ? -EPIPE : hist_series_finish(s->series);
	return ret ? lose(s, ret) : 0;
}

int stream_finish(struct stream *s, int signals)
{
	bool forward;
	int ret;

	if (!s->address)
		return 0;
	if (s->skipped)
		complain("-N %s: %" PRIu64 " snapshots were left out there, as the link was too slow: "
			 "use a longer interval", s->address, s->skipped);
	do
		ret = s->lost ? -EPIPE : push_finish(s->push, signals);
	while (ret == -EINTR && !signals_ending(signals, &forward) && signals_patience(-1));
	if (ret == -EINTR || ret == -ETIMEDOUT)
		complain("-N %s: %s: at least %" PRIu64 " bytes have not arrived", s->address,
			 ret == -EINTR ? "a signal came before the end was sent" :
					 "the link stands still", push_unsent(s->push));
	else if (ret)
		lose(s, ret);
	return ret;
}

void stream_clear(struct stream *s)
{
	hist_series_writer_free(s->series);
	tracedat_writer_free(s->dat);
	push_free(s->push);
	memset(s, 0, sizeof(*s));
}
