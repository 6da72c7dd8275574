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
#include <QtEndian>

#include "utest/kernelshark/program/driver_panel.hpp"

/* How many histograms can be chosen; waits for it to become @expected. */
static int histograms(Driver &d, int expected)
{
	QComboBox *combo = d.find<QComboBox>("hist_choose");

	d.waitUntil([&] { return combo && combo->count() == expected && panelSettled(d); }, 10000);
	return combo ? combo->count() : -1;
}

/* The same of the file at @path: another file can have as many. */
static bool histogramsOf(Driver &d, const QString &path, int expected)
{
	QComboBox *combo = d.find<QComboBox>("hist_choose");

	return histograms(d, expected) == expected && d.waitUntil([&] {
		return combo->itemData(0, Qt::ToolTipRole).toString().contains(path) &&
		       panelSettled(d);
	});
}

/* -p without a file, then everything by menus, in changing order. */
SCENARIO(files)
{
	const QString own = d.data("shark.dat"), events = d.data("events.dat");

	d.ok("the panel is visible without a file", d.shows("hist_panel"));
	d.is("the panel has no histogram without a file", histograms(d, 0), 0);
	d.ok("a file with histograms can be opened", d.open(own));
	d.is("the panel has the histograms of the file", histograms(d, 3), 3);
	d.is("the panel has one draw handler", drawHandlers(), 1);
	d.ok("a file without histograms can be opened", d.open(events));
	d.is("the histograms of the closed file are gone", histograms(d, 0), 0);
	d.ok("the first file can be opened again", d.open(own));
	d.is("the histograms of the first file are back", histograms(d, 3), 3);
	d.ok("a file without histograms can be appended", d.append(events));
	d.is("the histograms stay if a file is appended", histograms(d, 3), 3);
	d.ok("a file without histograms can be opened first", d.open(events));
	d.ok("a file with histograms can be appended", d.append(own));
	d.is("the panel has the histograms of the appended file", histograms(d, 3), 3);
	d.ok("the appended file has a draw handler of the panel",
	     d.waitUntil([&] { return drawHandlers(1) == 1; }));
	d.ok("a session can be written", d.exportSession(d.work("files.json")));
	d.ok("a file can be opened after the session is written", d.open(events));
	d.is("the panel has no histogram of a file without histograms", histograms(d, 0), 0);
	/* KernelShark cannot restore streams of buffers; what it leaves must not matter */
	d.ok("the session can be read", d.importSession(d.work("files.json")));
	d.settle();
	for (int i = 0; i < 5; i++) {
		d.open(i & 1 ? events : own);
		if (i & 2)
			d.append(own);
	}
	d.is("the panel has the histograms after quick changes of files", histograms(d, 3), 3);
	d.is("the panel still has one draw handler", drawHandlers(), 1);
	d.ok("a second recording is copied for the next stage",
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
		d.ok("a file can be opened while the graph is painted", d.open(own));
		d.ok("a file can be appended while the graph is painted", d.append(events));
		d.is("the panel has the histograms of both files", histograms(d, 5), 5);
	}
	storm.stop();
	d.note(QString("asked to paint %1 times").arg(asked));
	d.ok("the graph is asked to paint while files are loaded", asked >= 8);
}

SCENARIO(life_session_write)
{
	d.is("the panel has the histograms of the file", histograms(d, 3), 3);
	d.ok("a session can be written", d.exportSession(d.work("panel.json")));
}

/*
 * The plugin comes by the session alone.  The events do not come: KernelShark cannot
 * restore streams of buffers (scenario_list.cpp); of a top buffer see scenario_views.cpp.
 */
SCENARIO(life_session_read)
{
	d.ok("the session shows the panel", d.waitUntil([&] { return d.shows("hist_panel"); }));
	d.is("the panel has the histograms of the session", histograms(d, 3), 3);
	d.is("the Tools menu has the panel", d.action("Tools/Histograms") != nullptr, true);
}

/* A recording without events; KernelShark does not keep such a file open. */
SCENARIO(without_events)
{
	d.is("KernelShark reports a file without events",
	     withDialogs(d, "File/Open Trace File", d.data("recorded.dat")), 2);
	d.ok("the panel has the histograms of a file without events", histograms(d, 3) > 0);
	d.ok("the panel has the whole window", d.waitUntil([&] {
		return !d.window()->centralWidget()->isVisible() &&
		       d.widget("hist_panel")->height() > d.window()->height() * 2 / 3;
	}));
	d.picture("kernelshark-alone");
	d.ok("a file with events can be opened", d.open(d.data("shark.dat")));
	d.ok("the graph is there again", d.waitUntil([&] {
		return d.window()->centralWidget()->isVisible() && graphState(d).any() &&
		       d.widget("hist_panel")->height() < d.window()->height() / 2;
	}));
	d.is("the panel has the histograms of the file with events", histograms(d, 3), 3);
}

/* What is damaged is told; the rest is shown. */
SCENARIO(damaged)
{
	QFile::copy(d.data("shark.dat"), d.work("damaged.dat"));
	QFile file(d.work("damaged.dat"));
	QByteArray bytes;

	file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
	if (!d.ok("a damaged file can be written", file.open(QFile::ReadWrite)))
		return;
	bytes = file.readAll();
	for (int at = bytes.size() * 8 / 10; at < bytes.size() - 600; at += 997)
		bytes[at] = char(bytes[at] ^ 0x55);
	file.seek(0);
	file.write(bytes);
	file.close();
	d.ok("the damaged file can be opened", d.open(d.work("damaged.dat")));
	d.note(QString("%1 histograms, %2").arg(histograms(d, 3)).arg(labelText(d, "hist_notes")));
	d.ok("an intact file can be opened after the damaged file", d.open(d.data("shark.dat")));
	d.is("the panel has the histograms of the intact file", histograms(d, 3), 3);
}

/*
 * A byte flipped in the middle of each section of events: KernelShark refuses some of these files,
 * and the panel shows the histograms of all of them.
 */
SCENARIO(refused)
{
	QFile source(d.data("shark.dat"));
	QByteArray intact;
	int refused = 0, shown = 0, tried = 0;

	if (!d.ok("the recording can be read", source.open(QFile::ReadOnly)))
		return;
	intact = source.readAll();
	/* after the names, endianness, sizes, compression and its version: 8 bytes, then sections */
	int at = intact.indexOf('\0', 10) + 7;
	at = intact.indexOf('\0', intact.indexOf('\0', at) + 1) + 9;
	while (at + 16 < intact.size()) {
		const uchar *section = reinterpret_cast<const uchar *>(intact.constData()) + at;
		const qint64 size = qFromLittleEndian<qint64>(section + 8);
		const quint16 id = qFromLittleEndian<quint16>(section);
		const QString path = d.work(QString("refused.%1.dat").arg(tried));
		QByteArray bytes = intact;
		QFile file(path);

		at += 16 + int(size);
		/* not those of histograms, and options, which can locate them */
		if (id == 0x9157 || !id || !size)
			continue;
		tried++;
		bytes[at - int(size) / 2] = char(bytes[at - int(size) / 2] ^ 0x55);
		if (!d.ok("a damaged file can be written", file.open(QFile::WriteOnly)) ||
		    file.write(bytes) != bytes.size())
			return;
		file.close();
		refused += withDialogs(d, "File/Open Trace File", path) == 2;
		if (histogramsOf(d, path, 3)) {
			d.choose(d.widget("hist_source"), "Whole recording");
			setView(d, "Table");
			panelSettled(d);
			if (tableRows(d) == reportRows(report(d, path, { "-e", "sched:sched_switch" })))
				shown++;
			else
				d.note(QString("section %1 at %2: %3").arg(id).arg(at)
				       .arg(labelText(d, "hist_notes")));
		} else {
			d.note(QString("section %1 at %2: %3 histograms, perhaps of another file")
			       .arg(id).arg(at).arg(histograms(d, 3)));
		}
	}
	d.note(QString("%1 damaged files, %2 refused by KernelShark").arg(tried).arg(refused));
	d.ok("KernelShark refuses some of the damaged files", refused > 0);
	d.is("the panel shows the totals of the report of each damaged file", shown, tried);
	d.ok("an intact file can be opened after a refused file", d.open(d.data("shark.dat")));
	d.is("the panel has the histograms of the intact file", histograms(d, 3), 3);
	/* both files have three histograms: the text of the second one may be still to come */
	d.ok("the panel does not mention the refused file", d.waitUntil([&] {
		return !labelText(d, "hist_notes").contains("KernelShark");
	}));
}

/* A file of the stage before, with a damaged header: given to -i, and appended. */
SCENARIO(refused_first)
{
	const QString path = d.work("refused.0.dat");

	d.ok("the panel has the histograms of a refused file of the command line",
	     histogramsOf(d, path, 3));
	d.ok("an intact file can be opened after it", d.open(d.data("shark.dat")));
	d.ok("the panel has the histograms of the intact file",
	     histogramsOf(d, d.data("shark.dat"), 3));
	d.is("KernelShark refuses to append the damaged file",
	     withDialogs(d, "File/Append Trace File", path), 2);
	d.is("the panel has the histograms of both files", histograms(d, 6), 6);
}

/* Loaded by the menu, with a file open already, and then once more. */
SCENARIO(add_plugin)
{
	const QString plugin = qEnvironmentVariable("KSHIST_PANEL");

	d.is("Tools > Add plugins asks for a file and for its streams",
	     withDialogs(d, "Tools/Add plugins", plugin), 2);
	d.ok("the added plugin shows the panel",
	     d.waitUntil([&] { return d.shows("hist_panel"); }));
	d.is("the panel has the histograms of the open file", histograms(d, 3), 3);
	QFile::copy(plugin, d.work("lib/plugin-another.so"));
	d.is("the same plugin can be added from another file",
	     withDialogs(d, "Tools/Add plugins", d.work("lib/plugin-another.so")), 2);
	d.is("the window still has one panel",
	     d.window()->findChildren<QDockWidget *>("hist_panel").size(), 1);
	d.is("the panel still has the histograms of the open file", histograms(d, 3), 3);
	d.ok("a file can be opened after the plugin is added", d.open(d.data("shark.dat")));
	d.is("the panel has the histograms of the new file", histograms(d, 3), 3);
}

/*
 * The command line loaded and unloaded it (-p -u).  At its end KernelShark writes the names of
 * its plugins into the session, that of the unloaded one from memory that it has freed, and
 * crashes now and then: that is not looked at.
 */
SCENARIO(unloaded)
{
	d.endAtOnce();
	d.ok("unloading the plugin removes the panel",
	     d.waitUntil([&] { return !d.shows("hist_panel"); }));
}

/* -i and -a, the panel hidden, and the end. */
SCENARIO(appended)
{
	d.is("the panel has the histograms of both files", histograms(d, 6), 6);
	d.find<QDockWidget>("hist_panel")->close();
	d.settle();
	d.is("the closed panel is hidden", d.shows("hist_panel"), false);
	d.ok("a file can be opened while the panel is hidden", d.open(d.data("shark.dat")));
	d.find<QDockWidget>("hist_panel")->show();
	d.is("the panel has the histograms of the new file", histograms(d, 3), 3);
	d.find<QDockWidget>("hist_panel")->setFloating(true);
	d.settle();
	d.is("the floating panel has the histograms of the new file", histograms(d, 3), 3);
}

SCENARIO(nothing)
{
	d.ok("the program starts without a file", true);
}
