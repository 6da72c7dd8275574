// SPDX-License-Identifier: GPL-2.0
/* panel_widgets.cpp - a label that truncates, a spin box for snapshots, and a progress bar */
#include <algorithm>

#include <QCoreApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include "kernelshark-plugin/panel/panel_widgets.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

#define WATCH_MS 50
#define PATIENCE_MS 250 /* shorter computations do not show a progress bar */

LineLabel::LineLabel(QWidget *parent) : QLabel(parent)
{
	setTextFormat(Qt::PlainText);
	setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
	setTextInteractionFlags(Qt::NoTextInteraction);
}

QSize LineLabel::minimumSizeHint() const
{
	return QSize(40, sizeHint().height());
}

QSize LineLabel::sizeHint() const
{
	const QMargins margins = contentsMargins();

	return QSize(QLabel::sizeHint().width(),
		     fontMetrics().height() + margins.top() + margins.bottom());
}

void LineLabel::paintEvent(QPaintEvent *)
{
	QPainter painter(this);

	painter.setPen(palette().color(foregroundRole()));
	painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
			 fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()));
}

bool LineLabel::event(QEvent *event)
{
	if (event->type() == QEvent::ToolTip) {
		const bool cut = fontMetrics().horizontalAdvance(text()) > contentsRect().width();

		QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(),
				   !toolTip().isEmpty() ? toolTip() :
				   cut ? toolTipText(text()) : QString(), this);
		return true;
	}
	return QLabel::event(event);
}

RowsArea::RowsArea(QWidget *parent) : QScrollArea(parent)
{
	setFrameShape(QFrame::NoFrame);
	setWidgetResizable(true);
	setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
	/* the Tab key visits only controls, and scrolls to them */
	setFocusPolicy(Qt::NoFocus);
}

QSize RowsArea::minimumSizeHint() const
{
	return QSize(1, fontMetrics().height() * 5 / 2);
}

QSize RowsArea::sizeHint() const
{
	return widget() ? widget()->sizeHint() : QScrollArea::sizeHint();
}

void RowsArea::watchWheel(QWidget *control)
{
	/* the wheel must not give it the focus, which eventFilter() checks */
	if (control->focusPolicy() == Qt::WheelFocus)
		control->setFocusPolicy(Qt::StrongFocus);
	control->installEventFilter(this);
}

void RowsArea::resizeEvent(QResizeEvent *event)
{
	QScrollArea::resizeEvent(event);
	emit resized();
}

bool RowsArea::eventFilter(QObject *of, QEvent *event)
{
	QWidget *control = qobject_cast<QWidget *>(of);

	/* Qt also filters the rows themselves and the scroll bars by this function */
	if (event->type() == QEvent::Wheel && control && control->parentWidget() == widget() &&
	    verticalScrollBar()->maximum() > 0 && !control->hasFocus()) {
		QCoreApplication::sendEvent(verticalScrollBar(), event);
		return true;
	}
	return QScrollArea::eventFilter(of, event);
}

SnapshotSpin::SnapshotSpin(QWidget *parent) : QSpinBox(parent)
{
	setKeyboardTracking(false);
}

void SnapshotSpin::setRecording(const RecordingPtr &recording, unsigned int hist)
{
	const recorded_hist *h = recording ? &recording->hists[hist] : nullptr;

	recording_ = recording;
	hist_ = hist;
	setRange(h && h->n ? int(h->snapshots[0].seq) : 0,
		 h && h->n ? int(h->snapshots[h->n - 1].seq) : 0);
}

void SnapshotSpin::stepBy(int steps)
{
	const recorded_hist *h = recording_ ? &recording_->hists[hist_] : nullptr;
	int64_t at;

	if (!h || !h->n)
		return;
	at = int64_t(recording_find_nearest(h, uint32_t(value()))) + steps;
	setValue(int(h->snapshots[std::max<int64_t>(0, std::min<int64_t>(at, h->n - 1))].seq));
}

WaitBar::WaitBar(QWidget *parent) : QProgressBar(parent)
{
	setRange(0, 1000);
	connect(&timer_, &QTimer::timeout, this, &WaitBar::tick);
	hide();
}

void WaitBar::setBusy(bool busy)
{
	if (!busy) {
		timer_.stop();
	} else if (!timer_.isActive()) {
		since_.start();
		timer_.start(WATCH_MS);
	}
	setVisible(busy && since_.elapsed() > PATIENCE_MS);
}
