// SPDX-License-Identifier: GPL-2.0
/*
 * data_worker.cpp - a thread that opens recordings, makes figures and writes files
 *
 * A query that was replaced or cancelled is answered without a signal.
 */
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <QElapsedTimer>
#include <QFile>

#include "kernelshark-plugin/work/data_worker.hpp"
#include "kernelshark-plugin/work/worker_thread.hpp"

bool PanelDataQuery::operator==(const PanelDataQuery &o) const
{
	return recording == o.recording && hist == o.hist && what == o.what && from == o.from &&
	       to == o.to && columns == o.columns && search == o.search && group == o.group &&
	       group.isNull() == o.group.isNull() && top == o.top && value == o.value;
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
		query.top = q.top;
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
	char words[256] = "";
	FILE *f;
	int ret;

	f = fopen(part.constData(), "we");
	if (!f) {
		*why = path + QLatin1String(": ") + QString::fromLocal8Bit(strerror(errno));
		return false;
	}
	ret = panel_data_write(&plain.query, f, format, progress, data, words, sizeof(words));
	if (!ret && fflush(f))
		ret = -errno;
	if (fclose(f) && !ret)
		ret = -errno;
	if (!ret && rename(part.constData(), name.constData()))
		ret = -errno;
	if (!ret)
		return true;
	remove(part.constData());
	*why = words[0] ? QString::fromUtf8(words) :
			  path + QLatin1String(": ") + errorText(ret);
	return false;
}

struct DataWorker::Work {
	DataWorker *worker;
	int moment; /* ms */

	std::atomic<int> done{ 0 };
	std::atomic<quint64> begun{ 0 };
	QElapsedTimer since; /* used only by the worker's thread */
	WorkerThread thread; /* last member: destroyed first */

	Work(DataWorker *worker, int moment);
	void open(const QString &path);
	void write(const PanelDataQuery &query, const QString &path, panel_data_format format);
	void make(const PanelDataQuery &query, quint64 number);

	static bool progress(void *data, unsigned int done);
	static bool goesOn(void *data, unsigned int done);
};

DataWorker::Work::Work(DataWorker *worker, int moment)
	: worker(worker), moment(moment),
	  thread(worker, QStringLiteral("hist-figures"), [worker] { emit worker->idle(); })
{
}

bool DataWorker::Work::progress(void *data, unsigned int done)
{
	Work *w = static_cast<Work *>(data);

	w->done = int(done);
	return w->thread.goesOn() && !w->thread.forgotten() &&
	       !(w->thread.replaced() && w->since.elapsed() > w->moment);
}

bool DataWorker::Work::goesOn(void *data, unsigned int done)
{
	Work *w = static_cast<Work *>(data);

	w->done = int(done);
	return w->thread.goesOn();
}

void DataWorker::Work::open(const QString &path)
{
	char words[512] = "";
	recording *r = nullptr;
	RecordingPtr opened;
	QString why;
	int ret;

	ret = recording_open(&r, QFile::encodeName(path).constData(), words, sizeof(words));
	if (ret)
		why = words[0] ? QString::fromUtf8(words) : errorText(ret);
	else
		opened.reset(r, recording_unref);
	thread.answer([this, path, opened, why] { emit worker->opened(path, opened, why); });
}

void DataWorker::Work::write(const PanelDataQuery &query, const QString &path,
			     panel_data_format format)
{
	QString why;

	if (!writeFigures(query, path, format, &why, goesOn, this) && why.isEmpty())
		why = errorText(-EIO);
	thread.answer([this, path, why] { emit worker->written(path, why); });
}

void DataWorker::Work::make(const PanelDataQuery &query, quint64 number)
{
	const Plain plain(query);
	panel_data *f = nullptr;
	PanelDataPtr made;
	int ret;

	since.start();
	done = 0;
	begun++;
	ret = panel_data_make(&f, &plain.query, progress, this);
	if (ret == -ECANCELED) {
		thread.answer([] {});
		return;
	}
	if (!ret)
		made.reset(f,
			   [](const panel_data *old) { panel_data_free(const_cast<panel_data *>(old)); });
	thread.answer([this, number, made, ret] {
		if (thread.wanted(number))
			emit worker->made(number, made, made ? QString() : errorText(ret));
	});
}

DataWorker::DataWorker(QObject *parent, int moment) : QObject(parent), w(new Work(this, moment))
{
}

DataWorker::~DataWorker() = default;

void DataWorker::open(const QString &path)
{
	w->thread.add([this, path] { w->open(path); });
}

void DataWorker::write(const PanelDataQuery &query, const QString &path, panel_data_format format)
{
	w->thread.add([this, query, path, format] { w->write(query, path, format); });
}

quint64 DataWorker::ask(const PanelDataQuery &query)
{
	return w->thread.ask([this, query](quint64 number) { w->make(query, number); });
}

void DataWorker::forget()
{
	w->thread.forget();
}

bool DataWorker::busy() const
{
	return w->thread.busy();
}

quint64 DataWorker::begun() const
{
	return w->begun;
}

int DataWorker::done() const
{
	return w->done;
}
