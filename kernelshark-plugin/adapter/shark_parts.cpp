// SPDX-License-Identifier: GPL-2.0
/* shark_parts.cpp - find the objects of KernelShark's window that the adapter needs */
#include <algorithm>
#include <cstdlib>

#include <QAction>
#include <QApplication>
#include <QErrorMessage>
#include <QFileInfo>
#include <QMetaObject>
#include <QRegularExpression>
#include <QTextEdit>
#include <QToolBar>

#include <libkshark-model.h>
#include <libkshark.h>

#include "kernelshark-plugin/adapter/shark_parts.hpp"

kshark_context *sharkContext()
{
	kshark_context *context = nullptr;

	return kshark_instance(&context) ? context : nullptr;
}

QList<kshark_data_stream *> sharkStreams(kshark_context *context)
{
	QList<kshark_data_stream *> streams;
	int *ids = kshark_all_streams(context);

	for (int i = 0; ids && i < context->n_streams; i++)
		if (kshark_data_stream *stream = kshark_get_data_stream(context, ids[i]))
			streams.append(stream);
	free(ids);
	return streams;
}

size_t sharkRowAt(const kshark_trace_histo *histo, qint64 time)
{
	const auto before = [](const kshark_entry *entry, qint64 t) { return entry->ts < t; };

	return size_t(std::lower_bound(histo->data, histo->data + histo->data_size, time, before) -
		      histo->data);
}

static bool isA(const QObject *object, const char *name)
{
	const QMetaObject *meta;

	for (meta = object->metaObject(); meta; meta = meta->superClass())
		if (!qstrcmp(meta->className(), name))
			return true;
	return false;
}

static QObject *find(const QObject *root, const char *name)
{
	const QList<QObject *> all = root->findChildren<QObject *>();

	for (QObject *object : all)
		if (isA(object, name))
			return object;
	return nullptr;
}

/*
 * The toolbar of the markers contains a button and a label for A, the same for B, and
 * two labels for the difference. The labels do not have names, so they are identified
 * by their order.
 */
static bool findMarkers(SharkParts *parts, const QToolBar *bar)
{
	const QList<QAction *> actions = bar->actions();
	int button = -1;
	QLabel *last = nullptr;

	for (QAction *action : actions) {
		QWidget *widget = bar->widgetForAction(action);
		QLabel *label = qobject_cast<QLabel *>(widget);

		if (!widget)
			continue;
		if (isA(widget, "KsMarkerButton")) {
			if (++button < 2)
				parts->button[button] = qobject_cast<QAbstractButton *>(widget);
		}
		if (label && button >= 0 && button < 2 && !parts->marker[button])
			parts->marker[button] = label;
		if (label)
			last = label;
	}
	if (button == 1 && parts->marker[0] && parts->marker[1])
		parts->delta = last;
	return button == 1;
}

SharkParts::SharkParts(QMainWindow *window) : main(window)
{
	const QList<QToolBar *> bars = window->findChildren<QToolBar *>();
	QObject *viewer = find(window, "KsTraceViewer");

	graph = qobject_cast<QWidget *>(find(window, "KsGLWidget"));
	plugins = find(window, "KsPluginManager");
	data = find(window, "KsDataStore");
	if (viewer)
		list = viewer->findChild<QAbstractItemView *>();
	for (const QToolBar *bar : bars)
		if (findMarkers(this, bar))
			break;
}

QMainWindow *SharkParts::window()
{
	const QWidgetList all = QApplication::topLevelWidgets();

	for (QWidget *widget : all)
		if (isA(widget, "KsMainWindow"))
			return qobject_cast<QMainWindow *>(widget);
	return nullptr;
}

bool SharkParts::loading()
{
	const QWidgetList all = QApplication::topLevelWidgets();

	for (const QWidget *widget : all)
		if (isA(widget, "KsWidgetsLib::KsProgressBar"))
			return true;
	return false;
}

/*
 * KernelShark's library does not pass a file to plugins if it cannot open the file.  Only this
 * message contains the path then.
 */
QString SharkParts::refused()
{
	static const QRegularExpression words(QStringLiteral("^File (.*) contains no data"),
					      QRegularExpression::DotMatchesEverythingOption);
	const QWidgetList all = QApplication::topLevelWidgets();

	for (const QWidget *widget : all) {
		if (!widget->isVisible() || !qobject_cast<const QErrorMessage *>(widget))
			continue;
		const QTextEdit *text = widget->findChild<QTextEdit *>();
		const QString said = text ? text->toPlainText() : QString();
		const QFileInfo file(words.match(said).captured(1));

		if (file.isFile())
			return file.absoluteFilePath();
	}
	return QString();
}

bool SharkParts::selectRow(size_t row) const
{
	return graph &&
	       QMetaObject::invokeMethod(graph, "select", Qt::DirectConnection,
					 Q_ARG(size_t, row)) &&
	       QMetaObject::invokeMethod(graph, "updateView", Qt::DirectConnection,
					 Q_ARG(size_t, row), Q_ARG(bool, true));
}

bool SharkParts::activate(int which) const
{
	if (!button[which])
		return false;
	button[which]->click();
	return true;
}

bool SharkParts::showRow(size_t row) const
{
	return graph && QMetaObject::invokeMethod(graph, "updateView", Qt::DirectConnection,
						  Q_ARG(size_t, row), Q_ARG(bool, false));
}

bool SharkParts::reload() const
{
	return plugins && QMetaObject::invokeMethod(plugins, "dataReload", Qt::DirectConnection);
}
