// SPDX-License-Identifier: GPL-2.0
/*
 * driver_panel.cpp - what scenarios of the panel look at besides its widgets
 */
#include <cstdlib>

#include <dlfcn.h>

#include <QAbstractItemModel>
#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QProcess>
#include <QRegularExpression>
#include <QTableView>
#include <QToolBar>

#include <KsPlugins.hpp>
#include <libkshark-model.h>
#include <libkshark-plugin.h>
#include <libkshark.h>

#include "utest/kernelshark/program/driver_panel.hpp"

/* Filled by the handler, which is there only while graphState() waits for a repaint. */
static GraphState seen;
static bool painted;
static QList<int> wanted; /* streams of the file */

/* Of @wanted; -1 */
static qint64 nearest(const kshark_trace_histo *histo, qint64 time)
{
	qint64 best = -1;

	for (size_t i = 0; i < histo->data_size; i++) {
		const qint64 ts = histo->data[i]->ts;

		if (wanted.contains(histo->data[i]->stream_id) &&
		    (best < 0 || (time != INT64_MIN && std::abs(ts - time) < std::abs(best - time))))
			best = ts;
	}
	return best;
}

static qint64 searched; /* for nearestEvent() */
static qint64 found;

static void draw(kshark_cpp_argv *arguments, int stream, int, int)
{
	const KsCppArgV *a = KS_ARGV_TO_CPP(arguments);

	if (painted || !wanted.contains(stream))
		return;
	painted = true;
	seen.min = a->_histo->min;
	seen.max = a->_histo->max;
	seen.bins = a->_graph->size();
	seen.left = a->_graph->bin(0)._base.x();
	seen.top = a->_graph->base() - a->_graph->height();
	seen.first = nearest(a->_histo, INT64_MIN);
	found = nearest(a->_histo, searched);
}

int GraphState::x(qint64 time) const
{
	return left + int(double(time - min) * bins / double(max - min));
}

qint64 GraphState::time(int x) const
{
	return min + qint64(double(x - left) * double(max - min) / bins);
}

QWidget *graphWidget(Driver &d)
{
	return d.widgetOf("KsGLWidget");
}

/* The open streams of the file that was opened as number @file. */
static QList<kshark_data_stream *> streamsOf(int file)
{
	kshark_context *context = nullptr;
	QList<kshark_data_stream *> streams;
	QStringList files;
	int *ids;

	if (!kshark_instance(&context) || !context->n_streams)
		return streams;
	ids = kshark_all_streams(context);
	for (int i = 0; i < context->n_streams; i++) {
		kshark_data_stream *stream = kshark_get_data_stream(context, ids[i]);

		if (!files.contains(stream->file))
			files << stream->file;
		if (files.indexOf(stream->file) == file)
			streams << stream;
	}
	free(ids);
	return streams;
}

GraphState graphState(Driver &d, int file)
{
	QWidget *graph = graphWidget(d);
	const QList<kshark_data_stream *> streams = streamsOf(file);

	seen = GraphState();
	painted = false;
	wanted.clear();
	if (!graph || streams.isEmpty())
		return seen;
	for (kshark_data_stream *stream : streams) {
		wanted << stream->stream_id;
		kshark_register_draw_handler(stream, draw);
	}
	graph->update();
	if (!d.waitUntil([] { return painted; }, 5000))
		d.note("the graph was not painted");
	for (kshark_data_stream *stream : streams)
		kshark_unregister_draw_handler(stream, draw);
	return seen;
}

qint64 nearestEvent(Driver &d, qint64 time, int file)
{
	found = -1;
	searched = time;
	graphState(d, file);
	return found;
}

/* Whose a handler is tells the file that its code is in. */
int drawHandlers(int file)
{
	const QList<kshark_data_stream *> streams = streamsOf(file);
	Dl_info info;
	int n = 0;

	if (streams.isEmpty())
		return 0;
	for (const kshark_draw_handler *h = streams.last()->draw_handlers; h; h = h->next)
		n += dladdr(reinterpret_cast<void *>(h->draw_func), &info) &&
		     QByteArray(info.dli_fname).contains("hist_panel");
	return n;
}

bool panelSettled(Driver &d)
{
	QWidget *panel = d.widget("hist_panel");
	bool idle = false;

	if (!panel || !d.settle())
		return false;
	/* the adapter looks in a timer, and answers of the worker are queued */
	return d.waitUntil([&] {
		d.settle();
		if (!QMetaObject::invokeMethod(panel, "idle", Q_RETURN_ARG(bool, idle)))
			return false;
		return idle;
	});
}

QJsonObject report(Driver &d, const QString &file, const QStringList &more)
{
	QProcess process;
	QJsonParseError error;
	QJsonDocument document;

	process.start(d.work("bin/trace-cmd-hist"),
		      QStringList() << "report" << file << "--format" << "json" << more);
	process.waitForFinished(60000);
	document = QJsonDocument::fromJson(process.readAllStandardOutput(), &error);
	if (process.exitCode() || document.isNull()) {
		d.ok("trace-cmd hist report prints JSON with " + more.join(' '), false,
		     QString::fromUtf8(process.readAllStandardError()) + error.errorString());
		return QJsonObject();
	}
	return document.object()["histograms"].toArray()[0].toObject();
}

QList<Snapshot> snapshots(Driver &d, const QString &file, const QString &event)
{
	const QJsonArray all = report(d, file, { "-e", event, "--snapshot", "all" })["snapshots"].toArray();
	QList<Snapshot> list;

	for (const QJsonValue &s : all)
		list.append({ quint32(s["seq"].toInt()), qint64(s["time_ns"].toDouble()),
			      qint64(s["hits"].toDouble()) });
	return list;
}

QStringList tableRows(Driver &d)
{
	return tableRows(d.find<QTableView>("hist_table"));
}

QStringList tableRows(const QTableView *view)
{
	QAbstractItemModel *model = view ? view->model() : nullptr;
	QStringList rows;

	for (int r = 0; model && r < model->rowCount(); r++) {
		QStringList row;

		for (int c = 0; c < model->columnCount(); c++)
			if (model->headerData(c, Qt::Horizontal).toString() != "share")
				row << model->index(r, c).data(Qt::UserRole).toString();
		row.replaceInStrings(QRegularExpression("^(\\(.*|\\d\\S*( \\ws)?(-\\S*)? \\ws)$"), "range");
		/* "sys_read [0]": the report has the name alone */
		row[0].remove(QRegularExpression(" \\[\\d+\\]$"));
		rows << row.join('|');
	}
	rows.sort();
	return rows;
}

/* A range is an object; the table has it as a text of its own, which is not looked at. */
static QString plain(const QJsonValue &value)
{
	return value.isDouble() ? QString::number(qint64(value.toDouble())) :
	       value.isObject() ? QStringLiteral("range") : value.toString();
}

QStringList reportRows(const QJsonObject &histogram)
{
	const QJsonArray keys = histogram["keys"].toArray(), values = histogram["values"].toArray();
	const QJsonArray all = histogram["snapshots"].toArray()[0].toObject()["rows"].toArray();
	QStringList rows;

	for (const QJsonValue &one : all) {
		const QJsonObject key = one["key"].toObject(), value = one["value"].toObject();
		QStringList row;

		for (const QJsonValue &k : keys)
			row << plain(key[k["name"].toString()]);
		for (const QJsonValue &v : values)
			row << plain(value[v.toString()]);
		rows << row.join('|');
	}
	rows.sort();
	return rows;
}

bool windowOf(const QList<Snapshot> &all, qint64 min, qint64 max, int *from, int *to)
{
	*from = *to = -1;
	for (int i = 0; i < all.size(); i++) {
		if (all[i].time <= min)
			*from = i;
		if (all[i].time <= max)
			*to = i;
	}
	if (*from < 0)
		*from = 0;
	return *to > *from;
}

/* Waits for it: the files are opened in a thread of the panel. */
bool chooseLike(Driver &d, const QString &name, const QString &part)
{
	QStringList found;
	QComboBox *combo = nullptr;

	/* those of a file that was closed just now may still be there */
	d.waitUntil([&] {
		found.clear();
		combo = d.find<QComboBox>(name);
		for (int i = 0; combo && i < combo->count(); i++)
			if (combo->itemText(i).contains(part))
				found << combo->itemText(i);
		return found.size() == 1;
	});
	if (found.size() != 1) {
		d.note(QString("%1: %2 items like %3").arg(name).arg(found.size()).arg(part));
		return false;
	}
	return d.choose(combo, found[0]) && panelSettled(d);
}

QString labelText(Driver &d, const QString &name)
{
	QLabel *label = d.find<QLabel>(name);

	return label ? label->text() : QString();
}

QStringList markerTexts(Driver &d)
{
	const QList<QToolBar *> bars = d.window()->findChildren<QToolBar *>();
	QStringList texts;

	for (QToolBar *bar : bars) {
		const QList<QAction *> actions = bar->actions();
		bool button = false;

		for (QAction *action : actions) {
			QLabel *label = qobject_cast<QLabel *>(bar->widgetForAction(action));

			button |= bar->widgetForAction(action) &&
				  bar->widgetForAction(action)->inherits("KsMarkerButton");
			/* labels that tell a time can be selected, the others cannot */
			if (button && label && label->textInteractionFlags() & Qt::TextSelectableByMouse)
				texts << label->text().remove(' ');
		}
	}
	return texts;
}

void clickBars(Driver &d, const QString &what)
{
	QAbstractScrollArea *bars = d.find<QAbstractScrollArea>("hist_bars");
	int clicked = 0, wrong = 0;

	for (int i = 0; bars && i < 40; i++) {
		const QRegularExpression count("\nhitcount: (\\d+) of ");
		QString text;
		int seen = -1;
		QRect at;

		QMetaObject::invokeMethod(bars, "itemRect", Q_RETURN_ARG(QRect, at), Q_ARG(int, i));
		QMetaObject::invokeMethod(bars, "itemAt", Q_RETURN_ARG(int, seen), Q_ARG(QPoint, at.center()));
		if (at.isEmpty() || seen != i)
			continue;
		QMetaObject::invokeMethod(bars, "itemText", Q_RETURN_ARG(QString, text), Q_ARG(int, i));
		const int n = count.match(text).captured(1).toInt();
		if (!n)
			continue;
		d.click(bars, at.center());
		panelSettled(d);
		clicked++;
		const QRegularExpression shown(QString(n == 1 ? "^Shown: %1 \\S+ event( |$)" : "^Shown: %1 \\S+ events( |$)").arg(n));

		if (d.rows() == n && shown.match(labelText(d, "hist_filter_words")).hasMatch())
			continue;
		wrong++;
		d.note(QString("%1 rows, \"%2\", of the bar %3").arg(d.rows()).arg(labelText(d, "hist_filter_words"), text));
	}
	d.ok(what + ": the panel shows at least three bars to click",
	     clicked >= 3, QString::number(clicked));
	d.is(what + ": a click on a bar shows as many events as the bar counts", wrong, 0);
}
