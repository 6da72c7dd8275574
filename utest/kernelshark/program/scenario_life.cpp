// SPDX-License-Identifier: GPL-2.0
/*
 * scenario_life.cpp - the panel comes, stays and goes with KernelShark's files
 *
 * What must not crash: run.sh judges that after each of these.
 */
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QTimer>

#include "utest/kernelshark/program/driver_panel.hpp"

/* How many histograms can be chosen; waits for it to become @expected. */
static int histograms(Driver &d, int expected)
{
	QComboBox *combo = d.find<QComboBox>("hist_choose");

	d.waitUntil([&] { return combo && combo->count() == expected && panelSettled(d); }, 10000);
	return combo ? combo->count() : -1;
}

/* -p without a file, then everything by menus, in changing order. */
SCENARIO(files)
{
	const QString own = d.data("shark.dat"), events = d.data("events.dat");

	d.ok("the panel is there without a file", d.shows("hist_panel"));
	d.is("it has no histogram", histograms(d, 0), 0);
	d.ok("a file with histograms", d.open(own));
	d.is("they are there", histograms(d, 3), 3);
	d.is("with one draw handler", drawHandlers(), 1);
	d.ok("one without", d.open(events));
	d.is("they are gone", histograms(d, 0), 0);
	d.ok("the first again", d.open(own));
	d.is("they are back", histograms(d, 3), 3);
	d.ok("one without appended", d.append(events));
	d.is("they stay", histograms(d, 3), 3);
	d.ok("one without first", d.open(events));
	d.ok("and one with them appended", d.append(own));
	d.is("an appended file has them too", histograms(d, 3), 3);
	d.ok("though KernelShark gives it no plugins", d.waitUntil([&] { return drawHandlers(1) == 1; }));
	d.ok("a session is written", d.exportSession(d.work("files.json")));
	d.ok("a file is opened", d.open(events));
	d.is("without them", histograms(d, 0), 0);
	/* KernelShark cannot restore streams of buffers; what it leaves must not matter */
	d.ok("the session is read", d.importSession(d.work("files.json")));
	d.settle();
	for (int i = 0; i < 5; i++) {
		d.open(i & 1 ? events : own);
		if (i & 2)
			d.append(own);
	}
	d.is("after quick changes they are there", histograms(d, 3), 3);
	d.is("and no draw handler has come twice", drawHandlers(), 1);
	d.ok("a second recording, for the next stage",
	     QFile::copy(d.data("shark.dat"), d.work("second.dat")));
}

/*
 * The graph is asked to paint all the time while files are loaded: KernelShark paints it
 * from data that its loading thread has freed.  The panel keeps it from that.
 */
SCENARIO(paint_while_loading)
{
	const QString own = d.data("many.dat"), events = d.data("shark.dat");
	QWidget *graph = d.widgetOf("KsGLWidget");
	int asked = 0;
	QTimer storm;

	QObject::connect(&storm, &QTimer::timeout, [&] {
		if (!Driver::isLoading())
			return;
		asked++;
		graph->repaint();
	});
	storm.start(0);
	for (int i = 0; i < 4; i++) {
		d.ok("a file is opened", d.open(own));
		d.ok("one is appended", d.append(events));
		d.is("both are there", histograms(d, 5), 5);
	}
	storm.stop();
	d.note(QString("asked to paint %1 times").arg(asked));
	d.ok("the graph was asked to paint meanwhile", asked >= 8);
}

SCENARIO(life_session_write)
{
	d.is("histograms of the file", histograms(d, 3), 3);
	d.ok("a session is written", d.exportSession(d.work("panel.json")));
}

/*
 * The plugin comes by the session alone.  The events do not come: KernelShark cannot
 * restore streams of buffers (scenario_list.cpp); of a top buffer see scenario_views.cpp.
 */
SCENARIO(life_session_read)
{
	d.ok("the panel is there", d.waitUntil([&] { return d.shows("hist_panel"); }));
	d.is("with the histograms of the session", histograms(d, 3), 3);
	d.is("the tools menu has it", d.action("Tools/Histograms") != nullptr, true);
}

/* A recording without events; KernelShark does not keep such a file open. */
SCENARIO(without_events)
{
	d.is("KernelShark says that there are no events",
	     withDialogs(d, "File/Open Trace File", d.data("recorded.dat")), 2);
	d.ok("its histograms are shown all the same", histograms(d, 3) > 0);
	d.ok("a file with events", d.open(d.data("shark.dat")));
	d.is("has its own", histograms(d, 3), 3);
}

/* What is damaged is told; the rest is shown. */
SCENARIO(damaged)
{
	QFile::copy(d.data("shark.dat"), d.work("damaged.dat"));
	QFile file(d.work("damaged.dat"));
	QByteArray bytes;

	file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
	if (!d.ok("a damaged file is made", file.open(QFile::ReadWrite)))
		return;
	bytes = file.readAll();
	for (int at = bytes.size() * 8 / 10; at < bytes.size() - 600; at += 997)
		bytes[at] = char(bytes[at] ^ 0x55);
	file.seek(0);
	file.write(bytes);
	file.close();
	d.ok("it is opened", d.open(d.work("damaged.dat")));
	d.note(QString("%1 histograms, %2").arg(histograms(d, 3)).arg(labelText(d, "hist_notes")));
	d.ok("and another one", d.open(d.data("shark.dat")));
	d.is("with its histograms", histograms(d, 3), 3);
}

/* Loaded by the menu, with a file open already, and then once more. */
SCENARIO(add_plugin)
{
	const QString plugin = qEnvironmentVariable("KSHIST_PANEL");

	d.is("Tools > Add plugins, and for which streams", withDialogs(d, "Tools/Add plugins", plugin), 2);
	d.ok("the panel is there", d.waitUntil([&] { return d.shows("hist_panel"); }));
	d.is("with the histograms of the open file", histograms(d, 3), 3);
	QFile::copy(plugin, d.work("lib/plugin-another.so"));
	d.is("the same from another file",
	     withDialogs(d, "Tools/Add plugins", d.work("lib/plugin-another.so")), 2);
	d.is("there is still one panel", d.window()->findChildren<QDockWidget *>("hist_panel").size(), 1);
	d.is("which works", histograms(d, 3), 3);
	d.ok("a file", d.open(d.data("shark.dat")));
	d.is("histograms of it", histograms(d, 3), 3);
}

/*
 * The command line loaded and unloaded it (-p -u).  At its end KernelShark writes the names of
 * its plugins into the session, that of the unloaded one from memory that it has freed, and
 * crashes now and then: that is not looked at.
 */
SCENARIO(unloaded)
{
	d.endAtOnce();
	d.ok("the panel goes", d.waitUntil([&] { return !d.shows("hist_panel"); }));
}

/* -i and -a, the panel hidden, and the end. */
SCENARIO(appended)
{
	d.is("histograms of both files", histograms(d, 6), 6);
	d.find<QDockWidget>("hist_panel")->close();
	d.settle();
	d.is("hidden", d.shows("hist_panel"), false);
	d.ok("a file is opened meanwhile", d.open(d.data("shark.dat")));
	d.find<QDockWidget>("hist_panel")->show();
	d.is("it has followed", histograms(d, 3), 3);
	d.find<QDockWidget>("hist_panel")->setFloating(true);
	d.settle();
	d.is("floating it works as well", histograms(d, 3), 3);
}

SCENARIO(nothing)
{
	d.ok("the program has started", true);
}
