// SPDX-License-Identifier: GPL-2.0
/* shark_window.cpp - implementation of the Shark interface for KernelShark */
#include <algorithm>
#include <cstdlib>
#include <vector>

#include <QCoreApplication>
#include <QDockWidget>
#include <QEvent>
#include <QFileInfo>
#include <QResizeEvent>

#include <KsPlugins.hpp>
#include <libkshark-model.h>
#include <libkshark-plugin.h>
#include <libkshark.h>

#include "kernelshark-plugin/adapter/shark_window.hpp"

enum { WAIT_MS = 50 }; /* interval of the checks whether a file is still being loaded */

static QString pathOf(const kshark_data_stream *stream)
{
	if (!stream || !stream->file)
		return QString();
	return QFileInfo(QString::fromLocal8Bit(stream->file)).absoluteFilePath();
}

KernelShark::KernelShark(QMainWindow *window, IsThis isThis)
	: Shark(window), parts_(window), isThis_(isThis), markers_(&parts_), filter_(&parts_)
{
	kshark_context *context = sharkContext();

	timer_.setSingleShot(true);
	connect(&timer_, &QTimer::timeout, this, &KernelShark::look);
	connect(&markers_, &SharkMarkers::touched, this, [this] { timer_.start(0); });
	if (parts_.graph)
		parts_.graph->installEventFilter(this);
	if (parts_.main)
		parts_.main->installEventFilter(this);
	/*
	 * Tools > Add plugins asks the user for which open streams the plugin is
	 * enabled, and then initializes it for those. A stream that is not initialized
	 * before the first look() is not selected.
	 */
	if (!busy() && context)
		for (const kshark_data_stream *stream : sharkStreams(context))
			others_.insert(stream->stream_id, pathOf(stream));
	timer_.start(0);
}

void KernelShark::end()
{
	if (ended_)
		return;
	ended_ = true;
	delete cursor_;
	delete band_;
	timer_.stop();
	if (parts_.graph)
		parts_.graph->removeEventFilter(this);
	if (parts_.main)
		parts_.main->removeEventFilter(this);
	histo_ = nullptr;
	emit closing();
}

bool KernelShark::busy()
{
	return SharkParts::loading();
}

void KernelShark::streamsChanged(const QString &path)
{
	if (!path.isEmpty())
		opened_ = QFileInfo(path).absoluteFilePath();
	reopened_ = true;
	if (!ended_)
		timer_.start(0);
}

void KernelShark::drawn(const KsCppArgV *arguments)
{
	const KsPlot::Graph *graph = arguments->_graph;

	if (ended_)
		return;
	histo_ = arguments->_histo;
	if (graph && graph->size() > 0) {
		/* a bin is one pixel wide; the width of a graph's label varies */
		const int left = graph->bin(0)._base.x();
		const int right = graph->bin(graph->size() - 1)._base.x() + 1;

		if (left != left_ || right != right_) {
			left_ = left;
			right_ = right;
			moved_ = true;
		}
	}
	timer_.start(0);
}

/*
 * While KernelShark loads a file, its loader thread frees the data of the graph, and
 * the window still handles events. A repaint of the graph at this time, for example
 * when the file dialog closes, reads freed memory and sometimes crashes KernelShark.
 * Therefore the graph does not get such events until the load is complete.
 */
bool KernelShark::holdBack(QEvent::Type type)
{
	static const QList<QEvent::Type> held{
		QEvent::Paint, QEvent::Resize, QEvent::MouseButtonPress, QEvent::MouseButtonRelease,
		QEvent::MouseButtonDblClick, QEvent::MouseMove, QEvent::Wheel, QEvent::KeyPress,
		QEvent::KeyRelease,
	};

	if (!held.contains(type) || !busy())
		return false;
	unpainted_ |= type == QEvent::Paint;
	unsized_ |= type == QEvent::Resize;
	return true;
}

/* Deliver the events that were held back and are still necessary. */
void KernelShark::letGo()
{
	if (unsized_ && parts_.graph) {
		QResizeEvent event(parts_.graph->size(), parts_.graph->size());

		unsized_ = unpainted_ = false;
		QCoreApplication::sendEvent(parts_.graph, &event);
		/*
		 * The number of bins depends on the width of the labels. The labels are
		 * measured by a repaint, and the number is updated by a resize.
		 * Therefore resize again after the repaint.
		 */
		parts_.graph->repaint();
		QCoreApplication::sendEvent(parts_.graph, &event);
	}
	if (unpainted_)
		repaint();
	unpainted_ = false;
}

bool KernelShark::eventFilter(QObject *object, QEvent *event)
{
	if (object != parts_.graph) {
		/* a message is created, and shown */
		if (event->type() == QEvent::ChildAdded || event->type() == QEvent::WindowBlocked)
			timer_.start(0);
		return Shark::eventFilter(object, event);
	}
	switch (event->type()) {
	case QEvent::Move:
	case QEvent::Resize:
	case QEvent::Show:
		moved_ = true;
		timer_.start(0);
		break;
	case QEvent::Paint:
		timer_.start(0);
		break;
	default:
		break;
	}
	return holdBack(event->type()) || Shark::eventFilter(object, event);
}

/*
 * KernelShark initializes user plugins for the streams of File > Open, but not for
 * those of File > Append. False if KernelShark's list does not contain this plugin any
 * more.
 */
bool KernelShark::lookAtPlugin(kshark_context *context)
{
	kshark_plugin_list *plugin = context->plugins;
	kshark_dpi *own = nullptr;
	bool added = false;

	for (; plugin && !own; plugin = plugin->next)
		if (plugin->process_interface && isThis_(plugin->process_interface))
			own = plugin->process_interface;
	if (!own)
		return false;

	for (kshark_data_stream *stream : sharkStreams(context)) {
		const int id = stream->stream_id;
		kshark_dpi_list *of = stream->plugins;

		while (of && !isThis_(of->interface))
			of = of->next;
		if (of)
			others_.remove(id);
		if (of || others_.value(id) == pathOf(stream))
			continue;
		of = kshark_register_plugin_to_stream(stream, own, true);
		if (of && kshark_handle_dpi(stream, of, KSHARK_PLUGIN_INIT) > 0)
			added = true;
	}
	if (added)
		repaint();
	return true;
}

static qint64 offsetOf(const kshark_data_stream *stream)
{
	int64_t time = 0;

	if (stream->calib && stream->calib_array)
		stream->calib(&time, stream->calib_array);
	return time;
}

void KernelShark::lookAtFiles(kshark_context *context)
{
	QMap<int, Seen> now;

	for (const kshark_data_stream *stream : sharkStreams(context))
		now.insert(stream->stream_id, { pathOf(stream), offsetOf(stream) });
	if (now.isEmpty())
		others_.clear();
	if (now == streams_ && !reopened_)
		return;
	streams_ = now;
	reopened_ = false;
	emit filesChanged();
}

/* KernelShark refuses a file with damaged formats of events; its histograms may be intact. */
void KernelShark::lookAtRefusal()
{
	const QString path = SharkParts::refused();

	if (path.isEmpty() || path == opened_)
		return;
	opened_ = path;
	reopened_ = true;
}

/* Detect changes since the last call; shark_window.hpp describes the method. */
void KernelShark::look()
{
	kshark_context *context;
	qint64 from = 0, to = -1;

	if (ended_)
		return;
	lookAtRefusal();
	if (busy()) {
		timer_.start(WAIT_MS);
		return;
	}
	letGo();
	context = sharkContext();
	if (!context)
		return;
	if (!lookAtPlugin(context)) {
		emit unloaded();
		return;
	}
	lookAtFiles(context);
	if (filter_.gone())
		emit filterChanged();
	if (!window(&from, &to)) {
		from = 0;
		to = -1;
	}
	if (from != from_ || to != to_) {
		from_ = from;
		to_ = to;
		emit windowChanged(from, to);
	}
	if (markers_.update(data()))
		emit markersChanged();
	placeBand();
	if (moved_) {
		moved_ = false;
		emit graphMoved();
	}
}

/*
 * KernelShark can set different offsets for the streams of one file: Append and Add
 * Time Offset change a single stream, which may be a buffer without events. This
 * function returns the offset of the stream with the file's first event.
 */
qint64 KernelShark::offsetOfEvents(const File &file) const
{
	const kshark_trace_histo *histo = data();
	bool differ = false;

	for (int id : file.streams)
		differ |= streams_[id].offset != file.offset;
	for (size_t i = 0; differ && histo && i < histo->data_size; i++)
		if (file.streams.contains(histo->data[i]->stream_id))
			return streams_[histo->data[i]->stream_id].offset;
	return file.offset;
}

QList<Shark::File> KernelShark::files()
{
	QList<File> files;

	for (auto it = streams_.constBegin(); it != streams_.constEnd(); ++it) {
		auto same = [&](const File &file) { return file.path == it->path; };
		auto at = std::find_if(files.begin(), files.end(), same);

		if (at == files.end()) {
			File file;

			file.path = it->path;
			file.offset = it->offset;
			at = files.insert(files.end(), file);
		}
		at->streams.append(it.key());
	}
	for (File &file : files)
		file.offset = offsetOfEvents(file);
	/* KernelShark does not keep files without events, but their histograms are available. */
	auto has = [&](const File &file) { return file.path == opened_; };

	if (!opened_.isEmpty() && std::none_of(files.begin(), files.end(), has)) {
		File file;

		file.path = opened_;
		files.append(file);
	}
	return files;
}

/* The data of the graph, if there is any; not valid while a file is being loaded. */
const kshark_trace_histo *KernelShark::data() const
{
	return histo_ && histo_->data && histo_->data_size && histo_->n_bins > 0 ? histo_ : nullptr;
}

bool KernelShark::window(qint64 *from, qint64 *to)
{
	const kshark_trace_histo *histo = busy() ? nullptr : data();

	if (!histo)
		return false;
	*from = histo->min;
	*to = histo->max;
	return true;
}

bool KernelShark::isZoomedOut()
{
	const kshark_trace_histo *histo = busy() ? nullptr : data();

	return histo && histo->min <= histo->data[0]->ts &&
	       histo->max >= histo->data[histo->data_size - 1]->ts;
}

void KernelShark::setWindow(qint64 from, qint64 to)
{
	kshark_trace_histo *histo = busy() ? nullptr : const_cast<kshark_trace_histo *>(data());
	qint64 first, last;
	size_t row;

	if (!histo || !parts_.graph)
		return;
	/* the model aborts the program if all of its data is before or after the range */
	first = histo->data[0]->ts;
	last = histo->data[histo->data_size - 1]->ts;
	if (from > to)
		std::swap(from, to);
	from = std::min(std::max(from, first), last);
	to = std::min(std::max(to, from), last);
	ksmodel_set_bining(histo, size_t(histo->n_bins), from, to);
	ksmodel_fill(histo, histo->data, histo->data_size);
	row = sharkRowAt(histo, from);
	if (row < histo->data_size && histo->data[row]->ts <= to)
		parts_.showRow(row);
	repaint();
	timer_.start(0);
}

void KernelShark::repaint()
{
	if (parts_.graph)
		parts_.graph->update();
}

bool KernelShark::graphSpan(QWidget *of, int *left, int *right)
{
	const QWidget *graph = parts_.graph;

	if (!graph || right_ <= left_ || !data() || of->window() != graph->window())
		return false;
	*left = of->mapFromGlobal(graph->mapToGlobal(QPoint(left_, 0))).x();
	*right = of->mapFromGlobal(graph->mapToGlobal(QPoint(right_, 0))).x();
	/* not if the panel is next to another one, or at a side of the window */
	while (of && !qobject_cast<QDockWidget *>(of))
		of = of->parentWidget();
	const int from = of ? of->mapFromGlobal(graph->mapToGlobal(QPoint(left_, 0))).x() : 0;

	return !of || (from >= 0 && from + right_ - left_ <= of->width());
}

bool KernelShark::markers(qint64 *a, qint64 *b)
{
	return markers_.times(a, b);
}

int KernelShark::pixelOf(qint64 time) const
{
	const double part = double(time - histo_->min) / double(histo_->max - histo_->min);

	return left_ + int(std::min(std::max(part, 0.0), 1.0) * (right_ - left_ - 1));
}

/* A coloured rectangle over the graph, which gets no events. */
static QWidget *overlay(QWidget *graph, const char *name, const QColor &colour)
{
	QWidget *over = new QWidget(graph);
	QPalette colours;

	over->setObjectName(QLatin1String(name));
	over->setAttribute(Qt::WA_TransparentForMouseEvents);
	over->setAutoFillBackground(true);
	colours.setColor(QPalette::Window, colour);
	over->setPalette(colours);
	return over;
}

void KernelShark::setCursor(bool shown, qint64 time)
{
	const kshark_trace_histo *histo = busy() ? nullptr : data();
	if (!shown || !histo || !parts_.graph || time < histo->min || time > histo->max ||
	    histo->max <= histo->min) {
		if (cursor_)
			cursor_->hide();
		return;
	}
	if (!cursor_)
		cursor_ = overlay(parts_.graph, "hist_cursor", QColor(0xd9, 0x48, 0x0f));
	cursor_->setGeometry(pixelOf(time), 0, 1, parts_.graph->height());
	cursor_->show();
}

void KernelShark::setBand(bool shown, qint64 from, qint64 to)
{
	delete band_;
	if (!shown || !parts_.graph)
		return;
	band_ = overlay(parts_.graph, "hist_band", QColor(0x8a, 0x95, 0xa1, 70));
	band_from_ = from;
	band_to_ = to;
	placeBand();
}

void KernelShark::placeBand()
{
	const kshark_trace_histo *histo = busy() ? nullptr : data();

	if (!band_)
		return;
	if (!histo || band_to_ < histo->min || band_from_ > histo->max ||
	    histo->max <= histo->min) {
		band_->hide();
		return;
	}
	const int left = pixelOf(band_from_), right = pixelOf(band_to_);

	band_->setGeometry(left, 0, right - left + 1, parts_.graph->height());
	band_->show();
}

/*
 * The row of the entry of @streams that is nearest to @time; -1: none. Prefers visible
 * entries to entries that a filter hides from the list.
 */
static ssize_t nearest(const kshark_trace_histo *histo, const QList<int> &streams, qint64 time)
{
	ssize_t best[2] = { -1, -1 }; /* visible, hidden */
	const size_t i = sharkRowAt(histo, time);

	auto take = [&](size_t row) {
		const kshark_entry *entry = histo->data[row];
		ssize_t &to = best[!(entry->visible & KS_TEXT_VIEW_FILTER_MASK)];

		if (!streams.contains(entry->stream_id))
			return false;
		if (to < 0 || std::abs(entry->ts - time) < std::abs(histo->data[to]->ts - time))
			to = ssize_t(row);
		return bool(entry->visible & KS_TEXT_VIEW_FILTER_MASK);
	};
	for (size_t row = i; row < histo->data_size; row++)
		if (take(row))
			break;
	for (size_t row = i; row-- > 0;)
		if (take(row))
			break;
	return best[0] >= 0 ? best[0] : best[1];
}

bool KernelShark::goTo(const File &file, const QString &buffer, qint64 time)
{
	const kshark_trace_histo *histo = busy() ? nullptr : data();
	ssize_t row = -1;

	/* the top-level buffer of a file may be empty: use any buffer then */
	for (const QList<int> &streams : streamsOf(file, buffer))
		if (histo && row < 0)
			row = nearest(histo, streams, time);
	return row >= 0 && parts_.selectRow(size_t(row));
}

QList<QList<int>> KernelShark::streamsOf(const File &file, const QString &name) const
{
	kshark_context *context = sharkContext();
	QList<int> named;

	for (int id : file.streams) {
		const kshark_data_stream *stream =
			context ? kshark_get_data_stream(context, id) : nullptr;

		if (stream && stream->name && QString::fromUtf8(stream->name) == name)
			named.append(id);
	}
	return { named, file.streams };
}

bool KernelShark::mark(const File &file, const QString &buffer, qint64 a, qint64 b)
{
	const kshark_trace_histo *histo = busy() ? nullptr : data();
	const qint64 around = std::max<qint64>((b - a) / 5, 1000);
	ssize_t rows[2] = { -1, -1 };

	if (!histo || !parts_.button[0] || !parts_.button[1])
		return false;
	for (const QList<int> &streams : streamsOf(file, buffer)) {
		if (rows[0] >= 0)
			break;
		rows[0] = nearest(histo, streams, a);
		rows[1] = nearest(histo, streams, b);
	}
	if (rows[0] < 0)
		return false;
	/* first the time: the program moves it if a marker is outside */
	setWindow(a - around, b + around);
	/* A last: it is the active marker then, and the list shows its entry */
	for (int m = 1; m >= 0; m--)
		if (!parts_.activate(m) || !parts_.selectRow(size_t(rows[m])))
			return false;
	return true;
}

long KernelShark::filterEvents(const File &file, const QString &event, const QString &filter,
			       qint64 after, qint64 until, QString *why)
{
	if (busy()) {
		*why = tr("a file is being loaded");
		return -1;
	}
	timer_.start(0);
	return filter_.apply(data(), file, event, filter, after, until, why);
}

QHash<QString, quint64> KernelShark::eventCounts(const File &file)
{
	const kshark_trace_histo *histo = busy() ? nullptr : data();
	QHash<QString, quint64> counts;

	for (int stream : file.streams) {
		/* by number: there can be millions of events */
		std::vector<quint64> ids(UINT16_MAX + 1);

		for (size_t i = 0; histo && i < histo->data_size; i++)
			ids[uint16_t(histo->data[i]->event_id)] +=
				histo->data[i]->stream_id == stream;
		for (size_t id = 0; id < ids.size(); id++) {
			char *name = ids[id] ? kshark_event_from_id(stream, int16_t(id)) : nullptr;

			/* "sched/sched_switch" */
			if (name)
				counts[QString::fromUtf8(name).replace(
					QLatin1Char('/'), QLatin1Char(':'))] += ids[id];
			free(name);
		}
	}
	return counts;
}

void KernelShark::clearFilter()
{
	if (!busy())
		filter_.clear();
	timer_.start(0);
}

bool KernelShark::filtered()
{
	return filter_.active();
}
