/* SPDX-License-Identifier: GPL-2.0 */
/*
 * driver_panel.hpp - what scenarios of the panel look at besides its widgets
 *
 * The graph is asked by a draw handler of the driver's own, and numbers are those of
 * `trace-cmd hist report`: neither goes through the panel.
 */
#ifndef UTEST_KERNELSHARK_PROGRAM_DRIVER_PANEL_HPP
#define UTEST_KERNELSHARK_PROGRAM_DRIVER_PANEL_HPP

#include <QJsonObject>
#include <QList>
#include <QRect>

#include "utest/kernelshark/program/driver.hpp"

class QPushButton;

/* The graph as it was painted last. */
struct GraphState {
	qint64 min = 0, max = -1;
	int bins = 0, left = 0; /* pixel of bin 0 */
	int top = 0;		/* of the first plot of a file */
	qint64 first = 0;	/* when the file's first event was, where it is plotted */

	bool any() const { return max > min; }
	/* the pixel of a time, and the other way round */
	int x(qint64 time) const;
	qint64 time(int x) const;
};

/* Paints the graph and tells; not any() where it shows no data.  Of the file @file. */
GraphState graphState(Driver &d, int file = 0);
QWidget *graphWidget(Driver &d);
/*
 * When that event of the file was that is nearest to a time, of two that are as near the
 * earlier; all that the file holds are looked at.  -1: it holds none.
 */
qint64 nearestEvent(Driver &d, qint64 time, int file = 0);
/* How many draw handlers the last stream of a file has that is of the panel. */
int drawHandlers(int file = 0);

/* The panel has opened all files and shows what was asked for last. */
bool panelSettled(Driver &d);

/* One snapshot as report --format json has it. */
struct Snapshot {
	quint32 seq;
	qint64 time;
	qint64 hits;
};

/* `trace-cmd hist report FILE --format json MORE`: its only histogram. */
QJsonObject report(Driver &d, const QString &file, const QStringList &more);
QList<Snapshot> snapshots(Driver &d, const QString &file, const QString &event);

/*
 * The rows that the panel's table shows, and those of a report, as "key|key|value|value",
 * sorted.
 */
QStringList tableRows(Driver &d);
QStringList tableRows(const QTableView *view);
QStringList reportRows(const QJsonObject &histogram);

/*
 * For a visible window the snapshots that count: the last ones not after its ends;
 * by linear search.  @from, @to: their indices; false: no two.
 */
bool windowOf(const QList<Snapshot> &all, qint64 min, qint64 max, int *from, int *to);

/*
 * The panel's numbers are those of `report --between` for what the graph shows, with
 * @offset added to the clock of the file.
 */
void checkWindow(Driver &d, const QString &what, const QString &file, const QString &event,
		 qint64 offset = 0);

/* Over each snapshot that the graph shows of a file is a mark whose tool tip tells of it. */
void checkMarks(Driver &d, const QString &what, const QList<Snapshot> &all, int file = 0,
		qint64 offset = 0);

/* A click on a tab of the panel: "Bars", "Heat map", "Percentiles", "Table". */
void setView(Driver &d, const QString &name);

/* A button below KernelShark's graph: "-", "+", "<", ">", "- -", "Marker A". */
QPushButton *graphButton(Driver &d, const QString &text);
/* Hold it down for a while: KernelShark moves in a loop till it is let go. */
void hold(Driver &d, QPushButton *button);

/*
 * A menu that asks for a file, and then for more: a message, or for which streams
 * something is meant (all).  How many dialogs came.
 */
int withDialogs(Driver &d, const QString &menu, const QString &path);

/* "Tools/Add Time Offset"; KernelShark 2.2.1 means its first stream, whatever is chosen. */
bool setOffset(Driver &d, double us);
/* "Plots/CPUs", all of all streams; else an appended file is not in the graph. */
bool plotAll(Driver &d);

/* Chooses by a part of the text; false: there is no such item, or several. */
bool chooseLike(Driver &d, const QString &combo, const QString &part);

QString labelText(Driver &d, const QString &name);

/* A click on each bar shows as many events as it counts; "key: value" of its text. */
void clickBars(Driver &d, const QString &what);

/* Texts of the markers in KernelShark's toolbar, without blanks: A, B, B - A. */
QStringList markerTexts(Driver &d);

#endif
