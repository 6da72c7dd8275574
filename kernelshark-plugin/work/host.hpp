/* SPDX-License-Identifier: GPL-2.0 */
/*
 * host.hpp - interface between the panel and its host program
 *
 * The views use KernelShark only through this interface, so that they can be tested
 * without KernelShark. All functions are called, and all signals are sent, in the GUI
 * thread. Times are in ns on the graph's time axis: the clock of a file plus the offset
 * of its stream. After a signal, the panel reads the current state and does not use
 * remembered state. Therefore an extra signal is harmless, but a missing signal is an
 * error.
 */
#ifndef KERNELSHARK_PLUGIN_WORK_HOST_HPP
#define KERNELSHARK_PLUGIN_WORK_HOST_HPP

#include <QHash>
#include <QList>
#include <QObject>
#include <QString>

class QWidget;

class Shark : public QObject {
	Q_OBJECT
public:
	/* An open trace file; each of its buffers is a separate stream. */
	struct File {
		QString path;	     /* absolute path, as opened */
		QList<int> streams; /* of KernelShark, ascending; empty: it does not show events */
		qint64 offset = 0;   /* in ns, added to the times of the file's clock */
	};

	using QObject::QObject;
	~Shark() override = default;

	/* The open files, in the order of their first streams. */
	virtual QList<File> files() = 0;

	/* True if all open files are without events, so that the host has nothing to show. */
	virtual bool isEmpty() = 0;

	/*
	 * The visible time range of the graph, inclusive; false, and both as before: no data is
	 * shown.
	 */
	virtual bool window(qint64 *from, qint64 *to) = 0;
	/* True if this time range contains all events. */
	virtual bool isZoomedOut() { return false; }
	/* Show this time range, limited to the available data. windowChanged() follows. */
	virtual void setWindow(qint64 from, qint64 to) = 0;

	/*
	 * Get the position of the graph in the coordinates of @of, a widget of the same
	 * window. @left is the left edge of the first bin, @right is the pixel after
	 * the last bin. False if not known, or if the graph is not above @of, for example if
	 * @of is in a floating window.
	 */
	virtual bool graphSpan(QWidget *of, int *left, int *right) = 0;

	/* Markers A and B, in any order; false unless both are set. */
	virtual bool markers(qint64 *a, qint64 *b) = 0;
	/* Draw a line at @time in the graph, until another call; not @shown: no line. */
	virtual void setCursor(bool shown, qint64 time) = 0;

	/* Mark the time from @from to @to in the graph, until another call; not @shown: no mark. */
	virtual void setBand(bool shown, qint64 from, qint64 to) = 0;

	/*
	 * Select and show the entry of the buffer nearest to @time. @buffer: as for mark().
	 * False if there is none; nothing is changed then.
	 */
	virtual bool goTo(const File &file, const QString &buffer, qint64 time) = 0;

	/*
	 * Set markers A and B to the entries of the buffer that are nearest to @a and @b,
	 * and show the time around them. @buffer: of the file, "" the top-level one; if
	 * its stream is not open or has no entry, any stream of the file. False if the
	 * markers are not set; nothing is changed then.
	 */
	virtual bool mark(const File &file, const QString &buffer, qint64 a, qint64 b) = 0;

	/*
	 * In all streams of a file, show only the events @event ("sys/name") that match
	 * @filter and have @after < time <= @until. @filter is in libtraceevent syntax;
	 * "" matches all. Returns the number of matching entries. 0: the file does not
	 * contain any, and the filter is not set. -1 with a sentence in @why: the
	 * filter is not possible. Nothing is changed then.
	 */
	virtual long filterEvents(const File &file, const QString &event, const QString &filter,
				  qint64 after, qint64 until, QString *why) = 0;
	/* How often each event "SYS:EVENT" occurs in all streams of a file. */
	virtual QHash<QString, quint64> eventCounts(const File &file) = 0;
	/* Remove the filter of filterEvents(), if it is set. */
	virtual void clearFilter() = 0;
	/* True from filterEvents() to clearFilter(). */
	virtual bool filtered() = 0;

	/* True while a file is being loaded: call no other function, wait for filesChanged(). */
	virtual bool busy() = 0;

signals:
	/* Files were opened, appended, closed or reloaded, or an offset has changed. */
	void filesChanged();
	/* At most once per iteration of the event loop, whatever the cause. */
	void windowChanged(qint64 from, qint64 to);
	void markersChanged();
	/* The filter was replaced or removed. */
	void filterChanged();
	/* The position of the graph has changed: layout or size. */
	void graphMoved();
	/* The program closes: release all recordings, and call no function any more. */
	void closing();
};

#endif
