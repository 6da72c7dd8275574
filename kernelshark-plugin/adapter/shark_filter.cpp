// SPDX-License-Identifier: GPL-2.0
/* shark_filter.cpp - filter KernelShark's list and graph to the events of a key */
#include <cstdlib>

#include <QCoreApplication>

#include <libkshark-model.h>
#include <libkshark-plugin.h>
#include <libkshark-tepdata.h>
#include <libkshark.h>

#include "kernelshark-plugin/adapter/shark_filter.hpp"

/* Limits of the hook; only used while apply() reloads the data, in the GUI thread. */
static struct {
	qint64 after, until;
	uint16_t mask;
} hook;

/* The visibility bits that KernelShark clears if an event filter hides an entry. */
static uint16_t eventMask(const kshark_context *context)
{
	return context->filter_mask & ~KS_GRAPH_VIEW_FILTER_MASK;
}

static QByteArray taken(char *text)
{
	const QByteArray copy(text ? text : "");

	free(text);
	return copy;
}

void SharkFilter::hide(kshark_data_stream *, void *, kshark_entry *entry)
{
	if (entry->ts <= hook.after || entry->ts > hook.until)
		entry->visible &= ~hook.mask;
}

/* All advanced filters of a stream. */
static QList<QPair<QByteArray, QByteArray>> filtersOf(kshark_data_stream *stream)
{
	QList<QPair<QByteArray, QByteArray>> filters;
	int *ids;

	if (!kshark_tep_filter_is_set(stream))
		return filters;
	ids = kshark_get_all_event_ids(stream);
	for (int i = 0; ids && i < stream->n_events; i++) {
		const QByteArray text = taken(kshark_tep_filter_make_string(stream, ids[i]));

		if (text.isEmpty())
			continue;
		/*
		 * for an empty filter, libtraceevent prints a word that its parser does
		 * not accept
		 */
		filters.append({ taken(kshark_event_from_id(stream->stream_id, ids[i])),
				 text == "TRUE" ? QByteArray() : text });
	}
	free(ids);
	return filters;
}

static int add(kshark_data_stream *stream, const QByteArray &event, const QByteArray &filter)
{
	const QByteArray text = filter.isEmpty() ? event : event + ":" + filter;

	return kshark_tep_add_filter_str(stream, text.constData());
}

void SharkFilter::restore(const Stream &was)
{
	kshark_context *context = sharkContext();
	kshark_data_stream *stream = context ? kshark_get_data_stream(context, was.id) : nullptr;

	if (!stream || was.file != stream->file || !kshark_is_tep(stream))
		return;
	kshark_tep_filter_reset(stream);
	for (const EventFilter &filter : was.before)
		add(stream, filter.first, filter.second);
}

bool SharkFilter::findStreams(kshark_context *context, const Shark::File &file,
			      const QByteArray &event, QList<Stream> *streams, QString *why)
{
	for (int id : file.streams) {
		kshark_data_stream *stream = kshark_get_data_stream(context, id);
		Stream one;

		if (!stream)
			continue;
		if (!kshark_is_tep(stream)) {
			*why = QCoreApplication::translate("hist",
				"KernelShark can filter by fields only in trace-cmd recordings");
			return false;
		}
		one.id = id;
		one.file = stream->file;
		one.event = kshark_find_event_id(stream, event.constData());
		if (one.event >= 0)
			streams->append(one);
	}
	return true;
}

/* How many events of @streams have all visibility bits of @mask. */
long SharkFilter::countEvents(const kshark_trace_histo *histo, const QList<Stream> &streams,
			      uint16_t mask)
{
	long n = 0;

	for (size_t i = 0; i < histo->data_size; i++)
		for (const Stream &one : streams)
			n += histo->data[i]->stream_id == one.id &&
			     histo->data[i]->event_id == one.event &&
			     (histo->data[i]->visible & mask) == mask;
	return n;
}

/*
 * Set the filter in each stream of @next, which becomes streams_. The streams of a file
 * know the same events, so either all of them accept the filter or none. A stream that
 * does not accept it keeps its previous filter.
 */
bool SharkFilter::setFilter(kshark_context *context, QList<Stream> next, const QByteArray &event,
			    const QByteArray &filter)
{
	for (Stream &one : next) {
		kshark_data_stream *stream = kshark_get_data_stream(context, one.id);
		bool ours = false;

		for (const Stream &was : streams_)
			if (was.id == one.id && was.file == one.file) {
				one.before = was.before;
				ours = true;
			}
		if (!ours)
			one.before = filtersOf(stream);
		if (&one == &next.first() && add(stream, event, filter) < 0)
			return false;
		kshark_tep_filter_reset(stream);
		add(stream, event, filter);
		one.text = taken(kshark_tep_filter_make_string(stream, one.event));
	}
	for (const Stream &was : streams_) {
		bool again = false;

		for (const Stream &one : next)
			again |= was.id == one.id;
		if (!again)
			restore(was);
	}
	streams_ = next;
	return true;
}

/* Reload the data; the hook hides the events outside @after < time <= @until. */
bool SharkFilter::reload(kshark_context *context, qint64 after, qint64 until)
{
	const bool limited = after != INT64_MIN || until != INT64_MAX;
	bool done;

	hook.after = after;
	hook.until = until;
	hook.mask = eventMask(context);
	for (const Stream &one : streams_)
		if (limited)
			kshark_register_event_handler(kshark_get_data_stream(context, one.id),
						      one.event, hide);
	done = parts_->reload();
	for (const Stream &one : streams_) {
		kshark_data_stream *stream = kshark_get_data_stream(context, one.id);

		if (limited && stream)
			kshark_unregister_event_handler(stream, one.event, hide);
	}
	return done;
}

long SharkFilter::apply(const kshark_trace_histo *histo, const Shark::File &file,
			const QString &event, const QString &filter, qint64 after, qint64 until,
			QString *why)
{
	const QByteArray name = event.toUtf8();
	kshark_context *context = sharkContext();
	QList<Stream> next;
	long n;

	if (!context || !histo || !histo->data || file.streams.isEmpty()) {
		clear();
		return 0;
	}
	if (!findStreams(context, file, name, &next, why))
		return -1;
	if (!countEvents(histo, next, 0)) {
		clear();
		return 0;
	}
	if (!eventMask(context)) {
		*why = QCoreApplication::translate("hist",
			"KernelShark applies filters to neither the list nor the graph. Select at "
			"least one of them in its Filter menu");
		return -1;
	}
	if (!setFilter(context, next, name, filter.toUtf8())) {
		*why = QCoreApplication::translate("hist", "KernelShark rejected the filter %1")
			       .arg(filter);
		return -1;
	}
	if (!reload(context, after, until)) {
		*why = QCoreApplication::translate("hist", "this KernelShark does not support "
							   "filters of plugins");
		restoreAll();
		return -1;
	}
	n = countEvents(histo, streams_, hook.mask);
	if (!n)
		clear();
	return n;
}

void SharkFilter::restoreAll()
{
	for (const Stream &one : streams_)
		restore(one);
	streams_.clear();
}

void SharkFilter::clear()
{
	if (!active())
		return;
	restoreAll();
	parts_->reload();
}

bool SharkFilter::gone()
{
	kshark_context *context = sharkContext();

	for (const Stream &one : streams_) {
		kshark_data_stream *stream =
			context ? kshark_get_data_stream(context, one.id) : nullptr;

		if (stream && one.file == stream->file && kshark_is_tep(stream) &&
		    taken(kshark_tep_filter_make_string(stream, one.event)) == one.text)
			continue;
		streams_.clear();
		return true;
	}
	return false;
}
