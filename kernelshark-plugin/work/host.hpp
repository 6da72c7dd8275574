/* SPDX-License-Identifier: GPL-2.0 */
/*
 * host.hpp - what the panel needs of the program around it
 *
 * The views know KernelShark only by this, so that they can be tested without it.
 * All is called, and all signals are sent, in the GUI thread.  Times are ns on the
 * graph's axis: the clock of a file plus the offset of its stream.  The panel
 * looks at state after a signal, never at what it remembers, so a signal may come
 * too often, but must not be missing.
 */
#ifndef KERNELSHARK_PLUGIN_WORK_HOST_HPP
#define KERNELSHARK_PLUGIN_WORK_HOST_HPP

#include <QList>
#include <QObject>
#include <QString>

class QWidget;

class Shark : public QObject {
	Q_OBJECT
public:
	/* An open trace file; its buffers are streams of their own. */
	struct File {
		QString path;	     /* as opened; absolute */
		QList<int> streams; /* of KernelShark, ascending; never empty */
		qint64 offset = 0;   /* ns to add to a time of the file's clock */
	};

	using QObject::QObject;
	~Shark() override = default;

	/* The files that are open, in the order of their first streams. */
	virtual QList<File> files() = 0;

	/* The time visible in the graph, both ends included; false: no data is shown. */
	virtual bool window(qint64 *from, qint64 *to) = 0;
	/* Show this time; cut to what there is.  windowChanged() follows. */
	virtual void setWindow(qint64 from, qint64 to) = 0;

	/*
	 * Where the graph's first and last bin lie, in the coordinates of @of, which is
	 * a widget of the same window: @left is the left edge of the first one, @right
	 * the pixel behind the last.  False: not known, as when @of floats elsewhere.
	 */
	virtual bool graphSpan(QWidget *of, int *left, int *right) = 0;

	/* Markers A and B, in any order; false where they are not both set. */
	virtual bool markers(qint64 *a, qint64 *b) = 0;

	/*
	 * Select the entry nearest to @time, of @stream, and show it.
	 * False: there is none, and nothing has changed.
	 */
	virtual bool goTo(int stream, qint64 time) = 0;

	/*
	 * Show only those events @event ("sys/name") of a file, in all its streams, that
	 * match @filter, in libtraceevent's language; "" is all of the event.  Of them
	 * those that are later than @after and not later than @until.
	 * How many entries match; 0: the file holds none, and nothing is filtered.
	 * -1 with a sentence in @why: it cannot be filtered, and nothing has changed.
	 */
	virtual long filterEvents(const File &file, const QString &event, const QString &filter,
				  qint64 after, qint64 until, QString *why) = 0;
	/* Take back what filterEvents() did, if anything. */
	virtual void clearFilter() = 0;
	/* True between filterEvents() and clearFilter(). */
	virtual bool filtered() = 0;

	/* A file is being loaded: ask nothing else, wait for filesChanged(). */
	virtual bool busy() = 0;

signals:
	/* Files were opened, appended, closed or reloaded, or an offset is another. */
	void filesChanged();
	/* Once an event loop at most, whatever has changed it. */
	void windowChanged(qint64 from, qint64 to);
	void markersChanged();
	/* Something else filters now, or nothing does. */
	void filterChanged();
	/* Where the graph lies has changed: layout, resizing. */
	void graphMoved();
	/* The program closes: drop all recordings; nothing may be asked any more. */
	void closing();
};

#endif
