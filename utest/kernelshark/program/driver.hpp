/* SPDX-License-Identifier: GPL-2.0 */
/*
 * driver.hpp - what the scenarios that run inside KernelShark are written with
 *
 * The driver is a plugin of KernelShark.  It waits until the program has started and
 * loaded what its command line says, runs one scenario, which $KSHIST_SCENARIO names, in the
 * GUI thread, prints TAP, and closes the window as a person would.  run.sh starts
 * KernelShark and judges what the driver cannot: crashes, hangs, the exit status.
 *
 * A scenario is a function in a file scenario_*.cpp:
 *
 *	SCENARIO(zoom)
 *	{
 *		d.ok("a file is open", d.open("marks.dat"));
 *		d.click(d.widget("hist_log"));
 *		d.is("scale", d.widget("hist_log")->property("checked").toBool(), true);
 *	}
 *
 * and a line in the file `scenarios`, which tells run.sh the command line.
 *
 * Nothing here waits for a time: what comes later is waited for with waitUntil(),
 * whose limit is only for what will never come.
 */
#ifndef UTEST_KERNELSHARK_PROGRAM_DRIVER_HPP
#define UTEST_KERNELSHARK_PROGRAM_DRIVER_HPP

#include <functional>

#include <QDebug>
#include <QMainWindow>
#include <QStringList>
#include <QWidget>
#include <QtTest>

class QAbstractItemModel;
class QAction;
class QDialog;
class QTableView;

class Driver {
public:
	enum { PATIENCE = 30000 }; /* ms; machines of tests may be slow */

	explicit Driver(QMainWindow *window) : window_(window) {}

	/* Assertions.  All return whether they held. */
	bool ok(const QString &what, bool held, const QString &why = QString());
	template <class T, class U>
	bool is(const QString &what, const T &got, const U &expected)
	{
		return ok(what, got == T(expected), differ(text(got), text(T(expected))));
	}
	/* @got matches a regular expression anywhere. */
	bool like(const QString &what, const QString &got, const QString &regex);
	/* A line that explains, not an assertion. */
	void note(const QString &text);
	int count() const { return count_; }
	/* The program is to end behind the plan without its destructors. */
	void endAtOnce() { at_once_ = true; }
	bool endsAtOnce() const { return at_once_; }

	/* Handle events until @done is true; false: it did not become true in time. */
	bool waitUntil(const std::function<bool()> &done, int ms = PATIENCE);
	/* Until nothing is being loaded, and all events that are there were handled. */
	bool settle();
	/* KernelShark shows a bar of progress while it loads, and handles events meanwhile. */
	static bool isLoading();

	/* Widgets.  A widget that is missing is "not ok", and nullptr is returned. */
	QMainWindow *window() { return window_; }
	/* By object name, in the whole program. */
	QWidget *widget(const QString &name);
	template <class T> T *find(const QString &name)
	{
		T *found = qobject_cast<T *>(widget(name));

		if (!found)
			ok(name + " is a " + T::staticMetaObject.className(), false);
		return found;
	}
	/* By the name of its class, for what KernelShark gives no object names. */
	QWidget *widgetOf(const char *className);
	/* True where there is a visible widget of this name. */
	bool shows(const QString &name);

	/* Mouse and keyboard, to a widget that is shown.  Positions are the widget's. */
	void click(QWidget *w, QPoint at = QPoint(), Qt::KeyboardModifiers keys = Qt::NoModifier);
	void doubleClick(QWidget *w, QPoint at = QPoint());
	void drag(QWidget *w, QPoint from, QPoint to, Qt::KeyboardModifiers keys = Qt::NoModifier);
	void hover(QWidget *w, QPoint at);
	void type(QWidget *w, const QString &text); /* replaces what is in a line edit */
	void key(QWidget *w, Qt::Key key, Qt::KeyboardModifiers keys = Qt::NoModifier);
	/* The tool tip that comes at a place; "" if none does. */
	QString toolTip(QWidget *w, QPoint at);
	/* Choose an item of a combo box by its text, as by keyboard; false: no such item. */
	bool choose(QWidget *combo, const QString &item);

	/*
	 * Menus of the main window: "File/Sessions/Export Session".  trigger() opens none,
	 * it runs the action.  Where a modal dialog comes of it, @answer is called
	 * with the dialog and must end it; without one the dialog is "not ok" and closed.
	 */
	QAction *action(const QString &path);
	bool trigger(const QString &path, const std::function<void(QDialog *)> &answer = nullptr);
	/* Do something that may open a modal dialog.  True if one came and was answered. */
	bool answering(const std::function<void()> &deed, const std::function<void(QDialog *)> &answer);

	/* KernelShark: by its menus, with paths as data() and work() make them. */
	bool open(const QString &path);
	bool append(const QString &path);
	bool exportSession(const QString &path);
	bool importSession(const QString &path);
	bool restoreSession();
	bool addPlugin(const QString &path);

	/* KernelShark's list of events; the text of a column of each row. */
	QAbstractItemModel *list();
	QTableView *listView();
	int rows();
	QStringList column(const QString &header);
	/* The first row whose column holds a text; -1 */
	int findRow(const QString &header, const QString &text);
	/* Click on a row of it; it becomes the active marker, in the graph too. */
	void selectRow(int row);

	/* Files: test data, and the folder of this test, which later stages share. */
	static QString data(const QString &name);
	static QString work(const QString &name);
	/* CHECK_LONG is set: more than a sample is asked for. */
	static bool isLong();

	/* A picture of a widget, for the manual and for eyes: pictures/NAME.png in work(). */
	bool picture(const QString &name, QWidget *w = nullptr);

	/* Close the main window as its frame's button does; the program ends then. */
	void close();

private:
	template <class T> static QString text(const T &value)
	{
		QString s;

		QDebug(&s).nospace().noquote() << value;
		return s;
	}
	static QString differ(const QString &got, const QString &expected);
	bool fileDialog(const QString &menu, const QString &path);

	QMainWindow *window_;
	int count_ = 0;
	bool at_once_ = false;
};

typedef void (*ScenarioFunction)(Driver &d);

/* All scenarios that were linked. */
class Scenario {
public:
	Scenario(const char *name, ScenarioFunction run) : name(name), run(run), next(first)
	{
		first = this;
	}

	const char *name;
	ScenarioFunction run;
	Scenario *next;
	static Scenario *first;
};

#define SCENARIO(name)                                                                             \
	static void scenario_##name(Driver &d);                                                    \
	static Scenario entry_##name(#name, scenario_##name);                                      \
	static void scenario_##name(Driver &d)

#endif
