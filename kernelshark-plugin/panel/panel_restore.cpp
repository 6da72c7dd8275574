// SPDX-License-Identifier: GPL-2.0
/*
 * panel_restore.cpp - restore the state of the panel from the last run
 *
 * Only actions of the user are stored, never automatic choices of the panel. Therefore
 * the default choice remains the default, and a file without histograms in between has
 * no effect.
 */
#include <algorithm>

#include <QGuiApplication>
#include <QMainWindow>
#include <QResizeEvent>
#include <QStackedWidget>
#include <QTimer>

#include "kernelshark-plugin/panel/hist_panel.hpp"

#define BARS_LEAST 10
#define HEIGHT_MOST 10000
#define PART_MOST 45   /* % of the window */
#define PART_CHOSEN 80 /* if the user chose the height */

/* Call before the widgets are connected. */
void HistPanel::recallLook()
{
	for (int i = 0; i < views.size(); i++)
		if (kinds[i].log)
			views[i]->setLog(memory.number(QLatin1String(kinds[i].log), 1, views[i]->isLog()));
	tabs->setCurrentIndex(memory.number(QStringLiteral("view"), tabs->count() - 1, HistPanel::Bars));
	showView(tabs->currentIndex());
}

void HistPanel::keepLook()
{
	for (int i = 0; i < views.size(); i++)
		if (kinds[i].log)
			memory.keep(QLatin1String(kinds[i].log), views[i]->isLog());
	memory.keep(QStringLiteral("view"), tabs->currentIndex());
}

/*
 * At most a part of the window, so that the graph remains usable on a small screen. The program
 * begins with a small window, so this is done again for each size of the window, until the user
 * chooses a height.
 */
void HistPanel::recallHeight()
{
	QMainWindow *top = qobject_cast<QMainWindow *>(window());
	const int others = rowsHeight() + height() - area->height();
	const int stored = memory.number(QStringLiteral("height"), HEIGHT_MOST, 0);
	const int wanted = stored ? stored : bars->heightOf(BARS_LEAST) + others;

	if (!top || isFloating() || alone || kept_height)
		return;
	fit_height = top->height();
	fitting = true;
	top->resizeDocks({ this }, { std::min(wanted, fit_height * (stored ? PART_CHOSEN : PART_MOST) / 100) },
			 Qt::Vertical);
	/* what it is then is not a choice of the user */
	QTimer::singleShot(0, this, [this] { fitting = false; });
}

void HistPanel::setAlone(bool is)
{
	const bool again = alone && !is;

	alone = is;
	if (again)
		recallHeight();
}

void HistPanel::showEvent(QShowEvent *event)
{
	QDockWidget::showEvent(event);
	if (watched || is_beside)
		return;
	watched = true;
	window()->installEventFilter(this);
	QMetaObject::invokeMethod(this, &HistPanel::recallHeight, Qt::QueuedConnection);
}

bool HistPanel::eventFilter(QObject *of, QEvent *event)
{
	if (of == window() && event->type() == QEvent::Resize && !kept_height)
		QMetaObject::invokeMethod(this, &HistPanel::recallHeight, Qt::QueuedConnection);
	return QDockWidget::eventFilter(of, event);
}

/* Stored when the program ends: a drag of the border is many sizes. */
void HistPanel::resizeEvent(QResizeEvent *event)
{
	QDockWidget::resizeEvent(event);
	if (watched && isVisible() && !isFloating() && !alone && !fitting && window()->height() == fit_height &&
	    event->oldSize().height() != height()) {
		/* the user drags the border; otherwise other parts of the window changed */
		if (QGuiApplication::mouseButtons())
			kept_height = height();
		else if (!kept_height)
			QMetaObject::invokeMethod(this, &HistPanel::recallHeight, Qt::QueuedConnection);
	}
	/* a panel that becomes narrow is not aligned with the graph any more */
	showTime();
}

void HistPanel::setBeside(const HistPanel *other)
{
	setAttribute(Qt::WA_DeleteOnClose);
	is_beside = true;
	choices->chooseAfter(*other->choices);
}
