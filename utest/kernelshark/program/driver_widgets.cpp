// SPDX-License-Identifier: GPL-2.0
/*
 * driver_widgets.cpp - the driver finds widgets, clicks and types
 */
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QScreen>
#include <QTextEdit>
#include <QTimer>
#include <QToolTip>

#include "utest/kernelshark/program/driver.hpp"

bool Driver::waitUntil(const std::function<bool()> &done, int ms)
{
	return QTest::qWaitFor(done, ms);
}

bool Driver::isLoading()
{
	for (QWidget *w : QApplication::topLevelWidgets())
		if (w->inherits("KsWidgetsLib::KsProgressBar"))
			return true;
	return false;
}

bool Driver::settle()
{
	int round;

	if (!waitUntil([] { return !isLoading(); }))
		return false;
	/* what was posted, and what that posts: timers of 0 ms, repaints */
	for (round = 0; round < 10; round++) {
		QCoreApplication::sendPostedEvents();
		QCoreApplication::processEvents();
	}
	return !isLoading();
}

QWidget *Driver::widget(const QString &name)
{
	for (QWidget *w : QApplication::allWidgets())
		if (w->objectName() == name)
			return w;
	ok("the program has a widget " + name, false);
	return nullptr;
}

QWidget *Driver::widgetOf(const char *className)
{
	for (QWidget *w : QApplication::allWidgets())
		if (!qstrcmp(w->metaObject()->className(), className))
			return w;
	ok(QString("the program has a widget of the class ") + className, false);
	return nullptr;
}

bool Driver::shows(const QString &name)
{
	for (QWidget *w : QApplication::allWidgets())
		if (w->objectName() == name && w->isVisible())
			return true;
	return false;
}

/* What is clicked of an item view, a scroll area or the like is the viewport. */
static QWidget *target(QWidget *w)
{
	QAbstractScrollArea *area = qobject_cast<QAbstractScrollArea *>(w);

	return area ? area->viewport() : w;
}

static QPoint middle(QWidget *w, QPoint at)
{
	return at.isNull() ? w->rect().center() : at;
}

void Driver::click(QWidget *w, QPoint at, Qt::KeyboardModifiers keys)
{
	if (!w)
		return;
	w = target(w);
	QTest::mouseClick(w, Qt::LeftButton, keys, middle(w, at));
	settle();
}

void Driver::doubleClick(QWidget *w, QPoint at)
{
	if (!w)
		return;
	w = target(w);
	/* as from a mouse: the first click comes before */
	QTest::mouseClick(w, Qt::LeftButton, Qt::NoModifier, middle(w, at));
	QTest::mouseDClick(w, Qt::LeftButton, Qt::NoModifier, middle(w, at));
	settle();
}

/* QTest's mouseMove() says nothing of the button that is held. */
static void move_held(QWidget *w, QPoint at, Qt::KeyboardModifiers keys)
{
	QMouseEvent event(QEvent::MouseMove, QPointF(at), QPointF(w->mapToGlobal(at)), Qt::NoButton,
			  Qt::LeftButton, keys);

	QApplication::sendEvent(w, &event);
}

void Driver::drag(QWidget *w, QPoint from, QPoint to, Qt::KeyboardModifiers keys)
{
	if (!w)
		return;
	w = target(w);
	QTest::mousePress(w, Qt::LeftButton, keys, from);
	move_held(w, (from + to) / 2, keys);
	move_held(w, to, keys);
	QTest::mouseRelease(w, Qt::LeftButton, keys, to);
	settle();
}

void Driver::hover(QWidget *w, QPoint at)
{
	if (!w)
		return;
	w = target(w);
	QMouseEvent event(QEvent::MouseMove, QPointF(at), QPointF(w->mapToGlobal(at)), Qt::NoButton,
			  Qt::NoButton, Qt::NoModifier);

	QApplication::sendEvent(w, &event);
	settle();
}

void Driver::type(QWidget *w, const QString &text)
{
	if (!w)
		return;
	if (w->inherits("QLineEdit"))
		QTest::keyClick(w, Qt::Key_A, Qt::ControlModifier);
	if (text.isEmpty())
		QTest::keyClick(w, Qt::Key_Delete);
	else
		QTest::keyClicks(w, text);
	settle();
}

void Driver::key(QWidget *w, Qt::Key key, Qt::KeyboardModifiers keys)
{
	if (!w)
		return;
	QTest::keyClick(w, key, keys);
	settle();
}

QString Driver::toolTip(QWidget *w, QPoint at)
{
	if (!w)
		return QString();
	w = target(w);
	/* that of another place may still be there */
	QToolTip::hideText();
	if (!waitUntil([] { return !QToolTip::isVisible(); }))
		note("a tool tip does not go away");

	QHelpEvent event(QEvent::ToolTip, at, w->mapToGlobal(at));

	QApplication::sendEvent(w, &event);
	settle();
	return QToolTip::text();
}

bool Driver::choose(QWidget *w, const QString &item)
{
	QComboBox *combo = qobject_cast<QComboBox *>(w);
	int i = combo ? combo->findText(item) : -1;
	int steps;

	if (i < 0)
		return false;
	for (steps = combo->count(); combo->currentIndex() != i && steps; steps--)
		QTest::keyClick(combo, combo->currentIndex() < i ? Qt::Key_Down : Qt::Key_Up);
	settle();
	return combo->currentIndex() == i;
}

static QString plain(QString text)
{
	return text.remove('&');
}

static QAction *among(const QList<QAction *> &actions, const QString &text)
{
	for (QAction *action : actions)
		if (plain(action->text()) == text)
			return action;
	return nullptr;
}

QAction *Driver::action(const QString &path)
{
	QList<QAction *> level = window_->menuBar()->actions();
	QAction *found = nullptr;

	for (const QString &part : path.split('/')) {
		if (found) {
			if (!found->menu())
				break;
			/* some actions are switched on or off, or added, just then */
			QMetaObject::invokeMethod(found->menu(), "aboutToShow");
			level = found->menu()->actions();
		}
		found = among(level, part);
		if (!found)
			break;
	}
	if (!found)
		ok("the program has a menu " + path, false);
	return found;
}

bool Driver::trigger(const QString &path, const std::function<void(QDialog *)> &answer)
{
	QAction *a = action(path);

	if (!a)
		return false;
	if (!a->isEnabled())
		return ok(path + " can be chosen", false);
	return answering([a] { a->trigger(); }, answer) == bool(answer);
}

/* A dialog that nobody expects is told of and closed. */
static void dismiss(Driver *d, QDialog *dialog)
{
	QString texts = dialog->windowTitle();

	for (QLabel *label : dialog->findChildren<QLabel *>())
		if (!label->text().isEmpty())
			texts += "\n" + label->text();
	for (QTextEdit *edit : dialog->findChildren<QTextEdit *>())
		texts += "\n" + edit->toPlainText();
	d->ok("no other dialog comes", false, texts);
	dialog->reject();
}

bool Driver::answering(const std::function<void()> &deed,
		       const std::function<void(QDialog *)> &answer)
{
	enum { EVERY = 20 };
	QPointer<QDialog> answered;
	bool came = false;
	int waited = 0;
	QTimer poll;

	/*
	 * Runs in the dialog's own loop.  The answer is called by another timer, as this
	 * one does not fire while it is still running, and a dialog may open a next one.
	 */
	QObject::connect(&poll, &QTimer::timeout, [&] {
		QDialog *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget());

		if (!dialog || !dialog->isVisible()) {
			waited = 0;
		} else if (answer && !came) {
			came = true;
			answered = dialog;
			QTimer::singleShot(0, dialog, [&answer, dialog] { answer(dialog); });
		} else if (dialog != answered || ++waited > PATIENCE / EVERY) {
			waited = 0;
			dismiss(this, dialog);
		}
	});
	poll.start(EVERY);
	deed();
	settle();
	return came;
}

QString Driver::data(const QString &name)
{
	return qEnvironmentVariable("KSHIST_DATA") + "/" + name;
}

QString Driver::work(const QString &name)
{
	return qEnvironmentVariable("KSHIST_WORK") + "/" + name;
}

bool Driver::isLong()
{
	return qEnvironmentVariableIsSet("CHECK_LONG");
}

bool Driver::picture(const QString &name, QWidget *w)
{
	QDir().mkpath(work("pictures"));
	return ok("the program can save the picture " + name,
		  (w ? w : window_)->grab().save(work("pictures/" + name + ".png")));
}
