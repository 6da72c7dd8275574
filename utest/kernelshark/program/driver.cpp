// SPDX-License-Identifier: GPL-2.0
/*
 * driver.cpp - a plugin of KernelShark that runs a scenario in it and prints TAP
 *
 * The program calls the menu initializer while it reads its command line.  Loading
 * files handles events, so a timer may fire in the midst of it; only inside of
 * QApplication::exec() all of the command line is done.  So the start is put off
 * until that loop runs.
 *
 * Invariant: nothing of the driver is left in the program when its main window is
 * destroyed, as the plugin is unloaded then.
 */
#include <cstdio>
#include <unistd.h>

#include <QApplication>
#include <QRegularExpression>
#include <QThread>
#include <QTimer>

#include "utest/kernelshark/program/driver.hpp"

#define EXPORTED extern "C" __attribute__((visibility("default")))

struct kshark_data_stream;

Scenario *Scenario::first;

static void say(const QString &line)
{
	fprintf(stdout, "%s\n", line.toUtf8().constData());
	fflush(stdout);
}

void Driver::note(const QString &text)
{
	for (const QString &line : text.split('\n'))
		say("# " + line);
}

bool Driver::ok(const QString &what, bool held, const QString &why)
{
	say(QString("%1 %2 - %3").arg(held ? "ok" : "not ok").arg(++count_).arg(what));
	if (!held && !why.isEmpty())
		note(why);
	return held;
}

QString Driver::differ(const QString &got, const QString &expected)
{
	return "     got: " + got + "\nexpected: " + expected;
}

bool Driver::like(const QString &what, const QString &got, const QString &regex)
{
	return ok(what, QRegularExpression(regex).match(got).hasMatch(),
		  "     got: " + got + "\nno match: " + regex);
}

static void run(QMainWindow *window)
{
	const QByteArray name = qgetenv("KSHIST_SCENARIO");
	Driver d(window);
	Scenario *s;

	d.settle();
	for (s = Scenario::first; s && name != s->name; s = s->next)
		;
	if (s)
		s->run(d);
	else
		d.ok("a scenario of the name " + name, false);
	say(QString("1..%1").arg(d.count()));
	if (d.endsAtOnce())
		_exit(0);
	d.close();
}

/*
 * In the program's own loop, and not in one of a dialog or of loading.  A message about a file of
 * the command line is closed, not faster than a user can.
 */
static void start(QMainWindow *window)
{
	const QWidgetList all = QApplication::topLevelWidgets();
	int wait = QThread::currentThread()->loopLevel() != 1 ? 20 : 0;

	for (QWidget *w : all)
		if (w->isVisible() && w->inherits("QErrorMessage")) {
			QTimer::singleShot(200, w, &QWidget::close);
			wait = 400;
		}
	if (wait) {
		QTimer::singleShot(wait, window, [window] { start(window); });
		return;
	}
	run(window);
}

/* The program hands over its main window, as a QObject. */
EXPORTED void *kshark_plugin_menu_initializer(void *gui)
{
	QMainWindow *window = qobject_cast<QMainWindow *>(static_cast<QObject *>(gui));

	if (!window) {
		say("Bail out! the main window is none");
		exit(2);
	}
	QTimer::singleShot(0, window, [window] { start(window); });
	return nullptr;
}

/* Without these two, some ways of loading follow a null pointer. */
EXPORTED int kshark_data_plugin_initializer(kshark_data_stream *)
{
	return 1;
}

EXPORTED int kshark_data_plugin_deinitializer(kshark_data_stream *)
{
	return 1;
}
