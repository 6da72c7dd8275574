/* SPDX-License-Identifier: GPL-2.0 */
/*
 * recordings.hpp - the recordings in the files that the program has open
 *
 * Follows Shark::files().  A file is opened in the worker, so that a large one does
 * not stop the program, and stays open until the program closes its last stream; one
 * that was written anew under the same name is opened again.
 */
#ifndef KERNELSHARK_PLUGIN_WORK_RECORDINGS_HPP
#define KERNELSHARK_PLUGIN_WORK_RECORDINGS_HPP

#include <memory>

#include <QDateTime>
#include <QList>
#include <QObject>
#include <QString>

#include "kernelshark-plugin/work/host.hpp"

class FiguresWorker;
struct recording;

/* A reference to a recording, of any thread; null where there is none. */
typedef std::shared_ptr<recording> RecordingPtr;

class Recordings : public QObject {
	Q_OBJECT
public:
	struct Item {
		Shark::File file;
		RecordingPtr recording; /* null: still being opened, or @why not */
		QString why;		/* a sentence where it has no histograms */
		bool opening = false;
		qint64 size = -1;	/* of the file that was opened */
		QDateTime modified;
	};

	Recordings(Shark *shark, FiguresWorker *worker, QObject *parent);

	/* In the order of Shark::files(). */
	const QList<Item> &items() const { return items_; }
	const Item *find(const QString &path) const;
	bool opening() const;

signals:
	/* A recording came or went, or its streams or offset are others. */
	void changed();

private:
	void refresh();
	void opened(const QString &path, const RecordingPtr &recording, const QString &why);
	void close();

	Shark *shark_;
	FiguresWorker *worker_;
	QList<Item> items_;
	bool closed_ = false;
};

#endif
