// SPDX-License-Identifier: GPL-2.0
/*
 * figures_worker.cpp - a thread that opens recordings, makes figures and writes files
 *
 * Invariant: jobs counts what was asked for and not yet answered, in the thread of
 * the worker's owner; an answer is posted to it as a call.  A query that was replaced or
 * given up is answered by a call that sends no signal.
 */
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>

#include <QElapsedTimer>
#include <QFile>
#include <QMutex>
#include <QThread>
#include <QWaitCondition>

#include "figures_worker.hpp"

bool FiguresQuery::operator==(const FiguresQuery &o) const
{
	return recording == o.recording && hist == o.hist && what == o.what && from == o.from &&
	       to == o.to && columns == o.columns && search == o.search && group == o.group &&
	       group.isNull() == o.group.isNull() && top == o.top && value == o.value;
}

namespace {

/* The C query; its pointers are into the object and @q. */
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

struct Job {
	enum Kind { Open, Write } kind;
	QString path;
	FiguresQuery query;
	figures_format format;
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
	int moment = 0; /* ms */
	QThread *thread = nullptr;

	/* Under the lock. */
	mutable QMutex lock;
	QWaitCondition wake;
	std::deque<Job> jobs;
	bool has_query = false;
	FiguresQuery query;
	quint64 query_number = 0;

	std::atomic<bool> stop{ false };
	std::atomic<bool> replaced{ false }; /* the query being computed is not the newest */
	std::atomic<bool> forgotten{ false }; /* nobody wants it */
	std::atomic<int> done{ 0 };
	std::atomic<quint64> begun{ 0 };
	QElapsedTimer since; /* of the thread */

	/* Of the owner. */
	quint64 number = 0;
	quint64 least = 0; /* answers to older ones are not wanted */
	int open_jobs = 0;

	void run();
	void open(const Job &job);
	void write(const Job &job);
	void make(const FiguresQuery &query, quint64 number);
	template <typename F> void answer(F signal);

	static bool progress(void *data, unsigned int done);
	static bool goesOn(void *data, unsigned int done);
};

/* Sends @signal in the owner's thread. */
template <typename F> void FiguresWorker::Work::answer(F signal)
{
	QMetaObject::invokeMethod(
		worker,
		[this, signal] {
			open_jobs--;
			signal();
			if (!open_jobs)
				emit worker->idle();
		},
		Qt::QueuedConnection);
}

bool FiguresWorker::Work::progress(void *data, unsigned int done)
{
	Work *w = static_cast<Work *>(data);

	w->done = int(done);
	return !w->stop && !w->forgotten && !(w->replaced && w->since.elapsed() > w->moment);
}

bool FiguresWorker::Work::goesOn(void *data, unsigned int done)
{
	Work *w = static_cast<Work *>(data);

	w->done = int(done);
	return !w->stop;
}

void FiguresWorker::Work::open(const Job &job)
{
	char words[512] = "";
	recording *r = nullptr;
	RecordingPtr opened;
	QString why;
	int ret;

	ret = recording_open(&r, QFile::encodeName(job.path).constData(), words, sizeof(words));
	if (ret)
		why = words[0] ? QString::fromUtf8(words) : errorText(ret);
	else
		opened.reset(r, recording_unref);
	answer([this, path = job.path, opened, why] { emit worker->opened(path, opened, why); });
}

void FiguresWorker::Work::write(const Job &job)
{
	QString why;

	if (!writeFigures(job.query, job.path, job.format, &why, goesOn, this) && why.isEmpty())
		why = errorText(-EIO);
	answer([this, path = job.path, why] { emit worker->written(path, why); });
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
		answer([] {});
		return;
	}
	if (!ret)
		made.reset(f, [](const figures *old) { figures_free(const_cast<figures *>(old)); });
	answer([this, number, made, ret] {
		if (number >= least)
			emit worker->made(number, made, made ? QString() : errorText(ret));
	});
}

void FiguresWorker::Work::run()
{
	QMutexLocker locked(&lock);

	while (!stop) {
		if (!jobs.empty()) {
			const Job job = jobs.front();

			jobs.pop_front();
			locked.unlock();
			if (job.kind == Job::Open)
				open(job);
			else
				write(job);
			locked.relock();
		} else if (has_query) {
			const FiguresQuery asked = query;
			quint64 asked_number = query_number;

			has_query = false;
			query = FiguresQuery();
			replaced = false;
			forgotten = false;
			locked.unlock();
			make(asked, asked_number);
			locked.relock();
		} else {
			wake.wait(&lock);
		}
	}
}

FiguresWorker::FiguresWorker(QObject *parent, int moment) : QObject(parent), w(new Work)
{
	w->worker = this;
	w->moment = moment;
	w->thread = QThread::create([this] { w->run(); });
	w->thread->setObjectName(QStringLiteral("hist-figures"));
	w->thread->start(QThread::LowPriority);
}

FiguresWorker::~FiguresWorker()
{
	{
		QMutexLocker locked(&w->lock);

		w->stop = true;
		w->wake.wakeAll();
	}
	w->thread->wait();
	delete w->thread;
}

void FiguresWorker::open(const QString &path)
{
	QMutexLocker locked(&w->lock);

	w->jobs.push_back(Job{ Job::Open, path, FiguresQuery(), FIGURES_CSV });
	w->open_jobs++;
	w->wake.wakeAll();
}

void FiguresWorker::write(const FiguresQuery &query, const QString &path, figures_format format)
{
	QMutexLocker locked(&w->lock);

	w->jobs.push_back(Job{ Job::Write, path, query, format });
	w->open_jobs++;
	w->wake.wakeAll();
}

quint64 FiguresWorker::ask(const FiguresQuery &query)
{
	QMutexLocker locked(&w->lock);

	if (!w->has_query)
		w->open_jobs++;
	w->has_query = true;
	w->query = query;
	w->query_number = ++w->number;
	w->replaced = true;
	w->wake.wakeAll();
	return w->number;
}

void FiguresWorker::forget()
{
	bool ends;

	{
		QMutexLocker locked(&w->lock);

		ends = w->has_query && w->open_jobs == 1;
		if (w->has_query)
			w->open_jobs--;
		w->has_query = false;
		w->query = FiguresQuery();
		w->forgotten = true;
		w->least = ++w->number;
	}
	if (ends)
		emit idle();
}

bool FiguresWorker::busy() const
{
	return w->open_jobs > 0;
}

quint64 FiguresWorker::begun() const
{
	return w->begun;
}

int FiguresWorker::done() const
{
	return w->done;
}
