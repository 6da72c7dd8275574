// SPDX-License-Identifier: GPL-2.0
/*
 * expression_worker.cpp - a thread that opens the events of files and counts them
 *
 * A query that was replaced or cancelled is answered without a signal.
 */
#include <atomic>
#include <cerrno>
#include <cstring>

#include <QFile>

#include "kernelshark-plugin/work/chart_text.hpp"
#include "kernelshark-plugin/work/expression_worker.hpp"
#include "kernelshark-plugin/work/worker_thread.hpp"

struct ExpressionWorker::Work {
	ExpressionWorker *worker;

	std::atomic<int> done{ 0 };
	std::atomic<quint64> hits{ 0 }, begun{ 0 };
	WorkerThread thread; /* last member: destroyed first */

	explicit Work(ExpressionWorker *worker);
	void open(const QString &path);
	void count(const ExpressionQuery &query, quint64 number);
	CountedPtr make(const ExpressionQuery &query, int *ret, ExpressionError *error);

	static bool progress(void *data, unsigned int done, uint64_t hits);
};

ExpressionWorker::Work::Work(ExpressionWorker *worker)
	: worker(worker), thread(worker, QStringLiteral("hist-expression"), [worker] { emit worker->idle(); })
{
}

bool ExpressionWorker::Work::progress(void *data, unsigned int done, uint64_t hits)
{
	Work *w = static_cast<Work *>(data);

	w->done = int(done);
	w->hits = hits;
	return w->thread.goesOn() && !w->thread.replaced() && !w->thread.forgotten();
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
	thread.answer([this, path, opened, why] { emit worker->opened(path, opened, why); });
}

/* Convert an error to "PROBLEM: HINT", as on the command line, with its position in characters. */
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

		expression_describe(text, expression_event(e), &query.window, &result);
		counted = std::make_shared<Counted>();
		counted->query = query;
		counted->recording.reset(result.recording, recording_unref);
		counted->words = text.text();
		for (i = 0; expression_get_note(&result, i, words, sizeof(words)); i++)
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
		thread.answer([] {});
		return;
	}
	thread.answer([this, number, counted, error] {
		if (!thread.wanted(number))
			return;
		thread.forgetBefore(number + 1);
		emit worker->counted(number, counted, error);
	});
}

ExpressionWorker::ExpressionWorker(QObject *parent) : QObject(parent), w(new Work(this))
{
}

ExpressionWorker::~ExpressionWorker() = default;

void ExpressionWorker::open(const QString &path)
{
	w->thread.add([this, path] { w->open(path); });
}

quint64 ExpressionWorker::ask(const ExpressionQuery &query)
{
	const quint64 number = w->thread.ask([this, query](quint64 n) { w->count(query, n); });

	w->thread.forgetBefore(number);
	return number;
}

void ExpressionWorker::forget()
{
	w->thread.forget();
}

bool ExpressionWorker::busy() const
{
	return w->thread.busy();
}

bool ExpressionWorker::counting() const
{
	return w->thread.waits();
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
