// SPDX-License-Identifier: GPL-2.0
/*
 * expression_worker.cpp - a thread that opens the events of files, and counts them
 *
 * Invariant: open_jobs counts what was asked for and not yet answered, in the thread of
 * the worker's owner; an answer is posted to it as a call.  A question that was
 * replaced or given up is answered by a call that sends no signal.
 */
#include <atomic>
#include <cerrno>
#include <cstring>
#include <deque>

#include <QFile>
#include <QMutex>
#include <QThread>
#include <QWaitCondition>

#include "chart_text.hpp"
#include "expression_worker.hpp"

struct ExpressionWorker::Work {
	ExpressionWorker *worker;
	QThread *thread = nullptr;

	/* Under the lock. */
	QMutex lock;
	QWaitCondition wake;
	std::deque<QString> paths;
	bool has_query = false;
	ExpressionQuery query;
	quint64 query_number = 0;

	std::atomic<bool> stop{ false };
	std::atomic<bool> unwanted{ false }; /* what is being counted */
	std::atomic<int> done{ 0 };
	std::atomic<quint64> hits{ 0 }, begun{ 0 };

	/* Of the owner. */
	quint64 number = 0;
	quint64 least = 0; /* answers to older ones are not wanted */
	int open_jobs = 0;

	void run();
	void open(const QString &path);
	void count(const ExpressionQuery &query, quint64 number);
	CountedPtr make(const ExpressionQuery &query, int *ret, ExpressionError *error);
	template <typename F> void answer(F signal);

	static bool progress(void *data, unsigned int done, uint64_t hits);
};

/* Sends @signal in the owner's thread. */
template <typename F> void ExpressionWorker::Work::answer(F signal)
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

bool ExpressionWorker::Work::progress(void *data, unsigned int done, uint64_t hits)
{
	Work *w = static_cast<Work *>(data);

	w->done = int(done);
	w->hits = hits;
	return !w->stop && !w->unwanted;
}

void ExpressionWorker::Work::open(const QString &path)
{
	hist_events *events = nullptr;
	char words[512] = "";
	EventsPtr opened;
	QString why;
	int ret;

	ret = hist_events_open(&events, QFile::encodeName(path).constData(), words, sizeof(words));
	if (ret)
		why = words[0] ? QString::fromUtf8(words) : QString::fromLocal8Bit(strerror(-ret));
	else
		opened.reset(events, hist_events_free);
	answer([this, path, opened, why] { emit worker->opened(path, opened, why); });
}

/* "WHAT: HINT", as on the command line, and where, in characters of the text. */
static ExpressionError wrong(const QByteArray &text, const hist_error &e)
{
	ExpressionError error;

	error.what = QString::fromUtf8(e.what);
	if (e.hint[0])
		error.what += QLatin1String(": ") + QString::fromUtf8(e.hint);
	error.start = int(QString::fromUtf8(text.left(int(e.at.start))).size());
	error.length = int(QString::fromUtf8(text.mid(int(e.at.start), int(e.at.len))).size());
	return error;
}

CountedPtr ExpressionWorker::Work::make(const ExpressionQuery &query, int *ret, ExpressionError *error)
{
	std::shared_ptr<Counted> counted;
	expression_result result = {};
	expression *e = nullptr;
	char words[256] = "";
	hist_error at = {};
	unsigned int i;

	*ret = expression_parse(&e, query.events.get(), query.buffer, query.text.constData(), &at);
	if (*ret) {
		if (*ret == -EINVAL)
			*error = wrong(query.text, at);
		else
			error->what = QString::fromLocal8Bit(strerror(-*ret));
		return counted;
	}
	*ret = expression_count(e, &query.window, progress, this, &result, words, sizeof(words));
	if (*ret) {
		error->what = QString::fromUtf8(words);
	} else {
		TextBuffer text;

		expression_tell(text, expression_event(e), &query.window, &result);
		counted = std::make_shared<Counted>();
		counted->query = query;
		counted->recording.reset(result.recording, recording_unref);
		counted->words = text.text();
		for (i = 0; expression_note(&result, i, words, sizeof(words)); i++)
			counted->notes << QString::fromUtf8(words);
	}
	expression_free(e);
	return counted;
}

void ExpressionWorker::Work::count(const ExpressionQuery &query, quint64 number)
{
	ExpressionError error;
	CountedPtr counted;
	int ret = 0;

	done = 0;
	hits = 0;
	begun++;
	counted = make(query, &ret, &error);
	if (ret == -ECANCELED) {
		answer([] {});
		return;
	}
	answer([this, number, counted, error] {
		if (number < least)
			return;
		least = number + 1;
		emit worker->counted(number, counted, error);
	});
}

void ExpressionWorker::Work::run()
{
	QMutexLocker locked(&lock);

	while (!stop) {
		if (!paths.empty()) {
			const QString path = paths.front();

			paths.pop_front();
			locked.unlock();
			open(path);
			locked.relock();
		} else if (has_query) {
			ExpressionQuery asked = query;
			const quint64 asked_number = query_number;

			has_query = false;
			query = ExpressionQuery();
			unwanted = false;
			locked.unlock();
			count(asked, asked_number);
			/* perhaps the last that has the file: not under the lock */
			asked = ExpressionQuery();
			locked.relock();
		} else {
			wake.wait(&lock);
		}
	}
}

ExpressionWorker::ExpressionWorker(QObject *parent) : QObject(parent), w(new Work)
{
	w->worker = this;
	w->thread = QThread::create([this] { w->run(); });
	w->thread->setObjectName(QStringLiteral("hist-expression"));
	w->thread->start(QThread::LowPriority);
}

ExpressionWorker::~ExpressionWorker()
{
	{
		QMutexLocker locked(&w->lock);

		w->stop = true;
		w->wake.wakeAll();
	}
	w->thread->wait();
	delete w->thread;
}

void ExpressionWorker::open(const QString &path)
{
	QMutexLocker locked(&w->lock);

	w->paths.push_back(path);
	w->open_jobs++;
	w->wake.wakeAll();
}

quint64 ExpressionWorker::ask(const ExpressionQuery &query)
{
	QMutexLocker locked(&w->lock);

	if (!w->has_query)
		w->open_jobs++;
	w->has_query = true;
	w->query = query;
	w->query_number = ++w->number;
	w->least = w->number;
	w->unwanted = true;
	w->wake.wakeAll();
	return w->number;
}

void ExpressionWorker::forget()
{
	bool ends;

	{
		QMutexLocker locked(&w->lock);

		ends = w->has_query && w->open_jobs == 1;
		if (w->has_query)
			w->open_jobs--;
		w->has_query = false;
		w->query = ExpressionQuery();
		w->unwanted = true;
		w->least = ++w->number;
	}
	if (ends)
		emit idle();
}

bool ExpressionWorker::busy() const
{
	return w->open_jobs > 0;
}

bool ExpressionWorker::counting() const
{
	return w->open_jobs > 0 && w->least == w->number && w->query_number == w->number;
}

int ExpressionWorker::done() const
{
	return w->done;
}

quint64 ExpressionWorker::hits() const
{
	return w->hits;
}

quint64 ExpressionWorker::begun() const
{
	return w->begun;
}
