/* SPDX-License-Identifier: GPL-2.0 */
/*
 * shark_parts.hpp - find the objects of KernelShark's window that the adapter needs
 *
 * KernelShark does not install headers for its window. The objects are found by their
 * class names in the tree of Qt objects, which are the same in 2.2 and 2.3. The adapter
 * controls them through signals, which Qt finds by name: a signal that is sent from
 * outside works like one from the object itself. If a part is missing, only the
 * functions that need this part are disabled: those that send a signal return false.
 */
#ifndef KERNELSHARK_PLUGIN_ADAPTER_SHARK_PARTS_HPP
#define KERNELSHARK_PLUGIN_ADAPTER_SHARK_PARTS_HPP

#include <cstddef>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QLabel>
#include <QList>
#include <QMainWindow>
#include <QPointer>
#include <QWidget>

struct kshark_context;
struct kshark_data_stream;
struct kshark_trace_histo;

/* KernelShark's data of all files; null if there is none. */
kshark_context *sharkContext();
/* All streams. */
QList<kshark_data_stream *> sharkStreams(kshark_context *context);
/* The first row that is not before @time, or the number of rows. The data is sorted by time. */
size_t sharkRowAt(const kshark_trace_histo *histo, qint64 time);

struct SharkParts {
	/* Find all parts in @window; does not create or connect anything. */
	explicit SharkParts(QMainWindow *window);

	/* KernelShark's own window among all windows of the program; null: none (yet). */
	static QMainWindow *window();
	/* True while a file is being loaded: KernelShark shows its progress bar. */
	static bool loading();
	/* The path of the file of which a visible message says that it has no events; "": none. */
	static QString refused();

	/* Move the active marker to the entry in @row, like a double click. */
	bool selectRow(size_t row) const;
	/* Make marker A (0) or B (1) the active one. */
	bool activate(int which) const;
	/* Show @row at the top of the list. */
	bool showRow(size_t row) const;
	/* Reload all events through all filters, and show them. */
	bool reload() const;

	QPointer<QMainWindow> main;
	QPointer<QWidget> graph;	/* KsGLWidget: draws the graph */
	QPointer<QAbstractItemView> list; /* the table of events */
	QPointer<QObject> plugins;	/* KsPluginManager: dataReload() reloads all files */
	QPointer<QObject> data;		/* KsDataStore: sends updateWidgets() */
	QPointer<QLabel> marker[2];	/* the times of markers A and B, in microseconds */
	QPointer<QAbstractButton> button[2]; /* make a marker the active one */
	QPointer<QLabel> delta;		/* B - A, in nanoseconds */
};

#endif
