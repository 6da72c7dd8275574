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

bool FiguresQuery::operator==(const FiguresQuery &o) const
{
	return recording == o.recording && hist == o.hist && what == o.what && from == o.from &&
	       to == o.to && columns == o.columns && search == o.search && group == o.group &&
	       group.isNull() == o.group.isNull() && top == o.top && value == o.value;
}

namespace {

/* The C form of a query; its pointers point into this object and @q. */
struct Plain {
	explicit Plain(const FiguresQuery &q)
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
		hist_order_largest(&order, q.value);
		query.order = q.value < 0 ? nullptr : &order;
	}

	figures_query query = {};
	hist_order order = {};
};

QString errorText(int error)
{
	switch (error) {
	case -EBADMSG:
		return QStringLiteral("a snapshot at an end of this window is damaged");
	case -ENOMEM:
		return QStringLiteral("not enough memory");
	default:
		return QString::fromLocal8Bit(strerror(-error));
	}
}

}

bool writeFigures(const FiguresQuery &query, const QString &path, figures_format format,
		  QString *why, figures_progress *progress, void *data)
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
	ret = figures_write(&plain.query, f, format, progress, data, words, sizeof(words));
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

struct FiguresWorker::Work {
	FiguresWorker *worker;
	int moment; /* ms */

	std::atomic<int> done{ 0 };
	std::atomic<quint64> begun{ 0 };
	QElapsedTimer since; /* used only by the worker's thread */
	WorkerThread thread; /* last member: destroyed first */

	Work(FiguresWorker *worker, int moment);
	void open(const QString &path);
	void write(const FiguresQuery &query, const QString &path, figures_format format);
	void make(const FiguresQuery &query, quint64 number);

	static bool progress(void *data, unsigned int done);
	static bool goesOn(void *data, unsigned int done);
};

FiguresWorker::Work::Work(FiguresWorker *worker, int moment)
	: worker(worker), moment(moment),
	  thread(worker, QStringLiteral("hist-figures"), [worker] { emit worker->idle(); })
{
}

bool FiguresWorker::Work::progress(void *data, unsigned int done)
{
	Work *w = static_cast<Work *>(data);

	w->done = int(done);
	return w->thread.goesOn() && !w->thread.forgotten() &&
	       !(w->thread.replaced() && w->since.elapsed() > w->moment);
}

bool FiguresWorker::Work::goesOn(void *data, unsigned int done)
{
	Work *w = static_cast<Work *>(data);

	w->done = int(done);
	return w->thread.goesOn();
}

void FiguresWorker::Work::open(const QString &path)
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

void FiguresWorker::Work::write(const FiguresQuery &query, const QString &path, figures_format format)
{
	QString why;

	if (!writeFigures(query, path, format, &why, goesOn, this) && why.isEmpty())
		why = errorText(-EIO);
	thread.answer([this, path, why] { emit worker->written(path, why); });
}

void FiguresWorker::Work::make(const FiguresQuery &query, quint64 number)
{
	const Plain plain(query);
	figures *f = nullptr;
	FiguresPtr made;
	int ret;

	since.start();
	done = 0;
	begun++;
	ret = figures_make(&f, &plain.query, progress, this);
	if (ret == -ECANCELED) {
		thread.answer([] {});
		return;
	}
	if (!ret)
		made.reset(f, [](const figures *old) { figures_free(const_cast<figures *>(old)); });
	thread.answer([this, number, made, ret] {
		if (thread.wanted(number))
			emit worker->made(number, made, made ? QString() : errorText(ret));
	});
}

FiguresWorker::FiguresWorker(QObject *parent, int moment) : QObject(parent), w(new Work(this, moment))
{
}

FiguresWorker::~FiguresWorker() = default;

void FiguresWorker::open(const QString &path)
{
	w->thread.add([this, path] { w->open(path); });
}

void FiguresWorker::write(const FiguresQuery &query, const QString &path, figures_format format)
{
	w->thread.add([this, query, path, format] { w->write(query, path, format); });
}

quint64 FiguresWorker::ask(const FiguresQuery &query)
{
	return w->thread.ask([this, query](quint64 number) { w->make(query, number); });
}

void FiguresWorker::forget()
{
	w->thread.forget();
}

bool FiguresWorker::busy() const
{
	return w->thread.busy();
}

quint64 FiguresWorker::begun() const
{
	return w->begun;
}

int FiguresWorker::done() const
{
	return w->done;
}
