// SPDX-License-Identifier: GPL-2.0
/*
 * panel_monkey.cpp - hands that do anything to the panel
 */
#include <QAbstractScrollArea>
#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QWheelEvent>
#include <QtTest>

#include "panel_monkey.hpp"

#define PARTS 10000 /* of a length that a point may be at */

static const int KEYS[] = { Qt::Key_Left,   Qt::Key_Right,    Qt::Key_Up,     Qt::Key_Down, Qt::Key_Home,
			    Qt::Key_End,    Qt::Key_PageUp,   Qt::Key_PageDown, Qt::Key_Return, Qt::Key_Space,
			    Qt::Key_Escape, Qt::Key_Z,	      Qt::Key_E,      Qt::Key_Tab,  Qt::Key_Backtab,
			    Qt::Key_A };
static const char *const SEARCHES[] = { "", "s", "1", "sh", "swapper", "no such key", "\xe2\x80\xae", "%n [" };
static const char *const EXPRESSIONS[] = {
	"sched:sched_switch hist:keys=next_comm",
	"sched:sched_switch hist:keys=next_pid,prev_prio.log2",
	"sched:sched_stat_runtime hist:keys=runtime.log2:vals=runtime",
	"sched:sched_switch hist:keys=next_pid if next_comm ~ \"k*\"",
	"sched:sched_switch hist:keys=nothing",
	"sched:",
	"",
};

int Monkey::Step::part(int i, int most) const
{
	return int(n[i] % unsigned(most + 1));
}

QPoint Monkey::Step::point(int i, const QRect &in) const
{
	const qint64 x = n[i] % PARTS, y = n[i] / PARTS % PARTS;

	return in.topLeft() + QPoint(int(x * in.width() / PARTS), int(y * in.height() / PARTS));
}

static int numberOf(const char *name, int otherwise)
{
	const QByteArray given = qgetenv(name);

	return given.isEmpty() ? otherwise : given.toInt();
}

unsigned int Monkey::seed()
{
	const QByteArray given = qgetenv("KSHIST_SEED");

	return given.isEmpty() ? std::random_device()() : given.toUInt();
}

int Monkey::seconds(int otherwise)
{
	return numberOf("KSHIST_SECONDS", otherwise);
}

int Monkey::steps(int otherwise)
{
	return numberOf("KSHIST_STEPS", otherwise);
}

Monkey::Step Monkey::next()
{
	Step step;

	step.what = unsigned(random_() % 100);
	for (unsigned int &n : step.n)
		n = unsigned(random_() % (PARTS * PARTS));
	return step;
}

/* What the mouse touches of a scroll area is its viewport. */
static QWidget *target(QWidget *widget)
{
	QAbstractScrollArea *area = qobject_cast<QAbstractScrollArea *>(widget);

	return area ? area->viewport() : widget;
}

static QString nameOf(const QWidget *widget)
{
	return widget->objectName().isEmpty() ? QLatin1String(widget->metaObject()->className()) :
						widget->objectName();
}

static void move(QWidget *widget, const QPoint &at, Qt::MouseButtons held)
{
	QMouseEvent event(QEvent::MouseMove, QPointF(at), QPointF(widget->mapToGlobal(at)), Qt::NoButton, held,
			  Qt::NoModifier);

	QCoreApplication::sendEvent(widget, &event);
}

/* A menu or a list is open: choose of it, or close it.  False: none is. */
bool Monkey::closePopup(const Step &step)
{
	QWidget *popup = QApplication::activePopupWidget();

	if (!popup)
		return false;
	if (step.part(4, 2)) {
		tell(QStringLiteral("choose of ") + nameOf(popup));
		for (int i = step.part(3, 4); i >= 0; i--)
			QTest::keyClick(popup, Qt::Key_Down);
		if (QApplication::activePopupWidget() == popup)
			QTest::keyClick(popup, Qt::Key_Return);
	} else {
		tell(QStringLiteral("close ") + nameOf(popup));
		popup->close();
	}
	return true;
}

void Monkey::mouse(QWidget *widget, const Step &step)
{
	QWidget *at = target(widget);
	const QPoint from = step.point(0, at->rect()), to = step.point(1, at->rect().adjusted(-40, -20, 40, 20));
	const QString where = QStringLiteral(" %1 at %2,%3").arg(nameOf(widget)).arg(from.x()).arg(from.y());
	QEvent leave(QEvent::Leave);

	switch (step.part(2, 9)) {
	case 0:
	case 1:
		tell(QStringLiteral("click") + where);
		QTest::mouseClick(at, step.part(3, 8) ? Qt::LeftButton : Qt::MiddleButton, Qt::NoModifier, from);
		return;
	case 2:
		tell(QStringLiteral("double click") + where);
		QTest::mouseClick(at, Qt::LeftButton, Qt::NoModifier, from);
		QTest::mouseDClick(at, Qt::LeftButton, Qt::NoModifier, from);
		return;
	case 3:
	case 4:
	case 5:
		tell(QStringLiteral("drag") + where + QStringLiteral(" to %1,%2").arg(to.x()).arg(to.y()));
		QTest::mousePress(at, Qt::LeftButton, Qt::NoModifier, from);
		for (int i = 1; i <= 3; i++)
			move(at, from + (to - from) * i / 3, Qt::LeftButton);
		/* now and then the button is let go of in a later step */
		if (step.part(3, 9))
			QTest::mouseRelease(at, Qt::LeftButton, Qt::NoModifier, to);
		return;
	case 6: {
		QWheelEvent event(QPointF(from), QPointF(at->mapToGlobal(from)), QPoint(),
				  QPoint(0, 120 * (step.part(3, 1) ? 1 : -1)), Qt::NoButton,
				  step.part(4, 4) ? Qt::NoModifier : Qt::ControlModifier, Qt::NoScrollPhase, false);

		tell(QStringLiteral("wheel") + where);
		QCoreApplication::sendEvent(at, &event);
		return;
	}
	case 7: {
		QHelpEvent event(QEvent::ToolTip, from, at->mapToGlobal(from));

		tell(QStringLiteral("tool tip") + where);
		QCoreApplication::sendEvent(at, &event);
		return;
	}
	case 8:
		tell(QStringLiteral("leave ") + nameOf(widget));
		QCoreApplication::sendEvent(at, &leave);
		return;
	default:
		tell(QStringLiteral("hover") + where);
		move(at, from, Qt::NoButton);
	}
}

void Monkey::keys(QWidget *widget, const Step &step)
{
	const int key = KEYS[step.part(0, int(sizeof(KEYS) / sizeof(KEYS[0])) - 1)];
	const int times = 1 + step.part(1, 12);
	QWidget *focus;

	tell(QStringLiteral("%1 times key 0x%2 to %3").arg(times).arg(key, 0, 16).arg(nameOf(widget)));
	widget->setFocus();
	for (int i = 0; i < times; i++) {
		/* a Tab takes the focus on, to a widget of the same window */
		focus = widget->window()->focusWidget();
		if (!focus || !widget->parentWidget() || !widget->parentWidget()->isAncestorOf(focus))
			focus = widget;
		QTest::keyClick(focus, Qt::Key(key));
		/* it may have opened something, or gone */
		if (QApplication::activePopupWidget() || QApplication::activeModalWidget())
			return;
	}
}

void Monkey::menu(QWidget *widget, const Step &step)
{
	QWidget *at = target(widget);
	const bool mouse = step.part(1, 2);
	const QPoint where = step.point(0, at->rect());
	QContextMenuEvent event(mouse ? QContextMenuEvent::Mouse : QContextMenuEvent::Keyboard, where,
				at->mapToGlobal(where));

	tell(QStringLiteral("menu of ") + nameOf(widget));
	QCoreApplication::sendEvent(at, &event);
}

/* A choice, the tabs, the spin box, the scale: by keys, as only those are the user's. */
void Monkey::choose(QWidget *panel, const Step &step)
{
	static const char *const NAMES[] = { "hist_choose", "hist_group", "hist_value", "hist_source", "hist_view",
					     "hist_view",   "hist_snapshot", "hist_log", "hist_expression_of" };
	static const int WAYS[] = { Qt::Key_Down, Qt::Key_Up, Qt::Key_Home, Qt::Key_End };
	const QString name = QLatin1String(NAMES[step.part(0, 8)]);
	QWidget *widget = panel->findChild<QWidget *>(name);
	QTabBar *tabs = qobject_cast<QTabBar *>(widget);

	if (!widget || !widget->isVisible() || !widget->isEnabled())
		return tell(name + QStringLiteral(" cannot be seen"));
	tell(QStringLiteral("choose of ") + name);
	if (tabs)
		QTest::mouseClick(tabs, Qt::LeftButton, Qt::NoModifier,
				  tabs->tabRect(step.part(1, tabs->count() - 1)).center());
	else if (qobject_cast<QToolButton *>(widget))
		QTest::mouseClick(widget, Qt::LeftButton);
	else
		for (int i = step.part(1, 3); i >= 0; i--)
			QTest::keyClick(widget, Qt::Key(WAYS[step.part(2, 3)]));
}

void Monkey::type(QWidget *panel, const Step &step)
{
	const bool search = step.part(0, 2);
	QLineEdit *edit = panel->findChild<QLineEdit *>(search ? QStringLiteral("hist_search") :
								 QStringLiteral("hist_expression"));
	const QString text = QString::fromUtf8(search ? SEARCHES[step.part(1, 7)] : EXPRESSIONS[step.part(1, 6)]);

	if (!edit || !edit->isVisible())
		return tell(QStringLiteral("nothing to type into"));
	tell(nameOf(edit) + QStringLiteral(": ") + text);
	edit->setText(text);
	if (!search)
		QTest::keyClick(edit, Qt::Key_Return);
}

void Monkey::touchWith(QWidget *widget, const Step &step)
{
	if (closePopup(step))
		return;
	if (!widget || !widget->isVisible() || target(widget)->size().isEmpty())
		return tell(QStringLiteral("nothing to touch"));
	if (step.what % 4 == 3)
		keys(widget, step);
	else
		mouse(widget, step);
}

void Monkey::touch(QWidget *panel, const Step &step)
{
	const QStackedWidget *stack = panel ? panel->findChild<QStackedWidget *>() : nullptr;
	QWidget *view = stack ? stack->currentWidget() : nullptr;

	if (closePopup(step))
		return;
	if (!view)
		return tell(QStringLiteral("no panel"));
	/* it was hidden for one step */
	if (!view->isVisible()) {
		tell(QStringLiteral("show the panel"));
		panel->show();
		return;
	}
	switch (step.what % 10) {
	case 0:
	case 1:
	case 2:
	case 3:
		mouse(view, step);
		return;
	case 4:
	case 5:
		keys(view, step);
		return;
	case 6:
		menu(view, step);
		return;
	case 7:
		type(panel, step);
		return;
	default:
		choose(panel, step);
	}
}
