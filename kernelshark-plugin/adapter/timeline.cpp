// SPDX-License-Identifier: GPL-2.0
/* timeline.cpp - draw a mark in KernelShark's graph for each snapshot */
#include <algorithm>
#include <limits>

#include <QHelpEvent>
#include <QPointer>
#include <QToolTip>

#include <KsPlugins.hpp>
#include <libkshark-model.h>

#include "kernelshark-plugin/adapter/shark_window.hpp"
#include "kernelshark-plugin/adapter/timeline.hpp"
#include "kernelshark-plugin/panel/hist_panel.hpp"
#include "kernelshark-plugin/panel/panel_widgets.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"
#include "lib/base/text.h"

enum {
	WIDTH = 7,  /* pixels of a mark of one snapshot; odd, so that it has a centre */
	HEIGHT = 8,
	GAP = 2,    /* between a mark and the graph below */
	REACH = 2,  /* largest distance between the mouse and a mark */
};

namespace {

/* A wedge that points down at the snapshot; for several snapshots, a bar with two points. */
class SnapshotMark : public KsPlot::Polygon {
public:
	SnapshotMark(Timeline *timeline, const Timeline::Mark &mark, bool warn)
		: Polygon(4), timeline_(timeline), mark_(mark)
	{
		const int left = mark.box.left(), right = mark.box.right();
		const int half = WIDTH / 2;

		setPoint(0, left, mark.box.top());
		setPoint(1, left + half, mark.box.bottom());
		setPoint(2, right - half, mark.box.bottom());
		setPoint(3, right, mark.box.top());
		setFill(true);
		_visible = true;
		_size = 1;
		if (warn)
			_color = { 200, 30, 30 };
		else
			_color = { 40, 90, 170 };
	}

	double distance(int x, int y) const override
	{
		const QRect near = mark_.box.adjusted(-REACH, -REACH, REACH, REACH);

		return near.contains(x, y) ? 0 : std::numeric_limits<double>::max();
	}

private:
	void _doubleClick() const override
	{
		if (timeline_)
			timeline_->open(mark_);
	}

	QPointer<Timeline> timeline_;
	Timeline::Mark mark_;
};

}

Timeline::Timeline(KernelShark *shark, HistPanel *panel, QObject *parent)
	: QObject(parent), shark_(shark), panel_(panel)
{
	auto repaint = [this] { shark_->repaint(); };

	if (shark->graph())
		shark->graph()->installEventFilter(this);
	connect(panel, &HistPanel::chosenChanged, this, repaint);
	connect(panel->recordings(), &Recordings::changed, this, repaint);
	connect(shark, &Shark::closing, this, &Timeline::forget);
}

void Timeline::forget()
{
	marks_.clear();
	plots_.clear();
}

const Recordings::Item *Timeline::fileOf(int stream) const
{
	const QList<Recordings::Item> &items = panel_->recordings()->items();

	for (const Recordings::Item &item : items)
		if (item.file.streams.contains(stream))
			return &item;
	return nullptr;
}


void Timeline::draw(const KsCppArgV *arguments, int stream, int value, int action)
{
	const kshark_trace_histo *histo = arguments->_histo;
	const KsPlot::Graph *graph = arguments->_graph;
	const Recordings::Item *item = fileOf(stream);
	const Plot plot{ stream, value, action };
	QString chosen;
	unsigned int hist = 0;
	int base, bins;

	if (shark_->stale() || !item || !item->recording || !graph || graph->size() <= 0 ||
	    histo->max <= histo->min)
		return;
	/*
	 * only the first graph of a file has marks; if it is the same graph, this is a
	 * new repaint
	 */
	auto had = plots_.constFind(item->file.path);
	if (had != plots_.constEnd() && *had != plot)
		return;
	plots_.insert(item->file.path, plot);
	marks_.erase(std::remove_if(marks_.begin(), marks_.end(), [&](const Mark &mark) {
		return mark.path == item->file.path;
	}), marks_.end());

	if (!panel_->chosen(&chosen, &hist) || chosen != item->file.path)
		hist = 0;
	if (!item->recording->hists[hist].ns)
		return;

	/* times of the file; there are no snapshots before time 0 of its clock */
	const qint64 from = histo->min - item->file.offset, to = histo->max - item->file.offset;
	const recording_snapshot *snapshots = item->recording->hists[hist].snapshots;

	if (to < 0)
		return;
	base = graph->base() - graph->height() - GAP;
	bins = (graph->size() + WIDTH - 1) / WIDTH;
	bins_.resize(size_t(bins));
	time_window_fill_bins(item->recording.get(), hist, uint64_t(std::max<qint64>(from, 0)),
			      uint64_t(to),
			      unsigned(bins), bins_.data());

	const double scale = double(graph->size()) / double(to - from);
	auto pixel = [&](uint32_t index) {
		const double x = double(qint64(snapshots[index].time) - from) * scale;

		return graph->bin(std::min(std::max(int(x), 0), graph->size() - 1))._base.x();
	};
	for (size_t i = 0; i < bins_.size(); i++) {
		int left, right;
		bool warn;

		if (!bins_[i].n)
			continue;
		left = pixel(bins_[i].first);
		right = pixel(bins_[i].first + bins_[i].n - 1);
		if (right < left) /* the clock was set back */
			std::swap(left, right);
		const QRect box(QPoint(left - WIDTH / 2, base - HEIGHT),
				QPoint(right + WIDTH / 2, base));
		const Mark mark{ box,  item->file.path, item->recording,
				 hist, bins_[i].first,	bins_[i].n };
		warn = bins_[i].lost || bins_[i].reset || bins_[i].dropped;
		marks_.push_back(mark);
		arguments->_shapes->push_front(new SnapshotMark(this, mark, warn));
	}
}

QString Timeline::words(const Mark &mark)
{
	const recording *r = mark.recording.get();
	TextBuffer text;

	hist_strbuf_printf(text, "%s\n", r->hists[mark.hist].name);
	time_window_describe_snapshot(text, r, mark.hist, mark.first);
	if (mark.n > 1) {
		hist_strbuf_char(text, '\n');
		if (mark.n > 2)
			hist_strbuf_printf(text, "(%u snapshot%s between them)\n", mark.n - 2,
					   text_plural(mark.n - 2));
		time_window_describe_snapshot(text, r, mark.hist, mark.first + mark.n - 1);
	}
	return text.text();
}

void Timeline::open(const Mark &mark)
{
	const recorded_hist &recorded = mark.recording->hists[mark.hist];
	const quint32 seq = mark.first < recorded.n ? recorded.snapshots[mark.first].seq : 0;
	const QString path = mark.path;
	const unsigned int hist = mark.hist;

	QMetaObject::invokeMethod(this, [this, path, hist, seq] {
		panel_->showSnapshot(path, hist, seq);
	}, Qt::QueuedConnection);
}

bool Timeline::eventFilter(QObject *object, QEvent *event)
{
	if (event->type() == QEvent::Paint)
		plots_.clear();
	if (event->type() == QEvent::ToolTip) {
		const QHelpEvent *help = static_cast<QHelpEvent *>(event);

		for (const Mark &mark : marks_) {
			const QRect near = mark.box.adjusted(-REACH, -REACH, REACH, REACH);

			if (!near.contains(help->pos()))
				continue;
			QToolTip::showText(help->globalPos(), toolTipText(words(mark)),
					   shark_->graph(), near);
			return true;
		}
		QToolTip::hideText();
	}
	return QObject::eventFilter(object, event);
}
