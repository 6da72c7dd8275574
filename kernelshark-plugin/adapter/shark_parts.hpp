/* SPDX-License-Identifier: GPL-2.0 */
/*
 * shark_parts.hpp - the objects of KernelShark's window that the adapter needs
 *
 * KernelShark installs no header for its window.  What is in it is found by the
 * names of the classes in the tree of Qt objects, which are the same in 2.2 and 2.3,
 * and spoken to by signals, whose names Qt keeps: a signal that somebody else sends
 * works like one of its own.  A part that is missing costs what needs it, no more: what
 * sends a signal is false then.
 */
#ifndef KERNELSHARK_PLUGIN_ADAPTER_SHARK_PARTS_HPP
#define KERNELSHARK_PLUGIN_ADAPTER_SHARK_PARTS_HPP

#include <cstddef>

#include <QAbstractItemView>
#include <QLabel>
#include <QMainWindow>
#include <QPointer>
#include <QWidget>

struct SharkParts {
	/* All that is to be found in @window; nothing is created or connected. */
	explicit SharkParts(QMainWindow *window);

	/* KernelShark's own window among all of the program; null: there is none (yet). */
	static QMainWindow *window();
	/* A file is being loaded: its progress bar is on the screen. */
	static bool loading();

	/* Like a double click on the entry in @row: the active marker goes there. */
	bool selectRow(size_t row) const;
	/* Show @row at the top of the list. */
	bool showRow(size_t row) const;
	/* Read all events anew, through all filters, and show them. */
	bool reload() const;

	QPointer<QMainWindow> main;
	QPointer<QWidget> graph;	/* KsGLWidget: what draws the time line */
	QPointer<QAbstractItemView> list; /* the events as a table */
	QPointer<QObject> plugins;	/* KsPluginManager: dataReload() reads all files anew */
	QPointer<QObject> data;		/* KsDataStore: sends updateWidgets() */
	QPointer<QLabel> marker[2];	/* the times of markers A and B, in microseconds */
	QPointer<QLabel> delta;		/* B - A, in nanoseconds */
};

#endif
