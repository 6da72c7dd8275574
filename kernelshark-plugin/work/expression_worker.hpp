/* SPDX-License-Identifier: GPL-2.0 */
/*
 * expression_worker.hpp - a thread that counts the events of files
 *
 * It works like DataWorker but in a separate thread, so that the views stay
 * responsive while millions of events are counted. Only the newest query is kept; older
 * queries are cancelled immediately. All functions are called in the thread that
 * created the worker, and signals are sent in this thread. Types are not registered
 * with Qt.
 */
#ifndef KERNELSHARK_PLUGIN_WORK_EXPRESSION_WORKER_HPP
#define KERNELSHARK_PLUGIN_WORK_EXPRESSION_WORKER_HPP

#include <memory>

#include <QByteArray>
#include <QString>
#include <QStringList>

#include "kernelshark-plugin/model/model.hpp"
#include "kernelshark-plugin/work/recordings.hpp"
#include "kernelshark-plugin/work/worker_thread.hpp"

struct ExpressionQuery {
	EventsPtr events;
	unsigned int buffer = 0;
	QByteArray text; /* UTF-8 */
	expression_window window = {};

	bool operator==(const ExpressionQuery &o) const
	{
		return events == o.events && buffer == o.buffer && text == o.text &&
		       window.from == o.window.from && window.to == o.window.to &&
		       window.columns == o.window.columns;
	}
};

/* Read-only. */
struct Counted {
	ExpressionQuery query;
	RecordingPtr recording;
	QStringList words;	/* describe the events of each histogram (expression_describe()) */
	QStringList notes;	/* about events that could not be counted */
};
typedef std::shared_ptr<const Counted> CountedPtr;

/* An error in an expression, or the reason why it could not be counted. */
struct ExpressionError {
	QString what; /* a sentence */
	int start = 0, length = 0; /* the position in the text, in characters; 0: unknown */
};

class ExpressionWorker : public WorkerThread {
	Q_OBJECT
public:
	explicit ExpressionWorker(QObject *parent = nullptr);
	/* Cancels the running count and waits for the thread. */
	~ExpressionWorker() override { stop(); }

	/* Returns the number that the answer will have; newer queries have larger numbers. */
	quint64 ask(const ExpressionQuery &query);

	/* The hits of the running count up to now. */
	quint64 hits() const { return hits_; }

signals:
	/* If @counted is null, @error is the reason. */
	void counted(quint64 number, const CountedPtr &counted, const ExpressionError &error);

private:
	void count(const ExpressionQuery &query, quint64 number);
	CountedPtr make(const ExpressionQuery &query, int *ret, ExpressionError *error);
	static bool progress(void *data, unsigned int done, uint64_t hits);

	std::atomic<quint64> hits_{ 0 };
};

#endif
