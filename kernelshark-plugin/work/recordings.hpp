/* SPDX-License-Identifier: GPL-2.0 */
/*
 * recordings.hpp - the recordings in the files that the host program has open
 *
 * All panels share one object, so that each file is read once. Follows Shark::files().
 * A worker opens the files, so that a large file does not block the program. A
 * recording stays open until the host closes the last stream of its file. A file that
 * was rewritten under the same name is opened again.
 */
#ifndef KERNELSHARK_PLUGIN_WORK_RECORDINGS_HPP
#define KERNELSHARK_PLUGIN_WORK_RECORDINGS_HPP

#include <memory>

#include <QDateTime>
#include <QList>
#include <QObject>
#include <QString>

#include "kernelshark-plugin/work/host.hpp"

class DataWorker;
struct hist_events;
struct recording;

/* A reference to a recording, usable in any thread; null if there is none. */
typedef std::shared_ptr<recording> RecordingPtr;
/* The same for the events of a file; any thread may also look up names. */
typedef std::shared_ptr<hist_events> EventsPtr;

class Recordings : public QObject {
	Q_OBJECT
public:
	struct Item {
		Shark::File file;
		RecordingPtr recording; /* null: still being opened, or see @why */
		QString why;		/* a sentence if the file does not contain histograms */
		EventsPtr events; /* known before @recording; null: also if they cannot be read */
		QString eventsWhy;	/* a sentence if the events cannot be read */
		bool opening = false;
		qint64 size = -1;	/* of the file when it was opened */
		QDateTime modified;
	};

	/* @shark must outlive the recordings. */
	explicit Recordings(Shark *shark, QObject *parent = nullptr);

	/* In the order of Shark::files(). */
	const QList<Item> &items() const { return items_; }
	const Item *find(const QString &path) const;
	bool opening() const;
	/* Total number of files that were read, for tests. */
	Q_INVOKABLE qulonglong readings() const { return readings_; }

signals:
	/* A recording was added or removed, or its streams or offset have changed. */
	void changed();

private:
	void refresh();
	void eventsOpened(const QString &path, const EventsPtr &events, const QString &why);
	void opened(const QString &path, const RecordingPtr &recording, const QString &why);
	void close();

	Shark *shark_;
	DataWorker *worker_;
	QList<Item> items_;
	qulonglong readings_ = 0;
	bool closed_ = false;
};

#endif
