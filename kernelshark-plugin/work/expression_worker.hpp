/* SPDX-License-Identifier: GPL-2.0 */
/*
 * expression_worker.hpp - a thread that opens the events of files, and counts them
 *
 * Like FiguresWorker, and beside it: what is shown already stays quick while millions of
 * events are counted.  Of questions the newest is the only one: an older one is given up at
 * once.  All functions are called in the thread that made the worker, and signals are sent
 * there.  No type is registered with Qt.
 */
#ifndef KERNELSHARK_PLUGIN_WORK_EXPRESSION_WORKER_HPP
#define KERNELSHARK_PLUGIN_WORK_EXPRESSION_WORKER_HPP

#include <memory>

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>

#include "kernelshark-plugin/model/expression.h"
#include "kernelshark-plugin/work/recordings.hpp"

/*
 * The events of a file.  Names of symbols are looked up by the worker's thread alone; all
 * else may be read in any.
 */
typedef std::shared_ptr<hist_events> EventsPtr;

struct ExpressionQuery {
	EventsPtr events;
	unsigned int buffer = 0;
	QByteArray text; /* UTF-8 */
	expression_window window = {};

	/* Of the same events by the same words, in whatever window. */
	bool sameCount(const ExpressionQuery &o) const
	{
		return events == o.events && buffer == o.buffer && text == o.text;
	}
	bool operator==(const ExpressionQuery &o) const
	{
		return sameCount(o) && window.from == o.window.from && window.to == o.window.to &&
		       window.columns == o.window.columns;
	}
};

/* Read only. */
struct Counted {
	ExpressionQuery query;
	RecordingPtr recording; /* of one histogram */
	QString words;		/* which events (expression_tell()) */
	QStringList notes;	/* what could not be counted */
};
typedef std::shared_ptr<const Counted> CountedPtr;

/* What is wrong with an expression, or why it could not be counted. */
struct ExpressionError {
	QString what; /* a sentence */
	int start = 0, length = 0; /* of the place in the text, in characters; 0: none */
};

class ExpressionWorker : public QObject {
	Q_OBJECT
public:
	explicit ExpressionWorker(QObject *parent = nullptr);
	/* Gives up what is being counted and waits for the thread. */
	~ExpressionWorker() override;

	void open(const QString &path);
	/* The answer carries the number that is returned; larger is newer. */
	quint64 ask(const ExpressionQuery &query);
	/* No answer is wanted any more; what is being counted is given up. */
	void forget();

	/* Something waits, is counted, or its signal has not been sent yet. */
	bool busy() const;
	/* Something is asked that was not answered. */
	bool counting() const;
	/* Thousandths of what is being counted, and hits so far. */
	int done() const;
	quint64 hits() const;
	/* How many counts were begun, ever. */
	quint64 begun() const;

signals:
	/* Null events: @why they cannot be read. */
	void opened(const QString &path, const EventsPtr &events, const QString &why);
	/* Null: @error tells why. */
	void counted(quint64 number, const CountedPtr &counted, const ExpressionError &error);
	/* busy() has become false. */
	void idle();

private:
	struct Work;
	std::unique_ptr<Work> w;
};

#endif
