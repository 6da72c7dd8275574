// SPDX-License-Identifier: GPL-2.0
/*
 * scenario_scaled.cpp - the panel on a small screen: 1080p, where all is drawn at 200 %
 *
 * The stage without the panel notes how small the window can be.  The same file, the same
 * screen and the same fonts then have the panel.
 */
#include <QAbstractScrollArea>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLineEdit>
#include <QScreen>
#include <QTabBar>
#include <QToolButton>

#include "utest/kernelshark/program/driver_panel.hpp"

/* The least size of the window, which its layout has set. */
static QSize least(Driver &d)
{
	d.settle();
	return d.window()->minimumSize();
}

static void checkScreen(Driver &d)
{
	d.is("a pixel of the program is two of the screen", d.window()->devicePixelRatioF(), 2.0);
	d.is("the screen has room for 960 x 540", d.window()->screen()->geometry().size(), QSize(960, 540));
}

SCENARIO(scaled_stock)
{
	QFile file(d.work("stock"));
	const QSize size = least(d);

	checkScreen(d);
	d.ok("the window has a minimum size", size.height() > 300 && size.width() > 100);
	d.ok("the size is noted", file.open(QIODevice::WriteOnly) &&
	     file.write(QByteArray::number(size.width()) + " " + QByteArray::number(size.height())) > 0);
}

static QSize stock()
{
	QFile file(Driver::work("stock"));

	if (!file.open(QIODevice::ReadOnly))
		return QSize();
	const QList<QByteArray> words = file.readAll().split(' ');

	return QSize(words.value(0).toInt(), words.value(1).toInt());
}

/* All of the widget is to be seen: nothing covers it, no edge cuts it. */
static bool isSeen(const QWidget *w)
{
	return w->isVisible() && QRegion(w->rect()).subtracted(w->visibleRegion()).isEmpty() &&
	       w->window()->rect().contains(QRect(w->mapTo(w->window(), QPoint()), w->size())) &&
	       w->screen()->geometry().contains(QRect(w->mapToGlobal(QPoint()), w->size()));
}

/* The controls that the panel offers now. */
static QList<QWidget *> controls(Driver &d)
{
	QList<QWidget *> list;

	for (QWidget *w : d.widget("hist_panel")->findChildren<QWidget *>())
		if (w->objectName().startsWith("hist_") && w->isVisible() &&
		    (qobject_cast<QComboBox *>(w) || qobject_cast<QToolButton *>(w) ||
		     qobject_cast<QLineEdit *>(w) || qobject_cast<QTabBar *>(w)))
			list << w;
	return list;
}

static QStringList unseen(Driver &d)
{
	QStringList names;

	for (QWidget *w : controls(d))
		if (!isSeen(w))
			names << w->objectName();
	return names;
}

/* How many bars are to be seen as a whole. */
static int barsSeen(Driver &d)
{
	QAbstractScrollArea *bars = d.find<QAbstractScrollArea>("hist_bars");
	int n = 0;

	for (int i = 0; bars && i < 20; i++) {
		QRect at;

		QMetaObject::invokeMethod(bars, "itemRect", Q_RETURN_ARG(QRect, at), Q_ARG(int, i));
		n += !at.isEmpty() && QRegion(at).subtracted(bars->viewport()->visibleRegion()).isEmpty();
	}
	return n;
}

/* The Tab key goes to each control and scrolls to it; the names of those that it did not show. */
static QStringList notReached(Driver &d)
{
	QList<QWidget *> left = controls(d);
	QWidget *first = d.widget("hist_choose"), *now = first;
	QStringList names;

	d.window()->activateWindow();
	d.settle();
	first->setFocus(Qt::TabFocusReason);
	for (int steps = 0; now && steps < 60; steps++) {
		if (isSeen(now))
			left.removeAll(now);
		QTest::keyClick(now, Qt::Key_Tab);
		d.settle();
		now = QApplication::focusWidget();
		if (now == first)
			break;
	}
	for (QWidget *w : left)
		if (w->focusPolicy() & Qt::TabFocus || !isSeen(w))
			names << w->objectName();
	return names;
}

/* A click on the first bar shows its events. */
static void clickBar(Driver &d)
{
	QAbstractScrollArea *bars = d.find<QAbstractScrollArea>("hist_bars");
	QRect at;

	QMetaObject::invokeMethod(bars, "itemRect", Q_RETURN_ARG(QRect, at), Q_ARG(int, 0));
	d.click(bars, at.center());
	panelSettled(d);
	d.is("a click on a bar shows its events", d.rows(), 81);
}

/* A panel that grows later must not move the minimum. */
static void checkLeast(Driver &d, const QString &when)
{
	const QSize now = least(d), without = stock();

	d.ok(when + ": the window can be as low as without the panel", now.height() <= without.height(),
	     QString("%1, without %2").arg(now.height()).arg(without.height()));
	d.ok(when + ": the window can be as narrow as without the panel", now.width() <= without.width(),
	     QString("%1, without %2").arg(now.width()).arg(without.width()));
}

/*
 * How much room there is depends on KernelShark and on the fonts.  Therefore a window that is
 * higher than the screen becomes lower until the panel folds the field: in small steps with CHECK_LONG,
 * else in large ones.
 */
static void checkFolding(Driver &d)
{
	const QRect screen = d.window()->screen()->geometry();
	const int step = Driver::isLong() ? 5 : 25;
	int height = screen.height() * 3 / 2, fewer = 0;

	d.window()->resize(screen.width(), height);
	panelSettled(d);
	d.is("a high window shows the field of the expression", d.shows("hist_expression"), true);
	while (d.shows("hist_expression") && height > stock().height()) {
		fewer += barsSeen(d) < 3;
		d.window()->resize(screen.width(), height -= step);
		panelSettled(d);
	}
	d.note(QString("the field is folded away in a window of %1").arg(height));
	d.is("windows with the field show at least three bars", fewer, 0);
	d.is("the field of the expression is folded away", d.shows("hist_expression"), false);
	d.click(d.widget("hist_count"));
	d.is("a button shows the field", d.shows("hist_expression"), true);
	d.ok("the field is folded only if it leaves no room for bars", barsSeen(d) <= 4,
	     QString::number(barsSeen(d)));
	checkLeast(d, "with the field");
	d.window()->resize(screen.width(), qMin(height, screen.height()));
	panelSettled(d);
	d.is("the field is inside of the screen", isSeen(d.widget("hist_expression")), true);
	d.click(d.widget("hist_count"));
	d.is("the button folds the field away again", d.shows("hist_expression"), false);
	d.is("every control of the low panel is visible", unseen(d), QStringList());
}

/* The second panel, next to the first one and then below it, where it has no room. */
static void checkTwo(Driver &d, QDockWidget *panel)
{
	QDockWidget *other = nullptr;

	d.click(d.widget("hist_split"));
	d.waitUntil([&] {
		other = d.window()->findChild<QDockWidget *>("hist_panel_2");
		return other && other->isVisible();
	});
	if (!d.ok("Split opens another panel", other))
		return;
	panelSettled(d);
	d.ok("the other panel is next to the first one", other->x() > panel->geometry().right());
	checkLeast(d, "with two panels next to each other");
	d.window()->splitDockWidget(panel, other, Qt::Vertical);
	panelSettled(d);
	d.is("a panel that does not fit below the other one becomes a tab",
	     d.window()->tabifiedDockWidgets(panel), QList<QDockWidget *>{ other });
	d.is("the tab shows the other panel", isSeen(other->findChild<QComboBox *>("hist_choose")), true);
	checkLeast(d, "with two panels as tabs");
	other->close();
	d.waitUntil([&] { return !d.window()->findChild<QDockWidget *>("hist_panel_2"); });
	panelSettled(d);
	checkLeast(d, "with one of two panels");
	d.is("without the other panel the first one is visible", isSeen(d.widget("hist_choose")), true);
}

SCENARIO(scaled)
{
	const QRect screen = d.window()->screen()->geometry();
	QDockWidget *panel = d.find<QDockWidget>("hist_panel");

	checkScreen(d);
	d.ok("a histogram of names can be chosen", chooseLike(d, "hist_choose", "sched:sched_switch"));
	checkLeast(d, "at first");
	d.ok("the window is inside of the screen", screen.contains(d.window()->frameGeometry()));
	d.ok("at least three bars are visible at first", barsSeen(d) >= 3, QString::number(barsSeen(d)));

	d.window()->setGeometry(screen);
	panelSettled(d);
	d.is("the window can fill the screen", d.window()->geometry(), screen);
	d.ok("at least three bars are visible on the whole screen", barsSeen(d) >= 3,
	     QString::number(barsSeen(d)));
	d.is("every control is visible", unseen(d), QStringList());
	d.picture("kernelshark-small");
	checkFolding(d);

	d.window()->setGeometry(screen);
	panelSettled(d);
	clickBar(d);
	d.ok("the line about the filter is visible", isSeen(d.widget("hist_filter_words")));
	checkLeast(d, "with the line about the filter");

	d.window()->resize(stock());
	panelSettled(d);
	d.is("the window takes the least size without the panel", d.window()->size(), stock());
	d.is("every control can be reached in the smallest window", notReached(d), QStringList());

	d.trigger("Tools/Histograms");
	d.settle();
	d.is("without the panel the window has the least size of KernelShark", least(d), stock());
	d.trigger("Tools/Histograms");
	panelSettled(d);
	checkLeast(d, "with the panel again");
	panel->setFloating(true);
	d.is("with a floating panel the window has the least size of KernelShark", least(d), stock());
	panel->setFloating(false);
	checkLeast(d, "with a docked panel");
	checkTwo(d, panel);
	d.ok("the file can be opened again", d.open(d.data("shark.dat")));
	panelSettled(d);
	checkLeast(d, "after another file");
}
