// SPDX-License-Identifier: GPL-2.0
/*
 * listener_sink.c - sink that sends the recording to a listener while it is made
 *
 * Invariant: an interval is sent with all of its histograms or with none, so that a sequence number
 * means the same interval for all histograms.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "lib/base/text.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/signals.h"
#include "tracecmd/output/listener_sink.h"

/*
 * Limit of waiting data for a link that stalls. No interval begins above the limit; an interval
 * that has begun is sent completely.
 */
#define STREAM_ROOM (4u << 20)

static struct listener_sink *listener_sink_from_sink(const struct sink *sink)
{
	return (struct listener_sink *)sink;
}

static int listener_connect(struct sink *sink)
{
	struct listener_sink *s = listener_sink_from_sink(sink);
	struct hist_error error = { 0 };
	int ret;

	ret = listener_link_open(&s->push, s->sink.name, &error);
	if (ret)
		message_report_of(ret, &error, "-N %s", s->sink.name);
	return ret;
}

/* Report the loss of the link once. */
static int listener_sink_set_lost(struct listener_sink *s, int ret)
{
	const char *trouble;

	if (s->lost)
		return ret;
	s->lost = true;
	trouble = listener_link_error(s->push);
	return message_refuse(ret, "-N %s: the connection was lost: %s; the listener's file "
			      "contains only the data received until then", s->sink.name,
			      trouble ? trouble :
			      strerror(-ret));
}

static int listener_begin(struct sink *sink, const struct tracedat_contents *contents)
{
	struct listener_sink *s = listener_sink_from_sink(sink);
	unsigned char alive[HIST_SERIES_KEEPALIVE_SIZE];
	struct hist_error error = { 0 };
	int ret;

	ret = listener_link_start(s->push, contents->machine.page_size, &error);
	if (ret)
		return message_report_of(ret, &error, "-N %s", s->sink.name);
	ret = tracedat_create_to(&s->sink.dat, listener_link_sink(s->push), contents);
	if (!ret)
		ret = hist_series_writer_new(&s->sink.series, s->sink.dat);
	if (ret)
		return listener_sink_set_lost(s, ret);
	hist_series_make_keepalive(s->sink.series, alive);
	listener_link_set_keepalive(s->push, alive, sizeof(alive));
	return 0;
}

static int listener_interval(struct sink *sink, bool last)
{
	struct listener_sink *s = listener_sink_from_sink(sink);

	if (s->lost)
		return 0;
	s->skip = !last && !listener_link_has_room(s->push, STREAM_ROOM);
	s->skipped += s->skip;
	return 0;
}

static int listener_add(struct sink *sink, int hist, const struct hist_snapshot *snap)
{
	struct listener_sink *s = listener_sink_from_sink(sink);
	struct hist_snapshot copy = *snap;
	int ret;

	if (s->skip)
		return 0;
	if (s->lost)
		return -EPIPE;
	copy.seq -= s->skipped;
	copy.missed += s->skipped;
	ret = hist_series_add(s->sink.series, hist, &copy);
	return ret ? listener_sink_set_lost(s, ret) : 0;
}

static int listener_fd(const struct sink *sink)
{
	const struct listener_sink *s = listener_sink_from_sink(sink);

	return s->push && !s->lost ? listener_link_fd(s->push) : -1;
}

static int listener_check(struct sink *sink)
{
	struct listener_sink *s = listener_sink_from_sink(sink);

	return s->lost || listener_link_error(s->push) ? listener_sink_set_lost(s, -EPIPE) : 0;
}

static int listener_end(struct sink *sink)
{
	struct listener_sink *s = listener_sink_from_sink(sink);
	int ret;

	ret = s->lost ? -EPIPE : hist_series_finish(s->sink.series);
	return ret ? listener_sink_set_lost(s, ret) : 0;
}

static int listener_finish(struct sink *sink, int signals)
{
	struct listener_sink *s = listener_sink_from_sink(sink);
	bool forward;
	int ret;

	if (s->skipped)
		message_warning("-N %s: %" PRIu64 " snapshot%s not sent because the "
				"connection was too slow\nuse a longer interval",
				s->sink.name, s->skipped, s->skipped == 1 ? " was" : "s were");
	do
		ret = s->lost ? -EPIPE : listener_link_finish(s->push, signals);
	while (ret == -EINTR && !signals_ending(signals, &forward) && signals_patience(-1));
	if (ret == -EINTR || ret == -ETIMEDOUT)
		message_error("-N %s: at least %" PRIu64 " byte%s did not arrive: %s", s->sink.name,
			      listener_link_unsent(s->push),
			      text_plural(listener_link_unsent(s->push)),
			      ret == -EINTR ? "a signal interrupted the transfer" :
			      "the connection is stalled");
	else if (ret)
		listener_sink_set_lost(s, ret);
	return ret;
}

static void listener_clear(struct sink *sink)
{
	struct listener_sink *s = listener_sink_from_sink(sink);

	hist_series_writer_free(s->sink.series);
	tracedat_writer_free(s->sink.dat);
	listener_link_free(s->push);
	memset(s, 0, sizeof(*s));
}

void listener_sink_init(struct listener_sink *l, const char *address)
{
	static const struct sink_ops ops = {
		.phase[SINK_CONNECT] = listener_connect,
		.begin = listener_begin,
		.define = sink_define,
		.interval = listener_interval,
		.add = listener_add,
		.fd = listener_fd,
		.check = listener_check,
		.end = listener_end,
		.finish = listener_finish,
		.clear = listener_clear,
	};

	l->sink.ops = &ops;
	l->sink.name = address;
}
