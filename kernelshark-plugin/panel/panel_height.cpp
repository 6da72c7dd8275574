// SPDX-License-Identifier: GPL-2.0
/* panel_height.cpp - the height of the panel: that of the last run, or a useful one */
#include <algorithm>

#include <QDockWidget>
#include <QGuiApplication>
#include <QMainWindow>
#include <QResizeEvent>
#include <QTimer>

#include "kernelshark-plugin/panel/panel_height.hpp"

#define HEIGHT_MOST 10000
#define PART_MOST 45   /* % of the window */
#define PART_CHOSEN 80 /* if the user chose the height */

PanelHeight::PanelHeight(QDockWidget *panel, PanelMemory *memory,
			 const std::function<int()> &useful)
    : QObject(panel), panel_(panel), memory_(memory), useful_(useful)
{
	panel->installEventFilter(this);
}

void PanelHeight::setAlone(bool is)
{
	const bool again = alone_ && !is;

	alone_ = is;
	if (again)
		recall();
}

void PanelHeight::leave()
{
	panel_->removeEventFilter(this);
}

void PanelHeight::keep()
{
	if (kept_)
		memory_->keep(QStringLiteral("height"), kept_);
}

void PanelHeight::recallSoon()
{
	QMetaObject::invokeMethod(this, &PanelHeight::recall, Qt::QueuedConnection);
}

void PanelHeight::recall()
{
	QMainWindow *top = qobject_cast<QMainWindow *>(panel_->window());
	const int stored = memory_->number(QStringLiteral("height"), HEIGHT_MOST, 0);
	const int wanted = stored ? stored : useful_();
	int most;

	if (!top || panel_->isFloating() || alone_ || kept_)
		return;
	fit_ = top->height();
	fitting_ = true;
	most = fit_ * (stored ? PART_CHOSEN : PART_MOST) / 100;
	top->resizeDocks({ panel_ }, { std::min(wanted, most) }, Qt::Vertical);
	/* what it is then is not a choice of the user */
	QTimer::singleShot(0, this, [this] { fitting_ = false; });
}

bool PanelHeight::eventFilter(QObject *of, QEvent *event)
{
	if (of == panel_ && event->type() == QEvent::Show && !watched_) {
		watched_ = true;
		panel_->window()->installEventFilter(this);
		recallSoon();
	} else if (of == panel_ && event->type() == QEvent::Resize) {
		resized(static_cast<QResizeEvent *>(event));
	} else if (of == panel_->window() && event->type() == QEvent::Resize && !kept_) {
		recallSoon();
	}
	return QObject::eventFilter(of, event);
}

void PanelHeight::resized(const QResizeEvent *event)
{
	if (!watched_ || !panel_->isVisible() || panel_->isFloating() || alone_ || fitting_ ||
	    panel_->window()->height() != fit_ || event->oldSize().height() == panel_->height())
		return;
	/* the user drags the border; otherwise other parts of the window changed */
	if (QGuiApplication::mouseButtons())
		kept_ = panel_->height();
	else if (!kept_)
		recallSoon();
}
