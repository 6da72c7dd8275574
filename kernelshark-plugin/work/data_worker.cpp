// SPDX-License-Identifier: GPL-2.0
/*
 * data_worker.cpp - a thread that opens recordings, makes figures and writes files
 *
 * A query that was replaced or cancelled is answered without a signal.
 */
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <QFile>

#include "kernelshark-plugin/work/chart_text.hpp"
#include "kernelshark-plugin/work/data_worker.hpp"

bool PanelDataQuery::operator==(const PanelDataQuery &o) const
{
	return recording == o.recording && hist == o.hist && what == o.what && from == o.from &&
	       to == o.to && columns == o.columns && search == o.search && group == o.group &&
	       group.isNull() == o.group.isNull() && bucket == o.bucket && value == o.value;
}

namespace {

/* The C form of a query; its pointers point into this object and @q. */
struct Plain {
	explicit Plain(const PanelDataQuery &q)
	{
		query.recording = q.recording.get();
		query.hist = q.hist;
		query.what = q.what;
		query.from = q.from;
		query.to = q.to;
		query.columns = q.columns;
		query.search = q.search.isEmpty() ? nullptr : q.search.constData();
		query.group = q.group.isNull() ? nullptr : q.group.constData();
		query.bucket = q.bucket.isEmpty() ? nullptr : q.bucket.constData();
		hist_row_order_set_largest(&order, q.value);
		query.order = q.value < 0 ? nullptr : &order;
	}

	panel_data_query query = {};
	hist_row_order order = {};
};

QString errorText(int error)
{
	switch (error) {
	case -EBADMSG:
		return QStringLiteral("the first or last snapshot of this window is damaged");
	case -ENOMEM:
		return QStringLiteral("out of memory");
	default:
		return QString::fromLocal8Bit(strerror(-error));
	}
}

}

bool writeFigures(const PanelDataQuery &query, const QString &path, panel_data_format format,
		  QString *why, panel_progress *progress, void *data)
{
	const QByteArray name = QFile::encodeName(path);
	const QByteArray part = name + ".part";
	const Plain plain(query);
	hist_error error = {};
	FILE *f;
	int ret;

	f = fopen(part.constData(), "we");
	if (!f) {
		*why = path + QLatin1String(": ") + QString::fromLocal8Bit(strerror(errno));
		return false;
	}
	ret = panel_data_write(&plain.query, f, format, progress, data, &error);
	if (!ret && fflush(f))
		ret = -errno;
	if (fclose(f) && !ret)
		ret = -errno;
	if (!ret && rename(part.constData(), name.constData()))
		ret = -errno;
	if (!ret)
		return true;
	remove(part.constData());
	*why = error.err ? reasonText(error) : path + QLatin1String(": ") + errorText(ret);
	return false;
}

DataWorker::DataWorker(QObject *parent, int moment)
	: WorkerThread(parent, QStringLiteral("hist-figures")), moment_(moment)
{
}

void DataWorker::open(const QString &path)
{
	const std::shared_ptr<EventsPtr> shared = std::make_shared<EventsPtr>();

	add([this, path, shared] {
		hist_events *e = nullptr;
		hist_error error = {};
		QString why;

		if (!hist_events_open(&e, QFile::encodeName(path).constData(), &error))
			shared->reset(e, hist_events_free);
		else
			why = reasonText(error);
		const EventsPtr events = *shared;

		answer([this, path, events, why] { emit eventsOpened(path, events, why); });
	});
	add([this, path, shared] {
		hist_error error = {};
		recording *r = nullptr;
		RecordingPtr recording;
		QString why;
		int ret;

		ret = recording_open_with(&r, QFile::encodeName(path).constData(), shared->get(),
					  &error);
		if (ret)
			why = error.err ? reasonText(error) : errorText(ret);
		else
			recording.reset(r, recording_unref);
		answer([this, path, recording, why] { emit opened(path, recording, why); });
	});
}

void DataWorker::write(const PanelDataQuery &query, const QString &path, panel_data_format format)
{
	add([this, query, path, format] {
		const auto progress = [](void *data, unsigned int done) {
			DataWorker *w = static_cast<DataWorker *>(data);

			w->done_ = int(done);
			return w->goesOn();
		};
		QString why;

		if (!writeFigures(query, path, format, &why, progress, this) && why.isEmpty())
			why = errorText(-EIO);
		answer([this, path, why] { emit written(path, why); });
	});
}

void DataWorker::make(const PanelDataQuery &query, quint64 number)
{
	const auto progress = [](void *data, unsigned int done) {
		DataWorker *w = static_cast<DataWorker *>(data);

		w->done_ = int(done);
		return w->goesOn() && !w->forgotten() &&
		       !(w->replaced() && w->since_.elapsed() > w->moment_);
	};
	const Plain plain(query);
	panel_data *f = nullptr;
	PanelDataPtr figures;
	int ret;

	since_.start();
	ret = panel_data_make(&f, &plain.query, progress, this);
	if (!ret)
		figures.reset(f, panel_data_free);
	answer([this, number, figures, ret] {
		if (ret != -ECANCELED && wanted(number))
			emit made(number, figures, figures ? QString() : errorText(ret));
	});
}

quint64 DataWorker::ask(const PanelDataQuery &query)
{
	return post([this, query](quint64 number) { make(query, number); });
}
