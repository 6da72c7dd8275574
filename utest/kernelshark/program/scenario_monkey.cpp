// SPDX-License-Identifier: GPL-2.0
/*
 * scenario_monkey.cpp - hands that do anything, in the real program, with the panel or without
 *
 * The seed is printed: KSHIST_SEED runs it again, KSHIST_SECONDS says how long, KSHIST_STEPS
 * how many steps at most.  A seed draws the same steps with the panel and without it, so that
 * run.sh can see what KernelShark does wrong by itself.  What it is known not to survive is
 * left out, as in scenario_order.cpp.  Failures are a crash, what the sanitizer finds in the
 * plugin, a hang, and a panel that does not come to rest.
 */
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QPushButton>
#include <QTableView>

#include "utest/kernelshark/fixture/panel_monkey.hpp"
#include "utest/kernelshark/program/driver_panel.hpp"

enum { SECONDS = 60, SAMPLE_SECONDS = 15 }; /* with CHECK_LONG, and without */

static const char *const FILES[] = { "shark.dat", "events.dat", "many.dat", "marks.dat", "recorded.dat", "top.dat" };
static const char *const BUTTONS[] = { "-", "+", "<", ">", "- -", "++", "Marker A", "Marker B" };

static QDockWidget *panelOf(Driver &d)
{
	return d.window()->findChild<QDockWidget *>("hist_panel");
}

/* A marker that is set before the first picture of a file has no graph: setMarkPoints() ends there. */
static void awaitGraph(Driver &d)
{
	graphState(d);
}

static void load(Driver &d, Monkey &monkey, const Monkey::Step &step)
{
	const QString name = FILES[step.part(0, 5)];

	/*
	 * It takes how many rows it has for the number of a stream where a file has no events, and
	 * moves the markers to graphs that it has not made yet.
	 */
	if (step.part(1, 2) || d.rows() <= 0 || name == QLatin1String("recorded.dat") ||
	    !markerTexts(d).join("").isEmpty()) {
		monkey.tell("open " + name);
		withDialogs(d, "File/Open Trace File", d.data(name));
	} else {
		monkey.tell("append " + name);
		withDialogs(d, "File/Append Trace File", d.data(name));
	}
	awaitGraph(d);
}

static void graph(Driver &d, Monkey &monkey, const Monkey::Step &step)
{
	const GraphState state = graphState(d);
	QWidget *gl = graphWidget(d);
	int x, width;

	if (!state.any() || !gl)
		return monkey.tell("nothing in the graph");
	x = state.left + step.part(0, state.bins - 1);
	width = 20 + step.part(1, 300);
	switch (step.part(2, 3)) {
	case 0:
		monkey.tell("zoom in the graph");
		d.drag(gl, QPoint(x, state.top), QPoint(qMin(x + width, state.left + state.bins - 1), state.top));
		return;
	case 1:
		monkey.tell("double click over the graph");
		d.doubleClick(gl, QPoint(x, state.top - 6));
		return;
	case 2:
		monkey.tell("tool tip over the graph");
		d.toolTip(gl, QPoint(x, state.top - 6));
		return;
	default:
		monkey.tell("hover over the graph");
		d.hover(gl, QPoint(x, state.top - 6));
	}
}

/* KernelShark's own widgets, and the window. */
static void program(Driver &d, Monkey &monkey, const Monkey::Step &step)
{
	QDockWidget *panel = panelOf(d);
	QPushButton *button;
	QString text;

	if (QApplication::activePopupWidget())
		return monkey.touchWith(nullptr, step);
	switch (step.what % 10) {
	case 0:
		return load(d, monkey, step);
	case 1:
		text = BUTTONS[step.part(0, 7)];
		monkey.tell("button " + text);
		button = graphButton(d, text);
		if (button && button->isEnabled())
			text.size() == 1 ? hold(d, button) : d.click(button);
		return;
	case 2:
		monkey.tell("size of the window");
		d.window()->resize(500 + step.part(0, 850), 450 + step.part(1, 500));
		return;
	case 3:
		if (!panel)
			return monkey.tell("no panel");
		monkey.tell("the panel floats, hides, or grows");
		if (step.part(0, 2) == 0)
			panel->setFloating(!panel->isFloating());
		else if (step.part(0, 2) == 1)
			panel->setVisible(!panel->isVisible());
		else
			d.window()->resizeDocks({ panel }, { 120 + step.part(1, 400) }, Qt::Vertical);
		return;
	case 4:
		if (d.rows() <= 0)
			return monkey.tell("no rows");
		monkey.tell("a row of the list");
		d.selectRow(step.part(0, d.rows() - 1));
		return;
	case 5:
		monkey.tell("all events");
		if (d.action("Filter/Clear all filters")->isEnabled())
			d.trigger("Filter/Clear all filters");
		return;
	default:
		return graph(d, monkey, step);
	}
}

SCENARIO(monkey)
{
	const unsigned int seed = Monkey::seed();
	const qint64 limit = Monkey::seconds(Driver::isLong() ? SECONDS : SAMPLE_SECONDS) * 1000ll;
	const int most = Monkey::steps(INT_MAX);
	bool settled = true;
	QElapsedTimer timer;
	int n = 0;

	d.note(QString("KSHIST_SEED=%1").arg(seed));
	Monkey monkey(seed, [&](const QString &what) { d.note(QString("%1: %2").arg(n).arg(what)); });
	awaitGraph(d);
	timer.start();
	for (; settled && n < most && timer.elapsed() < limit; n++) {
		const Monkey::Step step = monkey.next();

		if (step.what < 65)
			monkey.touch(panelOf(d), step);
		else
			program(d, monkey, step);
		/* now and then more is done before what was asked for comes */
		if (step.n[0] % 3)
			QCoreApplication::processEvents();
		else
			settled = panelOf(d) ? panelSettled(d) : d.settle();
	}
	/* run.sh does as many without the panel */
	d.note(QString("KSHIST_STEPS=%1").arg(n));
	while (QWidget *popup = QApplication::activePopupWidget())
		popup->close();
	settled = settled && (panelOf(d) ? panelSettled(d) : d.settle());
	d.ok("the program comes to rest after random input", settled);
	withDialogs(d, "File/Open Trace File", d.data("shark.dat"));
	d.ok("a file can be opened after random input", d.rows() > 0);
}
